# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What is searched by Berge steps; :class:`idnf.learning.local.berge_task.BergeTask` as numbers."""

from idnf.learning.local.compiled.cubes cimport WIDEST, find_cube, open_space, read_term, take_cubes

from idnf.learning.local import berge_task

cdef int32_t CAUTION = berge_task.CAUTION


cdef int open_problem(BergeProblem *problem, Arena arena, object task) except -1:
    problem.k, problem.width, problem.price = task.k, berge_task.term_room(task), task.price
    problem.takes_whole = berge_task.takes_whole(task)
    problem.allowed, problem.n_allowed = arena.int32s_of(task.allowed), len(task.allowed)
    open_space(&problem.space, arena, task.counted)
    open_gains(&problem.gains, arena, task.gains, task.default)
    open_forced(&problem.forced, arena, &problem.space, task.forced)
    return 0


cdef int open_gains(LabelGains *gains, Arena arena, object of_labels, int64_t otherwise) except -1:
    cdef const int32_t *each = arena.int32s_of(of_labels)
    cdef int64_t n, count
    gains.n_labels, gains.stride = of_labels.shape
    gains.otherwise = otherwise
    count = gains.n_labels * gains.stride
    gains.weights, gains.cautious, gains.positive = arena.ints(count), arena.ints(count), arena.ints(count)
    for n in range(count):
        gains.weights[n] = each[n]
        gains.cautious[n] = CAUTION * each[n] if each[n] < 0 else each[n]
        gains.positive[n] = each[n] if each[n] > 0 else 0
    return 0


cdef int open_forced(Forced *forced, Arena arena, const Space *space, object terms_of_labels) except -1:
    cdef int32_t codes[WIDEST]
    cdef int64_t n
    labelled = [(term, label) for label, terms in enumerate(terms_of_labels) for term in terms]
    forced.count = len(labelled)
    forced.cubes, forced.labels = take_cubes(arena, forced.count, space.words), arena.ints(forced.count)
    for n, (mask, label) in enumerate(labelled):
        assert mask.bit_count() <= WIDEST, "a term restricts at most as many columns as an implicant"
        find_cube(space, codes, read_term(mask, codes), &forced.cubes[n])
        forced.labels[n] = label
    return 0
