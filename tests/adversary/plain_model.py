"""A model file evaluated by its own words, and every question answered by trying all points; without the library."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product

from tests.tables.naive_wording import Value, holds

UNSEEN = "never seen"
Point = dict[str, Value]


@dataclass(frozen=True)
class PlainModel:
    """What a model file says, as the JSON it is."""

    document: dict

    @classmethod
    def of(cls, text: str) -> PlainModel:
        return cls(json.loads(text))

    @property
    def space(self) -> dict:
        """Where the columns and literals stand."""
        return self.document["space"]

    @property
    def columns(self) -> list[dict]:
        return self.space["columns"]

    @classmethod
    def of_bands(cls, text: str) -> list[PlainModel]:
        """The boundaries of a file of bands, each as a model whose classes say whether it is passed."""
        document = json.loads(text)
        return [cls({**document, "classes": [False, True], "model": one["model"]}) for one in document["models"]]

    @cached_property
    def _features(self) -> list[tuple[str, str, list[str]]]:
        """The words of each literal, the column they speak of, and the order of its values."""
        columns = {column["name"]: column.get("values", []) for column in self.columns}
        said = self.space["literals"]
        return [(words, *next((n, o) for n, o in columns.items() if n in words.split(" "))) for words in said]

    def literal(self, feature: int, point: Point) -> bool:
        """Whether a literal holds; of a missing value that is counted as another, none does."""
        words, name, order = self._features[feature]
        return point[name] is True if words == name else holds(words, name, point[name], order)

    def label(self, point: Point) -> object:
        """The class of a point; the terms of the others must all fail."""
        model, classes = self.document["model"], self.document["classes"]
        if model["kind"] in ("nested", "tree"):
            return classes[self._node(model.get("root", model), point)]
        sides = model["dnfs"] if model["kind"] == "classes" else [model["negative"], model["positive"]]
        held = [label for label, terms in zip(classes, sides, strict=True) if self._any_term(terms, point)]
        assert len(held) == 1, f"{point} must be in one class; it is in {held}"
        return held[0]

    def _node(self, node: dict, point: Point) -> int:
        while "feature" in node:
            node = node["if_true" if self.literal(node["feature"], point) else "if_false"]
        if "dnfs" in node:
            (label,) = (label for label, terms in enumerate(node["dnfs"]) if self._any_term(terms, point))
            return label
        rows = node["matrix"]
        terms = [[code for row, length in zip(rows, r, strict=True) for code in row[:length]] for r in node["prefixes"]]
        return node.get("label", 1) if self._any_term(terms, point) else node.get("otherwise", 0)

    def _any_term(self, terms: list[list[int]], point: Point) -> bool:
        return any(all(self.literal(code // 2, point) != bool(code % 2) for code in term) for term in terms)

    def values(self, column: dict) -> list[Value]:
        """One value for everything that the model may tell apart in a column, and a missing one unless refused."""
        return self._known(column) if column["missing"] == "refused" else [*self._known(column), None]

    def counted_as(self, column: dict) -> dict[Value, Value]:
        """For a missing value that has no words of its own: the known value of which no literal of the column holds."""
        if column["missing"] != "counted":
            return {}
        own = [feature for feature, (_, name, _) in enumerate(self._features) if name == column["name"]]
        known = self._known(column)
        return {None: next(v for v in known if not any(self.literal(f, {column["name"]: v}) for f in own))}

    def _known(self, column: dict) -> list[Value]:
        if column["kind"] == "boolean":
            known: list[Value] = [False, True]
        elif column["kind"] == "number":
            cuts = column["cuts"] or [0.0]
            whole = column.get("whole", False)
            known = [*map(math.floor, cuts), math.floor(cuts[-1]) + 1] if whole else [*cuts, cuts[-1] + 1]
        else:
            known = [*column["values"], *([UNSEEN] if column["kind"] == "category" else [])]
        return known

    def used(self) -> list[str]:
        """The columns that literals of the model speak of."""
        codes = set(_integers(self.document["model"]))
        return sorted({self._features[code][1] for code in codes})


def _integers(model: object) -> Iterator[int]:
    """The features in the function of a model."""
    if isinstance(model, dict):
        for key, value in model.items():
            if key == "feature":
                yield value
            elif key in ("positive", "negative", "dnfs", "matrix"):
                yield from (code // 2 for code in _flat(value))
            else:
                yield from _integers(value)


def _flat(value: object) -> Iterator[int]:
    if isinstance(value, list):
        for each in value:
            yield from _flat(each)
    else:
        yield value


class World:
    """All points of a model that differ in a column it uses, with their classes; or of several models together."""

    def __init__(self, *models: PlainModel) -> None:
        model = models[0]
        self.columns = sorted({name for one in models for name in one.used()})
        described = {column["name"]: column for column in model.columns}
        self.orders = {name: described[name].get("values", []) for name in self.columns}
        self.values = {name: model.values(described[name]) for name in self.columns}
        self.fixed = {name: model.values(column)[0] for name, column in described.items() if name not in self.columns}
        self.points = [
            {**self.fixed, **dict(zip(self.columns, values, strict=True))} for values in product(*self.values.values())
        ]
        self.counted = {name: model.counted_as(described[name]) for name in self.columns}
        self.each = [[one.label(point) for point in self.points] for one in models]
        self.labels = self.each[0]

    def meeting(self, conditions: dict[str, str]) -> list[int]:
        """The points that meet some conditions, in words, by column."""
        kept = {
            name: [i for i, v in enumerate(self.values[name]) if self._holds(words, name, v)]
            for name, words in conditions.items()
        }
        return self._places(kept)

    def _holds(self, words: str, name: str, value: Value) -> bool:
        return holds(words, name, self.counted[name].get(value, value), self.orders[name])

    def agreeing(self, point: Point, names: set[str]) -> list[int]:
        """The points that have a point's own values in some columns."""
        return self._places({name: [self.values[name].index(point[name])] for name in names})

    def _places(self, kept: dict[str, list[int]]) -> list[int]:
        places = [0]
        for name in self.columns:
            size = len(self.values[name])
            places = [place * size + i for place in places for i in kept.get(name, range(size))]
        return places

    def is_reason(self, point: Point, label: object, names: set[str]) -> bool:
        """Whether a point's values in some columns leave no other class."""
        return all(self.labels[i] == label for i in self.agreeing(point, names))

    def is_change(self, point: Point, label: object, names: set[str]) -> bool:
        """Whether other values in some columns lead to another class."""
        return any(self.labels[i] != label for i in self.agreeing(point, set(self.columns) - names))

    def fewest_changes(self, point: Point, label: object, *, unseen: bool) -> int | None:
        """The least number of columns whose change to a known value leads to another class."""
        for count in range(1, len(self.columns) + 1):
            for names in combinations(self.columns, count):
                for i in self.agreeing(point, set(self.columns) - set(names)):
                    new = [self.points[i][name] for name in names]
                    if self.labels[i] != label and None not in new and (unseen or UNSEEN not in new):
                        return count
        return None
