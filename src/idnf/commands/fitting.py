"""``idnf fit``: from a table to a model file, measured on rows it has not seen."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from idnf import exporting
from idnf.commands.arguments import TABLE, Commands, add_command
from idnf.commands.console import Console
from idnf.commands.files import read_table
from idnf.estimators import DNFClassifier

if TYPE_CHECKING:
    import polars as pl

_AFFIRMATIVE = ("1", "true", "yes", "y", "approved", "accepted", "good", "positive", "success")


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    example = "idnf fit loans.csv --target approved --k 3 -o model.json"
    fit = add_command(commands, "fit", run, what="learn a model from a table", example=example)
    fit.add_argument("table", help=TABLE)
    fit.add_argument("--target", required=True, help="column of labels, two different ones")
    fit.add_argument("--k", type=int, default=3, help="most conditions in any reason (default 3)")
    fit.add_argument("-o", "--output", default="model.json", help="model file to write (default model.json)")
    fit.add_argument("--family", default="any", choices=["any", "nested-tree", "tree", "nested"])
    fit.add_argument("--learner", default="search", choices=["search", "exact", "greedy"])
    fit.add_argument("--ignore", action="append", default=[], metavar="COLUMN", help="leave a column out (repeatable)")
    fit.add_argument(
        "--monotone",
        action="append",
        default=[],
        metavar="COLUMN=1|-1",
        help="the label sorted second may only become likelier as the column grows (1) or shrinks (-1)",
    )
    fit.add_argument("--positive", help="label to print first")
    fit.add_argument("--test-size", type=float, default=0.25, help="share of rows held out to measure on (0: none)")
    fit.add_argument("--effort", type=float, default=1.0, help="how much to search (default 1)")
    fit.add_argument("--time-limit", type=float, help="seconds after which the best model so far is kept")
    fit.add_argument("--jobs", type=int, help="processes")
    fit.add_argument("--seed", type=int, default=0, help="seed of all random choices (default 0)")
    fit.add_argument("--json", action="store_true", help="print JSON")


@dataclass(frozen=True)
class Measured:
    """How a model does on the rows it learned from and on those held out."""

    train_rows: int
    train_accuracy: float
    test_rows: int
    test_accuracy: float | None
    test_baseline: float | None

    def to_text(self) -> str:
        """Return the figures as sentences."""
        text = f"accuracy on the {self.train_rows} rows learned from: {self.train_accuracy:.1%}"
        if self.test_accuracy is None or self.test_baseline is None:
            return text + "\nno rows were held out, so nothing is known about new ones"
        return (
            f"accuracy on {self.test_rows} rows held out: {self.test_accuracy:.1%} "
            f"(always the commoner label: {self.test_baseline:.1%})\n{text}"
        )


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Learn a model on part of the rows, write it, print it, and measure it on the rest."""
    X, y = split_target(read_table(arguments.table), arguments.target, arguments.ignore)
    train, test = _held_out(y, arguments.test_size, arguments.seed)
    classifier = DNFClassifier(
        arguments.k,
        family=arguments.family,
        learner=arguments.learner,
        monotonic_cst=_directions(arguments.monotone),
        effort=arguments.effort,
        time_limit=arguments.time_limit,
        n_jobs=arguments.jobs,
        random_state=arguments.seed,
        progress=console.progress("learning"),
    ).fit(X[train], y[train])
    exporting.to_json(classifier, arguments.output)
    measured = _measured(classifier, X, y, train, test)
    if arguments.json:
        console.show(json.dumps({"model": arguments.output, "k": arguments.k, **asdict(measured)}))
        return 0
    console.show(classifier.to_text(first=_first_label(classifier, arguments.positive)))
    console.show("\n" + measured.to_text())
    console.remark(f"written to {arguments.output}")
    return 0


def split_target(
    table: pl.DataFrame, target: str, ignored: Sequence[str] = ()
) -> tuple[pl.DataFrame, NDArray[np.generic]]:
    """Return the other columns and the labels; rows without a label are left out."""
    for option, name in (("--target", target), *(("--ignore", name) for name in ignored)):
        if name not in table.columns:
            raise ValueError(f"{option} must name a column ({', '.join(table.columns)}); got {name}.")
    labelled = table.filter(table[target].is_not_null())
    labels: NDArray[np.generic] = labelled[target].to_numpy()
    return labelled.drop(target, *ignored), labels.astype(str) if labels.dtype == object else labels


def _held_out(y: NDArray[np.generic], share: float, seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    if not 0 <= share < 1:
        raise ValueError(f"--test-size must be at least 0 and less than 1; got {share}.")
    rows = np.arange(len(y))
    if share == 0 or len(y) == 0:
        return rows, rows[:0]
    least = np.unique(y, return_counts=True)[1].min()
    if least < 2:
        raise ValueError("--target must hold each label twice to hold rows out; got one only once. Use --test-size 0.")
    train, test = train_test_split(rows, test_size=share, random_state=seed, stratify=y)
    return np.sort(train), np.sort(test)


def _directions(given: Sequence[str]) -> dict[str, int] | None:
    directions = {}
    for text in given:
        name, sign, direction = text.rpartition("=")
        if not sign or direction not in ("1", "-1"):
            raise ValueError(f"--monotone must be COLUMN=1 or COLUMN=-1; got {text}.")
        directions[name] = int(direction)
    return directions or None


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


def _first_label(classifier: DNFClassifier, asked: str | None) -> object:
    """Return the label to print first: the one asked for, one that says yes, else the one sorted second."""
    labels = {str(label).lower(): label for label in classifier.classes_.tolist()}
    if asked is not None:
        if asked.lower() not in labels:
            raise ValueError(f"--positive must be one of {', '.join(map(str, labels.values()))}; got {asked}.")
        return labels[asked.lower()]
    return next((labels[word] for word in _AFFIRMATIVE if word in labels), classifier.classes_.tolist()[1])
