"""The demo runs on the core alone and fits on one screen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import idnf

CORE = ("numpy", "scipy", "scikit-learn", "narwhals", "joblib", "threadpoolctl", "idnf")
JOBLIB = ("cloudpickle", "loky")
"""What some releases of joblib do not carry with them."""


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the packages of a core install and no others."""
    folder = tmp_path_factory.mktemp("core")
    place = Path(np.__file__).parent.parent
    for name in [*CORE, *(name for name in JOBLIB if find_spec(name) is not None)]:
        tops = {path.parts[0] for path in distribution(name).files or () if path.parts[0] != ".."}
        for top in tops - {"__pycache__"}:
            if (place / top).exists() and not top.endswith(".pth"):
                (folder / top).symlink_to(place / top)
    (folder / "idnf").unlink(missing_ok=True)
    (folder / "idnf").symlink_to(Path(idnf.__file__).parent)
    return folder


PROGRAM = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from idnf.cli import main
ended = []
for words in json.loads(sys.argv[1]):
    with redirect_stdout(io.StringIO()) as said, redirect_stderr(io.StringIO()) as remarked:
        code = main(words)
    ended.append((code, said.getvalue(), remarked.getvalue()))
print(json.dumps(ended))
"""


def run(core: Path, where: Path, *commands: list[str]) -> list[tuple[int, str, str]]:
    """Run commands one after another in a process that has the core alone: their codes, output and remarks."""
    command = [sys.executable, "-S", "-c", PROGRAM, json.dumps(commands)]
    environment = {**os.environ, "PYTHONPATH": str(core), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return [tuple(one) for one in json.loads(done.stdout)]


def test_the_core_alone_runs_the_demo_in_one_screen_and_names_missing_extras(core: Path, tmp_path: Path) -> None:
    export = ["export", "out/model.json", "--to", "onnx", "-o", "model.onnx"]
    demo, table, onnx = run(core, tmp_path, ["demo", "--output", "out"], ["fit", "t.csv", "--target", "y"], export)
    assert (demo[0], demo[2]) == (0, "")
    assert len(demo[1].splitlines()) <= 24
    for words in ("Breast cancer", "malignant", "because", "Proved", "written"):
        assert words in demo[1]
    assert (tmp_path / "out" / "report.html").exists()
    assert table == (2, "", "idnf: reading tables on the command line needs polars: pip install 'idnf[cli]'\n")
    assert onnx == (2, "", "idnf: the onnx export needs onnx: pip install 'idnf[onnx]'\n")
