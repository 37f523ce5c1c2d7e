"""Berge steps: every k-AXp-interpretable function into labels, one term at a time.

A state is a default label and labelled terms, with all prime implicants of the default
(:mod:`idnf.learning.local.berge_search` says which states are functions). Adding a term is one step of Berge's
algorithm on those (all prime implicants again, by Nelson's theorem). Terms and implicants are masks of literals.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from idnf.learning.local.berge_search import (
    CAUTION,
    MOST_ADDED,
    MOST_CANDIDATES,
    MOST_IMPLICANTS,
    MOST_NODES,
    MOST_TERMS,
    BergeTask,
    Repaired,
)
from idnf.learning.local.heat_bath import HeatBath, RandomStream, Schedule
from idnf.learning.local.masks import Codes
from idnf.logic.literals import codes_of, mask_of, negated_mask
from idnf.logic.primes import is_implicant
from idnf.logic.transversals import berge_step


@dataclass(frozen=True)
class BergeState:
    """Terms with their labels, and all prime implicants of the default label.

    Examples
    --------
    >>> state = BergeState.bounded([(0b0101, 1)], 100)
    >>> state.implicants
    (2, 8)
    >>> larger = state.adding(0b110000, 1)
    >>> larger.is_interpretable(1), larger.is_interpretable(2)
    (False, True)
    >>> larger.barring(2, 2)
    [18, 34, 24, 40, 5, 48]
    """

    terms: tuple[tuple[int, int], ...]
    implicants: tuple[int, ...]

    @classmethod
    def bounded(cls, terms: Iterable[tuple[int, int]], most: int) -> BergeState | None:
        """Return the state of some terms, none within another, or None when more than `most` implicants come up."""
        state = cls((), (0,))
        for term, label in terms:
            state = state.adding(term, label)
            if len(state.implicants) > most:
                return None
        return state

    def adding(self, term: int, label: int) -> BergeState:
        """Return the state with one more consistent term; terms it absorbs go."""
        kept = tuple(other for other in self.terms if other[0] & term != term)
        implicants = berge_step(list(self.implicants), negated_mask(term), forbidden=negated_mask)
        return BergeState((*kept, (term, label)), tuple(implicants))

    def is_interpretable(self, k: int) -> bool:
        """Tell whether the prime implicants of at most k literals cover the default; the terms must be as short."""
        small = [p for p in self.implicants if p.bit_count() <= k]
        return all(p.bit_count() <= k or is_implicant(small, p) for p in self.implicants)

    def barring(self, label: int, k: int) -> list[int]:
        """Return what a new term of a label must conflict with: tight implicants, and terms of other labels."""
        tight = [p for p in self.implicants if p.bit_count() == k]
        return tight + [term for term, other in self.terms if other != label]

    @property
    def length(self) -> int:
        """The number of literals in the terms."""
        return sum(term.bit_count() for term, _ in self.terms)


def implicants(terms: Sequence[int], most: int) -> list[int] | None:
    """Return all prime implicants of the complement, the terms added in their order; None when there are too many.

    >>> implicants([0b0101], 10), implicants([0b0101], 1)
    ([2, 8], None)
    """
    state = BergeState.bounded([(term, 1) for term in terms], most)
    return None if state is None else list(state.implicants)


def slack_terms(tight: Sequence[int], literals: int, k: int, *, most: int, stream: RandomStream) -> list[int]:
    """Return terms of at most k of the given literals that conflict with every tight term, minimal at that.

    Adding one to an interpretable function is legal: every short implicant it does not conflict with has fewer than k
    literals and gains one. The converse fails; `BergeState.is_interpretable` decides in general.

    They are found in random order, branching on the implicant that leaves the fewest literals to choose from, the
    first in the order of masks when equal.

    Parameters
    ----------
    tight : sequence of int
        The implicants of k literals, and whatever else is to be conflicted with.
    literals : int
        The literals to use: those of one example, so that every term is consistent and covers it.
    k : int
        The largest size of a term.
    most : int
        Stop after that many terms, or after `MOST_NODES` steps.
    stream : RandomStream
        Draws the order.
    """
    options = sorted({negated_mask(p) & literals for p in tight}, key=lambda o: (o.bit_count(), o))
    if options and options[0] == 0:
        return []
    found: list[int] = []
    partial = _hitting_sets(options, 0, k, stream)
    for _, term in zip(range(MOST_NODES), partial, strict=False):
        if term is not None and term not in found:
            found.append(term)
        if len(found) == most:
            break
    return found


def _hitting_sets(options: list[int], term: int, k: int, stream: RandomStream) -> Iterator[int | None]:
    """Yield every hitting set found, and None at every other node of the search."""
    if not options:
        yield term
        return
    yield None
    if k == 0:
        return
    codes = list(codes_of(options[0]))
    for place in stream.permutation(len(codes)):
        bit = 1 << codes[place]
        yield from _hitting_sets([o for o in options if not o & bit], term | bit, k - 1, stream)


class State(Protocol):
    """Labelled terms under search."""

    @property
    def terms(self) -> tuple[tuple[int, int], ...]:
        """The terms with their labels."""

    @property
    def length(self) -> int:
        """The number of literals in the terms."""


S = TypeVar("S", bound=State)


class Searching(ABC, Generic[S]):
    """A state under search with its value.

    Parameters
    ----------
    task : BergeTask
        The problem.
    terms : sequence of (int, int)
        Where to start, with labels; the function must be interpretable and keep to the task, no term within another.
    bath : HeatBath
        Draws every move.
    """

    def __init__(self, task: BergeTask, terms: Sequence[tuple[int, int]], bath: HeatBath) -> None:
        self.task = task
        self.bath = bath
        start = self._state_of(terms)
        assert start is not None, "a search starts from a state that is not too large"
        self.state = start
        self.look_at(task.examples.size)

    @abstractmethod
    def _state_of(self, terms: Sequence[tuple[int, int]]) -> S | None:
        """Return the state of some terms, none within another, or None if it is too large."""

    @abstractmethod
    def _may_narrow(self, term: int) -> bool:
        """Tell whether literals may be added to a term."""

    @abstractmethod
    def _terms_around(  # noqa: PLR0913 - a state, what a term must contain, its label and what it is made around
        self, state: S, base: int, label: int, example: int, weights: NDArray[np.int64], *, long: bool
    ) -> list[int]:
        """Return terms that hold for an example and contain `base`."""

    @abstractmethod
    def move(self) -> None:
        """Drop some terms, add others, and keep that or not."""

    def look_at(self, size: int) -> None:
        """Go on with the first examples, the price of a literal in proportion; the present state is the best then."""
        self.examples = self.task.examples.part(size)
        self.price = self.task.price * size // max(1, self.task.examples.size)
        self.gains = self.task.gains[:, :size].astype(np.int64)
        self.value = self._value(self.state)
        self.best, self.best_value = self.state, self.value

    def take_best(self) -> None:
        """Go back to the best state."""
        self.state, self.value = self.best, self.best_value

    def _keep_or_not(self, state: S) -> None:
        """Go on with another state, by chance unless it is better."""
        value = self._value(state)
        if self.bath.choose(np.array([value, self.value])) == 0:
            self.state, self.value = state, value
            if value > self.best_value:
                self.best, self.best_value = state, value

    def _destroyed(self) -> tuple[int, int | None, S | None]:
        """Return a base for new terms, a dropped one with its label or none, and the state without some terms."""
        stream, terms = self.bath.stream, self.state.terms
        count = min(stream.below(3), len(terms))
        if not count:
            return 0, None, self.state
        gone = [stream.below(len(terms))]
        if count == 2:
            other = stream.below(len(terms) - 1)
            gone.append(other + (other >= gone[0]))
        term, label = terms[gone[0]]
        narrow = count == 1 and self._may_narrow(term) and not stream.below(2)
        left = self._state_of([pair for place, pair in enumerate(terms) if place not in gone])
        return (term, label, left) if narrow else (0, None, left)

    def _new_term(self, state: S, base: int, label: int | None, *, long: bool) -> tuple[int, int] | None:
        """Return a legal term that holds for a random example not covered and contains `base`, with its label."""
        examples = self.examples
        open_to = self.gains * examples.bits(examples.satisfying(base) & ~self._covered(state))
        worth = np.maximum(open_to if label is None else open_to[[label]], 0)
        if not worth.any():
            return None
        drawn, example = divmod(self.bath.stream.place(worth.ravel()), examples.size)
        label = drawn if label is None else label
        left = open_to[label]
        # A long term is one part of a union: of two that gain the same, the purer one leaves more to the others.
        weights = np.where(left < 0, CAUTION * left, left) if long else left
        terms = self._terms_around(state, base, label, example, weights, long=long)
        if not terms:
            return None
        gains = [int(left[examples.places(examples.satisfying(term))].sum()) for term in terms]
        values = [gain - self.price * term.bit_count() for gain, term in zip(gains, terms, strict=True)]
        chosen = self.bath.choose(np.array([*values, 0]))
        return (terms[chosen], label) if chosen < len(terms) else None

    def _literals_of(self, example: int, codes: Codes) -> Codes:
        """Return those of some literals that hold for an example."""
        has = self.examples.features[example][codes >> 1] > 0
        held: Codes = codes[has != (codes & 1)]
        return held

    def _covered(self, state: S, label: int | None = None) -> int:
        """Return the examples that satisfy a term of a label, or any term."""
        covered = 0
        for term, other in state.terms:
            if label is None or other == label:
                covered |= self.examples.satisfying(term)
        return covered

    def _value(self, state: S) -> int:
        covers = (self.examples.places(self._covered(state, label)) for label in range(len(self.gains)))
        return sum(int(gains[cover].sum()) for gains, cover in zip(self.gains, covers, strict=True)) - (
            self.price * state.length
        )


class BergeSearch(Searching[BergeState]):
    """A state under search where every feature is a column of its own."""

    def _state_of(self, terms: Sequence[tuple[int, int]]) -> BergeState | None:
        return BergeState.bounded(terms, MOST_IMPLICANTS) if len(terms) <= MOST_TERMS else None

    def _may_narrow(self, term: int) -> bool:
        return term.bit_count() < self.task.k

    def move(self) -> None:
        """Drop some terms, add others, and keep that or not."""
        base, base_label, state = self._destroyed()
        if state is None or not state.is_interpretable(self.task.k):
            return
        # Long terms in half of the moves: a short term can bar the way to a union of longer ones that is better.
        long = bool(base) or not self.bath.stream.below(2)
        for _ in range(1 + self.bath.stream.below(MOST_ADDED)):
            found = self._new_term(state, base, base_label, long=long)
            if found is None:
                break
            state = state.adding(*found)
            if len(state.implicants) > MOST_IMPLICANTS or len(state.terms) > MOST_TERMS:
                return
        if all(p & negated_mask(term) for term in self._forced_out_of(self.task.default) for p in state.implicants):
            self._keep_or_not(state)

    def _forced_out_of(self, label: int) -> list[int]:
        """Return the terms that have another label by order."""
        return [term for other, terms in enumerate(self.task.forced) if other != label for term in terms]

    def _terms_around(  # noqa: PLR0913 - a state, what a term must contain, its label and what it is made around
        self, state: BergeState, base: int, label: int, example: int, weights: NDArray[np.int64], *, long: bool
    ) -> list[int]:
        """Return terms that hold for an example and contain `base`, conflicting with all that bars them."""
        k, stream = self.task.k, self.bath.stream
        usable = self._literals_of(example, self.task.allowed)
        literals = mask_of(usable.tolist())
        barring = (*state.barring(label, k), *self._forced_out_of(label))
        if len(self.gains) > 2:
            # A tight implicant that the example satisfies is taken whole.
            taken = [p for p in state.implicants if p.bit_count() == k and p & literals == p]
            for p in taken:
                literals &= p
            if base & ~literals:
                return []
            barring = tuple(p for p in barring if p not in taken)
            usable = usable[[bool(literals >> code & 1) for code in usable.tolist()]]
        unmet = [p for p in barring if not p & negated_mask(base)]
        found = slack_terms(unmet, literals, k - base.bit_count(), most=MOST_CANDIDATES, stream=stream)
        if not found:
            return []
        times = 1 + MOST_CANDIDATES // 2 // len(found)
        known: dict[int, NDArray[np.int64]] = {}
        starts = [base | term for _ in range(times) for term in found]
        return [self._completed(term, weights, usable, known, long=long) for term in starts]

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


def repair(
    task: BergeTask, terms: Sequence[tuple[int, int]], cooling: Schedule, seed: int, is_over: Callable[[], bool]
) -> Repaired:
    """Make moves from labelled terms while the temperature falls; `is_over` is asked now and then whether to stop."""
    from idnf.learning.local.reference.columns import ColumnSearch

    bath = HeatBath(RandomStream(seed))
    berge: Searching[Any] = BergeSearch(task, terms, bath) if task.cells is None else ColumnSearch(task, terms, bath)
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
