"""From a model and a table to records, letters, corrections and the folder for validators, by commands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from idnf import DNFClassifier, exporting
from idnf.cli import main


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    policy = DNFClassifier.from_dnf("late | owner & member", classes=("yes", "no"), target="loan")
    exporting.to_json(policy, "model.json")
    exporting.to_json(DNFClassifier.from_dnf("savings", classes=("yes", "no")), "other.json")
    rows = pd.DataFrame(
        {
            "application": ["A-1", "A-2", "A-3", "A-4"],
            "name": ["Ann", "Bo", "Cy", "Di"],
            "late": ["true", "false", "true", ""],
            "owner": ["true", "true", "false", "true"],
            "member": ["true", "false", "false", "true"],
            "savings": ["true", "false", "false", "false"],
            "loan": ["no", "yes", "no", "no"],
            "blank": ["x", "", "y", "z"],
        }
    )
    rows.to_csv("rows.csv", index=False)
    return tmp_path


def run(*words):
    return main([str(word) for word in words])


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_records_letters_and_a_correction(folder, capsys):
    options = ["--id", "application", "--keep", "name", "--alternative", "other.json"]
    assert run("record", "model.json", "rows.csv", *options) == 0
    made = lines(folder / "decisions.jsonl")
    assert [(one["id"], one["decision"], one["about"]["name"]) for one in made] == [
        ("A-1", "no", "Ann"),
        ("A-2", "yes", "Bo"),
        ("A-3", "no", "Cy"),
    ]
    assert [one["alternatives"][0]["decision"] for one in made] == ["no", "yes", "yes"]
    said = capsys.readouterr().err
    assert "1 of 4 rows has no answer" in said
    assert "3 records added to decisions.jsonl" in said
    assert run("record", "model.json", "rows.csv", *options) == 0
    assert "0 records added to decisions.jsonl; 3 were there already" in capsys.readouterr().err
    assert run("record", "model.json", "--correct", "decisions.jsonl", "A-3", "late=false") == 0
    assert capsys.readouterr().out.startswith("With the correction the decision is yes; it was no.\nLoan: yes, because")
    fields = [
        "--field",
        "sender=The Bank",
        "--field",
        "contact=call us",
        "--field",
        "regulator=the Bureau",
        "--field",
        "credit_bureau=",
    ]
    fields += ["--model", "model.json"]
    assert run("letters", "decisions.jsonl", "--template", "credit-denial", "--outcome", "no", *fields) == 0
    assert "1 letter written to letters" in capsys.readouterr().err
    (folder / "none.jsonl").touch()
    assert run("letters", "none.jsonl", "--template", "credit-denial", "--outcome", "no", *fields) == 2
    assert "records must hold a decision; got none in none.jsonl." in capsys.readouterr().err
    assert [path.name for path in (folder / "letters").iterdir()] == ["A-1.md"]
    fields[-1] = "other.json"
    assert run("letters", "decisions.jsonl", "--template", "credit-denial", "--outcome", "no", *fields) == 2
    assert "--model must be the one that decided, of SHA-256" in capsys.readouterr().err
    assert run("export", "--checker", "-o", "check.py") == 0
    checked = subprocess.run(
        [sys.executable, "-I", "check.py", "decisions.jsonl", "model.json", "other.json"],
        capture_output=True,
        text=True,
    )
    assert checked.stdout == "4 of 4 decisions follow from the model. Their sentences were not read.\n"


def test_rows_are_called_by_their_number(folder):
    assert run("record", "model.json", "rows.csv", "-o", "out.jsonl") == 0
    assert [one["id"] for one in lines(folder / "out.jsonl")] == ["1", "2", "3"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["record", "model.json"], "record must have a table of rows, or --correct; got neither."),
        (["record", "model.json", "rows.csv", "--id", "x"], "--id must name a column (application, name, late"),
        (["record", "model.json", "rows.csv", "--id", "late"], "got 'true' in rows 1 and 3 of late. Leave it out to"),
        (["record", "model.json", "rows.csv", "--id", "blank"], "different value in every row; got none in row 2."),
        (
            ["record", "model.json", "--correct", "decisions.jsonl", "A-1"],
            "--correct must be a file, an identifier and COLUMN=VALUE",
        ),
        (["record", "model.json", "rows.csv", "-o", "rows.csv"], "--output must not be a file that is read"),
        (["export", "model.json"], "export must have a model file and --to; got only one of them, or neither."),
        (["export", "--checker", "--to", "sql"], "--to must be python or javascript with --checker; got sql."),
    ],
)
def test_commands_are_refused(capsys, words, message):
    assert run(*words) == 2
    assert message in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_letters_are_refused(capsys):
    assert run("record", "model.json", "rows.csv") == 0
    letter = ["letters", "decisions.jsonl", "--template", "benefit"]
    assert run(*letter, "--outcome", "no", "--field", "sender") == 2
    assert "--field must be NAME=TEXT; got sender." in capsys.readouterr().err
    assert run(*letter, "--outcome", "perhaps") == 2
    assert "--outcome must be" in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_workbook():
    assert run("export", "model.json", "--to", "xlsx", "-o", "model.xlsx") == 0
    assert openpyxl.load_workbook("model.xlsx").sheetnames == ["Cases", "Reasons", "Cuts"]


def test_the_folder_for_validators_checks_itself(folder):
    pd.read_csv("rows.csv").dropna(subset="late").to_csv("known.csv", index=False)
    assert run("report", "model.json", "known.csv", "--target", "loan", "-o", "page.html", "--pack", "pack") == 0
    names = ["README.md", "card.md", "check_decisions.js", "check_decisions.py", "decisions.jsonl", "model.json"]
    assert sorted(path.name for path in (folder / "pack").iterdir()) == [*names, "model.xlsx", "report.html"]
    assert (folder / "pack" / "card.md").read_text("utf-8").startswith("# Model card\n")
    text = (folder / "pack" / "README.md").read_text("utf-8")
    commands = [line.split() for line in text.splitlines() if line.startswith("    ")]
    assert [command[0] for command in commands] == ["python", "node"]
    for command in commands:
        program = [sys.executable] if command[0] == "python" else ["node"]
        done = subprocess.run([*program, *command[1:]], cwd=folder / "pack", capture_output=True, text=True)
        assert done.stdout == "3 of 3 decisions follow from the model. Their sentences were not read.\n"


@pytest.mark.usefixtures("folder")
def test_a_folder_with_other_files_is_no_folder_for_validators(capsys):
    pd.read_csv("rows.csv").dropna(subset="late").to_csv("known.csv", index=False)
    assert run("record", "model.json", "known.csv") == 0
    kept = Path("decisions.jsonl").read_bytes()
    report = ["report", "model.json", "known.csv", "--target", "loan", "-o", "page.html", "--pack"]
    assert run(*report, ".") == 2
    said = "--pack must be a new folder, or one that it wrote; got ., which has decisions.jsonl. Name another folder."
    assert said in capsys.readouterr().err
    assert Path("decisions.jsonl").read_bytes() == kept
    assert [run(*report, "pack"), run(*report, "pack")] == [0, 0]


def test_periods_may_be_a_column_that_the_model_looks_at(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = pd.DataFrame({"year": [2023, 2024, 2025] * 20, "loan": ["no", "no", "yes"] * 20})
    rows.to_csv("rows.csv", index=False)
    assert run("fit", "rows.csv", "--target", "loan", "--k", "1", "--learner", "greedy", "-q") == 0
    capsys.readouterr()
    assert run("monitor", "model.json", "rows.csv", "--by", "year") == 0
    assert [line[:13] for line in capsys.readouterr().out.splitlines() if "rows" in line] == [
        f"{year}: 20 rows" for year in (2023, 2024, 2025)
    ]


def test_letters_are_for_all_but_the_favourable_outcome_of_the_model(folder, capsys):
    policy = DNFClassifier.from_dnf("late | owner & member", classes=("yes", "no"), target="loan", favourable="yes")
    exporting.to_json(policy, "model.json")
    assert run("record", "model.json", "rows.csv", "--id", "application") == 0
    letter = ["letters", "decisions.jsonl", "--template", "benefit", "--field", "sender=x", "--field", "contact=x"]
    capsys.readouterr()
    assert run(*letter) == 2
    assert "--outcome must be one of no, yes; got none." in capsys.readouterr().err
    assert run(*letter, "--model", "model.json") == 0
    refused = {one["id"] for one in lines(folder / "decisions.jsonl") if one["decision"] == "no"}
    assert {path.stem for path in (folder / "letters").iterdir()} == refused
