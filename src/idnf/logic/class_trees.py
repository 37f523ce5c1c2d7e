"""Trees for several classes: a leaf gives one class, tells two apart by a nested DNF, or any number by DNFs.

A leaf at depth d carries a nested (k-d)-DNF or DNFs of width k-d, so every decision has a reason of at most k literals.
A decision tree of depth k has constant leaves only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_

from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.literals import literal, negated_mask
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import FittedTree, Split, SplitTree, joined, read_sklearn


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
        """Yield the terms of one class; of a constant leaf, the empty term."""
        if self.is_constant:
            if label == (self.label if self.nested.to_dnf().masks else self.otherwise):
                yield 0
            return
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


ClassNode = ClassLeaf | DNFLeaf | Split[ClassLeaf | DNFLeaf]


@dataclass(frozen=True)
class ClassTree(SplitTree[ClassLeaf | DNFLeaf]):
    """A tree of order k over several classes.

    Parameters
    ----------
    names : tuple of str
        The features.
    root : ClassLeaf, DNFLeaf or Split
        The tree.
    k : int
        The bound: a leaf at depth d carries a nested (k-d)-DNF.
    n_classes : int
        The number of classes; leaves give 0 to n_classes - 1.

    Examples
    --------
    >>> names = ("a", "b", "c")
    >>> b_or_c = NestedDNF(names, ((2,), (4,)), ((1, 0), (0, 1)), 2)
    >>> tree = ClassTree(names, Split(0, ClassLeaf.constant(names, 2), ClassLeaf(b_or_c, 1, 0)), 3, 3)
    >>> print(*(tree.side(label) for label in range(3)), sep=" / ")
    a & ~b & ~c / a & b | a & c / ~a
    """

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
        cls, tree: FittedTree, names: Sequence[str], labels: Sequence[int], k: int, n_classes: int
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
        k, n_classes : int
            The bound and the number of classes.
        """

        def leaf(weights: Sequence[float], _: int) -> ClassLeaf | DNFLeaf:
            values = list(weights)
            return ClassLeaf.constant(names, labels[values.index(max(values))])

        return cls(tuple(names), read_sklearn(tree, k, leaf), k, n_classes)

    @property
    def is_plain(self) -> bool:
        """Whether every leaf is constant, so that this is an ordinary decision tree."""
        return all(isinstance(leaf, ClassLeaf) and leaf.is_constant for _, leaf in self.leaves())

    def evaluate(self, point: Mapping[str, int]) -> int:
        """Return the class at one point."""
        leaf = self.leaf_at(point)
        if isinstance(leaf, DNFLeaf):
            return leaf.dnfs.evaluate(point)
        return leaf.label if leaf.nested.evaluate(point) else leaf.otherwise

    def class_dnfs(self) -> ClassDNFs:
        """Return the DNF of each class."""
        return ClassDNFs(tuple(self.side(label) for label in range(self.n_classes)), self.k)


def decision_tree_of(dnfs: ClassDNFs) -> ClassTree | None:
    """Return the decision tree whose paths are the terms of some classes, None where they are not those of a tree.

    >>> tree = decision_tree_of(ClassDNFs.from_truth_table(("a", "b"), [0, 2, 1, 2]))
    >>> tree.depth, tree.root.feature, tree.root.if_true.label
    (2, 0, 2)
    >>> decision_tree_of(ClassDNFs.from_truth_table(("a", "b"), [0, 1, 1, 1])) is None
    True
    """
    names = dnfs.names

    def node(paths: list[tuple[int, int]]) -> ClassNode | None:
        if len(paths) == 1 and not paths[0][0]:
            return ClassLeaf.constant(names, paths[0][1])
        # A feature that every path asks for can be asked for first.
        shared = reduce(and_, (mask | negated_mask(mask) for mask, _ in paths), (1 << 2 * len(names)) - 1)
        if not shared or not paths:
            return None
        feature = (shared & -shared).bit_length() // 2
        branches = [
            node([(mask ^ bit, label) for mask, label in paths if mask & bit])
            for bit in (1 << literal(feature, negated=True), 1 << literal(feature))
        ]
        return None if branches[0] is None or branches[1] is None else joined(feature, branches[0], branches[1])

    root = node([(mask, label) for label, dnf in enumerate(dnfs.dnfs) for mask in dnf.masks])
    return None if root is None else ClassTree(names, root, dnfs.k, dnfs.n_classes)
