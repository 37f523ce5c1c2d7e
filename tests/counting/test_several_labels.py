"""Counting for any number of classes answers as counting by hand does, in memory and in engines."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.strategies import few

from idnf.counting.lazy_table import LazyTable
from idnf.counting.packed import PackedTable
from idnf.engines.queries import ClassSizes


@dataclass(frozen=True)
class Table:
    """Examples as they are."""

    features: np.ndarray
    labels: np.ndarray
    n_classes: int
    weight: np.ndarray | None = None

    @property
    def n_features(self):
        return self.features.shape[1]

    @property
    def packed(self):
        return PackedTable.from_arrays(self.features, self.labels, self.weight, self.n_classes)


@st.composite
def tables(draw, *, max_classes=4):
    rows, n = draw(st.integers(0, 12)), draw(st.integers(0, 4))
    bits = st.lists(st.booleans(), min_size=n, max_size=n)
    features = np.array(draw(st.lists(bits, min_size=rows, max_size=rows)), dtype=bool).reshape(rows, n)
    classes = draw(st.integers(1, max_classes))
    labels = np.array(draw(st.lists(st.integers(0, classes - 1), min_size=rows, max_size=rows)), dtype=np.intp)
    weights = draw(st.none() | st.lists(st.sampled_from([0.0, 0.5, 1.0, 3.0]), min_size=rows, max_size=rows))
    return Table(features, labels, classes, None if weights is None else np.array(weights, dtype=float))


def lazily(engine, table):
    """The same examples in an engine, numbers and nulls standing for features."""
    columns = {"class": pl.Series(table.labels.tolist(), dtype=pl.Int64)}
    conditions = []
    for j, values in enumerate(table.features.T.tolist()):
        numbers = [1.5 if value else None if i % 3 else 2.5 for i, value in enumerate(values)]
        columns[f"x{j}"] = pl.Series(numbers, dtype=pl.Float64)
        conditions.append(nw.col(f"x{j}") <= 2)
    if table.weight is not None:
        columns["weight"] = pl.Series(table.weight, dtype=pl.Float64)
    frame = pl.DataFrame(columns)
    native = frame.lazy() if engine == "polars" else duckdb.connect().from_arrow(frame.to_arrow())
    labels = tuple(nw.col("class") == label for label in range(table.n_classes))
    sizes = ClassSizes(tuple(np.bincount(table.labels, minlength=table.n_classes).tolist()))
    weight = None if table.weight is None else nw.col("weight")
    return LazyTable(nw.from_native(native), tuple(conditions), labels, sizes, weight)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
@few(4)
@given(table=tables(), data=st.data())
def test_engines_count_as_memory_does(engine, table, data):
    assume(table.n_classes > 1 and len(table.labels) and table.packed.totals.sum())
    lazy = lazily(engine, table)
    models = data.draw(st.lists(st.lists(terms(table), max_size=3), max_size=3))
    assert lazy.covered_weights(models).tolist() == table.packed.covered_weights(models).tolist()
    assert lazy.totals.tolist() == table.packed.totals.tolist()
    mine, theirs = table.packed.distinct_rows(), lazy.distinct_rows()
    assert theirs.features.tolist() == mine.features.tolist()
    assert theirs.weights.tolist() == mine.weights.tolist()
    assert theirs.complete


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_a_large_table_in_an_engine_is_sampled(engine, monkeypatch):
    monkeypatch.setattr("idnf.counting.engine_rows.FEW_ROWS", 10)
    generator = np.random.default_rng(0)
    table = Table(generator.random((400, 9)) < 0.5, generator.integers(0, 3, 400), 3)
    some = lazily(engine, table).distinct_rows(50, 0)
    assert len(some.features) <= 50
    assert not some.complete
    assert some.weights.sum(axis=0) == pytest.approx(table.packed.totals)
    few = Table(generator.random((400, 2)) < 0.5, generator.integers(0, 3, 400), 3)
    assert lazily(engine, few).distinct_rows(50, 0).complete


def terms(table):
    if not table.n_features:
        return st.just([])
    return st.lists(st.integers(0, 2 * table.n_features - 1), max_size=3)


def examples(table):
    """Each example as its features, its class and its weight."""
    weights = [1.0] * len(table.labels) if table.weight is None else table.weight.tolist()
    return list(zip(table.features.tolist(), table.labels.tolist(), weights))


def satisfies(features, term):
    return all(features[code // 2] != code % 2 for code in term)


def weight_by_class(table, condition):
    sums = [0.0] * table.n_classes
    for features, label, weight in examples(table):
        sums[label] += weight if condition(features) else 0.0
    return sums


@given(tables(), st.data())
def test_terms_cover_what_satisfies_one_of_them(table, data):
    models = data.draw(st.lists(st.lists(terms(table), max_size=3), max_size=3))
    found = table.packed.covered_weights(models)
    for place, model in enumerate(models):
        covered = weight_by_class(table, lambda features, m=model: any(satisfies(features, term) for term in m))
        assert found[place].tolist() == covered
    assert table.packed.totals.tolist() == weight_by_class(table, lambda _: True)


@given(tables())
def test_distinct_rows_carry_the_weight_of_each_class(table):
    rows = table.packed.distinct_rows()
    assert rows.complete
    seen = [tuple(line) for line in rows.features.tolist()]
    assert len(seen) == len(set(seen))
    assert set(seen) == {tuple(features) for features, _, weight in examples(table) if weight > 0}
    for line, weights in zip(rows.features.tolist(), rows.weights.tolist()):
        assert weights == weight_by_class(table, lambda features, own=line: features == own)


@given(tables(), st.integers(4, 8), st.integers(0, 3))
def test_samples_keep_the_weight_of_every_class(table, limit, seed):
    rows = table.packed.distinct_rows()
    some = rows.sampled(limit, seed)
    assert len(some.features) <= max(limit, 0)
    assert some.weights.sum(axis=0) == pytest.approx(table.packed.totals)
    assert some.complete == (len(rows.features) <= limit)
    again = rows.sampled(limit, seed)
    assert np.array_equal(some.weights, again.weights)


def test_a_sample_has_room_for_every_class():
    table = Table(np.eye(4, dtype=bool), np.arange(4), 4)
    with pytest.raises(ValueError, match="limit must be at least 4, one row for each class; got 3"):
        table.packed.distinct_rows(3)


def test_pairs_and_one_against_the_rest():
    rows = Table(np.eye(3, dtype=bool), np.array([0, 1, 2]), 3).packed.distinct_rows()
    one = rows.against_rest(1)
    assert one.positive.sum() == 1
    assert one.negative.sum() == 2
    pair = rows.of_pair(2, 0)
    assert (len(pair.features), pair.positive.sum(), pair.negative.sum()) == (2, 1, 1)
