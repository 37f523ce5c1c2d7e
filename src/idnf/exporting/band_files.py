"""Bands as files and as programs: the models of their boundaries side by side, one column for the band, two reasons.

A model file of the kind "bands" has the columns once and, for each boundary, what a classifier's file has of its model.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from idnf.classifier.bands import SHARED, DNFBands, single_classifier
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fitted import AnyClassifier, Fitted
from idnf.classifier.fitted_bands import FittedBands
from idnf.explaining.band_explanations import boundary_labels
from idnf.exporting import model_json
from idnf.exporting.documents import LINE, NUMBER, DocumentError, Place, integer, read_document
from idnf.exporting.plain_labels import plain_label
from idnf.exporting.programs import Program, compiled, program_of
from idnf.exporting.result_json import MOST_WEIGHT
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.errors import InvalidArgument
from idnf.logic.verification import VerificationError
from idnf.proving.guarantee import MOST_STEPS
from idnf.tables.targets import MOST_CLASSES

KIND = "bands"
MOST_BOUNDARIES = MOST_CLASSES - 1

# What a file has of every boundary, and what all of them share.
_OWN = ("model", "result", "texts", "training")
_SHARED = ("format", "version", "k", "inputs", "reading", "space", "settings", "values")
_ALIKE = ("favourable", "immutable")
_FIELDS = (*_SHARED, "kind", "classes", "order", "names", "boundaries", "models", "counts", "held_out", "costs")

_WEIGHT = NUMBER.where(lambda weight: 0 <= weight <= MOST_WEIGHT, f"a weight from 0 to {MOST_WEIGHT:g}")
_SHARE = NUMBER.where(lambda share: 0 < share < 1, "a number between 0 and 1")
_COST = NUMBER.where(lambda cost: 0 < cost <= MOST_WEIGHT, "a number above 0")


def to_json(clf: AnyClassifier, path: str | os.PathLike[str]) -> None:
    """Write a fitted classifier or bands to a model file; an older file stays as it was if anything fails.

    >>> from tempfile import TemporaryDirectory
    >>> clf = DNFClassifier(k=2, learner="greedy").fit([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> with TemporaryDirectory() as folder:
    ...     to_json(clf, f"{folder}/model.json")
    ...     print(from_json(f"{folder}/model.json").double_dnf_.positive)
    x0 & x1
    """
    model_json.write_document(clf, path, to_plain(clf), _read)


def from_json(path: str | os.PathLike[str], *, verify: bool = True) -> DNFClassifier | DNFBands:
    """Read a classifier or bands from a model file, which may come from anyone: nothing in it is run.

    Parameters
    ----------
    path : path
    verify : bool
        Prove what :func:`idnf.exporting.model_json.from_json` proves of each boundary, and that each lies within the
        one before.

    Raises
    ------
    DocumentError
        A ValueError that says what is wrong, and where in the file.
    """
    return read_document(path, partial(_read, verify=verify))


def _read(document: Place, *, verify: bool) -> DNFClassifier | DNFBands:
    return (from_document if document.has("kind") else model_json.from_document)(document, verify=verify)


def json_text(clf: AnyClassifier) -> str:
    """Return the text of the model file that :func:`idnf.exporting.to_json` writes.

    >>> json_text(DNFClassifier.from_dnf("late")).splitlines()[1]
    '"format": "idnf-model",'
    """
    return model_json.document_text(to_plain(clf))


def model_hash(clf: AnyClassifier) -> str:
    """Return the SHA-256 of the model file that :func:`idnf.exporting.to_json` writes.

    >>> len(model_hash(DNFClassifier.from_dnf("late")))
    64
    """
    return sha256(json_text(clf).encode()).hexdigest()


def to_plain(bands: AnyClassifier) -> dict[str, object]:
    """Return fitted bands, or a fitted classifier, as plain data."""
    if not isinstance(bands, DNFBands):
        return model_json.to_plain(single_classifier(bands, "clf"))
    fitted = bands.fitted_
    parts = [model_json.to_plain(model) for model in bands.models_]
    optional = {name: parts[0][name] for name in _ALIKE if name in parts[0]}
    return {
        **{name: parts[0][name] for name in _SHARED},
        "kind": KIND,
        "classes": [plain_label(label) for label in fitted.classes.tolist()],
        "order": list(fitted.order),
        "names": list(fitted.names),
        "boundaries": list(fitted.boundaries),
        "models": [{name: part[name] for name in _OWN} for part in parts],
        "counts": fitted.counts.tolist(),
        "held_out": None if fitted.held_out is None else fitted.held_out.tolist(),
        "costs": list(fitted.costs),
        **optional,
        **({} if fitted.decisive is None else {"decisive": fitted.decisive}),
        **({} if fitted.classifier is None else {"classifier": model_json.to_plain(_classifier_of(fitted, bands))}),
        **({} if fitted.target is None else {"target": fitted.target}),
        **({} if fitted.file is None else {"file": model_json.FILE.write(fitted.file)}),
    }


def from_document(document: Place, *, verify: bool = True) -> DNFBands:
    """Return the bands in a document."""
    document.object(_FIELDS, ("target", "file", "decisive", "classifier", *_ALIKE))
    document.key("kind").one_of([KIND])
    classes = model_json.read_classes(document.key("classes"))
    levels = len(classes)
    order = integer(0, levels - 1).many(levels, least=levels).read(document.key("order"))
    boundaries = _SHARE.many(MOST_BOUNDARIES, least=1).read(document.key("boundaries"))
    names = LINE.many(len(boundaries) + 1, least=len(boundaries) + 1).read(document.key("names"))
    if len(set(order)) < levels:
        raise document.key("order").error("the numbers of the labels, each once")
    if len(set(names)) < len(names):
        raise document.key("names").error("names that differ")
    if levels == 2 and any(low >= high for low, high in zip(boundaries, boundaries[1:])):
        raise document.key("boundaries").error("ascending")
    if levels > 2 and len(boundaries) != levels - 1:
        raise document.key("boundaries").error(f"{levels - 1} numbers, one less than labels")
    counts = _WEIGHT.many(levels, least=levels).many(len(names), least=len(names))
    held_out = counts.optional().read(document.key("held_out"))
    costs = _COST.many(levels).where(lambda given: len(given) in (0, levels), f"{levels} numbers or none")
    models = _read_models(document, names, verify=verify)
    classifier = _read_classifier(document, classes, verify=verify) if document.has("classifier") else None
    decisive = document.key("decisive").integer(0, len(boundaries) - 1) if document.has("decisive") else None
    if decisive is not None and (classifier is not None or levels > 2):
        raise document.key("decisive").error("left out of a file with a classifier or more than two labels")
    fitted = FittedBands(
        classes,
        order,
        names,
        boundaries,
        tuple(replace(model.fitted_, binariser=models[0].binariser_) for model in models),
        np.array(counts.read(document.key("counts"))),
        None if held_out is None else np.array(held_out),
        costs.read(document.key("costs")),
        decisive=decisive,
        classifier=classifier,
        target=LINE.read(document.key("target")) if document.has("target") else None,
        file=model_json.FILE.read(document.key("file")) if document.has("file") else None,
    )
    if verify:
        _prove_nested(fitted)
    return _with_parameters(fitted, models[0])


def _prove_nested(fitted: FittedBands) -> None:
    try:
        fitted.prove_nested(Budget(MOST_STEPS))
    except (VerificationError, TooManySteps) as error:
        raise DocumentError(f"models must be nested; {error}") from error


def _read_models(document: Place, names: tuple[str, ...], *, verify: bool) -> list[DNFClassifier]:
    """Return the classifier of each boundary: what they share, its own part, and labels that its name gives."""
    assert isinstance(document.value, dict), "its keys were looked at"
    shared = {name: document.value[name] for name in (*_SHARED, *_ALIKE) if name in document.value}
    places = document.key("models").items(len(names) - 1, least=len(names) - 1)
    found = []
    for place, name in zip(places, names[1:], strict=True):
        place.object(_OWN)
        assert isinstance(place.value, dict), "its keys were looked at"
        whole = Place({**shared, "classes": list(boundary_labels(name)), **place.value})
        try:
            found.append(model_json.from_document(whole, verify=verify))
        except DocumentError as error:
            raise DocumentError(f"{place.path} must be a model with what all share; {error}") from error
    return found


def _classifier_of(fitted: FittedBands, bands: DNFBands) -> DNFClassifier:
    """Return the classifier whose labels bands give, if no boundary is its own."""
    classifier = DNFClassifier(**{name: getattr(bands, name) for name in SHARED})
    assert fitted.classifier is not None, "there is one"
    classifier.fitted_ = fitted.classifier
    return classifier


def _read_classifier(document: Place, classes: NDArray[np.generic], *, verify: bool) -> Fitted:
    """Return the state of the classifier whose labels bands give."""
    place = document.key("classifier")
    try:
        found = model_json.from_document(Place(place.value), verify=verify).fitted_
    except DocumentError as error:
        raise DocumentError(f"{place.path} must be a model; {error}") from error
    if found.classes.tolist() != classes.tolist():
        raise place.error("a model of the labels of the bands")
    return found


def _with_parameters(fitted: FittedBands, model: DNFClassifier) -> DNFBands:
    """Return bands with the parameters that a file says, and the state it holds."""
    labels = fitted.classes.tolist()
    is_ordered = fitted.bands.is_ordered
    bands = DNFBands(
        boundaries=None if is_ordered else list(fitted.boundaries),
        names=None if is_ordered else list(fitted.names),
        order=[labels[number] for number in fitted.order],
        class_weight=dict(zip(labels, fitted.costs, strict=True)) if fitted.costs else None,
        favourable=fitted.favourable,
        **{name: getattr(model, name) for name in SHARED},
    )
    bands.fitted_ = fitted
    return bands


@program_of.register
def _program_of_bands(bands: DNFBands, *, reasons: bool) -> Program:
    """Return bands as a program, which can always explain: a model for each boundary, the bands' names and shares."""
    said = bands.fitted_.bands
    if not reasons:
        raise InvalidArgument("reasons", "be True for bands, whose programs can explain", reasons)
    return Program("BandReasoner", {
        "models": [{**compiled(model), "scores": None} for model in bands.models_],
        "names": list(said.names),
        "shares": [said.probability(band) for band in range(len(said.names))],
    }, _script)  # fmt: skip


def _script(engine: str, model: str) -> str:
    """Return the engine of one model as that of bands."""
    head, _, body = engine.partition("const idnf = (function () {")
    inner, _, last = body.replace("  const MODEL = {};\n", "", 1).rpartition("})();")
    return f"{head}const engine = function (MODEL) {{{inner}}};\n{_SCRIPT % model}{last}"


_SCRIPT = """\
const idnf = (function (PLAIN) {
  "use strict";
  const models = PLAIN.models.map(engine);

  // The band of a row, from 0 on.
  function predict(row) {
    return models.filter((model, j) => model.predict(row) === PLAIN.models[j].classes[1]).length;
  }

  // The band of a row, its name and share, why it is in no lower band and why in no higher one.
  function explain(row) {
    const band = predict(row);
    return {
      band, name: PLAIN.names[band], probability: PLAIN.shares[band],
      at_least: band ? models[band - 1].explain(row) : null,
      below: band < models.length ? models[band].explain(row) : null,
    };
  }

  // Each boundary has a model of its own, which answers as that of a classifier does.
  return { predict, explain, models, model: PLAIN };
})(%s);"""
