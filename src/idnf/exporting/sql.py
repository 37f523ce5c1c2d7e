"""A classifier as SQL: a CASE expression, or a query over a table."""

from __future__ import annotations

from collections.abc import Iterable

from idnf.classifier.estimator import DNFClassifier
from idnf.exporting.notice_sql import notice_sql
from idnf.exporting.notices import checked_count, notice_of
from idnf.exporting.rule_list import Conditions, Rules, reasons_of, rules_of
from idnf.exporting.sql_conditions import condition_sql, refusals_sql
from idnf.exporting.sql_text import Dialect, checked_dialect, label_sql, name_sql, text_sql


def to_sql(
    clf: DNFClassifier,
    *,
    dialect: str = "postgres",
    table: str | None = None,
    reasons: bool = False,
    principal: int = 0,
) -> str:
    """Return a classifier as SQL that names the columns of the table it was trained on.

    Where the classifier would refuse a row (a missing value in a column that had none in training, infinity, a category
    that was not declared), the result is NULL.

    Parameters
    ----------
    clf : DNFClassifier
    dialect : {"postgres", "duckdb", "sqlite"}
    table : str, optional
        The table to be queried, for a whole query; without it the result is an expression to be used in one.
    reasons : bool
        Whether to give the reason of each decision as well: the query has a second new column, the expression becomes
        two with the names ``prediction`` and ``reason``.
    principal : int, default=0
        How many principal reasons to give as well, by their codes: ``principal_reason_1`` and so on.

    Examples
    --------
    >>> policy = DNFClassifier.from_dnf("~'income <= 35' | guarantor", columns={"income": [35], "guarantor": bool},
    ...                                 classes=("declined", "approved"))
    >>> print(to_sql(policy, dialect="sqlite", table="loans"))
    SELECT *,
    CASE
      WHEN CAST(`income` AS NUMERIC) <> `income` OR abs(CAST(`income` AS REAL)) = 9e999
        OR CAST(`income` AS REAL) IS NULL OR CAST(`guarantor` AS NUMERIC) <> `guarantor`
        OR CAST(`guarantor` AS REAL) IS NULL OR CAST(`guarantor` AS REAL) NOT IN (0, 1) THEN NULL
      WHEN CAST(`income` AS REAL) <= 35.0 AND CAST(`guarantor` AS REAL) = 0 THEN 'declined'
      ELSE 'approved'
    END AS `prediction`
    FROM `loans`
    """
    known = checked_dialect(dialect)
    rules = rules_of(clf)
    refused = " OR ".join(test for j in rules.used for test in refusals_sql(rules.columns[j], known))
    given = [
        (_term(term, rules, known), label_sql(label, known))
        for term, label in zip(rules.terms, rules.labels, strict=True)
    ]
    expressions = {"prediction": _case(given, refused, label_sql(rules.otherwise, known))}
    if reasons:
        given = [(_term(rule.conditions, rules, known), text_sql(rule.words, known)) for rule in reasons_of(clf)]
        expressions["reason"] = _case(given, refused, None)
    if checked_count(principal):
        notice = notice_of(clf)
        expressions |= notice_sql(notice, principal, lambda box: _term(box, rules, known), known, refused)
    if table is None and len(expressions) == 1:
        return expressions["prediction"]
    items = ",\n".join(f"{case} AS {name_sql(name, known)}" for name, case in expressions.items())
    return items if table is None else f"SELECT *,\n{items}\nFROM {_table_sql(table, known)}"


def _term(term: Conditions, rules: Rules, dialect: Dialect) -> str:
    return " AND ".join(condition_sql(rules.columns[j].test(mask), dialect) for j, mask in term)


def _case(rules: Iterable[tuple[str, str]], refused: str, otherwise: str | None) -> str:
    """Return a CASE whose rules are tried in order; one that always holds ends it.

    Rules stand side by side, not joined by OR, since engines bound the depth of an expression.
    """
    lines = [f"  WHEN {refused} THEN NULL"] if refused else []
    for condition, result in rules:
        if not condition:
            otherwise = result
            break
        lines.append(f"  WHEN {condition} THEN {result}")
    if not lines:
        return otherwise or "NULL"
    last = "" if otherwise is None else f"\n  ELSE {otherwise}"
    return "CASE\n" + "\n".join(lines) + last + "\nEND"


def _table_sql(table: str, dialect: Dialect) -> str:
    """Return the name of a table, which may have a schema before a dot."""
    return ".".join(name_sql(part, dialect) for part in table.split("."))
