# Random choices, as in heat_bath.py.

cdef struct Bath:
    uint64_t state
    int64_t temperature
    int32_t *near       # scratch: the best candidates
    int64_t *chances    # how likely each candidate is
    int64_t *sums       # and 16 of them at a time


cdef int open_bath(Bath *bath, Arena arena, uint64_t seed, int64_t candidates) except -1:
    bath.state, bath.temperature = seed, 0
    bath.near, bath.sums, bath.chances = ints(arena, candidates), longs(arena, candidates), longs(arena, candidates)
    return 0


cdef inline uint64_t bits(Bath *bath) noexcept nogil:
    cdef uint64_t mixed
    bath.state += <uint64_t> 0x9E3779B97F4A7C15
    mixed = bath.state
    mixed = (mixed ^ (mixed >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    mixed = (mixed ^ (mixed >> 27)) * <uint64_t> 0x94D049BB133111EB
    return mixed ^ (mixed >> 31)


cdef inline int64_t below(Bath *bath, int64_t count) noexcept nogil:
    return <int64_t> (((bits(bath) >> 32) * <uint64_t> count) >> 32)


cdef inline int64_t share_of(Bath *bath, int64_t total) noexcept nogil:
    """Draw an integer below a total."""
    cdef double part = <double> (bits(bath) >> 11) * (1.0 / 9007199254740992.0)
    cdef int64_t drawn = <int64_t> (part * <double> total)
    return drawn if drawn < total else total - 1


cdef int64_t choose(Bath *bath, const int64_t *values, int64_t count) noexcept nogil:
    cdef int64_t best = idnf_greatest(values, count), place, drawn
    if bath.temperature == 0:
        place = idnf_near(values, count, best, bath.near)
        return bath.near[share_of(bath, place)]
    drawn = share_of(bath, idnf_chances(values, count, best, TABLE_RANGE * bath.temperature,
                                        (TABLE_STEPS << TABLE_SHIFT) // bath.temperature, TABLE_SHIFT, CHANCE_TABLE,
                                        bath.chances, bath.sums))
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
        other = below(bath, last + 1)
        kept = order[last]
        order[last] = order[other]
        order[other] = kept
