"""Columns of a lazy table as expressions: the condition of each literal, and the cell of each row.

Both say exactly what `TableColumn.features` and `TableColumn.cells` say in memory, whatever an engine makes
of NaN and null: a condition is true where the literal holds and false or null elsewhere, and is never negated as it
stands; a cell is always a number, -1 if the value has no cell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from operator import and_, or_
from sys import float_info

import narwhals.stable.v2 as nw

from idnf.columns import predicates as tests
from idnf.columns.column import NO_CELL, TableColumn
from idnf.columns.phrases import BLANKS, DAY, EPOCH
from idnf.columns.predicates import FIELD_KINDS
from idnf.columns.raw import KIND_WORDS, Kind
from idnf.engines.queries import indicator, is_missing, total
from idnf.logic.errors import InvalidArgument

# Java takes $ for what comes before a last line end, which is a blank as well.
_AROUND = rf"^[{BLANKS}]+|[{BLANKS}]+$"
# Nanoseconds of 64 bits reach no farther.
_FIRST_FINE, _LAST_FINE = datetime(1677, 9, 22), datetime(2262, 4, 11)


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
    fine : bool
        Whether times are held in nanoseconds.
    zone : narwhals Datetime, optional
        The type of times in a time zone other than UTC, which polars compares with their own kind only.
    bare : bool
        Whether no text is known to have blanks around it, so that none need be looked for in every query.
    """

    name: str
    kind: Kind
    value: nw.Expr
    missing: nw.Expr
    whole: bool = False
    order: tuple[str, ...] = ()
    fine: bool = False
    zone: nw.Datetime | None = None
    bare: bool = False

    @property
    def text(self) -> nw.Expr:
        """The texts without the blanks around them."""
        return self.value if self.bare else without_blanks(self.value)

    @property
    def padded(self) -> nw.Expr:
        """Whether a text has blanks around it."""
        return self.value.str.contains(_AROUND)

    @property
    def beyond(self) -> nw.Expr | None:
        """Whether a known value is one that is never read; None if the type has none."""
        if self.whole or self.fine or self.kind not in ("number", "date", "datetime", "datetime-utc"):
            return None
        if self.kind == "number":
            return (self.value < -float_info.max) | (self.value > float_info.max)
        # The ends in UTC would be out of reach of pandas in another zone.
        edge = timedelta() if self.zone is None else timedelta(hours=14)
        return (self.value < self.moment(datetime.min + edge)) | (self.value > self.moment(datetime.max - edge))

    def moment(self, when: datetime) -> nw.Expr:
        """Return a time, in UTC where times have a zone, as a literal to compare with."""
        if self.kind == "date":
            # As a date, Spark would not write the first years with four digits.
            return nw.lit(when).cast(nw.Date)
        if self.kind == "datetime":
            return nw.lit(when)
        aware = nw.lit(when.replace(tzinfo=UTC))
        return aware if self.zone is None else aware.cast(self.zone)


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
        # PostgreSQL's have a NaN of their own.
        double = value.cast(nw.Float64)
        return LazyColumn(name, "number", double, is_missing(double, floating=True))
    if isinstance(dtype, nw.Enum):
        order = tuple(dtype.categories)
        bare = all(text == text.strip(BLANKS) for text in order)
        return LazyColumn(name, "ordered", value.cast(nw.String), missing, order=order, bare=bare)
    if dtype == nw.Categorical:
        return LazyColumn(name, "category", value.cast(nw.String), missing)
    if isinstance(dtype, (nw.Datetime, nw.Duration)):
        return _time_column(name, dtype)
    for known, kind in _KINDS:
        if dtype == known:
            return LazyColumn(name, kind, value, missing)
    found = "values of another type, or none at all" if dtype == nw.Unknown else str(dtype)
    raise InvalidArgument(
        f"column {name!r}",
        "hold numbers, Booleans, categories, dates or durations",
        found,
        "Convert or drop the column.",
    )


def _time_column(name: str, dtype: nw.Datetime | nw.Duration) -> LazyColumn:
    value, fine = nw.col(name), dtype.time_unit == "ns"
    if isinstance(dtype, nw.Duration) or dtype.time_zone is None:
        kind: Kind = "duration" if isinstance(dtype, nw.Duration) else "datetime"
        return LazyColumn(name, kind, value, value.is_null(), fine=fine)
    zone = None if dtype.time_zone == "UTC" else dtype
    return LazyColumn(name, "datetime-utc", value, value.is_null(), fine=fine, zone=zone)


_KINDS: tuple[tuple[type[nw.dtypes.DType], Kind], ...] = (
    (nw.Boolean, "boolean"),
    (nw.String, "category"),
    (nw.Date, "date"),
)


def refuse_other_kinds(column: TableColumn, raws: Mapping[str, LazyColumn]) -> None:
    """Refuse a table in which a column is of another kind than in training; engines compare what they should not.

    >>> from idnf.columns.intervals import NumberColumn
    >>> age = NumberColumn("age", "refused", cuts=(30.0,))
    >>> refuse_other_kinds(age, {"age": lazy_column("age", nw.String())})
    Traceback (most recent call last):
        ...
    idnf.logic.errors.InvalidArgument: column 'age' must hold numbers, as in training; got categories.
    """
    for field in column.fields:
        kind, taken = raws[field.name].kind, FIELD_KINDS[field.kind]
        if kind not in taken:
            raise InvalidArgument(
                f"column {field.name!r}", f"hold {KIND_WORDS[taken[0]]}, as in training", KIND_WORDS[kind]
            )


def conditions(column: TableColumn, raws: Mapping[str, LazyColumn]) -> list[nw.Expr]:
    """Return the condition of each literal of a column, in the order of its literals."""
    return [condition(column.test(literal.mask), raws) for literal in column.literals]


def cell(column: TableColumn, raws: Mapping[str, LazyColumn], merged: Sequence[int] | None = None) -> nw.Expr:
    """Return the cell of each row, or what `merged` makes of it; -1 if there is none."""
    numbers = range(len(column.labels)) if merged is None else merged
    known = list(numbers[: len(column.known_labels)])
    start, steps = _steps_up(column, known) if column.ordered else _steps_from_last(known)
    found = start + total([indicator(condition(column.test(mask), raws)) * step for mask, step in steps])
    refusals = [condition(refusal.test, raws) for refusal in column.refusals]
    never_read = [raws[name].beyond for name in column.sources]
    broken = total([indicator(part) for part in (*refusals, *never_read) if part is not None])
    valid = nw.when(broken == 0).then(found).otherwise(nw.lit(NO_CELL))
    if len(column.sources) > 1:
        return valid
    gone = numbers[column.missing_cell] if column.takes_missing else NO_CELL
    return nw.when(raws[column.sources[0]].missing).then(nw.lit(gone)).otherwise(valid)


def _steps_up(column: TableColumn, numbers: Sequence[int]) -> tuple[int, list[tuple[int, int]]]:
    """Return the number of the first cell, and by how much it changes above each cell after which it does."""
    above = ((column.known_mask & -(2 << at), numbers[at + 1] - numbers[at]) for at in range(len(numbers) - 1))
    return numbers[0], [(mask, step) for mask, step in above if step]


def _steps_from_last(numbers: Sequence[int]) -> tuple[int, list[tuple[int, int]]]:
    """Return the number of the last cell, and by how much that of other cells differs."""
    masks: dict[int, int] = {}
    for at, number in enumerate(numbers):
        masks[number] = masks.get(number, 0) | 1 << at
    return numbers[-1], [(mask, number - numbers[-1]) for number, mask in masks.items() if number != numbers[-1]]


def condition(test: tests.Predicate, raws: Mapping[str, LazyColumn]) -> nw.Expr:
    """Return a test as an expression: true where it holds, false or null elsewhere, so never to be negated.

    >>> import polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"age": [25.0, 40.0, float("nan"), None]}))
    >>> over_30 = tests.Compare(tests.Field("age", "number"), over=30.0)
    >>> over = condition(over_30, {"age": lazy_column("age", nw.Float64())})
    >>> frame.filter(over).collect()["age"].to_list()
    [40.0]
    """
    match test:
        case tests.Compare(value, over, upto):
            # A NaN is over everything in some engines, and at most nothing in all of them.
            over_it = [] if over is None else [_over(value, raws, over)]
            return _join(and_, over_it + (_is_known(value, raws) if upto is None else [_upto(value, raws, upto)]))
        case tests.OneOf(value, constants, negated):
            among = _among(value, raws, constants)
            return _join(and_, [~among, *_is_known(value, raws)]) if negated else among
        case tests.IsMissing(field, negated):
            return ~raws[field.name].missing if negated else raws[field.name].missing
        case tests.And(parts):
            return _join(and_, [condition(part, raws) for part in parts])
        case tests.Or(parts):
            return _join(or_, [condition(part, raws) for part in parts])


def without_blanks(text: nw.Expr) -> nw.Expr:
    r"""Return texts without the blanks around them; by a pattern, since ibis cannot strip chosen characters.

    >>> import polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"paid": [" yes", "no one\t", None]}))
    >>> frame.select(without_blanks(nw.col("paid"))).collect()["paid"].to_list()
    ['yes', 'no one', None]
    """
    return text.str.replace_all(_AROUND, "")


def _join(join: Callable[[nw.Expr, nw.Expr], nw.Expr], parts: Sequence[nw.Expr]) -> nw.Expr:
    """Return some conditions joined by "and" or "or", by halving: engines refuse deep expressions."""
    if len(parts) < 2:
        return parts[0] if parts else nw.lit(join is and_)
    return join(_join(join, parts[: len(parts) // 2]), _join(join, parts[len(parts) // 2 :]))


def _is_known(value: tests.Operand, raws: Mapping[str, LazyColumn]) -> list[nw.Expr]:
    return [~raws[field.name].missing for field in tests.operand_fields(value)]


def _among(value: tests.Operand, raws: Mapping[str, LazyColumn], constants: Sequence[tests.Constant]) -> nw.Expr:
    if isinstance(value, tests.Field) and value.kind != "truth":
        known = raws[value.name].text if value.kind == "text" else _number(raws[value.name])
        return known == nw.lit(constants[0]) if len(constants) == 1 else known.is_in(list(constants))
    if isinstance(value, tests.Field):
        return _join(or_, [_is_set(raws[value.name], bool(constant)) for constant in constants])
    number, _ = _operand_and_limit(value, raws, 0)
    return _join(or_, [number == int(constant) for constant in constants])


def _number(raw: LazyColumn) -> nw.Expr:
    """Return Booleans as numbers, all else as it is."""
    return raw.value.cast(nw.Int32) if raw.kind == "boolean" else raw.value


def _is_set(raw: LazyColumn, held: bool) -> nw.Expr:
    """Return whether a truth is 1 or, not held, 0."""
    return (raw.value if held else ~raw.value) if raw.kind == "boolean" else raw.value == int(held)


def _over(value: tests.Operand, raws: Mapping[str, LazyColumn], limit: float) -> nw.Expr:
    number, (end, inclusive) = _operand_and_limit(value, raws, limit)
    return number > end if inclusive else number >= end


def _upto(value: tests.Operand, raws: Mapping[str, LazyColumn], limit: float) -> nw.Expr:
    number, (end, inclusive) = _operand_and_limit(value, raws, limit)
    return number <= end if inclusive else number < end


def _operand_and_limit(
    value: tests.Operand, raws: Mapping[str, LazyColumn], limit: float
) -> tuple[nw.Expr, tuple[nw.Expr, bool]]:
    """Return a number or a time, and a limit for it as a literal with whether the limit itself lies below it."""
    if isinstance(value, tests.Total):
        parts = [indicator(_is_set(raws[field.name], held=True)) for field in value.fields]
        return total(parts), (nw.lit(int(limit)), True)
    raw = raws[value.name]
    if value.kind in ("number", "digit"):
        if not raw.whole:
            return _number(raw), (nw.lit(float(limit)), True)
        # Integers meet integers; where doubles leave some out, as doubles.
        if abs(limit) < 2**53:
            return raw.value, (nw.lit(math.floor(limit)), True)
        return raw.value.cast(nw.Float64), (nw.lit(float(limit)), True)
    return raw.value, _time_limit(value, raw, limit)


def _time_limit(field: tests.Field, raw: LazyColumn, limit: float) -> tuple[nw.Expr, bool]:
    """Return a limit as a literal, and whether the limit itself lies below it."""
    # What is finer than the field, hours of a date or nanoseconds of a time, lies below the next value of the field.
    step = DAY if field.kind == "date" and raw.kind != "date" else int(raw.fine)
    if field.kind == "duration":
        return nw.lit(timedelta(microseconds=limit + step)), not step
    when = EPOCH + timedelta(microseconds=limit)
    if datetime.max - when < timedelta(microseconds=step):
        return raw.moment(datetime.max), True
    when += timedelta(microseconds=step)
    return raw.moment(min(max(when, _FIRST_FINE), _LAST_FINE) if raw.fine else when), not step
