"""Bands as files and as programs: the models of their boundaries side by side, one column for the band, two reasons.

A model file of the kind "bands" has the columns once and, for each boundary, what a classifier's file has of its model.
"""

from __future__ import annotations

import os
from dataclasses import replace
from hashlib import sha256
from importlib.resources import files

import numpy as np

from idnf.classifier.bands import SHARED, DNFBands
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fitted_bands import FittedBands
from idnf.explaining.band_explanations import boundary_labels
from idnf.explaining.printed_lines import lines_of
from idnf.exporting import model_json
from idnf.exporting.documents import LINE, NUMBER, DocumentError, Place, integer, read_document
from idnf.exporting.plain_labels import plain_label
from idnf.exporting.programs import Plain, compiled, python_module, script_json, to_javascript, to_python
from idnf.exporting.result_json import MOST_WEIGHT
from idnf.exporting.rule_list import rules_of
from idnf.exporting.sql import decision_sql, query_sql, reason_sql, refused_sql, to_sql
from idnf.exporting.sql_conditions import checked_dialect, comment_sql
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.verification import ChainCertificate, VerificationError
from idnf.proving.guarantee import MOST_STEPS, prove
from idnf.proving.monotonicity import prove_monotone
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


@model_json.to_json.register
def bands_to_json(clf: DNFBands, path: str | os.PathLike[str]) -> None:
    """Write fitted bands to a model file; an older file stays as it was if anything fails."""
    model_json.write_document(clf, path, to_plain(clf), from_document)


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

    def read(document: Place) -> DNFClassifier | DNFBands:
        return (from_document if document.has("kind") else model_json.from_document)(document, verify=verify)

    return read_document(path, read)


def json_text(clf: DNFClassifier | DNFBands) -> str:
    """Return the text of the model file that :func:`idnf.exporting.to_json` writes.

    >>> json_text(DNFClassifier.from_dnf("late")).splitlines()[1]
    '"format": "idnf-model",'
    """
    return model_json.document_text(to_plain(clf))


def model_hash(clf: DNFClassifier | DNFBands) -> str:
    """Return the SHA-256 of the model file that :func:`idnf.exporting.to_json` writes.

    >>> len(model_hash(DNFClassifier.from_dnf("late")))
    64
    """
    return sha256(json_text(clf).encode()).hexdigest()


def to_plain(bands: DNFClassifier | DNFBands) -> dict[str, object]:
    """Return fitted bands, or a fitted classifier, as plain data."""
    if isinstance(bands, DNFClassifier):
        return model_json.to_plain(bands)
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
        **({} if fitted.target is None else {"target": fitted.target}),
        **({} if fitted.file is None else {"file": model_json.FILE.write(fitted.file)}),
    }


def from_document(document: Place, *, verify: bool = True) -> DNFBands:
    """Return the bands in a document."""
    document.object(_FIELDS, ("target", "file", *_ALIKE))
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
    fitted = FittedBands(
        classes,
        order,
        names,
        boundaries,
        tuple(replace(model.fitted_, binariser=models[0].binariser_) for model in models),
        np.array(counts.read(document.key("counts"))),
        None if held_out is None else np.array(held_out),
        costs.read(document.key("costs")),
        target=LINE.read(document.key("target")) if document.has("target") else None,
        file=model_json.FILE.read(document.key("file")) if document.has("file") else None,
    )
    if verify:
        _prove_nested(fitted)
    return _with_parameters(fitted, models[0])


def check_bands(bands: DNFBands, budget: Budget) -> ChainCertificate:
    """Prove each boundary and that each lies within the one before, within a budget.

    Raises
    ------
    VerificationError
        The bands do not keep their promise.
    TooManySteps
        The budget is not enough.
    """
    fitted = bands.fitted_
    proofs = []
    for model in fitted.models:
        terms = prove(model.class_dnfs, model.classes.tolist(), budget=budget)
        proofs.append(lines_of(model.explainer, budget) or terms)
    if bands.monotonic_cst:
        assert isinstance(bands.monotonic_cst, dict), "model files name the columns"
        for model in fitted.models:
            prove_monotone(model.sides, model.columns, bands.monotonic_cst, budget)
    return ChainCertificate(tuple(proofs), fitted.names, fitted.prove_nested(budget))


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


@to_sql.register
def bands_to_sql(bands: DNFBands, *, dialect: str = "postgres", table: str | None = None, reasons: bool = False) -> str:
    """Return bands as SQL: the band as a number and, with ``reasons``, its two reasons as ``at_least`` and ``below``.

    What is not an answer is NULL, as in :func:`idnf.exporting.to_sql`; a band at an end has one reason.
    """
    known = checked_dialect(dialect)
    models = [_with_numbered_labels(model) for model in bands.models_]
    used = sorted({j for model in models for j in model.fitted_.used})
    refused = refused_sql(models[0], used, known)
    rules = [rules_of(model) for model in models]
    steps = [decision_sql(each, known, refused) for each in rules]
    expressions = {"band": " + ".join(f"({step})" for step in steps)}
    if reasons:
        why = [reason_sql(model, each, known, refused) for model, each in zip(models, rules, strict=True)]
        pairs = list(zip(steps, why, strict=True))
        expressions["at_least"] = _first(pairs[::-1], 1)
        expressions["below"] = _first(pairs, 0)
    said = comment_sql(bands.to_text())
    if table is None and not reasons:
        return f"{said}\n{expressions['band']}"
    return (
        f"{said}\n{query_sql(expressions, (*bands.binariser_.input_names, bands.fitted_.target or ''), table, known)}"
    )


def _with_numbered_labels(model: DNFClassifier) -> DNFClassifier:
    """Return a model of a boundary whose labels are 0 and 1, which add up."""
    other = DNFClassifier(k=model.k)
    fitted = model.fitted_
    explainer = replace(fitted.explainer, classes=(0, 1))
    other.fitted_ = replace(fitted, classes=np.array([0, 1]), explainer=explainer)
    return other


def _first(pairs: list[tuple[str, str]], side: int) -> str:
    """Return the reason at the first boundary that gives a side."""
    rules = "\n".join(f"  WHEN ({step}) = {side} THEN ({why})" for step, why in pairs)
    return f"CASE\n{rules}\nEND"


def _compile(bands: DNFBands) -> Plain:
    said = bands.fitted_.bands
    return {
        "models": [{**compiled(model), "scores": None} for model in bands.models_],
        "names": list(said.names),
        "shares": [said.probability(band) for band in range(len(said.names))],
    }


@to_python.register
def bands_to_python(bands: DNFBands) -> str:
    """Return the source of a module with ``predict(row)``, the band, and ``explain(row)``, with its two reasons."""
    return python_module("BandReasoner", _compile(bands), ["predict", "explain"])


@to_javascript.register
def bands_to_javascript(bands: DNFBands, *, module: bool = False) -> str:
    """Return a script that defines ``idnf`` with ``predict(row)``, the band, and ``explain(row)``, its two reasons."""
    source = (files("idnf.exporting") / "templates" / "engine.js").read_text("utf-8")
    head, _, body = source.partition("const idnf = (function () {")
    engine, _, last = body.replace("  const MODEL = {};\n", "", 1).rpartition("})();")
    script = f"{head}const engine = function (MODEL) {{{engine}}};\n{_SCRIPT % script_json(_compile(bands))}{last}"
    if not module:
        return script
    return script.replace('if (typeof module !== "undefined") module.exports = idnf;', "export default idnf;")


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
