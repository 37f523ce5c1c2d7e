# Berge steps, as in specification/repairing.py.

# Labelled terms with the examples that satisfy each, and all largest implicants of the default label.
cdef struct Berge:
    int64_t n_terms
    int64_t n_implicants
    int32_t *sizes          # of the terms, in literals
    int32_t *labels
    int32_t *terms          # codes, ascending
    Cube *cubes             # the same as cells
    uint64_t *masks
    Cube *implicants


# What a search for terms needs.
cdef struct TermSearch:
    Space space
    int64_t k
    int64_t width           # literals that a new term may have
    int64_t line            # and that some term has
    bint is_sure            # whether terms are surely legal
    bint takes              # whether they may take tight implicants whole
    int64_t price
    const int32_t *allowed
    int64_t n_allowed
    Bath *bath
    int8_t *is_taken        # for each implicant, whether a new term holds all its points
    int8_t *is_usable       # for each literal
    int32_t *usable
    int64_t n_usable
    int32_t *free_places    # of literals that can be added to a term
    uint64_t *own           # the cells that an example does not have
    const Cube **options    # what new terms conflict with
    int32_t *option_sizes   # how many literals do so
    uint64_t *keys          # and which
    int32_t *open_options   # a list for each level
    int64_t room            # for options
    int32_t *codes          # literals for each level
    int32_t *orders         # a permutation for each level
    int32_t *partial
    Cube *held              # cells that a term excludes
    int64_t nodes
    Cube *forced            # terms that have a label by order
    int32_t *forced_labels
    int64_t n_forced
    int64_t n_labels
    int64_t otherwise       # the default label
    int32_t *found          # terms of slack
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
    int64_t *kept_values    # what the literals are worth at terms met before around the same example
    int32_t *kept_terms
    int32_t *kept_sizes
    int64_t n_kept


cdef void find_examples(Table *table, const int32_t *term, int64_t size, const uint64_t *among,
                        uint64_t *into) noexcept nogil:
    """Find those of some examples that satisfy a term."""
    cdef int64_t i
    memcpy(into, among, table.words * sizeof(uint64_t))
    for i in range(size):
        and_literal(table, into, into, term[i])


cdef bint add_term(Table *table, TermSearch *shop, Berge *state, int32_t label, const int32_t *term, int64_t size,
                   const uint64_t *mask) noexcept nogil:
    """Add a term and drop those it absorbs; return whether the state is not too large."""
    cdef int64_t k = shop.line, words = table.words, t, n = 0
    cdef Cube *cube = &state.cubes[state.n_terms]
    find_cube(&shop.space, term, size, cube)
    for t in range(state.n_terms):
        if not is_part(&shop.space, cube.cells, state.cubes[t].cells):
            if n < t:
                memcpy(state.terms + n * k, state.terms + t * k, k * sizeof(int32_t))
                memcpy(state.masks + n * words, state.masks + t * words, words * sizeof(uint64_t))
                copy_cube(&shop.space, &state.cubes[n], &state.cubes[t])
                state.sizes[n], state.labels[n] = state.sizes[t], state.labels[t]
            n += 1
    if n < state.n_terms:
        copy_cube(&shop.space, &state.cubes[n], cube)
    memcpy(state.terms + n * k, term, size * sizeof(int32_t))
    state.sizes[n], state.labels[n] = <int32_t> size, label
    if mask != NULL:
        memcpy(state.masks + n * words, mask, words * sizeof(uint64_t))
    else:
        find_examples(table, term, size, table.everything, state.masks + n * words)
    state.n_terms = n + 1
    table.work += state.n_implicants * size * 8 + words * size
    state.n_implicants = berge_step(&shop.space, &state.implicants, state.n_implicants, term, size, &state.cubes[n])
    return state.n_implicants >= 0 and state.n_terms <= MOST_TERMS


cdef void clear_state(const Space *space, Berge *state) noexcept nogil:
    state.n_terms, state.n_implicants = 0, 1
    find_cube(space, NULL, 0, state.implicants)


cdef void copy_terms(const TermSearch *shop, const Berge *state, Berge *into) noexcept nogil:
    into.n_terms = state.n_terms
    memcpy(into.sizes, state.sizes, state.n_terms * sizeof(int32_t))
    memcpy(into.labels, state.labels, state.n_terms * sizeof(int32_t))
    memcpy(into.terms, state.terms, state.n_terms * shop.line * sizeof(int32_t))


cdef void copy_state(const Table *table, const TermSearch *shop, const Berge *state, Berge *into) noexcept nogil:
    cdef int64_t n
    copy_terms(shop, state, into)
    memcpy(into.masks, state.masks, state.n_terms * table.words * sizeof(uint64_t))
    into.n_implicants = state.n_implicants
    for n in range(state.n_terms):
        copy_cube(&shop.space, &into.cubes[n], &state.cubes[n])
    for n in range(state.n_implicants):
        copy_cube(&shop.space, &into.implicants[n], &state.implicants[n])


cdef bint keeps_forced(const TermSearch *shop, const Berge *state) noexcept nogil:
    """Return whether no point of a term that has another label by order is of the default label."""
    cdef int64_t a, c
    for c in range(shop.n_forced):
        if shop.forced_labels[c] != shop.otherwise:
            for a in range(state.n_implicants):
                if not in_conflict(&shop.space, &shop.forced[c], &state.implicants[a]):
                    return False
    return True


cdef bint keep_found(TermSearch *shop, const int32_t *term, int64_t size) noexcept nogil:
    """Keep a term that conflicts with all it must, unless it is known or too long; return whether to go on."""
    cdef int64_t n = 0
    while n < shop.n_found and (
            shop.found_sizes[n] != size or memcmp(shop.found + n * shop.width, term, size * sizeof(int32_t))):
        n += 1
    if n == shop.n_found and size <= shop.width:
        memcpy(shop.found + n * shop.width, term, size * sizeof(int32_t))
        shop.found_sizes[n] = <int32_t> size
        shop.n_found += 1
    return shop.n_found < MOST_CANDIDATES and shop.nodes < MOST_NODES


cdef int64_t literals_against(const TermSearch *shop, const Cube *barring, int32_t *codes) noexcept nogil:
    """Find the usable literals that conflict with a mask of cells; return how many they are."""
    cdef const Space *space = &shop.space
    cdef int64_t i, m, n = 0
    cdef int32_t j, code
    for i in range(barring.size):
        j = barring.columns[i]
        for m in range(space.starts[j], space.starts[j + 1]):
            code = space.members[m]
            if shop.is_usable[code] and bars(space, code, barring.cells):
                codes[n] = code
                n += 1
    return n


cdef inline bint comes_before(const TermSearch *shop, int64_t one, int64_t other) noexcept nogil:
    """Return whether fewer literals conflict with one option than with another; of plain ones, the first are smaller."""
    cdef const uint64_t *a = shop.keys + one * shop.space.words
    cdef const uint64_t *b = shop.keys + other * shop.space.words
    cdef int64_t w
    if shop.option_sizes[one] != shop.option_sizes[other] or not shop.space.is_plain:
        return shop.option_sizes[one] < shop.option_sizes[other]
    for w in range(shop.space.words - 1, -1, -1):
        if a[w] != b[w]:
            return a[w] < b[w]
    return False


cdef inline bint is_met(const TermSearch *shop, const uint64_t *option, const uint64_t *held, int32_t code) noexcept nogil:
    """Return whether some usable literal that conflicts with an option says no more than a literal that was added."""
    cdef const Space *space = &shop.space
    cdef int64_t m
    cdef int32_t j = space.column_of[code]
    if space.is_plain:
        return bars(space, code, option)
    for m in range(space.starts[j], space.starts[j + 1]):
        code = space.members[m]
        if shop.is_usable[code] and bars(space, code, option) and excludes(space, held, code):
            return True
    return False


cdef bint hitting_sets(TermSearch *shop, int64_t level, int64_t n_open, int64_t room, const int32_t *term,
                       int64_t size) noexcept nogil:
    """Look for terms that conflict with all open options; return whether to go on."""
    cdef const Space *space = &shop.space
    cdef int32_t *open_here = shop.open_options + level * shop.room
    cdef int32_t *open_there = open_here + shop.room
    cdef int32_t *codes = shop.codes + level * shop.n_allowed
    cdef int32_t *order = shop.orders + level * shop.n_allowed
    cdef int32_t *longer = shop.partial + level * (2 * shop.width + 2)
    cdef uint64_t *held = shop.held.cells
    cdef uint64_t kept
    cdef int64_t c, o, n, count, left, long_size, first
    cdef int32_t code, w
    shop.nodes += 1
    if n_open == 0:
        return keep_found(shop, term, size)
    if shop.nodes >= MOST_NODES:
        return False
    if level == shop.width or room == 0 and space.is_plain:
        return True
    first = open_here[0]
    for o in range(1, n_open):
        if comes_before(shop, open_here[o], first):
            first = open_here[o]
    count = literals_against(shop, shop.options[first], codes)
    shuffle(shop.bath, order, count)
    for c in range(count):
        code = codes[order[c]]
        left = room - (not restricts(space, held, code))
        if left < 0:
            continue
        memcpy(longer, term, size * sizeof(int32_t))
        long_size = with_literal(space, longer, size, code)
        w = space.word_of[code]
        kept = held[w]
        held[w] |= space.excluded[code]
        n = 0
        for o in range(n_open):
            if not is_met(shop, shop.options[open_here[o]].cells, held, code):
                open_there[n] = open_here[o]
                n += 1
        if not hitting_sets(shop, level + 1, n, left, longer, long_size):
            return False
        held[w] = kept
    return True


cdef void find_usable(Table *table, TermSearch *shop, const Berge *state, int64_t e) noexcept nogil:
    """Find the literals for terms around an example: where terms are sure, within tight implicants that it has."""
    cdef const Space *space = &shop.space
    cdef const int8_t *cells = table.cells + e * table.line
    cdef int64_t a, i, n = 0
    cdef int32_t code
    cdef const Cube *p
    for i in range(shop.n_allowed):
        code = shop.allowed[i]
        if (cells[code >> 1] != 0) != (code & 1):
            shop.usable[n] = code
            n += 1
    memset(shop.own, 0, space.words * sizeof(uint64_t))
    for i in range(table.n_features):
        code = <int32_t> (2 * i + (cells[i] == 0))
        shop.own[space.word_of[code]] |= space.excluded[code]
    for a in range(state.n_implicants):
        p = &state.implicants[a]
        shop.is_taken[a] = shop.is_sure and shop.takes and p.size == shop.k and is_part(space, p.cells, shop.own)
        if shop.is_taken[a]:
            shop.n_usable = n
            n = 0
            for i in range(shop.n_usable):
                if restricts(space, p.cells, shop.usable[i]):
                    shop.usable[n] = shop.usable[i]
                    n += 1
    shop.n_usable = n


cdef inline bint add_option(TermSearch *shop, const Cube *barring, int64_t *count) noexcept nogil:
    """Take in what new terms must conflict with, unless the base does; return whether they can."""
    cdef uint64_t *key = shop.keys + count[0] * shop.space.words
    cdef int64_t i, size
    if in_conflict(&shop.space, barring, shop.held):
        return True
    shop.options[count[0]] = barring
    size = literals_against(shop, barring, shop.codes)
    shop.option_sizes[count[0]] = <int32_t> size
    if shop.space.is_plain:
        memset(key, 0, shop.space.words * sizeof(uint64_t))
        for i in range(size):
            key[shop.codes[i] >> 6] |= <uint64_t> 1 << (shop.codes[i] & 63)
    count[0] += 1
    return size > 0


cdef void find_slack(TermSearch *shop, const Berge *state, int32_t label, const int32_t *base,
                     int64_t n_base) noexcept nogil:
    """Find terms of usable literals that hold a base and conflict with all they must."""
    cdef int64_t a, n = 0
    for a in range(n_base):
        if not shop.is_usable[base[a]]:
            return
    find_cube(&shop.space, base, n_base, shop.held)
    for a in range(state.n_implicants):
        if shop.is_sure and state.implicants[a].size == shop.k and not shop.is_taken[a]:
            if not add_option(shop, &state.implicants[a], &n):
                return
    for a in range(state.n_terms):
        if state.labels[a] != label and not add_option(shop, &state.cubes[a], &n):
            return
    for a in range(shop.n_forced):
        if shop.forced_labels[a] != label and not add_option(shop, &shop.forced[a], &n):
            return
    for a in range(n):
        shop.open_options[a] = <int32_t> a
    hitting_sets(shop, 0, n, shop.k - shop.held.size, base, n_base)


cdef const int64_t *values_at(Table *table, TermSearch *shop, int32_t label, const int32_t *term, int64_t size,
                              bint long_one) noexcept nogil:
    """Return what each usable literal is worth at a term, and then what the term is worth as it is."""
    cdef int64_t n, i, total, stride = 2 * table.n_features + 2
    cdef int64_t *values
    for n in range(shop.n_kept):
        if shop.kept_sizes[n] == size and not memcmp(shop.kept_terms + n * shop.width, term, size * sizeof(int32_t)):
            return shop.kept_values + n * stride
    # The last place is written over and over once the others are taken.
    n = shop.n_kept
    values = shop.kept_values + n * stride
    if n < KEPT - 1:
        shop.kept_sizes[n] = <int32_t> size
        memcpy(shop.kept_terms + n * shop.width, term, size * sizeof(int32_t))
        shop.n_kept += 1
    find_examples(table, term, size, shop.left, shop.holding)
    total = feature_sums(table, shop.holding, (shop.cautious if long_one else shop.weights) + label * shop.stride,
                         table.sums)
    literal_values(table, shop.usable, shop.n_usable, total, values)
    values[shop.n_usable] = total
    return values


cdef int64_t completed(Table *table, TermSearch *shop, int32_t label, int32_t *term, int64_t size,
                       bint long_one) noexcept nogil:
    """Add literals to a term while there is room and they are drawn; return its size."""
    cdef const Space *space = &shop.space
    cdef int64_t tried, i, n, chosen, price
    cdef int32_t code
    cdef bint full
    cdef const int64_t *values
    for tried in range(shop.width):
        if size == shop.width:
            break
        find_cube(space, term, size, shop.held)
        full = shop.held.size == shop.k
        values = values_at(table, shop, label, term, size, long_one)
        price = 0 if long_one and not full else shop.price
        n = 0
        for i in range(shop.n_usable):
            code = shop.usable[i]
            shop.free_places[n] = <int32_t> i
            table.values[n] = values[i] - price
            n += space.is_plain or not excludes(space, shop.held.cells, code) and (
                not full or restricts(space, shop.held.cells, code))
        if n == 0:
            break
        table.values[n] = values[shop.n_usable]
        chosen = choose(shop.bath, table.values, n + (full or not long_one))
        if chosen == n:
            break
        size = with_literal(space, term, size, shop.usable[shop.free_places[chosen]])
    return size


cdef void find_covered(Table *table, TermSearch *shop, const Berge *state, int64_t label) noexcept nogil:
    """Find the examples that satisfy a term of a label, or any term if that is negative."""
    cdef int64_t t, w
    memset(shop.covered, 0, table.words * sizeof(uint64_t))
    for t in range(state.n_terms):
        if label < 0 or state.labels[t] == label:
            for w in range(table.words):
                shop.covered[w] |= state.masks[t * table.words + w]


cdef int64_t draw_example(Table *table, TermSearch *shop, int32_t *label) noexcept nogil:
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


cdef int64_t new_term(Table *table, TermSearch *shop, const Berge *state, const int32_t *base, int64_t n_base,
                      bint long_one, int32_t *label) noexcept nogil:
    """Make terms around a random example that is left; return which of shop.made is drawn, or -1."""
    cdef int64_t w, t, e, i, j, n, k = shop.width
    cdef int32_t *term
    find_covered(table, shop, state, -1)
    find_examples(table, base, n_base, table.everything, shop.left)
    for w in range(table.words):
        shop.left[w] &= ~shop.covered[w]
    table.work += table.words * (state.n_terms + n_base)
    e = draw_example(table, shop, label)
    if e < 0:
        return -1
    find_usable(table, shop, state, e)
    for i in range(shop.n_usable):
        shop.is_usable[shop.usable[i]] = 1
    shop.n_found = shop.nodes = shop.n_kept = 0
    find_slack(shop, state, label[0], base, n_base)
    for i in range(shop.n_usable):
        shop.is_usable[shop.usable[i]] = 0
    if shop.n_found == 0:
        return -1
    n = 0
    for t in range(1 + MOST_CANDIDATES // 2 // shop.n_found):
        for j in range(shop.n_found):
            memcpy(shop.made + n * k, shop.found + j * k, shop.found_sizes[j] * sizeof(int32_t))
            shop.made_sizes[n] = <int32_t> completed(table, shop, label[0], shop.made + n * k, shop.found_sizes[j],
                                                     long_one)
            n += 1
    for t in range(n):
        find_examples(table, shop.made + t * k, shop.made_sizes[t], shop.left, shop.holding)
        table.values[t] = (idnf_weight(shop.holding, shop.weights + label[0] * shop.stride, table.size)
                           - shop.price * shop.made_sizes[t])
    table.values[n] = 0
    t = choose(shop.bath, table.values, n + 1)
    return t if t < n else -1


cdef int64_t state_value(Table *table, TermSearch *shop, const Berge *state) noexcept nogil:
    cdef int64_t t, l, value = 0
    for l in range(shop.n_labels):
        if l != shop.otherwise:
            find_covered(table, shop, state, l)
            value += idnf_weight(shop.covered, shop.weights + l * shop.stride, table.size)
    for t in range(state.n_terms):
        value -= shop.price * state.sizes[t]
    return value


cdef bint make_move(Table *table, TermSearch *shop, const Berge *now, Berge *next_one, int32_t *base) noexcept nogil:
    """Drop some terms of a state and add others; return whether that gave a state to compare."""
    cdef int64_t count, first = -1, other = -1, t, n_base = 0, n
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
        if count == 1 and now.sizes[first] < shop.width and below(shop.bath, 2) == 0:
            n_base = now.sizes[first]
            memcpy(base, now.terms + first * shop.line, n_base * sizeof(int32_t))
            base_label = now.labels[first]
        clear_state(&shop.space, next_one)
        for t in range(now.n_terms):
            if t != first and t != other and not add_term(
                    table, shop, next_one, now.labels[t], now.terms + t * shop.line, now.sizes[t],
                    now.masks + t * table.words):
                return False
    else:
        copy_state(table, shop, now, next_one)
    shop.is_sure = shop.space.is_plain or below(shop.bath, 2)
    if count and shop.is_sure and not is_covered(&shop.space, next_one.implicants, next_one.n_implicants, shop.k):
        return False
    long_one = n_base > 0 or below(shop.bath, 2) == 0
    for n in range(1 + below(shop.bath, MOST_ADDED)):
        label = base_label
        t = new_term(table, shop, next_one, base, n_base, long_one, &label)
        if t < 0:
            break
        if not add_term(table, shop, next_one, label, shop.made + t * shop.width, shop.made_sizes[t], NULL):
            return False
    return keeps_forced(shop, next_one) and (
        shop.is_sure or is_covered(&shop.space, next_one.implicants, next_one.n_implicants, shop.k))


cdef void remake_masks(Table *table, const TermSearch *shop, Berge *state) noexcept nogil:
    """Make the masks of all terms anew, for the examples looked at."""
    cdef int64_t t
    for t in range(state.n_terms):
        find_examples(table, state.terms + t * shop.line, state.sizes[t], table.everything,
                      state.masks + t * table.words)


cdef int open_state(Berge *state, Arena arena, Table *table, TermSearch *shop) except -1:
    cdef int64_t most = MOST_TERMS + 2
    state.sizes, state.labels = ints(arena, most), ints(arena, most)
    state.terms, state.masks = ints(arena, most * shop.line), words(arena, most * table.words)
    state.cubes = take_cubes(arena, most, shop.space.words)
    state.implicants = take_cubes(arena, shop.space.room, shop.space.words)
    clear_state(&shop.space, state)
    return 0


cdef int open_shop(TermSearch *shop, Arena arena, Table *table, object task) except -1:
    cdef int64_t k = term_room(task), literals = 2 * table.n_features, n
    # No term has more literals than there are.
    cdef int64_t levels = min(k, literals) + 3, made = MOST_CANDIDATES + MOST_CANDIDATES // 2 + 1
    cdef int32_t[::1] codes
    shop.k, shop.width, shop.otherwise = task.k, k, task.default
    open_space(&shop.space, arena, task.counted, min(k, table.n_features), MOST_IMPLICANTS)
    forced = [(term, label) for label, terms in enumerate(task.forced) for term in terms]
    shop.n_forced = len(forced)
    shop.forced, shop.forced_labels = take_cubes(arena, shop.n_forced, shop.space.words), ints(arena, shop.n_forced)
    for n, (mask, label) in enumerate(forced):
        assert mask.bit_count() <= WIDEST, "a term restricts at most as many columns as an implicant"
        codes = np.array([*codes_of(mask), 0], dtype=np.int32)
        find_cube(&shop.space, &codes[0], len(codes) - 1, &shop.forced[n])
        shop.forced_labels[n] = label
    shop.room = MOST_IMPLICANTS + MOST_TERMS + shop.n_forced + 1
    shop.is_taken, shop.is_usable = <int8_t *> arena.room(MOST_IMPLICANTS, 1), <int8_t *> arena.take(literals, 1)
    shop.usable, shop.free_places = ints(arena, literals), ints(arena, literals)
    shop.own, shop.held = words(arena, shop.space.words), take_cubes(arena, 1, shop.space.words)
    shop.options = <const Cube **> arena.room(shop.room, sizeof(void *))
    shop.keys, shop.partial = words(arena, shop.room * shop.space.words), ints(arena, levels * (2 * k + 2))
    shop.option_sizes, shop.open_options = ints(arena, shop.room), ints(arena, levels * shop.room)
    shop.codes, shop.orders = ints(arena, levels * shop.n_allowed), ints(arena, levels * shop.n_allowed)
    shop.found, shop.found_sizes = ints(arena, MOST_CANDIDATES * k), ints(arena, MOST_CANDIDATES)
    shop.made, shop.made_sizes = ints(arena, made * k), ints(arena, made)
    shop.covered, shop.left, shop.holding = (
        words(arena, table.words), words(arena, table.words), words(arena, table.words))
    shop.kept_values = longs(arena, KEPT * (literals + 2))
    shop.kept_terms, shop.kept_sizes = ints(arena, KEPT * k), ints(arena, KEPT)
    weigh_labels(shop, arena, table, task.gains)
    shop.takes = takes_whole(task)
    return 0


cdef int weigh_labels(TermSearch *shop, Arena arena, Table *table, const int32_t[:, ::1] gains) except -1:
    cdef int64_t l, e, n, count = gains.shape[0] * table.size
    shop.n_labels, shop.stride = gains.shape[0], table.size
    shop.totals = longs(arena, shop.n_labels)
    shop.weights, shop.cautious, shop.wanted = ints(arena, count), ints(arena, count), ints(arena, count)
    for l in range(shop.n_labels):
        for e in range(table.size):
            n = l * table.size + e
            shop.weights[n] = gains[l, e]
            shop.cautious[n] = CAUTION * gains[l, e] if gains[l, e] < 0 else gains[l, e]
            shop.wanted[n] = gains[l, e] if gains[l, e] > 0 else 0
    return 0


def repair(task, terms, cooling, uint64_t seed, is_over):
    """Make moves from some labelled terms; see :func:`idnf.learning.local.specification.repairing.repair`."""
    cdef Table table
    cdef TermSearch shop
    cdef Berge states[2]
    cdef Berge best, swapped
    cdef Bath bath
    cdef Arena arena = Arena()
    cdef int64_t step, value, now_value, best_value
    cdef int64_t pair[2]
    cdef bint cut = False, kept
    cdef const int32_t[::1] allowed = task.allowed
    cdef const int64_t[::1] heat = np.array(cooling.temperatures, dtype=np.int64)
    cdef const int64_t[::1] sizes = np.array(cooling.sizes, dtype=np.int64)
    cdef int64_t size = task.examples.size, price = task.price
    cdef int64_t candidates = max(2 * task.examples.n_features, 2 * MOST_CANDIDATES) + 2
    cdef int32_t[::1] base = np.zeros(term_room(task) + 1, dtype=np.int32)
    cdef int32_t[::1] codes
    open_bath(&bath, arena, seed, candidates)
    open_table(&table, arena, task.examples.cells, task.examples.words, task.examples.net, candidates)
    shop.bath, shop.price = &bath, price
    shop.allowed, shop.n_allowed = (&allowed[0] if len(allowed) else NULL), len(allowed)
    open_shop(&shop, arena, &table, task)
    # Several literals of a start may say of a column what no two do.
    shop.line = max([shop.width] + [mask.bit_count() for mask, _ in terms])
    open_state(&states[0], arena, &table, &shop)
    open_state(&states[1], arena, &table, &shop)
    open_state(&best, arena, &table, &shop)
    for mask, label in terms:
        codes = np.array([*codes_of(mask), 0], dtype=np.int32)
        kept = add_term(&table, &shop, &states[0], label, &codes[0], len(codes) - 1, NULL)
        assert kept, "a search starts from a state that is not too large"
    with nogil:
        now_value = best_value = state_value(&table, &shop, &states[0])
        copy_terms(&shop, &states[0], &best)
        for step in range(heat.shape[0]):
            if sizes[step] != table.size:
                look_at(&table, sizes[step])
                shop.price = price * table.size // size
                remake_masks(&table, &shop, &states[0])
                now_value = best_value = state_value(&table, &shop, &states[0])
                copy_terms(&shop, &states[0], &best)
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
                        copy_terms(&shop, &states[0], &best)
            if table.work > PATIENCE:
                table.work = 0
                with gil:
                    cut = is_over()
                if cut:
                    break
        look_at(&table, size)
        shop.price = price
        remake_masks(&table, &shop, &best)
        value = state_value(&table, &shop, &best)
    found = [(mask_of([best.terms[step * shop.line + place] for place in range(best.sizes[step])]), best.labels[step])
             for step in range(best.n_terms)]
    return Repaired(value, tuple(found), cut)
