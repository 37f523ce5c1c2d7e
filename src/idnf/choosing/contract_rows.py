"""New rows under a contract with an old model: what each label costs, and what changing a decision adds to that."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from idnf.choosing.cost_learning import learn_costs
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.memory_source import MemoryTraining
from idnf.columns.eager_frames import as_frame, refuse_unknown, select_columns
from idnf.learning.families import family_of
from idnf.learning.objective import labels_of
from idnf.learning.price_path import PricedModel, PricePath
from idnf.logic.errors import InvalidArgument
from idnf.logic.model import Model
from idnf.logic.trees import over
from idnf.tables.binariser import TableBinariser
from idnf.tables.column_check import quiet


def with_new_columns(
    old: DNFClassifier, training: MemoryTraining, X: object, names: Sequence[str]
) -> tuple[MemoryTraining, Model]:
    """Return the training with further columns after those of the old model, and that model over all of them."""
    frame = as_frame(X)
    known = old.binariser_.input_names
    if frame is None or (twice := [name for name in names if name in known]):
        got = "an array" if frame is None else twice[0]
        raise InvalidArgument("new_columns", "name columns of a table that the old model does not have", got)
    refuse_unknown("new_columns", f"name columns of X ({', '.join(frame.columns)})", names, frame.columns)
    binariser = TableBinariser() if old.binariser is None else clone(old.binariser)
    binariser.set_params(cut_points=None, groups=None, kinds=None)
    added = binariser.fit_read(select_columns(frame, list(names)).to_native(), training.labels, training.weights)
    both = copy(old.binariser_)
    both.take([*both.columns_, *binariser.columns_], [*known, *binariser.source_names])
    both.readings_ = {**both.readings_, **binariser.readings_}
    both.rare_values_ = {**both.rare_values_, **binariser.rare_values_}
    both.report_ = type(both.report_)((*both.report_, *binariser.report_))
    table = replace(training.table, columns={**training.table.columns, **added.columns}, booleans=None)
    model = old.fitted_.model
    wider = model.renumber(both.literals_, {feature: feature for feature in range(len(model.names))})
    spaced = wider if model.space is None else over(wider, both.space_)
    return replace(training, binariser=both, table=table), spaced


@dataclass(frozen=True)
class ContractRows:
    """New rows, what the old model gives them, and what each label costs."""

    clf: DNFClassifier
    training: MemoryTraining
    old: Model
    features: NDArray[np.bool_]

    @classmethod
    def of(cls, clf: DNFClassifier, training: MemoryTraining, old: Model) -> ContractRows:
        """Return the rows of a training under a contract with an old model; the parameters say how to learn."""
        return cls(clf, training, old, training.binariser.features_of(training.table))

    def at(self, rows: NDArray[np.intp]) -> ContractRows:
        """Return some of the rows."""
        return replace(self, training=self.training.at(rows), features=self.features[rows])

    @cached_property
    def given(self) -> NDArray[np.intp]:
        """The label that the old model gives each row, by number."""
        return self.labels(self.old)

    @cached_property
    def weights(self) -> NDArray[np.float64]:
        """What each row counts among the decisions."""
        own = self.training.own
        return np.ones(len(self.features)) if own is None else own

    @cached_property
    def regrets(self) -> NDArray[np.float64]:
        """What each label costs beyond the best one, for each row."""
        return self.training.examples.regrets(len(self.training.classes))

    @property
    def most_loss(self) -> float:
        """What the costliest mistakes on all rows would cost."""
        return float(self.regrets.max(axis=1).sum())

    def labels(self, model: Model) -> NDArray[np.intp]:
        """Return the label that a model gives each row, by number."""
        return labels_of(model, self.features)

    def losses(self, labels: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return what some labels of the rows cost."""
        return self.regrets[np.arange(len(self.features)), labels]

    def accuracy(self, model: Model) -> float:
        """Return the share of rows whose label is right."""
        return float(np.average(self.labels(model) == self.training.labels, weights=self.weights))

    def priced(self, model: Model) -> PricedModel[Model]:
        """Return a model with its loss and what it changes, as shares, rounded so that equal sums are equal."""
        labels = self.labels(model)
        changed = float(np.average(labels != self.given, weights=self.weights))
        return PricedModel(model, round(changed, 12), round(float(self.losses(labels).sum()) / self.most_loss, 12))

    def learn(self, price: float, path: PricePath[Model]) -> None:
        """Add to a path what is learned with a price on each row whose label changes."""
        others = np.arange(len(self.training.classes)) != self.given[:, np.newaxis]
        costs = self.regrets / self.most_loss + price * others * (self.weights / self.weights.sum())[:, np.newaxis]
        # Only the widest family surely holds the old model.
        starts = (self.old.within(self.clf.k),) if family_of(self.clf.family).has_every_function else ()
        with quiet():
            result = learn_costs(self.clf, self.training, costs, starts)
        path.add(price, self.priced(result.found.learned.model), least=result.bound, family=result.family)
