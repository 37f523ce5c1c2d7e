"""Labelled Berge search: every state is an interpretable function, and what can be learned exactly is."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive
from tests.learning import naive_classes
from tests.learning.example_rows import class_table, labelled_rows, names

from idnf.learning.local.labelled_search import LabelledMasks, LabelledSearch, LabelledState, LabelledTask


def searching(rows, k, *, default=0, price=0.01, seed=0):
    task = LabelledTask(LabelledMasks(rows), default, k, price)
    return LabelledSearch(task, LabelledState.empty(), np.random.default_rng(seed))


@given(labelled_rows(), st.integers(1, 3), st.integers(0, 9), st.data())
def test_every_state_reached_is_a_function_with_reasons_of_k(rows, k, seed, data):
    default = data.draw(st.integers(0, rows.n_classes - 1))
    search = searching(rows, k, default=default, seed=seed)
    search.run(8)
    model = search.best.to_class_dnfs(names(rows), k, default, rows.n_classes)
    model.verify()
    gained = naive_classes.model_right(rows, model) - rows.weights[:, default].sum()
    assert np.isclose(search.best_value, gained - 0.01 * search.best.length, atol=1e-4)


@pytest.mark.parametrize("default", [0, 1])
def test_three_classes_that_no_tree_of_depth_two_computes_are_learned_exactly(default):
    """Class 1 is a & b | a & c, class 2 is not a & c, class 0 the rest: reasons of two, trees need three."""
    rows = class_table(lambda p: 1 if p[0] and (p[1] or p[2]) else 2 if p[2] else 0, 3, 3)
    values = rows.weights.argmax(axis=1)[[int(f"{p:03b}"[::-1], 2) for p in range(8)]].tolist()
    assert naive.tree_depth(values) == 3
    assert naive.least_k(values, 3) == 2
    searches = [searching(rows, 2, default=default, seed=seed) for seed in range(3)]
    for search in searches:
        search.run(200)
    best = max(searches, key=lambda search: search.best_value)
    model = best.best.to_class_dnfs(names(rows), 2, default, 3)
    assert model.verify().k == 2
    assert naive_classes.model_right(rows, model) == 8


def test_all_interpretable_functions_of_two_features_are_reached_whatever_the_default():
    """Legal additions alone: from the default class everywhere, one labelled term after the other."""
    n, k, classes = 2, 2, 3
    terms = [sum(1 << code for code in term) for term in naive.consistent_terms(n, k)]
    wanted = {values for values in product(range(classes), repeat=2**n) if naive.least_k(values, n) <= k}
    for default in range(classes):
        seen, waiting = set(), [LabelledState.empty()]
        reached = set()
        while waiting:
            state = waiting.pop()
            labelled = [(naive.codes(term), label) for term, label in zip(state.terms, state.labels)]
            reached.add(tuple(naive.labelled_values(labelled, default, n)))
            for term, label in product(terms, set(range(classes)) - {default}):
                apart = all(
                    l == label or any(c ^ 1 in naive.codes(term) for c in naive.codes(t))
                    for t, l in zip(state.terms, state.labels)
                )
                larger = state.adding(term, label) if apart else None
                if larger is not None and larger.is_interpretable(k):
                    key = frozenset(zip(larger.terms, larger.labels))
                    if key not in seen:
                        seen.add(key)
                        waiting.append(larger)
        assert reached == wanted


@given(st.lists(st.tuples(st.integers(1, 255), st.integers(1, 3)), max_size=4, unique_by=lambda pair: pair[0]))
def test_the_implicants_are_all_prime_implicants_of_what_is_left(pairs):
    consistent = [(mask, label) for mask, label in pairs if not mask & mask >> 1 & 0b01010101]
    state = LabelledState.of(consistent, 1000)
    left = [1 - value for value in naive.table([naive.codes(mask) for mask, _ in consistent], 4)]
    assert {tuple(naive.codes(p)) for p in state.implicants} == {
        tuple(sorted(p)) for p in naive.prime_implicants(left, 4)
    }


def test_too_many_implicants_are_given_up():
    pairs = [(0b101 << 4 * i, 1) for i in range(8)]
    assert LabelledState.of(pairs, 100) is None
    state = LabelledState.of(pairs, 1000)
    assert len(state.implicants) == 256
    assert state.without([0], 100) is None


def test_a_deadline_in_the_past_stops_after_one_move():
    assert searching(class_table(lambda p: sum(p) % 3, 4, 3), 3).run(10_000, is_over=lambda: True)
