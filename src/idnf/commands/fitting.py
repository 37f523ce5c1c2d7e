"""``idnf fit``: from a table to a model file, measured on rows it has not seen."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from idnf import exporting, reporting
from idnf.auditing.fairness import Fairness
from idnf.classifier.estimator import DNFClassifier
from idnf.commands.arguments import TABLE_OR_DATABASE, Commands, add_command
from idnf.commands.console import Console
from idnf.commands.engine_tables import add_engine, in_engine, open_lazily
from idnf.commands.output import refuse_overwriting
from idnf.commands.positive_label import positive_label
from idnf.commands.table_files import read_table
from idnf.engines.expressions import is_missing
from idnf.engines.queries import Scans, schema_of
from idnf.tables.lazy_target import Label, label_counts

if TYPE_CHECKING:
    import polars as pl


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    example = (
        "idnf fit loans.csv --target approved --k 3 -o model.json\n  idnf fit data/*.parquet --target y --engine duckdb"
    )
    fit = add_command(commands, "fit", run, what="learn a model from a table", example=example)
    fit.add_argument("table", nargs="+", help=TABLE_OR_DATABASE)
    fit.add_argument("--target", required=True, metavar="COLUMN", help="column of labels, two different ones")
    fit.add_argument("--k", type=int, default=3, help="most conditions in any reason (default 3)")
    fit.add_argument("-o", "--output", metavar="FILE", default="model.json", help="default: model.json")
    fit.add_argument("--positive", metavar="LABEL", help="label to put first (default: the one that says yes)")
    fit.add_argument("--ignore", action="append", default=[], metavar="COLUMN", help="leave a column out (repeatable)")
    meaning = "the positive label may only become likelier as the column grows (1) or shrinks (-1) (repeatable)"
    fit.add_argument("--monotone", action="append", default=[], metavar="COLUMN=1|-1", help=meaning)
    families = ["any", "nested-tree", "pair-tree", "tree", "nested"]
    fit.add_argument("--family", default="any", choices=families, help="form of the model (default any)")
    learners = ["search", "exact", "greedy"]
    fit.add_argument("--learner", default="search", choices=learners, help="how to find it (default search)")
    share = "share of rows held out to measure on (default 0.25; 0: none)"
    fit.add_argument("--test-size", type=float, metavar="SHARE", help=share)
    fit.add_argument("--effort", type=float, default=1.0, metavar="X", help="how much to search (default 1)")
    fit.add_argument("--time-limit", type=float, metavar="S", help="seconds after which the best so far is kept")
    fit.add_argument("--jobs", type=int, metavar="N", help="processes (default 1)")
    fit.add_argument("--seed", type=int, default=0, metavar="N", help="seed of all random choices (default 0)")
    fit.add_argument("--fair", metavar="COLUMN", help="bound the gap between groups; the model does not see the column")
    metrics = ["demographic_parity", "equal_opportunity"]
    fit.add_argument("--fair-metric", default=metrics[0], choices=metrics, help=f"default {metrics[0]}")
    fit.add_argument("--fair-limit", type=float, default=0.05, metavar="X", help="largest gap allowed (default 0.05)")
    fit.add_argument("--fair-page", metavar="FILE", help="write a page with the alternatives considered")
    add_engine(fit, what="count")
    fit.add_argument("--json", action="store_true", help="print JSON")


@dataclass(frozen=True)
class Measured:
    """How a model does on the rows it learned from and on those held out."""

    train_rows: int | None
    train_accuracy: float
    test_rows: int
    test_accuracy: float | None
    test_baseline: float | None

    def to_text(self) -> str:
        """Return the figures as sentences."""
        rows = "rows" if self.train_rows is None else f"{self.train_rows:,} rows"
        text = f"accuracy on the {rows} learned from: {self.train_accuracy:.1%}"
        if self.test_accuracy is None or self.test_baseline is None:
            return text + "\nno rows were held out, so nothing is known about new ones"
        return (
            f"accuracy on {self.test_rows:,} rows held out: {self.test_accuracy:.1%} "
            f"(always the commoner label: {self.test_baseline:.1%})\n{text}"
        )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Learn a model, write it, print it, and say how it does."""
    share = arguments.test_size
    if share is not None and not 0 <= share < 1:
        raise ValueError(f"--test-size must be at least 0 and less than 1; got {share}.")
    refuse_overwriting(arguments.output, arguments.table)
    if in_engine(arguments):
        classifier, measured, positive = _fit_in_engine(arguments, console)
    else:
        classifier, measured, positive = _fit_in_memory(arguments, console)
    exporting.to_json(classifier, arguments.output)
    _show_fairness(classifier, arguments, console)
    labels = classifier.classes_.tolist()
    if arguments.json:
        about = {"model": arguments.output, "k": arguments.k, "labels": labels, "positive": positive}
        about["training_data"] = classifier.training_data_
        console.show(json.dumps({**about, **asdict(measured)}, ensure_ascii=False, default=str))
        return 0
    console.show(classifier.to_text(first=positive))
    console.show("\n" + measured.to_text())
    other = next(label for label in labels if label != positive)
    console.remark(f"{positive} is taken as the positive label; --positive {_quoted(other)} turns it round")
    if in_engine(arguments):
        console.remark(f"learned from: {classifier.training_data_}")
    console.remark(f"written to {arguments.output}")
    return 0


def _show_fairness(classifier: DNFClassifier, arguments: argparse.Namespace, console: Console) -> None:
    """Print what was considered under a limit on the gap, and write the page about it."""
    if arguments.fair is None:
        return
    if not arguments.json:
        console.show(f"{classifier.fairness_}\n")
    if arguments.fair_page is not None:
        reporting.alternatives_to_html(classifier, arguments.fair_page)
        console.remark(f"written to {arguments.fair_page}")


def _fit_in_memory(arguments: argparse.Namespace, console: Console) -> tuple[DNFClassifier, Measured, object]:
    """Learn on part of the rows and measure on the rest."""
    X, y = _split_target(read_table(arguments.table), arguments.target, arguments.ignore)
    labels, counts = np.unique(y, return_counts=True)
    positive, directions = _meant(dict(zip(labels.tolist(), counts.tolist(), strict=True)), arguments)
    share = 0.25 if arguments.test_size is None else arguments.test_size
    train, test = _held_out(y, share, arguments.seed)
    classifier = _classifier(arguments, directions, console).fit(X[train], y[train])
    return classifier, _measured(classifier, X, y, train, test), positive


def _fit_in_engine(arguments: argparse.Namespace, console: Console) -> tuple[DNFClassifier, Measured, object]:
    """Learn where the table is; all rows are learned from."""
    if arguments.test_size:
        raise ValueError(f"--test-size must be 0 or left out with an engine; got {arguments.test_size}.")
    lazy = open_lazily(arguments)
    schema = schema_of(lazy)
    _refuse_unknown(list(schema), arguments.target, arguments.ignore)
    missing = is_missing(nw.col(arguments.target), floating=schema[arguments.target].is_float())
    labelled = lazy.filter(~missing).drop(arguments.ignore)
    positive, directions = _meant(label_counts(labelled, arguments.target, Scans()), arguments)
    native = labelled.to_native()
    classifier = _classifier(arguments, directions, console).fit(native, arguments.target)
    return classifier, Measured(None, classifier.score(native, arguments.target), 0, None, None), positive


def _classifier(arguments: argparse.Namespace, directions: dict[str, int] | None, console: Console) -> DNFClassifier:
    if arguments.k < 1:
        raise ValueError(f"--k must be at least 1; got {arguments.k}.")
    return DNFClassifier(
        arguments.k,
        family=arguments.family,
        learner=arguments.learner,
        monotonic_cst=directions,
        effort=arguments.effort,
        time_limit=arguments.time_limit,
        n_jobs=arguments.jobs,
        random_state=arguments.seed,
        progress=console.progress("learning"),
        fairness=_fairness(arguments),
    )


def _fairness(arguments: argparse.Namespace) -> Fairness | None:
    if arguments.fair is None:
        if arguments.fair_page is not None:
            raise ValueError("--fair-page must come with --fair, which names the column of groups.")
        return None
    if in_engine(arguments):
        raise ValueError("--fair must be left out with an engine; got a table that is not in memory.")
    return Fairness(arguments.fair, arguments.fair_metric, arguments.fair_limit)


def _meant(rows_of: Mapping[Label, int], arguments: argparse.Namespace) -> tuple[object, dict[str, int] | None]:
    """Return the positive label, and the directions of columns for the label sorted second."""
    # NaN may get past an engine's filter: DuckDB 2 takes it from the statistics of Parquet files, which leave NaN out.
    if len(rows_of) != 2 or None in rows_of:
        heaviest = sorted(rows_of.items(), key=lambda item: -item[1])[:10]
        shown = ", ".join(f"{label} ({rows})" for label, rows in heaviest) or "none"
        count = "more than 10" if len(rows_of) > 10 else str(len(rows_of))
        raise ValueError(
            f"--target must be a column of two different labels; got {count} in {arguments.target}: {shown}."
        )
    labels: list[object] = np.unique(np.array(list(rows_of))).tolist()
    positive = positive_label(labels, arguments.positive)
    sign = 1 if positive == labels[1] else -1
    directions = {}
    for text in arguments.monotone:
        name, equals, direction = text.rpartition("=")
        if not equals or direction not in ("1", "-1"):
            raise ValueError(f"--monotone must be COLUMN=1 or COLUMN=-1; got {text}.")
        directions[name] = sign * int(direction)
    return positive, directions or None


def _refuse_unknown(names: Sequence[str], target: str, ignored: Sequence[str]) -> None:
    for option, name in (("--target", target), *(("--ignore", name) for name in ignored)):
        if name not in names:
            raise ValueError(f"{option} must name a column ({', '.join(names)}); got {name}.")


def _split_target(table: pl.DataFrame, target: str, ignored: Sequence[str]) -> tuple[pl.DataFrame, NDArray[np.generic]]:
    """Return the other columns and the labels; rows without a label are left out."""
    _refuse_unknown(table.columns, target, ignored)
    given = table[target].fill_nan(None) if table[target].dtype.is_float() else table[target]
    labelled = table.filter(given.is_not_null())
    labels: NDArray[np.generic] = labelled[target].to_numpy()
    return labelled.drop(target, *ignored), labels.astype(str) if labels.dtype == object else labels


def _held_out(y: NDArray[np.generic], share: float, seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    rows = np.arange(len(y))
    if share == 0:
        return rows, rows[:0]
    least = np.unique(y, return_counts=True)[1].min()
    if least < 2 or min(share, 1 - share) * len(y) < 2:
        raise ValueError(
            f"--target must hold each label often enough to hold rows out; got {least}. Use --test-size 0."
        )
    train, test = train_test_split(rows, test_size=share, random_state=seed, stratify=y)
    return np.sort(train), np.sort(test)


def _measured(
    classifier: DNFClassifier,
    X: pl.DataFrame,
    y: NDArray[np.generic],
    train: NDArray[np.intp],
    test: NDArray[np.intp],
) -> Measured:
    train_accuracy = float(classifier.score(X[train], y[train]))
    if len(test) == 0:
        return Measured(len(train), train_accuracy, 0, None, None)
    labels, counts = np.unique(y[train], return_counts=True)
    baseline = float(np.mean(y[test] == labels[counts.argmax()]))
    return Measured(len(train), train_accuracy, len(test), float(classifier.score(X[test], y[test])), baseline)


def _quoted(label: object) -> str:
    text = str(label)
    return text if text.replace("-", "").replace("_", "").isalnum() else json.dumps(text, ensure_ascii=False)
