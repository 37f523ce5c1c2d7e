"""Studies: what is measured for every cell of a grid, kept in one CSV file each, gone on with where it stopped."""

import csv
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "search"
# Of an option on the command line, the column of a file that it chooses values of.
COLUMNS = {"data": "data set", "splits": "split", "states": "random state", "k": "k", "variants": "variant"}


@dataclass(frozen=True)
class Study:
    """A grid of cells and what is measured in each.

    ``grid`` has the values of each column that names a cell, or a function that gives them; ``measure`` takes one of
    each and returns the ``figures``, or several lines of them; ``table`` makes of all lines what pages show. Cells that
    ``has`` denies are left out.
    """

    about: str
    grid: dict[str, Sequence | Callable[[], Sequence]]
    figures: tuple[str, ...]
    measure: Callable
    table: Callable[[list[dict[str, str]]], None]
    has: Callable[..., bool] = lambda *_: True

    def run(self, path, chosen, skipped=()):
        """Add the cells that are missing to a file."""
        grid = {
            name: chosen.get(name) or (values() if callable(values) else values) for name, values in self.grid.items()
        }
        done = {tuple(line[name] for name in grid) for line in read(path)}
        new = not path.exists()
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            if new:
                writer.writerow([*grid, *self.figures])
            for cell in product(*grid.values()):
                if tuple(map(str, cell)) not in done and cell[0] not in skipped and self.has(*cell):
                    found = self.measure(*cell)
                    lines = found if found and isinstance(found[0], list) else [found]
                    writer.writerows([*cell, *map(text, line)] for line in lines)
                    file.flush()


def read(path):
    """The lines of a file of cells, each as a dictionary; none where there is no file."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def text(figure):
    return "" if figure is None else f"{figure:.3f}" if isinstance(figure, float) else figure


def write(name, lines):
    """Write a table that a page shows, and print it."""
    with (FOLDER / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(lines)
    for line in lines:
        print(*line, sep=" | ")


def by_data_set(lines, figure="test accuracy"):
    """The mean of a figure over the lines of each data set."""
    found = defaultdict(list)
    for line in lines:
        found[line["data set"]].append(float(line[figure]))
    return {name: float(np.mean(part)) for name, part in found.items()}


def where(lines, **values):
    """The lines that have these values."""
    return [line for line in lines if all(line[name.replace("_", " ")] == str(value) for name, value in values.items())]


def numbers(lines, column):
    return sorted({int(line[column]) for line in lines})


def compared(means, first):
    """The mean over data sets, and in brackets the difference to another's with its standard error over data sets."""
    differences = np.array([means[name] - first[name] for name in means])
    error = differences.std(ddof=1) / len(differences) ** 0.5 if len(differences) > 1 else 0.0
    return f"{np.mean(list(means.values())):.2f} ({differences.mean():+.2f} ± {error:.2f})"


def compare(lines, others=()):
    """Print, for each k, the mean test accuracy of each variant beside that of the first, then the means of others.

    Seconds are told as the geometric mean of the ratios to the first.
    """
    for k in numbers(lines, "k"):
        first = None
        for variant in dict.fromkeys(line["variant"] for line in lines):
            here = where(lines, k=k, variant=variant)
            if not here:
                continue
            first = first or here
            means = compared(by_data_set(here), by_data_set(first))
            ratios = [
                max(float(a["seconds"]), 1e-3) / max(float(b["seconds"]), 1e-3)
                for a, b in zip(here, first, strict=False)
            ]
            said = [f"{np.mean([float(line[name]) for line in here]):.2f} {name}" for name in others]
            said.append(f"time {np.exp(np.log(ratios).mean()):.2f}")
            print(f"k = {k}, {variant}: {means},", ", ".join(said), flush=True)
