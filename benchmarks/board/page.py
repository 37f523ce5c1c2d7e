"""The scoreboard's page, all of it from the cells: protocol, headline, tests, measures, and where peers are ahead."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean

from .ahead import ahead
from .cells import Cell, read_cells
from .collection import CHECKED, sources
from .data import GROUPS, LEAST_OF_A_CLASS, MOST_ROWS, MOST_TRAINING
from .means import ACCURACY, BALANCED, CONDITIONS, LARGEST, LOG_LOSS, MEAN_REASON, REASONS, Board, Measure, title
from .methods import BOUNDED, CEILINGS, METHODS, OURS, ROOT, RULES, RUN
from .pictures import draw_accuracy, draw_ranks, shared
from .runs import read_runs
from .significance import Compared, Ranks, all_compared, compared, ranks
from .text import markdown, number, p_value, significant

START, END = "<!-- scoreboard -->", "<!-- /scoreboard -->"
NAMES = {"headline": "Tables on which nothing was chosen", "marked": "Marked tables", "paper": "The paper's data sets"}
PEERS = (*BOUNDED, *RULES)
PARTLY = "A column that was run on a part of the data sets is in the table of what was run, and nowhere else."


def boards(folder: Path) -> dict[str, Board]:
    """Return a board for each group of data that has cells."""
    cells = read_cells(folder, METHODS)
    found = {group: Board.of(cells, names) for group, names in GROUPS.items()}
    return {group: board for group, board in found.items() if board.data}


def report(folder: Path) -> str:
    """Write page and pictures beside the cells and return the page."""
    for group, board in boards(folder).items():
        whole = board.run_through().where_whole(OURS[0])
        drawn = drawable(whole)
        if drawn:
            there = [m for m in CEILINGS if len(shared(whole, [*drawn, m])) == len(shared(whole, drawn))]
            draw_accuracy(whole, drawn, there, folder / f"scoreboard-{group}")
        found = all_ranks(whole)
        if found:
            draw_ranks(found, folder / f"ranks-{group}")
    text = page(folder)
    (folder / "scoreboard.md").write_text(text, encoding="utf-8")
    return text


def drawable(board: Board) -> list[str]:
    """Return the methods to draw: those with nearly all tables at every k; one that lacks many would shrink all."""
    listed = [m for m in (*OURS, *PEERS) if all((m, k) in board.columns for k in board.bounds)]
    found = [m for m in listed if len(shared(board, [m])) >= 0.95 * len(board.data)]
    return found if OURS[0] in found and len(shared(board, found)) > 1 else []


def all_ranks(board: Board) -> list[Ranks]:
    """Return mean ranks at each k of the methods that have nearly all tables."""
    found = []
    for k in board.bounds:
        have = {m: len(board.values(m, k, ACCURACY)) for m in (*OURS, *BOUNDED)}
        methods = [m for m, count in have.items() if count and count >= 0.95 * max(have.values())]
        each = ranks(board, methods, k)
        if each is not None:
            found.append(each)
    return found


def page(folder: Path) -> str:
    """Return the page of the cells in a folder."""
    found = boards(folder)
    parts = ["# Scoreboard\n", _about(folder, found)]
    for group, board in found.items():
        parts += _section(group, board)
    parts += [_methods(found), _tables(), _failures(found)]
    return "\n".join(parts)


def _about(folder: Path, found: dict[str, Board]) -> str:
    runs = read_runs(folder)
    machines = sorted({run["machine"] for run in runs})
    dates = sorted({run["date"] for run in runs})
    commits = sorted({cell.commit for board in found.values() for cell in board.cells if cell.commit})
    where = f" Machine: {'; '.join(machines)}, {' to '.join(sorted({dates[0], dates[-1]}))}." if runs else ""
    return (
        "How good are models whose every decision has a reason of at most k conditions, beside what else a person might"
        " read? Below are raw tables on which nothing of idnf was chosen; apart from them, tables that were used to"
        " choose something, and the data sets of the paper. Peers are tuned by their own means, or by the same folds"
        " and prices as the others. The paper's data sets with untuned trees, five splits, k = 2 to 6, by the program"
        " of commit c7ff201, are in `benchmarks/results/paper`.\n\n"
        "Made by `python benchmarks/scoreboard.py`; every fitted model is a row of a file under `cells`, one file a"
        f" method.{where}{' Our library at commit ' + ', '.join(commits) + '.' if commits else ''}\n\n"
        "How it is done:\n\n"
        f"- Tables come raw from packages of PyPI. At most {MOST_ROWS} rows are drawn; 70 % of them, and at most"
        f" {MOST_TRAINING}, are for training, stratified by class, the rest for testing; classes of fewer than"
        f" {LEAST_OF_A_CLASS} rows are left out. A split is a random state; the paper's data sets are divided as in the"
        " paper.\n"
        "- A table on which anything in our learner was chosen is marked and is no part of the headline. On"
        f" {len(CHECKED)} of the others, in another form, experiments checked what had been chosen; the headline is"
        " given without them too.\n"
        "- Data come in three forms, made on the training part alone. *boolean*: numbers compared with four quantiles"
        " (two where there are thirty columns or more), one feature a category, one for a missing value; the same"
        " features for all. *numbers*: numbers as they are, medians for missing values, 0/1 for categories. *table*: as"
        " it comes.\n"
        "- k bounds the conditions of a reason. A *bounded* method keeps to it for every decision of every class, and"
        " the measured sizes confirm it; rule sets bound a rule, not a reason. Ceilings know no k.\n"
        "- A reason is a smallest set of the row's own conditions that forces its decision whatever the others are. One"
        " computation finds it for every row, training and test, of all classes, for every method, from the rules the"
        " method wrote, after checking that these decide every row as the method does.\n"
        '- Reasons and conditions to write the model: rules with one class left to "otherwise"; leaves and splits of a'
        " tree; features of a score.\n"
        "- Log loss uses a method's own probabilities; where it has none, the shares of the classes among the training"
        " rows of the same rule, each class counted once more.\n"
        "- A mean is over tables, each the mean of its splits. Two methods are compared on the tables where both have a"
        " model: Wilcoxon's signed-rank test, two-sided, over tables; Holm's correction over all peers and k of a"
        " list.\n"
        f"- A cell has {RUN['seconds']} processor seconds. A method that fails, crashes or does not end is shown as"
        " failed, with its message, at the end. Times are processor time, as multiples of CART's fit on the boolean"
        " features in the same process.\n\n"
        "To run it again: `make scoreboard`, in parts with"
        ' `PART="--methods licketysplit-2 --data headline --k 3 --splits 0"`, in minutes with'
        " `python benchmarks/scoreboard.py --quick`. A cell is kept while version and settings of its method, its data"
        " and, for ours, the commit of `src` stay the same. `python benchmarks/scoreboard.py --rebuild cart --splits 0`"
        " runs a column anew and compares every figure, to the digit; only times, and trees that a limit by the clock"
        " cut short, can differ.\n\n"
        f"What these figures do not say: tables have at most {MOST_ROWS} rows here, so nothing is said of large data;"
        " the 0/1 features are quantiles, and a method may do better on cuts of its own; every condition counts as one,"
        " and conditions are taken to be independent, so that a reason counted by columns may be shorter; nobody was"
        " asked whether a reason convinced them.\n"
    )


def _section(group: str, board: Board) -> list[str]:
    splits = sorted({cell.split for cell in board.cells})
    count = f"{len(board.data)} data sets, split{'s' * (len(splits) != 1)} {', '.join(map(str, splits))}"
    parts = [f"## {NAMES[group]}\n", f"{count}. {PARTLY}\n"]
    everything, board = board, board.run_through()
    best = headline_rows(board)
    if best:
        parts += [
            "### At each size of reasons\n\nOurs beside the bounded peer with the best mean on the same tables, each"
            " tuned inside its fit. The peer is chosen by the figures shown, which favours it."
            f" {contenders(board)}\n",
            headline(best),
        ]
    for words, part in (
        ("of two classes, where methods that take no others stand beside the rest", board.with_two_classes()),
        ("that no experiment with our learner ever looked at", board.without(CHECKED)),
    ):
        rows = headline_rows(part) if 1 < len(part.data) < len(board.data) else []
        if rows:
            parts += [f"The same on the {len(part.data)} tables {words}.\n", headline(rows)]
    whole = board.where_whole(OURS[0])
    if drawable(whole):
        parts.append(f"![Accuracy against the size of reasons and the length of the model](scoreboard-{group}.svg)\n")
    found = all_compared(board, PEERS)
    if found:
        parts += ["### Ours beside every peer\n\np-values after Holm's correction in brackets.\n", beside(found)]
    raw = all_compared(board, PEERS, ours="idnf-table")
    if raw:
        parts += ["### Ours on the table as it comes, beside every peer\n", beside(raw)]
    if all_ranks(whole):
        parts += [
            "### Mean ranks\n\nBy test accuracy, on the tables that all methods shown have; a bar joins methods whose"
            " ranks do not differ by Nemenyi's critical value at 5 %.\n",
            f"![Mean ranks and critical differences](ranks-{group}.svg)\n",
        ]
    for measure in (ACCURACY, BALANCED, LOG_LOSS, LARGEST, MEAN_REASON, REASONS, CONDITIONS):
        parts += [f"### {measure.name.capitalize()}\n\n{_measure_note(measure)}", by_bound(board, measure)]
    parts += [
        "### Overlaps and gaps of rules\n\nShare of rows (%), mean over tables: more than one rule holds / rules of"
        " different classes hold / no rule holds. Trees and scores have none by construction.\n",
        overlaps(board),
        "### Time to fit, CART's being 1\n\nGeometric mean over cells; the tree of depth k is fitted in the same"
        " process.\n",
        _rows_by_bound(board, _all(board), lambda m, k: _ratio(board.slower(m, k))),
        "Our time as a multiple of each peer's, on the cells that both have: both as multiples of CART's, and beside a"
        " method without k in processor seconds. Below 1 ours is faster.\n",
        times_beside(board),
        explanation_times(board),
        "### Spread over seeds\n",
        over_seeds(everything),
        "### What could be left out of our models\n",
        left_over(everything),
        "### Where a peer is ahead\n",
        ahead(board, PEERS, CEILINGS),
        "### What was run\n\nData sets with a model / failed, by k.\n",
        coverage(everything),
    ]  # fmt: skip
    return parts


def best_bounded(board: Board, k: int) -> Compared | None:
    """Return ours beside the bounded peer whose mean is furthest ahead of ours, of those with most tables."""
    found = [each for peer in BOUNDED if board.keeps_to(peer, k) and (each := compared(board, peer, k)) is not None]
    most = max((each.data_sets for each in found), default=0)
    return max(
        (each for each in found if each.data_sets >= 0.95 * most),
        key=lambda each: each.theirs - each.ours,
        default=None,
    )


def headline_rows(board: Board) -> list[Compared]:
    """Return ours beside the best bounded peer at each size where ours has nearly all tables."""
    whole = board.where_whole(OURS[0])
    return [row for k in whole.bounds if (row := best_bounded(whole, k)) is not None]


def contenders(board: Board) -> str:
    """Say which bounded peers the best one is the best of; those not run may be better."""
    found = [title(peer) for peer in BOUNDED if any((peer, k) in board.columns for k in board.bounds)]
    missing = [title(peer) for peer in BOUNDED if title(peer) not in found]
    return f"The best is out of: {'; '.join(found)}." + (f" Not run: {'; '.join(missing)}." if missing else "")


def headline(rows: Iterable[Compared]) -> str:
    """One line for each size of reasons."""
    lines = [
        (
            str(each.k), number(each.ours, 2), number(each.theirs, 2), title(each.peer), str(each.data_sets),
            f"{each.wins} / {each.ties} / {each.losses}", p_value(each.p),
        )
        for each in rows
    ]  # fmt: skip
    header = ["k", "idnf", "best bounded peer", "which", "tables", "won / same / lost", "p"]
    return markdown(header, lines)


def beside(found: Sequence[Compared]) -> str:
    """Ours minus each peer, by k, with wins, losses and p-values."""
    bounds = sorted({each.k for each in found})

    def cell(peer: str, k: int) -> str:
        here = [each for each in found if (each.peer, each.k) == (peer, k)]
        if not here:
            return ""
        (each,) = here
        gap = f"{each.ours - each.theirs:+.2f}; {each.wins}:{each.losses} of {each.data_sets}"
        return f"{gap}; {p_value(each.p)} ({p_value(each.corrected)})"

    peers = list(dict.fromkeys(each.peer for each in found))
    rows = [(title(peer), *(cell(peer, k) for k in bounds)) for peer in peers]
    note = "Points by which our mean accuracy is above theirs; tables won and lost; p.\n\n"
    return note + markdown(["", *(f"k = {k}" for k in bounds)], rows)


def _all(board: Board) -> list[str]:
    return [method for method in METHODS if any(name == method for name, _ in board.columns)]


def _measure_note(measure: Measure) -> str:
    if measure is ACCURACY:
        return (
            "Mean over a method's own tables (their number in brackets; methods for two classes have fewer), and"
            " where there are several splits the standard deviation of that mean over them.\n"
        )
    if measure is LARGEST:
        return "Mean over tables of the largest reason of any decision / the largest of all.\n"
    return ""


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
        spread = board.spread(method, k, measure)
        return f"{text}{f' ± {spread:.1f}' if spread is not None else ''} ({len(values)})"

    return _rows_by_bound(board, _all(board), cell)


def _rows_by_bound(board: Board, methods: Iterable[str], cell: Callable[[str, int], str]) -> str:
    rows = []
    for method in methods:
        same = (method, 0) in board.columns
        texts = [cell(method, k) for k in (board.bounds or (0,))]
        rows.append((METHODS[method].title, *([texts[0], *["" for _ in texts[1:]]] if same else texts)))
    rows = [row for row in rows if any(row[1:])]
    return markdown(["", *(f"k = {k}" for k in board.bounds)], rows) if rows else "Not run.\n"


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

    listed = [m for m in _all(board) if METHODS[m].ours or METHODS[m].kind == "rules" or m == "greedy-list"]
    return _rows_by_bound(board, listed, cell)


def explanation_times(board: Board) -> str:
    """How long an explanation takes, ours and by the scoreboard's own computation."""
    ours = [c.explain_seconds for c in board.cells if c.method == "idnf" and c.explain_seconds]
    theirs = [c.ruler_seconds for c in board.cells if c.ruler_seconds and METHODS[c.method].kind == "bounded"]
    if not ours or not theirs:
        return ""
    return (
        f"Only idnf explains by itself: a smallest reason of a row takes {significant(1e6 * fmean(ours))} microseconds"
        " of the processor on the mean. The scoreboard's own computation, which all other methods need, takes"
        f" {significant(1e6 * fmean(theirs))} on bounded peers.\n"
    )


def times_beside(board: Board) -> str:
    """Our time to fit as a multiple of each peer's, by k."""
    methods = [method for method in (*PEERS, *CEILINGS) if method in _all(board)]
    rows = [
        (title(method), *(_ratio(board.time_beside(OURS[0], method, k)) for k in board.bounds)) for method in methods
    ]
    return markdown(["", *(f"k = {k}" for k in board.bounds)], rows) if rows else "Not run.\n"


def over_seeds(board: Board) -> str:
    """The spread of mean accuracy over seeds, of methods with chance in them."""

    def cell(method: str, k: int) -> str:
        found = board.seed_spread(method, k, ACCURACY)
        return "" if found is None else "{:.2f} ({}, {})".format(*found)

    table = _rows_by_bound(board, _all(board), cell)
    return (
        "Standard deviation of the mean test accuracy over seeds (how many seeds, on how many tables), on the same"
        f" splits. Methods without a line have nothing to seed, or were run with one.\n\n{table}"
    )


def left_over(board: Board) -> str:
    """How many printed models of ours have something to spare."""
    asked = [cell for cell in board.cells if cell.to_spare is not None]
    if not asked:
        return "Not run.\n"
    lines = []
    for method in dict.fromkeys(cell.method for cell in asked):
        cells = [cell for cell in asked if cell.method == method]
        faulty = [cell for cell in cells if cell.to_spare]
        named = "; ".join(f"{c.data} split {c.split} k = {c.k}: {c.message}" for c in faulty)
        lines.append(f"- {title(method)}: {len(cells)} printed models, {len(faulty)} with something to leave out")
        lines[-1] += f" ({named})." if faulty else "."
    return (
        "Read from the printed text alone (`benchmarks/readable.py`): a line within the others of its class, a"
        " condition that can be dropped without changing a decision, or two cuts of a column that part less"
        " than one row in a hundred and could be one for at most one training row.\n\n" + "\n".join(lines) + "\n"
    )


def _ratio(value: float | None) -> str:
    return "" if value is None else significant(value)


def coverage(board: Board) -> str:
    """How many cells of each method there are."""

    def cell(method: str, k: int) -> str:
        cells = board.column(method, k).values()
        ok, failed = sum(c.ok for c in cells), sum(c.status == "failed" for c in cells)
        return f"{ok} / {failed}" if ok or failed else ""

    return _rows_by_bound(board, _all(board), cell)


def _methods(found: dict[str, Board]) -> str:
    versions: dict[str, str] = {}
    for board in found.values():
        for cell in board.cells:
            versions[cell.method] = " ".join(cell.version.split()[:-1])
    rows = [
        (m.title, m.kind, m.form, "two" if m.two_classes else "any", versions.get(name, "not run"), m.says)
        for name, m in METHODS.items()
    ]
    header = ["method", "kind", "form", "classes", "version", "settings"]
    return "## Methods\n\nFrom `benchmarks/peers/settings.toml`.\n\n" + markdown(header, rows, words=6)


def _tables() -> str:
    parts = ["## Tables\n"]
    for group in ("headline", "marked"):
        names = [f"{name} ({sources()[name].home})" for name in GROUPS[group]]
        parts.append(f"{NAMES[group]} ({len(names)}): {', '.join(names)}.\n")
    parts.append(f"{NAMES['paper']}: {', '.join(GROUPS['paper'])}.\n")
    return "\n".join(parts)


def _failures(found: dict[str, Board]) -> str:
    counts: dict[tuple[str, str], list[Cell]] = {}
    for board in found.values():
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


def fill_readme(folder: Path) -> None:
    """Put the short table and the picture between the README's markers."""
    path = ROOT / "README.md"
    text = path.read_text("utf-8")
    if START not in text or END not in text:
        raise SystemExit(f"README.md must have the lines {START} and {END}; nothing was written.")
    before, rest = text.split(START, 1)
    after = rest.split(END, 1)[1]
    path.write_text(f"{before}{START}\n{short_table(folder)}{END}{after}", encoding="utf-8")


def short_table(folder: Path) -> str:
    """The part of the scoreboard that the README shows."""
    where = folder.relative_to(ROOT)
    board = boards(folder)["headline"].run_through()
    rows = headline_rows(board)
    splits = len({cell.split for cell in board.cells if cell.method == "idnf"})
    # Slow peers have fewer splits than we have; two methods are compared on those that both have.
    counted = {1: "1 split", 2: "1 or 2 splits"}.get(splits, f"1 to {splits} splits")
    return (
        f"Mean test accuracy (%) over raw tables on which nothing was chosen, {counted} each,"
        " beside the best peer whose reasons keep to k conditions too, each tuned inside its fit; Wilcoxon's p.\n\n"
        f"{headline(rows)}\n{contenders(board)}\n\n"
        f"![Accuracy against the size of reasons and the length of the model]({where}/scoreboard-headline.svg)\n\n"
        f"All methods, measures and tests, and where peers are ahead: [{where}/scoreboard.md]({where}/scoreboard.md)."
        f" The paper's data sets, five splits: [{where}/paper/scoreboard.md]({where}/paper/scoreboard.md)."
        " PyXAI, SHAP and DiCE beside our explanations of the same trees:"
        f" [{where}/explainers.md]({where}/explainers.md).\n"
        "Made by `make scoreboard`; a quick version of it is part of `make bench`.\n"
    )
