"""Commands for the researcher: formulas analysed, the paper's tables rebuilt, and the data sets.

A formula is analysed in pure Python; what tables need is imported where it is used.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from idnf.commands.output import Console, output_table
from idnf.logic.analysis import analyse
from idnf.logic.dnf import DNF

if TYPE_CHECKING:
    import polars as pl


def run_analyse(arguments: argparse.Namespace, console: Console) -> int:
    """Print the analysis of one formula."""
    analysis = analyse(DNF.parse(arguments.formula))
    console.show(json.dumps(analysis.to_dict(), indent=2) if arguments.json else analysis.to_text())
    return 0


def run_reproduce(arguments: argparse.Namespace, console: Console) -> int:
    """Run the paper's protocol and print or write its tables beside ours."""
    from idnf.datasets import PAPER
    from idnf.reproduction.paper_tables import to_markdown, write
    from idnf.reproduction.protocol import reproduce

    draw = console.progress("fitting")
    cells = reproduce(
        k=arguments.k,
        datasets=arguments.datasets or PAPER,
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
    from idnf import datasets
    from idnf.commands.table_files import require_polars

    if arguments.load is None:
        console.show(json.dumps(datasets.names()) if arguments.json else "\n".join(datasets.names()))
        return 0
    require_polars()
    table = _table(arguments.load)
    target = table.columns[-1]
    labels = [str(label) for label in table[target].unique().sort().to_list()]
    if arguments.json:
        size = {"rows": table.height, "columns": table.width - 1, "target": target, "labels": labels}
        console.show(json.dumps({"name": arguments.load, **size}, ensure_ascii=False))
    else:
        words = f"{arguments.load}: {table.height} rows, {table.width - 1} columns"
        console.show(f"{words}; target {target}, {' or '.join(labels)}")
    if arguments.output is not None:
        with output_table(arguments.output) as write:
            write(table)
        console.remark(f"written to {arguments.output}")
    return 0


def _table(name: str) -> pl.DataFrame:
    """Return a data set as a table whose last column is its target."""
    import numpy as np
    import polars as pl

    from idnf import datasets
    from idnf.commands.demo import patients
    from idnf.datasets.loans import loan_table

    if name == "loans":
        loans = loan_table()
        days = pl.col("employed").dt.total_days().alias("days employed")
        decision = np.where(loans.approved, "approved", "declined")
        return loans.to_polars().with_columns(days).drop("employed").with_columns(decision=pl.Series(decision))
    if name == "breast-cancer":
        return patients()
    X, y = datasets.load(name)
    if isinstance(X, np.ndarray):
        table = pl.DataFrame(X.astype(np.int8), schema=list(datasets.feature_names(name)))
        return table.with_columns(pl.Series("class", np.asarray(y)))
    columns = {column: X[column].to_numpy() for column in X.columns}
    return pl.DataFrame(columns).with_columns(pl.Series("class", np.asarray(y).tolist()))
