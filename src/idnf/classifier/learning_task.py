"""What a classifier's parameters ask of its learner, what the learner makes of the examples, and how far it is.

What a classifier needs of a table: the one interface of tables in memory and of lazy tables.

A *training* is what a model is learned from; an *examined* table answers questions about its rows.
:mod:`idnf.classifier.table_input` is the one place that asks which kind of table it is.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING, Literal, Protocol, TextIO

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from idnf.classifier.fitted import table_explainer
from idnf.columns.raw import RawTable
from idnf.counting.contract import Counts
from idnf.explaining.explainer import Explainer
from idnf.explaining.training_facts import ColumnValues, TrainingPatterns
from idnf.learning.dispatch import MOST_ROWS, LearningResult, learn_model
from idnf.learning.local.search_options import SearchOptions
from idnf.learning.objective import cut_to_size
from idnf.logic.deadlines import Deadline
from idnf.logic.errors import InvalidArgument
from idnf.logic.model import Model
from idnf.tables.binariser import TableBinariser
from idnf.tables.column_fitting import Offer
from idnf.tables.targets import seed_of

if TYPE_CHECKING:
    from idnf.classifier.estimator import DNFClassifier


SpaceName = Literal["columns", "boolean"]
Costs = Mapping[tuple[object, object], float]

MOST_COST = 1e9
"""The most that a mistake may cost, where a usual one costs 1."""

MOST_VALUES = 20_000
"""Training rows from which the ranges and quantiles of columns are taken."""


@dataclass(frozen=True)
class TrainingRequest:
    """What a table is read for.

    Parameters
    ----------
    clf : DNFClassifier
        Its parameters say how to learn.
    binariser : TableBinariser
        To be fitted.
    progress : callable or None
        To be called with the share of the work done.
    deadline : Deadline
        When the model is to be there.
    """

    clf: DNFClassifier
    binariser: TableBinariser
    progress: Callable[[float], None] | None
    deadline: Deadline

    @property
    def seed(self) -> int:
        """The seed of samples."""
        return seed_of(self.clf.random_state)


@dataclass(frozen=True)
class MisclassificationCosts:
    """What mistakes cost: the costliest one of each label, and for each label given the part of that which it spares.

    Examples
    --------
    >>> MisclassificationCosts.of({("bad", "good"): 5}, ["bad", "good"])
    MisclassificationCosts(dearest=(5.0, 1.0), credit=None)
    >>> MisclassificationCosts.of({("bad", "good"): 4}, ["bad", "fair", "good"]).credit
    ((1.0, 0.75, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    """

    dearest: tuple[float, ...]
    credit: tuple[tuple[float, ...], ...] | None

    @classmethod
    def of(cls, costs: Costs | None, labels: Sequence[object]) -> MisclassificationCosts:
        """Return what costs of some mistakes say; a mistake that is not named costs 1."""
        matrix = 1.0 - np.eye(len(labels))
        for pair, cost in (costs or {}).items():
            matrix[_places(pair, labels)] = _checked_cost(pair, cost)
        dearest = matrix.max(axis=1)
        if not dearest.all():
            free = labels[int(dearest.argmin())]
            raise InvalidArgument("costs", "charge something for some mistake on each label", f"0 for all on {free!r}")
        credit = 1.0 - matrix / dearest[:, np.newaxis]
        plain = np.array_equal(credit, np.eye(len(labels)))
        return cls(tuple(dearest.tolist()), None if plain else tuple(map(tuple, credit.tolist())))


def _places(pair: object, labels: Sequence[object]) -> tuple[int, int]:
    """Return the numbers of a true label and the label given in its place."""
    known = ", ".join(map(repr, labels))
    if not isinstance(pair, tuple) or len(pair) != 2 or any(label not in labels for label in pair):
        raise InvalidArgument("costs", f"name pairs of labels, (true, given), out of {known}", f"{pair!r}")
    if pair[0] == pair[1]:
        raise InvalidArgument("costs", "be of mistakes, and a right answer costs nothing", f"{pair!r}")
    return labels.index(pair[0]), labels.index(pair[1])


def _checked_cost(pair: object, cost: object) -> float:
    if not isinstance(cost, Real) or isinstance(cost, bool) or not 0 <= float(cost) <= MOST_COST:
        raise InvalidArgument("costs", f"be numbers from 0 to {MOST_COST:g}", f"{cost!r} for {pair!r}")
    return float(cost)


class Training(Protocol):
    """Examples to learn from, their columns fitted."""

    @property
    def binariser(self) -> TableBinariser:
        """The columns and their literals."""

    @property
    def classes(self) -> NDArray[np.generic]:
        """The labels, sorted."""

    @property
    def counts(self) -> Counts:
        """What a learner may ask."""

    @property
    def whole(self) -> bool:
        """Whether a learner may look at every row, however many there are."""

    @property
    def rows_for_time(self) -> tuple[int, int] | None:
        """How many rows the learner looks at, and of how many, if the time limit does not allow all of them."""

    @property
    def progress(self) -> Callable[[float], None] | None:
        """What the learner tells how much of its work is done."""

    def patterns(self, explainer: Explainer) -> TrainingPatterns:
        """Return the weight of each class among the examples that a model does not distinguish."""

    def values(self, used: Collection[int]) -> tuple[ColumnValues | None, ...]:
        """Return the ranges and quantiles of the columns in use, None for the others."""

    def finish(self) -> None:
        """Note that all is done."""


def training_values(
    binariser: TableBinariser, table: RawTable, weights: NDArray[np.float64] | None, used: Collection[int]
) -> tuple[ColumnValues | None, ...]:
    """Return the training values of the columns in use, None for the others."""
    cells = binariser.cells_of(table, used)
    values: list[ColumnValues | None] = [None] * len(binariser.columns_)
    for j in used:
        column = binariser.columns_[j]
        found = column.positions(*table.of(column.sources))
        positions = None if found is None else found[0]
        values[j] = ColumnValues.of(column.to_column(), cells[:, j], positions, weights)
    return tuple(values)


# Prices tried where a model of several classes is too large, none below the least, as shares of all weight; and the
# share of the time for a model without caps.
_PRICES, _LEAST_PRICE, _FIRST = 7, 1e-4, 0.3
# The least seconds for cutting down a model that is too large.
_CUTTING = 0.2
# The share of the time left that is for learning; then all rows are looked at once more for the columns in use.
_LEARNING = 0.9


def request_of(clf: DNFClassifier, progress: Callable[[float], None] | None, deadline: Deadline) -> TrainingRequest:
    """Return what the parameters say about the training."""
    if clf.device == "cuda" and clf.learner != "exact":
        raise InvalidArgument("device", f'be "cpu" for learner {clf.learner!r}', '"cuda", which only "exact" can use')
    if clf.family == "checklist" and clf.learner != "search":
        raise InvalidArgument("learner", 'be "search" for family "checklist"', f"{clf.learner!r}")
    if clf.family == "column-tree" and clf.learner == "exact":
        raise InvalidArgument("learner", 'be "search" or "greedy" for family "column-tree"', f"{clf.learner!r}")
    if clf.conditions == "auto" and (clf.learner != "search" or not clf.tune or clf.price is not None):
        raise InvalidArgument(
            "conditions",
            'be "cuts", "intervals", "sets" or "all" without a tuned search',
            '"auto", which cross-validation decides',
        )
    return TrainingRequest(clf, _new_binariser(clf), progress, deadline)


def _new_binariser(clf: DNFClassifier) -> TableBinariser:
    offered: Offer = "all" if clf.conditions == "auto" else clf.conditions
    if clf.binariser is None:
        return TableBinariser(conditions=offered)
    fresh: TableBinariser = clone(clf.binariser)
    own = fresh.conditions
    if clf.conditions != "cuts" and own not in ("cuts", clf.conditions):
        raise InvalidArgument("conditions", f"be those of the binariser if it has some, {own!r}", f"{clf.conditions!r}")
    return fresh if clf.conditions == "cuts" else fresh.set_params(conditions=offered)


def learned_by(clf: DNFClassifier, training: Training, deadline: Deadline | None = None) -> LearningResult:
    """Return what the learner makes of the examples; before a deadline if one is given, else within the limit."""
    limit = Deadline.after(clf.time_limit) if deadline is None else deadline.part(_LEARNING)
    found = (_learned_two if len(training.classes) == 2 else _learned_classes)(clf, training, limit)
    looked_at = training.rows_for_time
    if looked_at is None:
        return found
    return replace(found, training_data=f"sample of {looked_at[0]} of {looked_at[1]} rows, as the time limit allows")


def _learned_two(clf: DNFClassifier, training: Training, deadline: Deadline) -> LearningResult:
    """Return what the learner makes of examples of two classes."""
    names, task = training.binariser.literals_, task_of(clf, training, deadline)
    found = learn_model(training.counts, names, clf.k, task, clf.learner, whole=training.whole)
    learned = found.learned
    if task.accepts is None or task.accepts(learned.model):
        return found
    rows = training.counts.distinct_rows(MOST_ROWS, task.random_state)
    return replace(found, learned=cut_to_size(learned, rows, task.accepts, deadline.at_least(_CUTTING).is_over))


def _accepts(clf: DNFClassifier, training: Training) -> Callable[[Model], bool] | None:
    """Return what tells whether a model is small enough; None if any is."""
    if clf.max_terms is None and clf.max_reasons is None:
        return None

    def accepts(model: Model) -> bool:
        size = table_explainer(model, training.binariser, range(model.n_classes)).reading.size
        few = clf.max_terms is None or size.terms <= clf.max_terms
        return few and (clf.max_reasons is None or size.reasons is not None and size.reasons <= clf.max_reasons)

    return accepts


def _learned_classes(clf: DNFClassifier, training: Training, deadline: Deadline) -> LearningResult:
    """Return what the learner makes of examples of more than two classes."""
    if clf.monotonic_cst is not None:
        raise ValueError(
            "Only binary classification is supported under monotonic_cst: it says which of two classes becomes "
            f"likelier. monotonic_cst must be None for {len(training.classes)} classes; got {clf.monotonic_cst!r}."
        )
    accepts, names = _accepts(clf, training), training.binariser.literals_
    if accepts is not None and clf.learner != "search":
        raise InvalidArgument(
            "learner", 'be "search" under max_terms and max_reasons for more than two classes', f"{clf.learner!r}"
        )
    first = deadline if accepts is None else deadline.part(_FIRST)
    task = replace(task_of(clf, training, first), accepts=None)
    found = learn_model(training.counts, names, clf.k, task, clf.learner)
    if accepts is None or accepts(found.learned.model):
        return found
    # The more literals cost, the fewer a model has; at a price of one a constant is best.
    best, too_low, enough = None, max(found.learned.price, _LEAST_PRICE), 1.0
    for left in range(_PRICES, 0, -1):
        if deadline.is_over():
            break
        price = math.sqrt(too_low * enough)
        task = replace(task, price=price, deadline=deadline.part(1 / (left + 1)))
        found = learn_model(training.counts, names, clf.k, task, clf.learner)
        if accepts(found.learned.model):
            best, enough = found, price
        else:
            too_low = price
    if best is not None:
        return best
    task = replace(task, price=1.0, deadline=deadline)
    return learn_model(training.counts, names, clf.k, task, clf.learner)


def task_of(clf: DNFClassifier, training: Training, deadline: Deadline | None = None) -> SearchOptions:
    """Return the options of the search that the parameters ask for, before a deadline."""
    allowed = None if clf.monotonic_cst is None else training.binariser.allowed_literals(clf.monotonic_cst)
    return SearchOptions(
        family=clf.family,
        price=clf.price,
        effort=clf.effort,
        deadline=deadline or Deadline(),
        n_jobs=clf.n_jobs,
        device=clf.device,
        random_state=seed_of(clf.random_state),
        allowed=allowed,
        accepts=_accepts(clf, training),
        tune=clf.tune,
        space=training.binariser.space_,
        credit=MisclassificationCosts.of(clf.costs, training.classes.tolist()).credit,
        ordered=_ordered_features(training.binariser),
        progress=training.progress,
        wide=_wide_features(training.binariser) if clf.conditions == "auto" else (),
    )


def _wide_features(binariser: TableBinariser) -> tuple[int, ...]:
    """Return the features that are intervals between two cuts or sets of categories."""
    columns = binariser.columns_
    return tuple(
        feature for feature, (column, mask) in enumerate(binariser.space_.literals) if mask in columns[column].wide
    )


def _ordered_features(binariser: TableBinariser) -> tuple[tuple[int, ...], ...]:
    """Return the features of each ordered column that has several."""
    space = binariser.space_
    features: dict[int, list[int]] = {}
    for feature, (column, _) in enumerate(space.literals):
        if space.columns[column].ordered:
            features.setdefault(column, []).append(feature)
    return tuple(tuple(several) for several in features.values() if len(several) > 1)


_WIDTH = 30
# Seconds between two drawings.
_PAUSE = 0.1


class ProgressLine:
    """Draws over one line of a stream; it is called with the share of the work that is done.

    Parameters
    ----------
    stream : text stream, optional
        Standard error by default, which notebooks show.

    Examples
    --------
    >>> from io import StringIO
    >>> stream = StringIO()
    >>> line = ProgressLine(stream)
    >>> line(1.0)
    >>> stream.getvalue().strip()[:45]
    'fit 100% [##############################]   0'
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._began = time.monotonic()
        self._drawn = -_PAUSE
        self._share = 0.0

    def __call__(self, share: float) -> None:
        """Draw the share done, 1 at the end; earlier ones not too often, and never a smaller one."""
        now = time.monotonic()
        self._share = min(1.0, max(self._share, share))
        if self._share < 1 and now - self._drawn < _PAUSE:
            return
        self._drawn = now
        filled = round(_WIDTH * self._share)
        bar = "#" * filled + "." * (_WIDTH - filled)
        self._stream.write(f"\rfit {self._share:4.0%} [{bar}] {now - self._began:5.1f} s")
        self._stream.flush()

    def finish(self) -> None:
        """Draw the end of the line."""
        self(1.0)
        self._stream.write("\n")
        self._stream.flush()


@contextmanager
def progress_callback(progress: Callable[[float], None] | bool | None) -> Iterator[Callable[[float], None] | None]:
    """Give the callback for the share of the work done: the user's own, a line that ends with the work, or none."""
    if callable(progress):
        yield progress
    elif progress:
        line = ProgressLine()
        yield line
        line.finish()
    else:
        yield None
