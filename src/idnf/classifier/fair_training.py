"""Learning under a limit on the gap between groups, and what was found, as plain data and in words.

Plain learners on shifted weights come first, then trees are looked through.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from idnf.classifier.learning_task import learned_by, task_of
from idnf.classifier.memory_source import MemoryTraining
from idnf.columns.eager_frames import as_frame, refuse_unknown
from idnf.explaining.wording import label_words
from idnf.learning.choices import PROVED
from idnf.learning.dispatch import LearningResult
from idnf.learning.fair_trees import fair_tree
from idnf.learning.fairness import MOST_MODELS, FairLearned, FairModel, Fairness, FairProblem, FairSearch, Shifted
from idnf.learning.objective import Learned, labels_of
from idnf.logic.class_dnfs import DoubleDNF
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree

if TYPE_CHECKING:
    from idnf.classifier.estimator import DNFClassifier


def split_groups(X: object, fairness: Fairness) -> tuple[object, NDArray[np.object_]]:
    """Return a table without the column of groups, unless the model may look at it, and the group of each row."""
    frame = as_frame(X)
    if frame is None:
        raise TypeError(
            "X must be a pandas or polars table in memory for fairness, whose column is known by name; "
            f"got {type(X).__name__}."
        )
    names = ", ".join(map(str, frame.columns))
    refuse_unknown("fairness", f"name a column of the table ({names})", [fairness.column], frame.columns)
    values = np.array(frame.get_column(fairness.column).to_list(), dtype=object)
    return X if fairness.feature else frame.drop(fairness.column).to_native(), values


def learn_fairly(
    clf: DNFClassifier, training: MemoryTraining, fairness: Fairness, values: NDArray[np.object_]
) -> tuple[list[LearningResult], FairnessReport]:
    """Return all models considered, and the report on them.

    Parameters
    ----------
    clf : DNFClassifier
        Its parameters say how to learn.
    training : MemoryTraining
        Of two classes.
    fairness : Fairness
    values : object array of shape (rows,)
        The group of each row.
    """
    if len(training.classes) != 2:
        raise ValueError(f"fairness must be None for {len(training.classes)} classes; it compares the rates of one.")
    positive = training.labels == 1
    problem = FairProblem.of(fairness, values, positive, training.weights, training.own)
    features = training.binariser.features_of(training.table)
    # Many models share the time for one.
    asked = clone(clf).set_params(time_limit=None if clf.time_limit is None else clf.time_limit / MOST_MODELS)

    def learned(shifted: Shifted) -> FairLearned[LearningResult]:
        if not (shifted.weights[shifted.positive].sum() > 0 and shifted.weights[~shifted.positive].sum() > 0):
            return constant(bool(shifted.weights[shifted.positive].sum() > 0))
        # Weights as large as the rows are many, as those of examples that count once each.
        scaled = shifted.weights * (len(positive) / shifted.weights.sum())
        found = learned_by(asked, replace(training, labels=shifted.positive.astype(np.intp), weights=scaled))
        bound = found.learned.bound if not found.learned.price else None
        return considered(found, bound, found.learned.bound_family if bound is not None else None)

    def constant(value: bool) -> FairLearned[LearningResult]:
        model = NestedDNF.constant(training.binariser.literals_, value, 1)
        return considered(LearningResult(Learned(model, float("nan")), "all rows"))

    def considered(
        found: LearningResult, bound: float | None = None, family: str | None = None
    ) -> FairLearned[LearningResult]:
        """Return a model with its errors as its objective: what was proved was of another objective."""
        given = labels_of(found.learned.model, features) == 1
        plain = Learned(found.learned.model, problem.error(given))
        return FairLearned(replace(found, learned=plain), given, bound, family, _terms(found))

    search: FairSearch[LearningResult] = FairSearch(problem, fairness.limit)
    search.climb(learned)
    task = task_of(clf, training)
    if clf.family != "nested" and task.allowed is None:
        found = fair_tree(features, problem, fairness.limit, training.binariser.literals_, clf.k)
        if found.tree is not None and (task.accepts is None or task.accepts(found.tree)):
            search.add(
                considered(LearningResult(Learned(found.tree, float("nan")), "distinct rows")), "trees near the best"
            )
        if found.bound is not None:
            search.prove("tree", found.bound)
    search.add(constant(float(problem.weights[positive].sum()) > 0.5), "constant")
    label = training.classes.tolist()[1]
    return search.models, FairnessReport(fairness, label, tuple(search.alternatives), search.chosen, search.bounds)


def _terms(found: LearningResult) -> int:
    model = found.learned.model
    nested = NestedTree.of(model).as_nested()
    return len(nested.masks()) if nested else min(dnf.size for dnf in DoubleDNF.of(model).dnfs)


@dataclass(frozen=True)
class FairnessReport:
    """The alternatives considered, the one chosen, and what is proved.

    Attributes
    ----------
    fairness : Fairness
        What was asked for.
    label : object
        The class whose rates are compared, ``classes_[1]``.
    alternatives : tuple of FairModel
        In the order they were learned; the first was learned without regard to groups, the last is constant.
    chosen : int
        The place of the model that was taken.
    bounds : mapping of str to float
        For families of models the least errors, on the training rows, of any of them whose gap is within the limit.
    claimed : bool
        Whether this is what a model file says, and was not proved again.
    """

    fairness: Fairness
    label: object
    alternatives: tuple[FairModel, ...]
    chosen: int
    bounds: Mapping[str, float]
    claimed: bool = False

    @property
    def error(self) -> float:
        """The share of errors of the model that was taken."""
        return self.alternatives[self.chosen].error

    @property
    def gap(self) -> float:
        """The gap of the model that was taken."""
        return self.alternatives[self.chosen].gap

    @property
    def bound(self) -> float | None:
        """The bound for ``bound_family``; None if nothing is proved."""
        return None if self.bound_family is None else self.bounds[self.bound_family]

    @property
    def bound_family(self) -> str | None:
        """The widest family that a bound is proved for."""
        return next((family for family in PROVED if family in self.bounds), None)

    @property
    def curve(self) -> list[tuple[float, float]]:
        """Gap and error of the alternatives that no other one beats in both, the smallest gap first."""
        pairs = sorted((one.gap, one.error) for one in self.alternatives)
        best: list[tuple[float, float]] = []
        for gap, error in pairs:
            if not best or error < best[-1][1] - 1e-12:
                best.append((gap, error))
        return best

    def cells(self) -> list[tuple[str, ...]]:
        """Return the models considered as a table of texts, its head first; those of the same figures share a line."""
        head = ("model", "gap", "errors", "terms", f"given {label_words(self.label)}")
        lines: dict[tuple[str, ...], list[str]] = {}
        for place, one in enumerate(self.alternatives):
            taken = " (taken)" if place == self.chosen else ""
            lines.setdefault(_figures(one), []).append(f"{place + 1}{taken}")
        return [head, *((", ".join(numbers), *figures) for figures, numbers in lines.items())]

    @property
    def request(self) -> str:
        """What was asked for, in words."""
        asked = self.fairness
        metric = asked.metric.replace("_", " ").capitalize()
        return f"{metric} by {asked.column}, at most {asked.limit:.3g}."

    @property
    def proofs(self) -> list[str]:
        """What is proved, in words, a sentence for each family."""
        said = "The model file says, not proved again: " if self.claimed else "Proved: "
        return [
            f"{said}no model of the family {family} with a gap of at most {self.fairness.limit:.3g} has fewer than "
            f"{bound:.2%} errors on these rows.{self._wider(bound)}"
            for family, bound in self.bounds.items()
        ]

    def _wider(self, bound: float) -> str:
        """Return why the model taken errs less than a bound; if it errs more, that what lies between is open."""
        if self.gap > self.fairness.limit + 1e-12:
            return ""
        if self.error < bound - 1e-12:
            return " The model taken is of a wider family."
        if self.error > bound + 1e-12:
            between = f"between {bound:.2%} and {self.error:.2%}"
            return f" Whether one has {between} is not known: there is neither a model nor a proof."
        return ""

    def to_text(self) -> str:
        """Return the report in words."""
        first = self.alternatives[0]
        lines = [
            self.request,
            f"Without regard to groups: {first.error:.2%} errors, gap {first.gap:.3f}.",
            f"Taken: {self.error:.2%} errors, gap {self.gap:.3f}. All of this is on the rows learned from.",
        ]
        lines += self.proofs
        lines.append("Alternatives considered (gap, errors, terms, how found):")
        for place, one in enumerate(self.alternatives):
            mark = " <- taken" if place == self.chosen else ""
            lines.append(f"  {one.gap:.3f}  {one.error:7.2%}  {one.terms:3d}  {one.origin}{mark}")
        return "\n".join(lines)

    __str__ = to_text

    def to_dict(self) -> dict[str, object]:
        """Return the report as plain data."""
        return {
            "column": self.fairness.column,
            "metric": self.fairness.metric,
            "limit": self.fairness.limit,
            "chosen": self.chosen,
            "bounds": dict(self.bounds),
            "alternatives": [
                {**vars(one), "rates": {str(group): rate for group, rate in one.rates.items()}}
                for one in self.alternatives
            ],
        }


def _figures(one: FairModel) -> tuple[str, ...]:
    rates = ", ".join(f"{label_words(group)}: {rate:.1%}" for group, rate in one.rates.items())
    return f"{one.gap:.1%}", f"{one.error:.1%}", str(one.terms), rates
