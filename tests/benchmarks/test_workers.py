"""Each learner on a small table: its model decides as it says, and its reasons have the size they should have."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from benchmarks.board.methods import METHODS, ROOT
from benchmarks.board.reasons import Terms, reason_sizes
from benchmarks.board.results import answers, measured

POINTS = np.array(list(product((0, 1), repeat=5)), dtype=np.uint8)


@pytest.fixture
def division(tmp_path):
    """All points of five features, three times; a rule of either sign with a few labels turned."""
    X = np.tile(POINTS, (3, 1))
    y = (X[:, 0] & X[:, 1] | X[:, 2] & (1 - X[:, 3])).astype(np.uint8)
    y[[1, 40, 70]] ^= 1
    np.savez(tmp_path / "points-0.npz", train_X=X, train_y=y, test_X=X, test_y=y)
    return tmp_path / "points-0.npz"


def naive_size(labels, point):
    for size in range(POINTS.shape[1] + 1):
        for kept in map(list, combinations(range(POINTS.shape[1]), size)):
            if len(set(labels[(POINTS[:, kept] == point[kept]).all(axis=1)])) == 1:
                return size
    raise AssertionError("all features together are a reason")


@pytest.mark.parametrize("method", METHODS)
def test_models_and_reasons(method, division, tmp_path):
    spec = METHODS[method]
    if spec.worker.environment and not (ROOT / f".venv-peers-{spec.worker.environment}" / ".installed").exists():
        pytest.skip(f".venv-peers-{spec.worker.environment} is made by `make bench`")
    k = max(spec.least_k, min(spec.most_k, 3))
    written = tmp_path / "answers.csv"
    spec.worker.run(written, tmp_path, [f"{method}:points:0:{k}"])
    answer = answers(written)[method, "points", 0, k]
    found = measured(answer, division)
    assert found.test_accuracy > 75
    assert found.size > 0
    if not answer["model"]:
        assert found.largest_reason is None
        return
    labels, sizes = reason_sizes(Terms.parse(answer["model"]), POINTS)
    expected = [naive_size(labels, point) for point in POINTS]
    assert expected == sizes.tolist()
    assert found.largest_reason == max(expected)
    if method.startswith("idnf"):
        assert found.largest_reason <= k
        assert found.explain_seconds > 0
