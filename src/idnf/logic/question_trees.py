"""Models as trees of questions: the smallest, or short ones that ask for several conditions at once.

They are over the columns and cells that the model tells apart (its frame), as all forms are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from idnf.logic.boxes import Box, Space, cut, in_conflict, intersection
from idnf.logic.cubes import needed_boxes, outermost
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.forms import ANSWER, BRACKET, Condition, Joined, either, factored

# Boxes looked at in search of the smallest tree; sets of lines looked at for the parts of another, and ways to divide a
# part that are followed.
_MOST_NODES = 2_000
_BOXES_A_STEP = 50
_MOST_DIVIDED = 2_000
_WAYS = 2


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

    @property
    def asked(self) -> list[Joined]:
        """What is asked here and after."""
        return [either([self.condition]), *(one for part in self._further for one in part.asked)]

    def changed(self, part: Box, change: Callable[[Condition, Box], Condition]) -> Question:
        """Return the tree with other conditions, each changed by what is left of a part when it is asked."""
        asked = self.condition
        if isinstance(asked, Joined):
            condition: Condition | Joined = asked.changed(lambda one: change(one, part))
            halves = part, part
        else:
            condition, halves = change(asked, part), (cut(part, *asked), cut(part, asked[0], ~asked[1]))
        further = zip((self.yes, self.no), halves, strict=True)
        yes, no = (one.changed(half, change) if isinstance(one, Question) else one for one, half in further)
        return Question(condition, yes, no)


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
        return either([line for line, _ in factored(boxes, self.space, self.budget)])


def _length(tree: Question | int) -> float:
    return tree.length if isinstance(tree, Question) else 0


def _conditions(tree: Question | int) -> int:
    return tree.conditions if isinstance(tree, Question) else 0
