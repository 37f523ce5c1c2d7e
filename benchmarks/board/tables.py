"""Tables of a board in Markdown: who is ahead of whom, every measure, times, what was run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, geometric_mean

from .cells import Cell
from .means import ACCURACY, LARGEST, Board, Measure, title
from .methods import BOUNDED, CEILINGS, METHODS, OURS, RULES
from .significance import LEVEL, Compared, Ranks, all_compared, ranks
from .text import markdown, number, p_value, significant

PEERS = (*BOUNDED, *RULES)
VIEWS = {
    "idnf": "each method in its best form: the table as it comes, or its numbers and categories",
    "idnf-boolean": "all on the same 0/1 features",
}
"""What is compared in each view, by our method in it."""


def in_view(ours: str, peers: Iterable[str]) -> list[str]:
    """Return the peers of a view: all, or those on the shared features.

    >>> in_view("idnf-boolean", ["cart", "cart-boolean"])
    ['cart-boolean']
    """
    return [peer for peer in peers if METHODS[peer].shared or not METHODS[ours].shared]


def headline_rows(board: Board, ours: str = "idnf") -> list[Compared]:
    """Return ours beside the bounded peer furthest ahead at each k, of those with nearly all our tables and splits.

    A peer that has a decision without a reason of at most k columns is none. p-values are corrected for all bounded
    peers and k, not for the one shown alone.
    """
    found = all_compared(board, in_view(ours, BOUNDED), ours=ours)
    rows, whole = [], board.run_through()
    for k in board.bounds:
        mine = whole.column(ours, k).keys() or board.column(ours, k).keys()
        have = {peer for peer in BOUNDED if len(mine & board.column(peer, k).keys()) >= 0.95 * len(mine)}
        here = [each for each in found if each.k == k and each.peer in have and board.keeps_to(each.peer, k)]
        rows += [min(here, key=lambda each: each.difference)] if here else []
    return rows


def contenders(board: Board, ours: str = "idnf") -> str:
    """Say which bounded peers there are, at which k a reason is longer or was not measured, and on how many tables.

    Those with a part of the tables or splits are compared below, on these.
    """
    said = []
    for peer in in_view(ours, BOUNDED):
        longer = [str(k) for k in board.bounds if (peer, k) in board.columns and not board.keeps_to(peer, k)]
        count = len(board.data_of([peer]))
        notes = [f"not at k = {', '.join(longer)}"] if longer else []
        few = count < 0.95 * len(board.data_of([ours]))
        lacking = board.run_through().splits(ours) - board.run_through().splits(peer)
        notes += [f"on {count} tables only"] if few else ["on fewer splits"] if lacking else []
        said += [title(peer) + (f" ({'; '.join(notes)})" if notes else "")] if count else []
    return f"Bounded peers: {'; '.join(said)}."


def signed(low: float, high: float, digits: int = 2) -> str:
    """Return an interval of differences."""
    return f"{low:+.{digits}f} to {high:+.{digits}f}"


def headline(boards: Mapping[str, Sequence[Compared]]) -> str:
    """One line for each size and k; ``boards`` has the lines of each size."""
    lines = [
        (
            size, str(each.k), number(each.ours, 2), number(each.theirs, 2), title(each.peer),
            f"{each.difference:+.2f}", signed(*each.interval), p_value(each.corrected),
            f"{each.wins} / {each.ties} / {each.losses}",
        )
        for size, rows in boards.items()
        for each in rows
    ]  # fmt: skip
    header = [
        "training rows",
        "k",
        "idnf",
        "best bounded peer",
        "which",
        "difference",
        "95 %",
        "p",
        "won / same / lost",
    ]
    return markdown(header, lines)


def verdict(rows: Mapping[str, Sequence[Compared]]) -> str:
    """Say in words what headlines show: where ours is ahead or behind by the corrected p-values, and level elsewhere.

    >>> verdict({"600": []})
    'Nothing was run.'
    """
    found = [(size, each) for size, part in rows.items() for each in part]
    if not found:
        return "Nothing was run."
    least = p_value(min(each.corrected for _, each in found))
    places: dict[str, list[str]] = {}
    for size, each in found:
        if each.corrected <= LEVEL:
            side = "ahead" if each.difference > 0 else "behind"
            places.setdefault(side, []).append(f"k = {each.k} with {size} rows")
    if not places:
        return f"Level at every k and size: no difference is beyond chance (least corrected p {least})."
    said = "; ".join(f"{side} at {', '.join(where)}" for side, where in places.items()).capitalize()
    rest = "" if sum(map(len, places.values())) == len(found) else "; level elsewhere"
    return f"{said}{rest} (least corrected p {least})."


def beside(found: Sequence[Compared], digits: int = 2) -> str:
    """Ours minus each peer, by k, with interval, wins, losses and corrected p-values."""
    bounds = sorted({each.k for each in found})
    by_place = {(each.peer, each.k): each for each in found}

    def cell(peer: str, k: int) -> str:
        each = by_place.get((peer, k))
        if each is None:
            return ""
        gap = f"{each.difference:+.{digits}f} ({signed(*each.interval, digits)})"
        return f"{gap}; {each.wins}:{each.losses} of {each.data_sets}; {p_value(each.corrected)}"

    rows = [(title(peer), *(cell(peer, k) for k in bounds)) for peer in dict.fromkeys(each.peer for each in found)]
    return markdown(["", *(f"k = {k}" for k in bounds)], rows)


def listed(board: Board) -> list[str]:
    """Return the methods that have cells, in the order of the settings."""
    there = {method for method, _ in board.columns}
    return [method for method in METHODS if method in there]


def rows_by_bound(board: Board, methods: Iterable[str], cell: Callable[[str, int], str]) -> str:
    """Return a line for each method and a column for each k; a method without k has one figure."""
    rows = []
    for method in methods:
        texts = [cell(method, k) for k in (board.bounds or (0,))]
        if (method, 0) in board.columns:
            texts[1:] = ["" for _ in texts[1:]]
        rows.append((METHODS[method].title, *texts))
    rows = [row for row in rows if any(row[1:])]
    return markdown(["", *(f"k = {k}" for k in board.bounds)], rows) if rows else "Not run.\n"


def by_bound(board: Board, measure: Measure) -> str:
    """A measure's means, a line for each method and a column for each k."""

    def cell(method: str, k: int) -> str:
        values = board.values(method, k, measure)
        if not values:
            return ""
        text = number(fmean(values.values()), measure.digits)
        if measure is LARGEST:
            return f"{text} / {max(values.values()):.0f}"
        if measure is not ACCURACY:
            return text
        spread, splits = board.spread(method, k, measure), len({split for _, split in board.column(method, k)})
        more = "" if spread is None else f" ± {spread:.1f}"
        return f"{text}{more} ({len(values)}{f' × {splits}' if splits > 1 else ''})"

    return rows_by_bound(board, listed(board), cell)


def growth(boards: Mapping[int, Board]) -> str:
    """Mean accuracy at each size, on the tables that a method has at all of these sizes."""
    last = list(boards)[-1]

    def cell(method: str, k: int) -> str:
        found = {
            size: {name.partition("@")[0]: value for name, value in board.values(method, k, ACCURACY).items()}
            for size, board in boards.items()
        }
        shared = set.intersection(*map(set, found.values()))
        texts = [number(fmean(values[name] for name in shared)) for values in found.values()] if shared else []
        return f"{' / '.join(texts)} ({len(shared)})" if texts else ""

    return rows_by_bound(boards[last], listed(boards[last]), cell)


class Gap(Measure):
    """The share of rows without a rule; a model without conditions leaves none out."""

    def of(self, cell: Cell) -> float | None:
        """Return the share."""
        return 0.0 if cell.ok and cell.conditions == 0 else super().of(cell)


def overlaps(board: Board) -> str:
    """Overlaps, conflicts and gaps of rule sets and of ours."""
    measures = [Measure("overlap", "overlap", -1), Measure("conflict", "conflict", -1), Gap("gap", "gap", -1)]

    def cell(method: str, k: int) -> str:
        found = [board.values(method, k, measure) for measure in measures]
        return " / ".join(number(fmean(values.values())) for values in found) if found[0] else ""

    return rows_by_bound(board, [m for m in listed(board) if METHODS[m].ours or m in RULES or m == "greedy-list"], cell)


def times(board: Board) -> str:
    """Times to fit as multiples of CART's, ours as multiples of each peer's, and times of explanations."""
    peers = [method for method in (*PEERS, *CEILINGS) if method in listed(board)]
    return (
        "Geometric mean over cells; a tree of depth k is fitted to the 0/1 features in the same process.\n\n"
        + rows_by_bound(board, listed(board), lambda m, k: _ratio(board.slower(m, k)))
        + "\nOurs as a multiple of each peer's, on the cells that both have: both as multiples of CART's, and beside a"
        " method without k in processor seconds. Below 1 ours is faster.\n\n"
        + rows_by_bound(board, peers, lambda m, k: _ratio(board.time_beside("idnf", m, k)))
        + explanation_times(board)
    )


def explanation_times(board: Board) -> str:
    """How long an explanation takes us beside the scoreboard's own computation, which all other methods need."""
    both = [
        c.explain_seconds / c.ruler_seconds
        for c in board.cells
        if METHODS[c.method].ours and c.explain_seconds and c.ruler_seconds
    ]
    if not both:
        return ""
    return (
        "\nOnly idnf explains by itself, with what would change the decision. That takes, for a row of the same models,"
        f" {significant(geometric_mean(both))} times as long as the scoreboard's own computation of a smallest reason,"
        " which all other methods would need (geometric mean).\n"
    )


def _ratio(value: float | None) -> str:
    return "" if value is None else significant(value)


def over_seeds(board: Board) -> str:
    """The spread of mean accuracy over seeds, of methods with chance in them."""

    def cell(method: str, k: int) -> str:
        found = board.seed_spread(method, k, ACCURACY)
        return "" if found is None else "{:.2f} ({}, {})".format(*found)

    return rows_by_bound(board, listed(board), cell)


def left_over(board: Board) -> str:
    """How many printed models of ours have something to spare."""
    lines = []
    for method in OURS:
        cells = [cell for cell in board.cells if cell.method == method and cell.to_spare is not None]
        faulty = [cell for cell in cells if cell.to_spare]
        named = "; ".join(f"{c.data} split {c.split} k = {c.k}: {c.message}" for c in faulty)
        if cells:
            found = f"- {title(method)}: {len(cells)} printed models, {len(faulty)} with something to leave out"
            lines.append(f"{found}{f' ({named})' if faulty else ''}.\n")
    return "".join(lines) or "Not run.\n"


def coverage(board: Board) -> str:
    """How many cells of each method there are."""

    def cell(method: str, k: int) -> str:
        cells = board.column(method, k).values()
        ok, failed = sum(c.ok for c in cells), sum(c.status == "failed" for c in cells)
        return f"{ok} / {failed}" if ok or failed else ""

    return rows_by_bound(board, listed(board), cell)


def all_ranks(board: Board) -> list[Ranks]:
    """Return mean ranks at each k of the methods that have nearly all tables."""
    found = []
    for k in board.bounds:
        have = {m: len(board.values(m, k, ACCURACY)) for m in (*OURS, *BOUNDED)}
        methods = [m for m, count in have.items() if count and count >= 0.95 * max(have.values())]
        found.append(ranks(board, methods, k))
    return [each for each in found if each is not None]
