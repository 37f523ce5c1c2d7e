"""Profiles of the property tests, the options `--slow` and `--fast`, and which tests run in the same worker."""

from __future__ import annotations

import atexit
import gc
import os
import re
import secrets
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from tests.adversary.tally import pytest_sessionfinish, pytest_terminal_summary, pytest_testnodedown
from tests.browsers import browser
from tests.commands.command_server import command, ended
from tests.costs import Costs
from tests.engines import engines, spark
from tests.postgres import postgres_url

from idnf.learning.local.kernels import is_compiled

__all__ = [
    "browser",
    "command",
    "ended",
    "engines",
    "postgres_url",
    "pytest_sessionfinish",
    "pytest_terminal_summary",
    "pytest_testnodedown",
    "spark",
]

# The gate draws the same cases in every run; `make slow` draws new ones each time, and first those that once failed.
settings.register_profile("gate", derandomize=True, deadline=None, max_examples=30)
settings.register_profile("fast", derandomize=True, deadline=None, max_examples=10)
settings.register_profile("slow", deadline=None, max_examples=2000)

# Tests make and drop many small objects, and few in cycles: looking for those less often saves a tenth of the time.
gc.set_threshold(20_000, 20, 50)

# Each of these starts once, as all tests that need it run in one worker. What takes longest begins first.
SERVERS = ("spark", "postgres", "browser", "command")
FIRST = ("browser", "spark", "tests/test_broken_later.py", "tests/first_hour/test_traps.py", "postgres", "command")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the long tests and many more generated cases")
    parser.addoption("--fast", action="store_true", help="run few generated cases")
    parser.addoption("--first-seed", type=int, help="with --slow: draw the seeds of an earlier run, which printed this")
    parser.addoption("--cost", type=int, metavar="N", help="print the N tests and files that took most processor time")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--cost"):
        config.pluginmanager.register(Costs(config.getoption("--cost")))
    # Where nothing was compiled, numpy is meant: no test is about what would be said of it.
    if not is_compiled():
        os.environ.setdefault("IDNF_KERNELS", "numpy")
    profile = "slow" if config.getoption("--slow") else "fast" if config.getoption("--fast") else "gate"
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", profile))
    if profile != "slow" and hasattr(providers, "_get_local_constants"):
        # Hypothesis also draws constants of the modules imported so far, and which these are depends on the tests that
        # the same worker ran before: the gate draws none of them.
        providers._get_local_constants = providers.Constants
    if config.getoption("--slow"):  # workers inherit it, so that all of them collect the same tests
        first = config.getoption("--first-seed")
        os.environ.setdefault("IDNF_FIRST_SEED", str(secrets.randbelow(10**9) if first is None else first))


def pytest_report_header(config: pytest.Config) -> str | None:
    return f"--first-seed {os.environ['IDNF_FIRST_SEED']}" if config.getoption("--slow") else None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for no examples in the text of tests: there are none, and it takes as long as looking for tests."""
    found = yield
    return [one for one in found if not (isinstance(one, DoctestModule) and file_path.name.startswith("test_"))]


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Number long texts: a time or a random number in them would give every worker other names."""
    return argname if isinstance(val, str | bytes) and len(val) > 200 else None


def pytest_collection_finish() -> None:
    """Spare the collector of garbage what is kept until the end, when pytest looks at everything several times."""
    gc.freeze()
    atexit.register(gc.unfreeze)  # libraries say what they take for leaks after that


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--slow"):
        config.hook.pytest_deselected(items=[item for item in items if "slow" in item.keywords])
        items[:] = [item for item in items if "slow" not in item.keywords]
    groups = {item: group_of(item) for item in items}
    if config.pluginmanager.hasplugin("xdist"):
        for item, group in groups.items():
            item.add_marker(pytest.mark.xdist_group(group))
    items.sort(key=lambda item: FIRST.index(groups[item]) if groups[item] in FIRST else len(FIRST))


def group_of(item: pytest.Item) -> str:
    """Return the server that a test needs, else the group it names, else its file: tests of a file share their fits."""
    words = {*getattr(item, "fixturenames", ()), *re.split(r"[^a-z]+", item.name.partition("[")[2])}
    needed = [server for server in SERVERS if server in words or f"{server}_url" in words]
    named = item.get_closest_marker("group")
    return needed[0] if needed else named.args[0] if named else item.nodeid.partition("::")[0]
