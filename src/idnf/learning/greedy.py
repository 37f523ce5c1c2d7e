"""The paper's learner of nested k-DNFs, in its three steps.

Cooper, Bousdira, Carbonnel: *Interpretable DNFs*, IJCAI 2025, section "Experiments". `_MatrixBuilder` is its
Algorithm 1; `select_terms` and `prune_terms` need only the histogram of the grid points of that matrix.

What the paper's text leaves open follows the authors' published notebook: ties for the best literal are broken at
random; prefix vectors of one size are tried with the largest longest prefix first, then lexicographically larger
first; a term that several vectors give is tried once, with the largest size that gives it; a term that pruning removes
no longer counts against the terms after it. The cost grows as C(2k, k), the number of prefix vectors.

Several classes get one nested k-DNF each, against the rest. Their terms, labelled, are taken one by one, the one that
gains most first, as far as terms of different labels conflict and what is left keeps reasons of at most k literals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import Counts, DistinctRows, GridHistogram, Weights
from idnf.counting.packed import PackedTable
from idnf.learning.choices import Polarity
from idnf.learning.local.berge_task import MOST_IMPLICANTS
from idnf.learning.local.labelled_terms import to_model
from idnf.learning.local.masks import Cells, ExampleMasks
from idnf.learning.local.specification.repairing import BergeState
from idnf.learning.objective import TOLERANCE, Learned
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.deadlines import Deadline
from idnf.logic.errors import InvalidArgument
from idnf.logic.literals import is_consistent, mask_of, negated_mask, negation
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree

Matrix = tuple[tuple[int, ...], ...]
Prefixes = tuple[int, ...]

# A matrix of 10 rows has 184 756 prefix vectors, one of 12 would have 2.7 million.
MOST_ORDER = 10
# About how long a prefix vector takes.
_SECONDS_A_TERM = 4e-5
# Entries of a (vectors x grid points) table handled at a time.
_BLOCK = 1 << 20


def order_in_time(order: int, seconds: float) -> int:
    """Return the largest order of a matrix, up to one, that there is time for.

    >>> order_in_time(50, float("inf")), order_in_time(50, 1.0)
    (10, 8)
    """
    orders = range(1, min(order, MOST_ORDER) + 1)
    return max((each for each in orders if comb(2 * each, each) * _SECONDS_A_TERM <= seconds), default=min(order, 1))


def learn_greedy(  # noqa: PLR0913 - the choices of the paper's experiment, all by keyword
    counts: Counts,
    names: Sequence[str],
    k: int,
    *,
    polarity: Polarity = "positive",
    allowed: frozenset[int] | None = None,
    random_state: int = 0,
) -> Learned:
    """Learn a nested k-DNF of class 1 ("positive"), the complement of one of class 0 ("negative"), or the better.

    Parameters
    ----------
    counts : Counts
        The training examples.
    names : sequence of str
        The features.
    k : int
        The bound; with fewer than k features the matrix is smaller.
    polarity : {"positive", "negative", "auto"}
        The paper's DNF, its complemented column, or the one with fewer training errors ("positive" when equal).
    allowed : frozenset of int, optional
        The literal codes that may occur in terms of class 1, their negations in terms of class 0; all by default.
    random_state : int
        Seed of the generator that breaks ties.
    """
    order = min(k, counts.n_features)
    if order > MOST_ORDER:
        raise InvalidArgument("k", f"be at most {MOST_ORDER} for the greedy learner, which tries C(2k, k) terms", k)
    opposite = None if allowed is None else frozenset(negation(code) for code in allowed)
    sides = {"positive": [(1, allowed)], "negative": [(-1, opposite)], "auto": [(1, allowed), (-1, opposite)]}
    builders = [
        _MatrixBuilder(counts, sign, order, np.random.default_rng(random_state), codes)
        for sign, codes in sides[polarity]
    ]
    matrices = _construct(counts, builders, order)
    counts.prepare(matrices=matrices)
    found = []
    for builder, matrix in zip(builders, matrices, strict=True):
        grid = counts.grid_histogram(matrix)
        grid = grid if builder.sign > 0 else grid.swapped
        prefixes = prune_terms(grid, select_terms(grid, matrix, order))
        nested = NestedDNF(tuple(names), matrix, tuple(prefixes), k)
        complement = NestedTree.from_nested(nested, complemented=True)
        found.append(Learned(nested if builder.sign > 0 else complement, error_share(grid, prefixes)))
    return min(found, key=lambda learned: learned.objective)


def _construct(counts: Counts, builders: Sequence[_MatrixBuilder], k: int) -> list[Matrix]:
    """Return one matrix for each builder, all of them grown together so that one scan serves all."""
    for _ in range(k):
        for builder in builders:
            builder.begin_row()
        for _ in range(k):
            growing = [builder for builder in builders if builder.free.any()]
            counts.prepare([builder.row for builder in growing])
            for builder in growing:
                builder.extend_row()
    return [builder.matrix for builder in builders]


class _MatrixBuilder:
    """The literal matrix of the paper's Algorithm 1, which grows literal by literal, row by row.

    The literal at (i, j) is the one that, joined to those before it in its row, leaves the greatest weight of class 1
    minus class 0, or of class 0 minus class 1 if `sign` is -1. Its row must not hold it or its negation yet, and the
    first `limit` columns of the rows above must not hold it either, as far as that leaves a literal to take.
    """

    def __init__(
        self, counts: Counts, sign: int, k: int, generator: np.random.Generator, allowed: frozenset[int] | None
    ) -> None:
        self.counts, self.sign, self.k, self.generator = counts, sign, k, generator
        self.permitted = np.ones(2 * counts.n_features, dtype=np.bool_)
        if allowed is not None:
            self.permitted[:] = False
            self.permitted[list(allowed)] = True
        self.rounding = TOLERANCE * (counts.positive + counts.negative)
        self.first_gains = self._gains(())
        self.rows: list[list[int]] = []

    @property
    def matrix(self) -> Matrix:
        """The rows that have a literal."""
        return tuple(tuple(row) for row in self.rows if row)

    @property
    def row(self) -> list[int]:
        """The row that grows."""
        return self.rows[-1]

    def begin_row(self) -> None:
        """Begin a row; every permitted literal is free to be taken."""
        self.rows.append([])
        self.free = self.permitted.copy()

    def extend_row(self) -> None:
        """Take the best of the literals that are free."""
        above, row = self.rows[:-1], self.row
        limit = _limit(len(above), len(row), self.k, self.counts.n_features)
        candidates = _candidates(self.free, above, limit)
        gains = (self._gains(row) if row else self.first_gains)[candidates]
        best = candidates[gains >= gains.max() - self.rounding]
        code = int(best[self.generator.integers(len(best))] if len(best) > 1 else best[0])
        row.append(code)
        self.free[[code, negation(code)]] = False

    def _gains(self, row: Sequence[int]) -> Weights:
        return self.sign * np.subtract(*self.counts.literal_weights(row))


def _limit(i: int, j: int, k: int, n: int) -> int:
    """Return the number of columns whose literals cell (i, j) may not repeat: min(k-j, ceil(2(n-j)/i - 1))."""
    return min(k - j, -(-2 * (n - j) // i) - 1) if i else 0


def _candidates(free: NDArray[np.bool_], rows: Sequence[Sequence[int]], limit: int) -> NDArray[np.intp]:
    """Return the free literals outside the first `limit` columns of the rows, fewer columns if none is left."""
    for columns in range(limit, 0, -1):
        remaining = free.copy()
        remaining[[code for row in rows for code in row[:columns]]] = False
        if remaining.any():
            return np.flatnonzero(remaining)
    return np.flatnonzero(free)


def select_terms(grid: GridHistogram, matrix: Matrix, k: int) -> list[Prefixes]:
    """Return the prefix vectors of the terms the paper selects, in the order selected.

    Sizes go from k down to 1. A consistent term is taken if, among examples not covered yet, it holds for more weight
    of class 1 than of class 0, or if among all examples it holds for some of class 1 and none of class 0. Selection
    stops when all of class 1 is covered.
    """
    left = np.stack([grid.positive, grid.negative])
    rounding = TOLERANCE * float(left.sum())
    masks = [[mask_of(row[:length]) for length in range(len(row) + 1)] for row in matrix]
    tried: set[int] = set()
    selected: list[Prefixes] = []
    for size in range(k if left[0].any() else 0, 0, -1):
        for r, covered, pure in _useful_terms(grid, _vectors_of_new_terms(masks, size, tried)):
            positive, negative = (left @ covered).tolist()
            if pure or positive - negative > rounding:
                selected.append(r)
                left[:, covered > 0] = 0
                if not left[0].any():
                    return selected
    return selected


def prune_terms(grid: GridHistogram, prefixes: Sequence[Prefixes]) -> list[Prefixes]:
    """Return the prefix vectors that stay when each is held against all the others, in the order given.

    One goes if, among examples that no other one covers, it holds for no weight of class 1 or not for more of class 1
    than of class 0.
    """
    rounding = TOLERANCE * float(grid.positive.sum() + grid.negative.sum())
    covers = _covers(grid.points, prefixes)
    times_covered = covers.sum(axis=0)
    kept = []
    for r, covered in zip(prefixes, covers, strict=True):
        alone = covered & (times_covered == 1)
        positive, negative = grid.positive[alone].sum(), grid.negative[alone].sum()
        if positive - negative > rounding:
            kept.append(r)
        else:
            times_covered -= covered
    return kept


@lru_cache(maxsize=64)
def _prefix_vectors(lengths: tuple[int, ...], size: int) -> tuple[Prefixes, ...]:
    """Return the vectors of prefix lengths with the given sum, in the order they are tried."""

    def vectors(lengths: tuple[int, ...], size: int) -> Iterator[Prefixes]:
        if not lengths:
            if size == 0:
                yield ()
            return
        for first in range(min(lengths[0], size) + 1):
            for others in vectors(lengths[1:], size - first):
                yield (first, *others)

    return tuple(sorted(vectors(lengths, size), key=lambda r: (max(r), r), reverse=True))


def _vectors_of_new_terms(masks: list[list[int]], size: int, tried: set[int]) -> list[Prefixes]:
    """Return the vectors of one size that give a consistent term not tried yet, and note the terms as tried.

    Entry [i][r] of the masks holds the first r literals of row i.
    """
    vectors = []
    for r in _prefix_vectors(tuple(len(row) - 1 for row in masks), size):
        term = 0
        for prefixes, length in zip(masks, r, strict=True):
            term |= prefixes[length]
        if term not in tried and is_consistent(term):
            tried.add(term)
            vectors.append(r)
    return vectors


def _useful_terms(grid: GridHistogram, vectors: Sequence[Prefixes]) -> Iterator[tuple[Prefixes, Weights, bool]]:
    """Yield the vectors that cover some of class 1, a 1 for each point they cover, and whether none is of class 0."""
    weights = np.stack([grid.positive, grid.negative], axis=1)
    step = max(1, _BLOCK // max(1, len(grid.points)))
    for first in range(0, len(vectors), step):
        covers = _covers(grid.points, vectors[first : first + step]).astype(np.float64)
        totals = covers @ weights
        pure = (totals[:, 1] == 0).tolist()
        for index in np.flatnonzero(totals[:, 0] > 0).tolist():
            yield vectors[first + index], covers[index], pure[index]


def _covers(points: NDArray[np.int64], vectors: Sequence[Prefixes]) -> NDArray[np.bool_]:
    """Tell for each vector and grid point whether the vector's term holds there."""
    bounds = np.array(vectors, dtype=np.int64).reshape(len(vectors), points.shape[1])
    covers = np.ones((len(vectors), len(points)), dtype=np.bool_)
    for row in range(points.shape[1]):
        covers &= points[:, row] >= bounds[:, row, np.newaxis]
    return covers


def error_share(grid: GridHistogram, prefixes: Sequence[Prefixes]) -> float:
    """Return the weighted share of the counted examples that the up-set of the vectors gets wrong.

    >>> grid = GridHistogram(np.array([[0], [1]]), np.array([1.0, 5.0]), np.array([3.0, 1.0]))
    >>> error_share(grid, [(1,)])
    0.2
    """
    covered = _covers(grid.points, prefixes).any(axis=0)
    total = float(grid.positive.sum() + grid.negative.sum())
    return float(grid.negative[covered].sum() + grid.positive[~covered].sum()) / total


MOST_GREEDY = 6
"""The paper's learner tries C(2k, k) terms; beyond this k one against the rest is no start."""

# Examples times features times classes for which a second is enough.
_CELLS_A_SECOND = 5_000_000


def one_against_rest_has_time(rows: DistinctRows, deadline: Deadline) -> bool:
    """Return whether one class after the other can be learned against the rest before a deadline."""
    return rows.features.size * rows.n_classes < _CELLS_A_SECOND * deadline.left


def one_against_rest(rows: DistinctRows, names: Sequence[str], k: int, *, random_state: int = 0) -> ClassDNFs | None:
    """Return the best model made of the terms of each class against the rest, for any default; None for a large k.

    >>> features = np.array([[p >> j & 1 for j in range(2)] for p in range(4)], dtype=bool)
    >>> rows = DistinctRows(features, np.eye(3)[[0, 1, 2, 1]], True)
    >>> model = one_against_rest(rows, ("a", "b"), 2)
    >>> [model.evaluate({"a": a, "b": b}) for b in (0, 1) for a in (0, 1)]
    [0, 1, 2, 1]
    """
    if not 1 <= k <= MOST_GREEDY or not names:
        return None
    terms = labelled_terms(rows, names, k, random_state=random_state)
    examples = ExampleMasks(rows, np.random.default_rng(random_state))
    found = [_assemble(examples, terms, k, default) for default in range(rows.n_classes)]
    default = max(range(rows.n_classes), key=lambda label: found[label][1])
    return to_model(found[default][0].terms, default, rows.n_classes, names, k)


def labelled_terms(rows: DistinctRows, names: Sequence[str], k: int, *, random_state: int = 0) -> list[tuple[int, int]]:
    """Return the terms that the paper's learner finds for each class against the rest, with the class."""
    found = []
    for label in range(rows.n_classes):
        if rows.weights[:, label].any():
            counts = PackedTable.of_rows(rows.against_rest(label))
            model = learn_greedy(counts, names, k, random_state=random_state).model
            found += [(mask, label) for mask in model.terms(1) if is_consistent(mask)]
    return found


def _assemble(examples: ExampleMasks, terms: Sequence[tuple[int, int]], k: int, default: int) -> tuple[BergeState, int]:
    """Return the state of the terms that could be taken, and the weight it gets right more than class 0 everywhere."""
    state, covered = BergeState(Cells.plain(examples.n_features)), 0
    right = int(examples.nets[default].sum(dtype=np.int64))
    gained = examples.nets.astype(np.int64) - examples.nets[default]
    left = [(examples.satisfying(term), term, label) for term, label in terms if label != default]
    while left:
        gains = [int(gained[label][examples.places(held & ~covered)].sum()) for held, _, label in left]
        best = int(np.argmax(gains))
        if gains[best] <= 0:
            break
        held, term, label = left.pop(best)
        apart = all(other & negated_mask(term) for other, its in state.terms if its != label)
        larger = state.adding(term, label, MOST_IMPLICANTS) if apart else None
        if larger is not None and larger.is_interpretable(k):
            state, covered, right = larger, covered | held, right + gains[best]
    return state, right
