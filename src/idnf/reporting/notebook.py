"""A classifier in a notebook: scikit-learn's box of parameters and, once fitted, the picture and both DNFs."""

from __future__ import annotations

from sklearn.utils import estimator_html_repr
from sklearn.utils.validation import _is_fitted

from idnf.classifier.estimator import DNFClassifier
from idnf.reporting.marks import escape
from idnf.reporting.picture import to_svg


def notebook_html(classifier: DNFClassifier) -> str:
    """Return a classifier as HTML for notebooks.

    >>> policy = DNFClassifier.from_dnf("young & ~debt", classes=("no", "yes"))
    >>> "young is true and debt is false" in notebook_html(policy)
    True
    """
    box = str(estimator_html_repr(classifier))
    if not _is_fitted(classifier):
        return box
    words = escape(classifier.to_text())
    return f'{box}<div style="overflow-x:auto">{to_svg(classifier)}</div><pre>{words}</pre>'
