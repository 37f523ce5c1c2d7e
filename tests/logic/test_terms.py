"""Terms agree with frozensets of literal codes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from idnf.logic.literals import Term

code_sets = st.frozensets(st.integers(0, 9))


@given(code_sets, code_sets)
def test_terms_agree_with_sets(a, b):
    s, t = Term.of(a), Term.of(b)
    assert (s.codes, set(s), s.size, len(s)) == (tuple(sorted(a)), a, len(a), len(a))
    assert s.features == tuple(sorted({code // 2 for code in a}))
    assert s.is_consistent == (not any(code ^ 1 in a for code in a))
    assert (s | t) == Term.of(a | b)


@given(st.lists(code_sets))
def test_terms_are_ordered_by_size_and_then_by_literals(sets):
    expected = sorted(sets, key=lambda s: (len(s), sorted(s)))
    assert sorted(map(Term.of, sets)) == [Term.of(s) for s in expected]


def test_the_empty_term_is_true():
    assert (Term().size, Term().codes, Term().is_consistent) == (0, (), True)
