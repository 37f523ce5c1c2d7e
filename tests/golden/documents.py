"""Records of decisions with what both checkers say of them, letters, workbooks and counts by period."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import chdir
from copy import deepcopy
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory

import docx
import openpyxl
import polars as pl
from tests.golden.answers import Made, Parts, written
from tests.golden.entries import BANDS, Named, chosen, learn, policy

from idnf import DNFBands, exporting
from idnf.governance import (
    append_records,
    checker,
    correct_record,
    make_records,
    monitor,
    read_records,
    write_letters,
)
from idnf.governance.workbook import excel_bytes

ROWS = 12
CHECKERS = {"python": [sys.executable, "-I"], "javascript": ["node"]}


def banded(name: str) -> Made:
    return learn(kind=DNFBands, **BANDS[name])


SOURCES = {
    "policy": partial(policy, "numbers"),
    "words": partial(policy, "words"),
    "two": partial(learn, "mixed", k=2, learner="greedy", tune=False),
    "three": partial(learn, "mixed", classes=3, k=2, learner="greedy", tune=False),
    "search": partial(learn, "mixed", k=3, tune=False),
    "times": partial(learn, "times", k=2, learner="greedy", tune=False),
    "texts": partial(learn, "texts", k=2, learner="greedy", tune=False),
    "grades": partial(learn, "grades", k=2, learner="greedy", tune=False),
    "coded": partial(learn, "coded", k=2, learner="greedy", tune=False),
    "hostile": partial(learn, "hostile", k=2, learner="greedy", tune=False),
    "own-texts": chosen,
    "bands": partial(banded, "bands/given"),
    "ordered": partial(banded, "bands/ordered-4"),
}


@cache
def source(name: str) -> Made:
    """Return a model and rows to decide about; each is learned once."""
    return SOURCES[name]()


def made_records(name: str) -> list[dict]:
    """Return the records of some rows, all of one time."""
    made = source(name)
    names = [f"Person {row} <&>" for row in range(ROWS)]
    ids = [f"A-{row}" for row in range(ROWS)]
    found = make_records(made.clf, made.later[:ROWS], ids=ids, about={"name": names}, alternatives=[made.clf])
    return [{**one, "time": "2026-01-01T00:00:00Z"} for one in found]


def lies(record: dict) -> Iterator[dict]:
    """Yield the record with something in it that is not so."""
    lie = deepcopy(record)
    lie["decision"] = "something else"
    yield lie
    for where in ("reasons", "changes"):
        lie = deepcopy(record)
        if lie[where][0] is not None and lie[where][0]["conditions"]:
            lie[where][0]["conditions"].pop(0)
            yield lie
            lie = deepcopy(record)
            lie[where][0]["conditions"][0]["cells"] = [0]
            yield lie
    for name in record["values"]:
        yield {**record, "values": {**record["values"], name: None}}
    for key in ("text", "principal"):
        yield {**record, key: [] if key == "principal" else "Because."}


def recorded(name: str) -> Parts:
    """Decide, record, correct the first decision, and have both checkers look at that and at lies."""
    made, found = source(name), made_records(name)
    false = [{**lie, "id": f"L-{place}"} for place, lie in enumerate(lie for one in found[:3] for lie in lies(one))]
    value = next(iter(found[0]["values"]))
    with TemporaryDirectory() as folder, chdir(folder):
        exporting.to_json(made.clf, "model.json")
        added = [append_records("true.jsonl", found) for _ in range(2)]
        other = next(one["values"][value] for one in found if one["values"][value] != found[0]["values"][value])
        text = str(other).lower() if isinstance(other, bool) else "" if other is None else str(other)
        old, new = correct_record(made.clf, "true.jsonl", "A-0", {value: text})
        read = read_records("true.jsonl")
        Path("false.jsonl").write_text("".join(json.dumps(one) + "\n" for one in false), encoding="utf-8")
        checked = {
            f"{language} on {kind}": checked_by(language, f"{kind}.jsonl")
            for language in CHECKERS
            for kind in ("true", "false")
        }
    meaning = {
        "decisions": [[one["id"], one["decision"], one["values"]] for one in found],
        "reasons": [[[one["id"], _cells(one)] for one in record["reasons"]] for record in found],
        "changes": [[None if one is None else _cells(one) for one in record["changes"]] for record in found],
        "principal": [[[one["code"], one["columns"], one["share"]] for one in record["principal"]] for record in found],
        "added": [*added, len(read)],
        "corrected": [old["decision"], new["decision"], new["corrects"]["values"]],
        "checkers": {which: [code, refused] for which, (code, refused, _) in checked.items()},
    }
    words = {"records": found, "checkers": {which: said for which, (_, _, said) in checked.items()}}
    return Parts(meaning, words)


def _cells(one: Mapping[str, list]) -> list[object]:
    return [[condition["column"], condition["cells"]] for condition in one["conditions"]]


def checked_by(language: str, name: str) -> tuple[int, list[int], str]:
    """Return the exit code of a checker, the lines that it refuses, and what it says."""
    program = Path(f"checker of {language}.js")
    program.write_text(checker(language), encoding="utf-8")
    done = subprocess.run(
        [*CHECKERS[language], program, name, "model.json"], capture_output=True, text=True, encoding="utf-8"
    )
    told = done.stdout.splitlines()
    refused = [int(line.split(":")[0].removeprefix("line ")) for line in told if line.startswith("line ")]
    return done.returncode, refused, done.stdout + done.stderr


FIELDS = (
    "id",
    "date",
    "decision",
    "name",
    "reasons",
    "principal reasons",
    "changes",
    "changed decision",
    "data",
    "text",
)
ENDS = {"md": "{}\n\n", "html": "<p>{}</p>\n", "docx": "{}"}
EXAMPLES = ("credit-denial", "benefit", "referral")
GIVEN = {"sender": "The Bank", "contact": "call 555-0100", "regulator": "the agency", "credit_bureau": "the bureau"}


def template(ending: str) -> Path:
    """Write a template with every field on a line of its own, after its name."""
    lines = [f"[{field}] {{{{{field}}}}}" for field in FIELDS]
    path = Path(f"template.{ending}")
    if ending == "docx":
        document = docx.Document()
        for line in lines:
            document.add_paragraph(line)
        document.save(path)
    else:
        path.write_text("".join(ENDS[ending].format(line) for line in lines), encoding="utf-8")
    return path


def lettered(name: str, kind: str) -> Parts:
    """Write letters about one outcome; say who gets one, what it decides, and how many lines each field has."""
    found = made_records(name)
    outcome = min({one["decision"] for one in found})
    with TemporaryDirectory() as folder, chdir(folder):
        used = kind if kind in EXAMPLES else template(kind)
        paths = write_letters(found, used, "letters", outcomes=[outcome], fields=GIVEN)
        texts = {path.name: read_letter(path) for path in sorted(paths)}
    meaning = {
        "outcome": outcome,
        "letters": list(texts),
        "decisions": [re.findall(r"\[(?:changed )?decision\] ([^<\n]*)", text) for text in texts.values()],
        "lines": [[text.count(f"[{field}]") for field in FIELDS] for text in texts.values()],
    }
    return Parts(meaning, {"letters": texts})


def read_letter(path: Path) -> str:
    if path.suffix != ".docx":
        return path.read_text(encoding="utf-8")
    return "\n".join(paragraph.text for paragraph in docx.Document(path).paragraphs)


def workbook(name: str) -> Parts:
    """Write rows into a workbook and read its cells again: numbers, labels and reasons as kept, formulas as words."""
    made = source(name)
    data = excel_bytes(made.clf, made.later[:ROWS])
    values, formulas = (openpyxl.load_workbook(io.BytesIO(data), data_only=kept) for kept in (True, False))
    is_bands = isinstance(made.clf, DNFBands)
    ids = [one.reason for row in made.clf.explain(made.later[:ROWS]) for one in row.claims]
    known = {*(made.clf.names_ if is_bands else made.clf.classes_.tolist()), *ids}
    rows = [[cell.value for cell in row] for row in values.worksheets[1].iter_rows(min_row=2)]
    decided = [[value for value in row if not isinstance(value, str) or value in known] for row in rows]
    sheets = {sheet.title: [[cell.value for cell in row] for row in sheet.iter_rows()] for sheet in formulas}
    sizes = [[sheet.max_row, sheet.max_column] for sheet in values.worksheets]
    return Parts({"decided": decided, "sheets": sizes}, {"workbook": sheets, "sentences": rows})


def monitored(name: str, way: str) -> Parts:
    """Count reasons, or bands, by period."""
    made = source(name)
    X = pl.concat([made.X, made.later])
    if way == "batches":
        found = monitor(made.clf, {"first": made.X[:90], "second": made.X[90:], "later": made.later})
    else:
        days = pl.date_range(pl.date(2024, 11, 1), pl.date(2025, 5, 9), eager=True)
        periods = pl.Series("period", [str(row % 3) for row in range(len(X))] if way == "words" else days[: len(X)])
        X = X.with_columns(periods)
        every = "year" if way == "year" else "month"
        found = monitor(made.clf, X.lazy() if way == "lazy" else X, by="period", every=every)
    counts = found.to_dict()
    page = written(lambda path: found.to_html(path))
    words = {"monitor": [found.to_text(), counts.pop("reference"), dict(found.words)], "page": page}
    return Parts({"periods": counts.pop("periods"), "reference": found.reference}, words)


def entries() -> Named:
    """All that is written about decisions."""
    yield from ((f"records/{name}", partial(recorded, name)) for name in SOURCES)
    yield from ((f"workbook/{name}", partial(workbook, name)) for name in SOURCES)
    for name in ("policy", "two", "three", "own-texts", "bands"):
        yield from ((f"letters/{name}-{kind}", partial(lettered, name, kind)) for kind in ("md", *EXAMPLES))
    yield from ((f"letters/hostile-{kind}", partial(lettered, "hostile", kind)) for kind in ENDS)
    for name, way in [*((n, w) for n in ("two", "bands") for w in ("month", "year", "words", "batches", "lazy"))]:
        yield f"monitor/{name}-{way}", partial(monitored, name, way)
    yield from ((f"monitor/{name}-month", partial(monitored, name, "month")) for name in ("three", "times", "ordered"))
