"""Verification accepts what is right and names what is wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive, strategies

from idnf import DNF, Certificate, DoubleDNF, VerificationError


@given(strategies.dnfs(max_features=5))
def test_the_standard_expression_verifies(f):
    double = f.double()
    sizes, widths = (double.positive.size, double.negative.size), (double.positive.width, double.negative.width)
    assert double.verify() == Certificate(double.k, widths, sizes, sizes[0] * sizes[1])


@given(strategies.dnfs(max_features=5), strategies.dnfs(max_features=5), st.integers(0, 5))
def test_verify_says_yes_exactly_when_the_truth_tables_do(f, g, k):
    names = max(f.names, g.names, key=len)
    f, g = f.over(names), g.over(names)
    complementary = all(a != b for a, b in zip(naive.values(f), naive.values(g)))
    double = DoubleDNF(f, g, k)
    if complementary and max(f.width, g.width) <= k:
        double.verify()
    else:
        with pytest.raises(VerificationError):
            double.verify()


@given(strategies.dnfs(max_features=5), st.data())
def test_verify_names_the_point_that_a_dropped_term_leaves_out(f, data):
    double = f.double()
    side = data.draw(st.sampled_from([s for s in (double.positive, double.negative) if s.size]))
    dropped = data.draw(st.sampled_from(side.terms))
    less = DNF(f.names, tuple(term for term in side.terms if term != dropped))
    mutated = DoubleDNF(*((less, double.negative) if side is double.positive else (double.positive, less)), double.k)
    if less.is_equivalent(side):
        mutated.verify()
        return
    with pytest.raises(VerificationError, match="every point must meet a term; got none under") as error:
        mutated.verify()
    escape = DNF.parse(error.value.point, f.names)
    assert naive.is_implicant(naive.codes(escape.masks[0]), naive.values(side))
    assert not any(map(min, zip(naive.values(escape), naive.values(less))))


@given(strategies.dnfs(max_features=5), st.data())
def test_verify_names_the_pair_that_a_shortened_term_makes_overlap(f, data):
    double = f.double()
    wide = [term for term in double.positive.terms if term.size]
    if not wide:
        return
    term = data.draw(st.sampled_from(wide))
    code = data.draw(st.sampled_from(term.codes))
    # A prime implicant with a literal less is no implicant, so it meets the other side.
    shorter = DNF.from_codes(f.names, [*(t.codes for t in double.positive.terms if t != term), set(term) - {code}])
    with pytest.raises(VerificationError, match="terms of different classes must exclude each other; got") as error:
        DoubleDNF(shorter, double.negative, double.k).verify()
    one, zero = (DNF.parse(text, f.names).terms[0] for text in error.value.terms)
    assert one.bits == term.bits & ~(1 << code)
    assert zero in double.negative.terms
    assert not {code ^ 1 for code in one} & set(zero)


def test_verify_names_a_term_that_is_too_wide():
    double = DoubleDNF(DNF.parse("a & b"), DNF.parse("~a | ~b", ["a", "b"]), 1)
    with pytest.raises(VerificationError, match="at most 1 literal; got a & b in class 1") as error:
        double.verify()
    assert error.value.terms == ("a & b",)


def test_inconsistent_terms_do_no_harm_to_a_proof():
    names = ["a", "b"]
    double = DoubleDNF(DNF.parse("a | b & ~b", names), DNF.parse("~a | b & ~b", names), 2)
    assert double.verify().conflicts == 4


def test_certificates_say_what_was_proved():
    assert str(DNF.parse("a & b").double().verify()) == (
        "Proved over all Boolean points: class 1 (1 term) and class 0 (2 terms) exclude each other in all 2 pairs, "
        "every point meets one of them, and none has more than 2 literals."
    )


@given(strategies.dnfs(max_features=4))
def test_doubles_are_equal_by_their_sides(f):
    double = f.double()
    again = DoubleDNF(double.positive, double.negative, double.k)
    assert again == double
    assert hash(again) == hash(double)
    assert (DoubleDNF(double.negative, double.positive, double.k) == double) == (double.positive == double.negative)
    assert [double.side(True), double.side(False)] == [double.positive, double.negative]


def test_constants_need_no_literal():
    for text in ("0", "1"):
        assert DNF.parse(text).double().verify().k == 0


def test_bad_input():
    with pytest.raises(ValueError, match=r"negative must have the names of positive; got \('b',\)"):
        DoubleDNF(DNF.parse("a"), DNF.parse("b"), 1)
    with pytest.raises(ValueError, match="k must be 0 or more; got -1"):
        DoubleDNF(DNF.parse("a"), DNF.parse("~a"), -1)


def test_a_double_dnf_is_no_other_thing():
    double = DNF.parse("a & b").double()
    assert double != "a & b"
    assert repr(double) == "DoubleDNF(k=2, positive='a & b')"
