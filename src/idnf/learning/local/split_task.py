"""The examples that splits are valued on, and the trees that come back."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]
Places = NDArray[np.intp]

# Cells of a line come in multiples of this.
_LINE = 16


class SplitTask:
    """The examples that splits are valued on.

    Parameters
    ----------
    features : ndarray of shape (n_examples, n_features), dtype=bool
    gains : ndarray of shape (n_labels, n_examples), dtype=int32
        What each label gains on each example over label 0; all absolute values together are below 2**29. With two
        labels there is one line, for label 1; with more there may be a line for every label, label 0 included.
    price : int
        Of a split, in the same units.
    first_label : int
        The label of the first line.

    Examples
    --------
    >>> from idnf.learning.local.specification.split_worths import split_worths
    >>> features = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=bool)
    >>> task = SplitTask(features, np.array([[1, -1, -1, 1]], dtype=np.int32), 0)
    >>> [split_worths(task, np.arange(4), levels).tolist() for levels in (1, 2)]
    [[0, 0], [2, 2]]
    """

    def __init__(self, features: NDArray[np.bool_], gains: NDArray[np.int32], price: int, first_label: int = 1) -> None:
        self.features = features
        self.gains = gains
        self.price = price
        self.first_label = first_label

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The features as 0 and 1; products with integer weights are exact."""
        return self.features.astype(np.float64)

    @cached_property
    def cells(self) -> NDArray[np.int8]:
        """-1 where an example has a feature, 0 elsewhere; lines are a little longer."""
        count, width = self.features.shape
        cells = np.zeros((count, -(-width // _LINE) * _LINE), dtype=np.int8)
        np.negative(self.features.view(np.int8), out=cells[:, :width])
        return cells

    @cached_property
    def bits(self) -> NDArray[np.uint64]:
        """The features of each example as bits, 64 in a word."""
        packed = np.packbits(self.features, axis=1, bitorder="little")
        lines = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
        lines[:, : packed.shape[1]] = packed
        return lines.view("<u8")

    @cached_property
    def hopes(self) -> Integers:
        """What each example gains at most."""
        hopes: Integers = self.gains.max(axis=0, initial=0).astype(np.int64)
        return hopes

    def part(self, columns: Places) -> SplitTask:
        """Return the examples with some of their features."""
        features = np.ascontiguousarray(self.features[:, columns])
        return SplitTask(features, self.gains, self.price, self.first_label)

    def constant(self, inside: Places) -> Grown:
        """Return the label that gains most on some examples, the first of equals."""
        totals = self.gains[:, inside].sum(axis=1, dtype=np.int64)
        best = int(totals.argmax())
        return Grown(int(totals[best]), None, self.first_label + best) if totals[best] > 0 else Grown(0, None)

    def most(self, inside: Places) -> int:
        """Return what no tree with a split gains more than on some examples."""
        return int(self.hopes[inside].sum()) - self.price


@dataclass(frozen=True)
class Grown:
    """A tree and its value: what its labels gain, less the price of its splits."""

    value: int
    feature: int | None
    label: int = 0
    below: tuple[Grown, ...] = ()
