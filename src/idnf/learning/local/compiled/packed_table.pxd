"""The examples of a search, and weights over some of them."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t

from idnf.learning.local.compiled.arena cimport Arena
from idnf.learning.local.compiled.heat_bath cimport Bath
from idnf.learning.local.compiled.loops cimport loops


# What one sum over some examples needs.
cdef struct Scratch:
    int32_t *places         # some examples
    int32_t *weights        # and their weights
    int32_t *sums           # and the weight of each feature over them
    int64_t *values         # a value for each candidate


cdef struct Table:
    int64_t size            # examples
    int64_t words           # 64-bit words of a mask of examples, a multiple of 8
    int64_t stride          # such words of a feature, whatever part of the examples is in use
    int64_t line            # bytes of a line of cells
    int64_t n_features
    const int8_t *cells
    const int32_t *net
    const uint64_t *features    # a mask of examples for each feature
    uint64_t *everything
    int64_t weight          # of all examples
    bint is_narrow          # whether sums over the examples of a mask stay in registers
    int64_t work            # cells added up since it was last asked whether to stop
    Scratch scratch


cdef enum:
    # Work between two questions whether to stop: a few milliseconds.
    PATIENCE = 20_000_000


# Take in examples; `candidates` is the most that are drawn from.
cdef int open_table(Table *table, Arena arena, object examples, int64_t candidates) except -1

# Go on with the first examples.
cdef void look_at(Table *table, int64_t size) noexcept nogil

# The net weight of the examples of a mask.
cdef int64_t weight_of(Table *table, const uint64_t *mask) noexcept nogil

# The weight of each feature among the examples of a mask; returns the weight of all of these.
cdef int64_t feature_sums(Table *table, const uint64_t *mask, const int32_t *net, int32_t *sums) noexcept nogil

# The values of literals, and a literal drawn by them: from the sums of the features over examples of some weight.
cdef void literal_values(Table *table, const int32_t *codes, int64_t count, int64_t total,
                         int64_t *values) noexcept nogil
cdef int32_t draw_literal(Table *table, const int32_t *codes, int64_t count, int64_t total, Bath *bath) noexcept nogil


cdef inline int64_t words_of(int64_t size) noexcept nogil:
    """Return how many words a mask of that many examples has."""
    return 8 * ((size + 511) // 512) if size else 8


cdef inline void and_literal(const Table *table, uint64_t *into, const uint64_t *mask, int64_t code) noexcept nogil:
    """into = mask & examples of the literal."""
    loops.intersect(into, mask, table.features + (code >> 1) * table.stride, code & 1, table.words)


cdef inline bint is_time_to_ask(Table *table) noexcept nogil:
    """Return whether so much was added up that it should be asked whether to stop."""
    if table.work <= PATIENCE:
        return False
    table.work = 0
    return True
