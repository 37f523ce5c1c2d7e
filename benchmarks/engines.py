"""Learning where the data are: time and memory against rows, each job in a process of its own.

Ratios are of processor time, all threads together, which other work on the machine hardly changes. `--full` goes to
10 million rows and writes the measurements and a picture of them to benchmarks/results.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import duckdb
import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from board.pictures import plt, save
from sklearn.tree import DecisionTreeClassifier

from idnf import DNFClassifier, TableBinariser
from idnf.counting.lazy_table import LazyTable
from idnf.engines.queries import Scans
from idnf.learning.greedy import learn_greedy
from idnf.tables.targets import read_target

RESULTS = Path(__file__).parent / "results"
BOOLEAN, NUMERIC, K = 50, 20, 3
PART = 500_000
LIMITS = {
    "polars fit": 500,
    "DuckDB fit, limit 500 MB": 800,
    "polars fit, 100 thresholds": 1000,
}


def make_part(folder, part, rows):
    """Write one file of each table: 50 Booleans, and 20 numbers."""
    generator = np.random.default_rng(part)
    bits = generator.random((rows, BOOLEAN), dtype=np.float32) < 0.4
    noise = generator.random(rows) < 0.1
    y = ((bits[:, 0] & bits[:, 1]) | (bits[:, 2] & bits[:, 3] & bits[:, 4])) ^ noise
    columns = {f"x{j}": bits[:, j] for j in range(BOOLEAN)}
    pl.DataFrame(columns | {"y": y}).write_parquet(folder / f"boolean-{part:03}.parquet")
    numbers = generator.normal(size=(rows, NUMERIC))
    y = ((numbers[:, 0] > 0.2) & (numbers[:, 1] < 0.5) | (numbers[:, 2] > 1)) ^ noise
    columns = {f"x{j}": numbers[:, j] for j in range(NUMERIC)}
    pl.DataFrame(columns | {"y": y}).write_parquet(folder / f"numeric-{part:03}.parquet")


def classifier(**settings):
    return DNFClassifier(K, **{"family": "nested", "learner": "greedy"} | settings)


def paths(folder, kind, rows):
    return [str(path) for path in sorted(folder.glob(f"{kind}-*.parquet"))[: -(-rows // PART)]]


def polars_fit(folder, rows):
    classifier().fit(pl.scan_parquet(paths(folder, "boolean", rows)), "y")


def duckdb_fit(folder, rows):
    connection = duckdb.connect()
    connection.execute("SET memory_limit = '500MB'")
    classifier().fit(connection.read_parquet(paths(folder, "boolean", rows)), "y")


def numeric_fit(folder, rows):
    cuts = {f"x{j}": [-1, -0.5, 0, 0.5, 1] for j in range(NUMERIC)}
    classifier(binariser=TableBinariser(cut_points=cuts)).fit(pl.scan_parquet(paths(folder, "numeric", rows)), "y")


def learner_queries(folder, rows):
    """The queries of the learner alone, as this library sends them."""
    names = [f"x{j}" for j in range(BOOLEAN)]
    frame = nw.from_native(pl.scan_parquet(paths(folder, "boolean", rows)))
    target = read_target(frame, "y", frame.collect_schema(), Scans())
    learn_greedy(LazyTable(frame, tuple(map(nw.col, names)), target.labels, target.sizes), names, K)


def by_hand(folder, rows):
    """As many queries of the same kinds, written by hand for polars."""
    frame = pl.scan_parquet(paths(folder, "boolean", rows))
    names = [f"x{j}" for j in range(BOOLEAN)]
    for prefix in ([], ["x0"], ["x0", "x1"], ["x2"], ["x2", "x3"], ["x4"], ["x4", "x5"]):
        kept = frame.filter(*map(pl.col, prefix)) if prefix else frame
        kept.group_by("y").agg(pl.len(), pl.col(names).sum()).collect(engine="streaming")
    rows_of_matrix = (["x0", "x1", "x5"], ["x2", "x3", "x4"], ["x4", "x6", "x7"])
    lengths = [
        sum(pl.all_horizontal(row[: j + 1]).cast(pl.Int8) for j in range(K)).alias(f"g{i}")
        for i, row in enumerate(rows_of_matrix)
    ]
    frame.select("y", *lengths).group_by("y", "g0", "g1", "g2").agg(pl.len()).collect(engine="streaming")


def cart(folder, rows):
    table = pl.read_parquet(paths(folder, "boolean", rows))
    DecisionTreeClassifier(max_depth=K).fit(table.drop("y").to_numpy(), table["y"].to_numpy())


def sampled_search(folder, rows):
    """Search on a sample, recounted on all rows, beside greedy on all rows."""
    lazy = pl.scan_parquet(paths(folder, "numeric", rows))
    searched = classifier(learner="search", family="any", time_limit=60).fit(lazy, "y")
    greedy = classifier().fit(lazy, "y")
    return {
        "search": searched.score(lazy, "y"),
        "greedy": greedy.score(lazy, "y"),
        "training_data": searched.training_data_,
    }


JOBS = {
    "polars fit": polars_fit,
    "polars, the learner's queries": learner_queries,
    "polars, queries by hand": by_hand,
    "DuckDB fit, limit 500 MB": duckdb_fit,
    "polars fit, 100 thresholds": numeric_fit,
    "CART in memory": cart,
}


def run_job(name, folder, rows):
    """Run one job here and print what it took; the memory of the imports is in the peak."""
    start, processor = time.perf_counter(), time.process_time()
    extra = (sampled_search if name == "search" else JOBS[name])(Path(folder), rows)
    taken = {"seconds": time.perf_counter() - start, "processor_seconds": time.process_time() - processor}
    # Not by getrusage, whose peak takes in that of the parent process.
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    print(json.dumps({**taken, "peak_mb": peak / 1024, "extra": extra}))


def measured(name, folder, rows):
    command = [sys.executable, __file__, "--job", name, str(folder), str(rows)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name} failed on {rows} rows: {done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def picture(measurements, path):
    figure, (times, memory) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    for name in dict.fromkeys(entry["job"] for entry in measurements):
        of_job = [entry for entry in measurements if entry["job"] == name]
        rows = [entry["rows"] / 1e6 for entry in of_job]
        times.plot(rows, [entry["processor_seconds"] for entry in of_job], marker="o", label=name)
        memory.plot(rows, [entry["peak_mb"] for entry in of_job], marker="o", label=name)
    times.set(xlabel="million rows", ylabel="processor seconds", title="time against rows", xlim=0, ylim=0)
    memory.set(xlabel="million rows", ylabel="MB", title="peak memory of the process", xlim=0, yscale="log")
    memory.set_yticks([250, 500, 1000, 2000, 4000], ["250", "500", "1000", "2000", "4000"])
    memory.minorticks_off()
    for limit in (500, 1000):
        memory.axhline(limit, color="grey", linewidth=0.8, linestyle="dashed")
    times.legend(fontsize=8)
    save(figure, path)


def main(sizes, *, keep):
    measurements = []
    with tempfile.TemporaryDirectory() as folder:
        for part in range(-(-max(sizes) // PART)):
            make_part(Path(folder), part, PART)
        for rows in sizes:
            for name in JOBS:
                found = measured(name, folder, rows)
                entry = {column: round(found[column], 2) for column in ("seconds", "processor_seconds", "peak_mb")}
                measurements.append({"job": name, "rows": rows, **entry})
                taken, peak = entry["processor_seconds"], entry["peak_mb"]
                limit = f"  (target under {LIMITS[name]} MB)" if name in LIMITS else ""
                print(f"  {name:<32} {rows:>10} rows {taken:8.2f} s {peak:7.0f} MB{limit}", flush=True)
            by_name = {entry["job"]: entry["processor_seconds"] for entry in measurements if entry["rows"] == rows}
            ratio = by_name["polars, the learner's queries"] / by_name["polars, queries by hand"]
            print(f"  the learner's queries take {ratio:.2f} times those by hand (target 1.5)", flush=True)
        if keep:
            found = measured("search", folder, max(sizes))
            print(f"  {max(sizes)} numeric rows: {found['extra']} in {found['seconds']:.1f} s", flush=True)
            write(measurements, {"rows": max(sizes), **found["extra"]})


def write(measurements, searched):
    RESULTS.mkdir(exist_ok=True)
    for name, lines in (("engines-search", [searched]), ("engines", measurements)):
        with (RESULTS / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, fieldnames=list(lines[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(lines)
    picture(measurements, RESULTS / "engines.svg")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="1, 3 and 10 million rows, results kept")
    parser.add_argument("--job", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.job:
        run_job(options.job[0], options.job[1], int(options.job[2]))
    else:
        main([1_000_000, 3_000_000, 10_000_000] if options.full else [500_000, 1_000_000], keep=options.full)
