"""How much was tried and how much of it came out wrong, printed at the end of a run."""

from __future__ import annotations

from collections import Counter

import pytest

TRIED: Counter[str] = Counter()


def count(what: str, number: int = 1) -> None:
    """Add to what was tried; a test that finds something wrong fails instead."""
    TRIED[what] += number


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand the counts of a worker to the process that prints them."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["tried"] = dict(TRIED)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node) -> None:
    """Add the counts of a worker that has ended."""
    TRIED.update(getattr(node, "workeroutput", {}).get("tried", {}))


def pytest_terminal_summary(terminalreporter) -> None:
    if TRIED:
        terminalreporter.section("what was tried to break it")
        for what, number in TRIED.items():
            terminalreporter.write_line(f"{number:>9}  {what}")
