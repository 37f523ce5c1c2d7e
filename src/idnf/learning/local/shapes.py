"""The shapes of the nested trees that a family has."""

from __future__ import annotations

from itertools import product

from idnf.learning.local.jobs import SearchProblem
from idnf.learning.local.search_options import SearchOptions
from idnf.learning.local.tree_search import Shape

# Matrices beyond this order have too many prefix vectors (924 at 6, 3432 at 7); a larger k uses this one.
_MOST_ORDER = 6


def all_shapes(options: SearchOptions, problem: SearchProblem, *, restarts: int) -> list[Shape]:
    """Return the shapes to anneal, those that matter most several times."""
    family, k = options.family, problem.k
    if family == "tree":
        return restarts * tree_shapes(problem)
    nested = restarts * nested_shapes(options, problem)
    if family == "nested":
        return nested
    if family == "pair-tree":
        return nested + tree_shapes(problem) + _pair_shapes(problem)
    splits: list[Shape] = []
    if k > 2 and problem.free:
        sides = tuple(product((False, True), repeat=2)) if family == "nested-tree" else ((False, True),)
        splits = [Shape(1, min(k - 1, _MOST_ORDER), pair) for pair in sides]
    return nested + tree_shapes(problem) + splits


def nested_shapes(options: SearchOptions, problem: SearchProblem) -> list[Shape]:
    """Return nested DNFs of class 1, of class 0, or both."""
    sides = {"positive": (False,), "negative": (True,), "auto": (False, True)}[options.either_polarity]
    order = min(options.order(problem.k), _MOST_ORDER)
    return [Shape(0, order, (side,)) for side in sides] if problem.allowed else []


def tree_shapes(problem: SearchProblem) -> list[Shape]:
    """Return decision trees of depth k, where some split is allowed."""
    depth = min(problem.k, _MOST_ORDER)
    return [Shape(depth, 0, (False,) * (1 << depth))] if problem.free else []


def _pair_shapes(problem: SearchProblem) -> list[Shape]:
    """Return trees over nested 2-DNFs with leaves of class 1, of class 0, and of both in turn."""
    depth = min(problem.k - 2, _MOST_ORDER)
    if depth < 1 or not problem.free:
        return []
    half = 1 << depth - 1
    return [Shape(depth, 2, half * pair) for pair in product((False, True), repeat=2)]
