"""Nested trees: decision trees whose leaf at depth d carries a nested (k-d)-DNF or the complement of one.

Depth-k decision trees are those with constant leaves; a nested k-DNF and its complement are those of depth 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Generic, Protocol, TypeVar

from idnf.logic.dnf import DNF
from idnf.logic.double import DoubleDNF
from idnf.logic.literals import is_consistent, literal, point_mask
from idnf.logic.nested import NestedDNF
from idnf.logic.primes import restrict
from idnf.logic.transversals import minimal_sets
from idnf.logic.truthtables import cofactors, full_table


@dataclass(frozen=True)
class Leaf:
    """A leaf: the value of a nested DNF, or the opposite."""

    nested: NestedDNF
    complemented: bool = False

    def side(self, value: bool) -> DNF:
        """Return the DNF of the points with this value."""
        return self.nested.side(value != self.complemented)

    def masks(self, label: int) -> Iterable[int]:
        """Return the terms of one class."""
        return self.side(bool(label)).masks


class AnyLeaf(Protocol):
    """What a tree asks of its leaves."""

    def masks(self, label: int, /) -> Iterable[int]:
        """Return the terms of one class."""


L = TypeVar("L", bound=AnyLeaf)


@dataclass(frozen=True)
class Split(Generic[L]):
    """An inner node: go to ``if_true`` where the feature is 1."""

    feature: int
    if_false: L | Split[L]
    if_true: L | Split[L]


Node = Leaf | Split[Leaf]


class FittedTree(Protocol):
    """The arrays of a fitted scikit-learn tree (its ``tree_`` attribute) that are read here."""

    feature: Sequence[int]
    threshold: Sequence[float]
    children_left: Sequence[int]
    children_right: Sequence[int]
    value: Sequence[Sequence[Sequence[float]]]


@dataclass(frozen=True)
class SplitTree(Generic[L]):
    """A tree whose inner nodes ask for features, whatever its leaves are."""

    names: tuple[str, ...]
    root: L | Split[L]
    k: int

    def leaves(self) -> Iterator[tuple[int, L]]:
        """Yield each reachable leaf with the mask of the literals on its path."""

        def walk(node: L | Split[L], path: int) -> Iterator[tuple[int, L]]:
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

    def side(self, label: int) -> DNF:
        """Return the DNF of the points of one class: path literals with the terms of the leaf."""
        return DNF.from_masks(self.names, self.masks(label))

    def masks(self, label: int) -> list[int]:
        """Return the terms of one class as masks, absorbed ones dropped."""
        masks = (path | mask for path, leaf in self.leaves() for mask in restrict(leaf.masks(label), path))
        return minimal_sets(mask for mask in masks if is_consistent(mask))

    def leaf_at(self, point: Mapping[str, int]) -> L:
        """Return the leaf that one point comes to."""
        true = point_mask(self.names, point)
        node = self.root
        while isinstance(node, Split):
            node = node.if_true if true >> literal(node.feature) & 1 else node.if_false
        return node


def read_sklearn(tree: FittedTree, k: int, leaf: Callable[[Sequence[float], int], L]) -> L | Split[L]:
    """Return the root of a fitted scikit-learn tree over 0/1 features; a split between equal leaves is left out.

    A leaf is made from the weights of its classes and its depth.
    """

    def node(i: int, depth: int) -> L | Split[L]:
        if depth > k:
            raise ValueError(f"tree must have depth at most k = {k}; got a deeper one.")
        if tree.children_left[i] < 0:
            return leaf(tree.value[i][0], depth)
        if not 0 <= tree.threshold[i] < 1:
            raise ValueError(f"tree must split 0/1 features; got the threshold {tree.threshold[i]}.")
        low, high = node(tree.children_left[i], depth + 1), node(tree.children_right[i], depth + 1)
        return joined(int(tree.feature[i]), low, high)

    return node(0, 0)


def joined(feature: int, if_false: L | Split[L], if_true: L | Split[L]) -> L | Split[L]:
    """Return a split, or one of its branches where both are the same leaf.

    >>> leaf = Leaf(NestedDNF.constant(("a",), True, 1))
    >>> joined(0, leaf, leaf) == leaf
    True
    """
    same = not isinstance(if_false, Split) and if_false == if_true
    return if_false if same else Split(feature, if_false, if_true)


@dataclass(frozen=True)
class NestedTree(SplitTree[Leaf]):
    """A nested tree of order k; it is k-AXp-interpretable, and so is its complement.

    Parameters
    ----------
    names : tuple of str
        The features.
    root : Leaf or Split
        The tree.
    k : int
        The bound: a leaf at depth d carries a nested (k-d)-DNF.

    Examples
    --------
    >>> names = ("a", "b", "c")
    >>> b_or_c = NestedDNF(names, ((2,), (4,)), ((1, 0), (0, 1)), 2)
    >>> tree = NestedTree(names, Split(0, Leaf(NestedDNF.constant(names, False, 2)), Leaf(b_or_c)), 3)
    >>> print(tree.side(True), "/", tree.side(False))
    a & b | a & c / ~a | a & ~b & ~c
    """

    def __post_init__(self) -> None:
        for path, leaf in self.leaves():
            depth = path.bit_count()
            if leaf.nested.least_k > self.k - depth:
                rule = f"a leaf at depth {depth} must carry a nested {self.k - depth}-DNF"
                raise ValueError(f"{rule}; got a nested {leaf.nested.least_k}-DNF.")
            if leaf.nested.names != self.names:
                raise ValueError(f"leaves must have the names {self.names} of the tree; got {leaf.nested.names}.")

    @classmethod
    def from_nested(cls, nested: NestedDNF, *, complemented: bool = False) -> NestedTree:
        """Return a nested DNF, or its complement, as a tree of depth 0."""
        return cls(nested.names, Leaf(nested, complemented), nested.k)

    @classmethod
    def from_sklearn(cls, tree: FittedTree, names: Sequence[str], k: int) -> NestedTree:
        """Return a fitted scikit-learn tree over two classes and 0/1 features; ``tree`` is the estimator's ``tree_``.

        A leaf where both classes weigh the same says class 0, as scikit-learn does.
        """

        def leaf(weights: Sequence[float], depth: int) -> Leaf:
            zero, one = weights
            return Leaf(NestedDNF.constant(names, bool(one > zero), k - depth))

        return cls(tuple(names), read_sklearn(tree, k, leaf), k)

    @property
    def is_plain(self) -> bool:
        """Whether every leaf is constant, so that this is an ordinary decision tree."""
        return all(leaf.nested.to_dnf().width == 0 for _, leaf in self.leaves())

    def evaluate(self, point: Mapping[str, int]) -> bool:
        """Return the value at one point."""
        leaf = self.leaf_at(point)
        return leaf.nested.evaluate(point) != leaf.complemented

    def double(self) -> DoubleDNF:
        """Return the double DNF; its sides are made when first asked for."""
        return DoubleDNF.lazy(self, self.k)


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
