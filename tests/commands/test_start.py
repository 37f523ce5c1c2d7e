"""Commands that read a model import what reads it: neither scikit-learn nor a learner, which take longer to load."""

from __future__ import annotations

import subprocess
import sys

import pytest

from idnf import DNFBands, DNFClassifier, exporting
from idnf.commands.registry import COMMANDS
from idnf.datasets.loans import loan_table

RUN = """
import sys
from idnf.cli import main
code = main()
print(code, *sys.modules, file=sys.stderr)
"""
NEVER = {"sklearn", "scipy", "joblib", "pandas", "pyarrow"}
LEARNERS = (
    "idnf.learning.dispatch",
    "idnf.learning.local",
    "idnf.learning.path",
    "idnf.learning.chain",
    "idnf.choosing.",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("start")
    table = loan_table(200, random_state=0)
    frame = table.to_polars().drop("employed")
    labels = table.approved
    frame.write_csv(place / "loans.csv")
    exporting.to_json(DNFClassifier(2, learner="greedy").fit(frame, labels), place / "model.json")
    exporting.to_json(DNFBands(2, boundaries=[0.5], effort=0.01).fit(frame, labels), place / "bands.json")
    (place / "letter.txt").write_text("Dear Sir or Madam,\n{decision}\n", encoding="utf-8")
    return place


ASKED = {
    "predict": "model.json loans.csv",
    "export": "model.json --to sql",
    "explain": "model.json loans.csv",
    "recourse": "model.json loans.csv --row 1",
    "verify": "model.json",
    "diff": "model.json model.json",
    "record": "model.json loans.csv -o decisions.jsonl",
    "letters": "decisions.jsonl --template letter.txt --outcome False -o letters",
}


def imported(folder, *words):
    """The modules that a command imports in a process of its own."""
    asked = [sys.executable, "-c", RUN, *words]
    done = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=True)
    code, *modules = done.stderr.splitlines()[-1].split()
    assert code == "0", done.stderr
    return modules


def heavy(modules):
    return [name for name in modules if name.split(".")[0] in NEVER or name.startswith(LEARNERS)]


def test_every_command_that_only_reads_is_tried():
    assert set(ASKED) == {command.name for command in COMMANDS if command.reads_only}


def test_commands_that_read_a_model_import_no_learner(folder):
    for name, words in ASKED.items():
        assert not heavy(imported(folder, name, *words.split())), name


@pytest.mark.parametrize("name", ["predict", "explain", "verify", "export"])
def test_nor_do_those_that_read_bands(folder, name):
    words = ASKED[name].replace("model", "bands")
    assert not heavy(imported(folder, name, *words.split()))
