"""Destroy-and-repair search over the whole class of k-AXp-interpretable functions.

A move drops a few terms and adds others, each built around an example that is not covered yet: its literals must meet
every tight implicant of the other class (:func:`idnf.learning.local.berge.slack_terms`), and what room is left is
filled with the literals that gain most. A worse state is accepted with a probability that falls with the temperature.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.learning.local.berge import BergeState, slack_terms
from idnf.learning.local.heat_bath import HeatBath, RandomStream, Schedule
from idnf.learning.local.masks import Codes, ExampleMasks
from idnf.logic.literals import mask_of, negated_mask

# In units of one example's weight.
_HOT, _COLD = 1.0, 0.2
# Terms built around one example in one move.
MOST_CANDIDATES = 16
# Terms added in one move, at most.
MOST_ADDED = 4
# How much an example of the other class weighs while a long term is built.
CAUTION = 2
# A state whose other class has more prime implicants than this is too slow to work on, and so is one of so many terms.
MOST_IMPLICANTS = 600
MOST_TERMS = 48


@dataclass(frozen=True)
class BergeTask:
    """What to search: the literals a term may use, k, the price of a literal, and whether the terms are of class 0.

    Every term must conflict with the terms in `within`; those in `containing` must lie inside the function.
    """

    examples: ExampleMasks
    complemented: bool
    allowed: Codes
    k: int
    price: int
    within: tuple[int, ...] = ()
    containing: tuple[int, ...] = ()


@dataclass(frozen=True)
class Repaired:
    """The best state of a search: its terms, their value, and whether the search was cut short."""

    value: int
    terms: tuple[int, ...]
    cut: bool = False


class BergeSearch:
    """A state under search with its value.

    Parameters
    ----------
    task : BergeTask
        The problem.
    terms : sequence of int
        Where to start; the function must be interpretable and keep to the task, no term within another.
    bath : HeatBath
        Draws every move.
    """

    def __init__(self, task: BergeTask, terms: Sequence[int], bath: HeatBath) -> None:
        self.task = task
        self.bath = bath
        start = _state_of(terms)
        assert start is not None, "a search starts from a state that is not too large"
        self.state = start
        self.look_at(task.examples.size)

    def look_at(self, size: int) -> None:
        """Go on with the first examples, the price of a literal in proportion; the present state is the best then."""
        self.examples = self.task.examples.part(size)
        self.price = self.task.price * size // max(1, self.task.examples.size)
        net = self.examples.net.astype(np.int64)
        self.net = -net if self.task.complemented else net
        self.value = self._value(self.state)
        self.best, self.best_value = self.state, self.value

    def take_best(self) -> None:
        """Go back to the best state."""
        self.state, self.value = self.best, self.best_value

    def move(self) -> None:
        """Drop some terms, add others, and keep that or not."""
        base, state = self._destroyed()
        if state is None or not state.is_interpretable(self.task.k):
            return
        # Long terms in half of the moves: a short term can bar the way to a union of longer ones that is better.
        long = bool(base) or not self.bath.stream.below(2)
        for _ in range(1 + self.bath.stream.below(MOST_ADDED)):
            term = self._new_term(state, base, long=long)
            if term is None:
                break
            state = state.adding(term)
            if len(state.implicants) > MOST_IMPLICANTS or len(state.terms) > MOST_TERMS:
                return
        if not all(p & negated_mask(term) for term in self.task.containing for p in state.implicants):
            return
        value = self._value(state)
        if self.bath.choose(np.array([value, self.value])) == 0:
            self.state, self.value = state, value
            if value > self.best_value:
                self.best, self.best_value = state, value

    def _destroyed(self) -> tuple[int, BergeState | None]:
        """Return the state without up to two random terms, and a base for new terms: a dropped short term, or none."""
        stream, terms = self.bath.stream, self.state.terms
        count = min(stream.below(3), len(terms))
        if not count:
            return 0, self.state
        gone = [stream.below(len(terms))]
        if count == 2:
            other = stream.below(len(terms) - 1)
            gone.append(other + (other >= gone[0]))
        narrow = count == 1 and terms[gone[0]].bit_count() < self.task.k and not stream.below(2)
        left = [term for place, term in enumerate(terms) if place not in gone]
        return (terms[gone[0]] if narrow else 0), _state_of(left)

    def _new_term(self, state: BergeState, base: int, *, long: bool) -> int | None:
        """Return a legal term that holds for a random example not covered and contains `base`, or None."""
        examples, stream, k = self.examples, self.bath.stream, self.task.k
        left = examples.bits(examples.satisfying(base) & ~self._covered(state)) * self.net
        worth = np.maximum(left, 0)
        if not worth.any():
            return None
        example = stream.place(worth)
        has = examples.features[example][self.task.allowed >> 1] > 0
        usable = self.task.allowed[has != (self.task.allowed & 1)]
        unmet = [p for p in (*state.tight(k), *self.task.within) if not p & negated_mask(base)]
        found = slack_terms(unmet, mask_of(usable.tolist()), k - base.bit_count(), most=MOST_CANDIDATES, stream=stream)
        if not found:
            return None
        # A long term is one part of a union: of two that gain the same, the purer one leaves more to the others.
        weights = np.where(left < 0, CAUTION * left, left) if long else left
        times = 1 + MOST_CANDIDATES // 2 // len(found)
        known: dict[int, NDArray[np.int64]] = {}
        starts = [base | term for _ in range(times) for term in found]
        terms = [self._completed(term, weights, usable, known, long=long) for term in starts]
        gains = [int(left[examples.places(examples.satisfying(term))].sum()) for term in terms]
        values = [gain - self.price * term.bit_count() for gain, term in zip(gains, terms, strict=True)]
        chosen = self.bath.choose(np.array([*values, 0]))
        return terms[chosen] if chosen < len(terms) else None

    def _completed(
        self,
        term: int,
        weights: NDArray[np.int64],
        usable: Codes,
        known: dict[int, NDArray[np.int64]],
        *,
        long: bool,
    ) -> int:
        """Add to a term literals that gain much while there is room and, unless `long`, they earn their price.

        What the literals are worth at each term is kept in `known`.
        """
        examples = self.examples
        for _ in range(self.task.k):
            if term.bit_count() == self.task.k or not len(usable):
                break
            if term not in known:
                places = examples.places(examples.satisfying(term))
                values = examples.literal_values(usable, weights, places)
                known[term] = values if long else np.append(values - self.price, weights[places].sum())
            chosen = self.bath.choose(known[term])
            if chosen == len(usable):
                break
            # A literal drawn that is there already leaves the term as it is.
            term |= 1 << int(usable[chosen])
        return term

    def _covered(self, state: BergeState) -> int:
        covered = 0
        for term in state.terms:
            covered |= self.examples.satisfying(term)
        return covered

    def _value(self, state: BergeState) -> int:
        gained = int(self.net[self.examples.places(self._covered(state))].sum())
        return gained - self.price * state.length


def _state_of(terms: Sequence[int]) -> BergeState | None:
    """Return the state of some terms, none within another, or None where it is too large."""
    return BergeState.bounded(terms, MOST_IMPLICANTS) if len(terms) <= MOST_TERMS else None


def schedule(examples: ExampleMasks, moves: int) -> Schedule:
    """Return how a search by Berge steps cools."""
    return Schedule.cooling(_HOT * examples.unit, _COLD * examples.unit, moves, size=examples.size)


def repair(
    task: BergeTask, terms: Sequence[int], cooling: Schedule, seed: int, is_over: Callable[[], bool]
) -> Repaired:
    """Make moves from some terms while the temperature falls; `is_over` is asked now and then whether to stop."""
    berge = BergeSearch(task, terms, HeatBath(RandomStream(seed)))
    size, cut = task.examples.size, False
    for temperature, looked_at in zip(cooling.temperatures, cooling.sizes, strict=True):
        if looked_at != size:
            size = looked_at
            berge.look_at(size)
        berge.bath.temperature = temperature
        berge.move()
        cut = is_over()
        if cut:
            break
    berge.take_best()
    berge.look_at(task.examples.size)
    return Repaired(berge.best_value, berge.best.terms, cut)
