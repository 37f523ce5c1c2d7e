"""The arguments of the commands for the researcher, and of the demo: analyse, datasets, demo."""

from __future__ import annotations

from argparse import ArgumentParser

from idnf.commands.table_options import add_json, examples


def add_analyse(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf analyse``."""
    parser.usage = "%(prog)s formula [options]"
    parser.epilog = examples("idnf analyse 'a & b | c & ~d'")
    parser.add_argument("formula", help="a formula of &, |, ~ and brackets; quote names with other characters")
    add_json(parser)


def add_datasets(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf datasets``."""
    parser.usage = "%(prog)s [options]"
    parser.epilog = examples("idnf datasets --load loans -o loans.csv")
    parser.add_argument("--load", metavar="NAME", help="load this one and report its size")
    parser.add_argument("-o", "--output", metavar="FILE", help="write it as CSV or Parquet")
    add_json(parser)


def add_demo(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf demo``."""
    parser.usage = "%(prog)s [options]"
    parser.epilog = examples("idnf demo --output demo")
    parser.add_argument(
        "-o", "--output", metavar="FOLDER", default="demo", help="folder for the model and the report (default demo)"
    )
