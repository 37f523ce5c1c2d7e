"""Optimal nested DNFs: proved at k = 2; at k = 3 the best found, with a bound."""

from __future__ import annotations

from dataclasses import replace

from idnf.learning.exact_options import ExactOptions, Found, Watch
from idnf.learning.exact_problem import Problem
from idnf.learning.exact_trees import TreeSearch
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree

# Which of ab|cd (False) and its complement (True) to look for.
_COMPLEMENTS = {"positive": (False,), "negative": (False,), "auto": (False, True)}


def nested_optimum(
    problem: Problem, names: tuple[str, ...], k: int, options: ExactOptions, state: tuple[float, Watch]
) -> Found:
    """Return the best nested k-DNF (k = 2), or the best found (k > 2), of the polarity asked for."""
    swapped = options.polarity == "negative"
    if swapped:
        problem = replace(problem, weights=-problem.weights)
    search = TreeSearch(problem, 2, device=options.device, complements=_COMPLEMENTS[options.polarity])
    search.run(state[0], state[1])
    found = search.found(state[0], names)
    assert isinstance(found.model, NestedTree), "a tree search finds trees"
    leaf = found.model.root
    assert isinstance(leaf, Leaf), "at k = 2 there is no split"
    nested = NestedDNF(names, leaf.nested.matrix, leaf.nested.prefixes, k)
    complemented = leaf.complemented != swapped
    model = NestedTree.from_nested(nested, complemented=True) if complemented else nested
    return Found(model, found.bound if k == 2 else 0.0)
