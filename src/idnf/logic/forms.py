"""Other ways to write a model: lines with what they share taken out, a tree of questions, a checklist.

All are over the columns and cells that the model tells apart (its frame), and say the same as its lines. What a form
costs to read is the number of conditions written in it; a checklist has a number more.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations_with_replacement
from operator import and_
from typing import Literal, get_args

from idnf.logic.boxes import Box, Space, cut, in_conflict, intersection
from idnf.logic.deadlines import Budget, TooManySteps

FormName = Literal["auto", "lines", "checklist", "factored", "tree"]
FORMS: tuple[FormName, ...] = get_args(FormName)
"""The ways to print a model; "auto" is the one with the fewest conditions, the first of equals.

A bracket within a bracket counts as a condition, an answer that a tree gives once more as a quarter.
"""

Condition = tuple[int, int]
"""A column of the frame and the mask of the cells it must lie in."""

Terms = frozenset[frozenset[Condition]]

# Lines of which what they share is looked for, and sets of lines looked at; boxes looked at in search of a tree.
_MOST_LINES = 1_000
_MOST_FACTORED = 2_000
_MOST_NODES = 2_000
_BOXES_A_STEP = 50
# The most that a tick in a checklist counts.
_MOST_POINTS = 3
_MOST_TICKS = 9


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
        return sum(inner.nested + sum(isinstance(one, Joined) for one in inner.parts) for inner in self._inner)

    @property
    def _inner(self) -> list[Joined]:
        return [part for part in self.parts if isinstance(part, Joined)]


def factored(boxes: Sequence[Box], space: Space) -> tuple[tuple[Joined, Terms], ...]:
    """Return boxes as a few alternatives, conditions that several boxes share written once; each with its boxes' terms.

    >>> space = Space.boolean("abc")
    >>> [(line, terms)] = factored([(2, 2, 3), (2, 3, 2)], space)
    >>> line.conditions, line.parts[0], line.parts[1].every
    (3, (0, 2), False)
    """
    terms = frozenset(frozenset((j, box[j]) for j in space.constrained(box)) for box in boxes)
    whole = _Factoring(Budget(_MOST_FACTORED if len(terms) <= _MOST_LINES else 0)).best(terms)
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


@dataclass(frozen=True)
class Question:
    """A condition, and what to do if it holds and if not: a class by its number, or another question."""

    condition: Condition
    yes: Question | int
    no: Question | int

    @property
    def conditions(self) -> int:
        """The number of questions."""
        return 1 + sum(part.conditions for part in (self.yes, self.no) if isinstance(part, Question))


def smallest_tree(sides: Sequence[Sequence[Box]], full: Box, splits: Sequence[Condition], most: int) -> Question | None:
    """Return the tree of fewest questions that gives each point its class, None if it needs more than `most`.

    None too if it is not found within a bound on the work.

    Parameters
    ----------
    sides : sequence of sequences of Box
        The boxes of each class, which together hold every point once.
    full : Box
        All points.
    splits : sequence of Condition
        What may be asked.
    most : int

    Examples
    --------
    >>> tree = smallest_tree([[(1, 3), (2, 1)], [(2, 2)]], (3, 3), [(0, 2), (1, 2)], 5)
    >>> tree.conditions, tree.condition, tree.no
    (2, (0, 2), 0)
    """
    growing = _Growing(sides, splits, Budget(_MOST_NODES))
    try:
        for size in range(1, most + 1):
            tree = growing.tree(full, size)
            if isinstance(tree, Question):
                return tree
    except TooManySteps:
        pass
    return None


class _Growing:
    """Trees over parts of the space, each looked for once."""

    def __init__(self, sides: Sequence[Sequence[Box]], splits: Sequence[Condition], budget: Budget) -> None:
        self.sides = sides
        self.splits = splits
        self.budget = budget
        self.step = max(1.0, sum(map(len, sides)) / _BOXES_A_STEP)
        self.known: dict[Box, Question | int] = {}
        self.needs: dict[Box, int] = {}

    def tree(self, part: Box, most: int) -> Question | int | None:
        """Return a tree of at most that many questions for a part of the space; the smallest if none is smaller."""
        if part not in self.known and part not in self.needs:
            self.budget.spend(self.step)
            labels = [label for label, side in enumerate(self.sides) if any(not in_conflict(box, part) for box in side)]
            if len(labels) == 1:
                self.known[part] = labels[0]
            self.needs[part] = max(len(labels) - 1, len(self._needed(part)))
        if part in self.known:
            known = self.known[part]
            return known if isinstance(known, int) or known.conditions <= most else None
        for size in range(self.needs[part], most + 1):
            found = self._split(part, size)
            if found is not None:
                self.known[part] = found
                return found
            self.needs[part] = size + 1
        return None

    def _split(self, part: Box, size: int) -> Question | None:
        for column, mask in self.splits:
            yes, no = cut(part, column, mask), cut(part, column, ~mask)
            if not yes[column] or not no[column]:
                continue
            self.budget.spend(0.1)
            first = self.tree(yes, size - 1)
            if first is None:
                continue
            left = size - 1 - (first.conditions if isinstance(first, Question) else 0)
            second = self.tree(no, left)
            if second is not None:
                return Question((column, mask), first, second)
        return None

    def _needed(self, part: Box) -> set[int]:
        """Return columns that every tree for a part must ask for: on which alone boxes of two classes differ."""
        inside = [[met for box in side if (met := intersection(box, part)) is not None] for side in self.sides]
        needed = set()
        for i, side in enumerate(inside):
            for other in inside[:i]:
                for a in side:
                    for b in other:
                        apart = [j for j, (x, y) in enumerate(zip(a, b)) if not x & y]
                        if len(apart) == 1:
                            needed.add(apart[0])
        return needed


@dataclass(frozen=True)
class Ticks:
    """A checklist over the frame: a class is given iff the conditions that hold count at least this much together."""

    least: int
    conditions: tuple[Condition, ...]
    points: tuple[int, ...]

    def turned(self, full: Box) -> Ticks:
        """Return the checklist of the other class."""
        failed = tuple((column, full[column] & ~mask) for column, mask in self.conditions)
        return Ticks(sum(self.points) - self.least + 1, failed, self.points)


def ticks_of(reasons: Sequence[Box], opposite: Sequence[Box], space: Space) -> Ticks | None:
    """Return a class as a checklist, given all reasons of both classes; None if it is none with small points.

    "All of these" and "any of these" are no checklists.

    >>> space = Space.boolean("abc")
    >>> majority = [(2, 2, 3), (2, 3, 2), (3, 2, 2)], [(1, 1, 3), (1, 3, 1), (3, 1, 1)]
    >>> ticks_of(*majority, space)
    Ticks(least=2, conditions=((0, 2), (1, 2), (2, 2)), points=(1, 1, 1))
    """
    winning = [dict.fromkeys((j, box[j]) for j in space.constrained(box)) for box in reasons]
    conditions = sorted({one for term in winning for one in term})
    columns = [column for column, _ in conditions]
    if not 3 <= len(columns) <= _MOST_TICKS or len(set(columns)) < len(columns):
        return None
    wins = [[columns.index(column) for column, _ in term] for term in winning]
    blocks = [[columns.index(column) for column in space.constrained(box)] for box in opposite]
    for points in _weights(wins, len(columns)):
        least = min(sum(points[i] for i in win) for win in wins)
        if all(sum(points) - sum(points[i] for i in block) < least for block in blocks):
            trivial = least == sum(points) or least <= min(points)
            return None if trivial else Ticks(least, tuple(conditions), points)
    return None


def _weights(wins: Sequence[Sequence[int]], count: int) -> Iterator[tuple[int, ...]]:
    """Yield points for each condition, small ones first: more for those with more say, the same for the same."""
    masks = [sum(1 << i for i in win) for win in wins]
    won = [held for held in range(1 << count) if any(held & mask == mask for mask in masks)]
    say = [sum(held >> i & 1 for held in won) for i in range(count)]
    levels = sorted(set(say))
    choices = combinations_with_replacement(range(1, _MOST_POINTS + 1), len(levels))
    for values in sorted(choices, key=lambda values: (sum(values), values)):
        point = dict(zip(levels, values, strict=True))
        yield tuple(point[one] for one in say)
