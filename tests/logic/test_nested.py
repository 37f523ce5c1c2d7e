"""Nested DNFs: matrix, staircase and both sides are one function."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests import naive, strategies

from idnf import DNF, NestedDNF

AB = ("a", "b")


def table(f):
    return naive.nested_table(f.matrix, f.prefixes, len(f.names))


def points(f):
    return [{name: p >> j & 1 for j, name in enumerate(f.names)} for p in range(2 ** len(f.names))]


@given(strategies.nested_dnfs())
def test_evaluate_through_the_staircase(f):
    assert [f.evaluate(point) for point in points(f)] == table(f)
    expected = [naive.prefix_lengths(f.matrix, p) for p in range(2 ** len(f.names))]
    assert [f.prefix_lengths(point) for point in points(f)] == expected


@given(strategies.nested_dnfs())
@example(NestedDNF(AB, ((0, 1),), ((2,),), 2))
@example(NestedDNF(AB, ((0, 0), (1, 2)), ((1, 1), (2, 0)), 2))
@example(NestedDNF(("a",), (), ((),), 0))
def test_both_sides_read_off_the_matrix(f):
    assert naive.values(f.to_dnf()) == table(f)
    assert f.side(True) == f.to_dnf()
    zeros = [1 - value for value in table(f)]
    assert naive.values(f.side(False)) == zeros
    assert naive.values(DNF.from_masks(f.names, f.complement_masks())) == zeros
    assert max(f.side(True).width, f.side(False).width) <= f.k


@given(strategies.nested_dnfs())
def test_double_proves_itself(f):
    assert f.double().verify().k == f.k


@given(strategies.nested_dnfs())
def test_covers_is_the_up_set_of_the_prefixes(f):
    for point, value in zip(points(f), table(f)):
        assert f.covers(f.prefix_lengths(point)) == value


@example(NestedDNF(("a", "b"), ((0,), (2,)), ((1, 0), (0, 1)), 3))
@given(strategies.nested_dnfs())
def test_least_k_is_the_least_bound_that_the_rows_in_use_and_the_prefixes_allow(f):
    used = [i for i in range(len(f.matrix)) if any(r[i] for r in f.prefixes)]
    k = f.least_k
    matrix = tuple(f.matrix[i][:k] for i in used)
    smaller = NestedDNF(f.names, matrix, tuple(tuple(r[i] for i in used) for r in f.prefixes), k)
    assert table(smaller) == table(f)
    assert k == max([len(used), *map(sum, f.prefixes)])


@given(st.integers(0, 4).flatmap(strategies.functions))
def test_from_function(values):
    f = NestedDNF.from_function(values)
    assert table(f) == values
    assert 2**f.k == len(values)


@given(st.lists(strategies.terms(4, size=3), max_size=3))
def test_from_terms_makes_one_row_a_term(masks):
    f = NestedDNF.from_terms(strategies.feature_names(4), map(naive.codes, masks), 3)
    assert table(f) == naive.table([naive.codes(mask) for mask in masks], 4)


@pytest.mark.parametrize("value", [False, True])
@pytest.mark.parametrize("k", [0, 2])
def test_constants(value, k):
    f = NestedDNF.constant(AB, value, k)
    assert table(f) == [int(value)] * 4
    assert f.double().verify().widths == (0, 0)
    assert f.matrix_text() == ""


def test_the_matrix_is_drawn_in_columns():
    f = NestedDNF(("a", "b c"), ((0, 3), (2,)), ((1, 1),), 2)
    assert f.matrix_text() == "a       ~'b c'\n'b c'"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NestedDNF(AB, (), (), -1), r"k must be 0 or more; got -1\."),
        (
            lambda: NestedDNF(AB, ((0,), (2,)), (), 1),
            r"matrix must have at most 1 rows of at most 1 literals; got 2 rows of lengths \[1, 1\]\.",
        ),
        (
            lambda: NestedDNF(AB, ((0, 2, 1),), (), 2),
            r"matrix must have at most 2 rows of at most 2 literals; got 1 rows of lengths \[3\]\.",
        ),
        (lambda: NestedDNF(AB, ((4,),), (), 1), r"matrix must hold literal codes 0 to 3; got 4\."),
        (lambda: NestedDNF(AB, ((-1,),), (), 1), r"matrix must hold literal codes 0 to 3; got -1\."),
        (
            lambda: NestedDNF(AB, ((0, 2), (2, 0)), ((2, 1),), 2),
            r"prefixes must give each of the 2 rows a prefix of it, at most 2 literals together; got \(2, 1\)\.",
        ),
        (lambda: NestedDNF(AB, ((0, 2),), ((1, 1),), 2), r"prefixes must give each of the 1 rows .* got \(1, 1\)\."),
        (lambda: NestedDNF(AB, ((0,),), ((2,),), 2), r"prefixes must give .* got \(2,\)\."),
        (lambda: NestedDNF.from_function([0, 1, 1]), r"a truth table of 2\*\*k entries for some k; got 3 entries\."),
        (lambda: NestedDNF.from_function([]), r"a truth table of 2\*\*k entries for some k; got 0 entries\."),
        (lambda: NestedDNF.from_function([0, 1], AB), r"names must have 1 entries, one per feature; got 2\."),
        (
            lambda: NestedDNF.from_function([0, 1]).evaluate({"y": 1}),
            r"point must name only 'x1'; got 'y'\.",
        ),
    ],
)
def test_bad_input(make, message):
    with pytest.raises(ValueError, match=message):
        make()
