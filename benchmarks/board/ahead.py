"""A sentence for every place where a peer is ahead of us, made from the figures, the largest first."""

from __future__ import annotations

from functools import lru_cache

from .means import ACCURACY, MEASURES, PREDICTIONS, Board, Measure, title
from .significance import OURS, Compared, all_compared
from .text import number, p_equals, significant

SHOWN = 3
"""Tables named in a sentence."""


def ahead(board: Board, peers: tuple[str, ...], ceilings: tuple[str, ...], *, ours: str = OURS) -> list[str]:
    """Return the sentences: on the mean by measure, the largest in standard deviations first, then time."""
    said = [sentence(board, *pair, ours=ours) for pair in leads(board, peers, ceilings, ours=ours)]
    return said + [line for peer in (*peers, *ceilings) if (line := faster(board, peer, ours))]


@lru_cache(maxsize=32)  # page and README name them
def leads(
    board: Board, peers: tuple[str, ...], ceilings: tuple[str, ...], *, ours: str = OURS
) -> list[tuple[Compared, Measure]]:
    """Return where a peer is ahead on the mean of a measure, the largest in standard deviations first."""
    found = [(each, m) for m in MEASURES for each in all_compared(board, peers, m, ours=ours) if is_ahead(each, m)]
    last = board.at(board.bounds[-1:])
    # A ceiling knows no k: it is compared with ours at the largest.
    found += [
        (each, m) for m in PREDICTIONS for each in all_compared(last, ceilings, m, ours=ours) if is_ahead(each, m)
    ]
    return sorted(found, key=lambda pair: -effect(*pair))


def is_ahead(each: Compared, measure: Measure) -> bool:
    """Return whether the peer's mean is better, as far as it is printed."""
    return round(-measure.better * each.difference, max(2, measure.digits)) > 0


def effect(each: Compared, measure: Measure) -> float:
    """Return by how many standard deviations of the differences over tables the peer is ahead; 0 for a single table."""
    return -measure.better * each.difference / each.spread if each.spread else 0.0


def sentence(board: Board, each: Compared, measure: Measure, *, ours: str = OURS) -> str:
    """Return one comparison in words; for accuracy with the tables where the peer is furthest ahead."""
    mine, theirs = (number(value, max(2, measure.digits)) for value in (each.ours, each.theirs))
    named = ""
    if measure is ACCURACY:
        gaps = [(theirs - mine, name) for name, mine, theirs in board.pairs(ours, each.peer, each.k, ACCURACY)]
        first = [f"{name} {gap:+.1f}" for gap, name in sorted(gaps, reverse=True)[:SHOWN] if gap > 0]
        named = f" Furthest on {', '.join(first)}."
    return (
        f"{measure.name[0].upper()}{measure.name[1:]}, k = {each.k}: {title(each.peer)} is ahead, {theirs} against"
        f" {mine} on the mean of {each.data_sets} tables ({each.losses} won by it, {each.wins} by us; corrected"
        f" {p_equals(each.corrected)}).{named}"
    )


def faster(board: Board, peer: str, ours: str) -> str:
    """Return a sentence if a peer's fit takes less time at some k, on the cells that both have."""
    ratios = {k: board.time_beside(ours, peer, k) for k in board.bounds}
    listed = [f"{significant(ratio)} (k = {k})" for k, ratio in ratios.items() if ratio is not None and ratio > 1]
    return f"Time to fit: ours takes that many times as long as {title(peer)}: {', '.join(listed)}." if listed else ""
