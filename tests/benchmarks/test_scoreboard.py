"""The harness as a program: cells are kept while nothing they depend on changes, and come out the same each time."""

from __future__ import annotations

import doctest
import importlib
import random

import numpy as np
import pytest
from benchmarks.board import page, running
from benchmarks.board.cells import SEEDED, read_cells, rounded, write_cells
from benchmarks.board.data import GROUPS, checksum, division
from benchmarks.board.methods import METHODS, ROOT, Worker
from benchmarks.board.running import Chosen, Runner
from tests.strategies import seeds

PARTS = ("collection", "data", "encoding", "fresh", "reasons", "significance", "text")
RESULTS = ROOT / "benchmarks" / "results"


@pytest.mark.parametrize("part", PARTS)
def test_examples_in_docstrings(part):
    assert doctest.testmod(importlib.import_module(f"benchmarks.board.{part}")).failed == 0


def chosen(*methods, data=("concept-304", "concept-310"), bounds=(2, 3), splits=(0,)):
    return Chosen(methods, data, bounds, splits)


def test_cells_are_run_once(tmp_path):
    runner = Runner(tmp_path, tmp_path / "work")
    what = chosen("cart-boolean", "greedy-list")
    wanted = [key for key in what.cells() if key[0] == "cart-boolean"]
    assert wanted == [("cart-boolean", name, 0, k, 0) for k in (2, 3) for name in ("concept-304", "concept-310")]
    found = list(runner.run(wanted))
    assert [cell.key for cell in found] == wanted
    assert all(cell.ok and cell.largest_reason <= cell.k for cell in found)
    assert runner.missing(chosen("cart-boolean")) == []


def test_other_seeds_are_for_methods_with_chance_in_them():
    what = Chosen(["cart", "pystreed"], ["concept-304"], [2], [0], [0, 1])
    assert list(what.cells()) == [
        ("cart", "concept-304", 0, 2, 0),
        ("pystreed", "concept-304", 0, 2, 0),
        ("cart", "concept-304", 0, 2, 1),
    ]


def test_cells_are_run_again_when_what_they_depend_on_changes(tmp_path, monkeypatch):
    runner = Runner(tmp_path, tmp_path / "work")
    what = chosen("cart-boolean", data=("concept-304",), bounds=(2,))
    (cell,) = runner.run(list(what.cells()))
    for change in ("version", "division"):
        write_cells(tmp_path, "cart-boolean", [type(cell)(**{**vars(cell), change: "other"})])
        assert runner.missing(what) == [cell.key]
    write_cells(tmp_path, "cart-boolean", [cell])
    monkeypatch.setattr(running, "our_commit", lambda: "another")
    assert runner.missing(what) == [], "peers do not depend on our commit"
    ours = chosen("idnf", data=("concept-304",), bounds=(2,))
    (mine,) = ours.cells()
    assert runner.made_from(mine)[1] == "another"


def test_a_method_for_two_classes_says_so_without_being_run(tmp_path, monkeypatch):
    monkeypatch.setattr(METHODS["ripper"].__class__, "version", lambda _: "1")
    (cell,) = Runner(tmp_path, tmp_path / "work").run([("ripper", "concept-304", 0, 2, 0)])
    assert (cell.status, cell.accuracy) == ("two classes only", None)


def test_a_learner_that_fails_or_does_not_end_is_shown_with_its_message(tmp_path, monkeypatch):
    (tmp_path / "bad.py").write_text(
        "import os, sys\n"
        f"sys.path.insert(0, {str(ROOT / 'benchmarks' / 'peers')!r})\n"
        "from worker import work\n"
        "def raises(table, k):\n    print('aside')\n    raise ValueError('no such thing')\n"
        "def crashes(table, k):\n    os._exit(3)\n"
        "def spins(table, k):\n    while k > 2: pass\n"
        "work({'cart': raises, 'cart-boolean': crashes, 'random-forest': spins})\n"
    )
    arrays = division("concept-304", 0)
    np.savez(tmp_path / "d-0.npz", **arrays)
    cells = ["cart:d:0:3:0", "cart-boolean:d:0:3:0", "random-forest:d:0:3:0"]
    monkeypatch.setenv("SCOREBOARD_SECONDS", "1")
    messages = [answer["message"] for answer in Worker(tmp_path / "bad.py").answers(tmp_path, cells)]
    assert messages[0] == "ValueError: no such thing (bad.py)"
    assert "ended by itself" in messages[1]
    assert messages[2] == "not done in 1 processor seconds"


def test_a_worker_that_ends_says_why(tmp_path):
    (tmp_path / "bad.py").write_text("raise SystemExit('no such package')")
    with pytest.raises(RuntimeError, match="no such package"):
        list(Worker(tmp_path / "bad.py").answers(tmp_path, []))


def sample():
    """A few cells of seeded methods that run in this environment, on tables that need no package."""
    names = set(GROUPS["headline"])
    found = [
        cell
        for cell in read_cells(RESULTS, ["cart", "cart-boolean", "random-forest"])
        if cell.ok and cell.data in names and cell.data.startswith("concept")
    ]
    return random.Random(0).sample(found, min(len(seeds(2, 5)), len(found)))


def test_a_sample_of_cells_comes_out_the_same(tmp_path):
    cells = sample()
    assert cells, "the results have cells of CART on generated tables"
    runner = Runner(tmp_path, tmp_path / "work")
    if runner.made_from(cells[0].key)[0] != cells[0].version:
        pytest.skip(f"made with {cells[0].version}, which is not the version here")
    for cell in cells:
        assert checksum(division(cell.data, cell.split)) == cell.division
        (again,) = runner.run([cell.key])
        differing = [name for name in SEEDED if getattr(rounded(again), name) != getattr(cell, name)]
        assert not differing, f"{cell.key}: {differing}"


def test_the_page_is_made_of_the_results():
    assert page.page(RESULTS) == (RESULTS / "scoreboard.md").read_text("utf-8")


def test_the_figures_of_the_readme_are_those_of_the_results():
    assert page.short_table(RESULTS) in (ROOT / "README.md").read_text("utf-8")
