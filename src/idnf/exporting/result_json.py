"""What a model file says of its training: claims, read as such, and refused where they contradict each other."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace

from idnf.explaining.explainer import Explainer
from idnf.exporting.documents import DocumentError, Place
from idnf.exporting.proving import Unproved
from idnf.learning.exact.optimum import is_pair_tree
from idnf.learning.result import LearnedModel
from idnf.logic.budgets import Budget, TooManySteps
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.double import DoubleDNF
from idnf.logic.learned_models import Model

FAMILIES = ("any", "nested-tree", "pair-tree", "tree", "nested")

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
