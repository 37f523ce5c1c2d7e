"""How often the adversary tries."""

from __future__ import annotations

import pytest
from tests.strategies import seeds


@pytest.fixture
def rounds():
    """Return the seeds of the rounds of an attack: few in the gate, many new ones in the long run."""
    return seeds
