"""The columns of a model file: a reader for each kind, which checks every field before a column is made of it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise

from idnf.columns.categories import BooleanColumn, CategoryColumn, OrderedColumn
from idnf.columns.column import Missing, TableColumn
from idnf.columns.groups import OneHotGroup, OrderedGroup
from idnf.columns.intervals import NumberColumn, Seen, TimeColumn, TimeKind
from idnf.columns.phrases import time_value
from idnf.columns.raw import Category
from idnf.exporting.documents import DocumentError, Place

MOST_COLUMNS = 20_000
MOST_VALUES = 2_000
"""The most cuts, categories or members of one column."""

MOST_LITERALS = 20_000

_TIMES: dict[TimeKind, re.Pattern[str]] = {
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
    kind = place.key("kind").one_of(list(_READERS))
    fields, optional, read = _READERS[kind]
    place.object(["kind", "name", "missing", *fields], optional)
    name = place.key("name").text()
    takes: Sequence[Missing] = ("refused",) if "members" in fields else ("refused", "allowed", "seen")
    missing = place.key("missing").one_of(takes)
    try:
        return read(place, name, missing)
    except DocumentError:
        raise
    except ValueError as error:
        raise DocumentError(f"{place.path}: {error}") from error


def _number(place: Place, name: str, missing: Missing) -> NumberColumn:
    cuts = _ascending(name, [item.number() for item in place.key("cuts").items(MOST_VALUES)])
    seen = _seen(place.key("seen"), name, Place.number, cuts)
    whole = _flag(place, "whole")
    if whole and any(cut != int(cut) for cut in cuts):
        raise ValueError(f"cuts of column {name!r}, of whole numbers, must be whole; got {list(cuts)}.")
    if whole and any(value != int(value) for pair in seen if pair for value in pair):
        raise ValueError(f"seen of column {name!r}, of whole numbers, must be whole; got {list(seen)}.")
    return NumberColumn(name, missing, cuts, seen, whole)


def _time(kind: TimeKind, place: Place, name: str, missing: Missing) -> TimeColumn:
    def moment(item: Place) -> float:
        if not _TIMES[kind].fullmatch(item.text()):
            raise item.error(f"a {kind}")
        return time_value(item.text(), kind)

    cuts = _ascending(name, [moment(item) for item in place.key("cuts").items(MOST_VALUES)])
    return TimeColumn(name, missing, kind, cuts, _seen(place.key("seen"), name, moment, cuts))


def _ordered(place: Place, name: str, missing: Missing) -> OrderedColumn:
    values = _categories(place.key("values"), name)
    cuts = _ascending(name, [float(item.integer(0, MOST_VALUES)) for item in place.key("cuts").items(MOST_VALUES)])
    if any(cut >= len(values) - 1 for cut in cuts):
        raise ValueError(f"cuts of column {name!r} must lie between its {len(values)} values; got {list(cuts)}.")
    return OrderedColumn(name, missing, values, tuple(map(int, cuts)))


def _category(place: Place, name: str, missing: Missing) -> CategoryColumn:
    values, pair = _categories(place.key("values"), name), _flag(place, "pair")
    if pair and len(values) != 2:
        raise ValueError(f"values of column {name!r}, a pair, must be two; got {list(values)}.")
    return CategoryColumn(name, missing, values, rare=place.key("rare").boolean(), pair=pair)


def _one_hot(place: Place, name: str, missing: Missing) -> OneHotGroup:
    return OneHotGroup(name, missing, _members(place), none=place.key("none").boolean())


# For each kind its fields, those that may be left out, which only wording needs, and its reader.
_READERS: dict[str, tuple[Sequence[str], Sequence[str], Callable[[Place, str, Missing], TableColumn]]] = {
    "number": (("cuts", "seen"), ("whole",), _number),
    **{kind: (("cuts", "seen"), (), partial(_time, kind)) for kind in _TIMES},
    "ordered": (("values", "cuts"), (), _ordered),
    "category": (("values", "rare"), ("pair",), _category),
    "boolean": (("digits",), (), lambda at, name, missing: BooleanColumn(name, missing, at.key("digits").boolean())),
    "one-hot": (("members", "none"), (), _one_hot),
    "ordered-group": (("members",), (), lambda at, name, missing: OrderedGroup(name, missing, _members(at))),
}


def _flag(place: Place, key: str) -> bool:
    return place.has(key) and place.key(key).boolean()


def _ascending(name: str, cuts: Sequence[float]) -> tuple[float, ...]:
    if any(low >= high for low, high in pairwise(cuts)):
        raise ValueError(f"cuts of column {name!r} must ascend; got {list(cuts)}.")
    return tuple(cuts)


def _seen(place: Place, name: str, read: Callable[[Place], float], cuts: Sequence[float]) -> Seen:
    pairs: list[tuple[float, float] | None] = []
    for item in place.items(MOST_VALUES + 1):
        low, high = (None, None) if item.is_null else map(read, item.items(2, least=2))
        pairs.append(None if low is None or high is None else (low, high))
    if pairs and len(pairs) != len(cuts) + 1:
        raise ValueError(
            f"seen of column {name!r} must have {len(cuts) + 1} entries, one an interval; got {len(pairs)}."
        )
    for found, low, high in zip(pairs, (-math.inf, *cuts), (*cuts, math.inf)):
        if found is not None and not low < found[0] <= found[1] <= high:
            raise ValueError(
                f"seen of column {name!r} must hold values over {low} and at most {high} in that interval; got {found}."
            )
    return tuple(pairs)


def _categories(place: Place, name: str) -> tuple[Category, ...]:
    values = tuple(item.scalar() for item in place.items(MOST_VALUES))
    kinds = {type(value).__name__ for value in values}
    if len(kinds - {"float"} | ({"int"} if "float" in kinds else set())) > 1:
        raise place.error("a list of values of one type")
    if len(set(values)) < len(values):
        raise ValueError(f"values of column {name!r} must be distinct; got {list(values)}.")
    return values


def _members(place: Place) -> tuple[str, ...]:
    return tuple(item.text() for item in place.key("members").items(MOST_VALUES, least=2))
