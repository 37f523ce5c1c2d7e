"""Models as labelled terms with a default label, in which Berge searches start and end."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

from idnf.learning.local.berge_task import MOST_IMPLICANTS, MOST_TERMS
from idnf.learning.local.kernels import kernels
from idnf.learning.local.masks import Cells
from idnf.learning.local.specification import repairing
from idnf.logic.boxes import Space
from idnf.logic.class_dnfs import ClassDNFs, DoubleDNF
from idnf.logic.dnf import DNF
from idnf.logic.model import Model
from idnf.logic.transversals import neighbours_first

Start = tuple[tuple[tuple[int, int], ...], int]
"""Labelled terms and the default label."""


def starting_terms(terms: Iterable[tuple[int, int]], cells: Cells | None = None) -> tuple[tuple[int, int], ...] | None:
    """Return labelled terms to start a search from, without absorbed ones, or None if the state would be too large.

    With `cells`, steps count their columns.

    >>> starting_terms([(0b0101, 1), (0b0001, 1)])
    ((1, 1),)
    """
    terms = [*terms]
    cells = cells or Cells.plain(max((term.bit_length() + 1 for term, _ in terms), default=0) // 2)
    reduced = cells.reduced(terms)
    if len(reduced) > MOST_TERMS or kernels().implicants(cells, [t for t, _ in reduced], MOST_IMPLICANTS) is None:
        return None
    return tuple(reduced)


def add_starts(starts: list[Start], model: Model, defaults: Iterable[int], cells: Cells | None, *, most: int) -> None:
    """Add a model as labelled terms with each default to some starts, but no known or large one."""
    sides: dict[int, Sequence[int]] = {}
    for default in defaults:
        if len(starts) == most:
            return
        labels = [label for label in range(model.n_classes) if label != default]
        sides.update({label: _side(model, label) for label in labels if label not in sides})
        terms = starting_terms([(term, label) for label in labels for term in sides[label]], cells)
        if terms is not None and (terms, default) not in starts:
            starts.append((terms, default))


def _side(model: Model, label: int) -> Sequence[int]:
    """Return the terms of a label, as they are written if the model is written for it."""
    own, written = model.own_terms() if model.n_classes == 2 else ((), None)
    return own if label == written else model.side(label).masks


def to_model(  # noqa: PLR0913 - a function, and how it is written
    terms: Iterable[tuple[int, int]],
    default: int,
    n_labels: int,
    names: Sequence[str],
    k: int,
    counted: tuple[Space, Cells] | None = None,
) -> ClassDNFs:
    """Return an interpretable function, labelled terms and a default, as the DNF of each label.

    With `counted` k counts the columns of a space.

    >>> print(to_model([(0b0101, 0)], 1, 2, ("a", "b"), 2).positive)
    ~a | ~b
    """
    space, cells = counted or (None, Cells.plain(len(names)))
    least = [*terms] if counted else cells.reduced(terms)
    masks = [term for term, _ in least]
    ordered = masks if counted else neighbours_first(masks)
    found = kernels().implicants(cells, ordered, MOST_IMPLICANTS) if len(least) <= MOST_TERMS else None
    implicants = repairing.implicants(cells, ordered, sys.maxsize) if found is None else found
    sides = [[term for term, other in least if other == label] for label in range(n_labels)]
    sides[default] = [cells.term(p) for p in implicants or () if cells.width(p) <= k]
    dnfs = [DNF.from_masks(tuple(names), side) for side in sides]
    return DoubleDNF(dnfs[1], dnfs[0], k, space) if n_labels == 2 else ClassDNFs(dnfs, k, space)
