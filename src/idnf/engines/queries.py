"""Queries on a lazy table, in expressions that every engine takes: failures name their step, progress goes by scans.

A sample is taken by the engine, class by class, in one scan. Every row gets a pseudo-random number made from its row
number and the seed by arithmetic that all engines share. The sample holds, for each class, the rows with the smallest
numbers, so the same table in the same order gives the same sample. Engines without an order of rows (Spark, PostgreSQL)
number them as they come: per partition, per scan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from math import ceil, sqrt
from operator import or_
from types import TracebackType

import narwhals.stable.v2 as nw
import numpy as np

from idnf.engines.addresses import shown_addresses, without_address
from idnf.engines.lazy_frames import OWN, Eager, Lazy, engine_of, query_text
from idnf.logic.errors import InvalidArgument

# Characters of a query shown in a message.
_MOST_SHOWN = 2000


class QueryError(RuntimeError):
    """An engine failed to answer.

    Attributes
    ----------
    step : str
        What was being asked.
    query : str or None
        The whole query: SQL, or the plan of polars and Spark; None if the engine cannot tell it any more.
    """

    def __init__(self, message: str, *, step: str, query: str | None) -> None:
        super().__init__(message)
        self.step = step
        self.query = query


class Scans:
    """Runs queries one after the other.

    Parameters
    ----------
    progress : callable, optional
        Called with the share of the expected scans done, from 0 to 1.
    expected : int
        How many scans there will be, as far as known.
    """

    def __init__(self, progress: Callable[[float], None] | None = None, *, expected: int = 1) -> None:
        self.progress = progress
        self.expected = expected
        self.done = 0

    def collect(self, frame: Lazy, step: str) -> Eager:
        """Return the answer to a query; `step` says in words what it asks.

        >>> import polars as pl
        >>> scans = Scans()
        >>> lazy = nw.from_native(pl.LazyFrame({"a": [1, 2]}))
        >>> scans.collect(lazy.select(nw.col("a").sum()), "sums").item(), scans.done
        (3, 1)
        """
        with Step(step, frame):
            answer: Eager = frame.collect(engine="streaming") if frame.implementation.is_polars() else frame.collect()
        self.done += 1
        if self.progress is not None:
            self.progress(min(1.0, self.done / self.expected))
        return answer


def schema_of(frame: Lazy) -> dict[str, nw.dtypes.DType]:
    """Return the names and types of the columns of a lazy table."""
    with Step("reading the names and types of the columns"):
        schema: dict[str, nw.dtypes.DType] = dict(frame.collect_schema())
    own = next((name for name in schema if name.lower().startswith(OWN)), None)
    if own is not None:
        rule = f"columns of a lazy table must not begin with {OWN!r}, as those of our queries do"
        raise ValueError(f"{rule}; got {own!r}. Rename it.")
    dotted = next((name for name in schema if "." in name or "`" in name), None)
    if dotted is not None and frame.implementation.is_pyspark():
        # Spark reads a dot as a field of a structure.
        raise InvalidArgument(
            "columns of a Spark table", "have no '.' and no '`' in their names", f"{dotted!r}", "Rename it."
        )
    return schema


class Step:
    """Says in which step an engine failed, whatever class its errors have: engines share none.

    Some engines look at a query while it is being written, so the writing of a query is a step, and so is the running
    of it (`Scans.collect`). What this library itself refuses is refused outside of steps, and nobody hears of
    progress within one: whatever fails in a step, the engine failed.

    Parameters
    ----------
    step : str
        What is being asked.
    frame : lazy table, optional
        The query.
    address : str, optional
        Where the table lies; of a connection string the message says no more than scheme, host and database.
    """

    def __init__(self, step: str, frame: Lazy | None = None, *, address: str = "") -> None:
        self.step = step
        self.frame = frame
        self.address = address

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(error, Exception) or isinstance(error, QueryError):
            return
        query = None if self.frame is None else query_text(self.frame)
        shortened = query if query is None or len(query) <= _MOST_SHOWN else f"{query[:_MOST_SHOWN]} ..."
        asked = "" if query is None else f" The query was: {shortened}"
        message = f"the engine failed while {self.step}: {type(error).__name__}: {_root_cause(error)}.{asked}"
        shown = shown_addresses(without_address(message, self.address))
        # The engine's own message may hold the address, so if there is one it is not shown as the cause.
        raise QueryError(shown, step=self.step, query=query) from (None if self.address else error)


def _root_cause(error: Exception) -> str:
    """Return what an error says in one line: the last cause that Java names, else the first line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
    said = causes[-1:] or lines[:1] or ["no message"]
    return said[0].rstrip(".")[:_MOST_SHOWN]


MOST_COLUMNS = 1500
"""The most columns asked for at once: PostgreSQL takes 1 664 in a SELECT."""


def indicator(condition: nw.Expr) -> nw.Expr:
    """Return 1 where a condition holds and 0 where it is false or null."""
    return nw.when(condition).then(nw.lit(1)).otherwise(nw.lit(0))


def is_missing(value: nw.Expr, *, floating: bool) -> nw.Expr:
    """Return whether a value is null or, in a column of floating-point numbers, NaN; never null itself.

    Asked for NaN directly, DuckDB believes the statistics of a Parquet file, which leave NaN out; a CASE has none.

    >>> import polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"a": [1.0, float("nan"), None]}))
    >>> frame.select(is_missing(nw.col("a"), floating=True)).collect()["a"].to_list()
    [False, True, True]
    """
    null = value.is_null()
    return null | nw.when(~null).then(value).is_nan() if floating else null


def total(parts: Sequence[nw.Expr]) -> nw.Expr:
    """Return the sum of some numbers, 0 for none."""
    return nw.sum_horizontal(*parts) if parts else nw.lit(0)


def smallest(parts: Sequence[nw.Expr]) -> nw.Expr:
    """Return the smallest of some numbers; Spark takes no fewer than two."""
    return nw.min_horizontal(*parts) if len(parts) > 1 else parts[0]


def largest(parts: Sequence[nw.Expr]) -> nw.Expr:
    """Return the largest of some numbers."""
    return nw.max_horizontal(*parts) if len(parts) > 1 else parts[0]


def looked_up(number: nw.Expr, values: Sequence[nw.Expr]) -> nw.Expr:
    """Return the value at a number from 0 on, by halving: engines refuse a CASE nested as deep as a list is long.

    >>> import polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"i": [2, 0]}))
    >>> frame.select(looked_up(nw.col("i"), [nw.lit("a"), nw.lit("b"), nw.lit("c")])).collect().rows()
    [('c',), ('a',)]
    """

    def part(low: int, high: int) -> nw.Expr:
        if high - low == 1:
            return values[low]
        middle = (low + high) // 2
        return nw.when(number < middle).then(part(low, middle)).otherwise(part(middle, high))

    return part(0, len(values))


def count_rows(frame: Lazy, conditions: Sequence[nw.Expr], step: str, scans: Scans) -> list[int]:
    """Return, for each condition, the number of rows where it holds, a null counting as false; one scan.

    >>> import polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"a": [1, 2, None]}))
    >>> count_rows(frame, [nw.col("a") <= 2, nw.col("a").is_null()], "counting", Scans())
    [2, 1]
    """
    found: list[int] = []
    for start in range(0, len(conditions), MOST_COLUMNS):
        some = conditions[start : start + MOST_COLUMNS]
        names = [f"c{i}" for i in range(len(some))]
        with Step(step):
            query = _sums(frame, some, names)
        found += [int(value or 0) for value in scans.collect(query, step).select(*names).row(0)]
    return found


def _sums(frame: Lazy, conditions: Sequence[nw.Expr], names: Sequence[str]) -> Lazy:
    named = list(zip(conditions, names, strict=True))
    if frame.implementation.is_polars():
        return frame.select(*(condition.sum().alias(name) for condition, name in named))
    held = frame.select(*(condition.cast(nw.Int32).alias(name) for condition, name in named))
    return held.select(*(nw.col(name).sum() for name in names))


CLASS, ROW, NUMBER = OWN + "class", OWN + "row", OWN + "number"
"""Names of columns in queries: a row's class, its number, its pseudo-random number."""

# A prime: x -> x**5 permutes the residues, since 5 does not divide it less one. Products stay below 2**62.
_PRIME = 2**31 - 1
_FACTOR = 1_103_515_245


@dataclass(frozen=True)
class ClassSizes:
    """The number of rows of class 0, class 1 and so on."""

    rows: tuple[int, ...]

    @property
    def total(self) -> int:
        """The number of rows of all classes."""
        return sum(self.rows)

    def quotas(self, limit: int) -> ClassSizes:
        """Return how many rows of each class a sample takes: its share of `limit`, at least one if it has any.

        >>> ClassSizes((900, 100)).quotas(50), ClassSizes((10**6, 3)).quotas(100)
        (ClassSizes(rows=(45, 5)), ClassSizes(rows=(99, 1)))
        >>> ClassSizes((3, 10**6, 10)).quotas(100)
        ClassSizes(rows=(1, 98, 1))
        """
        if self.total <= limit:
            return self
        taken = [max(round(limit * rows / self.total), int(rows > 0)) for rows in self.rows]
        # What rounding leaves over or takes too much is the first class's as far as it has it, then the largest one's.
        taken[0] = max(limit - sum(taken[1:]), int(self.rows[0] > 0))
        while sum(taken) > limit and max(taken) > 1:
            taken[taken.index(max(taken))] -= 1
        return ClassSizes(tuple(taken))


@dataclass(frozen=True)
class Sampling:
    """Which rows to take.

    Parameters
    ----------
    labels : tuple of narwhals Expr
        The condition for each class, never null.
    sizes : ClassSizes
        How many rows of each class the table has.
    limit : int
        The most rows to take, the classes in proportion.
    seed : int
    """

    labels: tuple[nw.Expr, ...]
    sizes: ClassSizes
    limit: int
    seed: int

    def taken(self, frame: Lazy, columns: Sequence[nw.Expr], scans: Scans) -> Eager:
        """Return some columns of the rows taken and, as `CLASS`, the number of each row's class."""
        label = class_number(self.labels).alias(CLASS)
        quotas = self.sizes.quotas(self.limit)
        if quotas == self.sizes:
            step = f"collecting all {self.sizes.total} rows as the sample"
            with Step(step):
                every = frame.select(label, *columns)
            return scans.collect(every, step)
        step = f"taking a sample of {self.limit} rows"
        engine = engine_of(frame)
        with Step(step):
            numbered: Lazy = nw.from_native(engine.with_row_numbers(frame.to_native(), ROW))
            wanted = self._rows_within_quotas(numbered, quotas, [label, *columns])
        found = scans.collect(wanted, step)
        labels, numbers, rows_taken = (found.get_column(name).to_numpy() for name in (CLASS, NUMBER, ROW))
        # The smallest numbers of each class, whatever the order in which rows arrived.
        order = np.lexsort((rows_taken, numbers))
        kept = [order[labels[order] == label][:quota] for label, quota in enumerate(quotas.rows)]
        ordered: Eager = found[np.sort(np.concatenate(kept)).tolist()]
        return ordered.drop(ROW, NUMBER)

    def _rows_within_quotas(self, numbered: Lazy, quotas: ClassSizes, columns: Sequence[nw.Expr]) -> Lazy:
        """Return the columns of rows whose number is small enough for the sample, with a few rows to spare."""
        # Rows are chosen before their columns are worked out, which would cost more than choosing.
        drawn = numbered.with_columns(nw.col(ROW).cast(nw.Int64)).with_columns(_pseudo_random(self.seed).alias(NUMBER))
        parts = zip(self.labels, quotas.rows, self.sizes.rows, strict=True)
        few = [label & (nw.col(NUMBER) < _threshold(quota, size)) for label, quota, size in parts]
        chosen = drawn.filter(reduce(or_, reversed(few)))
        return chosen.select(nw.col(ROW), nw.col(NUMBER), *columns)


def class_number(labels: Sequence[nw.Expr]) -> nw.Expr:
    """Return the number of each row's class, given the condition for each class."""
    number = nw.lit(0)
    for label, condition in enumerate(labels[1:], 1):
        number = nw.when(condition).then(nw.lit(label)).otherwise(number)
    return number


def _threshold(quota: int, size: int) -> int:
    """Return the number below which more than `quota` of `size` rows almost surely fall, and few more."""
    wanted = quota + 6 * sqrt(quota) + 6
    return _PRIME if wanted >= size else ceil(_PRIME * wanted / size)


def _pseudo_random(seed: int) -> nw.Expr:
    """Return a number from 0 to 2**31 - 2 for each row number: a linear step, a fifth power, another linear step."""
    start, offset = (int(word) for word in np.random.default_rng(seed).integers(1, _PRIME, 2))
    mixed = (nw.col(ROW) % _PRIME * _FACTOR + start) % _PRIME
    square = mixed * mixed % _PRIME
    fifth = square * square % _PRIME * mixed % _PRIME
    return (fifth * _FACTOR + offset) % _PRIME
