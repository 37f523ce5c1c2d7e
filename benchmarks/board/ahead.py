"""A sentence for every place where a peer is ahead of us, made from the figures."""

from __future__ import annotations

from collections.abc import Sequence

from .means import ACCURACY, BALANCED, CONDITIONS, LARGEST, LOG_LOSS, MEAN_REASON, REASONS, Board, Measure, title
from .significance import OURS, Compared, all_compared, compared
from .text import number, p_value, significant


def ahead(board: Board, peers: Sequence[str], ceilings: Sequence[str]) -> str:
    """Return the sentences: by measure on the mean, in time, and table by table for accuracy."""
    said = [
        sentence(each, measure)
        for measure in (ACCURACY, BALANCED, LOG_LOSS, LARGEST, MEAN_REASON, REASONS, CONDITIONS)
        for each in all_compared(board, peers, measure)
        if is_ahead(each, measure)
    ]
    said += [line for peer in (*peers, *ceilings) for k in board.bounds if (line := faster(board, peer, k))]
    # A ceiling knows no k: it is compared with ours at the largest.
    said += [
        sentence(each, measure)
        for measure in (ACCURACY, BALANCED, LOG_LOSS)
        for peer in ceilings
        if board.bounds and (each := compared(board, peer, board.bounds[-1], measure)) and is_ahead(each, measure)
    ]
    said += tables(board, peers)
    return "".join(f"- {line}\n" for line in said) if said else "Nowhere, in what was run.\n"


def is_ahead(each: Compared, measure: Measure) -> bool:
    """Tell whether the peer's mean is better, as far as it is printed."""
    return round(measure.better * (each.theirs - each.ours), 9) > 0


def sentence(each: Compared, measure: Measure) -> str:
    """Return one comparison in words."""
    ours, theirs = (number(value, max(2, measure.digits)) for value in (each.ours, each.theirs))
    p = p_value(each.p) if each.p < 0.001 else f"= {p_value(each.p)}"
    return (
        f"{measure.name.capitalize()}, k = {each.k}: {title(each.peer)} is ahead, {theirs} against {ours} on the"
        f" mean of {each.data_sets} tables ({each.losses} won by it, {each.wins} by us; p {p})."
    )


def faster(board: Board, peer: str, k: int) -> str:
    """Return a sentence where a peer's fit takes less time on the cells that both have."""
    ratio = board.time_beside(OURS, peer, k)
    if ratio is None or ratio <= 1:
        return ""
    return f"Time to fit, k = {k}: {title(peer)} is {significant(ratio)} times as fast as ours."


def tables(board: Board, peers: Sequence[str]) -> list[str]:
    """Return a sentence for each k and peer with the tables where its accuracy is above ours."""
    said = []
    for k in board.bounds:
        for peer in peers:
            found = [(name, theirs - ours) for name, ours, theirs in board.pairs(OURS, peer, k, ACCURACY)]
            above = sorted(((gap, name) for name, gap in found if round(gap, 9) > 0), reverse=True)
            if above:
                listed = ", ".join(f"{name} +{gap:.1f}" for gap, name in above)
                said.append(f"Table by table, k = {k}: {title(peer)} is above ours on {listed}.")
    return said
