"""How a model was learned, as a model file says it, and the monotone constraints it claims to keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Literal

import numpy as np

from idnf.classifier.estimator import DNFClassifier
from idnf.columns.column import TableColumn
from idnf.columns.groups import Ordered, declarations
from idnf.columns.monotone import allowed_literals
from idnf.exporting.documents import DocumentError, Place, checked_text
from idnf.exporting.rule_list import Label
from idnf.learning.choices import FAMILIES, LEARNERS, POLARITIES
from idnf.tables.binariser import MOST_RARE, TableBinariser
from idnf.tables.column_check import TOPICS, ColumnDecision, ColumnsReport
from idnf.tables.date_texts import ORDERS
from idnf.tables.text_values import TEXT_KINDS, Decimal, TextReading

MOST_DECISIONS = 100_000
MOST_TEXTS = 1_000

_WORDS = {"family": FAMILIES, "learner": LEARNERS, "polarity": POLARITIES}
_NUMBERS = ("price", "effort")
_CAPS = ("max_terms", "max_reasons")


def reading_to_plain(binariser: TableBinariser) -> dict[str, object]:
    """Return how the texts of each column are read, and what was decided about the columns."""
    used = set(binariser.source_names)
    return {
        "missing": [checked_text(text, "a text for missing values") for text in binariser.missing_texts_],
        "texts": {name: _plain(reading) for name, reading in binariser.readings_.items() if name in used},
        "rare": {
            name: [checked_text(text, "a category") for text in texts] for name, texts in binariser.rare_values_.items()
        },
        "decisions": [asdict(one) for one in binariser.report_],
    }


def read_reading(place: Place, binariser: TableBinariser) -> None:
    """Set how a binariser reads texts, and what was decided in training, to what a document says."""
    place.object(["missing", "texts", "rare", "decisions"])
    names = set(binariser.source_names)
    binariser.missing_texts_ = tuple(item.text() for item in place.key("missing").items(MOST_TEXTS))
    binariser.readings_ = {name: _reading(item) for name, item in place.key("texts").entries(len(names))}
    binariser.rare_values_ = {
        name: tuple(text.text() for text in item.items(MOST_RARE))
        for name, item in place.key("rare").entries(len(names))
    }
    for part in ("texts", "rare"):
        for name, item in place.key(part).entries(len(names)):
            if name not in names:
                raise item.error("of a column that the model reads")
    binariser.report_ = ColumnsReport([_decision(item) for item in place.key("decisions").items(MOST_DECISIONS)])


def _plain(reading: TextReading) -> dict[str, object]:
    return {**asdict(reading), "missing": [checked_text(text, "a text for missing values") for text in reading.missing]}


def _reading(place: Place) -> TextReading:
    place.object(["kind", "missing", "decimal", "unit", "order"])
    marks: tuple[Decimal, ...] = (".", ",")
    return TextReading(
        place.key("kind").one_of(TEXT_KINDS),
        tuple(item.text() for item in place.key("missing").items(MOST_TEXTS)),
        place.key("decimal").one_of(marks),
        place.key("unit").text(),
        place.key("order").one_of(ORDERS),
    )


def _decision(place: Place) -> ColumnDecision:
    place.object(["column", "topic", "text", "otherwise", "grave"])
    column = place.key("column")
    return ColumnDecision(
        None if column.is_null else column.text(),
        place.key("topic").one_of(TOPICS),
        place.key("text").text(),
        place.key("otherwise").text(),
        place.key("grave").boolean(),
    )


def settings_to_plain(clf: DNFClassifier) -> dict[str, object]:
    """Return the parameters that say how a classifier is learned.

    Groups are with the columns; time limits and processes belong to the machine, cut points to the training table.
    """
    weights = clf.class_weight
    return {
        "family": clf.family,
        "learner": clf.learner,
        "polarity": clf.polarity,
        "price": None if clf.price is None else float(clf.price),
        "effort": float(clf.effort),
        "tune": bool(clf.tune),
        **{name: None if (most := getattr(clf, name)) is None else int(most) for name in _CAPS},
        "random_state": int(clf.random_state) if isinstance(clf.random_state, (int, np.integer)) else None,
        "class_weight": [float(weights.get(label, 1)) for label in clf.classes_.tolist()]
        if isinstance(weights, Mapping)
        else weights,
        "monotonic_cst": _constraints(clf),
        "binariser": None if clf.binariser is None else _binariser_to_plain(clf.binariser),
    }


def _constraints(clf: DNFClassifier) -> dict[str, int] | None:
    given = clf.monotonic_cst
    if given is None:
        return None
    ways = given if isinstance(given, Mapping) else dict(zip(clf.binariser_.input_names, given))
    return {str(name): int(way) for name, way in ways.items() if int(way) != 0}


def _binariser_to_plain(binariser: TableBinariser) -> dict[str, object]:
    most = {name: int(getattr(binariser, name)) for name in ("max_literals", "max_literals_per_column")}
    return {"cuts": binariser.cuts, "missing": binariser.missing, **most}


def read_settings(place: Place, clf: DNFClassifier, classes: Sequence[Label], columns: Sequence[TableColumn]) -> None:
    """Set the parameters of a classifier to what a document says."""
    place.object([*_WORDS, *_NUMBERS, "tune", *_CAPS, "random_state", "class_weight", "monotonic_cst", "binariser"])
    for name, words in _WORDS.items():
        setattr(clf, name, place.key(name).one_of(words))
    price, effort, seed = (place.key(name) for name in ("price", "effort", "random_state"))
    clf.price = None if price.is_null else _from(price, 0)
    clf.effort = _from(effort, 5e-324)
    clf.tune = place.key("tune").boolean()
    for name in _CAPS:
        cap = place.key(name)
        setattr(clf, name, None if cap.is_null else cap.integer(1, 2**63 - 1))
    clf.random_state = None if seed.is_null else seed.integer(0, 2**32 - 1)
    clf.class_weight = _read_class_weight(place.key("class_weight"), classes)
    clf.monotonic_cst = read_constraints(place.key("monotonic_cst"), columns)
    groups = declarations(columns) or None
    clf.binariser = _read_binariser(place.key("binariser"), groups)
    clf.groups = groups if clf.binariser is None else None


def _from(place: Place, least: float) -> float:
    number = place.number()
    if number < least:
        raise place.error(f"a number from {least:g}")
    return number


def _read_class_weight(place: Place, classes: Sequence[Label]) -> dict[object, float] | Literal["balanced"] | None:
    if place.is_null or place.value == "balanced":
        return None if place.is_null else "balanced"
    return {label: _from(item, 0) for label, item in zip(classes, place.items(len(classes), least=len(classes)))}


def read_constraints(place: Place, columns: Sequence[TableColumn]) -> dict[str, int] | None:
    """Return the monotone constraints in a document, or None."""
    if place.is_null:
        return None
    constraints = {name: way.integer(-1, 1) for name, way in place.entries(len(columns))}
    try:
        allowed_literals(columns, constraints)
    except ValueError as error:
        raise DocumentError(f"{place.path}: {error}") from error
    return constraints


def _read_binariser(place: Place, groups: dict[str, Ordered | list[str]] | None) -> TableBinariser | None:
    if place.is_null:
        return None
    place.object(["cuts", "missing", "max_literals", "max_literals_per_column"])
    ways: tuple[Literal["tree", "quantile"], ...] = ("tree", "quantile")
    treatments: tuple[Literal["error", "allow"], ...] = ("error", "allow")
    return TableBinariser(
        cuts=place.key("cuts").one_of(ways),
        missing=place.key("missing").one_of(treatments),
        max_literals=place.key("max_literals").integer(1, 10**9),
        max_literals_per_column=place.key("max_literals_per_column").integer(1, 10**9),
        groups=groups,
    )
