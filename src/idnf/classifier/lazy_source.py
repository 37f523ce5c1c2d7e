"""Lazy tables: training by queries, answers as further columns that the engine works out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from idnf.classifier.fitted import Fitted
from idnf.classifier.lazy_training import LazyTraining
from idnf.classifier.training import SpaceName, TrainingRequest
from idnf.engines.lazy_frames import Lazy
from idnf.engines.queries import Scans, Step, schema_of
from idnf.explaining.lazy_reasons import LazyExplainer


@dataclass(frozen=True)
class LazySource:
    """A polars LazyFrame, a DuckDB relation, a PySpark DataFrame, an ibis table or a dask DataFrame."""

    frame: Lazy

    def training(self, y: object, sample_weight: object, request: TrainingRequest) -> LazyTraining:
        """Read the target and the weights, columns of the table, and fit the other columns."""
        if not isinstance(y, str) or not (sample_weight is None or isinstance(sample_weight, str)):
            given = f"{type(y).__name__} and {type(sample_weight).__name__}"
            raise TypeError(f"y and sample_weight must name columns of a lazy table; got {given}.")
        return LazyTraining.of(self.frame, y, sample_weight, request)

    def predicted(self, fitted: Fitted) -> Any:
        """Return the table with the label of each row."""
        explainer = _explainer(fitted)
        return _native(explainer.predicted(self.frame, explainer.raws(self.frame)))

    def probabilities(self, fitted: Fitted) -> Any:
        """Return the table with the training share of the second class, or of each where there are more than two."""
        explainer = _explainer(fitted)
        return _native(explainer.with_probability(self.frame, explainer.raws(self.frame), fitted.confidence))

    def explained(self, fitted: Fitted, space: SpaceName) -> Any:
        """Return the table with the label, the reason and its conditions for each row."""
        if space != "columns":
            raise ValueError(f'space must be "columns" for a lazy table; got {space!r}.')
        explainer = _explainer(fitted)
        return _native(explainer.explained(self.frame, explainer.raws(self.frame)))

    def score(self, fitted: Fitted, y: object, sample_weight: object) -> float:
        """Return the share of rows whose label is right; y is the name of a column."""
        if not isinstance(y, str) or sample_weight is not None:
            raise ValueError(f"y must name a column of a lazy table, without sample_weight; got {type(y).__name__}.")
        return score_lazily(self.frame, y, _explainer(fitted), fitted.classes)


def score_lazily(frame: Lazy, target: str, explainer: LazyExplainer, classes: NDArray[np.generic]) -> float:
    """Return the share of rows whose label is right, in one scan; a row without a label counts as wrong."""
    if target not in schema_of(frame):
        raise ValueError(f"y must name a column of the table; got {target!r}.")
    value, known = nw.col(target), classes.tolist()
    labels = [~value, value] if isinstance(known[1], bool) else [value == nw.lit(label) for label in known]
    step, raws = "counting right labels", explainer.raws(frame)
    with Step(step):
        counted = explainer.counted(frame, raws, labels)
    answer = Scans().collect(counted, step).select("right", "rows", "outside").row(0)
    right, rows, outside = (int(value or 0) for value in answer)
    if not rows:
        raise ValueError("X must have at least one row; got 0.")
    if outside:
        raise ValueError(f"X must hold values like those in training; {outside} rows have missing or unknown ones.")
    return right / rows


def _explainer(fitted: Fitted) -> LazyExplainer:
    return LazyExplainer(fitted.explainer, fitted.columns)


def _native(frame: Lazy) -> Any:
    # The user's own kind of table.
    return nw.to_native(frame, pass_through=True)
