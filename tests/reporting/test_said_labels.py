"""Labels that are bare numbers are put into words on the page."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from tests.reporting.test_page import opened

from idnf import DNFBands, DNFClassifier, reporting
from idnf.choosing import near_optimal_models
from idnf.cli import main

SAY = {0: "turned down", 1: "granted"}


def table():
    X = pl.DataFrame({"late": [0, 0, 1, 1] * 20, "owner": [0, 1] * 40, "fee": [1.5, 2.5, 3.5, 9.0] * 20})
    return X, ((X["late"].to_numpy() == 0) & (X["owner"].to_numpy() == 1)).astype(int)


def test_the_page_calls_labels_what_it_is_told_and_decides_alike(browser, tmp_path):
    X, y = table()
    clf = DNFClassifier(k=2, learner="greedy").fit(X, y).with_settings(target="loan")
    near = near_optimal_models(clf, X, y)
    reporting.to_html(clf, tmp_path / "page.html", X, y, say=SAY, first=0, near=near)
    with opened(browser, tmp_path / "page.html") as page:
        for row in X[:4].to_dicts():
            page.evaluate("(row) => idnf.show(row)", row)
            given = clf.predict(pl.DataFrame([row]))[0]
            assert page.text_content("#decision") == SAY[given]
        assert page.text_content("h1") == "loan: turned down or granted"
        figures = page.text_content("[aria-labelledby=h-figures]")
        assert "whose loan is turned down" in figures
        assert page.locator("[aria-labelledby=h-figures] tbody td").first.text_content() == "turned down"
        assert page.locator("#near td[data-name='answers as this model does']").first.text_content() == "100.0%"
    assert clf.classes_.tolist() == [0, 1]


def test_bands_call_the_levels_what_they_are_told(browser, tmp_path):
    X, y = table()
    bands = DNFBands(k=1, boundaries=[0.5], names=["low", "high"], effort=0.1).fit(X, y)
    reporting.to_html(bands, tmp_path / "page.html", X, y, say={"1": "granted"})
    with opened(browser, tmp_path / "page.html") as page:
        assert "of such cases are granted" in page.text_content("#answer")
        assert "A case that is granted ranks above one that is 0" in page.text_content("main")


def test_words_for_labels_are_checked(tmp_path, capsys):
    X, y = table()
    clf = DNFClassifier(k=2, learner="greedy").fit(X, y)
    with pytest.raises(ValueError, match=r"say must name labels \(0, 1\); got '2'"):
        reporting.to_html(clf, tmp_path / "page.html", X, y, say={2: "maybe"})
    with pytest.raises(ValueError, match="say must call different labels differently; got"):
        reporting.to_html(clf, tmp_path / "page.html", X, y, say={0: "yes", 1: "yes"})
    with pytest.raises(ValueError, match="say must be left out with an editor"):
        reporting.to_html(clf, tmp_path / "page.html", X, y, say=SAY, editable=True)
    X.with_columns(loan=pl.Series(y)).write_csv(tmp_path / "t.csv")
    fit = ["fit", str(tmp_path / "t.csv"), "--target", "loan", "--learner", "greedy", "-q"]
    assert main([*fit, "-o", str(tmp_path / "m.json")]) == 0
    report = ["report", str(tmp_path / "m.json"), str(tmp_path / "t.csv"), "-q", "-o", str(tmp_path / "p.html")]
    assert main([*report, "--say", "0=turned down", "--say", "1=granted"]) == 0
    assert "loan: granted or turned down" in (tmp_path / "p.html").read_text()
    capsys.readouterr()
    assert main([*report, "--say", "0=x", "--edit"]) == 2
    assert "--say must be left out with --edit" in capsys.readouterr().err
    assert np.unique(y).tolist() == [0, 1]
