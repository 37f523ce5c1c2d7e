"""Labels, reasons and conditions of the rows of a lazy table, as expressions that stay in its engine.

The cells the model distinguishes are worked out first, as small numbers that are never null. The reason given to a row
is the first one of the catalogue that holds it, in the order of :func:`idnf.explaining.reading.reason_order`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from operator import and_

import narwhals.stable.v2 as nw
import numpy as np

from idnf.columns.column import TableColumn
from idnf.columns.phrases import brief
from idnf.engines.lazy_frames import OWN, Lazy
from idnf.engines.queries import Scans, Step, indicator, largest, looked_up, schema_of, smallest, total
from idnf.explaining.explainer import Explainer
from idnf.explaining.reading import Reason
from idnf.explaining.score_table import MOST_REASONS as MOST_REASONS_IN_SETS
from idnf.explaining.score_table import ScoreTable
from idnf.explaining.training_facts import Confidence, TrainingPatterns
from idnf.logic.boxes import Box, cells_of
from idnf.logic.errors import InvalidArgument
from idnf.logic.primes import TooManyBoxes
from idnf.tables.lazy_columns import LazyColumn, cell, lazy_column, refuse_other_kinds

LABEL, REASON, CONDITIONS, PROBABILITY = "predicted", "reason id", "reason", "probability"
"""The columns added to a lazy table."""

MOST_REASONS = 4096
"""More reasons than this are not written into one expression."""

# If there are more reasons, shares are taken from this many of the heaviest patterns.
_MOST_PATTERNS = 100_000
_NUMBER, _CODE, _HELD, _ROWS = (OWN + name for name in ("reason number", "pattern", "held", "rows"))
# Reasons whose truths make one number, which stays exact in every engine.
_BITS = 30


@dataclass(frozen=True)
class LazyExplainer:
    """A model over the columns of a table, ready to be asked about lazy tables.

    Parameters
    ----------
    explainer : Explainer
    columns : sequence of TableColumn
        The columns of the explainer's space.
    """

    explainer: Explainer
    columns: Sequence[TableColumn]

    @property
    def sources(self) -> list[str]:
        """The columns of the user's table that the model looks at."""
        used = (self.columns[j] for j in self.explainer.sides.frame.columns)
        return [name for column in used for name in column.sources]

    def raws(self, frame: Lazy) -> dict[str, LazyColumn]:
        """Return the columns of a lazy table that the model looks at; refuse a table that lacks one."""
        schema = schema_of(frame)
        absent = [name for name in self.sources if name not in schema]
        if absent:
            raise ValueError(
                f"X must have the columns seen in training; {absent[0]!r} is not among {brief(list(schema), 400)}."
            )
        raws = {name: lazy_column(name, schema[name]) for name in self.sources}
        for j in self.explainer.sides.frame.columns:
            refuse_other_kinds(self.columns[j], raws)
        return raws

    def predicted(self, frame: Lazy) -> Lazy:
        """Return the table with the label of each row; null if a value has no cell."""
        raws, kept = self.raws(frame), _free(frame, [LABEL])
        label = self._by_class([_label(label) for label in self.explainer.classes])
        with Step("writing the query for labels"):
            return self._with_cells(frame, raws).select(*kept, nw.when(self._has_cells()).then(label).alias(LABEL))

    def explained(self, frame: Lazy) -> Lazy:
        """Return the table with the label, the identifier of the reason and its conditions for each row."""
        raws, kept = self.raws(frame), _free(frame, [LABEL, REASON, CONDITIONS])
        steps = self._steps()
        added = (
            self._first_value([_label(reason.label) for reason, _ in steps]).alias(LABEL),
            self._first_value([nw.lit(reason.id) for reason, _ in steps]).alias(REASON),
            self._first_value([nw.lit(str(reason)) for reason, _ in steps]).alias(CONDITIONS),
        )
        with Step("writing the query for reasons"):
            return self._with_numbers(self._with_cells(frame, raws), steps, kept).select(*kept, *added)

    def with_probability(self, frame: Lazy, confidence: Confidence) -> Lazy:
        """Return the table with the training share of each class among the rows that meet the same reasons.

        Of two classes the share of the second says all; of more there is a column each, by the reason given alone.
        """
        names = share_columns(self.explainer.classes)
        raws, kept = self.raws(frame), _free(frame, list(names))
        steps = self._steps()
        if confidence.table is not None:
            with Step("writing the query for shares"):
                return self._with_scores(self._with_cells(frame, raws), confidence.table, kept)
        inner, labels = self.explainer.sides.frame, {label: i for i, label in enumerate(self.explainer.classes)}
        shares = [confidence.of_reason(labels[reason.label], inner.box(reason.box)) for reason, _ in steps]
        added = [
            self._first_value([float_literal(share[label]) for share in shares]).alias(name)
            for name, label in names.items()
        ]
        with Step("writing the query for shares"):
            return self._with_numbers(self._with_cells(frame, raws), steps, kept).select(*kept, *added)

    def _with_scores(self, cells: Lazy, table: ScoreTable, kept: Sequence[nw.Expr]) -> Lazy:
        """Return the share of the second class: that of the first listed set that a row has, or of its reason."""
        boxes = [box for _, box in table.sets.reasons]
        count, reason = len(table.listed), self._number(boxes) + len(table.listed)
        values = [share for _, share in table.listed] + list(table.otherwise)
        if table.exact and count:
            cells = self._with_held(cells, boxes)
            tests = [self._has_set(held, len(boxes)) for held, _ in table.listed]
        else:
            tests = [self._within(table.box(held)) for held, _ in table.listed]
        none = nw.lit(len(values))
        among = [nw.when(test).then(nw.lit(place)).otherwise(none) for place, test in enumerate(tests)]
        found = nw.when(self._has_cells()).then(smallest([*among, reason])).otherwise(none)
        numbered = cells.select(*kept, found.alias(_NUMBER))
        return numbered.select(*kept, self._first_value([*map(float_literal, values)]).alias(PROBABILITY))

    def _with_held(self, cells: Lazy, boxes: Sequence[Box]) -> Lazy:
        """Return cells with which boxes hold, as numbers with a bit for each of some of them."""
        codes = [
            total([indicator(self._within(box)) * (1 << bit) for bit, box in enumerate(boxes[start : start + _BITS])])
            for start in range(0, len(boxes), _BITS)
        ]
        return cells.with_columns(*(code.alias(f"{_HELD} {part}") for part, code in enumerate(codes)))

    def _has_set(self, held: Sequence[int], count: int) -> nw.Expr:
        """Return whether the boxes that hold are some of them and no others."""
        codes = [0] * -(-count // _BITS)
        for place in held:
            codes[place // _BITS] |= 1 << place % _BITS
        return reduce(and_, (nw.col(f"{_HELD} {part}") == code for part, code in enumerate(codes)))

    def decided(self, frame: Lazy, confidence: Confidence, *, shares: bool) -> Lazy:
        """Return the table with the label of each row and, if asked for, the training share of every label."""
        answer = self.predicted(frame)
        if not shares:
            return answer
        given, labels = share_columns(self.explainer.classes), self.explainer.classes
        values = [nw.col(name) for name in given]
        if len(values) < len(labels):
            values.insert(0, 1 - values[0])
        named = [value.alias(share_name(label)) for value, label in zip(values, labels, strict=True)]
        return self.with_probability(answer, confidence).with_columns(*named).drop(*given)

    def counted(self, frame: Lazy, labels: Sequence[nw.Expr]) -> tuple[int, int, int]:
        """Count, in one scan, the rows that get their label right, all rows, and those that have no cell.

        `labels` are the conditions for each class; a row that meets none is not right.
        """
        step, raws = "counting right labels", self.raws(frame)
        with Step(step):
            code = sum((number * indicator(label) for number, label in enumerate(labels, 1)), nw.lit(-1))
            given = self._by_class([nw.lit(number) for number in range(len(labels))])
            counts = {
                "right": indicator(given == nw.col(_CODE)),
                "rows": nw.lit(1),
                "outside": 1 - indicator(self._has_cells()),
            }
            cells = self._with_cells(frame.with_columns(code.alias(_CODE)), raws)
            held = cells.select(*(count.alias(name) for name, count in counts.items()))
            query = held.select(*(nw.col(name).sum() for name in counts))
        right, rows, outside = Scans().collect(query, step).select(*counts).row(0)
        return int(right or 0), int(rows or 0), int(outside or 0)

    def training_patterns(
        self, frame: Lazy, raws: Mapping[str, LazyColumn], weights: Sequence[nw.Expr], scans: Scans
    ) -> TrainingPatterns:
        """Return a pattern for each set of reasons met in training, with the weight of each class that meets it.

        One GROUP BY. Of more classes than two, and of very many reasons, sets are distinguished by the reason given
        alone. If there are too many reasons to be listed, the heaviest patterns stand for all.
        """
        weighed = [f"{OWN}weight {label}" for label in range(len(weights))]
        sizes = [column.size for column in self.explainer.sides.frame.inner.columns]
        try:
            steps = self._steps()
        except TooManyBoxes:
            steps = []
        sums = [nw.col(name).sum() for name in weighed]
        if not steps or float(np.prod(np.array(sizes, dtype=np.float64))) >= 2.0**62:
            step, names = "counting the patterns the model distinguishes", self._names()
            with Step(step):
                cells = self._with_weights(frame, raws, weights)
                heaviest = cells.group_by(*names).agg(*sums, nw.len().alias(_NUMBER)).sort(_NUMBER, descending=True)
            answer = scans.collect(heaviest.head(_MOST_PATTERNS), step)
            points = [answer.get_column(name).to_list() for name in names]
        else:
            step, boxes = "counting the rows that meet the same reasons", [box for _, box in steps]
            with Step(step):
                cells = self._with_weights(frame, raws, weights)
                if len(weights) == 2 and len(boxes) <= MOST_REASONS_IN_SETS:
                    keys = [f"{_HELD} {part}" for part in range(-(-len(boxes) // _BITS))]
                    keyed = self._with_held(cells, boxes)
                else:
                    keys, keyed = [_NUMBER], cells.with_columns(self._number(boxes).alias(_NUMBER))
                coded = keyed.select(*map(nw.col, (*weighed, *keys)), self._code(sizes).alias(_CODE))
                grouped = coded.group_by(*keys).agg(*sums, nw.col(_CODE).min(), nw.len().alias(_ROWS))
                heaviest = grouped.sort(_ROWS, descending=True).head(_MOST_PATTERNS)
            answer = scans.collect(heaviest, step)
            codes = np.array([int(code) for code in answer.get_column(_CODE).to_list()], dtype=np.int64)
            points = [place.tolist() for place in np.unravel_index(codes, sizes)] if sizes else []
        found = np.array(points, dtype=np.intp).reshape(len(sizes), len(answer)).T
        sides = [[float(str(value)) for value in answer.get_column(name).to_list()] for name in weighed]
        return TrainingPatterns(found, np.array(sides, dtype=np.float64).T)

    def _by_class(self, values: Sequence[nw.Expr]) -> nw.Expr:
        """Return the value that belongs to the class of each row, from the columns of cells."""
        sides = self.explainer.sides
        chosen = values[sides.default]
        for label in sides.others(sides.default):
            held = [indicator(self._within(box)) for box in sides.inner[label] or ()] or [nw.lit(0)]
            chosen = nw.when(largest(held) == 1).then(values[label]).otherwise(chosen)
        return chosen

    def _within(self, box: Box) -> nw.Expr:
        """Return whether a row lies in a box of the frame."""
        held = nw.lit(True)
        space = self.explainer.sides.frame.inner
        for j in space.constrained(box):
            allowed = list(cells_of(box[j]))
            place = nw.col(f"{OWN}cell {j}")
            if allowed == list(range(allowed[0], allowed[-1] + 1)):
                held = held & (place >= allowed[0]) & (place <= allowed[-1])
            else:
                held = held & place.is_in(allowed)
        return held

    def _names(self) -> list[str]:
        return [f"{OWN}cell {j}" for j in range(len(self.explainer.sides.frame.columns))]

    def _with_cells(self, frame: Lazy, raws: Mapping[str, LazyColumn]) -> Lazy:
        inner = self.explainer.sides.frame
        places = [cell(self.columns[j], raws, merged) for j, merged in zip(inner.columns, inner.groups, strict=True)]
        named = [place.alias(name) for place, name in zip(places, self._names(), strict=True)]
        # A constant model reads no column.
        return frame.with_columns(*named) if named else frame

    def _with_weights(self, frame: Lazy, raws: Mapping[str, LazyColumn], weights: Sequence[nw.Expr]) -> Lazy:
        named = [weight.alias(f"{OWN}weight {label}") for label, weight in enumerate(weights)]
        return self._with_cells(frame.with_columns(*named), raws)

    def _has_cells(self) -> nw.Expr:
        names = self._names()
        return smallest([nw.col(name) for name in names]) >= 0 if names else nw.lit(True)

    def _code(self, sizes: Sequence[int]) -> nw.Expr:
        code = nw.lit(0, nw.Int64)
        for name, size in zip(self._names(), sizes, strict=True):
            code = code * size + nw.col(name).cast(nw.Int64)
        return code

    def _steps(self) -> list[tuple[Reason, Box]]:
        """Return the reasons in the order in which they are tried, each with its box of the frame."""
        steps = self.explainer.ordered_reasons()
        if len(steps) > MOST_REASONS:
            raise TooManyBoxes(
                MOST_REASONS, f"the model has {len(steps)} reasons; a lazy table takes at most {MOST_REASONS}."
            )
        return steps

    def _number(self, boxes: Sequence[Box]) -> nw.Expr:
        """Return the number of the first box that holds a row."""
        last = len(boxes)
        tried = [nw.when(self._within(box)).then(nw.lit(i)).otherwise(nw.lit(last)) for i, box in enumerate(boxes)]
        return smallest(tried)

    def _with_numbers(self, cells: Lazy, steps: Sequence[tuple[Reason, Box]], kept: Sequence[nw.Expr]) -> Lazy:
        number = self._number([box for _, box in steps])
        number = nw.when(self._has_cells()).then(number).otherwise(nw.lit(len(steps)))
        return cells.select(*kept, number.alias(_NUMBER))

    def _first_value(self, values: Sequence[nw.Expr]) -> nw.Expr:
        """Return the value of the step that holds a row; null if none does."""
        number = nw.col(_NUMBER)
        return nw.when(number < len(values)).then(looked_up(number, values))


def share_name(label: object) -> str:
    """Return what the share of a label is called beside decisions."""
    return f"share of {label}"


def share_columns(classes: Sequence[object]) -> dict[str, int]:
    """Return the columns of shares that are added to a lazy table, and the class that each is about.

    >>> share_columns(["no", "yes"]), share_columns(["gold", "tin", "lead"])
    ({'probability': 1}, {'probability of gold': 0, 'probability of tin': 1, 'probability of lead': 2})
    """
    if len(classes) == 2:
        return {PROBABILITY: 1}
    return {f"{PROBABILITY} of {label}": number for number, label in enumerate(classes)}


def _free(frame: Lazy, added: Sequence[str]) -> list[nw.Expr]:
    """Return the columns of a table, having made sure that it has none of those to be added."""
    names = list(frame.collect_schema())
    taken = [name for name in added if name in names]
    if taken:
        raise InvalidArgument(
            "X", f"have no column named {taken[0]!r}, which the answer adds", remedy="Rename it first."
        )
    return [nw.col(name) for name in names]


def _label(label: object) -> nw.Expr:
    if not isinstance(label, (str, bool, int, float, date)):
        raise TypeError(f"labels must be text, numbers, Booleans or dates for a lazy table; got {label!r}.")
    return float_literal(label) if isinstance(label, float) else nw.lit(label)


def float_literal(number: float) -> nw.Expr:
    """Return a number written as text: one written out is of a decimal type in PostgreSQL."""
    return nw.lit(repr(float(number))).cast(nw.Float64)
