from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from tests.exporting.cases import Case, cases, plain_value, wide_case

from idnf import DNFClassifier, exporting
from idnf.columns.intervals import NumberColumn


def loaded(clf: DNFClassifier, **options: bool) -> dict[str, object]:
    module: dict[str, object] = {}
    exec(exporting.to_python(clf, **options), module)
    return module


def test_predicts_as_the_classifier_on_all_rows() -> None:
    for case in cases():
        predict = loaded(case.clf, reasons=False)["predict"]
        assert case.labels == [predict(row) for row in case.each()]


def test_explains_as_the_classifier() -> None:
    for case in cases():
        explain = loaded(case.clf)["explain"]
        rows = list(case.each())[:150]
        expected = [explanation.to_dict() for explanation in case.clf.explain(case.frame[:150])]
        assert expected == [explain(row) for row in rows]


def test_a_column_of_many_cells() -> None:
    case = wide_case(200)
    explain = loaded(case.clf)["explain"]
    assert [e.to_dict() for e in case.clf.explain(case.frame)] == [explain(row) for row in case.each()]


def test_missing_values_of_pandas_are_missing() -> None:
    clf = DNFClassifier.from_dnf("'age is missing'", columns=[NumberColumn("age", "seen", cuts=(3.0,))])
    predict = loaded(clf)["predict"]
    assert [predict({"age": value}) for value in (None, float("nan"), pd.NA, pd.NaT, 3.0)] == [1, 1, 1, 1, 0]


def test_takes_rows_read_from_json() -> None:
    for case in cases():
        predict = loaded(case.clf)["predict"]
        rows = json.loads(json.dumps([{k: plain_value(v) for k, v in row.items()} for row in case.each()]))
        assert case.labels[:100] == [predict(row) for row in rows[:100]]


def test_needs_nothing_but_python(tmp_path: Path) -> None:
    case = cases()[0]
    (tmp_path / "model.py").write_text(exporting.to_python(case.clf), "utf-8")
    rows = json.dumps([{k: plain_value(v) for k, v in row.items()} for row in list(case.each())[:20]])
    (tmp_path / "main.py").write_text(
        "import json, sys\nsys.path.insert(0, sys.argv[1])\nimport model\n"
        "print(json.dumps([model.predict(row) for row in json.loads(sys.stdin.read())]))"
    )
    command = [sys.executable, "-I", "-S", str(tmp_path / "main.py"), str(tmp_path)]
    done = subprocess.run(command, input=rows, capture_output=True, text=True, check=True)
    assert case.labels[:20] == json.loads(done.stdout)


def test_own_texts_are_used() -> None:
    clf = DNFClassifier.from_dnf("late", columns={"late": bool}, classes=("fine", "fee"))
    explain = loaded(clf.with_settings(texts={"b1": "the book came back late"}))["explain"]
    assert "Fee because the book came back late." in explain({"late": True})["text"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"age": 3}, "row must have a value for 'late'"),
        ({"age": None, "late": 0}, "column 'age' must have no missing values"),
        ({"age": 3, "late": 7}, "column 'late' must be true or false"),
        ({"age": float("inf"), "late": 1}, "column 'age' must hold finite numbers"),
    ],
)
def test_refuses_rows_as_the_classifier_does(row: dict[str, object], message: str) -> None:
    clf = DNFClassifier.from_dnf("'age <= 5' & late", columns={"age": [5], "late": bool})
    with pytest.raises(ValueError, match=message):
        loaded(clf)["predict"](row)


def hostile(case: Case) -> bool:
    return any("script" in name for name in case.rows)


def test_hostile_names_stay_inert() -> None:
    found = [case for case in cases() if hostile(case)]
    assert found
    for case in found:
        source = exporting.to_python(case.clf)
        assert "</script" not in source
        assert source.isascii()
