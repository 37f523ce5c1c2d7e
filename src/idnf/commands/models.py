"""Commands about a model as a whole: verify, export, report; and those of auditors: diff, check."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from idnf import auditing, choosing, exporting, reporting
from idnf.auditing.model_audits import check_rules, difference
from idnf.classifier.bands import single_classifier
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fitted import AnyClassifier
from idnf.columns.phrases import BLANKS
from idnf.commands.answering import Listing, Readable, refuse_absent, typed
from idnf.commands.arguments import named_texts
from idnf.commands.output import Console, output_file, write_text
from idnf.commands.table_files import read_rows, without_strays
from idnf.commands.target_labels import labels_again, limited, refuse_unknown_column
from idnf.exporting.band_checks import check_model_file
from idnf.exporting.model_json import from_json
from idnf.logic.errors import InvalidArgument
from idnf.logic.verification import VerificationError
from idnf.proving.guarantee import Unproved
from idnf.reporting.html import Report
from idnf.tables.targets import seed_of
from idnf.tables.text_values import MISSING
from idnf.tables.training_file import TrainingFile

if TYPE_CHECKING:
    import polars as pl


def run_verify(arguments: argparse.Namespace, console: Console) -> int:
    """Prove the guarantee of a model file from its terms and what it says about its table; exit code 1 if not."""
    asked = _about_one_classifier(arguments)
    X, y = (None, None) if asked is None or not arguments.table else _training_table(arguments, asked, console)
    try:
        found = check_model_file(arguments.model, X, y, time_limit=arguments.time_limit)
    except VerificationError as error:
        console.show(json.dumps({"holds": False, "error": str(error)}) if arguments.json else f"Refuted: {error}")
        return 1
    except Unproved as error:
        raise Unproved(f"{error} --time-limit gives the proof more time.") from error
    alone = [auditing.can_decide(asked, name) for name in arguments.alone if asked is not None]
    for answer in alone:
        answer.check()
    if arguments.json:
        about = {**found.to_dict(), "holds": not any(alone)}
        console.show(json.dumps({**about, **({"alone": [one.to_dict() for one in alone]} if alone else {})}))
    else:
        console.show(str(found))
        for answer in alone:
            console.show(str(answer))
    if found.claims and not arguments.table:
        console.remark("to check more, add the training table: idnf verify model.json table.csv")
    return 1 if any(alone) else 0


def _about_one_classifier(arguments: argparse.Namespace) -> DNFClassifier | None:
    """Return the classifier, not proved yet, if something is asked about one alone; else None."""
    if not arguments.alone and not arguments.table:
        return None
    return single_classifier(exporting.from_json(arguments.model, verify=False), "--alone and a table")


def _training_table(
    arguments: argparse.Namespace, classifier: DNFClassifier, console: Console
) -> tuple[pl.DataFrame, NDArray[np.generic]]:
    """Return the rows that a model was learned from, and their labels, read as they were for learning."""
    from idnf.commands.fitting import held_out_rows

    target = target_of(arguments, classifier)
    given = without_strays(read_rows(arguments, console, classifier).given, console)
    table, labels = labelled(given, target, classifier)
    file = classifier.fitted_.file
    if file is None:  # learned in Python, from all of these rows or from what is left by default
        all_rows = classifier.fitted_.training.weights.sum() >= table.height
        file = TrainingFile(test_size=0.0 if all_rows else None)
    rows = held_out_rows(file, table, labels, seed_of(classifier.random_state))[0]
    return table.drop(target)[rows], labels[rows]


def target_of(arguments: argparse.Namespace, classifier: AnyClassifier) -> str:
    """Return the column of labels: the one asked for, else the one that the model file names."""
    target: str | None = arguments.target or classifier.fitted_.target
    if target is None:
        raise InvalidArgument("--target", "name the column of labels", "none", "The model file does not name it.")
    return target


def run_export(arguments: argparse.Namespace, console: Console) -> int:
    """Write a model in another language, or the program that checks optima."""
    if arguments.checker == "optimum":
        write_text(arguments.output, exporting.optimum_checker())
        _remark_output(arguments, console)
        return 0
    if arguments.model is None or arguments.to is None:
        raise InvalidArgument("export", "have a model file and --to", "only one of them, or neither")
    classifier = exporting.from_json(arguments.model)
    if arguments.to == "onnx":
        return write_binary(arguments, console, lambda: exporting.to_onnx(classifier).SerializeToString())
    query = {name: getattr(arguments, name) for name in ("dialect", "table", "reasons", "principal")}
    query["probability"] = arguments.proba
    text = getattr(exporting, f"to_{arguments.to}")(classifier, **query if arguments.to == "sql" else {})
    write_text(arguments.output, text.rstrip("\n") + "\n")
    _remark_output(arguments, console)
    return 0


def write_binary(arguments: argparse.Namespace, console: Console, made: Callable[[], bytes]) -> int:
    """Write a model in a format that is not text, and so not to a terminal."""
    if arguments.output == "-" and console.out.isatty():
        raise InvalidArgument("--output", f"name a file for {arguments.to}, which is not text", "the terminal")
    data = made()
    with output_file(arguments.output) as stream:
        stream.write(data)
    _remark_output(arguments, console)
    return 0


def _remark_output(arguments: argparse.Namespace, console: Console) -> None:
    if arguments.output != "-":
        console.remark(f"written to {arguments.output}")


@dataclass(frozen=True)
class Reported:
    """A report, its model, and the rows it is about that have an answer."""

    report: Report
    classifier: AnyClassifier
    found: Readable


def write_report(arguments: argparse.Namespace, console: Console) -> Reported:
    """Write the report of a model on a table of labelled rows."""
    model: AnyClassifier = exporting.from_json(arguments.model)
    classifier = limited(model, arguments)
    arguments.target = target_of(arguments, classifier)
    rows = without_strays(read_rows(arguments, console, classifier).given, console)
    given, labels = labelled(rows, arguments.target, classifier)
    listing = Listing(classifier)
    found = listing.take(given)
    listing.remark(console)
    if not len(found.rows):
        raise InvalidArgument("table", "have a row that the model answers", "none")
    subgroup = arguments.subgroup
    if subgroup is not None:
        refuse_unknown_column(given.columns, subgroup, "--subgroup")
    read = found.table.read[0].columns
    beside = (given[name] for name in given.columns if name not in (*read, arguments.target))
    X, labels = found.framed(*beside), labels[found.rows]
    about = f"of {', '.join(arguments.table)}" if arguments.table != ["-"] else "from standard input"
    near = None
    if arguments.near_equals:
        single, every = single_classifier(classifier, "--near-equals"), given[found.rows].drop(arguments.target)
        draw = console.progress("searching")
        near = choosing.near_optimal_models(single, every, labels, subgroup=subgroup, progress=draw)
    editing = exporting.model_hash(single_classifier(model, "--edit")) if arguments.edit else None
    if arguments.say:
        if arguments.edit:
            raise InvalidArgument("--say", "be left out with --edit, whose edits name the labels of the model")
        say = named_texts("--say", "LABEL=TEXT", arguments.say)
        classifier, labels, _ = reporting.with_said_labels(classifier, labels, say)
    report = reporting.report_of(
        classifier,
        X,
        labels,
        title=arguments.title,
        subgroup=subgroup,
        near=near,
        source=about,
        rows=None if arguments.no_rows else reporting.MOST_ROWS,
        editing=editing,
    )
    if arguments.json and report.summary is None:
        raise InvalidArgument("--json", "be left out for bands", remedy="It is about one classifier.")
    write_text(arguments.output, report.text)
    if arguments.json and report.summary is not None:
        console.show(json.dumps(report.summary.figures(), ensure_ascii=False))
    console.remark(f"written to {arguments.output}")
    return Reported(report, classifier, found)


def labelled(given: pl.DataFrame, target: str, classifier: AnyClassifier) -> tuple[pl.DataFrame, NDArray[np.generic]]:
    """Return the rows that have a label, and their labels as the model has them."""
    refuse_unknown_column(given.columns, target, "--target")
    missing = classifier.binariser_.missing_texts_ or MISSING
    texts = given[target].cast(str).str.strip_chars(BLANKS)
    known = given.filter(given[target].is_not_null() & ~texts.is_in(list(missing)))
    if known.is_empty():
        raise InvalidArgument("--target", "have labels to measure on", f"none in {target}")
    return known, labels_again(known, target, classifier.classes_.tolist())


def run_diff(arguments: argparse.Namespace, console: Console) -> int:
    """Print where two models disagree; exit code 1 where they do."""
    given = (arguments.old, arguments.new)
    old, new = (from_json(name) if name.endswith(".json") else given_text(name) for name in given)
    known = next((side for side in (old, new) if not isinstance(side, str)), None)
    if arguments.table and known is None:
        raise InvalidArgument("rows", "come with a model file, which says how to read them", "two policies")
    X = (
        convert_types(read_rows(arguments, console, known).given, known)
        if arguments.table and known is not None
        else None
    )
    found = difference(old, new, X)
    write_answer(arguments, found.to_dict(), found.to_text())
    return 0 if found.equal else 1


def run_check(arguments: argparse.Namespace, console: Console) -> int:
    """Print for each rule whether it is proved or refuted; exit code 1 where one is refuted."""
    classifier = from_json(arguments.model)
    X = convert_types(read_rows(arguments, console, classifier).given, classifier) if arguments.table else None
    answers = check_rules(classifier, given_text(arguments.rules), X)
    text = "\n".join(f"{answer}" for answer in answers)
    write_answer(arguments, [answer.to_dict() for answer in answers], text)
    if arguments.rectify is not None:
        _rectify(arguments, classifier, console)
    return 0 if all(answer.holds for answer in answers) else 1


def _rectify(arguments: argparse.Namespace, classifier: DNFClassifier, console: Console) -> None:
    """Write the nearest model that obeys the rules, and say how near it is."""
    if not arguments.table:
        raise InvalidArgument("--rectify", "come with labelled rows", "none")
    rows = read_rows(arguments, console, classifier).given
    given, labels = labelled(rows, target_of(arguments, classifier), classifier)
    found = choosing.rectify(classifier, given_text(arguments.rules), convert_types(given, classifier), labels)
    console.show(found.to_text())
    if found.classifier is not None:
        exporting.to_json(found.classifier, arguments.rectify)
        console.remark(f"written to {arguments.rectify}")


def given_text(name: str) -> str:
    """Return the text of a file, or of standard input."""
    return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")


def convert_types(given: pl.DataFrame, classifier: DNFClassifier) -> pl.DataFrame:
    """Return a table with the types the model expects; refuse text that it cannot read."""
    refuse_absent(given, classifier.fitted_.columns)
    return typed(given, classifier.binariser_.read(given))


def write_answer(arguments: argparse.Namespace, plain: object, text: str) -> None:
    """Write an answer as JSON if that is asked for, else as text."""
    said = json.dumps(plain, ensure_ascii=False, default=str) if arguments.json else text
    write_text(arguments.output, said + "\n")
