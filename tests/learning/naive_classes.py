"""Learning several classes by trying everything."""

from __future__ import annotations


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


def examples(rows):
    return list(zip(rows.features.tolist(), rows.weights.tolist()))


def model_right(rows, model):
    """The weight a model gets right, point by point."""
    names = model.names
    points = [dict(zip(names, map(int, line))) for line in rows.features.tolist()]
    return sum(weights[model.evaluate(point)] for point, weights in zip(points, rows.weights.tolist()))
