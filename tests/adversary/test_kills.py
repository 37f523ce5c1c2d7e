"""Commands killed at random moments: the older file or a whole new one, and nothing else is left."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
from tests.adversary.tally import count

from idnf import exporting


def written_table(folder: Path) -> Path:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 9, (400, 5))
    lines = [",".join(map(str, (*row, "yes" if row[0] * row[1] > 12 else "no"))) for row in rows]
    path = folder / "rows.csv"
    path.write_text("a,b,c,d,e,y\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


# In a group of its own, which it names once all is imported.
PROGRAM = """
import os, pathlib, sys
from idnf.cli import main
os.setsid()
pathlib.Path(sys.argv[1]).write_text(str(os.getpid()) + ".")
sys.exit(main(sys.argv[2:]))
"""


def begun(program: Path, named: Path, *arguments: object) -> tuple[subprocess.Popen, int]:
    """Start a command; return it and the number of the process that runs it."""
    named.unlink(missing_ok=True)
    command = [program, "600", PROGRAM, named, *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (named.exists() and named.read_text().endswith(".")):
        time.sleep(0.01)
    return process, int(named.read_text()[:-1])


def test_a_kill_at_any_moment_loses_nothing(rounds, tmp_path: Path, command: Path) -> None:
    folder, program, named = tmp_path / "folder", command / "program", tmp_path / "named"
    folder.mkdir()
    table = written_table(folder)
    model, report, answers = folder / "model.json", folder / "report.html", folder / "answers.csv"
    fit = ["fit", table, "--target", "y", "--k", "3", "--no-tune", "-o", model]
    began = time.monotonic()
    assert begun(program, named, *fit)[0].wait() == 0
    longest = time.monotonic() - began
    older = json.loads(model.read_text(encoding="utf-8"))
    commands = [fit, ["report", model, table, "--target", "y", "-o", report], ["explain", model, table, "-o", answers]]
    for number in rounds(3, 90):
        rng = random.Random(number)
        process, running = begun(program, named, *commands[number % 3])
        time.sleep(rng.uniform(0, 1.1 * longest))
        with suppress(ProcessLookupError):
            os.kill(running, rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL]))
        process.wait(timeout=60)
        assert json.loads(model.read_text(encoding="utf-8")) == older
        exporting.from_json(model)
        if report.exists():
            assert report.read_text(encoding="utf-8").rstrip().endswith("</html>")
        if answers.exists():
            assert len(answers.read_text(encoding="utf-8").splitlines()) == 401
        left = {path.name for path in folder.iterdir()} - {"rows.csv", "model.json", "report.html", "answers.csv"}
        assert not left, "no half-written file stays"
        assert not group_alive(running), "no worker stays"
        count("commands killed at random moments")


def group_alive(group: int) -> bool:
    for _ in range(50):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.1)
    return True
