"""The figures of docs/search-experiments.md: the learner's settings compared, and the learner beside others.

    python experiments/searching.py NAME                 run what is missing of a study, then make its table
    python experiments/searching.py NAME --table         the table alone
    python experiments/searching.py NAME --data "keel bupa" --splits 1 --k 2 --variants "as it is"
    python experiments/searching.py choices FOLDER ...   settings, rules and guesses: see experiments/settings.py

Cells are kept in experiments/search/NAME.csv and tables beside them, or in the folder that --output names; a run goes
on where it stopped.
"""

import argparse
import sys
import warnings
from collections import defaultdict
from functools import partial
from pathlib import Path
from statistics import fmean, median
from time import perf_counter, process_time

import numpy as np
import rules
import settings
import studies
from collection import GENERATED, division, load, names, paper_division
from fits import (
    CHECKLISTS,
    CLOSE_CUTS,
    DEFAULT,
    FIGURES,
    FOLDS,
    KEEL,
    PEERS,
    SEEDS,
    default,
    fitted,
    fitted_cuts,
    on_tables,
    streed,
)
from prices import DATA as PRICED
from prices import PRICES, draw_prices, price_figures
from scipy.stats import wilcoxon
from search_parts import PARTS
from several_classes import DATA as SEVERAL
from several_classes import (
    METHODS,
    class_settings,
    class_settings_table,
    several_classes,
    several_classes_table,
    splits_of,
)
from studies import COLUMNS, Study, by_data_set, compare, numbers, read, where, write

from idnf import DNFClassifier
from idnf.counting.packed import PackedTable
from idnf.datasets.loading import PAPER
from idnf.learning.exact.optimum import exact
from idnf.learning.families import family_of
from idnf.learning.local.search import search
from idnf.learning.objective import holds
from idnf.learning.task import LearningTask

FAMILIES = ("nested", "tree", "any")
RESTARTS = ("single (mean of eight)", "first", "fifth", "best of first four", "best of last four")
RESTARTS += ("most agreeing of first four", "most agreeing of last four", "vote of eight")
SIZES = ((1_000, 40), (10_000, 40), (100_000, 40), (1_000_000, 40), *((2_000, n) for n in (20, 60, 200, 600, 2_000)))


def grid(data, splits, ks, variants, states=(0,)):
    return {"data set": data, "split": splits, "random state": states, "k": ks, "variant": tuple(variants)}


def keel_to_choose_on():
    return [name for name in names("choosing") if name.startswith("keel ")]


def generated_to_choose_on():
    """Tables to choose on that need no package: eight with wrong labels, and eight concepts without them."""
    return [*(f"generated {seed}" for seed in GENERATED["choosing"][:8]), *names("concepts")[:15:2]]


def few_rows():
    """The data sets to choose on with fewer than 500 training rows."""
    return [name for name in names("choosing") if 0.8 * len(load(name)[0]) < 500]


def paper_has(name, split, *_):
    return split == 0 or not name.startswith("monks")


def seeds_table(lines):
    """Print the mean by random state, and the standard deviation between states within a data set."""
    for k in numbers(lines, "k"):
        for variant in dict.fromkeys(line["variant"] for line in lines):
            here = where(lines, k=k, variant=variant)
            found = defaultdict(list)
            for line in here:
                found[line["data set"]].append(float(line["test accuracy"]))
            found = np.array(list(found.values()))
            states = " ".join(f"{mean:.2f}" for mean in found.mean(axis=0))
            spread, seconds = np.sqrt(found.var(axis=1, ddof=1).mean()), sum(float(line["seconds"]) for line in here)
            print(f"k = {k}, {variant}: {found.mean():.2f}, deviation {spread:.2f}, by state {states}, {seconds:.0f} s")


def folds_table(lines):
    for part in ("choosing", "concepts"):
        known = names(part)
        print(f"{part}:")
        compare([line for line in lines if line["data set"] in known])


def states_table(lines):
    """Means over data sets of means over splits, by k and random state."""
    states = numbers(lines, "random state")
    table = [["k", *(f"random state {state}" for state in states), "mean", "spread"]]
    for k in numbers(lines, "k"):
        parts = [by_data_set(where(lines, k=k, random_state=state)) for state in states]
        means = [fmean(part.values()) if len(part) == len(PAPER) else None for part in parts]
        known = [mean for mean in means if mean is not None]
        if known:
            # One state says nothing about the spread.
            spread = f"{max(known) - min(known):.2f}" if len(known) > 1 else ""
            cells = ["" if mean is None else f"{mean:.2f}" for mean in means]
            table.append([str(k), *cells, f"{fmean(known):.2f}", spread])
    write("states-means", table)


def elsewhere_tables(lines):
    """Ours beside each peer on the data sets and splits both have, and how long our models are."""
    found = defaultdict(dict)
    for line in lines:
        found[line["variant"], line["k"]][line["data set"], line["split"]] = line
    beside = [["k", "method", "data sets", "its mean", "ours on the same", "p"]]
    for method, k in sorted(found, key=lambda pair: pair[::-1]):
        places = sorted(set(found[method, k]) & set(found[DEFAULT, k]))
        if method in (DEFAULT, "pystreed", "random forest") or not places:
            continue
        theirs, ours = (by_data_set([found[each, k][place] for place in places]) for each in (method, DEFAULT))
        differences = [round(ours[name] - theirs[name], 6) for name in ours]
        p = wilcoxon(differences).pvalue if any(differences) else 1.0
        means = [f"{fmean(part.values()):.2f}" for part in (theirs, ours)]
        beside.append([k, method, len(ours), *means, f"{p:.3f}"])
    write("elsewhere-means", beside)
    columns = ("lines", "conditions", "reasons", "seconds")
    sizes = [["k", "mean accuracy", *(f"median {column}" for column in columns)]]
    for k in numbers(lines, "k"):
        here = where(lines, k=k, variant=DEFAULT)
        medians = [median(float(line[column]) for line in here if line[column]) for column in columns]
        cells = [*(f"{value:g}" for value in medians[:-1]), f"{medians[-1]:.2f}"]
        sizes.append([k, f"{fmean(by_data_set(here).values()):.2f}", *cells])
    write("elsewhere-sizes", sizes)


def keel_table(lines):
    """One line a data set, the last one their mean."""
    ks, body = numbers(lines, "k"), []
    head = ["data set", "rows", "features", *(f"{name}, k = {k}" for k in ks for name in ("default", "CART")), "forest"]
    means = [by_data_set(where(lines, k=k, variant=variant)) for k in ks for variant in ("default", "CART")]
    means.append(by_data_set(where(lines, variant="forest")))
    for name in sorted(means[0]):
        body.append([name.removeprefix("keel "), *load(name)[0].shape, *(part[name] for part in means)])
    body.append(["mean", "", "", *(fmean(line[place] for line in body) for place in range(3, len(head)))])
    write(
        "keel-means", [head, *([f"{cell:.1f}" if isinstance(cell, float) else cell for cell in line] for line in body)]
    )


def family_figures(name, k, family):
    """Training and test accuracy in percent, literals and seconds of a fit: means over five splits, monks as given."""
    found = []
    for split in range(1 if name.startswith("monks") else 5):
        parts = paper_division(name, split)
        train, test = (np.asarray(part, dtype=bool) for part in parts[:2])
        classes, truth = (np.asarray(part) == 1 for part in parts[2:])
        rows = PackedTable.from_arrays(train, classes, None).distinct_rows()
        start = perf_counter()
        model = search(rows, LearningTask(settings.feature_names(rows), k, family=family_of(family))).model
        seconds = perf_counter() - start
        double = model if hasattr(model, "positive") else model.double()
        scores = [100 * np.mean(holds(model, X) == y) for X, y in ((train, classes), (test, truth))]
        found.append([*scores, double.positive.length, seconds])
    return [fmean(column) for column in zip(*found, strict=True)]


def families_tables(lines):
    """The means over all data sets, and where each family's test accuracy is furthest above that of every other one."""
    ks = numbers(lines, "k")
    means = [["k", *FAMILIES]]
    for k in ks:
        parts = [where(lines, k=k, variant=family) for family in FAMILIES]
        pairs = [
            [fmean(by_data_set(part, f"{kind} accuracy").values()) for kind in ("training", "test")] for part in parts
        ]
        means.append([k, *(f"{train:.2f} / {test:.2f}" for train, test in pairs)])
    write("families-means", means)
    best = {}
    for name, k in sorted({(line["data set"], int(line["k"])) for line in lines}):
        tests = {
            line["variant"]: float(line["test accuracy"])
            for line in lines
            if (line["data set"], line["k"]) == (name, str(k))
        }
        for family, test in tests.items():
            lead = test - max(other for label, other in tests.items() if label != family)
            if family not in best or lead > best[family][0]:
                best[family] = (lead, [family, name, k, f"{test:.2f}", f"{lead:+.2f}"])
    head = ["family", "data set", "k", "test accuracy", "against the best of the others"]
    write("families-leads", [head, *(best[family][1] for family in FAMILIES)])


def ten_drawn():
    every = names("choosing")
    return [every[place] for place in np.random.default_rng(5).permutation(len(every))[:10].tolist()]


def restart_figures(name, k):
    """Test accuracy of eight searches, of the best of four by objective, and of the one most like three others.

    Labels are believed by half, at three times the price of noise.
    """
    train, test, target, truth = division(name, 1)
    costs, inside, outside = [], [], []
    for seed in range(8):
        objective = settings.forest_objective(train, target, 0.5, 3.0, seed=seed)
        features = settings.feature_names(objective.rows)
        how = LearningTask(features, k, price=objective.price, effort=1.0, random_state=seed)
        model = search(objective.rows, how).model
        costs.append(objective(model))
        inside.append(holds(model, train))
        outside.append(holds(model, test))
    right = [100 * np.mean(values == truth) for values in outside]
    fours = (range(4), range(4, 8))
    best = [right[min(four, key=lambda i: costs[i])] for four in fours]
    alike = [
        right[max(four, key=lambda i, four=four: sum(np.mean(inside[i] == inside[j]) for j in four))] for four in fours
    ]
    vote = 100 * np.mean((np.mean(outside, axis=0) > 0.5) == truth)
    return [f"{value:.2f}" for value in (np.mean(right), right[0], right[4], *best, *alike, vote)]


def restarts_table(lines):
    for k in numbers(lines, "k"):
        print(
            f"k = {k}:",
            ", ".join(f"{name} {fmean(by_data_set(where(lines, k=k), name).values()):.2f}" for name in RESTARTS),
        )


def optimal_tree_figures(name, split, k):
    """Training errors of pystreed's proved optimal tree and of search with price 0, and the seconds of search."""
    X, _, y, _ = paper_division(name, split)
    tree = streed(k).fit(X.astype(int), y)
    start = process_time()
    model = DNFClassifier(k, price=0).fit(X, y)
    seconds = round(process_time() - start, 3)
    return [len(y), *(int(np.sum(part != y)) for part in (tree.predict(X.astype(int)), model.predict(X))), seconds]


def optimal_trees_table(lines):
    behind = [line for line in lines if int(line["search"]) > int(line["optimal tree"])]
    print(f"a tree errs less than search in {len(behind)} of {len(lines)} cells")
    for line in behind:
        print(*line.values())


def gap_figures(name, k):
    """Training accuracy at price 0, means over the splits: the optimum, and search among all functions.

    The optimum is over all functions at k = 2, where a model below it is an error, and over pair trees at k = 3.
    """
    family = "any" if k == 2 else "pair-tree"
    right = []
    for split in range(1 if name.startswith("monks") else 5):
        X, _, y, _ = paper_division(name, split)
        table = PackedTable.from_arrays(np.asarray(X, dtype=bool), np.asarray(y, dtype=bool))
        proved = exact(table.distinct_rows(), tuple(map(str, range(X.shape[1]))), k)
        assert proved.optimal == family, f"{name}, k = {k}: no proof"
        found = DNFClassifier(k, price=0.0).fit(X, y)
        assert k > 2 or found.objective_ >= proved.bound - 1e-9, f"{name}, k = {k}: a model below the bound"
        right.append((100 - 100 * proved.objective, 100 * found.score(X, y)))
    return [family, *map(fmean, zip(*right, strict=True))]


def gaps_table(lines):
    for k in numbers(lines, "k"):
        gaps = [float(line["optimum"]) - float(line["search"]) for line in where(lines, k=k)]
        print(f"k = {k}: mean gap {fmean(gaps):.3f}, largest {max(gaps):.3f}")


def growth_figures(rows, literals):
    """Seconds of a fit at k = 3; class 1 is ``x0 & x1 | x2 & x3 | x4 & x5 & x6`` with one label in ten flipped."""
    generator = np.random.default_rng(0)
    X = generator.random((rows, literals // 2)) < 0.5
    y = X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3] | X[:, 4] & X[:, 5] & X[:, 6]
    y ^= generator.random(rows) < 0.1
    start = process_time()
    model = DNFClassifier(3).fit(X, y)
    return [round(process_time() - start, 2), model.training_data_]


def draw_growth(lines):
    from board.pictures import plt, save

    figure, axes = plt.subplots(1, 2, figsize=(8, 3.2), sharey=True)
    parts = [line for line in lines if line["literals"] == "40"], [line for line in lines if line["rows"] == "2000"]
    for axis, part, name, title in zip(axes, parts, ("rows", "literals"), ("40 literals", "2000 rows"), strict=True):
        axis.loglog([int(line[name]) for line in part], [float(line["seconds"]) for line in part], marker="o")
        axis.set(xlabel=name, title=title)
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("seconds, k = 3")
    figure.tight_layout()
    save(figure, studies.FOLDER / "growth.svg")


STUDIES = {
    "states": Study(
        "the default on the paper's data sets for several random states",
        grid(PAPER, range(5), (2, 3, 4, 5, 6), ["default"], range(5)),
        FIGURES, partial(fitted, paper_division, {"default": default}), states_table, paper_has,
    ),
    "families": Study(
        "what each family buys on the paper's data sets",
        {"data set": PAPER, "k": (2, 3, 4, 5), "variant": FAMILIES},
        ("training accuracy", "test accuracy", "literals", "seconds"), family_figures, families_tables,
    ),
    "elsewhere": Study(
        "the default beside tuned trees on data that nothing was chosen on",
        grid(partial(names, "elsewhere"), range(3), (2, 3, 4), PEERS),
        FIGURES, partial(on_tables, PEERS), elsewhere_tables,
    ),
    "keel": Study(
        "all of k beside CART and a random forest on KEEL's tables, which constants were chosen on",
        grid(keel_to_choose_on, range(2), (2, 4), KEEL), FIGURES, partial(on_tables, KEEL), keel_table,
    ),
    "folds": Study(
        "how much work the folds of cross-validation need, on the data to choose on and on concepts",
        grid(lambda: names("choosing") + names("concepts"), (1, 2, 3), (2, 3, 4), FOLDS),
        FIGURES, partial(on_tables, FOLDS), folds_table, lambda name, split, *_: split == 1 or name[:7] != "concept",
    ),
    "seeds": Study(
        "how far the random state moves the default where rows are few, and what lowers that",
        grid(few_rows, (1,), (2, 3, 4), SEEDS, range(4)), FIGURES, partial(on_tables, SEEDS), seeds_table,
    ),
    "close-cuts": Study(
        "a larger price on cuts that few examples separate, on the tables of numbers to choose on",
        grid(keel_to_choose_on, range(2), (3, 4), CLOSE_CUTS),
        (*FIGURES, "close pairs"), fitted_cuts, partial(compare, others=("conditions", "close pairs")),
    ),
    "checklists": Study(
        "checklists as candidates of the default: with points, at the leaves of trees; and as the family learned",
        grid(lambda: names("choosing"), (1,), (3, 4), CHECKLISTS),
        FIGURES, partial(on_tables, CHECKLISTS), partial(compare, others=("conditions",)),
    ),
    "parts": Study(
        "what each part of search is worth, by leaving it out, on generated tables to choose on and concepts",
        grid(generated_to_choose_on, (1,), (3, 4, 5), PARTS),
        FIGURES, partial(on_tables, PARTS), partial(compare, others=("training accuracy", "conditions")),
    ),
    "restarts": Study(
        "several random states of one search: the best of them by objective, and the one most like the others",
        {"data set": ten_drawn, "k": (3, 4)}, RESTARTS, restart_figures, restarts_table,
    ),
    "price": Study(
        "what a price for every literal does to training and test accuracy, on scikit-learn's and generated data",
        {"data set": PRICED, "k": (4,), "variant": (*PRICES, "default")},
        ("training accuracy", "test accuracy"), price_figures, draw_prices,
    ),
    "optimal-trees": Study(
        "training errors of search with price 0 beside the optimal tree of depth k, on the paper's data sets",
        {"data set": PAPER, "split": range(5), "k": (2, 3, 4, 5, 6)},
        ("examples", "optimal tree", "search", "seconds of search"),
        optimal_tree_figures, optimal_trees_table, paper_has,
    ),
    "gaps": Study(
        "where search stays behind the proved optimum (docs/optimal.md)",
        {"data set": PAPER, "k": (2, 3)},
        ("family", "optimum", "search"), gap_figures, gaps_table,
    ),
    "several-classes": Study(
        "more than two classes: the default beside trees of depth k tuned alike (docs/guides/several-classes.md)",
        {"data set": SEVERAL["judging"], "split": range(10), "k": (2, 3, 4, 5), "variant": tuple(METHODS)},
        ("test accuracy", "errors", "seconds"), several_classes, several_classes_table,
        lambda name, split, *_: split < splits_of(name),
    ),
    "class-settings": Study(
        "what to minimise for several classes, and how much of k to use, on the data to choose on",
        {"data set": SEVERAL["choosing"], "split": (0, 1)},
        ("size", "belief", "noise", "held out", "test"), class_settings, class_settings_table,
        lambda name, split: split < splits_of(name),
    ),
    "growth": Study(
        "how the time of search grows with rows and with literals (docs/optimal.md)",
        {"rows": sorted({rows for rows, _ in SIZES}), "literals": sorted({literals for _, literals in SIZES})},
        ("seconds", "learned from"), growth_figures, draw_growth, lambda *size: size in SIZES,
    ),
}  # fmt: skip


def main():
    if sys.argv[1:2] and sys.argv[1] in settings.ROUNDS:
        rules.main(sys.argv[1], sys.argv[2:])
        return
    listed = "\n".join(f"  {name:14} {study.about}" for name, study in STUDIES.items())
    parser = argparse.ArgumentParser(
        description=f"{__doc__}\n{listed}", formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("study", choices=STUDIES, metavar="NAME")
    for option in COLUMNS:
        parser.add_argument(f"--{option}", nargs="+", type=str if option in ("data", "variants") else int)
    parser.add_argument("--skip", nargs="+", default=[], help="data sets to leave out")
    parser.add_argument("--output", type=Path, default=studies.FOLDER, metavar="FOLDER")
    parser.add_argument("--table", action="store_true", help="run nothing")
    options = parser.parse_args()
    studies.FOLDER = options.output
    study, path = STUDIES[options.study], options.output / f"{options.study}.csv"
    warnings.simplefilter("ignore")
    if not options.table:
        study.run(path, {column: getattr(options, option) for option, column in COLUMNS.items()}, options.skip)
    study.table(read(path))


if __name__ == "__main__":
    main()
