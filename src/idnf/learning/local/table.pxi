# The examples, as in masks.py.

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


cdef int open_table(Table *table, Arena arena, const int8_t[:, ::1] cells, const uint64_t[:, ::1] bits,
                    const int32_t[::1] net, int64_t candidates) except -1:
    table.size = cells.shape[0]
    table.line = cells.shape[1]
    table.n_features = bits.shape[0]
    table.stride = words_of(table.size)
    assert bits.shape[0] == 0 or bits.shape[1] == table.stride, "masks of examples have whole blocks of words"
    table.cells = &cells[0, 0] if table.size and table.line else NULL
    table.net = &net[0] if table.size else NULL
    table.features = &bits[0, 0] if bits.shape[0] else NULL
    table.is_narrow = idnf_is_narrow(table.line, table.size)
    table.everything, table.values = words(arena, table.stride), longs(arena, candidates)
    table.places, table.weights = ints(arena, table.size), ints(arena, table.size)
    table.sums = ints(arena, 2 * (table.line + 1))
    table.work = 0
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
