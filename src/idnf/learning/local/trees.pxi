# Nested trees, as in specification/tree_search.py.

cdef struct Tree:
    int64_t inner           # the number of leaves; nodes 1 to inner - 1 are splits
    int64_t price
    int64_t nothing_worth
    int32_t *splits
    Leaf *leaves
    uint64_t *reaches       # a mask for each node
    uint64_t *outputs
    uint64_t *scratch
    int64_t *values
    int8_t *constants
    int32_t *drawn
    int32_t *cells
    const int32_t *pools[2]
    int64_t n_pools[2]
    const int32_t *split_pool
    int64_t n_split_pool


cdef void set_price(Vectors *known, Tree *tree, int64_t price) noexcept nogil:
    cdef int64_t v
    tree.price = price
    for v in range(known.count):
        known.prices[v] = price * known.sizes[v]


cdef void find_reaches(Table *table, Tree *tree) noexcept nogil:
    cdef int64_t node, words = table.words, code
    memcpy(tree.reaches + words, table.everything, words * sizeof(uint64_t))
    for node in range(1, tree.inner):
        code = tree.splits[node]
        and_literal(table, tree.reaches + 2 * node * words, tree.reaches + node * words, code ^ 1)
        and_literal(table, tree.reaches + (2 * node + 1) * words, tree.reaches + node * words, code)


cdef void find_leaf_outputs(Table *table, Vectors *known, Tree *tree) noexcept nogil:
    cdef int64_t place, w
    cdef uint64_t *output
    for place in range(tree.inner):
        output = tree.outputs + (tree.inner + place) * table.words
        covered_by(table, known, &tree.leaves[place], output)
        if tree.leaves[place].complemented:
            for w in range(table.words):
                output[w] = ~output[w] & table.everything[w]


cdef int64_t tree_value(Table *table, Vectors *known, Tree *tree) noexcept nogil:
    """Value every subtree once pruned; reaches and outputs of leaves are made anew."""
    cdef int64_t node, place, w, value, all_positive, t, words = table.words
    find_reaches(table, tree)
    find_leaf_outputs(table, known, tree)
    for node in range(2 * tree.inner - 1, 0, -1):
        if node >= tree.inner:
            for w in range(words):
                tree.scratch[w] = tree.outputs[node * words + w] & tree.reaches[node * words + w]
            value = weight_of(table, tree.scratch)
            place = node - tree.inner
            for t in range(tree.leaves[place].n_terms):
                value -= tree.price * known.sizes[tree.leaves[place].terms[t]]
        else:
            value = tree.values[2 * node] + tree.values[2 * node + 1] - tree.price
        all_positive = table.weight if node == 1 else weight_of(table, tree.reaches + node * words)
        tree.constants[node] = -1
        if value <= (all_positive if all_positive > 0 else 0):
            tree.constants[node] = all_positive > 0
            value = all_positive if all_positive > 0 else 0
        tree.values[node] = value
    return tree.values[1]


cdef void resample_split(Table *table, Tree *tree, int64_t node, Bath *bath) noexcept nogil:
    """Draw the literal at a split anew, and find what the node says with it."""
    cdef int64_t words = table.words, w, f, total
    cdef const uint64_t *low = tree.outputs + 2 * node * words
    cdef const uint64_t *high = tree.outputs + (2 * node + 1) * words
    cdef const uint64_t *reach = tree.reaches + node * words
    cdef uint64_t *output = tree.outputs + node * words
    cdef int32_t *others = table.sums + table.line
    cdef int32_t code
    # What is won where only the branch of the literal says class 1, less what is lost where only the other does.
    for w in range(words):
        tree.scratch[w] = high[w] & ~low[w] & reach[w]
        tree.scratch[words + w] = low[w] & ~high[w] & reach[w]
    total = feature_sums(table, tree.scratch, table.net, table.sums)
    total -= feature_sums(table, tree.scratch + words, table.net, others)
    for f in range(table.line):
        table.sums[f] -= others[f]
    code = draw_literal(table, tree.split_pool, tree.n_split_pool, total, bath)
    tree.splits[node] = code
    and_literal(table, tree.scratch, high, code)
    and_literal(table, output, low, code ^ 1)
    for w in range(words):
        output[w] |= tree.scratch[w]


cdef void sweep_tree(Table *table, Vectors *known, Tree *tree, Bath *bath) noexcept nogil:
    cdef int64_t place, c, node, words = table.words, order = known.order, side
    cdef Leaf *leaf
    cdef uint64_t *reach
    find_reaches(table, tree)
    for place in range(tree.inner):
        leaf = &tree.leaves[place]
        reach = tree.reaches + (tree.inner + place) * words
        resample_terms(table, known, leaf, reach, tree.nothing_worth, bath, tree.drawn)
        shuffle(bath, tree.cells, order * order)
        side = leaf.complemented
        for c in range(order * order):
            resample_cell(table, known, leaf, tree.cells[c] // order, tree.cells[c] % order, reach,
                          tree.pools[side], tree.n_pools[side], bath, tree.scratch)
    if tree.inner == 1:
        return
    find_leaf_outputs(table, known, tree)
    for node in range(tree.inner - 1, 0, -1):
        resample_split(table, tree, node, bath)


cdef void copy_tree(Table *table, Vectors *known, Tree *tree, Tree *into, bint with_prefixes) noexcept nogil:
    cdef int64_t place, order = known.order, i
    memcpy(into.splits, tree.splits, tree.inner * sizeof(int32_t))
    for place in range(tree.inner):
        into.leaves[place].n_terms = tree.leaves[place].n_terms
        memcpy(into.leaves[place].terms, tree.leaves[place].terms, tree.leaves[place].n_terms * sizeof(int32_t))
        memcpy(into.leaves[place].matrix, tree.leaves[place].matrix, order * order * sizeof(int32_t))
        if with_prefixes:
            for i in range(order):
                make_prefixes(table, order, &into.leaves[place], i, 0)


cdef void remake_prefixes(Table *table, Vectors *known, Tree *tree) noexcept nogil:
    """Make all masks of a tree anew, for the examples looked at."""
    cdef int64_t place, i
    for place in range(tree.inner):
        for i in range(known.order):
            memcpy(prefix(table, known.order, &tree.leaves[place], i, 0), table.everything,
                   table.words * sizeof(uint64_t))
            make_prefixes(table, known.order, &tree.leaves[place], i, 0)


cdef int open_tree(Tree *tree, Arena arena, Table *table, Vectors *known, object shape, bint working) except -1:
    """Make room for a tree: with masks of examples if it is worked on."""
    cdef int64_t inner = 1 << shape.depth, order = known.order, place, room, i
    # Branch and bound may choose as many terms as there are vectors.
    room = known.most + 1 if order > MOST_PERFECT or not order else known.count + 1
    tree.inner = inner
    tree.splits, tree.leaves = ints(arena, inner), <Leaf *> arena.take(inner, sizeof(Leaf))
    for place in range(inner):
        tree.leaves[place].complemented = shape.complemented[place]
        tree.leaves[place].matrix, tree.leaves[place].terms = ints(arena, order * order), ints(arena, room)
        if working:
            tree.leaves[place].prefixes = words(arena, order * (order + 1) * table.words)
            for i in range(order):
                memcpy(prefix(table, order, &tree.leaves[place], i, 0), table.everything,
                       table.words * sizeof(uint64_t))
    if working:
        tree.reaches, tree.outputs = words(arena, 2 * inner * table.words), words(arena, 2 * inner * table.words)
        tree.scratch, tree.values = words(arena, 2 * table.words), longs(arena, 2 * inner)
        tree.constants, tree.drawn = <int8_t *> arena.take(2 * inner, 1), ints(arena, known.most + room)
        tree.cells = ints(arena, order * order)
    return 0


def anneal(task, cooling, uint64_t seed, is_over):
    """Search while the temperature falls; see :func:`idnf.learning.local.specification.tree_search.anneal`."""
    cdef Table table
    cdef Tree tree, best
    cdef Bath bath
    cdef Branching branching
    cdef Arena arena = Arena()
    cdef int64_t order = task.shape.order, step, place, c, i, value, best_value
    cdef bint cut = False
    cdef const int32_t[::1] positive = task.pools.positive, negative = task.pools.negative, split = task.pools.split
    cdef const int64_t[::1] heat = np.array(cooling.temperatures, dtype=np.int64)
    cdef const int64_t[::1] sizes = np.array(cooling.sizes, dtype=np.int64)
    cdef int64_t size = task.examples.size, price = task.price
    cdef _VectorArrays arrays = _VectorArrays(arena, order, task.examples.size)
    cdef Vectors *known = &arrays.c
    cdef int64_t candidates = max(known.count, 2 * task.examples.n_features) + 2
    open_bath(&bath, arena, seed, candidates)
    open_table(&table, arena, task.examples.cells, task.examples.words, task.examples.net, candidates)
    open_tree(&tree, arena, &table, known, task.shape, True)
    open_tree(&best, arena, &table, known, task.shape, False)
    if 0 < order <= MOST_PERFECT:
        open_branching(&branching, known, arena)
        branching.price, branching.node_limit = price, NODES
    set_price(known, &tree, price)
    tree.nothing_worth = no_term(task.examples.unit)
    tree.pools[0], tree.n_pools[0] = (&positive[0] if len(positive) else NULL), len(positive)
    tree.pools[1], tree.n_pools[1] = (&negative[0] if len(negative) else NULL), len(negative)
    tree.split_pool, tree.n_split_pool = (&split[0] if len(split) else NULL), len(split)
    for place in range(1, tree.inner):
        tree.splits[place] = split[below(&bath, tree.n_split_pool)]
    for place in range(tree.inner):
        for c in range(order * order):
            i = tree.leaves[place].complemented
            tree.leaves[place].matrix[c] = tree.pools[i][below(&bath, tree.n_pools[i])]
        for i in range(order):
            make_prefixes(&table, order, &tree.leaves[place], i, 0)
    with nogil:
        best_value = tree_value(&table, known, &tree)
        copy_tree(&table, known, &tree, &best, False)
        for step in range(heat.shape[0]):
            if sizes[step] != table.size:
                look_at(&table, sizes[step])
                set_price(known, &tree, price * table.size // size)
                remake_prefixes(&table, known, &tree)
                best_value = tree_value(&table, known, &tree)
                copy_tree(&table, known, &tree, &best, False)
            if heat[step] == 0 and (step == 0 or heat[step - 1] != 0):
                copy_tree(&table, known, &best, &tree, True)
            bath.temperature = heat[step]
            sweep_tree(&table, known, &tree, &bath)
            value = tree_value(&table, known, &tree)
            if value > best_value:
                best_value = value
                copy_tree(&table, known, &tree, &best, False)
            if table.work > PATIENCE:
                table.work = 0
                with gil:
                    cut = is_over()
                if cut:
                    break
        copy_tree(&table, known, &best, &tree, False)
        look_at(&table, size)
        set_price(known, &tree, price)
        remake_prefixes(&table, known, &tree)
        if not cut and 0 < order <= MOST_PERFECT:
            find_reaches(&table, &tree)
            for place in range(tree.inner):
                perfect_terms(&table, known, &branching, &tree.leaves[place],
                              tree.reaches + (tree.inner + place) * table.words)
        value = tree_value(&table, known, &tree)
    return _annealed(&tree, known, value, cut)


cdef object _annealed(Tree *tree, Vectors *known, int64_t value, bint cut):
    cdef int64_t order = known.order, place, node, i, j, t
    leaves = []
    for place in range(tree.inner):
        matrix = tuple([tuple([tree.leaves[place].matrix[i * order + j] for j in range(order)]) for i in range(order)])
        terms = tuple([
            tuple([known.prefixes[tree.leaves[place].terms[t] * order + i] for i in range(order)])
            for t in range(tree.leaves[place].n_terms)
        ])
        leaves.append((matrix, terms))
    constants = [
        None if tree.constants[node] < 0 else bool(tree.constants[node]) for node in range(1, 2 * tree.inner)
    ]
    splits = tuple([tree.splits[node] for node in range(1, tree.inner)])
    return Annealed(value, splits, tuple(leaves), tuple(constants), cut)
