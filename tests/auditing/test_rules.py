"""Conditions and rules, row by row."""

from __future__ import annotations

import operator
from datetime import date

import pandas as pd
import pytest
from tests.auditing import naive_tables as naive
from tests.auditing.naive_audits import holds
from tests.strategies import seeds

from idnf.auditing.conditions import (
    All,
    ColumnTest,
    ConditionError,
    Not,
    Some,
    column_tests,
    columns_needed,
    condition_boxes,
    parse_condition,
)
from idnf.auditing.rules import RegionRule, check_rules_of, read_rule
from idnf.auditing.table_models import TableModel
from idnf.columns.categories import BooleanColumn, CategoryColumn
from idnf.columns.intervals import NumberColumn
from idnf.columns.refinement import common_ground
from idnf.proving.independent_check import CheckError

COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq}
RANK = ["small", "medium", "large"]


def is_met(condition, row):
    if isinstance(condition, Not):
        return not is_met(condition.part, row)
    if isinstance(condition, All):
        return all(is_met(part, row) for part in condition.parts)
    if isinstance(condition, Some):
        return any(is_met(part, row) for part in condition.parts)
    value = row[condition.column]
    if value is None or condition.operator == "missing":
        return value is None and condition.operator == "missing"
    given = [_read(condition.column, text) for text in condition.values]
    value = RANK.index(value) if condition.column == "size" else value
    return value in given if condition.operator == "in" else COMPARE[condition.operator](value, given[0])


def _read(column, text):
    if column == "income":
        return float(text)
    if column == "late":
        return text.lower() == "true"
    if column == "opened":
        return date.fromisoformat(text)
    return RANK.index(text) if column == "size" else text


def random_text(rng, columns, depth=2):
    if depth and rng.random() < 0.6:
        parts = [random_text(rng, columns, depth - 1) for _ in range(2)]
        joined = f" {rng.choice(['and', 'or', 'AND'])} ".join(f"({part})" for part in parts)
        return f"not ({joined})" if rng.random() < 0.3 else joined
    column = rng.choice(columns)
    if column.has_missing_cell and rng.random() < 0.2:
        return f"{column.name} is {rng.choice(['', 'not '])}missing"
    if column.name == "income":
        forms = ["income {} {}".format(rng.choice(["<", "<=", ">", ">=", "=", "!="]), rng.choice([15, 20, 30, 33]))]
        return rng.choice([*forms, "income between 10 and 20", "15 < income <= 30", "20 >= income"])
    if column.name == "opened":
        return f"opened {rng.choice(['<', '<=', '>', '>=', '='])} 1970-01-0{rng.choice([2, 3, 7])}"
    if column.name == "late":
        return rng.choice(["late", "not late", "late is false", "late = true"])
    if column.name == "size":
        return rng.choice(["size <= small", "size is medium", "size > 'small'", "size in (small, large)"])
    return rng.choice(["job is clerk", "job is clerk or baker", "job not in ('nurse', \"smith\")", "job <> 'baker'"])


@pytest.mark.parametrize("chunk", seeds(1, 20))
def test_conditions_hold_where_their_tests_do(chunk):
    for seed in range(30 * chunk, 30 * chunk + 30):
        rng = naive.seeded(seed)
        kinds = naive.random_kinds(rng)
        columns = naive.random_columns(rng, kinds=kinds, missing=naive.random_missing(rng, kinds))
        condition = parse_condition(random_text(rng, columns))
        needed = columns_needed([condition], {column.name: column for column in columns})
        ground, _ = common_ground([columns, needed])
        boxes = condition_boxes(condition, ground)
        for row in naive.rows(naive.probes(ground)):
            point = [int(column.cells([row[column.name]])[0]) for column in ground]
            assert any(holds(box, point) for box in boxes) == is_met(condition, row), (seed, row)


@pytest.mark.parametrize("chunk", seeds(1, 52))
def test_rules_are_proved_or_refuted_with_rows(chunk):
    for seed in range(10 * chunk, 10 * chunk + 10):
        rng = naive.seeded(seed)
        kinds = naive.random_kinds(rng)
        columns = naive.random_columns(rng, kinds=kinds, missing=naive.random_missing(rng, kinds))
        model = naive.random_model(rng, columns, rng.randint(2, 4))
        rule, breaks = random_rule(rng, model)
        rows = naive.rows(naive.probes(columns))
        read = read_rule(rule)
        if isinstance(read, RegionRule) and not any(is_met(read.condition, row) for row in rows):
            with pytest.raises(ConditionError, match="contradicts itself"):
                check_rules_of(model, [rule])
            continue
        (answer,) = check_rules_of(model, [rule], pd.DataFrame(rows))
        broken = [row for row in rows if breaks(row)]
        assert answer.holds == (not broken), (seed, rule)
        assert answer.rows == len(broken), (seed, rule)
        answer.check()
        assert [naive.label(model, row) for row in answer.witness] == list(answer.labels)
        if not answer.holds:
            assert all(breaks(row) for row in answer.witness)
            # Whatever the columns hold that the answer does not show, the rule fails.
            shown = {name: answer.witness[0][name] for name in answer.columns}
            assert all(breaks(row) for row in rows if shown.items() <= row.items())


def random_rule(rng, model):
    """A rule, and whether a row breaks it."""
    label = rng.choice(model.classes)
    values = naive.probes(model.columns)
    form = rng.choice(["then", "not", "no", "monotone", "alone"])
    ordered = [column.name for column in model.columns if column.ordered]
    if form == "monotone" and ordered:
        column, way = rng.choice(ordered), rng.choice(["falls", "rises"])

        def breaks(row):
            return any(breaks_monotone(model, row, {**row, column: v}, column, label, way) for v in values[column])

        return f"{label} never {way} as {column} rises", breaks
    if form in ("alone", "monotone"):
        names = [column.name for column in model.columns]
        chosen = rng.sample(names, rng.randint(1, 2))

        def breaks(row):
            changes = naive.rows({name: values[name] for name in chosen})
            return len({naive.label(model, {**row, **change}) for change in [{}, *changes]}) > 1

        return f"{' and '.join(chosen)} alone never decide", breaks
    text = random_text(rng, model.columns, 1)
    condition = parse_condition(text)
    if form == "then":
        return f"if {text} then {label}", lambda row: is_met(condition, row) and naive.label(model, row) != label
    rule = f"if {text} then not {label}" if form == "not" else f"No applicant with {text} is {label}."
    return rule, lambda row: is_met(condition, row) and naive.label(model, row) == label


def breaks_monotone(model, row, other, column, label, way):
    """Whether of two rows that differ on a column only, the higher has the class and the lower not, or vice versa."""
    if row[column] is None or other[column] is None:
        return False
    order = RANK.index if column == "size" else float if column != "opened" else lambda day: day
    low, high = sorted([row, other], key=lambda r: order(r[column]))
    if order(low[column]) == order(high[column]):
        return False
    has = [naive.label(model, r) == label for r in (low, high)]
    return has == ([True, False] if way == "falls" else [False, True])


@pytest.fixture
def policy():
    columns = (NumberColumn("income", "refused", cuts=(35.0,)), BooleanColumn("late", "refused"))
    return TableModel(columns, ("declined", "approved"), (((1, 3), (3, 2)), ((2, 1),)), 2)


def test_a_counterexample_is_a_row(policy):
    (answer,) = check_rules_of(policy, "no applicant with income > 30 and late is false is declined")
    assert str(answer) == (
        "Refuted: no applicant with income > 30 and late is false is declined.\n  declined: income = 35, late = false"
    )
    (answer,) = check_rules_of(policy, ["if income >= 50 and not late then approved"])
    assert str(answer) == "Proved: if income >= 50 and not late then approved."
    assert answer.check() == "proved by truth table"


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("if income > 50 and income < 20 then approved", "contradicts itself: no row can meet its conditions"),
        ("if incme > 50 then approved", r"must name columns of the model \(income, late\); got 'incme'"),
        ("if income > 50 then aproved", r"must name a class \(declined, approved\); got 'aproved'"),
        ("if income > high then approved", "column 'income' must be compared with numbers; got 'high'"),
        ("if late > maybe then approved", "column 'late' must be compared with true or false; got 'maybe'"),
        ("if income is missing then approved", "must take missing values for a test of them"),
        ("approved never falls as age rises", r"must name columns of the model \(income, late\); got 'age'"),
        ("age alone never decides", r"must name columns of the model \(income, late\); got 'age'"),
        ("approve everybody", "a rule must read"),
        ("if income > then approved", "must go on with a value; got 'then'"),
        ("if (income > 3 then approved", r"must go on with \); got 'then'"),
        ("if income > 'x then approved", "must have closed quotes"),
        ("# only a remark", "must hold at least one rule"),
    ],
)
def test_bad_rules_are_refused(policy, rule, message):
    with pytest.raises(ConditionError, match=message):
        check_rules_of(policy, rule)


def test_a_column_is_no_value_of_another():
    job = CategoryColumn("job", "refused", values=("clerk", "nurse"))
    columns = (job, BooleanColumn("late", "refused"))
    model = TableModel(columns, ("no", "yes"), (((7, 1),), ((7, 2),)), 1)
    with pytest.raises(ConditionError, match="'job is clerk or late' must not name a column as a value; 'late' is one"):
        check_rules_of(model, "if job is clerk or late then yes")
    with pytest.raises(ConditionError, match="must not name a column as a value"):
        columns_needed([parse_condition("job is clerk or late"), parse_condition("late")], {})
    (answer,) = check_rules_of(model, "if late is true or job is clerk then yes")
    assert not answer.holds
    (answer,) = check_rules_of(model, "if job is clerk or 'late' then yes")
    assert not answer.holds


def test_rules_that_contradict_each_other_are_refused(policy):
    rules = ["if income > 50 then approved", "if late then declined"]
    with pytest.raises(ConditionError, match="contradict each other at income = 51, late = true"):
        check_rules_of(policy, rules)


def test_a_wrong_answer_is_found_out(policy):
    from dataclasses import replace

    (answer,) = check_rules_of(policy, "late alone never decides")
    assert not answer.holds
    with pytest.raises(CheckError, match="must hold; it does not"):
        replace(answer, holds=True).check()


def test_tests_are_found_in_their_order():
    condition = parse_condition("a = 1 and (not b or c in (1, 2))")
    assert [test.column for test in column_tests(condition)] == ["a", "b", "c"]
    assert parse_condition("x == 3") == ColumnTest("x", "=", ("3",))


def test_a_counterexample_shows_the_columns_that_matter():
    columns = tuple(BooleanColumn(name, "refused") for name in "abcdef")
    every = (3,) * 4
    model = TableModel(columns, ("no", "yes"), (((1, 3, *every), (3, 1, *every)), ((2, 2, *every),)), 2)
    (answer,) = check_rules_of(model, "if a then yes")
    assert answer.columns == ("a", "b")
    assert str(answer) == "\n".join(
        ["Refuted: if a then yes.", "  no: a = true, b = false", "  (whatever the other 4 columns hold)"]
    )
    answer.check()
