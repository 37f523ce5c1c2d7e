from itertools import combinations

import numpy as np
import pytest

from idnf.learning.exact.levels import Branch, Levels, n_sets


def filled(n: int, depth: int, seed: int = 0) -> tuple[Levels, dict[frozenset[int], float]]:
    levels = Levels(n, depth, limit=99.0)
    levels.lower[:] = np.random.default_rng(seed).integers(0, 20, len(levels.sets))
    levels.upper[:] = levels.lower + np.random.default_rng(seed + 1).integers(0, 20, len(levels.sets))
    return levels, {frozenset(codes): number for number, codes in enumerate(levels.sets.tolist())}


def best_below(path: frozenset[int], depth: int, n: int, values: dict[frozenset[int], float]) -> float:
    if depth == 0:
        return values[path]
    free = [j for j in range(n) if not path & {2 * j, 2 * j + 1}]
    return min(sum(best_below(path | {2 * j + s}, depth - 1, n, values) for s in (0, 1)) for j in free)


@pytest.mark.parametrize(("n", "depth"), [(4, 0), (4, 1), (4, 2), (5, 3)])
def test_the_best_tree_is_that_of_plain_recursion(n, depth):
    levels, numbers = filled(n, depth)
    assert len(levels.sets) == n_sets(n, depth) == len(list(combinations(range(n), depth))) * 2**depth
    upper = {path: levels.upper[number] for path, number in numbers.items()}
    lower = {path: levels.lower[number] for path, number in numbers.items()}
    assert levels.best() == best_below(frozenset(), depth, n, upper)
    assert levels.bound() == best_below(frozenset(), depth, n, lower)

    def cost(branch: Branch | int, path: frozenset[int]) -> float:
        if isinstance(branch, int):
            assert frozenset(levels.sets[branch].tolist()) == path
            return float(levels.upper[branch])
        low, high = path | {2 * branch.feature + 1}, path | {2 * branch.feature}
        return cost(branch.if_false, low) + cost(branch.if_true, high)

    assert cost(levels.best_tree(), frozenset()) == levels.best()


@pytest.mark.parametrize(("n", "depth"), [(4, 1), (4, 2), (4, 3)])
def test_a_leaf_below_its_threshold_and_only_such_a_leaf_beats_the_incumbent(n, depth):
    levels, _ = filled(n, depth)
    incumbent = levels.bound() + 5
    thresholds = levels.thresholds(incumbent)
    for number, threshold in enumerate(thresholds):
        kept = levels.lower[number]
        levels.lower[number] = threshold
        assert levels.bound() <= incumbent
        levels.lower[number] = threshold - 1
        assert levels.bound() < incumbent
        levels.lower[number] = kept
