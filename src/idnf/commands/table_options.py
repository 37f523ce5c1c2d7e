"""Arguments that several commands share: the table, how its file is written, the engine, what is learned and how."""

from __future__ import annotations

import argparse
from typing import Any, Protocol

from idnf.commands.arguments import number_above, share, whole_number
from idnf.learning.choices import LEARNERS


class ArgumentGroup(Protocol):
    """Where arguments are added: a command, or a group of its help."""

    def add_argument(self, *names: str, **details: Any) -> argparse.Action:
        """Add an argument."""


TABLE = "CSV, Excel or Parquet files; - reads CSV from standard input"
TABLE_OR_DATABASE = f"{TABLE}; or a database such as postgresql://user@host/name"

READ_KEYS = ("separator", "encoding", "sheet", "skip", "header", "unpacked", "decimal", "missing")
"""What `--read` may be about."""


def examples(*lines: str) -> str:
    """Return the end of a command's help."""
    return "\n  ".join(["example:", *lines])


def read_setting(text: str) -> tuple[str, str]:
    """Return what `--read` says, as a key and its value.

    >>> read_setting("separator=;")
    ('separator', ';')
    """
    key, equals, value = text.partition("=")
    if not equals or key not in READ_KEYS:
        raise argparse.ArgumentTypeError(f"must be {', '.join(READ_KEYS)} and a value, as in skip=3; got {text}")
    return key, value


def add_read(group: ArgumentGroup) -> None:
    """Add the option for files that are not written as they seem."""
    group.add_argument(
        "--read",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        type=read_setting,
        help="how the table is written, if it is not as detected or as in training: separator=; encoding=latin-1 "
        "sheet=NAME skip=3 header=no unpacked=5 (gigabytes); to learn, also decimal=, missing=-999 (repeatable)",
    )


def add_table(parser: argparse.ArgumentParser, *, database: bool = False) -> None:
    """Add a table that a command must have, and how it is read."""
    parser.add_argument("table", nargs="+", help=TABLE_OR_DATABASE if database else TABLE)
    add_read(parser)


def add_optional_table(parser: argparse.ArgumentParser, why: str) -> None:
    """Add a table that a command may have, and how it is read."""
    parser.add_argument("table", nargs="*", help=f"{why}; {TABLE}")
    add_read(parser)


def add_model_and_table(parser: argparse.ArgumentParser, *, database: bool = False) -> None:
    """Add a model and the table it is applied to."""
    parser.add_argument("model", help="model file written by idnf fit or idnf bands")
    add_table(parser, database=database)


def add_true_labels(parser: argparse.ArgumentParser) -> None:
    """Add the column of labels of a model that is there."""
    parser.add_argument("--target", metavar="COLUMN", help="column of true labels (default: as in the model file)")


def add_say(parser: argparse.ArgumentParser) -> None:
    """Add what labels are called."""
    parser.add_argument(
        "--say",
        metavar="LABEL=TEXT",
        action="append",
        default=[],
        help="what a label is called, as in 0=declined (repeatable)",
    )


def add_engine(group: ArgumentGroup, action: str) -> None:
    """Add where a table stays that does not fit into memory."""
    group.add_argument(
        "--engine",
        choices=("polars", "duckdb", "spark"),
        help=f"{action} in this engine, for large tables",
    )
    group.add_argument("--table-name", metavar="NAME", help="table of the database")


def add_learning(parser: argparse.ArgumentParser, *, database: bool = False) -> None:
    """Add the table to learn from, its labels, and the work to put in."""
    add_table(parser, database=database)
    parser.add_argument("--target", metavar="COLUMN", help="column of labels (required)")
    parser.add_argument(
        "--ignore",
        metavar="A,B",
        action="append",
        default=[],
        help="leave out these columns, separated by commas (repeatable)",
    )
    parser.add_argument(
        "--effort", metavar="X", type=number_above(0), default=1.0, help="how much to search (default 1)"
    )
    parser.add_argument(
        "--seed", metavar="N", type=whole_number(0), default=0, help="seed of all random choices (default 0)"
    )
    add_json(parser)


def add_learner(group: ArgumentGroup) -> None:
    """Add how to find a model."""
    group.add_argument("--learner", choices=LEARNERS, default="search", help="how to find the model (default search)")


def add_k(parser: argparse.ArgumentParser) -> None:
    """Add the most conditions in a reason."""
    parser.add_argument(
        "--k", metavar="K", type=whole_number(1), default=3, help="most conditions in any reason (default 3)"
    )


def add_positive(parser: argparse.ArgumentParser) -> None:
    """Add the label of interest."""
    parser.add_argument(
        "--positive",
        metavar="LABEL",
        help="the label of interest, whose likelihood and recall count; of several labels it is learned against the "
        "rest, and of numbers, '> 50' (default: the label that means yes)",
    )


def add_refusals(group: ArgumentGroup) -> None:
    """Add what becomes of rows with values that training did not have."""
    group.add_argument(
        "--missing",
        choices=("allow", "refuse"),
        default="allow",
        help="values missing in a column that had none missing in training: answer with a remark (the default), "
        "or refuse to answer",
    )
    group.add_argument(
        "--unseen",
        choices=("allow", "refuse"),
        default="allow",
        help="categories never seen in training: count them as other (the default), or refuse to answer",
    )


def add_monotone(group: ArgumentGroup) -> None:
    """Add directions that a model must keep to."""
    group.add_argument(
        "--monotone",
        metavar="COLUMN=1|-1",
        action="append",
        default=[],
        help="the positive label may only become more likely as the column goes up (1) or down (-1) (repeatable)",
    )


def add_test_size(group: ArgumentGroup) -> None:
    """Add how many rows are held out to measure on."""
    group.add_argument(
        "--test-size", metavar="SHARE", type=share, help="share of rows held out (default 0.25; 0: none)"
    )


def add_limits_of_work(group: ArgumentGroup) -> None:
    """Add how long a search may take."""
    group.add_argument(
        "--time-limit",
        metavar="S",
        type=number_above(0),
        help="seconds after which to stop with the best model so far",
    )


def add_immutable(group: ArgumentGroup) -> None:
    """Add columns that no proposed change touches."""
    group.add_argument(
        "--immutable",
        metavar="A,B",
        action="append",
        default=[],
        help="columns that cannot change, separated by commas (repeatable); all: propose no change; none: dates may "
        "change too (default: columns of dates)",
    )


def add_favourable(group: ArgumentGroup) -> None:
    """Add the outcome that people want."""
    group.add_argument(
        "--favourable",
        metavar="LABEL",
        help="the outcome that people want: changes are proposed only to those who do not get it, and letters are for "
        "them (default: a label whose name says so, such as approved)",
    )


def add_no_rows(group: ArgumentGroup) -> None:
    """Add the option to keep values of rows out of a file."""
    group.add_argument("--no-rows", action="store_true", help="leave out values of single rows and rare categories")


def add_json(group: ArgumentGroup) -> None:
    """Add output for programs."""
    group.add_argument("--json", action="store_true", help="print JSON")


def add_output(group: ArgumentGroup, default: str = "-", what: str = "file to write") -> None:
    """Add where the result goes."""
    shown = "standard output" if default == "-" else default
    group.add_argument("-o", "--output", metavar="FILE", default=default, help=f"{what} (default: {shown})")
