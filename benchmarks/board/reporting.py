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
    explain_ratios,
    ratios,
    reasons,
    sizes,
)

START, END = "<!-- scoreboard -->", "<!-- /scoreboard -->"


def record(folder: Path, method: str, command: str) -> None:
    """Note where the figures of a method come from."""
    path = folder / "scoreboard.json"
    known = _records(folder)
    spec = METHODS[method]
    known[method] = {
        "versions": spec.worker.versions(spec.packages),
        "commit": _commit(),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "machine": machine(),
        "command": command,
    }
    path.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n")


def _records(folder: Path) -> dict[str, dict]:
    path = folder / "scoreboard.json"
    return json.loads(path.read_text()) if path.exists() else {}


def machine() -> str:
    """Say what this runs on."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"{models[0] if models else platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"


def _commit() -> str:
    found = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return found.stdout.strip()


def report(folder: Path, *, command: str) -> str:
    """Write Markdown and pictures beside the results and return the Markdown."""
    results = read_results(folder / "scoreboard.csv")
    parts = ["# Scoreboard\n", _about(folder, command)]
    for title, names, picture in (
        ("The paper's data sets", PAPER, "scoreboard"),
        ("scikit-learn's tables, made Boolean", TABLES, "scoreboard-tables"),
    ):
        board = Board.of(results, names)
        if board.data:
            draw(board, folder / f"{picture}.svg", f"{title}: mean over {len(board.data)}, {board.splits} splits")
            parts.append(_section(title, board, picture))
    text = "\n".join(parts)
    (folder / "scoreboard.md").write_text(text)
    return text


def _about(folder: Path, command: str) -> str:
    known = _records(folder)
    versions = {name: version for entry in known.values() for name, version in entry["versions"].items()}
    machines = sorted({entry["machine"] for entry in known.values()})
    commits = {method: entry["commit"] for method, entry in known.items() if method.startswith("idnf")}
    from_commits = ", ".join(f"{method} from {commit}" for method, commit in commits.items())
    return (
        f"Made by `{command}`; every fitted model is a row of `scoreboard.csv`, and how each method was"
        " run is in scoreboard.json.\n\n"
        f"- Versions: {', '.join(f'{name} {version}' for name, version in sorted(versions.items()))}."
        f"{' Commits: ' + from_commits + '.' if commits else ''}\n"
        f"- Machine: {'; '.join(machines)}. Times are processor seconds of one thread.\n"
        "- Splits: `train_test_split(test_size=0.2, random_state=0, 1, ...)`; the monks have the parts they come with."
        " A mean is over data sets, each of them the mean of its splits. A mean that lacks a cell is left out.\n"
        "- A reason is a smallest set of Boolean conditions of the row that forces the decision whatever the other"
        " features are. It is computed for every row, training and test, of both classes, for every method in the same"
        " way.\n"
        "- Optimal trees had 60 s a fit; `proved` in the CSV tells whether that was enough. RIPPER does not"
        " always keep its own limit on conditions, `max_rule_conds`; `width` in the CSV is the longest term.\n"
    )


def _section(title: str, board: Board, picture: str) -> str:
    parts = [
        f"## {title}\n",
        f"{', '.join(board.data)}; {board.splits} splits.\n",
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
        "### Time to fit, CART's being 1\n",
        ratios(board, lambda result: result.fit_seconds),
        "### Time to predict, CART's being 1\n",
        ratios(board, lambda result: result.predict_seconds),
        "### Time to explain every row, predicting them being 1\n\nOnly idnf gives reasons by itself; explainers that"
        " work on a tree of others are timed by `benchmarks/explain.py`.\n",
        explain_ratios(board),
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
        f"All figures, and where peers are ahead: [{where}/scoreboard.md]({where}/scoreboard.md).\n"
        "Made by `make scoreboard`; a quick version of it is part of `make bench`.\n"
    )
