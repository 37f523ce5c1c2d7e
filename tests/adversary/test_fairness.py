"""Bounds under a limit on the gap between groups, against every model of a family; rates and errors counted again."""

from __future__ import annotations

import json
import random

import numpy as np
import pandas as pd
import pytest
from tests import naive
from tests.adversary.plain_model import PlainModel
from tests.adversary.tally import count
from tests.adversary.test_optima import labellings

from idnf import DNFClassifier
from idnf.choosing import Fairness, fit_fairly
from idnf.exporting import json_text

ROUNDING = 1e-6
GROUPS = ("east", "north", "south")
pytestmark = pytest.mark.filterwarnings("ignore::idnf.tables.column_check.TableWarning")


class Case:
    """A tiny table with groups and weights, its fair model, and each model's errors and gap by counting."""

    def __init__(self, seed: int) -> None:
        rng = self.rng = random.Random(seed)
        rows = rng.randint(12, 30)
        self.X = pd.DataFrame({name: [rng.random() < 0.5 for _ in range(rows)] for name in "abcd"[: rng.randint(2, 4)]})
        self.X["group"] = [rng.choice(GROUPS[: rng.choice([2, 2, 3])]) for _ in range(len(self.X))]
        self.y = np.array([rng.choice(["bad", "good"]) for _ in range(len(self.X))])
        self.weights = np.array([rng.choice([1, 1, 2, 0.5]) if seed % 3 == 0 else 1.0 for _ in self.y])
        self.metric = rng.choice(["demographic_parity", "equal_opportunity"])
        self.limit = rng.choice([0.0, 0.05, 0.1, 0.3])
        self.favourable = rng.choice(["bad", "good", None])
        self.family = rng.choice(["any", "tree", "nested"])
        self.k = rng.randint(1, 2)

    @property
    def label(self) -> str:
        """The label whose rates are compared."""
        return self.favourable or "good"

    @property
    def is_asked(self) -> bool:
        """Whether there are two labels, and in each group a row that its rate is taken over."""
        rows = np.ones(len(self.y), bool) if self.metric == "demographic_parity" else self.y == self.label
        return len(set(self.y)) == 2 and set(self.X["group"][rows]) == set(self.X["group"])

    def fit(self) -> DNFClassifier:
        learner = self.rng.choice(["exact", "exact", "search"])
        clf = DNFClassifier(self.k, family=self.family, learner=learner, price=0.0, effort=0.1)
        clf.set_params(favourable=self.favourable)
        return fit_fairly(clf, self.X, self.y, Fairness("group", self.metric, self.limit), sample_weight=self.weights)

    def error(self, given: np.ndarray) -> float:
        return float(self.weights[given != self.y].sum() / self.weights.sum())

    def gap(self, given: np.ndarray) -> float:
        counted = np.ones(len(given), bool) if self.metric == "demographic_parity" else self.y == self.label
        rates = []
        for group in set(self.X["group"]):
            rows = counted & (self.X["group"] == group).to_numpy()
            rates.append(self.weights[rows & (given == self.label)].sum() / self.weights[rows].sum())
        return float(max(rates) - min(rates))


def every_labelling(truths: np.ndarray, family: str, k: int) -> list[np.ndarray]:
    """The labels, as truth of the second class, that models of a family may give the rows; some of them, if wider."""
    rows = frozenset(range(len(truths)))
    found = [np.isin(sorted(rows), list(ones)) for ones in labellings(truths, rows, k)]
    if family == "nested":
        tables = naive.nested_functions(truths.shape[1], k)
    elif family in ("any", "any-literals", "pair-tree") and k == 2:
        tables = naive.two_literal_functions(truths.shape[1])
    else:
        return found
    sides = tables[:, truths @ (1 << np.arange(truths.shape[1]))]
    return [*found, *sides, *(~sides if family == "nested" else [])]


def test_no_model_within_the_limit_is_below_a_bound(rounds) -> None:
    for seed in rounds(6, 600):
        case = Case(seed)
        if not case.is_asked:
            continue
        clf = case.fit()
        report, plain = clf.fairness_, PlainModel(json.loads(json_text(clf)))
        points = case.X.drop(columns="group").to_dict("records")
        given = np.array([plain.label(point) for point in points])
        assert report.label == case.label
        assert report.error == pytest.approx(case.error(given), abs=ROUNDING), seed
        assert report.gap == pytest.approx(case.gap(given), abs=ROUNDING), seed
        assert report.gap <= case.limit + ROUNDING, seed
        count("models under a limit on the gap: errors and gap as counted")
        every = range(len(plain.space["literals"]))
        truths = np.array([[plain.literal(j, point) for j in every] for point in points], dtype=bool)
        for family, bound in report.bounds.items():
            labels = [np.where(ones, "good", "bad") for ones in every_labelling(truths, family, case.k)]
            errors = [case.error(one) for one in labels if case.gap(one) <= case.limit + ROUNDING]
            assert errors, "constants have no gap"
            assert bound <= min(errors) + ROUNDING, (seed, family, bound, min(errors))
            count(f"bounds under a limit on the gap: not above the least of the family {family}")
