"""Models that are made to obey rules: patched, searched for, or proved impossible."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from tests import naive

from idnf import DNFClassifier, check_rules

NAMES = ("a", "b", "c", "d")
POINTS = pd.DataFrame(list(product([False, True], repeat=4)), columns=list(NAMES))


def from_bits(seed, k=2):
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(NAMES)
    form = f"{chosen[0]} & {chosen[1]} | ~{chosen[2]} & {chosen[3]}"
    return DNFClassifier.from_dnf(form, columns=dict.fromkeys(NAMES, bool), classes=("no", "yes"), k=k)


@pytest.mark.parametrize("rule", ["if a then yes", "if a and not b then no", "no row with c and d is yes"])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("k", [2, 4])
def test_what_is_found_obeys_and_a_patch_is_nearest(seed, rule, k):
    policy = from_bits(seed, k)
    y = policy.predict(POINTS)
    found = policy.rectified(rule, POINTS, y)
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


def test_other_rules_are_obeyed_by_search():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"income": rng.integers(0, 100, 200), "late": rng.random(200) < 0.4, "sex": rng.random(200) < 0.5})
    y = np.where((X["income"] > 40) & ~X["late"] | X["sex"] & (X["income"] > 20), "yes", "no")
    clf = DNFClassifier(k=3, effort=0.2).fit(X, y)
    both = ["sex alone never decides", "if late then no"]
    for rule in (both[0], "yes never falls as income rises", both):
        found = clf.rectified(rule, X, y)
        assert found.classifier is not None
        kept = {column.name for column in found.classifier.fitted_.columns}
        texts = [rule] if isinstance(rule, str) else rule
        held = [text for text in texts if not text.startswith("sex") or "sex" in kept]
        assert all(answer.holds for answer in check_rules(found.classifier, held)) if held else True
        assert "was found" in str(found)


def test_rules_that_hold_change_nothing():
    policy = DNFClassifier.from_dnf("a & b | c", classes=("no", "yes"))
    X = POINTS[["a", "b", "c"]]
    found = policy.rectified("if c then yes", X, policy.predict(X))
    assert found.classifier is policy
    assert (found.changed, found.nearest) == (0, True)


def test_what_no_short_reason_can_do_is_proved():
    # Parity of three columns wants reasons of three.
    rules = []
    for a, b, c in product([0, 1], repeat=3):
        terms = " and ".join(f"{name} is {str(bool(value)).lower()}" for name, value in zip("abc", (a, b, c)))
        rules.append(f"if {terms} then {'yes' if (a + b + c) % 2 else 'no'}")
    policy = from_bits(1, 2)
    found = policy.rectified(rules, POINTS, policy.predict(POINTS))
    assert found.classifier is None
    assert found.impossible is not None
    assert str(found).startswith("Proved: no model with reasons this short obeys the rules; see a = ")
    assert naive.certificate_complexity([(p & 1) ^ (p >> 1 & 1) ^ (p >> 2 & 1) for p in range(8)], 3) == 3
    three = from_bits(1, 3).rectified(rules, POINTS, policy.predict(POINTS))
    assert three.classifier is not None


def test_three_classes_are_refused():
    X = pd.DataFrame({"a": [0, 1, 2, 3, 4, 5]})
    clf = DNFClassifier(k=1, family="tree", learner="greedy").fit(X, [0, 0, 1, 1, 2, 2])
    with pytest.raises(ValueError, match="rectified is for two classes; this model has 3"):
        clf.rectified("if a > 3 then 2", X, [0, 0, 1, 1, 2, 2])
