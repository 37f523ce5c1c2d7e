"""Chains: functions each within the one before, so that how many of them hold is a score.

A boundary at the probability t is a two-class problem in which a negative example given yes costs t and a positive one
given no costs 1 - t; the sum over boundaries is a proper score of the bands they make (Buja, Stuetzle, Shen, 2005).
Functions learned apart are seldom nested; those of one tree, true at the leaves from some share on, always are. Of all
functions found, for any boundary, the chain of least cost is a shortest path over pairs that are nested at every point;
then each function is learned again between its neighbours, and the path taken again. A chain is never worse than the
best single function at all boundaries.

Where no boundaries are asked for, the chain that ranks best is taken of all functions found: the area under the curve
of right and wrong alarms is a sum over neighbours too, so that chain is a longest path, every boundary having a price.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import islice, pairwise
from operator import or_

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, Weights
from idnf.learning.column_trees import ranking_functions, tree_functions
from idnf.learning.label_noise import believed, best_guess, left_out_errors, unseen_share
from idnf.learning.local.berge_task import MOST_LITERALS
from idnf.learning.local.jobs import BergeJob, SearchProblem, run_job
from idnf.learning.local.labelled_terms import starting_terms
from idnf.learning.local.masks import ExampleMasks
from idnf.learning.local.search import search
from idnf.learning.objective import Objective, PackedFeatures, noise_examples
from idnf.learning.path import LabelTrust
from idnf.learning.task import LearningTask
from idnf.logic.literals import codes_of, negated_mask
from idnf.logic.model import Model
from idnf.logic.nested import NestedDNF

# How far labels are believed, and the part of the usual price of a literal: where one function alone must pay for its
# literals with errors avoided, functions of a chain share them. The second is for noisy labels: other models err on
# more than this part of what always giving the commoner class would.
_CAUTIONS, _NOISY = (LabelTrust(0.35, 0.2), LabelTrust(0.9, 0.3)), 0.5

# A function with more terms than this, of either class, takes part in no chain.
_MOST_TERMS = 2048
# The most boundaries that have a search of their own.
_MOST_SEARCHED = 4
# Times that every function is learned again between its neighbours; what each begins with, and moves at effort 1.
_SWEEPS, _STARTS, _MOVES = 2, 2, 400
# What a chain gains by the function that it must have, more than any area.
_REQUIRED = 2.0
# What a boundary must add to the area under the curve of right and wrong alarms.
_AREA = 0.001


@dataclass(frozen=True, order=True)
class Boundary:
    """Where one band ends and the next begins.

    Attributes
    ----------
    at : float
        The probability at which yes and no cost the same.
    level : int
        Classes from this number on count as positive.
    """

    at: float
    level: int = 1

    def weighed(self, two: DistinctRows) -> DistinctRows:
        """Return examples of two classes with errors weighed as the boundary says.

        >>> rows = DistinctRows(np.eye(2, dtype=bool), np.array([[1.0, 0.0], [0.0, 1.0]]), True)
        >>> Boundary(0.25).weighed(rows).weights.tolist()
        [[0.5, 0.0], [0.0, 1.5]]
        """
        return DistinctRows(two.features, two.weights * (2 * np.array([self.at, 1 - self.at])), two.complete)

    @property
    def odds(self) -> float:
        """The logarithm of the odds there."""
        return float(np.log(self.at / (1 - self.at)))

    def distance(self, other: Boundary) -> tuple[int, float]:
        """Return how far another boundary is, by its level, then by its odds."""
        return abs(self.level - other.level), abs(self.odds - other.odds)

    def divided(self, rows: DistinctRows) -> DistinctRows:
        """Return the examples as those of two classes: below the level, and from it on."""
        positive = rows.weights[:, self.level :].sum(axis=1)
        return DistinctRows.of_two(rows.features, positive, rows.masses - positive, rows.complete)


class Weighing:
    """What to minimise at each boundary for some examples; other models are asked for a guess once for each level.

    Parameters
    ----------
    rows : DistinctRows
        The examples, their classes in order.
    price : float, optional
        What a literal costs at every boundary, as a share of all weight; if not given, it follows the noise there.
    """

    def __init__(self, rows: DistinctRows, price: float | None = None) -> None:
        self.rows = rows
        self.price = price
        self._guesses: dict[int, Weights] = {}
        self._cautions: dict[int, LabelTrust] = {}

    def guess(self, boundary: Boundary) -> Weights:
        """Return the chance of being negative and of being positive by models that were not shown an example."""
        if boundary.level not in self._guesses:
            self._guesses[boundary.level] = best_guess(boundary.divided(self.rows))
        return self._guesses[boundary.level]

    def caution(self, boundary: Boundary) -> LabelTrust:
        """Return how far labels are believed: less where they are noisy."""
        if boundary.level not in self._cautions:
            two = boundary.divided(self.rows)
            errors = left_out_errors(two, self.guess(boundary)) * two.total
            self._cautions[boundary.level] = _CAUTIONS[int(errors > _NOISY * two.totals.min())]
        return self._cautions[boundary.level]

    def believed(self, boundary: Boundary) -> DistinctRows:
        """Return the examples as those of two classes, labels believed in part."""
        parts = self.caution(boundary).parts(self.rows.masses / self.rows.example) * unseen_share(self.rows.features)
        return believed(boundary.divided(self.rows), self.guess(boundary), parts)

    def objective(self, boundary: Boundary) -> Objective:
        """Return the believed examples as a boundary weighs them, and the price."""
        weighed = boundary.weighed(self.believed(boundary))
        if self.price is not None:
            return Objective(weighed, self.price)
        unseen, guess = unseen_share(self.rows.features), self.guess(boundary)
        plain = boundary.weighed(boundary.divided(self.rows))
        # A yes is right from the boundary on, so that is where a guess errs or not.
        errors = unseen * left_out_errors(plain, guess * [boundary.at, 1 - boundary.at])
        least = noise_examples(0.0)
        examples = least + self.caution(boundary).noise * (noise_examples(errors) - least)
        # Where classes weigh differently, luck is in the heavy ones.
        unit = self.rows.example * float((plain.totals * 2 * np.array([boundary.at, 1 - boundary.at])).sum())
        return Objective(weighed, examples * unit / plain.total / plain.total)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A function that may be part of a chain, as masks closed under what literals imply.

    Parameters
    ----------
    model : Model
    inside, outside : tuple of int
        The terms of class 1 and of class 0, each with all literals that follow from it.
    """

    model: Model
    inside: tuple[int, ...]
    outside: tuple[int, ...]

    @property
    def key(self) -> tuple[frozenset[int], frozenset[int]]:
        """The terms of both classes, in whatever order."""
        return frozenset(self.inside), frozenset(self.outside)

    @cached_property
    def _against(self) -> tuple[int, ...]:
        return tuple(map(negated_mask, self.outside))

    def within(self, other: Candidate) -> bool:
        """Return whether this function lies within another one at every point: all pairs of terms conflict."""
        return all(term & against for term in self.inside for against in other._against)


@dataclass(frozen=True)
class ChainTask:
    """What a chain is learned for.

    Parameters
    ----------
    each : LearningTask
        What is learned at each boundary, and how.
    implied : sequence of int
        For each literal the mask of all literals that follow from it, itself among them; none but itself if empty.
    """

    each: LearningTask
    implied: Sequence[int] = ()

    def closed(self, term: int) -> int:
        """Return a term with all literals that follow from it."""
        return reduce(or_, (self.implied[code] for code in codes_of(term)), term) if self.implied else term

    def candidate(self, model: Model) -> Candidate | None:
        """Return a function as a part of chains; None if it has very many terms."""
        sides = []
        for label in (1, 0):
            terms = list(islice(model.terms(label), _MOST_TERMS + 1))
            if len(terms) > _MOST_TERMS:
                return None
            closed = map(self.closed, terms)
            # A term that no row can meet says nothing.
            sides.append(tuple(term for term in closed if not term & negated_mask(term)))
        return Candidate(model, *sides)

    @cached_property
    def allowed(self) -> frozenset[int]:
        """The literals of terms of class 1."""
        allowed = self.each.allowed
        return frozenset(range(2 * len(self.each.names))) if allowed is None else allowed

    def constants(self) -> list[Model]:
        """Return the functions that are always there."""
        return [NestedDNF.constant(self.each.names, value, self.each.k) for value in (True, False)]

    def accepts(self, model: Model) -> bool:
        """Return whether a model is small enough; constants are."""
        return self.each.accepts is None or not model.features() or self.each.accepts(model)


class Pool:
    """Functions found so far, for which rows each holds, what it costs at every boundary, and which it lies within.

    The objectives weigh the same rows, each as one boundary does.
    """

    def __init__(self, task: ChainTask, objectives: Sequence[Objective], weights: Sequence[float]) -> None:
        self.task = task
        self.objectives = objectives
        self.found: list[Candidate] = []
        self.held: list[NDArray[np.bool_]] = []
        self.costs: list[list[float]] = []
        self._asked = PackedFeatures(objectives[0].rows.features)
        two = np.array([weight * each.rows.weights.T for weight, each in zip(weights, objectives, strict=True)])
        self._never, self._gains = two[:, 1].sum(axis=1), two[:, 1] - two[:, 0]
        self._fees = two.sum(axis=(1, 2)) * [each.price for each in objectives]
        self._known: dict[tuple[frozenset[int], frozenset[int]], int] = {}
        self._within: dict[tuple[int, int], bool] = {}
        self.add(task.constants())

    def add(self, models: Sequence[Model]) -> None:
        """Take in functions that are small enough and not there yet."""
        for model in models:
            candidate = self.task.candidate(model) if self.task.accepts(model) else None
            if candidate is None:
                continue
            if candidate.key not in self._known:
                self._known[candidate.key] = len(self.found)
                self.found.append(candidate)
                self.held.append(self._asked.holds(model))
                gained = self._gains[:, self.held[-1]].sum(axis=1)
                self.costs.append((self._never - gained + self._fees * model.literal_count).tolist())

    def require(self, model: Model, boundary: int) -> int | None:
        """Make every chain pass through a function at a boundary; return its place, None if it takes part in none."""
        self.add([model])
        candidate = self.task.candidate(model)
        place = None if candidate is None else self._known.get(candidate.key)
        if place is not None:
            # Less than all the rest can cost.
            self.costs[place][boundary] -= 1e6 * (1 + max(map(max, self.costs)))
        return place

    def is_within(self, one: int, other: int) -> bool:
        """Return whether one function lies within another."""
        if (one, other) not in self._within:
            self._within[one, other] = one == other or self.found[one].within(self.found[other])
        return self._within[one, other]

    def legal(self, place: int, wide: int | None, narrow: int | None) -> list[int]:
        """Return the functions within one and around another, the best at a boundary first."""
        order = sorted(range(len(self.found)), key=lambda one: (self.costs[one][place], one))
        inside = (one for one in order if wide is None or self.is_within(one, wide))
        return [one for one in inside if narrow is None or self.is_within(narrow, one)]

    def chain(self) -> list[int]:
        """Return the places of the chain of least cost of these functions, one for each boundary.

        A shortest path: the best chain that ends in a function extends the best one that ends in a wider function.
        """
        count = len(self.found)
        ends = [cost[0] for cost in self.costs]
        before: list[list[int]] = []
        for place in range(1, len(self.objectives)):
            # The cheapest wider end comes first, so that few pairs are asked about.
            order = sorted(range(count), key=lambda i: (ends[i], i))
            came = [next(wide for wide in order if self.is_within(one, wide)) for one in range(count)]
            ends = [ends[came[one]] + self.costs[one][place] for one in range(count)]
            before.append(came)
        path = [min(range(count), key=lambda i: (ends[i], self.found[i].model.literal_count, i))]
        for came in reversed(before):
            path.append(came[path[-1]])
        return path[::-1]

    def ranking(self, rows: DistinctRows, most: int, through: int | None = None) -> list[int]:
        """Return the places of the chain of one to `most` functions whose bands rank two classes best.

        If a place is given, the chain has the function there among its own.

        Each must add its price to the area under the curve. A longest path: the best chain of some length that ends in
        a function extends the best shorter one that ends in a wider function. What it adds are the pairs of a low
        example between both and a high one, right further on and tied between both.
        """
        held = np.array(self.held) @ rows.weights
        order = np.lexsort(([each.model.literal_count for each in self.found], -held.sum(axis=1))).tolist()
        totals = np.vstack([rows.totals, held[order]]) / np.maximum(rows.totals, rows.example)
        holding = np.array(self.held, dtype=np.float64)[order]
        # Only a function that lies within another on the rows can do so at every point.
        inside = holding @ holding.T == holding.sum(axis=1, keepdims=True)
        ends, last = np.full(len(totals), -np.inf), totals.prod(axis=1) / 2
        ends[0] = 0.0
        chains: list[tuple[float, list[int]]] = []
        came: list[list[int]] = []
        for _ in range(min(most, len(order))):
            ends, before = self._extend(ends, order, totals, inside)
            if through is not None:
                # No area is worth as much.
                ends[order.index(through) + 1] += _REQUIRED
            came.append(before)
            place = int(np.round(ends + last, 12)[1:].argmax()) + 1
            path = [place]
            for earlier in came[:0:-1]:
                path.append(earlier[path[-1]])
            chains.append((float(ends[place] + last[place]), [order[one - 1] for one in path[::-1]]))
        return max(chains, key=lambda chain: round(chain[0], 12))[1]

    def _extend(
        self, ends: Weights, order: Sequence[int], totals: Weights, inside: NDArray[np.bool_]
    ) -> tuple[Weights, list[int]]:
        """Return the best areas of chains with one more function that end in each, and where they come from."""
        longer, before = np.full(len(ends), -np.inf), [0]
        for place, one in enumerate(order, 1):
            low, high = (totals[:place] - totals[place]).T
            areas = np.round(ends[:place] + low * (totals[place, 1] + high / 2), 12)
            areas[1:][~inside[place - 1, : place - 1]] = -np.inf
            wider = [wide for wide in np.argsort(-areas, kind="stable").tolist() if areas[wide] > -np.inf]
            came = next((wide for wide in wider if not wide or self.is_within(one, order[wide - 1])), 0)
            before.append(came)
            longer[place] = areas[came] - _AREA
        return longer, before


@dataclass(frozen=True)
class LearnedChain:
    """Boundaries, the function of each, and what each costs.

    Attributes
    ----------
    boundaries : tuple of Boundary
    models : tuple of Model
        Each within the one before.
    objectives : tuple of float
        The weighted share of training errors at each boundary plus the price of its literals.
    prices : tuple of float
        What a literal costs there, as a share of all weight.
    decisive : int, optional
        The place of the function that the chain was to pass through, if it does.
    """

    boundaries: tuple[Boundary, ...]
    models: tuple[Model, ...]
    objectives: tuple[float, ...]
    prices: tuple[float, ...]
    decisive: int | None = None


def learn_chain(
    examples: Weighing,
    boundaries: Sequence[Boundary],
    task: ChainTask,
    *,
    others: Sequence[Model] = (),
    most: int | None = None,
    through: tuple[Model, Boundary] | None = None,
) -> LearnedChain:
    """Learn a function for each boundary, each within the one before at every point.

    Parameters
    ----------
    examples : Weighing
        The examples, their classes in order, and what was guessed of them before.
    boundaries : sequence of Boundary
        Ascending.
    task : ChainTask
    others : sequence of Model
        Functions found before, which may be part of the chain.
    most : int, optional
        If given, boundaries are only where functions are looked for: of all that were found for two classes, the chain
        of at most this many that ranks best is taken, with boundaries between the shares of its bands.
    through : (Model, Boundary), optional
        With `most`: a function that the chain is to have, and its boundary, one of those above. Other functions are
        looked for around it. Where it has too many terms, the chain is as it would be without it.

    Examples
    --------
    >>> from idnf.learning.objective import holds
    >>> features = np.array([[p >> j & 1 for j in range(3)] for p in range(8)], dtype=bool)
    >>> sick = np.array([5.0, 30.0, 70.0, 95.0])[features.sum(axis=1)]
    >>> rows = DistinctRows.of_two(features, sick, 100 - sick, True)
    >>> chain = learn_chain(Weighing(rows), [Boundary(0.2), Boundary(0.8)], ChainTask(LearningTask(("a", "b", "c"), 3)))
    >>> [features[holds(model, features)].sum(axis=1).tolist() for model in chain.models]
    [[1, 1, 2, 1, 2, 2, 3], [3]]
    """
    objectives = [*map(examples.objective, boundaries)]
    pool = Pool(task, objectives, [_spacing(boundaries, place) for place in range(len(boundaries))])
    pool.add(others)
    required = None if through is None else pool.require(through[0], boundaries.index(through[1]))
    try:
        pool.add(_tree_chain(task, examples, boundaries))
        _search_chain(pool)
    except KeyboardInterrupt:
        task.each.deadline.stop()
    if most is None:
        places = pool.chain()
    else:
        rows = examples.believed(boundaries[0])
        places = pool.ranking(rows, most, required)
        held = np.array([pool.held[place] for place in places])
        if through is None or required is None:
            boundaries = _shares_between(held, rows)
        else:
            places, boundaries = _around(places, held, rows, (required, through[1]))
        objectives = [*map(examples.objective, boundaries)]
    models = tuple(pool.found[place].model for place in places)
    values = tuple(objective(model) for objective, model in zip(objectives, models, strict=True))
    decisive = None if required is None else places.index(required)
    return LearnedChain(tuple(boundaries), models, values, tuple(each.price for each in objectives), decisive)


def _shares_between(holding: NDArray[np.bool_], rows: DistinctRows) -> list[Boundary]:
    """Return for each function of a chain that ranks best a boundary halfway between the shares of two bands.

    >>> rows = DistinctRows(np.array([[0], [1]], dtype=bool), np.array([[9.0, 1], [2, 8]]), True)
    >>> _shares_between(np.array([[False, True]]), rows)
    [Boundary(at=0.45, level=1)]
    """
    held = np.vstack([rows.totals, holding @ rows.weights, 0 * rows.totals])
    low, high = (held[:-1] - held[1:]).T
    if ((low + high) <= 1e-9 * rows.total).any():
        # The only functions are constant.
        return [Boundary(0.5)]
    shares = high / (low + high)
    exact = (shares[1:] + shares[:-1]) / 2
    short = np.round(exact, 3)
    return [*map(Boundary, (short if (np.diff([0.0, *short, 1.0]) > 0).all() else exact).tolist())]


def _around(
    places: Sequence[int], holding: NDArray[np.bool_], rows: DistinctRows, required: tuple[int, Boundary]
) -> tuple[list[int], list[Boundary]]:
    """Return those functions of a chain whose bands have ascending shares, the required one among them, and boundaries.

    That of the required function is given, the others lie between the shares of two bands and on their side of it.

    >>> rows = DistinctRows(np.eye(3, dtype=bool), np.array([[9.0, 1], [5, 5], [6, 4]]), True)
    >>> held = np.array([[False, True, True], [False, False, True]])
    >>> _around([7, 8], held, rows, (8, Boundary(0.5)))
    ([8], [Boundary(at=0.5, level=1)])
    """
    kept = list(range(len(places)))
    middle = places.index(required[0])
    while True:
        held = np.vstack([rows.totals, holding[kept] @ rows.weights, 0 * rows.totals])
        low, high = (held[:-1] - held[1:]).T
        shares = high / np.maximum(low + high, 1e-300)
        falls = np.flatnonzero(np.diff(shares) <= 0)
        if not len(falls) or len(kept) == 1:
            break
        at = kept.index(middle)
        # The required function stays: a neighbour goes in its place.
        gone = int(falls[0]) if falls[0] != at else at + 1 if at + 1 < len(kept) else at - 1
        kept.pop(gone)
    at, decisive = kept.index(middle), required[1].at
    exact = (shares[1:] + shares[:-1]) / 2
    short = np.round(exact, 3)
    between = (short if (np.diff([0.0, *short, 1.0]) > 0).all() else exact).tolist()
    steps = [1e-3 * (place - at) for place in range(len(kept))]
    below = [min(value, decisive * (1 + step)) for value, step in zip(between[:at], steps[:at])]
    above = [max(value, decisive + (1 - decisive) * step) for value, step in zip(between[at + 1 :], steps[at + 1 :])]
    return [places[place] for place in kept], [*map(Boundary, below), required[1], *map(Boundary, above)]


def _tree_chain(task: ChainTask, examples: Weighing, boundaries: Sequence[Boundary]) -> Sequence[Model]:
    """Return a chain of functions of one tree whose paths ask of at most k columns, where every split is allowed."""
    (names, k), space, is_over = (task.each.names, task.each.k), task.each.space, task.each.deadline.is_over
    if space is None or k == 0 or len(task.allowed) < 2 * len(names):
        return []
    two = len({boundary.level for boundary in boundaries}) == 1
    rows = examples.believed(boundaries[0]) if two else examples.rows
    asked = [(1 if two else boundary.level, boundary.at) for boundary in boundaries]
    return [
        *tree_functions(rows, names, k, space, asked, is_over=is_over),
        *ranking_functions(rows, names, k, space, asked, is_over=is_over),
    ]


def _search_chain(pool: Pool) -> None:
    """Take in functions learned apart, then, in each sweep from the middle on, functions between neighbours."""
    count, deadline = len(pool.objectives), pool.task.each.deadline
    if not pool.task.each.names:
        return
    searched = [pool.objectives[place] for place in spread_places(count, _MOST_SEARCHED)]
    for learned in _learned_apart(pool.task, searched):
        pool.add([learned])
    middle_first = sorted(range(count), key=lambda place: abs(2 * place - count + 1))
    done: set[tuple[int, int | None, int | None]] = set()
    for sweep in range(_SWEEPS if count > 1 else 0):
        chosen = pool.chain()
        for place in middle_first:
            if deadline.is_over():
                return
            wide, narrow = chosen[place - 1] if place else None, chosen[place + 1] if place + 1 < count else None
            if wide == narrow or (place, wide, narrow) in done:
                # One function is on both sides, so there is no other between them; or nothing moved since.
                continue
            done.add((place, wide, narrow))
            pool.add(_between(pool, place, wide, narrow, seed=sweep))
            chosen[place] = pool.legal(place, wide, narrow)[0]


def _between(pool: Pool, place: int, wide: int | None, narrow: int | None, *, seed: int) -> list[Model]:
    """Return functions for a boundary, found by Berge steps, that lie within one function and around another."""
    task, objective = pool.task, pool.objectives[place]
    each = task.each
    examples = ExampleMasks(objective.rows, np.random.default_rng([each.random_state, 0]))
    forced = (() if wide is None else pool.found[wide].outside, () if narrow is None else pool.found[narrow].inside)
    if any(term.bit_count() > MOST_LITERALS for side in forced for term in side):
        # With all that follows from them, terms of many cuts are longer than steps can take.
        return []
    problem = SearchProblem(examples, each.names, each.k, task.allowed, forced)
    moves, found = max(1, round(_MOVES * each.effort)), []
    # Steps count literals over all Boolean points: a function over the points of a space is no state of theirs.
    legal = (one for one in pool.legal(place, wide, narrow) if pool.found[one].model.space is None)
    for start in islice(legal, _STARTS):
        for label in (0, 1):
            terms = starting_terms((term, label) for term in pool.found[start].model.terms(label))
            if terms is not None:
                numbers = (each.random_state, seed, place, start, label)
                job = BergeJob(terms, 1 - label, objective.price, moves, numbers)
                found.append(run_job(problem, job, each.deadline.is_over)[0])
    return found


def _learned_apart(task: ChainTask, objectives: Sequence[Objective]) -> Iterator[Model]:
    """Yield the best function at each boundary; each has an equal part of the time."""
    for place, objective in enumerate(objectives):
        apart = replace(
            task.each,
            price=objective.price,
            tune=False,
            deadline=task.each.deadline.part(1 / (len(objectives) - place)),
            progress=part_of(task.each.progress, place / len(objectives), (place + 1) / len(objectives)),
        )
        yield search(objective.rows, apart).model


def spread_places(count: int, most: int) -> list[int]:
    """Return some of that many places, spread evenly, all if they are few.

    >>> spread_places(3, 8), spread_places(9, 3)
    ([0, 1, 2], [0, 4, 8])
    """
    spread: list[int] = np.linspace(0, count - 1, min(count, most)).round().astype(int).tolist()
    return spread


def part_of(progress: Callable[[float], None] | None, start: float, stop: float) -> Callable[[float], None] | None:
    """Return what tells of one part of the work."""
    return None if progress is None else lambda share: progress(start + (stop - start) * share)


def _spacing(boundaries: Sequence[Boundary], place: int) -> float:
    """Return what a boundary counts in the log loss: half the distance of its neighbours in log odds.

    >>> [round(_spacing([Boundary(0.2), Boundary(0.5), Boundary(0.8)], place), 2) for place in range(3)]
    [1.39, 1.39, 1.39]
    """
    levels = [boundary.level for boundary in boundaries]
    if len(set(levels)) > 1 or len(levels) == 1:
        return 1.0
    gaps = [high.odds - low.odds for low, high in pairwise(boundaries)]
    beside = gaps[max(0, place - 1) : place + 1]
    return float(np.mean(beside))
