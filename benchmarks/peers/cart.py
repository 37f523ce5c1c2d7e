"""CART of depth k, pruned; random forests and tuned gradient boosting as ceilings: scikit-learn."""

from itertools import product

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier
from worker import Fitted, cheapest_right, threshold_rules, work

MOST_PRICES = 25


def cart(table, k):
    def fit(price, X, y):
        return DecisionTreeClassifier(max_depth=k, ccp_alpha=price, random_state=table.seed).fit(X, y)

    path = DecisionTreeClassifier(max_depth=k, random_state=table.seed).cost_complexity_pruning_path(
        table.train, table.y
    )
    prices = np.unique(np.maximum(path.ccp_alphas, 0))
    # Between two prices of the path the tree is the same: their geometric means stand for all.
    prices = [0.0, *np.sqrt(prices[1:] * prices[:-1])[1:], float(prices[-1])]
    places = np.unique(np.linspace(0, len(prices) - 1, MOST_PRICES).round().astype(int))
    model = fit(cheapest_right(table, [prices[i] for i in places], fit), table.train, table.y)
    tree = model.tree_
    rules, conditions = threshold_rules(tree, [int(model.classes_[value[0].argmax()]) for value in tree.value])
    return Fitted(model.predict, rules, conditions, written=(tree.n_leaves, tree.n_leaves - 1))


def random_forest(table, _):
    model = RandomForestClassifier(random_state=table.seed).fit(table.train, table.y)
    return Fitted(model.predict, probabilities=model.predict_proba)


def gradient_boosting(table, _):
    def model(rate, leaves, rounds):
        return HistGradientBoostingClassifier(
            learning_rate=rate, max_leaf_nodes=leaves, max_iter=rounds, early_stopping=False, random_state=table.seed
        )

    folds = StratifiedKFold(3, shuffle=True, random_state=table.seed)
    grid = list(product((0.03, 0.1), (7, 31), (100, 300)))
    scores = [cross_val_score(model(*point), table.train, table.y, cv=folds).mean() for point in grid]
    best = model(*grid[int(np.argmax(scores))]).fit(table.train, table.y)
    return Fitted(best.predict, probabilities=best.predict_proba)


if __name__ == "__main__":
    work({"cart": cart, "cart-boolean": cart, "random-forest": random_forest, "gradient-boosting": gradient_boosting})
