"""The column check beside a greedy fit of 200 000 rows and 15 columns: `python benchmarks/column_check.py`."""

from __future__ import annotations

import time
import warnings

import numpy as np
import pandas as pd

from idnf import DNFClassifier, TableWarning
from idnf.tables import binariser
from idnf.tables.column_check import check_columns


def main() -> None:
    """Print the processor time of both, measured in one run, and their ratio."""
    rng = np.random.default_rng(0)
    rows = 200_000
    columns: dict[str, object] = {f"x{j}": rng.normal(size=rows) for j in range(10)}
    columns |= {f"n{j}": rng.integers(0, 50, rows) for j in range(3)}
    columns |= {"town": rng.choice(["a", "b", "c", "d"], rows), "row_id": np.arange(rows)}
    X = pd.DataFrame(columns)
    y = (X["x0"] + X["x1"] + rng.normal(size=rows) > 0).astype(int).to_numpy()
    spent = []

    def timed(*given: object) -> object:
        start = time.process_time()
        found = check_columns(*given)
        spent.append(time.process_time() - start)
        return found

    binariser.check_columns = timed
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        DNFClassifier(3, learner="greedy").fit(X, y)
    whole = time.process_time() - start
    print(f"column check {spent[0]:.3f} s, greedy fit {whole:.3f} s, ratio {spent[0] / whole:.3f}")


if __name__ == "__main__":
    main()
