"""Grids of cells with their addresses: sheets of a workbook, read with bounds, and separated text."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from idnf.auditing.hardened_xml import MOST_BYTES, XmlNode, parse_xml
from idnf.columns.phrases import brief
from idnf.logic.errors import InvalidArgument

MOST_ROWS, MOST_COLUMNS = 1_000, 200
"""The largest grid that is read."""

# Merged ranges that are filled: each may be as large as a grid.
_MOST_MERGED = 200

CellKind = Literal["text", "number", "boolean", "date"]

_SEPARATORS = ",;\t|"
_DATE_FORMATS = {*range(14, 23), *range(45, 48)}
_ADDRESS = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


@dataclass(frozen=True)
class GridCell:
    """What a cell holds, as it would be typed, and its place in words: ``sheet Rates, cell B3``."""

    text: str
    place: str
    kind: CellKind = "text"


@dataclass(frozen=True)
class CellGrid:
    """The cells of one sheet, a list for each row; all rows are equally long."""

    name: str
    rows: tuple[tuple[GridCell, ...], ...]


def read_separated(text: str, name: str) -> CellGrid:
    r"""Return text with separators as a grid: commas, semicolons, tabs or bars, whichever the first line has most of.

    >>> grid = read_separated("age;outcome\n< 18;no\n", "policy.csv")
    >>> grid.rows[1][0]
    GridCell(text='< 18', place='policy.csv, line 2, column 1', kind='text')
    """
    if len(text) > MOST_BYTES:
        raise InvalidArgument(name, f"have at most {MOST_BYTES:,} characters", f"{len(text):,}")
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[tuple[GridCell, ...]] = []
    try:
        for values in reader:
            line = reader.line_num
            places = (f"{name}, line {line}, column {j}" for j in range(1, len(values) + 1))
            rows.append(tuple(GridCell(value.strip(), place) for value, place in zip(values, places, strict=True)))
            _refuse_large(name, len(rows), len(values))
    except csv.Error as error:
        raise InvalidArgument(
            name, "be text with separators and closed quotes", f"line {reader.line_num}: {error}"
        ) from error
    return CellGrid(name, _rectangle(rows, name))


def read_workbook(data: bytes, name: str) -> list[CellGrid]:
    """Return the sheets of an Excel workbook (.xlsx) that hold anything; nothing in it is run or computed."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile as error:
        raise InvalidArgument(name, "be an Excel workbook (.xlsx)", "a file of another kind") from error
    with archive:
        workbook = _Workbook(archive, name)
        return [grid for grid in map(workbook.grid, workbook.sheets()) if grid.rows]


class _Workbook:
    """The parts of a workbook, each unpacked to at most the bytes that are read."""

    def __init__(self, archive: zipfile.ZipFile, name: str) -> None:
        self.archive, self.name, self.left = archive, name, MOST_BYTES
        self.texts = [_inner_text(item) for item in self._items("xl/sharedStrings.xml", "si")]
        styles = self._part("xl/styles.xml")
        formats = [] if styles is None else list(styles.all("cellXfs", "xf"))
        own = (
            {}
            if styles is None
            else {n.attributes.get("numFmtId"): n.attributes for n in styles.all("numFmts", "numFmt")}
        )
        self.dates = [_is_date(xf.attributes.get("numFmtId", "0"), own) for xf in formats]
        settings = self._part("xl/workbook.xml")
        properties = None if settings is None else settings.first("workbookPr")
        since_1904 = properties is not None and properties.attributes.get("date1904") in ("1", "true")
        self.epoch = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)

    def _part(self, path: str) -> XmlNode | None:
        """Return a part of the workbook; None if it has none of that name."""
        try:
            with self.archive.open(path) as stream:
                data = stream.read(self.left + 1)
        except KeyError:
            return None
        except (RuntimeError, NotImplementedError, zipfile.BadZipFile, EOFError) as error:
            raise InvalidArgument(self.name, "be a workbook that can be unpacked", brief(str(error))) from error
        if len(data) > self.left:
            raise InvalidArgument(self.name, f"unpack to at most {MOST_BYTES:,} bytes", "more")
        self.left -= len(data)
        return parse_xml(data, f"{self.name}, {path}")

    def _items(self, path: str, name: str) -> list[XmlNode]:
        part = self._part(path)
        return [] if part is None else list(part.all(name))

    def sheets(self) -> list[tuple[str, str]]:
        """Return the name and the path of each sheet."""
        workbook, links = self._part("xl/workbook.xml"), self._items("xl/_rels/workbook.xml.rels", "Relationship")
        if workbook is None:
            raise InvalidArgument(self.name, "be an Excel workbook (.xlsx)", "an archive without one")
        paths = {link.attributes.get("Id"): link.attributes.get("Target", "") for link in links}
        found = []
        for sheet in workbook.all("sheets", "sheet"):
            path = paths.get(sheet.attributes.get("id"), "")
            found.append((sheet.attributes.get("name", "?"), path.lstrip("/") if path[:1] == "/" else f"xl/{path}"))
        return found

    def grid(self, sheet: tuple[str, str]) -> CellGrid:
        """Return the cells of a sheet, those of a merged range all as its first one."""
        title, path = sheet
        part = self._part(path)
        cells: dict[tuple[int, int], GridCell] = {}
        for cell in () if part is None else part.all("sheetData", "row", "c"):
            place = _place_of(cell.attributes.get("r", ""), self.name)
            found = self._cell(cell, f"sheet {title}, cell {cell.attributes['r']}")
            if found.text:
                cells[place] = found
        merges = [] if part is None else list(part.all("mergeCells", "mergeCell"))
        if len(merges) > _MOST_MERGED:
            raise InvalidArgument(f"sheet {title}", f"have at most {_MOST_MERGED} merged ranges", len(merges))
        for merged in merges:
            _fill_merged(cells, merged.attributes.get("ref", ""), self.name)
        if not cells:
            return CellGrid(title, ())
        last_row, last_column = (max(place[axis] for place in cells) for axis in (0, 1))
        _refuse_large(f"sheet {title}", last_row, last_column)
        rows = [
            tuple(
                cells.get((i, j)) or GridCell("", f"sheet {title}, cell {_letters(j)}{i}")
                for j in range(1, last_column + 1)
            )
            for i in range(1, last_row + 1)
        ]
        return CellGrid(title, tuple(row for row in rows if any(cell.text for cell in row)))

    def _cell(self, cell: XmlNode, place: str) -> GridCell:
        kind, value = cell.attributes.get("t", "n"), cell.words("v")
        if cell.first("f") is not None:
            raise InvalidArgument(place, "hold a value", "a formula")
        if kind == "s":
            if not value.isdecimal() or int(value) >= len(self.texts):
                raise InvalidArgument(place, "name one of the texts of the workbook", brief(value))
            return GridCell(self.texts[int(value)].strip(), place)
        if kind == "inlineStr":
            inner = cell.first("is")
            return GridCell("" if inner is None else _inner_text(inner).strip(), place)
        if kind == "b":
            return GridCell("true" if value == "1" else "false", place, "boolean")
        if kind == "e":
            raise InvalidArgument(place, "hold a value", f"the error {brief(value)}")
        if kind != "n" or not value:
            return GridCell(value, place)
        style = cell.attributes.get("s", "0")
        if style.isdecimal() and int(style) < len(self.dates) and self.dates[int(style)]:
            return GridCell(self._date(value, place), place, "date")
        return GridCell(value, place, "number")

    def _date(self, value: str, place: str) -> str:
        try:
            moment = self.epoch + timedelta(days=float(value))
        except (ValueError, OverflowError) as error:
            raise InvalidArgument(place, "hold a date", brief(value)) from error
        return (
            moment.date().isoformat() if not (moment.hour or moment.minute or moment.second) else moment.isoformat(" ")
        )


def _is_date(number: str, own: dict[str | None, dict[str, str]]) -> bool:
    """Return whether a number format writes dates."""
    # What is not closed goes on to the end, so that no part of a code is read twice.
    code = re.sub(r'"[^"]*(?:"|$)|\[[^\]]*(?:\]|$)|\\.', "", own.get(number, {}).get("formatCode", "")).lower()
    return (number.isdecimal() and int(number) in _DATE_FORMATS) or any(sign in code for sign in "ydh")


def _inner_text(node: XmlNode) -> str:
    """Return a text that may be written in runs; what is said about its pronunciation is left out."""
    own = node.first("t")
    runs = ["" if run is None else run.text for run in (part.first("t") for part in node.all("r"))]
    return ("" if own is None else own.text) + "".join(runs)


def _place_of(address: str, name: str) -> tuple[int, int]:
    """Return the row and the column of an address, from 1.

    >>> _place_of("AB12", "a.xlsx")
    (12, 28)
    """
    found = _ADDRESS.fullmatch(address)
    if found is None:
        raise InvalidArgument(name, "name its cells as in B3", brief(address))
    column = 0
    for letter in found.group(1):
        column = 26 * column + ord(letter) - ord("A") + 1
    return int(found.group(2)), column


def _letters(column: int) -> str:
    """Return the letters of a column, from 1.

    >>> _letters(28)
    'AB'
    """
    column, rest = divmod(column - 1, 26)
    return (_letters(column) if column else "") + chr(ord("A") + rest)


def _fill_merged(cells: dict[tuple[int, int], GridCell], ref: str, name: str) -> None:
    start, _, end = ref.partition(":")
    (top, left), (bottom, right) = _place_of(start, name), _place_of(end or start, name)
    if (top, left) not in cells:
        return
    _refuse_large(f"{name}, merged cells {ref},", bottom, right)
    if len(cells) + (bottom - top + 1) * (right - left + 1) > MOST_ROWS * MOST_COLUMNS:
        raise InvalidArgument(name, f"hold at most {MOST_ROWS * MOST_COLUMNS:,} cells with those merged", "more")
    for i in range(top, bottom + 1):
        for j in range(left, right + 1):
            cells[i, j] = cells[top, left]


def _rectangle(rows: Sequence[tuple[GridCell, ...]], name: str) -> tuple[tuple[GridCell, ...], ...]:
    """Return the rows that hold anything, all as long as the longest."""
    kept = [row for row in rows if any(cell.text for cell in row)]
    width = max(map(len, kept), default=0)
    empty = GridCell("", name)
    return tuple((*row, *[empty] * (width - len(row))) for row in kept)


def _refuse_large(name: str, rows: int, columns: int) -> None:
    if rows > MOST_ROWS or columns > MOST_COLUMNS:
        raise InvalidArgument(
            name, f"have at most {MOST_ROWS:,} rows and {MOST_COLUMNS} columns", f"{rows:,} and {columns}"
        )
