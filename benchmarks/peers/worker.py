"""What every learner of the scoreboard has in common: cells in, one line of JSON for each out.

    python cart.py FOLDER cart:AER-HMDA:0:3:0 cart:AER-HMDA:0:4:0 ...

A cell is method:data:split:k:seed; FOLDER holds data-split.npz (see board/data.py). Needs numpy and scikit-learn only,
so that it runs in the environment of any peer. Each cell is a process of its own with a limit on its processor time:
one that fails, crashes or does not end is answered with its message. Seconds are processor seconds: other work on the
machine does not count. Beside each fit stands that of a CART tree in the same process, so that times are compared in
one run.
"""

import base64
import json
import os
import resource
import sys
import time
import tomllib
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
from sklearn.metrics import balanced_accuracy_score, log_loss
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

SETTINGS = tomllib.loads((Path(__file__).parent / "settings.toml").read_text())
LIMIT = int(os.environ.get("SCOREBOARD_SECONDS", SETTINGS["run"]["seconds"]))


@dataclass
class Fitted:
    """A fitted model.

    ``rules`` is called after the time is taken and gives pairs (class, literal codes) in order: the first that holds
    decides. A literal's code is 2 * feature, plus 1 if it is negated; ``conditions`` gives the features' values on some
    rows where they are not the 0/1 features the model was given. ``written`` is how many reasons and conditions it
    takes to write the model where that is fewer than the rules have: leaves and splits of a tree. ``spare`` lists what
    could be left out of the model as it is printed.
    """

    predict: Callable
    rules: Callable | None = None
    conditions: Callable | None = None
    probabilities: Callable | None = None
    explain: Callable | None = None
    written: tuple[int, int] | None = None
    note: str = ""
    spare: Callable | None = None


@dataclass
class Table:
    """One division in the form a method takes, what its settings say, and the seed of all that is drawn."""

    train: object
    y: np.ndarray
    test: object
    test_y: np.ndarray
    settings: dict
    seed: int = 0

    @property
    def classes(self):
        return int(max(self.y.max(), self.test_y.max())) + 1

    def folds(self):
        least = int(np.bincount(self.y)[np.unique(self.y)].min())
        return list(StratifiedKFold(max(2, min(5, least)), shuffle=True, random_state=self.seed).split(self.y, self.y))


def cheapest_right(table, values, fit):
    """The value under which models err least in five folds, the last of equals; ``fit`` is given value, X and y."""
    X, y = table.train, table.y
    right = [
        sum(np.sum(np.asarray(fit(value, X[train], y[train]).predict(X[test])) == y[test]) for train, test in folds)
        for folds in [table.folds()]
        for value in values
    ]
    return values[max(range(len(values)), key=lambda i: (right[i], i))]


def threshold_rules(tree, labels):
    """Rules of a tree in scikit-learn's layout, and the conditions "feature <= threshold" they are about."""
    inner = [node for node in range(len(labels)) if tree.children_left[node] >= 0]
    tests = list(dict.fromkeys((int(tree.feature[node]), float(tree.threshold[node])) for node in inner))

    def leaves(node, path):
        if tree.children_left[node] < 0:
            return [(labels[node], path)]
        code = 2 * tests.index((int(tree.feature[node]), float(tree.threshold[node])))
        below = leaves(tree.children_left[node], (*path, code))
        return below + leaves(tree.children_right[node], (*path, code + 1))

    def conditions(X):
        # A plain comparison of float32 numbers would round the threshold first, which trees do not.
        parts = [X[:, feature].astype(float) <= threshold for feature, threshold in tests]
        return np.column_stack(parts) if parts else np.zeros((len(X), 0), dtype=bool)

    return lambda: leaves(0, ()), conditions


def truth_table(features, decide):
    """Rules of a function of few features: one for each of their values."""
    points = product((0, 1), repeat=len(features))
    return [(decide(np.array(point)), [2 * j + (not value) for j, value in zip(features, point)]) for point in points]


def seconds_of(call):
    """Mean processor seconds of calls that take 30 ms together: the clock may tick no finer than a few."""
    calls, start = 0, time.process_time()
    while time.process_time() - start < 0.03:
        call()
        calls += 1
    return (time.process_time() - start) / calls


def load(folder, data, split, form, settings, seed):
    with np.load(folder / f"{data}-{split}.npz") as arrays:
        y, test_y = arrays["train_y"], arrays["test_y"]
        if form != "table":
            return Table(arrays[f"train_{form}"], y, arrays[f"test_{form}"], test_y, settings, seed)
        plain = arrays["train_boolean"], arrays["test_boolean"]
    path = folder / f"{data}-{split}.pkl"
    if path.exists():
        import pandas as pd

        plain = pd.read_pickle(path)
    return Table(plain[0], y, plain[1], test_y, settings, seed)


def packed_model(fitted, table):
    """The rules over the conditions that occur, numbered anew, and the values of these on all rows."""
    rules = [(int(label), sorted({int(code) for code in codes})) for label, codes in fitted.rules()]
    used = sorted({code >> 1 for _, codes in rules for code in codes})
    place = {feature: i for i, feature in enumerate(used)}
    values = fitted.conditions or np.asarray
    rows = np.concatenate([np.asarray(values(part)).astype(bool)[:, used] for part in (table.train, table.test)])
    return {
        "rules": [(label, [2 * place[code >> 1] + (code & 1) for code in codes]) for label, codes in rules],
        "conditions": len(used),
        "rows": base64.b64encode(np.packbits(rows).tobytes()).decode(),
        "written": fitted.written,
    }


def answer(fit, table, k):
    start = time.process_time()
    fitted = fit(table, k)
    fit_seconds = time.process_time() - start
    labels = [np.asarray(fitted.predict(part)).astype(int) for part in (table.train, table.test)]
    found = {
        "status": "ok",
        "message": fitted.note,
        "train_accuracy": 100 * np.mean(labels[0] == table.y),
        "accuracy": 100 * np.mean(labels[1] == table.test_y),
        "balanced_accuracy": 100 * balanced_accuracy_score(table.test_y, labels[1]),
        "fit_seconds": fit_seconds,
        "labels": np.concatenate(labels).tolist(),
    }
    if fitted.probabilities is not None:
        given = np.clip(np.asarray(fitted.probabilities(table.test), dtype=float), 1e-6, 1)
        given /= given.sum(axis=1, keepdims=True)
        found["log_loss"] = log_loss(table.test_y, given, labels=np.arange(table.classes))
    if fitted.rules is not None:
        found["model"] = packed_model(fitted, table)
    if fitted.spare is not None:
        spare = fitted.spare()
        found.update(to_spare=len(spare), message="; ".join([*filter(None, [fitted.note]), *spare])[:200])
    if fitted.explain is not None:
        found["explain_seconds"] = seconds_of(lambda: fitted.explain(table.test)) / len(table.test_y)
    return found


def reference(folder, data, split, k):
    """Seconds of a CART tree of depth k on the 0/1 features."""
    with np.load(folder / f"{data}-{split}.npz") as arrays:
        X, y = arrays["train_boolean"], arrays["train_y"]
    tree = DecisionTreeClassifier(max_depth=k or None, random_state=0)
    return seconds_of(lambda: tree.fit(X, y))


def answered(fit, spec, folder, data, split, k, seed):
    warnings.simplefilter("ignore")
    table = load(folder, data, split, spec["form"], spec.get("settings", {}), seed)
    if spec.get("warm", True):
        # The first fit of a process pays for imports made late.
        few = np.concatenate([np.flatnonzero(table.y == label)[:12] for label in np.unique(table.y)])
        part = table.train.iloc[few] if hasattr(table.train, "iloc") else table.train[few]
        fit(Table(part, table.y[few], part, table.y[few], table.settings, seed), min(k, 2))
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + LIMIT, resource.RLIM_INFINITY))
    found = answer(fit, table, k)
    return {**found, "cart_seconds": reference(folder, data, split, k)}


def in_a_process(call):
    """What a call returns, from a process of its own; how it ended where it returned nothing."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        try:
            text = json.dumps(call(), default=lambda number: number.item())
        except BaseException as error:  # noqa: BLE001 - whatever a peer raises is its answer
            last = traceback.extract_tb(error.__traceback__)[-1]
            words = " ".join(str(error).split())[:200]
            said = f"{type(error).__name__}: {words} ({Path(last.filename).name})"
            text = json.dumps({"status": "failed", "message": said})
        with os.fdopen(write, "w") as pipe:
            pipe.write(text)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    if text:
        return json.loads(text)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == 24:
        return {"status": "failed", "message": f"not done in {LIMIT} processor seconds"}
    return {"status": "failed", "message": f"the process ended by itself (status {status})"}


def work(learners):
    """Answer the cells named on the command line; ``learners`` maps a method to a function of a Table and k."""
    folder, cells = Path(sys.argv[1]), [cell.split(":") for cell in sys.argv[2:]]
    # What a peer prints goes to the standard error: the standard output is for answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for method, data, *numbers in cells:
        call = partial(answered, learners[method], SETTINGS[method], folder, data, *map(int, numbers))
        place = dict(zip(("split", "k", "seed"), map(int, numbers)))
        print(json.dumps({"method": method, "data": data, **place, **in_a_process(call)}), file=answers, flush=True)
