"""Random models over the columns of a table, and the class of a row by its values."""

from __future__ import annotations

from itertools import product
from random import Random

from tests.auditing.naive_audits import World, holds

from idnf.auditing.table_models import TableModel
from idnf.columns.categories import BooleanColumn, CategoryColumn, OrderedColumn
from idnf.columns.column import space_of
from idnf.columns.intervals import NumberColumn, TimeColumn
from idnf.columns.phrases import DAY

NAMES = ("income", "job", "late", "size", "opened")


def random_columns(rng, *, kinds=None, missing=None):
    """Columns of some kinds; two calls with the same kinds cut them at different places."""
    made = []
    for j, kind in enumerate(kinds or random_kinds(rng)):
        allowed = missing[j] if missing else "refused"
        made.append(_column(rng, kind, allowed))
    return tuple(made)


def random_kinds(rng):
    return rng.sample(NAMES, rng.randint(2, 3))


def random_missing(rng, kinds):
    return [rng.choice(["refused", "seen"]) for _ in kinds]


def _column(rng, kind, missing):
    if kind == "income":
        return NumberColumn("income", missing, cuts=tuple(sorted(rng.sample([10.0, 20.0, 30.0, 40.0], 2))))
    if kind == "job":
        return CategoryColumn("job", missing, values=tuple(sorted(rng.sample(["clerk", "nurse", "smith"], 2))))
    if kind == "late":
        return BooleanColumn("late", missing)
    if kind == "size":
        values = ("small", "medium", "large")
        return OrderedColumn("size", missing, values=values, cuts=tuple(sorted(rng.sample([0, 1], rng.randint(1, 2)))))
    return TimeColumn("opened", missing, kind="date", cuts=tuple(DAY * day for day in sorted(rng.sample([1, 5, 9], 2))))


def random_model(rng, columns, classes=2):
    world = World(rng.random(), classes=classes, space=space_of(columns))
    return TableModel(columns, tuple("abcd"[:classes]), world.model.terms, world.model.k)


def probes(columns):
    """Values of every column on both sides of every cut and category, by name."""
    from datetime import date

    values = {
        "income": [5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 33.0, 35.0, 40.0, 45.0],
        "job": ["clerk", "nurse", "smith", "baker"],
        "late": [True, False],
        "size": ["small", "medium", "large"],
        "opened": [date(1970, 1, day) for day in (1, 2, 3, 6, 7, 10, 11)],
    }
    return {c.name: values[c.name] + ([None] if c.has_missing_cell else []) for c in columns}


def rows(values):
    return [dict(zip(values, row)) for row in product(*values.values())]


def label(model, row):
    """The class of a row, box by box."""
    point = [int(column.cells([row[column.name]])[0]) for column in model.columns]
    given = {c for c, boxes in zip(model.classes, model.boxes) for box in boxes if holds(box, point)}
    (found,) = given
    return found


def seeded(seed):
    return Random(seed)
