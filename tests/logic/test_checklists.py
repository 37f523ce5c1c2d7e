"""A checklist is its threshold function, with reasons of the size it says, both ways."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idnf.logic.checklists import Checklist, least_sets

NAMES = tuple("abcde")


@st.composite
def lists(draw):
    points = draw(st.lists(st.integers(1, 3), min_size=1, max_size=5))
    codes = [2 * j + draw(st.integers(0, 1)) for j in range(len(points))]
    return Checklist(NAMES, codes, draw(st.integers(0, sum(points) + 1)), points)


def counted(checklist, values):
    return sum(point for code, point in zip(checklist.codes, checklist.points) if values[code >> 1] != code & 1)


@given(lists())
def test_it_is_its_threshold_function_and_proved(checklist):
    for values in product((0, 1), repeat=len(NAMES)):
        assert checklist.evaluate(dict(zip(NAMES, values))) == (counted(checklist, values) >= checklist.least)
    assert max(checklist.verify().widths) <= checklist.k
    assert checklist.literal_count == len(checklist.codes) + 1


@pytest.mark.parametrize(("m", "n", "k"), [(2, 3, 2), (3, 5, 3), (4, 7, 4), (2, 5, 4)])
def test_at_least_m_of_n_has_reasons_of_at_most_the_larger_of_m_and_n_less_m_and_one(m, n, k):
    checklist = Checklist([f"x{j}" for j in range(n)], range(0, 2 * n, 2), m)
    assert checklist.k == max(m, n - m + 1) == k
    assert checklist.least_k() == k


@given(lists(), st.lists(st.integers(0, 2), min_size=5, max_size=5))
def test_over_other_names_it_is_the_same_function_of_them(checklist, place):
    moved = checklist.renumber(("x", "y", "z"), dict(enumerate(place)))
    assert isinstance(moved, Checklist)
    for values in product((0, 1), repeat=3):
        former = {name: values[place[j]] for j, name in enumerate(NAMES)}
        assert moved.evaluate(dict(zip("xyz", values))) == checklist.evaluate(former)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((0, 1), 1), "codes must be literals of at most 12 different features"),
        (((0, 2), 4), "least must be from 0 to 3; got 4"),
        (((0, 2), 1, (1,)), "points must be from 1 to 12 for each literal"),
    ],
)
def test_what_is_no_checklist_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Checklist("abc", *arguments)


def test_least_sets_count_enough_and_no_more():
    assert list(least_sets((1, 1, 1), 2)) == [(0, 1), (0, 2), (1, 2)]
