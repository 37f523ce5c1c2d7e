"""Berge steps where k counts columns: as :mod:`idnf.learning.local.reference.repairing`, on the cells of columns.

Implicants and terms are masks of the cells that they exclude. Adding a term leaves the implicants that it conflicts
with, and cuts every other one to the negation of each of its literals in turn; only the largest are kept. A point of
the default with a reason of some columns then lies in an implicant that restricts no others: some literal of a term
fails at it on one of these columns. In half of the moves a new term conflicts with every implicant of k columns, or,
around an example in it, restricts no other columns, which is surely legal; in the other half any term is tried, and
whether small implicants still cover the default decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.learning.local.berge_search import (
    MOST_ADDED,
    MOST_CANDIDATES,
    MOST_IMPLICANTS,
    MOST_NODES,
    MOST_TERMS,
    BergeTask,
    term_room,
)
from idnf.learning.local.heat_bath import HeatBath
from idnf.learning.local.masks import Cells, Codes
from idnf.learning.local.reference.repairing import Searching
from idnf.logic.literals import codes_of


@dataclass(frozen=True)
class ColumnState:
    """Terms with their labels, as masks of literals, and implicants of the default label, as masks of cells."""

    cells: Cells
    terms: tuple[tuple[int, int], ...]
    implicants: tuple[int, ...]

    @classmethod
    def bounded(cls, cells: Cells, terms: Iterable[tuple[int, int]], most: int) -> ColumnState | None:
        """Return the state of some terms, or None when more than `most` implicants come up."""
        state: ColumnState | None = cls(cells, (), (0,))
        for term, label in terms:
            state = state.adding(term, label, most) if state else None
        return state

    def adding(self, term: int, label: int, most: int) -> ColumnState | None:
        """Return the state with one more consistent term, None if it has too many implicants; what it absorbs goes."""
        cells, cube = self.cells, self.cells.cube(term)
        kept = tuple(other for other in self.terms if cube & ~cells.cube(other[0]))
        found = [p for p in self.implicants if cells.conflict(p, cube)]
        for p in self.implicants:
            if cells.conflict(p, cube):
                continue
            for code in codes_of(term):
                new = p | cells.excluded[code ^ 1]
                if cells.is_empty(new) or any(q & ~new == 0 for q in found):
                    continue
                found = [q for q in found if new & ~q]
                if len(found) == most:
                    return None
                found.append(new)
        return ColumnState(cells, (*kept, (term, label)), tuple(found))

    def is_interpretable(self, k: int) -> bool:
        """Tell whether the implicants of at most k columns cover the default; the terms must be as short."""
        small = [p for p in self.implicants if self.cells.width(p) <= k]
        large = (p for p in self.implicants if self.cells.width(p) > k)
        return not any(self._escapes(small, p) for p in large)

    def _escapes(self, small: list[int], excluded: int) -> bool:
        """Tell whether some point that has none of some cells lies in no small implicant."""
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


def column_implicants(cells: Cells, terms: Sequence[int], most: int) -> list[int] | None:
    """Return the implicants of the complement, as masks of cells, the terms added in their order; None if too many."""
    state = ColumnState.bounded(cells, [(term, 1) for term in terms], most)
    return None if state is None else list(state.implicants)


class ColumnSearch(Searching[ColumnState]):
    """A state under search with its value, where k counts columns."""

    def __init__(self, task: BergeTask, terms: Sequence[tuple[int, int]], bath: HeatBath) -> None:
        assert task.cells is not None, "columns have cells"
        self.cells, self.room = task.cells, term_room(task)
        super().__init__(task, terms, bath)

    def _state_of(self, terms: Sequence[tuple[int, int]]) -> ColumnState | None:
        return ColumnState.bounded(self.cells, terms, MOST_IMPLICANTS) if len(terms) <= MOST_TERMS else None

    def move(self) -> None:
        """Drop some terms, add others, and keep that or not."""
        stream, k = self.bath.stream, self.task.k
        base, base_label, state = self._destroyed()
        if state is None:
            return
        self.is_sure = bool(stream.below(2))
        if self.is_sure and not state.is_interpretable(k):
            return
        long = bool(base) or not stream.below(2)
        for _ in range(1 + stream.below(MOST_ADDED)):
            found = self._new_term(state, base, base_label, long=long)
            if found is None:
                break
            state = state.adding(*found, MOST_IMPLICANTS)
            if state is None or len(state.terms) > MOST_TERMS:
                return
        if self.is_sure or state.is_interpretable(k):
            self._keep_or_not(state)

    def _may_narrow(self, term: int) -> bool:
        return term.bit_count() < self.room

    def _terms_around(
        self, state: ColumnState, base: int, label: int, example: int, weights: NDArray[np.int64], *, long: bool
    ) -> list[int]:
        """Return terms that hold for an example and contain `base`."""
        cells, k = self.cells, self.task.k
        everything = self._literals_of(example, np.arange(2 * self.examples.n_features, dtype=np.int32))
        own = cells.cube(sum(1 << code for code in everything.tolist()))
        usable = self._literals_of(example, self.task.allowed)
        tight = state.tight(k) if self.is_sure else []
        for p in tight:
            if not p & ~own:
                usable = usable[[bool(p & cells.columns[cells.owners[code]]) for code in usable.tolist()]]
        if any(code not in usable for code in codes_of(base)):
            return []
        barring = [p for p in tight if p & ~own]
        barring += [cells.cube(term) for term, other in state.terms if other != label]
        cube = cells.cube(base)
        unmet = [p for p in barring if not cells.conflict(p, cube)]
        options = [[c for c in usable.tolist() if cells.conflict(cells.excluded[c], p)] for p in unmet]
        found: list[int] = []
        if all(options):
            partial = self._hitting_sets(options, base, k - cells.width(cube), 0)
            for _, term in zip(range(MOST_NODES), partial, strict=False):
                if term is not None and term not in found:
                    found.append(term)
                if len(found) == MOST_CANDIDATES:
                    break
        if not found:
            return []
        times = 1 + MOST_CANDIDATES // 2 // len(found)
        known: dict[int, NDArray[np.int64]] = {}
        return [self._completed(term, weights, usable, known, long=long) for _ in range(times) for term in found]

    def _hitting_sets(self, options: list[list[int]], term: int, room: int, level: int) -> Iterator[int | None]:
        """Yield every term found, and None at every other node of the search."""
        cells = self.cells
        if not options:
            yield term if term.bit_count() <= self.room else None
            return
        yield None
        if level == self.room:
            return
        first = min(options, key=len)
        cube = cells.cube(term)
        for place in self.bath.stream.permutation(len(first)):
            code = first[place]
            left = room - (not cube & cells.columns[cells.owners[code]])
            if left >= 0:
                longer = cells.with_literal(term, code)
                held = cells.cube(longer)
                unmet = [o for o in options if all(cells.excluded[c] & ~held for c in o)]
                yield from self._hitting_sets(unmet, longer, left, level + 1)

    def _completed(
        self, term: int, weights: NDArray[np.int64], usable: Codes, known: dict[int, NDArray[np.int64]], *, long: bool
    ) -> int:
        """Add to a term literals that gain much while there is room; unless `long`, and at k columns, priced."""
        cells, examples, price = self.cells, self.examples, self.price
        for _ in range(self.room):
            if term.bit_count() == self.room:
                break
            cube = cells.cube(term)
            is_full = cells.width(cube) == self.task.k
            free = [
                place
                for place, code in enumerate(usable.tolist())
                if cells.excluded[code] & ~cube and (not is_full or cube & cells.columns[cells.owners[code]])
            ]
            if not free:
                break
            if term not in known:
                places = examples.places(examples.satisfying(term))
                known[term] = np.append(examples.literal_values(usable, weights, places), weights[places].sum())
            values, total = known[term][free], known[term][-1]
            chosen = self.bath.choose(np.append(values - price, total) if is_full or not long else values)
            if chosen == len(free):
                break
            term = cells.with_literal(term, int(usable[free[chosen]]))
        return term
