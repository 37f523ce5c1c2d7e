"""Tests as SQL conditions over the columns of the user's table; names, texts and numbers safe whatever they hold.

A condition is true where the test holds and false or NULL elsewhere; since conditions are only ever joined by AND and
OR and asked by WHEN, NULL counts as false. NaN is missing, as NULL is. A condition is about values that
`refusals_sql` does not refuse: SQLite keeps any value in any column, and its casts make a number of everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal

from idnf.columns import predicates as tests
from idnf.columns.column import TableColumn
from idnf.columns.phrases import EPOCH, brief, one_line
from idnf.exporting.plain_labels import Label
from idnf.logic.errors import InvalidArgument

Dialect = Literal["sqlite", "duckdb", "postgres"]
_DIALECTS: tuple[Dialect, ...] = ("postgres", "duckdb", "sqlite")

_DIGITS = 15
"""Decimal numbers of at most this many digits are read exactly by every engine."""

_NUMBER = {"sqlite": "CAST({} AS REAL)", "duckdb": "CAST({} AS DOUBLE)", "postgres": "CAST({} AS DOUBLE PRECISION)"}
_TEXT = {
    "sqlite": "trim(CAST({} AS TEXT), char(9, 10, 13, 32, 160)) COLLATE BINARY",
    "duckdb": "trim(CAST({} AS VARCHAR), chr(9) || chr(10) || chr(13) || ' ' || chr(160))",
    "postgres": "btrim(CAST({} AS TEXT), E'\\t\\n\\r \\u00A0') COLLATE \"C\"",
}
# A number of JSON equals any other of the same value; cast to an integer, 0.7 would be 1.
_TRUTH = {**_NUMBER, "postgres": "to_jsonb({})"}
_POSTGRES_NAN = "'\"NaN\"'"
_POSTGRES_TRUTHS = (("'0'", "'false'"), ("'1'", "'true'"))
_NAN = {"duckdb": "CAST('NaN' AS DOUBLE)", "postgres": "CAST('NaN' AS DOUBLE PRECISION)"}
_INFINITE = {"sqlite": "abs({}) = 9e999", "duckdb": "isinf({})", "postgres": "{} IN ('Infinity', '-Infinity')"}
_TIME = {"date": "DATE", "datetime": "TIMESTAMP", "datetime-utc": "TIMESTAMP WITH TIME ZONE", "duration": "INTERVAL"}
# SQLite has no times: dates and times are ISO text, here brought to 26 characters; durations are seconds.
_SQLITE_TIME = (
    "substr(replace(replace(replace({0}, 'T', ' '), '+00:00', ''), 'Z', '') || "
    "CASE WHEN length({0}) <= 10 THEN ' 00:00:00.000000' WHEN length({0}) <= 16 THEN ':00.000000' "
    "WHEN instr({0}, '.') = 0 THEN '.000000' ELSE '000000' END, 1, 26)"
)
# SQLite keeps any value in any column. No time is what it reads as another day than is written, or not at all.
_SQLITE_DAY = "substr({0}, 1, 10)"
_SQLITE_NO_DAY = f"{{0}} IS NOT NULL AND (date({{0}}) IS NULL OR date({_SQLITE_DAY}, '+0 days') <> {_SQLITE_DAY})"
_SQLITE_NO_TIME = f"{_SQLITE_NO_DAY} OR length({_SQLITE_TIME}) <> 26"
_SQLITE_TIMES = {"date": _SQLITE_DAY, "duration": _NUMBER["sqlite"]}
_SQLITE_ZONED = "substr({0}, 11) GLOB '*[-+Z]*'"
_SQLITE_FOREIGN = {
    "text": "typeof({0}) NOT IN ('text', 'null')",
    "date": f"{_SQLITE_NO_DAY} OR {_SQLITE_ZONED}",
    "datetime": f"{_SQLITE_NO_TIME} OR {_SQLITE_ZONED}",
    "datetime-utc": f"{_SQLITE_NO_TIME} OR substr(replace({{0}}, '+00:00', ''), 11) GLOB '*[-+]*'",
}
# A text that is a number as a whole is that number, as it becomes in a column declared to hold numbers.
_SQLITE_NO_NUMBER = "CAST({0} AS NUMERIC) <> {0}"


def checked_dialect(dialect: str) -> Dialect:
    """Return the dialect, or raise an error that lists those there are."""
    for known in _DIALECTS:
        if dialect == known:
            return known
    raise InvalidArgument("dialect", f"be one of {', '.join(_DIALECTS)}", f"{dialect!r}")


def name_sql(name: str, dialect: Dialect) -> str:
    """Return a name in quotes.

    SQLite reads an unknown name in double quotes as text, so it gets backquotes.

    >>> print(name_sql('a "b" c', "postgres"), name_sql('a "b" c', "sqlite"))
    "a ""b"" c" `a "b" c`
    """
    _refuse_null(name)
    quote = "`" if dialect == "sqlite" else '"'
    return quote + name.replace(quote, 2 * quote) + quote


def folded(name: str, dialect: Dialect) -> str:
    """Return what a database tells a name by: PostgreSQL its first 63 bytes, the others all but the case of A to Z.

    >>> folded("Ä Age", "sqlite"), len(folded("x" * 80, "postgres"))
    ('Ä age', 63)
    """
    if dialect == "postgres":
        return name.encode()[:63].decode(errors="ignore")
    return name.encode().lower().decode()


def refuse_folded(used: Sequence[str], names: Sequence[str], dialect: Dialect) -> None:
    """Refuse names of columns in use that the database cannot tell from another one."""
    for name in used:
        other = next((one for one in names if one != name and folded(one, dialect) == folded(name, dialect)), None)
        if other is not None:
            how = "in their first 63 bytes" if dialect == "postgres" else "not only in capital letters"
            raise InvalidArgument(
                "names of columns",
                f"differ {how} to be told apart by {dialect}",
                f"{other!r} and {name!r}",
                "Rename one of them and fit again.",
            )


def text_sql(text: str, dialect: Dialect) -> str:
    r"""Return a text in quotes; in PostgreSQL also where backslashes are escapes.

    >>> print(text_sql("it's", "sqlite"), text_sql("a\\b", "postgres"))
    'it''s' E'a\\b'
    """
    _refuse_null(text)
    quoted = "'" + text.replace("'", "''") + "'"
    return "E" + quoted.replace("\\", "\\\\") if dialect == "postgres" and "\\" in text else quoted


def comment_sql(text: str) -> str:
    r"""Return a text as lines of comment, none of which ends early whatever names it holds, nor a comment around it.

    >>> print(comment_sql("yes if\n     a is \"*/\r;\""))
    -- yes if
    --      a is "* /\u000d;"
    """
    lines = (one_line(line).replace("*/", "* /").replace("/*", "/ *").rstrip() for line in text.split("\n"))
    return "\n".join(f"-- {line}".rstrip() for line in lines)


def number_sql(number: float, dialect: Dialect) -> str:
    """Return a number that the engine reads as exactly this double.

    SQLite does not read long decimals exactly, so these become a quotient of whole numbers, exact in binary.

    >>> number_sql(30.0, "duckdb"), number_sql(0.1, "postgres"), number_sql(0.75, "sqlite")
    ('30e0', '0.1e0', '0.75')
    >>> number_sql(1 / 3, "sqlite")
    '(6004799503160661.0 / 18014398509481984.0)'
    """
    text = repr(float(number))
    digits, _, exponent = text.partition("e")
    if dialect != "sqlite":
        return f"{digits.removesuffix('.0')}e{int(exponent or 0)}"
    if len(digits.strip("-").replace(".", "").strip("0")) <= _DIGITS and abs(int(exponent or 0)) < 7:
        return text
    return _exact_sql(number)


def double_sql(number: float, dialect: Dialect) -> str:
    """Return a number as a double, which PostgreSQL does not make of a decimal unasked.

    >>> double_sql(0.1, "postgres"), double_sql(0.1, "duckdb")
    ('CAST(0.1e0 AS DOUBLE PRECISION)', '0.1e0')
    """
    text = number_sql(number, dialect)
    return _NUMBER[dialect].format(text) if dialect == "postgres" else text


def _exact_sql(number: float) -> str:
    above, below = float(number).as_integer_ratio()
    if below == 1:
        shift = (above & -above).bit_length() - 1
        return _product(above >> shift, "*", 1 << shift)
    return _product(above, "/", below)


def _product(start: int, sign: str, power: int) -> str:
    """Return a whole number times, or divided by, a power of two, in steps that are each exact."""
    parts = [f"{start}.0"]
    while power > 1:
        step = min(power, 1 << 62)
        parts.append(f"{step}.0")
        power //= step
    return "(" + f" {sign} ".join(parts) + ")"


def label_sql(label: Label, dialect: Dialect) -> str:
    """Return a label.

    >>> label_sql(True, "postgres"), label_sql(True, "sqlite"), label_sql("yes", "duckdb"), label_sql(1, "duckdb")
    ('TRUE', '1', "'yes'", '1')
    """
    if isinstance(label, bool):
        return str(int(label)) if dialect == "sqlite" else str(label).upper()
    if isinstance(label, str):
        return text_sql(label, dialect)
    return str(label) if isinstance(label, int) else number_sql(label, dialect)


def _refuse_null(text: str) -> None:
    if "\0" in text:
        raise InvalidArgument("names and categories", "have no null character to be written in SQL", brief(text))


def refusals_sql(column: TableColumn, dialect: Dialect) -> list[str]:
    """Return the conditions under which the classifier refuses a row for a column.

    >>> from idnf.columns.intervals import NumberColumn
    >>> print(*refusals_sql(NumberColumn("age", "refused", cuts=(30.0,)), "sqlite"), sep=" OR ")
    CAST(`age` AS NUMERIC) <> `age` OR abs(CAST(`age` AS REAL)) = 9e999 OR CAST(`age` AS REAL) IS NULL
    """
    unread = [condition for field in column.fields for condition in _unread(field, dialect)]
    return unread + [condition_sql(refusal.test, dialect) for refusal in column.refusals]


def _unread(field: tests.Field, dialect: Dialect) -> list[str]:
    """Return the conditions for values that are not of the kind of a field."""
    name, operand = name_sql(field.name, dialect), _operand(field, dialect)
    foreign = []
    if dialect == "sqlite" and field.kind != "any":
        foreign = [_SQLITE_FOREIGN.get(field.kind, _SQLITE_NO_NUMBER).format(name)]
    match field.kind:
        case "number" | "digit":
            return [*foreign, _INFINITE[dialect].format(operand)]
        case "date" | "datetime" | "datetime-utc":
            first, last = (_moment_sql(end, field, dialect) for end in (datetime.min, datetime.max))
            return [*foreign, f"{operand} NOT BETWEEN {first} AND {last}"]
        case _:
            return foreign


def condition_sql(test: tests.Predicate, dialect: Dialect) -> str:
    """Return a test as a condition.

    >>> from idnf.columns.intervals import NumberColumn
    >>> print(condition_sql(NumberColumn("age", "seen", cuts=(30.0,)).test(0b101), "sqlite"))
    (CAST(`age` AS REAL) <= 30.0 OR CAST(`age` AS REAL) IS NULL)
    """
    match test:
        case tests.Compare(value, over, upto):
            # Only what has no upper end could hold of NaN, which the engines place above all numbers.
            operand = _nan_as_null(value, dialect) if upto is None else _operand(value, dialect)
            ends = [(sign, end) for sign, end in ((">", over), ("<=", upto)) if end is not None]
            return _join("AND", [f"{operand} {sign} {_constant(value, end, dialect)}" for sign, end in ends])
        case tests.OneOf(value, constants, negated):
            operand = _nan_as_null(value, dialect) if negated else _operand(value, dialect)
            written = [text for constant in constants for text in _constants(value, constant, dialect)]
            if len(written) == 1:
                return f"{operand} {'<>' if negated else '='} {written[0]}"
            return f"{operand} {'NOT IN' if negated else 'IN'} ({', '.join(written)})"
        case tests.IsMissing(field, negated):
            return f"{_nan_as_null(field, dialect)} IS {'NOT ' if negated else ''}NULL"
        case tests.And(parts):
            return _join("AND", [condition_sql(part, dialect) for part in parts])
        case tests.Or(parts):
            return _join("OR", [condition_sql(part, dialect) for part in parts])


def _join(word: str, parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else "(" + f" {word} ".join(parts) + ")"


def _operand(value: tests.Operand, dialect: Dialect) -> str:
    """Return a value as a type on which the engine compares as the classifier does."""
    if isinstance(value, tests.Total):
        number = "CAST({} AS INTEGER)" if dialect == "postgres" else _NUMBER[dialect]
        return " + ".join(number.format(name_sql(field.name, dialect)) for field in value.fields)
    name = name_sql(value.name, dialect)
    match value.kind:
        case "number" | "digit":
            return _NUMBER[dialect].format(name)
        case "truth":
            return _TRUTH[dialect].format(name)
        case "any":
            return name
        case "text":
            return _TEXT[dialect].format(name)
        case kind if dialect == "sqlite":
            return _SQLITE_TIMES.get(kind, _SQLITE_TIME).format(name)
        case "date" | "datetime" if dialect == "duckdb":
            # Cast directly, nanoseconds would be rounded up.
            moment = f"CAST(CAST({name} AS VARCHAR) AS TIMESTAMP)"
            return moment if value.kind == "datetime" else f"CAST({moment} AS DATE)"
        case kind:
            return f"CAST({name} AS {_TIME[kind]})"


def _nan_as_null(value: tests.Operand, dialect: Dialect) -> str:
    """Return a value with NaN turned into NULL; SQLite has no NaN."""
    operand = _operand(value, dialect)
    if dialect == "sqlite" or isinstance(value, tests.Total) or value.kind not in ("number", "digit", "truth"):
        return operand
    as_json = dialect == "postgres" and value.kind == "truth"
    return f"NULLIF({operand}, {_POSTGRES_NAN if as_json else _NAN[dialect]})"


def _constants(value: tests.Operand, constant: tests.Constant, dialect: Dialect) -> Sequence[str]:
    """Return the ways in which a constant may come; only truths of PostgreSQL have two, numbers and Booleans."""
    if dialect == "postgres" and isinstance(value, tests.Field) and value.kind == "truth":
        return _POSTGRES_TRUTHS[int(constant)]
    return (_constant(value, constant, dialect),)


def _constant(value: tests.Operand, constant: tests.Constant, dialect: Dialect) -> str:
    if isinstance(constant, str):
        return text_sql(constant, dialect)
    if isinstance(value, tests.Total) or value.kind == "truth":
        return str(int(constant))
    if value.kind == "digit":
        return str(constant)
    return number_sql(constant, dialect) if value.kind == "number" else _time_sql(constant, value, dialect)


def _time_sql(microseconds: float, field: tests.Field, dialect: Dialect) -> str:
    if field.kind == "duration":
        if dialect == "sqlite":
            return number_sql(microseconds / 1_000_000, dialect)
        return f"INTERVAL '{int(microseconds)} microseconds'"
    return _moment_sql(EPOCH + timedelta(microseconds=int(microseconds)), field, dialect)


def _moment_sql(moment: datetime, field: tests.Field, dialect: Dialect) -> str:
    text = str(moment.date()) if field.kind == "date" else moment.isoformat(sep=" ", timespec="microseconds")
    if dialect == "sqlite":
        return f"'{text}'"
    return f"{_TIME[field.kind]} '{text}{'+00' if field.kind == 'datetime-utc' else ''}'"
