"""Shares of a decision's reasons: of each column, and of the few factors that an adverse-action notice names.

The reasons are the AXps of at most k columns. There are at most k**k of them, all are found, and the shares are exact
(Yu and others, *On formal feature attribution and its approximation*, 2023, count all AXps, which is #P-hard).

A factor is a column, or the columns that share a code in the user's table. Its weight is the share of the decision's
reasons, of at most k columns, that hold a column of it; larger weights come first, ties by column order. So a factor in
every such reason is never behind one that is not, and only factors of some reason are named. The list depends on the
model and on the cells of the row alone: equal decisions get equal notices.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from idnf.auditing.reason_sets import RowAnswers, Transversals, contrast_families, single_members, small_transversals
from idnf.auditing.reason_texts import ReasonText, ReasonTexts
from idnf.explaining.batch import Patterns, Sets, as_set, predicted, set_type
from idnf.logic.boxes import cells_of
from idnf.logic.errors import InvalidArgument
from idnf.logic.regions import own_cells, widen
from idnf.logic.sides import ClassBoxes

Words = Callable[[int, int], str]
"""Writes a condition: a column of the space, by index, and a mask of its cells."""


@dataclass(frozen=True)
class PatternReasons:
    """The reasons of at most k columns of each pattern, sorted by pattern.

    Parameters
    ----------
    labels : int array of shape (patterns,)
        The class of each pattern, as an index.
    points : int array of shape (reasons,)
        The pattern each reason belongs to, ascending.
    sets : array of shape (reasons,)
        Its columns, as a set of columns of the frame.
    necessary : array of shape (patterns,)
        The columns in every reason of each pattern, longer ones too: those whose change alone can change the class.
    """

    labels: NDArray[np.intp]
    points: NDArray[np.intp]
    sets: Sets
    necessary: Sets

    @classmethod
    def of(cls, model: ClassBoxes, patterns: Patterns) -> PatternReasons:
        """Return all reasons of at most k columns of some patterns."""
        labels = predicted(model, patterns)
        necessary: Sets = np.zeros(len(labels), dtype=set_type(model.frame.inner))
        found = [Transversals(np.zeros(0, dtype=np.intp), necessary[:0])]
        for chosen, family in contrast_families(model, patterns, labels):
            necessary[chosen] = single_members(family)
            part = small_transversals(family, model.k)
            found.append(Transversals(chosen[part.points], part.sets))
        points = np.concatenate([part.points for part in found])
        order = np.argsort(points, kind="stable")
        return cls(labels, points[order], np.concatenate([part.sets for part in found])[order], necessary)

    @property
    def totals(self) -> NDArray[np.intp]:
        """The number of reasons of each pattern."""
        return np.bincount(self.points, minlength=len(self.labels))

    def counts(self, groups: list[int]) -> NDArray[np.intp]:
        """Return, for each pattern and group of columns, given as a mask, how many reasons hold a column of it."""
        counts = np.zeros((len(self.labels), len(groups)), dtype=np.intp)
        for g, group in enumerate(groups):
            met = (self.sets & as_set(group, self.sets)) != 0
            counts[:, g] = np.bincount(self.points[met.astype(bool)], minlength=len(self.labels))
        return counts

    def ranked(self, groups: list[int]) -> NDArray[np.intp]:
        """Return the groups of each pattern in order: with a necessary column, then by how many reasons hold one.

        A necessary column is in every reason, so one more than its count puts it before others that are in every reason
        of at most k columns.
        """
        weights = self.counts(groups)
        for g, group in enumerate(groups):
            weights[:, g] += ((self.necessary & as_set(group, self.necessary)) != 0).astype(np.intp)
        return np.argsort(-weights, axis=1, kind="stable")

    def of_pattern(self, pattern: int) -> list[int]:
        """Return the reasons of one pattern: fewest columns first, ties by column order."""
        begin, end = np.searchsorted(self.points, [pattern, pattern + 1]).tolist()
        sets = [int(reason) for reason in self.sets[begin:end].tolist()]
        return sorted(sets, key=lambda s: (s.bit_count(), [j for j in range(s.bit_length()) if s >> j & 1]))


class Attributions(RowAnswers[Mapping[str, float]]):
    """For each row and column the share of the row's reasons, of at most k columns, that the column is in.

    Attributes
    ----------
    columns : tuple of str
        The columns of the table.
    values : float array of shape (rows, columns)
        The shares. They do not add up to 1: a column in every reason has share 1.
    mean : mapping of str to float
        Their mean over the rows, largest first.
    """

    def __init__(self, model: ClassBoxes, cells: NDArray[np.integer]) -> None:
        patterns = Patterns.of(model.frame, cells)
        reasons = PatternReasons.of(model, patterns)
        self.columns = tuple(column.name for column in model.space.columns)
        counts = reasons.counts([1 << j for j in range(len(model.frame.columns))])
        self._shares = np.zeros((len(patterns.cells), len(self.columns)))
        self._shares[:, list(model.frame.columns)] = counts / np.maximum(reasons.totals, 1)[:, None]
        super().__init__(patterns.index, self._attribution)

    @property
    def values(self) -> NDArray[np.float64]:
        """The shares, shape (rows, columns)."""
        return self._shares[self._index]

    @property
    def mean(self) -> Mapping[str, float]:
        """The mean share of each column over the rows, largest first."""
        counts = np.bincount(self._index, minlength=len(self._shares))
        means = (counts @ self._shares / max(1, len(self))).tolist()
        ranked = sorted(zip(self.columns, means, strict=True), key=lambda pair: -pair[1])
        return MappingProxyType(dict(ranked))

    def _attribution(self, pattern: int) -> Mapping[str, float]:
        shares = zip(self.columns, self._shares[pattern].tolist(), strict=True)
        return MappingProxyType(dict(sorted((pair for pair in shares if pair[1]), key=lambda pair: -pair[1])))


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
        return {**vars(self), "columns": list(self.columns), "conditions": list(self.conditions)}


@dataclass(frozen=True)
class Factors:
    """The factors of a model: groups of columns of the frame, in the order that breaks ties.

    Parameters
    ----------
    groups : tuple of int
        Masks of columns of the frame.
    texts : tuple of ReasonText or None
        The code and text of each; None if the user gave none.
    codes : tuple of str
        The code of each, or the name of its column.
    """

    groups: tuple[int, ...]
    texts: tuple[ReasonText | None, ...]
    codes: tuple[str, ...]

    @classmethod
    def of(cls, model: ClassBoxes, texts: ReasonTexts | None) -> Factors:
        """Return the factors: columns with one code together, by their first column; all others alone."""
        groups: dict[object, int] = {}
        said: dict[object, ReasonText | None] = {}
        codes: dict[object, str] = {}
        for j, column in enumerate(model.frame.inner.columns):
            text = texts.of(column.name) if texts else None
            key: object = ("code", text.code) if text else ("column", j)
            groups[key] = groups.get(key, 0) | 1 << j
            said.setdefault(key, text)
            codes.setdefault(key, text.code if text else column.name)
        return cls(tuple(groups.values()), tuple(said.values()), tuple(codes.values()))


class PrincipalReasons(RowAnswers[tuple[PrincipalReason, ...]]):
    """For each row its principal reasons, the weightiest first; none for rows of another class than the one asked.

    Attributes
    ----------
    codes : object array of shape (rows, count)
        The codes in order, the name of the column if there is no code, None if a row has fewer reasons.
    """

    def __init__(
        self,
        model: ClassBoxes,
        cells: NDArray[np.integer],
        words: Words,
        *,
        count: int = 4,
        texts: ReasonTexts | None = None,
        only: Collection[int] | None = None,
    ) -> None:
        if count < 1:
            raise InvalidArgument("count", "be at least 1", count)
        patterns = Patterns.of(model.frame, cells)
        self._model, self._words = model, words
        self._cells = patterns.cells
        self._reasons = PatternReasons.of(model, patterns)
        self._factors = Factors.of(model, texts)
        self._counts = self._reasons.counts(list(self._factors.groups))
        if only is not None:
            self._counts[~np.isin(self._reasons.labels, list(only))] = 0
        self._order = self._reasons.ranked(list(self._factors.groups))[:, :count]
        super().__init__(patterns.index, self._principal)

    @property
    def codes(self) -> NDArray[np.object_]:
        """The codes of each row in order."""
        names = self._factors.codes
        codes = np.array([*names, None], dtype=object)
        counted = np.take_along_axis(self._counts, self._order, axis=1) > 0
        return codes[np.where(counted, self._order, len(names))][self._index]

    def _principal(self, pattern: int) -> tuple[PrincipalReason, ...]:
        reasons = self._reasons.of_pattern(pattern)
        chosen = [g for g in self._order[pattern].tolist() if self._counts[pattern, g]]
        return tuple(self._reason(pattern, g, reasons) for g in chosen)

    def _reason(self, pattern: int, factor: int, reasons: list[int]) -> PrincipalReason:
        group, text = self._factors.groups[factor], self._factors.texts[factor]
        first = next(reason for reason in reasons if reason & group)
        frame = self._model.frame
        box = frame.expand(self._widest_conditions(pattern, first))
        columns = frame.outer(cells_of(first & group))
        conditions = tuple(self._words(j, box[j]) for j in columns)
        return PrincipalReason(
            code=None if text is None else text.code,
            text=" and ".join(conditions) if text is None else text.text,
            columns=tuple(self._model.space.columns[j].name for j in columns),
            conditions=conditions,
            share=float(self._counts[pattern, factor] / len(reasons)),
        )

    def _widest_conditions(self, pattern: int, reason: int) -> tuple[int, ...]:
        """Return the conditions of a reason, grown by the rule all explanations follow."""
        space = self._model.frame.inner
        point = tuple(self._cells[pattern].tolist())
        region = self._model.regions[int(self._reasons.labels[pattern])]
        columns = tuple(cells_of(reason))
        return widen(space, region.allowed_cells, own_cells(space, point, columns), columns, point)
