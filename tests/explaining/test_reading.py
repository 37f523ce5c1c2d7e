from itertools import product

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tests.logic.test_class_trees import class_trees
from tests.strategies import dnfs, few, nested_dnfs, nested_trees, seeds

from idnf import DNFClassifier
from idnf.explaining.explainer import Explainer
from idnf.explaining.printing import model_text, plainer_tree, printed_form
from idnf.logic.boxes import Space, contains
from idnf.logic.cubes import irredundant_boxes
from idnf.logic.dnf import DNF
from idnf.logic.question_trees import Question, smallest_tree
from idnf.logic.trees import Leaf, NestedTree, Split

FULL = (0b111, 0b11, 0b11)
boxes = st.tuples(*(st.integers(1, full) for full in FULL))


def points(box):
    return {p for p in product(*(range(full.bit_length()) for full in FULL)) if contains(box, p)}


@given(st.lists(boxes, max_size=6, unique=True))
def test_needed_boxes_have_the_same_union_and_none_can_go(given_boxes):
    kept = irredundant_boxes(given_boxes)
    every = set().union(*map(points, given_boxes))
    assert set().union(*map(points, kept)) == every
    for box in kept:
        assert set().union(*(points(other) for other in kept if other != box)) != every


@given(dnfs())
def test_lines_say_when_a_class_is_given_and_carry_the_numbers_of_the_catalogue(f):
    double = f.double()
    explainer = Explainer.of(double, Space.boolean(f.names))
    reading = explainer.reading
    by_id = {reason.id: reason for reason in explainer.reasons()}
    for label in (0, 1):
        lines = reading.lines[label]
        said = [tuple(phrase.condition for phrase in line.conditions) for line in lines]
        assert [by_id[line.id].conditions for line in lines] == said
        given_boxes = [by_id[line.id].box for line in lines]
        for values in product((0, 1), repeat=len(f.names)):
            expected = f.evaluate(dict(zip(f.names, values, strict=True))) == bool(label)
            assert any(contains(box, values) for box in given_boxes) == expected
    assert reading.size.terms == min(map(len, reading.lines))
    assert reading.size.reasons == len(by_id)


@pytest.mark.parametrize(
    ("text", "conditions"), [("a & b | a & c", 3), ("a & b | a & c | b & c", 4), ("a & b | ~a & c", 3), ("a & b", 2)]
)
def test_the_form_chosen_is_the_shortest(text, conditions):
    """By hand: a and (b or c), two of three and their number, if a then b else c, and lines."""
    names = sorted(set(text) & set("abc"))
    assert printed_form(Explainer.of(DNF.parse(text).double(), Space.boolean(names))).conditions == conditions


def test_the_shorter_class_is_listed_and_both_on_demand():
    clf = DNFClassifier.from_dnf("a & b & c", classes=("no", "yes"))
    assert clf.to_text().splitlines()[2:] == [
        "yes if",
        "     a is true and b is true and c is true  [b1]",
        "",
        "no otherwise. There are 3 ways to get this answer, each failing at least one condition in the line above "
        "(both=True lists them).",
    ]
    both = clf.to_text(both=True, first="no")
    assert both.index("no if") < both.index("yes if")
    assert both.count("  or ") == 2
    assert (clf.size_.terms, clf.size_.conditions, clf.size_.reasons) == (1, 3, 4)


def test_of_two_equally_short_classes_the_wanted_one_is_listed():
    clf = DNFClassifier.from_dnf("a", classes=("no", "yes"))
    assert "yes if" in clf.to_text()
    assert "no if" in clf.to_text(first="no")
    assert clf.to_text(first="no").endswith("yes otherwise [b1].")


@pytest.mark.parametrize(("formula", "word"), [("0", "no always"), ("1", "yes always")])
def test_a_constant_is_said_in_two_words(formula, word):
    assert DNFClassifier.from_dnf(formula, columns={"a": bool}, classes=("no", "yes")).to_text().endswith(word)


def test_reasons_too_many_to_list_are_printed_as_the_terms_they_come_from():
    # 4 to the power of 6 reasons for the other class.
    names = [[f"{row}{i}" for i in range(4)] for row in "abcdef"]
    clf = DNFClassifier.from_dnf(" | ".join(" & ".join(row) for row in names), classes=(0, 1))
    assert clf.size_.terms == 6
    assert clf.size_.reasons is None
    text = model_text(clf.fitted_.explainer)
    assert "0 otherwise. There are many ways to get this answer, too many to number, each failing" in text
    assert len(clf.explain(np.zeros((1, 24)))[0].axp) <= clf.k


@given(dnfs())
def test_no_condition_of_a_line_can_be_dropped(f):
    explainer = Explainer.of(f.double(), Space.boolean(f.names))
    by_id = {reason.id: reason.box for reason in explainer.reasons()}
    truth = {
        values: f.evaluate(dict(zip(f.names, values, strict=True))) for values in product((0, 1), repeat=len(f.names))
    }
    for label, lines in enumerate(explainer.reading.lines):
        for line in lines:
            box = by_id[line.id]
            for column, mask in enumerate(box):
                wider = (*box[:column], 0b11, *box[column + 1 :])
                inside = [truth[values] == bool(label) for values in truth if contains(wider, values)]
                assert mask == 0b11 or not all(inside)


def weather() -> DNFClassifier:
    """Rain on wet days that are warm, sun else; snow fell once, too seldom to be said of any day."""
    wet, warm = (np.array(list(product([0, 1], repeat=2)) * 30).T == 1).tolist()
    sky = ["rain" if both else "sun" for both in np.logical_and(wet, warm)]
    X = np.column_stack([wet, warm]).astype(float)
    names = np.array([*sky[:-1], "snow"])
    return DNFClassifier(2, learner="greedy").fit(X, names).with_settings(target="sky")


@pytest.mark.parametrize("form", ["lines", "factored", "tree"])
def test_a_class_that_is_never_given_is_named_after_the_others(form):
    said = weather().to_text(form=form)
    assert said.count("Never predicted: snow.") == 1
    assert said.index("rain") < said.index("Never predicted") < said.index(". There" if form != "tree" else "Behind")


def test_the_place_of_other_reasons_is_named_in_one_language():
    model = DNFClassifier.from_dnf("a & b | c", classes=("no", "yes"))
    assert model.to_text().endswith(" (both=True lists them).")
    assert model.fitted_.to_text(place="(--both lists them)").endswith(" (--both lists them).")
    assert model.fitted_.to_text().endswith("in every line above.")


def test_a_tree_gives_an_answer_once_for_conditions_that_say_or():
    """Young or of unknown age, and in debt: both questions are one, though the first says "or"."""
    age, debt = np.array(list(product([20.0, 40.0, np.nan], [0.0, 1.0])) * 20).T
    label = np.where((debt == 1) & ~(age > 30), "no", "yes")
    said = DNFClassifier(2, learner="greedy").fit(np.column_stack([age, debt]), label).to_text(form="tree")
    tree = said.split("\n\n")[1]
    assert sorted(line.rpartition(": ")[2] for line in tree.splitlines()) == ["no", "yes"], tree


def test_nested_questions_repeat_no_bound_that_is_settled():
    """Low up to 1500, high over 3500 or unknown: the second question says nothing of 1500 again."""
    income = np.array([1000.0, 2000.0, 4000.0, np.nan] * 20)
    label = np.where(income == 1000, "low", np.where(income == 2000, "middle", "high"))
    said = DNFClassifier(2, learner="greedy").fit(income[:, None], label).to_text(form="tree")
    assert said.split("\n\n")[1].splitlines() == [
        "if x0 <= 1500: low",
        "otherwise if x0 <= 3000: middle",
        "otherwise: high",
    ]


LABELS = [Leaf.constant(("a", "b"), label) for label in range(3)]


@few(20)
@example(NestedTree(("a", "b"), Split(0, LABELS[0], Split(0, Split(1, *LABELS[:2]), LABELS[2])), 3, 3))
@given(st.one_of(nested_trees(n=5, k=3), nested_dnfs(n=5, k=3), class_trees()))
def test_nothing_is_printed_with_more_conditions_than_it_was_learned_with(model):
    explainer = Explainer.of(model, Space.boolean(model.names), classes=tuple(range(model.n_classes)))
    assume(sum(map(bool, explainer.reading.lines)) > 1)
    assert printed_form(explainer).conditions <= model.literal_count
    assert printed_form(explainer, "tree").name == "tree"


@pytest.mark.parametrize("seed", seeds(3, 40))
def test_a_plainer_tree_decides_as_the_tree_it_is_made_of(seed):
    rng = np.random.default_rng(seed)
    X = np.array(list(product([1.0, 2.5, 3.0, 4.5, np.nan], [0.0, 1.0], [0.0, 1.0])) * 3)
    clf = DNFClassifier(3, learner="greedy").fit(X, np.tile(rng.integers(0, 3, 20), 3))
    explainer = clf.fitted_.explainer
    inner, boxes = explainer.sides.frame.inner, explainer.reading.boxes
    asked = {(j, mask) for side in boxes for box in side for j, mask in enumerate(box) if mask != inner.full[j]}
    tree = smallest_tree(boxes, inner.full, sorted(asked), 60)
    assert isinstance(tree, Question)
    plain = plainer_tree(explainer, tree, inner.full)
    for point in product(*(range(column.size) for column in inner.columns)):
        answers = []
        for node in (tree, plain):
            while isinstance(node, Question):
                column, mask = node.condition
                node = node.yes if mask >> point[column] & 1 else node.no  # noqa: PLW2901 - a walk down the tree
            answers.append(node)
        assert answers[0] == answers[1]


def test_any_label_is_an_answer_to_get():
    said = DNFClassifier.from_dnf("a & b | c", classes=("saw a doctor", "did not")).to_text()
    assert "saw a doctor otherwise. There are 2 ways to get this answer, each failing" in said
