# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Prefix vectors; :mod:`idnf.learning.local.specification.staircase` says which set of them is the best."""

from libc.string cimport memcpy, memset

from idnf.learning.local.compiled.loops cimport lowest
from idnf.learning.local.compiled.packed_table cimport words_of

from idnf.learning.local.specification.staircase import vector_arrays


cdef int open_staircase(Staircase *stairs, Arena arena, int64_t order, int64_t size) except -1:
    cdef Vectors *vectors = &stairs.vectors
    cdef Halves *halves = &stairs.vectors.halves
    cdef Histogram *histogram = &stairs.histogram
    cdef Gains *gains = &stairs.gains
    cdef int64_t cells = (order + 1) ** order
    assert order <= 8, "the lengths of a vector have a byte each"
    integers, packed, below = vector_arrays(order)
    prefixes, _, _, parents, sizes, steps, bounds, lists, lanes, places = integers
    vectors.order, vectors.count = order, len(parents)
    vectors.prefixes, vectors.parents = arena.int32s_of(prefixes), arena.int32s_of(parents)
    vectors.sizes, vectors.places = arena.int32s_of(sizes), arena.int32s_of(places)
    vectors.lengths = arena.uint64s_of(packed[2])
    halves.steps, halves.bounds = arena.int32s_of(steps), arena.int32s_of(bounds)
    halves.lists, halves.lanes = arena.int32s_of(lists), arena.int32s_of(lanes)
    halves.below, halves.line = arena.int8s_of(below), below.shape[1]
    halves.packed[0], halves.packed[1] = arena.uint64s_of(packed[0]), arena.uint64s_of(packed[1])
    halves.n_gains, halves.codes_of_first = halves.line * len(lanes), len(packed[0])
    histogram.count, histogram.room = 0, min(size, cells) + 1
    histogram.slot_of_cell, histogram.codes_of_examples = arena.ints(cells), arena.ints(64 * words_of(size))
    histogram.codes, histogram.lengths = arena.ints(histogram.room), arena.words(histogram.room)
    histogram.net, histogram.times = arena.ints(histogram.room), arena.ints(histogram.room)
    gains.gains, gains.prices = arena.ints(halves.n_gains), arena.longs(vectors.count)
    gains.points, gains.codes = arena.ints(histogram.room), arena.ints(histogram.room)
    gains.net = arena.ints(histogram.room)
    return 0


cdef void set_price(Staircase *stairs, int64_t price) noexcept nogil:
    cdef int64_t v
    for v in range(stairs.vectors.count):
        stairs.gains.prices[v] = price * stairs.vectors.sizes[v]


cdef void make_histogram(Table *table, Staircase *stairs, const uint64_t *prefixes, const uint64_t *reach,
                         int32_t sign) noexcept nogil:
    cdef Histogram *points = &stairs.histogram
    cdef const Halves *halves = &stairs.vectors.halves
    cdef int64_t w, e, slot, cell
    cdef int32_t code
    cdef uint64_t word
    loops.codes(prefixes, table.words, stairs.vectors.order, halves.steps, points.codes_of_examples)
    points.count = 0
    for w in range(table.words):
        word = reach[w]
        while word:
            e = (w << 6) + lowest(word)
            word &= word - 1
            code = points.codes_of_examples[e]
            cell = (code & 0xFFFF) + halves.codes_of_first * (code >> 16)
            slot = points.slot_of_cell[cell] - 1
            if slot < 0:
                slot = points.count
                points.count += 1
                points.slot_of_cell[cell] = <int32_t> points.count
                points.codes[slot] = code
                points.net[slot] = 0
            points.net[slot] += table.net[e]
    for slot in range(points.count):
        code = points.codes[slot]
        points.slot_of_cell[(code & 0xFFFF) + halves.codes_of_first * (code >> 16)] = 0
        points.lengths[slot] = halves.packed[0][code & 0xFFFF] | halves.packed[1][code >> 16]
        points.net[slot] *= sign
        points.times[slot] = 0
    table.work += 2 * table.size


cdef int64_t collect_covered(Staircase *stairs, int64_t count, int32_t times, int32_t sign) noexcept nogil:
    cdef const Histogram *points = &stairs.histogram
    cdef Gains *gains = &stairs.gains
    cdef int64_t i, n = 0
    cdef int32_t p
    for i in range(count):
        p = gains.points[i]
        gains.codes[n] = points.codes[p]
        gains.net[n] = sign * points.net[p]
        n += points.times[p] == times
    return n


cdef inline bint holds_at(const Staircase *stairs, int64_t vector, int64_t point) noexcept nogil:
    """Return whether no length of a vector is above that of a point: no byte of their difference borrows."""
    cdef uint64_t high = <uint64_t> 0x8080808080808080
    return ((stairs.histogram.lengths[point] | high) - stairs.vectors.lengths[vector]) & high == high


cdef int open_branching(Branching *branching, Staircase *stairs, Arena arena, int64_t price,
                        int64_t node_limit) except -1:
    cdef int64_t count = stairs.vectors.count, room = stairs.histogram.room
    branching.price, branching.node_limit = price, node_limit
    branching.starts, branching.held = arena.longs(count + 1), arena.ints(count * room)
    branching.left, branching.hopes = arena.longs(room), arena.longs(room)
    branching.best, branching.chosen = arena.ints(count), arena.ints(count)
    branching.candidates = arena.ints((count + 2) * count)
    branching.covered = <uint8_t *> arena.take((count + 2) * room, 1)
    return 0


cdef void list_points(const Staircase *stairs, Branching *branching) noexcept nogil:
    """List the points at which each vector holds: some of those of its parent."""
    cdef const int32_t *parents = stairs.vectors.parents
    cdef int64_t *starts = branching.starts
    cdef int32_t *held = branching.held
    cdef int64_t v, n = 0, size, place, first
    starts[0] = 0
    for v in range(stairs.vectors.count):
        size = stairs.histogram.count if v == 0 else starts[parents[v] + 1] - starts[parents[v]]
        first = starts[parents[v]]
        for place in range(size):
            held[n] = <int32_t> place if v == 0 else held[first + place]
            n += holds_at(stairs, v, held[n])
        starts[v + 1] = n


cdef int64_t useful_candidates(Staircase *stairs, Branching *branching, int32_t *candidates, int64_t count,
                               int64_t *best, int64_t *best_gain) noexcept nogil:
    """Keep the candidates that may gain something, mark their points, and find the best; return how many there are."""
    cdef int32_t *times = stairs.histogram.times
    cdef const int64_t *starts = branching.starts
    cdef const int64_t *left = branching.left
    cdef const int64_t *hopes = branching.hopes
    cdef const int32_t *held = branching.held
    cdef int64_t c, p, v, n = 0, hope, gain
    best[0], best_gain[0] = -1, 0
    for c in range(count):
        v = candidates[c]
        hope = gain = -branching.price * stairs.vectors.sizes[v]
        for p in range(starts[v], starts[v + 1]):
            hope += hopes[held[p]]
            gain += left[held[p]]
        if hope <= 0:
            continue
        for p in range(starts[v], starts[v + 1]):
            times[held[p]] = 1
        if best[0] < 0 or gain > best_gain[0]:
            best[0], best_gain[0] = n, gain
        candidates[n] = <int32_t> v
        n += 1
    return n


cdef void explore(Staircase *stairs, Branching *branching, int64_t level, int64_t count, int64_t value) noexcept nogil:
    """Improve on the best set with what can be added to those chosen."""
    cdef Histogram *points = &stairs.histogram
    cdef int32_t *candidates = branching.candidates + level * stairs.vectors.count
    cdef uint8_t *covered = branching.covered + level * points.count
    cdef uint8_t *deeper = covered + points.count
    cdef int64_t c, p, hope, gain, place, best
    while True:
        branching.nodes += 1
        if value > branching.value:
            branching.value = value
            branching.n_best = branching.n_chosen
            memcpy(branching.best, branching.chosen, branching.n_chosen * sizeof(int32_t))
        for p in range(points.count):
            branching.left[p] = 0 if covered[p] else points.net[p]
            branching.hopes[p] = branching.left[p] if branching.left[p] > 0 else 0
            points.times[p] = 0
        count = useful_candidates(stairs, branching, candidates, count, &place, &gain)
        if count == 0 or branching.nodes > branching.node_limit:
            return
        hope = value
        for p in range(points.count):
            if points.times[p]:
                hope += branching.hopes[p]
        if hope <= branching.value:
            return
        best = candidates[place]
        for c in range(place, count - 1):
            candidates[c] = candidates[c + 1]
        count -= 1
        memcpy(candidates + stairs.vectors.count, candidates, count * sizeof(int32_t))
        memcpy(deeper, covered, points.count)
        for p in range(branching.starts[best], branching.starts[best + 1]):
            deeper[branching.held[p]] = 1
        branching.chosen[branching.n_chosen] = <int32_t> best
        branching.n_chosen += 1
        explore(stairs, branching, level + 1, count, value + gain)
        branching.n_chosen -= 1


cdef void begin_with(Staircase *stairs, Branching *branching, const int32_t *terms, int64_t n_terms) noexcept nogil:
    """Take some terms, each once, as the best set so far, unless they are worth nothing."""
    cdef Histogram *points = &stairs.histogram
    cdef int64_t v, p, t, n = 0, value = 0
    for p in range(points.count):
        points.times[p] = 0
    for v in range(stairs.vectors.count):
        for t in range(n_terms):
            if terms[t] == v:
                branching.best[n] = <int32_t> v
                n += 1
                value -= branching.price * stairs.vectors.sizes[v]
                for p in range(branching.starts[v], branching.starts[v + 1]):
                    if not points.times[branching.held[p]]:
                        points.times[branching.held[p]] = 1
                        value += points.net[branching.held[p]]
                break
    branching.value, branching.n_best = 0, 0
    if value > 0:
        branching.value, branching.n_best = value, n


cdef int64_t best_vectors(Staircase *stairs, Branching *branching, int32_t *terms, int64_t n_terms) noexcept nogil:
    cdef int64_t v, n, t
    list_points(stairs, branching)
    begin_with(stairs, branching, terms, n_terms)
    memset(branching.covered, 0, stairs.histogram.count)
    branching.nodes = branching.n_chosen = n = 0
    for v in range(stairs.vectors.count):
        if branching.starts[v + 1] > branching.starts[v]:
            branching.candidates[n] = <int32_t> v
            n += 1
    explore(stairs, branching, 0, n, 0)
    n = 0
    for v in range(stairs.vectors.count):
        for t in range(branching.n_best):
            if branching.best[t] == v:
                terms[n] = <int32_t> v
                n += 1
                break
    return n
