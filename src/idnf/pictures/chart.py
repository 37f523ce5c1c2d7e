"""Small charts as SVG, with axes and a legend, for pages and notebooks that need nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor, log10
from typing import Any

from idnf.pictures.drawing import escape

_WIDTH, _HEIGHT, _LEFT, _TOP, _KEY = 440.0, 220.0, 62.0, 16.0, 22.0
# A bar with its name; the room right of the axes; about how wide a sign is.
_BAR, _MARGIN, _SIGN = 36.0, 24.0, 6.5
_STYLE = (
    "svg.idnf-k{font:12px system-ui,sans-serif;color:inherit;max-width:100%;height:auto}"
    "svg.idnf-k text{fill:currentColor}"
    "svg.idnf-k path,svg.idnf-k circle{stroke:currentColor;fill:none;stroke-opacity:.7}"
    "svg.idnf-k .axis{stroke-opacity:.35}svg.idnf-k .grid{stroke-opacity:.12}"
    "svg.idnf-k .ours{stroke:#2f6fde;stroke-opacity:1}svg.idnf-k circle.ours,svg.idnf-k rect.ours{fill:#2f6fde}"
)
_DASHES = ("6 3", "2 3", "8 3 2 3", "1 4")

Tick = tuple[float, str]


@dataclass(frozen=True)
class Series:
    """Points of one name.

    Attributes
    ----------
    name : str
        What the legend says.
    points : tuple of (float, float)
    lined, dotted : bool
        Whether they are joined by a line, and drawn as dots.
    ours : bool
        Whether they are in colour; others are distinguished by their dashes.
    spreads : tuple of float
        How far each may lie to either side, if that is drawn.
    notes : tuple of str
        What stands above each.
    """

    name: str
    points: tuple[tuple[float, float], ...]
    lined: bool = True
    dotted: bool = False
    ours: bool = False
    spreads: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()


def round_ticks(low: float, high: float, *, percent: bool = True) -> list[Tick]:
    """Return round shares, or numbers, from one at most the lowest to one at least the highest.

    >>> [words for _, words in round_ticks(0.72, 0.91)], [words for _, words in round_ticks(0, 7, percent=False)]
    (['70%', '75%', '80%', '85%', '90%', '95%'], ['0', '2', '4', '6', '8'])
    """
    rough = max(high - low, 1e-6) / 4
    size = 10 ** floor(log10(rough))
    step = next(factor * size for factor in (1, 2, 5, 10) if factor * size >= rough)
    first, last = floor(low / step), -floor(-high / step)
    digits = max(0, -floor(log10(step) + 1e-9) - 2 * percent)
    words = f".{digits}{'%' if percent else 'f'}"
    return [(i * step, format(i * step, words)) for i in range(first, max(last, first + 1) + 1)]


def chart_svg(series: Sequence[Series], across: Sequence[Tick], up: Sequence[Tick], *, x: str, y: str) -> str:
    """Draw series over two axes; the first and the last tick of each are its ends.

    >>> one = Series("a", ((1, 0.7), (2, 0.9)), dotted=True, ours=True)
    >>> svg = chart_svg([one], [(1, "k = 1"), (2, "k = 2")], round_ticks(0.7, 0.9), x="", y="right")
    >>> svg.count("<circle"), svg.count("k = 1")
    (2, 1)
    """

    def at(point: tuple[float, float]) -> tuple[float, float]:
        (left, _), (right, _), (low, _), (high, _) = across[0], across[-1], up[0], up[-1]
        return (
            _LEFT + _WIDTH * (point[0] - left) / ((right - left) or 1),
            _TOP + _HEIGHT * (high - point[1]) / ((high - low) or 1),
        )

    parts = [_path("axis", f"M{_LEFT} {_TOP}v{_HEIGHT}h{_WIDTH}"), _text(_LEFT, _TOP - 4, y)]
    for value, words in up:
        height = at((0, value))[1]
        parts += [_path("grid", f"M{_LEFT} {height:.1f}h{_WIDTH}"), _text(_LEFT - 6, height + 4, words, "end")]
    parts += [_text(at((value, 0))[0], _TOP + _HEIGHT + 18, words, "middle") for value, words in across]
    parts.append(_text(_LEFT + _WIDTH / 2, _TOP + _HEIGHT + 36, x, "middle"))
    bottom, others = _TOP + _HEIGHT + 60, 0
    for place, one in enumerate(series):
        dash, kind = ("", "ours") if one.ours else (_DASHES[others % len(_DASHES)], "")
        others += not one.ours
        key = bottom + _KEY * place
        parts.append(_text(_LEFT + 44, key, one.name))
        if one.lined and one.points:
            parts.append(_path(kind, "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in map(at, one.points)), dash))
            parts.append(_path(kind, f"M{_LEFT} {key - 4}h36", dash))
        parts += [] if one.lined else [_dot(kind, (_LEFT + 18, key - 4))]
        parts += [_dot(kind, at(point)) for point in one.points if one.dotted]
        for (a, b), spread in zip(one.points, one.spreads):
            (left, low), (_, high) = at((a, max(b - spread, up[0][0]))), at((a, min(b + spread, up[-1][0])))
            parts.append(_path(kind, f"M{left:.1f} {low:.1f}V{high:.1f}"))
        parts += [_note(*at(point), words) for point, words in zip(one.points, one.notes)]
    return _as_svg(parts, f"{y} by {x}", bottom + _KEY * len(series) - 10)


def bars_svg(lengths: Mapping[str, float], along: Sequence[Tick], *, x: str) -> str:
    """Draw a bar below each name, the first on top; they begin at the first tick.

    >>> svg = bars_svg({"age": 0.5, "income": 1.0}, round_ticks(0, 1), x="share of models")
    >>> svg.count("<rect"), svg.count('width="220.0"')
    (2, 1)
    """
    first, last = along[0][0], along[-1][0]
    places = [_LEFT + _WIDTH * (value - first) / (last - first) for value, _ in along]
    foot = _TOP + _BAR * len(lengths)
    parts = [_path("grid", f"M{place:.1f} {_TOP}V{foot}") for place in places]
    for row, (name, length) in enumerate(lengths.items()):
        top, width = _TOP + _BAR * row, _WIDTH * (length - first) / (last - first)
        parts.append(_text(_LEFT, top + 12, name))
        parts.append(f'<rect class="ours" x="{_LEFT}" y="{top + 17:g}" width="{width:.1f}" height="12"/>')
    parts += [_text(place, foot + 18, words, "middle") for place, (_, words) in zip(places, along)]
    parts.append(_text(_LEFT + _WIDTH / 2, foot + 36, x, "middle"))
    return _as_svg(parts, x, foot + 46)


def reliability_svg(bands: Mapping[str, Sequence[Any]]) -> str:
    """Draw the share seen in each band against the share estimated, with two standard errors of the share seen.

    >>> seen = {"band": ["no", "yes"], "rows": [75, 0], "estimated": [0.2, 0.9], "seen": [0.25, None]}
    >>> reliability_svg(seen).count("<circle")
    1
    """
    known = [one for one in zip(*bands.values(), strict=True) if one[-1] is not None]
    known.sort(key=lambda one: one[2])
    points = Series(
        "bands, with two standard errors",
        tuple((estimated, seen) for _, _, estimated, seen in known),
        dotted=True,
        ours=True,
        spreads=tuple(2 * (seen * (1 - seen) / rows) ** 0.5 for _, rows, _, seen in known),
        notes=tuple(name for name, *_ in known),
    )
    series = [points, Series("as estimated", ((0.0, 0.0), (1.0, 1.0)))]
    ticks = [(tick / 4, f"{tick / 4:.0%}") for tick in range(5)]
    return chart_svg(series, ticks, ticks, x="share estimated", y="share seen")


def _as_svg(parts: Sequence[str], about: str, height: float) -> str:
    width = _LEFT + _WIDTH + _MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="idnf-k" role="img" aria-label="{escape(about)}" '
        f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}">'
        f"<style>{_STYLE}</style>{''.join(parts)}</svg>"
    )


def _note(x: float, y: float, words: str) -> str:
    """Return words to the right of a place and above it; to its left if there is no room."""
    fits = x + 7 + _SIGN * len(words) < _LEFT + _WIDTH + _MARGIN
    return _text(x + 7, y - 6, words) if fits else _text(x - 7, y - 6, words, "end")


def _dot(kind: str, at: tuple[float, float]) -> str:
    return f'<circle class="{kind}" cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="4"/>'


def _path(kind: str, steps: str, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path class="{kind}" d="{steps}"{dashed}/>'


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>' if words else ""
