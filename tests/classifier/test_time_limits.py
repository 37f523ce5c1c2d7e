"""Time limits by the steps of a clock that is told the time: what is asked of it, and what is done when it is late."""

from __future__ import annotations

from itertools import count

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info

from idnf import DNFClassifier, TableBinariser
from idnf.counting.packed import PackedTable
from idnf.learning.lookahead import cart, counted_tree
from idnf.learning.objective import error_share
from idnf.logic import deadlines
from idnf.logic.deadlines import Deadline
from idnf.tables.cuts import LEAST_ROWS, TimeSlices, rows_in_time


class Clock:
    """A clock that goes on by a step each time it is asked."""

    def __init__(self, step: float) -> None:
        self.times = count(0.0, step)
        self.asked = 0

    def __call__(self) -> float:
        self.asked += 1
        return next(self.times)


@pytest.fixture
def slow_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Every look at the clock takes a second."""
    clock = Clock(1.0)
    monkeypatch.setattr(deadlines, "_now", clock)
    monkeypatch.setattr(deadlines, "monotonic", clock)
    return clock


def table(rows: int, classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 6))
    return X, np.clip((X[:, 0] + X[:, 1] + classes / 2).astype(int), 0, classes - 1)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("learner", ["greedy", "search", "exact"])
@pytest.mark.parametrize("tune", [True, False])
def test_a_limit_that_has_passed_gives_a_model_at_once(
    learner: str, classes: int, tune: bool, slow_clock: Clock
) -> None:
    X, y = table(3000, classes)
    clf = DNFClassifier(3, learner=learner, tune=tune, time_limit=5.0).fit(X, y)
    assert clf.training_data_.startswith("sample of 1000 of 3000 rows, as the time limit allows")
    assert clf.optimal_ is None, "nothing is proved of a sample"
    assert clf.verify().k == 3
    # Six columns and a bounded number of looks after the end, whatever the effort would have been.
    assert slow_clock.asked < 150


def test_without_a_limit_nobody_looks_at_the_clock(slow_clock: Clock) -> None:
    X, y = table(300)
    DNFClassifier(2, tune=False).fit(X, y)
    assert slow_clock.asked <= 4


def test_a_limit_that_is_long_enough_changes_nothing() -> None:
    X, y = table(3000)
    free, limited = (DNFClassifier(2, tune=False, time_limit=limit).fit(X, y) for limit in (None, 600.0))
    assert free.double_dnf_ == limited.double_dnf_
    assert free.binariser_.literals_ == limited.binariser_.literals_


def test_in_a_hurry_columns_are_cut_by_fewer_rows() -> None:
    hurry = TimeSlices(Deadline(10.0, clock=Clock(0.5)), columns=40)
    taken = []
    for _ in range(40):
        with hurry.column(100_000) as rows:
            taken.append(rows)
    assert taken[0] == 100_000
    assert taken[-1] == LEAST_ROWS
    with TimeSlices(Deadline(), columns=1).column(100_000) as rows:
        assert rows == 100_000


def test_cuts_of_some_rows_take_every_row_there_is() -> None:
    X, y = table(3000)
    X[1::2, 0] = np.nan
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(job=np.where(np.arange(3000) == 7, "rare", "common"))
    binariser = TableBinariser()
    frame["town"] = [f"town {row % 1500}" for row in range(3000)]
    binariser.fit_read(frame, y, None, Deadline(0.0, clock=Clock(1.0)))
    whole = TableBinariser().fit(frame, y)
    assert [type(column) for column in binariser.columns_] == [type(column) for column in whole.columns_]
    assert [column.missing for column in binariser.columns_] == [column.missing for column in whole.columns_]
    assert binariser.transform(frame).shape[0] == 3000


def test_a_sample_keeps_every_class() -> None:
    labels = np.r_[np.zeros(99_960, dtype=np.intp), np.ones(40, dtype=np.intp)]
    chosen = rows_in_time(lambda _: None, labels, Deadline(3.0, clock=Clock(1.0)), 0)
    assert chosen is not None
    assert np.bincount(labels[chosen]).tolist()[1] == 40
    assert len(chosen) < 2000
    assert rows_in_time(lambda _: None, labels, Deadline(), 0) is None


@pytest.mark.parametrize("seed", range(20))
def test_a_tree_by_counts_errs_as_cart_does(seed: int) -> None:
    rng = np.random.default_rng(seed)
    features = rng.random((400, 6)) < rng.uniform(0.2, 0.8, 6)
    weights = rng.random(400) + 0.1
    y = (features[:, 0] & features[:, 1] | features[:, 2]) ^ (rng.random(400) < 0.2)
    counts = PackedTable.from_arrays(features, y, weights)
    rows = counts.distinct_rows()
    grown = counted_tree(counts, "abcdef", 3)
    assert error_share(rows, grown) == pytest.approx(error_share(rows, cart(rows, "abcdef", 3)))
    reference = DecisionTreeClassifier(max_depth=3, random_state=0).fit(features, y, weights)
    assert grown.depth <= reference.get_depth()


def test_a_tree_by_counts_stops_when_it_is_over() -> None:
    features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    counts = PackedTable.from_arrays(features, np.array([False, False, False, True]))
    assert counted_tree(counts, "ab", 2, is_over=lambda: True).depth <= 1
    assert counted_tree(counts, "ab", 2).depth == 2


def test_search_multiplies_in_one_thread() -> None:
    threads: list[int] = []

    def note(_: float) -> None:
        threads.extend(each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas")

    X, y = table(300)
    before = [each["num_threads"] for each in threadpool_info()]
    DNFClassifier(2, progress=note, effort=0.1).fit(X, y)
    assert threads
    assert set(threads) == {1}
    assert before == [each["num_threads"] for each in threadpool_info()]
