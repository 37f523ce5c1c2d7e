"""Labels are numbered in their order, whatever their type."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from idnf.tables.targets import class_numbers


@given(
    st.sampled_from([np.bool_, np.int8, np.uint8, np.int64, np.uint64]),
    st.lists(st.integers(0, 255), max_size=90).map(lambda values: [*values, 1, 0]),
    st.booleans(),
)
def test_integer_labels_are_numbered_as_sorting_does(kind, values, far):
    labels = np.array(values, dtype=np.uint8).astype(kind)
    if far and labels.dtype.itemsize == 8:
        labels = labels * np.array(2**44, dtype=kind)
    expected, places = np.unique(labels, return_inverse=True)
    classes, numbers = class_numbers(labels)
    assert classes.dtype == labels.dtype
    assert np.array_equal(classes, expected)
    assert np.array_equal(numbers, places)
