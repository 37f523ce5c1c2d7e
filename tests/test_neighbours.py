"""A row's answer never depends on the rows beside it: on every kind of column, in memory and in engines."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from tests.exporting.cases import all_columns, first_cell_model, frame_of, generated_rows

from idnf import DNFClassifier
from idnf.columns.groups import GroupColumn

ROWS = 24
LABELS = ["yes" if row > 11 else "no" for row in range(ROWS)]
VALUES = (
    *(0, 1, 2, 7, 1.234, 0.5, 0.7, 20200131, 2**70, True, False, Decimal("1.234"), np.float32(0.1)),
    *("1.234", "1,5", "1", "0", "0.7", "true", "yes", "2 €", "", "NA", "red", " red ", "a", "small", "left"),
    *("2020-01-31", "31/12/2020", "20200131", "2020-01-31 12:00", date(2020, 1, 31), datetime(2020, 1, 31)),
    *(datetime(2020, 1, 31, tzinfo=UTC), timedelta(seconds=2), np.datetime64("2020-01-31"), np.timedelta64(2, "s")),
    *(None, float("nan"), pd.NaT, pd.NA),
)
WRITTEN = {
    "decimal commas": [f"{row},5" for row in range(ROWS)],
    "a unit": [f"{row} €" for row in range(ROWS)],
    "day first": [f"{row + 1}/12/2020" for row in range(ROWS)],
    "truths": [str(row > 11) for row in range(ROWS)],
    "numbers and texts": [row * 1.125 if row % 2 else f"{row},25" for row in range(ROWS)],
}


def models() -> dict[str, DNFClassifier]:
    kinds = {column.name: first_cell_model(column) for column in all_columns() if not isinstance(column, GroupColumn)}
    return kinds | {
        name: DNFClassifier(1, learner="greedy").fit(pd.DataFrame({name: texts}), LABELS)
        for name, texts in WRITTEN.items()
    }


def answer(clf: DNFClassifier, values: list[object]) -> list[object] | None:
    (name,) = clf.binariser_.source_names
    try:
        return clf.predict(pd.DataFrame({name: pd.Series(values, dtype=object)})).tolist()
    except ValueError:
        return None


@pytest.mark.filterwarnings("ignore::idnf.TableWarning")
def test_what_is_answered_together_is_answered_alike_alone() -> None:
    rng = random.Random(0)
    answered = 0
    for name, clf in models().items():
        alone = [answer(clf, [value]) for value in VALUES]
        for _ in range(25):
            places = rng.sample(range(len(VALUES)), 2)
            together = answer(clf, [VALUES[i] for i in places])
            if together is not None:
                answered += 1
                assert [together[:1], together[1:]] == [alone[i] for i in places], (name, [VALUES[i] for i in places])
    assert answered > 60


@pytest.mark.parametrize("engine", ["polars", "duckdb"])
def test_engines_answer_rows_apart_as_together(engines, engine: str) -> None:
    # DuckDB finds no durations in Parquet files.
    for column in [one for one in all_columns() if engine == "polars" or one.fields[0].kind != "duration"]:
        clf = first_cell_model(column)
        frame = frame_of([column], generated_rows([column], ROWS, seed=3)).with_row_index("number")
        expected = [clf.predict(frame[row]).item() for row in range(ROWS)]
        for rows in (list(range(ROWS)), [3], [5, 7, 3]):
            table = engines.table(engine, frame[rows], name=f"rows{len(rows)}")
            found = engines.collected(engine, clf.predict(table)).sort("number")
            assert found["predicted"].to_list() == [expected[row] for row in sorted(rows)]
