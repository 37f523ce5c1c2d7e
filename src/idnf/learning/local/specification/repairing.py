"""Berge steps: every k-AXp-interpretable function into labels, one term at a time.

A state is a default label and labelled terms, with all largest implicants of the default
(:mod:`idnf.learning.local.berge_task` says which states are functions). k counts columns; where every feature is a
column of its own, literals. Implicants are masks of the cells that they exclude, terms masks of literals. Adding a term
leaves the implicants that it conflicts with, and cuts every other one to the negation of each of its literals in turn;
only the largest are kept. A point of the default with a reason of some columns then lies in an implicant that restricts
no others: some literal of a term fails at it on one of these columns.

A new term that conflicts with every implicant of k columns, or, around an example in it, restricts no other columns, is
surely legal. Where columns have several literals that does not reach every function: in half of the moves any term is
tried, and whether small implicants still cover the default decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.learning.local.berge_task import (
    CAUTION,
    MOST_ADDED,
    MOST_CANDIDATES,
    MOST_IMPLICANTS,
    MOST_NODES,
    MOST_TERMS,
    BergeTask,
    Repaired,
    takes_whole,
    term_room,
)
from idnf.learning.local.masks import Cells, Codes
from idnf.learning.local.schedules import Schedule
from idnf.learning.local.specification.heat_bath import HeatBath, RandomStream
from idnf.logic.literals import codes_of, mask_of


@dataclass(frozen=True)
class BergeState:
    """Terms with their labels, as masks of literals, and implicants of the default label, as masks of cells.

    Examples
    --------
    >>> state = BergeState.bounded(Cells.plain(4), [(0b0101, 1)], 100)
    >>> state.implicants
    (2, 8)
    >>> larger = state.adding(0b01010000, 1, 100)
    >>> larger.is_interpretable(1), larger.is_interpretable(2)
    (False, True)
    """

    cells: Cells
    terms: tuple[tuple[int, int], ...] = ()
    implicants: tuple[int, ...] = (0,)

    @classmethod
    def bounded(cls, cells: Cells, terms: Iterable[tuple[int, int]], most: int) -> BergeState | None:
        """Return the state of some terms, none within another, or None when more than `most` implicants come up."""
        state: BergeState | None = cls(cells)
        for term, label in terms:
            state = state.adding(term, label, most) if state else None
        return state

    def adding(self, term: int, label: int, most: int) -> BergeState | None:
        """Return the state with one more consistent term, None if it has too many implicants; what it absorbs goes."""
        cells, cube = self.cells, self.cells.cube(term)
        kept = tuple(other for other in self.terms if cube & ~cells.cube(other[0]))
        cuts = [(cells.columns[cells.owners[code]], cells.excluded[code ^ 1]) for code in codes_of(term)]
        # Within a new implicant lie at most those that conflict on its column alone, and new ones cut on that column.
        rivals: dict[int, list[int]] = {column: [] for column, _ in cuts}
        staying: list[int] = []
        cut: list[int] = []
        for p in self.implicants:
            met = [column for column in rivals if (p | cube) & column == column]
            (staying if met else cut).append(p)
            if len(met) == 1:
                rivals[met[0]].append(p)
        made: dict[int, bool] = {}
        for p in cut:
            for column, excluded in cuts:
                new = p | excluded
                if new & column == column or any(not q & ~new for q in rivals[column]):
                    continue
                # Of two cells one is excluded: none of two new implicants lies within the other.
                if not cells.is_plain:
                    made.update(dict.fromkeys((q for q in rivals[column] if not new & ~q), False))
                    rivals[column] = [*(q for q in rivals[column] if new & ~q), new]
                if len(staying) + sum(made.values()) >= most or len(staying) + len(made) >= 2 * most:
                    return None
                made[new] = True
        found = (*staying, *(p for p, is_largest in made.items() if is_largest))
        return BergeState(cells, (*kept, (term, label)), found)

    def is_interpretable(self, k: int) -> bool:
        """Return whether the implicants of at most k columns cover the default; the terms must be as short."""
        small = [p for p in self.implicants if self.cells.width(p) <= k]
        large = (p for p in self.implicants if self.cells.width(p) > k)
        return not any(self._escapes(small, p) for p in large)

    def _escapes(self, small: list[int], excluded: int) -> bool:
        """Return whether some point that has none of some cells lies in no small implicant."""
        cells = self.cells
        left = [p for p in small if not cells.conflict(p, excluded)]
        if not left:
            return True
        chosen = min(left, key=lambda p: cells.width(p & ~excluded))
        if not chosen & ~excluded:
            return False
        column = cells.columns[cells.restricted(chosen & ~excluded)[0]]
        return any(self._escapes(left, excluded | column & part) for part in (~chosen, chosen))

    def tight(self, k: int) -> list[int]:
        """Return the implicants that restrict k columns."""
        return [p for p in self.implicants if self.cells.width(p) == k]

    @property
    def length(self) -> int:
        """The number of literals in the terms."""
        return sum(term.bit_count() for term, _ in self.terms)


def implicants(cells: Cells, terms: Sequence[int], most: int) -> list[int] | None:
    """Return the implicants of the complement, as masks of cells, the terms added in their order; None if too many.

    >>> implicants(Cells.plain(2), [0b0101], 10), implicants(Cells.plain(2), [0b0101], 1)
    ([2, 8], None)
    """
    state = BergeState.bounded(cells, [(term, 1) for term in terms], most)
    return None if state is None else list(state.implicants)


class BergeSearch:
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
        self.task, self.cells, self.room = task, task.counted, term_room(task)
        self.bath, self.takes = bath, takes_whole(task)
        start = self._state_of(terms)
        assert start is not None, "a search starts from a state that is not too large"
        self.state = start
        self.look_at(task.examples.size)

    def _state_of(self, terms: Sequence[tuple[int, int]]) -> BergeState | None:
        return BergeState.bounded(self.cells, terms, MOST_IMPLICANTS) if len(terms) <= MOST_TERMS else None

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

    def move(self) -> None:
        """Drop some terms, add others, and keep that or not."""
        stream, k = self.bath.stream, self.task.k
        base, base_label, state = self._destroyed()
        if state is None:
            return
        self.is_sure = self.cells.is_plain or bool(stream.below(2))
        if self.is_sure and not state.is_interpretable(k):
            return
        # Long terms in half of the moves: a short term can bar the way to a union of longer ones that is better.
        long = bool(base) or not stream.below(2)
        for _ in range(1 + stream.below(MOST_ADDED)):
            found = self._new_term(state, base, base_label, long=long)
            if found is None:
                break
            state = state.adding(*found, MOST_IMPLICANTS)
            if state is None or len(state.terms) > MOST_TERMS:
                return
        forced = self._forced_out_of(self.task.default)
        if not all(self.cells.conflict(p, cube) for cube in forced for p in state.implicants):
            return
        if self.is_sure or state.is_interpretable(k):
            self._keep_or_not(state)

    def _keep_or_not(self, state: BergeState) -> None:
        """Go on with another state, by chance unless it is better."""
        value = self._value(state)
        if self.bath.choose(np.array([value, self.value])) == 0:
            self.state, self.value = state, value
            if value > self.best_value:
                self.best, self.best_value = state, value

    def _destroyed(self) -> tuple[int, int | None, BergeState | None]:
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
        narrow = count == 1 and term.bit_count() < self.room and not stream.below(2)
        left = self._state_of([pair for place, pair in enumerate(terms) if place not in gone])
        return (term, label, left) if narrow else (0, None, left)

    def _forced_out_of(self, label: int) -> list[int]:
        """Return the cells that terms exclude which have another label by order."""
        return [self.cells.cube(t) for other, terms in enumerate(self.task.forced) if other != label for t in terms]

    def _new_term(self, state: BergeState, base: int, label: int | None, *, long: bool) -> tuple[int, int] | None:
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
        found, usable = self._terms_around(state, base, label, example)
        if not found:
            return None
        times = 1 + MOST_CANDIDATES // 2 // len(found)
        known: dict[int, NDArray[np.int64]] = {}
        terms = [self._completed(term, weights, usable, known, long=long) for _ in range(times) for term in found]
        gains = [int(left[examples.places(examples.satisfying(term))].sum()) for term in terms]
        values = [gain - self.price * term.bit_count() for gain, term in zip(gains, terms, strict=True)]
        chosen = self.bath.choose(np.array([*values, 0]))
        return (terms[chosen], label) if chosen < len(terms) else None

    def _terms_around(self, state: BergeState, base: int, label: int, example: int) -> tuple[list[int], Codes]:
        """Return small terms that hold for an example, contain `base` and are legal, and the literals to use."""
        cells, k = self.cells, self.task.k
        everything = self._literals_of(example, np.arange(2 * self.examples.n_features, dtype=np.int32))
        own = cells.cube(sum(1 << code for code in everything.tolist()))
        usable = self._literals_of(example, self.task.allowed)
        tight = state.tight(k) if self.is_sure else []
        for p in tight:
            if self.takes and not p & ~own:
                usable = usable[[bool(p & cells.columns[cells.owners[code]]) for code in usable.tolist()]]
        known = set(usable.tolist())
        if any(code not in known for code in codes_of(base)):
            return [], usable
        barring = [p for p in tight if p & ~own or not self.takes]
        barring += [cells.cube(term) for term, other in state.terms if other != label]
        barring += self._forced_out_of(label)
        cube = cells.cube(base)
        options = [
            (p, [c for j in cells.restricted(p) for c in cells.members[j] if c in known and self._bars(c, p)])
            for p in barring
            if not cells.conflict(p, cube)
        ]
        found: list[int] = []
        if all(codes for _, codes in options):
            partial = self._hitting_sets(options, base, k - cells.width(cube), 0)
            for _, term in zip(range(MOST_NODES), partial, strict=False):
                if term is not None and term not in found:
                    found.append(term)
                if len(found) == MOST_CANDIDATES:
                    break
        return found, usable

    def _bars(self, code: int, cube: int) -> bool:
        """Return whether a literal conflicts with a mask of cells."""
        column = self.cells.columns[self.cells.owners[code]]
        return (self.cells.excluded[code] | cube) & column == column

    def _order(self, codes: list[int]) -> tuple[int, int]:
        """Return what options are taken in the order of: few literals first, where these are columns small ones."""
        return len(codes), mask_of(codes) if self.cells.is_plain else 0

    def _hitting_sets(
        self, options: list[tuple[int, list[int]]], term: int, room: int, level: int
    ) -> Iterator[int | None]:
        """Yield every term found that conflicts with all options, and None at every other node of the search."""
        cells = self.cells
        if not options:
            yield term if term.bit_count() <= self.room else None
            return
        yield None
        if level == self.room or (not room and cells.is_plain):
            return
        first = min((codes for _, codes in options), key=self._order)
        cube = cells.cube(term)
        for place in self.bath.stream.permutation(len(first)):
            code = first[place]
            left = room - (not cube & cells.columns[cells.owners[code]])
            if left >= 0:
                longer = cells.with_literal(term, code)
                held = cells.cube(longer)
                unmet = [(p, codes) for p, codes in options if all(cells.excluded[c] & ~held for c in codes)]
                yield from self._hitting_sets(unmet, longer, left, level + 1)

    def _completed(
        self, term: int, weights: NDArray[np.int64], usable: Codes, known: dict[int, NDArray[np.int64]], *, long: bool
    ) -> int:
        """Add to a term literals that gain much while there is room; at k columns, or unless `long`, at a price.

        What the literals are worth at each term is kept in `known`.
        """
        cells, examples, price = self.cells, self.examples, self.price
        for _ in range(self.room):
            if term.bit_count() == self.room:
                break
            cube = cells.cube(term)
            is_full = cells.width(cube) == self.task.k
            free = [
                place
                for place, code in enumerate(usable.tolist())
                # Where features are columns, one drawn that is there already leaves the term as it is.
                if cells.is_plain
                or (cells.excluded[code] & ~cube and (not is_full or cube & cells.columns[cells.owners[code]]))
            ]
            if not free:
                break
            if term not in known:
                places = examples.places(examples.satisfying(term))
                known[term] = np.append(examples.literal_values(usable, weights, places), weights[places].sum())
            values, total = known[term][free], known[term][-1]
            values = values if long and not is_full else values - price
            chosen = self.bath.choose(np.append(values, total) if is_full or not long else values)
            if chosen == len(free):
                break
            term = cells.with_literal(term, int(usable[free[chosen]]))
        return term

    def _literals_of(self, example: int, codes: Codes) -> Codes:
        """Return those of some literals that hold for an example."""
        has = self.examples.features[example][codes >> 1] > 0
        held: Codes = codes[has != (codes & 1)]
        return held

    def _covered(self, state: BergeState, label: int | None = None) -> int:
        """Return the examples that satisfy a term of a label, or any term."""
        covered = 0
        for term, other in state.terms:
            if label is None or other == label:
                covered |= self.examples.satisfying(term)
        return covered

    def _value(self, state: BergeState) -> int:
        covers = (self.examples.places(self._covered(state, label)) for label in range(len(self.gains)))
        return sum(int(gains[cover].sum()) for gains, cover in zip(self.gains, covers, strict=True)) - (
            self.price * state.length
        )


def repair(
    task: BergeTask, terms: Sequence[tuple[int, int]], cooling: Schedule, seed: int, is_over: Callable[[], bool]
) -> Repaired:
    """Make moves from labelled terms while the temperature falls; `is_over` is asked now and then whether to stop."""
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
