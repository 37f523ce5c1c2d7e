"""From the optimum of a leaf, found by its number, to the function it stands for."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from idnf.learning.exact.leaves import FALSE, INTERSECTION, PATH, TREE, TRUE, LeafSolver
from idnf.learning.exact.problem import Problem
from idnf.logic.literals import feature_of, negation
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, Node, Split, joined


class LeafModels:
    """Writes the best function of a leaf as a node of a nested tree.

    Parameters
    ----------
    problem : Problem
        The table.
    solver : LeafSolver
        Solves leaves of it.
    names : tuple of str
        The features of the table.
    """

    def __init__(self, problem: Problem, solver: LeafSolver, names: tuple[str, ...]) -> None:
        self.problem, self.solver, self.names = problem, solver, names

    def best_leaf(self, path: NDArray[np.int64], *, thorough: bool = True) -> Node:
        """Return the best 2-AXp-interpretable function where the path holds, or only the best tree or pair."""
        found = self.solver.solve(path[None, :], np.array([np.inf if thorough else -np.inf]))
        form, first, second = int(found.form[0]), int(found.first[0]), int(found.second[0])
        if form in (FALSE, TRUE):
            return self._constant(form == TRUE, 2)
        if form == TREE:
            return self._tree(path, first)
        if form == PATH:
            return self._path(path, first, second)
        pairs = [tuple(self.solver.pairs.codes[number].tolist()) for number in dict.fromkeys((first, second))]
        terms = [list(dict.fromkeys(pair)) for pair in pairs if negation(pair[0]) != pair[1]]
        return self._leaf(terms, complemented=form == INTERSECTION)

    def best_tree(self, path: NDArray[np.int64]) -> Node:
        """Return the best decision tree of depth at most 2 where the path literals hold."""
        found = self.solver.solve(path[None, :], np.array([-np.inf]))
        if found.form[0] != TREE:
            return self._constant(bool(found.form[0] == TRUE), 2)
        feature = int(found.first[0])
        low, high = (self._literal(path, literal) for literal in (2 * feature + 1, 2 * feature))
        return joined(int(self.problem.features[feature]), low, high)

    def _literal(self, path: NDArray[np.int64], literal: int) -> Node:
        """Return the best split below one literal."""
        best, gain = self._best_addition([*path, literal], self.solver.price)
        if gain <= 0 or best == literal:
            return self._constant(gain > 0, 1)
        true, false = self._constant(True, 0), self._constant(False, 0)
        low, high = (true, false) if best & 1 else (false, true)
        return Split(int(self.problem.features[feature_of(best)]), low, high)

    def _tree(self, path: NDArray[np.int64], feature: int) -> Node:
        """Return a split over literals, or a term or two where one of its sides is constant."""
        sides = {literal: self._side(path, literal) for literal in (2 * feature, 2 * feature + 1)}
        if not any(isinstance(side, bool) for side in sides.values()):
            high, low = (self._leaf([[side]], k=1) for side in sides.values())
            return Split(int(self.problem.features[feature]), low, high)
        terms = []
        for literal, side in sides.items():
            opposite = sides[negation(literal)]
            if side is True:
                terms.append([literal])
            elif side is not False:
                terms.append([side] if opposite is True else [literal, side])
        return self._leaf(terms)

    def _side(self, path: NDArray[np.int64], literal: int) -> int | bool:
        """Return what is best below one literal: another literal, or a constant."""
        best, gain = self._best_addition([*path, literal], self.solver.price)
        return gain > 0 if gain <= 0 or best == literal else best

    def _path(self, path: NDArray[np.int64], b: int, c: int) -> Leaf:
        """Return ab|bc|cd with the best a and d; a term that gains nothing is left out."""
        (a, a_gain), (d, d_gain) = (
            self._best_addition([*path, b, negation(c)]),
            self._best_addition([*path, c, negation(b)]),
        )
        # Where nothing is worth adding to b, not c, the term is b itself; likewise c.
        a, d = b if a == negation(c) else a, c if d == negation(b) else d
        matrix = self._codes([b, a]), self._codes([c, d])
        prefixes = [(1, 1)]
        prefixes += [(2, 0)] if a_gain > 0 else []
        prefixes += [(0, 2)] if d_gain > 0 else []
        return Leaf(NestedDNF(self.names, matrix, tuple(prefixes), 2))

    def _leaf(self, terms: list[list[int]], *, complemented: bool = False, k: int = 2) -> Leaf:
        codes = [self._codes(term) for term in terms]
        return Leaf.of(NestedDNF.from_terms(self.names, codes, k), complemented=complemented)

    def _constant(self, value: bool, k: int) -> Leaf:
        return Leaf(NestedDNF.constant(self.names, value, k))

    def _codes(self, literals: list[int]) -> tuple[int, ...]:
        return tuple(self.problem.codes(np.array(literals)).tolist())

    def _best_addition(self, region: list[int], price: float = 0.0) -> tuple[int, float]:
        """Return the literal that leaves most weight in a conjunction, its last one if none improves on it enough."""
        inside = self.problem.literals[region].all(axis=0)
        usable = self.solver.usable
        weights = np.where(usable, self.problem.literals[:, inside] @ self.problem.weights[inside] - price, -np.inf)
        best = int(np.argmax(weights))
        whole = float(self.problem.weights[inside].sum())
        return (region[-1], whole) if whole >= weights[best] else (best, float(weights[best]))
