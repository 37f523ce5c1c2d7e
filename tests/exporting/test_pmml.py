from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.exporting.cases import Case, cases, first_cell_model

from idnf import DNFClassifier, exporting
from idnf.columns.categories import BooleanColumn, CategoryColumn, OrderedColumn
from idnf.columns.column import TableColumn
from idnf.columns.intervals import NumberColumn, TimeColumn
from idnf.exporting.onnx import MISSING_TEXT, onnx_inputs

# In a process of its own: a Java machine and pytest's fault handler both want the signals.
_EVALUATE = """
import json, sys
import pandas as pd
from jpmml_evaluator import make_evaluator
answers = []
for model, inputs in json.load(sys.stdin):
    table = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in inputs.items()})
    found = make_evaluator(model).evaluateAll(table)
    labels = [None] * len(table) if "label" not in found else found["label"].tolist()
    errors = [None] * len(table) if "errors" not in found else found["errors"].tolist()
    answers.append(["refused" if isinstance(error, str) else label for label, error in zip(labels, errors)])
json.dump(answers, sys.stdout)
"""


def evaluated(asked: list[tuple[str, dict[str, list[object]]]]) -> list[list[object]]:
    """Return the label of each row by models in files; "refused" where the result is invalid."""
    if shutil.which("java") is None:
        pytest.fail("this test needs Java: apt-get install default-jre-headless (or put java on PATH)")
    command = [sys.executable, "-c", _EVALUATE]
    done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def inputs(case: Case) -> dict[str, list[object]]:
    return {
        name: [None if value in (MISSING_TEXT,) or value != value else value for value in values.tolist()]
        for name, values in onnx_inputs(case.clf, case.frame).items()
    }


def test_predicts_as_the_classifier_on_all_rows(tmp_path: Path) -> None:
    asked = []
    for i, case in enumerate(cases()):
        (tmp_path / f"{i}.pmml").write_text(exporting.to_pmml(case.clf), "utf-8")
        asked.append((str(tmp_path / f"{i}.pmml"), inputs(case)))
    assert [case.labels for case in cases()] == evaluated(asked)
    assert sum(len(case.labels) for case in cases()) >= 10_000


def test_hostile_names_come_through_as_data() -> None:
    for case in cases():
        root = ElementTree.fromstring(exporting.to_pmml(case.clf))
        names = [field.get("name") for field in root.iter("{http://www.dmg.org/PMML-4_4}DataField")]
        assert set(names) <= set(case.rows)


def test_what_xml_cannot_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="no control characters to be written in XML"):
        exporting.to_pmml(DNFClassifier.from_dnf("'a\x01'", columns={"a\x01": bool}))


def test_a_column_named_label_is_refused() -> None:
    with pytest.raises(ValueError, match="columns must not be called 'label'"):
        exporting.to_pmml(DNFClassifier.from_dnf("label"))


def test_what_the_classifier_refuses_is_an_invalid_result(tmp_path: Path) -> None:
    columns: dict[TableColumn, dict[str, list[object]]] = {
        NumberColumn("x", "refused", cuts=(5.0,)): {"yes": [3], "no": [7], "refused": [None, math.inf, -math.inf, "a"]},
        NumberColumn("x", "seen", cuts=(5.0,)): {"yes": [3], "no": [7, None, math.nan], "refused": [math.inf]},
        BooleanColumn("x", "refused"): {"yes": [0, 0.0], "no": [1], "refused": [0.7, 2, None, math.inf]},
        BooleanColumn("x", "refused", digits=True): {"yes": [0.3], "no": [0.7, 3], "refused": [math.inf, None]},
        OrderedColumn("x", "refused", values=("s", "m"), cuts=(0,)): {
            "yes": ["s"],
            "no": ["m"],
            "refused": ["xl", None],
        },
        CategoryColumn("x", "refused", values=("a", "b")): {"yes": ["a"], "no": ["b", "c", "A"], "refused": [None]},
        CategoryColumn("x", "refused", values=(1, 2)): {"yes": [1, 1.0], "no": [2, 1.5], "refused": [math.inf]},
        TimeColumn("x", "refused", kind="date", cuts=(0.0,)): {"yes": [-1e6, -62e15], "no": [1e6], "refused": [1e18]},
    }
    asked = []
    for i, (column, labels) in enumerate(columns.items()):
        (tmp_path / f"{i}.pmml").write_text(exporting.to_pmml(first_cell_model(column)), "utf-8")
        asked.append((str(tmp_path / f"{i}.pmml"), {"x": [value for values in labels.values() for value in values]}))
    expected = [[label for label, values in labels.items() for _ in values] for labels in columns.values()]
    assert evaluated(asked) == expected
