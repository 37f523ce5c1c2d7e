"""Arguments that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import partial
from typing import TypeAlias

from idnf.commands.console import Console

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Run = Callable[[argparse.Namespace, Console], int]

TABLE = "CSV, Excel or Parquet files; - reads CSV from standard input"
TABLE_OR_DATABASE = f"{TABLE}; or a database such as postgresql://user@host/name"

help_formatter = partial(argparse.RawDescriptionHelpFormatter, max_help_position=30)
"""Keeps examples as they are written, and options beside their meaning."""


def add_command(commands: Commands, name: str, run: Run, *, what: str, example: str) -> argparse.ArgumentParser:
    """Add a command that calls ``run``, with an example in its help."""
    parser = commands.add_parser(
        name,
        help=what,
        description=what[0].upper() + what[1:] + ".",
        epilog=f"example:\n  {example}",
        formatter_class=help_formatter,
    )
    parser.set_defaults(run=run)
    parser.add_argument(
        "-q", "--quiet", action="store_true", default=argparse.SUPPRESS, help="leave out remarks and progress"
    )
    return parser


def add_model_and_table(parser: argparse.ArgumentParser, *, output: str = "-", table: str = TABLE) -> None:
    """Add the arguments of a command that applies a model to a table."""
    parser.add_argument("model", help="model file written by idnf fit")
    parser.add_argument("table", nargs="+", help=table)
    where = "standard output" if output == "-" else output
    parser.add_argument("-o", "--output", metavar="FILE", default=output, help=f"file to write (default: {where})")


def listed_columns(given: Sequence[str], names: Sequence[str], option: str) -> list[str]:
    """Return columns named one by one or parted by commas; a name may hold a comma itself."""
    found: list[str] = []
    for text in given:
        found += [text] if text in names else [part.strip() for part in text.split(",")]
    for name in found:
        refuse_unknown_column(names, name, option)
    return found


def refuse_unknown_column(names: Sequence[str], name: str, option: str) -> None:
    """Refuse the name of a column that is not there; name the nearest one."""
    if name not in names:
        close = get_close_matches(name, names, 1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise ValueError(f"{option} must name a column ({', '.join(names)}); got {name}.{hint}")
