# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Terms around an example; `_new_term` of the specification."""

from libc.string cimport memcmp, memcpy, memset

from idnf.learning.local.compiled.berge_problem cimport Forced, LabelGains
from idnf.learning.local.compiled.berge_states cimport find_covered, find_examples
from idnf.learning.local.compiled.cubes cimport (
    Cube, Space, excludes, find_cube, is_part, restricts, take_cubes, with_literal,
)
from idnf.learning.local.compiled.heat_bath cimport choose, random_share
from idnf.learning.local.compiled.hitting_sets cimport (
    add_option, begin_with, find_terms, open_hitting_sets, open_terms,
)
from idnf.learning.local.compiled.loops cimport loops, lowest
from idnf.learning.local.compiled.packed_table cimport feature_sums, literal_values

from idnf.learning.local import berge_task

cdef int64_t MOST_CANDIDATES = berge_task.MOST_CANDIDATES
cdef int64_t MOST_IMPLICANTS = berge_task.MOST_IMPLICANTS
cdef int64_t MOST_TERMS = berge_task.MOST_TERMS
# Terms around an example at which it is remembered what literals are worth.
cdef int64_t REMEMBERED = 32


cdef int open_maker(TermMaker *maker, Arena arena, Table *table, const BergeProblem *problem, Bath *bath) except -1:
    cdef int64_t literals = 2 * table.n_features, words = problem.space.words
    maker.table, maker.problem, maker.bath = table, problem, bath
    maker.usable.codes, maker.usable.is_usable = arena.ints(literals), <int8_t *> arena.take(literals, 1)
    maker.usable.own, maker.usable.is_taken = arena.words(words), <int8_t *> arena.room(MOST_IMPLICANTS, 1)
    open_hitting_sets(&maker.sets, arena, &problem.space, bath, maker.usable.is_usable, literals, problem.n_allowed,
                      problem.width, MOST_IMPLICANTS + MOST_TERMS + problem.forced.count + 1)
    open_terms(&maker.worths.terms, arena, REMEMBERED, problem.width)
    maker.worths.values = arena.longs(REMEMBERED * (literals + 2))
    open_terms(&maker.made, arena, MOST_CANDIDATES + MOST_CANDIDATES // 2 + 1, problem.width)
    maker.left, maker.holding = arena.words(table.words), arena.words(table.words)
    maker.totals, maker.free_places = arena.longs(problem.gains.n_labels), arena.ints(literals)
    return 0


cdef void find_usable(TermMaker *maker, const BergeState *state, int64_t example) noexcept nogil:
    """Find the literals for terms around an example: if terms are sure, within tight implicants that it has."""
    cdef const Space *space = &maker.problem.space
    cdef const int8_t *cells = maker.table.cells + example * maker.table.line
    cdef Usable *usable = &maker.usable
    cdef int64_t a, i, count, n = 0
    cdef int32_t code
    cdef const Cube *implicant
    for i in range(maker.problem.n_allowed):
        code = maker.problem.allowed[i]
        if (cells[code >> 1] != 0) != (code & 1):
            usable.codes[n] = code
            n += 1
    memset(usable.own, 0, space.words * sizeof(uint64_t))
    for i in range(maker.table.n_features):
        code = <int32_t> (2 * i + (cells[i] == 0))
        usable.own[space.word_of[code]] |= space.excluded[code]
    for a in range(state.n_implicants):
        implicant = &state.implicants[a]
        usable.is_taken[a] = maker.is_sure and maker.problem.takes_whole and implicant.size == maker.problem.k and (
            is_part(space, implicant.cells, usable.own))
        if usable.is_taken[a]:
            count, n = n, 0
            for i in range(count):
                if restricts(space, implicant.cells, usable.codes[i]):
                    usable.codes[n] = usable.codes[i]
                    n += 1
    usable.count = n


cdef bint add_options(TermMaker *maker, const BergeState *state, int32_t label) noexcept nogil:
    """Add all that new terms of a label must conflict with; return whether they can."""
    cdef const Forced *forced = &maker.problem.forced
    cdef int64_t a
    for a in range(state.n_implicants):
        if maker.is_sure and state.implicants[a].size == maker.problem.k and not maker.usable.is_taken[a]:
            if not add_option(&maker.sets, &state.implicants[a]):
                return False
    for a in range(state.n_terms):
        if state.labels[a] != label and not add_option(&maker.sets, &state.cubes[a]):
            return False
    for a in range(forced.count):
        if forced.labels[a] != label and not add_option(&maker.sets, &forced.cubes[a]):
            return False
    return True


cdef void find_legal(TermMaker *maker, const BergeState *state, int32_t label, const int32_t *base,
                     int64_t n_base) noexcept nogil:
    """Find terms of usable literals that hold a base and conflict with all they must."""
    cdef Usable *usable = &maker.usable
    cdef int64_t i
    for i in range(usable.count):
        usable.is_usable[usable.codes[i]] = 1
    if begin_with(&maker.sets, base, n_base) and add_options(maker, state, label):
        find_terms(&maker.sets, maker.problem.k, base, n_base)
    for i in range(usable.count):
        usable.is_usable[usable.codes[i]] = 0


cdef const int64_t *values_at(TermMaker *maker, int32_t label, const int32_t *term, int64_t size,
                              bint is_long) noexcept nogil:
    """Return what each usable literal is worth at a term, and then what the term is worth as it is."""
    cdef const LabelGains *gains = &maker.problem.gains
    cdef TermList *known = &maker.worths.terms
    cdef int64_t n, total, stride = 2 * maker.table.n_features + 2
    cdef int64_t *values
    for n in range(known.count):
        if known.sizes[n] == size and not memcmp(known.terms + n * known.width, term, size * sizeof(int32_t)):
            return maker.worths.values + n * stride
    # The last place is overwritten again and again once the others are taken.
    n = known.count
    values = maker.worths.values + n * stride
    if n < REMEMBERED - 1:
        known.sizes[n] = <int32_t> size
        memcpy(known.terms + n * known.width, term, size * sizeof(int32_t))
        known.count += 1
    find_examples(maker.table, term, size, maker.left, maker.holding)
    total = feature_sums(maker.table, maker.holding,
                         (gains.cautious if is_long else gains.weights) + label * gains.stride,
                         maker.table.scratch.sums)
    literal_values(maker.table, maker.usable.codes, maker.usable.count, total, values)
    values[maker.usable.count] = total
    return values


cdef int64_t complete(TermMaker *maker, int32_t label, int32_t *term, int64_t size, bint is_long) noexcept nogil:
    """Add literals to a term while there is room and they are drawn; return its size."""
    cdef const BergeProblem *problem = maker.problem
    cdef const Space *space = &problem.space
    cdef const Usable *usable = &maker.usable
    cdef Cube *held = maker.sets.held
    cdef int64_t *drawn_from = maker.table.scratch.values
    cdef int64_t step, i, n, chosen, price
    cdef int32_t code
    cdef bint is_full
    cdef const int64_t *values
    for step in range(problem.width):
        if size == problem.width:
            break
        find_cube(space, term, size, held)
        is_full = held.size == problem.k
        values = values_at(maker, label, term, size, is_long)
        price = 0 if is_long and not is_full else problem.price
        n = 0
        for i in range(usable.count):
            code = usable.codes[i]
            maker.free_places[n] = <int32_t> i
            drawn_from[n] = values[i] - price
            n += space.is_plain or not excludes(space, held.cells, code) and (
                not is_full or restricts(space, held.cells, code))
        if n == 0:
            break
        drawn_from[n] = values[usable.count]
        chosen = choose(maker.bath, drawn_from, n + (is_full or not is_long))
        if chosen == n:
            break
        size = with_literal(space, term, size, usable.codes[maker.free_places[chosen]])
    return size


cdef void find_left(TermMaker *maker, const BergeState *state, const int32_t *base, int64_t n_base) noexcept nogil:
    """Find the examples that satisfy a base and no term."""
    cdef int64_t w
    find_covered(maker.table, state, -1, maker.holding)
    find_examples(maker.table, base, n_base, maker.table.everything, maker.left)
    for w in range(maker.table.words):
        maker.left[w] &= ~maker.holding[w]
    maker.table.work += maker.table.words * (state.n_terms + n_base)


cdef int64_t draw_example(TermMaker *maker, int32_t *label) noexcept nogil:
    """Draw one of the examples left by what it would gain, and a label unless it has one; -1 if nothing is gained."""
    cdef const LabelGains *gains = &maker.problem.gains
    cdef int64_t w, first = label[0], last = label[0] + 1, total = 0, drawn
    cdef int32_t l, weight
    cdef uint64_t word
    if first < 0:
        first, last = 0, gains.n_labels
    for l in range(first, last):
        maker.totals[l] = loops.weight(maker.left, gains.positive + l * gains.stride, maker.table.size) if (
            l != gains.otherwise) else 0
        total += maker.totals[l]
    maker.table.work += maker.table.size * (last - first)
    if total == 0:
        return -1
    drawn = random_share(maker.bath, total)
    l = <int32_t> first
    while drawn >= maker.totals[l]:
        drawn -= maker.totals[l]
        l += 1
    label[0] = l
    for w in range(maker.table.words):
        word = maker.left[w]
        while word:
            weight = gains.positive[l * gains.stride + (w << 6) + lowest(word)]
            if drawn < weight:
                return (w << 6) + lowest(word)
            drawn -= weight
            word &= word - 1
    return -1


cdef void make_terms(TermMaker *maker, int32_t label, bint is_long) noexcept nogil:
    """Complete each of the terms found, several times if they are few."""
    cdef const TermList *found = &maker.sets.found
    cdef TermList *made = &maker.made
    cdef int32_t *term
    cdef int64_t times, j
    made.count = 0
    for times in range(1 + MOST_CANDIDATES // 2 // found.count):
        for j in range(found.count):
            term = made.terms + made.count * made.width
            memcpy(term, found.terms + j * found.width, found.sizes[j] * sizeof(int32_t))
            made.sizes[made.count] = <int32_t> complete(maker, label, term, found.sizes[j], is_long)
            made.count += 1


cdef int64_t new_term(TermMaker *maker, const BergeState *state, const int32_t *base, int64_t n_base, bint is_long,
                      int32_t *label) noexcept nogil:
    cdef const LabelGains *gains = &maker.problem.gains
    cdef const TermList *made = &maker.made
    cdef int64_t *values = maker.table.scratch.values
    cdef int64_t example, t
    find_left(maker, state, base, n_base)
    example = draw_example(maker, label)
    if example < 0:
        return -1
    find_usable(maker, state, example)
    maker.worths.terms.count = 0
    find_legal(maker, state, label[0], base, n_base)
    if maker.sets.found.count == 0:
        return -1
    make_terms(maker, label[0], is_long)
    for t in range(made.count):
        find_examples(maker.table, made.terms + t * made.width, made.sizes[t], maker.left, maker.holding)
        values[t] = loops.weight(maker.holding, gains.weights + label[0] * gains.stride, maker.table.size) - (
            maker.problem.price * made.sizes[t])
    values[made.count] = 0
    t = choose(maker.bath, values, made.count + 1)
    return t if t < made.count else -1
