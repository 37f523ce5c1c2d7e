# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Splits and short trees; :mod:`idnf.learning.local.specification.split_worths` says which."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.string cimport memset

from idnf.learning.local.compiled.loops cimport loops

import numpy as np

from idnf.learning.local.split_task import Grown


cdef class Splitting:
    """The examples, and scratch for the sums over some of them."""

    cdef int64_t features, examples, labels, line, words, price, first_label
    cdef const int8_t[:, ::1] cells
    cdef const uint64_t[:, ::1] bits
    cdef const int32_t[:, ::1] gains
    cdef int32_t[::1] places, weights, singles, sums
    cdef int64_t[::1] totals, worth

    def __cinit__(self, task, inside, int64_t levels):
        self.cells, self.bits, self.gains = task.cells, task.bits, task.gains
        self.features, self.price, self.first_label = task.features.shape[1], task.price, task.first_label
        self.labels, self.examples = task.gains.shape
        self.line, self.words = self.cells.shape[1], self.bits.shape[1]
        tables = 0 if levels < 2 else 1 if levels == 2 else 3
        self.places = inside.astype(np.int32)
        self.weights = np.empty(max(1, len(inside)), dtype=np.int32)
        self.singles = np.empty(self.labels * self.line, dtype=np.int32)
        self.sums = np.empty(max(1, tables * self.labels * self.line * self.line), dtype=np.int32)
        self.totals = np.empty((3 if levels == 3 else 1) * self.labels, dtype=np.int64)
        self.worth = np.empty(self.features, dtype=np.int64)

    cdef int64_t add_up(self, const int32_t *places, int64_t count) noexcept nogil:
        """Find what each label gains on some examples in all; return what all of them could."""
        cdef int64_t g, n, gain, most, hope = 0
        memset(&self.totals[0], 0, self.labels * sizeof(int64_t))
        for n in range(count):
            most = 0
            for g in range(self.labels):
                gain = self.gains[g, places[n]]
                self.totals[g] += gain
                most = gain if gain > most else most
            hope += most
        return hope

    cdef int64_t best_label(self, int64_t *value) noexcept nogil:
        """Return the label of most gain in all, and the gain; the first of equals."""
        cdef int64_t g, label = 0
        value[0] = 0
        for g in range(self.labels):
            if self.totals[g] > value[0]:
                value[0], label = self.totals[g], g + self.first_label
        return label

    cdef void value_singles(self, const int32_t *places, int64_t count) noexcept nogil:
        """Find what each feature is worth as the only split."""
        cdef int64_t g, n, f, high, low, gain
        for g in range(self.labels):
            for n in range(count):
                self.weights[n] = self.gains[g, places[n]]
            loops.accumulate(&self.cells[0, 0], self.line, places, &self.weights[0], count,
                             &self.singles[g * self.line])
        for f in range(self.features):
            high = low = 0
            for g in range(self.labels):
                gain = self.singles[g * self.line + f]
                high = gain if gain > high else high
                gain = self.totals[g] - gain
                low = gain if gain > low else low
            self.worth[f] = high + low - self.price

    cdef void add_pairs(self, const int32_t *places, int64_t count, int32_t *sums) noexcept nogil:
        cdef int64_t g
        for g in range(self.labels):
            loops.pairs(&self.cells[0, 0], self.line, &self.bits[0, 0], self.words, places, &self.gains[g, 0], count,
                        sums + g * self.line * self.line)

    cdef int64_t value_pairs(self, const int32_t *sums, const int64_t *totals) noexcept nogil:
        return loops.above_splits(sums, self.labels, self.line, self.features, totals, self.price, &self.singles[0],
                                  &self.worth[0])

    cdef void value_triples(self, int64_t *worth) noexcept nogil:
        """Find what each feature is worth above trees of depth two, given the pairs of all examples."""
        cdef int64_t i, n, g, count, best, labels = self.labels, size = labels * self.line * self.line
        cdef int32_t *having = &self.sums[size]
        cdef int32_t *lacking = having + size
        for i in range(self.features):
            count = 0
            for n in range(self.places.shape[0]):
                self.weights[count] = self.places[n]
                count += self.bits[self.places[n], i >> 6] >> (i & 63) & 1
            self.add_pairs(&self.weights[0], count, having)
            for n in range(size):
                lacking[n] = self.sums[n] - having[n]
            for g in range(labels):
                self.totals[labels + g] = self.sums[(g * self.line + i) * self.line + i]
                self.totals[2 * labels + g] = self.totals[g] - self.totals[labels + g]
            best = self.value_pairs(having, &self.totals[labels])
            worth[i] = best + self.value_pairs(lacking, &self.totals[2 * labels]) - self.price

    cdef int64_t best_split(self, const int32_t *places, int64_t count, int64_t depth) noexcept nogil:
        """Return the feature worth most above trees of depth less than two."""
        cdef int64_t f, best = 0
        if depth == 1:
            self.value_singles(places, count)
        else:
            self.add_pairs(places, count, &self.sums[0])
            self.value_pairs(&self.sums[0], &self.totals[0])
        for f in range(1, self.features):
            if self.worth[f] > self.worth[best]:
                best = f
        return best

    cdef int64_t part(self, int32_t *places, int64_t count, int64_t feature) noexcept nogil:
        """Put the examples without a feature first; return how many they are."""
        cdef int64_t n = 0, high = count
        cdef int32_t kept
        while n < high:
            if self.bits[places[n], feature >> 6] >> (feature & 63) & 1:
                high -= 1
                kept = places[high]
                places[high] = places[n]
                places[n] = kept
            else:
                n += 1
        return high

    cdef object grow(self, int32_t *places, int64_t count, int64_t depth, int64_t least):
        """Return the best tree for some examples, splits where they gain more than `least`."""
        cdef int64_t hope = self.add_up(places, count), constant, feature, high
        cdef int64_t label = self.best_label(&constant)
        if depth and hope - self.price > constant + least:
            with nogil:
                feature = self.best_split(places, count, depth)
            if self.worth[feature] > constant + least:
                high = self.part(places, count, feature)
                low_tree = self.grow(places, high, depth - 1, least)
                high_tree = self.grow(places + high, count - high, depth - 1, least)
                value = low_tree.value + high_tree.value - self.price
                if value > constant + least:
                    return Grown(value, feature, 0, (low_tree, high_tree))
        return Grown(constant, None, label)


def split_worths(task, inside, int64_t levels):
    """Value features as splits; see :func:`idnf.learning.local.specification.split_worths.split_worths`."""
    cdef Splitting splitting
    cdef int64_t[::1] worth
    worths = np.full(task.features.shape[1], -task.price, dtype=np.int64)
    if not len(worths) or not len(inside):
        return worths
    splitting, worth = Splitting(task, inside, levels), worths
    with nogil:
        splitting.add_up(&splitting.places[0], splitting.places.shape[0])
        if levels == 1:
            splitting.value_singles(&splitting.places[0], splitting.places.shape[0])
        else:
            splitting.add_pairs(&splitting.places[0], splitting.places.shape[0], &splitting.sums[0])
            if levels == 2:
                splitting.value_pairs(&splitting.sums[0], &splitting.totals[0])
            else:
                splitting.value_triples(&worth[0])
    return worths if levels == 3 else np.asarray(splitting.worth)


def short_tree(task, inside, int64_t depth, int64_t least):
    """Find the best short tree; see :func:`idnf.learning.local.specification.split_worths.short_tree`."""
    cdef Splitting splitting
    if not task.features.shape[1] or not len(inside):
        return Grown(0, None)
    splitting = Splitting(task, inside, depth)
    return splitting.grow(&splitting.places[0], splitting.places.shape[0], depth, least)
