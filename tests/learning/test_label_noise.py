import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.example_rows import labelled_rows

from idnf.counting.contract import DistinctRows
from idnf.learning.label_noise import believed, best_guess, best_mixture, left_out_errors, left_out_votes


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
    first, second = (np.column_stack([1 - guess, guess]) for guess in (first, second))
    found = best_mixture(rows, first, second)
    assert np.all(found >= np.minimum(first, second) - 1e-12)
    assert np.all(found <= np.maximum(first, second) + 1e-12)
    distances = [np.sum((guess - rows.weights) ** 2) for guess in (found, first, second)]
    assert distances[0] <= min(distances[1:]) + 1e-9


def test_where_one_guess_is_missing_the_other_is_taken():
    rows = DistinctRows.of_two(np.eye(3, dtype=bool), np.ones(3), np.zeros(3), True)
    missing, there = np.full((3, 2), np.nan), np.array([[0.8, 0.2], [0.6, 0.4], [0.4, 0.6]])
    assert best_mixture(rows, missing, there) == pytest.approx(there)
    assert best_mixture(rows, there, missing) == pytest.approx(there)
    assert np.isnan(best_mixture(rows, missing, missing)).all()


def examples_of_three(noise, *, count=400):
    generator = np.random.default_rng(0)
    features = np.unique(generator.random((count, 10)) < 0.5, axis=0)
    target = features[:, 0] + 1 * features[:, 1]
    wrong = generator.random(len(features)) < noise
    target = np.where(wrong, generator.integers(3, size=len(features)), target)
    return DistinctRows(features, np.eye(3)[target], True)


@given(labelled_rows())
def test_a_guess_is_a_distribution_over_the_classes(rows):
    guess = best_guess(rows)
    asked = ~np.isnan(guess).any(axis=1)
    assert np.all(guess[asked] >= 0)
    assert guess[asked].sum(axis=1) == pytest.approx(np.ones(asked.sum()))


@given(labelled_rows(), st.sampled_from([0.0, 0.5, 0.75]))
def test_belief_shares_out_the_weight_of_every_row(rows, part):
    guess = best_guess(rows)
    found = believed(rows, guess, part)
    for weights, own, chances in zip(found.weights, rows.weights, guess):
        expected = own if np.isnan(chances).any() else (1 - part) * own + part * own.sum() * chances
        assert weights == pytest.approx(expected)


def test_other_models_tell_noise_from_a_rule_of_three_classes():
    clean, noisy = examples_of_three(0.0), examples_of_three(0.3)
    assert left_out_errors(clean, best_guess(clean)) < 0.03
    assert 0.12 < left_out_errors(noisy, best_guess(noisy)) < 0.35


def test_a_wrong_label_is_hardly_believed():
    rows = examples_of_three(0.0)
    weights = rows.weights.copy()
    weights[7] = np.roll(weights[7], 1)
    changed = DistinctRows(rows.features, weights, True)
    assert believed(changed, best_guess(changed), 0.75).weights[7].argmax() == rows.weights[7].argmax()


def test_weights_in_other_units_give_the_same_guess():
    rows = examples_of_three(0.2, count=150)
    small = DistinctRows(rows.features, rows.weights / 1024, True)
    assert best_guess(small) == pytest.approx(best_guess(rows))
