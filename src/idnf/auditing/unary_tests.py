"""Unary tests of S-FEEL, as cells of decision tables hold them, read as conditions on one column.

``-``, ``18``, ``"gold"``, ``< 18``, ``[18..65)``, ``]18..65[``, ``"gold","silver"``, ``not("gold")``, ``true``,
``null``, ``date("2024-06-30")``, ``@"2024-06-30"``. Spreadsheets may also have texts and dates without quotes. Whatever
else FEEL has, names, arithmetic and calls among it, is refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from idnf.auditing.cell_grids import GridCell
from idnf.auditing.conditions import All, ColumnTest, Condition, Not, Some
from idnf.columns.phrases import brief, time_value
from idnf.logic.errors import InvalidArgument

ValueKind = Literal["number", "text", "boolean", "date", "null"]

MOST_VALUES = 500
"""The most values that one cell lists."""

UNDERSTOOD = (
    'Understood are -, values, < <= > >= and intervals such as [18..65), lists such as "a","b", not(...), null and '
    'date("2024-06-30").'
)
_NUMBER = r"[-+]?(?:[0-9]++(?:\.[0-9]++)?|\.[0-9]++)(?:[eE][-+]?[0-9]++)?"
_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TOKEN = re.compile(
    r"\s*(?:(?P<date>(?:date|date and time)\s*\(\s*\"(?P<inner>[^\"]*)\"\s*\)|@\s*\"(?P<at>[^\"]*)\"|(?P<plain>"
    rf"{_DATE}(?:[T ][0-9:.]+Z?)?))"
    rf"|(?P<number>{_NUMBER})(?![\w.]*[A-Za-z_])"
    r"|(?P<text>\"(?:[^\"\\]|\\.)*\")"
    r"|(?P<sign>\.\.|<=|>=|!=|[<>=\[\](),]|-(?=\s*(?:$|,)))"
    r"|(?P<word>[^\s<>=\[\](),\"]+))"
)

_ARITHMETIC = ("+", "-", "*", "/", "**")


@dataclass(frozen=True)
class Literally:
    """A value as it is written, and its kind."""

    kind: ValueKind
    text: str


@dataclass(frozen=True)
class UnaryTests:
    """What a cell asks of a column: a condition, None for anything; and the kinds of its values."""

    condition: Condition | None
    kinds: frozenset[ValueKind]


def parse_tests(cell: GridCell, column: str, *, bare: bool = False) -> UnaryTests:
    """Read the tests in a cell.

    Parameters
    ----------
    cell : GridCell
    column : str
        What the tests are about.
    bare : bool
        Whether texts may stand without quotes, as in spreadsheets.

    Examples
    --------
    >>> [test.operator for test in parse_tests(GridCell("[18..65)", "B3"), "age").condition.parts]
    ['>=', '<']
    >>> parse_tests(GridCell("-", "B3"), "age").condition is None
    True
    >>> parse_tests(GridCell("age + 1", "B3"), "age")
    Traceback (most recent call last):
        ...
    idnf.logic.errors.InvalidArgument: B3 must hold unary tests; got 'age + 1'. Understood are -, values, < <= > >= and
    intervals such as [18..65), lists such as "a","b", not(...), null and date("2024-06-30").
    """
    if cell.text in ("", "-"):
        return UnaryTests(None, frozenset())
    if cell.kind in ("boolean", "number", "date"):
        kind: ValueKind = cell.kind
        return UnaryTests(ColumnTest(column, "=", (cell.text,)), frozenset([kind]))
    reader = _Reader(cell, column, bare)
    condition = reader.tests()
    if not reader.at_end:
        raise reader.refusal()
    return UnaryTests(condition, frozenset(reader.kinds))


def parse_value(cell: GridCell, *, bare: bool = False) -> Literally:
    """Read the one value in a cell.

    >>> parse_value(GridCell('"approved"', "C3")).text, parse_value(GridCell("very good", "C3"), bare=True).text
    ('approved', 'very good')
    >>> parse_value(GridCell('"a","b"', "C3"))
    Traceback (most recent call last):
        ...
    idnf.logic.errors.InvalidArgument: C3 must hold one outcome: a number, a text in quotes, true, false or a date; got
    '"a","b"'.
    """
    if cell.kind in ("boolean", "number", "date"):
        return Literally(
            "number" if cell.kind == "number" else "boolean" if cell.kind == "boolean" else "date", cell.text
        )
    reader = _Reader(cell, None, bare)
    found = reader.value()
    if found is None or not reader.at_end or found.kind == "null":
        raise reader.refusal()
    return found


class _Reader:
    """Reads the tests of one cell from left to right."""

    def __init__(self, cell: GridCell, column: str | None, bare: bool) -> None:
        self.cell, self.bare = cell, bare
        self.column = column or ""
        self.is_outcome = column is None
        self.tokens = list(self._tokens())
        self.place = 0
        self.kinds: set[ValueKind] = set()

    def _tokens(self) -> Iterator[tuple[str, str]]:
        """Yield the kind and the text of each token; words next to each other are one if texts may be bare."""
        place, text = 0, self.cell.text
        while place < len(text.rstrip()):
            found = _TOKEN.match(text, place)
            if found is None:
                raise self.refusal()
            place = found.end()
            kind = next(name for name in ("date", "number", "text", "sign", "word") if found.group(name) is not None)
            if found.group("plain") is not None and not self.bare:
                raise self.refusal()
            if kind == "date":
                yield (
                    kind,
                    next(found.group(name) for name in ("inner", "at", "plain") if found.group(name) is not None),
                )
            elif kind == "text":
                yield kind, re.sub(r"\\(.)", r"\1", found.group(kind)[1:-1])
            else:
                yield kind, found.group(kind)

    @property
    def at_end(self) -> bool:
        """Whether all tokens are read."""
        return self.place >= len(self.tokens)

    def refusal(self) -> InvalidArgument:
        """Return the error for a cell that cannot be read."""
        if self.is_outcome:
            rule = "hold one outcome: a number, a text in quotes, true, false or a date"
            return InvalidArgument(self.cell.place, rule, brief(self.cell.text) if self.cell.text else "nothing")
        return InvalidArgument(self.cell.place, "hold unary tests", brief(self.cell.text), UNDERSTOOD)

    def take(self, *signs: str) -> str | None:
        """Read one of some signs or words if it comes next."""
        if not self.at_end and self.tokens[self.place][0] in ("sign", "word") and self.tokens[self.place][1] in signs:
            self.place += 1
            return self.tokens[self.place - 1][1]
        return None

    def tests(self) -> Condition:
        """Read tests of which one must hold, or their negation."""
        if self.take("not"):
            if not self.take("("):
                raise self.refusal()
            inside = self._listed()
            if not self.take(")"):
                raise self.refusal()
            return Not(inside)
        return self._listed()

    def _listed(self) -> Condition:
        parts = [self._test()]
        while self.take(","):
            parts.append(self._test())
        if len(parts) > MOST_VALUES:
            raise InvalidArgument(self.cell.place, f"list at most {MOST_VALUES} values", len(parts))
        return parts[0] if len(parts) == 1 else Some(tuple(parts))

    def _test(self) -> Condition:
        operator = self.take("<", "<=", ">", ">=", "=", "!=")
        if operator is not None:
            test = self._comparison("=" if operator == "!=" else operator, self._constant())
            return Not(test) if operator == "!=" else test
        opening = self.take("[", "]", "(")
        if opening is None:
            return self._comparison("=", self._constant())
        low = self._constant()
        if not self.take(".."):
            raise self.refusal()
        high = self._constant()
        closing = self.take("]", "[", ")")
        if closing is None:
            raise self.refusal()
        ends = (">=" if opening == "[" else ">", low), ("<=" if closing == "]" else "<", high)
        return All(tuple(self._comparison(sign, value) for sign, value in ends))

    def _constant(self) -> Literally:
        found = self.value()
        if found is None:
            raise self.refusal()
        self.kinds.add(found.kind)
        return found

    def _comparison(self, operator: str, value: Literally) -> Condition:
        if value.kind == "null":
            if operator != "=":
                raise self.refusal()
            return ColumnTest(self.column, "missing")
        if operator != "=" and value.kind not in ("number", "date"):
            raise InvalidArgument(self.cell.place, f"compare numbers or dates with {operator}", brief(self.cell.text))
        return ColumnTest(self.column, operator, (value.text,))

    def value(self) -> Literally | None:
        """Read a value; None if none comes next."""
        if self.at_end:
            return None
        kind, text = self.tokens[self.place]
        if kind == "number" and math.isinf(float(text)):
            raise self.refusal()
        if kind == "number":
            self.place += 1
            return Literally("number", text)
        if kind == "text":
            self.place += 1
            return Literally("text", text)
        if kind == "date":
            self.place += 1
            return Literally("date", self._moment(text))
        if kind != "word":
            return None
        words = self._words()
        if words in ("true", "false") or (self.bare and words.lower() in ("true", "false")):
            return Literally("boolean", words.lower())
        if words == "null":
            return Literally("null", words)
        if not self.bare or any(word in _ARITHMETIC for word in words.split()):
            raise self.refusal()
        return Literally("text", words)

    def _words(self) -> str:
        """Read words that stand next to each other; numbers among them are part of a text that is bare."""
        words = []
        while not self.at_end and self.tokens[self.place][0] in (("word", "number") if self.bare else ("word",)):
            words.append(self.tokens[self.place][1])
            self.place += 1
        return " ".join(words)

    def _moment(self, text: str) -> str:
        try:
            time_value(text, "datetime")
        except ValueError as error:
            raise InvalidArgument(self.cell.place, "hold dates as in 2024-06-30", brief(text)) from error
        return text
