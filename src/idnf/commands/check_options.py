"""The arguments of the commands that explain and check a model: explain, recourse, report, verify, check, diff."""

from __future__ import annotations

from argparse import ArgumentParser

from idnf.commands.arguments import number_above, whole_number
from idnf.commands.table_options import (
    add_engine,
    add_immutable,
    add_json,
    add_model_and_table,
    add_no_rows,
    add_optional_table,
    add_output,
    add_say,
    add_true_labels,
    examples,
)


def add_explain(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf explain``."""
    parser.usage = "%(prog)s model table ... [options]"
    parser.epilog = examples("idnf explain model.json loans.csv --text")
    add_model_and_table(parser, database=True)
    add_output(parser, what="file to write; text as in the table")
    add_engine(parser, "explain")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON object per line")
    form.add_argument("--text", action="store_true", help="one sentence per line")
    add_immutable(parser)
    parser.add_argument(
        "--relevance", action="store_true", help="add which columns are in every reason and which in at least one"
    )
    parser.add_argument(
        "--principal",
        metavar="N",
        type=whole_number(0),
        default=0,
        help="add at most this many principal reasons, as adverse action notices do (usually 4)",
    )
    parser.add_argument(
        "--texts",
        metavar="FILE",
        help="CSV of column,code,text,outcome for principal reasons: rows with another outcome get none",
    )


def add_recourse(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf recourse``."""
    parser.usage = "%(prog)s model table ... [options]"
    parser.epilog = examples("idnf recourse model.json loans.csv --row 3 --immutable education")
    add_model_and_table(parser)
    add_output(parser)
    parser.add_argument(
        "--row", metavar="N,", default="1", help="rows of the table, from 1: 3, or 3,5-7, or all (default 1)"
    )
    parser.add_argument("--to", metavar="LABEL", help="label to reach (default: any other)")
    add_immutable(parser)
    parser.add_argument(
        "--increase-only",
        metavar="COLUMN",
        action="append",
        default=[],
        help="column that can only go up (repeatable)",
    )
    parser.add_argument(
        "--decrease-only",
        metavar="COLUMN",
        action="append",
        default=[],
        help="column that can only go down (repeatable)",
    )
    parser.add_argument(
        "--count", metavar="N", type=whole_number(1), default=1, help="how many alternatives (default 1)"
    )
    add_json(parser)


def add_report(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf report``."""
    parser.usage = "%(prog)s model table ... [options]"
    parser.epilog = examples("idnf report model.json loans.csv -o report.html")
    add_model_and_table(parser)
    add_output(parser, "report.html")
    add_true_labels(parser)
    parser.add_argument("--subgroup", metavar="COLUMN", help="break accuracy down by this column")
    parser.add_argument(
        "--near-equals",
        action="store_true",
        help="list other models that are as good, learned from a part of these rows (takes a while)",
    )
    parser.add_argument(
        "--edit", action="store_true", help="let readers change the lines on the page and save edits for idnf adopt"
    )
    parser.add_argument("--title", metavar="TITLE", help="headline of the page (default: the target and its labels)")
    add_immutable(parser)
    add_no_rows(parser)
    add_say(parser)
    parser.add_argument("--card", metavar="FILE", help="write a model card in Markdown as well")
    parser.add_argument(
        "--pack",
        metavar="FOLDER",
        help="write a folder for validators as well: model, page, card, workbook, records and the programs that "
        "check them",
    )
    parser.add_argument("--json", action="store_true", help="print the figures of the page as JSON")


def add_verify(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf verify``."""
    parser.usage = "%(prog)s model [table ...] [options]"
    parser.epilog = examples("idnf verify model.json", "idnf verify model.json loans.csv")
    parser.add_argument("model", help="model file")
    add_optional_table(parser, "the training table, to check what the file states about it")
    add_true_labels(parser)
    parser.add_argument(
        "--alone",
        metavar="COLUMN",
        action="append",
        default=[],
        help="also prove that this column alone never decides (repeatable)",
    )
    parser.add_argument(
        "--time-limit",
        metavar="S",
        type=number_above(0),
        default=60.0,
        help="seconds that the proofs may take (default 60)",
    )
    add_json(parser)


def add_check(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf check``."""
    parser.usage = "%(prog)s model rules [table ...] [options]"
    parser.epilog = examples("idnf check model.json policy.txt")
    parser.add_argument("model", help="model file")
    parser.add_argument("rules", help="text file with one rule per line; - reads standard input")
    add_optional_table(parser, "rows to count those that break a rule")
    parser.add_argument("--rectify", metavar="FILE", help="write the nearest model that obeys; needs labelled rows")
    add_true_labels(parser)
    add_json(parser)
    add_output(parser)


def add_diff(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf diff``."""
    parser.usage = "%(prog)s old new [table ...] [options]"
    parser.epilog = examples("idnf diff model.json small.json loans.csv")
    parser.add_argument("old", help="model file, or a policy in a text file")
    parser.add_argument("new", help="model file, or a policy in a text file")
    add_optional_table(parser, "rows to count in each region")
    add_json(parser)
    add_output(parser)


def add_adopt(parser: ArgumentParser) -> None:
    """Add the arguments of ``idnf adopt``."""
    parser.usage = "%(prog)s model edits [table ...] -o FILE [options]"
    parser.epilog = examples("idnf adopt model.json edits.json loans.csv -o edited.json")
    parser.add_argument("model", help="model file that was edited")
    parser.add_argument("edits", help="file of edits, saved on a page of idnf report --edit")
    add_optional_table(parser, "rows to count what changes, and to take probabilities from")
    add_true_labels(parser)
    parser.add_argument(
        "--k", metavar="K", type=whole_number(1), help="most conditions in any reason (default: as in the model)"
    )
    add_output(parser, "edited.json", what="model file to write")
