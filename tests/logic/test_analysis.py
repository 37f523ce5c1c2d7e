"""The analysis of a formula says what the truth table says."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests import naive, strategies

from idnf import DNF, NestedDNF, NestedTree
from idnf.logic.analysis import analyse
from idnf.logic.example_functions import majority, sharp
from idnf.logic.trees import Leaf, Split


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
    changes = [len(naive.cxps(values, n, p)[0]) for p in range(2**n)] if len(set(values)) == 2 else [0]
    assert facts.least_cxp_k == max(changes)
    assert (f"depth-{facts.least_k} decision tree" in facts.landscape) == (facts.tree_depth <= facts.least_k)
    assert json.loads(json.dumps(facts.to_dict()))["formula"] == str(f)


@strategies.few(12)
@given(strategies.functions(4), st.data())
@example((0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 0, 0), None)
def test_equal_functions_get_the_same_answer(values, data):
    f = DNF.from_truth_table("abcd", values)
    primes = f.prime_implicants()
    terms = [term for term in naive.consistent_terms(4) if naive.is_implicant(term, values)]
    more = [] if data is None or not terms else data.draw(st.lists(st.sampled_from(terms), max_size=4))
    padded = DNF.from_codes("abcd", [*(term.codes for term in primes.terms), *more])
    expected = analyse(f)
    assert expected.not_known == {}
    for written in (primes, padded):
        facts = analyse(written)
        assert (facts.landscape, facts.not_known) == (expected.landscape, {})
        assert (facts.least_cxp_k, facts.nested_order) == (expected.least_cxp_k, expected.nested_order)


def test_a_tree_of_fifteen_features_is_recognised():
    names = tuple(f"x{j + 1}" for j in range(15))

    def node(number, depth):
        if depth == 0:
            return Leaf(NestedDNF.constant(names, number % 2 == 1, 0))
        return Split(number - 1, node(2 * number, depth - 1), node(2 * number + 1, depth - 1))

    tree = NestedTree(names, node(1, 4), 4)
    facts = analyse(tree.side(True))
    assert facts.landscape == ["depth-4 decision tree", "4-AXp-interpretable"]
    assert (facts.tree_depth, facts.not_known) == (4, {})


def test_what_is_not_known_is_said_with_what_was_tried():
    letters = "abcdefghijklmnop"
    facts = analyse(DNF.parse(" & ".join([*letters, "(x | y)"])))
    tried = "trees are searched for functions of at most 16 features; got 18"
    assert facts.not_known == {"depth-17 decision tree": tried}
    assert facts.to_text().splitlines()[-1].split(maxsplit=2) == ["not", "known", f"depth-17 decision tree: {tried}"]


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
        "largest least change     2: k-CXp-interpretable for every k >= 2",
        "induced matching         2",
        "                         a in a & b",
        "                         c in b & c",
        "nested 2-DNF             yes, with the matrix",
        "                         b  a",
        "                         c  d",
        "complement nested 2-DNF  yes, with the matrix",
        "                         ~b  ~d",
        "                         ~c  ~a",
        "least nested order       2",
        "least tree depth         3",
        "landscape for k = 2      nested 2-DNF",
        "                         complement of a nested 2-DNF",
        "                         2-DNF (or complement) with induced matchings of size <= 2",
        "                         2-AXp-interpretable",
    ]


def test_constants_and_wide_functions():
    assert "yes, a constant" in analyse(DNF.parse("1")).to_text()
    facts = analyse(sharp(4).to_dnf())
    assert (facts.tree_depth, facts.complement_size, facts.complement_nested) == (None, 256, False)
    assert facts.complement.endswith("| ... 196 more")
    assert "not computed" in facts.to_text()
