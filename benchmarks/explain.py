"""How fast explanations are, and explainers of others on the same trees and rows.

    python benchmarks/explain.py                   rows a second: a depth-4 tree, and a model with a large other side
    python benchmarks/explain.py --peers           PyXAI, SHAP and DiCE; results under benchmarks/results
    python benchmarks/explain.py --peers --quick   a minute; results under benchmarks/.work

The peers run in environments of their own, `.venv-peers-*`, which the first run makes. They answer for few rows, since
they take long. Times are processor seconds of one core, those of the peers' child processes included, so that other
work on the machine does not count.
"""

import argparse
import resource
import time
from collections import Counter
from dataclasses import replace
from statistics import median

import numpy as np
from board.beside import beside_peers
from board.explainers import COMPAS_GROUPS as GROUPS
from sklearn.tree import DecisionTreeClassifier

from idnf.datasets.loading import load_paper
from idnf.explaining.explainer import Explainer
from idnf.logic.boxes import Column, Space
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree

ROWS = 1_000_000


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
    chosen = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    chosen.add_argument("--peers", action="store_true")
    chosen.add_argument("--quick", action="store_true", help="few rows; results under benchmarks/.work")
    arguments = chosen.parse_args()
    if arguments.peers:
        print(beside_peers(quick=arguments.quick))
    else:
        large_complement()
        compas()
