"""A small page about reasons over time."""

from __future__ import annotations

from os import PathLike

from idnf.auditing.stability import Stability
from idnf.reporting.plain_page import plain_page, table_html
from idnf.tables.whole_files import write_whole


def stability_to_html(found: Stability, path: str | PathLike[str]) -> None:
    """Write shares of reasons by period, their stability index, and shares of values never seen."""
    write_whole(path, plain_page("Reasons over time", stability_section(found)))


def stability_section(found: Stability) -> str:
    """Return the tables as HTML."""
    head = ["period", "rows", "index", *(f"not listed: {name}" for name in found.unlisted)]
    head += [f"out of range: {name}" for name in found.outside]
    rows = []
    for t, period in enumerate(found.periods):
        never = [*found.unlisted.values(), *found.outside.values()]
        shares = [f"{counts[t] / max(found.rows[t], 1):.1%}" for counts in never]
        rows.append([period, f"{found.rows[t]:,}", f"{found.totals[t]:.3f}", *shares])
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
        f"{found.reference_name}, half a row added to every count; that of a period is their sum. Below 0.1 is "
        "commonly read as stable, above 0.25 as a shift.</p>"
        f"{table_html(head, rows)}<h2>Reasons: share (index)</h2>"
        f"{table_html(['reason', 'where', found.reference_name, *found.periods], given)}"
    )
