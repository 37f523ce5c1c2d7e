"""What a command never overwrites."""

from __future__ import annotations

import json

import polars as pl
import pytest

from idnf import DNFClassifier, exporting
from idnf.cli import main


def test_a_table_is_never_overwritten(tmp_path, capsys):
    table = tmp_path / "rows.csv"
    table.write_text("x,y\n1,0\n2,1\n", encoding="utf-8")
    before = table.read_bytes()
    link = tmp_path / "link.json"
    link.symlink_to(table)
    for output in (table, link):
        assert main(["fit", str(table), "--target", "y", "-o", str(output)]) == 2
        assert "--output must not be a file that is read" in capsys.readouterr().err
    assert table.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("predict model.json rows.csv -o rows.csv", "--output"),
        ("explain model.json *.csv -o rows.csv", "--output"),
        ("export model.json --to sql -o ./model.json", "--output"),
        ("report model.json rows.csv -o page.html --card rows.csv", "--card"),
        ("check model.json rules.txt rows.csv --rectify model.json", "--rectify"),
        ("check model.json rules.txt -o rules.txt", "--output"),
        ("diff model.json other.json -o other.json", "--output"),
        ("monitor model.json rows.csv --by x -o model.json", "--output"),
        ("audit rules.txt --model rules.txt", "--model"),
        ("near-equals rows.csv --target y -o rows.csv", "--output"),
        ("recourse model.json rows.csv --row 1 -o rows.csv", "--output"),
    ],
)
def test_no_command_writes_over_what_it_reads(tmp_path, monkeypatch, capsys, words, written):
    monkeypatch.chdir(tmp_path)
    for name in ("rows.csv", "model.json", "other.json", "rules.txt"):
        (tmp_path / name).write_text("x,y\n1,0\n", encoding="utf-8")
    assert main(words.split()) == 2
    assert f"{written} must not be a file that is read; got " in capsys.readouterr().err
    assert {path.read_text("utf-8") for path in tmp_path.iterdir()} == {"x,y\n1,0\n"}


def test_what_a_command_adds_to_a_csv_file_is_no_formula_to_a_spreadsheet(tmp_path):
    names = ["@SUM(A1)", "+cmd|' /C calc'!A0", "-2+3+cmd|' /C calc'!A0", "plain"]
    for name, labels in [(names[0], ("=1+1", "@b")), (names[1], ("+", "-")), (names[2], ("- 50000.", "50000+."))]:
        clf = DNFClassifier.from_dnf(f"{json.dumps(name)}", columns={name: bool}, classes=labels)
        exporting.to_json(clf, tmp_path / "model.json")
        given = pl.DataFrame({name: [True, False], "note": ["=own(1)", "-7"]})
        for kind in ("csv", "parquet"):
            getattr(given, f"write_{kind}")(tmp_path / f"rows.{kind}")
        for command in ("predict", "explain"):
            for kind in ("csv", "parquet"):
                out = tmp_path / f"out.{kind}"
                arguments = ["--engine", "polars"] if kind == "parquet" else []
                table, model = str(tmp_path / f"rows.{kind}"), str(tmp_path / "model.json")
                assert main([command, model, table, "-o", str(out), *arguments]) == 0
                answer = pl.read_csv(out, infer_schema=False) if kind == "csv" else pl.read_parquet(out)
                assert answer["note"].to_list() == ["=own(1)", "-7"]
                added = answer.drop(name, "note").select(pl.selectors.string()).to_numpy().ravel().tolist()
                if kind == "csv":
                    assert not [
                        text
                        for text in added
                        if text[0] in "=@" or text[0] in "+-" and len(text) > 1 and "5" not in text
                    ]
                written = [f"'{label}" if kind == "csv" and label[0] in "=@" else label for label in clf.predict(given)]
                assert answer["predicted"].to_list() == written
