"""The paper's constructions: its example functions, and the functions its two families can express.

The classes of the paper's Figure 1 decided for functions, not for the way one of them is written.

Decision trees: a tree of depth k asks at most 2**k - 1 features, which leaves few features to split on.

Induced matchings: a largest one never shrinks when terms are added, so a k-DNF with matchings of size at most k exists
iff one exists without a term to spare. The search covers a point that few implicants of at most k literals hold, tries
each of these, and gives up a partial cover once its matching is too large. Terms that are not prime are tried as well:
some functions need them.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from math import comb, log, log2

from idnf.logic.dnf import DNF
from idnf.logic.errors import InvalidArgument
from idnf.logic.literals import Term, cofactors, dnf_table, full_table, literal, literal_table, renumbered
from idnf.logic.nested import NestedDNF
from idnf.logic.transversals import maximum_induced_matching


def majority(k: int) -> DNF:
    """Return majority on 2k-1 features: k-AXp-interpretable, no tree of depth below 2k-1, not nested for k >= 3.

    >>> print(majority(2))
    x1 & x2 | x1 & x3 | x2 & x3
    """
    _check(k)
    n = 2 * k - 1
    return DNF.from_codes(_names(n), (map(literal, chosen) for chosen in combinations(range(n), k)))


def parity(n: int) -> DNF:
    """Return the function that is 1 where the number of ones is even: CXps of size 1, one AXp of size n.

    >>> print(parity(2))
    ~x1 & ~x2 | x1 & x2
    """
    return DNF.from_truth_table(_names(n), [1 - p.bit_count() % 2 for p in range(1 << n)])


def sharp(k: int) -> NestedDNF:
    """Return k disjoint terms of k negative literals; the complement needs k**k terms (Theorem 1 is sharp).

    >>> sharp(2).side(False).size
    4
    """
    _check(k)
    return NestedDNF.from_terms(
        _names(k * k), ([literal(k * i + j, negated=True) for j in range(k)] for i in range(k)), k
    )


def tree_functions(k: int, n: int) -> set[int]:
    """Return the truth tables of all decision trees of depth at most k over n features; for small k and n.

    >>> len(tree_functions(1, 2))
    6
    """
    functions = {0, full_table(n)}
    for _ in range(k):
        functions |= {
            literal_table(literal(j), n) & high | literal_table(literal(j, negated=True), n) & low
            for j in range(n)
            for low, high in product(functions, repeat=2)
        }
    return functions


def nested_functions(k: int, n: int) -> set[int]:
    """Return the truth tables of all nested k-DNFs over n features; for k <= 2 and small n.

    >>> len(nested_functions(1, 2))
    6
    """
    literals = [literal_table(code, n) for code in range(2 * n)]
    vectors = [r for r in product(range(k + 1), repeat=k) if sum(r) <= k]
    functions: set[int] = set()
    for cells in product(literals, repeat=k * k):
        terms = {_prefix_table(cells, r, k, n) for r in vectors}
        functions |= _unions(terms)
    return functions


def log2_tree_bound(k: int, n: int) -> float:
    """Return log2 of the paper's upper bound on the number of functions of depth-k trees over n features.

    >>> log2_tree_bound(2, 16)
    16.0
    """
    return float((2**k - 1) * log2(n) + 2**k)


def log2_nested_bound(k: int) -> float:
    """Return log2 of the paper's lower bound on the number of nested k-DNF functions over at least k*k features.

    >>> log2_nested_bound(4)
    35.0
    """
    return float(comb(2 * k - 1, k - 1))


def log_interpretable_functions(k: int, n: int) -> float:
    """Return the natural logarithm of the number of k-AXp-interpretable functions of n features, or more for k >= 3.

    At k = 1 they are the constants and the literals; at k = 2 there are 2 + 2n + 10 C(n, 2) + 80 C(n, 3) + 288 C(n, 4).
    Beyond, each is a choice of at most k**k terms (Theorem 1).

    >>> from math import exp
    >>> [round(exp(log_interpretable_functions(k, 4))) for k in (1, 2)]
    [10, 678]
    """
    _check(k)
    if k <= 2:
        return log(sum(number * comb(n, size) for size, number in enumerate((2, 2, 10, 80, 288)[: 2 if k == 1 else 5])))
    terms = sum(comb(n, size) << size for size in range(k + 1))
    return float(k**k * log(1 + terms))


def _prefix_table(cells: tuple[int, ...], r: tuple[int, ...], k: int, n: int) -> int:
    table = full_table(n)
    for i, r_i in enumerate(r):
        for j in range(r_i):
            table &= cells[k * i + j]
    return table


def _unions(tables: set[int]) -> set[int]:
    unions = {0}
    for table in tables:
        unions |= {union | table for union in unions}
    return unions


def _names(n: int) -> list[str]:
    return [f"x{j + 1}" for j in range(n)]


def _check(k: int) -> None:
    if k < 1:
        raise InvalidArgument("k", "be 1 or more", k)


_MAX_FEATURES = 16
_MAX_IMPLICANTS = 4_000
_MAX_STEPS = 4_000


class NotFound(ValueError):
    """The search ended without a witness and without a proof; the message says what was tried."""


def is_tree(primes: list[int], depth: int) -> bool:
    """Return whether the function of these prime implicants is a decision tree of at most this depth.

    Raises :class:`NotFound` for more features than tables are made for, where counting them is not a proof.

    >>> is_tree([0b0101, 0b100010], 2)  # a & b | ~a & c
    True
    """
    place = _places(primes)
    n = len(place)
    if n <= depth or n >= 1 << depth:
        return n <= depth
    if n > _MAX_FEATURES:
        raise NotFound(f"trees are searched for functions of at most {_MAX_FEATURES} features; got {n}")
    constants = (0, full_table(n))

    @cache
    def fits(table: int, depth: int) -> bool:
        if table in constants:
            return True
        halves = [cofactors(table, feature, n) for feature in range(n)]
        splits = [(low, high) for low, high in halves if low != high]
        if len(splits) >= 1 << depth:
            return False
        return any(fits(low, depth - 1) and fits(high, depth - 1) for low, high in splits)

    return fits(dnf_table((renumbered(mask, place) for mask in primes), n), depth)


def with_small_matchings(primes: list[int], k: int) -> list[int] | None:
    """Return a k-DNF of the function of these prime implicants with induced matchings of size at most k, or None.

    None is a proof that there is none. Raises :class:`NotFound` if the search is out of reach.

    >>> with_small_matchings([0b0101, 0b1010], 1) is None  # a & b | ~a & ~b
    True
    """
    place = _places(primes)
    if len(place) > _MAX_FEATURES:
        raise NotFound(f"DNFs are searched for functions of at most {_MAX_FEATURES} features; got {len(place)}")
    small = [renumbered(mask, place) for mask in primes]
    found = _CoverSearch(small, len(place), k).run()
    back = {j: feature for feature, j in place.items()}
    return None if found is None else sorted(renumbered(mask, back) for mask in found)


def _places(primes: list[int]) -> dict[int, int]:
    """Give the features that the function depends on their numbers among themselves."""
    return {feature: j for j, feature in enumerate(sorted({f for mask in primes for f in Term(mask).features}))}


class _CoverSearch:
    """Depth-first search over the covers of a function by implicants of at most k literals."""

    def __init__(self, primes: list[int], n: int, k: int) -> None:
        self.k, self.function, self.steps = k, dnf_table(primes, n), 0
        terms = sorted(_implicants(primes, n, k), key=lambda mask: (mask.bit_count(), mask))
        self.tables = {mask: dnf_table([mask], n) for mask in terms}

    def run(self) -> list[int] | None:
        """Return the terms of a cover, or None if none has small matchings."""
        once = twice = 0
        for table in self.tables.values():
            twice |= once & table
            once |= table
        if self.function & ~once:
            return None
        # A point that one implicant alone holds puts that implicant into every cover.
        forced = [mask for mask, table in self.tables.items() if table & ~twice]
        return self._extended(forced, frozenset()) if self._is_small(forced) else None

    def _extended(self, chosen: list[int], barred: frozenset[int]) -> list[int] | None:
        left = self.function
        for mask in chosen:
            left &= ~self.tables[mask]
        if not left:
            return chosen
        for mask in self._holders(left, barred):
            longer = [*chosen, mask]
            if self._is_small(longer):
                found = self._extended(longer, barred)
                if found is not None:
                    return found
            # Every cover with this term has been tried.
            barred |= {mask}
        return None

    def _holders(self, left: int, barred: frozenset[int]) -> list[int]:
        """Return the terms not barred that hold the point of fewest terms among a few that are left."""
        best: list[int] | None = None
        for _ in range(8):
            if not left:
                break
            point = left & -left
            left ^= point
            holders = [mask for mask, table in self.tables.items() if table & point and mask not in barred]
            if best is None or len(holders) < len(best):
                best = holders
        assert best is not None, "something is left to cover"
        return best

    def _is_small(self, terms: list[int]) -> bool:
        self.steps += 1
        if self.steps > _MAX_STEPS:
            raise NotFound(f"no DNF and no proof after trying {_MAX_STEPS} partial covers by implicants")
        return len(terms) <= self.k or len(maximum_induced_matching(terms)) <= self.k


def _implicants(primes: list[int], n: int, k: int) -> set[int]:
    """Return all implicants of at most k literals: prime ones and what extends them."""
    found: set[int] = set()
    for prime in primes:
        size = prime.bit_count()
        others = [j for j in range(n) if not prime >> 2 * j & 3]
        for more in range(min(k - size, len(others)) + 1):
            for features in combinations(others, more):
                for signs in product((0, 1), repeat=more):
                    found.add(prime | sum(1 << 2 * j + sign for j, sign in zip(features, signs)))
            if len(found) > _MAX_IMPLICANTS:
                raise NotFound(f"covers are searched among at most {_MAX_IMPLICANTS} implicants; there are more")
    return found
