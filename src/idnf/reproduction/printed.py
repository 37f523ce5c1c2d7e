"""The figures the paper prints.

``printed.csv`` holds Tables 1, 2 and 3 of Cooper, Bousdira, Carbonnel: *Interpretable DNFs*, IJCAI 2025, one figure a
line: test accuracies in percent in Table 2, numbers of leaves (CART) and terms (DNF) in Table 3.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files


@cache
def printed_sizes() -> dict[str, tuple[int, int]]:
    """Return the numbers of examples and features by data set, Table 1.

    >>> printed_sizes()["iris"]
    (150, 12)
    """
    found = {(line["dataset"], line["method"]): int(line["value"]) for line in _lines("1")}
    return {dataset: (found[dataset, "examples"], found[dataset, "features"]) for dataset, _ in found}


@cache
def printed_figures(table: int) -> dict[tuple[str, int, str], float]:
    """Return the figures of Table 2 or 3 by data set, k and method.

    >>> printed_figures(2)["monks-1", 2, "DNF"], printed_figures(3)["monks-1", 2, "CART"]
    (75.0, 3.0)
    """
    return {(line["dataset"], int(line["k"]), line["method"]): float(line["value"]) for line in _lines(str(table))}


def _lines(table: str) -> list[dict[str, str]]:
    with files("idnf.reproduction").joinpath("printed.csv").open(encoding="utf-8") as file:
        return [line for line in csv.DictReader(file) if line["table"] == table]
