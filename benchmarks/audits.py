"""How fast the auditor's questions are answered, and fair models beside others.

    python benchmarks/audits.py                rows a second on compas; the difference of two large models
    python benchmarks/audits.py --fairness     errors against the gap on compas and a generated table, beside fairlearn
                                               and pystreed where they are installed; about ten minutes
    python benchmarks/audits.py --fairness --quick
    python benchmarks/audits.py --peers        necessary and relevant columns of a tree, beside PyXAI in an environment
                                               of its own

Times are processor seconds of one core.
"""

import argparse
import time
from dataclasses import replace
from importlib.util import find_spec
from statistics import median

import numpy as np
import pandas as pd
from board.explainers import COMPAS_GROUPS as GROUPS
from board.explainers import FORMAL, asked
from board.methods import ROOT
from sklearn.tree import DecisionTreeClassifier

from idnf import DNFClassifier, Fairness
from idnf.auditing.attribution import Attributions
from idnf.auditing.class_boxes import ClassBoxes
from idnf.auditing.differences import difference_of
from idnf.auditing.principal_reasons import PrincipalReasons
from idnf.auditing.relevance import Relevances
from idnf.auditing.table_models import TableModel
from idnf.columns.intervals import NumberColumn
from idnf.datasets.loading import load_paper
from idnf.explaining.explainer import Explainer
from idnf.logic.boxes import Space
from idnf.logic.trees import NestedTree

ROWS = 1_000_000
LIMITS = (0.2, 0.1, 0.05, 0.02, 0.0)


def timed(ask, *, repeats=3):
    times = []
    for _ in range(repeats):
        start = time.process_time()
        found = ask()
        times.append(time.process_time() - start)
    return found, median(times)


def compas_table():
    """compas as eight columns of categories, and its labels."""
    X, y = (np.asarray(part).astype(int) for part in load_paper("compas"))
    ends = np.cumsum(GROUPS)
    cells = [X[:, end - size : end].argmax(axis=1) for end, size in zip(ends, GROUPS)]
    names = [f"column {g}" for g in range(len(GROUPS))]
    return pd.DataFrame({name: cell.astype(str) for name, cell in zip(names, cells)}), y


def rates():
    X, y = compas_table()
    clf = DNFClassifier(k=4, effort=0.3).fit(X, y)
    many = X.iloc[np.random.default_rng(0).integers(0, len(X), ROWS)].reset_index(drop=True)
    model, cells = clf.fitted_.table_model.class_boxes, clf.binariser_.cells(many)

    def said(column, mask):
        return clf.fitted_.columns[column].words(mask)

    questions = {
        "necessary and relevant columns": lambda: Relevances(model, cells).shares(),
        "attribution, and its mean": lambda: Attributions(model, cells).mean,
        "principal reasons, codes": lambda: PrincipalReasons(model, cells, said).codes,
        "principal reasons, a list for each row": lambda: list(PrincipalReasons(model, cells, said)),
    }
    print(f"compas, k = 4, {sum(map(len, model.boxes))} terms, {ROWS:,} rows drawn from {len(X):,}")
    for name, ask in questions.items():
        _, seconds = timed(ask)
        print(f"  {name:<44} {ROWS / seconds:12,.0f} rows/s  (target >= 100,000)")
    start = time.process_time()
    clf.relevance(many[:100_000])
    seconds = time.process_time() - start
    print(f"  {'the first, with the reading of a pandas table':<44} {100_000 / seconds:12,.0f} rows/s")
    once = clf.binariser_.cells(X)
    for name, ask in {
        "necessary and relevant columns": lambda: Relevances(model, once).shares(),
        "attribution, and its mean": lambda: Attributions(model, once).mean,
        "principal reasons, codes": lambda: PrincipalReasons(model, once, said).codes,
    }.items():
        _, seconds = timed(ask)
        print(f"  {name + ', each row once':<44} {len(X) / seconds:12,.0f} rows/s")


def beside_pyxai():
    """Necessary and relevant features of a tree of depth 4 over the 0/1 features of compas, row by row."""
    X, y = (np.asarray(part).astype(int) for part in load_paper("compas"))
    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)
    rows = np.unique(X, axis=0)[::10]
    folder = ROOT / "benchmarks" / ".work" / "necessity"
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / "given.npz", X=X, y=y, rows=rows)
    told = asked(replace(FORMAL, script="necessity.py"), folder)
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    sides = Explainer.of(NestedTree.from_sklearn(tree.tree_, names, 4), Space.boolean(names)).sides
    model = ClassBoxes(sides.space, tuple(sides.written(label) for label in sides.labels), 4)
    found, seconds = timed(lambda: Relevances(model, rows))
    for question, ours in (("necessary", found.necessary), ("relevant", found.relevant)):
        same = np.mean(ours.sum(axis=1) == told[question])
        ratio = told["seconds"][question] / (seconds / len(rows))
        shares = f"{len(rows)} rows, as many as ours on {same:.0%}"
        print(f"  PyXAI, {question} features: {shares}, {ratio:,.0f} times our time")


def large_model(seed, *, columns=20, cells=8, k=5):
    """A tree of depth k over random cuts, each leaf split into terms that overlap, about 1,000 a side."""
    rng = np.random.default_rng(seed)
    table = tuple(NumberColumn(f"x{j}", "refused", cuts=tuple(np.sort(rng.random(cells - 1)))) for j in range(columns))
    full = tuple(column.full for column in table)
    sides = ([], [])

    def grow(box, depth):
        if depth == k:
            sides[int(rng.integers(2))].append(box)
            return
        free = [j for j in range(columns) if box[j] == full[j]]
        j = int(rng.choice(free))
        cut = int(rng.integers(1, cells))
        low = (1 << cut) - 1
        grow((*box[:j], low, *box[j + 1 :]), depth + 1)
        grow((*box[:j], full[j] & ~low, *box[j + 1 :]), depth + 1)

    # Terms of at most k columns: leaves of depth k, each told apart once more by its own cells.
    grow(full, 0)
    many = []
    for side in sides:
        terms = []
        while len(terms) < 1000 and side:
            box = side[len(terms) % len(side)]
            chosen = [j for j in range(columns) if box[j] != full[j]]
            masks = list(box)
            for j in rng.choice(chosen, 3, replace=False).tolist():
                held = [c for c in range(cells) if box[j] >> c & 1]
                masks[j] = sum(1 << c for c in held if rng.random() < 0.6) or box[j]
            terms.append(tuple(masks))
        many.append(tuple(dict.fromkeys([*side, *terms])))
    return TableModel(table, (0, 1), tuple(many), k)


def differences():
    old, new = large_model(0), large_model(1)
    rows = pd.DataFrame(np.random.default_rng(2).random((10_000, 20)), columns=[f"x{j}" for j in range(20)])
    for name, table in (("no rows", None), ("10,000 rows", rows)):
        found, seconds = timed(lambda table=table: difference_of(old, new, table))
        terms = " and ".join(str(len(side)) for model in (old, new) for side in model.boxes)
        print(f"  difference, k = 5, {terms} terms, {name}: {seconds:.2f} s, {found.pairs:,} pairs meet  (target 1 s)")


def generated(rows=2000):
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, rows)
    X = pd.DataFrame({f"a{j}": (rng.random(rows) < 0.3 + 0.4 * group * (j < 2)).astype(int) for j in range(8)})
    y = (rng.random(rows) < 0.05 + 0.4 * X["a0"] + 0.4 * X["a1"] + 0.1 * X["a2"]).astype(int).to_numpy()
    return X.assign(group=np.where(group, "b", "a")), y, "group"


def compas_fair():
    """compas with its column of two groups, the one that parts the rates most, as the group."""
    X, y = compas_table()
    two = [name for name in X.columns if X[name].nunique() == 2]
    gaps = {name: np.ptp([y[X[name] == value].mean() for value in X[name].unique()]) for name in two}
    return X, y, max(gaps, key=gaps.get)


def gap_of(given, groups):
    shares = [given[groups == value].mean() for value in np.unique(groups)]
    return max(shares) - min(shares)


def fairness(*, quick):
    k = 3
    for name, (X, y, column) in (("generated", generated()), ("compas", compas_fair())):
        groups, features = X[column].to_numpy(), X.drop(columns=column)
        print(f"{name}: {len(X):,} rows, groups by {column}, k = {k}; training errors and gap in rates of class 1")
        for limit in LIMITS[:2] if quick else LIMITS:
            for learner in ("search", "exact"):
                if learner == "exact" and (quick or limit not in (0.1, 0.02)):
                    continue
                start = time.process_time()
                asked = Fairness(column, limit=limit)
                clf = DNFClassifier(k=k, learner=learner, price=0.0, effort=0.2, fairness=asked).fit(X, y)
                report, seconds = clf.fairness_, time.process_time() - start
                bound = "" if report.bound is None else f", proved bound {report.bound:.2%} ({report.bound_family})"
                print(
                    f"  idnf {learner:<8} limit {limit:<5} errors {report.error:.2%}  gap {report.gap:.3f}  "
                    f"{seconds:6.1f} s{bound}"
                )
        coded = pd.get_dummies(features).astype(float).to_numpy()
        others(coded, y, groups, k, quick=quick)


def others(X, y, groups, k, *, quick):
    """fairlearn's reductions on trees of depth k, and pystreed's fair trees."""
    if find_spec("fairlearn"):
        from fairlearn.reductions import DemographicParity, ExponentiatedGradient, GridSearch

        tree = DecisionTreeClassifier(max_depth=k, random_state=0)
        for limit in (0.1,) if quick else (0.1, 0.05, 0.02):
            start = time.process_time()
            reduced = ExponentiatedGradient(tree, DemographicParity(difference_bound=limit)).fit(
                X, y, sensitive_features=groups
            )
            given = reduced.predict(X, random_state=0)
            differ = int((given != reduced.predict(X, random_state=1)).sum())
            print(
                f"  fairlearn exponentiated gradient, bound {limit:<5} errors {np.mean(given != y):.2%}  "
                f"gap {gap_of(given, groups):.3f}  {time.process_time() - start:6.1f} s; randomised over "
                f"{len(reduced.predictors_)} trees, {differ} rows differ between two calls"
            )
        start = time.process_time()
        grid = GridSearch(tree, DemographicParity(), grid_size=20).fit(X, y, sensitive_features=groups)
        points = sorted((gap_of(p.predict(X), groups), float(np.mean(p.predict(X) != y))) for p in grid.predictors_)
        best = [p for i, p in enumerate(points) if all(p[1] < q[1] for q in points[:i])]
        said = ", ".join(f"({gap:.3f}, {error:.2%})" for gap, error in best)
        print(f"  fairlearn grid search, (gap, errors): {said}  {time.process_time() - start:.1f} s")
    else:
        print("  fairlearn is not installed here")
    if find_spec("pystreed"):
        from pystreed import STreeDGroupFairnessClassifier

        for limit in (0.1,) if quick else (0.1, 0.02):
            start = time.process_time()
            fair = STreeDGroupFairnessClassifier(max_depth=k, discrimination_limit=limit, time_limit=120)
            binary = (X > 0.5).astype(np.intp)
            codes = (groups == np.unique(groups)[1]).astype(np.intp)
            fair.fit(np.column_stack([codes, binary]), y)
            given = np.asarray(fair.predict(np.column_stack([codes, binary])))
            print(
                f"  pystreed fair tree, limit {limit:<5} errors {np.mean(given != y):.2%}  "
                f"gap {gap_of(given, groups):.3f}  {time.process_time() - start:6.1f} s"
            )
    else:
        print("  pystreed is not installed here")


if __name__ == "__main__":
    chosen = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    chosen.add_argument("--fairness", action="store_true")
    chosen.add_argument("--peers", action="store_true")
    chosen.add_argument("--quick", action="store_true")
    arguments = chosen.parse_args()
    if arguments.fairness:
        fairness(quick=arguments.quick)
    elif arguments.peers:
        beside_pyxai()
    else:
        rates()
        differences()
