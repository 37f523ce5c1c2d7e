"""DNFs agree with their truth tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive, strategies

from idnf import DNF
from idnf.logic.literals import Term


def point(f, p):
    return {name: p >> j & 1 for j, name in enumerate(f.names)}


@given(strategies.dnfs())
def test_evaluate_and_truth_table(f):
    assert [f.evaluate(point(f, p)) for p in range(2 ** len(f.names))] == naive.values(f)
    assert f.truth_table() == naive.values(f)


@given(st.integers(0, 5).flatmap(lambda n: strategies.functions(n)))
def test_from_truth_table(values):
    names = strategies.feature_names(len(values).bit_length() - 1)
    assert naive.values(DNF.from_truth_table(names, values)) == values


@given(strategies.dnfs(), st.data())
def test_restrict_fixes_features_and_forgets_them(f, data):
    fixed = data.draw(st.dictionaries(st.sampled_from(f.names), st.integers(0, 1))) if f.names else {}
    rest = f.restrict(fixed)
    assert rest.names == tuple(name for name in f.names if name not in fixed)
    for p in range(2 ** len(rest.names)):
        assert rest.evaluate(point(rest, p)) == f.evaluate(point(rest, p) | fixed)


@given(strategies.dnfs())
def test_size_length_width_and_literals_count_what_is_written(f):
    terms = [naive.codes(mask) for mask in f.masks]
    assert (f.size, f.length) == (len(terms), sum(map(len, terms)))
    assert f.width == max(map(len, terms), default=0)
    assert f.literals() == tuple(sorted(set().union(*terms)))
    assert sorted(f.graph()) == sorted((code, Term.of(term)) for term in terms for code in term)


@given(strategies.dnfs())
def test_simplified_is_the_same_function_without_idle_terms(f):
    simple = f.simplified()
    assert naive.values(simple) == naive.values(f)
    sets = [set(naive.codes(mask)) for mask in simple.masks]
    assert all(term.is_consistent for term in simple.terms)
    assert not any(s < t for s in sets for t in sets)


@given(strategies.dnfs())
def test_complement(f):
    assert naive.values(f.complement()) == [1 - value for value in naive.values(f)]
    assert f.complement().names == f.names


@given(strategies.dnfs(max_features=4), strategies.dnfs(max_features=4))
def test_is_equivalent(f, g):
    wide = max(f.names, g.names, key=len)
    assert f.is_equivalent(g) == (naive.values(f.over(wide)) == naive.values(g.over(wide)))
    assert f.is_equivalent(f.prime_implicants())


@given(strategies.dnfs(max_features=5))
def test_the_same_terms_over_other_names(f):
    there = tuple(reversed((*f.names, "z")))
    moved = f.over(there)
    assert moved.names == there
    assert all(moved.evaluate(point(f, p) | {"z": 1}) == f.evaluate(point(f, p)) for p in range(2 ** len(f.names)))
    assert moved.over(f.names) == f


@given(strategies.dnfs(max_features=5), st.integers(0, 5))
def test_is_interpretable_for_every_k_from_the_certificate_complexity_on(f, k):
    least = naive.certificate_complexity(naive.values(f), len(f.names))
    assert f.certificate_complexity() == least
    assert f.is_interpretable(k) == (k >= least)


@given(strategies.dnfs(max_features=5))
def test_double_is_the_standard_double_dnf_expression(f):
    n, values = len(f.names), naive.values(f)
    double = f.double()
    assert double.k == naive.certificate_complexity(values, n)
    for side, table in ((double.positive, values), (double.negative, [1 - value for value in values])):
        short = [set(term) for term in naive.prime_implicants(table, n) if len(term) <= double.k]
        assert sorted(map(sorted, short)) == sorted(map(naive.codes, side.masks))
    double.verify()


@given(strategies.dnfs(max_features=4, max_terms=4, size=3))
def test_maximum_induced_matching_names_literals_and_terms(f):
    edges = f.maximum_induced_matching()
    assert len(edges) == naive.largest_induced_matching([naive.codes(mask) for mask in f.masks])
    assert set(edges) <= set(f.graph())


def test_constants():
    zero, one = DNF.parse("0"), DNF.parse("1")
    assert (zero.size, one.size, zero.width, one.width) == (0, 1, 0, 0)
    assert (zero.truth_table(), one.truth_table()) == ([0], [1])
    assert (zero.complement(), one.complement()) == (one, zero)
    assert zero.certificate_complexity() == one.certificate_complexity() == 0
    assert not zero.evaluate({})
    assert one.evaluate({})


def test_a_contradiction_is_the_constant_0():
    f = DNF.parse("a & ~a")
    assert f.is_equivalent(DNF.parse("0"))
    assert f.complement().masks == (0,)
    assert f.double().positive.size == 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: DNF(("a", "a"), ()), r"names must be distinct; got 'a' more than once\."),
        (lambda: DNF.from_codes(["a"], [[2]]), r"terms must use features 0 to 0; got feature 1\."),
        (
            lambda: DNF.from_truth_table(["a", "b"], [0, 1]),
            r"values must have 2\*\*2 = 4 entries, one per point; got 2\.",
        ),
        (lambda: DNF.parse("a & b").is_interpretable(-1), r"k must be 0 or more; got -1\."),
        (lambda: DNF.parse("a & b").over(["a"]), r"names must hold 'a', 'b'; got no 'b'\."),
        (lambda: DNF.parse("a & b").evaluate({"a": 1, "z": 0}), r"point must name only 'a', 'b'; got 'z'\."),
        (lambda: DNF.parse("a & b").evaluate({"a": 1}), r"point must hold a value for 'a', 'b'; got none for 'b'\."),
        (lambda: DNF.parse("a & b").restrict({"z": 1}), r"point must name only 'a', 'b'; got 'z'\."),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()
