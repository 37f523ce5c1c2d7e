# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Search in compiled code: the same moves, drawn from the same random stream, as in the folder specification.

`anneal` is that of tree_search.py and matrix_search.py in the folder specification, `repair` that of repairing.py there;
these say what is computed, and tests hold both to the same results. Nothing here touches Python objects while it
searches, so threads run side by side; from time to time `is_over` is asked whether to stop.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcmp, memcpy, memset

import numpy as np

from idnf.learning.local import berge_task
from idnf.learning.local.berge_task import Repaired, takes_whole, term_room
from idnf.learning.local.specification.heat_bath import CHANCES, RANGE, SHIFT, STEPS
from idnf.learning.local.specification.matrix_search import MOST_PERFECT_ORDER, PERFECT_NODES, most_terms, no_term
from idnf.learning.local.specification.staircase import vector_arrays
from idnf.learning.local.annealing_task import Annealed
from idnf.logic.literals import codes_of, mask_of

cdef extern from "loops.h" nogil:
    ctypedef struct idnf_loops:
        pass
    const idnf_loops *idnf_chosen
    const idnf_loops *idnf_loops_at(int number)
    int idnf_lowest(uint64_t word)
    int64_t idnf_open_columns(const uint64_t *, const uint64_t *, const uint64_t *, const uint64_t *, int64_t)
    void idnf_accumulate "IDNF_CALL(accumulate)"(
        const int8_t *cells, int64_t line, const int32_t *places, const int32_t *weights, int64_t count,
        int32_t *sums)
    int idnf_is_narrow(int64_t line, int64_t size)
    int64_t idnf_sums "IDNF_CALL(sums)"(
        const int8_t *cells, int64_t line, const int32_t *net, const uint64_t *mask, int64_t words, int32_t *sums)
    int64_t idnf_weight "IDNF_CALL(weight)"(const uint64_t *mask, const int32_t *net, int64_t size)
    void idnf_and "IDNF_CALL(and)"(
        uint64_t *into, const uint64_t *mask, const uint64_t *literal, int negated, int64_t words)
    void idnf_covered "IDNF_CALL(covered)"(
        const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *vectors, const int32_t *terms,
        int64_t n_terms, const uint64_t *everything, uint64_t *into)
    void idnf_deciding "IDNF_CALL(deciding)"(
        const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *vectors, const int32_t *terms,
        int64_t n_terms, int64_t i, int64_t j, const uint64_t **later, const int32_t *negated, const uint64_t *reach,
        uint64_t *into)
    void idnf_recount "IDNF_CALL(recount)"(
        const int32_t *bounds, const int32_t *lists, const int32_t *lanes, const int8_t *rows, int64_t line,
        const int32_t *codes, const int32_t *weights, int64_t count, int32_t *gains)
    int64_t idnf_held "IDNF_CALL(held)"(const uint64_t *points, int64_t count, uint64_t vector, int32_t *places)
    void idnf_worth "IDNF_CALL(worth)"(
        const int32_t *gains, const int32_t *places, const int64_t *prices, int64_t count, int64_t *values)
    void idnf_codes "IDNF_CALL(codes)"(
        const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *steps, int32_t *codes)
    int64_t idnf_greatest "IDNF_CALL(greatest)"(const int64_t *values, int64_t count)
    int64_t idnf_near "IDNF_CALL(near)"(const int64_t *values, int64_t count, int64_t bound, int32_t *places)
    int64_t idnf_chances "IDNF_CALL(chances)"(
        const int64_t *values, int64_t count, int64_t best, int64_t farthest, int64_t factor, int64_t shift,
        const int64_t *table, int64_t *chances, int64_t *sums)

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
cdef int64_t MOST_NODES = berge_task.MOST_NODES
cdef int64_t MOST_ADDED = berge_task.MOST_ADDED
cdef int64_t MOST_CANDIDATES = berge_task.MOST_CANDIDATES
cdef int64_t MOST_IMPLICANTS = berge_task.MOST_IMPLICANTS
cdef int64_t MOST_TERMS = berge_task.MOST_TERMS
cdef int32_t CAUTION = berge_task.CAUTION
cdef int64_t KEPT = 32  # terms around an example at which it is remembered what literals are worth


cdef class Arena:
    """Memory that goes, all of it, when nobody holds the arena any more."""

    cdef void **blocks
    cdef int64_t count

    cdef void *take(self, int64_t count, int64_t size) except NULL:
        """Return room for some things of a size, and one to spare, filled with 0."""
        return self.keep(calloc(count + 1, size))

    cdef void *room(self, int64_t count, int64_t size) except NULL:
        """Return the same without anything in it."""
        return self.keep(malloc((count + 1) * size))

    cdef void *keep(self, void *block) except NULL:
        cdef void **more
        if self.count & (self.count - 1) == 0:
            more = <void **> realloc(self.blocks, 2 * (self.count + 1) * sizeof(void *))
            if more == NULL:
                free(block)
                raise MemoryError
            self.blocks = more
        if block == NULL:
            raise MemoryError
        self.blocks[self.count] = block
        self.count += 1
        return block

    def __dealloc__(self):
        cdef int64_t n
        for n in range(self.count):
            free(self.blocks[n])
        free(self.blocks)


cdef int32_t *ints(Arena arena, int64_t count) except NULL:
    return <int32_t *> arena.take(count, sizeof(int32_t))


cdef int64_t *longs(Arena arena, int64_t count) except NULL:
    return <int64_t *> arena.take(count, sizeof(int64_t))


cdef uint64_t *words(Arena arena, int64_t count) except NULL:
    return <uint64_t *> arena.take(count, sizeof(uint64_t))


include "bath.pxi"
include "table.pxi"
include "matrices.pxi"
include "trees.pxi"
include "cubes.pxi"
include "berge.pxi"
