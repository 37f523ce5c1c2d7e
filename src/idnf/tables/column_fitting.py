"""From the training values of a column to its cells and literals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.columns.categories import BooleanColumn, CategoryColumn, OrderedColumn, check_categories
from idnf.columns.column import Missing, TableColumn
from idnf.columns.eager_frames import refuse_unknown
from idnf.columns.intervals import NumberColumn, Seen, TimeColumn, TimeKind
from idnf.columns.phrases import DAY, TIME_KINDS, time_value
from idnf.columns.raw import Category, RawColumn, read_values, stripped
from idnf.logic.errors import InvalidArgument
from idnf.tables.cuts import (
    MOST_CUT_ROWS,
    CountedValues,
    best_runs,
    best_sets,
    common_unit,
    quantile_positions,
    readable_number,
    readable_time,
    spread_rows,
    tree_positions,
)
from idnf.tables.text_values import SPOKEN_TRUTH
from idnf.tables.value_grouping import CountedCategories, grouped_column, spelled

FREQUENT_SHARE = 0.01
"""A category with less than this share of the known weight falls in "other"."""

MOST_DISTINCT = 20
"""More texts than this, all different, are names or remarks rather than categories."""

MOST_ACCEPTED = 1000
"""The most categories of a column that refuses all others."""

CutValue = float | str | date | timedelta

Offer = Literal["cuts", "intervals", "sets", "all"]
OFFERS: tuple[Offer, ...] = get_args(Offer)
"""What columns offer beside comparisons with one cut and single categories: intervals, sets, or both."""


@dataclass(frozen=True)
class Examples:
    """The classes and weights of the training examples; one class for all of them if there is no target."""

    classes: NDArray[np.intp] | None
    weights: NDArray[np.float64]

    def at(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> Examples:
        """Return some of the examples."""
        return Examples(None if self.classes is None else self.classes[rows], self.weights[rows])

    def counted_categories(self, values: Sequence[Category], places: NDArray[np.intp]) -> CountedCategories:
        """Count categories among the examples, by class, given the place of each example's own."""
        classes = np.zeros(len(places), dtype=np.intp) if self.classes is None else self.classes
        n_classes = int(classes.max()) + 1 if len(classes) else 1
        slots, shape = places * n_classes + classes, (len(values), n_classes)
        rows = np.bincount(slots, minlength=len(values) * n_classes).reshape(shape)
        weights = np.bincount(slots, self.weights, minlength=len(values) * n_classes).reshape(shape)
        return CountedCategories(values, rows, weights.astype(np.float64, copy=False))

    def counted(self, values: NDArray[np.float64]) -> CountedValues:
        """Count the distinct values among the examples, by class."""
        classes = np.zeros(len(values), dtype=np.intp) if self.classes is None else self.classes
        n_classes = int(classes.max()) + 1 if len(classes) else 1
        return CountedValues.from_examples(values, classes, self.weights, n_classes=n_classes)


@dataclass(frozen=True)
class Settings:
    """How to make literals of a column."""

    cuts: Literal["tree", "quantile"]
    max_literals: int
    missing: Literal["allow", "refuse"]
    cut_points: Sequence[CutValue] | None = None
    most_rows: int | None = None
    unseen: Literal["allow", "refuse"] = "allow"
    merge: bool = False
    conditions: Offer = "cuts"
    most_wide: int = 0

    def runs(self, counted: CountedValues, cuts: Sequence[float]) -> tuple[tuple[int, int], ...]:
        """Return the intervals between two cuts to be offered, by their first and last cells."""
        if self.conditions not in ("intervals", "all") or len(cuts) < 2:
            return ()
        places = np.searchsorted(np.asarray(cuts, dtype=np.float64), counted.values, side="left")
        weights = np.zeros((len(cuts) + 1, counted.weights.shape[1]))
        np.add.at(weights, places, counted.weights)
        return best_runs(weights, self.most_wide)

    def some_rows(self, rows: int) -> NDArray[np.intp] | None:
        """Return rows that cuts and categories are chosen from if those are not all of them."""
        most = MOST_CUT_ROWS if self.most_rows is None else min(self.most_rows, MOST_CUT_ROWS)
        return None if rows <= most or self.cut_points is not None else spread_rows(rows, most)


def fit_column(raw: RawColumn, examples: Examples, settings: Settings) -> TableColumn:
    """Return the column that the training values of one raw column give.

    >>> raw = read_values("age", [20, 30, 40, 50])
    >>> examples = Examples(np.array([0, 0, 1, 1]), np.ones(4))
    >>> column = fit_column(raw, examples, Settings("tree", max_literals=1, missing="refuse"))
    >>> [literal.name for literal in column.literals]
    ['age <= 35']
    """
    raw = stripped(raw)
    known = ~raw.missing
    if not known.any():
        raise ValueError(f"column {raw.name!r} must have a known value; all {len(raw)} are missing. Drop the column.")
    missing: Missing = "seen" if raw.missing.any() else "counted" if settings.missing == "allow" else "refused"
    if missing == "seen":
        raw, examples = raw.at(known), examples.at(known)
    if raw.kind == "boolean" and settings.cut_points is None:
        return BooleanColumn(raw.name, missing)
    is_digits = raw.kind == "number" and _is_zero_one(raw.values.astype(np.float64, copy=False))
    some = settings.some_rows(len(raw))
    if some is not None and not (raw.kind == "category" and _needs_all_rows(raw.at(some), settings)):
        raw, examples = raw.at(some), examples.at(some)
    if raw.kind == "category":
        return _fit_categories(raw, examples, settings, missing)
    if raw.kind == "ordered":
        return _fit_ordered(raw, examples, settings, missing)
    values = raw.values.astype(np.float64, copy=False)
    if raw.kind in TIME_KINDS:
        return _fit_times(replace(raw, values=values), examples, settings, missing)
    if settings.cut_points is None and is_digits:
        return BooleanColumn(raw.name, missing, digits=True)
    return _fit_numbers(raw.name, values, examples, settings, missing)


def _needs_all_rows(some: RawColumn, settings: Settings) -> bool:
    """Return whether categories are counted on all rows: none may be missed, or they are too many to be named."""
    return settings.unseen == "refuse" or len(set(some.values.tolist())) > min(MOST_DISTINCT, settings.max_literals)


@dataclass(frozen=True)
class ColumnPlan:
    """How a column is made, given the most literals it may have; a settled one is the same whatever the bound.

    Of categories it says how many different ones there are.
    """

    fitted: Callable[[int], TableColumn]
    settled: bool = False
    different: int = 0

    @classmethod
    def of(cls, column: TableColumn) -> ColumnPlan:
        """Return the plan of a column that is there."""
        return cls(lambda _: column, settled=True)


def fit_plans(plans: Mapping[str, ColumnPlan], most: int, together: int) -> tuple[TableColumn, ...]:
    """Make columns with at most `most` literals each, and again those with too many for all of them `together`."""
    columns = {name: plan.fitted(most) for name, plan in plans.items()}
    counts = {
        name: len(column.literals) - len(column.wide)
        for name, column in columns.items()
        if not plans[name].settled and not column.fixed
    }
    fewer = literals_each(list(counts.values()), together)
    columns |= {name: plans[name].fitted(fewer) for name, count in counts.items() if count > fewer}
    return tuple(columns.values())


def literals_each(counts: Sequence[int], most: int) -> int:
    """Return how many literals each column may keep so that all together keep at most `most`.

    >>> literals_each([12, 12, 3], 13), literals_each([12, 3], 100)
    (5, 12)
    """
    offering = [count for count in counts if count]
    if len(offering) > most:
        raise InvalidArgument(
            "max_literals", f"be at least {len(offering)}, one for each column that has literals", most
        )
    cap = max(offering, default=1)
    while sum(min(count, cap) for count in offering) > most:
        cap -= 1
    return cap


def _fit_numbers(
    name: str, values: NDArray[np.float64], examples: Examples, settings: Settings, missing: Missing
) -> NumberColumn:
    counted = examples.counted(values)
    whole = _is_whole(counted.values)
    if settings.cut_points is not None:
        cuts = sorted({_as_number(name, point) for point in settings.cut_points})
    else:
        gaps = [counted.gap(position) for position in _positions(name, counted, examples, settings, missing)]
        cuts = [readable_number(low, high, whole=whole) for low, high in gaps]
    seen, inner = _ranges_seen(counted.values, cuts), settings.runs(counted, cuts)
    return NumberColumn(name, missing, tuple(cuts), seen, whole=whole and _is_whole(cuts), inner=inner)


def _fit_times(raw: RawColumn, examples: Examples, settings: Settings, missing: Missing) -> TimeColumn:
    values = raw.values.astype(np.float64, copy=False)
    midnights = raw.kind == "datetime" and bool((values % DAY == 0).all())
    kind: TimeKind = "date" if midnights else next(one for one in get_args(TimeKind) if one == raw.kind)
    counted = examples.counted(values)
    if settings.cut_points is not None:
        cuts = sorted({_as_time(raw.name, point, kind) for point in settings.cut_points})
    else:
        gaps = [counted.gap(position) for position in _positions(raw.name, counted, examples, settings, missing)]
        unit = common_unit(counted.values) if kind == "duration" else 1
        cuts = [readable_time(low, high, kind, unit=unit) for low, high in gaps]
    inner = settings.runs(counted, cuts)
    return TimeColumn(raw.name, missing, kind, tuple(cuts), _ranges_seen(counted.values, cuts), inner=inner)


def _fit_ordered(raw: RawColumn, examples: Examples, settings: Settings, missing: Missing) -> OrderedColumn:
    rank_of: dict[object, float] = {value: float(rank) for rank, value in enumerate(raw.order)}
    counted = examples.counted(np.array([rank_of[value] for value in raw.values.tolist()], dtype=np.float64))
    if settings.cut_points is not None:
        refuse_unknown(f"cut_points[{raw.name!r}]", "be categories of the column", settings.cut_points, rank_of)
        ranks = sorted({int(rank_of[point]) for point in settings.cut_points} - {len(raw.order) - 1})
    else:
        positions = _positions(raw.name, counted, examples, settings, missing)
        ranks = [int(counted.values[position]) for position in positions]
    return OrderedColumn(raw.name, missing, raw.order, tuple(ranks), inner=settings.runs(counted, ranks))


def _fit_categories(raw: RawColumn, examples: Examples, settings: Settings, missing: Missing) -> TableColumn:
    if settings.cut_points is not None:
        raise InvalidArgument("cut_points", "name columns of numbers or dates", f"{raw.name!r}, which holds categories")
    values = raw.values.tolist()
    place_of: dict[Category, int] = {value: place for place, value in enumerate(dict.fromkeys(values))}
    places = np.fromiter(map(place_of.__getitem__, values), np.intp, len(values))
    if len(place_of) == len(raw) and isinstance(raw.values[0], str):
        refuse_texts(raw.name, len(raw))
    counted = examples.counted_categories(list(place_of), places)
    return categories_column(raw.name, counted, settings, missing, labelled=examples.classes is not None)


def categories_column(
    name: str,
    counted: CountedCategories,
    settings: Settings,
    missing: Missing,
    *,
    rest: float = 0.0,
    labelled: bool = True,
) -> TableColumn:
    """Return the column of some categories: each by its name or, of too many for that, in groups by their labels.

    Of values that tell of the labels no more than chance would, the frequent ones are named, which takes no labels.

    Parameters
    ----------
    name : str
    counted : CountedCategories
    settings : Settings
    missing : {"refused", "counted", "allowed", "seen"}
    rest : float
        The weight of rarer categories that are not counted one by one.
    labelled : bool
        Whether there are labels to group the values by.
    """
    weight_of = dict(zip(counted.values, counted.weights.sum(axis=1).tolist(), strict=True))
    named = category_column(name, weight_of, settings, missing, rest=rest)
    alike = _alike(weight_of, settings)
    of_values = spelled(counted, alike) if alike else counted
    room = settings.max_literals - (missing == "seen")
    if not labelled or len(of_values.values) <= room:
        return with_sets(named, dict(zip(counted.values, counted.weights, strict=True)), settings)
    closed = settings.unseen == "refuse"
    grouped = grouped_column(name, of_values, missing, most=settings.max_literals, closed=closed)
    if grouped is None:
        return named
    return grouped.written_as(alike) if alike else grouped


def with_sets(
    column: CategoryColumn, by_class: Mapping[Category, NDArray[np.float64]], settings: Settings
) -> CategoryColumn:
    """Return a column of categories with the sets of them that are to be offered, by the weight of each class in each.

    >>> column = CategoryColumn("size", "refused", values=("L", "M", "S", "XL"))
    >>> by_class = {"L": np.array([1.0, 9]), "M": np.array([9.0, 1]), "S": np.array([9.0, 0]), "XL": np.array([0.0, 9])}
    >>> settings = Settings("tree", max_literals=9, missing="refuse", conditions="sets", most_wide=1)
    >>> with_sets(column, by_class, settings).literals[-1].name
    'size is L or XL'
    """
    if settings.conditions not in ("sets", "all") or not column.values:
        return column
    cells = column.placed(read_values(column.name, list(by_class)))
    weights = np.zeros((len(column.known_labels), len(next(iter(by_class.values())))))
    np.add.at(weights, cells, np.stack(list(by_class.values())))
    return replace(column, sets=best_sets(weights[: len(column.values) + column.rare], settings.most_wide))


def refuse_texts(name: str, rows: int) -> None:
    """Raise an error for a column of many texts that are all different."""
    if rows > MOST_DISTINCT:
        raise InvalidArgument(
            f"column {name!r}",
            "hold categories that recur",
            f"{rows} texts, all different",
            "Drop the column, or turn it into categories or numbers first.",
        )


def merged_spellings(weight_of: Mapping[str, float], *, truths: bool = False) -> dict[str, tuple[str, ...]]:
    """Return the heaviest of spellings that differ in capitals only, or are words for yes or no, each with all of them.

    >>> merged_spellings({"no": 3, "No": 9, "yes": 5})
    {'No': ('No', 'no'), 'yes': ('yes',)}
    >>> merged_spellings({"no": 30, "N": 9, "FALSE": 1, "Y": 5}, truths=True)
    {'no': ('no', 'N', 'FALSE'), 'Y': ('Y',)}
    """
    alike: dict[object, list[str]] = {}
    for text in sorted(weight_of, key=lambda text: (-weight_of[text], text)):
        key: object = text.casefold()
        alike.setdefault(SPOKEN_TRUTH[text.casefold()] if truths else key, []).append(text)
    return {spellings[0]: tuple(spellings) for spellings in alike.values()}


def _alike(weight_of: Mapping[Category, float], settings: Settings) -> dict[str, tuple[str, ...]]:
    """Return the spellings of each value, if those that differ in capitals are to be taken as one."""
    if not settings.merge or not all(isinstance(text, str) for text in weight_of):
        return {}
    given = {str(text): weight for text, weight in weight_of.items()}
    return merged_spellings(given, truths=all(text.casefold() in SPOKEN_TRUTH for text in given))


def category_column(
    name: str, weight_of: Mapping[Category, float], settings: Settings, missing: Missing, *, rest: float = 0.0
) -> CategoryColumn:
    """Return the column of some categories with their weights; the rest of the weight is that of rarer ones.

    >>> weight_of = {"red": 60.0, "blue": 39.5, "mauve": 0.5}
    >>> category_column("colour", weight_of, Settings("tree", max_literals=12, missing="refuse"), "refused").labels
    ('blue', 'red', 'other')
    """
    check_categories(name, weight_of)
    accepted = tuple(sorted(weight_of)) if settings.unseen == "refuse" else ()
    if accepted and (rest or len(accepted) > MOST_ACCEPTED):
        raise InvalidArgument(
            f"column {name!r}", f"hold at most {MOST_ACCEPTED} categories for unseen='refuse'", len(accepted)
        )
    alike = _alike(weight_of, settings)
    if alike:
        weight_of = {text: sum(weight_of[one] for one in spellings) for text, spellings in alike.items()}
    room = settings.max_literals - (missing == "seen")
    least = FREQUENT_SHARE * (sum(weight_of.values()) + rest)
    recurring = [value for value, weight in weight_of.items() if weight >= least]
    frequent = sorted(recurring, key=lambda value: (-weight_of[value], value))
    if len(weight_of) == 1:
        return CategoryColumn(name, missing, accepted=accepted)
    # Where some values fall in "other", that cell takes one of the places, unless there is only one.
    kept = frequent[: room if len(frequent) == len(weight_of) <= room else max(room - 1, min(room, 1))]
    rare = 0 < len(kept) < min(len(weight_of), room)
    pair = len(weight_of) == len(kept) == 2
    spellings = tuple(alike.get(str(value), (value,)) for value in sorted(kept)) if alike else ()
    return CategoryColumn(name, missing, tuple(sorted(kept)), rare, pair, accepted, spellings=spellings)


def _positions(
    name: str, counted: CountedValues, examples: Examples, settings: Settings, missing: Missing
) -> list[int]:
    max_cuts = (settings.max_literals - 1) // 2 if missing == "seen" else settings.max_literals
    if settings.cuts == "quantile":
        return quantile_positions(counted, max_cuts)
    if examples.classes is None and counted.n_cuts > max_cuts:
        raise ValueError(
            f"cuts='tree' requires y to be passed, but the target y is None. Column {name!r} is cut by a tree: "
            "pass y, or fit with cuts='quantile'."
        )
    return tree_positions(counted, max_cuts)


def _ranges_seen(distinct: NDArray[np.float64], cuts: Sequence[float]) -> Seen:
    """Return the smallest and largest of some ascending values in each interval between cuts."""
    borders = [0, *np.searchsorted(distinct, np.asarray(cuts, dtype=np.float64), side="right").tolist(), len(distinct)]
    return tuple(
        (float(distinct[start]), float(distinct[stop - 1])) if start < stop else None
        for start, stop in zip(borders, borders[1:], strict=False)
    )


def _is_whole(values: ArrayLike) -> bool:
    numbers = np.asarray(values, dtype=np.float64)
    return bool((numbers == np.floor(numbers)).all())


def _is_zero_one(values: NDArray[np.float64]) -> bool:
    return bool(values.min() >= 0 and values.max() <= 1 and ((values == 0) | (values == 1)).all())


def _as_number(name: str, point: CutValue) -> float:
    raw = read_values(name, [point])
    if raw.kind != "number":
        raise InvalidArgument(f"cut_points[{name!r}]", "be finite numbers", f"{point!r}")
    return float(raw.values[0])


def _as_time(name: str, point: CutValue, kind: TimeKind) -> float:
    if isinstance(point, str):
        try:
            return time_value(point, kind)
        except ValueError as error:
            raise ValueError(f"cut_points[{name!r}]: {error}") from error
    raw = read_values(name, [point])
    if raw.kind not in TIME_KINDS or (raw.kind == "duration") != (kind == "duration"):
        raise InvalidArgument(f"cut_points[{name!r}]", f"be {kind} values", f"{point!r}")
    return float(raw.values[0])
