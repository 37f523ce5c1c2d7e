"""What learners return and how it is valued: weighted share of errors plus a price for every literal of the model.

A literal must earn more than luck would give it. If the classes separate well, a literal that wins a single
example is worth keeping. Where a share e of errors is unavoidable, the best of many literals gains examples by luck,
the more so the closer e is to one half. Hence a price of a small part of one example plus a multiple of
e(1 - e) / (1 - 2e) examples, and two objectives. The plain one takes every label as it is and the least price. The
cautious one trusts a label in part, and for the rest other models that were not shown the example
(:mod:`idnf.learning.label_noise`); it takes the price for as much noise as they show. Cross-validation decides which of
the two suits the data (:mod:`idnf.learning.path`); a search that is not tuned minimises the cautious one. The
constants were chosen on data that is not the paper's; experiments/prices.py shows what they do.

Models found, made better or small enough: branches of a tree, and the best that a reader accepts, or one cut down.

A branch at depth d is a function of the examples that reach it, with reasons of at most k - d literals left. From the
lowest branches up, the best of what is found for these examples takes its place if that is better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, Weights
from idnf.logic.class_dnfs import DoubleDNF
from idnf.logic.dnf import DNF
from idnf.logic.literals import codes_of, feature_of, is_negated
from idnf.logic.model import Model
from idnf.logic.nested import NestedDNF
from idnf.logic.primes import maximal_runs_avoiding
from idnf.logic.trees import AnyLeaf, NestedTree, Node, fold, join_nodes

if TYPE_CHECKING:
    from idnf.learning.path import LearningPath

TOLERANCE = 1e-12
"""What sums of shares may differ by from rounding: costs that differ by less are equal."""


@dataclass(frozen=True)
class Learned:
    """A learned model of two or more classes and what is known about it.

    Parameters
    ----------
    model : Model
    objective : float
        Weighted share of training errors, plus whatever the learner charges for the size of the model.
    optimal : str or None
        The family in which the objective is proved optimal; the model is one of it.
    bound : float or None
        What no model of the family `bound_family` can beat.
    bound_family : str or None
        The family for which the bound is proved; the model need not be one of it.
    price : float
        What the learner charged for a literal, as a share of all weight.
    path : LearningPath or None
        What cross-validation said about the settings it chose among.
    claimed : bool
        Whether objective, optimum and bound are what a model file says, which nobody can check without the examples.
    """

    model: Model
    objective: float
    optimal: str | None = None
    bound: float | None = None
    bound_family: str | None = None
    price: float = 0.0
    path: LearningPath | None = None
    claimed: bool = False

    def beyond(self, unavoidable: float) -> Learned:
        """Return what was learned with all figures as shares of the weight that some model gets right.

        >>> from idnf.logic.nested import NestedDNF
        >>> learned = Learned(NestedDNF.constant(("a",), False, 1), 0.55, bound=0.5, price=0.01)
        >>> (again := learned.beyond(0.5)).bound, round(again.objective, 2), again.price
        (0.0, 0.1, 0.02)
        """
        if not unavoidable:
            return self
        part = 1 - unavoidable
        bound = None if self.bound is None else (self.bound - unavoidable) / part
        return replace(self, objective=(self.objective - unavoidable) / part, bound=bound, price=self.price / part)


# Examples handled at a time: the columns in use stay in cache.
_BLOCK = 1 << 15
# Terms of a class that are counted at most.
_MOST_TERMS = 2048


def holds(model: Model, features: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether each example, a row of Boolean features, is of class 1.

    >>> from idnf.logic.dnf import DNF
    >>> holds(DNF.parse("a & ~b").double(), np.array([[1, 0], [1, 1]], dtype=bool)).tolist()
    [True, False]
    """
    return PackedFeatures(features).holds(model)


def labels_of(model: Model, features: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the number of the class of each example, a row of Boolean features.

    >>> from idnf.logic.class_dnfs import ClassDNFs
    >>> three = ClassDNFs.from_truth_table("ab", [0, 1, 2, 1])
    >>> labels_of(three, np.array([[1, 0], [0, 0], [0, 1]], dtype=bool)).tolist()
    [1, 0, 2]
    """
    return PackedFeatures(features).labels(model)


class PackedFeatures:
    """Examples of which many models are asked: each column in use is packed once.

    Parameters
    ----------
    features : ndarray of shape (n_examples, n_features), dtype=bool

    Examples
    --------
    >>> from idnf.logic.dnf import DNF
    >>> asked = PackedFeatures(np.array([[1, 0], [1, 1]], dtype=bool))
    >>> [asked.holds(DNF.parse(text, names="ab").double()).tolist() for text in ("a & b", "~b")]
    [[False, True], [True, False]]
    """

    def __init__(self, features: NDArray[np.bool_]) -> None:
        self.count = len(features)
        self._blocks = [_Literals(features[start : start + _BLOCK]) for start in range(0, self.count, _BLOCK)]

    def holds(self, model: Model, label: int = 1) -> NDArray[np.bool_]:
        """Return whether each example is of one class."""
        if len(self._blocks) == 1:
            return self._blocks[0].unpacked(model.members(self._blocks[0], label))
        values = np.empty(self.count, dtype=bool)
        for number, block in enumerate(self._blocks):
            values[number * _BLOCK : (number + 1) * _BLOCK] = block.unpacked(model.members(block, label))
        return values

    def labels(self, model: Model) -> NDArray[np.intp]:
        """Return the number of the class of each example."""
        given = np.zeros(self.count, dtype=np.intp)
        for label in range(1, model.n_classes):
            given[self.holds(model, label)] = label
        return given


class _Literals:
    """The columns of a block of examples as literals: integers with a bit for each example, each made once."""

    def __init__(self, block: NDArray[np.bool_]) -> None:
        self.block = block
        self.everything = (1 << len(block)) - 1
        self.known: dict[int, int] = {}

    def __getitem__(self, code: int) -> int:
        found = self.known.get(code)
        if found is None:
            column = np.ascontiguousarray(self.block[:, feature_of(code)])
            packed = np.packbits(column, bitorder="little")
            found = int.from_bytes(packed.tobytes(), "little")
            found = self.known[code] = found ^ self.everything if is_negated(code) else found
        return found

    def any_of(self, masks: Iterable[int]) -> int:
        """Return where some term holds."""
        some = 0
        for mask in masks:
            every = self.everything
            for code in codes_of(mask):
                every &= self[code]
            some |= every
        return some

    def unpacked(self, examples: int) -> NDArray[np.bool_]:
        """Return a set of examples as an array."""
        count = len(self.block)
        line = np.frombuffer(examples.to_bytes((count + 7) // 8, "little"), dtype=np.uint8)
        return np.unpackbits(line, count=count, bitorder="little").view(np.bool_)


def term_count(model: Model) -> int:
    """Return the number of terms of all classes as the model writes them; of each class, counted up to 2048.

    >>> from idnf.logic.dnf import DNF
    >>> term_count(DNF.parse("a & b | c & d").double())
    6
    """
    return sum(sum(1 for _ in islice(model.terms(label), _MOST_TERMS)) for label in range(model.n_classes))


# Parts of one example's weight.
_LEAST_PRICE = 0.05
_NOISE_PRICE = 1.2
# A larger share of errors counts as this one; at one half the price would be infinite.
_MOST_NOISE = 0.45


@dataclass(frozen=True)
class Objective:
    """The examples as they are weighed, and the price of a literal as a share of all their weight."""

    rows: DistinctRows
    price: float

    def __call__(self, model: Model) -> float:
        """Return what a model costs."""
        return self.errors(model) / self.rows.total + self.price * model.literal_count

    def errors(self, model: Model) -> float:
        """Return the weight of the examples that are given another class than theirs."""
        wrong, gains = self._against_class_0
        for label, gain in enumerate(gains, start=1):
            wrong -= float(gain[self._asked.holds(model, label)].sum())
        return wrong

    @cached_property
    def _asked(self) -> PackedFeatures:
        return PackedFeatures(self.rows.features)

    @cached_property
    def _against_class_0(self) -> tuple[float, list[Weights]]:
        """What always giving class 0 gets wrong, and what giving each other class in its place gets right more."""
        zero, *others = np.ascontiguousarray(self.rows.weights.T)
        return float(self.rows.totals[1:].sum()), [other - zero for other in others]


def plain_objective(rows: DistinctRows) -> Objective:
    """Return the objective for data in which no error is unavoidable."""
    return Objective(rows, noise_price(rows, 0.0))


def error_share(rows: DistinctRows, model: Model) -> float:
    """Return the weighted share of training errors of a model."""
    return Objective(rows, 0.0)(model)


def noise_price(rows: DistinctRows, errors: float) -> float:
    """Return the price of a literal, as a share of all weight, if this share of errors is unavoidable.

    >>> import numpy as np
    >>> rows = DistinctRows.of_two(np.eye(4, dtype=bool), np.ones(4), np.zeros(4), True)
    >>> noise_price(rows, 0.0), round(noise_price(rows, 0.2), 3)
    (0.0125, 0.092)
    """
    return noise_examples(errors) * rows.example / rows.total


def noise_examples(errors: float) -> float:
    """Return how many examples a literal must win if this share of errors is unavoidable.

    >>> noise_examples(0.0), round(noise_examples(0.2), 2)
    (0.05, 0.37)
    """
    noise = min(errors, _MOST_NOISE)
    return _LEAST_PRICE + _NOISE_PRICE * noise * (1 - noise) / (1 - 2 * noise)


Accepts = Callable[[Model], bool]
IsOver = Callable[[], bool]

# Models that are cut down, the best first; of each, rows looked at to choose terms, and terms refused in a row at most.
_MOST_CUT = 3
_MOST_ROWS = 4096
_MOST_REFUSED = 20


def best_model(
    models: Sequence[Model], objective: Objective, accepts: Accepts | None = None, is_over: IsOver = lambda: False
) -> Model:
    """Return the model of the least objective; of equals the one of the fewest reasons, then of the fewest literals.

    Parameters
    ----------
    models : sequence of Model
        At least one; where `accepts` is given, constants are accepted.
    objective : Objective
        What a model costs.
    accepts : callable, optional
        Tells whether a model may be returned. Of the best models that may not, some terms are taken that may.
    is_over : callable
        Tells that there is no time to ask whether a model is accepted; constants are.

    Examples
    --------
    >>> import numpy as np
    >>> from idnf.counting.contract import DistinctRows
    >>> features = np.array([[0, 0], [0, 1], [1, 0]], dtype=bool)
    >>> rows = DistinctRows(features, np.array([[1.0, 0], [1, 1], [1, 3]]), True)
    >>> either = DNF.parse("a | b").double()
    >>> print(best_model([either], Objective(rows, 0.0), lambda model: model.positive.size < 2).positive)
    a
    """
    found = sorted(((objective(model), place, model) for place, model in enumerate(models)), key=lambda one: one[:2])
    if accepts is not None:
        cut = [cut_down(model, objective, accepts, is_over) for _, _, model in found[:_MOST_CUT]]
        found = [one for one in found if not one[2].features() or not is_over() and accepts(one[2])]
        found += [(objective(model), len(models), model) for model in cut]
    least = min(value for value, _, _ in found)
    tied = [model for value, _, model in found if value <= least + TOLERANCE]
    return min(tied, key=lambda model: (term_count(model), model.literal_count))


def cut_down(model: Model, objective: Objective, accepts: Accepts, is_over: IsOver = lambda: False) -> Model:
    """Return a model that is accepted: this one, or some of its terms, those that win most first, as time allows.

    The terms are those of the class that the model is written for; without any, the other class is always given.
    """
    constants: list[Model] = [NestedDNF.constant(model.names, value, model.k) for value in (False, True)]
    best = min(constants, key=objective)
    if is_over():
        return best
    if accepts(model):
        return model
    own, label = model.own_terms()
    terms = sorted(own, key=int.bit_count)[:_MOST_TERMS]
    rows = objective.rows.sampled(_MOST_ROWS, 0) if len(objective.rows.features) > _MOST_ROWS else objective.rows
    net = (rows.positive - rows.negative) * (1 if label else -1)
    holding = np.array([_holding(term, rows) for term in terms], dtype=np.float64).reshape(len(terms), -1)
    fees = objective.price * rows.total * np.array([term.bit_count() for term in terms])
    chosen, refused = list[int](), 0
    while len(terms) and refused < _MOST_REFUSED and not is_over():
        gains = holding @ net - fees
        place = int(gains.argmax())
        if gains[place] <= 0:
            break
        fees[place] = np.inf
        written = _written(model, [*chosen, terms[place]], label)
        if written is None or not accepts(written):
            refused += 1
            continue
        chosen, refused = [*chosen, terms[place]], 0
        net = np.where(holding[place], 0.0, net)
        best = min(best, written, key=objective)
    return best


def _holding(term: int, rows: DistinctRows) -> NDArray[np.bool_]:
    """Return whether a term holds, by row."""
    codes = np.array(list(codes_of(term)), dtype=np.intp)
    holds: NDArray[np.bool_] = (rows.features[:, codes >> 1] != (codes & 1)).all(axis=1)
    return holds


def cut_to_size(learned: Learned, rows: DistinctRows, accepts: Accepts, is_over: IsOver) -> Learned:
    """Return what was learned with its model cut down until it is accepted; nothing is proved of that model."""
    objective = Objective(rows, learned.price)
    model = cut_down(learned.model, objective, accepts, is_over)
    return replace(learned, model=model, objective=objective(model), optimal=None)


def _written(model: Model, terms: Sequence[int], label: int) -> DoubleDNF | None:
    """Return some terms of a class as a model of the same bound, or None if the other class needs longer ones."""
    if model.space is None:
        double = DNF.from_masks(model.names, terms).double()
        sides = (double.positive, double.negative) if label else (double.negative, double.positive)
        return DoubleDNF(*sides, model.k) if double.k <= model.k else None
    own = model.space.boxes(DNF.from_masks(model.names, terms))
    rest = maximal_runs_avoiding(own, model.space)
    written = DoubleDNF.from_boxes(model.names, [rest, own] if label else [own, rest], model.space)
    return written.within(model.k) if written.k <= model.k else None


# Examples that a branch must have for a search to be worth its time.
_LEAST_ROWS = 4

_Grown = Callable[[DistinctRows, int], Node]


def with_better_branches(
    model: Model, objective: Objective, others: Callable[[NestedTree, Objective], Iterable[Model]]
) -> NestedTree:
    """Return a model as a tree in which no branch is worse than others that were found for its examples.

    Parameters
    ----------
    model : Model
        Of any number of labels.
    objective : Objective
        The examples, and the price of a literal.
    others : callable
        Finds models in place of a branch, for the examples that reach it; they keep to its bound.
    """

    def better(node: Node, rows: DistinctRows, bound: int) -> Node:
        if bound < 2 or len(rows.features) < _LEAST_ROWS or len(set(rows.weights.argmax(axis=1).tolist())) == 1:
            return node
        branch = NestedTree(model.names, node, bound, model.n_classes)
        cost = Objective(rows, objective.price * objective.rows.total / rows.total)
        best = min(others(branch, cost), key=cost, default=branch)
        return best.node() if cost(best) < cost(branch) - TOLERANCE else node

    def leaf(part: AnyLeaf) -> _Grown:
        return lambda rows, bound: better(part, rows, bound)

    def split(feature: int, if_false: _Grown, if_true: _Grown) -> _Grown:
        def grown(rows: DistinctRows, bound: int) -> Node:
            right = rows.features[:, feature]
            low, high = if_false(rows.part(~right), bound - 1), if_true(rows.part(right), bound - 1)
            return better(join_nodes(feature, low, high), rows, bound)

        return grown

    node = fold(model.node(), leaf, split)(objective.rows, model.k)
    return NestedTree(model.names, node, model.k, model.n_classes)
