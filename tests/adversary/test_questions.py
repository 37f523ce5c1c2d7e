"""Models of generated tables against brute force over all points."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd
from tests.adversary.plain_model import PlainModel, World
from tests.adversary.tally import count

from idnf import DNFClassifier
from idnf.exporting import json_text

SIZES = ("small", "medium", "large")
MOST_POINTS = 4000


def random_table(rng: random.Random) -> pd.DataFrame:
    """A table of two to five columns of any kind, some of them with missing values."""
    n, generator = rng.randint(30, 150), np.random.default_rng(rng.randrange(2**32))
    made = {}
    for j in range(rng.randint(2, 5)):
        kind = rng.choice(["whole", "real", "category", "boolean", "ordered"])
        if kind == "whole":
            values = pd.Series(generator.integers(0, rng.choice([3, 10, 100]), n), dtype="Int64")
        elif kind == "real":
            values = pd.Series(generator.normal(0, 10, n).round(2))
        elif kind == "category":
            values = pd.Series(generator.choice(["red", "blue", "green", "grey"][: rng.randint(2, 4)], n), dtype=object)
        elif kind == "boolean":
            values = pd.Series(generator.random(n) < 0.5, dtype="boolean")
        else:
            drawn = generator.choice(SIZES, n)
            values = pd.Series(pd.Categorical(drawn, categories=SIZES, ordered=True))
        if rng.random() < 0.4:
            values = values.mask(generator.random(n) < 0.15)
        made[f"c{j}"] = values
    return pd.DataFrame(made)


def random_model(seed: int) -> tuple[DNFClassifier, PlainModel]:
    rng = random.Random(seed)
    table, n_classes = random_table(rng), rng.choice([2, 2, 2, 3, 4])
    codes = np.column_stack([pd.factorize(table[name], use_na_sentinel=False)[0] for name in table])
    ranks = codes @ np.array([rng.choice([-3, -1, 1, 2, 5]) for _ in table.columns]) % (n_classes + 1)
    noise = np.random.default_rng(seed).integers(0, n_classes, len(table))
    y = np.where(np.random.default_rng(seed + 1).random(len(table)) < 0.15, noise, ranks % n_classes)
    y[:n_classes] = range(n_classes)
    k, two = rng.randint(1, 4), n_classes == 2
    learner = rng.choice(["greedy", "search", "search", "exact"])
    k = min(k, 2) if learner == "exact" else k
    family = rng.choice(["any", "tree", *(["nested"] if two else [])])
    clf = DNFClassifier(k, family=family, learner=learner, price=0.0, effort=0.1, random_state=seed)
    clf.fit(table, np.array(["bronze", "gold", "iron", "silver"])[y])
    return clf, PlainModel.of(json_text(clf))


def test_decisions_reasons_and_changes_are_what_brute_force_says(rounds) -> None:
    for seed in rounds(5, 900):
        clf, model = random_model(seed)
        world = World(model)
        if not 1 < len(world.points) <= MOST_POINTS:
            continue
        table = frame(world)
        assert clf.predict(table).tolist() == world.labels, seed
        count("points decided, over all cells of a model", len(world.points))
        count("models")
        chosen = random.Random(seed).sample(range(len(world.points)), min(20, len(world.points)))
        for place, explanation in zip(chosen, clf.explain(table.iloc[chosen]), strict=True):
            check_explanation(world, world.points[place], world.labels[place], explanation, clf.k)
        for place in chosen:
            check_recourse(world, world.points[place], world.labels[place], clf.recourse(table.iloc[[place]]))


def frame(world: World) -> pd.DataFrame:
    made = {}
    for name in world.points[0]:
        values = [point[name] for point in world.points]
        kinds = {type(value) for value in values} - {type(None)}
        if world.orders.get(name) == list(SIZES):
            made[name] = pd.Categorical(values, categories=SIZES, ordered=True)
        else:
            made[name] = pd.Series(values, dtype="boolean" if kinds == {bool} else object if kinds == {str} else float)
    return pd.DataFrame(made)


def check_explanation(world: World, point, label, explanation, k: int) -> None:
    plain = explanation.to_dict()
    assert plain["label"] == label
    conditions = {one["column"]: one["condition"] for one in plain["axp"]}
    assert len(conditions) <= k
    assert all(world.labels[i] == label for i in world.meeting(conditions)), "a reason leaves one class"
    reason, change = set(conditions), {one["column"] for one in plain["cxp"]}
    assert world.is_reason(point, label, reason)
    assert not any(world.is_reason(point, label, reason - {name}) for name in reason), "every condition is needed"
    count("explanations: sufficient, no longer than k, no condition to spare")
    if not change:
        assert set(world.labels) == {label}
        return
    assert world.is_change(point, label, change)
    assert not any(world.is_change(point, label, change - {name}) for name in change)
    instead = {one["column"]: one["condition"] for one in plain["cxp"]}
    rest = world.agreeing(point, set(world.columns) - change)
    reached = {world.labels[i] for i in set(rest) & set(world.meeting(instead))}
    assert len(reached) == 1, (point, label, instead, reached)
    assert label not in reached
    count("changes: lead to another class, no column to spare")


def check_recourse(world: World, point, label, ways) -> None:
    fewest = [world.fewest_changes(point, label, unseen=unseen) for unseen in (True, False)]
    if not len(ways):
        assert fewest[1] is None
        count("recourses: none, and there is none")
        return
    changes = {change.column: change.condition for change in ways[0].changes}
    assert fewest[0] is not None
    assert fewest[0] <= len(changes) <= (fewest[1] or len(changes)), "no way changes fewer columns"
    rest = world.agreeing(point, set(world.columns) - set(changes))
    reached = [
        i for i in set(rest) & set(world.meeting(changes)) if all(world.points[i][n] is not None for n in changes)
    ]
    assert reached
    assert {world.labels[i] for i in reached} == {ways[0].label}
    assert ways[0].label != label
    count("recourses: lead where they say, by the fewest changes")
