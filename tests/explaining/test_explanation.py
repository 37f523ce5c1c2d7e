"""Explanations as sentences, data, HTML and certificates."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.explaining import naive_explanations as naive
from tests.explaining.wordings import default_wordings
from tests.strategies import seeds

from idnf.columns.categories import BooleanColumn, CategoryColumn
from idnf.columns.intervals import NumberColumn
from idnf.columns.phrases import Phrase, said
from idnf.explaining.explainer import Explainer
from idnf.explaining.wording import FeatureWording, TableWording
from idnf.logic.boxes import Space
from idnf.logic.dnf import DNF
from idnf.logic.sides import ClassBoxes

INCOME = NumberColumn("income", "seen", cuts=(35000.0,))
LATE = NumberColumn("late payments", "refused", cuts=(0.0, 3.0))
JOB = CategoryColumn("job", "refused", values=("clerk", "<b>nurse</b>"))
COLUMNS = (INCOME, LATE, JOB)
SPACE = Space(tuple(column.to_column() for column in COLUMNS), ())
# Approved: income over 35000, or no late payments and a known job.
APPROVED = ((0b010, 0b111, 0b111), (0b111, 0b001, 0b011))
DECLINED = ((0b101, 0b110, 0b111), (0b101, 0b111, 0b100))
EXPLAINER = Explainer(
    ClassBoxes(SPACE, 2, (DECLINED, APPROVED)), ("Declined", "Approved"), tuple(map(TableWording, COLUMNS))
)


def explained(*cells: int, values: tuple[str, ...] = ("31000", "2", "clerk")):
    return EXPLAINER.explain(np.array([cells]), values=lambda column, _: [values[column]])[0]


def test_the_sentence_holds_the_examples_own_values():
    assert explained(0, 1, 0).to_text() == (
        "Declined because income is 31000 (35000 or less) and late payments is 2 (over 0). "
        "If income were over 35000, it would be Approved."
    )


def test_missing_values_and_categories_read_as_in_the_table():
    text = explained(2, 0, 2, values=("missing", "0", "baker")).to_text()
    assert text == (
        "Declined because income is missing and job is baker (neither clerk nor "
        '"<b>nurse</b>"). If income were over 35000, it would be Approved.'
    )
    text = explained(0, 0, 0, values=("31000", "0", "clerk")).to_text()
    assert "late payments is 0 (0 or less) and job is clerk (clerk or" in text


def test_changes_that_say_or_are_bracketed_beside_others():
    approved, declined = ((0b001, 0b011),), ((0b110, 0b111), (0b111, 0b100))
    space = Space(tuple(column.to_column() for column in (LATE, JOB)), ())
    sides = ClassBoxes(space, 2, (declined, approved))
    explainer = Explainer(sides, ("Declined", "Approved"), (TableWording(LATE), TableWording(JOB)))
    [explanation] = explainer.explain(np.array([(1, 2)]), values=lambda column, _: [("2", "baker")[column]])
    assert explanation.to_text().endswith(
        ' If late payments were at most 0 and (job were clerk or "<b>nurse</b>"), it would be Approved.'
    )


def test_nobody_is_told_to_have_a_missing_value_where_a_known_one_would_do():
    explanation = explained(1, 0, 0, values=("36000", "0", "clerk"))
    assert explanation.to_text().endswith(
        " If income were at most 35000 and late payments were over 0, it would be Declined."
    )
    assert explanation.cxp[0].words == "income <= 35000 or missing"


@pytest.mark.parametrize("cells", [(0, 1, 0), (1, 2, 2), (2, 0, 1), (0, 0, 2)])
def test_no_sentence_has_a_negation_of_a_comparison(cells):
    text = explained(*cells).to_text()
    assert "not <=" not in text
    assert "not not" not in text


def test_columns_conditions_and_data():
    explanation = explained(0, 1, 0)
    assert explanation.label == "Declined"
    assert explanation.axp_columns == ("income", "late payments")
    assert explanation.cxp_columns == ("income",)
    assert [str(condition) for condition in explanation.axp] == ["income <= 35000 or missing", "late payments > 0"]
    plain = explanation.to_dict()
    assert json.loads(json.dumps(plain)) == plain
    assert plain["reason"] == explanation.reason == "a1"


def test_html_is_escaped():
    html = explained(0, 0, 2)._repr_html_()
    assert "<b>nurse</b>" not in html
    assert "&lt;b&gt;nurse&lt;/b&gt;" in html


def test_the_certificate_names_a_contradiction_for_each_opposite_term():
    certificate = explained(0, 1, 0).certificate()
    assert [(line.term, line.condition) for line in certificate.contradictions] == [
        (("income > 35000",), "income <= 35000 or missing"),
        (("late payments <= 0", 'job is clerk or "<b>nurse</b>"'), "late payments > 0"),
    ]
    assert str(certificate).startswith("income > 35000: contradicted by income <= 35000 or missing")
    assert len(certificate.to_dict()["contradictions"]) == 2


def test_explanations_are_a_sequence():
    cells = np.array([[0, 1, 0], [1, 1, 0], [0, 1, 0]])
    found = EXPLAINER.explain(cells)
    assert [e.label for e in found] == ["Declined", "Approved", "Declined"]
    assert found[-1].label == found[0].label
    assert [e.label for e in found[1:]] == ["Approved", "Declined"]
    assert found.sides.tolist() == [False, True, False]
    assert found.axp_sizes.tolist() == [2, 1, 2]
    assert found.cxp_sizes.tolist() == [1, 1, 1]
    with pytest.raises(IndexError, match="row must be below 3; got 3"):
        found[3]
    with pytest.raises(ValueError, match=r"cells must have shape \(rows, 3\); got \(1, 2\)"):
        EXPLAINER.explain(np.zeros((1, 2), dtype=int))


def test_rows_read_in_turn_say_the_same_as_rows_picked_out(monkeypatch):
    monkeypatch.setattr("idnf.explaining.explanation._BLOCK", 2)
    cells = np.array([[0, 1, 0], [1, 1, 0], [0, 2, 0], [2, 0, 1], [0, 1, 2]])
    incomes = ["31000", "35000.5", "1", "missing", "20000"]
    asked = []

    def written(column, rows):
        asked.append((column, rows))
        return [incomes[row] if column == 0 else f"{column} of {row}" for row in range(*rows.indices(len(cells)))]

    found = EXPLAINER.explain(cells, values=written)
    in_turn = [(e.to_text(), e.to_dict(), e.point) for e in found]
    assert len(asked) == len({(column, rows.start) for column, rows in asked}), "each value is written once"
    assert in_turn == [(found[i].to_text(), found[i].to_dict(), found[i].point) for i in range(len(cells))]
    assert "income is 35000.5 (over 35000)" in in_turn[1][0]
    assert found[0].verdict is found[2].verdict is not found[1].verdict, "late payments of 2 and 9 are alike"
    verdicts, index = found.verdicts()
    assert [verdicts[i] for i in index] == [one.verdict for one in found]
    assert [(c.column, c.words, c.said) for c in found[1].verdict.axp] == [("income", "income > 35000", "over 35000")]


@pytest.mark.parametrize("seed", seeds(9, 200))
def test_the_contrast_is_in_the_other_class_and_as_wide_as_it_can_be(seed):
    world = naive.random_world(seed)
    explainer = Explainer(
        ClassBoxes(world.space, 4, (world.negative, world.positive)), (0, 1), default_wordings(world.space)
    )
    for explanation in explainer.explain(np.array(world.points)):
        if explanation.changed:
            assert naive.is_inside(world, naive.contrast(explanation), 1 - explanation.label)
            fixed = [j for j in range(len(explanation.point)) if j not in explanation.changed]
            assert all(naive.contrast(explanation)[j] == 1 << explanation.point[j] for j in fixed)


def test_boolean_features_say_their_negation():
    space = Space.boolean(["age <= 41", "job is clerk"])
    fails = (Phrase("age > 41", "over 41", "over 41"), said("job", "not clerk"))
    wordings = (FeatureWording("age <= 41", fails=fails[0]), FeatureWording("job is clerk", fails=fails[1]))
    double = DNF.parse("'age <= 41' & 'job is clerk'").double()
    explainer = Explainer.of(double, space, wordings=wordings)
    text = explainer.explain(np.array([[0, 1]]))[0].to_text()
    assert text == "Class 0 because age > 41. If age <= 41, it would be class 1."


def test_a_constant_model_explains_itself():
    space = Space.boolean("a")
    explainer = Explainer(ClassBoxes(space, 0, ((), (space.full,))), (0, 1), default_wordings(space))
    explanation = explainer.explain(np.array([[1]]))[0]
    assert explanation.to_text() == "Class 1 always: nothing in the example matters."
    assert (explanation.axp, explanation.cxp, explanation.because) == ((), (), "")
    assert str(explanation.certificate()) == "the other class has no terms"
    assert explanation.check().points == 1


def test_boolean_columns_read_as_true_and_false():
    wording = TableWording(BooleanColumn("married", "refused"))
    assert wording.because(0b10, "true") == "married is true"
    assert wording.change(0b01) == "married were false"
