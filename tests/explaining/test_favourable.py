"""The outcome that people want: guessed or given, kept in model files, known to all that proposes a change."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.exporting.test_python import loaded

from idnf import DNFBands, DNFClassifier, auditing, exporting
from idnf.choosing import Fairness, fit_fairly
from idnf.explaining.recourse import Recourses

POINTS = pd.DataFrame([(a, b) for a in (False, True) for b in (False, True)], columns=["debt", "owner"])
TABLE = pd.concat([POINTS] * 20, ignore_index=True)
GOOD = (~TABLE["debt"] | TABLE["owner"]).to_numpy()
FAST = {"k": 2, "learner": "greedy"}


def policy(**options: object) -> DNFClassifier:
    return DNFClassifier.from_dnf("~debt | owner", classes=("declined", "approved"), **options)


def test_no_change_is_proposed_to_those_who_get_it() -> None:
    clf, explained = policy(favourable="approved"), policy().explain(POINTS)
    for one, before in zip(clf.explain(POINTS), explained, strict=True):
        assert (one.label, one.axp_columns) == (before.label, before.axp_columns)
        assert one.cxp_columns == (() if one.label == "approved" else before.cxp_columns)
        one.check()
    assert clf.explain(POINTS).columns()["changes if"][0] is None
    turned = policy(favourable="declined").explain(POINTS)
    assert [bool(one.cxp) for one in turned] == [one.label == "approved" for one in turned]


def test_recourse_leads_to_it() -> None:
    clf = policy(favourable="approved")
    assert clf.recourse(POINTS[:1]).to_text() == "Already approved: nothing has to change."
    assert clf.recourse(POINTS[2:3]).to_text() == "To be approved: change debt from true to false."
    assert clf.recourse(POINTS[:1], to="declined").to_text() == "To be declined: change debt from false to true."
    three = np.array(["bad", "fair", "good"])[TABLE["debt"].to_numpy().astype(int) + TABLE["owner"].to_numpy()]
    several = DNFClassifier(favourable="good", **FAST).fit(TABLE, three)
    found = several.recourse(POINTS[:1])
    assert isinstance(found, Recourses)
    assert [one.label for one in found] == ["good"]


def test_programs_propose_what_python_proposes() -> None:
    clf = policy(favourable="approved")
    explain = loaded(clf)["explain"]
    for row, one in zip(POINTS.to_dict("records"), clf.explain(POINTS), strict=True):
        assert explain(row)["text"] == one.to_text()


def test_a_label_is_guessed_by_its_name_with_a_remark() -> None:
    clf = DNFClassifier(**FAST).fit(TABLE, np.where(GOOD, "approved", "declined"))
    assert clf.fitted_.favourable == "approved"
    assert "approved is taken for the outcome that people want, by its name" in clf.columns_report_.to_text()
    assert clf.favourable is None
    assert clf.with_settings(favourable=None).fitted_.favourable is None
    unclear = DNFClassifier(**FAST).fit(TABLE, np.where(GOOD, "yes", "no"))
    assert unclear.fitted_.favourable is None
    assert "people want" not in unclear.columns_report_.to_text()
    lazy = pl.from_pandas(TABLE).with_columns(status=pl.Series(np.where(GOOD, "usual", "fraud"))).lazy()
    assert DNFClassifier(**FAST).fit(lazy, "status").fitted_.favourable == "usual"


def test_an_unknown_label_is_refused() -> None:
    with pytest.raises(ValueError, match=r"favourable must be one of the labels \(False, True\); got 'good'"):
        DNFClassifier(favourable="good", **FAST).fit(TABLE, GOOD)
    with pytest.raises(
        ValueError, match=r"favourable must be one of the labels \('declined', 'approved'\); got 'good'"
    ):
        policy(favourable="good")
    levels = np.array(["bad", "fair", "good"])[TABLE["debt"].to_numpy().astype(int) + TABLE["owner"].to_numpy()]
    with pytest.raises(
        ValueError, match=r"favourable must be the lowest or the highest label \('bad', 'good'\); got 'fair'"
    ):
        DNFBands(k=2, order=["bad", "fair", "good"], favourable="fair", effort=0.05).fit(TABLE, levels)


@pytest.mark.parametrize("favourable", ["approved", "declined"])
def test_model_files_keep_it(favourable: str, tmp_path: Path) -> None:
    clf = policy(favourable=favourable)
    exporting.to_json(clf, tmp_path / "model.json")
    assert json.loads((tmp_path / "model.json").read_text())["favourable"] == int(favourable == "approved")
    read = exporting.from_json(tmp_path / "model.json")
    assert (read.favourable, read.fitted_.favourable) == (favourable, favourable)
    assert [str(one) for one in read.explain(POINTS)] == [str(one) for one in clf.explain(POINTS)]
    plain = json.loads((tmp_path / "model.json").read_text())
    (tmp_path / "false.json").write_text(json.dumps({**plain, "favourable": 2}))
    with pytest.raises(ValueError, match=r"favourable must be an integer from 0 to 1"):
        exporting.from_json(tmp_path / "false.json")


@pytest.mark.parametrize("favourable", ["good", "bad"])
def test_bands_know_their_better_end(favourable: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.random((400, 3)) < 0.5, columns=list("abc"))
    y = np.where(rng.random(400) < 0.1 + 0.25 * X.sum(axis=1), "good", "bad")
    bands = DNFBands(k=2, boundaries=[0.3, 0.6], favourable=favourable, effort=0.1).fit(X, y)
    best = 2 if favourable == "good" else 0
    given = bands.band(X)
    for row in (int(np.flatnonzero(given == best)[0]), int(np.flatnonzero(given != best)[0])):
        found = bands.recourse(X.iloc[[row]])
        assert (found[0].changes == ()) == (given[row] == best)
        assert str(found) == str(bands.recourse(X.iloc[[row]], to=best))
    exporting.to_json(bands, tmp_path / "bands.json")
    assert exporting.from_json(tmp_path / "bands.json").fitted_.favourable == favourable
    plain = bands.with_settings(favourable=None)
    with pytest.raises(ValueError, match=r"to must name a band \(.*\) if no label is favourable; got None"):
        plain.recourse(X.iloc[[0]])


def test_principal_reasons_are_for_the_others() -> None:
    clf = policy(favourable="approved")
    codes = auditing.principal_reasons(clf, POINTS).codes
    labels = clf.predict(POINTS)
    assert [any(row) for row in codes.tolist()] == (labels == "declined").tolist()
    named = auditing.principal_reasons(clf, POINTS, texts={"approved": {"debt": "No debt"}}).codes
    assert [any(row) for row in named.tolist()] == (labels == "approved").tolist()


def test_dates_are_not_changed_unless_the_user_says_so() -> None:
    days = pd.Series(pd.date_range("2024-01-01", periods=80))
    X = pd.DataFrame({"opened": days.sample(frac=1, random_state=0, ignore_index=True), "income": np.arange(80) % 9})
    y = pd.Series(np.where((X["opened"] > "2024-02-10") & (X["income"] > 3), "yes", "no"), name="late")
    clf = DNFClassifier(k=2).fit(X, y)
    assert clf.fitted_.immutable == ("opened",)
    assert "opened: a date, of which no change is proposed" in clf.columns_report_.to_text()
    assert not any("opened" in one.cxp_columns for one in clf.explain(X))
    assert any("opened" in one.cxp_columns for one in clf.with_settings(immutable=[]).explain(X))


@pytest.mark.parametrize("favourable", [0, 1])
@pytest.mark.parametrize("metric", ["demographic_parity", "equal_opportunity"])
def test_fairness_is_about_the_favourable_outcome(favourable: int, metric: str) -> None:
    """Exchanging the two labels and the favourable one is the same problem."""
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.random((300, 4)) < 0.5, columns=list("abcd"))
    X["group"] = np.where(rng.random(300) < 0.5, "x", "y")
    y = ((X["a"] & X["b"]) | ((X["group"] == "x") & X["c"])).to_numpy().astype(int)
    clf = DNFClassifier(k=2, learner="exact", favourable=favourable)
    asked = Fairness("group", metric, 0.05)
    found = fit_fairly(clf, X, y if favourable else 1 - y, asked)
    report = found.fairness_
    assert report.label == favourable
    given = found.predict(X) == favourable
    counted = np.ones(300, dtype=bool) if metric == "demographic_parity" else y == 1
    rates = [given[counted & (X["group"] == group).to_numpy()].mean() for group in ("x", "y")]
    assert report.gap == pytest.approx(abs(rates[0] - rates[1]))
    assert report.gap <= 0.05 + 1e-9
