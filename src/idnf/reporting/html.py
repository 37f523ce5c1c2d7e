"""The report: one self-contained page, filled from a summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import date
from functools import singledispatch
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.atomic_files import write_atomically
from idnf.classifier.bands import single_classifier
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fitted import AnyClassifier
from idnf.classifier.k_choices import KChoices
from idnf.classifier.memory_source import ExaminedTable
from idnf.classifier.plots import drawn_points
from idnf.columns.phrases import listed
from idnf.explaining.explainer import Explainer
from idnf.explaining.printing import rounded_up
from idnf.exporting.band_files import model_hash
from idnf.exporting.programs import to_javascript
from idnf.logic.errors import InvalidArgument
from idnf.pictures.drawing import Axis, DrawnReason, axes_of, drawn_reasons, escape, model_svg, square
from idnf.reporting.editor import editor_tool
from idnf.reporting.making import making_sections
from idnf.reporting.page_frame import columns_looked_at, contents_of, facts_list, page_template, whole_page
from idnf.reporting.page_parts import histograms, model_section, near_section, ticks_given
from idnf.reporting.page_tables import framed_table, table_of
from idnf.reporting.said_labels import with_said_labels
from idnf.reporting.sections import Section, further, further_parts, group_sections
from idnf.reporting.starting_cases import MOST_ROWS, made_up_case, starting_rows
from idnf.reporting.summary import (
    ColumnRole,
    Measured,
    Summary,
    column_roles,
    errors_in_words,
    summarise,
)
from idnf.tables.column_check import ColumnsReport

if TYPE_CHECKING:
    from idnf.choosing.near_optimal import NearOptimalModels

# Rows of the data from which the live case can start, of each true class and each class given.
_MOST_CASES = 24
# Reasons of a class that are drawn, and of these the ones that are not folded away.
_MOST_DRAWN, _FIRST = 40, 6

_PARTS = (
    ("h-what-if", "Try a case"),
    ("h-reasons", "Reasons"),
    ("h-model", "The model"),
    ("h-editor", "Change it"),
    ("h-figures", "How often right"),
    ("h-k", "How many conditions"),
    ("h-near", "Equally good models"),
    ("h-roles", "Columns"),
    ("h-proof", "Proof"),
    ("h-decisions", "Column check"),
    ("h-card", "Training"),
)

# What a page of a classifier runs after its model and its case, each after those it reads.
_SCRIPTS = ("squares.js", "reasons.js", "checklist.js", "near.js", "report.js")

# Where a class stands in the page, in colours that do not mean good or bad; of many classes some share one.
_KIND = ("zero", "one", "two", "three", "four", "five", "six", "seven")


@dataclass(frozen=True)
class Report:
    """A page and, of a classifier, the summary that it was filled from."""

    text: str
    summary: Summary | None = None


def to_html(  # noqa: PLR0913 - what a page says beside its model is a word each
    classifier: AnyClassifier,
    path: str | PathLike[str],
    X: object,
    y: ArrayLike,
    *,
    title: str | None = None,
    subgroup: str | None = None,
    first: object = None,
    choices: KChoices | None = None,
    near: NearOptimalModels | None = None,
    sections: Sequence[Section] = (),
    rows: int | None = MOST_ROWS,
    say: Mapping[Any, str] | None = None,
    written: date | None = None,
    editable: bool = False,
) -> None:
    """Write a report on a classifier or bands and how they do on some labelled rows.

    Of bands a page has no subgroups, choice of k or models nearly as good.

    Parameters
    ----------
    classifier : DNFClassifier or DNFBands
    path : path
        Where to write; a file that is there stays as it was if anything fails.
    X : table or array of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        The true labels.
    title : str, optional
        By default the name of the target and the labels.
    subgroup : str, optional
        A column by whose values the figures are broken down.
    first : label, optional
        The class to begin with; by default one that people are refused by ("declined", "bad"), else the rarest.
    choices : KChoices, optional
        What :func:`idnf.choose_k` found, to be drawn; by default what the model file keeps of `idnf fit --k auto`.
    near : NearOptimalModels, optional
        What :func:`idnf.choosing.near_optimal_models` found, to be listed.
    sections : sequence of Section
        What else the page says, under headings of its own.
    rows : int or None
        How many rows of `X` the page holds at most, for a reader to start from. With None it holds none, nor any other
        value of a row: :meth:`DNFClassifier.without_rows`.
    say : mapping of label to str, optional
        What labels are called on the page, such as ``{0: "declined", 1: "approved"}``.
    written : date, optional
        The date of the page; today if not given.
    editable : bool
        Whether the page has an editor of the model's lines, whose edits :func:`idnf.adopt` takes. Its rows travel as
        numbers of cells, at most 64 per column, without identifiers.
    """
    model = model_hash(classifier) if editable else None
    if choices is not None:
        single = copy(single_classifier(classifier, "choices"))
        single.fitted_ = replace(single.fitted_, choices=choices)
        classifier = single
    if say is not None:
        if editable:
            raise InvalidArgument("say", "be left out with an editor, whose edits name the labels of the model")
        classifier, y, said = with_said_labels(classifier, y, say)
        first = said.get(first, first)
    report = report_of(
        classifier,
        X,
        y,
        title=title,
        subgroup=subgroup,
        first=first,
        near=near,
        sections=sections,
        rows=rows,
        written=written,
        editing=model,
    )
    write_atomically(path, report.text)


@singledispatch
def report_of(  # noqa: PLR0913 - what a page says beside its model is a word each
    classifier: AnyClassifier,
    X: object,
    y: ArrayLike,
    *,
    title: str | None = None,
    subgroup: str | None = None,
    first: object = None,
    near: NearOptimalModels | None = None,
    source: str = "given to this report",
    sections: Sequence[Section] = (),
    rows: int | None = MOST_ROWS,
    written: date | None = None,
    editing: str | None = None,
) -> Report:
    """Return the report that :func:`to_html` writes; `source` says where the rows are from."""
    single = single_classifier(classifier, "classifier")
    table = single.fitted_.read(X)
    summary = summarise(single, table, y, subgroup=subgroup)
    text = page(
        single,
        table,
        summary,
        title=title,
        first=first,
        source=source,
        rows=rows,
        near=near,
        sections=sections,
        written=written,
        editing=editing,
    )
    return Report(text, summary)


def to_svg(classifier: DNFClassifier) -> str:
    """Draw a fitted classifier: its reasons by the columns of its table.

    >>> to_svg(DNFClassifier.from_dnf("young & ~debt", classes=("no", "yes"))).startswith("<svg")
    True
    """
    return model_svg(classifier.fitted_.explainer)


def page(  # noqa: PLR0913 - what a page says beside its model is a word each
    classifier: DNFClassifier,
    X: object,
    summary: Summary,
    *,
    title: str | None = None,
    first: object = None,
    source: str = "given to this report",
    rows: int | None = MOST_ROWS,
    near: NearOptimalModels | None = None,
    sections: Sequence[Section] = (),
    written: date | None = None,
    editing: str | None = None,
) -> str:
    """Return the report as text; the live case starts from rows of ``X``, and `source` says where they are from.

    ``editing`` is the SHA-256 of the model file if the lines of the model can be edited on the page.
    """
    if rows is None and editing is not None:
        raise InvalidArgument("rows", "be a number if the page has an editor, which holds rows by their cells", rows)
    table = classifier.fitted_.read(X)
    classifier = classifier if rows is not None else classifier.without_rows()
    fitted = classifier.fitted_
    sections = (*group_sections([fitted.columns[j] for j in fitted.used]), *sections)
    labels = classifier.classes_.tolist()
    begin = labels.index(first) if first is not None and first in labels else summary.first
    order = [begin, *(label for label in range(len(labels)) if label != begin)]
    axes = axes_of(fitted.explainer, None if rows is None else drawn_points(table, summary.true))
    drawn = _reasons_to_draw(fitted.explainer, summary)
    shown = title or _title(summary, order, fitted.explainer.outcomes[0].target)
    absent = ["h-k"] * (fitted.choices is None) + ["h-near"] * (near is None) + ["h-editor"] * (editing is None)
    tool = None
    if editing is not None:
        label = fitted.explainer.reading.order(begin)[0]
        tool = editor_tool(classifier, table.X, summary.true, label=label, model=editing, subgroup=summary.subgroup)
    body = page_template("report.html").substitute(
        title=escape(shown),
        proposed=", its reason and the cheapest change are" if fitted.explainer.proposes else " and its reason are",
        lead=_lead(summary, fitted.explainer),
        facts=_facts(summary, fitted.explainer, order, source, written or date.today()),
        model=model_section(fitted.explainer, begin),
        reasons=_reasons(drawn, axes, fitted.explainer, summary, order),
        legend="the training rows" if rows is None else f"the rows by their actual class: {_legend(summary, order)}",
        figures=_figures(summary, order),
        roles=_roles(None if summary.n_reasons is None else column_roles(classifier, table)),
        chosen=_size_section(fitted.choices),
        near=near_section(table, near),
        editor="" if tool is None else tool.section,
        sections=further(sections),
        contents=contents_of([*(part for part in _PARTS if part[0] not in absent), *further_parts(sections)]),
        proof=_proof(summary),
        decisions=decisions_of(classifier.columns_report_),
        card="".join(section.to_html() for section in making_sections(classifier)),
    )
    # A case that did not get the favourable outcome comes first.
    refused = sorted(order, key=lambda label: label == fitted.explainer.favourable)
    given = {
        **_script_data(summary, drawn, axes),
        **(made_up_case([fitted]) if rows is None else _cases(table, summary.true, refused, rows)),
        "checklist": ticks_given(fitted.explainer, begin),
    }
    return whole_page(shown, body, to_javascript(classifier), given, _SCRIPTS, tool)


def _title(summary: Summary, order: Sequence[int], target: str | None) -> str:
    names = [summary.classes[label] for label in order]
    among = listed(names, "or") if len(names) < 5 else f"{len(names)} classes"
    return among if target is None else f"{target}: {among}"


def _lead(summary: Summary, explainer: Explainer) -> str:
    """Return the page in a sentence or two: how often the model is right, and how long its reasons are."""
    found, k = summary.overall, explainer.sides.k
    return (
        f"Right for {found.accuracy:.1%} of {found.rows:,} rows; "
        f"always saying {escape(_most_frequent(summary))} would be right for {found.baseline:.1%}. "
        f"Every decision has a reason of at most {k} condition{'s' * (k != 1)}, proved."
    )


def _most_frequent(summary: Summary) -> str:
    """Return the class that most rows are of."""
    counts = [sum(row) for row in summary.overall.confusion]
    return summary.classes[counts.index(max(counts))]


def _facts(summary: Summary, explainer: Explainer, order: Sequence[int], rows: str, written: date) -> str:
    """Return how good the model is and what it looks at, a line each."""
    found = summary.overall
    low, high = found.interval
    lines = {
        "Right": f"<strong>{found.accuracy:.1%}</strong> of {found.rows:,} rows (95% interval {low:.1%} to "
        f"{high:.1%}). Always saying {escape(_most_frequent(summary))} would be right for {found.baseline:.1%}.",
        "Wrong": escape(errors_in_words(found, explainer.outcomes, order[0])),
        "Model": f"{summary.size}. {escape(rounded_up([explainer])).strip()}",
        "Looks at": columns_looked_at(summary.looks_at, summary.ignores),
        "Data": escape(f"{found.rows:,} rows {rows}, {written.day} {written:%B %Y}."),
    }
    if summary.withheld:
        lines["Not given"] = escape(f"{listed(summary.withheld, 'and')}: the model cannot look at them.")
    return facts_list(lines)


def _kind(label: int) -> str:
    return _KIND[label % len(_KIND)]


def _script_data(summary: Summary, drawn: Sequence[Sequence[DrawnReason]], axes: Sequence[Axis]) -> dict[str, object]:
    """Return what the script of the page reads: where marks go, and what each drawn reason allows."""
    return {
        "labels": list(summary.classes),
        "axes": [axis.to_dict() for axis in axes],
        "boxes": [[[str(mask) for mask in one.box] for one in some] for some in drawn],
    }


def _cases(table: ExaminedTable, true: NDArray[np.intp], order: Sequence[int], count: int) -> dict[str, object]:
    """Return rows to start from: those given the first class before others, rightly before wrongly, a few of each."""
    given = table.labels
    pairs = [(g, t) for g in order for t in sorted(order, key=lambda t: (t != g, t))]
    some = [np.flatnonzero((given == g) & (true == t)) for g, t in pairs]
    most = max(3, _MOST_CASES // max(1, sum(len(rows) > 0 for rows in some)))
    chosen = [int(row) for rows in some for row in rows[:most]][:count]
    return starting_rows(table, chosen, true[chosen].tolist())


def _reasons_to_draw(explainer: Explainer, summary: Summary) -> list[list[DrawnReason]]:
    """Return the reasons of each class that are drawn, those that hold for most rows first."""
    place = {one.id: i for i, one in enumerate(summary.reasons)}
    return [sorted(rows, key=lambda row: place.get(row.id or "", 0))[:_MOST_DRAWN] for rows in drawn_reasons(explainer)]


def _reasons(
    drawn: Sequence[Sequence[DrawnReason]],
    axes: Sequence[Axis],
    explainer: Explainer,
    summary: Summary,
    order: Sequence[int],
) -> str:
    """Return reasons by columns, folded by outcome."""
    held: dict[str | None, tuple[float | None, float | None]]
    held = {one.id: (one.coverage, one.precision) for one in summary.reasons}
    parts = [histograms([axes])]
    for label in order:
        rows, count = drawn[label], explainer.reading.reasons[label]
        lines = [_row(row, axes, held.get(row.id, (None, None)), f"{label}-{i}") for i, row in enumerate(rows)]
        body = _grid(axes, lines[:_FIRST])
        if len(lines) > _FIRST:
            some = "all" if len(lines) == count else f"the {len(lines)} most used of"
            many = f"{some} {count} reasons" if count is not None else f"{len(lines)} of very many"
            body += f"<details><summary>Show {many}</summary>{_grid(axes, lines[_FIRST:])}</details>"
        reasons = "very many reasons" if count is None else f"{count} reason{'s' * (count != 1)}"
        name = escape(explainer.outcomes[label].named)
        parts.append(
            f'<details class="outcome" id="outcome-{label}"{" open" * (label == order[0])}>'
            f'<summary><span class="{_kind(label)}">{name}</span>: {reasons} <span class="held muted"></span></summary>'
            f"{body if lines else '<p>Never.</p>'}</details>"
        )
    return "".join(parts)


def _legend(summary: Summary, order: Sequence[int]) -> str:
    keys = ((_kind(label), escape(summary.classes[label])) for label in order)
    return " ".join(f'<span class="key"><i class="{kind}"></i>{name}</span>' for kind, name in keys)


def _grid(axes: Sequence[Axis], lines: Sequence[str]) -> str:
    heads = "".join(
        f'<th role="columnheader" scope="col">{escape(axis.name)}<small>{escape(" to ".join(axis.ends))}</small></th>'
        for axis in axes
    )
    first = '<th role="columnheader" scope="col">reason</th>'
    attributes = f'class="grid" style="--columns:{len(axes)}"'
    return framed_table("reasons by columns", first + heads, "".join(lines), attributes)


def _row(row: DrawnReason, axes: Sequence[Axis], held: tuple[float | None, float | None], name: str) -> str:
    """Return a reason as a line of the table: its number, how often it holds, and a square for each column it uses."""
    coverage, precision = held
    often = "" if coverage is None else f"{coverage:.1%} of rows"
    often += "" if precision is None else f", {precision:.1%} of them right"
    number, words = f"<strong>{escape(row.id or '')}</strong>", f'<span class="words">{escape(row.words)}</span>'
    head = f'<th role="rowheader" scope="row">{number} {words}<small>{often}</small></th>'
    cells = [
        '<td role="cell" class="none"></td>'
        if mask is None
        else f'<td role="cell" data-name="{escape(axis.name)}" data-place="{i}"><svg viewBox="0 -2 100 40" '
        f'preserveAspectRatio="none" aria-hidden="true">{square(axis, mask, row.label, f"h0-{i}")}</svg>'
        f"<small>{escape(caption or '')}</small></td>"
        for i, (axis, mask, caption) in enumerate(zip(axes, row.masks, row.captions))
    ]
    return f'<tr role="row" data-reason="{name}">{head}{"".join(cells)}</tr>'


def _figures(summary: Summary, order: Sequence[int]) -> str:
    names = [summary.classes[label] for label in order]
    overall = summary.overall
    confusion = table_of(
        ["actual", *(f"decided {name}" for name in names), "right"],
        (
            [summary.classes[i], *(f"{overall.confusion[i][j]:,}" for j in order), _share(overall.recall(i))]
            for i in order
        ),
    )
    text = "<p class='muted'>If the model learned from these rows, it may do worse on new ones.</p>"
    if summary.subgroup is None:
        return confusion + text
    return f"{confusion}{text}<h3>By {escape(summary.subgroup)}</h3>{_groups(summary, order[0], names[0])}"


def _groups(summary: Summary, first: int, name: str) -> str:
    """Return the figures of each group, how often it is wrongly given the first class, and the four-fifths ratio."""
    spared = [1 - group.shares[first] for group in summary.subgroups]
    best = max(spared, default=0.0)
    ratios = [rate / best if best else None for rate in spared]
    others = listed([other for i, other in enumerate(summary.classes) if i != first], "or")
    wrongly = f"actually {others}, decided {name}"
    head = [summary.subgroup or "", "rows", "right", f"decided {others}", wrongly, "four-fifths ratio"]
    rows = [
        [*_group(group), f"{rate:.1%}", _share(group.refused(first)), "–" if ratio is None else f"{ratio:.2f}"]
        for group, rate, ratio in zip(summary.subgroups, spared, ratios)
    ]
    least = min((ratio for ratio in ratios if ratio is not None), default=None)
    said = "" if least is None else f" The least is {least:.2f}, {'below' if least < 0.8 else 'not below'} 0.8."
    return (
        f"{table_of(head, rows, kind='cards')}<p class='muted'>The four-fifths ratio divides a group's share decided "
        f"{escape(others)} by the highest share of any group.{said} Figures of small groups are uncertain.</p>"
    )


def _group(group: Measured) -> list[str]:
    low, high = group.interval
    return [group.name, f"{group.rows:,}", f"{group.accuracy:.1%} ({low:.0%} to {high:.0%})"]


def _roles(roles: Sequence[ColumnRole] | None) -> str:
    """Return the part of each column as a table; None if there are too many reasons to go through."""
    if roles is None:
        return "<p>There are too many reasons to say in which of them each column is.</p>"
    rows = (
        [role.column, f"{role.necessary:.1%}", f"{role.relevant:.1%}", "yes" if role.decides else "no, proved"]
        for role in roles
    )
    head = ["column", "needed for", "takes part in", "can change a decision alone"]
    return (
        "<p>A decision can have several reasons. A column is needed for a decision if every reason for it uses the "
        "column, and takes part if some reason does: shares are of the rows above. Whether it can change a decision "
        "alone, all other values staying as they are, is worked out over all values.</p>"
        + table_of(head, rows, kind="cards")
    )


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def decisions_of(report: ColumnsReport) -> str:
    """Return what was decided about the columns of the training table; that a file's numbers are text says nothing."""
    said = ColumnsReport(one for one in report if one.topic != "plain text").by_columns()
    if not said:
        return "<p>All columns of the training table were taken as they are.</p>"
    return table_of(["column", "what was found and done"], said)


def _optimal(summary: Summary) -> str:
    """Return that the model is optimal, as proved in training or as a model file says."""
    if summary.optimal is None:
        return ""
    if not summary.claimed:
        return f" Its training objective is least in the family {summary.optimal}."
    says = f" The model file says that its training objective is least in the family {summary.optimal};"
    return f"{says} that cannot be proved again without the training table."


def _size_section(choices: KChoices | None) -> str:
    """Return the picture of how many conditions a reason needs, as a section; nothing if that was not measured."""
    if choices is None:
        return ""
    head = '<section aria-labelledby="h-k">\n<h2 id="h-k">How many conditions a reason needs</h2>'
    text = (
        f"<p>Models with reasons of at most k conditions, each measured on rows it did not learn from, "
        f"{choices.folds} times. k = {choices.best} is the smallest that does about as well as any. The number above "
        "each point is how many conditions there are to read in all.</p>"
    )
    rows = zip(*([_figure(name, value) for value in values] for name, values in choices.columns().items()))
    table = table_of(list(choices.columns()), rows, kind="cards")
    return f'{head}\n{text}<div class="beside"><div class="chart">{choices.plot().svg}</div>{table}</div>\n</section>'


def _figure(name: str, value: object) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:.1f}" if name in ("reasons", "conditions") else f"{value:.1%}"


def _proof(summary: Summary) -> str:
    form = f"The model is {summary.family}.{_optimal(summary)}"
    most = f"{summary.k} condition{'s' * (summary.k != 1)}"
    return (
        "<p>Proved, for all values that the columns can have and not only for the rows above: no case gets two "
        f"decisions, none is left without one, and no reason has more than {most}. While the conditions of a reason "
        "hold, the decision is the same whatever all other values are.</p>"
        "<p>To prove it again from the model file alone:</p><pre>idnf verify model.json</pre>"
        f"<details><summary>The proof and the form of the model, for the expert</summary><p>{escape(summary.proof)}</p>"
        f"<p>{escape(form)}</p></details>"
    )
