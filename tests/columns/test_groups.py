"""Groups of 0/1 columns."""

from __future__ import annotations

import numpy as np
import pytest

from idnf.columns.groups import OneHotGroup, Ordered, OrderedGroup, fit_group
from idnf.columns.raw import read_array


def raws(bits: dict[str, list[int]]):
    return {name: read_array(name, np.array(values)) for name, values in bits.items()}


def test_a_one_hot_group_has_a_cell_for_none_only_if_training_had_it():
    full = fit_group("g", ["a", "b"], raws({"a": [1, 0], "b": [0, 1]}))
    some = fit_group("g", ["a", "b"], raws({"a": [1, 0], "b": [0, 0]}))
    assert full == OneHotGroup("g", "refused", ("a", "b"), none=False)
    assert some == OneHotGroup("g", "refused", ("a", "b"), none=True)
    assert some.cells([0], [0]).tolist() == [2]
    with pytest.raises(
        ValueError, match=r"group 'g' must have exactly one column set, as in training; got \[\] in row 1"
    ):
        full.cells([0], [0])


def test_the_literals_of_a_group_hold_where_its_columns_are_set():
    bits = np.array([[1, 1, 1], [0, 1, 1], [0, 0, 1], [0, 0, 0]])
    ordered = OrderedGroup("g", "refused", ("a", "b", "c"))
    assert ordered.cells(*bits.T.tolist()).tolist() == [0, 1, 2, 3]
    assert (bits == ordered.features(*bits.T.tolist()).T).all()
    one_hot = OneHotGroup("g", "refused", ("a", "b", "c"), none=True)
    codes = np.array([[1, 0, 0], [0, 0, 1], [0, 0, 0], [0, 1, 0]])
    assert (codes == one_hot.features(*codes.T.tolist()).T).all()


def test_missing_values_in_a_group_are_refused():
    with pytest.raises(ValueError, match="column 'a' must have no missing values"):
        fit_group("g", Ordered(["a", "b"]), raws({"a": [1, np.nan], "b": [1, 1]}))
