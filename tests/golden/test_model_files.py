"""Files of every version load with equal answers."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.adversary.plain_model import PlainModel
from tests.golden.model_files import ANSWERS, HERE, MODEL, answers, rows_from_plain

from idnf import exporting

FILES = sorted(HERE.glob(f"version-*/*{MODEL}"))
SPELT_OUT = {"number", "category", "boolean", "ordered"}
"""Kinds of columns whose literals `PlainModel` reads by their words."""


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.name.removesuffix(MODEL)}"


def kept_answers(path: Path) -> dict:
    """Return the answers kept with a file; what was "0 or 1" in them is "at most 1" now."""
    text = path.with_name(path.name.replace(MODEL, ANSWERS)).read_text(encoding="utf-8")
    return json.loads(text.replace(" is 0 or 1", " <= 1"))


def in_their_words(text: str) -> str:
    """Return answers in the words that files of these versions were answered in: signs between ordered categories."""
    return text.replace(" is up to ", " <= ").replace(" is above ", " > ")


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_files_of_every_version_load_with_equal_answers(path: Path) -> None:
    kept = kept_answers(path)
    clf = exporting.from_json(path)
    answered = json.loads(in_their_words(json.dumps(answers(clf, rows_from_plain(kept.pop("rows"))))))
    for part, expected in kept.items():
        assert answered[part] == expected, part


def is_spelt_out(model: PlainModel) -> bool:
    columns, readings = model.columns, model.document["reading"]["texts"]
    kinds, names = {column["kind"] for column in columns}, [column["name"] for column in columns]
    return kinds <= SPELT_OUT and not readings and not any(" " in name for name in names)


def test_labels_kept_are_those_that_the_files_spell_out() -> None:
    tried = 0
    for path in FILES:
        model = PlainModel.of(path.read_text(encoding="utf-8"))
        if not is_spelt_out(model):
            continue
        kept = kept_answers(path)
        rows, names = rows_from_plain(kept["rows"]), [column["name"] for column in model.columns]
        digits = {column["name"] for column in model.columns if column.get("digits")}
        for values, label in zip(rows.tolist() if isinstance(rows, np.ndarray) else rows.rows(), kept["labels"]):
            given = dict(zip(names if isinstance(rows, np.ndarray) else rows.columns, values))
            point = {name: bool(v) if name in digits and v is not None else v for name, v in given.items()}
            assert model.label(point) == label, (name_of(path), point)
            tried += 1
    assert tried >= 200


def fields(value: object, where: str = "") -> Iterator[str]:
    """Yield where in a document there is something: a field that is not null, false or empty, or a kind."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from fields(inner, where if where in FREE or key in BRANCHES else f"{where}.{key}")
            if key in ("kind", "missing", "cuts") and isinstance(inner, str):
                yield f"{where}.{key}={inner}"
    elif isinstance(value, list):
        for inner in value:
            yield from fields(inner, where)
    elif value not in (None, False, ""):
        yield where


FREE = (".texts", ".reading.texts", ".reading.rare", ".settings.monotonic_cst", ".fairness.bounds")
"""Objects whose keys are names that users gave."""

BRANCHES = ("if_false", "if_true")

FORMAT_1 = {
    *(f".model.kind={kind}" for kind in ("nested", "tree", "double", "classes")),
    *(f".columns.kind={kind}" for kind in ("number", "date", "datetime", "datetime-utc", "duration", "ordered")),
    *(f".columns.kind={kind}" for kind in ("category", "boolean", "one-hot", "ordered-group")),
    *(f".columns.missing={missing}" for missing in ("refused", "allowed", "seen")),
    *(f".columns.{field}" for field in ("whole", "rare", "pair", "digits", "none", "seen", "values", "members")),
    *(".model.matrix", ".model.prefixes", ".model.root.feature", ".model.root.complemented"),
    *(".inputs.named", ".reading.missing", ".reading.texts", ".reading.rare", ".reading.decisions.text"),
    *(f".result.{field}" for field in ("objective", "optimal", "bound", "bound_family")),
    *(f".settings.{field}" for field in ("family", "learner", "price", "max_terms", "max_reasons", "random_state")),
    *(f".settings.{field}" for field in ("class_weight", "monotonic_cst", "effort", "tune", "polarity")),
    *(".settings.binariser.cuts=quantile", ".settings.binariser.missing=allow"),
    *(".texts", ".target", ".immutable", ".reason_texts", ".choices.tried", ".fairness.alternatives.model.kind"),
    *(".training.cells", ".training.positive", ".training.class 2", ".training.costs", ".values.quantiles"),
}
"""What docs/exports.md says a file may have."""


def test_files_of_version_1_have_every_kind_and_field() -> None:
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in FILES if path.parent.name == "version-1"]
    assert not FORMAT_1 - {field for document in documents for field in fields(document)}
    assert {type(document["classes"][0]) for document in documents} == {str, int, float, bool}
    assert {document["inputs"]["named"] for document in documents} == {True, False}


def test_files_of_version_2_have_every_kind_of_model() -> None:
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in FILES if path.parent.name == "version-2"]
    kinds = {(document["model"]["kind"], len(document["classes"]) > 2) for document in documents}
    assert kinds == {("nested", False), ("tree", False), ("double", False), ("tree", True), ("classes", True)}
    assert {document["space"]["counts"] for document in documents} == {"literals"}
