from itertools import product
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier
from tests.counting.naive_counts import satisfies
from tests.paper_files import paper_file

from idnf import datasets
from idnf.counting.contract import GridHistogram
from idnf.counting.packed import PackedTable
from idnf.learning.greedy import learn_greedy, prune_terms, select_terms
from idnf.logic.literals import feature_of, negation
from idnf.logic.nested import NestedDNF

AB_OR_CD = np.array(list(product([False, True], repeat=4)))
AB_OR_CD_CLASS = AB_OR_CD[:, 0] & AB_OR_CD[:, 1] | AB_OR_CD[:, 2] & AB_OR_CD[:, 3]


def names(n):
    return tuple(f"x{j + 1}" for j in range(n))


def predictions(learned, features):
    points = [dict(zip(learned.model.names, map(int, example), strict=True)) for example in features]
    return np.array([learned.model.evaluate(point) for point in points])


@st.composite
def training_tables(draw):
    """Features and classes of 1 to 60 examples over 1 to 6 features, noisy enough for every step to have work."""
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    features = generator.random((draw(st.integers(1, 60)), draw(st.integers(1, 6)))) < 0.5
    positive = (features[:, 0] & features[:, -1]) ^ (
        generator.random(len(features)) < draw(st.sampled_from([0.1, 0.4]))
    )
    return features, positive


def terms_of_size(matrix, k, size):
    """Prefix vectors and their terms in the order of the authors' notebook."""
    vectors = [r for r in product(range(k + 1), repeat=len(matrix)) if sum(r) == size]
    for r in sorted(vectors, key=lambda r: (max(r), r), reverse=True):
        if all(length <= len(row) for row, length in zip(matrix, r, strict=True)):
            yield r, frozenset(code for row, length in zip(matrix, r, strict=True) for code in row[:length])


def covered(term, examples):
    return {e for e, example in enumerate(examples) if all(satisfies(example, code) for code in term)}


def naive_selection(matrix, k, features, positive):
    """The paper's second and third step over sets of examples."""
    ones, zeros = set(np.flatnonzero(positive)), set(np.flatnonzero(~positive))
    tried, selected, done = set(), {}, set()
    for size in range(k, 0, -1):
        for r, term in terms_of_size(matrix, k, size):
            if not ones - done:
                break
            if term in tried or any(negation(code) in term for code in term):
                continue
            tried.add(term)
            held = covered(term, features)
            new_ones, new_zeros = held & ones - done, held & zeros - done
            if len(new_ones) > len(new_zeros) or (held & ones and not held & zeros):
                selected[r] = held
                done |= held
    chosen = list(selected)
    for r in chosen:
        alone = selected[r].difference(*(held for other, held in selected.items() if other != r))
        if len(alone & ones) <= len(alone & zeros):
            del selected[r]
    return chosen, list(selected)


@pytest.mark.parametrize("random_state", range(20))
def test_both_terms_of_the_papers_first_test_are_found(random_state):
    learned = learn_greedy(
        PackedTable.from_arrays(AB_OR_CD, AB_OR_CD_CLASS), ("a", "b", "c", "d"), 2, random_state=random_state
    )
    assert sorted(str(learned.model.to_dnf()).split(" | ")) == ["a & b", "c & d"]
    assert learned.objective == 0


def test_cart_needs_depth_4_for_the_papers_first_test():
    exact = [
        DecisionTreeClassifier(max_depth=d).fit(AB_OR_CD, AB_OR_CD_CLASS).score(AB_OR_CD, AB_OR_CD_CLASS) == 1
        for d in (2, 3, 4)
    ]
    assert exact == [False, False, True]


# The DNF column of the paper's Table 2.
@pytest.mark.parametrize(
    ("name", "k", "accuracy"),
    [
        ("monks-1", 2, 75.00),
        ("monks-1", 3, 77.78),
        ("monks-2", 2, 60.65),
        ("monks-2", 3, 63.66),
        ("monks-3", 2, 97.22),
        ("monks-3", 3, 97.22),
    ],
)
def test_monks_are_those_of_the_paper_to_the_digit(name, k, accuracy):
    paper_file(f"{name}.train")
    X, y = datasets.load_paper(name, part="train")
    test_X, test_y = datasets.load_paper(name, part="test")
    counts = PackedTable.from_arrays(X, y == 1)
    for random_state in range(3):
        learned = learn_greedy(counts, names(11), k, random_state=random_state)
        assert round(100 * np.mean(predictions(learned, test_X) == test_y), 2) == accuracy


def constructed(counts, k, seed):
    """The matrix of Algorithm 1."""
    return learn_greedy(counts, names(counts.n_features), k, polarity="positive", random_state=seed).model.matrix


@given(table=training_tables(), k=st.integers(1, 4), seed=st.integers(0, 5))
def test_each_literal_is_a_best_one_that_algorithm_1_may_take(table, k, seed):
    features, positive = table
    n = features.shape[1]
    k = min(k, n)
    matrix = constructed(PackedTable.from_arrays(features, positive), k, seed)
    assert [len(row) for row in matrix] == [k] * k
    for i, j in product(range(k), repeat=2):
        limit = min(k - j, ceil(2 * (n - j) / i - 1)) if i else 0
        used = {feature_of(code) for code in matrix[i][:j]}
        barred = {code for row in matrix[:i] for code in row[:limit]}
        gains = {}
        for code in set(range(2 * n)) - barred:
            if feature_of(code) not in used:
                held = list(covered([*matrix[i][:j], code], features))
                gains[code] = positive[held].sum() - (~positive[held]).sum()
        assert gains[matrix[i][j]] == max(gains.values())


def test_ties_are_broken_uniformly():
    counts = PackedTable.from_arrays(AB_OR_CD, AB_OR_CD_CLASS)
    firsts = [constructed(counts, 1, seed)[0][0] for seed in range(2000)]
    # Four literals tie; 500 each expected, 5 standard deviations allowed.
    assert np.bincount(firsts, minlength=8).tolist() == pytest.approx([500, 0] * 4, abs=97)


@given(table=training_tables(), k=st.integers(1, 4), seed=st.integers(0, 5))
def test_selection_and_pruning_on_grid_points_are_those_on_examples(table, k, seed):
    features, positive = table
    k = min(k, features.shape[1])
    counts = PackedTable.from_arrays(features, positive)
    matrix = constructed(counts, k, seed)
    grid = counts.grid_histogram(matrix)
    selected = select_terms(grid, matrix, k)
    expected_selected, expected_kept = naive_selection(matrix, k, features, positive)
    assert selected == expected_selected
    assert prune_terms(grid, selected) == expected_kept


def test_a_pure_term_is_selected_though_all_it_covers_is_covered():
    # The term (1, 1) comes first and covers the only point it shares with (2, 0), which has no class 0 at all.
    grid = GridHistogram(np.array([[0, 1], [1, 1], [2, 1]]), np.array([1.0, 3.0, 2.0]), np.array([2.0, 1.0, 0.0]))
    matrix = ((0, 2), (4, 6))
    assert select_terms(grid, matrix, 2) == [(2, 0), (1, 1)]
    assert prune_terms(grid, [(2, 0), (1, 1)]) == [(1, 1)]


def test_selection_stops_when_all_of_class_1_is_covered():
    grid = GridHistogram(np.array([[0], [1], [2]]), np.array([0.0, 0.0, 4.0]), np.array([1.0, 0.0, 0.0]))
    assert select_terms(grid, ((0, 2),), 2) == [(2,)]


def test_inconsistent_terms_are_not_tried():
    grid = GridHistogram(np.array([[0, 1], [1, 0]]), np.array([3.0, 3.0]), np.array([1.0, 1.0]))
    assert (1, 1) not in select_terms(grid, ((0, 2), (1, 2)), 2)


@given(table=training_tables(), k=st.integers(1, 8), polarity=st.sampled_from(["positive", "negative", "auto"]))
def test_both_sides_are_at_most_k_wide_and_the_objective_is_the_share_of_errors(table, k, polarity):
    features, positive = table
    learned = learn_greedy(PackedTable.from_arrays(features, positive), names(features.shape[1]), k, polarity=polarity)
    double = learned.model.double()
    double.verify()
    assert max((term.size for side in (double.positive, double.negative) for term in side.terms), default=0) <= k
    assert learned.model.k == k
    assert learned.objective == pytest.approx(np.mean(predictions(learned, features) != positive))


@given(table=training_tables(), k=st.integers(1, 4))
def test_the_negative_polarity_is_the_complement_of_what_is_learned_on_exchanged_classes(table, k):
    features, positive = table
    learned = learn_greedy(
        PackedTable.from_arrays(features, positive), names(features.shape[1]), k, polarity="negative"
    )
    other = learn_greedy(PackedTable.from_arrays(features, ~positive), names(features.shape[1]), k)
    assert learned.model.root.label == 0
    assert learned.model.root.nested == other.model
    auto = learn_greedy(PackedTable.from_arrays(features, positive), names(features.shape[1]), k, polarity="auto")
    plain = learn_greedy(PackedTable.from_arrays(features, positive), names(features.shape[1]), k)
    assert auto.objective == min(learned.objective, plain.objective)


@given(
    table=training_tables(),
    allowed=st.frozensets(st.integers(0, 11)),
    polarity=st.sampled_from(["positive", "negative"]),
)
def test_only_allowed_literals_occur_in_terms_of_class_1(table, allowed, polarity):
    features, positive = table
    allowed = frozenset(code for code in allowed if feature_of(code) < features.shape[1])
    counts = PackedTable.from_arrays(features, positive)
    learned = learn_greedy(counts, names(features.shape[1]), 3, polarity=polarity, allowed=allowed)
    double = learned.model.double()
    double.verify()
    assert {code for term in double.positive.terms for code in term.codes} <= allowed
    assert {negation(code) for term in double.negative.terms for code in term.codes} <= allowed


@given(table=training_tables(), data=st.data())
def test_integer_weights_learn_what_repeated_examples_learn(table, data):
    features, positive = table
    repeats = np.array(data.draw(st.lists(st.integers(0, 3), min_size=len(positive), max_size=len(positive))))
    repeats[0] = 1
    weighted = PackedTable.from_arrays(features, positive, repeats.astype(float))
    repeated = PackedTable.from_arrays(np.repeat(features, repeats, axis=0), np.repeat(positive, repeats))
    assert learn_greedy(weighted, names(features.shape[1]), 3) == learn_greedy(repeated, names(features.shape[1]), 3)


def test_scaling_all_weights_changes_nothing():
    generator = np.random.default_rng(1)
    features = generator.random((300, 8)) < 0.5
    positive = (features[:, 0] & features[:, 1]) ^ (generator.random(300) < 0.2)
    plain = learn_greedy(PackedTable.from_arrays(features, positive), names(8), 4)
    # A third has no exact binary form, so sums that tie on paper differ in their last bits.
    scaled = learn_greedy(PackedTable.from_arrays(features, positive, np.full(300, 1 / 3)), names(8), 4)
    assert scaled.model == plain.model


def test_one_class_only_is_a_constant():
    counts = PackedTable.from_arrays(np.eye(3, dtype=bool), np.zeros(3, dtype=bool))
    assert learn_greedy(counts, names(3), 2).model.prefixes == ()


def test_more_literals_than_features_make_a_smaller_matrix():
    counts = PackedTable.from_arrays(AB_OR_CD, AB_OR_CD_CLASS)
    learned = learn_greedy(counts, names(4), 50)
    assert isinstance(learned.model, NestedDNF)
    assert [len(row) for row in learned.model.matrix] == [4] * 4
    learned.model.double().verify()


def test_a_matrix_that_gives_millions_of_terms_is_refused():
    counts = PackedTable.from_arrays(np.eye(12, dtype=bool), np.arange(12) < 6)
    with pytest.raises(
        ValueError, match=r"k must be at most 10 for the greedy learner, which tries C\(2k, k\) terms; got 11"
    ):
        learn_greedy(counts, names(12), 11)
