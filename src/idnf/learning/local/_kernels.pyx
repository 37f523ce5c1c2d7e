# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Search in compiled code: the same moves, drawn from the same random stream, as the modules beside it.

`anneal` is that of tree_search.py and matrix_search.py, `repair` that of reference/repairing.py; these say what is
computed, and tests hold both to the same results. Nothing here touches Python objects while it searches, so threads
run side by side; from time to time `is_over` is asked whether to stop.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, qsort, realloc
from libc.string cimport memcpy, memset

from functools import cache

import numpy as np

from idnf.learning.local.berge_search import CAUTION as _CAUTION
from idnf.learning.local.berge_search import MOST_ADDED as _MOST_ADDED
from idnf.learning.local.berge_search import MOST_CANDIDATES as _MOST_CANDIDATES
from idnf.learning.local.berge_search import MOST_IMPLICANTS as _MOST_IMPLICANTS
from idnf.learning.local.berge_search import MOST_NODES as _MOST_NODES
from idnf.learning.local.berge_search import MOST_TERMS as _MOST_TERMS
from idnf.learning.local.berge_search import Repaired
from idnf.learning.local.heat_bath import CHANCES, RANGE, SHIFT, STEPS
from idnf.learning.local.matrix_search import MOST_PERFECT_ORDER, PERFECT_NODES, most_terms, no_term
from idnf.learning.local.split_worths import Grown
from idnf.learning.local.staircase import prefix_vectors
from idnf.learning.local.tree_search import Annealed
from idnf.logic.literals import codes_of, negated_mask

cdef extern from "loops.h" nogil:
    ctypedef struct idnf_loops:
        pass
    const idnf_loops *idnf_chosen
    const idnf_loops *idnf_loops_at(int number)
    int idnf_lowest(uint64_t word)
    void idnf_accumulate(const int8_t *cells, int64_t line, const int32_t *places, const int32_t *weights,
                         int64_t count, int32_t *sums)
    int idnf_is_narrow(int64_t line, int64_t size)
    int64_t idnf_sums(const int8_t *cells, int64_t line, const int32_t *net, const uint64_t *mask, int64_t words,
                      int32_t *sums)
    int64_t idnf_weight(const uint64_t *mask, const int32_t *net, int64_t size)
    void idnf_and(uint64_t *into, const uint64_t *mask, const uint64_t *literal, int negated, int64_t words)
    void idnf_covered(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *vectors,
                      const int32_t *terms, int64_t n_terms, const uint64_t *everything, uint64_t *into)
    void idnf_deciding(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *vectors,
                      const int32_t *terms, int64_t n_terms, int64_t i, int64_t j, const uint64_t **later,
                       const int32_t *negated, const uint64_t *reach, uint64_t *into)
    void idnf_recount(const int32_t *bounds, const int32_t *lists, const int32_t *lanes, const int8_t *rows,
                      int64_t line, const int32_t *codes, const int32_t *weights, int64_t count, int32_t *gains)
    int64_t idnf_held(const uint64_t *points, int64_t count, uint64_t vector, int32_t *places)
    void idnf_worth(const int32_t *gains, const int32_t *places, const int64_t *prices, int64_t count, int64_t *values)
    void idnf_codes(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *steps, int32_t *codes)
    int64_t idnf_greatest(const int64_t *values, int64_t count)
    int64_t idnf_near(const int64_t *values, int64_t count, int64_t bound, int32_t *places)
    int64_t idnf_chances(const int64_t *values, int64_t count, int64_t best, int64_t farthest, int64_t factor,
                         int64_t shift, const int64_t *table, int64_t *chances, int64_t *sums)
    void idnf_pairs(const int8_t *cells, int64_t line, const uint64_t *bits, int64_t words, const int32_t *places,
                    const int32_t *net, int64_t count, int32_t *sums)
    int64_t idnf_above_splits(const int32_t *pairs, int64_t line, int64_t features, int32_t total, int64_t price,
                              int64_t *worth)

idnf_chosen = idnf_loops_at(0)


def choose_loops(int number):
    """Use other inner loops that this processor can run, by number, the quickest is 0; tell whether there are so many.

    All of them give the same results; tests try each.
    """
    global idnf_chosen
    if idnf_loops_at(number) == NULL:
        return False
    idnf_chosen = idnf_loops_at(number)
    return True


# Cells added up between two questions whether to stop: a few milliseconds.
cdef int64_t PATIENCE = 20_000_000

cdef int64_t[::1] _chances = CHANCES
cdef int64_t *CHANCE_TABLE = &_chances[0]
cdef int64_t TABLE_RANGE = RANGE
cdef int64_t TABLE_SHIFT = SHIFT
cdef int64_t TABLE_STEPS = STEPS
cdef int64_t MOST_PERFECT = MOST_PERFECT_ORDER
cdef int64_t NODES = PERFECT_NODES
cdef int64_t MOST_NODES = _MOST_NODES
cdef int64_t MOST_ADDED = _MOST_ADDED
cdef int64_t MOST_CANDIDATES = _MOST_CANDIDATES
cdef int64_t MOST_IMPLICANTS = _MOST_IMPLICANTS
cdef int64_t MOST_TERMS = _MOST_TERMS
cdef int32_t CAUTION = _CAUTION


cdef class Arena:
    """Memory that goes, all of it, when nobody holds the arena any more."""

    cdef void **blocks
    cdef int64_t count

    cdef void *take(self, int64_t count, int64_t size) except NULL:
        """Return room for some things of a size, and one to spare, filled with 0."""
        cdef void **more
        if self.count & (self.count - 1) == 0:
            more = <void **> realloc(self.blocks, 2 * (self.count + 1) * sizeof(void *))
            if more == NULL:
                raise MemoryError
            self.blocks = more
        self.blocks[self.count] = calloc(count + 1, size)
        if self.blocks[self.count] == NULL:
            raise MemoryError
        self.count += 1
        return self.blocks[self.count - 1]

    def __dealloc__(self):
        cdef int64_t n
        for n in range(self.count):
            free(self.blocks[n])
        free(self.blocks)


include "bath.pxi"
include "table.pxi"
include "matrices.pxi"
include "trees.pxi"
include "repair.pxi"


# ---------------------------------------------------------------- splits above others (split_worths.py)

def split_worths(task, inside, int64_t levels):
    """Value features as splits; see :func:`idnf.learning.local.split_worths.split_worths`."""
    cdef const int8_t[:, ::1] cells = task.cells
    cdef const uint64_t[:, ::1] bits = task.bits
    cdef const int32_t[::1] net = task.net
    cdef const int32_t[::1] places = inside.astype(np.int32)
    cdef int64_t features = task.features.shape[1], price = task.price
    cdef int64_t line = cells.shape[1], words = bits.shape[1], count = places.shape[0], i, n, f, total = 0, best
    found = np.empty(features, dtype=np.int64)
    cdef int64_t[::1] worth = found
    cdef int64_t[::1] below
    cdef int32_t[::1] some, sums
    if not features or not count:
        found[:] = -price
        return found
    if levels == 1:
        sums = np.empty(line, dtype=np.int32)
        some = np.empty(count, dtype=np.int32)
        with nogil:
            for n in range(count):
                some[n] = net[places[n]]
                total += some[n]
            idnf_accumulate(&cells[0, 0], line, &places[0], &some[0], count, &sums[0])
            for f in range(features):
                worth[f] = (sums[f] if sums[f] > 0 else 0) - price
                worth[f] += total - sums[f] if total > sums[f] else 0
        return found
    sums = np.empty((3 if levels == 3 else 1) * line * line, dtype=np.int32)
    with nogil:
        for n in range(count):
            total += net[places[n]]
        idnf_pairs(&cells[0, 0], line, &bits[0, 0], words, &places[0], &net[0], count, &sums[0])
        if levels == 2:
            idnf_above_splits(&sums[0], line, features, <int32_t> total, price, &worth[0])
    if levels == 2:
        return found
    some, below = np.empty(count, dtype=np.int32), np.empty(features, dtype=np.int64)
    with nogil:
        for i in range(features):
            f = 0
            for n in range(count):
                some[f] = places[n]
                f += bits[places[n], i >> 6] >> (i & 63) & 1
            idnf_pairs(&cells[0, 0], line, &bits[0, 0], words, &some[0], &net[0], f, &sums[line * line])
            for n in range(line * line):
                sums[2 * line * line + n] = sums[n] - sums[line * line + n]
            best = idnf_above_splits(&sums[line * line], line, features, sums[i * line + i], price, &below[0])
            best += idnf_above_splits(&sums[2 * line * line], line, features, <int32_t> total - sums[i * line + i],
                                      price, &below[0])
            worth[i] = best - price
    return found


cdef struct Splitting:
    int64_t features
    int64_t line
    int64_t words
    int64_t price
    int64_t least
    const int8_t *cells
    const uint64_t *bits
    const int32_t *net
    int32_t *weights        # scratch: one for each example
    int32_t *sums           # and one for each pair of features
    int64_t *worth          # and one for each feature


cdef int64_t best_split(Splitting *task, const int32_t *places, int64_t count, int64_t depth, int64_t total,
                        int64_t *value) noexcept nogil:
    """Find the feature worth most above trees of depth less than two, and what it is worth."""
    cdef int64_t n, f, best = 0
    if depth == 1:
        for n in range(count):
            task.weights[n] = task.net[places[n]]
        idnf_accumulate(task.cells, task.line, places, task.weights, count, task.sums)
        for f in range(task.features):
            n = task.sums[f]
            task.worth[f] = (n if n > 0 else 0) + (total - n if total > n else 0) - task.price
    else:
        idnf_pairs(task.cells, task.line, task.bits, task.words, places, task.net, count, task.sums)
        idnf_above_splits(task.sums, task.line, task.features, <int32_t> total, task.price, task.worth)
    for f in range(1, task.features):
        if task.worth[f] > task.worth[best]:
            best = f
    value[0] = task.worth[best]
    return best


cdef object grown(Splitting *task, int32_t *places, int64_t count, int64_t depth):
    cdef int64_t n, total = 0, positive = 0, constant, feature, value, high = count
    cdef int32_t kept
    for n in range(count):
        total += task.net[places[n]]
        positive += task.net[places[n]] if task.net[places[n]] > 0 else 0
    constant = total if total > 0 else 0
    if depth and positive - task.price > constant + task.least:
        with nogil:
            feature = best_split(task, places, count, depth, total, &value)
            if value > constant + task.least:
                # The examples without the feature come first.
                n = 0
                while n < high:
                    if task.bits[places[n] * task.words + (feature >> 6)] >> (feature & 63) & 1:
                        high -= 1
                        kept = places[high]
                        places[high] = places[n]
                        places[n] = kept
                    else:
                        n += 1
        if value > constant + task.least:
            below = grown(task, places, high, depth - 1), grown(task, places + high, count - high, depth - 1)
            split = Grown(below[0].value + below[1].value - task.price, feature, False, below)
            if split.value > constant + task.least:
                return split
    return Grown(constant, None, total > 0)


def short_tree(task, inside, int64_t depth, int64_t least):
    """Find the best tree of depth at most two; see :func:`idnf.learning.local.split_worths.short_tree`."""
    cdef const int8_t[:, ::1] cells = task.cells
    cdef const uint64_t[:, ::1] bits = task.bits
    cdef const int32_t[::1] net = task.net
    cdef int32_t[::1] places = inside.astype(np.int32)
    cdef int64_t features = task.features.shape[1], count = places.shape[0]
    cdef Splitting splitting
    if not features or not count:
        return Grown(0, None)
    cdef int32_t[::1] weights = np.empty(count, dtype=np.int32)
    cdef int32_t[::1] sums = np.empty(cells.shape[1] * (cells.shape[1] if depth > 1 else 1), dtype=np.int32)
    cdef int64_t[::1] worth = np.empty(features, dtype=np.int64)
    splitting.features, splitting.line, splitting.words = features, cells.shape[1], bits.shape[1]
    splitting.price, splitting.least = task.price, least
    splitting.cells, splitting.bits, splitting.net = &cells[0, 0], &bits[0, 0], &net[0]
    splitting.weights, splitting.sums, splitting.worth = &weights[0], &sums[0], &worth[0]
    return grown(&splitting, &places[0], count, depth)
