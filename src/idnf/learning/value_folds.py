"""Groups of values made anew without the examples that a fold holds out.

Groups are made from labels. So an example that judges a model must have had no part in the groups that the model was
learned with: in each fold the values are put in order and cut again, by the weight of each label in them less what the
fold holds out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from idnf.columns.value_groups import GroupedColumn
from idnf.counting.contract import DistinctRows, UniqueLines, Weights
from idnf.logic.boxes import cells_of
from idnf.tables.value_grouping import Order

Codes = NDArray[np.intp]

_SEED = (0, 7)


@dataclass(frozen=True)
class GroupedValues:
    """A grouped column, and the values of all training examples.

    Parameters
    ----------
    column : GroupedColumn
    start : int
        Its first feature.
    sizes : float array of shape (n_values,)
        How many examples have each value; those with a missing one, and those of no group, come last.
    weights : float array of shape (n_values, n_classes)
    """

    column: GroupedColumn
    start: int
    sizes: Weights
    weights: Weights

    @property
    def features(self) -> slice:
        """The places of its features."""
        return slice(self.start, self.start + len(self.column.literals))

    def truths(self, held: Weights) -> NDArray[np.bool_]:
        """Return the truth of each literal on each value once some weight is held out, by value and class.

        A value goes to the group whose literals differ least from what the new cuts say about it.
        """
        cells = len(self.column.labels)
        table = np.array([[bool(one.mask >> cell & 1) for one in self.column.literals] for cell in range(cells)])
        placed = np.empty(len(self.sizes), dtype=np.intp)
        placed[-2:] = self.column.missing_cell, len(self.column.groups)
        if not self.column.takes_missing:
            placed[-2] = len(self.column.groups)
        known = table[: len(self.column.groups), : len(self.column.sets)]
        differs = (self._sides_of_values(held[:-2])[:, np.newaxis, :] != known[np.newaxis]).sum(axis=2)
        placed[:-2] = differs.argmin(axis=1)
        truths: NDArray[np.bool_] = table[placed]
        return truths

    def _sides_of_values(self, held: Weights) -> NDArray[np.bool_]:
        """Return for each value whether new cuts put it into each set of groups that is a literal."""
        total = self.weights[:-2]
        left = np.maximum(total - held, 0.0)
        masses = total.sum(axis=1)
        part = np.divide(left.sum(axis=1), masses, out=np.zeros(len(masses)), where=masses > 0)
        found = np.zeros((len(total), len(self.column.sets)), dtype=bool)
        by_group = np.array([total[places].sum(axis=0) for places in self._members()])
        for label in dict.fromkeys(self.column.orders):
            literals = self._literals(label, by_group)
            cuts = sorted({above for above, _ in literals.values()}, key=int.bit_count, reverse=True)
            order = Order.of(label, self.sizes[:-2] * part, left, len(cuts))
            for literal, (mask, is_above) in literals.items():
                place = cuts.index(mask)
                above = order.above(order.cuts[place])[0] if place < len(order.cuts) else np.zeros(len(total), bool)
                found[:, literal] = above == is_above
        return found

    def _members(self) -> list[Codes]:
        """Return the places of the values of each group: they stand one group after the other."""
        ends = np.cumsum([len(values) for values in self.column.groups])
        return [np.arange(end - len(values), end) for end, values in zip(ends, self.column.groups, strict=True)]

    def _literals(self, label: int, by_group: Weights) -> dict[int, tuple[int, bool]]:
        """Return, for each literal of an order, the groups above its cut, and whether it holds in these."""
        groups = (1 << len(self.column.groups)) - 1
        found = {}
        for literal, (mask, own) in enumerate(zip(self.column.sets, self.column.orders, strict=True)):
            if own == label:
                inside = mask & groups
                is_above = _share(by_group, inside, label) >= _share(by_group, groups & ~inside, label)
                found[literal] = (inside if is_above else groups & ~inside, is_above)
        return found


def _share(by_group: Weights, mask: int, label: int) -> float:
    by_label = by_group[list(cells_of(mask))].sum(axis=0)
    total = float(by_label.sum())
    return float(by_label[label]) / total if total else 0.0


@dataclass(frozen=True)
class ValueFolds:
    """Examples with the values of their grouped columns, so that folds can group these anew.

    Parameters
    ----------
    rows : DistinctRows
        Examples that differ in their features or in these values.
    codes : int array of shape (n_distinct, n_grouped)
        The place of the value of each grouped column.
    columns : tuple of GroupedValues
    """

    rows: DistinctRows
    codes: Codes
    columns: tuple[GroupedValues, ...]

    @classmethod
    def of(cls, rows: DistinctRows, codes: Codes, columns: Sequence[GroupedValues]) -> ValueFolds:
        """Return examples, those that are alike counted as one."""
        unique = UniqueLines.of(np.column_stack([np.packbits(rows.features, axis=1), codes]))
        weights = np.zeros((len(unique.first), rows.n_classes))
        np.add.at(weights, unique.places, rows.weights)
        return cls(
            replace(rows, features=rows.features[unique.first], weights=weights), codes[unique.first], tuple(columns)
        )

    def sampled(self, most: int) -> ValueFolds:
        """Return the examples, or a random part of them if they are more."""
        if len(self.codes) <= most:
            return self
        some = np.random.default_rng(_SEED).permutation(len(self.codes))[:most]
        return replace(self, rows=self.rows.part(some), codes=self.codes[some])

    def over(self, kept: Sequence[int]) -> ValueFolds:
        """Return the same examples with some of the features; groups of which not all are kept stay as they are."""
        place = {feature: number for number, feature in enumerate(kept)}
        whole = [j for j, one in enumerate(self.columns) if set(range(*one.features.indices(1 << 60))) <= place.keys()]
        columns = tuple(replace(self.columns[j], start=place[self.columns[j].start]) for j in whole)
        rows = replace(self.rows, features=np.ascontiguousarray(self.rows.features[:, list(kept)]))
        return ValueFolds(rows, self.codes[:, whole], columns)

    def in_order(self, labels: Sequence[int]) -> ValueFolds:
        """Return the examples with their labels in another order."""
        order, number = list(labels), {label: place for place, label in enumerate(labels)}
        columns = [
            replace(
                one,
                column=replace(one.column, orders=tuple(number[label] for label in one.column.orders)),
                weights=one.weights[:, order],
            )
            for one in self.columns
        ]
        return replace(self, rows=replace(self.rows, weights=self.rows.weights[:, order]), columns=tuple(columns))

    def without(self, held: Weights) -> DistinctRows:
        """Return all examples with the features that groups have which are made without the weights held out."""
        features = self.rows.features.copy()
        for column, codes in zip(self.columns, self.codes.T, strict=True):
            weights = np.zeros_like(column.weights)
            np.add.at(weights, codes, held)
            features[:, column.features] = column.truths(weights)[codes]
        return replace(self.rows, features=features)
