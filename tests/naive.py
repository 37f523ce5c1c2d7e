"""Truth-table versions of the logic, each as its definition reads.

A point over n features is an integer whose bit j is the value of feature j; a function is the list of its values at all
points; a term is a collection of literal codes (2 * feature + negated).
"""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations, permutations, product

import numpy as np


def codes(mask):
    return [code for code in range(mask.bit_length()) if mask >> code & 1]


def holds(code, p):
    return (p >> (code // 2)) % 2 != code % 2


def term_holds(term, p):
    return all(holds(code, p) for code in term)


def table(terms, n):
    """The function of a DNF."""
    return [int(any(term_holds(term, p) for term in terms)) for p in range(2**n)]


def values(f):
    """The function of a DNF object."""
    return table([codes(mask) for mask in f.masks], len(f.names))


def subsets(items, size=None):
    """All subsets, small ones first; those of at most the given size."""
    items = list(items)
    return chain.from_iterable(combinations(items, r) for r in range((len(items) if size is None else size) + 1))


def consistent_terms(n, size=None):
    literals = range(2 * n)
    return (term for term in subsets(literals, n if size is None else size) if len({c // 2 for c in term}) == len(term))


def is_implicant(term, values):
    return all(value for p, value in enumerate(values) if term_holds(term, p))


def prime_implicants(values, n):
    found = []
    for term in consistent_terms(n):
        if is_implicant(term, values) and not any(set(prime) <= set(term) for prime in found):
            found.append(term)
    return found


def is_k_dnf(values, n, k):
    """Whether the implicants of at most k literals cover the function."""
    implicants = [term for term in consistent_terms(n, min(k, n)) if is_implicant(term, values)]
    return all(any(term_holds(term, p) for term in implicants) for p, value in enumerate(values) if value)


def certificate_complexity(values, n):
    zeros = [1 - value for value in values]
    return next(k for k in range(n + 1) if is_k_dnf(values, n, k) and is_k_dnf(zeros, n, k))


def minimal_transversals(sets):
    elements = sorted(set().union(*sets))
    found = []
    for candidate in subsets(elements):
        if all(set(candidate) & set(s) for s in sets) and not any(set(f) <= set(candidate) for f in found):
            found.append(candidate)
    return {frozenset(f) for f in found}


def is_induced_matching(edges, terms):
    """Edges are pairs (code, index of a term); no edge of the graph joins two of them."""
    proper = all(code in terms[i] for code, i in edges)
    return proper and all(l not in terms[j] and m not in terms[i] for (l, i), (m, j) in permutations(edges, 2))


def largest_induced_matching(terms):
    edges = [(code, i) for i, term in enumerate(terms) for code in term]
    size = 0
    while any(is_induced_matching(chosen, terms) for chosen in combinations(edges, size + 1)):
        size += 1
    return size


def prefix_lengths(matrix, p):
    return tuple(next((j for j, code in enumerate(row) if not holds(code, p)), len(row)) for row in matrix)


def nested_table(matrix, prefixes, n):
    """The function of a nested DNF: the disjunction of unions of row prefixes."""
    terms = [[code for row, r_i in zip(matrix, r) for code in row[:r_i]] for r in prefixes]
    return table(terms, n)


def is_nested(values, n, k):
    """Try every k x k matrix; the best choice of terms is all that are implicants."""
    vectors = [r for r in product(range(k + 1), repeat=k) if sum(r) <= k]
    for cells in product(range(2 * n), repeat=k * k):
        terms = [{c for i in range(k) for c in cells[k * i : k * i + r[i]]} for r in vectors]
        if table([term for term in terms if is_implicant(term, values)], n) == list(values):
            return True
    return False


def tree_depth(values):
    """The least depth of a decision tree; the last feature splits the list in halves, others by swapping."""
    if len(set(values)) == 1:
        return 0
    n = len(values).bit_length() - 1
    parts = [[[v for p, v in enumerate(values) if (p >> j) % 2 == bit] for bit in (0, 1)] for j in range(n)]
    return 1 + min(max(map(tree_depth, halves)) for halves in parts)


def is_weak_axp(features, values, n, v):
    same = (x for x in range(2**n) if all((x ^ v) >> j & 1 == 0 for j in features))
    return all(values[x] == values[v] for x in same)


def is_weak_cxp(features, values, n, v):
    near = (x for x in range(2**n) if all(j in features for j in range(n) if (x ^ v) >> j & 1))
    return any(values[x] != values[v] for x in near)


def minimal_feature_sets(is_weak, values, n, v):
    """All AXps or all CXps, by the weak notion given."""
    found = []
    for features in subsets(range(n)):
        if is_weak(features, values, n, v) and not any(set(f) <= set(features) for f in found):
            found.append(features)
    return found


def axps(values, n, v):
    return minimal_feature_sets(is_weak_axp, values, n, v)


def cxps(values, n, v):
    return minimal_feature_sets(is_weak_cxp, values, n, v)


def one_against_rest(values, label):
    return [int(value == label) for value in values]


def least_k(values, n):
    """The least k such that every point has a reason of at most k literals for its class, of any number."""

    def has_reason(p, k):
        terms = consistent_terms(n, k)
        return any(term_holds(term, p) and is_implicant(term, one_against_rest(values, values[p])) for term in terms)

    return next(k for k in range(n + 1) if all(has_reason(p, k) for p in range(2**n)))


def is_labelled_state(terms, default, n, k):
    """Whether labelled terms of at most k literals, with a default class, make a k-AXp-interpretable function."""
    members = [(label, [p for p in range(2**n) if term_holds(term, p)]) for term, label in terms]
    apart = all(a == b or not set(s) & set(t) for (a, s), (b, t) in combinations(members, 2))
    rest = [int(not any(p in points for _, points in members)) for p in range(2**n)]
    return apart and is_k_dnf(rest, n, k) and all(len(term) <= k and label != default for term, label in terms)


def labelled_values(terms, default, n):
    """The class of every point: the label of a term that holds, or the default."""
    return [next((label for term, label in terms if term_holds(term, p)), default) for p in range(2**n)]


def points_of_boxes(boxes, sizes):
    """The points, a cell for each column, that lie in one of some boxes, a mask of cells for each column."""
    return {
        point
        for point in product(*map(range, sizes))
        if any(all(mask >> cell & 1 for mask, cell in zip(box, point)) for box in boxes)
    }


def is_partition(sides, sizes, k):
    """Whether every point lies in boxes of exactly one class, and no box restricts more than k columns."""
    if any(sum(mask != 2**size - 1 for mask, size in zip(box, sizes)) > k for side in sides for box in side):
        return False
    held = [points_of_boxes(side, sizes) for side in sides]
    return sum(map(len, held)) == len(set().union(*held)) == len(list(product(*map(range, sizes))))


def boxes(sizes, k, *, ordered=()):
    """All boxes of at most k columns, as masks; those of ordered columns are runs of cells."""
    masks = [[m for m in range(1, 2**n) if j not in ordered or "01" not in f"{m:b}"] for j, n in enumerate(sizes)]
    return [box for box in product(*masks) if sum(m != 2**n - 1 for m, n in zip(box, sizes)) <= k]


def box_table(box, sizes):
    """The points of a box, a bit for each point."""
    held = points_of_boxes([box], sizes)
    return sum((point in held) << p for p, point in enumerate(product(*map(range, sizes))))


def is_union(table, parts):
    """Whether a set of points is the union of those of some sets that lie in it."""
    union = 0
    for part in parts:
        union |= part if part & ~table == 0 else 0
    return union == table


def column_functions(sizes, k):
    """All functions into two labels, as tables, whose every point has a reason of at most k columns."""
    parts = [box_table(box, sizes) for box in boxes(sizes, k)]
    everything = box_table(tuple(2**n - 1 for n in sizes), sizes)
    return {f for f in range(everything + 1) if is_union(f, parts) and is_union(everything ^ f, parts)}


def reached_by_boxes(sizes, k, labels, *, ordered=()):
    """The functions that legal additions of labelled boxes make from label 0 everywhere, the points of each label.

    A box is legal if it meets no other label and what is left to label 0 has reasons of at most k columns.
    """
    parts = [box_table(box, sizes) for box in boxes(sizes, k, ordered=ordered)]
    start = (box_table(tuple(2**n - 1 for n in sizes), sizes), *(0,) * (labels - 1))
    reached, waiting = {start}, [start]
    while waiting:
        state = waiting.pop()
        for label, part in product(range(1, labels), parts):
            if part & ~(state[0] | state[label]) == 0 and is_union(state[0] & ~part, parts):
                new = (state[0] & ~part, *(old | part * (c == label) for c, old in enumerate(state[1:], 1)))
                if new not in reached:
                    reached.add(new)
                    waiting.append(new)
    return reached


def complement_by_steps(taken, sizes):
    """All maximal boxes that meet none of some boxes, which are taken one at a time: Berge's steps over cells."""
    found = {tuple(2**n - 1 for n in sizes)}
    for box in taken:
        cut = {(*b[:j], b[j] & ~m, *b[j + 1 :]) for b in found for j, m in enumerate(box)}
        cut = {b for b in cut if all(b)}
        found = {b for b in cut if not any(a != b and all(x | y == x for x, y in zip(a, b)) for a in cut)}
    return found


def rows_in(binariser, table, box):
    """Whether each row of a table lies in a box of cells."""
    cells = binariser.cells_of(binariser.read(table))
    return [all(mask >> cell & 1 for mask, cell in zip(box, row)) for row in cells.tolist()]


def cheapest_chain(costs, is_within):
    """The least cost of a choice of one function for each place, each within the one before."""
    places = range(len(costs[0]))
    chains = (c for c in product(range(len(costs)), repeat=len(places)) if all(map(is_within, c[1:], c)))
    return min(sum(costs[one][place] for place, one in zip(places, chain)) for chain in chains)


def ranking_value(held, weights, price):
    """The share of pairs of a low and a high point that some sets rank rightly, ties half, less a price for each set.

    A point is the higher the more of the sets hold it.
    """
    bands = [sum(point in one for one in held) for point in range(len(weights))]
    pairs = [
        (low[0] * high[1], 1.0 if one < other else 0.5 if one == other else 0.0)
        for (one, low), (other, high) in product(zip(bands, weights), repeat=2)
    ]
    return sum(pair * right for pair, right in pairs) / sum(pair for pair, _ in pairs) - price * len(held)


def best_ranking(held, weights, price, count=None, having=None):
    """The best of these values among all chains of at least one set, or of that many, or of those that have one."""
    chains = (
        some
        for some in subsets(sorted(set(held), key=len))
        if (len(some) == count if count else some) and all(a < b for a, b in zip(some, some[1:]))
        if having is None or having in some
    )
    return max(ranking_value(some, weights, price) for some in chains)


def pooled(values, weights):
    """The growing numbers nearest to some values: the least, over later ends, of the most, over starts, of means."""

    def mean(start, stop):
        return sum(v * w for v, w in zip(values[start:stop], weights[start:stop])) / sum(weights[start:stop])

    count = len(values)
    return [max(min(mean(a, b) for b in range(i + 1, count + 1)) for a in range(i + 1)) for i in range(count)]


@cache
def two_literal_functions(n=4):
    """All truth tables on n features, a line each, in which two features of each point leave no other value."""
    tables = (np.arange(1 << (1 << n))[:, None] >> np.arange(1 << n) & 1).astype(bool)
    covered, places = np.zeros_like(tables), np.arange(1 << n)
    for pair in combinations(range(n), 2):
        for values in product((0, 1), repeat=2):
            part = np.logical_and.reduce([(places >> j & 1) == value for j, value in zip(pair, values)])
            inside = tables[:, part]
            covered[:, part] |= (inside.all(axis=1) | ~inside.any(axis=1))[:, None]
    return tables[covered.all(axis=1)]


@cache
def nested_functions(n, k):
    """All truth tables on n features, a line each, that are nested k-DNFs: any terms of any k x k matrix."""
    vectors = [r for r in product(range(k + 1), repeat=k) if sum(r) <= k]
    held = [sum(holds(code, p) << p for p in range(2**n)) for code in range(2 * n)]
    found = set()
    for cells in product(held, repeat=k * k):
        unions = {0}
        for r in vectors:
            term = 2**2**n - 1
            for i in range(k):
                for truths in cells[k * i : k * i + r[i]]:
                    term &= truths
            unions |= {union | term for union in unions}
        found |= unions
    return np.array([[table >> p & 1 for p in range(2**n)] for table in found], dtype=bool)


def least_of_tables(tables, truths, costs):
    """The least cost of some truth tables on rows of truths, given what each label costs on each row.

    Tables of fewer features are tried on all choices of as many.
    """
    size = min(tables.shape[1].bit_length() - 1, truths.shape[1])
    return min(
        float(
            np.where(tables[:, truths[:, chosen] @ (1 << np.arange(size))], costs[:, 1], costs[:, 0]).sum(axis=1).min()
        )
        for chosen in map(list, combinations(range(truths.shape[1]), size))
    )


def least_of_trees(truths, costs, depth, leaf, price=0.0):
    """The least cost of trees with some splits, each at a price, above leaves: leaf(truths, costs, depth left)."""
    least = leaf(truths, costs, depth)
    for j in range(truths.shape[1]) if depth else ():
        sides = [least_of_trees(truths[on], costs[on], depth - 1, leaf, price) for on in (truths[:, j], ~truths[:, j])]
        least = min(least, price + sum(sides))
    return least
