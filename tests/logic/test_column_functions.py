"""Functions with reasons of k columns over the points that exist: their number, what reaches them, their terms."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import naive
from tests.strategies import few

from idnf import DNF, ClassDNFs, DoubleDNF, NestedTree, VerificationError
from idnf.logic.boxes import Column, Space
from idnf.logic.primes import TooManyBoxes, maximal_boxes_avoiding, maximal_runs_avoiding
from idnf.logic.trees import Leaf, Split

SIZES = (3, 2, 2)
TABLE = Space(
    (Column("x", ("0", "1", "2"), ordered=True), Column("a", ("0", "1")), Column("b", ("0", "1"))),
    ((0, 0b001), (0, 0b011), (1, 0b10), (2, 0b10)),
)
NAMES = ("x <= 0", "x <= 1", "a", "b")


def rows():
    return list(product(*map(range, SIZES)))


def literal_tables(points):
    """The points at which each term of at most two literals holds."""
    terms = naive.consistent_terms(4, 2)
    return {sum(naive.term_holds(term, p) << i for i, p in enumerate(points)) for term in terms}


def truths(row):
    return sum(value << j for j, value in enumerate(TABLE.features(row)))


def test_the_functions_of_a_column_of_three_cells_and_two_of_two():
    """DESIGN's figures: reasons of two literals over Boolean points, of two over rows, of two columns."""
    real, boolean = [truths(row) for row in rows()], range(16)
    parts = literal_tables(boolean)
    found = {f for f in range(2**16) if naive.is_union(f, parts) and naive.is_union(2**16 - 1 ^ f, parts)}
    over_points = {sum((f >> p & 1) << i for i, p in enumerate(real)) for f in found}
    over_rows = literal_tables(real)
    everything = 2 ** len(real) - 1
    of_rows = [
        f for f in range(everything + 1) if naive.is_union(f, over_rows) and naive.is_union(everything ^ f, over_rows)
    ]
    assert (len(over_points), len(of_rows), len(naive.column_functions(SIZES, 2))) == (382, 398, 682)


@pytest.mark.parametrize(("sizes", "k"), [((3, 2, 2), 2), ((3, 3), 2), ((4, 3), 1), ((2, 2, 3), 1), ((5,), 1)])
def test_legal_boxes_reach_every_function_of_two_labels(sizes, k):
    wanted = naive.column_functions(sizes, k)
    for ordered in ((), (0,), range(len(sizes))):
        assert {ones for _, ones in naive.reached_by_boxes(sizes, k, 2, ordered=ordered)} == wanted


@pytest.mark.parametrize(("sizes", "k"), [((2, 2, 2), 2), ((3, 3), 1), ((4, 2), 2), ((2, 2, 2), 1)])
def test_legal_boxes_reach_every_function_of_three_labels(sizes, k):
    """From one of the labels everywhere: a label that no point has is not always one to begin with."""
    parts = [naive.box_table(box, sizes) for box in naive.boxes(sizes, k)]
    bits = [1 << p for p in range(len(list(product(*map(range, sizes)))))]
    wanted = set()
    for values in product(range(3), repeat=len(bits)):
        tables = tuple(sum(bit for bit, value in zip(bits, values) if value == label) for label in range(3))
        if all(naive.is_union(table, parts) for table in tables):
            wanted.add(tables)
    first = naive.reached_by_boxes(sizes, k, 3, ordered=(0,))
    assert {tables for a, b, c in first for tables in ((a, b, c), (b, a, c), (c, b, a))} == wanted


masks = st.tuples(*(st.integers(1, 2**n - 1) for n in SIZES))


@few(36)
@given(st.lists(masks, max_size=4))
def test_the_complement_by_steps(taken):
    full = tuple(2**n - 1 for n in SIZES)
    assert set(maximal_boxes_avoiding(taken, full)) == naive.complement_by_steps(taken, SIZES)
    outside = naive.points_of_boxes([full], SIZES) - naive.points_of_boxes(taken, SIZES)
    runs = [box for box in naive.boxes(SIZES, 3, ordered=(0,)) if naive.points_of_boxes([box], SIZES) <= outside]
    widest = {b for b in runs if not any(a != b and all(x | y == x for x, y in zip(a, b)) for a in runs)}
    assert set(maximal_runs_avoiding(taken, TABLE)) == widest


UNNAMED = Space(
    (Column("x", ("0", "1", "2", "missing"), ordered=True, missing=True), Column("a", ("0", "1"))),
    ((0, 0b0001), (0, 0b0011), (1, 0b10)),
)


@given(st.lists(st.integers(0, 1), min_size=6, max_size=6))
def test_the_standard_expression_says_missing_with_the_cell_that_no_literal_tells_from_it(values):
    truth = {(x, a): values[2 * min(x, 2) + a] for x in range(4) for a in range(2)}
    sides = [[tuple(1 << c for c in row) for row, v in truth.items() if v == label] for label in range(2)]
    found = ClassDNFs.from_boxes(("x <= 0", "x <= 1", "a"), sides, UNNAMED)
    with pytest.raises(TooManyBoxes, match="more than 0 boxes"):
        ClassDNFs.from_boxes(("x <= 0", "x <= 1", "a"), sides, UNNAMED, limit=0)
    for label, dnf in enumerate(found.dnfs):
        for (x, a), value in truth.items():
            holds = [naive.term_holds(naive.codes(mask), (x <= 0) | (x <= 1) << 1 | a << 2) for mask in dnf.masks]
            assert any(holds) == (value == label)


@few(36)
@given(st.lists(st.integers(0, 2), min_size=12, max_size=12))
def test_the_standard_expression_of_a_function_over_rows(values):
    sides = [[tuple(1 << c for c in row) for row, v in zip(rows(), values) if v == label] for label in range(3)]
    found = ClassDNFs.from_boxes(NAMES, sides, TABLE)
    parts = [[naive.box_table(box, SIZES) for box in naive.boxes(SIZES, k)] for k in range(4)]
    tables = [sum((v == label) << p for p, v in enumerate(values)) for label in range(3)]
    assert found.k == next(k for k in range(4) if all(naive.is_union(table, parts[k]) for table in tables))
    for label, dnf in enumerate(found.dnfs):
        assert [bool(any(naive.term_holds(naive.codes(m), truths(row)) for m in dnf.masks)) for row in rows()] == [
            v == label for v in values
        ]
    certificate = found.verify()
    assert max(certificate.widths) == found.k == found.least_k()
    assert "every row meets one of them, and none has more than" in str(certificate) or max(values) == min(values)
    if found.k:
        with pytest.raises(VerificationError, match=f"every term must have at most {found.k - 1} column"):
            found.within(found.k - 1).verify()


@few(36)
@given(st.lists(st.integers(0, 2), min_size=12, max_size=12))
def test_a_function_over_rows_goes_on_over_points_that_do_not_exist(values):
    sides = [[tuple(1 << c for c in row) for row, v in zip(rows(), values) if v == label] for label in range(3)]
    found = ClassDNFs.from_boxes(NAMES, sides, TABLE).in_literals()
    assert found.space is None
    found.verify()
    points = [dict(zip(NAMES, TABLE.features(row))) for row in rows()]
    assert [found.evaluate(point) for point in points] == values


def test_what_is_left_out_is_said_in_literals():
    x = [DNF.parse(text, NAMES) for text in ("'x <= 0'", "~'x <= 1'")]
    with pytest.raises(VerificationError, match="every row must meet a term; got none under ~'x <= 0' & 'x <= 1'"):
        ClassDNFs(x, 1, TABLE).verify()
    with pytest.raises(ValueError, match="space must have 2 literals, one for each name; got 4"):
        ClassDNFs([DNF.parse("a & b")], 1, TABLE)


def test_terms_that_only_impossible_points_part_are_a_model_of_the_rows():
    positive = DNF.parse("~a & ~b | ~'x <= 0' & ~a | ~'x <= 1' & b", NAMES)
    negative = DNF.parse("a & ~b | 'x <= 0' & b | 'x <= 1' & a", NAMES)
    assert DoubleDNF(positive, negative, 2, TABLE).verify().widths == (2, 2)
    with pytest.raises(VerificationError, match="must exclude each other"):
        DoubleDNF(positive, negative, 2).verify()


def test_a_path_may_ask_of_a_column_again_for_nothing():
    no, yes = (Leaf.constant(NAMES, label) for label in (0, 1))
    middle = Split(0, Split(1, no, yes), no)
    assert NestedTree(NAMES, middle, 1, space=TABLE).double().verify().widths == (1, 1)
    with pytest.raises(ValueError, match="a leaf at depth 2 must have reasons of at most -1 literals; got 0"):
        NestedTree(NAMES, middle, 1)
    with pytest.raises(ValueError, match="a leaf below 2 columns must have reasons of at most -1 literals; got 0"):
        NestedTree(NAMES, Split(0, Split(2, no, yes), no), 1, space=TABLE)
