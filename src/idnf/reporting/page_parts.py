"""Parts of the report's page: the model in full, and the other models that are as good."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from idnf.classifier.memory_source import ExaminedTable
from idnf.columns.phrases import listed
from idnf.explaining.explainer import Explainer
from idnf.explaining.printing import Form, checklist_of, model_text, printed_form
from idnf.pictures.drawing import Axis, escape, histogram, visible
from idnf.reporting.page_tables import framed_table

if TYPE_CHECKING:
    from idnf.choosing.near_optimal import NearOptimalModel, NearOptimalModels

# The models that are listed, of those that are as good.
_MOST_LISTED = 10
_SIGNS = re.compile(r'"(?:[^"\\]|\\.)*"| <= | >= ')


def model_section(explainer: Explainer, first: int) -> str:
    """Return the model as it is printed; a checklist has boxes that a reader can tick.

    >>> from idnf.logic.boxes import Space
    >>> from idnf.logic.dnf import DNF
    >>> majority = DNF.parse("a & b | a & c | b & c").double()
    >>> model_section(Explainer.of(majority, Space.boolean("abc"), classes=("no", "yes")), 1).count("checkbox")
    3
    """
    form = _form(explainer, first)
    text = form.elsewhere("(drawn above)")
    if form.name != "checklist":
        return printed_lines(text)
    head, *lines = text.split("\n")
    ticks = "".join(f'<label><input type="checkbox"> {_line(line.strip())}</label>' for line in lines[:-2])
    return (
        f'<fieldset id="checklist"><legend>{escape(head)}</legend>{ticks}'
        f'<p id="ticked" role="status" aria-live="polite"></p></fieldset><p>{escape(lines[-1])}</p>'
        '<p class="muted">The boxes are ticked as they are for the case above. Tick them yourself for another one.</p>'
    )


def printed_lines(text: str) -> str:
    """Return printed lines, each of which goes on further in if it is too long for the screen."""
    lines = (f'<span style="--in:{len(line) - len(line.lstrip())}ch">{_line(line)}</span>' for line in text.split("\n"))
    return f'<pre class="text">{"".join(lines)}</pre>'


def _line(text: str) -> str:
    """Return a printed line as HTML, with the signs that people write; names in quotes stay as they are.

    >>> print(_line('age <= 30 and "a <= b" is true'))
    age ≤ 30 and &quot;a &lt;= b&quot; is true
    """
    return escape(_SIGNS.sub(lambda found: {" <= ": " ≤ ", " >= ": " ≥ "}.get(found[0], found[0]), text))


def _form(explainer: Explainer, first: int | None = None) -> Form:
    """Return the model in its shortest form; one that gives a single class is a line."""
    if sum(map(bool, explainer.reading.lines)) > 1:
        return printed_form(explainer, first=first)
    return Form("lines", 0, model_text(explainer).rpartition("\n")[2])


def ticks_given(explainer: Explainer, first: int) -> dict[str, object] | None:
    """Return what the script of a page needs to tick and to count; None if the model is not printed as a checklist."""
    known = checklist_of(explainer, first)
    if known is None or _form(explainer, first).name != "checklist":
        return None
    label, ticks = known
    names = [visible(one.named) for one in explainer.outcomes]
    return {
        "least": ticks.least,
        "points": ticks.points,
        "conditions": [[column, str(mask)] for column, mask in ticks.conditions],
        "named": [names[1 - label], names[label]],
    }


def histograms(models: Sequence[Sequence[Axis]]) -> str:
    """Return the histograms of the columns of models, out of sight, for squares to use: "h0-1" is of the first."""
    shapes = [histogram(axis, f"h{place}-{i}") for place, axes in enumerate(models) for i, axis in enumerate(axes)]
    return f'<svg class="away" aria-hidden="true"><defs>{"".join(shapes)}</defs></svg>'


def near_section(table: ExaminedTable, near: NearOptimalModels | None) -> str:
    """Return the models that are as good as a section, with a box for each column; nothing without them."""
    if near is None:
        return ""
    some = near.models[:_MOST_LISTED]
    names = list(dict.fromkeys([*near.recurrence.by_column, *(name for one in some for name in one.columns)]))
    names = [name for name in names if any(name in one.columns for one in some)]
    boxes = "".join(f'<label><input type="checkbox" checked> {escape(_box(near, name))}</label>' for name in names)
    head = ["looks at", "conditions", "right on rows held out", "behind the best", "answers as this model does"]
    head += ["difference between groups"] * any(one.gap is not None for one in some)
    top = "".join(f'<th role="columnheader" scope="col">{name}</th>' for name in head)
    rows = "".join(_near_row(table, one, names, head) for one in some)
    more = f" The first {len(some)} are listed." if len(some) < len(near.models) else ""
    back = (
        " Beside each column: how often it came back in models learned from redrawn rows. What seldom comes back "
        "may be chance."
        if near.recurrence.resamples
        else ""
    )
    return (
        '<section aria-labelledby="h-near">\n<h2 id="h-near">Other models that are as good</h2>\n'
        f"<p>{escape(str(near))}{more} All but the model of this page were learned from a part of its rows and "
        f'measured on the others.{back}</p><fieldset id="near-columns"><legend>Untick a column to see the models that '
        f'do without it</legend>{boxes}</fieldset><p id="near-left" role="status" aria-live="polite"></p>'
        + framed_table("models that are as good", top, rows, 'class="cards" id="near"')
        + "\n</section>"
    )


def _box(near: NearOptimalModels, name: str) -> str:
    """Return a column and how often it comes back."""
    share, count = near.recurrence.by_column.get(name, 0.0), near.recurrence.resamples
    return f"{name} ({round(share * count)} of {count})" if count else name


def _near_row(table: ExaminedTable, one: NearOptimalModel, names: Sequence[str], head: Sequence[str]) -> str:
    """Return one model as a row: the columns it looks at by their place, and its text folded away."""
    fitted = one.model.fitted_.with_labels(table.fitted.classes.tolist())
    same = float(np.mean(fitted.read(table.X).labels == table.labels))
    right = f"{one.accuracy:.1%} ± {one.spread:.1%}" if one.accuracy == one.accuracy else "–"
    cells = [str(one.conditions), right, f"{one.loss:.1%}", f"{same:.1%}"]
    cells += [] if one.gap is None else [f"{one.gap:.1%}"]
    shown = "".join(
        f'<td role="cell" class="n" data-name="{name}">{text}</td>' for name, text in zip(head[1:], cells, strict=True)
    )
    text = printed_lines(_form(fitted.explainer).elsewhere())
    places = " ".join(str(names.index(name)) for name in one.columns)
    return (
        f'<tr role="row" data-columns="{places}"><td role="cell" data-name="{head[0]}">'
        f"{escape(listed(one.columns, 'and') if one.columns else 'nothing')}"
        f"<details><summary>Read it</summary>{text}</details></td>{shown}</tr>"
    )
