"""Records of decisions: a line of JSON for each, with all that a letter, a correction or a check of it needs.

docs/records.md describes the fields. Lines are added at the end of a file and never changed. Work that fails adds none.
A process that is killed may leave an unfinished line, which counts for nothing; the next one to append cuts it off.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from io import BufferedRandom
from pathlib import Path
from reprlib import Repr
from stat import S_ISREG
from typing import Any, NoReturn, NotRequired, TypedDict, cast, get_args, get_origin, get_type_hints, is_typeddict

import numpy as np

from idnf import InvalidArgument, auditing, exporting
from idnf.auditing.reason_shares import PrincipalReason
from idnf.classifier.fitted import AnyClassifier
from idnf.classifier.memory_source import ReadTable
from idnf.columns.predicates import Field
from idnf.explaining.explanation import Condition, Explanation

FORMAT, VERSION = "idnf-decision", 1
PRINCIPAL = 4
"""The most principal reasons that are recorded."""

Plain = str | float | bool | None
Label = str | int | float | bool

_REPR = Repr()
_REPR.maxstring = 80
brief = _REPR.repr
"""A value as it appears in a message: a long one is cut short."""


class RecordedCondition(TypedDict):
    """A condition on a column: the cells that meet it, in the order of the model file, and the same in words."""

    column: str
    cells: list[int]
    words: str
    said: str


class RecordedReason(TypedDict):
    """Conditions that give an outcome whatever else holds, and the user's own text for them."""

    gives: Label
    id: str | None
    conditions: list[RecordedCondition]
    text: str | None


class RecordedChange(TypedDict):
    """Conditions that would give another outcome, all else as it is."""

    gives: Label
    conditions: list[RecordedCondition]


class RecordedPrincipal(TypedDict):
    """A principal reason, with the user's code and text."""

    code: str | None
    text: str
    columns: list[str]
    conditions: list[str]
    share: float


class RecordedAlternative(TypedDict):
    """What another model decides."""

    sha256: str
    decision: Label


class RecordedCorrection(TypedDict):
    """The SHA-256 of the record that is corrected, and the values that it had."""

    record: str
    values: dict[str, Plain]


class DecisionRecord(TypedDict):
    """One decision; docs/records.md says what each field holds."""

    format: str
    version: int
    id: str
    time: str
    model: str
    values: dict[str, Plain]
    decision: Label
    reasons: list[RecordedReason]
    changes: list[RecordedChange | None]
    principal: list[RecordedPrincipal]
    text: str
    units: NotRequired[dict[str, str]]
    about: NotRequired[dict[str, str]]
    alternatives: NotRequired[list[RecordedAlternative]]
    corrects: NotRequired[RecordedCorrection]


def make_records(  # noqa: PLR0913 - each part of a record is a word of its own
    clf: AnyClassifier,
    X: object,
    *,
    ids: Sequence[object] | None = None,
    about: Mapping[str, Sequence[object]] | None = None,
    alternatives: Sequence[AnyClassifier] = (),
    sha256: str | None = None,
) -> list[DecisionRecord]:
    """Return a record of the decision, or the band, for each row of a table.

    Parameters
    ----------
    clf : DNFClassifier or DNFBands
    X : table or array of shape (n_samples, n_features)
    ids : sequence, optional
        What each decision is called, all different; the numbers of the rows from 1 if not given.
    about : mapping of str to sequence, optional
        Further texts for each row that letters name, such as the person's name; the model does not see them.
    alternatives : sequence of DNFClassifier or DNFBands
        Other models of the same table, of which the decisions are recorded too.
    sha256 : str, optional
        The hash of the model file; if not given, of the file that ``to_json`` writes.

    Examples
    --------
    >>> import pandas as pd
    >>> from idnf import DNFClassifier
    >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
    >>> one = make_records(policy, pd.DataFrame({"late": [False], "owner": [True], "member": [False]}), ids=["A-17"])[0]
    >>> one["decision"], [c["words"] for c in one["reasons"][0]["conditions"]]
    ('no', ['late is false', 'member is false'])
    >>> one["changes"][0]["conditions"][0]["said"]
    'late were true'
    """
    hashes = [exporting.model_hash(one) for one in alternatives]
    tables = [one.fitted_.read(X) for one in (clf, *alternatives)]
    table = tables[0]
    names = checked_ids(range(1, len(table) + 1) if ids is None else ids, len(table))
    values: dict[str, list[Plain]] = {}
    for part in tables:
        for field in part.fields:
            if field.name not in values:
                values[field.name] = [None if one is None else field.to_plain(one) for one in part.values(field)]
    others = list(zip(hashes, (part.decisions for part in tables[1:]), strict=True))
    hashed, now = sha256 or exporting.model_hash(clf), datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    principal, decisions = _principal(clf, table), table.decisions
    units = {column.name: column.unit for column in clf.fitted_.inputs if column.unit and column.name in values}
    made = []
    for row, one in enumerate(table.reasons):
        record = DecisionRecord(
            format=FORMAT,
            version=VERSION,
            id=names[row],
            time=now,
            model=hashed,
            values={name: column[row] for name, column in values.items()},
            decision=cast(Label, decisions[row]),
            reasons=[_reason(claim) for claim in one.claims],
            changes=[_change(claim) for claim in one.claims],
            principal=[cast(RecordedPrincipal, reason.to_dict()) for reason in principal[row]],
            text=one.to_text(),
        )
        if units:
            record["units"] = units
        if about:
            record["about"] = {name: str(texts[row]) for name, texts in about.items()}
        if others:
            record["alternatives"] = [{"sha256": h, "decision": cast(Label, found[row])} for h, found in others]
        made.append(record)
    return made


def _principal(clf: AnyClassifier, table: ReadTable[Any]) -> Sequence[Sequence[PrincipalReason]]:
    """Return the principal reasons of the first claim of each row; of a band, that it is in no lower one."""
    found: list[Sequence[PrincipalReason]] = [()] * len(table)
    first = clf.fitted_.claimants(table.labels)[:, 0]
    for place, model in enumerate(clf.models_):
        rows = np.flatnonzero(first == place)
        # What cannot be written down has too many reasons to rank.
        if len(rows) and model.fitted_.is_written:
            ranked = auditing.principal_reasons(model, table.at(rows), count=PRINCIPAL)
            for row, reasons in zip(rows.tolist(), ranked, strict=True):
                found[row] = reasons
    return found


def checker(language: str = "python") -> str:
    """Return a program that checks records against model files: one file, which shares no code with this library.

    Parameters
    ----------
    language : {"python", "javascript"}
        What runs it: Python and its standard library, or Node.js.

    Examples
    --------
    >>> print(checker("javascript")[:37])
    // Check records of decisions against
    """
    names = {"python": "check_decisions.py", "javascript": "check_decisions.js"}
    if language not in names:
        raise InvalidArgument("language", f"be {' or '.join(names)}", language)
    return (files("idnf.governance") / "templates" / names[language]).read_text("utf-8")


def checked_ids(ids: Iterable[object], rows: int) -> list[str]:
    """Return identifiers as text; refuse any that are empty or occur twice."""
    names = ["" if one is None else str(one) for one in ids]
    if len(names) != rows:
        raise InvalidArgument("ids", f"be one for each of {rows} rows", len(names))
    twice = next((one for one, count in Counter(names).items() if count > 1 or not one), None)
    if twice is not None:
        raise InvalidArgument("ids", "all be given and differ", f"{brief(twice)}{' twice' if twice else ''}")
    return names


def _reason(one: Explanation) -> RecordedReason:
    """Return the reason of a decision."""
    return RecordedReason(
        gives=cast(Label, one.label), id=one.reason, conditions=_conditions(one.axp), text=one.given_text
    )


def _change(one: Explanation) -> RecordedChange | None:
    return RecordedChange(gives=cast(Label, one.other), conditions=_conditions(one.cxp)) if one.cxp else None


def _conditions(conditions: Iterable[Condition]) -> list[RecordedCondition]:
    return [
        RecordedCondition(column=one.column, cells=list(one.cells), words=one.words, said=one.said)
        for one in conditions
    ]


def record_line(record: DecisionRecord) -> bytes:
    """Return a record as a line of its file, without the sign that ends it."""
    try:
        return json.dumps(record, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidArgument("a record", "hold whole characters", f"half of one in {brief(record['id'])}") from error


def read_records(path: str | os.PathLike[str]) -> list[DecisionRecord]:
    """Return the records of a file; an unfinished last line is left out.

    >>> read_records("no such file")
    Traceback (most recent call last):
    ...
    FileNotFoundError: [Errno 2] No such file or directory: 'no such file'
    """
    return [record for _, record in _finished_lines(Path(path).read_bytes(), path)]


def _finished_lines(data: bytes, path: str | os.PathLike[str]) -> Iterator[tuple[bytes, DecisionRecord]]:
    """Yield the finished lines of a file, and their records."""
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].split(b"\n")[:-1], 1):
        try:
            record = json.loads(line.decode("utf-8"), parse_constant=_no_number)
            if not _fits(record, DecisionRecord) or (record["format"], record["version"]) != (FORMAT, VERSION):
                raise ValueError("no record")
            if not len(record["changes"]) == len(record["reasons"]) > 0:
                raise ValueError("no record")
            if b"\\u" in line:
                record_line(record)
        except (ValueError, RecursionError) as error:
            rule = f"line {number} of {os.fspath(path)} must be a record of version {VERSION}"
            raise ValueError(f"{rule}; got {brief(line.decode('utf-8', 'replace'))}.") from error
        yield line, record


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")


_hints = cache(partial(get_type_hints, include_extras=True))


def _fits(value: Any, kind: Any) -> bool:
    """Return whether plain data is of a type that a record has.

    >>> _fits({"sha256": "0", "decision": 1}, RecordedAlternative), _fits({"sha256": "0"}, RecordedAlternative)
    (True, False)
    """
    of, parts = get_origin(kind), get_args(kind)
    if is_typeddict(kind):
        hints = _hints(kind)
        needed = {name for name, hint in hints.items() if get_origin(hint) is not NotRequired}
        held = isinstance(value, dict) and needed <= value.keys() <= hints.keys()
        return held and all(_fits(value[name], hints[name]) for name in value)
    if of is list:
        return isinstance(value, list) and all(_fits(one, parts[0]) for one in value)
    if of is dict:
        return isinstance(value, dict) and all(_fits(one, parts[1]) for one in value.values())
    if parts:
        return any(_fits(value, part) for part in parts)
    return isinstance(value, (int, float) if kind is float else kind)


def append_records(path: str | os.PathLike[str], new: Iterable[DecisionRecord]) -> int:
    """Add the records that a file does not have yet, and return how many there were.

    A record that is there already, with the same identifier, model and values, is not written again: after an
    interruption the same command continues from the last finished record. Processes that append to one file wait
    for each other.

    >>> from tempfile import TemporaryDirectory
    >>> import pandas as pd
    >>> from idnf import DNFClassifier
    >>> made = make_records(DNFClassifier.from_dnf("late"), pd.DataFrame({"late": [True, False]}))
    >>> with TemporaryDirectory() as folder:
    ...     [append_records(f"{folder}/decisions.jsonl", part) for part in (made[:1], made, made)]
    [1, 1, 0]
    """
    with _locked_file(path) as (stream, held):
        # The first of an identifier: corrections come after it.
        there = {record["id"]: record for _, record in reversed(held)}
        written = set[str]()
        for record in new:
            if _is_new(record, there.get(record["id"]), again=record["id"] in written):
                stream.write(record_line(record) + b"\n")
                written.add(record["id"])
    return len(written)


def _is_new(record: DecisionRecord, old: DecisionRecord | None, *, again: bool) -> bool:
    """Return whether a record is not there yet; refuse a second one of the same identifier."""
    name = record["id"]
    if again:
        raise InvalidArgument("ids", "all be given and differ", f"{brief(name)} twice")
    if old is not None and old["model"] != record["model"]:
        raise InvalidArgument("id", "be new", f"{brief(name)}, decided by another model", "Record it in another file.")
    if old is not None and old["values"] != record["values"]:
        raise InvalidArgument(
            "id", "be new", f"{brief(name)}, decided on other values", "Correct these with --correct."
        )
    return old is None


def correct_record(
    clf: AnyClassifier,
    path: str | os.PathLike[str],
    name: str,
    values: Mapping[str, str],
    *,
    sha256: str | None = None,
) -> tuple[DecisionRecord, DecisionRecord]:
    """Decide again with some values corrected, add that record after the others, and return the old one and the new.

    Parameters
    ----------
    clf : DNFClassifier or DNFBands
        The model that decided.
    path : path
        The file of records.
    name : str
        The identifier of the decision.
    values : mapping of str to str
        What the values of some columns are, as text; empty for a missing one.
    sha256 : str, optional
        The hash of the model file; if not given, of the file that ``to_json`` writes.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import pandas as pd
    >>> from idnf import DNFClassifier
    >>> policy = DNFClassifier.from_dnf("late", classes=("yes", "no"))
    >>> with TemporaryDirectory() as folder:
    ...     path = f"{folder}/decisions.jsonl"
    ...     append_records(path, make_records(policy, pd.DataFrame({"late": [True]}), ids=["A-17"]))
    ...     old, new = correct_record(policy, path, "A-17", {"late": "false"})
    1
    >>> old["decision"], new["decision"], new["corrects"]["values"]
    ('no', 'yes', {'late': True})
    """
    hashed = sha256 or exporting.model_hash(clf)
    with _locked_file(path) as (stream, held):
        line, old = next(((line, record) for line, record in reversed(held) if record["id"] == name), (b"", None))
        if old is None:
            raise InvalidArgument("ID", f"be a decision of {os.fspath(path)}", brief(name))
        if old["model"] != hashed:
            raise InvalidArgument("model", f"be the one that decided, of SHA-256 {old['model']}", hashed)
        fields = _fields(clf)
        unknown = [column for column in values if column not in fields]
        if unknown or not values:
            raise InvalidArgument("a correction", f"be of {', '.join(fields)}", ", ".join(unknown) or "none")
        if not fields.keys() <= old["values"].keys():
            raise ValueError(f"record {brief(name)} must hold the values of {', '.join(fields)}; it does not.")
        own = {column: old["values"][column] for column in fields}
        try:
            corrected = {column: fields[column].from_text(text) for column, text in values.items()}
        except ValueError as error:
            raise ValueError(f"a correction of {error}") from error
        new = make_records(clf, _row(clf, {**own, **corrected}), ids=[name], sha256=hashed)[0]
        before = {column: own[column] for column in values if new["values"][column] != own[column]}
        if len(before) < len(values):
            same = next(column for column in values if column not in before)
            raise InvalidArgument(f"a correction of {same!r}", "differ from what was recorded", values[same])
        if "about" in old:
            new["about"] = old["about"]
        new["corrects"] = {"record": _hash(line), "values": before}
        stream.write(record_line(new) + b"\n")
    return old, new


def _fields(clf: AnyClassifier) -> dict[str, Field]:
    return {field.name: field for column in clf.fitted_.inputs for field in column.fields}


def _row(clf: AnyClassifier, values: Mapping[str, Plain]) -> ReadTable[Any]:
    """Return the values of a record as the row that was decided."""
    return clf.fitted_.read_plain({name: [value] for name, value in values.items()})


def check_sentences(clf: AnyClassifier, record: DecisionRecord) -> None:
    """Refuse a record unless it says exactly what its model says about its values, in cells and in words.

    >>> import pandas as pd
    >>> from idnf import DNFClassifier
    >>> policy = DNFClassifier.from_dnf("late", classes=("yes", "no"))
    >>> made = make_records(policy, pd.DataFrame({"late": [True]}), ids=["A-17"])[0]
    >>> check_sentences(policy, made)
    >>> check_sentences(policy, {**made, "decision": "yes"})
    Traceback (most recent call last):
    ...
    ValueError: record 'A-17' must say what its model says about its values; got a different decision.
    """
    name = brief(record["id"])
    missing = [name for name in _fields(clf) if name not in record["values"]]
    if missing:
        raise InvalidArgument(
            f"record {name}", "have a value for every column of its model", f"none for {missing[0]!r}"
        )
    again = make_records(clf, _row(clf, record["values"]), ids=[record["id"]], sha256=record["model"])[0]
    other = next(
        (key for key in ("decision", "reasons", "changes", "principal", "text") if again[key] != record[key]), None
    )
    if other is not None:
        now, then = ({key: one for key, one in each.items() if key == other} for each in (again, record))
        same = _without_sentences(now) == _without_sentences(then)
        old = "If another version of idnf wrote it, record the row again in a new file."
        what = {"reasons": "reason", "changes": "change", "principal": "principal reason"}.get(other, other)
        got = f"got a different wording of its {what}. {old}" if same else f"got a different {what}."
        raise ValueError(f"record {name} must say what its model says about its values; {got}")


def _without_sentences(part: Any) -> Any:
    """Return a part of a record without its sentences.

    >>> condition = {"column": "late", "cells": [1], "said": "late"}
    >>> _without_sentences([{"gives": "no", "text": None, "conditions": [condition]}])
    [{'gives': 'no', 'conditions': [{'column': 'late', 'cells': [1]}]}]
    >>> _without_sentences({"columns": ["late"], "conditions": ["late is true"]})
    {'columns': ['late'], 'conditions': []}
    """
    if isinstance(part, list):
        return [_without_sentences(one) for one in part]
    if not isinstance(part, dict):
        return part
    kept = {key: one for key, one in part.items() if key not in ("words", "said", "text")}
    if "conditions" in kept:
        kept["conditions"] = [one for one in kept["conditions"] if not isinstance(one, str)]
    return {key: _without_sentences(one) for key, one in kept.items()}


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()


@contextmanager
def _locked_file(
    path: str | os.PathLike[str],
) -> Iterator[tuple[BufferedRandom, list[tuple[bytes, DecisionRecord]]]]:
    """Open a file for one process alone, at the end of its last finished line; give it with its lines and records."""
    with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as stream:
        if os.name == "posix":
            import fcntl

            fcntl.flock(stream, fcntl.LOCK_EX)
        if not S_ISREG(os.fstat(stream.fileno()).st_mode):
            raise InvalidArgument("records", "be added to a file that can be read again", os.fspath(path))
        data = stream.read()
        held = list(_finished_lines(data, path))
        end = data.rfind(b"\n") + 1
        stream.seek(end)
        stream.truncate()
        try:
            yield stream, held
            stream.flush()
            os.fsync(stream.fileno())
        except BaseException:
            stream.seek(end)
            stream.truncate()
            raise
