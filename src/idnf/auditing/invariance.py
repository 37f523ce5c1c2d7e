"""Can these columns alone decide? Whether two points exist that differ on them only and get different classes.

Two boxes of different classes hold such points iff they conflict on these columns only. So "no" has a short proof: for
every pair of boxes of different classes, another column on which they conflict.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from idnf.auditing.example_rows import plain_rows, row_lines
from idnf.auditing.reason_sets import outside_sets
from idnf.auditing.table_models import TableModel
from idnf.columns.eager_frames import refuse_unknown
from idnf.columns.predicates import Value
from idnf.counting.contract import UniqueLines
from idnf.explaining.batch import as_set
from idnf.logic.boxes import Box, Column, Point, Space
from idnf.logic.cubes import Layout, OverlapIndex
from idnf.logic.errors import InvalidArgument
from idnf.logic.sides import ClassBoxes
from idnf.proving.independent_check import CheckError, Claim, refuted
from idnf.tables.binariser import declared_binariser


def refutation(claim: Claim) -> tuple[Point, Point] | None:
    """Return the two points that refute a claim, or None: every two boxes then conflict on a column that counts.

    >>> refutation(Claim((2, 2), [(1, 3)], [(2, 3)], free=[0])), refutation(Claim((2, 2), [(1, 3)], [(2, 3)]))
    (((0, 0), (1, 0)), None)
    """
    layout = Layout(tuple(claim.sizes))
    bound = ~sum(layout.columns[j] for j in claim.free)
    firsts, seconds = ([layout.mask(box) & bound for box in boxes] for boxes in (claim.firsts, claim.seconds))
    for i, j in OverlapIndex(seconds, layout).pairs(firsts):
        pair = _points(claim, claim.firsts[i], claim.seconds[j])
        if pair is not None:
            return pair
    return None


def _points(claim: Claim, first: Box, second: Box) -> tuple[Point, Point] | None:
    """Return a point of each box; they agree on all columns that are not free, and as far as can be on the others."""
    ones, others = [], []
    for j, (a, b) in enumerate(zip(first, second, strict=True)):
        low, high = _lowest(a & b or a), _lowest(a & b or b)
        if claim.rising is not None and j == claim.rising[0]:
            known = (1 << claim.rising[1]) - 1
            if not a & known or not b & known or _lowest(a & known) >= (b & known).bit_length() - 1:
                return None
            low = _lowest(a & known)
            high = _lowest(b & known & ~((2 << low) - 1))
        ones.append(low)
        others.append(high)
    return tuple(ones), tuple(others)


def _lowest(mask: int) -> int:
    return (mask & -mask).bit_length() - 1


def first_refutation(claims: Iterable[Claim]) -> tuple[Point, Point] | None:
    """Return the two points that refute one of some claims; None proves them all.

    >>> from idnf.logic.boxes import Space
    >>> both = ClassBoxes(Space.boolean("ab"), 2, (((1, 3), (3, 1)), ((2, 2),)))
    >>> only = ClassBoxes(both.space, 1, (((1, 3),), ((2, 3),)))
    >>> first_refutation(invariance_claims(both, [0])), first_refutation(invariance_claims(only, [1]))
    (((0, 1), (1, 1)), None)
    """
    return next((pair for pair in map(refutation, claims) if pair is not None), None)


def invariance_claims(model: ClassBoxes, columns: Collection[int]) -> list[Claim]:
    """Return the claims that together say that the given columns alone never decide, one for each two classes."""
    sizes = [column.size for column in model.space.columns]
    return [Claim(sizes, one or (), other or (), columns) for one, other in combinations(model.terms, 2)]


def rows_refuting(claims: Iterable[Claim], cells: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Tell for each row of cells whether it is the first or the second point of a pair that refutes a claim."""
    unique = UniqueLines.of(cells)
    distinct = cells[unique.first].astype(np.intp)
    broken = np.zeros(len(distinct), dtype=bool)
    for claim, first in product(claims, (True, False)):
        broken |= _is_half(claim, distinct, first=first)
    return broken[unique.places]


def _is_half(claim: Claim, cells: NDArray[np.intp], *, first: bool) -> NDArray[np.bool_]:
    """Tell for each row whether it is the first (or the second) point of a pair that refutes the claim."""
    columns = tuple(Column(str(j), tuple(map(str, range(size)))) for j, size in enumerate(claim.sizes))
    space = Space(columns, ())
    own, other = (claim.firsts, claim.seconds) if first else (claim.seconds, claim.firsts)
    free = sum(1 << j for j in claim.free)
    found = np.zeros(len(cells), dtype=bool)
    for part, family in outside_sets(space, own, cells):
        found[part] = (family == 0).any(axis=0)
    for part, family in outside_sets(space, other, cells):
        reached = (family & ~as_set(free, family)) == 0
        if claim.rising is not None:
            reached &= _is_beyond(claim.rising, other, cells[part], above=first)
        found[part] &= reached.any(axis=0)
    return found if other else np.zeros_like(found)


def _is_beyond(
    rising: tuple[int, int], boxes: Sequence[Box], cells: NDArray[np.intp], *, above: bool
) -> NDArray[np.bool_]:
    """Tell for each box and row whether the box has a known cell above (or below) that of the row."""
    column, known = rising
    masks = [box[column] & (1 << known) - 1 for box in boxes]
    own = cells[:, column]
    # A box without a known cell has none above the last one and none below the first.
    ends = [mask.bit_length() - 1 if above else (mask & -mask).bit_length() - 1 if mask else known for mask in masks]
    edge = np.array(ends)[:, None]
    return np.asarray(((edge > own) if above else (edge < own)) & (own < known), dtype=bool)


@dataclass(frozen=True)
class CanDecide:
    """Whether some columns alone can change a decision.

    Attributes
    ----------
    columns : tuple of str
        The columns that were asked about.
    answer : bool
        Whether two rows exist that differ on these columns only and get different classes. False is a proof that no
        decision depends on them alone, which `check` makes again by other means.
    witness : tuple of two dicts
        Two such rows; empty if there are none.
    labels : tuple of object
        Their classes.
    count : int or None
        How many rows of the table could get another class by a change of these columns alone.
    total : int or None
        How many rows the table has.
    """

    columns: tuple[str, ...]
    answer: bool
    witness: tuple[dict[str, Value], ...]
    labels: tuple[object, ...]
    count: int | None
    total: int | None
    claims: tuple[Claim, ...]

    @classmethod
    def of(cls, model: TableModel, columns: tuple[str, ...], X: object = None) -> CanDecide:
        """Answer for a model, and for the rows of a table if one is given."""
        claims = tuple(invariance_claims(model.sides, _places(model, columns)))
        pair = first_refutation(claims)
        deciding = None if X is None else rows_refuting(claims, declared_binariser(model.columns).cells(X))
        return cls(
            columns,
            pair is not None,
            *model.shown_at(pair or ()),
            count=None if deciding is None else int(deciding.sum()),
            total=None if deciding is None else len(deciding),
            claims=claims,
        )

    def check(self) -> str:
        """Prove the answer again, from the boxes alone: by a truth table, or by a SAT solver if large.

        Raises
        ------
        CheckError
            When the answer is wrong.
        """
        found, method = refuted(*self.claims)
        if found != self.answer:
            raise CheckError(f"whether {_column_names(self.columns)} alone can decide must be {not self.answer}.")
        return f"{'refuted' if self.answer else 'proved'} by {method}"

    def __bool__(self) -> bool:
        return self.answer

    def __str__(self) -> str:
        names = _column_names(self.columns)
        if not self.answer:
            return f"Proved: {names} alone never decide{'s' * (len(self.columns) == 1)}."
        count = "" if self.count is None else f" It could for {self.count} of {self.total} rows of the table."
        return "\n".join([f"{names} alone can decide.{count}", *row_lines(self.labels, self.witness)])

    def to_dict(self) -> dict[str, object]:
        """Return the answer as plain data."""
        return {
            "columns": list(self.columns),
            "answer": self.answer,
            "witness": plain_rows(self.labels, self.witness),
            "count": self.count,
            "total": self.total,
        }


def _places(model: TableModel, columns: tuple[str, ...]) -> list[int]:
    names = [column.name for column in model.columns]
    refuse_unknown("columns", f"name columns of the model ({', '.join(names)})", columns, names)
    if not columns:
        raise InvalidArgument("columns", "name at least one column", "none")
    return [names.index(name) for name in columns]


def _column_names(columns: tuple[str, ...]) -> str:
    return " and ".join(columns)
