"""What is annealed, nested trees of one shape, how it cools, and what comes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from idnf.learning.local.masks import Codes, ExampleMasks
from idnf.learning.local.schedules import Schedule
from idnf.learning.local.specification.staircase import Prefixes
from idnf.logic.literals import feature_of, is_negated
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree, Node, Split

Snapshot = tuple[tuple[tuple[int, ...], ...], tuple[Prefixes, ...]]
"""A matrix and the terms chosen over it."""

# In units of one example's weight; chosen on data that is not the paper's.
_HOT, _COLD = 2.0, 0.2
# Sweeps at temperature 0 after annealing.
_LAST_SWEEPS = 5


@dataclass(frozen=True)
class Shape:
    """Splits down to `depth`, then nested DNFs of some order, class 0's where `complemented`."""

    depth: int
    order: int
    complemented: tuple[bool, ...]


@dataclass(frozen=True)
class Pools:
    """The literals that may stand in a nested DNF of class 1, of class 0, and at a split."""

    positive: Codes
    negative: Codes
    split: Codes


@dataclass(frozen=True)
class AnnealTask:
    """What to anneal; the price of a literal is scaled like the weights of the examples."""

    examples: ExampleMasks
    shape: Shape
    pools: Pools
    price: int


@dataclass(frozen=True)
class Annealed:
    """The best state of a search.

    Parameters
    ----------
    value : int
        Net weight less the price of its literals, branches that do not pay for their literals pruned.
    splits : tuple of int
        The literals at the splits, root first; the children of node i (from 1) are 2i (false) and 2i + 1 (true).
    leaves : tuple of Snapshot
        The nested DNFs below.
    constants : tuple of bool or None
        For each node, splits and leaves in that order, the constant it is pruned to.
    cut : bool
        Whether the search was cut short.
    """

    value: int
    splits: tuple[int, ...]
    leaves: tuple[Snapshot, ...]
    constants: tuple[bool | None, ...]
    cut: bool = False


def schedule(examples: ExampleMasks, sweeps: int) -> Schedule:
    """Return how an annealing cools."""
    unit = examples.unit
    return Schedule.cooling(_HOT * unit, _COLD * unit, sweeps, size=examples.size, last=_LAST_SWEEPS)


def to_tree(found: Annealed, shape: Shape, names: Sequence[str], k: int) -> NestedTree:
    """Return a state as a model, without branches that do not pay for their literals."""
    inner = 1 << shape.depth

    def made(node: int, bound: int) -> Node:
        constant = found.constants[node - 1]
        if constant is not None:
            return Leaf(NestedDNF.constant(names, constant, bound))
        if node >= inner:
            place = node - inner
            nested = to_nested(found.leaves[place], names, bound)
            return Leaf.of(nested, complemented=shape.complemented[place])
        code = found.splits[node - 1]
        low, high = made(2 * node, bound - 1), made(2 * node + 1, bound - 1)
        return Split(feature_of(code), *((high, low) if is_negated(code) else (low, high)))

    return NestedTree(tuple(names), made(1, k), k)


def to_nested(snapshot: Snapshot, names: Sequence[str], k: int) -> NestedDNF:
    """Return a matrix and terms as a nested k-DNF, without absorbed terms and cells that no term uses.

    >>> to_nested((((0, 2), (4, 6)), ((1, 0), (1, 1))), ("a", "b", "c", "d"), 2)
    NestedDNF(names=('a', 'b', 'c', 'd'), matrix=((0,),), prefixes=((1,),), k=2)
    """
    matrix, terms = snapshot
    distinct = sorted(set(terms))
    least = [
        r for r in distinct if not any(s != r and all(a <= b for a, b in zip(s, r, strict=True)) for s in distinct)
    ]
    used = [max((r[i] for r in least), default=0) for i in range(len(matrix))]
    rows = [i for i, length in enumerate(used) if length]
    prefixes = tuple(tuple(r[i] for i in rows) for r in least)
    return NestedDNF(tuple(names), tuple(matrix[i][: used[i]] for i in rows), prefixes, k)
