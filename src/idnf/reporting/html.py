"""The report: one self-contained page, filled from a summary."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import replace
from importlib.metadata import version
from importlib.resources import files
from os import PathLike
from string import Template

from numpy.typing import ArrayLike

from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.k_choices import KChoices
from idnf.classifier.way_in import examined_rows
from idnf.exporting.programs import script_json, to_javascript
from idnf.pictures.drawing import escape, model_svg
from idnf.reporting.model_card import ModelCard, making_sections
from idnf.reporting.summary import MOST_SHOWN, ColumnRole, Measured, Side, Summary, cases, column_roles, summarise
from idnf.tables.column_check import ColumnsReport
from idnf.tables.whole_files import write_whole

# Rows of the data from which the live case can start.
_MOST_CASES = 20

_PROPOSED = ", its reason and the cheapest change are"

_PARTS = (
    ("h-what-if", "Try a case"),
    ("h-picture", "Picture"),
    ("h-terms", "Words"),
    ("h-figures", "How often right"),
    ("h-k", "How many conditions"),
    ("h-reasons", "All reasons"),
    ("h-roles", "Columns"),
    ("h-proof", "Proof"),
    ("h-decisions", "What was done"),
    ("h-card", "How made"),
)

TITLE = "Decisions with reasons"

# Where a class stands in the page, in colours that do not mean good or bad; of many classes some share one.
_KIND = ("zero", "one", "two", "three", "four", "five", "six", "seven")


def to_html(  # noqa: PLR0913 - what a page says beside its model is a word each
    classifier: DNFClassifier,
    path: str | PathLike[str],
    X: object,
    y: ArrayLike,
    *,
    title: str = TITLE,
    subgroup: str | None = None,
    first: object = None,
    choices: KChoices | None = None,
) -> None:
    """Write a report on a classifier and how it does on some labelled rows.

    Parameters
    ----------
    classifier : DNFClassifier
    path : path
        Where to write; a file that is there stays as it was if anything fails.
    X : table or array of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
        The true labels.
    title : str
    subgroup : str, optional
        A column by whose values accuracy is broken down.
    first : label, optional
        The class to begin with; ``classes_[1]`` if not given.
    choices : KChoices, optional
        What :func:`idnf.choose_k` found, to be drawn; by default what the model file keeps of `idnf fit --k auto`.
    """
    if choices is not None:
        classifier = copy(classifier)
        classifier.fitted_ = replace(classifier.fitted_, choices=choices)
    table = examined_rows(classifier.fitted_, X)
    summary = summarise(classifier, table, y, subgroup=subgroup)
    write_whole(path, page(classifier, table, summary, title=title, first=first))


def to_svg(classifier: DNFClassifier) -> str:
    """Draw a fitted classifier: its matrix, its tree, or its terms over their columns.

    >>> to_svg(DNFClassifier.from_dnf("young & ~debt", classes=("no", "yes"))).startswith("<svg")
    True
    """
    return model_svg(classifier.fitted_.explainer)


def page(  # noqa: PLR0913 - what a page says beside its model is a word each
    classifier: DNFClassifier,
    X: object,
    summary: Summary,
    *,
    title: str = TITLE,
    first: object = None,
    rows: str = "the rows given to this report",
) -> str:
    """Return the report as text; the live case starts from rows of ``X``, which `rows` names."""
    table = examined_rows(classifier.fitted_, X)
    templates = files("idnf.reporting") / "templates"
    labels = classifier.classes_.tolist()
    begin = labels.index(first) if first is not None and first in labels else 1 if len(labels) == 2 else 0
    order = [begin, *(label for label in range(len(labels)) if label != begin)]
    return Template((templates / "report.html").read_text("utf-8")).substitute(
        title=escape(title),
        version=version("idnf"),
        css=(templates / "report.css").read_text("utf-8"),
        proposed=_PROPOSED if classifier.fitted_.explainer.proposes else " and its reason are",
        guarantee=_guarantee(summary, order),
        picture=to_svg(classifier),
        terms=_sides(summary, order, classifier.fitted_.explainer.reading.longest),
        figures=_figures(summary, order, rows),
        reasons=_reasons(summary),
        roles=_roles(None if summary.n_reasons is None else column_roles(classifier, table)),
        chosen=_chosen(classifier.fitted_.choices),
        contents=_contents(classifier.fitted_.choices is not None),
        proof=_proof(summary),
        decisions=_decisions(classifier.columns_report_),
        card=ModelCard("", tuple(making_sections(classifier))).to_html(),
        model=to_javascript(classifier),
        # As text that is parsed: in a literal, a column called __proto__ would be something else.
        cases=script_json(json.dumps(cases(table, _MOST_CASES))),
        script=(templates / "report.js").read_text("utf-8"),
    )


def _guarantee(summary: Summary, order: Sequence[int]) -> str:
    names = [f'<span class="{_kind(label)}">{escape(summary.classes[label])}</span>' for label in order]
    if summary.target is None:
        among = f"Decides between {', '.join(names[:-1])} and {names[-1]}."
    else:
        among = f"Decides whether {escape(summary.target)} is {', '.join(names[:-1])} or {names[-1]}."
    ways = "either way" if len(names) == 2 else "for every one of them"
    return (
        f"<p>{among} "
        f"<strong>Every decision, {ways}, has a reason of at most {summary.k} conditions</strong>: where they "
        f"hold, the decision is the same whatever all other values are.</p>{_columns(summary)}"
        "<p class='muted'>A reason says what the model looks at. It does not say that one thing causes another.</p>"
    )


def _contents(chosen: bool) -> str:
    """Return links to the parts of the page."""
    links = (f'<a href="#{place}">{name}</a>' for place, name in _PARTS if chosen or place != "h-k")
    return f'<nav aria-label="contents">{" ".join(links)}</nav>'


def _kind(label: int) -> str:
    return _KIND[label % len(_KIND)]


def _columns(summary: Summary) -> str:
    looked = ", ".join(summary.looks_at) or "nothing"
    ignored = f" It never looks at {', '.join(summary.ignores)}." if summary.ignores else ""
    return f"<p>It looks at {escape(looked)}.{escape(ignored)}</p>"


def _sides(summary: Summary, order: Sequence[int], last: int) -> str:
    """Return every class but the last as a list, that one as "otherwise" with its list folded away."""
    side, others = summary.sides[last], [label for label in order if label != last]
    listed = "".join(_side(summary.sides[label], label) for label in others)
    lines = sum(summary.sides[label].count or 0 for label in others)
    if not lines or side.count is None:
        return listed + _side(side, last)
    rule = f"one failed condition from {'the line' if lines == 1 else 'every line'} above"
    head = f'<h3 class="{_kind(last)}">{escape(side.label)}</h3>'
    folded = f"<details><summary>Written out: {side.count}</summary>{_list(side)}</details>"
    return f"{listed}{head}<p>otherwise; each of its reasons takes {rule}.</p>{folded}"


def _list(side: Side) -> str:
    shown = "" if len(side.lines) == side.count else f"<p>The {len(side.lines)} most used of {side.count}:</p>"
    items = "".join(f"<li>{escape(str(line))}</li>" for line in side.lines)
    return f'{shown}<ul class="terms">{items}</ul>'


def _side(side: Side, number: int) -> str:
    head = f'<h3 class="{_kind(number)}">{escape(side.label)}</h3>'
    if side.count is None:
        return head + "<p>In every other case; this side has too many terms to be written out.</p>"
    if not side.lines:
        return head + "<p>Never.</p>"
    return f"{head}<p>if one of these holds:</p>{_list(side)}"


def _figures(summary: Summary, order: Sequence[int], about: str) -> str:
    names = [summary.classes[label] for label in order]
    overall = summary.overall
    commoner = "commoner" if len(names) == 2 else "commonest"
    text = (
        f"<p>Right on <strong>{overall.accuracy:.1%}</strong> of {overall.rows:,} rows; always giving the {commoner} "
        f"label would be right on {overall.baseline:.1%}.</p>"
        f"<p class='muted'>These are {escape(about)}. Where the model learned from them, it may do worse "
        "on new ones.</p>"
    )
    confusion = _table(
        ["truly", *(f"given {name}" for name in names)],
        ([summary.classes[i], *(f"{overall.confusion[i][j]:,}" for j in order)] for i in order),
    )
    if summary.subgroup is None:
        return text + confusion
    head = [summary.subgroup, "rows", "right", f"{commoner} label right", f"given {names[0]}"]
    groups = (_group(group, order[0]) for group in summary.subgroups)
    return text + confusion + f"<h3>By {escape(summary.subgroup)}</h3>" + _table(head, groups)


def _group(group: Measured, first: int) -> list[str]:
    given = group.shares[first]
    return [group.name, f"{group.rows:,}", f"{group.accuracy:.1%}", f"{group.baseline:.1%}", f"{given:.1%}"]


def _reasons(summary: Summary) -> str:
    if summary.n_reasons is None:
        return "<p>There are too many to list them here; each single decision still gets its reason.</p>"
    shown = len(summary.reasons)
    some = f" The {MOST_SHOWN} most used are listed." if shown < summary.n_reasons else ""
    rows = (
        [
            reason.id,
            str(reason.label),
            str(reason),
            _share(reason.coverage),
            _share(reason.precision),
        ]
        for reason in summary.reasons
    )
    head = ["reason", "gives", "where", "rows it holds for", "of which right"]
    table = _table(head, rows, numbers_from=3, kind="cards")
    return f"<p>There are {summary.n_reasons}, fixed with the model.{some}</p>{table}"


def _roles(roles: Sequence[ColumnRole] | None) -> str:
    """Return the part of each column as a table; None where there are too many reasons to go through."""
    if roles is None:
        return "<p>There are too many reasons to say in which of them each column is.</p>"
    rows = (
        [
            role.column,
            f"{role.necessary:.1%}",
            f"{role.relevant:.1%}",
            f"{role.share:.1%}",
            "can" if role.decides else "never, proved",
        ]
        for role in roles
    )
    head = ["column", "in every reason of", "in some reason of", "mean share of reasons", "decides alone"]
    return (
        "<p>A decision can have several reasons. Shares are of the rows given to this report; whether a column alone "
        "can change a decision is over all values.</p>" + _table(head, rows, kind="cards")
    )


def _share(share: float | None) -> str:
    return "–" if share is None else f"{share:.1%}"


def _decisions(report: ColumnsReport) -> str:
    """Return what was decided about the columns of the training table; that a file's numbers are text says nothing."""
    said = [one for one in report if one.topic != "plain text"]
    if not said:
        return "<p>All columns of the training table were taken as they are.</p>"
    return _table(
        ["column", "what was found and done"], ([one.column or "labels", one.text] for one in said), numbers_from=2
    )


def _optimal(summary: Summary) -> str:
    """Return that the model is optimal, as proved in training or as a model file says."""
    if summary.optimal is None:
        return ""
    if not summary.claimed:
        return f" Its training objective is least in the family {summary.optimal}."
    says = f" The model file says that its training objective is least in the family {summary.optimal};"
    return f"{says} that cannot be proved again without the training table."


def _chosen(choices: KChoices | None) -> str:
    """Return the picture of how many conditions a reason needs, as a section; nothing where that was not measured."""
    if choices is None:
        return ""
    head = '<section aria-labelledby="h-k">\n<h2 id="h-k">How many conditions a reason needs</h2>'
    text = (
        f"<p>Models with reasons of at most k conditions, each measured on rows it did not learn from, "
        f"{choices.folds} times. k = {choices.best} is the smallest that does about as well as any. The number above "
        "each point is how many conditions there are to read in all.</p>"
    )
    rows = zip(*([_figure(name, value) for value in values] for name, values in choices.columns().items()))
    table = _table(list(choices.columns()), rows, kind="cards")
    return f'{head}\n{text}<div class="wide">{choices.to_svg()}</div>{table}\n</section>'


def _figure(name: str, value: object) -> str:
    if not isinstance(value, float):
        return str(value)
    return f"{value:.1f}" if name in ("reasons", "conditions") else f"{value:.1%}"


def _proof(summary: Summary) -> str:
    form = f"The model is {summary.family}.{_optimal(summary)}"
    return (
        f"<details><summary>Its form, for the expert</summary><p>{escape(form)}</p></details>"
        f"<p>{escape(summary.proof)}</p>"
        "<p>To prove it again from the model file alone:</p>"
        "<pre>idnf verify model.json</pre>"
        "<p class='muted'>Lines of different classes exclude each other, so no case gets two answers; together they "
        "leave no case out. A condition list is a reason because it contradicts every line of another class.</p>"
    )


def _table(head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers_from: int = 1, kind: str = "") -> str:
    """Return a table whose first columns are text and whose others are numbers; of kind "cards" it fits a phone."""
    kinds = ["" if i < numbers_from else ' class="n"' for i in range(len(head))]
    names = "".join(f'<th role="columnheader" scope="col"{k}>{escape(name)}</th>' for k, name in zip(kinds, head))
    # Rows shown as cards name each value; the roles keep the table one for those who hear it.
    starts = [f'<td role="cell" data-name="{escape(name)}"{k}>' for k, name in zip(kinds, head)]
    lines = ("".join(f"{start}{escape(text)}</td>" for start, text in zip(starts, row)) for row in rows)
    body = "".join(f'<tr role="row">{line}</tr>' for line in lines)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(head[0])}">'
        f'<table role="table" class="{kind}"><thead role="rowgroup"><tr role="row">{names}</tr></thead>'
        f'<tbody role="rowgroup">{body}</tbody></table></div>'
    )
