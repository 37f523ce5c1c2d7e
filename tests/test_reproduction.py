import csv
import runpy
import sys
from pathlib import Path
from statistics import fmean

import pytest
from experiments.reproduction.paper_tables import printed_figures, printed_sizes, to_markdown, write
from experiments.reproduction.protocol import Cell, Experiment, MethodScores, _cell, run
from tests.paper_files import paper_file

from idnf.datasets.loading import PAPER

# Means over the eleven data sets of the paper's Table 2 per k: CART, DNF, complement.
PRINTED_MEANS = {
    2: (80.33, 79.35, 79.00),
    3: (82.31, 81.56, 81.47),
    4: (84.47, 82.57, 83.08),
    5: (85.85, 82.26, 83.46),
    6: (87.14, 82.79, 84.01),
}
SMALL = Experiment(k=(2, 3), datasets=("balance-scale", "tic-tac-toe"), runs=2)


@pytest.fixture(scope="module")
def cells():
    """Two data sets that need no file."""
    return run(SMALL)


@pytest.mark.parametrize("k", PRINTED_MEANS)
def test_the_printed_figures_have_the_means_they_should(k):
    figures = printed_figures(2)
    means = [fmean(figures[name, k, method] for name in PAPER) for method in ("CART", "DNF", "complement")]
    assert [round(mean, 2) for mean in means] == list(PRINTED_MEANS[k])


def test_table_1_and_table_3_are_whole():
    assert tuple(printed_sizes()) == PAPER
    assert printed_sizes()["compas"] == (6167, 25)
    assert len(printed_figures(3)) == 11 * 5 * 2
    assert printed_figures(3)["tic-tac-toe", 6, "DNF"] == 15.0


@pytest.mark.parametrize("name", ["monks-1", "monks-2", "monks-3"])
def test_monks_come_out_as_printed(name):
    paper_file(f"{name}.train")
    cells = run(Experiment(k=(2, 3), datasets=(name,), runs=2))
    for cell in cells:
        if cell.method == "DNF":
            assert round(cell.accuracy, 2) == printed_figures(2)[name, cell.k, "DNF"]
            assert cell.spread == pytest.approx(0, abs=1e-9)


# Cells without ties in CART, and balance-scale, whose complement is almost constant.
@pytest.mark.parametrize(
    ("name", "k", "method"),
    [
        ("balance-scale", 2, "CART"),
        ("balance-scale", 2, "complement"),
        ("balance-scale", 3, "complement"),
        ("tic-tac-toe", 2, "CART"),
        ("tic-tac-toe", 3, "CART"),
    ],
)
def test_the_splits_are_the_papers(cells, name, k, method):
    (cell,) = [cell for cell in cells if (cell.dataset, cell.k, cell.method) == (name, k, method)]
    assert round(cell.accuracy, 2) == printed_figures(2)[name, k, method]


def test_cells_come_in_the_papers_order(cells):
    expected = [
        (name, k, method)
        for name in ("balance-scale", "tic-tac-toe")
        for k in (2, 3)
        for method in ("CART", "DNF", "complement")
    ]
    assert [(cell.dataset, cell.k, cell.method) for cell in cells] == expected


def test_a_tree_of_depth_2_has_at_most_4_leaves_and_guesses_better_than_the_majority(cells):
    for cell in cells:
        assert cell.accuracy > 60
        if (cell.method, cell.k) == ("CART", 2):
            assert 2 <= cell.size <= 4


def test_the_number_of_processes_does_not_change_the_result(cells):
    assert run(SMALL, jobs=2) == cells


def test_progress_is_told_after_every_part():
    seen = []
    experiment = Experiment(k=(2,), datasets=("balance-scale",), splits=(0, 1, 2), runs=1)
    run(experiment, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_the_size_is_that_of_the_best_model_of_each_split():
    splits = [
        [MethodScores(80, 90, 7), MethodScores(85, 70, 4), MethodScores(85, 75, 3)],
        [MethodScores(60, 60, 2), MethodScores(60, 60, 9)],
    ]
    cell = _cell("iris", 2, "DNF", splits)
    assert cell.size == (3 + 2) / 2
    assert cell.accuracy == (80 + 85 + 85 + 60 + 60) / 5


def test_a_learner_of_the_library_adds_a_column():
    cells = run(Experiment(k=(2,), datasets=("balance-scale",), splits=(0,), runs=1, learner="exact"))
    assert [cell.method for cell in cells] == ["CART", "DNF", "complement", "exact"]
    assert cells[3].accuracy > 85


def test_an_unknown_data_set_lists_the_known():
    with pytest.raises(ValueError, match="datasets must be out of balance-scale, .*tic-tac-toe; got irish"):
        Experiment(datasets=("iris", "irish"))


@pytest.mark.parametrize(("name", "value"), [("k", (2, 0)), ("runs", 0), ("splits", ())])
def test_nothing_to_run_is_refused(name, value):
    with pytest.raises(ValueError, match=f"{name} must be at least 1; got 0"):
        Experiment(**{name: value})


def test_written_tables_hold_our_figures_and_the_papers(cells, tmp_path):
    paths = write(cells, tmp_path / "new")
    assert [path.name for path in paths] == ["datasets.csv", "accuracy.csv", "size.csv", "tables.md", "accuracy.png"]
    with (tmp_path / "new" / "accuracy.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert [float(line["accuracy"]) for line in lines] == [round(cell.accuracy, 2) for cell in cells]
    assert lines[1] | {"accuracy": "", "spread": ""} == {
        "dataset": "balance-scale",
        "k": "2",
        "method": "DNF",
        "accuracy": "",
        "spread": "",
        "paper": "89.04",
    }
    assert "balance-scale,625,625,16,16" in (tmp_path / "new" / "datasets.csv").read_text()
    assert (tmp_path / "new" / "accuracy.png").read_bytes().startswith(b"\x89PNG")


def test_markdown_gives_every_method_its_printed_column():
    cells = [Cell("balance-scale", 2, method, 97.0, 0.5, 2.4) for method in ("CART", "DNF", "complement", "search")]
    text = to_markdown(cells)
    assert "| k | CART | paper | DNF | paper | complement | paper | search |" in text
    assert "| balance-scale | 97.00 | 93.28 | 97.00 | 89.04 | 97.00 | 93.28 | 97.00 |" in text
    assert "| balance-scale | 2.4 | 4.0 | 2.4 | 2.0 | 2.4 | 2.4 |" in text


def test_the_program_prints_a_part(monkeypatch, capsys):
    program = Path(__file__).parents[1] / "experiments" / "reproduce.py"
    monkeypatch.syspath_prepend(program.parent)
    asked = ("--k", "2", "--datasets", "balance-scale", "--runs", "1", "--jobs", "1")
    monkeypatch.setattr(sys, "argv", [str(program), *asked])
    runpy.run_path(str(program), run_name="__main__")
    assert "| balance-scale | 93.28 | 93.28 |" in capsys.readouterr().out
