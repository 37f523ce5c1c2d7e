"""What check_optimum.py, which shares nothing with the library, says of exact models of the paper's data sets.

    IDNF_DATA=... OMP_NUM_THREADS=1 python experiments/optima.py

Every split; k = 2 for all families, k = 3 and 4 for trees and pair trees on the first split. Each model is fitted,
written to a file with its training table, and checked by a process of its own. Writes experiments/optima.csv: by data
set, k and family the number of models, how many were found again, and the seconds of the slowest fit and check.
"""

import csv
import json
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from collection import paper_division

from idnf import DNFClassifier, exporting
from idnf.counting.packed import PackedTable
from idnf.datasets.loading import PAPER
from idnf.exporting import json_text
from idnf.exporting.function_json import model_to_plain
from idnf.learning.exact.optimum import ExactOptions, exact
from idnf.learning.families import family_of

ASKED = [(2, "any", 5), (2, "nested", 5), (2, "tree", 5), (3, "tree", 1), (3, "pair-tree", 1), (4, "tree", 1)]
FOUR = ("balance-scale", "car-evaluation", "iris", "monks-1", "monks-2", "monks-3", "tic-tac-toe", "banknote")
ASKED_OF = {name: [*ASKED, *([(4, "pair-tree", 1)] if name in FOUR else [])] for name in PAPER}


def proved(X, y, k, family):
    """The model file of an optimum."""
    if family != "pair-tree":
        clf = DNFClassifier(k=k, family=family, learner="exact").fit(X, y)
        assert clf.optimal_ == family
        return json.loads(json_text(clf))
    # No model is searched for first, so that the optimum is a pair tree and not a better function of another kind.
    rows = PackedTable.from_arrays(X, y.astype(bool)).distinct_rows()
    found = exact(rows, tuple(f"x{j}" for j in range(X.shape[1])), k, options=ExactOptions(family=family_of("any")))
    plain = json.loads(json_text(DNFClassifier(k=k, learner="greedy").fit(X, y)))
    result = {"objective": found.objective, "optimal": found.optimal, "bound": found.bound, "bound_family": "pair-tree"}
    return {**plain, "model": model_to_plain(found.model), "result": result}


def write_table(path, X, y):
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*(f"x{j}" for j in range(X.shape[1])), "label"])
        writer.writerows([*map(int, row), int(label)] for row, label in zip(X, y, strict=True))


def checked(folder, name, split, k, family):
    """Whether the checker agrees, and the seconds of both."""
    X, _, y, _ = (np.asarray(part) for part in paper_division(name, split))
    start = perf_counter()
    plain = proved(X, y, k, family)
    fitted = perf_counter() - start
    (folder / "model.json").write_text(json.dumps(plain))
    write_table(folder / "table.csv", X, y)
    start = perf_counter()
    command = [sys.executable, "-I", "check_optimum.py", "model.json", "table.csv"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    print(name, split, k, family, done.returncode, done.stdout.replace("\n", " "), done.stderr, flush=True)
    return done.returncode == 0, fitted, perf_counter() - start


def main():
    lines, sums = [], defaultdict(lambda: [0, 0])
    with TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "check_optimum.py").write_text(exporting.optimum_checker(), "utf-8")
        for name in PAPER:
            for k, family, splits in ASKED_OF[name]:
                splits = 1 if name.startswith("monks") else splits
                found = [checked(folder, name, split, k, family) for split in range(splits)]
                agreed = sum(one[0] for one in found)
                seconds = [f"{max(one[i] for one in found):.1f}" for i in (1, 2)]
                lines.append([name, k, family, len(found), agreed, *seconds])
                sums[k] = [sums[k][0] + len(found), sums[k][1] + agreed]
    with Path(__file__).with_suffix(".csv").open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["data set", "k", "family", "models", "found again", "seconds to fit", "seconds to check"])
        writer.writerows(lines)
    for k, (models, agreed) in sums.items():
        print(f"k = {k}: {agreed} of {models} optima found again")


if __name__ == "__main__":
    main()
