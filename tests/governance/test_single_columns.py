"""The example of a feature of governance counts what explanations say, and writes it as a section."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from idnf import DNFClassifier

PROGRAM = Path(__file__).parent.parent.parent / "examples" / "single_columns.py"
POLICY = DNFClassifier.from_dnf("late | owner & member", classes=("yes", "no"))


@pytest.fixture(scope="module")
def program():
    return runpy.run_path(str(PROGRAM))


def decided(count=60):
    rng = np.random.default_rng(4)
    truths = {name: rng.random(count) < 0.5 for name in ("late", "owner", "member")}
    return pd.DataFrame({**truths, "day": np.datetime64("2026-01-15") + np.arange(count)})


@pytest.mark.parametrize("lazy", [False, True])
def test_shares_are_those_of_the_explanations(program, lazy):
    table = decided()
    months = [f"{day:%Y-%m}" for day in table["day"]]
    alone = [one.axp_columns[0] if len(one.axp_columns) == 1 else None for one in POLICY.explain(table)]
    expected = {month: np.mean([one == "late" for one, m in zip(alone, months) if m == month]) for month in set(months)}
    given = table
    if lazy:
        import polars as pl

        given = pl.from_pandas(table).lazy()
    assert program["single_column_shares"](POLICY, given, by="day") == {"late": pytest.approx(expected)}
    assert {one for one in alone if one is not None} == {"late"}


def test_the_section_names_every_month(program):
    shares = program["single_column_shares"](POLICY, decided(), by="day")
    text = program["as_section"](shares).to_markdown()
    assert text.startswith("## Decisions that rest on one column alone\n\n| month | late |")
    assert all(f"| {month} | {share:.1%} |" in text for month, share in shares["late"].items())


def test_a_model_without_such_reasons_has_an_empty_table(program):
    both = DNFClassifier.from_dnf("a & b | ~a & ~b", classes=("no", "yes"))
    table = pd.DataFrame({"a": [True, False], "b": [True, True], "day": ["1", "2"]})
    assert program["single_column_shares"](both, table, by="day") == {}
    assert "<svg" not in program["as_section"]({}).to_html()


def test_the_program_prints_and_writes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(PROGRAM), run_name="__main__")
    assert "| 2026-01 |" in capsys.readouterr().out
    assert (tmp_path / "single-columns.html").read_text("utf-8").count("<svg") == 1
