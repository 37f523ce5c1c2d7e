# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Moves over trees of nested DNFs; :mod:`idnf.learning.local.specification.tree_search` says what they draw."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint64_t
from libc.string cimport memcpy

from idnf.learning.local.compiled.arena cimport Arena
from idnf.learning.local.compiled.heat_bath cimport Bath, open_bath, random_below, shuffle
from idnf.learning.local.compiled.matrix_search cimport (
    Leaf, Pool, find_covered, make_prefixes, most_terms, open_leaf, perfect_terms, remake_prefixes, resample_cell,
    resample_terms, room_for_terms,
)
from idnf.learning.local.compiled.packed_table cimport (
    Table, and_literal, draw_literal, feature_sums, is_time_to_ask, look_at, open_table, weight_of,
)
from idnf.learning.local.compiled.staircase cimport (
    Branching, Staircase, Vectors, open_branching, open_staircase, set_price,
)

import numpy as np

from idnf.learning.local.annealing_task import Annealed
from idnf.learning.local.specification import matrix_search

cdef int64_t MOST_PERFECT_ORDER = matrix_search.MOST_PERFECT_ORDER
cdef int64_t PERFECT_NODES = matrix_search.PERFECT_NODES


cdef struct Tree:
    int64_t inner           # the number of leaves; nodes 1 to inner - 1 are splits
    int32_t *splits
    Leaf *leaves


# Which examples come to the nodes of the tree that is worked on, and what it says of them; a mask for each node.
cdef struct Nodes:
    uint64_t *reaches
    uint64_t *outputs
    int64_t *values
    int8_t *constants       # the label of a node that is pruned, -1 of others
    uint64_t *scratch


cdef struct TreeSearch:
    Table table
    Staircase stairs
    Bath bath
    Tree tree
    Tree best
    Nodes nodes
    Pool pools[2]           # for the leaves of each class
    Pool split_pool
    int64_t price
    int64_t nothing_worth   # what having no term is worth
    int32_t *drawn          # scratch: terms
    int32_t *cells          # and the cells of a matrix in random order


cdef int open_tree(Tree *tree, Arena arena, const Table *table, const Vectors *vectors, object shape,
                   bint working) except -1:
    """Make room for a tree: with masks of examples if it is worked on."""
    cdef int64_t place
    tree.inner = 1 << shape.depth
    tree.splits, tree.leaves = arena.ints(tree.inner), <Leaf *> arena.take(tree.inner, sizeof(Leaf))
    for place in range(tree.inner):
        open_leaf(&tree.leaves[place], arena, table, vectors, shape.complemented[place], working)
    return 0


cdef int open_nodes(Nodes *nodes, Arena arena, int64_t count, int64_t words) except -1:
    nodes.reaches, nodes.outputs = arena.words(count * words), arena.words(count * words)
    nodes.values, nodes.constants = arena.longs(count), <int8_t *> arena.take(count, 1)
    nodes.scratch = arena.words(2 * words)
    return 0


cdef int open_pool(Pool *pool, Arena arena, object codes) except -1:
    pool.codes, pool.count = arena.int32s_of(codes), len(codes)
    return 0


cdef int open_search(TreeSearch *search, Arena arena, object task, uint64_t seed) except -1:
    cdef Vectors *vectors = &search.stairs.vectors
    cdef int64_t candidates
    open_staircase(&search.stairs, arena, task.shape.order, task.examples.size)
    candidates = max(vectors.count, 2 * task.examples.n_features) + 2
    open_bath(&search.bath, arena, seed, candidates)
    open_table(&search.table, arena, task.examples, candidates)
    open_tree(&search.tree, arena, &search.table, vectors, task.shape, True)
    open_tree(&search.best, arena, &search.table, vectors, task.shape, False)
    open_nodes(&search.nodes, arena, 2 * search.tree.inner, search.table.words)
    open_pool(&search.pools[0], arena, task.pools.positive)
    open_pool(&search.pools[1], arena, task.pools.negative)
    open_pool(&search.split_pool, arena, task.pools.split)
    take_price(search, task.price)
    search.nothing_worth = matrix_search.no_term(task.examples.unit)
    search.drawn = arena.ints(most_terms(vectors.order) + room_for_terms(vectors))
    search.cells = arena.ints(vectors.order * vectors.order)
    return 0


cdef void take_price(TreeSearch *search, int64_t price) noexcept nogil:
    search.price = price
    set_price(&search.stairs, price)


cdef void draw_tree(TreeSearch *search) noexcept nogil:
    """Draw every split and every literal of the matrices."""
    cdef int64_t place, c, i, order = search.stairs.vectors.order
    cdef const Pool *pool = &search.split_pool
    cdef Leaf *leaf
    for place in range(1, search.tree.inner):
        search.tree.splits[place] = pool.codes[random_below(&search.bath, pool.count)]
    for place in range(search.tree.inner):
        leaf = &search.tree.leaves[place]
        pool = &search.pools[leaf.complemented]
        for c in range(order * order):
            leaf.matrix[c] = pool.codes[random_below(&search.bath, pool.count)]
        for i in range(order):
            make_prefixes(&search.table, order, leaf, i, 0)


cdef void copy_tree(const Tree *tree, Tree *into, int64_t order) noexcept nogil:
    cdef const Leaf *leaf
    cdef Leaf *other
    cdef int64_t place
    memcpy(into.splits, tree.splits, tree.inner * sizeof(int32_t))
    for place in range(tree.inner):
        leaf, other = &tree.leaves[place], &into.leaves[place]
        other.n_terms = leaf.n_terms
        memcpy(other.terms, leaf.terms, leaf.n_terms * sizeof(int32_t))
        memcpy(other.matrix, leaf.matrix, order * order * sizeof(int32_t))


cdef void remake_masks(TreeSearch *search) noexcept nogil:
    """Make the masks of all prefixes again, for another matrix or other examples."""
    cdef int64_t place
    for place in range(search.tree.inner):
        remake_prefixes(&search.table, search.stairs.vectors.order, &search.tree.leaves[place])


cdef void find_reaches(TreeSearch *search) noexcept nogil:
    cdef uint64_t *reaches = search.nodes.reaches
    cdef int64_t node, words = search.table.words, code
    memcpy(reaches + words, search.table.everything, words * sizeof(uint64_t))
    for node in range(1, search.tree.inner):
        code = search.tree.splits[node]
        and_literal(&search.table, reaches + 2 * node * words, reaches + node * words, code ^ 1)
        and_literal(&search.table, reaches + (2 * node + 1) * words, reaches + node * words, code)


cdef void find_leaf_outputs(TreeSearch *search) noexcept nogil:
    cdef const Table *table = &search.table
    cdef int64_t place, w
    cdef uint64_t *output
    for place in range(search.tree.inner):
        output = search.nodes.outputs + (search.tree.inner + place) * table.words
        find_covered(table, &search.stairs.vectors, &search.tree.leaves[place], output)
        if search.tree.leaves[place].complemented:
            for w in range(table.words):
                output[w] = ~output[w] & table.everything[w]


cdef int64_t leaf_value(TreeSearch *search, int64_t node) noexcept nogil:
    """Return the weight of what a leaf says, less the price of its literals."""
    cdef Nodes *nodes = &search.nodes
    cdef const Leaf *leaf = &search.tree.leaves[node - search.tree.inner]
    cdef int64_t w, t, value, words = search.table.words
    for w in range(words):
        nodes.scratch[w] = nodes.outputs[node * words + w] & nodes.reaches[node * words + w]
    value = weight_of(&search.table, nodes.scratch)
    for t in range(leaf.n_terms):
        value -= search.price * search.stairs.vectors.sizes[leaf.terms[t]]
    return value


cdef int64_t tree_value(TreeSearch *search) noexcept nogil:
    """Value every subtree once pruned; reaches and outputs of leaves are made again."""
    cdef Nodes *nodes = &search.nodes
    cdef int64_t node, value, all_positive, inner = search.tree.inner
    find_reaches(search)
    find_leaf_outputs(search)
    for node in range(2 * inner - 1, 0, -1):
        if node >= inner:
            value = leaf_value(search, node)
        else:
            value = nodes.values[2 * node] + nodes.values[2 * node + 1] - search.price
        all_positive = search.table.weight if node == 1 else weight_of(
            &search.table, nodes.reaches + node * search.table.words)
        nodes.constants[node] = -1
        if value <= (all_positive if all_positive > 0 else 0):
            nodes.constants[node] = all_positive > 0
            value = all_positive if all_positive > 0 else 0
        nodes.values[node] = value
    return nodes.values[1]


cdef void resample_split(TreeSearch *search, int64_t node) noexcept nogil:
    """Draw the literal at a split again, and find what the node says with it."""
    cdef Table *table = &search.table
    cdef int64_t words = table.words, w, f, total
    cdef const uint64_t *low = search.nodes.outputs + 2 * node * words
    cdef const uint64_t *high = search.nodes.outputs + (2 * node + 1) * words
    cdef const uint64_t *reach = search.nodes.reaches + node * words
    cdef uint64_t *output = search.nodes.outputs + node * words
    cdef uint64_t *scratch = search.nodes.scratch
    cdef int32_t *sums = table.scratch.sums
    cdef int32_t *others = sums + table.line
    cdef int32_t code
    # What is won where only the branch of the literal says class 1, less what is lost where only the other does.
    for w in range(words):
        scratch[w] = high[w] & ~low[w] & reach[w]
        scratch[words + w] = low[w] & ~high[w] & reach[w]
    total = feature_sums(table, scratch, table.net, sums)
    total -= feature_sums(table, scratch + words, table.net, others)
    for f in range(table.line):
        sums[f] -= others[f]
    code = draw_literal(table, search.split_pool.codes, search.split_pool.count, total, &search.bath)
    search.tree.splits[node] = code
    and_literal(table, scratch, high, code)
    and_literal(table, output, low, code ^ 1)
    for w in range(words):
        output[w] |= scratch[w]


cdef void sweep(TreeSearch *search) noexcept nogil:
    """Make a move at every term, at every cell of the matrices in random order, and at every split."""
    cdef int64_t place, c, node, order = search.stairs.vectors.order
    cdef Leaf *leaf
    cdef uint64_t *reach
    find_reaches(search)
    for place in range(search.tree.inner):
        leaf = &search.tree.leaves[place]
        reach = search.nodes.reaches + (search.tree.inner + place) * search.table.words
        resample_terms(&search.table, &search.stairs, leaf, reach, search.nothing_worth, &search.bath, search.drawn)
        shuffle(&search.bath, search.cells, order * order)
        for c in range(order * order):
            resample_cell(&search.table, &search.stairs.vectors, leaf, search.cells[c] // order,
                          search.cells[c] % order, reach, &search.pools[leaf.complemented], &search.bath,
                          search.nodes.scratch)
    if search.tree.inner == 1:
        return
    find_leaf_outputs(search)
    for node in range(search.tree.inner - 1, 0, -1):
        resample_split(search, node)


cdef void perfect_leaves(TreeSearch *search, Branching *branching) noexcept nogil:
    """Take the best terms of each leaf for its matrix."""
    cdef int64_t place, inner = search.tree.inner
    find_reaches(search)
    for place in range(inner):
        perfect_terms(&search.table, &search.stairs, branching, &search.tree.leaves[place],
                      search.nodes.reaches + (inner + place) * search.table.words)


def anneal(task, cooling, uint64_t seed, is_over):
    """Search while the temperature falls; see :func:`idnf.learning.local.specification.tree_search.anneal`."""
    cdef TreeSearch search
    cdef Branching branching
    cdef Arena arena = Arena()
    cdef int64_t order = task.shape.order, size = task.examples.size, price = task.price
    cdef int64_t step, steps = len(cooling.temperatures), value, best_value
    cdef const int64_t *temperatures = arena.int64s_of(np.array(cooling.temperatures, dtype=np.int64))
    cdef const int64_t *sizes = arena.int64s_of(np.array(cooling.sizes, dtype=np.int64))
    cdef bint cut = False, makes_perfect = 0 < order <= MOST_PERFECT_ORDER
    open_search(&search, arena, task, seed)
    if makes_perfect:
        open_branching(&branching, &search.stairs, arena, price, PERFECT_NODES)
    with nogil:
        draw_tree(&search)
        best_value = tree_value(&search)
        copy_tree(&search.tree, &search.best, order)
        for step in range(steps):
            if sizes[step] != search.table.size:
                look_at(&search.table, sizes[step])
                take_price(&search, price * search.table.size // size)
                remake_masks(&search)
                best_value = tree_value(&search)
                copy_tree(&search.tree, &search.best, order)
            if temperatures[step] == 0 and (step == 0 or temperatures[step - 1] != 0):
                copy_tree(&search.best, &search.tree, order)
                remake_masks(&search)
            search.bath.temperature = temperatures[step]
            sweep(&search)
            value = tree_value(&search)
            if value > best_value:
                best_value = value
                copy_tree(&search.tree, &search.best, order)
            if is_time_to_ask(&search.table):
                with gil:
                    cut = is_over()
                if cut:
                    break
        copy_tree(&search.best, &search.tree, order)
        look_at(&search.table, size)
        take_price(&search, price)
        remake_masks(&search)
        if makes_perfect and not cut:
            perfect_leaves(&search, &branching)
        value = tree_value(&search)
    return to_annealed(&search, value, cut)


cdef object to_annealed(const TreeSearch *search, int64_t value, bint cut):
    cdef const Vectors *vectors = &search.stairs.vectors
    cdef const Leaf *leaf
    cdef int64_t order = vectors.order, inner = search.tree.inner, place, node, i, j, t
    leaves = []
    for place in range(inner):
        leaf = &search.tree.leaves[place]
        matrix = tuple([tuple([leaf.matrix[i * order + j] for j in range(order)]) for i in range(order)])
        terms = tuple([
            tuple([vectors.prefixes[leaf.terms[t] * order + i] for i in range(order)]) for t in range(leaf.n_terms)
        ])
        leaves.append((matrix, terms))
    constants = [
        None if search.nodes.constants[node] < 0 else bool(search.nodes.constants[node]) for node in range(1, 2 * inner)
    ]
    splits = tuple([search.tree.splits[node] for node in range(1, inner)])
    return Annealed(value, splits, tuple(leaves), tuple(constants), cut)
