"""The best tree of depth k-2 over optimal leaves: bounds on all leaves first, then the leaves that matter."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from idnf.learning.exact.leaves import FALSE, INTERSECTION, PATH, TREE, TRUE, LeafSolver
from idnf.learning.exact.levels import Branch, Levels, Path, n_sets
from idnf.learning.exact.problem import Backend, BoundedModel, Problem, Watch
from idnf.logic.literals import feature_of, negation
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree, Node, Split, join_nodes


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
        return join_nodes(int(self.problem.features[feature]), low, high)

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


# More sets of one size than this are not listed: the search then stays at a smaller depth and proves nothing.
_MOST_SETS = 4_000_000
# Counts of three literals for one leaf beyond this are not made; its bounds come from counts of two.
_MOST_TRIPLES = 1 << 26
# Pairs times examples treated between two looks at the clock, on a CPU and on a GPU.
_WORK = {"cpu": 1 << 28, "cuda": 1 << 36}
# Where fewer seconds than these are left, looks at the clock are this many times as frequent.
_SHORT = 30.0
_LIMITED = 8


class TreeSearch:
    """Searches the trees of depth at most k-2 over 2-AXp-interpretable leaves, or all trees of depth at most k.

    Parameters
    ----------
    problem : Problem
        The table.
    k : int
        At least 2.
    plain : bool
        Whether leaves are trees of depth 2 only.
    device : str
        Where to solve the leaves.
    complements : tuple of bool
        Which of ab|cd (False) and its complement (True) a leaf may be.
    trees : bool
        Whether a leaf may be written as a tree of depth 2.
    """

    def __init__(
        self,
        problem: Problem,
        k: int,
        *,
        plain: bool = False,
        device: str = "cpu",
        complements: tuple[bool, ...] = (False, True),
        trees: bool = True,
    ) -> None:
        self.problem, self.k, self.plain, self.trees = problem, k, plain, trees
        self.complements = () if plain else complements
        counts_only = not problem.price and bool(problem.allowed.all())
        self.backend = Backend.for_weights(device, problem.weights, plain=counts_only)
        free = np.flatnonzero(problem.free).tolist()
        depth = _depth(len(free), k)
        self.is_whole = depth == min(k - 2, len(free))
        weights = problem.weights
        limit = min(weights[weights > 0].sum(), -weights[weights < 0].sum())
        self.levels = Levels(free, depth, limit=float(limit), price=problem.price)
        self.solver = self._solver(self.backend)

    @staticmethod
    def entries(problem: Problem, k: int) -> int:
        """Return the size of the tables that a search needs: pairs of literals, and leaves."""
        n_free = int(np.count_nonzero(problem.free))
        depth = _depth(n_free, k)
        return int(problem.literals.shape[0]) ** 2 + sum(n_sets(n_free, size) for size in range(depth + 1))

    def run(self, incumbent: float, watch: Watch) -> None:
        """Search until nothing can beat the incumbent or the best tree, the time is over or the user interrupts."""
        try:
            if self._bound_leaves(watch) and not self.plain and self._has_triples:
                self._close_leaves(incumbent, watch)
        except KeyboardInterrupt:
            watch.deadline.stop()

    def bound(self, incumbent: float) -> float:
        """Return what no tree can beat."""
        return min(incumbent, self.levels.best(), self.levels.bound()) if self.is_whole else 0.0

    def found(self, incumbent: float, names: tuple[str, ...], *, thorough: bool = True) -> BoundedModel:
        """Return the best tree found and what no tree can beat; its leaves are solved to the end if there is time."""
        bound = self.bound(incumbent)
        exactly = Backend(np, "cpu", single=False)
        models = LeafModels(self.problem, self._solver(exactly), names)
        root = self._node(self.levels.best_tree(), models, thorough=thorough and self._has_triples)
        return BoundedModel(NestedTree(names, root, self.k), bound)

    def _solver(self, backend: Backend) -> LeafSolver:
        return LeafSolver(backend, self.problem, complements=self.complements, trees=self.trees)

    @property
    def _has_triples(self) -> bool:
        return len(self.solver.pairs) * self.solver.n_literals <= _MOST_TRIPLES

    def _bound_leaves(self, watch: Watch) -> bool:
        """Bound every leaf from counts of two literals; False if time is over."""
        levels, size = self.levels, self._round_size(16, limited=watch.deadline.left < _SHORT)
        for numbers, sets in levels.chosen(np.arange(len(levels.lower))):
            for start in range(0, len(sets), size):
                part = slice(start, start + size)
                place = numbers[part]
                if self.plain:
                    levels.lower[place] = levels.upper[place] = self.solver.trees(sets[part])
                else:
                    levels.lower[place], levels.upper[place] = self.solver.bounds(sets[part])
                if watch.deadline.is_over():
                    return False
        return True

    def _close_leaves(self, incumbent: float, watch: Watch) -> None:
        """Solve leaves, those that promise most first, until no tree can beat the best one."""
        levels, tolerance = self.levels, self.problem.tolerance
        while not watch.deadline.is_over():
            incumbent, bound = min(incumbent, levels.best()), levels.bound()
            watch.report(incumbent, min(bound, incumbent))
            thresholds = levels.thresholds(incumbent)
            slack = np.minimum(thresholds, levels.upper) - levels.lower
            open_leaves = np.flatnonzero(slack > tolerance)
            if bound > incumbent - tolerance or not len(open_leaves):
                return
            promise = (thresholds - levels.lower)[open_leaves]
            size = self._round_size(1, limited=watch.deadline.left < _SHORT)
            chosen = open_leaves[np.argsort(-promise, kind="stable")[:size]]
            self._solve(chosen, thresholds[chosen])

    def _solve(self, chosen: NDArray[np.int64], thresholds: NDArray[np.float64]) -> None:
        levels = self.levels
        # Leaves of similar size share a product best.
        chosen_order = np.argsort(-levels.upper[chosen], kind="stable")
        limits = np.empty(len(levels.lower))
        limits[chosen] = thresholds
        for numbers, sets in levels.chosen(chosen[chosen_order]):
            error = self.solver.solve(sets, limits[numbers]).error
            levels.lower[numbers] = np.maximum(levels.lower[numbers], np.minimum(error, limits[numbers]))
            levels.upper[numbers] = np.minimum(levels.upper[numbers], error)

    def _round_size(self, factor: int, *, limited: bool) -> int:
        """Return how many leaves to treat between two looks at the whole, and at the clock if there is a limit."""
        least = 32 if self.backend.device == "cpu" else 8192
        affordable = _WORK[self.backend.device] // (len(self.solver.pairs) * self.solver.n_rows)
        if limited:
            return max(1, affordable // _LIMITED)
        return max(1, factor * min(max(least, len(self.levels.lower) // 128), affordable))

    def _node(self, branch: Branch | Path, models: LeafModels, *, thorough: bool) -> Node:
        if not isinstance(branch, Branch):
            path = np.array(branch, dtype=np.int64)
            return models.best_tree(path) if self.plain else models.best_leaf(path, thorough=thorough)
        low, high = (self._node(part, models, thorough=thorough) for part in (branch.if_false, branch.if_true))
        return join_nodes(int(self.problem.features[branch.feature]), low, high)


def _depth(n_free: int, k: int) -> int:
    """Return the depth of trees above the leaves: k - 2, or less if there would be too many sets of some size."""
    sizes = range(1, min(k - 2, n_free) + 1)
    return next((size - 1 for size in sizes if n_sets(n_free, size) > _MOST_SETS), len(sizes))


def best_literal(problem: Problem, names: tuple[str, ...], k: int, *, plain: bool) -> BoundedModel:
    """Return the best literal or constant, as a decision tree if asked: the optimum at k = 1 or without features."""
    usable = np.repeat(problem.free, 2) if plain else problem.allowed
    gains = np.where(usable, problem.literals @ problem.weights - problem.price, -np.inf)
    positive, net = float(problem.weights[problem.weights > 0].sum()), float(problem.weights.sum())
    best = max(0.0, net)
    if not len(gains) or gains.max() <= best + problem.tolerance:
        constant = NestedDNF.constant(names, net > 0, k)
        return BoundedModel(NestedTree.from_nested(constant) if plain else constant, positive - best)
    code = int(problem.codes(np.array([np.argmax(gains)]))[0])
    bound = positive - float(gains.max())
    if not plain:
        return BoundedModel(NestedDNF.from_terms(names, [[code]], k), bound)
    leaves = [Leaf(NestedDNF.constant(names, value, k - 1)) for value in (bool(code & 1), not code & 1)]
    return BoundedModel(NestedTree(names, Split(feature_of(code), *leaves), k), bound)
