"""Commands stopped at random moments: every file is the older one or a whole new one, and nothing else is left."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import subprocess
import time
import zipfile
from contextlib import suppress
from pathlib import Path

import numpy as np
import polars as pl
from tests.adversary.tally import count

from idnf import DNFClassifier, exporting
from idnf.exporting.edits_json import DroppedLine, Edits, edits_to_plain

OLD = b"what was there before"
FIT = ("fit rows.csv --target y --k 3 --no-tune --effort 0.1 -o fitted.json", "fitted.json")
COMMANDS = (
    FIT,
    ("bands rows.csv --target y --k 2 --effort 0.1 -o bands.json", "bands.json"),
    ("choose rows.csv --target y --folds 2 --plot choose.svg", "choose.svg"),
    ("near-equals rows.csv --target y --k 2 -o near.json", "near.json"),
    ("predict model.json rows.csv -o labels.csv", "labels.csv"),
    ("predict model.json rows.csv -o labels.parquet", "labels.parquet"),
    ("explain model.json rows.csv -o reasons.csv", "reasons.csv"),
    ("export model.json --to sql -o model.sql", "model.sql"),
    ("export model.json --to xlsx -o model.xlsx", "model.xlsx"),
    ("report model.json rows.csv --target y -o report.html --card card.md", "report.html", "card.md"),
    ("report model.json rows.csv --target y -o page.html --pack pack", "page.html", "pack"),
    ("recourse model.json rows.csv --row 3 --json -o recourse.json", "recourse.json"),
    ("check model.json rules.txt rows.csv --target y --rectify obeying.json", "obeying.json"),
    ("diff model.json other.json rows.csv -o difference.txt", "difference.txt"),
    ("retrain model.json rows.csv --target y --folds 0 -o retrained.json", "retrained.json"),
    ("adopt model.json edits.json -o edited.json", "edited.json"),
    ("record model.json rows.csv -o decisions.jsonl", "decisions.jsonl"),
    ("letters kept.jsonl --template letter.txt --outcome yes -o letters", "letters"),
    ("monitor model.json rows.csv --by e -o monitor.html", "monitor.html"),
    ("audit rules.sql --model policy.json", "policy.json"),
)

# In a group of its own, which it names once all is imported.
PROGRAM = """
import os, pathlib, sys
from idnf.cli import main
os.setsid()
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()) + ".")
sys.exit(main(sys.argv[2:]))
"""


def begun(program: Path, named: Path, words: str, folder: Path) -> tuple[subprocess.Popen, int]:
    """Start a command; return it and the number of the process that runs it."""
    named.unlink(missing_ok=True)
    command = [program, "600", PROGRAM, named, *words.split()]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (named.exists() and named.read_text().endswith(".")):
        time.sleep(0.01)
    return process, int(named.read_text()[:-1])


def prepare(folder: Path) -> None:
    """Write what the commands read."""
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 9, (400, 5))
    lines = [",".join(map(str, (*row, "yes" if row[0] * row[1] > 12 else "no"))) for row in rows]
    (folder / "rows.csv").write_text("a,b,c,d,e,y\n" + "\n".join(lines) + "\n", encoding="utf-8")
    (folder / "rules.txt").write_text("if a > 6 and b > 6 then yes\nno row with a < 1 is yes\n", encoding="utf-8")
    (folder / "rules.sql").write_text("CASE WHEN a > 3 AND b > 3 THEN 'yes' ELSE 'no' END\n", encoding="utf-8")
    (folder / "letter.txt").write_text("{{decision}}\n{{reasons}}\nThe end\n", encoding="utf-8")


def prepare_model(folder: Path) -> None:
    """Write what is made of a model: another one, edits of it, and records."""
    model = exporting.from_json(folder / "model.json")
    other = DNFClassifier.from_dnf("'a <= 3'", columns={"a": [3]}, classes=("no", "yes"))
    exporting.to_json(other, folder / "other.json")
    edits = Edits(exporting.model_hash(model), 1, "", "2026-01-02T10:00:00Z", (DroppedLine(1, ""),))
    (folder / "edits.json").write_text(json.dumps(edits_to_plain(edits)), encoding="utf-8")


def contents(path: Path) -> dict[str, bytes]:
    """The files at a path or below it, by name."""
    if path.is_dir():
        return {one.name: one.read_bytes() for one in sorted(path.iterdir())}
    return {path.name: path.read_bytes()} if path.exists() else {}


def is_whole(name: str, found: bytes, reference: dict[str, bytes]) -> bool:
    """Whether a file is a whole one such as the command writes if nobody stops it."""
    if name.endswith(".xlsx"):
        return zipfile.ZipFile(io.BytesIO(found)).testzip() is None
    if name.endswith(".parquet"):
        return pl.read_parquet(io.BytesIO(found)).equals(pl.read_parquet(io.BytesIO(reference[name])))
    if name.endswith(".jsonl"):
        records = [json.loads(line) for line in found.splitlines()]
        return found.endswith(b"\n") and len(records) <= len(reference[name].splitlines())
    if name.endswith((".html", ".md")):  # they have a date
        return found.splitlines()[-1] == reference[name].splitlines()[-1]
    return found == reference[name]


def test_a_command_stopped_at_any_moment_loses_nothing(rounds, tmp_path: Path, command: Path) -> None:
    folder, program, named = tmp_path / "folder", command / "program", tmp_path / "named"
    folder.mkdir()
    prepare(folder)
    durations: dict[str, float] = {}
    references: dict[str, dict[str, bytes]] = {}
    moments = rounds(2, 300)
    run = {number: FIT if number % 4 == 0 else random.Random(number).choice(COMMANDS) for number in moments}
    needed = [("fit rows.csv --target y --k 3 --no-tune --effort 0.1 -o model.json", "model.json")]
    needed += [("record model.json rows.csv -o kept.jsonl", "kept.jsonl")]
    for words, *outputs in dict.fromkeys([*needed, *run.values()]):
        began = time.monotonic()
        process, _ = begun(program, named, words, folder)
        assert process.wait(timeout=120) in (0, 1), words
        durations[words] = time.monotonic() - began
        for output in outputs:
            references[output] = contents(folder / output)
            assert references[output], words
        if outputs == ["model.json"]:
            prepare_model(folder)
    given = sorted(folder.iterdir())
    for number, (words, *outputs) in run.items():
        rng = random.Random(number)
        older = {name: contents(folder / name) for name in outputs}
        for name in outputs if rng.random() < 0.5 else ():
            if (folder / name).is_file() and not name.endswith(".jsonl"):
                (folder / name).write_bytes(OLD)
                older[name] = {name: OLD}
        process, running = begun(program, named, words, folder)
        time.sleep(rng.uniform(0, 1.1 * durations[words]))
        kind = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
        with suppress(ProcessLookupError):
            os.kill(running, kind)
        code = process.wait(timeout=60)
        assert code in (0, 1, 130, 128 + kind), (number, words, kind, code)
        for output in outputs:
            for name, found in contents(folder / output).items():
                assert found == older[output].get(name) or is_whole(name, found, references[output]), (number, words)
        left = [path for path in sorted(folder.iterdir()) if path not in given]
        # What is killed while it joins the parts of a table leaves them to the next command that writes there.
        killed = kind == signal.SIGKILL and words.endswith(".parquet")
        assert not left or (killed and all(path.name.startswith(".idnf.") for path in left)), (number, words, left)
        assert not group_alive(running), "no worker stays"
        count(f"commands stopped at random moments: {kind.name}")


def group_alive(group: int) -> bool:
    for _ in range(50):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.1)
    return True
