"""Explanations of decisions: one object for an example, made when asked for, from answers computed for all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from idnf.explaining.batch import Answers, Patterns
from idnf.explaining.certificates import ReasonCertificate, reason_certificate
from idnf.explaining.checking import Check, check_decision
from idnf.explaining.growing import contrast
from idnf.logic.boxes import Box, Point

if TYPE_CHECKING:
    from idnf.explaining.explainer import Explainer

ValueWords = Callable[[int, int], str]
"""Gives, for a row and a column, the row's own value the way the table writes it."""


@dataclass(frozen=True)
class Condition:
    """A condition on one column.

    Attributes
    ----------
    column : str
    words : str
        The condition alone: ``income <= 35000``.
    said : str
        The condition beside the example's own value (``income is 31000 (at most 35000)``) or, in a CXp, as something to
        have instead (``income over 35000``).
    mask : int
        The cells that meet it.
    """

    column: str
    words: str
    said: str
    mask: int

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why one example gets its class, and what would change it.

    Parameters
    ----------
    explainer : Explainer
    point : tuple of int
        The example's cells.
    side : int
        Its class, 0 or 1.
    box : Box
        The conditions of its smallest AXp.
    changed : tuple of int
        The columns of its smallest CXp, empty when the other class is empty.
    values : callable
        Gives, for a column, the example's own value in words.
    """

    explainer: Explainer
    point: Point
    side: int
    box: Box
    changed: tuple[int, ...]
    values: Callable[[int], str]

    @property
    def label(self) -> object:
        """The class."""
        return self.explainer.classes[self.side]

    @property
    def other(self) -> object:
        """The other class."""
        return self.explainer.classes[1 - self.side]

    @cached_property
    def axp(self) -> tuple[Condition, ...]:
        """The conditions of the smallest AXp, each true of the example; together they give the class."""
        wordings = self.explainer.wordings
        return tuple(
            Condition(
                wordings[j].name,
                wordings[j].condition(self.box[j]),
                wordings[j].because(self.box[j], self.values(j)),
                self.box[j],
            )
            for j in self.explainer.space.constrained(self.box)
        )

    @cached_property
    def cxp(self) -> tuple[Condition, ...]:
        """Conditions on the columns of the smallest CXp under which the example would be in the other class."""
        wordings = self.explainer.wordings
        box = self.contrast
        return tuple(
            Condition(wordings[j].name, wordings[j].condition(box[j]), wordings[j].change(box[j]), box[j])
            for j in self.changed
        )

    @cached_property
    def contrast(self) -> Box:
        """The conditions of the CXp as cells, with the example's own cells on all other columns."""
        sides = self.explainer.sides
        own, other = sides.regions[self.side], sides.regions[1 - self.side]
        inner = [sides.frame.columns.index(j) for j in self.changed]
        box = sides.frame.expanded(contrast(sides.frame.inner, own, other, sides.frame.point(self.point), inner))
        return tuple(box[j] if j in self.changed else 1 << cell for j, cell in enumerate(self.point))

    @property
    def axp_columns(self) -> tuple[str, ...]:
        """The columns of the smallest AXp."""
        return tuple(condition.column for condition in self.axp)

    @property
    def cxp_columns(self) -> tuple[str, ...]:
        """The columns of the smallest CXp; none when no change can give the other class."""
        return tuple(condition.column for condition in self.cxp)

    @property
    def reason(self) -> str | None:
        """The identifier of the reason in the catalogue; None where the class has too many reasons to be listed."""
        return self.explainer.reason_id(self.side, self.box)

    def to_text(self) -> str:
        """Return the reason with the example's own values, and in a second sentence what would change the class."""
        label = _named(self.label)
        other = self.other if isinstance(self.other, str) else f"class {self.other}"
        if not self.axp:
            return f"{label} always: nothing in the example matters."
        # The catalogue may take a while to list, so it is asked only where there are texts to find.
        given = self.explainer.texts.get(self.reason or "") if self.explainer.texts else None
        why = given or " and ".join(condition.said for condition in self.axp)
        changes = " and ".join(condition.said for condition in self.cxp)
        return f"{label} because {why}. Otherwise the same, it would be {other} with {changes}."

    def to_dict(self) -> dict[str, object]:
        """Return the explanation as plain data."""
        return {
            "label": self.label,
            "reason": self.reason,
            "axp": [{"column": c.column, "condition": c.words, "said": c.said} for c in self.axp],
            "cxp": [{"column": c.column, "condition": c.words, "said": c.said} for c in self.cxp],
            "text": self.to_text(),
        }

    def certificate(self) -> ReasonCertificate:
        """Return, for each term of the other class, the condition of the reason that contradicts it."""
        return reason_certificate(self.explainer.sides, self.explainer.wordings, self.side, self.box)

    def check(self) -> Check:
        """Prove the reason and the change again without the explainer: by a truth table, or by a SAT solver if large.

        Raises
        ------
        CheckError
            Names what does not hold.
        """
        sides = self.explainer.sides
        claim = (sides.space.constrained(self.box), self.box, self.changed)
        return check_decision(sides.terms, sides.space, self.point, claim)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<Explanation: {self.to_text()}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<li>{escape(condition.said)}</li>" for condition in self.axp)
        changes = "".join(f"<li>{escape(condition.said)}</li>" for condition in self.cxp)
        why = f"<p><b>{escape(_named(self.label))}</b> because</p><ul>{rows}</ul>"
        return f"<div>{why}<p>{escape(_named(self.other))} with</p><ul>{changes}</ul></div>" if changes else why


class Explanations(Sequence[Explanation]):
    """Explanations of many examples: computed together, handed out one by one.

    Parameters
    ----------
    explainer : Explainer
    cells : int array of shape (rows, columns)
    patterns : Patterns
    answers : Answers
    values : callable, optional
        Gives, for a row and a column, the row's own value in words; the label of its cell if not given.
    """

    def __init__(
        self,
        explainer: Explainer,
        cells: NDArray[np.integer],
        patterns: Patterns,
        answers: Answers,
        values: ValueWords | None = None,
    ) -> None:
        self._explainer = explainer
        self._cells = cells
        self._patterns = patterns
        self._answers = answers
        self._values = values

    def __len__(self) -> int:
        return len(self._cells)

    def __repr__(self) -> str:
        return f"<Explanations of {len(self)} rows>"

    @overload
    def __getitem__(self, row: int) -> Explanation: ...

    @overload
    def __getitem__(self, row: slice) -> list[Explanation]: ...

    def __getitem__(self, row: int | slice) -> Explanation | list[Explanation]:
        if isinstance(row, slice):
            return [self._made(r) for r in range(*row.indices(len(self)))]
        if not -len(self) <= row < len(self):
            raise IndexError(f"row must be below {len(self)}; got {row}.")
        return self._made(row % len(self))

    def __iter__(self) -> Iterator[Explanation]:
        return map(self._made, range(len(self)))

    @cached_property
    def sides(self) -> NDArray[np.bool_]:
        """For each row whether its class is class 1."""
        return self._answers.labels[self._patterns.index]

    @cached_property
    def axp_sizes(self) -> NDArray[np.intp]:
        """The number of columns of each row's smallest AXp."""
        return np.array([len(axp) for axp in self._answers.axps], dtype=np.intp)[self._patterns.index]

    @cached_property
    def cxp_sizes(self) -> NDArray[np.intp]:
        """The number of columns of each row's smallest CXp, 0 where there is none."""
        return np.array([len(cxp or ()) for cxp in self._answers.cxps], dtype=np.intp)[self._patterns.index]

    def grouped(self) -> tuple[list[tuple[int, Box]], NDArray[np.intp]]:
        """Return the distinct reasons given, each as class and box, and the number of each row's reason."""
        number: dict[tuple[int, Box], int] = {}
        labels = self._answers.labels.tolist()
        index = [number.setdefault((int(l), b), len(number)) for l, b in zip(labels, self._answers.boxes, strict=True)]
        frame = self._explainer.sides.frame
        reasons = [(label, frame.expanded(box)) for label, box in number]
        return reasons, np.array(index, dtype=np.intp)[self._patterns.index]

    def _made(self, row: int) -> Explanation:
        pattern = int(self._patterns.index[row])
        frame = self._explainer.sides.frame
        point: Point = tuple(self._cells[row].tolist())
        columns = self._explainer.space.columns

        def own_value(column: int) -> str:
            if self._values is not None:
                return self._values(row, column)
            return columns[column].cells[point[column]]

        return Explanation(
            self._explainer,
            point,
            int(self._answers.labels[pattern]),
            frame.expanded(self._answers.boxes[pattern]),
            frame.outer(self._answers.cxps[pattern] or ()),
            own_value,
        )


def _named(label: object) -> str:
    """Return a class as the first words of a sentence."""
    return label[:1].upper() + label[1:] if isinstance(label, str) else f"Class {label}"
