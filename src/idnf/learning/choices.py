"""What there is to choose from, by name, the default first; it imports nothing, so that help need not wait for it."""

from typing import Literal, get_args

Family = Literal["any", "nested-tree", "pair-tree", "tree", "nested"]
FAMILIES: tuple[Family, ...] = get_args(Family)
"""Families of models, those of two or more classes from the widest to the narrowest, then nested k-DNFs."""

LearnerName = Literal["search", "exact", "greedy"]
LEARNERS: tuple[LearnerName, ...] = get_args(LearnerName)

Polarity = Literal["auto", "positive", "negative"]
POLARITIES: tuple[Polarity, ...] = get_args(Polarity)

Device = Literal["cpu", "cuda"]
DEVICES: tuple[Device, ...] = get_args(Device)

Metric = Literal["demographic_parity", "equal_opportunity"]
METRICS: tuple[Metric, ...] = get_args(Metric)
"""What the rates of groups are compared on: all rows, or those whose true class is class 1."""
