# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The examples of a search, as :mod:`idnf.learning.local.masks` packs them, and weights over some of them."""

from libc.string cimport memset

from idnf.learning.local.compiled.heat_bath cimport choose
from idnf.learning.local.compiled.loops cimport NEAR, lowest


cdef int open_table(Table *table, Arena arena, object examples, int64_t candidates) except -1:
    cdef Scratch *scratch = &table.scratch
    table.size, table.n_features, table.line = examples.size, examples.n_features, examples.cells.shape[1]
    table.stride = words_of(table.size)
    assert not table.n_features or examples.words.shape[1] == table.stride, "masks have whole blocks of words"
    table.cells, table.net = arena.int8s_of(examples.cells), arena.int32s_of(examples.net)
    table.features = arena.uint64s_of(examples.words)
    table.is_narrow = 0 < table.line <= loops.widest and table.line * table.size <= NEAR
    table.everything = arena.words(table.stride)
    scratch.places, scratch.weights = arena.ints(table.size), arena.ints(table.size)
    scratch.sums, scratch.values = arena.ints(2 * (table.line + 1)), arena.longs(candidates)
    table.work = 0
    look_at(table, table.size)
    return 0


cdef void look_at(Table *table, int64_t size) noexcept nogil:
    cdef int64_t e
    table.size = size
    table.words = words_of(size)
    memset(table.everything, 0, table.words * sizeof(uint64_t))
    memset(table.everything, 255, size // 64 * sizeof(uint64_t))
    for e in range(size // 64 * 64, size):
        table.everything[e >> 6] |= <uint64_t> 1 << (e & 63)
    table.weight = weight_of(table, table.everything)


cdef int64_t weight_of(Table *table, const uint64_t *mask) noexcept nogil:
    table.work += table.size >> 3
    return loops.weight(mask, table.net, table.size)


cdef int64_t collect(Table *table, const uint64_t *mask, const int32_t *net) noexcept nogil:
    """Collect the examples of a mask with their weights; return their number."""
    cdef int64_t w, e, n = 0
    cdef uint64_t word
    for w in range(table.words):
        word = mask[w]
        while word:
            e = (w << 6) + lowest(word)
            word &= word - 1
            table.scratch.places[n] = <int32_t> e
            table.scratch.weights[n] = net[e]
            n += 1
    table.work += table.words + n
    return n


cdef int64_t feature_sums(Table *table, const uint64_t *mask, const int32_t *net, int32_t *sums) noexcept nogil:
    cdef int64_t count, n, total = 0
    if table.is_narrow:
        table.work += table.size * table.line >> 2
        return loops.sums(table.cells, table.line, net, mask, table.words, sums)
    count = collect(table, mask, net)
    for n in range(count):
        total += table.scratch.weights[n]
    loops.accumulate(table.cells, table.line, table.scratch.places, table.scratch.weights, count, sums)
    table.work += count * table.line
    return total


cdef void literal_values(Table *table, const int32_t *codes, int64_t count, int64_t total,
                         int64_t *values) noexcept nogil:
    cdef const int32_t *sums = table.scratch.sums
    cdef int64_t n
    cdef int32_t code
    for n in range(count):
        code = codes[n]
        values[n] = total - sums[code >> 1] if code & 1 else sums[code >> 1]
    table.work += count


cdef int32_t draw_literal(Table *table, const int32_t *codes, int64_t count, int64_t total, Bath *bath) noexcept nogil:
    cdef const int32_t *sums = table.scratch.sums
    cdef int64_t *values = table.scratch.values
    cdef int64_t n
    if count < 2 * table.n_features:
        literal_values(table, codes, count, total, values)
        return codes[choose(bath, values, count)]
    # All literals.
    for n in range(table.n_features):
        values[2 * n] = sums[n]
        values[2 * n + 1] = total - sums[n]
    return <int32_t> choose(bath, values, count)
