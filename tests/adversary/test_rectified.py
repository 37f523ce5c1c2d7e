"""Rectified models against every point: they obey, differ only where they say, and are nearest or impossible if proved.

Rules are kept as data beside their text, and read here by no code of the library.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
import pandas as pd
from tests.adversary.plain_model import UNSEEN, PlainModel, Point
from tests.adversary.tally import count
from tests.adversary.test_questions import MOST_POINTS, SIZES, random_table
from tests.tables.naive_wording import Value

from idnf import DNFClassifier
from idnf.auditing.conditions import ConditionError
from idnf.choosing import rectify
from idnf.choosing.rectification import Rectified
from idnf.exporting import json_text

LABELS = ("gold", "iron")
Test = tuple[str, str, Value]


@dataclass(frozen=True)
class Region:
    """Rows that meet some tests must have a label, or must not."""

    tests: tuple[Test, ...]
    label: str
    wanted: bool

    def __str__(self) -> str:
        said = " and ".join(f"{name} {sign} {written(value)}" for name, sign, value in self.tests)
        return f"if {said} then {'' if self.wanted else 'not '}{self.label}"

    @property
    def required(self) -> str:
        """The label of two that is left."""
        return self.label if self.wanted else LABELS[self.label == LABELS[0]]

    def is_about(self, point: Point) -> bool:
        return all(is_met(point[name], sign, value) for name, sign, value in self.tests)


@dataclass(frozen=True)
class AllElseEqual:
    """A column never decides alone, or a label never falls as it rises."""

    column: str
    rising: str | None

    def __str__(self) -> str:
        if self.rising:
            return f"{self.rising} never falls as {self.column} rises"
        return f"{self.column} alone never decides"

    def is_obeyed(self, points: list[Point], labels: list[str]) -> bool:
        rest = [tuple(v for name, v in point.items() if name != self.column) for point in points]
        seen: dict[tuple[Value, ...], list[tuple[Value, str]]] = {}
        for point, others, label in zip(points, rest, labels, strict=True):
            seen.setdefault(others, []).append((point[self.column], label))
        if not self.rising:
            return all(len({label for _, label in row}) == 1 for row in seen.values())
        rows = [sorted((rank(v), label == self.rising) for v, label in row if v is not None) for row in seen.values()]
        return all(given == sorted(given) for given in ([high for _, high in row] for row in rows))


def rank(value: Value) -> float:
    return SIZES.index(value) if isinstance(value, str) else float(value)  # type: ignore[arg-type]


def written(value: Value) -> str:
    return "missing" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def is_met(value: Value, sign: str, other: Value) -> bool:
    if other is None:
        return (value is None) == (sign == "is")
    if sign == "is not":
        return value is None or value != other
    if value is None:
        return False
    if value in SIZES and other in SIZES and sign != "is":
        value, other = SIZES.index(str(value)), SIZES.index(str(other))
    return {"is": value == other, "<=": value <= other, ">": value > other}[sign]


def random_rule(rng: random.Random, model: PlainModel) -> Region:
    tests: list[Test] = []
    for column in rng.sample(model.columns, rng.randint(1, min(3, len(model.columns)))):
        kind = column["kind"]
        if column["missing"] != "refused" and column["missing"] != "counted" and rng.random() < 0.15:
            tests.append((column["name"], rng.choice(["is", "is not"]), None))
        elif kind == "number":
            tests.append((column["name"], rng.choice(["<=", ">"]), rng.choice([*column["cuts"], rng.randint(-3, 9)])))
        elif kind == "boolean":
            tests.append((column["name"], rng.choice(["is", "is not"]), rng.random() < 0.5))
        else:
            signs = ["is", "is not", *(["<=", ">"] if tuple(column["values"]) == SIZES else [])]
            tests.append((column["name"], rng.choice(signs), rng.choice(column["values"])))
    return Region(tuple(tests), rng.choice(LABELS), rng.random() < 0.8)


def random_rules(rng: random.Random, model: PlainModel) -> list[Region | AllElseEqual]:
    rules: list[Region | AllElseEqual] = [random_rule(rng, model) for _ in range(rng.choice([1, 1, 2, 2, 3, 6, 12]))]
    if rng.random() < 0.25:
        column = rng.choice(model.columns)
        ordered = column["kind"] in ("number", "boolean") or tuple(column.get("values", ())) == SIZES
        rules = [AllElseEqual(column["name"], rng.choice([None, *LABELS]) if ordered else None), *rules[:1]]
    return rules


def random_policy(rng: random.Random, seed: int) -> tuple[DNFClassifier, object, np.ndarray] | None:
    table = random_table(rng)
    table = table[list(table.columns)[:3]]
    codes = np.column_stack([pd.factorize(table[name], use_na_sentinel=False)[0] for name in table])
    y = np.array(LABELS)[(codes @ np.array([rng.choice([-3, 1, 2]) for _ in table.columns]) % 3 > 0).astype(int)]
    if len(set(y.tolist())) < 2:
        return None
    clf = DNFClassifier(rng.randint(1, 3), learner=rng.choice(["greedy", "search"]), effort=0.05, random_state=seed)
    clf.fit(table, y)
    # Rows may lack values in columns that had all of them in training.
    return clf, table.mask(np.random.default_rng(seed).random(table.shape) < rng.choice([0, 0.1])), y


def grid(models: list[PlainModel], rules: list[Region | AllElseEqual]) -> list[Point]:
    """A point for every combination of values that models or rules may tell apart; none that counts as another."""
    values: dict[str, list[Value]] = {}
    for model in models:
        for column in model.columns:
            known = model.values(column)
            values.setdefault(column["name"], []).extend(known[:-1] if column["missing"] == "counted" else known)
    for name, _, value in (test for rule in rules if isinstance(rule, Region) for test in rule.tests):
        values[name].append(value)
    for name, found in values.items():
        numbers = sorted({x for x in found if isinstance(x, int | float) and not isinstance(x, bool)})
        if numbers:
            between = [numbers[0] - 1, *((a + b) / 2 for a, b in zip(numbers, numbers[1:])), numbers[-1] + 1]
            whole = any(c["name"] == name and c.get("whole") for m in models for c in m.columns)
            steps = {float(np.floor(x)) for x in between} if whole else set(between)
            values[name] = [*sorted({*numbers, *steps}), *([None] if None in found else [])]
        else:
            values[name] = list(dict.fromkeys(found))
    return [dict(zip(values, point)) for point in product(*values.values())]


def check_impossible(point: Point, points: list[Point], rules: list[Region], k: int) -> None:
    """Whatever k values of the point a reason names, some point that has them must have the other label."""
    required = {rule.required for rule in rules if rule.is_about(point)}
    assert len(required) == 1
    others = [p for p in points if any(rule.is_about(p) and {rule.required} != required for rule in rules)]
    for names in combinations(point, min(k, len(point))):
        assert any(all(same(other[name], point[name]) for name in names) for other in others), names


def same(one: Value, other: Value) -> bool:
    return one == other or (one == UNSEEN and isinstance(other, str) and "other" in other)


def is_short(points: list[Point], labels: list[str], k: int) -> bool:
    """Whether each point has k values that all points which have them too share its label."""
    names = list(points[0])
    decided: set[int] = set()
    for some in combinations(names, min(k, len(names))):
        seen: dict[tuple[Value, ...], set[str]] = {}
        keys = [tuple(point[name] for name in some) for point in points]
        for key, label in zip(keys, labels, strict=True):
            seen.setdefault(key, set()).add(label)
        decided |= {i for i, key in enumerate(keys) if len(seen[key]) == 1}
    return len(decided) == len(points)


def test_rectified_models_obey_and_are_nearest_if_they_say_so(rounds) -> None:
    for seed in rounds(8, 600):
        rng = random.Random(seed)
        made = random_policy(rng, seed)
        if made is None:
            continue
        clf, table, y = made
        old = PlainModel.of(json_text(clf))
        rules = random_rules(rng, old)
        try:
            found = rectify(clf, [str(rule) for rule in rules], table, y)
        except ConditionError as error:
            refusal = str(error)
            contradiction = "contradict each other" in refusal or "contradicts itself" in refusal
            assert contradiction, (seed, refusal)  # noqa: PT017 - one of two words, in a loop
            count("rules that contradict: refused")
            continue
        check_rectified(found, old, rules, clf.k, seed)


def check_rectified(found: Rectified, old: PlainModel, rules: list[Region | AllElseEqual], k: int, seed: int) -> None:
    found.check()
    new = None if found.classifier is None else PlainModel.of(json_text(found.classifier))
    points = grid([old] if new is None else [old, new], rules)
    if len(points) > MOST_POINTS:
        return
    if found.impossible is not None:
        assert new is None
        point = {**points[0], **found.impossible}
        check_impossible(point, points, [rule for rule in rules if isinstance(rule, Region)], k)
        count("rules that no model obeys: so of every set of columns")
        return
    if new is None:
        count("rules for which no model was found")
        return
    before, after = [[model.label(point) for point in points] for model in (old, new)]
    regions = [rule for rule in rules if isinstance(rule, Region)]
    for rule in regions:
        assert all(b == rule.required for p, b in zip(points, after) if rule.is_about(p)), (seed, str(rule))
    for rule in (rule for rule in rules if isinstance(rule, AllElseEqual)):
        assert rule.is_obeyed(points, after), (seed, str(rule))
    if found.nearest:
        for p, a, b in zip(points, before, after, strict=True):
            assert a == b or any(rule.is_about(p) and rule.required != a for rule in regions), (seed, p)
    assert is_short(points, after, k), seed
    count(f"rectified models {'proved nearest' if found.nearest else 'found by search'}: obey at every point")
