"""Explanations of decisions: one object for an example, made when asked for, from answers computed for all at once.

What is decided and why is worded once, as a verdict, for all examples that a model does not distinguish; an explanation
adds the example's own values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from idnf.columns.phrases import in_sentence, joined, listed
from idnf.explaining.batch import Answers, Patterns
from idnf.explaining.reading import ReasonCertificate, reason_certificate
from idnf.explaining.wording import ClassWords
from idnf.logic.boxes import Box, Point, cells_of
from idnf.logic.regions import Contrast, contrast
from idnf.proving.independent_check import Check, DecisionClaim, check_decision
from idnf.result_frames import RowSequence, Tabular

if TYPE_CHECKING:
    from idnf.explaining.explainer import Explainer

ValueWords = Callable[[int, slice], Sequence[str]]
"""Gives, for a column and some rows, the rows' own values the way the table writes them."""

_BLOCK = 4096
"""Rows whose own values are written at a time."""


@dataclass(frozen=True)
class Condition:
    """A condition on one column.

    Attributes
    ----------
    column : str
    words : str
        The condition alone: ``income <= 35000``.
    said : str
        The condition beside the example's own value (``income is 31000 (35000 or less)``) or, in a CXp, as something to
        have instead (``income were over 35000``).
    mask : int
        The cells that meet it.
    alternatives : bool
        Whether it says "or", so that beside other conditions it stands in brackets.
    """

    column: str
    words: str
    said: str
    mask: int
    alternatives: bool

    @property
    def cells(self) -> tuple[int, ...]:
        """The cells that meet it, by their place in the column of a model file."""
        return tuple(cells_of(self.mask))

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, eq=False)
class Verdict:
    """The class of a pattern of merged cells, its smallest AXp and its smallest CXp.

    Parameters
    ----------
    explainer : Explainer
    pattern : tuple of int
        The cells of the frame.
    side : int
        The class, 0 or 1.
    inner : Box
        The conditions of the smallest AXp, in the frame.
    inner_changed : tuple of int
        The columns of the smallest CXp, in the frame; none when the other class is empty.
    """

    explainer: Explainer
    pattern: Point
    side: int
    inner: Box
    inner_changed: tuple[int, ...]

    @property
    def label(self) -> object:
        """The class."""
        return self.explainer.classes[self.side]

    @property
    def outcome(self) -> ClassWords:
        """The class in words."""
        return self.explainer.outcomes[self.side]

    @property
    def other(self) -> object:
        """The class that the change gives: the other one, if there are two."""
        return self.other_outcome.label

    @property
    def other_outcome(self) -> ClassWords:
        """The class that the change gives, in words."""
        others = self.explainer.sides.others(self.side)
        return self.explainer.outcomes[others[0 if len(others) == 1 else self.contrast.other]]

    @cached_property
    def box(self) -> Box:
        """The conditions of the AXp."""
        return self.explainer.sides.frame.expand(self.inner)

    @cached_property
    def changed(self) -> tuple[int, ...]:
        """The columns of the CXp."""
        return self.explainer.sides.frame.outer(self.inner_changed)

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The columns of the AXp."""
        return self.explainer.space.constrained(self.box)

    @cached_property
    def axp(self) -> tuple[Condition, ...]:
        """The conditions of the AXp, said without the name of the column and without an example's own value."""
        named = ((self.explainer.wordings[j], self.box[j]) for j in self.columns)
        said = ((wording.name, wording.phrase(mask), mask) for wording, mask in named)
        return tuple(Condition(name, p.condition, p.beside, mask, p.alternatives) for name, p, mask in said)

    @cached_property
    def changes(self) -> Box:
        """The cells that would do on the columns of the CXp, all other columns being as they are."""
        return self.explainer.sides.frame.expand(self.contrast.box)

    @cached_property
    def contrast(self) -> Contrast:
        """The conditions of the CXp, in the frame, and the class they give."""
        sides = self.explainer.sides
        others = [sides.regions[other] for other in sides.others(self.side)]
        return contrast(sides.frame.inner, sides.regions[self.side], others, self.pattern, self.inner_changed)

    @cached_property
    def cxp(self) -> tuple[Condition, ...]:
        """The conditions of the CXp."""
        named = ((self.explainer.wordings[j], self.changes[j]) for j in self.changed)
        said = ((wording, wording.phrase(mask), mask) for wording, mask in named)
        return tuple(Condition(w.name, p.condition, w.change(mask), mask, p.alternatives) for w, p, mask in said)

    @cached_property
    def reason(self) -> str | None:
        """The identifier of the reason in the catalogue; None if the class has too many reasons to be listed."""
        return self.explainer.reason_id(self.side, self.box)

    @cached_property
    def given_text(self) -> str | None:
        """The user's own wording of the reason."""
        # The catalogue may take a while to list, so it is asked only if there are texts to find.
        return self.explainer.texts.get(self.reason or "") if self.explainer.texts else None

    @cached_property
    def otherwise(self) -> str:
        """The sentence that says what would change the class; empty if nothing would."""
        if not self.cxp:
            return ""
        phrases = ((c.said, self.explainer.wordings[j].phrase(c.mask)) for j, c in zip(self.changed, self.cxp))
        changes = in_sentence([(words, phrase.choice) for words, phrase in phrases])
        return f"If {changes}, {self.other_outcome.would_be}."


def condition_text(conditions: Iterable[Condition]) -> str:
    """Return conditions as one, those that say "or" in brackets."""
    return joined([(condition.words, condition.alternatives) for condition in conditions])


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why one example gets its class, and what would change it.

    Parameters
    ----------
    verdict : Verdict
        What is said about all examples like this one.
    point : tuple of int
        The example's cells.
    values : callable
        Gives, for a column, the example's own value in words.
    """

    verdict: Verdict
    point: Point
    values: Callable[[int], str]

    @property
    def side(self) -> int:
        """The class, 0 or 1."""
        return self.verdict.side

    @property
    def label(self) -> object:
        """The class."""
        return self.verdict.label

    @property
    def other(self) -> object:
        """The other class."""
        return self.verdict.other

    @property
    def box(self) -> Box:
        """The conditions of the smallest AXp as cells."""
        return self.verdict.box

    @property
    def changed(self) -> tuple[int, ...]:
        """The columns of the smallest CXp that spares immutable ones; empty when there is none."""
        return self.verdict.changed

    @cached_property
    def axp(self) -> tuple[Condition, ...]:
        """The conditions of the smallest AXp, each true of the example; together they give the class."""
        wordings = self.verdict.explainer.wordings
        return tuple(
            Condition(c.column, c.words, wordings[j].because(c.mask, self.values(j)), c.mask, c.alternatives)
            for j, c in zip(self.verdict.columns, self.verdict.axp, strict=True)
        )

    @property
    def cxp(self) -> tuple[Condition, ...]:
        """Conditions on the columns of the smallest CXp under which the example would be in the other class."""
        return self.verdict.cxp

    @property
    def claims(self) -> tuple[Explanation, ...]:
        """What is claimed of the example: one label, for the reason of this explanation."""
        return (self,)

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
        """The identifier of the reason in the catalogue; None if the class has too many reasons to be listed."""
        return self.verdict.reason

    @property
    def given_text(self) -> str | None:
        """The user's own wording of the reason; None if there is none."""
        return self.verdict.given_text

    @property
    def why(self) -> str:
        """The sentence that gives the reason with the example's own values."""
        given = self.verdict.outcome.given
        if not self.verdict.axp:
            return f"{given} always: nothing in the example matters."
        return f"{given} because {self.because}."

    @property
    def because(self) -> str:
        """The reason with the example's own values."""
        return self.given_text or listed([c.said for c in self.axp], "and")

    @property
    def otherwise(self) -> str:
        """The sentence that says what would change the class; empty if nothing would."""
        return self.verdict.otherwise

    def to_text(self) -> str:
        """Return the reason with the example's own values, and in a second sentence what would change the class."""
        return f"{self.why} {self.otherwise}".rstrip()

    __str__ = to_text

    def to_dict(self) -> dict[str, object]:
        """Return the explanation as plain data."""
        return {
            "label": self.label,
            "reason": self.reason,
            "axp": [{"column": c.column, "condition": c.words, "said": c.said} for c in self.axp],
            "cxp": [{"column": c.column, "condition": c.words, "said": c.said} for c in self.cxp],
            "why": self.why,
            "otherwise": self.otherwise,
            "text": self.to_text(),
        }

    def certificate(self) -> ReasonCertificate:
        """Return, for each term of the other class, the condition of the reason that contradicts it."""
        explainer = self.verdict.explainer
        return reason_certificate(explainer.sides, explainer.wordings, self.side, self.box)

    def check(self) -> Check:
        """Prove the reason and the change again without the explainer: by a truth table, or by a SAT solver if large.

        Raises
        ------
        CheckError
            Names what does not hold.
        """
        sides = self.verdict.explainer.sides
        fixed = sides.frame.outer(self.verdict.explainer.fixed_for(self.side))
        claim = DecisionClaim(self.point, sides.space.constrained(self.box), self.box, self.changed, fixed)
        return check_decision(sides.terms, sides.space, claim)

    def __repr__(self) -> str:
        return f"<Explanation: {self.to_text()}>"

    def _repr_html_(self) -> str:
        rows = "".join(f"<li>{escape(condition.said)}</li>" for condition in self.axp)
        changes = "".join(f"<li>{escape(condition.said)}</li>" for condition in self.cxp)
        given, other = escape(self.verdict.outcome.given), escape(self.verdict.other_outcome.given)
        why = f"<p><b>{given}</b> because</p><ul>{rows}</ul>"
        return f"<div>{why}<p>{other} if</p><ul>{changes}</ul></div>" if changes else f"<div>{why}</div>"


_PRINTED = 20
"""Explanations that are printed one by one."""


@dataclass(eq=False, repr=False)
class Explanations(Tabular, RowSequence[Explanation]):
    """Explanations of many examples: computed together, handed out one by one.

    Parameters
    ----------
    explainer : Explainer
    cells : int array of shape (rows, columns)
    patterns : Patterns
    answers : Answers
    values : callable, optional
        Gives, for a column and some rows, their own values in words; the labels of their cells if not given.
    """

    explainer: Explainer
    cells: NDArray[np.integer]
    patterns: Patterns
    answers: Answers
    values: ValueWords | None = None
    _verdicts: dict[int, Verdict] = field(default_factory=dict, init=False)

    def __len__(self) -> int:
        return len(self.cells)

    def __str__(self) -> str:
        shown = [f"{row + 1}: {self._at(row)}" for row in range(min(len(self), _PRINTED))]
        more = [f"... and {len(self) - _PRINTED:,} more"] if len(self) > _PRINTED else []
        return "\n".join([*shown, *more])

    def _at(self, row: int) -> Explanation:
        return next(self._explanations_between(row, row + 1))

    def __iter__(self) -> Iterator[Explanation]:
        for start in range(0, len(self), _BLOCK):
            yield from self._explanations_between(start, min(start + _BLOCK, len(self)))

    @cached_property
    def sides(self) -> NDArray[np.intp]:
        """The number of each row's class."""
        return self.answers.labels[self.patterns.index]

    @cached_property
    def axp_sizes(self) -> NDArray[np.intp]:
        """The number of columns of each row's smallest AXp."""
        return np.array([len(axp) for axp in self.answers.axps], dtype=np.intp)[self.patterns.index]

    @cached_property
    def cxp_sizes(self) -> NDArray[np.intp]:
        """The number of columns of each row's smallest CXp, 0 if there is none."""
        return np.array([len(cxp or ()) for cxp in self.answers.cxps], dtype=np.intp)[self.patterns.index]

    def verdicts(self) -> tuple[list[Verdict], NDArray[np.intp]]:
        """Return what is said about all rows that are alike, and the number of each row's verdict."""
        return [self._verdict(pattern) for pattern in range(len(self.patterns.cells))], self.patterns.index

    def columns(self) -> dict[str, list[object]]:
        """Return label, reason, its id and, unless no column may change, what would change the label, for each row."""
        verdicts, index = self.verdicts()
        labels = [self.explainer.classes[side] for side in self.sides.tolist()]
        reasons = [condition_text(one.axp) or "always" for one in verdicts]
        places = index.tolist()
        columns: dict[str, list[object]] = {
            "predicted": labels,
            "reason": [reasons[i] for i in places],
            "reason id": [verdicts[i].reason for i in places],
        }
        if self.explainer.proposes:
            changes = [condition_text(one.cxp) or None for one in verdicts]
            columns["changes if"] = [changes[i] for i in places]
        return columns

    def _explanations_between(self, start: int, stop: int) -> Iterator[Explanation]:
        """Yield the explanations of some rows; their own values are written when the first of them asks."""
        written: dict[int, Sequence[str]] = {}

        def own_value(place: int, column: int) -> str:
            if column not in written:
                written[column] = (self.values or self._labels)(column, slice(start, stop))
            return written[column][place]

        points = self.cells[start:stop].tolist()
        patterns = self.patterns.index[start:stop].tolist()
        for place, (point, pattern) in enumerate(zip(points, patterns, strict=True)):
            yield Explanation(self._verdict(pattern), tuple(point), partial(own_value, place))

    def _verdict(self, pattern: int) -> Verdict:
        if pattern not in self._verdicts:
            self._verdicts[pattern] = Verdict(
                self.explainer,
                tuple(self.patterns.cells[pattern].tolist()),
                int(self.answers.labels[pattern]),
                self.answers.boxes[pattern],
                self.answers.cxps[pattern] or (),
            )
        return self._verdicts[pattern]

    def _labels(self, column: int, rows: slice) -> list[str]:
        labels = self.explainer.space.columns[column].cells
        return [labels[cell] for cell in self.cells[rows, column].tolist()]
