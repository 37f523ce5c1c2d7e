"""The rule for conditions, by hand."""

from __future__ import annotations

from idnf.logic.boxes import Column, Space
from idnf.logic.regions import Region, contrast, own_cells, widen, widest

AGE = Column("age", ("a", "b", "c", "d", "missing"), ordered=True, missing=True)
SPACE = Space((AGE, Column("job", ("x", "y", "z"))), ())
# The other class: age in b, or job y with age in d.
OTHER = Region(SPACE.full, ((0b00010, 0b111), (0b01000, 0b010)))


def test_ordered_conditions_are_runs_around_the_own_cell():
    assert widest(AGE, 0b10101, 2) == 0b10100
    assert widest(AGE, 0b01101, 0) == 0b00001
    assert widest(AGE, 0b00111, 2) == 0b00111
    assert widest(AGE, 0b01111, 1) == 0b01111
    assert widest(AGE, 0b10000, 4) == 0b10000
    assert widest(AGE, 0b11101, 4) == 0b10001
    assert widest(Column("job", ("x", "y", "z")), 0b101, 2) == 0b101


def test_earlier_columns_are_widened_first():
    point = (3, 0)
    box = own_cells(SPACE, point, (0, 1))
    # With job x every age but b is allowed: the run c, d and missing. Then job y is not, because of age d.
    assert widen(SPACE, OTHER.allowed_cells, box, (0, 1), point) == (0b11100, 0b101)


def test_the_change_goes_to_the_nearest_cell_below_first():
    own, other = OTHER, Region(SPACE.full, ((0b10101, 0b111), (0b01000, 0b101)))
    assert contrast(SPACE, own, [other], (3, 0), [0]).box == (0b00010, 0b001)
    assert contrast(SPACE, own, [other], (3, 0), [1]).box == (0b01000, 0b010)
