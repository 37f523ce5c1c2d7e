"""idnf bands, and the commands that take a file of bands."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import polars as pl
import pytest
from tests.classifier.test_bands import loans

from idnf import DNFBands, exporting
from idnf.cli import main


def run(*arguments):
    return main([str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bands")
    X, y, score = loans(1)
    table = pl.from_pandas(X).with_columns(pl.Series("risk", y.to_numpy()))
    table.write_csv(folder / "loans.csv")
    levels = pl.Series("level", ["low", "mid", "top"])[[int(s > -1) + int(s > 1) for s in score]]
    table.drop("risk").with_columns(levels).write_csv(folder / "levels.csv")
    ask = ("--target", "risk", "--positive", "bad", "--boundaries", "0.3,0.7", "--names", "approve,refer,decline")
    assert run("bands", folder / "loans.csv", *ask, "--effort", 0.05, "--k", 2, "-o", folder / "bands.json") == 0
    return folder


def test_bands_are_printed_and_measured(folder, capsys):
    ask = ("bands", folder / "loans.csv", "--target", "risk", "--positive", "bad", "--effort", 0.05, "--k", 2)
    assert run(*ask, "--boundaries", 2, "-o", folder / "two.json") == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].split() == ["band", "share", "of", "bad", "rows", "points"]
    assert "band 0  band 0" not in out
    assert "Every row is above or below each boundary for a reason of at most 2 conditions." in out
    assert "The boundaries and their reasons are proved; the shares are estimates." in out
    assert max(map(len, out.splitlines())) < 120, "one reason per line"
    assert re.search(
        r"cutoffs there \(KS 0\.\d{3}, Gini 0\.\d{3}\): the bands below are approved, the band itself may be referred:",
        out,
    )
    assert re.search(r"below +approved +bad rate +bad caught +referred", out)
    assert re.search(r"band +share of .* +rows +points", out)
    assert "logistic regression" in out
    assert "tree of depth 2" in out
    assert "shares estimated and seen there:" in out
    assert run(*ask, "--json", "-o", folder / "two.json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["held_out"]["rows"] == 60
    assert set(said["held_out"]["scores"]) == {"bands", "logistic regression", "tree of depth 2"}


def test_values_that_training_had_none_of_are_answered_unless_refused(folder, capsys):
    ask = ("bands", folder / "loans.csv", "--target", "risk", "--boundaries", 1, "--effort", 0.05, "--k", 1)
    (folder / "empty.csv").write_text("income,late,job\n3,,nurse\n")
    for options, answered in ((("--missing", "refuse"), 0), ((), 1)):
        assert run(*ask, *options, "-o", folder / "some.json") == 0
        capsys.readouterr()
        run("predict", folder / "some.json", folder / "empty.csv", "--json")
        found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert sum(one["band"] is not None for one in found) == answered


def test_ordered_labels(folder, capsys):
    ask = ("bands", folder / "levels.csv", "--target", "level", "--effort", 0.05, "--k", 2, "-o", folder / "l.json")
    assert run(*ask) == 2
    assert (
        "--order must list the 3 labels, the lowest first; got none. They are: low, mid, top."
        in capsys.readouterr().err
    )
    assert run(*ask, "--order", "low,mid,top") == 0
    assert exporting.from_json(folder / "l.json").names_ == ("low", "mid", "top")


def test_predict_and_explain_take_bands(folder, capsys):
    bands = exporting.from_json(folder / "bands.json")
    assert isinstance(bands, DNFBands)
    table = pl.read_csv(folder / "loans.csv")
    said = bands.explain(table).columns()
    for command, names in (("predict", ["band", "name", "probability"]), ("explain", list(said))):
        assert run(command, folder / "bands.json", folder / "loans.csv", "-o", folder / "out.csv") == 0
        found = pl.read_csv(folder / "out.csv")
        assert found.columns[len(table.columns) :] == names
        assert {name: found[name].to_list() for name in names} == pytest.approx({name: said[name] for name in names})
        assert run(command, folder / "bands.json", folder / "loans.csv", "--json") == 0
        assert [json.loads(line)["band"] for line in capsys.readouterr().out.splitlines()] == said["band"]
    assert run("explain", folder / "bands.json", folder / "loans.csv", "--text") == 0
    assert capsys.readouterr().out.splitlines() == [str(one) for one in bands.explain(table)]
    assert (
        run("explain", folder / "bands.json", folder / "loans.csv", "--engine", "duckdb", "-o", folder / "e.csv") == 0
    )
    assert sorted(pl.read_csv(folder / "e.csv")["band"].to_list()) == sorted(said["band"])


def test_verify_recourse_and_export_take_bands(folder, capsys):
    assert run("verify", folder / "bands.json") == 0
    out = capsys.readouterr().out
    assert "whatever is at least decline is at least refer" in out
    assert re.search(r"\(\d+ (line|reason)s?\) and .* \(\d+ (line|reason)s?\)", out)
    assert "conditions" in out
    assert "terms" not in out
    assert "Stated in the file but not checked: the shares of labels in each band" in out
    assert run("recourse", folder / "bands.json", folder / "loans.csv", "--row", 1, "--to", "approve") == 0
    said = capsys.readouterr().out
    # Of good and bad, good is what people want.
    assert run("recourse", folder / "bands.json", folder / "loans.csv", "--row", 1) == 0
    assert capsys.readouterr().out == said
    assert said.startswith(("For the band to be approve: change", "The band is approve already: nothing has"))
    assert run("export", folder / "bands.json", "--to", "sql", "--reasons", "--table", "loans") == 0
    assert 'AS "at_least"' in capsys.readouterr().out
    assert run("export", folder / "bands.json", "--to", "sql", "--principal", 2) == 2
    assert "--principal must be left out for bands" in capsys.readouterr().err
    assert run("export", folder / "bands.json", "--to", "sql", "--proba") == 2
    assert "--proba must be left out for bands. It is about one classifier." in capsys.readouterr().err


def test_a_broken_chain_is_refuted_with_a_row(folder, capsys):
    plain = json.loads((folder / "bands.json").read_text("utf-8"))
    plain["models"].reverse()
    (folder / "broken.json").write_text(json.dumps(plain), "utf-8")
    assert run("verify", folder / "broken.json") == 1
    assert (
        "Refuted: each boundary must lie within the one before; got a row at least decline" in capsys.readouterr().out
    )


def test_record_and_monitor_take_bands(folder, capsys):
    table = pl.read_csv(folder / "loans.csv")
    table.with_columns(part=pl.Series(["a", "b"] * (table.height // 2))).write_csv(folder / "parts.csv")
    assert run("monitor", folder / "bands.json", folder / "parts.csv", "--by", "part") == 0
    assert "Bands by period, compared with training." in capsys.readouterr().out
    assert run("monitor", folder / "bands.json", folder / "loans.csv", "-o", folder / "monitor.html") == 0
    assert "How often each band was given" in (folder / "monitor.html").read_text("utf-8")
    assert run("record", folder / "bands.json", folder / "loans.csv", "-o", folder / "decisions.jsonl") == 0
    decisions = [json.loads(line)["decision"] for line in (folder / "decisions.jsonl").read_text("utf-8").splitlines()]
    assert decisions == exporting.from_json(folder / "bands.json").explain(table).columns()["name"]
    ask = ("letters", folder / "decisions.jsonl", "--template", "referral", "--outcome", "refer", "-o", folder / "sent")
    fields = [word for name in ("sender", "name", "contact", "days") for word in ("--field", f"{name}=x")]
    assert run(*ask, *fields) == 0, capsys.readouterr().err
    assert len(list((folder / "sent").iterdir())) == decisions.count("refer")


@pytest.mark.parametrize("command", ["check", "diff"])
def test_other_commands_say_that_they_take_no_bands(folder, capsys, command):
    (folder / "rules.txt").write_text("risk is good if late is 0\n", "utf-8")
    table = folder / ("rules.txt" if command == "check" else "bands.json")
    assert run(command, folder / "bands.json", table) == 2
    assert "it holds bands, which are not taken here" in capsys.readouterr().err


def test_report_takes_bands(folder, capsys):
    ask = ("report", folder / "bands.json", folder / "loans.csv", "--target", "risk", "-o", folder / "report.html")
    assert run(*ask, "--pack", folder / "pack") == 0
    assert "Every boundary has a reason of at most 2 conditions, proved." in (folder / "report.html").read_text("utf-8")
    command = [sys.executable, "-I", "check_decisions.py", "decisions.jsonl", "model.json"]
    done = subprocess.run(command, cwd=folder / "pack", capture_output=True, text=True, check=False)
    assert done.stdout == "240 of 240 decisions follow from the model. Their sentences were not read.\n"
    assert run(*ask, "--card", folder / "card.md") == 2
    assert "--card must be left out for bands. It is about one classifier." in capsys.readouterr().err
    assert run(*ask, "--json") == 2
    assert "--json must be left out for bands" in capsys.readouterr().err
    assert run(*ask, "--subgroup", "late") == 2
    assert "--subgroup must be left out for bands" in capsys.readouterr().err
    for option in ("--near-equals", "--edit"):
        assert run(*ask, option) == 2
        assert f"{option} must be left out for bands" in capsys.readouterr().err
