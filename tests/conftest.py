"""Profiles of the property tests, and the options `--slow` and `--fast`."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings
from tests.browsers import browser
from tests.engines import engines, spark
from tests.postgres import postgres_url

from idnf.learning.local.kernels import is_compiled

__all__ = ["browser", "engines", "postgres_url", "spark"]

settings.register_profile("gate", derandomize=True, deadline=None)
settings.register_profile("fast", derandomize=True, deadline=None, max_examples=15)
settings.register_profile("slow", deadline=None, max_examples=2000)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the long tests and many more generated cases")
    parser.addoption("--fast", action="store_true", help="run few generated cases")


def pytest_configure(config: pytest.Config) -> None:
    # Where nothing was compiled, numpy is meant: no test is about what would be said of it.
    if not is_compiled():
        os.environ.setdefault("IDNF_KERNELS", "numpy")
    profile = "slow" if config.getoption("--slow") else "fast" if config.getoption("--fast") else "gate"
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", profile))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="run by `make slow`"))
