"""The scoreboard's page and the README's part of it, all from the cells: protocol, headline, measures, who is ahead."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from statistics import fmean

from .ahead import ahead
from .cells import Cell, read_cells
from .collection import sources
from .data import (
    GROUPS,
    LEAST_OF_A_CLASS,
    LEAST_SHARE,
    MOST_ROWS,
    MOST_TESTING,
    SIZES,
    TEST_SHARE,
    at_size,
    table_and_size,
)
from .fresh import register
from .means import ACCURACY, AUC, LARGEST, LOG_LOSS, MEASURES, Board, Measure, title
from .methods import BOUNDED, CEILINGS, METHODS, OURS, RUN
from .runs import read_runs
from .significance import OURS as METHOD
from .significance import all_compared
from .tables import (
    PEERS,
    VIEWS,
    all_ranks,
    beside,
    by_bound,
    contenders,
    coverage,
    growth,
    headline,
    headline_rows,
    in_view,
    left_over,
    over_seeds,
    overlaps,
    times,
    verdict,
)
from .text import markdown, number

NAMES = {
    "fresh": "Fresh tables",
    "checked": "Checked tables",
    "generated": "Generated tables",
    "marked": "Marked tables",
    "paper": "The paper's data sets",
}
ABOUT = {
    "fresh": "Registered in `benchmarks/board/fresh.toml` before the learner of this release was changed; no experiment"
    " and no scoreboard of an earlier release had touched them. Earlier learners of this release were measured on them"
    " too, at the commits above: no table is seen for the first time, and only totals were looked at in between.",
    "checked": "Real tables on which nothing was chosen, but on which earlier versions of the learner were measured.",
    "generated": "Drawn with a seed from concepts that reasons of a few conditions can say; they say little of real"
    " tables and stand apart for that.",
    "marked": "Tables on which something in the learner was chosen.",
    "paper": "0/1 features as they come, divided as in the paper.",
}
BANDS = "idnf-bands"
Boards = dict[str, dict[int, Board]]
LARGER = (ACCURACY, AUC, LOG_LOSS)
"""The measures shown beyond the smallest size."""


def boards(folder: Path) -> Boards:
    """Return a board for each group of data and each size that has cells."""
    cells = read_cells(folder, METHODS)
    found = {
        group: {size: Board.of(cells, [at_size(name, size) for name in names]) for size in SIZES}
        for group, names in GROUPS.items()
    }
    kept = {group: {size: board for size, board in by_size.items() if board.data} for group, by_size in found.items()}
    return {group: by_size for group, by_size in kept.items() if by_size}


def report(folder: Path, found: Boards) -> str:
    """Write page and pictures beside the cells and return the page."""
    from .pictures import draw_accuracy, draw_ranks  # matplotlib takes long to import

    for group, by_size in found.items():
        whole = next(iter(by_size.values())).run_through().on_splits_of(METHOD)
        drawn = drawable(whole)
        if drawn:
            there = [m for m in CEILINGS if len(whole.shared([*drawn, m])) == len(whole.shared(drawn))]
            draw_accuracy(whole, drawn, there, folder / f"scoreboard-{group}")
        if ranked := all_ranks(whole):
            draw_ranks(ranked, folder / f"ranks-{group}")
    text = page(folder, found)
    (folder / "scoreboard.md").write_text(text, encoding="utf-8")
    return text


def drawable(board: Board) -> list[str]:
    """Return the methods to draw: those with nearly all tables at every k; one that lacks many would shrink all."""
    there = [m for m in (*OURS, *PEERS) if all((m, k) in board.columns for k in board.bounds)]
    found = [m for m in there if len(board.shared([m])) >= 0.95 * len(board.data)]
    return found if len(found) > 1 and len(board.shared(found)) > 1 else []


def page(folder: Path, found: Boards) -> str:
    """Return the page of the cells in a folder."""
    parts = ["# Scoreboard\n", _about(folder)]
    for group, by_size in found.items():
        parts += _section(group, by_size)
    parts += [_methods(found), _tables(found), _failures(found)]
    return "\n".join(parts)


def looks(folder: Path) -> str:
    """Say which commits looked at the fresh tables when, by the runs that were noted: ours, and peers alone."""
    by_side: dict[bool, dict[tuple[str, str], None]] = {True: {}, False: {}}
    for run in read_runs(folder):
        if "fresh" in run["groups"].split():
            words = run["command"].split()
            ours = "--methods" not in words or not {"ours", *OURS}.isdisjoint(words)
            by_side[ours][run["commit"], run["date"]] = None
    rest = [place for place in by_side[False] if place not in by_side[True]]
    if not by_side[True] and not rest:
        return "The fresh tables were not looked at."
    mine, theirs = (", ".join(f"{commit} ({date})" for commit, date in places) for places in (by_side[True], rest))
    said = [*([f"ours was measured on them at {mine}"] if mine else [])]
    said += [f"peers alone at {theirs}"] if theirs else []
    return f"Commits that looked at the fresh tables: {'; '.join(said)}."


def _about(folder: Path) -> str:
    runs = read_runs(folder)
    dates = [run["date"] for run in runs]
    where = (
        f" Machine: {'; '.join(sorted({run['machine'] for run in runs}))}, {min(dates)} to {max(dates)}."
        if runs
        else ""
    )
    limits = ", ".join(f"{seconds} at {int(size):,}" for size, seconds in RUN["seconds"].items())
    return (
        "How good are models whose every decision has a reason of at most k conditions, beside what else a person might"
        f" read? {looks(folder)}{where}\n\n"
        "Made by `make scoreboard`; every fitted model is a row of a file under `cells`, one file for each method.\n\n"
        "How it is done:\n\n"
        f"- Tables come raw from packages of PyPI. At most {MOST_ROWS:,} rows are drawn; {TEST_SHARE:.0%} of them, at"
        f" most {MOST_TESTING:,}, are for testing, the same at every size; of the others at most"
        f" {', '.join(f'{size:,}' for size in SIZES)} are for training, all stratified by class. A table is at a size"
        f" if it has more training rows than the size before. Classes of fewer than {LEAST_OF_A_CLASS} rows or"
        f" {100 * LEAST_SHARE} % are left out. A split is a random state.\n"
        "- Each method has its data in its best form, made on the training part alone. *table*: as it comes. *numbers*:"
        " numbers as they are, medians for missing values, 0/1 for categories. The second view is on shared features."
        " *boolean*: numbers compared with four quantiles (two if there are thirty columns or more), one feature for"
        " each category, one for a missing value.\n"
        "- k bounds the columns of a reason: `20 < age <= 30` is one condition. A *bounded* method keeps to it for"
        " every decision of every class, and the measured sizes confirm it; rule sets bound a rule, not a reason."
        " Ceilings know no k.\n"
        "- A reason is a smallest set of columns such that no row with the same cells there gets another decision. The"
        " cells of a column are the ways in which the conditions of the model about it can come out together. One"
        " computation finds it for every row, training and test, of all classes, for every method, from the rules the"
        " method wrote, after checking that these decide every row as the method does.\n"
        "- Tuned means: by cross-validation on the training part, the same five folds for all peers; ours tunes itself"
        " by folds of its own. Whatever has nothing tuned is called untuned.\n"
        "- Conditions to read: of ours in the shortest printed form; splits of a tree; the rules of a set, one class"
        " being otherwise; features of a score.\n"
        "- Probabilities are a method's own; of rules without any they are the shares of the classes among the training"
        " rows of the same rule, each class counted once more. AUC is the mean over classes; the calibration error is"
        " that of the class given, in ten parts.\n"
        "- A mean is over tables, each the mean of its splits. Two methods are compared on the tables and splits that"
        " both have: Wilcoxon's signed-rank test, two-sided, over tables, with Holm's correction over all peers and k"
        " of a list; intervals of mean differences by drawing tables anew (95 %, percentile bootstrap).\n"
        f"- A cell has {limits} training rows (processor seconds). A method that fails, crashes or does not end is"
        " shown with its message at the end. Times are processor time, as multiples of CART's in the same process.\n"
        f"- {_samples()}\n\n"
        'To run it again: `make scoreboard`, in parts with `PART="--methods licketysplit --data checked --k 3"`, in'
        " minutes with `python benchmarks/scoreboard.py --quick`; it says the processor hours before it starts. A cell"
        " is kept while version and settings of its method and its data stay the same; the version of ours is a sum"
        " over the sources that learn. `python benchmarks/scoreboard.py --rebuild cart --data checked --splits 0` runs"
        " a column anew and compares every figure, to the digit; only times, and what a limit by the clock cut short,"
        " can differ.\n\n"
        "What these figures do not say: tables come from packages for teaching and from a few fields, some have a"
        " common author, and none has more than 20,000 training rows here; peers on numbers have medians for missing"
        " values; a column counts as one whatever it says; nobody was asked whether a reason convinced them.\n"
    )


def _samples() -> str:
    """Say how many tables and splits quick and slow methods get at each size."""

    def counted(kind: str) -> str:
        tables, splits = RUN[f"{kind}tables"], RUN[f"{kind}splits"]
        return ", ".join(f"{tables[str(size)]} at {size:,} (splits: {splits[str(size)]})" for size in SIZES)

    slow = "; ".join(title(name) for name, method in METHODS.items() if method.slow)
    return (
        f"Tables of a group, at most: {counted('')}. Slow methods ({slow}): {counted('slow_')}. They are drawn by the"
        " checksum of their names, so that a smaller sample is part of a larger one. A split of a column that was"
        " run in part is compared on what there is, and is in no table of means; pictures and ranks show the methods"
        " that have all splits of ours."
    )


def _section(group: str, by_size: dict[int, Board]) -> list[str]:
    first = next(iter(by_size.values()))
    sizes = ", ".join(f"{len(board.data)} with at most {size:,} training rows" for size, board in by_size.items())
    parts = [f"## {NAMES[group]}\n", f"{ABOUT[group]} Tables: {sizes}.\n"]
    parts += _commits(by_size)
    for ours, view in VIEWS.items():
        rows = {f"{size:,}": headline_rows(board, ours) for size, board in by_size.items()}
        if any(rows.values()):
            parts += [
                f"### Ours beside the best bounded peer, {view}\n\nThe peer is the one furthest ahead of ours by the"
                " figures shown, which favours it; p is corrected for all bounded peers and k of a size."
                f" {contenders(first, ours)} {verdict(rows)}\n",
                headline(rows),
            ]
    parts += [*_apart(by_size), *_bands(by_size)]
    if len(by_size) > 1:
        parts += ["### Growth\n\nMean accuracy at " + " / ".join(f"{size:,}" for size in by_size)]
        parts[-1] += " training rows, on the tables (their number) that a method has at all of these.\n"
        parts.append(growth(by_size))
    if drawable(first.run_through().on_splits_of(METHOD)):
        parts.append(f"![Accuracy against the size of reasons and the length of the model](scoreboard-{group}.svg)\n")
    for size, board in by_size.items():
        parts += _of_size(group, size, board, whole=board is first)
    return parts


def _apart(by_size: dict[int, Board]) -> list[str]:
    """The headline for two classes, for several, and on the sample that slow peers have."""
    parts = []
    slow = [name for name in BOUNDED if METHODS[name].slow]
    for words, chosen in (
        ("Tables of two classes", lambda board: board.of_classes(two=True)),
        ("Tables of several classes", lambda board: board.of_classes(two=False)),
        ("The sample of tables that slow peers have too", lambda board: board.only(board.data_of(slow))),
    ):
        found = {size: chosen(board) for size, board in by_size.items()}
        rows = {f"{size:,}": headline_rows(board) for size, board in found.items() if len(board.data) > 1}
        if any(rows.values()) and any(len(found[size].data) < len(by_size[size].data) for size in found):
            counts = ", ".join(f"{len(board.data)} at {size:,}" for size, board in found.items())
            parts += [f"{words} ({counts}).\n", headline(rows)]
    return ["### On parts of the tables, each method in its best form\n", *parts] if parts else []


def _bands(by_size: dict[int, Board]) -> list[str]:
    """How well bands rank and how far their probabilities are off, beside every bounded method and every ceiling."""
    parts = []
    for size, board in by_size.items():
        for measure in (AUC, LOG_LOSS):
            if found := all_compared(board, (*BOUNDED, *CEILINGS), measure, ours=BANDS):
                means = [(k, fmean(board.values(BANDS, k, measure).values())) for k in board.bounds]
                own = ", ".join(f"{number(mean, measure.digits)} at k = {k}" for k, mean in means)
                parts += [
                    f"At most {size:,} training rows, {measure.name} of bands: {own}.\n",
                    beside(found, measure.digits),
                ]
    if not parts:
        return []
    return [
        f"### {title(BANDS)}, beside bounded methods and ceilings\n\nOurs minus theirs on tables of two classes (95 %);"
        " tables won and lost; p corrected for all methods and k of a list. A smaller log loss is the better one.\n",
        *parts,
    ]


def _commits(by_size: dict[int, Board]) -> list[str]:
    """Which commit made the cells of ours, and what the sum of the sources that learn was there."""
    rows = []
    for method in OURS:
        texts = []
        for board in by_size.values():
            made: dict[str, list[Cell]] = {}
            for cell in board.cells:
                if cell.method == method:
                    made.setdefault(f"{cell.commit} ({cell.version.split()[-1]})", []).append(cell)
            said = (f"{commit}: k = {_bounds_of(cells)}, {len(cells)} cells" for commit, cells in made.items())
            texts.append("; ".join(said))
        rows += [(METHODS[method].title, *texts)] if any(texts) else []
    if not rows:
        return []
    about = (
        "### Which commit made the cells of ours\n\nCommit (sum of the sources that learn), by training rows. Where a"
        " method has several commits, its figures at these k or sizes are of several learners.\n"
    )
    return [about, markdown(["", *(f"{size:,}" for size in by_size)], rows, words=1 + len(by_size))]


def _bounds_of(cells: list[Cell]) -> str:
    return ", ".join(str(k) for k in sorted({cell.k for cell in cells}))


def _of_size(group: str, size: int, board: Board, *, whole: bool) -> list[str]:
    """Comparisons and measures at one size; all of them at the smallest."""
    parts = [f"### At most {size:,} training rows\n"]
    for ours in VIEWS:
        found = all_compared(board, in_view(ours, PEERS), ours=ours)
        if found:
            parts += [
                f"{title(ours)} beside every peer: points by which our mean accuracy is above theirs (95 %); tables won"
                " and lost; corrected p.\n",
                beside(found),
            ]
    means = board.run_through()
    if whole and all_ranks(means.on_splits_of(METHOD)):
        parts += [
            "Mean ranks by test accuracy, on the tables and splits that all methods shown have; a bar joins methods"
            " whose ranks do not differ by Nemenyi's critical value at 5 %.\n",
            f"![Mean ranks and critical differences](ranks-{group}.svg)\n",
        ]
    for measure in MEASURES if whole else LARGER:
        parts += [f"#### {measure.name[0].upper()}{measure.name[1:]}\n\n{_note(measure)}", by_bound(means, measure)]
    if whole:
        parts += [
            "#### Overlaps and gaps of rules\n\nShare of rows (%), mean over tables: more than one rule holds / rules"
            " of different classes hold / no rule holds. Trees and scores have none by construction.\n",
            overlaps(means),
        ]
    parts += ["#### Time, CART's fit being 1\n", times(board)]
    if board.seeds:
        parts += [
            "#### Spread over seeds\n\nStandard deviation of the mean test accuracy over seeds (how many seeds, on how"
            " many tables), on the same splits.\n",
            over_seeds(board),
        ]
    if whole:
        parts += [
            "#### What could be left out of our models\n\nRead from the printed text alone"
            " (`benchmarks/readable.py`): a line within the others of its class, a condition that can be dropped"
            " without changing a decision, or two cuts of a column that part less than one row in a hundred and could"
            " be one for at most one training row.\n",
            left_over(board),
        ]
    said = ahead(board, PEERS, CEILINGS)
    parts += [
        "#### Where a peer is ahead\n\nThe largest first, in standard deviations of the differences over tables.\n",
        "".join(f"- {line}\n" for line in said) or "Nowhere, in what was run.\n",
        "#### What was run\n\nCells with a model / failed, by k.\n",
        coverage(board),
    ]
    return parts


def _note(measure: Measure) -> str:
    if measure is ACCURACY:
        return (
            "Mean over a method's own tables and splits (their numbers in brackets; methods for two classes have fewer"
            " tables), with the standard deviation of that mean over splits.\n"
        )
    if measure is LARGEST:
        return "Columns; mean over tables of the largest reason of any decision / the largest of all.\n"
    return ""


def _methods(found: Boards) -> str:
    versions: dict[str, str] = {}
    for by_size in found.values():
        for board in by_size.values():
            versions.update({cell.method: " ".join(cell.version.split()[:2]) for cell in board.cells})
    rows = [
        (m.title, m.kind, m.form, "two" if m.two_classes else "any", versions.get(name, "not run"), m.says, m.tuned)
        for name, m in METHODS.items()
    ]
    header = ["method", "kind", "form", "classes", "version", "settings", "tuned"]
    return "## Methods\n\nFrom `benchmarks/peers/settings.toml`.\n\n" + markdown(header, rows, words=7)


def _tables(found: Boards) -> str:
    parts = ["## Tables\n"]
    for group in found:
        homes = Counter(register()["package"] if group == "fresh" else _home(name) for name in GROUPS[group])
        names = ", ".join(dict.fromkeys(table_and_size(n)[0] for board in found[group].values() for n in board.data))
        parts.append(f"{NAMES[group]}, of {len(GROUPS[group])} ({', '.join(homes)}): {names}.\n")
    return "\n".join(parts)


def _home(name: str) -> str:
    return sources()[name].home if name in sources() else "the paper"


def _failures(found: Boards) -> str:
    counts: dict[tuple[str, str], list[Cell]] = {}
    for by_size in found.values():
        for board in by_size.values():
            for cell in board.failed():
                counts.setdefault((cell.method, cell.message), []).append(cell)
    if not counts:
        return "## Failures\n\nNone.\n"
    rows = [
        (
            title(method),
            message.replace("|", "\\|"),
            ", ".join(f"{c.data} k = {c.k}" for c in cells[:6]),
            str(len(cells)),
        )
        for (method, message), cells in counts.items()
    ]
    return "## Failures\n\n" + markdown(["method", "message", "where (first six)", "cells"], rows, words=3)
