"""Arguments that several commands share, and what users say about changes with them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import partial
from typing import Literal, TypeAlias

from idnf.classifier.estimator import DNFClassifier
from idnf.commands.output import Console

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


def add_change_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that limit the changes proposed, or switch them off."""
    which = parser.add_mutually_exclusive_group()
    text = "columns that cannot change, parted by commas (repeatable)"
    which.add_argument("--immutable", action="append", default=[], metavar="A,B", help=text)
    which.add_argument("--no-changes", action="store_true", help="propose no change of any column")


def asked_immutable(arguments: argparse.Namespace, names: Sequence[str]) -> list[str] | Literal["all"] | None:
    """Return the columns that cannot change, "all" of them, or None where nothing was said."""
    if arguments.no_changes:
        return "all"
    return listed_columns(arguments.immutable, names, "--immutable") or None


def limited(classifier: DNFClassifier, arguments: argparse.Namespace) -> DNFClassifier:
    """Return a model that keeps to what the user says about changes, beside what the model file says."""
    names = [column.name for column in classifier.fitted_.columns] + classifier.binariser_.input_names
    asked = asked_immutable(arguments, names)
    if asked is None:
        return classifier
    return classifier.with_immutable(asked if asked == "all" else [*classifier.fitted_.immutable, *asked])
