"""Implicants agree with the truth table."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive, strategies

from idnf.logic.primes import (
    both_sides,
    certificate_complexity,
    is_implicant,
    least_covering_size,
    prime_implicants,
    restrict,
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


@pytest.mark.parametrize("seed", strategies.seeds(2, 30))
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
