"""Monotone constraints hold for every DNF of the literals they allow."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from idnf.columns.categories import BooleanColumn, CategoryColumn
from idnf.columns.column import space_of
from idnf.columns.groups import allowed_literals
from idnf.columns.intervals import NumberColumn
from idnf.logic.boxes import contains
from idnf.logic.literals import Term
from idnf.tables.binariser import TableBinariser

COLUMNS = (
    NumberColumn("income", "seen", cuts=(10.0, 20.0)),
    NumberColumn("age", "refused", cuts=(30.0,)),
    BooleanColumn("owner", "refused"),
)


@given(st.data(), st.sampled_from([1, -1]), st.sampled_from(["income", "age", "owner"]))
def test_every_dnf_of_allowed_literals_is_monotone(data, direction, name):
    codes = sorted(allowed_literals(COLUMNS, {name: direction}))
    terms = data.draw(st.lists(st.sets(st.sampled_from(codes), max_size=3).map(Term.of), max_size=3))
    boxes = [box for box in map(space_of(COLUMNS).box, terms) if box is not None]
    constrained = [column.name for column in COLUMNS].index(name)
    known = len(COLUMNS[constrained].known_labels)
    others = [data.draw(st.integers(0, len(column.labels) - 1)) for column in COLUMNS]
    classes = []
    for cell in range(known):
        point = [cell if j == constrained else other for j, other in enumerate(others)]
        classes.append(any(contains(box, point) for box in boxes))
    assert classes == sorted(classes, reverse=direction == -1)


def test_only_final_pieces_of_the_order_are_allowed():
    # literals: income <= 10, <= 20, > 10, > 20, is missing; age <= 30; owner
    assert allowed_literals(COLUMNS, {"income": 1, "age": -1, "owner": 1}) == {1, 3, 4, 6, 8, 9, 10, 12}
    assert allowed_literals(COLUMNS, {}) == set(range(14))


@pytest.mark.parametrize(
    ("constraints", "message"),
    [
        ({"height": 1}, "monotonic_cst must name columns of the table; got 'height'"),
        ({"age": 2}, r"monotonic_cst\['age'\] must be 1, 0 or -1; got 2"),
        ({"colour": 1}, r"monotonic_cst\['colour'\] must be 0, since the column has no order; got 1"),
    ],
)
def test_wrong_constraints_are_refused_in_words(constraints, message):
    columns = (*COLUMNS, CategoryColumn("colour", "refused", values=("red",)))
    with pytest.raises(ValueError, match=message):
        allowed_literals(columns, constraints)


def test_constraints_may_be_listed_in_the_order_of_the_table():
    binariser = TableBinariser(cut_points={"x0": [1], "x1": [1]}).fit(np.array([[0.5, 0.5], [2, 2]]), [0, 1])
    assert binariser.allowed_literals([1, 0]) == binariser.allowed_literals({"x0": 1}) == {1, 2, 3}
    with pytest.raises(ValueError, match="monotonic_cst must have 2 entries, one per column; got 1"):
        binariser.allowed_literals([1])
