"""A model as people read it: the reasons of every class but the longest, that one otherwise.

The lists of all classes but one say all about that one: a case is of it when every line fails, so each reason for it
fails at least one condition in every line. Lines are reasons of the catalogue, under their numbers
there, so no condition can be dropped from one; a reason that the others imply is not printed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from idnf.columns.phrases import Phrase, joined, together
from idnf.explaining.wording import label_words
from idnf.logic.boxes import Box
from idnf.logic.cubes import Layout, is_covered, outermost
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.forms import Condition, Joined, Question, Ticks, factored, smallest_tree, ticks_of

if TYPE_CHECKING:
    from idnf.explaining.explainer import Explainer

# Beyond this many reasons of a class, those that the others imply are not looked for.
_MOST_COMPARED = 200
# Boxes looked at, case by case, in search of those; then what is left is kept.
_MOST_STEPS = 1_000_000

FormName = Literal["auto", "lines", "checklist", "factored", "tree"]
"""The ways to print a model; "auto" is the one with the fewest conditions, the first of equals."""

_FORM_WORDS = {"checklist": "a checklist", "factored": "factored lines", "tree": "a tree"}


@dataclass(frozen=True)
class ModelSize:
    """How much there is to read.

    Attributes
    ----------
    terms, conditions : int
        Lines of the class that needs fewer, or of all classes but the longest, and conditions in them.
    reasons : int or None
        Reasons of all classes; None if they are too many to count.
    form : str
        The form in which the model is printed: the one with the fewest conditions.
    printed : int
        The conditions in that form; a checklist has a number more.

    Examples
    --------
    >>> print(ModelSize(2, 3, 5, "lines", 3))
    2 lines with 3 conditions; 5 reasons in all
    >>> print(ModelSize(3, 6, 6, "checklist", 4))
    3 lines with 6 conditions (4 as a checklist); 6 reasons in all
    """

    terms: int
    conditions: int
    reasons: int | None
    form: str = "lines"
    printed: int | None = None

    def __str__(self) -> str:
        lines = f"{self.terms} line{'s' * (self.terms != 1)}"
        conditions = f"{self.conditions} condition{'s' * (self.conditions != 1)}"
        shorter = "" if self.form == "lines" else f" ({self.printed} as {_FORM_WORDS[self.form]})"
        return f"{lines} with {conditions}{shorter}; {'many' if self.reasons is None else self.reasons} reasons in all"


@dataclass(frozen=True)
class Line:
    """One reason: its number in the catalogue, if there is one, and its conditions."""

    id: str | None
    conditions: tuple[Phrase, ...]

    def __str__(self) -> str:
        words = together(self.conditions) or "always"
        return words if self.id is None else f"{words}  [{self.id}]"


@dataclass(frozen=True)
class Reading:
    """The lines of each class.

    Attributes
    ----------
    lines : tuple of tuples of Line
        For class 0, class 1 and so on, reasons that together say when the class is given; none of them is implied by
        the others.
    boxes : tuple of tuples of Box
        The same lines as boxes of the frame.
    reasons : tuple of int or None
        The number of all reasons of each class; None if they are too many to list.
    """

    lines: tuple[tuple[Line, ...], ...]
    boxes: tuple[tuple[Box, ...], ...]
    reasons: tuple[int | None, ...]

    @classmethod
    def of(cls, explainer: Explainer) -> Reading:
        """Return the lines of a model.

        >>> from idnf.explaining.explainer import Explainer
        >>> from idnf.logic.boxes import Space
        >>> from idnf.logic.dnf import DNF
        >>> reading = Explainer.of(DNF.parse("a & b | c").double(), Space.boolean("abc")).reading
        >>> print(*reading.lines[1], reading.size, sep="; ")
        c  [b1]; a and b  [b2]; 2 lines with 3 conditions; 4 reasons in all
        """
        every = explainer.sides.reasons
        boxes = tuple(_needed(explainer, label) for label in explainer.sides.labels)
        lines = (tuple(line_of(explainer, label, box) for box in held) for label, held in enumerate(boxes))
        return cls(tuple(lines), boxes, tuple(None if found is None else len(found) for found in every))

    @property
    def longest(self) -> int:
        """The class of most lines, of most conditions among equals; the first of equals."""
        return max(range(len(self.lines)), key=lambda label: (_length(self.lines[label]), -label))

    def order(self, first: int | None = None) -> list[int]:
        """Return the classes in the order of the text; the last is the one that is not listed.

        ``first`` begins, unless it alone needs most lines.
        """
        labels, lengths, last = range(len(self.lines)), [_length(lines) for lines in self.lines], self.longest
        if first == last and lengths.count(lengths[last]) > 1:
            last = next(label for label in labels if label != first and lengths[label] == lengths[last])
        listed = (label for label in labels if label != last)
        return [*sorted(listed, key=lambda label: (label != first, lengths[label], label)), last]

    @property
    def size(self) -> ModelSize:
        """How much there is to read."""
        lengths = [_length(lines) for label, lines in enumerate(self.lines) if label != self.longest]
        counts = [count for count in self.reasons if count is not None]
        every = sum(counts) if len(counts) == len(self.reasons) else None
        return ModelSize(sum(terms for terms, _ in lengths), sum(conditions for _, conditions in lengths), every)


def _length(lines: Sequence[Line]) -> tuple[int, int]:
    return len(lines), sum(len(line.conditions) for line in lines)


def _needed(explainer: Explainer, label: int) -> tuple[Box, ...]:
    sides = explainer.sides
    every = sides.reasons[label]
    if every is None:
        return tuple(outermost([sides.frame.box(box) for box in sides.written(label)]))
    return tuple(needed_boxes(every))


def line_of(explainer: Explainer, label: int, box: Box) -> Line:
    """Return a reason of a class, given as a box of the frame, with its number and in words."""
    expanded = explainer.sides.frame.expanded(box)
    return Line(explainer.reason_id(label, expanded), _phrases(explainer, expanded))


def line_words(explainer: Explainer, box: Box) -> str:
    """Return the conditions of a box of the frame in words."""
    return str(Line(None, _phrases(explainer, explainer.sides.frame.expanded(box))))


def _phrases(explainer: Explainer, box: Box) -> tuple[Phrase, ...]:
    return tuple(explainer.wordings[j].phrase(box[j]) for j in explainer.space.constrained(box))


def needed_boxes(boxes: Sequence[Box]) -> list[Box]:
    """Return boxes with the same union, none of which lies in the union of the others; the last are given up first.

    >>> needed_boxes([(0b01, 0b11), (0b11, 0b01), (0b10, 0b01)])
    [(1, 3), (3, 1)]
    """
    if len(boxes) > _MOST_COMPARED:
        return list(boxes)
    layout, budget = Layout.around(boxes), Budget(_MOST_STEPS)
    kept = list(map(layout.mask, boxes))
    for mask in reversed(kept[:]):
        others = [other for other in kept if other != mask]
        try:
            if is_covered(mask, others, layout, budget=budget):
                kept = others
        except TooManySteps:
            break
    return list(map(layout.box, kept))


@dataclass(frozen=True)
class Form:
    """A model written in one way: which, the conditions in it, and its text."""

    name: str
    conditions: int
    text: str


def printed_form(explainer: Explainer, form: FormName = "auto", *, first: int | None = None) -> Form:
    """Return a model in one of its forms.

    Parameters
    ----------
    explainer : Explainer
        The model, which gives more than one class.
    form : {"auto", "lines", "checklist", "factored", "tree"}
    first : int, optional
        The class to begin with, if the form leaves a choice.

    Raises
    ------
    ValueError
        If the model is no checklist, or has no tree shorter than its lines.

    Examples
    --------
    >>> from idnf.explaining.explainer import Explainer
    >>> from idnf.logic.boxes import Space
    >>> from idnf.logic.dnf import DNF
    >>> majority = DNF.parse("a & b | a & c | b & c").double()
    >>> explainer = Explainer.of(majority, Space.boolean("abc"), classes=("no", "yes"))
    >>> shortest = printed_form(explainer)
    >>> print(shortest.conditions, shortest.text)
    4 yes if at least 2 of these 3 hold
         a
         b
         c
    <BLANKLINE>
    no otherwise. Behind the decisions are 6 reasons (both=True or --both lists them).
    """
    if form not in get_args(FormName):
        raise ValueError(f"form must be one of {', '.join(get_args(FormName))}; got {form!r}.")
    made = _forms(explainer, form, first)
    if form == "auto":
        return min(made, key=lambda one: one.conditions)
    chosen = next(made, None)
    if chosen is None:
        known = ", ".join(one.name for one in _forms(explainer, "auto", first))
        raise ValueError(f"form must be one that this model has ({known}); got {form!r}.")
    return chosen


def _forms(explainer: Explainer, form: FormName, first: int | None) -> Iterator[Form]:
    """Yield the model in the form asked for, or in each that it has."""
    lines = _as_lines(explainer, first)
    if form in ("auto", "lines"):
        yield lines
    if form in ("auto", "checklist"):
        yield from _as_checklist(explainer, first)
    if form in ("auto", "factored"):
        yield _as_factored(explainer, first)
    if form in ("auto", "tree"):
        yield from _as_tree(explainer, lines.conditions)


def _as_lines(explainer: Explainer, first: int | None) -> Form:
    reading, names = explainer.reading, [one.named for one in explainer.outcomes]
    *order, last = reading.order(first)
    listed = "\n\n".join(_listed(names[label], reading.lines[label]) for label in order)
    conditions = sum(_length(reading.lines[label])[1] for label in order)
    return Form("lines", conditions, f"{listed}\n\n{_otherwise(names, last, _ways(explainer, last))}")


def _as_factored(explainer: Explainer, first: int | None) -> Form:
    reading, inner = explainer.reading, explainer.sides.frame.inner
    *order, last = reading.order(first)
    names, listed, conditions = [one.named for one in explainer.outcomes], [], 0
    for label in order:
        ids = {_term(box, inner.full): line.id for box, line in zip(reading.boxes[label], reading.lines[label])}
        parts = factored(reading.boxes[label], inner) if reading.boxes[label] else ()
        conditions += sum(part.conditions for part, _ in parts)
        lines = [_factored_line(explainer, part, [ids[term] for term in ids if term in terms]) for part, terms in parts]
        listed.append(_listed(names[label], lines))
    return Form("factored", conditions, "\n\n".join([*listed, _otherwise(names, last, _behind(reading))]))


def _term(box: Box, full: Box) -> frozenset[Condition]:
    return frozenset((j, mask) for j, mask in enumerate(box) if mask != full[j])


def _factored_line(explainer: Explainer, part: Joined, ids: Sequence[str | None]) -> str:
    words, known = _joined_words(explainer, part), [one for one in ids if one is not None]
    return f"{words or 'always'}  [{', '.join(known)}]" if known else words


def _joined_words(explainer: Explainer, part: Joined) -> str:
    """Return parts joined by "and" or "or", what is joined inside them in brackets."""
    said = [
        (_joined_words(explainer, one), len(one.parts) > 1)
        if isinstance(one, Joined)
        else (
            _condition_phrase(explainer, one).condition,
            part.every and _condition_phrase(explainer, one).alternatives,
        )
        for one in part.parts
    ]
    return joined(said, "and" if part.every else "or")


def _condition_phrase(explainer: Explainer, condition: Condition) -> Phrase:
    (phrase,) = _phrases(explainer, explainer.sides.frame.expanded(_box(explainer, condition)))
    return phrase


def _box(explainer: Explainer, condition: Condition) -> Box:
    full, (column, mask) = explainer.sides.frame.inner.full, condition
    return (*full[:column], mask, *full[column + 1 :])


def _as_tree(explainer: Explainer, most: int) -> Iterator[Form]:
    """Yield the smallest tree if it has fewer questions than that."""
    reading, full = explainer.reading, explainer.sides.frame.inner.full
    asked = {one for boxes in reading.boxes for box in boxes for one in _term(box, full)}
    splits = sorted({(column, min(mask, full[column] & ~mask)) for column, mask in asked})
    tree = smallest_tree(reading.boxes, full, splits, most - 1)
    if tree is not None:
        lines = "\n".join(_questions(explainer, tree, "if"))
        yield Form("tree", tree.conditions, f"{lines}\n\n{_behind(reading)}")


def _questions(explainer: Explainer, tree: Question, head: str) -> Iterator[str]:
    """Yield the lines of a tree; an answer comes before further questions."""
    column, mask = tree.condition
    yes, no = tree.yes, tree.no
    if isinstance(yes, Question) and isinstance(no, int):
        yes, no, mask = no, yes, explainer.sides.frame.inner.full[column] & ~mask
    words = _condition_phrase(explainer, (column, mask)).condition
    names = [one.named for one in explainer.outcomes]
    if isinstance(yes, int):
        yield f"{head} {words}: {names[yes]}"
    else:
        yield f"{head} {words}:"
        yield from (f"    {line}" for line in _questions(explainer, yes, "if"))
    if isinstance(no, int):
        yield f"otherwise: {names[no]}"
    else:
        yield from _questions(explainer, no, "otherwise if")


def checklist_of(explainer: Explainer, first: int | None = None) -> tuple[int, Ticks] | None:
    """Return the class that a model of two classes says by a checklist, and the checklist; None if there is none."""
    sides = explainer.sides
    if len(sides.labels) != 2 or None in sides.reasons:
        return None
    ticks = ticks_of(sides.reasons[1] or (), sides.reasons[0] or (), sides.frame.inner)
    if ticks is None:
        return None
    turned = ticks.turned(sides.frame.inner.full)
    label = first if first is not None else int(ticks.least <= turned.least)
    return label, ticks if label else turned


@dataclass(frozen=True)
class ChecklistWords:
    """A class that is given iff the conditions that hold count at least this much together.

    Attributes
    ----------
    label : object
        The class.
    least : int
        The points that are enough.
    conditions : tuple of str
    points : tuple of int
        What each condition counts, mostly 1.
    """

    label: object
    least: int
    conditions: tuple[str, ...]
    points: tuple[int, ...]


def checklist(explainer: Explainer, first: int | None = None) -> ChecklistWords | None:
    """Return a model of two classes as a checklist in words; None if it is none."""
    known = checklist_of(explainer, first)
    if known is None:
        return None
    label, ticks = known
    words = tuple(_condition_phrase(explainer, one).condition for one in ticks.conditions)
    return ChecklistWords(explainer.classes[label], ticks.least, words, ticks.points)


def _as_checklist(explainer: Explainer, first: int | None) -> Iterator[Form]:
    known = checklist(explainer, first)
    if known is None:
        return
    label, words = explainer.classes.index(known.label), known.conditions
    names = [one.named for one in explainer.outcomes]
    if max(known.points) == 1:
        head = f"{names[label]} if at least {known.least} of these {len(words)} hold"
    else:
        head = f"{names[label]} if those of these that hold make at least {known.least} points"
        words = tuple(f"{point} point{'s' * (point > 1)}: {one}" for point, one in zip(known.points, words))
    listed = "\n".join(f"     {one}" for one in words)
    last = _otherwise(names, 1 - label, _behind(explainer.reading))
    yield Form("checklist", len(words) + 1, f"{head}\n{listed}\n\n{last}")


def model_text(explainer: Explainer, *, first: int | None = None, both: bool = False, form: FormName = "lines") -> str:
    """Return a model in words.

    Parameters
    ----------
    explainer : Explainer
        The model.
    first : int, optional
        The class to begin with if all are listed, if there are more than two, or if two are equally short.
    both : bool
        Whether to list every reason of all classes.
    form : {"auto", "lines", "checklist", "factored", "tree"}
        How to write it; "auto" is the form with the fewest conditions.

    Examples
    --------
    >>> from idnf.explaining.explainer import Explainer
    >>> from idnf.logic.boxes import Space
    >>> from idnf.logic.dnf import DNF
    >>> explainer = Explainer.of(DNF.parse("a & b | c").double(), Space.boolean("abc"), classes=("no", "yes"))
    >>> print(model_text(explainer))  # doctest: +NORMALIZE_WHITESPACE
    Every decision has a reason of at most 2 conditions.
    <BLANKLINE>
    yes if
         c  [b1]
      or a and b  [b2]
    <BLANKLINE>
    no otherwise. There are 2 ways to be no, each failing at least one condition in every line above
    (both=True or --both lists them).
    """
    k = explainer.sides.k
    head = f"Every decision has a reason of at most {k} condition{'s' * (k != 1)}.\n"
    names = [one.named for one in explainer.outcomes]
    given = [label for label in explainer.sides.labels if explainer.reading.lines[label]]
    if len(given) == 1:
        return f"{head}\n{names[given[0]]} always"
    if both:
        order = sorted(explainer.sides.labels, key=lambda label: (label != first, -label))
        return "\n\n".join([head.rstrip(), *(_listed(names[label], _all_lines(explainer, label)) for label in order)])
    return f"{head}\n{printed_form(explainer, form, first=first).text}"


def _all_lines(explainer: Explainer, label: int) -> Sequence[Line]:
    """Return every reason of a class, or its lines where the reasons are too many to list."""
    every = explainer.sides.reasons[label]
    if every is None:
        return explainer.reading.lines[label]
    return [line_of(explainer, label, box) for box in every]


def _listed(name: str, lines: Sequence[Line | str]) -> str:
    if not lines:
        return f"{name} never"
    return f"{name} if\n     " + "\n  or ".join(map(str, lines))


def _otherwise(names: Sequence[str], last: int, more: str) -> str:
    """Return the sentence that says when the class not listed is given, and one about its reasons."""
    return f"{names[last]} otherwise. {more}"


def _ways(explainer: Explainer, last: int) -> str:
    """Return the sentence that says how the reasons of the class not listed come about."""
    count, lines = explainer.reading.reasons[last], explainer.reading.size.terms
    label = label_words(explainer.classes[last])
    fails = f"at least one condition in {'the line' if lines == 1 else 'every line'} above"
    if count == 1:
        return f"There is one way to be {label}: failing {fails}."
    listed = "" if count is None else " (both=True or --both lists them)"
    return f"There are {'many' if count is None else count} ways to be {label}, each failing {fails}{listed}."


def _behind(reading: Reading) -> str:
    """Return the sentence that says how many reasons are not written out."""
    count = reading.size.reasons
    return f"Behind the decisions are {'many' if count is None else count} reasons (both=True or --both lists them)."
