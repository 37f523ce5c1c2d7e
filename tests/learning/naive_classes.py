"""Learning several classes by trying everything."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

from tests import naive


def weight_right(examples):
    """The most weight one class has; examples are pairs of a point and its weights."""
    return max((sum(column) for column in zip(*(weights for _, weights in examples))), default=0.0)


def best_tree(examples, depth, price=0.0):
    """The most that a tree of at most this depth gets right, less the price of its splits."""
    best = weight_right(examples)
    if depth:
        for j in range(len(examples[0][0]) if examples else 0):
            parts = [[one for one in examples if one[0][j] == value] for value in (0, 1)]
            best = max(best, sum(best_tree(part, depth - 1, price) for part in parts) - price)
    return best


@cache
def order_two(n):
    """Every 2-AXp-interpretable function of n features as its values at the points."""
    return [values for values in product((0, 1), repeat=1 << n) if naive.certificate_complexity(values, n) <= 2]


def best_pair_tree(examples, k):
    """The most that a tree of depth k - 2 gets right whose leaves are trees of depth 2 or functions of two classes."""
    best = best_tree(examples, min(k, 2))
    if not examples or k < 2:
        return best
    n = len(examples[0][0])
    points = [sum(bit << j for j, bit in enumerate(point)) for point, _ in examples]
    for a, b in combinations(range(len(examples[0][1])), 2):
        for values in order_two(n):
            right = sum(w[a] if values[p] else w[b] for p, (_, w) in zip(points, examples))
            best = max(best, right)
    for j in range(n if k > 2 else 0):
        parts = [[one for one in examples if one[0][j] == value] for value in (0, 1)]
        best = max(best, sum(best_pair_tree(part, k - 1) for part in parts))
    return best


def examples(rows):
    return list(zip(rows.features.tolist(), rows.weights.tolist()))


def model_right(rows, model):
    """The weight a model gets right, point by point."""
    names = model.names
    points = [dict(zip(names, map(int, line))) for line in rows.features.tolist()]
    return sum(weights[model.evaluate(point)] for point, weights in zip(points, rows.weights.tolist()))
