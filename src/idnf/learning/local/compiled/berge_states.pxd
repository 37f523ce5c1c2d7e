"""Labelled terms, none within another, with the examples and the implicants that belong to them."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy

from idnf.learning.local.compiled.arena cimport Arena
from idnf.learning.local.compiled.cubes cimport BergeStep, Cube, Space
from idnf.learning.local.compiled.packed_table cimport Table, and_literal


cdef struct BergeState:
    int64_t n_terms
    int64_t n_implicants
    int64_t line            # literals for which a term has room
    int32_t *sizes          # of the terms, in literals
    int32_t *labels
    int32_t *terms          # codes, ascending
    Cube *cubes             # the terms as cells
    uint64_t *masks         # and as examples
    Cube *implicants        # all largest ones of the default label


# Make room for terms of at most that many literals and for some implicants; the state has no terms.
cdef int open_state(BergeState *state, Arena arena, const Table *table, const Space *space, int64_t line,
                    int64_t implicants) except -1

cdef void clear_state(const Space *space, BergeState *state) noexcept nogil
cdef void copy_state(const Table *table, const Space *space, const BergeState *state, BergeState *into) noexcept nogil

# Copy the terms alone: neither examples nor implicants.
cdef void copy_terms(const BergeState *state, BergeState *into) noexcept nogil

# Make the masks of all terms again, for other examples.
cdef void remake_masks(const Table *table, BergeState *state) noexcept nogil

# Add a term and drop those that lie in it; its examples are found if `mask` is NULL. Returns whether the state is not
# too large.
cdef bint add_term(Table *table, const Space *space, BergeStep *step, BergeState *state, int32_t label,
                   const int32_t *term, int64_t size, const uint64_t *mask) noexcept nogil

# The examples that satisfy a term of a label, or any term if that is negative.
cdef void find_covered(const Table *table, const BergeState *state, int64_t label, uint64_t *into) noexcept nogil


cdef inline void find_examples(const Table *table, const int32_t *term, int64_t size, const uint64_t *among,
                               uint64_t *into) noexcept nogil:
    """Find those of some examples that satisfy a term."""
    cdef int64_t i
    memcpy(into, among, table.words * sizeof(uint64_t))
    for i in range(size):
        and_literal(table, into, into, term[i])
