"""Decisions that rest on one column alone, by month: a small feature of governance, written on the public API.

A reason of one column means that nothing else mattered. Whoever answers for decisions may want to know how often that
happens, by which column, and whether it becomes more frequent.
"""

from __future__ import annotations

import numpy as np

from idnf import DNFClassifier, count_reasons
from idnf.datasets.loans import loan_table
from idnf.reporting import Section, sections_to_html


def single_column_shares(clf: DNFClassifier, X: object, *, by: str) -> dict[str, dict[str, float]]:
    """Return for each column, by month, the share of decisions whose reason is a condition on it alone."""
    columns = {reason.id: reason.columns for reason in clf.reasons()}
    counted = count_reasons(clf, X, by=by, every="month")
    alone = [columns[reason][0] if len(columns[reason]) == 1 else None for reason in counted.reasons]
    months = list(zip(counted.periods, counted.counts, strict=True))
    return {
        name: {month: float(rows[[one == name for one in alone]].sum() / rows.sum()) for month, rows in months}
        for name in sorted({one for one in alone if one is not None})
    }


def as_section(shares: dict[str, dict[str, float]]) -> Section:
    """Return the shares as a section: Markdown, a page of its own, or a part of ``reporting.to_html``."""
    months = sorted({month for found in shares.values() for month in found})
    rows = [(month, *(f"{found[month]:.1%}" for found in shares.values())) for month in months]
    lines = {name: [found[month] for month in months] for name, found in shares.items()}
    section = Section("Decisions that rest on one column alone").table(("month", *shares), rows)
    return section.chart(lines, months, x="month", y="share of decisions") if lines else section


if __name__ == "__main__":
    loans = loan_table(1000)
    table, answers = loans.to_pandas(), np.where(loans.approved, "approved", "declined")
    clf = DNFClassifier(k=2, learner="greedy", tune=False).fit(table, answers)
    days = np.datetime64("2026-01-01") + np.arange(len(table)) % 365
    section = as_section(single_column_shares(clf, table.assign(decided=days), by="decided"))
    print(section.to_markdown())
    sections_to_html("Loans", [section], "single-columns.html")
