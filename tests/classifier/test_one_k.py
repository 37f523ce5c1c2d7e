"""k counts columns: formulas, audited rules, rectified models and learned ones against brute force over all cells."""

from __future__ import annotations

import random
from itertools import combinations, product

import pandas as pd
import pytest
from tests.strategies import seeds

from idnf import DNFClassifier
from idnf.choosing import rectify
from idnf.governance import audit

CUTS = {"x": [0, 1], "z": [0, 1, 2]}
COLUMNS = {**CUTS, "a": bool}
POINTS = list(product([0, 1, 2], [0, 1, 2, 3], [False, True]))
TABLE = pd.DataFrame(POINTS, columns=["x", "z", "a"])


def least_k(labels):
    """The most columns that some point needs: the fewest whose values give its label whatever the others are."""

    def is_enough(point, chosen):
        alike = (p for p in POINTS if all(p[j] == point[j] for j in chosen))
        return all(labels[p] == labels[point] for p in alike)

    sizes = range(len(COLUMNS) + 1)
    return max(next(k for k in sizes if any(is_enough(p, c) for c in combinations(range(3), k))) for p in POINTS)


def random_terms(rng):
    """Terms of comparisons, as pairs of a column with the least and the most that it may be."""
    terms = []
    for _ in range(rng.randint(1, 3)):
        term = {}
        for column in rng.sample([*COLUMNS], rng.randint(1, 3)):
            ends = sorted(rng.choice(range(len(CUTS.get(column, [0])) + 1)) for _ in range(2))
            term[column] = tuple(ends)
        terms.append(term)
    return terms


def meets(point, term):
    return all(term.get(name, (0, 9))[0] <= value <= term.get(name, (0, 9))[1] for name, value in zip(COLUMNS, point))


def conditions(term, *, rules):
    """A term as literals of a formula, or as conditions of a rule."""
    for column, (low, high) in term.items():
        if column == "a":
            if low == high:
                yield f"{'' if low else 'not ' if rules else '~'}a"
            continue
        if low:
            yield f"{column} > {low - 1}" if rules else f"~'{column} <= {low - 1}'"
        if high < len(CUTS[column]):
            yield f"{column} <= {high}" if rules else f"'{column} <= {high}'"


@pytest.mark.parametrize("seed", seeds(18, 1000))
def test_all_agree_on_k(seed):
    rng = random.Random(seed)
    terms = random_terms(rng)
    labels = {point: "yes" if any(meets(point, term) for term in terms) else "no" for point in POINTS}
    if len(set(labels.values())) == 1 or any(not list(conditions(term, rules=True)) for term in terms):
        return
    expected = [labels[point] for point in POINTS]
    k = least_k(labels)
    formula = " | ".join(" & ".join(conditions(term, rules=False)) for term in terms)
    policy = DNFClassifier.from_dnf(formula, columns=COLUMNS, classes=("no", "yes"))
    assert policy.k == k == policy.verify().k
    rules = [f"if {' and '.join(conditions(term, rules=True))} then yes" for term in terms]
    audited = audit("\n".join([*rules, "otherwise no"]))
    assert audited.k == k == audited.to_classifier().k
    rectified = rectify(policy, rules[0], TABLE, expected)
    assert rectified.classifier.k == k
    for model in (policy, rectified.classifier, audited.to_classifier()):
        assert model.predict(TABLE).tolist() == expected
        assert max(len(one.axp_columns) for one in model.explain(TABLE)) == k
    if k > 1:
        with pytest.raises(ValueError, match=f"k must be at least {k}, the number of columns"):
            DNFClassifier.from_dnf(formula, columns=COLUMNS, classes=("no", "yes"), k=k - 1)
    if k == 1:
        learned = DNFClassifier(1, conditions="intervals").fit(TABLE, expected)
        assert learned.verify().k == 1
