"""Columns read back from plain data, as model files hold them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from idnf.columns.categories import BooleanColumn, CategoryColumn
from idnf.columns.column import Missing, TableColumn
from idnf.columns.groups import OneHotGroup, OrderedGroup
from idnf.columns.intervals import NumberColumn, OrderedColumn, Seen, TimeColumn, TimeKind
from idnf.columns.phrases import time_value
from idnf.columns.raw import Category

Plain = Mapping[str, object]


def column_from_dict(plain: Plain) -> TableColumn:
    """Return the column that `TableColumn.to_dict` wrote; refuse data that is no column.

    >>> column_from_dict({"kind": "number", "name": "age", "missing": "refused", "cuts": [30.0], "seen": []}).words(1)
    'age <= 30'
    """
    kind = plain.get("kind")
    if not isinstance(kind, str) or kind not in _READERS:
        raise ValueError(f"kind must be one of {', '.join(_READERS)}; got {kind!r}.")
    return _READERS[kind](plain, _text(plain, "name"), _missing(plain))


def _number(plain: Plain, name: str, missing: Missing) -> NumberColumn:
    cuts = _ascending(name, [_finite(cut, name) for cut in _items(plain, "cuts")])
    whole = plain.get("whole") is True
    if whole and any(cut != int(cut) for cut in cuts):
        raise ValueError(f"cuts of column {name!r}, of whole numbers, must be whole; got {list(cuts)}.")
    seen = _seen(plain, name, lambda value: _finite(value, name), cuts)
    if whole and any(value != int(value) for pair in seen if pair for value in pair):
        raise ValueError(f"seen of column {name!r}, of whole numbers, must be whole; got {list(seen)}.")
    return NumberColumn(name, missing, cuts, seen, whole)


def _time(kind: TimeKind) -> Callable[[Plain, str, Missing], TableColumn]:
    def read(plain: Plain, name: str, missing: Missing) -> TimeColumn:
        cuts = _ascending(name, [time_value(str(cut), kind) for cut in _items(plain, "cuts")])
        return TimeColumn(
            name, missing, kind, cuts, _seen(plain, name, lambda value: time_value(str(value), kind), cuts)
        )

    return read


def _ordered(plain: Plain, name: str, missing: Missing) -> OrderedColumn:
    values = _categories(plain, name)
    cuts = _ascending(name, [_finite(cut, name) for cut in _items(plain, "cuts")])
    if any(cut != int(cut) or not 0 <= cut < len(values) - 1 for cut in cuts):
        raise ValueError(f"cuts of column {name!r} must lie between its {len(values)} values; got {list(cuts)}.")
    return OrderedColumn(name, missing, values, tuple(map(int, cuts)))


def _category(plain: Plain, name: str, missing: Missing) -> CategoryColumn:
    values = _categories(plain, name)
    pair = plain.get("pair") is True
    if pair and len(values) != 2:
        raise ValueError(f"values of column {name!r}, a pair, must be two; got {list(values)}.")
    return CategoryColumn(name, missing, values, rare=plain.get("rare") is True, pair=pair)


def _boolean(plain: Plain, name: str, missing: Missing) -> BooleanColumn:
    return BooleanColumn(name, missing, digits=plain.get("digits") is True)


def _one_hot(plain: Plain, name: str, missing: Missing) -> OneHotGroup:
    return OneHotGroup(name, missing, _members(plain, name), none=plain.get("none") is True)


def _ordered_group(plain: Plain, name: str, missing: Missing) -> OrderedGroup:
    return OrderedGroup(name, missing, _members(plain, name))


_READERS: dict[str, Callable[[Plain, str, Missing], TableColumn]] = {
    "number": _number,
    "date": _time("date"),
    "datetime": _time("datetime"),
    "datetime-utc": _time("datetime-utc"),
    "duration": _time("duration"),
    "ordered": _ordered,
    "category": _category,
    "boolean": _boolean,
    "one-hot": _one_hot,
    "ordered-group": _ordered_group,
}


def _text(plain: Plain, key: str) -> str:
    value = plain.get(key)
    if not isinstance(value, str):
        raise ValueError(f"{key} of a column must be text; got {value!r}.")
    return value


def _missing(plain: Plain) -> Missing:
    value = plain.get("missing")
    for missing in ("refused", "allowed", "seen"):
        if value == missing:
            return missing
    raise ValueError(f"missing of column {plain['name']!r} must be refused, allowed or seen; got {value!r}.")


def _items(plain: Plain, key: str) -> Sequence[object]:
    value = plain.get(key)
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"{key} of column {plain['name']!r} must be a list; got {value!r}.")
    return value


def _finite(value: object, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError(f"column {name!r} must hold finite numbers; got {value!r}.")
    return float(value)


def _ascending(name: str, cuts: Sequence[float]) -> tuple[float, ...]:
    if any(low >= high for low, high in pairwise(cuts)):
        raise ValueError(f"cuts of column {name!r} must ascend; got {list(cuts)}.")
    return tuple(cuts)


def _seen(plain: Plain, name: str, read: Callable[[object], float], cuts: Sequence[float]) -> Seen:
    pairs: list[tuple[float, float] | None] = []
    for pair in _items(plain, "seen"):
        if pair is None:
            pairs.append(None)
        elif isinstance(pair, (list, tuple)) and len(pair) == 2:
            pairs.append((read(pair[0]), read(pair[1])))
        else:
            raise ValueError(f"seen of column {name!r} must hold pairs of values; got {pair!r}.")
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


def _categories(plain: Plain, name: str) -> tuple[Category, ...]:
    values: list[Category] = []
    for value in _items(plain, "values"):
        if not isinstance(value, (str, int, float, bool)):
            raise ValueError(f"values of column {name!r} must be text or numbers; got {value!r}.")
        values.append(value)
    if len(set(values)) < len(values):
        raise ValueError(f"values of column {name!r} must be distinct; got {values}.")
    return tuple(values)


def _members(plain: Plain, name: str) -> tuple[str, ...]:
    members = _items(plain, "members")
    if len(members) < 2 or not all(isinstance(member, str) for member in members):
        raise ValueError(f"members of group {name!r} must be at least two names; got {members!r}.")
    return tuple(map(str, members))
