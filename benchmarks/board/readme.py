"""The README's part of the scoreboard: one screen, a sentence for each fact, all from the cells of the fresh tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean

from .ahead import leads, sentence
from .means import AUC, CONDITIONS, LOG_LOSS, Board, Measure, title
from .methods import BOUNDED, CEILINGS, METHODS, ROOT
from .page import BANDS, Boards
from .significance import LEVEL, OURS, Compared, all_compared
from .tables import PEERS, headline_rows, signed, verdict
from .text import markdown, number, p_equals

START, END = "<!-- scoreboard -->", "<!-- /scoreboard -->"
FIRST_VIEW = tuple(name for name in METHODS if not name.endswith("-boolean"))
"""The README names each method in its best form alone."""
BANDS_AT = 3
"""The k at which the README says how well bands rank."""


def fill_readme(folder: Path, found: Boards) -> None:
    """Put the short table and the picture between the README's markers."""
    path = ROOT / "README.md"
    text = path.read_text("utf-8")
    if START not in text or END not in text:
        raise SystemExit(f"README.md must have the lines {START} and {END}; nothing was written.")
    before, rest = text.split(START, 1)
    after = rest.split(END, 1)[1]
    path.write_text(f"{before}{START}\n{short_table(folder, found)}{END}{after}", encoding="utf-8")


def short_table(folder: Path, found: Boards) -> str:
    """Return what the README shows."""
    by_size = found.get("fresh")
    if by_size is None:
        raise SystemExit("README.md must be filled from the fresh tables, and none was run; nothing was written.")
    rows = {f"{size:,}": headline_rows(board) for size, board in by_size.items()}
    first = next(iter(by_size.values()))
    where = folder.relative_to(ROOT)
    facts = [
        f"{verdict(rows)} {room(rows)} {best_peers(rows)}",
        others(first),
        to_read(first, rows["600"]),
        without_reasons(first),
        bands(first, AUC),
        bands(first, LOG_LOSS),
        *furthest(by_size),
    ]
    return (
        "Mean test accuracy (%): idnf / the best other method whose reasons keep to k columns, and the difference with"
        " its 95 % interval over tables. Raw tables that no released version was measured on, though earlier learners"
        " of this one were; each method in its best form.\n\n"
        f"{growing(by_size, rows)}\n{''.join(f'- {fact}{chr(10)}' for fact in facts if fact)}"
        f"\n![Accuracy against the size of reasons and the length of the model]({where}/scoreboard-fresh.svg)\n\n"
        f"[All methods, measures and tests]({where}/scoreboard.md), [the paper's data sets]"
        f"({where}/paper/scoreboard.md), [other explainers]({where}/explainers.md). Made by `make scoreboard`.\n"
    )


def growing(by_size: Mapping[int, Board], rows: Mapping[str, Sequence[Compared]]) -> str:
    """One line for each k, one column for each number of training rows."""
    found = {(size, each.k): each for size, part in rows.items() for each in part}
    header = ["k", *(f"{size:,} training rows, {_counts(board)}" for size, board in by_size.items())]
    bounds = sorted({k for _, k in found})
    lines = [(str(k), *(_cell(found.get((size, k))) for size in rows)) for k in bounds]
    return markdown(header, lines)


def _counts(board: Board) -> str:
    """Say how many tables there are, and splits that ours has nearly all of them on."""
    whole = board.run_through()
    counts = {len({split for _, split in whole.column(OURS, k)}) for k in board.bounds}
    splits = " to ".join(str(count) for count in sorted(counts))
    return f"{len(board.data)} tables" + (f", {splits} splits" if max(counts) > 1 else "")


def _cell(each: Compared | None) -> str:
    if each is None:
        return ""
    gap = f"{each.difference:+.2f} ({signed(*each.interval)})"
    return f"{number(each.ours, 2)} / {number(each.theirs, 2)}, {gap}"


def room(rows: Mapping[str, Sequence[Compared]]) -> str:
    """Say how large a difference either way the intervals leave room for."""
    ends = {size: [abs(end) for each in part for end in each.interval] for size, part in rows.items() if part}
    said = ", ".join(f"{max(found):.1f} points with {size} rows" for size, found in ends.items())
    return f"The intervals do not exclude differences of {said}."


def best_peers(rows: Mapping[str, Sequence[Compared]]) -> str:
    """Say who the best peer is, and where it is another than mostly."""
    found = [(size, each) for size, part in rows.items() for each in part]
    names = [each.peer for _, each in found]
    if not names:
        return ""
    usual = max(dict.fromkeys(names), key=names.count)
    rest = [f"{title(each.peer)} at k = {each.k} with {size} rows" for size, each in found if each.peer != usual]
    return f"The best peer is {title(usual)}{''.join(f'; {text}' for text in rest)}."


def by_verdict(found: Sequence[Compared], better: int = 1) -> dict[str, list[Compared]]:
    """Sort comparisons into those that ours has won beyond chance, those that it lost, and level ones."""
    sides: dict[str, list[Compared]] = {"ahead of": [], "level with": [], "behind": []}
    for each in found:
        won = better * each.difference > 0
        sides["level with" if each.corrected > LEVEL else "ahead of" if won else "behind"].append(each)
    return sides


def others(board: Board) -> str:
    """Say which bounded peers ours is ahead of or behind, beyond chance, at the smallest size."""
    sides = by_verdict([each for each in all_compared(board, BOUNDED) if each.peer in FIRST_VIEW])
    said = []
    for side in ("ahead of", "behind"):
        bounds: dict[str, list[str]] = {}
        for each in sides[side]:
            bounds.setdefault(title(each.peer), []).append(str(each.k))
        listed = "; ".join(f"{peer} (k = {', '.join(found)})" for peer, found in bounds.items())
        said.append(f"{side} {listed or 'none'}")
    return f"Of all bounded methods, with 600 rows and beyond chance, idnf is {' and '.join(said)}."


def to_read(board: Board, rows: Sequence[Compared]) -> str:
    """Say how many conditions a reader has before them, in ours and in the best peer."""
    pairs = [(each.k, board.pairs(OURS, each.peer, each.k, CONDITIONS)) for each in rows]
    if not all(found for _, found in pairs):
        return ""
    sides = [", ".join(number(fmean(pair[side] for pair in found)) for _, found in pairs) for side in (1, 2)]
    bounds = ", ".join(str(k) for k, _ in pairs)
    return f"Conditions to read at k = {bounds}: {sides[0]} in idnf, {sides[1]} in the best peer."


def without_reasons(board: Board) -> str:
    """Say how far methods without reasons are ahead of ours at the largest k, or behind."""
    last = board.at(board.bounds[-1:])
    found = [each for each in all_compared(last, CEILINGS) if each.data_sets >= 0.95 * len(board.data)]
    said = []
    for each in found:
        low, high = each.interval
        said.append(f"{title(each.peer)} {-each.difference:+.2f} ({signed(-high, -low)}, {p_equals(each.corrected)})")
    return f"Methods without reasons, against idnf at k = {board.bounds[-1]}: {'; '.join(said)}." if said else ""


def bands(board: Board, measure: Measure) -> str:
    """Say how bands stand beside bounded methods and ceilings in a measure of probabilities."""
    everywhere = all_compared(board, (*BOUNDED, *CEILINGS), measure, ours=BANDS)
    most = max((each.data_sets for each in everywhere), default=0)
    found = [each for each in everywhere if each.k == BANDS_AT and each.peer in FIRST_VIEW]
    found = [each for each in found if each.data_sets >= 0.95 * most]
    if not found:
        return ""
    said = []
    for side, part in by_verdict(found, measure.better).items():
        said += [f"{side} {_named(part, found, measure.digits)}"] if part else []
    bounds = [k for k in board.bounds if _made_by(board, k) == _made_by(board, BANDS_AT)]
    means = ", ".join(number(fmean(board.values(BANDS, k, measure).values()), measure.digits) for k in bounds)
    return (
        f"`DNFBands`, {measure.name} at k = {', '.join(map(str, bounds))}: {means} on {most} tables of two"
        f" classes; at k = {BANDS_AT} {'; '.join(said)}."
    )


def _made_by(board: Board, k: int) -> set[str]:
    """Return the versions of ours that made bands at k: those of another learner are no part of a sentence."""
    return {cell.version for cell in board.column(BANDS, k).values()}


def _named(part: Sequence[Compared], found: Sequence[Compared], digits: int) -> str:
    """Name peers with our differences; bounded ones in a word if all of them are here."""
    here = [each for each in part if each.peer in BOUNDED]
    whole = here and len(here) == sum(each.peer in BOUNDED for each in found)
    rest = [each for each in part if each not in here or not whole]
    gaps = sorted(each.difference for each in here)
    said = [f"all {len(here)} bounded methods ({gaps[0]:+.{digits}f} to {gaps[-1]:+.{digits}f})"] if whole else []
    return ", ".join([*said, *(f"{title(each.peer)} ({each.difference:+.{digits}f})" for each in rest)])


def furthest(by_size: Mapping[int, Board]) -> list[str]:
    """Return the largest lead of a peer at each size that is beyond chance, in standard deviations over tables."""
    said = []
    for size, board in by_size.items():
        sure = [pair for pair in leads(board, PEERS, CEILINGS) if pair[0].corrected <= LEVEL]
        said += [f"Largest lead of a peer with {size:,} rows: {sentence(board, *sure[0])}"] if sure else []
    return said
