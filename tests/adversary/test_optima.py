"""Model files whose claims about optima are changed field by field: no false one is confirmed, nor one without proof.

What is true is found by trying every model of a family on a tiny table, with no code of the library.
"""

from __future__ import annotations

import json
import random
from functools import cache
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from tests import naive
from tests.adversary.plain_model import PlainModel
from tests.adversary.tally import count

from idnf import DNFClassifier
from idnf.choosing import near_optimal_models
from idnf.exporting import json_text
from idnf.exporting.documents import DocumentError
from idnf.exporting.file_checks import check_file
from idnf.logic.verification import VerificationError

pytestmark = pytest.mark.filterwarnings("ignore::idnf.tables.column_check.TableWarning")

NAMES = ("any", "any-literals", "pair-tree", "column-tree", "tree", "nested", "checklist", "everything")
ROUNDING = 1e-6


def tiny_table(rng: random.Random) -> pd.DataFrame:
    """Three columns: two Booleans, and a third, a number of three values, or a category of two."""
    size = rng.randint(8, 16)
    third = rng.choice([[False, True], [1, 2, 3], ["red", "blue"]])
    values = {"a": [False, True], "b": [False, True], "c": third}
    return pd.DataFrame({name: [rng.choice(some) for _ in range(size)] for name, some in values.items()})


class Tried:
    """All models of each family on a table, by the words of a model file."""

    def __init__(self, document: dict, X: pd.DataFrame, y: np.ndarray) -> None:
        self.plain, self.k = PlainModel(document), document["k"]
        settings = document["settings"]
        # The paper's learner charges nothing, whatever the price.
        self.price = 0.0 if settings["learner"] == "greedy" else settings["price"] or 0.0
        self.points = X.to_dict("records")
        self.truths = self.truths_of(self.points)
        self.labels = document["classes"]
        self.costs = np.array([[label != other for other in self.labels] for label in y]) / len(y)

    def truths_of(self, points: list[dict]) -> np.ndarray:
        every = range(len(self.plain.space["literals"]))
        return np.array([[self.plain.literal(j, point) for j in every] for point in points], dtype=bool)

    @property
    def errors(self) -> float:
        given = [self.labels.index(self.plain.label(point)) for point in self.points]
        return float(self.costs[range(len(given)), given].sum())

    def least(self, family: str) -> tuple[float, bool] | None:
        """The least objective of a family, and whether it is exact rather than that of some models of the family.

        None if nothing is proved of the family, as the documentation says.
        """
        several, k = len(self.labels) > 2, self.k
        if family in ("column-tree", "checklist", "everything"):
            return None
        if several and (family not in ("tree", "pair-tree") or self.price):
            return None
        if family in ("any", "any-literals") and k > 2:
            return None
        if family == "tree":
            return self._tree(k), True
        if self.price:
            return self._tree(k if family != "nested" else 1), False
        if family == "nested":
            return self._nested(), k <= 2
        if family == "any":
            return self._columns(), True
        return naive.least_of_trees(self.truths, self.costs, max(k - 2, 0), self._pairs), True

    def _tree(self, depth: int) -> float:
        return naive.least_of_trees(self.truths, self.costs, depth, lambda _, costs, __: least_label(costs), self.price)

    def _pairs(self, truths: np.ndarray, costs: np.ndarray, _: int) -> float:
        """The least cost of functions of two literals that give two labels, or of trees of depth two."""
        order = min(self.k, 2)
        least = naive.least_of_trees(truths, costs, order, lambda _, costs, __: least_label(costs))
        for pair in map(list, combinations(range(len(self.labels)), 2)) if order == 2 else ():
            tables = naive.two_literal_functions(min(4, truths.shape[1]))
            least = min(least, naive.least_of_tables(tables, truths, costs[:, pair]))
        return least

    def _nested(self) -> float:
        tables = naive.nested_functions(self.truths.shape[1], min(self.k, 2))
        return min(naive.least_of_tables(side, self.truths, self.costs) for side in (tables, ~tables))

    def _columns(self) -> float:
        """The least cost of functions with reasons of k columns, over what the literals of each column distinguish."""
        described = self.plain.columns
        base = {column["name"]: self.plain.values(column)[0] for column in described}
        cells = []
        for column in described:
            points = [base | {column["name"]: value} for value in self.plain.values(column) if value is not None]
            own = [j for j, (_, name, _) in enumerate(self.plain._features) if name == column["name"]]
            seen = list(dict.fromkeys(map(tuple, self.truths_of(points)[:, own].tolist())))
            cells.append((len(seen), [seen.index(tuple(row)) for row in self.truths[:, own].tolist()]))
        sizes = tuple(size for size, _ in cells)
        numbers = {point: number for number, point in enumerate(product(*map(range, sizes)))}
        places = [numbers[point] for point in zip(*(own for _, own in cells))]
        return float(np.where(functions(sizes, self.k)[:, places], *self.costs.T[::-1]).sum(axis=1).min())


def least_label(costs: np.ndarray) -> float:
    return float(costs.sum(axis=0).min()) if len(costs) else 0.0


@cache
def functions(sizes: tuple[int, ...], k: int) -> np.ndarray:
    points = int(np.prod(sizes))
    return np.array([[table >> p & 1 for p in range(points)] for table in naive.column_functions(sizes, k)], dtype=bool)


def fitted(rng: random.Random) -> tuple[dict, pd.DataFrame, np.ndarray] | None:
    """A model file of any learner and family, and its table."""
    X, n_classes = tiny_table(rng), rng.choice([2, 2, 3])
    y = np.array([rng.randrange(n_classes) for _ in range(len(X))])
    learner = rng.choice(["exact", "exact", "search", "greedy"])
    family = rng.choice(["any", "tree"] + ["nested"] * (n_classes == 2))
    price = rng.choice([0.0, 0.05]) if learner == "search" or (learner == "exact" and n_classes == 2) else None
    settings = {"family": family, "learner": learner, "price": price}
    if len(set(y)) < n_classes:
        return None
    clf = DNFClassifier(rng.randint(1, 3), effort=0.1, **settings).fit(X, y)
    return json.loads(json_text(clf)), X, y


def changed(document: dict, rng: random.Random) -> dict:
    """A file with another family, bound, objective or k, or none of them; most with an objective that is so."""
    false = json.loads(json.dumps(document))
    said, settings = false["result"], false["settings"]
    if rng.random() < 0.2:
        false["k"] = max(1, false["k"] + rng.choice([-1, 1]))
    if rng.random() < 0.1:
        settings["price"] = rng.choice([None, 0.0, 0.05])
    if rng.random() < 0.1:
        settings["learner"] = rng.choice(["exact", "search", "greedy"])
    if rng.random() < 0.1:
        said["objective"] = rng.choice([0.0, said["objective"] / 2, said["objective"] + 0.1])
    family, near = rng.choice(NAMES), said["objective"]
    said["bound_family"] = family
    said["optimal"] = family if rng.random() < 0.6 else None
    said["bound"] = near if said["optimal"] else rng.choice([near, near / 2, near - 1 / 16, near + 1 / 16, 0.0])
    if rng.random() < 0.05:
        said[rng.choice(["optimal", "bound_family"])] = rng.choice(NAMES)
    return false


def test_no_false_optimum_or_bound_is_confirmed(rounds, tmp_path) -> None:
    path = tmp_path / "model.json"
    for seed in rounds(12, 400):
        rng = random.Random(seed)
        made = fitted(rng)
        if made is None:
            continue
        document, X, y = made
        for turn in range(12):
            claim = document if turn == 0 else changed(document, rng)
            said = claim["result"]
            path.write_text(json.dumps(claim), encoding="utf-8")
            try:
                confirmed = bool(check_file(path, X, y).proved_again)
            except (DocumentError, VerificationError):
                assert turn, (seed, "a file as it was written must not be refused")
                count("files with changed claims: refused or refuted")
                continue
            assert confirmed or turn or said["bound"] is None, (seed, said)
            if not confirmed:
                count("files with changed claims: left open")
                continue
            tried = Tried(claim, X, y)
            found = tried.least(said["bound_family"])
            assert found is not None, (seed, turn, said, "nothing is proved of that family")
            least, is_exact = found
            assert said["bound"] <= least + ROUNDING, (seed, turn, said, least)
            if said["optimal"] is not None:
                assert not is_exact or said["objective"] == pytest.approx(least, abs=ROUNDING), (seed, turn, said)
                assert tried.price or said["objective"] == pytest.approx(tried.errors, abs=ROUNDING), (seed, turn)
            count("files with claims that are so: confirmed")


def labellings(truths: np.ndarray, rows: frozenset[int], depth: int) -> set[frozenset[int]]:
    """The rows that trees of some depth give label 1, of some rows."""
    found = {frozenset(), rows}
    for j in range(truths.shape[1]) if depth else ():
        high = frozenset(row for row in rows if truths[row, j])
        below = (labellings(truths, side, depth - 1) for side in (rows - high, high))
        found |= {one | other for one, other in product(*below)}
    return found


def listed_by_hand(tried: Tried, family: str, within: float) -> set[bytes]:
    """The labels that all models of a family within a loss of the best give the rows."""
    rows = frozenset(range(len(tried.truths)))
    every = [np.isin(sorted(rows), list(ones)) for ones in labellings(tried.truths, rows, tried.k)]
    if family == "any" and tried.k == 2:
        tables = naive.two_literal_functions(tried.truths.shape[1])
        every += list(tables[:, tried.truths @ (1 << np.arange(tried.truths.shape[1]))])
    costs = {labels.tobytes(): tried.costs[range(len(rows)), labels.astype(int)].sum() for labels in every}
    return {labels for labels, cost in costs.items() if cost <= min(costs.values()) + within + ROUNDING}


def test_a_list_that_is_called_complete_is(rounds) -> None:
    """Boolean tables and others, with and without caps; the fitted model is listed if it is within the loss."""
    for seed in rounds(25, 600):
        rng = random.Random(seed)
        X, within, family = tiny_table(rng), rng.choice([0.0, 0.1, 0.2]), rng.choice(["any", "tree"])
        y = np.array([rng.randrange(2) for _ in range(len(X))])
        caps = rng.choice([{}, {}, {}, {}, {"max_terms": 1}, {"max_reasons": 3}])
        if len(set(y)) < 2 or X.nunique().min() < 2:
            continue
        clf = DNFClassifier(rng.randint(1, 2), family=family, price=0.0, effort=0.1, **caps).fit(X, y)
        near = near_optimal_models(clf, X, y, within=within, count=10_000, test_size=0, resamples=0)
        given = [one.model.predict(X) for one in near.models]
        errors = [float(np.mean(labels != y)) for labels in given]
        assert [one.loss for one in near.models] == pytest.approx([error - min(errors) for error in errors]), seed
        assert (near.settled == (np.array(given) == given[0]).all(axis=0)).all(), seed
        own = clf.predict(X)
        assert np.mean(own != y) > min(errors) + within + ROUNDING or any((own == one).all() for one in given), seed
        sizes = [one.model.size_ for one in near.models]
        assert all(size.terms <= caps.get("max_terms", 99) for size in sizes), seed
        assert all(size.reasons <= caps.get("max_reasons", 99) for size in sizes), seed
        one_literal = pd.api.types.is_numeric_dtype(X.c) and X.c.nunique() == 2
        assert near.complete == (not caps and (family == "tree" or one_literal)), seed
        count(f"lists of models as good that are {'complete' if near.complete else 'not called so'}")
        if near.complete:
            tried = Tried(json.loads(json_text(clf)), X, y)
            assert {(labels == 1).tobytes() for labels in given} == listed_by_hand(tried, family, within), seed
