# Nested DNFs, as in matrix_search.py and staircase.py.

cdef struct Vectors:
    int64_t order
    int64_t count
    int64_t cells               # points of the grid
    int64_t most                # terms
    const int32_t *prefixes     # count x order
    const int32_t *rows
    const int32_t *lengths
    const int32_t *parents
    const int32_t *sizes
    # The rows in two halves: a code for each combination of lengths in one half.
    const int32_t *steps        # what a literal more in a row adds to a code: 16 bits are the first half's
    const int32_t *bounds       # for each code of the first half, where its list begins
    const int32_t *lists        # the first halves of vectors that are not above it
    const int32_t *lanes        # for each first half, with how many second halves it goes, in whole lanes
    const int8_t *below         # for each code of the second half, -1 at the second halves that are not above it
    const int32_t *places       # for each vector, where its gain is
    const uint64_t *packed[2]   # lengths for each code of a half, a byte each
    const uint64_t *lines       # lengths for each vector
    int64_t line                # second halves, in whole lanes
    int64_t n_gains
    int64_t codes_of_first
    # The observed points of one histogram.
    int32_t *slot_of_cell       # one more than the place of a point among the observed ones, 0 elsewhere
    int32_t *codes              # for each example
    int32_t *points             # observed points, as codes
    uint64_t *digits            # and as lengths
    int32_t *net                # their weight
    int32_t *times              # by how many terms they are covered
    int64_t n_points
    int64_t room
    int64_t *prices             # for each vector
    int32_t *gains              # the weight of each vector's points that no term covers, by its halves
    int32_t *some               # scratch: points at which a vector holds,
    int32_t *some_codes         # those of them that nothing else covers
    int32_t *some_net           # and their weight
    # For each vector, the points at which it holds, one after the other.
    int64_t *starts
    int32_t *held
    int64_t *left               # for branch and bound: what is not covered of each point
    int64_t *hopes              # and of that what is positive


cdef struct Leaf:
    int32_t complemented
    int32_t n_terms
    int32_t *matrix
    int32_t *terms
    uint64_t *prefixes          # order x (order + 1) masks
    int32_t reached[8]          # for each row, how far the terms go


cdef const int32_t *integers_in(const int32_t[::1] array) noexcept:
    return &array[0] if array.shape[0] else NULL


cdef const uint64_t *words_in(const uint64_t[::1] array) noexcept:
    return &array[0] if array.shape[0] else NULL


cdef class _VectorArrays:
    """The prefix vectors of an order as arrays."""

    cdef Vectors c
    cdef object kept

    def __cinit__(self, Arena arena, int64_t order, int64_t size):
        cdef const int8_t[:, ::1] below
        assert order <= 8, "the lengths of a vector have a byte each"
        integers, packed, rows = self.kept = vector_arrays(order)
        below = rows
        self.c.order, self.c.count = order, len(integers[1])
        self.c.cells = (order + 1) ** order
        self.c.most = most_terms(order)
        self.c.prefixes, self.c.rows = integers_in(integers[0]), integers_in(integers[1])
        self.c.lengths, self.c.parents = integers_in(integers[2]), integers_in(integers[3])
        self.c.sizes, self.c.steps = integers_in(integers[4]), integers_in(integers[5])
        self.c.bounds, self.c.lists = integers_in(integers[6]), integers_in(integers[7])
        self.c.lanes, self.c.places = integers_in(integers[8]), integers_in(integers[9])
        self.c.below, self.c.line = &below[0, 0], below.shape[1]
        self.c.packed[0], self.c.packed[1] = words_in(packed[0]), words_in(packed[1])
        self.c.lines = words_in(packed[2])
        self.c.n_gains = self.c.line * len(integers[8])
        self.c.codes_of_first = len(packed[0])
        self.c.room = min(size, self.c.cells) + 1
        self.c.slot_of_cell, self.c.codes = ints(arena, self.c.cells), ints(arena, 64 * words_of(size))
        self.c.points, self.c.digits = ints(arena, self.c.room), words(arena, self.c.room)
        self.c.net, self.c.times = ints(arena, self.c.room), ints(arena, self.c.room)
        self.c.gains, self.c.prices = ints(arena, self.c.n_gains), longs(arena, self.c.count)
        self.c.some, self.c.some_codes = ints(arena, self.c.room), ints(arena, self.c.room)
        self.c.some_net, self.c.left = ints(arena, self.c.room), longs(arena, self.c.room)
        self.c.hopes = longs(arena, self.c.room)


cdef inline uint64_t *prefix(Table *table, int64_t order, Leaf *leaf, int64_t row, int64_t length) noexcept nogil:
    return leaf.prefixes + (row * (order + 1) + length) * table.words


cdef void make_prefixes(Table *table, int64_t order, Leaf *leaf, int64_t row, int64_t first) noexcept nogil:
    """Make the masks of the prefixes of a row longer than `first`."""
    cdef int64_t j
    for j in range(first, order):
        and_literal(table, prefix(table, order, leaf, row, j + 1), prefix(table, order, leaf, row, j),
                    leaf.matrix[row * order + j])


cdef inline void covered_by(Table *table, Vectors *known, Leaf *leaf, uint64_t *into) noexcept nogil:
    idnf_covered(leaf.prefixes, table.words, known.order, known.prefixes, leaf.terms, leaf.n_terms, table.everything,
                 into)


cdef void make_histogram(Table *table, Vectors *known, Leaf *leaf, const uint64_t *reach, int32_t sign) noexcept nogil:
    """Find the observed grid points with their weight."""
    cdef int64_t w, e, slot, cell
    cdef int32_t code
    cdef uint64_t word
    idnf_codes(leaf.prefixes, table.words, known.order, known.steps, known.codes)
    known.n_points = 0
    for w in range(table.words):
        word = reach[w]
        while word:
            e = (w << 6) + idnf_lowest(word)
            word &= word - 1
            code = known.codes[e]
            cell = (code & 0xFFFF) + known.codes_of_first * (code >> 16)
            slot = known.slot_of_cell[cell] - 1
            if slot < 0:
                slot = known.n_points
                known.n_points += 1
                known.slot_of_cell[cell] = <int32_t> known.n_points
                known.points[slot] = code
                known.net[slot] = 0
            known.net[slot] += table.net[e]
    for slot in range(known.n_points):
        code = known.points[slot]
        known.slot_of_cell[(code & 0xFFFF) + known.codes_of_first * (code >> 16)] = 0
        known.digits[slot] = known.packed[0][code & 0xFFFF] | known.packed[1][code >> 16]
        known.net[slot] *= sign
        known.times[slot] = 0
    table.work += 2 * table.size


cdef inline bint holds_at(Vectors *known, int64_t vector, int64_t point) noexcept nogil:
    """Return whether no length of a vector is above that of a point: no byte of their difference borrows."""
    cdef uint64_t high = <uint64_t> 0x8080808080808080
    return ((known.digits[point] | high) - known.lines[vector]) & high == high


cdef inline void recount(Vectors *known, int64_t count) noexcept nogil:
    """Add the weights of some points to the gains of the vectors that hold there."""
    idnf_recount(known.bounds, known.lists, known.lanes, known.below, known.line, known.some_codes, known.some_net,
                 count, known.gains)


cdef inline int64_t held_by(Vectors *known, int64_t vector) noexcept nogil:
    """List the points at which a vector holds; return their number."""
    return idnf_held(known.digits, known.n_points, known.lines[vector], known.some)


cdef int64_t list_covered(Vectors *known, int64_t held, int32_t times, int32_t sign) noexcept nogil:
    """List those of the points in known.some that are covered so many times; return their number."""
    cdef int64_t i, n = 0
    cdef int32_t p
    for i in range(held):
        p = known.some[i]
        known.some_codes[n] = known.points[p]
        known.some_net[n] = sign * known.net[p]
        n += known.times[p] == times
    return n


cdef void resample_terms(Table *table, Vectors *known, Leaf *leaf, const uint64_t *reach, int64_t nothing_worth,
                         Bath *bath, int32_t *drawn) noexcept nogil:
    cdef int64_t slot, slots, n_drawn = leaf.n_terms, nothing = known.count, n, p, held, chosen
    make_histogram(table, known, leaf, reach, -1 if leaf.complemented else 1)
    memset(known.gains, 0, known.n_gains * sizeof(int32_t))
    for slot in range(n_drawn):
        drawn[slot] = leaf.terms[slot]
        held = held_by(known, drawn[slot])
        for p in range(held):
            known.times[known.some[p]] += 1
    for p in range(known.n_points):
        known.some[p] = <int32_t> p
    recount(known, list_covered(known, known.n_points, 0, 1))
    slots = known.most if known.most > n_drawn else n_drawn
    for slot in range(slots):
        n = held = 0
        if slot < n_drawn:
            held = held_by(known, drawn[slot])
            n = list_covered(known, held, 1, 1)
            recount(known, n)
        idnf_worth(known.gains, known.places, known.prices, known.count, table.values)
        table.values[nothing] = nothing_worth
        chosen = choose(bath, table.values, known.count + 1)
        table.work += 8 * known.n_points + 32 * n + known.count
        if slot >= n_drawn:
            if chosen == nothing:
                break
            n_drawn += 1
        elif chosen == drawn[slot]:
            for p in range(n):
                known.some_net[p] = -known.some_net[p]
            recount(known, n)
            continue
        for p in range(held):
            known.times[known.some[p]] -= 1
        drawn[slot] = <int32_t> chosen
        if chosen != nothing:
            held = held_by(known, chosen)
            recount(known, list_covered(known, held, 0, -1))
            for p in range(held):
                known.times[known.some[p]] += 1
    leaf.n_terms = 0
    for slot in range(n_drawn):
        if drawn[slot] != nothing:
            leaf.terms[leaf.n_terms] = drawn[slot]
            leaf.n_terms += 1
    # How far the terms go in each row.
    memset(leaf.reached, 0, known.order * sizeof(int32_t))
    for slot in range(leaf.n_terms):
        for p in range(known.order):
            if leaf.reached[p] < known.prefixes[leaf.terms[slot] * known.order + p]:
                leaf.reached[p] = known.prefixes[leaf.terms[slot] * known.order + p]


cdef bint find_deciding(Table *table, Vectors *known, Leaf *leaf, int64_t i, int64_t j, const uint64_t *reach,
                        uint64_t *into) noexcept nogil:
    """Find the examples whose value is decided by the literal in row i, column j; tell whether there are any."""
    cdef const uint64_t *later[8]
    cdef int32_t negated[8]
    cdef int64_t n, w, order = known.order
    cdef int32_t code
    if j >= leaf.reached[i]:
        return False
    for n in range(order - j - 1):
        code = leaf.matrix[i * order + j + 1 + n]
        later[n] = table.features + (code >> 1) * table.stride
        negated[n] = code & 1
    idnf_deciding(leaf.prefixes, table.words, order, known.prefixes, leaf.terms, leaf.n_terms, i, j, later, negated,
                  reach, into)
    table.work += table.words * (leaf.n_terms + order)
    for w in range(table.words):
        if into[w]:
            return True
    return False


cdef void resample_cell(Table *table, Vectors *known, Leaf *leaf, int64_t i, int64_t j, const uint64_t *reach,
                        const int32_t *pool, int64_t n_pool, Bath *bath, uint64_t *scratch) noexcept nogil:
    """Draw the literal in row i, column j anew."""
    cdef int64_t order = known.order, total, f
    cdef int32_t code
    if find_deciding(table, known, leaf, i, j, reach, scratch):
        total = feature_sums(table, scratch, table.net, table.sums)
        if leaf.complemented:
            total = -total
            for f in range(table.n_features):
                table.sums[f] = -table.sums[f]
        code = draw_literal(table, pool, n_pool, total, bath)
    else:
        code = pool[below(bath, n_pool)]
    if code != leaf.matrix[i * order + j]:
        leaf.matrix[i * order + j] = code
        make_prefixes(table, order, leaf, i, j)


# The best set of vectors for a histogram, by branch and bound (staircase.py).

cdef struct Branching:
    int64_t nodes
    int64_t value
    int64_t n_best
    int64_t n_chosen
    int64_t price
    int64_t node_limit
    int32_t *best
    int32_t *chosen
    int32_t *candidates     # one line a level
    uint8_t *covered        # one line a level


cdef void make_lists(Vectors *known) noexcept nogil:
    """List the points at which each vector holds."""
    cdef int64_t v, n = 0, size, place, first
    known.starts[0] = 0
    for v in range(known.count):
        size = known.n_points if v == 0 else known.starts[known.parents[v] + 1] - known.starts[known.parents[v]]
        first = known.starts[known.parents[v]]
        for place in range(size):
            known.held[n] = <int32_t> place if v == 0 else known.held[first + place]
            n += holds_at(known, v, known.held[n])
        known.starts[v + 1] = n


cdef void explore(Vectors *known, Branching *b, int64_t level, int64_t n, int64_t value) noexcept nogil:
    cdef int32_t *candidates = b.candidates + level * known.count
    cdef uint8_t *covered = b.covered + level * known.n_points
    cdef uint8_t *deeper
    cdef int64_t c, p, v, m, hope, gain, best_gain, place, best
    while True:
        b.nodes += 1
        if value > b.value:
            b.value = value
            b.n_best = b.n_chosen
            memcpy(b.best, b.chosen, b.n_chosen * sizeof(int32_t))
        for p in range(known.n_points):
            known.left[p] = 0 if covered[p] else known.net[p]
            known.hopes[p] = known.left[p] if known.left[p] > 0 else 0
            known.times[p] = 0
        m, place, best_gain = 0, -1, 0
        for c in range(n):
            v = candidates[c]
            hope = gain = -b.price * known.sizes[v]
            for p in range(known.starts[v], known.starts[v + 1]):
                hope += known.hopes[known.held[p]]
                gain += known.left[known.held[p]]
            if hope <= 0:
                continue
            for p in range(known.starts[v], known.starts[v + 1]):
                known.times[known.held[p]] = 1
            if place < 0 or gain > best_gain:
                place, best_gain = m, gain
            candidates[m] = <int32_t> v
            m += 1
        n = m
        if n == 0 or b.nodes > b.node_limit:
            return
        hope = value
        for p in range(known.n_points):
            if known.times[p]:
                hope += known.hopes[p]
        if hope <= b.value:
            return
        best = candidates[place]
        for c in range(place, n - 1):
            candidates[c] = candidates[c + 1]
        n -= 1
        memcpy(candidates + known.count, candidates, n * sizeof(int32_t))
        deeper = covered + known.n_points
        memcpy(deeper, covered, known.n_points)
        for p in range(known.starts[best], known.starts[best + 1]):
            deeper[known.held[p]] = 1
        b.chosen[b.n_chosen] = <int32_t> best
        b.n_chosen += 1
        explore(known, b, level + 1, n, value + best_gain)
        b.n_chosen -= 1


cdef int open_branching(Branching *b, Vectors *known, Arena arena) except -1:
    cdef int64_t count = known.count
    known.starts, known.held = longs(arena, count + 1), ints(arena, count * known.room)
    b.best, b.chosen, b.candidates = ints(arena, count), ints(arena, count), ints(arena, (count + 2) * count)
    b.covered = <uint8_t *> arena.take((count + 2) * known.room, 1)
    return 0


cdef void perfect_terms(Table *table, Vectors *known, Branching *b, Leaf *leaf, const uint64_t *reach) noexcept nogil:
    """Take the best terms for the matrix as it is."""
    cdef int64_t v, p, n, t, value = 0, count = known.count
    make_histogram(table, known, leaf, reach, -1 if leaf.complemented else 1)
    make_lists(known)
    memset(b.covered, 0, known.n_points)
    b.nodes = b.value = b.n_best = b.n_chosen = 0
    # The present terms, each once and in order, unless they are worth nothing.
    for p in range(known.n_points):
        known.times[p] = 0
    n = 0
    for v in range(count):
        for t in range(leaf.n_terms):
            if leaf.terms[t] == v:
                b.chosen[n] = <int32_t> v
                n += 1
                value -= b.price * known.sizes[v]
                for p in range(known.starts[v], known.starts[v + 1]):
                    if not known.times[known.held[p]]:
                        known.times[known.held[p]] = 1
                        value += known.net[known.held[p]]
                break
    if value > 0:
        b.value, b.n_best = value, n
        memcpy(b.best, b.chosen, n * sizeof(int32_t))
    n = 0
    for v in range(count):
        if known.starts[v + 1] > known.starts[v]:
            b.candidates[n] = <int32_t> v
            n += 1
    explore(known, b, 0, n, 0)
    # In the order of the vectors.
    leaf.n_terms = 0
    for v in range(count):
        for t in range(b.n_best):
            if b.best[t] == v:
                leaf.terms[leaf.n_terms] = <int32_t> v
                leaf.n_terms += 1
                break
