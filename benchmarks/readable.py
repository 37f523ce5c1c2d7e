"""How much there is to read in a model, and whether every word of it is needed: checked on the printed text alone.

    python benchmarks/readable.py              a table: ours beside CART and, where pystreed is installed, optimal trees
    python benchmarks/readable.py --check      only the check, which ends with an error where it fails

The data are the paper's, split 0, and tables of numbers that come with scikit-learn. The check reads what `to_text`
prints and knows nothing else of the model: every line is a box over columns, a row is of the class listed when it lies
in one of them. By the definitions, no condition of a line can be dropped (without it, the line would hold some row that
no line holds), no line lies within the others, and no two cuts of a column that part less than one row in a hundred
could be one (that would cost more than one training row).
"""

from __future__ import annotations

import argparse
import re
from statistics import median

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from idnf import DNFClassifier
from idnf.datasets.loading import PAPER, load_paper

KS = (2, 3, 4)
SLIVER = 0.01
NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
CONDITION = re.compile(rf"(?:(?P<above>{NUMBER}) < )?(?P<column>.+?) (?P<sign><=|>) (?P<cut>{NUMBER})", re.ASCII)
END = float("inf")

Box = dict[str, tuple[float, float]]


def condition(text: str) -> tuple[str, float, float]:
    """Return the column and the interval (open below, closed above) that a printed condition asks for.

    >>> condition("3 < height <= 5.5"), condition("smoker is false"), condition("height > 2")
    (('height', 3.0, 5.5), ('smoker', -inf, 0.5), ('height', 2.0, inf))
    """
    for ending, part in ((" is true", (0.5, END)), (" is false", (-END, 0.5))):
        if text.endswith(ending):
            return (text.removesuffix(ending), *part)
    found = CONDITION.fullmatch(text)
    if found is None:
        raise ValueError(f"a condition that is not read here: {text!r}.")
    low = float(found["above"]) if found["above"] else -END
    cut = float(found["cut"])
    return (found["column"], low, cut) if found["sign"] == "<=" else (found["column"], cut, END)


def lines_of(text: str) -> list[Box]:
    """Return the boxes of the lines that a model prints; none for a constant.

    >>> lines_of("y is 1 if\\n     a is true and b <= 2  [b1]\\n  or a is false  [b2]\\n\\ny is 0 otherwise.")
    [{'a': (0.5, inf), 'b': (-inf, 2.0)}, {'a': (-inf, 0.5)}]
    """
    lines = re.findall(r"^(?:     |  or )(\S.*?)  \[\w+\]$", text, re.MULTILINE)
    return [{column: (low, high) for column, low, high in map(condition, line.split(" and "))} for line in lines]


def within(box: Box, boxes: list[Box]) -> bool:
    """Tell whether every point of a box lies in one of some boxes: cut by cut, by cases.

    >>> half = {"a": (-END, 0.5)}
    >>> within({}, [half, {"a": (0.5, END)}]), within({}, [half])
    (True, False)
    """
    met = [other for other in boxes if all(_overlap(box.get(c, (-END, END)), part) for c, part in other.items())]
    if not met:
        return False
    for column, (low, high) in met[0].items():
        mine = box.get(column, (-END, END))
        for cut in (low, high):
            if mine[0] < cut < mine[1]:
                halves = ({**box, column: (mine[0], cut)}, {**box, column: (cut, mine[1])})
                return all(within(half, met) for half in halves)
    return True


def _overlap(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return max(one[0], other[0]) < min(one[1], other[1])


def holds(boxes: list[Box], rows: pd.DataFrame) -> np.ndarray:
    """Return which rows lie in one of the boxes."""
    some = np.zeros(len(rows), dtype=bool)
    for box in boxes:
        every = np.ones(len(rows), dtype=bool)
        for column, (low, high) in box.items():
            every &= (rows[column] > low) & (rows[column] <= high)
        some |= every
    return some


def faults(boxes: list[Box], rows: pd.DataFrame, listed: np.ndarray) -> list[str]:
    """Return what could be left out of some lines; `listed` says which training rows are of the class they list."""
    found = []
    for i, box in enumerate(boxes):
        others = boxes[:i] + boxes[i + 1 :]
        if within(box, others):
            found.append(f"line {i + 1} lies within the others")
        for column in box:
            shorter = {name: part for name, part in box.items() if name != column}
            if within(shorter, boxes):
                found.append(f"{column} can be dropped from line {i + 1}")
    errors = int(np.sum(holds(boxes, rows) != listed))
    for column in sorted({column for box in boxes for column in box}):
        cuts = sorted({cut for box in boxes for cut in box.get(column, ()) if abs(cut) < END})
        for low, high in zip(cuts, cuts[1:], strict=False):
            if np.mean((rows[column] > low) & (rows[column] <= high)) >= SLIVER:
                continue
            for old, new in ((low, high), (high, low)):
                merged = [{**box, column: _with_cut(box[column], old, new)} if column in box else box for box in boxes]
                merged = [box for box in merged if all(start < end for start, end in box.values())]
                if int(np.sum(holds(merged, rows) != listed)) <= errors + 1:
                    found.append(f"{column}: {old:g} could be {new:g}")
    return found


def _with_cut(part: tuple[float, float], old: float, new: float) -> tuple[float, float]:
    low, high = (new if end == old else end for end in part)
    return low, high


def tables() -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """Return training rows and classes of each data set."""
    found = {}
    for name in PAPER:
        X, y = load_paper(name, part="train") if name.startswith("monks") else load_paper(name)
        frame = pd.DataFrame(np.asarray(X), columns=[f"x{j}" for j in range(np.shape(X)[1])])
        found[name] = frame, np.asarray(y).astype(int)
    for name, load in (("breast cancer", load_breast_cancer), ("wine", load_wine), ("iris numbers", load_iris)):
        data = load(as_frame=True)
        found[name] = data.data, np.asarray(data.target == 1).astype(int)
    return {
        name: (X, y) if name.startswith("monks") else tuple(train_test_split(X, y, test_size=0.2, random_state=0)[::2])
        for name, (X, y) in found.items()
    }


def ours(X: pd.DataFrame, y: np.ndarray, k: int) -> tuple[list[str], tuple[int, int, int]]:
    """Return what the check finds, and lines, conditions and reasons in all."""
    model = DNFClassifier(k).fit(X, y)
    text = model.to_text()
    boxes = lines_of(text)
    label = re.search(r"^(?:target is )?(\d) if$", text, re.MULTILINE)
    listed = y == int(label[1]) if label else y != y
    predicted = model.predict(X) == int(label[1]) if label else np.zeros(len(y), dtype=bool)
    wrong = [] if np.array_equal(holds(boxes, X), predicted) else ["the lines decide otherwise than the model"]
    size = model.size_
    return wrong + faults(boxes, X, listed), (size.terms, size.conditions, size.reasons)


def leaves(X: pd.DataFrame, y: np.ndarray, k: int) -> dict[str, int]:
    """Return the leaves of trees of depth k."""
    found = {"CART": int(DecisionTreeClassifier(max_depth=k, random_state=0).fit(X, y).get_n_leaves())}
    try:
        from pystreed import STreeDClassifier
    except ModuleNotFoundError:
        return found
    if set(np.unique(X)) <= {0, 1}:
        tree = STreeDClassifier("accuracy", max_depth=k, max_num_nodes=2**k - 1).fit(X.astype(int).to_numpy(), y)
        found["optimal tree"] = int(tree.get_n_leaves())
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--k", type=int, nargs="+", default=KS)
    options = parser.parse_args()
    failed = 0
    if not options.check:
        print("| k | models | lines | conditions | reasons in all | CART's leaves | optimal tree's leaves |")
        print("| --- " * 7 + "|")
    for k in options.k:
        sizes, trees = [], {"CART": [], "optimal tree": []}
        for name, (X, y) in tables().items():
            found, size = ours(X, y, k)
            sizes.append(size)
            failed += bool(found)
            for fault in found:
                print(f"{name}, k = {k}: {fault}")
            if not options.check:
                for method, count in leaves(X, y, k).items():
                    trees[method].append(count)
        if not options.check:
            cells = [f"{median(column):g}" for column in zip(*sizes, strict=True)]
            cells += [f"{median(counts):g}" if counts else "" for counts in trees.values()]
            print(f"| {k} | {len(sizes)} | {' | '.join(cells)} |")
    if failed:
        raise SystemExit(f"{failed} models have something to leave out.")


if __name__ == "__main__":
    main()
