"""The classifier as scikit-learn sees it, and the promise its model keeps."""

from __future__ import annotations

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from idnf.estimators import DNFClassifier


@parametrize_with_checks([DNFClassifier(k=3, family="nested", learner="greedy")])
def test_scikit_learn_checks(estimator, check):
    check(estimator)
