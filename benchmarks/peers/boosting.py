"""Ceilings: XGBoost and explainable boosting machines, one thread."""

from interpret.glassbox import ExplainableBoostingClassifier
from worker import Fitted, work
from xgboost import XGBClassifier


def xgboost(table, _):
    model = XGBClassifier(n_jobs=1, random_state=table.seed).fit(table.train, table.y)
    return Fitted(model.predict, probabilities=model.predict_proba)


def ebm(table, _):
    model = ExplainableBoostingClassifier(n_jobs=1, outer_bags=4, random_state=table.seed).fit(table.train, table.y)
    return Fitted(model.predict, probabilities=model.predict_proba)


if __name__ == "__main__":
    work({"xgboost": xgboost, "ebm": ebm})
