"""What is remarked on columns: near leaks, codes as quantities, categories in order; and rare labels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from idnf import DNFClassifier, TableBinariser
from idnf.tables.column_check import label_decisions
from idnf.tables.ordered_words import shown_order


def remarks(X, y, topic, **settings):
    report = TableBinariser(**settings).fit(X, y).report_
    return {one.column: one.text for one in report if one.topic == topic}


def test_rare_is_rare_among_the_labels_there_are():
    assert label_decisions([str(i) for i in range(25)], [100] * 25) == []
    assert label_decisions([str(i) for i in range(32)], [50] * 16 + [40] * 16) == []
    (one,) = label_decisions(["a", "b", "c"], [500, 480, 20])
    assert one.text.startswith("label 'c' is rare: 20 of 1,000 rows (2.0%)")
    assert label_decisions(["a", "b"], [949, 51]) == []
    assert "label 'b' is rare: 49 of" in label_decisions(["a", "b"], [951, 49])[0].text


def test_a_near_leak_of_several_labels_is_reported_and_left_out_if_asked():
    rng = np.random.default_rng(0)
    rate, noise = rng.random(2000) * 7, rng.random(2000)
    grade = np.array(list("ABCDEFG"))[rate.astype(int)]
    grade[:10] = "A"
    X = pl.DataFrame({"interest_rate": rate, "noise": noise})
    (said,) = remarks(X, grade, "gives the label away").values()
    assert "gives 99." in said
    assert said.endswith("% of the labels: a leak? leave out if known only afterwards")
    assert remarks(X, grade, "gives the label away", drop_leaks=True)["interest_rate"].endswith("a leak? left out")
    assert [column.name for column in TableBinariser(drop_leaks=True).fit(X, grade).columns_] == ["noise"]
    kept = TableBinariser(drop_leaks=True, kinds={"interest_rate": "keep"}).fit(X, grade)
    assert [column.name for column in kept.columns_] == ["interest_rate", "noise"]
    lazily = DNFClassifier(k=1, binariser=TableBinariser(drop_leaks=True)).fit(X.with_columns(y=grade).lazy(), "y")
    assert [column.name for column in lazily.binariser_.columns_] == ["noise"]


def test_what_gains_less_than_98_percent_is_no_leak():
    rng = np.random.default_rng(1)
    y = rng.random(2000) < 0.5
    for wrong, leaks in ((0.005, True), (0.03, False)):
        X = pd.DataFrame({"close": y ^ (rng.random(2000) < wrong), "n": rng.random(2000)})
        assert ("close" in remarks(X, y, "gives the label away")) == leaks
    # Of a rare label 98 % must be told, not 98 % of all rows.
    rare = rng.random(2000) < 0.05
    X = pd.DataFrame({"close": rare ^ (rng.random(2000) < 0.01), "n": rng.random(2000)})
    assert remarks(X, rare, "gives the label away") == {}


def test_two_columns_together_may_give_the_label_away():
    rng = np.random.default_rng(2)
    paid, balance = rng.random(2000), rng.random(2000)
    X = pd.DataFrame({"paid": paid, "balance": balance, "n": rng.random(2000)})
    y = (paid > 0.5) & (balance > 0.5)
    (said,) = remarks(X, y, "gives the label away").values()
    assert "together with" in said


def test_codes_compared_as_quantities_are_remarked_on():
    rng = np.random.default_rng(3)
    X = pd.DataFrame({name: rng.integers(0, 300, 900) for name in ("precinct", "flight", "typur", "amount")})
    assert remarks(X, rng.random(900) < 0.5, "codes").keys() == {"precinct", "flight", "typur"}


@pytest.mark.parametrize(
    ("values", "order"),
    [
        (["Low", "Medium", "High", "Very_High"], "Low<Medium<High<Very_High"),
        (list("GBFADCE"), "A<B<C<D<E<F<G"),
        (["agree", "disagree", "neutral", "strongly agree"], "disagree<neutral<agree<strongly agree"),
        (["often", "never", "sometimes"], "never<sometimes<often"),
        (["A", "B", "C"], ""),
        (["low", "high"], ""),
        (["low", "Low", "high"], ""),
        (["medium", "middle", "low"], ""),
        (["red", "low", "high"], ""),
    ],
)
def test_words_that_show_an_order(values, order):
    assert shown_order(values) == order


def sizes(n=300):
    rng = np.random.default_rng(4)
    size = np.array(["low", "medium", "high"])[rng.integers(0, 3, n)]
    return pd.DataFrame({"risk": size, "n": rng.random(n)}), size != "low"


def test_an_order_is_asked_about_and_taken_if_it_is_declared():
    X, y = sizes()
    assert remarks(X, y, "order") == {"risk": "low, medium, high: in order?"}
    line = str(TableBinariser().fit(X, y).report_)
    assert "(otherwise: TableBinariser(kinds={'risk': 'low<medium<high'}))" in line
    clf = DNFClassifier(k=1, binariser=TableBinariser(kinds={"risk": "low < medium < high"})).fit(X, y)
    assert clf.binariser_.columns_[0].kind == "ordered"
    assert "risk is above low" in clf.to_text() or "risk is low" in clf.to_text()
    with pytest.raises(ValueError, match="column 'risk' must be one of low, medium, high; got 'huge' in row 1"):
        clf.predict(pd.DataFrame({"risk": ["huge"], "n": [0.5]}))


def test_orders_that_are_none_are_refused():
    X, y = sizes()
    with pytest.raises(ValueError, match="must name every category of the column once, in order; got .* without 'low'"):
        TableBinariser(kinds={"risk": "medium<high"}).fit(X, y)
    with pytest.raises(ValueError, match="must name every category of the column once, in order"):
        TableBinariser(kinds={"risk": "low<medium<high<low"}).fit(X, y)
    with pytest.raises(ValueError, match=r"kinds\['n'\] must be an order of texts; got numbers in the column"):
        TableBinariser(kinds={"n": "1<2"}).fit(X, y)
    with pytest.raises(ValueError, match="be one of number, category, .*, or categories in order such as 'low<high'"):
        TableBinariser(kinds={"n": "amount"}).fit(X, y)
