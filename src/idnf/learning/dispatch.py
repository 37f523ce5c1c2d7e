"""Learning from many examples: on all of them by counts, or on few of them and then counted on all.

Greedy learning of two classes asks for counts only. The other learners look at distinct rows. Where these are few
enough, they stand for all examples. Otherwise the learner works on a sample; a nested DNF it finds has its terms
selected again from the histogram of all examples, and what errs least on all of them is kept, greedy learning on all of
them included.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product

from idnf.counting.contract import Counts, DistinctRows
from idnf.learning.exact_learner import learn_exactly
from idnf.learning.greedy_learners import learn_against_rest, learn_by_cart, learn_column_tree, paper_heuristic
from idnf.learning.local.specification.staircase import Prefixes, best_up_set
from idnf.learning.lookahead import CELLS_A_SECOND, counted_tree
from idnf.learning.objective import Learned
from idnf.learning.refusals import refuse_constraints_on_trees, refuse_two_class_options
from idnf.learning.search_learner import learn_by_search
from idnf.learning.task import LearningTask
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.literals import codes_of, is_consistent, mask_of
from idnf.logic.model import Model
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree

MOST_ROWS = 100_000
"""Distinct rows that search looks at, fewer where they have very many features; of more, a sample of this size."""

MOST_CELLS = 250_000_000
"""Distinct rows times features that search looks at: a byte each, and as many again while it runs."""

MOST_EXACT_ROWS = 50_000
"""Distinct rows that exact learning and search over several classes look at; of more, a sample of this size."""

ROW_LEARNERS: dict[str, Callable[[DistinctRows, LearningTask], Learned]] = {
    "search": learn_by_search,
    "exact": learn_exactly,
}
"""The learners that look at distinct rows, by name; greedy learning asks for counts."""

# The share of a time limit after which a model is held against others on all rows, or DNFs of classes are written out.
_BEFORE_RECOUNT = 0.9
# Weights beyond this, or below one part of it, are divided by the largest.
_LARGEST = 1e20


@dataclass(frozen=True)
class LearningResult:
    """What was learned, and from what: all rows, the distinct rows, or a sample of them, then counted on all rows."""

    learned: Learned
    training_data: str


def learn_model(table: Counts, task: LearningTask, *, whole: bool = False) -> LearningResult:
    """Learn from examples of any number of classes, on a sample of them if there are very many.

    Parameters
    ----------
    table : Counts
        The training examples; of two classes, one that counts literals too.
    task : LearningTask
        What to learn and how; "nested", a polarity and constraints on literals are for two classes.
    whole : bool
        Whether all distinct rows are available for CART.
    """
    if not _has_two_classes(table):
        refuse_two_class_options(task)
    if task.learner == "greedy":
        found = _greedily(table, replace(task, k=task.size), whole=whole)
        return replace(found, learned=_of_order(found.learned, task.k))
    rows, deadline = _rows(table, task), task.deadline
    at_once = rows.complete and rows.n_classes == 2
    within = replace(task, deadline=deadline.part(1.0 if at_once else _BEFORE_RECOUNT))
    learned = ROW_LEARNERS[task.learner](rows, within)
    if rows.complete:
        return LearningResult(_of_order(learned, task.k), "distinct rows")
    others = _on_all(table, task, learned) if _has_two_classes(table) else []
    accepted = [other for other in others if task.accepts is None or task.accepts(other.model)]
    return _recount(table, rows, [learned, *accepted], task)


def _has_two_classes(table: Counts) -> bool:
    """Return whether a table has two classes, and thus counts literals."""
    return len(table.totals) == 2


def _rows(table: Counts, task: LearningTask) -> DistinctRows:
    """Return as many distinct rows as a learner looks at; of extreme weights the proportions alone matter."""
    several = not _has_two_classes(table)
    most = min(MOST_ROWS, MOST_EXACT_ROWS) if several or task.learner == "exact" else MOST_ROWS
    least = max(2, int((table.totals > 0).sum()))
    rows = table.distinct_rows(max(least, min(most, MOST_CELLS // max(1, table.n_features))), task.random_state)
    largest = float(rows.weights.max(initial=0.0))
    usual = not several or not largest or 1 / _LARGEST < largest < _LARGEST
    return rows if usual else replace(rows, weights=rows.weights / largest)


def _of_order(learned: Learned, k: int) -> Learned:
    """Return what was learned as a model of bound k: of several classes a tree as it is, terms as DNFs of classes."""
    model = learned.model
    if model.n_classes > 2:
        model = model.nested_form or ClassDNFs.of(model)
    return replace(learned, model=model.within(k))


def _greedily(table: Counts, task: LearningTask, *, whole: bool) -> LearningResult:
    """Learn by the paper's heuristic, by CART, or by whichever of the two errs less, as the family allows.

    The heuristic asks for counts of all examples of two classes; of more, one class of a sample is set against the rest
    after the other. CART sees all distinct rows if ``whole`` says that they are available, else a sample of very many.
    """
    if not task.family.has_trees and _has_two_classes(table):
        return LearningResult(paper_heuristic(table, task), "all rows")
    refuse_constraints_on_trees(task)
    if _has_two_classes(table) and task.deadline.is_set and _cells(table) > CELLS_A_SECOND * task.deadline.left:
        return _greedily_in_time(table, task, whole=whole)
    rows = table.distinct_rows(None, task.random_state) if whole else _rows(table, task)
    found = [(learn_column_tree if task.family.is_of_columns else learn_by_cart)(rows, task)]
    if not _has_two_classes(table):
        found += learn_against_rest(rows, task)
    elif task.family.has_nested:
        found.insert(0 if rows.complete else 1, paper_heuristic(table, task))
    if rows.complete:
        best = min(found, key=lambda learned: learned.objective)
        return LearningResult(_of_order(best, task.k), "all rows" if whole else "distinct rows")
    return _recount(table, rows, found, task)


def _cells(table: Counts) -> float:
    """Return about how many truths the table holds; weights count examples as a rule."""
    return table.n_features * float(table.totals.sum())


def _greedily_in_time(table: Counts, task: LearningTask, *, whole: bool) -> LearningResult:
    """Learn a tree by counts in place of CART, and a nested DNF if there is time for it."""
    deadline = task.deadline
    before = deadline.left
    found = [Learned(counted_tree(table, task.names, task.k, is_over=deadline.part(0.5).is_over), 0.0)]
    # The heuristic asks for counts about three times as often, and cannot be stopped.
    if task.family.has_nested and 3 * (before - deadline.left) < deadline.left:
        found.append(paper_heuristic(table, task))
    return LearningResult(best_on_all(table, found), "all rows" if whole else "distinct rows")


def _on_all(table: Counts, task: LearningTask, learned: Learned) -> list[Learned]:
    """Return what the paper's learner makes of all examples, and of the matrix of the model learned."""
    anew = _selected_anew(table, learned, task.k, task.deadline.is_over)
    late = not task.family.has_nested or task.deadline.is_over()
    return anew if late else [*anew, paper_heuristic(table, task)]


def _recount(table: Counts, sample: DistinctRows, candidates: Sequence[Learned], task: LearningTask) -> LearningResult:
    best = _of_order(best_on_all(table, candidates), task.k)
    return LearningResult(best, f"sample of {len(sample.features)} distinct rows, recounted on all")


def best_on_all(table: Counts, candidates: Sequence[Learned]) -> Learned:
    """Return the candidate of least objective on all rows, the first when equal.

    What a learner charged for a literal does not depend on the examples. The terms of all classes but one are counted.
    """
    totals = table.totals
    total, price = float(totals.sum()), candidates[0].price
    sides = [_sides(learned.model) for learned in candidates]
    asked = [[list(codes_of(mask)) for mask in masks] for side in sides for masks in side.values()]
    covered = iter(table.covered_weights(asked))
    objectives = []
    for learned, side in zip(candidates, sides, strict=True):
        (default,) = set(range(len(totals))) - set(side)
        right = float(totals[default])
        for label, weights in zip(side, covered):
            right += float(weights[label] - weights[default])
        objectives.append((total - right) / total + price * learned.model.literal_count)
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
    grid, weight = table.grid_histogram(leaf.nested.matrix), table.positive + table.negative
    own = grid if leaf.label else grid.swapped
    found = best_up_set(own, _consistent_vectors(leaf.nested, k), price * weight, is_over=is_over)
    nested = replace(leaf.nested, prefixes=found.prefixes)
    return [Learned(nested if leaf.label else NestedTree.from_nested(nested, complemented=True), learned.objective)]


def _consistent_vectors(nested: NestedDNF, k: int) -> list[Prefixes]:
    lengths = product(*(range(len(row) + 1) for row in nested.matrix))
    return [r for r in lengths if sum(r) <= k and is_consistent(_mask(nested, r))]


def _mask(nested: NestedDNF, prefixes: Prefixes) -> int:
    return mask_of(code for row, length in zip(nested.matrix, prefixes, strict=True) for code in row[:length])
