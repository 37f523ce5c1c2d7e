"""Print the training errors of pystreed's optimal trees: run by benchmarks/exact.py inside an environment of its own.

Reads a npz file with arrays X0, y0, X1, y1, ... and prints one line for each: the number of errors at each depth.
"""

import sys

import numpy as np
from pystreed import STreeDClassifier

if __name__ == "__main__":
    path, depths = sys.argv[1], [int(depth) for depth in sys.argv[2:]]
    with np.load(path) as tables:
        for i in range(len(tables.files) // 2):
            X, y = tables[f"X{i}"], tables[f"y{i}"]
            errors = []
            for depth in depths:
                tree = STreeDClassifier("accuracy", max_depth=depth, max_num_nodes=2**depth - 1, time_limit=600)
                errors.append(int((tree.fit(X, y).predict(X) != y).sum()))
            print(*errors, flush=True)
