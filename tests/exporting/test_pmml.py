from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.exporting.cases import Case, cases

from idnf import DNFClassifier, exporting
from idnf.exporting.onnx import MISSING_TEXT, onnx_inputs

# In a process of its own: a Java machine and pytest's fault handler both want the signals.
_EVALUATE = """
import json, sys
import pandas as pd
from jpmml_evaluator import make_evaluator
answers = []
for model, inputs in json.load(sys.stdin):
    table = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in inputs.items()})
    answers.append(make_evaluator(model).evaluateAll(table)["label"].tolist())
json.dump(answers, sys.stdout)
"""


def inputs(case: Case) -> dict[str, list[object]]:
    return {
        name: [None if value in (MISSING_TEXT,) or value != value else value for value in values.tolist()]
        for name, values in onnx_inputs(case.clf, case.frame).items()
    }


def test_predicts_as_the_classifier_on_all_rows(tmp_path: Path) -> None:
    if shutil.which("java") is None:
        pytest.fail("this test needs Java: apt-get install default-jre-headless (or put java on PATH)")
    asked = []
    for i, case in enumerate(cases()):
        (tmp_path / f"{i}.pmml").write_text(exporting.to_pmml(case.clf), "utf-8")
        asked.append((str(tmp_path / f"{i}.pmml"), inputs(case)))
    done = subprocess.run(
        [sys.executable, "-c", _EVALUATE], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert [case.labels for case in cases()] == json.loads(done.stdout)
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
