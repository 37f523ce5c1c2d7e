"""Factored lines, trees and checklists say what the boxes say, and the last two are the smallest there are."""

from itertools import combinations, product

from hypothesis import assume, example, given
from hypothesis import strategies as st
from tests.strategies import dnfs, few

from idnf.logic.boxes import Space, contains
from idnf.logic.checklists import ticks_of
from idnf.logic.dnf import DNF
from idnf.logic.forms import Compound, factor
from idnf.logic.question_trees import Question, smallest_tree, tree_of_lines

NAMES = "abcd"
SPACE = Space.boolean(NAMES)
POINTS = list(product((0, 1), repeat=len(NAMES)))
SPLITS = [(j, 0b10) for j in range(len(NAMES))]


def holds(part, point):
    if not isinstance(part, Compound):
        column, mask = part
        return bool(mask >> point[column] & 1)
    return (all if part.every else any)(holds(one, point) for one in part.parts)


def asked(tree, point):
    while isinstance(tree, Question):
        tree = tree.yes if holds(tree.condition, point) else tree.no
    return tree


def sides(f):
    double = f.double()
    return [SPACE.boxes(double.negative), SPACE.boxes(double.positive)]


def table(f):
    return tuple(int(f.evaluate(dict(zip(NAMES, point)))) for point in POINTS)


def least_questions(values, free):
    """Return the size of the smallest tree of a truth table, by trying all of them."""
    if len(set(values.values())) == 1:
        return 0
    return min(
        1 + sum(least_questions({p: v for p, v in values.items() if p[j] == bit}, free - {j}) for bit in (0, 1))
        for j in free
    )


@given(dnfs(names=tuple(NAMES)))
@example(DNF.parse("a & b | b & c | c & d", names=tuple(NAMES)))
def test_factored_lines_say_what_the_boxes_say_with_no_more_conditions(f):
    boxes = sides(f)[1]
    assume(boxes and SPACE.full not in boxes)
    lines = factor(boxes, SPACE)
    for point in POINTS:
        assert any(holds(line, point) for line, _ in lines) == any(contains(box, point) for box in boxes)
    assert sum(line.conditions for line, _ in lines) <= sum(len(SPACE.constrained(box)) for box in boxes)
    stood_for = [term for _, terms in lines for term in terms]
    assert len(stood_for) == len(set(stood_for)) == len(set(boxes))


def test_what_several_lines_share_is_written_once():
    boxes = SPACE.boxes(DNF.parse("a & c | a & d | b & c | b & d", names=tuple(NAMES)))
    ((line, terms),) = factor(boxes, SPACE)
    assert (line.conditions, len(terms)) == (4, 4)
    assert [sorted(part.parts) for part in line.parts] == [[(0, 2), (1, 2)], [(2, 2), (3, 2)]]


@few(18)
@given(dnfs(names=tuple(NAMES)))
def test_the_tree_is_the_smallest(f):
    values = dict(zip(POINTS, table(f)))
    least = least_questions(values, frozenset(range(len(NAMES))))
    assume(least)
    tree = smallest_tree(sides(f), SPACE.full, SPLITS, 15)
    assert tree.conditions == least
    assert all(asked(tree, point) == value for point, value in values.items())
    assert smallest_tree(sides(f), SPACE.full, SPLITS, least - 1) is None


def test_a_tree_tells_three_classes_apart_on_columns_of_several_cells():
    boxes = [[(0b001, 0b11)], [(0b010, 0b01), (0b100, 0b01)], [(0b010, 0b10), (0b100, 0b10)]]
    tree = smallest_tree(boxes, (0b111, 0b11), [(0, 0b001), (0, 0b100), (1, 0b01)], 5)
    assert tree.conditions == 2
    assert [asked(tree, point) for point in ((0, 1), (2, 0), (1, 1))] == [0, 1, 2]


@given(st.lists(dnfs(names=tuple(NAMES)), min_size=1, max_size=2))
@example([DNF.parse("a & b & c | ~a & c & d | ~a & b & d", names=tuple(NAMES))])
def test_a_tree_of_lines_gives_each_point_its_class(found):
    # Of three classes, the first DNF that holds gives the class.
    labels = [next((i for i, f in enumerate(found) if table(f)[p]), len(found)) for p in range(len(POINTS))]
    assume(len(set(labels)) > 1)
    boxes = [
        [tuple(1 << cell for cell in point) for point, one in zip(POINTS, labels) if one == label] for label in range(3)
    ]
    tree = tree_of_lines(boxes, SPACE, SPLITS)
    assert [asked(tree, point) for point in POINTS] == labels


def test_a_tree_of_lines_is_shorter_than_lines_and_trees():
    space, splits = Space.boolean("abcde"), [(j, 0b10) for j in range(5)]
    double = DNF.parse("e & a & c | e & a & d | e & b & c | e & b & d | ~e & ~a & ~c", names=tuple("abcde")).double()
    boxes = [space.boxes(double.negative), space.boxes(double.positive)]
    tree, plain = tree_of_lines(boxes, space, splits), smallest_tree(boxes, space.full, splits, 15)
    assert (tree.conditions, plain.conditions, sum(line.conditions for line, _ in factor(boxes[1], space))) == (
        7,
        9,
        8,
    )
    assert (tree.condition, tree.yes.condition.conditions, tree.no.condition.conditions) == ((4, 2), 4, 2)


@st.composite
def thresholds(draw):
    """Draw points of three to five conditions and how many are enough."""
    points = draw(st.lists(st.integers(1, 3), min_size=3, max_size=5))
    least = draw(st.integers(1, sum(points)))
    return points, least


def minimal(sets):
    return [one for one in sets if not any(other < one for other in sets)]


@given(thresholds())
def test_every_threshold_of_small_points_is_known_as_a_checklist(threshold):
    points, least = threshold
    n = len(points)
    subsets = [frozenset(s) for size in range(n + 1) for s in combinations(range(n), size)]

    def won(held):
        return sum(points[i] for i in held) >= least

    wins = minimal([s for s in subsets if won(s)])
    blocks = minimal([s for s in subsets if not won(set(range(n)) - s)])
    assume(frozenset() not in wins)
    assume(frozenset().union(*wins) == set(range(n)))
    space = Space.boolean("abcde"[:n])

    def boxes(sets, cell):
        return [tuple(cell if j in s else 0b11 for j in range(n)) for s in sets]

    ticks = ticks_of(boxes(wins, 0b10), boxes(blocks, 0b01), space)
    if len(wins) == 1 or all(len(win) == 1 for win in wins):
        assert ticks is None
        return
    for held in subsets:
        assert (sum(ticks.points[i] for i in held) >= ticks.least) == won(held)
    turned = ticks.complement(space.full)
    for held in subsets:
        failed = sum(point for i, point in enumerate(turned.points) if i not in held)
        assert (failed >= turned.least) != won(held)


@given(dnfs(names=tuple(NAMES)))
def test_what_is_called_a_checklist_is_one(f):
    primes = DNF.parse(str(f), names=tuple(NAMES)).double()
    ticks = ticks_of(SPACE.boxes(primes.positive), SPACE.boxes(primes.negative), SPACE)
    if ticks is not None:
        for point, value in zip(POINTS, table(f)):
            points = [p for one, p in zip(ticks.conditions, ticks.points) if holds(one, point)]
            assert (sum(points) >= ticks.least) == bool(value)
