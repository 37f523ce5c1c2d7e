"""Every learner, family and option has a model after a second, on tables that are hard on loops and on memory."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.awkward_fits import FAMILIES, LEARNERS, OPTIONS, TABLES, few

MEMORY = 2048
"""MiB beyond what there is once everything is imported."""

ALL = [pytest.param(["--part", f"{part}/10"], marks=pytest.mark.slow) for part in range(10)]


def test_the_gate_tries_all_learners_families_options_and_tables() -> None:
    tried = list(zip(*few()))
    assert list(map(set, tried[:4])) == list(map(set, (TABLES, LEARNERS, FAMILIES, OPTIONS)))


@pytest.mark.parametrize("words", [[], *ALL])
def test_models_are_there_in_time_and_in_little_memory(words: list[str]) -> None:
    command = [sys.executable, "-m", "tests.awkward_fits", "--memory", str(MEMORY), *words]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    wrong = [line for line in done.stdout.splitlines() if "WRONG" in line]
    assert (wrong, done.returncode) == ([], 0), done.stderr
