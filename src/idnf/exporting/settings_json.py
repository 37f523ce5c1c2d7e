"""How a model was learned, as a model file says it, and the monotone constraints it claims to keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.training import Mistakes
from idnf.columns.column import TableColumn
from idnf.columns.groups import declarations
from idnf.columns.monotone import allowed_literals
from idnf.exporting.documents import BOOLEAN, NUMBER, TEXT, Codec, Place, entries, integer, one_of, record, row, text
from idnf.exporting.rule_list import Label
from idnf.learning.choices import CONDITIONS, FAMILIES
from idnf.tables.binariser import MOST_RARE, TableBinariser
from idnf.tables.column_check import TOPICS, ColumnDecision, ColumnsReport
from idnf.tables.column_fitting import OFFERS
from idnf.tables.date_texts import ORDERS
from idnf.tables.text_values import TEXT_KINDS, TextReading

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
)
_BINARISER = record(
    TableBinariser,
    {
        "cuts": one_of(("tree", "quantile")),
        "missing": one_of(("allow", "refuse", "error")),
        "max_literals": integer(1, 10**9),
        "max_literals_per_column": integer(1, 10**9),
    },
    left_out={
        "unseen": one_of(("allow", "refuse")),
        "conditions": one_of(OFFERS),
        "merge_spellings": BOOLEAN,
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
            "polarity": one_of(("auto", "positive", "negative")),
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
    ).checked(lambda _, costs: Mistakes.of(costs, classes))


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
            "conditions": None if clf.conditions == "cuts" else clf.conditions,
            "random_state": seed if isinstance(seed, (int, np.integer)) else None,
            "monotonic_cst": None if ways is None else {str(name): int(way) for name, way in ways.items() if int(way)},
        }
    )


def read_settings(place: Place, clf: DNFClassifier, classes: Sequence[Label], columns: Sequence[TableColumn]) -> None:
    """Set the parameters of a classifier to what a document says."""
    for name, value in _settings(classes, columns).read(place).items():
        setattr(clf, name, value)
    groups = declarations(columns) or None
    if clf.binariser is None:
        clf.groups = groups
    else:
        clf.binariser.groups = groups
