"""Commands for the researcher: the paper's tables rebuilt, and the data sets."""

from __future__ import annotations

import argparse
from pathlib import Path

from idnf.commands.arguments import Commands, add_command
from idnf.commands.console import Console
from idnf.reproduction.protocol import reproduce
from idnf.reproduction.tables import to_markdown, write
from idnf.tables import datasets


def add_parser(commands: Commands) -> None:
    """Add the commands to the command line."""
    example = "idnf reproduce --k 2 3 --datasets iris monks-1 --runs 3"
    parser = add_command(commands, "reproduce", run_reproduce, what="rebuild the paper's tables", example=example)
    parser.add_argument("--k", type=int, nargs="+", default=[2, 3, 4, 5, 6], help="bounds (default 2 to 6)")
    parser.add_argument("--datasets", nargs="+", default=list(datasets.PAPER), help="data sets (default: all eleven)")
    parser.add_argument("--runs", type=int, default=10, help="fits on each split (default 10)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--learner", default="greedy", choices=["greedy", "search", "exact"], help="column to add")
    parser.add_argument("--output", help="folder for CSV, Markdown and the picture (default: print only)")
    listing = add_command(commands, "datasets", run_datasets, what="list the data sets", example="idnf datasets")
    listing.add_argument("--load", metavar="NAME", help="fetch one into the cache and say how large it is")


def run_reproduce(arguments: argparse.Namespace, console: Console) -> int:
    """Run the paper's protocol and print or write its tables beside ours."""
    draw = console.progress("fitting")
    cells = reproduce(
        k=arguments.k,
        datasets=arguments.datasets,
        runs=arguments.runs,
        jobs=arguments.jobs,
        learner=arguments.learner,
        progress=lambda done, total: draw(done / total),
    )
    if arguments.output is None:
        console.show(to_markdown(cells))
        return 0
    for path in write(cells, Path(arguments.output)):
        console.remark(f"written to {path}")
    return 0


def run_datasets(arguments: argparse.Namespace, console: Console) -> int:
    """List the data sets, or load one."""
    if arguments.load is None:
        console.show("\n".join(datasets.names()))
        return 0
    X, y = datasets.load(arguments.load)
    console.show(f"{arguments.load}: {X.shape[0]} rows, {X.shape[1]} columns, {int((y == y.max()).sum())} of class 1")
    return 0
