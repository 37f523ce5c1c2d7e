# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Random choices; :mod:`idnf.learning.local.specification.heat_bath` says what is drawn."""

from idnf.learning.local.compiled.loops cimport loops

from idnf.learning.local.specification.heat_bath import CHANCES, RANGE, SHIFT, STEPS

cdef Arena _arena = Arena()
cdef const int64_t *CHANCE_TABLE = _arena.int64s_of(CHANCES)
cdef int64_t TABLE_RANGE = RANGE
cdef int64_t TABLE_SHIFT = SHIFT
cdef int64_t TABLE_STEPS = STEPS


cdef int open_bath(Bath *bath, Arena arena, uint64_t seed, int64_t candidates) except -1:
    bath.state, bath.temperature = seed, 0
    bath.near, bath.sums, bath.chances = arena.ints(candidates), arena.longs(candidates), arena.longs(candidates)
    return 0


cdef int64_t choose(Bath *bath, const int64_t *values, int64_t count) noexcept nogil:
    cdef int64_t best = loops.greatest(values, count), place, drawn
    if bath.temperature == 0:
        place = loops.near(values, count, best, bath.near)
        return bath.near[random_share(bath, place)]
    drawn = random_share(bath, loops.chances(values, count, best, TABLE_RANGE * bath.temperature,
                                             (TABLE_STEPS << TABLE_SHIFT) // bath.temperature, TABLE_SHIFT,
                                             CHANCE_TABLE, bath.chances, bath.sums))
    place = 0
    while drawn >= bath.sums[place]:
        drawn -= bath.sums[place]
        place += 1
    place *= 16
    while drawn >= bath.chances[place]:
        drawn -= bath.chances[place]
        place += 1
    return place


cdef void shuffle(Bath *bath, int32_t *order, int64_t count) noexcept nogil:
    cdef int64_t last, other
    cdef int32_t kept
    for last in range(count):
        order[last] = <int32_t> last
    for last in range(count - 1, 0, -1):
        other = random_below(bath, last + 1)
        kept = order[last]
        order[last] = order[other]
        order[other] = kept
