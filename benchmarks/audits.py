"""How fast the auditor's questions are answered, and fair models beside others.

    python benchmarks/audits.py                rows a second on compas; the difference of two large models
    python benchmarks/audits.py --fairness     errors against the gap on compas and a generated table, beside fairlearn
                                               and pystreed (the extra bench); written to results, about ten minutes
    python benchmarks/audits.py --fairness --quick      two limits, nothing written
    python benchmarks/audits.py --peers        necessary and relevant columns of a tree, beside PyXAI in an environment
                                               of its own; written to results

Times are processor seconds of one core.
"""

import argparse
import time
from dataclasses import replace
from statistics import median

import numpy as np
import pandas as pd
from board.explainers import COMPAS_GROUPS as GROUPS
from board.explainers import FORMAL, asked
from board.methods import ROOT
from sklearn.tree import DecisionTreeClassifier

from idnf import DNFClassifier, auditing
from idnf.auditing.differences import difference_of
from idnf.auditing.reason_sets import Relevances
from idnf.auditing.reason_shares import Attributions, PrincipalReasons
from idnf.auditing.table_models import TableModel
from idnf.choosing import Fairness, fit_fairly
from idnf.columns.intervals import NumberColumn
from idnf.datasets.loading import load_paper
from idnf.explaining.explainer import Explainer
from idnf.logic.boxes import Space
from idnf.logic.sides import ClassBoxes
from idnf.logic.trees import NestedTree

ROWS = 1_000_000
RESULTS = ROOT / "benchmarks" / "results"
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
    model, cells = clf.fitted_.table_model.sides, clf.binariser_.cells(many)

    def said(column, mask):
        return clf.fitted_.columns[column].words(mask)

    questions = {
        "necessary and relevant columns": lambda: Relevances(model, cells).shares(),
        "attribution, and its mean": lambda: Attributions(model, cells).mean,
        "principal reasons, codes": lambda: PrincipalReasons(model, cells, said).codes,
        "principal reasons, a list for each row": lambda: list(PrincipalReasons(model, cells, said)),
    }
    print(f"compas, k = 4, {sum(map(len, model.terms))} terms, {ROWS:,} rows drawn from {len(X):,}")
    for name, ask in questions.items():
        _, seconds = timed(ask)
        print(f"  {name:<44} {ROWS / seconds:12,.0f} rows/s  (target >= 100,000)")
    start = time.process_time()
    auditing.relevance(clf, many[:100_000])
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
    rows = np.unique(X, axis=0)
    folder = ROOT / "benchmarks" / ".work" / "necessity"
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / "given.npz", X=X, y=y, rows=rows)
    peer = replace(FORMAL, script="necessity.py")
    told = asked(peer, folder)
    assert told["labels"] == tree.predict(rows).tolist(), "the peer must explain the same tree"
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    sides = Explainer.of(NestedTree.from_sklearn(tree.tree_, names, 4), Space.boolean(names)).sides
    model = ClassBoxes(sides.space, 4, tuple(sides.boxes_of(label) for label in sides.labels))
    found, seconds = timed(lambda: Relevances(model, rows))
    ours = {"necessary": found.necessary, "relevant": found.relevant & ~found.necessary}
    lines = []
    for question, theirs in ((name, told[name]) for name in ours):
        answers = len(theirs["sizes"])
        lines.append(
            {
                "question": question if question == "necessary" else "relevant, not necessary",
                "peer": f"PyXAI {peer.versions(('pyxai',))['pyxai']}",
                "rows": len(rows),
                "answered": answers,
                "same size": round(float(np.mean(ours[question].sum(axis=1)[:answers] == theirs["sizes"])), 4),
                "seconds a row": round(theirs["seconds"], 6),
                "times ours": round(theirs["seconds"] / (seconds / len(rows))),
            }
        )
    written("audits-pyxai.csv", pd.DataFrame(lines))


def written(name, table):
    """Print a table and keep it."""
    print(table.to_string(index=False))
    table.to_csv(RESULTS / name, index=False)


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
    """Eight 0/1 features, two of which go with the group and with the label."""
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, rows)
    X = pd.DataFrame({f"a{j}": (rng.random(rows) < 0.3 + 0.4 * group * (j < 2)).astype(int) for j in range(8)})
    y = (rng.random(rows) < 0.05 + 0.4 * X["a0"] + 0.4 * X["a1"] + 0.1 * X["a2"]).astype(int).to_numpy()
    return X, y, np.where(group, "b", "a")


def compas_fair():
    """compas as 0/1 features without those of its column of two groups that parts the rates most, and these groups."""
    X, y = compas_table()
    two = [name for name in X.columns if X[name].nunique() == 2]
    gaps = {name: np.ptp([y[X[name] == value].mean() for value in X[name].unique()]) for name in two}
    groups = max(gaps, key=gaps.get)
    return pd.get_dummies(X.drop(columns=groups)).astype(int), y, X[groups].to_numpy()


def gap_of(given, groups):
    return float(np.ptp([given[groups == value].mean() for value in np.unique(groups)]))


def fairness(*, quick):
    """Errors and gap on the training rows of everyone's models, from the same 0/1 features, none of them the group."""
    k, lines = 3, []
    for name, (X, y, groups) in (("generated", generated()), ("compas", compas_fair())):
        for line in fair_lines(X, y, groups, k, (0.2, 0.05) if quick else LIMITS):
            lines.append({"data": name, "rows": len(X), "k": k, **line})
            print(", ".join(f"{key} {value}" for key, value in lines[-1].items()), flush=True)
            if not quick:
                pd.DataFrame(lines).to_csv(RESULTS / "fairness.csv", index=False)
    if not quick:
        draw(pd.DataFrame(lines))


def fair_lines(X, y, groups, k, limits):
    for learner in ("search", "exact"):
        for limit in limits:
            start = time.process_time()
            asked = Fairness("group", limit=limit)
            plain = DNFClassifier(k=k, learner=learner, price=0.0, effort=0.2)
            clf = fit_fairly(plain, X.assign(group=groups), y, asked)
            seconds, report = time.process_time() - start, clf.fairness_
            proved = "; ".join(f"{family} {bound:.4f}" for family, bound in report.bounds.items())
            yield _line(f"idnf {learner}", limit, clf.predict(X), y, groups, seconds, note=f"proved {proved}")
    yield from fairlearn_lines(X.to_numpy(), y, groups, k, limits)
    yield from pystreed_lines(X.to_numpy(), y, groups, k, limits)


def _line(method, limit, given, y, groups, seconds, note=""):
    error, gap = float(np.mean(given != y)), gap_of(given, groups)
    return {"method": method, "limit": limit, "errors": round(error, 4), "gap": round(gap, 4),
            "seconds": round(seconds, 2), "note": note}  # fmt: skip


def fairlearn_lines(X, y, groups, k, limits):
    """fairlearn's reductions over trees of depth k; the first mixes several trees by chance.

    It bounds how far each group's rate is from that of all rows, so half the limit bounds the gap.
    """
    from fairlearn.reductions import DemographicParity, ExponentiatedGradient, GridSearch

    tree = DecisionTreeClassifier(max_depth=k, random_state=0)
    for limit in limits:
        start = time.process_time()
        bound = DemographicParity(difference_bound=max(limit / 2, 1e-3))
        reduced = ExponentiatedGradient(tree, bound).fit(X, y, sensitive_features=groups)
        seconds, given = time.process_time() - start, reduced.predict(X, random_state=0)
        differ = np.mean(given != reduced.predict(X, random_state=1))
        used = int((reduced.weights_ > 1e-6).sum())
        note = f"mixes {used} trees by chance, {differ:.1%} of rows differ between two calls"
        yield _line("fairlearn exponentiated gradient", limit, given, y, groups, seconds, note)
    start = time.process_time()
    grid = GridSearch(tree, DemographicParity(), grid_size=50).fit(X, y, sensitive_features=groups)
    seconds, models = time.process_time() - start, [one.predict(X) for one in grid.predictors_]
    for limit in limits:
        within = [given for given in models if gap_of(given, groups) <= limit]
        if within:
            given = min(within, key=lambda one: np.mean(one != y))
            yield _line("fairlearn grid search", limit, given, y, groups, seconds, "one search of 50 for all limits")


def pystreed_lines(X, y, groups, k, limits):
    """pystreed's optimal fair trees, whose first column is the group and no feature."""
    from pystreed import STreeDGroupFairnessClassifier

    table = np.column_stack([groups == np.unique(groups)[1], X]).astype(np.intp)
    for limit in limits:
        start = time.process_time()
        fair = STreeDGroupFairnessClassifier(max_depth=k, discrimination_limit=limit, time_limit=120).fit(table, y)
        given = np.asarray(fair.predict(table))
        yield _line("pystreed fair tree", limit, given, y, groups, time.process_time() - start, "at most 120 s")


def draw(table):
    """Draw errors against the gap, a picture a data set."""
    import matplotlib
    from board.pictures import plt, save

    figure, axes = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
    styles = dict(zip(table["method"].unique(), zip("osD^v", matplotlib.color_sequences["tab10"])))
    for axis, (data, lines) in zip(axes, table.groupby("data", sort=False)):
        for method, points in lines.groupby("method", sort=False):
            points, (marker, colour) = points.sort_values("gap"), styles[method]
            axis.plot(points["gap"], 100 * points["errors"], marker=marker, color=colour, label=method)
        axis.set(title=f"{data}, {lines['rows'].iloc[0]:,} rows, k = {lines['k'].iloc[0]}", xlabel="gap in rates")
        axis.set_ylabel("errors on the training rows (%)")
    axes[0].legend(fontsize="small")  # the first data set has a point of every method
    save(figure, RESULTS / "fairness.svg")


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
