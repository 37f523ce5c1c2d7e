"""Everything that a fitted classifier answers, part by part, through its public interface alone."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
from tests.golden.tables import Frame

from idnf import DNFClassifier, exporting, reporting

ASKED = 5
"""Rows about which everything is asked; of the others, labels, reasons and changes."""

Parts = dict[str, object]


@dataclass(frozen=True)
class Made:
    """A fitted classifier, rows to ask about, the training rows it is scored on, and what an engine answered."""

    clf: DNFClassifier
    later: Frame
    X: object = None
    y: object = None
    weights: object = None
    lazy: object = None


def parts_of(made: Made) -> Parts:
    """Return what is kept of a classifier, as plain data."""
    clf, later = made.clf, made.later
    return {
        "file": written(lambda path: exporting.to_json(clf, path)),
        **_answers(clf, later),
        **({} if made.lazy is None else {"lazy": made.lazy}),
        **_claims(clf),
        **_learning(made),
        **_exports(clf, later),
    }


def _answers(clf: DNFClassifier, later: Frame) -> Parts:
    classes = clf.classes_.tolist()
    labels = [classes.index(label) for label in clf.predict(later).tolist()]
    rows = [later[i : i + 1] for i in range(ASKED)]
    explained = clf.explain(later)
    decisive = [clf.can_decide(column.name) for column in clf.binariser_.columns_[:2]]
    return {
        "labels": "".join(map(str, labels)),
        "probabilities": _rounded(clf.predict_proba(later)),
        "explanations": [one.to_dict() for one in explained],
        "certificates of reasons": [str(one.certificate()) for one in islice(explained, ASKED)],
        "checks": [str(one.check()) for one in islice(explained, ASKED)],
        "boolean explanations": [one.to_dict() for one in clf.explain(later, space="boolean")],
        "axps": [[list(islice(clf.axps(row), 20)), clf.cxps(row)] for row in rows],
        "boolean axps": [
            [list(islice(clf.axps(row, space="boolean"), 20)), clf.cxps(row, space="boolean")] for row in rows[:2]
        ],
        "reasons": [one.to_dict() for one in clf.reasons(later)],
        "recourse": [[way.to_dict() for way in clf.recourse(row, count=2)] for row in rows],
        "relevance": [[one.necessary, one.relevant] for one in clf.relevance(later)],
        "attribution": [{name: round(share, 9) for name, share in one.items()} for one in clf.attribution(later)],
        "principal reasons": [[str(one) for one in row] for row in clf.principal_reasons(later)],
        "can decide": [one.answer for one in decisive],
        "witnesses": [str(one) for one in decisive],
        "next column": str(clf.next_column({})),
        "text": clf.to_text(),
        "columns": str(clf.columns_report_),
    }


def _claims(clf: DNFClassifier) -> Parts:
    return {
        "certificate": str(clf.verify()),
        "size": str(clf.size_),
        "optimal": clf.optimal_,
        "bound": _number(clf.bound_),
        "bound family": clf.bound_family_,
    }


def _learning(made: Made) -> Parts:
    """Return what was minimised and how well; two objectives compare where the setting is the same."""
    clf, path = made.clf, made.clf.path_
    table = None if path is None else path.to_dict()
    kind = None if table is None else table["objective"][table["chosen"].index(True)]
    return {
        "objective": _number(clf.objective_),
        "setting": [kind, _number(clf.fitted_.learned.price)],
        "errors": None if made.X is None else _number(1 - clf.score(made.X, made.y, made.weights)),
        "conditions": clf.size_.conditions,
        "path": None if table is None else {name: list(map(_number, column)) for name, column in table.items()},
        "training data": clf.training_data_,
    }


def _exports(clf: DNFClassifier, later: Frame) -> Parts:
    y = clf.predict(later)
    return {
        "sql": [exporting.to_sql(clf, dialect=dialect) for dialect in ("duckdb", "sqlite", "postgres")],
        "python": exporting.to_python(clf),
        "javascript": exporting.to_javascript(clf),
        "pmml": exporting.to_pmml(clf),
        "picture": clf.plot().svg,
        "page": written(lambda path: reporting.to_html(clf, path, later, y, written=date(2026, 1, 1))),
    }


def written(write: Callable[[Path], None]) -> str:
    """Return the text of a file that a function writes."""
    with TemporaryDirectory() as folder:
        write(Path(folder) / "written")
        return (Path(folder) / "written").read_text(encoding="utf-8")


def _rounded(shares: np.ndarray) -> list[list[float]]:
    return shares.round(9).tolist()


def _number(value: object) -> object:
    """Return numbers to ten digits; what is not known is null."""
    if not isinstance(value, float):
        return value
    return float(f"{value:.10g}") if math.isfinite(value) else None


def collected(answer: object) -> list[tuple[object, ...]]:
    """Return the rows of a lazy answer in the order of their numbers."""
    frame = answer.collect() if isinstance(answer, pl.LazyFrame) else answer.pl()
    return frame.sort("row").select(pl.col("^(row|predicted|reason|reason id)$")).rows()
