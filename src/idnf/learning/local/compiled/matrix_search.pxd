"""Moves over a nested DNF: a full matrix of literals, and terms over its rows."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from idnf.learning.local.compiled.arena cimport Arena
from idnf.learning.local.compiled.heat_bath cimport Bath
from idnf.learning.local.compiled.loops cimport loops
from idnf.learning.local.compiled.packed_table cimport Table
from idnf.learning.local.compiled.staircase cimport Branching, Staircase, Vectors


# Literals that may be drawn.
cdef struct Pool:
    const int32_t *codes
    int64_t count


cdef struct Leaf:
    int32_t complemented
    int32_t n_terms
    int32_t *matrix
    int32_t *terms              # vectors
    uint64_t *prefixes          # order x (order + 1) masks of examples; NULL unless the leaf is worked on
    int32_t reached[8]          # for each row, how far the terms go


# The most terms that a move adds up to, and those for which there is room.
cdef int64_t most_terms(int64_t order) noexcept nogil
cdef int64_t room_for_terms(const Vectors *vectors) noexcept nogil

cdef int open_leaf(Leaf *leaf, Arena arena, const Table *table, const Vectors *vectors, bint complemented,
                   bint working) except -1

# Make the masks of the prefixes of a row that are longer than `first`; of all rows, for other examples.
cdef void make_prefixes(const Table *table, int64_t order, Leaf *leaf, int64_t row, int64_t first) noexcept nogil
cdef void remake_prefixes(const Table *table, int64_t order, Leaf *leaf) noexcept nogil

# Draw each term again, or drop it, given the others; then add terms until none is drawn.
cdef void resample_terms(Table *table, Staircase *stairs, Leaf *leaf, const uint64_t *reach, int64_t nothing_worth,
                         Bath *bath, int32_t *drawn) noexcept nogil

# Draw the literal in row i, column j again.
cdef void resample_cell(Table *table, const Vectors *vectors, Leaf *leaf, int64_t i, int64_t j, const uint64_t *reach,
                        const Pool *pool, Bath *bath, uint64_t *scratch) noexcept nogil

# Take the best terms for the matrix as it is.
cdef void perfect_terms(Table *table, Staircase *stairs, Branching *branching, Leaf *leaf,
                        const uint64_t *reach) noexcept nogil


cdef inline uint64_t *prefix(const Table *table, int64_t order, const Leaf *leaf, int64_t row,
                             int64_t length) noexcept nogil:
    """Return the mask of the examples at which the first literals of a row hold."""
    return leaf.prefixes + (row * (order + 1) + length) * table.words


cdef inline void find_covered(const Table *table, const Vectors *vectors, const Leaf *leaf,
                              uint64_t *into) noexcept nogil:
    """Find the examples that satisfy some term."""
    loops.covered(leaf.prefixes, table.words, vectors.order, vectors.prefixes, leaf.terms, leaf.n_terms,
                  table.everything, into)
