"""The best union of two pairs of literals, ab|cd, for many leaves at once.

With TP, FP and W = TP - FP the weights a region covers of the class to be covered, of the other, and their difference,
the weight of the union of x = ab and y = cd is W(x) + W(y without x), and for every literal c of y

- W(y without x) = W(y, not a) + W(y, a, not b) <= M(c, not a) + TP(c, a, not b), where M(c, e) is the largest
  W(c, d, e) over literals d, and the same with a and b exchanged;
- W(y without x) <= TP(c) - TP(a, b, c).

All of it is known from counts of three literals. A pair x for which no c makes that large enough is in no good union;
few are left for the product over pairs of pairs, which alone needs counts of four. The price of its literals is taken
off the weight of a pair, and a pair with a literal that may not be used is charged more than all weight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.learning.exact.problem import Array, Backend, Integers


@dataclass(frozen=True)
class Pairs:
    """The pairs of literals, each once; a literal paired with itself and with its negation are among them.

    They stand in four blocks of the same pairs of features: both positive, the second negated, the first, both.

    Parameters
    ----------
    codes : ndarray of shape (n_pairs, 2)
    first, second : array of shape (n_pairs,)
        The same on the device.
    flat : array of shape (n_pairs,)
        Where a pair stands in a flattened matrix over literals.
    place : array of shape (n_literals ** 2,)
        The number of the pair at each such place.
    mixed : tuple of two arrays of shape (n_pairs,)
        The numbers of the pairs a, not b and b, not a.
    size : array of shape (n_pairs,)
        The number of literals: 1 where a literal is paired with itself, else 2.
    """

    codes: NDArray[np.int64]
    first: Integers
    second: Integers
    flat: Integers
    place: Integers
    mixed: tuple[Integers, Integers]
    size: Array

    @classmethod
    def of(cls, backend: Backend, n_literals: int) -> Pairs:
        """List the pairs over that many literals."""
        features = np.triu_indices(n_literals // 2)
        first, second = (
            np.concatenate([2 * features[i] + s[i] for s in ((0, 0), (0, 1), (1, 0), (1, 1))]) for i in (0, 1)
        )
        place = np.empty((n_literals, n_literals), dtype=np.int64)
        place[first, second] = place[second, first] = np.arange(len(first))
        put = backend.put_integers
        mixed = put(place[first, second ^ 1]), put(place[second, first ^ 1])
        codes = np.stack([first, second], axis=1)
        size = backend.put(2 - (first == second))
        return cls(codes, put(first), put(second), put(first * n_literals + second), put(place.ravel()), mixed, size)

    def __len__(self) -> int:
        return len(self.codes)

    def counts(self, backend: Backend, matrices: Array) -> Array:
        """Return the entries (n_leaves, n_pairs) of matrices (n_leaves, n_literals, n_literals) at the pairs."""
        flat = backend.xp.reshape(matrices, (matrices.shape[0], -1))
        counts: Array = backend.xp.take(flat, self.flat, axis=1)
        return counts


@dataclass(frozen=True)
class Charges:
    """What terms that cover one class cost beside their errors.

    Parameters
    ----------
    price : float
        The price of a literal.
    literals : array of shape (n_literals,)
        0, or more than all weight for a literal that may not be used.
    pairs : array of shape (n_pairs,)
        The price of both literals of a pair, and what they are charged.
    """

    price: float
    literals: Array
    pairs: Array

    @classmethod
    def of(cls, backend: Backend, pairs: Pairs, price: float, barred: NDArray[np.float64]) -> Charges:
        """Add up what the pairs cost, given what is charged for each literal."""
        charged = backend.put(barred[pairs.codes].max(axis=1))
        return cls(price, backend.put(barred), price * pairs.size + charged)


@dataclass(frozen=True)
class Cover:
    """What unions of some leaves are to cover, and what is counted of it.

    Parameters
    ----------
    literals : array of shape (n_literals, n_leaves, n_rows)
    weights : array of shape (n_leaves, n_rows)
        Weight of the class to be covered minus that of the other.
    covered, wrong : array of shape (n_leaves, n_literals, n_literals)
        TP and FP of two literals.
    triples : array of shape (n_leaves, n_pairs, n_literals)
        TP of a pair and a third literal, literals in the order positive ones, negated ones.
    best : array of shape (n_leaves, n_literals, n_literals)
        M of two literals, at least 0, the second axis like that of `triples`.
    charges : Charges
        What terms cost beside their errors.
    """

    literals: Array
    weights: Array
    covered: Array
    wrong: Array
    triples: Array
    best: Array
    charges: Charges


@dataclass(frozen=True)
class UnionOptimum:
    """The least cost found for each leaf and the numbers of the two pairs."""

    error: Array
    first: Integers
    second: Integers


def total(counts: Array) -> Array:
    """Return the whole weight of each leaf: every example satisfies exactly one of two opposite literals."""
    return counts[:, 0, 0] + counts[:, 1, 1]


def running_maximum(backend: Backend, values: Array) -> Array:
    """Return the maximum of each prefix along axis 1, by doubling: the standard has no cumulative maximum.

    >>> running_maximum(Backend(np, "cpu", single=True), np.array([[1, 3, 2, 5, 4]])).tolist()
    [[1, 3, 3, 5, 5]]
    """
    xp, step = backend.xp, 1
    while step < values.shape[1]:
        values = xp.concat([values[:, :step], xp.maximum(values[:, step:], values[:, :-step])], axis=1)
        step *= 2
    return values


def union_bound(backend: Backend, pairs: Pairs, counts: tuple[Array, Array], charges: Charges) -> Array:
    """Return for each leaf a lower bound on the cost of every union of two pairs, from counts of two literals.

    The union of x and y errs at least max(FP(x), FP(y)) and misses at least P - TP(x) - TP(y); it costs what one of
    them costs and a literal more.
    """
    xp, weight = backend.xp, total(counts[0])[:, None]
    covered, wrong = (pairs.counts(backend, values) for values in counts)
    wrong = wrong + charges.pairs
    order = xp.argsort(wrong, axis=1)
    covered, wrong = (xp.take_along_axis(values, order, axis=1) for values in (covered, wrong))
    missed = weight - covered - running_maximum(backend, covered)
    bound: Array = xp.min(wrong + xp.maximum(missed, 0 * missed), axis=1) + charges.price
    return bound


def union_optimum(backend: Backend, pairs: Pairs, cover: Cover, target: Array) -> UnionOptimum:
    """Return the best union of each leaf where its cost is below the target, else some union or none (infinity)."""
    xp, weight = backend.xp, total(cover.covered)
    net = pairs.counts(backend, cover.covered - cover.wrong) - cover.charges.pairs
    potential = net + _gain_bound(backend, pairs, cover)
    live = potential > (weight - target)[:, None]
    n_live = int(xp.max(xp.sum(xp.asarray(live, dtype=xp.int64), axis=1)))
    numbers = xp.argsort(-potential, axis=1)[:, :n_live]
    error = weight[:, None] - xp.take_along_axis(potential, numbers, axis=1)
    none = backend.put_integers(np.zeros(target.shape))
    best = UnionOptimum(target + xp.inf, none, none)
    for block in blocks(backend, 0, n_live):
        if block.start and not bool(xp.any(error[:, block.start] < xp.minimum(target, best.error))):
            break
        left = _side(backend, pairs, cover.literals, net, numbers[:, block])
        for other in blocks(backend, block.start, n_live):
            right = _side(backend, pairs, cover.literals, net, numbers[:, other])
            best = _improve(backend, best, weight, _product(backend, cover.weights, left, right))
    return best


def blocks(backend: Backend, start: int, stop: int) -> Iterator[slice]:
    """Yield slices from `start` to `stop` of as many pairs as the backend takes at once."""
    return (slice(first, min(first + backend.block, stop)) for first in range(start, stop, backend.block))


def _gain_bound(backend: Backend, pairs: Pairs, cover: Cover) -> Array:
    """Bound, for each pair, what another pair can add to it: weight, less the price of its first literal."""
    xp, n_literals = backend.xp, cover.covered.shape[1]
    charged = xp.concat([cover.charges.literals[0::2], cover.charges.literals[1::2]]) + cover.charges.price
    single = xp.reshape(cover.covered, (-1, n_literals * n_literals))[:, :: n_literals + 1]
    single = xp.concat([single[:, 0::2], single[:, 1::2]], axis=1)[:, None, :]
    bounds = []
    for block in blocks(backend, 0, len(pairs)):
        gain = single - cover.triples[:, block, :]
        for literal, mixed in zip((pairs.first, pairs.second), pairs.mixed):
            outside = xp.take(cover.best, literal[block] ^ 1, axis=1)
            gain = xp.minimum(gain, outside + xp.take(cover.triples, mixed[block], axis=1))
        bounds.append(xp.max(gain - charged, axis=2))
    bound: Array = xp.concat(bounds, axis=1)
    return bound


@dataclass(frozen=True)
class _Side:
    """Pairs on one side of a product: their numbers, examples (n_leaves, n_pairs, n_rows) and weights less charges."""

    numbers: Integers
    examples: Array
    net: Array


def _side(backend: Backend, pairs: Pairs, literals: Array, net: Array, numbers: Integers) -> _Side:
    xp, (n_literals, n_leaves, n_rows) = backend.xp, literals.shape
    flat = xp.reshape(literals, (n_literals * n_leaves, n_rows))
    leaf = backend.put_integers(np.arange(n_leaves))[:, None]
    chosen = []
    for codes in (pairs.first, pairs.second):
        code = xp.reshape(xp.take(codes, xp.reshape(numbers, (-1,))), numbers.shape)
        rows = xp.take(flat, xp.reshape(code * n_leaves + leaf, (-1,)), axis=0)
        chosen.append(xp.reshape(rows, (n_leaves, numbers.shape[1], n_rows)))
    return _Side(numbers, chosen[0] * chosen[1], xp.take_along_axis(net, numbers, axis=1))


def _product(backend: Backend, weights: Array, left: _Side, right: _Side) -> tuple[Array, Integers, Integers]:
    """Return the largest W(x) + W(y) - W(xy) less charges, with x and y; the two sums ride in the same product."""
    xp = backend.xp
    ones = [1 + 0 * side.net[:, :, None] for side in (left, right)]
    rows = xp.concat([left.examples * weights[:, None, :], left.net[:, :, None], ones[0]], axis=2)
    columns = xp.concat([-right.examples, ones[1], right.net[:, :, None]], axis=2)
    weight = xp.matmul(rows, xp.permute_dims(columns, (0, 2, 1)))
    flat = xp.reshape(weight, (weight.shape[0], -1))
    at = xp.argmax(flat, axis=1)[:, None]
    first = xp.take_along_axis(left.numbers, at // weight.shape[2], axis=1)
    second = xp.take_along_axis(right.numbers, at % weight.shape[2], axis=1)
    return xp.take_along_axis(flat, at, axis=1)[:, 0], first[:, 0], second[:, 0]


def _improve(
    backend: Backend, best: UnionOptimum, weight: Array, found: tuple[Array, Integers, Integers]
) -> UnionOptimum:
    where, error = backend.xp.where, weight - found[0]
    better = error < best.error
    return UnionOptimum(
        where(better, error, best.error), where(better, found[1], best.first), where(better, found[2], best.second)
    )
