"""A family that the library does not have is learned by one object: here, trees whose leaves are nested DNFs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive
from tests.learning.example_rows import distinct_rows, names, truth_table
from tests.strategies import few

from idnf.counting.packed import PackedTable
from idnf.learning.dispatch import learn_model
from idnf.learning.families import Family, family_of
from idnf.learning.local.search import search
from idnf.learning.objective import error_share, holds
from idnf.learning.task import LearningTask

NESTED_TREE = Family(
    "nested-tree",
    "trees with nested DNFs at their leaves",
    ("search", "greedy"),
    "literals",
    has_trees=True,
    has_nested=True,
)


def task(rows, k, family, **options):
    return LearningTask(names(rows), k, family=family, price=0.0, **options)


@few(20)
@given(distinct_rows(), st.integers(1, 3))
def test_its_models_have_reasons_of_k_and_are_no_worse_than_those_of_the_families_within(rows, k):
    n = rows.features.shape[1]
    found = search(rows, task(rows, k, NESTED_TREE, effort=0.05))
    points = np.array([[p >> j & 1 for j in range(n)] for p in range(2**n)], dtype=bool)
    values = holds(found.model, points).astype(int).tolist()
    assert naive.certificate_complexity(values, n) <= k
    for reference in ("tree", "nested"):
        greedy = learn_model(PackedTable.of_rows(rows), task(rows, k, family_of(reference), learner="greedy"))
        assert found.objective <= greedy.learned.objective + 1e-12


def test_it_holds_a_function_that_neither_trees_nor_nested_dnfs_do():
    # By the first feature, a nested DNF of the others or the opposite of it.
    rows = truth_table(lambda x: (x[1] & x[2] | x[3] & x[4]) == x[0], 5)
    errors = {
        family.name: error_share(rows, search(rows, task(rows, 3, family, effort=5.0)).model)
        for family in (NESTED_TREE, family_of("tree"), family_of("nested"))
    }
    assert errors["nested-tree"] == 0 < min(errors["tree"], errors["nested"])


def test_learners_that_it_does_not_name_are_refused():
    NESTED_TREE.refuse_learner("search")
    with pytest.raises(
        ValueError, match='learner must be "search" or "greedy" for family "nested-tree"; got \'exact\''
    ):
        NESTED_TREE.refuse_learner("exact")
