"""Bands: nested at every point, reasons within k at every boundary, shares that grow; and scikit-learn's checks."""

from __future__ import annotations

import pickle
import re
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks
from tests import naive
from tests.strategies import seeds

from idnf import DNFBands, DNFClassifier, TableWarning, VerificationError

QUICK = {"effort": 0.05}


@parametrize_with_checks([DNFBands(k=2, boundaries=2, tune=False, **QUICK)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def loans(seed, rows=240):
    """A table of numbers, categories and missing values, and a noisy target that adds up."""
    draw = np.random.default_rng(seed)
    income, late = draw.integers(0, 9, rows) * 1.0, draw.integers(0, 4, rows)
    job = draw.choice(["clerk", "nurse", "smith"], rows)
    score = late - income / 3 + (job == "smith") + draw.normal(size=rows)
    table = pd.DataFrame({"income": income, "late": late, "job": job})
    table.loc[draw.random(rows) < 0.1, "income"] = np.nan
    return table, pd.Series(np.where(score > 0, "bad", "good"), name="risk"), score


ORDER = {"order": ["good", "bad"]}


@pytest.mark.parametrize("seed", seeds(2, 30))
def test_bands_are_nested_and_reasons_small_at_every_row(seed):
    """By brute force: every row that can be is tried at every boundary, and every reason by all rows that meet it."""
    X, y, _ = loans(seed)
    bands = DNFBands(k=2, boundaries=3, tune=bool(seed % 2), **ORDER, **QUICK).fit(X, y)
    rows = pd.DataFrame(
        list(product([*np.arange(0, 9.0, 0.5), np.nan], [0, 1, 2, 3], ["clerk", "nurse", "smith", "x"])),
        columns=X.columns,
    )
    holding = np.array([model.predict(rows) == model.classes_[1] for model in bands.models_])
    assert (holding[1:] <= holding[:-1]).all()
    numbers = bands.band(rows)
    assert numbers.tolist() == holding.sum(axis=0).tolist()
    listed = [{one.id: one.box for one in bands.reasons(band)} for band in range(len(bands.names_))]
    for row, explained in enumerate(bands.explain(rows)):
        assert explained.band == numbers[row]
        for reason, other in (
            (explained.at_least, numbers >= explained.band),
            (explained.below, numbers <= explained.band),
        ):
            if reason is not None:
                assert len(reason.axp) <= 2
                assert listed[explained.band][reason.reason] == reason.box
                reason.check()
                assert other[naive.rows_in(bands.binariser_, rows, reason.box)].all()
    bands.verify()


@pytest.mark.parametrize("seed", seeds(2, 20))
def test_shares_grow_with_the_band_and_agree_with_predict(seed):
    X, y, _ = loans(seed)
    bands = DNFBands(k=2, **ORDER, **QUICK).fit(X, y)
    shares = bands.predict_proba(X)
    bad = shares[:, bands.classes_.tolist().index("bad")]
    table = bands.bands_.columns()
    assert (np.diff(table["probability"]) >= 0).all()
    assert bad.tolist() == [table["probability"][band] for band in bands.band(X)]
    assert bands.predict(X).tolist() == np.where(bad > 0.5, "bad", "good").tolist()
    assert np.bincount(bands.band(X), minlength=len(table["band"])).tolist() == table["rows"]


def test_class_weight_moves_predict_alone_if_boundaries_are_given():
    X, y, _ = loans(0)
    plain = DNFBands(k=2, boundaries=[0.2, 0.5, 0.8], **ORDER, **QUICK).fit(X, y)
    dear = DNFBands(k=2, boundaries=[0.2, 0.5, 0.8], class_weight={"bad": 9.0}, **ORDER, **QUICK).fit(X, y)
    assert dear.predict_proba(X).tolist() == plain.predict_proba(X).tolist()
    alone = DNFClassifier(k=2, class_weight={"bad": 9.0}, **QUICK).fit(X, y)
    assert dear.predict(X).tolist() == alone.predict(X).tolist()


CHOSEN = [{}, {"class_weight": "balanced"}, {"boundaries": 3, "tune": False}, {"max_terms": 2}, {"conditions": "sets"}]
GIVEN = [{"boundaries": [0.3, 0.7]}, {"names": ["low", "mid", "high"], "boundaries": [0.2, 0.6]}]


@pytest.mark.parametrize("order", [["good", "bad"], ["bad", "good"]])
@pytest.mark.parametrize("settings", CHOSEN + GIVEN, ids=str)
def test_bands_decide_as_the_classifier_of_the_same_parameters(settings, order):
    X, y, _ = loans(5, rows=160)
    bands = DNFBands(k=2, order=order, **settings, **QUICK).fit(X, y)
    own = {name: value for name, value in settings.items() if name not in ("boundaries", "names")}
    later, _, _ = loans(6, rows=300)
    assert bands.predict(later).tolist() == DNFClassifier(k=2, **own, **QUICK).fit(X, y).predict(later).tolist()
    assert (bands.fitted_.classifier is None) == (settings in CHOSEN)
    bands.verify()
    if settings in CHOSEN:
        # The higher label is given from the decisive boundary on, and shares lie on its side of the even odds.
        given = np.where(bands.band(later) > bands.fitted_.decisive, order[1], order[0])
        assert bands.predict(later).tolist() == given.tolist()
        share = bands.predict_proba(later)[:, bands.classes_.tolist().index(order[1])]
        low, high = (dict(zip(bands.classes_, bands.fitted_.costs or (1, 1)))[label] for label in order)
        assert ((share * high > (1 - share) * low) == (bands.predict(later) == order[1])).all()
        at = bands.boundaries_
        assert at[bands.fitted_.decisive] == pytest.approx(low / (low + high))
        assert list(at) == sorted(set(at))


def test_a_classifier_of_too_many_terms_is_read_beside_the_bands(monkeypatch):
    monkeypatch.setattr("idnf.learning.chains._MOST_TERMS", 1)
    X, y, _ = loans(5, rows=160)
    with pytest.warns(TableWarning, match="the classifier of the same parameters has too many terms, so no boundary"):
        bands = DNFBands(k=2, **ORDER, **QUICK).fit(X, y)
    assert bands.predict(X).tolist() == DNFClassifier(k=2, **QUICK).fit(X, y).predict(X).tolist()


def test_a_table_that_tells_nothing_has_one_boundary():
    with pytest.warns(TableWarning, match="is constant, so no boundary is its own"):
        bands = DNFBands().fit(pd.DataFrame({"a": [1.0] * 40}), [0, 1] * 20)
    assert bands.boundaries_ == (0.5,)
    assert (bands.fitted_.decisive, set(bands.predict([[1.0], [2.0]]))) == (None, {0})


def test_names_and_sentences():
    X, y, _ = loans(1)
    bands = DNFBands(k=2, boundaries=[0.3, 0.7], names=["approve", "refer", "decline"], **ORDER, **QUICK).fit(X, y)
    explained = bands.explain(X)
    one = next(each for each in explained if each.band == 1)
    assert one.name == "refer"
    assert str(one).startswith("refer (about ")
    assert " of such cases are bad): above approve because " in str(one)
    assert "; below decline because " in str(one)
    assert next(each for each in explained if each.band == 0).at_least is None
    assert next(each for each in explained if each.band == 2).below is None
    assert explained.columns()["name"] == [["approve", "refer", "decline"][band] for band in bands.band(X)]
    assert {reason.label for reason in bands.reasons("refer")} == {"at least refer", "below decline"}
    text = bands.to_text()
    assert re.search(r"\ndecline \(about \d+% of such cases are bad\) (if|unless)\b", text)
    assert re.search(r"\nrefer \(about \d+% of such cases are bad\) otherwise, (if|unless)\b", text)
    assert re.search(r"\napprove \(about \d+% of such cases are bad\) otherwise\.$", text)
    assert "at least decline" not in text


def test_recourse_reaches_a_band_or_beyond():
    X, y, _ = loans(2)
    bands = DNFBands(k=2, boundaries=[0.3, 0.7], names=["approve", "refer", "decline"], **ORDER, **QUICK).fit(X, y)
    numbers, whole = bands.band(X), X.assign(income=X["income"].fillna(4.0))
    for row, to in product(range(0, 40, 5), range(3)):
        before = int(bands.band(whole.iloc[[row]])[0])
        found = bands.recourse(whole.iloc[row].to_dict(), to=to)
        for way in found:
            changed = whole.iloc[[row]].copy()
            for change in way.changes:
                changed[change.column] = type(whole[change.column].iloc[0])(change.new)
            after = int(bands.band(changed)[0])
            assert after <= to if before > to else after >= to if before < to else after == before
            wanted = {0: ("approve",), 1: ("refer", "refer or higher", "refer or lower"), 2: ("decline",)}[to]
            assert way.label in wanted
            assert str(way).startswith(("For the band to be ", "The band is "))
    assert len(numbers) == len(X)
    with pytest.raises(ValueError, match="band must be one of approve, refer, decline or a number below 3; got 'no'"):
        bands.recourse(X.iloc[0].to_dict(), to="no")


def test_what_is_decided_by_some_columns():
    """The bands that some values allow are those of all rows that have them."""
    X, y, _ = loans(3)
    bands = DNFBands(k=2, boundaries=[0.3, 0.7], **ORDER, **QUICK).fit(X, y)
    every = pd.DataFrame(
        list(product([*np.arange(0, 9.0, 0.5), np.nan], [0, 1, 2, 3], ["clerk", "nurse", "smith", "x"])),
        columns=X.columns,
    )
    numbers = bands.band(every)
    for late in range(4):
        met = numbers[(every["late"] == late).to_numpy()]
        assert bands.possible({"late": late}) == (met.min(), met.max())
    assert bands.decided({"late": 0, "income": 8.0, "job": "clerk"}) == bands.band(
        pd.DataFrame({"income": [8.0], "late": [0], "job": ["clerk"]})
    )
    assert bands.possible({}) == (numbers.min(), numbers.max())


def test_recourse_says_which_band_in_words():
    """A band at an end is named, one between is reached or passed."""
    X = pd.DataFrame({"a": [0, 0, 1, 1] * 30, "b": [0, 1, 0, 1] * 30})
    y = X["a"] + X["b"] > np.arange(120) // 4 % 2
    bands = DNFBands(k=2, boundaries=[0.25, 0.75], names=["approve", "refer", "decline"]).fit(X, y)
    low, middle, high = ({"a": 0, "b": 0}, {"a": 0, "b": 1}, {"a": 1, "b": 1})
    assert bands.band(pd.DataFrame([low, middle, high])).tolist() == [0, 1, 2]
    assert str(bands.recourse(middle, to="approve")) == "For the band to be approve: change b from 1 to 0."
    assert str(bands.recourse(middle, to="decline")) == "For the band to be decline: change a from 0 to 1."
    assert str(bands.recourse(low, to="refer")).startswith("For the band to be refer or higher: change ")
    assert str(bands.recourse(high, to="refer")).startswith("For the band to be refer or lower: change ")
    assert str(bands.recourse(middle, to="refer")) == "The band is refer already: nothing has to change."
    blocked = bands.recourse(middle, to="approve", immutable=["b"])
    assert str(blocked) == "No change leads to the band: approve; blocked by b (immutable)."


def test_a_price_given_is_the_price_of_every_boundary():
    X, y, _ = loans(0)
    cheap, dear = (DNFBands(k=2, boundaries=[0.3, 0.7], price=price, **QUICK).fit(X, y) for price in (0.0, 10.0))
    assert sum(model.size_.conditions for model in cheap.models_) > 2
    assert not any(model.size_.conditions for model in dear.models_)


def test_ordered_targets():
    X, _, score = loans(4, rows=400)
    y = pd.Categorical(
        np.array(["low", "medium", "high"])[np.digitize(score, [-1.5, 0.5])], ["low", "medium", "high"], ordered=True
    )
    bands = DNFBands(k=2, **QUICK).fit(X, pd.Series(y, name="risk"))
    assert bands.names_ == ("low", "medium", "high")
    assert bands.classes_.tolist() == ["high", "low", "medium"]
    assert bands.predict(X).tolist() == [bands.names_[band] for band in bands.band(X)]
    shares = bands.predict_proba(X)
    assert np.allclose(shares.sum(axis=1), 1)
    given = DNFBands(k=2, order=["low", "medium", "high"], **QUICK).fit(X, np.asarray(y))
    assert given.band(X).tolist() == bands.band(X).tolist()
    above = np.cumsum(bands.fitted_.bands.shares[:, ::-1], axis=1)[:, ::-1]
    assert (np.diff(above, axis=0) >= -1e-12).all()
    bands.verify()


def test_levels_that_a_rule_gives_are_found():
    """By the number of three signs: any of them is at least medium, two of them are high."""
    draw = np.random.default_rng(0)
    X = pd.DataFrame(draw.random((400, 5)) < 0.5, columns=list("abcde"))
    y = np.array(["low", "medium", "high"])[np.minimum(X[["a", "b", "c"]].sum(axis=1), 2)]
    bands = DNFBands(k=3, order=["low", "medium", "high"], **QUICK).fit(X[:300], y[:300])
    assert bands.predict(X[300:]).tolist() == y[300:].tolist()


def test_lazy_tables_give_the_same_bands():
    X, y, _ = loans(5)
    table = pl.from_pandas(X).with_columns(pl.Series("risk", y.to_numpy()))
    params = {"k": 2, "boundaries": [0.3, 0.7], **ORDER, **QUICK}
    eager, lazy = DNFBands(**params).fit(pl.from_pandas(X), y), DNFBands(**params).fit(table.lazy(), "risk")
    found = lazy.explain(table.lazy()).collect()
    assert found["band"].to_list() == lazy.band(pl.from_pandas(X)).tolist()
    said = lazy.explain(pl.from_pandas(X)).columns()
    assert {name: found[name].to_list() for name in said} == said
    assert lazy.band(table.lazy()).collect()["probability"].to_list() == said["probability"]
    assert lazy.fitted_.counts.sum() == eager.fitted_.counts.sum() == len(X)


def test_monotone_bands_never_fall():
    X, y, _ = loans(6)
    bands = DNFBands(k=2, boundaries=2, monotonic_cst={"late": 1, "income": -1}, **ORDER, **QUICK).fit(X.fillna(4), y)
    for job, income in product(["clerk", "nurse", "smith"], range(9)):
        rows = pd.DataFrame({"income": [float(income)] * 4, "late": [0, 1, 2, 3], "job": [job] * 4})
        assert (np.diff(bands.band(rows)) >= 0).all()


def test_caps_go_for_each_boundary():
    X, y, _ = loans(7)
    bands = DNFBands(k=2, boundaries=3, max_terms=1, **ORDER, **QUICK).fit(X, y)
    assert all(model.size_.terms <= 1 for model in bands.models_)


def test_progress_is_told_and_time_is_kept():
    told = []
    X, y, _ = loans(8)
    DNFBands(k=2, progress=told.append, **QUICK).fit(X, y)
    assert told == sorted(told)
    assert told[-1] == 1.0
    bands = DNFBands(k=3, time_limit=0.01).fit(X, y)
    bands.verify()


def test_a_broken_chain_is_refused_with_a_row():
    X, y, _ = loans(0)
    bands = DNFBands(k=2, boundaries=[0.2, 0.8], **ORDER, **QUICK).fit(X, y)
    low, high = bands.fitted_.models
    assert low.model != high.model
    swapped = replace(bands.fitted_, models=(high, low))
    with pytest.raises(
        VerificationError, match="each boundary must lie within the one before; got a row at least band 2"
    ):
        swapped.verify()


def test_pickled_and_repeated_fits_are_the_same():
    X, y, _ = loans(1)
    bands = DNFBands(k=2, boundaries=2, **QUICK).fit(X, y)
    assert pickle.loads(pickle.dumps(bands)).band(X).tolist() == bands.band(X).tolist()
    assert DNFBands(k=2, boundaries=2, n_jobs=2, **QUICK).fit(X, y).to_text() == bands.to_text()


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"boundaries": [0.5, 0.2]}, r"boundaries must be ascending probabilities between 0 and 1; got \[0.5, 0.2\]"),
        ({"boundaries": [0.5], "names": ["a"]}, "names must be 2, one more than boundaries; got 1"),
        ({"boundaries": [0.5], "names": ["a", "a"]}, r"names must be texts of one line that differ; got \['a', 'a'\]"),
        ({"names": ["a"]}, "names must be at least two; got"),
        ({"order": ["good", "worse"]}, r"order must list the labels of y \('bad', 'good'\) once each"),
    ],
)
def test_refusals(params, message):
    X, y, _ = loans(0)
    with pytest.raises(ValueError, match=message):
        DNFBands(k=2, **params, **QUICK).fit(X, y)


def test_several_labels_need_an_order():
    X, _, score = loans(0)
    y = np.digitize(score, [-1, 1])
    with pytest.raises(
        ValueError, match="order must list the 3 labels of y, .* Only binary classification is supported"
    ):
        DNFBands(k=2).fit(X, y)
    with pytest.raises(ValueError, match="boundaries and names must be None for an ordered target"):
        DNFBands(k=2, order=[0, 1, 2], boundaries=2).fit(X, y)
    with pytest.raises(ValueError, match="class_weight must be None for an ordered target"):
        DNFBands(k=2, order=[0, 1, 2], class_weight="balanced").fit(X, y)
