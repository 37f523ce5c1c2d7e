"""The proof that DNFs keep their promise: they exclude each other, leave no point out and are at most k wide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations

from idnf.logic.deadlines import Budget
from idnf.logic.dnf import DNF
from idnf.logic.literals import codes_of
from idnf.logic.parsing import literal_text, term_text
from idnf.logic.primes import first_overlap, uncovered


class VerificationError(ValueError):
    """DNFs of two or more classes that do not keep their promise.

    Attributes
    ----------
    terms : tuple of str
        The offending terms: one that is too wide, or two opposite ones that do not conflict.
    point : str or None
        Literals under which both sides are false.
    """

    def __init__(self, message: str, *, terms: tuple[str, ...] = (), point: str | None = None) -> None:
        super().__init__(message)
        self.terms = terms
        self.point = point


@dataclass(frozen=True)
class Certificate:
    """What was proved of the DNFs of two or more classes over {0,1}^n.

    Attributes
    ----------
    k : int
        No term of any class has more literals.
    widths : tuple of int
        The largest term of each class, in the order of ``classes``.
    terms : tuple of int
        The number of terms of each class.
    conflicts : int
        Pairs of terms of different classes found to exclude each other; every pair there is.
    classes : tuple of str
        The names of the classes; class 1 comes before class 0 where there are two.
    """

    k: int
    widths: tuple[int, ...]
    terms: tuple[int, ...]
    conflicts: int
    classes: tuple[str, ...] = ("1", "0")

    def __str__(self) -> str:
        counted = [f"class {name} ({count} terms)" for name, count in zip(self.classes, self.terms, strict=True)]
        two = len(counted) == 2
        return (
            f"Proved over all Boolean points: {_listed(counted)} {'are complementary' if two else 'share no point'}; "
            f"all {self.conflicts} pairs of opposite terms conflict, every point satisfies a term, and "
            f"no term has more than {self.k} literals."
        )

    def _repr_html_(self) -> str:
        counted = zip(map(escape, self.classes), self.terms, self.widths, strict=True)
        rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in counted)
        head = "<tr><th>class</th><th>terms</th><th>literals in the widest</th></tr>"
        return f"<p>{escape(str(self))}</p><table><thead>{head}</thead><tbody>{rows}</tbody></table>"


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def verified(sides: Mapping[str, DNF], k: int, *, budget: Budget | None = None) -> Certificate:
    """Prove that the DNFs of named classes exclude each other, leave no point out and are at most k wide.

    Every pair of terms of different classes must conflict and no point may escape all of them; the latter is decided by
    a case split over the features, exponential in the worst case.

    Raises
    ------
    VerificationError
        Names the term that is too wide, the pair of terms that overlaps or the point that is left out.
    TooManySteps
        When the budget is not enough.
    """
    names = next(iter(sides.values())).names
    for name, side in sides.items():
        for term in side.terms:
            if term.size > k:
                text = term_text(term.bits, names)
                raise VerificationError(
                    f"every term must have at most {k} literals; got {text} in class {name}.", terms=(text,)
                )
    for (one, first), (other, second) in combinations(sides.items(), 2):
        pair = first_overlap(first.masks, second.masks, budget=budget)
        if pair is not None:
            texts = (term_text(pair[0], names), term_text(pair[1], names))
            message = f"opposite terms must conflict; got {texts[0]} in class {one} and {texts[1]} in class {other}."
            raise VerificationError(message, terms=texts)
    escape = uncovered([mask for side in sides.values() for mask in side.masks], budget=budget)
    if escape is not None:
        point = " & ".join(literal_text(code, names) for code in codes_of(escape)) or "1"
        raise VerificationError(f"every point must satisfy a term; got none under {point}.", point=point)
    sizes = tuple(side.size for side in sides.values())
    pairs = sum(a * b for a, b in combinations(sizes, 2))
    return Certificate(k, tuple(side.width for side in sides.values()), sizes, pairs, tuple(sides))
