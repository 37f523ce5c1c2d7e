"""An export is one function over tests: here, Python expressions over a row."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta

import pytest
from tests.exporting.cases import Case, random_case

from idnf import DNFClassifier
from idnf.columns.predicates import And, Compare, Field, IsMissing, OneOf, Or, Predicate, operand_fields
from idnf.exporting.rule_list import rules_of


def expression(test: Predicate) -> str:
    """Return a test as an expression over ``row``, in which missing values are None."""
    match test:
        case Compare(value, over, upto):
            ends = [f"> {over!r}"] * (over is not None) + [f"<= {upto!r}"] * (upto is not None)
            return f"({known(value)} and " + " and ".join(f"{total(value)} {end}" for end in ends) + ")"
        case OneOf(value, constants, negated):
            return f"({known(value)} and {total(value)} {'not in' if negated else 'in'} {constants!r})"
        case IsMissing(field, negated):
            return f"(row[{field.name!r}] is {'not ' if negated else ''}None)"
        case And(parts):
            return "(" + " and ".join(["True", *map(expression, parts)]) + ")"
        case Or(parts):
            return "(" + " or ".join(["False", *map(expression, parts)]) + ")"


def known(value: object) -> str:
    return " and ".join(f"row[{field.name!r}] is not None" for field in operand_fields(value))


def total(value: object) -> str:
    return "(" + " + ".join(f"row[{field.name!r}]" for field in operand_fields(value)) + ")"


def plain(field: Field, value: object) -> object:
    """Return a value of a row as tests of its field compare it."""
    if isinstance(value, timedelta):
        return value / timedelta(microseconds=1)
    if isinstance(value, date):
        moment = value if isinstance(value, datetime) else datetime(value.year, value.month, value.day)
        moment = moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
        days = field.kind == "date"
        since = moment - datetime(1970, 1, 1)
        return since / timedelta(microseconds=1) if not days else since // timedelta(days=1) * 86_400_000_000
    return None if isinstance(value, float) and math.isnan(value) else value


def labels(clf: DNFClassifier, case: Case) -> list[object]:
    rules = rules_of(clf)
    terms = [And(tuple(rules.columns[j].test(mask) for j, mask in term)) for term in rules.terms]
    chosen = [f"{label!r} if {expression(term)}" for term, label in zip(terms, rules.labels, strict=True)]
    program = compile(" else ".join([*chosen, repr(rules.otherwise)]), "model", "eval")
    fields = {field.name: field for j in rules.used for field in rules.columns[j].fields}
    rows = ({name: plain(field, row[name]) for name, field in fields.items()} for row in case.each())
    return [eval(program, {"row": row}) for row in rows]


@pytest.mark.parametrize("seed", range(8))
def test_a_new_target_predicts_as_the_classifier(seed: int) -> None:
    case = random_case(seed, 300)
    assert labels(case.clf, case) == case.labels
