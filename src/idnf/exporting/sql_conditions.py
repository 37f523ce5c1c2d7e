"""Tests as SQL conditions over the columns of the user's table.

A condition is true where the test holds and false or NULL elsewhere; since conditions are only ever joined by AND and
OR and asked by WHEN, NULL counts as false. NaN is missing, as NULL is.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from idnf.columns.phrases import EPOCH
from idnf.columns.predicates import And, Compare, Constant, Field, IsMissing, OneOf, Operand, Or, Predicate, Total
from idnf.exporting.sql_text import Dialect, name_sql, number_sql, text_sql

_NUMBER = {"sqlite": "CAST({} AS REAL)", "duckdb": "CAST({} AS DOUBLE)", "postgres": "CAST({} AS DOUBLE PRECISION)"}
_TEXT = {"sqlite": "CAST({} AS TEXT)", "duckdb": "CAST({} AS VARCHAR)", "postgres": 'CAST({} AS TEXT) COLLATE "C"'}
_TIME = {"date": "DATE", "datetime": "TIMESTAMP", "datetime-utc": "TIMESTAMP WITH TIME ZONE", "duration": "INTERVAL"}
# SQLite has no times: dates and times are ISO text, here brought to 26 characters; durations are seconds.
_SQLITE_TIME = (
    "substr(replace(replace(replace({0}, 'T', ' '), '+00:00', ''), 'Z', '') || "
    "CASE WHEN length({0}) <= 10 THEN ' 00:00:00.000000' WHEN length({0}) <= 16 THEN ':00.000000' "
    "WHEN instr({0}, '.') = 0 THEN '.000000' ELSE '000000' END, 1, 26)"
)
_SQLITE_TIMES = {"date": "date({0})", "duration": _NUMBER["sqlite"]}


def condition_sql(test: Predicate, dialect: Dialect) -> str:
    """Return a test as a condition.

    >>> from idnf.columns.intervals import NumberColumn
    >>> print(condition_sql(NumberColumn("age", "seen", cuts=(30.0,)).test(0b101), "sqlite"))
    (CAST(`age` AS REAL) <= 30.0 OR CAST(`age` AS REAL) IS NULL)
    """
    match test:
        case Compare(value, over, upto):
            # Only what has no upper end could hold of NaN, which the engines place above all numbers.
            operand = _known(value, dialect) if upto is None else _operand(value, dialect)
            ends = [(sign, end) for sign, end in ((">", over), ("<=", upto)) if end is not None]
            return _joined("AND", [f"{operand} {sign} {_constant(value, end, dialect)}" for sign, end in ends])
        case OneOf(value, constants, negated):
            operand = _known(value, dialect) if negated else _operand(value, dialect)
            written = [_constant(value, constant, dialect) for constant in constants]
            if len(written) == 1:
                return f"{operand} {'<>' if negated else '='} {written[0]}"
            return f"{operand} {'NOT IN' if negated else 'IN'} ({', '.join(written)})"
        case IsMissing(field, negated):
            return f"{_known(field, dialect)} IS {'NOT ' if negated else ''}NULL"
        case And(parts):
            return _joined("AND", [condition_sql(part, dialect) for part in parts])
        case Or(parts):
            return _joined("OR", [condition_sql(part, dialect) for part in parts])


def _joined(word: str, parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else "(" + f" {word} ".join(parts) + ")"


def _operand(value: Operand, dialect: Dialect) -> str:
    """Return a value as a type on which the engine compares as the classifier does."""
    if isinstance(value, Total):
        return " + ".join(_operand(field, dialect) for field in value.fields)
    name = name_sql(value.name, dialect)
    match value.kind:
        case "number" | "digit":
            return _NUMBER[dialect].format(name)
        case "truth":
            return f"CAST({name} AS INTEGER)"
        case "any":
            return name
        case "text":
            return _TEXT[dialect].format(name)
        case kind if dialect == "sqlite":
            return _SQLITE_TIMES.get(kind, _SQLITE_TIME).format(name)
        case kind:
            return f"CAST({name} AS {_TIME[kind]})"


def _known(value: Operand, dialect: Dialect) -> str:
    """Return a value with NaN turned into NULL; SQLite has no NaN."""
    operand = _operand(value, dialect)
    if dialect == "sqlite" or isinstance(value, Total) or value.kind not in ("number", "digit"):
        return operand
    return f"NULLIF({operand}, CAST('NaN' AS {'DOUBLE' if dialect == 'duckdb' else 'DOUBLE PRECISION'}))"


def _constant(value: Operand, constant: Constant, dialect: Dialect) -> str:
    if isinstance(constant, str):
        return text_sql(constant, dialect)
    if isinstance(value, Total) or value.kind == "truth":
        return str(int(constant))
    if value.kind == "digit":
        return str(constant)
    return number_sql(constant, dialect) if value.kind == "number" else _time_sql(constant, value, dialect)


def _time_sql(microseconds: float, field: Field, dialect: Dialect) -> str:
    if field.kind == "duration":
        if dialect == "sqlite":
            return number_sql(microseconds / 1_000_000, dialect)
        return f"INTERVAL '{int(microseconds)} microseconds'"
    moment = EPOCH + timedelta(microseconds=int(microseconds))
    text = str(moment.date()) if field.kind == "date" else moment.isoformat(sep=" ", timespec="microseconds")
    if dialect == "sqlite":
        return f"'{text}'"
    return f"{_TIME[field.kind]} '{text}{'+00' if field.kind == 'datetime-utc' else ''}'"
