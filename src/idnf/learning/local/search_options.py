"""How the search learner works: what it searches, how long, and from which seed; and among which features.

What search looks at grows with the number of features. Above some hundreds, features are ranked on all examples by how
much a split by each one alone purifies the classes, and the best are kept; a model over these is one over all. A
feature that is the same in all examples says nothing, and a reason that names it says a word too many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.learning.choices import POLARITIES, Device, Polarity
from idnf.learning.families import Family, family_of
from idnf.logic.boxes import Space
from idnf.logic.deadlines import Deadline
from idnf.logic.errors import InvalidArgument
from idnf.logic.model import Model
from idnf.logic.trees import over


@dataclass(frozen=True)
class SearchOptions:
    """How the search learner works.

    Parameters
    ----------
    family : Family
        What to search.
    polarity : {"positive", "negative", "auto"}
        For "nested": the nested DNF is of class 1, of class 0, or the better of the two.
    price : float, optional
        The price of a literal, as a share of all weight; by default what is minimised follows the noise in the data
        (:mod:`idnf.learning.objective`).
    effort : float
        Scales the number of moves.
    deadline : Deadline
        When the best model so far is to be returned.
    n_jobs : int, optional
        Threads, as in joblib; the result does not depend on it.
    device : {"cpu", "cuda"}
        Where exact learning that starts from this search multiplies matrices.
    random_state : int
        The seed.
    allowed : frozenset of int, optional
        The literal codes that may occur in terms of class 1, their negations in terms of class 0; all by default.
    accepts : callable, optional
        Tells whether a model may be returned; constants always may.
    tune : bool
        Whether learners that search choose the size and the objective of models by cross-validation first
        (:mod:`idnf.learning.path`), where `price` is not given.
    references : bool
        Whether the paper's learner and CART are asked too, so that search is never worse than they are.
    space : Space, optional
        The columns that features are of; if not given, each is a column of its own.
    credit : tuple of tuple of float, optional
        For each true label, the part of an example that each label given gets right: 1 for the true label, 0 for the
        costliest mistake; only the true label by default.
    ordered : tuple of tuple of int
        The features of each ordered column: learners that search make cuts one that hardly differ
        (:mod:`idnf.learning.own_weight`).
    progress : callable, optional
        Called after each job with the share of the work that is done.
    wide : tuple of int
        Features that are intervals or sets of categories, of which a tuned search chooses by cross-validation whether
        they are used at all; without that they are.
    inside, around : Model, optional
        Two classes: the model must lie inside the first and contain the second, as sets of points of class 1. Each
        is of size k at most, they keep to `allowed`, and the second lies inside the first; either is then an answer,
        and what is returned is never worse. The family must be "any", and only Berge steps are made.
    starts : tuple of Model
        Further models to start from, and not to be worse than; those that are not between the two are left out.
    """

    family: Family = field(default_factory=lambda: family_of("any"))
    polarity: Polarity = "auto"
    price: float | None = None
    effort: float = 1.0
    deadline: Deadline = field(default_factory=Deadline)
    n_jobs: int | None = None
    device: Device = "cpu"
    random_state: int = 0
    allowed: frozenset[int] | None = None
    accepts: Callable[[Model], bool] | None = None
    tune: bool = False
    references: bool = True
    space: Space | None = None
    credit: tuple[tuple[float, ...], ...] | None = None
    ordered: tuple[tuple[int, ...], ...] = ()
    progress: Callable[[float], None] | None = None
    wide: tuple[int, ...] = ()
    inside: Model | None = None
    around: Model | None = None
    starts: tuple[Model, ...] = ()

    def __post_init__(self) -> None:
        if self.polarity not in POLARITIES:
            raise InvalidArgument("polarity", f"be one of {', '.join(POLARITIES)}", f"{self.polarity!r}")
        if self.effort <= 0:
            raise InvalidArgument("effort", "be positive", self.effort)
        if self.is_bounded and (not self.family.has_every_function or self.tune):
            raise InvalidArgument("family", "be 'any' and tune False for a model between two others")

    def renumbered(self, names: tuple[str, ...], kept: Sequence[int]) -> SearchOptions:
        """Return the options with the models given written over the features kept alone."""
        place = {feature: n for n, feature in enumerate(kept)}
        inside, around = (
            None if model is None else model.renumbered(names, place) for model in (self.inside, self.around)
        )
        starts = tuple(model.renumbered(names, place) for model in self.starts)
        space = None if self.space is None else Space(self.space.columns, tuple(self.space.literals[j] for j in kept))
        return replace(self, inside=inside, around=around, starts=starts, space=space)

    @property
    def is_bounded(self) -> bool:
        """Whether the model must lie between others."""
        return self.inside is not None or self.around is not None

    @property
    def forced(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Terms of class 0 and of class 1 that every model returned agrees with."""
        outside = () if self.inside is None else self.inside.side(0).masks
        return tuple(outside), () if self.around is None else tuple(self.around.side(1).masks)

    @property
    def neighbours(self) -> list[Model]:
        """The models that are given: what lies inside, what lies around, and starts."""
        return [model for model in (self.around, self.inside, *self.starts) if model is not None]

    @property
    def either_polarity(self) -> Polarity:
        """The polarity for nested DNFs; if the family has more than these, both."""
        return "auto" if self.family.has_trees else self.polarity


def useful_size(k: int, names: Sequence[str]) -> int:
    """Return how much of k reasons over some features can use.

    >>> useful_size(2, "abc"), useful_size(10**9, "abc")
    (2, 3)
    """
    return min(k, max(1, len(names)))


MOST_FEATURES = 400
"""Features that search looks at; of more, those that split the examples best."""

# Examples looked at in one step of the ranking.
_BLOCK = 1 << 14


@dataclass(frozen=True)
class Narrowed:
    """A table with fewer features, and how to search it.

    Parameters
    ----------
    rows : DistinctRows
        The examples; some may be alike.
    names : tuple of str
        The features that are kept.
    options : SearchOptions
        The options, literals by their places among the features kept.
    kept : tuple of int
        The places of these features among all.
    all_names : tuple of str
        All features.
    space : Space, optional
        What they say about columns.
    """

    rows: DistinctRows
    names: tuple[str, ...]
    options: SearchOptions
    kept: tuple[int, ...]
    all_names: tuple[str, ...]
    space: Space | None

    def widened(self, model: Model) -> Model:
        """Return a model over the features kept as one over all features."""
        widened = model.renumbered(self.all_names, dict(enumerate(self.kept)))
        return widened if model.space is None or self.space is None else over(widened, self.space)


def narrowed(
    rows: DistinctRows, names: Sequence[str], options: SearchOptions, *, only_varying: bool = False
) -> Narrowed | None:
    """Return a table with the features that split the examples best, or None if all stay.

    With `only_varying`, features that are the same in all examples go too, unless all are. Those that given models are
    written with stay.
    """
    places = np.arange(len(names))
    if only_varying and len(rows.features):
        varying = places[(rows.features != rows.features[0]).any(axis=0)]
        places = varying if len(varying) else places
    if len(places) > MOST_FEATURES:
        places = np.sort(places[np.argsort(-split_gains(rows)[places], kind="stable")[:MOST_FEATURES]])
    used = {feature for model in options.neighbours for feature in model.features()}
    places = np.union1d(places, np.array(sorted(used), dtype=np.intp))
    if len(places) == len(names):
        return None
    kept, allowed, accepts = tuple(places.tolist()), options.allowed, options.accepts
    if allowed is not None:
        allowed = frozenset(2 * n + sign for n, j in enumerate(kept) for sign in (0, 1) if 2 * j + sign in allowed)
    features = np.ascontiguousarray(rows.features[:, places])
    fewer = DistinctRows(features, rows.weights, rows.complete)
    few = tuple(names[j] for j in kept)
    narrow = Narrowed(
        fewer, few, replace(options.renumbered(few, kept), allowed=allowed), kept, tuple(names), options.space
    )
    if accepts is None:
        return narrow
    return replace(narrow, options=replace(narrow.options, accepts=lambda model: accepts(narrow.widened(model))))


def split_gains(rows: DistinctRows) -> NDArray[np.float64]:
    """Return by how much a split by each feature alone purifies the classes, in weight (Gini).

    >>> rows = DistinctRows.of_two(np.eye(2, 3, dtype=bool), np.array([1.0, 0.0]), np.array([0.0, 1.0]), True)
    >>> split_gains(rows).tolist()
    [1.0, 1.0, 0.0]
    """
    weights = rows.weights.T[::-1]
    held = np.zeros((len(weights), rows.features.shape[1]))
    for start in range(0, len(rows.features), _BLOCK):
        part = slice(start, start + _BLOCK)
        held += weights[:, part] @ rows.features[part].astype(np.float64)
    totals = weights.sum(axis=1, keepdims=True)
    return purity(held) + purity(totals - held) - purity(totals)


def purity(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for each column of weights by class, their weight less what a random label of its mix would get wrong."""
    total = weights.sum(axis=0)
    found: NDArray[np.float64] = np.divide((weights**2).sum(axis=0), total, out=np.zeros(len(total)), where=total > 0)
    return found
