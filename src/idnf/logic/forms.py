"""Other ways to write a model than as lines; here lines with what they share taken out.

All are over the columns and cells that the model distinguishes (its frame), and say the same as its lines. What a form
costs to read is the number of conditions written in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import and_
from typing import Literal, get_args

from idnf.logic.boxes import Box, Space
from idnf.logic.deadlines import Budget, TooManySteps

FormName = Literal["auto", "lines", "checklist", "factored", "tree"]
FORMS: tuple[FormName, ...] = get_args(FormName)
"""The ways to print a model; "auto" is the one with the fewest conditions, the first of equals.

A bracket within a bracket counts as a condition, an answer that a tree gives once more as a quarter.
"""

BRACKET, ANSWER = 1.0, 0.25

Condition = tuple[int, int]
"""A column of the frame and the mask of the cells it must lie in."""

Terms = frozenset[frozenset[Condition]]

# Lines of which what they share is looked for, and sets of lines looked at.
_MOST_LINES = 1_000
_MOST_FACTORED = 2_000


@dataclass(frozen=True)
class Joined:
    """Parts of which all hold, or any."""

    every: bool
    parts: tuple[Condition | Joined, ...]

    @cached_property
    def conditions(self) -> int:
        """The number of conditions written."""
        return sum(part.conditions if isinstance(part, Joined) else 1 for part in self.parts)

    @cached_property
    def nested(self) -> int:
        """The number of brackets within brackets."""
        return sum(inner.nested + len(inner.inner) for inner in self.inner)

    @property
    def plain(self) -> list[Condition]:
        """The parts that are conditions."""
        return [part for part in self.parts if not isinstance(part, Joined)]

    @property
    def inner(self) -> list[Joined]:
        """The parts that are joined themselves."""
        return [part for part in self.parts if isinstance(part, Joined)]

    def changed(self, change: Callable[[Condition], Condition]) -> Joined:
        """Return the same with other conditions."""
        return Joined(self.every, tuple(p.changed(change) if isinstance(p, Joined) else change(p) for p in self.parts))


def factored(boxes: Sequence[Box], space: Space, budget: Budget | None = None) -> tuple[tuple[Joined, Terms], ...]:
    """Return boxes as a few alternatives, conditions that several boxes share written once; each with its boxes' terms.

    >>> space = Space.boolean("abc")
    >>> [(line, terms)] = factored([(2, 2, 3), (2, 3, 2)], space)
    >>> line.conditions, line.parts[0], line.parts[1].every
    (3, (0, 2), False)
    """
    terms = frozenset(frozenset((j, box[j]) for j in space.constrained(box)) for box in boxes)
    whole = _Factoring(budget or Budget(_MOST_FACTORED if len(terms) <= _MOST_LINES else 0)).best(terms)
    lines = whole.parts if not whole.every and len(whole.parts) > 1 else (whole,)
    return tuple((line, frozenset(_terms(line))) for line in map(_as_product, lines))


class _Factoring:
    """A short factored form of some terms, by trying what may be taken out first; brackets in brackets are avoided.

    Terms that are met when the budget is spent stay as they are.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.known: dict[Terms, Joined] = {}

    def best(self, terms: Terms) -> Joined:
        if terms not in self.known:
            try:
                self.budget.spend(1)
            except TooManySteps:
                return _plain(terms)
            self.known[terms] = self._best(terms)
        return self.known[terms]

    def _best(self, terms: Terms) -> Joined:
        common = reduce(and_, terms)
        if common:
            rest = frozenset(term - common for term in terms)
            return _product(common) if len(terms) == 1 else _and(_product(common), self.best(rest))
        forms = [_plain(terms)]
        for quotient, divisors in _divisions(terms):
            made = frozenset(term | {one} for term in quotient for one in divisors)
            form = _and(_sum([Joined(True, (one,)) for one in sorted(divisors)]), self.best(quotient))
            forms.append(_sum([form, self.best(terms - made)] if terms - made else [form]))
        return min(forms, key=lambda form: 2 * form.conditions + form.nested)


def _divisions(terms: Terms) -> Iterator[tuple[Terms, frozenset[Condition]]]:
    """Yield what is left of the terms that hold a condition, and all conditions that leave that; shared ones only."""
    quotients = {
        one: frozenset(term - {one} for term in terms if one in term) for one in sorted(frozenset().union(*terms))
    }
    for quotient in quotients.values():
        divisors = frozenset(other for other, left in quotients.items() if quotient <= left)
        if frozenset() not in quotient and (len(quotient) > 1 or len(divisors) > 1):
            yield quotient, divisors


def _plain(terms: Terms) -> Joined:
    """Return terms as they are, the shortest first."""
    return _sum([_product(term) for term in sorted(terms, key=lambda term: (len(term), sorted(term)))])


def _product(term: Iterable[Condition]) -> Joined:
    return Joined(True, tuple(sorted(term)))


def _as_product(part: Condition | Joined) -> Joined:
    return part if isinstance(part, Joined) and part.every else Joined(True, (part,))


def _and(first: Joined, second: Joined) -> Joined:
    return Joined(True, (*_inside(first, every=True), *_inside(second, every=True)))


def _sum(parts: Sequence[Joined]) -> Joined:
    return (
        parts[0] if len(parts) == 1 else Joined(False, tuple(p for part in parts for p in _inside(part, every=False)))
    )


def _inside(part: Joined, *, every: bool) -> tuple[Condition | Joined, ...]:
    """Return the parts to be joined by another word: those of a part joined by the same one, or the part itself."""
    return part.parts if part.every == every or len(part.parts) == 1 else (part,)


def either(parts: Sequence[Condition | Joined]) -> Joined:
    """Return what holds where one of some parts does."""
    return _sum([part if isinstance(part, Joined) else Joined(True, (part,)) for part in parts])


def turned(part: Condition | Joined, full: Box) -> Condition | Joined:
    """Return what holds where a part does not.

    >>> turned(Joined(True, ((0, 1), (1, 2))), (3, 3)) == Joined(False, ((0, 2), (1, 1)))
    True
    """
    if isinstance(part, Joined):
        return Joined(not part.every, tuple(turned(one, full) for one in part.parts))
    column, mask = part
    return column, full[column] & ~mask


def _terms(part: Condition | Joined) -> Iterator[frozenset[Condition]]:
    """Yield the terms that a factored form stands for."""
    if not isinstance(part, Joined):
        yield frozenset({part})
    elif not part.every:
        for one in part.parts:
            yield from _terms(one)
    else:
        terms: list[frozenset[Condition]] = [frozenset()]
        for one in part.parts:
            terms = [term | other for term in terms for other in _terms(one)]
        yield from terms
