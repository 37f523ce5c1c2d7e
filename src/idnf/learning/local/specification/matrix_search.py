"""Moves over literal matrices in the staircase view.

A move looks at one cell of the matrix, or at one term, with everything else fixed, and draws its new content from a
heat bath over all possibilities. Changing cell (i, j) to literal x matters only for examples that satisfy the first
j - 1 literals of row i and whose value depends on x there, so all candidates are valued by one matrix-vector product.
Terms hold or fail at grid points, so all candidates for a term are valued on the histogram of the grid points.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import UniqueLines
from idnf.learning.local.annealing_task import Snapshot
from idnf.learning.local.masks import Codes, ExampleMasks
from idnf.learning.local.specification.heat_bath import HeatBath
from idnf.learning.local.specification.staircase import Prefixes, best_vectors, prefix_vectors

# Terms are made perfect for matrices of at most this order (70 prefix vectors), with at most this many nodes.
MOST_PERFECT_ORDER = 4
PERFECT_NODES = 100


def most_terms(order: int) -> int:
    """Return how many terms a matrix of some order may have during search."""
    return max(1, 3 * order)


def no_term(unit: int) -> int:
    """Return what having no term is worth: between a term that earns nothing and none, none."""
    return max(1, unit // 1000)


class NestedState:
    """A nested DNF under search: a full matrix, and prefix vectors; order 0 is a constant.

    Parameters
    ----------
    examples : ExampleMasks
        The training examples.
    order : int
        Rows and columns of the matrix, and the largest rank of a prefix vector.
    pool : ndarray of int32
        The literals that may stand in the matrix.
    bath : HeatBath
        Draws the first matrix and every move.
    """

    def __init__(self, examples: ExampleMasks, order: int, pool: Codes, bath: HeatBath) -> None:
        self.examples = examples
        self.order = order
        self.pool = pool
        self.bath = bath
        self.matrix = [[self._draw() for _ in range(order)] for _ in range(order)]
        self.terms: list[Prefixes] = []
        self._vectors = prefix_vectors(order)
        vectors = self._vectors.vectors
        self._bounds = np.array(vectors, dtype=np.int64).reshape(len(vectors), order)
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

    def look_at(self, examples: ExampleMasks) -> None:
        """Go on with other examples."""
        self.examples = examples
        self._prefixes = [self._prefix_masks(row) for row in self.matrix]

    def covered(self) -> int:
        """Return the examples that satisfy some term."""
        some = 0
        for r in self.terms:
            some |= self._examples_satisfying(r)
        return some

    @property
    def length(self) -> int:
        """The number of literals in the terms."""
        return sum(map(sum, self.terms))

    def sweep(self, weights: NDArray[np.int64], reach: int, price: int) -> None:
        """Make one move at every term and at every cell, cells in random order.

        Parameters
        ----------
        weights : ndarray of shape (n_examples,), dtype=int64
            What covering an example earns.
        reach : int
            The examples that matter.
        price : int
            The price of a literal in a term, in units of weight.
        """
        self.resample_terms(weights, reach, price)
        for cell in self.bath.stream.permutation(self.order**2):
            self.resample_cell(cell // self.order, cell % self.order, weights, reach)

    def resample_cell(self, i: int, j: int, weights: NDArray[np.int64], reach: int) -> None:
        """Draw the literal in row i, column j (from 0) again; if it does not matter, any."""
        row = self.matrix[i]
        deciding = self._deciding(i, j) & reach
        if deciding:
            worth = self.examples.literal_values(self.pool, weights, self.examples.places(deciding))
            code = int(self.pool[self.bath.choose(worth)])
        else:
            code = self._draw()
        if code != row[j]:
            row[j] = code
            self._prefixes[i] = self._prefix_masks(row)

    def resample_terms(self, weights: NDArray[np.int64], reach: int, price: int) -> None:
        """Draw each term again, or drop it, given the others; then add terms until none is drawn."""
        covers, net = self._grid(weights, reach)
        prices = price * self._bounds.sum(axis=1)
        known = {r: v for v, r in enumerate(self._vectors.vectors)}
        nothing = len(covers)
        drawn = [known[r] for r in self.terms]
        for slot in range(max(most_terms(self.order), len(drawn))):
            others = [v for place, v in enumerate(drawn) if place != slot and v != nothing]
            left = np.where(covers[others].any(axis=0), 0, net)
            worth = covers @ left - prices
            chosen = self.bath.choose(np.append(worth, no_term(self.examples.unit)))
            if slot < len(drawn):
                drawn[slot] = chosen
            elif chosen == nothing:
                break
            else:
                drawn.append(chosen)
        self.terms = [self._vectors.vectors[v] for v in drawn if v != nothing]

    def perfect_terms(self, weights: NDArray[np.int64], reach: int, price: int) -> None:
        """Take the best terms for the matrix as it is, as far as a short branch and bound finds them."""
        if not 0 < self.order <= MOST_PERFECT_ORDER:
            return
        covers, net = self._grid(weights, reach)
        known = {r: v for v, r in enumerate(self._vectors.vectors)}
        start = sorted({known[r] for r in self.terms})
        found, _ = best_vectors(
            covers, net.astype(np.float64), price * self._bounds.sum(axis=1), start=start, node_limit=PERFECT_NODES
        )
        self.terms = [self._vectors.vectors[v] for v in found]

    def _grid(self, weights: NDArray[np.int64], reach: int) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Return which vectors hold at which observed grid points, and the net weight of these points."""
        inside = self.examples.places(reach)
        lengths = np.zeros((len(inside), self.order), dtype=np.int64)
        for i, masks in enumerate(self._prefixes):
            for mask in masks[1:]:
                lengths[:, i] += self.examples.bits(mask)[inside]
        unique = UniqueLines.of(lengths)
        points = lengths[unique.first]
        net = np.zeros(len(points), dtype=np.int64)
        np.add.at(net, unique.places, weights[inside])
        return np.all(points >= self._bounds[:, np.newaxis], axis=2), net

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

    def _draw(self) -> int:
        return int(self.pool[self.bath.stream.below(len(self.pool))])

    def _prefix_masks(self, row: list[int]) -> list[int]:
        masks = [self.examples.everything]
        for code in row:
            masks.append(masks[-1] & self.examples.literals[code])
        return masks

    def _examples_satisfying(self, r: Prefixes) -> int:
        examples = self.examples.everything
        for row, length in enumerate(r):
            if length:
                examples &= self._prefixes[row][length]
        return examples
