"""The guarantee of a model from a file, proved again within a bound on the work."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from idnf.explaining.sides import LARGE
from idnf.exporting.documents import DocumentError
from idnf.logic.double import DoubleDNF
from idnf.logic.literals import codes_of
from idnf.logic.nested import NestedDNF
from idnf.logic.parsing import literal_text, term_text
from idnf.logic.primes import TooManySteps, first_overlap, uncovered
from idnf.logic.trees import NestedTree

MOST_PAIRS = 500_000_000
"""The most pairs of opposite terms that are compared."""

MOST_STEPS = 5_000_000
"""The most terms that are looked at, counted once for each case, to prove that no point escapes."""

MOST_CHOICES = 1 << 21
"""The most ways to refute a nested DNF row by row that are gone through to write down its complement."""


MOST_MASKS = 20_000_000
"""The most cells of columns, term by term, that a side may take when both sides are large."""


class Unproved(DocumentError):
    """A model that may well keep its promise, but is too large for the proof."""


def refuse_large(model: NestedDNF | NestedTree, columns: int) -> None:
    """Raise an error for a nested model whose sides would take too long to write down over so many columns."""
    leaves = (
        [(model, False)] if isinstance(model, NestedDNF) else [(l.nested, l.complemented) for _, l in model.leaves()]
    )
    sizes = [0, 0]
    for nested, complemented in leaves:
        choices = prod(max(lengths) + 1 for lengths in zip(*nested.prefixes))
        sizes[complemented] += choices
        sizes[not complemented] += len(nested.prefixes)
    if max(sizes) > MOST_CHOICES or (min(sizes) > LARGE and max(sizes) * columns > MOST_MASKS):
        raise DocumentError(f"model must have sides that can be written down; got about {max(sizes)} terms.")


def prove(double: DoubleDNF) -> None:
    """Prove that the sides are at most k wide and complementary over all Boolean points, or raise an error.

    >>> from idnf.logic.dnf import DNF
    >>> prove(DoubleDNF(DNF.parse("a & b"), DNF.parse("~a", ["a", "b"]), 2))
    Traceback (most recent call last):
    ...
    idnf.exporting.documents.DocumentError: model must have a term for every point; got none under a & ~b.
    """
    names = double.names
    sides = {value: double.side(value).masks for value in (True, False)}
    for value, masks in sides.items():
        for mask in masks:
            if mask.bit_count() > double.k:
                text = term_text(mask, names)
                raise DocumentError(
                    f"model must have terms of at most k = {double.k} literals; got {text} in class {int(value)}."
                )
    _prove_conflicts(sides[True], sides[False], names)
    try:
        point = uncovered(sides[True] + sides[False], most_steps=MOST_STEPS)
    except TooManySteps as error:
        rule = "model must be provable within bounds; the proof that no point is left out takes too long."
        raise Unproved(rule) from error
    if point is not None:
        words = " & ".join(literal_text(code, names) for code in codes_of(point)) or "1"
        raise DocumentError(f"model must have a term for every point; got none under {words}.")


def _prove_conflicts(positive: Sequence[int], negative: Sequence[int], names: tuple[str, ...]) -> None:
    if len(positive) * len(negative) > MOST_PAIRS:
        raise Unproved(f"model must have at most {MOST_PAIRS} pairs of opposite terms to be proved.")
    pair = first_overlap(positive, negative)
    if pair is not None:
        texts = f"{term_text(pair[0], names)} in class 1 and {term_text(pair[1], names)} in class 0"
        raise DocumentError(f"model must have opposite terms that exclude each other; got {texts}.")
