"""DNFs by class: one DNF for each of C classes, at most k wide, no point in two of them, none in no one.

A function into C classes is k-AXp-interpretable when every point has a reason of at most k literals for its class. That
holds iff each function "is it class c" is, as a reason for another class is a reason for "not c". A double DNF is the
case of two classes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from idnf.logic.deadlines import Budget
from idnf.logic.dnf import DNF
from idnf.logic.double import Certificate, DoubleDNF, verified
from idnf.logic.literals import literal, mask_of, point_mask
from idnf.logic.primes import least_covering_size, prime_implicants


@dataclass(frozen=True)
class ClassDNFs:
    """The terms of each class: together they cover every point, and none is in two classes.

    Parameters
    ----------
    dnfs : tuple of DNF
        The DNF of class 0, of class 1 and so on, over the same names.
    k : int
        The bound on the size of every term.

    Examples
    --------
    >>> three = ClassDNFs.from_truth_table(("a", "b"), [0, 1, 2, 1])
    >>> print(*three.dnfs, sep=" / ")
    ~a & ~b / a / ~a & b
    >>> three.k, three.evaluate({"a": 0, "b": 1})
    (2, 2)
    >>> print(three.verify())
    Proved over all Boolean points: class 0 (1 terms), class 1 (1 terms) and class 2 (1 terms) share no point;
    all 3 pairs of opposite terms conflict, every point satisfies a term, and no term has more than 2 literals.
    """

    dnfs: tuple[DNF, ...]
    k: int

    def __post_init__(self) -> None:
        if not self.dnfs:
            raise ValueError("dnfs must hold a DNF for each class; got none.")
        for dnf in self.dnfs:
            if dnf.names != self.names:
                raise ValueError(f"dnfs must have the same names {self.names}; got {dnf.names}.")
        if self.k < 0:
            raise ValueError(f"k must be 0 or more; got {self.k}.")

    @classmethod
    def of_double(cls, double: DoubleDNF) -> ClassDNFs:
        """Return a double DNF as DNFs by class.

        >>> print(*ClassDNFs.of_double(DNF.parse("a & b").double()).dnfs, sep=" / ")
        ~a | ~b / a & b
        """
        return cls((double.negative, double.positive), double.k)

    @classmethod
    def from_truth_table(cls, names: Sequence[str], values: Sequence[int]) -> ClassDNFs:
        """Return the standard expression of a function: for each class its prime implicants of the least size k.

        Parameters
        ----------
        names : sequence of str
            The features.
        values : sequence of int
            The class, from 0, at each of the 2**n points; point p gives feature j the value of bit j of p.
        """
        n, values = len(names), list(values)
        if len(values) != 1 << n:
            raise ValueError(f"values must have 2**{n} = {1 << n} entries, one a point; got {len(values)}.")
        if min(values) < 0:
            raise ValueError(f"values must be classes from 0 on; got {min(values)}.")
        points = [mask_of(literal(j, negated=not p >> j & 1) for j in range(n)) for p in range(1 << n)]
        members: list[list[int]] = [[] for _ in range(max(values) + 1)]
        for point, label in zip(points, values, strict=True):
            members[label].append(point)
        sides = [prime_implicants(masks) for masks in members]
        k = least_covering_size([mask for side in sides for mask in side])
        return cls(tuple(DNF.from_masks(names, (mask for mask in side if mask.bit_count() <= k)) for side in sides), k)

    @property
    def names(self) -> tuple[str, ...]:
        """The features."""
        return self.dnfs[0].names

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(self.dnfs)

    def side(self, label: int) -> DNF:
        """Return the DNF of one class."""
        return self.dnfs[label]

    def evaluate(self, point: Mapping[str, int]) -> int:
        """Return the class at one point; the first of several where classes overlap."""
        true = point_mask(self.names, point)
        for label, dnf in enumerate(self.dnfs):
            if any(mask & true == mask for mask in dnf.masks):
                return label
        raise ValueError(f"every point must satisfy a term; got none at {dict(point)}.")

    def least_k(self) -> int:
        """Return the least bound that this function can keep; there can be exponentially many prime implicants.

        >>> ClassDNFs((DNF.parse("a & b | a & ~b"), DNF.parse("~a", ["a", "b"])), 2).least_k()
        1
        """
        return least_covering_size([mask for dnf in self.dnfs for mask in prime_implicants(dnf.masks)])

    def verify(self, classes: Sequence[object] | None = None, *, budget: Budget | None = None) -> Certificate:
        """Prove widths, conflicts and that no point is left out, by looking at nothing but the terms.

        Of two classes class 1 comes first, of more class 0.

        Parameters
        ----------
        classes : sequence, optional
            What the classes are called; their numbers if not given.
        budget : Budget, optional
            The most work; :class:`idnf.logic.deadlines.TooManySteps` is raised where that is not enough.

        Raises
        ------
        VerificationError
            Names the term that is too wide, the pair of terms that overlaps or the point that is left out.
        """
        called = range(self.n_classes) if classes is None else classes
        sides = list(zip(map(str, called), self.dnfs, strict=True))
        return verified(dict(reversed(sides) if len(sides) == 2 else sides), self.k, budget=budget)
