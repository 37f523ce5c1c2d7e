"""Other ways to write a model: lines with what they share taken out, and trees of questions.

All are over the columns and cells that the model distinguishes (its frame), and say the same as its lines. What a form
costs to read is the number of conditions written in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import inf
from operator import and_
from typing import Literal, get_args

from idnf.logic.boxes import Box, Space, cut, in_conflict, intersection
from idnf.logic.cubes import needed_boxes, outermost
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

# Lines of which what they share is looked for, and sets of lines looked at, in all and for the parts of a tree; boxes
# looked at in search of a tree; ways to divide a part that are followed.
_MOST_LINES = 1_000
_MOST_FACTORED = 2_000
_MOST_DIVIDED = 2_000
_MOST_NODES = 2_000
_WAYS = 2
_BOXES_A_STEP = 50


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


@dataclass(frozen=True)
class Question:
    """What is asked, and what to do if it holds and if not: a class by its number, or another question."""

    condition: Condition | Joined
    yes: Question | int
    no: Question | int

    @property
    def conditions(self) -> int:
        """The number of conditions written."""
        own = self.condition.conditions if isinstance(self.condition, Joined) else 1
        return own + sum(part.conditions for part in self._further)

    @cached_property
    def length(self) -> float:
        """What there is to read, in conditions: those written, brackets within brackets, and an answer."""
        nested = self.condition.nested if isinstance(self.condition, Joined) else 0
        own = self.condition.conditions if isinstance(self.condition, Joined) else 1
        return own + BRACKET * nested + ANSWER + sum(part.length for part in self._further)

    @property
    def _further(self) -> list[Question]:
        return [part for part in (self.yes, self.no) if isinstance(part, Question)]


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


def tree_of_lines(
    sides: Sequence[Sequence[Box]], space: Space, splits: Sequence[Condition], known: Question | int = 0
) -> Question | int:
    """Return a short tree that may ask for several conditions at once, as factored lines; it need not be the shortest.

    The space is divided, unless two conditions say all, and then its parts again, by the conditions after which lines
    are shortest; what is not divided is said by the lines of all its classes but one.

    Parameters
    ----------
    sides : sequence of sequences of Box
        The boxes of each class, which together hold every point.
    space : Space
    splits : sequence of Condition
        By what parts may be divided.
    known : Question or int
        A tree that parts may be divided by too, whatever its answers; what is returned has no more conditions.

    Examples
    --------
    >>> sides = [[(1, 1, 3, 3), (2, 3, 1, 3), (2, 3, 3, 1)], [(1, 2, 3, 3), (2, 3, 2, 2)]]
    >>> tree = tree_of_lines(sides, Space.boolean("abcd"), [(j, 2) for j in range(4)])
    >>> tree.condition, tree.yes.condition.parts, tree.no.condition.parts, tree.conditions
    ((0, 2), ((2, 2), (3, 2)), ((1, 1),), 4)
    """
    dividing = _Dividing(sides, space, splits)
    given = [dividing.along(known, space.full)] if isinstance(known, Question) else []
    most = min(map(_conditions, given), default=inf)
    found = [*given, *(tree for tree in dividing.divided(space.full) if tree.conditions <= most)]
    return min(found, key=_length, default=dividing.undivided(space.full))


class _Dividing:
    """Short trees over parts of the space, each looked for once."""

    def __init__(self, sides: Sequence[Sequence[Box]], space: Space, splits: Sequence[Condition]) -> None:
        self.sides, self.space, self.splits = sides, space, splits
        self.whole: dict[Box, Question | int] = {}
        self.known: dict[Box, Question | int] = {}
        self.budget = Budget(_MOST_DIVIDED)

    def along(self, known: Question | int, part: Box) -> Question | int:
        """Return a part divided by a tree as far as that goes."""
        if not isinstance(known, Question) or isinstance(known.condition, Joined):
            return self.undivided(part)
        column, mask = known.condition
        halves = [cut(part, column, mask), cut(part, column, ~mask)]
        if not all(half[column] for half in halves):
            return self.along(known.yes if halves[0][column] else known.no, part)
        divided = Question(known.condition, self.along(known.yes, halves[0]), self.along(known.no, halves[1]))
        return min(self.undivided(part), divided, key=lambda one: (_conditions(one), _length(one)))

    def best(self, part: Box) -> Question | int:
        if part not in self.known:
            ways = [self.undivided(part), *self.divided(part)]
            self.known[part] = min(ways, key=_length)
        return self.known[part]

    def divided(self, part: Box) -> Iterator[Question]:
        """Yield a part divided in the most promising ways; nothing if two conditions say it."""
        if _length(self.undivided(part)) <= 2 * (1 + ANSWER):
            return
        halves = {
            (column, mask): (cut(part, column, mask), cut(part, column, ~mask))
            for column, mask in self.splits
            if part[column] & mask and part[column] & ~mask and self.budget.spent < _MOST_DIVIDED
        }
        lengths = {one: sum(_length(self.undivided(half)) for half in both) for one, both in halves.items()}
        for one in sorted(lengths, key=lambda one: (lengths[one], one))[:_WAYS]:
            yes, no = halves[one]
            yield Question(one, self.best(yes), self.best(no))

    def undivided(self, part: Box) -> Question | int:
        """Return a part by the lines of all its classes but the one with most boxes."""
        if part not in self.whole:
            self.whole[part] = self._undivided(part)
        return self.whole[part]

    def _undivided(self, part: Box) -> Question | int:
        met = [{inside: box for box in side if (inside := intersection(box, part))} for side in self.sides]
        *labels, last = sorted((label for label, inside in enumerate(met) if inside), key=lambda one: len(met[one]))
        lines = {label: self._lines(met[label], part) for label in labels}
        tree: Question | int = last
        for label in sorted(labels, key=lambda one: -lines[one].conditions):
            tree = Question(lines[label], label, tree)
        return tree

    def _lines(self, met: dict[Box, Box], part: Box) -> Joined:
        """Return boxes of a part, given with those they are cut from, factored; each condition is said in one way."""
        said: dict[Condition, int] = {}
        boxes = [
            tuple(
                full if cells == here else said.setdefault((j, cells), mask)
                for j, (cells, here, full, mask) in enumerate(zip(box, part, self.space.full, met[box], strict=True))
            )
            for box in needed_boxes(outermost(list(met)))
        ]
        return _sum([line for line, _ in factored(boxes, self.space, self.budget)])


def _length(tree: Question | int) -> float:
    return tree.length if isinstance(tree, Question) else 0


def _conditions(tree: Question | int) -> int:
    return tree.conditions if isinstance(tree, Question) else 0
