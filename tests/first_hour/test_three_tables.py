"""What three tables nobody had used showed: a bank's German export, a weather record, a survey of ordered answers."""

from __future__ import annotations

import json
import re
import subprocess
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from idnf import DNFClassifier, TableWarning, exporting
from idnf.cli import main
from idnf.tables.binariser import TableBinariser


def run(*words: object) -> int:
    return main([str(word) for word in words])


def german(number: float, digits: int = 2) -> str:
    return f"{number:,.{digits}f}".translate(str.maketrans(",.", ".,"))


def credit(rows: int = 240) -> pd.DataFrame:
    """A bank's export: points between thousands, decimal commas, days first, three spellings of yes."""
    drawn = np.random.default_rng(0)
    amount, ratio = drawn.integers(20, 980, rows), drawn.uniform(5, 60, rows)
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.arange(rows), unit="D")
    return pd.DataFrame(
        {
            "Antrag": [f"A-{n}" for n in range(rows)],
            "Datum": days.strftime("%d.%m.%Y"),
            "Betrag": [f"{german(1000 * n, 0)} €" for n in amount],
            "Belastung": [f"{german(r, 1)} %" for r in ratio],
            "verheiratet": drawn.choice(["Ja", "ja", "JA", "Nein"], rows),
            "Entscheidung": np.where((ratio > 35) | (amount > 800), "abgelehnt", "bewilligt"),
        }
    )


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    credit().to_csv(tmp_path / "kredit.csv", sep=";", index=False)
    return tmp_path


def test_points_in_one_column_stand_between_thousands_if_another_has_decimal_commas() -> None:
    fitted = TableBinariser().fit(credit(), credit()["Entscheidung"])
    assert fitted.readings_["Betrag"].values(["89.000 €"]) == [89_000.0]
    assert fitted.readings_["Belastung"].values(["34,5 %"]) == [34.5]


def test_spellings_that_are_merged_are_not_said_to_differ(bank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learn = ("fit", bank / "kredit.csv", "--target", "Entscheidung", "--learner", "greedy", "-o", bank / "m.json")
    assert run(*learn) == 0
    assert "verheiratet: 'JA', 'Ja', 'ja' differ in capitals only" in capsys.readouterr().err
    assert run(*learn, "--merge-spellings") == 0
    assert "differ in capitals" not in capsys.readouterr().err


def test_a_model_is_held_against_its_table_however_fit_held_rows_out(
    bank: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, model = bank / "kredit.csv", bank / "m.json"
    later, other = ("--test-after", "Datum", "01.06.2024"), bank / "some.csv"
    credit()[10:].to_csv(other, sep=";", index=False)
    for held in ((), later, ("--test-size", "0"), ("--test-group", "Antrag")):
        assert run("fit", table, "--target", "Entscheidung", "--learner", "greedy", "-o", model, *held) == 0
        assert run("verify", model, table) == 0, capsys.readouterr()
        assert run("verify", model, other) == 1
        capsys.readouterr()


def test_periods_are_months_however_dates_are_written(bank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table, model = bank / "kredit.csv", bank / "m.json"
    assert run("fit", table, "--target", "Entscheidung", "--learner", "greedy", "-o", model, "-q") == 0
    capsys.readouterr()
    assert run("monitor", model, table, "--by", "Datum", "--json", "-q") == 0
    periods = json.loads(capsys.readouterr().out)["periods"]
    assert [one["period"] for one in periods] == [f"2024-0{month}" for month in range(1, 9)]
    assert run("monitor", model, table, "--by", "Datm", "-q") == 2
    assert "--by must name a column (Antrag, Datum" in (said := capsys.readouterr().err)
    assert "Did you mean Datum?" in said


def test_bands_say_what_they_made_of_the_columns(bank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ("bands", bank / "kredit.csv", "--target", "Entscheidung", "--effort", "0.1", "-o", bank / "b.json")
    assert run(*words, "--boundaries", "1") == 0
    assert "Antrag: left out: 180 different values in 180 rows" in capsys.readouterr().err
    assert run(*words, "--monotone", "Betrg=1") == 2
    assert "--monotone must name a column (" in (said := capsys.readouterr().err)
    assert "got Betrg. Did you mean Betrag?" in said


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("fit kredit.csv --traget Entscheidung", "--traget is not an option of idnf fit. Did you mean --target? idnf"),
        (
            "fit kredit.csv",
            "--target must name a column (Antrag, Datum, Betrag, Belastung, verheiratet, Entscheidung); got none.",
        ),
        ("fitt kredit.csv", "got fitt. Did you mean fit?"),
        ("fit kredit.csv --target Entscheidung --k drei", "--k must be a whole number or auto; got drei."),
        ("fit kredit.csv --target entscheidung", "got entscheidung. Did you mean Entscheidung?"),
        ("fit kredit.csv --target Entscheidung --positive abgelent", "got abgelent. Did you mean abgelehnt?"),
        ("fit kredit.csv --target Entscheidung --class-weight bewiligt=2", "got bewiligt. Did you mean bewilligt?"),
        ("fit kredit.csv --target Entscheidung --monotone verheiratet=1", "--monotone['verheiratet'] must be 0"),
        ("fit kredit.csv --target Antrag", "got Antrag with 240, most often A-0 (1), "),
        ("bands kredit.csv --target Entscheidung --boundaries 10,30", "--boundaries must be ascending probabilities"),
        ("bands kredit.csv --target Entscheidung --boundaries 0.2 --names a", "--names must be 2, one more than"),
        ("fit kredit.csv --target Entscheidung --read encoding=utf-9", "encoding must be one that Python knows"),
        ("explain kredit.csv model.json", "kredit.csv is not a model file: "),
        ("explain kredit.csv model.json", "Commands take the model file first, then the table."),
    ],
)
def test_a_message_names_what_was_typed_and_the_remedy(
    bank: Path, typed: str, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(bank)
    try:
        code = run(*typed.split())
    except SystemExit as ended:
        code = int(str(ended.code))
    told = capsys.readouterr().err
    assert code == 2
    assert said in told
    assert "usage:" not in told


def test_the_command_alone_is_the_tour(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([])
    assert "learn a model from a table" in capsys.readouterr().out


def test_letters_name_the_values_of_the_case_and_all_fields_that_lack(
    bank: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, model, kept = bank / "kredit.csv", bank / "m.json", bank / "decisions.jsonl"
    learn = ("--target", "Entscheidung", "--learner", "greedy", "--ignore", "Datum,verheiratet")
    assert run("fit", table, *learn, "-o", model, "-q") == 0
    assert run("record", model, table, "--id", "Antrag", "-o", kept, "-q") == 0
    write = ("letters", kept, "--template", "credit-denial", "--outcome", "abgelehnt", "-o", bank / "letters")
    assert run(*write) == 2
    assert (
        "Give --field sender=TEXT --field contact=TEXT --field credit_bureau=TEXT --field regulator=TEXT, in"
        in capsys.readouterr().err
    )
    assert (
        run(
            *write,
            "--field",
            "sender=a",
            "--field",
            "contact=b",
            "--field",
            "credit_bureau=c",
            "--field",
            "regulator=d",
        )
        == 0
    )
    first = min((bank / "letters").iterdir()).read_text("utf-8")
    named = first.partition("The principal reasons for this decision are:")[2].split("\n\n")[1].splitlines()
    assert named
    for line in named:
        assert " is " in line
        assert "&gt;" not in line
        assert "or missing" not in line


@pytest.fixture
def model(bank: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A model of the bank's export, learned from amounts and a burden in percent."""
    learn = ("fit", bank / "kredit.csv", "--target", "Entscheidung", "--learner", "greedy", "--k", 2)
    assert run(*learn, "--ignore", "Datum,verheiratet", "-o", bank / "m.json", "-q") == 0
    capsys.readouterr()
    return bank / "m.json"


def test_amounts_to_be_predicted_are_read_as_other_columns_are(bank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learn = ("fit", bank / "kredit.csv", "--target", "Betrag", "--learner", "greedy", "-o", bank / "m.json")
    assert run(*learn) == 2
    assert "--positive '> 524000'" in capsys.readouterr().err
    assert run(*learn, "--positive", "> 500.000 €") == 0
    out, err = capsys.readouterr()
    assert "Betrag: numbers with . between thousands (--read decimal=. if it is a decimal mark)" in err
    assert "Betrag is over 500.000 €" in out
    assert run("report", bank / "m.json", bank / "kredit.csv", "-o", bank / "r.html", "--json") == 0
    figures = json.loads(capsys.readouterr().out)
    over = int((credit()["Betrag"].str.replace(r"\D", "", regex=True).astype(int) > 500_000).sum())
    assert "over 500.000 €" in (bank / "r.html").read_text("utf-8")
    assert sum(map(sum, figures["confusion"])) == 240, figures.keys()
    assert over in map(sum, figures["confusion"])


def test_answers_are_written_as_the_table_is(model: Path, bank: Path) -> None:
    table = credit().assign(Ort="Köln")
    table.to_csv(bank / "neu.csv", sep=";", index=False, encoding="cp1252")
    assert run("predict", model, bank / "neu.csv", "--proba", "-o", bank / "out.csv", "-q") == 0
    found = pd.read_csv(bank / "out.csv", sep=";", decimal=",", encoding="cp1252")
    assert found["Betrag"].tolist() == table["Betrag"].tolist()
    assert found["Ort"].tolist() == table["Ort"].tolist()
    assert (found["share of abgelehnt"] + found["share of bewilligt"]).between(0.999, 1.001).all()
    table.assign(Ort="Łódź").to_csv(bank / "neu.csv", sep="\t", index=False, encoding="utf-16")
    assert run("predict", model, bank / "neu.csv", "-o", bank / "out.csv", "-q") == 0
    assert pd.read_csv(bank / "out.csv", sep="\t", encoding="utf-16")["Ort"].unique().tolist() == ["Łódź"]


def test_an_answer_that_the_encoding_lacks_is_refused(
    model: Path, bank: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plain = json.loads(model.read_text("utf-8"))
    model.write_text(json.dumps({**plain, "classes": ["відмова", "так"]}), "utf-8")
    credit().assign(Ort="Köln").to_csv(bank / "neu.csv", sep=";", index=False, encoding="cp1252")
    assert run("predict", model, bank / "neu.csv", "-o", bank / "out.csv", "-q") == 2
    assert "answers must be writable in cp1252, as the table is; got " in capsys.readouterr().err
    assert not (bank / "out.csv").exists()


def test_letters_have_units_and_are_not_overwritten(
    model: Path, bank: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("record", model, bank / "kredit.csv", "--id", "Antrag", "-o", bank / "d.jsonl", "-q") == 0
    template = bank / "t.md"
    template.write_text("{{id}}\n- {{data}}\n", "utf-8")
    write = ("letters", bank / "d.jsonl", "--template", template, "--outcome", "abgelehnt", "-o", bank / "letters")
    assert run(*write) == 0
    letter = next((bank / "letters").iterdir())
    assert re.search(r"- Betrag: \d+ €\n", letter.read_text("utf-8"))
    assert run(*write) == 0, "the same letters again change nothing"
    letter.write_text("Sent on Monday.", "utf-8")
    assert run(*write) == 2
    assert f"folder must have no letter that says something else; got {letter}." in capsys.readouterr().err
    assert letter.read_text("utf-8") == "Sent on Monday."
    assert run(*write, "--overwrite") == 0
    assert "Betrag" in letter.read_text("utf-8")
    for word, program in (("python3", "python"), ("node", "javascript")):
        assert run("export", "--checker", "--to", program, "-o", bank / "check") == 0
        suffix = bank / f"check.{'py' if program == 'python' else 'js'}"
        (bank / "check").rename(suffix)
        ran = subprocess.run([word, suffix, bank / "d.jsonl", model], capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr


def test_one_language_says_where_the_other_reasons_are(bank: Path, capsys: pytest.CaptureFixture[str]) -> None:
    learn = ("fit", bank / "kredit.csv", "--target", "Entscheidung", "--learner", "greedy", "-o", bank / "m.json")
    assert run(*learn, "--family", "nested") == 0
    out, err = capsys.readouterr()
    assert "both=True" not in out
    assert "decimal='" not in err


def test_a_text_among_texts_of_numbers_counts_as_missing() -> None:
    grades = np.random.default_rng(0).integers(5, 13, 200)
    X, y = pd.DataFrame({"grade": grades.astype(str)}), grades > 8
    later = pd.DataFrame({"grade": ["7", "other"]})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        model = DNFClassifier(k=1, learner="greedy").fit(X, y)
        strict = DNFClassifier(k=1, learner="greedy", binariser=TableBinariser(unseen="refuse")).fit(X, y)
    said = r"grade: 1 value cannot be read as in training \(numbers such as 1234.5\) and counts as missing: 'other'"
    with pytest.warns(TableWarning, match=said):
        explained = model.explain(later)
    assert "grade is missing (counts as 9 or more)" in str(explained[1])
    with pytest.raises(
        ValueError, match="column 'grade' must hold numbers such as 1234.5, as in training; got 'other'"
    ):
        strict.predict(later)


def test_numbers_of_single_precision_have_the_digits_they_were_written_with() -> None:
    rates = np.random.default_rng(0).integers(0, 1000, 200) / 1000
    X, y = pd.DataFrame({"rate": rates.astype(np.float32)}), rates > 0.5
    model = DNFClassifier(k=1, learner="greedy").fit(X, y)
    texts = [f"rate is {rate:g} (" for rate in rates]
    module: dict[str, object] = {}
    exec(exporting.to_python(model), module)
    for row, text in list(enumerate(texts))[:20]:
        assert text in str(model.explain(X.iloc[[row]])[0])
        assert text in module["explain"]({"rate": float(X["rate"][row])})["text"]  # type: ignore[operator]


def test_a_missing_value_in_a_column_that_is_not_used_stops_nothing(model: Path, bank: Path) -> None:
    table = credit()
    table.loc[3, "verheiratet"] = None
    table.to_csv(bank / "leer.csv", sep=";", index=False)
    assert run("monitor", model, bank / "leer.csv", "--by", "Datum", "-q") == 0


def test_tests_that_stand_beside_what_was_found_are_there() -> None:
    folder = Path(__file__).parents[1]
    listed = (folder / "README.md").read_text("utf-8").partition("## The first hour")[2].partition("\n## ")[0]
    file = ""
    for given, name in re.findall(r"`([\w/]*\.py)?(?:::(test_\w+))?`", listed):
        file = given or file
        path = next((one for one in (folder / "first_hour" / file, folder / file) if one.is_file()), None)
        assert path is not None, file
        assert not name or f"def {name}(" in path.read_text("utf-8"), f"{file}::{name}"
