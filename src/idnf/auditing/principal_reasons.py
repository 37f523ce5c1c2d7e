"""Principal reasons: the few factors that an adverse-action notice names, ranked.

A factor is a column, or the columns that share a code in the user's table. Its weight is the share of the decision's
reasons, of at most k columns, that hold a column of it; larger weights come first, ties by column order. So a factor in
every reason is never behind one that is not, and only factors of some reason are named. The list depends on the model
and on the cells of the row alone: equal decisions get equal notices.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.auditing.attribution import PatternReasons
from idnf.auditing.class_boxes import ClassBoxes
from idnf.auditing.reason_texts import ReasonText, ReasonTexts
from idnf.auditing.row_answers import RowAnswers
from idnf.explaining.regions import Region
from idnf.explaining.widening import grown, own_cells
from idnf.logic.boxes import cells_of

Words = Callable[[int, int], str]
"""Writes a condition: a column of the space, by index, and a mask of its cells."""


@dataclass(frozen=True)
class PrincipalReason:
    """One factor of a decision.

    Attributes
    ----------
    code : str or None
        The code of the user's table.
    text : str
        The text of the user's table, or the conditions.
    columns : tuple of str
        The columns of the factor in the reason its conditions come from.
    conditions : tuple of str
        What the row meets on them, as in the first reason that holds one of them.
    share : float
        The share of the decision's reasons that hold a column of the factor.
    """

    code: str | None
    text: str
    columns: tuple[str, ...]
    conditions: tuple[str, ...]
    share: float

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, object]:
        """Return the reason as plain data."""
        return {
            "code": self.code,
            "text": self.text,
            "columns": list(self.columns),
            "conditions": list(self.conditions),
            "share": self.share,
        }


@dataclass(frozen=True)
class Factors:
    """The factors of a model: groups of columns of the frame, in the order that breaks ties.

    Parameters
    ----------
    groups : tuple of int
        Masks of columns of the frame.
    texts : tuple of ReasonText or None
        The code and text of each; None where the user gave none.
    """

    groups: tuple[int, ...]
    texts: tuple[ReasonText | None, ...]

    @classmethod
    def of(cls, model: ClassBoxes, texts: ReasonTexts | None) -> Factors:
        """Return the factors: columns with one code together, by their first column; all others alone."""
        groups: dict[object, int] = {}
        said: dict[object, ReasonText | None] = {}
        for j, column in enumerate(model.frame.inner.columns):
            text = texts.of(column.name) if texts else None
            key: object = ("code", text.code) if text else ("column", j)
            groups[key] = groups.get(key, 0) | 1 << j
            said.setdefault(key, text)
        return cls(tuple(groups.values()), tuple(said[key] for key in groups))


class PrincipalReasons(RowAnswers[tuple[PrincipalReason, ...]]):
    """For each row its principal reasons, the weightiest first.

    Attributes
    ----------
    codes : object array of shape (rows, count)
        The codes in order, the name of the column where there is no code, None where a row has fewer reasons.
    """

    def __init__(
        self,
        model: ClassBoxes,
        cells: NDArray[np.integer],
        words: Words,
        *,
        count: int = 4,
        texts: ReasonTexts | None = None,
    ) -> None:
        if count < 1:
            raise ValueError(f"count must be at least 1; got {count}.")
        patterns = model.patterns(cells)
        self._model, self._words = model, words
        self._cells = patterns.cells
        self._reasons = PatternReasons.of(model, patterns.cells)
        self._factors = Factors.of(model, texts)
        self._counts = self._reasons.counts(list(self._factors.groups))
        self._order = np.argsort(-self._counts, axis=1, kind="stable")[:, :count]
        super().__init__(patterns.index, self._principal)

    @property
    def codes(self) -> NDArray[np.object_]:
        """The codes of each row in order."""
        names = [self._code(g) for g in range(len(self._factors.groups))]
        coded = np.array([*names, None], dtype=object)
        held = np.take_along_axis(self._counts, self._order, axis=1) > 0
        return coded[np.where(held, self._order, len(names))][self._index]

    def _code(self, factor: int) -> str:
        text = self._factors.texts[factor]
        first = next(cells_of(self._factors.groups[factor]))
        return self._model.frame.inner.columns[first].name if text is None else text.code

    def _principal(self, pattern: int) -> tuple[PrincipalReason, ...]:
        reasons = self._reasons.of_pattern(pattern)
        chosen = [g for g in self._order[pattern].tolist() if self._counts[pattern, g]]
        return tuple(self._reason(pattern, g, reasons) for g in chosen)

    def _reason(self, pattern: int, factor: int, reasons: list[int]) -> PrincipalReason:
        group, text = self._factors.groups[factor], self._factors.texts[factor]
        first = next(reason for reason in reasons if reason & group)
        frame = self._model.frame
        box = frame.expanded(self._grown(pattern, first))
        columns = frame.outer(cells_of(first & group))
        conditions = tuple(self._words(j, box[j]) for j in columns)
        return PrincipalReason(
            code=None if text is None else text.code,
            text=" and ".join(conditions) if text is None else text.text,
            columns=tuple(self._model.space.columns[j].name for j in columns),
            conditions=conditions,
            share=float(self._counts[pattern, factor] / len(reasons)),
        )

    def _grown(self, pattern: int, reason: int) -> tuple[int, ...]:
        """Return the conditions of a reason, grown by the rule all explanations follow."""
        space = self._model.frame.inner
        point = tuple(self._cells[pattern].tolist())
        region = Region(space.full, self._model.others(int(self._reasons.labels[pattern])))
        columns = tuple(cells_of(reason))
        return grown(space, region.allowed, own_cells(space, point, columns), columns, point)
