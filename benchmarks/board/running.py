"""Fit what is missing: a cell is kept while method, version, settings and data stay the same."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, fields
from functools import cache
from itertools import groupby, product
from pathlib import Path
from statistics import fmean

from .cells import FEWEST_DIGITS, SEEDED, Cell, Key, append_cell, read_cells, rounded
from .data import (
    GROUPS,
    SIZES,
    at_size,
    checksum_of,
    division,
    drawn,
    group_of,
    has_size,
    save_division,
    splits_of,
    table_and_size,
)
from .measures import measured
from .methods import METHODS, RUN, Method, our_commit

GUESS = 5.0
"""Processor seconds of a cell at the smallest size, where nothing is known."""
BATCH = 100
"""Cells that one process of a worker makes."""


@dataclass(frozen=True)
class Chosen:
    """What is to be run; groups of tables by the samples and splits of the settings, tables by name all of them."""

    methods: Sequence[str]
    data: Sequence[str]
    bounds: Sequence[int]
    splits: Sequence[int] | None = None
    seeds: Sequence[int] = (0,)
    sizes: Sequence[int] = SIZES[:1]

    def cells(self) -> Iterable[Key]:
        """Return cells so that a run cut short is of use: one split of all tables first, then by method, then by k."""
        most = range(max(RUN["splits"].values())) if self.splits is None else self.splits
        for split, size, seed, name in product(most, self.sizes, self.seeds, self.methods):
            method = METHODS[name]
            if self.splits is None and split >= RUN["slow_splits" if method.slow else "splits"][str(size)]:
                continue
            bounds = [k for k in method.bounds if not k or k in self.bounds]
            here = [at_size(table, size) for table in self.tables(method, size) if takes(method, table, split, seed)]
            yield from ((name, data, split, k, seed) for k in bounds for data in here)

    def tables(self, method: Method, size: int) -> list[str]:
        """Return the tables of a method at a size: of each group its sample, and those that were named."""
        groups = [sample(method, group, size) for group in self.data if group in GROUPS]
        named = [name for name in self.data if name not in GROUPS and has_size(name, size)]
        return [*(name for part in groups for name in part), *named]


def sample(method: Method, group: str, size: int) -> list[str]:
    """Return the tables of a group that a method is run on at a size, in the order of the group."""
    count = RUN["slow_tables" if method.slow else "tables"][str(size)]
    kept = set(drawn((name for name in GROUPS[group] if has_size(name, size)), count))
    return [name for name in GROUPS[group] if name in kept]


def takes(method: Method, table: str, split: int, seed: int) -> bool:
    """Return whether a method has this cell."""
    if seed and not method.seeded:
        return False
    return split in splits_of(table, split + 1) and group_of(table) in method.groups


def expected_hours(keys: Iterable[Key], cells: Iterable[Cell]) -> float:
    """Return the processor hours that cells will take, by cells of the same method, k and size.

    Where there are none, those of another size count, in proportion to training rows; without any, a guess.
    """
    known: dict[tuple[str, int], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    for cell in cells:
        if cell.cell_seconds is not None:
            known[cell.method, cell.k][table_and_size(cell.data)[1]].append(cell.cell_seconds)
    total = 0.0
    for method, data, _, k, _ in keys:
        size, there = table_and_size(data)[1], known.get((method, k), {SIZES[0]: [GUESS]})
        nearest = min(there, key=lambda other: abs(other - size))
        total += fmean(there[nearest]) * size / nearest
    return total / 3600


@dataclass(frozen=True)
class Runner:
    """Runs cells into a folder of results; ``work`` holds what workers read and write."""

    results: Path
    work: Path
    processes: int = 1

    def made_from(self, key: Key) -> tuple[str, str]:
        """Return what a cell's figures would depend on if it were run."""
        return METHODS[key[0]].version(), checksum_of(key[1], key[2])

    def missing(self, chosen: Chosen) -> list[Key]:
        """Return the cells that are not there, or not from what there is."""
        there = {cell.key: cell.made_from for cell in read_cells(self.results, chosen.methods)}
        return [key for key in chosen.cells() if key not in there or there[key] != self.made_from(key)]

    def run(self, keys: Sequence[Key]) -> Iterator[Cell]:
        """Run cells, some of one method, split and k in one process, and keep each as it comes."""
        groups = groupby(keys, key=lambda key: (key[0], *key[2:]))
        whole = [list(group) for _, group in groups]
        batches = [group[start : start + BATCH] for group in whole for start in range(0, len(group), BATCH)]
        for batch in self._batches(batches):
            for cell in batch:
                append_cell(self.results, cell)
                yield cell

    def _batches(self, batches: Sequence[list[Key]]) -> Iterator[Iterable[Cell]]:
        if self.processes == 1:
            yield from map(self._cells, batches)
            return
        with ProcessPoolExecutor(self.processes) as pool:
            for done in as_completed([pool.submit(self.cells, batch) for batch in batches]):
                yield done.result()

    def cells(self, keys: list[Key]) -> list[Cell]:
        """Return cells of one method, split and k."""
        return list(self._cells(keys))

    def _cells(self, keys: list[Key]) -> Iterator[Cell]:
        method = METHODS[keys[0][0]]
        asked = [key for key in keys if not method.two_classes or division(*key[1:3])["train_y"].max() < 2]
        yield from (self._cell(key, {"status": "two classes only"}) for key in keys if key not in asked)
        for _, data, split, *_ in asked:
            _save_once(self.work / "data", data, split)
        if asked:
            answers = method.worker.answers(self.work / "data", [":".join(map(str, key)) for key in asked])
            yield from map(self._cell, asked, answers)

    def _cell(self, key: Key, answer: dict) -> Cell:
        version, name = self.made_from(key)
        start = time.process_time()
        figures = measured(answer, division(key[1], key[2]), seconds=RUN["seconds"][str(table_and_size(key[1])[1])])
        if figures["cell_seconds"] is not None:
            figures["cell_seconds"] += time.process_time() - start
        known = {f.name for f in fields(Cell)}
        kept = {field: value for field, value in figures.items() if field in known and value is not None}
        *place, seed = key
        classes = int(division(key[1], key[2])["train_y"].max()) + 1
        return Cell(*place, version, our_commit(), name, seed=seed, classes=classes, **kept)


def rebuilt(chosen: Chosen, results: Path, runner: Runner) -> Iterator[tuple[Cell, list[str]]]:
    """Run anew the cells that the results have, and yield each with what differs from it, to the digit."""
    wanted = set(chosen.cells())
    there = {cell.key: cell for cell in read_cells(results, chosen.methods) if cell.key in wanted and cell.ok}
    for cell in runner.run(sorted(there, key=lambda key: (key[0], *key[2:], key[1]))):
        known, kept = there[cell.key], [rounded(cell), rounded(cell, FEWEST_DIGITS)]
        found = {name: [getattr(each, name) for each in kept] for name in SEEDED}
        differing = [name for name, values in found.items() if getattr(known, name) not in values]
        yield cell, [f"{name} {found[name][0]} instead of {getattr(known, name)}" for name in differing]


@cache
def _save_once(folder: Path, data: str, split: int) -> None:
    """Write a division that this run has not written: those of earlier runs may be of older data."""
    save_division(folder, data, split)
