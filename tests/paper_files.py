"""The paper's files, which are not ours to publish: tests that need one say so where it is absent."""

import os
from pathlib import Path

import pytest


def paper_file(name):
    folder = os.environ.get("IDNF_DATA")
    path = Path(folder or ".") / "paper" / f"{name}.dl8"
    if not folder or not path.is_file():
        pytest.skip(f"needs the paper's {name}.dl8 in the folder that IDNF_DATA names")
    return path
