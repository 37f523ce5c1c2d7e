"""Terms as the cells that they exclude, and the implicants of what no term covers."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy

from idnf.learning.local.compiled.arena cimport Arena
from idnf.learning.local.compiled.loops cimport open_columns


cdef enum:
    # The most columns that a cube restricts: an implicant at most one for each term, and one to spare.
    WIDEST = 52


# Only the columns and words in use are ever copied.
cdef struct Cube:
    uint64_t *cells             # that are excluded
    int32_t size
    int32_t columns[WIDEST]     # that are restricted, ascending


# What literals say of columns, as in masks.py.
cdef struct Space:
    bint is_plain               # whether every feature is a column of its own
    int64_t words               # of a mask of cells
    const int32_t *word_of_column
    const int32_t *column_of    # of each literal
    const int32_t *word_of
    const int32_t *starts       # of the literals of each column
    const int32_t *members
    const uint64_t *excluded    # cells, as bits of the literal's word
    const uint64_t *bits        # the cells of each column
    const uint64_t *low         # the cells of columns but for the last of each, which are in `top`
    const uint64_t *top


# What it takes to find the implicants after one more term.
cdef struct BergeStep:
    int64_t most                # implicants
    int64_t room                # for them and for those that are dropped on the way
    Cube *stepped               # implicants after the step
    int32_t *rivals             # for each column of a term, a list of implicants that may lie within new ones
    int32_t *n_rivals


# What it takes to tell whether some implicants cover others.
cdef struct CoverCheck:
    Cube **small                # implicants of few columns
    uint64_t *refuted           # cells that the point which is looked for does not have


cdef Cube *take_cubes(Arena arena, int64_t count, int64_t n_words) except NULL

# The cells of columns (`Cells`); the longest term and the most implicants of a step.
cdef int open_space(Space *space, Arena arena, object cells) except -1
cdef int open_step(BergeStep *step, Arena arena, const Space *space, int64_t longest, int64_t most) except -1
cdef int open_check(CoverCheck *check, Arena arena, const Space *space, int64_t most) except -1

# The literals of a mask, ascending, and the cells that literals exclude.
cdef int64_t read_term(object mask, int32_t *codes) except -1
cdef void find_cube(const Space *space, const int32_t *term, int64_t size, Cube *cube) noexcept nogil

# Add a literal to a term, without those of the same column that say no more; returns its size.
cdef int64_t with_literal(const Space *space, int32_t *term, int64_t size, int32_t code) noexcept nogil

# Find the implicants beside one more term; returns how many there are, -1 if they are too many.
cdef int64_t berge_step(const Space *space, BergeStep *step, Cube **implicants, int64_t count, const int32_t *term,
                        int64_t size, const Cube *cube) noexcept nogil

# Whether the implicants of at most k columns cover what all of them cover.
cdef bint is_covered(const Space *space, CoverCheck *check, Cube *implicants, int64_t count, int64_t k) noexcept nogil


cdef inline void copy_cube(const Space *space, Cube *into, const Cube *cube) noexcept nogil:
    into.size = cube.size
    memcpy(into.columns, cube.columns, cube.size * sizeof(int32_t))
    memcpy(into.cells, cube.cells, space.words * sizeof(uint64_t))


cdef inline bint is_part(const Space *space, const uint64_t *one, const uint64_t *other) noexcept nogil:
    """Return whether the cells of one mask are among those of another."""
    cdef int64_t w
    for w in range(space.words):
        if one[w] & ~other[w]:
            return False
    return True


cdef inline bint in_conflict(const Space *space, const Cube *one, const Cube *other) noexcept nogil:
    """Return whether no point lies in both of two terms that have some."""
    return open_columns(one.cells, other.cells, space.low, space.top, space.words) < 0


cdef inline bint bars(const Space *space, int32_t code, const uint64_t *cells) noexcept nogil:
    """Return whether a literal conflicts with a mask of cells."""
    cdef uint64_t column = space.bits[space.column_of[code]]
    return (space.excluded[code] | cells[space.word_of[code]]) & column == column


cdef inline bint excludes(const Space *space, const uint64_t *cells, int32_t code) noexcept nogil:
    """Return whether a literal says no more than a mask of cells does."""
    return space.excluded[code] & ~cells[space.word_of[code]] == 0


cdef inline bint restricts(const Space *space, const uint64_t *cells, int32_t code) noexcept nogil:
    """Return whether a mask excludes cells of the column of a literal."""
    return (cells[space.word_of[code]] & space.bits[space.column_of[code]]) != 0
