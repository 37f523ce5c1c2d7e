from hypothesis import assume, given
from hypothesis import strategies as st
from tests import naive
from tests.strategies import dnfs, terms

from idnf.learning.local.berge import BergeState, slack_terms
from idnf.learning.local.heat_bath import RandomStream


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
    state = BergeState.of(masks).adding(term)
    assert state.is_interpretable(k) == is_interpretable([*masks, term], n, k)


@given(dnfs(max_features=5, consistent=True), st.data())
def test_implicants_are_all_primes_of_the_other_class_after_adding_and_removing(f, data):
    n = len(f.names)
    state = BergeState.of(f.masks).adding(data.draw(terms(n)))
    places = data.draw(st.sets(st.integers(0, len(state.terms) - 1)))
    for each in (state, state.without(places), BergeState.bounded(state.terms, 1000)):
        values = naive.table([naive.codes(mask) for mask in each.terms], n)
        primes = naive.prime_implicants([1 - value for value in values], n)
        assert sorted(each.implicants) == sorted(sum(1 << code for code in prime) for prime in primes)


@given(dnfs(max_features=5, consistent=True, size=3), st.integers(1, 3), st.data())
def test_a_term_that_keeps_slack_is_legal(f, k, data):
    masks = [mask for mask in f.masks if mask.bit_count() <= k]
    state = BergeState.of(masks)
    assume(state.is_interpretable(k))
    term = data.draw(terms(len(f.names), size=k))
    if keeps_slack(state.tight(k), term):
        assert state.adding(term).is_interpretable(k)


@given(dnfs(max_features=5, consistent=True, size=3), st.integers(1, 3), st.integers(0, 31))
def test_slack_terms_hold_for_the_example_and_keep_slack(f, k, point):
    n = len(f.names)
    tight = BergeState.of(f.masks).tight(k)
    literals = sum(1 << (2 * j + 1 - (point >> j & 1)) for j in range(n))
    found = slack_terms(tight, literals, k, most=50, stream=RandomStream(0))
    for term in found:
        assert term & literals == term
        assert term.bit_count() <= k
        assert keeps_slack(tight, term)
    exists = any(keeps_slack(tight, sum(1 << c for c in codes)) for codes in naive.subsets(naive.codes(literals), k))
    assert bool(found) == exists


def test_a_bound_on_implicants_gives_up():
    disjoint_pairs = [0b101 << 4 * i for i in range(6)]
    assert BergeState.bounded(disjoint_pairs, 63) is None
    assert len(BergeState.bounded(disjoint_pairs, 64).implicants) == 64
