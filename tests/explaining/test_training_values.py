"""Training values that travel with a model."""

from __future__ import annotations

import numpy as np
import pytest

from idnf.explaining.training_facts import ColumnValues
from idnf.logic.boxes import Column

AGE = Column("age", ("at most 30", "31 to 45", "over 45", "missing"), ordered=True, missing=True)


def test_ranges_shares_and_targets():
    cells = np.array([0, 0, 2, 3])
    values = ColumnValues.of(AGE, cells, np.array([20.0, 30.0, 50.0, np.nan]))
    assert values.seen == ((20.0, 30.0), None, (50.0, 50.0), None)
    assert values.shares == (0.5, 0.0, 0.25, 0.25)
    assert values.target(0, upwards=False) == 30.0
    assert values.target(0, upwards=True) == 20.0
    assert values.target(1, upwards=True) is None


def test_every_quantile_has_been_seen():
    positions = np.array([1.0, 2.0, 4.0])
    values = ColumnValues.of(Column("n", ("low", "high"), ordered=True), np.array([0, 0, 1]), positions)
    assert set(values.quantiles) == {1.0, 2.0, 4.0}
    assert values.quantile(1.0) < values.quantile(2.0) < values.quantile(3.0) < values.quantile(4.0)
    assert values.quantile(-5.0) == 0.0
    assert values.quantile(9.0) == 1.0


def test_weights_count():
    column = Column("n", ("low", "high"), ordered=True)
    weighted = ColumnValues.of(column, np.array([0, 1]), np.array([1.0, 2.0]), np.array([3.0, 1.0]))
    assert weighted.shares == (0.75, 0.25)
    assert weighted.quantiles.count(1.0) == pytest.approx(76)
    unseen = ColumnValues.of(column, np.array([0, 1]), np.array([1.0, 2.0]), np.array([3.0, 0.0]))
    assert unseen.seen == ((1.0, 1.0), None)


def test_unordered_columns_have_shares_only():
    values = ColumnValues.of(Column("job", ("x", "y")), np.array([1, 1]))
    assert (values.seen, values.shares, values.quantiles) == ((None, None), (0.0, 1.0), ())
