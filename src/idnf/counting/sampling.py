"""A seeded sample of a weighted table, class by class."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, Weights
from idnf.counting.tallies import weighted_bincount


def sample_rows(rows: DistinctRows, limit: int, random_state: int) -> DistinctRows:
    """Return at most `limit` of the rows, drawn in proportion to their weight.

    Each class gets its share of the draws (at least one where it has any weight) and keeps its total weight. A row
    heavier than one draw is always kept, with the weight of the draws that fell on it.
    """
    if limit < 2:
        raise ValueError(f"limit must be at least 2, one row for each class; got {limit}.")
    generator = np.random.default_rng(random_state)
    positive_total, negative_total = rows.positive.sum(), rows.negative.sum()
    draws = round(limit * positive_total / (positive_total + negative_total))
    draws = min(max(draws, int(positive_total > 0)), limit - int(negative_total > 0))
    positive = systematic_draws(rows.positive, draws, generator)
    negative = systematic_draws(rows.negative, limit - draws, generator)
    kept = (positive > 0) | (negative > 0)
    return DistinctRows(rows.features[kept], positive[kept], negative[kept], complete=False)


def systematic_draws(weight: Weights, draws: int, generator: np.random.Generator) -> Weights:
    """Lay the rows end to end in random order, one after the other as long as its weight, and draw at equal steps."""
    if draws == 0:
        return np.zeros(len(weight))
    order = generator.permutation(len(weight))
    ends = np.cumsum(weight[order])
    step = ends[-1] / draws
    places = (np.arange(draws) + generator.random()) * step
    drawn: NDArray[np.int64] = order[np.searchsorted(ends[:-1], places, side="right")]
    return weighted_bincount(drawn, float(step), len(weight))
