"""Cells of the scoreboard in a CSV file, one row for each fitted model."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np

from .data import checksum
from .reasons import Terms, reason_sizes

Key = tuple[str, str, int, int]


@dataclass(frozen=True)
class Result:
    """One fitted model; accuracies in percent, processor seconds, None where there is no such thing.

    ``largest_reason`` and ``mean_reason`` are over the decisions on all rows, training and test, of both classes;
    ``largest_reason_0`` and ``largest_reason_1`` over those of one class. ``cart_fit_seconds`` and
    ``cart_predict_seconds`` are those of a CART tree in the same process; ``division`` is the checksum of the data.
    """

    method: str
    data: str
    split: int
    k: int
    train_accuracy: float
    test_accuracy: float
    largest_reason: int | None
    mean_reason: float | None
    largest_reason_0: int | None
    largest_reason_1: int | None
    width: int | None
    size: int
    proved: int
    fit_seconds: float
    predict_seconds: float
    explain_seconds: float | None
    cart_fit_seconds: float | None = None
    cart_predict_seconds: float | None = None
    division: str | None = None

    @property
    def key(self) -> Key:
        """What names the cell."""
        return self.method, self.data, self.split, self.k


def read_results(path: Path) -> list[Result]:
    """Return the cells of a file, none if it is not there; of a cell written twice the later row counts."""
    return list({result.key: result for result in map(_result, _rows(path))}.values())


def append_result(path: Path, result: Result) -> None:
    """Add a cell to a file at once, so that an interrupted run goes on from there."""
    new = not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, [f.name for f in fields(Result)], lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerow({name: "" if value is None else _short(value) for name, value in asdict(result).items()})


def write_results(path: Path, results: Iterable[Result]) -> None:
    """Write a file anew, in order."""
    path.unlink(missing_ok=True)
    for result in sorted(results, key=lambda r: r.key):
        append_result(path, result)


def answers(path: Path) -> dict[Key, dict[str, str]]:
    """Return what workers wrote, by cell."""
    return {(row["method"], row["data"], int(row["split"]), int(row["k"])): row for row in _rows(path)}


def measured(answer: dict[str, str], division: Path) -> Result:
    """Return a worker's answer with the sizes of its reasons; its model must decide as its author says it does."""
    given = {name: answer[name] for name in answer if name != "model"}
    reasons: dict[str, str] = {}
    with np.load(division) as arrays:
        table = dict(arrays)
    if answer["model"]:
        X, y = np.concatenate([table["train_X"], table["test_X"]]), [table["train_y"], table["test_y"]]
        terms = Terms.parse(answer["model"])
        labels, sizes = reason_sizes(terms, X)
        found = 100 * np.mean(labels[: len(y[0])] == y[0]), 100 * np.mean(labels[len(y[0]) :] == y[1])
        said = float(answer["train_accuracy"]), float(answer["test_accuracy"])
        assert np.allclose(found, said), f"{answer['method']} on {division.name} says {said}, its model gives {found}"
        reasons = {
            "largest_reason": str(sizes.max()),
            "mean_reason": str(sizes.mean()),
            **{f"largest_reason_{c}": str(sizes[labels == c].max(initial=0)) for c in (0, 1)},
            "width": str(terms.width),
        }
    empty = dict.fromkeys((f.name for f in fields(Result)), "")
    return _result({**empty, **given, **reasons, "division": checksum(table)})


def _rows(path: Path) -> Iterator[dict[str, str]]:
    if path.exists():
        # Models can be longer than the longest field the csv module reads by default.
        csv.field_size_limit(2**30)
        with path.open(newline="") as file:
            yield from csv.DictReader(file)


def _result(row: dict[str, str]) -> Result:
    words = ("method", "data", "division")
    whole = ("split", "k", "largest_reason", "largest_reason_0", "largest_reason_1", "width", "size", "proved")
    values: dict[str, object] = {}
    for name, text in row.items():
        number = int if name in whole else float
        values[name] = None if text == "" else text if name in words else number(text)
    return Result(**values)


def _short(value: object) -> object:
    return f"{value:.6g}" if isinstance(value, float) else value
