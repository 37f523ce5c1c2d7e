"""Check records of decisions against the model file that made them: python check_decisions.py decisions.jsonl MODEL...

For each line: the model is the one named (SHA-256), it gives this decision to these values, the reason holds for them,
has at most k columns, gives the decision whatever the other columns are and does not without any of its conditions; the
change gives what it says and no part of it would change the decision; and a correction names the record it corrects.
Of bands: each boundary is on the side that the band says, with a reason and a change at those below and above it.
Sentences beside the cells are not read. Needs Python 3.10 and nothing else, and shares no code with idnf.
Exit code 0: all hold; 1: some do not; 2: a file cannot be read.
"""

from __future__ import annotations

import json
import math
import re
import sys
from bisect import bisect_left
from collections.abc import Iterator
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

MOST_STEPS = 1_000_000
MOST_CELLS = 10_000
KEYS = {"format", "version", "id", "time", "model", "values", "decision", "reasons", "changes", "principal", "text"}
MORE = {"about", "alternatives", "corrects", "units"}
TIMES = ("date", "datetime", "datetime-utc", "duration")
FLAGS = ("rare", "digits", "none", "closed")
NEEDS = {kind: ["cuts"] for kind in ("number", *TIMES)} | {
    "ordered": ["values", "cuts"],
    "category": ["values", "rare"],
    "value-groups": ["groups", "sets", "closed"],
    "boolean": ["digits"],
    "one-hot": ["members", "none"],
    "ordered-group": ["members"],
}
UNREADABLE = (ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError, RecursionError)
Box = dict[int, int]


class Refused(Exception):
    """A record that does not follow, or cannot be read."""


def need(held: object, why: str) -> None:
    """Refuse what does not hold."""
    if not held:
        raise Refused(why)


def parsed(data: bytes) -> Any:
    """Return JSON as it is written in UTF-8, without numbers that JSON does not have."""
    return json.loads(data.decode("utf-8"), parse_constant=lambda word: need(False, f"{word} is no JSON"))


def same(one: object, other: object) -> bool:
    """Return whether two values are the same; a truth is not a number here."""
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def number(value: Any) -> float:
    """Return a finite number; truths are 0 and 1."""
    need(isinstance(value, (int, float)) and math.isfinite(value), f"{value!r} is no number")
    return float(value)


def whole(value: Any, size: int) -> int:
    """Return a whole number from 0 on that is below a size."""
    need(not isinstance(value, bool) and value in range(size), f"{value!r} is no whole number below {size}")
    return int(value)


def listed(value: Any, kind: Any = object) -> list[Any]:
    """Return a list, all of one kind."""
    need(isinstance(value, list) and all(isinstance(one, kind) for one in value), "what should be a list is not")
    return list(value)


def microseconds(value: Any, kind: str) -> float:
    """Return a time as microseconds since 1970, a duration of the record (seconds) or of the model (words) likewise."""
    if kind == "duration" and not isinstance(value, str):
        return float(math.floor(number(value) * 1_000_000 + 0.5))
    need(isinstance(value, str), f"{value!r} is no {kind}")
    try:
        if kind == "duration":
            amount, unit = value.split(" ")
            sizes = {"day": 86400, "hour": 3600, "minute": 60, "second": 1}
            return float(round(float(amount) * sizes[unit.removesuffix("s")] * 1_000_000))
        need(re.fullmatch(r"\d{4}-\d\d-\d\d( \d\d:\d\d(:\d\d(\.\d{6})?)?( UTC)?)?", value), f"{value!r} is no {kind}")
        need(value.endswith(" UTC") == (kind == "datetime-utc"), f"{value!r} is no {kind}")
        moment = datetime.fromisoformat(value.removesuffix(" UTC"))
    except (KeyError, ValueError, OverflowError) as error:
        raise Refused(f"{value!r} is no {kind}") from error
    since = (moment - datetime(1970, 1, 1)) // timedelta(microseconds=1)
    return float(since // 86_400_000_000 * 86_400_000_000 if kind == "date" else since)


class CheckedColumn:
    """A column of the model file: its cells, what its literals mean in them, and the cell of a value."""

    def __init__(self, plain: dict[str, Any]) -> None:
        self.plain, self.kind, self.name = plain, plain["kind"], plain["name"]
        need(isinstance(self.name, str) and self.kind in NEEDS, f"{self.kind!r} is no kind of column")
        need(
            plain["missing"] in ("refused", "counted", "allowed", "seen"), f"{self.name!r} does not say what is missing"
        )
        for key in NEEDS[self.kind]:
            need(isinstance(plain[key], bool if key in FLAGS else list), f"{key} of {self.name!r} cannot be read")
        self.sources = listed(plain["members"], str) if "members" in NEEDS[self.kind] else [self.name]
        self.seen = plain["missing"] == "seen"
        need(all(len(plain[key]) < MOST_CELLS for key in NEEDS[self.kind] if key not in FLAGS), "it has too many cells")
        inner, named = self._cells()
        self.size = inner + (plain["missing"] in ("allowed", "seen"))
        # Where missing values count with others, it is with the last of them, or with false.
        last = 0 if self.kind == "boolean" else inner - 1
        self.missing = inner if self.size > inner else last if plain["missing"] == "counted" else None
        self.full = (1 << self.size) - 1
        self.literals = named + ([1 << inner] if self.seen else [])
        cuts = plain["cuts"] if "cuts" in NEEDS[self.kind] else []
        self.cuts = [microseconds(cut, self.kind) if self.kind in TIMES else number(cut) for cut in cuts]
        need(all(low < high for low, high in zip(self.cuts, self.cuts[1:])), f"cuts of {self.name!r} do not ascend")

    def _cells(self) -> tuple[int, list[int]]:
        """Return how many cells of known values there are, and the literals but "missing" as sets of cells."""
        if self.kind == "category":
            n = len(self.plain["values"])
            sets = [
                sum(1 << cell for cell in {whole(one, n + 1) for one in listed(cells)}) for cells in self._wide("sets")
            ]
            return n + 1, [1 << i for i in range(n + bool(self.plain["rare"]))] + sets
        if self.kind == "value-groups":
            n = len(self.plain["groups"])
            cells = [{whole(one, n + 1) for one in listed(some)} for some in self.plain["sets"]]
            self.groups = {value: i for i, some in enumerate(self.plain["groups"]) for value in listed(some)}
            need(len(self.groups) == sum(map(len, self.plain["groups"])), f"{self.name!r} has a value twice")
            return n + 1, [sum(1 << cell for cell in some) for some in cells]
        if self.kind == "boolean":
            return 2, [2, 1] if self.seen else [2]
        n = len(self.plain["cuts"] if "cuts" in NEEDS[self.kind] else self.sources)
        if self.kind == "one-hot":
            return n + bool(self.plain["none"]), [1 << i for i in range(n)]
        upto = [(2 << i) - 1 for i in range(n)]
        runs = [[whole(end, n) for end in listed(ends)] for ends in self._wide("inner")]
        need(all(len(ends) == 2 and 0 < ends[0] <= ends[1] for ends in runs), f"inner of {self.name!r} cannot be read")
        over = [(2 << n) - 1 & ~mask for mask in upto] if self.seen else []
        return n + 1, upto + over + [(2 << high) - (1 << low) for low, high in runs]

    def _wide(self, key: str) -> list[Any]:
        """Return the intervals between two cuts, or the sets of categories, that are literals."""
        return listed(self.plain.get(key, []))

    def cell(self, values: dict[str, Any]) -> int:
        """Return the cell of a row."""
        own = [values[name] for name in self.sources]
        if own[0] is None and self.missing is not None:
            return self.missing
        need(None not in own, f"{self.name!r} is missing, which the model refuses")
        return self._known(own)

    def _known(self, own: list[Any]) -> int:
        value, kind = own[0], self.kind
        if kind == "number":
            return bisect_left(self.cuts, number(value))
        if kind in TIMES:
            return bisect_left(self.cuts, microseconds(value, kind))
        if kind in ("category", "ordered"):
            need(isinstance(value, (str, int, float)), f"{value!r} is no category")
            known = self.plain["values"]
            need(isinstance(value, str) or not all(isinstance(one, str) for one in known), f"{value!r} is no text")
            rank = next((i for i, other in enumerate(known) if value == other), len(known))
            need(value in listed(self.plain.get("accepted", [])) or not self.plain.get("accepted"), f"{value!r} is new")
            need(kind == "category" or rank < len(known), f"{value!r} is not declared in {self.name!r}")
            return rank if kind == "category" else bisect_left(self.cuts, rank)
        if kind == "value-groups":
            texts = all(isinstance(one, str) for one in self.groups)
            need(isinstance(value, str if texts else (str, int, float)), f"{value!r} is no category")
            need(value in self.groups or not self.plain["closed"], f"{value!r} is new")
            return self.groups.get(value, len(self.plain["groups"]))
        if kind == "boolean" and self.plain["digits"]:
            return int(number(value) > 0.5)
        need(all(isinstance(one, (int, float)) and one in (0, 1) for one in own), f"{self.name!r} must be 0 or 1")
        return int(value) if kind == "boolean" else self._coded([int(one) for one in own])

    def _coded(self, bits: list[int]) -> int:
        n, total = len(bits), sum(bits)
        if self.kind == "ordered-group":
            need(bits == sorted(bits), f"{self.name!r} must have every column imply the next")
            return n - total
        need(total == 1 or (total == 0 and self.plain["none"]), f"{self.name!r} must have one column set")
        return bits.index(1) if total else n


class CheckedModel:
    """A model: which labels occur in a box, a set of cells for each column."""

    def __init__(self, plain: dict[str, Any]) -> None:
        need(plain["format"] == "idnf-model" and same(plain["version"], 2), "it is no model file")
        space = plain["space"]
        self.columns = [CheckedColumn(one) for one in listed(space["columns"], dict)]
        self.literals = [(j, mask) for j, column in enumerate(self.columns) for mask in column.literals]
        need(len(self.literals) == len(listed(space["literals"])), "its literals are not those of its columns")
        self.full = {j: column.full for j, column in enumerate(self.columns)}
        self.k, self.classes = number(plain["k"]), listed(plain["classes"], (str, int, float))
        self.sources = {name for column in self.columns for name in column.sources}
        self.fixed = set(listed(plain.get("immutable", []), str))
        favourable = plain.get("favourable")
        self.favourable = None if favourable is None else whole(favourable, len(self.classes))
        self.places = {column.name: j for j, column in enumerate(self.columns)}
        rows = [listed(row, str) for row in listed(plain.get("reason_texts", []))]
        self.texts = {column: [code, text] for column, code, text in rows}
        self.root, self.steps = self._node(plain["model"]), 0

    def always(self, box: Box, label: int) -> bool:
        """Return whether every point of a box is given a label."""
        self.steps = 0
        return all(found == label for found in self._labels(self.root, box))

    def _node(self, node: dict[str, Any]) -> tuple[Any, ...]:
        """Return a part of the model with its terms as boxes: a split, a nested DNF, or the terms of each class."""
        if "root" in node:
            return self._node(node["root"])
        if "feature" in node:
            literal = self.literals[whole(node["feature"], len(self.literals))]
            return "split", *literal, self._node(node["if_true"]), self._node(node["if_false"])
        if "matrix" in node:
            labels = [whole(node.get(key, 1 - i), len(self.classes)) for i, key in enumerate(("label", "otherwise"))]
            terms = [self._prefixes(listed(node["matrix"]), listed(prefix)) for prefix in listed(node["prefixes"])]
            return "nested", terms, *labels
        if "codes" in node:
            counts = [whole(one, MOST_STEPS) for one in listed(node["points"])]
            codes = [self._term([code]) for code in listed(node["codes"])]
            need(len(counts) == len(codes) and len(self.classes) == 2, "a checklist cannot be read")
            items = [(*next(iter(term.items())), n) for term, n in zip(codes, counts)]
            return "checklist", items, whole(node["least"], MOST_STEPS)
        sides = node["dnfs"] if "dnfs" in node else [node["negative"], node["positive"]]
        need(len(listed(sides)) == len(self.classes), "there must be terms of each class")
        return "classes", [list(map(self._term, listed(side))) for side in sides]

    def _prefixes(self, matrix: list[Any], prefix: list[Any]) -> Box:
        need(len(matrix) == len(prefix), "there must be a prefix of each row")
        return self._term([code for row, n in zip(matrix, prefix) for code in listed(row)[: whole(n, MOST_STEPS)]])

    def _term(self, codes: list[int]) -> Box:
        term: Box = {}
        for code in (whole(one, 2 * len(self.literals)) for one in listed(codes)):
            j, mask = self.literals[code // 2]
            term[j] = term.get(j, self.full[j]) & (self.full[j] & ~mask if code % 2 else mask)
        return term

    def _labels(self, node: tuple[Any, ...], box: Box) -> Iterator[int | None]:
        """Yield the labels that occur, None for a point that has none."""
        if node[0] == "split":
            for held, part in self._halves(box, node[1], node[2]):
                yield from self._labels(node[3] if held else node[4], part)
        elif node[0] == "nested":
            yield from (node[2] if held else node[3] for held in self._holds(node[1], box))
        elif node[0] == "checklist":
            yield from self._counted(node[1], node[2], box)
        else:
            met = [i for i, side in enumerate(node[1]) if any(meets(term, box) for term in side)]
            yield from met if met else (None,)
            if len(met) == 1:  # no other is met here, so this one must leave nothing out
                yield from (met[0] if held else None for held in self._holds(node[1][met[0]], box))

    def _counted(self, items: list[tuple[int, int, int]], least: int, box: Box) -> Iterator[int]:
        """Yield 1 or 0, whether what holds counts enough, for parts that make up a box."""
        sure = sum(n for j, mask, n in items if not box[j] & ~mask)
        open_items = [(j, mask) for j, mask, _ in items if box[j] & mask and box[j] & ~mask]
        if sure >= least or not open_items:
            yield int(sure >= least)
            return
        for _, part in self._halves(box, *open_items[0]):
            yield from self._counted(items, least, part)

    def _halves(self, box: Box, column: int, mask: int) -> Iterator[tuple[bool, Box]]:
        self.steps += 1
        need(self.steps < MOST_STEPS, "the model is too large to be checked this way")
        for held, part in ((True, box[column] & mask), (False, box[column] & ~mask)):
            if part:
                yield held, {**box, column: part}

    def _holds(self, terms: list[Box], box: Box) -> Iterator[bool]:
        """Yield whether some term holds, for parts that make up a box."""
        self.steps += len(terms)
        terms = [term for term in terms if meets(term, box)]
        left = [[(j, mask) for j, mask in term.items() if box[j] & ~mask] for term in terms]
        if not left or not all(left):
            yield bool(left)
            return
        for _, part in self._halves(box, *min(left, key=len)[0]):
            yield from self._holds(terms, part)


class CheckedFile:
    """A model file: one model, or bands with a model for each boundary."""

    def __init__(self, data: bytes) -> None:
        plain = parsed(data)
        self.names: list[Any] | None = None
        self.models = [] if "kind" in plain else [CheckedModel(plain)]
        if self.models:
            return
        need(plain["kind"] == "bands", "it is no model file")
        self.names, parts = listed(plain["names"], str), listed(plain["models"], dict)
        need(
            0 < len(parts) == len(set(self.names)) - 1 == len(self.names) - 1, "there must be a model between two bands"
        )
        for name, part in zip(self.names[1:], parts):
            shared = {**plain, "classes": [f"below {name}", f"at least {name}"], "model": part["model"]}
            self.models.append(CheckedModel(shared))

    def sides(self, decision: Any) -> list[tuple[CheckedModel, int]]:
        """Return each model with the number of the label that a decision means there."""
        if self.names is None:
            return [(self.models[0], label_of(self.models[0], decision))]
        need(decision in self.names, f"{decision!r} is no band of the model")
        band = self.names.index(decision)
        return [(model, int(place < band)) for place, model in enumerate(self.models)]

    def beside(self, decision: Any) -> list[tuple[CheckedModel, int]]:
        """Return those that reasons are given for: of a band, the boundary below it and the one above."""
        found, passed = self.sides(decision), 0 if self.names is None else self.names.index(decision)
        return found[max(passed - 1, 0) : passed + 1]


def meets(term: Box, box: Box) -> bool:
    """Return whether a term and a box share a point."""
    return all(box[j] & mask for j, mask in term.items())


def conditions(model: CheckedModel, given: Any) -> Box:
    """Return conditions as sets of cells, some but not all of each column."""
    found: Box = {}
    for one in listed(given, dict):
        need(set(one) == {"column", "cells", "words", "said"}, "a condition has other fields than it should")
        need(isinstance(one["column"], str) and one["column"] in model.places, f"{one['column']!r} is no column")
        j = model.places[one["column"]]
        cells = [whole(cell, model.columns[j].size) for cell in listed(one["cells"])]
        need(cells == sorted(set(cells)) and j not in found, f"cells of {one['column']!r} are not a set")
        found[j] = sum(1 << cell for cell in cells)
        need(0 < found[j] < model.full[j], f"cells of {one['column']!r} are none or all")
    return found


def label_of(model: CheckedModel, given: object) -> int:
    """Return the number of a label."""
    found = [i for i, label in enumerate(model.classes) if same(label, given)]
    need(len(found) == 1, f"{given!r} is no outcome of the model")
    return found[0]


def check_reason(model: CheckedModel, reason: Any, own: Box, label: int) -> None:
    """Refuse a reason that does not hold, is too wide, does not give the decision, or says more than it needs."""
    need(set(reason) == {"gives", "id", "conditions", "text"}, "a reason has other fields than it should")
    need(label_of(model, reason["gives"]) == label, "the reason is for another decision")
    given = conditions(model, reason["conditions"])
    need(len(given) <= model.k, f"the reason has more than {model.k} columns")
    need(not any(own[j] & ~mask for j, mask in given.items()), "the reason does not hold for the values")
    need(model.always({**model.full, **given}, label), "the reason does not give the decision")
    for j in given:
        rest = {**model.full, **given, j: model.full[j]}
        need(not model.always(rest, label), f"the reason gives the decision without {model.columns[j].name!r}")


def check_change(model: CheckedModel, change: Any, own: Box, label: int) -> None:
    """Refuse a change that does not give what it says or is more than it needs; None if there is one."""
    if label == model.favourable:
        need(change is None, "a change of the favourable decision is named")
        return
    free = {j: mask if model.columns[j].name in model.fixed else model.full[j] for j, mask in own.items()}
    if change is None:
        need(model.always(free, label), "a change would give another decision, and none is named")
        return
    need(set(change) == {"gives", "conditions"}, "the change has other fields than it should")
    other, given = label_of(model, change["gives"]), conditions(model, change["conditions"])
    need(given and other != label, "the change changes nothing")
    need(not any(model.columns[j].name in model.fixed for j in given), "the change is of a column that cannot change")
    need(model.always({**own, **given}, other), "the change does not give what it says")
    for j in given:
        part = {**own, **{i: model.full[i] for i in given if i != j}}
        need(model.always(part, label), f"the change needs no {model.columns[j].name!r}")


def check_principal(model: CheckedModel, given: Any) -> None:
    """Refuse principal reasons that are not in the words of the model file."""
    for one in listed(given, dict):
        need(set(one) == {"code", "text", "columns", "conditions", "share"}, "a principal reason has other fields")
        known = one["columns"] and all(name in model.places for name in listed(one["columns"], str))
        need(known, "a principal reason has no column")
        need(0 < number(one["share"]) <= 1, "the share of a principal reason is none")
        for name in one["columns"]:
            own = [None, " and ".join(listed(one["conditions"], str))]
            need(
                [one["code"], one["text"]] == model.texts.get(name, model.texts.get("", own)),
                "a principal reason is not in the words of the model",
            )


def check_decision(file: CheckedFile, values: Any, decision: object) -> Box:
    """Return the cells of a row; refuse another decision than the models give."""
    first = file.models[0]
    own = dict(first.full)
    for j, column in enumerate(first.columns):
        if any(name in values for name in column.sources):  # of one that is not there, any value must do
            own[j] = 1 << column.cell(values)
    for model, label in file.sides(decision):
        need(model.always(own, label), f"the model does not give {decision!r} to these values")
    return own


def check_record(record: Any, files: dict[str, CheckedFile], earlier: dict[str, Any]) -> None:
    """Refuse a record that does not follow from its model; `earlier` holds the lines before, by their SHA-256."""
    need(isinstance(record, dict) and KEYS <= set(record) <= KEYS | MORE, "it has other fields than it should")
    need(record["format"] == "idnf-decision" and same(record["version"], 1), "it is no record of version 1")
    need(isinstance(record["id"], str) and isinstance(record["text"], str), "id and text must be text")
    need(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", str(record["time"])), "time must be a time")
    need(isinstance(record["model"], str) and isinstance(record["time"], str), "model and time must be text")
    file = files.get(record["model"])
    need(file is not None, "it is of another model")
    assert file is not None
    others = listed(record.get("alternatives", []), dict)
    need(isinstance(record["values"], dict), "values must be an object")
    need(others or set(record["values"]) <= file.models[0].sources, "values are not those of columns of the model")
    own, beside = check_decision(file, record["values"], record["decision"]), file.beside(record["decision"])
    reasons, changes = listed(record["reasons"]), listed(record["changes"])
    need(len(reasons) == len(changes) == len(beside), f"it must have {len(beside)} of reasons, changes")
    for (model, label), reason, change in zip(beside, reasons, changes):
        check_reason(model, reason, own, label)
        check_change(model, change, own, label)
    lowest = file.names is not None and beside[0][1] == 0
    need(not (lowest and record["principal"]), "the lowest band has no principal reasons")
    check_principal(beside[0][0], record["principal"])
    for one in others:
        if one["sha256"] in files:
            check_decision(files[one["sha256"]], record["values"], one["decision"])
    check_correction(record, earlier)


def check_correction(record: Any, earlier: dict[str, Any]) -> None:
    """Refuse a record that repeats an earlier one, or a correction that does not say what it corrects."""
    if "corrects" not in record:
        need(f"id {record['id']}" not in earlier, f"{record['id']!r} is there already")
        return
    link, new = record["corrects"], record["values"]
    need(isinstance(link, dict) and set(link) == {"record", "values"}, "a correction has other fields than it should")
    old = earlier.get(str(link["record"]))
    need(old is not None and old["id"] == record["id"], "it corrects no record before it")
    assert old is not None
    before = old["values"]
    need(
        set(link["values"]) <= set(new) <= set(before) and link["values"],
        "it corrects other columns than were recorded",
    )
    for name, value in new.items():
        need(name in link["values"] or same(value, before[name]), f"it does not say that it corrects {name!r}")
        need(name not in link["values"] or same(link["values"][name], before[name]), f"{name!r} was another value")
        need(name not in link["values"] or not same(value, before[name]), f"{name!r} is not corrected")


def check_line(line: bytes, files: dict[str, CheckedFile], earlier: dict[str, Any]) -> None:
    """Refuse a line that is not a record, or whose record does not follow."""
    try:
        need(line.endswith(b"\n"), "it is not finished; write it again with idnf record")
        record = parsed(line)
        check_record(record, files, earlier)
    except UNREADABLE as error:
        raise Refused(f"it cannot be read ({type(error).__name__})") from error
    earlier[f"id {record['id']}"] = None
    earlier[sha256(line[:-1]).hexdigest()] = record


def main(words: list[str]) -> int:
    """Check the records of a file, and say which do not follow."""
    if len(words) < 2:
        sys.stderr.write("usage: python check_decisions.py decisions.jsonl model.json [further models]\n")
        return 2
    files, earlier, refused, count = {}, dict[str, Any](), 0, 0
    for path in words[1:]:
        with open(path, "rb") as stream:
            data = stream.read()
        try:
            files[sha256(data).hexdigest()] = CheckedFile(data)
        except (Refused, *UNREADABLE) as error:
            refused += 1
            sys.stdout.write(f"{path}: refused: {error}\n")
    models = refused
    with open(words[0], "rb") as stream:
        for count, line in enumerate(stream, 1):
            try:
                check_line(line, files, earlier)
            except Refused as error:
                refused += 1
                sys.stdout.write(f"line {count}: refused: {error}\n")
    follow = count - (refused - models)
    sys.stdout.write(f"{follow} of {count} decisions follow from the model. Their sentences were not read.\n")
    return 1 if refused else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except OSError as problem:
        sys.stderr.write(f"{problem}\n")
        sys.exit(2)
