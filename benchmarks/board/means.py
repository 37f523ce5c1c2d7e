"""Some cells as a board: means over data sets, each of them the mean of its splits, on data that all compared have."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, geometric_mean, stdev

from .cells import Cell
from .methods import METHODS

Value = Callable[[Cell], float | None]


@dataclass(frozen=True)
class Measure:
    """A figure of a cell, its name on the page, and which way is better."""

    name: str
    field: str
    better: int
    digits: int = 1

    def of(self, cell: Cell) -> float | None:
        """Return the figure, None where a cell has none."""
        return getattr(cell, self.field) if cell.ok else None


ACCURACY = Measure("test accuracy (%)", "accuracy", 1)
BALANCED = Measure("balanced accuracy (%)", "balanced_accuracy", 1)
LOG_LOSS = Measure("log loss", "log_loss", -1, 3)
AUC = Measure("area under the curve", "auc", 1, 3)
BRIER = Measure("Brier score", "brier", -1, 3)
CALIBRATION = Measure("calibration error", "calibration", -1, 3)
LARGEST = Measure("largest reason", "largest_reason", -1)
MEAN_REASON = Measure("mean reason", "mean_reason", -1, 2)
CONDITIONS = Measure("conditions to read", "conditions", -1)
PREDICTIONS = (ACCURACY, BALANCED, AUC, LOG_LOSS, BRIER, CALIBRATION)
MEASURES = (*PREDICTIONS, LARGEST, MEAN_REASON, CONDITIONS)


@dataclass(frozen=True, eq=False)
class Board:
    """The cells on these data sets; ``seeds`` are those of other seeds than 0, for the spread over seeds alone."""

    cells: tuple[Cell, ...]
    data: tuple[str, ...]
    seeds: tuple[Cell, ...] = ()

    @classmethod
    def of(cls, cells: Iterable[Cell], names: Iterable[str]) -> Board:
        """Return the board of some data sets, as far as there are cells."""
        wanted = tuple(names)
        kept = tuple(cell for cell in cells if cell.data in set(wanted))
        _check_same_divisions(kept)
        first = tuple(cell for cell in kept if not cell.seed)
        there = {cell.data for cell in first}
        others = tuple(cell for cell in kept if cell.seed)
        return cls(first, tuple(name for name in wanted if name in there), others)

    @cached_property
    def columns(self) -> dict[tuple[str, int], dict[tuple[str, int], Cell]]:
        """The cells by method and k, then by data set and split."""
        found: dict[tuple[str, int], dict[tuple[str, int], Cell]] = {}
        for cell in self.cells:
            found.setdefault((cell.method, cell.k), {})[cell.data, cell.split] = cell
        return found

    @cached_property
    def bounds(self) -> tuple[int, ...]:
        """The sizes of reasons that were asked for."""
        return tuple(sorted({cell.k for cell in self.cells} - {0}))

    def at(self, bounds: Sequence[int]) -> Board:
        """Return the board at some k, with what knows no k."""
        return Board(tuple(cell for cell in self.cells if cell.k in {0, *bounds}), self.data)

    def run_through(self) -> Board:
        """Return the board without splits of a column that were run on a part of the data only: means would mislead."""
        names: dict[tuple[str, int, int], set[str]] = {}
        for cell in self.cells:
            names.setdefault((cell.method, cell.k, cell.split), set()).add(cell.data)
        whole = {place for place, found in names.items() if len(found) >= 0.95 * len(self.data)}
        return Board(tuple(cell for cell in self.cells if (cell.method, cell.k, cell.split) in whole), self.data)

    def splits(self, method: str) -> set[int]:
        """Return the splits that a method has."""
        return {cell.split for cell in self.cells if cell.method == method}

    def on_splits_of(self, method: str) -> Board:
        """Return the board at the splits of a method, without methods that lack one of these."""
        wanted = self.splits(method)
        have = {other for other in {cell.method for cell in self.cells} if wanted <= self.splits(other)}
        kept = (cell for cell in self.cells if cell.method in have and (cell.split in wanted or not wanted))
        return Board(tuple(kept), self.data)

    def column(self, method: str, k: int) -> dict[tuple[str, int], Cell]:
        """Return a method's cells at k; one that knows no k has the same at each."""
        return self.columns.get((method, k)) or self.columns.get((method, 0), {})

    def data_of(self, methods: Collection[str]) -> set[str]:
        """Return the data sets of the cells of some methods."""
        return {cell.data for cell in self.cells if cell.method in methods}

    def values(self, method: str, k: int, measure: Measure) -> dict[str, float]:
        """Return a measure on each data set, the mean of its splits; a data set with a failed split is left out."""
        by_data: dict[str, list[float | None]] = {}
        for (name, _), cell in self.column(method, k).items():
            by_data.setdefault(name, []).append(measure.of(cell))
        return {name: fmean(found) for name, found in by_data.items() if None not in found}

    def pairs(self, one: str, other: str, k: int, measure: Measure) -> list[tuple[str, float, float]]:
        """Return the data sets where both have a figure, and the two, over the splits that both have."""
        found: dict[str, list[tuple[float, float]]] = {}
        theirs = self.column(other, k)
        for place, cell in self.column(one, k).items():
            values = measure.of(cell), measure.of(theirs[place]) if place in theirs else None
            if None not in values:
                found.setdefault(place[0], []).append(values)
        return [(name, *map(fmean, zip(*found[name]))) for name in self.data if name in found]

    def common(self, methods: Sequence[str], k: int, measure: Measure) -> list[str]:
        """Return the data sets where all of some methods have a figure."""
        found = [self.values(method, k, measure) for method in methods]
        return [name for name in self.data if all(name in values for values in found)]

    def shared(self, methods: Sequence[str]) -> list[str]:
        """Return the data sets where every method has an accuracy at every k."""
        found = [set(self.common(methods, k, ACCURACY)) for k in self.bounds]
        return [name for name in self.data if found and all(name in part for part in found)]

    def spread(self, method: str, k: int, measure: Measure) -> float | None:
        """Return the standard deviation, over splits, of the mean over data sets that have every split."""
        by_split: dict[int, dict[str, float]] = {}
        for (name, split), cell in self.column(method, k).items():
            if (value := measure.of(cell)) is not None:
                by_split.setdefault(split, {})[name] = value
        whole = set.intersection(*map(set, by_split.values())) if len(by_split) > 1 else set()
        return stdev(fmean(values[name] for name in whole) for values in by_split.values()) if whole else None

    def seed_spread(self, method: str, k: int, measure: Measure) -> tuple[float, int, int] | None:
        """Return the standard deviation of the mean over seeds, how many these are, and over how many data sets.

        The mean is over the data sets and splits that every seed has.
        """
        by_seed: dict[int, dict[tuple[str, int], float]] = {}
        for cell in (*self.column(method, k).values(), *self.seeds):
            value = measure.of(cell)
            if (cell.method, cell.k) in ((method, k), (method, 0)) and value is not None:
                by_seed.setdefault(cell.seed, {})[cell.data, cell.split] = value
        whole = set.intersection(*map(set, by_seed.values())) if len(by_seed) > 1 else set()
        if not whole:
            return None
        means = [fmean(values[place] for place in whole) for values in by_seed.values()]
        return stdev(means), len(by_seed), len({name for name, _ in whole})

    def time_beside(self, one: str, other: str, k: int) -> float | None:
        """Return how many times one method's time to fit is another's, geometric mean over the cells that both have.

        Both are multiples of CART's time in their process; beside a method that knows no k, whose CART is another, they
        are processor seconds.
        """
        theirs = self.column(other, k)
        pairs = [(cell, theirs[place]) for place, cell in self.column(one, k).items() if place in theirs]
        timed = [(mine, yours) for mine, yours in pairs if _timed(mine) and _timed(yours)]
        ratios = [
            _times_cart(mine) / _times_cart(yours) if mine.k == yours.k else mine.fit_seconds / yours.fit_seconds
            for mine, yours in timed
        ]
        return geometric_mean(ratios) if ratios else None

    def of_classes(self, *, two: bool) -> Board:
        """Return the board of the data sets of two classes, or of several."""
        return self.only({cell.data for cell in self.cells if (cell.classes == 2) == two})

    def only(self, names: Collection[str]) -> Board:
        """Return the board of some of the data sets."""
        return Board.of(self.cells, [name for name in self.data if name in names])

    def slower(self, method: str, k: int) -> float | None:
        """Return the time of a fit as a multiple of CART's in the same process, geometric mean over cells."""
        cells = [cell for cell in self.column(method, k).values() if _timed(cell)]
        return geometric_mean(map(_times_cart, cells)) if cells else None

    def failed(self) -> list[Cell]:
        """Return the cells without a model."""
        return [cell for cell in self.cells if cell.status == "failed"]

    def keeps_to(self, method: str, k: int) -> bool:
        """Return whether no decision on any data set needs a reason of more than k conditions."""
        sizes = [cell.largest_reason for cell in self.column(method, k).values() if cell.ok]
        return bool(sizes) and None not in sizes and max(sizes) <= k


def title(method: str) -> str:
    """Return a method's name on the page without marks."""
    return METHODS[method].title.replace("**", "")


def _timed(cell: Cell) -> bool:
    return bool(cell.ok and cell.cart_seconds and cell.fit_seconds)


def _times_cart(cell: Cell) -> float:
    return cell.fit_seconds / cell.cart_seconds


def _check_same_divisions(cells: Iterable[Cell]) -> None:
    """Refuse to compare methods on data that differ."""
    known: dict[tuple[str, int], str] = {}
    for cell in cells:
        if known.setdefault((cell.data, cell.split), cell.division) != cell.division:
            raise SystemExit(
                f"{cell.method} was run on another {cell.data}, split {cell.split}, than the methods before it;"
                f" run it again: python benchmarks/scoreboard.py --data {cell.data}"
            )
