"""Text, proof, catalogue and page count and number the same lines."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from tests import strategies

from idnf import DNF, DNFClassifier
from idnf.explaining.explainer import Explainer
from idnf.explaining.printed_lines import prove_lines
from idnf.explaining.printing import model_text
from idnf.logic.boxes import Space
from idnf.logic.example_functions import sharp
from idnf.logic.sides import ClassBoxes
from idnf.logic.verification import VerificationError
from idnf.proving import lines
from idnf.reporting import html
from idnf.reporting.summary import summarise


@pytest.fixture(scope="module")
def table():
    generator = np.random.default_rng(0)
    X = pd.DataFrame(generator.normal(size=(300, 4)).round(2), columns=["a", "b", "c", "d"])
    y = (X["a"] > 0) & (X["b"] < 0.5) | (X["c"] > 0.8) & (X["a"] < 1) | (X["d"] > 1.2)
    return X, y.to_numpy()


@example(DNF.parse("a & b | ~a & c"))  # three reasons of either class, two lines
@given(strategies.dnfs(max_features=5, consistent=True))
def test_the_counts_are_those_of_the_text(f):
    explainer = Explainer.of(f.double(), Space.boolean(f.names))
    proof, reading = prove_lines(explainer), explainer.reading
    shorter, longer = reading.order()
    assert proof is not None
    assert proof.classes == (str(explainer.classes[shorter]), str(explainer.classes[longer]))
    assert str(proof).startswith("Proved over all rows: ")
    assert proof.terms == (len(reading.lines[shorter]), reading.reasons[longer])
    assert proof.conflicts == proof.terms[0] * proof.terms[1]


def test_one_numbering_and_one_count(table):
    X, y = table
    clf = DNFClassifier(k=3, effort=0.1).fit(X, y)
    proof = prove_lines(clf.fitted_.explainer)
    text, catalogue = clf.to_text(form="lines"), {reason.id: reason for reason in clf.reasons(X, y)}
    first, other = (label == "true" for label in proof.classes)
    printed = re.findall(r"^ +(?:or )?(.*)  \[(.*)\]$", text, flags=re.MULTILINE)
    assert len(printed) == proof.terms[0]
    assert {number for _, number in printed} <= set(catalogue)
    last = str(other).lower()
    assert f"{last} otherwise. There are {proof.terms[1]} ways to get this answer, each failing" in text
    assert sum(reason.label == other for reason in catalogue.values()) == proof.terms[1]
    summary = summarise(clf, X, y)
    assert summary.proof == str(proof)
    assert (summary.size.terms, summary.n_reasons) == (proof.terms[0], len(catalogue))
    page = html.page(clf, X, summary)
    assert str(proof) in page
    assert all(f"<strong>{number}</strong>" in page for _, number in printed)


@pytest.mark.parametrize(("text", "words"), [("1", "1 always."), ("0", "0 always.")])
def test_a_constant_has_nothing_to_exclude(text, words):
    explainer = Explainer.of(DNF.parse(text).double(), Space.boolean(()))
    assert str(prove_lines(explainer)) == f"Proved over all rows: {words}"


def test_where_reasons_are_too_many_there_is_no_such_proof(monkeypatch):
    explainer = Explainer.of(sharp(2).double(), Space.boolean(sharp(2).names))
    monkeypatch.setattr(lines, "_MOST_PAIRS", 3)
    assert prove_lines(explainer) is None
    monkeypatch.setattr(ClassBoxes, "reasons", (None, None))
    explainer = Explainer.of(sharp(2).double(), Space.boolean(sharp(2).names))
    assert prove_lines(explainer) is None


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({1: [(0b10, 0b10, 0b11)]}, "every row must meet a reason; got none under .*c"),
        ({1: [(0b10, 0b10, 0b10)]}, "every reason must have at most 2 conditions; got a and b and c in 1"),
        ({1: [(0b11, 0b10, 0b11)]}, "reasons of different classes must exclude each other; got"),
        ({0: [(0b11, 0b01, 0b11)]}, "reasons of different classes must exclude each other; got"),
        (
            {0: [(0b01, 0b11, 0b11)], 1: [(0b10, 0b11, 0b11)]},
            "every reason must lie in its class; got a, which",
        ),
    ],
)
def test_lines_that_are_not_the_model_are_refused(monkeypatch, wrong, message):
    explainer = Explainer.of(DNF.parse("a & b | c").double(), Space.boolean("abc"))
    printed = [wrong.get(label, list(boxes)) for label, boxes in enumerate(explainer.sides.reasons)]
    monkeypatch.setitem(explainer.sides.__dict__, "reasons", tuple(map(tuple, printed)))
    with pytest.raises(VerificationError, match=message):
        prove_lines(explainer)


def test_a_class_that_is_not_written_down_is_compared_with_its_own_terms():
    model = sharp(2)
    sides = ClassBoxes.of(model, Space.boolean(model.names), large=3)
    assert None in sides.terms
    explainer = Explainer(sides, wordings=Explainer.of(model.double(), Space.boolean(model.names)).wordings)
    assert prove_lines(explainer).terms == (2, 4)
    assert model_text(explainer).count("[") == 2
