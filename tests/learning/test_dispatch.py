import numpy as np
import pytest

from idnf.counting.packed import PackedTable
from idnf.learning.dispatch import ROW_LEARNERS, learn_model
from idnf.learning.families import family_of
from idnf.learning.greedy import learn_greedy
from idnf.learning.objective import Learned, holds
from idnf.learning.task import LearningTask
from idnf.logic.literals import literal
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree

NAMES = tuple(f"x{j}" for j in range(24))


@pytest.fixture(scope="module")
def examples():
    """Rows of which hardly two are the same, a nested DNF on them, and one label in ten turned round."""
    generator = np.random.default_rng(4)
    features = generator.random((3_000, len(NAMES))) < 0.5
    positive = (features[:, 0] & features[:, 1]) | (features[:, 2] & ~features[:, 3])
    return features, positive ^ (generator.random(len(features)) < 0.1)


@pytest.fixture
def few(monkeypatch):
    """A learner that looks at no more than 30 distinct rows."""
    monkeypatch.setattr("idnf.learning.dispatch.MOST_ROWS", 30)


def task(family, **settings):
    return LearningTask(NAMES, 2, family=family_of(family), price=0.0, effort=0.05, random_state=0, **settings)


def errors(model, examples):
    features, positive = examples
    return float(np.mean(holds(model, features) != positive))


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("family", ["nested", "any"])
def test_a_sample_recounted_is_never_worse_on_all_rows_than_greedy(examples, family):
    table = PackedTable.from_arrays(*examples, None)
    found = learn_model(table, task(family, learner="search"))
    assert found.training_data == "sample of 30 distinct rows, recounted on all"
    greedy = learn_greedy(table, NAMES, 2, polarity="auto")
    assert errors(found.learned.model, examples) <= errors(greedy.model, examples)
    assert found.learned.objective == pytest.approx(errors(found.learned.model, examples))
    assert found.learned.optimal is None


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("complemented", [False, True])
def test_terms_are_selected_anew_by_the_counts_of_all_rows(monkeypatch, examples, complemented):
    # One of two columns but not both: no literal alone says anything, so greedy learning does not find it.
    features, _ = examples
    matrix = ((literal(0), literal(1, negated=True)), (literal(0, negated=True), literal(1)))
    half = NestedDNF(NAMES, matrix, ((2, 0),), 2)
    model = NestedTree(NAMES, Leaf(half, 0, 1), 2) if complemented else half
    monkeypatch.setitem(ROW_LEARNERS, "search", lambda *_: Learned(model, 0.25))
    positive = features[:, 0] ^ features[:, 1] ^ complemented
    table = PackedTable.from_arrays(features, positive, None)
    found = learn_model(table, task("nested", learner="search")).learned
    whole = found.model.root.nested if complemented else found.model
    assert (whole.matrix, set(whole.prefixes)) == (matrix, {(2, 0), (0, 2)})
    assert found.objective == errors(found.model, (features, positive)) == 0


@pytest.mark.parametrize(
    ("family", "learner", "limit", "text"),
    [
        ("nested", "greedy", 300, "all rows"),
        ("any", "search", 50_000, "distinct rows"),
        ("any", "greedy", 50_000, "distinct rows"),
        ("tree", "greedy", 300, "sample of 300 distinct rows, recounted on all"),
        ("tree", "search", 300, "sample of 300 distinct rows, recounted on all"),
    ],
)
def test_what_was_looked_at_is_told(monkeypatch, examples, family, learner, limit, text):
    monkeypatch.setattr("idnf.learning.dispatch.MOST_ROWS", limit)
    features, positive = examples
    table = PackedTable.from_arrays(features[:1_000], positive[:1_000], None)
    if learner == "greedy":
        assert learn_model(table, task(family, learner="greedy")).training_data == text
        assert learn_model(table, task(family, learner="greedy"), whole=True).training_data == "all rows"
    else:
        assert learn_model(table, task(family, learner=learner)).training_data == text


def test_greedy_learning_of_other_families_takes_no_monotone_constraint(examples):
    table = PackedTable.from_arrays(*examples, None)
    with pytest.raises(ValueError, match="monotonic_cst"):
        learn_model(table, task("any", allowed=frozenset({0}), learner="greedy"))
