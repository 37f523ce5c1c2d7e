"""The arguments of the commands for the researcher, and of the demo: analyse, reproduce, datasets, demo."""

from __future__ import annotations

from argparse import ArgumentParser

from idnf.commands.arguments import whole_number
from idnf.commands.table_options import add_json, examples
from idnf.learning.choices import LEARNERS


def add_analyse(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf analyse``."""
    parser.usage = "%(prog)s formula [options]"
    parser.epilog = examples("idnf analyse 'a & b | c & ~d'")
    parser.add_argument("formula", help="a formula of &, |, ~ and brackets; quote names with other characters")
    add_json(parser)


def add_reproduce(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf reproduce``."""
    parser.usage = "%(prog)s [options]"
    parser.epilog = examples("idnf reproduce --k 2 3 --datasets iris monks-1 --runs 3")
    parser.add_argument(
        "--k", metavar="K", nargs="+", type=whole_number(1), default=[2, 3, 4, 5, 6], help="bounds (default 2 to 6)"
    )
    parser.add_argument("--datasets", metavar="NAME", nargs="+", help="data sets (default: all eleven)")
    parser.add_argument(
        "--runs", metavar="RUNS", type=whole_number(1), default=10, help="fits on each split (default 10)"
    )
    parser.add_argument("--jobs", metavar="JOBS", type=whole_number(1), default=2, help="processes (default 2)")
    parser.add_argument("--learner", choices=LEARNERS, default="greedy", help="column to add (default greedy)")
    parser.add_argument(
        "-o", "--output", metavar="FOLDER", help="folder for CSV, Markdown and the picture (default: print only)"
    )


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
