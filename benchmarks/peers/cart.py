"""CART of depth k, and random forests as a ceiling: scikit-learn."""

from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from worker import Fitted, work


def leaves(tree, node=0, path=()):
    if tree.children_left[node] < 0:
        return [(int(tree.value[node][0].argmax()), path)]
    code = 2 * int(tree.feature[node])
    false, true = tree.children_left[node], tree.children_right[node]
    return leaves(tree, false, (*path, code + 1)) + leaves(tree, true, (*path, code))


def cart(X, y, k):
    model = DecisionTreeClassifier(max_depth=k, random_state=0).fit(X, y)
    return Fitted(model.predict, lambda: [(int(model.classes_[label]), path) for label, path in leaves(model.tree_)])


def random_forest(X, y, _):
    model = RandomForestClassifier(random_state=0).fit(X, y)
    return Fitted(model.predict, leaves=lambda: sum(tree.get_n_leaves() for tree in model.estimators_))


if __name__ == "__main__":
    work({"cart": cart, "random-forest": random_forest})
