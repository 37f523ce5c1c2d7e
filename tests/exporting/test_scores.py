"""Shares by the set of reasons that hold are the same, to the last digit, by every route."""

from __future__ import annotations

import pytest
from tests.exporting.cases import Case, cases, scored_cases
from tests.exporting.databases import Ask, database
from tests.exporting.test_javascript import node
from tests.exporting.test_onnx import answers
from tests.exporting.test_python import loaded

from idnf import exporting

__all__ = ["database", "node"]


def shares(case: Case) -> list[float]:
    return case.clf.predict_proba(case.frame)[:, 1].tolist()


def test_cases_meet_sets_that_were_listed_and_others() -> None:
    tables = [case.clf.fitted_.confidence.table for case in scored_cases()]
    assert {table.exact for table in tables} == {True, False}
    assert max(len(table.sets.reasons) for table in tables) > 30
    for case, table in zip(scored_cases(), tables, strict=True):
        said = set(shares(case))
        assert len(said & {share for _, share in table.listed}) > 1
    assert any(set(shares(case)) & set(table.otherwise) for case, table in zip(scored_cases(), tables, strict=True))


def test_in_model_files(tmp_path) -> None:
    for number, case in enumerate(case for case in scored_cases() if case.clf.fitted_.confidence.table.exact):
        exporting.to_json(case.clf, tmp_path / f"{number}.json")
        again = exporting.from_json(tmp_path / f"{number}.json")
        assert again.predict_proba(case.frame)[:, 1].tolist() == shares(case)


def test_in_sql(database: tuple[str, Ask]) -> None:
    dialect, ask = database
    for case in scored_cases():
        query = exporting.to_sql(case.clf, dialect=dialect, table="rows", probability=True)
        answer = ask(case, query)
        assert [row[0] for row in answer] == case.labels
        assert [row[1] for row in answer] == shares(case)


def test_in_python() -> None:
    for case in scored_cases():
        probability = loaded(case.clf)["probability"]
        assert [probability(row) for row in case.each()] == shares(case)


def test_in_javascript(node) -> None:
    for case in scored_cases():
        assert node(exporting.to_javascript(case.clf), "probability", list(case.each())) == shares(case)


def test_in_onnx() -> None:
    for case in scored_cases():
        assert answers(case.clf, case.frame, "probability") == shares(case)
        assert answers(case.clf, case.frame) == case.labels


def test_in_lazy_tables() -> None:
    for case in scored_cases():
        found = case.clf.predict_proba(case.frame.lazy()).collect()
        assert found["probability"].to_list() == shares(case)


def test_many_reasons_have_the_share_of_the_one_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("idnf.explaining.training_facts.MOST_REASONS", 0)
    for case in scored_cases()[:3]:
        clf = case.clf.with_state(case.clf.fitted_.with_settings())
        table = clf.fitted_.confidence.table
        assert table.listed == ()
        assert [loaded(clf)["probability"](row) for row in case.each()] == clf.predict_proba(case.frame)[:, 1].tolist()


def test_shares_that_cannot_be_exported_are_refused(node) -> None:
    several = next(case for case in cases() if len(case.clf.classes_) > 2)
    with pytest.raises(ValueError, match=r"probability must be asked of a model of two labels; got one of \d"):
        exporting.to_sql(several.clf, probability=True)
    assert "probability" not in loaded(several.clf)
    row = next(several.each())
    (answer,) = node(exporting.to_javascript(several.clf), "probability", [row])
    assert answer == {"error": "probability needs two labels whose reasons are in the script and can be listed"}
    large = cases()[-1]
    with pytest.raises(ValueError, match="the model has too many reasons for shares to be exported; export without"):
        exporting.to_sql(large.clf, probability=True)
    assert "probability" not in loaded(large.clf)
