"""Learning from many examples: on all of them by counts, or on few of them and then counted on all.

Greedy learning asks for counts only. The other learners look at distinct rows. Where these are few enough, they stand
for all examples. Otherwise the learner works on a sample; a nested DNF it finds has its terms selected anew from the
histogram of all examples, and what errs least on all of them is kept, greedy learning on all of them included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal

from idnf.counting.contract import ClassCounts, Counts, DistinctRows, SwappedClasses
from idnf.learning.cart import CELLS_A_SECOND
from idnf.learning.counted_tree import counted_tree
from idnf.learning.learners import (
    MOST_CELLS,
    MOST_EXACT_ROWS,
    MOST_ROWS,
    learn_by_cart,
    learn_by_search,
    learn_exactly,
    paper_heuristic,
    refuse_constraints_on_trees,
)
from idnf.learning.local.search_options import SearchOptions
from idnf.learning.local.staircase import Prefixes, best_up_set
from idnf.learning.result import Learned
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.literals import codes_of, is_consistent, mask_of
from idnf.logic.model import Model
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree

LearnerName = Literal["greedy", "search", "exact"]

# The share of a time limit after which a model learned on a sample is held against others on all rows.
_BEFORE_RECOUNT = 0.9


@dataclass(frozen=True)
class Recounted:
    """What was learned, and from what: all rows, the distinct rows, or a sample of them, then counted on all rows."""

    learned: Learned
    training_data: str


def learn_greedily(
    table: Counts, names: Sequence[str], k: int, task: SearchOptions, *, whole: bool = False
) -> Recounted:
    """Learn by the paper's heuristic, by CART, or by whichever of the two errs less, as the family allows.

    The heuristic asks for counts of all examples. CART sees all distinct rows where ``whole`` says that they are at
    hand, else a sample where there are very many.
    """
    if task.family == "nested":
        return Recounted(paper_heuristic(table, names, k, task), "all rows")
    refuse_constraints_on_trees(task)
    if task.deadline.is_set and _cells(table) > CELLS_A_SECOND * task.deadline.left:
        return _greedily_in_time(table, names, k, task, whole=whole)
    rows = table.distinct_rows(None if whole else MOST_ROWS, task.random_state)
    tree = learn_by_cart(rows, names, k, task)
    nested = [] if task.family == "tree" else [paper_heuristic(table, names, k, task)]
    if rows.complete:
        best = min([*nested, tree], key=lambda learned: learned.objective)
        return Recounted(best, "all rows" if whole else "distinct rows")
    return _recounted(table, rows, [tree, *nested])


def _cells(table: Counts) -> float:
    """Return about how many truths the table holds; weights count examples as a rule."""
    return table.n_features * (table.positive + table.negative)


def _greedily_in_time(table: Counts, names: Sequence[str], k: int, task: SearchOptions, *, whole: bool) -> Recounted:
    """Learn a tree by counts in place of CART, and a nested DNF if there is time for it."""
    deadline = task.deadline
    before = deadline.left
    found = [Learned(counted_tree(table, names, k, is_over=deadline.part(0.5).is_over), 0.0)]
    # The heuristic asks for counts about three times as often, and cannot be stopped.
    if task.family != "tree" and 3 * (before - deadline.left) < deadline.left:
        found.append(paper_heuristic(table, names, k, task))
    return Recounted(best_on_all(table, found), "all rows" if whole else "distinct rows")


def learn_recounted(
    table: Counts, names: Sequence[str], k: int, task: SearchOptions, learner: Literal["search", "exact"]
) -> Recounted:
    """Learn by search or exactly, on a sample of the examples where there are very many, judged on all of them."""
    deadline = task.deadline
    most = MOST_ROWS if learner == "search" else min(MOST_ROWS, MOST_EXACT_ROWS)
    rows = table.distinct_rows(max(2, min(most, MOST_CELLS // max(1, table.n_features))), task.random_state)
    within = replace(task, deadline=deadline.part(1.0 if rows.complete else _BEFORE_RECOUNT))
    learned = (learn_by_search if learner == "search" else learn_exactly)(rows, names, k, within)
    if rows.complete:
        return Recounted(learned, "distinct rows")
    nested = [] if task.family == "tree" or deadline.is_over() else [paper_heuristic(table, names, k, task)]
    others = [*_selected_anew(table, learned, task.order(k), deadline.is_over), *nested]
    accepted = [other for other in others if task.accepts is None or task.accepts(other.model)]
    return _recounted(table, rows, [learned, *accepted])


def _recounted(table: Counts, sample: DistinctRows, candidates: Sequence[Learned]) -> Recounted:
    best = best_on_all(table, candidates)
    return Recounted(best, f"sample of {len(sample.features)} distinct rows, recounted on all")


def best_on_all(table: ClassCounts, candidates: Sequence[Learned]) -> Learned:
    """Return the candidate of least objective on all rows, the first when equal.

    What a learner charged for a literal does not depend on the examples. The terms of all classes but one are counted.
    """
    totals, price = table.totals, candidates[0].price
    sides = [_sides(learned.model) for learned in candidates]
    asked = [[list(codes_of(mask)) for mask in masks] for side in sides for masks in side.values()]
    covered = iter(table.covered_weights(asked))
    objectives = []
    for learned, side in zip(candidates, sides, strict=True):
        (default,) = set(range(len(totals))) - set(side)
        right = float(totals[default])
        for label, weights in zip(side, covered):
            right += float(weights[label] - weights[default])
        objectives.append((float(totals.sum()) - right) / float(totals.sum()) + price * learned.model.literal_count)
    best = min(range(len(candidates)), key=lambda i: (round(objectives[i], 12), i))
    return Learned(candidates[best].model, objectives[best], price=price, path=candidates[0].path)


def _sides(model: Model) -> dict[int, Sequence[int]]:
    """Return the terms of all classes but one: of two, those of the class that the model is written for."""
    if model.n_classes == 2:
        terms, label = model.own_terms()
        return {label: terms}
    dnfs = ClassDNFs.of(model).dnfs
    longest = max(range(len(dnfs)), key=lambda label: dnfs[label].size)
    return {label: dnf.masks for label, dnf in enumerate(dnfs) if label != longest}


def _selected_anew(table: Counts, learned: Learned, k: int, is_over: Callable[[], bool]) -> list[Learned]:
    """Return the nested DNF found, or the complement of one, with the best terms of its matrix on all rows."""
    leaf, price = learned.model.leaf(), learned.price
    if leaf is None:
        return []
    counts = table if leaf.label else SwappedClasses(table)
    nested = _best_terms(counts, leaf.nested, price, k, is_over)
    return [Learned(nested if leaf.label else NestedTree.from_nested(nested, complemented=True), learned.objective)]


def _best_terms(counts: Counts, nested: NestedDNF, price: float, k: int, is_over: Callable[[], bool]) -> NestedDNF:
    grid = counts.grid_histogram(nested.matrix)
    weight = counts.positive + counts.negative
    found = best_up_set(grid, _consistent_vectors(nested, k), price * weight, is_over=is_over)
    return replace(nested, prefixes=found.prefixes)


def _consistent_vectors(nested: NestedDNF, k: int) -> list[Prefixes]:
    lengths = product(*(range(len(row) + 1) for row in nested.matrix))
    return [r for r in lengths if sum(r) <= k and is_consistent(_mask(nested, r))]


def _mask(nested: NestedDNF, prefixes: Prefixes) -> int:
    return mask_of(code for row, length in zip(nested.matrix, prefixes, strict=True) for code in row[:length])
