"""Random edits of random models."""

from __future__ import annotations

import random

from tests.exporting.cases import all_columns, case_of, counting_missing

from idnf import DNF, DNFClassifier, exporting
from idnf.exporting.adoption import first_lines
from idnf.exporting.edits_json import AddedLine, ConditionEdit, DroppedLine, Edits, chosen_of

TIME = "2026-01-02T10:00:00Z"


def edited_case(seed, rows):
    """A random model of two labels over a few random columns that fit a truth table, with rows."""
    rng = random.Random(seed)
    while True:
        columns = [counting_missing(column, rng) for column in rng.sample(all_columns(), rng.randint(2, 4))]
        empty = DNFClassifier.from_dnf("0", columns=columns)
        names = empty.binariser_.literals_
        terms = [
            [2 * rng.randrange(len(names)) + rng.randrange(2) for _ in range(rng.randint(1, 3))]
            for _ in range(rng.randint(1, 4))
        ]
        clf = DNFClassifier.from_dnf(DNF.from_codes(names, terms), columns=columns, classes=("no", "yes"))
        if clf.fitted_.used and clf.k <= 4:
            return case_of(clf, rows, seed)


def finer(column, rng):
    """A column with up to two cuts more, if it takes any: whole days are cuts of every kind of time."""
    if not column.takes_cuts:
        return column
    whole, moments = getattr(column, "whole", False), column.fields[0].kind != "number"
    step = 86_400_000_000 if moments else 1
    extra = [rng.randint(-3, 30_000 if moments else 12) * step + (0 if whole or moments else 0.25) for _ in range(2)]
    return column.cut_at({*column.limits, *(float(cut) for cut in extra[: rng.randint(0, 2)])})


def some_mask(column, rng):
    """Some cells, but not all; of many ordered ones mostly a run."""
    if column.ordered and len(column.labels) > 5 and rng.random() < 0.9:
        low, high = sorted(rng.choices(range(len(column.known_labels)), k=2))
        run = (2 << high) - (1 << low) | (column.missing_mask if rng.random() < 0.5 else 0)
        return run if run != column.full else 1
    return rng.randint(1, column.full - 1)


def random_edits(clf, count, rng, fine=None):
    """Edits that can be replayed on a model of two labels, on the lines of one label, over columns cut finely."""
    label = rng.randrange(2)
    columns = [finer(column, rng) for column in clf.binariser_.columns_] if fine is None else fine
    lines = first_lines(clf, label, columns)
    number, edits = len(lines), []
    for _ in range(count):
        kind = rng.choice(("condition", "condition", "condition", "drop", "add"))
        if kind == "add" or not lines:
            number += 1
            masks = [some_mask(column, rng) if rng.random() < 0.6 else column.full for column in columns]
            lines[number] = tuple(masks)
            conditions = [(c.name, chosen_of(c, mask)) for c, mask in zip(columns, masks) if mask != c.full]
            edits.append(AddedLine(number, tuple(conditions), "why not"))
            continue
        line = rng.choice(list(lines))
        if kind == "drop":
            del lines[line]
            edits.append(DroppedLine(line, ""))
            continue
        place = rng.randrange(len(columns))
        column, old = columns[place], lines[line][place]
        new = column.full if rng.random() < 0.2 else some_mask(column, rng)
        lines[line] = (*lines[line][:place], new, *lines[line][place + 1 :])
        edits.append(ConditionEdit(line, column.name, chosen_of(column, old), chosen_of(column, new), ""))
    return Edits(exporting.model_hash(clf), label, "Dr Lee", TIME, tuple(edits))
