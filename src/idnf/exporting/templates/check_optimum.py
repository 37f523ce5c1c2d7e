"""Check a proved optimum against the training table: python check_optimum.py model.json table.csv [target].

Counts the model's errors on the table again, recomputes the least error of the family that the file names the plain way
(every path of literals, every pair of literals, no bounds), and checks that the model is one of that family.
Families: any, any-literals, nested and nested-tree at k = 1 and 2; tree and pair-tree at every k, of any classes.
The table is the one the model was trained on, as CSV with the names of its columns in the first line. A model that was
trained with weights, costs, a price, monotone constraints or fairness is not checked.
Needs Python 3.10 and numpy, and shares no code with idnf.
Exit code 0: what the file claims holds; 1: it does not; 2: it cannot be read, or not be checked by this program.
"""

from __future__ import annotations

import csv
import json
import math
import re
import sys
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

CLOSE = 1e-9
BLOCK = 1024
MOST_FEATURES = 12
MISSING = ("", "na", "n/a", "nan", "null", "none")
TRUTHS = {"true": 1.0, "false": 0.0}
Floats = NDArray[np.float64]
Path = tuple[tuple[int, bool], ...]
Point = dict[int, bool]


class Unchecked(Exception):
    """What this program cannot read or does not check."""


class Refuted(Exception):
    """A claim of the file that does not hold."""


def must(held: object, why: str) -> None:
    """Give up on what cannot be read."""
    if not held:
        raise Unchecked(why)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


# The table: literals of the file's columns, evaluated on each row.


def as_number(text: str) -> float | None:
    """Return a cell of the table as a number, None if it is missing; truths are 1 and 0."""
    word = text.strip().lower()
    if word in MISSING:
        return None
    try:
        value = TRUTHS[word] if word in TRUTHS else float(word)
    except ValueError:
        raise Unchecked(f"{text!r} is no number") from None
    must(math.isfinite(value), f"{text!r} is no finite number")
    return value


def cells_of(column: dict[str, Any], row: dict[str, str]) -> int | None:
    """Return the number of the cell of a row in a column, None if it is missing."""
    kind, name = column["kind"], column["name"]
    if kind in ("one-hot", "ordered-group"):
        bits = [as_number(row[member]) for member in column["members"]]
        must(all(bit in (0, 1) for bit in bits), f"{name!r} must have 0 and 1 alone")
        ones = [i for i, bit in enumerate(bits) if bit]
        if kind == "ordered-group":
            must(
                ones == list(range(len(bits) - len(ones), len(bits))), f"{name!r} must have every column imply the next"
            )
            return len(bits) - len(ones)
        must(len(ones) < 2, f"{name!r} must have one column set")
        return ones[0] if ones else len(bits)
    if kind == "value-groups":
        return group_of(column["groups"], row[name].strip())
    if kind in ("category", "ordered"):
        text = row[name].strip()
        if text.lower() in MISSING and text not in map(str, column["values"]):
            return None
        ranks = [i for i, value in enumerate(column["values"]) if same_value(value, text)]
        rank = ranks[0] if ranks else len(column["values"])
        return rank if kind == "category" else bisect_left(column["cuts"], rank)
    if kind == "date":
        text = row[name].strip()
        if text.lower() in MISSING:
            return None
        must(all(map(is_day, [text, *column["cuts"]])), f"{name!r} must have days such as 2021-12-31")
        return bisect_left(column["cuts"], text)
    number = as_number(row[name])
    if number is None:
        return None
    if kind == "boolean":
        must(number in (0, 1) or column["digits"], f"{name!r} must be 0 or 1")
        return int(number > 0.5)
    must(kind == "number", f"columns of kind {kind!r} are not read")
    return bisect_left(column["cuts"], number)


def group_of(groups: list[list[Any]], text: str) -> int | None:
    """Return the group of a value, the number after the last if it is in none, None if it is missing."""
    places = [i for i, values in enumerate(groups) if any(same_value(value, text) for value in values)]
    if text.lower() in MISSING and not places:
        return None
    return places[0] if places else len(groups)


def is_day(text: str) -> bool:
    """Return whether a text is a day as year, month and day, which sort as texts."""
    return re.fullmatch(r"\d{4}-\d\d-\d\d", text) is not None


def same_value(value: Any, text: str) -> bool:
    """Return whether a text of the table is a value of the file."""
    if isinstance(value, bool):
        return text.strip().lower() in (("true", "1", "1.0") if value else ("false", "0", "0.0"))
    if isinstance(value, str):
        return value == text.strip()
    try:
        return bool(float(text) == value)
    except ValueError:
        return False


def literal_cells(column: dict[str, Any]) -> list[set[int | None]]:
    """Return the literals of a column in the order of the file, each as the set of cells in which it is true."""
    kind, seen = column["kind"], column["missing"] == "seen"
    found: list[set[int | None]]
    if kind == "boolean":
        found = [{1}, {0}] if seen else [{1}]
    elif kind == "one-hot":
        found = [{i} for i in range(len(column["members"]))]
    elif kind == "value-groups":
        found = [set(cells) for cells in column["sets"]]
    elif kind == "category":
        size = len(column["values"]) + bool(column["rare"])
        found = [{i} for i in range(size)] + [set(cells) for cells in column.get("sets", [])]
    else:
        size = len(column["members"] if kind == "ordered-group" else column["cuts"])
        found = [set(range(i + 1)) for i in range(size)]
        found += [set(range(i + 1, size + 1)) for i in range(size)] if seen else []
        found += [set(range(low, high + 1)) for low, high in column.get("inner", [])]
    return [*found, {None}] if seen else found


class CheckedTable:
    """Distinct rows: the truth of each literal, the cell in each column, and how many rows of each class there are."""

    def __init__(self, plain: dict[str, Any], path: str, target: str | None) -> None:
        columns, classes = plain["space"]["columns"], plain["classes"]
        with open(path, encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        must(rows, f"{path} has no rows")
        target = target or plain.get("target") or list(rows[0])[-1]
        must(target in rows[0], f"{path} has no column {target!r}")
        counts: dict[tuple[int | None, ...], list[float]] = {}
        for row in rows:
            must(None not in row and None not in row.values(), f"a row of {path} has more or fewer cells than names")
            labels = [i for i, label in enumerate(classes) if same_value(label, row[target])]
            must(labels, f"{row[target]!r} is no label of the model")
            cells = tuple(self._cell(column, row) for column in columns)
            counts.setdefault(cells, [0.0] * len(classes))[labels[0]] += 1
        self.cells = list(counts)
        self.counts: Floats = np.array(list(counts.values()))
        sets = [(j, cells) for j, column in enumerate(columns) for cells in literal_cells(column)]
        must(len(sets) == len(plain["space"]["literals"]), "its literals are not those of its columns")
        self.truths = np.array([[row[j] in cells for j, cells in sets] for row in self.cells], dtype=bool)
        self.column_of = [j for j, _ in sets]
        self.binary = len(set(self.column_of)) == len(sets)

    @staticmethod
    def _cell(column: dict[str, Any], row: dict[str, str]) -> int | None:
        cell = cells_of(column, row)
        if cell is None:
            must(column["missing"] != "refused", f"{column['name']!r} is missing, which the model refuses")
            if column["missing"] == "counted":
                last = len(column.get("cuts", column.get("values", [])))
                return 0 if column["kind"] == "boolean" else last
        return cell


# The least error of a family on some rows: counts of each class, and the truth of each literal.


def majority(counts: Floats) -> float:
    """Return the errors of the best constant."""
    return float(counts.sum() - counts.sum(axis=0).max())


def best_stump(truths: Floats, counts: Floats) -> float:
    """Return the errors of the best tree of depth 1."""
    held = truths.T @ counts
    errors = held.sum(axis=1) - held.max(axis=1)
    other = counts.sum(axis=0) - held
    return min(majority(counts), float((errors + other.sum(axis=1) - other.max(axis=1)).min()))


def best_tree_of_two(truths: Floats, counts: Floats) -> float:
    """Return the errors of the best tree of depth 2: for each first split the best second one on either side."""
    sides = []
    for first in (truths, 1 - truths):
        errors = 0.0
        for second in (truths, 1 - truths):
            quarter = np.stack([first.T @ (second * one[:, None]) for one in counts.T])
            errors = errors + quarter.sum(axis=0) - quarter.max(axis=0)
        sides.append(np.min(errors, axis=1))
    return min(majority(counts), float((sides[0] + sides[1]).min()))


def both_ways(truths: Floats) -> Floats:
    """Return the truth of every literal and of every negation."""
    return np.concatenate([truths, 1 - truths], axis=1)


def weights_of_pairs(truths: Floats, weights: Floats) -> tuple[float, float, float]:
    """Return the largest and the least weight of ab | cd, and the largest of ab | bc | cd, over all literals.

    W(ab | cd) = W(ab) + W(cd) - W(abcd), where ab and cd are any two pairs. In ab | bc | cd the parts bc, ab without c
    and cd without b exclude each other, so a and d are chosen one by one.
    """
    literals = both_ways(truths)
    one, two = np.triu_indices(literals.shape[1])
    exact: Any = np.float32 if np.abs(weights).sum() < 2**22 else np.float64
    pairs = (literals[:, one] * literals[:, two]).astype(exact)
    alone = (weights @ pairs).astype(exact)
    ones = np.ones_like(alone)
    left = np.vstack([pairs * -weights[:, None].astype(exact), alone, ones])
    right = np.vstack([pairs, ones, alone])
    most, least = 0.0, 0.0
    for start in range(0, len(alone), BLOCK):
        unions = left[:, start : start + BLOCK].T @ right[:, start:]
        most, least = max(most, float(unions.max())), min(least, float(unions.min()))
    weighted = literals * weights[:, None]
    # The largest weight of ab without c, over a, for each b and c.
    outside = np.stack([((one_b * weighted.T) @ (1 - literals)).max(axis=0) for one_b in literals.T])
    return most, least, float((weighted.T @ literals + outside + outside.T).max())


def best_pair(truths: Floats, counts: Floats) -> float:
    """Return the errors of the best function with reasons of two literals.

    Every such function is ab | cd, its complement, or ab | bc | cd, whose complement is of the same form. Of several
    classes, a function that separates two of them or a tree of depth 2.
    """
    total, found = counts.sum(), [majority(counts)]
    for low, high in combinations(range(counts.shape[1]), 2):
        weights = counts[:, high] - counts[:, low]
        some = weights != 0
        union, least, path = weights_of_pairs(truths[some], weights[some])
        found.append(total - counts[:, low].sum() - max(union, path))
        found.append(total - counts[:, high].sum() + least)
    if counts.shape[1] > 2:
        found.append(best_tree_of_two(truths, counts))
    return float(min(found))


def best_column(table: CheckedTable) -> float:
    """Return the errors of the best function of one column."""
    errors = []
    for j in range(len(table.cells[0])):
        sums: dict[int | None, Floats] = {}
        for row, counts in zip(table.cells, table.counts):
            sums[row[j]] = sums.get(row[j], 0.0) + counts
        errors.append(sum(float(one.sum() - one.max()) for one in sums.values()))
    return min(errors)


class Trees:
    """The best trees of some depth above leaves that are solved for every set of literals on a path."""

    def __init__(self, table: CheckedTable, depth: int, leaf: Callable[[Floats, Floats], float]) -> None:
        self.truths, self.counts = table.truths.astype(float), table.counts
        self.depth, self.leaf = depth, leaf
        self.known: dict[Path, float] = {}

    def best(self, path: Path = ()) -> float:
        """Return the least errors below a path: of a leaf if it is long enough, else of the best split."""
        if path not in self.known:
            used = {feature for feature, _ in path}
            rows = np.all([self.truths[:, feature] == held for feature, held in path], axis=0) & np.ones(
                len(self.counts), bool
            )
            if len(path) == self.depth or not rows.any():
                self.known[path] = self.leaf(self.truths[rows], self.counts[rows]) if rows.any() else 0.0
            else:
                rest = (feature for feature in range(self.truths.shape[1]) if feature not in used)
                sums = (sum(self.best(tuple(sorted((*path, (one, held))))) for held in (True, False)) for one in rest)
                self.known[path] = min(sums, default=self.leaf(self.truths[rows], self.counts[rows]))
        return self.known[path]

    def expected_seconds(self) -> float:
        """Return about how long it takes, from the time of one leaf."""
        rows = len(self.counts) >> self.depth or 1
        start = time.perf_counter()
        self.leaf(self.truths[:rows], self.counts[:rows])
        paths = math.comb(self.truths.shape[1], self.depth) << self.depth
        return (time.perf_counter() - start) * paths


# The model of the file, as a function of its literals.


def features_of(node: dict[str, Any]) -> set[int]:
    """Return the literals that a part of the model mentions."""
    if "feature" in node:
        return {node["feature"]} | features_of(node["if_true"]) | features_of(node["if_false"])
    lists = node["matrix"] if "matrix" in node else [term for side in sides_of(node) for term in side]
    return {code // 2 for codes in lists for code in codes}


def sides_of(node: dict[str, Any]) -> list[list[list[int]]]:
    """Return the terms of each class, as lists of literals."""
    must("dnfs" in node or "positive" in node, "models of this kind are not checked")
    return list(node["dnfs"]) if "dnfs" in node else [node["negative"], node["positive"]]


def label_at(node: dict[str, Any], point: Any) -> int:
    """Return the class that a part of the model gives to a point, the truth of each literal."""
    if "feature" in node:
        return label_at(node["if_true" if point[node["feature"]] else "if_false"], point)
    if "matrix" in node:
        terms = [[c for row, n in zip(node["matrix"], prefix) for c in row[:n]] for prefix in node["prefixes"]]
        labels = int(node.get("label", 1)), int(node.get("otherwise", 0))
        return labels[any(all_hold(term, point) for term in terms) == bool(node.get("complemented", False))]
    held = [i for i, side in enumerate(sides_of(node)) if any(all_hold(term, point) for term in side)]
    if len(held) != 1:
        raise Refuted(f"the terms of {len(held)} classes hold at one point")
    return held[0]


def all_hold(term: list[int], point: Any) -> bool:
    """Return whether every literal of a term holds; odd codes are negations."""
    return all(bool(point[code // 2]) != bool(code % 2) for code in term)


def points_of(features: list[int], fixed: Point) -> Iterator[Point]:
    """Yield every point of some features, with others fixed."""
    for values in product((False, True), repeat=len(features)):
        yield {**fixed, **dict(zip(features, values))}


def has_short_reasons(node: dict[str, Any], k: int, fixed: Point) -> bool:
    """Return whether every point has a reason of at most k literals, by trying all sets of them."""
    features = sorted(features_of(node) - set(fixed))
    must(len(features) <= MOST_FEATURES, f"the model has more than {MOST_FEATURES} literals to try")
    labels = {tuple(point[f] for f in features): label_at(node, point) for point in points_of(features, fixed)}
    explained: set[tuple[bool, ...]] = set()
    for some in combinations(range(len(features)), min(k, len(features))):
        parts: dict[tuple[bool, ...], list[tuple[bool, ...]]] = {}
        for point in labels:
            parts.setdefault(tuple(point[i] for i in some), []).append(point)
        explained.update(p for part in parts.values() if len({labels[p] for p in part}) == 1 for p in part)
    return len(explained) == len(labels)


def is_tree(node: dict[str, Any], depth: int, order: int, fixed: Point) -> bool:
    """Return whether a model is a tree of some depth above functions with reasons of some order, as written or not."""
    if "feature" in node and node["feature"] in fixed:
        return is_tree(node["if_true" if fixed[node["feature"]] else "if_false"], depth, order, fixed)
    if has_short_reasons(node, order, fixed) if "feature" not in node or not depth else False:
        return True
    tried = [node["feature"]] if "feature" in node else sorted(features_of(node) - set(fixed))
    sides = (True, False)
    return depth > 0 and any(all(is_tree(node, depth - 1, order, {**fixed, f: held}) for held in sides) for f in tried)


# The claims.


def searched(table: CheckedTable, family: str, k: int) -> tuple[Trees | None, str]:
    """Return how the optimum of a family is found, None if by one column, and in words."""
    classes = table.counts.shape[1]
    wide = family in ("any", "any-literals", "nested-tree", "nested")
    if family == "any" and k == 1:
        return None, "functions of one column"
    must(family != "any" or table.binary, "of columns with several conditions, 'any' is checked at k = 1 alone")
    must(not wide or (k <= 2 and classes == 2), f"{family!r} is checked at k = 1 and 2 of two classes alone")
    must(wide or family in ("tree", "pair-tree"), f"the family {family!r} is not checked")
    if k == 1:
        return Trees(table, 0, best_stump), "single literals"
    if family == "tree":
        return Trees(table, k - 2, best_tree_of_two), f"trees of depth {k}"
    if family == "nested":
        return Trees(table, 0, best_pair), "nested 2-DNFs"
    above = f"trees of depth {k - 2} above " if k > 2 else ""
    return Trees(table, k - 2, best_pair), f"{above}functions with reasons of two literals"


def is_member(table: CheckedTable, node: dict[str, Any], family: str, k: int) -> bool:
    """Return whether the model is one of the family."""
    if family == "any" and k == 1:
        return len({table.column_of[feature] for feature in features_of(node)}) <= 1
    if family == "tree":
        return is_tree(node, k, 0, {})
    if family == "pair-tree" and k > 2:
        return is_tree(node, k - 2, 2, {})
    return has_short_reasons(node, k, {})


def refuse_other_objectives(plain: dict[str, Any]) -> None:
    """Refuse models whose objective is more than a share of errors."""
    settings = plain["settings"]
    for name in ("price", "class_weight", "monotonic_cst"):
        must(not settings.get(name), f"a model trained with {name} is not checked")
    must(not plain.get("fairness"), "a model trained for fairness is not checked")
    must(not plain.get("training", {}).get("costs"), "a model trained with costs is not checked")


def check(model: str, path: str, target: str | None) -> str:
    """Return what was checked, or raise what does not hold."""
    with open(model, encoding="utf-8") as file:
        plain = json.load(file)
    must(plain.get("format") == "idnf-model" and plain.get("version") == 2, f"{model} is no model file of version 2")
    must("kind" not in plain, "bands are not checked")
    refuse_other_objectives(plain)
    k, result = plain["k"], plain["result"]
    family, bound, objective = result.get("bound_family"), result.get("bound"), result.get("objective")
    must(isinstance(k, int) and k > 0, "k cannot be read")
    must(family and bound is not None and objective is not None, f"{model} claims no optimum and no bound")
    if result.get("optimal") not in (None, family):
        raise Refuted(f"the optimum is of {result['optimal']!r}, the bound of {family!r}")
    table = CheckedTable(plain, path, target)
    rows, node = table.counts.sum(), plain["model"].get("root", plain["model"])
    wrong = sum(c.sum() - c[label_at(node, point)] for point, c in zip(table.truths, table.counts))
    if abs(wrong / rows - objective) > CLOSE:
        raise Refuted(f"the model gets {wrong / rows:.6f} of these rows wrong; the file says {objective:.6f}")
    trees, words = searched(table, family, k)
    if trees is not None:
        say(f"About {trees.expected_seconds():.0f} s for all {words}, {len(table.counts)} distinct rows.")
    least = (best_column(table) if trees is None else trees.best()) / rows
    if bound > least + CLOSE:
        raise Refuted(f"the least error of {words} is {least:.6f}; the file says that none is below {bound:.6f}")
    if result.get("optimal") is None:
        return (
            f"Holds: none of the {words} is below {bound:.6f}; the least is {least:.6f}, the model's {objective:.6f}."
        )
    if abs(objective - least) > CLOSE:
        raise Refuted(f"the least error of {words} is {least:.6f}; the model's is {objective:.6f}")
    if not is_member(table, node, family, k):
        raise Refuted(f"the model is none of the {words}")
    return f"Holds: {wrong:.0f} of {rows:.0f} rows wrong is the least of all {words}, and the model is one of them."


def main(arguments: list[str]) -> int:
    """Check one model; return the exit code."""
    if len(arguments) not in (2, 3):
        sys.stderr.write("usage: python check_optimum.py model.json table.csv [target]\n")
        return 2
    try:
        say(check(arguments[0], arguments[1], arguments[2] if len(arguments) == 3 else None))
    except Refuted as error:
        say(f"Does not hold: {error}.")
        return 1
    except Unchecked as error:
        say(f"Not checked: {error}.")
        return 2
    except (OSError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError) as error:
        say(f"Not checked: {type(error).__name__}: {error}.")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
