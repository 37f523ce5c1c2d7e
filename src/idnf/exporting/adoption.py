"""Edits adopted: replayed on a model, proved, counted on rows, and kept in the model as where it comes from."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.auditing.table_models import TableModel
from idnf.classifier.counted_examples import CountedExamples
from idnf.classifier.edit_history import AdoptedEdits
from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.fitted import Fitted
from idnf.classifier.memory_source import MemoryTraining
from idnf.columns.column import TableColumn, box_text, literal_names, space_of
from idnf.columns.eager_frames import refuse_unknown
from idnf.exporting.band_files import model_hash
from idnf.exporting.edits_json import AddedLine, Chosen, ConditionEdit, Edit, Edits, column_of, read_edits
from idnf.learning.objective import Learned
from idnf.logic.boxes import Box, Space
from idnf.logic.class_dnfs import DoubleDNF
from idnf.logic.cubes import Layout, first_overlap, is_covered
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.errors import InvalidArgument
from idnf.logic.primes import TooManyBoxes, maximal_runs_avoiding
from idnf.logic.verification import Certificate, VerificationError
from idnf.proving.guarantee import MOST_STEPS
from idnf.proving.monotonicity import NotMonotone, prove_monotone

MOST_CUTS = 1_000
"""Columns with more cuts than this are not edited."""

Lines = Mapping[int, Box]
"""The lines of a label by their numbers."""


@dataclass(frozen=True)
class Adopted:
    """A model made by edits, and what they change on some rows.

    Attributes
    ----------
    classifier : DNFClassifier
        The edited model, proved.
    edits : AdoptedEdits
    proof : Certificate
    rows : int
        How many rows were counted.
    changed : dict
        How many of them are decided otherwise than before, by their true label.
    before, after : float or None
        The accuracy on them of the model that was edited and of the edited one; None without rows.
    """

    classifier: DNFClassifier
    edits: AdoptedEdits
    proof: Certificate
    rows: int
    changed: Mapping[object, int]
    before: float | None
    after: float | None

    def to_text(self) -> str:
        """Return what was adopted, proved and counted, in words."""
        said = [f"{self.edits.heading}:"]
        said += [f"  {number}. {words}" for number, (words, _) in enumerate(self.edits.changes, 1)]
        said.append(str(self.proof))
        if self.before is None or self.after is None:
            return "\n".join(said)
        of = ", ".join(f"{count:,} whose true label is {label}" for label, count in self.changed.items())
        total = sum(self.changed.values())
        said.append(
            f"{total:,} of {self.rows:,} rows {'is' if total == 1 else 'are'} decided otherwise ({of}); "
            f"accuracy {self.before:.1%} before and {self.after:.1%} after."
        )
        return "\n".join(said)

    __str__ = to_text


def adopt(
    clf: DNFClassifier,
    edits: str | os.PathLike[str] | Edits,
    X: object = None,
    y: ArrayLike | None = None,
    *,
    k: int | None = None,
) -> Adopted:
    """Return the model that edits make of a classifier of two labels, proved and counted on labelled rows.

    Settings stay: the target, the favourable label, columns that cannot change, directions, texts by column. Texts of
    single reasons do not, since an edited model has other reasons.

    Parameters
    ----------
    clf : DNFClassifier
        The model that was edited.
    edits : path or Edits
        A file that the editor of a page saved (``reporting.to_html(..., editable=True)``).
    X : table of shape (n_samples, n_features), optional
        Rows to count on. Probabilities and the values proposed by recourse then come from them; without rows the new
        model has none.
    y : array-like of shape (n_samples,), optional
        Their true labels.
    k : int, optional
        The most conditions of a reason; by default that of the model. Edits that need longer reasons are refused.

    Examples
    --------
    >>> from idnf.exporting.edits_json import ConditionEdit, Edits, ChosenIntervals
    >>> policy = DNFClassifier.from_dnf("'age <= 30'", columns={"age": [30]}, classes=("no", "yes"))
    >>> old, new = (ChosenIntervals(((None, cut),), missing=False) for cut in (30.0, 25.0))
    >>> younger = ConditionEdit(1, "age", old, new, "too few")
    >>> edits = Edits(model_hash(policy), 1, "Dr Lee", "2026-01-02T10:00:00Z", (younger,))
    >>> adopt(policy, edits).classifier.predict([[20], [28]]).tolist()
    ['yes', 'no']
    """
    given = edits if isinstance(edits, Edits) else read_edits(edits)
    _refuse_other_models(clf, given)
    if (X is None) != (y is None):
        raise InvalidArgument("X and y", "be given together", "one of them")
    replay = _Replay.of(clf, given)
    most = clf.k if k is None else k
    model = replay.model(most)
    notes = (edit.note for edit in given.edits)
    kept = AdoptedEdits(given.model, given.name, given.time, tuple(zip(replay.words, notes, strict=True)))
    state = _state(clf, replay, model.within(most), X, y)
    made = clf.with_state(replace(state, edits=(*clf.fitted_.edits, kept)))
    made.k = most
    _refuse_lost_directions(made)
    return _counted(clf, made, kept, made.verify(), (X, y))


def _refuse_other_models(clf: DNFClassifier, edits: Edits) -> None:
    if len(clf.classes_) != 2:
        raise InvalidArgument("clf", "have two labels to be edited", f"{len(clf.classes_)}")
    own = model_hash(clf)
    if edits.model != own:
        raise InvalidArgument(
            "edits",
            f"be of this model, {own[:12]}...",
            f"those of model {edits.model[:12]}...",
            "Adopt them with the model file that the page was made from.",
        )


def _refuse_lost_directions(clf: DNFClassifier) -> None:
    """Refuse an edited model that no longer rises or falls with a column as the model that was edited had to."""
    given, fitted = clf.monotonic_cst, clf.fitted_
    ways = given if isinstance(given, Mapping) else dict(zip(clf.binariser_.input_names, given or ()))
    for name, way in ways.items():
        try:
            prove_monotone(fitted.sides, fitted.columns, {str(name): int(way)}, Budget(MOST_STEPS))
        except NotMonotone as error:
            raise InvalidArgument(
                "edits",
                f"keep the direction that the model has on column {str(name)!r} (monotonic_cst)",
                "lines that do not",
            ) from error


@dataclass(frozen=True)
class _Replay:
    """The lines after each edit, over columns that are cut wherever a condition ends."""

    columns: tuple[TableColumn, ...]
    label: int
    steps: tuple[Lines, ...]
    words: tuple[str, ...]

    @classmethod
    def of(cls, clf: DNFClassifier, edits: Edits) -> _Replay:
        columns = _cut_columns(clf, edits)
        lines: Lines = first_lines(clf, edits.label, columns)
        steps, words = [lines], list[str]()
        for number, edit in enumerate(edits.edits, 1):
            with _about(number):
                lines, said = _apply(columns, edit, lines)
            steps.append(lines)
            words.append(said)
        return cls(columns, edits.label, tuple(steps), tuple(words))

    @property
    def space(self) -> Space:
        return space_of(self.columns)

    def model(self, k: int) -> DoubleDNF:
        """Return the model after all edits, proved to be their lines; refuse one that needs longer reasons than k."""
        found = self._at(len(self.words))
        if found.k > k:
            first = next(step for step in range(len(self.words), 0, -1) if step == 1 or self._at(step - 1).k <= k)
            raise InvalidArgument(
                f"edit {first} ({self.words[first - 1]})",
                f"leave every decision a reason of at most {k} condition{'s' * (k != 1)}",
                f"decisions that need {found.k}",
                _Larger(found.k),
            )
        self._prove(found)
        return found

    def _at(self, step: int) -> DoubleDNF:
        """Return the model after some of the edits, with the least k that it can keep."""
        lines, space, budget = list(self.steps[step].values()), self.space, Budget(MOST_STEPS)
        try:
            others = maximal_runs_avoiding(lines, space, budget=budget)
            sides = (others, lines) if self.label else (lines, others)
            return DoubleDNF.from_boxes(literal_names(self.columns), sides, space, budget=budget)
        except (TooManyBoxes, TooManySteps) as error:
            raise InvalidArgument(
                f"edit {step} ({self.words[step - 1]})" if step else "clf",
                "leave a model whose reasons can be listed",
                "more than can be held at once",
            ) from error

    def _prove(self, model: DoubleDNF) -> None:
        """Prove that the terms of the label hold exactly where the lines do."""
        layout, budget = Layout.of(self.space), Budget(MOST_STEPS)
        lines = list(map(layout.mask, self.steps[-1].values()))
        own, other = (
            list(map(layout.mask, self.space.boxes(model.side(side)))) for side in (self.label, 1 - self.label)
        )
        if first_overlap(lines, other, layout=layout, budget=budget) is not None:
            raise VerificationError("the edited lines must be the model; one meets a term of the other label.")
        if not all(is_covered(term, lines, layout, budget=budget) for term in own):
            raise VerificationError("the edited lines must be the model; a term of it lies outside them.")


@dataclass(frozen=True)
class _Larger:
    """The remedy that allows longer reasons, which each front words."""

    k: int

    def __str__(self) -> str:
        return f"Change or drop it, or allow them: k={self.k}."


@contextmanager
def _about(number: int) -> Iterator[None]:
    """Name the edit that an error is about."""
    try:
        yield
    except InvalidArgument as error:
        raise InvalidArgument(f"edit {number}: {error.name}", error.rule, error.got, error.remedy) from error


def _cut_columns(clf: DNFClassifier, edits: Edits) -> tuple[TableColumn, ...]:
    """Return the columns with the cuts that edits name, and literals for all cells where conditions may be."""
    columns, used = list(clf.fitted_.columns), set(clf.fitted_.used)
    for number, edit in enumerate(edits.edits, 1):
        with _about(number):
            for name, chosen in edit.chosen:
                place = column_of(columns, name)
                columns[place] = columns[place].cut_at({*columns[place].limits, *chosen.cuts})
                if len(columns[place].limits) > MOST_CUTS:
                    raise InvalidArgument(f"column {name!r}", f"have at most {MOST_CUTS} cuts", "more")
                used.add(place)
    return tuple(column.with_all_literals() if j in used else column for j, column in enumerate(columns))


def first_lines(clf: DNFClassifier, label: int, columns: Sequence[TableColumn]) -> dict[int, Box]:
    """Return the printed lines of a label by their numbers, over columns as fine as the model's or finer."""
    fitted = clf.fitted_
    boxes = tuple(map(fitted.sides.frame.expand, fitted.explainer.reading.boxes[label]))
    finer = TableModel(fitted.columns, (label,), (boxes,), fitted.k).over(columns)
    return dict(enumerate(finer.boxes[0], 1))


def _apply(columns: Sequence[TableColumn], edit: Edit, lines: Lines) -> tuple[Lines, str]:
    """Return the lines after an edit, and the edit in words."""
    if isinstance(edit, AddedLine):
        if edit.line in lines:
            raise InvalidArgument("line", "be a new number", edit.line)
        masks = [column.full for column in columns]
        for name, chosen in edit.conditions:
            place = column_of(columns, name)
            masks[place] &= chosen.mask(columns[place])
            if not masks[place]:
                raise InvalidArgument(f"conditions on {name!r}", "have a cell in common", "none")
        return {**lines, edit.line: tuple(masks)}, f"line {edit.line} added: {box_text(columns, tuple(masks))}"
    if edit.line not in lines:
        raise InvalidArgument(
            "line", f"be one of {', '.join(map(str, lines)) or 'none, since all were dropped'}", edit.line
        )
    box = lines[edit.line]
    if not isinstance(edit, ConditionEdit):
        others = {number: line for number, line in lines.items() if number != edit.line}
        return others, f"line {edit.line} dropped: {box_text(columns, box)}"
    place = column_of(columns, edit.column)
    old, new = (_mask(columns[place], chosen) for chosen in (edit.old, edit.new))
    if old != box[place]:
        raise InvalidArgument(
            "old", f"be what line {edit.line} has: {columns[place].words(box[place])}", columns[place].words(old)
        )
    return {**lines, edit.line: (*box[:place], new, *box[place + 1 :])}, _change_words(
        edit.line, columns[place], old, new
    )


def _mask(column: TableColumn, chosen: Chosen | None) -> int:
    return column.full if chosen is None else chosen.mask(column)


def _change_words(line: int, column: TableColumn, old: int, new: int) -> str:
    if new == column.full:
        return f"line {line}: {column.words(old)} dropped"
    if old == column.full:
        return f"line {line}: {column.words(new)} added"
    return f"line {line}: {column.words(old)} becomes {column.words(new)}"


def _state(clf: DNFClassifier, replay: _Replay, model: DoubleDNF, X: object, y: ArrayLike | None) -> Fitted:
    """Return the state of the edited model, with figures from labelled rows."""
    own, binariser = clf.fitted_, copy(clf.binariser_)
    binariser.take(replay.columns)
    learned = Learned(model, float("nan"))
    if X is None:
        state = Fitted.untrained(binariser, own.classes, learned, "none: edited by hand")
    else:
        # Pages with an editor read lines here, and start without any learner.
        from idnf.learning.dispatch import LearningResult

        labels = _numbers(clf, y)
        table, examples = binariser.read(X), CountedExamples(labels)
        training = MemoryTraining(binariser, own.classes, table, labels, examples, None)
        state = Fitted.trained(training, LearningResult(learned, "none: edited by hand and counted on rows"))
    state = replace(state, reason_texts=own.reason_texts, file=own.file)
    return state.with_settings(target=own.target, favourable=own.favourable, immutable=own.immutable)


def _numbers(clf: DNFClassifier, y: ArrayLike | None) -> NDArray[np.intp]:
    labels = clf.classes_.tolist()
    refuse_unknown("y", f"hold the labels {' and '.join(map(repr, labels))}", np.unique(np.asarray(y)).tolist(), labels)
    return clf.fitted_.numbers_of(np.asarray(y))


def _counted(
    clf: DNFClassifier,
    made: DNFClassifier,
    kept: AdoptedEdits,
    proof: Certificate,
    given: tuple[object, ArrayLike | None],
) -> Adopted:
    """Return the edited model with what its edits change on labelled rows."""
    X, y = given
    if X is None:
        return Adopted(made, kept, proof, 0, {}, None, None)
    truth = np.asarray(y)
    before, after = clf.predict(X), made.predict(X)
    changed = {label: int(((before != after) & (truth == label)).sum()) for label in clf.classes_.tolist()}
    right = (float(np.mean(decided == truth)) for decided in (before, after))
    return Adopted(made, kept, proof, len(truth), changed, *right)
