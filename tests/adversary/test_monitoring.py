"""Reasons by period counted again from those of single rows, in every kind of table; the index by its formula."""

from __future__ import annotations

import math
import random
from collections import Counter

import pandas as pd
import polars as pl
from tests.adversary.plain_model import UNSEEN, World
from tests.adversary.tally import count
from tests.adversary.test_questions import MOST_POINTS, frame, random_model

from idnf.governance import monitor
from idnf.governance.monitoring import Stability

PERIODS = ("2023-12", "2024-01", "2024-02", None)


def test_counts_and_indices_are_those_of_the_rows(rounds) -> None:
    for seed in rounds(4, 300):
        clf, model = random_model(seed)
        world, rng = World(model), random.Random(seed)
        if not 1 < len(world.points) <= MOST_POINTS:
            continue
        points = [rng.choice(world.points) for _ in range(rng.randint(1, 200))]
        periods = [rng.choice(PERIODS) for _ in points]
        kept = World.__new__(World)
        kept.points, kept.orders = points, world.orders
        table = frame(kept).assign(period=pd.to_datetime(pd.Series(periods)))
        for rows in (table, pl.from_pandas(table), pl.from_pandas(table).lazy()):
            found = monitor(clf, rows, by="period")
            said = ["missing" if period is None else period for period in periods]
            assert found.periods == tuple(sorted(set(said))), seed
            check_counts(found, list(zip(said, points, strict=True)), clf.explain(table).columns()["reason id"])
            check_unlisted(found, list(zip(said, points, strict=True)))
            count("tables with reasons counted by period")


def check_counts(found: Stability, rows: list, given: list) -> None:
    """Each row counts for a reason that holds for it, in its period; the index is that of these counts."""
    counts = Counter((period, reason) for (period, _), reason in zip(rows, given, strict=True))
    for t, period in enumerate(found.periods):
        assert [counts[period, reason] for reason in found.reasons] == found.counts[t].tolist()
        now, then = found.counts[t], found.reference
        p = [(n + 0.5) / (sum(now) + 0.5 * len(now)) for n in now]
        q = [(n + 0.5) / (sum(then) + 0.5 * len(then)) for n in then]
        assert math.isclose(sum((a - b) * math.log(a / b) for a, b in zip(p, q)), found.totals[t], abs_tol=1e-9)


def check_unlisted(found: Stability, rows: list) -> None:
    """The rows of each period with a category that the model file does not list."""
    for name, counted in found.unlisted.items():
        expected = [sum(p == period and point[name] == UNSEEN for p, point in rows) for period in found.periods]
        assert counted.tolist() == expected, name
