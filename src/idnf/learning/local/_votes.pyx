# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Votes of random trees in compiled code: the same trees as those of voting.py, grown node by node."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc, realloc

import numpy as np

from idnf.learning.local.voting import FACTORS as _FACTORS
from idnf.learning.local.voting import GOLDEN as _GOLDEN

cdef extern from "mixing.h" nogil:
    uint64_t idnf_mixed(uint64_t value)

cdef uint64_t GOLDEN = _GOLDEN
cdef uint64_t FACTOR = _FACTORS[0]


cdef struct Node:
    uint64_t key
    int64_t first       # the examples shown, then those not shown
    int64_t last
    int64_t first_out
    int64_t last_out


cdef struct Grower:
    int64_t n_features
    int64_t tried
    const uint8_t *features
    const int64_t *positive
    const int64_t *negative
    int32_t *times
    int32_t *rows           # examples shown, then those not shown, each node's together
    uint64_t *drawn         # scratch: the features tried, by their numbers
    int32_t *order
    int64_t *votes
    Node *stack
    int64_t room


cdef int64_t parted(Grower *grower, int64_t first, int64_t last, int64_t feature) noexcept nogil:
    """Put the rows without a feature before those with it; return where these begin."""
    cdef int32_t kept
    while first < last:
        if not grower.features[grower.rows[first] * grower.n_features + feature]:
            first += 1
        else:
            last -= 1
            kept = grower.rows[first]
            grower.rows[first] = grower.rows[last]
            grower.rows[last] = kept
    return first


cdef double gain_of(Grower *grower, Node *node, int64_t feature, double positive, double negative) noexcept nogil:
    """Return what a split by a feature is worth, -1 where it does not split."""
    cdef int64_t i, e, having = 0, p = 0, n = 0
    cdef double p1, n1, p0, n0, gain
    cdef int64_t has
    for i in range(node.first, node.last):
        e = grower.rows[i]
        has = -<int64_t> grower.features[e * grower.n_features + feature]
        having -= has
        p += has & (grower.positive[e] * grower.times[e])
        n += has & (grower.negative[e] * grower.times[e])
    if having == 0 or having == node.last - node.first:
        return -1.0
    p1, n1 = <double> p, <double> n
    p0, n0 = positive - p1, negative - n1
    gain = (p1 * p1 + n1 * n1) / (p1 + n1)
    gain += (p0 * p0 + n0 * n0) / (p0 + n0)
    return gain


cdef int64_t split_of(Grower *grower, Node *node, double positive, double negative) noexcept nogil:
    """Return the feature a node is split by, -1 for a leaf."""
    cdef int64_t f, n, kept = 0, best = -1, tried = grower.tried
    cdef uint64_t number, bound
    cdef double gain, best_gain = -1.0
    if tried > grower.n_features:
        tried = grower.n_features
    # The features with the smallest numbers, in order.
    for f in range(grower.n_features):
        number = idnf_mixed(node.key + <uint64_t> f * FACTOR)
        if kept == tried and number >= grower.drawn[kept - 1]:
            continue
        n = kept if kept < tried else kept - 1
        while n and grower.drawn[n - 1] > number:
            grower.drawn[n] = grower.drawn[n - 1]
            grower.order[n] = grower.order[n - 1]
            n -= 1
        grower.drawn[n] = number
        grower.order[n] = <int32_t> f
        if kept < tried:
            kept += 1
    for n in range(kept):
        gain = gain_of(grower, node, grower.order[n], positive, negative)
        if gain > best_gain:
            best, best_gain = grower.order[n], gain
    if best >= 0 or kept == grower.n_features:
        return best
    # None of them splits: the next one that does.
    bound = grower.drawn[kept - 1]
    number = bound
    for f in range(grower.n_features):
        if idnf_mixed(node.key + <uint64_t> f * FACTOR) <= bound:
            continue
        if best >= 0 and idnf_mixed(node.key + <uint64_t> f * FACTOR) >= number:
            continue
        if gain_of(grower, node, f, positive, negative) >= 0.0:
            best = f
            number = idnf_mixed(node.key + <uint64_t> f * FACTOR)
    return best


cdef int grow(Grower *grower, uint64_t key, int64_t n_shown, int64_t count) noexcept nogil:
    """Grow a tree and let it vote; -1 without memory."""
    cdef int64_t depth = 1, i, e, p, n, feature, middle, middle_out
    cdef Node node
    cdef Node *grown
    grower.stack[0] = Node(key, 0, n_shown, n_shown, count)
    while depth:
        depth -= 1
        node = grower.stack[depth]
        if node.first_out == node.last_out:
            continue
        p = n = 0
        for i in range(node.first, node.last):
            e = grower.rows[i]
            p += grower.positive[e] * grower.times[e]
            n += grower.negative[e] * grower.times[e]
        feature = split_of(grower, &node, <double> p, <double> n) if p and n else -1
        if feature < 0:
            if p > n:
                for i in range(node.first_out, node.last_out):
                    grower.votes[grower.rows[i]] += 1
            continue
        middle = parted(grower, node.first, node.last, feature)
        middle_out = parted(grower, node.first_out, node.last_out, feature)
        if depth + 2 > grower.room:
            grower.room *= 2
            grown = <Node *> realloc(grower.stack, grower.room * sizeof(Node))
            if grown == NULL:
                return -1
            grower.stack = grown
        grower.stack[depth] = Node(idnf_mixed(node.key + GOLDEN), node.first, middle, node.first_out, middle_out)
        grower.stack[depth + 1] = Node(idnf_mixed(node.key + 2 * GOLDEN), middle, node.last, middle_out, node.last_out)
        depth += 2
    return 0


def vote(task, uint64_t seed, is_over):
    """Let random trees vote; see :func:`idnf.learning.local.voting.vote`."""
    cdef const uint8_t[:, ::1] features = np.ascontiguousarray(task.features).view(np.uint8)
    cdef const int64_t[::1] positive = task.positive, negative = task.negative
    cdef int64_t count = features.shape[0], trees = task.trees, shown = task.shown, tree, i, n_in, n_out
    cdef uint64_t key
    cdef Grower grower
    cdef int failed = 0
    cdef bint cut = False
    found = np.zeros((2, count), dtype=np.int64)
    cdef int64_t[:, ::1] votes = found
    if not count or not features.shape[1]:
        raise ValueError("task must have examples and features.")
    grower.n_features, grower.tried, grower.room = features.shape[1], task.tried, 64
    grower.features, grower.positive, grower.negative = &features[0, 0], &positive[0], &negative[0]
    grower.votes = &votes[0, 0]
    grower.times = <int32_t *> malloc(count * sizeof(int32_t))
    grower.rows = <int32_t *> malloc(count * sizeof(int32_t))
    grower.drawn = <uint64_t *> malloc(grower.n_features * sizeof(uint64_t))
    grower.order = <int32_t *> malloc(grower.n_features * sizeof(int32_t))
    grower.stack = <Node *> malloc(grower.room * sizeof(Node))
    try:
        if (grower.times == NULL or grower.rows == NULL or grower.drawn == NULL or grower.order == NULL
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
        free(grower.rows)
        free(grower.drawn)
        free(grower.order)
        free(grower.stack)
    return found[0], found[1]
