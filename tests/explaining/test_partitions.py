"""Claims about classes, true and false: the proof by pairs and the one by table or SAT agree with all points."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest
from tests import naive
from tests.auditing.naive_audits import CHUNKS, worlds

from idnf.logic.cubes import Layout
from idnf.logic.verification import Certificate, Partition, VerificationError
from idnf.proving import independent_check
from idnf.proving.independent_check import CheckError, check_classes


def spoiled(world, rng):
    """Return the boxes of the classes with one box dropped, widened, or given to another class, or as they are."""
    sides, full = [list(side) for side in world.model.terms], world.space.full
    side = rng.choice([side for side in sides if side])
    box = rng.choice(side)
    kind = rng.randrange(4)
    if kind == 0:
        side.remove(box)
    elif kind == 1:
        j = rng.randrange(len(box))
        side.append((*box[:j], full[j], *box[j + 1 :]))
    elif kind == 2:
        rng.choice(sides).append(box)
    return sides


@pytest.mark.parametrize("small", [1 << 20, 0])
@pytest.mark.parametrize("chunk", CHUNKS)
def test_both_engines_accept_what_is_true_and_nothing_else(chunk, small, monkeypatch):
    monkeypatch.setattr(independent_check, "SMALL", small)
    for world in worlds(chunk):
        rng, sizes = Random(world.seed), tuple(column.size for column in world.space.columns)
        sides, k = spoiled(world, rng), world.model.k - (rng.random() < 0.2)
        true, layout = naive.is_partition(sides, sizes, k), Layout(sizes)
        names, masks = tuple("abcd"[: len(sides)]), [list(map(layout.mask, side)) for side in sides]
        partition = Partition(names, masks, k, layout, lambda mask, layout=layout: str(layout.box(mask)))
        if true:
            widths = tuple(max((len(world.space.constrained(box)) for box in side), default=0) for side in sides)
            counts = tuple(map(len, sides))
            assert partition.prove() == Certificate(k, widths, counts, partition.pairs, names)
            check_classes(sizes, sides)
            continue
        with pytest.raises(VerificationError) as error:
            partition.prove()
        assert_witnessed(error.value, sides, sizes, k)
        if not naive.is_partition(sides, sizes, len(sizes)):
            with pytest.raises(CheckError):
                check_classes(sizes, sides)


def assert_witnessed(error, sides, sizes, k):
    """Whatever a refusal names is wrong indeed."""
    named = [tuple(map(int, text.strip("()").replace(",", " ").split())) for text in (*error.terms, error.point or "")]
    points = [naive.points_of_boxes([box], sizes) for box in named if box]
    if error.point:
        assert points[0]
        assert not points[0] & naive.points_of_boxes([box for side in sides for box in side], sizes)
    elif len(error.terms) == 2:
        assert points[0] & points[1]
        assert any(named[0] in one and named[1] in other for one, other in permutations(sides, 2))
    else:
        assert sum(mask != 2**size - 1 for mask, size in zip(named[0], sizes)) > k
