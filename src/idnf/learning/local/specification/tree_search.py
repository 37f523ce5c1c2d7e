"""Annealed search over nested trees of one shape: all splits down to some depth, nested DNFs below.

Depth 0 is a nested DNF or its complement, order 0 a decision tree. The literal at a split is drawn like a cell of a
matrix: with both branches fixed, all literals are valued by one matrix-vector product. The temperature falls from a
few examples to a fraction of one (simulated annealing; Kirkpatrick, Gelatt, Vecchi, *Science*, 1983).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from idnf.learning.local.annealing_task import Annealed, AnnealTask
from idnf.learning.local.masks import ExampleMasks
from idnf.learning.local.schedules import Schedule
from idnf.learning.local.specification.heat_bath import HeatBath, RandomStream
from idnf.learning.local.specification.matrix_search import NestedState


class TreeState:
    """A nested tree under search. Node 1 is the root, the children of node i are 2i (false) and 2i + 1 (true).

    Parameters
    ----------
    task : AnnealTask
        The problem.
    bath : HeatBath
        Draws every move.
    """

    def __init__(self, task: AnnealTask, bath: HeatBath) -> None:
        examples, shape, pools = task.examples, task.shape, task.pools
        self.task = task
        self.shape = shape
        self.pools = pools
        self.bath = bath
        self.inner = 1 << shape.depth
        draw = bath.stream.below
        self.splits = [0] + [int(pools.split[draw(len(pools.split))]) for _ in range(self.inner - 1)]
        self.leaves = [
            NestedState(examples, shape.order, pools.negative if complemented else pools.positive, bath)
            for complemented in shape.complemented
        ]
        self._take_examples(examples)

    def look_at(self, size: int) -> None:
        """Go on with the first examples, the price of a literal in proportion."""
        if size != self.examples.size:
            self._take_examples(self.task.examples.part(size))
            for leaf in self.leaves:
                leaf.look_at(self.examples)

    def _take_examples(self, examples: ExampleMasks) -> None:
        self.examples = examples
        self.price = self.task.price * examples.size // max(1, self.task.examples.size)
        net = examples.net.astype(np.int64)
        self._signed = (net, -net)

    def take(self, best: Annealed) -> None:
        """Take over splits and leaves."""
        self.splits = [0, *best.splits]
        for leaf, snapshot in zip(self.leaves, best.leaves, strict=True):
            leaf.restore(snapshot)

    def now(self) -> Annealed:
        """Return the present state with its value."""
        values, constants = self._valued()
        leaves = tuple(leaf.snapshot() for leaf in self.leaves)
        return Annealed(values[1], tuple(self.splits[1:]), leaves, tuple(constants[1:]))

    def sweep(self) -> None:
        """Make one move at every place: leaves first, then splits from the lowest up."""
        reaches = self._reaches()
        for place, leaf in enumerate(self.leaves):
            weights = self._signed[self.shape.complemented[place]]
            leaf.sweep(weights, reaches[self.inner + place], self.price)
        outputs = [0] * self.inner + self._leaf_outputs()
        for node in range(self.inner - 1, 0, -1):
            if_false, if_true = outputs[2 * node], outputs[2 * node + 1]
            self.splits[node] = self._new_split(if_false & reaches[node], if_true & reaches[node])
            holding = self.examples.literals[self.splits[node]]
            outputs[node] = if_true & holding | if_false & ~holding

    def _new_split(self, if_false: int, if_true: int) -> int:
        """Draw a literal, given what the branches say about the examples that come there."""
        weights = self._signed[0] * (self.examples.bits(if_true).astype(np.int64) - self.examples.bits(if_false))
        worth = self.examples.literal_values(self.pools.split, weights, self.examples.places(if_false ^ if_true))
        return int(self.pools.split[self.bath.choose(worth)])

    def perfect_terms(self) -> None:
        """Take the best terms for the matrices as they are, leaf by leaf."""
        reaches = self._reaches()
        for place, leaf in enumerate(self.leaves):
            weights = self._signed[self.shape.complemented[place]]
            leaf.perfect_terms(weights, reaches[self.inner + place], self.price)

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

    def _valued(self) -> tuple[list[int], list[bool | None]]:
        """Return the value of each subtree once pruned, and its constant where it is best replaced by one."""
        reaches, outputs = self._reaches(), self._leaf_outputs()
        values = [0] * (2 * self.inner)
        constants: list[bool | None] = [None] * (2 * self.inner)
        for node in range(2 * self.inner - 1, 0, -1):
            if node >= self.inner:
                place = node - self.inner
                value = self.examples.weight(outputs[place] & reaches[node]) - self.price * self.leaves[place].length
            else:
                value = values[2 * node] + values[2 * node + 1] - self.price
            all_positive = self.examples.weight(reaches[node])
            if max(all_positive, 0) >= value:
                constants[node] = all_positive > 0
            values[node] = max(value, all_positive, 0)
        return values, constants


def anneal(task: AnnealTask, cooling: Schedule, seed: int, is_over: Callable[[], bool]) -> Annealed:
    """Search while the temperature falls, and return the best state.

    Where it falls to 0, search goes on from the best state so far, best on the examples then looked at. `is_over` is
    asked now and then whether to stop.
    """
    state = TreeState(task, HeatBath(RandomStream(seed)))
    best, size, previous = state.now(), task.examples.size, 1
    cut = False
    for temperature, looked_at in zip(cooling.temperatures, cooling.sizes, strict=True):
        if looked_at != size:
            size = looked_at
            state.look_at(size)
            best = state.now()
        if not temperature and previous:
            state.take(best)
        state.bath.temperature = previous = temperature
        state.sweep()
        found = state.now()
        if found.value > best.value:
            best = found
        cut = is_over()
        if cut:
            break
    state.take(best)
    state.look_at(task.examples.size)
    if not cut:
        state.perfect_terms()
    found = state.now()
    return Annealed(found.value, found.splits, found.leaves, found.constants, cut)
