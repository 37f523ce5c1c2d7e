"""Means, brackets and who is above whom, on results made by hand."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.board.methods import METHODS, cells_of
from benchmarks.board.results import Result, append_result, measured, read_results, write_results
from benchmarks.board.tables import Board, accuracy, better_peers, by_size, ceilings, reasons

CELLS = (("banknote", 0), ("banknote", 1), ("monks-1", 0))


def result(method, data, split, k, *, accuracy, largest=2):
    none = largest is None
    return Result(
        method, data, split, k, 90.0, accuracy, largest, None if none else 1.5, None if none else 1, largest,
        None if none else 2, 4, 0, 0.5, 0.25, None,
    )  # fmt: skip


def board(*more):
    ours = [
        result("idnf", "banknote", 0, 2, accuracy=90.0),
        result("idnf", "banknote", 1, 2, accuracy=94.0),
        result("idnf", "monks-1", 0, 2, accuracy=80.0),
    ]
    return Board.of([*ours, *more], ("banknote", "monks-1"))


def test_a_mean_is_over_data_sets_not_over_splits():
    assert board().mean("idnf", 2, lambda r: r.test_accuracy) == 86.0


def test_a_mean_that_lacks_a_cell_is_none():
    half = board(result("cart", "banknote", 0, 2, accuracy=99.0), result("cart", "monks-1", 0, 2, accuracy=99.0))
    assert half.mean("cart", 2, lambda r: r.test_accuracy) is None
    assert "CART" not in accuracy(half)


def test_accuracy_is_in_brackets_where_a_reason_is_larger_than_k():
    found = accuracy(
        board(
            result("ripper", "banknote", 0, 2, accuracy=90.0, largest=2),
            result("ripper", "banknote", 1, 2, accuracy=90.0, largest=5),
            result("ripper", "monks-1", 0, 2, accuracy=91.0),
        )
    )
    assert "| **idnf**, any function, search (the default) | 86.0 |" in found
    assert "| RIPPER, max_rule_conds = k (wittgenstein) | (90.5) |" in found


def test_peers_above_us_are_named_with_their_largest_reason():
    found = better_peers(
        board(
            result("ripper", "banknote", 0, 2, accuracy=93.0, largest=5),
            result("ripper", "banknote", 1, 2, accuracy=92.0, largest=3),
            result("cart", "monks-1", 0, 2, accuracy=80.0),
        )
    )
    assert [(b.data, b.k, b.method, b.theirs, b.ours, b.largest) for b in found] == [
        ("banknote", 2, "ripper", 92.5, 92.0, 5)
    ]


def test_the_best_peer_of_a_size_may_have_any_k_but_no_larger_reason():
    found = by_size(
        board(
            *(result("idnf", name, split, 3, accuracy=95.0, largest=3) for name, split in CELLS),
            *(result("cart", name, split, 2, accuracy=85.0, largest=2) for name, split in CELLS),
            *(result("brcg-cnf", name, split, 2, accuracy=96.0, largest=3) for name, split in CELLS),
            *(result("brcg-dnf", name, split, 3, accuracy=99.0, largest=4) for name, split in CELLS),
        )
    )
    assert "| 2 | 86.0 | 85.0 | CART of depth k, k = 2 |" in found
    assert "| 3 | 95.0 | 96.0 | BRCG, terms <= k, CNF (aix360), k = 2 |" in found


def test_ceilings_and_reasons():
    found = board(*(result("xgboost", name, split, 0, accuracy=97.0, largest=None) for name, split in CELLS))
    assert "XGBoost 97.0" in ceilings(found)
    assert "| 2 / 2.0 / 1.5 |" in reasons(found)


def test_results_are_read_as_written_and_the_later_row_counts(tmp_path):
    path = tmp_path / "scoreboard.csv"
    first, second = (result("cart", "banknote", 0, 2, accuracy=value) for value in (90.0, 91.0))
    for each in (first, second):
        append_result(path, each)
    assert read_results(path) == [second]
    write_results(path, [second, result("xgboost", "iris", 0, 0, accuracy=1.0, largest=None)])
    assert len(read_results(path)) == 2


def answer(model, accuracy):
    return {
        "method": "cart", "data": "d", "split": "0", "k": "2", "train_accuracy": accuracy, "test_accuracy": accuracy,
        "size": "1", "proved": "0", "fit_seconds": "1", "predict_seconds": "1", "explain_seconds": "", "model": model,
    }  # fmt: skip


@pytest.fixture
def division(tmp_path):
    X, y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.uint8), np.array([0, 0, 0, 1], dtype=np.uint8)
    np.savez(tmp_path / "d-0.npz", train_X=X, train_y=y, test_X=X, test_y=y)
    return tmp_path / "d-0.npz"


def test_a_model_is_measured_on_all_rows_of_both_classes(division):
    found = measured(answer("1:0 2", "100.0"), division)
    assert (found.largest_reason, found.mean_reason, found.largest_reason_0, found.largest_reason_1) == (2, 1.25, 1, 2)
    assert found.width == 2


def test_a_model_that_does_not_decide_as_it_says_is_refused(division):
    with pytest.raises(AssertionError, match="its model gives"):
        measured(answer("1:0", "100.0"), division)


def test_cells_of_a_method():
    assert cells_of("cart", ["iris", "monks-1"], [2, 3], 2) == [
        ("iris", 0, 2), ("iris", 1, 2), ("monks-1", 0, 2), ("iris", 0, 3), ("iris", 1, 3), ("monks-1", 0, 3)
    ]  # fmt: skip
    assert cells_of("xgboost", ["iris"], [2, 3], 1) == [("iris", 0, 0)]
    assert all(k <= 3 for _, _, k in cells_of("idnf-exact", ["iris"], [2, 3, 4, 5], 1))
    assert METHODS["cart"].worker.environment == ""
