import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.example_rows import labelled_rows

from idnf.counting.contract import DistinctRows
from idnf.learning.class_belief import believed_classes, left_out_class_errors, left_out_guess


def examples(noise, *, count=400, classes=3):
    generator = np.random.default_rng(0)
    features = np.unique(generator.random((count, 10)) < 0.5, axis=0)
    target = features[:, 0] + 1 * features[:, 1]
    wrong = generator.random(len(features)) < noise
    target = np.where(wrong, generator.integers(classes, size=len(features)), target)
    return DistinctRows(features, np.eye(classes)[target], True)


@st.composite
def counted_rows(draw):
    """Rows that count examples, some of them alike, and a guess at the chance of each class."""
    count, classes = draw(st.integers(1, 5)), draw(st.integers(2, 4))
    numbers = st.lists(st.integers(0, 3), min_size=classes, max_size=classes)
    counts = np.array(draw(st.lists(numbers, min_size=count, max_size=count)), dtype=float)
    counts[:, 0] += 1
    parts = st.lists(st.integers(1, 9), min_size=classes, max_size=classes)
    guess = np.array(draw(st.lists(parts, min_size=count, max_size=count)), dtype=float)
    return DistinctRows(np.eye(count, dtype=bool), counts, True), guess / guess.sum(axis=1, keepdims=True)


def spoken(rows, guess, row, label):
    """What the guess and the other examples of a row say of one of its examples, one after the other."""
    others = [other for other, count in enumerate(rows.weights[row]) for _ in range(int(count))]
    others.remove(label)
    said = 4.0 * guess[row]
    for other in others:
        said = said + np.eye(rows.n_classes)[other]
    return said / said.sum()


@given(counted_rows(), st.sampled_from([0.0, 0.5, 1.0]))
def test_each_example_gives_a_part_to_what_is_said_of_it_by_others(given_rows, part):
    rows, guess = given_rows
    expected = np.zeros_like(rows.weights)
    for row, label in zip(*np.nonzero(rows.weights)):
        own = np.eye(rows.n_classes)[label]
        expected[row] += rows.weights[row, label] * ((1 - part) * own + part * spoken(rows, guess, row, label))
    assert believed_classes(rows, guess, part).weights == pytest.approx(expected)


@given(counted_rows())
def test_errors_are_those_of_what_is_said_of_each_example(given_rows):
    rows, guess = given_rows
    if np.abs(np.diff(np.sort(guess, axis=1), axis=1)).min() < 1e-6:
        return
    right = sum(
        rows.weights[row, label]
        for row, label in zip(*np.nonzero(rows.weights))
        if spoken(rows, guess, row, label).argmax() == label
    )
    assert left_out_class_errors(rows, guess) == pytest.approx(1 - right / rows.total, abs=1e-9)


@given(labelled_rows())
def test_a_guess_is_a_distribution_over_the_classes_that_occur(rows):
    guess = left_out_guess(rows)
    assert np.all(guess >= 0)
    assert guess.sum(axis=1) == pytest.approx(np.ones(len(guess)))
    assert not guess[:, ~rows.weights.any(axis=0)].any()


def test_other_models_tell_noise_from_a_rule():
    clean, noisy = examples(0.0), examples(0.3)
    assert left_out_class_errors(clean, left_out_guess(clean)) < 0.03
    assert 0.12 < left_out_class_errors(noisy, left_out_guess(noisy)) < 0.35


def test_a_wrong_label_is_hardly_believed():
    rows = examples(0.0)
    weights = rows.weights.copy()
    weights[7] = np.roll(weights[7], 1)
    changed = DistinctRows(rows.features, weights, True)
    soft = believed_classes(changed, left_out_guess(changed), 0.75).weights[7]
    assert soft.argmax() == rows.weights[7].argmax()


def test_weights_in_other_units_give_the_same_guess():
    rows = examples(0.2, count=150)
    small = DistinctRows(rows.features, rows.weights / 1000, True)
    assert left_out_guess(small) == pytest.approx(left_out_guess(rows))
    soft, usual = (believed_classes(one, left_out_guess(one), 0.75).weights for one in (small, rows))
    assert 1000 * soft == pytest.approx(usual)
