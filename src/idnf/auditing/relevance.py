"""Columns that a decision needs: those in every reason, those in some reason, those in none.

The reasons of a decision are its AXps, and its AXps are the minimal transversals of its CXps. So a column is in every
reason iff it alone is a CXp (changing it alone can change the class), and in some reason iff it is in some CXp.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from idnf.auditing.reason_sets import RowAnswers, columns_of, contrast_families, minimal_members, union_where
from idnf.explaining.batch import Patterns, predicted
from idnf.explaining.hitting import Sets, set_type
from idnf.explaining.sides import Sides


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

    def __init__(self, model: Sides, cells: NDArray[np.integer], classes: Sequence[object] | None = None) -> None:
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
    model: Sides, patterns: Patterns, labels: NDArray[np.intp]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return for each pattern and column of the space whether it is in every reason, and whether it is in some."""
    necessary: Sets = np.zeros(len(labels), dtype=set_type(model.frame.inner))
    relevant = necessary.copy()
    for chosen, family in contrast_families(model, patterns, labels):
        necessary[chosen] = union_where(family, (family & (family - 1)) == 0)
        relevant[chosen] = union_where(family, minimal_members(family))
    return spread(model, necessary), spread(model, relevant)


def spread(model: Sides, sets: Sets) -> NDArray[np.bool_]:
    """Return sets of columns of the frame as an array with a column for each column of the space."""
    held = np.zeros((len(sets), len(model.space.columns)), dtype=bool)
    held[:, list(model.frame.columns)] = columns_of(sets, len(model.frame.columns))
    return held
