"""The commands that help to choose."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

import pytest
from tests.first_hour.traps import TARGET, clean_table

from idnf import DNFClassifier, exporting
from idnf.choosing import operating_points
from idnf.cli import main, parse


@pytest.fixture
def table(tmp_path: Path) -> Path:
    clean_table().write_csv(tmp_path / "table.csv")
    return tmp_path / "table.csv"


def run(*arguments: object) -> int:
    return main([str(argument) for argument in arguments])


def test_the_default_k_is_one_everywhere() -> None:
    commands = (parse([name, "table.csv", "--target", "y"])[1] for name in ("fit", "points"))
    here = inspect.signature(operating_points).parameters["k"].default
    assert {DNFClassifier().k, here, *(asked.k for asked in commands)} == {3}


def test_choose_prints_a_line_for_each_k(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask = ("choose", table, "--target", TARGET, "--learner", "greedy", "--folds", 2, "--k", 1)
    assert run(*ask, 2, "--plot", table.with_name("k.svg")) == 0
    printed = capsys.readouterr().out
    assert "tree of depth k" in printed
    assert "is the smallest that does as well as any" in printed
    assert table.with_name("k.svg").read_text("utf-8").startswith("<svg")
    assert run(*ask, "--json") == 0
    assert json.loads(capsys.readouterr().out)["k"] == [1]


@pytest.mark.parametrize("command", ["choose", "points"])
def test_pictures_of_other_formats_are_refused_before_anything_is_read(command, capsys) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(command, "nowhere.csv", "--target", TARGET, "--plot", "k.png")
    assert "--plot must end in .svg, since pictures are written as SVG; got k.png" in capsys.readouterr().err


def test_points_write_the_model_asked_for(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = table.with_name("model.json")
    ask = ("points", table, "--target", TARGET, "--learner", "greedy", "--k", 2, "--costs", 1, 6)
    assert run(*ask, "--recall", 0.9, "-o", model) == 0
    printed = capsys.readouterr().out
    assert "of them yes; cost: what a missed one counts" in printed
    assert exporting.from_json(model).classes_.tolist() == ["no", "yes"]


def test_fit_can_choose_k(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ask = ("fit", table, "--target", TARGET, "--learner", "greedy", "--k", "auto", "-o", table.with_name("model.json"))
    assert run(*ask, "--json") == 0
    printed, remarks = capsys.readouterr()
    assert f"k = {json.loads(printed)['k']} is the smallest" in remarks


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("choose", "--k", 0), "--k must be at least 1; got 0."),
        (("choose", "--folds", 1), "--folds must be at least 2; got 1."),
        (("points", "--k", 0), "--k must be at least 1; got 0."),
        (("points", "--costs", -1), "--costs must be above 0; got -1."),
    ],
)
def test_options_out_of_range_are_named(
    table: Path, words: tuple[object, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command, *options = words
    with pytest.raises(SystemExit, match="2"):
        run(command, table, "--target", TARGET, *options)
    assert f"idnf {command}: {message}" in capsys.readouterr().err
