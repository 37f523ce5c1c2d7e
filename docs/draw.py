"""Draw the pictures of `index.md` and `how-it-works.md` into `docs/drawings`, computed by the library.

Run as `python docs/draw.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from idnf import DNF, DNFBands, DNFClassifier, NestedDNF, datasets
from idnf.counting.packed import PackedTable
from idnf.datasets.loans import loan_table
from idnf.logic.literals import Term, codes_of, feature_of, negated_mask
from idnf.logic.parsing import literal_text

FOLDER = Path(__file__).with_name("drawings")
BLUE, ORANGE = "#2f6fde", "#d9730d"


def nested_example() -> NestedDNF:
    """Return the nested 3-DNF of the page: two rows of three literals, three terms."""
    return NestedDNF(tuple("abcdef"), ((0, 2, 4), (6, 8, 10)), ((3, 0), (2, 1), (0, 2)), 3)


def drawings() -> dict[str, str]:
    """Return every picture by the name of its file.

    >>> print(*sorted(name.removesuffix(".svg") for name in drawings()))
    bands boxes decision double-dnf four-classes nested-tree packed-table reasons staircase
    """
    return {
        "bands.svg": bands(),
        "staircase.svg": staircase(nested_example()),
        "nested-tree.svg": nested_tree(),
        "double-dnf.svg": double_dnf(DNF.parse("young & unemployed | arrears & ~guarantor")),
        "boxes.svg": boxes(),
        "decision.svg": decision(),
        "four-classes.svg": four_classes(),
        "packed-table.svg": packed_table(),
        "reasons.svg": reasons(),
    }


def decision() -> str:
    """Draw one applicant of `index.md`: what the table has, what the reason looks at, the decision and its change."""
    policy = DNFClassifier.from_dnf(
        "~'income <= 2400' & ~debt | guarantor",
        columns={"income": [2400], "debt": bool, "guarantor": bool},
        classes=("declined", "approved"),
        target="loan",
    )
    applicant = {"income": 1900, "debt": True, "guarantor": False}
    one = policy.explain(applicant)[0]
    wide, tall, top = 150, 46, 24
    parts = [_text(0, 14, "a row of the table; the reason looks at what is blue", small=True)]
    for j, (name, value) in enumerate(applicant.items()):
        seen = name in one.axp_columns
        parts.append(_rect((j * wide, top), (wide - 8, tall), BLUE if seen else "#888", 0.25 if seen else 0.08))
        parts.append(_text(j * wide + 10, top + 18, name, small=True))
        parts.append(_text(j * wide + 10, top + 36, str(value).lower(), bold=True))
    y = top + tall + 12
    parts.append(f'<path d="M71 {y} v28" stroke="#222" marker-end="url(#to)"/>')
    for line, (text, colour) in enumerate([(one.why, ORANGE), (one.otherwise, BLUE)]):
        parts.append(_text(0, y + 52 + 24 * line, text, colour=colour, bold=True))
    last = "Whatever the other values are, the decision is the same while these two conditions hold: that is proved."
    parts.append(_text(0, y + 104, last, small=True))
    return _svg(660, y + 112, parts, one.to_text())


def bands() -> str:
    """Draw the ladder of `guides/bands.md`: a case in the middle band, why it is no higher and why no lower."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"income": rng.integers(1, 5, 3000) * 1000 - 500})
    X["late"], X["debt"] = rng.random(3000) < 0.4, rng.random(3000) < 0.4
    signs = X["late"].astype(int) + X["debt"] + (X["income"] < 2000)
    y = np.where(rng.random(3000) < np.array([0.02, 0.05, 0.25, 0.75])[signs], "bad", "good")
    names = ["approve", "refer", "decline"]
    model = DNFBands(k=3, boundaries=[0.1, 0.4], names=names, order=["good", "bad"]).fit(X[:2000], y[:2000])
    one = next(each for each in model.explain(X[:2000]) if each.band == 1)
    assert one.at_least is not None, "the middle band has a lower one"
    assert one.below is not None, "the middle band has a higher one"
    table, tall, parts = model.bands_.columns(), 84, []
    for place, band in enumerate((2, 1, 0)):
        y_at, lit = place * tall, band == one.band
        parts.append(_rect((0, y_at), (250, tall - 28), BLUE if lit else "#888", 0.25 if lit else 0.08))
        parts.append(_text(12, y_at + 24, names[band], bold=True))
        share, rows = table["probability"][band], table["rows"][band]
        parts.append(_text(12, y_at + 44, f"about {share:.0%} go bad; {rows:,.0f} of 2,000 rows", small=True))
    for place, part in enumerate((one.below, one.at_least)):
        parts.append(_text(20, place * tall + 74, part.why, colour=BLUE if place else ORANGE, bold=True))
    return _svg(420, 3 * tall - 20, parts, one.to_text())


def four_classes() -> str:
    """Draw the reasons for the four grades of `guides/several-classes.md`."""
    loans = loan_table(1000)
    earns = loans.income > 2400
    grades = np.select([earns & ~loans.debt, earns, loans.guarantor], ["gold", "silver", "bronze"], "declined")
    table = loans.to_pandas()[["income", "region", "debt", "guarantor"]]
    return DNFClassifier(k=2).fit(table, grades).plot(table, grades).svg


def reasons() -> str:
    """Draw the reasons of a model of 1,000 loans by columns, with one applicant of `report.md`."""
    X, y = datasets.load("loans")
    return DNFClassifier().fit(X, y).with_settings(target="loan").plot(X, y, case=X[:1]).svg


def nested_tree() -> str:
    """Draw a tree of two questions with a nested DNF in one leaf."""
    parts = []
    for at, wide, text in (((0, 70), 60, "owner"), ((130, 24), 90, "guarantor")):
        parts += [_rect(at, (wide, 26), "#888", 0.08), _text(at[0] + 10, at[1] + 17, text)]
    leaves = (((290, 4), "declined", ORANGE), ((290, 44), "approved", BLUE))
    for at, text, colour in leaves:
        parts += [_rect(at, (84, 26), colour, 0.2), _text(at[0] + 10, at[1] + 17, text)]
    lines = ("approved if income > 2400 and no debt", "or guarantor and employed", "else declined")
    parts.append(_rect((130, 92), (290, 66), "#888", 0.08))
    parts += [_text(140, 110 + 19 * i, line) for i, line in enumerate(lines)]
    for x, y, word, to in (
        (60, 83, "no", (130, 37)),
        (60, 83, "yes", (130, 125)),
        (220, 37, "no", (290, 17)),
        (220, 37, "yes", (290, 57)),
    ):
        parts.append(
            f'<path d="M{x} {y}C{x + 35} {y} {to[0] - 35} {to[1]} {to[0]} {to[1]}" fill="none" stroke="#888"/>'
        )
        parts.append(_text(to[0] - 28, to[1] + (-6 if to[1] < y else 14), word, small=True))
    return _svg(430, 164, parts, "a tree of two questions, a nested DNF in one leaf")


def staircase(nested: NestedDNF) -> str:
    """Draw the grid of prefix lengths of a nested DNF with two rows; what its terms cover is shaded."""
    step, left, top = 52, 92, 20
    high = len(nested.matrix[1])
    parts = []
    for x, y in product(range(len(nested.matrix[0]) + 1), range(high + 1)):
        at = (left + x * step, top + (high - y) * step)
        parts.append(_rect(at, (step - 4, step - 4), BLUE if nested.covers((x, y)) else "#888", 0.28))
        if (x, y) in nested.prefixes:
            parts.append(_text(at[0] + 24, at[1] + 29, f"({x}, {y})", middle=True, bold=True))
    bottom = top + (high + 1) * step
    names = [[literal_text(code, nested.names) for code in row] for row in nested.matrix]
    for i in range(high + 1):
        parts.append(_text(left + i * step + 24, bottom + 14, str(i), middle=True))
        parts.append(_text(left - 14, top + (high - i) * step + 29, str(i), middle=True))
    parts.append(_text(left, bottom + 36, f"leading literals satisfied in row 1: {', '.join(names[0])}"))
    for line, text in enumerate(["leading", "literals in", f"row 2: {', '.join(names[1])}"]):
        parts.append(_text(0, top + 16 + 16 * line, text, small=True))
    right = left + 4 * step + 28
    for i, row in enumerate(names):
        parts.append(_text(right, top + 21 + 34 * i, f"row {i + 1}"))
        for j, name in enumerate(row):
            parts.append(_rect((right + 46 + 34 * j, top + 34 * i), (30, 30), "#888", 0.1))
            parts.append(_text(right + 61 + 34 * j, top + 20 + 34 * i, name, middle=True))
    terms = [(r, " & ".join(name for row, r_i in zip(names, r) for name in row[:r_i])) for r in nested.prefixes]
    said = [f"({r[0]}, {r[1]}) is the term {text}" for r, text in terms]
    for line, text in enumerate([*said, "blue: class 1, grey: class 0"]):
        parts.append(_text(right, top + 94 + 22 * line, text))
    return _svg(right + 200, bottom + 44, parts, "grid of prefix lengths; class 1 is an up-set")


def double_dnf(f: DNF) -> str:
    """Draw the two sides of a formula as a table; each square names a literal on which two terms conflict."""
    double = f.double()
    names, wide, tall, left, top = f.names, 182, 30, 190, 34
    parts = [_text(left, 14, "terms of class 1", small=True), _text(0, top + 4, "terms of class 0", small=True)]
    for i, one in enumerate(double.positive.terms):
        parts.append(_text(left + i * wide, top + 4, _term(one, names), colour=BLUE))
    for j, zero in enumerate(double.negative.terms):
        y = top + 14 + j * tall
        parts.append(_text(0, y + 19, _term(zero, names), colour=ORANGE))
        for i, one in enumerate(double.positive.terms):
            against = next(codes_of(one.bits & negated_mask(zero.bits)))
            parts.append(_rect((left + i * wide, y), (wide - 6, tall - 4), "#888", 0.15))
            parts.append(_text(left + i * wide + 8, y + 18, "conflict on " + names[feature_of(against)]))
    height = top + 14 + len(double.negative.terms) * tall + 8
    width = left + wide * len(double.positive.terms)
    return _svg(width, height, parts, "each term of one class conflicts with each of the other")


def boxes() -> str:
    """Draw the terms of both classes as boxes over two columns, and one applicant with the reason and a change."""
    policy = DNFClassifier.from_dnf(
        "~'income <= 2400' | ~'income <= 1800' & ~'age <= 25'",
        columns={"income": [1800, 2400], "age": [25]},
        classes=("declined", "approved"),
    )
    space = policy.binariser_.space_
    across, upward, left, top = [0, 150, 270, 420], [0, 90, 180], 70, 26
    height = upward[-1]
    parts = []
    for side, dnf in ((0, policy.double_dnf_.negative), (1, policy.double_dnf_.positive)):
        for number, (low, high) in enumerate((_ends(box[0]), _ends(box[1])) for box in space.boxes(dnf)):
            inset = 3 + 4 * number
            x, y = left + across[low[0]] + inset, top + height - upward[high[1]] + inset
            size = (across[low[1]] - across[low[0]] - 2 * inset, upward[high[1]] - upward[high[0]] - 2 * inset)
            parts.append(_rect((x, y), size, BLUE if side else ORANGE, 0.2))
    for cut, x in zip(("1800", "2400"), across[1:]):
        parts.append(_text(left + x, top + height + 18, cut, middle=True))
    parts.append(_text(left + across[-1], top + height + 18, "income", middle=True))
    parts += [_text(left - 12, top + height - 86, "25", middle=True), _text(0, top + 8, "age")]
    x, y = left + 205, top + height - 40
    parts.append(f'<circle cx="{x}" cy="{y}" r="5"/><path d="M{x + 8} {y} h66" stroke="#222" marker-end="url(#to)"/>')
    parts.append(_text(left + 14, top + height - 14, "declined", colour=ORANGE))
    parts.append(_text(left + across[-1] - 70, top + 26, "approved", colour=BLUE))
    parts.append(_text(x - 46, y - 14, "applicant", small=True))
    return _svg(left + across[-1] + 40, top + height + 30, parts, "terms as boxes over two columns")


def packed_table() -> str:
    """Draw four examples with three features, and the words they are packed into."""
    names = ("owner", "debt", "guarantor")
    features = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 1, 0]], dtype=bool)
    positive = np.array([True, False, True, False])
    table = PackedTable.from_arrays(features, positive)
    parts = [_text(x, 14, name, small=True) for name, x in zip((*names, "class"), (78, 138, 186, 266))]
    for i, row in enumerate(features):
        y = 34 + 24 * i
        parts.append(_text(0, y, f"example {i + 1}"))
        values = (*row.astype(int).tolist(), int(positive[i]))
        parts += [_text(x, y, str(v), middle=True) for v, x in zip(values, (94, 152, 216, 282))]
    order = [np.flatnonzero(positive == segment.label) for segment in table.segments]
    left, top, cell = 84, 168, 26
    for s, members in enumerate(order):
        x = left + s * 250
        said = " and ".join(str(i + 1) for i in members)
        parts.append(_text(x, top - 10, f"word {s}: class {s}, examples {said}", small=True))
    for line, (name, words) in enumerate([("valid", table.valid), *zip(names, table.words)]):
        y = top + 30 * line
        parts.append(_text(0, y + 18, name))
        for s, word in enumerate(words):
            bits = [int(word) >> i & 1 for i in range(6)]
            parts += _bits(bits, (left + s * 250, y), cell)
    return _svg(left + 250 + 6 * cell + 40, top + 4 * 30 + 6, parts, "four examples packed into words of 64 bits")


def _bits(bits: Sequence[int], at: tuple[int, int], cell: int) -> Iterable[str]:
    for i, bit in enumerate(bits):
        yield _rect((at[0] + i * cell, at[1]), (cell - 3, cell - 3), BLUE if bit else "#888", 0.35 if bit else 0.08)
        yield _text(at[0] + i * cell + 11, at[1] + 16, str(bit), middle=True)
    yield _text(at[0] + len(bits) * cell + 2, at[1] + 16, "...")


def _ends(mask: int) -> tuple[int, int]:
    """Return the first cell of a run, and the one after its last."""
    return (mask & -mask).bit_length() - 1, mask.bit_length()


def _term(term: Term, names: Sequence[str]) -> str:
    return " & ".join(literal_text(code, names) for code in term.codes)


def _rect(at: tuple[float, float], size: tuple[float, float], colour: str, opacity: float) -> str:
    shape = f'x="{at[0]}" y="{at[1]}" width="{size[0]}" height="{size[1]}" rx="3"'
    return f'<rect {shape} fill="{colour}" fill-opacity="{opacity}" stroke="{colour}" stroke-opacity="0.7"/>'


def _text(  # noqa: PLR0913 - the ways in which texts differ
    x: float,
    y: float,
    text: str,
    *,
    middle: bool = False,
    bold: bool = False,
    small: bool = False,
    colour: str = "#222",
) -> str:
    style = f'fill="{colour}" font-size="{11 if small else 13}"'
    style += ' text-anchor="middle"' * middle + ' font-weight="bold"' * bold
    return f'<text x="{x}" y="{y}" {style}>{escape(text)}</text>'


def _svg(width: float, height: float, parts: Iterable[str], label: str) -> str:
    arrow = '<marker id="to" markerWidth="8" markerHeight="8" refX="6" refY="4" orient="auto"><path d="M0 0L8 4L0 8z"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(label)}" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" font-family="system-ui, sans-serif">'
        f"<defs>{arrow}</marker></defs>{''.join(parts)}</svg>"
    )


def write() -> None:
    """Write all pictures."""
    FOLDER.mkdir(exist_ok=True)
    for name, svg in drawings().items():
        (FOLDER / name).write_text(svg + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
