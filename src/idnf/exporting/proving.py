"""The guarantee of a model from a file, proved again within a bound on the work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from idnf.columns.column import TableColumn
from idnf.explaining.sides import LARGE, Sides
from idnf.exporting.documents import DocumentError
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.cubes import Layout, Meeting
from idnf.logic.deadlines import Budget
from idnf.logic.model import Model
from idnf.logic.trees import NestedTree
from idnf.logic.verification import Certificate

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


def refuse_large(model: Model, columns: int) -> None:
    """Raise an error for a nested model whose sides would take too long to write down over that many columns."""
    sizes = [
        sum(leaf.most_terms(label) for _, leaf in NestedTree.of(model).leaves()) for label in range(model.n_classes)
    ]
    several = model.n_classes > 2 or min(sizes) > LARGE
    if max(sizes) > MOST_CHOICES or (several and max(sizes) * columns > MOST_MASKS):
        raise DocumentError(f"model must have sides that can be written down; got about {max(sizes)} terms.")


def prove(model: ClassDNFs, classes: Sequence[object] | None = None, *, budget: Budget | None = None) -> Certificate:
    """Prove that the terms of classes keep their promise, within a budget and a bound on the pairs of opposite terms.

    >>> from idnf.logic.dnf import DNF
    >>> prove(DNF.parse("a & b").double()).terms
    (1, 2)
    """
    if sum(one.size * other.size for one, other in combinations(model.dnfs, 2)) > MOST_PAIRS:
        raise Unproved(f"model must have at most {MOST_PAIRS} pairs of opposite terms to be proved.")
    return model.verify(classes, budget=budget)


class NotMonotone(DocumentError):
    """A constraint that a model file claims and its model breaks."""


def prove_monotone(
    sides: Sides, columns: Sequence[TableColumn], constraints: Mapping[str, int], budget: Budget | None = None
) -> None:
    """Raise an error for a model of two classes that breaks a monotone constraint.

    A class rises with a column iff each of its terms, stretched upwards on that column, stays inside the class: then no
    term of the other class meets it.
    """
    label = 0 if sides.terms[1] is None else 1
    own, opposite = sides.terms[label] or (), sides.terms[1 - label]
    ways = {j: constraints.get(column.name, 0) * (1 if label else -1) for j, column in enumerate(columns)}
    stretched = [
        (j, box, mask)
        for j, way in ways.items()
        if way
        for box in own
        if (mask := _longer(box[j], columns[j], way)) != box[j]
    ]
    if not stretched:
        return
    if opposite is None or len(stretched) * len(opposite) > MOST_PAIRS:
        where = f"settings.monotonic_cst[{columns[stretched[0][0]].name!r}]"
        raise Unproved(f"{where} must hold of the model; a side of it is too large for the proof.")
    used = sides.frame.columns
    layout = Layout(tuple(sides.space.columns[j].size for j in used))
    others = Meeting([layout.mask(tuple(box[i] for i in used)) for box in opposite], layout)
    for j, box, mask in stretched:
        longer = layout.mask(tuple(mask if i == j else box[i] for i in used))
        if any(others.pairs([longer], budget=budget)):
            raise NotMonotone(f"settings.monotonic_cst[{columns[j].name!r}] must hold of the model; it does not.")


def _longer(mask: int, column: TableColumn, way: int) -> int:
    known = mask & column.known_mask
    if not known:
        return mask
    upwards = column.known_mask & -(known & -known)
    downwards = (1 << known.bit_length()) - 1
    return mask | (upwards if way == 1 else downwards)
