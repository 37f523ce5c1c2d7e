"""Compare the models that the code learns, and all they answer, with a record: `make golden`.

    python -m tests.golden.compare                    every entry: same, same answers, better, changed, and which part
    python -m tests.golden.compare --only lazy        those with this in their name; `*` and `?` as in file names
    python -m tests.golden.compare --diff             with the lines of model files and texts that differ
    python -m tests.golden.compare --save FOLDER      every part in full, to set beside another commit's by `diff -r`
    python -m tests.golden.compare --update           make the record anew; entries not asked for stay as they are

*same*: every part is, the model file to the byte. *same answers*: labels, probabilities, explanations, reasons, changes
and the model in words are; other parts differ and are named. *better*: another model, whose training objective is
lower, or as low with fewer conditions; two objectives compare where the setting, what is minimised and the price of a
literal, is the same. *changed*: anything else. Exits with 1 if an entry changed, is gone, or is not in the record.

The record keeps short parts and the model in words as they are, and a hash of each other part; `models` has whole model
files of some entries. Of the paper's data, which are not ours to pass on, numbers and hashes alone are kept; without
`IDNF_DATA` those entries are left out.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import json
import platform
import sys
import time
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import sklearn
from tests.golden.answers import Parts, parts_of
from tests.golden.entries import PAPER, Entry, entries

HERE = Path(__file__).parent
RECORD, MODELS = HERE / "record.json", HERE / "models"

KEPT = (
    "grid/ones-2-greedy-nested-3",
    "grid/ones-2-search-any-4",
    "grid/ones-3-search-any-3",
    "grid/ring-2-exact-pair-tree-3",
    "grid/ring-2-search-nested-3",
    "grid/ring-3-exact-tree-3",
    "tuned/*",
    "columns/*-search",
    "lazy/*-tuned",
    "limits/m*",
    "policies/*",
    "audits/*",
    "rectified/*",
    "chosen/*",
    "fair/*",
)
"""Entries whose model files are kept whole."""

ANSWERS = (
    "error",
    "labels",
    "probabilities",
    "explanations",
    "boolean explanations",
    "axps",
    "boolean axps",
    "reasons",
    "recourse",
    "relevance",
    "attribution",
    "principal reasons",
    "can decide",
    "next column",
    "text",
    "lazy",
)
"""The parts that say what a model answers."""

NUMBERS = ("objective", "setting", "errors", "conditions", "optimal", "bound", "bound family", "size")
SHORT = 100
"""Characters of JSON up to which a part is kept as it is."""

TOLERANCE = 1e-9
VERDICTS = ("same", "same answers", "better", "changed", "new", "gone")
FAILING = ("changed", "new", "gone")


def made(entry: Entry) -> Parts:
    """Return all parts of an entry as they come back from JSON; a refusal is a part as well."""
    try:
        parts = parts_of(entry())
    except ValueError as error:
        parts = {"error": str(error)}
    return json.loads(json.dumps(parts, default=str))


def recorded(name: str, parts: Parts) -> Parts:
    """Return parts as the record has them."""
    private = name.startswith(PAPER)
    return {part: value if _is_kept(part, value, private) else _hash(value) for part, value in parts.items()}


def _is_kept(part: str, value: object, private: bool) -> bool:
    if private:
        return part in NUMBERS
    return part in ("text", "labels", "error", "certificate", *NUMBERS) or len(json.dumps(value)) <= SHORT


def _hash(value: object) -> str:
    return "#" + hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


def verdict(old: Parts | None, new: Parts | None) -> tuple[str, list[str]]:
    """Return what became of an entry, and the parts that differ.

    >>> old = {"file": "#1", "text": "a", "objective": 0.2, "setting": None, "conditions": 4}
    >>> verdict(old, {**old, "file": "#2"})
    ('same answers', ['file'])
    >>> verdict(old, {**old, "text": "b", "conditions": 3})
    ('better', ['text', 'conditions'])
    >>> verdict(old, {**old, "text": "b", "objective": 0.25})
    ('changed', ['text', 'objective'])
    """
    if old is None or new is None:
        return ("new" if old is None else "gone"), []
    differing = [part for part in dict.fromkeys([*old, *new]) if old.get(part) != new.get(part)]
    if not differing:
        return "same", []
    if not set(differing) & set(ANSWERS):
        return "same answers", differing
    return ("better" if _is_better(old, new) else "changed"), differing


def _is_better(old: Parts, new: Parts) -> bool:
    before, after = old.get("objective"), new.get("objective")
    if before is None or after is None or old["setting"] != new["setting"]:
        return False
    if after < before - TOLERANCE:
        return True
    return after <= before + TOLERANCE and new["conditions"] < old["conditions"]


def moved(old: Parts, new: Parts) -> str:
    """Return the numbers of an entry that moved."""
    names = [name for name in ("objective", "errors", "conditions", "optimal") if old.get(name) != new.get(name)]
    return "; ".join(f"{name} {old.get(name)} -> {new.get(name)}" for name in names)


def versions() -> dict[str, str]:
    """Return what beside our code may change a model or a text."""
    packages = {module.__name__: module.__version__ for module in (np, sklearn, pl, duckdb)}
    return {"python": ".".join(platform.python_version_tuple()[:2]), **packages}


def model_path(name: str) -> Path:
    return MODELS / f"{name.replace('/', '-')}.json"


def is_kept(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in KEPT)


def difference(name: str, old: Parts, new: Parts, parts: Parts) -> Iterator[str]:
    """Yield the lines of the model in words and of the model file that differ."""
    texts = [("text", str(old.get("text")), str(new.get("text")))]
    if model_path(name).exists() and "file" in parts:
        texts.append(("file", model_path(name).read_text(encoding="utf-8"), str(parts["file"])))
    for part, before, after in texts:
        yield from difflib.unified_diff(
            before.splitlines(), after.splitlines(), f"{name} {part}, recorded", f"{name} {part}, now", lineterm="", n=0
        )


def write(record: dict[str, Parts]) -> None:
    entries = ",\n".join(f"{json.dumps(name)}: {_block(parts)}" for name, parts in sorted(record.items()))
    text = f'{{\n"versions": {json.dumps(versions())},\n"entries": {{\n{entries}\n}}\n}}\n'
    RECORD.write_text(text, encoding="utf-8")


def _block(parts: Parts) -> str:
    """Return parts as JSON, a line each."""
    return "{\n" + ",\n".join(f" {json.dumps(part)}: {json.dumps(value)}" for part, value in parts.items()) + "\n}"


def save(folder: Path, name: str, parts: Parts) -> None:
    """Write every part of an entry, whole, one file each."""
    there = folder / name
    there.mkdir(parents=True, exist_ok=True)
    for part, value in parts.items():
        text = value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False)
        (there / part.replace(" ", "-")).write_text(text + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    options = read_options(arguments)
    before = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {"versions": {}, "entries": {}}
    known = entries()
    has_paper = any(name.startswith(PAPER) for name in known)
    asked = {name: entry for name, entry in known.items() if fnmatch(name, f"*{options.only}*")}
    old = {
        name: parts
        for name, parts in before["entries"].items()
        if fnmatch(name, f"*{options.only}*") and (has_paper or not name.startswith(PAPER))
    }
    if before["versions"] not in ({}, versions()) and not options.update:
        print(f"The record was made with {before['versions']}; this is {versions()}.")
    start, new, counts = time.process_time(), {}, Counter()
    for name in [*asked, *(name for name in old if name not in asked)]:
        whole = made(asked[name]) if name in asked else {}
        if name in asked:
            new[name] = recorded(name, whole)
        found, parts = verdict(old.get(name), new.get(name))
        counts[name.split("/")[0], found] += 1
        tell(name, found, parts, [old.get(name, {}), new.get(name, {}), whole], diff=options.diff)
        if options.save:
            save(options.save, name, whole)
        if options.update:
            keep_model(name, whole)
    print_table(counts)
    print(f"{time.process_time() - start:.0f} s of processor time.")
    if not options.update:
        return int(any(found in FAILING for _, found in counts))
    write({**{name: parts for name, parts in before["entries"].items() if name not in old}, **new})
    return 0


def read_options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="PATTERN", help="entries with this in their name")
    parser.add_argument("--update", action="store_true", help="make the record anew")
    parser.add_argument("--diff", action="store_true", help="show texts and model files that differ")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="write every part in full")
    return parser.parse_args(arguments)


def tell(name: str, found: str, parts: list[str], sides: list[Parts], *, diff: bool) -> None:
    """Print what became of an entry, unless it is the same."""
    old, new, whole = sides
    if found != "same":
        print(f"{found:12} {name}: {', '.join(parts)}".removesuffix(": "), flush=True)
    if parts and (line := moved(old, new)):
        print(f"{'':12} {line}")
    if parts and diff:
        print(*difference(name, old, new, whole), sep="\n")


def keep_model(name: str, whole: Parts) -> None:
    """Write the model file of an entry whose file is kept, and remove that of one whose file no longer is."""
    if is_kept(name) and "file" in whole:
        MODELS.mkdir(exist_ok=True)
        model_path(name).write_text(str(whole["file"]), encoding="utf-8")
    else:
        model_path(name).unlink(missing_ok=True)


def print_table(counts: Counter[tuple[str, str]]) -> None:
    rooms = list(dict.fromkeys(room for room, _ in counts))
    print(f"\n{'':12}" + "".join(f"{found:>14}" for found in VERDICTS))
    for room in [*rooms, "all"]:
        numbers = [sum(counts[one, found] for one in (rooms if room == "all" else [room])) for found in VERDICTS]
        print(f"{room:12}" + "".join(f"{number or '.':>14}" for number in numbers))


if __name__ == "__main__":
    sys.exit(main())
