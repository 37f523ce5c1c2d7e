"""What the scoreboard writes: Markdown, picture, and the README's short table."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from .data import PAPER, TABLES
from .methods import METHODS, ROOT
from .picture import draw
from .results import read_results
from .tables import (
    BOUNDED,
    Board,
    accuracy,
    better_table,
    by_data,
    by_size,
    ceilings,
    ratios,
    reasons,
    sizes,
)

START, END = "<!-- scoreboard -->", "<!-- /scoreboard -->"


Run = dict[str, str]


def record(folder: Path, method: str, command: str, *, anew: bool) -> None:
    """Note a run that makes figures of a method; ``anew`` if no figures of earlier runs are left."""
    known = _records(folder)
    spec = METHODS[method]
    run = {
        **spec.worker.versions(spec.packages),
        "commit": commit(),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": machine(),
        "command": command,
    }
    before = [] if anew else known.get(method, [])
    known[method] = [*(each for each in before if each != run), run]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scoreboard.json").write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n")


def _records(folder: Path) -> dict[str, list[Run]]:
    path = folder / "scoreboard.json"
    return json.loads(path.read_text()) if path.exists() else {}


def machine() -> str:
    """Say what this runs on."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"{models[0] if models else platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def commit() -> str:
    """Return the commit of the library, and whether files of the library differ from it."""
    head, changes = (
        subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
        for words in (("rev-parse", "--short", "HEAD"), ("status", "--porcelain", "--", "src"))
    )
    return f"{head} with changes" if changes else head


def report(folder: Path, *, command: str) -> str:
    """Write Markdown and pictures beside the results and return the Markdown."""
    for title, board, picture in _boards(folder):
        draw(board, folder / f"{picture}.svg", f"{title}: mean over {len(board.data)} data sets, {_splits(board)}")
    text = page(folder, command=command)
    (folder / "scoreboard.md").write_text(text)
    return text


def page(folder: Path, *, command: str) -> str:
    """Return the Markdown of the results in a folder."""
    sections = (_section(title, board, picture) for title, board, picture in _boards(folder))
    return "\n".join(["# Scoreboard\n", _about(folder, command), *sections])


def _boards(folder: Path) -> list[tuple[str, Board, str]]:
    """Return the parts that have results: title, board and the name of the picture."""
    results = read_results(folder / "scoreboard.csv")
    parts = [
        ("The paper's data sets", Board.of(results, PAPER), "scoreboard"),
        ("scikit-learn's tables, made Boolean", Board.of(results, TABLES), "scoreboard-tables"),
    ]
    return [part for part in parts if part[1].data]


def _about(folder: Path, command: str) -> str:
    known = _records(folder)
    runs = [(method, run) for method, found in known.items() for run in found]
    versions = sorted({f"{name} {run[name]}" for method, run in runs for name in METHODS[method].packages})
    machines = sorted({run["machine"] for _, run in runs})
    commits = {
        method: " and ".join(dict.fromkeys(run["commit"] for run in known[method]))
        for method in known
        if method.startswith("idnf")
    }
    from_commits = ", ".join(f"{method} from {commit}" for method, commit in commits.items())
    return (
        f"Made by `{command}`; every fitted model is a row of `scoreboard.csv`, and how each method was"
        " run is in scoreboard.json.\n\n"
        f"- Versions: {', '.join(versions)}."
        f"{' Commits: ' + from_commits + '.' if commits else ''}\n"
        f"- Machine: {'; '.join(machines)}. Times are processor seconds of one thread.\n"
        "- Splits: `train_test_split(test_size=0.2, random_state=0, 1, ...)`; the monks have the parts they come with."
        " A mean is over data sets, each of them the mean of its splits. A mean that lacks a cell is left out.\n"
        "- A reason is a smallest set of Boolean conditions of the row that forces the decision whatever the other"
        " features are. It is computed for every row, training and test, of both classes, for every method in the same"
        " way.\n"
        f"- {_limits(folder)} RIPPER does not always keep its own limit on conditions, `max_rule_conds`; `width` in"
        " the CSV is the longest term. The exact learner is run where it ends with a proof: on the paper's data sets,"
        " to k = 3.\n"
    )


def _limits(folder: Path) -> str:
    """Say where a limit on time cut a fit short."""
    short: dict[str, set[int]] = {}
    for result in read_results(folder / "scoreboard.csv"):
        if result.method == "pystreed" and not result.proved:
            short.setdefault(result.data, set()).add(result.k)
    where = "; ".join(f"{name}, k = {', '.join(map(str, sorted(bounds)))}" for name, bounds in short.items())
    said = f"it was too little on some splits of {where}" if short else "it was enough everywhere"
    return f"Optimal trees had 60 s by the clock for a fit (`proved` in the CSV): {said}."


def _splits(board: Board) -> str:
    return f"{board.splits} split{'s' * (board.splits != 1)}"


def _section(title: str, board: Board, picture: str) -> str:
    parts = [
        f"## {title}\n",
        f"{', '.join(board.data)}; {_splits(board)}.\n",
        f"![Mean test accuracy against the largest reason]({picture}.svg)\n",
        "### Mean test accuracy\n\nIn brackets: some decision needs a reason of more than k conditions.\n",
        accuracy(board),
        ceilings(board),
        "### Reasons\n\nThe largest over all decisions of both classes / the largest on a data set, mean over data sets"
        " / the mean over all decisions.\n",
        reasons(board),
        "### At each size of reasons\n\nThe best peer is out of all methods and k whose reasons keep to the size for"
        " every decision on every data set.\n",
        by_size(board),
        "### Where a peer is above idnf\n\nPeers whose reasons on that data set have at most k conditions:\n",
        better_table(board, within=True),
        "Peers that need more than k conditions for some decision there:\n",
        better_table(board, within=False),
        "### Mean training accuracy\n",
        accuracy(board, training=True),
        "### Terms, or leaves of a tree\n\nFor idnf the terms of the class that has fewer.\n",
        sizes(board),
        "### Time to fit, CART's being 1\n\nThe tree of depth k is fitted beside each model, in the same process.\n",
        ratios(board, "fit_seconds", "cart_fit_seconds"),
        "### Time to predict, CART's being 1\n",
        ratios(board, "predict_seconds", "cart_predict_seconds"),
        "### Time to explain every row, predicting them being 1\n\nOnly idnf gives reasons by itself; PyXAI, SHAP and"
        " DiCE, which explain the models of others, are compared in explainers.md.\n",
        ratios(board, "explain_seconds", "predict_seconds"),
        "### By data set\n\nMean test accuracy; in brackets the largest reason, where it has more than k conditions.\n",
        *(f"k = {k}\n\n{by_data(board, k)}" for k in board.bounds),
    ]
    return "\n".join(parts)


def fill_readme(folder: Path) -> None:
    """Put the short table and the picture between the README's markers."""
    board = Board.of(read_results(folder / "scoreboard.csv"), PAPER)
    path = ROOT / "README.md"
    text = path.read_text()
    if START not in text or END not in text:
        raise SystemExit(f"README.md must have the lines {START} and {END}; nothing was written.")
    before, rest = text.split(START, 1)
    after = rest.split(END, 1)[1]
    path.write_text(f"{before}{START}\n{short_table(board, folder)}{END}{after}")


def short_table(board: Board, folder: Path) -> str:
    """The part of the scoreboard that the README shows."""
    where = folder.relative_to(ROOT)
    complete = all(board.complete(method, k) for method in ("idnf", "cart") for k in board.bounds)
    if not complete:
        raise SystemExit("the README shows complete results only; cells of idnf or cart are missing.")
    missing = [METHODS[m].title for m in BOUNDED if not any(board.complete(m, k) for k in board.bounds)]
    return (
        f"Mean test accuracy (%) over the paper's {len(board.data)} data sets, {board.splits} splits each. In brackets:"
        " some decision needs a reason of more than k conditions.\n\n"
        f"{accuracy(board)}\n{ceilings(board)}"
        f"{'Not run: ' + ', '.join(missing) + '.' if missing else ''}\n"
        f"![Mean test accuracy against the largest reason]({where}/scoreboard.svg)\n\n"
        f"All figures, and where peers are ahead: [{where}/scoreboard.md]({where}/scoreboard.md). PyXAI, SHAP and DiCE"
        f" beside our explanations of the same trees: [{where}/explainers.md]({where}/explainers.md).\n"
        "Made by `make scoreboard`; a quick version of it is part of `make bench`.\n"
    )
