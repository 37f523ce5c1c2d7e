"""Cells and literals of the columns of a lazy table, by aggregate queries.

Missing values, Booleans and groups are checked on all rows in one scan, categories are counted in one GROUP BY each,
and ordered columns are cut as in memory on a sample of bounded size: all rows if the table is no larger than that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from idnf.columns.categories import BooleanColumn
from idnf.columns.column import NO_CELL, Missing, TableColumn
from idnf.columns.eager_frames import refuse_unknown
from idnf.columns.groups import GroupColumn, Ordered, declared_group, members_of
from idnf.columns.raw import KIND_WORDS, RawColumn, read_series
from idnf.columns.value_groups import MOST_GROUPED
from idnf.engines.lazy_frames import OWN, Eager, Lazy
from idnf.engines.queries import CLASS, Sampling, Scans, Step, class_number, count_rows
from idnf.logic.errors import InvalidArgument
from idnf.tables.binariser import TableBinariser
from idnf.tables.column_check import (
    ColumnDecision,
    ColumnsReport,
    category_decisions,
    check_columns,
    label_decisions,
    texts_decision,
)
from idnf.tables.column_fitting import (
    ColumnPlan,
    Examples,
    Settings,
    categories_column,
    fit_column,
    fit_plans,
    refuse_texts,
)
from idnf.tables.lazy_columns import LazyColumn, cell
from idnf.tables.targets import LazyTarget
from idnf.tables.text_values import number_reading
from idnf.tables.value_grouping import CountedCategories

MOST_SAMPLED_VALUES = 20_000_000
"""The most values in the sample that ordered columns are cut on: 160 MB as numbers."""

MOST_SAMPLED_ROWS = 200_000

# A column in queries: the weight of a row.
_WEIGHT = OWN + "weight"


@dataclass(frozen=True)
class LazyExamples:
    """The rows of a lazy table that training sees.

    Parameters
    ----------
    frame : narwhals LazyFrame
    raws : dict of str to LazyColumn
        The columns to learn from.
    target : LazyTarget
    weight : narwhals Expr, optional
    class_weights : tuple of float
        Factors for the weights of each class.
    seed : int
    scans : Scans
    """

    frame: Lazy
    raws: Mapping[str, LazyColumn]
    target: LazyTarget
    weight: nw.Expr | None
    class_weights: tuple[float, ...]
    seed: int
    scans: Scans

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.target.sizes.total

    def sampled(self, names: Sequence[str], limit: int) -> tuple[Eager, NDArray[np.intp], NDArray[np.float64]]:
        """Return some columns of a sample of at most that many rows, and the class and the own weight of each row."""
        weight = [] if self.weight is None else [self.weight.cast(nw.Float64).alias(_WEIGHT)]
        sampling = Sampling(self.target.labels, self.target.sizes, limit, self.seed)
        table = sampling.taken(self.frame, [*map(nw.col, names), *weight], self.scans)
        classes = table.get_column(CLASS).to_numpy().astype(np.intp)
        weights = table.get_column(_WEIGHT).to_numpy().astype(np.float64) if weight else np.ones(len(classes))
        return table, classes, weights


@dataclass(frozen=True)
class _Facts:
    """What is counted of one column over all rows."""

    missing: int
    beyond: int = 0
    beyond_zero_one: int = 1
    padded: int = 1


def fit_lazily(binariser: TableBinariser, examples: LazyExamples) -> LazyExamples:
    """Fit a binariser to a lazy table; return the table with what was counted of its texts."""
    raws, groups = examples.raws, binariser.groups or {}
    _refuse_intervals(examples)
    _refuse_kinds(binariser.kinds or {}, raws)
    refuse_unknown("cut_points", "name columns of the table", binariser.cut_points or {}, raws)
    group_of = members_of(groups, raws)
    ignored = {name for name, kind in (binariser.kinds or {}).items() if kind == "ignore"}
    apart = {name: raw for name, raw in raws.items() if name not in group_of and name not in ignored}
    facts = _facts(examples, apart)
    apart = {name: replace(raw, bare=raw.bare or not facts[name].padded) for name, raw in apart.items()}
    plans, decisions = _plans(binariser, examples, apart, facts)
    target = examples.target
    weighed = len(set(examples.class_weights)) > 1
    labels = label_decisions(target.classes.tolist(), list(target.sizes.rows), weighed=weighed)
    binariser.report_ = ColumnsReport([*decisions, *labels])
    if not plans and not group_of:
        raise InvalidArgument("X", "have a column to learn from", "none", binariser.report_)
    for group in dict.fromkeys(group_of.values()):
        plans[group] = ColumnPlan.of(_fit_group(group, groups[group], examples))
    order = dict.fromkeys(group_of.get(name, name) for name in raws)
    ordered = {name: plans[name] for name in order if name in plans}
    binariser.take(fit_plans(ordered, binariser.max_literals_per_column, binariser.max_literals), list(raws))
    different = {name: plan.different for name, plan in plans.items()}
    binariser.report_ = ColumnsReport([*binariser.report_, *category_decisions(binariser.columns_, different)])
    return replace(examples, raws={**raws, **apart})


def _refuse_intervals(examples: LazyExamples) -> None:
    """Refuse lengths of time from databases, in which a month is a length."""
    of_database = not examples.frame.implementation.is_polars()
    for raw in examples.raws.values():
        if of_database and raw.kind == "duration":
            raise InvalidArgument(
                f"column {raw.name!r}",
                "hold numbers, Booleans, categories or dates",
                "intervals, which have no fixed length in a database",
                "Convert the column to seconds.",
            )


def _refuse_kinds(kinds: Mapping[str, str], raws: Mapping[str, LazyColumn]) -> None:
    """Refuse columns that are declared to be what they are not in the table, which is read as it is."""
    refuse_unknown("kinds", "name columns of the table", kinds, raws)
    for name, kind in kinds.items():
        own = {"ordered": "category", "datetime": "date", "datetime-utc": "date"}.get(raws[name].kind, raws[name].kind)
        if kind not in ("keep", "ignore", own):
            raise InvalidArgument(
                f"kinds[{name!r}]",
                f"be 'keep', 'ignore' or what a lazy table holds, {KIND_WORDS[raws[name].kind]}",
                f"{kind!r}",
                "Cast the column in the table.",
            )


def _plans(
    binariser: TableBinariser, examples: LazyExamples, raws: Mapping[str, LazyColumn], facts: Mapping[str, _Facts]
) -> tuple[dict[str, ColumnPlan], list[ColumnDecision]]:
    """Return how each column is made, by what was counted of it on all rows; and what was decided about columns."""
    cut_points = binariser.cut_points or {}
    is_boolean = {
        name: name not in cut_points and (raw.kind == "boolean" or facts[name].beyond_zero_one == 0)
        for name, raw in raws.items()
    }
    given = {name: points for name, points in cut_points.items() if isinstance(points, TableColumn)}
    own = {name: points for name, points in cut_points.items() if not isinstance(points, TableColumn)}
    cut = [raw for name, raw in raws.items() if raw.kind != "category" and not is_boolean[name] and name not in given]
    sampled = _Sampled.of(examples, cut) if cut else None
    declared = {**(binariser.kinds or {}), **dict.fromkeys(cut_points, "keep")}
    left, decisions = (
        (set[str](), [])
        if sampled is None
        else sampled.checked(cut, declared, examples.rows, drop_leaks=binariser.drop_leaks)
    )
    plans: dict[str, ColumnPlan] = {}
    for name, raw in raws.items():
        if name in left:
            continue
        if name in given:
            plans[name] = ColumnPlan.of(given[name])
            continue
        settings = replace(binariser.settings_for(binariser.max_literals_per_column), cut_points=own.get(name))
        missing: Missing = "seen" if facts[name].missing else "counted" if binariser.missing == "allow" else "refused"
        if is_boolean[name]:
            plans[name] = ColumnPlan.of(BooleanColumn(name, missing, digits=raw.kind != "boolean"))
        elif raw.kind == "category":
            if name in cut_points:
                raise InvalidArgument("cut_points", "name columns of numbers or dates", f"{name!r}, a text column")
            found = _categories(examples, raw, settings, missing, kept=name in declared)
            if isinstance(found, ColumnDecision):
                decisions.append(found)
            else:
                plans[name] = found
        else:
            assert sampled is not None, "a column that is cut is sampled"
            plans[name] = _cut(*sampled.column(raw, has_missing=missing == "seen"), settings)
    return plans, decisions


def _cut(raw: RawColumn, examples: Examples, settings: Settings) -> ColumnPlan:
    settled = settings.cut_points is not None
    return ColumnPlan(lambda most: fit_column(raw, examples, replace(settings, max_literals=most)), settled)


def _facts(examples: LazyExamples, raws: Mapping[str, LazyColumn]) -> dict[str, _Facts]:
    """Count, in one scan of all rows, missing values, infinities and values other than 0 and 1."""
    asked: dict[tuple[str, str], nw.Expr] = {}
    for name, raw in raws.items():
        asked[name, "missing"] = raw.missing
        if raw.beyond is not None:
            asked[name, "beyond"] = raw.beyond & ~raw.missing
        if raw.kind == "category":
            asked[name, "padded"] = raw.padded
        if raw.kind == "number":
            asked[name, "beyond_zero_one"] = (raw.value != 0) & (raw.value != 1) & ~raw.missing
    counts = count_rows(examples.frame, list(asked.values()), "counting missing values", examples.scans)
    counted: dict[str, dict[str, int]] = {name: {} for name in raws}
    for (name, fact), count in zip(asked, counts, strict=True):
        counted[name][fact] = count
    facts = {name: _Facts(**found) for name, found in counted.items()}
    for name, found in facts.items():
        if found.missing == examples.rows:
            raise ValueError(
                f"column {name!r} must have a known value; all {examples.rows} are missing. Drop the column."
            )
        if found.beyond:
            number = raws[name].kind == "number"
            rule = "finite numbers; got infinity" if number else "dates from the year 1 to the year 9999; got others"
            raise InvalidArgument(
                f"column {name!r}",
                f"hold {rule} in {found.beyond} rows",
                remedy=f"Replace {'infinity' if number else 'them'}, for instance by a missing value.",
            )
    return facts


@dataclass(frozen=True)
class _Sampled:
    """A sample of rows, with weights that stand for the whole table."""

    table: Eager
    examples: Examples

    @classmethod
    def of(cls, examples: LazyExamples, raws: Sequence[LazyColumn]) -> _Sampled:
        """Take a sample of bounded size of some columns."""
        limit = min(MOST_SAMPLED_ROWS, MOST_SAMPLED_VALUES // len(raws))
        table, classes, weights = examples.sampled([raw.name for raw in raws], limit)
        for label, size in enumerate(examples.target.sizes.rows):
            members = classes == label
            weights[members] *= examples.class_weights[label] * size / members.sum()
        return cls(table, Examples(classes, weights))

    def checked(
        self, raws: Sequence[LazyColumn], declared: Mapping[str, str], rows: int, *, drop_leaks: bool
    ) -> tuple[set[str], list[ColumnDecision]]:
        """Return the columns of which nothing can be learned, and what was decided, from the rows of the sample."""
        read = {raw.name: read_series(self.table.get_column(raw.name)) for raw in raws}
        found = check_columns(read, self.examples.classes, declared, drop_leaks=drop_leaks)
        seen = len(self.examples.weights)
        where = "" if seen == rows else f" ({seen} of {rows} rows looked at)"
        return read.keys() - found.kept.keys(), [replace(one, text=one.text + where) for one in found.decisions]

    def column(self, raw: LazyColumn, *, has_missing: bool) -> tuple[RawColumn, Examples]:
        """Return the values of one column and their classes, with a missing value if all rows have one."""
        values = read_series(self.table.get_column(raw.name))
        if raw.kind == "ordered":
            # Categories may come back without the order that the engine has for them.
            values = replace(values, kind="ordered", order=raw.order)
        if values.missing.all():
            raise ValueError(
                f"column {raw.name!r} must have known values among {len(values)} sampled rows; all are missing. "
                "Drop the column."
            )
        if not has_missing or values.missing.any():
            return values, self.examples
        classes = self.examples.classes
        assert classes is not None, "a lazy table has a target"
        again = np.append(np.arange(len(values)), 0)
        longer = replace(values, values=values.values[again], missing=np.append(values.missing, True))
        return longer, Examples(np.append(classes, 0), np.append(self.examples.weights, 0.0))


def _categories(
    examples: LazyExamples, raw: LazyColumn, settings: Settings, missing: Missing, *, kept: bool
) -> ColumnPlan | ColumnDecision:
    """Count the values of a column of categories in one GROUP BY; of very many, the most frequent one by one.

    Texts that hardly recur are names or remarks: the decision to leave the column out is returned, unless it is kept.
    """
    step = f"counting the categories of {raw.name!r}"
    sums, classes = _category_sums(examples, raw), range(len(examples.class_weights))
    by_class = [[f"{what} {label}" for label in classes] for what in ("rows", "weight")]
    with Step(step):
        heaviest = sums.sort("rows", "value", descending=[True, False]).head(MOST_GROUPED + 1)
    answer = examples.scans.collect(heaviest, step)
    counted = CountedCategories(
        [str(value) for value in answer.get_column("value").to_list()],
        np.array(answer.select(by_class[0]).rows(), dtype=np.intp),
        np.array(answer.select(by_class[1]).rows(), dtype=np.float64) * examples.class_weights,
    )
    rows = counted.rows.sum(axis=1)
    most, rest, different, known = int(rows.max()), 0.0, len(rows), int(rows.sum())
    if different > MOST_GROUPED:
        with Step(step):
            totals = [nw.col(name).sum() for name in ("rows", *by_class[1])]
            overall = sums.select(*totals, nw.col("value").count().alias("different"))
        known, *weights, different = (
            examples.scans.collect(overall, step).select("rows", *by_class[1], "different").row(0)
        )
        rest = max(float(np.dot(weights, examples.class_weights)) - float(counted.weights.sum()), 0.0)
    decision = None if kept else texts_decision(raw.name, int(different), int(known))
    if decision is not None and number_reading(list(map(str, counted.values)), None) is not None:
        return replace(decision, text="numbers written as text, left out: make them numbers in the table", otherwise="")
    if decision is not None:
        return decision
    if most == 1:
        refuse_texts(raw.name, different)

    def fitted(most: int) -> TableColumn:
        return categories_column(raw.name, counted, replace(settings, max_literals=most), missing, rest=rest)

    return ColumnPlan(fitted, different=int(different))


def _category_sums(examples: LazyExamples, raw: LazyColumn) -> Lazy:
    """Return the rows of each category, and its rows and weight in each class, without the weights of classes."""
    weight = nw.lit(1) if examples.weight is None else examples.weight.cast(nw.Float64)
    columns = (
        raw.text.alias("value"),
        class_number(examples.target.labels).alias(CLASS),
        weight.alias("w"),
    )
    parts = []
    for label in range(len(examples.class_weights)):
        own = nw.when(nw.col(CLASS) == label)
        parts.append(own.then(nw.lit(1)).otherwise(nw.lit(0)).alias(f"rows {label}"))
        parts.append(own.then(nw.col("w")).otherwise(nw.lit(0)).alias(f"weight {label}"))
    names = [f"{what} {label}" for label in range(len(examples.class_weights)) for what in ("rows", "weight")]
    split = examples.frame.filter(~raw.missing).select(*columns).select(nw.col("value"), *parts)
    return split.group_by("value").agg(nw.len().alias("rows"), *(nw.col(name).sum() for name in names))


def _fit_group(name: str, declared: Sequence[str] | Ordered, examples: LazyExamples) -> GroupColumn:
    """Return the column of a declared group, having checked the code on all rows."""
    column = declared_group(name, declared)
    place = cell(column, examples.raws)
    step = f"checking the group {name!r}"
    none = place == len(column.members)
    broken, empty = count_rows(examples.frame, [place == NO_CELL, none], step, examples.scans)
    if broken:
        rule = column.refusals[-1].rule
        raise ValueError(f"group {name!r} {rule}; {broken} rows do not, or hold other values than 0 and 1.")
    return declared_group(name, declared, none=empty > 0)
