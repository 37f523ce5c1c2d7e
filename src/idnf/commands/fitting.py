"""``idnf fit``: from a table to a model file, measured on rows it has not seen."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Literal

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import GroupShuffleSplit, train_test_split

from idnf import exporting, reporting
from idnf.choosing.quiet_fits import quietly_fitted
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fitted import AnyClassifier
from idnf.classifier.misclassification_costs import MOST_COST
from idnf.columns.phrases import is_number
from idnf.commands.answering import FitScores, measure
from idnf.commands.arguments import AUTO
from idnf.commands.comparing import column_reader, labelled_table, tried_ks
from idnf.commands.decision_remarks import report_remarks
from idnf.commands.long_models import shown_model
from idnf.commands.output import Console, output_table
from idnf.commands.table_files import file_options, in_engine, open_lazily
from idnf.commands.target_labels import (
    affirmative_label,
    asked_immutable,
    favourable_of,
    label_of,
    listed_columns,
    positive_label,
    refuse_unknown_column,
    without_label,
)
from idnf.engines.queries import Scans, count_rows, is_missing, schema_of
from idnf.explaining.wording import label_words
from idnf.learning.fairness import Fairness
from idnf.logic.errors import InvalidArgument
from idnf.tables.binariser import TableBinariser
from idnf.tables.column_check import ColumnsReport, protected_decisions, shell_word
from idnf.tables.column_reading import ColumnReader, Series
from idnf.tables.targets import MOST_CLASSES, Label, label_counts
from idnf.tables.text_values import MISSING, TextReading
from idnf.tables.training_file import TrainingFile

if TYPE_CHECKING:
    import polars as pl

_HELD_OUT = 0.25


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Learn a model, write it, print it, and say how it does."""
    if in_engine(arguments):
        classifier, measured, positive = _fit_in_engine(arguments, console)
    else:
        classifier, measured, positive = _fit_in_memory(arguments, console)
    exporting.to_json(classifier.without_rows() if arguments.no_rows else classifier, arguments.output)
    _show_fairness(classifier, arguments, console)
    labels = classifier.classes_.tolist()
    if arguments.json:
        about = {"model": arguments.output, "k": arguments.k, "labels": labels, "positive": positive}
        about["training_data"] = classifier.training_data_
        console.show(
            json.dumps(
                {**about, **asdict(measured), "test_interval": measured.test_interval}, ensure_ascii=False, default=str
            )
        )
        return 0
    listed = "(--both lists them)"
    text = classifier.fitted_.to_text(first=positive, both=arguments.both, place=listed)
    console.show(shown_model(classifier, text, verbose=console.verbose or arguments.both))
    console.show("\n" + measured.to_text(positive))
    weighted = arguments.class_weight is not None or bool(arguments.cost)
    if measured.constant:
        advice = "the columns may say nothing about it" if weighted else "try --class-weight balanced, or a larger --k"
        console.remark(f"every row gets the same label; {advice}")
    elif measured.beats_nothing and not weighted:
        more = f"idnf points shows what finding more rows of {label_words(positive)} would cost"
        console.remark(f"no better than always giving the most frequent label; {more}")
    if measured.unanswered:
        console.remark(
            f"no answer for {measured.unanswered:,} of the rows held out: a value is missing or cannot be read"
        )
    other = next(label for label in labels if label != positive)
    if arguments.positive is None and len(labels) == 2 and affirmative_label(labels) is None:
        console.remark(f"recall and precision are for {label_words(positive)} (--positive {shell_word(str(other))})")
    if arguments.holdout is not None:
        console.remark(f"rows held out written to {arguments.holdout}")
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


def _fit_in_memory(arguments: argparse.Namespace, console: Console) -> tuple[DNFClassifier, FitScores, object]:
    """Learn on part of the rows and measure on the rest."""
    rows, X, y = labelled_table(arguments, console, arguments.positive, merge=arguments.merge_spellings)
    if not X.width:
        raise InvalidArgument("table", f"have columns besides {arguments.target}", "none")
    classes = np.unique(y).tolist()
    positive = positive_label(classes, _as_limit_label(classes, arguments.positive))
    file = training_file(arguments)
    train, test = held_out_rows(file, rows.given, y, arguments.seed)
    classifier = _classifier(arguments, classes, positive, X.columns, console)
    immutable = asked_immutable(arguments, X.columns)
    classifier.binariser = column_reader(arguments).set_params(
        kinds=_kinds(arguments, X.columns),
        merge_spellings=arguments.merge_spellings,
        missing=arguments.missing,
        unseen=arguments.unseen,
        drop_leaks=arguments.drop_leaks,
    )
    choices, fairness = None, _fairness(arguments)
    if arguments.k == AUTO:
        choices = tried_ks(X[train], y[train], _tolerant(classifier), console, fairness)
        arguments.k = classifier.k = choices.best
    # What there is to warn of is said as remarks.
    classifier = quietly_fitted(classifier, X[train], y[train], fairness)
    classifier.fitted_ = replace(classifier.fitted_, choices=choices, file=file)
    classifier.fitted_ = classifier.fitted_.with_settings(target=arguments.target, immutable=immutable)
    remark_decisions(classifier, console, arguments.test_after)
    if arguments.holdout is not None:
        if not len(test):
            raise InvalidArgument("--holdout", "go with rows held out", "--test-size 0")
        with output_table(arguments.holdout) as write:
            write(replace(rows, given=rows.given[test]).with_columns([]), style=rows.style)
    return classifier, measure(classifier, X, y, train, test, positive), positive


def _tolerant(classifier: DNFClassifier) -> DNFClassifier:
    """Return a classifier of the same parameters that takes missing values in every column, for trials on few rows."""
    tolerant: DNFClassifier = clone(classifier)
    assert tolerant.binariser is not None, "commands make their own"
    tolerant.binariser.set_params(missing="allow")
    tolerant.progress = None
    return tolerant


def remark_decisions(classifier: AnyClassifier, console: Console, by_time: object = None) -> None:
    """Say what was decided about the columns, and which columns of the model deserve a second look."""
    fitted = classifier.fitted_
    used = [fitted.columns[j] for j in fitted.used]
    report = ColumnsReport((*classifier.columns_report_, *protected_decisions([column.name for column in used])))
    told = ColumnsReport(one for one in report if one.topic != "plain text")
    for line in report_remarks(told, verbose=console.verbose):
        console.remark(line)
    dates = [column.name for column in used if column.fields[0].kind in ("date", "datetime", "datetime-utc")]
    if dates and by_time is None:
        named = f"a date ({dates[0]})" if len(dates) == 1 else f"dates ({', '.join(dates)})"
        remedy = f"test on later rows (--test-after {shell_word(dates[0])} DATE)"
        console.remark(f"the model uses {named}, and all future dates fall on one side: {remedy}")


def _fit_in_engine(arguments: argparse.Namespace, console: Console) -> tuple[DNFClassifier, FitScores, object]:
    """Learn where the table is; all rows are learned from."""
    if arguments.test_size:
        raise InvalidArgument("--test-size", "be 0 or left out with an engine", arguments.test_size)
    for option in ("read", "holdout", "test_after", "test_group", "merge_spellings"):
        if getattr(arguments, option):
            name = option.replace("_", "-")
            raise InvalidArgument(f"--{name}", "be left out with an engine, which learns from all rows as they are")
    lazy = open_lazily(arguments)
    schema = schema_of(lazy)
    refuse_unknown_column(list(schema), arguments.target, "--target")
    ignored = listed_columns(arguments.ignore, list(schema), "--ignore")
    missing = is_missing(nw.col(arguments.target), floating=schema[arguments.target].is_float())
    (unlabelled,) = count_rows(lazy, [missing], "counting missing labels", Scans())
    if unlabelled:
        console.remark(f"{arguments.target}: {unlabelled:,} of the rows {without_label(unlabelled)}")
    labelled = lazy.filter(~missing).drop(ignored)
    classes = _labels_of(label_counts(labelled, arguments.target, Scans()), arguments.target)
    positive = positive_label(classes, arguments.positive)
    native = labelled.to_native()
    classifier = _classifier(arguments, classes, positive, list(schema), console)
    immutable = asked_immutable(arguments, list(schema))
    classifier.binariser = TableBinariser(
        kinds=_kinds(arguments, list(schema)),
        missing=arguments.missing,
        unseen=arguments.unseen,
        drop_leaks=arguments.drop_leaks,
    )
    quietly_fitted(classifier, native, arguments.target)
    classifier.fitted_ = classifier.fitted_.with_settings(immutable=immutable)
    remark_decisions(classifier, console)
    return classifier, FitScores(None, classifier.score(native, arguments.target)), positive


def _classifier(
    arguments: argparse.Namespace, classes: list[object], positive: object, names: Sequence[str], console: Console
) -> DNFClassifier:
    if arguments.k == AUTO and in_engine(arguments):
        raise InvalidArgument("--k", "be a number with an engine", "auto")
    return DNFClassifier(
        max(arguments.k, 1),
        family=arguments.family,
        conditions=arguments.conditions,
        learner=arguments.learner,
        monotonic_cst=directions_of(arguments.monotone, 1 if positive == classes[1] else -1, names),
        class_weight=_class_weight(arguments.class_weight, classes),
        costs=_costs(arguments.cost, classes),
        tune=not arguments.no_tune,
        max_terms=arguments.max_terms,
        effort=arguments.effort,
        time_limit=arguments.time_limit,
        n_jobs=arguments.jobs,
        random_state=arguments.seed,
        progress=console.progress("learning"),
        favourable=favourable_of(arguments, classes),
    )


def _fairness(arguments: argparse.Namespace) -> Fairness | None:
    if arguments.fair is None:
        if arguments.fair_page is not None:
            raise InvalidArgument("--fair-page", "come with --fair, which names the column of groups")
        return None
    if in_engine(arguments):
        raise InvalidArgument("--fair", "be left out with an engine", "a table that is not in memory")
    return Fairness(arguments.fair, arguments.fair_metric, arguments.fair_limit)


def _labels_of(rows_of: Mapping[Label, int], target: str) -> list[object]:
    """Return the labels of a column in an engine, in order."""
    # NaN may get past an engine's filter: DuckDB 2 takes it from the statistics of Parquet files, which leave NaN out.
    if not 2 <= len(rows_of) <= MOST_CLASSES or None in rows_of:
        heaviest = sorted(rows_of.items(), key=lambda item: -item[1])[:10]
        shown = ", ".join(f"{label_words(label)} ({rows})" for label, rows in heaviest) or "none"
        count = "more than 10" if len(rows_of) > 10 else str(len(rows_of))
        rule = f"a column of 2 to {MOST_CLASSES} different labels"
        raise InvalidArgument("--target", f"be {rule}", f"{count} in {target}: {shown}")
    labels: list[object] = np.unique(np.array(list(rows_of))).tolist()
    return labels


def directions_of(monotone: Sequence[str], sign: int, names: Sequence[str]) -> dict[str, int] | None:
    """Return the directions of columns for the label sorted second; each must be one of the names."""
    directions = {}
    for text in monotone:
        name, equals, direction = text.rpartition("=")
        if not equals or direction not in ("1", "-1"):
            raise InvalidArgument("--monotone", "be COLUMN=1 or COLUMN=-1", text)
        refuse_unknown_column(names, name, "--monotone")
        directions[name] = sign * int(direction)
    return directions or None


def _as_limit_label(classes: Sequence[object], asked: str | None) -> str | None:
    """Return the positive label asked for, written as a limit if the labels were made of one."""
    if asked is None:
        return None
    limit = asked.replace(" ", "")
    return next((str(label) for label in classes if str(label).replace(" ", "") == limit), asked)


def _class_weight(text: str | None, classes: Sequence[object]) -> dict[object, float] | Literal["balanced"] | None:
    """Return the weights of the labels as the classifier takes them."""
    if text is None or text == "balanced":
        return None if text is None else "balanced"
    weights: dict[object, float] = dict.fromkeys(classes, 1.0)
    for part in text.split(","):
        name, equals, number = part.rpartition("=")
        if not equals or not is_number(number) or not 0 < float(number) < float("inf"):
            raise InvalidArgument("--class-weight", "be balanced, or LABEL=NUMBER with a number above 0", part)
        weights[label_of(classes, name, option="--class-weight")] = float(number)
    return weights


def _costs(given: Sequence[str], classes: Sequence[object]) -> dict[tuple[object, object], float] | None:
    """Return what mistakes cost as the classifier takes it."""
    costs: dict[tuple[object, object], float] = {}
    for part in (part for text in given for part in text.split(",")):
        labels, equals, number = part.rpartition("=")
        if not equals or not is_number(number) or not 0 <= float(number) <= MOST_COST:
            raise InvalidArgument("--cost", "be TRUE:GIVEN=NUMBER or TRUE=NUMBER, the number from 0", part)
        whole = labels in map(str, classes)
        true, colon, other = (labels, "", "") if whole else labels.partition(":")
        label = label_of(classes, true, option="--cost")
        others = [label_of(classes, other, option="--cost")] if colon else [each for each in classes if each != label]
        costs |= {(label, each): float(number) for each in others}
    return costs or None


def _kinds(arguments: argparse.Namespace, names: Sequence[str]) -> dict[str, str] | None:
    """Return what the user declares columns to be."""
    kinds = {}
    for text in arguments.kinds:
        name, equals, kind = text.rpartition("=")
        if not equals or (kind not in ("number", "category", "date", "boolean", "keep") and "<" not in kind):
            rule = "be COLUMN=number, category, date, boolean, keep, or categories in order such as 'low<high'"
            raise InvalidArgument("--as", rule, text)
        refuse_unknown_column(names, name, "--as")
        kinds[name] = kind
    return kinds or None


def test_share(arguments: argparse.Namespace) -> float:
    """Return the share of rows to hold out."""
    return _HELD_OUT if arguments.test_size is None else float(arguments.test_size)


def training_file(arguments: argparse.Namespace) -> TrainingFile:
    """Return what the user says about the file of the training table, for the model file."""
    said = file_options(arguments)
    after, group = getattr(arguments, "test_after", None), getattr(arguments, "test_group", None)
    return TrainingFile(
        said.separator,
        said.encoding,
        said.sheet,
        said.skip,
        said.header,
        test_size=test_share(arguments),
        test_after=None if after is None else (after[0], after[1]),
        test_group=group,
    )


def held_out_rows(
    file: TrainingFile, table: pl.DataFrame, y: NDArray[np.generic], seed: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows to learn from and those held out: at random, by time or by group."""
    share = _HELD_OUT if file.test_size is None else file.test_size
    if file.test_after is not None and file.test_group is not None:
        raise InvalidArgument("--test-after", "be left out with --test-group", "both")
    if file.test_after is not None:
        return _by_time(*file.test_after, table, y)
    if file.test_group is not None:
        return _by_group(file.test_group, table, y, share or _HELD_OUT, seed)
    return held_out(y, share, seed)


def held_out(y: NDArray[np.generic], share: float, seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows to learn from and those held out, each class in proportion."""
    rows = np.arange(len(y))
    if share == 0:
        return rows, rows[:0]
    labels, counts = np.unique(y, return_counts=True)
    if counts.min() < 2:
        raise InvalidArgument(
            "--target",
            "have each label in at least two rows, so that some can be held out",
            f"{labels[counts.argmin()]} in one",
            "Leave that row out or give it another label; with --test-size 0 no rows are held out.",
        )
    if min(share, 1 - share) * len(y) < 2:
        raise InvalidArgument("--target", "have enough rows to hold some out", len(y), "Use --test-size 0.")
    train, test = train_test_split(rows, test_size=share, random_state=seed, stratify=y)
    return np.sort(train), np.sort(test)


def _by_time(
    name: str, limit: str, table: pl.DataFrame, y: NDArray[np.generic]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Hold out the rows after a date or a number."""
    refuse_unknown_column(table.columns, name, "--test-after")
    series: Series = nw.from_native(table[name], series_only=True)
    found = ColumnReader({}, tuple(MISSING)).read_all({name: series})[name]
    raw = found.raw
    if raw.kind in ("category", "boolean", "empty"):
        raise InvalidArgument("--test-after", "name a column of dates or numbers", name)
    reading = found.reading or TextReading("number" if raw.kind == "number" else "date")
    try:
        end = reading.value(limit)
    except ValueError:
        raise InvalidArgument("--test-after", f"compare with {reading.expected}", limit) from None
    after = ~raw.missing & (raw.values.astype(np.float64) > float(str(end)))
    return _both_sides("--test-after", np.flatnonzero(~after), np.flatnonzero(after), y)


def _by_group(
    name: str, table: pl.DataFrame, y: NDArray[np.generic], share: float, seed: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Hold out whole groups of rows."""
    refuse_unknown_column(table.columns, name, "--test-group")
    groups = table[name].cast(str).fill_null("").to_numpy()
    if len(np.unique(groups)) < 2:
        raise InvalidArgument("--test-group", "name a column of two groups or more", f"one in {name}")
    split = GroupShuffleSplit(1, test_size=share, random_state=seed)
    train, test = next(split.split(groups, groups=groups))
    return _both_sides("--test-group", train, test, y)


def _both_sides(
    option: str, train: NDArray[np.intp], test: NDArray[np.intp], y: NDArray[np.generic]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    for rows, where in ((train, "to learn from"), (test, "held out")):
        if not len(rows):
            raise InvalidArgument(option, f"leave rows {where}", "none")
    if len(np.unique(y[train])) < len(np.unique(y)):
        raise InvalidArgument(option, "leave rows of every label to learn from", f"{len(np.unique(y[train]))} labels")
    return np.sort(train), np.sort(test)
