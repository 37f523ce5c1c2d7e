"""A bound on true error from training error, if nothing but the model was chosen from the rows."""

from __future__ import annotations

from math import inf, log

import numpy as np
from numpy.typing import ArrayLike

from idnf.classifier.estimator import DNFClassifier
from idnf.logic.errors import InvalidArgument
from idnf.logic.function_counts import log_interpretable_functions


def occam_bound(clf: DNFClassifier, X: object, y: ArrayLike, *, confidence: float = 0.95) -> float:
    """Return what the true error is at most, if k and yes-or-no columns were fixed before independent rows were drawn.

    With this confidence it holds for every function with reasons of at most k columns at once, so it needs no rows that
    were held out: the rows given may be those that the classifier was trained on. It does not hold, and is refused, if
    columns have cuts or lists of categories, which are chosen from the rows.

    Parameters
    ----------
    clf : DNFClassifier
        Fitted, of two classes, over yes-or-no columns.
    X, y : table and labels
        Rows drawn independently from the population that the error is about.
    confidence : float
        The chance, over draws of the rows, that the bound holds.

    Returns
    -------
    float
        The largest p for which rows * KL(training error, p) <= log(functions / (1 - confidence)): by Chernoff's bound
        for one function, for all of them by adding up.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.random((20_000, 50)) < 0.5
    >>> y = (X[:, 0] & X[:, 1]) ^ (rng.random(20_000) < 0.1)
    >>> clf = DNFClassifier(k=2, learner="exact").fit(X, y)
    >>> round(1 - clf.score(X, y), 3), round(occam_bound(clf, X, y), 3)
    (0.098, 0.112)
    """
    if not 0 < confidence < 1:
        raise InvalidArgument("confidence", "be above 0 and below 1", confidence)
    if len(clf.classes_) != 2:
        raise ValueError(f"clf must be of two classes; it has {len(clf.classes_)}.")
    columns = clf.binariser_.columns_
    chosen = next((column.name for column in columns if column.kind != "boolean" or len(column.labels) > 2), None)
    if chosen is not None:
        raise ValueError(
            f"clf must have yes-or-no columns alone; {chosen!r} has cuts or categories chosen from the rows: "
            "the bound does not hold. Count errors on rows held out instead."
        )
    wrong = np.asarray(clf.predict(X)) != np.asarray(y)
    functions = log_interpretable_functions(clf.k, len(columns))
    return _largest_share(float(wrong.mean()), (functions - log(1 - confidence)) / len(wrong))


def _largest_share(seen: float, divergence: float) -> float:
    """Return the largest p whose divergence from what was seen is at most this, by halving; rounded up."""
    low, high = seen, 1.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if _divergence(seen, middle) <= divergence else (low, middle)
    return high


def _divergence(seen: float, true: float) -> float:
    """Return the relative entropy of two chances."""
    parts = ((seen, true), (1 - seen, 1 - true))
    return sum((p * log(p / q) if q > 0 else inf) for p, q in parts if p > 0)
