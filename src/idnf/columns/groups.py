"""Groups: 0/1 columns that the user declares to belong together, seen as one column.

Columns of a one-hot code exclude each other; columns of an ordered code imply each other. Explanations over a group
never name impossible combinations. The 0/1 columns themselves stay the literals.

What users declare of columns: what they hold, for policies that are written instead of learned; and their direction.

Monotone constraints say which literals may occur in the DNF of class 1 so that it rises, or falls, with a column.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from idnf.columns.categories import BooleanColumn, CategoryColumn, ListedColumn
from idnf.columns.column import NO_CELL, Refusal, TableColumn, TableLiteral
from idnf.columns.intervals import NumberColumn
from idnf.columns.phrases import BLANKS, Phrase, name_words
from idnf.columns.predicates import Compare, Field, OneOf, Predicate, Total, Value, all_of, any_of
from idnf.columns.raw import RawColumn
from idnf.logic.boxes import cells_of, runs
from idnf.logic.errors import InvalidArgument
from idnf.logic.literals import literal


@dataclass(frozen=True)
class Ordered:
    """Columns of an ordered code, each of which implies the next, such as ``a <= 1, a <= 2, a <= 3``.

    Examples
    --------
    >>> Ordered(["priors<=0", "priors<=3"]).columns
    ('priors<=0', 'priors<=3')
    """

    columns: tuple[str, ...]

    def __init__(self, columns: Sequence[str]) -> None:
        object.__setattr__(self, "columns", tuple(columns))


Groups = Mapping[str, Sequence[str] | Ordered]
"""Group names with their columns: a list for a one-hot code, `Ordered` for an ordered one."""


@dataclass(frozen=True)
class GroupColumn(TableColumn):
    """Several 0/1 columns of the user's table as one column; missing values are refused.

    Parameters
    ----------
    members : tuple of str
        The 0/1 columns.
    """

    members: tuple[str, ...]

    fixed = True

    @property
    def fields(self) -> tuple[Field, ...]:
        """The 0/1 columns."""
        return tuple(Field(member, "truth") for member in self.members)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Anything but 0 and 1 in any column."""
        return tuple(refusal for member in self.members for refusal in BooleanColumn(member, "refused").refusals)

    def is_set(self, member: int, *, held: bool = True) -> Predicate:
        """Return the test that a member is 1 or, not held, 0."""
        return OneOf(self.fields[member], (int(held),))

    def example(self, cell: int) -> tuple[Value, ...]:
        """Return the code of a cell."""
        return self.codes[cell]

    @property
    @abstractmethod
    def codes(self) -> list[tuple[int, ...]]:
        """The values of the members in each cell."""

    def portable(self) -> dict[str, object]:
        """Return how values are called and chosen elsewhere."""
        names = (*self.members, "none of these")
        return {**super().portable(), "choices": [[name, list(code)] for name, code in zip(names, self.codes)]}

    def placed(self, *raws: RawColumn) -> NDArray[np.intp]:
        """Return the cell of each code; -1 if a member is neither 0 nor 1, or if together they are no code."""
        columns = (BooleanColumn(name, "refused") for name in self.members)
        members = np.column_stack([column.placed(raw) for column, raw in zip(columns, raws, strict=True)])
        return np.where((members == NO_CELL).any(axis=1), NO_CELL, self.coded(members == 1))

    @abstractmethod
    def coded(self, bits: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return the cells of rows of bits, shape (n_values, n_members); -1 if they are no code."""

    def broken_by(self, test: Predicate, values: Mapping[str, object]) -> tuple[str, str, str]:
        """Return which member is not 0 or 1, or which are set."""
        name, subject, got = super().broken_by(test, values)
        if name != self.name:
            return name, subject, got
        return name, f"group {name!r}", str([member for member, value in values.items() if value == 1])


@dataclass(frozen=True)
class OneHotGroup(GroupColumn, ListedColumn):
    """A one-hot code: at most one column is set, or exactly one if training had no row without.

    Parameters
    ----------
    none : bool
        Whether there is a cell for rows in which no column is set.

    Examples
    --------
    >>> race = OneHotGroup("race", "refused", members=("race_a", "race_b", "race_c"), none=True)
    >>> [literal.name for literal in race.literals], race.labels
    (['race_a', 'race_b', 'race_c'], ('a', 'b', 'c', 'none'))
    >>> race.words(0b0011), race.words(0b1100), race.cells([0, 1], [0, 0], [1, 0]).tolist()
    ('race is a or b', 'race is neither a nor b', [2, 0])
    """

    kind = "one-hot"

    none: bool = False

    @property
    def known_labels(self) -> tuple[str, ...]:
        """The members, without the group's name before them, and "none"."""
        prefixes = (f"{self.name}{mark}" for mark in "_=:.- ")
        prefix = next((p for p in prefixes if all(m.startswith(p) and m != p for m in self.members)), "")
        return (*(m.removeprefix(prefix) for m in self.members), *(("none",) if self.none else ()))

    @property
    def literals(self) -> tuple[TableLiteral, ...]:
        """The 0/1 columns."""
        return tuple(TableLiteral(member, 1 << cell) for cell, member in enumerate(self.members))

    def coded(self, bits: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return for each row the index of the column that is 1."""
        totals = bits.sum(axis=1)
        cells = np.where(totals == 1, bits.argmax(axis=1), len(self.members))
        cells[(totals > 1) if self.none else (totals != 1)] = NO_CELL
        return cells

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """More than one column set or, if training had no such row, none."""
        total = Total(self.fields)
        if self.none:
            return (*super().refusals, Refusal(Compare(total, over=1), "must have at most one column set"))
        rule = "must have exactly one column set, as in training"
        return (*super().refusals, Refusal(OneOf(total, (1,), negated=True), rule))

    def known_test(self, mask: int) -> Predicate:
        """Return which of some members is set or, when "none" is among the cells, which are not."""
        members = range(len(self.members))
        if not mask >> len(members) & 1:
            return any_of(self.is_set(member) for member in cells_of(mask))
        return all_of(self.is_set(member, held=False) for member in members if not mask >> member & 1)

    @property
    def rest(self) -> bool:
        """Whether the last cell stands for rows in which no column is set."""
        return self.none

    @property
    def codes(self) -> list[tuple[int, ...]]:
        """One member set, or none."""
        members = range(len(self.members))
        return [tuple(int(member == cell) for member in members) for cell in range(len(self.known_labels))]


@dataclass(frozen=True)
class OrderedGroup(GroupColumn):
    """An ordered code: every column implies the next.

    Examples
    --------
    >>> priors = OrderedGroup("priors", "refused", members=("none", "few"))
    >>> priors.words(0b001), priors.words(0b010), priors.words(0b110), priors.cells([1, 0, 0], [1, 1, 0]).tolist()
    ('priors: none', 'priors: few but not none', 'priors: not none', [0, 1, 2])
    """

    kind = "ordered-group"

    ordered = True

    @property
    def known_labels(self) -> tuple[str, ...]:
        """The cells between the members."""
        inner = (f"{high} but not {low}" for low, high in zip(self.members, self.members[1:], strict=False))
        return (self.members[0], *inner, f"not {self.members[-1]}")

    @property
    def literals(self) -> tuple[TableLiteral, ...]:
        """The 0/1 columns."""
        return tuple(TableLiteral(member, (2 << cell) - 1) for cell, member in enumerate(self.members))

    def coded(self, bits: NDArray[np.bool_]) -> NDArray[np.intp]:
        """Return the first column that is set."""
        wrong = (bits[:, :-1] & ~bits[:, 1:]).any(axis=1)
        return np.where(wrong, NO_CELL, len(self.members) - bits.sum(axis=1))

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """A column set without the next."""
        pairs = zip(range(len(self.members)), range(1, len(self.members)))
        broken = (all_of([self.is_set(here), self.is_set(after, held=False)]) for here, after in pairs)
        return (*super().refusals, *(Refusal(test, "must have every column imply the next") for test in broken))

    def known_test(self, mask: int) -> Predicate:
        """Return ranges of the code by the columns at their ends."""
        return any_of(all_of(self._ends(low, high)) for low, high in runs(mask))

    def _ends(self, low: int, high: int) -> list[Predicate]:
        first = [self.is_set(low - 1, held=False)] if low > 0 else []
        return [*first, self.is_set(high)] if high < len(self.members) else first

    @property
    def codes(self) -> list[tuple[int, ...]]:
        """All members from one on."""
        n = len(self.members)
        return [tuple(int(member >= cell) for member in range(n)) for cell in range(n + 1)]

    def known_phrase(self, mask: int) -> Phrase:
        """Return ranges of the code by the columns at their ends."""
        name, ranges = name_words(self.name), [self._range_words(low, high) for low, high in runs(mask)]
        words = " or ".join(ranges)
        several = len(ranges) > 1
        condition = " or ".join(f"{name}: {part}" for part in ranges)
        return Phrase(condition, words, words, several, exact=mask.bit_count() == 1, choice=several)

    def _range_words(self, low: int, high: int) -> str:
        members = [name_words(member) for member in self.members]
        if low == 0:
            return members[high]
        return f"not {members[low - 1]}" if high == len(members) else f"{members[high]} but not {members[low - 1]}"


def members_of(groups: Groups, names: Collection[str]) -> dict[str, str]:
    """Return the group of each grouped column; refuse groups that do not fit the table.

    >>> members_of({"race": ["a", "b"]}, ["a", "b", "c"])
    {'a': 'race', 'b': 'race'}
    """
    group_of: dict[str, str] = {}
    for group, declared in groups.items():
        members = declared.columns if isinstance(declared, Ordered) else declared
        if isinstance(members, str) or not isinstance(members, Collection) or len(members) < 2:
            raise InvalidArgument(f"groups[{group!r}]", "list at least two columns", f"{declared!r}")
        for member in members:
            if member not in names:
                raise InvalidArgument(f"groups[{group!r}]", "list columns of the table", f"{member!r}")
            if member in group_of:
                raise InvalidArgument(
                    "groups", "not share columns", f"{member!r} in {group_of[member]!r} and {group!r}"
                )
            group_of[member] = group
    for group in groups:
        if group in names and group_of.get(group) != group:
            raise InvalidArgument("groups", "not bear the name of another column", f"{group!r}")
    return group_of


def fit_group(name: str, declared: Sequence[str] | Ordered, raws: Mapping[str, RawColumn]) -> GroupColumn:
    """Return the column of a declared group, having checked the code on the training rows."""
    column = declared_group(name, declared)
    try:
        cells = column.cells(*(raws[member] for member in column.members))
    except ValueError as error:
        raise ValueError(f"groups[{name!r}] must list columns of 0 and 1; {error}") from error
    return declared_group(name, declared, none=bool((cells == len(column.members)).any()))


def declared_group(name: str, declared: Sequence[str] | Ordered, *, none: bool = True) -> GroupColumn:
    """Return the column of a declared group; ``none`` says whether a one-hot code may have no column set.

    >>> declared_group("race", ["race_a", "race_b"]).labels
    ('a', 'b', 'none')
    """
    if isinstance(declared, Ordered):
        return OrderedGroup(name, "refused", declared.columns)
    return OneHotGroup(name, "refused", tuple(declared), none=none)


def declarations(columns: Iterable[TableColumn]) -> dict[str, Ordered | list[str]]:
    """Return what was declared to make the groups among some columns.

    >>> declarations([declared_group("race", ["race_a", "race_b"]), declared_group("size", Ordered(["s", "m"]))])
    {'race': ['race_a', 'race_b'], 'size': Ordered(columns=('s', 'm'))}
    """
    groups = (column for column in columns if isinstance(column, GroupColumn))
    return {g.name: Ordered(g.members) if isinstance(g, OrderedGroup) else list(g.members) for g in groups}


Declared = Mapping[str, Sequence[float] | Sequence[str] | type[bool]]


def declared_columns(declared: Declared) -> tuple[TableColumn, ...]:
    """Return columns from their cut points, their categories, or ``bool``.

    >>> columns = declared_columns({"age": [30, 45], "job": ["clerk", "nurse"], "member": bool})
    >>> from idnf.columns.column import literal_names
    >>> literal_names(columns)
    ('age <= 30', 'age <= 45', 'job is clerk', 'job is nurse', 'member')
    """
    return tuple(_column(name, given) for name, given in declared.items())


def _column(name: str, given: Sequence[float] | Sequence[str] | type[bool]) -> TableColumn:
    if isinstance(given, type):
        return BooleanColumn(name, "refused")
    if given and all(isinstance(value, str) for value in given):
        return CategoryColumn(name, "refused", values=tuple(dict.fromkeys(str(value).strip(BLANKS) for value in given)))
    if given and all(isinstance(value, Real) and not isinstance(value, bool) for value in given):
        return NumberColumn(name, "refused", cuts=tuple(sorted({float(value) for value in given})))
    raise InvalidArgument(f"columns[{name!r}]", "be a list of cut points, a list of categories, or bool", f"{given!r}")


def allowed_literals(columns: Sequence[TableColumn], constraints: Mapping[str, int]) -> frozenset[int]:
    """Return the codes of the literals allowed in class 1 under constraints 1 (rising), 0 (none) and -1 (falling).

    A literal is allowed on a rising column when the known cells in which it holds are closed upwards. Any DNF of such
    literals is rising on the known values of that column, whatever its other columns hold; the missing cell stands
    outside the order and is not compared with them.

    >>> from idnf.columns.intervals import NumberColumn
    >>> sorted(allowed_literals([NumberColumn("income", "refused", cuts=(10.0, 20.0))], {"income": 1}))
    [1, 3]
    """
    _refuse_wrong(columns, constraints)
    allowed = set()
    feature = 0
    for column in columns:
        direction = constraints.get(column.name, 0)
        for offered in column.literals:
            for negated in (False, True):
                mask = (column.full & ~offered.mask if negated else offered.mask) & column.known_mask
                if direction == 0 or _is_closed(mask, column, direction):
                    allowed.add(literal(feature, negated=negated))
            feature += 1
    return frozenset(allowed)


def _is_closed(mask: int, column: TableColumn, direction: int) -> bool:
    """Return whether a set of known cells is a final (1) or an initial (-1) piece of the order."""
    initial = column.known_mask & ~mask if direction == 1 else mask
    return initial & (initial + 1) == 0


def _refuse_wrong(columns: Sequence[TableColumn], constraints: Mapping[str, int]) -> None:
    by_name = {column.name: column for column in columns}
    for name, direction in constraints.items():
        if name not in by_name:
            raise InvalidArgument("monotonic_cst", "name columns of the table", f"{name!r}")
        if not isinstance(direction, Real) or isinstance(direction, bool) or direction not in (-1, 0, 1):
            raise InvalidArgument(f"monotonic_cst[{name!r}]", "be 1, 0 or -1", f"{direction!r}")
        if direction != 0 and not by_name[name].ordered:
            raise InvalidArgument(
                f"monotonic_cst[{name!r}]",
                "be 0, since the column has no order",
                direction,
                "Declare an order for its categories, or leave it out.",
            )
