"""Comparing two commits: what is called slower, and that a folder's own package is the one measured."""

from __future__ import annotations

import pytest

from benchmarks import micro


def test_more_than_a_fifth_slower_is_named():
    before = {"predict": 1.0, "explain": 1.0, "greedy": 1.0}
    after = {"predict": 1.19, "explain": 1.21, "greedy": 0.5, "new": 9.0}
    assert micro.slower(before, after) == ["explain"]


def test_least_of_some_rounds():
    assert micro.least([{"predict": 2.0}, {"predict": 1.5}]) == {"predict": 1.5}


def test_figures_kept_are_multiples_of_the_reference():
    assert micro.relative({micro.REFERENCE: 2.0, "predict": 1.0}) == {"predict": 0.5}


def test_history_gives_back_the_last_commit(tmp_path, monkeypatch):
    monkeypatch.setattr(micro, "HISTORY", tmp_path / "micro.csv")
    assert micro.kept() == ("nothing kept", {})
    commits = iter(("aaaaaaa", "bbbbbbb"))
    for seconds in (1.0, 3.0):
        name = next(commits)
        monkeypatch.setattr(micro, "commit", lambda _, name=name: name)
        micro.keep({micro.REFERENCE: 2.0, "predict": seconds})
    assert micro.kept() == ("bbbbbbb", {"predict": 1.5})


def test_slower_parts_are_printed_and_returned(capsys):
    assert micro.show(("before", "after"), {"predict": 1.0}, {"predict": 2.0}) == ["predict"]
    assert "2.00  SLOWER" in capsys.readouterr().out


@pytest.mark.slow
def test_every_part_is_measured():
    found = micro.measured_apart(micro.ROOT / "src")
    assert set(found) >= {micro.REFERENCE, "predict", "explain"}
    assert all(value > 0 for value in found.values())
