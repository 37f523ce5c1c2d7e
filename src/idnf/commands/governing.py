"""Commands of auditors: diff, check, audit, monitor."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from idnf import exporting, reporting
from idnf.classifier.audits import audit, check_rules, difference
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.monitoring import monitor
from idnf.commands.answering import typed
from idnf.commands.arguments import TABLE, Commands, add_command
from idnf.commands.models import labelled
from idnf.commands.output import Console, write_text
from idnf.commands.table_files import add_file_options, read_rows

if TYPE_CHECKING:
    import polars as pl


def add_parser(commands: Commands) -> None:
    """Add the commands to the command line."""
    example = "idnf diff old.json new.json rows.csv"
    what = "say where two models disagree, or prove them equal"
    diff = add_command(commands, "diff", run_diff, what=what, example=example)
    diff.add_argument("old", help="model file, or a policy in a text file")
    diff.add_argument("new", help="model file, or a policy in a text file")
    diff.add_argument("table", nargs="*", help=f"rows to count in each region; {TABLE}")
    diff.add_argument("--most", type=int, default=20, metavar="N", help="regions to print (default 20)")
    example = "idnf check model.json policy.txt"
    what = "prove or refute rules that a model must obey"
    check = add_command(commands, "check", run_check, what=what, example=example)
    check.add_argument("model", help="model file")
    check.add_argument("rules", help="text file with one rule a line; - reads standard input")
    check.add_argument("table", nargs="*", help=f"rows to count those that break a rule; {TABLE}")
    check.add_argument("--rectify", metavar="FILE", help="write the nearest model that obeys; needs rows and --target")
    check.add_argument("--target", metavar="COLUMN", help="column of true labels, for --rectify")
    example = "idnf audit rules.sql"
    what = "say what other people's rules really say"
    audits = add_command(commands, "audit", run_audit, what=what, example=example)
    audits.add_argument("rules", help="text file: if ... then ... lines, or SQL's CASE WHEN; - reads standard input")
    audits.add_argument("--model", metavar="FILE", help="write the same function as a model file")
    example = "idnf monitor model.json 2026.parquet --by decided -o monitor.html"
    what = "count reasons by period, and how far they moved"
    watch = add_command(commands, "monitor", run_monitor, what=what, example=example)
    watch.add_argument("model", help="model file")
    watch.add_argument("table", nargs="+", help=f"{TABLE}; without --by each file is a batch")
    watch.add_argument("--by", metavar="COLUMN", help="column of periods; dates are taken by month or year")
    watch.add_argument("--every", default="month", choices=["month", "year"], help="what dates are taken by")
    for parser in (diff, check, watch):
        add_file_options(parser)
    for parser in (diff, check, audits, watch):
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument("-o", "--output", metavar="FILE", default="-", help="file to write")


def run_diff(arguments: argparse.Namespace, console: Console) -> int:
    """Print where two models disagree; exit code 1 where they do."""
    given = (arguments.old, arguments.new)
    old, new = (exporting.from_json(name) if name.endswith(".json") else _text(name) for name in given)
    known = next((side for side in (old, new) if isinstance(side, DNFClassifier)), None)
    if arguments.table and known is None:
        raise ValueError("rows must come with a model file, which says how to read them; got two policies.")
    X = _typed(arguments, known, console) if arguments.table and known is not None else None
    found = difference(old, new, X)
    _write(arguments, found.to_dict(), found.to_text(arguments.most))
    return 0 if found.equal else 1


def run_check(arguments: argparse.Namespace, console: Console) -> int:
    """Print for each rule whether it is proved or refuted; exit code 1 where one is refuted."""
    classifier = exporting.from_json(arguments.model)
    X = _typed(arguments, classifier, console) if arguments.table else None
    answers = check_rules(classifier, _text(arguments.rules), X)
    text = "\n".join(f"{answer}" for answer in answers)
    _write(arguments, [answer.to_dict() for answer in answers], text)
    if arguments.rectify is not None:
        _rectify(arguments, classifier, console)
    return 0 if all(answer.holds for answer in answers) else 1


def _rectify(arguments: argparse.Namespace, classifier: DNFClassifier, console: Console) -> None:
    """Write the nearest model that obeys the rules, and say how near it is."""
    if not arguments.table or arguments.target is None:
        raise ValueError("--rectify must come with rows and --target, the column of their labels.")
    given, labels = labelled(read_rows(arguments, console).given, arguments.target, classifier)
    found = classifier.rectified(_text(arguments.rules), _taken(given, classifier), labels)
    console.show(found.to_text())
    if found.classifier is not None:
        exporting.to_json(found.classifier, arguments.rectify)
        console.remark(f"written to {arguments.rectify}")


def run_audit(arguments: argparse.Namespace, console: Console) -> int:
    """Print what rules really say; exit code 1 where some rows get no class."""
    found = audit(_text(arguments.rules))
    _write(arguments, found.to_dict(), found.to_text())
    if arguments.model is not None:
        exporting.to_json(found.to_classifier(), arguments.model)
        console.remark(f"written to {arguments.model}")
    return 1 if found.gaps else 0


def run_monitor(arguments: argparse.Namespace, console: Console) -> int:
    """Print shares of reasons by period and how far they moved, or write a page about it."""
    classifier = exporting.from_json(arguments.model)
    if arguments.by is None:
        batches = {
            table: _typed(argparse.Namespace(**{**vars(arguments), "table": [table]}), classifier, console)
            for table in arguments.table
        }
        found = monitor(classifier, batches)
    else:
        found = monitor(
            classifier, _with_periods(arguments, classifier, console), by=arguments.by, every=arguments.every
        )
    if arguments.output.endswith((".html", ".htm")):
        reporting.stability_to_html(found, arguments.output)
    else:
        _write(arguments, found.to_dict(), found.to_text())
    return 0


def _with_periods(arguments: argparse.Namespace, classifier: DNFClassifier, console: Console) -> object:
    """Return the rows of a table with the column of periods, dates as such."""
    import polars as pl

    given = read_rows(arguments, console).given
    if arguments.by not in given.columns:
        raise ValueError(f"--by must name a column ({', '.join(given.columns)}); got {arguments.by}.")
    table = _taken(given, classifier)
    periods = given[arguments.by]
    if periods.dtype == pl.String:
        dates = periods.str.slice(0, 10).str.to_date("%Y-%m-%d", strict=False)
        periods = dates if dates.null_count() == periods.null_count() else periods
    return table.with_columns(pl.Series(arguments.by, periods))


def _text(name: str) -> str:
    return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")


def _typed(arguments: argparse.Namespace, classifier: DNFClassifier, console: Console) -> object:
    """Return the rows of the table with the types the model expects; refuse those it cannot take."""
    return _taken(read_rows(arguments, console).given, classifier)


def _taken(given: pl.DataFrame, classifier: DNFClassifier) -> pl.DataFrame:
    table, problems = typed(given, classifier.binariser_)
    if problems:
        first = problems[0]
        raise ValueError(f"column {first.column!r} {first.why} in row {first.row + 1}.")
    return table


def _write(arguments: argparse.Namespace, plain: object, text: str) -> None:
    said = json.dumps(plain, ensure_ascii=False, default=str) if arguments.json else text
    write_text(arguments.output, said + "\n")
