"""Rules of operators over k literals: BoolXAI."""

import re

import numpy as np
from boolxai import BoolXAI
from sklearn.metrics import accuracy_score
from worker import Fitted, truth_table, work


def boolxai(table, k):
    model = BoolXAI.RuleClassifier(max_complexity=k + 1, metric=accuracy_score, random_state=table.seed, num_jobs=1)
    model.fit(table.train, table.y)
    rule = model.best_rule_
    # In the text of a rule the literals are whole numbers that belong to no word.
    literals = re.findall(r"(?<![A-Za-z0-9])\d+", rule.to_str())
    used = np.array(sorted({int(text) for text in literals}), dtype=int)

    def decide(values):
        row = np.zeros((1, table.train.shape[1]), dtype=int)
        row[0, used] = values
        return int(model.predict(row)[0])

    return Fitted(model.predict, lambda: truth_table(used, decide), written=(1, len(literals)))


if __name__ == "__main__":
    work({"boolxai": boolxai})
