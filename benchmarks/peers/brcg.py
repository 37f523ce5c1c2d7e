"""Boolean rules by column generation, terms of at most k literals: BooleanRuleCG of aix360, for either class.

It is given every feature and its negation, as its own binariser would; all else is left at its defaults.
"""

import warnings

import numpy as np
import pandas as pd
from aix360.algorithms.rbm import BooleanRuleCG
from worker import Fitted, work


def literals(X):
    """Columns x0, not x0, x1, not x1, ...: column c is the literal of code c."""
    n = X.shape[1]
    columns = pd.MultiIndex.from_tuples([(f"x{j}", sign, "") for j in range(n) for sign in ("", "not")])
    return pd.DataFrame(np.stack([X, 1 - X], axis=2).reshape(len(X), 2 * n), columns=columns)


def column_generation(X, y, k, *, negative):
    model = BooleanRuleCG(D=k, CNF=negative, silent=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(literals(X), y.astype(int))
    return Fitted(lambda X: model.predict(literals(X)), lambda: terms(model))


def terms(model):
    chosen = model.z.loc[:, model.w > 0.5].to_numpy()
    # Without a term the other class is always given.
    return [(int(not model.CNF), np.flatnonzero(term)) for term in chosen.T] or [(int(model.CNF), ())]


def brcg_dnf(X, y, k):
    return column_generation(X, y, k, negative=False)


def brcg_cnf(X, y, k):
    return column_generation(X, y, k, negative=True)


if __name__ == "__main__":
    work({"brcg-dnf": brcg_dnf, "brcg-cnf": brcg_cnf})
