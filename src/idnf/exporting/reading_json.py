"""How a model file says the columns of its table are read, and what was decided about them in training."""

from __future__ import annotations

from idnf.exporting.documents import Place, checked_text
from idnf.tables.binariser import MOST_RARE, TableBinariser
from idnf.tables.column_check import TOPICS, ColumnDecision, ColumnsReport
from idnf.tables.text_values import ORDERS, TEXT_KINDS, TextReading

MOST_DECISIONS = 100_000
MOST_TEXTS = 1_000


def reading_to_plain(binariser: TableBinariser) -> dict[str, object]:
    """Return how the texts of each column are read, and what was decided about the columns."""
    used = set(binariser.source_names)
    return {
        "missing": [checked_text(text, "a text for missing values") for text in binariser.missing_texts_],
        "texts": {name: _plain(reading) for name, reading in binariser.readings_.items() if name in used},
        "rare": {
            name: [checked_text(text, "a category") for text in texts] for name, texts in binariser.rare_values_.items()
        },
        "decisions": [
            {"column": one.column, "topic": one.topic, "text": one.text, "otherwise": one.otherwise, "grave": one.grave}
            for one in binariser.report_
        ],
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
    return {
        "kind": reading.kind,
        "missing": [checked_text(text, "a text for missing values") for text in reading.missing],
        "decimal": reading.decimal,
        "unit": reading.unit,
        "order": reading.order,
    }


def _reading(place: Place) -> TextReading:
    place.object(["kind", "missing", "decimal", "unit", "order"])
    kind, order = place.key("kind").one_of(TEXT_KINDS), place.key("order").one_of(ORDERS)
    return TextReading(
        next(one for one in TEXT_KINDS if one == kind),
        tuple(item.text() for item in place.key("missing").items(MOST_TEXTS)),
        "," if place.key("decimal").one_of([".", ","]) == "," else ".",
        place.key("unit").text(),
        next(one for one in ORDERS if one == order),
    )


def _decision(place: Place) -> ColumnDecision:
    place.object(["column", "topic", "text", "otherwise", "grave"])
    column, topic = place.key("column"), place.key("topic").one_of(TOPICS)
    return ColumnDecision(
        None if column.is_null else column.text(),
        next(one for one in TOPICS if one == topic),
        place.key("text").text(),
        place.key("otherwise").text(),
        place.key("grave").boolean(),
    )
