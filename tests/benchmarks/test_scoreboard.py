"""The harness as a program: cells are forgotten and run again one by one, and what made them is noted."""

from __future__ import annotations

import doctest
import importlib
import json
import sys

import pytest
from benchmarks.board import reporting
from benchmarks.board.data import PAPER
from benchmarks.board.methods import ROOT
from benchmarks.board.results import read_results
from benchmarks.board.tables import Board

PARTS = ("data", "reasons", "reporting", "results", "tables")


@pytest.mark.parametrize("part", PARTS)
def test_examples_in_docstrings(part):
    assert doctest.testmod(importlib.import_module(f"benchmarks.board.{part}")).failed == 0


@pytest.fixture
def scoreboard(monkeypatch, tmp_path):
    """The program, writing under a folder of its own."""
    monkeypatch.syspath_prepend(ROOT / "benchmarks")
    program = importlib.import_module("scoreboard")
    monkeypatch.setattr(program, "BUILD", tmp_path)

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["scoreboard.py", "--data", "balance-scale", "tic-tac-toe", *words])
        program.main()
        return {result.key: result for result in read_results(tmp_path / "scoreboard.csv")}

    return run


def test_cells_are_skipped_forgotten_and_run_again(scoreboard, capsys, tmp_path):
    first = scoreboard("--methods", "cart", "random-forest", "--k", "2", "3")
    assert sorted(first) == [
        *(("cart", name, 0, k) for name in ("balance-scale", "tic-tac-toe") for k in (2, 3)),
        *(("random-forest", name, 0, 0) for name in ("balance-scale", "tic-tac-toe")),
    ]
    assert "cart: 4 fits" in capsys.readouterr().out
    assert scoreboard("--methods", "cart", "--k", "2", "3") == first
    assert "fits" not in capsys.readouterr().out
    again = scoreboard("--methods", "cart", "--again", "cart", "--k", "3")
    assert "cart: 2 fits" in capsys.readouterr().out
    assert again.keys() == first.keys()
    kept = [key for key in first if key[3] != 3]
    assert [first[key] for key in kept] == [again[key] for key in kept]
    runs = json.loads((tmp_path / "scoreboard.json").read_text())["cart"]
    assert [run["command"].split(" --methods ")[1] for run in runs] == [
        "cart random-forest --k 2 3",
        "cart --again cart --k 3",
    ]


RESULTS = ROOT / "benchmarks" / "results"


def test_the_page_is_made_of_the_results():
    command = "python benchmarks/scoreboard.py --full"
    assert reporting.page(RESULTS, command=command) == (RESULTS / "scoreboard.md").read_text("utf-8")


def test_the_figures_of_the_readme_are_those_of_the_results():
    board = Board.of(read_results(RESULTS / "scoreboard.csv"), PAPER)
    assert reporting.short_table(board, RESULTS) in (ROOT / "README.md").read_text("utf-8")


def test_runs_are_noted_until_all_their_cells_are_forgotten(tmp_path):
    for command, anew in (("first", True), ("second", False), ("second", False), ("third", True)):
        reporting.record(tmp_path, "cart", command, anew=anew)
        commands = [run["command"] for run in json.loads((tmp_path / "scoreboard.json").read_text())["cart"]]
        assert commands == {"first": ["first"], "second": ["first", "second"], "third": ["third"]}[command]
