"""What a model file says about its training: claims, read as such, and refused if they contradict each other."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import astuple, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from idnf.classifier.fairness_report import FairnessReport
from idnf.classifier.fitted import Fitted
from idnf.classifier.k_choices import KChoice, KChoices, Measure
from idnf.columns.column import TableColumn
from idnf.explaining.explainer import Explainer
from idnf.explaining.training_facts import ColumnValues, Confidence, TrainingPatterns
from idnf.exporting.documents import (
    BOOLEAN,
    NUMBER,
    SCALAR,
    TEXT,
    Codec,
    DocumentError,
    Fields,
    Place,
    entries,
    integer,
    one_of,
    record,
    row,
    shown,
)
from idnf.exporting.function_json import Expected, function
from idnf.learning.choices import METRICS
from idnf.learning.fairness import MOST_GROUPS, MOST_MODELS, FairModel, Fairness
from idnf.learning.objective import TOLERANCE, Learned
from idnf.learning.proved_families import PROVED, is_of
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.model import Model
from idnf.logic.sides import ReducedSpace
from idnf.proving.family_proofs import proof_of
from idnf.proving.guarantee import Unproved

MOST_REASONS = 1_000_000
MOST_QUANTILES = 1_001
MOST_WEIGHT = 1e300
MOST_TRIED = 100
# Objectives and shares are sums, as good as this.
_ROUNDING = 1e-6

_WEIGHT = NUMBER.where(lambda weight: 0 <= weight <= MOST_WEIGHT, f"a weight from 0 to {MOST_WEIGHT:g}")
_FIGURE = NUMBER.optional(math.nan)


def _training(frame: ReducedSpace, n_classes: int, rows: int) -> Codec[dict[str, Any]]:
    """Return the codec of the weight of each class, and one example as cells of the frame, by the set of reasons."""
    cells = row(*(integer(0, len(members) - 1) for members in frame.members))
    costs = NUMBER.many(n_classes).where(
        lambda costs: not costs or (len(costs) == n_classes and all(0 < cost <= MOST_WEIGHT for cost in costs)),
        f"{n_classes} numbers above 0, or none",
    )
    weights = dict.fromkeys(_keys(n_classes), _WEIGHT.many(rows, least=rows))
    return entries({"cells": cells.many(MOST_REASONS), **weights, "costs": costs.optional()})


def _keys(n_classes: int) -> list[str]:
    """Return where the weights of each class stand in a file; those of two classes have names."""
    return ["negative", "positive"] if n_classes == 2 else [f"class {label}" for label in range(n_classes)]


def training_to_plain(confidence: Confidence) -> object:
    """Return the training weight of every set of reasons met in training, with one example as cells of the frame."""
    weights = confidence.weights
    n_classes = weights.shape[1]
    codec = _training(confidence.sides.frame, n_classes, len(weights))
    by_class = dict(zip(_keys(n_classes), weights.T.tolist()))
    return codec.write({"cells": [*confidence.examples], **by_class, "costs": confidence.training.costs})


def read_training(place: Place, frame: ReducedSpace, *, n_classes: int, monotone: bool = False) -> TrainingPatterns:
    """Return the training weights in a document."""
    rows = len(place.key("cells").items(MOST_REASONS))
    said = _training(frame, n_classes, rows).read(place)
    cells = np.array(said["cells"], dtype=np.intp).reshape(rows, len(frame.members))
    weights = np.stack([np.array(said[key], dtype=np.float64) for key in _keys(n_classes)], axis=1)
    return TrainingPatterns(cells, weights, said["costs"], monotone)


def values(columns: Sequence[TableColumn]) -> Codec[Sequence[ColumnValues | None]]:
    """Return the codec of the training values of every column; of none if a model was never trained."""
    every = row(*(_values(column).optional() for column in columns))
    return Codec(
        lambda place: () if place.value == [] else every.read(place),
        lambda given: every.write(tuple(given)) if given else [],
    )


def _values(column: TableColumn) -> Codec[ColumnValues]:
    """Return the codec of the training values of a column.

    Recourse proposes these values, so each must lie in the cell that it is said to be of.
    """
    size = len(column.labels)
    shares = NUMBER.many(size, least=size).where(
        lambda shares: all(0 <= share <= 1 for share in shares), "a list of shares from 0 to 1"
    )
    pair = row(NUMBER, NUMBER).where(lambda pair: pair[0] <= pair[1], "two numbers in ascending order")
    quantiles = NUMBER.many(MOST_QUANTILES).where(
        lambda found: all(low <= high for low, high in pairwise(found)), "a list of ascending numbers"
    )
    fields = {"seen": pair.optional().many(size, least=size), "shares": shares, "quantiles": quantiles}
    return record(ColumnValues, fields).checked(partial(_refuse_values, column))


def _refuse_values(column: TableColumn, place: Place, said: ColumnValues) -> None:
    if any(said.shares) and abs((total := sum(said.shares)) - 1) > _ROUNDING:
        raise place.key("shares").error(f"a list of shares that add up to 1, not to {total:g}")
    pairs = place.key("seen").items(len(said.seen))
    for cell, pair in enumerate(said.seen):
        for value in pair or ():
            if column.position_cell(value) != cell or cell == len(column.known_labels):
                where = f"{shown(column.labels[cell])} of {shown(column.name)}"
                raise DocumentError(f"{pairs[cell].path} must lie in its cell, {where}; got {value:g}.")
        if pair is not None and not said.shares[cell]:
            raise pairs[cell].error("null if the share of its cell is 0")
    ranges, quantiles = [pair for pair in said.seen if pair is not None], said.quantiles
    if quantiles and (not ranges or quantiles[0] < ranges[0][0] or quantiles[-1] > ranges[-1][1]):
        raise place.key("quantiles").error("a list of numbers within the values seen")


def _fairness(expected: Expected, *, verify: bool = False) -> Codec[dict[str, Any]]:
    """Return the codec of what was asked for, the models considered and what is proved."""
    rates: Codec[Any] = row(SCALAR, NUMBER).many(MOST_GROUPS, least=2).made(dict, lambda rates: tuple(rates.items()))
    figures: Fields = {"error": NUMBER, "gap": NUMBER, "rates": rates, "origin": TEXT, "terms": integer(0, 1 << 62)}
    model = entries({**figures, "model": function(expected, verify=verify)})
    asked: Fields = {"column": TEXT, "metric": one_of(METRICS), "limit": NUMBER}
    groups = SCALAR.many(MOST_GROUPS, least=2).optional()
    found: Fields = {
        "label": integer(0, 1),
        "chosen": integer(0, MOST_MODELS + 1),
        "bounds": NUMBER.by_name(len(PROVED), one_of(tuple(PROVED))),
        "alternatives": model.many(MOST_MODELS + 2, least=1),
    }
    return entries({**asked, "groups": groups, "feature": BOOLEAN, **found}).checked(
        lambda place, said: place.key("chosen").integer(0, len(said["alternatives"]) - 1)
    )


def fairness_to_plain(fitted: Fitted) -> object:
    """Return what was asked for, the models considered and what is proved, as plain data; nothing for other models."""
    report = fitted.fairness
    if report is None:
        return None
    pairs = zip(report.alternatives, fitted.alternatives, strict=True)
    models = [{**vars(one), "model": learned.model} for one, learned in pairs]
    codec = _fairness(Expected.of(fitted.model))
    label = fitted.classes.tolist().index(report.label)
    return codec.write({**vars(report.fairness), **vars(report), "label": label, "alternatives": models})


def read_fairness(
    place: Place, expected: Expected, labels: Sequence[object], *, verify: bool
) -> tuple[FairnessReport, tuple[Learned, ...]]:
    """Return the report and the models in a document."""
    said = _fairness(expected, verify=verify).read(place)
    chosen, bounds, models = said.pop("chosen"), said.pop("bounds"), said.pop("alternatives")
    if any(proof_of(family, expected.k, 2) is None for family in bounds):
        raise place.key("bounds").error(f"on families of which a bound can be proved for k = {expected.k}")
    label = labels[said.pop("label")]
    learned = tuple(Learned(one.pop("model"), one["error"], claimed=True) for one in models)
    alternatives = tuple(FairModel(**one) for one in models)
    report = FairnessReport(Fairness(**said), label, alternatives, chosen, bounds, claimed=True)
    if report.gap > report.fairness.limit + TOLERANCE:
        raise place.key("chosen").error("the place of a model within the limit")
    return report, learned


def _figures(one: KChoice) -> tuple[float, ...]:
    *own, tree = astuple(one)
    return (*own, *tree)


_CHOICE = row(integer(1, MOST_TRIED), *[_FIGURE] * 6).made(
    lambda given: KChoice(given[0], given[1], given[2], given[3], given[4], Measure(*given[5:])), _figures
)

_CHOICES: Codec[dict[str, Any]] = record(
    dict,
    {"tried": _CHOICE.many(MOST_TRIED, least=1), "others": row(*[NUMBER] * 6), "folds": integer(1, 10**6)},
)
CHOICES: Codec[KChoices] = _CHOICES.made(
    lambda said: KChoices(
        said["tried"],
        Measure(*said["others"][:2]),
        Measure(*said["others"][2:4]),
        Measure(*said["others"][4:]),
        said["folds"],
    ),
    lambda found: {
        "tried": found.choices,
        "others": (*astuple(found.forest), *astuple(found.constant), *astuple(found.logistic)),
        "folds": found.folds,
    },
)
"""What cross-validation said about each k; a figure that is not known is null."""


def result(model: Model, k: int) -> Codec[Learned]:
    """Return the codec of what is said about a model's objective, which only the training table could prove.

    A bound must be for a family of which one can be proved. A file that says its model is optimal must give the bound
    that it reaches, for a family that the model is of.
    """
    share = NUMBER.where(lambda value: value >= 0, "0 or more")
    family = one_of(tuple(PROVED)).optional()
    fields = {
        "objective": share.optional(math.nan),
        "optimal": family,
        "bound": share.optional(),
        "bound_family": family,
    }
    return record(partial(Learned, model, claimed=True), fields).checked(partial(_refuse_contradiction, k))


def _refuse_contradiction(k: int, place: Place, said: Learned) -> None:
    """Refuse a claim that nobody can prove, or that the rest of the file speaks against."""
    family, bound = said.bound_family, said.bound
    if (bound is None) != (family is None):
        raise place.key("bound_family").error("given if bound is, and null if not")
    if said.optimal is not None and said.optimal != family:
        raise place.key("optimal").error("null if there is no bound for that family")
    if bound is None or family is None:
        return
    if proof_of(family, k, said.model.n_classes) is None:
        what = f"k = {k} and {said.model.n_classes} classes"
        raise place.key("bound_family").error(f"a family of which a bound can be proved for {what}")
    is_member = is_of(family, said.model)
    if said.optimal is not None and not abs(said.objective - bound) <= _ROUNDING:
        raise place.key("optimal").error(f"null if the objective {said.objective:g} is not the bound {bound:g}")
    if said.optimal is not None and not is_member:
        raise place.key("optimal").error("a family that the model is of")
    if is_member and said.objective < bound - _ROUNDING:
        raise place.key("bound").error(f"at most the objective {said.objective:g} of a model of that family")


def refuse_unknown_reasons(explainer: Explainer, texts: Collection[str], budget: Budget) -> None:
    """Raise an error for texts about reasons that the model does not have."""
    try:
        replace(explainer, sides=replace(explainer.sides, budget=budget)).with_texts(dict.fromkeys(texts, ""))
    except TooManySteps as error:
        raise Unproved("texts must be about reasons of the model; these take too long to list.") from error
    except ValueError as error:
        raise DocumentError(f"texts: {error}") from error
