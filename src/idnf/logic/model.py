"""The protocol of models: functions into labels whose every decision has a reason of at most k columns.

There are two kinds. :class:`idnf.logic.class_dnfs.ClassDNFs` writes down the terms of each label; a double DNF is the
case of two labels. :class:`idnf.logic.trees.NestedTree` is a tree whose leaves are nested DNFs between two labels, or
terms; a nested DNF is the case of a single leaf. No other package tests which kind a model is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar, Protocol, Self

if TYPE_CHECKING:
    from idnf.logic.boxes import Space
    from idnf.logic.dnf import DNF
    from idnf.logic.nested import NestedDNF
    from idnf.logic.trees import Leaf, NestedTree, Node


class LiteralSets(Protocol):
    """Examples packed by literal: sets of examples are integers with a bit for each."""

    everything: int

    def __getitem__(self, code: int, /) -> int:
        """Return the examples that satisfy a literal."""

    def any_of(self, masks: Iterable[int], /) -> int:
        """Return the examples that satisfy some term."""


Tally = tuple[tuple[int, ...], tuple[int, ...], int]


class Model(Protocol):
    """A function into the labels 0 to n_classes - 1."""

    kind: ClassVar[str]
    """Its name in model files."""

    @property
    def names(self) -> tuple[str, ...]:
        """The features."""

    @property
    def k(self) -> int:
        """The bound on the columns of every reason."""

    @property
    def space(self) -> Space | None:
        """The columns; None if every feature is a column of its own, so that k counts literals."""

    @property
    def n_classes(self) -> int:
        """The number of labels."""

    @property
    def literal_count(self) -> int:
        """The number of literals written in the model."""

    def side(self, label: int, /) -> DNF:
        """Return the DNF of one label."""

    def terms(self, label: int, /) -> Iterator[int]:
        """Yield the terms of one label one by one; a large side is generated only as far as it is read."""

    def own_terms(self) -> tuple[list[int], int]:
        """Return the terms of the one of two labels that the model is written for, and that label."""

    def literals(self) -> set[int]:
        """Return the literals whose truth decides the label; other labels may be written with their negations."""

    def features(self) -> set[int]:
        """Return the features in the written model."""

    def renumber(self, names: tuple[str, ...], place: Mapping[int, int], /) -> Self:
        """Return the model with feature ``f`` renumbered ``place[f]``, over other names; the bound stays."""

    def node(self) -> Node:
        """Return the model as a node of a tree."""

    def leaf(self) -> Leaf | None:
        """Return the model as a single leaf between two labels, or None if it is more than that."""

    @property
    def nested_form(self) -> NestedDNF | NestedTree | None:
        """The model as a nested DNF or a nested tree, None if it is written as terms."""

    @property
    def tally(self) -> Tally | None:
        """The literals of a checklist, the points of each and the threshold; None for any other model."""

    def within(self, k: int, /) -> Self:
        """Return the same model with another bound, which it must keep."""

    def members(self, examples: LiteralSets, label: int, /) -> int:
        """Return the examples of one label."""
