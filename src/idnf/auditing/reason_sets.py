"""Sets of columns of many points at once: those on which a point lies outside each of some boxes, and its reasons.

A family is an array of shape (boxes, points) of sets of columns; column j is bit j. Up to 63 columns the sets are
machine words, above they are Python integers in the same arrays, slower and otherwise alike. The subset-minimal sets
of a family are the CXps of a point and their minimal transversals its AXps. Every box of the other side constrains at
most k columns, so there are at most k**k transversals of at most k columns.

The reasons of a decision are its AXps. So a column is in every reason iff it alone is a CXp (changing it alone can
change the class), and in some reason iff it is in some CXp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.explaining.batch import Patterns, Sets, as_set, extended, outside_family, predicted, set_type
from idnf.logic.boxes import Box, Space
from idnf.logic.cubes import outermost
from idnf.logic.sides import ClassBoxes
from idnf.result_frames import Answer, RowSequence

_MOST_SETS = 2_000_000
"""Sets held at a time."""

_ENTRIES = 4_000_000
"""Sets compared at a time."""

_MANY = 256
"""Families of more sets than this are searched point by point, with equal sets counted once."""


def outside_sets(space: Space, boxes: Sequence[Box], cells: NDArray[np.intp]) -> Iterator[tuple[slice, Sets]]:
    """Yield parts of the points, and for each box and point of the part the columns on which it lies outside.

    >>> family = next(outside_sets(Space.boolean("ab"), [(1, 3), (2, 1)], np.array([[0, 1], [1, 1]])))[1]
    >>> family.tolist()
    [[0, 1], [3, 2]]
    """
    step = max(256, _MOST_SETS // max(1, len(boxes)))
    for begin in range(0, len(cells), step):
        part = slice(begin, begin + step)
        yield part, outside_family(space, boxes, cells[part], [1 << j for j in range(len(space.columns))])


def columns_of(sets: Sets, count: int) -> NDArray[np.bool_]:
    """Return an array with a row for each set and a column for each of ``count`` columns.

    >>> columns_of(np.array([0b01, 0b11], dtype=np.uint64), 2).tolist()
    [[True, False], [True, True]]
    """
    held = [(sets & as_set(1 << j, sets)) != 0 for j in range(count)]
    return np.stack(held, axis=1).astype(bool) if held else np.zeros((len(sets), 0), dtype=bool)


def minimal_members(family: Sets) -> NDArray[np.bool_]:
    """Return the places in a family of the sets that contain no other set of the same point.

    >>> minimal_members(np.array([[0b11, 0b01], [0b01, 0b10]], dtype=np.uint64)).tolist()
    [[False, True], [True, True]]
    """
    minimal: NDArray[np.bool_] = np.ones(family.shape, dtype=bool)
    if len(family) > _MANY:
        for point, sets in enumerate(family.T):
            minimal[:, point] = np.isin(sets, _minimal(np.unique(sets)))
        return minimal
    for i, sets in enumerate(family):
        inside = ((family & ~sets) == 0) & (family != sets)
        minimal[i] = ~inside.any(axis=0)
    return minimal


def _minimal(sets: Sets) -> Sets:
    """Return those of some different sets that hold no other: only smaller ones that were kept can lie in one."""
    sizes = np.array([int(one).bit_count() for one in sets])
    kept = sets[:0]
    for size in np.unique(sizes):
        level = sets[sizes == size]
        free: NDArray[np.bool_] = np.ones(len(level), dtype=bool)
        for one in kept:
            free &= (one & ~level) != 0
        kept = np.concatenate([kept, level[free]])
    return kept


def union_where(family: Sets, chosen: NDArray[np.bool_]) -> Sets:
    """Return for each point the union of the chosen sets."""
    union: Sets = np.bitwise_or.reduce(np.where(chosen, family, as_set(0, family)), axis=0)
    return union


def single_members(family: Sets) -> Sets:
    """Return for each point the columns that are a set of the family alone: no reason does without them."""
    return union_where(family, (family & (family - 1)) == 0)


@dataclass(frozen=True)
class Transversals:
    """Minimal transversals of many families: the point each belongs to, and its columns."""

    points: NDArray[np.intp]
    sets: Sets


def small_transversals(family: Sets, k: int) -> Transversals:
    """Return all minimal transversals of at most k columns.

    Level by level: a partial transversal grows by every column of the first set it misses.

    >>> found = small_transversals(np.array([[0b011], [0b101]], dtype=np.uint64), 2)
    >>> found.points.tolist(), found.sets.tolist()
    ([0, 0], [1, 6])
    """
    points: NDArray[np.intp] = np.arange(family.shape[1])
    partial: Sets = np.zeros(family.shape[1], dtype=family.dtype)
    done: list[tuple[NDArray[np.intp], Sets]] = []
    for size in range(k + 1):
        missed = _first_set_missed(family, points, partial)
        complete = missed == 0
        done.append((points[complete], partial[complete]))
        if size < k:
            points, partial = extended(points[~complete], partial[~complete], missed[~complete])
    owner = np.concatenate([owners for owners, _ in done])
    found = np.concatenate([sets for _, sets in done])
    minimal = _are_minimal(family, owner, found)
    return Transversals(owner[minimal], found[minimal])


def _blocks(family: Sets, count: int) -> list[slice]:
    step = max(1, _ENTRIES // max(1, len(family)))
    return [slice(begin, begin + step) for begin in range(0, count, step)]


def _first_set_missed(family: Sets, points: NDArray[np.intp], partial: Sets) -> Sets:
    """Return for each partial transversal the first set it misses, 0 if it misses none."""
    missed: Sets = np.zeros(len(points), dtype=family.dtype)
    if len(family):
        for part in _blocks(family, len(points)):
            sets = family[:, points[part]]
            misses = (sets & partial[part]) == 0
            first = misses.argmax(axis=0)
            here = np.arange(sets.shape[1])
            missed[part] = np.where(misses[first, here], sets[first, here], as_set(0, family))
    return missed


def _are_minimal(family: Sets, points: NDArray[np.intp], sets: Sets) -> NDArray[np.bool_]:
    """Tell for each transversal whether every column is the only one that meets some set."""
    minimal: NDArray[np.bool_] = np.ones(len(points), dtype=bool)
    for part in _blocks(family, len(points)):
        met = family[:, points[part]] & sets[part]
        alone = np.where((met & (met - (met != 0))) == 0, met, as_set(0, family))
        needed = np.bitwise_or.reduce(alone, axis=0) if len(family) else np.zeros_like(sets[part])
        minimal[part] = needed == sets[part]
    return minimal


class RowAnswers(RowSequence[Answer]):
    """A sequence with one answer for each row; rows of one pattern share the object.

    Parameters
    ----------
    index : int array of shape (rows,)
        The pattern of each row.
    answer : callable
        Return the answer for a pattern; called once per pattern.

    Examples
    --------
    >>> list(RowAnswers(np.array([1, 0, 1]), lambda pattern: "ab"[pattern]))
    ['b', 'a', 'b']
    """

    def __init__(self, index: NDArray[np.intp], answer: Callable[[int], Answer]) -> None:
        self._index = index
        self._answer = answer
        self._known: dict[int, Answer] = {}

    def __len__(self) -> int:
        return len(self._index)

    def _at(self, row: int) -> Answer:
        return self._of(int(self._index[row]))

    def __iter__(self) -> Iterator[Answer]:
        return map(self._of, self._index.tolist())

    def _of(self, pattern: int) -> Answer:
        if pattern not in self._known:
            self._known[pattern] = self._answer(pattern)
        return self._known[pattern]


def contrast_families(
    model: ClassBoxes, patterns: Patterns, labels: NDArray[np.intp]
) -> Iterator[tuple[NDArray[np.intp], Sets]]:
    """Yield groups of patterns of one class, and for each the columns on which it lies outside each opposite box."""
    for label, region in zip(model.labels, model.regions, strict=True):
        chosen = np.flatnonzero(labels == label)
        boxes = outermost(list(dict.fromkeys(region.boxes)))
        for part, family in outside_sets(model.frame.inner, boxes, patterns.cells[chosen]):
            yield chosen[part], family


@dataclass(frozen=True)
class Relevance:
    """The columns of the reasons of one decision.

    Attributes
    ----------
    label : object
        The class.
    necessary : tuple of str
        The columns in every reason: changing one of them alone can change the class.
    relevant : tuple of str
        The columns in some reason, the necessary ones among them.
    irrelevant : tuple of str
        The columns in no reason.
    """

    label: object
    necessary: tuple[str, ...]
    relevant: tuple[str, ...]
    irrelevant: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        """Return the answer as plain data."""
        columns = {"necessary": self.necessary, "relevant": self.relevant, "irrelevant": self.irrelevant}
        return {"label": self.label, **{name: list(held) for name, held in columns.items()}}


class Relevances(RowAnswers[Relevance]):
    """For each row the columns in every, in some and in no reason.

    Attributes
    ----------
    columns : tuple of str
        The columns of the table.
    necessary, relevant : bool arrays of shape (rows, columns)
        Whether each column is in every reason, or in some reason, of the row's decision.
    """

    def __init__(self, model: ClassBoxes, cells: NDArray[np.integer], classes: Sequence[object] | None = None) -> None:
        patterns = Patterns.of(model.frame, cells)
        self.columns = tuple(column.name for column in model.space.columns)
        self._classes = model.labels if classes is None else classes
        self._labels = predicted(model, patterns)
        self._by_pattern = _columns_in_reasons(model, patterns, self._labels)
        super().__init__(patterns.index, self._relevance)

    @property
    def necessary(self) -> NDArray[np.bool_]:
        """Whether each column is in every reason."""
        return self._by_pattern[0][self._index]

    @property
    def relevant(self) -> NDArray[np.bool_]:
        """Whether each column is in some reason."""
        return self._by_pattern[1][self._index]

    def shares(self) -> dict[str, tuple[float, float]]:
        """Return for each column the share of rows in which it is necessary, and in which it is relevant."""
        rows = max(1, len(self))
        counts = np.bincount(self._index, minlength=len(self._labels))
        needed, used = (counts @ held / rows for held in self._by_pattern)
        return {name: (float(needed[j]), float(used[j])) for j, name in enumerate(self.columns)}

    def _relevance(self, pattern: int) -> Relevance:
        necessary, relevant = (held[pattern] for held in self._by_pattern)
        return Relevance(
            self._classes[self._labels[pattern]],
            tuple(name for name, held in zip(self.columns, necessary, strict=True) if held),
            tuple(name for name, held in zip(self.columns, relevant, strict=True) if held),
            tuple(name for name, held in zip(self.columns, relevant, strict=True) if not held),
        )


def _columns_in_reasons(
    model: ClassBoxes, patterns: Patterns, labels: NDArray[np.intp]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return for each pattern and column of the space whether it is in every reason, and whether it is in some."""
    necessary: Sets = np.zeros(len(labels), dtype=set_type(model.frame.inner))
    relevant = necessary.copy()
    for chosen, family in contrast_families(model, patterns, labels):
        necessary[chosen] = single_members(family)
        relevant[chosen] = union_where(family, minimal_members(family))
    return spread(model, necessary), spread(model, relevant)


def spread(model: ClassBoxes, sets: Sets) -> NDArray[np.bool_]:
    """Return sets of columns of the frame as an array with a column for each column of the space."""
    held = np.zeros((len(sets), len(model.space.columns)), dtype=bool)
    held[:, list(model.frame.columns)] = columns_of(sets, len(model.frame.columns))
    return held
