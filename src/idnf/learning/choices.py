"""What there is to choose from, by name, the default first; it imports nothing, so that help need not wait for it."""

from typing import Literal, get_args

FamilyName = Literal["any", "column-tree", "tree", "nested", "checklist"]
FAMILIES: tuple[FamilyName, ...] = get_args(FamilyName)
"""The names of the families in :mod:`idnf.learning.families`."""

LearnerName = Literal["search", "exact", "greedy"]
LEARNERS: tuple[LearnerName, ...] = get_args(LearnerName)

Conditions = Literal["cuts", "intervals", "sets", "all", "auto"]
CONDITIONS: tuple[Conditions, ...] = get_args(Conditions)
"""What columns offer beside comparisons with one cut and single categories; cross-validation may decide."""

Polarity = Literal["auto", "positive", "negative"]
POLARITIES: tuple[Polarity, ...] = get_args(Polarity)

Device = Literal["cpu", "cuda"]
DEVICES: tuple[Device, ...] = get_args(Device)

Metric = Literal["demographic_parity", "equal_opportunity"]
METRICS: tuple[Metric, ...] = get_args(Metric)
"""What the rates of groups are compared on: all rows, or those whose true class is class 1."""
