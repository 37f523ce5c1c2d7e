# Berge steps, as in reference/repairing.py.

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


# Labelled terms with the examples that satisfy each, and all prime implicants of the default label.
cdef struct Berge:
    int64_t n_terms
    int64_t n_implicants
    int32_t *sizes          # of the terms
    int32_t *labels
    int32_t *terms          # k codes a term, ascending
    uint64_t *masks
    Literals *implicants


# What a search for terms needs.
cdef struct Workshop:
    int64_t k
    int64_t width           # literals that a term may have
    bint by_columns         # whether k counts columns, as columns.pxi says
    bint is_sure            # and terms are surely legal
    int64_t n_columns
    int64_t n_literals
    const int32_t *word_of_column
    const int32_t *column_of    # of each literal
    const int32_t *word_of
    const uint64_t *excluded    # cells, as bits of that word
    const uint64_t *column_bits
    int32_t *option_codes
    int32_t *option_sizes
    int32_t *free_places
    bint is_exact           # whether every literal has a bit of its own in signatures
    int64_t signed_words    # of a signature that are in use
    int64_t price
    const int32_t *allowed
    int64_t n_allowed
    Bath *bath
    Literals *stepped       # implicants after a step
    int32_t *element_of     # for each literal, its place among those to be added, 0 for none
    int32_t *rivals         # a list of staying implicants for each such place
    int32_t *n_rivals
    int8_t *is_taken        # for each implicant, whether a new term holds all its points
    int8_t *is_usable       # for each literal
    int32_t *usable
    int64_t n_usable
    Literals *options
    int32_t *open_options   # a list for each level
    int64_t room            # for options
    Literals *forced        # the negations of terms that have a label by order
    int32_t *forced_labels
    int64_t n_forced
    int64_t n_labels
    int64_t otherwise       # the default label
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
    # For each label a line of what it gains over the default at each example:
    int32_t *weights
    int32_t *cautious       # losses counted more
    int32_t *wanted         # losses not counted
    int64_t stride
    int64_t *totals         # what the examples left would gain, for each label
    int8_t *assigned        # for each feature, in the search for an uncovered point
    uint64_t refuted[SIGNED]    # and the signature of all literals that fail there
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


cdef void put_term(Table *table, Workshop *shop, Berge *state, int32_t label, const int32_t *term, int64_t size,
                   const uint64_t *mask) noexcept nogil:
    """Write a term behind the others."""
    cdef int64_t k = shop.width, w, i
    cdef uint64_t *own = state.masks + state.n_terms * table.words
    memcpy(state.terms + state.n_terms * k, term, size * sizeof(int32_t))
    state.sizes[state.n_terms] = <int32_t> size
    state.labels[state.n_terms] = label
    if mask != NULL:
        memcpy(own, mask, table.words * sizeof(uint64_t))
    else:
        memcpy(own, table.everything, table.words * sizeof(uint64_t))
        for i in range(size):
            and_literal(table, own, own, term[i])
    state.n_terms += 1


cdef bint absorbs(const Workshop *shop, const int32_t *codes, int64_t size, const int32_t *term,
                  int64_t n) noexcept nogil:
    """Tell whether a term, the second, holds wherever another one does."""
    cdef uint64_t one[SIGNED]
    cdef uint64_t other[SIGNED]
    if not shop.by_columns:
        return holds_all(codes, size, term, n)
    find_cube(shop, codes, size, one)
    find_cube(shop, term, n, other)
    return is_part(other, one)


cdef int add_term(Table *table, Workshop *shop, Berge *state, int32_t label, const int32_t *term, int64_t size,
                  const uint64_t *mask) noexcept nogil:
    """Add a term and drop those it absorbs; 0 when the state becomes too large."""
    cdef int64_t k = shop.width, t, n = 0
    for t in range(state.n_terms):
        if not absorbs(shop, state.terms + t * k, state.sizes[t], term, size):
            if n < t:
                memcpy(state.terms + n * k, state.terms + t * k, k * sizeof(int32_t))
                memcpy(state.masks + n * table.words, state.masks + t * table.words, table.words * sizeof(uint64_t))
                state.sizes[n], state.labels[n] = state.sizes[t], state.labels[t]
            n += 1
    state.n_terms = n
    put_term(table, shop, state, label, term, size, mask)
    table.work += state.n_implicants * size * 8 + table.words * size
    if shop.by_columns:
        return column_step(shop, state, term, size) and state.n_terms <= MOST_TERMS
    return berge_step(shop, state, term, size) and state.n_terms <= MOST_TERMS


cdef void clear_state(Berge *state) noexcept nogil:
    state.n_terms = 0
    state.n_implicants = 1
    state.implicants[0].size = 0
    memset(state.implicants[0].signature, 0, SIGNED * sizeof(uint64_t))


cdef inline void assign(Workshop *shop, int32_t code, int8_t value) noexcept nogil:
    """Take a literal for true (1), or leave it open again (0)."""
    cdef int64_t place = bit_of(shop, code ^ 1)
    shop.assigned[code >> 1] = value * (1 + (code & 1))
    if value:
        shop.refuted[place >> 6] |= <uint64_t> 1 << (place & 63)
    else:
        shop.refuted[place >> 6] &= ~(<uint64_t> 1 << (place & 63))


cdef bint has_uncovered(Workshop *shop, const Berge *state) noexcept nogil:
    """Tell whether some point that agrees with what is assigned satisfies no implicant of at most k literals."""
    cdef int64_t a, i, w, n_open, fewest = -1
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
        # With a bit for each literal, most implicants that fail are known by it.
        if shop.is_exact:
            for w in range(shop.signed_words):
                met |= (p.signature[w] & shop.refuted[w]) != 0
            if met:
                continue
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
    assign(shop, chosen ^ 1, 1)
    met = has_uncovered(shop, state)
    assign(shop, chosen ^ 1, 0)
    if not met:
        assign(shop, chosen, 1)
        met = has_uncovered(shop, state)
        assign(shop, chosen, 0)
    return met


cdef bint is_interpretable(Workshop *shop, const Berge *state) noexcept nogil:
    cdef int64_t a, i
    cdef const Literals *p
    cdef bint escaped
    if shop.by_columns:
        return covers_by_columns(shop, state)
    for a in range(state.n_implicants):
        p = &state.implicants[a]
        if p.size <= shop.k:
            continue
        for i in range(p.size):
            assign(shop, p.codes[i], 1)
        escaped = has_uncovered(shop, state)
        for i in range(p.size):
            assign(shop, p.codes[i], 0)
        if escaped:
            return False
    return True


cdef bint keeps_forced(const Workshop *shop, const Berge *state) noexcept nogil:
    """Tell whether no point of a term that has another label by order is of the default label."""
    cdef int64_t a, c, w
    cdef uint64_t met
    for c in range(shop.n_forced):
        if shop.forced_labels[c] == shop.otherwise:
            continue
        for a in range(state.n_implicants):
            met = 0
            for w in range(shop.signed_words):
                met |= state.implicants[a].signature[w] & shop.forced[c].signature[w]
            if not met or not shop.is_exact and not have_common(&state.implicants[a], &shop.forced[c]):
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


cdef int add_option(Workshop *shop, Literals *option, const int32_t *codes, int64_t size, int32_t flip,
                    const int32_t *base, int64_t n_base) noexcept nogil:
    """Write down the usable ones of some literals, negated if `flip`; 0 if the base has one, -1 if there are none."""
    cdef int64_t i, j
    cdef int32_t code
    option.size = 0
    for i in range(size):
        code = codes[i] ^ flip
        for j in range(n_base):
            if code == base[j]:
                return 0
        if shop.is_usable[code]:
            option.codes[option.size] = code
            option.size += 1
    return 1 if option.size else -1


cdef int64_t find_slack(Workshop *shop, const Berge *state, int32_t label, const int32_t *base,
                        int64_t n_base) noexcept nogil:
    """Find terms of usable literals that conflict with all they must that the base does not conflict with."""
    cdef int64_t a, n = 0, distinct = 0
    cdef int added
    shop.n_found = 0
    shop.nodes = 0
    for a in range(state.n_implicants):
        if state.implicants[a].size == shop.k and not shop.is_taken[a]:
            added = add_option(shop, &shop.options[n], state.implicants[a].codes, shop.k, 1, base, n_base)
            if added < 0:
                return 0
            n += added
    for a in range(state.n_terms):
        if state.labels[a] != label:
            added = add_option(shop, &shop.options[n], state.terms + a * shop.width, state.sizes[a], 1, base, n_base)
            if added < 0:
                return 0
            n += added
    for a in range(shop.n_forced):
        if shop.forced_labels[a] != label:
            added = add_option(shop, &shop.options[n], shop.forced[a].codes, shop.forced[a].size, 0, base, n_base)
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


cdef const int64_t *values_at(Table *table, Workshop *shop, int32_t label, const int32_t *term, int64_t size,
                              bint long_one) noexcept nogil:
    """Return what each usable literal is worth at a term, and unless `long_one` what it is worth as it is."""
    cdef int64_t n, i, total, stride = 2 * table.n_features + 2
    cdef int64_t *values
    for n in range(shop.n_kept):
        if shop.kept_sizes[n] == size and holds_all(shop.kept_terms + n * shop.width, size, term, size):
            return shop.kept_values + n * stride
    # The last place is written over and over once the others are taken.
    n = shop.n_kept
    values = shop.kept_values + n * stride
    if n < KEPT - 1:
        shop.kept_sizes[n] = <int32_t> size
        memcpy(shop.kept_terms + n * shop.width, term, size * sizeof(int32_t))
        shop.n_kept += 1
    memcpy(shop.holding, table.everything, table.words * sizeof(uint64_t))
    for i in range(size):
        and_literal(table, shop.holding, shop.holding, term[i])
    for i in range(table.words):
        shop.holding[i] &= shop.left[i]
    total = feature_sums(table, shop.holding, (shop.cautious if long_one else shop.weights) + label * shop.stride,
                         table.sums)
    literal_values(table, shop.usable, shop.n_usable, total, values)
    if not long_one:
        for i in range(shop.n_usable):
            values[i] -= shop.price
    values[shop.n_usable] = total
    return values


cdef int64_t completed(Table *table, Workshop *shop, int32_t label, int32_t *term, int64_t size,
                       bint long_one) noexcept nogil:
    """Add literals to a term while there is room and they are drawn; return its size."""
    cdef int64_t i, chosen, tried, k = shop.width
    cdef int32_t code
    cdef bint known
    cdef const int64_t *values
    if shop.by_columns:
        return completed_by_columns(table, shop, label, term, size, long_one)
    for tried in range(k):
        if size == k or not shop.n_usable:
            break
        values = values_at(table, shop, label, term, size, long_one)
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


cdef void find_covered(Table *table, Workshop *shop, const Berge *state, int64_t label) noexcept nogil:
    """Find the examples that satisfy a term of a label, or any term if that is negative."""
    cdef int64_t t, w
    memset(shop.covered, 0, table.words * sizeof(uint64_t))
    for t in range(state.n_terms):
        if label < 0 or state.labels[t] == label:
            for w in range(table.words):
                shop.covered[w] |= state.masks[t * table.words + w]


cdef int64_t draw_example(Table *table, Workshop *shop, int32_t *label) noexcept nogil:
    """Draw one of the examples left by what it would gain, and unless it is given a label; -1 if nothing is gained."""
    cdef int64_t w, first = label[0], last = label[0] + 1, total = 0, drawn
    cdef int32_t l, weight
    cdef uint64_t word
    if first < 0:
        first, last = 0, shop.n_labels
    for l in range(first, last):
        shop.totals[l] = idnf_weight(shop.left, shop.wanted + l * shop.stride, table.size) if l != shop.otherwise else 0
        total += shop.totals[l]
    table.work += table.size * (last - first)
    if total == 0:
        return -1
    drawn = share_of(shop.bath, total)
    l = <int32_t> first
    while drawn >= shop.totals[l]:
        drawn -= shop.totals[l]
        l += 1
    label[0] = l
    for w in range(table.words):
        word = shop.left[w]
        while word:
            weight = shop.wanted[l * shop.stride + (w << 6) + idnf_lowest(word)]
            if drawn < weight:
                return (w << 6) + idnf_lowest(word)
            drawn -= weight
            word &= word - 1
    return -1


cdef bint find_usable(Table *table, Workshop *shop, const Berge *state, int64_t e, const int32_t *base,
                      int64_t n_base) noexcept nogil:
    """Find the literals for terms around an example; tell whether those of the base are among them.

    With several labels these lie in every tight implicant that the example satisfies: it is taken whole.
    """
    cdef const int8_t *cells = table.cells + e * table.line
    cdef int64_t a, i, n
    cdef const Literals *p
    shop.n_usable = 0
    for i in range(shop.n_allowed):
        if (cells[shop.allowed[i] >> 1] != 0) != (shop.allowed[i] & 1):
            shop.usable[shop.n_usable] = shop.allowed[i]
            shop.is_usable[shop.allowed[i]] = 1
            shop.n_usable += 1
    for a in range(state.n_implicants):
        p = &state.implicants[a]
        shop.is_taken[a] = shop.n_labels > 2 and p.size == shop.k
        for i in range(p.size):
            if (cells[p.codes[i] >> 1] != 0) == (p.codes[i] & 1):
                shop.is_taken[a] = 0
        if shop.is_taken[a]:
            n = 0
            for i in range(shop.n_usable):
                shop.is_usable[shop.usable[i]] = holds_all(p.codes, p.size, &shop.usable[i], 1)
                if shop.is_usable[shop.usable[i]]:
                    shop.usable[n] = shop.usable[i]
                    n += 1
            shop.n_usable = n
    for i in range(n_base):
        if not shop.is_usable[base[i]]:
            return shop.n_labels == 2
    return True


cdef int64_t new_term(Table *table, Workshop *shop, const Berge *state, const int32_t *base, int64_t n_base,
                      bint long_one, int32_t *label) noexcept nogil:
    """Make terms around a random example that is left; return which of shop.made is drawn, or -1."""
    cdef int64_t w, t, e, i, j, n, times, count, k = shop.width, size
    cdef int32_t *term
    find_covered(table, shop, state, -1)
    memcpy(shop.left, table.everything, table.words * sizeof(uint64_t))
    for i in range(n_base):
        and_literal(table, shop.left, shop.left, base[i])
    for w in range(table.words):
        shop.left[w] &= ~shop.covered[w]
    table.work += table.words * (state.n_terms + n_base)
    e = draw_example(table, shop, label)
    if e < 0:
        return -1
    count = 0
    if shop.by_columns:
        count = find_column_slack(table, shop, state, e, label[0], base, n_base)
    elif find_usable(table, shop, state, e, base, n_base):
        count = find_slack(shop, state, label[0], base, n_base)
    for i in range(shop.n_usable):
        shop.is_usable[shop.usable[i]] = 0
    if count == 0:
        return -1
    times = 1 + MOST_CANDIDATES // 2 // count
    n = shop.n_kept = 0
    for t in range(times):
        for j in range(count):
            term = shop.made + n * k
            size = merged(term, base, 0 if shop.by_columns else n_base, shop.found + j * k, shop.found_sizes[j])
            shop.made_sizes[n] = <int32_t> completed(table, shop, label[0], term, size, long_one)
            n += 1
    for t in range(n):
        term = shop.made + t * k
        memcpy(shop.holding, shop.left, table.words * sizeof(uint64_t))
        for i in range(shop.made_sizes[t]):
            and_literal(table, shop.holding, shop.holding, term[i])
        table.values[t] = (idnf_weight(shop.holding, shop.weights + label[0] * shop.stride, table.size)
                           - shop.price * shop.made_sizes[t])
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
    cdef int64_t t, l, value = 0
    for l in range(shop.n_labels):
        if l != shop.otherwise:
            find_covered(table, shop, state, l)
            value += idnf_weight(shop.covered, shop.weights + l * shop.stride, table.size)
    for t in range(state.n_terms):
        value -= shop.price * state.sizes[t]
    return value


cdef bint make_move(Table *table, Workshop *shop, const Berge *now, Berge *next_one, int32_t *base) noexcept nogil:
    """Drop some terms of a state and add others; return whether that gave a state to compare."""
    cdef int64_t count, first = -1, other = -1, t, n_base = 0, k = shop.width, added, n, words = table.words
    cdef bint long_one
    cdef int32_t base_label = -1, label
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
            base_label = now.labels[first]
        clear_state(next_one)
        for t in range(now.n_terms):
            if t != first and t != other and not add_term(table, shop, next_one, now.labels[t], now.terms + t * k,
                                                          now.sizes[t], now.masks + t * words):
                return False
        shop.is_sure = shop.by_columns and below(shop.bath, 2)
        if (shop.is_sure or not shop.by_columns) and not is_interpretable(shop, next_one):
            return False
    else:
        shop.is_sure = shop.by_columns and below(shop.bath, 2)
        next_one.n_terms = now.n_terms
        next_one.n_implicants = now.n_implicants
        memcpy(next_one.sizes, now.sizes, now.n_terms * sizeof(int32_t))
        memcpy(next_one.labels, now.labels, now.n_terms * sizeof(int32_t))
        memcpy(next_one.terms, now.terms, now.n_terms * k * sizeof(int32_t))
        memcpy(next_one.masks, now.masks, now.n_terms * words * sizeof(uint64_t))
        for t in range(now.n_implicants):
            copy_literals(&next_one.implicants[t], &now.implicants[t])
    long_one = n_base > 0 or below(shop.bath, 2) == 0
    added = 1 + below(shop.bath, MOST_ADDED)
    for n in range(added):
        label = base_label
        t = new_term(table, shop, next_one, base, n_base, long_one, &label)
        if t < 0:
            break
        if not add_term(table, shop, next_one, label, shop.made + t * k, shop.made_sizes[t], NULL):
            return False
    if shop.by_columns and not shop.is_sure and not is_interpretable(shop, next_one):
        return False
    return keeps_forced(shop, next_one)


cdef void remake_masks(Table *table, int64_t k, Berge *state) noexcept nogil:
    """Make the masks of all terms anew, for the examples looked at."""
    cdef int64_t t, i
    cdef uint64_t *own
    for t in range(state.n_terms):
        own = state.masks + t * table.words
        memcpy(own, table.everything, table.words * sizeof(uint64_t))
        for i in range(state.sizes[t]):
            and_literal(table, own, own, state.terms[t * k + i])


cdef int open_state(Berge *state, Arena arena, Table *table, int64_t k) except -1:
    state.sizes = <int32_t *> arena.take(MOST_TERMS + 2, sizeof(int32_t))
    state.labels = <int32_t *> arena.take(MOST_TERMS + 2, sizeof(int32_t))
    state.terms = <int32_t *> arena.take((MOST_TERMS + 2) * (k + 1), sizeof(int32_t))
    state.masks = <uint64_t *> arena.take((MOST_TERMS + 2) * table.words, sizeof(uint64_t))
    state.implicants = <Literals *> arena.take(MOST_IMPLICANTS, sizeof(Literals))
    clear_state(state)
    return 0


cdef int open_steps(Workshop *shop, Arena arena, int64_t literals, int64_t longest) except -1:
    """Make room for Berge steps with terms of some length."""
    set_signatures(shop, literals)
    memset(shop.refuted, 0, sizeof(shop.refuted))
    shop.stepped = <Literals *> arena.take(MOST_IMPLICANTS, sizeof(Literals))
    shop.element_of = <int32_t *> arena.take(literals, sizeof(int32_t))
    shop.rivals = <int32_t *> arena.take((longest + 1) * (MOST_IMPLICANTS + 1), sizeof(int32_t))
    shop.n_rivals = <int32_t *> arena.take(longest, sizeof(int32_t))
    return 0


cdef int open_shop(Workshop *shop, Arena arena, Table *table, object task) except -1:
    cdef int64_t k = term_room(task), levels = min(k, WIDEST) + 2, literals = 2 * table.n_features, n, place
    cdef int64_t made = MOST_CANDIDATES + MOST_CANDIDATES // 2 + 1
    shop.k, shop.width, shop.n_kept, shop.otherwise = task.k, k, 0, task.default
    shop.n_literals, shop.by_columns, shop.is_sure = literals, False, False
    open_steps(shop, arena, literals, k)
    forced = [(negated_mask(term), label) for label, terms in enumerate(task.forced) for term in terms]
    shop.n_forced = len(forced)
    shop.forced = <Literals *> arena.take(shop.n_forced, sizeof(Literals))
    shop.forced_labels = <int32_t *> arena.take(shop.n_forced, sizeof(int32_t))
    for n, (mask, label) in enumerate(forced):
        assert mask.bit_count() <= WIDEST, "a term has at most as many literals as an implicant"
        shop.forced_labels[n] = label
        for code in codes_of(mask):
            shop.forced[n].codes[shop.forced[n].size] = code
            shop.forced[n].size += 1
            place = bit_of(shop, code)
            shop.forced[n].signature[place >> 6] |= <uint64_t> 1 << (place & 63)
    shop.room = MOST_IMPLICANTS + MOST_TERMS + shop.n_forced + 1
    shop.is_taken = <int8_t *> arena.take(MOST_IMPLICANTS, 1)
    shop.is_usable = <int8_t *> arena.take(literals, 1)
    shop.usable = <int32_t *> arena.take(literals, sizeof(int32_t))
    shop.options = <Literals *> arena.take(shop.room, sizeof(Literals))
    shop.open_options = <int32_t *> arena.take((levels + 1) * shop.room, sizeof(int32_t))
    shop.orders = <int32_t *> arena.take((levels + 1) * max(WIDEST, literals), sizeof(int32_t))
    shop.partial = <int32_t *> arena.take((levels + 1) * (2 * k + 2), sizeof(int32_t))
    if task.cells is not None:
        open_cells(shop, task.cells)
        shop.option_codes = <int32_t *> arena.take(shop.room * literals, sizeof(int32_t))
        shop.option_sizes = <int32_t *> arena.take(shop.room, sizeof(int32_t))
        shop.free_places = <int32_t *> arena.take(literals, sizeof(int32_t))
    shop.found = <int32_t *> arena.take((MOST_CANDIDATES + 1) * (k + 1), sizeof(int32_t))
    shop.found_sizes = <int32_t *> arena.take(MOST_CANDIDATES, sizeof(int32_t))
    shop.made = <int32_t *> arena.take(made * (k + 1), sizeof(int32_t))
    shop.made_sizes = <int32_t *> arena.take(made, sizeof(int32_t))
    shop.covered = <uint64_t *> arena.take(table.words, sizeof(uint64_t))
    shop.left = <uint64_t *> arena.take(table.words, sizeof(uint64_t))
    shop.holding = <uint64_t *> arena.take(table.words, sizeof(uint64_t))
    shop.assigned = <int8_t *> arena.take(table.n_features, 1)
    shop.kept_values = <int64_t *> arena.take(KEPT * (literals + 2), sizeof(int64_t))
    shop.kept_terms = <int32_t *> arena.take(KEPT * (k + 1), sizeof(int32_t))
    shop.kept_sizes = <int32_t *> arena.take(KEPT, sizeof(int32_t))
    weigh_labels(shop, arena, table, task.gains)
    return 0


cdef int weigh_labels(Workshop *shop, Arena arena, Table *table, const int32_t[:, ::1] gains) except -1:
    cdef int64_t l, e, n
    shop.n_labels, shop.stride = gains.shape[0], table.size
    shop.totals = <int64_t *> arena.take(shop.n_labels, sizeof(int64_t))
    shop.weights = <int32_t *> arena.take(shop.n_labels * table.size, sizeof(int32_t))
    shop.cautious = <int32_t *> arena.take(shop.n_labels * table.size, sizeof(int32_t))
    shop.wanted = <int32_t *> arena.take(shop.n_labels * table.size, sizeof(int32_t))
    for l in range(shop.n_labels):
        for e in range(table.size):
            n = l * table.size + e
            shop.weights[n] = gains[l, e]
            shop.cautious[n] = CAUTION * gains[l, e] if gains[l, e] < 0 else gains[l, e]
            shop.wanted[n] = gains[l, e] if gains[l, e] > 0 else 0
    return 0


def repair(task, terms, cooling, uint64_t seed, is_over):
    """Make moves from some labelled terms; see :func:`idnf.learning.local.reference.repairing.repair`."""
    cdef Table table
    cdef Workshop shop
    cdef Berge states[2]
    cdef Berge best, swapped
    cdef Bath bath
    cdef Arena arena = Arena()
    cdef int64_t k = term_room(task), step, value, now_value, best_value
    cdef int64_t pair[2]
    cdef bint cut = False, kept
    cdef const int32_t[::1] allowed = task.allowed
    cdef const int64_t[::1] heat = np.array(cooling.temperatures, dtype=np.int64)
    cdef const int64_t[::1] sizes = np.array(cooling.sizes, dtype=np.int64)
    cdef int64_t size = task.examples.size, price = task.price
    cdef int64_t candidates = max(2 * task.examples.n_features, 2 * MOST_CANDIDATES) + 2
    cdef int32_t[::1] base = np.zeros(k + 1, dtype=np.int32)
    cdef int32_t[::1] codes
    open_bath(&bath, arena, seed, candidates)
    open_table(&table, arena, task.examples.cells, task.examples.words, task.examples.net, candidates)
    open_shop(&shop, arena, &table, task)
    open_state(&states[0], arena, &table, k)
    open_state(&states[1], arena, &table, k)
    open_state(&best, arena, &table, k)
    shop.bath, shop.price = &bath, price
    shop.allowed, shop.n_allowed = (&allowed[0] if len(allowed) else NULL), len(allowed)
    for mask, label in terms:
        codes = np.array([*codes_of(mask), 0], dtype=np.int32)
        kept = add_term(&table, &shop, &states[0], label, &codes[0], len(codes) - 1, NULL)
        assert kept, "a search starts from a state that is not too large"
    with nogil:
        now_value = best_value = state_value(&table, &shop, &states[0])
        remember(&states[0], k, &best)
        for step in range(heat.shape[0]):
            if sizes[step] != table.size:
                look_at(&table, sizes[step])
                shop.price = price * table.size // size
                remake_masks(&table, k, &states[0])
                now_value = best_value = state_value(&table, &shop, &states[0])
                remember(&states[0], k, &best)
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
                        remember(&states[0], k, &best)
            if table.work > PATIENCE:
                table.work = 0
                with gil:
                    cut = is_over()
                if cut:
                    break
        look_at(&table, size)
        shop.price = price
        remake_masks(&table, k, &best)
        value = state_value(&table, &shop, &best)
    found = [(mask_of(best.terms + step * k, best.sizes[step]), best.labels[step]) for step in range(best.n_terms)]
    return Repaired(value, tuple(found), cut)


cdef object mask_of(const int32_t *codes, int64_t size):
    cdef int64_t i
    mask = 0
    for i in range(size):
        mask |= 1 << int(codes[i])
    return mask


def implicants(terms, int64_t most):
    """Find all prime implicants of the complement; see :func:`idnf.learning.local.reference.repairing.implicants`."""
    cdef Workshop shop
    cdef Berge state
    cdef Arena arena = Arena()
    cdef int64_t a
    cdef int32_t[::1] codes
    assert most <= MOST_IMPLICANTS and len(terms) <= MOST_TERMS, "a state that is worked on is not too large"
    longest = max([mask.bit_count() for mask in terms], default=0)
    open_steps(&shop, arena, max([mask.bit_length() for mask in terms], default=0) + 2, longest)
    state.implicants = <Literals *> arena.take(MOST_IMPLICANTS, sizeof(Literals))
    clear_state(&state)
    for mask in terms:
        codes = np.array([*codes_of(mask), 0], dtype=np.int32)
        if not berge_step(&shop, &state, &codes[0], len(codes) - 1) or state.n_implicants > most:
            return None
    return [mask_of(state.implicants[a].codes, state.implicants[a].size) for a in range(state.n_implicants)]


cdef void remember(const Berge *state, int64_t k, Berge *best) noexcept nogil:
    best.n_terms = state.n_terms
    memcpy(best.sizes, state.sizes, state.n_terms * sizeof(int32_t))
    memcpy(best.labels, state.labels, state.n_terms * sizeof(int32_t))
    memcpy(best.terms, state.terms, state.n_terms * k * sizeof(int32_t))
