"""The columns of a model file: every field checked before a column is made of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from idnf.columns.column import TableColumn
from idnf.columns.plain import column_from_dict
from idnf.exporting.documents import DocumentError, Place

MOST_COLUMNS = 20_000
MOST_VALUES = 2_000
"""The most cuts, categories or members of one column."""

MOST_LITERALS = 20_000

_TIMES = {
    "date": re.compile(r"\d{4}-\d\d-\d\d"),
    "datetime": re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d(\.\d{6})?)?"),
    "datetime-utc": re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d(\.\d{6})?)? UTC"),
    "duration": re.compile(r"-?\d{1,15}(\.\d{1,15})?(e[-+]\d\d)? (day|hour|minute|second)s?"),
}


def read_columns(place: Place) -> tuple[TableColumn, ...]:
    """Return the columns of a list of plain columns.

    >>> read_columns(Place([{"kind": "number", "name": "age", "missing": "refused", "cuts": ["old"], "seen": []}]))
    Traceback (most recent call last):
    ...
    idnf.exporting.documents.DocumentError: [0].cuts[0] must be a number; got 'old'.
    """
    columns = tuple(_column(item) for item in place.items(MOST_COLUMNS, least=1))
    _refuse_twice(place, "names of columns", [column.name for column in columns])
    _refuse_twice(place, "columns read from the table", [source for column in columns for source in column.sources])
    literals = sum(len(column.literals) for column in columns)
    if literals > MOST_LITERALS:
        raise DocumentError(f"{place.path} must offer at most {MOST_LITERALS} literals; got {literals}.")
    return columns


def _refuse_twice(place: Place, what: str, names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DocumentError(f"{place.path}: {what} must differ; got {name!r} twice.")
        seen.add(name)


def _column(place: Place) -> TableColumn:
    kind = place.key("kind").one_of(list(_KINDS))
    fields = _KINDS[kind]
    place.object(["kind", "name", "missing", *fields], _OPTIONAL.get(kind, ()))
    place.key("name").text()
    place.key("missing").one_of(["refused"] if "members" in fields else ["refused", "allowed", "seen"])
    for field, check in fields.items():
        check(place.key(field))
    assert isinstance(place.value, dict), "an object was asked for above"
    for field in _OPTIONAL.get(kind, ()):
        if field in place.value:
            place.key(field).boolean()
    try:
        column = column_from_dict(place.value)
    except ValueError as error:
        raise DocumentError(f"{place.path}: {error}") from error
    return column


def _numbers(place: Place) -> None:
    for item in place.items(MOST_VALUES):
        item.number()


def _ranks(place: Place) -> None:
    for item in place.items(MOST_VALUES):
        item.integer(0, MOST_VALUES)


def _number_pairs(place: Place) -> None:
    for item in place.items(MOST_VALUES + 1):
        if not item.is_null:
            for number in item.items(2, least=2):
                number.number()


def _times(kind: str) -> Mapping[str, Callable[[Place], None]]:
    pattern = _TIMES[kind]

    def time(place: Place) -> None:
        if not pattern.fullmatch(place.text()):
            raise place.error(f"a {kind}")

    def times(place: Place) -> None:
        for item in place.items(MOST_VALUES):
            time(item)

    def pairs(place: Place) -> None:
        for item in place.items(MOST_VALUES + 1):
            if not item.is_null:
                for value in item.items(2, least=2):
                    time(value)

    return {"cuts": times, "seen": pairs}


def _categories(place: Place) -> None:
    items = place.items(MOST_VALUES)
    kinds = {"text" if isinstance(item.scalar(), str) else type(item.value).__name__ for item in items}
    if len(kinds - {"float"} | ({"int"} if "float" in kinds else set())) > 1:
        raise place.error("a list of values of one type")


def _members(place: Place) -> None:
    for item in place.items(MOST_VALUES, least=2):
        item.text()


def _boolean(place: Place) -> None:
    place.boolean()


_KINDS: dict[str, Mapping[str, Callable[[Place], None]]] = {
    "number": {"cuts": _numbers, "seen": _number_pairs},
    **{kind: _times(kind) for kind in _TIMES},
    "ordered": {"values": _categories, "cuts": _ranks},
    "category": {"values": _categories, "rare": _boolean},
    "boolean": {"digits": _boolean},
    "one-hot": {"members": _members, "none": _boolean},
    "ordered-group": {"members": _members},
}

# What only wording needs, true where it is there.
_OPTIONAL = {"number": ("whole",), "category": ("pair",)}
