"""Decisions and their reasons for single rows, from a model held as plain data.

The Python export (:mod:`idnf.exporting.programs`) is made of this module and of those it imports: only the standard
library. The plain data is what :func:`idnf.exporting.compiled.compiled` makes of a classifier.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from idnf.columns.phrases import Phrase, joined
from idnf.explaining.regions import Region
from idnf.explaining.widening import contrast, grown, own_cells
from idnf.exporting.row_values import Row, cell_of, own_words, phrase_of
from idnf.logic.boxes import Box, Column, Point, Space, cells_of

PlainModel = Mapping[str, Any]
"""What JSON holds of a model."""


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
        """Return the cells of a row that the model tells apart."""
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
        self.fixed = sum(1 << j for j in model["fixed"])
        self.regions = [self._region(label) for label in range(len(model["classes"]))]

    def explain(self, row: Row) -> dict[str, object]:
        """Return the label of a row, its smallest reason and its smallest change, as plain data."""
        point = self.point(row)
        label = self.label(point)
        region = self.regions[label]
        axp = tuple(cells_of(next(region.axps(point))))
        box = grown(self.space, region.allowed, own_cells(self.space, point, axp), axp, point)
        said = {j: self._phrase(j, box[j]) for j in self.space.constrained(box)}
        names = [column["name"] for column in self.model["columns"]]
        because = [phrase.because(names[j], own_words(self.model["columns"][j], row)) for j, phrase in said.items()]
        cxp = tuple(cells_of(next(region.cxps(point, self.fixed), 0)))
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

    def _phrase(self, column: int, mask: int) -> Phrase:
        return phrase_of(self.model["columns"][column], self.model["words"][column], mask)

    def _why(self, label: int, reason: str | None, because: Sequence[str]) -> str:
        name = self.model["given"][label]
        if not because:
            return f"{name} always: nothing in the example matters."
        return f"{name} because {self.model['texts'].get(reason) or ' and '.join(because)}."

    def _otherwise(self, other: int, changes: Sequence[tuple[str, Phrase]]) -> str:
        if not changes:
            return ""
        words = joined([(phrase.change(name), phrase.choice) for name, phrase in changes])
        return f"With {words}{self.model['would_be'][other]}."

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


def _condition(name: str, phrase: Phrase, words: str) -> dict[str, str]:
    return {"column": name, "condition": phrase.condition, "said": words}
