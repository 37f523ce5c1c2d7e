import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from idnf.counting.contract import DistinctRows
from idnf.learning import label_noise
from idnf.learning.label_noise import left_out_chances


def noisy_sum(count=300, width=8, seed=0):
    """Points whose chance of class 1 grows with a weighted sum of features, and as many examples of each."""
    generator = np.random.default_rng(seed)
    features = np.unique(generator.random((count, width)) < 0.5, axis=0)
    chance = 1 / (1 + np.exp(-(features - 0.5) @ generator.normal(0, 2, width)))
    positive = generator.binomial(3, chance).astype(float)
    return DistinctRows.of_two(features, positive, 3.0 - positive, True), chance


def test_weights_are_those_of_scikit_learn():
    rows, _ = noisy_sum()
    twice = np.concatenate([rows.features, rows.features]) - 0.5
    classes = np.repeat([1, 0], len(rows.features))
    weights = np.concatenate([rows.positive, rows.negative])
    other = LogisticRegression(C=1 / label_noise._PENALTY, tol=1e-8, max_iter=1000).fit(twice, classes, weights)
    nothing = np.zeros((len(rows.features), 1), dtype=bool)
    beta = label_noise._fit(rows.features, rows.weights[:, 1:], rows.masses, nothing, lambda: False)[:, 0]
    assert beta[:-1] == pytest.approx(other.coef_[0], abs=0.05)
    assert beta[-1] == pytest.approx(other.intercept_[0], abs=0.05)


def test_chances_are_near_the_true_ones():
    rows, chance = noisy_sum()
    assert np.abs(left_out_chances(rows)[:, 1] - chance).mean() < 0.1


@given(st.integers(0, 2**16), st.integers(0, 40))
def test_the_label_of_a_row_does_not_change_its_own_chance(seed, place):
    generator = np.random.default_rng(seed)
    features = np.unique(generator.random((60, 6)) < 0.5, axis=0)
    labels = generator.random(len(features)) < 0.5
    place %= len(features)
    other = labels.copy()
    other[place] = not other[place]
    one, two = (
        left_out_chances(DistinctRows.of_two(features, each * 1.0, ~each * 1.0, True)) for each in (labels, other)
    )
    assert np.array_equal(one[place], two[place])


def test_weights_scaled_with_their_unit_change_nothing():
    rows, _ = noisy_sum()
    scaled = DistinctRows.of_two(rows.features, rows.positive * 0.25, rows.negative * 0.25, True)
    assert np.array_equal(left_out_chances(scaled, unit=0.25), left_out_chances(rows))


def test_large_tables_are_learned_from_in_part_and_asked_in_blocks(monkeypatch):
    rows, chance = noisy_sum()
    whole = left_out_chances(rows)
    monkeypatch.setattr(label_noise, "_BLOCK", 7)
    assert np.array_equal(left_out_chances(rows), whole)
    monkeypatch.setattr(label_noise, "_MOST_PRODUCTS", 100 * 8**2)
    part = left_out_chances(rows)
    assert not np.array_equal(part, whole)
    assert np.abs(part[:, 1] - chance).mean() < 0.15


def test_no_chances_without_features_or_with_too_many_or_too_few_rows(monkeypatch):
    few = DistinctRows.of_two(np.eye(4, dtype=bool), np.ones(4), np.zeros(4), True)
    assert np.isnan(left_out_chances(few)).all()
    bare = DistinctRows.of_two(np.zeros((1, 0), dtype=bool), np.ones(1), np.ones(1), True)
    assert np.isnan(left_out_chances(bare)).all()
    rows, _ = noisy_sum()
    monkeypatch.setattr(label_noise, "_MOST_FEATURES", 3)
    assert np.isnan(left_out_chances(rows)).all()


def test_no_step_is_made_once_time_is_over():
    rows, _ = noisy_sum()
    assert np.all(left_out_chances(rows, is_over=lambda: True) == 0.5)


def test_chances_of_few_rows_hardly_depend_on_how_parts_are_drawn():
    rows, _ = noisy_sum(80)
    often = [left_out_chances(rows, random_state=seed) for seed in range(4)]
    once = [left_out_chances(rows, random_state=seed, rounds=1) for seed in range(4)]
    assert np.std(often, axis=0).mean() < 0.7 * np.std(once, axis=0).mean()


def test_each_of_several_classes_is_asked_about_against_the_rest():
    rows, _ = noisy_sum()
    three = DistinctRows(rows.features, np.column_stack([rows.negative, rows.positive / 2, rows.positive / 2]), True)
    alone = left_out_chances(rows, rounds=1)
    found = left_out_chances(three, rounds=1)
    assert found.sum(axis=1) == pytest.approx(np.ones(len(found)), abs=2e-4)
    assert found[:, 1] == pytest.approx(found[:, 2])
    assert np.corrcoef(found[:, 0], alone[:, 0])[0, 1] > 0.99
