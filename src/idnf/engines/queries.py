"""Running a query on a lazy table, so that a failure says which step failed and progress goes by scans."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

import narwhals.stable.v2 as nw

from idnf.engines.addresses import shown_addresses, without_address
from idnf.engines.lazy_frames import OWN, Eager, Lazy, object_columns, query_text

# Characters of a query shown in a message.
_MOST_SHOWN = 2000


class QueryError(RuntimeError):
    """An engine failed to answer.

    Attributes
    ----------
    step : str
        What was being asked.
    query : str or None
        The whole query: SQL, or the plan of polars, Spark and dask; None if the engine cannot tell it any more.
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
        raise ValueError(
            f"columns of a Spark table must have no '.' and no '`' in their names; got {dotted!r}. Rename it."
        )
    return schema | dict.fromkeys(object_columns(frame), nw.Object())


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
        message = f"the engine failed while {self.step}: {type(error).__name__}: {_said(error)}.{asked}"
        shown = shown_addresses(without_address(message, self.address))
        # The engine's own message may hold the address, so if there is one it is not shown as the cause.
        raise QueryError(shown, step=self.step, query=query) from (None if self.address else error)


def _said(error: Exception) -> str:
    """Return what an error says in one line: the last cause that Java names, else the first line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    causes = [line.removeprefix("Caused by: ") for line in lines if line.startswith("Caused by: ")]
    said = causes[-1:] or lines[:1] or ["no message"]
    return said[0].rstrip(".")[:_MOST_SHOWN]
