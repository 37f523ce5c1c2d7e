"""Boolean rules by column generation, terms of at most k literals: BooleanRuleCG of aix360, for either class.

It is given every feature and its negation, as its own binariser would; all else is left at its defaults.
"""

import numpy as np
import pandas as pd
from aix360.algorithms.rbm import BooleanRuleCG
from worker import Fitted, work


def literals(X):
    """Columns x0, not x0, x1, not x1, ...: column c is the literal of code c."""
    n = X.shape[1]
    columns = pd.MultiIndex.from_tuples([(f"x{j}", sign, "") for j in range(n) for sign in ("", "not")])
    return pd.DataFrame(np.stack([X, 1 - X], axis=2).reshape(len(X), 2 * n), columns=columns)


def column_generation(table, k, *, negative):
    model = BooleanRuleCG(D=k, CNF=negative, silent=True)
    model.fit(literals(table.train), table.y.astype(int))
    return Fitted(lambda X: model.predict(literals(X)), lambda: rules(model))


def rules(model):
    chosen = model.z.loc[:, model.w > 0.5].to_numpy()
    return [*((int(not model.CNF), np.flatnonzero(term)) for term in chosen.T), (int(model.CNF), ())]


if __name__ == "__main__":
    work(
        {
            "brcg-dnf": lambda table, k: column_generation(table, k, negative=False),
            "brcg-cnf": lambda table, k: column_generation(table, k, negative=True),
        }
    )
