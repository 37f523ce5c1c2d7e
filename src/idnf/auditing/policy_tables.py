"""Decision tables as they are written: what inputs are compared with, outcomes, and which rules may hold at once.

Hit policies are those of DMN: UNIQUE, at most one rule holds for a row; ANY, those that hold agree; FIRST, the first
that holds decides.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from idnf.auditing.cell_grids import CellGrid, GridCell
from idnf.auditing.unary_tests import Literally, UnaryTests, ValueKind, parse_tests, parse_value
from idnf.columns.phrases import brief
from idnf.logic.errors import InvalidArgument

HitPolicy = Literal["unique", "any", "first"]
HIT_POLICIES: tuple[HitPolicy, ...] = get_args(HitPolicy)

InputKind = Literal["number", "integer", "text", "boolean", "date"]
INPUT_KINDS: tuple[InputKind, ...] = get_args(InputKind)

_INITIALS: Mapping[str, HitPolicy] = {name[0]: name for name in HIT_POLICIES}
_OUTCOME = re.compile(r"(?:->|→|=>|then\b|output\b:?)\s*(?P<name>.*)", re.IGNORECASE | re.DOTALL)
_NOTES = ("annotation", "annotations", "comment", "comments", "description", "note", "notes", "remark", "remarks")


@dataclass(frozen=True)
class PolicyInput:
    """What a column of a decision table is about: its name, its kind and the values allowed, if they are stated."""

    name: str
    kind: InputKind | None = None
    allowed: GridCell | None = None


@dataclass(frozen=True)
class PolicyRow:
    """A rule of a decision table: where it stands, a cell for each input, and one for each outcome."""

    place: str
    tests: tuple[GridCell, ...]
    outcomes: tuple[GridCell, ...]


@dataclass(frozen=True)
class PolicyTable:
    """A decision table as it is written.

    Attributes
    ----------
    name : str
    hit : HitPolicy
    inputs : tuple of PolicyInput
    rows : tuple of PolicyRow
    otherwise : tuple of GridCell
        The outcome of rows that meet no rule, if one is stated.
    bare : bool
        Whether texts may stand without quotes.
    """

    name: str
    hit: HitPolicy
    inputs: tuple[PolicyInput, ...]
    rows: tuple[PolicyRow, ...]
    otherwise: tuple[GridCell, ...] = ()
    bare: bool = False

    def __post_init__(self) -> None:
        if not self.inputs or not self.rows:
            lacking = "no rules" if self.inputs else "no inputs"
            raise InvalidArgument(self.name, "have a row of rules below its heading, and columns of inputs", lacking)
        names = [each.name for each in self.inputs]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise InvalidArgument(self.name, "have inputs of different names", f"{twice} more than once")

    def tests(self, place: int) -> list[UnaryTests]:
        """Return what each rule asks of an input, by the input's place."""
        name = self.inputs[place].name
        return [parse_tests(row.tests[place], name, bare=self.bare) for row in self.rows]

    def kind_of(self, place: int, tests: Sequence[UnaryTests]) -> InputKind | None:
        """Return the kind of an input, as stated or as its tests show; None if no rule looks at it."""
        stated = self.inputs[place].kind
        cells = [row.tests[place] for row in self.rows]
        seen: InputKind | None = stated
        for cell, test in zip(cells, tests, strict=True):
            for kind in sorted(test.kinds - {"null"}):
                if seen is None:
                    seen = _input_kind(kind)
                if _input_kind(kind) != ("number" if seen == "integer" else seen):
                    raise InvalidArgument(
                        cell.place, f"be compared as a {seen}, like the other cells of the column", brief(cell.text)
                    )
        return seen if any(test.condition is not None for test in tests) else None

    def outcome(self, cells: Sequence[GridCell]) -> object:
        """Return an outcome: its value or, if a rule gives several, all of them as a text."""
        values = [_plain(parse_value(cell, bare=self.bare)) for cell in cells]
        return values[0] if len(values) == 1 else ", ".join(map(str, values))


def _input_kind(kind: ValueKind) -> InputKind:
    assert kind != "null", "null is of every kind"
    return kind


def _plain(value: Literally) -> object:
    if value.kind == "number":
        number = float(value.text)
        return int(number) if number.is_integer() and abs(number) < 1e15 else number
    return value.text == "true" if value.kind == "boolean" else value.text


def hit_policy(words: str, place: str, *, aggregation: str = "") -> HitPolicy:
    """Return the hit policy of some words or of an initial.

    >>> hit_policy("U", "table 1"), hit_policy("FIRST", "table 1")
    ('unique', 'first')
    >>> hit_policy("COLLECT", "table 1", aggregation="SUM")
    Traceback (most recent call last):
        ...
    idnf.logic.errors.InvalidArgument: table 1 must have the hit policy UNIQUE, ANY or FIRST; got 'COLLECT SUM'.
    """
    plain = words.strip().lower()
    found = _INITIALS.get(plain) or next((name for name in HIT_POLICIES if name == plain), None)
    if found is None or aggregation:
        got = f"{words.strip()} {aggregation}".strip()
        raise InvalidArgument(place, "have the hit policy UNIQUE, ANY or FIRST", brief(got))
    return found


def table_of_grid(grid: CellGrid) -> PolicyTable:
    r"""Return a sheet as a decision table.

    The first row names the columns. If its first cell is a hit policy (U, A, F or the word), the first column holds the
    numbers of the rules; otherwise the policy is UNIQUE. Columns whose names begin with "->" or "then" are outcomes, or
    the last column if there is none; columns named notes, comments and the like are left out, and so is what stands
    right of the outcomes. An input may state its kind, as in ``age: integer``. A last row with "otherwise" or "else" in
    place of its tests is for all other rows.

    >>> from idnf.auditing.cell_grids import read_separated
    >>> table = table_of_grid(read_separated("F,age: integer,-> outcome\n1,< 18,no\n2,-,yes\n", "policy.csv"))
    >>> table.hit, table.inputs[0].kind, [table.outcome(row.outcomes) for row in table.rows]
    ('first', 'integer', ['no', 'yes'])
    """
    if len(grid.rows) < 2:
        raise InvalidArgument(grid.name, "have a row of names and a row for each rule", f"{len(grid.rows)} rows")
    head, *rows = grid.rows
    hit: HitPolicy = "unique"
    first = 0
    if head[0].text.upper() in (*_INITIALS_UPPER, *(name.upper() for name in HIT_POLICIES)):
        hit, first = hit_policy(head[0].text, head[0].place), 1
    places = range(first, len(head))
    named = [j for j in places if _OUTCOME.fullmatch(head[j].text)]
    outcomes = named or [j for j in places if head[j].text and head[j].text.lower() not in _NOTES][-1:]
    inputs = [j for j in places if outcomes and j < outcomes[0] and head[j].text.lower() not in _NOTES]
    _refuse_unnamed(head, rows, inputs)
    otherwise: tuple[GridCell, ...] = ()
    if _says_otherwise(rows[-1], inputs):
        otherwise = tuple(rows[-1][j] for j in outcomes)
        rows = rows[:-1]
    made = [_policy_row(row, inputs, outcomes) for row in rows]
    return PolicyTable(grid.name, hit, tuple(_input(head[j]) for j in inputs), tuple(made), otherwise, bare=True)


_INITIALS_UPPER = tuple(initial.upper() for initial in _INITIALS)


def _policy_row(row: tuple[GridCell, ...], inputs: Sequence[int], outcomes: Sequence[int]) -> PolicyRow:
    place = row[outcomes[0]].place.rpartition(", column")[0] or row[outcomes[0]].place
    return PolicyRow(place, tuple(row[j] for j in inputs), tuple(row[j] for j in outcomes))


def _refuse_unnamed(head: tuple[GridCell, ...], rows: Sequence[tuple[GridCell, ...]], inputs: Sequence[int]) -> None:
    for j in inputs:
        if not head[j].text and any(row[j].text for row in rows):
            raise InvalidArgument(head[j].place, "name its column, which has tests", "nothing")


def _says_otherwise(row: tuple[GridCell, ...], inputs: Sequence[int]) -> bool:
    words = [row[j].text.lower() for j in inputs if row[j].text]
    return bool(words) and set(words) <= {"otherwise", "else"}


def _input(cell: GridCell) -> PolicyInput:
    name, _, stated = cell.text.rpartition(":")
    kind = next((kind for kind in INPUT_KINDS if kind == stated.strip().lower()), None)
    return PolicyInput(cell.text) if kind is None else PolicyInput(name.rstrip(), kind)


def one_of_several(tables: Sequence[PolicyTable], name: str | None, path: str) -> PolicyTable:
    """Return the table of a name; the only one if none is asked for."""
    known = ", ".join(table.name for table in tables)
    if not tables:
        raise InvalidArgument(path, "hold a decision table", "none")
    if name is None and len(tables) > 1:
        raise InvalidArgument("table", f"name one of the tables of {path} ({brief(known, 400)})", "none")
    found = [table for table in tables if name in (None, table.name)]
    if len(found) != 1:
        raise InvalidArgument("table", f"be one of {brief(known, 400)}", f"{name!r}")
    return replace(found[0])
