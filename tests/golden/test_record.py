"""The record is what there is, and a change of a band, a share, a letter or an exit code is noticed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
import pytest
from tests.golden import compare, documents
from tests.golden.compare import FAILING, MEANING_DIFFERS, SAME, WORDS_DIFFER, Verdict, kept, whole
from tests.golden.entries import PAPER

import idnf.cli
import idnf.governance.letters as letter_module
from idnf.classifier.fitted_bands import ExaminedBands, FittedBands

NAMES = [name for name in compare.all_entries() if not name.startswith(PAPER)]
RECORD = compare.read_record()
STEP = 12
"""Of the entries of a group, one in so many is made again in the gate; `make slow` and `make golden` make all."""


@pytest.mark.parametrize("group", dict.fromkeys(name.split("/")[0] for name in NAMES))
def test_what_is_meant_is_as_the_record_has_it(group: str, pytestconfig: pytest.Config) -> None:
    """Other versions of other packages may draw other models; then meanings may differ, not what entries there are."""
    names = [name for name in NAMES if name.split("/")[0] == group]
    found = compare.compared(names[:: 1 if pytestconfig.getoption("--slow") else STEP], RECORD["entries"])
    allowed = [SAME, WORDS_DIFFER] + [MEANING_DIFFERS] * (compare.versions() != RECORD["versions"])
    assert {name: str(one) for name, one in found.items() if one.verdict not in allowed} == {}


def test_the_record_has_the_entries_that_there_are() -> None:
    assert sorted(name for name in RECORD["entries"] if not name.startswith(PAPER)) == sorted(NAMES)
    assert all(set(parts) == {"meaning", "words"} for parts in RECORD["entries"].values())


def higher_band(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = ExaminedBands.labels.func
    changed = cached_property(lambda self: np.minimum(labels(self) + 1, 2))
    changed.__set_name__(ExaminedBands, "labels")
    monkeypatch.setattr(ExaminedBands, "labels", changed)


def other_share(monkeypatch: pytest.MonkeyPatch) -> None:
    shares = FittedBands.probabilities.func
    monkeypatch.setattr(FittedBands, "probabilities", property(lambda self: shares(self) + 1e-9))


def reason_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = letter_module.letter_fields
    monkeypatch.setattr(
        letter_module, "letter_fields", lambda one, **say: {**fields(one, **say), "reasons": fields(one)["reasons"][1:]}
    )


def other_words(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = letter_module.letter_fields
    monkeypatch.setattr(
        letter_module, "letter_fields", lambda one, **say: {**fields(one, **say), "text": "It was decided."}
    )


def other_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    fail = idnf.cli._fail
    monkeypatch.setattr(idnf.cli, "_fail", lambda message, code: fail(message, code + 1))


@pytest.mark.parametrize(
    ("name", "change", "verdict", "part"),
    [
        ("bands/given", higher_band, MEANING_DIFFERS, "bands"),
        ("bands/given", other_share, MEANING_DIFFERS, "shares"),
        ("letters/two-md", reason_left_out, MEANING_DIFFERS, "lines"),
        ("letters/two-md", other_words, WORDS_DIFFER, "letters"),
        ("commands/fit-wrong-target", other_exit_code, MEANING_DIFFERS, "exit code"),
    ],
)
def test_a_change_is_noticed(
    name: str,
    change: Callable[[pytest.MonkeyPatch], None],
    verdict: str,
    part: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    entry = compare.all_entries()[name]
    documents.source.cache_clear()
    before = kept(name, whole(entry))
    change(monkeypatch)
    documents.source.cache_clear()
    found = Verdict.of(before, kept(name, whole(entry)))
    assert found.verdict == verdict
    assert part in (found.meaning if verdict in FAILING else found.words)
