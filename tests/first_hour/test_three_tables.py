"""What three tables nobody had used showed: a bank's German export, a weather record, a survey of ordered answers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

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
    for held, told in ((), ()), (("--test-after", "Datum", "01.06.2024"),) * 2, (("--test-size", "0"), ()):
        assert run("fit", table, "--target", "Entscheidung", "--learner", "greedy", "-o", model, *held) == 0
        assert run("verify", model, table, *told) == 0, capsys.readouterr()
        assert run("verify", model, table, "--test-size", "0.5") == 1
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
        ("fit kredit.csv", "idnf fit: --target must be given. idnf fit --help lists"),
        ("fitt kredit.csv", "got fitt. Did you mean fit?"),
        ("fit kredit.csv --target Entscheidung --k drei", "--k must be a whole number or auto; got drei."),
        ("fit kredit.csv --target entscheidung", "got entscheidung. Did you mean Entscheidung?"),
        ("fit kredit.csv --target Entscheidung --positive abgelent", "got abgelent. Did you mean abgelehnt?"),
        ("fit kredit.csv --target Entscheidung --class-weight bewiligt=2", "got bewiligt. Did you mean bewilligt?"),
        ("fit kredit.csv --target Entscheidung --monotone verheiratet=1", "--monotone['verheiratet'] must be 0"),
        ("fit kredit.csv --target Antrag", "got Antrag with 240, most often A-0 (1), "),
        ("bands kredit.csv --target Entscheidung --boundaries 10,30", "--boundaries must be ascending probabilities"),
        ("bands kredit.csv --target Entscheidung --boundaries 0.2 --names a", "--names must be 2, one more than"),
        ("fit kredit.csv --target Entscheidung --encoding utf-9", "--encoding must be one that Python knows"),
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
    assert "Give --field sender=TEXT --field contact=TEXT --field agency=TEXT, in" in capsys.readouterr().err
    assert run(*write, "--field", "sender=a", "--field", "contact=b", "--field", "agency=c") == 0
    first = min((bank / "letters").iterdir()).read_text("utf-8")
    named = first.partition("The principal reasons for this decision are:")[2].split("\n\n")[1].splitlines()
    assert named
    for line in named:
        assert " is " in line
        assert "&gt;" not in line
        assert "or missing" not in line
