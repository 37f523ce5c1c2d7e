import tracemalloc
from itertools import combinations

import numpy as np
import pytest

from idnf.learning.exact.levels import Branch, Levels, n_sets

PRICES = (0.0, 2.0)


def filled(features: list[int], depth: int, price: float) -> tuple[Levels, dict[frozenset[int], int]]:
    levels = Levels(features, depth, limit=99.0, price=price)
    levels.lower[:] = np.random.default_rng(0).integers(0, 20, len(levels.lower))
    levels.upper[:] = levels.lower + np.random.default_rng(1).integers(0, 20, len(levels.lower))
    sets = [frozenset(codes) for layer in levels.layers for codes in layer.sets.tolist()]
    return levels, {path: number for number, path in enumerate(sets)}


def best_below(path: frozenset[int], levels: Levels, values: dict[frozenset[int], float]) -> float:
    """Return the least cost by plain recursion: a leaf, or a split on a feature that is not yet on the path."""
    found = [values[path]] if path in values else []
    if len(path) < levels.depth:
        for j in (j for j in levels.features if not path & {2 * j, 2 * j + 1}):
            sides = (best_below(path | {2 * j + s}, levels, values) for s in (0, 1))
            found.append(levels.price + sum(sides))
    return min(found)


@pytest.mark.parametrize("price", PRICES)
@pytest.mark.parametrize(("features", "depth"), [([0, 1, 2, 3], 0), ([0, 1, 3], 1), ([1, 2, 4, 5], 2), (range(5), 3)])
def test_the_best_tree_is_that_of_plain_recursion(features, depth, price):
    levels, numbers = filled(list(features), depth, price)
    n = len(levels.features)
    sizes = range(0 if price else depth, depth + 1)
    assert len(numbers) == sum(n_sets(n, size) for size in sizes)
    assert n_sets(n, depth) == len(list(combinations(range(n), depth))) * 2**depth
    upper = {path: levels.upper[number] for path, number in numbers.items()}
    lower = {path: levels.lower[number] for path, number in numbers.items()}
    assert levels.best() == best_below(frozenset(), levels, upper)
    assert levels.bound() == best_below(frozenset(), levels, lower)

    def cost(branch: Branch | tuple[int, ...], path: frozenset[int]) -> float:
        if not isinstance(branch, Branch):
            assert frozenset(branch) == path
            return float(upper[path])
        low, high = path | {2 * branch.feature + 1}, path | {2 * branch.feature}
        return price + cost(branch.if_false, low) + cost(branch.if_true, high)

    assert cost(levels.best_tree(), frozenset()) == levels.best()


@pytest.mark.parametrize("price", PRICES)
@pytest.mark.parametrize(("n", "depth"), [(4, 1), (4, 2), (4, 3)])
def test_a_leaf_below_its_threshold_and_only_such_a_leaf_beats_the_incumbent(n, depth, price):
    levels, _ = filled(list(range(n)), depth, price)
    incumbent = levels.bound() + 5
    thresholds = levels.thresholds(incumbent)
    lowered = levels.lower.copy()
    for number, threshold in enumerate(thresholds):
        levels.lower[number] = threshold
        assert levels.bound() <= incumbent
        # Trees that do not pass through the leaf cost at least this much.
        levels.lower[number] = threshold - 6
        assert levels.bound() == incumbent - 6
        levels.lower[number] = lowered[number]


def test_trees_of_seven_levels_over_nine_features_take_little_memory():
    levels = Levels(range(9), 7, limit=1.0)
    tracemalloc.start()
    assert (levels.best(), levels.bound()) == (2.0**7, 0.0)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 100 * 2**20
