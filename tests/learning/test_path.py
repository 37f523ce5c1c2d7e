import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.learning.example_rows import class_table, distinct_rows, labelled_rows, majority, names, truth_table

from idnf import DNFClassifier
from idnf.counting.contract import DistinctRows
from idnf.learning import path as path_module
from idnf.learning.objective import holds, plain_objective
from idnf.learning.path import CAUTIONS, HeldOut, learning_path, objectives
from idnf.learning.search_learner import learn_by_search
from idnf.learning.task import LearningTask
from idnf.logic.deadlines import Deadline
from idnf.logic.dnf import DNF


def tuned(rows, k):
    return LearningTask(names(rows), k, effort=0.2, tune=True)


def noisy_rows(count, width, concept, noise, seed=0):
    generator = np.random.default_rng(seed)
    features = np.unique(generator.random((count, width)) < 0.5, axis=0)
    classes = np.array([bool(concept(row)) for row in features]) ^ (generator.random(len(features)) < noise)
    return DistinctRows.of_two(features, classes * 1.0, ~classes * 1.0, True)


def test_one_literal_in_noise_needs_no_more_than_one_condition():
    rows = noisy_rows(300, 10, lambda row: row[3], 0.15)
    path = learning_path(rows, tuned(rows, 3))
    assert path.chosen.conditions == 1
    assert [point.size for point in path.points] == [1] * len(CAUTIONS) + [2] * len(CAUTIONS) + [3] * len(CAUTIONS)
    assert sum(point.chosen for point in path.points) == 1


def test_size_one_is_shown_and_chosen_only_where_k_is_one():
    rows = noisy_rows(300, 10, lambda row: row[3], 0.15)
    path = learning_path(rows, tuned(rows, 2))
    assert path.points[0].size == 1
    assert path.chosen.size == 2
    assert learning_path(rows, tuned(rows, 1)).chosen.size == 1


def test_a_concept_that_needs_room_gets_it():
    rows = noisy_rows(400, 9, lambda row: row[0] and row[1] and row[2] or row[3] and row[4] and row[5], 0.0)
    assert learning_path(rows, tuned(rows, 3)).chosen.size == 3


def test_what_is_chosen_errs_little_more_than_the_best_and_is_no_longer():
    rows = noisy_rows(250, 8, lambda row: row[0] ^ row[1], 0.2)
    path = learning_path(rows, tuned(rows, 3))
    eligible = [point for point in path.points if point.size > 1]
    best = max(point.accuracy for point in eligible)
    longest = max(point.conditions for point in eligible if point.accuracy == best)
    halvings = np.log2((1 + longest) / (1 + path.chosen.conditions))
    assert best - path.chosen.accuracy <= halvings * path_module.MOST + 0.05
    assert path.chosen.conditions <= longest


def test_a_literal_is_dearer_where_shorter_models_do_as_well():
    rows = noisy_rows(500, 14, lambda row: row[0] and row[1] and row[2] or row[3] and row[4], 0.2)
    path = learning_path(rows, LearningTask(names(rows), 3, tune=True), cautions=CAUTIONS[:1])
    usual = next(point for point in path.points if point.size == path.chosen.size)
    assert path.objective.price == path.chosen.price == pytest.approx(9 * plain_objective(rows).price)
    assert path.chosen.conditions < usual.conditions
    assert path.chosen.accuracy >= usual.accuracy - path_module.MOST


def test_a_setting_is_clearly_better_if_it_errs_less_by_two_standard_errors():
    rows = DistinctRows.of_two(np.eye(2, dtype=bool), np.array([0.0, 50.0]), np.array([50.0, 0.0]), True)
    never, right = (DNF.parse(text, names="ab").double() for text in ("0", "b"))
    tried = HeldOut([[never, right]], [(rows, rows)], 100.0)
    assert tried.is_clearly_better(1, 0)
    assert not tried.is_clearly_better(0, 1)
    # Half of four examples may be chance: a standard error is a quarter.
    assert not HeldOut([[never, right]], [(rows, rows)], 4.0).is_clearly_better(1, 0)


@given(st.one_of(distinct_rows(), labelled_rows()), st.integers(0, 2**16))
def test_folds_share_out_the_weight_of_every_row(rows, seed):
    folds = path_module._drawn_folds(rows, np.random.default_rng(seed))
    held_out = sum(test.total for _, test in folds)
    assert held_out == pytest.approx(rows.total * len(folds) / path_module.FOLDS)
    for train, test in folds:
        assert train.totals + test.totals == pytest.approx(rows.totals)
        assert np.all(train.masses > 0)


def test_examples_of_one_row_are_held_out_one_by_one():
    rows = DistinctRows.of_two(np.eye(2, dtype=bool), np.array([100.0, 0.0]), np.array([0.0, 100.0]), True)
    for train, test in path_module._drawn_folds(rows, np.random.default_rng(0)):
        assert train.positive.sum() == train.negative.sum() == 80
        assert test.positive.sum() == test.negative.sum() == 20


def test_the_path_does_not_depend_on_the_number_of_threads():
    rows = noisy_rows(200, 7, lambda row: row[0] and row[1], 0.1)
    one, two = (learning_path(rows, LearningTask(names(rows), 2, effort=0.2, n_jobs=n)) for n in (1, 2))
    assert one.points == two.points


def test_the_path_does_not_depend_on_the_random_state():
    rows = noisy_rows(200, 7, lambda row: row[0] and row[1], 0.1)
    one, two = (learning_path(rows, LearningTask(names(rows), 2, effort=0.2, random_state=state)) for state in (0, 7))
    assert one.points == two.points
    assert np.array_equal(one.objective.rows.positive, two.objective.rows.positive)


def test_prices_of_the_objective_that_is_not_chosen_are_those_of_the_folds():
    rows = noisy_rows(300, 12, lambda row: row[0] and row[1], 0.1)
    path = learning_path(rows, tuned(rows, 2))
    prices = {point.caution: point.price for point in path.points}
    assert prices[path.chosen.caution] == path.objective.price
    for caution, objective in zip(CAUTIONS, objectives(rows, CAUTIONS, tuned(rows, 2)), strict=True):
        assert prices[caution] == pytest.approx(objective.price, rel=0.5)
    assert prices[CAUTIONS[0]] == pytest.approx(objectives(rows, CAUTIONS, tuned(rows, 2))[0].price)


def test_no_path_without_examples_time_or_anything_to_guess():
    few = noisy_rows(5, 6, lambda row: row[0], 0.0)
    assert learning_path(few, tuned(few, 2)) is None
    rows = noisy_rows(200, 7, lambda row: row[0], 0.1)
    assert learning_path(rows, LearningTask(names(rows), 2, deadline=Deadline.after(1e-9))) is None
    every = truth_table(majority, 5)
    assert learning_path(every, tuned(every, 3)) is None


def test_a_tuned_model_keeps_the_bound_asked_for_and_its_path():
    rows = noisy_rows(300, 10, lambda row: row[3], 0.15)
    learned = learn_by_search(rows, tuned(rows, 3))
    assert learned.path.chosen.size == 2
    assert learned.model.k == 3
    assert learned.price == learned.path.objective.price
    untuned = learn_by_search(rows, LearningTask(names(rows), 3, effort=0.2))
    assert untuned.path is None


def test_without_tuning_the_cautious_objective_is_minimised(monkeypatch):
    rows = noisy_rows(300, 10, lambda row: row[3], 0.15)
    (cautious,) = objectives(rows, CAUTIONS[1:], tuned(rows, 2))
    learned = learn_by_search(rows, LearningTask(names(rows), 3, effort=0.2))
    assert learned.price == cautious.price
    assert learned.objective == pytest.approx(cautious(learned.model))
    # No votes are taken once time has run out, or Ctrl-C was pressed.
    late = learn_by_search(rows, LearningTask(names(rows), 3, effort=0.2, deadline=Deadline.after(1e-9)))
    monkeypatch.setattr("idnf.learning.search_learner.objectives", interrupted)
    pressed = learn_by_search(rows, LearningTask(names(rows), 3, effort=0.2))
    assert late.price == pressed.price == plain_objective(rows).price


def interrupted(*_, **__):
    raise KeyboardInterrupt


def test_a_price_that_is_given_is_not_tuned():
    rows = noisy_rows(200, 6, lambda row: row[0], 0.1)
    assert learn_by_search(rows, LearningTask(names(rows), 2, effort=0.2, tune=True, price=0.0)).path is None


def test_progress_grows_to_the_end():
    rows = noisy_rows(200, 6, lambda row: row[0], 0.1)
    seen = []
    learn_by_search(rows, LearningTask(names(rows), 2, effort=0.2, tune=True, progress=seen.append))
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(1.0)


def test_caution_raises_the_price_and_believes_labels_less():
    rows = noisy_rows(200, 6, lambda row: row[0], 0.2)
    plain, cautious = objectives(rows, CAUTIONS, tuned(rows, 2))
    assert np.array_equal(plain.rows.positive, rows.positive)
    assert cautious.price > plain.price
    assert not np.array_equal(cautious.rows.positive, rows.positive)
    assert cautious.rows.positive + cautious.rows.negative == pytest.approx(rows.positive + rows.negative)


def test_a_path_reads_as_a_table():
    rows = noisy_rows(200, 6, lambda row: row[0], 0.1)
    path = learning_path(rows, tuned(rows, 2))
    lines = str(path).splitlines()
    assert lines[0].split() == ["size", "objective", "price", "accuracy", "spread", "conditions", "reasons", "chosen"]
    assert [line.endswith("chosen") for line in lines[1:]] == [point.chosen for point in path.points]
    assert path.to_dict()["objective"] == ["plain", "cautious"] * 2


def test_a_label_that_many_examples_share_is_believed():
    rows = noisy_rows(200, 8, lambda row: row[0], 0.2)
    often = DistinctRows.of_two(rows.features, rows.positive.copy(), rows.negative.copy(), True)
    often.positive[0], often.negative[0] = 60.0, 0.0
    _, cautious = objectives(often, CAUTIONS, tuned(often, 2))
    assert cautious.rows.positive[0] > 0.95 * 60


def some_model(generator, size):
    codes = generator.permutation(10)[:size]
    return DNF.parse(" | ".join(f"{'~' * int(code % 2)}x{code // 2}" for code in codes.tolist())).double()


def naive_wrong(model, rows):
    """The weight of the examples that a model gets wrong, row by row."""
    answers = [bool(holds(model, row[np.newaxis])[0]) for row in rows.features]
    weights = zip(answers, rows.positive, rows.negative, strict=True)
    return sum(negative if answer else positive for answer, positive, negative in weights)


@given(st.integers(0, 2**16))
def test_the_setting_taken_is_the_one_of_the_definition(seed):
    generator = np.random.default_rng(seed)
    rows = DistinctRows.of_two(
        truth_table(majority, 5).features, *generator.integers(1, 4, (2, 32)).astype(float), True
    )
    folds = path_module._drawn_folds(rows, generator)
    tried = [[some_model(generator, size) for size in (1, 2, 3)] for _ in folds]
    examples = 0.0 + sum(test.positive.sum() + test.negative.sum() for _, test in folds)
    seen = sum(train.positive.sum() + train.negative.sum() for train, _ in folds)
    expected, lengths = [], []
    for place in range(3):
        models = [each[place] for each in tried]
        outside = sum(naive_wrong(model, test) for model, (_, test) in zip(models, folds, strict=True)) / examples
        inside = sum(naive_wrong(model, train) for model, (train, _) in zip(models, folds, strict=True)) / seen
        expected.append(0.8 * outside + 0.2 * inside)
        lengths.append(np.mean([model.literal_count for model in models]))
    best = int(np.argmin(expected))
    costs = []
    for place in range(3):
        apart = sum(
            (test.positive + test.negative)[holds(each[place], test.features) != holds(each[best], test.features)].sum()
            for each, (_, test) in zip(tried, folds, strict=True)
        )
        more = expected[place] - expected[best]
        spread = np.sqrt(max(apart / examples - more**2, 0) / examples)
        behind = more / min(0.7 * spread, 0.012) if more > 1e-12 else 0
        costs.append((round(behind + np.log2(1 + lengths[place]), 9), lengths[place], expected[place], place))
    held_out = path_module.HeldOut(tried, folds, examples)
    assert held_out.best_for_its_length(np.arange(3)) == min(costs)[-1]


def rows_of_three(noise, *, count=300, width=8):
    generator = np.random.default_rng(0)
    features = np.unique(generator.random((count, width)) < 0.5, axis=0)
    target = features[:, 0] + 1 * features[:, 1]
    wrong = generator.random(len(features)) < noise
    target = np.where(wrong, generator.integers(3, size=len(features)), target)
    return DistinctRows(features, np.eye(3)[target], True)


def test_of_several_classes_every_size_is_shown():
    rows = rows_of_three(0.2)
    path = learning_path(rows, LearningTask(names(rows), 3))
    assert [point.size for point in path.points] == [size for size in (1, 2, 3) for _ in CAUTIONS]
    assert sum(point.chosen for point in path.points) == 1
    assert path.points[0].accuracy < path.chosen.accuracy <= 1
    assert path.objective.price == path.chosen.price


def test_of_several_classes_a_smaller_size_is_taken_if_it_clearly_errs_less():
    rows = rows_of_three(0.5)
    large, usual = (learning_path(rows, LearningTask(names(rows), k), cautions=CAUTIONS[:1]) for k in (4, 3))
    assert large.chosen.size == 2
    assert large.chosen.accuracy > large.points[-1].accuracy + 2 * large.chosen.spread
    # Size 2 errs less than size 3 too, by no more than chance would give.
    assert usual.points[1].accuracy > usual.points[2].accuracy
    assert usual.chosen.size == 3


def test_of_several_classes_the_noisier_the_data_the_more_labels_are_changed():
    changed = []
    for noise in (0.0, 0.2, 0.6):
        rows = rows_of_three(noise)
        plain, cautious = objectives(rows, CAUTIONS, tuned(rows, 2))
        assert plain.rows.weights == pytest.approx(rows.weights)
        assert cautious.price >= plain.price
        assert cautious.rows.masses == pytest.approx(rows.masses)
        changed.append(1 - (cautious.rows.weights * rows.weights).sum() / rows.total)
    assert changed == sorted(changed)


def test_of_several_classes_there_is_no_path_without_examples_time_or_anything_to_guess():
    rows, every = rows_of_three(0.0), class_table(lambda p: p[0] + p[1], 4, 3)
    few = rows.part(np.arange(8))
    assert learning_path(few, LearningTask(names(few), 3)) is None
    assert learning_path(every, LearningTask(names(every), 3)) is None
    assert learning_path(rows, LearningTask(names(rows), 0)) is None
    assert learning_path(rows, LearningTask(names(rows), 3, deadline=Deadline.after(1e-6))) is None


def test_the_classifier_keeps_its_path_of_several_classes():
    rows = rows_of_three(0.1)
    clf = DNFClassifier(k=2, effort=0.2).fit(rows.features, rows.weights.argmax(axis=1))
    assert clf.path_.chosen.size == 2
    assert {"plain", "cautious"} == set(clf.path_.to_dict()["objective"])
    assert DNFClassifier(k=2, effort=0.2, tune=False).fit(rows.features, rows.weights.argmax(axis=1)).path_ is None
