"""Fit what is missing: a cell is kept while method, version, settings, data and, for ours, the commit stay the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import groupby, product
from pathlib import Path

from .cells import Cell, Key, append_cell, read_cells
from .data import GROUPS, checksum, division, save_division, splits_of
from .measures import measured
from .methods import METHODS, RUN, Method, our_commit


@dataclass(frozen=True)
class Chosen:
    """What is to be run."""

    methods: Sequence[str]
    data: Sequence[str]
    bounds: Sequence[int]
    splits: Sequence[int]
    seeds: Sequence[int] = (0,)

    def cells(self) -> Iterable[Key]:
        """Return cells so that a run cut short is of use: one split of all tables first, then by method, then by k."""
        for split, seed, name in product(self.splits, self.seeds, self.methods):
            method = METHODS[name]
            bounds = [k for k in method.bounds if not k or k in self.bounds]
            here = [data for data in self.data if takes(method, data, split, seed)]
            yield from ((name, data, split, k, seed) for k in bounds for data in here)


def takes(method: Method, data: str, split: int, seed: int) -> bool:
    """Tell whether a method has this cell."""
    if seed and not method.seeded:
        return False
    return split in splits_of(data, split + 1) and any(data in GROUPS[group] for group in method.groups)


@dataclass(frozen=True)
class Runner:
    """Runs cells into a folder of results; ``work`` holds what workers read and write."""

    results: Path
    work: Path
    seconds: int = RUN["seconds"]

    @cached_property
    def saved(self) -> set[tuple[str, int]]:
        """Divisions written by this run: those of earlier runs may be of older data."""
        return set()

    def made_from(self, key: Key) -> tuple[str, str, str]:
        """Return what a cell's figures would depend on if it were run."""
        method = METHODS[key[0]]
        return method.version(), our_commit() if method.ours else "", checksum(division(key[1], key[2]))

    def missing(self, chosen: Chosen) -> list[Key]:
        """Return the cells that are not there, or not from what there is."""
        there = {cell.key: cell.made_from for cell in read_cells(self.results, chosen.methods)}
        return [key for key in chosen.cells() if there.get(key) != self.made_from(key)]

    def run(self, keys: Sequence[Key]) -> Iterable[Cell]:
        """Run cells, those of one method, split and k in one process, and keep each as it comes."""
        for _, batch in groupby(keys, key=lambda key: (key[0], *key[2:])):
            for key, answer in self._answers(list(batch)):
                cell = self._cell(key, answer)
                append_cell(self.results, cell)
                yield cell

    def _answers(self, keys: Sequence[Key]) -> Iterable[tuple[Key, dict]]:
        method = METHODS[keys[0][0]]
        asked = [key for key in keys if not method.two_classes or division(*key[1:3])["train_y"].max() < 2]
        yield from ((key, {"status": "two classes only"}) for key in keys if key not in asked)
        for _, data, split, *_ in asked:
            if (data, split) not in self.saved:
                save_division(self.work / "data", data, split)
                self.saved.add((data, split))
        if asked:
            answers = method.worker.answers(self.work / "data", [":".join(map(str, key)) for key in asked])
            yield from zip(asked, answers, strict=True)

    def _cell(self, key: Key, answer: dict) -> Cell:
        version, commit, name = self.made_from(key)
        figures = measured(answer, division(key[1], key[2]), seconds=self.seconds)
        known = {f.name for f in fields(Cell)}
        kept = {field: value for field, value in figures.items() if field in known and value is not None}
        *place, seed = key
        return Cell(*place, version, commit, name, seed=seed, **kept)
