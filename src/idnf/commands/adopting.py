"""The command that adopts edits of a page: a new model, proved, with where it comes from."""

from __future__ import annotations

import argparse

from idnf import exporting
from idnf.classifier.bands import single_classifier
from idnf.commands.models import convert_types, labelled, target_of
from idnf.commands.output import Console
from idnf.commands.table_files import read_rows
from idnf.exporting.adoption import adopt
from idnf.exporting.edits_json import read_edits


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Write the model that edits make of another one; print what is proved of it and what changes on labelled rows."""
    classifier = single_classifier(exporting.from_json(arguments.model), "adopt")
    edits = read_edits(arguments.edits)
    X, y = None, None
    if arguments.table:
        target = target_of(arguments, classifier)
        given, y = labelled(read_rows(arguments, console, classifier).given, target, classifier)
        X = convert_types(given.drop(target), classifier)
    found = adopt(classifier, edits, X, y, k=arguments.k)
    console.show(found.to_text())
    exporting.to_json(found.classifier, arguments.output)
    console.remark(f"written to {arguments.output}")
    return 0
