"""From a column of many categories to groups of values.

Values are put in order by their share of a label, drawn to the mean share as far as they are rare, and the order is cut
as numbers are cut: by a tree. Of two labels there is one order; of more one for each label, and the groups are what all
cuts together distinguish. A column that tells no more of the label than chance would is not grouped: an order made
from the labels that it is judged by makes noise look like signal.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.columns.column import Missing
from idnf.columns.raw import Category
from idnf.columns.value_groups import MOST_GROUPED, MOST_GROUPS, GroupedColumn
from idnf.tables.cuts import CountedValues, tree_positions

CHANCE = 0.001
"""A column is grouped if labels drawn at random would depend on it as much less often than this."""

MOST_CUTS = 4
"""The most cuts of one order."""

# Shares that differ by less are one: sums of weights in another order may differ so.
_DIGITS = 12

Weights = NDArray[np.float64]


@dataclass(frozen=True)
class CountedCategories:
    """The categories of a column, with the rows and the weight of each label in each of them.

    Parameters
    ----------
    values : sequence of categories
    rows : int array of shape (n_values, n_classes)
    weights : float array of shape (n_values, n_classes)
    """

    values: Sequence[Category]
    rows: NDArray[np.intp]
    weights: Weights

    def most_frequent(self, most: int) -> CountedCategories:
        """Return the categories of most rows, all of them if they are no more than that."""
        if len(self.values) <= most:
            return self
        rows = self.rows.sum(axis=1)
        kept = sorted(range(len(self.values)), key=lambda i: (-rows[i], self.values[i]))[:most]
        return CountedCategories([self.values[i] for i in kept], self.rows[kept], self.weights[kept])


def chance_of(rows: NDArray[np.intp]) -> float:
    """Return how often labels drawn at random depend on the values by as much: the p-value of a chi-square test.

    With few rows for a value the sum of squares is not distributed as chi-square; its mean and variance over all
    permutations of the labels are known exactly (Dawson, *A simplified expression for the variance of the chi-square
    function on a contingency table*, 1954), and the tail is that of the gamma distribution with both.

    >>> chance_of(np.array([[20, 0], [0, 20]])) < 1e-6, chance_of(np.array([[10, 11], [11, 10], [9, 9]])) > 0.5
    (True, True)
    """
    table = rows[rows.any(axis=1)][:, rows.any(axis=0)]
    if min(table.shape) < 2 or table.sum() < 4:
        return 1.0
    mean, variance = chance_moments(table)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    found = float(((table - expected) ** 2 / expected).sum())
    if variance <= 0:
        return 1.0
    # Wilson and Hilferty (1931): the cube root of a gamma variable is nearly normal.
    part = variance / (9 * mean**2)
    return math.erfc(((found / mean) ** (1 / 3) - 1 + part) / math.sqrt(2 * part)) / 2


def chance_moments(rows: NDArray[np.intp]) -> tuple[float, float]:
    """Return the mean and the variance of the chi-square statistic of a table over all permutations of the labels."""
    total = float(rows.sum())

    def side(sums: NDArray[np.intp]) -> tuple[float, float]:
        count = len(sums)
        return (count - 1) * (total - count) / (total - 1), (float((total / sums).sum()) - count**2) / (total - 2)

    (free, uneven), (free_of_labels, uneven_of_labels) = side(rows.sum(axis=1)), side(rows.sum(axis=0))
    mean = total / (total - 1) * (rows.shape[0] - 1) * (rows.shape[1] - 1)
    spread = 2 * total / (total - 3) * (free - uneven) * (free_of_labels - uneven_of_labels)
    return mean, spread + total**2 / (total - 1) * uneven * uneven_of_labels


def drawn_shares(sizes: Weights, shares: Weights) -> tuple[Weights, float]:
    """Return the share of a label in each value, drawn to the mean as far as values are small, and the mean.

    How far is what the variance between values and that within them say: the best linear guess at the share of a value
    from a population of values.

    Parameters
    ----------
    sizes : float array of shape (n_values,)
        How many examples have each value.
    shares : float array of shape (n_values,)

    Examples
    --------
    >>> drawn, mean = drawn_shares(np.array([50.0, 50.0, 2.0]), np.array([0.2, 0.6, 1.0]))
    >>> drawn.round(2).tolist(), round(mean, 2)
    ([0.21, 0.59, 0.67], 0.41)
    """
    total, count = float(sizes.sum()), len(sizes)
    mean = float(sizes @ shares) / total
    within = float(sizes @ (shares * (1 - shares))) / max(total - count, 1.0)
    spread = float(sizes @ (shares - mean) ** 2) - (count - 1) * within
    between = spread / (total - float(sizes @ sizes) / total) if total > sizes.max() else 0.0
    if between <= 0:
        return np.full(count, mean), mean
    prior = within / between
    return np.round((sizes * shares + prior * mean) / (sizes + prior), _DIGITS), round(mean, _DIGITS)


def cut_shares(shares: Weights, weights: Weights, most: int) -> list[float]:
    """Return at most that many shares between which to cut an order of values, ascending.

    >>> cut_shares(np.array([0.1, 0.9, 0.2]), np.array([[9.0, 1], [1, 9], [8, 2]]), 1)
    [0.55]
    """
    distinct, places = np.unique(shares, return_inverse=True)
    by_share = np.zeros((len(distinct), weights.shape[1]))
    np.add.at(by_share, places, weights)
    counted = CountedValues(distinct, by_share)
    return [sum(counted.gap(position)) / 2 for position in tree_positions(counted, most)]


@dataclass(frozen=True)
class Order:
    """The values of a column in the order of their share of one label, with cuts.

    Parameters
    ----------
    label : int
    shares : float array of shape (n_values,)
    mean : float
        Where values never seen are taken to be.
    cuts : tuple of float
    """

    label: int
    shares: Weights
    mean: float
    cuts: tuple[float, ...]

    @classmethod
    def of(cls, label: int, sizes: Weights, weights: Weights, most: int) -> Order:
        """Put values in order, by their sizes and the weight of each label in each of them, and cut the order."""
        masses = weights.sum(axis=1)
        seen = (masses > 0) & (sizes > 0)
        own = np.divide(weights[:, label], masses, out=np.zeros(len(masses)), where=seen)
        if not seen.any():
            return cls(label, own, 0.0, ())
        drawn, mean = drawn_shares(sizes[seen], own[seen])
        shares = np.full(len(masses), mean)
        shares[seen] = drawn
        return cls(label, shares, mean, tuple(cut_shares(drawn, weights[seen], most)))

    def above(self, cut: float) -> tuple[NDArray[np.bool_], bool]:
        """Return which values lie above a cut, and whether values never seen are taken to."""
        return self.shares > cut, self.mean > cut


def ordered_labels(n_classes: int) -> range:
    """Return the labels by whose shares values are put in order: of two labels one order serves both."""
    return range(1, 2) if n_classes == 2 else range(n_classes)


def grouped_column(
    name: str, counted: CountedCategories, missing: Missing, *, most: int, closed: bool = False
) -> GroupedColumn | None:
    """Return the column of some categories in groups; None if they tell of the labels no more than chance would.

    Parameters
    ----------
    name : str
    counted : CountedCategories
    missing : {"refused", "counted", "allowed", "seen"}
    most : int
        The most literals.
    closed : bool
        Whether values never seen are refused.

    Examples
    --------
    >>> rows = np.array([[9, 1]] * 10 + [[0, 10]] * 5)
    >>> counted = CountedCategories([f"m{i}" for i in range(15)], rows, rows.astype(float))
    >>> column = grouped_column("merchant", counted, "refused", most=10)
    >>> [len(values) for values in column.groups], [literal.name for literal in column.literals]
    ([10, 5], ['merchant is in group high (5 values)'])
    """
    if chance_of(counted.rows) >= CHANCE:
        return None
    counted = counted.most_frequent(MOST_GROUPED)
    sizes, weights = counted.rows.sum(axis=1).astype(np.float64), counted.weights
    each = 2 if missing == "seen" else 1
    room = max(1, (most - (missing == "seen")) // each)
    labels = ordered_labels(weights.shape[1])
    orders = [Order.of(label, sizes, weights, min(MOST_CUTS, room)) for label in labels]
    cuts = _best_cuts([(order, cut) for order in orders for cut in order.cuts], weights, room)
    if not cuts:
        return None
    return _column(name, counted.values, missing, cuts, closed=closed)


def _best_cuts(cuts: Sequence[tuple[Order, float]], weights: Weights, room: int) -> list[tuple[Order, float]]:
    """Return the cuts that purify the labels most of which the values make no more groups than there may be."""
    gains = [_purity(weights[order.above(cut)[0]]) + _purity(weights[~order.above(cut)[0]]) for order, cut in cuts]
    kept: list[int] = []
    for place in sorted(range(len(cuts)), key=lambda i: (-round(gains[i], 9), i)):
        tried = np.column_stack([cuts[i][0].above(cuts[i][1])[0] for i in (*kept, place)])
        if len(np.unique(tried, axis=0)) <= MOST_GROUPS and len(kept) < room:
            kept.append(place)
    return [cuts[place] for place in sorted(kept)]


def _purity(weights: Weights) -> float:
    """Return the weight that is of one label with itself if labels are drawn from some values together (Gini)."""
    by_label = weights.sum(axis=0)
    total = float(by_label.sum())
    return float(by_label @ by_label) / total if total else 0.0


def _column(
    name: str, values: Sequence[Category], missing: Missing, cuts: Sequence[tuple[Order, float]], *, closed: bool
) -> GroupedColumn:
    """Return the column whose groups are what some cuts distinguish.

    A literal leaves the values never seen out, so that they count as values of the mean share do.
    """
    sides = [order.above(cut) for order, cut in cuts]
    signs = np.column_stack([above for above, _ in sides])
    kinds, places = np.unique(signs, axis=0, return_inverse=True)
    one_order = len({order.label for order, _ in cuts}) == 1
    ranks = np.argsort(np.argsort(kinds.sum(axis=1), kind="stable")) if one_order else np.arange(len(kinds))
    groups = tuple(
        tuple(sorted(values[i] for i in np.flatnonzero(ranks[places.ravel()] == rank).tolist()))
        for rank in range(len(kinds))
    )
    sets: list[tuple[int, int]] = []
    for place, ((order, _), (_, others)) in enumerate(zip(cuts, sides, strict=True)):
        above = sum(1 << int(rank) for rank, held in zip(ranks, kinds[:, place], strict=True) if held)
        below = (1 << len(groups)) - 1 - above
        rest = 1 << len(groups)
        sets.append((below if others else above, order.label))
        if missing == "seen":
            sets.append((above | rest if others else below | rest, order.label))
    masks, labels = zip(*dict(sets).items(), strict=True)
    return GroupedColumn(name, missing, groups, masks, labels, one_order and len(groups) <= MOST_CUTS + 1, closed)


def spelled(counted: CountedCategories, alike: Mapping[str, Sequence[str]]) -> CountedCategories:
    """Return categories with those that are spellings of one value counted as it."""
    place = {value: i for i, value in enumerate(counted.values)}
    members = [[place[text] for text in texts] for texts in alike.values()]
    rows = np.array([counted.rows[some].sum(axis=0) for some in members])
    return CountedCategories(list(alike), rows, np.array([counted.weights[some].sum(axis=0) for some in members]))
