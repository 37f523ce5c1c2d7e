"""Greedy rule lists and sums of trees: imodels."""

import numpy as np
from imodels import FIGSClassifier, GreedyRuleListClassifier
from worker import Fitted, work


def greedy_list(table, k):
    model = GreedyRuleListClassifier(max_depth=k).fit(table.train, table.y)
    *steps, last = model.rules_

    def rules():
        # Condition i is that of step i; a tie of the two classes goes to the first.
        found = [(int(step["val_right"] > 0.5), [2 * i]) for i, step in enumerate(steps)]
        return [*found, (int(last["val"] > 0.5), [])]

    def conditions(X):
        parts = [(X[:, s["index_col"]] < s["cutoff"]) == s["flip"] for s in steps]
        return np.column_stack(parts) if parts else np.zeros((len(X), 0), dtype=bool)

    return Fitted(model.predict, rules, conditions, model.predict_proba, written=(len(steps), len(steps)))


def figs(table, k):
    model = FIGSClassifier(max_rules=k or 12, random_state=table.seed).fit(table.train, table.y)
    tests = []

    def leaves(node, path):
        if node.left is None and node.right is None:
            return [(node.value, path)]
        test = (node.feature, node.threshold)
        if test not in tests:
            tests.append(test)
        code = 2 * tests.index(test)
        return leaves(node.left, (*path, code)) + leaves(node.right, (*path, code + 1))

    trees = [leaves(root, ()) for root in model.trees_]

    def rules():
        """Every choice of a leaf in each tree; the class is that of the largest sum."""
        found = [(0, ())]
        for tree in trees:
            found = [(total + value, path + more) for total, path in found for value, more in tree]
            found = [(total, path) for total, path in found if not any(code ^ 1 in path for code in path)]
        return [(int(np.argmax(total)), path) for total, path in found]

    def conditions(X):
        return np.column_stack([X[:, feature].astype(float) <= threshold for feature, threshold in tests])

    count = sum(map(len, trees))
    return Fitted(model.predict, rules, conditions, model.predict_proba, written=(count, count - len(trees)))


if __name__ == "__main__":
    work({"greedy-list": greedy_list, "figs": figs, "figs-12": figs})
