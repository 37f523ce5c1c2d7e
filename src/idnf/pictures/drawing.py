"""Reasons by columns, the one picture of every model: a row for each reason, a column for each column of the table.

In each square the values that the reason allows are drawn over a histogram of the column, and the current case is a
mark. The page puts the same squares into a table of its own, which folds and fits a phone. An axis says where the
values of a column lie across its squares, and how many rows of each class have them.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from math import floor, log10
from unicodedata import east_asian_width
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from idnf.columns.phrases import DAY, TIME_KINDS, Phrase, joined, name_words
from idnf.explaining.explainer import Explainer
from idnf.explaining.training_facts import ColumnValues
from idnf.explaining.wording import Wording
from idnf.logic.boxes import Box, Column

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
        How much of each class a point stands for; one column if classes are not distinguished.
    positions : float array of shape (points,), optional
        The numbers that order the values, NaN if one is missing.
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
        """Return what a page needs to draw a square and to place a mark."""
        cells = range(max(self.steps) + 1)
        places = [round(self.place(cell, None), 1) for cell in cells]
        runs = [(cell, len(list(run))) for cell, run in groupby(self.steps)]
        return {"span": self.span, "known": self.known, "places": places, "steps": runs, "ends": self.ends}


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
        for j, merged, some in zip(frame.columns, frame.groups, given, strict=True)
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
    """Return the cells at each step, ascending, with a step for those that a model distinguishes and that lie in none.

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


# Marks that turn the direction of a text, and signs that no XML holds, not even as references.
_UNFIT = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def visible(text: str) -> str:
    r"""Return a text with some signs written out: those that would rearrange other words or break a picture.

    >>> print(visible("a\u202eb\x07"))
    a\u202eb\u0007
    """
    return _UNFIT.sub(lambda mark: f"\\u{ord(mark[0]):04x}", text)


def escape(text: str) -> str:
    """Return a text as HTML that shows it.

    >>> escape("<b>")
    '&lt;b&gt;'
    """
    return html.escape(visible(text))


COLOURS = ("#d9730d", "#2f6fde", "#0b8f6a", "#b5529b", "#b58900", "#2a9fc4", "#5b5b5b", "#c23b22")
"""Colours of classes, told apart by people who see fewer of them too; names stand beside them always."""

TALL = 34
"""How high a histogram is."""


@dataclass(frozen=True)
class DrawnReason:
    """A row of the picture.

    Attributes
    ----------
    id : str or None
    label : int
    box : Box
        Its cells in the frame.
    masks, captions : tuple
        For each column of the frame the cells of the table that are allowed, and these in few words; None if all.
    words : str
    """

    id: str | None
    label: int
    box: Box
    masks: tuple[int | None, ...]
    captions: tuple[str | None, ...]
    words: str


def drawn_reasons(explainer: Explainer) -> list[list[DrawnReason]]:
    """Return the reasons of each class; its lines if the reasons are too many to list.

    >>> from idnf.logic.boxes import Space
    >>> from idnf.logic.dnf import DNF
    >>> explainer = Explainer.of(DNF.parse("a & b | c").double(), Space.boolean("abc"))
    >>> [[one.words for one in rows] for rows in drawn_reasons(explainer)]
    [['a is 0 and c is 0', 'b is 0 and c is 0'], ['c is 1', 'a is 1 and b is 1']]
    """
    every = zip(explainer.sides.reasons, explainer.reading.boxes, strict=True)
    shown = (lines if boxes is None else boxes for boxes, lines in every)
    return [[_draw_reason(explainer, label, box) for box in boxes] for label, boxes in enumerate(shown)]


def _draw_reason(explainer: Explainer, label: int, box: Box) -> DrawnReason:
    """Return a reason of a class, given as a box of the frame, as it is drawn."""
    frame = explainer.sides.frame
    wide = frame.expand(box)
    masks = [None if wide[j] == frame.space.full[j] else wide[j] for j in frame.columns]
    wordings = [explainer.wordings[j] for j in frame.columns]
    phrases = [None if mask is None else wording.phrase(mask) for wording, mask in zip(wordings, masks)]
    pairs = zip(phrases, frame.inner.columns, strict=True)
    captions = [None if phrase is None else _caption(phrase, column) for phrase, column in pairs]
    number = explainer.reason_id(label, wide)
    words = (number and explainer.texts.get(number)) or _words(wordings, phrases)
    return DrawnReason(number, label, box, tuple(masks), tuple(captions), words)


def _words(wordings: Sequence[Wording], phrases: Sequence[Phrase | None]) -> str:
    """Return conditions in words, those that say "or" in brackets if there are others."""
    said = [(f"{name_words(w.name)} is {p.beside}", p.alternatives) for w, p in zip(wordings, phrases) if p is not None]
    return joined(said) or "always"


_SHORT = (
    (re.compile(r"(.+) or less"), r"≤ \1"),
    (re.compile(r"(\S+) or more"), r"≥ \1"),
    (re.compile(r"(over .+) and at most (.+)"), r"\1, ≤ \2"),
)


def _caption(phrase: Phrase, column: Column) -> str:
    """Return what a square allows in few words.

    >>> late = Column("late", ("0", "1", "2"), ordered=True)
    >>> _caption(Phrase("late >= 2", "2 or more", "at least 2"), late)
    '≥ 2'
    """
    words = phrase.beside
    if column.ordered:
        for long, short in _SHORT:
            words = long.sub(short, words)
        words = words.replace("at least ", "≥ ").replace("over ", "> ")
    return words


def histogram(axis: Axis, name: str) -> str:
    """Return the histogram of a column as a group of that name, for squares to use; a path for each class."""
    if not axis.bars:
        return f'<g id="{name}"/>'
    paths = []
    for label in range(len(axis.bars[0][2])):
        drawn = ""
        for a, b, heights in axis.bars:
            if heights[label] > 0:
                low, high = TALL - TALL * sum(heights[:label]), TALL * heights[label]
                wide = b - a - (0.6 if b - a > 2 else 0)
                drawn += f"M{a} {low:.1f}h{wide:g}v{-max(high, 0.5):.1f}h{-wide:g}z"
        kind = side_kind(label) if len(axis.bars[0][2]) > 1 else "idnf-all"
        paths.append(f'<path class="{kind}" d="{drawn}"/>')
    return f'<g id="{name}">{"".join(paths)}</g>'


def side_kind(label: int) -> str:
    """Return the name of the colour of a class."""
    return f"idnf-{label % len(COLOURS)}"


def square(axis: Axis, mask: int, label: int, name: str) -> str:
    """Return what is drawn in a square: the histogram pale, in full colour where the reason allows it, and a mark."""
    parts = [f'<use href="#{name}" class="idnf-pale"/>']
    place = 0
    for allowed, run in groupby(axis.steps, lambda cell: cell >= 0 and mask >> cell & 1):
        wide = len(list(run))
        if allowed:
            parts.append(
                f'<rect class="idnf-room {side_kind(label)}" x="{place}" width="{wide}" height="{TALL}"/>'
                f'<svg x="{place}" width="{wide}" height="{TALL}" viewBox="{place} 0 {wide} {TALL}">'
                f'<use href="#{name}"/></svg>'
                f'<rect class="{side_kind(label)}" x="{place}" y="{TALL}" width="{wide}" height="3"/>'
            )
        place += wide
    return "".join(parts)


_STYLE = (
    ".idnf-pale{opacity:.28}.idnf-room{opacity:.13}.idnf-all{fill:#7b8794}"
    ".idnf-mark{fill:none;stroke:currentColor;stroke-width:2;vector-effect:non-scaling-stroke}"
    ".idnf-out{stroke-dasharray:2 2}"
)
Case = Sequence[tuple[int, float | None]]
"""The cell and the position of a case in each column of the frame."""

_WIDE, _HIGH, _LEFT, _SIGNS = 142, 68, 40, 21
_MOST_ROWS = 40
_FONT = "svg.idnf{font:11px system-ui,sans-serif;color:inherit}svg.idnf text{fill:currentColor}"


def model_svg(explainer: Explainer, points: Sequence[Points] | None = None, case: Case = ()) -> str:
    """Draw the reasons of a model by the columns of its table.

    Parameters
    ----------
    explainer : Explainer
    points : sequence of Points, optional
        The values to draw, for each column of the frame; by default what is known of the training values.
    case : sequence of (int, float or None)
        The cell and the position of a case in each column of the frame, to be marked; reasons that hold are lit.

    Examples
    --------
    >>> from idnf.logic.boxes import Space
    >>> from idnf.logic.dnf import DNF
    >>> model_svg(Explainer.of(DNF.parse("a & b").double(), Space.boolean("ab"))).startswith("<svg")
    True
    """
    axes = axes_of(explainer, points)
    names = [f"h{crc32(repr(axis).encode()):08x}-{i}" for i, axis in enumerate(axes)]
    parts = ["<defs>" + "".join(map(histogram, axes, names)) + "</defs>", *_heads(axes)]
    y = 52
    for label, rows in reversed(list(enumerate(drawn_reasons(explainer)))):
        parts.append(f'<rect class="{side_kind(label)}" y="{y}" width="10" height="14"/>')
        parts.append(_text(16, y + 12, f"{explainer.outcomes[label].named}: {_count(len(rows))}", bold=True))
        y += 24
        for row in rows[:_MOST_ROWS]:
            parts.append(_row(row, axes, names, case, y))
            y += _HIGH
    width = max(_LEFT + len(axes) * _WIDE, 400)
    # A histogram that is used elsewhere is styled by its own class alone, not by what is around it.
    colours = "".join(f".{side_kind(i)}{{fill:{colour}}}" for i, colour in enumerate(COLOURS))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="idnf" role="img" aria-label="reasons by columns" '
        f'viewBox="0 0 {width} {y}" width="{width}" height="{y}">'
        f"<style>{_FONT}{colours}{_STYLE}</style>{''.join(parts)}</svg>"
    )


def _heads(axes: Sequence[Axis]) -> list[str]:
    """Return the name of each column and the range that is drawn."""
    places = [(_LEFT + i * _WIDE, axis) for i, axis in enumerate(axes)]
    names = [_text(x, 16, axis.name, bold=True) for x, axis in places]
    return names + [_text(x, 34, " to ".join(axis.ends)) for x, axis in places if axis.ends]


def _count(reasons: int) -> str:
    more = f", the first {_MOST_ROWS} of them drawn" if reasons > _MOST_ROWS else ""
    return f"{reasons} reason{'s' * (reasons != 1)}{more}"


def _row(row: DrawnReason, axes: Sequence[Axis], names: Sequence[str], case: Case, y: int) -> str:
    """Return a reason with its squares, lit where it holds the case, pale if it does not."""
    holds = all(mask is None or mask >> cell & 1 for mask, (cell, _) in zip(row.masks, case))
    parts = [_text(0, y + 22, row.id or "", bold=bool(case) and holds)]
    for i, (axis, mask, caption) in enumerate(zip(axes, row.masks, row.captions)):
        if mask is None:
            continue
        x, mark = _LEFT + i * _WIDE, ""
        if case:
            place, inside = axis.place(*case[i]), mask >> case[i][0] & 1
            mark = f'<path class="idnf-mark{"" if inside else " idnf-out"}" d="M{place:.1f} -2V{TALL + 5}"/>'
        inner = f"{square(axis, mask, row.label, names[i])}{mark}<title>{escape(caption or '')}</title>"
        pale = "" if holds else ' opacity=".5"'
        parts.append(f'<g transform="translate({x} {y + 2}) scale(1.2 1)"{pale}>{inner}</g>')
        parts.append(_text(x, y + TALL + 20, caption or ""))
    return "".join(parts)


def _text(x: float, y: float, text: str, *, bold: bool = False) -> str:
    """Return a text; over a square it is cut to the room there is, signs of East Asian scripts taking two places."""
    shown, room = visible(text), _SIGNS if x >= _LEFT else 80
    while sum(2 if east_asian_width(sign) in "WF" else 1 for sign in shown) > room:
        shown = shown.removesuffix("…")[:-1] + "…"
    title = "" if shown == visible(text) else f"<title>{escape(text)}</title>"
    return f'<text x="{x:g}" y="{y:g}" font-weight="{600 if bold else 400}">{escape(shown)}{title}</text>'
