"""Every command as a user runs it: what it prints, what it writes, how it fails."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.exporting.cases import HOSTILE

from idnf import DNFClassifier, exporting
from idnf.cli import main
from idnf.commands import table_files
from idnf.datasets.loans import loan_table


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a loan table as CSV and Parquet, and a model of each."""
    folder = tmp_path_factory.mktemp("loans")
    loans = loan_table(600)
    table = loans.to_polars().with_columns(approved=pl.Series(np.where(loans.approved, "yes", "no")))
    table.write_parquet(folder / "loans.parquet")
    days = pl.col("employed").dt.total_days().alias("employed_days")
    table.with_columns(days).drop("employed").write_csv(folder / "loans.csv", null_value="NA")
    for name, model in (("loans.csv", "model.json"), ("loans.parquet", "whole.json")):
        learn = ("--target", "approved", "--learner", "greedy", "--quiet", "-o", folder / model)
        assert run("fit", folder / name, *learn) == 0
    return folder


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def read_text(path: Path) -> pl.DataFrame:
    """Return a table with every value as it is written."""
    return pl.read_csv(path, infer_schema=False)


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def process(*words: object, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False, **options)


def test_fit_prints_the_model_and_what_was_measured(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = folder / "other.json"
    learn = ("--target", "approved", "--learner", "greedy", "--family", "nested")
    assert run("fit", folder / "loans.csv", *learn, "-o", model) == 0
    printed, remarks = capsys.readouterr()
    assert printed.startswith("Every decision has a reason of at most 3 conditions.\n\napproved is no if\n")
    assert "\napproved is yes otherwise. There are " in printed
    assert "accuracy on 150 rows held out: " in printed
    assert remarks == f"written to {model}\n"  # yes says yes: nothing to remark


def test_the_positive_label_can_be_turned_round(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learn = ("--target", "approved", "--learner", "greedy", "--family", "nested", "--monotone", "income=-1")
    learn = (*learn, "-o", folder / "other.json")
    assert run("fit", folder / "loans.csv", *learn, "--positive", "no") == 0
    printed = capsys.readouterr().out
    assert printed.split("\n")[2] == "approved is no if"
    assert "income <=" in printed.split("is yes if")[0]  # "no" becomes likelier as the income shrinks
    assert run("fit", folder / "loans.csv", *learn, "--positive", "maybe") == 2
    assert "--positive must be one of no, yes; got maybe." in capsys.readouterr().err


def test_fit_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learn = ("--target", "approved", "--learner", "greedy", "--k", 2, "--test-size", 0, "--json")
    assert run("fit", folder / "loans.csv", *learn, "-o", folder / "other.json") == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["k"], found["labels"], found["positive"]) == (2, ["no", "yes"], "yes")
    assert (found["train_rows"], found["test_accuracy"]) == (600, None)


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_fit_where_the_table_is(folder: Path, engine: str, capsys: pytest.CaptureFixture[str]) -> None:
    parts = folder / engine
    parts.mkdir()
    table = pl.read_parquet(folder / "loans.parquet").drop("education", "employed")
    table[:300].write_parquet(parts / "a.parquet")
    table[300:].write_parquet(parts / "b.parquet")
    learn = ("--target", "approved", "--engine", engine, "--learner", "greedy", "--ignore", "amount")
    assert run("fit", parts / "a.parquet", parts / "b.parquet", *learn, "-o", parts / "model.json") == 0
    assert "accuracy on the training rows: " in capsys.readouterr().out
    model = exporting.from_json(parts / "model.json")
    assert "amount" not in model.binariser_.input_names
    assert model.score(table, table["approved"].to_numpy()) > 0.85


def test_predict_keeps_the_table_as_it_is_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("predict", folder / "model.json", folder / "loans.csv", "--proba") == 0
    found = rows_of(capsys.readouterr().out)
    given = rows_of((folder / "loans.csv").read_text("utf-8"))
    assert [{name: row[name] for name in given[0]} for row in found] == given
    model = exporting.from_json(folder / "model.json")
    table = read_text(folder / "loans.csv")
    assert [row["predicted"] for row in found] == model.predict(table).tolist()
    shares = [[float(row["share of no"]), float(row["share of yes"])] for row in found]
    assert shares == model.predict_proba(table).tolist()


def test_explain_says_what_the_classifier_says(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    expected = exporting.from_json(folder / "model.json").explain(read_text(folder / "loans.csv"))
    assert run("explain", folder / "model.json", folder / "loans.csv") == 0
    found = rows_of(capsys.readouterr().out)
    assert [row["reason id"] for row in found] == [one.reason for one in expected]
    for row, one in zip(found, expected, strict=True):
        assert row["predicted"] == one.label
        assert all(condition.words in row["reason"] for condition in one.axp)
        assert all(condition.words in row["changes if"] for condition in one.cxp)
    assert run("explain", folder / "model.json", folder / "loans.csv", "--text") == 0
    assert capsys.readouterr().out.splitlines() == [one.to_text() for one in expected]
    assert run("explain", folder / "model.json", folder / "loans.csv", "--json") == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [one.to_dict() for one in expected]


def test_parts_of_a_table_are_joined_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("predict", "explain"):
        run(command, folder / "model.json", folder / "loans.csv")
        whole = capsys.readouterr().out
        monkeypatch.setattr(table_files, "BATCH", 7)
        assert run(command, folder / "model.json", folder / "loans.csv") == 0
        assert capsys.readouterr().out == whole


def test_parquet_in_and_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = pl.read_parquet(folder / "loans.parquet")
    for command in ("predict", "explain"):
        target = folder / f"{command}.parquet"
        assert run(command, folder / "whole.json", folder / "loans.parquet", "-o", target) == 0
        found = pl.read_parquet(target)
        assert found.select(table.columns).equals(table)
        assert found["predicted"].to_list() == exporting.from_json(folder / "whole.json").predict(table).tolist()
    assert run("predict", folder / "whole.json", folder / "loans.parquet", "-o", folder / "text.csv") == 0
    assert run("predict", folder / "whole.json", folder / "text.csv") == 0  # durations as seconds, dates as text
    again = rows_of(capsys.readouterr().out)
    assert [row["idnf predicted"] for row in again] == [row["predicted"] for row in again]


def test_standard_input_and_output(folder: Path, command: Path) -> None:
    text = (folder / "loans.csv").read_text("utf-8")
    done = process(command / "idnf", "predict", folder / "model.json", "-", input=text)
    assert done.returncode == 0
    assert len(rows_of(done.stdout)) == 600
    assert done.stderr == ""


def test_a_table_without_rows_gives_a_table_without_rows(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = (folder / "loans.csv").read_text("utf-8").split("\n")[0]
    (folder / "none.csv").write_text(header + "\n")
    assert run("explain", folder / "model.json", folder / "none.csv") == 0
    assert capsys.readouterr().out == header + ",predicted,reason,reason id,changes if\n"
    assert run("explain", folder / "model.json", folder / "none.csv", "--json") == 0
    assert capsys.readouterr().out == ""


def test_recourse_and_its_proof_that_there_is_none(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask = ("recourse", folder / "model.json", folder / "loans.csv", "--row", 3)
    assert run(*ask, "--json") == 0
    model = exporting.from_json(folder / "model.json")
    (given,) = model.predict(read_text(folder / "loans.csv")[2])
    assert {given, json.loads(capsys.readouterr().out)["changes"][0]["label"]} == {"no", "yes"}
    names = model.binariser_.input_names
    assert run(*ask, *(word for name in names for word in ("--immutable", name))) == 1
    assert run(*ask[:3], "--row", 0) == 2
    assert "--row must be a row of the table, 1 to 600; got 0." in capsys.readouterr().err


def test_verify_and_export(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("verify", folder / "model.json") == 0
    assert capsys.readouterr().out.startswith("Proved over all rows: yes (")
    assert run("verify", folder / "model.json", "--json") == 0
    assert json.loads(capsys.readouterr().out)["holds"] is True
    assert run("export", folder / "model.json", "--to", "python", "-o", folder / "model.py") == 0
    compile((folder / "model.py").read_text("utf-8"), "model.py", "exec")
    assert run("export", folder / "model.json", "--to", "sql", "--dialect", "sqlite") == 0
    assert "CASE" in capsys.readouterr().out
    assert run("export", folder / "model.json", "--to", "sql", "--table", "loans", "--proba") == 0
    assert ' AS "probability"' in capsys.readouterr().out


def test_a_model_that_breaks_its_promise_is_refuted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    policy = DNFClassifier.from_dnf("a & b | c", classes=("no", "yes"))
    exporting.to_json(policy, tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text())
    assert document["model"]["negative"].pop() is not None
    (tmp_path / "model.json").write_text(json.dumps(document))
    assert run("verify", tmp_path / "model.json") == 1
    assert capsys.readouterr().out.startswith("Refuted: ")
    assert run("verify", tmp_path / "model.json", "--json") == 1
    assert json.loads(capsys.readouterr().out)["holds"] is False


def test_a_report_with_figures_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = folder / "report.html"
    lines = (folder / "loans.csv").read_text("utf-8").splitlines(keepends=True)
    (folder / "some.csv").write_text("".join(lines[:201]), "utf-8")
    ask = ("report", folder / "model.json", folder / "some.csv", "--target", "approved", "-o", page)
    assert run(*ask, "--subgroup", "region", "--title", "Loans", "--near-equals", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rows"] == 200
    assert sum(sum(row) for row in found["confusion"]) == 200
    assert {group["name"] for group in found["subgroups"]} > {"Zürich", "missing"}
    text = page.read_text("utf-8")
    assert "<title>Loans</title>" in text
    assert "difference between groups" in text


def test_hostile_names_and_categories_come_through(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(0)
    chosen, count = rng.integers(0, len(HOSTILE), 400), rng.integers(0, 9, 400)
    names = ['dish "</script>"\n\u202e', "'; DROP TABLE x; --", "</td>\U0001f600"]
    labels = np.array(["no </b>", 'yes, "sure"\n'])[((chosen % 3 == 0) | (count > 6)).astype(int)]
    table = pl.DataFrame({names[0]: [HOSTILE[i] for i in chosen], names[1]: count, names[2]: labels})
    table.write_csv(tmp_path / "hostile.csv")
    model = tmp_path / "model.json"
    ask = ("--target", names[2], "--learner", "greedy", "-o", model)
    assert run("fit", tmp_path / "hostile.csv", *ask) == 0
    classifier = exporting.from_json(model)
    assert list(classifier.binariser_.input_names) == names[:2]
    # Blanks around a text do not count.
    assert sorted(classifier.classes_.tolist()) == ["no </b>", 'yes, "sure"']
    capsys.readouterr()
    assert run("explain", model, tmp_path / "hostile.csv") == 0
    found = rows_of(capsys.readouterr().out)
    assert [row[names[0]] for row in found] == [HOSTILE[i] for i in chosen]
    assert [row["predicted"] for row in found] == classifier.predict(table).tolist()
    assert run("report", model, tmp_path / "hostile.csv", "--target", names[2], "-o", tmp_path / "report.html") == 0
    text = (tmp_path / "report.html").read_text("utf-8")
    assert text.count("</script>") == 2
    assert "<b>" not in text


BAD_TABLES = {
    "absent.csv": (None, "absent.csv, which does not exist"),
    "empty.csv": ("", "must begin with the names of its columns"),
    "twice.csv": ("a,a\n1,2\n", "--target must name a column (a, a (2)); got approved."),
    "ragged.csv": ("a,approved\n1,yes\n1,2,3\n", "cannot be read as a table"),
    "false.parquet": ("a,b\n", "cannot be read as a table"),
    "none.csv": ("a,approved\n", "two or more labels; got none in approved."),
    "one.csv": ("a,approved\n1,yes\n2,yes\n", "two or more labels; got only yes in approved."),
    "three.csv": ("a,approved\n1,x\n2,y\n3,z\n", "in at least two rows, so that some can be held out; got x in one."),
    "other.csv": ("a,b\n1,2\n", "--target must name a column (a, b); got approved."),
    "rare.csv": ("a,approved\n1,yes\n2,no\n", "with --test-size 0 no rows are held out."),
}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_a_table_that_cannot_be_learned_from(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content, message = BAD_TABLES[name]
    if content is not None:
        (tmp_path / name).write_text(content)
    assert run("fit", tmp_path / name, "--target", "approved", "-o", tmp_path / "model.json") == 2
    printed, failure = capsys.readouterr()
    assert printed == ""
    assert failure.splitlines()[-1].startswith("idnf: ")
    assert message in failure
    assert not (tmp_path / "model.json").exists()


def test_one_bad_row_does_not_lose_the_others(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (folder / "loans.csv").read_text("utf-8").splitlines()
    (folder / "wrong.csv").write_text("\n".join([*lines[:3], lines[3].replace(lines[3].split(",")[0], "much", 1)]))
    wrong = "column 'income' must hold numbers such as 1234.5, as in training; got 'much'"
    for command in ("predict", "explain"):
        assert run(command, folder / "model.json", folder / "wrong.csv") == 0
        assert "income: 1 value cannot be read as in training" in capsys.readouterr().err
    strict = folder / "strict.json"
    learn = ("--target", "approved", "--learner", "greedy", "--missing", "refuse", "-q")
    assert run("fit", folder / "loans.csv", *learn, "-o", strict) == 0
    capsys.readouterr()
    for command in ("predict", "explain"):
        assert run(command, strict, folder / "wrong.csv") == 0
        printed, remarks = capsys.readouterr()
        allow = "  (idnf fit --missing allow makes a model that answers these too)\n"
        assert remarks == f"1 of 3 rows has no answer:\n  row 3: {wrong}\n{allow}"
        found = rows_of(printed)
        assert [bool(row["predicted"]) for row in found] == [True, True, False]
        if command == "explain":
            assert found[2]["reason"] == f"no answer: {wrong}"
    assert run("explain", strict, folder / "wrong.csv", "--text") == 0
    assert capsys.readouterr().out.splitlines()[2] == f"No answer: {wrong}."
    assert run("explain", strict, folder / "wrong.csv", "--json") == 0
    assert json.loads(capsys.readouterr().out.splitlines()[2]) == {"problem": wrong}
    assert run("recourse", strict, folder / "wrong.csv", "--row", 3) == 2
    assert f"row 3 has no answer: {wrong}." in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_is_a_clear_message(folder: Path, command: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert run("predict", folder / "model.json", folder / "loans.csv", "-o", "/dev/full") == 3
    printed, remarks = capsys.readouterr()
    assert printed == ""
    assert "/dev/full cannot be written (No space left on device)" in remarks
    with open("/dev/full", "w") as full:
        words = [str(command / "idnf"), "verify", str(folder / "model.json")]
        failed = subprocess.run(words, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (failed.returncode, failed.stderr) == (3, "idnf: No space left on device\n")


def test_a_reader_that_has_had_enough_is_no_failure(folder: Path, command: Path) -> None:
    line = f"{command}/idnf predict model.json loans.csv loans.csv loans.csv loans.csv | head -n 1"
    done = subprocess.run(line, shell=True, cwd=folder, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("income,")
    assert done.stderr == ""


def test_an_interrupt_leaves_the_old_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    old = folder / "old.csv"
    old.write_text("old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    assert run("predict", folder / "model.json", folder / "loans.csv", "-o", old) == 130
    assert capsys.readouterr().err == "idnf: interrupted; no file was changed.\n"
    assert old.read_text() == "old"


def test_every_command_has_an_example_in_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    groups = [part.splitlines() for part in capsys.readouterr().out.split("\n\n")]
    listed = {first.rstrip(":"): [line.split()[0] for line in lines] for first, *lines in groups[2:7]}
    assert listed == {
        "learn": ["fit", "bands", "choose", "points", "near-equals", "retrain"],
        "use": ["predict", "export"],
        "explain and check": ["explain", "recourse", "report", "verify", "check", "diff", "adopt"],
        "govern": ["record", "letters", "audit", "monitor"],
        "research": ["analyse", "datasets", "demo"],
    }
    for name in (name for names in listed.values() for name in names):
        with pytest.raises(SystemExit):
            main([name, "--help"])
        assert f"example:\n  idnf {name}" in capsys.readouterr().out


def test_several_labels_from_the_table_to_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"{income},{late},{grade}" for income, late, grade in GRADES * 8]
    table, model = tmp_path / "grades.csv", tmp_path / "model.json"
    table.write_text("income,late,grade\n" + "\n".join(rows) + "\n")
    assert run("fit", table, "--target", "grade", "--k", 2, "--effort", 0.1, "-o", model) == 0
    printed = capsys.readouterr().out
    assert all(f"grade is {grade}\n" in printed for grade in ("bronze", "gold", "silver"))
    assert run("verify", model) == 0
    assert "exclude each other in all 3 pairs" in capsys.readouterr().out
    assert run("predict", model, table, "--proba") == 0
    found = rows_of(capsys.readouterr().out)
    assert [row["predicted"] for row in found] == [row["grade"] for row in found]
    assert {"share of bronze", "share of gold", "share of silver"} <= set(found[0])
    assert run("recourse", model, table, "--row", 1, "--to", "gold") == 0
    assert capsys.readouterr().out.startswith("For grade to be gold: change ")
    assert run("recourse", model, table, "--row", 1) == 0
    assert run("recourse", model, table, "--row", 1, "--to", "tin") == 2
    assert "--to must be one of bronze, gold, silver; got tin." in capsys.readouterr().err
    for target in ("sql", "python", "javascript"):
        assert run("export", model, "--to", target) == 0
        assert "silver" in capsys.readouterr().out
    assert run("report", model, table, "--target", "grade", "-o", tmp_path / "report.html") == 0
    assert "decided silver" in (tmp_path / "report.html").read_text("utf-8")
    assert run("fit", table, "--target", "grade", "--monotone", "income=1", "-o", model) == 2
    assert "monotonic_cst must be None for 3 classes" in capsys.readouterr().err


GRADES = [
    (1000, "no", "bronze"),
    (1100, "yes", "bronze"),
    (3000, "no", "gold"),
    (3200, "yes", "silver"),
    (2900, "yes", "silver"),
    (3100, "no", "gold"),
]


def test_the_package_runs_as_a_module():
    done = process(sys.executable, "-m", "idnf", "--version")
    assert done.returncode == 0
    assert done.stdout == process(sys.executable, "-m", "idnf.cli", "--version").stdout


def test_whoever_weighs_the_labels_is_not_told_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"{n % 97},{'fraud' if n % 100 == 0 else 'fine'}" for n in range(2000)]
    (tmp_path / "rare.csv").write_text("\n".join(["amount,label", *lines]))
    for options, told in (((), True), (("--class-weight", "balanced"), False)):
        assert run("fit", tmp_path / "rare.csv", "--target", "label", "-o", tmp_path / "m.json", *options) == 0
        remarks = capsys.readouterr().err
        assert "is rare: 15 of 1,500 rows" in remarks
        assert ("class-weight balanced" in remarks) == told
        assert (
            "always giving the most frequent label" in remarks or "every row gets the same label" in remarks
        ) == told


def test_dates_are_not_changed_unless_the_user_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [f"20{10 + n % 12}-05-01,{'yes' if n % 12 > 5 else 'no'}" for n in range(60)]
    (tmp_path / "t.csv").write_text("\n".join(["opened,label", *lines]))
    assert run("fit", tmp_path / "t.csv", "--target", "label", "-o", tmp_path / "m.json") == 0
    assert "opened: a date, of which no change is proposed" in capsys.readouterr().err
    ask = ("recourse", tmp_path / "m.json", tmp_path / "t.csv", "--row", 1)
    assert run(*ask) == 1
    assert capsys.readouterr().out == "No change leads to label: yes; blocked by opened (immutable).\n"
    assert run(*ask, "--immutable", "none") == 0
    assert "change opened from 2010-05-01 to " in capsys.readouterr().out
