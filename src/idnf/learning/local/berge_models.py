"""From models to labelled terms, what Berge searches start from, and back to the models they end in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from idnf.learning.local.berge_search import MOST_IMPLICANTS, MOST_TERMS
from idnf.learning.local.cells import Cells
from idnf.learning.local.kernels import kernels
from idnf.logic.boxes import Space
from idnf.logic.class_dnfs import ClassDNFs, DoubleDNF
from idnf.logic.dnf import DNF
from idnf.logic.model import Model
from idnf.logic.transversals import complement_terms, minimal_sets, neighbours_first

Start = tuple[tuple[tuple[int, int], ...], int]
"""Labelled terms and the default label."""


def starting_terms(terms: Iterable[tuple[int, int]], cells: Cells | None = None) -> tuple[tuple[int, int], ...] | None:
    """Return labelled terms to start a search from, without absorbed ones, or None if the state would be too large.

    With `cells`, steps count columns.

    >>> starting_terms([(0b0101, 1), (0b0001, 1)])
    ((1, 1),)
    """
    if cells is not None:
        reduced = cells.reduced(terms)
        is_small = len(reduced) <= MOST_TERMS and _column_implicants(cells, reduced) is not None
        return tuple(reduced) if is_small else None
    labels = dict(terms)
    least = minimal_sets(labels)
    if len(least) > MOST_TERMS or kernels().implicants(least, MOST_IMPLICANTS) is None:
        return None
    return tuple((term, labels[term]) for term in least)


def add_start(starts: list[Start], model: Model, default: int, cells: Cells | None, *, most: int) -> None:
    """Add a model as labelled terms with a default to some starts, unless it is one, too large, or they are enough."""
    if len(starts) == most:
        return
    if model.n_classes == 2:
        own, label = model.own_terms()
        sides = {1 - default: own if label != default else model.side(1 - default).masks}
    else:
        sides = {label: model.side(label).masks for label in range(model.n_classes) if label != default}
    terms = starting_terms([(term, label) for label, side in sides.items() for term in side], cells)
    if terms is not None and (terms, default) not in starts:
        starts.append((terms, default))


def _column_implicants(cells: Cells, terms: Sequence[tuple[int, int]]) -> list[int] | None:
    return kernels().column_implicants(cells, [term for term, _ in terms], MOST_IMPLICANTS)


def to_column_model(
    terms: Sequence[tuple[int, int]], default: int, n_labels: int, problem: tuple[Sequence[str], int, Space, Cells]
) -> ClassDNFs:
    """Return an interpretable function, labelled terms and a default, as the DNF of each label over a space."""
    names, k, space, cells = problem
    implicants = _column_implicants(cells, terms)
    assert implicants is not None, "a state that was worked on is not too large"
    sides = [[term for term, other in terms if other == label] for label in range(n_labels)]
    sides[default] = [cells.term(p) for p in implicants if cells.width(p) <= k]
    dnfs = [DNF.from_masks(tuple(names), side) for side in sides]
    return DoubleDNF(dnfs[1], dnfs[0], k, space) if n_labels == 2 else ClassDNFs(dnfs, k, space)


def to_model(terms: Iterable[tuple[int, int]], default: int, n_labels: int, names: Sequence[str], k: int) -> ClassDNFs:
    """Return an interpretable function, labelled terms and a default, as the DNF of each label.

    >>> print(to_model([(0b0101, 0)], 1, 2, ("a", "b"), 2).positive)
    ~a | ~b
    """
    labels = dict(terms)
    least = minimal_sets(labels)
    implicants = None
    if len(least) <= MOST_TERMS:
        implicants = kernels().implicants(neighbours_first(list(least)), MOST_IMPLICANTS)
    if implicants is None:
        implicants = complement_terms(least)
    sides = [[term for term in least if labels[term] == label] for label in range(n_labels)]
    sides[default] = [p for p in implicants if p.bit_count() <= k]
    dnfs = [DNF.from_masks(tuple(names), side) for side in sides]
    return DoubleDNF(dnfs[1], dnfs[0], k) if n_labels == 2 else ClassDNFs(dnfs, k)
