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
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

SETTINGS = tomllib.loads((Path(__file__).parent / "settings.toml").read_text())
SECONDS = {int(size): seconds for size, seconds in SETTINGS["run"]["seconds"].items()}


def limit_of(data):
    """The processor seconds of a cell, by the size of its data."""
    size = int(data.partition("@")[2] or min(SECONDS))
    return int(os.environ.get("SCOREBOARD_SECONDS", SECONDS[size]))


@dataclass
class Fitted:
    """A fitted model.

    ``rules`` is called after the time is taken and gives pairs (class, literal codes) in order: the first that holds
    decides. A literal's code is 2 * condition, plus 1 if it is negated. Conditions are the 0/1 features; or ``tests``,
    pairs (feature, threshold) for "feature <= threshold"; or ``conditions`` gives their values on some rows and
    ``space`` for each its column and the cells in which it holds, and the number of cells of each column. ``written``
    is how many reasons and conditions it takes to write the model where that is fewer than the rules have: leaves and
    splits of a tree. ``spare`` lists what could be left out of the model as it is printed.
    """

    predict: Callable
    rules: Callable | None = None
    tests: list | None = None
    conditions: Callable | None = None
    space: tuple[list, list] | None = None
    probabilities: Callable | None = None
    explain: Callable | None = None
    written: tuple[int, int] | None = None
    note: str = ""
    spare: Callable | None = None


@dataclass
class Table:
    """One division in the form a method takes, what its settings say, and the seed of all that is drawn.

    ``columns`` has for each 0/1 feature or number the column of the table that it is about.
    """

    train: object
    y: np.ndarray
    test: object
    test_y: np.ndarray
    columns: np.ndarray
    settings: dict
    seed: int = 0

    def folds(self):
        least = int(np.bincount(self.y)[np.unique(self.y)].min())
        return list(StratifiedKFold(max(2, min(5, least)), shuffle=True, random_state=self.seed).split(self.y, self.y))


def cheapest_right(table, values, prepare):
    """The value under which models err least in the folds that all methods have, the last of equals.

    ``prepare`` is given X and y and returns a function from a value to a model.
    """
    X, y = table.train, table.y
    right = np.zeros(len(values))
    for train, test in table.folds():
        model = prepare(X[train], y[train])
        right += [np.sum(np.asarray(model(value).predict(X[test])) == y[test]) for value in values]
    return values[max(range(len(values)), key=lambda i: (right[i], i))]


def threshold_rules(tree, labels):
    """Rules of a tree in scikit-learn's layout, and the tests "feature <= threshold" they are about."""
    inner = [node for node in range(len(labels)) if tree.children_left[node] >= 0]
    tests = list(dict.fromkeys((int(tree.feature[node]), float(tree.threshold[node])) for node in inner))

    def leaves(node, path):
        if tree.children_left[node] < 0:
            return [(labels[node], path)]
        code = 2 * tests.index((int(tree.feature[node]), float(tree.threshold[node])))
        below = leaves(tree.children_left[node], (*path, code))
        return below + leaves(tree.children_right[node], (*path, code + 1))

    return lambda: leaves(0, ()), tests


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
        shape = "boolean" if form == "table" else form
        train, test, columns = (arrays[name] for name in (f"train_{shape}", f"test_{shape}", f"{shape}_columns"))
    path = folder / f"{data}-{split}.pkl"
    if form == "table" and path.exists():
        import pandas as pd

        train, test = pd.read_pickle(path)
    return Table(train, y, test, test_y, columns, settings, seed)


def values_of(fitted, part):
    """The conditions of a model on some rows."""
    if fitted.conditions is not None:
        return np.asarray(fitted.conditions(part)).astype(bool)
    if fitted.tests is None:
        return np.asarray(part).astype(bool)
    # A plain comparison of float32 numbers would round the threshold first, which trees do not.
    found = [part[:, feature].astype(float) <= threshold for feature, threshold in fitted.tests]
    return np.column_stack(found) if found else np.zeros((len(part), 0), dtype=bool)


def cells_of(fitted, table, used, rows):
    """The conditions of each column, and the ways in which they come out together.

    These are the ways of all rows and, if thresholds divide a number, one for each interval between them.
    """
    if fitted.space is not None:
        literals, sizes = fitted.space
        places = [literals[condition][0] for condition in used]
    elif fitted.tests is not None:
        places = [int(table.columns[fitted.tests[condition][0]]) for condition in used]
    else:
        places = [int(table.columns[condition]) for condition in used]
    found = []
    for column in sorted(set(places)):
        mine = [i for i, place in enumerate(places) if place == column]
        ways = np.unique(rows[:, mine], axis=0).astype(int).tolist()
        if fitted.space is not None:
            ways += [[literals[used[i]][1] >> cell & 1 for i in mine] for cell in range(sizes[column])]
        elif fitted.tests is not None:
            ways += intervals([fitted.tests[used[i]] for i in mine])
        found.append((mine, ways))
    return found


def intervals(tests):
    """How tests of one column come out in each interval of a number with several thresholds; other features are 0."""
    found = []
    for feature in {feature for feature, _ in tests}:
        cuts = sorted({threshold for one, threshold in tests if one == feature})
        if len(cuts) > 1:
            for value in (*cuts, np.inf):
                found.append([int((value if one == feature else 0) <= threshold) for one, threshold in tests])
    return found


def packed_model(fitted, table):
    """The rules over the conditions that occur, numbered anew, their columns, and their values on all rows."""
    rules = [(int(label), sorted({int(code) for code in codes})) for label, codes in fitted.rules()]
    used = sorted({code >> 1 for _, codes in rules for code in codes})
    place = {condition: i for i, condition in enumerate(used)}
    rows = np.concatenate([values_of(fitted, part)[:, used] for part in (table.train, table.test)])
    return {
        "rules": [(label, [2 * place[code >> 1] + (code & 1) for code in codes]) for label, codes in rules],
        "conditions": len(used),
        "columns": cells_of(fitted, table, used, rows),
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
        "fit_seconds": fit_seconds,
        "labels": np.concatenate(labels).tolist(),
    }
    if fitted.probabilities is not None:
        given = np.asarray(fitted.probabilities(table.test), dtype=np.float32)
        found["probabilities"] = base64.b64encode(given.tobytes()).decode()
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
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + limit_of(data), resource.RLIM_INFINITY))
    found = answer(fit, table, k)
    return {**found, "cart_seconds": reference(folder, data, split, k)}


def warmed(fit, spec, folder, data, split, k, seed):
    """Fit a few rows: the first fit of a process pays for imports made late."""
    warnings.simplefilter("ignore")
    table = load(folder, data, split, spec["form"], spec.get("settings", {}), seed)
    few = np.concatenate([np.flatnonzero(table.y == label)[:12] for label in np.unique(table.y)])
    part = table.train.iloc[few] if hasattr(table.train, "iloc") else table.train[few]
    fit(Table(part, table.y[few], part, table.y[few], table.columns, table.settings, seed), min(k, 2))
    return {"status": "ok"}


def classes_of(folder, data, split):
    with np.load(folder / f"{data}-{split}.npz") as arrays:
        return int(arrays["train_y"].max()) + 1


def in_a_process(call, limit):
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
    _, status, used = os.wait4(child, 0)
    spent = {"cell_seconds": used.ru_utime + used.ru_stime}
    if text:
        return {**json.loads(text), **spent}
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == 24:
        return {"status": "failed", "message": f"not done in {limit} processor seconds", **spent}
    return {"status": "failed", "message": f"the process ended by itself (status {status})", **spent}


def work(learners):
    """Answer the cells named on the command line; ``learners`` maps a method to a function of a Table and k."""
    folder, cells = Path(sys.argv[1]), [cell.split(":") for cell in sys.argv[2:]]
    # What a peer prints goes to the standard error: the standard output is for answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    warm = set()
    for method, data, *numbers in cells:
        given = learners[method], SETTINGS[method], folder, data, *map(int, numbers)
        several = classes_of(folder, data, numbers[0]) > 2
        if (method, several) not in warm and in_a_process(partial(warmed, *given), limit_of(data))["status"] == "ok":
            # Once for all cells, which are copies of this process; tried in a copy first, as a learner may crash.
            warmed(*given)
        warm.add((method, several))
        place = dict(zip(("split", "k", "seed"), map(int, numbers)))
        found = in_a_process(partial(answered, *given), limit_of(data))
        print(json.dumps({"method": method, "data": data, **place, **found}), file=answers, flush=True)
