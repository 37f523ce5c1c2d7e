"""The columns of a model file, how their texts are read, and how the model was learned.

There is a codec for each kind of column, which checks every field before a column is made of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.misclassification_costs import MisclassificationCosts
from idnf.columns.categories import BooleanColumn, CategoryColumn, OrderedColumn
from idnf.columns.column import TableColumn
from idnf.columns.groups import OneHotGroup, OrderedGroup, allowed_literals, declarations
from idnf.columns.intervals import IntervalColumn, NumberColumn, TimeColumn, TimeKind
from idnf.columns.phrases import BLANKS, time_value, time_words
from idnf.columns.raw import Category
from idnf.columns.value_groups import MOST_GROUPED, MOST_GROUPS, GroupedColumn
from idnf.exporting.documents import (
    BOOLEAN,
    LINE,
    NUMBER,
    SCALAR,
    TEXT,
    Codec,
    DocumentError,
    Fields,
    Place,
    entries,
    integer,
    one_of,
    record,
    row,
    tagged,
    text,
)
from idnf.exporting.plain_labels import Label
from idnf.learning.choices import CONDITIONS, FAMILIES
from idnf.logic.boxes import cells_of
from idnf.logic.errors import InvalidArgument
from idnf.tables.binariser import MOST_RARE, TableBinariser
from idnf.tables.column_check import TOPICS, ColumnDecision, ColumnsReport
from idnf.tables.column_fitting import OFFERS
from idnf.tables.date_texts import ORDERS
from idnf.tables.text_values import TEXT_KINDS, TextReading

MOST_COLUMNS = 20_000
MOST_VALUES = 2_000
"""The most cuts, categories or members of one column."""

MOST_LITERALS = 20_000

_TIMES: dict[TimeKind, re.Pattern[str]] = {
    "date": re.compile(r"\d{4}-\d\d-\d\d"),
    "datetime": re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d(\.\d{6})?)?"),
    "datetime-utc": re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d(\.\d{6})?)? UTC"),
    "duration": re.compile(r"-?\d{1,15}(\.\d{1,15})?(e[-+]\d\d)? (day|hour|minute|second)s?"),
}


def _one_type(values: Sequence[Category]) -> bool:
    kinds = {type(value).__name__ for value in values}
    return len(kinds - {"float"} | ({"int"} if "float" in kinds else set())) <= 1


def _moment(kind: TimeKind) -> Codec[float]:
    written = TEXT.where(lambda value: _TIMES[kind].fullmatch(value) is not None, f"a {kind}")
    return written.made(lambda value: time_value(value, kind), lambda value: time_words(value, kind))


_NAME = text("a column's name")
_NAMED: Fields = {"name": _NAME, "missing": one_of(("refused", "counted", "allowed", "seen"))}
_GROUP: Fields = {"name": _NAME, "missing": one_of(("refused",)), "members": _NAME.many(MOST_VALUES, least=2)}
_CATEGORIES = SCALAR.many(MOST_VALUES).where(_one_type, "a list of values of one type")


def _intervals(value: Codec[float]) -> Fields:
    return {**_NAMED, "cuts": value.many(MOST_VALUES), "seen": row(value, value).optional().many(MOST_VALUES + 1)}


def _refuse_number(_: Place, column: NumberColumn | TimeColumn) -> None:
    name, cuts, seen = column.name, column.cuts, column.seen
    _refuse_unordered(name, cuts)
    if seen and len(seen) != len(cuts) + 1:
        raise InvalidArgument(f"seen of column {name!r}", f"have {len(cuts) + 1} entries, one per interval", len(seen))
    for pair, low, high in zip(seen, (-math.inf, *cuts), (*cuts, math.inf)):
        if pair is not None and not low < pair[0] <= pair[1] <= high:
            raise InvalidArgument(
                f"seen of column {name!r}", f"hold values over {low} and at most {high} in that interval", pair
            )


def _refuse_end_of_time(_: Place, column: TimeColumn) -> None:
    last = next((cut for cut in column.cuts if not column.can_cut_at(cut)), None)
    if last is not None:
        raise InvalidArgument(
            f"cuts of column {column.name!r}", "have values on both sides", time_words(last, column.kind)
        )


def _refuse_fractions(_: Place, column: NumberColumn) -> None:
    for what, values in (("cuts", column.cuts), ("seen", [value for pair in column.seen if pair for value in pair])):
        if column.whole and any(value != int(value) for value in values):
            raise InvalidArgument(f"{what} of column {column.name!r}, of whole numbers,", "be whole", list(values))


def _refuse_ordered(_: Place, column: OrderedColumn) -> None:
    name, values, cuts = column.name, column.values, column.cuts
    _refuse_repeated(name, values)
    _refuse_padded(column)
    _refuse_unordered(name, cuts)
    if any(cut >= len(values) - 1 for cut in cuts):
        raise InvalidArgument(f"cuts of column {name!r}", f"lie between its {len(values)} values", list(cuts))


def _refuse_categories(_: Place, column: CategoryColumn) -> None:
    _refuse_repeated(column.name, column.values)
    _refuse_padded(column)
    if column.accepted and not set(column.values) <= set(column.accepted):
        raise InvalidArgument(f"accepted of column {column.name!r}", "hold its values", list(column.accepted))
    spelled = [text for texts in column.spellings for text in texts]
    if column.spellings and [texts[:1] for texts in column.spellings] != [(value,) for value in column.values]:
        raise InvalidArgument(f"spellings of column {column.name!r}", "begin with its values", column.spellings)
    _refuse_repeated(column.name, spelled)
    if column.pair and len(column.values) != 2:
        raise InvalidArgument(f"values of column {column.name!r}, a pair,", "be two", list(column.values))


def _refuse_inner(_: Place, column: IntervalColumn) -> None:
    most, ends = len(column.limits) - 1, column.inner
    if any(not low <= high <= most for low, high in ends) or len(set(ends)) < len(ends):
        raise InvalidArgument(
            f"inner of column {column.name!r}", f"be different intervals of cells from 1 to {most}", list(ends)
        )


def _refuse_sets(_: Place, column: CategoryColumn) -> None:
    most, sets = len(column.values) - 2 + column.rare, column.sets
    if any(mask >> most + 2 or mask.bit_count() > most for mask in sets) or len(set(sets)) < len(sets):
        raise InvalidArgument(
            f"sets of column {column.name!r}", "be different and leave out two of its literals or more"
        )


def _refuse_groups(_: Place, column: GroupedColumn) -> None:
    values, full = [value for group in column.groups for value in group], column.known_mask
    if not _one_type(values):
        raise InvalidArgument(f"groups of column {column.name!r}", "hold values of one type")
    _refuse_repeated(column.name, values)
    padded = [value for value in values if isinstance(value, str) and value != value.strip(BLANKS)]
    if padded:
        raise InvalidArgument(f"values of column {column.name!r}", "have no blanks around them", f"{padded[0]!r}")
    if any(not 0 < mask < full for mask in column.sets) or len(set(column.sets)) < len(column.sets):
        raise InvalidArgument(f"sets of column {column.name!r}", "be different, with some of its groups and not all")
    if len(column.orders) != len(column.sets):
        raise InvalidArgument(f"orders of column {column.name!r}", "name a label for each set", list(column.orders))


def _refuse_unordered(name: str, cuts: Sequence[float]) -> None:
    if any(low >= high for low, high in pairwise(cuts)):
        raise InvalidArgument(f"cuts of column {name!r}", "ascend", list(cuts))


def _refuse_padded(column: CategoryColumn | OrderedColumn) -> None:
    padded = [value for value in column.values if isinstance(value, str) and value != value.strip(BLANKS)]
    if padded:
        raise InvalidArgument(f"values of column {column.name!r}", "have no blanks around them", f"{padded[0]!r}")


def _refuse_repeated(name: str, values: Sequence[Category]) -> None:
    if len(set(values)) < len(values):
        raise InvalidArgument(f"values of column {name!r}", "be distinct", list(values))


_INNER: Fields = {"inner": row(integer(1, MOST_VALUES), integer(1, MOST_VALUES)).many(MOST_LITERALS)}
_SET: Codec[int] = (
    integer(0, MOST_VALUES)
    .many(MOST_VALUES, least=2)
    .made(lambda cells: sum(1 << cell for cell in set(cells)), lambda mask: tuple(cells_of(mask)))
)
_CELLS: Codec[int] = (
    integer(0, MOST_GROUPS)
    .many(MOST_GROUPS, least=1)
    .made(lambda cells: sum(1 << cell for cell in set(cells)), lambda mask: tuple(cells_of(mask)))
)
_column = partial(record, beside=("kind",))
# What else may be left out only wording needs.
COLUMN: Codec[TableColumn] = tagged(
    {
        "number": _column(NumberColumn, _intervals(NUMBER), left_out={"whole": BOOLEAN, "unit": LINE, **_INNER})
        .checked(_refuse_number)
        .checked(_refuse_fractions)
        .checked(_refuse_inner),
        **{
            kind: _column(partial(TimeColumn, kind=kind), _intervals(_moment(kind)), left_out=_INNER)
            .checked(_refuse_number)
            .checked(_refuse_end_of_time)
            .checked(_refuse_inner)
            for kind in _TIMES
        },
        "ordered": _column(
            OrderedColumn,
            {**_NAMED, "values": _CATEGORIES, "cuts": integer(0, MOST_VALUES).many(MOST_VALUES)},
            left_out=_INNER,
        )
        .checked(_refuse_ordered)
        .checked(_refuse_inner),
        "category": _column(
            CategoryColumn,
            {**_NAMED, "values": _CATEGORIES, "rare": BOOLEAN},
            left_out={
                "pair": BOOLEAN,
                "accepted": _CATEGORIES,
                "spellings": _CATEGORIES.many(MOST_VALUES),
                "sets": _SET.many(MOST_LITERALS),
            },
        )
        .checked(_refuse_categories)
        .checked(_refuse_sets),
        "value-groups": _column(
            GroupedColumn,
            {
                **_NAMED,
                "groups": SCALAR.many(MOST_GROUPED, least=1).many(MOST_GROUPS, least=2),
                "sets": _CELLS.many(MOST_LITERALS),
                "orders": integer(0, MOST_VALUES).many(MOST_LITERALS),
                "one_order": BOOLEAN,
                "closed": BOOLEAN,
            },
        ).checked(_refuse_groups),
        "boolean": _column(BooleanColumn, {**_NAMED, "digits": BOOLEAN}),
        "one-hot": _column(OneHotGroup, {**_GROUP, "none": BOOLEAN}),
        "ordered-group": _column(OrderedGroup, _GROUP),
    }
)


def _refuse_columns(place: Place, columns: Sequence[TableColumn]) -> None:
    _refuse_twice(place, "names of columns", [column.name for column in columns])
    _refuse_twice(place, "columns read from the table", [source for column in columns for source in column.sources])
    literals = sum(len(column.literals) for column in columns)
    if literals > MOST_LITERALS:
        raise DocumentError(f"{place.path} must offer at most {MOST_LITERALS} literals; got {literals}.")


def _refuse_twice(place: Place, what: str, names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise DocumentError(f"{place.path}: {what} must differ; got {name!r} twice.")
        seen.add(name)


COLUMNS = COLUMN.many(MOST_COLUMNS, least=1).checked(_refuse_columns)
MOST_DECISIONS = 100_000
MOST_TEXTS = 1_000

_MISSING = text("a text for missing values").many(MOST_TEXTS)
_TEXT_READING = record(
    TextReading,
    {
        "kind": one_of(TEXT_KINDS),
        "missing": _MISSING,
        "decimal": one_of((".", ",")),
        "unit": TEXT,
        "order": one_of(ORDERS),
    },
)
_DECISION = record(
    ColumnDecision,
    {"column": TEXT.optional(), "topic": one_of(TOPICS), "text": TEXT, "otherwise": TEXT, "grave": BOOLEAN},
    left_out={"parameter": TEXT, "value": SCALAR},
)
_BINARISER = record(
    TableBinariser,
    {
        "cuts": one_of(("tree", "quantile")),
        "missing": one_of(("allow", "refuse")),
        "max_literals": integer(1, 10**9),
        "max_literals_per_column": integer(1, 10**9),
    },
    left_out={
        "unseen": one_of(("allow", "refuse")),
        "conditions": one_of(OFFERS),
        "merge_spellings": BOOLEAN,
        "drop_leaks": BOOLEAN,
    },
)
_PRICE = NUMBER.where(lambda value: value >= 0, "a number from 0")
_EFFORT = NUMBER.where(lambda value: value > 0, "a number above 0")
_CAP = integer(1, 2**63 - 1).optional()


def _reading(binariser: TableBinariser) -> Codec[dict[str, Any]]:
    """Return the codec of how the texts of each column are read, and what was decided about the columns."""
    names = set(binariser.source_names)
    name = TEXT.where(names.__contains__, "a column that the model reads")
    return entries(
        {
            "missing": _MISSING,
            "texts": _TEXT_READING.by_name(len(names), name),
            "rare": text("a category").many(MOST_RARE).by_name(len(names), name),
            "decisions": _DECISION.many(MOST_DECISIONS),
        }
    )


def reading_to_plain(binariser: TableBinariser) -> object:
    """Return how the texts of each column are read, and what was decided about the columns."""
    used = set(binariser.source_names)
    return _reading(binariser).write(
        {
            "missing": binariser.missing_texts_,
            "texts": {name: reading for name, reading in binariser.readings_.items() if name in used},
            "rare": binariser.rare_values_,
            "decisions": binariser.report_,
        }
    )


def read_reading(place: Place, binariser: TableBinariser) -> None:
    """Set how a binariser reads texts, and what was decided in training, to what a document says."""
    said = _reading(binariser).read(place)
    binariser.missing_texts_, binariser.readings_, binariser.rare_values_ = said["missing"], said["texts"], said["rare"]
    binariser.report_ = ColumnsReport(list(said["decisions"]))


def _settings(classes: Sequence[Label], columns: Sequence[TableColumn]) -> Codec[dict[str, Any]]:
    """Return the codec of the parameters that say how a classifier is learned.

    Groups are with the columns; time limits and processes belong to the machine, cut points to the training table.
    """
    return record(
        dict,
        {
            "family": one_of(FAMILIES),
            "learner": one_of(("search", "exact", "greedy")),
            "price": _PRICE.optional(),
            "effort": _EFFORT,
            "tune": BOOLEAN,
            "max_terms": _CAP,
            "max_reasons": _CAP,
            "random_state": integer(0, 2**32 - 1).optional(),
            "class_weight": _class_weight(classes),
            "monotonic_cst": integer(-1, 1)
            .by_name(len(columns), TEXT)
            .checked(lambda _, ways: allowed_literals(columns, ways))
            .optional(),
            "binariser": _BINARISER.optional(),
        },
        left_out={"costs": _costs(classes), "conditions": one_of(CONDITIONS)},
    )


def _costs(classes: Sequence[Label]) -> Codec[Any]:
    """Return the codec of what mistakes cost: the number of the true class, that of the class given, and the cost."""
    place = integer(0, len(classes) - 1)
    lines = row(place, place, _PRICE).many(len(classes) ** 2)
    return lines.made(
        lambda said: {(classes[true], classes[given]): cost for true, given, cost in said},
        lambda costs: tuple((classes.index(true), classes.index(given), cost) for (true, given), cost in costs.items()),
    ).checked(lambda _, costs: MisclassificationCosts.of(costs, classes))


def _class_weight(classes: Sequence[Label]) -> Codec[Any]:
    weights: Codec[Any] = row(*[_PRICE] * len(classes)).made(
        lambda given: dict(zip(classes, given)), lambda weights: tuple(weights.get(label, 1) for label in classes)
    )
    return Codec(
        lambda place: place.value if place.is_null or place.value == "balanced" else weights.read(place),
        lambda given: weights.write(given) if isinstance(given, Mapping) else given,
    )


def settings_to_plain(clf: DNFClassifier) -> object:
    """Return the parameters that say how a classifier is learned."""
    seed, given = clf.random_state, clf.monotonic_cst
    ways = given if given is None or isinstance(given, Mapping) else dict(zip(clf.binariser_.input_names, given))
    codec = _settings(clf.classes_.tolist(), clf.binariser_.columns_)
    return codec.write(
        {
            **vars(clf),
            "binariser": None if _is_default(clf.binariser) else clf.binariser,
            "conditions": None if clf.conditions == "cuts" else clf.conditions,
            "random_state": seed if isinstance(seed, (int, np.integer)) else None,
            "monotonic_cst": None if ways is None else {str(name): int(way) for name, way in ways.items() if int(way)},
        }
    )


def _is_default(binariser: TableBinariser | None) -> bool:
    """Return whether a binariser is the default one, apart from its groups, which are with the columns."""
    return binariser is None or {**binariser.get_params(), "groups": None} == TableBinariser().get_params()


def read_settings(place: Place, clf: DNFClassifier, classes: Sequence[Label], columns: Sequence[TableColumn]) -> None:
    """Set the parameters of a classifier to what a document says."""
    for name, value in _settings(classes, columns).read(place).items():
        setattr(clf, name, value)
    groups = declarations(columns) or None
    if clf.binariser is not None or groups is not None:
        clf.binariser = (clf.binariser or TableBinariser()).set_params(groups=groups)
