"""What users say about changes: columns that stay as they are, or that none is to be proposed."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Literal

from idnf.classifier.estimator import DNFClassifier
from idnf.commands.arguments import listed_columns


def add_change_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that limit the changes proposed, or switch them off."""
    which = parser.add_mutually_exclusive_group()
    text = "columns that cannot change, parted by commas (repeatable)"
    which.add_argument("--immutable", action="append", default=[], metavar="A,B", help=text)
    which.add_argument("--no-changes", action="store_true", help="propose no change of any column")


def asked_immutable(arguments: argparse.Namespace, names: Sequence[str]) -> list[str] | Literal["all"] | None:
    """Return the columns that cannot change, "all" of them, or None where nothing was said."""
    if arguments.no_changes:
        return "all"
    return listed_columns(arguments.immutable, names, "--immutable") or None


def limited(classifier: DNFClassifier, arguments: argparse.Namespace) -> DNFClassifier:
    """Return a model that keeps to what the user says about changes, beside what the model file says."""
    names = [column.name for column in classifier.fitted_.columns] + classifier.binariser_.input_names
    asked = asked_immutable(arguments, names)
    if asked is None:
        return classifier
    return classifier.with_immutable(asked if asked == "all" else [*classifier.fitted_.immutable, *asked])
