"""Nested trees: decision trees whose leaf at depth d separates labels with reasons of at most k-d literals.

A leaf separates two labels by a nested (k-d)-DNF, which may be constant, or any number of them by terms of width k-d.
Depth-k decision trees are those with constant leaves; a nested k-DNF and its complement are those of depth 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import prod
from typing import ClassVar, Protocol, TypeVar

from idnf.logic.boxes import Space
from idnf.logic.class_dnfs import ClassDNFs, DoubleDNF
from idnf.logic.dnf import DNF
from idnf.logic.errors import InvalidArgument
from idnf.logic.literals import (
    codes_of,
    cofactors,
    feature_of,
    full_table,
    is_consistent,
    literal,
    point_mask,
)
from idnf.logic.model import LiteralSets, Model
from idnf.logic.nested import NestedDNF
from idnf.logic.primes import restrict
from idnf.logic.transversals import minimal_sets


@dataclass(frozen=True)
class Leaf:
    """A leaf between two labels: ``label`` if the nested DNF holds, else ``otherwise``."""

    nested: NestedDNF
    label: int = 1
    otherwise: int = 0

    @classmethod
    def constant(cls, names: Sequence[str], label: int, k: int = 0) -> Leaf:
        """Return the leaf that predicts one label."""
        if label > 1:
            return cls(NestedDNF.constant(names, True, k), label, label)
        return cls(NestedDNF.constant(names, bool(label), k))

    @classmethod
    def of(cls, nested: NestedDNF, *, complemented: bool) -> Leaf:
        """Return the leaf that predicts label 1 where a nested DNF holds, or label 0 there if it is complemented."""
        return cls(nested, 0, 1) if complemented else cls(nested)

    @property
    def only_label(self) -> int | None:
        """The label of every point if the leaf is constant, else None."""
        if self.label == self.otherwise:
            return self.label
        masks = self.nested.masks()
        return None if any(masks) else self.label if masks else self.otherwise

    @property
    def names(self) -> tuple[str, ...]:
        """The features."""
        return self.nested.names

    @property
    def labels(self) -> set[int]:
        """The labels that the leaf predicts."""
        return {self.label, self.otherwise}

    @property
    def k(self) -> int:
        """The least bound that the leaf keeps."""
        return self.nested.least_k

    @property
    def literal_count(self) -> int:
        """The number of literals written in the leaf."""
        return 0 if self.label == self.otherwise else self.nested.literal_count

    def most_terms(self, label: int) -> int:
        """Return an upper bound on the number of terms of one label, without generating them."""
        nested = self.nested
        holding = len(nested.prefixes) * (label == self.label)
        choices: int = prod(max(lengths) + 1 for lengths in zip(*nested.prefixes))
        return holding + choices * (label == self.otherwise)

    def masks(self, label: int) -> Sequence[int]:
        """Return the terms of one label, absorbed ones dropped; of a constant leaf, the empty term."""
        if self.only_label is not None:
            return [0] * (label == self.only_label)
        return self.nested.side(label == self.label).masks if label in self.labels else ()

    def terms(self, label: int) -> Iterator[int]:
        """Yield the terms of one label one by one."""
        if self.only_label is not None:
            yield from self.masks(label)
        elif label in self.labels:
            yield from self.nested.terms(label == self.label)

    def literals(self) -> set[int]:
        """Return the literals whose truth decides between the labels."""
        return self.nested.literals()

    def features(self) -> set[int]:
        """Return the features in the leaf."""
        return self.nested.features()

    def renumber(self, names: tuple[str, ...], place: Mapping[int, int]) -> Leaf:
        """Return the leaf with feature ``f`` renumbered ``place[f]``."""
        return replace(self, nested=self.nested.renumber(names, place))

    def relabel(self, labels: Sequence[int], n_classes: int) -> Leaf:  # noqa: ARG002 (the signature of every node)
        """Return the leaf with label ``c`` relabelled ``labels[c]``, one of ``n_classes``."""
        return replace(self, label=labels[self.label], otherwise=labels[self.otherwise])

    def members(self, examples: LiteralSets, label: int) -> int:
        """Return the examples of one label among those that reach this node."""
        if label not in self.labels:
            return 0
        if self.label == self.otherwise:
            return examples.everything
        return self.nested.members(examples, label == self.label)

    def evaluate(self, point: Mapping[str, int]) -> int:
        """Return the label at one point."""
        return self.label if self.nested.evaluate(point) else self.otherwise


@dataclass(frozen=True)
class Split:
    """An inner node: go to ``if_true`` if the feature is 1."""

    feature: int
    if_false: Node
    if_true: Node

    @property
    def literal_count(self) -> int:
        """The number of literals written: one here and those of both branches."""
        return 1 + self.if_false.literal_count + self.if_true.literal_count

    def features(self) -> set[int]:
        """Return the features tested here and below."""
        return {self.feature} | self.if_false.features() | self.if_true.features()

    def renumber(self, names: tuple[str, ...], place: Mapping[int, int]) -> Split:
        """Return the node with feature ``f`` renumbered ``place[f]``."""
        below = (child.renumber(names, place) for child in (self.if_false, self.if_true))
        return Split(place[self.feature], *below)

    def relabel(self, labels: Sequence[int], n_classes: int) -> Node:
        """Return the node with label ``c`` relabelled ``labels[c]``, one of ``n_classes``."""
        below = (child.relabel(labels, n_classes) for child in (self.if_false, self.if_true))
        return join_nodes(self.feature, *below)

    def members(self, examples: LiteralSets, label: int) -> int:
        """Return the examples of one label among those that reach this node."""
        low, high = self.if_false.members(examples, label), self.if_true.members(examples, label)
        return low ^ (low ^ high) & examples[literal(self.feature)]


AnyLeaf = Leaf | ClassDNFs
"""A leaf between two labels, or between any number: the DNF of each, together covering every point."""
Node = AnyLeaf | Split
T = TypeVar("T")


class FittedTree(Protocol):
    """The arrays of a fitted scikit-learn tree, its ``tree_`` attribute."""

    feature: Sequence[int]
    threshold: Sequence[float]
    children_left: Sequence[int]
    children_right: Sequence[int]
    value: Sequence[Sequence[Sequence[float]]]


@dataclass(frozen=True)
class NestedTree:
    """A nested tree of order k; it is k-AXp-interpretable, and of two labels so is its complement.

    Parameters
    ----------
    names : tuple of str
        The features.
    root : Leaf, ClassDNFs or Split
        The tree.
    k : int
        The bound: a leaf whose path tests d columns has reasons of at most k-d literals.
    n_classes : int
        The number of labels; leaves predict 0 to n_classes - 1.
    space : Space, optional
        The columns, with a literal for each name; a path may test a column again at no cost. By default every
        feature is a column of its own, and d is the depth.

    Examples
    --------
    >>> names = ("a", "b", "c")
    >>> b_or_c = NestedDNF(names, ((2,), (4,)), ((1, 0), (0, 1)), 2)
    >>> tree = NestedTree(names, Split(0, Leaf.constant(names, 0), Leaf(b_or_c)), 3)
    >>> print(tree.side(1), "/", tree.side(0))
    a & b | a & c / ~a | a & ~b & ~c
    >>> tree = NestedTree(names, Split(0, Leaf.constant(names, 2), Leaf(b_or_c, 1, 0)), 3, 3)
    >>> print(*map(tree.side, range(3)), sep=" / ")
    a & ~b & ~c / a & b | a & c / ~a
    """

    kind: ClassVar[str] = "tree"
    tally: ClassVar[None] = None

    names: tuple[str, ...]
    root: Node
    k: int
    n_classes: int = 2
    space: Space | None = None

    def __post_init__(self) -> None:
        known = set(range(self.n_classes))
        for path, leaf in self.leaves():
            columns = self._path_columns(path)
            if leaf.k > self.k - columns:
                place = f"at depth {columns}" if self.space is None else f"below {columns} column{'s' * (columns != 1)}"
                raise InvalidArgument(f"a leaf {place}", f"have reasons of at most {self.k - columns} literals", leaf.k)
            if not (leaf.labels <= known if isinstance(leaf, Leaf) else leaf.labels == known):
                labels = " and ".join(map(str, sorted(leaf.labels)))
                raise InvalidArgument("leaves", f"give labels 0 to {self.n_classes - 1}", labels)
            if leaf.names != self.names:
                raise InvalidArgument("leaves", f"have the names {self.names} of the tree", leaf.names)

    def _path_columns(self, path: int) -> int:
        if self.space is None:
            return path.bit_count()
        return len({self.space.literals[feature_of(code)][0] for code in codes_of(path)})

    @classmethod
    def of(cls, model: Model) -> NestedTree:
        """Return any model as a tree; one that is not a tree becomes a single leaf."""
        return cls(model.names, model.node(), model.k, model.n_classes, model.space)

    @classmethod
    def from_nested(cls, nested: NestedDNF, *, complemented: bool = False) -> NestedTree:
        """Return a nested DNF, or its complement, as a tree of depth 0."""
        return cls(nested.names, Leaf.of(nested, complemented=complemented), nested.k)

    @classmethod
    def from_sklearn(
        cls, tree: FittedTree, names: Sequence[str], k: int, *, labels: Sequence[int] = (0, 1), n_classes: int = 2
    ) -> NestedTree:
        """Return a fitted scikit-learn tree over 0/1 features; ``tree`` is the estimator's ``tree_``.

        If several labels have the largest weight in a leaf, it predicts the first, as scikit-learn does. A split
        between equal leaves is left out.

        Parameters
        ----------
        tree : FittedTree
        names : sequence of str
            The features.
        k : int
            The bound.
        labels : sequence of int
            The classes of the estimator, by their numbers here.
        n_classes : int
            The number of labels.
        """

        def node(i: int, depth: int) -> Node:
            if depth > k:
                raise InvalidArgument("tree", f"have depth at most k = {k}", "a deeper one")
            if tree.children_left[i] < 0:
                weights = list(tree.value[i][0])
                return Leaf.constant(names, labels[weights.index(max(weights))], k - depth)
            if not 0 <= tree.threshold[i] < 1:
                raise InvalidArgument("tree", "split 0/1 features", f"the threshold {tree.threshold[i]}")
            low, high = node(tree.children_left[i], depth + 1), node(tree.children_right[i], depth + 1)
            return join_nodes(int(tree.feature[i]), low, high)

        return cls(tuple(names), node(0, 0), k, n_classes)

    def leaves(self) -> Iterator[tuple[int, AnyLeaf]]:
        """Yield each reachable leaf with the mask of the literals on its path."""

        def walk(node: Node, path: int) -> Iterator[tuple[int, AnyLeaf]]:
            if not isinstance(node, Split):
                yield path, node
                return
            for negated, child in ((True, node.if_false), (False, node.if_true)):
                longer = path | 1 << literal(node.feature, negated=negated)
                if is_consistent(longer):
                    yield from walk(child, longer)

        yield from walk(self.root, 0)

    @property
    def depth(self) -> int:
        """The length of the longest path."""
        return max(path.bit_count() for path, _ in self.leaves())

    @property
    def is_plain(self) -> bool:
        """Whether every leaf is constant, so that this is an ordinary decision tree."""
        return all(leaf.only_label is not None for _, leaf in self.leaves())

    @property
    def keeps_to_literals(self) -> bool:
        """Whether each leaf is between two labels, with at most k literals on its path and in a reason together."""
        return all(isinstance(leaf, Leaf) and path.bit_count() + leaf.k <= self.k for path, leaf in self.leaves())

    @property
    def literal_count(self) -> int:
        """The number of literals written in the tree: one per split and those of its leaves."""
        return self.root.literal_count

    def side(self, label: int) -> DNF:
        """Return the DNF of one label: path literals with the terms of the leaf."""
        return DNF.from_masks(self.names, self.masks(label))

    def masks(self, label: int) -> list[int]:
        """Return the terms of one label as masks, absorbed ones dropped."""
        masks = (path | mask for path, leaf in self.leaves() for mask in restrict(leaf.masks(label), path))
        return minimal_sets(mask for mask in masks if is_consistent(mask))

    def terms(self, label: int) -> Iterator[int]:
        """Yield the terms of one label one by one."""
        for path, leaf in self.leaves():
            yield from filter(is_consistent, (path | mask for mask in leaf.terms(label)))

    def own_terms(self) -> tuple[list[int], int]:
        """Return the terms of label 1, or those of label 0 if the tree is the complement of a nested DNF."""
        root = self.root
        if isinstance(root, Leaf) and (root.label, root.otherwise) == (0, 1):
            return root.nested.masks(), 0
        return self.masks(1), 1

    def literals(self) -> set[int]:
        """Return the literals on the paths and in the leaves."""
        return {code for path, leaf in self.leaves() for code in {*codes_of(path), *leaf.literals()}}

    def features(self) -> set[int]:
        """Return the features in the tree."""
        return self.root.features()

    def renumber(self, names: tuple[str, ...], place: Mapping[int, int]) -> NestedTree:
        """Return the tree with feature ``f`` renumbered ``place[f]``."""
        return replace(self, names=names, root=self.root.renumber(names, place), space=None)

    def node(self) -> Node:
        """Return the root."""
        return self.root

    def leaf(self) -> Leaf | None:
        """Return the root if it is a leaf between two labels, else None."""
        return self.root if isinstance(self.root, Leaf) else None

    @property
    def nested_form(self) -> NestedTree | None:
        """The tree itself, or None if it consists of terms alone."""
        return None if isinstance(self.root, ClassDNFs) else self

    def within(self, k: int) -> NestedTree:
        """Return the same tree with another bound."""
        return replace(self, k=k)

    def members(self, examples: LiteralSets, label: int) -> int:
        """Return the examples of one label."""
        return self.root.members(examples, label)

    def evaluate(self, point: Mapping[str, int]) -> int:
        """Return the label at one point."""
        true = point_mask(self.names, point)
        node = self.root
        while isinstance(node, Split):
            node = node.if_true if true >> literal(node.feature) & 1 else node.if_false
        return node.evaluate(point)

    def as_nested(self) -> NestedDNF | None:
        """Return the nested DNF of label 1 if the tree is one, else None."""
        root = self.root
        return root.nested if isinstance(root, Leaf) and (root.label, root.otherwise) == (1, 0) else None

    def double(self) -> DoubleDNF:
        """Return the double DNF of a tree of two labels; its sides are generated on first use."""
        return DoubleDNF.of(self)

    def class_dnfs(self) -> ClassDNFs:
        """Return the DNF of each label, generated on first use."""
        return ClassDNFs.of(self)


def fold(node: Node, leaf: Callable[[AnyLeaf], T], split: Callable[[int, T, T], T]) -> T:
    """Return the value of a node, bottom up: that of a leaf, and that of a split from the values of its branches.

    >>> tree = Split(0, Leaf.constant(("a",), 0), Leaf.constant(("a",), 1))
    >>> fold(tree, lambda leaf: str(leaf.only_label), lambda feature, low, high: f"x{feature} ? {high} : {low}")
    'x0 ? 1 : 0'
    """
    if not isinstance(node, Split):
        return leaf(node)
    return split(node.feature, fold(node.if_false, leaf, split), fold(node.if_true, leaf, split))


def join_nodes(feature: int, if_false: Node, if_true: Node) -> Node:
    """Join two nodes by a split, or return one of them if both are the same leaf or predict the same label.

    >>> join_nodes(0, Leaf.constant(("a",), 1, 2), Leaf.constant(("a",), 1, 1)).only_label
    1
    """
    if isinstance(if_false, Split) or isinstance(if_true, Split):
        return Split(feature, if_false, if_true)
    constant = if_false.only_label is not None and if_false.only_label == if_true.only_label
    return if_false if constant or if_false == if_true else Split(feature, if_false, if_true)


def least_depth(table: int, n: int) -> int:
    """Return the least depth of a decision tree for a truth table over ``n`` features, in about n * 3**n steps.

    >>> least_depth(0b1110_1000, 3)  # majority of three
    3
    """
    constants = (0, full_table(n))

    @cache
    def depth(function: int) -> int:
        if function in constants:
            return 0
        splits = (cofactors(function, feature, n) for feature in range(n))
        return 1 + min(max(depth(low), depth(high)) for low, high in splits if low != high)

    return depth(table)


def over(model: Model, space: Space) -> Model:
    """Return terms or a tree as a model over a space; its k counts columns of the space.

    >>> from idnf.logic.boxes import Column
    >>> ages = Space((Column("age", ("at most 30", "31 to 45", "over 45"), ordered=True),), ((0, 0b001), (0, 0b011)))
    >>> over(DNF.parse("~a & b").double(), ages).verify().widths
    (1, 1)
    """
    if isinstance(model, NestedTree):
        return replace(model, space=space)
    return type(model).of(model, space) if isinstance(model, ClassDNFs) else model
