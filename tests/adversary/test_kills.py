"""Commands killed at random moments: the older file or a whole new one, and nothing else is left."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
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


def run(*arguments: object) -> subprocess.Popen:
    command = [sys.executable, "-m", "idnf.cli", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def test_a_kill_at_any_moment_loses_nothing(rounds, tmp_path: Path) -> None:
    table = written_table(tmp_path)
    model, report, answers = tmp_path / "model.json", tmp_path / "report.html", tmp_path / "answers.csv"
    fit = ["fit", table, "--target", "y", "--k", "3", "--no-tune", "-o", model]
    began = time.monotonic()
    assert run(*fit).wait() == 0
    longest = time.monotonic() - began
    older = json.loads(model.read_text(encoding="utf-8"))
    commands = [fit, ["report", model, table, "--target", "y", "-o", report], ["explain", model, table, "-o", answers]]
    for number in rounds(1, 90):
        command, rng = commands[number % 3], random.Random(number)
        process = run(*command)
        time.sleep(rng.uniform(0, 1.1 * longest))
        sent = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
        process.send_signal(sent)
        process.wait(timeout=60)
        assert json.loads(model.read_text(encoding="utf-8")) == older
        exporting.from_json(model)
        if report.exists():
            assert report.read_text(encoding="utf-8").rstrip().endswith("</html>")
        if answers.exists():
            assert len(answers.read_text(encoding="utf-8").splitlines()) == 401
        left = {path.name for path in tmp_path.iterdir()} - {"rows.csv", "model.json", "report.html", "answers.csv"}
        assert not left, "no half-written file stays"
        assert not group_alive(process.pid), "no worker stays"
        count("commands killed at random moments")


def group_alive(group: int) -> bool:
    for _ in range(50):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return False
        time.sleep(0.1)
    return True
