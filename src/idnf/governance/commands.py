"""Commands that keep decisions and write about them: record, letters; what export and report write besides.

They stand beside the commands of idnf and use their tools: how strangers' files are read, and the console.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from idnf import InvalidArgument, exporting, reporting
from idnf.classifier.bands import single_classifier
from idnf.classifier.fitted import AnyClassifier
from idnf.commands import models
from idnf.commands.answering import Listing, Readable, typed, with_dates
from idnf.commands.arguments import named_texts
from idnf.commands.output import Console, write_text
from idnf.commands.table_files import free_name, read_batches, read_rows
from idnf.commands.target_labels import label_of, listed_columns, refuse_unknown_column
from idnf.governance.cards import model_card
from idnf.governance.letters import write_letters
from idnf.governance.monitoring import monitor
from idnf.governance.records import (
    DecisionRecord,
    append_records,
    brief,
    check_sentences,
    checker,
    correct_record,
    make_records,
    read_records,
    record_line,
)
from idnf.governance.rule_audits import audit
from idnf.governance.workbook import excel_bytes

if TYPE_CHECKING:
    import polars as pl

_SAMPLE = 1000
_README = """# What is in this folder

- model.json: the model. report.html: what it does, on labelled rows.{card}
- model.xlsx: the model as a workbook; type a case and see its decision and reason.
- decisions.jsonl: records of {count} decisions of the rows that the report is about.
- check_decisions.py, check_decisions.js: two programs that share no code with idnf or with each other.

Check that every decision, reason and change follows from the model, with Python 3.10 or later and nothing else:

    python check_decisions.py decisions.jsonl model.json

The same with Node.js:

    node check_decisions.js decisions.jsonl model.json

SHA-256 of model.json: {sha256}
"""


def run_record(arguments: argparse.Namespace, console: Console) -> int:
    """Add a record of each decision to a file, or of one that is corrected."""
    classifier = exporting.from_json(arguments.model)
    if arguments.correct is not None:
        return _correct(arguments, classifier, console)
    if not arguments.table:
        raise InvalidArgument("record", "have a table of rows, or --correct", "neither")
    listing = Listing(classifier)
    added = append_records(arguments.output, _records_by_part(arguments, classifier, listing, console))
    listing.remark(console)
    there = listing.done - len(listing.problems) - added
    console.remark(
        f"{added:,} records added to {arguments.output}" + (f"; {there:,} were there already" if there else "")
    )
    return 0


def _records_by_part(
    arguments: argparse.Namespace, classifier: AnyClassifier, listing: Listing, console: Console
) -> Iterator[DecisionRecord]:
    """Yield the records of the rows of a table that have an answer, part by part."""
    alternatives = [exporting.from_json(path) for path in arguments.alternative]
    hashed, seen = file_hash(arguments.model), dict[str, int]()
    for batch in read_batches(arguments, console, classifier):
        given = batch.given
        kept = listed_columns(arguments.keep, given.columns, "--keep")
        if arguments.id is not None:
            refuse_unknown_column(given.columns, arguments.id, "--id")
        start = listing.done
        found = listing.take(given)
        if len(found.rows):
            rows = found.rows.tolist()
            numbers = [start + row + 1 for row in rows]
            names = list(map(str, numbers)) if arguments.id is None else _texts(given, arguments.id, rows)
            if arguments.id is not None:
                _refuse_repeated(arguments.id, dict(zip(numbers, names, strict=True)), seen)
            about = {name: _texts(given, name, rows) for name in kept}
            table = found.framed(*_beside(given, found, alternatives)) if alternatives else found.table
            yield from make_records(classifier, table, ids=names, about=about, alternatives=alternatives, sha256=hashed)


def _refuse_repeated(column: str, names: Mapping[int, str], seen: dict[str, int]) -> None:
    """Refuse identifiers that are empty or that an earlier row has; names and rows seen are kept."""
    for row, name in names.items():
        if not name or name in seen:
            got = f"{brief(name)} in rows {seen[name]:,} and {row:,} of {column}" if name else f"none in row {row:,}"
            remedy = "Leave it out to number the rows from 1."
            raise InvalidArgument("--id", "name a column with a different value in every row", got, remedy)
        seen[name] = row


def _beside(given: pl.DataFrame, found: Readable, alternatives: list[AnyClassifier]) -> list[pl.Series]:
    """Return the columns that alternatives look at and the model does not."""
    names = {name for one in alternatives for j in one.fitted_.used for name in one.fitted_.columns[j].sources}
    return [given[name] for name in given.columns if name in names and name not in found.table.read[0].columns]


def _texts(given: pl.DataFrame, name: str, rows: list[int]) -> list[str]:
    return ["" if value is None else str(value) for value in given[name][rows].to_list()]


def _correct(arguments: argparse.Namespace, classifier: AnyClassifier, console: Console) -> int:
    path, *more = arguments.correct
    if len(more) < 2 or not all("=" in pair for pair in more[1:]):
        raise InvalidArgument("--correct", "be a file, an identifier and COLUMN=VALUE", " ".join(arguments.correct))
    values = dict(pair.split("=", 1) for pair in more[1:])
    old, new = correct_record(classifier, path, more[0], values, sha256=file_hash(arguments.model))
    before, after = reporting.label_words(old["decision"]), reporting.label_words(new["decision"])
    same = f"still {after}" if before == after else f"{after}; it was {before}"
    console.show(f"With the correction the decision is {same}.\n{new['text']}")
    return 0


def run_letters(arguments: argparse.Namespace, console: Console) -> int:
    """Write a letter for each decision that gets one."""
    made = read_records(arguments.records)
    if not made:
        raise InvalidArgument("records", "hold a decision", f"none in {arguments.records}")
    labels = list(dict.fromkeys(record["decision"] for record in made))
    if arguments.template is None:
        raise InvalidArgument("--template", "name a file or an example: credit-denial, benefit, referral", "none")
    outcomes = _outcomes_of_letters(arguments, labels)
    fields = named_texts("--field", "NAME=TEXT", arguments.field)
    say = named_texts("--say", "LABEL=TEXT", arguments.say)
    if arguments.model is not None:
        _check_sentences(arguments.model, [record for record in made if record["decision"] in outcomes])
    how = {"outcomes": outcomes, "fields": fields, "overwrite": arguments.overwrite}
    written = write_letters(made, arguments.template, arguments.output, say=say, **how)
    console.remark(f"{len(written):,} letter{'s' * (len(written) != 1)} written to {arguments.output}")
    return 0


def _outcomes_of_letters(arguments: argparse.Namespace, labels: Sequence[object]) -> list[object]:
    """Return the decisions that get a letter: those asked for, else all that are not the model's favourable one."""
    if arguments.outcome:
        return [label_of(labels, text, option="--outcome") for text in arguments.outcome]
    fitted = None if arguments.model is None else exporting.from_json(arguments.model).fitted_
    if fitted is not None and fitted.favourable_outcome is not None:
        return [label for label in labels if label != fitted.favourable_outcome]
    raise InvalidArgument("--outcome", f"be one of {', '.join(map(str, labels))}", "none")


def _check_sentences(path: str, made: list[DecisionRecord]) -> None:
    """Refuse records that say anything else than a model says about their values."""
    classifier, hashed = exporting.from_json(path), file_hash(path)
    for record in made:
        if record["model"] != hashed:
            raise InvalidArgument("--model", f"be the one that decided, of SHA-256 {record['model']}", hashed)
        check_sentences(classifier, record)


def run_export(arguments: argparse.Namespace, console: Console) -> int:
    """Write the program that checks records, or a workbook; all else idnf exports itself."""
    if arguments.checker is None and arguments.to == "xlsx" and arguments.model is not None:
        return models.write_binary(arguments, console, lambda: excel_bytes(exporting.from_json(arguments.model)))
    if arguments.checker != "decisions":
        return models.run_export(arguments, console)
    if arguments.to not in (None, "python", "javascript"):
        raise InvalidArgument("--to", "be python or javascript with --checker", arguments.to)
    write_text(arguments.output, checker(arguments.to or "python"))
    return 0


def run_report(arguments: argparse.Namespace, console: Console) -> int:
    """Write the report of a model and, if asked for, its card and the folder for validators."""
    if arguments.card is not None:
        single_classifier(exporting.from_json(arguments.model), "--card")
    if arguments.no_rows and arguments.pack is not None:
        raise InvalidArgument("--pack", "be left out with --no-rows", remedy="It holds records of some rows.")
    reported = models.write_report(arguments, console)
    pages, summary = {"report.html": reported.report.text}, reported.report.summary
    if summary is not None and not (arguments.card is arguments.pack is None):
        classifier = single_classifier(reported.classifier, "--card")
        pages["card.md"] = model_card(classifier, summary, title=arguments.title or "Model card").to_markdown()
    if arguments.card is not None:
        write_text(arguments.card, pages["card.md"])
    if arguments.pack is not None:
        write_pack(Path(arguments.pack), arguments.model, reported.found, pages)
    return 0


def write_pack(folder: Path, model: str, found: Readable, pages: Mapping[str, str]) -> None:
    """Write all that a validator needs into a folder: the model, its answers for some rows, and how to check them."""
    classifier, data = exporting.from_json(model), Path(model).read_bytes()
    some = typed(found.given[found.rows], found.table.read[0])[:_SAMPLE]
    hashed = hashlib.sha256(data).hexdigest()
    made = make_records(classifier, some, sha256=hashed)
    card = " card.md: the model card." if "card.md" in pages else ""
    contents: dict[str, str | bytes] = {
        **pages,
        "decisions.jsonl": b"".join(record_line(record) + b"\n" for record in made),
        "model.json": data,
        "model.xlsx": excel_bytes(classifier, some),
        "check_decisions.py": checker("python"),
        "check_decisions.js": checker("javascript"),
        "README.md": _README.format(count=len(made), sha256=hashed, card=card),
    }
    _refuse_other_files(folder, contents)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        exporting.write_atomically(folder / name, content)


def _refuse_other_files(folder: Path, names: Iterable[str]) -> None:
    """Refuse to replace the files of a folder that is not one for validators: records, for one, are kept for years."""
    readme = folder / "README.md"
    is_pack = readme.is_file() and readme.read_text("utf-8", errors="replace").startswith(_README.splitlines()[0])
    other = None if is_pack else next((name for name in names if (folder / name).exists()), None)
    if other is not None:
        raise InvalidArgument(
            "--pack", "be a new folder, or one that it wrote", f"{folder}, which has {other}", "Name another folder."
        )


def run_audit(arguments: argparse.Namespace, console: Console) -> int:
    """Print what rules amount to; exit code 1 if some rows get no class, or two."""
    is_table = arguments.rules.lower().endswith((".dmn", ".xml", ".xlsx", ".csv", ".tsv"))
    if arguments.table is not None and not is_table:
        raise InvalidArgument("--table", "come with a file of decision tables", arguments.rules)
    found = audit(arguments.rules if is_table else models.given_text(arguments.rules), table=arguments.table)
    models.write_answer(arguments, found.to_dict(), found.to_text())
    if arguments.model is not None:
        exporting.to_json(found.to_classifier(), arguments.model)
        console.remark(f"written to {arguments.model}")
    return 1 if found.gaps or found.contradictions else 0


def run_monitor(arguments: argparse.Namespace, console: Console) -> int:
    """Print shares of reasons by period and how far they moved, or write a page about it."""
    classifier = exporting.from_json(arguments.model)
    listing = Listing(classifier)
    if arguments.by is None:
        batches = {}
        for name in arguments.table:
            rows = read_rows(argparse.Namespace(**{**vars(arguments), "table": [name]}), console, classifier)
            batches[name] = listing.take(rows.given).framed()
        found = monitor(classifier, batches)
    else:
        given = read_rows(arguments, console, classifier).given
        refuse_unknown_column(given.columns, arguments.by, "--by")
        # Under a name of its own: the model may look at the column too, and then has it as numbers.
        periods = with_dates(given[arguments.by]).alias(free_name(arguments.by, given.columns))
        found = monitor(classifier, listing.take(given).framed(periods), by=periods.name, every=arguments.every)
    listing.remark(console)
    if arguments.output.endswith((".html", ".htm")):
        console.remark(found.finding)
        found.to_html(arguments.output)
    else:
        models.write_answer(arguments, found.to_dict(), found.to_text())
    if arguments.output != "-":
        console.remark(f"written to {arguments.output}")
    return 0


def file_hash(path: str) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
