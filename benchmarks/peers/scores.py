"""Scores of whole points for k features: FasterRisk."""

import numpy as np
from fasterrisk.fasterrisk import RiskScoreClassifier, RiskScoreOptimizer
from worker import Fitted, truth_table, work


def fasterrisk(table, k):
    y = 2.0 * table.y - 1
    optimizer = RiskScoreOptimizer(X=table.train.astype(float), y=y, k=k)
    optimizer.optimize()
    multiplier, intercept, points = optimizer.get_models(model_index=0)
    model = RiskScoreClassifier(multiplier, intercept, points)
    used = np.flatnonzero(points)

    def positive(values):
        return intercept + values @ points[used] > 0

    def probabilities(X):
        share = model.predict_prob(X.astype(float))
        return np.column_stack([1 - share, share])

    return Fitted(
        lambda X: positive(X[:, used].astype(float)),
        lambda: truth_table(used, lambda values: int(positive(values))),
        probabilities=probabilities,
        written=(1, len(used)),
    )


if __name__ == "__main__":
    work({"fasterrisk": fasterrisk})
