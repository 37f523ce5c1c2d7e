"""Model files of every kind, each with rows and what the code that wrote it answered about them.

    python -m tests.golden.model_files          write those of the present version, if there are none of it yet

They are written once for a version of the format, and read by every later one: `test_model_files.py`. Those of version
1 have every field.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl
from tests.exporting.cases import Case, large_case, learned_case, random_case, several_case
from tests.golden.answers import Made, written
from tests.golden.entries import entries, fitted
from tests.golden.tables import Frame, Table, table

from idnf import DNFClassifier, TableBinariser, exporting

HERE = Path(__file__).parent
ROWS = 20
MANY = 30
"""Columns beyond which some questions take long."""

MODEL, ANSWERS = ".model.json", ".answers.json"

OF_RECORD = (
    "grid/ones-2-greedy-nested-3",
    "grid/ones-2-search-any-4",
    "grid/ones-2-exact-any-3",
    "grid/ones-3-search-any-3",
    "grid/ring-2-exact-pair-tree-3",
    "grid/ring-3-exact-tree-3",
    "tuned/mixed-2-3",
    "tuned/mixed-3-3",
    "columns/times-2-search",
    "columns/grades-2-search",
    "columns/coded-4-search",
    "columns/texts-2-search",
    "columns/hostile-4-search",
    "columns/labels",
    "limits/monotone-search-any",
    "limits/class-weight-given-3-search",
    "limits/immutable",
    "limits/constant",
    "lazy/polars-2-weights",
    "policies/interval",
    "rectified/search",
    "chosen/texts",
    "fair/search-demographic_parity",
    "fair/exact-demographic_parity",
)

OF_VERSION_2 = (
    "classes-1",
    "columns-hostile-4-search",
    "fair-search-demographic_parity",
    "grid-ones-2-greedy-nested-3",
    "grid-ring-2-exact-pair-tree-3",
    "grid-ring-3-exact-tree-3",
    "policies-interval",
    "tuned-mixed-3-3",
)
"""What version 2 writes otherwise: every kind of model, over its space. The rest is as in version 1."""


def of_case(make: Callable[[], Case]) -> Made:
    case = make()
    return Made(case.clf, case.frame)


def with_settings() -> Made:
    """Learn with every setting that a file keeps, words for missing values, and categories too rare for a cell."""
    given = table("mixed", count=300)
    rare = np.where(np.arange(300) % 60 == 0, "azure", np.where(np.arange(300) % 75 == 0, "pink", ""))
    colour = [word or old for word, old in zip(rare.tolist(), given.X["colour"].to_list())]
    income = ["n/a" if value is None else str(value) for value in given.X["income"]]
    X = given.X.with_columns(pl.Series("colour", colour), pl.Series("income", income))
    texts = {"income": [None if value is None else str(value) for value in given.later["income"]]}
    later = given.later.with_columns(pl.Series(name, values) for name, values in texts.items())
    binariser = TableBinariser(cuts="quantile", missing="allow", max_literals_per_column=5, missing_values=["n/a"])
    settings = {"max_terms": 3, "max_reasons": 20, "class_weight": "balanced", "monotonic_cst": {"late": -1}}
    return fitted(Table(X, given.y, later), k=3, binariser=binariser, price=0.001, random_state=7, **settings)


def sources() -> dict[str, Callable[[], Made]]:
    """Return how each file is made, by its name."""
    known = entries()
    return {
        **{name.replace("/", "-"): known[name] for name in OF_RECORD},
        "settings": with_settings,
        "every-column-nested": partial(of_case, partial(learned_case, 0, ROWS)),
        "every-column-tree": partial(of_case, partial(learned_case, 1, ROWS)),
        **{f"terms-{seed}": partial(of_case, partial(random_case, seed, ROWS)) for seed in range(4)},
        **{f"classes-{seed}": partial(of_case, partial(several_case, seed, ROWS)) for seed in range(3)},
        "many-reasons": partial(of_case, partial(large_case, 5)),
    }


def answers(clf: DNFClassifier, later: Frame) -> dict[str, object]:
    """Return what a classifier says about rows; of one with many columns neither changes nor the catalogue."""
    many = len(clf.binariser_.columns_) > MANY
    return {
        "labels": clf.predict(later).tolist(),
        "probabilities": clf.predict_proba(later).round(9).tolist(),
        "explanations": [_explanation(one.to_dict()) for one in clf.explain(later)],
        "boolean": [_explanation(one.to_dict()) for one in clf.explain(later[:5], space="boolean")],
        "recourse": [
            [_changes(way.to_dict()) for way in clf.recourse(later[i : i + 1])] for i in range(0 if many else 3)
        ],
        "reasons": [] if many else [[one.id, one.label, list(one.conditions)] for one in clf.reasons()],
    }


def _explanation(plain: Mapping[str, object]) -> list[object]:
    return [plain["reason"], *([[one["column"], one["condition"]] for one in plain[kind]] for kind in ("axp", "cxp"))]


def _changes(plain: Mapping[str, object]) -> list[object]:
    return [plain["label"], [[change["column"], change["new"]] for change in plain["changes"]]]


def rows_to_plain(rows: Frame) -> dict[str, object]:
    """Return rows as plain data: types by column, and values."""
    if isinstance(rows, np.ndarray):
        return {"types": None, "values": rows.tolist()}
    types = {name: _type_name(kind) for name, kind in rows.schema.items()}
    return {"types": types, "values": {name: [_plain(v) for v in rows[name].to_list()] for name in rows.columns}}


def rows_from_plain(plain: Mapping[str, object]) -> Frame:
    """Return the rows that plain data say.

    >>> day = {"types": {"day": "date"}, "values": {"day": ["2020-01-31", None]}}
    >>> rows_from_plain(day)["day"].to_list()
    [datetime.date(2020, 1, 31), None]
    """
    if plain["types"] is None:
        return np.array(plain["values"])
    return pl.DataFrame([_series(name, kind, plain["values"][name]) for name, kind in plain["types"].items()])


_TYPES = {
    "number": pl.Float64,
    "integer": pl.Int64,
    "boolean": pl.Boolean,
    "text": pl.String,
    "date": pl.Date,
    "datetime": pl.Datetime("us"),
    "datetime-utc": pl.Datetime("us", "UTC"),
    "duration": pl.Duration("us"),
}


def _type_name(kind: pl.DataType) -> object:
    if isinstance(kind, pl.Enum):
        return kind.categories.to_list()
    return next(name for name, known in _TYPES.items() if known == kind)


def _plain(value: object) -> object:
    if isinstance(value, timedelta):
        return value // timedelta(microseconds=1)
    return value.isoformat() if isinstance(value, date) else value


def _series(name: str, kind: object, values: list[object]) -> pl.Series:
    readers = {"date": date.fromisoformat, "datetime": datetime.fromisoformat, "datetime-utc": datetime.fromisoformat}
    if isinstance(kind, list):
        return pl.Series(name, values, dtype=pl.Enum(kind))
    read = readers.get(kind, lambda value: value)
    return pl.Series(name, [None if value is None else read(value) for value in values], dtype=_TYPES[kind])


def main() -> int:
    known = sources()
    for name in OF_VERSION_2:
        made = known[name]()
        text = written(lambda path, clf=made.clf: exporting.to_json(clf, path))
        folder = HERE / f"version-{json.loads(text)['version']}"
        folder.mkdir(exist_ok=True)
        if (folder / f"{name}{MODEL}").exists():
            print(f"{folder.name}/{name} is there and stays as it is.")
            continue
        (folder / f"{name}{MODEL}").write_text(text, encoding="utf-8")
        later = made.later[:ROWS]
        kept = {"rows": rows_to_plain(later), **answers(made.clf, later)}
        lines = ",\n".join(f"{json.dumps(part)}: {json.dumps(value, allow_nan=False)}" for part, value in kept.items())
        (folder / f"{name}{ANSWERS}").write_text("{\n" + lines + "\n}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
