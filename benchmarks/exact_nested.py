"""Nested 3-DNFs on the first split of the paper's protocol: the best found, and what no nested 3-DNF can beat.

    IDNF_DATA=... OMP_NUM_THREADS=1 python benchmarks/exact_nested.py --limit 60

The search learner gives the model to begin with. The output of a run is kept in exact_nested.txt.
"""

from __future__ import annotations

import argparse
import time

from exact import MONKS, OTHERS, training_tables

from idnf.counting.packed import PackedTable
from idnf.learning.exact.optimum import ExactOptions, exact
from idnf.learning.local.search import search
from idnf.learning.local.search_options import SearchOptions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for each data set")
    parser.add_argument("--data", nargs="+", default=[*OTHERS, *MONKS])
    arguments = parser.parse_args()
    print(f"training errors at k = 3, both polarities, at most {arguments.limit:.0f} s")
    print(f"{'data set':18s} examples  search  exact  bound")
    for name in arguments.data:
        X, y = training_tables(name)[0]
        rows = PackedTable.from_arrays(X.astype(bool), y.astype(bool)).distinct_rows()
        names = tuple(f"x{j}" for j in range(X.shape[1]))
        start = search(rows, names, 3, options=SearchOptions(family="nested", price=0.0))
        clock = time.perf_counter()
        options = ExactOptions(family="nested", start=start, time_limit=arguments.limit)
        found = exact(rows, names, 3, options=options)
        errors = [round(len(y) * share) for share in (start.objective, found.objective, found.bound or 0.0)]
        proved = f"proved in {time.perf_counter() - clock:.1f} s" if found.optimal else ""
        print(f"{name:18s} {len(y):8d} {errors[0]:7d} {errors[1]:6d} {errors[2]:6d}  {proved}", flush=True)


if __name__ == "__main__":
    main()
