"""Whether some columns alone can decide."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from tests.auditing.naive_audits import CHUNKS, near, worlds

from idnf.auditing.invariance import deciding_pair, rows_decided


@pytest.mark.parametrize("chunk", CHUNKS)
def test_witnesses_and_proofs(chunk):
    for world in worlds(chunk):
        n = len(world.space.columns)
        for columns in [c for size in (1, 2) for c in combinations(range(n), size)]:
            flips = [len({world.table[x] for x in near(world, p, columns)}) > 1 for p in world.points]
            pair = deciding_pair(world.model, columns)
            assert (pair is not None) == any(flips)
            assert rows_decided(world.model, columns, np.array(world.points)).tolist() == flips
            if pair is not None:
                one, other = pair
                assert all(one[j] == other[j] for j in range(n) if j not in columns)
                assert world.table[one] != world.table[other]
