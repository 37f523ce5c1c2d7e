"""Pictures of a model as SVG: the literal matrix with its staircase, the tree, or the terms over their columns.

Text is measured by counting characters, so pictures need no font metrics; colours follow the page's own text colour.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from idnf.explaining.explainer import Explainer
from idnf.explaining.wording import label_words
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.literals import codes_of, feature_of, is_negated, literal
from idnf.logic.model import Model
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import AnyLeaf, NestedTree, Node, decision_tree_of, fold

_DIRECTION = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    r"""Return a text with the marks that turn its direction written out, so that they do not rearrange other words.

    >>> print(visible("a\u202eb"))
    a\u202eb
    """
    return _DIRECTION.sub(lambda mark: f"\\u{ord(mark[0]):04x}", text)


def escape(text: str) -> str:
    """Return a text as HTML that shows it.

    >>> escape("<b>")
    '&lt;b&gt;'
    """
    return html.escape(visible(text))


_CHAR = 7.3
_LINE = 22
_PAD = 8
_CELL = 12
_MOST_CHARS = 44


@dataclass(frozen=True)
class Inner:
    """An inner node of a drawn tree: its question, and where "no" and "yes" lead."""

    question: str
    if_false: Drawn
    if_true: Drawn


@dataclass(frozen=True)
class DrawnLeaf:
    """A leaf of a drawn tree: the class of the leaf, or lines that say when which class is given."""

    lines: tuple[str, ...]
    side: int | None


Drawn = Inner | DrawnLeaf


def matrix_svg(rows: Sequence[Sequence[str]], prefixes: Sequence[Sequence[int]], *, label: str, side: int) -> str:
    """Draw a literal matrix, and below it every term of a class as the staircase of prefixes it takes.

    >>> matrix_svg([["a", "b"]], [[2]], label="yes", side=1).startswith("<svg")
    True
    """
    width = _PAD + max((_wide(text) for row in rows for text in row), default=_CHAR) + _PAD
    columns = max((len(row) for row in rows), default=0)
    left, top = 64.0, 28.0
    parts = [_caption(left, 16, "conditions, row by row")]
    for i, row in enumerate(rows):
        y = top + i * (_LINE + 4)
        parts.append(_caption(0, y + 15, f"row {i + 1}"))
        for j, text in enumerate(row):
            parts.append(_box(left + j * (width + 4), y, width, _LINE, "cell", text))
            parts.append(_text(left + j * (width + 4) + _PAD, y + 15, text))
    bottom = top + len(rows) * (_LINE + 4) + 24
    meaning = " where one of these holds: the shaded conditions together"
    parts.append(_caption(0, bottom, _short(label) + meaning))
    step = max(columns, 1) * _CELL + 26
    total = max(left + columns * (width + 4), _wide(label) + _CHAR * len(meaning))
    per_line = max(1, int(total // step))
    for number, r in enumerate(prefixes):
        x, y = (number % per_line) * step, bottom + 12 + (number // per_line) * (len(rows) * _CELL + 18)
        for i, row in enumerate(rows):
            for j in range(len(row)):
                kind = f"step on{side}" if j < r[i] else "step"
                parts.append(_box(x + j * _CELL, y + i * _CELL, _CELL - 1, _CELL - 1, kind))
    lines = -(-len(prefixes) // per_line)
    height = bottom + 12 + lines * (len(rows) * _CELL + 18)
    return _svg(total, height, parts, f"conditions in rows and {len(prefixes)} terms of {label}")


def tree_svg(root: Drawn) -> str:
    """Draw a tree from the left to the right: "no" goes up, "yes" goes down.

    >>> "salary" in tree_svg(Inner("salary > 3", DrawnLeaf(("no",), 0), DrawnLeaf(("yes",), 1)))
    True
    """
    parts: list[str] = []
    width, height = _place(root, 0.0, 8.0, parts)[1:]
    return _svg(width, height, parts, "decision tree")


def _place(node: Drawn, x: float, y: float, parts: list[str]) -> tuple[float, float, float]:
    """Draw a node and what is below it; return where its line meets it, and the right and lower ends."""
    if isinstance(node, DrawnLeaf):
        wide = max(_wide(line) for line in node.lines) + 2 * _PAD
        tall = len(node.lines) * 17 + 8.0
        parts.append(_box(x, y, wide, tall, "leaf" if node.side is None else f"leaf side{node.side % len(COLOURS)}"))
        parts.extend(_text(x + _PAD, y + 17 + 17 * i, line) for i, line in enumerate(node.lines))
        return y + tall / 2, x + wide, y + tall + 8
    wide = _wide(node.question) + 2 * _PAD
    right = x + wide + 56
    first, end_one, low = _place(node.if_false, right, y, parts)
    second, end_two, low = _place(node.if_true, right, low, parts)
    middle = (first + second) / 2
    for target, word in ((first, "no"), (second, "yes")):
        parts.append(
            f'<path class="edge" d="M{x + wide:.0f} {middle:.0f} C{x + wide + 28:.0f} {middle:.0f} '
            f'{right - 28:.0f} {target:.0f} {right:.0f} {target:.0f}"/>'
        )
        parts.append(_caption(right - 30, target + (-5 if target < middle else 13), word))
    parts.append(_box(x, middle - _LINE / 2, wide, _LINE, "cell", node.question))
    parts.append(_text(x + _PAD, middle + 4, node.question))
    return middle, max(end_one, end_two), low


def terms_svg(columns: Sequence[str], sides: Sequence[tuple[str, Sequence[Sequence[bool]]]]) -> str:
    """Draw which columns each term of each class uses: one line a term, one dot a condition.

    >>> terms_svg(["age"], [("yes", [[True]])]).count("<circle")
    1
    """
    left = max((_wide(name) for name, _ in sides), default=4 * _CHAR) + 40
    top = max((_wide(name) for name in columns), default=4 * _CHAR) * 0.72 + 14
    parts = [
        f'<text transform="translate({left + 20 * j + 6:.0f} {top - 6:.0f}) rotate(-46)">{escape(_short(name))}'
        f"<title>{escape(name)}</title></text>"
        for j, name in enumerate(columns)
    ]
    y = top
    for number, (name, terms) in enumerate(sides):
        parts.append(_text(0, y + 14, name))
        for uses in terms:
            parts.append(f'<path class="rule" d="M{left:.0f} {y + 9:.0f} h{20 * len(columns):.0f}"/>')
            parts.extend(
                f'<circle class="dot side{number % len(COLOURS)}" cx="{left + 20 * j + 8:.0f}" cy="{y + 9:.0f}" r="5"/>'
                for j, used in enumerate(uses)
                if used
            )
            y += 18
        y += 12
    return _svg(left + 20 * len(columns) + top, y, parts, "columns used by each term")


def _svg(width: float, height: float, parts: Sequence[str], label: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="idnf" role="img" aria-label="{escape(label)}" '
        f'viewBox="-1 0 {width + 2:.0f} {height:.0f}" width="{width + 2:.0f}" height="{height:.0f}">'
        f"<style>{_STYLE}</style>{''.join(parts)}</svg>"
    )


def _box(x: float, y: float, width: float, height: float, kind: str, title: str = "") -> str:
    tip = f"<title>{escape(title)}</title>" if title else ""
    shape = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="3"'
    return f'<rect class="{kind}" {shape}>{tip}</rect>'


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}">{escape(_short(text))}</text>'


def _caption(x: float, y: float, text: str) -> str:
    return f'<text class="muted" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _wide(text: str) -> float:
    """Return about how wide a text is drawn; signs of East Asian scripts and emoji take two places."""
    return _CHAR * sum(2 if east_asian_width(sign) in "WF" else 1 for sign in visible(_short(text)))


def _short(text: str) -> str:
    return text if len(text) <= _MOST_CHARS else text[: _MOST_CHARS - 1] + "…"


COLOURS = ("#d9730d", "#2f6fde", "#0b8f6a", "#b5529b", "#b58900", "#2a9fc4", "#5b5b5b", "#c23b22")
"""Colours of classes, told apart by people who see fewer of them too; names stand beside them always."""

_STYLE = (
    "svg.idnf{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:inherit}"
    "svg.idnf text{fill:currentColor}"
    "svg.idnf .cell{fill:none;stroke:currentColor;stroke-opacity:.45}"
    "svg.idnf .step{fill:none;stroke:currentColor;stroke-opacity:.35}"
    "svg.idnf .step.on1{fill:#2f6fde}"
    "svg.idnf .step.on0{fill:#d9730d}"
    "svg.idnf .edge{fill:none;stroke:currentColor;stroke-opacity:.5}"
    "svg.idnf .rule{stroke:currentColor;stroke-opacity:.18}"
    "svg.idnf .leaf{fill:none;stroke:currentColor;stroke-opacity:.6}"
    + "".join(
        f"svg.idnf .side{number}{{fill:{colour};fill-opacity:.22;stroke:{colour}}}"
        for number, colour in enumerate(COLOURS)
    )
    + "svg.idnf .dot{fill-opacity:1}"
)


_MOST_TERMS = 60
_MOST_LEAVES = 64


def model_svg(explainer: Explainer) -> str:
    """Draw a model over the columns of a table.

    >>> from idnf.logic.boxes import Space
    >>> from idnf.logic.dnf import DNF
    >>> model_svg(Explainer.of(DNF.parse("a & b").double(), Space.boolean("ab"))).startswith("<svg")
    True
    """
    model = explainer.sides.source
    labels = [label_words(label) for label in explainer.classes]
    tree = None if model is None else _tree_of(model)
    if tree is not None:
        leaf = tree.leaf()
        if leaf is not None and leaf.nested.matrix and tree.n_classes == 2:
            return _nested_svg(explainer, leaf.nested, labels, leaf.label)
        if sum(1 for _ in tree.leaves()) <= _MOST_LEAVES:
            return tree_svg(_drawn(explainer, tree.root, labels))
    return _terms(explainer, labels)


def _tree_of(model: Model) -> NestedTree | None:
    """Return a model as the tree that it is, or that its terms are the paths of; of two classes, terms stay terms."""
    if model.nested_form is not None:
        return NestedTree.of(model)
    return decision_tree_of(ClassDNFs.of(model)) if model.n_classes > 2 else None


def _literal_words(explainer: Explainer, code: int) -> str:
    """Return a literal of the model in the words of the table."""
    column, mask = explainer.space.literals[feature_of(code)]
    return (
        explainer.wordings[column].phrase(explainer.space.full[column] & ~mask if is_negated(code) else mask).condition
    )


def _nested_svg(explainer: Explainer, nested: NestedDNF, labels: list[str], side: int) -> str:
    longest = [max((r[i] for r in nested.prefixes), default=0) for i in range(len(nested.matrix))]
    used = [i for i, length in enumerate(longest) if length]
    rows = [[_literal_words(explainer, code) for code in nested.matrix[i][: longest[i]]] for i in used]
    return matrix_svg(rows, [[r[i] for i in used] for r in nested.prefixes], label=labels[side], side=side)


def _drawn(explainer: Explainer, node: Node, labels: list[str]) -> Drawn:
    def leaf(leaf: AnyLeaf) -> Drawn:
        if leaf.only_label is not None:
            return DrawnLeaf((labels[leaf.only_label],), leaf.only_label)
        lines = []
        for label in sorted(leaf.labels - {leaf.default}):
            for i, mask in enumerate(leaf.masks(label)):
                said = " and ".join(_literal_words(explainer, code) for code in codes_of(mask))
                lines.append(f"{'or' if i else f'{labels[label]} if'} {said}")
        return DrawnLeaf((*lines, f"else {labels[leaf.default]}"), None)

    def split(feature: int, low: Drawn, high: Drawn) -> Drawn:
        if low == high and isinstance(low, DrawnLeaf):
            return low
        return Inner(_literal_words(explainer, literal(feature)), low, high)

    return fold(node, leaf, split)


def _terms(explainer: Explainer, labels: list[str]) -> str:
    sides = explainer.sides
    space = sides.space
    used = sorted({j for side in sides.terms for box in (side or ())[:_MOST_TERMS] for j in space.constrained(box)})
    drawn = []
    for label in sides.labels:
        boxes = (sides.terms[label] or ())[:_MOST_TERMS]
        uses = [[j in space.constrained(box) for j in used] for box in boxes]
        drawn.append((labels[label], uses))
    return terms_svg([space.columns[j].name for j in used], drawn)
