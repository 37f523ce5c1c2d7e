"""Explainer: what can be asked of a model over one space, also while some columns are still unknown.

Unknown is not "missing": missing is a value like any other, unknown means that every value is possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from idnf.columns.eager_frames import refuse_unknown
from idnf.columns.phrases import listed, together
from idnf.explaining.batch import Patterns, answers, predicted
from idnf.explaining.explanation import Explanations, ValueWords
from idnf.explaining.reading import Reading, Reason, counted_in, reason_id, reason_order
from idnf.explaining.recourse import Constraints, Recourses, Start, Surroundings, names_given, recourses
from idnf.explaining.training_facts import ColumnValues
from idnf.explaining.wording import ClassWords, FeatureWording, Wording, class_words
from idnf.logic.boxes import Box, Point, Space, cells_of, cut, in_conflict
from idnf.logic.errors import InvalidArgument
from idnf.logic.literals import mask_of
from idnf.logic.model import Model
from idnf.logic.primes import TooManyBoxes
from idnf.logic.sides import LARGE, ClassBoxes

BUDGET = 20_000
"""States looked at before the search for the best next column gives up being exact."""


@dataclass(frozen=True)
class NextColumn:
    """The column to ask for next.

    Attributes
    ----------
    column : str
    worst_case : int
        The most columns that must still be asked for, this one included, whatever the answers: never more than k**2.
    exact : bool
        Whether no other column has a better worst case. False if looking at all cases would take too long; the column
        is then the next one of a term, and terms are asked for whole.
    """

    column: str
    worst_case: int
    exact: bool

    def __str__(self) -> str:
        return self.column


def decided(sides: ClassBoxes, known: Box) -> int | None:
    """Return the class that every point of ``known`` has, or None when there are points of several.

    A class is decided iff every term of the others conflicts with what is known.
    """
    box = sides.frame.box(known)
    return next((label for label in sides.labels if sides.regions[label].has(box)), None)


def next_column(sides: ClassBoxes, known: Box, *, budget: int = BUDGET) -> NextColumn | None:
    """Return the column with which the class is decided after the fewest questions in the worst case.

    The columns already known to a single cell are not asked for again. The search is exact as long as it needs no more
    than ``budget`` states; ties go to the first column. Returns None when the class is decided.
    """
    start = sides.frame.box(known)
    search = _Search(sides, budget)
    if search.label(start) is not None:
        return None
    try:
        questions = 1
        while (column := search.column_deciding(start, questions)) is None:
            questions += 1
        return NextColumn(sides.frame.inner.columns[column].name, questions, True)
    except _BudgetSpent:
        column, questions = _asking_terms(sides, search.terms, start)
        return NextColumn(sides.frame.inner.columns[column].name, questions, False)


class _BudgetSpent(Exception):
    """The search has used up its budget of states."""


class _Search:
    def __init__(self, sides: ClassBoxes, budget: int) -> None:
        self.sides = sides
        self.left = budget
        self.terms = [term for side in sides.inner for term in side or ()]
        self.labels: dict[Box, int | None] = {}
        self.failed: dict[Box, int] = {}

    def label(self, box: Box) -> int | None:
        if box not in self.labels:
            self.left -= 1
            if self.left < 0:
                raise _BudgetSpent
            self.labels[box] = next((label for label in self.sides.labels if self.sides.regions[label].has(box)), None)
        return self.labels[box]

    def column_deciding(self, box: Box, questions: int) -> int | None:
        """Return the first column that decides ``box`` with at most that many questions, this one included."""
        return next((j for j in _open_columns(self.terms, box) if self._decides(box, j, questions)), None)

    def _decides(self, box: Box, column: int, questions: int) -> bool:
        for cell in cells_of(box[column]):
            after = cut(box, column, 1 << cell)
            if self.label(after) is None and not self._is_decidable(after, questions - 1):
                return False
        return True

    def _is_decidable(self, box: Box, questions: int) -> bool:
        if questions <= self.failed.get(box, 0):
            return False
        if self.column_deciding(box, questions) is not None:
            return True
        self.failed[box] = questions
        return False


def _open_columns(terms: list[Box], box: Box) -> list[int]:
    """Return the columns not known to a single cell that some term still possible constrains."""
    possible = [term for term in terms if not in_conflict(term, box)]
    return [j for j, mask in enumerate(box) if mask & mask - 1 and any(term[j] & mask != mask for term in possible)]


def _asking_terms(sides: ClassBoxes, terms: list[Box], known: Box) -> tuple[int, int]:
    """Return a column to ask for, and how many questions are left at most: terms are asked for whole, one by one.

    A term conflicts with every term of other classes, so each of those has a column less that is open once all columns
    of the term are known: after k terms of at most k columns nothing is open. What was asked for is found by going
    through the same questions again.
    """
    full = sides.frame.inner.full
    columns = {term: [j for j, mask in enumerate(term) if mask != full[j]] for term in terms}
    left, box = sides.k**2, full
    while True:
        term = next(term for term in terms if not in_conflict(term, box))
        for column in columns[term]:
            if known[column] & known[column] - 1:
                return column, left
            left -= box[column] != known[column]
            box = cut(box, column, known[column])


@dataclass(frozen=True, repr=False)
class Explainer:
    """A model over a space, ready to be asked.

    Parameters
    ----------
    sides : ClassBoxes
        The boxes of the classes.
    classes : tuple
        What class 0, class 1 and so on are called.
    wordings : sequence of Wording
        How to word each column of the space.
    texts : mapping of str to str
        The user's own wording of reasons, by their identifier.
    values : sequence of ColumnValues or None
        The training values of each column; empty if none are known.
    target : str, optional
        What the column of classes is called.
    immutable : tuple of str
        Columns that no proposed change touches.
    favourable : int, optional
        The class that people want, by its number: no change is proposed to those who get it.

    Examples
    --------
    >>> from idnf.logic.dnf import DNF
    >>> explainer = Explainer.of(DNF.parse("a & b | c").double(), Space.boolean("abc"))
    >>> print(explainer.explain(np.array([[1, 1, 0]]))[0])
    Class 1 because a and b. If not a, it would be class 0.
    >>> list(explainer.axps((1, 1, 1))), explainer.cxps((1, 1, 1))
    ([('c',), ('a', 'b')], [('a', 'c'), ('b', 'c')])
    """

    sides: ClassBoxes
    classes: tuple[object, ...] = (0, 1)
    wordings: Sequence[Wording] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    values: Sequence[ColumnValues | None] = ()
    target: str | None = None
    immutable: tuple[str, ...] = ()
    favourable: int | None = None

    @classmethod
    def of(
        cls,
        model: Model,
        space: Space,
        *,
        classes: Sequence[object] = (0, 1),
        wordings: Sequence[Wording] | None = None,
    ) -> Explainer:
        """Return the explainer of a model; a column without a wording is spoken of by the labels of its cells."""
        said = tuple(FeatureWording(c.name) for c in space.columns) if wordings is None else tuple(wordings)
        if len(said) != len(space.columns):
            raise InvalidArgument("wordings", f"have {len(space.columns)} entries, one per column", len(said))
        return cls(ClassBoxes.of(model, space), tuple(classes), said)

    def with_texts(self, texts: Mapping[str, str]) -> Explainer:
        """Return the same explainer with the user's own wording of some reasons, by their identifier."""
        known = {reason_id(label, i) for label in self.sides.labels for i in range(len(self._catalogue[label] or ()))}
        refuse_unknown("texts", "name reasons of the catalogue", texts, known)
        return replace(self, texts={**self.texts, **texts})

    @property
    def space(self) -> Space:
        """The space."""
        return self.sides.space

    @cached_property
    def outcomes(self) -> tuple[ClassWords, ...]:
        """The classes in words."""
        return class_words(self.classes, self.target)

    @cached_property
    def fixed(self) -> tuple[int, ...]:
        """The columns of the frame that no proposed change touches."""
        return tuple(i for i, j in enumerate(self.sides.frame.columns) if self.wordings[j].name in self.immutable)

    def fixed_for(self, label: int) -> tuple[int, ...]:
        """Return the columns of the frame that changes proposed to a class spare: all, for the favourable one."""
        return tuple(range(len(self.sides.frame.columns))) if label == self.favourable else self.fixed

    @property
    def proposes(self) -> bool:
        """Whether any column that the model looks at may be changed."""
        return not self.fixed or len(self.fixed) < len(self.sides.frame.columns)

    def predict(self, cells: NDArray[np.integer]) -> NDArray[np.intp]:
        """Return the class, by its number, of each row of cells, shape (rows, columns)."""
        patterns = Patterns.of(self.sides.frame, cells)
        return predicted(self.sides, patterns)[patterns.index]

    def explain(self, cells: NDArray[np.integer], *, values: ValueWords | None = None) -> Explanations:
        """Return one explanation for each row of cells.

        Parameters
        ----------
        cells : int array of shape (rows, columns)
        values : callable, optional
            Gives, for a column and some rows, their own values in words.
        """
        patterns = Patterns.of(self.sides.frame, cells)
        fixed = [mask_of(self.fixed_for(label)) for label in self.sides.labels]
        return Explanations(self, cells, patterns, answers(self.sides, patterns, fixed), values)

    def axps(self, point: Point) -> Iterator[tuple[str, ...]]:
        """Yield all AXps of a point, as names of columns, smallest first, ties by column order."""
        region = self.sides.regions[self.sides.label(point)]
        return map(self._names, region.axps(self.sides.frame.point(point)))

    def cxps(self, point: Point) -> list[tuple[str, ...]]:
        """Return all CXps of a point, as names of columns, smallest first, ties by column order."""
        region = self.sides.regions[self.sides.label(point)]
        return list(map(self._names, region.cxps(self.sides.frame.point(point))))

    def decided(self, known: Mapping[int, int]) -> int | None:
        """Return the class, by its number, that is decided by the known cells (column index to cell), or None."""
        return decided(self.sides, self._known_box(known))

    def next_column(self, known: Mapping[int, int]) -> NextColumn | None:
        """Return the column to ask for next for the best worst case; None when the class is decided."""
        return next_column(self.sides, self._known_box(known))

    def recourse(
        self, start: Start, *, to: object = None, constraints: Constraints | None = None, count: int = 1
    ) -> Recourses:
        """Return the cheapest changes of an example into a class.

        Parameters
        ----------
        start : Start
            The example: its cells, its values as numbers and in words.
        to : object, optional
            The wanted class; if not given, the favourable one, or any that the example is not in if none is known.
        constraints : Constraints, optional
            What may be changed, and at what cost.
        count : int, default=1
            The most ways to return; they change different sets of columns.
        """
        if to is not None and to not in self.classes:
            raise InvalidArgument("to", f"be one of {listed(list(map(repr, self.classes)), 'and')}", f"{to!r}")
        if to is not None:
            wanted = [self.classes.index(to)]
        elif self.favourable is not None:
            wanted = [self.favourable]
        else:
            wanted = self.sides.others(self.sides.label(start.point))
        values = self.values or (None,) * len(self.space.columns)
        around = Surroundings(self.space, self.wordings, values)
        terms = [(self.outcomes[label], self.sides.boxes_of(label)) for label in wanted]
        allowed = constraints or Constraints()
        allowed = replace(allowed, immutable=[*self.immutable, *names_given("immutable", allowed.immutable)])
        return recourses(terms, start, around, allowed, count=count)

    def reasons(
        self, cells: NDArray[np.integer] | None = None, labels: NDArray[np.integer] | None = None
    ) -> list[Reason]:
        """Return the catalogue: all reasons of the last class, then those of the one before, class 0 at the end.

        Parameters
        ----------
        cells : int array of shape (rows, columns), optional
            Examples on which coverage and precision are measured.
        labels : int array of shape (rows,), optional
            The number of the true class of each example; without it there is coverage but no precision.

        Raises
        ------
        TooManyBoxes
            When a class has more reasons than can be listed; explanations of single examples work all the same.
        """
        patterns = None if cells is None or not len(cells) else Patterns.of(self.sides.frame, cells)
        return [reason for label in reversed(self.sides.labels) for reason in self._reasons(label, patterns, labels)]

    def ordered_reasons(self) -> list[tuple[Reason, Box]]:
        """Return the catalogue so ordered that the first reason that holds a row is its own; each with its inner box.

        Raises `TooManyBoxes` as :meth:`reasons` does.
        """
        frame = self.sides.frame
        found = [(reason, frame.box(reason.box)) for reason in self.reasons()]
        return sorted(found, key=lambda pair: reason_order(frame.inner, pair[1]))

    @cached_property
    def reading(self) -> Reading:
        """The lines of each class."""
        return Reading.of(self)

    def reason_id(self, label: int, box: Box) -> str | None:
        """Return the identifier of a reason, given as a box of the space; None if there are too many to list."""
        known = self._catalogue[label]
        if known is None:
            return None
        return reason_id(label, known[self.sides.frame.box(box)])

    @cached_property
    def _catalogue(self) -> tuple[dict[Box, int] | None, ...]:
        return tuple(None if boxes is None else {box: i for i, box in enumerate(boxes)} for boxes in self.sides.reasons)

    def _reasons(self, label: int, patterns: Patterns | None, labels: NDArray[np.integer] | None) -> list[Reason]:
        boxes = self.sides.reasons[label]
        if boxes is None:
            raise TooManyBoxes(LARGE, f"class {self.classes[label]!r} has more than {LARGE} reasons, too many to list.")
        if patterns is None:
            return [self._reason(label, i, box, None, None) for i, box in enumerate(boxes)]
        met, right = counted_in(self.sides, boxes, patterns, None if labels is None else labels == label)
        coverage = (met / len(patterns.index)).tolist()
        precision = [r / m if m and labels is not None else None for r, m in zip(right.tolist(), met.tolist())]
        return [self._reason(label, i, box, coverage[i], precision[i]) for i, box in enumerate(boxes)]

    def _reason(self, label: int, i: int, inner: Box, coverage: float | None, precision: float | None) -> Reason:
        box = self.sides.frame.expand(inner)
        columns = self.space.constrained(box)
        phrases = [self.wordings[j].phrase(box[j]) for j in columns]
        name = reason_id(label, i)
        return Reason(
            id=name,
            label=self.classes[label],
            conditions=tuple(phrase.condition for phrase in phrases),
            words=together(phrases) or "always",
            columns=tuple(self.wordings[j].name for j in columns),
            text=self.texts.get(name),
            coverage=coverage,
            precision=precision,
            box=box,
        )

    def _names(self, columns: int) -> tuple[str, ...]:
        return tuple(self.wordings[j].name for j in self.sides.frame.outer(cells_of(columns)))

    def _known_box(self, known: Mapping[int, int]) -> Box:
        return tuple(1 << known[j] if j in known else full for j, full in enumerate(self.space.full))
