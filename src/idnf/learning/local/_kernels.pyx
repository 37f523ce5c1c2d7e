# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Search in compiled code: the same moves, drawn from the same random stream, as the modules beside it.

`anneal` is that of tree_search.py and matrix_search.py, `repair` that of berge_search.py and berge.py; these say what
is computed, and tests hold both to the same results. Nothing here touches Python objects while it searches, so threads
run side by side; from time to time `is_over` is asked whether to stop.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, qsort, realloc
from libc.string cimport memcpy, memset

from functools import cache

import numpy as np

from idnf.learning.local.berge import MOST_NODES as _MOST_NODES
from idnf.learning.local.berge_search import CAUTION as _CAUTION
from idnf.learning.local.berge_search import MOST_ADDED as _MOST_ADDED
from idnf.learning.local.berge_search import MOST_CANDIDATES as _MOST_CANDIDATES
from idnf.learning.local.berge_search import MOST_IMPLICANTS as _MOST_IMPLICANTS
from idnf.learning.local.berge_search import MOST_TERMS as _MOST_TERMS
from idnf.learning.local.berge_search import Repaired
from idnf.learning.local.heat_bath import CHANCES, RANGE, SHIFT, STEPS
from idnf.learning.local.matrix_search import MOST_PERFECT_ORDER, PERFECT_NODES, most_terms, no_term
from idnf.learning.local.staircase import prefix_vectors
from idnf.learning.local.tree_search import Annealed
from idnf.logic.literals import codes_of, negated_mask

cdef extern from "loops.h" nogil:
    ctypedef struct idnf_loops:
        pass
    const idnf_loops *idnf_chosen
    const idnf_loops *idnf_loops_at(int number)
    int idnf_lowest(uint64_t word)
    void idnf_accumulate(const int8_t *cells, int64_t line, const int32_t *places, const int32_t *weights,
                         int64_t count, int32_t *sums)
    int idnf_is_narrow(int64_t line, int64_t size)
    int64_t idnf_sums(const int8_t *cells, int64_t line, const int32_t *net, const uint64_t *mask, int64_t words,
                      int32_t *sums)
    int64_t idnf_weight(const uint64_t *mask, const int32_t *net, int64_t size)
    void idnf_and(uint64_t *into, const uint64_t *mask, const uint64_t *literal, int negated, int64_t words)
    void idnf_covered(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *vectors,
                      const int32_t *terms, int64_t n_terms, const uint64_t *everything, uint64_t *into)
    void idnf_deciding(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *vectors,
                      const int32_t *terms, int64_t n_terms, int64_t i, int64_t j, const uint64_t **later,
                       const int32_t *negated, const uint64_t *reach, uint64_t *into)
    void idnf_recount(const int32_t *bounds, const int32_t *lists, const int32_t *lanes, const int8_t *rows,
                      int64_t line, const int32_t *codes, const int32_t *weights, int64_t count, int32_t *gains)
    int64_t idnf_held(const uint64_t *points, int64_t count, uint64_t vector, int32_t *places)
    void idnf_worth(const int32_t *gains, const int32_t *places, const int64_t *prices, int64_t count, int64_t *values)
    void idnf_codes(const uint64_t *prefixes, int64_t words, int64_t order, const int32_t *steps, int32_t *codes)
    int64_t idnf_greatest(const int64_t *values, int64_t count)
    int64_t idnf_near(const int64_t *values, int64_t count, int64_t bound, int32_t *places)
    int64_t idnf_chances(const int64_t *values, int64_t count, int64_t best, int64_t farthest, int64_t factor,
                         int64_t shift, const int64_t *table, int64_t *chances, int64_t *sums)

idnf_chosen = idnf_loops_at(0)


def choose_loops(int number):
    """Use other inner loops that this processor can run, by number, the quickest is 0; tell whether there are so many.

    All of them give the same results; tests try each.
    """
    global idnf_chosen
    if idnf_loops_at(number) == NULL:
        return False
    idnf_chosen = idnf_loops_at(number)
    return True


# Cells added up between two questions whether to stop: a few milliseconds.
cdef int64_t PATIENCE = 20_000_000

cdef int64_t[::1] _chances = CHANCES
cdef int64_t *CHANCE_TABLE = &_chances[0]
cdef int64_t TABLE_RANGE = RANGE
cdef int64_t TABLE_SHIFT = SHIFT
cdef int64_t TABLE_STEPS = STEPS
cdef int64_t MOST_PERFECT = MOST_PERFECT_ORDER
cdef int64_t NODES = PERFECT_NODES
cdef int64_t MOST_NODES = _MOST_NODES
cdef int64_t MOST_ADDED = _MOST_ADDED
cdef int64_t MOST_CANDIDATES = _MOST_CANDIDATES
cdef int64_t MOST_IMPLICANTS = _MOST_IMPLICANTS
cdef int64_t MOST_TERMS = _MOST_TERMS
cdef int32_t CAUTION = _CAUTION


# ---------------------------------------------------------------- random choices (heat_bath.py)

cdef struct Bath:
    uint64_t state
    int64_t temperature
    int32_t *near       # scratch: the best candidates
    int64_t *chances    # how likely each candidate is
    int64_t *sums       # and 16 of them at a time


cdef int open_bath(Bath *bath, uint64_t seed, int64_t candidates) except -1:
    bath.state, bath.temperature = seed, 0
    bath.near = <int32_t *> malloc(candidates * sizeof(int32_t))
    bath.sums = <int64_t *> malloc(candidates * sizeof(int64_t))
    bath.chances = <int64_t *> malloc(candidates * sizeof(int64_t))
    if bath.near == NULL or bath.sums == NULL or bath.chances == NULL:
        raise MemoryError
    return 0


cdef void close_bath(Bath *bath) noexcept:
    free(bath.near)
    free(bath.sums)
    free(bath.chances)


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


# ---------------------------------------------------------------- examples

cdef struct Table:
    int64_t size            # examples
    int64_t words           # 64-bit words of a mask of examples, a multiple of 8
    int64_t stride          # such words of a feature, whatever part of the examples is looked at
    int64_t line            # bytes of a line of cells
    int64_t n_features
    const int8_t *cells
    const int32_t *net
    const uint64_t *features    # a mask of examples for each feature
    uint64_t *everything
    int64_t weight          # of all examples
    bint is_narrow
    int32_t *places         # scratch: some examples
    int32_t *weights        # and their weights
    int32_t *sums           # and the weight of each feature over them
    int64_t *values         # scratch: one for each candidate
    int64_t work


cdef inline int64_t words_of(int64_t size) noexcept nogil:
    return 8 * ((size + 511) // 512) if size else 8


cdef int open_table(Table *table, const int8_t[:, ::1] cells, const uint64_t[:, ::1] words, const int32_t[::1] net,
                    int64_t candidates) except -1:
    table.size = cells.shape[0]
    table.line = cells.shape[1]
    table.n_features = words.shape[0]
    table.stride = words_of(table.size)
    assert words.shape[0] == 0 or words.shape[1] == table.stride, "masks of examples have whole blocks of words"
    table.cells = &cells[0, 0] if table.size and table.line else NULL
    table.net = &net[0] if table.size else NULL
    table.features = &words[0, 0] if words.shape[0] else NULL
    table.is_narrow = idnf_is_narrow(table.line, table.size)
    table.everything = <uint64_t *> malloc(table.stride * sizeof(uint64_t))
    table.places = <int32_t *> malloc((table.size + 1) * sizeof(int32_t))
    table.weights = <int32_t *> malloc((table.size + 1) * sizeof(int32_t))
    table.sums = <int32_t *> malloc(2 * (table.line + 1) * sizeof(int32_t))
    table.values = <int64_t *> malloc(candidates * sizeof(int64_t))
    table.work = 0
    if (table.everything == NULL or table.places == NULL or table.weights == NULL
            or table.sums == NULL or table.values == NULL):
        raise MemoryError
    look_at(table, table.size)
    return 0


cdef void look_at(Table *table, int64_t size) noexcept nogil:
    """Work on the first examples."""
    cdef int64_t e
    table.size = size
    table.words = words_of(size)
    memset(table.everything, 0, table.words * sizeof(uint64_t))
    memset(table.everything, 255, size // 64 * sizeof(uint64_t))
    for e in range(size // 64 * 64, size):
        table.everything[e >> 6] |= <uint64_t> 1 << (e & 63)
    table.weight = weight_of(table, table.everything)


cdef void close_table(Table *table) noexcept:
    free(table.everything)
    free(table.places)
    free(table.weights)
    free(table.sums)
    free(table.values)


cdef inline void and_literal(Table *table, uint64_t *into, const uint64_t *mask, int64_t code) noexcept nogil:
    """into = mask & examples of the literal."""
    idnf_and(into, mask, table.features + (code >> 1) * table.stride, code & 1, table.words)


cdef int64_t weight_of(Table *table, const uint64_t *mask) noexcept nogil:
    table.work += table.size >> 3
    return idnf_weight(mask, table.net, table.size)


cdef int64_t gathered(Table *table, const uint64_t *mask, const int32_t *net) noexcept nogil:
    """Collect the examples of a mask with their weights; return their number."""
    cdef int64_t w, e, n = 0
    cdef uint64_t word
    for w in range(table.words):
        word = mask[w]
        while word:
            e = (w << 6) + idnf_lowest(word)
            word &= word - 1
            table.places[n] = <int32_t> e
            table.weights[n] = net[e]
            n += 1
    table.work += table.words + n
    return n


cdef int64_t feature_sums(Table *table, const uint64_t *mask, const int32_t *net, int32_t *sums) noexcept nogil:
    """Find the weight of each feature among the examples of a mask; return the weight of all of them."""
    cdef int64_t count, n, total = 0
    if table.is_narrow:
        table.work += table.size * table.line >> 2
        return idnf_sums(table.cells, table.line, net, mask, table.words, sums)
    count = gathered(table, mask, net)
    for n in range(count):
        total += table.weights[n]
    idnf_accumulate(table.cells, table.line, table.places, table.weights, count, sums)
    table.work += count * table.line
    return total


cdef void literal_values(Table *table, const int32_t *pool, int64_t n_pool, int64_t total,
                         int64_t *values) noexcept nogil:
    """Value literals by the weights of the features among examples of some weight."""
    cdef int64_t n
    cdef int32_t code
    for n in range(n_pool):
        code = pool[n]
        values[n] = total - table.sums[code >> 1] if code & 1 else table.sums[code >> 1]
    table.work += n_pool


cdef int32_t draw_literal(Table *table, const int32_t *pool, int64_t n_pool, int64_t total, Bath *bath) noexcept nogil:
    """Draw a literal by the weights of the features among examples of some weight."""
    cdef int64_t n
    if n_pool < 2 * table.n_features:
        literal_values(table, pool, n_pool, total, table.values)
        return pool[choose(bath, table.values, n_pool)]
    # All literals.
    for n in range(table.n_features):
        table.values[2 * n] = table.sums[n]
        table.values[2 * n + 1] = total - table.sums[n]
    return <int32_t> choose(bath, table.values, n_pool)


# ---------------------------------------------------------------- nested DNFs (matrix_search.py)

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
    int32_t *slot_of_cell       # place of a point among the observed ones, -1 elsewhere
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
    int64_t held_room
    int64_t *left               # for branch and bound: what is not covered of each point
    int64_t *hopes              # and of that what is positive


cdef struct Leaf:
    int32_t complemented
    int32_t n_terms
    int32_t *matrix
    int32_t *terms
    uint64_t *prefixes          # order x (order + 1) masks
    int32_t reached[8]          # for each row, how far the terms go


@cache
def _vector_arrays(order):
    """Return prefix vectors, rows, lengths, parents and sizes as arrays, then what is known of their halves."""
    known = prefix_vectors(order)
    prefixes = np.array(known.vectors, dtype=np.int32).reshape(len(known.vectors), order)
    first, second = order - order // 2, order // 2
    digits, halves = zip(*(_half_points(order, rows) for rows in (first, second)), strict=True)
    below = [np.all(points[:, np.newaxis] >= half, axis=2) for points, half in zip(digits, halves, strict=True)]
    bounds = np.concatenate([[0], np.cumsum(below[0].sum(axis=1))])
    line = _whole(len(halves[1]))
    rows = np.zeros((len(below[1]), line), dtype=np.int8)
    rows[:, : len(halves[1])] = -below[1].astype(np.int8)
    ranks = [half.sum(axis=1) for half in halves]
    lanes = [_whole(np.count_nonzero(ranks[1] <= order - rank)) for rank in ranks[0]]
    numbers = [{tuple(half): place for place, half in enumerate(each.tolist())} for each in halves]
    places = [numbers[0][vector[:first]] * line + numbers[1][vector[first:]] for vector in known.vectors]
    steps = [(order + 1) ** i for i in range(first)] + [(order + 1) ** i << 16 for i in range(second)]
    integers = (
        *(prefixes.ravel(), known.rows, known.lengths, known.parents, prefixes.sum(axis=1), steps),
        *(bounds, np.nonzero(below[0])[1], lanes, places),
    )
    shifts = np.arange(0, 8 * order, 8, dtype=np.uint64)
    packed = [
        (points.astype(np.uint64) << places).sum(axis=1, dtype=np.uint64)
        for points, places in ((digits[0], shifts[:first]), (digits[1], shifts[first:]), (prefixes, shifts))
    ]
    return tuple(np.ascontiguousarray(each, dtype=np.int32) for each in integers), tuple(packed), rows


def _half_points(order, rows):
    """Return the points of some rows by their codes, and those of at most `order` literals, short ones first."""
    codes = np.arange((order + 1) ** rows)
    points = codes[:, np.newaxis] // (order + 1) ** np.arange(rows) % (order + 1)
    ranks = points.sum(axis=1)
    short = np.flatnonzero(ranks <= order)
    return points, points[short[np.argsort(ranks[short], kind="stable")]]


def _whole(count):
    """Return a number of lanes that is a multiple of 16."""
    return 16 * -(-count // 16)


cdef const int32_t *integers_in(const int32_t[::1] array) noexcept:
    return &array[0] if array.shape[0] else NULL


cdef const uint64_t *words_in(const uint64_t[::1] array) noexcept:
    return &array[0] if array.shape[0] else NULL


cdef class _VectorArrays:
    """The prefix vectors of an order as arrays."""

    cdef Vectors c
    cdef object kept

    def __cinit__(self, int64_t order, int64_t size):
        cdef const int8_t[:, ::1] below
        assert order <= 8, "the lengths of a vector have a byte each"
        integers, packed, rows = self.kept = _vector_arrays(order)
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
        self.c.slot_of_cell = <int32_t *> malloc(self.c.cells * sizeof(int32_t))
        self.c.codes = <int32_t *> malloc(64 * words_of(size) * sizeof(int32_t))
        self.c.points = <int32_t *> malloc(self.c.room * sizeof(int32_t))
        self.c.digits = <uint64_t *> malloc(self.c.room * sizeof(uint64_t))
        self.c.net = <int32_t *> malloc(self.c.room * sizeof(int32_t))
        self.c.times = <int32_t *> malloc(self.c.room * sizeof(int32_t))
        self.c.gains = <int32_t *> malloc(self.c.n_gains * sizeof(int32_t))
        self.c.prices = <int64_t *> malloc(self.c.count * sizeof(int64_t))
        self.c.some = <int32_t *> malloc(self.c.room * sizeof(int32_t))
        self.c.some_codes = <int32_t *> malloc(self.c.room * sizeof(int32_t))
        self.c.some_net = <int32_t *> malloc(self.c.room * sizeof(int32_t))
        self.c.starts = <int64_t *> malloc((self.c.count + 1) * sizeof(int64_t))
        self.c.held_room = 1024
        self.c.held = <int32_t *> malloc(self.c.held_room * sizeof(int32_t))
        self.c.left = <int64_t *> malloc(self.c.room * sizeof(int64_t))
        self.c.hopes = <int64_t *> malloc(self.c.room * sizeof(int64_t))
        if (self.c.slot_of_cell == NULL or self.c.codes == NULL or self.c.points == NULL or self.c.digits == NULL
                or self.c.net == NULL or self.c.times == NULL or self.c.gains == NULL or self.c.prices == NULL
                or self.c.some == NULL or self.c.some_codes == NULL or self.c.some_net == NULL
                or self.c.starts == NULL or self.c.held == NULL or self.c.left == NULL or self.c.hopes == NULL):
            raise MemoryError
        memset(self.c.slot_of_cell, 255, self.c.cells * sizeof(int32_t))

    def __dealloc__(self):
        free(self.c.slot_of_cell)
        free(self.c.codes)
        free(self.c.points)
        free(self.c.digits)
        free(self.c.net)
        free(self.c.times)
        free(self.c.gains)
        free(self.c.some)
        free(self.c.prices)
        free(self.c.some_codes)
        free(self.c.some_net)
        free(self.c.starts)
        free(self.c.held)
        free(self.c.left)
        free(self.c.hopes)


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
            slot = known.slot_of_cell[cell]
            if slot < 0:
                slot = known.n_points
                known.n_points += 1
                known.slot_of_cell[cell] = <int32_t> slot
                known.points[slot] = code
                known.net[slot] = 0
            known.net[slot] += table.net[e]
    for slot in range(known.n_points):
        code = known.points[slot]
        known.slot_of_cell[(code & 0xFFFF) + known.codes_of_first * (code >> 16)] = -1
        known.digits[slot] = known.packed[0][code & 0xFFFF] | known.packed[1][code >> 16]
        known.net[slot] *= sign
        known.times[slot] = 0
    table.work += 2 * table.size


cdef inline bint holds_at(Vectors *known, int64_t vector, int64_t point) noexcept nogil:
    """Tell whether no length of a vector is above that of a point: no byte of their difference borrows."""
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


cdef int make_lists(Vectors *known) noexcept nogil:
    """List the points at which each vector holds; -1 without memory."""
    cdef int64_t v, n = 0, size, place, first
    cdef int32_t *grown
    known.starts[0] = 0
    for v in range(known.count):
        size = known.n_points if v == 0 else known.starts[known.parents[v] + 1] - known.starts[known.parents[v]]
        if n + size > known.held_room:
            known.held_room = 2 * (n + size)
            grown = <int32_t *> realloc(known.held, known.held_room * sizeof(int32_t))
            if grown == NULL:
                return -1
            known.held = grown
        first = known.starts[known.parents[v]]
        for place in range(size):
            known.held[n] = <int32_t> place if v == 0 else known.held[first + place]
            n += holds_at(known, v, known.held[n])
        known.starts[v + 1] = n
    return 0


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


cdef int perfect_terms(Table *table, Vectors *known, Leaf *leaf, const uint64_t *reach, int64_t price,
                       int64_t node_limit) noexcept nogil:
    cdef Branching b
    cdef int64_t v, p, n, t, value = 0, count = known.count
    make_histogram(table, known, leaf, reach, -1 if leaf.complemented else 1)
    if make_lists(known) < 0:
        return -1
    b.best = <int32_t *> malloc(count * sizeof(int32_t))
    b.chosen = <int32_t *> malloc(count * sizeof(int32_t))
    b.candidates = <int32_t *> malloc((count + 2) * count * sizeof(int32_t))
    b.covered = <uint8_t *> calloc((count + 2) * known.n_points + 1, 1)
    if b.best == NULL or b.chosen == NULL or b.candidates == NULL or b.covered == NULL:
        free(b.best)
        free(b.chosen)
        free(b.candidates)
        free(b.covered)
        return -1
    b.nodes = b.value = b.n_best = b.n_chosen = 0
    b.price, b.node_limit = price, node_limit
    # The present terms, each once and in order, unless they are worth nothing.
    for p in range(known.n_points):
        known.times[p] = 0
    n = 0
    for v in range(count):
        for t in range(leaf.n_terms):
            if leaf.terms[t] == v:
                b.chosen[n] = <int32_t> v
                n += 1
                value -= price * known.sizes[v]
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
    explore(known, &b, 0, n, 0)
    # In the order of the vectors.
    leaf.n_terms = 0
    for v in range(count):
        for t in range(b.n_best):
            if b.best[t] == v:
                leaf.terms[leaf.n_terms] = <int32_t> v
                leaf.n_terms += 1
                break
    free(b.best)
    free(b.chosen)
    free(b.candidates)
    free(b.covered)
    return 0


# ---------------------------------------------------------------- nested trees (tree_search.py)

cdef struct Tree:
    int64_t inner           # the number of leaves; nodes 1 to inner - 1 are splits
    int64_t price
    int64_t nothing_worth
    int32_t *splits
    Leaf *leaves
    uint64_t *reaches       # a mask for each node
    uint64_t *outputs
    uint64_t *scratch
    int64_t *values
    int8_t *constants
    int32_t *drawn
    int32_t *cells
    const int32_t *pools[2]
    int64_t n_pools[2]
    const int32_t *split_pool
    int64_t n_split_pool


cdef void set_price(Vectors *known, Tree *tree, int64_t price) noexcept nogil:
    cdef int64_t v
    tree.price = price
    for v in range(known.count):
        known.prices[v] = price * known.sizes[v]


cdef void find_reaches(Table *table, Tree *tree) noexcept nogil:
    cdef int64_t node, words = table.words, code
    memcpy(tree.reaches + words, table.everything, words * sizeof(uint64_t))
    for node in range(1, tree.inner):
        code = tree.splits[node]
        and_literal(table, tree.reaches + 2 * node * words, tree.reaches + node * words, code ^ 1)
        and_literal(table, tree.reaches + (2 * node + 1) * words, tree.reaches + node * words, code)


cdef void find_leaf_outputs(Table *table, Vectors *known, Tree *tree) noexcept nogil:
    cdef int64_t place, w
    cdef uint64_t *output
    for place in range(tree.inner):
        output = tree.outputs + (tree.inner + place) * table.words
        covered_by(table, known, &tree.leaves[place], output)
        if tree.leaves[place].complemented:
            for w in range(table.words):
                output[w] = ~output[w] & table.everything[w]


cdef int64_t tree_value(Table *table, Vectors *known, Tree *tree) noexcept nogil:
    """Value every subtree once pruned; reaches and outputs of leaves are made anew."""
    cdef int64_t node, place, w, value, all_positive, t, words = table.words
    find_reaches(table, tree)
    find_leaf_outputs(table, known, tree)
    for node in range(2 * tree.inner - 1, 0, -1):
        if node >= tree.inner:
            for w in range(words):
                tree.scratch[w] = tree.outputs[node * words + w] & tree.reaches[node * words + w]
            value = weight_of(table, tree.scratch)
            place = node - tree.inner
            for t in range(tree.leaves[place].n_terms):
                value -= tree.price * known.sizes[tree.leaves[place].terms[t]]
        else:
            value = tree.values[2 * node] + tree.values[2 * node + 1] - tree.price
        all_positive = table.weight if node == 1 else weight_of(table, tree.reaches + node * words)
        tree.constants[node] = -1
        if value <= (all_positive if all_positive > 0 else 0):
            tree.constants[node] = all_positive > 0
            value = all_positive if all_positive > 0 else 0
        tree.values[node] = value
    return tree.values[1]


cdef void resample_split(Table *table, Tree *tree, int64_t node, Bath *bath) noexcept nogil:
    """Draw the literal at a split anew, and find what the node says with it."""
    cdef int64_t words = table.words, w, f, total
    cdef const uint64_t *low = tree.outputs + 2 * node * words
    cdef const uint64_t *high = tree.outputs + (2 * node + 1) * words
    cdef const uint64_t *reach = tree.reaches + node * words
    cdef uint64_t *output = tree.outputs + node * words
    cdef int32_t *others = table.sums + table.line
    cdef int32_t code
    # What is won where only the branch of the literal says class 1, less what is lost where only the other does.
    for w in range(words):
        tree.scratch[w] = high[w] & ~low[w] & reach[w]
        tree.scratch[words + w] = low[w] & ~high[w] & reach[w]
    total = feature_sums(table, tree.scratch, table.net, table.sums)
    total -= feature_sums(table, tree.scratch + words, table.net, others)
    for f in range(table.line):
        table.sums[f] -= others[f]
    code = draw_literal(table, tree.split_pool, tree.n_split_pool, total, bath)
    tree.splits[node] = code
    and_literal(table, tree.scratch, high, code)
    and_literal(table, output, low, code ^ 1)
    for w in range(words):
        output[w] |= tree.scratch[w]


cdef void sweep_tree(Table *table, Vectors *known, Tree *tree, Bath *bath) noexcept nogil:
    cdef int64_t place, c, node, words = table.words, order = known.order, side
    cdef Leaf *leaf
    cdef uint64_t *reach
    find_reaches(table, tree)
    for place in range(tree.inner):
        leaf = &tree.leaves[place]
        reach = tree.reaches + (tree.inner + place) * words
        resample_terms(table, known, leaf, reach, tree.nothing_worth, bath, tree.drawn)
        shuffle(bath, tree.cells, order * order)
        side = leaf.complemented
        for c in range(order * order):
            resample_cell(table, known, leaf, tree.cells[c] // order, tree.cells[c] % order, reach,
                          tree.pools[side], tree.n_pools[side], bath, tree.scratch)
    if tree.inner == 1:
        return
    find_leaf_outputs(table, known, tree)
    for node in range(tree.inner - 1, 0, -1):
        resample_split(table, tree, node, bath)


cdef void copy_tree(Table *table, Vectors *known, Tree *tree, Tree *into, bint with_prefixes) noexcept nogil:
    cdef int64_t place, order = known.order, i
    memcpy(into.splits, tree.splits, tree.inner * sizeof(int32_t))
    for place in range(tree.inner):
        into.leaves[place].n_terms = tree.leaves[place].n_terms
        memcpy(into.leaves[place].terms, tree.leaves[place].terms, tree.leaves[place].n_terms * sizeof(int32_t))
        memcpy(into.leaves[place].matrix, tree.leaves[place].matrix, order * order * sizeof(int32_t))
        if with_prefixes:
            for i in range(order):
                make_prefixes(table, order, &into.leaves[place], i, 0)


cdef void remake_prefixes(Table *table, Vectors *known, Tree *tree) noexcept nogil:
    """Make all masks of a tree anew, for the examples looked at."""
    cdef int64_t place, i
    for place in range(tree.inner):
        for i in range(known.order):
            memcpy(prefix(table, known.order, &tree.leaves[place], i, 0), table.everything,
                   table.words * sizeof(uint64_t))
            make_prefixes(table, known.order, &tree.leaves[place], i, 0)


cdef int open_tree(Tree *tree, Table *table, Vectors *known, object shape, bint working) except -1:
    """Make room for a tree: with masks of examples where it is worked on."""
    cdef int64_t inner = 1 << shape.depth, words = table.words, order = known.order, place, room, i
    # Branch and bound may choose as many terms as there are vectors.
    room = known.most + 1 if order > MOST_PERFECT_ORDER or not order else known.count + 1
    tree.inner = inner
    tree.splits = <int32_t *> calloc(inner, sizeof(int32_t))
    tree.leaves = <Leaf *> calloc(inner, sizeof(Leaf))
    if tree.splits == NULL or tree.leaves == NULL:
        raise MemoryError
    for place in range(inner):
        tree.leaves[place].complemented = shape.complemented[place]
        tree.leaves[place].matrix = <int32_t *> calloc(order * order + 1, sizeof(int32_t))
        tree.leaves[place].terms = <int32_t *> calloc(room, sizeof(int32_t))
        if tree.leaves[place].matrix == NULL or tree.leaves[place].terms == NULL:
            raise MemoryError
        if working:
            tree.leaves[place].prefixes = <uint64_t *> malloc(order * (order + 1) * words * sizeof(uint64_t) + 1)
            if tree.leaves[place].prefixes == NULL:
                raise MemoryError
            for i in range(order):
                memcpy(prefix(table, order, &tree.leaves[place], i, 0), table.everything, words * sizeof(uint64_t))
    if working:
        tree.reaches = <uint64_t *> malloc(2 * inner * words * sizeof(uint64_t))
        tree.outputs = <uint64_t *> malloc(2 * inner * words * sizeof(uint64_t))
        tree.scratch = <uint64_t *> malloc(2 * words * sizeof(uint64_t))
        tree.values = <int64_t *> malloc(2 * inner * sizeof(int64_t))
        tree.constants = <int8_t *> malloc(2 * inner)
        tree.drawn = <int32_t *> malloc((known.most + room) * sizeof(int32_t))
        tree.cells = <int32_t *> malloc((order * order + 1) * sizeof(int32_t))
        if (tree.reaches == NULL or tree.outputs == NULL or tree.scratch == NULL or tree.values == NULL
                or tree.constants == NULL or tree.drawn == NULL or tree.cells == NULL):
            raise MemoryError
    return 0


cdef void close_tree(Tree *tree) noexcept:
    cdef int64_t place
    if tree.leaves != NULL:
        for place in range(tree.inner):
            free(tree.leaves[place].matrix)
            free(tree.leaves[place].terms)
            free(tree.leaves[place].prefixes)
    free(tree.splits)
    free(tree.leaves)
    free(tree.reaches)
    free(tree.outputs)
    free(tree.scratch)
    free(tree.values)
    free(tree.constants)
    free(tree.drawn)
    free(tree.cells)


def anneal(task, cooling, uint64_t seed, is_over):
    """Search while the temperature falls; see :func:`idnf.learning.local.tree_search.anneal`."""
    cdef Table table
    cdef Tree tree, best
    cdef Bath bath
    cdef int64_t order = task.shape.order, step, place, c, i, value, best_value
    cdef bint cut = False
    cdef int failed = 0
    cdef const int32_t[::1] positive = task.pools.positive, negative = task.pools.negative, split = task.pools.split
    cdef const int64_t[::1] heat = np.array(cooling.temperatures, dtype=np.int64)
    cdef const int64_t[::1] sizes = np.array(cooling.sizes, dtype=np.int64)
    cdef int64_t size = task.examples.size, price = task.price
    cdef _VectorArrays arrays = _VectorArrays(order, task.examples.size)
    cdef Vectors *known = &arrays.c
    cdef int64_t candidates = max(known.count, 2 * task.examples.n_features) + 2
    memset(&table, 0, sizeof(Table))
    memset(&tree, 0, sizeof(Tree))
    memset(&best, 0, sizeof(Tree))
    memset(&bath, 0, sizeof(Bath))
    try:
        open_bath(&bath, seed, candidates)
        open_table(&table, task.examples.cells, task.examples.words, task.examples.net, candidates)
        open_tree(&tree, &table, known, task.shape, True)
        open_tree(&best, &table, known, task.shape, False)
        set_price(known, &tree, price)
        tree.nothing_worth = no_term(task.examples.unit)
        tree.pools[0], tree.n_pools[0] = (&positive[0] if len(positive) else NULL), len(positive)
        tree.pools[1], tree.n_pools[1] = (&negative[0] if len(negative) else NULL), len(negative)
        tree.split_pool, tree.n_split_pool = (&split[0] if len(split) else NULL), len(split)
        for place in range(1, tree.inner):
            tree.splits[place] = split[below(&bath, tree.n_split_pool)]
        for place in range(tree.inner):
            for c in range(order * order):
                i = tree.leaves[place].complemented
                tree.leaves[place].matrix[c] = tree.pools[i][below(&bath, tree.n_pools[i])]
            for i in range(order):
                make_prefixes(&table, order, &tree.leaves[place], i, 0)
        with nogil:
            best_value = tree_value(&table, known, &tree)
            copy_tree(&table, known, &tree, &best, False)
            for step in range(heat.shape[0]):
                if sizes[step] != table.size:
                    look_at(&table, sizes[step])
                    set_price(known, &tree, price * table.size // size)
                    remake_prefixes(&table, known, &tree)
                    best_value = tree_value(&table, known, &tree)
                    copy_tree(&table, known, &tree, &best, False)
                if heat[step] == 0 and (step == 0 or heat[step - 1] != 0):
                    copy_tree(&table, known, &best, &tree, True)
                bath.temperature = heat[step]
                sweep_tree(&table, known, &tree, &bath)
                value = tree_value(&table, known, &tree)
                if value > best_value:
                    best_value = value
                    copy_tree(&table, known, &tree, &best, False)
                if table.work > PATIENCE:
                    table.work = 0
                    with gil:
                        cut = is_over()
                    if cut:
                        break
            copy_tree(&table, known, &best, &tree, False)
            look_at(&table, size)
            set_price(known, &tree, price)
            remake_prefixes(&table, known, &tree)
            if not cut and 0 < order <= MOST_PERFECT:
                find_reaches(&table, &tree)
                for place in range(tree.inner):
                    failed = perfect_terms(&table, known, &tree.leaves[place],
                                           tree.reaches + (tree.inner + place) * table.words, tree.price, NODES)
                    if failed < 0:
                        break
            value = tree_value(&table, known, &tree)
        if failed < 0:
            raise MemoryError
        return _annealed(&tree, known, value, cut)
    finally:
        close_bath(&bath)
        close_tree(&tree)
        close_tree(&best)
        close_table(&table)


cdef object _annealed(Tree *tree, Vectors *known, int64_t value, bint cut):
    cdef int64_t order = known.order, place, node, i, j, t
    leaves = []
    for place in range(tree.inner):
        matrix = tuple([tuple([tree.leaves[place].matrix[i * order + j] for j in range(order)]) for i in range(order)])
        terms = tuple([
            tuple([known.prefixes[tree.leaves[place].terms[t] * order + i] for i in range(order)])
            for t in range(tree.leaves[place].n_terms)
        ])
        leaves.append((matrix, terms))
    constants = [
        None if tree.constants[node] < 0 else bool(tree.constants[node]) for node in range(1, 2 * tree.inner)
    ]
    splits = tuple([tree.splits[node] for node in range(1, tree.inner)])
    return Annealed(value, splits, tuple(leaves), tuple(constants), cut)


# ---------------------------------------------------------------- Berge steps (berge.py, berge_search.py)

cdef enum:
    WIDEST = 52
    KEPT = 32

assert _MOST_TERMS < WIDEST - 2, "an implicant has at most one literal for each term"


cdef enum:
    SIGNED = 4              # words of a signature

# Only the codes in use are ever copied.
cdef struct Literals:
    uint64_t signature[SIGNED]  # a bit for each literal; where there are very many, several literals share one
    int32_t size
    int32_t codes[WIDEST]   # ascending


# Terms of one class with the examples that satisfy each, and all prime implicants of the other class.
cdef struct Berge:
    int64_t n_terms
    int64_t n_implicants
    int64_t covered_weight
    int32_t *sizes          # of the terms
    int32_t *terms          # k codes a term, ascending
    uint64_t *masks
    Literals *implicants


# What a search for terms needs.
cdef struct Workshop:
    int64_t k
    bint is_exact           # whether every literal has a bit of its own in signatures
    int64_t signed_words    # of a signature that are in use
    uint64_t truths[SIGNED]     # in the search for an uncovered point, the literals that are assigned
    uint64_t refuted[SIGNED]    # and their negations
    int64_t price
    const int32_t *allowed
    int64_t n_allowed
    Bath *bath
    Literals *stepped       # implicants after a step
    int32_t *element_of     # for each literal, its place among those to be added, 0 for none
    int32_t *rivals         # a list of staying implicants for each such place
    int32_t *n_rivals
    int8_t *is_usable       # for each literal
    int32_t *usable
    int64_t n_usable
    Literals *options
    int32_t *open_options   # a list for each level
    int64_t room            # for options
    Literals *within        # what every term must conflict with
    int64_t n_within
    Literals *containing    # the negations of the terms that must stay inside: every implicant holds one of each
    int64_t n_containing
    int32_t *orders         # a permutation for each level
    int32_t *partial
    int64_t nodes
    int32_t *found          # terms of slack, k codes each
    int32_t *found_sizes
    int64_t n_found
    int32_t *made           # completed terms
    int32_t *made_sizes
    uint64_t *covered
    uint64_t *left
    uint64_t *holding
    int32_t *weights        # of the examples, negative ones of the other class
    int32_t *cautious       # the same, examples of the other class more
    int32_t *wanted         # the positive ones
    int8_t *assigned        # for each feature, in the search for an uncovered point
    int64_t *kept_values    # what the literals are worth at terms met before around the same example
    int32_t *kept_terms
    int32_t *kept_sizes
    int64_t n_kept


cdef void set_signatures(Workshop *shop, int64_t literals) noexcept nogil:
    shop.is_exact = literals <= 64 * SIGNED
    shop.signed_words = (literals + 63) // 64 if shop.is_exact else SIGNED


cdef inline int64_t bit_of(const Workshop *shop, int32_t code) noexcept nogil:
    """Return the place of a literal in signatures."""
    if shop.is_exact:
        return code
    return <int64_t> ((<uint64_t> code * <uint64_t> 0x9E3779B97F4A7C15) >> 56)


cdef inline void copy_literals(Literals *into, const Literals *p) noexcept nogil:
    memcpy(into, p, SIGNED * sizeof(uint64_t) + (p.size + 1) * sizeof(int32_t))


cdef inline bint is_within(const Workshop *shop, const Literals *a, const Literals *b, int32_t extra) noexcept nogil:
    """Tell whether every literal of a is in b or is the extra one."""
    cdef int64_t place = bit_of(shop, extra), w
    cdef uint64_t rest
    cdef int32_t i, j = 0
    for w in range(shop.signed_words):
        rest = a.signature[w] & ~b.signature[w]
        if w == place >> 6:
            rest &= ~(<uint64_t> 1 << (place & 63))
        if rest:
            return False
    if shop.is_exact:
        return True
    for i in range(a.size):
        if a.codes[i] == extra:
            continue
        while j < b.size and b.codes[j] < a.codes[i]:
            j += 1
        if j == b.size or b.codes[j] != a.codes[i]:
            return False
    return True


cdef int berge_step(Workshop *shop, Berge *state, const int32_t *term, int64_t size) noexcept nogil:
    """Add a term to the other side; 0 when that makes more implicants than are worked on."""
    cdef int64_t n = 0, a, x, i, r
    cdef int32_t code, met, last
    cdef bint good
    cdef Literals *p
    cdef Literals *new
    cdef Literals *kept
    for x in range(size):
        shop.element_of[term[x] ^ 1] = <int32_t> x + 1
        shop.n_rivals[x] = 0
    for a in range(state.n_implicants):
        p = &state.implicants[a]
        met = 0
        last = 0
        for i in range(p.size):
            if shop.element_of[p.codes[i]]:
                met += 1
                last = shop.element_of[p.codes[i]]
        if met:
            copy_literals(&shop.stepped[n], p)
            if met == 1:
                shop.rivals[(last - 1) * (MOST_IMPLICANTS + 1) + shop.n_rivals[last - 1]] = <int32_t> n
                shop.n_rivals[last - 1] += 1
            n += 1
            p.size = -1
    good = True
    for a in range(state.n_implicants):
        p = &state.implicants[a]
        if p.size < 0 or not good:
            continue
        for x in range(size):
            code = term[x] ^ 1
            for i in range(p.size):
                if p.codes[i] == code ^ 1:
                    break
            else:
                for r in range(shop.n_rivals[x]):
                    if is_within(shop, &shop.stepped[shop.rivals[x * (MOST_IMPLICANTS + 1) + r]], p, code):
                        break
                else:
                    if n == MOST_IMPLICANTS:
                        good = False
                        break
                    new = &shop.stepped[n]
                    n += 1
                    i = 0
                    while i < p.size and p.codes[i] < code:
                        new.codes[i] = p.codes[i]
                        i += 1
                    new.codes[i] = code
                    while i < p.size:
                        new.codes[i + 1] = p.codes[i]
                        i += 1
                    new.size = p.size + 1
                    memcpy(new.signature, p.signature, SIGNED * sizeof(uint64_t))
                    new.signature[bit_of(shop, code) >> 6] |= <uint64_t> 1 << (bit_of(shop, code) & 63)
    for x in range(size):
        shop.element_of[term[x] ^ 1] = 0
    kept = state.implicants
    state.implicants = shop.stepped
    shop.stepped = kept
    state.n_implicants = n
    return good


cdef bint holds_all(const int32_t *codes, int64_t size, const int32_t *term, int64_t n) noexcept nogil:
    """Tell whether ascending codes hold every code of a term."""
    cdef int64_t i, j = 0
    for i in range(n):
        while j < size and codes[j] < term[i]:
            j += 1
        if j == size or codes[j] != term[i]:
            return False
    return True


cdef void put_term(Table *table, Workshop *shop, Berge *state, const int32_t *term, int64_t size,
                   const uint64_t *mask) noexcept nogil:
    """Write a term behind the others."""
    cdef int64_t k = shop.k, w, i
    cdef uint64_t *own = state.masks + state.n_terms * table.words
    memcpy(state.terms + state.n_terms * k, term, size * sizeof(int32_t))
    state.sizes[state.n_terms] = <int32_t> size
    if mask != NULL:
        memcpy(own, mask, table.words * sizeof(uint64_t))
    else:
        memcpy(own, table.everything, table.words * sizeof(uint64_t))
        for i in range(size):
            and_literal(table, own, own, term[i])
    state.n_terms += 1


cdef int add_term(Table *table, Workshop *shop, Berge *state, const int32_t *term, int64_t size,
                  const uint64_t *mask) noexcept nogil:
    """Add a term and drop those it absorbs; 0 when the state becomes too large."""
    cdef int64_t k = shop.k, t, n = 0
    for t in range(state.n_terms):
        if not holds_all(state.terms + t * k, state.sizes[t], term, size):
            if n < t:
                memcpy(state.terms + n * k, state.terms + t * k, k * sizeof(int32_t))
                memcpy(state.masks + n * table.words, state.masks + t * table.words, table.words * sizeof(uint64_t))
                state.sizes[n] = state.sizes[t]
            n += 1
    state.n_terms = n
    put_term(table, shop, state, term, size, mask)
    table.work += state.n_implicants * size * 8 + table.words * size
    return berge_step(shop, state, term, size) and state.n_terms <= MOST_TERMS


cdef void clear_state(Berge *state) noexcept nogil:
    state.n_terms = 0
    state.n_implicants = 1
    state.implicants[0].size = 0
    memset(state.implicants[0].signature, 0, SIGNED * sizeof(uint64_t))


cdef bint has_uncovered(Workshop *shop, const Berge *state) noexcept nogil:
    """Tell whether some point that agrees with what is assigned satisfies no implicant of at most k literals."""
    cdef int64_t a, i, n_open, fewest = -1
    cdef int32_t code, free_code, chosen = -1
    cdef const Literals *p
    cdef bint met
    for a in range(state.n_implicants):
        p = &state.implicants[a]
        if p.size > shop.k:
            continue
        n_open = 0
        met = False
        free_code = -1
        for i in range(p.size):
            code = p.codes[i]
            if shop.assigned[code >> 1] == 0:
                n_open += 1
                if free_code < 0:
                    free_code = code
            elif shop.assigned[code >> 1] != 1 + (code & 1):
                met = True
                break
        if met:
            continue
        if n_open == 0:
            return False
        if fewest < 0 or n_open < fewest:
            fewest = n_open
            chosen = free_code
    if chosen < 0:
        return True
    # First where the literal fails.
    shop.assigned[chosen >> 1] = <int8_t> (2 - (chosen & 1))
    met = has_uncovered(shop, state)
    if not met:
        shop.assigned[chosen >> 1] = <int8_t> (1 + (chosen & 1))
        met = has_uncovered(shop, state)
    shop.assigned[chosen >> 1] = 0
    return met


cdef bint has_open_point(Workshop *shop, const Berge *state) noexcept nogil:
    """The same by signatures, where every literal has a bit of its own."""
    cdef int64_t a, w, n_open, fewest = shop.k + 1
    cdef int32_t chosen = -1, first
    cdef uint64_t word
    cdef const Literals *p
    cdef bint met
    for a in range(state.n_implicants):
        p = &state.implicants[a]
        if p.size > shop.k:
            continue
        n_open, first, met = 0, -1, False
        for w in range(shop.signed_words):
            if p.signature[w] & shop.refuted[w]:
                met = True
                break
            word = p.signature[w] & ~shop.truths[w]
            if word and first < 0:
                first = <int32_t> (64 * w + idnf_lowest(word))
            while word:
                n_open += 1
                word &= word - 1
        if met:
            continue
        if n_open == 0:
            return False
        if n_open < fewest:
            fewest, chosen = n_open, first
    if chosen < 0:
        return True
    # First where the literal fails.
    assign(shop, chosen ^ 1, True)
    met = has_open_point(shop, state)
    assign(shop, chosen ^ 1, False)
    if not met:
        assign(shop, chosen, True)
        met = has_open_point(shop, state)
        assign(shop, chosen, False)
    return met


cdef inline void assign(Workshop *shop, int32_t code, bint value) noexcept nogil:
    """Take a literal for true, or leave it open again."""
    cdef uint64_t bit = <uint64_t> 1 << (code & 63), other = <uint64_t> 1 << ((code ^ 1) & 63)
    if value:
        shop.truths[code >> 6] |= bit
        shop.refuted[code >> 6] |= other
    else:
        shop.truths[code >> 6] &= ~bit
        shop.refuted[code >> 6] &= ~other


cdef bint is_interpretable(Workshop *shop, const Berge *state) noexcept nogil:
    cdef int64_t a, i
    cdef const Literals *p
    cdef bint escapes
    for a in range(state.n_implicants):
        p = &state.implicants[a]
        if p.size <= shop.k:
            continue
        if shop.is_exact:
            for i in range(p.size):
                assign(shop, p.codes[i], True)
            escapes = has_open_point(shop, state)
            for i in range(p.size):
                assign(shop, p.codes[i], False)
        else:
            for i in range(p.size):
                shop.assigned[p.codes[i] >> 1] = <int8_t> (1 + (p.codes[i] & 1))
            escapes = has_uncovered(shop, state)
            for i in range(p.size):
                shop.assigned[p.codes[i] >> 1] = 0
        if escapes:
            return False
    return True


cdef bint keeps_inside(const Workshop *shop, const Berge *state) noexcept nogil:
    """Tell whether every implicant conflicts with every term that must stay inside."""
    cdef int64_t a, c, w
    cdef uint64_t met
    for c in range(shop.n_containing):
        for a in range(state.n_implicants):
            met = 0
            for w in range(shop.signed_words):
                met |= state.implicants[a].signature[w] & shop.containing[c].signature[w]
            if not met or not shop.is_exact and not have_common(&state.implicants[a], &shop.containing[c]):
                return False
    return True


cdef bint have_common(const Literals *a, const Literals *b) noexcept nogil:
    cdef int32_t i, j
    for i in range(a.size):
        for j in range(b.size):
            if a.codes[i] == b.codes[j]:
                return True
    return False


cdef int compare_options(const void *a, const void *b) noexcept nogil:
    """By size, then by the largest literal in which they differ."""
    cdef const Literals *one = <const Literals *> a
    cdef const Literals *other = <const Literals *> b
    cdef int32_t i
    if one.size != other.size:
        return -1 if one.size < other.size else 1
    for i in range(one.size - 1, -1, -1):
        if one.codes[i] != other.codes[i]:
            return -1 if one.codes[i] < other.codes[i] else 1
    return 0


cdef bint hitting_sets(Workshop *shop, int64_t level, int64_t n_open, int64_t room, int64_t most) noexcept nogil:
    """Look for terms that meet all open options; return whether to go on."""
    cdef int32_t *open_here = shop.open_options + level * shop.room
    cdef int32_t *open_there = open_here + shop.room
    cdef int32_t *order = shop.orders + level * WIDEST
    cdef int32_t *term
    cdef int64_t i, n, o, c
    cdef int32_t code
    cdef const Literals *first
    cdef const Literals *option
    shop.nodes += 1
    if n_open == 0:
        # What was taken level by level, in ascending order.
        term = shop.found + shop.n_found * shop.k
        for i in range(level):
            n = i
            while n and term[n - 1] > shop.partial[i]:
                term[n] = term[n - 1]
                n -= 1
            term[n] = shop.partial[i]
        for n in range(shop.n_found):
            if shop.found_sizes[n] == level:
                for i in range(level):
                    if shop.found[n * shop.k + i] != term[i]:
                        break
                else:
                    return shop.nodes < MOST_NODES
        shop.found_sizes[shop.n_found] = <int32_t> level
        shop.n_found += 1
        return shop.n_found < most and shop.nodes < MOST_NODES
    if shop.nodes >= MOST_NODES:
        return False
    if room == 0:
        return True
    first = &shop.options[open_here[0]]
    shuffle(shop.bath, order, first.size)
    for c in range(first.size):
        code = first.codes[order[c]]
        n = 0
        for o in range(n_open):
            option = &shop.options[open_here[o]]
            for i in range(option.size):
                if option.codes[i] == code:
                    break
            else:
                open_there[n] = open_here[o]
                n += 1
        shop.partial[level] = code
        if not hitting_sets(shop, level + 1, n, room - 1, most):
            return False
    return True


cdef int add_option(Workshop *shop, Literals *option, const Literals *p, const int32_t *base,
                    int64_t n_base) noexcept nogil:
    """Write down the usable literals that conflict with an implicant; 0 if the base does already, -1 without any."""
    cdef int64_t i, j
    option.size = 0
    for i in range(p.size):
        for j in range(n_base):
            if p.codes[i] == base[j] ^ 1:
                return 0
        if shop.is_usable[p.codes[i] ^ 1]:
            option.codes[option.size] = p.codes[i] ^ 1
            option.size += 1
    return 1 if option.size else -1


cdef int64_t find_slack(Workshop *shop, const Berge *state, const int32_t *base, int64_t n_base) noexcept nogil:
    """Find terms of usable literals that conflict with all they must that the base does not conflict with."""
    cdef int64_t a, n = 0, distinct = 0
    cdef const Literals *p
    cdef int added
    shop.n_found = 0
    shop.nodes = 0
    for a in range(state.n_implicants + shop.n_within):
        if a < state.n_implicants:
            p = &state.implicants[a]
            if p.size != shop.k:
                continue
        else:
            p = &shop.within[a - state.n_implicants]
        added = add_option(shop, &shop.options[n], p, base, n_base)
        if added < 0:
            return 0
        n += added
    qsort(shop.options, n, sizeof(Literals), compare_options)
    for a in range(n):
        if a == 0 or compare_options(&shop.options[a], &shop.options[a - 1]):
            shop.open_options[distinct] = <int32_t> a
            distinct += 1
    hitting_sets(shop, 0, distinct, shop.k - n_base, MOST_CANDIDATES)
    return shop.n_found


cdef const int64_t *values_at(Table *table, Workshop *shop, const int32_t *term, int64_t size, bint long_one) noexcept nogil:
    """Return what each usable literal is worth at a term, and unless `long_one` what it is worth as it is."""
    cdef int64_t n, i, total, stride = 2 * table.n_features + 2
    cdef int64_t *values
    for n in range(shop.n_kept):
        if shop.kept_sizes[n] == size and holds_all(shop.kept_terms + n * shop.k, size, term, size):
            return shop.kept_values + n * stride
    # The last place is written over and over once the others are taken.
    n = shop.n_kept
    values = shop.kept_values + n * stride
    if n < KEPT - 1:
        shop.kept_sizes[n] = <int32_t> size
        memcpy(shop.kept_terms + n * shop.k, term, size * sizeof(int32_t))
        shop.n_kept += 1
    memcpy(shop.holding, table.everything, table.words * sizeof(uint64_t))
    for i in range(size):
        and_literal(table, shop.holding, shop.holding, term[i])
    for i in range(table.words):
        shop.holding[i] &= shop.left[i]
    total = feature_sums(table, shop.holding, shop.cautious if long_one else shop.weights, table.sums)
    literal_values(table, shop.usable, shop.n_usable, total, values)
    if not long_one:
        for i in range(shop.n_usable):
            values[i] -= shop.price
        values[shop.n_usable] = total
    return values


cdef int64_t completed(Table *table, Workshop *shop, int32_t *term, int64_t size, bint long_one) noexcept nogil:
    """Add literals to a term while there is room and they are drawn; return its size."""
    cdef int64_t i, chosen, tried, k = shop.k
    cdef int32_t code
    cdef bint known
    cdef const int64_t *values
    for tried in range(k):
        if size == k or not shop.n_usable:
            break
        values = values_at(table, shop, term, size, long_one)
        chosen = choose(shop.bath, values, shop.n_usable if long_one else shop.n_usable + 1)
        if chosen == shop.n_usable:
            break
        code = shop.usable[chosen]
        known = False
        for i in range(size):
            if term[i] == code:
                known = True
        if not known:
            i = size
            while i and term[i - 1] > code:
                term[i] = term[i - 1]
                i -= 1
            term[i] = code
            size += 1
    return size


cdef int64_t new_term(Table *table, Workshop *shop, const Berge *state, const int32_t *base, int64_t n_base,
                      bint long_one) noexcept nogil:
    """Make terms around a random example that is left; return which of shop.made is drawn, or -1."""
    cdef int64_t w, t, e, i, j, n, total, drawn, times, count, k = shop.k, size
    cdef int32_t weight
    cdef uint64_t word
    cdef int32_t *term
    memset(shop.covered, 0, table.words * sizeof(uint64_t))
    for t in range(state.n_terms):
        for w in range(table.words):
            shop.covered[w] |= state.masks[t * table.words + w]
    memcpy(shop.left, table.everything, table.words * sizeof(uint64_t))
    for i in range(n_base):
        and_literal(table, shop.left, shop.left, base[i])
    for w in range(table.words):
        shop.left[w] &= ~shop.covered[w]
    total = idnf_weight(shop.left, shop.wanted, table.size)
    table.work += table.size + table.words * (state.n_terms + n_base)
    if total == 0:
        return -1
    drawn = share_of(shop.bath, total)
    e = -1
    for w in range(table.words):
        word = shop.left[w]
        while word:
            weight = shop.wanted[(w << 6) + idnf_lowest(word)]
            if drawn < weight:
                e = (w << 6) + idnf_lowest(word)
                break
            drawn -= weight
            word &= word - 1
        if e >= 0:
            break
    shop.n_usable = 0
    for i in range(shop.n_allowed):
        if (table.cells[e * table.line + (shop.allowed[i] >> 1)] != 0) != (shop.allowed[i] & 1):
            shop.usable[shop.n_usable] = shop.allowed[i]
            shop.is_usable[shop.allowed[i]] = 1
            shop.n_usable += 1
    count = find_slack(shop, state, base, n_base)
    for i in range(shop.n_usable):
        shop.is_usable[shop.usable[i]] = 0
    if count == 0:
        return -1
    times = 1 + MOST_CANDIDATES // 2 // count
    n = shop.n_kept = 0
    for t in range(times):
        for j in range(count):
            term = shop.made + n * k
            size = merged(term, base, n_base, shop.found + j * k, shop.found_sizes[j])
            shop.made_sizes[n] = <int32_t> completed(table, shop, term, size, long_one)
            n += 1
    for t in range(n):
        term = shop.made + t * k
        memcpy(shop.holding, shop.left, table.words * sizeof(uint64_t))
        for i in range(shop.made_sizes[t]):
            and_literal(table, shop.holding, shop.holding, term[i])
        table.values[t] = idnf_weight(shop.holding, shop.weights, table.size) - shop.price * shop.made_sizes[t]
    table.values[n] = 0
    t = choose(shop.bath, table.values, n + 1)
    return t if t < n else -1


cdef int64_t merged(int32_t *into, const int32_t *a, int64_t n_a, const int32_t *b, int64_t n_b) noexcept nogil:
    """Unite two ascending lists of codes."""
    cdef int64_t i = 0, j = 0, n = 0
    while i < n_a or j < n_b:
        if j == n_b or i < n_a and a[i] <= b[j]:
            if j < n_b and a[i] == b[j]:
                j += 1
            into[n] = a[i]
            i += 1
        else:
            into[n] = b[j]
            j += 1
        n += 1
    return n


cdef int64_t state_value(Table *table, Workshop *shop, const Berge *state) noexcept nogil:
    cdef int64_t t, w, value
    memset(shop.covered, 0, table.words * sizeof(uint64_t))
    for t in range(state.n_terms):
        for w in range(table.words):
            shop.covered[w] |= state.masks[t * table.words + w]
    value = idnf_weight(shop.covered, shop.weights, table.size)
    for t in range(state.n_terms):
        value -= shop.price * state.sizes[t]
    return value


cdef bint make_move(Table *table, Workshop *shop, const Berge *now, Berge *next_one, int32_t *base) noexcept nogil:
    """Drop some terms of a state and add others; return whether that gave a state to compare."""
    cdef int64_t count, first = -1, other = -1, t, n_base = 0, k = shop.k, added, n, words = table.words
    cdef bint long_one
    count = below(shop.bath, 3)
    if count > now.n_terms:
        count = now.n_terms
    if count:
        first = below(shop.bath, now.n_terms)
        if count == 2:
            other = below(shop.bath, now.n_terms - 1)
            other += other >= first
        if count == 1 and now.sizes[first] < k and below(shop.bath, 2) == 0:
            n_base = now.sizes[first]
            memcpy(base, now.terms + first * k, n_base * sizeof(int32_t))
        clear_state(next_one)
        for t in range(now.n_terms):
            if t != first and t != other and not add_term(table, shop, next_one, now.terms + t * k, now.sizes[t],
                                                          now.masks + t * words):
                return False
        if not is_interpretable(shop, next_one):
            return False
    else:
        next_one.n_terms = now.n_terms
        next_one.n_implicants = now.n_implicants
        memcpy(next_one.sizes, now.sizes, now.n_terms * sizeof(int32_t))
        memcpy(next_one.terms, now.terms, now.n_terms * k * sizeof(int32_t))
        memcpy(next_one.masks, now.masks, now.n_terms * words * sizeof(uint64_t))
        for t in range(now.n_implicants):
            copy_literals(&next_one.implicants[t], &now.implicants[t])
    long_one = n_base > 0 or below(shop.bath, 2) == 0
    added = 1 + below(shop.bath, MOST_ADDED)
    for n in range(added):
        t = new_term(table, shop, next_one, base, n_base, long_one)
        if t < 0:
            break
        if not add_term(table, shop, next_one, shop.made + t * k, shop.made_sizes[t], NULL):
            return False
    return keeps_inside(shop, next_one)


cdef void remake_masks(Table *table, int64_t k, Berge *state) noexcept nogil:
    """Make the masks of all terms anew, for the examples looked at."""
    cdef int64_t t, i
    cdef uint64_t *own
    for t in range(state.n_terms):
        own = state.masks + t * table.words
        memcpy(own, table.everything, table.words * sizeof(uint64_t))
        for i in range(state.sizes[t]):
            and_literal(table, own, own, state.terms[t * k + i])


cdef int open_state(Berge *state, Table *table, int64_t k) except -1:
    state.sizes = <int32_t *> malloc((MOST_TERMS + 2) * sizeof(int32_t))
    state.terms = <int32_t *> malloc((MOST_TERMS + 2) * (k + 1) * sizeof(int32_t))
    state.masks = <uint64_t *> malloc((MOST_TERMS + 2) * table.words * sizeof(uint64_t))
    state.implicants = <Literals *> malloc((MOST_IMPLICANTS + 1) * sizeof(Literals))
    if state.sizes == NULL or state.terms == NULL or state.masks == NULL or state.implicants == NULL:
        raise MemoryError
    clear_state(state)
    return 0


cdef void close_state(Berge *state) noexcept:
    free(state.sizes)
    free(state.terms)
    free(state.masks)
    free(state.implicants)


cdef Literals *literals_of(const Workshop *shop, object masks) except NULL:
    """Return sets of literals in memory of their own."""
    cdef Literals *made = <Literals *> calloc(len(masks) + 1, sizeof(Literals))
    cdef int64_t n, place
    if made == NULL:
        raise MemoryError
    for n, mask in enumerate(masks):
        assert mask.bit_count() <= WIDEST, "a term has at most as many literals as an implicant"
        for code in codes_of(mask):
            made[n].codes[made[n].size] = code
            made[n].size += 1
            place = bit_of(shop, code)
            made[n].signature[place >> 6] |= <uint64_t> 1 << (place & 63)
    return made


cdef int open_shop(Workshop *shop, Table *table, int64_t k, object task) except -1:
    cdef int32_t weight, sign = -1 if task.complemented else 1
    cdef int64_t e, levels = min(k, WIDEST) + 2, literals = 2 * table.n_features + 2
    cdef int64_t made = MOST_CANDIDATES + MOST_CANDIDATES // 2 + 1
    shop.k = k
    set_signatures(shop, 2 * table.n_features)
    shop.within, shop.n_within = literals_of(shop, task.within), len(task.within)
    negations = [negated_mask(term) for term in task.containing]
    shop.containing, shop.n_containing = literals_of(shop, negations), len(negations)
    shop.room = MOST_IMPLICANTS + shop.n_within + 1
    shop.stepped = <Literals *> malloc((MOST_IMPLICANTS + 1) * sizeof(Literals))
    shop.element_of = <int32_t *> calloc(literals, sizeof(int32_t))
    shop.rivals = <int32_t *> malloc((k + 1) * (MOST_IMPLICANTS + 1) * sizeof(int32_t))
    shop.n_rivals = <int32_t *> malloc((k + 1) * sizeof(int32_t))
    shop.is_usable = <int8_t *> calloc(literals, 1)
    shop.usable = <int32_t *> malloc(literals * sizeof(int32_t))
    shop.options = <Literals *> malloc(shop.room * sizeof(Literals))
    shop.open_options = <int32_t *> malloc((levels + 1) * shop.room * sizeof(int32_t))
    shop.orders = <int32_t *> malloc((levels + 1) * WIDEST * sizeof(int32_t))
    shop.partial = <int32_t *> malloc((levels + 1) * sizeof(int32_t))
    shop.found = <int32_t *> malloc((MOST_CANDIDATES + 1) * (k + 1) * sizeof(int32_t))
    shop.found_sizes = <int32_t *> malloc((MOST_CANDIDATES + 1) * sizeof(int32_t))
    shop.made = <int32_t *> malloc(made * (k + 1) * sizeof(int32_t))
    shop.made_sizes = <int32_t *> malloc(made * sizeof(int32_t))
    shop.covered = <uint64_t *> malloc(table.words * sizeof(uint64_t))
    shop.left = <uint64_t *> malloc(table.words * sizeof(uint64_t))
    shop.holding = <uint64_t *> malloc(table.words * sizeof(uint64_t))
    shop.weights = <int32_t *> malloc((table.size + 1) * sizeof(int32_t))
    shop.cautious = <int32_t *> malloc((table.size + 1) * sizeof(int32_t))
    shop.wanted = <int32_t *> malloc((table.size + 1) * sizeof(int32_t))
    shop.assigned = <int8_t *> calloc(table.n_features + 1, 1)
    shop.kept_values = <int64_t *> malloc(KEPT * literals * sizeof(int64_t))
    shop.kept_terms = <int32_t *> malloc(KEPT * (k + 1) * sizeof(int32_t))
    shop.kept_sizes = <int32_t *> malloc(KEPT * sizeof(int32_t))
    if (shop.stepped == NULL or shop.element_of == NULL or shop.rivals == NULL or shop.n_rivals == NULL
            or shop.is_usable == NULL or shop.usable == NULL or shop.options == NULL or shop.open_options == NULL
            or shop.orders == NULL or shop.partial == NULL or shop.found == NULL or shop.found_sizes == NULL
            or shop.made == NULL or shop.made_sizes == NULL or shop.covered == NULL or shop.left == NULL
            or shop.holding == NULL or shop.weights == NULL or shop.cautious == NULL or shop.wanted == NULL
            or shop.assigned == NULL or shop.kept_values == NULL or shop.kept_terms == NULL
            or shop.kept_sizes == NULL):
        raise MemoryError
    for e in range(table.size):
        weight = sign * table.net[e]
        shop.weights[e] = weight
        shop.cautious[e] = CAUTION * weight if weight < 0 else weight
        shop.wanted[e] = weight if weight > 0 else 0
    return 0


cdef void close_shop(Workshop *shop) noexcept:
    free(shop.within)
    free(shop.containing)
    free(shop.stepped)
    free(shop.element_of)
    free(shop.rivals)
    free(shop.n_rivals)
    free(shop.is_usable)
    free(shop.usable)
    free(shop.options)
    free(shop.open_options)
    free(shop.orders)
    free(shop.partial)
    free(shop.found)
    free(shop.found_sizes)
    free(shop.made)
    free(shop.made_sizes)
    free(shop.covered)
    free(shop.left)
    free(shop.holding)
    free(shop.weights)
    free(shop.cautious)
    free(shop.wanted)
    free(shop.assigned)
    free(shop.kept_values)
    free(shop.kept_terms)
    free(shop.kept_sizes)


def repair(task, terms, cooling, uint64_t seed, is_over):
    """Make moves from some terms; see :func:`idnf.learning.local.berge_search.repair`."""
    cdef Table table
    cdef Workshop shop
    cdef Berge states[2]
    cdef Bath bath
    cdef Berge swapped
    cdef int64_t k = task.k, step, value, now_value, best_value, i, n_best = 0
    cdef int64_t pair[2]
    cdef bint cut = False, kept
    cdef const int32_t[::1] allowed = task.allowed
    cdef const int64_t[::1] heat = np.array(cooling.temperatures, dtype=np.int64)
    cdef const int64_t[::1] sizes = np.array(cooling.sizes, dtype=np.int64)
    cdef int64_t size = task.examples.size, price = task.price
    cdef int64_t candidates = max(2 * task.examples.n_features, 2 * MOST_CANDIDATES) + 2
    cdef int32_t[::1] best_sizes = np.zeros(MOST_TERMS + 2, dtype=np.int32)
    cdef int32_t[::1] best_terms = np.zeros((MOST_TERMS + 2) * (k + 1), dtype=np.int32)
    cdef int32_t[::1] base = np.zeros(k + 1, dtype=np.int32)
    cdef int32_t[::1] codes
    memset(&table, 0, sizeof(Table))
    memset(&shop, 0, sizeof(Workshop))
    memset(states, 0, 2 * sizeof(Berge))
    memset(&bath, 0, sizeof(Bath))
    try:
        open_bath(&bath, seed, candidates)
        open_table(&table, task.examples.cells, task.examples.words, task.examples.net, candidates)
        open_shop(&shop, &table, k, task)
        open_state(&states[0], &table, k)
        open_state(&states[1], &table, k)
        shop.bath, shop.price = &bath, price
        shop.allowed, shop.n_allowed = (&allowed[0] if len(allowed) else NULL), len(allowed)
        for mask in terms:
            codes = np.array([*codes_of(mask), 0], dtype=np.int32)
            kept = add_term(&table, &shop, &states[0], &codes[0], len(codes) - 1, NULL)
            assert kept, "a search starts from a state that is not too large"
        with nogil:
            now_value = best_value = state_value(&table, &shop, &states[0])
            n_best = remember(&states[0], k, &best_sizes[0], &best_terms[0])
            for step in range(heat.shape[0]):
                if sizes[step] != table.size:
                    look_at(&table, sizes[step])
                    shop.price = price * table.size // size
                    remake_masks(&table, k, &states[0])
                    now_value = best_value = state_value(&table, &shop, &states[0])
                    n_best = remember(&states[0], k, &best_sizes[0], &best_terms[0])
                bath.temperature = heat[step]
                if make_move(&table, &shop, &states[0], &states[1], &base[0]):
                    value = state_value(&table, &shop, &states[1])
                    pair[0], pair[1] = value, now_value
                    if choose(&bath, pair, 2) == 0:
                        swapped = states[0]
                        states[0] = states[1]
                        states[1] = swapped
                        now_value = value
                        if value > best_value:
                            best_value = value
                            n_best = remember(&states[0], k, &best_sizes[0], &best_terms[0])
                if table.work > PATIENCE:
                    table.work = 0
                    with gil:
                        cut = is_over()
                    if cut:
                        break
            look_at(&table, size)
            shop.price = price
            states[0].n_terms = n_best
            memcpy(states[0].sizes, &best_sizes[0], n_best * sizeof(int32_t))
            memcpy(states[0].terms, &best_terms[0], n_best * k * sizeof(int32_t))
            remake_masks(&table, k, &states[0])
            best_value = state_value(&table, &shop, &states[0])
        found = []
        for step in range(n_best):
            mask = 0
            for i in range(best_sizes[step]):
                mask |= 1 << int(best_terms[step * k + i])
            found.append(mask)
        return Repaired(best_value, tuple(found), cut)
    finally:
        close_bath(&bath)
        close_state(&states[0])
        close_state(&states[1])
        close_shop(&shop)
        close_table(&table)


def implicants(terms, int64_t most):
    """Find all prime implicants of the other class; see :func:`idnf.learning.local.berge.implicants`."""
    cdef Workshop shop
    cdef Berge state
    cdef int64_t longest = max([mask.bit_count() for mask in terms], default=0), a, i
    cdef int64_t literals = max([mask.bit_length() for mask in terms], default=0) + 2
    cdef int32_t[::1] codes
    assert most <= MOST_IMPLICANTS and len(terms) <= MOST_TERMS, "a state that is worked on is not too large"
    memset(&shop, 0, sizeof(Workshop))
    memset(&state, 0, sizeof(Berge))
    set_signatures(&shop, literals)
    try:
        state.implicants = <Literals *> malloc((MOST_IMPLICANTS + 1) * sizeof(Literals))
        shop.stepped = <Literals *> malloc((MOST_IMPLICANTS + 1) * sizeof(Literals))
        shop.element_of = <int32_t *> calloc(literals, sizeof(int32_t))
        shop.rivals = <int32_t *> malloc((longest + 1) * (MOST_IMPLICANTS + 1) * sizeof(int32_t))
        shop.n_rivals = <int32_t *> malloc((longest + 1) * sizeof(int32_t))
        if (state.implicants == NULL or shop.stepped == NULL or shop.element_of == NULL or shop.rivals == NULL
                or shop.n_rivals == NULL):
            raise MemoryError
        clear_state(&state)
        for mask in terms:
            codes = np.array([*codes_of(mask), 0], dtype=np.int32)
            if not berge_step(&shop, &state, &codes[0], len(codes) - 1) or state.n_implicants > most:
                return None
        found = []
        for a in range(state.n_implicants):
            mask = 0
            for i in range(state.implicants[a].size):
                mask |= 1 << int(state.implicants[a].codes[i])
            found.append(mask)
        return found
    finally:
        free(state.implicants)
        free(shop.stepped)
        free(shop.element_of)
        free(shop.rivals)
        free(shop.n_rivals)


cdef int64_t remember(const Berge *state, int64_t k, int32_t *sizes, int32_t *terms) noexcept nogil:
    memcpy(sizes, state.sizes, state.n_terms * sizeof(int32_t))
    memcpy(terms, state.terms, state.n_terms * k * sizeof(int32_t))
    return state.n_terms
