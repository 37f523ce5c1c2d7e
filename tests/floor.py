"""Print the lowest version that pyproject.toml allows of each package the core tests need, as requirements for pip.

`make floor` installs these and runs the core tests: everything that needs no engine but polars and DuckDB, no browser
and no database.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

EXTRAS = ("duckdb", "pandas", "polars", "sat")
TOOLS = ("array-api-strict", "hypothesis", "pytest")


def lowest(project: dict) -> list[str]:
    """Return the requirements with their lowest versions, each once."""
    optional = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(line for extra in EXTRAS for line in optional[extra])]
    wanted += [line for line in optional["test"] if line.split(">=")[0] in TOOLS]
    return sorted({line.replace(">=", "==") for line in wanted})


if __name__ == "__main__":
    text = (Path(__file__).parent.parent / "pyproject.toml").read_text(encoding="utf-8")
    print(*lowest(tomllib.loads(text)["project"]))
