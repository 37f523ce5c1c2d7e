"""Terms around an example that no term covers yet."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t

from idnf.learning.local.compiled.arena cimport Arena
from idnf.learning.local.compiled.berge_problem cimport BergeProblem
from idnf.learning.local.compiled.berge_states cimport BergeState
from idnf.learning.local.compiled.heat_bath cimport Bath
from idnf.learning.local.compiled.hitting_sets cimport HittingSets, TermList
from idnf.learning.local.compiled.packed_table cimport Table


# The literals that terms around an example may use.
cdef struct Usable:
    int64_t count
    int32_t *codes
    int8_t *is_usable       # for each literal
    uint64_t *own           # the cells that the example does not have
    int8_t *is_taken        # for each implicant, whether a new term holds all its points


# What the usable literals are worth at terms met before around the same example, and then the term as it is.
cdef struct Worths:
    TermList terms
    int64_t *values


cdef struct TermMaker:
    Table *table
    const BergeProblem *problem
    Bath *bath
    bint is_sure            # whether new terms are surely legal
    Usable usable
    HittingSets sets        # terms of what must be in them
    Worths worths
    TermList made           # the same, completed
    uint64_t *left          # the examples that no term covers
    uint64_t *holding       # scratch: those of them that satisfy a term
    int64_t *totals         # scratch: what these would gain, for each label
    int32_t *free_places    # scratch: of literals that can be added to a term


cdef int open_maker(TermMaker *maker, Arena arena, Table *table, const BergeProblem *problem, Bath *bath) except -1

# Make terms that hold a base around a random example that is left, of a label or, if that is negative, of one that is
# drawn; return which of `made` is drawn, or -1.
cdef int64_t new_term(TermMaker *maker, const BergeState *state, const int32_t *base, int64_t n_base, bint is_long,
                      int32_t *label) noexcept nogil
