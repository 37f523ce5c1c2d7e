"""Decisions as services give them: plain data for each row, or an MLflow model in a folder without pickles."""

from __future__ import annotations

import os
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import TypedDict

from idnf.classifier.estimator import DNFClassifier
from idnf.explaining.explanation import condition_text
from idnf.exporting.model_json import to_json

CODE = '''"""An MLflow model that gives the label of each row with its reason and what would change it."""

import mlflow

from idnf.exporting import from_json


class DecisionModel(mlflow.pyfunc.PythonModel):
    """Reads the model file, which proves its guarantee again, and explains every row."""

    def load_context(self, context):
        self.classifier = from_json(context.artifacts["model"])

    def predict(self, context, model_input, params=None):
        answer = self.classifier.explain(model_input).to_frame("pandas")
        return answer.set_axis(getattr(model_input, "index", answer.index))


mlflow.models.set_model(DecisionModel())
'''


class Decision(TypedDict):
    """One decision: the label, its reason in words, the reason's number and conditions, and the nearest change."""

    label: object
    reason: str
    reason_id: str | None
    conditions: list[str]
    change: list[str]
    text: str


def decisions(clf: DNFClassifier, X: object) -> list[Decision]:
    """Return the decision for each row of a table.

    >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
    >>> import pandas as pd
    >>> decisions(policy, pd.DataFrame({"late": [False], "owner": [True], "member": [False]}))[0]["reason"]
    'late is false and member is false'
    """
    return [
        Decision(
            label=one.label,
            reason=condition_text(one.axp) or "always",
            reason_id=one.reason,
            conditions=[condition.words for condition in one.axp],
            change=[condition.words for condition in one.cxp],
            text=one.to_text(),
        )
        for one in clf.explain(X)
    ]


def to_mlflow(clf: DNFClassifier, path: str | os.PathLike[str]) -> None:
    """Write a classifier as an MLflow model; ``mlflow.pyfunc.load_model(path).predict(rows)`` gives decisions.

    The answer is a pandas table with the columns ``predicted``, ``reason`` in words, ``reason id`` and ``changes if``.
    Needs mlflow, or mlflow-skinny, and pandas.
    """
    try:
        from mlflow.pyfunc import save_model
    except ImportError as error:
        raise ImportError("an MLflow model needs mlflow and pandas: pip install 'idnf[mlflow]'") from error
    if Path(path).exists() and any(Path(path).iterdir()):
        raise ValueError(f"path must not exist yet; got {os.fspath(path)}.")
    with tempfile.TemporaryDirectory() as folder:
        to_json(clf, f"{folder}/model.json")
        code = Path(folder) / "decision_model.py"
        code.write_text(CODE, encoding="utf-8")
        save_model(
            os.fspath(path),
            python_model=str(code),
            artifacts={"model": f"{folder}/model.json"},
            pip_requirements=[f"idnf=={version('idnf')}", "pandas"],
        )
