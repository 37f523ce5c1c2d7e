"""What a model file says of its training: claims, read as such, and refused where they contradict each other."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from idnf.auditing.fairness_report import FairnessReport
from idnf.classifier.fitted import Fitted
from idnf.classifier.k_choices import KChoice, KChoices, Measure
from idnf.columns.column import TableColumn
from idnf.explaining.batch import Patterns, answers
from idnf.explaining.explainer import Explainer
from idnf.explaining.projection import Frame
from idnf.explaining.training_facts import ColumnValues, Confidence, TrainingPatterns
from idnf.exporting.documents import DocumentError, Place, shown
from idnf.exporting.function_json import Expected, model_to_plain, read_model
from idnf.exporting.proving import Unproved
from idnf.learning.choices import FAMILIES, METRICS
from idnf.learning.exact.near_best import TOLERANCE
from idnf.learning.exact.optimum import is_pair_tree
from idnf.learning.fairness import MOST_GROUPS, MOST_MODELS, FairModel, Fairness
from idnf.learning.result import Learned
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.model import Model
from idnf.logic.trees import NestedTree

MOST_REASONS = 1_000_000
MOST_QUANTILES = 1_001
MOST_WEIGHT = 1e300

_ASKED = ("column", "metric", "limit", "groups", "feature")
_MODEL_FIGURES = ("error", "gap", "rates", "origin", "terms")
MOST_TRIED = 100
_FIGURES = ("accuracy", "spread", "reasons", "conditions")
# Objectives and shares are sums, as good as this.
_ROUNDING = 1e-6


def training_to_plain(confidence: Confidence) -> dict[str, object]:
    """Return the training weight of every reason given in training, with one example of it as cells of the frame."""
    training = confidence.training
    found = answers(confidence.sides, Patterns(training.cells, np.arange(len(training.cells))))
    first: dict[object, int] = {}
    reasons = zip(found.labels.tolist(), found.boxes)
    number = np.array([first.setdefault(reason, len(first)) for reason in reasons], dtype=np.intp)
    rows = np.unique(number, return_index=True)[1]
    # Added one after the other, as the classifier adds them, so that the sums are the same to the last bit.
    totals = np.zeros((len(first), training.weights.shape[1]))
    np.add.at(totals, number, training.weights)
    by_class = dict(zip(_keys(totals.shape[1]), totals.T.tolist()))
    return {"cells": training.cells[rows].tolist(), **by_class, "costs": list(training.costs)}


def _keys(n_classes: int) -> list[str]:
    """Return where the weights of each class stand in a file; those of two classes have names."""
    return ["negative", "positive"] if n_classes == 2 else [f"class {label}" for label in range(n_classes)]


def read_training(place: Place, frame: Frame, *, n_classes: int) -> TrainingPatterns:
    """Return the training weights in a document."""
    keys = _keys(n_classes)
    place.object(["cells", *keys, "costs"])
    sizes = [len(members) for members in frame.members]
    rows = place.key("cells").items(MOST_REASONS)
    cells = [
        [item.integer(0, size - 1) for item, size in zip(row.items(len(sizes), least=len(sizes)), sizes)]
        for row in rows
    ]
    weights = np.stack([_read_weights(place.key(key), len(rows)) for key in keys], axis=1)
    costs = tuple(item.number() for item in place.key("costs").items(n_classes))
    if costs and (len(costs) < n_classes or not all(0 < cost <= MOST_WEIGHT for cost in costs)):
        raise place.key("costs").error(f"{n_classes} numbers above 0, or none")
    return TrainingPatterns(np.array(cells, dtype=np.intp).reshape(len(rows), len(sizes)), weights, costs)


def _read_weights(place: Place, count: int) -> NDArray[np.float64]:
    weights = []
    for item in place.items(count, least=count):
        weight = item.number()
        if not 0 <= weight <= MOST_WEIGHT:
            raise item.error(f"a weight from 0 to {MOST_WEIGHT:g}")
        weights.append(weight)
    return np.array(weights, dtype=np.float64)


def values_to_plain(values: ColumnValues | None) -> dict[str, object] | None:
    """Return the training values of a column.

    >>> values_to_plain(ColumnValues((None, (3.0, 4.0)), (0.0, 1.0), (3.0, 4.0)))
    {'seen': [None, [3.0, 4.0]], 'shares': [0.0, 1.0], 'quantiles': [3.0, 4.0]}
    """
    if values is None:
        return None
    seen = [None if pair is None else list(pair) for pair in values.seen]
    return {"seen": seen, "shares": list(values.shares), "quantiles": list(values.quantiles)}


def read_values(place: Place, columns: Sequence[TableColumn]) -> tuple[ColumnValues | None, ...]:
    """Return the training values of every column; nothing where a model was never trained.

    Recourse proposes these values, so each must lie in the cell that it is said to be of.
    """
    items = place.items(len(columns))
    if items and len(items) != len(columns):
        raise place.error(f"a list of {len(columns)} entries, or an empty one")
    return tuple(None if item.is_null else _read_column(item, column) for item, column in zip(items, columns))


def _read_column(place: Place, column: TableColumn) -> ColumnValues:
    place.object(["seen", "shares", "quantiles"])
    size = len(column.labels)
    shares = _read_shares(place.key("shares"), size)
    pairs = place.key("seen").items(size, least=size)
    seen = tuple(_read_pair(item, column, cell, shares[cell]) for cell, item in enumerate(pairs))
    return ColumnValues(seen, shares, _read_quantiles(place.key("quantiles"), seen))


def _read_shares(place: Place, size: int) -> tuple[float, ...]:
    shares = tuple(item.number() for item in place.items(size, least=size))
    if not all(0 <= share <= 1 for share in shares):
        raise place.error("a list of shares from 0 to 1")
    if any(shares) and abs(sum(shares) - 1) > _ROUNDING:
        raise place.error(f"a list of shares that add up to 1, not to {sum(shares):g}")
    return shares


def _read_quantiles(place: Place, seen: Sequence[tuple[float, float] | None]) -> tuple[float, ...]:
    quantiles = tuple(item.number() for item in place.items(MOST_QUANTILES))
    if any(low > high for low, high in pairwise(quantiles)):
        raise place.error("a list of ascending numbers")
    ranges = [pair for pair in seen if pair is not None]
    if quantiles and (not ranges or quantiles[0] < ranges[0][0] or quantiles[-1] > ranges[-1][1]):
        raise place.error("a list of numbers within the values seen")
    return quantiles


def _read_pair(place: Place, column: TableColumn, cell: int, share: float) -> tuple[float, float] | None:
    if place.is_null:
        return None
    low, high = (item.number() for item in place.items(2, least=2))
    if low > high:
        raise place.error("two numbers in ascending order")
    for value in (low, high):
        if column.position_cell(value) != cell or cell == len(column.known_labels):
            where = f"{shown(column.labels[cell])} of {shown(column.name)}"
            raise DocumentError(f"{place.path} must lie in its cell, {where}; got {value:g}.")
    if not share:
        raise place.error("null where the share of its cell is 0")
    return low, high


def fairness_to_plain(fitted: Fitted) -> dict[str, object]:
    """Return what was asked for, the models considered and what is proved, as plain data; nothing for other models."""
    report = fitted.fairness
    if report is None:
        return {}
    asked = report.fairness
    models = [
        {
            **{name: getattr(one, name) for name in _MODEL_FIGURES},
            "rates": [[_plain(group), rate] for group, rate in one.rates.items()],
            "model": model_to_plain(learned.model),
        }
        for one, learned in zip(report.alternatives, fitted.alternatives, strict=True)
    ]
    return {
        **{name: getattr(asked, name) for name in _ASKED},
        "groups": None if asked.groups is None else [_plain(group) for group in asked.groups],
        "chosen": report.chosen,
        "bounds": dict(report.bounds),
        "alternatives": models,
    }


def _plain(group: object) -> str | int | float | bool:
    return group if isinstance(group, (str, int, float, bool)) else str(group)


def read_fairness(
    place: Place, expected: Expected, label: object, *, verify: bool
) -> tuple[FairnessReport, tuple[Learned, ...]]:
    """Return the report and the models in a document."""
    place.object([*_ASKED, "chosen", "bounds", "alternatives"])
    models = place.key("alternatives").items(MOST_MODELS + 2, least=1)
    chosen = place.key("chosen").integer(0, len(models) - 1)
    bounds = {family: bound.number() for family, bound in place.key("bounds").entries(len(FAMILIES))}
    for family in bounds:
        Place(family, place.key("bounds").path).one_of(FAMILIES)
    report = FairnessReport(_read_asked(place), label, tuple(map(_read_figures, models)), chosen, bounds, claimed=True)
    if report.gap > report.fairness.limit + TOLERANCE:
        raise place.key("chosen").error("the place of a model within the limit")
    functions = [read_model(one.key("model"), expected, verify=verify) for one in models]
    figures = zip(functions, report.alternatives, strict=True)
    return report, tuple(Learned(function, one.error, claimed=True) for function, one in figures)


def _read_asked(place: Place) -> Fairness:
    column, metric, limit, groups, feature = map(place.key, _ASKED)
    named = None if groups.is_null else tuple(group.scalar() for group in groups.items(MOST_GROUPS, least=2))
    return Fairness(column.text(), metric.one_of(METRICS), limit.number(), named, feature=feature.boolean())


def _read_figures(place: Place) -> FairModel:
    place.object([*_MODEL_FIGURES, "model"])
    error, gap, rates, origin, terms = map(place.key, _MODEL_FIGURES)
    pairs = [pair.items(2, least=2) for pair in rates.items(MOST_GROUPS, least=2)]
    named: dict[object, float] = {group.scalar(): rate.number() for group, rate in pairs}
    return FairModel(error.number(), gap.number(), named, origin.text(), terms.integer(0, 1 << 62))


def choices_to_plain(found: KChoices) -> dict[str, object]:
    """Return the figures as plain data; a mean number of reasons that is not known is null.

    >>> none = Measure(0.5, 0.0)
    >>> choices_to_plain(KChoices((KChoice(1, 0.9, 0.1, float("nan"), 2.0, none),), none, none, 3))["tried"]
    [[1, 0.9, 0.1, None, 2.0, 0.5, 0.0]]
    """
    tried = [
        [one.k, *(_known(getattr(one, name)) for name in _FIGURES), one.tree.accuracy, one.tree.spread]
        for one in found.choices
    ]
    others = [found.forest.accuracy, found.forest.spread, found.constant.accuracy, found.constant.spread]
    return {"tried": tried, "others": others, "folds": found.folds}


def read_choices(place: Place) -> KChoices:
    """Return the figures that a document has."""
    place.object(["tried", "others", "folds"])
    choices = []
    for row in place.key("tried").items(MOST_TRIED, least=1):
        k, *figures = row.items(7, least=7)
        known = [float("nan") if item.is_null else item.number() for item in figures]
        choices.append(KChoice(k.integer(1, MOST_TRIED), known[0], known[1], known[2], known[3], Measure(*known[4:])))
    forest, spread, constant, other = (item.number() for item in place.key("others").items(4, least=4))
    folds = place.key("folds").integer(1, 10**6)
    return KChoices(tuple(choices), Measure(forest, spread), Measure(constant, other), folds)


def _known(figure: float) -> float | None:
    return None if figure != figure else float(figure)


def read_result(place: Place, model: Model, k: int) -> Learned:
    """Return a model with what the file says of its objective, which only the training table could prove.

    A file that says its model is optimal must give the bound that it reaches, for a family that the model is of.
    """
    keys = ["objective", "optimal", "bound", "bound_family"]
    place.object(keys)
    objective, optimal, bound, family = map(place.key, keys)
    found = Learned(
        model,
        math.nan if objective.is_null else _share(objective),
        None if optimal.is_null else optimal.one_of(FAMILIES),
        None if bound.is_null else _share(bound),
        None if family.is_null else family.one_of(FAMILIES),
        claimed=True,
    )
    if (found.bound is None) != (found.bound_family is None):
        raise family.error("there where bound is, and null where it is not")
    if found.optimal is not None:
        _refuse_contradiction(optimal, found, k)
    if found.bound is not None and found.objective < found.bound - _ROUNDING and _is_of(found.bound_family, model):
        raise bound.error(f"at most the objective {found.objective:g} of a model of that family")
    return found


def _share(place: Place) -> float:
    number = place.number()
    if number < 0:
        raise place.error("0 or more")
    return number


def _refuse_contradiction(place: Place, found: Learned, k: int) -> None:
    """Refuse a claim to be optimal that the rest of the file speaks against."""
    if found.bound is None or found.bound_family is None or found.optimal != found.bound_family:
        raise place.error("null where there is no bound for that family")
    if not abs(found.objective - found.bound) <= _ROUNDING:
        raise place.error(f"null where the objective {found.objective:g} is not the bound {found.bound:g}")
    if not _may_be_proved(found.bound_family, found.model, k):
        raise place.error("a family that the model is of, and in which an optimum can be proved")


def _is_of(family: str | None, model: Model) -> bool:
    """Tell whether a model is surely of a family."""
    tree = model.nested_form
    if family == "any" or tree is None:
        return family == "any"
    if family == "tree":
        return NestedTree.of(tree).is_plain
    if family == "pair-tree":
        return is_pair_tree(model)
    return family == "nested-tree" or model.leaf() is not None


def _may_be_proved(family: str, model: Model, k: int) -> bool:
    if model.n_classes > 2:
        return family in ("tree", "pair-tree")
    if family == "pair-tree":
        return is_pair_tree(model)
    if family in ("any", "nested-tree"):
        return k <= 2
    return model.nested_form is not None


def refuse_unknown_reasons(explainer: Explainer, texts: Collection[str], budget: Budget) -> None:
    """Raise an error for texts about reasons that the model does not have."""
    try:
        replace(explainer, sides=replace(explainer.sides, budget=budget)).with_texts(dict.fromkeys(texts, ""))
    except TooManySteps as error:
        raise Unproved("texts must be about reasons of the model; these take too long to list.") from error
    except ValueError as error:
        raise DocumentError(f"texts: {error}") from error
