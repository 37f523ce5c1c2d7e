"""Tables as people have them: one clean table, written with one trap at a time."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

ROWS = 600
TARGET = "left"


def clean_table() -> pl.DataFrame:
    """Return customers with numbers, a category, a date and missing values; whoever is new and pays much leaves."""
    rng = np.random.default_rng(5)
    months = rng.integers(1, 72, ROWS)
    fee = np.round(rng.uniform(900, 4100, ROWS), 2)
    share = np.round(rng.uniform(0, 100, ROWS), 1)
    town = rng.choice(["Genève", "Zürich", "Bern", "Köln"], ROWS, p=[0.3, 0.3, 0.3, 0.1])
    day = np.datetime64("2015-01-01") + rng.integers(0, 2900, ROWS).astype("m8[D]")
    score = 1.0 * (months < 24) + 1.0 * (fee > 2500) + 0.5 * (day > np.datetime64("2019-01-01"))
    leaves = score + rng.normal(0, 0.4, ROWS) > 1.3
    known = [None if gone else value for gone, value in zip(rng.random(ROWS) < 0.05, fee.tolist(), strict=True)]
    columns = {"months": months, "fee": known, "share": share, "town": town, "since": day.astype("M8[D]")}
    return pl.DataFrame(columns).with_columns(pl.Series(TARGET, np.where(leaves, "yes", "no")))


@dataclass(frozen=True)
class Trap:
    """One way to write the table, and what is said about it.

    Parameters
    ----------
    name : str
        The name of the file.
    write : callable
        Writes the table to a path.
    said : tuple of str
        What the remarks must hold.
    unsaid : tuple of str
        What no condition of the model may speak of.
    """

    name: str
    write: Callable[[pl.DataFrame, Path], object]
    said: tuple[str, ...] = ()
    unsaid: tuple[str, ...] = ()


def text(table: pl.DataFrame, **options: object) -> str:
    return table.write_csv(**options)  # type: ignore[arg-type]


def changed(*columns: pl.Expr) -> Callable[[pl.DataFrame, Path], object]:
    """Return a writer of the table with other columns."""
    return lambda table, path: table.with_columns(*columns).write_csv(path)


def spelled(
    name: str, write: Callable[[object], str | None], **options: object
) -> Callable[[pl.DataFrame, Path], object]:
    """Return a writer of the table with one column written otherwise."""

    def written(table: pl.DataFrame, path: Path) -> None:
        values = [write(value) for value in table[name].to_list()]
        table.with_columns(pl.Series(name, values, dtype=pl.String)).write_csv(path, **options)  # type: ignore[arg-type]

    return written


def encoded(encoding: str) -> Callable[[pl.DataFrame, Path], object]:
    return lambda table, path: path.write_bytes(text(table).encode(encoding))


def edited(edit: Callable[[str], str]) -> Callable[[pl.DataFrame, Path], object]:
    """Return a writer that edits the text of the file."""
    return lambda table, path: path.write_text(edit(text(table)), encoding="utf-8", newline="")


def lines(edit: Callable[[int, str], str]) -> Callable[[pl.DataFrame, Path], object]:
    """Return a writer that edits each line, by its number from 0."""
    return edited(lambda whole: "".join(f"{edit(i, line)}\n" for i, line in enumerate(whole.splitlines())))


def comma(value: object) -> str | None:
    return None if value is None else f"{value:.2f}".replace(".", ",")


def grouped(value: object) -> str | None:
    return None if value is None else f"{value:,.2f}"


def german(table: pl.DataFrame, path: Path) -> None:
    """Write as a German office does: semicolons, decimal commas, Latin-1, days first."""
    columns = [pl.Series(name, [comma(value) for value in table[name].to_list()]) for name in ("fee", "share")]
    days = table["since"].dt.strftime("%d.%m.%Y")
    other = table.with_columns(*columns, days)
    path.write_bytes(text(other, separator=";", line_terminator="\r\n").encode("latin-1"))


def zipped(table: pl.DataFrame, path: Path) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("customers.csv", text(table))


def two_sheets(table: pl.DataFrame, path: Path) -> None:
    import xlsxwriter

    with xlsxwriter.Workbook(path) as book:
        table.write_excel(book, worksheet="customers")
        pl.DataFrame({"note": ["made up"]}).write_excel(book, worksheet="notes")


def every(n: int, replacement: str) -> Callable[[object], str | None]:
    """Return a spelling in which every n-th value is another text."""
    count = iter(range(10 * ROWS))
    return lambda value: replacement if next(count) % n == 0 else None if value is None else str(value)


def shuffled(start: int = 0) -> pl.Series:
    return pl.Series(np.random.default_rng(1).permutation(ROWS) + start)


def accounted(value: object) -> str | None:
    if value is None:
        return None
    debt = float(str(value)) - 2500
    return f"({-debt:,.2f})" if debt < 0 else f"{debt:,.2f}"


TRAPS = [
    Trap("clean.csv", lambda table, path: table.write_csv(path)),
    Trap(
        "german.csv",
        german,
        (
            "separated by semicolons",
            "fee, share: numbers written as text with decimal commas",
            "Windows-1252",
            "since: dates written as text, read as dates with the day first",
        ),
    ),
    Trap("tabs.csv", lambda table, path: table.write_csv(path, separator="\t"), ("separated by tabs",)),
    Trap("tabs.tsv", lambda table, path: table.write_csv(path, separator="\t")),
    Trap("bars.csv", lambda table, path: table.write_csv(path, separator="|"), ("separated by vertical bars",)),
    Trap("latin.csv", encoded("latin-1"), ("read as Windows-1252",)),
    Trap("wide.csv", encoded("utf-16"), ("read as UTF-16",)),
    Trap("wide-unmarked.csv", encoded("utf-16-le"), ("read as utf-16-le",)),
    Trap("marked.csv", encoded("utf-8-sig")),
    Trap("packed.csv.gz", lambda table, path: path.write_bytes(gzip.compress(text(table).encode()))),
    Trap("packed.csv.bz2", lambda table, path: path.write_bytes(bz2.compress(text(table).encode()))),
    Trap("packed.csv.xz", lambda table, path: path.write_bytes(lzma.compress(text(table).encode()))),
    Trap("packed.zip", zipped),
    Trap("book.xlsx", lambda table, path: table.write_excel(path)),
    Trap("sheets.xlsx", two_sheets, ("using sheet customers; there is also notes (--read sheet=NAME)",)),
    Trap("table.parquet", lambda table, path: table.write_parquet(path)),
    Trap(
        "excel-hint.csv",
        lambda table, path: path.write_text("sep=;\n" + text(table, separator=";"), "utf-8"),
        ("semicolons",),
    ),
    Trap(
        "preamble.csv",
        edited(lambda whole: "Customers of the branch\nmade on 3 May\n\n" + whole),
        ("skipping the first 3 lines",),
    ),
    Trap("windows.csv", lambda table, path: table.write_csv(path, line_terminator="\r\n")),
    Trap("quoted.csv", lambda table, path: table.write_csv(path, quote_style="always")),
    Trap("single-quotes.csv", lambda table, path: table.write_csv(path, quote_char="'", quote_style="always")),
    Trap(
        "blank-header.csv",
        lines(lambda i, line: f"{i - 1 if i else ''},{line}"),
        ('column 1: a running number, left out (--as "column 1=keep")',),
        ("column 1",),
    ),
    Trap(
        "row-names.csv",
        lines(lambda i, line: f"{i},{line}" if i else line),
        ("column 1: a running number, left out",),
        ("column 1",),
    ),
    Trap(
        "trailing.csv",
        edited(lambda whole: whole.replace("\n", ",\n")),
        ("column 7: no value in any of 450 rows, left out",),
    ),
    Trap(
        "same-names.csv",
        edited(lambda whole: whole.replace("months,fee,share,", "months,fee,fee,")),
        ("'fee' is called 'fee (2)'",),
    ),
    Trap("spaces.csv", edited(lambda whole: whole.replace(",", ", ")), ("fee: ' ' (",)),
    Trap(
        "capitals.csv",
        edited(lambda whole: whole.replace(",Bern,", ",BERN,", 40)),
        ("'BERN', 'Bern' differ in capitals only",),
    ),
    Trap("blanks.csv", spelled("fee", lambda value: " " if value is None else str(value)), ("fee: ' ' (",)),
    Trap("question-marks.csv", spelled("fee", lambda value: "?" if value is None else str(value)), ("fee: '?' (",)),
    Trap(
        "dashes.csv",
        spelled("fee", lambda value: "-" if value is None else str(value)),
        ("fee: numbers written as text, read as numbers; '-' (", "counted as missing (--as fee=category)"),
    ),
    Trap(
        "words.csv",
        spelled("fee", lambda value: "not told" if value is None else str(value)),
        ("fee: read as numbers; 'not told' (", "counted as missing"),
    ),
    Trap(
        "thousands.csv",
        spelled("fee", grouped),
        ("fee: numbers written as text with , between thousands, read as numbers",),
    ),
    Trap(
        "swiss.csv",
        spelled("fee", lambda v: None if v is None else f"{v:,.2f}".replace(",", "'")),
        ("fee: numbers written as text with ' between thousands",),
    ),
    Trap("dollars.csv", spelled("fee", lambda v: None if v is None else f"${v:,.2f}"), ("the unit $",)),
    Trap(
        "euros.csv",
        spelled("fee", lambda v: None if v is None else comma(v) + " €"),
        ("decimal commas and the unit €",),
    ),
    Trap("percent.csv", spelled("share", lambda v: f"{v}%"), ("the unit %",)),
    Trap("units.csv", spelled("months", lambda v: f" {v} months"), ("the unit months",)),
    Trap("accountant.csv", spelled("fee", accounted), ("fee: numbers written as text",)),
    Trap("day-first.csv", spelled("since", lambda v: f"{v:%d/%m/%Y}"), ("with the day first (--as since=category)",)),
    Trap("month-first.csv", spelled("since", lambda v: f"{v:%m/%d/%Y}"), ("with the month first",)),
    Trap("named-months.csv", spelled("since", lambda v: f"{v:%d %b %Y}")),
    Trap("slashed.csv", spelled("since", lambda v: f"{v:%Y/%m/%d}")),
    Trap("times.csv", spelled("since", lambda v: f"{v:%d.%m.%Y} 13:45"), ("with the day first",)),
    Trap("zones.csv", spelled("since", lambda v: f"{v}T13:45:00+02:00")),
    Trap(
        "running.csv",
        changed(pl.lit(shuffled(1_000_000)).alias("tx_id")),
        ("tx_id: a running number, left out (--as tx_id=keep)",),
        ("tx_id",),
    ),
    Trap(
        "numbers-of-customers.csv",
        changed(pl.lit(shuffled() * 977 + 13).alias("CustomerID")),
        ("CustomerID: a number of its own in every row, left out",),
        ("CustomerID",),
    ),
    Trap(
        "names.csv",
        changed(pl.concat_str(pl.lit("no. "), pl.lit(shuffled()).cast(pl.String)).alias("customer")),
        ("customer: left out: 450 different values in 450 rows, probably names or comments",),
        ("customer",),
    ),
    Trap(
        "remarks.csv",
        changed(pl.concat_str(pl.lit("called on "), (pl.lit(shuffled()) % 420).cast(pl.String)).alias("remark")),
        ("different values in 450 rows, probably names or comments",),
        ("remark",),
    ),
    Trap(
        "codes.csv",
        changed(pl.concat_str(pl.lit("0"), (1000 + pl.lit(shuffled()) % 7).cast(pl.String)).alias("postcode")),
    ),
    Trap("constant.csv", changed(pl.lit("CHF").alias("currency")), ("currency: the same value, 'CHF', in every row",)),
    Trap(
        "twice.csv",
        changed(pl.col("months").alias("months again")),
        ('the same values as months: one of them is enough (--ignore "months again")',),
    ),
    Trap(
        "empty-column.csv",
        changed(pl.lit(None, dtype=pl.String).alias("fax")),
        ("fax: no value in any of 450 rows, left out",),
    ),
    Trap(
        "coded-missing.csv",
        changed(pl.col("months").map_elements(lambda v: -999 if v % 13 == 0 else v, pl.Int64)),
        ("months: -999 in", "far from the others"),
    ),
    Trap(
        "no-label.csv",
        lines(lambda i, line: line.rpartition(",")[0] + "," if i and i % 9 == 0 else line),
        ("left: 66 of 600 rows have no label and were left out",),
    ),
    Trap(
        "cases.csv",
        lines(lambda i, line: line.replace(",yes", ",YES") if i % 5 == 0 else line),
        ("labels that differ in case only are taken as one: YES",),
    ),
    Trap("german-labels.csv", edited(lambda whole: whole.replace(",yes\n", ",ja\n").replace(",no\n", ",nein\n"))),
    Trap("digits.csv", edited(lambda whole: whole.replace(",yes\n", ",1\n").replace(",no\n", ",0\n"))),
    Trap("truths.csv", edited(lambda whole: whole.replace(",yes\n", ",TRUE\n").replace(",no\n", ",FALSE\n"))),
    Trap(
        "long-text.csv",
        changed(
            pl.when(pl.int_range(ROWS) % 2 == 0)
            .then(pl.lit('says "no",\nthen yes'))
            .otherwise(pl.lit("nothing"))
            .alias("note")
        ),
    ),
]
"""Files from which one command without options learns a model as good as from the clean one."""
