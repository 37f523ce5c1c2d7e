"""Principal reasons in SQL are those of the classifier."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import polars as pl
import pytest
from tests.exporting.cases import Case, cases
from tests.exporting.databases import Ask, database

from idnf import DNFClassifier, auditing, exporting
from idnf.auditing.reason_texts import ReasonTexts

__all__ = ["database"]


def necessary_case() -> Case:
    """Return all rows of a policy of which some have necessary columns beside others in all reasons of k columns."""
    clf = DNFClassifier.from_dnf("x & p & q | ~x & r & s")
    names = [column.name for column in clf.fitted_.columns]
    rows = dict(zip(names, zip(*product([False, True], repeat=5), strict=True), strict=True))
    frame = pl.DataFrame(rows)
    # Attribution knows no necessity: by share and column alone, some rows would have another order.
    shares = auditing.attribution(clf, frame).values
    by_share = [names[j] for j in np.argsort(-shares, axis=1, kind="stable")[:, 0]]
    assert by_share != auditing.principal_reasons(clf, frame, count=1).codes[:, 0].tolist()
    return Case(clf, rows, clf.predict(frame).tolist())


def small_cases() -> list[Case]:
    """Return the cases whose reasons can be listed; every other one with codes of its own."""
    chosen = [case for case in cases() if None not in case.clf.fitted_.sides.maximal][:8]
    for i, case in enumerate(chosen):
        names = [column.name for column in case.clf.fitted_.columns]
        if i % 2:
            texts = ReasonTexts.from_rows([(names[0], "it's R1", "first"), ("", "R9", "other")])
            chosen[i] = replace(case, clf=case.clf.with_settings(notice_codes=texts))
    return [*chosen, necessary_case()]


def expected(case: Case) -> list[list[object]]:
    rows = auditing.principal_reasons(case.clf, case.frame, count=3).codes.tolist()
    return [[*row, *[None] * (3 - len(row))] for row in rows]


def test_sql_gives_the_codes_of_the_classifier(database: tuple[str, Ask]) -> None:
    dialect, ask = database
    for case in small_cases():
        query = exporting.to_sql(case.clf, dialect=dialect, table="rows", principal=3)
        answer = ask(case, query)
        assert case.labels == [row[0] for row in answer]
        assert expected(case) == [list(row[1:]) for row in answer]


def test_bad_counts_and_large_models_are_refused() -> None:
    clf = DNFClassifier.from_dnf("a | b")
    with pytest.raises(ValueError, match="principal must be 0 or more; got -1"):
        exporting.to_sql(clf, principal=-1)
    large = next(case.clf for case in cases() if None in case.clf.fitted_.sides.maximal)
    with pytest.raises(ValueError, match="has too many reasons for principal reasons to be exported"):
        exporting.to_sql(large, principal=2)
