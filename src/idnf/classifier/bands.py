"""DNFBands: a score in bands whose every step has a reason of at most k conditions."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from numbers import Integral, Real
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Literal, Self

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.classifier.cutoffs import Cutoffs, points
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fit_defaults import with_defaults
from idnf.classifier.fitted import AnyClassifier, Fitted, TableClassifier
from idnf.classifier.fitted_bands import BandsTable, FittedBands, fitted_bands
from idnf.classifier.learning_task import task_of
from idnf.classifier.parameters import ClassWeight, class_weights
from idnf.classifier.progress_line import progress_callback
from idnf.classifier.table_input import training_of
from idnf.classifier.training import Training
from idnf.classifier.training_request import request_of
from idnf.columns.eager_frames import named_values
from idnf.columns.phrases import brief, one_line
from idnf.counting.contract import DistinctRows
from idnf.engines.lazy_frames import Lazy, as_lazy
from idnf.explaining.band_explanations import BandExplanations, boundary_labels
from idnf.explaining.reading import Reason
from idnf.explaining.recourse import Cost, Recourses
from idnf.explaining.wording import ClassWords
from idnf.logic.boxes import Space
from idnf.logic.class_dnfs import DoubleDNF
from idnf.logic.deadlines import Deadline
from idnf.logic.errors import InvalidArgument
from idnf.logic.verification import ChainCertificate
from idnf.pictures.chart import reliability_svg
from idnf.pictures.picture import Picture
from idnf.tables.column_check import TableWarning
from idnf.tables.estimator_bases import checks_parameters
from idnf.tables.outcomes import favourable_end
from idnf.tables.targets import name_of, seed_of

if TYPE_CHECKING:
    from sklearn.utils import Tags

    from idnf.learning.chain_path import Wanted
    from idnf.logic.model import Model

SHARED = (
    "k",
    "binariser",
    "conditions",
    "monotonic_cst",
    "price",
    "max_terms",
    "max_reasons",
    "effort",
    "random_state",
)
"""The parameters that the classifier of each boundary has too."""

# The share of the time left that is for learning, and for the classifier that a chain passes through.
_LEARNING, _DECIDING = 0.9, 0.3


@dataclass(eq=False, repr=False, kw_only=True)
class DNFBands(TableClassifier[FittedBands]):
    """A score in bands: every row is above or below each boundary for a reason of at most k conditions.

    For risk bands, for approve, refer and decline, and for ordered targets. The band of a row is how many of a chain of
    two-class models hold, each within the one before at every point. Why a row is in no lower band is a reason of at
    most k conditions, and why it is in no higher one is another.

    Parameters
    ----------
    k : int, default=3
        The bound on the conditions of a reason at each boundary.
    boundaries : int or sequence of float, default=None
        Probabilities of the higher label at which a new band begins, ascending; or the most there may be, 16 by
        default. Then bands are those that rank best, where each boundary must add to the area under the curve,
        labels taken as far as they are believed.
    names : sequence of str, default=None
        What the bands are called, the lowest first; one more than there are boundaries.
    order : sequence, default=None
        The labels in ascending order, for an ordered target or to say which of two labels is the higher; not needed
        if `y` is an ordered categorical. Of two labels the one that sorts last is the higher by default.
    conditions : {"cuts", "intervals", "sets", "all"}, default="cuts"
        What one condition may say, as for :class:`DNFClassifier`.
    binariser, max_terms, max_reasons, effort, time_limit, n_jobs, random_state, progress
        As for :class:`DNFClassifier`; caps apply to each boundary, the time limit to all together.
    monotonic_cst : dict or sequence of int, default=None
        For each column 1, 0 or -1: the band never falls as the column grows (1) or shrinks (-1).
    class_weight : dict or "balanced", default=None
        What an error on each label counts for `predict`, as for :class:`DNFClassifier`. If boundaries or names are
        given, bands and `predict_proba` stay as they are; if boundaries are chosen, one of them is where `predict`
        changes. For two labels.
    price : float, default=None
        What a literal costs at each boundary, as a share of the training weight; by default it follows the noise.
    tune : bool, default=True
        Whether cross-validation on the log loss chooses how much of k to use, and shares use held-out examples too.
    favourable : label, default=None
        The lowest or the highest label, whichever people want: changes are proposed only towards its end of the bands.
        By default a label of two whose name says so.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted.
    boundaries_ : tuple of float
        The probability at each boundary.
    names_ : tuple of str
        What the bands are called.
    bands_ : BandsTable
        The bands: name, share of the higher label (an estimate), share of the rows, and what it takes to be in it.
    models_ : tuple of DNFClassifier
        The two-class model of each boundary, of the labels "below ..." and "at least ...".

    Examples
    --------
    >>> X = np.array([[p >> j & 1 for j in range(3)] for p in range(8)] * 20)
    >>> y = X.sum(axis=1) > np.tile(np.arange(20).repeat(8) % 3, 1)
    >>> bands = DNFBands(k=3, boundaries=[0.2, 0.8], names=["approve", "refer", "decline"]).fit(X, y)
    >>> bands.band(X[:8]).tolist()
    [0, 1, 1, 1, 1, 1, 1, 2]
    >>> print(bands.explain(X[:8])[7].name)
    decline
    """

    boundaries: int | Sequence[float] | None = None
    names: Sequence[str] | None = None
    order: Sequence[object] | None = None

    @property
    def _parameter_constraints(self) -> dict[str, Any]:
        from idnf.classifier.parameter_constraints import OF_BANDS

        return OF_BANDS

    @checks_parameters
    def fit(self, X: object, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Learn from a table and its labels, in memory or lazy, as :meth:`DNFClassifier.fit` does."""
        deadline = Deadline.after(self.time_limit)
        with progress_callback(self.progress) as progress:
            fitted = self._learned(X, y, sample_weight, deadline, progress)
            self.fitted_ = with_defaults(fitted, name_of(y), self.favourable)
        # Between the caller's line and this one is scikit-learn's wrapper of `fit`.
        self.fitted_.binariser.report_.warn(stacklevel=4)
        return self

    def _learned(
        self,
        X: object,
        y: ArrayLike,
        sample_weight: ArrayLike | None,
        deadline: Deadline,
        progress: Callable[[float], None] | None,
    ) -> FittedBands:
        from idnf.classifier.capped_learning import learned_by
        from idnf.learning.chain_path import learn_bands
        from idnf.learning.chains import ChainTask, part_of

        chosen = self.names is None and (self.boundaries is None or isinstance(self.boundaries, Integral))
        base, progress = self._classifier(), never_falling(progress)
        decider = self._decider()
        request = request_of(decider if chosen else base, part_of(progress, 0.0, _DECIDING), deadline)
        training = training_of(X, y, sample_weight, request)
        order = self._order(y, training.classes)
        if self.favourable is not None:
            favourable_end(self.favourable, training.classes[list(order)].tolist())
        costs = _costs(self.class_weight, training.unweighted(), order)
        wanted = self._select_boundaries(order, costs)
        decision = None
        if len(order) == 2:
            own = request_of(decider, None, deadline)
            table = training if chosen else training_of(X, y, sample_weight, own)
            decision = Fitted.trained(table, learned_by(decider, table, deadline.part(_DECIDING)))
        training = training.unweighted()
        each = replace(task_of(base, training, deadline.part(_LEARNING)), progress=part_of(progress, _DECIDING, 1.0))
        if each.values is not None:
            each = replace(each, values=each.values.in_order(order))
        task = ChainTask(each, implied_literals(training.binariser.space_))
        rows, said = _examples(training, order, seed_of(self.random_state))
        through = _boundary_of(decision, order) if decision is not None and chosen else None
        chain, path, held_out = learn_bands(rows, wanted, task, tune=self.tune, through=through)
        names = self._names(len(chain.models), training.classes[list(order)].tolist())
        fitted = fitted_bands(chain, training, names, order, said).with_estimates(held_out, costs, path)
        training.finish()
        if chain.decisive is not None:
            return replace(fitted, decisive=chain.decisive)
        if decision is not None and chosen:
            _warn_of_decision("is constant" if through is None else "has too many terms")
        return replace(fitted, classifier=decision)

    def band(self, X: object) -> Any:
        """Return the band of each row, from 0 on; a lazy table comes back with columns for band, name and share."""
        lazy = as_lazy(X)
        if lazy is not None:
            return self._lazily(lazy)
        return self.fitted_.read(X).labels

    def predict_proba(self, X: object) -> Any:
        """Return the share of each label in the band of each row: constant within a band, and growing with the band.

        Shares are those of the training examples and of the same examples when they were held out in cross-validation,
        by the nearest of the boundaries that it looks at, one example of each label added; neighbouring bands that are
        out of order share theirs. They are estimates: nothing about them is proved. Weights of classes do not change
        them.
        """
        lazy = as_lazy(X)
        if lazy is not None:
            return self._lazily(lazy)
        return self.fitted_.probabilities[self.band(X)]

    def predict(self, X: object) -> NDArray[np.generic]:
        """Return the label that :class:`DNFClassifier` with the same parameters gives; of an ordered target the band.

        If boundaries are chosen, that classifier's function is one of them, and shares lie on its side of one half, or
        of where `class_weight` puts the even odds. If boundaries or names are given, or the classifier is constant or
        has too many terms, its answer is read beside the bands. With a `time_limit` the two may differ.
        """
        if as_lazy(X) is not None:
            raise TypeError(
                "X must be in memory for predict; got a lazy table. band(X) adds the band of each row to it."
            )
        return self.classes_[self.fitted_.predicted(X)]

    def explain(self, X: object) -> Any:
        """Return for each row its band, why it is in no lower one and why in no higher one.

        A mapping from the names of the columns to values is one row. A lazy table comes back with the columns `band`,
        `name`, `probability`, `at least` and `below`.
        """
        lazy = as_lazy(X)
        if lazy is not None:
            return self._lazily(lazy, reasons=True)
        if isinstance(X, Mapping):
            return BandExplanations(self.fitted_.bands, [model.explain(X) for model in self.models_])
        return self.fitted_.read(X).reasons

    def _lazily(self, frame: Lazy, *, reasons: bool = False) -> Any:
        return nw.to_native(self.fitted_.decide_lazily(frame, reasons=reasons), pass_through=True)

    def recourse(  # noqa: PLR0913 - each constraint is a word of its own
        self,
        x: object,
        *,
        to: int | str | None = None,
        immutable: Iterable[str] = (),
        increase_only: Iterable[str] = (),
        decrease_only: Iterable[str] = (),
        costs: Mapping[str, Cost] | None = None,
        count: int = 1,
    ) -> Recourses:
        """Return the cheapest changes of one row that bring it into a band or beyond it, cheapest first.

        Parameters
        ----------
        x : mapping, table or array
            One row.
        to : int or str, optional
            The wanted band, by its number or its name: a row below it is brought to at least this band, a row above it
            to at most this band. By default the best one, at the end of the favourable label.
        immutable, increase_only, decrease_only, costs, count
            As for :meth:`DNFClassifier.recourse`.
        """
        wanted, models = self._band_number(self._best_band() if to is None else to), self.models_
        x = named_values(x, self.binariser_.input_names)
        now = sum(int(model.explain(x)[0].side) for model in models)
        place, side = (wanted, 0) if now > wanted else (max(wanted - 1, 0), 1)
        if now == wanted:
            # Already there, which either boundary of the band says.
            place, side = (0, 0) if wanted == 0 else (wanted - 1, 1)
        label = boundary_labels(self.names_[place + 1])[side]
        found = models[place].recourse(
            x,
            to=label,
            immutable=immutable,
            increase_only=increase_only,
            decrease_only=decrease_only,
            costs=costs,
            count=count,
        )
        assert isinstance(found, Recourses), "one row was asked about"
        beyond = "" if wanted in (0, now, len(models)) else (" or lower", " or higher")[side]
        words = ClassWords(self.names_[wanted] + beyond, "the band")
        ways = (replace(way, label=words.label, target=words.target) for way in found)
        return Recourses(ways, words, found.blocked_by)

    def possible(self, known: Mapping[str, object]) -> tuple[int, int]:
        """Return the lowest and the highest band that the values known so far allow."""
        given = [model.decided(known) for model in self.models_]
        labels = [model.classes_.tolist() for model in self.models_]
        lowest = sum(label == names[1] for label, names in zip(given, labels, strict=True))
        return lowest, len(given) - sum(label == names[0] for label, names in zip(given, labels, strict=True))

    def decided(self, known: Mapping[str, object]) -> int | None:
        """Return the band if the values known so far decide it, else None; None as a value says that it is missing."""
        lowest, highest = self.possible(known)
        return lowest if lowest == highest else None

    def reasons(self, band: int | str) -> list[Reason]:
        """Return all reasons to be in at least a band, then all reasons to be in at most this band."""
        number, models = self._band_number(band), self.models_
        beside = [(model, 1) for model in models[max(number - 1, 0) : number]]
        beside += [(model, 0) for model in models[number : number + 1]]
        return [
            reason
            for model, side in beside
            for reason in model.reasons()
            if reason.label == model.classes_.tolist()[side]
        ]

    def calibration(self, X: object, y: ArrayLike) -> BandsTable:
        """Return for each band the rows in it, the share estimated, and the share seen among them."""
        truth, numbers, said = np.asarray(y), self.band(X), self.fitted_.bands
        rows = [truth[numbers == band] for band in range(len(said.names))]
        levels = [said.levels[band if said.is_ordered else 1] for band in range(len(said.names))]
        return BandsTable({
            "band": list(said.names),
            "rows": list(map(len, rows)),
            "estimated": [said.probability(band) for band in range(len(said.names))],
            "seen": [float(np.mean(found == level)) if len(found) else None for found, level in zip(rows, levels)],
        })  # fmt: skip

    def cutoffs(self, X: object, y: ArrayLike) -> Cutoffs:
        """Return what each cutoff between two bands lets through on some rows, with ``ks`` and ``gini``."""
        return Cutoffs.of(self.fitted_.bands, self.band(X), np.asarray(y))

    def scale(self, *, base: float = 600, odds: float = 50, double: float = 20) -> BandsTable:
        """Return the points of each band, as scorecards have them: more for the lower of two labels.

        Parameters
        ----------
        base : float, default=600
            The points at `odds`.
        odds : float, default=50
            Of the lower label to the higher one.
        double : float, default=20
            How many points more double the odds.
        """
        said = self.fitted_.bands
        shares = [said.probability(band) for band in range(len(said.names))] if not said.is_ordered else []
        found = points(said, base, odds, double)
        return BandsTable({"name": list(said.names), "probability": shares, "points": found})

    def plot_reliability(self, X: object, y: ArrayLike) -> Picture:
        """Return a picture of the share seen in each band among some rows against the share estimated."""
        return Picture(reliability_svg(self.calibration(X, y).columns()))

    def verify(self) -> ChainCertificate:
        """Prove each boundary, and that each lies within the one before: :meth:`FittedBands.verify`."""
        return self.fitted_.verify()

    def to_text(self) -> str:
        """Return the bands, highest first, with what it takes to be in each; shares are estimates."""
        return self.fitted_.to_text()

    def with_settings(
        self,
        *,
        target: str | None | EllipsisType = ...,
        favourable: object = ...,
        immutable: Iterable[str] | Literal["all"] | EllipsisType = ...,
    ) -> Self:
        """Return the same bands with other settings, as :meth:`DNFClassifier.with_settings` describes them."""
        other = copy(self)
        other.fitted_ = self.fitted_.with_settings(target=target, favourable=favourable, immutable=immutable)
        other.favourable = other.fitted_.favourable
        return other

    def without_rows(self) -> Self:
        """Return the same bands without values of training rows, as :meth:`DNFClassifier.without_rows` describes it."""
        other = copy(self)
        other.fitted_ = self.fitted_.without_rows()
        return other

    @property
    def boundaries_(self) -> tuple[float, ...]:
        """The probability at each boundary."""
        return self.fitted_.boundaries

    @property
    def names_(self) -> tuple[str, ...]:
        """What the bands are called."""
        return self.fitted_.names

    @property
    def bands_(self) -> BandsTable:
        """The bands as a table."""
        return self.fitted_.table()

    @property
    def models_(self) -> tuple[DNFClassifier, ...]:
        """The two-class model of each boundary."""
        return tuple(map(self._model, self.fitted_.models))

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn what this classifier takes."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.order is not None and len(self.order) > 2
        return tags

    def _decider(self) -> DNFClassifier:
        """Return the classifier with the same parameters."""
        own = {name: getattr(self, name) for name in (*SHARED, "tune", "class_weight", "time_limit")}
        return DNFClassifier(n_jobs=self.n_jobs, **own)

    def _classifier(self) -> DNFClassifier:
        """Return a two-class classifier with the parameters that boundaries share."""
        return DNFClassifier(tune=False, n_jobs=self.n_jobs, **{name: getattr(self, name) for name in SHARED})

    def _model(self, fitted: Fitted) -> DNFClassifier:
        model = self._classifier()
        model.fitted_ = fitted
        return model

    def _order(self, y: ArrayLike, classes: NDArray[np.generic]) -> tuple[int, ...]:
        """Return the numbers of the labels, ascending."""
        labels, given = classes.tolist(), _declared_order(y) if self.order is None else list(self.order)
        if given is None:
            if len(labels) > 2:
                raise InvalidArgument(
                    "order",
                    f"list the {len(labels)} labels of y, lowest first",
                    "None",
                    "Only binary classification is supported without an order of the labels.",
                )
            return 0, 1
        if self.order is None:
            given = [label for label in given if label in labels]
        try:
            numbers = tuple(labels.index(label) for label in given)
        except (TypeError, ValueError):
            numbers = ()
        if sorted(numbers) != list(range(len(labels))):
            known = ", ".join(map(brief, labels))
            raise InvalidArgument(
                "order",
                f"list the labels of y ({known}) once each, lowest first",
                brief(given),
                "Write each as y has it: texts in quotes, numbers without.",
            )
        return numbers

    def _select_boundaries(self, order: Sequence[int], costs: Sequence[float]) -> Wanted:
        """Return the boundaries asked for."""
        from idnf.learning.chain_path import Wanted
        from idnf.learning.chains import Boundary

        if len(order) > 2:
            if self.boundaries is not None or self.names is not None:
                raise InvalidArgument("boundaries and names", "be None for an ordered target: its levels are the bands")
            return Wanted(tuple(Boundary(0.5, level) for level in range(1, len(order))))
        names = [] if self.names is None else list(self.names)
        if not all(isinstance(name, str) and name == one_line(name) for name in names) or len(set(names)) < len(names):
            raise InvalidArgument("names", "be texts of one line that differ", brief(names))
        decisive = 0.5
        if costs:
            low, high = (costs[number] for number in order)
            decisive = min(max(low / (low + high), 0.01), 0.99)
        if self.boundaries is None:
            count = None if self.names is None else len(self.names) - 1
            if count is not None and count < 1:
                raise InvalidArgument("names", "be at least two", brief(names))
            return Wanted(count=count, decisive=decisive)
        if isinstance(self.boundaries, (int, Integral)):
            return Wanted(count=int(self.boundaries), decisive=decisive)
        at = list(self.boundaries)
        if not at or not all(isinstance(each, Real) and 0 < each < 1 for each in at) or sorted(set(at)) != at:
            raise InvalidArgument("boundaries", "be ascending probabilities between 0 and 1", self.boundaries)
        if self.names is not None and len(self.names) != len(at) + 1:
            raise InvalidArgument("names", f"be {len(at) + 1}, one more than boundaries", len(self.names))
        return Wanted(tuple(Boundary(float(each)) for each in at))

    def _names(self, boundaries: int, levels: Sequence[object]) -> tuple[str, ...]:
        if len(levels) > 2:
            return tuple(map(str, levels))
        if self.names is None:
            return tuple(f"band {band}" for band in range(boundaries + 1))
        if len(self.names) != boundaries + 1:
            raise InvalidArgument(
                "names",
                f"be as many as the bands that the data support, {boundaries + 1}",
                len(self.names),
                "Give boundaries as probabilities, or leave names out.",
            )
        return tuple(map(str, self.names))

    def _best_band(self) -> int:
        above = self.fitted_.models[0].explainer.favourable
        if above is None:
            rule = f"name a band ({', '.join(self.names_)}) if no label is favourable"
            remedy = "Name the band, or the label that people want: favourable=..."
            raise InvalidArgument("to", rule, None, remedy)
        return above * len(self.fitted_.models)

    def _band_number(self, band: int | str) -> int:
        names = list(self.names_)
        if isinstance(band, str) and band in names:
            return names.index(band)
        if isinstance(band, Integral) and 0 <= band < len(names):
            return int(band)
        raise InvalidArgument("band", f"be one of {', '.join(names)} or a number below {len(names)}", f"{band!r}")


def single_classifier(model: AnyClassifier, name: str) -> DNFClassifier:
    """Return a classifier as what it is; refuse bands by the name of what is asked about one classifier alone.

    >>> single_classifier(DNFBands(), "principal")
    Traceback (most recent call last):
        ...
    idnf.logic.errors.InvalidArgument: principal must be left out for bands. It is about one classifier.
    """
    if isinstance(model, DNFClassifier):
        return model
    raise InvalidArgument(name, "be left out for bands", remedy="It is about one classifier.")


def never_falling(progress: Callable[[float], None] | None) -> Callable[[float], None] | None:
    """Return what is called with a share of the work done each time that it grows.

    >>> never_falling(print)(0.5)
    0.5
    """
    if progress is None:
        return None
    most = [0.0]

    def tell(share: float) -> None:
        if share > most[0]:
            most[0] = share
            progress(share)

    return tell


def _boundary_of(decision: Fitted, order: Sequence[int]) -> Model | None:
    """Return a classifier's function as that of a boundary, true for the higher label; None if it is constant."""
    if not decision.model.features():
        return None
    if tuple(order) == (0, 1):
        return decision.model
    double = DoubleDNF.of(decision.model)
    return DoubleDNF(double.negative, double.positive, double.k, double.space)


def _warn_of_decision(why: str) -> None:
    """Say that no boundary decides as the classifier does, whose answer `predict` gives all the same."""
    text = f"the classifier of the same parameters {why}, so no boundary is its own; predict reads it beside the bands"
    warnings.warn(text, TableWarning, stacklevel=5)


def implied_literals(space: Space) -> list[int]:
    """Return for each literal the mask of all literals that hold wherever it does.

    >>> from idnf.logic.boxes import Column
    >>> age = Column("age", ("at most 30", "31 to 45", "over 45"), ordered=True)
    >>> [bin(mask) for mask in implied_literals(Space((age,), ((0, 0b001), (0, 0b011))))]
    ['0b101', '0b10', '0b100', '0b1010']
    """
    cells: list[tuple[int, int]] = []
    by_column: dict[int, list[int]] = {}
    for column, mask in space.literals:
        for held in (mask, space.columns[column].full & ~mask):
            by_column.setdefault(column, []).append(len(cells))
            cells.append((column, held))
    return [sum(1 << other for other in by_column[column] if not held & ~cells[other][1]) for column, held in cells]


def _examples(training: Training, order: Sequence[int], seed: int) -> tuple[DistinctRows, str]:
    """Return the examples with the weights of their labels in order, and what they are; a sample of very many."""
    from idnf.learning.dispatch import MOST_CELLS, MOST_EXACT_ROWS

    most = max(len(order), min(MOST_EXACT_ROWS, MOST_CELLS // max(1, training.counts.n_features)))
    rows = training.counts.distinct_rows(most, seed)
    said = "distinct rows" if rows.complete else f"sample of {len(rows.features)} distinct rows"
    return DistinctRows(rows.features, np.ascontiguousarray(rows.weights[:, list(order)]), rows.complete), said


def _costs(class_weight: ClassWeight, training: Training, order: Sequence[int]) -> tuple[float, ...]:
    """Return what an error on each label counts, by its number; nothing if there is no difference."""
    if class_weight is None:
        return ()
    if len(order) > 2:
        raise InvalidArgument("class_weight", "be None for an ordered target", f"{class_weight!r}")
    return class_weights(class_weight, training.classes.tolist(), training.counts.totals.tolist())


def _declared_order(y: object) -> list[object] | None:
    """Return the labels in the order that an ordered categorical of pandas or an enumeration of polars declares."""
    dtype = getattr(y, "dtype", None)
    categories = getattr(dtype, "categories", None)
    if categories is None or not getattr(dtype, "ordered", True):
        return None
    return list(categories)
