"""Counts of what the adversary tried."""

from __future__ import annotations

import pytest
from tests.adversary.tally import pytest_terminal_summary

__all__ = ["pytest_terminal_summary", "rounds"]


@pytest.fixture
def rounds(request: pytest.FixtureRequest):
    """Return the number of rounds of an attack: few in the gate, many in the long run."""
    slow = request.config.getoption("--slow")
    return lambda few, many: range(many if slow else few)
