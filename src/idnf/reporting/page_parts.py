"""Parts of the report's page, the model in full and the other models that are as good; and small pages of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from os import PathLike
from typing import TYPE_CHECKING

import numpy as np

from idnf.atomic_files import write_atomically
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fairness_report import FairnessReport
from idnf.classifier.memory_source import ExaminedTable
from idnf.columns.phrases import listed
from idnf.explaining.explainer import Explainer
from idnf.explaining.printing import Form, checklist_of, model_text, printed_form
from idnf.pictures.chart import Series, chart_svg, round_ticks
from idnf.pictures.drawing import escape, visible

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
    text = form.elsewhere("(drawn below)")
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


def framed_table(label: str, heads: str, rows: str, attributes: str) -> str:
    """Return a table that scrolls by itself if it is too wide; its roles keep it one for those who hear it."""
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{label}"><table role="table" {attributes}>'
        f'<thead role="rowgroup"><tr role="row">{heads}</tr></thead><tbody role="rowgroup">{rows}</tbody></table></div>'
    )


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
    same = float(np.mean(one.model.predict(table.X) == table.predicted()))
    right = f"{one.accuracy:.1%} ± {one.spread:.1%}" if one.accuracy == one.accuracy else "–"
    cells = [str(one.conditions), right, f"{one.loss:.1%}", f"{same:.1%}"]
    cells += [] if one.gap is None else [f"{one.gap:.1%}"]
    shown = "".join(
        f'<td role="cell" class="n" data-name="{name}">{text}</td>' for name, text in zip(head[1:], cells, strict=True)
    )
    text = printed_lines(_form(one.model.fitted_.explainer).elsewhere())
    places = " ".join(str(names.index(name)) for name in one.columns)
    return (
        f'<tr role="row" data-columns="{places}"><td role="cell" data-name="{head[0]}">'
        f"{escape(listed(one.columns, 'and') if one.columns else 'nothing')}"
        f"<details><summary>Read it</summary>{text}</details></td>{shown}</tr>"
    )


_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "table{border-collapse:collapse}td:first-child{white-space:nowrap}"
    "th,td{padding:.25rem .75rem;text-align:left;border-bottom:1px solid #8888}"
    "svg{max-width:100%}div{overflow-x:auto}"
)


def plain_page(title: str, body: str) -> str:
    """Return a page that works without a network.

    >>> plain_page("A & B", "<p>hello</p>").count("A &amp; B")
    2
    """
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{escape(title)}</h1>\n"
        f"{body}\n</main>\n<footer>Written by idnf {version('idnf')}.</footer>\n</body>\n</html>\n"
    )


def table_html(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table.

    >>> table_html(["a"], [["<b>"]]).count("&lt;b&gt;")
    1
    """
    names = "".join(f'<th scope="col">{escape(name)}</th>' for name in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(text)}</td>" for text in row) + "</tr>" for row in rows)
    return f"<div><table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table></div>"


def alternatives_to_html(classifier: DNFClassifier, path: str | PathLike[str]) -> None:
    """Write the models considered when a classifier was fitted under ``fairness``: a curve, a table, what is proved."""
    write_atomically(path, plain_page("Alternatives considered", alternatives_section(classifier.fairness_)))


def alternatives_section(report: FairnessReport) -> str:
    """Return the curve, the table and the proof as HTML."""
    asked = report.fairness
    head, *rows = report.cells()
    proof = "".join(f"<p>{escape(one)}</p>" for one in report.proofs)
    proof = proof or "<p>No bound is proved, so a better model may exist.</p>"
    return (
        f"<p>{escape(asked.metric.replace('_', ' ').capitalize())} by {escape(asked.column)}: the rates at which "
        f"groups are given {escape(str(report.label))} may differ by at most {asked.limit:.1%}. Every point is a model "
        f"whose every decision has a short reason. Figures are on the training rows.</p>"
        f"{_curve(report)}{table_html(head, rows)}{proof}"
    )


def _curve(report: FairnessReport) -> str:
    """Return gap against errors as a picture."""
    points = tuple((one.gap, one.error) for one in report.alternatives)
    others = tuple(point for point in points if point != points[report.chosen])
    limit, bound = report.fairness.limit, report.bound
    across, up = round_ticks(0, max(limit, *(gap for gap, _ in points))), [error for _, error in points]
    ticks = round_ticks(min(up if bound is None else [*up, bound]), max(up))
    series = [
        Series("the model taken", (points[report.chosen],), lined=False, dotted=True, ours=True),
        Series("other models considered", others, lined=False, dotted=True),
        Series(f"limit on the gap, {limit:.1%}", ((limit, ticks[0][0]), (limit, ticks[-1][0]))),
    ]
    if bound is not None:
        name = f"proved: no model of the family {report.bound_family} within the limit has fewer errors"
        series.append(Series(name, ((0, bound), (limit, bound))))
    return chart_svg(series, across, ticks, x="gap between groups", y="errors")
