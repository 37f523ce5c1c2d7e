"""Maximum induced matchings agree with trying all sets of edges."""

from __future__ import annotations

from hypothesis import given
from tests import naive, strategies

from idnf.logic.transversals import maximum_induced_matching


@given(strategies.dnfs(max_features=4, max_terms=4, size=3))
def test_a_largest_induced_matching(f):
    terms = [naive.codes(mask) for mask in f.masks]
    edges = maximum_induced_matching(f.masks)
    assert naive.is_induced_matching(edges, terms)
    assert len(edges) == naive.largest_induced_matching(terms)


def test_terms_without_common_literals_match_one_literal_each():
    assert [i for _, i in maximum_induced_matching([0b0011, 0b1100, 0b110000])] == [0, 1, 2]


def test_constants_have_no_edges():
    assert maximum_induced_matching([]) == maximum_induced_matching([0]) == []
