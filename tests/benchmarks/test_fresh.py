"""The register of fresh tables is changed on purpose only, is well formed, and names no table used elsewhere."""

from __future__ import annotations

import re
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest
from benchmarks.board.collection import R_TABLES, check_intact, r_tables, sources
from benchmarks.board.fresh import REGISTER, fresh_tables, register

ROOT = Path(__file__).parents[2]
# Whoever changes the register changes this too, before the learner of the release changes.
SUM = "d01c01b8e62e5018d3ed21ec733b8e72f47ca6038a97720cd877bc8b6b7768b1"
ENTRIES = register()["tables"]
TABLES = {name: fresh.table for name, fresh in fresh_tables().items()}
KEYS = {"target", "rows", "columns", "classes", "sha256"}


def test_register_is_as_it_was_made():
    assert sha256(REGISTER.read_bytes()).hexdigest() == SUM


def test_there_are_enough_tables_of_each_kind():
    classes = [entry["classes"] for entry in ENTRIES.values()]
    rows = [entry["rows"] for entry in ENTRIES.values()]
    assert len(ENTRIES) >= 60
    assert classes.count(2) >= 45
    assert sum(count > 2 for count in classes) >= 12
    assert sum("rule" in entry for entry in ENTRIES.values()) <= len(ENTRIES) / 4
    assert min(rows) >= 150
    assert sum(count > 5_000 for count in rows) >= 10
    assert sum(count > 20_000 for count in rows) >= 5


def test_entries_are_well_formed():
    for name, entry in ENTRIES.items():
        assert re.fullmatch(r"\w+-[\w.]+", name)
        assert KEYS <= set(entry) <= KEYS | {"rule", "order", "dropped"}, name
        assert re.fullmatch("[0-9a-f]{64}", entry["sha256"]), name
        assert entry.get("rule", "above its median") == "above its median", name
        assert len(entry.get("order", range(entry["classes"]))) == entry["classes"] >= 2, name
        left_out = [entry["target"], *TABLES[name].dropped]
        assert len(set(left_out)) == len(left_out), name


def test_no_file_is_registered_twice():
    assert len({entry["sha256"] for entry in ENTRIES.values()}) == len(ENTRIES)


def test_no_table_is_used_elsewhere():
    assert not set(ENTRIES) & (set(sources()) | {table.name for table in r_tables(*R_TABLES)})
    pairs = "|".join(rf"{table.package}[-/ ]{re.escape(table.item)}" for table in TABLES.values())
    separated = re.compile(rf"\b(?:{pairs})\b")
    lists = [*ROOT.glob("benchmarks/**/*.py"), *ROOT.glob("benchmarks/peers/*.toml"), *ROOT.glob("examples/**/*.py")]
    results = [path for path in ROOT.glob("experiments/**/*") if path.suffix in {".py", ".csv", ".json", ".md"}]
    found = {path: separated.findall(path.read_text(encoding="utf-8")) for path in (*lists, *results)}
    assert not {path.name: names for path, names in found.items() if names}
    assert separated.findall("r AER CPS1988, AER CPS1985") == ["AER CPS1988"]


def test_benchmarks_install_the_registered_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert register()["package"] in project["optional-dependencies"]["bench"]


def test_changed_file_is_refused(tmp_path):
    path = tmp_path / "table.pkl.compress"
    path.write_bytes(b"")
    check_intact(path, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    path.write_bytes(b"1")
    with pytest.raises(ValueError, match=r"table\.pkl\.compress must have the SHA-256 sum e3b0"):
        check_intact(path, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
