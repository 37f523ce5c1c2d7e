"""The independent checks accept what is true and refuse what is not."""

from __future__ import annotations

import builtins

import numpy as np
import pytest
from tests.explaining import naive_explanations as naive
from tests.explaining.wordings import default_wordings
from tests.strategies import seeds

from idnf.explaining.explainer import Explainer
from idnf.logic.boxes import Space
from idnf.logic.sides import ClassBoxes
from idnf.proving import independent_check
from idnf.proving.independent_check import CheckError, DecisionClaim, check_classes, check_decision


@pytest.fixture(params=["truth table", "SAT"])
def method(request, monkeypatch):
    if request.param == "SAT":
        monkeypatch.setattr(independent_check, "SMALL", 0)
    return request.param


@pytest.mark.parametrize("seed", seeds(6, 100))
def test_every_explanation_passes(seed, method):
    world = naive.random_world(seed, boolean=seed % 3 == 0)
    sides = ClassBoxes(world.space, 4, (world.negative, world.positive))
    explainer = Explainer(sides, (0, 1), default_wordings(world.space))
    assert check_classes([column.size for column in world.space.columns], sides.terms).method == method
    for explanation in explainer.explain(np.array(world.points)):
        assert explanation.check().method == method


@pytest.mark.parametrize("seed", seeds(6, 100))
def test_claims_pass_iff_the_truth_table_agrees(seed, method):
    world = naive.random_world(seed)
    terms = (None, world.positive) if seed % 2 else (world.negative, None)
    for point in world.points:
        axps = naive.minimal(world, point, naive.is_weak_axp)
        cxps = naive.minimal(world, point, naive.is_weak_cxp)
        for axp in ((), (0,), (1,), (0, 1)):
            box = tuple(1 << point[j] if j in axp else full for j, full in enumerate(world.space.full))
            for cxp in ((), (0,), (0, 1)):
                true = axp in axps and (cxp in cxps or (cxp == () and not cxps))
                if true:
                    assert check_decision(terms, world.space, DecisionClaim(point, axp, box, cxp)).method == method
                else:
                    with pytest.raises(CheckError):
                        check_decision(terms, world.space, DecisionClaim(point, axp, box, cxp))


@pytest.mark.usefixtures("method")
def test_what_is_wrong_is_named():
    space = Space.boolean("abc")
    terms = (None, ((0b10, 0b10, 0b11), (0b11, 0b11, 0b10)))  # a and b, or c
    with pytest.raises(CheckError, match="the conditions must be sufficient"):
        check_decision(terms, space, DecisionClaim((1, 1, 0), (0,), (0b10, 0b11, 0b11), (0,)))
    with pytest.raises(CheckError, match="the reason must need column 'c'"):
        check_decision(terms, space, DecisionClaim((1, 1, 0), (0, 1, 2), (0b10, 0b10, 0b01), (0,)))
    with pytest.raises(CheckError, match="the change must need column 'a'"):
        check_decision(terms, space, DecisionClaim((1, 1, 0), (0, 1), (0b10, 0b10, 0b11), (0, 1)))
    with pytest.raises(CheckError, match="changing the columns of the CXp must change the class"):
        check_decision(terms, space, DecisionClaim((1, 1, 0), (0, 1), (0b10, 0b10, 0b11), (2,)))
    with pytest.raises(CheckError, match="the example must meet its reason"):
        check_decision(terms, space, DecisionClaim((1, 1, 0), (2,), (0b11, 0b11, 0b10), (0,)))


def test_sides_that_are_not_complementary_are_refused(method):
    assert check_classes((2, 2), (((0b01, 0b11),), ((0b10, 0b11),))).method == method
    with pytest.raises(CheckError, match="every point must be in a class"):
        check_classes((2, 2), (((0b01, 0b11),), ((0b10, 0b10),)))
    with pytest.raises(CheckError, match="classes must exclude each other; 0 and 1 do not"):
        check_classes((2, 2), (((0b01, 0b11),), ((0b11, 0b10), (0b10, 0b11))))


def test_a_missing_solver_is_named(monkeypatch):
    monkeypatch.setattr(independent_check, "SMALL", 0)
    real = builtins.__import__

    def without_pysat(name, *args, **kwargs):
        if name.startswith("pysat"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_pysat)
    with pytest.raises(ImportError, match=r"needs python-sat: pip install 'idnf\[sat\]'"):
        check_classes((2, 2), ((), ((0b11, 0b11),)))
