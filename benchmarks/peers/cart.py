"""CART of depth k and of k columns, pruned; forests, boosting and logistic regression as ceilings: scikit-learn."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from worker import SETTINGS, Fitted, cheapest_right, threshold_rules, work

MOST_PRICES = 25


def cart(table, k):
    def prepare(X, y):
        return lambda price: DecisionTreeClassifier(max_depth=k, ccp_alpha=price, random_state=table.seed).fit(X, y)

    path = prepare(table.train, table.y)(0.0).cost_complexity_pruning_path(table.train, table.y)
    prices = np.unique(np.maximum(path.ccp_alphas, 0))
    # Between two prices of the path the tree is the same: their geometric means stand for all.
    prices = [0.0, *np.sqrt(prices[1:] * prices[:-1])[1:], float(prices[-1])]
    places = np.unique(np.linspace(0, len(prices) - 1, MOST_PRICES).round().astype(int))
    model = prepare(table.train, table.y)(cheapest_right(table, [prices[i] for i in places], prepare))
    tree = model.tree_
    rules, tests = threshold_rules(tree, [int(model.classes_[value[0].argmax()]) for value in tree.value])
    return Fitted(model.predict, rules, tests, written=(tree.n_leaves, tree.n_leaves - 1))


@dataclass(frozen=True)
class Node:
    """A tree: its class and training errors as a leaf, and the split "feature <= threshold" if it has one."""

    label: int
    errors: int
    feature: int = -1
    threshold: float = 0.0
    below: object = None
    above: object = None

    def leaves(self, path=()):
        """The class of each leaf and its path of (feature, threshold, whether the test holds)."""
        if self.below is None:
            return [(self.label, path)]
        test = self.feature, self.threshold
        return self.below.leaves((*path, (*test, True))) + self.above.leaves((*path, (*test, False)))

    def predict(self, X):
        if self.below is None:
            return np.full(len(X), self.label)
        holds = X[:, self.feature].astype(float) <= self.threshold
        found = np.empty(len(X), dtype=int)
        found[holds], found[~holds] = self.below.predict(X[holds]), self.above.predict(X[~holds])
        return found

    def pruned(self, price):
        """The subtree with least errors plus price for each leaf, the smaller of equals, and that sum."""
        if self.below is None:
            return self, self.errors + price
        (below, first), (above, second) = self.below.pruned(price), self.above.pruned(price)
        if first + second < self.errors + price:
            return replace(self, below=below, above=above), first + second
        return Node(self.label, self.errors), self.errors + price


def grown(X, y, columns, k, seed, used=frozenset()):
    """CART's splits until leaves are pure; a path that has k columns goes on with these."""
    last = len(used) == k
    places = np.flatnonzero(np.isin(columns, list(used))) if last else np.arange(X.shape[1])
    tree = DecisionTreeClassifier(max_depth=None if last else 1, random_state=seed).fit(X[:, places], y).tree_

    def node(at, rows):
        counts = np.bincount(y[rows])
        leaf = Node(int(counts.argmax()), int(len(rows) - counts.max()))
        if tree.children_left[at] < 0 or not leaf.errors:
            return leaf
        feature, threshold = int(places[tree.feature[at]]), float(tree.threshold[at])
        holds = X[rows, feature].astype(float) <= threshold
        below, above = tree.children_left[at], tree.children_right[at]
        if last:
            parts = node(below, rows[holds]), node(above, rows[~holds])
        else:
            more = used | {int(columns[feature])}
            parts = [grown(X[side], y[side], columns, k, seed, more) for side in (rows[holds], rows[~holds])]
        return replace(leaf, feature=feature, threshold=threshold, below=parts[0], above=parts[1])

    return node(0, np.arange(len(y)))


def column_tree(table, k):
    def prepare(X, y):
        tree = grown(X, y, table.columns, k, table.seed)
        return lambda price: tree.pruned(price * len(y))[0]

    model = prepare(table.train, table.y)(cheapest_right(table, SETTINGS["run"]["prices"], prepare))
    leaves = model.leaves()
    tests = list(dict.fromkeys(test[:2] for _, path in leaves for test in path))
    rules = [(label, [2 * tests.index(test[:2]) + (not test[2]) for test in path]) for label, path in leaves]
    return Fitted(model.predict, lambda: rules, tests, written=(len(leaves), len(leaves) - 1))


def random_forest(table, _):
    model = RandomForestClassifier(random_state=table.seed).fit(table.train, table.y)
    return Fitted(model.predict, probabilities=model.predict_proba)


def tuned(table, values, model):
    best = model(*cheapest_right(table, values, lambda X, y: lambda value: model(*value).fit(X, y)))
    best.fit(table.train, table.y)
    return Fitted(best.predict, probabilities=best.predict_proba)


def logistic_regression(table, _):
    values = [(10.0**power,) for power in range(2, -4, -1)]
    return tuned(table, values, lambda C: make_pipeline(StandardScaler(), LogisticRegression(C=C, max_iter=1000)))


def gradient_boosting(table, _):
    def model(rate, leaves, rounds):
        return HistGradientBoostingClassifier(
            learning_rate=rate, max_leaf_nodes=leaves, max_iter=rounds, early_stopping=False, random_state=table.seed
        )

    return tuned(table, list(product((0.03, 0.1), (7, 31), (100, 300))), model)


if __name__ == "__main__":
    work(
        {
            "cart": cart,
            "cart-boolean": cart,
            "column-tree": column_tree,
            "column-tree-boolean": column_tree,
            "logistic-regression": logistic_regression,
            "random-forest": random_forest,
            "gradient-boosting": gradient_boosting,
        }
    )
