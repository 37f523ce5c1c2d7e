"""A model in words: as lines, as lines with what they share written once, as a tree of questions or as a checklist.

The shortest is printed unless another is asked for. Numbers in square brackets are those of the catalogue.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING

from idnf.explaining.reading import Line, line_of
from idnf.explaining.tree_words import (
    beside_conditions,
    brackets_in_brackets,
    condition_phrase,
    framed,
    joined_words,
    plainer_tree,
    short_tree,
    term_of,
    tree_lines,
)
from idnf.explaining.wording import ClassWords, TableWording, label_words
from idnf.logic.checklists import Ticks, ticks_of
from idnf.logic.errors import InvalidArgument
from idnf.logic.forms import BRACKET, FORMS, Compound, FormName, factor
from idnf.logic.literals import feature_of, is_negated
from idnf.logic.sides import ClassBoxes

if TYPE_CHECKING:
    from idnf.explaining.explainer import Explainer

# The last words of a text that leaves reasons out.
_LISTED = "(both=True lists them)"
_MANY = "The reasons behind these answers are too many to number."
# The most questions of a tree that is asked for.
_MOST_QUESTIONS = 60


@dataclass(frozen=True)
class Form:
    """A model written in one way: its form, conditions, text, lines of conditions, and the conditions of all else."""

    name: str
    conditions: int
    text: str
    lines: int = 0
    more: float = 0.0

    def elsewhere(self, place: str = "") -> str:
        """Return the text with the place at which the reasons that it leaves out are listed: no option of Python.

        >>> Form("tree", 3, f"... behind these answers are 5 reasons {_LISTED}.").elsewhere("(drawn above)")
        '... behind these answers are 5 reasons (drawn above).'
        """
        said = self.text.removesuffix(f" {_LISTED}.")
        return self.text if said == self.text else f"{said}{place and ' '}{place}."


def printed_form(
    explainer: Explainer, form: FormName = "auto", *, first: int | None = None, always: bool = False
) -> Form:
    """Return a model in one of its forms.

    Parameters
    ----------
    explainer : Explainer
        The model, which gives more than one class.
    form : {"auto", "lines", "checklist", "factored", "tree"}
    first : int, optional
        The class to begin with, if the form leaves a choice.
    always : bool
        Whether lines begin with that class even if another one needs fewer.

    Raises
    ------
    ValueError
        If the model is no checklist.

    Examples
    --------
    >>> from idnf.explaining.explainer import Explainer
    >>> from idnf.logic.boxes import Space
    >>> from idnf.logic.dnf import DNF
    >>> majority = DNF.parse("a & b | a & c | b & c").double()
    >>> explainer = Explainer.of(majority, Space.boolean("abc"), classes=("no", "yes"))
    >>> shortest = printed_form(explainer)
    >>> print(shortest.conditions, shortest.text)  # doctest: +NORMALIZE_WHITESPACE
    4 yes if at least 2 of these 3 hold
         a
         b
         c
    <BLANKLINE>
    no otherwise. Each of the 6 reasons names enough of these that hold, or enough that fail (both=True lists
    them).
    """
    if form not in FORMS:
        raise InvalidArgument("form", f"be one of {', '.join(FORMS)}", f"{form!r}")
    made = _forms(explainer, form, first, always=always)
    if form == "auto":
        # The shortest of those that are no longer than the model as it was learned.
        source, found = explainer.sides.source, list(made)
        most = inf if source is None else source.literal_count
        short = [one for one in found if one.conditions <= most]
        return min(short or found, key=lambda one: one.conditions + one.more)
    chosen = next(made, None)
    if chosen is None:
        known = ", ".join(one for one in FORMS[1:] if any(_forms(explainer, one, first)))
        raise InvalidArgument("form", f"be one that this model has ({known})", f"{form!r}")
    return chosen


def _forms(explainer: Explainer, form: FormName, first: int | None, *, always: bool = False) -> Iterator[Form]:
    """Yield the model in the form asked for, or in each that it has; of trees only one shorter than the lines."""
    if form == "tree":
        yield _as_tree(explainer, _MOST_QUESTIONS)
        return
    lines = _as_lines(explainer, first, always)
    if form in ("auto", "lines"):
        yield lines
    if form in ("auto", "checklist"):
        yield from _as_checklist(explainer, first)
    if form in ("auto", "factored"):
        short = _as_factored(explainer, first, always)
        yield short
        # No form has fewer conditions than there are columns in lines.
        full, boxes = explainer.sides.frame.inner.full, explainer.reading.boxes
        used = {column for side in boxes for box in side for column, _ in term_of(box, full)}
        if form == "auto" and min(lines.conditions, short.conditions + short.more) > len(used):
            yield _as_tree(explainer, lines.conditions - 1)


def _as_lines(explainer: Explainer, first: int | None, always: bool) -> Form:
    reading, names = explainer.reading, [one.named for one in explainer.outcomes]
    *order, last = reading.order(first, always=always)
    lists = [_write_list(explainer.outcomes[label], reading.lines[label]) for label in order if reading.lines[label]]
    listed = "\n\n".join([*lists, *_never(explainer)])
    conditions = sum(len(line.conditions) for label in order for line in reading.lines[label])
    count = sum(len(reading.lines[label]) for label in order)
    end = f"{names[last]} otherwise{_after_lines(explainer, order, last)}"
    return Form("lines", conditions, f"{listed}\n\n{end}", count)


def _as_factored(explainer: Explainer, first: int | None, always: bool) -> Form:
    """Return the shortest factored lines of all classes but one; ``first`` begins if it is listed."""
    reading, inner = explainer.reading, explainer.sides.frame.inner
    names = [one.named for one in explainer.outcomes]
    parts = [factor(boxes, inner) if boxes else () for boxes in reading.boxes]
    lengths = [sum(part.conditions for part, _ in some) for some in parts]
    *order, last = sorted(reading.order(first), key=lambda label: (not (always and label == first), lengths[label]))
    order.sort(key=lambda label: (not parts[label], label != first))
    listed = []
    for label in order:
        ids = {term_of(box, inner.full): line.id for box, line in zip(reading.boxes[label], reading.lines[label])}
        some = sorted(parts[label], key=lambda pair: pair[0].conditions)
        lines = [_factored_line(explainer, part, [ids[one] for one in ids if one in terms]) for part, terms in some]
        listed += [_write_list(explainer.outcomes[label], lines)] if lines else []
    listed += _never(explainer)
    count = sum(len(parts[label]) for label in order)
    end = f"{names[last]} otherwise{_after_lines(explainer, order, last, whole=count)}"
    nested = sum(brackets_in_brackets(explainer, part) for label in order for part, _ in parts[label])
    return Form(
        "factored", sum(lengths[label] for label in order), "\n\n".join([*listed, end]), count, BRACKET * nested
    )


def _never(explainer: Explainer) -> list[str]:
    """Return, as a line, the classes that are never given; nothing if there are none."""
    pairs = zip(explainer.classes, explainer.reading.lines, strict=True)
    never = [label_words(label) for label, lines in pairs if not lines]
    return [f"Never predicted: {', '.join(never)}."] if never else []


def _factored_line(explainer: Explainer, part: Compound, ids: Sequence[str | None]) -> str:
    words, known = joined_words(explainer, part), [one for one in ids if one is not None]
    return f"{words or 'always'}  [{', '.join(known)}]" if known else words


def _as_tree(explainer: Explainer, most: int) -> Form:
    """Return the smallest tree of at most that many questions, or a shorter one that asks for several conditions."""
    tree, count = short_tree(explainer, most), explainer.reading.size.reasons
    plain = plainer_tree(explainer, tree, explainer.sides.frame.inner.full)
    said = f"Behind these answers are {count} reasons, each with only the conditions it needs {_LISTED}."
    parts = ["\n".join(tree_lines(explainer, plain)), *_never(explainer), _MANY if count is None else said]
    return Form("tree", tree.conditions, "\n\n".join(parts), more=beside_conditions(explainer, tree))


def checklist_of(explainer: Explainer, first: int | None = None) -> tuple[int, Ticks] | None:
    """Return the class that a model of two classes says by a checklist, and the checklist; None if there is none."""
    sides = explainer.sides
    if len(sides.labels) != 2 or None in sides.reasons:
        return None
    ticks = ticks_of(sides.reasons[1] or (), sides.reasons[0] or (), sides.frame.inner) or _learned_ticks(sides)
    if ticks is None:
        return None
    turned = ticks.complement(sides.frame.inner.full)
    lengths = [sum(len(one) for one in _tick_words(explainer, side)) for side in (turned, ticks)]
    shorter = int((ticks.least, lengths[1]) <= (turned.least, lengths[0]))
    label = shorter if first is None else first
    return label, ticks if label else turned


def _learned_ticks(sides: ClassBoxes) -> Ticks | None:
    """Return the checklist that a model was learned as, which may compare a column more than once."""
    model = sides.source
    if model is None or model.tally is None:
        return None
    codes, points, least = model.tally
    if not {feature_of(code) for code in model.literals()} >= {feature_of(code) for code in codes}:
        return None
    ticks = Ticks(least, tuple(framed(sides, feature_of(code)) for code in codes), points)
    failed = ticks.complement(sides.frame.inner.full).conditions
    held = (no if is_negated(code) else yes for code, yes, no in zip(codes, ticks.conditions, failed, strict=True))
    return replace(ticks, conditions=tuple(held))


def _tick_words(explainer: Explainer, ticks: Ticks) -> tuple[str, ...]:
    return tuple(condition_phrase(explainer, one).condition for one in ticks.conditions)


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
    return ChecklistWords(explainer.classes[label], ticks.least, _tick_words(explainer, ticks), ticks.points)


def _as_checklist(explainer: Explainer, first: int | None) -> Iterator[Form]:
    known = checklist(explainer, first)
    if known is None:
        return
    label, words, count = explainer.classes.index(known.label), known.conditions, explainer.reading.size.reasons
    names = [one.named for one in explainer.outcomes]
    if max(known.points) == 1:
        head = f"{names[label]} if at least {known.least} of these {len(words)} hold"
    else:
        head = f"{names[label]} if these add up to at least {known.least} points"
        words = tuple(f"{point} point{'s' * (point > 1)} if {one}" for point, one in zip(known.points, words))
    listed = "\n".join(f"     {one}" for one in words)
    reasons = f"Each of the {count} reasons names enough of these that hold, or enough that fail {_LISTED}."
    text = f"{head}\n{listed}\n\n{names[1 - label]} otherwise. {reasons}"
    yield Form("checklist", len(words) + 1, text, len(words))


def model_text(  # noqa: PLR0913 - how to write a model is a word each
    explainer: Explainer,
    *,
    first: int | None = None,
    both: bool = False,
    form: FormName = "auto",
    place: str = _LISTED,
    always: bool = False,
) -> str:
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
    place : str
        What is said about where the reasons that are left out are listed; nothing if empty.
    always : bool
        Whether lines begin with that class even if another one needs fewer.

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
    no otherwise. There are 2 ways to get this answer, each failing at least one condition in every
    line above (both=True lists them).
    """
    k = explainer.sides.k
    head = f"Every decision has a reason of at most {k} condition{'s' * (k != 1)}.\n{rounded_up([explainer])}"
    given = [label for label in explainer.sides.labels if explainer.reading.lines[label]]
    if len(given) == 1:
        return f"{head}\n{explainer.outcomes[given[0]].always}"
    if both:
        order = sorted(explainer.sides.labels, key=lambda label: (label != first, -label))
        every = [_write_list(explainer.outcomes[one], _all_lines(explainer, one)) for one in order if one in given]
        return "\n\n".join([head.rstrip(), *every, *_never(explainer)])
    return f"{head}\n{printed_form(explainer, form, first=first, always=always).elsewhere(place)}"


def rounded_up(explainers: Sequence[Explainer]) -> str:
    """Return, as a line, which columns models speak of in whole numbers, as which all others are read; or nothing."""
    named = (
        wording.column.rounded_up(cells)
        for one in explainers
        for wording, cells in zip((one.wordings[j] for j in one.sides.frame.columns), one.sides.frame.members)
        if isinstance(wording, TableWording)
    )
    found = [name for name in dict.fromkeys(named) if name]
    return f"Rounded up to whole numbers: {', '.join(found)}.\n" if found else ""


def _all_lines(explainer: Explainer, label: int) -> Sequence[Line]:
    """Return every reason of a class, or its lines if the reasons are too many to list."""
    every = explainer.sides.reasons[label]
    if every is None:
        return explainer.reading.lines[label]
    return [line_of(explainer, label, box) for box in every]


def _write_list(outcome: ClassWords, lines: Sequence[Line | str]) -> str:
    return f"{outcome.named} if\n     " + "\n  or ".join(map(str, lines))


def _after_lines(explainer: Explainer, listed: Sequence[int], last: int, *, whole: int = 0) -> str:
    """Return what follows "otherwise": how the reasons that are not printed come about, and how to list them.

    ``whole`` is the number of lines printed if they are no plain conditions, so that they fail as a whole.
    """
    reading, count = explainer.reading, explainer.reading.reasons[last]
    lines = [line for label in listed for line in reading.lines[label]]
    number = reading.lines[last][0].id
    where = "the line above" if (whole or len(lines)) == 1 else "every line above"
    fails = f"failing {where if whole else f'at least one condition in {where}'}"
    if count is None:
        return f". There are many ways to get this answer, too many to number, each {fails}."
    implied = _count_implied(explainer, listed)
    if count > 1:
        return f". There are {count} ways to get this answer, each {fails}{implied} {_LISTED}."
    if len(lines) == len(lines[0].conditions) == 1:
        return f" [{number}]."
    return f". There is one way to get this answer [{number}]: {fails}{f'{implied} {_LISTED}' if implied else ''}."


def _count_implied(explainer: Explainer, listed: Sequence[int]) -> str:
    """Return how many reasons of the classes listed are not printed because the lines that are imply them."""
    reading = explainer.reading
    more = {label: (reading.reasons[label] or 0) - len(reading.lines[label]) for label in listed}
    labels = [label for label in listed if more[label] > 0]
    if not labels:
        return ""
    count = sum(more[label] for label in labels)
    of = f" for {label_words(explainer.classes[labels[0]])}" if len(labels) == 1 else ""
    return f"; {count} more reason{'s' * (count > 1)}{of} follow{'s' * (count == 1)} from the lines"
