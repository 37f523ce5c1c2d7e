"""A classifier as a workbook: cases are typed, and formulas give their decision and its reason.

Each row has hidden cells at its end, 1 or 0: whether the values of a column can be read, and whether a reason holds.
The first reason that holds, in the order of :func:`idnf.exporting.rule_list.reasons_of`, is the one given. Formulas
refer to cells only: names, categories and cuts stand in cells of their own, as text or numbers; none becomes a formula.
A spreadsheet takes numbers for equal that differ in their last digits, so a value is compared with a cut after both are
set against a number close by: what is left of them differs in its first digits.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, singledispatch
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.way_in import examined_rows
from idnf.columns.column import TableColumn
from idnf.columns.phrases import DAY, one_line
from idnf.columns.predicates import (
    And,
    Compare,
    Constant,
    Field,
    IsMissing,
    OneOf,
    Operand,
    Or,
    Predicate,
    Total,
    all_of,
)
from idnf.columns.raw import RawColumn, read_values, stripped
from idnf.columns.truths import field_values, holds
from idnf.exporting.rule_list import plain_classes, reasons_of
from idnf.tables.whole_files import write_whole

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.worksheet import Worksheet

BLANK_ROWS = 100
"""Rows in which cases can be typed."""

MOST_TEXT, MOST_FORMULA, MOST_ARGUMENTS, MOST_COLUMNS, MOST_ROWS = 32_767, 8_000, 200, 16_000, 1_000_000
_DAYS = 25_569
_SERIAL = {"date": "yyyy-mm-dd", "datetime": "yyyy-mm-dd hh:mm:ss", "datetime-utc": "yyyy-mm-dd hh:mm:ss"}


def to_excel(clf: DNFClassifier, path: str | os.PathLike[str], X: object = None) -> None:
    """Write a classifier as a workbook with a sheet to type cases in, its reasons and, if given, rows decided.

    Dates and times are typed as such, times with a time zone in UTC; durations in seconds; an empty cell is missing.
    Needs XlsxWriter.

    Parameters
    ----------
    clf : DNFClassifier
    path : path
    X : table or array of shape (n_samples, n_features), optional
        Rows for a sheet of their own.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     to_excel(DNFClassifier.from_dnf("late | owner & member"), f"{folder}/policy.xlsx")
    """
    write_whole(path, excel_bytes(clf, X))


@singledispatch
def excel_bytes(clf: DNFClassifier, X: object = None) -> bytes:
    """Return the content of the workbook that :func:`to_excel` writes."""
    try:
        from xlsxwriter import Workbook
    except ImportError as error:
        raise ImportError("a workbook needs XlsxWriter: pip install 'idnf[xlsx]'") from error
    out = BytesIO()
    with Workbook(out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}) as book:
        _fill(book, clf, X)
    return out.getvalue()


def _fill(book: Workbook, clf: DNFClassifier, X: object) -> None:
    columns = [clf.fitted_.columns[j] for j in clf.fitted_.used]
    fields = [one for column in columns for one in column.fields]
    reasons = reasons_of(clf)
    tests = [all_of(clf.fitted_.columns[j].test(mask) for j, mask in conditions) for conditions, _ in reasons]
    if len(fields) + len(columns) + len(tests) > MOST_COLUMNS:
        raise ValueError(f"a workbook must need at most {MOST_COLUMNS} columns; got {len(tests)} reasons.")
    sheets = [(book.add_worksheet("Cases"), {one.name: read_values(one.name, [None] * BLANK_ROWS) for one in fields})]
    if X is not None:
        table = examined_rows(clf.fitted_, X)
        assert table.cells is not None, "rows without an answer are refused"
        sheets.append((book.add_worksheet("Rows"), table.read[0].columns))
    catalogue, constants = book.add_worksheet("Reasons"), _Constants(book.add_worksheet("Cuts"), columns)
    labels = _catalogue(catalogue, clf, [words for _, words in reasons])
    for number, (sheet, values) in enumerate(sheets):
        _Sheet(book, sheet, fields, constants).write(columns, tests, labels, values, blank=number == 0)
    sheets[0][0].activate()


def _catalogue(sheet: Worksheet, clf: DNFClassifier, words: Sequence[str]) -> list[tuple[str, str | float, str]]:
    """Write the reasons, and return identifier, label and words of each."""
    explainer, classes = clf.fitted_.explainer, dict(zip(clf.classes_.tolist(), plain_classes(clf)))
    found = [
        (one.id, classes[one.label], said) for (one, _), said in zip(explainer.ordered_reasons(), words, strict=True)
    ]
    for place, title in enumerate(("Number", "Decision", "Reason")):
        sheet.write_string(0, place, title)
    for row, (name, label, said) in enumerate(found, 1):
        sheet.write_string(row, 0, name)
        write_value(sheet, row, 1, label)
        write_value(sheet, row, 2, said)
    sheet.set_column(2, 2, 80)
    return found


def write_value(sheet: Worksheet, row: int, column: int, value: str | float | bool, form: object = None) -> None:
    """Write a value as itself, whatever it looks like: text never as a formula, a number to its last digit."""
    if isinstance(value, str):
        if len(value) > MOST_TEXT:
            raise ValueError(f"text must have at most {MOST_TEXT} signs in a workbook; got {len(value)}.")
        # A cell with an empty text would be read as an empty cell.
        done = sheet.write_string(row, column, value) if value else sheet.write_formula(row, column, '=""', None, "")
        assert done == 0, "texts and places are within bounds"
    elif isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif float(f"{value:.16G}") == value:
        sheet.write_number(row, column, value, form)
    else:
        near = float(f"{value:.15g}")
        sheet.write_formula(row, column, f"={near:.15g}+{value - near:.15g}".replace("+-", "-"), form, repr(value))


def _serial(value: float, kind: str) -> float:
    """Return a time in microseconds as the number of days that spreadsheets count, a duration in seconds."""
    if kind == "duration":
        return value / 1_000_000
    whole, part = divmod(int(value), DAY)
    return whole + _DAYS + part / DAY if kind in _SERIAL else value


@dataclass
class _Constants:
    """The sheet of what values are compared with, each in a cell of its own."""

    sheet: Worksheet
    columns: Sequence[TableColumn]
    places: dict[tuple[str, type, Constant], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for place, title in enumerate(("Column", "Compared with", "Close by", "Difference")):
            self.sheet.write_string(0, place, title)
        self.sheet.set_column(2, 3, None, None, {"hidden": True})

    def row(self, of: Field, value: Constant) -> int:
        """Return the row of a constant, which is written when it is first asked for."""
        shown = value if isinstance(value, str) else _serial(value, of.kind)
        key = (of.name, type(shown), shown)
        if key not in self.places:
            row = self.places[key] = len(self.places) + 1
            write_value(self.sheet, row, 0, one_line(of.name))
            write_value(self.sheet, row, 1, shown)
            if not isinstance(shown, str):
                near = shown * (1 + 2**-46)
                write_value(self.sheet, row, 2, near)
                write_value(self.sheet, row, 3, shown - near)
        return self.places[key] + 1


@dataclass
class _Sheet:
    """A sheet of cases: the values typed, the decision and its reason, and hidden at the end what they come from."""

    book: Workbook
    sheet: Worksheet
    fields: Sequence[Field]
    constants: _Constants

    @cached_property
    def formats(self) -> dict[str, object]:
        """The formats of dates and times."""
        return {kind: self.book.add_format({"num_format": form}) for kind, form in _SERIAL.items()}

    def write(
        self,
        columns: Sequence[TableColumn],
        tests: Sequence[Predicate],
        reasons: Sequence[tuple[str, str | float, str]],
        values: Mapping[str, RawColumn],
        *,
        blank: bool,
    ) -> None:
        """Write the rows of a sheet, with the results of all formulas beside them."""
        rows, n, m = len(next(iter(values.values()))) if values else 0, len(self.fields), len(columns)
        if rows > MOST_ROWS:
            raise ValueError(f"X must have at most {MOST_ROWS} rows for a workbook; got {rows}.")
        bold = self.book.add_format({"bold": True})
        for place, title in enumerate([*(one.name for one in self.fields), "Decision", "Reason number", "Reason"]):
            self.sheet.write_string(0, place, one_line(title)[:MOST_TEXT], bold)
        self.sheet.freeze_panes(1, 0)
        read = {one.name: field_values(one, values[one.name]) for one in self.fields}
        refused = [[refusal.test for refusal in column.refusals] for column in columns]
        valid = [_none(tests, read, rows) for tests in refused]
        held = [np.broadcast_to(holds(test, read), rows) for test in tests]
        kinds = [self._of_kind(column) for column in columns]
        wrong = [[self.formula(test) for test in of_column] for of_column in refused]
        hidden = [
            *(_flag(_all([*kind, *(f"NOT({one})" for one in no)])) for kind, no in zip(kinds, wrong)),
            *(_flag(self.formula(test)) for test in tests),
        ]
        for place, one in enumerate(self.fields):
            form = self.formats.get(one.kind)
            for row, value in enumerate(self._typed(one, values[one.name]), 1):
                if value is None:
                    self.sheet.write_blank(row, place, None, form)
                else:
                    write_value(self.sheet, row, place, value, form)
        for row in range(rows):
            self._answer(row, reasons, (n, m), blank=blank, found=_found(valid, held, row))
            for place, (text, flags) in enumerate(zip(hidden, [*valid, *held])):
                self.sheet.write_formula(row + 1, n + 3 + place, text.replace("#", str(row + 2)), None, int(flags[row]))
        self.sheet.set_column(n + 2, n + 2, 60)
        self.sheet.set_column(n + 3, n + 2 + len(hidden), None, None, {"hidden": True})

    def _typed(self, one: Field, raw: RawColumn) -> list[str | float | bool | None]:
        """Return the values of a field as they are typed, None for a missing one."""
        plain = (stripped(raw) if one.kind == "text" else raw).values.tolist()
        shown = [
            value if isinstance(value, (str, bool)) or gone else _serial(value, one.kind)
            for value, gone in zip(plain, raw.missing)
        ]
        return [None if gone else value for value, gone in zip(shown, raw.missing)]

    def _answer(
        self,
        row: int,
        reasons: Sequence[tuple[str, str | float, str]],
        sizes: tuple[int, int],
        *,
        blank: bool,
        found: int | None,
    ) -> None:
        """Write the three formulas that look up the first reason that holds, where all values can be read."""
        n, m = sizes
        at = f"${_letters(n + 3)}{row + 2}:${_letters(n + 2 + m)}{row + 2}"
        held = f"MATCH(1,${_letters(n + 3 + m)}{row + 2}:${_letters(n + 2 + m + len(reasons))}{row + 2},0)"
        empty = f"COUNTA($A{row + 2}:${_letters(n - 1)}{row + 2})=0" if blank and n else "FALSE"
        for place, (column, said) in enumerate((("B", "check the values"), ("A", ""), ("C", ""))):
            answer = f"INDEX(Reasons!${column}$2:${column}${len(reasons) + 1},{held})"
            read = f'IF(MIN({at})=0,"{said}",{answer})' if m else answer
            shown = "" if blank and n else said if found is None else reasons[found][(1, 0, 2)[place]]
            self.sheet.write_formula(row + 1, n + place, f'=IF({empty},"",{read})', None, shown)

    def _of_kind(self, column: TableColumn) -> list[str]:
        """Return the tests that a value is of the kind of its field, or missing."""
        found = []
        for one in column.fields:
            cell = self._cell(one)
            if one.kind == "truth":
                found.append(f"OR(ISBLANK({cell}),{cell}=TRUE,{cell}=FALSE,{cell}=1,{cell}=0)")
            elif one.kind not in ("text", "verbatim", "any"):
                found.append(f"OR(ISBLANK({cell}),ISNUMBER({cell}))")
        return found

    def formula(self, test: Predicate) -> str:
        """Return a test as a formula without its equals sign, the number of the row written #."""
        match test:
            case And(parts):
                return _all([self.formula(part) for part in parts])
            case Or(parts):
                return _any([self.formula(part) for part in parts])
            case IsMissing(one, negated):
                return f"NOT(ISBLANK({self._cell(one)}))" if negated else f"ISBLANK({self._cell(one)})"
            case Compare(value, over, upto):
                limits = [(limit, sign) for limit, sign in ((over, ">"), (upto, "<=")) if limit is not None]
                return _all([*self._known(value), *(self._compared(value, sign, at) for at, sign in limits)])
            case OneOf(value, constants, negated):
                among = _any([self._equal(value, constant) for constant in constants])
                return _all([*self._known(value), f"NOT({among})" if negated else among])

    def _known(self, value: Operand) -> list[str]:
        if isinstance(value, Total):
            return []
        kinds = value.kind in ("text", "verbatim", "any", "truth")
        return [f"NOT(ISBLANK({self._cell(value)}))" if kinds else f"ISNUMBER({self._cell(value)})"]

    def _compared(self, value: Operand, sign: str, limit: float) -> str:
        if isinstance(value, Total):
            return f"SUM({','.join(f'IF({self._is(one, True)},1,0)' for one in value.fields)}){sign}{limit:g}"
        row, cell = self.constants.row(value, limit), self._cell(value)
        return f"SUM({f'INT(SUM({cell}))' if value.kind == 'date' else cell},-Cuts!$C${row}){sign}Cuts!$D${row}"

    def _equal(self, value: Operand, constant: Constant) -> str:
        if isinstance(constant, str):
            assert isinstance(value, Field), "a number of truths is no text"
            return f"EXACT({self._cell(value)},Cuts!$B${self.constants.row(value, constant)})"
        if isinstance(value, Field) and value.kind == "truth":
            return self._is(value, bool(constant))
        return self._compared(value, "=", float(constant))

    def _is(self, one: Field, truth: bool) -> str:
        cell = self._cell(one)
        return f"AND(NOT(ISBLANK({cell})),OR({cell}={'TRUE' if truth else 'FALSE'},{cell}={int(truth)}))"

    def _cell(self, one: Field) -> str:
        return f"${_letters(list(self.fields).index(one))}#"


def _none(tests: Sequence[Predicate], read: Mapping[str, RawColumn], rows: int) -> NDArray[np.bool_]:
    """Return for each row whether none of some tests holds."""
    broken = np.any([np.zeros(rows, dtype=bool), *(holds(test, read) for test in tests)], axis=0)
    return np.asarray(~broken, dtype=bool)


def _found(valid: Sequence[NDArray[np.bool_]], held: Sequence[NDArray[np.bool_]], row: int) -> int | None:
    """Return the first reason that holds of a row, None if its values cannot be read."""
    return next(i for i, one in enumerate(held) if one[row]) if all(one[row] for one in valid) else None


def _flag(formula: str) -> str:
    if len(formula) > MOST_FORMULA:
        raise ValueError(f"a formula must have at most {MOST_FORMULA} signs in a workbook; got {len(formula)}.")
    return f"=IF({formula},1,0)"


def _all(parts: Sequence[str]) -> str:
    return _joined("AND", parts, "TRUE")


def _any(parts: Sequence[str]) -> str:
    return _joined("OR", parts, "FALSE")


def _joined(word: str, parts: Sequence[str], otherwise: str) -> str:
    """Return tests joined by a function, in groups where they are more than a spreadsheet takes."""
    if len(parts) < 2:
        return parts[0] if parts else otherwise
    groups = [parts[i : i + MOST_ARGUMENTS] for i in range(0, len(parts), MOST_ARGUMENTS)]
    joined = [f"{word}({','.join(group)})" for group in groups]
    return joined[0] if len(joined) == 1 else f"{word}({','.join(joined)})"


def _letters(column: int) -> str:
    """Return what a spreadsheet calls a column, counted from 0.

    >>> _letters(0), _letters(25), _letters(26), _letters(701), _letters(702)
    ('A', 'Z', 'AA', 'ZZ', 'AAA')
    """
    first, last = divmod(column, 26)
    return (_letters(first - 1) if first else "") + chr(65 + last)
