"""One answer everywhere: memory, engines and exports on the same rows, under hostile names."""

from __future__ import annotations

import polars as pl
import pytest
from tests.adversary.tally import count
from tests.engines import LAZY
from tests.exporting.cases import Case, large_case, learned_case, random_case, several_case
from tests.exporting.databases import database
from tests.exporting.test_javascript import node
from tests.exporting.test_onnx import answers as onnx_labels
from tests.strategies import seeds

from idnf import exporting

__all__ = ["database", "node"]


@pytest.fixture(scope="module")
def many(request: pytest.FixtureRequest) -> list[Case]:
    """Models over every kind of column, two classes and several, one with a side of more than 2048 terms."""
    slow = request.config.getoption("--slow")
    made = [random_case(2000 + seed, 1000 if slow else 60) for seed in seeds(3, 80)]
    several = [several_case(2000 + seed, 1000 if slow else 60) for seed in seeds(1, 10)]
    return [*made, *several, learned_case(7, 1000 if slow else 60), large_case(2000 if slow else 40)]


def tell(what: str, case: Case) -> None:
    count(f"rows of agreement: {what}", len(case.labels))


def test_in_memory(many) -> None:
    for case in many:
        assert case.clf.predict(case.frame.reverse()).tolist()[::-1] == case.labels
        places = range(0, len(case.labels), 20)
        assert [case.clf.predict(case.frame[row]).item() for row in places] == [case.labels[row] for row in places]
        count("rows apart from their neighbours: memory", len(places))
        tell("memory", case)


def test_databases_by_exported_queries(many, database) -> None:
    dialect, ask = database
    for case in many:
        query = exporting.to_sql(case.clf, dialect=dialect, table="rows")
        assert [row[0] for row in ask(case, query)] == case.labels
        tell(f"SQL in {dialect}", case)


def test_exported_python(many) -> None:
    for case in many:
        module: dict = {}
        exec(exporting.to_python(case.clf, reasons=False), module)
        assert [module["predict"](row) for row in case.each()] == case.labels
        tell("Python export", case)


def test_exported_javascript(many, node) -> None:
    for case in many:
        assert node(exporting.to_javascript(case.clf, reasons=False), "predict", list(case.each())) == case.labels
        tell("JavaScript in node", case)


def test_onnx(many) -> None:
    for case in many:
        assert onnx_labels(case.clf, case.frame) == case.labels
        tell("ONNX", case)


# Kinds that an engine has no type for, or that the table cannot be copied to it with.
_LACKING = {
    "duckdb": (pl.Duration,),
    "spark": (pl.Duration, pl.Enum),
    "postgres": (pl.Duration, pl.Enum, pl.Datetime),
}


@pytest.mark.parametrize("engine", LAZY)
def test_lazy_tables(many, engines, engine) -> None:
    tried = 0
    for case in many:
        frame = case.frame
        if engine == "spark" and tried >= len(seeds(1, 25)):
            break
        if any(isinstance(kind, _LACKING.get(engine, ())) for kind in frame.dtypes):
            continue
        numbered = frame.with_row_index("place in the table").cast({"place in the table": pl.Int64})
        answer = case.clf.predict(engines.table(engine, numbered))
        found = engines.collected(engine, answer).sort("place in the table")
        assert found["predicted"].to_list() == case.labels
        if tried < 3:
            alone = engines.collected(engine, case.clf.predict(engines.table(engine, numbered[5::7], name="alone")))
            assert alone.sort("place in the table")["predicted"].to_list() == case.labels[5::7]
            count(f"rows apart from their neighbours: {engine}", len(alone))
        tried += 1
        tell(f"lazy table in {engine}", case)
    assert tried
