import datetime as dt

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from idnf import TableBinariser
from idnf.columns.categories import BooleanColumn
from idnf.columns.column import NO_CELL
from idnf.columns.groups import Ordered
from idnf.tables.lazy_columns import cell, conditions, lazy_column, refuse_other_kinds

SIZES = pl.Enum(["small", "medium", "large"])


def table(rows=200, *, with_missing):
    """A column of every kind that a lazy table can hold, with groups of 0/1 columns."""
    generator = np.random.default_rng(2)
    days = [dt.date(2020, 1, 1) + dt.timedelta(days=int(d)) for d in generator.integers(0, 60, rows)]
    start = dt.datetime(2020, 1, 1)
    level = generator.integers(0, 4, rows)
    columns = {
        "float": generator.normal(size=rows),
        "single": pl.Series(generator.normal(size=rows), dtype=pl.Float32),
        "integer": generator.integers(0, 50, rows),
        "decimal": pl.Series([f"{x:.2f}" for x in generator.normal(size=rows)]).cast(pl.Decimal(10, 2)),
        "truth": generator.random(rows) < 0.5,
        "digit": generator.integers(0, 2, rows),
        "text": generator.choice(["a", "b", "it's", "é"], rows),
        "size": pl.Series(generator.choice(["small", "medium", "large"], rows), dtype=SIZES),
        "day": days,
        "moment": [start + dt.timedelta(minutes=int(m)) for m in generator.integers(0, 10_000, rows)],
        "midnight": pl.Series(days).cast(pl.Datetime("us")),
        "length": pl.Series([dt.timedelta(hours=int(h)) for h in generator.integers(0, 90, rows)]),
    }
    made = pl.DataFrame(columns)
    if with_missing:
        gone = pl.Series(generator.random(rows) < 0.1)
        made = made.with_columns(pl.when(gone).then(None).otherwise(pl.all()).name.keep())
        made = made.with_columns(float=pl.when(pl.int_range(pl.len()) % 17 == 0).then(float("nan")).otherwise("float"))
    one_hot = {f"level_{i}": level == i for i in range(3)}
    ordered = {f"rank<={i}": (level <= i).astype(int) for i in range(2)}
    return made.with_columns(**{name: pl.Series(values) for name, values in (one_hot | ordered).items()})


def in_engine(engine, native):
    frame = native.lazy() if engine == "polars" else duckdb.connect().from_arrow(native.to_arrow())
    return nw.from_native(frame)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("with_missing", [False, True])
def test_conditions_and_cells_say_what_columns_in_memory_say(engine, with_missing):
    native = table(with_missing=with_missing)
    groups = {"level": ["level_0", "level_1", "level_2"], "rank": Ordered(["rank<=0", "rank<=1"])}
    binariser = TableBinariser(groups=groups, max_literals_per_column=5)
    binariser.fit(native, np.arange(len(native)) % 2)
    frame = in_engine(engine, native)
    raws = {name: lazy_column(name, dtype) for name, dtype in frame.collect_schema().items()}
    held = [c for column in binariser.columns_ for c in conditions(column, raws)]
    counts = [nw.when(c).then(nw.lit(1)).otherwise(nw.lit(0)).alias(f"l{i}") for i, c in enumerate(held)]
    places = [cell(column, raws).alias(f"c{j}") for j, column in enumerate(binariser.columns_)]
    found = frame.select(*counts, *places).collect()
    features = found.select(f"l{i}" for i in range(len(held))).to_numpy()
    np.testing.assert_array_equal(features.astype(bool), binariser.transform(native))
    np.testing.assert_array_equal(
        found.select(f"c{j}" for j in range(len(binariser.columns_))).to_numpy(), binariser.cells(native)
    )


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_values_without_a_cell_are_told(engine):
    seen = pl.DataFrame({"number": [1.5, 2.5, 3.5], "flag": [False, True, True], "a": [1, 0, 0], "b": [0, 1, 1]})
    binariser = TableBinariser(missing="refuse", groups={"code": ["a", "b"]}).fit(seen, [0, 1, 1])
    strange = pl.DataFrame({"number": [1.0, None, 2.2], "flag": [2, 0, None], "a": [1, 1, 0], "b": [0, 1, 0]})
    frame = in_engine(engine, strange)
    raws = {name: lazy_column(name, dtype) for name, dtype in frame.collect_schema().items()}
    places = frame.select(*(cell(column, raws).alias(column.name) for column in binariser.columns_)).collect()
    no = NO_CELL
    assert places.to_dict(as_series=False) == {"number": [0, no, 1], "flag": [no, 0, no], "code": [0, no, no]}


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("given", [[0, 1, 3, -2, None], [0.0, 0.5, 0.75, float("nan"), None]], ids=["whole", "parts"])
def test_numbers_that_were_0_and_1_are_read_as_the_nearer(engine, given):
    seen = pl.DataFrame({"claims": [0, 1, 1, None]})
    binariser = TableBinariser().fit(seen, [0, 1, 1, 0])
    (column,) = binariser.columns_
    later = pl.DataFrame({"claims": given})
    frame = in_engine(engine, later)
    raws = {name: lazy_column(name, dtype) for name, dtype in frame.collect_schema().items()}
    named = (held.alias(str(i)) for i, held in enumerate(conditions(column, raws)))
    found = frame.select(cell(column, raws).alias("cell"), *named).collect()
    assert found.get_column("cell").to_list() == binariser.cells(later)[:, 0].tolist()
    held = found.select(str(i) for i in range(3)).to_numpy()
    np.testing.assert_array_equal(held == True, binariser.transform(later))  # noqa: E712 - null is not true


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@pytest.mark.parametrize("dtype", [pl.Float64, pl.Float32])
def test_infinity_has_no_cell(engine, dtype):
    seen = pl.DataFrame({"number": [1.5, 2.5, 3.5, None], "digit": [0.0, 1.0, 1.0, None]})
    binariser = TableBinariser().fit(seen, [0, 1, 1, 0])
    given = [float("inf"), float("-inf"), float("nan"), None, 3e38, -3e38]
    later = pl.DataFrame({"number": given, "digit": given}, schema={"number": dtype, "digit": dtype})
    frame = in_engine(engine, later)
    raws = {name: lazy_column(name, kind) for name, kind in frame.collect_schema().items()}
    places = frame.select(*(cell(column, raws).alias(column.name) for column in binariser.columns_)).collect()
    finite = binariser.cells(later[2:])
    for j, column in enumerate(binariser.columns_):
        assert places.get_column(column.name).to_list() == [NO_CELL, NO_CELL, *finite[:, j].tolist()]


@pytest.mark.parametrize("dtype", [nw.List(nw.Int64()), nw.Binary(), nw.Time(), nw.Object()])
def test_types_that_cannot_be_compared_are_refused(dtype):
    with pytest.raises(ValueError, match="column 'x' must hold numbers, Booleans, categories, dates or durations"):
        lazy_column("x", dtype)


@pytest.mark.parametrize(("digits", "kind"), [(True, "numbers"), (False, "Booleans")])
def test_another_kind_than_in_training_is_refused_in_the_words_of_memory(digits, kind):
    column = BooleanColumn("claims", "refused", digits=digits)
    message = f"column 'claims' must hold {kind}, as in training; got categories"
    with pytest.raises(ValueError, match=message):
        refuse_other_kinds(column, {"claims": lazy_column("claims", nw.String())})
    with pytest.raises(ValueError, match=message):
        column.cells(["none"])


def test_nan_is_missing_in_a_parquet_file_whose_statistics_leave_it_out(tmp_path):
    nan = float("nan")
    pl.DataFrame({"x": [0.0, 1.0, nan], "y": [None, nan, 1.0]}).write_parquet(tmp_path / "nan.parquet")
    for frame in (pl.scan_parquet(tmp_path / "nan.parquet"), duckdb.read_parquet(str(tmp_path / "nan.parquet"))):
        lazy = nw.from_native(frame)
        raws = [lazy_column(name, kind) for name, kind in lazy.collect_schema().items()]
        counted = lazy.select(*(raw.missing.cast(nw.Int32).sum().alias(raw.name) for raw in raws)).collect()
        assert [int(value) for value in counted.row(0)] == [1, 2]
        assert [len(lazy.filter(raw.missing).collect()) for raw in raws] == [1, 2]
