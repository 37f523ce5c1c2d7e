"""Our own learner, as a user calls it: on the 0/1 features of the scoreboard, and on the table as it comes."""

from functools import partial

import numpy as np
from worker import Fitted, work

from idnf import DNFClassifier, TableBinariser


def rules_of(model):
    """The terms of every class; the longest list last, as "otherwise" would have it."""
    dnfs = sorted(model.dnfs_.items(), key=lambda pair: pair[1].length)
    return [(int(label), term.codes) for label, dnf in dnfs for term in dnf.terms]


def on_features(table, k, **parameters):
    model = DNFClassifier(k, **parameters).fit(table.train.astype(bool), table.y)
    return Fitted(
        lambda X: model.predict(X.astype(bool)),
        lambda: rules_of(model),
        probabilities=lambda X: model.predict_proba(X.astype(bool)),
        explain=lambda X: model.explain(X.astype(bool), space="boolean"),
        written=(model.size_.terms, model.size_.conditions),
    )


def on_table(table, k):
    model = DNFClassifier(k, binariser=TableBinariser(missing="allow")).fit(table.train, table.y)
    return Fitted(
        model.predict,
        lambda: rules_of(model),
        conditions=lambda X: np.asarray(model.binariser_.transform(X)),
        probabilities=model.predict_proba,
        explain=lambda X: model.explain(X, space="boolean"),
        written=(model.size_.terms, model.size_.conditions),
    )


if __name__ == "__main__":
    work(
        {
            "idnf": on_features,
            "idnf-table": on_table,
            "idnf-nested": partial(on_features, family="nested"),
            "idnf-greedy": partial(on_features, family="nested", learner="greedy"),
        }
    )
