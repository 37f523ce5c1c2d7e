import time
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive
from tests.learning.example_rows import distinct_rows, majority, names, truth_table
from tests.strategies import few

from idnf import DNFClassifier
from idnf.counting.contract import DistinctRows
from idnf.counting.packed import PackedTable
from idnf.learning.families import family_of
from idnf.learning.greedy import learn_greedy
from idnf.learning.local import search as search_module
from idnf.learning.local.jobs import BergeJob, SearchProblem, run_job
from idnf.learning.local.labelled_terms import starting_terms
from idnf.learning.local.masks import ExampleMasks
from idnf.learning.local.search import search
from idnf.learning.lookahead import cart
from idnf.learning.objective import error_share, holds, plain_objective
from idnf.learning.task import LearningTask
from idnf.logic.class_dnfs import ClassDNFs, DoubleDNF
from idnf.logic.deadlines import Deadline
from idnf.logic.dnf import DNF
from idnf.logic.literals import mask_of
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree

FAMILIES = ("nested", "tree", "any")
QUICK = 0.02


def with_family(options):
    """Options whose family is given by its name."""
    return {**options, **({"family": family_of(options["family"])} if "family" in options else {})}


def found_by(rows, k, **options):
    return search(rows, LearningTask(names(rows), k, **with_family(options)))


def priced(rows, model, price):
    return error_share(rows, model) + price * model.literal_count


def noisy_rows(n_examples=300, n_features=8, seed=0):
    generator = np.random.default_rng(seed)
    features = np.unique(generator.random((n_examples, n_features)) < 0.5, axis=0)
    target = (features[:, :5].sum(axis=1) >= 3) ^ (generator.random(len(features)) < 0.1)
    return DistinctRows.of_two(features, target.astype(float), (~target).astype(float), True)


@given(distinct_rows(), st.integers(0, 3), st.sampled_from(FAMILIES), st.sampled_from([0.0, 0.01, 0.1]))
@few(7)
def test_no_family_is_worse_than_what_it_starts_from(rows, k, family, price):
    learned = found_by(rows, k, family=family, price=price, effort=QUICK)
    references = [NestedDNF.constant(names(rows), value, k) for value in (False, True)]
    if family != "nested":
        references.append(cart(rows, names(rows), k))
    if family != "tree" and k:
        weights = np.concatenate([rows.positive, rows.negative])
        classes = np.repeat([True, False], len(rows.features))
        both = np.concatenate([rows.features, rows.features])
        counts = PackedTable.from_arrays(both[weights > 0], classes[weights > 0], weights[weights > 0])
        references.append(learn_greedy(counts, names(rows), k, polarity="auto").model)
    assert learned.objective == pytest.approx(priced(rows, learned.model, price))
    assert learned.objective <= min(priced(rows, model, price) for model in references) + 1e-9


@given(distinct_rows(), st.integers(0, 3), st.sampled_from(FAMILIES))
@few(7)
def test_every_model_is_a_double_dnf_of_width_k_and_of_its_family(rows, k, family):
    model = found_by(rows, k, family=family, effort=QUICK).model
    double = model if isinstance(model, DoubleDNF) else model.double()
    assert max(double.verify().widths) <= k
    if family == "nested":
        assert isinstance(model, NestedDNF) or model.depth == 0
    if family == "tree":
        assert NestedTree(names(rows), Leaf(model), k).is_plain if isinstance(model, NestedDNF) else model.is_plain


@pytest.mark.parametrize("polarity", ["positive", "negative"])
def test_polarity_says_which_class_the_nested_dnf_is_of(polarity):
    model = found_by(noisy_rows(), 2, family="nested", polarity=polarity, effort=QUICK).model
    assert isinstance(model, NestedDNF) == (polarity == "positive")


def test_majority_of_five_is_learned_by_any_and_is_out_of_reach_of_nested_and_tree():
    rows = truth_table(majority, 5)
    learned = found_by(rows, 3)
    assert error_share(rows, learned.model) == 0.0
    assert isinstance(learned.model, DoubleDNF)
    for family in ("nested", "tree"):
        assert error_share(rows, found_by(rows, 3, family=family, price=0.0).model) > 0


def test_the_result_depends_on_the_seed_only():
    rows = noisy_rows()
    models = [found_by(rows, 3, effort=QUICK, random_state=1, n_jobs=n_jobs).model for n_jobs in (None, 1, 2)]
    assert models[0] == models[1] == models[2]


def test_the_default_objective_is_the_plain_one():
    rows = noisy_rows()
    learned = found_by(rows, 2, family="nested", effort=QUICK)
    assert learned.objective == plain_objective(rows)(learned.model)


def test_a_time_limit_keeps_the_best_so_far():
    rows = noisy_rows(2000, 12)
    began = time.monotonic()
    learned = found_by(rows, 4, effort=1000, deadline=Deadline.after(0.5), price=0.0)
    assert time.monotonic() - began < 10
    assert learned.objective <= priced(rows, cart(rows, names(rows), 4), 0.0)


def test_an_interrupt_keeps_the_best_so_far(monkeypatch):
    rows = noisy_rows()
    calls = []

    def interrupted(problem, job, is_over):
        if calls:
            raise KeyboardInterrupt
        calls.append(job)
        return run_job(problem, job, is_over)

    run_job = search_module.run_job
    monkeypatch.setattr(search_module, "run_job", interrupted)
    learned = found_by(rows, 3, price=0.0, effort=QUICK)
    assert learned.objective <= priced(rows, cart(rows, names(rows), 3), 0.0)


def test_an_interrupt_inside_a_job_ends_the_search(monkeypatch):
    sweeps = []

    def sweep(state):
        sweeps.append(state)
        raise KeyboardInterrupt

    monkeypatch.setenv("IDNF_KERNELS", "numpy")
    monkeypatch.setattr("idnf.learning.local.specification.tree_search.TreeState.sweep", sweep)
    rows = noisy_rows()
    learned = found_by(rows, 3, price=0.0)
    assert len(sweeps) == 1
    assert learned.objective <= priced(rows, cart(rows, names(rows), 3), 0.0)


@given(distinct_rows(), st.integers(1, 3), st.sampled_from(FAMILIES), st.data())
@few(4)
def test_only_allowed_literals_occur(rows, k, family, data):
    allowed = frozenset(data.draw(st.sets(st.integers(0, 2 * rows.features.shape[1] - 1))))
    model = found_by(rows, k, family=family, effort=QUICK, allowed=allowed).model
    double = model if isinstance(model, DoubleDNF) else model.double()
    forbidden = [sum(1 << (code ^ flip) for code in allowed) for flip in (0, 1)]
    for dnf, permitted in zip((double.positive, double.negative), forbidden, strict=True):
        assert all(mask & permitted == mask for mask in dnf.masks)


def test_progress_goes_up_to_one():
    seen = []
    found_by(noisy_rows(), 2, effort=QUICK, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"family": "forest"}, "family must be one of any, .*, nested, checklist; got 'forest'"),
        ({"polarity": "both"}, "polarity must be one of auto, positive, negative; got 'both'."),
        ({"effort": 0}, "effort must be positive; got 0."),
    ],
)
def test_options_are_checked(options, message):
    with pytest.raises(ValueError, match=message):
        LearningTask(("a",), 1, **with_family(options))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_time_limit_is_kept_to_a_fifth_of_a_second_on_fifty_thousand_rows(n_jobs):
    """In processor time: the machine may be busy."""
    generator = np.random.default_rng(0)
    features = generator.random((50_000, 60)) < 0.5
    target = (features[:, :5].sum(axis=1) >= 3) ^ (generator.random(len(features)) < 0.2)
    rows = DistinctRows.of_two(features, target.astype(float), (~target).astype(float), True)
    for limit in (0.05, 0.5):
        began = time.process_time()
        found_by(rows, 4, deadline=Deadline.after(limit), n_jobs=n_jobs)
        # Before the clock starts the table is laid out; after it ends the models found are compared.
        assert time.process_time() - began < n_jobs * limit + 1.0


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("rows", [2, 3, 4, 6, 10])
def test_a_literal_that_is_always_right_is_learned_from_few_rows(rows, seed):
    y = np.arange(rows) % 2
    X = np.column_stack([y, np.random.default_rng(seed).random((rows, 2)) < 0.5]).astype(int)
    assert DNFClassifier().fit(X, y).score(X, y) == 1


@cache
def interpretable_tables(n, k):
    """Every k-AXp-interpretable function of n features, as a set of points."""
    tables = product((0, 1), repeat=2**n)
    return [
        frozenset(p for p, value in enumerate(values) if value)
        for values in tables
        if naive.certificate_complexity(values, n) <= k
    ]


def model_of(points, n, k):
    """A double DNF of width k that says 1 exactly at some points."""
    sides = []
    for inside in (points, frozenset(range(2**n)) - points):
        values = [p in inside for p in range(2**n)]
        primes = naive.prime_implicants(values, n)
        sides.append(DNF.from_masks(tuple(f"x{j}" for j in range(n)), [mask_of(p) for p in primes if len(p) <= k]))
    return DoubleDNF(*sides, k)


@given(st.data(), st.integers(0, 9))
@few(8)
def test_between_two_models_the_best_of_all_functions_there_is_found(data, seed):
    n, k = 3, 2
    known = interpretable_tables(n, k)
    outer = data.draw(st.sampled_from(known))
    inner = data.draw(st.sampled_from([points for points in known if points <= outer]))
    net = np.array(data.draw(st.lists(st.integers(-3, 3), min_size=2**n, max_size=2**n)), dtype=float)
    features = np.array([[p >> j & 1 for j in range(n)] for p in range(2**n)], dtype=bool)
    rows = DistinctRows.of_two(features, np.maximum(net, 0) + 1, np.maximum(-net, 0) + 1, True)
    bounds = model_of(outer, n, k), model_of(inner, n, k)
    forced = tuple(bounds[0].side(0).masks), tuple(bounds[1].side(1).masks)
    examples = ExampleMasks(rows, np.random.default_rng(seed))
    problem = SearchProblem(examples, names(rows), k, frozenset(range(2 * n)), forced)
    worths = []
    for model, label, turn in product(bounds, (0, 1), range(3)):
        start = starting_terms((term, label) for term in model.terms(label))
        learned, _ = run_job(problem, BergeJob(start, 1 - label, 0.0, 400, (seed, turn)), lambda: False)
        found = frozenset(np.flatnonzero(holds(learned, features)).tolist())
        assert inner <= found <= outer
        assert max(ClassDNFs.of(learned).verify().widths) <= k
        worths.append(net[sorted(found)].sum())
    legal = [points for points in known if inner <= points <= outer]
    assert max(worths) == max(net[sorted(points)].sum() for points in legal)
