"""Moves over literal matrices in the staircase view.

A move looks at one cell of the matrix, or at one term, with everything else fixed, and draws its new content from a
heat bath over all possibilities. Changing cell (i, j) to literal x matters only for examples that satisfy the first
j - 1 literals of row i and whose value depends on x there, so all candidates are valued by one matrix-vector product.
All candidates for a term are prefix vectors of the same matrix and are valued by another.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from idnf.counting.contract import GridHistogram
from idnf.learning.local.heat_bath import HeatBath
from idnf.learning.local.masks import ExampleMasks, LiteralPool, Vector
from idnf.learning.local.staircase import Prefixes, best_up_set, prefix_vectors
from idnf.logic.nested import NestedDNF

# Terms are made perfect for matrices of at most this order (70 prefix vectors), with at most so many nodes.
_MOST_PERFECT_ORDER = 4
_PERFECT_NODES = 100

Snapshot = tuple[tuple[tuple[int, ...], ...], tuple[Prefixes, ...]]


class NestedState:
    """A nested DNF under search: a full matrix, and prefix vectors; order 0 is a constant.

    Parameters
    ----------
    examples : ExampleMasks
        The training examples.
    order : int
        Rows and columns of the matrix, and the largest rank of a prefix vector.
    pool : LiteralPool
        The literals that may stand in the matrix.
    bath : HeatBath
        Draws the first matrix and every move.
    """

    def __init__(self, examples: ExampleMasks, order: int, pool: LiteralPool, bath: HeatBath) -> None:
        self.examples = examples
        self.order = order
        self.pool = pool
        self.bath = bath
        self.matrix = [[pool.draw(bath.generator) for _ in range(order)] for _ in range(order)]
        self.terms: list[Prefixes] = []
        self._vectors = prefix_vectors(order)
        self._sizes = np.array([sum(r) for r in self._vectors.vectors], dtype=np.float32)
        self._most_terms = max(1, 3 * order)
        # Between a term that earns nothing and no term, no term.
        self._no_term = 1e-3 * examples.unit
        self._prefixes = [self._prefix_masks(row) for row in self.matrix]

    def snapshot(self) -> Snapshot:
        """Return the matrix and the terms."""
        return tuple(tuple(row) for row in self.matrix), tuple(self.terms)

    def restore(self, snapshot: Snapshot) -> None:
        """Take over a matrix and terms."""
        matrix, terms = snapshot
        self.matrix = [list(row) for row in matrix]
        self.terms = list(terms)
        self._prefixes = [self._prefix_masks(row) for row in self.matrix]

    def covered(self) -> int:
        """Return the examples that satisfy some term."""
        some = 0
        for r in self.terms:
            some |= self._satisfying(r)
        return some

    @property
    def length(self) -> int:
        """The number of literals in the terms."""
        return sum(map(sum, self.terms))

    def sweep(self, weights: Vector, reach: int, price: float) -> None:
        """Make one move at every term and at every cell, cells in random order.

        Parameters
        ----------
        weights : ndarray of shape (n_examples,), dtype=float32
            What covering an example earns.
        reach : int
            The examples that matter.
        price : float
            The price of a literal in a term, in units of weight.
        """
        self.resample_terms(weights, reach, price)
        for cell in self.bath.generator.permutation(self.order**2).tolist():
            self.resample_cell(cell // self.order, cell % self.order, weights, reach)

    def resample_cell(self, i: int, j: int, weights: Vector, reach: int) -> None:
        """Draw the literal in row i, column j (from 0) anew; where it does not matter, any."""
        row = self.matrix[i]
        deciding = self._deciding(i, j) & reach
        if deciding:
            values = self.examples.bits(deciding) * weights
            codes, worth = self.pool.values(values, row[j], self.bath.generator)
            code = int(codes[self.bath.choose(worth)])
        else:
            code = self.pool.draw(self.bath.generator)
        if code != row[j]:
            row[j] = code
            self._prefixes[i] = self._prefix_masks(row)

    def resample_terms(self, weights: Vector, reach: int, price: float) -> None:
        """Draw each term anew, or drop it, given the others; then add terms until none is drawn."""
        masks = self._vector_masks()
        table = self.examples.table(masks)
        prices = np.float32(price) * self._sizes
        covers = [self._satisfying(r) for r in self.terms]
        drawn: list[Prefixes | None] = list(self.terms)
        for slot in range(max(self._most_terms, len(self.terms))):
            others = 0
            for place, cover in enumerate(covers):
                if place != slot:
                    others |= cover
            worth = table @ (self.examples.bits(reach & ~others) * weights) - prices
            chosen = self.bath.choose(np.append(worth, np.float32(self._no_term)))
            if slot == len(drawn):
                if chosen == len(masks):
                    break
                drawn.append(None)
                covers.append(0)
            drawn[slot], covers[slot] = (
                (None, 0) if chosen == len(masks) else (self._vectors.vectors[chosen], masks[chosen])
            )
        self.terms = [r for r in drawn if r is not None]

    def perfect_terms(self, weights: Vector, reach: int, price: float) -> None:
        """Take the best terms for the matrix as it is, as far as a short branch and bound finds them."""
        if not 0 < self.order <= _MOST_PERFECT_ORDER:
            return
        found = best_up_set(
            self._grid(weights, reach),
            self._vectors.vectors,
            price,
            start=sorted(set(self.terms)),
            node_limit=_PERFECT_NODES,
        )
        self.terms = list(found.prefixes)

    def _grid(self, weights: Vector, reach: int) -> GridHistogram:
        inside = self.examples.bits(reach).astype(np.bool_)
        lengths = [self.examples.table(masks[1:]).sum(axis=0)[inside] for masks in self._prefixes]
        points, places = np.unique(np.stack(lengths, axis=1).astype(np.int64), axis=0, return_inverse=True)
        net = np.bincount(places.ravel(), weights=weights[inside], minlength=len(points))
        return GridHistogram(points, np.maximum(net, 0.0), np.maximum(-net, 0.0))

    def _deciding(self, i: int, j: int) -> int:
        """Return the examples whose value is decided by whether the literal at (i, j) holds."""
        # Terms by their prefix length in row i, without what they ask of that row.
        elsewhere = [0] * (self.order + 1)
        for r in self.terms:
            examples = self.examples.everything
            for row, length in enumerate(r):
                if length and row != i:
                    examples &= self._prefixes[row][length]
            elsewhere[r[i]] |= examples
        without = 0
        for length in range(j + 1):
            without |= elsewhere[length] & self._prefixes[i][length]
        run = self._prefixes[i][j]
        with_literal = elsewhere[j + 1] & run
        for length in range(j + 2, self.order + 1):
            run &= self.examples.literals[self.matrix[i][length - 1]]
            with_literal |= elsewhere[length] & run
        return with_literal & ~without

    def _prefix_masks(self, row: list[int]) -> list[int]:
        masks = [self.examples.everything]
        for code in row:
            masks.append(masks[-1] & self.examples.literals[code])
        return masks

    def _vector_masks(self) -> list[int]:
        known = self._vectors
        masks = [self.examples.everything]
        for row, length, parent in zip(known.rows[1:], known.lengths[1:], known.parents[1:], strict=True):
            masks.append(masks[parent] & self._prefixes[row][length])
        return masks

    def _satisfying(self, r: Prefixes) -> int:
        examples = self.examples.everything
        for row, length in enumerate(r):
            if length:
                examples &= self._prefixes[row][length]
        return examples


def to_nested(snapshot: Snapshot, names: Sequence[str], k: int) -> NestedDNF:
    """Return a matrix and terms as a nested k-DNF, without absorbed terms and cells that no term uses.

    >>> to_nested((((0, 2), (4, 6)), ((1, 0), (1, 1))), ("a", "b", "c", "d"), 2)
    NestedDNF(names=('a', 'b', 'c', 'd'), matrix=((0,),), prefixes=((1,),), k=2)
    """
    matrix, terms = snapshot
    distinct = sorted(set(terms))
    least = [
        r for r in distinct if not any(s != r and all(a <= b for a, b in zip(s, r, strict=True)) for s in distinct)
    ]
    used = [max((r[i] for r in least), default=0) for i in range(len(matrix))]
    rows = [i for i, length in enumerate(used) if length]
    prefixes = tuple(tuple(r[i] for i in rows) for r in least)
    return NestedDNF(tuple(names), tuple(matrix[i][: used[i]] for i in rows), prefixes, k)
