import numpy as np

from idnf.counting.contract import DistinctRows
from idnf.learning.belief import left_out_errors, left_out_votes


def examples(noise, *, count=400):
    generator = np.random.default_rng(0)
    features = np.unique(generator.random((count, 12)) < 0.5, axis=0)
    target = (features[:, 0] ^ (generator.random(len(features)) < noise)).astype(float)
    return DistinctRows(features, target, 1 - target, True)


def errors(rows):
    return left_out_errors(rows, left_out_votes(rows))


def test_trees_tell_noise_from_a_rule():
    assert errors(examples(0.0)) < 0.02
    assert 0.1 < errors(examples(0.2)) < 0.35


def test_one_class_has_no_errors():
    assert errors(DistinctRows(np.eye(3, dtype=bool), np.ones(3), np.zeros(3), True)) == 0.0


def test_a_row_never_left_out_has_no_vote():
    rows = DistinctRows(np.ones((1, 2), dtype=bool), np.ones(1), np.ones(1), True)
    votes = left_out_votes(rows)
    assert np.isnan(votes).all()
    assert left_out_errors(rows, votes) == 0.0
