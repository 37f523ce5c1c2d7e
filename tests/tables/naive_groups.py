"""Groups of values as their definitions read: every permutation of the labels, one value after the other."""

from __future__ import annotations

from itertools import permutations

import numpy as np


def chi_square(values, labels):
    """The statistic of values and labels, an example each."""
    total, found = len(values), 0.0
    for value in set(values):
        for label in set(labels):
            expected = values.count(value) * labels.count(label) / total
            seen = sum(v == value and one == label for v, one in zip(values, labels))
            found += (seen - expected) ** 2 / expected
    return found


def chance_moments(values, labels):
    """The mean and the variance of the statistic over all orders of the labels."""
    found = [chi_square(values, order) for order in permutations(labels)]
    return np.mean(found), np.var(found)


def drawn_share(value, values, labels):
    """The share of label 1 among the examples of a value, drawn to the mean by the variances within and between."""
    total, kinds = len(values), sorted(set(values))
    mean = sum(labels) / total
    count = {kind: values.count(kind) for kind in kinds}
    share = {kind: sum(y for v, y in zip(values, labels) if v == kind) / count[kind] for kind in kinds}
    within = sum(count[kind] * share[kind] * (1 - share[kind]) for kind in kinds) / max(total - len(kinds), 1)
    spread = sum(count[kind] * (share[kind] - mean) ** 2 for kind in kinds) - (len(kinds) - 1) * within
    between = spread / (total - sum(n * n for n in count.values()) / total) if len(kinds) > 1 else 0
    if between <= 0:
        return mean
    return (count[value] * share[value] + within / between * mean) / (count[value] + within / between)


def sides(kinds, values, labels):
    """Whether each kind of value lies above the best cut of the order that some examples alone make, by Gini."""
    mean = sum(labels) / len(labels)
    order = {kind: drawn_share(kind, values, labels) if kind in values else mean for kind in kinds}

    def purity(cut):
        parts = [[y for v, y in zip(values, labels) if (order[v] > cut) == above] for above in (True, False)]
        return sum((sum(part) ** 2 + (len(part) - sum(part)) ** 2) / len(part) for part in parts if part)

    known = sorted({order[value] for value in values})
    cuts = [(low + high) / 2 for low, high in zip(known, known[1:])]
    best = max(cuts, key=lambda cut: round(purity(cut), 9))
    return {kind: order[kind] > best for kind in kinds}
