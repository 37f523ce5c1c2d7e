"""Counting in memory: examples packed into 64-bit words, one bit per example.

Examples are sorted into segments, one for each class and weight, and every segment starts a new word. Four examples of
class 1 and two of class 0, all of weight 1, look like this (least significant bit first, padding bits always 0)::

                 segment 0 (class 0)   segment 1 (class 1)
    valid        1100...0              1111000...0
    feature 0    0100...0              1011000...0
    feature 1    0000...0              1100000...0

So one AND and one popcount answer for all classes and all weights at once, and integer weights count exactly as
repeated examples do. A table with many different weights keeps one segment a class and sums the weights themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import CellTally, DistinctRows, GridHistogram, Weights, weighted_bincount
from idnf.logic.literals import feature_of, is_negated

Words = NDArray[np.uint64]

# Beyond this many different weights, segments would be mostly padding.
_MOST_SEGMENT_WEIGHTS = 64
# Examples unpacked at a time (a multiple of 64): few enough to stay in cache and to be small beside the table.
_BLOCK = 1 << 13
# Words combined at a time, for the same reason.
_WORK_WORDS = 1 << 17


@dataclass(frozen=True)
class Segment:
    """Consecutive examples of one class and one weight, from word `start` up to word `stop`."""

    key: int
    label: int
    weight: float
    examples: int
    start: int
    stop: int


@dataclass(frozen=True)
class PackedTable:
    """Boolean examples of two classes or more, packed; made by `from_arrays`.

    Parameters
    ----------
    words : ndarray of shape (n_features, n_words), dtype=uint64
    valid : ndarray of shape (n_words,), dtype=uint64
        The bits that stand for examples.
    segments : tuple of Segment
        Those of class 0 first; none is empty.
    weights : ndarray of shape (64 * n_words,), dtype=float64, or None
        One weight per bit, 0 on padding, if the segments do not carry the weights (theirs is then 1).
    totals : ndarray of shape (n_classes,), dtype=float64
        Weight of all examples of each class.
    whole : bool
        Whether these are all examples there are, not a sample of them.
    """

    words: Words
    valid: Words
    segments: tuple[Segment, ...]
    weights: Weights | None
    totals: Weights
    whole: bool = True

    @classmethod
    def from_arrays(
        cls,
        features: NDArray[np.bool_],
        labels: NDArray[np.bool_] | NDArray[np.integer],
        weight: Weights | None = None,
        n_classes: int = 2,
    ) -> PackedTable:
        """Pack examples: their features, their classes by number, their weights; weight 0 leaves one out.

        >>> features = np.array([[1, 0], [1, 1], [0, 1]], dtype=bool)
        >>> table = PackedTable.from_arrays(features, np.array([True, True, False]))
        >>> table.positive, table.negative
        (2.0, 1.0)
        """
        classes = labels.astype(np.int16)
        if weight is None:
            return cls._from_keys(features, classes, np.ones(1), None, n_classes)
        levels = np.unique(weight)
        if len(levels) <= _MOST_SEGMENT_WEIGHTS:
            keys = (np.searchsorted(levels, weight) + len(levels) * classes).astype(np.int16)
            return cls._from_keys(features, keys, levels, None, n_classes)
        return cls._from_keys(features, np.where(weight > 0, classes, np.int16(-1)), np.ones(1), weight, n_classes)

    @classmethod
    def _from_keys(
        cls,
        features: NDArray[np.bool_],
        keys: NDArray[np.int16],
        levels: Weights,
        weight: Weights | None,
        n_classes: int,
    ) -> PackedTable:
        """Pack examples whose key is ``len(levels) * label + level``; key -1 and level 0 are left out."""
        segments = _segments(np.bincount(keys[keys >= 0], minlength=n_classes * len(levels)).tolist(), levels)
        n_words = segments[-1].stop if segments else 0
        words = np.zeros((features.shape[1], n_words), dtype=np.uint64)
        valid = np.full(n_words, ~np.uint64(0))
        weights = None if weight is None else np.zeros(64 * n_words)
        totals = np.zeros(n_classes)
        for segment in segments:
            members = keys == segment.key
            _pack(features, members, words[:, segment.start : segment.stop])
            valid[segment.stop - 1] = _low_bits(segment.examples - 64 * (segment.stop - segment.start - 1))
            if weights is None or weight is None:
                totals[segment.label] += segment.weight * segment.examples
            else:
                weights[64 * segment.start :][: segment.examples] = weight[members]
                totals[segment.label] += float(weight[members].sum())
        return cls(words, valid, segments, weights, totals)

    @classmethod
    def of_rows(cls, rows: DistinctRows) -> PackedTable:
        """Pack distinct rows: those of the last class first.

        >>> PackedTable.of_rows(DistinctRows(np.eye(2, dtype=bool), np.array([[1.0, 2.0], [0.0, 3.0]]), True)).totals
        array([1., 5.])
        """
        places = [np.flatnonzero(column) for column in rows.weights.T[::-1]]
        labels = np.repeat(np.arange(rows.n_classes)[::-1], list(map(len, places)))
        chosen = np.concatenate(places)
        return cls.from_arrays(rows.features[chosen], labels, rows.weights[chosen, labels], rows.n_classes)

    @property
    def positive(self) -> float:
        """Weight of all examples of class 1."""
        return float(self.totals[1])

    @property
    def negative(self) -> float:
        """Weight of all examples of class 0."""
        return float(self.totals[0])

    @property
    def n_features(self) -> int:
        """Number of Boolean features."""
        return len(self.words)

    def literal_weights(self, conjunction: Sequence[int]) -> tuple[Weights, Weights]:
        """Return, for each literal, the weight of the examples satisfying it and the whole conjunction.

        >>> features = np.array([[1, 0], [1, 1], [0, 1]], dtype=bool)
        >>> table = PackedTable.from_arrays(features, np.array([True, True, False]))
        >>> table.literal_weights([])
        (array([2., 0., 1., 1.]), array([0., 1., 1., 0.]))
        >>> table.literal_weights([2])  # among examples that satisfy feature 1
        (array([1., 0., 1., 0.]), array([0., 1., 1., 0.]))
        """
        satisfied = self._satisfied(conjunction)
        if self.weights is not None:
            return self._summed_weights(satisfied, self.weights)
        starts = [segment.start for segment in self.segments]
        totals = _popcounts(satisfied[np.newaxis], self.valid, starts)
        counts = np.empty((2 * self.n_features, len(starts)), dtype=np.int64)
        counts[0::2] = _popcounts(self.words, satisfied, starts)
        counts[1::2] = totals - counts[0::2]
        split = sum(not segment.label for segment in self.segments)
        weighted = counts * np.array([segment.weight for segment in self.segments])
        return weighted[:, split:].sum(axis=1), weighted[:, :split].sum(axis=1)

    def grid_histogram(self, matrix: Sequence[Sequence[int]]) -> GridHistogram:
        """Return the weight of each class per observed grid point of a literal matrix.

        >>> features = np.array([[1, 0], [1, 1], [0, 1]], dtype=bool)
        >>> table = PackedTable.from_arrays(features, np.array([True, True, False]))
        >>> table.grid_histogram([[0, 2], [2]]).points.tolist()
        [[0, 1], [1, 0], [2, 1]]
        """
        shape = tuple(len(row) + 1 for row in matrix)
        cells = int(np.prod(shape, dtype=object)) if shape else 1
        assert cells < 2**62, "a literal matrix has too many cells to number"
        tally = CellTally(cells, examples=64 * len(self.valid))
        for segment, first, last in self._blocks():
            codes = np.zeros(last - first, dtype=np.int64)
            for row in matrix:
                codes *= len(row) + 1
                codes += self._prefix_lengths(row, first, last)
            weights = segment.weight if self.weights is None else self.weights[first:last]
            tally.add(bool(segment.label), codes, weights)
        observed, positive, negative = tally.totals()
        points = np.stack(np.unravel_index(observed, shape), axis=1) if shape else np.zeros((len(observed), 0))
        return GridHistogram(points.astype(np.int64), positive, negative)

    def distinct_rows(self, limit: int | None = None, random_state: int = 0) -> DistinctRows:
        """Return the distinct examples with their weights; more than `limit` of them are sampled class by class.

        >>> features = np.array([[1, 0], [1, 0], [0, 1]], dtype=bool)
        >>> table = PackedTable.from_arrays(features, np.array([True, False, False]))
        >>> rows = table.distinct_rows()
        >>> rows.features.astype(int).tolist(), rows.positive.tolist(), rows.negative.tolist()
        ([[1, 0], [0, 1]], [1.0, 0.0], [1.0, 1.0])
        """
        n_keys = -(-self.n_features // 64)
        n_examples = sum(segment.examples for segment in self.segments)
        keys = np.zeros((n_examples, 8 * n_keys), dtype=np.uint8)
        weights, labels = np.empty(n_examples), np.empty(n_examples, dtype=np.intp)
        done = 0
        for segment, first, last in self._blocks():
            here = slice(done, done := done + last - first)
            rows = np.packbits(self._bits(self.words, first, last), axis=0, bitorder="little")
            keys[here, : len(rows)] = rows.T
            weights[here] = segment.weight if self.weights is None else self.weights[first:last]
            labels[here] = segment.label
        order = np.lexsort(keys.view("<u8").T) if n_keys else np.arange(n_examples)
        keys = keys[order]
        new = np.ones(n_examples, dtype=np.bool_)
        new[1:] = (keys[1:].view("<u8") != keys[:-1].view("<u8")).any(axis=1)
        group, n_classes = np.cumsum(new) - 1, len(self.totals)
        features = np.unpackbits(keys[new], axis=1, bitorder="little", count=self.n_features).astype(np.bool_)
        # Class by class, so that the weights of a class lie one after the other.
        cells = labels[order] * len(features) + group
        sums = weighted_bincount(cells, weights[order], n_classes * len(features)).reshape(n_classes, -1)
        found = DistinctRows(features, np.ascontiguousarray(sums.T), complete=self.whole)
        return found if limit is None else found.sampled(limit, random_state)

    def covered_weights(self, models: Sequence[Sequence[Sequence[int]]]) -> Weights:
        """Return, for each list of terms, the weight of each class where some term holds.

        >>> features = np.array([[1, 0], [1, 1], [0, 1]], dtype=bool)
        >>> table = PackedTable.from_arrays(features, np.array([True, True, False]))
        >>> table.covered_weights([[[0], [2]], [[1]]]).tolist()
        [[1.0, 2.0], [1.0, 0.0]]
        """
        return np.array([self._covered_weight(terms) for terms in models]).reshape(len(models), len(self.totals))

    def prepare(
        self, conjunctions: Sequence[Sequence[int]] = (), matrices: Sequence[Sequence[Sequence[int]]] = ()
    ) -> None:
        """Do nothing: in memory, questions cost the same one by one."""

    def _covered_weight(self, terms: Sequence[Sequence[int]]) -> Weights:
        covered = np.zeros_like(self.valid)
        for term in terms:
            covered |= self._satisfied(term)
        weights = np.zeros(len(self.totals))
        for segment in self.segments:
            words = covered[segment.start : segment.stop]
            if self.weights is None:
                weight = segment.weight * int(np.bitwise_count(words).sum())
            else:
                bits = np.unpackbits(words.view(np.uint8), bitorder="little")
                weight = float(bits @ self.weights[64 * segment.start : 64 * segment.stop])
            weights[segment.label] += weight
        return weights

    def _satisfied(self, conjunction: Sequence[int]) -> Words:
        """Return the examples that satisfy every literal of the conjunction."""
        satisfied = self.valid
        for code in conjunction:
            words = self.words[feature_of(code)]
            satisfied = satisfied & (~words if is_negated(code) else words)
        return satisfied

    def _blocks(self) -> Iterator[tuple[Segment, int, int]]:
        """Yield runs of examples of one segment, each as (segment, first bit, last bit + 1)."""
        for segment in self.segments:
            end = 64 * segment.start + segment.examples
            for first in range(64 * segment.start, end, _BLOCK):
                yield segment, first, min(first + _BLOCK, end)

    @staticmethod
    def _bits(words: Words, first: int, last: int) -> NDArray[np.uint8]:
        """Unpack bits `first` (at the start of a word) to `last` of each line of words."""
        part = np.ascontiguousarray(words[:, first // 64 : -(-last // 64)])
        return np.unpackbits(part.view(np.uint8), axis=1, bitorder="little", count=last - first)

    def _prefix_lengths(self, row: Sequence[int], first: int, last: int) -> NDArray[np.int64]:
        """Return how many leading literals of a matrix row each example of a block satisfies."""
        words = self.words[[feature_of(code) for code in row], first // 64 : -(-last // 64)]
        flips = np.array([-is_negated(code) for code in row], dtype=np.int64).astype(np.uint64)
        prefixes = np.bitwise_and.accumulate(words ^ flips[:, np.newaxis], axis=0)
        lengths: NDArray[np.int64] = self._bits(prefixes, 0, last - first).sum(axis=0, dtype=np.int64)
        return lengths

    def _summed_weights(self, satisfied: Words, weights: Weights) -> tuple[Weights, Weights]:
        """Answer `literal_weights` by summing the weights of the examples, a block at a time."""
        sums = np.zeros((2, 2 * self.n_features))
        for segment, first, last in self._blocks():
            chosen = np.flatnonzero(self._bits(satisfied[np.newaxis], first, last))
            bits = self._bits(self.words, first, last)[:, chosen]
            block = weights[first:last][chosen]
            sums[segment.label, 0::2] += bits @ block
            # Not by subtraction: what no example satisfies must weigh exactly 0.
            sums[segment.label, 1::2] += (bits ^ 1) @ block
        return sums[1], sums[0]


def _segments(examples: Sequence[int], levels: Weights) -> tuple[Segment, ...]:
    """Lay out the segments one after the other, given the number of examples of each key."""
    segments: list[Segment] = []
    for key, count in enumerate(examples):
        label, level = divmod(key, len(levels))
        if count and levels[level]:
            start = segments[-1].stop if segments else 0
            stop = start + -(-count // 64)
            segments.append(Segment(key, label, float(levels[level]), count, start, stop))
    return tuple(segments)


def _pack(features: NDArray[np.bool_], members: NDArray[np.bool_], words: Words) -> None:
    """Write the features of the members into words, one line a feature."""
    packed, done = words.view(np.uint8), 0
    waiting = np.zeros(0, dtype=np.intp)
    for first in range(0, len(members), _BLOCK):
        waiting = np.concatenate([waiting, first + np.flatnonzero(members[first : first + _BLOCK])])
        last = first + _BLOCK >= len(members)
        ready = len(waiting) if last else len(waiting) // 8 * 8
        block = np.ascontiguousarray(features[waiting[:ready]].T)
        packed[:, done : done + -(-ready // 8)] = np.packbits(block, axis=1, bitorder="little")
        done, waiting = done + ready // 8, waiting[ready:]


def _low_bits(count: int) -> np.uint64:
    """Return the word whose first bits are set, in the order `_pack` lays them out."""
    word: np.uint64 = np.packbits(np.arange(64) < count, bitorder="little").view(np.uint64)[0]
    return word


def _popcounts(lines: Words, mask: Words, starts: list[int]) -> NDArray[np.int64]:
    """Count the bits of each line under the mask, per segment; shape (number of lines, number of segments)."""
    counts = np.zeros((len(lines), len(starts)), dtype=np.int64)
    step = max(1, _WORK_WORDS // max(1, len(mask)))
    for first in range(0, len(lines) if starts else 0, step):
        bits = np.bitwise_count(lines[first : first + step] & mask)
        counts[first : first + step] = np.add.reduceat(bits, starts, axis=1, dtype=np.int64)
    return counts
