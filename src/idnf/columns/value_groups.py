"""Categories of many values, in groups: a cell is a group of values, and values never seen have a cell of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from idnf.columns.categories import check_categories
from idnf.columns.column import NO_CELL, Refusal, TableColumn, TableLiteral
from idnf.columns.phrases import MISSING, Phrase, listed, listing, name_words
from idnf.columns.phrases import value_words as category_words
from idnf.columns.predicates import FIELD_KINDS, Field, OneOf, Predicate, category_kind
from idnf.columns.raw import Category, Kind, RawColumn, read_values, stripped
from idnf.logic.boxes import cells_of

MOST_GROUPS = 10
"""The most groups of a column: with the cells of values never seen and of missing ones, a dozen cells."""

MOST_GROUPED = 10_000
"""The most values of a column that are in groups; rarer ones count as never seen."""

NAMES = {
    2: ("low", "high"),
    3: ("low", "middle", "high"),
    4: ("lowest", "low", "high", "highest"),
    5: ("lowest", "low", "middle", "high", "highest"),
}
"""What groups are called that follow one order, by their number."""

FEW = 4
"""Up to this many values are listed where a condition names their groups."""

_MOST_CHOICES = 200


@dataclass(frozen=True)
class GroupedColumn(TableColumn):
    """A column of categories whose cells are groups of values.

    Parameters
    ----------
    groups : tuple of tuple
        The values of each group, sorted.
    sets : tuple of int
        The sets of cells that are literals, as masks over the groups and, after them, the values never seen.
    orders : tuple of int
        For each of these sets the number of the label by whose share the values were put in order.
    one_order : bool
        Whether the groups follow one order, from a low share of the second label to a high one.
    closed : bool
        Whether values never seen are refused.

    Examples
    --------
    >>> merchants = tuple(tuple(f"m{i}" for i in some) for some in (range(10, 16), range(1, 10)))
    >>> column = GroupedColumn("merchant", "refused", groups=merchants, sets=(0b010,), orders=(1,), one_order=True)
    >>> column.words(0b010), column.words(0b101)
    ('merchant is in group high (9 values)', 'merchant is not in group high (9 values)')
    >>> column.phrase(0b010).because("merchant", "m7"), column.cells(["m7", "m12", "m99"]).tolist()
    ('merchant is m7 (one of 9 in group high)', [1, 0, 2])
    """

    kind = "value-groups"

    groups: tuple[tuple[Category, ...], ...] = ()
    sets: tuple[int, ...] = ()
    orders: tuple[int, ...] = ()
    one_order: bool = False
    closed: bool = False

    def __post_init__(self) -> None:
        for values in self.groups:
            check_categories(self.name, values)

    @property
    def fields(self) -> tuple[Field, ...]:
        """One category."""
        return (Field(self.name, category_kind(self.groups[0])),)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Categories; numbers and truths if the categories are such."""
        return FIELD_KINDS[self.fields[0].kind]

    @property
    def group_names(self) -> tuple[str, ...]:
        """What each group is called.

        >>> GroupedColumn("zip", "refused", groups=(("1",), ("2",))).group_names
        ('1', '2')
        """
        numbers = tuple(str(place + 1) for place in range(len(self.groups)))
        return NAMES.get(len(self.groups), numbers) if self.one_order else numbers

    @property
    def known_labels(self) -> tuple[str, ...]:
        """The groups, and the values never seen."""
        named = zip(self.group_names, self.groups, strict=True)
        return (*(f"group {name} ({_counted(len(values))})" for name, values in named), "never seen")

    @cached_property
    def literals(self) -> tuple[TableLiteral, ...]:
        """Sets of groups, and ``c is missing``."""
        return (*(TableLiteral(self.words(mask), mask) for mask in self.sets), *self.missing_literals())

    @property
    def _others(self) -> int:
        """The cell of the values never seen, as a mask."""
        return 1 << len(self.groups)

    def with_all_literals(self) -> GroupedColumn:
        """Return the column with each cell among its literals.

        >>> GroupedColumn("zip", "refused", groups=(("1",), ("2",)), sets=(0b01,), orders=(0,)).with_all_literals().sets
        (1, 2, 4)
        """
        alone = tuple(1 << cell for cell in range(len(self.groups) + 1) if 1 << cell not in self.sets)
        orders = (*self.orders, *(1,) * len(alone))
        return replace(
            self,
            sets=(*self.sets, *alone),
            orders=orders,
            missing="seen" if self.has_missing_cell else self.missing,
        )

    def written_as(self, alike: Mapping[str, Sequence[str]]) -> GroupedColumn:
        """Return the column with every spelling of a value in its group."""
        groups = (sorted(text for value in values for text in alike[str(value)]) for values in self.groups)
        return replace(self, groups=tuple(map(tuple, groups)))

    def known_test(self, mask: int) -> Predicate:
        """Return which values it must be or, with those never seen among the cells, must not be."""
        negated = bool(mask & self._others)
        return OneOf(self.fields[0], self._values(self.known_mask & ~mask if negated else mask), negated)

    def _values(self, mask: int) -> tuple[Category, ...]:
        return tuple(value for cell in cells_of(mask) for value in self.groups[cell])

    def known_phrase(self, mask: int) -> Phrase:
        """Return the values if they are few, else their groups and how many values these have."""
        rest = bool(mask & self._others)
        named = self.known_mask & ~mask if rest else mask & self.known_mask
        if named == self._others - 1:
            only = self._listed(["a value never seen" if rest else "a value seen in training"], mask, rest=False)
            return replace(only, exact=False)
        values = self._values(named)
        if len(values) <= FEW:
            return self._listed(list(map(category_words, values)), mask, rest=rest)
        groups, count = self._groups_words(named), _counted(len(values))
        beside = self._listed([f"one of {len(values):,} in {groups}"], mask, rest=rest)
        phrase = self._listed([f"in {groups} ({count})"], mask, rest=rest)
        return replace(phrase, beside=beside.beside, instead=beside.instead, exact=False)

    def _groups_words(self, mask: int) -> str:
        names = [self.group_names[cell] for cell in cells_of(mask)]
        if not self.one_order or len(names) < 2:
            return f"group{'s' * (len(names) > 1)} {listed(names, 'or')}"
        if mask & mask + 1 == 0:
            return f"group {names[-1]} or below"
        return (
            f"group {names[0]} or above" if (mask + (mask & -mask)) == self._others else f"group {listed(names, 'or')}"
        )

    def _listed(self, labels: list[str], mask: int, *, rest: bool) -> Phrase:
        """Return a list of labels or, with the rest, that it is none of these."""
        held = [not rest] * len(labels) + [rest] + [bool(mask & self.missing_mask)] * self.has_missing_cell
        cells = [*labels, "other", *([MISSING] if self.has_missing_cell else [])]
        return listing(name_words(self.name), cells, held, rest=True, pair=False, both=False)

    def placed(self, *raws: RawColumn) -> NDArray[np.intp]:
        """Return the group of each value; values that are in none go to the cell of those never seen, or have none."""
        raw = stripped(raws[0])
        cell_of = {value: cell for cell, values in enumerate(self.groups) for value in values}
        other = NO_CELL if self.closed else len(self.groups)
        cells = np.fromiter(map(cell_of.get, raw.values.tolist(), repeat(other)), np.intp, len(raw))
        cells[raw.missing] = self.missing_cell
        return cells

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Categories never seen in training, if these are not taken."""
        if not self.closed:
            return super().refusals
        unseen = OneOf(self.fields[0], self._values(self._others - 1), negated=True)
        return (*super().refusals, Refusal(unseen, "must be a category seen in training"))

    @property
    def unlisted(self) -> OneOf:
        """The test for values that are in no group."""
        return OneOf(self.fields[0], self._values(self._others - 1), negated=True)

    def remark(self, different: int) -> str:
        """Return how many values are in groups."""
        count = sum(map(len, self.groups))
        left = f"; {different - count:,} rarer ones count as never seen" if different > count else ""
        return f"{count:,} values in {len(self.groups)} groups, made by the labels of their rows{left}"

    def portable(self) -> dict[str, object]:
        """Return how values are chosen elsewhere: one of those in the groups, if these are not too many, or another."""
        each = max(1, _MOST_CHOICES // len(self.groups))
        shown = [value for values in self.groups for value in values[:each]]
        known = [[str(value), [value]] for value in sorted(shown, key=str)]
        rest = [["another one", list(self.example(len(self.groups)))]] if not self.closed else []
        return {"own": None, "choices": known + rest}

    def written(self, *values: object) -> list[str]:
        """Return categories as they are written, in a group or not."""
        (given,) = values
        raw = stripped(read_values(self.name, given))
        words = {value: category_words(value) for value in set(raw.known.tolist())}
        pairs = zip(raw.values.tolist(), raw.missing.tolist(), strict=True)
        return [MISSING if missing else words[value] for value, missing in pairs]


def _counted(count: int) -> str:
    return f"{count:,} value{'s' * (count != 1)}"


def _shown(values: Sequence[Category], most: int) -> str:
    words = ", ".join(map(category_words, values[:most]))
    return words if len(values) <= most else f"{words} and {len(values) - most:,} more"


def group_texts(columns: Sequence[TableColumn], most: int = 12) -> list[str]:
    """Return what is in the groups of values of some columns, a text of several lines for each.

    >>> print(*group_texts([GroupedColumn("zip", "refused", groups=(("1",), ("2", "3", "4")), one_order=True)], most=2))
    Groups of zip
         low (1 value): 1
         high (3 values): 2, 3 and 1 more
    """
    return [
        "\n".join([
            f"Groups of {name_words(column)}",
            *(f"     {group} ({_counted(len(values))}): {_shown(values, most)}" for group, values in groups.items()),
        ])
        for column, groups in groups_of(columns).items()
    ]  # fmt: skip


def grouped_columns(columns: Sequence[TableColumn]) -> dict[int, GroupedColumn]:
    """Return the columns that have groups of values, by their places."""
    return {place: column for place, column in enumerate(columns) if isinstance(column, GroupedColumn)}


def groups_of(columns: Sequence[TableColumn]) -> dict[str, dict[str, tuple[Category, ...]]]:
    """Return the groups of values of the columns that have such, by the names of column and group.

    >>> groups_of([GroupedColumn("zip", "refused", groups=(("1",), ("2", "3")), one_order=True)])
    {'zip': {'low': ('1',), 'high': ('2', '3')}}
    """
    grouped = grouped_columns(columns).values()
    return {one.name: dict(zip(one.group_names, one.groups, strict=True)) for one in grouped}
