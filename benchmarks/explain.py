"""Explanations a second: a depth-4 tree over compas beside PyXAI and SHAP, and a nested model with a large other side.

The peers run in an environment of their own, `.venv-explainers`, made by `python benchmarks/explain.py --peers`; if it
is not there, only our figures are printed. The peers answer for few rows, since they take long; sizes are compared on
those. Times are processor seconds of one core, those of the peers' child processes included, so that other work on the
machine does not count.
"""

import json
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from statistics import median

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from idnf.explaining.explainer import Explainer
from idnf.logic.boxes import Column, Space
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree
from idnf.tables.datasets import load_paper

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / ".venv-explainers"
ROWS = 1_000_000
GROUPS = (2, 5, 6, 2, 2, 2, 4, 2)  # compas is eight columns, one-hot coded

PEER_SCRIPT = """
import json, resource, sys, time
import numpy as np, pandas as pd
from sklearn.tree import DecisionTreeClassifier
given = np.load(sys.argv[1])
X, y, rows, many = given["X"], given["y"], given["rows"], given["many"]
tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)
result = {}
def processor_seconds():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
def rate(answer, rows):
    start = processor_seconds()
    found = answer(rows)
    return found, len(rows) / (processor_seconds() - start)
import shap
explainer = shap.TreeExplainer(tree)
explainer.shap_values(rows[:10])
_, result["SHAP TreeExplainer, no guarantee"] = rate(explainer.shap_values, many)
from pyxai import Learning, Explaining
frame = pd.DataFrame(np.column_stack([X, y]), columns=[f"x{j}" for j in range(X.shape[1])] + ["label"])
_, model = Learning.ModelIO.import_models(tree, frame, instances_type="tabular")
formal = Explaining.initialize(model)
def each(question):
    def answer(rows):
        found = []
        for row in rows:
            formal.set_instance(list(row))
            found.append(len(question()))
        return found
    return answer
axps, result["PyXAI smallest AXp"] = rate(each(formal.minimal_sufficient_reason), rows)
cxps, result["PyXAI smallest CXp"] = rate(each(lambda: formal.contrastive_reason(n=1)), rows)
json.dump({"rates": result, "axps": axps, "cxps": cxps}, open(sys.argv[2], "w"))
"""


def timed(explainer, cells, *, repeats=5):
    """Return the explanations and the rows a second, the median of some calls that each start from nothing."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        found = replace(explainer, sides=replace(explainer.sides)).explain(cells)
        times.append(time.process_time() - start)
    return found, len(cells) / median(times)


def sentences(explainer, cells):
    start = time.process_time()
    for explanation in explainer.explain(cells):
        explanation.to_text()
    return len(cells) / (time.process_time() - start)


def columns_space(names):
    """The eight columns of compas: the space in which every one-hot group has one value."""
    columns = tuple(Column(f"column {g}", tuple(map(str, range(size)))) for g, size in enumerate(GROUPS))
    return Space(columns, tuple((g, 1 << c) for g, size in enumerate(GROUPS) for c in range(size))[: len(names)])


def compas():
    X, y = (np.asarray(part).astype(int) for part in load_paper("compas"))
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)
    model = NestedTree.from_sklearn(tree.tree_, names, 4)
    boolean, columns = Explainer.of(model, Space.boolean(names)), Explainer.of(model, columns_space(names))
    chosen = np.random.default_rng(0).integers(0, len(X), ROWS)
    ends = np.cumsum(GROUPS)
    by_column = np.column_stack([X[:, end - size : end].argmax(axis=1) for end, size in zip(ends, GROUPS)])
    for name, explainer, cells in (("boolean", boolean, X), ("columns", columns, by_column)):
        found, rate = timed(explainer, cells[chosen].astype(np.uint8))
        assert (found.sides == tree.predict(X[chosen])).all()
        sizes = Counter(found.axp_sizes.tolist()), Counter(found.cxp_sizes.tolist())
        print(f"  {'smallest AXp and CXp, space=' + name:<44} {rate:12,.0f} rows/s  (target >= 500,000)")
        print(f"    largest AXp {max(sizes[0])} and CXp {max(sizes[1])}; {len(cells[chosen]):,} rows")
    print(f"  {'with an object and a sentence for each':<44} {sentences(columns, by_column[:5000]):12,.0f} rows/s")
    return X, y, boolean


def beside_peers(X, y, explainer):
    python = PEERS / "bin" / "python"
    if not python.exists():
        print("  PyXAI and SHAP: not run; `python benchmarks/explain.py --peers` installs them")
        return
    rows = np.unique(X, axis=0)
    many = rows[np.random.default_rng(0).integers(0, len(rows), 20_000)]
    given, answer = PEERS / "given.npz", PEERS / "answer.json"
    np.savez(given, X=X, y=y, rows=rows, many=many)
    one_core = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [python, "-c", PEER_SCRIPT, given, answer]
    subprocess.run(command, check=True, cwd=PEERS, env=one_core, stdout=subprocess.DEVNULL)
    found = json.loads(answer.read_text())
    mine, each = timed(explainer, rows)
    batch = timed(explainer, many)[1]
    print(f"  ours on the peers' rows: {each:,.0f} rows/s ({len(rows)} distinct), {batch:,.0f} rows/s ({len(many):,})")
    for name, rate in found["rates"].items():
        ours = batch if name.startswith("SHAP") else each
        print(f"  {name:<44} {rate:12,.0f} rows/s  ours is {ours / rate:,.0f} times as fast on the same rows")
    same = [
        sum(a == b for a, b in zip(sizes.tolist(), theirs))
        for sizes, theirs in ((mine.axp_sizes, found["axps"]), (mine.cxp_sizes, found["cxps"]))
    ]
    print(f"  sizes equal to PyXAI's: AXp {same[0]}/{len(rows)}, CXp {same[1]}/{len(rows)}  (target: all)")


def large_complement():
    """100,000 rows of a nested 6-DNF of six disjoint terms: its other side has 6**6 terms."""
    k = 6
    rows = tuple(tuple(2 * (k * i + j) for j in range(k)) for i in range(k))
    nested = NestedDNF.from_terms(tuple(f"f{j}" for j in range(k * k)), rows, k)
    cells = (np.random.default_rng(0).random((100_000, k * k)) < 0.8).astype(np.uint8)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    explainer = Explainer.of(nested, Space.boolean(nested.names))
    found = explainer.explain(cells)
    taken = time.process_time() - start
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    assert explainer.sides.terms[0] is None
    print(f"  nested k=6, other side of {k**k:,} terms not written down: {len(cells):,} rows in {taken:.1f} s,")
    print(
        f"    {grown:.0f} MB more at the peak; largest AXp {found.axp_sizes.max()}  (target: seconds, a few hundred MB)"
    )


if __name__ == "__main__":
    if "--peers" in sys.argv and not PEERS.exists():
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
        packages = ["pyxai==2.0.1", "shap==0.51.0", "scikit-learn", "pandas"]
        subprocess.run([PEERS / "bin" / "pip", "install", "--quiet", *packages], check=True)
    large_complement()
    beside_peers(*compas())
