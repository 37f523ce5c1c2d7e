"""The register of fresh tables: `python -m benchmarks.board.fresh` checks it against the package they come with."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

from .collection import RTable

REGISTER = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True)
class FreshTable:
    """An entry of the register: the table, its rows that have a class, its columns beside the target, its classes."""

    table: RTable
    rows: int
    columns: int
    classes: int
    order: tuple[str, ...]

    @classmethod
    def of(cls, name: str, entry: dict) -> FreshTable:
        """Read an entry.

        >>> fresh = FreshTable.of("AER-CPS1985", {"target": "wage", "rule": "above its median", "sha256": "ab12",
        ...     "rows": 534, "columns": 10, "classes": 2})
        >>> fresh.table
        RTable(package='AER', item='CPS1985', column='wage', value='', above=True, dropped=())
        """
        package, _, item = name.partition("-")
        dropped = tuple(column for columns in entry.get("dropped", {}).values() for column in columns)
        table = RTable(package, item, entry["target"], "", "rule" in entry, dropped, entry["sha256"])
        return cls(table, entry["rows"], entry["columns"], entry["classes"], tuple(entry.get("order", ())))

    def check(self) -> None:
        """Read the table, which checks its file, and compare what it holds with the entry."""
        missing = {self.table.column, *self.table.dropped} - set(self.table.whole().columns)
        frame, target = self.table.load()
        found = (*frame.shape, target.nunique())
        if missing or found != (self.rows, self.columns, self.classes) or not set(self.order) <= set(target):
            raise ValueError(f"{self.table.name} must be as registered; got {found}, without columns {missing}.")


@cache
def register() -> dict:
    """Return the register as it is written."""
    return tomllib.loads(REGISTER.read_text(encoding="utf-8"))


@cache
def fresh_tables() -> dict[str, FreshTable]:
    """Return the registered tables by name; none is read."""
    return {name: FreshTable.of(name, entry) for name, entry in register()["tables"].items()}


if __name__ == "__main__":
    package, _, pinned = register()["package"].partition("==")
    if version(package) != pinned:
        raise SystemExit(f"{package} must be {pinned}; got {version(package)}.")
    for fresh in fresh_tables().values():
        fresh.check()
        print(fresh.table.name, fresh.rows, fresh.columns, fresh.classes, sep=",")
