"""Models that are made to obey rules: patch_model, searched for, or proved impossible."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest
from tests import naive
from tests.strategies import seeds

from idnf import DNFClassifier, check_rules
from idnf.auditing.patching import OutOfReach
from idnf.choosing import rectify
from idnf.proving.independent_check import CheckError

NAMES = ("a", "b", "c", "d")
POINTS = pd.DataFrame(list(product([False, True], repeat=4)), columns=list(NAMES))


def from_bits(seed, k=2):
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(NAMES)
    form = f"{chosen[0]} & {chosen[1]} | ~{chosen[2]} & {chosen[3]}"
    return DNFClassifier.from_dnf(form, columns=dict.fromkeys(NAMES, bool), classes=("no", "yes"), k=k)


@pytest.mark.parametrize("rule", ["if a then yes", "if a and not b then no", "no row with c and d is yes"])
@pytest.mark.parametrize("seed", seeds(3, 30))
@pytest.mark.parametrize("k", [2, 4])
def test_what_is_found_obeys_and_a_patch_is_nearest(seed, rule, k):
    policy = from_bits(seed, k)
    y = policy.predict(POINTS)
    found = rectify(policy, rule, POINTS, y)
    assert found.impossible is None
    if found.classifier is None:
        assert k == 2
        return
    assert all(answer.holds and answer.check() for answer in check_rules(found.classifier, rule))
    assert found.classifier.verify().k <= k
    assert found.changed == int((found.classifier.predict(POINTS) != y).sum())
    forced = [answer.rows for answer in check_rules(policy, rule, POINTS)][0]
    assert found.changed >= forced
    if found.nearest:
        assert found.changed == forced
    if k == 4:
        assert found.nearest


def bits(function):
    return [function >> p & 1 for p in range(8)]


THREE = POINTS[["a", "b", "c"]].drop_duplicates().reset_index(drop=True)


@cache
def functions_within(k):
    return [f for f in range(256) if naive.certificate_complexity(bits(f), 3) <= k]


@pytest.mark.parametrize("chunk", seeds(1, 40))
def test_nearest_and_impossible_are_true_of_all_models(chunk):
    # Every function of three columns with reasons of at most k, by brute force.
    place = THREE["a"] + 2 * THREE["b"] + 4 * THREE["c"]
    said = []
    for seed in range(32 * chunk, 32 * chunk + 32):
        rng = np.random.default_rng(seed)
        k = int(rng.integers(1, 3))
        own = int(rng.choice(functions_within(k)))
        rules, wanted = random_regions(rng)
        terms = [" & ".join(literal(p, j) for j in range(3)) for p in range(8) if own >> p & 1]
        policy = DNFClassifier.from_dnf(
            " | ".join(terms) or "0", columns=dict.fromkeys("abc", bool), classes=("no", "yes"), k=k
        ).set_params(effort=0.05)
        obeying = [f for f in functions_within(k) if all(f >> p & 1 == value for p, value in wanted.items())]
        found = rectify(policy, rules, THREE, policy.predict(THREE))
        found.check()
        if found.impossible is not None:
            said.append("impossible")
            assert not obeying
        if found.classifier is not None:
            given = sum(
                1 << p for p, label in zip(place, found.classifier.predict(THREE), strict=True) if label == "yes"
            )
            assert given in obeying
            least = min((f ^ own).bit_count() for f in obeying)
            assert (given ^ own).bit_count() == found.changed >= least
            if found.nearest:
                said.append("nearest")
                assert found.changed == least
    assert {"impossible", "nearest"} <= set(said)


def literal(point, j):
    return ("" if point >> j & 1 else "~") + "abc"[j]


def random_regions(rng):
    """One to six points with a class each, as rules, and the class by point."""
    wanted = {int(p): int(rng.integers(0, 2)) for p in rng.choice(8, int(rng.integers(1, 7)), replace=False)}
    rules = []
    for point, value in wanted.items():
        terms = " and ".join(f"{'abc'[j]} is {str(bool(point >> j & 1)).lower()}" for j in range(3))
        rules.append(f"if {terms} then {'yes' if value else 'no'}")
    return rules, wanted


def test_false_claims_are_found_out():
    policy = from_bits(0, 4)
    found = rectify(policy, "if a then yes", POINTS, policy.predict(POINTS))
    assert found.check() == "proved by truth table"
    # A model that differs elsewhere too, and one that does not obey.
    with pytest.raises(CheckError, match="must differ only where a rule requires it"):
        replace(found, proof=replace(found.proof, old=found.proof.old[::-1])).check()
    with pytest.raises(CheckError, match="the model must obey all rules"):
        replace(found, classifier=policy).check()
    # Parity of two columns is out of the reach of one, and within that of two.
    parity = OutOfReach((0, 0), [(1, 1), (2, 2)], [(1, 2), (2, 1)], 1)
    assert parity.check() == "proved by all 2 sets of 1 column"
    with pytest.raises(CheckError, match="every set of 2 columns must leave a point"):
        replace(parity, k=2).check()
    with pytest.raises(CheckError, match="must be one that a rule is about"):
        replace(parity, point=(0, 1)).check()


def test_labels_that_the_model_does_not_know_are_refused():
    with pytest.raises(ValueError, match=r"y must hold labels of the model \(no, yes\); got 'maybe'"):
        rectify(from_bits(0), "if a then yes", POINTS, ["maybe"] * 16)


def test_other_rules_are_obeyed_by_search():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"income": rng.integers(0, 100, 200), "late": rng.random(200) < 0.4, "sex": rng.random(200) < 0.5})
    y = np.where((X["income"] > 40) & ~X["late"] | X["sex"] & (X["income"] > 20), "yes", "no")
    clf = DNFClassifier(k=3, effort=0.2).fit(X, y)
    both = ["sex alone never decides", "if late then no"]
    # Rules may speak of a column that another rule keeps the model from looking at.
    barred = ["sex alone never decides", "if sex and late then no", "yes never falls as sex rises"]
    for rule in (both[0], "yes never falls as income rises", both, barred):
        found = rectify(clf, rule, X, y)
        assert found.classifier is not None
        kept = {column.name for column in found.classifier.fitted_.columns}
        texts = [rule] if isinstance(rule, str) else rule
        held = [text for text in texts if "sex" not in text or "sex" in kept]
        assert all(answer.holds for answer in check_rules(found.classifier, held)) if held else True
        given = found.classifier.predict(X)
        assert rule is not barred or not (given[X["sex"] & X["late"]] == "yes").any()
        assert "was found" in str(found)
        assert found.check() == "proved by truth table"


def test_rules_that_hold_change_nothing():
    policy = DNFClassifier.from_dnf("a & b | c", classes=("no", "yes"))
    X = POINTS[["a", "b", "c"]]
    found = rectify(policy, "if c then yes", X, policy.predict(X))
    assert found.classifier is policy
    assert (found.changed, found.nearest) == (0, True)


def test_what_no_short_reason_can_do_is_proved():
    # Parity of three columns wants reasons of three.
    rules = []
    for a, b, c in product([0, 1], repeat=3):
        terms = " and ".join(f"{name} is {str(bool(value)).lower()}" for name, value in zip("abc", (a, b, c)))
        rules.append(f"if {terms} then {'yes' if (a + b + c) % 2 else 'no'}")
    policy = from_bits(1, 2)
    found = rectify(policy, rules, POINTS, policy.predict(POINTS))
    assert found.classifier is None
    assert found.impossible is not None
    assert str(found).startswith("Proved: no model with reasons this short obeys the rules; see a = ")
    assert naive.certificate_complexity([(p & 1) ^ (p >> 1 & 1) ^ (p >> 2 & 1) for p in range(8)], 3) == 3
    three = rectify(from_bits(1, 3), rules, POINTS, policy.predict(POINTS))
    assert three.classifier is not None


def test_three_classes_are_refused():
    X = pd.DataFrame({"a": [0, 1, 2, 3, 4, 5]})
    clf = DNFClassifier(k=1, family="tree", learner="greedy").fit(X, [0, 0, 1, 1, 2, 2])
    with pytest.raises(ValueError, match="the model must have two classes to be rectified; it has 3"):
        rectify(clf, "if a > 3 then 2", X, [0, 0, 1, 1, 2, 2])


def test_an_interval_is_one_condition_to_a_patch():
    policy = DNFClassifier.from_dnf("~'x <= 3'", columns={"x": [1, 2, 3]}, classes=("no", "yes"), k=1)
    X = pd.DataFrame({"x": [0.5, 1.2, 1.8, 2.5, 3.5]})
    found = rectify(policy, "if x > 1 and x <= 2 then yes", X, ["no", "yes", "yes", "no", "yes"])
    assert (found.changed, found.nearest, found.classifier.k) == (2, True, 1)
    assert found.after == 1
    assert "proved" in found.check()
