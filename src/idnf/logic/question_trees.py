"""Models as trees of questions: the smallest tree, or short ones that test several conditions at once.

They are over the columns and cells that the model distinguishes (its frame), like all forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from idnf.logic.boxes import Box, Space, cut, in_conflict, intersection
from idnf.logic.cubes import irredundant_boxes, outermost
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.forms import ANSWER, BRACKET, Compound, Condition, disjunction, factor

# The most boxes examined in search of the smallest tree, and how many make a step; for a tree of lines, the most sets
# of lines examined, and the number of ways to divide a part that are tried.
_MOST_NODES = 2_000
_BOXES_PER_STEP = 50
_MOST_DIVIDED = 2_000
_WAYS = 2


@dataclass(frozen=True)
class Question:
    """A condition, with the class (by its number) or the next question if it holds and if not."""

    condition: Condition | Compound
    yes: Question | int
    no: Question | int

    @property
    def conditions(self) -> int:
        """The number of conditions written."""
        own = self.condition.conditions if isinstance(self.condition, Compound) else 1
        return own + sum(part.conditions for part in self._next_questions)

    @cached_property
    def length(self) -> float:
        """The cost of reading it, in conditions: those written, brackets within brackets, and an answer."""
        nested = self.condition.nested if isinstance(self.condition, Compound) else 0
        own = self.condition.conditions if isinstance(self.condition, Compound) else 1
        return own + BRACKET * nested + ANSWER + sum(part.length for part in self._next_questions)

    @property
    def _next_questions(self) -> list[Question]:
        return [part for part in (self.yes, self.no) if isinstance(part, Question)]

    @property
    def tests(self) -> list[Compound]:
        """The conditions tested here and below."""
        return [disjunction([self.condition]), *(test for part in self._next_questions for test in part.tests)]

    def map_conditions(self, part: Box, change: Callable[[Condition, Box], Condition]) -> Question:
        """Return the tree with each condition replaced, given the part of the space in which it is tested."""
        own = self.condition
        if isinstance(own, Compound):
            condition: Condition | Compound = own.map_conditions(lambda inner: change(inner, part))
            halves = part, part
        else:
            condition, halves = change(own, part), (cut(part, *own), cut(part, own[0], ~own[1]))
        branches = zip((self.yes, self.no), halves, strict=True)
        yes, no = (
            branch.map_conditions(half, change) if isinstance(branch, Question) else branch for branch, half in branches
        )
        return Question(condition, yes, no)


def smallest_tree(sides: Sequence[Sequence[Box]], full: Box, splits: Sequence[Condition], most: int) -> Question | None:
    """Return the tree of fewest questions that gives each point its class, or None if it needs more than `most`.

    Also return None if it is not found within a bound on the work.

    Parameters
    ----------
    sides : sequence of sequences of Box
        The boxes of each class, which together hold every point once.
    full : Box
        All points.
    splits : sequence of Condition
        The conditions that may be tested.
    most : int

    Examples
    --------
    >>> tree = smallest_tree([[(1, 3), (2, 1)], [(2, 2)]], (3, 3), [(0, 2), (1, 2)], 5)
    >>> tree.conditions, tree.condition, tree.no
    (2, (0, 2), 0)
    """
    search = _SmallestTrees(sides, splits, Budget(_MOST_NODES))
    try:
        for size in range(1, most + 1):
            tree = search.tree(full, size)
            if isinstance(tree, Question):
                return tree
    except TooManySteps:
        pass
    return None


class _SmallestTrees:
    """The smallest trees over parts of the space, each searched for once."""

    def __init__(self, sides: Sequence[Sequence[Box]], splits: Sequence[Condition], budget: Budget) -> None:
        self.sides = sides
        self.splits = splits
        self.budget = budget
        self.step = max(1.0, sum(map(len, sides)) / _BOXES_PER_STEP)
        self.known: dict[Box, Question | int] = {}
        self.needs: dict[Box, int] = {}

    def tree(self, part: Box, most: int) -> Question | int | None:
        """Return a tree of at most ``most`` questions for a part of the space, or None."""
        if part not in self.known and part not in self.needs:
            self.budget.spend(self.step)
            labels = [label for label, side in enumerate(self.sides) if any(not in_conflict(box, part) for box in side)]
            if len(labels) == 1:
                self.known[part] = labels[0]
            self.needs[part] = max(len(labels) - 1, len(self._necessary_columns(part)))
        if part in self.known:
            known = self.known[part]
            return known if isinstance(known, int) or known.conditions <= most else None
        for size in range(self.needs[part], most + 1):
            tree = self._split(part, size)
            if tree is not None:
                self.known[part] = tree
                return tree
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

    def _necessary_columns(self, part: Box) -> set[int]:
        """Return columns that every tree for a part must test: each alone separates two boxes of different classes."""
        inside = [[common for box in side if (common := intersection(box, part)) is not None] for side in self.sides]
        columns = set()
        for i, side in enumerate(inside):
            for other in inside[:i]:
                for a in side:
                    for b in other:
                        apart = [j for j, (x, y) in enumerate(zip(a, b)) if not x & y]
                        if len(apart) == 1:
                            columns.add(apart[0])
        return columns


def tree_of_lines(
    sides: Sequence[Sequence[Box]], space: Space, splits: Sequence[Condition], known: Question | int = 0
) -> Question | int:
    """Return a short tree that may test several conditions at once, as factored lines; it need not be the shortest.

    The space is divided, unless two conditions describe it, by the conditions after which lines are shortest, and then
    its parts again. An undivided part is described by the lines of all its classes but one.

    Parameters
    ----------
    sides : sequence of sequences of Box
        The boxes of each class, which together hold every point.
    space : Space
    splits : sequence of Condition
        The conditions that may divide parts.
    known : Question or int
        A tree that may divide parts as well, whatever its answers; the result has no more conditions.

    Examples
    --------
    >>> sides = [[(1, 1, 3, 3), (2, 3, 1, 3), (2, 3, 3, 1)], [(1, 2, 3, 3), (2, 3, 2, 2)]]
    >>> tree = tree_of_lines(sides, Space.boolean("abcd"), [(j, 2) for j in range(4)])
    >>> tree.condition, tree.yes.condition.parts, tree.no.condition.parts, tree.conditions
    ((0, 2), ((2, 2), (3, 2)), ((1, 1),), 4)
    """
    search = _ShortTrees(sides, space, splits)
    trees = [search.along(known, space.full)] if isinstance(known, Question) else []
    most = min(map(_conditions, trees), default=inf)
    trees += [tree for tree in search.divisions(space.full) if tree.conditions <= most]
    return min(trees, key=_length, default=search.as_lines(space.full))


class _ShortTrees:
    """Short trees over parts of the space, each searched for once."""

    def __init__(self, sides: Sequence[Sequence[Box]], space: Space, splits: Sequence[Condition]) -> None:
        self.sides, self.space, self.splits = sides, space, splits
        self.whole: dict[Box, Question | int] = {}
        self.known: dict[Box, Question | int] = {}
        self.budget = Budget(_MOST_DIVIDED)

    def along(self, known: Question | int, part: Box) -> Question | int:
        """Return a part divided by the conditions of a tree, as far as they divide it."""
        if not isinstance(known, Question) or isinstance(known.condition, Compound):
            return self.as_lines(part)
        column, mask = known.condition
        halves = [cut(part, column, mask), cut(part, column, ~mask)]
        if not all(half[column] for half in halves):
            return self.along(known.yes if halves[0][column] else known.no, part)
        divided = Question(known.condition, self.along(known.yes, halves[0]), self.along(known.no, halves[1]))
        return min(self.as_lines(part), divided, key=lambda tree: (_conditions(tree), _length(tree)))

    def best(self, part: Box) -> Question | int:
        if part not in self.known:
            ways = [self.as_lines(part), *self.divisions(part)]
            self.known[part] = min(ways, key=_length)
        return self.known[part]

    def divisions(self, part: Box) -> Iterator[Question]:
        """Yield a part divided in the most promising ways; none if two conditions describe it."""
        if _length(self.as_lines(part)) <= 2 * (1 + ANSWER):
            return
        halves = {
            (column, mask): (cut(part, column, mask), cut(part, column, ~mask))
            for column, mask in self.splits
            if part[column] & mask and part[column] & ~mask and self.budget.spent < _MOST_DIVIDED
        }
        lengths = {split: sum(_length(self.as_lines(half)) for half in both) for split, both in halves.items()}
        for split in sorted(lengths, key=lambda split: (lengths[split], split))[:_WAYS]:
            yes, no = halves[split]
            yield Question(split, self.best(yes), self.best(no))

    def as_lines(self, part: Box) -> Question | int:
        """Return a part as the lines of all its classes but the one with most boxes."""
        if part not in self.whole:
            self.whole[part] = self._make_lines(part)
        return self.whole[part]

    def _make_lines(self, part: Box) -> Question | int:
        met = [{inside: box for box in side if (inside := intersection(box, part))} for side in self.sides]
        *labels, last = sorted((label for label, inside in enumerate(met) if inside), key=lambda label: len(met[label]))
        lines = {label: self._lines(met[label], part) for label in labels}
        tree: Question | int = last
        for label in sorted(labels, key=lambda label: -lines[label].conditions):
            tree = Question(lines[label], label, tree)
        return tree

    def _lines(self, met: dict[Box, Box], part: Box) -> Compound:
        """Factor the boxes of a part, each with the box it is cut from; equal conditions are written the same way."""
        written: dict[Condition, int] = {}
        boxes = [
            tuple(
                full if cells == here else written.setdefault((j, cells), mask)
                for j, (cells, here, full, mask) in enumerate(zip(box, part, self.space.full, met[box], strict=True))
            )
            for box in irredundant_boxes(outermost(list(met)))
        ]
        return disjunction([line for line, _ in factor(boxes, self.space, self.budget)])


def _length(tree: Question | int) -> float:
    return tree.length if isinstance(tree, Question) else 0


def _conditions(tree: Question | int) -> int:
    return tree.conditions if isinstance(tree, Question) else 0
