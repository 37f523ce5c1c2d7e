"""Columns of a lazy table as expressions: the condition of each literal, and the cell of each row.

Both say exactly what `TableColumn.features` and `TableColumn.cells` say of a table in memory, whatever an engine makes
of NaN and null: a condition is true where the literal holds and false or null elsewhere, and is never negated as it
stands; a cell is always a number, -1 where the value has no cell.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, timedelta
from sys import float_info

import narwhals.stable.v2 as nw

from idnf.columns.categories import HALF, BooleanColumn, CategoryColumn
from idnf.columns.column import TableColumn
from idnf.columns.groups import GroupColumn, OneHotGroup
from idnf.columns.intervals import IntervalColumn, NumberColumn, OrderedColumn, TimeColumn
from idnf.columns.phrases import DAY, EPOCH
from idnf.columns.raw import KIND_WORDS, Category, Kind
from idnf.engines.expressions import indicator, is_missing, total

NO_CELL = -1
"""The cell of a value that has none: infinity, missing where training had nothing missing, a category not declared."""


@dataclass(frozen=True)
class LazyColumn:
    """A raw column of a lazy table.

    Parameters
    ----------
    name : str
    kind : Kind
    value : narwhals Expr
        Numbers, Booleans, text or times; null or NaN where missing.
    missing : narwhals Expr
        Whether the value is missing, never null.
    whole : bool
        Whether the values are integers.
    order : tuple of str
        The declared categories in their order, for ordered categories.
    """

    name: str
    kind: Kind
    value: nw.Expr
    missing: nw.Expr
    whole: bool = False
    order: tuple[str, ...] = ()

    @property
    def infinite(self) -> nw.Expr | None:
        """Whether a known value is infinite; None where the type has no infinity. In some engines NaN is above all."""
        if self.kind != "number" or self.whole:
            return None
        return (self.value > float_info.max) | (self.value < -float_info.max)


def lazy_column(name: str, dtype: nw.dtypes.DType) -> LazyColumn:
    """Return a column of a lazy table by its name and type; refuse types that cannot be compared.

    >>> lazy_column("age", nw.Float64()).kind
    'number'
    """
    value = nw.col(name)
    missing = is_missing(value, floating=dtype.is_float())
    if dtype.is_float():
        # Engines compare a 32-bit column with a 64-bit cut in 32 bits.
        return LazyColumn(name, "number", value.cast(nw.Float64) if dtype == nw.Float32 else value, missing)
    if dtype.is_integer():
        return LazyColumn(name, "number", value, missing, whole=True)
    if dtype.is_decimal():
        return LazyColumn(name, "number", value.cast(nw.Float64), missing)
    if isinstance(dtype, nw.Enum):
        if not all(isinstance(category, str) for category in dtype.categories):
            raise ValueError(
                f"column {name!r} must have categories of text in a lazy table; got {list(dtype.categories)}. "
                "Convert the column to text or to numbers."
            )
        return LazyColumn(name, "ordered", value.cast(nw.String), missing, order=tuple(dtype.categories))
    if dtype == nw.Categorical:
        return LazyColumn(name, "category", value.cast(nw.String), missing)
    if isinstance(dtype, nw.Datetime) and dtype.time_zone is not None:
        return LazyColumn(name, "datetime-utc", value, missing)
    for known, kind in _KINDS:
        if dtype == known:
            return LazyColumn(name, kind, value, missing)
    found = "values of another type, or none at all" if dtype == nw.Unknown else str(dtype)
    raise ValueError(
        f"column {name!r} must hold numbers, Booleans, categories, dates or durations; got {found}. "
        "Convert or drop the column."
    )


_KINDS: tuple[tuple[type[nw.dtypes.DType], Kind], ...] = (
    (nw.Boolean, "boolean"),
    (nw.String, "category"),
    (nw.Date, "date"),
    (nw.Datetime, "datetime"),
    (nw.Duration, "duration"),
)


def refuse_other_kinds(column: TableColumn, raws: Mapping[str, LazyColumn]) -> None:
    """Refuse a table in which a column is of another kind than in training; engines compare what they should not.

    >>> age = NumberColumn("age", "refused", cuts=(30.0,))
    >>> refuse_other_kinds(age, {"age": lazy_column("age", nw.String())})
    Traceback (most recent call last):
        ...
    ValueError: column 'age' must hold numbers, as in training; got categories.
    """
    kinds = _kinds(column)
    for name in column.sources:
        if raws[name].kind not in kinds:
            raise ValueError(
                f"column {name!r} must hold {KIND_WORDS[kinds[0]]}, as in training; got {KIND_WORDS[raws[name].kind]}."
            )


def _kinds(column: TableColumn) -> tuple[Kind, ...]:
    """Return the kinds of values that a column reads, the one it was made for first."""
    if isinstance(column, BooleanColumn) and column.digits:
        return "number", "boolean"
    if isinstance(column, (BooleanColumn, GroupColumn)):
        return "boolean", "number"
    if isinstance(column, TimeColumn):
        return (column.kind, "date", "datetime") if column.kind in ("date", "datetime") else (column.kind,)
    if isinstance(column, NumberColumn):
        return "number", "boolean"
    assert isinstance(column, (CategoryColumn, OrderedColumn)), "every kind of column reads some kinds of values"
    words: tuple[Kind, ...] = ("category", "ordered") if isinstance(column, CategoryColumn) else ("ordered", "category")
    return words if all(isinstance(value, str) for value in column.values) else (*words, "number", "boolean")


def conditions(column: TableColumn, raws: Mapping[str, LazyColumn]) -> list[nw.Expr]:
    """Return the condition of each literal of a column, in the order of its literals."""
    if isinstance(column, GroupColumn):
        return [_is_true(raws[member]) for member in column.members]
    raw = raws[column.name]
    if isinstance(column, IntervalColumn):
        cuts = range(len(column.bounds))
        found = [_below(column, raw, cut) for cut in cuts]
        above = [_above(column, raw, cut) & ~raw.missing for cut in cuts] if column.missing == "seen" else []
        return [*found, *above, *_if_seen(column, raw)]
    if isinstance(column, CategoryColumn):
        named = [raw.value == nw.lit(value) for value in column.values]
        other = [~raw.value.is_in(_listed(column.values)) & ~raw.missing] if column.rare else []
        return [*named, *other, *_if_seen(column, raw)]
    assert isinstance(column, BooleanColumn), "every kind of column has its conditions"
    return [_holds(column, raw), *([_fails(column, raw), raw.missing] if column.missing == "seen" else [])]


def cell(column: TableColumn, raws: Mapping[str, LazyColumn], merged: Sequence[int] | None = None) -> nw.Expr:
    """Return the cell of each row, or what `merged` makes of it; -1 where there is none."""
    numbers = range(len(column.labels)) if merged is None else merged
    if isinstance(column, GroupColumn):
        return _group_cell(column, [raws[member] for member in column.members], numbers)
    raw = raws[column.name]
    if isinstance(column, IntervalColumn):
        known = numbers[0] + total(
            [
                indicator(_above(column, raw, cut)) * (numbers[cut + 1] - numbers[cut])
                for cut in range(len(column.bounds))
                if numbers[cut + 1] != numbers[cut]
            ]
        )
        if isinstance(column, OrderedColumn):
            known = nw.when(raw.value.is_in(_listed(column.values))).then(known).otherwise(nw.lit(NO_CELL))
    elif isinstance(column, CategoryColumn):
        known = _category_cell(column, raw, numbers)
    else:
        assert isinstance(column, BooleanColumn), "every kind of column has its cells"
        known = numbers[0] + indicator(_holds(column, raw)) * (numbers[1] - numbers[0])
        if raw.kind != "boolean" and not column.digits:
            known = nw.when((raw.value == 0) | (raw.value == 1)).then(known).otherwise(nw.lit(NO_CELL))
    if raw.infinite is not None:
        known = nw.when(raw.infinite).then(nw.lit(NO_CELL)).otherwise(known)
    gone = numbers[len(column.known_labels)] if column.has_missing_cell else NO_CELL
    return nw.when(raw.missing).then(nw.lit(gone)).otherwise(known)


def _category_cell(column: CategoryColumn, raw: LazyColumn, numbers: Sequence[int]) -> nw.Expr:
    other = numbers[len(column.values)]
    members: dict[int, list[Category]] = {}
    for value, number in zip(column.values, numbers):
        members.setdefault(number, []).append(value)
    return other + total(
        [
            indicator(raw.value.is_in(_listed(values))) * (number - other)
            for number, values in members.items()
            if number != other
        ]
    )


def _group_cell(column: GroupColumn, raws: Sequence[LazyColumn], numbers: Sequence[int]) -> nw.Expr:
    bits = [indicator(_is_true(raw)) for raw in raws]
    unread = total([indicator(raw.missing | ~(_is_true(raw) | _is_false(raw))) for raw in raws])
    if isinstance(column, OneHotGroup):
        none = numbers[len(bits)] if column.none else NO_CELL
        found = none + total([bit * (number - none) for bit, number in zip(bits, numbers)])
        broken = unread + indicator(total(bits) > 1)
    else:
        steps = [bit * (numbers[j] - numbers[j + 1]) for j, bit in enumerate(bits)]
        found = numbers[len(bits)] + total(steps)
        broken = unread + total([bit * (1 - after) for bit, after in zip(bits, bits[1:])])
    return nw.when(broken == 0).then(found).otherwise(nw.lit(NO_CELL))


def _if_seen(column: TableColumn, raw: LazyColumn) -> list[nw.Expr]:
    return [raw.missing] if column.missing == "seen" else []


def _holds(column: BooleanColumn, raw: LazyColumn) -> nw.Expr:
    return (raw.value > _number(raw, HALF)) & ~raw.missing if _is_read(column, raw) else _is_true(raw)


def _fails(column: BooleanColumn, raw: LazyColumn) -> nw.Expr:
    return raw.value <= _number(raw, HALF) if _is_read(column, raw) else _is_false(raw)


def _is_read(column: BooleanColumn, raw: LazyColumn) -> bool:
    """Tell whether numbers are read as the nearer of 0 and 1."""
    return column.digits and raw.kind != "boolean"


def _is_true(raw: LazyColumn) -> nw.Expr:
    return raw.value if raw.kind == "boolean" else raw.value == 1


def _is_false(raw: LazyColumn) -> nw.Expr:
    return ~raw.value if raw.kind == "boolean" else raw.value == 0


def _below(column: IntervalColumn, raw: LazyColumn, cut: int) -> nw.Expr:
    """Return whether a value lies at or below a cut; a NaN lies below none, in every engine."""
    if isinstance(column, OrderedColumn):
        return raw.value.is_in(_listed(column.values[: column.cuts[cut] + 1]))
    if isinstance(column, TimeColumn):
        limit, inclusive = _moment(column, raw, column.cuts[cut])
        return raw.value <= limit if inclusive else raw.value < limit
    return _numeric(raw) <= _number(raw, column.limits[cut])


def _above(column: IntervalColumn, raw: LazyColumn, cut: int) -> nw.Expr:
    """Return whether a known value lies above a cut."""
    if isinstance(column, OrderedColumn):
        return raw.value.is_in(_listed(column.values[column.cuts[cut] + 1 :]))
    if isinstance(column, TimeColumn):
        limit, inclusive = _moment(column, raw, column.cuts[cut])
        return raw.value > limit if inclusive else raw.value >= limit
    return _numeric(raw) > _number(raw, column.limits[cut])


def _numeric(raw: LazyColumn) -> nw.Expr:
    return raw.value.cast(nw.Int32) if raw.kind == "boolean" else raw.value


def _number(raw: LazyColumn, limit: float) -> nw.Expr:
    """Return a cut as a literal; integers are compared with integers."""
    return nw.lit(math.floor(limit)) if raw.whole and abs(limit) < 2**53 else nw.lit(float(limit))


def _moment(column: TimeColumn, raw: LazyColumn, limit: float) -> tuple[nw.Expr, bool]:
    """Return a cut as a literal, and whether the cut itself lies below it."""
    if column.kind == "duration":
        return nw.lit(timedelta(microseconds=limit)), True
    moment = EPOCH + timedelta(microseconds=limit)
    if raw.kind == "date":
        return nw.lit(moment.date()), True
    if column.kind == "date":
        return nw.lit(moment + timedelta(microseconds=DAY)), False
    return nw.lit(moment.replace(tzinfo=UTC) if raw.kind == "datetime-utc" else moment), True


def _listed(values: Sequence[Category]) -> list[Category]:
    """Return values for a membership test; no engine takes an empty list, so one that occurs nowhere stands in."""
    return list(values) or ["\x01"]
