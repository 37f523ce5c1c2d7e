"""The front of the explainer: predictions, lists, what is decided."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from idnf.explaining.explainer import Explainer
from idnf.logic.boxes import Space
from idnf.logic.dnf import DNF

MODEL = DNF.parse("a & b | c & d")
EXPLAINER = Explainer.of(MODEL.double(), Space.boolean(MODEL.names))


def test_predictions_are_the_values_of_the_formula():
    points = np.array(list(product((0, 1), repeat=4)))
    expected = [bool(MODEL.evaluate(dict(zip("abcd", point.tolist(), strict=True)))) for point in points]
    assert EXPLAINER.predict(points).tolist() == expected


def test_all_axps_and_cxps_by_name():
    assert list(EXPLAINER.axps((1, 1, 1, 1))) == [("a", "b"), ("c", "d")]
    assert EXPLAINER.cxps((1, 1, 1, 1)) == [("a", "c"), ("a", "d"), ("b", "c"), ("b", "d")]
    assert list(EXPLAINER.axps((0, 1, 0, 0))) == [("a", "c"), ("a", "d")]


def test_what_is_decided_and_what_to_ask():
    assert EXPLAINER.decided({0: 1, 1: 1}) == 1
    assert EXPLAINER.decided({0: 1, 1: 0}) is None
    assert EXPLAINER.decided({0: 0, 2: 0}) == 0
    question = EXPLAINER.next_column({0: 1, 1: 0})
    assert (question.column, question.worst_case, question.exact) == (EXPLAINER.space.columns[2].name, 2, True)
    assert EXPLAINER.next_column({0: 1, 1: 1}) is None


def test_the_model_is_verified_over_its_space():
    check = EXPLAINER.verify()
    assert (check.method, check.points) == ("truth table", 16)
    assert "all 8 pairs of opposite terms exclude each other" in str(check)


def test_wordings_must_fit_the_space():
    with pytest.raises(ValueError, match="wordings must have 4 entries, one per column; got 0"):
        Explainer.of(MODEL.double(), Space.boolean(MODEL.names), wordings=())
