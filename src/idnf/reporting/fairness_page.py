"""A page that shows the alternatives considered under a limit on the gap between groups."""

from __future__ import annotations

from os import PathLike

from idnf.auditing.fairness_report import FairnessReport
from idnf.classifier.estimator import DNFClassifier
from idnf.pictures.marks import escape
from idnf.reporting.plain_page import plain_page, table_html
from idnf.tables.whole_files import write_whole

_WIDTH, _HEIGHT, _MARGIN = 560, 300, 48


def alternatives_to_html(classifier: DNFClassifier, path: str | PathLike[str]) -> None:
    """Write the models considered when a classifier was fitted under ``fairness``: a curve, a table, what is proved."""
    write_whole(path, plain_page("Alternatives considered", alternatives_section(classifier.fairness_)))


def alternatives_section(report: FairnessReport) -> str:
    """Return the curve, the table and the proof as HTML."""
    asked = report.fairness
    head, *rows = report.cells()
    proof = "".join(f"<p>{escape(one)}</p>" for one in report.proofs)
    proof = proof or "<p>No bound is proved, so a better model may exist.</p>"
    return (
        f"<p>{escape(asked.metric.replace('_', ' ').capitalize())} by {escape(asked.column)}: the rates at which "
        f"groups are given {escape(str(report.label))} may differ by at most {asked.limit:.3g}. Every point is a model "
        f"whose every decision has a short reason. Figures are on the training rows.</p>"
        f"{_curve(report)}{table_html(head, rows)}{proof}"
    )


def _curve(report: FairnessReport) -> str:
    """Return gap against errors as a picture."""
    gaps = [one.gap for one in report.alternatives] + [report.fairness.limit]
    errors = [one.error for one in report.alternatives] + ([] if report.bound is None else [report.bound])
    widest, highest, lowest = max(gaps) or 1.0, max(errors) or 1.0, min(errors) * 0.95

    def place(gap: float, error: float) -> tuple[float, float]:
        across = _MARGIN + (_WIDTH - 2 * _MARGIN) * gap / widest
        down = _HEIGHT - _MARGIN - (_HEIGHT - 2 * _MARGIN) * (error - lowest) / ((highest - lowest) or 1)
        return across, down

    dots = []
    for number, one in enumerate(report.alternatives):
        across, down = place(one.gap, one.error)
        fill = "currentColor" if number == report.chosen else "none"
        title = f"<title>model {number + 1}: gap {one.gap:.3f}, errors {one.error:.2%}</title>"
        dots.append(
            f'<circle cx="{across:.1f}" cy="{down:.1f}" r="5" stroke="currentColor" fill="{fill}">{title}</circle>'
        )
    limit = place(report.fairness.limit, lowest)[0]
    lines = [
        f'<line x1="{limit:.1f}" y1="{_MARGIN}" x2="{limit:.1f}" y2="{_HEIGHT - _MARGIN}" '
        'stroke="currentColor" stroke-dasharray="4"/>'
        f'<text x="{limit + 4:.1f}" y="{_MARGIN + 10}">limit</text>'
    ]
    if report.bound is not None:
        down = place(0, report.bound)[1]
        lines.append(
            f'<line x1="{_MARGIN}" y1="{down:.1f}" x2="{limit:.1f}" y2="{down:.1f}" stroke="currentColor"/>'
            f'<text x="{_MARGIN}" y="{down + 14:.1f}">proved bound</text>'
        )
    axes = (
        f'<text x="{_WIDTH // 2}" y="{_HEIGHT - 10}" text-anchor="middle">gap, 0 to {widest:.3f}</text>'
        f'<text x="12" y="{_HEIGHT // 2}" text-anchor="middle" transform="rotate(-90 12 {_HEIGHT // 2})">'
        f"errors, {lowest:.1%} to {highest:.1%}</text>"
    )
    inside = "".join(lines) + "".join(dots) + axes
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img" font-size="12" fill="currentColor" '
        f'aria-label="errors against the gap between groups">{inside}</svg>'
    )
