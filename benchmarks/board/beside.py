"""Explainers side by side: run them, write CSV and Markdown."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import asdict, fields
from datetime import UTC, datetime
from pathlib import Path

from .explainers import Answered, counterfactual_tasks, counterfactuals, reasons
from .methods import ROOT, our_commit
from .text import machine, markdown, significant

NAME = "explainers"
COMMAND = "python benchmarks/explain.py --peers"


def beside_peers(*, quick: bool) -> str:
    """Ask every explainer, write what was found and return it as Markdown."""
    build = ROOT / "benchmarks" / ".work"
    build.mkdir(exist_ok=True)
    (build / ".gitignore").write_text("*\n")
    work = build / NAME
    found = reasons(work / "reasons", quick=quick)
    for place, task in enumerate(counterfactual_tasks()):
        found += counterfactuals(work / f"counterfactuals-{place}", task, quick=quick)
    folder = build if quick else ROOT / "benchmarks" / "results"
    about = f"{COMMAND}{' --quick' if quick else ''}` on {datetime.now(UTC):%Y-%m-%d}, idnf at commit {our_commit()}"
    return write(folder, found, f"Made by `{about}. Machine: {machine()}.")


def write(folder: Path, found: Sequence[Answered], about: str) -> str:
    """Write the answers as a table for programs and one for people; return the latter."""
    with (folder / f"{NAME}.csv").open("w", newline="") as file:
        rows = csv.DictWriter(file, [field.name for field in fields(Answered)], lineterminator="\n")
        rows.writeheader()
        for each in found:
            values = asdict(each).items()
            rows.writerow({name: f"{value:.6g}" if isinstance(value, float) else value for name, value in values})
    text = page(found, about)
    (folder / f"{NAME}.md").write_text(text)
    return text


def page(found: Sequence[Answered], about: str) -> str:
    """Return the Markdown of all answers."""
    formal = [each for each in found if each.question.startswith("smallest")]
    parts = [
        "# Explainers\n",
        f"{about} Every row is one of `{NAME}.csv`.\n",
        "All explain scikit-learn's `DecisionTreeClassifier(max_depth=4, random_state=0)`, fitted to the whole table."
        " Times are processor seconds a row of one core, measured in one run, ours being 1.\n",
        "## Smallest reasons\n\nThe tree has the 25 Boolean features of compas, and the rows are distinct. idnf gives"
        " AXp and CXp together; its time is the same in both lines.\n",
        markdown(
            ["explainer", "question", "rows", "as small as ours", "mean size", "time"],
            [
                (e.explainer, e.question, str(e.rows), share(e.smallest), f"{e.size:.1f}", significant(e.times_ours))
                for e in formal
            ],
            words=2,
        ),
        *(_attribution(each) for each in found if each.question == "attribution"),
        "## Counterfactuals\n\nA counterfactual is right if the tree gives it the other class, every value is in its"
        " column's range or list, and no fixed column is changed. DiCE makes four a row, and the right one of fewest"
        " changes counts. Right, and as few changes as possible, are shares of the rows for which some change is"
        " enough; that there is none for the others, and what the fewest are, is what idnf proves. The tables are"
        " compas as its eight columns, and the loans of `idnf.datasets` without rows that have missing values.\n",
        _counterfactuals([each for each in found if each.question == "counterfactual"]),
    ]  # fmt: skip
    return "\n".join(parts)


def _attribution(each: Answered) -> str:
    return (
        f"## Attributions\n\n{each.explainer} gives every feature a share of the predicted probability; that is no"
        " reason of a decision, and does not claim to be one. Taken as one, its features of largest absolute value, as"
        f" many as a smallest AXp has, are enough for the decision on {share(each.right)} of {each.rows} rows. Its"
        f" time, for 20,000 rows at once, is {significant(each.times_ours)} times that of smallest reasons.\n"
    )


def _counterfactuals(found: Sequence[Answered]) -> str:
    lines = [
        (
            each.model,
            each.explainer,
            f"{each.possible} of {each.rows}",
            share(each.answered),
            share(each.right),
            share(each.smallest),
            "" if each.size is None else f"{each.size:.1f} ({each.least:.1f})",
            significant(each.times_ours),
        )
        for each in found
    ]
    header = ["table", "explainer", "rows with a way", "answered", "right", "fewest changes", "mean (least)", "time"]
    errors = [f"{each.explainer} on {each.model}: {each.errors}" for each in found if each.errors]
    return markdown(header, lines, words=2) + (f"\nErrors: {'; '.join(errors)}.\n" if errors else "")


def share(value: float | None) -> str:
    """Return a share in percent."""
    return "" if value is None else f"{100 * value:.0f}%"
