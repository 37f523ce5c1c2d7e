"""Remarks and models fit a screen, and --verbose has all of them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from idnf import DNFBands, DNFClassifier
from idnf.cli import main
from idnf.commands import long_models
from idnf.commands.long_models import shown_bands, shown_model


@pytest.fixture
def lab(tmp_path):
    """Thirty columns of numbers, a dot for each that is missing, of which there are more from column to column."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"m{n}": rng.normal(size=120).round(2).astype(str) for n in range(30)})
    y = np.where(X["m0"].astype(float) + X["m1"].astype(float) > 0, "ill", "well")
    for n in range(30):
        X.loc[: n + 3, f"m{n}"] = "."
    X.assign(state=y).to_csv(tmp_path / "lab.csv", index=False)
    return tmp_path / "lab.csv"


def test_remarks_of_one_kind_are_one_line_with_a_count_and_an_example(lab, tmp_path, capsys):
    learn = ["fit", str(lab), "--target", "state", "--learner", "greedy", "-o", str(tmp_path / "model.json")]
    assert main(learn) == 0
    said = capsys.readouterr().err
    assert "30 columns, such as m0: numbers written as text, read as numbers; '.' (" in said
    assert "(--as m0=category, and so on)" in said
    assert "--verbose names every column" in said
    assert said.count("\n") <= 5
    assert main([*learn, "--verbose"]) == 0
    whole = capsys.readouterr().err
    assert all(f"m{n}" in whole for n in range(30))
    assert "--verbose names" not in whole


def test_a_long_model_is_the_reasons_given_most_and_where_the_others_are(monkeypatch):
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(400, 4)), columns=list("abcd"))
    y = np.where((X["a"] > 0) & (X["b"] > 0) | (X["c"] > 1) | (X["d"] < -1), "yes", "no")
    clf = DNFClassifier(k=3, learner="greedy").fit(X, y)
    text = clf.to_text()
    assert shown_model(clf, text) == text
    monkeypatch.setattr(long_models, "MOST_LINES", 2)
    assert shown_model(clf, text, verbose=True) == text
    head, _, most, *lines, rest = shown_model(clf, text).split("\n")
    given = pd.Series([one.reason for one in clf.explain(X)]).value_counts()
    assert head == text.partition("\n")[0]
    share = given.iloc[:5].sum() / len(X)
    assert most == f"The 5 reasons given to most training rows, {share:.1%} of them:"
    assert [line.split("[")[1].rstrip("]") for line in lines] == given.index[:5].tolist() or share < 1
    assert {line.split("[")[1].rstrip("]") for line in lines} <= {reason.id for reason in clf.reasons()}
    assert [float(line.split("%")[0]) for line in lines] == [round(100 * n / len(X), 1) for n in given.iloc[:5]]
    assert rest == f"{len(clf.reasons()) - 5} more reasons: --verbose prints all; idnf report draws them by columns."


def test_long_bands_end_where_the_screen_does(monkeypatch):
    rng = np.random.default_rng(2)
    X = pd.DataFrame(rng.normal(size=(400, 3)), columns=list("abc"))
    y = np.where(X["a"] + X["b"] + rng.normal(size=400) > 0, "bad", "good")
    bands = DNFBands(k=2, boundaries=[0.3, 0.6], effort=0.1).fit(X, y)
    text = bands.to_text()
    assert shown_bands(bands) == text
    monkeypatch.setattr(long_models, "MOST_LINES", 4)
    *lines, rest = shown_bands(bands).split("\n")
    assert text.startswith("\n".join(lines))
    assert len(lines) == 4
    assert rest.startswith(f"({text.count(chr(10)) + 1 - 4} more lines: --verbose prints all")
    assert shown_bands(bands, verbose=True) == text


def test_a_table_of_free_text_alone_is_told_what_to_do(tmp_path, capsys):
    rng = np.random.default_rng(3)
    words = np.array(["good", "bad", "fine", "odd", "plain", "sour"])
    texts = [" ".join(rng.choice(words, 8)) + f" no. {n}" for n in range(100)]
    pd.DataFrame({"review": texts, "stars": rng.choice(["one", "five"], 100)}).to_csv(tmp_path / "t.csv", index=False)
    assert main(["fit", str(tmp_path / "t.csv"), "--target", "stars", "-o", str(tmp_path / "m.json")]) == 2
    said = capsys.readouterr().err
    assert "the table must have a column to learn from; got none." in said
    assert "review: left out: 75 different values in 75 rows, probably names or comments" in said
    assert "Free text is not read: add columns made of it, such as its length or whether it has a word." in said
    assert "TableBinariser" not in said
