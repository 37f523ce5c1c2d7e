"""Proved optima: pair trees (depth k-2, leaves among all 2-AXp-interpretable functions), trees, nested 2-DNFs.

Every leaf has a lower bound and a function; a dynamic programme over sets of path literals gives from them a bound for
every tree, the best tree, and how good each leaf would have to be for some tree to beat the best one known
(:mod:`idnf.learning.exact.levels`). Leaves are solved by matrix products (:mod:`idnf.learning.exact.leaves`), the most
promising first, until none can. The objective is the weighted share of training errors plus the price of the literals
written in the model; every bound counts both.

Nested DNFs are optimal at k = 2 by matrix products; beyond, as weighted MaxSAT, which may stop early with a bound. The
formula chooses one literal for each place of the matrix and a set of prefix vectors; an example meets a prefix of each
row, as in the staircase view, and is in error at the price of its weight. A prefix vector that is chosen costs the
price of its literals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.learning.exact.leaf_trees import TreeSearch, best_literal
from idnf.learning.exact.maxsat import MaxSat
from idnf.learning.exact.problem import BoundedModel, ExactOptions, Problem, Watch
from idnf.learning.families import FAMILIES, Family
from idnf.learning.objective import Learned
from idnf.learning.proved_families import is_of
from idnf.logic.errors import InvalidArgument
from idnf.logic.model import Model
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree

# Which of ab|cd (False) and its complement (True) to look for; "negative" exchanges the classes instead.
_COMPLEMENTS = {"positive": (False,), "negative": (False,), "auto": (False, True)}
# Whether a nested DNF of class 0 is sought, for each polarity.
_SIDES = {"positive": (False,), "negative": (True,), "auto": (False, True)}
# More clauses than this are not written down: the bound is then what every model gets wrong. The second number is for
# those that say which terms an example meets, if there are some examples.
_MOST_CLAUSES, _MOST_MET = 3_000_000, 20_000_000
_LEAST_EXAMPLES = 10
# Weights and prices that are multiples of a fraction with at most this denominator become integers. Others are scaled
# to sum to `_SCALE` and rounded down, so that the bound stays one.
_MOST_DENOMINATOR = 1000
_SCALE = 1_000_000
# Without a time limit: rounds of the MaxSAT solver for each polarity, times clauses. About a minute on small tables.
_WORK = 6_000_000
_LEAST_ROUNDS = 20


@dataclass(frozen=True)
class Goal:
    """The error to beat, and the clock."""

    incumbent: float
    watch: Watch


def nested_optimum(problem: Problem, names: tuple[str, ...], k: int, options: ExactOptions, goal: Goal) -> BoundedModel:
    """Return the best nested k-DNF of the polarity asked for; for k > 2 perhaps only the best found, with a bound."""
    small, error = _best_of_order_2(problem, names, k, options)
    # No more rows are needed than there are points.
    order = min(k, 1 << problem.n_features)
    if order <= 2 or error <= problem.tolerance:
        return small
    if not _Encoding.fits(problem, order):
        return BoundedModel(small.model, 0.0)
    bound, best = np.inf, small
    for number, complemented in enumerate(_SIDES[options.polarity], start=1):
        share = goal.watch.part(1 / (len(_SIDES[options.polarity]) - number + 1))
        sought = _Encoding(problem, order, complemented=complemented).solve(min(goal.incumbent, error), share)
        bound = min(bound, sought.bound)
        if sought.matrix is not None and sought.bound < error - problem.tolerance:
            matrix = tuple(tuple(problem.codes(np.array(row)).tolist()) for row in sought.matrix)
            error, best = (
                sought.bound,
                BoundedModel(_terms_by_class(NestedDNF(names, matrix, sought.prefixes, k), complemented), 0.0),
            )
    return BoundedModel(best.model, min(bound, error, goal.incumbent))


def _best_of_order_2(
    problem: Problem, names: tuple[str, ...], k: int, options: ExactOptions
) -> tuple[BoundedModel, float]:
    """Return the best nested 2-DNF, as a nested k-DNF, and its error; only the user can cut this short."""
    swapped = options.polarity == "negative"
    if swapped:
        problem = problem.with_classes_exchanged()
    complements = _COMPLEMENTS[options.polarity]
    search = TreeSearch(problem, 2, device=options.device, complements=complements, trees=False)
    watch = Watch(replace(options, deadline=options.deadline.endless(), progress=None), problem.share)
    search.run(np.inf, watch)
    found = search.found(np.inf, names, thorough=not watch.deadline.is_over())
    leaf = found.model.leaf()
    assert leaf is not None, "at k = 2 there is no split"
    nested = NestedDNF(names, leaf.nested.matrix, leaf.nested.prefixes, k)
    return BoundedModel(_terms_by_class(nested, (leaf.label == 0) != swapped), found.bound), search.levels.best()


def _terms_by_class(nested: NestedDNF, complemented: bool) -> NestedDNF | NestedTree:
    return NestedTree.from_nested(nested, complemented=True) if complemented else nested


@dataclass(frozen=True)
class _Sought:
    """A bound on the error, and the matrix and prefix vectors that reach it if they were found."""

    bound: float
    matrix: list[list[int]] | None
    prefixes: tuple[tuple[int, ...], ...]


class _Encoding:
    """The formula for nested k-DNFs over a table; covering class 0 if the model is to be complemented."""

    def __init__(self, problem: Problem, k: int, *, complemented: bool) -> None:
        self.problem, self.k = problem.with_classes_exchanged() if complemented else problem, k
        self.scale, self.weights, self.price = _scale(self.problem.weights, problem.price)
        self.formula = MaxSat()
        new = self.formula.new
        n_literals, places = len(problem.literals), range(k)
        self.places = [[[new() for _ in range(n_literals)] for _ in places] for _ in places]
        self.vectors = {r: new() for r in _prefix_vectors(k)}

    @staticmethod
    def fits(problem: Problem, k: int) -> bool:
        """Return whether the formula is small enough to be written down."""
        examples = max(_LEAST_EXAMPLES, len(problem.weights))
        return k**2 * problem.literals.size <= _MOST_CLAUSES and k * comb(2 * k, k) * examples <= _MOST_MET

    @property
    def n_clauses(self) -> int:
        """About how many clauses the formula has."""
        return self.k**2 * self.problem.literals.size

    def write(self, is_over: Callable[[], bool]) -> bool:
        """Write the whole formula; return whether there was time for it."""
        self._choose_literals()
        self._price_vectors()
        for example in range(len(self.problem.weights)):
            if is_over():
                return False
            self._add_example(example)
        return True

    def solve(self, incumbent: float, watch: Watch) -> _Sought:
        """Search until a model is proved best, nothing can beat the incumbent, or the clock says so."""
        rounds, bound = 0, 0.0
        most = max(_LEAST_ROUNDS, _WORK // max(1, self.n_clauses))

        def stop(cost: int) -> bool:
            nonlocal rounds, bound
            rounds, bound = rounds + 1, cost / self.scale
            watch.report(incumbent, min(bound, incumbent))
            is_late = watch.deadline.is_over() if watch.deadline.is_set else rounds > most
            return is_late or bound > incumbent - self.problem.tolerance

        try:
            if not self.write(watch.deadline.is_over):
                return _Sought(0.0, None, ())
            outcome = self.formula.solve(stop)
        except KeyboardInterrupt:
            watch.deadline.stop()
            return _Sought(bound, None, ())
        if outcome.model is None:
            return _Sought(outcome.cost / self.scale, None, ())
        model = outcome.model
        matrix = [[next(l for l, var in enumerate(place) if var in model) for place in row] for row in self.places]
        prefixes = tuple(r for r, var in self.vectors.items() if var in model)
        return _Sought(outcome.cost / self.scale, matrix, prefixes)

    def _choose_literals(self) -> None:
        """One literal for each place; rows in the order of their first literals."""
        add, new = self.formula.add, self.formula.new
        for row in self.places:
            for place in row:
                add(place)
                earlier = [new() for _ in place]
                for l, var in enumerate(place):
                    add([-var, earlier[l]])
                    if l:
                        add([-earlier[l - 1], earlier[l]])
                        add([-var, -earlier[l - 1]])
                for var, usable in zip(place, self.problem.allowed):
                    if not usable:
                        add([-var])
        for row, following in zip(self.places, self.places[1:]):
            for l, var in enumerate(row[0]):
                add([-var, *following[0][l:]])

    def _price_vectors(self) -> None:
        """Charge the literals of each vector that is chosen."""
        for r, chosen in self.vectors.items():
            if self.price:
                self.formula.prefer(-chosen, self.price * sum(r))

    def _add_example(self, example: int) -> None:
        """Say which prefixes an example meets, and charge its weight where the vectors chosen give the wrong class."""
        add, new, weight = self.formula.add, self.formula.new, int(self.weights[example])
        if not weight:
            return
        met = [self._prefixes_met(row, self.problem.literals[:, example]) for row in self.places]
        right = new()
        reasons = []
        for r, chosen in self.vectors.items():
            needed = [met[i][length - 1] for i, length in enumerate(r) if length]
            if weight < 0:
                add([-right, -chosen, *(-prefix for prefix in needed)])
            else:
                reasons.append(new())
                for condition in (chosen, *needed):
                    add([-reasons[-1], condition])
        if weight > 0:
            add([-right, *reasons])
        self.formula.prefer(right, abs(weight))

    def _prefixes_met(self, row: list[list[int]], holds: NDArray[np.bool_]) -> list[int]:
        """Return variables for "the first j literals of this row hold", j from 1."""
        add = self.formula.add
        met: list[int] = []
        for place in row:
            here = self.formula.new()
            for var, value in zip(place, holds):
                add([-var, here if value else -here])
            if met:
                both = self.formula.new()
                add([-both, met[-1]])
                add([-both, here])
                add([both, -met[-1], -here])
                here = both
            met.append(here)
        return met


def _prefix_vectors(k: int) -> Iterator[tuple[int, ...]]:
    """Yield how much each of k rows gives to a term of 1 to k literals, in ascending order.

    >>> [*_prefix_vectors(2)]
    [(0, 1), (0, 2), (1, 0), (1, 1), (2, 0)]
    """
    # Places of k bars among k literals: what lies before the first bar is of the first row, and so on.
    for bars in combinations(range(2 * k), k):
        if bars[-1] > k - 1:
            yield tuple(bar - before - 1 for before, bar in zip((-1, *bars), bars))


def _scale(weights: NDArray[np.float64], price: float) -> tuple[float, NDArray[np.float64], int]:
    """Return a scale, and weights and price as integers on it: exact with a small denominator, else rounded down.

    >>> _scale(np.array([0.5, -1.0]), 0.2)
    (10.0, array([  5., -10.]), 2)
    """
    values = np.append(np.abs(weights), price)
    for denominator in range(1, _MOST_DENOMINATOR + 1):
        scaled = np.round(values * denominator)
        if (np.abs(values * denominator - scaled) <= 1e-12 * denominator * values).all():
            return float(denominator), np.sign(weights) * scaled[:-1], int(scaled[-1])
    scale = _SCALE / float(values.sum())
    scaled = np.floor(values * scale)
    return scale, np.sign(weights) * scaled[:-1], int(scaled[-1])


__all__ = ["ExactOptions", "exact"]

# Seconds to prepare a search, and to write down its best tree, for each entry of its tables.
_SET_UP = 3e-6


def exact(rows: DistinctRows, names: tuple[str, ...], k: int, *, options: ExactOptions | None = None) -> Learned:
    """Return the model of least training objective of a family, or the best found with a bound.

    Parameters
    ----------
    rows : DistinctRows
        The training examples; nothing is proved if they are a sample.
    names : tuple of str
        The features.
    k : int
        The largest number of literals in an explanation, at least 1.
    options : ExactOptions, optional

    Examples
    --------
    >>> features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> xor = DistinctRows.of_two(features, np.array([0.0, 1, 1, 0]), np.array([1.0, 0, 0, 1]), True)
    >>> found = exact(xor, ("a", "b"), 2)
    >>> print(found.model.side(True), found.objective, found.optimal)
    ~a & b | a & ~b 0.0 any
    """
    if k < 1:
        raise InvalidArgument("k", "be 1 or more", k)
    options = options or ExactOptions()
    problem = Problem.from_rows(rows, price=options.price, allowed=options.allowed)
    start = options.start
    given = np.inf if start is None else problem.cost(rows, start.model)
    family = _proved_family(options.family, k)
    found = _search(problem, names, k, options, given)
    cost = problem.cost(rows, found.model)
    best = _Candidate(found.model, cost, found.bound)
    if start is not None and given < cost - problem.tolerance:
        best = _Candidate(start.model, given, found.bound)
    return _as_learned(rows, problem, best, options, family)


@dataclass(frozen=True)
class _Candidate:
    """A model, its cost, and the bound for the family that was solved."""

    model: Model
    cost: float
    bound: float


def _as_learned(
    rows: DistinctRows, problem: Problem, candidate: _Candidate, options: ExactOptions, family: str
) -> Learned:
    model, objective = candidate.model, problem.share(candidate.cost)
    if not rows.complete:
        return Learned(model, objective, price=options.price)
    reached = candidate.bound > candidate.cost - problem.tolerance
    bound = objective if reached else problem.share(candidate.bound)
    proved = reached and is_of(family, model, options.polarity)
    return Learned(model, objective, family if proved else None, bound, family, options.price)


def _proved_family(family: Family, k: int) -> str:
    """Return the family of which a bound is proved: at k = 2 all functions are pair trees, beyond they are not."""
    proved = family.proved_at(k)
    if proved is None:
        names = ", ".join(one.name for one in FAMILIES if one.proved_at(k))
        raise InvalidArgument("family", f"be one of {names} for a proof", f"{family.name!r}")
    return proved


def _search(problem: Problem, names: tuple[str, ...], k: int, options: ExactOptions, given: float) -> BoundedModel:
    """Return the best model and a bound; a constant if there was no time to find a better one than the given."""
    watch = Watch(options, problem.share)
    if k == 1 or not problem.n_features:
        return best_literal(problem, names, k, plain=not options.family.has_nested)
    if not options.family.has_trees:
        return nested_optimum(problem, names, k, options, Goal(given, watch))
    constant = NestedDNF.constant(names, False, k)
    if options.start is not None and watch.deadline.left < _SET_UP * TreeSearch.entries(problem, k):
        return BoundedModel(constant, 0.0)
    search = TreeSearch(problem, k, plain=not options.family.has_nested, device=options.device)
    search.run(given, watch)
    if options.start is not None and watch.deadline.is_over() and search.levels.best() > given - problem.tolerance:
        return BoundedModel(constant, search.bound(given))
    return search.found(given, names, thorough=not watch.deadline.is_over())
