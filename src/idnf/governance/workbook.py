"""A classifier as a workbook: cases are typed, and formulas give their decision and its reason.

Each row has hidden cells at its end, 1 or 0: whether the values of a column can be read, and whether a reason holds.
The first reason that holds, in the order of :func:`idnf.exporting.ordered_reasons`, is the one given. Formulas
refer to cells only: names, categories and cuts stand in cells of their own, as text or numbers; none becomes a formula.
A spreadsheet takes numbers for equal that differ in their last digits, so a value is compared with a cut after both are
set against a number close by: what is left of them differs in its first digits.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from idnf import InvalidArgument
from idnf.classifier.fitted import AnyClassifier
from idnf.classifier.memory_source import ReadTable
from idnf.columns.column_inputs import ColumnInput
from idnf.columns.predicates import Field
from idnf.exporting import ordered_reasons, write_atomically
from idnf.reporting import one_line

if TYPE_CHECKING:
    from xlsxwriter import Workbook
    from xlsxwriter.worksheet import Worksheet

BLANK_ROWS = 100
"""Rows in which cases can be typed."""

Constant = str | float
Test = list[Any]
"""When a reason holds, as :func:`idnf.exporting.ordered_reasons` gives it."""

MOST_TEXT, MOST_FORMULA, MOST_ARGUMENTS, MOST_COLUMNS, MOST_ROWS = 32_767, 8_000, 200, 16_000, 1_000_000
_FEW_CONSTANTS = 8
_DAY, _DAYS = 86_400_000_000, 25_569
"""The microseconds of a day, and the days from the first that spreadsheets count to 1970."""

_SERIAL = {"date": "yyyy-mm-dd", "datetime": "yyyy-mm-dd hh:mm:ss", "datetime-utc": "yyyy-mm-dd hh:mm:ss"}


def to_excel(clf: AnyClassifier, path: str | os.PathLike[str], X: object = None) -> None:
    """Write a classifier as a workbook with a sheet to type cases in, its reasons and, if given, rows decided.

    Of bands, the sheets have the band of a case and why it is in no lower and in no higher one.
    Dates and times are typed as such, times with a time zone in UTC; durations in seconds; an empty cell is missing.
    Needs XlsxWriter.

    Parameters
    ----------
    clf : DNFClassifier or DNFBands
    path : path
    X : table or array of shape (n_samples, n_features), optional
        Rows for a sheet of their own.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from idnf import DNFClassifier
    >>> with TemporaryDirectory() as folder:
    ...     to_excel(DNFClassifier.from_dnf("late | owner & member"), f"{folder}/policy.xlsx")
    """
    write_atomically(path, excel_bytes(clf, X))


def excel_bytes(clf: AnyClassifier, X: object = None) -> bytes:
    """Return the content of the workbook that :func:`to_excel` writes."""
    try:
        from xlsxwriter import Workbook
    except ImportError as error:
        raise ImportError("a workbook needs XlsxWriter: pip install 'idnf[governance]'") from error
    out = BytesIO()
    try:
        with Workbook(out, {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}) as book:
            _fill(book, clf, X)
    except UnicodeEncodeError as error:
        raise InvalidArgument(
            "a workbook", "hold whole characters", f"half of one, {error.object[error.start]!r}"
        ) from error
    return out.getvalue()


@dataclass(frozen=True)
class _Reasons:
    """The reasons of each model whose labels are claimed, in a block of its own, as a workbook has them.

    Parameters
    ----------
    outcomes : tuple
        What a row may be given.
    claims : tuple of str
        What the claims of a row are called.
    rounded : str
        Which columns are rounded up, if any.
    conditions : list of tests
        When each reason holds; of each block the first that does is given.
    listed : list of tuple
        Identifier, what is given, and words of each.
    labels : list of int
        The number of the label of each. Those of the reasons given add up to the number of the outcome.
    blocks : list of range
        The places of the reasons of each model.
    """

    outcomes: tuple[str | float, ...]
    claims: tuple[str, ...]
    rounded: str
    conditions: list[Test]
    listed: list[tuple[str, str | float, str]]
    labels: list[int]
    blocks: list[range]

    @classmethod
    def of(cls, clf: AnyClassifier) -> _Reasons:
        """Return the reasons of a model."""
        fitted = clf.fitted_
        made = cls(cast(tuple[str | float, ...], fitted.outcomes), fitted.claims, fitted.rounded, [], [], [], [])
        for model in clf.models_:
            pairs, labels = ordered_reasons(model), model.classes_.tolist()
            made.blocks.append(range(len(made.listed), len(made.listed) + len(pairs)))
            made.conditions.extend(test for _, test in pairs)
            made.listed.extend((one.id, cast(str | float, one.label), str(one)) for one, _ in pairs)
            made.labels.extend(labels.index(one.label) for one, _ in pairs)
        return made

    @property
    def titles(self) -> tuple[str, ...]:
        """The heads of what is answered."""
        if len(self.claims) == 1:
            return ("Decision", "Reason number", "Reason")
        return ("Band", *(f"{name.capitalize()} because" for name in self.claims))


def _fill(book: Workbook, clf: AnyClassifier, X: object) -> None:
    columns = clf.fitted_.inputs
    fields = [one for column in columns for one in column.fields]
    reasons = _Reasons.of(clf)
    if len(fields) + len(columns) + len(reasons.conditions) > MOST_COLUMNS:
        raise InvalidArgument(
            "a workbook", f"need at most {MOST_COLUMNS} columns", f"{len(reasons.conditions)} reasons"
        )
    nothing = clf.fitted_.read_plain({one.name: [None] * BLANK_ROWS for one in fields})
    sheets: list[tuple[Worksheet, ReadTable[Any]]] = [(book.add_worksheet("Cases"), nothing)]
    if X is not None:
        table = clf.fitted_.read(X)
        assert table.cells is not None, "rows without an answer are refused"
        sheets.append((book.add_worksheet("Rows"), table))
    catalogue, constants = book.add_worksheet("Reasons"), _Constants(book.add_worksheet("Cuts"))
    _catalogue(catalogue, reasons)
    for number, (sheet, rows) in enumerate(sheets):
        _Sheet(book, sheet, fields, constants).write(columns, reasons, rows, blank=number == 0)
    sheets[0][0].activate()


def _catalogue(sheet: Worksheet, reasons: _Reasons) -> None:
    """Write the reasons and, for formulas to look up, the number of the label of each, and the outcomes."""
    for place, title in enumerate(("Number", "Decision", "Reason")):
        sheet.write_string(0, place, title)
    for row, ((name, label, said), number) in enumerate(zip(reasons.listed, reasons.labels, strict=True), 1):
        sheet.write_string(row, 0, name)
        write_value(sheet, row, 1, label)
        write_value(sheet, row, 2, said)
        sheet.write_number(row, 3, number)
    for row, outcome in enumerate(reasons.outcomes, 1):
        write_value(sheet, row, 4, outcome)
    if reasons.rounded:
        write_value(sheet, len(reasons.listed) + 2, 2, reasons.rounded)
    sheet.set_column(2, 2, 80)
    sheet.set_column(3, 4, None, None, {"hidden": True})


def write_value(sheet: Worksheet, row: int, column: int, value: str | float | bool, form: object = None) -> None:
    """Write a value as itself, whatever it looks like: text never as a formula, a number to its last digit."""
    if isinstance(value, str):
        if len(value) > MOST_TEXT:
            raise InvalidArgument("text", f"have at most {MOST_TEXT} characters in a workbook", len(value))
        _write_text(sheet, row, column, value)
    elif isinstance(value, bool):
        sheet.write_boolean(row, column, value)
    elif float(f"{value:.16G}") == value:
        sheet.write_number(row, column, value, form)
    else:
        near = float(f"{value:.15g}")
        sheet.write_formula(row, column, f"={near:.15g}+{value - near:.15g}".replace("+-", "-"), form, repr(value))


def _write_text(sheet: Worksheet, row: int, column: int, text: str, form: object = None) -> None:
    if not text:
        # A cell with an empty text would be read as an empty cell.
        done = sheet.write_formula(row, column, '=""', form, "")
    elif text.startswith("<r>") and text.endswith("</r>"):
        # XlsxWriter takes such a text for markup, unless it comes in pieces.
        done = sheet.write_rich_string(row, column, text[0], text[1], text[2:], *filter(None, [form]))
    else:
        done = sheet.write_string(row, column, text, form)
    assert done == 0, "texts and places are within bounds"


def stored_result(text: str) -> str:
    r"""Return a text as a workbook stores it beside the formula that gives it; XlsxWriter does so for other texts only.

    >>> stored_result("a\x07 <b>"), stored_result("_x0007_")
    ('a_x0007_ <b>', '_x005F_x0007_')
    """
    plain = re.sub("_(?=x[0-9A-Fa-f]{4}_)", "_x005F_", text)
    return re.sub("[\x00-\x08\x0b-\x1f\ufffe\uffff]", lambda sign: f"_x{ord(sign[0]):04X}_", plain)


def _serial(value: float, kind: str) -> float:
    """Return a time in microseconds as the number of days that spreadsheets count, a duration in seconds."""
    if kind == "duration":
        return value / 1_000_000
    whole, part = divmod(int(value), _DAY)
    return whole + _DAYS + part / _DAY if kind in _SERIAL else value


@dataclass
class _Constants:
    """The sheet of what values are compared with, each in a cell of its own."""

    sheet: Worksheet
    places: dict[tuple[str, type, Constant], int] = field(default_factory=dict)
    blocks: dict[tuple[str, tuple[Constant, ...]], tuple[int, int]] = field(default_factory=dict)
    used: int = 0

    def __post_init__(self) -> None:
        for place, title in enumerate(("Column", "Compared with", "Close by", "Difference")):
            self.sheet.write_string(0, place, title)
        self.sheet.set_column(2, 3, None, None, {"hidden": True})

    def row(self, of: Field, value: Constant) -> int:
        """Return the row of a constant, which is written when it is first asked for."""
        shown = value if isinstance(value, str) else _serial(value, of.kind)
        key = (of.name, type(shown), shown)
        if key not in self.places:
            self.places[key] = self._write(of, shown)
        return self.places[key]

    def block(self, of: Field, values: Sequence[Constant]) -> tuple[int, int]:
        """Return the first and the last row of several constants, which stand one below the other."""
        key = (of.name, tuple(values))
        if key not in self.blocks:
            rows = [self._write(of, value if isinstance(value, str) else _serial(value, of.kind)) for value in values]
            self.blocks[key] = (rows[0], rows[-1])
        return self.blocks[key]

    def _write(self, of: Field, shown: Constant) -> int:
        """Write a constant below the others and return its row, counted from 1."""
        self.used += 1
        write_value(self.sheet, self.used, 0, one_line(of.name))
        write_value(self.sheet, self.used, 1, shown)
        if not isinstance(shown, str):
            near = shown * (1 + 2**-46)
            write_value(self.sheet, self.used, 2, near)
            write_value(self.sheet, self.used, 3, shown - near)
        return self.used + 1


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
        columns: Sequence[ColumnInput],
        reasons: _Reasons,
        table: ReadTable[Any],
        *,
        blank: bool,
    ) -> None:
        """Write the rows of a sheet, with the results of all formulas beside them."""
        rows, n, m = len(table) if self.fields else 0, len(self.fields), len(columns)
        if rows > MOST_ROWS:
            raise InvalidArgument("X", f"have at most {MOST_ROWS} rows for a workbook", rows)
        bold = self.book.add_format({"bold": True})
        for place, title in enumerate([*(one.name for one in self.fields), *reasons.titles]):
            _write_text(self.sheet, 0, place, one_line(title)[:MOST_TEXT], bold)
        self.sheet.freeze_panes(1, 0)
        valid = [_none([table.holds(test) for test in column.refused], len(table)) for column in columns]
        held = [table.holds(test) for test in reasons.conditions]
        kinds = [self._of_kind(column) for column in columns]
        wrong = [[self.formula(test) for test in column.refused] for column in columns]
        hidden = [
            *(_flag(_all([*kind, *(f"NOT({one})" for one in no)])) for kind, no in zip(kinds, wrong)),
            *(_flag(self.formula(test)) for test in reasons.conditions),
        ]
        for place, one in enumerate(self.fields):
            form = self.formats.get(one.kind)
            for row, value in enumerate(_cell_values(one, table), 1):
                if value is None:
                    self.sheet.write_blank(row, place, None, form)
                else:
                    write_value(self.sheet, row, place, value, form)
        for row in range(rows):
            self._answer(row, reasons, (n, m), blank=blank, found=_reason_places(valid, held, reasons, row))
            for place, (text, flags) in enumerate(zip(hidden, [*valid, *held])):
                self.sheet.write_formula(row + 1, n + 3 + place, text.replace("#", str(row + 2)), None, int(flags[row]))
        self.sheet.set_column(n + 3 - len(reasons.claims), n + 2, 60)
        last = n + 2 + len(hidden) + len(reasons.blocks)
        self.sheet.set_column(n + 3, last, None, None, {"hidden": True})

    def _answer(
        self, row: int, reasons: _Reasons, sizes: tuple[int, int], *, blank: bool, found: list[int] | None
    ) -> None:
        """Write the three formulas that look up the reasons given, if all values can be read, and their places."""
        n, m = sizes
        at = f"${_letters(n + 3)}{row + 2}:${_letters(n + 2 + m)}{row + 2}"
        empty = f"COUNTA($A{row + 2}:${_letters(n - 1)}{row + 2})=0" if blank and n else "FALSE"
        cells = self._places(row, n + 3 + m, reasons, found)
        for place, (answer, known) in enumerate(_lookup_formulas(cells, reasons, found)):
            said = "" if place else "check the values"
            read = f'IF(MIN({at})=0,"{said}",{answer})' if m else answer
            shown = "" if blank and n else said if found is None else known
            result = stored_result(shown) if isinstance(shown, str) else shown
            self.sheet.write_formula(row + 1, n + place, f'=IF({empty},"",{read})', None, result)

    def _places(self, row: int, start: int, reasons: _Reasons, found: list[int] | None) -> list[str]:
        """Write the place of the first reason of each block that holds into hidden cells, which are returned."""
        cells = []
        for place, block in enumerate(reasons.blocks):
            held = f"${_letters(start + block.start)}{row + 2}:${_letters(start + block.stop - 1)}{row + 2}"
            first = f"MATCH(1,{held},0)" + (f"+{block.start}" if block.start else "")
            column, number = start + len(reasons.conditions) + place, 0 if found is None else found[place] + 1
            self.sheet.write_formula(row + 1, column, f"=IFERROR({first},0)", None, number)
            cells.append(f"${_letters(column)}{row + 2}")
        return cells

    def _of_kind(self, column: ColumnInput) -> list[str]:
        """Return the tests that a value is of the kind of its field, or missing."""
        found = []
        for one in column.fields:
            cell = self._cell(one)
            if one.kind == "truth":
                found.append(f"OR(ISBLANK({cell}),{cell}=TRUE,{cell}=FALSE,{cell}=1,{cell}=0)")
            elif one.kind not in ("text", "any"):
                found.append(f"OR(ISBLANK({cell}),ISNUMBER({cell}))")
        return found

    def formula(self, test: Test) -> str:
        """Return a test as a formula without its equals sign, the number of the row written #."""
        match test:
            case ["and", *parts]:
                return _all([self.formula(part) for part in parts])
            case ["or", *parts]:
                return _any([self.formula(part) for part in parts])
            case ["missing", [name], negated]:
                cell = self._cell(self._field(name))
                return f"NOT(ISBLANK({cell}))" if negated else f"ISBLANK({cell})"
            case ["compare", names, over, upto]:
                limits = [(limit, sign) for limit, sign in ((over, ">"), (upto, "<=")) if limit is not None]
                return _all([*self._is_known(names), *(self._comparison(names, sign, at) for at, sign in limits)])
            case ["one of", names, constants, negated]:
                among = self._among(names, constants)
                return _all([*self._is_known(names), f"NOT({among})" if negated else among])
        raise AssertionError("there are no other tests")

    def _field(self, name: str) -> Field:
        return next(one for one in self.fields if one.name == name)

    def _is_known(self, names: Sequence[str]) -> list[str]:
        """Return that a value is not missing; of several truths it does not matter which are."""
        if len(names) > 1:
            return []
        one = self._field(names[0])
        kinds = one.kind in ("text", "any", "truth")
        return [f"NOT(ISBLANK({self._cell(one)}))" if kinds else f"ISNUMBER({self._cell(one)})"]

    def _comparison(self, names: Sequence[str], sign: str, limit: float) -> str:
        if len(names) > 1:
            truths = ",".join(f"IF({self._is(self._field(name), True)},1,0)" for name in names)
            return f"SUM({truths}){sign}{limit:g}"
        one = self._field(names[0])
        row, cell = self.constants.row(one, limit), self._cell(one)
        return f"SUM({f'INT(SUM({cell}))' if one.kind == 'date' else cell},-Cuts!$C${row}){sign}Cuts!$D${row}"

    def _among(self, names: Sequence[str], constants: Sequence[Constant]) -> str:
        if len(names) > 1 or len(constants) <= _FEW_CONSTANTS:
            return _any([self._equal(names, constant) for constant in constants])
        one = self._field(names[0])
        first, last = self.constants.block(one, constants)
        if isinstance(constants[0], str):
            return f"SUMPRODUCT(--EXACT({self._cell(one)},Cuts!$B${first}:$B${last}))>0"
        return f"SUMPRODUCT(--(N({self._cell(one)})-Cuts!$C${first}:$C${last}=Cuts!$D${first}:$D${last}))>0"

    def _equal(self, names: Sequence[str], constant: Constant) -> str:
        one = self._field(names[0])
        if isinstance(constant, str):
            return f"EXACT({self._cell(one)},Cuts!$B${self.constants.row(one, constant)})"
        if len(names) == 1 and one.kind == "truth":
            return self._is(one, bool(constant))
        return self._comparison(names, "=", float(constant))

    def _is(self, one: Field, truth: bool) -> str:
        cell = self._cell(one)
        return f"AND(NOT(ISBLANK({cell})),OR({cell}={'TRUE' if truth else 'FALSE'},{cell}={int(truth)}))"

    def _cell(self, one: Field) -> str:
        return f"${_letters(list(self.fields).index(one))}#"


def _cell_values(one: Field, table: ReadTable[Any]) -> list[str | float | bool | None]:
    """Return the values of a field as they are typed, None for a missing one."""
    values = table.values(one)
    return [value if value is None or isinstance(value, (str, bool)) else _serial(value, one.kind) for value in values]


def _none(broken: Sequence[NDArray[np.bool_]], rows: int) -> NDArray[np.bool_]:
    """Return for each row whether none of some tests holds."""
    return np.asarray(~np.any([np.zeros(rows, dtype=bool), *broken], axis=0), dtype=bool)


def _reason_places(
    valid: Sequence[NDArray[np.bool_]], held: Sequence[NDArray[np.bool_]], reasons: _Reasons, row: int
) -> list[int] | None:
    """Return the place of the first reason of each block that holds for a row; None if its values cannot be read."""
    if not all(one[row] for one in valid):
        return None
    return [next(i for i in block if held[i][row]) for block in reasons.blocks]


def _lookup_formulas(cells: Sequence[str], reasons: _Reasons, found: list[int] | None) -> list[tuple[str, str | float]]:
    """Return the formulas that look up outcome and claims by the places of the reasons given, and their values."""
    count, stop = len(cells), len(reasons.listed) + 1
    passed = f"SUM({','.join(f'INDEX(Reasons!$D$2:$D${stop},{cell})' for cell in cells)})"
    outcome = sum(reasons.labels[one] for one in found or [])
    decision = f"INDEX(Reasons!$E$2:$E${len(reasons.outcomes) + 1},{passed}+1)", reasons.outcomes[outcome]
    given = [reasons.listed[one] for one in found] if found is not None else [("", "", "")] * count
    if len(reasons.claims) == 1:
        number, words = (f"INDEX(Reasons!${column}$2:${column}${stop},{cells[0]})" for column in "AC")
        return [decision, (number, given[0][0]), (words, given[0][2])]
    at = f"INDEX(Reasons!$C$2:$C${stop},INDEX({cells[0]}:{cells[-1]},"
    return [
        decision,
        (f'IF({passed}=0,"",{at}MAX({passed},1))))', given[outcome - 1][2] if outcome else ""),
        (f'IF({passed}={count},"",{at}MIN({passed}+1,{count}))))', given[outcome][2] if outcome < count else ""),
    ]


def _flag(formula: str) -> str:
    if len(formula) > MOST_FORMULA:
        raise InvalidArgument("a formula", f"have at most {MOST_FORMULA} characters in a workbook", len(formula))
    return f"=IF({formula},1,0)"


def _all(parts: Sequence[str]) -> str:
    return _join_tests("AND", parts, "TRUE")


def _any(parts: Sequence[str]) -> str:
    return _join_tests("OR", parts, "FALSE")


def _join_tests(word: str, parts: Sequence[str], otherwise: str) -> str:
    """Return tests joined by a function, in groups if they are more than a spreadsheet takes."""
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
