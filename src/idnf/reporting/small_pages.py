"""Small self-contained pages: reasons over time, and the alternatives considered under a limit on the gap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import version
from os import PathLike

from idnf.auditing.fairness_report import FairnessReport
from idnf.auditing.stability import Stability
from idnf.classifier.estimator import DNFClassifier
from idnf.pictures.marks import escape
from idnf.tables.whole_files import write_whole

_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color-scheme:light dark}"
    "table{border-collapse:collapse}th,td{padding:.25rem .75rem;text-align:left;border-bottom:1px solid #8888}"
    "svg{max-width:100%}div{overflow-x:auto}"
)

_WIDTH, _HEIGHT, _MARGIN = 560, 300, 48


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


def stability_to_html(found: Stability, path: str | PathLike[str]) -> None:
    """Write shares of reasons by period, their stability index, and shares of values never seen."""
    write_whole(path, plain_page("Reasons over time", stability_section(found)))


def stability_section(found: Stability) -> str:
    """Return the tables as HTML."""
    head = ["period", "rows", "index", "by chance", *(f"not listed: {name}" for name in found.unlisted)]
    head += [f"out of range: {name}" for name in found.outside]
    rows = []
    for t, period in enumerate(found.periods):
        never = [*found.unlisted.values(), *found.outside.values()]
        shares = [f"{counts[t] / max(found.rows[t], 1):.1%}" for counts in never]
        rows.append([period, f"{found.rows[t]:,}", f"{found.totals[t]:.3f}", _by_chance(found, t), *shares])
    total = max(float(found.reference.sum()), 1e-300)
    given = [
        [
            reason,
            found.words.get(reason, ""),
            f"{found.reference[r] / total:.1%}",
            *(f"{found.shares[t, r]:.1%} ({found.index[t, r]:.3f})" for t in range(len(found.periods))),
        ]
        for r, reason in enumerate(found.reasons)
    ]
    return (
        "<p>The index of a reason is (p - q) ln(p / q), p its share in the period and q in "
        f"{found.reference_name}, half a row added to every count; that of a period is their sum. On few rows "
        "it is large by chance: beside it stand what chance gives on the average if nothing shifts, and what it "
        "exceeds in one period of twenty. On many rows, below 0.1 is commonly read as stable, above 0.25 as a "
        "shift.</p>"
        f"{table_html(head, rows)}<h2>Reasons: share (index)</h2>"
        f"{table_html(['reason', 'where', found.reference_name, *found.periods], given)}"
    )


def _by_chance(found: Stability, period: int) -> str:
    beyond = " (exceeded)" if found.totals[period] > found.limits[period] else ""
    return f"{found.expected[period]:.3f}, up to {found.limits[period]:.3f}{beyond}"


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
