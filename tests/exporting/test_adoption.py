"""Edits adopted: the same decisions as by hand, the least k, refusals that name the edit, provenance."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from tests.exporting.edit_cases import TIME, edited_case, random_edits
from tests.exporting.mutations import mutated
from tests.naive_edits import decisions, needed
from tests.strategies import seeds

import idnf
from idnf import DNFBands, DNFClassifier, InvalidArgument, exporting, governance, reporting
from idnf.cli import main
from idnf.columns.intervals import NumberColumn, TimeColumn
from idnf.exporting.documents import DocumentError
from idnf.exporting.edits_json import (
    AddedLine,
    ChosenCells,
    ChosenIntervals,
    ConditionEdit,
    DroppedLine,
    Edits,
    edits_to_plain,
    read_edits,
)

# Columns that had no missing value in training count one as another cell, and warn.
pytestmark = pytest.mark.filterwarnings("ignore::idnf.TableWarning")

POLICY = DNFClassifier.from_dnf(
    "'income <= 20' & late | ~'income <= 40' & member",
    columns={"income": [20, 40], "late": bool, "member": bool, "town": ["x", "y"]},
    classes=("no", "yes"),
)
ROWS = pl.DataFrame(
    {
        "income": [10.0, 18.0, 25.0, 45.0, 60.0],
        "late": [True, True, True, False, True],
        "member": [False, False, False, True, False],
        "town": ["x", "y", "x", "y", "z"],
    }
)
LOW, LOWER = ChosenIntervals(((None, 20.0),), False), ChosenIntervals(((None, 15.0),), False)
TRUTH = ["yes", "no", "no", "yes", "no"]


def edits_of(*edits, clf=POLICY):
    return Edits(exporting.model_hash(clf), 1, "Dr Lee", TIME, edits)


def line_of(text):
    """The number of the line of POLICY that speaks of a column."""
    lines = [str(line) for line in POLICY.fitted_.explainer.reading.lines[1]]
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_a_cut_is_moved_proved_and_counted():
    moved = ConditionEdit(line_of("late"), "income", LOW, LOWER, "too many late payers")
    found = idnf.adopt(POLICY, edits_of(moved), ROWS, TRUTH)
    assert found.classifier.predict(ROWS).tolist() == ["yes", "no", "no", "yes", "no"]
    assert (found.rows, found.changed, found.before, found.after) == (5, {"no": 1, "yes": 0}, 0.8, 1.0)
    assert found.to_text().splitlines()[:2] == [
        "Edited by Dr Lee, saved 2026-01-02T10:00:00Z:",
        f"  1. line {moved.line}: income <= 20 becomes income <= 15",
    ]
    assert "1 of 5 rows is decided otherwise (1 whose true label is no, 0 whose true label is yes)" in str(found)
    assert found.classifier.verify().k == 2


def test_random_edits_decide_as_by_hand_and_need_what_they_need(tmp_path):
    broken = 0
    for seed in seeds(40, 3000):
        rng = random.Random(seed)
        case = edited_case(seed, 60)
        edits = random_edits(case.clf, rng.randint(1, 5), rng)
        X, columns = case.frame, case.clf.binariser_.columns_
        found = idnf.adopt(case.clf, edits, X, case.labels, k=len(columns)).classifier
        expected = decisions(case.clf, edits, X)
        assert found.predict(X).tolist() == expected.tolist(), seed
        assert found.verify().k == len(columns)
        exporting.to_json(found, tmp_path / "model.json")
        assert exporting.from_json(tmp_path / "model.json").predict(X).tolist() == expected.tolist()
        fine = found.binariser_.columns_
        values = np.array([found.fitted_.sides.label(point) for point in np.ndindex(*(len(c.labels) for c in fine))])
        least = needed(values.reshape([len(c.labels) for c in fine]))
        if least > case.clf.k:
            broken += 1
            with pytest.raises(InvalidArgument, match=rf"edit \d+ .*must leave every decision .* need {least}"):
                idnf.adopt(case.clf, edits)
        else:
            assert idnf.adopt(case.clf, edits).classifier.k == case.clf.k
    assert broken


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (ConditionEdit(9, "income", LOW, LOWER, ""), "edit 1: line must be one of 1, 2; got 9"),
        (ConditionEdit(1, "age", LOW, LOWER, ""), "edit 1: column must be one of the model's; got 'age'"),
        (ConditionEdit(line_of("late"), "income", LOWER, LOW, ""), "edit 1: old must be what line . has: income <= 20"),
        (ConditionEdit(1, "late", None, LOW, ""), "edit 1: cuts of column 'late' must be left out"),
        (ConditionEdit(1, "town", None, ChosenCells((3,)), ""), "edit 1: cells must be below 3 for 'town'; got 3"),
        (ConditionEdit(1, "town", None, ChosenCells(()), ""), "edit 1: cells must be at least one of those of 'town'"),
        (
            ConditionEdit(1, "income", None, ChosenCells((0,)), ""),
            "edit 1: cells must be intervals, since 'income' is cut",
        ),
        (
            ConditionEdit(1, "town", None, ChosenIntervals(((None, None),), False), ""),
            "edit 1: cells must be given by their numbers for 'town'",
        ),
        (
            AddedLine(3, (("income", ChosenIntervals(((None, 5.0),), True)),), ""),
            "edit 1: missing must be false, since 'income' has no cell for it",
        ),
        (
            AddedLine(3, (("income", ChosenIntervals(((50.0, 20.0),), False)),), ""),
            "edit 1: intervals must end above where they begin; got 50.0 to 20.0",
        ),
        (
            AddedLine(3, (("town", ChosenCells((0,))), ("town", ChosenCells((1,)))), ""),
            "edit 1: conditions on 'town' must have a cell in common",
        ),
        (AddedLine(1, (), ""), "edit 1: line must be a new number; got 1"),
    ],
)
def test_edits_that_cannot_be_replayed_are_named(edit, message):
    with pytest.raises(InvalidArgument, match=message):
        idnf.adopt(POLICY, edits_of(edit))


def test_whole_columns_are_cut_at_whole_numbers_and_dates_at_days():
    with pytest.raises(InvalidArgument, match=r"cuts of column 'late', of whole numbers, must be whole; got \[1.5\]"):
        NumberColumn("late", "refused", cuts=(3.0,), whole=True).cut_at([1.5])
    for cut in (5.0, 1e30):
        with pytest.raises(InvalidArgument, match="cuts of column 'opened' must be a date in microseconds"):
            TimeColumn("opened", "refused", kind="date").cut_at([cut])


@pytest.mark.parametrize("kind", ["date", "datetime", "datetime-utc", "duration"])
@pytest.mark.parametrize("cut", [1e308, -1e308, 8.64e19, 253402214400000000.0])
def test_cuts_lie_within_time(kind, cut):
    wait = DNFClassifier.from_dnf("0", columns=[TimeColumn("wait", "refused", kind=kind, cuts=(86_400_000_000.0,))])
    new = AddedLine(1, (("wait", ChosenIntervals(((None, cut),), False)),), "")
    if (kind, cut) == ("date", 253402214400000000.0) or abs(cut) > 1e18:
        with pytest.raises(InvalidArgument, match=f"cuts of column 'wait' must be a {kind} in microseconds"):
            idnf.adopt(wait, edits_of(new, clf=wait))
    else:
        assert idnf.adopt(wait, edits_of(new, clf=wait)).proof.k == 1


def test_rows_may_lack_values_that_count_as_others(tmp_path):
    X = pl.DataFrame({"age": [float(i % 70) for i in range(90)], "size": pl.Series(["s", "m", "l"] * 30)})
    X = X.with_columns(pl.col("size").cast(pl.Enum(["s", "m", "l"])))
    clf = DNFClassifier(k=2).fit(X, ["no" if age < 30 and size != "l" else "yes" for age, size in X.rows()])
    lacking = X.with_columns(pl.when(pl.int_range(90) % 9 > 0).then(pl.all()))
    found = idnf.adopt(clf, edits_of(DroppedLine(1, ""), clf=clf), lacking, ["no", "yes"] * 45)
    exporting.to_json(found.classifier, tmp_path / "model.json")
    read = exporting.from_json(tmp_path / "model.json")
    assert read.predict(lacking).tolist() == found.classifier.predict(lacking).tolist()
    quantiles = [seen.quantiles for seen in read.fitted_.values if seen is not None]
    assert all(0 <= value <= 69 for values in quantiles for value in values)


def test_too_many_cuts_are_refused():
    many = [AddedLine(3 + i, (("income", ChosenIntervals(((float(i), i + 0.5),), False)),), "") for i in range(501)]
    with pytest.raises(InvalidArgument, match="edit 501: column 'income' must have at most 1000 cuts"):
        idnf.adopt(POLICY, edits_of(*many))


def test_edits_that_break_k_are_named_unless_a_larger_k_is_given():
    town = AddedLine(3, (("town", ChosenCells((0,))),), "")
    fine = ConditionEdit(line_of("late"), "income", LOW, LOWER, "")
    both = edits_of(fine, town, DroppedLine(line_of("member"), ""))
    with pytest.raises(
        InvalidArgument,
        match=r"edit 2 \(line 3 added: town is x\) must leave every decision a reason of at most 2 conditions; "
        r"got decisions that need 3. Change or drop it, or allow them: k=3.",
    ):
        idnf.adopt(POLICY, edits_of(fine, town), k=2)
    assert idnf.adopt(POLICY, both, k=3).classifier.k == 3


def test_edits_of_another_model_are_refused():
    other = edits_of(DroppedLine(1, ""), clf=POLICY.with_settings(target="loan"))
    with pytest.raises(InvalidArgument, match=r"edits must be of this model, .*; got those of model"):
        idnf.adopt(POLICY, other)


def test_directions_that_the_model_has_are_kept(tmp_path):
    rising = DNFClassifier.from_dnf("~'income <= 20'", columns={"income": [20]}, classes=("no", "yes"))
    rising.monotonic_cst = {"income": 1}
    over, between, higher = (ChosenIntervals(((low, high),), False) for low, high in ((20, None), (20, 40), (30, None)))
    with pytest.raises(InvalidArgument, match="edits must keep the direction that the model has on column 'income'"):
        idnf.adopt(rising, edits_of(ConditionEdit(1, "income", over, between, ""), clf=rising))
    found = idnf.adopt(rising, edits_of(ConditionEdit(1, "income", over, higher, ""), clf=rising)).classifier
    exporting.to_json(found, tmp_path / "new.json")
    assert exporting.from_json(tmp_path / "new.json").predict(pl.DataFrame({"income": [25.0, 35.0]})).tolist() == [
        "no",
        "yes",
    ]


def test_rows_come_with_labels():
    with pytest.raises(InvalidArgument, match="X and y must be given together; got one of them"):
        idnf.adopt(POLICY, edits_of(DroppedLine(1, "")), ROWS)
    with pytest.raises(ValueError, match="y must hold the labels 'no' and 'yes'"):
        idnf.adopt(POLICY, edits_of(DroppedLine(1, "")), ROWS, ["maybe"] * 5)


def test_models_of_several_labels_are_refused():
    three = DNFClassifier(k=1, learner="greedy").fit([[0], [1], [2]] * 9, [0, 1, 2] * 9)
    with pytest.raises(InvalidArgument, match="clf must have two labels to be edited; got 3"):
        idnf.adopt(three, replace(edits_of(DroppedLine(1, "")), model="0" * 64))


def test_a_label_may_lose_all_its_lines():
    found = idnf.adopt(POLICY, edits_of(DroppedLine(1, ""), DroppedLine(2, "")), ROWS, TRUTH)
    assert set(found.classifier.predict(ROWS)) == {"no"}


def test_the_model_keeps_where_it_comes_from(tmp_path):
    first = idnf.adopt(
        POLICY, edits_of(ConditionEdit(line_of("late"), "income", LOW, LOWER, "a <b>note</b>")), ROWS, TRUTH
    )
    exporting.to_json(first.classifier, tmp_path / "new.json")
    read = exporting.from_json(tmp_path / "new.json")
    assert read.fitted_.edits == first.classifier.fitted_.edits == (first.edits,)
    second = idnf.adopt(read, edits_of(DroppedLine(1, "gone"), clf=read))
    assert second.classifier.fitted_.edits == (first.edits, second.edits)
    reporting.to_html(read, tmp_path / "page.html", ROWS, TRUTH)
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "Edited by Dr Lee, saved 2026-01-02T10:00:00Z" in page
    assert "a &lt;b&gt;note&lt;/b&gt;" in page
    assert "<b>note" not in page
    card = governance.model_card(read).to_markdown()
    assert f"| line {line_of('late')}: income <= 20 becomes income <= 15 | a <b>note</b> |" in card


def written(path, plain):
    path.write_text(json.dumps(plain), "utf-8")
    return path


def test_files_come_back_as_they_were_written(tmp_path):
    for seed in seeds(20, 500):
        case = edited_case(seed, 5)
        edits = random_edits(case.clf, 4, random.Random(seed))
        assert read_edits(written(tmp_path / "edits.json", edits_to_plain(edits))) == edits


def test_hostile_files_are_refused_or_data(tmp_path):
    edits = edits_of(ConditionEdit(line_of("late"), "income", LOW, LOWER, "x"), DroppedLine(1, ""))
    plain, path = json.dumps(edits_to_plain(edits)), tmp_path / "edits.json"
    for seed in seeds(300, 20_000):
        path.write_bytes(mutated(plain, random.Random(seed)))
        try:
            idnf.adopt(POLICY, path)
        except (DocumentError, InvalidArgument):
            continue


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "idnf-model"}, "the document must be an object with format 'idnf-edits'"),
        ({"version": 2}, "version must be an integer from 1 to 1; got 2"),
        ({"model": "../x"}, "model must be a SHA-256 in hexadecimal"),
        ({"time": "now"}, "time must be a time such as 2026-01-02T10:00:00Z"),
        ({"name": "a\nb"}, "name must be text of one line"),
        ({"edits": []}, "edits must be a list of 1 to 1000 entries"),
        ({"edits": [{"kind": "drop", "line": 1, "note": "x" * 2001}]}, "note must be at most 2,000 characters"),
        ({"edits": [{"kind": "eval", "line": 1}]}, "kind must be one of condition, drop, add; got 'eval'"),
        ({"more": 1}, "must have no more than"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(tmp_path, change, message):
    path = written(tmp_path / "edits.json", {**edits_to_plain(edits_of(DroppedLine(1, ""))), **change})
    with pytest.raises(DocumentError, match=message):
        read_edits(path)


def test_the_command_adopts(tmp_path, capsys):
    exporting.to_json(POLICY.with_settings(target="approved"), tmp_path / "model.json")
    model = exporting.from_json(tmp_path / "model.json")
    ROWS.with_columns(approved=pl.Series(TRUTH)).write_csv(tmp_path / "rows.csv")
    moved = ConditionEdit(line_of("late"), "income", LOW, LOWER, "")
    town = AddedLine(3, (("town", ChosenCells((0,))),), "")
    written(tmp_path / "edits.json", edits_to_plain(edits_of(moved, clf=model)))
    words = [str(tmp_path / name) for name in ("model.json", "edits.json", "rows.csv")]
    new = str(tmp_path / "new.json")
    assert main(["adopt", *words, "-o", new, "-q"]) == 0
    said = capsys.readouterr().out
    assert "1 of 5 rows is decided otherwise" in said
    assert exporting.from_json(new).predict(ROWS).tolist() == TRUTH
    written(tmp_path / "edits.json", edits_to_plain(edits_of(moved, town, clf=model)))
    assert main(["adopt", *words[:2], "-o", new, "-q"]) == 2
    assert "edit 2 (line 3 added: town is x) must leave every decision" in capsys.readouterr().err
    assert main(["adopt", *words[:2], "-o", new, "--k", "3", "-q"]) == 0
    assert main(["adopt", *words[:2], "-o", words[1], "-q"]) == 2
    assert "--output must" in capsys.readouterr().err


def test_the_command_refuses_bands(tmp_path, capsys):
    X = [[float(i % 9)] for i in range(90)]
    exporting.to_json(DNFBands(1, effort=0.1).fit(X, [int(x[0] > 4) for x in X]), tmp_path / "bands.json")
    assert main(["adopt", str(tmp_path / "bands.json"), "edits.json", "-q"]) == 2
    assert "adopt must be left out for bands. It is about one classifier." in capsys.readouterr().err
