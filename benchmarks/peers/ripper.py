"""RIPPER, rules of at most k conditions: wittgenstein."""

import pandas as pd
from wittgenstein import RIPPER
from worker import Fitted, work


def frame(X):
    return pd.DataFrame(X.astype(int), columns=[f"x{j}" for j in range(X.shape[1])])


def ripper(table, k):
    model = RIPPER(max_rule_conds=k, random_state=table.seed)
    model.fit(frame(table.train), table.y.astype(int), pos_class=1)
    return Fitted(lambda X: model.predict(frame(X)), lambda: rules(model))


def rules(model):
    found = [
        (1, [2 * int(condition.feature[1:]) + (int(condition.val) == 0) for condition in rule.conds])
        for rule in model.ruleset_.rules
    ]
    return [*found, (0, ())]


if __name__ == "__main__":
    work({"ripper": ripper})
