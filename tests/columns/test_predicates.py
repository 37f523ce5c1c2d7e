"""One meaning of a set of cells: every writer of tests says what the column says of its values."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.exporting.cases import all_columns, frame_of, generated_rows

from idnf.columns.categories import BooleanColumn, CategoryColumn, OrderedColumn
from idnf.columns.column import TableColumn
from idnf.columns.intervals import NumberColumn
from idnf.columns.predicates import (
    ALWAYS,
    And,
    Compare,
    Field,
    IsMissing,
    OneOf,
    Or,
    Total,
    field_values,
    from_plain,
    holds,
    leaves,
    to_plain,
)

ROWS = 120
COLUMNS = [
    *all_columns(),
    NumberColumn("late", "seen", cuts=(0.0, 1.0, 3.0), seen=((0.0, 0.0), None, None, None), whole=True),
    CategoryColumn("pair", "seen", values=("female", "male"), pair=True),
    CategoryColumn("truths", "allowed", values=(False, True)),
    OrderedColumn("stars", "seen", values=(1, 2, 3, 5), cuts=(0, 2)),
]


def values_of(column: TableColumn) -> list[list[object]]:
    """Return values of every field: at the cuts and beside them, missing, never seen."""
    if column.fields[0].kind == "truth" and column.name == "truths":
        return [[None if i % 5 == 0 else i % 2 == 0 for i in range(ROWS)]]
    if column.name == "stars":
        return [[(1, 2, None, 3, 5)[i % 5] for i in range(ROWS)]]
    rows = generated_rows([column], ROWS, seed=3)
    return [frame_of([column], rows)[name].to_list() for name in column.sources]


@st.composite
def sets_of_cells(draw: st.DrawFn) -> tuple[TableColumn, int]:
    column = draw(st.sampled_from(COLUMNS))
    return column, draw(st.integers(1, column.full))


@given(sets_of_cells())
def test_a_test_holds_where_the_cell_is_in_the_set(drawn: tuple[TableColumn, int]) -> None:
    column, mask = drawn
    values = values_of(column)
    expected = [bool(mask >> cell & 1) for cell in column.cells(*values).tolist()]
    assert holds(column.test(mask), column.read(*values)).tolist() == expected


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: type(column).__name__)
def test_the_cells_of_a_kind_are_those_that_its_tests_give(column: TableColumn) -> None:
    values = values_of(column)
    assert TableColumn.cells(column, *values).tolist() == column.cells(*values).tolist()
    assert not any(holds(refusal.test, column.read(*values)).any() for refusal in column.refusals)


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: type(column).__name__)
def test_tests_read_the_fields_of_their_column_and_are_plain_data(column: TableColumn) -> None:
    for cell in range(len(column.labels)):
        test = column.test(1 << cell)
        for leaf in leaves(test):
            operand = leaf.field if isinstance(leaf, IsMissing) else leaf.value
            assert operand in column.fields
        assert json.loads(json.dumps(to_plain(test))) == to_plain(test)


@pytest.mark.parametrize(
    ("column", "wrong", "rule"),
    [
        (BooleanColumn("flag", "refused"), [1, 7], "must be true or false, or 1 or 0"),
        (OrderedColumn("grade", "refused", values=("a", "b"), cuts=(0,)), ["b", "c"], "must be one of a, b"),
    ],
)
def test_what_a_kind_refuses_its_tests_refuse(column: TableColumn, wrong: list[object], rule: str) -> None:
    with pytest.raises(ValueError, match=f"{rule}.*in row 2"):
        column.cells(wrong)
    with pytest.raises(ValueError, match=f"{rule}.*in row 2"):
        TableColumn.cells(column, wrong)


A, B = Field("a", "truth"), Field("b", "truth")


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        (ALWAYS, [True] * 5),
        (Or(()), [False] * 5),
        (Compare(A, over=0.5), [False, True, True, False, False]),
        (Compare(A, upto=0.5), [True, False, False, False, True]),
        (OneOf(A, (0,), negated=True), [False, True, True, False, False]),
        (IsMissing(A), [False, False, False, True, False]),
        (IsMissing(B, negated=True), [True, True, True, True, False]),
        (OneOf(Total((A, B)), (1,)), [True, True, False, False, False]),
        (Compare(Total((A, B)), over=1), [False, False, True, False, False]),
        (And((OneOf(A, (1,)), OneOf(B, (0,)))), [False, True, False, False, False]),
    ],
    ids=str,
)
def test_every_node_by_hand(test, expected) -> None:
    from idnf.columns.raw import read_values

    given = {"a": [0, 1, 1, None, 0], "b": [1, 0, 1, 1, None]}
    read = {field.name: field_values(field, read_values(field.name, given[field.name])) for field in (A, B)}
    assert holds(test, read).tolist() == expected


@given(st.lists(st.none() | st.floats(allow_nan=True, allow_infinity=False), min_size=1, max_size=8))
@example([float("nan"), None, 0.0, -0.0, 5e-324])
def test_nan_and_none_are_missing_and_nothing_else(values: list[float | None]) -> None:
    column = NumberColumn("x", "seen", cuts=(0.0,))
    read = column.read(values)
    missing = [value is None or np.isnan(value) for value in values]
    assert holds(IsMissing(column.fields[0]), read).tolist() == missing
    assert (holds(column.test(0b001), read) ^ holds(column.test(0b010), read)).tolist() == [not m for m in missing]


@given(sets_of_cells())
def test_a_test_comes_back_from_plain_lists(drawn: tuple[TableColumn, int]) -> None:
    column, mask = drawn
    test = column.test(mask)
    again = from_plain(json.loads(json.dumps(to_plain(test))), {field.name: field for field in column.fields})
    assert to_plain(again) == to_plain(test)
    read = {field.name: field_values(field, column.read(*values_of(column))[field.name]) for field in column.fields}
    assert holds(again, read).tolist() == holds(test, read).tolist()


def test_lists_that_are_no_test_are_refused() -> None:
    with pytest.raises(ValueError, match=r"a test must be and, or, missing, compare or one of, with its parts; got"):
        from_plain(["not", ["missing", ["age"], False]], {"age": Field("age", "number")})


@pytest.mark.parametrize(
    ("kind", "text", "what"),
    [
        ("number", "much", "a number"),
        ("truth", "perhaps", "true or false"),
        ("duration", "long", "a number of seconds"),
        ("date", "soon", "a date such as 2020-12-31"),
    ],
)
def test_typed_values_of_another_kind_are_refused(kind: str, text: str, what: str) -> None:
    with pytest.raises(ValueError, match=f"'age' must be {what}; got '{text}'"):
        Field("age", kind).from_text(text)
