"""Checklists that coordinate search finds: no exchange of one literal is better, and a planted one is found."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from benchmarks.read_back import decided
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import few

from idnf import DNFClassifier, exporting
from idnf.counting.contract import DistinctRows
from idnf.learning.checklist_search import checklists, shapes
from idnf.logic.checklists import Checklist


def rows_of(features, labels):
    return DistinctRows.of_two(features, labels.astype(float), 1.0 - labels, True)


def gained(rows, codes, least, points=(1,) * 9):
    held = sum(point * (rows.features[:, code >> 1] != bool(code & 1)) for code, point in zip(codes, points))
    return float((rows.positive - rows.negative)[held >= least].sum())


@few(5)
@given(st.integers(0, 10_000))
def test_no_exchange_of_one_literal_is_better(seed):
    generator = np.random.default_rng(seed)
    features = np.unique(generator.random((40, 6)) < 0.5, axis=0)
    rows = rows_of(features, generator.random(len(features)) < 0.5)
    for checklist in checklists(rows, tuple("abcdef"), 3, random_state=seed, most_points=2):
        codes, least, points = checklist.codes, checklist.least, checklist.points
        best = gained(rows, codes, least, points)
        for place in range(len(codes)):
            others = {one >> 1 for one in codes if one != codes[place]}
            tried = [(*codes[:place], new, *codes[place + 1 :]) for new in range(12) if new >> 1 not in others]
            assert all(gained(rows, one, least, points) <= best + 1e-9 for one in tried), place


def test_three_of_five_is_found_in_noise():
    generator = np.random.default_rng(5)
    features = generator.random((600, 12)) < 0.5
    labels = (features[:, [1, 3, 5, 7, 9]].sum(axis=1) >= 3) ^ (generator.random(600) < 0.1)
    found = {(one.points, one.least): one.codes for one in checklists(rows_of(features, labels), range(12), 3)}
    assert found[(1,) * 5, 3] == (2, 6, 10, 14, 18)
    assert sorted(found) == sorted(shapes(3))


def test_shapes_are_all_functions_of_small_points_that_hang_on_every_literal():
    """Of three and four literals at k = 3, by their truth tables; one order of the points stands for all."""
    known = {truths(points, least) for points, least in shapes(3, 2) if len(points) < 5}
    assert len(known) == len([shape for shape in shapes(3, 2) if len(shape[0]) < 5])
    for n in (3, 4):
        for points in product((1, 2), repeat=n):
            for least in range(2, sum(points)):
                model = Checklist(tuple("abcd"[:n]), range(0, 2 * n, 2), least, points)
                plain = {len(model.side(label).masks) for label in (0, 1)} == {1, n}
                if model.k <= 3 and not plain and len(model.features()) == n:
                    assert truths(sorted(points, reverse=True), least) in known, (points, least)


def truths(points, least):
    return len(points), tuple(
        sum(p for p, bit in zip(points, held) if bit) >= least for held in product((0, 1), repeat=len(points))
    )


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


def test_a_checklist_that_compares_a_column_twice_is_printed_as_one():
    generator = np.random.default_rng(0)
    X = pd.DataFrame(generator.integers(0, 10, (600, 3)), columns=list("abc")).assign(d=generator.random(600) < 0.5)
    count = (X["a"] <= 3) * 1 + (X["a"] <= 6) + (X["b"] <= 4) + (X["c"] <= 5) + X["d"]
    clf = DNFClassifier(k=3, family="checklist", price=0.0).fit(X, np.where(count >= 3, "ill", "well"))
    assert len(clf.checklist_.conditions) == 5
    assert [words.split()[0] for words in clf.checklist_.conditions] == ["a", "a", "b", "c", "d"]
    assert clf.size_.form == "checklist"
    assert (decided(clf.to_text(), X) == clf.predict(X)).all()


def test_checklists_are_only_searched_and_only_for_two_classes():
    X = np.random.default_rng(0).random((60, 4)) < 0.5
    for learner in ("greedy", "exact"):
        with pytest.raises(ValueError, match=f'learner must be "search" for family "checklist"; got \'{learner}\''):
            DNFClassifier(family="checklist", learner=learner).fit(X, X[:, 0])
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        DNFClassifier(family="checklist").fit(X, X[:, 0].astype(int) + X[:, 1])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_default_finds_a_planted_checklist_in_noise(seed):
    generator = np.random.default_rng(seed)
    X = pd.DataFrame(generator.random((800, 9)) < 0.5, columns=list("abcdefghi"))
    y = np.where((X[list("bdfgh")].sum(axis=1) >= 3) ^ (generator.random(800) < 0.1), "ill", "well")
    clf = DNFClassifier(k=3).fit(X, y)
    assert clf.to_text().splitlines()[2:8] == [
        "ill if at least 3 of these 5 hold",
        *(f"     {name} is true" for name in "bdfgh"),
    ]


def test_a_planted_checklist_is_found_whichever_conditions_are_tried():
    generator = np.random.default_rng(1)
    X = pd.DataFrame(generator.normal(size=(600, 5)).round(2), columns=list("abcde"))
    y = ((X[list("abc")] > 0).sum(axis=1) >= 2) ^ (generator.random(600) < 0.05)
    clf = DNFClassifier(k=2, conditions="auto").fit(X, y)
    assert clf.checklist_ is not None
    assert [words.split()[0] for words in clf.checklist_.conditions] == ["a", "b", "c"]
    clf.verify()
