"""Means, tests and sentences, on cells made by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from benchmarks.board import readme
from benchmarks.board.ahead import ahead
from benchmarks.board.cells import Cell, append_cell, read_cells, rounded, write_cells
from benchmarks.board.means import ACCURACY, Board
from benchmarks.board.running import expected_hours
from benchmarks.board.significance import all_compared, compared, holm, interval, ranks
from benchmarks.board.tables import contenders, growth, headline, headline_rows, verdict

DATA = ("AER-HMDA", "MASS-crabs", "concept-301")


def cell(method, data, k, accuracy, *, split=0, largest=2, status="ok", **more):
    """A cell as a run would make it, of division and version that do not matter."""
    found = {"accuracy": accuracy, "largest_reason": largest} if status == "ok" else {}
    return Cell(method, data, split, k, "1", "", f"{data}{split}", status, **found, **more)


def board(*more):
    ours = [
        cell("idnf", "AER-HMDA", 2, 90.0),
        cell("idnf", "AER-HMDA", 2, 94.0, split=1),
        cell("idnf", "MASS-crabs", 2, 80.0),
        cell("idnf", "concept-301", 2, 70.0),
    ]
    return Board.of([*ours, *more], DATA)


def test_a_data_set_counts_once_however_many_splits():
    assert board().values("idnf", 2, ACCURACY) == {"AER-HMDA": 92.0, "MASS-crabs": 80.0, "concept-301": 70.0}


def test_two_are_compared_where_both_have_a_model():
    found = compared(
        board(
            cell("cart", "AER-HMDA", 2, 91.0),
            cell("cart", "MASS-crabs", 2, None, status="failed", message="no"),
            cell("cart", "concept-301", 2, 70.0),
        ),
        "cart",
        2,
    )
    assert (found.data_sets, found.ours, found.theirs, found.wins, found.ties, found.losses) == (2, 80, 80.5, 0, 1, 1)


def test_a_method_without_k_stands_beside_every_k():
    assert compared(board(cell("xgboost", "MASS-crabs", 0, 99.0, largest=None)), "xgboost", 2).theirs == 99.0


def test_a_column_that_was_cut_short_is_left_out():
    cells = [cell("cart", "AER-HMDA", 2, 91.0), *(cell("figs", name, 2, 60.0) for name in DATA)]
    found = board(*cells).run_through()
    assert {(each.method, each.split) for each in found.cells} == {("idnf", 0), ("figs", 0)}, "nor is a split of ours"


def test_pictures_are_of_methods_that_have_the_splits_of_ours():
    more = [cell("cart", "AER-HMDA", 2, 91.0, split=split) for split in (0, 1, 2)]
    found = board(*more, cell("figs", "AER-HMDA", 2, 60.0)).on_splits_of("idnf")
    assert {(each.method, each.split) for each in found.cells} == {(m, s) for m in ("idnf", "cart") for s in (0, 1)}


def test_spread_is_that_of_the_means_over_splits():
    both = board(cell("cart", "AER-HMDA", 2, 90.0), cell("cart", "AER-HMDA", 2, 92.0, split=1))
    assert both.spread("cart", 2, ACCURACY) == pytest.approx(2**0.5)
    assert both.spread("idnf", 2, ACCURACY) == pytest.approx(8**0.5), "over the data set that has both splits"
    assert board(cell("cart", "AER-HMDA", 2, 90.0)).spread("cart", 2, ACCURACY) is None


def test_the_headline_takes_the_best_peer_that_keeps_to_the_size():
    found = board(
        *(cell("cart", name, 2, 81.0) for name in DATA),
        *(cell("figs", name, 2, 80.5) for name in DATA),
        *(cell("contree", name, 2, 99.0, largest=3) for name in DATA),
        *(cell("ripper", name, 2, 99.0) for name in DATA),
        cell("licketysplit", "AER-HMDA", 2, 99.0),
    )
    (row,) = headline_rows(found)
    assert (row.peer, row.theirs, row.corrected) == ("cart", 81.0, 1.0)
    # Differences 9, -1, -11 on the split that both have: the mean of three tables drawn anew.
    assert row.interval == (-11, 9)
    assert "| 600 | 2 | 80.00 | 81.00 | CART of depth k | -1.00 | -11.00 to +9.00 | 1.000 | 1 / 0 / 2 |" in headline(
        {"600": [row]}
    )
    assert verdict({"600": [row]}).startswith("Level at every k and size: no difference is beyond chance")
    sure = [replace(row, corrected=0.04), replace(row, k=3, corrected=0.01, ours=85.0)]
    assert verdict({"600": sure, "3,000": [row]}) == (
        "Behind at k = 2 with 600 rows; ahead at k = 3 with 600 rows; level elsewhere (least corrected p 0.010)."
    )
    assert "ConTree, optimal tree, untuned (not at k = 2)" in contenders(found)


def test_the_view_on_shared_features_has_peers_on_them_alone():
    found = board(
        *(cell("idnf-boolean", name, 2, 80.0) for name in DATA),
        *(cell("cart", name, 2, 85.0) for name in DATA),
        *(cell("cart-boolean", name, 2, 70.0) for name in DATA),
    )
    assert [row.peer for row in headline_rows(found, "idnf-boolean")] == ["cart-boolean"]
    assert [row.peer for row in headline_rows(found)] == ["cart"]


def test_a_sentence_for_every_place_where_a_peer_is_ahead_the_largest_first():
    said = ahead(
        board(
            *(cell("cart", name, 2, 85.0, fit_seconds=1.0, cart_seconds=1.0) for name in DATA),
            *(cell("column-tree", name, 2, value) for name, value in zip(DATA, (93.0, 80.9, 70.9))),
            *(cell("figs", name, 2, 60.0) for name in DATA),
        ),
        ("cart", "column-tree", "figs"),
        (),
    )
    assert said[0].startswith("Test accuracy (%), k = 2: CART of k columns is ahead, 81.60 against 80.00")
    assert said[1].startswith("Test accuracy (%), k = 2: CART of depth k is ahead, 85.00 against 80.00")
    assert said[1].endswith("Furthest on concept-301 +15.0, MASS-crabs +5.0.")
    assert "FIGS" not in "".join(said)


def test_nothing_is_said_where_nobody_is_ahead():
    assert ahead(board(), ("cart",), ("xgboost",)) == []


def test_growth_is_over_tables_that_have_every_size():
    small = board(*(cell("cart", name, 2, 70.0) for name in DATA))
    names = [f"{name}@3000" for name in DATA]
    large = Board.of([cell("cart", names[0], 2, 80.0), cell("cart", names[1], 2, 90.0)], names)
    assert "| CART of depth k | 70.0 / 85.0 (2) |" in growth({600: small, 3000: large})


def test_hours_are_those_of_like_cells():
    known = [
        cell("cart", "AER-HMDA", 2, 90.0, cell_seconds=36.0),
        cell("cart", "AER-HMDA@3000", 3, 1.0, cell_seconds=72),
    ]
    assert expected_hours([("cart", "MASS-crabs", 0, 2, 0)], known) == pytest.approx(0.01)
    assert expected_hours([("cart", "MASS-crabs@3000", 0, 2, 0)], known) == pytest.approx(0.05)
    assert expected_hours([("cart", "MASS-crabs@3000", 1, 3, 0)], known) == pytest.approx(0.02)
    assert expected_hours([("figs", "MASS-crabs", 1, 3, 0)], known) == pytest.approx(5 / 3600)


def test_intervals_come_from_drawing_tables_anew():
    assert interval([2.0, 2.0]) == (2.0, 2.0)
    low, high = interval([0.0, 1.0] * 50)
    # The mean of 100 such draws has standard deviation 0.05.
    assert low == pytest.approx(0.40, abs=0.015)
    assert high == pytest.approx(0.60, abs=0.015)


def test_p_values_are_corrected_over_all_peers_and_sizes():
    found = all_compared(board(*(cell(m, name, 2, 1.0) for m in ("cart", "figs") for name in DATA)), ["cart", "figs"])
    assert [each.p for each in found] == [0.25, 0.25]
    assert [each.corrected for each in found] == [0.5, 0.5]
    assert holm([]) == []


def test_ranks_are_over_data_sets_that_all_have():
    found = ranks(
        board(*(cell("cart", name, 2, 85.0) for name in DATA), *(cell("figs", name, 2, 60.0) for name in DATA[:2])),
        ["idnf", "cart", "figs"],
        2,
    )
    assert found.data_sets == 2
    assert found.means == (("idnf", 1.5), ("cart", 1.5), ("figs", 3.0))
    assert found.critical == pytest.approx(2.343 * (3 * 4 / 12) ** 0.5, abs=0.01)


def test_methods_are_not_compared_on_data_that_differ():
    other = Cell("cart", "AER-HMDA", 0, 2, "1", "", "another", "ok", accuracy=1.0)
    with pytest.raises(SystemExit, match="run it again"):
        board(other)


def test_cells_are_read_as_written_and_the_later_row_counts(tmp_path):
    first, second = (cell("cart", "MASS-crabs", 2, value, message="a, b") for value in (90.0, 200 / 3))
    for each in (first, second):
        append_cell(tmp_path, each)
    assert read_cells(tmp_path, ["cart", "figs"]) == [rounded(second)]
    write_cells(tmp_path, "cart", [second, cell("cart", "AER-HMDA", 2, 1.0)])
    assert [each.data for each in read_cells(tmp_path, ["cart"])] == ["AER-HMDA", "MASS-crabs"]


def test_a_file_leaves_out_what_the_row_above_says(tmp_path):
    made = [("a", "1"), ("a", "1"), ("a", "2"), ("b", "2")]
    cells = [Cell("cart", name, 0, 2, *words, "d", "ok") for name, words in zip("pqrs", made)]
    write_cells(tmp_path, "cart", cells)
    rows = [line.split(",") for line in (tmp_path / "cells" / "cart.csv").read_text().splitlines()[1:]]
    assert [row[3:5] for row in rows] == [["a", "1"], ["", ""], ["", "2"], ["b", ""]]
    append_cell(tmp_path, Cell("cart", "t", 0, 2, "c", "3", "d", "ok"))
    assert [(each.version, each.commit) for each in read_cells(tmp_path, ["cart"])] == [*made, ("c", "3")]


def test_other_seeds_count_for_their_spread_alone():
    more = [cell("cart", name, 2, 60.0) for name in DATA]
    found = board(*more, cell("cart", "AER-HMDA", 2, 62.0, seed=1), cell("cart", "AER-HMDA", 2, 64.0, seed=2))
    assert found.values("cart", 2, ACCURACY) == dict.fromkeys(DATA, 60.0)
    assert found.seed_spread("cart", 2, ACCURACY) == (pytest.approx(2.0), 3, 1)
    assert found.seed_spread("idnf", 2, ACCURACY) is None


def test_times_are_compared_on_the_cells_that_both_have():
    ours = [cell("idnf", name, 3, 80.0, fit_seconds=8.0, cart_seconds=2.0) for name in DATA]
    theirs = cell("cart", "MASS-crabs", 3, 80.0, fit_seconds=1.0, cart_seconds=0.5)
    found = Board.of([*ours, theirs], DATA)
    assert found.time_beside("idnf", "cart", 3) == pytest.approx(2.0)
    assert found.time_beside("idnf", "figs", 3) is None


def test_tables_of_two_classes_and_of_several():
    found = board(*(cell("cart", name, 2, 1.0, classes=count) for name, count in zip(DATA, (2, 3, 2))))
    assert found.of_classes(two=True).data == ("AER-HMDA", "concept-301")
    assert found.of_classes(two=False).only({"MASS-crabs"}).data == ("MASS-crabs",)


def test_a_file_made_with_fewer_columns_is_written_anew(tmp_path):
    append_cell(tmp_path, cell("cart", "AER-HMDA", 2, 90.0))
    path = tmp_path / "cells" / "cart.csv"
    lines = [",".join(line.split(",")[:-2]) for line in path.read_text().splitlines()]
    path.write_text("\n".join(lines) + "\n")
    append_cell(tmp_path, cell("cart", "AER-HMDA", 2, 91.0, seed=1, to_spare=0))
    assert [(each.accuracy, each.seed, each.to_spare) for each in read_cells(tmp_path, ["cart"])] == [
        (90.0, 0, None),
        (91.0, 1, 0),
    ]


def test_beside_a_method_without_k_times_are_seconds():
    ours = cell("idnf", "MASS-crabs", 3, 80.0, fit_seconds=8.0, cart_seconds=2.0)
    theirs = cell("xgboost", "MASS-crabs", 0, 80.0, largest=None, fit_seconds=1.0, cart_seconds=4.0)
    assert Board.of([ours, theirs], DATA).time_beside("idnf", "xgboost", 3) == pytest.approx(8.0)


def test_the_readme_has_a_line_for_each_k_and_counts_splits_that_are_whole():
    small = board(
        *(cell("idnf", name, 3, 80.0) for name in DATA),
        *(cell("cart", name, k, 81.0, conditions=4) for name in DATA for k in (2, 3)),
        *(cell("figs", name, 3, 81.5) for name in DATA),
    )
    names = [f"{name}@3000" for name in DATA]
    large = Board.of(
        [cell(m, name, 2, 85.0, split=i) for m in ("idnf", "cart") for name in names for i in (0, 1)], names
    )
    sizes = {600: small, 3000: large}
    rows = {f"{size:,}": headline_rows(each) for size, each in sizes.items()}
    assert readme.growing(sizes, rows).splitlines() == [
        "| k | 600 training rows, 3 tables | 3,000 training rows, 3 tables, 2 splits |",
        "| --- | ---: | ---: |",
        "| 2 | 80.00 / 81.00, -1.00 (-11.00 to +9.00) | 85.00 / 85.00, +0.00 (+0.00 to +0.00) |",
        "| 3 | 80.00 / 81.50, -1.50 (-1.50 to -1.50) |  |",
    ]
    assert (
        readme.room(rows)
        == "The intervals do not exclude differences of 11.0 points with 600 rows, 0.0 points with 3,000 rows."
    )
    assert readme.best_peers(rows) == (
        "The best peer is CART of depth k; FIGS, k splits (imodels) at k = 3 with 600 rows."
    )


def test_the_readme_sorts_peers_by_what_is_beyond_chance():
    found = compared(board(*(cell("figs", name, 2, 60.0) for name in DATA)), "figs", 2)
    lost, level = replace(found, peer="cart", ours=50.0, corrected=0.01), replace(found, peer="xgboost", corrected=0.06)
    sides = readme.by_verdict([replace(found, corrected=0.05), lost, level])
    assert {side: [each.peer for each in part] for side, part in sides.items()} == {
        "ahead of": ["figs"],
        "level with": ["xgboost"],
        "behind": ["cart"],
    }
    assert [each.peer for each in readme.by_verdict([lost], better=-1)["ahead of"]] == ["cart"]


def test_a_peer_without_all_our_splits_is_no_part_of_the_headline():
    ours = [cell("idnf", name, 2, 80.0, split=split) for name in DATA for split in (0, 1)]
    theirs = [cell("cart", name, 2, 81.0, split=split) for name in DATA for split in (0, 1)]
    found = Board.of([*ours, *theirs, *(cell("figs", name, 2, 99.0) for name in DATA)], DATA)
    assert [row.peer for row in headline_rows(found)] == ["cart"]
    assert "FIGS, k splits (imodels) (on fewer splits)" in contenders(found)
