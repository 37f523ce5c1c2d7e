"""Principal reasons as SQL: for each place of the list a subquery over counts of reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from idnf.exporting.notices import Notice
from idnf.exporting.rule_list import Conditions
from idnf.exporting.sql_text import Dialect, text_sql


def notice_sql(
    notice: Notice, count: int, holds: Callable[[Conditions], str], dialect: Dialect, refused: str
) -> dict[str, str]:
    """Return an expression for each place of the list of principal reasons; NULL where a row has fewer or is refused.

    Parameters
    ----------
    notice : Notice
    count : int
        The places.
    holds : callable
        Writes the condition that a box holds a row.
    dialect : Dialect
    refused : str
        When the classifier would refuse a row; nothing for never.
    """
    if not notice.boxes:
        return {f"principal_reason_{place}": "NULL" for place in range(1, count + 1)}
    counted = _counts(notice, holds)
    codes = [text_sql(code, dialect) for code in notice.codes]
    known = f"WHEN {refused} THEN NULL " if refused else ""
    return {
        f"principal_reason_{place}": f"(SELECT CASE {known}{_chosen(codes, place)} END FROM {counted})"
        for place in range(1, count + 1)
    }


def _counts(notice: Notice, holds: Callable[[Conditions], str]) -> str:
    """Return a table of one row with the number of reasons that each factor is in: n0, n1, ..."""
    met = [f"{_flag(_some([holds(box) for box in boxes]))} AS g{i}" for i, boxes in enumerate(notice.boxes)]
    least = [
        f"{_flag(' AND '.join([f'g{i} = 1', *(f'g{j} = 0' for j in smaller)]))} AS a{i}"
        for i, smaller in enumerate(notice.smaller)
    ]
    totals = [f"{' + '.join(f'a{i}' for i in sets) or '0'} AS n{factor}" for factor, sets in enumerate(notice.weights)]
    inner = f"(SELECT {', '.join(met)}) AS met"
    middle = f"(SELECT {', '.join(least)} FROM {inner}) AS least"
    return f"(SELECT {', '.join(totals)} FROM {middle}) AS totals"


def _flag(condition: str) -> str:
    return f"CASE WHEN {condition} THEN 1 ELSE 0 END"


def _some(conditions: Sequence[str]) -> str:
    return " OR ".join(f"({condition})" for condition in conditions)


def _chosen(codes: Sequence[str], place: int) -> str:
    """Return the rules of a CASE that gives the code of the factor at a place of the ranking."""
    rules = []
    for j, code in enumerate(codes):
        ahead = [_flag(f"n{i} {'>=' if i < j else '>'} n{j}") for i in range(len(codes)) if i != j]
        rank = " + ".join([*ahead, "1"])
        rules.append(f"WHEN n{j} > 0 AND {rank} = {place} THEN {code}")
    return " ".join(rules)
