"""``idnf analyse``: what the paper says of a formula."""

from __future__ import annotations

import argparse
import json

from idnf.commands.arguments import Commands, add_command
from idnf.commands.console import Console
from idnf.logic.analysis import analyse
from idnf.logic.dnf import DNF


def add_parser(commands: Commands) -> None:
    """Add the command to the command line."""
    example = "idnf analyse 'a & b | c & ~d'"
    parser = add_command(commands, "analyse", run, what="say what the paper says of a formula", example=example)
    parser.add_argument("formula", help="a formula of & | ~ and brackets; names with other signs in quotes")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the analysis of one formula."""
    analysis = analyse(DNF.parse(arguments.formula))
    console.show(json.dumps(analysis.to_dict(), indent=2) if arguments.json else analysis.to_text())
    return 0
