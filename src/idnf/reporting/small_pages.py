"""Small self-contained pages: reasons over time, and the alternatives considered under a limit on the gap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import version
from os import PathLike

from idnf.auditing.fairness_report import FairnessReport
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.monitoring import Stability
from idnf.pictures.chart import Series, chart_svg, round_ticks
from idnf.pictures.drawing import escape
from idnf.tables.whole_files import write_whole

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


def stability_to_html(found: Stability, path: str | PathLike[str]) -> None:
    """Write shares of reasons by period, their stability index, and shares of values never seen."""
    write_whole(path, plain_page("Reasons over time", stability_section(found)))


def stability_section(found: Stability) -> str:
    """Return the shift of each period as a picture, and the tables, as HTML."""
    head = ["period", "rows", "shift", "more than chance?", *(f"new values of {name}" for name in found.unlisted)]
    head += [f"{name} out of range" for name in found.outside]
    rows = []
    for t, period in enumerate(found.periods):
        never = [*found.unlisted.values(), *found.outside.values()]
        shares = [f"{counts[t] / max(found.rows[t], 1):.1%}" for counts in never]
        beyond = "yes" if found.totals[t] > found.limits[t] else "no"
        chance = f"{beyond} (chance: up to {found.limits[t]:.3f})"
        rows.append([period, f"{found.rows[t]:,}", f"{found.totals[t]:.3f}", chance, *shares])
    total = max(float(found.reference.sum()), 1e-300)
    given = [
        [
            reason,
            found.words.get(reason, "").replace("<=", "≤").replace(">=", "≥"),
            f"{found.reference[r] / total:.1%}",
            *(f"{found.shares[t, r]:.1%}" for t in range(len(found.periods))),
        ]
        for r, reason in enumerate(found.reasons)
    ]
    named, then = found.named, escape(found.reference_name)
    head_given = [named, "which means" if named == "band" else "if", found.reference_name, *found.periods]
    return (
        f"<p>How far the {named}s given in each period have moved from {then}. The shift is the population stability "
        f"index: the sum over all {named}s of (p - q) ln(p / q), p the share of a {named} in the period and q in "
        f"{then}, half a row added to every count. On few rows it is large by chance: the dashed line is what chance "
        "alone exceeds in one period of twenty. On many rows, below 0.1 is commonly read as stable, above 0.25 as a "
        "shift.</p>"
        f"{_shifts(found)}{table_html(head, rows)}<h2>How often each {named} was given</h2>"
        f"{table_html(head_given, given)}"
    )


def _shifts(found: Stability) -> str:
    """Return the index of each period, and what chance gives, as a picture."""
    places = range(len(found.periods))
    most = max([0.25, *found.totals.tolist(), *found.limits.tolist()])
    shift = Series(
        f"shift of the {found.named}s given", tuple((t, found.totals[t]) for t in places), dotted=True, ours=True
    )
    chance = Series("exceeded by chance in one period of twenty", tuple((t, found.limits[t]) for t in places))
    every = max(1, -(-len(places) // 8))
    across = [(-0.5, ""), *((t, found.periods[t]) for t in places[::every]), (len(places) - 0.5, "")]
    return chart_svg([shift, chance], across, round_ticks(0, most, percent=False), x="period", y="shift")


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
