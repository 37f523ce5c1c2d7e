from __future__ import annotations

import pandas as pd
import polars as pl
import pytest
from tests.reporting.models import shown

from idnf import DNFClassifier
from idnf.pictures.drawing import escape


def test_a_classifier_that_is_not_fitted_is_scikit_learns_box() -> None:
    html = DNFClassifier()._repr_mimebundle_()["text/html"]
    assert "DNFClassifier" in html
    assert 'class="idnf"' not in html


def test_a_fitted_classifier_shows_its_picture_and_both_sides_inertly() -> None:
    classifier = shown("hostile").classifier
    html = classifier._repr_mimebundle_()["text/html"]
    assert html.endswith("</pre>")
    # Long lines of the text go on in the next one.
    assert '<pre style="white-space:pre-wrap' in html
    assert classifier._repr_html_().endswith("</pre>")
    assert '<svg xmlns="http://www.w3.org/2000/svg" class="idnf"' in html
    assert escape(classifier.to_text()) in html
    assert "<img src=x" not in html


@pytest.mark.parametrize("library", [pd, pl])
def test_tables_of_results_are_of_the_library_that_came_in(library) -> None:
    X = library.DataFrame({"a": [0, 0, 1, 1] * 5, "b": [0, 1] * 10})
    clf = DNFClassifier(k=2, learner="greedy").fit(X, [0, 0, 0, 1] * 5)
    assert isinstance(clf.reasons(X).to_frame(), library.DataFrame)
    assert isinstance(clf.explain(X).to_frame(), library.DataFrame)
