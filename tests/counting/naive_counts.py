"""Counting over a list of examples, one at a time."""

from collections import Counter

import numpy as np

from idnf.counting.contract import DistinctRows, GridHistogram


def satisfies(example, code):
    return bool(example[code // 2]) != bool(code % 2)


def prefix_length(example, row):
    return next((j for j, code in enumerate(row) if not satisfies(example, code)), len(row))


class NaiveCounts:
    def __init__(self, features, positive, weight=None):
        weight = np.ones(len(features)) if weight is None else weight
        entries = zip(features.tolist(), positive.tolist(), weight.tolist(), strict=True)
        self.examples = [(tuple(e), p, w) for e, p, w in entries if w > 0]
        self.n_features = features.shape[1]
        self.positive = float(sum(w for _, p, w in self.examples if p))
        self.negative = float(sum(w for _, p, w in self.examples if not p))

    def literal_weights(self, conjunction):
        weights = np.zeros((2, 2 * self.n_features))
        for example, positive, weight in self.examples:
            for code in range(2 * self.n_features):
                weights[int(positive), code] += weight * all(satisfies(example, c) for c in [*conjunction, code])
        return weights[1], weights[0]

    def grid_histogram(self, matrix):
        keys, sums = self._sums(lambda example: tuple(prefix_length(example, row) for row in matrix))
        return GridHistogram(np.array(keys, dtype=np.int64).reshape(len(keys), len(matrix)), *sums)

    def distinct_rows(self):
        keys, sums = self._sums(lambda example: example)
        return DistinctRows.of_two(np.array(keys, dtype=bool).reshape(len(keys), self.n_features), *sums, complete=True)

    def covered_weights(self, models):
        found = []
        for terms in models:
            weights = {True: 0.0, False: 0.0}
            for example, positive, weight in self.examples:
                weights[positive] += weight * any(all(satisfies(example, c) for c in term) for term in terms)
            found.append((weights[False], weights[True]))
        return found

    def prepare(self, conjunctions=(), matrices=()):
        pass

    def _sums(self, key_of):
        sums = {True: Counter(), False: Counter()}
        for example, positive, weight in self.examples:
            sums[positive][key_of(example)] += weight
        keys = sorted(sums[True] | sums[False])
        return keys, [np.array([sums[side][key] for key in keys], dtype=float) for side in (True, False)]
