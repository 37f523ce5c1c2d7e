"""The guarantee of a model from a file, proved again within a bound on the work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import prod

from idnf.explaining.sides import LARGE
from idnf.exporting.documents import DocumentError
from idnf.logic.double import DoubleDNF
from idnf.logic.literals import codes_of, feature_of, literal, negated_mask
from idnf.logic.nested import NestedDNF
from idnf.logic.parsing import literal_text, term_text
from idnf.logic.primes import restrict
from idnf.logic.trees import NestedTree

MOST_PAIRS = 5_000_000
"""The most pairs of opposite terms that are compared."""

MOST_STEPS = 5_000_000
"""The most terms that are looked at, counted as often as they are, to prove that no point escapes."""

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
    point = uncovered(sides[True] + sides[False])
    if point is not None:
        words = " & ".join(literal_text(code, names) for code in codes_of(point)) or "1"
        raise DocumentError(f"model must have a term for every point; got none under {words}.")


def _prove_conflicts(positive: Sequence[int], negative: Sequence[int], names: tuple[str, ...]) -> None:
    if len(positive) * len(negative) > MOST_PAIRS:
        raise Unproved(f"model must have at most {MOST_PAIRS} pairs of opposite terms to be proved.")
    for other in negative:
        against = negated_mask(other)
        for mask in positive:
            if not mask & against:
                texts = f"{term_text(mask, names)} in class 1 and {term_text(other, names)} in class 0"
                raise DocumentError(f"model must have opposite terms that exclude each other; got {texts}.")


def uncovered(masks: Iterable[int]) -> int | None:
    """Return literals under which every term is false, or None when the terms leave no point out.

    A case split on the most frequent feature, without recursion and with a bound on the work.

    >>> uncovered([0b01, 0b10]) is None, uncovered([0b0101, 0b0010])
    (True, 9)
    """
    steps = 0
    open_cases: list[tuple[list[int], int]] = [(list(set(masks)), 0)]
    while open_cases:
        terms, given = open_cases.pop()
        steps += len(terms) + 1
        if steps > MOST_STEPS:
            raise Unproved("model must be provable within bounds; the proof that no point is left out takes too long.")
        if 0 in terms:
            continue
        if not terms:
            return given
        occurrences = Counter(feature_of(code) for term in terms for code in codes_of(term))
        feature = max(occurrences, key=lambda f: (occurrences[f], -f))
        for negated in (True, False):
            held = 1 << literal(feature, negated=negated)
            open_cases.append((list(set(restrict(terms, held))), given | held))
    return None
