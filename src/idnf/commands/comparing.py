"""Commands that help to choose: k, what a missed case costs, and one of several models that are as good."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from idnf import exporting
from idnf.choosing.k_by_folds import choose_k
from idnf.choosing.near_optimal import near_optimal_models
from idnf.choosing.operating import OperatingPoints, operating_points
from idnf.choosing.quiet_fits import quietly_fitted
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.k_choices import KChoices
from idnf.commands.output import Console
from idnf.commands.table_files import Rows, read_rows, without_strays
from idnf.commands.target_labels import affirmative_label, label_of, listed_columns, read_labels, refuse_unknown_column
from idnf.learning.fairness import Fairness
from idnf.logic.errors import InvalidArgument
from idnf.tables.binariser import TableBinariser
from idnf.tables.text_values import MISSING, Decimal

if TYPE_CHECKING:
    import polars as pl


def run_choose(arguments: argparse.Namespace, console: Console) -> int:
    """Print accuracy and length by k beside other methods."""
    _, X, y = labelled_table(arguments, console)
    found = choose_k(
        X,
        y,
        arguments.k,
        cv=arguments.folds,
        estimator=_estimator(arguments),
        random_state=arguments.seed,
        progress=console.progress("choosing"),
    )
    _show(arguments, found.to_text(), {**found.columns(), "best": found.best}, found, console)
    return 0


def run_points(arguments: argparse.Namespace, console: Console) -> int:
    """Print recall against precision by cost; write the model asked for."""
    _, X, y = labelled_table(arguments, console, arguments.positive)
    labels = np.unique(y).tolist()
    asked = None if arguments.positive is None else label_of(labels, arguments.positive, option="--positive")
    found = operating_points(
        X,
        y,
        arguments.k,
        costs=arguments.costs,
        positive=asked if asked is not None else affirmative_label(labels),
        estimator=_estimator(arguments),
        random_state=arguments.seed,
        progress=console.progress("learning"),
    )
    _show(arguments, found.to_text(), found.columns(), found, console)
    if arguments.recall is not None:
        point = found.at(recall=arguments.recall)
        chosen = point.model.with_settings(target=arguments.target)
        exporting.to_json(chosen, arguments.output)
        model = chosen.fitted_.to_text(first=found.positive)
        console.show(f"\ncost {point.cost:g}:\n{model}")
        console.remark(f"written to {arguments.output}")
    return 0


def run_near_equals(arguments: argparse.Namespace, console: Console) -> int:
    """Print the models that are as good; write the one asked for. Exits with 1 if none does without some columns."""
    _, X, y = labelled_table(arguments, console)
    absent = listed_columns(arguments.without, X.columns, "--without")
    if arguments.subgroup is not None:
        refuse_unknown_column(X.columns, arguments.subgroup, "--subgroup")
    asked = _estimator(arguments).set_params(k=arguments.k)
    model = quietly_fitted(asked, X, y).with_settings(target=arguments.target)
    found = near_optimal_models(
        model,
        X,
        y,
        within=arguments.within,
        count=arguments.count,
        resamples=arguments.resamples,
        subgroup=arguments.subgroup,
        random_state=arguments.seed,
        progress=console.progress("searching"),
    )
    back = found.recurrence
    text = f"{found.to_text()}\n\n{found}"
    if back.resamples:
        text += f"\n\nHow often each comes back if rows are redrawn, {back.resamples} times:\n{back.to_text()}"
    plain = {"complete": found.complete, "settled": found.share, "recurrence": back.columns()}
    console.show(json.dumps({**found.columns(), **plain}, default=str) if arguments.json else text)
    if not absent and arguments.output is None:
        return 0
    left = found.without(*absent)
    if not left:
        console.show(f"None of them works without {', '.join(absent)}.")
        return 1
    chosen = left[0] if absent else found.shortest
    console.show("\n" + chosen.model.fitted_.to_text())
    if arguments.output is not None:
        exporting.to_json(chosen.model, arguments.output)
        console.remark(f"written to {arguments.output}")
    return 0


def labelled_table(
    arguments: argparse.Namespace, console: Console, positive: str | None = None, *, merge: bool = False
) -> tuple[Rows, pl.DataFrame, NDArray[np.generic]]:
    """Return the rows of a table that have a label, the columns of them to learn from, and the labels.

    Parameters
    ----------
    positive : str, optional
        The label of interest, learned against the rest if there are several.
    merge : bool
        Treat labels that are spelled differently as the same.
    """
    read = read_rows(arguments, console)
    table = without_strays(read.given, console)
    ignored = listed_columns(arguments.ignore, table.columns, "--ignore")
    refuse_unknown_column(table.columns, arguments.target, "--target")
    texts, decimal = texts_of_values(arguments)
    labels = read_labels(table, arguments.target, positive, texts, merge=merge, decimal=decimal)
    for remark in labels.remarks:
        console.remark(remark)
    table = table.filter(labels.known)
    return replace(read, given=table), table.drop({arguments.target, *ignored}), labels.values


def tried_ks(
    X: pl.DataFrame,
    y: NDArray[np.generic],
    estimator: DNFClassifier,
    console: Console,
    fairness: Fairness | None = None,
) -> KChoices:
    """Return what cross-validation on some rows says about each k, having printed it."""
    progress = console.progress("choosing k")
    found = choose_k(X, y, range(1, 5), cv=3, estimator=estimator, fairness=fairness, progress=progress)
    console.remark(found.to_text())
    return found


def texts_of_values(arguments: argparse.Namespace) -> tuple[list[str], Decimal | None]:
    """Return the texts that mean a missing value, and the decimal mark if the user gave one."""
    said = dict(arguments.read)
    decimal = said.get("decimal")
    if decimal not in (None, ".", ","):
        raise InvalidArgument("--read decimal", "be . or ,", decimal)
    further = [text.strip() for text in said.get("missing", "").split(",")]
    return [*MISSING, *(text for text in further if text not in MISSING)], decimal


def column_reader(arguments: argparse.Namespace) -> TableBinariser:
    """Return a binariser that reads the texts of columns as the user says."""
    texts, decimal = texts_of_values(arguments)
    return TableBinariser(missing_values=texts, decimal=decimal)


def _estimator(arguments: argparse.Namespace) -> DNFClassifier:
    return DNFClassifier(
        learner=arguments.learner,
        effort=arguments.effort,
        random_state=arguments.seed,
        binariser=column_reader(arguments),
    )


def _show(
    arguments: argparse.Namespace,
    text: str,
    plain: Mapping[str, object],
    found: KChoices | OperatingPoints,
    console: Console,
) -> None:
    console.show(json.dumps(plain, default=str) if arguments.json else text)
    if arguments.plot is not None:
        found.plot().save(arguments.plot)
        console.remark(f"plotted to {arguments.plot}")
