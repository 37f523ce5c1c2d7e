"""Trees for several classes: a leaf gives one class, tells two apart by a nested DNF, or any number by DNFs.

A leaf at depth d carries a nested (k-d)-DNF or DNFs of width k-d, so every decision has a reason of at most k literals.
A decision tree of depth k has constant leaves only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.dnf import DNF
from idnf.logic.literals import is_consistent, literal, point_mask
from idnf.logic.nested import NestedDNF
from idnf.logic.primes import restrict
from idnf.logic.transversals import minimal_sets
from idnf.logic.trees import FittedTree


@dataclass(frozen=True)
class ClassLeaf:
    """A leaf: class `label` where the nested DNF holds, class `otherwise` elsewhere."""

    nested: NestedDNF
    label: int
    otherwise: int

    @classmethod
    def constant(cls, names: Sequence[str], label: int) -> ClassLeaf:
        """Return the leaf that gives one class."""
        return cls(NestedDNF.constant(names, True, 0), label, label)

    @property
    def is_constant(self) -> bool:
        """Whether the leaf gives one class whatever the point."""
        return self.label == self.otherwise or self.nested.to_dnf().width == 0

    def masks(self, label: int) -> Iterator[int]:
        """Yield the terms of one class."""
        for value, given in ((True, self.label), (False, self.otherwise)):
            if given == label:
                yield from self.nested.side(value).masks


@dataclass(frozen=True)
class DNFLeaf:
    """A leaf: the DNF of each class, together covering every point."""

    dnfs: ClassDNFs

    def masks(self, label: int) -> Iterator[int]:
        """Yield the terms of one class."""
        yield from self.dnfs.side(label).masks


@dataclass(frozen=True)
class ClassSplit:
    """An inner node: go to ``if_true`` where the feature is 1."""

    feature: int
    if_false: ClassNode
    if_true: ClassNode


ClassNode = ClassLeaf | DNFLeaf | ClassSplit


@dataclass(frozen=True)
class ClassTree:
    """A tree of order k over several classes.

    Parameters
    ----------
    names : tuple of str
        The features.
    root : ClassLeaf or ClassSplit
        The tree.
    k : int
        The bound: a leaf at depth d carries a nested (k-d)-DNF.
    n_classes : int
        The number of classes; leaves give 0 to n_classes - 1.

    Examples
    --------
    >>> names = ("a", "b", "c")
    >>> b_or_c = NestedDNF(names, ((2,), (4,)), ((1, 0), (0, 1)), 2)
    >>> tree = ClassTree(names, ClassSplit(0, ClassLeaf.constant(names, 2), ClassLeaf(b_or_c, 1, 0)), 3, 3)
    >>> print(*(tree.side(label) for label in range(3)), sep=" / ")
    a & ~b & ~c / a & b | a & c / ~a
    """

    names: tuple[str, ...]
    root: ClassNode
    k: int
    n_classes: int

    def __post_init__(self) -> None:
        for path, leaf in self.leaves():
            depth = path.bit_count()
            least = leaf.dnfs.k if isinstance(leaf, DNFLeaf) else leaf.nested.least_k
            if least > self.k - depth:
                rule = f"a leaf at depth {depth} must be at most {self.k - depth} wide"
                raise ValueError(f"{rule}; got {least}.")
            if isinstance(leaf, DNFLeaf):
                if leaf.dnfs.n_classes != self.n_classes:
                    raise ValueError(f"leaves must have {self.n_classes} classes; got {leaf.dnfs.n_classes}.")
            elif not {leaf.label, leaf.otherwise} <= set(range(self.n_classes)):
                given = f"{leaf.label} and {leaf.otherwise}"
                raise ValueError(f"leaves must give classes 0 to {self.n_classes - 1}; got {given}.")

    @classmethod
    def from_sklearn(
        cls, tree: FittedTree, names: Sequence[str], labels: Sequence[int], shape: ClassShape
    ) -> ClassTree:
        """Return a fitted scikit-learn tree over 0/1 features; ``tree`` is the estimator's ``tree_``.

        Of classes that weigh the same in a leaf the first is given, as scikit-learn does.

        Parameters
        ----------
        tree : FittedTree
        names : sequence of str
            The features.
        labels : sequence of int
            The classes of the estimator, by their numbers here.
        shape : ClassShape
            The bound and the number of classes.
        """

        def node(i: int) -> ClassNode:
            if tree.children_left[i] < 0:
                weights = list(tree.value[i][0])
                return ClassLeaf.constant(names, labels[weights.index(max(weights))])
            if not 0 <= tree.threshold[i] < 1:
                raise ValueError(f"tree must split 0/1 features; got the threshold {tree.threshold[i]}.")
            return joined(int(tree.feature[i]), node(tree.children_left[i]), node(tree.children_right[i]))

        return cls(tuple(names), node(0), shape.k, shape.n_classes)

    def leaves(self) -> Iterator[tuple[int, ClassLeaf | DNFLeaf]]:
        """Yield each reachable leaf with the mask of the literals on its path."""

        def walk(node: ClassNode, path: int) -> Iterator[tuple[int, ClassLeaf | DNFLeaf]]:
            if not isinstance(node, ClassSplit):
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
        return all(isinstance(leaf, ClassLeaf) and leaf.is_constant for _, leaf in self.leaves())

    def side(self, label: int) -> DNF:
        """Return the DNF of the points of one class: path literals with the terms of the leaf."""
        masks = (path | mask for path, leaf in self.leaves() for mask in restrict(leaf.masks(label), path))
        return DNF.from_masks(self.names, minimal_sets(mask for mask in masks if is_consistent(mask)))

    def evaluate(self, point: Mapping[str, int]) -> int:
        """Return the class at one point."""
        true = point_mask(self.names, point)
        node = self.root
        while isinstance(node, ClassSplit):
            node = node.if_true if true >> literal(node.feature) & 1 else node.if_false
        if isinstance(node, DNFLeaf):
            return node.dnfs.evaluate(point)
        return node.label if node.nested.evaluate(point) else node.otherwise

    def class_dnfs(self) -> ClassDNFs:
        """Return the DNF of each class."""
        return ClassDNFs(tuple(self.side(label) for label in range(self.n_classes)), self.k)


@dataclass(frozen=True)
class ClassShape:
    """The bound on reasons, and the number of classes."""

    k: int
    n_classes: int


def joined(feature: int, if_false: ClassNode, if_true: ClassNode) -> ClassNode:
    """Return a split, or one of its branches where both give the same class.

    >>> leaf = ClassLeaf.constant(("a",), 1)
    >>> joined(0, leaf, leaf) == leaf
    True
    """
    same = isinstance(if_false, ClassLeaf) and if_false == if_true
    return if_false if same else ClassSplit(feature, if_false, if_true)
