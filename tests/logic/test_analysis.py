"""The analysis of a formula says what the truth table says."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from tests import naive, strategies

from idnf import DNF
from idnf.logic.analysis import analyse
from idnf.logic.constructions import majority, sharp


@given(strategies.dnfs(max_features=4))
def test_the_facts_are_those_of_the_truth_table(f):
    n, values = len(f.names), naive.values(f)
    facts = analyse(f)
    assert facts.least_k == naive.certificate_complexity(values, n)
    assert facts.tree_depth == naive.tree_depth(values)
    assert naive.values(DNF.parse(facts.primes, f.names)) == values
    assert naive.values(DNF.parse(facts.complement, f.names)) == [1 - v for v in values]
    assert (facts.size, facts.length, facts.width) == (f.size, f.length, f.width)
    assert f"{facts.least_k}-AXp-interpretable" in facts.landscape
    assert (f"depth-{facts.least_k} decision tree" in facts.landscape) == (facts.tree_depth <= facts.least_k)
    assert json.loads(json.dumps(facts.to_dict()))["formula"] == str(f)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a & b", ["function of 2 variables", "depth-2 decision tree", "nested 2-DNF", "complement of a nested 2-DNF"]),
        ("a & b | c & d", ["nested 2-DNF"]),
        ("(a | c) & (b | d)", ["complement of a nested 2-DNF"]),
    ],
)
def test_the_landscape(text, expected):
    matchings = "2-DNF (or complement) with induced matchings of size <= 2"
    assert analyse(DNF.parse(text)).landscape == [*expected, matchings, "2-AXp-interpretable"]


def test_majority_lies_outside_trees_and_nested_dnfs():
    matchings = "3-DNF (or complement) with induced matchings of size <= 3"
    assert analyse(majority(3)).landscape == [matchings, "3-AXp-interpretable"]


def test_the_text_is_aligned_and_draws_the_matrix():
    assert analyse(DNF.parse("a & b | b & c | c & d")).to_text().splitlines() == [
        "formula                  a & b | b & c | c & d",
        "features                 a, b, c, d  (4)",
        "terms                    3 of width at most 2, 6 literals in all",
        "complement               ~a & ~c | ~b & ~c | ~b & ~d  (3 terms, width 2)",
        "prime implicants         a & b | b & c | c & d  (3)",
        "certificate complexity   2: k-AXp-interpretable for every k >= 2 and no smaller k",
        "induced matching         2",
        "                         a in a & b",
        "                         c in b & c",
        "nested 2-DNF             yes, with the matrix",
        "                         b  a",
        "                         c  d",
        "complement nested 2-DNF  yes, with the matrix",
        "                         ~b  ~d",
        "                         ~c  ~a",
        "least tree depth         3",
        "landscape for k = 2      nested 2-DNF",
        "                         complement of a nested 2-DNF",
        "                         2-DNF (or complement) with induced matchings of size <= 2",
        "                         2-AXp-interpretable",
    ]


def test_constants_and_wide_functions():
    assert "yes, a constant" in analyse(DNF.parse("1")).to_text()
    facts = analyse(sharp(4).to_dnf())
    assert (facts.tree_depth, facts.complement_size, facts.complement_nested) == (None, 256, None)
    assert facts.complement.endswith("| ... 196 more")
    assert "undecided" in facts.to_text()
    assert "not computed" in facts.to_text()
