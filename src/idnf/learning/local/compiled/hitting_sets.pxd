"""Terms that conflict with all of some options: a literal against each."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t

from idnf.learning.local.compiled.arena cimport Arena
from idnf.learning.local.compiled.cubes cimport Cube, Space
from idnf.learning.local.compiled.heat_bath cimport Bath


cdef struct TermList:
    int64_t count
    int64_t width           # literals for which a term has room
    int32_t *terms
    int32_t *sizes


# What terms must conflict with, in the order of adding.
cdef struct Options:
    int64_t count
    int64_t room
    const Cube **cubes
    int32_t *sizes          # how many usable literals conflict with each
    uint64_t *keys          # and which


# Room for one level of the search after another.
cdef struct Levels:
    int64_t n_codes
    int64_t n_literals
    int32_t *open_options   # those that the term of the level does not conflict with
    int32_t *codes          # the literals that are tried
    int32_t *orders         # a permutation
    int32_t *terms


cdef struct HittingSets:
    const Space *space
    Bath *bath
    const int8_t *is_usable     # for each literal
    Options options
    Levels levels
    Cube *held              # the cells that the present term excludes
    int64_t nodes
    TermList found


cdef int open_terms(TermList *terms, Arena arena, int64_t most, int64_t width) except -1

# Terms of at most `width` of some literals.
cdef int open_hitting_sets(HittingSets *sets, Arena arena, const Space *space, Bath *bath, const int8_t *is_usable,
                           int64_t n_literals, int64_t n_codes, int64_t width, int64_t options) except -1

# Look for terms that hold a base: begin, add what they must conflict with, and find them. A base with a literal that
# is not usable is held by none of them, and some options no literal conflicts with: then False is returned.
cdef bint begin_with(HittingSets *sets, const int32_t *base, int64_t n_base) noexcept nogil
cdef bint add_option(HittingSets *sets, const Cube *cube) noexcept nogil
cdef void find_terms(HittingSets *sets, int64_t k, const int32_t *base, int64_t n_base) noexcept nogil
