# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Moves over a nested DNF; :mod:`idnf.learning.local.specification.matrix_search` says what they draw."""

from libc.string cimport memcpy, memset

from idnf.learning.local.compiled.heat_bath cimport choose, random_below
from idnf.learning.local.compiled.packed_table cimport and_literal, draw_literal, feature_sums
from idnf.learning.local.compiled.staircase cimport (
    Histogram, add_gains, best_vectors, collect_covered, make_histogram, points_of,
)

from idnf.learning.local.specification import matrix_search

cdef int64_t MOST_PERFECT_ORDER = matrix_search.MOST_PERFECT_ORDER
cdef int64_t[9] MOST_TERMS = [matrix_search.most_terms(order) for order in range(9)]


cdef int64_t most_terms(int64_t order) noexcept nogil:
    return MOST_TERMS[order]


cdef int64_t room_for_terms(const Vectors *vectors) noexcept nogil:
    # Branch and bound may choose as many terms as there are vectors.
    return vectors.count + 1 if 0 < vectors.order <= MOST_PERFECT_ORDER else most_terms(vectors.order) + 1


cdef int open_leaf(Leaf *leaf, Arena arena, const Table *table, const Vectors *vectors, bint complemented,
                   bint working) except -1:
    cdef int64_t order = vectors.order, i
    leaf.complemented, leaf.n_terms = complemented, 0
    leaf.matrix, leaf.terms = arena.ints(order * order), arena.ints(room_for_terms(vectors))
    leaf.prefixes = NULL
    if working:
        leaf.prefixes = arena.words(order * (order + 1) * table.words)
        for i in range(order):
            memcpy(prefix(table, order, leaf, i, 0), table.everything, table.words * sizeof(uint64_t))
    return 0


cdef void make_prefixes(const Table *table, int64_t order, Leaf *leaf, int64_t row, int64_t first) noexcept nogil:
    cdef int64_t j
    for j in range(first, order):
        and_literal(table, prefix(table, order, leaf, row, j + 1), prefix(table, order, leaf, row, j),
                    leaf.matrix[row * order + j])


cdef void remake_prefixes(const Table *table, int64_t order, Leaf *leaf) noexcept nogil:
    cdef int64_t i
    for i in range(order):
        memcpy(prefix(table, order, leaf, i, 0), table.everything, table.words * sizeof(uint64_t))
        make_prefixes(table, order, leaf, i, 0)


cdef void begin_gains(Staircase *stairs, const int32_t *drawn, int64_t n_drawn) noexcept nogil:
    """Find what each vector gains beside some terms."""
    cdef Histogram *points = &stairs.histogram
    cdef int64_t slot, p, held
    memset(stairs.gains.gains, 0, stairs.vectors.halves.n_gains * sizeof(int32_t))
    for slot in range(n_drawn):
        held = points_of(stairs, drawn[slot])
        for p in range(held):
            points.times[stairs.gains.points[p]] += 1
    for p in range(points.count):
        stairs.gains.points[p] = <int32_t> p
    add_gains(stairs, collect_covered(stairs, points.count, 0, 1))


cdef void take_terms(const Vectors *vectors, Leaf *leaf, const int32_t *drawn, int64_t n_drawn) noexcept nogil:
    """Take the vectors drawn as terms, and find how far they go in each row."""
    cdef int64_t slot, i
    cdef int32_t length
    leaf.n_terms = 0
    for slot in range(n_drawn):
        if drawn[slot] != vectors.count:
            leaf.terms[leaf.n_terms] = drawn[slot]
            leaf.n_terms += 1
    memset(leaf.reached, 0, vectors.order * sizeof(int32_t))
    for slot in range(leaf.n_terms):
        for i in range(vectors.order):
            length = vectors.prefixes[leaf.terms[slot] * vectors.order + i]
            if leaf.reached[i] < length:
                leaf.reached[i] = length


cdef void resample_terms(Table *table, Staircase *stairs, Leaf *leaf, const uint64_t *reach, int64_t nothing_worth,
                         Bath *bath, int32_t *drawn) noexcept nogil:
    cdef const Vectors *vectors = &stairs.vectors
    cdef int32_t *times = stairs.histogram.times
    cdef int32_t *held_points = stairs.gains.points
    cdef int64_t *values = table.scratch.values
    cdef int64_t slot, slots, n_drawn = leaf.n_terms, nothing = vectors.count, n, p, held, chosen
    make_histogram(table, stairs, leaf.prefixes, reach, -1 if leaf.complemented else 1)
    memcpy(drawn, leaf.terms, n_drawn * sizeof(int32_t))
    begin_gains(stairs, drawn, n_drawn)
    slots = most_terms(vectors.order)
    slots = slots if slots > n_drawn else n_drawn
    for slot in range(slots):
        n = held = 0
        if slot < n_drawn:
            held = points_of(stairs, drawn[slot])
            n = collect_covered(stairs, held, 1, 1)
            add_gains(stairs, n)
        loops.worth(stairs.gains.gains, vectors.places, stairs.gains.prices, vectors.count, values)
        values[nothing] = nothing_worth
        chosen = choose(bath, values, vectors.count + 1)
        table.work += 8 * stairs.histogram.count + 32 * n + vectors.count
        if slot >= n_drawn:
            if chosen == nothing:
                break
            n_drawn += 1
        elif chosen == drawn[slot]:
            for p in range(n):
                stairs.gains.net[p] = -stairs.gains.net[p]
            add_gains(stairs, n)
            continue
        for p in range(held):
            times[held_points[p]] -= 1
        drawn[slot] = <int32_t> chosen
        if chosen != nothing:
            held = points_of(stairs, chosen)
            add_gains(stairs, collect_covered(stairs, held, 0, -1))
            for p in range(held):
                times[held_points[p]] += 1
    take_terms(vectors, leaf, drawn, n_drawn)


cdef bint find_deciding(Table *table, const Vectors *vectors, const Leaf *leaf, int64_t i, int64_t j,
                        const uint64_t *reach, uint64_t *into) noexcept nogil:
    """Find the examples whose value is decided by the literal in row i, column j; return whether there are any."""
    cdef const uint64_t *later[8]
    cdef int32_t negated[8]
    cdef int64_t n, w, order = vectors.order
    cdef int32_t code
    if j >= leaf.reached[i]:
        return False
    for n in range(order - j - 1):
        code = leaf.matrix[i * order + j + 1 + n]
        later[n] = table.features + (code >> 1) * table.stride
        negated[n] = code & 1
    loops.deciding(leaf.prefixes, table.words, order, vectors.prefixes, leaf.terms, leaf.n_terms, i, j, later, negated,
                   reach, into)
    table.work += table.words * (leaf.n_terms + order)
    for w in range(table.words):
        if into[w]:
            return True
    return False


cdef void resample_cell(Table *table, const Vectors *vectors, Leaf *leaf, int64_t i, int64_t j, const uint64_t *reach,
                        const Pool *pool, Bath *bath, uint64_t *scratch) noexcept nogil:
    cdef int32_t *sums = table.scratch.sums
    cdef int64_t order = vectors.order, total, f
    cdef int32_t code
    if find_deciding(table, vectors, leaf, i, j, reach, scratch):
        total = feature_sums(table, scratch, table.net, sums)
        if leaf.complemented:
            total = -total
            for f in range(table.n_features):
                sums[f] = -sums[f]
        code = draw_literal(table, pool.codes, pool.count, total, bath)
    else:
        code = pool.codes[random_below(bath, pool.count)]
    if code != leaf.matrix[i * order + j]:
        leaf.matrix[i * order + j] = code
        make_prefixes(table, order, leaf, i, j)


cdef void perfect_terms(Table *table, Staircase *stairs, Branching *branching, Leaf *leaf,
                        const uint64_t *reach) noexcept nogil:
    make_histogram(table, stairs, leaf.prefixes, reach, -1 if leaf.complemented else 1)
    leaf.n_terms = <int32_t> best_vectors(stairs, branching, leaf.terms, leaf.n_terms)
