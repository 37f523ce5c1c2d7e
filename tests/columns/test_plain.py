"""Columns from plain data: what is no column is refused in words."""

from __future__ import annotations

import pytest

from idnf.columns.plain import column_from_dict

NUMBER = {"kind": "number", "name": "age", "missing": "refused", "cuts": [30.0, 45.0], "seen": []}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "tensor"}, "kind must be one of number, .*; got 'tensor'"),
        ({"kind": ["number"]}, "kind must be one of"),
        ({"name": 3}, "name of a column must be text; got 3"),
        ({"missing": True}, "missing of column 'age' must be refused, allowed or seen; got True"),
        ({"cuts": "30"}, "cuts of column 'age' must be a list; got '30'"),
        ({"cuts": [30.0, 30.0]}, "cuts of column 'age' must ascend"),
        ({"cuts": [float("nan")]}, "column 'age' must hold finite numbers; got nan"),
        ({"cuts": [True]}, "column 'age' must hold finite numbers; got True"),
        ({"seen": [3]}, "seen of column 'age' must hold pairs of values; got 3"),
        ({"kind": "category", "values": [None]}, "values of column 'age' must be text or numbers; got None"),
        ({"kind": "category", "values": ["a", "a"]}, "values of column 'age' must be distinct"),
        ({"kind": "ordered", "values": ["a", "b"], "cuts": [1]}, "cuts of column 'age' must lie between its 2 values"),
        ({"kind": "one-hot", "members": ["a"]}, "members of group 'age' must be at least two names"),
        ({"kind": "date", "cuts": ["soon"]}, "a date must be written like 1970-02-15; got 'soon'"),
    ],
    ids=str,
)
def test_data_that_is_no_column_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        column_from_dict({**NUMBER, **changes})


def test_groups_survive():
    from idnf.columns.groups import OneHotGroup, OrderedGroup

    for column in (OneHotGroup("g", "refused", ("a", "b"), none=True), OrderedGroup("g", "refused", ("a", "b"))):
        assert column_from_dict(column.to_dict()) == column
