"""Terms: immutable sets of literals, read as conjunctions and held in one integer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import total_ordering

from idnf.logic.literals import codes_of, feature_of, is_consistent, mask_of, negated_mask


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
    >>> t.size, t.codes, Term.of([0]).issubset(t)
    (2, (0, 3), True)
    """

    bits: int = 0

    @classmethod
    def of(cls, codes: Iterable[int]) -> Term:
        """Return the term of the given literal codes."""
        return cls(mask_of(codes))

    @property
    def codes(self) -> tuple[int, ...]:
        """The literal codes, smallest first."""
        return tuple(codes_of(self.bits))

    @property
    def features(self) -> tuple[int, ...]:
        """The features the term speaks of, smallest first."""
        return tuple(sorted({feature_of(code) for code in self}))

    @property
    def size(self) -> int:
        """The number of literals."""
        return self.bits.bit_count()

    @property
    def is_consistent(self) -> bool:
        """Whether the term holds no literal together with its negation."""
        return is_consistent(self.bits)

    def issubset(self, other: Term) -> bool:
        """Tell whether every literal of this term is in ``other``; then ``other`` implies this term."""
        return self.bits & other.bits == self.bits

    def conflicts_with(self, other: Term) -> bool:
        """Tell whether some literal here is negated in ``other``, so that no point satisfies both."""
        return bool(self.bits & negated_mask(other.bits))

    def __or__(self, other: Term) -> Term:
        return Term(self.bits | other.bits)

    def __lt__(self, other: Term) -> bool:
        return (self.size, self.codes) < (other.size, other.codes)

    def __iter__(self) -> Iterator[int]:
        return codes_of(self.bits)

    def __len__(self) -> int:
        return self.bits.bit_count()
