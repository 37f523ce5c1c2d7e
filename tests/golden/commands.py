"""Every command of the command line, in this process: exit codes, files and figures, and what is printed."""

from __future__ import annotations

import atexit
import csv
import io
import json
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NoReturn
from unittest.mock import patch

import polars as pl
from tests.golden.answers import Parts
from tests.golden.documents import GIVEN, made_records, source
from tests.golden.entries import Named
from tests.golden.questions import POLICY, RULES
from tests.golden.tables import table

from idnf import exporting
from idnf.cli import main
from idnf.governance import append_records

QUICK = "--learner greedy --no-tune --k 2"
FIELDS = " ".join(f"--field {name}={shlex.quote(text)}" for name, text in GIVEN.items())

COMMANDS = {
    "fit": f"fit loans.csv --target decision {QUICK} -o new.json",
    "fit-json": f"fit loans.csv --target decision {QUICK} --json",
    "fit-search": "fit loans.csv --target decision --k 2 --effort 0.3 --holdout rest.csv --json",
    "fit-exact": "fit loans.csv --target decision --k 2 --learner exact --family tree --json",
    "fit-auto": "fit loans.csv --target decision --k auto --learner greedy --effort 0.3 --json",
    "fit-three": f"fit three.csv --target decision {QUICK} --json",
    "fit-one-of-three": f"fit three.csv --target decision {QUICK} --positive gold --json",
    "fit-duckdb": "fit loans.csv --target decision --k 2 --effort 0.3 --engine duckdb --json",
    "fit-polars": "fit loans.parquet --target decision --k 2 --effort 0.3 --engine polars --json",
    "fit-fair": f"fit groups.csv --target decision --fair group {QUICK} --json",
    "fit-later": f"fit loans.csv --target decision --test-after day 2024-03-01 {QUICK} --json",
    "fit-limits": "fit loans.csv --target decision --effort 0.3 --monotone income=1 --class-weight yes=2 --ignore day",
    "fit-quiet": f"--quiet fit loans.csv --target decision {QUICK} --immutable age --missing refuse --both",
    "fit-no-target": "fit loans.csv",
    "fit-wrong-target": "fit loans.csv --target decison",
    "fit-wrong-option": "fit loans.csv --targt decision",
    "fit-wrong-k": "fit loans.csv --target decision --k 0",
    "fit-wrong-family": "fit loans.csv --target decision --family bush",
    "fit-no-table": "fit nowhere.csv --target decision",
    "fit-no-rows": "fit empty.csv --target decision",
    "bands": "bands loans.csv --target decision --boundaries 0.3,0.6 --names low,middle,high --effort 0.3 --k 2",
    "bands-json": "bands loans.csv --target decision --effort 0.3 --json",
    "bands-ordered": "bands three.csv --target decision --order bronze,silver,gold --effort 0.3 --k 2 --json",
    "bands-wrong-names": "bands loans.csv --target decision --boundaries 0.5 --names one",
    "choose": "choose loans.csv --target decision --learner greedy --k 1 2 --folds 3",
    "choose-json": "choose loans.csv --target decision --learner greedy --k 1 2 --folds 3 --json",
    "choose-wrong-k": "choose loans.csv --target decision --k 0",
    "points": "points loans.csv --target decision --learner greedy --k 2 --costs 1 4",
    "points-json": "points loans.csv --target decision --learner greedy --k 2 --recall 0.5 -o new.json --json",
    "points-wrong-recall": "points loans.csv --target decision --learner greedy --k 2 --costs 1 --recall 2",
    "near-equals": "near-equals loans.csv --target decision --learner greedy --k 2 --resamples 2 --count 4",
    "near-equals-json": "near-equals loans.csv --target decision --k 2 --resamples 2 --without age -o new.json --json",
    "near-equals-wrong": "near-equals loans.csv --target decision --within -1",
    "predict": "predict model.json new.csv",
    "predict-proba": "predict model.json new.csv --proba -o labelled.csv",
    "predict-json": "predict model.json new.csv --json",
    "predict-three": "predict three.json new.csv --proba",
    "predict-bands": "predict bands.json new.csv",
    "predict-duckdb": "predict model.json new.csv --engine duckdb",
    "predict-parquet": "predict model.json new.csv -o labelled.parquet",
    "predict-wrong-rows": "predict model.json wrong.csv",
    "predict-no-column": "predict model.json empty.csv",
    "predict-no-model": "predict rules.txt new.csv",
    "explain": "explain model.json new.csv",
    "explain-text": "explain model.json new.csv --text",
    "explain-json": "explain three.json new.csv --json",
    "explain-bands": "explain bands.json new.csv",
    "explain-polars": "explain model.json new.csv --engine polars -o explained.csv",
    "explain-wrong-rows": "explain model.json wrong.csv",
    "recourse": "recourse model.json new.csv --row 2",
    "recourse-json": "recourse model.json new.csv --row 1-4 --immutable age --json",
    "recourse-bands": "recourse bands.json new.csv --row 2 --to approve --json",
    "recourse-none": "recourse model.json new.csv --row 2 --immutable income,age,colour,member,late",
    "recourse-no-row": "recourse model.json new.csv --row 400",
    "record": "record model.json new.csv --id application --alternative other.json -o new.jsonl",
    "record-bands": "record bands.json new.csv -o new.jsonl",
    "record-again": "record model.json new.csv --id application -o decisions.jsonl",
    "record-correct": "record model.json --correct decisions.jsonl A-0 income=12",
    "record-correct-nobody": "record model.json --correct decisions.jsonl nobody income=12",
    "letters": f"letters decisions.jsonl --template credit-denial --outcome no {FIELDS}",
    "letters-model": f"letters decisions.jsonl --template benefit --outcome no --model model.json {FIELDS}",
    "letters-other-model": f"letters decisions.jsonl --template benefit --outcome no --model other.json {FIELDS}",
    "letters-no-field": "letters decisions.jsonl --template credit-denial --outcome no",
    "letters-no-outcome": "letters decisions.jsonl --template credit-denial",
    "verify": "verify model.json",
    "verify-json": "verify model.json --json",
    "verify-table": "verify model.json loans.csv --target decision --json",
    "verify-other-table": "verify model.json flipped.csv --target decision",
    "verify-alone": "verify model.json --alone age --json",
    "verify-alone-refuted": "verify model.json --alone income --json",
    "verify-bands": "verify bands.json --json",
    "verify-no-model": "verify rules.txt",
    **{f"export-{to}": f"export model.json --to {to}" for to in ("sql", "python", "javascript")},
    "export-onnx": "export model.json --to onnx -o model.onnx",
    "export-xlsx": "export model.json --to xlsx -o model.xlsx",
    "export-query": "export three.json --to sql --dialect duckdb --table people --reasons --principal 2",
    "export-bands": "export bands.json --to sql",
    "export-checker": "export --checker",
    "export-checker-javascript": "export --checker --to javascript -o check.js",
    "export-nothing": "export model.json",
    "export-wrong": "export model.json --to sq",
    "report": "report model.json loans.csv --target decision --card card.md --json",
    "report-subgroup": "report model.json loans.csv --target decision --subgroup member",
    "report-bands": "report bands.json loans.csv --target decision",
    "report-pack": "report model.json loans.csv --target decision --pack pack",
    "report-no-target": "report model.json new.csv",
    "diff": "diff model.json other.json",
    "diff-json": "diff model.json other.json new.csv --json",
    "diff-same": "diff model.json model.json",
    "diff-policy": "diff policy.txt model.json new.csv",
    "diff-wrong": "diff model.json nowhere.json",
    "check": "check model.json kept.txt",
    "check-refuted": "check model.json rules-of-model.txt new.csv --json",
    "check-wrong": "check model.json empty.csv",
    "audit": "audit rules.txt",
    "audit-json": "audit rules.txt --json",
    "audit-gaps": "audit gaps.txt --json",
    "audit-wrong": "audit rules.txt --table first",
    "monitor": "monitor model.json loans.csv --by day",
    "monitor-json": "monitor model.json loans.csv --by day --every year --json",
    "monitor-batches": "monitor bands.json loans.csv new.csv --json",
    "monitor-page": "monitor model.json loans.csv --by day -o monitor.html",
    "monitor-wrong": "monitor model.json loans.csv --by nothing",
    "analyse": "analyse 'a & b | c & ~d'",
    "analyse-json": "analyse 'a & b | ~a & c' --json",
    "analyse-wrong": "analyse 'a &'",
    "datasets": "datasets",
    "datasets-json": "datasets --json",
    "datasets-load": "datasets --load loans -o table.csv",
    "datasets-wrong": "datasets --load nowhere",
    "demo": "demo",
    "version": "--version",
    "nothing": "",
    "no-command": "fitt loans.csv",
}

NAMES = (
    *("fit", "bands", "choose", "points", "near-equals", "predict", "explain", "recourse", "record", "letters"),
    *("verify", "export", "report", "diff", "check", "audit", "monitor", "analyse", "datasets", "demo"),
)
"""The commands, of each of which the help is kept."""


@cache
def files() -> Path:
    """Write what commands read into a folder: tables, models, rules, records."""
    folder = TemporaryDirectory()
    atexit.register(folder.cleanup)
    with chdir(folder.name):
        two, three, groups = (table(name, classes=n) for name, n in (("mixed", 2), ("mixed", 3), ("groups", 2)))
        days = pl.date_range(pl.date(2023, 12, 1), pl.date(2024, 4, 28), eager=True)
        loans = two.X.with_columns(day=days, decision=pl.Series(two.y))
        loans.write_csv("loans.csv")
        loans.write_parquet("loans.parquet")
        swapped = {"yes": "no", "no": "yes"}
        loans.with_columns(pl.col("decision").replace(swapped)).write_csv("flipped.csv")
        three.X.with_columns(decision=pl.Series(three.y)).write_csv("three.csv")
        groups.X.with_columns(decision=pl.Series(groups.y)).write_csv("groups.csv")
        later = two.later[:12].with_columns(application=pl.Series([f"A-{row}" for row in range(12)]))
        later.write_csv("new.csv")
        later.with_columns(income=pl.Series(["much", *["40"] * 11])).write_csv("wrong.csv")
        later[:0].select("application").write_csv("empty.csv")
        for name, of in (("model", "two"), ("other", "search"), ("three", "three"), ("bands", "bands")):
            exporting.to_json(source(of).clf, f"{name}.json")
        append_records("decisions.jsonl", made_records("two"))
        for name, text in (("rules", RULES["overlaps"]), ("gaps", RULES["gaps"]), ("policy", POLICY)):
            Path(f"{name}.txt").write_text(text, encoding="utf-8")
        Path("kept.txt").write_text("age alone never decides", encoding="utf-8")
        Path("rules-of-model.txt").write_text("income alone never decides\nif late > 3 then no", encoding="utf-8")
    return Path(folder.name)


class Interrupted(io.TextIOWrapper):
    """Standard input during which the user presses Ctrl-C."""

    @property
    def buffer(self) -> NoReturn:
        raise KeyboardInterrupt


@contextmanager
def streams(**given: object) -> Iterator[dict[str, io.TextIOWrapper]]:
    """Put other standard streams in the place of those of this process."""
    kept = {name: io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for name in ("stdin", "stdout", "stderr")} | given
    with patch.multiple(sys, **kept), patch.dict("os.environ", {"COLUMNS": "100"}):
        yield kept


def run(line: str, **given: object) -> Parts:
    """Run a command in a copy of the folder of files."""
    with TemporaryDirectory() as folder:
        shutil.copytree(files(), folder, dirs_exist_ok=True)
        before = contents(Path(folder))
        with chdir(folder), streams(**given) as kept:
            try:
                code = main(shlex.split(line))
            except SystemExit as end:
                code = end.code
            printed = {name: _printed(kept[name]) for name in ("stdout", "stderr")}
            new = {name: data for name, data in contents(Path()).items() if before.get(name) != data}
    texts = {name: data.decode("utf-8") for name, data in new.items() if name.endswith((".csv", ".json"))}
    tables = [labels for text in [printed["stdout"], *texts.values()] if (labels := labels_of(text))]
    meaning = {"exit code": code, "files": sorted(new), "labels": tables, "figures": figures(printed["stdout"])}
    return Parts(meaning, {**printed, "written": texts})


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _printed(stream: io.TextIOWrapper) -> str:
    if not isinstance(stream.buffer, io.BytesIO):
        return ""
    stream.flush()
    return stream.buffer.getvalue().decode("utf-8")


LABELS = ("predicted", "band", "reason id", "label", "labels", "decision", "reason", "id", "column", "columns")
"""Fields whose texts are labels, names of columns and numbers of reasons, not words of ours."""


def labels_of(text: str) -> list[object]:
    """Return the labels in a table that was written as text.

    >>> labels_of("age,predicted\\n3,yes\\n4,no\\n")
    [['yes'], ['no']]
    """
    rows = list(csv.DictReader(io.StringIO(text)))
    named = [name for name in ("predicted", "band", "reason id") if rows and name in rows[0]]
    return [[row[name] for name in named] for row in rows] if named else []


def figures(text: str) -> object:
    """Return numbers, truths and labels of what was printed as JSON, whole or a line each; null of anything else.

    >>> figures('{"said": "We can.", "rows": 3, "label": "yes"}')
    {'rows': 3, 'label': 'yes'}
    """
    try:
        return _figures(json.loads(text), "")
    except ValueError:
        pass
    try:
        return [_figures(json.loads(line), "") for line in text.splitlines()] or None
    except ValueError:
        return None


def _figures(value: object, name: str) -> object:
    if isinstance(value, Mapping):
        found = {key: _figures(inner, key) for key, inner in value.items()}
        return {key: inner for key, inner in found.items() if inner is not None or value[key] is None}
    if isinstance(value, list):
        return [_figures(inner, name) for inner in value]
    return value if not isinstance(value, str) or name in LABELS else None


def to_full_disk() -> Parts:
    with open("/dev/full", "w", encoding="utf-8") as full:
        return run("predict model.json new.csv", stdout=full)


def from_pipe() -> Parts:
    given = io.TextIOWrapper(io.BytesIO((files() / "new.csv").read_bytes()), encoding="utf-8")
    return run("predict model.json -", stdin=given)


def interrupted() -> Parts:
    return run("predict model.json -", stdin=Interrupted(io.BytesIO()))


def entries() -> Named:
    """Every command, its errors, and its help."""
    yield from ((f"commands/{name}", partial(run, line)) for name, line in COMMANDS.items())
    yield from ((f"help/{name}", partial(run, f"{name} --help")) for name in NAMES)
    yield "help/idnf", partial(run, "--help")
    yield "commands/predict-pipe", from_pipe
    yield "commands/predict-full-disk", to_full_disk
    yield "commands/predict-interrupted", interrupted
