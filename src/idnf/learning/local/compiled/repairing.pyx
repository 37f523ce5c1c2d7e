# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Berge steps; :mod:`idnf.learning.local.specification.repairing` says what they are."""

from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy

from idnf.learning.local.compiled.arena cimport Arena
from idnf.learning.local.compiled.berge_problem cimport BergeProblem, open_problem
from idnf.learning.local.compiled.berge_states cimport (
    BergeState, add_term, clear_state, copy_state, copy_terms, find_covered, open_state, remake_masks,
)
from idnf.learning.local.compiled.cubes cimport (
    BergeStep, CoverCheck, in_conflict, is_covered, open_check, open_step, read_term,
)
from idnf.learning.local.compiled.heat_bath cimport Bath, choose, open_bath, random_below
from idnf.learning.local.compiled.loops cimport loops
from idnf.learning.local.compiled.new_terms cimport TermMaker, new_term, open_maker
from idnf.learning.local.compiled.packed_table cimport Table, is_time_to_ask, look_at, open_table

import numpy as np

from idnf.learning.local import berge_task
from idnf.learning.local.berge_task import Repaired
from idnf.logic.literals import mask_of

cdef int64_t MOST_ADDED = berge_task.MOST_ADDED
cdef int64_t MOST_CANDIDATES = berge_task.MOST_CANDIDATES
cdef int64_t MOST_IMPLICANTS = berge_task.MOST_IMPLICANTS


cdef struct BergeSearch:
    Table table
    BergeProblem problem
    Bath bath
    BergeStep step
    CoverCheck check
    TermMaker maker
    BergeState now
    BergeState next         # what a move makes of it
    BergeState best         # its terms alone
    int32_t *base           # scratch: a term that new ones hold
    uint64_t *covered       # scratch: examples


# Which terms a move drops, and what new ones hold.
cdef struct Dropped:
    int64_t count
    int64_t first
    int64_t other
    int64_t n_base
    int32_t base_label


cdef int open_search(BergeSearch *search, Arena arena, object task, int64_t line, uint64_t seed) except -1:
    cdef Table *table = &search.table
    cdef BergeProblem *problem = &search.problem
    cdef int64_t candidates = max(2 * task.examples.n_features, 2 * MOST_CANDIDATES) + 2
    open_bath(&search.bath, arena, seed, candidates)
    open_table(table, arena, task.examples, candidates)
    open_problem(problem, arena, task)
    open_step(&search.step, arena, &problem.space, min(problem.width, table.n_features), MOST_IMPLICANTS)
    open_check(&search.check, arena, &problem.space, MOST_IMPLICANTS)
    open_maker(&search.maker, arena, table, problem, &search.bath)
    # Several literals of a start may say of a column what no two do.
    line = max(line, problem.width)
    open_state(&search.now, arena, table, &problem.space, line, search.step.room)
    open_state(&search.next, arena, table, &problem.space, line, search.step.room)
    open_state(&search.best, arena, table, &problem.space, line, search.step.room)
    search.base, search.covered = arena.ints(line), arena.words(table.words)
    return 0


cdef int64_t state_value(BergeSearch *search, const BergeState *state) noexcept nogil:
    cdef int64_t t, l, value = 0
    for l in range(search.problem.gains.n_labels):
        if l != search.problem.gains.otherwise:
            find_covered(&search.table, state, l, search.covered)
            value += loops.weight(search.covered, search.problem.gains.weights + l * search.problem.gains.stride,
                                  search.table.size)
    for t in range(state.n_terms):
        value -= search.problem.price * state.sizes[t]
    return value


cdef bint keeps_forced(const BergeProblem *problem, const BergeState *state) noexcept nogil:
    """Return whether no point of a term that is forced to have another label is of the default label."""
    cdef int64_t a, c
    for c in range(problem.forced.count):
        if problem.forced.labels[c] != problem.gains.otherwise:
            for a in range(state.n_implicants):
                if not in_conflict(&problem.space, &problem.forced.cubes[c], &state.implicants[a]):
                    return False
    return True


cdef bint is_interpretable(BergeSearch *search, const BergeState *state) noexcept nogil:
    """Return whether implicants of at most k columns cover the default."""
    return is_covered(&search.problem.space, &search.check, state.implicants, state.n_implicants, search.problem.k)


cdef Dropped draw_dropped(BergeSearch *search) noexcept nogil:
    """Draw up to two terms to drop; new ones may have to hold the dropped one."""
    cdef const BergeState *now = &search.now
    cdef Dropped dropped = Dropped(random_below(&search.bath, 3), -1, -1, 0, -1)
    dropped.count = min(dropped.count, now.n_terms)
    if dropped.count:
        dropped.first = random_below(&search.bath, now.n_terms)
        if dropped.count == 2:
            dropped.other = random_below(&search.bath, now.n_terms - 1)
            dropped.other += dropped.other >= dropped.first
        if dropped.count == 1 and now.sizes[dropped.first] < search.problem.width and (
                random_below(&search.bath, 2) == 0):
            dropped.n_base, dropped.base_label = now.sizes[dropped.first], now.labels[dropped.first]
            memcpy(search.base, now.terms + dropped.first * now.line, dropped.n_base * sizeof(int32_t))
    return dropped


cdef bint drop_terms(BergeSearch *search, const Dropped *dropped) noexcept nogil:
    """Make the next state of the other terms; return whether it is not too large."""
    cdef const BergeState *now = &search.now
    cdef int64_t t
    if not dropped.count:
        copy_state(&search.table, &search.problem.space, now, &search.next)
        return True
    clear_state(&search.problem.space, &search.next)
    for t in range(now.n_terms):
        if t != dropped.first and t != dropped.other and not add_term(
                &search.table, &search.problem.space, &search.step, &search.next, now.labels[t],
                now.terms + t * now.line, now.sizes[t], now.masks + t * search.table.words):
            return False
    return True


cdef bint make_move(BergeSearch *search) noexcept nogil:
    """Drop some terms and add others; return whether that gave a state to compare."""
    cdef TermMaker *maker = &search.maker
    cdef Dropped dropped = draw_dropped(search)
    cdef int64_t t, n
    cdef int32_t label
    cdef bint is_long
    if not drop_terms(search, &dropped):
        return False
    maker.is_sure = search.problem.space.is_plain or random_below(&search.bath, 2)
    if dropped.count and maker.is_sure and not is_interpretable(search, &search.next):
        return False
    is_long = dropped.n_base > 0 or random_below(&search.bath, 2) == 0
    for n in range(1 + random_below(&search.bath, MOST_ADDED)):
        label = dropped.base_label
        t = new_term(maker, &search.next, search.base, dropped.n_base, is_long, &label)
        if t < 0:
            break
        if not add_term(&search.table, &search.problem.space, &search.step, &search.next, label,
                        maker.made.terms + t * maker.made.width, maker.made.sizes[t], NULL):
            return False
    return keeps_forced(&search.problem, &search.next) and (
        maker.is_sure or is_interpretable(search, &search.next))


def repair(task, terms, cooling, uint64_t seed, is_over):
    """Make moves from some labelled terms; see :func:`idnf.learning.local.specification.repairing.repair`."""
    cdef BergeSearch search
    cdef BergeState swapped
    cdef Arena arena = Arena()
    cdef int64_t line = max([mask.bit_count() for mask, _ in terms], default=0)
    cdef int64_t size = task.examples.size, price = task.price
    cdef int64_t step, steps = len(cooling.temperatures), length, value, now_value, best_value
    cdef const int64_t *temperatures = arena.int64s_of(np.array(cooling.temperatures, dtype=np.int64))
    cdef const int64_t *sizes = arena.int64s_of(np.array(cooling.sizes, dtype=np.int64))
    cdef int64_t[2] pair
    cdef bint cut = False, kept
    open_search(&search, arena, task, line, seed)
    for mask, label in terms:
        length = read_term(mask, search.base)
        kept = add_term(&search.table, &search.problem.space, &search.step, &search.now, label, search.base, length,
                        NULL)
        assert kept, "a search starts from a state that is not too large"
    with nogil:
        now_value = best_value = state_value(&search, &search.now)
        copy_terms(&search.now, &search.best)
        for step in range(steps):
            if sizes[step] != search.table.size:
                look_at(&search.table, sizes[step])
                search.problem.price = price * search.table.size // size
                remake_masks(&search.table, &search.now)
                now_value = best_value = state_value(&search, &search.now)
                copy_terms(&search.now, &search.best)
            search.bath.temperature = temperatures[step]
            if make_move(&search):
                value = state_value(&search, &search.next)
                pair[0], pair[1] = value, now_value
                if choose(&search.bath, pair, 2) == 0:
                    swapped = search.now
                    search.now = search.next
                    search.next = swapped
                    now_value = value
                    if value > best_value:
                        best_value = value
                        copy_terms(&search.now, &search.best)
            if is_time_to_ask(&search.table):
                with gil:
                    cut = is_over()
                if cut:
                    break
        look_at(&search.table, size)
        search.problem.price = price
        remake_masks(&search.table, &search.best)
        value = state_value(&search, &search.best)
    return Repaired(value, labelled_terms(&search.best), cut)


cdef object labelled_terms(const BergeState *state):
    cdef int64_t t, i
    return tuple([
        (mask_of([state.terms[t * state.line + i] for i in range(state.sizes[t])]), state.labels[t])
        for t in range(state.n_terms)
    ])
