"""Whether a function has a k-DNF whose induced matchings have size at most k, decided for the function.

A largest induced matching never shrinks when terms are added, so a k-DNF with matchings of size at most k exists iff
one exists without redundant terms. The search picks a point that few implicants of at most k literals cover, tries each
of these, and gives up a partial cover once its matching is too large. Terms that are not prime are tried as well: some
functions need them.
"""

from __future__ import annotations

from itertools import combinations, product

from idnf.logic.literals import dnf_table, renumber
from idnf.logic.transversals import maximum_induced_matching
from idnf.logic.witnesses import MOST_FEATURES, NotFound, feature_numbers

_MAX_IMPLICANTS = 4_000
_MAX_STEPS = 4_000


def with_small_matchings(primes: list[int], k: int) -> list[int] | None:
    """Return a k-DNF of the function of these prime implicants with induced matchings of size at most k, or None.

    None proves that there is none. Raises :class:`NotFound` if the search is out of reach.

    >>> with_small_matchings([0b0101, 0b1010], 1) is None  # a & b | ~a & ~b
    True
    """
    place = feature_numbers(primes)
    if len(place) > MOST_FEATURES:
        raise NotFound(f"DNFs are searched for functions of at most {MOST_FEATURES} features; got {len(place)}")
    small = [renumber(mask, place) for mask in primes]
    cover = _CoverSearch(small, len(place), k).run()
    back = {j: feature for feature, j in place.items()}
    return None if cover is None else sorted(renumber(mask, back) for mask in cover)


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
        # If one implicant alone covers a point, it is in every cover.
        forced = [mask for mask, table in self.tables.items() if table & ~twice]
        return self._extend(forced, frozenset()) if self._is_small(forced) else None

    def _extend(self, chosen: list[int], barred: frozenset[int]) -> list[int] | None:
        left = self.function
        for mask in chosen:
            left &= ~self.tables[mask]
        if not left:
            return chosen
        for mask in self._holders(left, barred):
            longer = [*chosen, mask]
            if self._is_small(longer):
                cover = self._extend(longer, barred)
                if cover is not None:
                    return cover
            # Every cover with this term has been tried.
            barred |= {mask}
        return None

    def _holders(self, left: int, barred: frozenset[int]) -> list[int]:
        """Of a few uncovered points, take the one with fewest terms, and return its terms that are not barred."""
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
    """Return all implicants of at most k literals: prime ones and their extensions."""
    implicants: set[int] = set()
    for prime in primes:
        size = prime.bit_count()
        others = [j for j in range(n) if not prime >> 2 * j & 3]
        for more in range(min(k - size, len(others)) + 1):
            for features in combinations(others, more):
                for signs in product((0, 1), repeat=more):
                    implicants.add(prime | sum(1 << 2 * j + sign for j, sign in zip(features, signs)))
            if len(implicants) > _MAX_IMPLICANTS:
                raise NotFound(f"covers are searched among at most {_MAX_IMPLICANTS} implicants; there are more")
    return implicants
