"""Random choices that prefer better values."""

from libc.stdint cimport int32_t, int64_t, uint64_t

from idnf.learning.local.compiled.arena cimport Arena
from idnf.learning.local.compiled.loops cimport mixed


cdef struct Bath:
    uint64_t state
    int64_t temperature
    int32_t *near       # scratch: the best candidates
    int64_t *chances    # how likely each candidate is
    int64_t *sums       # and 16 of them at a time


cdef int open_bath(Bath *bath, Arena arena, uint64_t seed, int64_t candidates) except -1

# An index with probability proportional to exp(value / temperature); at temperature 0 one of the greatest.
cdef int64_t choose(Bath *bath, const int64_t *values, int64_t count) noexcept nogil

# The integers below a count in random order.
cdef void shuffle(Bath *bath, int32_t *order, int64_t count) noexcept nogil


cdef inline uint64_t random_bits(Bath *bath) noexcept nogil:
    bath.state += <uint64_t> 0x9E3779B97F4A7C15
    return mixed(bath.state)


cdef inline int64_t random_below(Bath *bath, int64_t count) noexcept nogil:
    """Draw an integer below a count of at most 32 bits."""
    return <int64_t> (((random_bits(bath) >> 32) * <uint64_t> count) >> 32)


cdef inline int64_t random_share(Bath *bath, int64_t total) noexcept nogil:
    """Draw an integer below a total."""
    cdef double part = <double> (random_bits(bath) >> 11) * (1.0 / 9007199254740992.0)
    cdef int64_t drawn = <int64_t> (part * <double> total)
    return drawn if drawn < total else total - 1
