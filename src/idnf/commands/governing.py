"""Commands of auditors: diff, check, audit, monitor."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from idnf import exporting, reporting
from idnf.auditing.model_audits import check_rules, difference
from idnf.classifier.audits import audit
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.monitoring import monitor
from idnf.commands.answering import Listing, refuse_absent, typed
from idnf.commands.models import labelled
from idnf.commands.output import Console, write_text
from idnf.commands.table_files import read_rows
from idnf.exporting.model_json import from_json

if TYPE_CHECKING:
    import polars as pl


def run_diff(arguments: argparse.Namespace, console: Console) -> int:
    """Print where two models disagree; exit code 1 where they do."""
    given = (arguments.old, arguments.new)
    old, new = (from_json(name) if name.endswith(".json") else _text(name) for name in given)
    known = next((side for side in (old, new) if isinstance(side, DNFClassifier)), None)
    if arguments.table and known is None:
        raise ValueError("rows must come with a model file, which says how to read them; got two policies.")
    X = _taken(read_rows(arguments, console).given, known) if arguments.table and known is not None else None
    found = difference(old, new, X)
    _write(arguments, found.to_dict(), found.to_text(arguments.most))
    return 0 if found.equal else 1


def run_check(arguments: argparse.Namespace, console: Console) -> int:
    """Print for each rule whether it is proved or refuted; exit code 1 where one is refuted."""
    classifier = from_json(arguments.model)
    X = _taken(read_rows(arguments, console).given, classifier) if arguments.table else None
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
    listing = Listing(classifier)
    if arguments.by is None:
        batches = {}
        for name in arguments.table:
            rows = read_rows(argparse.Namespace(**{**vars(arguments), "table": [name]}), console)
            batches[name] = listing.take(rows.given).framed()
        found = monitor(classifier, batches)
    else:
        given = read_rows(arguments, console).given
        if arguments.by not in given.columns:
            raise ValueError(f"--by must name a column ({', '.join(given.columns)}); got {arguments.by}.")
        table = listing.take(given).framed(_periods(given[arguments.by]))
        found = monitor(classifier, table, by=arguments.by, every=arguments.every)
    listing.remark(console)
    if arguments.output.endswith((".html", ".htm")):
        reporting.stability_to_html(found, arguments.output)
    else:
        _write(arguments, found.to_dict(), found.to_text())
    return 0


def _periods(periods: pl.Series) -> pl.Series:
    """Return the column of periods, dates as such."""
    import polars as pl

    if periods.dtype != pl.String:
        return periods
    dates = periods.str.slice(0, 10).str.to_date("%Y-%m-%d", strict=False)
    return dates if dates.null_count() == periods.null_count() else periods


def _text(name: str) -> str:
    return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")


def _taken(given: pl.DataFrame, classifier: DNFClassifier) -> pl.DataFrame:
    """Return a table with the types the model expects; refuse text that it cannot read."""
    refuse_absent(given, classifier.fitted_.columns)
    return typed(given, classifier.binariser_.read(given))


def _write(arguments: argparse.Namespace, plain: object, text: str) -> None:
    said = json.dumps(plain, ensure_ascii=False, default=str) if arguments.json else text
    write_text(arguments.output, said + "\n")
