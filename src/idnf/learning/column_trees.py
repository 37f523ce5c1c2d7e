"""Decision trees whose every path asks of at most k columns, as often as it likes.

A tree of depth k asks k questions; here a column that a path has asked of is free, so that a path may cut it into an
interval. The tree is grown from the top, each split the literal of most gain by Gini's measure among those of the
columns that the path may ask of, and cut back from below: a split must win more than its price.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, Weights
from idnf.learning.isotonic import isotonic_means
from idnf.learning.narrowing import purity
from idnf.logic.boxes import Box, Space, cut
from idnf.logic.class_dnfs import ClassDNFs, DoubleDNF
from idnf.logic.deadlines import Budget, Deadline, TooManySteps
from idnf.logic.dnf import DNF
from idnf.logic.literals import feature_of, is_negated, literal
from idnf.logic.primes import TooManyBoxes
from idnf.logic.transversals import minimal_sets

_Labelled = tuple[int, Box]

# Of trees for several boundaries: the least examples of a leaf, what a split must gain by Gini's measure, in examples,
# and the examples of the branch above that smooth a share.
_LEAST_LEAF, _LEAST_GAIN, _SMOOTHING = 5.0, 0.2, 5.0
# A function of one tree with more boxes than this at a time takes too long, and part in no chain.
_MOST_BOXES = 1024
# The share of a time limit in which a tree is grown, and the least seconds in which it is written as terms.
_GROWING, _WRITING = 0.5, 0.1
# Of a tree that ranks: how many splits of a node are tried with the best ones below them.
_TRIED = 32


def column_tree(
    rows: DistinctRows,
    names: Sequence[str],
    k: int,
    space: Space,
    *,
    price: float = 0.0,
    deadline: Deadline | None = None,
) -> ClassDNFs | None:
    """Return a tree whose paths ask of at most k columns, as the DNFs of its classes; None if these take too long.

    Parameters
    ----------
    rows : DistinctRows
        The training examples with their weights.
    names : sequence of str
        The features, one for each literal of the space.
    k : int
        The most columns of a path.
    space : Space
    price : float
        What a split costs, as a share of all weight.
    deadline : Deadline, optional
        Nodes that are reached after half of the time become leaves.

    Examples
    --------
    >>> from idnf.logic.boxes import Column
    >>> x = Space((Column("x", ("1", "2", "3"), ordered=True),), ((0, 0b001), (0, 0b011)))
    >>> rows = DistinctRows(np.array([[1, 1], [0, 1], [0, 0]], dtype=bool), np.array([[1.0, 0], [0, 1], [1, 0]]), True)
    >>> print(column_tree(rows, ("x <= 1", "x <= 2"), 1, x).side(1))
    ~'x <= 1' & 'x <= 2'
    """
    limit = deadline or Deadline()
    tree = _Growing(rows, space, k, limit.part(_GROWING).is_over).grown(
        np.arange(len(rows.features)), space.full, frozenset()
    )
    leaves, _ = _cut_back(tree, price * rows.total)
    return _function(
        leaves, names, k, space, n_classes=rows.n_classes, most=20_000, budget=limit.at_least(_WRITING).budget()
    )


def tree_functions(
    rows: DistinctRows,
    names: Sequence[str],
    k: int,
    space: Space,
    boundaries: Sequence[tuple[int, float]],
    *,
    is_over: Callable[[], bool] = lambda: False,
) -> list[ClassDNFs]:
    """Return functions of one tree whose paths ask of at most k columns, each true at the leaves above a boundary.

    Shares are smoothed by a few examples of the branch above, and a split must leave a few examples on each side. For
    boundaries of the same class, and for classes at the same share, each function lies within those below it.

    Parameters
    ----------
    rows, names, k, space
        As for :func:`column_tree`; the classes are in order.
    is_over : callable
        Tells that there is no time left: nodes reached then become leaves.
    boundaries : sequence of (int, float)
        A class, and the least share that it and higher ones together have in leaves where the function is true.

    Examples
    --------
    >>> from idnf.logic.boxes import Column
    >>> x = Space((Column("x", ("1", "2", "3"), ordered=True),), ((0, 0b001), (0, 0b011)))
    >>> features = np.array([[1, 1], [0, 1], [0, 0]], dtype=bool)
    >>> rows = DistinctRows(features, np.array([[40.0, 0], [20, 20], [0, 40]]), True)
    >>> for model in tree_functions(rows, ("x <= 1", "x <= 2"), 1, x, [(1, 0.3), (1, 0.7)]):
    ...     print(model.side(1))
    ~'x <= 1'
    ~'x <= 2'
    """
    growing = _Growing(rows, space, k, is_over, least=_LEAST_LEAF * rows.example, gain=_LEAST_GAIN * rows.example)
    tree = growing.grown(np.arange(len(rows.features)), space.full, frozenset())
    found = [
        _function(_cut_at_share(tree, level, at, _SMOOTHING * rows.example), names, k, space)
        for level, at in boundaries
    ]
    return [model for model in found if model is not None]


def ranking_functions(
    rows: DistinctRows,
    names: Sequence[str],
    k: int,
    space: Space,
    boundaries: Sequence[tuple[int, float]],
    *,
    is_over: Callable[[], bool] = lambda: False,
) -> list[ClassDNFs]:
    """Return functions of one tree that ranks: all leaves on the higher side of a split are above all on the other.

    Then a literal is needed where a path turns to the higher side, to be above, and where it turns to the lower one, to
    be below. So paths may turn each way on k columns, and trees of Boolean columns have up to C(2k, k) leaves. No chain
    over them has more bands, by Frankl's inequality for skew pairs of sets (European Journal of Combinatorics, 1982).
    Each split is the one that, with the best single splits of its two sides, ranks most pairs of examples rightly.

    Parameters and order are those of :func:`tree_functions`.

    Examples
    --------
    >>> features = np.array([[p >> j & 1 for j in range(3)] for p in range(8)], dtype=bool)
    >>> high = features @ [50.0, 30.0, 15.0] + 5
    >>> rows = DistinctRows.of_two(features, high, 100 - high, True)
    >>> shares = [(1, at) for at in (0.2, 0.42, 0.52, 0.62, 0.8)]
    >>> for model in ranking_functions(rows, "abc", 2, Space.boolean("abc"), shares):
    ...     print(model.positive)
    a | b
    a | b & c
    a
    a & b | a & c
    a & b
    """
    growing = _Growing(rows, space, k, is_over, least=_LEAST_LEAF * rows.example)
    leaves = growing.ranked(np.arange(len(rows.features)), (), rows.totals / rows.total)
    shares, masses = np.array([leaf.shares for leaf in leaves]), [leaf.mass for leaf in leaves]
    firsts: dict[int, None] = {}
    for level, at in boundaries:
        pooled = isotonic_means(shares[:, level:].sum(axis=1), masses)
        firsts[int(np.searchsorted(pooled, at))] = None
    found = [_from_leaf(leaves[place].steps, tuple(names), k, space) for place in firsts if 0 < place < len(leaves)]
    return [model for model in found if model is not None]


_Step = tuple[int, bool]
"""The literal of the higher side of a split, and whether a path turns to it."""


@dataclass(frozen=True)
class _RankedLeaf:
    """A leaf of a tree that ranks: the path to it, the smoothed share of each class, and its weight."""

    steps: tuple[_Step, ...]
    shares: Weights
    mass: float


def _from_leaf(steps: Sequence[_Step], names: tuple[str, ...], k: int, space: Space) -> ClassDNFs | None:
    """Return the function that holds at a leaf and at all above it."""
    sides: tuple[list[int], list[int]] = ([], [])
    turned = [0, 0]
    for code, up in steps:
        # Where the path turns up, what is on the other side is below; where it turns down, that is above.
        sides[not up].append(turned[not up] | 1 << (code if not up else code ^ 1))
        turned[up] |= 1 << (code if up else code ^ 1)
    sides[1].append(turned[1])
    terms = [minimal_sets(side) for side in sides]
    columns = [space.literals[feature_of(code)][0] for code, _ in steps]
    if len(set(columns)) == len(columns):
        low, high = (DNF.from_masks(names, side) for side in terms)
        return DoubleDNF(high, low, k)
    return _function(
        [(label, space.boxes(DNF.from_masks(names, [term]))[0]) for label in (0, 1) for term in terms[label]],
        names,
        k,
        space,
    )


def _function(  # noqa: PLR0913 - what a function is made of, and what it may cost
    leaves: Sequence[_Labelled],
    names: Sequence[str],
    k: int,
    space: Space,
    *,
    n_classes: int = 2,
    most: int = _MOST_BOXES,
    budget: Budget | None = None,
) -> ClassDNFs | None:
    """Return boxes with labels as the DNFs of these; None if there are too many, or too many for a budget."""
    sides = [[box for label, box in leaves if label == side] for side in range(n_classes)]
    kind = DoubleDNF if n_classes == 2 else ClassDNFs
    try:
        return kind.from_boxes(tuple(names), sides, space, limit=most, budget=budget).within(k)
    except (TooManyBoxes, TooManySteps):
        return None


@dataclass(frozen=True)
class _Branch:
    """A node: its box, the weight of each class there, and the two nodes below it, if it is not a leaf."""

    box: Box
    totals: Weights
    below: tuple[_Branch, ...] = ()


def _cut_back(branch: _Branch, price: float) -> tuple[list[_Labelled], float]:
    """Return the leaves of a branch with their likeliest labels, and what it errs and costs; splits that pay stay."""
    label = int(branch.totals.argmax())
    leaf, errors = [(label, branch.box)], float(branch.totals.sum() - branch.totals[label])
    if not branch.below:
        return leaf, errors
    (first, low), (second, high) = (_cut_back(each, price) for each in branch.below)
    cost = price + low + high
    return (leaf, errors) if cost >= errors else (first + second, cost)


def _cut_at_share(
    branch: _Branch, level: int, at: float, smoothing: float, above: float | None = None
) -> list[_Labelled]:
    """Return boxes with the label 1 for leaves in which classes from a level on have some share, 0 for the others."""
    totals = branch.totals
    expected = float(totals[level:].sum() / totals.sum()) if above is None else above
    share = (float(totals[level:].sum()) + smoothing * expected) / (float(totals.sum()) + smoothing)
    parts = [box for each in branch.below for box in _cut_at_share(each, level, at, smoothing, share)]
    labels = {label for label, _ in parts} or {int(share >= at)}
    return parts if len(labels) == 2 else [(labels.pop(), branch.box)]


@dataclass(frozen=True)
class _Growing:
    """What every node needs; a split leaves `least` weight on each side, and gains more than `gain`."""

    rows: DistinctRows
    space: Space
    k: int
    is_over: Callable[[], bool]
    least: float = 0.0
    gain: float = 0.0

    def grown(self, here: NDArray[np.intp], box: Box, asked: frozenset[int]) -> _Branch:
        """Return the branch of the examples that reach a node."""
        weights = self.rows.weights[here]
        totals = weights.sum(axis=0)
        mixed = np.count_nonzero(totals) > 1 and not self.is_over()
        feature = self._best(here, weights, totals, asked) if mixed else None
        if feature is None:
            return _Branch(box, totals)
        column, mask = self.space.literals[feature]
        held = self.rows.features[here, feature]
        below = [
            self.grown(here[held == side], cut(box, column, mask if side else ~mask), asked | {column})
            for side in (True, False)
        ]
        return _Branch(box, totals, tuple(below))

    def ranked(self, here: NDArray[np.intp], steps: tuple[_Step, ...], above: Weights) -> list[_RankedLeaf]:
        """Return the leaves of the branch of the examples that reach a node, lowest first."""
        weights = self.rows.weights[here]
        totals, smoothing = weights.sum(axis=0), _SMOOTHING * self.rows.example
        mass = float(totals.sum())
        shares = (totals + smoothing * above) / (mass + smoothing)
        turned = [
            frozenset(self.space.literals[feature_of(c)][0] for c, up in steps if up is way) for way in (True, False)
        ]
        mixed = np.count_nonzero(totals) > 1 and not self.is_over()
        code = self._ranking_split(here, weights, *turned) if mixed else None
        if code is None:
            return [_RankedLeaf(steps, shares, mass)]
        high = self.rows.features[here, feature_of(code)] ^ is_negated(code)
        return [leaf for way in (False, True) for leaf in self.ranked(here[high == way], (*steps, (code, way)), shares)]

    def _ranking_split(
        self, here: NDArray[np.intp], weights: Weights, up: frozenset[int], down: frozenset[int]
    ) -> int | None:
        """Return the literal of the higher side of the split that ranks best with the best ones below it, if any does.

        The columns on which the path turned up and down are given.
        """
        columns, totals = np.array([column for column, _ in self.space.literals]), weights.sum(axis=0)
        fresh = [~np.isin(columns, list(turned)) for turned in (up, down)]
        room = [self.k - len(turned) - new for turned, new in zip((up, down), fresh, strict=True)]
        may = np.flatnonzero(np.minimum(*room) >= 0)
        held = self.rows.features[np.ix_(here, may)].astype(np.float64)
        inside = held.T @ weights
        alone = self._pairs_ranked(inside, totals)
        tried = np.sort(np.argsort(-alone, kind="stable")[:_TRIED])
        tried = tried[alone[tried] > 0]
        if not len(tried):
            return None
        both = np.stack([(held[:, tried] * one[:, np.newaxis]).T @ held for one in weights.T], axis=2)
        sides = inside[tried], totals - inside[tried]
        below = [
            self._pairs_ranked(counts, side[:, np.newaxis])
            for counts, side in zip((both, inside - both), sides, strict=True)
        ]
        same = columns[may[tried], np.newaxis] == columns[may]
        # Which splits may follow on the way up, and on the way down.
        ways = [same | (left[may[tried], np.newaxis] >= new[may]) for left, new in zip(room, fresh, strict=True)]
        best = [
            [np.maximum(_tied_pairs(side), np.where(way, pairs, 0.0).max(axis=1)) for way in ways]
            for side, pairs in zip(sides, below, strict=True)
        ]
        # The literal itself is the higher side, or its opposite is.
        pairs = np.stack([
            _in_order(sides[1 - high], sides[high]) + best[high][0] + best[1 - high][1] for high in (0, 1)
        ], axis=1)  # fmt: skip
        gains = np.round((pairs - _tied_pairs(totals)) / totals.sum() ** 2, 12)
        place, negated = divmod(int(gains.argmax()), 2)
        return literal(int(may[tried[place]]), negated=bool(negated)) if gains.max() > 0 else None

    def _pairs_ranked(self, inside: Weights, totals: Weights) -> Weights:
        """Return the pairs that each literal ranks rightly, the better side up; 0 where one side is too small."""
        outside = totals - inside
        pairs = (
            np.maximum(_in_order(inside, outside), _in_order(outside, inside))
            + _tied_pairs(inside)
            + _tied_pairs(outside)
        )
        large = np.minimum(inside.sum(axis=-1), outside.sum(axis=-1)) >= self.least
        return np.where(large, pairs, 0.0)

    def _best(self, here: NDArray[np.intp], weights: Weights, totals: Weights, asked: frozenset[int]) -> int | None:
        """Return the literal of most gain that may be asked beside some columns; None if none gains anything."""
        literals = enumerate(self.space.literals)
        may = [f for f, (column, _) in literals if len(asked | {column}) <= self.k]
        if not may:
            return None
        features = np.array(may)
        inside = weights.T @ self.rows.features[np.ix_(here, features)].astype(np.float64)
        outside = totals[:, np.newaxis] - inside
        gains = purity(inside) + purity(outside) - purity(totals[:, np.newaxis])
        gains[np.minimum(inside.sum(axis=0), outside.sum(axis=0)) < self.least] = 0.0
        # Gains that differ by rounding alone are equal; of equals the first literal is taken.
        shares = np.round(gains / totals.sum(), 12)
        return may[int(shares.argmax())] if shares.max() * totals.sum() > self.gain else None


def _in_order(low: Weights, high: Weights) -> Weights:
    """Return the weight of all pairs of an example on the low side and one of a higher class on the other.

    >>> float(_in_order(np.array([3.0, 1.0]), np.array([1.0, 2.0])))
    6.0
    """
    pairs: Weights = ((np.cumsum(low, axis=-1) - low) * high).sum(axis=-1)
    return pairs


def _tied_pairs(counts: Weights) -> Weights:
    """Return half the weight of all pairs of examples of two classes that lie together.

    >>> float(_tied_pairs(np.array([3.0, 1.0])))
    1.5
    """
    pairs: Weights = (counts.sum(axis=-1) ** 2 - (counts**2).sum(axis=-1)) / 4
    return pairs
