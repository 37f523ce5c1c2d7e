"""The training objective for several classes: weighted share of errors plus a price for every literal written.

The same as :mod:`idnf.learning.objective` for two: a literal of a tree is a split or stands in a leaf, one of DNFs by
class in any class but the longest, which is read as "otherwise".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from idnf.counting.labelled_rows import LabelledRows
from idnf.learning.evaluation import holds
from idnf.learning.objective import literal_count
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.class_trees import ClassLeaf, ClassNode, ClassTree, DNFLeaf
from idnf.logic.learned_models import Model
from idnf.logic.literals import codes_of, feature_of, is_negated

if TYPE_CHECKING:
    from idnf.learning.path import LearningPath

ClassModel = ClassTree | ClassDNFs


@dataclass(frozen=True)
class LearnedClasses:
    """A learned model of several classes and what is known about it.

    Parameters
    ----------
    model : ClassTree or ClassDNFs
    objective : float
        Weighted share of training errors, plus whatever the learner charges for the size of the model.
    optimal : str or None
        The family in which the objective is proved optimal.
    bound : float or None
        What no model of the family `bound_family` can beat.
    bound_family : str or None
        The family for which the bound is proved; the model need not be one of it.
    price : float
        What the learner charged for a literal, as a share of all weight.
    path : LearningPath or None
        What cross-validation said of each size and objective, where it was asked.
    """

    model: ClassModel
    objective: float
    optimal: str | None = field(default=None, kw_only=True)
    bound: float | None = field(default=None, kw_only=True)
    bound_family: str | None = field(default=None, kw_only=True)
    price: float = field(default=0.0, kw_only=True)
    path: LearningPath | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class ClassObjective:
    """The examples as they are weighed, and the price of a literal as a share of all their weight."""

    rows: LabelledRows
    price: float

    def __call__(self, model: ClassModel) -> float:
        """Return what a model costs."""
        return class_errors(self.rows, model) / self.rows.total + self.price * class_literals(model)


def class_errors(rows: LabelledRows, model: ClassModel) -> float:
    """Return the weight of the examples that are given another class than theirs."""
    given = given_classes(model, rows.features)
    return rows.total - float(rows.weights[np.arange(len(given)), given].sum())


def class_literals(model: ClassModel) -> int:
    """Return the number of literals written in a model.

    >>> from idnf.logic.dnf import DNF
    >>> class_literals(ClassDNFs(tuple(DNF.parse(text, "ab") for text in ("a", "~a & b", "~a & ~b")), 2))
    3
    """
    if isinstance(model, ClassDNFs):
        lengths = [dnf.length for dnf in model.dnfs]
        return sum(lengths) - max(lengths)
    return _node_literals(model.root)


def _node_literals(node: ClassNode) -> int:
    if isinstance(node, DNFLeaf):
        return class_literals(node.dnfs)
    if isinstance(node, ClassLeaf):
        return 0 if node.label == node.otherwise else literal_count(node.nested)
    return 1 + _node_literals(node.if_false) + _node_literals(node.if_true)


def labels_of(model: Model | ClassDNFs, features: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the number of the class of each example, for a model of two or more classes.

    >>> from idnf.logic.dnf import DNF
    >>> labels_of(DNF.parse("a & ~b").double(), np.array([[1, 0], [1, 1]], dtype=bool)).tolist()
    [1, 0]
    """
    if isinstance(model, ClassDNFs):
        return given_classes(model, features)
    return holds(model, features).astype(np.intp)


def given_classes(model: ClassModel, features: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the class of each example, a row of Boolean features.

    >>> from idnf.logic.dnf import DNF
    >>> dnfs = ClassDNFs(tuple(DNF.parse(text, "ab") for text in ("a", "~a & b", "~a & ~b")), 2)
    >>> given_classes(dnfs, np.array([[1, 0], [0, 0], [0, 1]], dtype=bool)).tolist()
    [0, 2, 1]
    """
    columns, everyone = _Columns(features), np.arange(len(features))
    if isinstance(model, ClassTree):
        return _at_node(model.root, columns, everyone, np.empty(len(features), dtype=np.intp))
    return _by_terms(model, columns, everyone)


class _Columns:
    """The features that are asked for, each by itself: a model looks at few of very many."""

    def __init__(self, features: NDArray[np.bool_]) -> None:
        self._features = features
        self._columns: dict[int, NDArray[np.bool_]] = {}

    def at(self, feature: int, members: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Return one feature of some examples."""
        if feature not in self._columns:
            self._columns[feature] = np.ascontiguousarray(self._features[:, feature])
        return self._columns[feature][members]


def _by_terms(model: ClassDNFs, columns: _Columns, members: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return the class whose terms hold; those of the class with most terms need not be looked at."""
    sizes = [dnf.size for dnf in model.dnfs]
    default = sizes.index(max(sizes))
    given = np.full(len(members), default, dtype=np.intp)
    for label, dnf in enumerate(model.dnfs):
        if label != default:
            given[_any_of(dnf.masks, columns, members)] = label
    return given


def _at_node(
    node: ClassNode, columns: _Columns, members: NDArray[np.intp], given: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Write the classes of some examples into `given`."""
    if isinstance(node, DNFLeaf):
        given[members] = _by_terms(node.dnfs, columns, members)
        return given
    if isinstance(node, ClassLeaf):
        held = _any_of(node.nested.masks(), columns, members)
        given[members] = np.where(held, node.label, node.otherwise)
        return given
    right = columns.at(node.feature, members)
    _at_node(node.if_false, columns, members[~right], given)
    return _at_node(node.if_true, columns, members[right], given)


def _any_of(masks: tuple[int, ...] | list[int], columns: _Columns, members: NDArray[np.intp]) -> NDArray[np.bool_]:
    some = np.zeros(len(members), dtype=np.bool_)
    for mask in masks:
        every = np.ones(len(members), dtype=np.bool_)
        for code in codes_of(mask):
            column = columns.at(feature_of(code), members)
            every &= ~column if is_negated(code) else column
        some |= every
    return some
