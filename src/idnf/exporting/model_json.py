"""Model files: JSON with a schema and a version, described in docs/exports.md."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from idnf.atomic_files import write_atomically
from idnf.auditing.reason_texts import ReasonTexts
from idnf.classifier.edit_history import AdoptedEdits
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fitted import AnyClassifier, Fitted
from idnf.columns.categories import MOST_EXACT
from idnf.columns.column import TableColumn, literal_names, space_of
from idnf.exporting import column_json, result_json
from idnf.exporting.column_json import COLUMNS, MOST_COLUMNS
from idnf.exporting.documents import (
    BOOLEAN,
    LINE,
    MOST_BYTES,
    NUMBER,
    TEXT,
    Codec,
    DocumentError,
    Place,
    entries,
    integer,
    parse_document,
    read_document,
    record,
    row,
    shown,
    text,
)
from idnf.exporting.function_json import Expected, function, model_to_plain
from idnf.exporting.plain_labels import Label, plain_classes
from idnf.logic.deadlines import Budget
from idnf.logic.errors import InvalidArgument
from idnf.proving.guarantee import MOST_STEPS, Unproved
from idnf.proving.monotonicity import NotMonotone, prove_monotone
from idnf.tables.binariser import TableBinariser
from idnf.tables.targets import MOST_CLASSES
from idnf.tables.training_file import TrainingFile

FORMAT = "idnf-model"
VERSION = 2

MOST_K = 100
MOST_TEXTS = 10_000

_FIELDS = (
    *("format", "version", "k", "classes", "inputs", "reading", "space"),
    *("model", "result", "settings", "texts", "training", "values"),
)
_OPTIONAL = (
    "target",
    "file",
    "favourable",
    "immutable",
    "choices",
    "reason_texts",
    "reason_outcome",
    "fairness",
    "edits",
)

_TARGET = text("the target's name")
FILE: Codec[TrainingFile] = record(
    TrainingFile,
    {
        "separator": TEXT.optional(),
        "encoding": LINE.optional(),
        "sheet": TEXT.optional(),
        "skip": integer(0, 10**9).optional(),
        "header": BOOLEAN,
        "test_size": NUMBER.where(lambda share: 0 <= share < 1, "at least 0 and less than 1").optional(),
        "test_after": row(TEXT, TEXT).optional(),
        "test_group": TEXT.optional(),
    },
)
"""How the file of the training table was read, and which of its rows were held out."""

_INPUTS = entries({"named": BOOLEAN, "names": TEXT.many(MOST_COLUMNS * 2, least=1)})
_NAMES = TEXT.many(MOST_COLUMNS)
_TEXTS = LINE.by_name(MOST_TEXTS, TEXT)
_NOTICES: Codec[ReasonTexts] = (
    row(LINE, LINE, LINE).many(MOST_TEXTS).made(ReasonTexts.from_rows, lambda texts: tuple(texts.to_rows()))
)


MOST_EDITS = 1_000
NOTE = LINE.where(lambda note: len(note) <= 2_000, "at most 2,000 characters")
HASH = LINE.where(lambda text: re.fullmatch("[0-9a-f]{64}", text) is not None, "a SHA-256 in hexadecimal")
MOMENT = LINE.where(
    lambda text: re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", text) is not None,
    "a time such as 2026-01-02T10:00:00Z",
)
_EDITS = record(
    AdoptedEdits, {"model": HASH, "name": NOTE, "time": MOMENT, "changes": row(TEXT, NOTE).many(MOST_EDITS)}
).many(MOST_EDITS)


def write_document(
    clf: AnyClassifier, path: str | os.PathLike[str], parts: Mapping[str, object], read: Callable[..., AnyClassifier]
) -> None:
    """Write plain data to a model file, once the model was read from it again."""
    data = document_text(parts).encode()
    if len(data) > MOST_BYTES:
        raise ValueError(f"clf must fit into {MOST_BYTES} bytes, the most that is read; it takes {len(data)}.")
    try:
        again = read(parse_document(data), verify=False)
    except DocumentError as error:
        raise ValueError(f"clf must be a model that can be read from its file again; {error}") from error
    assert again.classes_.tolist() == clf.classes_.tolist(), "labels are read as they are"
    write_atomically(path, data)


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
    return read_document(path, partial(from_document, verify=verify))


def document_text(parts: Mapping[str, object]) -> str:
    """Return plain data as the text of a model file."""
    return _lines(parts) + "\n"


def _lines(parts: Mapping[str, object]) -> str:
    """Return an object as JSON, each of its parts on lines of its own."""
    return "{\n" + ",\n".join(f"{json.dumps(key)}: {_block(value)}" for key, value in parts.items()) + "\n}"


def _block(value: object) -> str:
    """Return plain data as JSON, the entries of a list of lists or objects on a line each."""
    if isinstance(value, dict) and "columns" in value:
        return _lines(value)
    if isinstance(value, list) and value and isinstance(value[0], (list, dict)):
        return "[\n  " + ",\n  ".join(json.dumps(item, allow_nan=False) for item in value) + "\n]"
    return json.dumps(value, allow_nan=False)


def to_plain(clf: DNFClassifier) -> dict[str, object]:
    """Return a fitted classifier as plain data."""
    if clf.k > MOST_K:
        raise InvalidArgument("k", f"be at most {MOST_K} in a model file", clf.k)
    binariser, fitted = clf.binariser_, clf.fitted_
    named = hasattr(binariser, "feature_names_in_")
    optional = {
        "target": _TARGET.optional().write(fitted.target),
        "file": FILE.optional().write(fitted.file),
        "favourable": fitted.explainer.favourable,
        "immutable": _NAMES.write(fitted.immutable),
        "choices": result_json.CHOICES.optional().write(fitted.choices),
        "reason_texts": _NOTICES.optional().write(fitted.reason_texts),
        "reason_outcome": None if fitted.reason_texts is None else fitted.reason_texts.outcome,
        "fairness": result_json.fairness_to_plain(fitted),
        "edits": _EDITS.write(fitted.edits),
    }
    return {
        "format": FORMAT,
        "version": VERSION,
        "k": int(clf.k),
        "classes": list(plain_classes(clf)),
        "inputs": {"named": named, "names": binariser.source_names if named else binariser.input_names},
        "reading": column_json.reading_to_plain(binariser),
        "space": {
            "columns": COLUMNS.write(binariser.columns_),
            "literals": list(binariser.literals_),
        },
        "model": model_to_plain(fitted.model),
        "result": result_json.result(fitted.model, clf.k).write(fitted.learned),
        "settings": column_json.settings_to_plain(clf),
        "texts": _TEXTS.write(dict(fitted.texts)),
        "training": result_json.training_to_plain(fitted.confidence),
        "values": result_json.values(binariser.columns_).write(fitted.explainer.values),
        **{name: plain for name, plain in optional.items() if plain not in (None, [])},
    }


def from_document(document: Place, *, verify: bool = True) -> DNFClassifier:
    """Return the classifier in a document."""
    try:
        return _read_classifier(document, verify=verify)
    except DocumentError:
        raise
    except ValueError as error:
        raise DocumentError(f"the document must be a model; {error}") from error


@contextmanager
def _refusing_unproved() -> Iterator[None]:
    """Refuse a document if a proof fails or would take too long."""
    try:
        yield
    except (NotMonotone, Unproved) as error:
        raise DocumentError(str(error)) from error


def _read_classifier(document: Place, *, verify: bool) -> DNFClassifier:
    if not isinstance(document.value, dict) or document.value.get("format") != FORMAT:
        raise DocumentError(f"the document must be an object with format {FORMAT!r}.")
    if document.has("kind"):
        raise DocumentError("the document must hold one classifier; it holds bands, which are not taken here.")
    space = _read_space(document)
    k = document.key("k").integer(1, MOST_K)
    classes = read_classes(document.key("classes"))
    columns = COLUMNS.read(space.key("columns"))
    names = _read_literals(space.key("literals"), columns)
    clf = DNFClassifier(k=k)
    column_json.read_settings(document.key("settings"), clf, classes.tolist(), columns)
    binariser = _read_binariser(document.key("inputs"), columns, clf)
    column_json.read_reading(document.key("reading"), binariser)
    expected = Expected(names, k, len(classes), len(columns), space_of(columns))
    model = function(expected, verify=verify).read(document.key("model"))
    learned = result_json.result(model, k).read(document.key("result"))
    fitted = Fitted.untrained(binariser, classes, learned, "not recorded in the model file")
    constraints = clf.monotonic_cst
    if constraints and len(classes) > 2:
        raise DocumentError("settings.monotonic_cst must be null for more than two classes; got constraints.")
    if constraints and verify:
        assert isinstance(constraints, dict), "model files name the columns"
        with _refusing_unproved():
            prove_monotone(fitted.sides, columns, constraints)
    frame, monotone = fitted.sides.frame, bool(constraints)
    training = result_json.read_training(document.key("training"), frame, n_classes=len(classes), monotone=monotone)
    values = result_json.values(columns).read(document.key("values"))
    texts = _TEXTS.read(document.key("texts"))
    if texts and verify:
        with _refusing_unproved():
            result_json.refuse_unknown_reasons(fitted.explainer, texts, Budget(MOST_STEPS))
    explainer = replace(fitted.explainer, values=values, texts=texts)
    clf.fitted_ = _with_what_was_said(document, replace(fitted, training=training, explainer=explainer), clf)
    if document.has("fairness") and len(classes) == 2:
        place = document.key("fairness")
        report, models = result_json.read_fairness(place, expected, classes.tolist(), verify=verify)
        if models[report.chosen].model != model:
            raise place.key("chosen").error("the place of the model of this file")
        clf.fitted_ = replace(clf.fitted_, fairness=report, alternatives=models)
    return clf


def _read_space(document: Place) -> Place:
    """Return the place of columns and literals in a document of this version with all its fields."""
    version = document.key("version").value
    if version != VERSION:
        raise DocumentError(f"version must be {VERSION}; got {shown(version)}. Fit the model again with this idnf.")
    document.object(_FIELDS, _OPTIONAL)
    space = document.key("space")
    space.object(["columns", "literals"])
    return space


def _with_what_was_said(document: Place, fitted: Fitted, clf: DNFClassifier) -> Fitted:
    """Return the state with what a file may have: names, columns that stay as they are, the choice of k, notices."""
    if document.has("target"):
        fitted = fitted.with_settings(target=_TARGET.read(document.key("target")))
    if document.has("file"):
        fitted = replace(fitted, file=FILE.read(document.key("file")))
    if document.has("immutable"):
        fitted = fitted.with_settings(immutable=_NAMES.read(document.key("immutable")))
    if document.has("favourable"):
        labels = fitted.classes.tolist()
        clf.favourable = labels[document.key("favourable").integer(0, len(labels) - 1)]
        fitted = fitted.with_settings(favourable=clf.favourable)
    if document.has("choices"):
        fitted = replace(fitted, choices=result_json.CHOICES.read(document.key("choices")))
    if document.has("edits"):
        fitted = replace(fitted, edits=_EDITS.read(document.key("edits")))
    if document.has("reason_texts"):
        notices = _NOTICES.read(document.key("reason_texts"))
        if document.has("reason_outcome"):
            notices = replace(notices, outcome=LINE.read(document.key("reason_outcome")))
        notices = notices.checked([column.name for column in fitted.columns], fitted.classes.tolist())
        fitted = replace(fitted, reason_texts=notices)
    return fitted


def read_classes(place: Place) -> NDArray[np.generic]:
    """Return labels of one type, all different."""
    labels = [_label(item) for item in place.items(MOST_CLASSES, least=2)]
    kinds = {(isinstance(label, str), isinstance(label, bool)) for label in labels}
    if len(kinds) > 1 or len(set(labels)) < len(labels):
        two = "two different labels" if len(labels) == 2 else "different labels"
        raise DocumentError(f"{place.path} must be {two} of one type; got {', '.join(map(shown, labels))}.")
    # NumPy's own text type drops null characters at the end.
    if any(isinstance(label, str) and label.endswith("\0") for label in labels):
        return np.array(labels, dtype=object)
    return np.array(labels)


def _label(item: Place) -> Label:
    """Return a label; refuse numbers that no fit takes as labels."""
    if isinstance(item.value, (int, float)) and abs(item.value) >= MOST_EXACT:
        raise item.error(f"below 2**53 = {MOST_EXACT} if it is a number")
    return item.scalar()


def _read_literals(place: Place, columns: Sequence[TableColumn]) -> tuple[str, ...]:
    names = literal_names(columns)
    for item, name in zip(place.items(len(names), least=len(names)), names):
        if item.text() != name:
            raise DocumentError(f"{item.path} must be what the columns give, {shown(name)}; got {shown(item.value)}.")
    return names


def _read_binariser(place: Place, columns: tuple[TableColumn, ...], clf: DNFClassifier) -> TableBinariser:
    named, names = _INPUTS.read(place).values()
    sources = [source for column in columns for source in column.sources]
    if sorted(names) != sorted(sources):
        odd = sorted(set(names) ^ set(sources)) or names
        raise DocumentError(
            f"{place.path}.names must be the columns read from the table; {shown(odd[0])} is not on both lists."
        )
    binariser = TableBinariser() if clf.binariser is None else TableBinariser(**clf.binariser.get_params(deep=False))
    binariser.take(columns, names if named else None)
    binariser.n_features_in_ = len(names)
    if not named and names != tuple(f"x{j}" for j in range(len(names))):
        raise place.key("names").error("x0, x1, ... if the columns have no names")
    return binariser
