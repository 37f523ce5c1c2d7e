"""The exact learner on a CUDA GPU and on the CPU beside it: seconds, and how many times faster.

Run from the repository root on a machine with a CUDA array library; `IDNF_DATA` names the folder that holds the
paper's files in its folder `paper`:

    IDNF_DATA=... PYTHONPATH=src OMP_NUM_THREADS=1 python3 benchmarks/exact_gpu.py --limit 400

The tables it prints for 1 and 8 threads are kept in results/exact-gpu.csv. One product at the start warms the GPU up
and is not timed.
"""

from __future__ import annotations

import argparse
import csv
import os
import platform
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from idnf.counting.contract import DistinctRows
from idnf.learning.exact.optimum import ExactOptions, exact
from idnf.learning.families import family_of
from idnf.learning.objective import Learned
from idnf.logic.deadlines import Deadline

COLUMNS = "data set", "k", "threads", "seconds, GPU", "seconds, CPU", "times faster", "training accuracy", "proof"


def training_rows(name: str, seed: int) -> DistinctRows:
    """Return four fifths of a data set, drawn with this seed (as scikit-learn's train_test_split draws them)."""
    data = np.loadtxt(Path(os.environ["IDNF_DATA"]) / "paper" / f"{name}.dl8", dtype=np.int64)
    order = np.random.RandomState(seed).permutation(len(data))
    train = data[order[-(-len(data) // 5) :]]
    features, group = np.unique(train[:, 1:], axis=0, return_inverse=True)
    group = group.ravel()
    counts = [np.bincount(group, train[:, 0] == label, len(features)).astype(np.float64) for label in (1, 0)]
    return DistinctRows.of_two(features.astype(np.bool_), counts[0], counts[1], complete=True)


def timed(rows: DistinctRows, k: int, options: ExactOptions) -> tuple[float, Learned]:
    names = tuple(f"x{j}" for j in range(rows.features.shape[1]))
    start = time.perf_counter()
    found = exact(rows, names, k, options=options)
    return time.perf_counter() - start, found


def through_classifier(name: str, k: int, device: str) -> str:
    """Fit a classifier, the search it starts from included, and say how long that took."""
    from idnf import DNFClassifier, datasets

    X, y = datasets.load(name)
    start = time.perf_counter()
    clf = DNFClassifier(k=k, learner="exact", device=device).fit(X, y)
    seconds = time.perf_counter() - start
    return f"{seconds:7.2f} s, train {100 * clf.score(X, y):.2f}, proved: {clf.optimal_}"


def line(name: str, k: int, options: ExactOptions, limit: float) -> list[str | int]:
    """Time a data set on the GPU and, for at most the limit, on the CPU."""
    rows = training_rows(name, 0)
    gpu, found = timed(rows, k, replace(options, device="cuda"))
    cpu, _ = timed(rows, k, replace(options, device="cpu", deadline=Deadline.after(limit)))
    proof = "proved" if found.optimal else f"gap {100 * (found.objective - (found.bound or 0)):.2f} points"
    seconds = [f"{gpu:.2f}", f"{cpu:.2f}", f"{cpu / gpu:.1f}"]
    return [name, k, os.environ.get("OMP_NUM_THREADS", "all"), *seconds, f"{100 - 100 * found.objective:.2f}", proof]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", nargs="+", default=["banknote", "indians-diabetes"])
    parser.add_argument("--k", nargs="+", type=int, default=[4, 5])
    parser.add_argument("--family", default="any")
    parser.add_argument("--limit", type=float, default=300.0, help="seconds for one run on the CPU")
    parser.add_argument("--classifier", action="store_true", help="also fit DNFClassifier on the whole data at k = 4")
    arguments = parser.parse_args()
    import torch

    print(
        f"{platform.processor() or platform.machine()}, {torch.cuda.get_device_name()}, torch {torch.__version__}",
        file=sys.stderr,
    )
    timed(training_rows("banknote", 0), 3, ExactOptions(device="cuda"))
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    for k in arguments.k:
        for name in arguments.data:
            writer.writerow(line(name, k, ExactOptions(family=family_of(arguments.family)), arguments.limit))
            sys.stdout.flush()
    for name in arguments.data if arguments.classifier else []:
        for device in ("cuda", "cpu"):
            print(f"{name:18s} k = 4  {device:5s} DNFClassifier {through_classifier(name, 4, device)}", flush=True)


if __name__ == "__main__":
    main()
