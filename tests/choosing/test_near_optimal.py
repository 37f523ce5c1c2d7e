"""Models as good as a fitted one: what is said of each is so, and the rows on which they agree."""

import re

import numpy as np
import pandas as pd
import pytest

from idnf import DNFClassifier
from idnf.choosing import near_optimal_models


@pytest.fixture(scope="module")
def table():
    generator = np.random.default_rng(1)
    X = pd.DataFrame(generator.random((300, 4)) < 0.5, columns=["a", "b", "c", "d"])
    X["b"] = X["a"] ^ (generator.random(300) < 0.03)
    y = np.where(X["a"] & X["c"], "yes", "no")
    return X, y


def test_each_model_is_what_its_line_says(table):
    X, y = table
    near = near_optimal_models(DNFClassifier(k=2, price=0.0).fit(X, y), X, y, within=0.08, count=500)
    assert near.complete
    assert {("a", "c"), ("b", "c")} <= {one.columns for one in near.models}
    given = np.stack([one.model.predict(X) for one in near.models])
    assert (near.settled == (given == given[0]).all(axis=0)).all()
    assert all("a" not in one.columns for one in near.without("a"))
    assert near.shortest.conditions == min(one.conditions for one in near.models)
    assert [one.loss for one in near.models] == sorted(one.loss for one in near.models)
    assert near[0].accuracy == 1.0
    assert near.to_frame().shape == (len(near), 5)
    assert str(near).endswith("No other in this family labels the training rows differently.")
    for one in near.models:
        one.model.verify()
    drawn = dict(
        re.findall(r'>([^<>]*)</text><rect class="ours" x="62.0" y="[\d.]+" width="([\d.]+)"', near.plot().svg)
    )
    looking = {name: sum(name in one.columns for one in near.models) for name in X.columns}
    assert drawn == {name: f"{440 * count / len(near):.1f}" for name, count in looking.items() if count}


def test_without_rows_held_out_the_fitted_model_is_among_them(table):
    X, y = table
    clf = DNFClassifier(k=2).fit(X, y)
    near = near_optimal_models(clf, X, y, test_size=0)
    assert any((one.model.predict(X) == clf.predict(X)).all() for one in near.models)
    assert np.isnan(near[0].accuracy)


def test_where_k_counts_columns_no_list_of_functions_of_literals_is_complete():
    X = pd.DataFrame({"x": [1, 2, 3] * 40})
    clf = DNFClassifier(k=1, price=0).fit(X, X.x == 2)
    near = near_optimal_models(clf, X, X.x == 2, within=0.1)
    assert not near.complete
    assert str(near) == "One model within the loss. Not every model was looked at: there may be others."
    assert (near[0].loss, near[0].model.score(X, X.x == 2), near.shortest.columns) == (0, 1, ("x",))


@pytest.mark.parametrize("caps", [{"max_terms": 1}, {"max_reasons": 3}])
def test_models_over_the_caps_are_not_listed(caps):
    """Exclusive or takes two lines and four reasons."""
    X = pd.DataFrame([(a, b) for a in (False, True) for b in (False, True)] * 40, columns=["a", "b"])
    near = near_optimal_models(DNFClassifier(k=2, price=0, **caps).fit(X, X.a ^ X.b), X, X.a ^ X.b, within=0.5)
    assert not near.complete
    sizes = [one.model.size_ for one in near.models]
    assert all(size.terms <= 1 if "max_terms" in caps else size.reasons <= 3 for size in sizes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"within": 2}, "within must be from 0 to 1; got 2"),
        ({"count": 0}, "count must be at least 1; got 0"),
        ({"test_size": 1}, "test_size must be at least 0 and below 1; got 1"),
    ],
)
def test_options_out_of_range_are_named(table, options, message):
    X, y = table
    with pytest.raises(ValueError, match=message):
        near_optimal_models(DNFClassifier(k=1).fit(X, y), X, y, **options)


def test_groups_differ_by_the_shares_that_they_are_given(table):
    X, y = table
    groups = np.where(np.arange(len(y)) % 3 == 0, "f", "m")
    near = near_optimal_models(DNFClassifier(k=2).fit(X, y), X.assign(sex=groups), y, resamples=0, subgroup="sex")
    for one in near.models:
        given = one.model.predict(X)
        low, high = sorted(np.mean(given[groups == group] == given[0]) for group in "fm")
        assert one.gap == pytest.approx(high - low)
    assert near.fairest.gap == min(one.gap for one in near.models)
    assert near.columns()["gap"] == [one.gap for one in near.models]
    with pytest.raises(ValueError, match=r"subgroup must name a column of X \(.*\); got 'age'"):
        near_optimal_models(DNFClassifier(k=1).fit(X, y), X, y, subgroup="age")


def test_three_classes_have_near_equals_too():
    generator = np.random.default_rng(2)
    X = generator.random((200, 4)) < 0.5
    near = near_optimal_models(
        DNFClassifier(k=2, effort=0.2).fit(X, X[:, 0] + X[:, 1].astype(int)), X, X[:, 0] + X[:, 1].astype(int)
    )
    assert near[0].accuracy == 1.0
    assert not near.complete


def test_what_the_rows_say_comes_back_and_chance_does_not(table):
    X, y = table
    near = near_optimal_models(DNFClassifier(k=2, price=0.01).fit(X, y), X, y, within=0.05, resamples=6)
    back = near.recurrence
    assert back.resamples == 6
    assert back.by_column["c"] == back.by_condition["c"] == 1.0
    assert back.by_column.get("d", 0.0) < 0.5
    assert near.steadiest.columns == ("a", "c")
    assert back.to_frame().shape == (len(back.by_column) + len(back.by_condition), 4)
    assert ["column", "c", "100%", "yes"] in [line.split() for line in back.to_text().splitlines()]
    with pytest.raises(ValueError, match="resamples must be at least 0; got -1"):
        near_optimal_models(DNFClassifier(k=1).fit(X, y), X, y, resamples=-1)
