"""What a model file says of its training: claims, read as such, and refused where they contradict each other."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace

from idnf.auditing.fairness import METRICS, MOST_GROUPS, MOST_MODELS, Fairness
from idnf.auditing.fairness_report import FairModel, FairnessReport
from idnf.classifier.fitted import Fitted
from idnf.classifier.k_choices import KChoice, KChoices, Measure
from idnf.explaining.explainer import Explainer
from idnf.exporting.documents import DocumentError, Place
from idnf.exporting.function_json import Expected, model_to_plain, read_model
from idnf.exporting.proving import Unproved
from idnf.exporting.settings_json import FAMILIES
from idnf.learning.exact.near_best import TOLERANCE
from idnf.learning.exact.optimum import is_pair_tree
from idnf.learning.result import LearnedModel
from idnf.logic.budgets import Budget, TooManySteps
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.double import DoubleDNF
from idnf.logic.learned_models import Model

_ASKED = ("column", "metric", "limit", "groups", "feature")
_MODEL_FIGURES = ("error", "gap", "rates", "origin", "terms")


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
) -> tuple[FairnessReport, tuple[LearnedModel, ...]]:
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
    return report, tuple(LearnedModel(function, one.error, claimed=True) for function, one in figures)


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


MOST_TRIED = 100

_FIGURES = ("accuracy", "spread", "reasons", "conditions")


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


# Objectives are sums of weights, as good as this.
_ROUNDING = 1e-6


def read_result(place: Place, model: Model | ClassDNFs, k: int) -> LearnedModel:
    """Return a model with what the file says of its objective, which only the training table could prove.

    A file that says its model is optimal must give the bound that it reaches, for a family that the model is of.
    """
    keys = ["objective", "optimal", "bound", "bound_family"]
    place.object(keys)
    objective, optimal, bound, family = map(place.key, keys)
    found = LearnedModel(
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
    return found


def _share(place: Place) -> float:
    number = place.number()
    if number < 0:
        raise place.error("0 or more")
    return number


def _refuse_contradiction(place: Place, found: LearnedModel, k: int) -> None:
    """Refuse a claim to be optimal that the rest of the file speaks against."""
    if found.bound is None or found.bound_family is None or found.optimal != found.bound_family:
        raise place.error("null where there is no bound for that family")
    if not found.objective <= found.bound + _ROUNDING:
        raise place.error(f"null where the objective {found.objective:g} is above the bound {found.bound:g}")
    if not _may_be_proved(found.bound_family, found.model, k):
        raise place.error("a family that the model is of, and in which an optimum can be proved")


def _may_be_proved(family: str, model: Model | ClassDNFs, k: int) -> bool:
    if isinstance(model, ClassDNFs):
        return family in ("tree", "pair-tree")
    if family == "pair-tree":
        return is_pair_tree(model)
    if family in ("any", "nested-tree"):
        return k <= 2
    return not isinstance(model, DoubleDNF)


def refuse_unknown_reasons(explainer: Explainer, texts: Collection[str], budget: Budget) -> None:
    """Raise an error for texts about reasons that the model does not have."""
    try:
        replace(explainer, sides=replace(explainer.sides, budget=budget)).with_texts(dict.fromkeys(texts, ""))
    except TooManySteps as error:
        raise Unproved("texts must be about reasons of the model; these take too long to list.") from error
    except ValueError as error:
        raise DocumentError(f"texts: {error}") from error
