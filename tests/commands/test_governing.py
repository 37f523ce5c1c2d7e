"""The commands of auditors: explain with more columns, diff, check, audit."""

from __future__ import annotations

import csv
import io
import json
import sys

import pandas as pd
import pytest

from idnf import DNFClassifier, exporting
from idnf.cli import main


@pytest.fixture
def folder(tmp_path):
    columns = {"income": [35], "late": bool, "guarantor": bool}
    for name, formula in (("old", "~'income <= 35' & ~late | guarantor"), ("new", "~'income <= 35' & ~late")):
        policy = DNFClassifier.from_dnf(formula, columns=columns, classes=("declined", "approved"))
        exporting.to_json(policy, tmp_path / f"{name}.json")
    (tmp_path / "rows.csv").write_text("income,late,guarantor\n31,true,false\n50,false,false\n50,true,true\n")
    (tmp_path / "codes.csv").write_text(
        "column,code,text,outcome\nincome,R1,Income insufficient,declined\n,R9,Other,declined\n"
    )
    (tmp_path / "policy.txt").write_text("# the law\nno row with late is false and income > 40 is declined\n")
    return tmp_path


def run(*arguments):
    return main([str(argument) for argument in arguments])


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_explain_adds_what_auditors_ask(folder, capsys):
    asked = ("--relevance", "--texts", folder / "codes.csv", "--principal", 2)
    assert run("explain", folder / "old.json", folder / "rows.csv", *asked) == 0
    first, _, third = rows_of(capsys.readouterr().out)
    assert (first["predicted"], first["necessary"], first["relevant"]) == (
        "declined",
        "guarantor",
        "income, late, guarantor",
    )
    assert (first["reason code 1"], first["principal reason 1"], first["reason code 2"]) == ("R9", "Other", "R1")
    # An approved row is sent no reason of a decline.
    assert (third["predicted"], third["reason code 1"], third["reason code 2"]) == ("approved", "", "")


def test_explain_as_json(folder, capsys):
    assert run("explain", folder / "old.json", folder / "rows.csv", "--principal", 4, "--relevance", "--json") == 0
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert first["necessary"] == ["guarantor"]
    assert [reason["text"] for reason in first["principal reasons"]] == [
        "guarantor is false",
        "income <= 35",
        "late is true",
    ]


def test_explain_refuses_what_does_not_go_together(folder, capsys):
    assert run("explain", folder / "old.json", folder / "rows.csv", "--principal", 4, "--text") == 2
    assert "--text must be left out with --relevance" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        run("explain", folder / "old.json", folder / "rows.csv", "--principal", -1)
    assert "--principal must be at least 0; got -1." in capsys.readouterr().err


def test_diff_of_two_models(folder, capsys):
    assert run("diff", folder / "old.json", folder / "new.json", folder / "rows.csv") == 1
    assert capsys.readouterr().out == (
        "The models disagree in 2 regions.\n"
        "They disagree on 1 of 3 rows.\n"
        "  approved becomes declined: 1\n"
        "- approved becomes declined if late is true and guarantor is true (1 row)\n"
        "- approved becomes declined if income <= 35 and guarantor is true (0 rows)\n"
    )
    assert run("diff", folder / "old.json", folder / "old.json", "--json") == 0
    assert json.loads(capsys.readouterr().out)["equal"] is True


def test_diff_with_a_policy(folder, capsys):
    policy = folder / "mine.txt"
    policy.write_text("if guarantor then approved\nif income > 35 and not late then approved\notherwise declined\n")
    assert run("diff", folder / "old.json", policy) == 0
    assert capsys.readouterr().out == "The models are equal: proved over all values.\n"
    policy.write_text("if guarantor then approved\n")
    assert run("diff", folder / "old.json", policy) == 2
    assert "a policy must give every row a class; none is given if guarantor is false." in capsys.readouterr().err
    assert run("diff", policy, policy, folder / "rows.csv") == 2
    assert "rows must come with a model file" in capsys.readouterr().err


def test_check_proves_and_refutes(folder, capsys):
    assert run("check", folder / "new.json", folder / "policy.txt") == 0
    assert capsys.readouterr().out == "Proved: no row with late is false and income > 40 is declined.\n"
    (folder / "policy.txt").write_text("late alone never decides\n")
    assert run("check", folder / "new.json", folder / "policy.txt", folder / "rows.csv", "--json") == 1
    (answer,) = json.loads(capsys.readouterr().out)
    assert (answer["holds"], answer["rows"]) == (False, 2)
    assert [one["label"] for one in answer["witness"]] == ["declined", "approved"]


def test_check_refuses_bad_rules(folder, capsys):
    (folder / "policy.txt").write_text("sex alone never decides\n")
    assert run("check", folder / "new.json", folder / "policy.txt") == 2
    assert "must name columns of the model (income, late, guarantor); got 'sex'." in capsys.readouterr().err


def test_audit_writes_the_same_function_as_a_model(folder, capsys):
    (folder / "rules.sql").write_text("CASE WHEN income > 35 AND late = false THEN 'approved' ELSE 'declined' END")
    assert run("audit", folder / "rules.sql", "--model", folder / "made.json", "-q") == 0
    assert "Every approved can be explained by at most 2 columns; some need both, as for " in capsys.readouterr().out
    assert run("diff", folder / "made.json", folder / "new.json") == 0
    (folder / "rules.sql").write_text("if income > 35 then approved")
    assert run("audit", folder / "rules.sql", "--json") == 1
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["gaps"] == ["income <= 35"]


def test_check_writes_the_nearest_model_that_obeys(folder, capsys):
    (folder / "policy.txt").write_text("if guarantor then approved\n")
    (folder / "rows.csv").write_text("income,late,guarantor,y\n31,true,false,declined\n50,false,true,approved\n")
    asked = ("check", folder / "new.json", folder / "policy.txt", folder / "rows.csv", "--rectify", folder / "ok.json")
    assert run(*asked) == 2
    assert (
        "--target must name the column of labels; got none. The model file does not name it." in capsys.readouterr().err
    )
    assert run(*asked[:3], *asked[4:]) == 2
    assert "--rectify must come with labelled rows; got none." in capsys.readouterr().err
    assert run(*asked, "--target", "y", "-q") == 1
    assert "A model that obeys was found" in capsys.readouterr().out
    assert run("check", folder / "ok.json", folder / "policy.txt") == 0
    assert run("diff", folder / "ok.json", folder / "old.json") == 0


def test_fit_under_a_limit_on_the_gap(tmp_path, capsys):
    rows = [
        f"{a},{'x' if (a + i) % 3 else 'y'},{'yes' if a ^ (i % 5 == 0) else 'no'}" for a in (0, 1) for i in range(40)
    ]
    (tmp_path / "t.csv").write_text("a,g,y\n" + "\n".join(rows))
    learn = ("fit", tmp_path / "t.csv", "--target", "y", "--learner", "greedy", "-o", tmp_path / "m.json", "-q")
    assert run(*learn, "--fair", "g", "--fair-limit", 0.1, "--fair-page", tmp_path / "p.html") == 0
    assert capsys.readouterr().out.startswith("Demographic parity by g, at most 0.1.\n")
    assert "Alternatives considered" in (tmp_path / "p.html").read_text()
    kept = ("--fair", "g", "--fair-limit", 0.1, "--holdout", tmp_path / "held.csv")
    for metric in ("demographic_parity", "equal_opportunity"):
        assert run(*learn, *kept, "--fair-metric", metric) == 0
        held = pd.read_csv(tmp_path / "held.csv")
        given = exporting.from_json(tmp_path / "m.json").predict(held[["a"]]) == "yes"
        some = held["y"].eq("yes") if metric == "equal_opportunity" else held["y"].notna()
        rates = pd.Series(given)[some].groupby(held["g"][some]).agg(["mean", "size"])
        words = ", ".join(f"{group} {rate:.1%} of {size:.0f}" for group, rate, size in rates.itertuples())
        gap = rates["mean"].max() - rates["mean"].min()
        missed = ", above your limit of 0.1, which holds on the training rows"
        assert gap > 0.1
        assert f"  gap between groups {gap:.3f}{missed} ({words})\n" in capsys.readouterr().out
    assert run(*learn, "--fair", "sex") == 2
    assert "fairness must name a column of the table (a, g); got 'sex'." in capsys.readouterr().err
    assert run(*learn, "--fair", "g", "--fair-limit", -1) == 2
    assert "limit must be between 0 and 1; got -1.0." in capsys.readouterr().err
    assert run(*learn, "--fair-page", tmp_path / "p.html") == 2
    assert "--fair-page must come with --fair" in capsys.readouterr().err


def test_monitor_by_month_and_by_file(folder, capsys):
    rows = "income,late,guarantor,day\n31,true,false,2026-01-05\n50,false,false,2026-01-09\n50,true,true,2026-02-01\n"
    (folder / "rows.csv").write_text(rows)
    assert run("monitor", folder / "old.json", folder / "rows.csv", "--by", "day", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["period"], one["rows"]) for one in found["periods"]] == [("2026-01", 2), ("2026-02", 1)]
    assert run("monitor", folder / "old.json", folder / "rows.csv") == 0
    assert f"{folder / 'rows.csv'}: 3 rows" in capsys.readouterr().out
    assert run("monitor", folder / "old.json", folder / "rows.csv", "--by", "day", "-o", folder / "page.html") == 0
    assert "Reasons over time" in (folder / "page.html").read_text()
    assert run("monitor", folder / "old.json", folder / "rows.csv", "--by", "week") == 2
    assert "--by must name a column (income, late, guarantor, day); got week." in capsys.readouterr().err


def test_monitor_leaves_out_rows_without_an_answer_only(folder, capsys):
    rows = "income,late,guarantor\n31,true,\n50,false,maybe\n50,,true\n"
    (folder / "rows.csv").write_text(rows)
    assert run("monitor", folder / "new.json", folder / "rows.csv") == 0
    said = capsys.readouterr()
    assert f"{folder / 'rows.csv'}: 2 rows" in said.out
    assert "1 of 3 rows has no answer:\n  row 3: column 'late' must have no missing values" in said.err


def test_a_short_model_of_many_cells_needs_no_solver_to_say_what_a_column_decides(folder, capsys, monkeypatch):
    """Three lines over nine of twelve columns of a hundred cells each: cells that no line tells apart count as one."""
    monkeypatch.setitem(sys.modules, "pysat", None)
    lines = (" & ".join(f"~'x{i} <= 50'" for i in (at, at + 1, at + 2)) for at in (0, 3, 6))
    columns = {f"x{i}": list(range(100)) for i in range(12)}
    exporting.to_json(DNFClassifier.from_dnf(" | ".join(lines), columns=columns), folder / "many.json")
    assert run("verify", folder / "many.json", "--alone", "x11", "--alone", "x10") == 0
    assert capsys.readouterr().out.endswith("Proved: x11 alone never decides.\nProved: x10 alone never decides.\n")


def test_verify_proves_that_a_column_alone_never_decides(folder, capsys):
    columns = {"income": [35], "region": ["north"]}
    policy = DNFClassifier.from_dnf("~'income <= 35'", columns=columns, classes=("declined", "approved"))
    exporting.to_json(policy, folder / "one.json")
    assert run("verify", folder / "one.json", "--alone", "region") == 0
    assert capsys.readouterr().out.endswith("Proved: region alone never decides.\n")
    assert run("verify", folder / "one.json", "--alone", "income", "--json") == 1
    assert json.loads(capsys.readouterr().out)["alone"][0]["answer"] is True
    assert run("verify", folder / "one.json", "--alone", "sex") == 2
    assert "columns must name columns of the model (income, region); got 'sex'." in capsys.readouterr().err


def test_audit_of_decision_tables(folder, capsys):
    path = folder / "policy.csv"
    path.write_text("A,income: integer,late: boolean,-> outcome\n1,<= 35,-,declined\n2,> 30,false,approved\n")
    assert run("audit", path) == 1
    printed = capsys.readouterr().out.splitlines()
    assert printed[:2] == ["2 rules over 2 columns, hit policy ANY.", "Contradictions between outcomes: 1."]
    assert run("audit", path, "--json") == 1
    assert json.loads(capsys.readouterr().out)["gap_rows"] == [{"income": 36.0, "late": True}]
    path.write_text("F,income: integer,late: boolean,-> outcome\n1,<= 35,-,declined\n2,-,-,approved\n")
    assert run("audit", path, "--model", folder / "made.json") == 0
    assert exporting.from_json(folder / "made.json").k == 1
    assert run("audit", folder / "policy.txt", "--table", "A") == 2
    assert "--table must come with a file of decision tables" in capsys.readouterr().err
