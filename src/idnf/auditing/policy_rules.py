"""From a decision table as it is written to rules over columns: kinds of columns, allowed values, boxes."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, inf
from pathlib import Path

from idnf.auditing.cell_grids import read_separated, read_workbook
from idnf.auditing.conditions import cells_meeting, column_tests
from idnf.auditing.derived_columns import Derivation
from idnf.auditing.dmn_tables import dmn_tables
from idnf.auditing.policy_tables import InputKind, PolicyInput, PolicyTable, one_of_several, table_of_grid
from idnf.auditing.rule_sets import GivenRule, RuleSet
from idnf.auditing.unary_tests import UnaryTests, parse_tests
from idnf.columns.categories import BooleanColumn, CategoryColumn
from idnf.columns.cell_spans import cell_span
from idnf.columns.column import Missing, TableColumn, box_text
from idnf.columns.intervals import NumberColumn, TimeColumn
from idnf.columns.refinement import refined
from idnf.explaining.wording import label_words
from idnf.logic.errors import InvalidArgument

SUFFIXES = (".dmn", ".xml", ".xlsx", ".csv", ".tsv")
"""How files that hold decision tables end."""


def is_policy_file(given: object) -> bool:
    """Return whether something names a file of decision tables.

    >>> is_policy_file("policy.dmn"), is_policy_file("if age < 18 then no")
    (True, False)
    """
    return isinstance(given, (str, Path)) and "\n" not in str(given) and str(given).lower().endswith(SUFFIXES)


def read_policy(path: str | Path, table: str | None = None) -> RuleSet:
    """Read a decision table from a file: DMN, an Excel workbook, or text with separators.

    Parameters
    ----------
    path : path
    table : str, optional
        The decision, or the sheet, if the file has several.
    """
    place = Path(path)
    if not place.is_file():
        raise InvalidArgument("path", "name a file", str(path))
    suffix, data = place.suffix.lower(), place.read_bytes()
    if suffix in (".dmn", ".xml"):
        tables = dmn_tables(data, place.name)
    elif suffix == ".xlsx":
        grids = read_workbook(data, place.name)
        wanted = [grid for grid in grids if table in (None, grid.name)]
        if len(grids) > 1 and len(wanted) != 1:
            known = ", ".join(grid.name for grid in grids)
            raise InvalidArgument("table", f"name one of the sheets of {place.name} ({known})", f"{table or 'none'}")
        tables = [table_of_grid(grid) for grid in wanted]
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            got = f"byte {error.start:,} of another encoding"
            raise InvalidArgument(place.name, "be text in UTF-8", got) from error
        tables = [table_of_grid(read_separated(text, place.name))]
    return rules_of_table(one_of_several(tables, None if suffix in (".csv", ".tsv") else table, place.name))


def rules_of_table(table: PolicyTable) -> RuleSet:
    r"""Return a decision table as rules over the columns that its rules look at.

    >>> from idnf.auditing.cell_grids import read_separated
    >>> text = "A,age: integer,job,-> out\n1,<= 25,-,no\n2,> 20,nurse,yes\n"
    >>> rules = rules_of_table(table_of_grid(read_separated(text, "policy.csv")))
    >>> [rule.text for rule in rules.rules]
    ['rule 1: age <= 25 then no', 'rule 2: age > 20 and job is nurse then yes']
    """
    columns: list[TableColumn] = []
    masks: list[list[int]] = []
    domain: list[int] = []
    for place, one in enumerate(table.inputs):
        tests = table.tests(place)
        kind = table.kind_of(place, tests)
        if kind is None:
            continue
        column, allowed = _column(one, kind, tests, bare=table.bare)
        columns.append(column)
        domain.append(allowed)
        own = [column.full if each.condition is None else cells_meeting(each.condition, column) for each in tests]
        masks.append([_spread(column, allowed, mask) for mask in own])
    if not columns:
        raise InvalidArgument(table.name, "have a rule that tests something", "none")
    boxes = [tuple(mask[row] for mask in masks) for row in range(len(table.rows))]
    rules = []
    for number, (row, box) in enumerate(zip(table.rows, boxes, strict=True), 1):
        if not all(mask & allowed for mask, allowed in zip(box, domain, strict=True)):
            raise InvalidArgument(row.place, "have tests that some value allowed can meet", "tests that none meets")
        label = table.outcome(row.outcomes)
        words = f"rule {number}: {box_text(tuple(columns), box) or 'always'} then {label_words(label)}"
        rules.append(GivenRule((box,), label, words))
    otherwise = table.outcome(table.otherwise) if table.otherwise else None
    return RuleSet(tuple(columns), tuple(rules), otherwise, table.hit, tuple(domain))


def _column(one: PolicyInput, kind: InputKind, tests: Sequence[UnaryTests], *, bare: bool) -> tuple[TableColumn, int]:
    """Return an input as a column with the cuts and values that its tests need, and its cells that are allowed."""
    conditions = [test.condition for test in tests if test.condition is not None]
    allowed = None if one.allowed is None else parse_tests(one.allowed, one.name, bare=bare).condition
    stated = [test for each in [*conditions, *([] if allowed is None else [allowed])] for test in column_tests(each)]
    made = Derivation.of(one.name)
    takes_missing = any(test.operator == "missing" for test in stated) or (made is not None and made.sign == "/")
    missing: Missing = "allowed" if takes_missing else "refused"
    name = one.name if made is None else made.name
    if made is not None and kind in ("text", "boolean"):
        raise InvalidArgument(f"input {name}", "be compared with numbers or dates", f"a {kind}")
    empty: TableColumn
    if kind == "text":
        empty = CategoryColumn(name, missing)
    elif kind == "boolean":
        empty = BooleanColumn(name, missing)
    elif kind == "date":
        timed = any(len(value) > len("2024-06-30") for test in stated for value in test.values)
        empty = TimeColumn(name, missing, kind="datetime" if timed else "date")
    else:
        empty = NumberColumn(name, missing)
    column = refined(empty, [(test.operator, test.values) for test in stated if test.operator != "missing"])
    mask = column.full if allowed is None else cells_meeting(allowed, column) | column.missing_mask
    if kind == "integer":
        mask &= _whole_cells(column) | column.missing_mask
    if not mask & column.known_mask:
        raise InvalidArgument(f"input {name}", "allow some value", "none")
    return column, mask


def _whole_cells(column: TableColumn) -> int:
    """Return the cells of a column of numbers that hold a whole number."""
    spans = (cell_span(column, cell) for cell in range(len(column.known_labels)))
    ends = [span for span in spans if span is not None]
    return sum(1 << cell for cell, (low, high) in enumerate(ends) if high == inf or floor(high) > low)


def _spread(column: TableColumn, allowed: int, mask: int) -> int:
    """Return a mask in which cells that are not allowed go with the nearest that is: no value tells them apart."""
    known = [cell for cell in range(len(column.known_labels)) if allowed >> cell & 1]
    for cell in range(len(column.known_labels)):
        if not allowed >> cell & 1:
            below = [other for other in known if other < cell]
            nearest = (below[-1] if below else known[0]) if column.ordered else known[-1]
            mask = mask | 1 << cell if mask >> nearest & 1 else mask & ~(1 << cell)
    return mask
