"""One answer for each row of a table, made once for all rows that are alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from idnf.auditing.class_boxes import ClassBoxes
from idnf.auditing.outside_sets import Sets, outside_sets

Answer = TypeVar("Answer")


class RowAnswers(Sequence[Answer], Generic[Answer]):
    """A sequence with one answer for each row; rows of one pattern share the object.

    Parameters
    ----------
    index : int array of shape (rows,)
        The pattern of each row.
    answer : callable
        Gives the answer for a pattern; it is asked once.

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

    @overload
    def __getitem__(self, row: int) -> Answer: ...

    @overload
    def __getitem__(self, row: slice) -> list[Answer]: ...

    def __getitem__(self, row: int | slice) -> Answer | list[Answer]:
        if isinstance(row, slice):
            return [self._of(pattern) for pattern in self._index[row].tolist()]
        if not -len(self) <= row < len(self):
            raise IndexError(f"row must be below {len(self)}; got {row}.")
        return self._of(int(self._index[row]))

    def __iter__(self) -> Iterator[Answer]:
        return map(self._of, self._index.tolist())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} rows>"

    def _of(self, pattern: int) -> Answer:
        if pattern not in self._known:
            self._known[pattern] = self._answer(pattern)
        return self._known[pattern]


def contrast_families(
    model: ClassBoxes, patterns: NDArray[np.intp], labels: NDArray[np.intp]
) -> Iterator[tuple[NDArray[np.intp], Sets]]:
    """Yield groups of patterns of one class, and for each the columns on which it lies outside each opposite box."""
    for label in range(len(model.inner)):
        chosen = np.flatnonzero(labels == label)
        for part, family in outside_sets(model.frame.inner, model.others(label), patterns[chosen]):
            yield chosen[part], family
