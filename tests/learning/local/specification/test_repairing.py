from itertools import product

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from tests import naive
from tests.strategies import dnfs, terms

from idnf.counting.contract import DistinctRows
from idnf.learning.local.berge_task import BergeTask
from idnf.learning.local.masks import Cells, ExampleMasks, code_array
from idnf.learning.local.specification.heat_bath import HeatBath, RandomStream
from idnf.learning.local.specification.repairing import BergeSearch, BergeState


def state_of(masks, n):
    return BergeState.bounded(Cells.plain(n), [(mask, 1) for mask in masks], 1000)


def keeps_slack(tight, term):
    """Whether a term conflicts with every implicant that has no literal to spare."""
    return all(any(code ^ 1 in naive.codes(term) for code in naive.codes(implicant)) for implicant in tight)


def is_interpretable(masks, n, k):
    values = naive.table([naive.codes(mask) for mask in masks], n)
    return naive.is_k_dnf(values, n, k) and naive.is_k_dnf([1 - value for value in values], n, k)


@given(dnfs(max_features=5, consistent=True, size=3), st.integers(1, 3), st.data())
def test_a_step_is_legal_iff_the_truth_table_says_so(f, k, data):
    n = len(f.names)
    masks = [mask for mask in f.masks if mask.bit_count() <= k]
    term = data.draw(terms(n, size=k))
    state = state_of(masks, n).adding(term, 1, 1000)
    assert state.is_interpretable(k) == is_interpretable([*masks, term], n, k)


@given(dnfs(max_features=5, consistent=True), st.data())
def test_implicants_are_all_primes_of_the_default(f, data):
    n = len(f.names)
    state = state_of(f.masks, n).adding(data.draw(terms(n)), 2, 1000)
    values = naive.table([naive.codes(mask) for mask, _ in state.terms], n)
    primes = naive.prime_implicants([1 - value for value in values], n)
    assert sorted(state.implicants) == sorted(sum(1 << code for code in prime) for prime in primes)


@given(dnfs(max_features=5, consistent=True, size=3), st.integers(1, 3), st.data())
def test_a_term_that_keeps_slack_is_legal(f, k, data):
    masks = [mask for mask in f.masks if mask.bit_count() <= k]
    state = state_of(masks, len(f.names))
    assume(state.is_interpretable(k))
    term = data.draw(terms(len(f.names), size=k))
    if keeps_slack(state.tight(k), term):
        assert state.adding(term, 1, 1000).is_interpretable(k)


@given(dnfs(max_features=5, consistent=True, size=3), st.integers(1, 3), st.integers(0, 31), st.integers(1, 2))
def test_terms_around_an_example_hold_for_it_and_are_legal(f, k, point, label):
    """A term of another label than those there conflicts with each of these; a tight implicant is taken whole."""
    n = len(f.names)
    masks = [mask for mask in f.masks if mask.bit_count() <= k]
    state = state_of(masks, n)
    has = np.array([[point >> j & 1 for j in range(n)]], dtype=bool)
    examples = ExampleMasks(DistinctRows(has, np.eye(3)[[label]], True), np.random.default_rng(0))
    search = BergeSearch(BergeTask(examples, 0, code_array(range(2 * n)), k, 0), (), HeatBath(RandomStream(0)))
    search.is_sure = True
    found, usable = search._terms_around(state, 0, label, 0)
    literals = sum(1 << (2 * j + 1 - (point >> j & 1)) for j in range(n))
    taken = [p for p in state.tight(k) if p & ~literals == 0]
    barring = [p for p in state.tight(k) if p not in taken] + [t for t, other in state.terms if other != label]
    pool = [c for c in naive.codes(literals) if all(p >> c & 1 for p in taken)]
    assert usable.tolist() == pool
    assert bool(found) == any(keeps_slack(barring, sum(1 << c for c in codes)) for codes in naive.subsets(pool, k))
    for term in found:
        assert {*naive.codes(term)} <= {*pool}
        assert term.bit_count() <= k
        assert keeps_slack(barring, term)
        if state.is_interpretable(k):
            assert state.adding(term, label, 1000).is_interpretable(k)


def test_all_interpretable_functions_of_two_features_are_reached_whatever_the_default():
    """Legal additions alone: from the default label everywhere, one labelled term after the other."""
    n, k, labels = 2, 2, 3
    masks = [sum(1 << code for code in term) for term in naive.consistent_terms(n, k)]
    wanted = {values for values in product(range(labels), repeat=2**n) if naive.least_k(values, n) <= k}
    for default in range(labels):
        seen, waiting, reached = set(), [state_of([], n)], set()
        while waiting:
            state = waiting.pop()
            labelled = [(naive.codes(term), label) for term, label in state.terms]
            reached.add(tuple(naive.labelled_values(labelled, default, n)))
            for term, label in product(masks, set(range(labels)) - {default}):
                apart = keeps_slack([t for t, other in state.terms if other != label], term)
                larger = state.adding(term, label, 1000) if apart else None
                if larger is not None and larger.is_interpretable(k) and frozenset(larger.terms) not in seen:
                    seen.add(frozenset(larger.terms))
                    waiting.append(larger)
        assert reached == wanted


def test_a_bound_on_implicants_gives_up():
    cells, disjoint_pairs = Cells.plain(12), [(0b101 << 4 * i, 1) for i in range(6)]
    assert BergeState.bounded(cells, disjoint_pairs, 63) is None
    assert len(BergeState.bounded(cells, disjoint_pairs, 64).implicants) == 64
