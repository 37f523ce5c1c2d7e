"""Tables in: files and standard input as they are written, with what was assumed; tables that stay in an engine."""

from __future__ import annotations

import argparse
import csv
import glob
import shutil
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING
from xml.parsers import expat

import narwhals.stable.v2 as nw

from idnf.columns.phrases import brief, is_number
from idnf.commands.excel_sizes import excel_size
from idnf.commands.output import PLAIN, Console, TextStyle
from idnf.commands.sources import is_database, open_table
from idnf.commands.text_files import (
    FileOptions,
    TextFormat,
    find_encoding,
    find_format,
    is_packed,
    lines_before_names,
    most_unpacked,
    odd_line,
    passed_over,
    refuse_size,
    write_utf8,
)
from idnf.engines.addresses import shown_address
from idnf.engines.lazy_frames import Lazy, as_lazy
from idnf.engines.queries import Step
from idnf.logic.errors import InvalidArgument

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

    from idnf.classifier.fitted import AnyClassifier


BATCH = 50_000
"""Rows of a table held at a time by commands that stream."""

_PARQUET = (".parquet", ".pq")
_TOTAL_WORDS = ("total", "totals", "grand total", "sum", "summe", "gesamt", "total général", "totale")
_LAST = 20
_FIRST_ROWS = 100
_LEAST_WIDTH = 3
_SHOWN = 5
_EXCEL = (".xlsx", ".xls", ".xlsb", ".xlsm", ".ods")


@dataclass(frozen=True)
class Rows:
    """Some rows of a table as the file has them.

    Parameters
    ----------
    given : polars table
        Text where the file is text.
    header : tuple of str
        The names of the columns as the file has them, where each is different.
    style : TextStyle
        How the file is written.
    """

    given: pl.DataFrame
    header: tuple[str, ...] = ()
    style: TextStyle = PLAIN

    def with_columns(self, added: Sequence[pl.Series]) -> pl.DataFrame:
        """Return the table as the file has it, with further columns."""
        table = self.given
        if self.header:
            table = table.rename(dict(zip(table.columns, self.header, strict=True)))
        return table.with_columns([series.alias(free_name(series.name, table.columns)) for series in added])


@dataclass(frozen=True)
class TableReading:
    """How the tables of a command are read.

    Parameters
    ----------
    said : FileOptions
        What the user says about the files.
    trained : FileOptions
        What the user said about the training table; it holds for files that then have the columns of the model.
    columns : collection of str
        The columns that files must have: those that the model looks at, or the target.
    """

    said: FileOptions
    trained: FileOptions = FileOptions()
    columns: Collection[str] = ()

    @classmethod
    def of(cls, arguments: argparse.Namespace, model: AnyClassifier | None) -> TableReading:
        """Return how a command reads its tables, given the model it applies to them."""
        said = file_options(arguments)
        if model is None:
            return cls(said, columns=[arguments.target] if getattr(arguments, "target", None) else ())
        key = next((key for key, _ in arguments.read if key in LEARNED), None)
        if key is not None:
            raise InvalidArgument("--read", f"leave {' and '.join(LEARNED)} to the model, as learned", key)
        fitted = model.fitted_
        columns = {source for j in fitted.used for source in fitted.columns[j].sources}
        if fitted.file is None:
            return cls(said, columns=columns)
        kept = fitted.file
        return cls(said, FileOptions(kept.separator, kept.encoding, kept.header, kept.skip, kept.sheet), columns)

    @property
    def choices(self) -> list[FileOptions]:
        """The ways to read a file, the first that gives all columns is the right one."""
        said, trained = self.said, self.trained
        both = FileOptions(
            said.separator or trained.separator,
            said.encoding or trained.encoding,
            said.header and trained.header,
            trained.skip if said.skip is None else said.skip,
            said.sheet or trained.sheet,
            said.unpacked,
        )
        return [both] if both == said else [both, said]


LEARNED = ("decimal", "missing")
"""What `--read` is about that a model keeps for each column."""

_SIGNS = {"tab": "\t", "\\t": "\t", "space": " ", "comma": ",", "semicolon": ";"}


def file_options(arguments: argparse.Namespace) -> FileOptions:
    """Return what the user says about the files of a command."""
    said = dict(arguments.read)
    separator = _SIGNS.get(said.get("separator", ""), said.get("separator"))
    if separator is not None and len(separator) != 1:
        raise InvalidArgument("--read separator", "be one character, or tab", separator)
    if said.get("header", "no") not in ("yes", "no"):
        raise InvalidArgument("--read header", "be yes or no", said["header"])
    skip, unpacked = said.get("skip"), said.get("unpacked")
    if skip is not None and not skip.isdecimal():
        raise InvalidArgument("--read skip", "be a number of lines", skip)
    if unpacked is not None and not (is_number(unpacked) and float(unpacked) > 0):
        raise InvalidArgument("--read unpacked", "be a number of gigabytes", unpacked)
    return FileOptions(
        separator,
        said.get("encoding"),
        said.get("header") != "no",
        None if skip is None else int(skip),
        said.get("sheet"),
        None if unpacked is None else float(unpacked),
    )


def read_rows(arguments: argparse.Namespace, console: Console, model: AnyClassifier | None = None) -> Rows:
    """Read a whole table, as the training table of a model was read if there is one; CSV stays text."""
    sources = arguments.table
    with _open_files(arguments, console, model) as (lazy, header, style), _named_errors(sources):
        return Rows(lazy.collect(), header, style)


def read_batches(arguments: argparse.Namespace, console: Console, model: AnyClassifier | None = None) -> Iterator[Rows]:
    """Read a table part by part, at most ``BATCH`` rows at a time and first none; CSV stays text."""
    sources = arguments.table
    with _open_files(arguments, console, model) as (lazy, header, style):
        with _named_errors(sources):
            batches = iter(lazy.collect_batches(chunk_size=BATCH, maintain_order=True))
            yield Rows(lazy.head(0).collect(), header, style)
        while True:
            with _named_errors(sources):
                batch = next(batches, None)
            if batch is None:
                return
            for start in range(0, batch.height, BATCH):
                yield Rows(batch.slice(start, BATCH), header, style)


def without_strays(table: pl.DataFrame, console: Console) -> pl.DataFrame:
    """Return a table without rows that are none: names of the columns repeated, totals and footnotes; say which.

    >>> import polars as pl
    >>> without_strays(pl.DataFrame({"age": ["30", "age", "41"], "job": ["clerk", "job", "nurse"]}), Console()).height
    2
    """
    import polars as pl

    found = {**_repeated_names(table), **_totals(table), **_footnotes(table)}
    for why in dict.fromkeys(found.values()):
        rows = [row + 1 for row, one in sorted(found.items()) if one == why]
        shown = ", ".join(f"{row:,}" for row in rows[:_SHOWN]) + (" and more" if len(rows) > _SHOWN else "")
        console.remark(f"row{'s' * (len(rows) > 1)} {shown} left out: {why}")
    return table.filter(~pl.Series(range(table.height), dtype=pl.Int64).is_in(list(found))) if found else table


def _repeated_names(table: pl.DataFrame) -> dict[int, str]:
    import polars as pl

    texts = [name for name, kind in table.schema.items() if kind == pl.String]
    if len(texts) < 2:
        return {}
    same = pl.all_horizontal(pl.col(name).str.strip_chars() == name.strip() for name in texts)
    rows = table.select(same.fill_null(value=False).alias("same"))["same"].arg_true().to_list()
    return dict.fromkeys(rows, "the names of the columns again")


def _totals(table: pl.DataFrame) -> dict[int, str]:
    """Return the last rows that begin with a word for a total."""
    start = max(table.height - _LAST, 0)
    rows = enumerate(table[start:].rows(), start=start)
    first = {row: next((cell for cell in cells if cell is not None and str(cell).strip()), None) for row, cells in rows}
    return {row: "a total" for row, cell in first.items() if str(cell).strip(" :").lower() in _TOTAL_WORDS}


def _footnotes(table: pl.DataFrame) -> dict[int, str]:
    """Return the last rows in which only the first cell is filled, with a text."""
    found: dict[int, str] = {}
    if table.width < _LEAST_WIDTH:
        return found
    for row in range(table.height - 1, max(table.height - _LAST, 0) - 1, -1):
        first, *others = table.row(row)
        if any(cell is not None and str(cell).strip() for cell in others):
            break
        if first is not None and str(first).strip():
            found[row] = f"a footnote, {brief(str(first).strip(), 40)}"
    return found


def require_polars() -> None:
    """Refuse to go on without polars, which reads and writes the tables of the command line."""
    if find_spec("polars") is None:
        raise ModuleNotFoundError("reading tables on the command line needs polars: pip install 'idnf[cli]'")


@contextmanager
def _open_files(
    arguments: argparse.Namespace, console: Console, model: AnyClassifier | None
) -> Iterator[tuple[pl.LazyFrame, tuple[str, ...], TextStyle]]:
    """Open files of one kind as one lazy table, with the names of its columns as they are written, if they differ.

    Text that is packed or not UTF-8 is first put into another file.
    """
    require_polars()
    import polars as pl

    reading = TableReading.of(arguments, model)
    with _paths(arguments.table) as paths, tempfile.TemporaryDirectory(prefix=".idnf.") as folder:
        kind = _kind(paths[0])
        if kind == "parquet":
            yield pl.scan_parquet(paths, glob=False), (), PLAIN
        elif kind == "excel":
            with _named_errors(arguments.table):
                for path in paths:
                    most = most_unpacked(path, reading.said.unpacked)
                    refuse_size(path, excel_size(path, most), most)
                sheets = _excel(paths, reading, console)
            yield sheets, (), PLAIN
        else:
            with _named_errors(arguments.table):
                forms = [_text_format(path, reading) for path in paths]
                for path, form in zip(paths, forms, strict=True):
                    if form.names != forms[0].names:
                        got = f"others in {path} than in {paths[0]}"
                        raise InvalidArgument("tables", "have the same columns in the same order", got)
                for remark in forms[0].remarks:
                    console.remark(f"{_name(arguments.table)}: {remark}")
                copies = [Path(folder, f"{i}.csv") for i in range(len(paths))]
                lazy = pl.concat(map(_scan, paths, forms, copies))
            given, style = forms[0].given, TextStyle(forms[0].separator, forms[0].encoding)
            yield lazy, given if len(set(given)) == len(given) else (), style


def _text_format(path: Path, reading: TableReading) -> TextFormat:
    """Return how a text file is written: as the training table, if it then has the columns, else as detected."""
    first, *others = reading.choices
    if first.encoding != reading.said.encoding and find_encoding(path).startswith("utf"):
        first = replace(first, encoding=None)  # a file that is UTF-8 is nothing else by chance
    if others:
        with suppress(InvalidArgument):
            form = find_format(path, first)
            if set(reading.columns) <= set(form.names):
                return form
    return find_format(path, reading.said)


def _scan(path: Path, form: TextFormat, copy: Path) -> pl.LazyFrame:
    import polars as pl

    if is_packed(path) or form.encoding not in ("utf-8", "utf-8-sig"):
        with open(copy, "wb") as stream:
            write_utf8(path, form.encoding, stream)
        path = copy
    return pl.scan_csv(
        path,
        glob=False,
        has_header=False,
        skip_rows=form.skip,
        separator=form.separator,
        quote_char=form.quote,
        schema=dict.fromkeys(form.names, pl.String),
    )


def _excel(paths: Sequence[Path], reading: TableReading, console: Console) -> pl.LazyFrame:
    """Read a sheet of each file: the one named, else the first that has the columns, from its names on."""
    import polars as pl

    if find_spec("fastexcel") is None:
        raise ModuleNotFoundError("reading Excel files needs fastexcel: pip install 'idnf[excel]'")
    import fastexcel

    names = fastexcel.read_excel(paths[0]).sheet_names
    if not names:
        raise InvalidArgument("table", "have a sheet", f"{paths[0]}, which has none")
    if reading.said.sheet is not None and reading.said.sheet not in names:
        raise InvalidArgument("--read sheet", f"be one of {', '.join(names)}", reading.said.sheet)
    for options in reading.choices:
        sheet = options.sheet if options.sheet in names else None
        starts = {name: _excel_start(paths[0], name, options.skip) for name in ([sheet] if sheet else names)}
        having = [name for name, (_, header) in starts.items() if set(reading.columns) <= set(header)]
        if having and options.header:
            break
    taken = having[0] if having and options.header else sheet or names[0]
    before = starts[taken][0]
    if len(names) > 1 and sheet is None:
        others = ", ".join(name for name in names if name != taken)
        console.remark(f"{paths[0]}: using sheet {taken}; there is also {others} (--read sheet=NAME)")
    if before and options.skip is None:
        console.remark(passed_over(before))
    how = {"header_row": before if options.header else None, "skip_rows": None if options.header else before}
    tables = [
        pl.read_excel(path, sheet_name=taken, infer_schema_length=None, read_options=how, drop_empty_rows=True)
        for path in paths
    ]
    if not options.header:
        tables = [table.rename({old: f"column {i + 1}" for i, old in enumerate(table.columns)}) for table in tables]
    return pl.concat(tables).lazy()


def _excel_start(path: Path, sheet: str, skip: int | None) -> tuple[int, list[str]]:
    """Return how many rows of a sheet come before the names of its columns, and these names."""
    import fastexcel

    raw = fastexcel.read_excel(path).load_sheet(sheet, header_row=None, n_rows=_FIRST_ROWS, dtypes="string")
    rows = [["" if cell is None else str(cell).strip() for cell in row] for row in raw.to_polars().rows()]
    filled = [[*row[: max((i + 1 for i, cell in enumerate(row) if cell), default=0)]] for row in rows]
    before = lines_before_names(filled) if skip is None else skip
    return before, filled[before] if before < len(filled) else []


@contextmanager
def _paths(sources: Sequence[str]) -> Iterator[list[Path]]:
    """Give the files behind the names; standard input is first put into one, so that it need not fit into memory."""
    if list(sources) == ["-"]:
        with tempfile.NamedTemporaryFile(suffix=".csv") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy)
            copy.flush()
            yield [Path(copy.name)]
        return
    found = [path for source in sources for path in _named_files(source)]
    for path in found:
        if not path.exists():
            raise InvalidArgument("table", "be a CSV, Excel or Parquet file", f"{path}, which does not exist")
        if path.is_dir():
            raise InvalidArgument(
                "table", "be a CSV, Excel or Parquet file", f"the folder {path}", f"Try {path}/*.parquet."
            )
    if len({_kind(path) for path in found}) > 1:
        raise InvalidArgument("tables", "be of one kind, CSV, Excel or Parquet", "several")
    yield found


def _named_files(source: str) -> list[Path]:
    """Return the file of a name, such as ``loans[1].csv``; if there is none, those that match it as a pattern."""
    return [Path(path) for path in ([] if Path(source).exists() else sorted(glob.glob(source))) or [source]]


@contextmanager
def _named_errors(sources: Sequence[str]) -> Iterator[None]:
    """Say which table cannot be read, whatever the reason, and which line is to blame if that is known."""
    import polars as pl

    archives: tuple[type[Exception], ...] = (
        zipfile.BadZipFile,
        zlib.error,
        expat.ExpatError,
        LookupError,
        *_excel_errors(),
    )
    known: tuple[type[Exception], ...] = (pl.exceptions.PolarsError, OSError, csv.Error, UnicodeError, *archives)
    try:
        yield
    except known as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        first = reason.strip().splitlines()[0] if reason.strip() else type(error).__name__
        if isinstance(error, UnicodeError):
            first = f"{first}; leave --read encoding out to have it detected, or name the right one"
        elif "found more fields" in first:
            first = _odd_line(sources) or first
        raise ValueError(f"{_name(sources)} cannot be read as a table: {first.rstrip('.')}.") from error


def _excel_errors() -> tuple[type[Exception], ...]:
    if find_spec("fastexcel") is None:
        return ()
    import fastexcel

    return (fastexcel.FastExcelError,)


def _odd_line(sources: Sequence[str]) -> str | None:
    for path in [found for source in sources for found in _named_files(source)]:
        line = odd_line(path, find_format(path))
        if line is not None:
            return f"{line}; mend that line, or name the right separator (--read separator=SIGN)"
    return None


def _name(sources: Sequence[str]) -> str:
    return "standard input" if list(sources) == ["-"] else ", ".join(sources)


def _kind(path: Path) -> str:
    suffix = path.suffix.lower()
    return "parquet" if suffix in _PARQUET else "excel" if suffix in _EXCEL else "text"


def free_name(name: str, taken: Sequence[str]) -> str:
    """Return a name that no column of a table has.

    >>> free_name("day", ["day"])
    'idnf day'
    """
    while name in taken:
        name = f"idnf {name}"
    return name


def in_engine(arguments: argparse.Namespace) -> bool:
    """Return whether a table is to stay where it is: an engine is named, or the table is the address of a database."""
    return arguments.engine is not None or is_database(arguments.table[0])


def open_lazily(arguments: argparse.Namespace) -> Lazy:
    """Open the table of a command in its engine."""
    source, name = arguments.table[0], arguments.table_name
    if is_database(source):
        if len(arguments.table) > 1:
            raise InvalidArgument("a database", "be the only table", f"{shown_address(arguments.table[1])} too")
        if name is None:
            raise InvalidArgument("--table-name", f"name a table of {shown_address(source)}", "none")
        opened = open_table(source, table=name)
    elif name is not None:
        raise InvalidArgument("--table-name", "be left out for files", name)
    else:
        opened = open_table(arguments.table, arguments.engine)
    lazy = as_lazy(opened)
    assert lazy is not None, "engines give lazy tables"
    return lazy


def answer_parts(answer: object, console: Console) -> Iterator[pl.DataFrame]:
    """Work out a lazy table in its engine and give it part by part; count the rows that are done."""
    require_polars()
    lazy = as_lazy(answer)
    assert lazy is not None, "what an engine answers is lazy"
    with Step("working out the answer", lazy):
        yield from console.counted(_parts(lazy.to_native(), lazy.implementation), lambda part: part.height)


def _parts(native: object, implementation: nw.Implementation) -> Iterator[pl.DataFrame]:
    """Give a lazy table as parts that fit into memory, first one without rows, which says what the columns are."""
    import polars as pl

    if implementation.is_polars():
        assert isinstance(native, pl.LazyFrame), "a lazy polars table"
        yield native.head(0).collect()
        yield from native.collect_batches(chunk_size=BATCH, maintain_order=True)
    elif implementation.is_pyspark():
        yield from _spark_parts(native)
    else:
        reader = _arrow_reader(native, implementation)
        yield pl.DataFrame(reader.schema.empty_table())
        for batch in reader:
            yield pl.DataFrame(batch)


def _spark_parts(native: object) -> Iterator[pl.DataFrame]:
    import polars as pl
    import pyspark.sql

    assert isinstance(native, pyspark.sql.DataFrame), "a Spark table"
    empty = pl.DataFrame(native.limit(0).toArrow())
    yield empty
    rows = native.toLocalIterator(prefetchPartitions=True)
    while part := list(islice(rows, BATCH)):
        yield pl.DataFrame([tuple(row) for row in part], schema=empty.schema, orient="row")


def _arrow_reader(native: object, implementation: nw.Implementation) -> pa.RecordBatchReader:
    if implementation.is_duckdb():
        import pyarrow as pa

        return pa.RecordBatchReader.from_stream(native)
    import ibis

    assert isinstance(native, ibis.Table), "an ibis table"
    return native.to_pyarrow_batches(chunk_size=BATCH)
