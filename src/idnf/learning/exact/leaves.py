"""The best 2-AXp-interpretable function of many leaves at once, by matrix products.

A leaf is a set of path literals; its examples carry signed weights (positive minus negative). A function is
2-AXp-interpretable iff it is (i) ab|cd, (ii) ab|bc|cd or (iii) (a|c)(b|d), literals possibly equal or opposite, or a
constant. With W the total weight of a region, and M(x) the largest W(x and a) over literals a:

- W(ab|cd) = W(ab) + W(cd) - W(abcd), the maximum of a product over pairs of pairs; (iii) is the same with the classes
  exchanged (:mod:`idnf.learning.exact.unions`);
- W(ab|bc|cd) = W(bc) + M(b, not c) + M(c, not b).

Literals may have a price: written down, ab|cd has four of them, ab|bc|cd six, and a tree of depth 2 that tests three
features has three. A tree is therefore a form of its own; so is a single pair, for literals barred from splits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.learning.exact.problem import Array, Backend, Integers, Problem
from idnf.learning.exact.unions import Charges, Cover, Pairs, blocks, total, union_bound, union_optimum

# How the best function of a leaf is written down; see `LeafOptima`.
FALSE, TRUE, TREE, PATH, UNION, INTERSECTION = range(6)


@dataclass(frozen=True)
class LeafOptima:
    """For each leaf the least cost found and the function that has it.

    Parameters
    ----------
    error : ndarray of shape (n_leaves,)
        Weight of the examples in error, and the price of the literals.
    form : ndarray of shape (n_leaves,)
        FALSE, TRUE; TREE: split on the feature `first`; PATH: b, c = `first`, `second`; UNION: the pairs of literals
        numbered `first` and `second`, one term if these are equal; INTERSECTION: the complement of such a union.
    first, second : ndarray of shape (n_leaves,)
    """

    error: NDArray[np.float64]
    form: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]


@dataclass(frozen=True)
class Batch:
    """Some leaves on the device.

    Parameters
    ----------
    literals : array of shape (2 n_features, n_leaves, n_rows)
    weights : array of shape (n_leaves, n_rows)
        Positive minus negative, 0 where a leaf has fewer examples than others.
    positive, negative : array of shape (n_leaves, 2 n_features, 2 n_features)
        Weight of each class among the examples that satisfy two literals.
    """

    literals: Array
    weights: Array
    positive: Array
    negative: Array


class Incumbents:
    """The best function so far of each leaf of a batch."""

    def __init__(self, backend: Backend, error: Array) -> None:
        zeros = backend.put_integers(np.zeros(error.shape))
        self.xp, self.error = backend.xp, error
        self.form, self.first, self.second = zeros + FALSE, zeros, zeros

    def offer(self, error: Array, form: int, first: Integers | int, second: Integers | int) -> None:
        """Take over the functions that are better than what is held."""
        better = error < self.error
        where = self.xp.where
        self.error = where(better, error, self.error)
        self.form = where(better, form + 0 * self.form, self.form)
        self.first = where(better, first + 0 * self.first, self.first)
        self.second = where(better, second + 0 * self.second, self.second)


class LeafSolver:
    """Solves leaves of one table.

    Parameters
    ----------
    backend : Backend
        Where to compute.
    problem : Problem
        The table, the price of a literal, and the literals that may be used.
    complements : tuple of bool
        Which of ab|cd (False) and its complement (True) to look for; none if only trees are wanted.
    trees : bool
        Whether a leaf may be a tree of depth 2, written as one.
    """

    def __init__(
        self, backend: Backend, problem: Problem, *, complements: tuple[bool, ...] = (False, True), trees: bool = True
    ) -> None:
        self.backend, self.tolerance, self.complements = backend, problem.tolerance, complements
        self.n_literals: int = problem.literals.shape[0]
        self.n_rows: int = problem.literals.shape[1]
        self.literals, self.weights = backend.put(problem.literals), backend.put(problem.weights)
        self.pairs = Pairs.of(backend, self.n_literals)
        opposite = np.arange(self.n_literals) ^ 1
        # More than any model can gain; 0 if nothing is barred, which keeps counts exact in single precision.
        most = 4 * float(np.abs(problem.weights).sum()) + 8 * problem.price + 1
        usable = problem.allowed if complements else np.repeat(problem.free, 2)
        barred = np.where(usable, 0.0, most)
        self.price, self.usable = problem.price, usable
        self.charges = tuple(
            Charges.of(backend, self.pairs, problem.price, charged) for charged in (barred, barred[opposite])
        )
        self._barred_splits = backend.put(np.where(problem.free & trees, 0.0, most))
        self._opposite = backend.put_integers(opposite)
        split = np.concatenate([np.arange(0, self.n_literals, 2), np.arange(1, self.n_literals, 2)])
        self._split = backend.put_integers(split)
        self._unsplit_opposite = backend.put_integers(np.argsort(split)[opposite])
        self._contradictory = backend.put_integers(opposite[:, None] == np.arange(self.n_literals)) > 0

    def trees(self, sets: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return for each leaf the least cost of a tree of depth at most 2."""
        found = [self._incumbents(self._batch(part)).error for part in self._parts(sets, self.n_literals)]
        return np.concatenate([self.backend.fetch(error) for error in found])

    def bounds(self, sets: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return for each leaf a lower bound on its cost and the cost of some function, from counts of pairs."""
        lower, upper = [], []
        for part in self._parts(sets, self.n_literals):
            batch = self._batch(part)
            best = self._incumbents(batch).error
            low = self.backend.xp.minimum(best, self._path_bound(batch))
            for complement in self.complements:
                counts, charges = _counts(batch, complement), self.charges[complement]
                low = self.backend.xp.minimum(low, union_bound(self.backend, self.pairs, counts, charges))
            lower.append(self.backend.fetch(low))
            upper.append(self.backend.fetch(best))
        return np.concatenate(lower), np.concatenate(upper)

    def solve(self, sets: NDArray[np.int64], thresholds: NDArray[np.float64]) -> LeafOptima:
        """Return for each leaf its optimum, or, if that is not below the threshold, some function."""
        rows = max(1, self.n_rows >> sets.shape[1])
        parts = list(self._parts(sets, len(self.pairs) * rows // self.n_literals))
        ends = np.cumsum([len(part) for part in parts])
        found = [self._solve(part, thresholds[end - len(part) : end]) for part, end in zip(parts, ends)]
        fetch = self.backend.fetch
        form, first, second = (
            np.concatenate([fetch(array).astype(np.int64) for array in arrays])
            for arrays in zip(*((best.form, best.first, best.second) for best in found))
        )
        return LeafOptima(np.concatenate([fetch(best.error) for best in found]), form, first, second)

    def _solve(self, sets: NDArray[np.int64], thresholds: NDArray[np.float64]) -> Incumbents:
        xp, batch, limit = self.backend.xp, self._batch(sets), self.backend.put(thresholds)
        best = self._incumbents(batch)
        if bool(xp.any(xp.minimum(best.error, limit) > self.tolerance)):
            covers = self._covers(batch)
            best.offer(*self._paths(covers[False]))
            for complement in self.complements:
                target = xp.minimum(best.error, limit) - self.tolerance
                optimum = union_optimum(self.backend, self.pairs, covers[complement], target)
                best.offer(optimum.error, INTERSECTION if complement else UNION, optimum.first, optimum.second)
        return best

    def _parts(self, sets: NDArray[np.int64], numbers: int) -> Iterator[NDArray[np.int64]]:
        """Cut the leaves into batches, given how many numbers per literal one leaf asks for."""
        size = max(1, self.backend.elements // (self.n_literals * max(1, numbers)))
        return (sets[start : start + size] for start in range(0, len(sets), size))

    def _batch(self, sets: NDArray[np.int64]) -> Batch:
        """Gather the examples of some leaves, as many as the largest of them has."""
        xp, (n_leaves, depth) = self.backend.xp, sets.shape
        literals = xp.broadcast_to(self.literals[:, None, :], (self.n_literals, n_leaves, self.n_rows))
        weights = xp.broadcast_to(self.weights[None, :], (n_leaves, self.n_rows))
        if depth:
            inside = xp.take(self.literals, self.backend.put_integers(sets[:, 0]), axis=0)
            for level in range(1, depth):
                inside = inside * xp.take(self.literals, self.backend.put_integers(sets[:, level]), axis=0)
            n_rows = max(1, int(xp.max(xp.sum(inside, axis=1))))
            outside = xp.asarray(inside < 0.5, dtype=xp.uint8)
            rows = xp.argsort(outside, axis=1, stable=True)[:, :n_rows]
            flat = xp.reshape(rows, (-1,))
            literals = xp.reshape(xp.take(self.literals, flat, axis=1), (self.n_literals, n_leaves, n_rows))
            weights = xp.reshape(xp.take(self.weights, flat), (n_leaves, n_rows))
            weights = weights * xp.take_along_axis(inside, rows, axis=1)
        by_leaf, by_row = xp.permute_dims(literals, (1, 0, 2)), xp.permute_dims(literals, (1, 2, 0))
        classes = (xp.maximum(sign * weights, 0 * weights)[:, None, :] for sign in (1, -1))
        return Batch(literals, weights, *(xp.matmul(by_leaf * weight, by_row) for weight in classes))

    def _incumbents(self, batch: Batch) -> Incumbents:
        """Return the best constant, tree of depth at most 2, or pair of each leaf."""
        xp, positive, negative = self.backend.xp, total(batch.positive), total(batch.negative)
        best = Incumbents(self.backend, positive)
        best.offer(negative, TRUE, 0, 0)
        net = batch.positive - batch.negative
        whole = xp.reshape(net, (-1, self.n_literals * self.n_literals))[:, :: self.n_literals + 1]
        gain = xp.max(net - self.charges[False].literals, axis=2) - self.price
        gain = xp.maximum(xp.maximum(gain, whole), 0 * gain)
        gains = gain[:, 0::2] + gain[:, 1::2] - self.price - self._barred_splits
        best.offer(positive - xp.max(gains, axis=1), TREE, xp.argmax(gains, axis=1), 0)
        for complement in self.complements:
            covered, wrong = (self.pairs.counts(self.backend, counts) for counts in _counts(batch, complement))
            value = covered - wrong - self.charges[complement].pairs
            pair = xp.argmax(value, axis=1)
            weight = negative if complement else positive
            best.offer(weight - xp.max(value, axis=1), INTERSECTION if complement else UNION, pair, pair)
        return best

    def _path_bound(self, batch: Batch) -> Array:
        """Bound the cost of ab|bc|cd: true on bc, false on not-b not-c, whatever a and d are; six literals."""
        xp = self.backend.xp
        opposite = xp.take(xp.take(batch.positive, self._opposite, axis=1), self._opposite, axis=2)
        charged = self.charges[False].literals
        error = batch.negative + opposite + charged + charged[:, None]
        error = xp.where(self._contradictory, xp.inf + 0 * opposite, error)
        bound: Array = xp.min(error, axis=(1, 2)) + 6 * self.price
        return bound

    def _covers(self, batch: Batch) -> tuple[Cover, Cover]:
        """Count three literals, and what is best to add to two of them, for covering class 1 and class 0."""
        xp, n_literals, n_leaves = self.backend.xp, self.n_literals, batch.weights.shape[0]
        positive, negative = self._triples(batch, 1), self._triples(batch, -1)
        net = positive - negative
        charged = (xp.take(charges.literals, self._split) for charges in self.charges)
        extremes = [xp.max(sign * net - barred, axis=2) for sign, barred in zip((1, -1), charged)]
        shape = (n_leaves, n_literals, n_literals)
        best, worst = (xp.reshape(xp.take(value, self.pairs.place, axis=1), shape) for value in extremes)
        best, worst = (xp.take(xp.maximum(value, 0 * value), self._split, axis=2) for value in (best, worst))
        return (
            Cover(batch.literals, batch.weights, batch.positive, batch.negative, positive, best, self.charges[False]),
            Cover(batch.literals, -batch.weights, batch.negative, batch.positive, negative, worst, self.charges[True]),
        )

    def _triples(self, batch: Batch, sign: int) -> Array:
        """Count the examples of a class in every pair and literal: features by a product, the rest by subtraction."""
        xp, n_pairs = self.backend.xp, len(self.pairs) // 4
        weights = xp.maximum(sign * batch.weights, 0 * batch.weights)
        third = xp.permute_dims(batch.literals[0::2, ...], (1, 2, 0))
        parts = []
        for block in blocks(self.backend, 0, n_pairs):
            both = xp.take(batch.literals, self.pairs.second[block], axis=0) * weights[None, :, :]
            both = xp.take(batch.literals, self.pairs.first[block], axis=0) * both
            parts.append(xp.matmul(xp.permute_dims(both, (1, 0, 2)), third))
        count = xp.concat(parts, axis=1)
        two = batch.positive if sign > 0 else batch.negative
        first, second = self.pairs.first[:n_pairs], self.pairs.second[:n_pairs]
        both_hold = xp.concat([count, self.pairs.counts(self.backend, two)[:, :n_pairs, None] - count], axis=2)
        two = xp.take(two, self._split, axis=2)
        second_fails = xp.take(two, first, axis=1) - both_hold
        first_fails = xp.take(two, second, axis=1) - both_hold
        both_fail = xp.take(two, first + 1, axis=1) - first_fails
        triples: Array = xp.concat([both_hold, second_fails, first_fails, both_fail], axis=1)
        return triples

    def _paths(self, cover: Cover) -> tuple[Array, int, Integers, Integers]:
        """Return the least cost of ab|bc|cd in each leaf, with b and c."""
        xp, n_literals = self.backend.xp, self.n_literals
        best = xp.take(cover.best, self._unsplit_opposite, axis=2)
        charged = cover.charges.literals
        weight = cover.covered - cover.wrong + best + xp.permute_dims(best, (0, 2, 1)) - charged - charged[:, None]
        flat = xp.reshape(weight, (-1, n_literals * n_literals))
        at = xp.argmax(flat, axis=1)
        cost = total(cover.covered) - xp.max(flat, axis=1) + 6 * self.price
        return cost, PATH, at // n_literals, at % n_literals


def _counts(batch: Batch, complement: bool) -> tuple[Array, Array]:
    """Return the counts of the class to be covered and of the other."""
    return (batch.negative, batch.positive) if complement else (batch.positive, batch.negative)
