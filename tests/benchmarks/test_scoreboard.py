"""The harness as a program: cells are kept while nothing they depend on changes, and come out the same each time."""

from __future__ import annotations

import doctest
import importlib
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from benchmarks.board import methods, page, readme, runs
from benchmarks.board.cells import read_cells, write_cells
from benchmarks.board.data import GROUPS, division, has_size
from benchmarks.board.methods import METHODS, ROOT, RUN, Worker
from benchmarks.board.running import Chosen, Runner, rebuilt, sample
from benchmarks.board.runs import note_run, read_runs

PARTS = ("collection", "data", "encoding", "fresh", "reasons", "significance", "tables", "text")
RESULTS = ROOT / "benchmarks" / "results"


@pytest.mark.parametrize("part", PARTS)
def test_examples_in_docstrings(part):
    assert doctest.testmod(importlib.import_module(f"benchmarks.board.{part}")).failed == 0


def chosen(*methods, data=("concept-304", "concept-310"), bounds=(2, 3), splits=(0,)):
    return Chosen(methods, data, bounds, splits)


def test_cells_are_run_once_and_again_when_what_they_depend_on_changes(tmp_path, monkeypatch):
    runner = Runner(tmp_path, tmp_path / "work", processes=2)
    what = chosen("cart-boolean", "greedy-list")
    wanted = [key for key in what.cells() if key[0] == "cart-boolean"]
    assert wanted == [("cart-boolean", name, 0, k, 0) for k in (2, 3) for name in ("concept-304", "concept-310")]
    found = list(runner.run(wanted))
    assert sorted(cell.key for cell in found) == sorted(wanted)
    assert all(cell.ok and cell.largest_reason <= cell.k for cell in found)
    assert runner.missing(chosen("cart-boolean")) == []
    for change in ("version", "division"):
        write_cells(tmp_path, "cart-boolean", [type(cell)(**{**vars(cell), change: "other"}) for cell in found])
        assert runner.missing(chosen("cart-boolean")) == wanted
    write_cells(tmp_path, "cart-boolean", [type(cell)(**{**vars(cell), "commit": "other"}) for cell in found])
    assert runner.missing(chosen("cart-boolean")) == [], "the commit says when it was run"
    before = METHODS["idnf"].version()
    monkeypatch.setattr(methods, "our_digest", lambda: "another")
    METHODS["idnf"].version.cache_clear()
    assert METHODS["idnf"].version() == f"{before.rpartition(' ')[0]} another", "ours depends on the sources that learn"
    METHODS["idnf"].version.cache_clear()


def test_other_seeds_are_for_methods_with_chance_in_them():
    what = Chosen(["cart", "pystreed"], ["concept-304"], [2], [0], [0, 1])
    assert list(what.cells()) == [
        ("cart", "concept-304", 0, 2, 0),
        ("pystreed", "concept-304", 0, 2, 0),
        ("cart", "concept-304", 0, 2, 1),
    ]


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


def test_groups_are_run_by_the_samples_of_the_settings():
    quick, slow = METHODS["cart"], METHODS["contree"]
    assert set(sample(slow, "fresh", 600)) < set(sample(quick, "fresh", 600)) <= set(GROUPS["fresh"])
    assert len(sample(slow, "fresh", 600)) == RUN["slow_tables"]["600"]
    splits = {method: {key[2] for key in Chosen([method], ["fresh"], [2]).cells()} for method in ("cart", "contree")}
    assert splits == {"cart": {0, 1, 2}, "contree": {0}}
    named = {key[1] for key in Chosen(["cart"], GROUPS["generated"], [2], sizes=(600, 3_000)).cells()}
    assert {name for name in named if "@" not in name} == set(GROUPS["generated"])
    assert {name for name in named if "@" in name} == {f"{n}@3000" for n in GROUPS["generated"] if has_size(n, 3_000)}


def test_fresh_tables_are_looked_at_by_name_only(tmp_path, monkeypatch):
    assert "not looked at" in page.looks(tmp_path)
    for commit, methods_ in (("a1", "cart idnf"), ("b2", "cart"), ("a1", "figs")):
        monkeypatch.setattr(runs, "our_commit", lambda commit=commit: commit)
        note_run(tmp_path, ["checked", "fresh"], f"python benchmarks/scoreboard.py --methods {methods_}", 3)
    monkeypatch.setattr(runs, "our_commit", lambda: "c3")
    note_run(tmp_path, ["checked"], "python benchmarks/scoreboard.py --methods idnf", 3)
    date = read_runs(tmp_path)[0]["date"]
    said = f"ours was measured on them at a1 ({date}); peers alone at b2 ({date})"
    assert page.looks(tmp_path) == f"Commits that looked at the fresh tables: {said}."


SAMPLE = Chosen(["cart"], ["concept-303", "concept-304", "concept-306"], [3], [0])
"""Cells of the results on tables that need no package, by a method that runs in this environment."""


def test_a_sample_of_cells_comes_out_the_same_and_a_figure_that_differs_is_said(tmp_path):
    cells = [cell for cell in read_cells(RESULTS, ["cart"]) if cell.data in SAMPLE.data]
    if METHODS["cart"].version() != cells[0].version:
        pytest.skip(f"made with {cells[0].version}, which is not the version here")
    five_digits = float(f"{cells[0].accuracy:.5g}")
    wrong = {"concept-304": {"accuracy": 1.5}, "concept-303": {"accuracy": five_digits}}
    assert (cells[0].data, cells[0].accuracy != five_digits) == ("concept-303", True)
    write_cells(tmp_path, "cart", [type(cell)(**{**vars(cell), **wrong.get(cell.data, {})}) for cell in cells])
    found = {cell.data: said for cell, said in rebuilt(SAMPLE, tmp_path, Runner(tmp_path / "anew", tmp_path / "work"))}
    assert set(found) == set(SAMPLE.data)
    assert [data for data, said in found.items() if said] == ["concept-304"]
    assert re.fullmatch(r"accuracy \d+\.\d+ instead of 1\.5", *found["concept-304"])


@pytest.mark.slow
def test_a_fresh_clone_rebuilds_a_column(tmp_path):
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", ROOT, tmp_path / "clone"], check=True)
    command = "benchmarks/scoreboard.py --rebuild cart --data generated --sizes 600 --k 3 --splits 0"
    paths = {**os.environ, "PYTHONPATH": str(tmp_path / "clone" / "src")}
    found = subprocess.run(
        [sys.executable, *command.split()],
        cwd=tmp_path / "clone",
        env=paths,
        capture_output=True,
        text=True,
        check=False,
    )
    assert re.search(r"cart: [1-9]\d* cells run anew, 0 differ", found.stdout), found.stdout + found.stderr


@pytest.fixture(scope="module")
def found():
    return page.boards(RESULTS)


def test_the_page_is_made_of_the_results(found):
    assert page.page(RESULTS, found) == (RESULTS / "scoreboard.md").read_text("utf-8")


def test_the_figures_of_the_readme_are_those_of_the_results(found):
    text = (ROOT / "README.md").read_text("utf-8")
    assert text.split(readme.START)[1].split(readme.END)[0] == f"\n{readme.short_table(RESULTS, found)}"
