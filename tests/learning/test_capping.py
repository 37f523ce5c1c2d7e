from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.example_rows import distinct_rows, majority, names, truth_table

from idnf import DNFClassifier
from idnf.counting.contract import DistinctRows
from idnf.learning.objective import Objective, best_model, cut_down, error_share, term_count
from idnf.logic.class_dnfs import DoubleDNF
from idnf.logic.dnf import DNF
from idnf.logic.nested import NestedDNF


def at_most(count):
    return lambda model: len(model.own_terms()[0]) <= count or term_count(model) <= 1


@given(distinct_rows())
def test_a_model_cut_down_is_accepted_and_keeps_its_bound(rows):
    masks = [0b1 << 2 * j for j in range(rows.features.shape[1])]
    model = DNF.from_masks(names(rows), masks).double()
    small = cut_down(model, Objective(rows, 0.0), at_most(1))
    assert at_most(1)(small)
    assert small.k == model.k


def test_what_is_cut_costs_least():
    rows = truth_table(lambda point: point[0] and point[1] or point[2] and point[3], 4)
    heavier = rows.positive * np.where(rows.features[:, 0] & rows.features[:, 1], 3, 1)
    weighed = DistinctRows.of_two(rows.features, heavier, rows.negative, True)
    model = DNF.from_masks(names(rows), [0b101, 0b1010000]).double()
    (kept,), _ = cut_down(model, Objective(weighed, 0.0), at_most(1)).own_terms()
    assert kept == 0b101


def test_of_equal_models_the_one_of_fewer_reasons_is_taken():
    rows = DistinctRows.of_two(np.array([[0, 0], [1, 1]], dtype=bool), np.array([0.0, 1.0]), np.array([1.0, 0.0]), True)
    long, short = DNF.parse("a & b").double(), DNF.parse("a", names=("a", "b")).double()
    assert best_model([long, short], Objective(rows, 0.0)) is short


@pytest.mark.parametrize("learner", ["search", "greedy", "exact"])
@pytest.mark.parametrize("caps", [{"max_terms": 1}, {"max_reasons": 3}, {"max_terms": 1, "max_reasons": 1}])
def test_the_classifier_keeps_to_its_caps(learner, caps):
    generator = np.random.default_rng(0)
    X = generator.random((150, 5)) < 0.5
    y = (X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3]) ^ (generator.random(150) < 0.05)
    clf = DNFClassifier(2, learner=learner, effort=0.2, tune=False, **caps).fit(X, y)
    assert clf.size_.terms <= caps.get("max_terms", 99)
    assert clf.size_.reasons <= caps.get("max_reasons", 99)
    assert len(clf.reasons()) == clf.size_.reasons
    assert clf.score(X, y) >= max(y.mean(), 1 - y.mean())


@pytest.mark.parametrize("learner", ["search", "greedy", "exact"])
def test_terms_that_others_cover_do_not_keep_a_model_from_being_cut_down(learner):
    X = np.array(list(product((0, 1), repeat=3)) * 3)
    clf = DNFClassifier(2, learner=learner, price=0.0, max_terms=1).fit(X, np.where(X[:, 0], X[:, 1], X[:, 2]))
    assert clf.size_.terms <= 1
    for seed in range(8):
        generator = np.random.default_rng(seed)
        X, y = generator.integers(0, 2, (34, 4)), generator.integers(0, 2, 34)
        assert DNFClassifier(2, learner=learner, price=0.0, max_terms=1).fit(X, y).size_.terms <= 1


@given(distinct_rows(), st.lists(st.integers(0, 2**16), min_size=1, max_size=6), st.booleans())
def test_every_function_can_be_cut_down(rows, tables, complemented):
    n = rows.features.shape[1]
    table = [bool(tables[p % len(tables)] >> p % 16 & 1) for p in range(2**n)]
    model = DNF.from_truth_table(names(rows), table).double()
    model = DoubleDNF(model.negative, model.positive, model.k) if complemented else model
    for most in (2, 1):
        small = cut_down(model, Objective(rows, 0.0), at_most(most))
        assert at_most(most)(small)


def test_caps_that_do_not_bind_change_nothing():
    rows = truth_table(majority, 3)
    plain = DNFClassifier(2, tune=False).fit(rows.features, rows.positive > 0)
    capped = DNFClassifier(2, tune=False, max_terms=9, max_reasons=99).fit(rows.features, rows.positive > 0)
    assert capped.to_text() == plain.to_text()
    assert error_share(rows, NestedDNF.constant(names(rows), True, 2)) == 0.5
