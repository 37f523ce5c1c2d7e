"""Destroy-and-repair search over all k-AXp-interpretable functions into several classes.

A state is a default class and terms of at most k literals, each labelled with another class. It is such a function iff
terms of different labels conflict and the complement of their union is covered by its implicants of at most k literals:
a point in a term has that term as its reason, one in none has an implicant of the complement. Every such function
arises so, whatever the default. A move drops a few terms and adds others as :mod:`idnf.learning.local.berge_search`
does for two classes; a new term must meet, besides the implicants that have no literal to spare, the negation of every
term of another label, which is one more family of sets for the same hitting-set step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.learning.local.heat_bath import RandomStream
from idnf.learning.local.reference.repairing import slack_terms
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.dnf import DNF
from idnf.logic.literals import codes_of, mask_of, negated_mask
from idnf.logic.primes import is_implicant
from idnf.logic.transversals import berge_step, minimal_sets

Vector = NDArray[np.float32]

# In units of one example's weight.
_HOT, _COLD = 1.0, 0.2
# Terms built around one example in one move, and added in one move, at most.
_MOST_CANDIDATES = 12
_MOST_ADDED = 4
# How much an example of another class weighs while a long term is built.
_CAUTION = np.float32(2.0)
MOST_IMPLICANTS = 2000
"""A state whose default class has more prime implicants than this is too slow to work on."""


@dataclass(frozen=True)
class LabelledState:
    """Terms with their labels, and all prime implicants of the default class.

    Examples
    --------
    >>> state = LabelledState.of([(0b000001, 1), (0b000110, 2)], 100)
    >>> state.implicants
    (10,)
    >>> state.is_interpretable(1), state.is_interpretable(2)
    (False, True)
    """

    terms: tuple[int, ...]
    labels: tuple[int, ...]
    implicants: tuple[int, ...]

    @classmethod
    def empty(cls) -> LabelledState:
        """Return the state in which every point is of the default class."""
        return cls((), (), (0,))

    @classmethod
    def of(cls, terms: Iterable[tuple[int, int]], most: int) -> LabelledState | None:
        """Return the state of labelled terms, or None when there are more than `most` implicants on the way."""
        left = dict(terms)
        state, seen = cls.empty(), 0
        kept = minimal_sets(left)
        while kept:
            # The term with most features seen before keeps the implicants few.
            term = max(kept, key=lambda t: ((t & seen).bit_count(), -t.bit_count()))
            kept.remove(term)
            seen |= term | negated_mask(term)
            state = state.adding(term, left[term])
            if len(state.implicants) > most:
                return None
        return state

    def adding(self, term: int, label: int) -> LabelledState:
        """Return the state with one more consistent term; terms it absorbs go."""
        kept = [(t, l) for t, l in zip(self.terms, self.labels, strict=True) if t & term != term]
        implicants = berge_step(list(self.implicants), negated_mask(term), forbidden=negated_mask)
        terms, labels = zip(*kept, (term, label), strict=True)
        return LabelledState(terms, labels, tuple(implicants))

    def without(self, places: Iterable[int], most: int) -> LabelledState | None:
        """Return the state without the terms at some places, None when there are too many implicants on the way."""
        gone = set(places)
        pairs = zip(self.terms, self.labels, strict=True)
        return LabelledState.of((pair for place, pair in enumerate(pairs) if place not in gone), most)

    def is_interpretable(self, k: int) -> bool:
        """Tell whether the prime implicants of at most k literals cover the default class."""
        small = [p for p in self.implicants if p.bit_count() <= k]
        return all(p.bit_count() <= k or is_implicant(small, p) for p in self.implicants)

    def barring(self, label: int, k: int) -> list[int]:
        """Return the terms and implicants that a new term of this label must conflict with."""
        others = [t for t, l in zip(self.terms, self.labels, strict=True) if l != label]
        return others + [p for p in self.implicants if p.bit_count() == k]

    @property
    def length(self) -> int:
        """The number of literals in the terms."""
        return sum(term.bit_count() for term in self.terms)

    def to_class_dnfs(self, names: Sequence[str], k: int, default: int, n_classes: int) -> ClassDNFs:
        """Return the DNF of each class.

        >>> state = LabelledState.of([(0b000001, 1), (0b000110, 2)], 100)
        >>> print(*state.to_class_dnfs(("a", "b", "c"), 2, 0, 3).dnfs, sep=" / ")
        ~a & ~b / a / ~a & b
        """
        sides: list[list[int]] = [[] for _ in range(n_classes)]
        for term, label in zip(self.terms, self.labels, strict=True):
            sides[label].append(term)
        sides[default] = [p for p in self.implicants if p.bit_count() <= k]
        return ClassDNFs(tuple(DNF.from_masks(tuple(names), side) for side in sides), k)


class LabelledMasks:
    """Distinct rows with the weight of each class, and the examples of each literal as a mask.

    Parameters
    ----------
    rows : DistinctRows
        The examples.

    Examples
    --------
    >>> rows = DistinctRows(np.array([[0, 1], [1, 1]], dtype=bool), np.array([[1.0, 0, 0], [0, 0, 2]]), True)
    >>> masks = LabelledMasks(rows)
    >>> [bin(mask) for mask in masks.literals], masks.bits(masks.satisfying(0b01)).tolist()
    (['0b10', '0b1', '0b11', '0b0'], [0, 1])
    """

    def __init__(self, rows: DistinctRows) -> None:
        self.size, self.n_features = rows.features.shape
        self.n_classes = rows.n_classes
        self.weights = rows.weights.astype(np.float32)
        self.unit = rows.unit
        self.everything: int = (1 << self.size) - 1
        self._bytes = (self.size + 7) // 8
        self.indicators = np.empty((2 * self.n_features, self.size), dtype=np.float32)
        self.indicators[0::2] = rows.features.T
        self.indicators[1::2] = ~rows.features.T
        packed = np.packbits(self.indicators.astype(np.bool_), axis=1, bitorder="little")
        self.literals = [int.from_bytes(line.tobytes(), "little") for line in packed]

    def bits(self, mask: int) -> NDArray[np.uint8]:
        """Return a mask as an array of 0 and 1, one entry an example."""
        line = np.frombuffer(mask.to_bytes(self._bytes, "little"), dtype=np.uint8)
        return np.unpackbits(line, count=self.size, bitorder="little")

    def table(self, masks: Iterable[int]) -> Vector:
        """Return masks as the rows of an array of 0 and 1."""
        lines = [mask.to_bytes(self._bytes, "little") for mask in masks]
        packed = np.frombuffer(b"".join(lines), dtype=np.uint8).reshape(len(lines), self._bytes)
        return np.unpackbits(packed, axis=1, count=self.size, bitorder="little").astype(np.float32)

    def satisfying(self, term: int) -> int:
        """Return the examples that satisfy a term, a mask of literals."""
        examples = self.everything
        for code in codes_of(term):
            examples &= self.literals[code]
        return examples


@dataclass(frozen=True)
class LabelledTask:
    """What to search: the examples, the default class, k, and the price of a literal in units of weight."""

    examples: LabelledMasks
    default: int
    k: int
    price: float


class _HeatBath:
    """Draws an index with probability proportional to exp(value / temperature), in floating point."""

    def __init__(self, generator: np.random.Generator) -> None:
        self.generator = generator
        self.temperature = 1.0

    def choose(self, values: Vector) -> int:
        """Return an index: the largest of values with Gumbel noise has exactly the wanted distribution."""
        return int((values + self.temperature * self.generator.gumbel(size=len(values))).argmax())


class LabelledSearch:
    """A state under search with its value: what is gained over giving every example the default class.

    Parameters
    ----------
    task : LabelledTask
        The problem.
    state : LabelledState
        Where to start; it must be interpretable.
    generator : numpy.random.Generator
        The source of randomness.
    """

    def __init__(self, task: LabelledTask, state: LabelledState, generator: np.random.Generator) -> None:
        self.task = task
        self.bath = _HeatBath(generator)
        self._stream = RandomStream(int(generator.integers(1 << 63)))
        weights = task.examples.weights
        # What each example gains from each class over the default one.
        self.net = (weights - weights[:, [task.default]]).T.copy()
        self.gain = np.maximum(self.net, 0.0)
        self.state = state
        self.value = self._value(state)
        self.best, self.best_value = self.state, self.value

    def run(self, moves: int, is_over: Callable[[], bool] = lambda: False) -> bool:
        """Make moves while the temperature falls; return whether they were cut short."""
        for temperature in np.geomspace(_HOT, _COLD, max(1, moves)).tolist():
            self.bath.temperature = temperature * self.task.examples.unit
            self._move()
            if is_over():
                return True
        return False

    def _move(self) -> None:
        base, label, state = self._destroyed()
        if state is None or not state.is_interpretable(self.task.k):
            return
        # Long terms in half of the moves: a short term can bar the way to a union of longer ones that is better.
        long = bool(base) or bool(self.bath.generator.random() < 0.5)
        for _ in range(1 + int(self.bath.generator.integers(_MOST_ADDED))):
            found = self._new_term(state, base, label, long=long)
            if found is None:
                break
            state = state.adding(*found)
            if len(state.implicants) > MOST_IMPLICANTS:
                return
        value = self._value(state)
        if self.bath.choose(np.array([value, self.value], dtype=np.float32)) == 0:
            self.state, self.value = state, value
            if value > self.best_value:
                self.best, self.best_value = state, value

    def _destroyed(self) -> tuple[int, int | None, LabelledState | None]:
        """Return the state without up to two random terms, and a base for new terms: a dropped short term, or none."""
        generator = self.bath.generator
        count = min(int(generator.integers(3)), len(self.state.terms))
        if not count:
            return 0, None, self.state
        places = generator.choice(len(self.state.terms), count, replace=False)
        first, label = self.state.terms[places[0]], self.state.labels[places[0]]
        narrow = count == 1 and first.bit_count() < self.task.k and generator.random() < 0.5
        state = self.state.without(places.tolist(), MOST_IMPLICANTS)
        return (first, label, state) if narrow else (0, None, state)

    def _new_term(self, state: LabelledState, base: int, label: int | None, *, long: bool) -> tuple[int, int] | None:
        """Return a legal term with its label that holds for a random example not covered and contains `base`."""
        examples, generator, k = self.task.examples, self.bath.generator, self.task.k
        open_to = examples.bits(examples.satisfying(base) & ~self._covered(state)).astype(np.float32)
        worth = (self.gain if label is None else self.gain[[label]]) * open_to
        ends = np.cumsum(worth.ravel(), dtype=np.float64)
        if not ends[-1] > 0:
            return None
        flat = int(np.searchsorted(ends, generator.random() * ends[-1], side="right"))
        example = flat % examples.size
        label = flat // examples.size if label is None else label
        usable = examples.indicators[:, example] > 0
        unmet = [p for p in state.barring(label, k) if not p & negated_mask(base)]
        literals = mask_of(np.flatnonzero(usable).tolist())
        found = slack_terms(unmet, literals, k - base.bit_count(), most=_MOST_CANDIDATES, stream=self._stream)
        if not found:
            return None
        starts = [base | term for term in found] * (1 + _MOST_CANDIDATES // 2 // len(found))
        left = self.net[label] * open_to
        # A long term is one part of a union: of two that gain the same, the purer one leaves more to the others.
        terms = self._completed(starts, np.where(left < 0, _CAUTION * left, left) if long else left, usable, long=long)
        gains = examples.table(examples.satisfying(term) for term in terms) @ left
        sizes = np.array([term.bit_count() for term in terms], dtype=np.float32)
        chosen = self.bath.choose(np.append(gains - np.float32(self.task.price) * sizes, np.float32(0.0)))
        return (terms[chosen], label) if chosen < len(terms) else None

    def _completed(self, starts: Sequence[int], left: Vector, usable: NDArray[np.bool_], *, long: bool) -> list[int]:
        """Add to each term the literals that gain most while there is room and, unless `long`, one earns its price."""
        examples = self.task.examples
        codes = np.flatnonzero(usable)
        deciding = np.flatnonzero(left)
        indicators = examples.indicators[np.ix_(codes, deciding)]
        terms = list(starts)
        held = examples.table(examples.satisfying(term) for term in terms)[:, deciding]
        weights = held * left[deciding]
        gains = weights.sum(axis=1)
        for _ in range(self.task.k):
            values = weights @ indicators.T
            noise = self.bath.generator.gumbel(size=values.shape).astype(np.float32)
            values += np.float32(self.bath.temperature) * noise
            literal, best = values.argmax(axis=1), values.max(axis=1)
            better = np.array([term.bit_count() < self.task.k for term in terms])
            if not long:
                better &= best > gains + np.float32(self.task.price)
            if not better.any():
                break
            for place in np.flatnonzero(better).tolist():
                terms[place] |= 1 << int(codes[literal[place]])
                weights[place] *= indicators[literal[place]]
            gains = weights.sum(axis=1)
        return terms

    def _covered(self, state: LabelledState) -> int:
        covered = 0
        for term in state.terms:
            covered |= self.task.examples.satisfying(term)
        return covered

    def _value(self, state: LabelledState) -> float:
        covers: dict[int, int] = {}
        for term, label in zip(state.terms, state.labels, strict=True):
            covers[label] = covers.get(label, 0) | self.task.examples.satisfying(term)
        gained = sum(float(self.task.examples.bits(cover) @ self.net[label]) for label, cover in covers.items())
        return gained - self.task.price * state.length
