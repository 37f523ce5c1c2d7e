"""The guarantee of a model from a file, proved again within a bound on the work."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import prod

from idnf.explaining.sides import LARGE
from idnf.exporting.documents import DocumentError
from idnf.logic.budgets import Budget, TooManySteps
from idnf.logic.dnf import DNF
from idnf.logic.literals import codes_of
from idnf.logic.nested import NestedDNF
from idnf.logic.parsing import literal_text, term_text
from idnf.logic.primes import first_overlap, uncovered
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


def prove(sides: Mapping[str, DNF], k: int) -> None:
    """Prove that the DNFs of named classes are at most k wide, exclude each other and leave no point out.

    >>> prove({"1": DNF.parse("a & b"), "0": DNF.parse("~a", ["a", "b"])}, 2)
    Traceback (most recent call last):
    ...
    idnf.exporting.documents.DocumentError: model must have a term for every point; got none under a & ~b.
    """
    names = next(iter(sides.values())).names
    for name, side in sides.items():
        for mask in side.masks:
            if mask.bit_count() > k:
                text = term_text(mask, names)
                raise DocumentError(f"model must have terms of at most k = {k} literals; got {text} in class {name}.")
    _prove_conflicts(sides, names)
    try:
        point = uncovered([mask for side in sides.values() for mask in side.masks], budget=Budget(MOST_STEPS))
    except TooManySteps as error:
        rule = "model must be provable within bounds; the proof that no point is left out takes too long."
        raise Unproved(rule) from error
    if point is not None:
        words = " & ".join(literal_text(code, names) for code in codes_of(point)) or "1"
        raise DocumentError(f"model must have a term for every point; got none under {words}.")


def _prove_conflicts(sides: Mapping[str, DNF], names: tuple[str, ...]) -> None:
    if sum(one.size * other.size for one, other in combinations(sides.values(), 2)) > MOST_PAIRS:
        raise Unproved(f"model must have at most {MOST_PAIRS} pairs of opposite terms to be proved.")
    for (one, first), (other, second) in combinations(sides.items(), 2):
        pair = first_overlap(first.masks, second.masks)
        if pair is not None:
            texts = f"{term_text(pair[0], names)} in class {one} and {term_text(pair[1], names)} in class {other}"
            raise DocumentError(f"model must have opposite terms that exclude each other; got {texts}.")
