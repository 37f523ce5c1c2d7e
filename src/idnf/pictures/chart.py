"""Small charts as SVG, with axes and a legend: what matplotlib draws, for pages that need nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

from idnf.pictures.drawing import escape

_WIDTH, _HEIGHT, _LEFT, _TOP, _KEY = 440.0, 220.0, 62.0, 16.0, 22.0
_STYLE = (
    "svg.idnf-k{font:12px system-ui,sans-serif;color:inherit;max-width:100%;height:auto}"
    "svg.idnf-k text{fill:currentColor}"
    "svg.idnf-k path,svg.idnf-k circle{stroke:currentColor;fill:none;stroke-opacity:.7}"
    "svg.idnf-k .axis{stroke-opacity:.35}svg.idnf-k .grid{stroke-opacity:.12}"
    "svg.idnf-k .ours{stroke:#2f6fde;stroke-opacity:1}svg.idnf-k circle.ours{fill:#2f6fde}"
)
_DASHES = ("6 3", "2 3", "8 3 2 3")

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
        if one.lined:
            parts.append(_path(kind, "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in map(at, one.points)), dash))
            parts.append(_path(kind, f"M{_LEFT} {key - 4}h36", dash))
        parts += [] if one.lined else [_dot(kind, (_LEFT + 18, key - 4))]
        parts += [_dot(kind, at(point)) for point in one.points if one.dotted]
        for (a, b), spread in zip(one.points, one.spreads):
            (left, low), (_, high) = at((a, b - spread)), at((a, b + spread))
            parts.append(_path(kind, f"M{left:.1f} {low:.1f}V{high:.1f}"))
        parts += [_text(at(p)[0] + 7, at(p)[1] - 6, words) for p, words in zip(one.points, one.notes)]
    width, height = _LEFT + _WIDTH + 24, bottom + _KEY * len(series) - 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="idnf-k" role="img" aria-label="{escape(y)} by {escape(x)}" '
        f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}">'
        f"<style>{_STYLE}</style>{''.join(parts)}</svg>"
    )


def _dot(kind: str, at: tuple[float, float]) -> str:
    return f'<circle class="{kind}" cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="4"/>'


def _path(kind: str, steps: str, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path class="{kind}" d="{steps}"{dashed}/>'


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>' if words else ""
