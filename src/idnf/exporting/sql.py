"""A model as SQL: a CASE expression, or a query over a table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from idnf.classifier.bands import single_classifier
from idnf.classifier.fitted import AnyClassifier
from idnf.explaining.score_table import ScoreTable
from idnf.exporting.notices import Notice, checked_count, notice_of
from idnf.exporting.rule_list import Conditions, Rules, conditions_of, reasons_of, rules_of, scores_of
from idnf.exporting.sql_conditions import (
    Dialect,
    checked_dialect,
    comment_sql,
    condition_sql,
    double_sql,
    folded,
    label_sql,
    name_sql,
    refusals_sql,
    refuse_folded,
    text_sql,
)
from idnf.logic.boxes import Box

_BITS = 30
"""Conditions whose truths make one number, which every engine keeps exact."""


def notice_sql(
    notice: Notice, count: int, holds: Callable[[Conditions], str], dialect: Dialect, refused: str
) -> dict[str, str]:
    """Return an expression for each place of the list of principal reasons; NULL if a row has fewer or is refused.

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
    # Outside the query, whose own names n0, n1, ... columns may have too.
    before, after = (f"CASE WHEN {refused} THEN NULL ELSE ", " END") if refused else ("", "")
    return {
        f"principal_reason_{place}": f"{before}(SELECT CASE {_rules_by_place(codes, place)} END FROM {counted}){after}"
        for place in range(1, count + 1)
    }


def _counts(notice: Notice, holds: Callable[[Conditions], str]) -> str:
    """Return a table of one row with what each factor weighs: n0, n1, ..."""

    def either(boxes: Sequence[Conditions]) -> str:
        return _flag(" OR ".join(f"({holds(box) or '1 = 1'})" for box in boxes))

    met = [f"{either(boxes)} AS g{i}" for i, boxes in enumerate(notice.boxes)]
    near = {(f, i): one for f, several in enumerate(notice.nearly) for i, one in enumerate(several)}
    met += [f"{either(boxes)} AS t{f}_{i}" for (f, i), (_, boxes) in near.items()]
    least = [
        f"{_flag(' AND '.join([f'g{i} = 1', *(f'g{j} = 0' for j in smaller)]))} AS a{i}"
        for i, smaller in enumerate(notice.smaller)
    ]
    least += [
        f"{' + '.join(f'g{i}' for i in notice.of_class(label))} AS c{label}" for label in sorted({*notice.classes})
    ]
    least += [f"t{f}_{i}" for f, i in near]
    totals = []
    for factor, sets in enumerate(notice.weights):
        turned = " OR ".join(f"t{factor}_{i} = 1 AND c{one[0]} = 0" for i, one in enumerate(notice.nearly[factor]))
        reasons = " + ".join(f"a{i}" for i in sets) or "0"
        totals.append(f"{reasons}{f' + {_flag(turned)}' if turned else ''} AS n{factor}")
    inner = f"(SELECT {', '.join(met)}) AS met"
    middle = f"(SELECT {', '.join(least)} FROM {inner}) AS least"
    return f"(SELECT {', '.join(totals)} FROM {middle}) AS totals"


def _flag(condition: str) -> str:
    return f"CASE WHEN {condition} THEN 1 ELSE 0 END"


def _rules_by_place(codes: Sequence[str], place: int) -> str:
    """Return the rules of a CASE that gives the code of the factor at a place of the ranking."""
    rules = []
    for j, code in enumerate(codes):
        ahead = [_flag(f"n{i} {'>=' if i < j else '>'} n{j}") for i in range(len(codes)) if i != j]
        rank = " + ".join([*ahead, "1"])
        rules.append(f"WHEN n{j} > 0 AND {rank} = {place} THEN {code}")
    return " ".join(rules)


def to_sql(
    clf: AnyClassifier,
    *,
    dialect: str = "postgres",
    table: str | None = None,
    reasons: bool = False,
    probability: bool = False,
    principal: int = 0,
) -> str:
    """Return a model as SQL that names the columns of the table it was trained on, after its text as a comment.

    Of bands the result is the number of the band. Where the model would refuse a row (a missing value in a column that
    had none in training, infinity, a category that was not declared), the result is NULL.

    Parameters
    ----------
    clf : DNFClassifier or DNFBands
    dialect : {"postgres", "duckdb", "sqlite"}
    table : str, optional
        The table to be queried, for a whole query; without it the result is an expression to be used in one. Where a
        column of the training table is called ``prediction``, the new one is called ``idnf prediction``, and so on.
    reasons : bool
        Whether to give the reason of each decision as well: the query has a second new column, the expression becomes
        two with the names ``prediction`` and ``reason``. Of bands there are ``band``, ``at_least`` and ``below``; a
        band at an end has one of these reasons.
    probability : bool
        Whether to give the share of the second of two labels as well, as ``predict_proba`` has it. For classifiers.
    principal : int, default=0
        How many principal reasons to give as well, by their codes: ``principal_reason_1`` and so on. For classifiers.

    Examples
    --------
    >>> from idnf import DNFClassifier
    >>> policy = DNFClassifier.from_dnf("~'income <= 35' | guarantor", columns={"income": [35], "guarantor": bool},
    ...                                 classes=("declined", "approved"))
    >>> print(to_sql(policy, dialect="sqlite", table="loans"))
    -- Every decision has a reason of at most 2 conditions.
    --
    -- declined if
    --      income <= 35 and guarantor is false  [a1]
    --
    -- approved otherwise. There are 2 ways to get this answer, each failing at least one condition in the line above.
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
    known, fitted = checked_dialect(dialect), clf.fitted_
    rules = rules_of(clf)
    refused = _refused_sql(clf, rules.used, known)
    expressions = {fitted.decision: _decision_sql(rules, known, refused)}
    if reasons:
        expressions |= {
            claim.replace(" ", "_"): _reason_sql(given, rules, known, refused)
            for claim, given in reasons_of(clf).items()
        }
    if probability:
        scores = scores_of(single_classifier(clf, "probability"))
        expressions["probability"] = _share_sql(scores, rules, known, refused)
    if checked_count(principal):
        notice = notice_of(single_classifier(clf, "principal"))
        expressions |= notice_sql(notice, principal, lambda box: _term(box, rules, known), known, refused)
    said = comment_sql(fitted.to_text())
    if table is None and len(expressions) == 1:
        return f"{said}\n{expressions[fitted.decision]}"
    return f"{said}\n{_query_sql(expressions, (*clf.binariser_.input_names, fitted.target or ''), table, known)}"


def _refused_sql(clf: AnyClassifier, used: Iterable[int], dialect: Dialect) -> str:
    """Return when a row is refused for its values in some columns; nothing for never."""
    columns = [clf.binariser_.columns_[j] for j in used]
    refuse_folded([source for column in columns for source in column.sources], clf.binariser_.input_names, dialect)
    return " OR ".join(test for column in columns for test in refusals_sql(column, dialect))


def _decision_sql(rules: Rules, dialect: Dialect, refused: str) -> str:
    """Return the label or the band of a row."""
    pairs = zip(rules.terms, rules.labels, strict=True)
    given = [(_term(term, rules, dialect), label_sql(label, dialect)) for term, label in pairs]
    return _case(given, refused, label_sql(rules.otherwise, dialect))


def _reason_sql(reasons: Iterable[tuple[Conditions, str]], rules: Rules, dialect: Dialect, refused: str) -> str:
    """Return the conditions of a row's reason."""
    given = [(_term(held, rules, dialect), text_sql(words, dialect)) for held, words in reasons]
    return _case(given, refused, None)


def _share_sql(table: ScoreTable, rules: Rules, dialect: Dialect, refused: str) -> str:
    """Return the share of the second of two labels by the reasons that hold for a row."""
    sides = table.sets.sides

    def written(box: Box) -> str:
        return _term(conditions_of(sides, sides.frame.expand(box)), rules, dialect)

    holds = [written(box) for _, box in table.sets.reasons]
    otherwise = [double_sql(share, dialect) for share in table.otherwise]
    listed = [(held, double_sql(share, dialect)) for held, share in table.listed]
    if not listed or not table.exact:
        within = [(written(table.box(held)), share) for held, share in listed]
        return _case([*within, *zip(holds, otherwise, strict=True)], refused, None)
    if holds == [""]:
        return _case([("", listed[0][1])], refused, None)
    # Which reasons hold are the bits of some numbers, which a query of its own gives names.
    parts = [holds[start : start + _BITS] for start in range(0, len(holds), _BITS)]
    names = [name_sql(f"idnf held {part}", dialect) for part in range(len(parts))]
    sums = [" + ".join(f"{_flag(test)} * {1 << bit}" for bit, test in enumerate(part)) for part in parts]
    first, met = name_sql("idnf reason", dialect), name_sql("idnf met", dialect)
    given = _case([(test, str(place)) for place, test in enumerate(holds)], "", None)
    selected = ", ".join(f"{value} AS {name}" for value, name in zip([*sums, given], [*names, first], strict=True))
    shares = [(_equals(names, held), share) for held, share in listed]
    shares += [(f"{first} = {place}", share) for place, share in enumerate(otherwise)]
    query = f"(SELECT {_case(shares, '', None)} FROM (SELECT {selected}) AS {met})"
    return f"CASE WHEN {refused} THEN NULL ELSE {query} END" if refused else query


def _equals(codes: Sequence[str], held: Sequence[int]) -> str:
    """Return the condition that the reasons that hold are some of them and no others."""
    values = [sum(1 << place % _BITS for place in held if place // _BITS == part) for part in range(len(codes))]
    return " AND ".join(f"{name} = {value}" for name, value in zip(codes, values, strict=True))


def _query_sql(expressions: Mapping[str, str], known: Iterable[str], table: str | None, dialect: Dialect) -> str:
    """Return expressions under names that a table has not, or a query that adds them to it."""
    taken = {folded(name, dialect) for name in known}
    named = ((name_sql(_free(name, taken, dialect), dialect), case) for name, case in expressions.items())
    items = ",\n".join(f"{case} AS {name}" for name, case in named)
    if table is None:
        return items
    # The name of a table may have a schema before a dot.
    return f"SELECT *,\n{items}\nFROM {'.'.join(name_sql(part, dialect) for part in table.split('.'))}"


def _free(name: str, taken: Collection[str], dialect: Dialect) -> str:
    while folded(name, dialect) in taken:
        name = f"idnf {name}"
    return name


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
