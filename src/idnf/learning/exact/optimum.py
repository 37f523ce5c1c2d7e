"""Proved optima: pair trees (depth k-2, leaves among all 2-AXp-interpretable functions), trees, nested 2-DNFs.

Every leaf has a lower bound and a function; a dynamic programme over sets of path literals gives from them a bound for
every tree, the best tree, and how good each leaf would have to be for some tree to beat the best one known
(:mod:`idnf.learning.exact.levels`). Leaves are solved by matrix products (:mod:`idnf.learning.exact.leaves`), the most
promising first, until none can. The objective is the weighted share of training errors plus the price of the literals
written in the model; every bound counts both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from idnf.counting.contract import DistinctRows
from idnf.learning.exact.leaf_trees import TreeSearch, best_literal
from idnf.learning.exact.nested_optimum import Goal, nested_optimum
from idnf.learning.exact.problem import ExactOptions, Found, Problem, Watch
from idnf.learning.objective import Learned
from idnf.logic.model import Model
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree

__all__ = ["ExactOptions", "exact"]

# Seconds to prepare a search, and to write down its best tree, for each entry of its tables.
_SET_UP = 3e-6


def exact(rows: DistinctRows, names: tuple[str, ...], k: int, *, options: ExactOptions | None = None) -> Learned:
    """Return the model of least training objective of a family, or the best found with a bound.

    Parameters
    ----------
    rows : DistinctRows
        The training examples; nothing is proved where they are a sample.
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
        raise ValueError(f"k must be 1 or more; got {k}.")
    options = options or ExactOptions()
    problem = Problem.from_rows(rows, price=options.price, allowed=options.allowed)
    start = options.start
    given = np.inf if start is None else problem.cost(rows, start.model)
    found = _search(problem, names, k, options, given)
    cost = problem.cost(rows, found.model)
    best = _Candidate(found.model, cost, found.bound)
    if start is not None and given < cost - problem.tolerance:
        best = _Candidate(start.model, given, found.bound)
    return _learned(rows, problem, best, options, k)


@dataclass(frozen=True)
class _Candidate:
    """A model, its cost, and the bound for the family that was solved."""

    model: Model
    cost: float
    bound: float


def _learned(rows: DistinctRows, problem: Problem, candidate: _Candidate, options: ExactOptions, k: int) -> Learned:
    model, family, objective = candidate.model, _solved_family(options.family, k), problem.share(candidate.cost)
    if not rows.complete:
        return Learned(model, objective, price=options.price)
    reached = candidate.bound > candidate.cost - problem.tolerance
    bound = objective if reached else problem.share(candidate.bound)
    proved = reached and (family != "pair-tree" or is_pair_tree(model))
    return Learned(model, objective, family if proved else None, bound, family, options.price)


def _solved_family(family: str, k: int) -> str:
    """Return the family that is searched: at k = 2 all functions are pair trees, beyond they are not."""
    return "pair-tree" if k > 2 and family in ("any", "nested-tree") else family


def is_pair_tree(model: Model) -> bool:
    """Tell whether a model is written as a pair tree: every leaf a nested 2-DNF or the complement of one.

    A double DNF is not written as a tree, whatever its function.

    >>> is_pair_tree(NestedDNF(("a", "b", "c"), ((0, 2), (4,)), ((2, 0), (0, 1)), 3))
    True
    >>> is_pair_tree(NestedDNF(("a", "b", "c"), ((0, 2, 4),), ((3,),), 3))
    False
    """
    tree = model.nested_form
    return tree is not None and all(leaf.least_k <= 2 for _, leaf in NestedTree.of(tree).leaves())


def _search(problem: Problem, names: tuple[str, ...], k: int, options: ExactOptions, given: float) -> Found:
    """Return the best model and a bound; a constant if there was no time to find a better one than the given."""
    watch = Watch(options, problem.share)
    if k == 1 or not problem.n_features:
        return best_literal(problem, names, k, plain=options.family == "tree")
    if options.family == "nested":
        return nested_optimum(problem, names, k, options, Goal(given, watch))
    constant = NestedDNF.constant(names, False, k)
    if options.start is not None and watch.left < _SET_UP * TreeSearch.entries(problem, k):
        return Found(constant, 0.0)
    search = TreeSearch(problem, k, plain=options.family == "tree", device=options.device)
    search.run(given, watch)
    if options.start is not None and watch.is_over and search.levels.best() > given - problem.tolerance:
        return Found(constant, search.bound(given))
    return search.found(given, names, thorough=not watch.is_over)
