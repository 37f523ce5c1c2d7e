"""The paper, statement by statement: M. C. Cooper, I. Bousdira, C. Carbonnel, *Interpretable DNFs*, IJCAI 2025.

Numbers are the paper's. Generated instances come from tests/strategies.py; what a statement is checked against comes
from tests/naive.py or from the statement itself.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, log2, pi, sqrt
from random import Random

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tests import naive, strategies

from idnf import DNF, DoubleDNF, NestedDNF, NestedTree
from idnf.logic.boxes import Space, cells_of
from idnf.logic.example_functions import majority, parity, sharp
from idnf.logic.function_counts import log2_nested_bound, log2_tree_bound, nested_functions, tree_functions
from idnf.logic.literals import Term, dnf_table, full_table, literal_table, term_table
from idnf.logic.regions import Region, own_cells
from idnf.logic.small_matchings import with_small_matchings
from idnf.logic.transversals import maximum_induced_matching, minimal_transversals
from idnf.logic.tree_depth import is_tree
from idnf.logic.trees import Leaf, Split, least_depth


def explained(f):
    """Each point with its number and the region of its class."""
    n, values, double = len(f.names), naive.values(f), f.double()
    space = Space.boolean(f.names)
    sides = [space.boxes(double.negative), space.boxes(double.positive)]
    regions = [Region(space.full, tuple(sides[1 - value])) for value in (0, 1)]
    return [(p, tuple(p >> j & 1 for j in range(n)), regions[values[p]]) for p in range(2**n)]


def columns(masks):
    return [tuple(cells_of(mask)) for mask in masks]


def random_tree(rng, names, depth):
    """A decision tree with random features and constant leaves."""

    def node(bound):
        if bound == 0 or rng.random() < 0.1:
            return Leaf(NestedDNF.constant(names, rng.random() < 0.5, bound))
        return Split(rng.randrange(len(names)), node(bound - 1), node(bound - 1))

    return NestedTree(names, node(depth), depth)


def complete_tree(depth):
    """The tree that asks 2**depth - 1 different features; a leaf says what its feature says."""
    names = tuple(f"x{j + 1}" for j in range(2**depth - 1))

    def node(number, bound):
        if bound == 0:
            return Leaf(NestedDNF.constant(names, number % 2 == 1, 0))
        return Split(number - 1, node(2 * number, bound - 1), node(2 * number + 1, bound - 1))

    return NestedTree(names, node(1, depth), depth)


def table(f):
    return dnf_table(f.masks, len(f.names))


@given(strategies.dnfs(max_features=4))
def test_definition_1_abductive_and_contrastive_explanations(f):
    n, values = len(f.names), naive.values(f)
    space = Space.boolean(f.names)
    for p, point, region in explained(f):
        for features in naive.subsets(range(n)):
            kept = own_cells(space, point, features)
            freed = own_cells(space, point, set(range(n)) - set(features))
            assert region.has(kept) == naive.is_weak_axp(features, values, n, p)
            assert region.has(freed) != naive.is_weak_cxp(features, values, n, p)
        assert columns(region.axps(point)) == naive.axps(values, n, p)
        assert columns(region.cxps(point)) == naive.cxps(values, n, p)


@given(strategies.dnfs(max_features=4))
def test_definition_2_k_axp_interpretable(f):
    n, values = len(f.names), naive.values(f)
    needed = max(min(map(len, naive.axps(values, n, p))) for p in range(2**n))
    assert [f.is_interpretable(k) for k in range(n + 1)] == [k >= needed for k in range(n + 1)]


@given(strategies.dnfs(max_features=4))
def test_definition_2_k_cxp_interpretable(f):
    n, values = len(f.names), naive.values(f)
    needed = max(len(naive.cxps(values, n, p)[0]) for p in range(2**n)) if len(set(values)) == 2 else 0
    assert [f.is_cxp_interpretable(k) for k in range(n + 1)] == [k >= needed for k in range(n + 1)]


def test_definition_2_k_must_be_natural():
    with pytest.raises(ValueError, match="k must be 0 or more; got -1"):
        DNF.parse("a").is_cxp_interpretable(-1)


@pytest.mark.parametrize("n", range(1, 6))
def test_parity_separates_axp_from_cxp_interpretability(n):
    f = parity(n)
    for _, point, region in explained(f):
        assert columns([next(region.cxps(point))]) == [(0,)]
        assert columns(region.axps(point)) == [tuple(range(n))]
    assert f.certificate_complexity() == n
    assert f.is_cxp_interpretable(1)
    assert not f.is_interpretable(n - 1)


@given(strategies.dnfs(max_features=6))
def test_lemma_1_axp_interpretable_functions_are_cxp_interpretable(f):
    assert f.is_cxp_interpretable(f.certificate_complexity())


def test_lemma_1_is_sharp():
    f = DNF.parse("a & b & c")
    assert f.is_interpretable(3)
    assert not f.is_cxp_interpretable(2)


def test_definition_3_interpretable_families():
    rng = Random(3)
    depth_2_trees = [random_tree(rng, tuple(f"x{j}" for j in range(n)), 2) for n in range(2, 12)]
    assert all(tree.side(True).is_interpretable(2) for tree in depth_2_trees)
    assert not any(parity(n).is_interpretable(n - 1) for n in range(1, 7))


@given(strategies.dnfs(max_features=5, consistent=True), st.data())
def test_restriction_keeps_complements_complementary(f, data):
    fixed = data.draw(st.dictionaries(st.sampled_from(f.names), st.integers(0, 1))) if f.names else {}
    here, there = f.restrict(fixed), f.complement().restrict(fixed)
    assert naive.values(here) == [1 - value for value in naive.values(there)]


def test_restriction_size_and_length_as_written_in_the_paper():
    d = DNF.parse("a & b | ~a & c | c & d")
    assert str(d.restrict({"a": 1})) == "b | c & d"
    assert (d.size, d.length) == (3, 6)
    assert d.literals() == (0, 1, 2, 4, 6)
    assert d.terms == (Term.of([0, 2]), Term.of([1, 4]), Term.of([4, 6]))


@given(strategies.dnfs(max_features=4))
@pytest.mark.parametrize("value", [1, 0])
def test_prime_implicants_are_the_axps_of_the_decisions_of_either_class(value, f):
    n, values = len(f.names), naive.values(f)
    reasons = {
        tuple(sorted(2 * j + 1 - (p >> j & 1) for j in features))
        for p in range(2**n)
        if values[p] == value
        for features in naive.axps(values, n, p)
    }
    side = f if value else f.complement()
    assert {term.codes for term in side.prime_implicants().terms} == reasons


@given(strategies.nested_dnfs(max_k=3, max_features=4))
def test_proposition_1_if(nested):
    """Two k-DNFs, of a function and of its complement, give every point an AXp of at most k features."""
    f, k = nested.to_dnf(), nested.k
    assert max(nested.side(True).width, nested.side(False).width) <= k
    assert f.is_interpretable(k)
    n, values = len(f.names), naive.values(f)
    assert values == [1 - value for value in naive.values(nested.side(False))]
    for p, point, region in explained(f):
        smallest = min(columns(region.axps(point)), key=len)
        assert len(smallest) <= k
        assert naive.is_weak_axp(smallest, values, n, p)


@given(strategies.dnfs(max_features=4))
def test_proposition_1_only_if(f):
    n, values = len(f.names), naive.values(f)
    k = max(min(map(len, naive.axps(values, n, p))) for p in range(2**n))
    double = f.double()
    assert double.k == k
    assert max(double.positive.width, double.negative.width) <= k
    assert naive.values(double.positive) == values
    assert naive.values(double.negative) == [1 - value for value in values]


@given(strategies.dnfs(max_features=4))
def test_the_standard_double_dnf_expression_and_certificate_complexity(f):
    n, values = len(f.names), naive.values(f)
    double = f.double()
    assert double.k == naive.certificate_complexity(values, n)
    short = {term for term in naive.prime_implicants(values, n) if len(term) <= double.k}
    assert {term.codes for term in double.positive.terms} == short


@pytest.mark.parametrize("depth", range(5))
@pytest.mark.parametrize("seed", range(4))
def test_example_1_a_tree_of_depth_k_is_two_k_dnfs(depth, seed):
    tree = random_tree(Random(seed), strategies.feature_names(6), depth)
    paths = {0: [], 1: []}
    for path, leaf in tree.leaves():
        paths[int(naive.nested_table(leaf.nested.matrix, leaf.nested.prefixes, 0)[0])].append(naive.codes(path))
    values = naive.table(paths[1], 6)
    assert naive.table(paths[0], 6) == [1 - value for value in values]
    assert naive.values(tree.side(True)) == values
    assert naive.values(tree.side(False)) == [1 - value for value in values]
    assert max(tree.side(True).width, tree.side(False).width) <= depth
    assert tree.double().verify().k == depth


@cache
def interpretable_functions(k, n):
    """All k-AXp-interpretable functions of n features as truth tables: trying every function (Proposition 1)."""
    terms = [term_table(sum(1 << code for code in term), n) for term in naive.consistent_terms(n, k)]

    def is_k_dnf(function):
        covered = 0
        for term in terms:
            if not term & ~function:
                covered |= term
        return covered == function

    dnfs = {function for function in range(full_table(n) + 1) if is_k_dnf(function)}
    return {function for function in dnfs if full_table(n) ^ function in dnfs}


@cache
def forms_of_example_2(n):
    """The functions of the forms (i), (ii) and (iii), for any literals a, b, c, d."""
    literals = [literal_table(code, n) for code in range(2 * n)]
    forms = [set(), set(), set()]
    for a, b, c, d in product(literals, repeat=4):
        forms[0].add(a & b | c & d)
        forms[1].add(a & b | b & c | c & d)
        forms[2].add(a & b | b & c | c & d | d & a)
    return forms


def test_example_2_three_forms_are_all_2_axp_interpretable_functions_of_four_features():
    interpretable = interpretable_functions(2, 4)
    assert set.union(*forms_of_example_2(4)) == interpretable
    for function in Random(0).sample(range(65536), 200):
        f = DNF.from_truth_table("abcd", [function >> p & 1 for p in range(16)])
        assert f.is_interpretable(2) == (function in interpretable)


def test_example_2_some_of_them_are_no_trees_of_depth_2():
    assert least_depth(table(DNF.parse("a & b | c & d")), 4) == 4
    assert not set(interpretable_functions(2, 4)) <= tree_functions(2, 4)


def sharp_formulas(test):
    """Add the formulas that reach the bounds to the cases of a test, so that no smaller bound would pass."""
    for k in (1, 2, 3, 4):
        test = example(sharp(k).to_dnf())(example(sharp(k).side(False))(test))
    return test


sharp_formulas_of_few_features = example(sharp(2).to_dnf())


@given(strategies.dnfs(max_features=6, max_terms=8))
@sharp_formulas
def test_theorem_1_at_most_k_to_the_k_terms(f):
    double = f.double()
    assert double.positive.size <= double.k**double.k
    assert double.negative.size <= double.k**double.k


def test_theorem_1_all_functions_of_four_features_at_k_2():
    sizes = [
        DNF.from_truth_table("abcd", [function >> p & 1 for p in range(16)]).double().positive.size
        for function in interpretable_functions(2, 4)
    ]
    assert max(sizes) == 2**2


@pytest.mark.parametrize("k", [2, 3, 4])
def test_theorem_1_is_sharp(k):
    f = sharp(k).to_dnf()
    complement = f.complement()
    assert f.size == k
    assert complement.size == k**k
    assert complement.width == k
    DoubleDNF(f, complement, k).verify()
    # In every term of the complement all literals are positive: at the point where just these are 1, no other holds,
    # and an implicant that holds there lies inside the term. So every DNF needs one term for each.
    assert all(code % 2 == 0 for code in complement.literals())
    assert not any(set(s) <= set(t) for s in complement.terms for t in complement.terms if s != t)


def most_terms_that_share(dnf, j):
    """How many terms contain the j literals that most terms contain."""
    return max(Counter(chosen for term in dnf.terms for chosen in combinations(term.codes, j)).values(), default=0)


@given(strategies.dnfs(max_features=6, max_terms=8))
@sharp_formulas
def test_theorem_1_the_claim_proved_by_induction(f):
    """For j up to k there are fewer than k^j terms, or j literals that at least one in k^j of the terms contain."""
    double = f.double()
    assume(double.positive.size > 0 and double.negative.size > 0)
    for side, j in product((double.positive, double.negative), range(double.k + 1)):
        shared, times = most_terms_that_share(side, j), double.k**j
        assert side.size < times or shared * times >= side.size


@pytest.mark.parametrize("k", [2, 3, 4])
def test_theorem_1_the_claim_is_sharp(k):
    side = sharp(k).side(False)
    assert [most_terms_that_share(side, j) for j in range(k + 1)] == [k ** (k - j) for j in range(k + 1)]


@given(strategies.dnfs(max_features=4))
def test_corollary_1_few_sets_of_features_explain_everything(f):
    n, values, double = len(f.names), naive.values(f), f.double()
    explanations = feature_sets(double)
    for p in range(2**n):
        assert any(len(axp) <= double.k and axp in explanations for axp in naive.axps(values, n, p))


def feature_sets(double):
    return {term.features for side in (double.positive, double.negative) for term in side.terms}


@given(strategies.dnfs(max_features=6, max_terms=8))
@sharp_formulas
def test_corollary_1_there_are_at_most_2_k_to_the_k(f):
    assert len(feature_sets(f.double())) <= 2 * f.double().k ** f.double().k


@pytest.mark.parametrize("k", [2, 3, 4])
def test_corollary_1_needs_more_than_k_to_the_k(k):
    """The sharp formula has its own k terms beside the k^k of its complement, over other sets of features."""
    assert len(feature_sets(sharp(k).to_dnf().double())) == k**k + k


@given(strategies.dnfs(max_features=6, max_terms=8))
@sharp_formulas
def test_corollary_2_interpretable_functions_have_short_dnfs(f):
    double = f.double()
    assert max(double.positive.length, double.negative.length) <= double.k * double.k**double.k


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_corollary_2_is_reached(k):
    assert sharp(k).side(False).length == k * k**k


@given(strategies.dnfs(max_features=6, max_terms=3, size=3))
@example(DNF.parse("a | b | c | d"))  # the complement is one term of all k literals
@example(DNF.parse("a & b & c & d"))  # the function is
def test_corollary_2_short_dnfs_are_interpretable(f):
    k = f.length
    assume(k > 0)
    assert f.complement().width <= k
    assert f.complement().length <= k ** (k + 1)
    assert f.is_interpretable(k)


def test_corollary_2_no_smaller_k_would_do():
    assert not DNF.parse("a | b | c | d").is_interpretable(3)
    assert not DNF.parse("a & b & c & d").is_interpretable(3)


@given(strategies.dnfs(max_features=5))
def test_the_canonical_complement_and_its_own(f):
    dual = [[code ^ 1 for code in naive.codes(t)] for t in minimal_transversals(f.masks)]
    assert naive.table(dual, len(f.names)) == [1 - value for value in naive.values(f)]
    antichain = {m for m in f.masks if not any(o != m and o & m == o for o in f.masks)}
    assert set(minimal_transversals(minimal_transversals(antichain))) == antichain


@given(strategies.dnfs(max_features=4))
@sharp_formulas_of_few_features
def test_short_minimal_transversals_make_a_function_interpretable(f):
    """A k-DNF whose minimal transversals have at most k literals: tried for every k, by brute force."""
    n, values = len(f.names), naive.values(f)
    terms = [set(term.codes) for term in f.terms]
    hits = [set(t) for t in naive.subsets(range(2 * n)) if all(set(t) & term for term in terms)]
    longest = max((len(t) for t in hits if not any(other < t for other in hits)), default=0)
    needed = max(min(map(len, naive.axps(values, n, p))) for p in range(2**n))
    assert needed <= max(f.width, longest)


@pytest.mark.parametrize("text", ["a | b | c", "a & b | c & d", "a & b & c", "a & b | b & c | c & a"])
def test_short_minimal_transversals_no_smaller_bound_would_do(text):
    f = DNF.parse(text)
    longest = max(t.bit_count() for t in minimal_transversals(f.masks))
    assert f.certificate_complexity() == max(f.width, longest)


@given(strategies.dnfs(max_features=5))
def test_lemma_2_induced_matchings_bound_the_complement(f):
    mim = len(f.maximum_induced_matching())
    assert all(transversal.bit_count() <= mim for transversal in minimal_transversals(f.masks))
    assert f.is_interpretable(max(f.width, mim))


def test_lemma_2_an_induced_matching_of_the_paper_s_formulas():
    assert len(DNF.parse("a & b | b & c | c & d | d & a").maximum_induced_matching()) == 2
    assert len(DNF.parse("a & b | c & d").maximum_induced_matching()) == 2


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_example_3_majority(k):
    f, n = majority(k), 2 * k - 1
    negative = DNF.from_codes(f.names, ([2 * j + 1 for j in chosen] for chosen in combinations(range(n), k)))
    DoubleDNF(f, negative, k).verify()
    assert f.certificate_complexity() == k
    assert len(f.maximum_induced_matching()) <= k
    assert len(negative.maximum_induced_matching()) <= k
    assert least_depth(table(f), n) == 2 * k - 1


@given(strategies.nested_dnfs(max_k=4))
def test_proposition_2_nested_dnfs_are_interpretable(f):
    terms = [[code for row, r_i in zip(f.matrix, r) for code in row[:r_i]] for r in f.prefixes]
    assert len(maximum_induced_matching([sum(1 << code for code in set(term)) for term in terms])) <= f.k
    assert f.to_dnf().is_interpretable(f.k)
    assert f.double().verify().k == f.k


@given(st.integers(1, 3).flatmap(lambda k: st.tuples(st.just(k), st.lists(strategies.terms(6, size=k), max_size=k))))
def test_example_4_at_most_k_terms_are_nested(case):
    k, masks = case
    f = DNF.from_masks(strategies.feature_names(6), masks)
    nested = NestedDNF.from_terms(f.names, [term.codes for term in f.terms], k)
    assert naive.nested_table(nested.matrix, nested.prefixes, 6) == naive.values(f)
    assert NestedDNF.recognise(f, k).to_dnf().is_equivalent(f)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_example_4_k_terms_of_k_features_need_trees_of_depth_k_squared(k):
    assert least_depth(table(sharp(k).to_dnf()), k * k) == k * k


def test_example_4_majority_of_five_is_no_nested_3_dnf():
    f = majority(3)
    assert NestedDNF.recognise(f, 3) is None
    # The same by trying all matrices. As f is monotone only positive literals are needed; a literal that occurs
    # earlier in its row may be left out; rows may be exchanged.
    function, prefixes = table(f), {}
    for row in product(range(5), repeat=3):
        if len(set(row)) == 3:
            prefixes[row] = [term_table(sum(1 << 2 * j for j in row[:r]), 5) for r in range(4)]
    vectors = [r for r in product(range(4), repeat=3) if sum(r) <= 3]
    for first, second, third in combinations_with_replacement(prefixes.values(), 3):
        terms = (first[r] & second[s] & third[t] for r, s, t in vectors)
        covered = 0
        for term in terms:
            if not term & ~function:
                covered |= term
        assert covered != function


@pytest.mark.parametrize("side", [majority(4), majority(4).complement()], ids=["majority", "complement"])
def test_example_4_majority_of_seven_is_no_nested_4_dnf(side):
    assert side.certificate_complexity() == 4
    assert NestedDNF.recognise(side, 4) is None


def test_example_4_majority_of_three_is_a_nested_2_dnf():
    assert NestedDNF.recognise(majority(2), 2).to_dnf().is_equivalent(majority(2))


@pytest.mark.parametrize("k", range(4))
def test_proposition_3_every_function_of_k_features_is_a_nested_k_dnf(k):
    for values in product((0, 1), repeat=2**k):
        f = NestedDNF.from_function(values)
        assert naive.nested_table(f.matrix, f.prefixes, k) == list(values)
        assert f.k == k


@pytest.mark.parametrize("k", [4, 5])
@pytest.mark.parametrize("seed", range(10))
def test_proposition_3_random_functions(k, seed):
    rng = Random(f"{k} {seed}")
    values = [rng.randint(0, 1) for _ in range(2**k)]
    f = NestedDNF.from_function(values)
    assert naive.nested_table(f.matrix, f.prefixes, k) == values
    assert f.double().verify().k == k


def test_proposition_3_the_cyclic_matrix():
    f = NestedDNF.from_function([0, 1, 1, 0, 1, 0, 0, 1])
    assert f.matrix_text() == "x1   ~x2  ~x3\nx2   ~x3  ~x1\nx3   ~x1  ~x2"
    # x1 & ~x2 & ~x3 is the whole of row 1; x1 & x2 & x3 takes the first literal of each row.
    assert set(f.prefixes) == {(3, 0, 0), (0, 3, 0), (0, 0, 3), (1, 1, 1)}


def test_proposition_4_exact_numbers_at_k_2():
    forms = forms_of_example_2(4)
    nested, trees = nested_functions(2, 4), tree_functions(2, 4)
    assert nested == forms[0] | forms[1]
    assert trees == {function for function in interpretable_functions(2, 4) if least_depth(function, 4) <= 2}
    assert log2(len(trees)) <= log2_tree_bound(2, 4)
    assert log2(len(nested)) >= log2_nested_bound(2)


@pytest.mark.parametrize("n", [2, 3])
def test_proposition_4_exact_numbers_for_fewer_features(n):
    forms = forms_of_example_2(n)
    assert nested_functions(2, n) == forms[0] | forms[1]
    assert tree_functions(2, n) == {
        t for t in range(2**2**n) if naive.tree_depth([t >> p & 1 for p in range(2**n)]) <= 2
    }


@pytest.mark.parametrize("k", [1, 2, 3])
def test_proposition_4_choices_of_full_terms_are_different_functions(k):
    vectors = [r for r in product(range(k + 1), repeat=k) if sum(r) == k]
    assert len(vectors) == comb(2 * k - 1, k - 1) == log2_nested_bound(k)
    matrix = tuple(tuple(2 * (k * i + j) for j in range(k)) for i in range(k))
    names = tuple(f"x{j}" for j in range(k * k))
    functions = {
        NestedDNF(names, matrix, chosen, k).to_dnf().masks for chosen in naive.subsets(vectors) if len(chosen) <= 4
    }
    # No term lies inside another, so different choices are different sets of prime implicants of monotone functions.
    assert len(functions) == sum(comb(len(vectors), size) for size in range(min(4, len(vectors)) + 1))


def essential(values, n):
    """The features on which a function depends."""
    return {j for j in range(n) for p in range(2**n) if values[p] != values[p ^ 1 << j]}


@given(strategies.nested_dnfs(max_k=2, max_features=6))
@example(sharp(2))
def test_nested_dnfs_depend_on_at_most_k_squared_features(f):
    assert len(essential(naive.nested_table(f.matrix, f.prefixes, len(f.names)), len(f.names))) <= f.k**2


@pytest.mark.parametrize("k", [1, 2, 3])
def test_nested_dnfs_reach_k_squared_features_and_trees_one_less_than_2_to_the_k(k):
    assert essential(naive.values(sharp(k).to_dnf()), k * k) == set(range(k * k))
    tree = complete_tree(k)
    assert essential(naive.values(tree.side(True)), 2**k - 1) == set(range(2**k - 1))


@pytest.mark.parametrize("seed", range(20))
def test_trees_depend_on_at_most_one_feature_less_than_2_to_the_k(seed):
    tree = random_tree(Random(seed), strategies.feature_names(9), 2)
    assert len(essential(naive.values(tree.side(True)), 9)) <= 2**2 - 1


def test_proposition_4_the_inequality_of_binomials_holds_for_every_k():
    """comb(2k-1, k-1) >= 2^(2k-1) / sqrt(pi (k + 1/3)): the square of their quotient falls, and its limit is 1."""
    falls = [(2 * k + 1) ** 2 * (3 * k + 4) + k == 4 * (k + 1) ** 2 * (3 * k + 1) for k in range(4)]
    assert all(falls), "two polynomials of degree 3 that agree in four places are the same"
    for k in range(1, 300):
        left, right = (Fraction(comb(2 * i - 1, i - 1) ** 2 * (3 * i + 1), 16**i) for i in (k, k + 1))
        assert left > right
        assert 4 * Fraction("3.14159265") * left / 3 > 1


@pytest.mark.parametrize("k", [4, 7, 14, 15, 40, 300])
def test_proposition_4_the_bounds_beyond_floating_point(k):
    """At the largest n of the proposition, log2 n = 2^(k-1) / k - 1; numbers as they are, not rounded."""
    trees = (2**k - 1) * (Fraction(2 ** (k - 1), k) - 1) + 2**k
    assert comb(2 * k - 1, k - 1) > Fraction(2 ** (2 * k - 1), k) > trees


@pytest.mark.parametrize("k", range(4, 15))
def test_proposition_4_bounds_for_larger_k(k):
    assert log2_nested_bound(k) >= 2 ** (2 * k - 1) / sqrt(pi * (k + 1 / 3)) >= 2 ** (2 * k - 1) / k
    most = int(2 ** (2 ** (k - 1) / k - 1))
    # Numbers of features from k * k to `most` exist from k = 7 on; the bounds hold without the lower limit.
    assert (k * k <= most) == (k >= 7)
    assert log2_nested_bound(k) > log2_tree_bound(k, most)


def test_figure_1_inclusions_at_k_2():
    """All functions of four features; the ovals of the figure as sets of truth tables."""
    full = full_table(4)
    interpretable, trees, nested = interpretable_functions(2, 4), tree_functions(2, 4), nested_functions(2, 4)
    either = nested | {full ^ function for function in nested}
    two_features = {
        dnf_table([1 << 2 * i + a | 1 << 2 * j + b for (a, b), v in zip(product((0, 1), repeat=2), values) if v], 4)
        for i, j in combinations(range(4), 2)
        for values in product((0, 1), repeat=4)
    }
    assert two_features < trees & nested
    assert trees < interpretable
    assert nested < either == interpretable  # Example 2: forms (i), (ii), and (iii) as complement of (i)


def figure_1_classes(f, k):
    """The ovals of the figure that a function lies in, each decided on the function."""
    double = f.double()
    assert double.k <= k
    sides = [list(side.prime_implicants().masks) for side in (double.positive, double.negative)]
    n = len({literal // 2 for literal in f.prime_implicants().literals()})
    ovals = {
        "variables": n <= k,
        "tree": is_tree(sides[0], k),
        "nested": any(NestedDNF.recognise(side, k) is not None for side in (double.positive, double.negative)),
        "matchings": any(with_small_matchings(side, k) is not None for side in sides),
    }
    return {name for name, holds in ovals.items() if holds}


def four_features(function):
    return DNF.from_truth_table("abcd", [function >> p & 1 for p in range(16)])


@pytest.mark.parametrize(
    ("f", "k", "region"),
    [
        (DNF.parse("a & b | ~a & ~b"), 2, {"variables", "tree", "nested", "matchings"}),
        (DNF.parse("a & b | ~a & c"), 2, {"tree", "nested", "matchings"}),
        (DNF.parse("a & b | c & d"), 2, {"nested", "matchings"}),
        (four_features(0x1BD8), 3, {"tree", "matchings"}),
        (majority(3), 3, {"matchings"}),
        (complete_tree(3).side(True), 3, {"tree"}),
        (DNF.parse("d & ~(a & b | b & c | c & a) | ~d & (a & b | b & c | c & a)"), 3, set()),
    ],
    ids=["k variables", "tree, nested", "nested", "tree, matchings", "matchings", "tree", "none"],
)
def test_figure_1_every_region_has_a_function(f, k, region):
    assert f.certificate_complexity() == k
    assert figure_1_classes(f, k) == region


@given(strategies.functions(4))
def test_figure_1_inclusions(values):
    f = DNF.from_truth_table("abcd", values)
    found = figure_1_classes(f, f.certificate_complexity())
    assert "variables" not in found or {"tree", "nested"} <= found
    assert "nested" not in found or "matchings" in found


def test_figure_1_functions_of_k_features_are_fewer_than_trees_and_nested_dnfs():
    f = DNF.parse("a & b | ~a & c")
    assert least_depth(table(f), 3) == 2
    assert NestedDNF.recognise(f, 2) is not None
    assert all(not f.restrict({name: 0}).is_equivalent(f.restrict({name: 1})) for name in f.names)


def test_figure_1_nested_dnfs_are_not_all_trees_nor_closed_under_complement():
    f = DNF.parse("a & b | c & d")
    assert NestedDNF.recognise(f, 2) is not None
    assert NestedDNF.recognise(f.complement(), 2) is None
    assert least_depth(table(f), 4) > 2


def test_figure_1_trees_are_not_all_nested_nor_without_large_induced_matchings():
    tree = complete_tree(3)
    for side in (tree.side(True), tree.side(False)):
        assert NestedDNF.recognise(side, 3) is None
        short = side.double().positive
        assert {term.size for term in short.terms} == {3}
        # At some point each of the four paths is the only implicant of at most 3 literals, so every 3-DNF holds it;
        # the last literals of the four paths are an induced matching whatever other terms there are.
        paths = [term for term in side.terms if term.size == 3]
        lonely = [
            term
            for term in paths
            if term_table(term.bits, 7) & ~dnf_table([t.bits for t in short.terms if t != term], 7)
        ]
        edges = maximum_induced_matching([term.bits for term in lonely])
        assert len(edges) == 4 > 3


def test_figure_1_small_induced_matchings_without_nested_dnf():
    f = majority(3)
    assert f.width == len(f.maximum_induced_matching()) == 3
    assert NestedDNF.recognise(f, 3) is None
    assert NestedDNF.recognise(f.complement(), 3) is None


@given(strategies.dnfs(max_features=4))
def test_figure_1_functions_of_k_features_lie_in_every_class(f):
    k = len(f.names)
    nested = NestedDNF.from_function(naive.values(f))
    assert least_depth(table(f), k) <= k
    assert len(nested.to_dnf().maximum_induced_matching()) <= k
    assert f.is_interpretable(k)


@given(strategies.nested_dnfs())
def test_figure_1_nested_dnfs_have_small_induced_matchings(f):
    assert f.to_dnf().width <= f.k
    assert len(f.to_dnf().maximum_induced_matching()) <= f.k
