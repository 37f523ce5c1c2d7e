"""A printed model read back into the function it states, whichever of the four forms it is printed in.

It knows nothing of the model but its text: :func:`decided` gives the class that the text gives to each row. Conditions
are those of `benchmarks/readable.py`; they may be joined by "and", "or" and brackets, asked in a tree, or counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from benchmarks.readable import COMPARED, EVER, QUOTED, Part, condition
from numpy.typing import NDArray

Truth = NDArray[np.bool_]
CLASS = r"(?:\S+ is )?(\S+)"
LINE = re.compile(r"(?:     |  or )(\S.*?)(?:  \[[\w, ]+\])?")
NUMBER_IN_BRACKETS = re.compile(r" \[\w+\]")


@dataclass(frozen=True)
class Group:
    """Parts of which all hold, or any."""

    every: bool
    parts: tuple[Group | tuple[str, Part], ...]


Formula = Group | tuple[str, Part]


def formula(text: str) -> Formula:
    """Return conditions joined by "and", "or" and brackets.

    >>> formula("(a <= 2 or colour is red or blue) and b > 1").parts[0].parts[1][1].words == {"red", "blue"}
    True
    >>> [column for column, _ in formula("a <= 2 or missing, or b > 1").parts]
    ['a', 'b']
    """
    while text.startswith("(") and _closing(text) == len(text) - 1:
        text = text[1:-1]
    pieces = list(_split(text, " and "))
    if len(pieces) > 1:
        return Group(True, tuple(map(formula, pieces)))
    alternatives: list[str] = []
    for piece in _split(text, " or "):
        if alternatives and not _begins(piece):
            alternatives[-1] += f" or {piece}"
        else:
            # A comma ends a condition that says "or" itself.
            alternatives = [*(one.removesuffix(",") for one in alternatives), piece]
    if len(alternatives) > 1:
        return Group(False, tuple(map(formula, alternatives)))
    return condition(alternatives[0])


def _begins(piece: str) -> bool:
    """Return whether a piece after "or" is a condition of its own, no further value of the one before."""
    hidden = QUOTED.sub("_", piece)
    return piece.startswith("(") or " is " in hidden or bool(COMPARED.fullmatch(hidden))


def _depths(text: str) -> Iterator[tuple[int, int]]:
    """Yield each place outside quotes, and in how many brackets it stands."""
    hidden, depth = QUOTED.sub(lambda found: "_" * len(found[0]), text), 0
    for place, sign in enumerate(hidden):
        depth += (sign == "(") - (sign == ")")
        if sign != "_" or text[place] == "_":
            yield place, depth


def _closing(text: str) -> int:
    """Return where the bracket that opens a text closes."""
    return next((place for place, depth in _depths(text) if not depth), len(text))


def _split(text: str, word: str) -> Iterator[str]:
    """Yield the parts of a text joined by a word, outside brackets and quotes."""
    start = 0
    for place, depth in _depths(text):
        if not depth and place >= start and text.startswith(word, place):
            yield text[start:place]
            start = place + len(word)
    yield text[start:]


def holds(part: Formula, rows: pd.DataFrame) -> Truth:
    """Return which rows meet a formula."""
    if not isinstance(part, Group):
        column, allowed = part
        return allowed.holds(rows[column])
    return (np.logical_and if part.every else np.logical_or).reduce([holds(one, rows) for one in part.parts])


def decided(text: str, rows: pd.DataFrame) -> NDArray[np.object_]:
    """Return the class that a printed model gives to each row.

    >>> text = "...\\n\\nif a <= 2: no\\notherwise if b > 1: yes\\notherwise: no\\n\\nBehind these"
    >>> decided(text, pd.DataFrame({"a": [1.0, 3, 3], "b": [2.0, 1, 2]})).tolist()
    ['no', 'no', 'yes']
    >>> text = "...\\n\\nyes if at least 1 of these 2 hold\\n     a <= 2\\n     b > 1\\n\\nno otherwise. Each of"
    >>> decided(text, pd.DataFrame({"a": [1.0, 3, 3], "b": [2.0, 1, 2]})).tolist()
    ['yes', 'no', 'yes']
    """
    # What is said of the whole model ends with the first empty line.
    below = text.partition("\n\n")[2].splitlines()
    lines = [NUMBER_IN_BRACKETS.sub("", line) if " otherwise [" in line else line for line in below]
    if lines[0].startswith("if "):
        return _by_tree(iter(lines), rows)
    counted = re.fullmatch(rf"{CLASS} if (?:these add up to )?at least (\d+) (?:of these \d+ hold|points)", lines[0])
    every = np.ones(len(rows), dtype=bool)
    found = np.full(len(rows), "", dtype=object)
    for label, some, start in _paragraphs(lines):
        if counted:
            held = every if start == "otherwise" else _points(some, rows) >= int(counted[2])
        else:
            held = every if start != "if" else np.logical_or.reduce([holds(formula(one), rows) for one in some])
        found[held & (found == "") & (start != "never")] = label
    return found


def _paragraphs(lines: list[str]) -> Iterator[tuple[str, list[str], str]]:
    """Yield each class with its lines, and whether it is given if one of them holds, otherwise, always or never."""
    label, start, some = "", "", list[str]()
    for line in [*lines, "end never"]:
        head = re.match(rf"{CLASS} (if|never|otherwise|always)\b", EVER.sub(r"\1 \3 \2", line))
        if head and not line.startswith("  "):
            if label:
                yield label, some, start
            label, start, some = head[1], head[2], []
        elif found := LINE.fullmatch(line):
            some.append(found[1])


def _points(lines: list[str], rows: pd.DataFrame) -> NDArray[np.intp]:
    """Return what the conditions of a checklist that hold count together, for each row."""
    total = np.zeros(len(rows), dtype=np.intp)
    for line in lines:
        counted = re.fullmatch(r"(\d+) points? if (.*)", line)
        point, text = (int(counted[1]), counted[2]) if counted else (1, line)
        total += point * holds(formula(text), rows)
    return total


def _by_tree(lines: Iterator[str], rows: pd.DataFrame) -> NDArray[np.object_]:
    """Return the answers of a tree: each is given if all conditions on the way to it are as it says."""
    found = np.full(len(rows), "", dtype=object)
    # The rows that reach each level, and those of it that no condition there has taken.
    left = [np.ones(len(rows), dtype=bool)]
    for line in lines:
        if not line:
            break
        depth = (len(line) - len(line.lstrip())) // 4
        question, answer = _parted(line.strip())
        left = left[: depth + 1]
        held = left[-1] if question is None else left[-1] & holds(formula(question), rows)
        left[-1] = left[-1] & ~held
        if answer is None:
            left.append(held)
        else:
            found[held] = answer
    return found


def _parted(line: str) -> tuple[str | None, str | None]:
    """Return the condition of a line of a tree, and its answer."""
    hidden = QUOTED.sub(lambda found: "_" * len(found[0]), line)
    end = hidden.index(":")
    said = re.fullmatch(CLASS, line[end + 2 :])
    head = line[:end].removeprefix("otherwise").strip().removeprefix("if ")
    return head or None, said[1] if said else None
