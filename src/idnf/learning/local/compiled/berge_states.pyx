# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Labelled terms with what belongs to them; `BergeState` of the specification."""

from libc.string cimport memset

from idnf.learning.local.compiled.cubes cimport berge_step, copy_cube, find_cube, is_part, take_cubes

from idnf.learning.local import berge_task

cdef int64_t MOST_TERMS = berge_task.MOST_TERMS


cdef int open_state(BergeState *state, Arena arena, const Table *table, const Space *space, int64_t line,
                    int64_t implicants) except -1:
    cdef int64_t most = MOST_TERMS + 2
    state.line = line
    state.sizes, state.labels = arena.ints(most), arena.ints(most)
    state.terms, state.masks = arena.ints(most * line), arena.words(most * table.words)
    state.cubes = take_cubes(arena, most, space.words)
    state.implicants = take_cubes(arena, implicants, space.words)
    clear_state(space, state)
    return 0


cdef void clear_state(const Space *space, BergeState *state) noexcept nogil:
    state.n_terms, state.n_implicants = 0, 1
    find_cube(space, NULL, 0, state.implicants)


cdef void copy_terms(const BergeState *state, BergeState *into) noexcept nogil:
    into.n_terms = state.n_terms
    memcpy(into.sizes, state.sizes, state.n_terms * sizeof(int32_t))
    memcpy(into.labels, state.labels, state.n_terms * sizeof(int32_t))
    memcpy(into.terms, state.terms, state.n_terms * state.line * sizeof(int32_t))


cdef void copy_state(const Table *table, const Space *space, const BergeState *state, BergeState *into) noexcept nogil:
    cdef int64_t n
    copy_terms(state, into)
    memcpy(into.masks, state.masks, state.n_terms * table.words * sizeof(uint64_t))
    into.n_implicants = state.n_implicants
    for n in range(state.n_terms):
        copy_cube(space, &into.cubes[n], &state.cubes[n])
    for n in range(state.n_implicants):
        copy_cube(space, &into.implicants[n], &state.implicants[n])


cdef void remake_masks(const Table *table, BergeState *state) noexcept nogil:
    cdef int64_t t
    for t in range(state.n_terms):
        find_examples(table, state.terms + t * state.line, state.sizes[t], table.everything,
                      state.masks + t * table.words)


cdef int64_t drop_parts(const Table *table, const Space *space, BergeState *state, const Cube *cube) noexcept nogil:
    """Drop the terms that lie in another; return how many are left."""
    cdef int64_t line = state.line, words = table.words, t, n = 0
    for t in range(state.n_terms):
        if not is_part(space, cube.cells, state.cubes[t].cells):
            if n < t:
                memcpy(state.terms + n * line, state.terms + t * line, line * sizeof(int32_t))
                memcpy(state.masks + n * words, state.masks + t * words, words * sizeof(uint64_t))
                copy_cube(space, &state.cubes[n], &state.cubes[t])
                state.sizes[n], state.labels[n] = state.sizes[t], state.labels[t]
            n += 1
    return n


cdef bint add_term(Table *table, const Space *space, BergeStep *step, BergeState *state, int32_t label,
                   const int32_t *term, int64_t size, const uint64_t *mask) noexcept nogil:
    cdef int64_t words = table.words, n
    cdef Cube *cube = &state.cubes[state.n_terms]
    find_cube(space, term, size, cube)
    n = drop_parts(table, space, state, cube)
    if n < state.n_terms:
        copy_cube(space, &state.cubes[n], cube)
    memcpy(state.terms + n * state.line, term, size * sizeof(int32_t))
    state.sizes[n], state.labels[n] = <int32_t> size, label
    if mask != NULL:
        memcpy(state.masks + n * words, mask, words * sizeof(uint64_t))
    else:
        find_examples(table, term, size, table.everything, state.masks + n * words)
    state.n_terms = n + 1
    table.work += state.n_implicants * size * 8 + words * size
    state.n_implicants = berge_step(space, step, &state.implicants, state.n_implicants, term, size, &state.cubes[n])
    return state.n_implicants >= 0 and state.n_terms <= MOST_TERMS


cdef void find_covered(const Table *table, const BergeState *state, int64_t label, uint64_t *into) noexcept nogil:
    cdef int64_t t, w
    memset(into, 0, table.words * sizeof(uint64_t))
    for t in range(state.n_terms):
        if label < 0 or state.labels[t] == label:
            for w in range(table.words):
                into[w] |= state.masks[t * table.words + w]
