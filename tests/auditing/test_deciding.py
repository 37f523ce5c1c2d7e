"""Whether some columns alone can decide."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from tests.auditing.naive_audits import CHUNKS, near, worlds

from idnf.auditing.invariance import first_refutation, invariance_claims, rows_refuting


@pytest.mark.parametrize("chunk", CHUNKS)
def test_witnesses_and_proofs(chunk):
    for world in worlds(chunk):
        n = len(world.space.columns)
        for columns in [c for size in (1, 2) for c in combinations(range(n), size)]:
            flips = [len({world.table[x] for x in near(world, p, columns)}) > 1 for p in world.points]
            claims = invariance_claims(world.model, columns)
            pair = first_refutation(claims)
            assert (pair is not None) == any(flips)
            assert rows_refuting(claims, np.array(world.points)).tolist() == flips
            if pair is not None:
                one, other = pair
                assert all(one[j] == other[j] for j in range(n) if j not in columns)
                assert world.table[one] != world.table[other]
