import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idnf.counting.contract import DistinctRows
from idnf.learning.belief import best_mixture, left_out_errors, left_out_votes


def examples(noise, *, count=400):
    generator = np.random.default_rng(0)
    features = np.unique(generator.random((count, 12)) < 0.5, axis=0)
    target = (features[:, 0] ^ (generator.random(len(features)) < noise)).astype(float)
    return DistinctRows.of_two(features, target, 1 - target, True)


def errors(rows):
    return left_out_errors(rows, left_out_votes(rows))


def test_trees_tell_noise_from_a_rule():
    assert errors(examples(0.0)) < 0.02
    assert 0.1 < errors(examples(0.2)) < 0.35


def test_one_class_has_no_errors():
    assert errors(DistinctRows.of_two(np.eye(3, dtype=bool), np.ones(3), np.zeros(3), True)) == 0.0


def test_a_row_never_left_out_has_no_vote():
    rows = DistinctRows.of_two(np.ones((1, 2), dtype=bool), np.ones(1), np.ones(1), True)
    votes = left_out_votes(rows)
    assert np.isnan(votes).all()
    assert left_out_errors(rows, votes) == 0.0


def test_more_trees_depend_less_on_the_seed():
    rows = examples(0.2, count=150)
    few, many = ([left_out_votes(rows, random_state=s, trees=trees) for s in range(4)] for trees in (40, 160))
    assert np.std(many, axis=0).mean() < 0.7 * np.std(few, axis=0).mean()


guesses = st.lists(st.floats(0, 1), min_size=5, max_size=5).map(np.array)


@given(guesses, guesses, st.lists(st.booleans(), min_size=5, max_size=5).map(np.array))
def test_a_mixture_is_between_the_guesses_and_no_farther_from_the_labels_than_either(first, second, labels):
    rows = DistinctRows.of_two(np.eye(5, dtype=bool), labels * 1.0, ~labels * 1.0, True)
    found = best_mixture(rows, first, second)
    assert np.all(found >= np.minimum(first, second) - 1e-12)
    assert np.all(found <= np.maximum(first, second) + 1e-12)
    distances = [np.sum((guess - labels) ** 2) for guess in (found, first, second)]
    assert distances[0] <= min(distances[1:]) + 1e-9


def test_where_one_guess_is_missing_the_other_is_taken():
    rows = DistinctRows.of_two(np.eye(3, dtype=bool), np.ones(3), np.zeros(3), True)
    missing = np.full(3, np.nan)
    assert best_mixture(rows, missing, np.array([0.2, 0.4, 0.6])) == pytest.approx([0.2, 0.4, 0.6])
    assert best_mixture(rows, np.array([0.2, 0.4, 0.6]), missing) == pytest.approx([0.2, 0.4, 0.6])
    assert np.isnan(best_mixture(rows, missing, missing)).all()
