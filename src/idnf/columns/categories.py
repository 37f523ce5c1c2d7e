"""Categories, with an "other" cell or in a declared order, and Booleans."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat
from math import nan

import numpy as np
from numpy.typing import NDArray

from idnf.columns.column import NO_CELL, Refusal, TableColumn, TableLiteral
from idnf.columns.intervals import IntervalColumn
from idnf.columns.phrases import MISSING, Phrase, listed, listing, name_words, number_words, said, whole_text
from idnf.columns.phrases import value_words as category_words
from idnf.columns.predicates import FIELD_KINDS, Compare, Field, OneOf, Predicate, category_kind
from idnf.columns.raw import Category, Kind, RawColumn, read_values, stripped
from idnf.logic.boxes import cells_of
from idnf.logic.errors import InvalidArgument

HALF = 0.5
"""A number above this is nearer to 1 than to 0."""

MOST_EXACT = 2**53
"""From this on, neighbouring whole numbers are one number to JavaScript and to whoever compares doubles."""


def check_categories(name: str, categories: Iterable[Category]) -> None:
    """Refuse texts that cannot be written, and numbers that are not distinguished from others everywhere."""
    for one in categories:
        if isinstance(one, str):
            whole_text(f"column {name!r}", one)
        elif abs(one) >= MOST_EXACT:
            raise InvalidArgument(
                f"column {name!r}",
                f"have categories below 2**53 = {MOST_EXACT} if they are numbers",
                f"{one:.0f}",
                "Convert the column to text.",
            )


@dataclass(frozen=True)
class ListedColumn(TableColumn):
    """A column of unordered cells, said by listing them."""

    @property
    def listing_labels(self) -> list[str]:
        """The label of every cell, as lists write it."""
        return [*(category_words(label) for label in self.known_labels), *self.labels[len(self.known_labels) :]]

    @property
    def rest(self) -> bool:
        """Whether the last known cell stands for all values not listed."""
        return False

    @property
    def had_two(self) -> bool:
        """Whether training had two values only, so that one is what to have instead of the other."""
        return False

    @property
    def says_both(self) -> bool:
        """Whether there are two values only, of which each is said by its name rather than as not the other."""
        return False

    def known_phrase(self, mask: int) -> Phrase:
        """Return a list of labels, or of exceptions when the cells take in the rest; one of two values by its name."""
        held = [bool(mask >> cell & 1) for cell in range(len(self.labels))]
        pair, both = self.had_two, self.says_both
        return listing(name_words(self.name), self.listing_labels, held, rest=self.rest, pair=pair, both=both)

    def listed(self) -> dict[str, object]:
        """Return the labels of the cells, whether the last is the rest, and how two of them are said."""
        kinds = {"rest": self.rest, "pair": self.had_two, "both": self.says_both}
        return {"name": name_words(self.name), "labels": self.listing_labels, **kinds}


@dataclass(frozen=True)
class CategoryColumn(ListedColumn):
    """A column of unordered categories: a cell for each frequent value, and one for all others.

    Values that were rare in training and values never seen fall in the "other" cell, unless others are refused.

    Parameters
    ----------
    values : tuple
        The frequent values, in their natural order.
    rare : bool
        Whether the "other" cell is a literal of its own, because training rows fell in it.
    pair : bool
        Whether training had these two values and no others.
    accepted : tuple
        The categories seen in training if no others are taken; then one of a pair is said by its name rather than as
        not the other.
    spellings : tuple of tuple
        All spellings of each value that are taken as one; none if each value has its own alone.
    sets : tuple of int
        Sets of several cells that are literals too, as masks.

    Examples
    --------
    >>> colour = CategoryColumn("colour", "seen", values=("blue", "red"), rare=True)
    >>> [literal.name for literal in colour.literals]
    ['colour is blue', 'colour is red', 'colour is neither blue, red nor missing', 'colour is missing']
    >>> colour.words(0b1101), colour.words(0b1010), colour.cells(["red", "mauve", None]).tolist()
    ('colour is not red, or missing', 'colour is red or missing', [1, 2, 3])
    >>> sexes = ("female", "male")
    >>> CategoryColumn("sex", "refused", values=sexes, pair=True).words(0b101)
    'sex is female (or unseen)'
    >>> CategoryColumn("sex", "refused", values=sexes, pair=True, accepted=sexes).words(0b101)
    'sex is female'
    """

    kind = "category"
    rest = True

    values: tuple[Category, ...] = ()
    rare: bool = False
    pair: bool = False
    accepted: tuple[Category, ...] = ()
    spellings: tuple[tuple[Category, ...], ...] = ()
    sets: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        check_categories(self.name, (*self.values, *self.accepted))

    @property
    def fields(self) -> tuple[Field, ...]:
        """One category."""
        return (Field(self.name, category_kind(self.values or self.accepted)),)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Categories; numbers and truths if the categories are such, and anything if none is known."""
        own = FIELD_KINDS[self.fields[0].kind]
        return own if own[0] == "category" else ("category", "ordered", "number", "boolean")

    @cached_property
    def known_labels(self) -> tuple[str, ...]:
        """The frequent values and "other"."""
        return (*map(category_words, self.values), "other")

    @cached_property
    def literals(self) -> tuple[TableLiteral, ...]:
        """``c is v`` for each frequent value, "other" if training had such, sets of these, ``c is missing``.

        >>> [one.name for one in CategoryColumn("size", "refused", values=("L", "M", "S"), sets=(0b011,)).literals]
        ['size is L', 'size is M', 'size is S', 'size is L or M']
        """
        # A value that stands alone is said by its name, whatever the others are.
        name, last = name_words(self.name), len(self.values)
        named = (TableLiteral(f"{name} is {label}", 1 << cell) for cell, label in enumerate(self.known_labels[:last]))
        other = (TableLiteral(f"{name} is {self._apart}", 1 << last),) if self.rare else ()
        sets = (TableLiteral(self.words(mask), mask) for mask in self.sets)
        return (*named, *other, *sets, *self.missing_literals())

    @property
    def _apart(self) -> str:
        """What model files call the values not listed, however they are said."""
        match [label for label in self.labels if label != "other"]:
            case []:
                return "anything"
            case [label]:
                return f"not {label}"
            case labels:
                return f"neither {listed(labels, 'nor')}"

    @property
    def wide(self) -> tuple[int, ...]:
        """The literals that are sets of categories."""
        return self.sets

    def placed(self, *raws: RawColumn) -> NDArray[np.intp]:
        """Return the cell of each value; values that are not listed go to the "other" cell."""
        raw = stripped(raws[0])
        cell_of = {text: cell for cell, texts in enumerate(self._spellings) for text in texts}
        other = len(self.values)
        cells = np.fromiter(map(cell_of.get, raw.values.tolist(), repeat(other)), np.intp, len(raw))
        if self.accepted:
            cells[~np.fromiter(map(set(self.accepted).__contains__, raw.values.tolist()), bool, len(raw))] = NO_CELL
        cells[raw.missing] = self.missing_cell
        return cells

    def known_test(self, mask: int) -> Predicate:
        """Return which values it must be or, with "other" among the cells, must not be."""
        negated = bool(mask >> len(self.values) & 1)
        meant = self.known_mask & ~mask if negated else mask
        return OneOf(self.fields[0], tuple(text for cell in cells_of(meant) for text in self._spellings[cell]), negated)

    @property
    def _spellings(self) -> tuple[tuple[Category, ...], ...]:
        return self.spellings or tuple((value,) for value in self.values)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Categories never seen in training, if these are not taken."""
        if not self.accepted:
            return super().refusals
        unseen = OneOf(self.fields[0], self.accepted, negated=True)
        return (*super().refusals, Refusal(unseen, "must be a category seen in training"))

    @property
    def had_two(self) -> bool:
        """Whether training had two values only."""
        return self.pair

    @property
    def says_both(self) -> bool:
        """Whether there are two values and no others are taken."""
        return self.pair and bool(self.accepted)

    @property
    def unlisted(self) -> OneOf | None:
        """The test for values that are none of those listed."""
        known = tuple(text for texts in self._spellings for text in texts)
        return OneOf(self.fields[0], known, negated=True) if known else None

    def remark(self, different: int) -> str:
        """Return how many values count as "other".

        >>> CategoryColumn("colour", "refused", values=("blue", "red"), rare=True).remark(4)
        '2 of 4 values have no condition of their own and count together as other'
        >>> CategoryColumn("shop", "refused").remark(90)
        '90 values, all rare, which tell no more of the label than chance would: not used'
        """
        left = different - sum(map(len, self._spellings))
        if left <= 0 or different < 2:
            return ""
        if not self.values:
            return f"{different:,} values, all rare, which tell no more of the label than chance would: not used"
        return f"{left:,} of {different:,} values have no condition of their own and count together as other"

    def with_all_literals(self) -> TableColumn:
        """Return the column with "other" and, if it has that cell, "missing" among its literals."""
        return replace(self, rare=True, missing="seen" if self.has_missing_cell else self.missing)

    @property
    def listing_labels(self) -> list[str]:
        """The frequent values, "other" and perhaps "missing"."""
        return list(self.labels)

    def portable(self) -> dict[str, object]:
        """Return how values are chosen elsewhere: one of those listed, or another one."""
        known = [[str(value), [value]] for value in self.values]
        numbers = [value for value in self.values if not isinstance(value, (str, bool))]
        other: Category = max(numbers) + 1 if numbers else "another one"
        while other in self.values:
            other = f"{other}!"
        rest = [] if self.accepted or self.fields[0].kind == "truth" else [["another one", [other]]]
        return {"own": None, "choices": known + rest}

    def written(self, *values: object) -> list[str]:
        """Return categories as they are written, listed or not."""
        (given,) = values
        raw = stripped(read_values(self.name, given))
        words = {value: category_words(value) for value in set(raw.known.tolist())}
        pairs = zip(raw.values.tolist(), raw.missing.tolist(), strict=True)
        return [MISSING if missing else words[value] for value, missing in pairs]


@dataclass(frozen=True)
class OrderedColumn(IntervalColumn):
    """A column of categories with a declared order.

    Parameters
    ----------
    values : tuple
        The declared categories in order.
    cuts : tuple of int
        Cut c lies just above ``values[c]``.

    Examples
    --------
    >>> size = OrderedColumn("size", "refused", values=("small", "medium", "large"), cuts=(0, 1))
    >>> size.words(0b001), size.words(0b011), size.words(0b110)
    ('size is small', 'size is up to medium', 'size is above small')
    """

    kind = "ordered"

    values: tuple[Category, ...] = ()
    cuts: tuple[int, ...] = ()

    # Categories have no more and no less, only an order.
    comparatives = "up to {}", "up to {}", "above {}"

    def __post_init__(self) -> None:
        check_categories(self.name, self.values)

    @property
    def fields(self) -> tuple[Field, ...]:
        """One category."""
        return (Field(self.name, category_kind(self.values)),)

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """Ordered categories, or others that are spelt the same."""
        return ("ordered", "category", *(() if self.fields[0].kind == "text" else ("number", "boolean")))

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Categories that were not declared."""
        rule = f"must be one of {', '.join(map(category_words, self.values))}"
        remedy = "An ordered category must be declared before training."
        return (*super().refusals, Refusal(OneOf(self.fields[0], self.values, negated=True), rule, remedy))

    def position_cell(self, position: float) -> int | None:
        """Return the cell of a rank; None for a number that is not a rank."""
        return super().position_cell(position) if position in range(len(self.values)) else None

    def known_test(self, mask: int) -> Predicate:
        """Return the categories of a set of cells."""
        return OneOf(self.fields[0], tuple(self.values[rank] for cell in cells_of(mask) for rank in self._inside(cell)))

    def portable(self) -> dict[str, object]:
        """Return how values are ordered and chosen elsewhere."""
        choices = [[str(value), [value]] for value in self.values]
        return {"own": None, "order": list(self.values), "choices": choices}

    def outside(self, _low: float, _high: float) -> None:
        """Return nothing: every category is declared."""

    def interval(self, low: int, high: int) -> Phrase:
        """Return one category by its name, several in words: there is nothing to compare as numbers are."""
        compared = self.comparison(low, high)
        return compared if compared.exact else said(name_words(self.name), compared.beside)

    def comparison(self, low: int, high: int) -> Phrase:
        """Return one category by its name, several as a comparison."""
        first, last = self._inside(low)[0], self._inside(high)[-1]
        if first == last:
            return said(name_words(self.name), category_words(self.values[first]), exact=True)
        return super().comparison(low, high)

    def _inside(self, cell: int) -> range:
        """Return the ranks of the categories of a cell."""
        borders = (-1, *self.cuts, len(self.values) - 1)
        return range(borders[cell] + 1, borders[cell + 1] + 1)

    def positions(self, *values: object) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Return the ranks of the categories, NaN if one was not declared."""
        (given,) = values
        column = stripped(self.checked(given))
        rank_of = {value: float(rank) for rank, value in enumerate(self.values)}
        known = zip(column.values.tolist(), column.missing.tolist(), strict=True)
        ranks = (nan if missing else rank_of.get(value, nan) for value, missing in known)
        return np.fromiter(ranks, np.float64, len(column)), column.missing

    def position_words(self, position: float) -> str:
        """Return the category of a rank."""
        return category_words(self.values[int(position)])


@dataclass(frozen=True)
class BooleanColumn(TableColumn):
    """A column of true and false, or of numbers that were all 0 or 1 in training.

    A column of Booleans refuses other values. A column of numbers takes any number, as every column of numbers does: it
    is read as the nearer of 0 and 1, so that a count or a measurement may be larger than it ever was in training. An
    explanation is about the number as it is read, and says so.

    Parameters
    ----------
    digits : bool
        Whether the values are numbers, written 0 and 1, rather than Booleans.

    Examples
    --------
    >>> married = BooleanColumn("married", "seen")
    >>> [literal.name for literal in married.literals]
    ['married', 'married is false', 'married is missing']
    >>> married.words(0b101), married.cells([True, False, None]).tolist()
    ('married is false or missing', [1, 0, 2])
    >>> claims = BooleanColumn("claims", "refused", digits=True)
    >>> claims.words(0b10), claims.cells([0, 1, 3]).tolist(), claims.written([0, 1, 3])
    ('claims is 1', [0, 1, 1], ['0', '1', '3 (read as 1)'])
    """

    kind = "boolean"

    digits: bool = False

    # False comes before true, and a missing value counts as false.
    ordered = True
    stand_in = 0
    fixed = True

    @property
    def fields(self) -> tuple[Field, ...]:
        """One truth or digit."""
        return (Field(self.name, "digit" if self.digits else "truth"),)

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        """Numbers other than 0 and 1 in a column of Booleans."""
        rule = "must be true or false, or 1 or 0, as in training"
        others = Refusal(OneOf(self.fields[0], (0, 1), negated=True), rule)
        return super().refusals if self.digits else (*super().refusals, others)

    @property
    def known_labels(self) -> tuple[str, ...]:
        """False, then true."""
        return ("0", "1") if self.digits else ("false", "true")

    @cached_property
    def literals(self) -> tuple[TableLiteral, ...]:
        """The column itself and, if training had missing values, its being false and its being missing."""
        itself = TableLiteral(self.name, 0b10)
        if self.missing != "seen":
            return (itself,)
        return (itself, TableLiteral(self.words(0b01), 0b01), *self.missing_literals())

    def placed(self, *raws: RawColumn) -> NDArray[np.intp]:
        """Return 0 for false, 1 for true."""
        (raw,) = raws
        cells = (raw.values.astype(np.float64) > HALF).astype(np.intp)
        if not self.digits and raw.kind != "boolean":
            cells[(raw.values != 0) & (raw.values != 1)] = NO_CELL
        cells[raw.missing] = self.missing_cell
        return cells

    def written(self, *values: object) -> list[str]:
        """Return true, false or missing; a number other than 0 and 1 as it is written and as it is read."""
        (given,) = values
        raw = self.checked(given)
        words = [MISSING if missing else said for missing, said in zip(raw.missing, super().written(raw))]
        if raw.kind == "number":
            for row in np.flatnonzero(~raw.missing & (raw.values != 0) & (raw.values != 1)).tolist():
                words[row] = f"{number_words(float(raw.values[row]))} (read as {words[row]})"
        return words

    def features(self, *values: object) -> NDArray[np.bool_]:
        """Return the truth of each literal on each value."""
        cells = self.cells(*values)
        return np.stack([cells == 1, cells == 0, cells == 2][: len(self.literals)])

    def known_test(self, mask: int) -> Predicate:
        """Return which of the two values it must be, or be the nearer to."""
        if not self.digits:
            return OneOf(self.fields[0], (mask >> 1,))
        return Compare(self.fields[0], over=HALF) if mask >> 1 else Compare(self.fields[0], upto=HALF)

    def portable(self) -> dict[str, object]:
        """Return how values are called and chosen elsewhere."""
        values = [0, 1] if self.digits else [False, True]
        return {**super().portable(), "choices": [[label, [v]] for label, v in zip(self.known_labels, values)]}

    def known_phrase(self, mask: int) -> Phrase:
        """Return which of the two values the column has."""
        or_missing = bool(mask & self.missing_mask)
        label = self.known_labels[mask >> 1 & 1]
        words = f"{label} or {MISSING}" if or_missing else label
        return Phrase(
            f"{name_words(self.name)} is {words}", words, label, alternatives=or_missing, exact=not or_missing
        )
