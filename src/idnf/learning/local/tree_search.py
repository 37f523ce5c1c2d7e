"""Annealed search over nested trees of one shape: all splits down to some depth, nested DNFs below.

Depth 0 is a nested DNF or its complement, order 0 a decision tree. The literal at a split is drawn like a cell of a
matrix: with both branches fixed, all literals are valued by one matrix-vector product. The temperature falls from a
few examples to a fraction of one (simulated annealing; Kirkpatrick, Gelatt, Vecchi, *Science*, 1983).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

import numpy as np

from idnf.learning.local.heat_bath import HeatBath
from idnf.learning.local.masks import ExampleMasks, LiteralPool
from idnf.learning.local.matrix_search import NestedState, Snapshot, to_nested
from idnf.logic.literals import feature_of, is_negated
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree, Node, Split

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

    positive: LiteralPool
    negative: LiteralPool
    split: LiteralPool


@dataclass(frozen=True)
class Best:
    """The best state seen: its value (net weight less the price of its literals), splits and leaves."""

    value: float
    splits: tuple[int, ...]
    leaves: tuple[Snapshot, ...]


class TreeState:
    """A nested tree under search. Node 1 is the root, the children of node i are 2i (false) and 2i + 1 (true).

    Parameters
    ----------
    examples : ExampleMasks
        The training examples.
    shape : Shape
        It stays the same during the search.
    pools : Pools
        The literals to choose from.
    price : float
        The price of a literal, in units of weight.
    bath : HeatBath
        Draws every move.
    """

    def __init__(self, examples: ExampleMasks, shape: Shape, pools: Pools, price: float, bath: HeatBath) -> None:
        self.examples = examples
        self.shape = shape
        self.pools = pools
        self.price = price
        self.bath = bath
        self.inner = 1 << shape.depth
        self.splits = [0] + [pools.split.draw(bath.generator) for _ in range(self.inner - 1)]
        self.leaves = [
            NestedState(examples, shape.order, pools.negative if complemented else pools.positive, bath)
            for complemented in shape.complemented
        ]
        self._signed = (examples.net, -examples.net)

    def take(self, best: Best) -> None:
        """Take over splits and leaves."""
        self.splits = [0, *best.splits]
        for leaf, snapshot in zip(self.leaves, best.leaves, strict=True):
            leaf.restore(snapshot)

    def now(self) -> Best:
        """Return the present state with its value."""
        values, _ = self._valued()
        return Best(values[1], tuple(self.splits[1:]), tuple(leaf.snapshot() for leaf in self.leaves))

    def sweep(self) -> None:
        """Make one move at every place: leaves first, then splits from the lowest up."""
        reaches = self._reaches()
        for place, leaf in enumerate(self.leaves):
            weights = self._signed[self.shape.complemented[place]]
            leaf.sweep(weights, reaches[self.inner + place], self.price)
        outputs = [0] * self.inner + self._leaf_outputs()
        for node in range(self.inner - 1, 0, -1):
            if_false, if_true = outputs[2 * node], outputs[2 * node + 1]
            reach = reaches[node]
            gained = self.examples.bits(if_true & ~if_false & reach).astype(np.float32)
            lost = self.examples.bits(if_false & ~if_true & reach)
            weights = (gained - lost) * self.examples.net
            codes, worth = self.pools.split.values(weights, self.splits[node], self.bath.generator)
            self.splits[node] = int(codes[self.bath.choose(worth)])
            holding = self.examples.literals[self.splits[node]]
            outputs[node] = if_true & holding | if_false & ~holding

    def perfect_terms(self) -> None:
        """Take the best terms for the matrices as they are, leaf by leaf."""
        reaches = self._reaches()
        for place, leaf in enumerate(self.leaves):
            weights = self._signed[self.shape.complemented[place]]
            leaf.perfect_terms(weights, reaches[self.inner + place], self.price)

    def to_tree(self, names: Sequence[str], k: int) -> NestedTree:
        """Return the present state as a model, without branches that do not pay for their literals."""
        _, constants = self._valued()

        def made(node: int, bound: int) -> Node:
            constant = constants[node]
            if constant is not None:
                return Leaf(NestedDNF.constant(names, constant, bound))
            if node >= self.inner:
                place = node - self.inner
                nested = to_nested(self.leaves[place].snapshot(), names, bound)
                return Leaf(nested, self.shape.complemented[place])
            code = self.splits[node]
            low, high = made(2 * node, bound - 1), made(2 * node + 1, bound - 1)
            return Split(feature_of(code), *((high, low) if is_negated(code) else (low, high)))

        return NestedTree(tuple(names), made(1, k), k)

    def _reaches(self) -> list[int]:
        reaches = [self.examples.everything] * (2 * self.inner)
        for node in range(1, self.inner):
            holding = self.examples.literals[self.splits[node]]
            reaches[2 * node] = reaches[node] & ~holding
            reaches[2 * node + 1] = reaches[node] & holding
        return reaches

    def _leaf_outputs(self) -> list[int]:
        everything = self.examples.everything
        return [
            leaf.covered() ^ (everything if complemented else 0)
            for leaf, complemented in zip(self.leaves, self.shape.complemented, strict=True)
        ]

    def _valued(self) -> tuple[list[float], list[bool | None]]:
        """Return the value of each subtree once pruned, and its constant where it is best replaced by one."""
        reaches, outputs = self._reaches(), self._leaf_outputs()
        values = [0.0] * (2 * self.inner)
        constants: list[bool | None] = [None] * (2 * self.inner)
        for node in range(2 * self.inner - 1, 0, -1):
            if node >= self.inner:
                place = node - self.inner
                value = self.examples.weight(outputs[place] & reaches[node]) - self.price * self.leaves[place].length
            else:
                value = values[2 * node] + values[2 * node + 1] - self.price
            all_positive = self.examples.weight(reaches[node])
            if max(all_positive, 0.0) >= value:
                constants[node] = all_positive > 0
            values[node] = max(value, all_positive, 0.0)
        return values, constants


def anneal(state: TreeState, sweeps: int, deadline: float | None = None) -> tuple[Best, bool]:
    """Search from a state while the temperature falls; leave the state at the best one seen.

    Returns
    -------
    tuple of Best and bool
        The best state, and whether the search was cut short by the deadline or by the keyboard.
    """
    best = state.now()
    cooling = np.geomspace(_HOT, _COLD, max(1, sweeps)) * state.examples.unit
    cut = False
    try:
        for step, temperature in enumerate([*cooling.tolist(), *[0.0] * _LAST_SWEEPS]):
            if step == len(cooling):
                state.take(best)
            state.bath.temperature = temperature
            state.sweep()
            found = state.now()
            if found.value > best.value:
                best = found
            if deadline is not None and monotonic() > deadline:
                cut = True
                break
    except KeyboardInterrupt:
        cut = True
    state.take(best)
    if not cut:
        state.perfect_terms()
    return state.now(), cut
