"""What there is to choose from, by name, the default first; it imports nothing, so that help need not wait for it."""

from typing import Literal, get_args

Family = Literal["any", "column-tree", "tree", "nested", "checklist"]
FAMILIES: tuple[Family, ...] = get_args(Family)
"""Families of models, from the widest to the narrowest; then nested k-DNFs and checklists, which have two classes."""

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

PROVED: dict[str, str] = {
    "any": "every function with reasons of at most k columns, over the rows that can exist",
    "any-literals": "every function with reasons of at most k literals, over all Boolean points, impossible ones too",
    "pair-tree": "trees of depth k-2 above functions with reasons of at most 2 literals; literals are counted",
    "tree": "decision trees of depth k; literals are counted",
    "nested": "nested k-DNFs; literals are counted",
}
"""What a bound or an optimum may be proved of, from wide to narrow: ``optimal_`` and ``bound_family_``.

If no two features are of one column, "any" and "any-literals" are the same and are called "any", and trees of depth k
are those whose paths ask of k columns, called "tree".
"""
