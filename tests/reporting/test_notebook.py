from __future__ import annotations

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
    assert classifier._repr_html_().endswith("</pre>")
    assert '<svg xmlns="http://www.w3.org/2000/svg" class="idnf"' in html
    assert escape(classifier.to_text()) in html
    assert "<img src=x" not in html
