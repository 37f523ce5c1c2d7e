"""Commands that use a model file: predict, explain, recourse, verify, export, report."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
from numpy.typing import NDArray

from idnf import exporting, reporting
from idnf.commands.arguments import Commands, add_command, add_model_and_table
from idnf.commands.console import Console
from idnf.commands.files import read_batches, read_table, whole_file, write_text
from idnf.commands.fitting import split_target
from idnf.estimators import DNFClassifier
from idnf.logic.double import VerificationError

if TYPE_CHECKING:
    import polars as pl


def add_parser(commands: Commands) -> None:
    """Add the commands to the command line."""
    example = "idnf predict model.json new.csv -o labelled.csv"
    predict = add_command(commands, "predict", run_predict, what="label every row of a table", example=example)
    add_model_and_table(predict)
    predict.add_argument("--proba", action="store_true", help="add the training share of each label")
    example = "idnf explain model.json new.csv"
    explain = add_command(commands, "explain", run_explain, what="give the reason for every row", example=example)
    add_model_and_table(explain)
    explain.add_argument("--json", action="store_true", help="one JSON object a line")
    explain.add_argument("--text", action="store_true", help="one sentence a line")
    _add_recourse(commands)
    example = "idnf verify model.json"
    verify = add_command(commands, "verify", run_verify, what="prove a model's guarantee again", example=example)
    verify.add_argument("model", help="model file")
    verify.add_argument("--json", action="store_true", help="print JSON")
    example = "idnf export model.json --to sql"
    export = add_command(commands, "export", run_export, what="write the model as a program", example=example)
    export.add_argument("model", help="model file")
    export.add_argument("--to", required=True, choices=["sql", "python", "javascript", "onnx"], help="target")
    export.add_argument("--dialect", default="postgres", choices=["sqlite", "duckdb", "postgres"], help="kind of SQL")
    export.add_argument("-o", "--output", default="-", help="file to write (default: standard output)")
    example = "idnf report model.json loans.csv --target approved -o report.html"
    report = add_command(commands, "report", run_report, what="write one page for the auditor", example=example)
    add_model_and_table(report, output="report.html")
    report.add_argument("--target", required=True, help="column of true labels")
    report.add_argument("--subgroup", help="column by which to break accuracy down")


def _add_recourse(commands: Commands) -> None:
    example = "idnf recourse model.json new.csv --row 3 --immutable age"
    what = "find the cheapest way to the other outcome"
    recourse = add_command(commands, "recourse", run_recourse, what=what, example=example)
    add_model_and_table(recourse)
    recourse.add_argument("--row", type=int, default=1, help="which row of the table, from 1 (default 1)")
    recourse.add_argument("--to", help="label to reach (default: the other one)")
    ways = (("immutable", "cannot change"), ("increase-only", "can only grow"), ("decrease-only", "can only shrink"))
    for way, meaning in ways:
        recourse.add_argument(f"--{way}", action="append", default=[], metavar="COLUMN", help=f"column that {meaning}")
    recourse.add_argument("--count", type=int, default=1, help="how many alternatives (default 1)")
    recourse.add_argument("--json", action="store_true", help="print JSON")


def run_predict(arguments: argparse.Namespace, console: Console) -> int:
    """Add a column of labels to a table, part by part."""
    classifier = exporting.from_json(arguments.model)
    with whole_file(arguments.output) as stream:
        for number, batch in enumerate(_batches(arguments.table, classifier, console)):
            added: dict[str, NDArray[np.generic]] = {"predicted": _labels(classifier, batch)}
            if arguments.proba:
                shares = classifier.predict_proba(batch) if batch.height else np.zeros((0, 2))
                added |= {f"share of {label}": shares[:, j] for j, label in enumerate(classifier.classes_.tolist())}
            _write_csv(stream, batch, added, header=number == 0)
    return 0


def run_explain(arguments: argparse.Namespace, console: Console) -> int:
    """Add label, reason and nearest change to a table, or print them as sentences or JSON."""
    classifier = exporting.from_json(arguments.model)
    with whole_file(arguments.output) as stream:
        for number, batch in enumerate(_batches(arguments.table, classifier, console)):
            explanations = classifier.explain(batch) if batch.height else ()
            if arguments.text:
                stream.write("".join(f"{one.to_text()}\n" for one in explanations).encode())
            elif arguments.json:
                stream.write("".join(json.dumps(one.to_dict(), default=str) + "\n" for one in explanations).encode())
            else:
                added = {
                    "predicted": _labels(classifier, batch),
                    "reason": np.array([one.reason or "" for one in explanations]),
                    "because": np.array([" and ".join(map(str, one.axp)) for one in explanations]),
                }
                _write_csv(stream, batch, added, header=number == 0)
    return 0


def run_recourse(arguments: argparse.Namespace, _console: Console) -> int:
    """Print the cheapest changes of one row; exit code 1 where it is proved that there is none."""
    classifier = exporting.from_json(arguments.model)
    table = read_table(arguments.table, columns=classifier.binariser_.columns_)
    if not 1 <= arguments.row <= table.height:
        raise ValueError(f"--row must be a row of the table, 1 to {table.height}; got {arguments.row}.")
    labels = {str(label): label for label in classifier.classes_.tolist()}
    if arguments.to is not None and arguments.to not in labels:
        raise ValueError(f"--to must be one of {', '.join(labels)}; got {arguments.to}.")
    found = classifier.recourse(
        table[arguments.row - 1],
        to=None if arguments.to is None else labels[arguments.to],
        immutable=arguments.immutable,
        increase_only=arguments.increase_only,
        decrease_only=arguments.decrease_only,
        count=arguments.count,
    )
    if arguments.json:
        changes = [one.to_dict() for one in found]
        text = json.dumps({"changes": changes, "blocked_by": list(found.blocked_by)}, default=str)
    else:
        text = found.to_text()
    write_text(arguments.output, text + "\n")
    return 0 if len(found) else 1


def run_verify(arguments: argparse.Namespace, console: Console) -> int:
    """Prove the guarantee of a model file from its terms alone; exit code 1 where it does not hold."""
    try:
        classifier = exporting.from_json(arguments.model)
        certificate = classifier.double_dnf_.verify()
    except VerificationError as error:
        console.show(json.dumps({"holds": False, "error": str(error)}) if arguments.json else f"Refuted: {error}")
        return 1
    if arguments.json:
        console.show(json.dumps({"holds": True, "k": certificate.k, "terms": certificate.terms}))
    else:
        console.show(str(certificate))
    return 0


def run_export(arguments: argparse.Namespace, _console: Console) -> int:
    """Write a model in another language."""
    classifier = exporting.from_json(arguments.model)
    if arguments.to == "onnx":
        with whole_file(arguments.output) as stream:
            stream.write(exporting.to_onnx(classifier).SerializeToString())
        return 0
    write = {
        "sql": lambda: exporting.to_sql(classifier, dialect=arguments.dialect),
        "python": lambda: exporting.to_python(classifier),
        "javascript": lambda: exporting.to_javascript(classifier),
    }
    write_text(arguments.output, write[arguments.to]() + "\n")
    return 0


def run_report(arguments: argparse.Namespace, console: Console) -> int:
    """Write the report of a model on a table of labelled rows."""
    classifier = exporting.from_json(arguments.model)
    table = read_table(arguments.table, columns=classifier.binariser_.columns_)
    X, y = split_target(table, arguments.target)
    reporting.to_html(classifier, arguments.output, X, y, subgroup=arguments.subgroup)
    console.remark(f"written to {arguments.output}")
    return 0


def _batches(source: str, classifier: DNFClassifier, console: Console) -> Iterator[pl.DataFrame]:
    rows = 0
    for batch in read_batches(source, columns=classifier.binariser_.columns_):
        yield batch
        rows += batch.height
        if rows > batch.height:
            console.remark(f"{rows} rows done")


def _labels(classifier: DNFClassifier, batch: pl.DataFrame) -> NDArray[np.generic]:
    return classifier.predict(batch) if batch.height else classifier.classes_[:0]


def _write_csv(
    stream: BinaryIO, batch: pl.DataFrame, added: Mapping[str, NDArray[np.generic]], *, header: bool
) -> None:
    import polars as pl

    columns = [pl.Series(_free_name(name, batch.columns), values) for name, values in added.items()]
    stream.write(batch.with_columns(columns).write_csv(include_header=header).encode())


def _free_name(name: str, taken: list[str]) -> str:
    while name in taken:
        name = f"idnf {name}"
    return name
