"""The proof that the terms of classes exclude each other, leave no point out and are at most k columns wide.

For a chain of functions, the proof that each lies within the one before it, at every point that exists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations

from idnf.logic.boxes import Box, Point, cells_of
from idnf.logic.cubes import Layout, first_overlap, uncovered_term
from idnf.logic.deadlines import Budget


class VerificationError(ValueError):
    """Terms of two or more classes that failed verification.

    Attributes
    ----------
    terms : tuple of str
        The offending terms: one that is too wide, or two of different classes that share a point.
    point : str or None
        A term under which all terms are false.
    """

    def __init__(self, message: str, *, terms: tuple[str, ...] = (), point: str | None = None) -> None:
        super().__init__(message)
        self.terms = terms
        self.point = point


@dataclass(frozen=True)
class Words:
    """The words of a proof for points, terms, the unit of the bound, and a class whose name is a bare number."""

    space: str = "Boolean points"
    point: str = "point"
    term: str = "term"
    part: str = "literal"
    label: str = "class {}"


COLUMNS = Words("rows", "row", part="column")
"""For proofs over the points that exist, one cell per column; the bound counts columns."""


@dataclass(frozen=True)
class Certificate:
    """A proof about the terms of two or more classes.

    Attributes
    ----------
    k : int
        No term of any class has more literals, or conditions on more columns.
    widths : tuple of int
        The largest term of each class, in the order of ``classes``.
    terms : tuple of int
        The number of terms of each class.
    conflicts : int
        The number of pairs of terms of different classes, all of which exclude each other.
    classes : tuple of str
        The names of the classes; class 1 comes before class 0 if there are two.
    words : Words
        The words for the points and terms.
    every : tuple of int
        The number of all reasons of each class, if the terms are reasons; the others follow from the terms.

    Examples
    --------
    >>> print(Certificate(2, (2, 1), (1, 2), 2))
    Proved over all Boolean points: class 1 (1 term) and class 0 (2 terms) exclude each other in all 2 pairs,
    every point meets one of them, and none has more than 2 literals.
    """

    k: int
    widths: tuple[int, ...]
    terms: tuple[int, ...]
    conflicts: int
    classes: tuple[str, ...] = ("1", "0")
    words: Words = Words()
    every: tuple[int, ...] = ()

    def __str__(self) -> str:
        words = self.words
        names = [words.label.format(name) if name.isdecimal() else name for name in self.classes]
        nonempty = [name for name, count in zip(names, self.terms, strict=True) if count]
        if len(nonempty) == 1:
            return f"Proved over all {words.space}: {nonempty[0]} always."
        counted = zip(names, self.terms, self.every or self.terms, strict=True)
        *listed, last = [
            f"{name} ({_count(count, every, words.term) if count else 'never'})" for name, count, every in counted
        ]
        return (
            f"Proved over all {words.space}: {', '.join(listed)} and {last} exclude each other in all {self.conflicts} "
            f"pairs, every {words.point} meets one of them, and none has more than {_plural(self.k, words.part)}."
        )

    def _repr_html_(self) -> str:
        counted = zip(map(escape, self.classes), self.terms, self.widths, strict=True)
        rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in counted)
        head = f"<tr><th>class</th><th>{self.words.term}s</th><th>{self.words.part}s in the widest</th></tr>"
        return f"<p>{escape(str(self))}</p><table><thead>{head}</thead><tbody>{rows}</tbody></table>"


def _count(count: int, every: int, thing: str) -> str:
    return _plural(count, thing) if count == every else f"{count} of {_plural(every, thing)}"


def _plural(count: int, thing: str) -> str:
    return f"{count} {thing}{'s' * (count != 1)}"


@dataclass(frozen=True)
class Partition:
    """The claim that terms of different classes share no point, leave none out and are at most k columns wide.

    Parameters
    ----------
    names : tuple of str
        The names of the classes.
    sides : sequence of sequences of int
        For each class its terms, masks of the cells that they exclude; over Boolean points masks of literals.
    k : int
    layout : Layout
        The positions of the cells.
    text : callable
        Writes a mask as text.
    words : Words
    """

    names: tuple[str, ...]
    sides: Sequence[Sequence[int]]
    k: int
    layout: Layout
    text: Callable[[int], str]
    words: Words = Words()

    @property
    def pairs(self) -> int:
        """The number of pairs of terms of different classes."""
        return sum(len(side) * len(other) for side, other in combinations(self.sides, 2))

    def prove(self, *, budget: Budget | None = None) -> Certificate:
        """Prove the claim from the terms alone.

        That no point is left out is decided by a case split over the columns, exponential in the worst case.

        Raises
        ------
        VerificationError
            Names the term that is too wide, the pair of terms that overlaps or the point that is left out.
        TooManySteps
            If the budget is not enough.
        """
        words, text, size = self.words, self.text, self.layout.size
        sides = [(words.label.format(name), side) for name, side in zip(self.names, self.sides, strict=True)]
        for name, side in sides:
            widest = max(side, key=size, default=0)
            if size(widest) > self.k:
                rule = f"every {words.term} must have at most {_plural(self.k, words.part)}"
                raise VerificationError(f"{rule}; got {text(widest)} in {name}.", terms=(text(widest),))
        for (name, first), (other, second) in combinations(sides, 2):
            pair = first_overlap(first, second, layout=self.layout, budget=budget)
            if pair is not None:
                a, b = map(text, pair)
                rule = f"{words.term}s of different classes must exclude each other"
                raise VerificationError(f"{rule}; got {a} in {name} and {b} in {other}.", terms=(a, b))
        left = uncovered_term([mask for side in self.sides for mask in side], layout=self.layout, budget=budget)
        if left is not None:
            rule = f"every {words.point} must meet a {words.term}"
            raise VerificationError(f"{rule}; got none under {text(left)}.", point=text(left))
        widths = tuple(max(map(size, side), default=0) for side in self.sides)
        return Certificate(self.k, widths, tuple(map(len, self.sides)), self.pairs, self.names, words)


def common_point(firsts: Sequence[Box], seconds: Sequence[Box]) -> Point | None:
    """Return a point in a box of each list, or None if every pair is disjoint, which proves that there is none.

    >>> common_point([(0b011, 0b11)], [(0b100, 0b01), (0b111, 0b10)]), common_point([(0b011,)], [(0b100,)])
    ((0, 1), None)
    """
    for first in firsts:
        for second in seconds:
            both = [a & b for a, b in zip(first, second, strict=True)]
            if all(both):
                return tuple(next(iter(cells_of(mask))) for mask in both)
    return None


@dataclass(frozen=True)
class ChainCertificate:
    """A proof about a chain of functions.

    Attributes
    ----------
    boundaries : tuple of Certificate
        The proof of each function.
    names : tuple of str
        The names of the ranges: below the first boundary, between two, and from the last one on.
    pairs : tuple of int
        For each function but the first, the number of pairs of one of its boxes and one outside the function before it,
        all of them disjoint.

    Examples
    --------
    >>> alone = Certificate(1, (1, 1), (1, 1), 1)
    >>> print(str(ChainCertificate((alone, alone), ("low", "middle", "high"), (1,))).splitlines()[-1])
    Proved over all rows of the table's columns: whatever is at least high is at least middle, in all 1 pairs.
    """

    boundaries: tuple[Certificate, ...]
    names: tuple[str, ...]
    pairs: tuple[int, ...]

    @property
    def k(self) -> int:
        """No reason at any boundary is larger."""
        return max(certificate.k for certificate in self.boundaries)

    def __str__(self) -> str:
        named = zip(self.names[1:], self.boundaries, strict=True)
        lines = [f"At least {name}. {certificate}" for name, certificate in named]
        lines += [
            f"Proved over all rows of the table's columns: whatever is at least {high} is at least {low}, "
            f"in all {count} pairs."
            for low, high, count in zip(self.names[1:], self.names[2:], self.pairs, strict=False)
        ]
        return "\n".join(lines)
