# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Terms that conflict with all of some options; `_hitting_sets` of the specification."""

from libc.string cimport memcmp, memcpy, memset

from idnf.learning.local.compiled.cubes cimport (
    bars, excludes, find_cube, in_conflict, restricts, take_cubes, with_literal,
)
from idnf.learning.local.compiled.heat_bath cimport shuffle

from idnf.learning.local import berge_task

cdef int64_t MOST_NODES = berge_task.MOST_NODES
cdef int64_t MOST_CANDIDATES = berge_task.MOST_CANDIDATES


cdef int open_terms(TermList *terms, Arena arena, int64_t most, int64_t width) except -1:
    terms.count, terms.width = 0, width
    terms.terms, terms.sizes = arena.ints(most * width), arena.ints(most)
    return 0


cdef int open_hitting_sets(HittingSets *sets, Arena arena, const Space *space, Bath *bath, const int8_t *is_usable,
                           int64_t n_literals, int64_t n_codes, int64_t width, int64_t options) except -1:
    # No term has more literals than there are.
    cdef int64_t levels = min(width, n_literals) + 3
    sets.space, sets.bath, sets.is_usable = space, bath, is_usable
    sets.options.room = options
    sets.options.cubes = <const Cube **> arena.room(options, sizeof(void *))
    sets.options.sizes, sets.options.keys = arena.ints(options), arena.words(options * space.words)
    sets.levels.n_codes, sets.levels.n_literals = n_codes, 2 * width + 2
    sets.levels.open_options = arena.ints(levels * options)
    sets.levels.codes, sets.levels.orders = arena.ints(levels * n_codes), arena.ints(levels * n_codes)
    sets.levels.terms = arena.ints(levels * sets.levels.n_literals)
    sets.held = take_cubes(arena, 1, space.words)
    open_terms(&sets.found, arena, MOST_CANDIDATES, width)
    return 0


cdef int64_t literals_against(const HittingSets *sets, const Cube *option, int32_t *codes) noexcept nogil:
    """Find the usable literals that conflict with an option; return how many they are."""
    cdef const Space *space = sets.space
    cdef int64_t i, m, n = 0
    cdef int32_t j, code
    for i in range(option.size):
        j = option.columns[i]
        for m in range(space.starts[j], space.starts[j + 1]):
            code = space.members[m]
            if sets.is_usable[code] and bars(space, code, option.cells):
                codes[n] = code
                n += 1
    return n


cdef bint begin_with(HittingSets *sets, const int32_t *base, int64_t n_base) noexcept nogil:
    cdef int64_t i
    sets.options.count = sets.nodes = sets.found.count = 0
    for i in range(n_base):
        if not sets.is_usable[base[i]]:
            return False
    find_cube(sets.space, base, n_base, sets.held)
    return True


cdef bint add_option(HittingSets *sets, const Cube *cube) noexcept nogil:
    cdef Options *options = &sets.options
    cdef const int32_t *codes = sets.levels.codes
    cdef uint64_t *key = options.keys + options.count * sets.space.words
    cdef int64_t i, size
    if in_conflict(sets.space, cube, sets.held):
        return True
    options.cubes[options.count] = cube
    size = literals_against(sets, cube, sets.levels.codes)
    options.sizes[options.count] = <int32_t> size
    if sets.space.is_plain:
        memset(key, 0, sets.space.words * sizeof(uint64_t))
        for i in range(size):
            key[codes[i] >> 6] |= <uint64_t> 1 << (codes[i] & 63)
    options.count += 1
    return size > 0


cdef inline bint comes_before(const HittingSets *sets, int64_t one, int64_t other) noexcept nogil:
    """Return whether fewer literals conflict with one option than with another, or as many, smaller plain ones."""
    cdef int64_t words = sets.space.words, w
    cdef const int32_t *sizes = sets.options.sizes
    cdef const uint64_t *a = sets.options.keys + one * words
    cdef const uint64_t *b = sets.options.keys + other * words
    if sizes[one] != sizes[other] or not sets.space.is_plain:
        return sizes[one] < sizes[other]
    for w in range(words - 1, -1, -1):
        if a[w] != b[w]:
            return a[w] < b[w]
    return False


cdef inline bint is_met(const HittingSets *sets, const uint64_t *option, const uint64_t *held,
                        int32_t code) noexcept nogil:
    """Return whether some usable literal that conflicts with an option says no more than a literal that was added."""
    cdef const Space *space = sets.space
    cdef int64_t m
    cdef int32_t j = space.column_of[code]
    if space.is_plain:
        return bars(space, code, option)
    for m in range(space.starts[j], space.starts[j + 1]):
        code = space.members[m]
        if sets.is_usable[code] and bars(space, code, option) and excludes(space, held, code):
            return True
    return False


cdef bint keep_term(HittingSets *sets, const int32_t *term, int64_t size) noexcept nogil:
    """Keep a term that conflicts with all it must, unless it is known or too long; return whether to go on."""
    cdef TermList *found = &sets.found
    cdef int64_t n = 0
    while n < found.count and (
            found.sizes[n] != size or memcmp(found.terms + n * found.width, term, size * sizeof(int32_t))):
        n += 1
    if n == found.count and size <= found.width:
        memcpy(found.terms + n * found.width, term, size * sizeof(int32_t))
        found.sizes[n] = <int32_t> size
        found.count += 1
    return found.count < MOST_CANDIDATES and sets.nodes < MOST_NODES


cdef bint search(HittingSets *sets, int64_t level, int64_t n_open, int64_t room, const int32_t *term,
                 int64_t size) noexcept nogil:
    """Look for terms that conflict with all open options and restrict `room` more columns; return whether to go on."""
    cdef const Space *space = sets.space
    cdef Levels *levels = &sets.levels
    cdef int32_t *open_here = levels.open_options + level * sets.options.room
    cdef int32_t *open_there = open_here + sets.options.room
    cdef int32_t *codes = levels.codes + level * levels.n_codes
    cdef int32_t *order = levels.orders + level * levels.n_codes
    cdef int32_t *longer = levels.terms + level * levels.n_literals
    cdef uint64_t *held = sets.held.cells
    cdef uint64_t kept
    cdef int64_t c, o, n, count, left, long_size, first
    cdef int32_t code, w
    sets.nodes += 1
    if n_open == 0:
        return keep_term(sets, term, size)
    if sets.nodes >= MOST_NODES:
        return False
    if level == sets.found.width or room == 0 and space.is_plain:
        return True
    first = open_here[0]
    for o in range(1, n_open):
        if comes_before(sets, open_here[o], first):
            first = open_here[o]
    count = literals_against(sets, sets.options.cubes[first], codes)
    shuffle(sets.bath, order, count)
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
            if not is_met(sets, sets.options.cubes[open_here[o]].cells, held, code):
                open_there[n] = open_here[o]
                n += 1
        if not search(sets, level + 1, n, left, longer, long_size):
            return False
        held[w] = kept
    return True


cdef void find_terms(HittingSets *sets, int64_t k, const int32_t *base, int64_t n_base) noexcept nogil:
    cdef int64_t o
    for o in range(sets.options.count):
        sets.levels.open_options[o] = <int32_t> o
    search(sets, 0, sets.options.count, k - sets.held.size, base, n_base)
