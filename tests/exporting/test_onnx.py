from __future__ import annotations

import builtins
import math

import onnxruntime
import polars as pl
import pytest
from tests.exporting.cases import cases

from idnf import DNFClassifier, exporting
from idnf.columns.categories import CategoryColumn
from idnf.exporting.onnx_graph import MISSING_TEXT, onnx_inputs


def answers(clf: DNFClassifier, table: pl.DataFrame, output: str = "label") -> list[object]:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    model = exporting.to_onnx(clf).SerializeToString()
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    (answer,) = session.run([output], onnx_inputs(clf, table))
    return answer.tolist()


def test_predicts_as_the_classifier_on_all_rows() -> None:
    for case in cases():
        assert case.labels == answers(case.clf, case.frame)


@pytest.mark.parametrize(("formula", "label"), [("0", "no"), ("1", "yes")])
def test_constant_models(formula: str, label: str) -> None:
    clf = DNFClassifier.from_dnf(formula, columns={"late": bool}, classes=("no", "yes"))
    assert answers(clf, pl.DataFrame({"late": [True, False, True]})) == [label] * 3


def test_a_column_named_like_an_inner_step_or_the_output() -> None:
    names = ["step 0.0", "step 0.1", "step 1.1", "label 1"]
    clf = DNFClassifier.from_dnf(" & ".join(f"'{name}'" for name in names), columns=dict.fromkeys(names, bool))
    table = pl.DataFrame({name: [True, i > 0] for i, name in enumerate(names)})
    assert answers(clf, table) == [1, 0]


@pytest.mark.parametrize("name", ["label", "probability"])
def test_a_column_named_like_an_output_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="columns must not be called 'label' or 'probability' or have no name"):
        exporting.to_onnx(DNFClassifier.from_dnf(name))


def test_the_word_for_missing_is_refused_as_a_category() -> None:
    column = CategoryColumn("colour", "seen", values=(MISSING_TEXT, "red"))
    clf = DNFClassifier.from_dnf("'colour is red'", columns=[column])
    with pytest.raises(ValueError, match="must have no category '<missing>'"):
        exporting.to_onnx(clf)


def test_without_onnx_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def absent(name: str, *rest: object, **more: object) -> object:
        if name == "onnx":
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(ImportError, match=r"the onnx export needs onnx: pip install 'idnf\[onnx\]'"):
        exporting.to_onnx(DNFClassifier.from_dnf("a"))


def test_inputs_are_refused_as_the_classifier_refuses_them() -> None:
    clf = DNFClassifier.from_dnf("late", columns={"late": bool})
    for value, match in ((0.7, "must be true or false, or 1 or 0"), (math.inf, "finite"), (None, "no missing values")):
        with pytest.raises(ValueError, match=match):
            exporting.onnx_inputs(clf, pl.DataFrame({"late": [1.0, value]}))
