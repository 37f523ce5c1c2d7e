"""How much there is to read in a model, and whether every word of it is needed: checked on the printed text alone.

    python benchmarks/readable.py              a table: ours beside CART and, where pystreed is installed, optimal trees
    python benchmarks/readable.py --check      only the check, which ends with an error where it fails

The data are the paper's, split 0, and tables of numbers that come with scikit-learn; the scoreboard asks the same of
every model of ours, and keeps the answers in its cells. The check reads what `to_text` prints and knows nothing else of
the model: every line is a box over columns, a row is of the first class with a line that holds. By the definitions, no
condition of a line can be dropped (without it, the line would hold some row that no line of its class holds), no line
lies within the others of its class, and no two cuts of a column that part less than one row in a hundred could be one
(that would cost more than one training row).
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import median

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from idnf import DNFClassifier
from idnf.datasets.loading import PAPER, load_paper

KS = (2, 3, 4)
SLIVER = 0.01
END = float("inf")
EVERY = ((-END, END),)
NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"
TIME = r"\d{4}-\d\d-\d\d(?: \d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?: UTC)?"
CUT = rf"(?:{TIME}|{NUMBER})"
COMPARED = re.compile(rf"(?:({CUT}) (<=?) )?(.+?) (<=|>=|>) ({CUT})", re.ASCII)
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
EVER = re.compile(r"^(\S+ is) (never|always) (\S+)")
LINE = re.compile(r"(?:     |  or )(\S.*?)  \[\w+\]")
START = pd.Timestamp(0, tz="UTC")
TRUTHS = {"false": (-END, 0.5), "true": (0.5, END)}


@dataclass(frozen=True)
class Part:
    """What a condition allows of a column: intervals of numbers, open below and closed above; words, or all but these.

    ``missing`` says whether a missing value will do.
    """

    intervals: tuple[tuple[float, float], ...] = ()
    words: frozenset[str] = frozenset()
    others: bool = False
    missing: bool = False

    def holds(self, values: pd.Series) -> NDArray[np.bool_]:
        """Return which values are allowed."""
        gaps = values.isna().to_numpy()
        if pd.api.types.is_numeric_dtype(values):
            numbers = values.to_numpy(dtype=float)
            known = np.any([(numbers > low) & (numbers <= high) for low, high in self.intervals or ((0, 0),)], axis=0)
        else:
            known = values.isin(self.words).to_numpy() != self.others
        return np.where(gaps, self.missing, known)


Box = dict[str, Part]
KNOWN = Part(EVERY, others=True)


@dataclass(frozen=True)
class Printed:
    """The classes that a model lists, in order, each with its lines, and the class of all other rows."""

    listed: tuple[tuple[str, tuple[Box, ...]], ...]
    otherwise: str

    def decide(self, rows: pd.DataFrame) -> NDArray[np.str_]:
        """Return the class of each row."""
        found = np.full(len(rows), self.otherwise, dtype=object)
        for label, boxes in reversed(self.listed):
            found[holds(boxes, rows)] = label
        return found


def plain(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a table with numbers as numbers, times as seconds, all else as words, and words for its column names."""
    found = {}
    for name in rows:
        column = rows[name]
        truths = pd.api.types.is_bool_dtype(column)
        if pd.api.types.is_numeric_dtype(column) and not truths:
            found[str(name)] = column.astype(float)
        elif pd.api.types.is_datetime64_any_dtype(column) or _tells_times(column):
            found[str(name)] = (pd.to_datetime(column, utc=True) - START) / pd.Timedelta(seconds=1)
        else:
            words = column.astype(str).str.lower() if truths else column.astype(str)
            found[str(name)] = words.astype(object).where(column.notna(), None)
    return pd.DataFrame(found)


def _tells_times(column: pd.Series) -> bool:
    """Return whether all known values of a column are texts of moments.

    >>> _tells_times(pd.Series(["2012-02-07T01:15:12Z", None])), _tells_times(pd.Series(["no"]))
    (True, False)
    """
    known = column.dropna().astype(str)
    return bool(len(known) and known.str.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z?").all())


def condition(text: str) -> tuple[str, Part]:
    """Return the column and what a printed condition allows of it.

    >>> condition("3 < height <= 5.5 or missing")
    ('height', Part(intervals=((3.0, 5.5),), words=frozenset(), others=False, missing=True))
    >>> condition("sent <= 1970-01-02 00:00 UTC")[1].intervals
    ((-inf, 86400.0),)
    >>> condition("colour is neither red nor blue, or missing")[1] == Part((), frozenset({"red", "blue"}), True, True)
    True
    """
    quoted: list[str] = []

    def hide(found: re.Match[str]) -> str:
        quoted.append(json.loads(found[0]))
        return f"\0{len(quoted) - 1}\0"

    def shown(words: str) -> str:
        return re.sub("\0(\\d+)\0", lambda found: quoted[int(found[1])], words)

    hidden = QUOTED.sub(hide, text)
    known = re.sub(r",? or missing$", "", hidden)
    name, words, part = "", [], Part(missing=known != hidden)
    for piece in known.split(" or "):
        compared = COMPARED.fullmatch(piece)
        if compared:
            name = compared[3]
            part = replace(part, intervals=(*part.intervals, _interval(compared)))
        elif " is " in piece:
            name, said = piece.split(" is ", 1)
            words.append(said)
        else:
            words.append(piece)
    if not name:
        raise ValueError(f"a condition must be a comparison or name values; got {text!r}.")
    return shown(name), _named(part, words, shown) if words else part


def _interval(found: re.Match[str]) -> tuple[float, float]:
    """A comparison as an interval; ">=" and a first "<=" are said of whole numbers only."""
    low, low_sign, _, sign, cut = found.groups()
    if sign != "<=":
        return _position(cut) - (sign == ">="), END
    return -END if low is None else _position(low) - (low_sign == "<="), _position(cut)


def _position(cut: str) -> float:
    """A number, or a time in seconds."""
    if not re.fullmatch(TIME, cut):
        return float(cut)
    moment = pd.Timestamp(cut)
    return float(((moment if moment.tz else moment.tz_localize("UTC")) - START) / pd.Timedelta(seconds=1))


def _named(part: Part, pieces: list[str], shown: Callable[[str], str]) -> Part:
    """What is said after "is": values, all but some, missing or not."""
    first = pieces[0]
    if pieces == ["not missing"]:
        return KNOWN
    for start in ("not ", "anything but ", "neither ", "none of "):
        if first.startswith(start):
            values = re.split(", | nor ", first.removeprefix(start))
            return replace(part, words=frozenset(map(shown, values)) - {"missing"}, others=True)
    values = [value for piece in pieces for value in piece.split(", ")]
    gaps = part.missing or "missing" in values
    known = [shown(value) for value in values if value != "missing"]
    numbers = tuple(_of_value(value) for value in known if value in TRUTHS or re.fullmatch(NUMBER, value))
    return replace(part, words=frozenset(known), missing=gaps, intervals=(*part.intervals, *numbers))


def _of_value(word: str) -> tuple[float, float]:
    return TRUTHS[word] if word in TRUTHS else (float(word) - 1, float(word))


def conditions_of(line: str) -> list[str]:
    """Return the conditions of a line; one that says "or" stands in brackets.

    >>> conditions_of('(a is 2 or 3) and b (cm) <= 2 and "c and d" is red')
    ['a is 2 or 3', 'b (cm) <= 2', '"c and d" is red']
    """
    found = re.findall(r'(?:"(?:[^"\\]|\\.)*"|.)+?(?= and |$)(?: and )?', line)
    pieces: list[str] = []
    for piece in found:
        if pieces and pieces[-1].startswith("(") and not pieces[-1].removesuffix(" and ").endswith(")"):
            pieces[-1] += piece
        else:
            pieces.append(piece)
    texts = [piece.removesuffix(" and ") for piece in pieces]
    return [text[1:-1] if text.startswith("(") and text.endswith(")") else text for text in texts]


def printed(text: str) -> Printed:
    """Return the classes and lines of a printed model.

    >>> model = printed("y is 1 if\\n     a is true and b <= 2  [b1]\\n  or a is false  [b2]\\n\\ny is 0 otherwise.")
    >>> [(label, len(boxes)) for label, boxes in model.listed], model.otherwise
    ([('1', 2)], '0')
    """
    listed: list[tuple[str, list[Box]]] = []
    otherwise = ""
    for line in (EVER.sub(r"\1 \3 \2", line) for line in text.splitlines()):
        start = re.fullmatch(r"(?:\S+ is )?(\S+) (?:if|never)", line)
        end = re.match(r"(?:\S+ is )?(\S+) (?:otherwise|always)\b", line)
        box = LINE.fullmatch(line)
        if start:
            listed.append((start[1], []))
        elif end:
            otherwise = end[1]
        elif box:
            listed[-1][1].append(dict(map(condition, conditions_of(box[1]))))
    return Printed(tuple((label, tuple(boxes)) for label, boxes in listed), otherwise)


def holds(boxes: tuple[Box, ...] | list[Box], rows: pd.DataFrame) -> NDArray[np.bool_]:
    """Return which rows lie in one of the boxes."""
    some = np.zeros(len(rows), dtype=bool)
    for box in boxes:
        every = np.ones(len(rows), dtype=bool)
        for column, part in box.items():
            every &= part.holds(rows[column])
        some |= every
    return some


Masks = dict[str, int]


def masks_of(boxes: list[Box], rows: pd.DataFrame) -> tuple[list[Masks], Masks]:
    """Return each box as a set of a column's values that some condition tells apart, as bits; and all bits of a column.

    Numbers are told apart by the cuts of the conditions, words by themselves, and one that training never had is told
    apart where training had more than two: of two, one is what the other is not.
    """
    full: Masks = {}
    found: list[Masks] = [{} for _ in boxes]
    for column in sorted({column for box in boxes for column in box}):
        values = _values(rows[column], [box[column] for box in boxes if column in box])
        full[column] = (1 << len(values)) - 1
        for box, masks in zip(boxes, found):
            if column in box:
                masks[column] = sum(1 << place for place in np.flatnonzero(box[column].holds(values)).tolist())
    return found, full


def _values(column: pd.Series, parts: list[Part]) -> pd.Series:
    known = column.dropna()
    if pd.api.types.is_numeric_dtype(column):
        lowest = known.min() if len(known) else 0.0
        ends = {end for part in parts for interval in part.intervals for end in interval if abs(end) < END}
        cuts = sorted(end for end in ends if end >= lowest)
        found = [*cuts, cuts[-1] + 1] if cuts else [lowest]
    else:
        found = sorted(set(known))
        found += ["\0"] if len(found) > 2 else []
    return pd.Series([*found, None] if len(known) < len(column) else found, dtype=column.dtype)


def within(box: Masks, boxes: list[Masks], full: Masks) -> bool:
    """Return whether every point of a box lies in one of some boxes: column by column, by cases.

    >>> within({}, [{"a": 1}, {"a": 2}], {"a": 3}), within({}, [{"a": 1}], {"a": 3})
    (True, False)
    """
    met = [other for other in boxes if all(box.get(c, full[c]) & mask for c, mask in other.items())]
    if not met:
        return False
    for column, mask in met[0].items():
        mine = box.get(column, full[column])
        if mine & ~mask:
            return all(within({**box, column: half}, met, full) for half in (mine & mask, mine & ~mask))
    return True


def faults(model: Printed, rows: pd.DataFrame, y: NDArray[np.str_]) -> list[str]:
    """Return what could be left out of the lines of a model; ``y`` are the classes of the training rows."""
    return [*_to_drop(model, rows), *_slivers(model, rows, y)]


def _to_drop(model: Printed, rows: pd.DataFrame) -> list[str]:
    found = []
    for label, boxes in model.listed:
        masks, full = masks_of(list(boxes), rows)
        for i, box in enumerate(masks):
            if within(box, masks[:i] + masks[i + 1 :], full):
                found.append(f"line {i + 1} of {label} lies within the others")
            for column in box:
                shorter = {name: part for name, part in box.items() if name != column}
                if within(shorter, masks, full):
                    found.append(f"{column} can be dropped from line {i + 1} of {label}")
    return found


def _slivers(model: Printed, rows: pd.DataFrame, y: NDArray[np.str_]) -> list[str]:
    found = []
    every = [box for _, boxes in model.listed for box in boxes]
    errors = int(np.sum(model.decide(rows) != y))
    for column in sorted({column for box in every for column in box}):
        if not pd.api.types.is_numeric_dtype(rows[column]):
            continue
        lowest, highest = rows[column].min(), rows[column].max()
        ends = {end for box in every if column in box for interval in box[column].intervals for end in interval}
        # Where a whole number is the largest there is, "is 1" says "over 0": no row lies above that end.
        cuts = sorted(end for end in ends if lowest <= end < highest)
        for low, high in zip(cuts, cuts[1:], strict=False):
            if np.mean((rows[column] > low) & (rows[column] <= high)) >= SLIVER:
                continue
            for old, new in ((low, high), (high, low)):
                if int(np.sum(_with_cut(model, column, old, new).decide(rows) != y)) <= errors + 1:
                    found.append(f"{column}: {old:g} could be {new:g}")
    return found


def _with_cut(model: Printed, column: str, old: float, new: float) -> Printed:
    """The model with one cut in place of another; a line that then holds no row goes."""

    def changed(part: Part) -> Part:
        moved = (tuple(new if end == old else end for end in interval) for interval in part.intervals)
        return replace(part, intervals=tuple((low, high) for low, high in moved if low < high))

    def lines(boxes: tuple[Box, ...]) -> tuple[Box, ...]:
        found = [{**box, column: changed(box[column])} if column in box else box for box in boxes]
        return tuple(box for box in found if column not in box or box[column].intervals or box[column].missing)

    return replace(model, listed=tuple((label, lines(boxes)) for label, boxes in model.listed))


def spare(text: str, X: pd.DataFrame, y: NDArray, predicted: NDArray) -> list[str]:
    """Return what could be left out of a printed model, and whether its lines decide the training rows as it does."""
    model, rows = printed(text), plain(X)
    same = np.array_equal(model.decide(rows), np.asarray(predicted).astype(int).astype(str))
    wrong = [] if same else ["the lines decide otherwise than the model"]
    return wrong + faults(model, rows, np.asarray(y).astype(int).astype(str))


def tables() -> dict[str, tuple[pd.DataFrame, np.ndarray]]:
    """Return training rows and classes of each data set."""
    found = {}
    for name in PAPER:
        X, y = load_paper(name, part="train") if name.startswith("monks") else load_paper(name)
        frame = pd.DataFrame(np.asarray(X), columns=[f"x{j}" for j in range(np.shape(X)[1])])
        found[name] = frame, np.asarray(y).astype(int)
    for name, load in (("breast cancer", load_breast_cancer), ("wine", load_wine), ("iris numbers", load_iris)):
        data = load(as_frame=True)
        found[name] = data.data, np.asarray(data.target == 1).astype(int)
    return {
        name: (X, y) if name.startswith("monks") else tuple(train_test_split(X, y, test_size=0.2, random_state=0)[::2])
        for name, (X, y) in found.items()
    }


def ours(X: pd.DataFrame, y: np.ndarray, k: int) -> tuple[list[str], tuple[int, int, int]]:
    """Return what the check finds, and lines, conditions and reasons in all."""
    model = DNFClassifier(k).fit(X, y)
    size = model.size_
    return spare(model.to_text(form="lines"), X, y, model.predict(X)), (size.terms, size.conditions, size.reasons)


def leaves(X: pd.DataFrame, y: np.ndarray, k: int) -> dict[str, int]:
    """Return the leaves of trees of depth k."""
    found = {"CART": int(DecisionTreeClassifier(max_depth=k, random_state=0).fit(X, y).get_n_leaves())}
    try:
        from pystreed import STreeDClassifier
    except ModuleNotFoundError:
        return found
    if set(np.unique(X)) <= {0, 1}:
        tree = STreeDClassifier("accuracy", max_depth=k, max_num_nodes=2**k - 1).fit(X.astype(int).to_numpy(), y)
        found["optimal tree"] = int(tree.get_n_leaves())
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--k", type=int, nargs="+", default=KS)
    options = parser.parse_args()
    failed = 0
    writer = csv.writer(sys.stdout, lineterminator="\n")
    if not options.check:
        writer.writerow(
            ("k", "models", "lines", "conditions", "reasons in all", "CART's leaves", "optimal tree's leaves")
        )
    for k in options.k:
        sizes, trees = [], {"CART": [], "optimal tree": []}
        for name, (X, y) in tables().items():
            found, size = ours(X, y, k)
            sizes.append(size)
            failed += bool(found)
            for fault in found:
                print(f"{name}, k = {k}: {fault}")
            if not options.check:
                for method, count in leaves(X, y, k).items():
                    trees[method].append(count)
        if not options.check:
            cells = [f"{median(column):g}" for column in zip(*sizes, strict=True)]
            cells += [f"{median(counts):g}" if counts else "" for counts in trees.values()]
            writer.writerow((k, len(sizes), *cells))
    if failed:
        raise SystemExit(f"{failed} models have something to leave out.")


if __name__ == "__main__":
    main()
