"""The arguments of the commands that keep and watch decisions: record, letters, monitor; and of audits of rules."""

from __future__ import annotations

from argparse import ArgumentParser

from idnf.commands.table_options import (
    add_json,
    add_model_and_table,
    add_optional_table,
    add_output,
    add_say,
    examples,
)


def add_record(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf record``."""
    parser.usage = "%(prog)s model table ... [options]"
    parser.epilog = examples(
        "idnf record model.json loans.csv -o decisions.jsonl",
        "idnf record model.json --correct decisions.jsonl 17 income=2500",
    )
    parser.add_argument("model", help="model file")
    add_optional_table(parser, "rows to decide")
    parser.add_argument(
        "--id", metavar="COLUMN", help="column of identifiers, different in every row (default: the number of the row)"
    )
    parser.add_argument(
        "--keep", metavar="A,B", action="append", default=[], help="columns that letters name, such as name"
    )
    parser.add_argument(
        "--alternative", metavar="FILE", action="append", default=[], help="model whose decision to add (repeatable)"
    )
    add_output(parser, "decisions.jsonl")
    parser.add_argument(
        "--correct",
        metavar="FILE",
        nargs="+",
        help="decide a recorded case again: the file of records, an identifier, COLUMN=VALUE ...",
    )


def add_letters(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf letters``."""
    parser.usage = "%(prog)s records --template FILE --outcome LABEL [options]"
    parser.epilog = examples(
        "idnf letters decisions.jsonl --template referral --outcome declined "
        "--field sender=Bank --field contact=555-0100",
    )
    parser.add_argument("records", help="file written by idnf record")
    parser.add_argument(
        "--template",
        metavar="FILE",
        help="file of plain text, Markdown, HTML or DOCX, or an example: credit-denial, benefit, referral (required)",
    )
    parser.add_argument(
        "--outcome",
        metavar="LABEL",
        action="append",
        default=[],
        help="decision that gets a letter (repeatable; default: all but the favourable outcome of --model)",
    )
    parser.add_argument("--model", metavar="FILE", help="refuse records that do not say what this model says")
    parser.add_argument(
        "--field",
        metavar="NAME=TEXT",
        action="append",
        default=[],
        help="a field that is the same in all letters, such as sender='The Bank' (repeatable)",
    )
    add_say(parser)
    parser.add_argument("-o", "--output", metavar="FOLDER", default="letters", help="folder (default: letters)")
    parser.add_argument("--overwrite", action="store_true", help="replace letters that say something else")


def add_monitor(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf monitor``."""
    parser.usage = "%(prog)s model table ... [options]"
    parser.epilog = examples("idnf monitor model.json loans.csv --by opened -o monitor.html")
    add_model_and_table(parser)
    parser.add_argument("--by", metavar="COLUMN", help="column of periods or dates (default: each file is a period)")
    parser.add_argument(
        "--every",
        choices=("month", "year"),
        default="month",
        help="length of a period if the column holds dates (default month)",
    )
    add_json(parser)
    add_output(parser)


def add_audit(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf audit``."""
    parser.usage = "%(prog)s rules [options]"
    parser.epilog = examples("idnf audit rules.sql")
    parser.add_argument(
        "rules",
        help="decision table in DMN (.dmn), Excel (.xlsx) or CSV; or text file: if ... then ... lines, or SQL's CASE "
        "WHEN, alone or in a query; - reads standard input",
    )
    parser.add_argument("--table", metavar="NAME", help="the decision or the sheet, if the file has several")
    parser.add_argument("--model", metavar="FILE", help="write the same function as a model file")
    parser.set_defaults(writes=("output", "model"))
    add_json(parser)
    add_output(parser)
