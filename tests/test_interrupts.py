"""What a command leaves behind when it is stopped, and how soon it stops."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 50, (3000, 12))
    labels = (rows[:, 0] * rows[:, 1] + rows[:, 2] > 700) ^ (rng.random(3000) < 0.2)
    lines = [",".join(map(str, (*row, int(label)))) for row, label in zip(rows, labels)]
    path = tmp_path / "rows.csv"
    path.write_text(",".join(f"x{j}" for j in range(12)) + ",y\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("sent", "tuning"),
    [(signal.SIGINT, ["--no-tune"]), (signal.SIGTERM, [])],
    ids=["interrupt", "terminate while tuning"],
)
def test_a_stopped_fit_leaves_the_older_model(table, sent, tuning):
    model = table.parent / "model.json"
    model.write_text("older", encoding="utf-8")
    command = [sys.executable, "-u", "-c", _ANNOUNCED, "fit", table, "--target", "y", "--k", "4", "-o", model]
    command += ["--effort", "100", "--jobs", "2", *tuning]
    process = subprocess.Popen(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "learning\n"
    time.sleep(0.5)
    process.send_signal(sent)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.endswith("idnf: interrupted; no file was changed.\n")
    assert model.read_text(encoding="utf-8") == "older"
    assert sorted(path.name for path in table.parent.iterdir()) == ["model.json", "rows.csv"]
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


# Says when learning has begun, in tuning and then in the search itself.
_ANNOUNCED = """
import sys
from idnf.cli import main
from idnf.learning import recounting
begin = recounting.learn_by_search
def told(*arguments, **options):
    print("learning")
    return begin(*arguments, **options)
recounting.learn_by_search = told
sys.exit(main(sys.argv[1:]))
"""
