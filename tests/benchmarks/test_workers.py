"""Each learner on small tables: its rules decide as it says, and its reasons have the size they should have."""

from __future__ import annotations

import base64
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
        "train_y": y,
        "test_y": y,
    }


def naive_size(labels, X, row):
    for size in range(X.shape[1] + 1):
        for kept in map(list, combinations(range(X.shape[1]), size)):
            if len(set(labels[(X[:, kept] == row[kept]).all(axis=1)])) == 1:
                return size
    raise AssertionError("all features together are a reason")


def answer_of(method, classes, folder):
    spec = METHODS[method]
    if spec.worker.environment and not (ROOT / f".venv-peers-{spec.worker.environment}" / ".installed").exists():
        pytest.skip(f".venv-peers-{spec.worker.environment} is made by `make bench`")
    np.savez(folder / "points-0.npz", **division(classes))
    k = 3 if 3 in spec.bounds else 0
    (answer,) = spec.worker.answers(folder, [f"{method}:points:0:{k}:0"])
    return answer


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("method", METHODS)
def test_rules_and_reasons(method, classes, tmp_path):
    spec = METHODS[method]
    if classes > 2 and spec.two_classes:
        pytest.skip("tells two classes apart")
    answer = answer_of(method, classes, tmp_path)
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
    rules = Rules.of(model["rules"])
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
