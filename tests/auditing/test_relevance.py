"""Columns in every, some and no reason; shares of reasons."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from tests.auditing.naive_audits import CHUNKS, World, axps, worlds

from idnf.auditing import reason_sets
from idnf.auditing.reason_sets import Relevances, minimal_members
from idnf.auditing.reason_shares import Attributions
from idnf.explaining.batch import Patterns, predicted
from idnf.logic.boxes import Space
from idnf.logic.sides import ClassBoxes


@pytest.mark.parametrize("chunk", CHUNKS)
def test_labels_are_those_of_the_table(chunk):
    for world in worlds(chunk):
        patterns = Patterns.of(world.model.frame, np.array(world.points))
        found = predicted(world.model, patterns)[patterns.index].tolist()
        assert found == [world.table[point] for point in world.points]
        assert all(world.model.label(point) == world.table[point] for point in world.points)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_relevance_and_attribution_are_those_of_all_reasons(chunk):
    for world in worlds(chunk):
        names = [column.name for column in world.space.columns]
        cells = np.array(world.points)
        relevances, attributions = Relevances(world.model, cells), Attributions(world.model, cells)
        for row, point in enumerate(world.points):
            reasons = axps(world, point)
            every = [j for j in range(len(point)) if all(j in reason for reason in reasons)]
            some = [j for j in range(len(point)) if any(j in reason for reason in reasons)]
            assert relevances[row].label == world.table[point]
            assert relevances[row].necessary == tuple(names[j] for j in every)
            assert relevances[row].relevant == tuple(names[j] for j in some)
            assert set(relevances[row].irrelevant) == set(names) - {names[j] for j in some}
            short = [reason for reason in reasons if len(reason) <= world.model.k]
            for j, name in enumerate(names):
                share = Fraction(sum(j in reason for reason in short), len(short))
                assert attributions[row].get(name, 0.0) == float(share)
                assert attributions.values[row, j] == float(share)


def test_arrays_and_shares_agree_with_the_rows():
    world = World(3)
    cells = np.array(world.points)
    found = Relevances(world.model, cells)
    names = found.columns
    assert found.necessary.tolist() == [[name in answer.necessary for name in names] for answer in found]
    assert found.relevant.tolist() == [[name in answer.relevant for name in names] for answer in found]
    for j, name in enumerate(names):
        assert found.shares()[name] == (found.necessary[:, j].mean(), found.relevant[:, j].mean())
    means = Attributions(world.model, cells).mean
    assert list(means.values()) == sorted(means.values(), reverse=True)


def test_more_than_63_columns_give_the_same_answers():
    few, many = Space.boolean("abc"), Space.boolean([f"x{j}" for j in range(70)])
    both = ((3, 3, 1), (3, 1, 2)), ((3, 2, 2),)
    rest = (3,) * 67
    # Boxes over the last columns make the model look at all of them.
    wide_terms = tuple(tuple([3, 2, 2] + [1 if j == i else 3 for j in range(67)]) for i in range(67))
    narrow = ClassBoxes(few, 2, both)
    wide = ClassBoxes(many, 2, (tuple(box + rest for box in both[0]), (both[1][0] + rest, *wide_terms)))
    cells = np.array([[a, b, c] for a in (0, 1) for b in (0, 1) for c in (0, 1)])
    wide_cells = np.hstack([cells, np.zeros((8, 67), dtype=int)])
    assert len(wide.frame.columns) == 69
    for one, other in zip(Relevances(narrow, cells), Relevances(wide, wide_cells)):
        assert len(one.necessary) == len(other.necessary)
        assert len(one.relevant) == len(other.relevant)


@given(hnp.arrays(np.uint64, st.tuples(st.integers(0, 12), st.integers(1, 4)), elements=st.integers(0, 63)))
def test_minimal_members_point_by_point_are_those_of_all_points_at_once(family):
    at_once = minimal_members(family)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reason_sets, "_MANY", -1)
        assert minimal_members(family).tolist() == at_once.tolist()
