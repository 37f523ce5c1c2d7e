"""``idnf retrain``: a model for new rows that changes few decisions, and what it changes."""

from __future__ import annotations

import argparse
import json

from idnf import exporting, reporting
from idnf.choosing.retraining import retrain
from idnf.commands.models import convert_types, labelled, target_of
from idnf.commands.output import Console
from idnf.commands.table_files import read_rows, without_strays
from idnf.commands.target_labels import listed_columns
from idnf.exporting.model_json import from_json
from idnf.logic.errors import InvalidArgument


def run_retrain(arguments: argparse.Namespace, console: Console) -> int:
    """Write the best model found on new rows that changes few decisions, and print what it changes."""
    old = from_json(arguments.model)
    rows = without_strays(read_rows(arguments, console, old).given, console)
    target = target_of(arguments, old)
    given, labels = labelled(rows, target, old)
    table = given.drop(target)
    added = listed_columns(arguments.new_columns, table.columns, "--new-columns")
    X = convert_types(table, old)
    known = [name for name in added if name in X.columns]
    if known:
        raise InvalidArgument("--new-columns", "name columns that the model does not have", known[0])
    found = retrain(
        old,
        X.with_columns(table.select(added)),
        labels,
        arguments.most_changed,
        learner=arguments.learner,
        new_columns=added,
        cv=arguments.folds,
        progress=console.progress("retraining"),
    )
    new = found.model
    exporting.to_json(new, arguments.output)
    console.show(json.dumps(found.to_dict(), ensure_ascii=False, default=str) if arguments.json else found.to_text())
    if arguments.page is not None:
        sections = [reporting.retraining_section(found)]
        reporting.to_html(new, arguments.page, X.with_columns(table.select(added)), labels, sections=sections)
        console.remark(f"page written to {arguments.page}")
    console.remark(f"written to {arguments.output}")
    return 0
