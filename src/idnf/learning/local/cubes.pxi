# Terms as the cells that they exclude, and the implicants of the default, as in specification/repairing.py.

cdef enum:
    WIDEST = 52
    DROPPED = 2

assert MOST_TERMS < WIDEST - 2, "an implicant restricts at most one column for each term"


# Only the columns and words in use are ever copied.
cdef struct Cube:
    uint64_t *cells         # that are excluded
    int32_t size
    int32_t columns[WIDEST]     # that are restricted, ascending


# What literals say of columns, as in masks.py, and room for a step.
cdef struct Space:
    bint is_plain           # whether every feature is a column of its own
    int64_t words           # of a mask of cells
    const int32_t *word_of_column
    const int32_t *column_of    # of each literal
    const int32_t *word_of
    const int32_t *starts   # of the literals of each column
    const int32_t *members
    const uint64_t *excluded    # cells, as bits of the literal's word
    const uint64_t *bits        # the cells of each column
    int64_t most            # implicants
    int64_t room            # for them and for those that are dropped on the way
    Cube *stepped           # implicants after a step
    Cube **small            # those of few columns
    uint64_t *refuted
    const uint64_t *low     # the cells of columns but for the last of each, which are in `top`
    const uint64_t *top
    int32_t *rivals         # for each column of a term a list of implicants that may lie within new ones
    int32_t *n_rivals


cdef Cube *take_cubes(Arena arena, int64_t count, int64_t n_words) except NULL:
    cdef Cube *cubes = <Cube *> arena.room(count, sizeof(Cube))
    cdef uint64_t *cells = <uint64_t *> arena.room(count * n_words, sizeof(uint64_t))
    cdef int64_t n
    for n in range(count):
        cubes[n].cells, cubes[n].size = cells + n * n_words, 0
    return cubes


cdef int open_space(Space *space, Arena arena, object cells, int64_t longest, int64_t most) except -1:
    """Take in the cells of columns; their arrays live as long as what they came with."""
    cdef const int32_t[::1] places, owners, word_of, starts, members
    cdef const uint64_t[::1] excluded, columns, low, top
    places, owners, word_of, starts, members = cells.arrays
    excluded, columns, low, top = cells.bits
    space.is_plain, space.most, space.words = cells.is_plain, most, cells.arrays[0].max() + 1
    space.word_of_column, space.column_of, space.word_of = &places[0], &owners[0], &word_of[0]
    space.starts, space.members = &starts[0], &members[0]
    space.excluded, space.bits = &excluded[0], &columns[0]
    space.room = most if space.is_plain else DROPPED * most
    space.stepped = take_cubes(arena, space.room, space.words)
    space.small = <Cube **> arena.room(most, sizeof(void *))
    space.refuted, space.top, space.low = words(arena, space.words), &top[0], &low[0]
    space.rivals, space.n_rivals = ints(arena, longest * space.room), ints(arena, longest)
    return 0


cdef inline void copy_cube(const Space *space, Cube *into, const Cube *p) noexcept nogil:
    into.size = p.size
    memcpy(into.columns, p.columns, p.size * sizeof(int32_t))
    memcpy(into.cells, p.cells, space.words * sizeof(uint64_t))


cdef inline bint is_part(const Space *space, const uint64_t *one, const uint64_t *other) noexcept nogil:
    """Return whether the cells of one mask are among those of another."""
    cdef int64_t w
    for w in range(space.words):
        if one[w] & ~other[w]:
            return False
    return True


cdef inline void exclude(const Space *space, Cube *cube, int32_t column, uint64_t cells) noexcept nogil:
    """Exclude some cells of a column."""
    cdef int32_t w = space.word_of_column[column], i
    if not cube.cells[w] & space.bits[column]:
        i = cube.size
        while i and cube.columns[i - 1] > column:
            cube.columns[i] = cube.columns[i - 1]
            i -= 1
        cube.columns[i] = column
        cube.size += 1
    cube.cells[w] |= cells


cdef void find_cube(const Space *space, const int32_t *term, int64_t size, Cube *cube) noexcept nogil:
    """Find the cells that the literals of a term exclude."""
    cdef int64_t i
    cube.size = 0
    memset(cube.cells, 0, space.words * sizeof(uint64_t))
    for i in range(size):
        if space.excluded[term[i]]:
            exclude(space, cube, space.column_of[term[i]], space.excluded[term[i]])


cdef inline bint is_full(const Space *space, const uint64_t *one, const uint64_t *other,
                         int32_t column) noexcept nogil:
    """Return whether no cell of a column is left to both of two masks."""
    cdef int32_t w = space.word_of_column[column]
    return (one[w] | other[w]) & space.bits[column] == space.bits[column]


cdef inline bint in_conflict(const Space *space, const Cube *one, const Cube *other) noexcept nogil:
    """Return whether no point lies in both of two terms that have some."""
    return idnf_open_columns(one.cells, other.cells, space.low, space.top, space.words) < 0


cdef inline bint bars(const Space *space, int32_t code, const uint64_t *cells) noexcept nogil:
    """Return whether a literal conflicts with a mask of cells."""
    cdef uint64_t column = space.bits[space.column_of[code]]
    return (space.excluded[code] | cells[space.word_of[code]]) & column == column


cdef inline bint excludes(const Space *space, const uint64_t *cells, int32_t code) noexcept nogil:
    """Return whether a literal says no more than a mask of cells does."""
    return space.excluded[code] & ~cells[space.word_of[code]] == 0


cdef inline bint restricts(const Space *space, const uint64_t *cells, int32_t code) noexcept nogil:
    """Return whether a mask excludes cells of the column of a literal."""
    return (cells[space.word_of[code]] & space.bits[space.column_of[code]]) != 0


cdef int64_t with_literal(const Space *space, int32_t *term, int64_t size, int32_t code) noexcept nogil:
    """Add a literal to a term, without those of the same column that say no more; return its size."""
    cdef int64_t i, n = 0
    for i in range(size):
        if space.column_of[term[i]] == space.column_of[code] and space.excluded[code] & ~space.excluded[term[i]] == 0:
            return size
    for i in range(size):
        if space.column_of[term[i]] != space.column_of[code] or space.excluded[term[i]] & ~space.excluded[code]:
            term[n] = term[i]
            n += 1
    i = n
    while i and term[i - 1] > code:
        term[i] = term[i - 1]
        i -= 1
    term[i] = code
    return n + 1


cdef bint is_new(Space *space, const Cube *p, int32_t w, uint64_t part, int64_t x) noexcept nogil:
    """Return whether no rival lies within an implicant whose word w becomes `part`."""
    cdef int64_t r, v
    cdef const uint64_t *rival
    for r in range(space.n_rivals[x]):
        rival = space.stepped[space.rivals[x * space.room + r]].cells
        if rival[w] & ~part:
            continue
        for v in range(space.words):
            if v != w and rival[v] & ~p.cells[v]:
                break
        else:
            return False
    return True


cdef int64_t drop_rivals(Space *space, const uint64_t *cells, int32_t w, uint64_t part, int64_t x) noexcept nogil:
    """Drop new implicants that lie within another, whose word w becomes `part`; return how many there were."""
    cdef int64_t r, v, n = 0, count = space.n_rivals[x]
    cdef int32_t *rivals = space.rivals + x * space.room
    for r in range(count):
        for v in range(space.words):
            if (part if v == w else cells[v]) & ~space.stepped[rivals[r]].cells[v]:
                rivals[n] = rivals[r]
                n += 1
                break
        else:
            space.stepped[rivals[r]].size = -1
    space.n_rivals[x] = <int32_t> n
    return count - n


cdef int64_t berge_step(Space *space, Cube **implicants, int64_t count, const int32_t *term, int64_t size,
                        const Cube *cube) noexcept nogil:
    """Add a term to the other side; return how many implicants there are then, -1 when they are too many."""
    cdef int64_t n = 0, m = 0, gone = 0, a, i, x, met, last = 0
    cdef int32_t code, w
    cdef uint64_t part, column
    cdef Cube *p
    cdef Cube *stepped = space.stepped
    for x in range(cube.size):
        space.n_rivals[x] = 0
    for a in range(count):
        p = &implicants[0][a]
        met = 0
        for x in range(cube.size):
            if is_full(space, p.cells, cube.cells, cube.columns[x]):
                met += 1
                last = x
        if met:
            copy_cube(space, &stepped[n], p)
            p.size = -1
            if met == 1:
                space.rivals[last * space.room + space.n_rivals[last]] = <int32_t> n
                space.n_rivals[last] += 1
            n += 1
    for a in range(count):
        p = &implicants[0][a]
        if p.size < 0:
            continue
        for i in range(size):
            code = term[i] ^ 1
            w, column = space.word_of[code], space.bits[space.column_of[code]]
            part = p.cells[w] | space.excluded[code]
            if part & column == column:
                continue
            x = 0
            while cube.columns[x] != space.column_of[code]:
                x += 1
            if not is_new(space, p, w, part, x):
                continue
            if not space.is_plain:
                gone += drop_rivals(space, p.cells, w, part, x)
            if n - gone == space.most or n == space.room:
                return -1
            copy_cube(space, &stepped[n], p)
            exclude(space, &stepped[n], space.column_of[code], space.excluded[code])
            # Of two cells one is excluded: none of two new implicants lies within the other.
            if not space.is_plain:
                space.rivals[x * space.room + space.n_rivals[x]] = <int32_t> n
                space.n_rivals[x] += 1
            n += 1
    if gone:
        for a in range(n):
            if stepped[a].size >= 0:
                if m < a:
                    copy_cube(space, &stepped[m], &stepped[a])
                m += 1
        n = m
    space.stepped, implicants[0] = implicants[0], stepped
    return n


cdef bint escapes(Space *space, int64_t count) noexcept nogil:
    """Return whether some point that has no refuted cell lies in none of the first small implicants."""
    cdef int64_t a = 0, n_open, fewest = WIDEST
    cdef int32_t i, w = 0, j = 0
    cdef uint64_t kept
    cdef Cube *p
    cdef Cube *chosen = NULL
    cdef bint found
    # Where one column is open, the point must lie outside there.
    while a < count and fewest > 1:
        p = space.small[a]
        n_open = idnf_open_columns(p.cells, space.refuted, space.low, space.top, space.words)
        if n_open == 0:
            return False
        if n_open < 0:
            count -= 1
            space.small[a], space.small[count] = space.small[count], p
        elif n_open < fewest:
            fewest, chosen = n_open, p
        a += n_open > 0  # those that are left come first
    if chosen == NULL:
        return True
    for i in range(chosen.size):
        j, w = chosen.columns[i], space.word_of_column[chosen.columns[i]]
        if chosen.cells[w] & space.bits[j] & ~space.refuted[w]:
            break
    kept = space.refuted[w]
    space.refuted[w] = kept | space.bits[j] & ~chosen.cells[w]
    found = escapes(space, count)
    if fewest > 1 and not found:
        space.refuted[w] = kept | space.bits[j] & chosen.cells[w]
        found = escapes(space, count)
    space.refuted[w] = kept
    return found


cdef bint is_covered(Space *space, Cube *implicants, int64_t count, int64_t k) noexcept nogil:
    """Return whether the implicants of at most k columns cover what all of them cover."""
    cdef int64_t a, n = 0
    for a in range(count):
        if implicants[a].size <= k:
            space.small[n] = &implicants[a]
            n += 1
    for a in range(count):
        if implicants[a].size > k:
            memcpy(space.refuted, implicants[a].cells, space.words * sizeof(uint64_t))
            if escapes(space, n):
                return False
    return True


def implicants(cells, terms, int64_t most):
    """Find the implicants of the complement; see :func:`idnf.learning.local.specification.repairing.implicants`."""
    cdef Space space
    cdef Arena arena = Arena()
    cdef Cube *found
    cdef Cube *cube
    cdef int64_t a, w, n = 1
    cdef int32_t[::1] codes
    assert len(terms) <= MOST_TERMS, "a state that is worked on is not too large"
    open_space(&space, arena, cells, max([mask.bit_count() for mask in terms], default=0), most)
    found, cube = take_cubes(arena, space.room, space.words), take_cubes(arena, 1, space.words)
    find_cube(&space, NULL, 0, found)
    for mask in terms:
        codes = np.array([*codes_of(mask), 0], dtype=np.int32)
        find_cube(&space, &codes[0], len(codes) - 1, cube)
        n = berge_step(&space, &found, n, &codes[0], len(codes) - 1, cube)
        if n < 0:
            return None
    return [sum([int(found[a].cells[w]) << (64 * w) for w in range(space.words)]) for a in range(n)]
