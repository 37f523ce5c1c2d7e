"""Recognising nested k-DNFs.

There are two methods. The chains of a written DNF: order its literals by inclusion of the sets of terms they occur in;
if k chains cover that order (Dilworth, by bipartite matching), each chain is a row. A search for a matrix: a function
is a nested k-DNF iff, for some matrix, the implicants among all terms of that matrix cover it; a partial matrix is
given up when even the best completion leaves a point of the function uncovered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import le

from idnf.logic.dnf import DNF
from idnf.logic.errors import InvalidArgument
from idnf.logic.literals import (
    codes_of,
    dnf_table,
    feature_of,
    full_table,
    is_consistent,
    is_negated,
    literal,
    literal_table,
    negated_mask,
    renumber,
)
from idnf.logic.nested import Matrix, NestedDNF
from idnf.logic.primes import both_sides, least_covering_size
from idnf.logic.small_matchings import with_small_matchings
from idnf.logic.transversals import minimal_sets
from idnf.logic.witnesses import NotFound

_MAX_STEPS = 2_000_000
_MAX_FEATURES = 12
_MAX_K = 8


class Undecided(ValueError):
    """The search for a matrix would need more than its fixed number of steps; nothing is known."""


def recognise(f: DNF, k: int) -> NestedDNF | None:
    """Return a nested k-DNF equal to ``f`` as a function, or None, which proves that there is none.

    Chains of the terms as written and of the prime implicants take polynomial time in their number; the search that
    follows is exponential, takes functions of at most 12 relevant features and k of at most 8, and stops after a fixed
    number of steps. Functions of at most k features are nested k-DNFs by the paper's Proposition 3.

    Raises
    ------
    Undecided
        If neither a matrix nor a proof was found.
    """
    if k < 0:
        raise InvalidArgument("k", "be 0 or more", k)
    written = minimal_sets(mask for mask in f.masks if is_consistent(mask))
    nested = _from_chains(f.names, written, k)
    if nested:
        return nested
    return recognise_primes(f.names, *both_sides(f.masks), k)


def recognise_primes(names: tuple[str, ...], ones: list[int], zeros: list[int], k: int) -> NestedDNF | None:
    """Do what :func:`recognise` does, for a function given by all prime implicants of it and of its complement."""
    if least_covering_size(ones + zeros) > k:
        return None  # a nested k-DNF is k-AXp-interpretable
    short = [mask for mask in ones if mask.bit_count() <= k]
    try:
        return _from_chains(names, short, k) or _from_function(names, ones, k)
    except Undecided:
        if _has_large_matchings(ones, k):
            return None
        raise


def _has_large_matchings(ones: list[int], k: int) -> bool:
    """Return whether every k-DNF of a function is proved to have induced matchings above k; nested DNFs have none."""
    try:
        return with_small_matchings(ones, k) is None
    except NotFound:
        return False


@dataclass(frozen=True)
class NestedOrder:
    """The least k for which a function is a nested k-DNF, or bounds on it, and a nested DNF of the upper one.

    >>> order = least_order(DNF.parse("a & b | b & c | c & a"))
    >>> order.lower, order.upper, order.nested.matrix_text().split()
    (2, 2, ['a', 'c', 'b', 'c'])
    """

    lower: int
    upper: int
    nested: NestedDNF


def least_order(f: DNF) -> NestedOrder:
    """Return the least k for which ``f`` is a nested k-DNF (section 5 of the paper), or bounds if undecided.

    The lower bound starts at the certificate complexity and rises with every k that is proved too small; the upper one
    is the first k with a nested k-DNF, which a function of n features has at n at the latest (Proposition 3).

    >>> least_order(DNF.parse("a & b | c & d").complement()).lower
    3
    """
    ones, zeros = both_sides(f.masks)
    lower = k = least_covering_size(ones + zeros)
    while True:
        try:
            nested = recognise(f, k)
        except Undecided:
            k += 1
            continue
        if nested is not None:
            return NestedOrder(lower, k, nested)
        k += 1
        lower = k


def _from_chains(names: tuple[str, ...], terms: list[int], k: int) -> NestedDNF | None:
    """Return the nested DNF of exactly these terms if there are at most k or k chains of literals cover them."""
    if any(term.bit_count() > k for term in terms):
        return None
    if len(terms) <= k:  # Example 4
        return NestedDNF.from_terms(names, map(codes_of, terms), k)
    places: dict[int, int] = {}
    for i, term in enumerate(terms):
        for code in codes_of(term):
            places[code] = places.get(code, 0) | 1 << i
    # Literals that occur together everywhere are ordered by their code, so the order is strict.
    codes = sorted(places, key=lambda code: (-places[code].bit_count(), code))
    below = [
        [b for b in range(a + 1, len(codes)) if places[codes[b]] & places[codes[a]] == places[codes[b]]]
        for a in range(len(codes))
    ]
    follower = _matching(below)
    heads = sorted(set(range(len(codes))).difference(follower.values()))
    if len(heads) > k:
        return None
    matrix = tuple(tuple(codes[a] for a in _chain(head, follower)) for head in heads)
    prefixes = tuple(tuple(sum(1 for code in row if term >> code & 1) for row in matrix) for term in terms)
    return NestedDNF(names, matrix, prefixes, k)


def _chain(head: int, follower: dict[int, int]) -> list[int]:
    chain = [head]
    while chain[-1] in follower:
        chain.append(follower[chain[-1]])
    return chain


def _matching(options: list[list[int]]) -> dict[int, int]:
    """Return a maximum matching from each index to one of its options, by augmenting paths."""
    taken: dict[int, int] = {}

    def place(a: int, seen: set[int]) -> bool:
        for b in options[a]:
            if b not in seen:
                seen.add(b)
                if b not in taken or place(taken[b], seen):
                    taken[b] = a
                    return True
        return False

    for a in range(len(options)):
        place(a, set())
    return {a: b for b, a in taken.items()}


def _from_function(names: tuple[str, ...], ones: list[int], k: int) -> NestedDNF | None:
    # A literal in no prime implicant can be taken out of any implicant, so the matrix never needs one.
    support = sorted({feature_of(code) for mask in ones for code in codes_of(mask)})
    n = len(support)
    if n > k * k:
        return None
    if n > _MAX_FEATURES or (k > _MAX_K and n > k):
        raise Undecided(
            f"a matrix is searched for functions of at most {_MAX_FEATURES} features and k of at most {_MAX_K}; got "
            f"{n} features and k = {k}. A DNF whose own terms are nested is recognised at any size."
        )
    place = {feature: j for j, feature in enumerate(support)}
    primes = [renumber(mask, place) for mask in ones]
    if n <= k:  # Proposition 3
        small = NestedDNF.from_function(DNF.from_masks(map(str, range(n)), primes).truth_table())
        rows, prefixes = small.matrix, small.prefixes
    else:
        search = _MatrixSearch(primes, n, k)
        filled = search.run()
        if filled is None:
            return None
        vectors = [r for r in search.vectors if search.is_implicant(filled, r)]
        rows = tuple(map(tuple, filled))
        prefixes = tuple(r for r in vectors if not any(s != r and all(map(le, s, r)) for s in vectors))
    matrix: Matrix = tuple(
        tuple(literal(support[feature_of(code)], negated=is_negated(code)) for code in row) for row in rows
    )
    return NestedDNF(names, matrix, prefixes, k)


def _vectors(rows: int, k: int) -> list[tuple[int, ...]]:
    """Return all prefix vectors of at most k literals."""
    if rows == 0:
        return [()]
    return [(first, *rest) for first in range(k + 1) for rest in _vectors(rows - 1, k - first)]


class _MatrixSearch:
    """Depth-first search over the cells of the matrix, column by column."""

    def __init__(self, primes: Sequence[int], n: int, k: int) -> None:
        self.n, self.k = n, k
        self.function = dnf_table(primes, n)
        self.codes = sorted({code for mask in primes for code in codes_of(mask)})
        self.tables = {code: literal_table(code, n) for code in self.codes}
        self.vectors = _vectors(k, k)
        self.steps = 0

    def run(self) -> list[list[int]] | None:
        """Return rows of literals, or None if no matrix gives the function."""
        cells = [(i, j) for j in range(self.k) for i in range(self.k)]
        rows: list[list[int]] = [[] for _ in range(self.k)]
        prefixes = [[full_table(self.n)] for _ in range(self.k)]
        return rows if self._fill(rows, prefixes, cells, 0) else None

    def is_implicant(self, rows: list[list[int]], r: tuple[int, ...]) -> bool:
        """Return whether the term of a prefix vector is a consistent implicant."""
        table, mask = full_table(self.n), 0
        for row, r_i in zip(rows, r):
            for code in row[:r_i]:
                table &= self.tables[code]
                mask |= 1 << code
        return not mask & negated_mask(mask) and not table & ~self.function

    def _fill(self, rows: list[list[int]], prefixes: list[list[int]], cells: list[tuple[int, int]], at: int) -> bool:
        self.steps += len(self.vectors)
        if self.steps > _MAX_STEPS:
            raise Undecided(
                f"no matrix and no proof within {_MAX_STEPS} steps; the function may be a nested DNF or not."
            )
        if self._reachable(prefixes) & self.function != self.function:
            return False
        if at == len(cells):
            return True
        i, j = cells[at]
        for code in self._candidates(rows, i, j):
            rows[i].append(code)
            prefixes[i].append(prefixes[i][-1] & self.tables[code])
            if self._fill(rows, prefixes, cells, at + 1):
                return True
            rows[i].pop()
            prefixes[i].pop()
        return False

    def _candidates(self, rows: list[list[int]], i: int, j: int) -> list[int]:
        used = {feature_of(code) for code in rows[i]}
        fresh = [code for code in self.codes if feature_of(code) not in used]
        if not fresh:
            return self.codes[:1]  # the row holds every feature: later cells are never used
        # Rows may be reordered: the first column ascends.
        return [code for code in fresh if code >= rows[i - 1][0]] if j == 0 and i > 0 else fresh

    def _reachable(self, prefixes: list[list[int]]) -> int:
        """Return the points some completion may cover; a term with all its literals chosen must be an implicant."""
        reach = 0
        for r in self.vectors:
            table = full_table(self.n)
            chosen = True
            for prefix, r_i in zip(prefixes, r):
                last = min(r_i, len(prefix) - 1)
                table &= prefix[last]
                chosen = chosen and last == r_i
            if not chosen or not table & ~self.function:
                reach |= table
                if not self.function & ~reach:
                    break
        return reach
