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


def test_history_is_in_the_order_of_commits_with_each_commit_once(tmp_path, monkeypatch):
    monkeypatch.setattr(micro, "HISTORY", tmp_path / "micro.csv")
    monkeypatch.setattr(micro, "_git", lambda *words: {"aaa": "2026-01-02", "bbb": "2026-01-01"}[words[-1]])
    assert micro.kept() == ("nothing kept", {})
    for name, seconds in (("aaa", 1.0), ("bbb", 3.0), ("aaa", 2.0)):
        micro.keep(name, {micro.REFERENCE: 2.0, "predict": seconds})
    assert [(row["commit"], row["times_reference"]) for row in micro.history()] == [("bbb", "1.5"), ("aaa", "1")]
    assert micro.kept() == ("aaa", {"predict": 1.0})


def test_the_history_has_every_part_of_some_commits():
    name, figures = micro.kept()
    assert int(name, 16)
    assert {part.split(":")[0].split(",")[0] for part in figures} >= {
        "counting", "greedy", "search", "exact leaf", "predict", "explain"
    }  # fmt: skip


def package(seconds, noise=()):
    """Measures a made-up package: its figures, with noise added in the first rounds."""
    noise = list(noise)

    def measure(only):
        added = noise.pop(0) if noise else 0.0
        return {name: value + added for name, value in seconds.items() if not only or name in only}

    return measure


def test_noise_that_passes_makes_nothing_slower():
    before, after = micro.in_turns(package({"predict": 1.0}), package({"predict": 1.0}, noise=[0.7] * 8))
    assert micro.slower(before, after) == []


def test_what_is_slower_in_every_round_is_named():
    base, head = package({"predict": 1.0, "explain": 1.0}, noise=[0.5] * 3), package({"predict": 1.3, "explain": 1.0})
    before, after = micro.in_turns(base, head)
    assert micro.slower(before, after) == ["predict"]
    assert (before, after) == ({"predict": 1.0, "explain": 1.0}, {"predict": 1.3, "explain": 1.0})


def test_a_part_that_a_commit_lacks_is_left_out(monkeypatch):
    def missing():
        raise ImportError("cannot import name")

    monkeypatch.setattr(micro, "PARTS", (lambda: {micro.REFERENCE: lambda: None}, missing))
    assert list(micro.measure()) == [micro.REFERENCE]


def test_slower_parts_are_printed_and_returned(capsys):
    assert micro.show(("before", "after"), {"predict": 1.0}, {"predict": 2.0}) == ["predict"]
    assert "2.00  SLOWER" in capsys.readouterr().out


def test_the_package_of_a_folder_is_the_one_measured(tmp_path):
    (tmp_path / "idnf").mkdir()
    (tmp_path / "idnf" / "__init__.py").write_text("")
    assert list(micro.measured_apart(tmp_path)) == [micro.REFERENCE]


@pytest.mark.slow
def test_every_part_is_measured():
    found = micro.measured_apart(micro.ROOT / "src")
    assert set(found) >= {micro.REFERENCE, "predict", "explain"}
    assert all(value > 0 for value in found.values())
