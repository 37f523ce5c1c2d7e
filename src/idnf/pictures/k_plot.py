"""Accuracy by k as SVG: what matplotlib draws, for pages that need nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from idnf.pictures.drawing import escape

_WIDTH, _HEIGHT, _LEFT, _TOP, _KEY = 420.0, 220.0, 52.0, 16.0, 22.0
_STYLE = (
    "svg.idnf-k{font:12px system-ui,sans-serif;color:inherit;max-width:100%;height:auto}"
    "svg.idnf-k text{fill:currentColor}"
    "svg.idnf-k path,svg.idnf-k circle{stroke:currentColor;fill:none;stroke-opacity:.7}"
    "svg.idnf-k .axis{stroke-opacity:.35}svg.idnf-k .ours{stroke:#2f6fde;stroke-opacity:1}"
    "svg.idnf-k circle.ours{fill:#2f6fde}"
)
_DASHES = ("6 3", "2 3", "8 3 2 3")


@dataclass(frozen=True)
class Curve:
    """A named line of one accuracy for each k, with its spread where that is drawn."""

    name: str
    accuracy: tuple[float, ...]
    spread: tuple[float, ...] = ()
    ours: bool = False


def k_plot_svg(
    ks: Sequence[int], curves: Sequence[Curve], levels: Mapping[str, float], above: Sequence[str], *, best: int
) -> str:
    """Draw curves by k and levels that do not depend on k; ``above`` stands over the points of the first curve.

    >>> svg = k_plot_svg([1, 2], [Curve("a", (0.7, 0.9), (0.1, 0.1), ours=True)], {"forest": 0.8}, ["2", "5"], best=2)
    >>> svg.count("<circle"), svg.count("forest")
    (2, 1)
    """
    spreads = [(a - s, a + s) for curve in curves for a, s in zip(curve.accuracy, curve.spread or curve.accuracy[:0])]
    seen = (
        [v for curve in curves for v in curve.accuracy] + list(levels.values()) + [v for pair in spreads for v in pair]
    )
    low, high = min(seen), max(seen)
    high = high if high > low else low + 0.01
    xs = [_LEFT + _WIDTH * (i + 0.5) / len(ks) for i in range(len(ks))]

    def up(value: float) -> float:
        return _TOP + _HEIGHT * (high - value) / (high - low)

    parts = [_path("axis", f"M{_LEFT} {_TOP}v{_HEIGHT}h{_WIDTH}")]
    for share in (0.0, 0.5, 1.0):
        value = low + share * (high - low)
        parts.append(_text(_LEFT - 6, up(value) + 4, f"{value:.1%}", "end"))
    for k, x in zip(ks, xs):
        parts.append(_text(x, _TOP + _HEIGHT + 18, f"k = {k}" + " (chosen)" * (k == best), "middle"))
    lines = [(name, [(_LEFT, up(v)), (_LEFT + _WIDTH, up(v))], False) for name, v in levels.items()]
    lines = [(c.name, [(x, up(v)) for x, v in zip(xs, c.accuracy)], c.ours) for c in curves] + lines
    others = 0
    for place, (name, points, ours) in enumerate(lines):
        dash, kind = "" if ours else _DASHES[others % len(_DASHES)], "ours" if ours else ""
        others += not ours
        parts.append(_path(kind, "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points), dash))
        y = _TOP + _HEIGHT + 46 + _KEY * place
        parts += [_path(kind, f"M{_LEFT} {y - 4}h36", dash), _text(_LEFT + 44, y, name)]
    for curve in curves:
        for x, accuracy, spread in zip(xs, curve.accuracy, curve.spread):
            parts.append(_path("ours", f"M{x:.1f} {up(accuracy - spread):.1f}V{up(accuracy + spread):.1f}"))
            parts.append(f'<circle class="ours" cx="{x:.1f}" cy="{up(accuracy):.1f}" r="4"/>')
    for x, value, words in zip(xs, curves[0].accuracy, above):
        parts.append(_text(x + 7, up(value) - 6, words))
    height, label = _TOP + _HEIGHT + 40 + _KEY * len(lines), "accuracy on rows held out by k"
    width = _LEFT + _WIDTH + 10
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="idnf-k" role="img" aria-label="{label}" '
        f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}">'
        f"<style>{_STYLE}</style>{''.join(parts)}</svg>"
    )


def _path(kind: str, steps: str, dash: str = "") -> str:
    dashed = f' stroke-dasharray="{dash}"' if dash else ""
    return f'<path class="{kind}" d="{steps}"{dashed}/>'


def _text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(words)}</text>'
