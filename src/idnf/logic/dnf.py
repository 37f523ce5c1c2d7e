"""DNFs: disjunctions of terms over named features."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from idnf.logic import parsing, primes
from idnf.logic.errors import InvalidArgument
from idnf.logic.literals import Term, dnf_table, feature_of, is_consistent, literal, mask_of, point_mask, renumber
from idnf.logic.transversals import complement_terms, maximum_induced_matching, minimal_sets

if TYPE_CHECKING:
    from idnf.logic.class_dnfs import DoubleDNF


@dataclass(frozen=True)
class DNF:
    """A disjunction of terms; without terms it is the constant 0.

    Terms keep their order; ``f.simplified()`` drops inconsistent and absorbed ones. Two DNFs are equal if their names
    and terms are; :meth:`is_equivalent` compares the functions.

    Parameters
    ----------
    names : tuple of str
        The features, in the order of their numbers.
    terms : tuple of Term
        The terms.

    Examples
    --------
    >>> f = DNF.parse("a & b | c & ~d")
    >>> f.size, f.length, f.width
    (2, 4, 2)
    >>> f.evaluate({"a": 1, "b": 0, "c": 1, "d": 0})
    True
    >>> print(f.complement())
    ~a & ~c | ~a & d | ~b & ~c | ~b & d
    """

    names: tuple[str, ...]
    terms: tuple[Term, ...]

    def __post_init__(self) -> None:
        if len(set(self.names)) < len(self.names):
            twice = sorted({name for name in self.names if self.names.count(name) > 1})
            raise InvalidArgument("names", "be distinct", f"{', '.join(map(repr, twice))} more than once")
        for term in self.terms:
            if term.bits >> 2 * len(self.names):
                unknown = feature_of(term.bits.bit_length() - 1)
                raise InvalidArgument("terms", f"use features 0 to {len(self.names) - 1}", f"feature {unknown}")

    @classmethod
    def parse(cls, text: str, names: Iterable[str] | None = None) -> DNF:
        """Read a formula; ``names`` fixes the features and their order, by default that of their first occurrence."""
        masks, features = parsing.parse(text, None if names is None else list(names))
        return cls.from_masks(features, masks)

    @classmethod
    def from_masks(cls, names: Iterable[str], masks: Iterable[int]) -> DNF:
        """Make a DNF of masks of literals."""
        return cls(tuple(names), tuple(Term(mask) for mask in masks))

    @classmethod
    def from_codes(cls, names: Iterable[str], terms: Iterable[Iterable[int]]) -> DNF:
        """Make a DNF of terms given as literal codes.

        >>> print(DNF.from_codes(["a", "b"], [[0, 3], [2]]))
        a & ~b | b
        """
        return cls.from_masks(names, map(mask_of, terms))

    @classmethod
    def from_truth_table(cls, names: Sequence[str], values: Sequence[int]) -> DNF:
        """Make the DNF of all points where ``values`` is 1; point p gives feature j the value of bit j of p.

        >>> print(DNF.from_truth_table(["a", "b"], [0, 1, 1, 0]))
        a & ~b | ~a & b
        """
        n = len(names)
        if len(values) != 1 << n:
            raise InvalidArgument("values", f"have 2**{n} = {1 << n} entries, one per point", len(values))
        points = (
            mask_of(literal(j, negated=not p >> j & 1) for j in range(n)) for p, value in enumerate(values) if value
        )
        return cls.from_masks(names, points)

    @cached_property
    def masks(self) -> tuple[int, ...]:
        """The terms as masks of literals."""
        return tuple(term.bits for term in self.terms)

    @property
    def size(self) -> int:
        """The number of terms, |D|."""
        return len(self.terms)

    @property
    def length(self) -> int:
        """The sum of the sizes of the terms, ||D||."""
        return sum(term.size for term in self.terms)

    @property
    def width(self) -> int:
        """The size of the largest term (0 for a constant); a k-DNF has width at most k."""
        return max((term.size for term in self.terms), default=0)

    def literals(self) -> tuple[int, ...]:
        """Return L(D), the codes of the literals that occur.

        >>> DNF.parse("a & ~b | a").literals()
        (0, 3)
        """
        return tuple(sorted({code for term in self.terms for code in term}))

    def evaluate(self, point: Mapping[str, int]) -> bool:
        """Return the value at one point, a mapping from names to 0 or 1."""
        true = point_mask(self.names, point)
        return any(mask & true == mask for mask in self.masks)

    def truth_table(self) -> list[int]:
        """Return the values at all 2**n points; point p gives feature j the value of bit j of p.

        >>> DNF.parse("a & ~b").truth_table()
        [0, 1, 0, 0]
        """
        n = len(self.names)
        bits = format(dnf_table(self.masks, n), f"0{1 << n}b")
        return [int(bit) for bit in reversed(bits)]

    def restrict(self, values: Mapping[str, int]) -> DNF:
        """Return the paper's D[Q]: the DNF over the other features when some have these values.

        >>> print(DNF.parse("a & b | c & ~d").restrict({"a": 1, "d": 1}))
        b
        """
        rest = DNF.from_masks(self.names, primes.restrict(self.masks, point_mask(self.names, values, partial=True)))
        return rest.over([name for name in self.names if name not in values])

    def simplified(self) -> DNF:
        """Return the same function without inconsistent and absorbed terms, smaller terms first.

        >>> print(DNF.parse("a & b | a | b & ~b").simplified())
        a
        """
        return DNF.from_masks(self.names, minimal_sets(mask for mask in self.masks if is_consistent(mask)))

    def complement(self) -> DNF:
        """Return the complement: all its prime implicants, from the consistent minimal transversals."""
        return DNF.from_masks(self.names, complement_terms(self.masks))

    def is_equivalent(self, other: DNF) -> bool:
        """Return whether both are the same function of the same names, in any order.

        >>> DNF.parse("a | ~a & b").is_equivalent(DNF.parse("b | a"))
        True
        """
        names = tuple(dict.fromkeys(self.names + other.names))
        own, others = self.over(names).masks, other.over(names).masks
        return all(primes.is_implicant(others, mask) for mask in own if is_consistent(mask)) and all(
            primes.is_implicant(own, mask) for mask in others if is_consistent(mask)
        )

    def over(self, names: Sequence[str]) -> DNF:
        """Return the same terms over another list of names, which must hold every feature that occurs.

        >>> DNF.parse("b").over(["a", "b"]).masks
        (4,)
        """
        place = {name: j for j, name in enumerate(names)}
        used = {feature: self.names[feature] for feature in sorted({feature_of(code) for code in self.literals()})}
        missing = [name for name in used.values() if name not in place]
        if missing:
            raise InvalidArgument("names", f"hold {', '.join(map(repr, used.values()))}", f"no {missing[0]!r}")
        moved = {feature: place[name] for feature, name in used.items()}
        return DNF.from_masks(names, (renumber(mask, moved) for mask in self.masks))

    def renumber(self, names: tuple[str, ...], place: Mapping[int, int]) -> DNF:
        """Return the terms with feature ``f`` renumbered ``place[f]``, simplified if two features become one.

        >>> print(DNF.parse("a & b | a & c").renumber(("x", "y"), {0: 0, 1: 1, 2: 1}))
        x & y
        """
        masks = [renumber(mask, place) for mask in self.masks]
        if len(set(place.values())) < len(place):
            masks = minimal_sets(mask for mask in masks if is_consistent(mask))
        return DNF.from_masks(names, masks)

    def prime_implicants(self) -> DNF:
        """Return the DNF of all prime implicants; there can be exponentially many.

        >>> print(DNF.parse("a & b | ~a & c").prime_implicants())
        a & b | ~a & c | b & c
        """
        return DNF.from_masks(self.names, primes.prime_implicants(self.masks))

    def certificate_complexity(self) -> int:
        """Return the least k such that this function and its complement are both k-DNFs."""
        return primes.certificate_complexity(self.masks)

    def is_interpretable(self, k: int) -> bool:
        """Return whether every decision, positive or negative, has an AXp of at most k features.

        >>> DNF.parse("a & b | c & d").is_interpretable(2)
        True
        """
        if k < 0:
            raise InvalidArgument("k", "be 0 or more", k)
        return self.certificate_complexity() <= k

    def is_cxp_interpretable(self, k: int) -> bool:
        """Return whether every decision, positive or negative, has a CXp of at most k features; constants do.

        >>> parity = DNF.parse("a & ~b | ~a & b")
        >>> parity.is_cxp_interpretable(1), parity.is_interpretable(1)
        (True, False)
        """
        if k < 0:
            raise InvalidArgument("k", "be 0 or more", k)
        return primes.most_changes(*primes.both_sides(self.masks)) <= k

    def double(self) -> DoubleDNF:
        """Return the standard double-DNF expression: prime implicants of size at most k, on both sides."""
        from idnf.logic.class_dnfs import DoubleDNF

        ones, zeros = primes.both_sides(self.masks)
        k = primes.least_covering_size(ones + zeros)
        positive, negative = (
            DNF.from_masks(self.names, (m for m in side if m.bit_count() <= k)) for side in (ones, zeros)
        )
        return DoubleDNF(positive, negative, k)

    def graph(self) -> tuple[tuple[int, Term], ...]:
        """Return the edges of the bipartite graph G_D: every literal with every term it is in.

        >>> len(DNF.parse("a & b | c").graph())
        3
        """
        return tuple((code, term) for term in dict.fromkeys(self.terms) for code in term)

    def maximum_induced_matching(self) -> tuple[tuple[int, Term], ...]:
        """Return the edges of a largest induced matching of G_D; their number is mim(G_D).

        >>> len(DNF.parse("a & b | c & d").maximum_induced_matching())
        2
        """
        terms = tuple(dict.fromkeys(self.terms))
        return tuple((code, terms[i]) for code, i in maximum_induced_matching([t.bits for t in terms]))

    def __str__(self) -> str:
        return parsing.dnf_text(self.masks, self.names)
