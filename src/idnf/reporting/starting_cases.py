"""The cases that a page starts from: rows of a table, or one that nobody is."""

from __future__ import annotations

from collections.abc import Sequence

from idnf.classifier.fitted import Fitted
from idnf.classifier.fitted_bands import ExaminedBands
from idnf.classifier.memory_source import ExaminedTable
from idnf.reporting.summary import Plain, case_names, cases, plain_value

MOST_ROWS = 48
"""Rows of a table that a page holds unless another number is asked for."""


def starting_rows(
    table: ExaminedTable | ExaminedBands, rows: Sequence[int], truths: Sequence[int]
) -> dict[str, object]:
    """Return rows of a table as the script of a page reads them: their values, names and true labels."""
    return {"cases": cases(table, rows), "names": case_names(table, rows), "truths": list(truths)}


def made_up_case(models: Sequence[Fitted]) -> dict[str, object]:
    """Return a case that no row need be, as the script of a page reads it: a value of the largest cell of each column.

    >>> from idnf import DNFClassifier
    >>> made_up_case([DNFClassifier.from_dnf("late | owner", classes=("no", "yes")).fitted_])["cases"]
    [{'late': False, 'owner': False}]
    """
    case: dict[str, Plain] = {}
    for fitted in models:
        for j in fitted.used:
            column, known = fitted.columns[j], fitted.explainer.values[j] if fitted.explainer.values else None
            shares = (1.0,) if known is None else known.shares[: len(column.known_labels)]
            cell = max(range(len(shares)), key=shares.__getitem__)
            case |= zip(column.sources, map(plain_value, column.example(cell)), strict=True)
    return {"cases": [case], "names": [], "truths": []}
