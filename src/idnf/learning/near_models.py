"""The models that are as good: those within a stated loss of the best, distinct on the training rows.

For trees of small depth, and for all functions of k up to 2 over few Boolean features, every one is listed, so that
there are no others. Beyond that they are what search meets: from several seeds, from resampled rows, and without each
column that it has used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.learning.exact.near_best import NearBest
from idnf.learning.local.labelled_terms import to_model
from idnf.learning.objective import Objective, labels_of
from idnf.learning.search_learner import learn_by_search
from idnf.learning.task import LearningTask
from idnf.logic.checklists import Checklist
from idnf.logic.deadlines import Deadline
from idnf.logic.literals import codes_of, is_consistent
from idnf.logic.model import Model
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree, Split

# Features and depth up to which every function of at most two literals, and every tree, is listed.
MOST_PAIRED, MOST_DEPTH = 8, 3
_MOST_TREE_WORK = 3e7
_MOST_PAIRED_ROWS = 2000
# The least seconds for listing trees.
_LISTING = 0.5
# Functions that become models; of more no list is complete.
_MOST_NEAR = 5000
# Models looked at for one that no model listed may cost much more than.
_MOST_BEST = 20
# Searches from seeds of their own.
_SEEDS = 6
# Costs that differ by less are equal.
_ROUNDING = 1e-9


@dataclass(frozen=True)
class NearModels:
    """Models of nearly equal objective, the best first, and whether no other of the family labels the rows otherwise.

    ``resampled`` are the models learned from resampled rows, near the best or not.
    """

    models: tuple[Model, ...]
    objectives: tuple[float, ...]
    complete: bool
    resampled: tuple[Model, ...] = ()


@dataclass(frozen=True)
class WantedModels:
    """How near to the best a model must be, as a share of all weight; how many, and how many resamples, are wanted."""

    within: float
    most: int
    resamples: int = 0


def near_models(
    rows: DistinctRows,
    task: LearningTask,
    wanted: WantedModels,
    *,
    columns: Sequence[Sequence[int]] = (),
    known: Sequence[Model] = (),
) -> NearModels:
    """Return models within a stated loss of the best one, one for each way of labelling the rows: the shortest.

    Parameters
    ----------
    rows : DistinctRows
        The training examples.
    task : LearningTask
        How to search; its family, and its price, 0 if it has none.
    wanted : WantedModels
    columns : sequence of sequences of int
        The features of each column; search leaves out one column at a time.
    known : sequence of Model
        Models to begin with; they are listed if they are near, whatever their family.

    Examples
    --------
    >>> features = np.array([[p >> j & 1 for j in range(3)] for p in range(8)], dtype=bool)
    >>> yes = features[:, 0].astype(float)
    >>> near = near_models(DistinctRows.of_two(features, yes, 1 - yes, True),
    ...     LearningTask(("a", "b", "c"), 1, price=0.0), WantedModels(0.25, 5))
    >>> near.complete, [round(one, 2) for one in near.objectives]
    (True, [0.0])
    """
    objective = Objective(rows, task.price or 0.0)
    again = resampled(rows, task, wanted.resamples)
    every = _every_function(objective, task, wanted.within)
    models = every if every is not None else [*_search_from_seeds(rows, task, columns, known), *again]
    best: dict[bytes, tuple[float, int, int, Model]] = {}
    for number, model in enumerate([*models, *known]):
        key = labels_of(model, rows.features).astype(np.uint8).tobytes()
        found = (round(objective(model), 12), model.literal_count, number, model)
        if key not in best or found[:3] < best[key][:3]:
            best[key] = found
    ranked = sorted(best.values(), key=lambda one: one[:3])
    near = [one for one in ranked if one[0] <= ranked[0][0] + wanted.within + _ROUNDING]
    kept = near[: wanted.most]
    complete = every is not None and len(kept) == len(near)
    return NearModels(tuple(one[3] for one in kept), tuple(one[0] for one in kept), complete, tuple(again))


def resampled(rows: DistinctRows, task: LearningTask, count: int) -> list[Model]:
    """Return what is learned from resampled rows: each counts as often as a Poisson variable of its weight says.

    >>> features = np.array([[True], [False]])
    >>> rows = DistinctRows.of_two(features, np.array([40.0, 0]), np.array([0.0, 40]), True)
    >>> [one.features() for one in resampled(rows, LearningTask(("a",), 1, price=0.01), 2)]
    [{0}, {0}]
    """
    plain, found = replace(task, tune=False, price=task.price or 0.0, progress=None), []
    for turn in range(count):
        generator = np.random.default_rng([task.random_state, 5, turn])
        drawn = replace(rows, weights=generator.poisson(rows.weights).astype(float))
        if task.deadline.is_over():
            break
        if ((drawn.totals > 0) == (rows.totals > 0)).all():
            found.append(learn_by_search(drawn, plain).model)
    return found


def _every_function(objective: Objective, task: LearningTask, within: float) -> list[Model] | None:
    """Return every model that may be near the best; None if they cannot be listed.

    Trees count literals. Other families count columns, which are as many as literals in Boolean tables only.
    """
    rows = objective.rows
    if rows.n_classes != 2 or not rows.complete or task.allowed is not None or task.accepts is not None:
        return None
    if task.family.has_trees and task.family.counts == "literals":
        with suppress(TimeoutError):
            return _near_trees(objective, task.names, task.k, within, task.deadline.at_least(_LISTING))
        return None
    is_boolean = task.space is None or task.space.is_boolean
    if task.family.has_every_function and task.k <= 2 and is_boolean:
        return _near_pairs(objective, task.names, task.k, within)
    return None


def _near_trees(
    objective: Objective, names: tuple[str, ...], k: int, within: float, deadline: Deadline
) -> list[Model] | None:
    rows = objective.rows
    if k > MOST_DEPTH or len(rows.features) * len(names) ** k > _MOST_TREE_WORK:
        return None
    # A random number for each row tells apart trees that cost the same and label the rows in another way.
    marks = np.random.default_rng(0).random(len(rows.features))
    costs = (rows.negative - rows.positive) / rows.total
    search = NearBest(rows.features, np.stack([costs, marks], axis=1), np.array([1.0, 0.0]), deadline)

    def listed(loss: float) -> list[Model] | None:
        trees = search.near(k, loss)
        nodes = (trees.node(place, names, k, range(len(names))) for place in range(len(trees.sums)))
        return [NestedTree(names, node, k, 2) for node in nodes] if trees.complete else None

    fewest = listed(0.0)
    if fewest is None or not objective.price:
        return listed(within)
    # A tree that errs more than this costs too much however short it is.
    least = objective.errors(fewest[0]) / rows.total
    return listed(min(map(objective, fewest)) - least + within)


def _near_pairs(objective: Objective, names: tuple[str, ...], k: int, within: float) -> list[Model] | None:
    """Return every function near the best whose reasons have at most k literals, k up to 2, some more than once.

    Each is ab|cd or ab|bc|cd or the complement of one of them, literals equal or left out allowed.
    """
    rows = objective.rows
    if len(names) > MOST_PAIRED or len(rows.features) > _MOST_PAIRED_ROWS:
        return None
    codes = range(2 * len(names))
    pairs = [1 << a | 1 << b for a, b in combinations(codes, 2)] if k == 2 else []
    terms = [1 << code for code in codes] + list(filter(is_consistent, pairs))
    unions: list[tuple[int, ...]] = [(), (0,), *((term,) for term in terms)]
    if k == 2:
        unions += [*combinations(terms, 2), *_chains(codes)]
    gains = _gains(rows, unions)
    costs = np.stack([rows.positive.sum() - gains, rows.negative.sum() + gains]) / rows.total
    # However a function is written, each feature that it needs is written once at least.
    features = [len({code >> 1 for term in union for code in codes_of(term)}) for union in unions]
    bounds = costs + objective.price * np.array(features)

    def model(place: int) -> Model:
        other, union = divmod(place, len(unions))
        written = to_model([(term, 1 - other) for term in unions[union]], other, 2, names, k)
        return min([written, *_other_forms(unions[union], other, names, k)], key=lambda form: form.literal_count)

    best = min(objective(model(place)) for place in np.argsort(bounds, axis=None)[:_MOST_BEST].tolist())
    near = np.flatnonzero(bounds.ravel() <= best + within + _ROUNDING).tolist()
    return None if len(near) > _MOST_NEAR else list(map(model, near))


def _other_forms(union: tuple[int, ...], other: int, names: tuple[str, ...], k: int) -> Iterator[Model]:
    """Yield shorter ways to write a function: ab|~ac as a tree, ab|bc|ca as two of three; or its complement.

    >>> [form.literal_count for form in _other_forms((0b000101, 0b010010), 0, ("a", "b", "c"), 2)]
    [3]
    >>> [form.literal_count for form in _other_forms((0b000101, 0b010100, 0b010001), 1, ("a", "b", "c"), 2)]
    [4]
    """
    codes = [list(codes_of(term)) for term in union]
    every = sorted({code for term in codes for code in term})
    if len(union) == 3 and len({code >> 1 for code in every}) == len(every) == 3:
        yield Checklist(names, [code ^ other for code in every], 2, k=k)
    if len(union) != 2 or {len(term) for term in codes} != {2}:
        return
    for code in codes[0]:
        if code ^ 1 in codes[1]:
            rest = [next(one for one in term if one >> 1 != code >> 1) for term in codes]
            leaves = [Leaf.of(NestedDNF(names, ((one,),), ((1,),), 1), complemented=bool(other)) for one in rest]
            yield NestedTree(names, Split(code >> 1, *leaves[:: -1 if code & 1 == 0 else 1]), k)


def _gains(rows: DistinctRows, unions: Sequence[tuple[int, ...]]) -> NDArray[np.float64]:
    """Return for each union of terms the weight of class 1 less that of class 0 among the examples it holds for."""
    literals = [column for feature in rows.features.T for column in (feature, ~feature)]
    net = rows.positive - rows.negative
    everything = np.ones(len(net), dtype=bool)
    held: dict[int, NDArray[np.bool_]] = {}
    gains = np.zeros(len(unions))
    for place, union in enumerate(unions):
        for term in union:
            if term not in held:
                held[term] = np.logical_and.reduce([literals[code] for code in codes_of(term)] or [everything])
        gains[place] = net[np.logical_or.reduce([held[term] for term in union])].sum() if union else 0.0
    return gains


def _chains(codes: range) -> Iterator[tuple[int, ...]]:
    """Yield the terms ab, bc and cd of different literals."""
    for b in codes:
        for c in codes:
            if b >> 1 == c >> 1:
                continue
            for a in codes:
                for d in codes:
                    union = (1 << a | 1 << b, 1 << b | 1 << c, 1 << c | 1 << d)
                    if b < c and len(set(union)) == 3 and all(map(is_consistent, union)):
                        yield union


def _search_from_seeds(
    rows: DistinctRows,
    task: LearningTask,
    columns: Sequence[Sequence[int]],
    known: Sequence[Model],
) -> list[Model]:
    """Return what searches end in: from several seeds, and without each column that these have used."""
    plain = replace(task, tune=False, price=task.price or 0.0, space=None, progress=None)
    found = list(known)
    total = _SEEDS + len(columns)
    tell: Callable[[float], None] = task.progress or (lambda _share: None)

    def search(some: DistinctRows, seed: int) -> None:
        if not task.deadline.is_over():
            found.append(learn_by_search(some, replace(plain, random_state=task.random_state + seed)).model)

    for seed in range(_SEEDS):
        search(rows, seed)
        tell(seed / total)
    used = set().union(*(model.features() for model in found))
    for place, column in enumerate(columns):
        if used & set(column):
            search(without_features(rows, column), _SEEDS + place)
        tell((_SEEDS + place) / total)
    return found


def without_features(rows: DistinctRows, features: Sequence[int]) -> DistinctRows:
    """Return rows in which some features say nothing.

    >>> rows = DistinctRows.of_two(np.eye(2, dtype=bool), np.ones(2), np.zeros(2), True)
    >>> without_features(rows, [0]).features.tolist()
    [[False, False], [False, True]]
    """
    left = rows.features.copy()
    left[:, list(features)] = False
    return replace(rows, features=left)
