"""What a file has beside good rows is found and said; what a user asks for is done."""

from __future__ import annotations

import csv
import io
import json
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
import xlsxwriter
from sklearn.model_selection import cross_val_score
from tests.first_hour.traps import TARGET, clean_table

from idnf import DNFClassifier, TableBinariser, TableWarning, exporting
from idnf.auditing.reason_texts import ReasonTexts
from idnf.cli import main

GREEDY = ("--learner", "greedy", "--no-tune")


@pytest.fixture(scope="module")
def table() -> pl.DataFrame:
    return clean_table()


@pytest.fixture
def fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Fit a model to a table, or a file, and return the figures and what was remarked."""

    def ask(given: pl.DataFrame | Path, *options: object, target: str = TARGET) -> tuple[dict[str, object], str]:
        path = given if isinstance(given, Path) else tmp_path / "table.csv"
        if isinstance(given, pl.DataFrame):
            given.write_csv(path)
        model = ("-o", tmp_path / "model.json", "--json")
        assert main([str(word) for word in ("fit", path, "--target", target, *GREEDY, *options, *model)]) == 0
        printed, remarks = capsys.readouterr()
        return json.loads(printed), remarks

    return ask


def model_of(folder: Path) -> DNFClassifier:
    return exporting.from_json(folder / "model.json")


def test_names_again_totals_and_footnotes_are_left_out_by_row(table: pl.DataFrame, tmp_path: Path, fit) -> None:
    head, *rows = table.write_csv().splitlines()
    stray = [head, *rows[:200], head, *rows[200:], "Total,1234,55,,,", "Source: our own books"]
    path = tmp_path / "stray.csv"
    path.write_text("\n".join(stray) + "\n", "utf-8")
    found, remarks = fit(path)
    assert found["labels"] == ["no", "yes"]
    assert "row 201 left out: the names of the columns again" in remarks
    assert "row 602 left out: a total" in remarks
    assert "row 603 left out: a footnote, 'Source: our own books'" in remarks
    assert found["test_rows"] == 150


def workbook(path: Path, table: pl.DataFrame, before: int) -> None:
    book = xlsxwriter.Workbook(str(path))
    book.add_worksheet("Read me").write(0, 0, "Customers who left")
    sheet = book.add_worksheet("Data")
    for row in range(before):
        sheet.write(row, 0, "Customers, 2023")
    for row, cells in enumerate([table.columns, *table.with_columns(pl.col("since").cast(pl.String)).rows()]):
        sheet.write_row(before + row, 0, ["" if cell is None else cell for cell in cells])
    book.close()


@pytest.mark.parametrize("options", [(), ("--read", "skip=3")])
def test_excel_is_read_as_csv_is(table: pl.DataFrame, tmp_path: Path, fit, options: tuple[str, ...]) -> None:
    workbook(tmp_path / "book.xlsx", table, 3)
    found, remarks = fit(tmp_path / "book.xlsx", *options)
    assert "using sheet Data; there is also Read me" in remarks
    assert ("skipping the first 3 lines" in remarks) == (not options)
    clean, _ = fit(table)
    assert found["test_accuracy"] == clean["test_accuracy"]


def test_spellings_are_merged_when_asked(tmp_path: Path, fit) -> None:
    rng = np.random.default_rng(0)
    owes = rng.choice(["no", "No", "N", "FALSE", "yes", "Y"], 400, p=[0.4, 0.1, 0.1, 0.1, 0.2, 0.1])
    bad = np.isin(owes, ["yes", "Y"]) ^ (rng.random(400) < 0.1)
    labels = np.where(bad, rng.choice(["bad", "BAD"], 400), "good")
    rows = pl.DataFrame({"owes": owes, "age": rng.integers(18, 80, 400), "status": labels})
    found, remarks = fit(rows, target="status")
    assert "differ in capitals only and count as different (--merge-spellings)" in remarks
    merged, _ = fit(rows, "--merge-spellings", target="status")
    assert sorted(map(str.lower, merged["labels"])) == ["bad", "good"]
    model = model_of(tmp_path)
    column = next(column for column in model.binariser_.columns_ if column.name == "owes")
    assert sorted(map(sorted, column.spellings)) == [["FALSE", "N", "No", "no"], ["Y", "yes"]]
    asked = pl.DataFrame({"owes": ["N", "no", "FALSE"], "age": [40] * 3})
    assert len(set(model.predict(asked).tolist())) == 1
    module: dict[str, object] = {}
    exec(exporting.to_python(model), module)
    assert [module["predict"](row) for row in asked.to_dicts()] == model.predict(asked).tolist()  # type: ignore[operator]
    assert model.predict(asked.lazy()).collect()["predicted"].to_list() == model.predict(asked).tolist()


def test_categories_never_seen_can_be_sent_to_a_person(tmp_path: Path, fit, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(1)
    records = rng.choice(["yes", "no"], 300)
    rows = pl.DataFrame({"records": records, "age": rng.integers(18, 80, 300), TARGET: records})
    new = pl.DataFrame({"records": ["maybe", "no"], "age": [30, 30]})
    new.write_csv(tmp_path / "new.csv")
    fit(rows, "--as", "records=keep", "--k", "1")
    assert main(["explain", str(tmp_path / "model.json"), str(tmp_path / "new.csv")]) == 0
    answers = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert answers[0]["reason"] in ("records is no (or unseen)", "records is yes (or unseen)")
    fit(rows, "--as", "records=keep", "--k", "1", "--unseen", "refuse")
    assert main(["explain", str(tmp_path / "model.json"), str(tmp_path / "new.csv")]) == 0
    answers = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert answers[0]["predicted"] == ""
    assert "column 'records' must be a category seen in training; got 'maybe'" in answers[0]["reason"]
    assert answers[1]["reason"] == "records is no"
    with pytest.raises(ValueError, match="column 'records' must be a category seen in training; got 'maybe' in row 1"):
        model_of(tmp_path).predict(new)


def test_missing_values_are_taken_in_python_and_reported() -> None:
    rng = np.random.default_rng(2)
    X = pd.DataFrame({"a": rng.normal(size=200), "b": rng.normal(size=200)})
    X.loc[3, "a"] = np.nan
    y = X["a"].fillna(9) + 0.1 * rng.normal(size=200) > 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        scores = cross_val_score(DNFClassifier(k=1, learner="greedy"), X, y, cv=4)
    assert not np.isnan(scores).any()
    known = X.drop(index=3)
    model = DNFClassifier(k=1, learner="greedy").fit(known, y[known.index])
    with pytest.warns(TableWarning, match="a: missing in 1 of 1 rows, though never in training; counted as"):
        explained = model.explain(X.iloc[3:4])[0]
    assert "a is missing (counts as over" in explained.to_text()
    for program in (exporting.to_python(model),):
        module: dict[str, object] = {}
        exec(program, module)
        assert module["explain"]({"a": None, "b": 0.0})["text"] == explained.to_text()  # type: ignore[operator]
    refusing = DNFClassifier(k=1, learner="greedy", binariser=TableBinariser(missing="refuse")).fit(
        known, y[known.index]
    )
    with pytest.raises(ValueError, match="column 'a' must have no missing values, as in training; got one in row 1"):
        refusing.predict(X.iloc[3:4])


def test_texts_of_reasons_are_for_one_outcome(
    tmp_path: Path, table: pl.DataFrame, fit, capsys: pytest.CaptureFixture[str]
) -> None:
    fit(table)
    texts = tmp_path / "texts.csv"
    texts.write_text("column,code,text\nmonths,R1,Too short a time with us\n,R9,Other\n", "utf-8")
    ask = ["explain", str(tmp_path / "model.json"), str(tmp_path / "table.csv"), "--texts", str(texts)]
    assert main(ask) == 2
    assert "--texts must name the decisions it is about" in capsys.readouterr().err
    texts.write_text("column,code,text,outcome\nmonths,R1,Too short a time with us,yes\n,R9,Other,yes\n", "utf-8")
    assert main(ask) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {bool(row["reason code 1"]) for row in rows if row["predicted"] == "yes"} == {True}
    assert {bool(row["reason code 1"]) for row in rows if row["predicted"] == "no"} == {False}
    texts.write_text("column,code,text,outcome\nmonths,R1,Too short a time with us,no\n,R9,Other,no\n", "utf-8")
    assert main(ask) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {bool(row["reason code 1"]) for row in rows if row["predicted"] == "yes"} == {False}
    kept = model_of(tmp_path).with_settings(notice_codes={"no": {"months": ("R1", "Too short a time with us")}})
    exporting.to_json(kept, tmp_path / "kept.json")
    assert exporting.from_json(tmp_path / "kept.json").fitted_.reason_texts.outcome == "no"
    query = exporting.to_sql(kept, dialect="duckdb", table="t", principal=1)
    assert query
    with pytest.raises(ValueError, match="outcome must be one of no, yes; got 'maybe'"):
        kept.with_settings(notice_codes={"maybe": {"months": "Too short"}})
    with pytest.raises(ValueError, match="texts must be for one outcome; got 2: no, yes"):
        ReasonTexts.of_given({"no": {}, "yes": {}})


def test_rows_are_held_out_by_time_or_group(table: pl.DataFrame, fit) -> None:
    later = table.filter(pl.col("since") > pl.date(2021, 6, 30)).height
    found, _ = fit(table, "--test-after", "since", "2021-06-30")
    assert found["test_rows"] == later
    found, _ = fit(table, "--test-group", "town")
    sizes = dict(table["town"].value_counts().rows())
    assert found["test_rows"] in sizes.values()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--test-after", "town", "Bern"), "--test-after must name a column of dates or numbers; got town."),
        (("--test-after", "since", "later"), "--test-after must compare with dates such as 2020-12-31; got later."),
        (("--test-after", "since", "2099-01-01"), "--test-after must leave rows held out; got none."),
        (("--test-group", "towns"), "--test-group must name a column"),
        (("--test-after", "fee", "1", "--test-group", "town"), "--test-after must be left out with --test-group"),
    ],
)
def test_bad_holdouts_are_refused(
    table: pl.DataFrame, tmp_path: Path, options: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    table.write_csv(tmp_path / "table.csv")
    assert main(["fit", str(tmp_path / "table.csv"), "--target", TARGET, *GREEDY, *options]) == 2
    assert message in capsys.readouterr().err


def noisy(values: pl.Series, share: float) -> pl.Series:
    flip = np.random.default_rng(3).random(len(values)) < share
    return pl.Series([("no" if v == "yes" else "yes") if f else v for v, f in zip(values, flip, strict=True)])


def test_remarks_on_columns(table: pl.DataFrame, fit) -> None:
    rng = np.random.default_rng(4)
    rows = table.height
    weight = [f"{w} kg" if i % 2 else f"{w * 1000} g" for i, w in enumerate(rng.integers(50, 90, rows).tolist())]
    odd = table.with_columns(
        pl.Series("weight", weight),
        pl.Series("clock", [f"{h:02}:{m:02}" for h, m in rng.integers(0, 24, (rows, 2)).tolist()]),
        pl.Series("created_at", 1_600_000_000 + rng.integers(0, 10**7, rows)),
        pl.Series("precinct", rng.integers(1, 9, rows)),
        pl.Series("visit", [i % 7 + 1 for i in range(rows)]),
        pl.Series("subject_id", [i // 7 + 300 for i in range(rows)]),
        pl.Series("ended", noisy(table[TARGET], 0.002)),
    )
    _, remarks = fit(odd, "--ignore", "months")
    assert "weight: amounts in several units (g, kg): write them in one unit" in remarks
    assert "clock: times of day: convert them to hours" in remarks
    assert "created_at: probably seconds since 1970" in remarks
    assert "precinct: 8 whole numbers that look like codes" in remarks
    assert "--as precinct=category" in remarks
    assert "subject_id: numbers that name groups of rows" in remarks
    assert "ended: alone gives 99." in remarks


def test_a_pair_that_tells_the_label_and_protected_columns_are_named(fit) -> None:
    rng = np.random.default_rng(5)
    grade, age, other = (rng.integers(0, 10, 800) for _ in range(3))
    label = np.where((grade > 4) & (age > 5), "yes", "no")
    _, remarks = fit(pl.DataFrame({"grade": grade, "age": age, "other": other, TARGET: label}))
    assert "together with" in remarks
    assert "gives 100.0% of the labels: a leak?" in remarks
    assert "age: used by the model; many laws restrict that" in remarks
    assert "--ignore age" in remarks


def test_what_is_said_of_several_columns_is_one_remark(table: pl.DataFrame, fit) -> None:
    same = table.with_columns(pl.lit(1).alias("a"), pl.lit(1).alias("b"), pl.lit("x").alias("c, d"))
    running = same.with_columns(pl.int_range(pl.len()).alias("id"), pl.int_range(pl.len()).alias("row"))
    _, remarks = fit(running, "--ignore", "months")
    assert "a, b: the same value, 1, in every row: nothing to learn from\n" in remarks
    assert "c, d: the same value, 'x', in every row" in remarks
    assert "id, row: a running number, left out (--as id=keep --as row=keep)\n" in remarks


def test_numbers_of_customers_some_of_whom_come_twice_are_left_out() -> None:
    numbers = np.random.default_rng(0).permutation(np.repeat(np.arange(180) * 7919 + 63_375, 1 + (np.arange(180) < 20)))
    X, y = pd.DataFrame({"ID": numbers, "a": np.arange(200) % 3}), np.arange(200) % 2
    with pytest.warns(TableWarning, match="ID: left out: 180 different numbers in 200 rows, probably identifiers"):
        model = DNFClassifier(k=1, learner="greedy").fit(X, y)
    assert "ID" not in str(model.binariser_.get_feature_names_out())


def test_a_running_number_that_starts_anew_is_named() -> None:
    X = pd.DataFrame({"visit": [i % 40 + 1 for i in range(400)], "a": np.arange(400) % 3})
    y = np.arange(400) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        model = DNFClassifier(k=1, learner="greedy").fit(X, y)
    assert "visit: a running number that restarts" in str(model.columns_report_)


def test_units_are_carried_into_reasons() -> None:
    fees = [1000 + i * 37 % 997 for i in range(100)]
    X, y = pd.DataFrame({"fee": [f"{fee} €" for fee in fees]}), [fee > 1500 for fee in fees]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        model = DNFClassifier(k=1, learner="greedy").fit(X, y)
    assert "fee is 1000 € (1500 € or less)" in str(model.explain(X[:1]))


def test_an_audit_reads_the_case_of_a_query(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    query = tmp_path / "rules.sql"
    query.write_text("SELECT id, CASE WHEN income < 20 THEN 'no' ELSE 'yes' END AS decision FROM people;\n", "utf-8")
    assert main(["audit", str(query)]) == 0
    assert "1 rules over 1 columns" in capsys.readouterr().out
    query.write_text("SELECT CASE WHEN a < 1 THEN 'x' END, CASE WHEN b < 1 THEN 'y' END FROM people\n", "utf-8")
    assert main(["audit", str(query)]) == 2
    assert "a query must hold one CASE ... END; got 2" in capsys.readouterr().err


def test_recourse_answers_for_many_rows(
    table: pl.DataFrame, tmp_path: Path, fit, capsys: pytest.CaptureFixture[str]
) -> None:
    fit(table)
    ask = ["recourse", str(tmp_path / "model.json"), str(tmp_path / "table.csv"), "--row"]
    assert main([*ask, "2,5-6"]) in (0, 1)
    assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == ["row 2", "row 5", "row 6"]
    assert main([*ask, "700"]) == 2
    assert "--row must be a row of the table, 1 to 600; got 700." in capsys.readouterr().err
    model = model_of(tmp_path)
    several = model.recourse(table[:3])
    assert [str(one) for one in several] == [str(model.recourse(table[i : i + 1])) for i in range(3)]


def test_explanations_print_and_names_of_several_levels_are_joined() -> None:
    X = pd.DataFrame({("a", "x"): [0, 1] * 20, ("a", "y"): [0, 0, 1, 1] * 10})
    model = DNFClassifier(k=2, learner="greedy").fit(X, [0, 0, 0, 1] * 10)
    assert model.feature_names_in_.tolist() == ["a x", "a y"]
    lines = str(model.explain(X)).splitlines()
    assert lines[0].startswith("1: Class 0 because a x is 0")
    assert lines[-1] == "... and 20 more"
    assert "because" in str(model.explain({"a x": 1, "a y": 1}))


def test_choose_sets_the_constant_and_logistic_regression_beside(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(6)
    label = np.where(rng.random(300) < 0.2, "yes", "no")
    pl.DataFrame({"a": rng.normal(size=300), "b": rng.normal(size=300), TARGET: label}).write_csv(tmp_path / "t.csv")
    options = ["--target", TARGET, "--k", "1", "2", "--folds", "3", "--learner", "greedy"]
    assert main(["choose", str(tmp_path / "t.csv"), *options]) == 0
    said = capsys.readouterr().out
    assert "logistic regression 0." in said
    assert "always the most frequent label 0." in said


def test_accuracies_have_intervals(table: pl.DataFrame, fit) -> None:
    found, _ = fit(table)
    low, high = found["test_interval"]
    assert low < found["test_accuracy"] < high


def test_help_of_fit_is_in_groups(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["fit", "--help"])
    text = capsys.readouterr().out
    first, *groups = text.split("\n\n")[2:]
    for name in ("columns and their values", "rows held out", "form and size", "time and tables", "fairness"):
        assert any(group.startswith(name) for group in groups)
    assert sum(line.startswith("  -") for group in [first, *groups[:1]] for line in group.splitlines()) < 20
