"""Each learner on small tables: its rules decide as it says, and its reasons have the size they should have."""

from __future__ import annotations

import base64
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest
from benchmarks.board.measures import measured
from benchmarks.board.methods import METHODS, ROOT
from benchmarks.board.reasons import Rules, reason_sizes

POINTS = np.array(list(product((0, 1), repeat=5)), dtype=np.uint8)


def division(classes):
    """All points of five features, three times; a rule of either sign with a few labels turned."""
    X = np.tile(POINTS, (3, 1))
    y = (X[:, 0] & X[:, 1] | X[:, 2] & (1 - X[:, 3])).astype(int)
    y[[1, 40, 70]] ^= 1
    if classes == 3:
        y[(X[:, 4] == 1) & (X[:, 1] == 1)] = 2
    return {
        **{f"{part}_boolean": X for part in ("train", "test")},
        **{f"{part}_numbers": X.astype(np.float32) for part in ("train", "test")},
        **{f"{form}_columns": np.arange(5) for form in ("boolean", "numbers")},
        "train_y": y,
        "test_y": y,
    }


def naive_size(labels, X, row):
    for size in range(X.shape[1] + 1):
        for kept in map(list, combinations(range(X.shape[1]), size)):
            if len(set(labels[(X[:, kept] == row[kept]).all(axis=1)])) == 1:
                return size
    raise AssertionError("all features together are a reason")


CELLS = [(name, 2) for name in METHODS] + [(name, 3) for name, spec in METHODS.items() if not spec.two_classes]


def is_slow(method, classes):
    """Tell what `make slow` runs only: the gate has three of ours and one peer, of three classes one each."""
    quick = {2: ("idnf", "idnf-boolean", "idnf-checklist", "cart"), 3: ("idnf", "cart")}
    return METHODS[method].slow or method not in quick[classes]


def cell(method, classes):
    """The name of a cell: the tables are called by their number of classes."""
    return f"{method}:{classes}:0:{3 if 3 in METHODS[method].bounds else 0}:0"


@pytest.fixture(scope="module")
def answers(tmp_path_factory, request):
    """What a worker answers for all methods that it runs, asked once; slow ones with `--slow` only."""
    slow = request.config.getoption("--slow")
    folder = tmp_path_factory.mktemp("tables")
    for classes in (2, 3):
        np.savez(folder / f"{classes}-0.npz", **division(classes))

    @cache
    def asked(worker):
        cells = [cell(*one) for one in CELLS if METHODS[one[0]].worker == worker and (slow or not is_slow(*one))]
        return dict(zip(cells, worker.answers(folder, cells), strict=True))

    return asked


def answer_of(method, classes, answers):
    worker = METHODS[method].worker
    if worker.environment and not (ROOT / f".venv-peers-{worker.environment}" / ".installed").exists():
        pytest.skip(f".venv-peers-{worker.environment} is made by `make bench`")
    return answers(worker)[cell(method, classes)]


@pytest.mark.parametrize(
    ("method", "classes"), [pytest.param(*one, marks=[pytest.mark.slow] * is_slow(*one)) for one in CELLS]
)
def test_rules_and_reasons(method, classes, answers):
    spec = METHODS[method]
    answer = answer_of(method, classes, answers)
    assert answer["status"] == "ok", answer["message"]
    found = measured(answer, division(classes), seconds=60)
    assert found["status"] == "ok", found["message"]
    assert found["accuracy"] > (60 if classes == 3 or method == "greedy-list" else 74)
    assert found["log_loss"] < 1.1
    if spec.kind == "ceiling":
        assert "largest_reason" not in found
        return
    model = answer["model"]
    count = model["conditions"]
    rules = Rules.of(model["rules"], model["columns"])
    every = np.array(list(product((0, 1), repeat=count)), dtype=np.uint8)
    labels, _ = reason_sizes(rules, every)
    rows = np.frombuffer(base64.b64decode(model["rows"]), dtype=np.uint8)
    X = np.unique(np.unpackbits(rows, count=len(answer["labels"]) * count).reshape(-1, count), axis=0)
    expected = [naive_size(labels, every, row) for row in X]
    assert expected == reason_sizes(rules, X)[1].tolist()
    assert found["largest_reason"] == max(expected)
    if spec.kind in ("ours", "bounded"):
        assert found["largest_reason"] <= 3
    if spec.ours:
        assert found["explain_seconds"] > 0
        assert found["conflict"] == found["gap"] == 0
