"""Forms of a model other than plain lines; here lines with their common conditions factored out.

All are over the columns and cells that the model distinguishes (its frame), and equivalent to its lines. The cost of
reading a form is the number of conditions written in it.
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
"""The ways to print a model; "auto" is the one with the fewest conditions, or the first of several.

A bracket within a bracket counts as a condition, each repeated answer of a tree as a quarter of one.
"""

BRACKET, ANSWER = 1.0, 0.25

Condition = tuple[int, int]
"""A column of the frame and the mask of the cells it must lie in."""

Terms = frozenset[frozenset[Condition]]

# The most lines that are factored, and the most sets of lines examined.
_MOST_LINES = 1_000
_MOST_FACTORED = 2_000


@dataclass(frozen=True)
class Compound:
    """The conjunction (``every``) or the disjunction of some conditions and compounds."""

    every: bool
    parts: tuple[Condition | Compound, ...]

    @cached_property
    def conditions(self) -> int:
        """The number of conditions written."""
        return sum(part.conditions if isinstance(part, Compound) else 1 for part in self.parts)

    @cached_property
    def nested(self) -> int:
        """The number of brackets within brackets."""
        return sum(inner.nested + len(inner.inner) for inner in self.inner)

    @property
    def plain(self) -> list[Condition]:
        """The parts that are conditions."""
        return [part for part in self.parts if not isinstance(part, Compound)]

    @property
    def inner(self) -> list[Compound]:
        """The parts that are compounds themselves."""
        return [part for part in self.parts if isinstance(part, Compound)]

    def map_conditions(self, change: Callable[[Condition], Condition]) -> Compound:
        """Return the same compound with each condition replaced."""
        return Compound(
            self.every, tuple(p.map_conditions(change) if isinstance(p, Compound) else change(p) for p in self.parts)
        )


def factor(boxes: Sequence[Box], space: Space, budget: Budget | None = None) -> tuple[tuple[Compound, Terms], ...]:
    """Factor boxes into a few alternatives, in which common conditions are written once; each comes with its terms.

    >>> space = Space.boolean("abc")
    >>> [(line, terms)] = factor([(2, 2, 3), (2, 3, 2)], space)
    >>> line.conditions, line.parts[0], line.parts[1].every
    (3, (0, 2), False)
    """
    terms = frozenset(frozenset((j, box[j]) for j in space.constrained(box)) for box in boxes)
    whole = _Factoring(budget or Budget(_MOST_FACTORED if len(terms) <= _MOST_LINES else 0)).best(terms)
    lines = whole.parts if not whole.every and len(whole.parts) > 1 else (whole,)
    return tuple((line, frozenset(_terms(line))) for line in map(_as_product, lines))


class _Factoring:
    """A search for a short factored form of some terms that avoids nested brackets.

    Terms that are reached after the budget is spent stay as they are.
    """

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.known: dict[Terms, Compound] = {}

    def best(self, terms: Terms) -> Compound:
        if terms not in self.known:
            try:
                self.budget.spend(1)
            except TooManySteps:
                return _plain(terms)
            self.known[terms] = self._best(terms)
        return self.known[terms]

    def _best(self, terms: Terms) -> Compound:
        common = reduce(and_, terms)
        if common:
            rest = frozenset(term - common for term in terms)
            return _product(common) if len(terms) == 1 else _and(_product(common), self.best(rest))
        forms = [_plain(terms)]
        for quotient, divisors in _divisions(terms):
            rest = terms - {term | {divisor} for term in quotient for divisor in divisors}
            form = _and(_sum([Compound(True, (divisor,)) for divisor in sorted(divisors)]), self.best(quotient))
            forms.append(_sum([form, self.best(rest)] if rest else [form]))
        return min(forms, key=lambda form: 2 * form.conditions + form.nested)


def _divisions(terms: Terms) -> Iterator[tuple[Terms, frozenset[Condition]]]:
    """Yield quotients of the terms by conditions, each with all conditions that have it, if they shorten the form."""
    quotients = {
        condition: frozenset(term - {condition} for term in terms if condition in term)
        for condition in sorted(frozenset().union(*terms))
    }
    for quotient in quotients.values():
        divisors = frozenset(condition for condition, left in quotients.items() if quotient <= left)
        if frozenset() not in quotient and (len(quotient) > 1 or len(divisors) > 1):
            yield quotient, divisors


def _plain(terms: Terms) -> Compound:
    """Return terms as they are, the shortest first."""
    return _sum([_product(term) for term in sorted(terms, key=lambda term: (len(term), sorted(term)))])


def _product(term: Iterable[Condition]) -> Compound:
    return Compound(True, tuple(sorted(term)))


def _as_product(part: Condition | Compound) -> Compound:
    return part if isinstance(part, Compound) and part.every else Compound(True, (part,))


def _and(first: Compound, second: Compound) -> Compound:
    return Compound(True, (*_inside(first, every=True), *_inside(second, every=True)))


def _sum(parts: Sequence[Compound]) -> Compound:
    return (
        parts[0] if len(parts) == 1 else Compound(False, tuple(p for part in parts for p in _inside(part, every=False)))
    )


def _inside(part: Compound, *, every: bool) -> tuple[Condition | Compound, ...]:
    """Return the parts to join to others: those of a compound of the same kind, or the part itself."""
    return part.parts if part.every == every or len(part.parts) == 1 else (part,)


def disjunction(parts: Sequence[Condition | Compound]) -> Compound:
    """Return the disjunction of some parts."""
    return _sum([part if isinstance(part, Compound) else Compound(True, (part,)) for part in parts])


def negation(part: Condition | Compound, full: Box) -> Condition | Compound:
    """Return the negation of a part.

    >>> negation(Compound(True, ((0, 1), (1, 2))), (3, 3)) == Compound(False, ((0, 2), (1, 1)))
    True
    """
    if isinstance(part, Compound):
        return Compound(not part.every, tuple(negation(inner, full) for inner in part.parts))
    column, mask = part
    return column, full[column] & ~mask


def _terms(part: Condition | Compound) -> Iterator[frozenset[Condition]]:
    """Yield the terms that a factored form stands for."""
    if not isinstance(part, Compound):
        yield frozenset({part})
    elif not part.every:
        for inner in part.parts:
            yield from _terms(inner)
    else:
        terms: list[frozenset[Condition]] = [frozenset()]
        for inner in part.parts:
            terms = [term | other for term in terms for other in _terms(inner)]
        yield from terms
