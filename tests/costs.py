"""Processor time of each test, its own and that of the processes it starts: the option `--cost 30`."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

TICKS = os.sysconf("SC_CLK_TCK")


def spent(pid: int | str = "self") -> float:
    """Return the seconds of processor time that a process and all processes it started have used so far."""
    process = Path(f"/proc/{pid}")
    try:
        counts = process.joinpath("stat").read_text().rpartition(")")[2].split()[11:15]
        children = [child for path in process.glob("task/*/children") for child in path.read_text().split()]
    except OSError:  # it ended meanwhile: its parent has counted it
        return 0.0
    return sum(map(int, counts)) / TICKS + sum(map(spent, children))


class Costs:
    """Notes what each test took, in whichever worker it ran, and prints the dearest tests and files."""

    def __init__(self, lines: int):
        self.lines = lines
        self.last = self.collection = 0.0
        self.tests: Counter[str] = Counter()

    def pytest_collection_finish(self) -> None:
        self.last = self.collection = spent()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self):
        report = yield
        now = spent()
        report.cost, self.last = now - self.last, now
        report.collection, self.collection = self.collection, 0.0  # with a worker's first report
        return report

    def pytest_runtest_logreport(self, report) -> None:
        self.tests[report.nodeid] += getattr(report, "cost", 0.0)
        self.tests["(collection)"] += getattr(report, "collection", 0.0)

    def pytest_terminal_summary(self, terminalreporter) -> None:
        files: Counter[str] = Counter()
        for name, cost in self.tests.items():
            files[name.partition("::")[0]] += cost
        for title, costs in (("tests", self.tests), ("files", files)):
            terminalreporter.section(f"processor time of {title}: {sum(costs.values()):.0f} s in all")
            for name, cost in costs.most_common(self.lines):
                terminalreporter.write_line(f"{cost:8.2f}  {name}")
