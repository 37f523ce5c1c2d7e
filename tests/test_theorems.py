"""The statements of docs/theorems.md, each with what would be wrong with a weaker one.

What a statement is checked against comes from tests/naive.py, from enumeration here, or from the statement itself.
"""

from __future__ import annotations

import csv
from functools import cache
from itertools import combinations, product
from math import comb, exp
from pathlib import Path
from random import Random

import numpy as np
import pytest
from tests import naive
from tests.strategies import seeds

import idnf
from idnf import DNF, DNFClassifier
from idnf.choosing import occam_bound
from idnf.explaining.explainer import next_column
from idnf.logic.boxes import Space
from idnf.logic.example_functions import majority, parity, sharp
from idnf.logic.function_counts import log_interpretable_functions
from idnf.logic.sides import ClassBoxes

EXACTLY = (2, 2, 10, 80, 288)
CENSUS = Path(__file__).parents[1] / "experiments" / "census"


def literal_tables(n):
    features = [sum(1 << p for p in range(2**n) if p >> j & 1) for j in range(n)]
    return [table for x in features for table in (x, (1 << 2**n) - 1 & ~x)]


@cache
def forms(n):
    """The functions of the paper's Example 2 over n features, as truth tables."""
    found = set()
    for a, b, c, d in product(literal_tables(n), repeat=4):
        found |= {a & b | c & d, a & b | b & c | c & d, a & b | b & c | c & d | d & a}
    return found


def values_of(table, n):
    return [table >> p & 1 for p in range(2**n)]


@cache
def complexities():
    """The certificate complexity of all functions of three features, by enumeration."""
    return {table: naive.certificate_complexity(values_of(table, 3), 3) for table in range(256)}


def features_of(table, n):
    return [j for j in range(n) if any(table >> p & 1 != table >> (p ^ 1 << j) & 1 for p in range(2**n))]


# How many functions there are at k = 2.


@pytest.mark.parametrize("n", range(7))
def test_count_at_k_2(n):
    assert len(forms(n) if n else {0, 1}) == sum(c * comb(n, j) for j, c in enumerate(EXACTLY))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_forms_of_example_2_are_all_functions_by_enumeration(n):
    tables = range(1 << 2**n)
    assert {f for f in tables if naive.certificate_complexity(values_of(f, n), n) <= 2} == forms(n)


def test_count_at_k_2_over_all_functions_of_five_features():
    """The census looks at all 2**32 functions; so none depends on five features."""
    with (CENSUS / "five-complexity.csv").open() as file:
        lines = list(csv.reader(file))[1:]
    assert sum(int(line[1].replace(",", "")) for line in lines if int(line[0]) <= 2) == 2352


def test_functions_of_exactly_so_many_features_as_the_proof_lists_them():
    numbers = [sum(len(features_of(f, 4)) == j for f in forms(4)) for j in range(5)]
    assert numbers == [c * comb(4, j) for j, c in enumerate(EXACTLY)]
    of_four = [f for f in forms(4) if len(features_of(f, 4)) == 4]
    sizes = [len(naive.prime_implicants(values_of(f, 4), 4)) for f in of_four]
    assert [sizes.count(size) for size in (2, 3, 4)] == [48, 192, 48]


@pytest.mark.parametrize(("k", "n"), [(1, 3), (2, 3), (3, 3)])
def test_the_logarithm_is_of_at_least_all_functions(k, n):
    counted = sum(c <= k for c in complexities().values())
    found = exp(log_interpretable_functions(k, n))
    assert found >= counted - 1e-6
    assert k == 3 or round(found) == counted


# How many features a function can depend on.


def split_above(k):
    """A function of 5 * 2**(k - 2) - 1 features: a split above two copies of the one before, over other features."""
    if k == 2:
        return "x1 & x2 | x3 & x4", "~x1 & ~x3 | ~x1 & ~x4 | ~x2 & ~x3 | ~x2 & ~x4", 4
    one, zero, n = split_above(k - 1)
    copies = [moved(side, n) for side in (one, zero)]
    top = f"x{2 * n + 1}"
    sides = [
        " | ".join([with_literal(f, top), with_literal(g, "~" + top)]) for f, g in ((one, copies[0]), (zero, copies[1]))
    ]
    return *sides, 2 * n + 1


def moved(text, by):
    words = [word if word in "&|" else shifted(word, by) for word in text.split()]
    return " ".join(words)


def shifted(word, by):
    head, number = word.split("x")
    return f"{head}x{int(number) + by}"


def with_literal(text, literal):
    return " | ".join(f"{literal} & {term}" for term in text.split(" | "))


@pytest.mark.parametrize("k", [2, 3, 4])
def test_a_function_of_many_features(k):
    one, zero, n = split_above(k)
    f, g = DNF.parse(one), DNF.parse(zero)
    assert len(f.names) == n == 5 * 2 ** (k - 2) - 1
    assert max(map(len, (term.split(" & ") for term in f"{one} | {zero}".split(" | ")))) == k
    assert idnf.DoubleDNF(f.over(f.names), g.over(f.names), k).verify()
    restricted = [features_that_matter(one, name, f.names) for name in f.names]
    assert all(restricted)


def features_that_matter(text, name, names):
    """Whether a feature occurs in a prime implicant that no other term absorbs: try points at random."""
    rng = Random(name)
    terms = [[(word.lstrip("~"), word[0] != "~") for word in term.split(" & ")] for term in text.split(" | ")]
    for _ in range(20_000):
        point = {other: rng.random() < 0.5 for other in names}
        held = [any(all({**point, name: v}[f] == want for f, want in term) for term in terms) for v in (False, True)]
        if held[0] != held[1]:
            return True
    return False


def influences(table, n):
    return [sum(table >> p & 1 != table >> (p ^ 1 << j) & 1 for p in range(2**n)) / 2**n for j in range(n)]


def test_influences_are_not_small_and_add_up_to_no_more_than_the_complexity():
    for table, k in complexities().items():
        felt = [i for i in influences(table, 3) if i]
        assert all(i >= 4 ** (1 - k) for i in felt)
        assert sum(felt) <= k


def test_the_bounds_on_influences_are_reached():
    """Both steps of the proof: no larger least influence at k = 2, no smaller sum for parity."""
    assert min(i for f in forms(4) for i in influences(f, 4) if i) == 1 / 4
    even = sum(1 << p for p in range(8) if p.bit_count() % 2 == 0)
    assert sum(influences(even, 3)) == complexities()[even] == 3


def test_at_k_2_the_most_features_are_four():
    assert max(len(features_of(f, 5)) for f in forms(5)) == 4


# k * k questions decide any case.


def questions_needed(sides, known, budget):
    """The most questions that following next_column takes, over all answers; each call's own figure holds."""
    question = next_column(sides, tuple(known), budget=budget)
    if question is None:
        return 0
    j = [column.name for column in sides.frame.inner.columns].index(question.column)
    most = 0
    for cell in (1, 2):
        most = max(most, 1 + questions_needed(sides, [*known[:j], cell, *known[j + 1 :]], budget))
    assert most <= question.worst_case
    return most


@pytest.mark.parametrize("seed", seeds(20, 400))
@pytest.mark.parametrize("budget", [1, 10**6])
def test_k_squared_questions_decide_any_case(seed, budget):
    rng = Random(seed)
    names = "abcdef"
    terms = [" & ".join(rng.choice(("", "~")) + x for x in rng.sample(names, rng.randrange(1, 4))) for _ in range(3)]
    double = DNF.parse(" | ".join(terms)).double()
    k = double.k
    sides = ClassBoxes.of(double, Space.boolean(double.names))
    assert questions_needed(sides, list(sides.frame.inner.full), budget) <= k**2


@pytest.mark.parametrize(("k", "budget"), [(2, 1), (2, 10**6), (3, 1)])
def test_fewer_questions_than_k_squared_are_not_enough(k, budget):
    """Of k disjoint terms of k literals every feature may have to be asked for."""
    double = sharp(k).double()
    sides = ClassBoxes.of(double, Space.boolean(double.names))
    assert questions_needed(sides, list(sides.frame.inner.full), budget) == k**2


# Recognition.


def is_interpretable_by_points(terms, n, k):
    """Whether each point that no term holds at has at most k features that conflict with every term, by trying."""
    for point in product((0, 1), repeat=n):
        missed = [{c // 2 for c in term if point[c // 2] == c % 2} for term in terms]
        if not all(missed):
            continue
        if not any(all(set(s) & one for one in missed) for s in naive.subsets(range(n), k)):
            return False
    return True


def with_fresh_terms(terms, n, k, count):
    fresh = [[2 * (n + k * i + j) for j in range(k)] for i in range(count)]
    return [*terms, *fresh], n + k * count


TAUTOLOGIES = [
    [[0], [1]],
    [[0, 2], [0, 3], [1]],
    [[0, 2, 4], [0, 2, 5], [0, 3], [1]],
]
OTHERS = [
    [],
    [[0, 2], [0, 3]],
    [[0, 2, 4], [0, 3], [1]],
    [[0, 2, 4], [1, 3, 5], [0, 3], [2, 5]],
]


@pytest.mark.parametrize("terms", TAUTOLOGIES + OTHERS)
def test_the_reduction_from_tautology(terms):
    k, n = 3, 3
    tautology = all(any(naive.term_holds(term, p) for term in terms) for p in range(2**n))
    assert tautology == (terms in TAUTOLOGIES)
    longer, size = with_fresh_terms(terms, n, k, k + 1)
    dnf = DNF.from_codes([f"x{j}" for j in range(size)], longer)
    assert is_interpretable_by_points(longer, size, k) == dnf.is_interpretable(k) == tautology


def test_the_reduction_needs_k_plus_one_fresh_terms():
    """With k of them a formula that is no tautology would pass: the empty one."""
    longer, size = with_fresh_terms([], 1, 3, 3)
    assert is_interpretable_by_points(longer, size, 3)


@pytest.mark.parametrize("seed", seeds(30, 500))
def test_recognition_at_k_2_by_implications(seed):
    """A 2-DNF equals one of the forms iff its terms conflict with the form's complement and both make a tautology."""
    rng, n = Random(seed), 4
    terms = [[rng.randrange(2 * n) for _ in range(2)] for _ in range(rng.randrange(1, 6))]
    terms = [term for term in terms if term[0] != term[1] ^ 1]
    found = any(equal_by_implications(terms, zero, n) for _, zero in double_forms(n))
    assert found == (naive.certificate_complexity(naive.table(terms, n), n) <= 2)


@cache
def double_forms(n):
    """The forms with their complements, each as terms of two literals."""
    tables = {f: [list(t) for t in naive.prime_implicants(values_of(f, n), n)] for f in forms(n)}
    full = (1 << 2**n) - 1
    return [(tables[f], tables[full & ~f]) for f in tables]


def equal_by_implications(terms, zero, n):
    if not all(any(c ^ 1 in other for c in term) for term in terms for other in zero):
        return False
    return is_tautology_by_implications([*terms, *zero], n)


def is_tautology_by_implications(terms, n):
    """2-satisfiability of the negation: each term a & b says that a implies not b; fails iff a literal implies its own
    negation and the other way round.
    """
    if [] in terms:
        return True
    after = {code: {code} for code in range(2 * n)}
    for _ in range(2 * n):
        for term in terms:
            a, b = term[0], term[-1]
            for code in after:
                after[code] |= ({b ^ 1} if a in after[code] else set()) | ({a ^ 1} if b in after[code] else set())
    return any(code ^ 1 in after[code] and code in after[code ^ 1] for code in after)


# Closure.


def test_and_and_or_add_complexities():
    known = complexities()
    for f, g in combinations(range(256), 2):
        assert known[f & g] <= known[f] + known[g]
        assert known[f | g] <= known[f] + known[g]


def test_sums_are_reached():
    a, b = literal_tables(3)[0], literal_tables(3)[2]
    assert complexities()[a & b] == complexities()[a] + complexities()[b] == 2


@pytest.mark.parametrize("seed", seeds(10, 100))
def test_composition_multiplies_complexities(seed):
    rng = Random(seed)
    outer, inner = rng.randrange(16), [rng.randrange(16) for _ in range(2)]
    values = [outer >> (inner[0] >> (p & 3) & 1 | (inner[1] >> (p >> 2) & 1) << 1) & 1 for p in range(16)]
    widest = max(naive.certificate_complexity(values_of(f, 2), 2) for f in inner)
    assert naive.certificate_complexity(values, 4) <= naive.certificate_complexity(values_of(outer, 2), 2) * widest


def test_products_are_reached():
    assert parity(4).certificate_complexity() == parity(2).certificate_complexity() ** 2 == 4


def test_reasons_of_a_model_and_a_policy():
    f, g = majority(2), DNF.parse("y1 & y2")
    text = " | ".join(f"{s} & {t}" for s in str(f).split(" | ") for t in str(g).split(" | "))
    assert DNF.parse(text).certificate_complexity() <= f.certificate_complexity() + g.certificate_complexity()


# The Occam bound.


def test_occam_bound_by_hand():
    """No error on m rows: log(1 / (1 - p)) = log(functions / 0.05) / m."""
    rng = np.random.default_rng(0)
    X = rng.random((1000, 4)) < 0.5
    y = X[:, 0] & X[:, 1]
    clf = DNFClassifier(k=2, learner="exact").fit(X, y)
    assert occam_bound(clf, X, y) == pytest.approx(1 - (678 / 0.05) ** (-1 / 1000), abs=1e-9)


def test_occam_bound_is_broken_by_no_more_than_its_share_of_samples():
    """All 16 points alike, labels a coin: the true error of everything is one half."""
    rng, broken = np.random.default_rng(1), 0
    for _ in range(60):
        X, y = rng.random((80, 4)) < 0.5, rng.random(80) < 0.5
        clf = DNFClassifier(k=2, learner="exact").fit(X, y)
        broken += occam_bound(clf, X, y, confidence=0.9) < 0.5
    assert broken <= 6


def test_occam_bound_is_refused_if_cuts_were_chosen_from_the_rows():
    X = np.arange(40.0).reshape(-1, 1)
    clf = DNFClassifier(k=1, learner="greedy").fit(X, X[:, 0] > 20)
    with pytest.raises(ValueError, match=r"'x0' has cuts or categories chosen from the rows: the bound does not hold"):
        occam_bound(clf, X, X[:, 0] > 20)


@pytest.mark.parametrize("confidence", [0, 1, 2])
def test_occam_bound_needs_a_confidence(confidence):
    clf = DNFClassifier.from_dnf("a")
    with pytest.raises(ValueError, match="confidence must be above 0 and below 1"):
        occam_bound(clf, [[True]], [1], confidence=confidence)
