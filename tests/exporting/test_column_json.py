"""Columns of model files: what is no column is refused in words."""

from __future__ import annotations

import pytest

from idnf.columns.groups import OneHotGroup, OrderedGroup
from idnf.exporting.column_json import COLUMNS
from idnf.exporting.documents import DocumentError, Place

AGE = {"name": "age", "missing": "refused"}
NUMBER = {**AGE, "kind": "number", "cuts": [30.0, 45.0], "seen": []}
CATEGORY = {**AGE, "kind": "category", "values": ["a", "b"], "rare": False}
ORDERED = {**AGE, "kind": "ordered", "values": ["a", "b"], "cuts": [0]}
DATE = {**AGE, "kind": "date", "cuts": ["2020-01-31"], "seen": []}
ONE_HOT = {**AGE, "kind": "one-hot", "members": ["a", "b"], "none": False}


@pytest.mark.parametrize(
    ("column", "changes", "message"),
    [
        (NUMBER, {"kind": "tensor"}, "kind must be one of number, .*; got 'tensor'"),
        (NUMBER, {"kind": ["number"]}, "kind must be one of"),
        (NUMBER, {"name": 3}, "name must be text; got 3"),
        (NUMBER, {"missing": True}, "missing must be one of refused, counted, allowed, seen; got true"),
        (NUMBER, {"cuts": "30"}, "cuts must be a list of 0 to 2000 entries; got '30'"),
        (NUMBER, {"cuts": [30.0, 30.0]}, "cuts of column 'age' must ascend"),
        (NUMBER, {"cuts": [True]}, r"cuts\[0\] must be a number; got true"),
        (NUMBER, {"seen": [3]}, r"seen\[0\] must be a list of 2 to 2 entries; got 3"),
        (NUMBER, {"seen": [[1, 2]]}, "seen of column 'age' must have 3 entries, one per interval; got 1"),
        (NUMBER, {"seen": [[1, 2], None, [40, 50]]}, "seen of column 'age' must hold values over 45.0"),
        (NUMBER, {"cuts": [0.5], "whole": True}, "cuts of column 'age', of whole numbers, must be whole"),
        (NUMBER, {"whole": 1}, "whole must be true or false; got 1"),
        (NUMBER, {"inner": [[1, 2]]}, "inner of column 'age' must be different intervals of cells from 1 to 1"),
        (NUMBER, {"inner": [[0, 1]]}, r"inner\[0\]\[0\] must be"),
        (NUMBER, {"inner": True}, "inner must be a list of"),
        (CATEGORY, {"sets": [[0, 1]]}, "sets of column 'age' must be different and leave out two"),
        (CATEGORY, {"values": [*"abcd"], "sets": [[0, 1], [1, 0]]}, "sets of column 'age' must be different"),
        (CATEGORY, {"values": [*"abcd"], "sets": [[0, 9]]}, "sets of column 'age' must be different and"),
        (CATEGORY, {"values": [None]}, r"values\[0\] must be text; got null"),
        (CATEGORY, {"values": ["a", "a"]}, "values of column 'age' must be distinct"),
        (CATEGORY, {"values": ["a", 1]}, "values must be a list of values of one type"),
        (CATEGORY, {"values": [5, 2**53]}, "column 'age' must have categories below .*; got 9007199254740992. Convert"),
        (CATEGORY, {"values": [5], "accepted": [5, -(2**53)]}, "column 'age' must have categories below"),
        (ORDERED, {"values": [5, 1e300]}, "column 'age' must have categories below"),
        (CATEGORY, {"values": ["a"], "pair": True}, "values of column 'age', a pair, must be two"),
        (ORDERED, {"cuts": [1]}, "cuts of column 'age' must lie between its 2 values"),
        (ONE_HOT, {"members": ["a"]}, "members must be a list of 2 to 2000 entries"),
        (ONE_HOT, {"missing": "seen"}, "missing must be one of refused; got 'seen'"),
        (DATE, {"cuts": ["soon"]}, r"cuts\[0\] must be a date; got 'soon'"),
        (DATE, {"cuts": ["9999-12-31"]}, "cuts of column 'age' must have values on both sides; got 9999-12-31"),
        (DATE, {"kind": "duration", "cuts": ["9e+90 days"]}, "cuts of column 'age' must have values on both sides"),
        (DATE, {"cuts": ["2020-02-31"]}, "a date must be written like 1970-02-15; got '2020-02-31'"),
    ],
    ids=str,
)
def test_data_that_is_no_column_is_refused(column, changes, message):
    COLUMNS.read(Place([column]))
    with pytest.raises(DocumentError, match=message):
        COLUMNS.read(Place([{**column, **changes}]))


def test_groups_survive():
    for column in (OneHotGroup("g", "refused", ("a", "b"), none=True), OrderedGroup("g", "refused", ("a", "b"))):
        assert COLUMNS.read(Place(COLUMNS.write([column]))) == (column,)
