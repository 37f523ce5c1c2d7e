"""Tables of millions of rows: time and memory of a fit in memory and of lazy ones, each in a process of its own.

    python benchmarks/fitting.py --large              2 and 5 million rows, beside scikit-learn's histogram boosting
    python benchmarks/large_tables.py --rows 50 --jobs polars duckdb --save    further sizes, in millions of rows

Fourteen columns: ten of numbers, two of categories, two Boolean. Seconds are processor seconds of all threads together;
boosting (100 trees) and fits in memory have one thread. Memory is what the process holds at most during the fit beyond
what it held before, the table included. Accuracy is on 200,000 further rows.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

RESULTS = Path(__file__).parent / "results"
K, PART = 3, 500_000
IN_MEMORY = ("boosting", "idnf")
JOBS = (*IN_MEMORY, "polars", "duckdb")


def make_part(path: Path, seed: int, rows: int = PART) -> None:
    """Write some rows of the table."""
    import numpy as np
    import polars as pl

    g = np.random.default_rng(seed)
    columns = {f"n{j}": g.normal(size=rows) for j in range(8)}
    columns |= {"age": g.integers(18, 90, rows), "amount": np.round(g.gamma(2, 400, rows), 2)}
    columns |= {f"c{j}": np.array(list("abcde"))[g.integers(0, 5, rows)] for j in range(2)}
    columns |= {f"b{j}": g.integers(0, 2, rows).astype(bool) for j in range(2)}
    score = 1.2 * (columns["n0"] > 0.3) * (columns["n1"] < 0.5) + (columns["c0"] == "a") * (columns["n2"] > 0)
    score += 0.5 * columns["n4"] - 0.8 * columns["b0"] * (columns["n3"] > 0.2) - 0.4 - 0.01 * (columns["age"] - 50)
    y = g.random(rows) < 1 / (1 + np.exp(-2 * score))
    pl.DataFrame({**columns, "y": y.astype(np.int8)}).write_parquet(path)


def paths(folder: Path, rows: int) -> list[str]:
    return [str(folder / f"part-{part:03}.parquet") for part in range(-(-rows // PART))]


def read(files: list[str]):
    """Return a table of pandas and its labels, read file by file: what is freed then would hide what a fit takes."""
    import numpy as np
    import pandas as pd
    import polars as pl

    columns, rows = {}, len(files) * PART if len(files) > 1 else None
    for place, file in enumerate(files):
        frame = pl.read_parquet(file).with_columns(pl.col("^c.$").cast(pl.Enum(list("abcde"))).to_physical())
        for name in frame.columns:
            some = frame[name].to_numpy()
            whole = columns.setdefault(name, np.empty(rows or len(some), dtype=some.dtype))
            whole[place * PART : place * PART + len(some)] = some
    y = columns.pop("y")
    coded = {name: pd.Categorical.from_codes(columns.pop(name), list("abcde")) for name in ("c0", "c1")}
    return pd.DataFrame({**columns, **coded}, copy=False), y


def memory(field: str) -> int:
    """Return a figure of this process in MB: "VmRSS" is what it holds, "VmHWM" the most since the last reset."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) >> 10 for line in lines if line.startswith(field))


def job(name: str, folder: Path, rows: int) -> dict[str, object]:
    """Return what a fit takes, and how well its model does on other rows."""
    from idnf import DNFClassifier

    table, own = None, 0
    files, held_out, y = paths(folder, rows), *read([str(folder / "held-out.parquet")])
    before = memory("VmRSS")
    if name in IN_MEMORY:
        table, y_table = read(files)
        own = int(table.memory_usage(deep=False).sum()) >> 20
        before = memory("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")
    start, clock = time.process_time(), time.perf_counter()
    if name == "boosting":
        from sklearn.ensemble import HistGradientBoostingClassifier

        model = HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=0).fit(table, y_table)
    elif name == "idnf":
        model = DNFClassifier(K).fit(table, y_table)
    elif name == "polars":
        import polars as pl

        model = DNFClassifier(K).fit(pl.scan_parquet(files), "y")
    else:
        import duckdb

        model = DNFClassifier(K).fit(duckdb.read_parquet(files), "y")
    seconds, clock = time.process_time() - start, time.perf_counter() - clock
    return {
        "rows": rows,
        "learner": name,
        "processor_seconds": round(seconds, 1),
        "clock_seconds": round(clock, 1),
        "table_mb": own,
        "memory_mb": memory("VmHWM") - before,
        "accuracy": round(100 * float((model.predict(held_out) == y).mean()), 2),
    }


def measure(rows: list[int], jobs: list[str], folder: Path) -> Iterator[list[dict[str, object]]]:
    """Run each job for each number of rows in a process of its own, print what it takes, and yield all so far."""
    for part, path in enumerate(paths(folder, max(rows))):
        if not Path(path).exists():
            make_part(Path(path), part)
    make_part(folder / "held-out.parquet", 10**6, 200_000)
    found = []
    settings = {**os.environ, "OMP_NUM_THREADS": "1"}
    for count in rows:
        for name in jobs:
            command = [sys.executable, __file__, "--job", name, "--folder", str(folder), "--rows", str(count / 1e6)]
            answer = subprocess.run(command, check=True, env=settings, stdout=subprocess.PIPE, text=True).stdout
            found.append(json.loads(answer.splitlines()[-1]))
            boosting = next((one for one in found if one["rows"] == count and one["learner"] == "boosting"), None)
            ratio = "" if boosting is None else found[-1]["processor_seconds"] / boosting["processor_seconds"]
            found[-1]["to_boosting"] = ratio and round(ratio, 2)
            print("  " + "  ".join(f"{key} {value}" for key, value in found[-1].items()), flush=True)
            yield found


def large(rows: list[float], jobs: list[str], folder: Path | None = None, *, save: bool = False) -> None:
    """Measure sizes in millions of rows, and write the figures if asked to."""
    counts = [round(1e6 * each) for each in rows]
    with tempfile.TemporaryDirectory() as made:
        for found in measure(counts, jobs, folder or Path(made)):
            if save:
                with (RESULTS / "large.csv").open("w", newline="") as file:
                    writer = csv.DictWriter(file, found[0])
                    writer.writeheader()
                    writer.writerows(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=float, nargs="+", default=[2, 5], help="millions of rows")
    parser.add_argument("--jobs", nargs="+", choices=JOBS, default=list(JOBS))
    parser.add_argument("--folder", type=Path, help="where the files lie; made there if they are not")
    parser.add_argument("--save", action="store_true", help="write results/large.csv")
    parser.add_argument("--job", choices=JOBS, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.job:
        print(json.dumps(job(chosen.job, chosen.folder, round(1e6 * chosen.rows[0]))))
    else:
        large(chosen.rows, chosen.jobs, chosen.folder, save=chosen.save)


if __name__ == "__main__":
    main()
