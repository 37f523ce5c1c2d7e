"""The models considered under a limit on the gap between groups, as a page: what was found, a curve, what is proved."""

from __future__ import annotations

from os import PathLike

from idnf.atomic_files import write_atomically
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fairness_report import FairnessReport
from idnf.explaining.wording import label_words
from idnf.pictures.chart import Series, chart_svg, round_ticks
from idnf.pictures.drawing import escape
from idnf.reporting.page_frame import plain_page
from idnf.reporting.page_tables import table_of


def alternatives_to_html(classifier: DNFClassifier, path: str | PathLike[str]) -> None:
    """Write the models considered when a classifier was fitted under ``fairness``: a curve, a table, what is proved."""
    write_atomically(path, plain_page("Alternatives considered", alternatives_section(classifier.fairness_)))


def alternatives_section(report: FairnessReport) -> str:
    """Return what was found, the curve, the table and the proof as HTML."""
    asked = report.fairness
    head, *rows = report.cells()
    found = "".join(f"<p>{escape(one)}</p>" for one in report.findings)
    proof = "".join(f"<p>{escape(one)}</p>" for one in report.proofs)
    proof = proof or "<p>No bound is proved, so a better model may exist.</p>"
    return (
        f"{found}{proof}<h2>All models considered</h2>"
        f'<p class="muted">{escape(asked.metric.replace("_", " ").capitalize())} by {escape(asked.column)}: the rates '
        f"at which groups are given {escape(label_words(report.label))} may differ by at most {asked.limit:.1%}. Every "
        f"point is a model whose every decision has a short reason. Figures are on the training rows.</p>"
        f'<div class="beside"><div class="chart">{_curve(report)}</div>{table_of(head, rows)}</div>'
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
