"""Checks that need no trust in the explainer: they look at the terms of the model and at nothing the explainer uses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import combinations

from idnf.explaining.proofs import Claim, Masks, Refuter, covered_by, full_box, refuted
from idnf.logic.boxes import Space

Terms = tuple[Masks, ...] | None


class CheckError(ValueError):
    """Something the explainer or the model claims does not hold."""


@dataclass(frozen=True)
class Check:
    """What was proved, how, and over how many points.

    Attributes
    ----------
    proved : tuple of str
    method : str
        "truth table" or "SAT".
    points : int
        The number of points of the space of the columns concerned.
    """

    proved: tuple[str, ...]
    method: str
    points: int

    def __str__(self) -> str:
        lines = "\n".join(f"- {line}" for line in self.proved)
        return f"Proved by {self.method} over {self.points} points:\n{lines}"

    def _repr_html_(self) -> str:
        lines = "".join(f"<li>{escape(line)}</li>" for line in self.proved)
        return f"<p>Proved by {self.method} over {self.points} points:</p><ul>{lines}</ul>"


@dataclass(frozen=True)
class DecisionClaim:
    """What an explanation says of an example.

    Parameters
    ----------
    point : sequence of int
        The cells of the example.
    axp : sequence of int
        The columns of its reason.
    box : tuple of int
        The conditions of the reason, a mask of cells for each column.
    cxp : sequence of int
        The columns of its change; none where those that are not fixed cannot give another class.
    fixed : sequence of int
        Columns that no change touches.
    """

    point: Sequence[int]
    axp: Sequence[int]
    box: Masks
    cxp: Sequence[int]
    fixed: Sequence[int] = ()


def check_decision(terms: Sequence[Terms], space: Space, claim: DecisionClaim) -> Check:
    """Prove that an explanation holds: its reason suffices and is minimal, its change is one and is minimal.

    Parameters
    ----------
    terms : sequence
        The boxes of class 0, of class 1 and so on, None for one that is not written down.
    space : Space
    claim : DecisionClaim
    """
    axp, box, cxp = claim.axp, claim.box, claim.cxp
    label = _label(terms, claim.point)
    truth = Refuter(_class_claim(terms, label, space))
    own = [1 << cell for cell in claim.point]
    full = truth.full
    met = all(mask >> cell & 1 for mask, cell in zip(box, claim.point, strict=True))
    _require(met, "the example must meet its reason")
    _require([j for j in range(len(box)) if box[j] != full[j]] == list(axp), "the reason must be about its columns")
    _require(not truth.finds(box), "the conditions must be sufficient")
    for column in axp:
        rest = [own[j] if j in axp and j != column else full[j] for j in range(len(own))]
        _require(truth.finds(rest), f"the reason must need column {space.columns[column].name!r}")
    changed = [full[j] if j in cxp else own[j] for j in range(len(own))]
    _require(truth.finds(changed) == bool(cxp), "changing the columns of the CXp must change the class")
    _require(not set(cxp) & set(claim.fixed), "the change must spare the columns that are fixed")
    free = [own[j] if j in claim.fixed else full[j] for j in range(len(own))]
    _require(bool(cxp) or not truth.finds(free), "a model with two classes must have a CXp")
    for column in cxp:
        rest = [own[j] if j == column else changed[j] for j in range(len(own))]
        _require(not truth.finds(rest), f"the change must need column {space.columns[column].name!r}")
    proved = (
        f"the conditions on {_listed(space, axp)} give class {label} whatever the other columns are",
        "none of these columns can be left out",
        f"changing {_listed(space, cxp)} can change the class, and none of it can be left out",
    )
    return Check(proved, truth.method, truth.points)


def check_sides(terms: Sequence[Sequence[Masks]], space: Space, k: int) -> Check:
    """Prove that the boxes of the classes share no point, leave none out and constrain at most k columns each."""
    sizes = [len(column.cells) for column in space.columns]
    full = full_box(sizes)
    for label, side in enumerate(terms):
        for term in side:
            width = sum(mask != every for mask, every in zip(term, full, strict=True))
            _require(width <= k, f"every term must have at most {k} columns; {term} of class {label} has {width}")
    refuter = check_classes(sizes, terms)
    pairs = sum(len(one) * len(two) for one, two in combinations(terms, 2))
    proved = (
        f"all {pairs} pairs of opposite terms exclude each other",
        "every point is in one of the classes",
        f"no term has more than {k} columns",
    )
    return Check(proved, refuter.method, refuter.points)


def check_classes(sizes: Sequence[int], terms: Sequence[Sequence[Masks]]) -> Refuter:
    """Prove that every point lies in boxes of exactly one class; return by what means."""
    for one, other in combinations(range(len(terms)), 2):
        found, _ = refuted(Claim(sizes, terms[one], terms[other]))
        _require(not found, f"classes must exclude each other; {one} and {other} do not")
    refuter = Refuter(covered_by(sizes, [term for side in terms for term in side]))
    _require(not refuter.finds(), "every point must be in a class")
    return refuter


def _listed(space: Space, columns: Sequence[int]) -> str:
    return " and ".join(space.columns[j].name for j in columns) or "no column"


def _require(holds: bool, rule: str) -> None:
    if not holds:
        raise CheckError(f"{rule}.")


def _label(terms: Sequence[Terms], point: Sequence[int]) -> int:
    """Return the class of a point: one of its terms holds, or else it is the class that is not written down."""
    for label, side in enumerate(terms):
        if any(all(mask >> cell & 1 for mask, cell in zip(term, point, strict=True)) for term in side or ()):
            return label
    _require(None in terms, "every point must be in a class")
    return list(terms).index(None)


def _class_claim(terms: Sequence[Terms], label: int, space: Space) -> Claim:
    """Return the claim that a class is given everywhere."""
    own, sizes = terms[label], [len(column.cells) for column in space.columns]
    if own is not None:
        return covered_by(sizes, own)
    return Claim(sizes, [full_box(sizes)], [term for side in terms for term in side or ()])
