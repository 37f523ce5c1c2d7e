"""Names, texts and numbers as SQL writes them, safe whatever they hold."""

from __future__ import annotations

from typing import Literal

from idnf.exporting.plain_labels import Label

Dialect = Literal["sqlite", "duckdb", "postgres"]
_DIALECTS: tuple[Dialect, ...] = ("postgres", "duckdb", "sqlite")

_DIGITS = 15
"""Decimal numbers of at most so many digits are read exactly by every engine."""


def checked_dialect(dialect: str) -> Dialect:
    """Return the dialect, or raise an error that lists those there are."""
    for known in _DIALECTS:
        if dialect == known:
            return known
    raise ValueError(f"dialect must be one of {', '.join(_DIALECTS)}; got {dialect!r}.")


def name_sql(name: str, dialect: Dialect) -> str:
    """Return a name in quotes.

    SQLite reads an unknown name in double quotes as text, so it gets backquotes.

    >>> print(name_sql('a "b" c', "postgres"), name_sql('a "b" c', "sqlite"))
    "a ""b"" c" `a "b" c`
    """
    _refuse_null(name)
    quote = "`" if dialect == "sqlite" else '"'
    return quote + name.replace(quote, 2 * quote) + quote


def text_sql(text: str, dialect: Dialect) -> str:
    r"""Return a text in quotes; in PostgreSQL also where backslashes are escapes.

    >>> print(text_sql("it's", "sqlite"), text_sql("a\\b", "postgres"))
    'it''s' E'a\\b'
    """
    _refuse_null(text)
    quoted = "'" + text.replace("'", "''") + "'"
    return "E" + quoted.replace("\\", "\\\\") if dialect == "postgres" and "\\" in text else quoted


def number_sql(number: float, dialect: Dialect) -> str:
    """Return a number that the engine reads as exactly this double.

    SQLite does not read long decimals exactly, so these become a quotient of whole numbers, exact in binary.

    >>> number_sql(30.0, "duckdb"), number_sql(0.1, "postgres"), number_sql(0.75, "sqlite")
    ('30e0', '0.1e0', '0.75')
    >>> number_sql(1 / 3, "sqlite")
    '(6004799503160661.0 / 18014398509481984.0)'
    """
    text = repr(float(number))
    digits, _, exponent = text.partition("e")
    if dialect != "sqlite":
        return f"{digits.removesuffix('.0')}e{int(exponent or 0)}"
    if len(digits.strip("-").replace(".", "").strip("0")) <= _DIGITS and abs(int(exponent or 0)) < 7:
        return text
    return _exact_sql(number)


def _exact_sql(number: float) -> str:
    above, below = float(number).as_integer_ratio()
    if below == 1:
        shift = (above & -above).bit_length() - 1
        return _product(above >> shift, "*", 1 << shift)
    return _product(above, "/", below)


def _product(start: int, sign: str, power: int) -> str:
    """Return a whole number times, or divided by, a power of two, in steps that are each exact."""
    parts = [f"{start}.0"]
    while power > 1:
        step = min(power, 1 << 62)
        parts.append(f"{step}.0")
        power //= step
    return "(" + f" {sign} ".join(parts) + ")"


def label_sql(label: Label, dialect: Dialect) -> str:
    """Return a label.

    >>> label_sql(True, "postgres"), label_sql(True, "sqlite"), label_sql("yes", "duckdb"), label_sql(1, "duckdb")
    ('TRUE', '1', "'yes'", '1')
    """
    if isinstance(label, bool):
        return str(int(label)) if dialect == "sqlite" else str(label).upper()
    if isinstance(label, str):
        return text_sql(label, dialect)
    return str(label) if isinstance(label, int) else number_sql(label, dialect)


def _refuse_null(text: str) -> None:
    if "\0" in text:
        raise ValueError(f"names and categories must have no null character to be written in SQL; got {text!r}.")
