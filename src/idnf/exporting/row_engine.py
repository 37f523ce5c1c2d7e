"""Decisions and their reasons for single rows, from a model held as plain data.

The Python export (:mod:`idnf.exporting.programs`) is made of this module and of those it imports: only the standard
library. The plain data is what :func:`idnf.exporting.programs.compiled` makes of a classifier, that of a column what
:mod:`idnf.exporting.programs` makes of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta, timezone
from typing import Any

from idnf.columns.phrases import (
    BLANKS,
    DAY,
    EPOCH,
    Phrase,
    in_sentence,
    listed,
    listing,
    measured_words,
    number_words,
    said,
    time_words,
    value_words,
)
from idnf.logic.boxes import Box, Column, Point, Space, cells_of
from idnf.logic.regions import Region, contrast, own_cells, widen

PlainColumn = Mapping[str, Any]
"""What JSON says about a column."""

Row = Mapping[str, Any]
"""The values of a row by the names of the table's columns; None and NaN are missing."""


def cell_of(column: PlainColumn, row: Row) -> int:
    """Return the first cell of a column whose test holds for a row.

    >>> late = {"name": "late", "fields": [["late", "truth"]], "missing": False, "refusals": [],
    ...     "tests": [["one of", ["late"], [0], False], ["one of", ["late"], [1], False]]}
    >>> cell_of(late, {"late": True})
    1
    """
    read = {name: read_value(column, name, kind, _get_value(row, name)) for name, kind in column["fields"]}
    for test, rule in column["refusals"]:
        if meets_test(test, read):
            subject = "column" if len(read) == 1 else "group"
            got = ", ".join(str(row[name])[:80] for name in read)
            raise ValueError(f"{subject} {column['name']!r} {rule}; got {got}.")
    cell = 0
    while not meets_test(column["tests"][cell], read):
        cell += 1
    return cell


def meets_test(test: list[Any], read: Mapping[str, Any]) -> bool:
    """Return whether a test, as lists, holds for values that were read; only "missing" is true of None.

    >>> meets_test(["or", ["compare", ["age"], 30, None], ["missing", ["age"], False]], {"age": 40})
    True
    """
    word = test[0]
    if word in ("and", "or"):
        return (all if word == "and" else any)(meets_test(part, read) for part in test[1:])
    names = test[1]
    value = read[names[0]] if len(names) == 1 else _total([read[name] for name in names])
    if word == "missing":
        return (value is None) != bool(test[2])
    if value is None:
        return False
    first, second = test[2], test[3]
    if word == "one of":
        return (value in first) != bool(second)
    return (first is None or value > first) and (second is None or value <= second)


def _total(values: list[Any]) -> Any:
    return None if None in values else sum(values)


def read_value(column: PlainColumn, name: str, kind: str, value: Any) -> Any:
    """Return a value of a field as tests see it, None if it is missing."""
    if _is_missing(value):
        if not column.get("takes missing", column["missing"]):
            raise ValueError(f"column {name!r} must have no missing values, as in training.")
        return None
    if kind == "any":
        return value
    if kind == "text":
        if not isinstance(value, str):
            raise ValueError(f"column {name!r} must hold categories, as in training; got {_brief(value)}.")
        return value.strip(BLANKS)
    if kind == "truth":
        if value not in (0, 1):
            raise ValueError(f"column {name!r} must be true or false, or 1 or 0, as in training; got {_brief(value)}.")
        return int(value)
    if kind in ("number", "digit"):
        return _number(name, value)
    microseconds = _duration(name, value) if kind == "duration" else _moment(name, kind, value)
    return float(microseconds // DAY * DAY if kind == "date" else microseconds)


def own_words(column: PlainColumn, row: Row) -> str:
    """Return a row's own value the way it is written and, if that is another one, the way it is read.

    >>> own_words({"fields": [["age", "number"]], "missing": True, "own": None}, {"age": 30.5})
    '30.5'
    """
    name, kind = column["fields"][0]
    value = read_value(column, name, kind, row[name])
    if value is None:
        return "missing"
    if column["own"] is not None:
        label = str(column["own"][cell_of(column, row)])
        return f"{number_words(value)} (read as {label})" if kind == "digit" and value not in (0, 1) else label
    if kind not in ("number", "text", "truth", "any"):
        return time_words(value, kind)
    words = measured_words(value) if kind == "number" else value_words(value if kind == "text" else row[name])
    words += f" {column['unit']}" if column.get("unit") else ""
    if column.get("whole") and value < column["whole"][1]:
        least = column["whole"][0]
        read = max(math.ceil(value), math.ceil(value) if least is None else least)
        return words if read == value else f"{words} (read as {number_words(read)})"
    return words


def phrase_of(column: PlainColumn, words: Mapping[str, Any], mask: int) -> Phrase:
    """Return what is said about a set of merged cells, as :func:`idnf.exporting.programs.portable_words` has it.

    >>> job = {"merged": [0, 1, 0], "missing": False}
    >>> words = {"name": "job", "labels": ["clerk", "nurse", "other"], "rest": True, "pair": False, "both": False}
    >>> phrase_of(job, words, 1).condition
    'job is not nurse'
    """
    if "said" in words:
        return Phrase(*words["said"][str(mask)])
    held = [bool(mask >> cell & 1) for cell in column["merged"]]
    known = held[: len(held) - bool(column["missing"])]
    if not any(known):
        return said(words["name"], "missing", exact=True)
    if all(known):
        return said(words["name"], "not missing")
    return listing(words["name"], words["labels"], held, rest=words["rest"], pair=words["pair"], both=words["both"])


def _get_value(row: Row, name: str) -> Any:
    if name not in row:
        raise ValueError(f"row must have a value for {name!r}.")
    return row[name]


def _is_missing(value: Any) -> bool:
    # A NaN of any type is the one value that differs from itself.
    return value is None or type(value).__name__ in ("NAType", "NaTType") or bool(value != value)  # noqa: PLR0124


def _number(name: str, value: Any) -> float:
    try:
        number = math.inf if isinstance(value, (str, bytes)) else float(value)
    except TypeError:
        number = math.inf
    if math.isinf(number):
        raise ValueError(f"column {name!r} must hold finite numbers; got {_brief(value)}.")
    return number


def _duration(name: str, value: Any) -> int:
    """Return microseconds; a duration may be given in seconds."""
    if isinstance(value, timedelta):
        return value // timedelta(microseconds=1)
    return math.floor(_number(name, value) * 1_000_000 + 0.5)


def _brief(value: Any) -> str:
    text = repr(value[:81] if isinstance(value, str) else value)
    return text if len(text) <= 82 else f"{text[:80]}..."


_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6})\d*)?)?)?( ?UTC|Z|[+-]\d\d:\d\d)?", re.ASCII
)


def _parse_time(text: str) -> datetime:
    """Parse a time in ISO form; raise an error if the text is not one."""
    part = _TIME.fullmatch(text)
    if part is None:
        raise ValueError(text)
    *clock, fraction, zone = part.groups()
    year, month, day, hour, minute, second = (int(digits or 0) for digits in clock)
    moment = datetime(year, month, day, hour, minute, second, int((fraction or "").ljust(6, "0")))
    if zone is None:
        return moment
    away = timedelta()
    if zone[0] in "+-":
        if int(zone[4:]) > 59:
            raise ValueError(text)
        away = timedelta(hours=int(zone[1:3]), minutes=int(zone[4:]))
    return moment.replace(tzinfo=timezone(-away if zone[0] == "-" else away))


def _moment(name: str, kind: str, value: Any) -> int:
    """Return microseconds since 1970; a time may be given as ISO text."""
    given = value
    if isinstance(value, str):
        try:
            value = _parse_time(value)
        except ValueError:
            value = None
    elif isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    if not isinstance(value, datetime):
        raise ValueError(f"column {name!r} must hold dates such as 2020-12-31; got {_brief(given)}.")
    if (value.tzinfo is not None) != (kind == "datetime-utc"):
        zone = "with a" if value.tzinfo is None else "without"
        raise ValueError(f"column {name!r} must hold times {zone} time zone; got {str(given)[:80]}.")
    if value.tzinfo is not None:
        value = value.astimezone(timezone.utc).replace(tzinfo=None)  # noqa: UP017 - older Pythons run exports
    return int((value - EPOCH) // timedelta(microseconds=1))


PlainModel = Mapping[str, Any]
"""What JSON says about a model."""


class Decider:
    """A model ready to decide.

    Parameters
    ----------
    model : mapping
        The model as plain data.
    """

    def __init__(self, model: PlainModel) -> None:
        self.model = model
        self.default = int(model["default"])
        # Large masks come as text.
        self.deciding = [
            (label, [[(j, int(mask)) for j, mask in box] for box in boxes])
            for label, boxes in enumerate(model["boxes"])
            if label != self.default
        ]

    def predict(self, row: Row) -> object:
        """Return the label of a row, a mapping from the names of columns to values; None and NaN are missing."""
        return self.model["classes"][self.label(self.point(row))]

    def point(self, row: Row) -> Point:
        """Return the cells of a row that the model distinguishes."""
        return tuple(int(column["merged"][cell_of(column, row)]) for column in self.model["columns"])

    def label(self, point: Point) -> int:
        """Return the number of a point's class: one of its boxes holds the point, or else it is the default."""
        for label, boxes in self.deciding:
            for box in boxes:
                if all(mask >> point[j] & 1 for j, mask in box):
                    return label
        return self.default


class Reasoner(Decider):
    """A model ready to decide and to explain."""

    def __init__(self, model: PlainModel) -> None:
        super().__init__(model)
        columns = [(c, tuple(map(str, range(max(c["merged"]) + 1)))) for c in model["columns"]]
        self.space = Space(
            tuple(Column(c["name"], cells, ordered=c["ordered"], missing=c["missing"]) for c, cells in columns), ()
        )
        fixed, every = sum(1 << j for j in model["fixed"]), (1 << len(columns)) - 1
        self.fixed = [every if label == model["favourable"] else fixed for label in range(len(model["classes"]))]
        self.regions = [self._region(label) for label in range(len(model["classes"]))]

    def explain(self, row: Row) -> dict[str, object]:
        """Return the label of a row, its smallest reason and its smallest change, as plain data."""
        point = self.point(row)
        label = self.label(point)
        region = self.regions[label]
        axp = tuple(cells_of(next(region.axps(point))))
        box = widen(self.space, region.allowed_cells, own_cells(self.space, point, axp), axp, point)
        said = {j: self._phrase(j, box[j]) for j in self.space.constrained(box)}
        names = [column["name"] for column in self.model["columns"]]
        because = [phrase.because(names[j], own_words(self.model["columns"][j], row)) for j, phrase in said.items()]
        cxp = tuple(cells_of(next(region.cxps(point, self.fixed[label]), 0)))
        others = [other for other in range(len(self.regions)) if other != label]
        found = contrast(self.space, region, [self.regions[other] for other in others], point, cxp)
        instead = {j: self._phrase(j, found.box[j]) for j in cxp}
        reason = self._reason(label, box)
        why = self._why(label, reason, because)
        otherwise = self._otherwise(others[found.other], [(names[j], phrase) for j, phrase in instead.items()])
        return {
            "label": self.model["classes"][label],
            "reason": reason,
            "axp": [_condition(names[j], p, words) for (j, p), words in zip(said.items(), because, strict=True)],
            "cxp": [_condition(names[j], p, p.change(names[j])) for j, p in instead.items()],
            "why": why,
            "otherwise": otherwise,
            "text": f"{why} {otherwise}".rstrip(),
        }

    def probability(self, row: Row) -> float:
        """Return the training share of the second of two labels among the rows for which the same reasons hold."""
        scores, point = self.model["scores"], self.point(row)
        catalogue = self.model["catalogue"]
        boxes = [catalogue[label][place] for label, place in scores["reasons"]]
        held = [i for i, box in enumerate(boxes) if all(int(mask) >> point[j] & 1 for j, mask in box)]
        for places, share in scores["listed"]:
            if places == held if scores["exact"] else set(places) <= set(held):
                return float(share)
        return float(scores["otherwise"][held[0]])

    def _phrase(self, column: int, mask: int) -> Phrase:
        return phrase_of(self.model["columns"][column], self.model["words"][column], mask)

    def _why(self, label: int, reason: str | None, because: Sequence[str]) -> str:
        name = self.model["given"][label]
        if not because:
            return f"{name} always: nothing in the example matters."
        return f"{name} because {self.model['texts'].get(reason) or listed(because, 'and')}."

    def _otherwise(self, other: int, changes: Sequence[tuple[str, Phrase]]) -> str:
        if not changes:
            return ""
        words = in_sentence([(phrase.change(name), phrase.choice) for name, phrase in changes])
        return f"If {words}, {self.model['would_be'][other]}."

    def _reason(self, label: int, box: Box) -> str | None:
        known = self.model["catalogue"][label]
        if known is None:
            return None
        letters = (chr(97 + label // 26) if label >= 26 else "") + chr(97 + label % 26)
        return f"{letters}{[self._box(pairs) for pairs in known].index(box) + 1}"

    def _region(self, label: int) -> Region:
        maximal = self.model["maximal"][label]
        if maximal is not None:
            return Region(self.space.full, tuple(map(self._box, maximal)), by_maximal=True)
        opposite = [boxes for other, boxes in enumerate(self.model["boxes"]) if other != label]
        return Region(self.space.full, tuple(self._box(pairs) for boxes in opposite for pairs in boxes))

    def _box(self, pairs: Sequence[tuple[int, int | str]]) -> Box:
        masks = list(self.space.full)
        for column, mask in pairs:
            masks[column] = int(mask)
        return tuple(masks)


class BandReasoner:
    """Bands and their two reasons: a model for each boundary, names and shares of the bands."""

    def __init__(self, plain: PlainModel) -> None:
        self.models = [Reasoner(model) for model in plain["models"]]
        self.names, self.shares = plain["names"], plain["shares"]

    def predict(self, row: Row) -> int:
        """Return the band of a row, from 0 on."""
        return sum(model.label(model.point(row)) for model in self.models)

    def explain(self, row: Row) -> dict[str, object]:
        """Return the band of a row, its name and share, why it is in no lower band and why in no higher one."""
        band = self.predict(row)
        at_least = self.models[band - 1].explain(row) if band else None
        below = self.models[band].explain(row) if band < len(self.models) else None
        named = {"band": band, "name": self.names[band], "probability": self.shares[band]}
        return {**named, "at_least": at_least, "below": below}


def _condition(name: str, phrase: Phrase, words: str) -> dict[str, str]:
    return {"column": name, "condition": phrase.condition, "said": words}
