"""Can these columns alone decide? Whether two points exist that differ on them only and get different classes.

Two boxes of different classes hold such points iff they conflict on these columns only. So "no" has a short proof: for
every pair of boxes of different classes, another column on which they conflict.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from idnf.auditing.reason_sets import contrast_families
from idnf.auditing.table_models import TableModel, plain_rows, row_values, row_words
from idnf.columns.predicates import Value
from idnf.explaining.batch import Patterns, as_set, predicted
from idnf.explaining.checking import CheckError, Claim, refuted
from idnf.explaining.sides import Sides
from idnf.explaining.wording import label_words
from idnf.logic.boxes import Box, Point
from idnf.logic.cubes import Layout, Meeting
from idnf.tables.binariser import declared_binariser


def refutation(claim: Claim) -> tuple[Point, Point] | None:
    """Return the two points that refute a claim, or None: every two boxes then conflict on a column that counts.

    >>> refutation(Claim((2, 2), [(1, 3)], [(2, 3)], free=[0])), refutation(Claim((2, 2), [(1, 3)], [(2, 3)]))
    (((0, 0), (1, 0)), None)
    """
    layout = Layout(tuple(claim.sizes))
    bound = ~sum(layout.columns[j] for j in claim.free)
    firsts, seconds = ([layout.mask(box) & bound for box in boxes] for boxes in (claim.firsts, claim.seconds))
    for i, j in Meeting(seconds, layout).pairs(firsts):
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


def deciding_pair(model: Sides, columns: Collection[int]) -> tuple[Point, Point] | None:
    """Return two points that differ on the given columns only and get different classes; None proves there are none.

    >>> from idnf.logic.boxes import Space
    >>> both = Sides(Space.boolean("ab"), 2, (((1, 3), (3, 1)), ((2, 2),)))
    >>> deciding_pair(both, [0]), deciding_pair(Sides(both.space, 1, (((1, 3),), ((2, 3),))), [1])
    (((0, 1), (1, 1)), None)
    """
    found = (refutation(claim) for claim in invariance_claims(model, columns))
    return next((pair for pair in found if pair is not None), None)


def invariance_claims(model: Sides, columns: Collection[int]) -> list[Claim]:
    """Return the claims that together say that the given columns alone never decide, one for each two classes."""
    sizes = [column.size for column in model.space.columns]
    return [Claim(sizes, one or (), other or (), columns) for one, other in combinations(model.terms, 2)]


def rows_decided(model: Sides, columns: Collection[int], cells: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Return for each row whether changing only the given columns can change its class."""
    patterns = Patterns.of(model.frame, cells)
    free = sum(1 << model.frame.columns.index(j) for j in columns if j in model.frame.columns)
    decided = np.zeros(len(patterns.cells), dtype=bool)
    for chosen, family in contrast_families(model, patterns, predicted(model, patterns)):
        fixed = family & ~as_set(free, family)
        decided[chosen] = (fixed == 0).any(axis=0)
    return decided[patterns.index]


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
    model: TableModel

    @classmethod
    def of(cls, model: TableModel, columns: tuple[str, ...], X: object = None) -> CanDecide:
        """Answer for a model, and for the rows of a table if one is given."""
        places = _places(model, columns)
        pair = deciding_pair(model.sides, places)
        cells = None if X is None else declared_binariser(model.columns).cells(X)
        return cls(
            columns=columns,
            answer=pair is not None,
            witness=tuple(row_values(model.columns, point) for point in pair or ()),
            labels=tuple(map(model.label, pair or ())),
            count=None if cells is None else int(rows_decided(model.sides, places, cells).sum()),
            total=None if cells is None else len(cells),
            model=model,
        )

    def check(self) -> str:
        """Prove the answer again, from the boxes alone: by a truth table, or by a SAT solver if large.

        Raises
        ------
        CheckError
            When the answer is wrong.
        """
        claims = invariance_claims(self.model.sides, _places(self.model, self.columns))
        found, method = refuted(*claims)
        if found != self.answer:
            raise CheckError(f"whether {_listed(self.columns)} alone can decide must be {not self.answer}.")
        return f"{'refuted' if self.answer else 'proved'} by {method}"

    def __bool__(self) -> bool:
        return self.answer

    def __str__(self) -> str:
        names = _listed(self.columns)
        if not self.answer:
            return f"Proved: {names} alone never decide{'s' * (len(self.columns) == 1)}."
        rows = [
            f"  {label_words(label)}: {row}"
            for label, row in zip(self.labels, map(row_words, self.witness), strict=True)
        ]
        count = "" if self.count is None else f" It could for {self.count} of {self.total} rows of the table."
        return "\n".join([f"{names} alone can decide.{count}", *rows])

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
    for name in columns:
        if name not in names:
            raise ValueError(f"columns must name columns of the model ({', '.join(names)}); got {name!r}.")
    if not columns:
        raise ValueError("columns must name at least one column; got none.")
    return [names.index(name) for name in columns]


def _listed(columns: tuple[str, ...]) -> str:
    return " and ".join(columns)
