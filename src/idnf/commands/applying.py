"""Commands that apply a model to rows: predict, explain, recourse."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from idnf import auditing, exporting
from idnf.auditing.reason_texts import ReasonTexts
from idnf.classifier.bands import single_classifier
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fitted import AnyClassifier
from idnf.classifier.memory_source import ReadTable
from idnf.commands.answering import Listing, readable, typed
from idnf.commands.output import Console, output_file, output_table, write_text
from idnf.commands.table_files import answer_parts, in_engine, open_lazily, read_batches, read_rows
from idnf.commands.target_labels import label_of, limited
from idnf.engines.lazy_frames import Lazy, as_lazy
from idnf.engines.queries import schema_of
from idnf.explaining.recourse import Recourses
from idnf.explaining.wording import label_words
from idnf.logic.errors import InvalidArgument

if TYPE_CHECKING:
    import polars as pl

Added = dict[str, "pl.Series"]

USUAL_REASONS = 4
"""Principal reasons that a notice gives at most, if nothing else is asked for."""


def run_predict(arguments: argparse.Namespace, console: Console) -> int:
    """Add a column of labels to a table, part by part."""
    model, shares = exporting.from_json(arguments.model), bool(arguments.proba)
    if in_engine(arguments):
        lazy = open_lazily(arguments)
        answer = model.fitted_.decide_lazily(lazy, shares=shares)
        return _write_answer(arguments, lazy, nw.to_native(answer), console)
    return _write_rows(arguments, model, console, lambda batch: _series(batch.answers(shares=shares)))


def run_explain(arguments: argparse.Namespace, console: Console) -> int:
    """Add what each row is given, why and what would change it to a table, or print it as sentences or JSON."""
    model: AnyClassifier = limited(exporting.from_json(arguments.model), arguments)
    if is_audit_asked(arguments):
        return _audited(arguments, single_classifier(model, "--relevance and --principal"), console)
    if in_engine(arguments):
        if arguments.text:
            raise InvalidArgument("--text", "be left out with an engine, which writes labels, reasons and conditions")
        lazy = open_lazily(arguments)
        return _write_answer(arguments, lazy, model.explain(lazy.to_native()), console)
    return _write_rows(arguments, model, console, _reasons_by_row, lambda batch: batch.reasons)


def _series(columns: Mapping[str, NDArray[Any]]) -> Added:
    import polars as pl

    return {name: pl.Series(values) for name, values in columns.items()}


def _reasons_by_row(batch: ReadTable[Any]) -> Added:
    """Return what each row is given, its reasons and the nearest change, worked out once for rows that are alike."""
    import polars as pl

    given = _series(batch.answers())
    said = batch.reasons.columns().items()
    return given | {name: pl.Series(texts, dtype=pl.String) for name, texts in said if name not in given}


def _audited(arguments: argparse.Namespace, classifier: DNFClassifier, console: Console) -> int:
    """Add what auditors ask to a table, or print it as JSON."""
    if in_engine(arguments):
        raise InvalidArgument("--relevance and --principal", "be left out with an engine")
    if arguments.texts is not None:
        classifier = classifier.with_settings(notice_codes=_texts(arguments, classifier))
    if arguments.text:
        raise InvalidArgument("--text", "be left out with --relevance and --principal", remedy="Use --json.")
    return _write_rows(
        arguments,
        classifier,
        console,
        lambda batch: audit_series(classifier, batch, arguments),
        lambda batch: audit_answers(classifier, batch, arguments),
    )


def _write_rows(
    arguments: argparse.Namespace,
    model: AnyClassifier,
    console: Console,
    added: Callable[[ReadTable[Any]], Added],
    said: Callable[[ReadTable[Any]], Iterable[Any]] | None = None,
) -> int:
    """Write the rows of a table with further columns, or a line about each of them, part by part.

    Parameters
    ----------
    added : callable
        Return the further columns, which are also the lines unless ``said`` is given.
    said : callable, optional
        Return the content of each row's line of JSON or of text.
    """
    import polars as pl

    listing, in_words = Listing(model), getattr(arguments, "text", False)
    commas = any(reading.decimal == "," for reading in model.binariser_.readings_.values())
    parts = console.counted(read_batches(arguments, console, model), lambda rows: rows.given.height)
    if not arguments.json and not (said and in_words):
        with output_table(arguments.output) as write:
            for rows in parts:
                new = _spread(added, listing, rows.given)
                answers = rows.with_columns([series.alias(name) for name, series in new.items()])
                write(answers, added=len(new), style=replace(rows.style, commas=commas))
    else:
        with output_file(arguments.output) as stream:
            for rows in parts:
                if said is None:
                    stream.write(_lines(pl.DataFrame(_spread(added, listing, rows.given)).iter_rows(named=True)))
                else:
                    stream.write(_lines_of_part(listing, rows.given, said, in_words=not arguments.json))
    listing.remark(console, arguments.output)
    return 0


def _lines_of_part(
    listing: Listing, given: pl.DataFrame, said: Callable[[ReadTable[Any]], Iterable[Any]], *, in_words: bool
) -> bytes:
    """Return a line for each row of a part: what is said about it, or why nothing is."""
    found = listing.take(given)
    answers: dict[int, Any] = {
        row: f"No answer: {why}." if in_words else {"problem": why} for row, why in found.problems.items()
    }
    for row, one in zip(found.rows.tolist(), said(found.table) if len(found.rows) else (), strict=True):
        answers[row] = one if isinstance(one, dict) else one.to_text() if in_words else one.to_dict()
    lines = [answers[row] for row in range(given.height)]
    return "".join(f"{line}\n" for line in lines).encode() if in_words else _lines(lines)


def run_recourse(arguments: argparse.Namespace, console: Console) -> int:
    """Print the cheapest changes of some rows; exit code 1 where it is proved that a row has none."""
    classifier: AnyClassifier = limited(exporting.from_json(arguments.model), arguments)
    table = read_rows(arguments, console, classifier).given
    rows = _asked_rows(arguments.row, table.height)
    found = {row: _ways(arguments, classifier, table[row - 1], row) for row in rows}
    if arguments.json:
        plain = [
            {"changes": [one.to_dict() for one in ways], "blocked_by": list(ways.blocked_by)} for ways in found.values()
        ]
        many = [{"row": row, **one} for row, one in zip(rows, plain, strict=True)]
        text = json.dumps(plain[0] if len(rows) == 1 else many, default=str, ensure_ascii=False)
    else:
        named = (f"row {row}: {ways.to_text()}" for row, ways in found.items())
        text = found[rows[0]].to_text() if len(rows) == 1 else "\n".join(named)
    write_text(arguments.output, text + "\n")
    return 0 if all(found.values()) else 1


def _asked_rows(text: str, rows: int) -> list[int]:
    """Return the rows named: one, several separated by commas, a range such as 3-7, or all."""
    if text == "all":
        return list(range(1, rows + 1))
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.partition("-")
        ends = [end.strip() for end in ((first, last) if dash else (first, first))]
        if not all(end.isdecimal() and 1 <= int(end) <= rows for end in ends):
            raise InvalidArgument("--row", f"be a row of the table, 1 to {rows}", part)
        found += range(int(ends[0]), int(ends[1]) + 1)
    return found


def _ways(arguments: argparse.Namespace, classifier: AnyClassifier, asked: pl.DataFrame, row: int) -> Recourses:
    """Return the cheapest changes of one row."""
    columns = classifier.binariser_.columns_
    problems = readable(classifier, asked).problems
    if problems:
        raise ValueError(f"row {row} has no answer: {problems[0]}.")
    there = [j for j, column in enumerate(columns) if set(column.sources) <= set(asked.columns)]
    outcomes = dict.fromkeys((*classifier.fitted_.outcomes, *classifier.fitted_.codes))
    found = classifier.recourse(
        typed(asked, classifier.binariser_.read_rows(asked, there)[0]),
        to=None if arguments.to is None else label_of([*outcomes], arguments.to, option="--to"),
        increase_only=arguments.increase_only,
        decrease_only=arguments.decrease_only,
        count=arguments.count,
    )
    assert isinstance(found, Recourses), "one row was asked about"
    return found


def _write_answer(arguments: argparse.Namespace, asked: Lazy, answer: object, console: Console) -> int:
    """Write what an engine answers: the table with further columns, or only these as JSON."""
    there, lazy = schema_of(asked), as_lazy(answer)
    assert lazy is not None, "what an engine answers is lazy"
    added = [name for name in schema_of(lazy) if name not in there]
    parts = answer_parts(answer, console)
    if arguments.json:
        with output_file(arguments.output) as stream:
            for part in parts:
                stream.write(_lines(part.select(added).iter_rows(named=True)))
    else:
        with output_table(arguments.output) as write:
            for part in parts:
                write(part, added=len(added))
    return 0


def _spread(added: Callable[[ReadTable[Any]], Added], listing: Listing, given: pl.DataFrame) -> Added:
    """Return the new columns of all rows; those of rows without an answer are empty but for why it is so."""
    import polars as pl

    found = listing.take(given)
    new = added(found.table)
    if not found.problems:
        return new
    place = np.full(given.height, len(found.rows))
    place[found.rows] = np.arange(len(found.rows))
    spread = {name: series.extend_constant(None, 1).gather(place) for name, series in new.items()}
    if "reason" in spread:
        why = [found.problems.get(row) for row in range(given.height)]
        words = [None if text is None else f"no answer: {text}" for text in why]
        spread["reason"] = spread["reason"].fill_null(pl.Series(words, dtype=pl.String))
    return spread


def _lines(values: Iterable[object]) -> bytes:
    return "".join(json.dumps(value, default=str, ensure_ascii=False) + "\n" for value in values).encode()


def _texts(arguments: argparse.Namespace, classifier: DNFClassifier) -> ReasonTexts:
    """Return the texts of reasons with the outcome they are for: whoever got another one is sent none."""
    texts = ReasonTexts.from_csv(arguments.texts)
    if texts.outcome is None and classifier.fitted_.favourable is None:
        raise InvalidArgument(
            "--texts",
            "name the decisions it is about",
            f"{arguments.texts} without an outcome",
            f"Add a column called outcome with one label, such as {label_words(classifier.classes_.tolist()[0])}.",
        )
    return texts


def is_audit_asked(arguments: argparse.Namespace) -> bool:
    """Return whether one of these options was given."""
    return bool(arguments.relevance or arguments.principal or arguments.texts)


def _principal_count(arguments: argparse.Namespace) -> int:
    """Return how many principal reasons to give at most; texts of them stand for as many as are usual."""
    return int(arguments.principal) or (USUAL_REASONS if arguments.texts else 0)


def audit_answers(
    classifier: DNFClassifier, batch: ReadTable[Any], arguments: argparse.Namespace
) -> Iterator[dict[str, object]]:
    """Yield for each row what was asked for, as plain data."""
    labels = classifier.predict(batch).tolist()
    relevance = auditing.relevance(classifier, batch) if arguments.relevance else None
    count = _principal_count(arguments)
    principal = auditing.principal_reasons(classifier, batch, count=count) if count else None
    for row, label in enumerate(labels):
        answer: dict[str, object] = {"predicted": label}
        if relevance is not None:
            answer |= {"necessary": list(relevance[row].necessary), "relevant": list(relevance[row].relevant)}
        if principal is not None:
            answer["principal reasons"] = [reason.to_dict() for reason in principal[row]]
        yield answer


def audit_series(classifier: DNFClassifier, batch: ReadTable[Any], arguments: argparse.Namespace) -> Added:
    """Return the requested audits as columns of text."""
    import polars as pl

    added: dict[str, list[str | None]] = {}
    if arguments.relevance:
        relevance = auditing.relevance(classifier, batch)
        added["necessary"] = [", ".join(one.necessary) for one in relevance]
        added["relevant"] = [", ".join(one.relevant) for one in relevance]
    count = _principal_count(arguments)
    if count:
        reasons = auditing.principal_reasons(classifier, batch, count=count)
        for place in range(count):
            chosen = [one[place] if place < len(one) else None for one in reasons]
            for name in ("code", "text") if arguments.texts else ("text",):
                title = f"{'reason code' if name == 'code' else 'principal reason'} {place + 1}"
                added[title] = [None if reason is None else getattr(reason, name) for reason in chosen]
    said = {name: pl.Series(texts, dtype=pl.String) for name, texts in added.items()}
    return {"predicted": pl.Series(classifier.predict(batch)), **said}
