"""Checklists that coordinate search finds: no exchange of one literal is better, and a planted one is found."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import few

from idnf import DNFClassifier, exporting
from idnf.counting.contract import DistinctRows
from idnf.learning.checklist_search import checklists, shapes


def rows_of(features, labels):
    return DistinctRows.of_two(features, labels.astype(float), 1.0 - labels, True)


def gained(rows, codes, least):
    held = sum(rows.features[:, code >> 1] != bool(code & 1) for code in codes)
    return float((rows.positive - rows.negative)[held >= least].sum())


@few(8)
@given(st.integers(0, 10_000))
def test_no_exchange_of_one_literal_is_better(seed):
    generator = np.random.default_rng(seed)
    features = np.unique(generator.random((40, 6)) < 0.5, axis=0)
    rows = rows_of(features, generator.random(len(features)) < 0.5)
    for checklist in checklists(rows, tuple("abcdef"), 3, random_state=seed):
        best = gained(rows, checklist.codes, checklist.least)
        for place, code in enumerate(checklist.codes):
            others = [one for one in checklist.codes if one != code]
            free = [new for new in range(12) if new >> 1 not in {one >> 1 for one in others}]
            assert all(gained(rows, [*others, new], checklist.least) <= best + 1e-9 for new in free), place


def test_three_of_five_is_found_in_noise():
    generator = np.random.default_rng(5)
    features = generator.random((600, 12)) < 0.5
    labels = (features[:, [1, 3, 5, 7, 9]].sum(axis=1) >= 3) ^ (generator.random(600) < 0.1)
    found = {(len(one.codes), one.least): one.codes for one in checklists(rows_of(features, labels), range(12), 3)}
    assert found[5, 3] == (2, 6, 10, 14, 18)
    assert sorted(found) == sorted(shapes(3))


def test_only_allowed_literals_are_used():
    features = np.random.default_rng(0).random((60, 5)) < 0.5
    rows = rows_of(features, features[:, 0] & ~features[:, 1])
    for one in checklists(rows, tuple("abcde"), 3, allowed=frozenset({0, 2, 4, 6, 8})):
        assert not any(code & 1 for code in one.codes)


def test_a_planted_checklist_is_learned_and_printed_as_one(tmp_path):
    generator = np.random.default_rng(7)
    X = pd.DataFrame(generator.random((800, 9)) < 0.5, columns=list("abcdefghi"))
    y = np.where((X[list("bdfgh")].sum(axis=1) >= 3) ^ (generator.random(800) < 0.1), "ill", "well")
    clf = DNFClassifier(k=3, family="checklist").fit(X, y)
    assert clf.checklist_.least == 3
    assert len(clf.checklist_.conditions) == 5
    assert clf.size_.form == "checklist"
    assert "at least 3 of these 5 hold" in clf.to_text(form="auto")
    assert max(clf.verify().widths) == 3
    assert (clf.predict(X) == np.where(X[list("bdfgh")].sum(axis=1) >= 3, "ill", "well")).all()
    exporting.to_json(clf, tmp_path / "model.json")
    again = exporting.from_json(tmp_path / "model.json")
    assert again.fitted_.model.kind == "checklist"
    assert (again.predict(X) == clf.predict(X)).all()


def test_checklists_are_searched_for_two_classes_only():
    X = np.random.default_rng(0).random((60, 4)) < 0.5
    with pytest.raises(ValueError, match='learner must be "search" for family "checklist"; got \'exact\''):
        DNFClassifier(family="checklist", learner="exact").fit(X, X[:, 0])
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        DNFClassifier(family="checklist").fit(X, X[:, 0].astype(int) + X[:, 1])
