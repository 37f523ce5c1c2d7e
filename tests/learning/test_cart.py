import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier
from tests.learning.example_rows import distinct_rows, names

from idnf.counting.contract import DistinctRows
from idnf.learning.cart import cart
from idnf.learning.objective import error_share


@given(distinct_rows(), st.integers(1, 3))
def test_the_tree_errs_as_scikit_learn_does_on_weighted_examples(rows, k):
    features = np.concatenate([rows.features, rows.features])
    classes = np.repeat([1, 0], len(rows.features))
    weights = np.concatenate([rows.positive, rows.negative])
    used = weights > 0
    tree = DecisionTreeClassifier(max_depth=k, random_state=0).fit(features[used], classes[used], weights[used])
    expected = 1 - tree.score(features[used], classes[used], weights[used])
    found = cart(rows, names(rows), k)
    assert found.is_plain
    assert found.depth <= k
    assert error_share(rows, found) == pytest.approx(expected)


@pytest.mark.parametrize("positive", [0.0, 1.0])
def test_one_class_gives_a_constant(positive):
    rows = DistinctRows.of_two(np.eye(2, dtype=bool), np.full(2, positive), np.full(2, 1 - positive), True)
    assert cart(rows, ("a", "b"), 2).depth == 0
    assert error_share(rows, cart(rows, ("a", "b"), 2)) == 0.0
