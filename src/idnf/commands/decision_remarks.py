"""What was decided about the columns of a table, in remarks that name the options to override it."""

from __future__ import annotations

from collections.abc import Sequence

from idnf.tables.column_check import ColumnDecision, ColumnsReport, shell_word

_FEW = 5
"""Columns that a remark about many names, and gives the remedy for."""

_SETTINGS = {
    "decimal": "--read decimal={}",
    "missing_values": "--read missing={}",
    "merge_spellings": "--merge-spellings",
    "class_weight": "--class-weight {}",
    "favourable": "--favourable {}",
}
"""The options of parameters that override a decision about a table."""


def decision_remark(alike: Sequence[ColumnDecision]) -> str:
    """Return decisions that say the same about several columns as one line, with the options that override them.

    >>> decision_remark([ColumnDecision("id", "identifier", "a running number, left out", "keep")])
    'id: a running number, left out (--as id=keep)'
    >>> print(decision_remark([ColumnDecision(f"c{n}", "text", "with commas", "category") for n in range(49)]))
    c0, c1, c2, c3, c4 and 44 more: with commas (--as c0=category, and so on)
    """
    first, names = alike[0], [one.column for one in alike if one.column is not None]
    more = len(names) - _FEW
    listed = ", ".join(names[:_FEW]) + (f" and {more} more" if more > 0 else "")
    remedies = [_SETTINGS[first.parameter].format(first.value)] if first.parameter else []
    if first.otherwise == "ignore" and names:
        words = names if any("," in name for name in names) else [",".join(names)]
        remedies.append(" ".join(f"--ignore {shell_word(word)}" for word in words))
    elif first.otherwise and names:
        words = names if more <= 0 else names[:1]
        options = " ".join(f"--as {shell_word(f'{name}={first.otherwise}')}" for name in words)
        remedies.append(f"{options}, and so on" if more > 0 else options)
    line = f"{listed}: {first.text}" if names else first.text
    return f"{line} ({' or '.join(remedies)})" if remedies else line


def report_remarks(report: ColumnsReport) -> str:
    """Return all decisions about a table, a line each."""
    return "\n".join(map(decision_remark, report.grouped()))
