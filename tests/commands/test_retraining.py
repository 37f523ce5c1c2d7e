"""idnf retrain: the model, what it prints, its page, and what it refuses."""

from __future__ import annotations

import json

import pytest
from tests.choosing.test_retraining import drifting

from idnf import DNFClassifier, exporting, retrain
from idnf.cli import main
from idnf.governance import model_card
from idnf.reporting import retraining_section


@pytest.fixture
def folder(tmp_path):
    X, before, _ = drifting()
    exporting.to_json(DNFClassifier(k=2, effort=0.2).fit(X, before), tmp_path / "old.json")
    table, _, after = drifting(1)
    table.assign(loan=after, region=[name[0] for name in after]).to_csv(tmp_path / "rows.csv", index=False)
    return tmp_path


def run(folder, *arguments):
    words = ["retrain", folder / "old.json", folder / "rows.csv", "--target", "loan", "-o", folder / "new.json"]
    return main([str(word) for word in [*words, *arguments, "-q"]])


def test_it_writes_the_model_and_prints_what_it_changes(folder, capsys):
    assert run(folder, "--most-changed", "8%", "--folds", 2, "--page", folder / "page.html") == 0
    printed = capsys.readouterr().out
    new, old = exporting.from_json(folder / "new.json"), exporting.from_json(folder / "old.json")
    table, _, y = drifting(1)
    changed = (new.predict(table) != old.predict(table)).mean()
    assert 0 < changed <= 0.08
    assert printed.startswith(f"Changes {changed:.1%} of the decisions on these rows; at most 8.0% may change.\n")
    assert f"Accuracy on them {old.score(table, y):.1%} before, {new.score(table, y):.1%} after;" in printed
    assert f"They disagree on {changed * len(table):.0f} of {len(table)} rows." in printed
    page = (folder / "page.html").read_text("utf-8")
    assert "Decisions changed by retraining" in page
    assert run(folder, "--most-changed", "0", "--folds", 0, "--json") == 0
    assert json.loads(capsys.readouterr().out)["changes"]["equal"]


def test_new_columns_may_be_looked_at(folder, capsys):
    assert run(folder, "--most-changed", "1", "--folds", 0, "--new-columns", "region", "--learner", "exact") == 0
    assert "100.0% after" in capsys.readouterr().out
    new = exporting.from_json(folder / "new.json")
    assert "region" in [new.fitted_.columns[j].name for j in new.fitted_.used]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--new-columns", "debt"], "--new-columns must name columns that the model does not have; got debt."),
        (["--new-columns", "loan"], "--new-columns must name a column"),
        (["-o", "old.json"], "--output must not be a file that is read; got old.json."),
        (["--page", "rows.csv"], "--page must not be a file that is read; got rows.csv."),
    ],
)
def test_bad_input_is_refused(folder, words, error, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    assert run(folder, *words) == 2
    assert error in capsys.readouterr().err


def test_a_share_above_one_is_refused(folder, capsys):
    with pytest.raises(SystemExit, match="2"):
        run(folder, "--most-changed", "200%")
    assert "--most-changed must be from 0 to 1, or 0% to 100%; got 200%." in capsys.readouterr().err


def test_the_section_lists_every_region_on_pages_and_cards():
    X, before, _ = drifting()
    table, _, y = drifting(1)
    found = retrain(DNFClassifier(k=2, effort=0.2).fit(X, before), table, y, 0.1, cv=2)
    text = model_card(found.model, sections=[retraining_section(found)]).to_markdown()
    assert text.index("## Decisions changed by retraining") < text.index("## Proofs")
    for region in found.changes.regions:
        assert f"| {region.old} becomes {region.new} | " in text
        assert f"| {region.rows} | {region.before:.0%} | {region.after:.0%} |" in text
    assert all(sentence in text for sentence in found.figures)
    same = retrain(found.model, table, y, 0.0, cv=0)
    assert "Proved: no decision differs, over all values." in retraining_section(same).to_markdown()
