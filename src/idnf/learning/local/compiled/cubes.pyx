# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Terms as the cells that they exclude; :mod:`idnf.learning.local.specification.repairing` says what is computed."""

from libc.string cimport memset

from idnf.learning.local import berge_task
from idnf.logic.literals import codes_of

cdef int64_t MOST_TERMS = berge_task.MOST_TERMS
# How many times as many implicants as are allowed may come up in a step, with those that are dropped again.
cdef int64_t DROPPED = 2

assert MOST_TERMS < WIDEST - 2, "an implicant restricts at most one column for each term"


cdef Cube *take_cubes(Arena arena, int64_t count, int64_t n_words) except NULL:
    cdef Cube *cubes = <Cube *> arena.room(count, sizeof(Cube))
    cdef uint64_t *cells = <uint64_t *> arena.room(count * n_words, sizeof(uint64_t))
    cdef int64_t n
    for n in range(count):
        cubes[n].cells, cubes[n].size = cells + n * n_words, 0
    return cubes


cdef int open_space(Space *space, Arena arena, object cells) except -1:
    words_of_columns, owners, words_of_literals, starts, members = cells.arrays
    excluded, columns, low, top = cells.bits
    space.is_plain, space.words = cells.is_plain, words_of_columns.max() + 1
    space.word_of_column, space.column_of = arena.int32s_of(words_of_columns), arena.int32s_of(owners)
    space.word_of = arena.int32s_of(words_of_literals)
    space.starts, space.members = arena.int32s_of(starts), arena.int32s_of(members)
    space.excluded, space.bits = arena.uint64s_of(excluded), arena.uint64s_of(columns)
    space.low, space.top = arena.uint64s_of(low), arena.uint64s_of(top)
    return 0


cdef int open_step(BergeStep *step, Arena arena, const Space *space, int64_t longest, int64_t most) except -1:
    step.most, step.room = most, most if space.is_plain else DROPPED * most
    step.stepped = take_cubes(arena, step.room, space.words)
    step.rivals, step.n_rivals = arena.ints(longest * step.room), arena.ints(longest)
    return 0


cdef int open_check(CoverCheck *check, Arena arena, const Space *space, int64_t most) except -1:
    check.small, check.refuted = <Cube **> arena.room(most, sizeof(void *)), arena.words(space.words)
    return 0


cdef int64_t read_term(object mask, int32_t *codes) except -1:
    cdef int64_t n = 0
    for code in codes_of(mask):
        codes[n] = code
        n += 1
    return n


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
    cdef int64_t i
    cube.size = 0
    memset(cube.cells, 0, space.words * sizeof(uint64_t))
    for i in range(size):
        if space.excluded[term[i]]:
            exclude(space, cube, space.column_of[term[i]], space.excluded[term[i]])


cdef int64_t with_literal(const Space *space, int32_t *term, int64_t size, int32_t code) noexcept nogil:
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


cdef inline bint is_full(const Space *space, const uint64_t *one, const uint64_t *other,
                         int32_t column) noexcept nogil:
    """Return whether no cell of a column is left to both of two masks."""
    cdef int32_t w = space.word_of_column[column]
    return (one[w] | other[w]) & space.bits[column] == space.bits[column]


cdef bint is_new(const Space *space, const BergeStep *step, const Cube *cube, int32_t w, uint64_t part,
                 int64_t x) noexcept nogil:
    """Return whether no rival lies within an implicant whose word w becomes `part`."""
    cdef int64_t r, v
    cdef const uint64_t *rival
    for r in range(step.n_rivals[x]):
        rival = step.stepped[step.rivals[x * step.room + r]].cells
        if rival[w] & ~part:
            continue
        for v in range(space.words):
            if v != w and rival[v] & ~cube.cells[v]:
                break
        else:
            return False
    return True


cdef int64_t drop_rivals(const Space *space, BergeStep *step, const uint64_t *cells, int32_t w, uint64_t part,
                         int64_t x) noexcept nogil:
    """Drop new implicants that lie within another, whose word w becomes `part`; return how many there were."""
    cdef int64_t r, v, n = 0, count = step.n_rivals[x]
    cdef int32_t *rivals = step.rivals + x * step.room
    for r in range(count):
        for v in range(space.words):
            if (part if v == w else cells[v]) & ~step.stepped[rivals[r]].cells[v]:
                rivals[n] = rivals[r]
                n += 1
                break
        else:
            step.stepped[rivals[r]].size = -1
    step.n_rivals[x] = <int32_t> n
    return count - n


cdef int64_t keep_conflicting(const Space *space, BergeStep *step, Cube *implicants, int64_t count,
                              const Cube *cube) noexcept nogil:
    """Keep the implicants that conflict with a term, rivals if on one column alone; return how many they are."""
    cdef int64_t n = 0, a, x, conflicts, last = 0
    for x in range(cube.size):
        step.n_rivals[x] = 0
    for a in range(count):
        conflicts = 0
        for x in range(cube.size):
            if is_full(space, implicants[a].cells, cube.cells, cube.columns[x]):
                conflicts += 1
                last = x
        if conflicts:
            copy_cube(space, &step.stepped[n], &implicants[a])
            implicants[a].size = -1
            if conflicts == 1:
                step.rivals[last * step.room + step.n_rivals[last]] = <int32_t> n
                step.n_rivals[last] += 1
            n += 1
    return n


cdef int64_t without_dropped(const Space *space, Cube *cubes, int64_t count) noexcept nogil:
    """Close the gaps between implicants; return how many they are."""
    cdef int64_t a, n = 0
    for a in range(count):
        if cubes[a].size >= 0:
            if n < a:
                copy_cube(space, &cubes[n], &cubes[a])
            n += 1
    return n


cdef int64_t berge_step(const Space *space, BergeStep *step, Cube **implicants, int64_t count, const int32_t *term,
                        int64_t size, const Cube *cube) noexcept nogil:
    cdef int64_t n = keep_conflicting(space, step, implicants[0], count, cube), gone = 0, a, i, x
    cdef int32_t code, w
    cdef uint64_t part, column
    cdef Cube *old
    cdef Cube *stepped = step.stepped
    for a in range(count):
        old = &implicants[0][a]
        if old.size < 0:
            continue
        for i in range(size):
            code = term[i] ^ 1
            w, column = space.word_of[code], space.bits[space.column_of[code]]
            part = old.cells[w] | space.excluded[code]
            if part & column == column:
                continue
            x = 0
            while cube.columns[x] != space.column_of[code]:
                x += 1
            if not is_new(space, step, old, w, part, x):
                continue
            if not space.is_plain:
                gone += drop_rivals(space, step, old.cells, w, part, x)
            if n - gone == step.most or n == step.room:
                return -1
            copy_cube(space, &stepped[n], old)
            exclude(space, &stepped[n], space.column_of[code], space.excluded[code])
            # Of two cells one is excluded: none of two new implicants lies within the other.
            if not space.is_plain:
                step.rivals[x * step.room + step.n_rivals[x]] = <int32_t> n
                step.n_rivals[x] += 1
            n += 1
    if gone:
        n = without_dropped(space, stepped, n)
    step.stepped, implicants[0] = implicants[0], stepped
    return n


cdef bint escapes(const Space *space, CoverCheck *check, int64_t count) noexcept nogil:
    """Return whether some point that has no refuted cell lies in none of the first small implicants."""
    cdef int64_t a = 0, n_open, fewest = WIDEST
    cdef int32_t i, w = 0, j = 0
    cdef uint64_t kept
    cdef Cube *cube
    cdef Cube *chosen = NULL
    cdef bint is_outside
    # Where one column is open, the point must lie outside there.
    while a < count and fewest > 1:
        cube = check.small[a]
        n_open = open_columns(cube.cells, check.refuted, space.low, space.top, space.words)
        if n_open == 0:
            return False
        if n_open < 0:
            count -= 1
            check.small[a], check.small[count] = check.small[count], cube
        elif n_open < fewest:
            fewest, chosen = n_open, cube
        a += n_open > 0  # those that are left come first
    if chosen == NULL:
        return True
    for i in range(chosen.size):
        j, w = chosen.columns[i], space.word_of_column[chosen.columns[i]]
        if chosen.cells[w] & space.bits[j] & ~check.refuted[w]:
            break
    kept = check.refuted[w]
    check.refuted[w] = kept | space.bits[j] & ~chosen.cells[w]
    is_outside = escapes(space, check, count)
    if fewest > 1 and not is_outside:
        check.refuted[w] = kept | space.bits[j] & chosen.cells[w]
        is_outside = escapes(space, check, count)
    check.refuted[w] = kept
    return is_outside


cdef bint is_covered(const Space *space, CoverCheck *check, Cube *implicants, int64_t count, int64_t k) noexcept nogil:
    cdef int64_t a, n = 0
    for a in range(count):
        if implicants[a].size <= k:
            check.small[n] = &implicants[a]
            n += 1
    for a in range(count):
        if implicants[a].size > k:
            memcpy(check.refuted, implicants[a].cells, space.words * sizeof(uint64_t))
            if escapes(space, check, n):
                return False
    return True


def implicants(cells, terms, int64_t most):
    """Find the implicants of the complement; see :func:`idnf.learning.local.specification.repairing.implicants`."""
    cdef Space space
    cdef BergeStep step
    cdef Arena arena = Arena()
    cdef Cube *cubes
    cdef Cube *cube
    cdef int64_t a, w, n = 1, size, longest = max([mask.bit_count() for mask in terms], default=0)
    cdef int32_t *codes = arena.ints(longest)
    assert len(terms) <= MOST_TERMS, "a state that is worked on is not too large"
    open_space(&space, arena, cells)
    open_step(&step, arena, &space, longest, most)
    cubes, cube = take_cubes(arena, step.room, space.words), take_cubes(arena, 1, space.words)
    find_cube(&space, NULL, 0, cubes)
    for mask in terms:
        size = read_term(mask, codes)
        find_cube(&space, codes, size, cube)
        n = berge_step(&space, &step, &cubes, n, codes, size, cube)
        if n < 0:
            return None
    return [sum([int(cubes[a].cells[w]) << (64 * w) for w in range(space.words)]) for a in range(n)]
