"""Columns that several commands let users name, and what users say about changes with them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Literal

from idnf.classifier.estimator import DNFClassifier


def listed_columns(given: Sequence[str], names: Sequence[str], option: str) -> list[str]:
    """Return columns named one by one or parted by commas; a name may hold a comma itself."""
    found: list[str] = []
    for text in given:
        found += [text] if text in names else [part.strip() for part in text.split(",")]
    for name in found:
        refuse_unknown_column(names, name, option)
    return found


def refuse_unknown_column(names: Sequence[str], name: str, option: str) -> None:
    """Refuse the name of a column that is not there; name the nearest one."""
    if name not in names:
        close = get_close_matches(name, names, 1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise ValueError(f"{option} must name a column ({', '.join(names)}); got {name}.{hint}")


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
