"""The engine of the page's editor against Python: decisions, counts, verdicts, reasons and words of random edits."""

from __future__ import annotations

import itertools
import random

import numpy as np
import polars as pl
import pytest
from tests.adversary.tally import count
from tests.exporting.cases import wide_case
from tests.exporting.edit_cases import edited_case, random_edits
from tests.naive_edits import decisions, needed
from tests.reporting.editor_node import node  # noqa: F401 - a fixture
from tests.strategies import seeds

import idnf
from idnf import DNFClassifier, InvalidArgument
from idnf.exporting.documents import Place
from idnf.exporting.edits_json import EDITS, edits_to_plain
from idnf.reporting import editor
from idnf.reporting.edit_grid import MOST_CELLS, Grid
from idnf.reporting.editor import editor_data, editor_tool

pytestmark = pytest.mark.filterwarnings("ignore::idnf.TableWarning")


def least_k(clf, edits):
    """The least k that the edited lines can keep, by the truth table over all cells."""
    columns = clf.binariser_.columns_
    found = idnf.adopt(clf, edits, k=len(columns)).classifier
    fine = [found.binariser_.columns_[j] for j in found.fitted_.used]
    if not fine:
        return 0
    frame = found.fitted_.sides.frame
    shape = [len(cells) for cells in frame.members]
    lows = [[(mask & -mask).bit_length() - 1 for mask in members] for members in frame.members]
    values = []
    for point in np.ndindex(*shape):
        cells = [0] * len(columns)
        for j, low, group in zip(frame.columns, lows, point, strict=True):
            cells[j] = low[group]
        values.append(found.fitted_.sides.label(tuple(cells)))
    return needed(np.array(values).reshape(shape))


def test_random_edits_have_the_decisions_counts_and_verdicts_of_python(node):  # noqa: F811
    for seed in seeds(60, 4000):
        rng = random.Random(seed)
        case = edited_case(seed, 80)
        clf, X = case.clf, case.frame
        y = np.array([rng.choice(("no", "yes")) for _ in range(X.height)])
        grid = Grid.of(clf.fitted_, X, clf.fitted_.numbers_of(y))
        edits = random_edits(clf, rng.randint(1, 5), rng, list(grid.columns))
        data = editor_data(clf, X, clf.fitted_.numbers_of(y), label=edits.label, model=edits.model)
        masks = [(j, rng.randint(1, column.full)) for j, column in enumerate(grid.columns) for _ in range(2)]
        masks += [(j, column.full & ~1 or 1) for j, column in enumerate(grid.columns)]
        sets = [[j, [mask >> cell & 1 for cell in range(len(grid.columns[j].labels))]] for j, mask in masks]
        found = node(clf, data, edits_to_plain(edits)["edits"], sets=sets)
        # Decisions and counts.
        expected, before = decisions(clf, edits, X), clf.predict(X)
        given = clf.classes_[np.array(found["given"], dtype=int)]
        cells = [column.cells(*(X[name] for name in column.sources)) for column in grid.columns]
        kinds = {tuple(kind): i for i, kind in enumerate(grid.cells.T.tolist())}
        assert [given[kinds[kind]] for kind in zip(*(some.tolist() for some in cells), strict=True)] == list(expected)
        pairs = [(true, label) for true in clf.classes_ for label in clf.classes_]
        confusion = [int(((y == true) & (expected == label)).sum()) for true, label in pairs]
        assert sum(found["confusion"], []) == confusion
        assert found["changed"] == [int(((expected != before) & (y == label)).sum()) for label in clf.classes_]
        # The verdict.
        least = least_k(clf, edits)
        count(f"edits whose verdict on the page is {found['answer']}, k = {clf.k}")
        assert found["answer"] in ("proved", "broken", "unsettled")
        assert found["answer"] != "proved" or least <= clf.k
        assert found["answer"] != "broken" or least > clf.k
        assert (found["answer"] == "broken") == (found["point"] is not None)
        if found["answer"] == "proved":
            adopted = idnf.adopt(clf, edits, X, y).classifier
            names = [sorted(e.axp_columns) for e in adopted.explain(X)]
            rows = [kinds[kind] for kind in zip(*(some.tolist() for some in cells), strict=True)]
            assert all(found["reasons"][i] == names[row] for row, i in enumerate(rows) if i < 40), seed
        # Words, and conditions written back.
        words = [grid.columns[j].words(mask) if mask != grid.columns[j].full else None for j, mask in masks]
        assert [said for said, own in zip(found["words"], words) if own] == [own for own in words if own]
        assert all(one == again for one, again in found["again"])


def test_edits_that_mend_are_proved_by_python_too(node):  # noqa: F811
    mended = 0
    for seed in seeds(40, 1500):
        rng = random.Random(seed)
        case = edited_case(seed, 60)
        clf, X = case.clf, case.frame
        true = clf.fitted_.numbers_of(np.array(case.labels))
        grid = Grid.of(clf.fitted_, X, true)
        edits = random_edits(clf, 3, rng, list(grid.columns))
        data = editor_data(clf, X, true, label=edits.label, model=edits.model)
        plain = edits_to_plain(edits)
        found = node(clf, data, plain["edits"], mending=1000)
        assert len(found["mends"]) <= 3
        for mend in found["mends"]:
            path = {**plain, "edits": [*plain["edits"], mend["edit"]]}
            whole = EDITS.read(Place(path))
            assert idnf.adopt(clf, whole).classifier.k == clf.k
            mended += 1
    assert mended


def test_without_time_the_page_settles_nothing(node):  # noqa: F811
    case = edited_case(3, 60)
    true = case.clf.fitted_.numbers_of(np.array(case.labels))
    data = editor_data(case.clf, case.frame, true, label=1, model="0" * 64)
    assert node(case.clf, data, [], milliseconds=2000)["answer"] == "proved"
    assert node(case.clf, data, [], milliseconds=-1)["answer"] == "unsettled"


def wide_policy():
    names = [f"x{j}" for j in range(3)]
    columns = {name: [0.5] for name in names}
    return DNFClassifier.from_dnf("~'x0 <= 0.5' & ~'x1 <= 0.5' | ~'x2 <= 0.5'", columns=columns, classes=("no", "yes"))


def test_the_grid_has_the_models_cuts_and_at_most_64_cells():
    rng = np.random.default_rng(0)
    policy = wide_policy()
    X = rng.random((3000, 3))
    grid = Grid.of(policy.fitted_, X, np.zeros(3000, dtype=np.intp))
    for j, column in enumerate(grid.columns):
        assert 0.5 in column.limits
        assert 50 <= len(column.labels) <= MOST_CELLS
        assert np.array_equal(grid.cells[j] <= column.limits.index(0.5), X_of(grid, j, column) <= 0.5)
    assert grid.counts.sum() == 3000
    assert grid.cells.shape[1] <= 3000
    assert len(set(map(tuple, grid.cells.T.tolist()))) == grid.cells.shape[1]
    placed = zip(*(column.cells(X[:, j]).tolist() for j, column in enumerate(grid.columns)), strict=True)
    assert set(placed) == set(map(tuple, grid.cells.T.tolist()))


def X_of(grid, j, column):
    """A value in the cell of each row."""
    return np.array([column.example(cell)[0] for cell in grid.cells[j].tolist()])


def test_the_grid_refuses_more_rows_than_travel_and_leaves_columns_out():
    rng = np.random.default_rng(0)
    policy = wide_policy()
    with pytest.raises(InvalidArgument, match=r"X must have at most 20,000 different rows .* more at column 'x2'"):
        Grid.of(policy.fitted_, rng.random((30_000, 3)), np.zeros(30_000, dtype=np.intp))
    two = DNFClassifier.from_dnf("~'x0 <= 0.5'", columns={f"x{j}": [0.5] for j in range(4)}, classes=("no", "yes"))
    grid = Grid.of(two.fitted_, rng.random((30_000, 4)), np.zeros(30_000, dtype=np.intp))
    assert [column.name for column in grid.columns] == ["x0", "x1"]
    assert grid.left_out == ("x2", "x3")


def test_costs_and_groups_travel(node):  # noqa: F811
    X = pl.DataFrame({"age": [20, 40, 50, 60] * 30, "sex": ["f", "m", "m", "f"] * 30})
    y = np.where((X["age"] > 45).to_numpy(), "yes", "no")
    clf = DNFClassifier(1, learner="greedy", costs={("yes", "no"): 5.0}).fit(X.drop("sex"), y)
    true = clf.fitted_.numbers_of(y)
    data = editor_data(clf, X, true, label=1, model="0" * 64, subgroup="sex")
    assert data["groups"] == ["f", "m"]
    dropped = node(clf, data, [{"kind": "drop", "line": 1, "note": ""}])
    assert (dropped["confusion"], dropped["cost"]) == ([[60, 0], [60, 0]], 2.5)


def test_models_of_many_lines_are_shown_only(monkeypatch):
    monkeypatch.setattr(editor, "MOST_LINES", 39)
    case = wide_case(100)
    true = case.clf.fitted_.numbers_of(np.array(case.labels))
    tool = editor_tool(case.clf, case.frame, true, label=1, model="0" * 64)
    assert "It has 40 lines. Models of up to 39 lines can be changed here." in tool.section
    assert tool.closing == ""


def boolean_data(lines, names, k):
    """What a page knows of lines over Boolean columns, without rows; a line has the wanted cell by column."""
    words = {"name": "", "missing": "", "known": "", "bounds": [], "odd": {}}
    columns = [
        {"name": name, "kind": "truth", "ordered": True, "missing": False, "cells": ["0", "1"], "cuts": None}
        for name in names
    ]
    return {
        "k": k,
        "label": 1,
        "costs": None,
        "lines": [[[j, [cell]] for j, cell in sorted(line.items())] for line in lines],
        "columns": [{**column, "words": words} for column in columns],
        "rows": {"size": 0, "cells": [""] * len(names), "counts": ["", ""], "group": None},
    }


def with_fresh_lines(lines, n, k):
    """Lines, and k + 1 lines of k fresh columns: they keep k only if the first ones hold everywhere."""
    fresh = [{n + k * i + j: 1 for j in range(k)} for i in range(k + 1)]
    return [*lines, *fresh], [f"x{j}" for j in range(n + k * (k + 1))]


def test_the_question_that_is_hard_in_general_is_answered_rightly_or_left_open(node):  # noqa: F811
    k, answers = 3, set()
    for seed in seeds(40, 2000):
        rng = random.Random(seed)
        n = rng.randint(3, 5)
        lines = [{j: rng.randrange(2) for j in rng.sample(range(n), 3)} for _ in range(rng.randint(6, 40))]
        points = itertools.product((0, 1), repeat=n)
        everywhere = all(any(all(point[j] == cell for j, cell in line.items()) for line in lines) for point in points)
        every, names = with_fresh_lines(lines, n, k)
        found = node(POLICY, boolean_data(every, names, k), [])["answer"]
        assert found == ("proved" if everywhere else "broken")
        answers.add(found)
    assert answers == {"proved", "broken"}


def test_a_hard_tautology_is_left_open_in_time(node):  # noqa: F811
    # Ten pigeons and nine holes: some pigeon is in none, or two share one. No short way through the cases is known.
    place = {(pigeon, hole): 9 * pigeon + hole for pigeon in range(10) for hole in range(9)}
    homeless = [{place[pigeon, hole]: 0 for hole in range(9)} for pigeon in range(10)]
    pairs = itertools.combinations(range(10), 2)
    shared = [{place[one, hole]: 1, place[two, hole]: 1} for one, two in pairs for hole in range(9)]
    lines, names = with_fresh_lines([*homeless, *shared], 90, 3)
    assert node(POLICY, boolean_data(lines, names, 3), [], milliseconds=300)["answer"] == "unsettled"


POLICY = DNFClassifier.from_dnf("a", classes=("no", "yes"))
