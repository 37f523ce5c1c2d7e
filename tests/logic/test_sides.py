"""Models seen as boxes: the bound k on both sides, and sides too large to be written down."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.explaining import naive_explanations as naive
from tests.explaining.wordings import default_wordings
from tests.strategies import seeds

from idnf.explaining.batch import Patterns, answers
from idnf.explaining.explainer import Explainer
from idnf.logic.boxes import Column, Space, contains
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.dnf import DNF
from idnf.logic.nested import NestedDNF
from idnf.logic.sides import ClassBoxes, ReducedSpace
from idnf.logic.trees import Leaf, NestedTree, Split
from idnf.proving.independent_check import check_classes


def random_space(rng: Random, features: int) -> Space:
    """A space whose literals are thresholds, categories and "missing" of a few columns."""
    columns: list[Column] = []
    literals: list[tuple[int, int]] = []
    while len(literals) < features:
        size = rng.randint(2, 5)
        missing = size > 2 and rng.random() < 0.5
        ordered = rng.random() < 0.6
        columns.append(Column(f"c{len(columns)}", tuple(map(str, range(size))), ordered=ordered, missing=missing))
        known = size - missing
        offered = [(1 << c + 1) - 1 for c in range(known - 1)] if ordered else [1 << c for c in range(known)]
        literals += [(len(columns) - 1, mask) for mask in offered + ([1 << size - 1] if missing else [])]
    return Space(tuple(columns), tuple(literals[:features]))


def random_nested(rng: Random, features: int, k: int) -> NestedDNF:
    names = tuple(f"f{j}" for j in range(features))
    matrix = tuple(tuple(rng.randrange(2 * features) for _ in range(k)) for _ in range(k))
    prefixes = []
    for _ in range(rng.randint(1, 2 * k)):
        r = [0] * k
        for _ in range(k):
            r[rng.randrange(k)] += rng.random() < 0.9
        prefixes.append(tuple(r))
    return NestedDNF(names, matrix, tuple(prefixes), k)


def random_tree(rng: Random, features: int, k: int) -> NestedTree:
    def node(k: int) -> Leaf | Split:
        if k < 2 or rng.random() < 0.4:
            return Leaf.of(random_nested(rng, features, k), complemented=rng.random() < 0.5)
        return Split(rng.randrange(features), node(k - 1), node(k - 1))

    return NestedTree(tuple(f"f{j}" for j in range(features)), node(k), k)


def random_cells(rng: Random, space: Space, rows: int) -> np.ndarray:
    return np.array([[rng.randrange(column.size) for column in space.columns] for _ in range(rows)])


@given(st.integers(0, 10**6), st.integers(1, 4), st.booleans())
def test_reasons_of_both_classes_have_at_most_k_columns(seed, k, boolean):
    rng = Random(seed)
    tree = random_tree(rng, 8, k)
    space = Space.boolean(tree.names) if boolean else random_space(rng, 8)
    sides = ClassBoxes.of(tree, space)
    cells = random_cells(rng, space, 30)
    patterns = Patterns.of(sides.frame, cells)
    found = answers(sides, patterns)
    assert max(map(len, found.axps)) <= k
    for row, p in zip(cells.tolist(), patterns.index.tolist(), strict=True):
        features = dict(zip(tree.names, space.features(row), strict=True))
        assert found.labels[p] == tree.evaluate(features) == sides.label(tuple(row))


@given(st.integers(0, 10**6), st.booleans())
def test_a_side_left_out_changes_no_answer(seed, complemented):
    rng = Random(seed)
    tree = NestedTree.from_nested(random_nested(rng, 8, 3), complemented=complemented)
    space = random_space(rng, 8)
    whole, partly = ClassBoxes.of(tree, space), ClassBoxes.of(tree, space, large=0)
    if None in partly.terms:
        partly.regions  # noqa: B018
    cells = random_cells(rng, space, 30)
    expected, found = (answers(s, Patterns.of(s.frame, cells)) for s in (whole, partly))
    outer = [s.frame.outer for s in (whole, partly)]
    for a, b in zip(Patterns.of(whole.frame, cells).index, Patterns.of(partly.frame, cells).index, strict=True):
        assert expected.labels[a] == found.labels[b]
        assert outer[0](expected.axps[a]) == outer[1](found.axps[b])
        assert outer[0](expected.cxps[a] or ()) == outer[1](found.cxps[b] or ())
        assert whole.frame.expand(expected.boxes[a]) == partly.frame.expand(found.boxes[b])


def large_nested(k: int) -> NestedDNF:
    """A nested DNF whose complement has k**k terms: k disjoint rows, each a term."""
    rows = tuple(tuple(2 * (k * i + j) for j in range(k)) for i in range(k))
    return NestedDNF.from_terms(tuple(f"f{j}" for j in range(k * k)), rows, k)


def test_a_large_complement_is_not_written_down():
    nested = large_nested(6)
    sides = ClassBoxes.of(nested, Space.boolean(nested.names))
    assert sides.terms[0] is None
    cells = (np.random.default_rng(0).random((2000, 36)) < 0.8).astype(int)
    found = answers(sides, Patterns.of(sides.frame, cells))
    assert {len(axp) for axp in found.axps} == {6}
    assert found.labels.any()
    assert not found.labels.all()
    assert sides.terms[0] is None


@pytest.mark.slow
def test_the_complement_is_written_down_when_asked_for():
    nested = large_nested(6)
    assert len(ClassBoxes.of(nested, Space.boolean(nested.names)).boxes_of(0)) == 6**6


def test_sides_need_terms():
    with pytest.raises(ValueError, match="boxes must be those of both classes, or of one class and a source"):
        ClassBoxes(Space.boolean("ab"), 1, (None, ()))


def test_empty_boxes_are_dropped():
    age = Column("age", ("at most 30", "31 to 45", "over 45"), ordered=True)
    space = Space((age,), ((0, 0b001), (0, 0b011)))
    double = DNF.parse("'age <= 30' & ~'age <= 45'", names=("age <= 30", "age <= 45")).double()
    assert ClassBoxes.of(double, space).terms[1] == ()
    assert ClassBoxes.of(double, space).label((0,)) == 0


class Several(naive.World):
    """A function into several classes on {0,1}^n; the classes are numbers."""

    def __init__(self, n: int, values: list[int]):
        self.space = Space.boolean([f"f{j}" for j in range(n)])
        self.points = [tuple(p >> j & 1 for j in range(n)) for p in range(2**n)]
        self.table = dict(zip(self.points, values, strict=True))


@pytest.mark.parametrize("seed", seeds(6, 100))
def test_several_classes_are_explained_as_by_the_truth_table(seed):
    rng = Random(seed)
    n = rng.randint(2, 4)
    values = [rng.randrange(rng.choice([2, 3, 4])) for _ in range(2**n)]
    world = Several(n, values)
    model = ClassDNFs.from_truth_table([f"f{j}" for j in range(n)], values)
    sides = ClassBoxes.of(model, world.space)
    explainer = Explainer(sides, tuple("abcd"), default_wordings(world.space))
    explanations = explainer.explain(np.array(world.points))
    for point, explanation in zip(world.points, explanations, strict=True):
        assert explanation.side == world.table[point] == sides.label(point)
        axp = naive.minimal(world, point, naive.is_weak_axp)[0]
        cxp = next(iter(naive.minimal(world, point, naive.is_weak_cxp)), ())
        assert (world.space.constrained(explanation.box), explanation.changed) == (axp, cxp)
        assert explanation.box == naive.conditions(world, point, axp)
        assert len(axp) <= model.k
        assert explanation.check().points <= 2**n
        if cxp:
            inside = {"abcd"[world.table[p]] for p in world.points if naive.holds(naive.contrast(explanation), p)}
            assert inside == {explanation.other} != {explanation.label}
        assert len(explanation.certificate().contradictions) == len(sides.opposite(explanation.side))
    assert check_classes([column.size for column in world.space.columns], sides.terms).method == "truth table"
    assert {reason.label for reason in explainer.reasons()} <= set("abcd")


@pytest.mark.parametrize("seed", seeds(18, 300))
def test_boxes_and_points_keep_their_relation(seed):
    world = naive.random_world(seed)
    boxes = world.positive + world.negative
    frame = ReducedSpace.of(world.space, boxes)
    for box in boxes:
        assert frame.expand(frame.box(box)) == box
        for point in world.points:
            assert contains(frame.box(box), frame.point(point)) == naive.holds(box, point)


def test_ordered_cells_merge_with_neighbours_only_and_missing_stays_apart():
    age = Column("age", ("0", "1", "2", "missing"), ordered=True, missing=True)
    job = Column("job", ("x", "y", "z"))
    frame = ReducedSpace.of(Space((age, job), ()), [(0b1101, 0b101)])
    assert frame.groups == ((0, 1, 2, 3), (0, 1, 0))
    assert ReducedSpace.of(Space((age,), ()), [(0b1100,)]).groups == ((0, 0, 1, 2),)


def test_unused_columns_are_left_out():
    frame = ReducedSpace.of(Space.boolean("abc"), [(0b11, 0b10, 0b11)])
    assert frame.columns == (1,)
    assert frame.outer([0]) == (1,)
    assert frame.expand((0b01,)) == (0b11, 0b01, 0b11)
