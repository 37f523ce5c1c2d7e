"""A table as people have it gives as good a model as the clean one, by one command, and what was done is said."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from contextlib import redirect_stdout
from pathlib import Path

import polars as pl
import pytest
from tests.first_hour.traps import TARGET, TRAPS, Trap, clean_table

from idnf import exporting
from idnf.cli import main


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def fitted(path: Path, capsys: pytest.CaptureFixture[str], *options: str) -> tuple[dict[str, float], str]:
    """Return the figures of a fit, and what was remarked."""
    model = path.with_name("model.json")
    learn = ("--learner", "greedy", "--json", "-o", model)
    assert run("fit", path, *(options or ("--target", TARGET)), *learn) == 0
    printed, said = capsys.readouterr()
    # Wherever the model compares dates, it is said that later ones are all alike to it.
    remarks = "".join(
        line for line in said.splitlines(keepends=True) if "all future dates fall on one side" not in line
    )
    return json.loads(printed), remarks


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    return clean_table()


def test_there_are_at_least_25_traps() -> None:
    assert len({trap.name for trap in TRAPS}) == len(TRAPS) >= 25


@pytest.fixture(scope="module")
def clean(table: pl.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> float:
    """The accuracy on rows held out that the clean table gives, beside which each trap stands."""
    path, printed = tmp_path_factory.mktemp("clean") / "clean.csv", io.StringIO()
    table.write_csv(path)
    with redirect_stdout(printed):
        assert (
            run("fit", path, "--target", TARGET, "--learner", "greedy", "--json", "-o", path.with_name("m.json")) == 0
        )
    accuracy = json.loads(printed.getvalue())["test_accuracy"]
    assert accuracy > 0.8
    return accuracy


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: trap.name)
def test_a_trap_is_seen_and_costs_nothing(
    trap: Trap, table: pl.DataFrame, clean: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / trap.name
    trap.write(table, path)
    found, remarks = fitted(path, capsys)
    for words in trap.said:
        assert words in remarks
    if not trap.said:
        assert remarks in ("", "since: a date, of which no change is proposed\n")
    # Rows without a label are lost, and a code for missing values stays a number until its owner says what it is.
    lost = 0.05 if trap.name in ("no-label.csv", "coded-missing.csv") else 0.0
    assert found["test_accuracy"] >= clean - lost
    model = exporting.from_json(tmp_path / "model.json")
    used = {model.binariser_.columns_[j].name for j in model.fitted_.used}
    assert not used & set(trap.unsaid)
    assert used & {"months", "fee", "since"}
    every_row_is_answered(path, tmp_path / "model.json", table.height, capsys)
    # All commands open tables alike: the longer ones in turn.
    longer = [
        ["explain", "--text", "-o", tmp_path / "reasons.txt"],
        ["recourse", "--row", 7],
        ["report", "--target", TARGET, "-o", tmp_path / "report.html"],
    ]
    name, *options = longer[TRAPS.index(trap) % len(longer)]
    assert run(name, tmp_path / "model.json", path, *options) in ((0, 1) if name == "recourse" else (0,))


def every_row_is_answered(path: Path, model: Path, height: int, capsys: pytest.CaptureFixture[str]) -> None:
    # As CSV, answers would be written in the table's own encoding and form.
    assert run("predict", model, path, "--json") == 0
    printed, remarks = capsys.readouterr()
    assert "no answer" not in remarks
    rows = [json.loads(line) for line in printed.splitlines()]
    assert len(rows) == height
    assert all(row["predicted"] is not None for row in rows)


@pytest.mark.parametrize("labels", [("ja", "nein"), ("oui", "non"), ("Y", "N"), ("True", "False"), ("1", "0")])
def test_the_label_that_says_yes_is_the_positive_one(
    labels: tuple[str, str], table: pl.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    renamed = table.with_columns(pl.col(TARGET).replace({"yes": labels[0], "no": labels[1]}))
    renamed.write_csv(tmp_path / "table.csv")
    found, _ = fitted(tmp_path / "table.csv", capsys)
    assert str(found["positive"]) == labels[0]


def refused(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert run("fit", path, "--target", TARGET, "--learner", "greedy", "-o", path.with_name("model.json")) == 2
    return capsys.readouterr().err


def test_a_table_without_names_gets_a_message_with_the_option(
    table: pl.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.csv"
    numbers = table.select("months", "fee", "share", pl.col(TARGET) == "yes").cast({TARGET: pl.Int8})
    numbers.write_csv(path, include_header=False)
    assert "--read header=no" in refused(path, capsys)
    found, _ = fitted(path, capsys, "--target", "column 4", "--read", "header=no")
    assert found["test_accuracy"] > 0.65
    # The model knows that its tables name no columns.
    assert run("report", tmp_path / "model.json", path, "-o", tmp_path / "report.html") == 0


def test_three_labels_are_learned_or_one_against_the_rest(
    table: pl.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.csv"
    third = pl.when(pl.int_range(600) % 10 == 0).then(pl.lit("may be")).otherwise(pl.col(TARGET)).alias(TARGET)
    table.with_columns(third).write_csv(path)
    several, _ = fitted(path, capsys)
    assert several["labels"] == ["may be", "no", "yes"]
    found, _ = fitted(path, capsys, "--target", TARGET, "--positive", "no")
    assert found["labels"] == ["no", "not no"]
    assert found["positive"] == "no"


def test_a_target_of_numbers_gets_a_message_with_a_limit(
    table: pl.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.csv"
    table.with_columns((pl.col("months") * 2.5).alias(TARGET)).write_csv(path)
    message = refused(path, capsys)
    option = re.search(r"--positive .*", message)
    assert option is not None
    found, remarks = fitted(path, capsys, "--target", TARGET, *shlex.split(option[0]))
    assert found["test_accuracy"] > 0.95
    assert "months: alone gives every label: a leak?" in remarks


def test_a_line_with_too_many_fields_is_named(
    table: pl.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.csv"
    lines = table.write_csv().splitlines()
    lines[300] += ",more,and more"
    path.write_text("\n".join(lines), "utf-8")
    assert "line 301 has 8 fields, but there are 6 names" in refused(path, capsys)


def test_a_column_that_gives_the_label_away_is_named(
    table: pl.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.csv"
    table.with_columns(pl.col(TARGET).replace({"yes": "2020", "no": "none"}).alias("end")).write_csv(path)
    assert "end: alone gives every label: a leak?" in fitted(path, capsys)[1]
    ignored, remarks = fitted(path, capsys, "--target", TARGET, "--ignore", "end,share")
    assert "end" not in remarks
    assert ignored["test_accuracy"] < 1


def test_a_rare_label_is_named_and_more_than_accuracy_is_said(
    table: pl.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.csv"
    few = pl.concat([table.filter(pl.col(TARGET) == "yes")[:12], table.filter(pl.col(TARGET) == "no")])
    few.write_csv(path)
    _, remarks = fitted(path, capsys)
    assert "label 'yes' is rare" in remarks
    assert "--class-weight balanced" in remarks
    weigh = ("--learner", "greedy", "--class-weight", "balanced", "-o", tmp_path / "model.json")
    assert run("fit", path, "--target", TARGET, *weigh) == 0
    assert re.search(r"yes: recall \d.*precision .*balanced accuracy .*AUC 0\.\d", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--as", "fee=sum"),
            "--as must be COLUMN=number, category, date, boolean, keep, or categories in order such as 'low<high'; got",
        ),
        (
            ("--ignore", "fees"),
            "--ignore must name a column (months, fee, share, town, since, left); got fees. Did you",
        ),
        (("--read", "separator=::"), "--read separator must be one character, or tab; got ::."),
        (("--read", "header=maybe"), "--read header must be yes or no; got maybe."),
        (("--read", "skip=a"), "--read skip must be a number of lines; got a."),
        (("--read", "unpacked=0"), "--read unpacked must be a number of gigabytes; got 0."),
        (("--read", "decimal=x"), "--read decimal must be . or ,; got x."),
        (("--read", "encoding=no-such"), "encoding must be one that Python knows"),
        (("--class-weight", "yes=much"), "--class-weight must be balanced, or LABEL=NUMBER with a number above 0"),
        (("--class-weight", "maybe=2"), "--class-weight must be one of no, yes; got maybe."),
        (("--holdout", "rows.csv", "--test-size", "0"), "--holdout must go with rows held out"),
    ],
)
def test_bad_options_are_refused_in_words(
    options: tuple[str, ...], message: str, table: pl.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table.write_csv(tmp_path / "table.csv")
    assert run("fit", tmp_path / "table.csv", "--target", TARGET, *options, "-o", tmp_path / "model.json") == 2
    assert message in capsys.readouterr().err


def test_decisions_can_be_overridden(table: pl.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.csv"
    numbered = table.with_row_index("row_id").with_columns((pl.col("months") // 24).alias("years"))
    numbered.write_csv(path)
    _, remarks = fitted(path, capsys)
    assert "row_id: a running number, left out (--as row_id=keep)" in remarks
    _, remarks = fitted(path, capsys, "--target", TARGET, "--as", "row_id=keep", "--as", "years=category")
    assert "row_id" not in remarks
    columns = {
        column.name: type(column).__name__
        for column in exporting.from_json(tmp_path / "model.json").binariser_.columns_
    }
    assert columns["row_id"] == "NumberColumn"
    assert columns["years"] == "CategoryColumn"


def test_rows_held_out_are_written_as_the_table_is(
    table: pl.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = table.with_columns(pl.lit("Köln").alias("ort")).write_csv(separator=";", decimal_comma=True)
    (tmp_path / "table.csv").write_bytes(text.encode("cp1252"))
    fitted(tmp_path / "table.csv", capsys, "--target", TARGET, "--holdout", str(tmp_path / "rows.csv"))
    held = (tmp_path / "rows.csv").read_bytes().decode("cp1252").splitlines()
    assert len(held) == 151
    assert set(held) <= set(text.splitlines())


def test_rows_held_out_can_be_written(table: pl.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.csv"
    table.write_csv(path)
    found, _ = fitted(path, capsys, "--target", TARGET, "--holdout", str(tmp_path / "rows.csv"))
    held = pl.read_csv(tmp_path / "rows.csv")
    assert held.columns == table.columns
    assert held.height == found["test_rows"] == 150
    assert (
        run(
            "report",
            tmp_path / "model.json",
            tmp_path / "rows.csv",
            "--target",
            TARGET,
            "--json",
            "-o",
            tmp_path / "r.html",
        )
        == 0
    )
    assert json.loads(capsys.readouterr().out)["accuracy"] == pytest.approx(found["test_accuracy"])


def test_rows_that_cannot_be_answered_are_listed(
    table: pl.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, new = tmp_path / "table.csv", tmp_path / "new.csv"
    table.write_csv(path)
    fitted(path, capsys, "--target", TARGET, "--missing", "refuse")
    rows = table[:8].with_columns(pl.when(pl.int_range(8) == 2).then(None).otherwise(pl.col("months")).alias("months"))
    rows = rows.with_columns(
        pl.when(pl.int_range(8) == 4).then(pl.lit("Basel")).otherwise(pl.col("town")).alias("town")
    )
    rows.drop(TARGET).write_csv(new)
    assert run("predict", tmp_path / "model.json", new) == 0
    printed, remarks = capsys.readouterr()
    assert [bool(row["predicted"]) for row in csv.DictReader(io.StringIO(printed))] == [i != 2 for i in range(8)]
    assert "1 of 8 rows has no answer:\n  row 3: column 'months' must have no missing values" in remarks
    assert "idnf fit --missing allow" in remarks
    fitted(path, capsys)
    assert run("predict", tmp_path / "model.json", new) == 0
    printed, remarks = capsys.readouterr()
    assert all(row["predicted"] for row in csv.DictReader(io.StringIO(printed)))
    assert "months: missing in 1 of 8 rows, though never in training" in remarks


def test_a_column_that_the_model_does_not_use_is_not_needed(
    table: pl.DataFrame, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, new = tmp_path / "table.csv", tmp_path / "new.csv"
    table.write_csv(path)
    fitted(path, capsys)
    model = exporting.from_json(tmp_path / "model.json")
    used = [model.binariser_.columns_[j].name for j in model.fitted_.used]
    assert len(used) < 5
    table.select(used).write_csv(new)
    for command in ("predict", "explain"):
        assert run(command, tmp_path / "model.json", new) == 0
    table.drop(used[0]).write_csv(new)
    capsys.readouterr()
    assert run("predict", tmp_path / "model.json", new) == 2
    assert f"got none called '{used[0]}'" in capsys.readouterr().err


def test_categories_never_seen_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    colours = ["red", "blue", "green", "red"] * 100 + ["mauve"] * 2
    table = pl.DataFrame(
        {"colour": colours, "size": list(range(6)) * 67, TARGET: ["yes" if c == "red" else "no" for c in colours]}
    )
    table.write_csv(tmp_path / "table.csv")
    fitted(tmp_path / "table.csv", capsys)
    new = pl.DataFrame({"colour": ["red", "rde", "mauve", "rde"], "size": [1, 2, 3, 4]})
    new.write_csv(tmp_path / "new.csv")
    assert run("predict", tmp_path / "model.json", tmp_path / "new.csv", "-o", tmp_path / "out.csv") == 0
    assert "colour: not seen in training, so taken as other, in 2 of" in capsys.readouterr().err
