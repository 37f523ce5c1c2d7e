"""Functions into several classes: the standard expression, the least k, what verification accepts and refuses."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive, strategies

from idnf import DNF, ClassDNFs, VerificationError


@st.composite
def class_functions(draw, *, max_features=4, max_classes=4):
    """The number of features, and the class of every point."""
    n = draw(st.integers(0, max_features))
    return n, draw(st.lists(st.integers(0, max_classes - 1), min_size=2**n, max_size=2**n))


def expression(n, values):
    return ClassDNFs.from_truth_table(strategies.feature_names(n), values)


@given(class_functions())
def test_the_standard_expression_is_the_prime_implicants_of_least_size(function):
    n, values = function
    found = expression(n, values)
    assert found.k == naive.least_k(values, n) == found.least_k()
    for label, dnf in enumerate(found.dnfs):
        primes = naive.prime_implicants(naive.one_against_rest(values, label), n)
        assert {term.codes for term in dnf.terms} == {tuple(sorted(t)) for t in primes if len(t) <= found.k}
        assert naive.values(dnf) == naive.one_against_rest(values, label)
    certificate = found.verify()
    assert sorted(certificate.widths) == sorted(dnf.width for dnf in found.dnfs)
    assert set(certificate.classes) == {str(label) for label in range(found.n_classes)}


@given(class_functions(max_features=3))
def test_every_point_is_given_its_class(function):
    n, values = function
    found, names = expression(n, values), strategies.feature_names(n)
    points = [{name: p >> j & 1 for j, name in enumerate(names)} for p in range(2**n)]
    assert [found.evaluate(point) for point in points] == values


@given(st.lists(strategies.dnfs(names=("a", "b", "c"), max_terms=3), min_size=1, max_size=4), st.integers(0, 3))
def test_verify_says_yes_exactly_when_the_truth_tables_do(dnfs, k):
    partition = all(sum(values) == 1 for values in zip(*map(naive.values, dnfs)))
    found = ClassDNFs(tuple(dnfs), k)
    if partition and max(dnf.width for dnf in dnfs) <= k:
        found.verify()
    else:
        with pytest.raises(VerificationError):
            found.verify()


@given(class_functions(), st.data())
def test_verify_names_the_point_that_a_dropped_term_leaves_out(function, data):
    found = expression(*function)
    label = data.draw(st.sampled_from([c for c, dnf in enumerate(found.dnfs) if dnf.size]))
    dnf = found.dnfs[label]
    dropped = data.draw(st.sampled_from(dnf.terms))
    less = DNF(dnf.names, tuple(term for term in dnf.terms if term != dropped))
    mutated = ClassDNFs((*found.dnfs[:label], less, *found.dnfs[label + 1 :]), found.k)
    if less.is_equivalent(dnf):
        mutated.verify()
        return
    with pytest.raises(VerificationError, match="every point must meet a term; got none under") as error:
        mutated.verify()
    escape = DNF.parse(error.value.point, dnf.names)
    assert naive.is_implicant(naive.codes(escape.masks[0]), naive.values(dnf))


def test_verify_names_the_classes_of_a_pair_that_overlaps_and_of_a_term_too_wide():
    names = ("a", "b")
    dnfs = tuple(DNF.parse(text, names) for text in ("a", "b", "~a & ~b"))
    with pytest.raises(VerificationError, match="must exclude each other; got a in class gold and b in class tin"):
        ClassDNFs(dnfs, 2).verify(["gold", "tin", "lead"])
    with pytest.raises(VerificationError, match="at most 1 literal; got ~a & ~b in class 2"):
        ClassDNFs(dnfs, 1).verify()


@given(strategies.dnfs(max_features=4))
def test_a_double_dnf_is_the_case_of_two_classes(f):
    double = f.double()
    two, certificate = ClassDNFs(double.dnfs, double.k).verify(), double.verify()
    assert two == certificate


@pytest.mark.parametrize("n", [0, 1, 2])
def test_interpretable_iff_every_class_against_the_rest_is(n):
    for values in product(range(3), repeat=2**n):
        rest = [naive.certificate_complexity(naive.one_against_rest(values, label), n) for label in range(3)]
        assert naive.least_k(values, n) == max(rest)


@given(st.lists(st.integers(0, 2), min_size=8, max_size=8))
def test_interpretable_iff_every_class_against_the_rest_is_over_three_features(values):
    rest = [naive.certificate_complexity(naive.one_against_rest(values, label), 3) for label in range(3)]
    assert naive.least_k(values, 3) == max(rest)


@pytest.mark.parametrize(("n", "k", "classes"), [(2, 1, 3), (2, 2, 3), pytest.param(2, 2, 4, marks=pytest.mark.slow)])
def test_labelled_terms_with_a_default_make_exactly_the_interpretable_functions(n, k, classes):
    """Both directions of the lemma, whatever the default: all sets of labelled terms against all functions."""
    wanted = {values for values in product(range(classes), repeat=2**n) if naive.least_k(values, n) <= k}
    short = list(naive.consistent_terms(n, k))
    for default in range(classes):
        labels = [label for label in range(classes) if label != default]
        labelled = [(term, label) for term in short for label in labels]
        states = (terms for terms in naive.subsets(labelled, 4) if naive.is_labelled_state(terms, default, n, k))
        assert {tuple(naive.labelled_values(terms, default, n)) for terms in states} == wanted


def test_three_classes_with_reasons_of_two_and_no_tree_of_depth_two():
    names = ("a", "b", "c")
    dnfs = tuple(DNF.parse(text, names) for text in ("~a & ~c | ~b & ~c", "a & b | a & c", "~a & c"))
    assert ClassDNFs(dnfs, 2).verify().k == 2
    values = [next(c for c in range(3) if naive.values(dnfs[c])[p]) for p in range(8)]
    assert naive.least_k(values, 3) == 2
    assert naive.tree_depth(values) == 3


def test_bad_input():
    a, b = DNF.parse("a"), DNF.parse("b")
    with pytest.raises(ValueError, match="dnfs must hold a DNF for each class; got none"):
        ClassDNFs((), 1)
    with pytest.raises(ValueError, match=r"dnfs must have the same names \('a',\); got \('b',\)"):
        ClassDNFs((a, b), 1)
    with pytest.raises(ValueError, match="k must be 0 or more; got -1"):
        ClassDNFs((a,), -1)
    with pytest.raises(ValueError, match=r"values must have 2\*\*1 = 2 entries, one per point; got 3"):
        ClassDNFs.from_truth_table(("a",), [0, 1, 2])
    with pytest.raises(ValueError, match="values must be classes from 0 on; got -1"):
        ClassDNFs.from_truth_table(("a",), [0, -1])
    with pytest.raises(ValueError, match="every point must satisfy a term; got none at {'a': 0}"):
        ClassDNFs((a, a), 1).evaluate({"a": 0})
