"""Optimal trees of depth k: pystreed. A tree that the time limit cut short is not proved optimal."""

from pystreed import STreeDClassifier
from worker import Fitted, work

TIME_LIMIT = 60


def leaves(node, path=()):
    if node.is_leaf_node():
        return [(int(node.label), path)]
    code = 2 * node.feature
    return leaves(node.left_child, (*path, code + 1)) + leaves(node.right_child, (*path, code))


def optimal_tree(X, y, k):
    model = STreeDClassifier("accuracy", max_depth=k, max_num_nodes=2**k - 1, time_limit=TIME_LIMIT).fit(X, y)
    return Fitted(model.predict, lambda: leaves(model.get_tree()), proved=model.fit_result.is_optimal())


if __name__ == "__main__":
    work({"pystreed": optimal_tree})
