"""Models over groups of values against the sets of cells in their files, on every value, unseen and missing ones."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.adversary.plain_model import UNSEEN, PlainModel, Point
from tests.adversary.tally import count
from tests.exporting.cases import HOSTILE
from tests.tables.naive_wording import Value

from idnf import DNFClassifier, exporting

pytestmark = pytest.mark.filterwarnings("ignore::idnf.TableWarning")


class GroupedModel(PlainModel):
    """A model file whose literals of groups are read from their sets of cells, not from their words."""

    def literal(self, feature: int, point: Point) -> bool:
        name = self._features[feature][1]
        column = next(one for one in self.columns if one["name"] == name)
        if column["kind"] != "value-groups":
            return super().literal(feature, point)
        place = [f for f, (_, other, _) in enumerate(self._features) if other == name].index(feature)
        if place < len(column["sets"]):
            return self._cell(column, point[name]) in column["sets"][place]
        return super().literal(feature, point)

    def _cell(self, column: dict, value: Value) -> int | None:
        """The cell of a value: its group, or the one after all groups; None if it is missing and counts as none."""
        if value is None and column["missing"] != "counted":
            return None
        found = [cell for cell, group in enumerate(column["groups"]) if value in group]
        return found[0] if found else len(column["groups"])


def drawn(rng: random.Random, seed: int) -> tuple[pd.DataFrame, np.ndarray, list[str]]:
    generator, rows = np.random.default_rng(seed), rng.randint(150, 500)
    names = sorted({*HOSTILE, *(f"town {i}" for i in range(rng.randint(15, 60)))})
    effect = generator.random(len(names))
    chosen = generator.integers(0, len(names), rows)
    age = generator.integers(0, 9, rows)
    y = (effect[chosen] > 0.5) & (age > 2) | (generator.random(rows) < 0.1)
    towns = pd.Series([names[i] for i in chosen], dtype=object)
    if rng.random() < 0.5:
        towns = towns.mask(generator.random(rows) < 0.1)
    return pd.DataFrame({"town": towns, "age": age}), np.where(y, "yes", "no"), names


def test_every_value_is_decided_as_its_group(rounds) -> None:
    for seed in rounds(2, 200):
        rng = random.Random(seed)
        table, y, names = drawn(rng, seed)
        clf = DNFClassifier(rng.randint(1, 3), price=0.0, effort=0.1, learner=rng.choice(["greedy", "search"]))
        clf.fit(table, y)
        model = GroupedModel.of(exporting.json_text(clf))
        points = [{"town": town, "age": age} for town in (*names, UNSEEN, None) for age in range(9)]
        labels = [model.label(point) for point in points]
        frame = pd.DataFrame(
            {"town": pd.Series([p["town"] for p in points], dtype=object), "age": [p["age"] for p in points]}
        )
        assert clf.predict(frame).tolist() == labels, seed
        lazy = clf.predict(pl.from_pandas(frame).lazy()).collect()
        assert lazy["predicted"].to_list() == labels, seed
        module: dict = {}
        exec(exporting.to_python(clf, reasons=False), module)
        assert [module["predict"](point) for point in points] == labels, seed
        assert any(column["kind"] == "value-groups" for column in model.columns), seed
        count("values decided as their groups, in memory, polars and Python", len(labels))
