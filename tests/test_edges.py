"""Values at the edge of what numbers and calendars hold, leftovers of killed processes, the order of columns."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.strategies import seeds

from idnf import DNFClassifier
from idnf.atomic_files import is_running, parts_folder
from idnf.cli import main
from idnf.commands.output import output_table

ROWS = 60
LABELS = (np.arange(ROWS) > 30).astype(int)


def fitted(column: object, **settings: object) -> DNFClassifier:
    return DNFClassifier(**{"k": 1, "learner": "greedy", **settings}).fit(column, LABELS)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("learner", ["greedy", "search", "exact"])
def test_weights_beyond_all_bounds_are_refused(learner: str, classes: int) -> None:
    X, y = np.arange(ROWS * 1.0)[:, None], np.arange(ROWS) * classes // ROWS
    clf = DNFClassifier(1, learner=learner, tune=False)
    with pytest.raises(ValueError, match=r"must add up to at most 1e\+100; got inf. Divide all weights by the largest"):
        clf.fit(X, y, sample_weight=np.full(ROWS, 1e308))
    with pytest.raises(
        ValueError, match=r"class_weight must be numbers above 0, at most 1e\+100; got 1e\+308 for label 0"
    ):
        clf.set_params(class_weight=dict.fromkeys(range(classes), 1e308)).fit(X, y)


def test_large_weights_count_as_small_ones_do() -> None:
    X, y = np.arange(ROWS * 1.0)[:, None], LABELS
    small, large = (DNFClassifier(1, learner="greedy").fit(X, y, np.full(ROWS, weight)) for weight in (1.0, 1e97))
    assert small.objective_ == large.objective_
    assert np.isfinite(large.predict_proba(X)).all()


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(("learner", "tune"), [("greedy", True), ("search", True), ("search", False), ("exact", False)])
def test_only_ratios_of_extreme_weights_count(learner: str, classes: int, tune: bool) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y = np.clip((X[:, 0] + X[:, 1] * X[:, 2] + classes / 2).astype(int), 0, classes - 1)
    ratios = rng.choice([0.25, 0.5], len(X))
    clf = DNFClassifier(2, learner=learner, tune=tune, effort=0.1)
    wanted = clf.fit(X, y, ratios).predict_proba(X)
    for weight in (2.0**300, 2.0**-1000):
        assert np.array_equal(clf.set_params(class_weight=None).fit(X, y, weight * ratios).predict_proba(X), wanted)
        clf.set_params(class_weight=dict.fromkeys(range(classes), weight / 2))
        assert np.array_equal(clf.fit(X, y, 2 * ratios).predict(X), wanted.argmax(axis=1))


@pytest.mark.parametrize("learner", ["greedy", "search", "exact"])
@pytest.mark.parametrize("classes", [2, 3])
def test_one_weight_for_all_is_none(learner: str, classes: int) -> None:
    for seed in seeds(4, 40):
        rng = np.random.default_rng(seed)
        X = pd.DataFrame({"a": rng.integers(0, 9, 200), "b": rng.normal(size=200), "c": rng.integers(0, 2, 200)})
        y = ((X["a"] > 4) & (X["c"] > 0) | (X["b"] > 0.3)) * 1 + (rng.random(200) < 0.2) * (classes - 1)
        clf = DNFClassifier(2, learner=learner, effort=0.1)
        text = clf.fit(X, y % classes).to_text()
        for weight in (1 / 3, 0.5, 1e-50, 1.0):
            assert clf.fit(X, y % classes, np.full(200, weight)).to_text() == text, (seed, weight)


def test_large_weights_of_a_lazy_table_are_refused() -> None:
    table = pl.DataFrame({"a": np.arange(ROWS) * 1.5, "label": LABELS, "w": np.where(LABELS == 0, 1e300, 1.0)})
    message = r"sample_weight must be at most 1e\+15 in a lazy table; 'w' is more in 31 rows. Divide all of them"
    with pytest.raises(ValueError, match=message):
        DNFClassifier(1, learner="greedy").fit(table.lazy(), "label", "w")


@pytest.mark.parametrize(
    "column",
    [
        pd.DataFrame({"a": np.array([2**63 + 10**6 * i for i in range(ROWS)], dtype=np.uint64)}),
        pd.DataFrame({"a": pd.Series([2**70 + 2**60 * i for i in range(ROWS)], dtype=object)}),
        pl.DataFrame({"a": pl.Series([2**70 + 2**60 * i for i in range(ROWS)], dtype=pl.Int128)}),
        [[2**70 + 2**60 * i] for i in range(ROWS)],
    ],
)
def test_integers_beyond_64_bits_are_read_as_the_nearest_number(column: object) -> None:
    assert (fitted(column).predict(column) == LABELS).all()


@pytest.mark.parametrize(
    "column", [pd.DataFrame({"a": pd.Series([10**400] * ROWS, dtype=object)}), [[10**400 + i] for i in range(ROWS)]]
)
def test_integers_that_no_number_holds_are_refused_by_column_and_row(column: object) -> None:
    with pytest.raises(ValueError, match=r"column '(a|x0)' must hold numbers below 1.8e308; got more in row 1"):
        fitted(column)


def test_a_row_with_such_an_integer_is_refused_too() -> None:
    clf = fitted(pd.DataFrame({"a": np.arange(ROWS) * 1.5}))
    with pytest.raises(ValueError, match="column 'a' must hold numbers below 1.8e308"):
        clf.recourse({"a": 10**400})


@pytest.mark.parametrize("start", [4_000_000, -900_000])
def test_dates_outside_the_calendar_are_refused_by_column_and_row(start: int) -> None:
    days = pl.Series("d", range(start, start + ROWS)).cast(pl.Date).to_frame()
    outside = "column 'd' must hold dates from the year 1 to the year 9999; got one outside in row 1. Replace it"
    with pytest.raises(ValueError, match=outside):
        fitted(days)
    clf = fitted(pl.Series("d", range(ROWS)).cast(pl.Date).to_frame())
    for ask in (clf.predict, clf.explain):
        with pytest.raises(ValueError, match=outside):
            ask(days[:1])


def test_dates_to_the_ends_of_the_calendar_are_written() -> None:
    days = pl.Series("d", ["0001-01-01", "9999-12-31"] * (ROWS // 2)).str.to_date().to_frame()
    y = np.arange(ROWS) % 2
    clf = DNFClassifier(1, learner="greedy").fit(days, y)
    assert (clf.predict(days) == y).all()
    assert str(clf.explain(days[:1])[0])


@pytest.mark.parametrize("unit", ["s", "ms"])
def test_times_that_64_bits_do_not_hold_in_microseconds_are_refused(unit: str) -> None:
    far = np.array([2**62 + i for i in range(ROWS)])
    with pytest.raises(ValueError, match="column 'd' must hold dates from the year 1 to the year 9999"):
        fitted(pd.DataFrame({"d": far.astype(f"M8[{unit}]")}))
    with pytest.raises(ValueError, match="column 'd' must hold durations below 292000 years"):
        fitted(pd.DataFrame({"d": far.astype(f"m8[{unit}]")}))


def test_parts_of_a_killed_process_go_with_the_next_run(tmp_path: Path) -> None:
    dead = subprocess.Popen([sys.executable, "-c", ""])  # noqa: S603 - this Python, nothing else
    dead.wait()
    machine = platform.node() or "unknown"
    left = tmp_path / f".idnf.{machine}.{dead.pid}.abc"
    alive = tmp_path / f".idnf.{machine}.{os.getpid()}.abc"
    elsewhere = tmp_path / f".idnf.another-{machine}.{dead.pid}.abc"
    for folder in (left, alive, elsewhere):
        folder.mkdir()
        (folder / "0.parquet").write_bytes(b"part")
    if os.name == "posix":
        assert not is_running(dead.pid)
    with output_table(str(tmp_path / "out.parquet")) as write:
        write(pl.DataFrame({"a": [1, 2]}))
    assert left.exists() == (os.name != "posix")
    assert alive.exists()
    assert elsewhere.exists()
    assert pl.read_parquet(tmp_path / "out.parquet")["a"].to_list() == [1, 2]
    with parts_folder(tmp_path) as folder:
        assert Path(folder).exists()
    assert not Path(folder).exists()


def test_sentences_of_a_csv_are_no_formulas(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(f"{i},{'=1+1' if i > 30 else '@x'},{'yes' if i > 30 else 'no'}\n" for i in range(ROWS))
    (tmp_path / "t.csv").write_text(f"n,+cmd,label\n{rows}")
    model, out = str(tmp_path / "model.json"), str(tmp_path / "out.csv")
    fit = ["fit", str(tmp_path / "t.csv"), "--target", "label", "-o", model, "--learner", "greedy", "--quiet"]
    assert main([*fit, "--k", "1", "--ignore", "n"]) == 0
    assert main(["explain", model, str(tmp_path / "t.csv"), "-o", out]) == 0
    capsys.readouterr()
    written = pl.read_csv(out)
    for name in ("reason", "changes if"):
        texts = written[name].to_list()
        assert texts[0].startswith("'+cmd is"), texts[0]
        assert not any(text[0] in "=+-@" for text in texts)
    assert written["+cmd"].to_list()[0] == "@x", "the user's own cells are as they were"


@pytest.mark.parametrize("name", ["__idnf class", "__idnf cell 0", "__IDNF row"])
def test_names_of_our_queries_are_refused_in_lazy_tables(name: str) -> None:
    table = pl.DataFrame({name: np.arange(ROWS) // 2 * 1.5, "label": LABELS})
    message = rf"must not begin with '__idnf ', as those of our queries do; got '{name}'. Rename it."
    with pytest.raises(ValueError, match=message):
        DNFClassifier(1, learner="greedy").fit(table.lazy(), "label")
    in_memory = DNFClassifier(1, learner="greedy").fit(table.drop("label"), LABELS)
    with pytest.raises(ValueError, match=message):
        in_memory.predict(table.lazy())


def test_a_table_without_any_condition_gives_a_constant() -> None:
    column = pd.DataFrame({"town": [f"town {row // 2}" for row in range(400)]})
    y = np.r_[np.tile([0, 1], 150), np.zeros(100, dtype=int)]
    for learner in ("greedy", "search", "exact"):
        with pytest.warns(UserWarning, match="every row the label 0"):
            assert set(DNFClassifier(2, learner=learner, tune=False).fit(column, y).predict(column)) == {0}


def shuffled_tables() -> list[pd.DataFrame]:
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.random((150, 6)) < 0.5, columns=list("cafebd"))
    return [table[list(order)] for order in ("cafebd", "abcdef", "fedcba", "dbfaec")]


def labels_of(table: pd.DataFrame) -> np.ndarray:
    noise = np.random.default_rng(1).random(len(table)) < 0.15
    return (table["a"] & table["b"] | table["c"] & ~table["d"]).to_numpy() ^ noise


def test_the_order_of_columns_does_not_change_what_is_proved() -> None:
    models = [DNFClassifier(2, learner="exact").fit(table, labels_of(table)) for table in shuffled_tables()]
    assert {model.optimal_ for model in models} == {"any"}
    assert len({round(model.objective_, 12) for model in models}) == 1


def test_sorted_columns_give_one_model_whatever_their_order() -> None:
    models = [
        DNFClassifier(3, effort=0.2, tune=False).fit(table[sorted(table)], labels_of(table))
        for table in shuffled_tables()
    ]
    assert len({str(model.double_dnf_.positive) for model in models}) == 1


def test_the_order_of_columns_at_predict_does_not_matter() -> None:
    first, *others = shuffled_tables()
    model = DNFClassifier(2, learner="greedy").fit(first, labels_of(first))
    for table in others:
        assert (model.predict(table) == model.predict(first)).all()
        assert model.explain(table[:5])[0].to_text() == model.explain(first[:5])[0].to_text()


@pytest.mark.parametrize("rows", [2, 4, 8, 10])
def test_a_column_that_is_the_label_is_learned_from_few_rows(rows: int) -> None:
    rng = np.random.default_rng(rows)
    y = np.arange(rows) % 2
    X = np.column_stack([y, rng.integers(0, 2, (rows, 2))])
    assert (DNFClassifier(2).fit(X, y).predict(X) == y).all()
