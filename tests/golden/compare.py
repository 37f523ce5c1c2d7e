"""Compare what the system does with a record of it, its meaning apart from its words: `make golden`.

    python -m tests.golden.compare                    every entry: same, or which words or which meaning differ
    python -m tests.golden.compare --only lazy        those with this in their name; `*` and `?` as in file names
    python -m tests.golden.compare --save FOLDER      every part in full, to set beside another commit's by `diff -r`
    python -m tests.golden.compare --update-words     renew the words; refused if the meaning of an entry differs
    python -m tests.golden.compare --update           renew all; entries not asked for stay as they are

The *meaning* of an entry is labels, bands, shares, reasons and changes as columns and cells, bounds, objectives, what
checkers say, exit codes. Its *words* are texts, pages, files and output, by kind. Exits with 1 if the meaning of an
entry differs, an entry is gone, or one is not in the record; words may differ.

The record keeps short parts as they are, and a hash of each other part. Of the paper's data, which are not ours to pass
on, numbers and hashes alone are kept; without `IDNF_DATA` those entries are left out.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import platform
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import sklearn
from tests.golden import commands, documents, entries, questions
from tests.golden.answers import Made, Parts, parts_of, plain
from tests.golden.entries import PAPER, Entry

RECORD = Path(__file__).parent / "record.json"
MEANING, WORDS = "meaning", "words"
NUMBERS = ("objective", "errors", "conditions", "optimal", "bound", "exit code")
"""Parts that are kept as they are of the paper's data too, and printed if they differ."""

SHORT = 100
"""Characters of JSON up to which a part is kept as it is."""

SAME, NEW, GONE = "same", "new", "gone"
WORDS_DIFFER, MEANING_DIFFERS = "words differ", "meaning differs"
VERDICTS = (SAME, WORDS_DIFFER, MEANING_DIFFERS, NEW, GONE)
FAILING = (MEANING_DIFFERS, NEW, GONE)

Kept = dict[str, dict[str, object]]
"""Meaning and words of an entry, each by part."""


def all_entries() -> dict[str, Entry]:
    """Return how everything that the record holds is made, by name."""
    return dict([*entries.entries().items(), *documents.entries(), *questions.entries(), *commands.entries()])


def whole(entry: Entry) -> Kept:
    """Return all parts of an entry as they come back from JSON; a refusal is a part as well."""
    try:
        made = entry()
        parts = parts_of(made) if isinstance(made, Made) else made
    except ValueError as error:
        parts = Parts({"refused": True}, {"error": str(error)})
    return {MEANING: plain(parts.meaning), WORDS: plain(parts.words)}


def kept(name: str, parts: Kept) -> Kept:
    """Return parts as the record has them."""
    private = name.startswith(PAPER)
    return {
        side: {part: value if _is_kept(part, value, private) else _hash(value) for part, value in values.items()}
        for side, values in parts.items()
    }


def _is_kept(part: str, value: object, private: bool) -> bool:
    return part in NUMBERS or (not private and len(json.dumps(value)) <= SHORT)


def _hash(value: object) -> str:
    return "#" + hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Verdict:
    """What became of an entry, and the parts of its meaning and the kinds of its words that differ.

    >>> old = {"meaning": {"labels": "01", "errors": 0.2}, "words": {"text": "a", "page": "#1"}}
    >>> Verdict.of(old, {**old, "words": {"text": "b", "page": "#1"}})
    Verdict(verdict='words differ', meaning=(), words=('text',))
    >>> Verdict.of(old, {"meaning": {"labels": "01"}, "words": old["words"]})
    Verdict(verdict='meaning differs', meaning=('errors',), words=())
    """

    verdict: str
    meaning: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @classmethod
    def of(cls, old: Kept | None, new: Kept | None) -> Verdict:
        """Return the verdict on an entry, given what the record has and what there is now."""
        if old is None or new is None:
            return cls(NEW if old is None else GONE)
        meaning, words = (_differing(old[side], new[side]) for side in (MEANING, WORDS))
        return cls(MEANING_DIFFERS if meaning else WORDS_DIFFER if words else SAME, meaning, words)

    def __str__(self) -> str:
        meaning = f"meaning: {', '.join(self.meaning)}" * bool(self.meaning)
        words = f"words: {', '.join(self.words)}" * bool(self.words)
        return "; ".join(filter(None, (meaning, words)))


def _differing(old: Mapping[str, object], new: Mapping[str, object]) -> tuple[str, ...]:
    missing = object()
    return tuple(part for part in dict.fromkeys([*old, *new]) if old.get(part, missing) != new.get(part, missing))


def read_record() -> dict[str, dict]:
    return json.loads(RECORD.read_text(encoding="utf-8"))


def compared(names: Sequence[str], record: Mapping[str, Kept]) -> dict[str, Verdict]:
    """Return the verdict on some entries, which are made anew."""
    known = all_entries()
    return {name: Verdict.of(record.get(name), kept(name, whole(known[name]))) for name in names}


def versions() -> dict[str, str]:
    """Return what beside our code may change a model or a text."""
    packages = {module.__name__: module.__version__ for module in (np, sklearn, pl, duckdb)}
    return {"python": ".".join(platform.python_version_tuple()[:2]), **packages}


def write(record: Mapping[str, Kept], made_with: Mapping[str, str]) -> None:
    lines = ",\n".join(f"{json.dumps(name)}: {_block(record[name])}" for name in sorted(record))
    text = f'{{\n"versions": {json.dumps(made_with)},\n"entries": {{\n{lines}\n}}\n}}\n'
    RECORD.write_text(text, encoding="utf-8")


def _block(parts: Kept) -> str:
    """Return parts as JSON, a line each."""
    sides = (
        f' "{side}": {{\n'
        + ",\n".join(f"  {json.dumps(part)}: {json.dumps(value)}" for part, value in values.items())
        + "\n }"
        for side, values in parts.items()
    )
    return "{\n" + ",\n".join(sides) + "\n}"


def save(folder: Path, name: str, parts: Kept) -> None:
    """Write every part of an entry, whole, one file each."""
    for side, values in parts.items():
        there = folder / name / side
        there.mkdir(parents=True, exist_ok=True)
        for part, value in values.items():
            text = value if isinstance(value, str) else json.dumps(value, indent=1, ensure_ascii=False)
            (there / part.replace(" ", "-")).write_text(text + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    options = read_options(arguments)
    before = read_record() if RECORD.exists() else {"versions": {}, "entries": {}}
    known = all_entries()
    has_paper = any(name.startswith(PAPER) for name in known)
    asked = [name for name in known if fnmatch(name, f"*{options.only}*")]
    old = {
        name: parts
        for name, parts in before["entries"].items()
        if fnmatch(name, f"*{options.only}*") and (has_paper or not name.startswith(PAPER))
    }
    if before["versions"] not in ({}, versions()):
        print(f"The record was made with {before['versions']}; this is {versions()}.")
    start, new, verdicts = time.process_time(), {}, {}
    for name in [*asked, *(name for name in old if name not in known)]:
        if name in known:
            parts = whole(known[name])
            new[name] = kept(name, parts)
            if options.save:
                save(options.save, name, parts)
        verdicts[name] = Verdict.of(old.get(name), new.get(name))
        tell(name, verdicts[name], old.get(name), new.get(name))
    print_tables(verdicts)
    print(f"{time.process_time() - start:.0f} s of processor time.")
    failed = any(one.verdict in FAILING for one in verdicts.values())
    if options.update or (options.update_words and not failed):
        others = {name: parts for name, parts in before["entries"].items() if name not in old}
        write({**others, **new}, versions())
    elif options.update_words:
        print("The record stays as it is: --update-words must leave the meaning alone; --update renews that too.")
    return int(failed and not options.update)


def read_options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="PATTERN", help="entries with this in their name")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="write every part in full")
    renew = parser.add_mutually_exclusive_group()
    renew.add_argument("--update", action="store_true", help="renew the record")
    renew.add_argument("--update-words", action="store_true", help="renew the words, if no meaning differs")
    return parser.parse_args(arguments)


def tell(name: str, found: Verdict, old: Kept | None, new: Kept | None) -> None:
    """Print what became of an entry, with the numbers that differ, unless it is the same."""
    if found.verdict == SAME:
        return
    print(f"{found.verdict:16} {name}  {found}".rstrip(), flush=True)
    for part in found.meaning:
        before, after = (json.dumps(parts[MEANING].get(part)) for parts in (old, new))
        if part in NUMBERS or not (before + after).count("#"):
            print(f"{'':16} {part}: {before} -> {after}")


def print_tables(verdicts: Mapping[str, Verdict]) -> None:
    """Print how many entries of each kind have which verdict, and what differs by kind."""
    counts = Counter((name.split("/")[0], one.verdict) for name, one in verdicts.items())
    print(f"\n{'':12}" + "".join(f"{verdict:>17}" for verdict in VERDICTS))
    for kind in [*dict.fromkeys(kind for kind, _ in counts), "all"]:
        numbers = [
            sum(n for (k, v), n in counts.items() if v == verdict and kind in (k, "all")) for verdict in VERDICTS
        ]
        print(f"{kind:12}" + "".join(f"{number or '.':>17}" for number in numbers))
    for side in (MEANING, WORDS):
        parts = Counter(part for one in verdicts.values() for part in getattr(one, side))
        listed = ", ".join(f"{part} {count}" for part, count in parts.most_common())
        print(f"Differences in {side} by kind: {listed or 'none'}.")


if __name__ == "__main__":
    sys.exit(main())
