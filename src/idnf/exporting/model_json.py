"""Model files: JSON with a schema and a version, described in docs/exports.md."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from idnf.auditing.reason_texts import ReasonTexts
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fitted import Fitted
from idnf.columns.column import TableColumn, literal_names
from idnf.explaining.explainer import Explainer
from idnf.exporting import result_json, settings_json
from idnf.exporting.column_json import MOST_COLUMNS, read_columns
from idnf.exporting.documents import (
    MOST_BYTES,
    DocumentError,
    Place,
    checked_text,
    parse_document,
    read_document,
    shown,
)
from idnf.exporting.function_json import Expected, model_to_plain, read_model
from idnf.exporting.proving import MOST_STEPS, prove_monotone
from idnf.exporting.rule_list import Label, plain_classes
from idnf.logic.deadlines import Budget
from idnf.tables.binariser import TableBinariser
from idnf.tables.targets import MOST_CLASSES
from idnf.tables.whole_files import write_whole

FORMAT = "idnf-model"
VERSION = 1
MOST_K = 100
MOST_TEXTS = 10_000

_FIELDS = (
    "format",
    "version",
    "k",
    "classes",
    "inputs",
    "reading",
    "columns",
    "literals",
    "model",
    "result",
    "settings",
    "texts",
    "training",
    "values",
)

_OPTIONAL = ("target", "immutable", "choices", "reason_texts", "fairness")


def to_json(clf: DNFClassifier, path: str | os.PathLike[str]) -> None:
    """Write a fitted classifier to a model file; an older file stays as it was if anything fails.

    >>> from tempfile import TemporaryDirectory
    >>> clf = DNFClassifier(k=2, learner="greedy").fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> with TemporaryDirectory() as folder:
    ...     to_json(clf, f"{folder}/model.json")
    ...     print(from_json(f"{folder}/model.json").double_dnf_.positive)
    x0 & x1
    """
    data = dumps(clf).encode()
    if len(data) > MOST_BYTES:
        raise ValueError(f"clf must fit into {MOST_BYTES} bytes, the most that is read; it takes {len(data)}.")
    try:
        read = from_document(parse_document(data), verify=False)
    except DocumentError as error:
        raise ValueError(f"clf must be a model that can be read from its file again; {error}") from error
    assert read.classes_.tolist() == clf.classes_.tolist(), "labels are read as they are"
    write_whole(path, data)


def from_json(path: str | os.PathLike[str], *, verify: bool = True) -> DNFClassifier:
    """Read a classifier from a model file, which may come from anyone: nothing in it is run.

    Parameters
    ----------
    path : path
    verify : bool
        Prove that the classes of the model exclude each other, leave nothing out and are at most k wide, that it keeps
        its monotone constraints and that its texts are about its reasons. Without it, what the file says is taken as
        proved; for files of your own whose proof takes too long.

    Raises
    ------
    DocumentError
        A ValueError that says what is wrong, and where in the file.
    """
    document = read_document(path)
    try:
        return from_document(document, verify=verify)
    except DocumentError as error:
        raise DocumentError(f"{os.fspath(path)} is not a model file: {error}") from error


def dumps(clf: DNFClassifier) -> str:
    """Return a fitted classifier as the text of a model file."""
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {_block(value)}" for key, value in to_plain(clf).items()) + "\n}\n"


def _block(value: object) -> str:
    """Return plain data as JSON, the entries of a list of lists or objects on a line each."""
    if isinstance(value, list) and value and isinstance(value[0], (list, dict)):
        return "[\n  " + ",\n  ".join(json.dumps(item, allow_nan=False) for item in value) + "\n]"
    return json.dumps(value, allow_nan=False)


def to_plain(clf: DNFClassifier) -> dict[str, object]:
    """Return a fitted classifier as plain data."""
    if clf.k > MOST_K:
        raise ValueError(f"k must be at most {MOST_K} in a model file; got {clf.k}.")
    binariser = clf.binariser_
    named = hasattr(binariser, "feature_names_in_")
    for column in binariser.columns_:
        for name in (column.name, *column.sources):
            checked_text(name, "a column's name")
    notices, fairness = clf.fitted_.reason_texts, result_json.fairness_to_plain(clf.fitted_)
    return {
        "format": FORMAT,
        "version": VERSION,
        "k": int(clf.k),
        "classes": list(plain_classes(clf)),
        "inputs": {"named": named, "names": binariser.source_names if named else binariser.input_names},
        "reading": settings_json.reading_to_plain(binariser),
        "columns": [column.to_dict() for column in binariser.columns_],
        "literals": list(binariser.literals_),
        "model": model_to_plain(clf.fitted_.model),
        "result": {
            "objective": _finite(clf.objective_),
            "optimal": clf.optimal_,
            "bound": _finite(clf.bound_),
            "bound_family": clf.bound_family_,
        },
        "settings": settings_json.settings_to_plain(clf),
        "texts": dict(clf.fitted_.texts),
        "training": result_json.training_to_plain(clf.fitted_.confidence),
        "values": [result_json.values_to_plain(values) for values in clf.fitted_.explainer.values],
        **({} if clf.fitted_.target is None else {"target": checked_text(clf.fitted_.target, "the target's name")}),
        **({} if not clf.fitted_.immutable else {"immutable": list(clf.fitted_.immutable)}),
        **({} if clf.fitted_.choices is None else {"choices": result_json.choices_to_plain(clf.fitted_.choices)}),
        **({} if notices is None else {"reason_texts": [list(row) for row in notices.to_rows()]}),
        **({"fairness": fairness} if fairness else {}),
    }


def from_document(document: Place, *, verify: bool = True) -> DNFClassifier:
    """Return the classifier in a document."""
    try:
        return _read_classifier(document, verify=verify)
    except DocumentError:
        raise
    except ValueError as error:
        raise DocumentError(f"the document must be a model; {error}") from error


def _read_classifier(document: Place, *, verify: bool) -> DNFClassifier:
    if not isinstance(document.value, dict) or document.value.get("format") != FORMAT:
        raise DocumentError(f"the document must be an object with format {FORMAT!r}.")
    document.key("version").integer(VERSION, VERSION)
    document.object(_FIELDS, _OPTIONAL)
    k = document.key("k").integer(1, MOST_K)
    classes = _read_classes(document.key("classes"))
    columns = read_columns(document.key("columns"))
    names = _read_literals(document.key("literals"), columns)
    clf = DNFClassifier(k=k)
    settings_json.read_settings(document.key("settings"), clf, classes.tolist(), columns)
    binariser = _read_binariser(document.key("inputs"), columns, clf)
    settings_json.read_reading(document.key("reading"), binariser)
    expected = Expected(names, k, len(columns), len(classes))
    model = read_model(document.key("model"), expected, verify=verify)
    learned = result_json.read_result(document.key("result"), model, k)
    fitted = Fitted.untrained(binariser, classes, learned, "not known: read from a model file")
    constraints = settings_json.read_constraints(document.key("settings").key("monotonic_cst"), columns)
    if constraints and len(classes) > 2:
        raise DocumentError("settings.monotonic_cst must be null for more than two classes; got constraints.")
    if constraints and verify:
        prove_monotone(fitted.sides, columns, constraints)
    training = result_json.read_training(document.key("training"), fitted.sides.frame, n_classes=len(classes))
    explainer = _with_words_and_values(document, fitted.explainer, columns, verify=verify)
    notices = _read_reason_texts(document, columns)
    fitted = replace(fitted, training=training, explainer=explainer, reason_texts=notices)
    clf.fitted_ = _with_what_was_said(document, fitted, clf)
    if document.has("fairness") and len(classes) == 2:
        report, models = result_json.read_fairness(
            document.key("fairness"), expected, classes.tolist()[1], verify=verify
        )
        if models[report.chosen].model != model:
            raise document.key("fairness").key("chosen").error("the place of the model of this file")
        clf.fairness = report.fairness
        clf.fitted_ = replace(clf.fitted_, fairness=report, alternatives=models)
    return clf


def _with_what_was_said(document: Place, fitted: Fitted, clf: DNFClassifier) -> Fitted:
    """Return the state with the target's name, the columns that stay as they are and the choice of k, if given."""
    if document.has("target"):
        clf.target = document.key("target").text()
        fitted = fitted.with_target(clf.target)
    if document.has("immutable"):
        clf.immutable = [item.text() for item in document.key("immutable").items(MOST_COLUMNS)]
        fitted = fitted.with_immutable(clf.immutable)
    if document.has("choices"):
        fitted = replace(fitted, choices=result_json.read_choices(document.key("choices")))
    return fitted


def _read_reason_texts(document: Place, columns: Sequence[TableColumn]) -> ReasonTexts | None:
    if not document.has("reason_texts"):
        return None
    rows = [[part.line() for part in row.items(3, least=3)] for row in document.key("reason_texts").items(MOST_TEXTS)]
    texts = ReasonTexts.from_rows((column, code, text) for column, code, text in rows)
    return texts.checked([column.name for column in columns])


def _with_words_and_values(
    document: Place, explainer: Explainer, columns: Sequence[TableColumn], *, verify: bool
) -> Explainer:
    values = result_json.read_values(document.key("values"), columns)
    texts = {name: text.line() for name, text in document.key("texts").entries(MOST_TEXTS)}
    if texts and verify:
        result_json.refuse_unknown_reasons(explainer, texts, Budget(MOST_STEPS))
    return replace(explainer, values=values, texts=texts)


def _finite(number: float | None) -> float | None:
    return None if number is None or not math.isfinite(number) else float(number)


def _read_classes(place: Place) -> NDArray[np.generic]:
    labels = [_label(item) for item in place.items(MOST_CLASSES, least=2)]
    kinds = {(isinstance(label, str), isinstance(label, bool)) for label in labels}
    if len(kinds) > 1 or len(set(labels)) < len(labels):
        two = "two different labels" if len(labels) == 2 else "different labels"
        raise DocumentError(f"{place.path} must be {two} of one type; got {', '.join(map(shown, labels))}.")
    # NumPy's own text type drops null characters at the end.
    if any(isinstance(label, str) and label.endswith("\0") for label in labels):
        return np.array(labels, dtype=object)
    large = all(isinstance(label, int) for label in labels) and max(map(float, labels)) >= 1 << 63
    return np.array(labels, dtype=np.uint64 if large and min(map(float, labels)) >= 0 else None)


def _label(item: Place) -> Label:
    value = item.value
    return value if isinstance(value, int) and -(1 << 63) <= value < 1 << 64 else item.scalar()


def _read_literals(place: Place, columns: Sequence[TableColumn]) -> tuple[str, ...]:
    names = literal_names(columns)
    given = [item.text() for item in place.items(len(names), least=len(names))]
    for i, (name, expected) in enumerate(zip(given, names)):
        if name != expected:
            raise DocumentError(
                f"{place.path}[{i}] must be what the columns give, {shown(expected)}; got {shown(name)}."
            )
    return names


def _read_binariser(place: Place, columns: tuple[TableColumn, ...], clf: DNFClassifier) -> TableBinariser:
    place.object(["named", "names"])
    names = [item.text() for item in place.key("names").items(MOST_COLUMNS * 2, least=1)]
    sources = [source for column in columns for source in column.sources]
    if sorted(names) != sorted(sources):
        odd = sorted(set(names) ^ set(sources)) or names
        raise DocumentError(
            f"{place.path}.names must be the columns read from the table; {shown(odd[0])} is not on both lists."
        )
    binariser = TableBinariser(groups=clf.groups) if clf.binariser is None else clone(clf.binariser)
    named = place.key("named").boolean()
    binariser.take(columns, names if named else None)
    binariser.n_features_in_ = len(names)
    if not named and names != [f"x{j}" for j in range(len(names))]:
        raise place.key("names").error("x0, x1, ... where the columns have no names")
    return binariser
