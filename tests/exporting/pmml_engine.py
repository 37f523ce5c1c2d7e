"""The reference evaluator of PMML, in one Java machine for a run."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import polars as pl

    from idnf import DNFBands, DNFClassifier

Inputs = dict[str, list[object]]
Evaluate = Callable[[list[tuple[str, Inputs]]], list[dict[str, list[object]]]]
"""Returns what models, given as text with their rows, say of each: a list of values by the name of an output."""

# In a process of its own: a Java machine and pytest's fault handler both want the signals.
_PROGRAM = """
import json, sys
import jpype, jpmml_evaluator
import pandas as pd
jpype.startJVM("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", classpath=jpmml_evaluator._classpath([]))
for line in sys.stdin:
    answers = []
    for model, inputs in json.loads(line):
        table = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in inputs.items()})
        found = jpmml_evaluator.make_evaluator(model).evaluateAll(table).astype(object)
        answers.append(found.where(found.notna(), None).to_dict("list"))
    print(json.dumps(answers), flush=True)
"""


@pytest.fixture(scope="session")
def pmml(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evaluate]:
    """Start the evaluator and return a function that asks it."""
    if shutil.which("java") is None:
        pytest.fail("this test needs Java: apt-get install default-jre-headless (or put java on PATH)")
    folder = tmp_path_factory.mktemp("pmml")
    with (
        Path(folder / "log").open("w+") as log,
        subprocess.Popen(
            [sys.executable, "-c", _PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None

        def evaluate(asked: list[tuple[str, Inputs]]) -> list[dict[str, list[object]]]:
            files = [folder / f"{i}.pmml" for i in range(len(asked))]
            for file, (model, _) in zip(files, asked):
                file.write_text(model, "utf-8")
            rows = [inputs for _, inputs in asked]
            print(json.dumps(list(zip(map(str, files), rows))), file=process.stdin, flush=True)
            answer = process.stdout.readline()
            assert answer, (folder / "log").read_text()[-2000:]
            return json.loads(answer)

        yield evaluate
        process.stdin.close()


def pmml_inputs(model: DNFClassifier | DNFBands, frame: pl.DataFrame) -> Inputs:
    """Return the rows of a table as an evaluator takes them."""
    from idnf.exporting.served import MISSING_TEXT, onnx_inputs  # conftest.py imports this module before any other

    return {
        name: [None if value in (MISSING_TEXT,) or value != value else value for value in values.tolist()]
        for name, values in onnx_inputs(model, frame).items()
    }


def pmml_labels(answer: dict[str, list[object]]) -> list[object]:
    """Return the label of each row; "refused" if the result is invalid."""
    count = len(next(iter(answer.values())))
    labels, errors = (answer.get(name, [None] * count) for name in ("label", "errors"))
    return [label if error is None else "refused" for label, error in zip(labels, errors)]
