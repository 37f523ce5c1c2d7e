"""Greedy rule lists and sums of trees: imodels."""

import numpy as np
from imodels import FIGSClassifier, GreedyRuleListClassifier
from worker import Fitted, cheapest_right, work


def greedy_list(table, k):
    def prepare(X, y):
        return lambda depth: GreedyRuleListClassifier(max_depth=depth).fit(X, y)

    model = prepare(table.train, table.y)(cheapest_right(table, range(k, 0, -1), prepare))
    *steps, last = model.rules_

    def rules():
        # Condition i is that of step i, which holds below its cut or above it; a tie of the classes goes to the first.
        found = [(int(step["val_right"] > 0.5), [2 * i + (not step["flip"])]) for i, step in enumerate(steps)]
        return [*found, (int(last["val"] > 0.5), [])]

    tests = [(int(step["index_col"]), float(np.nextafter(float(step["cutoff"]), -np.inf))) for step in steps]
    return Fitted(model.predict, rules, tests, probabilities=model.predict_proba, written=(len(steps), len(steps)))


def figs(table, k):
    def prepare(X, y):
        return lambda splits: FIGSClassifier(max_rules=splits, random_state=table.seed).fit(X, y)

    model = prepare(table.train, table.y)(cheapest_right(table, range(k or 12, 0, -1), prepare))
    tests = []

    def leaves(node, path):
        if node.left is None and node.right is None:
            return [(node.value, path)]
        test = (int(node.feature), float(node.threshold))
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

    count = sum(map(len, trees))
    written = count, count - len(trees)
    return Fitted(model.predict, rules, tests, probabilities=model.predict_proba, written=written)


if __name__ == "__main__":
    work({"greedy-list": greedy_list, "figs": figs, "figs-12": figs})
