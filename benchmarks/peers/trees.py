"""Trees of depth k: LicketySPLIT, pystreed, and ConTree of pytrees-rs."""

from licketysplit import LicketySPLITClassifier
from pystreed import STreeDClassifier
from pytrees import ConTreeClassifier
from worker import SETTINGS, Fitted, cheapest_right, threshold_rules, work


def licketysplit(table, k):
    look = min(table.settings["lookahead"], k)

    def prepare(X, y):
        return lambda price: LicketySPLITClassifier(lambda_leaf=price, depth_budget=k, lookahead_k=look).fit(X, y)

    price = cheapest_right(table, SETTINGS["run"]["prices"], prepare)
    model = prepare(table.train, table.y)(price)
    paths, labels = model.get_tree_paths()
    # A path holds features from 1, negative where the feature is 0.
    codes = [[2 * (abs(step) - 1) + (step < 0) for step in path] for path in paths]
    return Fitted(model.predict, lambda: list(zip(labels, codes)), written=(len(paths), len(paths) - 1))


def leaves(node, path=()):
    if node.is_leaf_node():
        return [(int(node.label), path)]
    code = 2 * node.feature
    return leaves(node.left_child, (*path, code + 1)) + leaves(node.right_child, (*path, code))


def streed(table, k, task, **options):
    clock = table.settings["clock"]
    model = STreeDClassifier(
        task, max_depth=k, max_num_nodes=2**k - 1, time_limit=clock, random_seed=table.seed, **options
    ).fit(table.train, table.y)
    found = leaves(model.get_tree())
    note = "" if model.fit_result.is_optimal() else f"not proved optimal in {clock} s"
    return Fitted(model.predict, lambda: found, written=(len(found), len(found) - 1), note=note)


def contree(table, k):
    clock = table.settings["clock"]
    model = ConTreeClassifier(max_depth=k, min_sup=5, max_time=float(clock), sort_by_heuristic=True)
    model.fit(table.train.astype(float), table.y)
    tree = model.tree_
    rules, tests = threshold_rules(tree, [int(model.classes_[max(0, value)]) for value in tree.value])
    note = "" if model.status_ == "optimal" else f"not proved optimal in {clock} s"
    return Fitted(
        lambda X: model.predict(X.astype(float)),
        rules,
        tests,
        written=(tree.n_leaves, tree.n_leaves - 1),
        note=note,
    )


if __name__ == "__main__":
    work(
        {
            "licketysplit": licketysplit,
            "licketysplit-2": licketysplit,
            "pystreed": lambda table, k: streed(table, k, "accuracy"),
            "pystreed-tuned": lambda table, k: streed(table, k, "cost-complex-accuracy", hyper_tune=True),
            "contree": contree,
        }
    )
