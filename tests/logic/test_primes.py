"""Implicants agree with the truth table."""

from __future__ import annotations

from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive, strategies

from idnf.logic import primes
from idnf.logic.constructions import sharp
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.literals import is_consistent
from idnf.logic.primes import (
    both_sides,
    certificate_complexity,
    first_overlap,
    is_implicant,
    least_covering_size,
    prime_implicants,
    restrict,
    uncovered,
)


def values_of(masks, n):
    return naive.table([naive.codes(mask) for mask in masks], n)


@given(strategies.dnfs(), st.data())
def test_restrict_is_the_function_where_the_literals_hold(f, data):
    n = len(f.names)
    given_literals = data.draw(strategies.terms(n))
    rest = values_of(restrict(f.masks, given_literals), n)
    for p, value in enumerate(naive.values(f)):
        if naive.term_holds(naive.codes(given_literals), p):
            assert rest[p] == value


@given(strategies.dnfs(max_terms=10))
def test_uncovered_gives_literals_that_falsify_every_term(f):
    values = naive.values(f)
    escape = uncovered(f.masks)
    assert (escape is None) == all(values)
    if escape is not None:
        assert is_consistent(escape)
        assert not any(value for p, value in enumerate(values) if naive.term_holds(naive.codes(escape), p))


@given(strategies.dnfs(max_terms=10), st.sampled_from([0, 2_000_000]))
def test_uncovered_by_case_splits_alone_is_no_different(f, held):
    values = naive.values(f)
    with patch.multiple(primes, _TABLE_FEATURES=0, _MOST_HELD=held):
        escape = uncovered(f.masks)
    assert (escape is None) == all(values)
    if escape is not None:
        assert not any(value for p, value in enumerate(values) if naive.term_holds(naive.codes(escape), p))


@pytest.mark.parametrize("seed", range(20))
def test_uncovered_splits_on_many_features(seed):
    rng = Random(seed)
    masks = [sum(1 << 2 * j + rng.randint(0, 1) for j in rng.sample(range(13), 2)) for _ in range(rng.randint(10, 60))]
    escape = uncovered(masks)
    values = values_of(masks, 13)
    assert (escape is None) == all(values)
    assert escape is None or not any(v for p, v in enumerate(values) if naive.term_holds(naive.codes(escape), p))


def test_uncovered_looks_at_equal_cases_once_and_needs_no_deep_stack():
    double = sharp(5).double()
    terms = double.positive.masks + double.negative.masks
    assert uncovered(terms, budget=Budget(8 * len(terms))) is None
    with pytest.raises(TooManySteps, match="within 100 steps"):
        uncovered(terms, budget=Budget(100))
    # x_0 or not x_0 and x_1 or ... or no x at all, with as many features as there are frames on the stack.
    n = 1100
    staircase = [1 << 2 * j | sum(1 << 2 * i + 1 for i in range(j)) for j in range(n)]
    assert uncovered([*staircase, sum(1 << 2 * j + 1 for j in range(n))]) is None
    escape = uncovered(staircase)
    assert escape is not None
    assert not any(term & escape == term for term in staircase)


@given(strategies.dnfs(max_features=5), strategies.dnfs(max_features=5))
def test_terms_overlap_where_a_point_satisfies_both(f, g):
    pair = first_overlap(f.masks, g.masks)
    common = [
        (a, b)
        for a in f.masks
        for b in g.masks
        if any(naive.term_holds(naive.codes(a), p) and naive.term_holds(naive.codes(b), p) for p in range(2**5))
    ]
    assert pair in common if common else pair is None


@given(strategies.dnfs(), st.data())
def test_is_implicant(f, data):
    n = len(f.names)
    term = data.draw(strategies.terms(n))
    assert is_implicant(f.masks, term) == naive.is_implicant(naive.codes(term), naive.values(f))


@given(strategies.dnfs(max_terms=8))
def test_prime_implicants(f):
    n = len(f.names)
    found = prime_implicants(f.masks)
    expected = naive.prime_implicants(naive.values(f), n)
    assert sorted(map(naive.codes, found)) == sorted(map(list, expected))
    assert found == sorted(found, key=lambda mask: (mask.bit_count(), mask))
    assert both_sides(f.masks)[0] == found


@given(strategies.dnfs(max_features=5))
def test_certificate_complexity(f):
    n = len(f.names)
    assert certificate_complexity(f.masks) == naive.certificate_complexity(naive.values(f), n)


@pytest.mark.parametrize("seed", range(6))
def test_least_covering_size_beyond_one_small_table(seed):
    rng = Random(seed)
    masks = [sum(1 << 2 * j + rng.randint(0, 1) for j in rng.sample(range(11), 3)) for _ in range(8)]
    ones, zeros = both_sides(masks)
    k = least_covering_size(ones + zeros)
    needed = max(min(m.bit_count() for m in ones + zeros if naive.term_holds(naive.codes(m), p)) for p in range(2**11))
    assert k == needed


def test_least_covering_size_wants_a_tautology():
    for masks in ([], [0b01], [1 << 2 * j for j in range(10)]):
        with pytest.raises(ValueError, match="masks must cover every point"):
            least_covering_size(masks)
