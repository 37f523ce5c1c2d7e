"""Results as tables: a frame of the user's own library, or a table in a notebook."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.util import find_spec
from typing import Generic, Literal, TypeVar, overload

import narwhals.stable.v2 as nw

from idnf.columns.eager_frames import as_frame

Library = Literal["pandas", "polars"]
Answer = TypeVar("Answer")
_LEFT = ' style="text-align:left"'
_MOST_ROWS = 60


def library_of(X: object) -> Library | None:
    """Return the library that a table comes from, None if it is neither pandas nor polars.

    >>> library_of([[1]]) is None
    True
    """
    frame = as_frame(X)
    if frame is None:
        return None
    return "pandas" if frame.implementation.is_pandas_like() else "polars" if frame.implementation.is_polars() else None


def by_attribute(rows: Iterable[object], *names: str) -> dict[str, list[object]]:
    """Return attributes of some rows as columns.

    >>> by_attribute([1, 2j], "real", "imag")
    {'real': [1, 0.0], 'imag': [0, 2.0]}
    """
    kept = list(rows)
    return {name: [getattr(row, name) for row in kept] for name in names}


class RowSequence(Sequence[Answer], Generic[Answer]):
    """A sequence with one answer for each row of a table."""

    @abstractmethod
    def _at(self, row: int) -> Answer:
        """Return the answer for a row, by its number from 0."""

    @overload
    def __getitem__(self, row: int) -> Answer: ...

    @overload
    def __getitem__(self, row: slice) -> list[Answer]: ...

    def __getitem__(self, row: int | slice) -> Answer | list[Answer]:
        if isinstance(row, slice):
            return [self._at(r) for r in range(*row.indices(len(self)))]
        if not -len(self) <= row < len(self):
            raise IndexError(f"row must be below {len(self)}; got {row}.")
        return self._at(row % len(self))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} rows>"


class Tabular:
    """A result that is a table too: ``columns`` gives it by column, `library` is that of the data if it is known."""

    library: Library | None = None

    def columns(self) -> Mapping[str, Sequence[object]]:
        """Return the values by the names of their columns."""
        raise NotImplementedError

    def to_frame(self, library: Library | None = None) -> object:
        """Return it as a table of pandas or polars: as asked for, as the data came, or as is installed."""
        return frame_of(self.columns(), library or self.library)

    def _repr_html_(self) -> str:
        return html_table(self.columns())


def frame_of(columns: Mapping[str, Sequence[object]], library: Library | None = None) -> object:
    """Return columns as a table of pandas or polars: the library asked for, else the one that is installed.

    >>> frame_of({"k": [1, 2]}, "polars").shape
    (2, 1)
    """
    chosen = library or next((name for name in ("pandas", "polars") if find_spec(name) is not None), None)
    if chosen is None:
        raise ModuleNotFoundError("a table of results needs pandas or polars: pip install 'idnf[pandas]'")
    data = {name: list(values) for name, values in columns.items()}
    return nw.from_dict(data, backend=chosen).to_native()


def html_table(columns: Mapping[str, Sequence[object]]) -> str:
    """Return columns as a table for a notebook; of very many rows the first.

    >>> html_table({"k": [1]})
    '<table><thead><tr><th>k</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>'
    """
    rows = list(zip(*columns.values(), strict=True))
    # Notebooks set cells to the right, which is for numbers.
    sides = ["" if any(isinstance(value, (int, float)) for value in values) else _LEFT for values in columns.values()]
    head = "".join(f"<th{side}>{escape(name)}</th>" for side, name in zip(sides, columns))
    cells = ([f"<td{side}>{escape(_cell(value))}</td>" for side, value in zip(sides, row)] for row in rows[:_MOST_ROWS])
    shown = map("".join, cells)
    body = "".join(f"<tr>{row}</tr>" for row in shown)
    more = f"<p>and {len(rows) - _MOST_ROWS} more rows</p>" if len(rows) > _MOST_ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _cell(value: object) -> str:
    return "" if value is None else f"{value:.3f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


def text_table(columns: Mapping[str, Sequence[object]]) -> str:
    """Return columns as lines of text, each as wide as its widest value.

    >>> print(text_table({"k": [1, 10], "accuracy": [0.5, 0.75]}))
     k  accuracy
     1       0.5
    10      0.75
    """
    cells = [[name, *map(_cell, values)] for name, values in columns.items()]
    widths = [max(map(len, column)) for column in cells]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in zip(*cells)
    )
