"""What learners return and how it is valued: weighted share of errors plus a price for every literal of the model.

A literal must earn more than luck would give it. Where the classes can be told apart, a literal that wins a single
example is worth keeping. Where a share e of errors is unavoidable, the best of many literals gains examples by luck,
the more so the closer e is to one half. Hence a price of a small part of one example plus a multiple of
e(1 - e) / (1 - 2e) examples, and two objectives. The plain one takes every label as it is and the least price. The
cautious one believes a label in part, other models that were not shown the example for the rest
(:mod:`idnf.learning.belief`), and takes the price for as much noise as they show. Which of the two suits the data is
decided by cross-validation (:mod:`idnf.learning.path`); a search that is not tuned minimises the cautious one. The
constants were chosen on data that is not the paper's; experiments/prices.py shows what they do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, Weights
from idnf.logic.literals import codes_of, feature_of, is_negated
from idnf.logic.model import Model

if TYPE_CHECKING:
    from idnf.learning.path import LearningPath


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
        What cross-validation said of the settings it chose among.
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
    return Asked(features).holds(model)


def labels_of(model: Model, features: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the number of the class of each example, a row of Boolean features.

    >>> from idnf.logic.class_dnfs import ClassDNFs
    >>> three = ClassDNFs.from_truth_table("ab", [0, 1, 2, 1])
    >>> labels_of(three, np.array([[1, 0], [0, 0], [0, 1]], dtype=bool)).tolist()
    [1, 0, 2]
    """
    return Asked(features).labels(model)


class Asked:
    """Examples of which many models are asked: each column in use is packed once.

    Parameters
    ----------
    features : ndarray of shape (n_examples, n_features), dtype=bool

    Examples
    --------
    >>> from idnf.logic.dnf import DNF
    >>> asked = Asked(np.array([[1, 0], [1, 1]], dtype=bool))
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

    def credited(self, credit: Sequence[Sequence[float]] | None) -> Objective:
        """Return what models cost where mistakes differ, but for what even the right labels would."""
        rows = self.rows.credited(credit)
        return Objective(rows, self.price * self.rows.total / rows.total) if credit else self

    @cached_property
    def _asked(self) -> Asked:
        return Asked(self.rows.features)

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
    """Return the price of a literal, as a share of all weight, where this share of errors is unavoidable.

    >>> import numpy as np
    >>> rows = DistinctRows.of_two(np.eye(4, dtype=bool), np.ones(4), np.zeros(4), True)
    >>> noise_price(rows, 0.0), round(noise_price(rows, 0.2), 3)
    (0.0125, 0.092)
    """
    return noise_examples(errors) * rows.example / rows.total


def noise_examples(errors: float) -> float:
    """Return how many examples a literal must win where this share of errors is unavoidable.

    >>> noise_examples(0.0), round(noise_examples(0.2), 2)
    (0.05, 0.37)
    """
    noise = min(errors, _MOST_NOISE)
    return _LEAST_PRICE + _NOISE_PRICE * noise * (1 - noise) / (1 - 2 * noise)
