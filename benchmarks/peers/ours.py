"""Our own learner, as a user calls it: on the 0/1 features of the scoreboard, and on the table as it comes."""

import sys
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
from worker import Fitted, work

from idnf import DNFClassifier, TableBinariser

sys.path.insert(1, str(Path(__file__).parents[1]))
from readable import spare  # noqa: E402 - it lies in the folder above


def rules_of(model):
    """The terms of every class; the longest list last, as "otherwise" would have it."""
    dnfs = sorted(model.dnfs_.items(), key=lambda pair: pair[1].length)
    return [(int(label), term.codes) for label, dnf in dnfs for term in dnf.terms]


def named(X):
    """A table with names for its columns, those that are printed where it has none."""
    return X if isinstance(X, pd.DataFrame) else pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])


def on_features(table, k, **parameters):
    train = table.train.astype(bool)
    model = DNFClassifier(k, random_state=table.seed, **parameters).fit(train, table.y)
    return Fitted(
        lambda X: model.predict(X.astype(bool)),
        lambda: rules_of(model),
        probabilities=lambda X: model.predict_proba(X.astype(bool)),
        explain=lambda X: model.explain(X.astype(bool), space="boolean"),
        written=(model.size_.terms, model.size_.conditions),
        spare=lambda: spare(model.to_text(form="lines"), named(train), table.y, model.predict(train)),
    )


def on_table(table, k):
    binariser = TableBinariser(missing="allow")
    model = DNFClassifier(k, binariser=binariser, random_state=table.seed).fit(table.train, table.y)
    return Fitted(
        model.predict,
        lambda: rules_of(model),
        conditions=lambda X: np.asarray(model.binariser_.transform(X)),
        probabilities=model.predict_proba,
        explain=lambda X: model.explain(X, space="boolean"),
        written=(model.size_.terms, model.size_.conditions),
        spare=lambda: spare(model.to_text(form="lines"), named(table.train), table.y, model.predict(table.train)),
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
