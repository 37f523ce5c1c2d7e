# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Votes of random trees in compiled code: the same trees as those of voting.py, grown node by node."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

import numpy as np

from idnf.learning.local.voting import FACTORS as _FACTORS
from idnf.learning.local.voting import GOLDEN as _GOLDEN

cdef extern from "loops.h" nogil:
    ctypedef struct idnf_loops:
        pass
    const idnf_loops *idnf_chosen
    const idnf_loops *idnf_loops_at(int number)
    uint64_t idnf_mixed(uint64_t value)
    void idnf_mixes(uint64_t key, uint64_t factor, int64_t count, uint64_t *numbers)
    void idnf_smallest(uint64_t *numbers, int64_t count, int64_t wanted, int32_t *places)
    void idnf_class_sums(const int8_t *cells, int64_t line, const int32_t *places, const int32_t *positive,
                         const int32_t *negative, int64_t count, int32_t *sums)

idnf_chosen = idnf_loops_at(0)

cdef uint64_t GOLDEN = _GOLDEN
cdef uint64_t FACTOR = _FACTORS[0]
cdef uint64_t TAKEN = 0xFFFFFFFFFFFFFFFF
# Weights of all draws together that 32 bits hold.
cdef int64_t MOST_NARROW = 1 << 30


cdef struct Node:
    uint64_t key
    int64_t first       # the examples shown, then those not shown
    int64_t last
    int64_t first_out
    int64_t last_out
    int64_t positive    # the weight of each class among the examples shown
    int64_t negative


cdef struct Grower:
    int64_t n_features
    int64_t line            # bytes of a line of cells
    int64_t tried
    bint is_narrow          # whether sums fit in 32 bits
    const int8_t *cells     # -1 where an example has a feature
    const int64_t *positive
    const int64_t *negative
    int32_t *times
    int32_t *ones           # the weights of the examples as often as they are shown, where they are narrow
    int32_t *zeros
    int32_t *rows           # examples shown, then those not shown, each node's together
    int32_t *moved          # scratch
    uint64_t *numbers       # scratch: a random number for each feature
    int32_t *order          # the features tried
    int32_t *sums           # for each feature the weight of class 1, then that of class 0, where they are narrow
    int64_t *votes
    Node *stack
    int64_t room


cdef int64_t parted(Grower *grower, int64_t first, int64_t last, int64_t feature) noexcept nogil:
    """Put the rows without a feature before those with it; return where these begin."""
    cdef int64_t i, n = 0
    cdef int32_t row
    cdef bint has
    for i in range(first, last):
        row = grower.rows[i]
        has = grower.cells[row * grower.line + feature] != 0
        grower.rows[first] = row
        grower.moved[n] = row
        first += not has
        n += has
    memcpy(grower.rows + first, grower.moved, n * sizeof(int32_t))
    return first


cdef void part_of(Grower *grower, Node *node, int64_t feature, int64_t *positive, int64_t *negative) noexcept nogil:
    """Find the weight of each class among the examples shown that have a feature."""
    cdef int64_t i, e, has, p = 0, n = 0
    if grower.is_narrow:
        positive[0], negative[0] = grower.sums[feature], grower.sums[grower.line + feature]
        return
    for i in range(node.first, node.last):
        e = grower.rows[i]
        has = grower.cells[e * grower.line + feature]
        p += has & (grower.positive[e] * grower.times[e])
        n += has & (grower.negative[e] * grower.times[e])
    positive[0], negative[0] = p, n


cdef double gain_of(Grower *grower, Node *node, int64_t feature) noexcept nogil:
    """Return what a split by a feature is worth, -1 where it does not split."""
    cdef int64_t p, n
    cdef double p1, n1, p0, n0, gain
    part_of(grower, node, feature, &p, &n)
    # Every example shown has a weight.
    if p + n == 0 or p + n == node.positive + node.negative:
        return -1.0
    p1, n1 = <double> p, <double> n
    p0, n0 = <double> node.positive - p1, <double> node.negative - n1
    gain = (p1 * p1 + n1 * n1) / (p1 + n1)
    gain += (p0 * p0 + n0 * n0) / (p0 + n0)
    return gain


cdef int64_t split_of(Grower *grower, Node *node) noexcept nogil:
    """Return the feature a node is split by, -1 for a leaf."""
    cdef int64_t f, n, best = -1, tried = grower.tried
    cdef uint64_t number
    cdef double gain, best_gain = -1.0
    if tried > grower.n_features:
        tried = grower.n_features
    if grower.is_narrow:
        idnf_class_sums(grower.cells, grower.line, grower.rows + node.first, grower.ones, grower.zeros,
                        node.last - node.first, grower.sums)
    # The features with the smallest numbers, in order.
    idnf_mixes(node.key, FACTOR, grower.n_features, grower.numbers)
    idnf_smallest(grower.numbers, grower.n_features, tried, grower.order)
    for n in range(tried):
        gain = gain_of(grower, node, grower.order[n])
        if gain > best_gain:
            best, best_gain = grower.order[n], gain
    if best >= 0:
        return best
    # None of them splits: of the others, the first that does.
    number = 0
    for f in range(grower.n_features):
        if grower.numbers[f] != TAKEN and (best < 0 or grower.numbers[f] < number) and gain_of(grower, node, f) >= 0.0:
            best, number = f, grower.numbers[f]
    return best


cdef int grow(Grower *grower, uint64_t key, int64_t n_shown, int64_t count) noexcept nogil:
    """Grow a tree and let it vote; -1 without memory."""
    cdef int64_t depth = 1, i, e, p = 0, n = 0, feature, middle, middle_out
    cdef Node node
    cdef Node *grown
    for i in range(n_shown):
        e = grower.rows[i]
        p += grower.positive[e] * grower.times[e]
        n += grower.negative[e] * grower.times[e]
    grower.is_narrow = p < MOST_NARROW and n < MOST_NARROW
    if grower.is_narrow:
        for i in range(n_shown):
            e = grower.rows[i]
            grower.ones[e] = <int32_t> (grower.positive[e] * grower.times[e])
            grower.zeros[e] = <int32_t> (grower.negative[e] * grower.times[e])
    grower.stack[0] = Node(key, 0, n_shown, n_shown, count, p, n)
    while depth:
        depth -= 1
        node = grower.stack[depth]
        if node.first_out == node.last_out:
            continue
        feature = split_of(grower, &node) if node.positive and node.negative else -1
        if feature < 0:
            if node.positive > node.negative:
                for i in range(node.first_out, node.last_out):
                    grower.votes[grower.rows[i]] += 1
            continue
        part_of(grower, &node, feature, &p, &n)
        middle = parted(grower, node.first, node.last, feature)
        middle_out = parted(grower, node.first_out, node.last_out, feature)
        if depth + 2 > grower.room:
            grower.room *= 2
            grown = <Node *> realloc(grower.stack, grower.room * sizeof(Node))
            if grown == NULL:
                return -1
            grower.stack = grown
        grower.stack[depth] = Node(idnf_mixed(node.key + GOLDEN), node.first, middle, node.first_out, middle_out,
                                   node.positive - p, node.negative - n)
        grower.stack[depth + 1] = Node(idnf_mixed(node.key + 2 * GOLDEN), middle, node.last, middle_out,
                                       node.last_out, p, n)
        depth += 2
    return 0


def vote(task, uint64_t seed, is_over):
    """Let random trees vote; see :func:`idnf.learning.local.voting.vote`."""
    cdef const int64_t[::1] positive = task.positive, negative = task.negative
    cdef int64_t count = task.features.shape[0], n_features = task.features.shape[1], trees = task.trees
    cdef int64_t shown = task.shown, tree, i, n_in, n_out
    cdef uint64_t key
    cdef Grower grower
    cdef int failed = 0
    cdef bint cut = False
    found = np.zeros((2, count), dtype=np.int64)
    cdef int64_t[:, ::1] votes = found
    if not count or not n_features:
        raise ValueError("task must have examples and features.")
    lines = np.zeros((count, (n_features + 15) // 16 * 16), dtype=np.int8)
    np.negative(task.features.view(np.int8), out=lines[:, :n_features])
    cdef const int8_t[:, ::1] cells = lines
    grower.n_features, grower.line, grower.tried, grower.room = n_features, cells.shape[1], task.tried, 64
    grower.cells, grower.positive, grower.negative = &cells[0, 0], &positive[0], &negative[0]
    grower.votes = &votes[0, 0]
    grower.times = <int32_t *> malloc(count * sizeof(int32_t))
    grower.ones = <int32_t *> malloc(count * sizeof(int32_t))
    grower.zeros = <int32_t *> malloc(count * sizeof(int32_t))
    grower.rows = <int32_t *> malloc(count * sizeof(int32_t))
    grower.moved = <int32_t *> malloc(count * sizeof(int32_t))
    grower.numbers = <uint64_t *> malloc(n_features * sizeof(uint64_t))
    grower.order = <int32_t *> malloc(n_features * sizeof(int32_t))
    grower.sums = <int32_t *> malloc(2 * grower.line * sizeof(int32_t))
    grower.stack = <Node *> malloc(grower.room * sizeof(Node))
    try:
        if (grower.times == NULL or grower.ones == NULL or grower.zeros == NULL or grower.rows == NULL
                or grower.moved == NULL or grower.numbers == NULL or grower.order == NULL or grower.sums == NULL
                or grower.stack == NULL):
            raise MemoryError
        with nogil:
            for tree in range(trees):
                key = idnf_mixed(seed + <uint64_t> (tree + 1) * GOLDEN)
                for i in range(count):
                    grower.times[i] = 0
                for i in range(1, shown + 1):
                    grower.times[((idnf_mixed(key + <uint64_t> i * GOLDEN) >> 32) * <uint64_t> count) >> 32] += 1
                n_in, n_out = 0, count
                for i in range(count):
                    if grower.times[i]:
                        grower.rows[n_in] = <int32_t> i
                        n_in += 1
                    else:
                        n_out -= 1
                        grower.rows[n_out] = <int32_t> i
                        votes[1, i] += 1
                failed = grow(&grower, idnf_mixed(key), n_in, count)
                if failed < 0:
                    break
                if (tree + 1) * count > 20_000 or tree % 8 == 7:
                    with gil:
                        cut = is_over()
                    if cut:
                        break
        if failed < 0:
            raise MemoryError
    finally:
        free(grower.times)
        free(grower.ones)
        free(grower.zeros)
        free(grower.rows)
        free(grower.moved)
        free(grower.numbers)
        free(grower.order)
        free(grower.sums)
        free(grower.stack)
    return found[0], found[1]
