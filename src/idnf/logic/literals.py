"""Literals: a feature or its negation; terms: immutable sets of literals, read as conjunctions.

A literal is held as its code, the integer ``2 * feature + negated``; a set of literals is held as an integer whose bit
``code`` is set. Codes and masks are made and read in this module only.

A truth table over n features is an integer of 2**n bits: bit p is the value at the point whose feature j is bit j of p,
so a conjunction of literals over a million points is a few big-integer ands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, total_ordering

from idnf.logic.errors import InvalidArgument


def literal(feature: int, *, negated: bool = False) -> int:
    """Return the code of a literal.

    >>> literal(3), literal(3, negated=True)
    (6, 7)
    """
    return 2 * feature + negated


def feature_of(code: int) -> int:
    """Return the feature a literal is about.

    >>> feature_of(7)
    3
    """
    return code >> 1


def is_negated(code: int) -> bool:
    """Return whether a literal is a negated feature.

    >>> is_negated(7)
    True
    """
    return bool(code & 1)


def negation(code: int) -> int:
    """Return the code of the opposite literal.

    >>> negation(6), negation(7)
    (7, 6)
    """
    return code ^ 1


def mask_of(codes: Iterable[int]) -> int:
    """Return the mask of a set of literals.

    >>> bin(mask_of([0, 3]))
    '0b1001'
    """
    mask = 0
    for code in codes:
        mask |= 1 << code
    return mask


def codes_of(mask: int) -> Iterator[int]:
    """Yield the codes in a mask, smallest first.

    >>> list(codes_of(0b1001))
    [0, 3]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def positive_bits(width: int) -> int:
    """Return a mask of every positive literal in ``width`` bits (rounded up to whole features).

    >>> bin(positive_bits(4))
    '0b101'
    """
    return ((1 << (width + width % 2)) - 1) // 3


def negated_mask(mask: int) -> int:
    """Return the mask of the negations of a set of literals.

    >>> bin(negated_mask(0b1001))
    '0b110'
    """
    positive = positive_bits(mask.bit_length())
    return (mask & positive) << 1 | (mask >> 1) & positive


def is_consistent(mask: int) -> bool:
    """Return whether no feature occurs together with its negation.

    >>> is_consistent(0b1001), is_consistent(0b0011)
    (True, False)
    """
    return not mask & (mask >> 1) & positive_bits(mask.bit_length())


def renumber_code(code: int, place: Mapping[int, int]) -> int:
    """Return a literal with feature ``f`` renumbered ``place[f]``.

    >>> renumber_code(5, {2: 0})
    1
    """
    return literal(place[feature_of(code)], negated=is_negated(code))


def renumber(mask: int, place: Mapping[int, int]) -> int:
    """Return the literals with feature ``f`` renumbered ``place[f]``.

    >>> bin(renumber(0b100100, {1: 0, 2: 1}))
    '0b1001'
    """
    return mask_of(renumber_code(code, place) for code in codes_of(mask))


def point_mask(names: Sequence[str], values: Mapping[str, int], *, partial: bool = False) -> int:
    """Return the literals that hold at a point; unless ``partial``, every feature must have a value.

    >>> bin(point_mask(["a", "b"], {"a": 1, "b": 0}))
    '0b1001'
    """
    known = set(names)
    unknown = [name for name in values if name not in known]
    missing = [] if partial else [name for name in names if name not in values]
    if unknown or missing:
        rule = f"{'name only' if unknown else 'hold a value for'} {', '.join(map(repr, names)) or 'nothing'}"
        raise InvalidArgument("point", rule, repr(unknown[0]) if unknown else f"none for {missing[0]!r}")
    for name, value in values.items():
        if value not in (0, 1):
            raise InvalidArgument(repr(name), "be 0 or 1", repr(value))
    return mask_of(literal(j, negated=not values[name]) for j, name in enumerate(names) if name in values)


@total_ordering
@dataclass(frozen=True, slots=True)
class Term:
    """A conjunction of literals; the empty term is the constant 1.

    Parameters
    ----------
    bits : int
        The mask of the literals (bit ``code`` is set for each literal).

    Examples
    --------
    >>> t = Term.of([0, 3])
    >>> t.size, t.codes, 3 in t
    (2, (0, 3), True)
    """

    bits: int = 0

    @classmethod
    def of(cls, codes: Iterable[int]) -> Term:
        """Return the term of these literal codes."""
        return cls(mask_of(codes))

    @property
    def codes(self) -> tuple[int, ...]:
        """The literal codes, smallest first."""
        return tuple(codes_of(self.bits))

    @property
    def features(self) -> tuple[int, ...]:
        """The features the term is about, smallest first."""
        return tuple(sorted({feature_of(code) for code in self}))

    @property
    def size(self) -> int:
        """The number of literals."""
        return self.bits.bit_count()

    @property
    def is_consistent(self) -> bool:
        """Whether the term holds no literal together with its negation."""
        return is_consistent(self.bits)

    def __or__(self, other: Term) -> Term:
        return Term(self.bits | other.bits)

    def __lt__(self, other: Term) -> bool:
        return (self.size, self.codes) < (other.size, other.codes)

    def __iter__(self) -> Iterator[int]:
        return codes_of(self.bits)

    def __len__(self) -> int:
        return self.bits.bit_count()


SMALL = 8
"""Tables of at most this many features are built directly: their at most 3**8 = 6 561 consistent terms are cached."""


def full_table(n: int) -> int:
    """Return the table of the constant 1 over ``n`` features.

    >>> full_table(2)
    15
    """
    return (1 << (1 << n)) - 1


@lru_cache(maxsize=256)
def literal_table(code: int, n: int) -> int:
    """Return the table of one literal over ``n`` features.

    >>> bin(literal_table(0, 2)), bin(literal_table(3, 2))
    ('0b1010', '0b11')
    """
    half = 1 << feature_of(code)
    block = (1 << half) - 1 if is_negated(code) else ((1 << half) - 1) << half
    return block * (full_table(n) // ((1 << 2 * half) - 1))


def term_table(mask: int, n: int) -> int:
    """Return the table of a conjunction of literals.

    >>> bin(term_table(0b101, 2))
    '0b1000'
    """
    return _cached_term_table(mask, n) if n <= SMALL else _conjunction(mask, n)


def _conjunction(mask: int, n: int) -> int:
    table = full_table(n)
    for code in codes_of(mask):
        table &= literal_table(code, n)
    return table


_cached_term_table = lru_cache(maxsize=1 << 14)(_conjunction)


def dnf_table(masks: Iterable[int], n: int) -> int:
    """Return the table of a disjunction of terms over ``n`` features.

    Wide tables are split on their last feature, so most terms are evaluated on a small part of the space only.

    >>> bin(dnf_table([0b001, 0b100], 2))
    '0b1110'
    """
    masks = set(masks)
    if 0 in masks:
        return full_table(n)
    if n <= SMALL or len(masks) <= SMALL:
        table = 0
        for mask in masks:
            table |= term_table(mask, n)
        return table
    positive, negative = 1 << literal(n - 1), 1 << literal(n - 1, negated=True)
    low = dnf_table([mask & ~negative for mask in masks if not mask & positive], n - 1)
    high = dnf_table([mask & ~positive for mask in masks if not mask & negative], n - 1)
    return low | high << (1 << n - 1)


def cofactors(table: int, feature: int, n: int) -> tuple[int, int]:
    """Return the tables for ``feature`` = 0 and = 1, each still over ``n`` features and constant in that one.

    >>> [bin(t) for t in cofactors(0b1000, 0, 2)]
    ['0b0', '0b1100']
    """
    half = 1 << feature
    low = table & literal_table(literal(feature, negated=True), n)
    high = table & literal_table(literal(feature), n)
    return low | low << half, high | high >> half
