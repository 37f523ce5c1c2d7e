"""The commands, in the order and the groups of ``idnf --help``; what a command needs is imported when it is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

LEARN = "learn"
USE = "use"
CHECK = "explain and check"
GOVERN = "govern"
RESEARCH = "research"


@dataclass(frozen=True)
class Command:
    """A command of the command line.

    Parameters
    ----------
    name : str
    group : str
        The heading it is listed under.
    help : str
        What it does, in a line.
    add_arguments : str
        The full name of the function that adds its arguments to a parser; its module must be quick to import.
    run : str
        The full name of the function that runs it, given the arguments and a console, and returns the exit code.
    reads_only : bool
        Whether it reads models and learns nothing: it then does without scikit-learn (`use_plain_estimators`).
    """

    name: str
    group: str
    help: str
    add_arguments: str
    run: str
    reads_only: bool = False


_HERE = "idnf.commands"

COMMANDS = (
    Command("fit", LEARN, "learn a model from a table", f"{_HERE}.learn_options.add_fit", f"{_HERE}.fitting.run"),
    Command(
        "bands",
        LEARN,
        "learn a score in bands, each step with a reason",
        f"{_HERE}.learn_options.add_bands",
        f"{_HERE}.banding.run",
    ),
    Command(
        "choose",
        LEARN,
        "measure how many conditions a reason needs",
        f"{_HERE}.learn_options.add_choose",
        f"{_HERE}.comparing.run_choose",
    ),
    Command(
        "points",
        LEARN,
        "measure recall against precision along a range of costs",
        f"{_HERE}.learn_options.add_points",
        f"{_HERE}.comparing.run_points",
    ),
    Command(
        "near-equals",
        LEARN,
        "list models as good as the best, and how many rows they agree on",
        f"{_HERE}.learn_options.add_near_equals",
        f"{_HERE}.comparing.run_near_equals",
    ),
    Command(
        "retrain",
        LEARN,
        "learn from new rows, changing few of a model's decisions",
        f"{_HERE}.learn_options.add_retrain",
        f"{_HERE}.retrain_command.run_retrain",
    ),
    Command(
        "predict",
        USE,
        "label every row of a table",
        f"{_HERE}.use_options.add_predict",
        f"{_HERE}.applying.run_predict",
        reads_only=True,
    ),
    Command(
        "export",
        USE,
        "write the model as a program",
        f"{_HERE}.use_options.add_export",
        "idnf.governance.commands.run_export",
        reads_only=True,
    ),
    Command(
        "explain",
        CHECK,
        "give the reason for every row",
        f"{_HERE}.check_options.add_explain",
        f"{_HERE}.applying.run_explain",
        reads_only=True,
    ),
    Command(
        "recourse",
        CHECK,
        "find the cheapest way to another outcome",
        f"{_HERE}.check_options.add_recourse",
        f"{_HERE}.applying.run_recourse",
        reads_only=True,
    ),
    Command(
        "report",
        CHECK,
        "write one page for the auditor",
        f"{_HERE}.check_options.add_report",
        "idnf.governance.commands.run_report",
    ),
    Command(
        "verify",
        CHECK,
        "prove a model's guarantee again",
        f"{_HERE}.check_options.add_verify",
        f"{_HERE}.models.run_verify",
        reads_only=True,
    ),
    Command(
        "check",
        CHECK,
        "prove or refute rules that a model must obey",
        f"{_HERE}.check_options.add_check",
        f"{_HERE}.models.run_check",
    ),
    Command(
        "diff",
        CHECK,
        "show where two models disagree, or prove them equal",
        f"{_HERE}.check_options.add_diff",
        f"{_HERE}.models.run_diff",
        reads_only=True,
    ),
    Command(
        "adopt",
        CHECK,
        "make the model that edits on a page ask for, and prove it",
        f"{_HERE}.check_options.add_adopt",
        f"{_HERE}.adopting.run",
    ),
    Command(
        "record",
        GOVERN,
        "add a record of every decision to a file, or correct one",
        "idnf.governance.options.add_record",
        "idnf.governance.commands.run_record",
        reads_only=True,
    ),
    Command(
        "letters",
        GOVERN,
        "write letters about decisions",
        "idnf.governance.options.add_letters",
        "idnf.governance.commands.run_letters",
        reads_only=True,
    ),
    Command(
        "audit",
        GOVERN,
        "report what other people's rules amount to",
        "idnf.governance.options.add_audit",
        "idnf.governance.commands.run_audit",
    ),
    Command(
        "monitor",
        GOVERN,
        "count reasons by period and measure how far they moved",
        "idnf.governance.options.add_monitor",
        "idnf.governance.commands.run_monitor",
    ),
    Command(
        "analyse",
        RESEARCH,
        "name the paper's classes that a formula is in",
        f"{_HERE}.research_options.add_analyse",
        f"{_HERE}.research.run_analyse",
    ),
    Command(
        "datasets",
        RESEARCH,
        "list the data sets, or write one",
        f"{_HERE}.research_options.add_datasets",
        f"{_HERE}.research.run_datasets",
    ),
    Command(
        "demo",
        RESEARCH,
        "learn, explain, verify and report on built-in data",
        f"{_HERE}.research_options.add_demo",
        f"{_HERE}.research.run_demo",
    ),
)


def imported(name: str) -> Any:
    """Return the function with a full name, its module imported."""
    module, _, function = name.rpartition(".")
    return getattr(import_module(module), function)
