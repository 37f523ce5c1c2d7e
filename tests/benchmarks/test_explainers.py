"""How answers of explainers are judged: against the tree itself, by trying everything on a small table."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from benchmarks.board.beside import page
from benchmarks.board.counterfactuals import Task
from benchmarks.board.explainers import Answered, is_sufficient, judged
from sklearn.tree import DecisionTreeClassifier

AGES, INCOMES, REGIONS, DEBTS = (20.0, 30.0, 40.0), (1.5, 2.5, 3.5), ("east", "north", "west"), ("no", "yes")


def small_task(fixed=()):
    """Every combination of a few values, and a rule that needs one, two or three changes."""
    frame = pd.DataFrame(product(AGES, INCOMES, REGIONS, DEBTS), columns=["age", "income", "region", "debt"])
    rich = (frame["income"] > 2) & (frame["debt"] == "no")
    return Task("small", frame, (rich & ((frame["age"] > 25) | (frame["region"] == "west"))).to_numpy(int), fixed)


def fewest_changes(task, row):
    """The number of columns that must change, by trying all values of all sets of columns."""
    rows = task.frame.to_dict("records")
    label = task.predict([row])[0]
    others = [other for other, other_label in zip(rows, task.predict(rows)) if other_label != label]
    for count in range(1, len(row) + 1):
        for columns in combinations(task.free, count):
            if any(all(other[name] == row[name] for name in row if name not in columns) for other in others):
                return count
    return None


@pytest.mark.parametrize("fixed", [(), ("income",), ("income", "debt"), ("debt", "region")])
def test_our_answers_change_the_class_by_as_few_changes_as_can_be(fixed):
    task = small_task(fixed)
    rows = task.frame.to_dict("records")
    assert task.classifier.predict(task.frame).tolist() == task.predict(rows).tolist() == task.labels.tolist()
    none = 0
    for row in rows:
        ways, expected = task.classifier.recourse(row, immutable=fixed), fewest_changes(task, row)
        changed = task.realised(row, ways)
        if expected is None:
            assert changed is None
            none += 1
        else:
            assert expected == len(ways[0].changes) == len(task.changes(row, changed))
            assert task.is_valid(row, changed)
    assert (none > 0) == (fixed in (("income",), ("income", "debt"), ("debt", "region")))


def test_an_answer_is_right_only_inside_the_columns_with_fixed_ones_left_alone():
    task = small_task(fixed=("debt",))
    row = {"age": 30.0, "income": 1.5, "region": "north", "debt": "no"}
    assert task.is_valid(row, {**row, "income": 2.5})
    assert not task.is_valid(row, {**row, "income": 99.0}), "outside the range"
    assert not task.is_valid(row, {**row, "income": 2.5, "region": "south"}), "no such value"
    assert not task.is_valid(row, {**row, "age": 40.0}), "the class stays"
    other = {**row, "income": 2.5, "debt": "yes"}
    assert not task.is_valid(other, {**other, "debt": "no"}), "a fixed column"
    assert task.changes(row, {**row, "age": 30.00000001, "region": "west"}) == ["region"]


def test_of_several_answers_the_right_one_of_fewest_changes_counts():
    task = small_task()
    row = {"age": 30.0, "income": 1.5, "region": "north", "debt": "no"}
    two, one, wrong = ({**row, **new} for new in ({"income": 2.5, "age": 40.0}, {"income": 2.5}, {"age": 40.0}))
    figures = judged(task, [row] * 5, [1, 1, 1, 1, None], [[two, one], [two], [wrong], "ValueError", []])
    assert figures == {
        "rows": 5, "possible": 4, "answered": 0.6, "right": 0.5, "smallest": 0.25, "size": 1.5, "least": 1.0,
        "errors": "1 ValueError",
    }  # fmt: skip


def test_features_are_sufficient_if_no_point_gets_the_other_class():
    points = np.array(list(product((0, 1), repeat=4)))
    labels = np.random.default_rng(3).integers(0, 2, len(points))
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(points, labels)
    given = tree.predict(points)
    for point in points:
        for size in range(5):
            for kept in combinations(range(4), size):
                same = (points[:, kept] == point[list(kept)]).all(axis=1)
                assert is_sufficient(tree, point, set(kept)) == (len(set(given[same])) == 1)


def test_the_page_says_what_was_found():
    figures = {"rows": 4, "possible": 3, "answered": 0.5, "right": 1 / 3, "smallest": 0.0, "size": 2.0, "least": 1.0}
    found = [
        Answered("compas", "PyXAI 9", "smallest AXp", 0.1, 40.91, 4, 4, smallest=1.0, size=2.5, least=2.5),
        Answered("compas", "SHAP 9", "attribution", 0.1, 9.0, 4, 4, right=0.25),
        Answered("loans", "DiCE 9, random", "counterfactual", 0.1, 1234.5, errors="2 KeyError", **figures),
    ]
    text = page(found, "Made by hand.")
    assert "| PyXAI 9 | smallest AXp | 4 | 100% | 2.5 | 40.9 |" in text
    assert "enough for the decision on 25% of 4 rows" in text
    assert "| loans | DiCE 9, random | 3 of 4 | 50% | 33% | 0% | 2.0 (1.0) | 1,230 |" in text
    assert "Errors: DiCE 9, random on loans: 2 KeyError." in text
