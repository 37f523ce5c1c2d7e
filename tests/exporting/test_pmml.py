from __future__ import annotations

import math
from xml.etree import ElementTree

import pytest
from tests.exporting.cases import cases, first_cell_model
from tests.exporting.pmml_engine import Evaluate, pmml_inputs, pmml_labels

from idnf import DNFClassifier, exporting
from idnf.columns.categories import BooleanColumn, CategoryColumn, OrderedColumn
from idnf.columns.column import TableColumn
from idnf.columns.intervals import NumberColumn, TimeColumn


def test_predicts_as_the_classifier_on_all_rows(pmml: Evaluate) -> None:
    answers = pmml([(exporting.to_pmml(case.clf), pmml_inputs(case.clf, case.frame)) for case in cases()])
    assert [case.labels for case in cases()] == list(map(pmml_labels, answers))


def test_hostile_names_come_through_as_data() -> None:
    for case in cases():
        root = ElementTree.fromstring(exporting.to_pmml(case.clf))
        names = [field.get("name") for field in root.iter("{http://www.dmg.org/PMML-4_4}DataField")]
        assert set(names) <= set(case.rows)


def test_what_xml_cannot_hold_is_refused() -> None:
    with pytest.raises(ValueError, match="no control characters to be written in XML"):
        exporting.to_pmml(DNFClassifier.from_dnf("'a\x01'", columns={"a\x01": bool}))


def test_a_column_named_label_is_refused() -> None:
    with pytest.raises(ValueError, match="columns must not be called 'label'"):
        exporting.to_pmml(DNFClassifier.from_dnf("label"))


def test_what_the_classifier_refuses_is_an_invalid_result(pmml: Evaluate) -> None:
    columns: dict[TableColumn, dict[str, list[object]]] = {
        NumberColumn("x", "refused", cuts=(5.0,)): {"yes": [3], "no": [7], "refused": [None, math.inf, -math.inf, "a"]},
        NumberColumn("x", "seen", cuts=(5.0,)): {"yes": [3], "no": [7, None, math.nan], "refused": [math.inf]},
        BooleanColumn("x", "refused"): {"yes": [0, 0.0], "no": [1], "refused": [0.7, 2, None, math.inf]},
        BooleanColumn("x", "refused", digits=True): {"yes": [0.3], "no": [0.7, 3], "refused": [math.inf, None]},
        OrderedColumn("x", "refused", values=("s", "m"), cuts=(0,)): {
            "yes": ["s"],
            "no": ["m"],
            "refused": ["xl", None],
        },
        CategoryColumn("x", "refused", values=("a", "b")): {"yes": ["a"], "no": ["b", "c", "A"], "refused": [None]},
        CategoryColumn("x", "refused", values=(1, 2)): {"yes": [1, 1.0], "no": [2, 1.5], "refused": [math.inf]},
        TimeColumn("x", "refused", kind="date", cuts=(0.0,)): {"yes": [-1e6, -62e15], "no": [1e6], "refused": [1e18]},
    }
    asked = [
        (exporting.to_pmml(first_cell_model(column)), {"x": [value for values in labels.values() for value in values]})
        for column, labels in columns.items()
    ]
    expected = [[label for label, values in labels.items() for _ in values] for labels in columns.values()]
    assert list(map(pmml_labels, pmml(asked))) == expected
