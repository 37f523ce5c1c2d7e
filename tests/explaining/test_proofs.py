"""Proofs by truth table and by SAT agree with all pairs of points."""

from __future__ import annotations

from random import Random

import pytest
from tests.auditing.naive_audits import CHUNKS, holds, worlds

from idnf.proving import independent_check
from idnf.proving.independent_check import Claim, refuted


def is_refuted(claim, points):
    for one in points:
        if not any(holds(box, one) for box in claim.firsts) or any(holds(box, one) for box in claim.outside):
            continue
        for two in points:
            if not any(holds(box, two) for box in claim.seconds):
                continue
            if any(one[j] != two[j] for j in range(len(one)) if j not in claim.free):
                continue
            if claim.rising is None or one[claim.rising[0]] < two[claim.rising[0]] < claim.rising[1]:
                return True
    return False


@pytest.mark.parametrize("method", ["truth table", "SAT"])
@pytest.mark.parametrize("chunk", CHUNKS[:2])
def test_claims_are_refuted_by_a_pair_of_points(chunk, method, monkeypatch):
    if method == "SAT":
        pytest.importorskip("pysat")
        monkeypatch.setattr(independent_check, "SMALL", 0)
    for world in worlds(chunk):
        rng = Random(world.seed)
        n = len(world.space.columns)
        free = rng.sample(range(n), rng.randint(0, n - 1))
        column = rng.randrange(n)
        known = world.space.columns[column].size - world.space.columns[column].missing
        sizes = [column.size for column in world.space.columns]
        first = rng.randrange(world.count)
        firsts, seconds = world.model.terms[first], world.model.opposite(first)
        for claim in (
            Claim(sizes, firsts, seconds),
            Claim(sizes, firsts, seconds, free),
            Claim(sizes, firsts, seconds, {*free, column}, (column, known)),
            Claim(sizes, firsts, seconds, free, outside=rng.sample(firsts, len(firsts) // 2)),
        ):
            assert refuted(claim) == (is_refuted(claim, world.points), method)
