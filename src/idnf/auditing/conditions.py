"""Conditions on the columns of a table as people and SQL write them, read into a small tree of tests.

``income > 50000 and arrears is false``, ``age between 18 and 25 or region in ('north', 'east')``,
``not (job is clerk or nurse)``, ``30 < age <= 45``, ``income is missing``. Names with spaces or signs are quoted, as
are such values; words are read without regard to case. A test is false on a missing value and its negation true, as
everywhere in the library, unless the column counts it as another value. Over the columns of a table conditions become
boxes, once the columns have the cuts and categories that they need.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_, or_

from idnf.columns.column import TableColumn
from idnf.columns.phrases import brief, is_number
from idnf.columns.refinement import guessed_column, is_met, refined
from idnf.logic.boxes import Box, intersection
from idnf.logic.cubes import outermost

OPERATORS = ("<=", ">=", "<>", "!=", "==", "<", ">", "=")
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
_TOKEN = re.compile(
    r"""\s*(?:(?P<quoted>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')"""
    r"""|(?P<sign><=|>=|<>|!=|==|[<>=(),;])"""
    r"""|(?P<word>[^\s<>=!(),;"']+))"""
)
_SIGNS = ("/", "*", "+", "-")
_ENDS = {"and", "or", "then", "else", "when", "end", "otherwise", ")", ",", ";", ""}
_VERBS = {"is", "in", "between", "not", *OPERATORS}


MOST_DEPTH = 100
"""The most brackets and negations around a test."""

MOST_TESTS = 1_000
"""The most tests that are read together."""

MOST_BOXES = 4_000
"""The most boxes that conditions are written as on the way."""


class ConditionError(ValueError):
    """A text that cannot be read as a condition."""


@dataclass(frozen=True)
class ColumnTest:
    """A test of one column: an operator (``<= < >= > =``), "in" or "missing", and the values as they are written.

    Loose values are those that came after "or" without quotes: they are refused if a column has that name.
    """

    column: str
    operator: str
    values: tuple[str, ...] = ()
    loose: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class Not:
    """The negation of a condition."""

    part: Condition


@dataclass(frozen=True)
class All:
    """The conjunction of conditions; true if there are none."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True)
class Some:
    """The disjunction of conditions."""

    parts: tuple[Condition, ...]


Condition = ColumnTest | Not | All | Some


def column_tests(condition: Condition) -> Iterator[ColumnTest]:
    """Yield the tests of a condition, from left to right."""
    if isinstance(condition, ColumnTest):
        yield condition
    elif isinstance(condition, Not):
        yield from column_tests(condition.part)
    else:
        for part in condition.parts:
            yield from column_tests(part)


@dataclass(frozen=True)
class Token:
    """A word, sign or quoted text, and where it begins."""

    text: str
    start: int
    quoted: bool = False

    @property
    def key(self) -> str:
        """The word in small letters; nothing for a quoted text, which is never a word of the language."""
        return "" if self.quoted else self.text.lower()


def tokens_of(text: str) -> list[Token]:
    """Return the words, signs and quoted texts of a text.

    >>> [token.text for token in tokens_of("income >= 50000 and 'first name' = 'O''Hara'")]
    ['income', '>=', '50000', 'and', 'first name', '=', "O'Hara"]
    """
    tokens, place, end = [], 0, len(text.rstrip())
    while place < end:
        found = _TOKEN.match(text, place)
        if found is None:
            raise ConditionError(f"conditions must have closed quotes; got {brief(text[place:].strip())}.")
        tokens.append(_token(found))
        place = found.end()
    return tokens


def _token(found: re.Match[str]) -> Token:
    kind = str(found.lastgroup)
    text, start = found.group(kind), found.start(kind)
    if kind != "quoted":
        return Token(text, start)
    inner = text[1:-1]
    plain = inner.replace("''", "'") if text[0] == "'" else re.sub(r"\\(.)", r"\1", inner)
    return Token(plain, start, quoted=True)


def parse_condition(text: str) -> Condition:
    """Read a condition.

    >>> parse_condition("income > 50000 and not arrears")
    All(parts=(ColumnTest(column='income', operator='>', values=('50000',)), Not(part=ColumnTest(column='arrears', ...
    """
    reader = Reader(text)
    condition = reader.condition()
    reader.expect_end()
    return condition


class Reader:
    """Reads conditions from the tokens of a text, one after the other."""

    def __init__(self, text: str) -> None:
        self.tokens = tokens_of(text)
        self.text = text
        self.place = 0
        self.depth = 0

    def key(self, ahead: int = 0) -> str:
        """Return the word ``ahead`` tokens further on, in small letters; nothing at the end."""
        place = self.place + ahead
        return self.tokens[place].key if place < len(self.tokens) else ""

    @property
    def at_end(self) -> bool:
        """Whether all tokens are read."""
        return self.place >= len(self.tokens)

    def take(self, *keys: str) -> bool:
        """Read one of some words or signs if it comes next."""
        if not self.at_end and self.key() in keys:
            self.place += 1
            return True
        return False

    def expect(self, key: str) -> None:
        """Read a word or sign that must come next."""
        if not self.take(key):
            raise self.error(key)

    def expect_end(self) -> None:
        """Refuse tokens that are left."""
        if not self.at_end:
            raise self.error("and, or, or the end")

    def error(self, expected: str) -> ConditionError:
        """Return the error for what comes next."""
        got = "the end" if self.at_end else brief(self.tokens[self.place].text)
        return ConditionError(f"{brief(self.text.strip(), 200)} must go on with {expected}; got {got}.")

    def word(self, what: str) -> str:
        """Read a name or a value."""
        if self.at_end or not self.tokens[self.place].quoted and self.key() in _ENDS | {"(", *OPERATORS}:
            raise self.error(what)
        self.place += 1
        return self.tokens[self.place - 1].text

    def condition(self) -> Condition:
        """Read conditions joined by "or"."""
        parts = [self._conjunction()]
        while self.take("or"):
            parts.append(self._conjunction())
        return parts[0] if len(parts) == 1 else Some(tuple(parts))

    def _conjunction(self) -> Condition:
        parts = [self._unit()]
        while self.take("and"):
            parts.append(self._unit())
        return parts[0] if len(parts) == 1 else All(tuple(parts))

    def _unit(self) -> Condition:
        if self.key() in ("not", "("):
            return self._bracketed_condition()
        if self.key(1) in _MIRRORED and is_number(self.tokens[self.place].text):
            return self._chain()
        return self._test(self.column())

    def column(self) -> str:
        """Read the name of a column, which may be made of two: debt / income, end - start."""
        if self.key(1) not in _SIGNS:
            return self.word("a column")
        # A sign after it shows that a word such as "end" is a name here.
        left, sign = (token.text for token in self.tokens[self.place : self.place + 2])
        self.place += 2
        return f"{left} {sign} {self.word('a column')}"

    def _bracketed_condition(self) -> Condition:
        """Read a condition in brackets, or after "not"."""
        self.depth += 1
        if self.depth > MOST_DEPTH:
            raise ConditionError(f"conditions must be nested at most {MOST_DEPTH} deep.")
        if self.take("not"):
            inside: Condition = Not(self._unit())
        else:
            self.expect("(")
            inside = self.condition()
            self.expect(")")
        self.depth -= 1
        return inside

    def _chain(self) -> Condition:
        """Read a test with a value on the left, as in 30 < age or 30 < age <= 45."""
        low = self.word("a value")
        sign = self.word_sign()
        column = self.column()
        first = ColumnTest(column, _MIRRORED[sign], (low,))
        if self.key() not in _MIRRORED:
            return first
        sign = self.word_sign()
        return All((first, ColumnTest(column, sign, (self.word("a value"),))))

    def word_sign(self) -> str:
        """Read a comparison."""
        sign = self.key()
        self.place += 1
        return "=" if sign == "==" else sign

    def _test(self, column: str) -> Condition:
        sign = self.key()
        if sign in OPERATORS:
            sign = self.word_sign()
            value = self.word("a value")
            negated = sign in ("<>", "!=")
            return _with_sign(ColumnTest(column, "=" if negated else sign, (value,)), negated)
        if self.take("is"):
            return self._is(column)
        negated = self.key() == "not" and self.key(1) in ("in", "between") and self.take("not")
        if self.take("between"):
            return _with_sign(self._between(column), negated)
        if self.take("in"):
            return _with_sign(self._in(column), negated)
        return ColumnTest(column, "=", ("true",))

    def _is(self, column: str) -> Condition:
        negated = self.take("not")
        if self.take("missing", "null"):
            return _with_sign(ColumnTest(column, "missing"), negated)
        values, loose = [self.word("a value")], []
        while self.key() == "or" and self.key(1) != "not" and self._is_value_after_or():
            self.place += 1
            loose += [] if self.tokens[self.place].quoted else [self.tokens[self.place].text]
            values.append(self.word("a value"))
        return _with_sign(ColumnTest(column, "in", tuple(values), tuple(loose)), negated)

    def _is_value_after_or(self) -> bool:
        """Return whether what follows "or" is one more value: nothing is asked of it."""
        return self.place + 1 < len(self.tokens) and self.key(2) not in _VERBS and self.key(1) not in ("(", "missing")

    def _between(self, column: str) -> Condition:
        low = self.word("a value")
        self.expect("and")
        return All((ColumnTest(column, ">=", (low,)), ColumnTest(column, "<=", (self.word("a value"),))))

    def _in(self, column: str) -> Condition:
        self.expect("(")
        values = [self.word("a value")]
        while self.take(","):
            values.append(self.word("a value"))
        self.expect(")")
        return ColumnTest(column, "in", tuple(values))


def _with_sign(condition: Condition, negated: bool) -> Condition:
    return Not(condition) if negated else condition


def columns_needed(conditions: Iterable[Condition], known: Mapping[str, TableColumn]) -> tuple[TableColumn, ...]:
    """Return the columns that conditions name, with the cuts and categories they need.

    Parameters
    ----------
    conditions : iterable of Condition
    known : mapping of str to TableColumn
        The columns of the table by name; what a column must be is guessed from its tests if it is empty.

    Examples
    --------
    >>> from idnf.auditing.conditions import parse_condition
    >>> [column.labels for column in columns_needed([parse_condition("age < 30 or job is nurse")], {})]
    [('<= 29.999999999999996', '> 29.999999999999996'), ('nurse', 'other')]
    """
    by_column: dict[str, list[ColumnTest]] = {}
    for condition in conditions:
        for test in column_tests(condition):
            by_column.setdefault(test.column, []).append(test)
    if (tests := sum(map(len, by_column.values()))) > MOST_TESTS:
        raise ConditionError(f"conditions must have at most {MOST_TESTS} tests of columns; got {tests}.")
    unknown = [name for name in by_column if known and name not in known]
    if unknown:
        raise ConditionError(
            f"conditions must name columns of the model ({', '.join(known)[:400]}); got {brief(unknown[0])}."
        )
    _refuse_ambiguous(by_column, {*known, *by_column})
    return tuple(_column_for(name, known.get(name), tests) for name, tests in by_column.items())


def _refuse_ambiguous(by_column: Mapping[str, Sequence[ColumnTest]], names: Collection[str]) -> None:
    """Refuse ``job is clerk or late`` where late is a column: it could be one more job."""
    for test in (test for tests in by_column.values() for test in tests):
        for value in test.loose:
            if value in names:
                one = f"{test.column} is {test.values[0]}"
                raise ConditionError(
                    f"'{one} or {value}' must not name a column as a value; {value!r} is one. "
                    f"Write '{value} is true or {one}', or quote the value."
                )


def _column_for(name: str, column: TableColumn | None, tests: Sequence[ColumnTest]) -> TableColumn:
    """Return a column cut so that every test is true on a whole cell or false on it."""
    stated = [(test.operator, test.values) for test in tests]
    try:
        column = column or guessed_column(name, stated)
        if any(test.operator == "missing" for test in tests) and not column.has_missing_cell:
            raise ConditionError(f"column {column.name!r} must take missing values for a test of them; it takes none.")
        return refined(column, stated)
    except ValueError as error:
        raise ConditionError(str(error)) from error


def condition_boxes(condition: Condition, columns: Sequence[TableColumn], *, holds: bool = True) -> list[Box]:
    """Return boxes that together are a condition, or its negation.

    Every test must be true on a whole cell or false on it, as on columns that `columns_needed` gave or finer ones.

    >>> from idnf.auditing.conditions import parse_condition
    >>> condition = parse_condition("age <= 30 and job is nurse")
    >>> condition_boxes(condition, columns_needed([condition], {}))
    [(1, 1)]
    """
    if isinstance(condition, Not):
        return condition_boxes(condition.part, columns, holds=not holds)
    if isinstance(condition, ColumnTest):
        return _test_boxes(condition, columns, holds)
    parts = [condition_boxes(part, columns, holds=holds) for part in condition.parts]
    if isinstance(condition, All) == holds:
        boxes = [tuple(column.full for column in columns)]
        for part in parts:
            if len(boxes) * len(part) > MOST_BOXES:
                raise ConditionError(f"conditions must be at most {MOST_BOXES} cases when written out; these are more.")
            met = (intersection(a, b) for a in boxes for b in part)
            boxes = outermost(list(dict.fromkeys(box for box in met if box is not None)))
        return boxes
    return outermost(list(dict.fromkeys(box for part in parts for box in part)))


def cells_meeting(condition: Condition, column: TableColumn) -> int:
    """Return the cells of a column that meet a condition on it alone, as a mask.

    >>> from idnf.columns.intervals import NumberColumn
    >>> age = NumberColumn("age", "refused", cuts=(30.0, 45.0))
    >>> bin(cells_meeting(Not(ColumnTest("age", "<=", ("30",))), age))
    '0b110'
    """
    if isinstance(condition, ColumnTest):
        return sum(1 << cell for cell in range(len(column.labels)) if _is_met(condition, column, cell))
    if isinstance(condition, Not):
        return column.full & ~cells_meeting(condition.part, column)
    masks = [cells_meeting(part, column) for part in condition.parts]
    if isinstance(condition, Some):
        return reduce(or_, masks, 0)
    return reduce(and_, masks, column.full)


def _test_boxes(test: ColumnTest, columns: Sequence[TableColumn], holds: bool) -> list[Box]:
    place = next(j for j, column in enumerate(columns) if column.name == test.column)
    column = columns[place]
    mask = cells_meeting(test if holds else Not(test), column)
    return [tuple(mask if j == place else other.full for j, other in enumerate(columns))] if mask else []


def _is_met(test: ColumnTest, column: TableColumn, cell: int) -> bool:
    is_missing = column.has_missing_cell and cell == len(column.known_labels)
    if test.operator == "missing" or is_missing:
        return is_missing and test.operator == "missing"
    try:
        return is_met(column, cell, test.operator, test.values)
    except ValueError as error:
        raise ConditionError(str(error)) from error
