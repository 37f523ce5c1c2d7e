"""Arguments that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TypeAlias

from idnf.commands.console import Console

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
Run = Callable[[argparse.Namespace, Console], int]

TABLE = "CSV or Parquet file; - reads CSV from standard input"


def add_command(commands: Commands, name: str, run: Run, *, what: str, example: str) -> argparse.ArgumentParser:
    """Add a command that calls ``run``, with an example in its help."""
    description = what[0].upper() + what[1:] + "."
    parser = commands.add_parser(name, help=what, description=description, epilog=f"example:  {example}")
    parser.set_defaults(run=run)
    return parser


def add_model_and_table(parser: argparse.ArgumentParser, *, output: str = "-") -> None:
    """Add the arguments of a command that applies a model to a table."""
    parser.add_argument("model", help="model file written by idnf fit")
    parser.add_argument("table", help=TABLE)
    parser.add_argument("-o", "--output", default=output, help=f"file to write (default {output})")
