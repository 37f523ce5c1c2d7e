"""Where the values of a column lie across its squares, and how many rows of each class have them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

import numpy as np
from numpy.typing import NDArray

from idnf.columns.phrases import DAY, TIME_KINDS
from idnf.explaining.explainer import Explainer
from idnf.explaining.training_facts import ColumnValues
from idnf.explaining.wording import Wording
from idnf.logic.boxes import Column

STEPS = 100
"""How many steps wide a histogram is."""

# Steps for known values where missing ones have a place of their own, after a gap.
_KNOWN, _GAP = 87, 4
_BINS = 24
# Steps between the least and the greatest value beyond which bars need not hold whole ones.
_MOST_VALUES = 10_000
_FARTHEST = 1e150


@dataclass(frozen=True)
class Points:
    """Values of a column to draw.

    Attributes
    ----------
    cells : int array of shape (points,)
    weights : float array of shape (points, classes)
        How much of each class a point stands for; one column where classes are not told apart.
    positions : float array of shape (points,), optional
        The numbers that order the values, NaN where one is missing.
    """

    cells: NDArray[np.integer]
    weights: NDArray[np.float64]
    positions: NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Axis:
    """Where the values of a column lie across its squares, and how many of each class there are.

    Attributes
    ----------
    name : str
    steps : tuple of int
        The cell at each step from the left to the right, -1 if there is none.
    bars : tuple
        First step, step after the last, and the height of each class, the highest bar being 1 in all.
    span : tuple of float, optional
        The positions at both ends of the known values; None if each cell has a place of its own.
    ends : tuple of str
        The same in words.
    """

    name: str
    steps: tuple[int, ...]
    bars: tuple[tuple[int, int, tuple[float, ...]], ...] = ()
    span: tuple[float, float] | None = None
    ends: tuple[str, ...] = ()

    @property
    def known(self) -> int:
        """The steps that known values take."""
        return STEPS if -1 not in self.steps else self.steps.index(-1)

    def place(self, cell: int, position: float | None) -> float:
        """Return the step at which a value stands."""
        if self.span is None or position is None or position != position:
            own = [step for step, other in enumerate(self.steps) if other == cell]
            return sum(own) / max(1, len(own)) + 0.5
        low, high = self.span
        return min(max((position - low) / (high - low), 0.0), 1.0) * self.known

    def to_dict(self) -> dict[str, object]:
        """Return what a page needs to place a mark."""
        cells = range(max(self.steps) + 1)
        return {"span": self.span, "known": self.known, "places": [round(self.place(c, None), 1) for c in cells]}


def axes_of(explainer: Explainer, points: Sequence[Points] | None = None) -> list[Axis]:
    """Return an axis for each column of the frame; with no points to draw, from what is known of the training values.

    >>> from idnf.logic.boxes import Space
    >>> from idnf.logic.dnf import DNF
    >>> axis, _ = axes_of(Explainer.of(DNF.parse("a & b").double(), Space.boolean("ab")))
    >>> axis.place(0, None), axis.place(1, None), axis.bars
    (25.0, 75.0, ())
    """
    frame, known = explainer.sides.frame, explainer.values or (None,) * len(explainer.space.columns)
    given = points or [_training_points(frame.space.columns[j], known[j]) for j in frame.columns]
    return [
        _axis(frame.space.columns[j], explainer.wordings[j], merged, some)
        for j, merged, some in zip(frame.columns, frame.merged, given, strict=True)
    ]


def _training_points(column: Column, values: ColumnValues | None) -> Points:
    """Return points that stand for the training values: evenly spaced quantiles, or the share of each cell."""
    if values is None:
        return Points(np.zeros(0, dtype=np.intp), np.zeros((0, 1)))
    shares = np.array(values.shares, dtype=np.float64)
    if not values.quantiles:
        return Points(np.arange(column.size), shares[:, None])
    missing = 0.0 if column.missing_cell is None else shares[column.missing_cell]
    weights = np.append(np.full(len(values.quantiles), (1 - missing) / len(values.quantiles)), missing)
    cells = np.append(np.zeros(len(values.quantiles), dtype=np.intp), column.missing_cell or 0)
    return Points(cells, weights[:, None], np.append(values.quantiles, np.nan))


def _axis(column: Column, wording: Wording, merged: Sequence[int], points: Points) -> Axis:
    known, cells = (STEPS, column.size) if column.missing_cell is None else (_KNOWN, column.size - 1)
    tail = () if column.missing_cell is None else (-1,) * _GAP + (column.missing_cell,) * (STEPS - _KNOWN - _GAP)
    table = getattr(wording, "column", None)
    # So far that differences of values stay finite.
    positions = None if points.positions is None else np.clip(points.positions, -_FARTHEST, _FARTHEST)
    if positions is None or table is None or not np.isfinite(positions).any():
        counts = [points.weights[points.cells == cell].sum(axis=0) for cell in range(cells)]
        # A cell that no point is in takes less room.
        room = np.array([1.0 if count.any() or not len(points.cells) else 0.3 for count in counts]).cumsum()
        edges = [0, *np.rint(room / room[-1] * known).astype(int).tolist()]
        steps = tuple(cell for cell in range(cells) for _ in range(edges[cell], edges[cell + 1])) + tail
        return Axis(column.name, steps, _bars(edges, counts, column, points))
    cuts = [cut for i, cut in enumerate(getattr(table, "limits", ())) if merged[i] != merged[i + 1]]
    low, high, bins, few = _span(positions[np.isfinite(positions)], cuts)
    wheres = low + (np.arange(known) + 0.5) / known * (high - low)
    cells_at = map(table.position_cell, (np.rint(wheres) if few else wheres).tolist())
    steps = tuple(_none_lost([-2 if cell is None else cell for cell in cells_at], merged, cells)) + tail
    edges = [round(i * known / bins) for i in range(bins + 1)]
    slots = np.clip((positions - low) / (high - low) * bins, 0, bins - 1e-9)
    counts = [points.weights[np.floor(slots) == i].sum(axis=0) for i in range(bins)]
    shown = np.clip(positions[np.isfinite(positions)], low, high)
    ends = tuple(_end(float(end), high - low, wording) for end in (shown.min(), shown.max()))
    return Axis(column.name, steps, _bars(edges, counts, column, points), (low, high), ends)


def _none_lost(steps: list[int], merged: Sequence[int], known: int) -> list[int]:
    """Return the cells at each step, ascending, with a step for those that a model tells apart and that lie in none.

    >>> _none_lost([0, 0, 2, 2], (0, 1, 2), 3)
    [0, 0, 1, 2]
    """
    for cell in range(known):
        if merged[cell] not in {merged[other] for other in steps if other >= 0}:
            steps[min(bisect_left(steps, cell), len(steps) - 1)] = cell
    return steps


def _span(positions: NDArray[np.float64], cuts: Sequence[float]) -> tuple[float, float, int, bool]:
    """Return the range to draw, how many bars it has, and whether each is one whole number.

    The range leaves out the farthest values and holds every cut. Where values come in steps, a bar holds as many steps
    as the next one, so that none is high only because of how the bars lie.
    """
    values = np.unique(positions)
    least, most = float(values[0]), float(values[-1])
    if most - least <= _BINS and (values == np.rint(values)).all():
        return least - 0.5, most + 0.5, round(most - least) + 1, True
    low, high = np.quantile(positions, [0.01, 0.99]).tolist()
    room = 0.08 * (max([high, *cuts]) - min([low, *cuts]))
    low = min([low, *(max(cut - room, min(least, cut)) for cut in cuts)])
    high = max([high, *(min(cut + room, max(most, cut)) for cut in cuts)])
    if high <= low:
        return low, low + 1.0, _BINS, False
    unit = float(np.diff(values).min())
    if (most - least) / unit > _MOST_VALUES or np.abs((parts := (values - least) / unit) - np.rint(parts)).max() > 1e-6:
        return low, high, _BINS, False
    wide = unit * np.ceil((high - low + unit) / unit / _BINS)
    low = least + np.floor((low - least) / unit) * unit - unit / 2
    bins = int(np.ceil((high - low) / wide))
    return float(low), float(low + wide * bins), bins, False


def _end(position: float, span: float, wording: Wording) -> str:
    """Return an end of a range in words, with as many digits as matter."""
    if getattr(getattr(wording, "column", None), "kind", "") in TIME_KINDS:
        return wording.position_words(round(position / DAY) * DAY if span > 20 * DAY else position)
    return wording.position_words(round(position, 2 - floor(log10(span))))


def _bars(
    edges: Sequence[int], counts: Sequence[NDArray[np.float64]], column: Column, points: Points
) -> tuple[tuple[int, int, tuple[float, ...]], ...]:
    """Return the bars of known values and of missing ones, the highest being 1 in all."""
    found = list(zip(edges, edges[1:], counts))
    if column.missing_cell is not None:
        found.append((_KNOWN + _GAP, STEPS, points.weights[points.cells == column.missing_cell].sum(axis=0)))
    most = max((float(count.sum()) for *_, count in found), default=0.0)
    return tuple((a, b, tuple((count / most).tolist())) for a, b, count in found if count.any())
