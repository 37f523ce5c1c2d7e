"""A report reads its table once, and works out once what it says of the model."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.governance.test_model_card import rows

from idnf import DNFClassifier, reporting
from idnf.explaining import reading
from idnf.logic.sides import ClassBoxes
from idnf.tables.binariser import TableBinariser


@pytest.mark.parametrize("classes", [2, 3])
def test_a_report_reads_its_table_once(classes, monkeypatch, tmp_path):
    X, y = rows(classes)
    clf = DNFClassifier(k=2, family="tree", learner="greedy").fit(X, y)
    calls = Counter()

    def count(owner, name):
        inner = getattr(owner, name)

        def counted(*arguments, **options):
            calls[name] += 1
            return inner(*arguments, **options)

        monkeypatch.setattr(owner, name, counted)

    count(TableBinariser, "read_rows")
    count(TableBinariser, "examined")
    count(ClassBoxes, "_reasons")
    count(reading, "irredundant_boxes")
    lines = reading.Reading.of.__func__
    monkeypatch.setattr(reading.Reading, "of", classmethod(lambda cls, one: calls.update(["of"]) or lines(cls, one)))
    reporting.to_html(clf, tmp_path / "report.html", X, y, subgroup="g")
    each = len(clf.classes_)
    assert calls == {"read_rows": 1, "examined": 1, "_reasons": each, "irredundant_boxes": each, "of": 1}
