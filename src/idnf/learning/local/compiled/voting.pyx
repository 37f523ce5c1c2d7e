# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Votes of random trees; :mod:`idnf.learning.local.specification.voting` says which trees, here grown node by node."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.string cimport memcpy

from idnf.learning.local.compiled.loops cimport loops, mixed

import numpy as np

from idnf.learning.local.specification import voting

cdef uint64_t GOLDEN = voting.GOLDEN
cdef uint64_t FACTOR = voting.FACTORS[0]
cdef uint64_t TAKEN = 0xFFFFFFFFFFFFFFFF  # a number that was drawn already
# Weights of all draws together that 32 bits hold.
cdef int64_t MOST_NARROW = 1 << 30


cdef struct Node:
    uint64_t key
    int64_t first       # the examples shown, then those not shown
    int64_t last
    int64_t first_out
    int64_t last_out


cdef class Grower:
    cdef int64_t count, n_features, line, tried, labels
    cdef bint is_narrow                     # whether sums fit in 32 bits
    cdef const int8_t[:, ::1] cells         # -1 where an example has a feature
    cdef const int64_t[:, ::1] weights      # a line for each label
    cdef int32_t[::1] times, rows, moved, order
    cdef int32_t[:, ::1] shown              # the weights of the examples as often as they are shown, if narrow
    cdef int32_t[:, ::1] sums               # the weights of each label that have each feature, if narrow
    cdef int64_t[::1] having                # the same for one feature
    cdef uint64_t[::1] numbers
    cdef int64_t[:, ::1] votes, totals      # totals: a line for each place of the stack
    cdef object stack_room
    cdef Node *stack

    def __cinit__(self, task):
        self.count, self.n_features = task.features.shape
        self.labels, self.tried = len(task.weights), min(task.tried, task.features.shape[1])
        lines = np.zeros((self.count, (self.n_features + 15) // 16 * 16), dtype=np.int8)
        np.negative(task.features.view(np.int8), out=lines[:, : self.n_features])
        self.cells, self.weights, self.line = lines, task.weights, lines.shape[1]
        # Labels are added up two by two.
        pairs = self.labels + self.labels % 2
        self.times, self.rows, self.moved = (np.zeros(self.count, dtype=np.int32) for _ in range(3))
        self.shown = np.zeros((pairs, self.count), dtype=np.int32)
        self.sums = np.zeros((pairs, self.line), dtype=np.int32)
        self.order = np.zeros(self.n_features, dtype=np.int32)
        self.numbers = np.zeros(self.n_features, dtype=np.uint64)
        self.having = np.zeros(self.labels, dtype=np.int64)
        self.votes = np.zeros((self.count, self.labels), dtype=np.int64)
        # A tree splits at most as often as there are examples, and one of two branches waits.
        self.totals = np.zeros((self.count + 2, self.labels), dtype=np.int64)
        self.stack_room = np.zeros((self.count + 2) * sizeof(Node), dtype=np.uint8)
        cdef unsigned char[::1] room = self.stack_room
        self.stack = <Node *> &room[0]

    cdef int64_t part(self, int64_t first, int64_t last, int64_t feature) noexcept nogil:
        """Put the rows without a feature before those with it; return where these begin."""
        cdef int64_t i, n = 0
        cdef int32_t row
        cdef bint has
        for i in range(first, last):
            row = self.rows[i]
            has = self.cells[row, feature] != 0
            self.rows[first] = row
            self.moved[n] = row
            first += not has
            n += has
        if n:
            memcpy(&self.rows[first], &self.moved[0], n * sizeof(int32_t))
        return first

    cdef void find_part(self, Node *node, int64_t feature) noexcept nogil:
        """Find the weight of each label among the examples shown that have a feature."""
        cdef int64_t i, e, c
        for c in range(self.labels):
            self.having[c] = self.sums[c, feature] if self.is_narrow else 0
        if self.is_narrow:
            return
        for i in range(node.first, node.last):
            e = self.rows[i]
            if self.cells[e, feature]:
                for c in range(self.labels):
                    self.having[c] += self.weights[c, e] * self.times[e]

    cdef double gain_of(self, Node *node, const int64_t *totals, int64_t feature) noexcept nogil:
        """Return what a split by a feature is worth, -1 if it does not split."""
        cdef int64_t c, inside = 0, total = 0
        cdef double high = 0.0, low = 0.0, weight
        self.find_part(node, feature)
        for c in range(self.labels):
            inside += self.having[c]
            total += totals[c]
            weight = <double> self.having[c]
            high += weight * weight
            weight = <double> totals[c] - weight
            low += weight * weight
        # Every example shown has a weight.
        if inside == 0 or inside == total:
            return -1.0
        return high / <double> inside + low / <double> (total - inside)

    cdef int64_t split_of(self, Node *node, const int64_t *totals) noexcept nogil:
        """Return the feature a node is split by, -1 for a leaf."""
        cdef int64_t f, n, best = -1
        cdef uint64_t number
        cdef double gain, best_gain = -1.0
        if self.is_narrow:
            for n in range(0, self.shown.shape[0], 2):
                loops.class_sums(&self.cells[0, 0], self.line, &self.rows[node.first], &self.shown[n, 0],
                                &self.shown[n + 1, 0], node.last - node.first, &self.sums[n, 0])
        # The features with the smallest numbers, in order.
        loops.mixes(node.key, FACTOR, self.n_features, &self.numbers[0])
        loops.smallest(&self.numbers[0], self.n_features, self.tried, &self.order[0])
        for n in range(self.tried):
            gain = self.gain_of(node, totals, self.order[n])
            if gain > best_gain:
                best, best_gain = self.order[n], gain
        if best >= 0:
            return best
        # None of them splits: of the others, the first that does.
        number = 0
        for f in range(self.n_features):
            if self.numbers[f] != TAKEN and (best < 0 or self.numbers[f] < number) and (
                    self.gain_of(node, totals, f) >= 0.0):
                best, number = f, self.numbers[f]
        return best

    cdef void take_weights(self, int64_t n_shown) noexcept nogil:
        """Add up the weights of the examples shown."""
        cdef int64_t i, e, c
        self.is_narrow = True
        for c in range(self.labels):
            self.totals[0, c] = 0
            for i in range(n_shown):
                e = self.rows[i]
                self.totals[0, c] += self.weights[c, e] * self.times[e]
            self.is_narrow = self.is_narrow and self.totals[0, c] < MOST_NARROW
        if self.is_narrow:
            for c in range(self.labels):
                for i in range(n_shown):
                    e = self.rows[i]
                    self.shown[c, e] = <int32_t> (self.weights[c, e] * self.times[e])

    cdef void grow(self, uint64_t key, int64_t n_shown) noexcept nogil:
        """Grow a tree and let it vote."""
        cdef int64_t depth = 1, i, c, feature, middle, middle_out, present, label
        cdef Node node
        cdef int64_t *totals
        self.take_weights(n_shown)
        self.stack[0] = Node(key, 0, n_shown, n_shown, self.count)
        while depth:
            depth -= 1
            node, totals = self.stack[depth], &self.totals[depth, 0]
            if node.first_out == node.last_out:
                continue
            present, label = 0, 0
            for c in range(self.labels):
                present += totals[c] > 0
                label = c if totals[c] > totals[label] else label
            feature = self.split_of(&node, totals) if present > 1 else -1
            if feature < 0:
                for i in range(node.first_out, node.last_out):
                    self.votes[self.rows[i], label] += 1
                continue
            self.find_part(&node, feature)
            for c in range(self.labels):
                self.totals[depth + 1, c] = self.having[c]
                totals[c] -= self.having[c]
            middle = self.part(node.first, node.last, feature)
            middle_out = self.part(node.first_out, node.last_out, feature)
            self.stack[depth] = Node(mixed(node.key + GOLDEN), node.first, middle, node.first_out, middle_out)
            self.stack[depth + 1] = Node(mixed(node.key + 2 * GOLDEN), middle, node.last, middle_out,
                                         node.last_out)
            depth += 2

    cdef int64_t draw(self, uint64_t key, int64_t draws) noexcept nogil:
        """Draw the examples shown, put them before the others, and return how many they are."""
        cdef int64_t i, n_in = 0, n_out = self.count
        for i in range(self.count):
            self.times[i] = 0
        for i in range(1, draws + 1):
            self.times[((mixed(key + <uint64_t> i * GOLDEN) >> 32) * <uint64_t> self.count) >> 32] += 1
        for i in range(self.count):
            if self.times[i]:
                self.rows[n_in] = <int32_t> i
                n_in += 1
            else:
                n_out -= 1
                self.rows[n_out] = <int32_t> i
        return n_in


def vote(task, uint64_t seed, is_over):
    """Let random trees vote; see :func:`idnf.learning.local.specification.voting.vote`."""
    cdef int64_t trees = task.trees, draws = task.shown, tree
    cdef uint64_t key
    cdef bint cut = False
    if not task.features.size:
        raise ValueError("task must have examples and features.")
    cdef Grower grower = Grower(task)
    with nogil:
        for tree in range(trees):
            key = mixed(seed + <uint64_t> (tree + 1) * GOLDEN)
            grower.grow(mixed(key), grower.draw(key, draws))
            if (tree + 1) * grower.count > 20_000 or tree % 8 == 7:
                with gil:
                    cut = is_over()
                if cut:
                    break
    return np.asarray(grower.votes)
