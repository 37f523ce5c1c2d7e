"""Destroy-and-repair search over the whole class of k-AXp-interpretable functions.

A move drops a few terms and adds others, each built around an example that is not covered yet: its literals must meet
every tight implicant of the other class (:func:`idnf.learning.local.berge.slack_terms`), and what room is left is
filled with the literals that gain most. A worse state is accepted with a probability that falls with the temperature.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from idnf.learning.local.berge import BergeState, slack_terms
from idnf.learning.local.heat_bath import HeatBath
from idnf.learning.local.masks import ExampleMasks, Vector
from idnf.logic.dnf import DNF
from idnf.logic.double import DoubleDNF
from idnf.logic.literals import mask_of, negated_mask

# In units of one example's weight.
_HOT, _COLD = 1.0, 0.2
# Terms built around one example in one move.
_MOST_CANDIDATES = 16
# Terms added in one move, at most.
_MOST_ADDED = 4
# How much an example of the other class weighs while a long term is built.
_CAUTION = np.float32(2.0)
# A state whose other class has more prime implicants than this is too slow to work on.
MOST_IMPLICANTS = 600


@dataclass(frozen=True)
class BergeTask:
    """What to search: net weights of the class the terms are for, literals its terms may use, k, price of a literal."""

    examples: ExampleMasks
    net: Vector
    allowed: frozenset[int]
    k: int
    price: float


class BergeSearch:
    """A state under search with its value.

    Parameters
    ----------
    task : BergeTask
        The problem.
    state : BergeState
        Where to start; it must be interpretable.
    generator : numpy.random.Generator
        The source of randomness.
    """

    def __init__(self, task: BergeTask, state: BergeState, generator: np.random.Generator) -> None:
        self.task = task
        self.bath = HeatBath(generator)
        self.codes = np.array(sorted(task.allowed), dtype=np.intp)
        self.indicators = task.examples.table(task.examples.literals[code] for code in self.codes.tolist())
        self.state = state
        self.value = self._value(state)
        self.best, self.best_value = self.state, self.value

    def run(self, moves: int, deadline: float | None = None) -> bool:
        """Make moves while the temperature falls; return whether they were cut short by deadline or keyboard."""
        try:
            for temperature in np.geomspace(_HOT, _COLD, max(1, moves)).tolist():
                self.bath.temperature = temperature * self.task.examples.unit
                self._move()
                if deadline is not None and monotonic() > deadline:
                    return True
        except KeyboardInterrupt:
            return True
        return False

    def _move(self) -> None:
        base, state = self._destroyed()
        if not state.is_interpretable(self.task.k):
            return
        # Long terms in half of the moves: a short term can bar the way to a union of longer ones that is better.
        long = bool(base) or bool(self.bath.generator.random() < 0.5)
        for _ in range(1 + int(self.bath.generator.integers(_MOST_ADDED))):
            term = self._new_term(state, base, long=long)
            if term is None:
                break
            state = state.adding(term)
            if len(state.implicants) > MOST_IMPLICANTS:
                return
        value = self._value(state)
        if self.bath.choose(np.array([value, self.value], dtype=np.float32)) == 0:
            self.state, self.value = state, value
            if value > self.best_value:
                self.best, self.best_value = state, value

    def _destroyed(self) -> tuple[int, BergeState]:
        """Return the state without up to two random terms, and a base for new terms: a dropped short term, or none."""
        generator = self.bath.generator
        count = min(int(generator.integers(3)), len(self.state.terms))
        if not count:
            return 0, self.state
        places = generator.choice(len(self.state.terms), count, replace=False)
        first = self.state.terms[places[0]]
        narrow = count == 1 and first.bit_count() < self.task.k and generator.random() < 0.5
        return (first if narrow else 0), self.state.without(places.tolist())

    def _new_term(self, state: BergeState, base: int, *, long: bool) -> int | None:
        """Return a legal term that holds for a random example not covered and contains `base`, or None."""
        examples, generator, k = self.task.examples, self.bath.generator, self.task.k
        left = examples.bits(examples.satisfying(base) & ~self._covered(state)) * self.task.net
        worth = np.maximum(left, 0.0, dtype=np.float64)
        if not worth.any():
            return None
        example = int(generator.choice(len(worth), p=worth / worth.sum()))
        usable = self.indicators[:, example] > 0
        unmet = [p for p in state.tight(k) if not p & negated_mask(base)]
        literals = mask_of(self.codes[usable].tolist())
        found = slack_terms(unmet, literals, k - base.bit_count(), most=_MOST_CANDIDATES, generator=generator)
        if not found:
            return None
        starts = [base | term for term in found] * (1 + _MOST_CANDIDATES // 2 // len(found))
        # A long term is one part of a union: of two that gain the same, the purer one leaves more to the others.
        terms = self._completed(starts, np.where(left < 0, _CAUTION * left, left) if long else left, usable, long=long)
        gains = examples.table(examples.satisfying(term) for term in terms) @ left
        sizes = np.array([term.bit_count() for term in terms], dtype=np.float32)
        chosen = self.bath.choose(np.append(gains - np.float32(self.task.price) * sizes, np.float32(0.0)))
        return terms[chosen] if chosen < len(terms) else None

    def _completed(self, starts: Sequence[int], left: Vector, usable: NDArray[np.bool_], *, long: bool) -> list[int]:
        """Add to each term the literals that gain most while there is room and, unless `long`, one earns its price."""
        examples = self.task.examples
        terms = list(starts)
        weights = examples.table(examples.satisfying(term) for term in terms) * left
        gains = weights.sum(axis=1)
        for _ in range(self.task.k):
            values = weights @ self.indicators.T
            noise = self.bath.generator.gumbel(size=values.shape).astype(np.float32)
            values += np.float32(self.bath.temperature) * noise
            values[:, ~usable] = -np.inf
            literal = values.argmax(axis=1)
            better = np.isfinite(values.max(axis=1))
            better &= [term.bit_count() < self.task.k for term in terms]
            if not long:
                better &= values.max(axis=1) > gains + np.float32(self.task.price)
            if not better.any():
                break
            for place in np.flatnonzero(better).tolist():
                terms[place] |= 1 << int(self.codes[literal[place]])
                weights[place] *= self.indicators[literal[place]]
            gains = weights.sum(axis=1)
        return terms

    def _covered(self, state: BergeState) -> int:
        covered = 0
        for term in state.terms:
            covered |= self.task.examples.satisfying(term)
        return covered

    def _value(self, state: BergeState) -> float:
        gained = float(self.task.examples.bits(self._covered(state)) @ self.task.net)
        return gained - self.task.price * state.length


def to_double(state: BergeState, names: Sequence[str], k: int, *, complemented: bool) -> DoubleDNF:
    """Return a state as a double DNF; its terms are class 0's where `complemented`.

    >>> print(to_double(BergeState.of([0b0101]), ("a", "b"), 2, complemented=True).positive)
    ~a | ~b
    """
    own = DNF.from_masks(tuple(names), state.terms)
    other = DNF.from_masks(tuple(names), (p for p in state.implicants if p.bit_count() <= k))
    return DoubleDNF(other, own, k) if complemented else DoubleDNF(own, other, k)
