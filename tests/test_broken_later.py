"""What broke later, the smallest case of each, through the public interface alone: every test fails at 7426759."""

from __future__ import annotations

import resource
import subprocess
import sys

import numpy as np

ROWS = 60
LABELS = np.array(["yes" if row > 30 else "no" for row in range(ROWS)])


def ended(program: str, *words: str, seconds: int = 20) -> subprocess.CompletedProcess[str]:
    """Run a program of Python that may take so many seconds of the processor, whatever else runs beside it."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    command = [sys.executable, "-c", program, *words]
    return subprocess.run(command, check=False, preexec_fn=limit, capture_output=True, text=True)


def test_padded_cells_are_refused_at_once() -> None:
    program = """
import pandas as pd, idnf
clf = idnf.DNFClassifier.from_dnf("'age <= 40'", columns={"age": [40]})
for text in ("1" + " " * 400 + "!", "(" + " " * 400 + "x", "1" * 400_000 + "x"):
    try:
        clf.predict(pd.DataFrame({"age": ["12", text]}))
    except ValueError as error:
        print(str(error)[:30])
"""
    assert ended(program).stdout.splitlines() == ["column 'age' must hold numbers"] * 3
