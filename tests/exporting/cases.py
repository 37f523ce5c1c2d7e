"""Models over every kind of column, and rows at and around everything the columns tell apart."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from itertools import combinations

import numpy as np
import polars as pl
from tests.strategies import seeds

from idnf import DNFClassifier, TableBinariser
from idnf.classifier.fitted import Fitted
from idnf.columns.categories import BooleanColumn, CategoryColumn, OrderedColumn
from idnf.columns.column import TableColumn
from idnf.columns.groups import GroupColumn, OneHotGroup, OrderedGroup
from idnf.columns.intervals import NumberColumn, TimeColumn
from idnf.columns.phrases import time_value
from idnf.columns.value_groups import GroupedColumn
from idnf.explaining.batch import Patterns
from idnf.explaining.training_facts import TrainingPatterns
from idnf.learning.objective import Learned
from idnf.logic.class_dnfs import ClassDNFs, DoubleDNF
from idnf.logic.dnf import DNF
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree

EPOCH = datetime(1970, 1, 1)
HOSTILE = (
    "it's",
    'say "hi"',
    "'; DROP TABLE rows; --",
    "</script><script>alert(1)</script>",
    "two\nlines",
    "back\\slash",
    "right\u202eto left",
    "\U0001f600 and \u00e9",
    "line\u2028separator",
    "${1}`{0}%s",
)
CLASSES = [(0, 1), ("no", "yes"), (False, True), ("it's </script>", 'a "b"\n'), (-1.5, 2.0), ("yes", "no")]
SEVERAL = [(0, 1, 2), ("bronze", "gold", "silver", "it's </script>"), (-1.5, 2.0, 3.25), tuple("abcde")]
SHOPS = (("corner", "", "mid'dle"), tuple(sorted(HOSTILE)), ("x", "y"))
Rows = dict[str, list[object]]


@dataclass(frozen=True)
class Case:
    """A classifier, rows in Python values, and what the classifier says of them."""

    clf: DNFClassifier
    rows: Rows
    labels: list[object]

    @property
    def frame(self) -> pl.DataFrame:
        return frame_of(self.clf.binariser_.columns_, self.rows)

    def each(self) -> Iterator[dict[str, object]]:
        """Yield the rows one by one."""
        for values in zip(*self.rows.values()):
            yield dict(zip(self.rows, values))


COUNTED = {"cuts": (0.0, 1.0, 3.0, 9.0), "seen": ((0.0, 0.0), *[None] * 4)}


def all_columns() -> list[TableColumn]:
    """Return columns of every kind, with and without missing values, under hostile names."""
    dates = tuple(time_value(day, "date") for day in ("1969-12-31", "2019-12-31", "2020-06-30"))
    times = tuple(time_value(t, "datetime") for t in ("2020-01-01 00:00", "2020-06-30 12:30:15.000250"))
    return [
        NumberColumn("income", "refused", cuts=(-1.5, 0.0, 0.30000000000000004, 1e16, 2.5e200)),
        NumberColumn('it\'s "a" ratio', "seen", cuts=(0.1, 1 / 3, 0.7)),
        NumberColumn("; DROP TABLE rows", "allowed", cuts=(5e-324, 3.0, 123456789.12345679)),
        CategoryColumn("</script>", "seen", values=tuple(sorted(HOSTILE)), rare=True),
        CategoryColumn("colour", "refused", values=("", "blue", "red"), rare=False),
        CategoryColumn("code", "allowed", values=(1, 2, 7), rare=True, sets=(0b0101, 0b1010)),
        CategoryColumn("two", "seen", values=("left", "right"), pair=True),
        NumberColumn("late", "seen", **COUNTED, whole=True, inner=((1, 1), (2, 3))),
        OrderedColumn("size\n\u202e", "seen", values=("small", "mid'dle", "large", 'x"l'), cuts=(0, 2)),
        OrderedColumn("grade", "refused", values=("a", "b", "c"), cuts=(0, 1), inner=((1, 1),)),
        BooleanColumn("married", "seen"),
        BooleanColumn("\U0001f600", "refused", digits=True),
        BooleanColumn("claims", "seen", digits=True),
        TimeColumn("opened", "seen", kind="date", cuts=dates, inner=((1, 2),)),
        TimeColumn("called", "refused", kind="datetime", cuts=times),
        TimeColumn("logged", "allowed", kind="datetime-utc", cuts=times),
        TimeColumn("wait", "seen", kind="duration", cuts=(-1_500_000.0, 0.0, 5_400_000_000.0, 86_400_000_000.0)),
        GroupedColumn("shop's", "seen", groups=SHOPS, sets=(0b0110, 0b1001), orders=(1, 1), one_order=True),
        GroupedColumn(
            "ward", "allowed", groups=((1, 5), (2,), (7, 8, 9, 10, 11, 12, 13, 14, 15)), sets=(1, 6), orders=(0, 1)
        ),
        OneHotGroup("race", "refused", members=("race_a", "race_'b", "race_c"), none=True),
        OneHotGroup("sex", "refused", members=("f", "m"), none=False),
        OrderedGroup("priors", "refused", members=("none", "few", "many")),
    ]


def first_cell_model(column: TableColumn) -> DNFClassifier:
    """Return a model that says yes to the first cell of a column, and no to all others."""
    names = [literal.name for literal in column.literals]
    masks = [literal.mask for literal in column.literals]
    if 1 not in masks and column.full - 1 not in masks:
        return first_cell_model(column.with_all_literals())
    code = 2 * masks.index(1) if 1 in masks else 2 * masks.index(column.full - 1) + 1
    return DNFClassifier.from_dnf(DNF.from_codes(names, [[code]]), columns=[column], classes=("no", "yes"))


def counting_missing(column: TableColumn, rng: random.Random) -> TableColumn:
    """Return a column, half the time with missing values that count as another cell if it refuses them."""
    counts = column.missing == "refused" and not isinstance(column, GroupColumn) and rng.random() < 0.5
    return replace(column, missing="counted") if counts else column


def random_case(seed: int, rows: int) -> Case:
    """Return a random formula over random columns, and rows for it."""
    rng = random.Random(seed)
    columns = [counting_missing(column, rng) for column in rng.sample(all_columns(), rng.randint(3, 6))]
    names = [name for column in columns for name in range(len(column.literals))]
    classes = rng.choice(CLASSES)
    while True:
        terms = [[2 * rng.randrange(len(names)) + rng.randrange(2) for _ in range(rng.randint(1, 3))] for _ in range(4)]
        formula = DNF.from_codes([f"f{i}" for i in range(len(names))], terms[: rng.randint(1, 4)])
        clf = DNFClassifier.from_dnf(
            DNF.from_masks(DNFClassifier.from_dnf("0", columns=columns).binariser_.literals_, formula.masks),
            columns=columns,
            classes=classes,
        )
        if len(clf.fitted_.used) > 1:
            return case_of(clf, rows, seed)


def learned_case(seed: int, rows: int) -> Case:
    """Return a nested DNF learned from a table of every kind of column, and rows for it."""
    columns = all_columns()
    training = generated_rows(columns, 400, seed)
    table = frame_of(columns, training)
    rng = random.Random(seed)
    y = [
        rng.random() < 0.1 or (a is not None and a > 0) != (b is True)
        for a, b in zip(training["income"], training["married"])
    ]
    groups = {c.name: list(c.members) for c in columns if isinstance(c, OneHotGroup)}
    family = ("nested", "tree")[seed % 2]
    clf = DNFClassifier(k=3, family=family, learner="greedy", binariser=TableBinariser(groups=groups)).fit(
        table, np.where(y, "yes", "no")
    )
    return case_of(clf, rows, seed)


def several_case(seed: int, rows: int) -> Case:
    """Return a random function of three to five classes of a few literals of random columns, and rows for it."""
    rng = random.Random(seed)
    columns = [counting_missing(column, rng) for column in rng.sample(all_columns(), rng.randint(3, 5))]
    clf = DNFClassifier.from_dnf("0", columns=columns)
    names = clf.binariser_.literals_
    classes = rng.choice(SEVERAL)
    while True:
        chosen = rng.sample(names, min(len(names), 4))
        values = [rng.randrange(len(classes)) for _ in range(2 ** len(chosen))]
        found = ClassDNFs.from_truth_table(chosen, values)
        if found.n_classes == len(classes):
            break
    model = ClassDNFs(tuple(dnf.over(names) for dnf in found.dnfs), found.k)
    clf.k = found.k
    learned = Learned(model, 0.0)
    clf.fitted_ = Fitted.untrained(clf.binariser_, np.array(classes), learned, "none: made by hand")
    return case_of(clf, rows, seed)


def large_case(rows: int) -> Case:
    """Return a nested 5-DNF whose negative side is too large to be written down."""
    k = 5
    columns = [NumberColumn(f"x{i}{j}", "refused", cuts=(0.5,)) for i in range(k) for j in range(k)]
    clf = DNFClassifier.from_dnf("0", columns=columns)
    matrix = tuple(tuple(2 * (k * i + j) for j in range(k)) for i in range(k))
    prefixes = tuple(tuple(k if i == row else 0 for i in range(k)) for row in range(k))
    model = NestedDNF(clf.binariser_.literals_, matrix, prefixes, k)
    clf.k = k
    learned = Learned(NestedTree.from_nested(model), 0.0)
    clf.fitted_ = Fitted.untrained(clf.binariser_, clf.classes_, learned, "none: made by hand")
    rng = np.random.default_rng(0)
    held = rng.random((rows, k, 1)) < 0.3
    values = np.where(held | (rng.random((rows, k, k)) < 0.7), 0.5, rng.random((rows, k, k)) * 2)
    given: Rows = {f"x{i}{j}": values[:, i, j].tolist() for i in range(k) for j in range(k)}
    return Case(clf, given, clf.predict(pl.DataFrame(given)).tolist())


def wide_case(rows: int) -> Case:
    """Return a model that tells apart more cells of a column than a JavaScript number has bits."""
    cuts = tuple(float(cut) for cut in range(1, 80))
    clf = DNFClassifier.from_dnf("0", columns=[NumberColumn("x", "refused", cuts=cuts), BooleanColumn("b", "refused")])
    n = len(cuts)
    cells = [[0], *([2 * i - 1, 2 * i] for i in range(1, n)), [2 * n - 1]]
    sides = ([cells[i] for i in range(n + 1) if i % 2 == parity] for parity in (0, 1))
    positive, negative = (DNF.from_codes(clf.binariser_.literals_, side) for side in sides)
    learned = Learned(DoubleDNF(positive, negative, 2), 0.0)
    clf.fitted_ = Fitted.untrained(clf.binariser_, clf.classes_, learned, "none: made by hand")
    return case_of(clf, rows, 0)


def case_of(clf: DNFClassifier, rows: int, seed: int) -> Case:
    given = generated_rows(list(clf.binariser_.columns_), rows, seed)
    return Case(clf, given, clf.predict(frame_of(list(clf.binariser_.columns_), given)).tolist())


def generated_rows(columns: list[TableColumn], count: int, seed: int) -> Rows:
    """Return rows with missing values, values at the cuts and next to them, and categories never seen."""
    rng = random.Random(seed)
    rows: Rows = {}
    for column in columns:
        if isinstance(column, GroupColumn):
            bits = [rng.choice(_codes(column)) for _ in range(count)]
            rows |= {member: [code[i] for code in bits] for i, member in enumerate(column.members)}
            continue
        values = _interesting(column)
        share = 0.15 if column.missing != "refused" else 0.0
        rows[column.name] = [None if rng.random() < share else rng.choice(values) for _ in range(count)]
    return rows


def _codes(column: GroupColumn) -> list[tuple[int, ...]]:
    n = len(column.members)
    if isinstance(column, OrderedGroup):
        return [(0,) * cell + (1,) * (n - cell) for cell in range(n + 1)]
    cells = n + (isinstance(column, OneHotGroup) and column.none)
    return [tuple(int(i == cell) for i in range(n)) for cell in range(cells)]


def _interesting(column: TableColumn) -> list[object]:
    if isinstance(column, NumberColumn):
        near = [math.nextafter(cut, way) for cut in column.cuts for way in (-math.inf, math.inf)]
        return [*column.cuts, *near, *column.cuts, -1.7e308, 1.7e308, 0.0, -0.0, 0.5]
    if isinstance(column, TimeColumn):
        step = 86_400_000_000 if column.kind == "date" else 1
        points = [cut + away for cut in column.cuts for away in (-step, 0, step)]
        extra = [cut + 3_600_000_000 for cut in column.cuts] if column.kind == "datetime" else []
        return [_time(point, column.kind) for point in (*points, *extra, -30 * 86_400e6, 18_900 * 86_400e6)]
    if isinstance(column, OrderedColumn):
        return list(column.values)
    if isinstance(column, CategoryColumn):
        text = not column.values or isinstance(column.values[0], str)
        return [*column.values, *(("never seen", "Blue", "it", "missing", "\u00e9'") if text else (3, 70))]
    if isinstance(column, GroupedColumn):
        values = [value for group in column.groups for value in group]
        return [*values, *(("never seen", "Corner", "it") if isinstance(values[0], str) else (3, 70))]
    if isinstance(column, BooleanColumn) and column.digits:
        return [0.0, 1.0, 0.0, 1.0, 0.5, math.nextafter(0.5, 1), -0.0, -7.0, 3.0, 2.25, 1e300]
    return [False, True]


def _time(microseconds: float, kind: str) -> object:
    if kind == "duration":
        return timedelta(microseconds=int(microseconds))
    moment = EPOCH + timedelta(microseconds=int(microseconds))
    if kind == "date":
        return moment.date()
    return moment.replace(tzinfo=UTC) if kind == "datetime-utc" else moment


def frame_of(columns: list[TableColumn], rows: Rows) -> pl.DataFrame:
    """Return rows as a polars table of the right types."""
    types: dict[str, pl.DataType | type[pl.DataType]] = {}
    for column in columns:
        for name in column.sources:
            types[name] = _type_of(column)
    return pl.DataFrame({name: pl.Series(name, values, dtype=types[name]) for name, values in rows.items()})


def _type_of(column: TableColumn) -> pl.DataType | type[pl.DataType]:
    if isinstance(column, TimeColumn):
        return {
            "date": pl.Date,
            "datetime": pl.Datetime("us"),
            "datetime-utc": pl.Datetime("us", "UTC"),
            "duration": pl.Duration("us"),
        }[column.kind]
    if isinstance(column, OrderedColumn):
        return pl.Enum(column.values)
    if isinstance(column, GroupedColumn):
        return pl.String if isinstance(column.groups[0][0], str) else pl.Int64
    if isinstance(column, CategoryColumn):
        return pl.String if not column.values or isinstance(column.values[0], str) else pl.Int64
    if isinstance(column, NumberColumn) or isinstance(column, BooleanColumn) and column.digits:
        return pl.Float64
    return pl.Int64 if isinstance(column, GroupColumn) else pl.Boolean


@cache
def cases() -> tuple[Case, ...]:
    """Return the models every export is tried on, with more than 4 000 rows together, 10 000 in `make slow`."""
    made = [random_case(seed, len(seeds(300, 1000))) for seed in range(10)]
    several = [several_case(seed, len(seeds(100, 300))) for seed in range(6)]
    found = (*made, learned_case(0, 500), learned_case(1, 500), *several, large_case(len(seeds(150, 500))))
    assert sum(len(case.labels) for case in found) >= len(seeds(4000, 10_000))
    return found


@cache
def scored_cases() -> tuple[Case, ...]:
    """Return models of two labels with training examples of which rows meet only some sets of reasons, and rows."""
    made = [
        *(random_case(seed, 240) for seed in range(20, 28)),
        case_of(_named_as_parts(), 60, 0),
        case_of(_many_reasons(), 200, 0),
    ]
    return tuple(_scored(case, seed) for seed, case in enumerate(made))


def _named_as_parts() -> DNFClassifier:
    """Return a model whose columns have names that a query might give to its own parts."""
    names = ("idnf held 0", "g0", "c0", "n0")
    return DNFClassifier.from_dnf(f"'{names[0]}' & g0 | c0 & ~n0", columns=dict.fromkeys(names, bool))


def _many_reasons() -> DNFClassifier:
    """Return a model of 56 reasons, many of which hold for a row."""
    return DNFClassifier.from_dnf(" | ".join(" & ".join(three) for three in combinations("abcdefg", 3)))


def _scored(case: Case, seed: int) -> Case:
    """Return a case whose model was given examples, half of them under monotone constraints."""
    fitted, rng = case.clf.fitted_, np.random.default_rng(seed)
    patterns = Patterns.of(fitted.sides.frame, fitted.cells_of(case.frame)[: len(case.labels) // 3])
    lean = rng.random(len(patterns.cells))[patterns.index]
    labels = (rng.random(len(patterns.index)) < lean).astype(np.intp)
    weights = rng.random(len(labels)) * 40
    training = TrainingPatterns.of(patterns, labels, weights, n_classes=2, monotone=seed % 3 == 2)
    return replace(case, clf=case.clf.with_state(replace(fitted, training=training)))


def plain_value(value: object) -> object:
    """Return a value as JSON can hold it: times as ISO text, durations in seconds."""
    if isinstance(value, timedelta):
        return value / timedelta(seconds=1)
    return value.isoformat() if isinstance(value, date) else value
