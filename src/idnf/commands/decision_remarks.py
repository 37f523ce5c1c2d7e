"""What was decided about the columns of a table, in remarks that name the options to override it."""

from __future__ import annotations

from collections.abc import Sequence

from idnf.tables.column_check import ColumnDecision, ColumnsReport, shell_word

_FEW = 5
"""Columns that a remark names one by one."""

_SETTINGS = {
    "decimal": "--read decimal={}",
    "missing_values": "--read missing={}",
    "merge_spellings": "--merge-spellings",
    "class_weight": "--class-weight {}",
    "favourable": "--favourable {}",
}
"""The options of parameters that override a decision about a table."""


def decision_remark(alike: Sequence[ColumnDecision], *, verbose: bool = False) -> str:
    """Return decisions of one kind as one line, with the options that override them.

    A few columns about which the same is said are named, of others how many there are, with an example.

    >>> decision_remark([ColumnDecision("id", "identifier", "a running number, left out", "keep")])
    'id: a running number, left out (--as id=keep)'
    >>> many = [ColumnDecision(f"c{n}", "text", f"'.' ({n} rows) is missing", "category") for n in range(49)]
    >>> print(decision_remark(many))
    49 columns, such as c0: '.' (0 rows) is missing (--as c0=category, and so on)
    """
    first, names = alike[0], [one.column for one in alike if one.column is not None]
    if not names or verbose or (len(names) <= _FEW and len({(one.text, one.value) for one in alike}) == 1):
        shown = names
    else:
        shown = names[:1]
    ending = ", and so on" if len(shown) < len(names) else ""
    remedies = _options(first, shown, ending)
    named = f"{len(names)} columns, such as {names[0]}" if ending else ", ".join(names)
    line = f"{named}: {first.words(len(names))}" if names else first.text
    return f"{line} ({' or '.join(remedies)})" if remedies else line


def _options(first: ColumnDecision, names: Sequence[str], ending: str) -> list[str]:
    """Return the options that override a decision about some columns, those that name columns with an ending."""
    options = [_SETTINGS[first.parameter].format(first.value)] if first.parameter else []
    if first.otherwise == "ignore" and names:
        words = names if any("," in name for name in names) else [",".join(names)]
        options.append(" ".join(f"--ignore {shell_word(word)}" for word in words) + ending)
    elif first.otherwise and names:
        options.append(" ".join(f"--as {shell_word(f'{name}={first.otherwise}')}" for name in names) + ending)
    return options


def report_remarks(report: ColumnsReport, *, verbose: bool = False) -> list[str]:
    """Return the decisions about a table, a line for each kind of them, or for each of them.

    >>> report = ColumnsReport([ColumnDecision(name, "constant", "always 1") for name in "abcdef"])
    >>> report_remarks(report)
    ['6 columns, such as a: always 1', '--verbose names every column']
    >>> report_remarks(report, verbose=True)
    ['a, b, c, d, e, f: always 1']
    """
    if verbose:
        return [decision_remark(alike, verbose=True) for alike in report.grouped()]
    kinds = report.kinds()
    lines = [decision_remark(alike) for alike in kinds]
    whole = (decision_remark(alike, verbose=True) for alike in kinds)
    short = any(line != full for line, full in zip(lines, whole))
    return [*lines, "--verbose names every column"] if short else lines
