"""How a model does on rows it has not seen, in more figures than one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from idnf.classifier.estimator import DNFClassifier
from idnf.commands.answering import answered

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class FitScores:
    """How a model does on the rows it learned from and on those held out.

    Parameters
    ----------
    train_rows : int, optional
        Not known where the rows stay in an engine.
    train_accuracy : float
    test_rows : int
        Rows held out that the model answers.
    test_accuracy, test_baseline : float, optional
        The share of right labels; the share of the label that is commoner in training.
    recall, precision, balanced_accuracy, auc : float, optional
        On the rows held out; all but the balanced accuracy for the positive of two labels.
    unanswered : int
        Rows held out that the model does not answer.
    constant : bool
        Whether all rows get the same label.
    two_labels : bool
        Whether there are no more than two.
    """

    train_rows: int | None
    train_accuracy: float
    test_rows: int = 0
    test_accuracy: float | None = None
    test_baseline: float | None = None
    recall: float | None = None
    precision: float | None = None
    balanced_accuracy: float | None = None
    auc: float | None = None
    unanswered: int = 0
    constant: bool = False
    two_labels: bool = True

    @property
    def beats_nothing(self) -> bool:
        """Whether always giving the commonest label is right as often on the rows held out."""
        if self.test_accuracy is None or self.test_baseline is None:
            return False
        return self.test_accuracy <= self.test_baseline

    def to_text(self, positive: object) -> str:
        """Return the figures as sentences."""
        rows = "rows" if self.train_rows is None else f"{self.train_rows:,} rows"
        text = f"accuracy on the {rows} learned from: {self.train_accuracy:.1%}"
        if self.test_accuracy is None or self.test_baseline is None:
            return text + "\nno rows were held out, so nothing is known about new ones"
        balanced = f"balanced accuracy {_share(self.balanced_accuracy)}"
        of_two = f"{positive}: recall {_share(self.recall)}, precision {_share(self.precision)}; "
        further = f"{of_two}{balanced}, AUC {_number(self.auc)}" if self.two_labels else balanced
        return "\n".join(
            [
                f"accuracy on {self.test_rows:,} rows held out: {self.test_accuracy:.1%} "
                f"(always the commonest label: {self.test_baseline:.1%})",
                f"  {further}",
                text,
            ]
        )


def measure(
    classifier: DNFClassifier,
    X: pl.DataFrame,
    y: NDArray[np.generic],
    train: NDArray[np.intp],
    test: NDArray[np.intp],
    positive: object,
) -> FitScores:
    """Measure a model on the rows it learned from and on those held out."""
    learned = classifier.predict(X[train])
    train_accuracy = float(np.mean(learned == y[train]))
    constant = len(np.unique(learned)) == 1
    if len(test) == 0:
        return FitScores(len(train), train_accuracy, constant=constant)
    answers = answered(classifier, X[test])
    rows = test[answers.rows]
    truth = y[rows]
    labels, counts = np.unique(y[train], return_counts=True)
    given, held = answers.labels == positive, truth == positive
    recalls = [_part(answers.labels == label, truth == label) for label in labels]
    known = [recall for recall in recalls if recall is not None]
    two = len(labels) == 2
    shares = answers.shares[:, classifier.classes_.tolist().index(positive)]
    return FitScores(
        len(train),
        train_accuracy,
        len(rows),
        float(np.mean(answers.labels == truth)),
        float(np.mean(truth == labels[counts.argmax()])),
        _part(given, held) if two else None,
        _part(held, given) if two else None,
        float(np.mean(known)) if known else None,
        float(roc_auc_score(held, shares)) if two and 0 < held.sum() < len(held) else None,
        len(test) - len(rows),
        constant,
        two,
    )


def _part(wanted: NDArray[np.bool_], among: NDArray[np.bool_]) -> float | None:
    """Return the share of some rows among others; None where there are none."""
    return float(np.mean(wanted[among])) if among.any() else None


def _share(value: float | None) -> str:
    return "none" if value is None else f"{value:.1%}"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}"
