"""What the record keeps of a fitted model, through its public interface alone: what it means, and the words for it.

The meaning is numbers, labels, and conditions as columns and cells; the words are texts, pages and files by their kind.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
from tests.golden.tables import Frame

from idnf import DNFBands, DNFClassifier, auditing, exporting, reporting

ASKED = 5
"""Rows about which everything is asked; of the others, labels, reasons and changes."""

WRITTEN = date(2026, 1, 1)


@dataclass(frozen=True)
class Parts:
    """What is kept of an entry: what it means, and the words for it by their kind."""

    meaning: Mapping[str, object]
    words: Mapping[str, object]


@dataclass(frozen=True)
class Made:
    """A fitted model, rows to ask about, the training rows it is scored on, and what an engine answered."""

    clf: DNFClassifier | DNFBands
    later: Frame
    X: object = None
    y: object = None
    weights: object = None
    lazy: Sequence[pl.DataFrame] = ()

    @property
    def rows(self) -> list[Frame]:
        """The rows about which everything is asked, one by one."""
        return [self.later[i : i + 1] for i in range(ASKED)]


def plain(value: object) -> object:
    """Return a value as JSON holds it, numbers to twelve digits; what is not a number is null.

    >>> plain({"a": (np.float64(1) / 3, float("nan")), 1: np.array([True])})
    {'a': [0.333333333333, None], '1': [True]}
    """
    if isinstance(value, (np.ndarray, np.generic)):
        value = value.tolist()
    if isinstance(value, Mapping):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, float):
        return float(f"{value:.12g}") if math.isfinite(value) else None
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def cells(mask: int) -> list[int]:
    """Return the numbers of the cells in a set.

    >>> cells(0b1101)
    [0, 2, 3]
    """
    return [cell for cell in range(mask.bit_length()) if mask >> cell & 1]


def conditions(given: Iterable[object]) -> list[object]:
    """Return conditions as columns and cells."""
    return [[one.column, cells(one.mask)] for one in given]


def boxes(reasons: Iterable[object]) -> list[object]:
    """Return the reasons of a catalogue as cells of all columns."""
    return [[one.id, one.label, list(map(cells, one.box)), one.coverage, one.precision] for one in reasons]


def changes(clf: DNFClassifier | DNFBands, ways: Iterable[object]) -> list[object]:
    """Return ways to another outcome as columns and cells, with what they cost."""
    place = {column.name: j for j, column in enumerate(clf.binariser_.columns_)}
    return [
        [way.cost, way.distance, [[one.column, way.point[place[one.column]]] for one in way.changes]] for way in ways
    ]


def columns(clf: DNFClassifier | DNFBands) -> list[object]:
    """Return what the cells of each column are: the cuts between them, or the values."""
    kept = ("cuts", "values", "members")
    return [[one.name, *(getattr(one, part, None) for part in kept)] for one in clf.binariser_.columns_]


def certificate(given: object) -> list[object]:
    return [given.k, given.widths, given.terms, given.conflicts]


def numbers(table: Mapping[str, Sequence[object]]) -> dict[str, object]:
    """Return the columns of a table that hold no texts."""
    return {name: values for name, values in table.items() if not any(isinstance(one, str) for one in values)}


def written(write: Callable[[Path], None]) -> str:
    """Return the text of a file that a function writes."""
    with TemporaryDirectory() as folder:
        write(Path(folder) / "written")
        return (Path(folder) / "written").read_text(encoding="utf-8")


def parts_of(made: Made) -> Parts:
    """Return what is kept of a model."""
    if isinstance(made.clf, DNFBands):
        return _of_bands(made)
    answers, learned = _answers(made), _learned(made)
    return Parts(
        {**answers.meaning, **learned.meaning, **_lazy(made, {"predicted", "reason id"}, "lazy answers")},
        {**answers.words, **learned.words, **_lazy(made, {"reason"}, "lazy sentences"), **_files(made)},
    )


def _lazy(made: Made, wanted: set[str], part: str) -> dict[str, object]:
    """Return some columns of what an engine answered, in the order of the rows' numbers."""
    if not made.lazy:
        return {}
    frames = [frame.sort("row") for frame in made.lazy]
    return {
        part: [frame.select([n for n in frame.columns if n in wanted]).to_dict(as_series=False) for frame in frames]
    }


def _answers(made: Made) -> Parts:
    clf, later, rows = made.clf, made.later, made.rows
    classes = clf.classes_.tolist()
    labels = [classes.index(label) for label in clf.predict(later).tolist()]
    explained, boolean = list(clf.explain(later)), list(clf.explain(later, space="boolean"))
    decisive = [auditing.can_decide(clf, column.name) for column in clf.binariser_.columns_[:2]]
    proofs = [(one.certificate(), one.check()) for one in explained[:ASKED]]
    ways = [clf.recourse(row, count=2) for row in rows]
    principal, catalogue = auditing.principal_reasons(clf, later), clf.reasons(later)
    following = clf.next_column({})
    axps = [list(islice(clf.axps(row, space="boolean"), 20)) for row in rows[:2]]
    cxps = [clf.cxps(row, space="boolean") for row in rows[:2]]
    meaning = {
        "labels": "".join(map(str, labels)),
        "shares": clf.predict_proba(later),
        "columns": columns(clf),
        "reasons": [[conditions(one.axp), conditions(one.cxp), one.other] for one in explained],
        "reason ids": [one.reason for one in explained],
        "boolean reasons": [[list(map(cells, one.box)), one.changed] for one in boolean],
        "axps": [[list(islice(clf.axps(row), 20)), clf.cxps(row)] for row in rows],
        "boolean axps": [list(map(len, found)) for found in (*axps, *cxps)],
        "catalogue": boxes(catalogue),
        "changes": [[[way.label for way in found], changes(clf, found)] for found in ways],
        "relevance": [[one.necessary, one.relevant] for one in auditing.relevance(clf, later)],
        "attribution": [dict(one) for one in auditing.attribution(clf, later)],
        "principal": [[[one.code, one.columns, one.share] for one in row] for row in principal],
        "can decide": [[one.answer, one.labels] for one in decisive],
        "next column": following and [following.column, following.worst_case, following.exact],
        "proofs": [[len(proof.contradictions), len(check.proved), check.points] for proof, check in proofs],
    }
    words = {
        "text": [clf.to_text(), clf.to_text(both=True)],
        "sentences": [one.to_dict() for one in [*explained, *boolean]],
        "boolean axps": [axps, cxps],
        "catalogue": [one.to_dict() for one in catalogue],
        "changes": [[way.to_dict() for way in found] for found in ways],
        "principal": [[one.to_dict() for one in row] for row in principal],
        "witnesses": [str(one) for one in decisive],
        "proofs": [[str(proof), str(check)] for proof, check in proofs],
        "remarks": str(clf.columns_report_),
    }
    return Parts(meaning, words)


def _learned(made: Made) -> Parts:
    """Return what was minimised and how well, and what is proved of it."""
    clf, path, size, proof = made.clf, made.clf.path_, made.clf.size_, made.clf.verify()
    meaning = {
        "objective": clf.objective_,
        "errors": None if made.X is None else 1 - clf.score(made.X, made.y, made.weights),
        "conditions": size.conditions,
        "size": [size.terms, size.reasons, size.printed],
        "optimal": clf.optimal_,
        "bound": [clf.bound_, clf.bound_family_],
        "path": None if path is None else numbers(path.to_dict()),
        "certificate": certificate(proof),
    }
    words = {
        "certificate": [str(proof), str(size), clf.training_data_],
        "path": None if path is None else path.to_dict(),
    }
    return Parts(meaning, words)


def _files(made: Made) -> dict[str, object]:
    clf, later, y = made.clf, made.later, made.clf.predict(made.later)
    is_bands = isinstance(clf, DNFBands)
    dialects = ("duckdb", "sqlite", "postgres")
    return {
        "model file": written(lambda path: exporting.to_json(clf, path)),
        "sql": [exporting.to_sql(clf, dialect=dialect) for dialect in dialects],
        "python": exporting.to_python(clf),
        "javascript": exporting.to_javascript(clf),
        "page": reporting.bands_page(clf, later, y, written=WRITTEN)
        if is_bands
        else written(lambda path: reporting.to_html(clf, path, later, y, written=WRITTEN)),
        **({} if is_bands else {"picture": clf.plot().svg}),
    }


def _of_bands(made: Made) -> Parts:
    bands, later, rows = made.clf, made.later, made.rows
    numbered, explained, proof = range(len(bands.names_)), list(bands.explain(later)), bands.verify()
    classes, given = bands.classes_.tolist(), bands.predict(later)
    ways = [[bands.recourse(row, to=band, count=2) for band in numbered] for row in rows]
    known = {name: value for name, value in rows[0].to_dicts()[0].items() if not isinstance(value, str)}
    meaning = {
        "bands": "".join(map(str, bands.band(later).tolist())),
        "labels": "".join(str(classes.index(label)) for label in given.tolist()),
        "shares": bands.predict_proba(later[:1]),
        "shares of bands": numbers(bands.bands_.columns()),
        "boundaries": bands.boundaries_,
        "columns": columns(bands),
        "reasons": [[[conditions(one.axp), conditions(one.cxp)] for one in row.claims] for row in explained],
        "reason ids": [[one.reason for one in row.claims] for row in explained],
        "catalogue": [boxes(bands.reasons(band)) for band in numbered],
        "changes": [[changes(bands, found) for found in row] for row in ways],
        "possible": [bands.possible(dict(list(known.items())[:count])) for count in range(len(known) + 1)],
        "calibration": numbers(bands.calibration(later, given).columns()),
        "certificate": [proof.pairs, list(map(certificate, proof.boundaries))],
        **_lazy(made, {"band", "probability"}, "lazy answers"),
    }
    words = {
        "text": bands.to_text(),
        "names": bands.names_,
        "sentences": [row.to_text() for row in explained],
        "catalogue": [[str(one) for one in bands.reasons(band)] for band in numbered],
        "changes": [[found.to_text() for found in row] for row in ways],
        "certificate": str(proof),
        **_lazy(made, {"name", "at least", "below"}, "lazy sentences"),
        **_files(made),
    }
    return Parts(meaning, words)
