"""The default fit of one commit beside that of another on the same splits.

    python experiments/commits.py two --commit NAME                            the learner of this tree, under a name
    PYTHONPATH=OTHER/src python experiments/commits.py two --commit OTHER      that of another tree, kernels compiled
    python experiments/commits.py two --table FIRST SECOND ...                 means, and differences to the first

The parts are the paper's data sets ("two", splits 80/20, monks as given), the Boolean data sets to choose on and those
to check on ("choosing", "elsewhere"), KEEL's tables of numbers as they are ("raw"), tables of several classes to judge
by and to choose on ("several", "several-choosing"), every third by name of the scoreboard's checked tables as they come
("checked"), and tables drawn by rule, with and without intervals, from experiments/conditions.py ("drawn"). Cells are
kept in experiments/search/commits-PART.csv; a run goes on where it stopped. Fits have one thread, and seconds are
processor time.
"""

import argparse
import os
import warnings
from functools import partial
from pathlib import Path

os.environ["OMP_NUM_THREADS"] = "1"

import collection  # noqa: E402 - after the setting
import conditions  # noqa: E402
import several_classes  # noqa: E402
from board.data import GROUPS, parts_of  # noqa: E402
from fits import FIGURES, default, fitted, table_division  # noqa: E402
from scipy.stats import wilcoxon  # noqa: E402
from studies import COLUMNS, FOLDER, Study, by_data_set, compared, numbers, read, where  # noqa: E402
from threadpoolctl import threadpool_limits  # noqa: E402

from idnf.datasets.loading import PAPER  # noqa: E402


def boolean_division(name, split):
    train, test, classes, truth = several_classes.division(name, split)
    return train.astype(bool), test.astype(bool), classes, truth


def keel_names():
    return [name for name in collection.names("choosing") if name.startswith("keel ")]


def drawn_division(name, split):
    X, y, train, test = conditions.drawn(name, split)
    return X.iloc[train], X.iloc[test], y[train], y[test]


# The data sets, how they are divided, and the values of k, of splits and of random states.
PARTS = {
    "two": (PAPER, collection.paper_division, (2, 3, 4, 5, 6), range(5), range(5)),
    "choosing": (partial(collection.names, "choosing"), collection.division, (2, 3, 4), (1,), (0,)),
    "elsewhere": (partial(collection.names, "elsewhere"), collection.division, (2, 3, 4), (0,), (0,)),
    "raw": (keel_names, table_division, (2, 3, 4), (0,), (0,)),
    "several": (several_classes.DATA["judging"], boolean_division, (3, 4), range(10), (0,)),
    "several-choosing": (several_classes.DATA["choosing"], boolean_division, (3, 4), (0,), (0,)),
    "checked": (sorted(GROUPS["checked"])[::3], parts_of, (2, 3, 4), range(2), (0,)),
    "drawn": ([*conditions.CHOOSE, *conditions.JUDGE], drawn_division, (1, 2, 3, 4), range(4), (0,)),
}


def study(part, commit):
    data, divide, ks, splits, states = PARTS[part]
    grid = {"data set": data, "split": splits, "random state": states, "k": ks, "variant": (commit,)}
    fit = partial(fitted, divide, {commit: default})
    return Study(part, grid, FIGURES, fit, print, partial(has_split, part))


def has_split(part, name, split, *_):
    """Whether a data set is divided in that many ways: monks in one, small ones of several classes in more."""
    if part.startswith("several"):
        return split < several_classes.splits_of(name)
    return split == 0 or name not in MONKS


MONKS = [name for name in PAPER if name.startswith("monks")]


def table(lines, commits):
    """Print means over data sets of the cells that all commits have, differences to the first, and ratios of times."""
    place = ("data set", "split", "random state", "k")
    known = [{tuple(line[name] for name in place) for line in where(lines, variant=each)} for each in commits]
    both = set.intersection(*known)
    lines = [line for line in lines if tuple(line[name] for name in place) in both]
    for k in numbers(lines, "k"):
        first = by_data_set(where(lines, k=k, variant=commits[0]))
        spent = [sum(float(line["seconds"]) for line in where(lines, k=k, variant=each)) for each in commits]
        for commit, seconds in zip(commits, spent, strict=True):
            here = where(lines, k=k, variant=commit)
            means, conditions = by_data_set(here), by_data_set(here, "conditions")
            differences = [round(means[name] - first[name], 6) for name in means]
            p = wilcoxon(differences).pvalue if any(differences) else 1.0
            said = f"k = {k}, {commit}: {compared(means, first)}, p {p:.3f}, {len(here)} fits of {len(means)} data sets"
            read_of = sum(conditions.values()) / len(conditions)
            print(f"{said}, {read_of:.1f} conditions, {seconds:.0f} s, {seconds / spent[0]:.2f} of the first's time")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=PARTS)
    for option in ("data", "splits", "states", "k"):
        parser.add_argument(f"--{option}", nargs="+", type=str if option == "data" else int)
    parser.add_argument("--commit", default="here")
    parser.add_argument("--output", type=Path, default=FOLDER, metavar="FOLDER")
    parser.add_argument("--table", nargs="+", metavar="COMMIT")
    options = parser.parse_args()
    path = options.output / f"commits-{options.part}.csv"
    if options.table:
        table(read(path), options.table)
        return
    warnings.simplefilter("ignore")
    chosen = {COLUMNS[name]: getattr(options, name) for name in ("data", "splits", "states", "k")}
    with threadpool_limits(1):
        study(options.part, options.commit).run(path, chosen)


if __name__ == "__main__":
    main()
