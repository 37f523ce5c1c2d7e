"""The demo runs on the core alone and fits on one screen."""

from __future__ import annotations

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


def run(core: Path, where: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-S", "-m", "idnf.cli", *words]
    environment = {**os.environ, "PYTHONPATH": str(core), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, check=False)


def test_the_core_alone_runs_the_demo_in_one_screen_and_names_missing_extras(core: Path, tmp_path: Path) -> None:
    done = run(core, tmp_path, "demo", "--output", "out")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) <= 24
    for words in ("Breast cancer", "malignant", "because", "For diagnosis to be benign", "Proved", "written"):
        assert words in done.stdout
    assert (tmp_path / "out" / "report.html").exists()

    table = run(core, tmp_path, "fit", "t.csv", "--target", "y")
    assert (table.returncode, table.stdout) == (2, "")
    assert table.stderr == "idnf: reading tables on the command line needs polars: pip install 'idnf[cli]'\n"
    onnx = run(core, tmp_path, "export", "out/model.json", "--to", "onnx", "-o", "model.onnx")
    assert onnx.returncode == 2
    assert onnx.stderr == "idnf: the onnx export needs onnx: pip install 'idnf[onnx]'\n"
