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

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import (
    FEW_ROWS,
    CellTally,
    DistinctRows,
    GridHistogram,
    Weights,
    class_draws,
    weighted_bincount,
)
from idnf.logic.literals import feature_of, is_negated

Words = NDArray[np.uint64]

# Beyond this many different weights, segments would be mostly padding.
_MOST_SEGMENT_WEIGHTS = 64
# Examples packed or unpacked at a time (a multiple of 64): they stay in cache and are small beside the table.
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
class Blocks:
    """Features that are made for some examples at a time.

    Parameters
    ----------
    make : callable
        Returns the features of examples, shape (examples, features), by their places in the table.
    count : int
        How many features there are.
    threads : int
        How many blocks are made at the same time.
    """

    make: Callable[[NDArray[np.intp]], NDArray[np.bool_]]
    count: int
    threads: int = 1

    def pack(self, members: NDArray[np.intp], words: Words) -> None:
        """Write the features of some examples into words, one line a feature."""
        packed = words.view(np.uint8)

        def write(first: int) -> None:
            block = np.ascontiguousarray(self.make(members[first : first + _BLOCK]).T)
            packed[:, first // 8 : -(-(first + block.shape[1]) // 8)] = np.packbits(block, axis=1, bitorder="little")

        starts = range(0, len(members), _BLOCK)
        if self.threads == 1 or len(starts) == 1:
            for first in starts:
                write(first)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            for _ in pool.map(write, starts):
                pass


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
        return cls.from_blocks(Blocks(features.__getitem__, features.shape[1]), labels, weight, n_classes)

    @classmethod
    def from_blocks(
        cls,
        features: Blocks,
        labels: NDArray[np.bool_] | NDArray[np.integer],
        weight: Weights | None = None,
        n_classes: int = 2,
    ) -> PackedTable:
        """Pack examples whose features are made block by block, so that they are never there all at once.

        >>> features = np.array([[1, 0], [1, 1], [0, 1]], dtype=bool)
        >>> PackedTable.from_blocks(Blocks(features.__getitem__, 2), np.array([True, True, False])).positive
        2.0
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
        features: Blocks,
        keys: NDArray[np.int16],
        levels: Weights,
        weight: Weights | None,
        n_classes: int,
    ) -> PackedTable:
        """Pack examples whose key is ``len(levels) * label + level``; key -1 and level 0 are left out."""
        segments = _segments(np.bincount(keys[keys >= 0], minlength=n_classes * len(levels)).tolist(), levels)
        n_words = segments[-1].stop if segments else 0
        words = np.zeros((features.count, n_words), dtype=np.uint64)
        valid = np.full(n_words, ~np.uint64(0))
        weights = None if weight is None else np.zeros(64 * n_words)
        totals = np.zeros(n_classes)
        for segment in segments:
            members = np.flatnonzero(keys == segment.key)
            features.pack(members, words[:, segment.start : segment.stop])
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
        if limit is not None and sum(segment.examples for segment in self.segments) > max(limit, FEW_ROWS):
            sample, expected = self._drawn(limit, random_state)
            if expected > limit:
                return sample
        parts = []
        for segment, first, last in self._blocks():
            weights = segment.weight if self.weights is None else self.weights[first:last]
            parts.append((self._bits(self.words, first, last).T, segment.label, weights))
        found = self._group(parts, complete=self.whole)[0]
        return found if limit is None else found.sampled(limit, random_state)

    def _drawn(self, limit: int, random_state: int) -> tuple[DistinctRows, float]:
        """Return a sample, and how many distinct rows it lets expect at least.

        Each class has its share of the draws, one from each of as many stretches of equal weight, and keeps its total.
        """
        generator = np.random.default_rng(random_state)
        parts = []
        for label, draws in enumerate(class_draws(self.totals, limit).tolist()):
            step = float(self.totals[label]) / max(draws, 1)
            bits = self._bits_at(label, (np.arange(draws) + generator.random(draws)) * step)
            for some in np.array_split(bits, -(-draws // _BLOCK)) if draws else ():
                lines = self.words[:, some >> 6] >> (some & 63).astype(np.uint64) & np.uint64(1)
                parts.append((lines.astype(np.uint8).T, label, step))
        sample, counts = self._group(parts, complete=False)
        once, twice = float((counts == 1).sum()), float((counts == 2).sum())
        return sample, len(counts) + once * (once - 1) / (2 * (twice + 1))

    def _bits_at(self, label: int, places: Weights) -> NDArray[np.intp]:
        """Return the examples of a class at some places, ascending, if they lie end to end, as long as they weigh."""
        found, before = [], 0.0
        for segment in self.segments:
            if segment.label != label:
                continue
            first = 64 * segment.start
            if self.weights is None:
                total = segment.weight * segment.examples
                own = places[(places >= before) & (places < before + total)] - before
                bits = (own / segment.weight).astype(np.intp)
            else:
                ends = np.cumsum(self.weights[first : first + segment.examples])
                total, own = float(ends[-1]), places
                bits = np.searchsorted(ends, own, side="right")
            found.append(first + np.minimum(bits, segment.examples - 1))
            before += total
        return np.concatenate(found) if found else np.zeros(0, dtype=np.intp)

    def _group(
        self, parts: Sequence[tuple[NDArray[np.uint8], int, float | Weights]], *, complete: bool
    ) -> tuple[DistinctRows, NDArray[np.intp]]:
        """Return the distinct rows among examples given by features, class and weight, and how often each comes."""
        n_keys, n_classes = -(-self.n_features // 64), len(self.totals)
        n_examples = sum(len(features) for features, _, _ in parts)
        keys = np.zeros((n_examples, 8 * n_keys), dtype=np.uint8)
        weights, labels = np.empty(n_examples), np.empty(n_examples, dtype=np.intp)
        done = 0
        for features, label, weight in parts:
            here = slice(done, done := done + len(features))
            packed = np.packbits(features, axis=1, bitorder="little")
            keys[here, : packed.shape[1]] = packed
            weights[here], labels[here] = weight, label
        order = np.lexsort(keys.view("<u8").T) if n_keys else np.arange(n_examples)
        keys = keys[order]
        new = np.ones(n_examples, dtype=np.bool_)
        new[1:] = (keys[1:].view("<u8") != keys[:-1].view("<u8")).any(axis=1)
        group = np.cumsum(new) - 1
        found = np.unpackbits(keys[new], axis=1, bitorder="little", count=self.n_features).astype(np.bool_)
        # Class by class, so that the weights of a class lie one after the other.
        cells = labels[order] * len(found) + group
        sums = weighted_bincount(cells, weights[order], n_classes * len(found)).reshape(n_classes, -1)
        return DistinctRows(found, np.ascontiguousarray(sums.T), complete), np.bincount(group)

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


def _low_bits(count: int) -> np.uint64:
    """Return the word whose first bits are set, in the order in which blocks are packed."""
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
