"""The models considered under a limit on the gap between groups, as a model file keeps them."""

from __future__ import annotations

from idnf.auditing.fairness import METRICS, MOST_GROUPS, MOST_MODELS, Fairness
from idnf.auditing.fairness_report import FairModel, FairnessReport
from idnf.classifier.fitted import Fitted
from idnf.exporting.documents import Place
from idnf.exporting.function_json import Expected, model_to_plain, read_model
from idnf.learning.exact.near_best import TOLERANCE
from idnf.learning.exact.options import FAMILIES
from idnf.learning.result import LearnedModel

_ASKED = ("column", "metric", "limit", "groups", "feature")
_FIGURES = ("error", "gap", "rates", "origin", "terms")


def fairness_to_plain(fitted: Fitted) -> dict[str, object]:
    """Return what was asked for, the models considered and what is proved, as plain data; nothing for other models."""
    report = fitted.fairness
    if report is None:
        return {}
    asked = report.fairness
    models = [
        {
            "error": one.error,
            "gap": one.gap,
            "rates": [[_plain(group), rate] for group, rate in one.rates.items()],
            "origin": one.origin,
            "terms": one.terms,
            "model": model_to_plain(learned.model),
        }
        for one, learned in zip(report.alternatives, fitted.alternatives, strict=True)
    ]
    return {
        "column": asked.column,
        "metric": asked.metric,
        "limit": asked.limit,
        "groups": None if asked.groups is None else [_plain(group) for group in asked.groups],
        "feature": asked.feature,
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
    word = metric.one_of(METRICS)
    named = None if groups.is_null else tuple(group.scalar() for group in groups.items(MOST_GROUPS, least=2))
    known = next(one for one in METRICS if one == word)
    return Fairness(column.text(), known, limit.number(), named, feature=feature.boolean())


def _read_figures(place: Place) -> FairModel:
    place.object([*_FIGURES, "model"])
    error, gap, rates, origin, terms = map(place.key, _FIGURES)
    pairs = [pair.items(2, least=2) for pair in rates.items(MOST_GROUPS, least=2)]
    named: dict[object, float] = {group.scalar(): rate.number() for group, rate in pairs}
    return FairModel(error.number(), gap.number(), named, origin.text(), terms.integer(0, 1 << 62))
