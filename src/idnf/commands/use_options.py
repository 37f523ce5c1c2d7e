"""The arguments of the commands that put a model to use: predict, export."""

from __future__ import annotations

from argparse import ArgumentParser

from idnf.commands.arguments import whole_number
from idnf.commands.table_options import add_engine, add_model_and_table, add_output, examples


def add_predict(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf predict``."""
    parser.usage = "%(prog)s model table ... [options]"
    parser.epilog = examples("idnf predict model.json loans.csv -o labelled.csv")
    add_model_and_table(parser, database=True)
    add_output(parser, what="file to write; text as in the table")
    add_engine(parser, "predict")
    parser.add_argument("--proba", action="store_true", help="add the training share of each label")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")


def add_export(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf export``."""
    parser.usage = "%(prog)s model --to LANGUAGE [options]"
    parser.epilog = examples(
        "idnf export model.json --to sql --dialect duckdb",
        "idnf export --checker -o check_decisions.py",
    )
    parser.add_argument("model", nargs="?", help="model file; none is needed to write a checker")
    parser.add_argument(
        "--to", choices=("sql", "python", "javascript", "onnx", "xlsx"), help="language or format of the program"
    )
    parser.add_argument(
        "--checker",
        nargs="?",
        const="decisions",
        choices=("decisions", "optimum"),
        help="write the program that checks recorded decisions, in Python or with --to javascript; or the one that "
        "finds a proved optimum again from the training table, in Python with numpy",
    )
    parser.add_argument(
        "--dialect", choices=("sqlite", "duckdb", "postgres"), default="postgres", help="kind of SQL (default postgres)"
    )
    parser.add_argument(
        "--principal",
        metavar="N",
        type=whole_number(0),
        default=0,
        help="for sql: add this many principal reasons",
    )
    parser.add_argument("--table", metavar="NAME", help="for sql: write the whole query over this table")
    parser.add_argument("--reasons", action="store_true", help="for sql: add the reason of every row")
    parser.add_argument("--proba", action="store_true", help="for sql: add the share of the second of two labels")
    add_output(parser)
