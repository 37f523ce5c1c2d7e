"""A model of several classes from one nested DNF for each class against the rest.

The paper's learner gives each class a nested k-DNF. Their terms, labelled, are taken one by one, the one that gains
most first, as far as terms of different labels conflict and what is left keeps reasons of at most k literals.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from idnf.counting.contract import DistinctRows
from idnf.counting.packed import PackedTable
from idnf.learning.greedy import learn_greedy
from idnf.learning.local.berge_models import to_model
from idnf.learning.local.berge_search import MOST_IMPLICANTS
from idnf.learning.local.masks import ExampleMasks
from idnf.learning.local.reference.repairing import BergeState
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.deadlines import Deadline
from idnf.logic.literals import is_consistent, negated_mask

MOST_GREEDY = 6
"""The paper's learner tries C(2k, k) terms; beyond this k one against the rest is no start."""

# Examples times features times classes for which a second is enough.
_CELLS_A_SECOND = 5_000_000


def one_against_rest_has_time(rows: DistinctRows, deadline: Deadline) -> bool:
    """Tell whether one class after the other can be learned against the rest before a deadline."""
    return rows.features.size * rows.n_classes < _CELLS_A_SECOND * deadline.left


def one_against_rest(rows: DistinctRows, names: Sequence[str], k: int, *, random_state: int = 0) -> ClassDNFs | None:
    """Return the best model made of the terms of each class against the rest, for any default; None for a large k.

    >>> features = np.array([[p >> j & 1 for j in range(2)] for p in range(4)], dtype=bool)
    >>> rows = DistinctRows(features, np.eye(3)[[0, 1, 2, 1]], True)
    >>> model = one_against_rest(rows, ("a", "b"), 2)
    >>> [model.evaluate({"a": a, "b": b}) for b in (0, 1) for a in (0, 1)]
    [0, 1, 2, 1]
    """
    if not 1 <= k <= MOST_GREEDY or not names:
        return None
    terms = labelled_terms(rows, names, k, random_state=random_state)
    examples = ExampleMasks(rows, np.random.default_rng(random_state))
    found = [_assembled(examples, terms, k, default) for default in range(rows.n_classes)]
    default = max(range(rows.n_classes), key=lambda label: found[label][1])
    return to_model(found[default][0].terms, default, rows.n_classes, names, k)


def labelled_terms(rows: DistinctRows, names: Sequence[str], k: int, *, random_state: int = 0) -> list[tuple[int, int]]:
    """Return the terms that the paper's learner finds for each class against the rest, with the class."""
    found = []
    for label in range(rows.n_classes):
        if rows.weights[:, label].any():
            counts = PackedTable.of_rows(rows.against_rest(label))
            model = learn_greedy(counts, names, k, random_state=random_state).model
            found += [(mask, label) for mask in model.terms(1) if is_consistent(mask)]
    return found


def _assembled(
    examples: ExampleMasks, terms: Sequence[tuple[int, int]], k: int, default: int
) -> tuple[BergeState, int]:
    """Return the state of the terms that could be taken, and the weight it gets right more than class 0 everywhere."""
    state, covered = BergeState((), (0,)), 0
    right = int(examples.nets[default].sum(dtype=np.int64))
    gained = examples.nets.astype(np.int64) - examples.nets[default]
    left = [(examples.satisfying(term), term, label) for term, label in terms if label != default]
    while left:
        gains = [int(gained[label][examples.places(held & ~covered)].sum()) for held, _, label in left]
        best = int(np.argmax(gains))
        if gains[best] <= 0:
            break
        held, term, label = left.pop(best)
        apart = all(other & negated_mask(term) for other, its in state.terms if its != label)
        larger = state.adding(term, label) if apart else None
        if larger is not None and len(larger.implicants) <= MOST_IMPLICANTS and larger.is_interpretable(k):
            state, covered, right = larger, covered | held, right + gains[best]
    return state, right
