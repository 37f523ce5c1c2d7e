"""What every learner of the scoreboard has in common: cells in, one CSV row for each out.

    python cart.py ANSWERS.csv FOLDER cart:banknote:0:3 cart:banknote:0:4 ...

A cell is method:data:split:k; FOLDER holds data-split.npz with 0/1 arrays train_X, train_y, test_X, test_y. Needs numpy
and scikit-learn only, so that it runs in the environment of any peer. Seconds are processor seconds: other work on the
machine does not count. Beside each fit stands that of a CART tree in the same process, so that times are compared in
one run.
"""

import csv
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
from sklearn.tree import DecisionTreeClassifier

COLUMNS = (
    "method", "data", "split", "k", "train_accuracy", "test_accuracy", "size", "proved",
    "fit_seconds", "predict_seconds", "explain_seconds", "cart_fit_seconds", "cart_predict_seconds", "model",
)  # fmt: skip
_REPEATS = 5


@dataclass
class Fitted:
    """A fitted model.

    ``terms`` is called after the time is taken and gives pairs (class, literal codes): the leaves of a tree, or the
    terms of one class, all else being the other. A literal's code is 2 * feature, plus 1 if it is negated. A model that
    is neither tells its number of leaves by ``leaves``.
    """

    predict: Callable
    terms: Callable | None = None
    leaves: Callable | None = None
    proved: bool = False
    explain: Callable | None = None


def seconds(call):
    """Median processor seconds of some calls."""
    taken = []
    for _ in range(_REPEATS):
        start = time.process_time()
        call()
        taken.append(time.process_time() - start)
    return median(taken)


def text_of(terms):
    """A model in one line: `1:0 5|1:2 7` is (x0 and not x2) or (x1 and not x3) for class 1."""
    return "|".join(f"{label}:{' '.join(str(int(code)) for code in codes)}" for label, codes in terms)


def answer(fit, table, k):
    X, y, test_X, test_y = (table[name] for name in ("train_X", "train_y", "test_X", "test_y"))
    start = time.process_time()
    fitted = fit(X, y, k)
    fit_seconds = time.process_time() - start
    every = np.concatenate([X, test_X])
    tree = DecisionTreeClassifier(max_depth=k or None, random_state=0).fit(X, y)
    terms = None if fitted.terms is None else fitted.terms()
    return {
        "train_accuracy": 100 * np.mean(np.asarray(fitted.predict(X)) == y),
        "test_accuracy": 100 * np.mean(np.asarray(fitted.predict(test_X)) == test_y),
        "size": fitted.leaves() if terms is None else len(terms),
        "proved": int(fitted.proved),
        "fit_seconds": f"{fit_seconds:.6f}",
        "predict_seconds": f"{seconds(lambda: fitted.predict(every)):.6f}",
        "explain_seconds": "" if fitted.explain is None else f"{seconds(lambda: fitted.explain(every)):.6f}",
        "cart_fit_seconds": f"{seconds(lambda: tree.fit(X, y)):.6f}",
        "cart_predict_seconds": f"{seconds(lambda: tree.predict(every)):.6f}",
        "model": "" if terms is None else text_of(terms),
    }


def work(learners):
    """Answer the cells named on the command line; ``learners`` maps a method to a function of X, y and k."""
    path, folder, cells = Path(sys.argv[1]), Path(sys.argv[2]), [cell.split(":") for cell in sys.argv[3:]]
    new = not path.exists()
    warm = set()
    with path.open("a", newline="") as file:
        rows = csv.DictWriter(file, COLUMNS)
        if new:
            rows.writeheader()
        for method, data, split, k in cells:
            table = np.load(folder / f"{data}-{split}.npz")
            if method not in warm:
                # The first fit of a process pays for imports made late.
                learners[method](table["train_X"][:40], table["train_y"][:40], 2)
                warm.add(method)
            found = answer(learners[method], table, int(k))
            rows.writerow({"method": method, "data": data, "split": split, "k": k, **found})
            file.flush()
