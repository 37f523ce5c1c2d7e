"""Prefix vectors over the rows of a matrix, what each covers of the observed points, and the best set of them."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t

from idnf.learning.local.compiled.arena cimport Arena
from idnf.learning.local.compiled.loops cimport loops
from idnf.learning.local.compiled.packed_table cimport Table


# The vectors in two halves, the first rows and the last: a code for each combination of lengths in one half.
cdef struct Halves:
    const int32_t *steps        # what a literal more in a row adds to a code: 16 bits are the first half's
    const int32_t *bounds       # for each code of the first half, where its list begins
    const int32_t *lists        # the first halves of vectors that are not above it
    const int32_t *lanes        # for each first half, with how many second halves it goes, in whole lanes
    const int8_t *below         # for each code of the second half, -1 at the second halves that are not above it
    const uint64_t *packed[2]   # lengths for each code of a half, a byte each
    int64_t line                # second halves, in whole lanes
    int64_t n_gains             # of all first halves with all second ones
    int64_t codes_of_first


# The prefix vectors of an order.
cdef struct Vectors:
    int64_t order
    int64_t count
    const int32_t *prefixes     # count x order
    const int32_t *parents
    const int32_t *sizes        # in literals
    const int32_t *places       # where their gains are
    const uint64_t *lengths     # the prefixes, a byte each
    Halves halves


# The observed points of the grid.
cdef struct Histogram:
    int64_t count
    int64_t room                # for points
    int32_t *slot_of_cell       # one more than the place of a point of the grid among the observed ones, 0 elsewhere
    int32_t *codes_of_examples
    int32_t *codes              # of the points
    uint64_t *lengths           # of the points, a byte each
    int32_t *net                # their weight
    int32_t *times              # how many terms cover them


# What each vector would gain, given the others.
cdef struct Gains:
    int64_t *prices             # of the vectors
    int32_t *gains              # the weight of each vector's points that no term covers, by its halves
    int32_t *points             # scratch: points at which a vector holds,
    int32_t *codes              # those of them that are added to the gains
    int32_t *net                # and their weight


cdef struct Staircase:
    Vectors vectors
    Histogram histogram
    Gains gains


# Branch and bound over the vectors.
cdef struct Branching:
    int64_t price
    int64_t node_limit
    int64_t nodes
    int64_t value               # of the best set
    int64_t n_best
    int64_t n_chosen
    int32_t *best
    int32_t *chosen
    int32_t *candidates         # a line for each level
    uint8_t *covered            # a line for each level
    int64_t *starts             # for each vector, the points at which it holds, one after the other
    int32_t *held
    int64_t *left               # what is not covered of each point
    int64_t *hopes              # and of that what is positive


# The vectors of an order, and room for the points of that many examples.
cdef int open_staircase(Staircase *stairs, Arena arena, int64_t order, int64_t size) except -1

cdef void set_price(Staircase *stairs, int64_t price) noexcept nogil

# The observed points of a matrix of prefixes within a reach, with their weight times a sign.
cdef void make_histogram(Table *table, Staircase *stairs, const uint64_t *prefixes, const uint64_t *reach,
                         int32_t sign) noexcept nogil

# Collect those of the first points in `gains.points` that are covered that many times; return their number.
cdef int64_t collect_covered(Staircase *stairs, int64_t count, int32_t times, int32_t sign) noexcept nogil

cdef int open_branching(Branching *branching, Staircase *stairs, Arena arena, int64_t price,
                        int64_t node_limit) except -1

# Replace terms by the best vectors for the histogram, in ascending order; return their number.
cdef int64_t best_vectors(Staircase *stairs, Branching *branching, int32_t *terms, int64_t n_terms) noexcept nogil


cdef inline void add_gains(Staircase *stairs, int64_t count) noexcept nogil:
    """Add the weights of the points collected to the gains of the vectors that hold there."""
    cdef const Halves *halves = &stairs.vectors.halves
    loops.recount(halves.bounds, halves.lists, halves.lanes, halves.below, halves.line, stairs.gains.codes,
                  stairs.gains.net, count, stairs.gains.gains)


cdef inline int64_t points_of(Staircase *stairs, int64_t vector) noexcept nogil:
    """List the points at which a vector holds; return their number."""
    return loops.held(stairs.histogram.lengths, stairs.histogram.count, stairs.vectors.lengths[vector],
                      stairs.gains.points)
