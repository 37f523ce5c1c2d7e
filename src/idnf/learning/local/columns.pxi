# Berge steps where k counts columns, as in reference/columns.py.
#
# The signature of an implicant holds the cells that it excludes, its codes the columns that it restricts.

cdef inline bint is_part(const uint64_t *one, const uint64_t *other) noexcept nogil:
    """Tell whether the cells of one mask are among those of another."""
    cdef int64_t w
    for w in range(SIGNED):
        if one[w] & ~other[w]:
            return False
    return True


cdef inline void find_cube(const Workshop *shop, const int32_t *term, int64_t size, uint64_t *cube) noexcept nogil:
    """Find the cells that the literals of a term exclude."""
    cdef int64_t x
    memset(cube, 0, SIGNED * sizeof(uint64_t))
    for x in range(size):
        cube[shop.word_of[term[x]]] |= shop.excluded[term[x]]


cdef inline uint64_t column_of_literal(const Workshop *shop, int32_t code) noexcept nogil:
    return shop.column_bits[shop.column_of[code]]


cdef inline bint excludes(const Workshop *shop, const uint64_t *cube, int32_t code) noexcept nogil:
    """Tell whether a literal says no more than a mask of cells does."""
    return shop.excluded[code] & ~cube[shop.word_of[code]] == 0


cdef inline bint in_conflict(const Workshop *shop, const uint64_t *p, const uint64_t *cube, const int32_t *term,
                             int64_t size) noexcept nogil:
    """Tell whether no point lies in both of an implicant and a term."""
    cdef int64_t x, w
    cdef uint64_t column
    for x in range(size):
        w = shop.word_of[term[x]]
        column = column_of_literal(shop, term[x])
        if (p[w] | cube[w]) & column == column:
            return True
    return False


cdef int64_t with_literal(const Workshop *shop, int32_t *term, int64_t size, int32_t code) noexcept nogil:
    """Add a literal to a term, without those of the same column that say no more; return its size."""
    cdef int64_t i, n = 0
    for i in range(size):
        if shop.column_of[term[i]] == shop.column_of[code] and shop.excluded[code] & ~shop.excluded[term[i]] == 0:
            return size
    for i in range(size):
        if shop.column_of[term[i]] != shop.column_of[code] or shop.excluded[term[i]] & ~shop.excluded[code]:
            term[n] = term[i]
            n += 1
    i = n
    while i and term[i - 1] > code:
        term[i] = term[i - 1]
        i -= 1
    term[i] = code
    return n + 1


cdef int column_step(Workshop *shop, Berge *state, const int32_t *term, int64_t size) noexcept nogil:
    """Add a term to the other side; 0 when that makes more implicants than are worked on."""
    cdef int64_t n = 0, m, a, x, r
    cdef int32_t code
    cdef uint64_t cube[SIGNED]
    cdef uint64_t column
    cdef Literals made
    cdef Literals *p
    find_cube(shop, term, size, cube)
    for a in range(state.n_implicants):
        p = &state.implicants[a]
        if in_conflict(shop, p.signature, cube, term, size):
            copy_literals(&shop.stepped[n], p)
            n += 1
            p.size = -1
    for a in range(state.n_implicants):
        p = &state.implicants[a]
        if p.size < 0:
            continue
        for x in range(size):
            code = term[x] ^ 1
            column = column_of_literal(shop, code)
            copy_literals(&made, p)
            made.signature[shop.word_of[code]] |= shop.excluded[code]
            if made.signature[shop.word_of[code]] & column == column:
                continue
            for r in range(n):
                if is_part(shop.stepped[r].signature, made.signature):
                    break
            else:
                m = 0
                for r in range(n):
                    if not is_part(made.signature, shop.stepped[r].signature):
                        if m < r:
                            copy_literals(&shop.stepped[m], &shop.stepped[r])
                        m += 1
                n = m
                if n == MOST_IMPLICANTS:
                    return 0
                if not p.signature[shop.word_of[code]] & column:
                    made.codes[made.size] = shop.column_of[code]
                    made.size += 1
                copy_literals(&shop.stepped[n], &made)
                n += 1
    p = state.implicants
    state.implicants = shop.stepped
    shop.stepped = p
    state.n_implicants = n
    return 1


cdef bint escapes(const Workshop *shop, const Berge *state, const uint64_t *refuted) noexcept nogil:
    """Tell whether some point that has none of some cells lies in no implicant of at most k columns."""
    cdef int64_t a, i, w, n_open, fewest = 0
    cdef int32_t j, first, chosen = -1
    cdef uint64_t column
    cdef uint64_t there[SIGNED]
    cdef const Literals *p
    cdef const Literals *best = NULL
    cdef bint met
    for a in range(state.n_implicants):
        p = &state.implicants[a]
        if p.size > shop.k:
            continue
        n_open = 0
        first = -1
        met = False
        for i in range(p.size):
            j = p.codes[i]
            w = shop.word_of_column[j]
            column = shop.column_bits[j]
            if (p.signature[w] | refuted[w]) & column == column:
                met = True
                break
            if p.signature[w] & column & ~refuted[w]:
                n_open += 1
                if first < 0:
                    first = j
        if met:
            continue
        if n_open == 0:
            return False
        if best == NULL or n_open < fewest:
            fewest = n_open
            chosen = first
            best = p
    if best == NULL:
        return True
    w = shop.word_of_column[chosen]
    memcpy(there, refuted, SIGNED * sizeof(uint64_t))
    there[w] |= shop.column_bits[chosen] & ~best.signature[w]
    if escapes(shop, state, there):
        return True
    memcpy(there, refuted, SIGNED * sizeof(uint64_t))
    there[w] |= shop.column_bits[chosen] & best.signature[w]
    return escapes(shop, state, there)


cdef bint covers_by_columns(const Workshop *shop, const Berge *state) noexcept nogil:
    """Tell whether the implicants of at most k columns cover the default."""
    cdef int64_t a
    for a in range(state.n_implicants):
        if state.implicants[a].size > shop.k and escapes(shop, state, state.implicants[a].signature):
            return False
    return True


cdef bint add_column_option(Workshop *shop, int64_t n, const uint64_t *barring) noexcept nogil:
    """Write down the usable literals that conflict with a mask of cells; tell whether there are any."""
    cdef int64_t i, w
    cdef int32_t code
    cdef uint64_t column
    shop.option_sizes[n] = 0
    for i in range(shop.n_usable):
        code = shop.usable[i]
        w = shop.word_of[code]
        column = column_of_literal(shop, code)
        if (shop.excluded[code] | barring[w]) & column == column:
            shop.option_codes[n * shop.n_literals + shop.option_sizes[n]] = code
            shop.option_sizes[n] += 1
    return shop.option_sizes[n] > 0


cdef void find_literals_around(Table *table, Workshop *shop, const Berge *state, int64_t e) noexcept nogil:
    """Find the literals for terms around an example; surely legal ones are of the columns of tight implicants."""
    cdef const int8_t *cells = table.cells + e * table.line
    cdef uint64_t own[SIGNED]
    cdef int64_t a, i, n
    cdef int32_t code
    cdef const Literals *p
    memset(own, 0, SIGNED * sizeof(uint64_t))
    for code in range(2 * table.n_features):
        if (cells[code >> 1] != 0) != (code & 1):
            own[shop.word_of[code]] |= shop.excluded[code]
    shop.n_usable = 0
    for i in range(shop.n_allowed):
        if (cells[shop.allowed[i] >> 1] != 0) != (shop.allowed[i] & 1):
            shop.usable[shop.n_usable] = shop.allowed[i]
            shop.n_usable += 1
    for a in range(state.n_implicants):
        p = &state.implicants[a]
        shop.is_taken[a] = shop.is_sure and p.size == shop.k and is_part(p.signature, own)
        if shop.is_taken[a]:
            n = 0
            for i in range(shop.n_usable):
                if p.signature[shop.word_of[shop.usable[i]]] & column_of_literal(shop, shop.usable[i]):
                    shop.usable[n] = shop.usable[i]
                    n += 1
            shop.n_usable = n


cdef int64_t find_column_slack(Table *table, Workshop *shop, const Berge *state, int64_t e, int32_t label,
                               const int32_t *base, int64_t n_base) noexcept nogil:
    """Find terms around an example that contain the base and conflict with all they must."""
    cdef int64_t a, i, n = 0
    cdef uint64_t cube[SIGNED]
    cdef uint64_t other[SIGNED]
    cdef int64_t room = shop.k
    find_literals_around(table, shop, state, e)
    shop.n_found = 0
    shop.nodes = 0
    for i in range(n_base):
        for a in range(shop.n_usable):
            if shop.usable[a] == base[i]:
                break
        else:
            return 0
    find_cube(shop, base, n_base, cube)
    for a in range(shop.n_columns):
        room -= (cube[shop.word_of_column[a]] & shop.column_bits[a]) != 0
    for a in range(state.n_implicants):
        if (shop.is_sure and state.implicants[a].size == shop.k and not shop.is_taken[a]
                and not in_conflict(shop, state.implicants[a].signature, cube, base, n_base)):
            if not add_column_option(shop, n, state.implicants[a].signature):
                return 0
            n += 1
    for a in range(state.n_terms):
        if state.labels[a] != label:
            find_cube(shop, state.terms + a * shop.width, state.sizes[a], other)
            if not in_conflict(shop, other, cube, base, n_base):
                if not add_column_option(shop, n, other):
                    return 0
                n += 1
    for a in range(n):
        shop.open_options[a] = <int32_t> a
    column_hitting_sets(shop, 0, n, room, base, n_base)
    return shop.n_found


cdef bint keep_found(Workshop *shop, const int32_t *term, int64_t size) noexcept nogil:
    """Keep a term that conflicts with all it must, unless it is known or too long; return whether to go on."""
    cdef int64_t n, i
    if size > shop.width:
        return shop.nodes < MOST_NODES
    for n in range(shop.n_found):
        if shop.found_sizes[n] == size:
            for i in range(size):
                if shop.found[n * shop.width + i] != term[i]:
                    break
            else:
                return shop.nodes < MOST_NODES
    memcpy(shop.found + shop.n_found * shop.width, term, size * sizeof(int32_t))
    shop.found_sizes[shop.n_found] = <int32_t> size
    shop.n_found += 1
    return shop.n_found < MOST_CANDIDATES and shop.nodes < MOST_NODES


cdef bint column_hitting_sets(Workshop *shop, int64_t level, int64_t n_open, int64_t room, const int32_t *term,
                              int64_t size) noexcept nogil:
    """Look for terms that meet all open options; return whether to go on."""
    cdef int32_t *open_here = shop.open_options + level * shop.room
    cdef int32_t *open_there = open_here + shop.room
    cdef int32_t *order = shop.orders + level * shop.n_literals
    cdef int32_t *longer = shop.partial + level * (2 * shop.width + 2)
    cdef uint64_t cube[SIGNED]
    cdef uint64_t held[SIGNED]
    cdef int64_t c, o, i, n, left, long_size, first = 0
    cdef int32_t code
    cdef const int32_t *codes
    shop.nodes += 1
    if n_open == 0:
        return keep_found(shop, term, size)
    if shop.nodes >= MOST_NODES:
        return False
    if level == shop.width:
        return True
    for o in range(n_open):
        if o == 0 or shop.option_sizes[open_here[o]] < shop.option_sizes[first]:
            first = open_here[o]
    find_cube(shop, term, size, cube)
    shuffle(shop.bath, order, shop.option_sizes[first])
    for c in range(shop.option_sizes[first]):
        code = shop.option_codes[first * shop.n_literals + order[c]]
        left = room - (cube[shop.word_of[code]] & column_of_literal(shop, code) == 0)
        if left < 0:
            continue
        memcpy(longer, term, size * sizeof(int32_t))
        long_size = with_literal(shop, longer, size, code)
        find_cube(shop, longer, long_size, held)
        n = 0
        for o in range(n_open):
            codes = shop.option_codes + open_here[o] * shop.n_literals
            for i in range(shop.option_sizes[open_here[o]]):
                if excludes(shop, held, codes[i]):
                    break
            else:
                open_there[n] = open_here[o]
                n += 1
        if not column_hitting_sets(shop, level + 1, n, left, longer, long_size):
            return False
    return True


cdef int64_t completed_by_columns(Table *table, Workshop *shop, int32_t label, int32_t *term, int64_t size,
                                  bint long_one) noexcept nogil:
    """Add literals to a term while there is room and they are drawn; return its size."""
    cdef int64_t tried, i, n, a, chosen, columns, price
    cdef int32_t code
    cdef uint64_t cube[SIGNED]
    cdef const int64_t *values
    for tried in range(shop.width):
        if size == shop.width:
            break
        find_cube(shop, term, size, cube)
        columns = 0
        for a in range(shop.n_columns):
            columns += (cube[shop.word_of_column[a]] & shop.column_bits[a]) != 0
        n = 0
        for i in range(shop.n_usable):
            code = shop.usable[i]
            if not excludes(shop, cube, code) and (
                    columns < shop.k or cube[shop.word_of[code]] & column_of_literal(shop, code)):
                shop.free_places[n] = <int32_t> i
                n += 1
        if n == 0:
            break
        values = values_at(table, shop, label, term, size, long_one)
        price = shop.price if long_one and columns == shop.k else 0
        for i in range(n):
            table.values[i] = values[shop.free_places[i]] - price
        table.values[n] = values[shop.n_usable]
        chosen = choose(shop.bath, table.values, n + (columns == shop.k or not long_one))
        if chosen == n:
            break
        size = with_literal(shop, term, size, shop.usable[shop.free_places[chosen]])
    return size


cdef int open_cells(Workshop *shop, object cells) except -1:
    """Take in the cells of columns; their arrays live as long as the task does."""
    cdef const int32_t[::1] words, owners, word_of
    cdef const uint64_t[::1] excluded, columns
    words, owners, word_of = cells.arrays
    excluded, columns = cells.bits
    shop.by_columns, shop.n_columns = True, len(columns)
    shop.word_of_column, shop.column_of, shop.word_of = &words[0], &owners[0], &word_of[0]
    shop.excluded, shop.column_bits = &excluded[0], &columns[0]
    return 0


def column_implicants(cells, terms, int64_t most):
    """Find the implicants of the complement; see :func:`idnf.learning.local.reference.columns.column_implicants`."""
    cdef Workshop shop
    cdef Berge state
    cdef Arena arena = Arena()
    cdef int64_t a, w
    cdef int32_t[::1] codes
    assert most == MOST_IMPLICANTS and len(terms) <= MOST_TERMS, "a state that is worked on is not too large"
    open_cells(&shop, cells)
    shop.stepped = <Literals *> arena.take(MOST_IMPLICANTS, sizeof(Literals))
    state.implicants = <Literals *> arena.take(MOST_IMPLICANTS, sizeof(Literals))
    clear_state(&state)
    for mask in terms:
        codes = np.array([*codes_of(mask), 0], dtype=np.int32)
        if not column_step(&shop, &state, &codes[0], len(codes) - 1):
            return None
    return [sum([int(state.implicants[a].signature[w]) << (64 * w) for w in range(SIGNED)])
            for a in range(state.n_implicants)]
