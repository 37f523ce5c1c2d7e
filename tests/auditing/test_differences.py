"""Differences of two models over different cuts, row by row."""

from __future__ import annotations

import pandas as pd
import pytest
from tests.auditing import naive_tables as naive
from tests.auditing.naive_audits import holds
from tests.strategies import seeds

from idnf.auditing.differences import difference_of
from idnf.auditing.table_models import TableModel
from idnf.columns.categories import CategoryColumn
from idnf.columns.intervals import NumberColumn
from idnf.columns.refinement import common_ground
from idnf.proving.independent_check import CheckError


def two_models(seed):
    rng = naive.seeded(seed)
    kinds = naive.random_kinds(rng)
    missing = naive.random_missing(rng, kinds)
    classes = rng.randint(2, 4)
    first = naive.random_model(rng, naive.random_columns(rng, kinds=kinds, missing=missing), classes)
    if rng.random() < 0.2:
        # The same function over finer columns: the two are equal.
        finer, _ = common_ground([first.columns, naive.random_columns(rng, kinds=kinds, missing=missing)])
        return first, first.over(finer)
    fewer = sorted(rng.sample(range(len(kinds)), rng.randint(1, len(kinds))))
    columns = naive.random_columns(rng, kinds=[kinds[j] for j in fewer], missing=[missing[j] for j in fewer])
    return first, naive.random_model(rng, columns, classes)


@pytest.mark.parametrize("chunk", seeds(1, 52))
def test_regions_are_where_the_models_disagree(chunk):
    for seed in range(10 * chunk, 10 * chunk + 10):
        old, new = two_models(seed)
        rows = naive.rows(naive.probes([*old.columns, *new.columns]))
        labels = [(naive.label(old, row), naive.label(new, row)) for row in rows]
        found = difference_of(old, new, pd.DataFrame(rows))
        apart = [pair for pair in labels if pair[0] != pair[1]]
        assert found.equal == (not apart)
        assert (found.rows, found.total) == (len(apart), len(rows))
        assert found.changes == {pair: apart.count(pair) for pair in apart}
        ground = found.models[0].columns
        points = [[int(c.cells([row[c.name]])[0]) for c in ground] for row in rows]
        for region in found.regions:
            inside = [pair for point, pair in zip(points, labels) if holds(region.box, point)]
            assert set(inside) <= {(region.old, region.new)}
            assert region.rows == len(inside)
        covered = sum(any(holds(region.box, point) for region in found.regions) for point in points)
        assert covered == len(apart)
        found.check()


@pytest.mark.parametrize("seed", seeds(5, 100))
def test_many_regions_are_cut_to_the_largest(seed, monkeypatch):
    monkeypatch.setattr("idnf.auditing.differences._ALL", 2)
    old, new = two_models(seed)
    rows = naive.rows(naive.probes([*old.columns, *new.columns]))
    for table in (None, pd.DataFrame(rows)):
        found = difference_of(old, new, table, most=1)
        assert found.equal == difference_of(old, new).equal
        assert found.complete == (found.pairs <= 2)
        found.check()


def test_words():
    old = TableModel((NumberColumn("age", "refused", cuts=(30.0,)),), ("no", "yes"), (((1,),), ((2,),)), 1)
    new = TableModel((NumberColumn("age", "refused", cuts=(45.0,)),), ("no", "yes"), (((1,),), ((2,),)), 1)
    found = difference_of(old, new, pd.DataFrame({"age": [20, 40, 40, 60]}))
    assert str(found) == (
        "The models disagree in 1 region.\nThey disagree on 2 of 4 rows.\n  yes becomes no: 2\n"
        "- yes becomes no if 30 < age <= 45 (2 rows)"
    )
    assert found.to_dict()["regions"] == [{"old": "yes", "new": "no", "conditions": ["30 < age <= 45"], "rows": 2}]
    assert str(difference_of(old, old)) == "The models are equal: proved over all values."


def test_missing_values_that_one_model_refuses_are_left_out():
    old = TableModel((NumberColumn("age", "refused", cuts=(30.0,)),), (0, 1), (((1,),), ((2,),)), 1)
    new = TableModel((NumberColumn("age", "seen", cuts=(30.0,)),), (0, 1), (((0b101,),), ((2,),)), 1)
    found = difference_of(old, new)
    assert found.equal
    assert found.remarks == ("missing values of age are left out: not every model takes them",)


def test_columns_of_different_kinds_are_refused():
    old = TableModel((NumberColumn("age", "refused", cuts=(30.0,)),), (0, 1), (((1,),), ((2,),)), 1)
    new = TableModel((CategoryColumn("age", "refused", values=("old",)),), (0, 1), (((1,),), ((2,),)), 1)
    with pytest.raises(ValueError, match="column 'age' must be of one kind in both; got CategoryColumn and NumberCol"):
        difference_of(old, new)


def test_a_wrong_answer_is_found_out():
    from dataclasses import replace

    old = TableModel((NumberColumn("age", "refused", cuts=(30.0,)),), (0, 1), (((1,),), ((2,),)), 1)
    new = TableModel((NumberColumn("age", "refused", cuts=(40.0,)),), (0, 1), (((1,),), ((2,),)), 1)
    found = difference_of(old, new)
    with pytest.raises(CheckError, match="the models must agree everywhere"):
        replace(found, equal=True, regions=()).check()
    with pytest.raises(CheckError, match="must agree outside the regions"):
        replace(found, regions=()).check()
    with pytest.raises(CheckError, match="must lie inside its classes"):
        replace(found, regions=(replace(found.regions[0], box=(0b111,)),)).check()
