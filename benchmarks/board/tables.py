"""The scoreboard in Markdown; a mean is over data sets, each of them the mean of its splits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, geometric_mean

from .data import splits_of
from .methods import METHODS
from .results import Result

CEILINGS = tuple(name for name, method in METHODS.items() if method.most_k == 0)
BOUNDED = tuple(name for name in METHODS if name not in CEILINGS)
OURS = "idnf"
BASE = "cart"
"""What the times of all others are compared with."""
PEERS = tuple(name for name in BOUNDED if not name.startswith("idnf"))


@dataclass(frozen=True)
class Board:
    """Some results, over these data sets, bounds and splits."""

    results: tuple[Result, ...]
    data: tuple[str, ...]
    bounds: tuple[int, ...]
    splits: int

    @classmethod
    def of(cls, results: Iterable[Result], names: Iterable[str]) -> Board:
        """Return the board of some data sets, in this order, as far as there are results."""
        names = tuple(names)
        kept = tuple(result for result in results if result.data in names)
        _check_same_divisions(kept)
        data = tuple(name for name in names if any(result.data == name for result in kept))
        bounds = tuple(sorted({result.k for result in kept} - {0}))
        return cls(kept, data, bounds, max((result.split + 1 for result in kept), default=0))

    @cached_property
    def cells(self) -> dict[tuple[str, str, int], list[Result]]:
        """The results by method, data set and k."""
        found: dict[tuple[str, str, int], list[Result]] = {}
        for result in self.results:
            found.setdefault((result.method, result.data, result.k), []).append(result)
        return found

    def complete(self, method: str, k: int) -> bool:
        """Tell whether all splits of all data sets are there."""
        return bool(self.data) and all(
            len(self.cells.get((method, name, k), ())) == len(splits_of(name, self.splits)) for name in self.data
        )

    def mean(self, method: str, k: int, value: Callable[[Result], float]) -> float | None:
        """Return the mean of a value over data sets, None when a cell is missing."""
        if not self.complete(method, k):
            return None
        return fmean(fmean(map(value, self.cells[method, name, k])) for name in self.data)

    def largest(self, method: str, k: int) -> int | None:
        """Return the size of the largest reason of any decision, None when a cell is missing or has no reasons."""
        sizes = [result.largest_reason for name in self.data for result in self.cells.get((method, name, k), ())]
        return max(sizes) if self.complete(method, k) and None not in sizes else None

    def mean_largest(self, method: str, k: int) -> float | None:
        """Return the size of the largest reason on a data set, mean over data sets."""
        if self.largest(method, k) is None:
            return None
        return fmean(max(r.largest_reason or 0 for r in self.cells[method, name, k]) for name in self.data)


def _check_same_divisions(results: Iterable[Result]) -> None:
    """Refuse to compare methods on data that differ."""
    known: dict[tuple[str, int], str] = {}
    for result in results:
        if result.division and known.setdefault((result.data, result.split), result.division) != result.division:
            raise SystemExit(
                f"{result.method} was run on another {result.data}, split {result.split}, than the methods before it;"
                f" run them again: --again METHOD ... --data {result.data}"
            )


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> str:
    """Return a table; all columns but the first ones are numbers."""
    lines = [header, [*["---"] * words, *["---:"] * (len(header) - words)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _number(value: float | None, digits: int = 1) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _by_bound(board: Board, methods: Iterable[str], cell: Callable[[str, int], str]) -> str:
    """A table with a line for each method that has anything to say, and a column for each k."""
    lines = [(METHODS[method].title, *(cell(method, k) for k in board.bounds)) for method in methods]
    lines = [line for line in lines if any(line[1:])]
    return markdown(["", *(f"k = {k}" for k in board.bounds)], lines) if lines else "Not run.\n"


def accuracy(board: Board, *, training: bool = False) -> str:
    """Mean accuracy by k; what gives a reason of more than k conditions for some decision is in brackets."""

    def cell(method: str, k: int) -> str:
        value = board.mean(method, k, lambda r: r.train_accuracy if training else r.test_accuracy)
        largest = board.largest(method, k)
        return f"({value:.1f})" if value is not None and largest is not None and largest > k else _number(value)

    return _by_bound(board, BOUNDED, cell)


def ceilings(board: Board) -> str:
    """One sentence for the methods that give no reasons."""
    found = {method: board.mean(method, 0, lambda r: r.test_accuracy) for method in CEILINGS}
    said = [f"{METHODS[method].title} {value:.1f}" for method, value in found.items() if value is not None]
    return f"Ceilings, without reasons of any bounded size: {', '.join(said)}.\n" if said else ""


def reasons(board: Board) -> str:
    """Largest reason of any decision, that of a data set on average, and the mean over all decisions."""

    def cell(method: str, k: int) -> str:
        found = board.largest(method, k), board.mean_largest(method, k)
        mean = board.mean(method, k, lambda r: r.mean_reason or 0)
        return "" if found[0] is None else f"{found[0]} / {_number(found[1])} / {_number(mean)}"

    return _by_bound(board, BOUNDED, cell)


def sizes(board: Board) -> str:
    """Terms, or leaves of a tree."""
    return _by_bound(board, BOUNDED, lambda method, k: _number(board.mean(method, k, lambda r: r.size)))


def ratios(board: Board, seconds: str, base: str) -> str:
    """One time as a multiple of another of the same cell, geometric mean over cells; both are names of fields."""

    def cell(method: str, k: int) -> str:
        cells = [result for name in board.data for result in board.cells.get((method, name, k), ())]
        pairs = [(getattr(result, seconds), getattr(result, base)) for result in cells]
        found = [value / unit for value, unit in pairs if value and unit]
        return significant(geometric_mean(found)) if found and board.complete(method, k) else ""

    return _by_bound(board, [method for method in BOUNDED if method != BASE], cell)


def significant(value: float) -> str:
    """Three digits, the rest zeros; never an exponent.

    >>> significant(1314.7), significant(0.98765), significant(20.0)
    ('1,310', '0.988', '20')
    """
    return f"{float(f'{value:.3g}'):,.10g}"


def by_size(board: Board) -> str:
    """At each size of reasons: our accuracy, and the best of any peer, at any k, that keeps to it on every decision."""
    rows = []
    for size in board.bounds:
        found = [
            (accuracy, METHODS[method].title, k)
            for method in PEERS
            for k in board.bounds
            if (largest := board.largest(method, k)) is not None
            and largest <= size
            and (accuracy := board.mean(method, k, lambda r: r.test_accuracy)) is not None
        ]
        ours = board.mean(OURS, size, lambda r: r.test_accuracy)
        best = max(found, default=None)
        who = "" if best is None else f"{best[1]}, k = {best[2]}"
        rows.append((str(size), _number(ours), "" if best is None else _number(best[0]), who))
    return markdown(["largest reason", "idnf", "best peer", "which"], rows)


@dataclass(frozen=True)
class Better:
    """A peer above us on a data set, and the largest reason it needed there."""

    data: str
    k: int
    method: str
    theirs: float
    ours: float
    largest: int


def better_peers(board: Board) -> list[Better]:
    """Return every data set and k where a peer's mean test accuracy is above ours."""
    found = []
    for name in board.data:
        for k in board.bounds:
            ours = board.cells.get((OURS, name, k), ())
            for method in PEERS if ours else ():
                cell = board.cells.get((method, name, k), ())
                if len(cell) != len(ours):
                    continue
                theirs, mine = (fmean(result.test_accuracy for result in part) for part in (cell, ours))
                if theirs > mine + 1e-9:
                    largest = max(result.largest_reason or 0 for result in cell)
                    found.append(Better(name, k, method, theirs, mine, largest))
    return found


def better_table(board: Board, *, within: bool) -> str:
    """Where peers are above us: those that keep to reasons of k conditions there, or those that do not."""
    chosen = [better for better in better_peers(board) if (better.largest <= better.k) == within]
    rows = [
        (b.data, str(b.k), METHODS[b.method].title, f"{b.theirs:.1f}", f"{b.ours:.1f}", str(b.largest)) for b in chosen
    ]
    return (
        markdown(["data set", "k", "peer", "its accuracy", "idnf", "its largest reason"], rows) if rows else "None.\n"
    )


def by_data(board: Board, k: int) -> str:
    """Mean test accuracy on each data set at one k, with the largest reason where it is over k."""

    def cell(name: str, method: str) -> str:
        found = board.cells.get((method, name, k), ())
        if not found:
            return ""
        largest = max(result.largest_reason or 0 for result in found)
        over = f" ({largest})" if largest > k else ""
        return f"{fmean(result.test_accuracy for result in found):.1f}{over}"

    rows = [(name, *(cell(name, method) for method in BOUNDED)) for name in board.data]
    return markdown(["data set", *BOUNDED], rows)
