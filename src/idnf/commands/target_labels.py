"""The labels of a table as its file has them: missing ones counted, spellings joined, one label against the rest.

And columns as users name them, with what they say about changes of them.
"""

from __future__ import annotations

import argparse
import operator
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from types import EllipsisType
from typing import TYPE_CHECKING, Literal, TypeVar

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from idnf.classifier.fitted import AnyClassifier
from idnf.columns.phrases import BLANKS, is_number
from idnf.commands.arguments import did_you_mean
from idnf.explaining.wording import label_words
from idnf.logic.errors import InvalidArgument
from idnf.tables.column_check import shell_word
from idnf.tables.column_fitting import merged_spellings
from idnf.tables.column_reading import ColumnReader
from idnf.tables.targets import MOST_CLASSES
from idnf.tables.text_values import SPOKEN_TRUTH, TRUTH, Decimal, TextReading, number_reading

if TYPE_CHECKING:
    import polars as pl


AFFIRMATIVE = (
    *("1", "1.0", "true", "yes", "y", "t", "ja", "j", "oui", "o", "si", "sí", "sim", "da", "tak", "wahr", "vrai"),
    *("approved", "accepted", "granted", "good", "positive", "success"),
)

_LIMIT = re.compile(r"(<=|>=|<|>)\s*(\S.*)")
_OPPOSITE = {"<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_COMPARE = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge}
_SHOWN = 10
_MOST_ASKED = 1_000
_MANY_NUMBERS = 10
"""With more different numbers than this it is said that each is a label."""


def positive_label(labels: Sequence[object], asked: str | None) -> object:
    """Return the label asked for, else one that says yes, else the one sorted second.

    >>> positive_label(["no", "yes"], None), positive_label(["no", "yes"], "no"), positive_label(["a", "b"], None)
    ('yes', 'no', 'b')
    """
    if asked is not None:
        return label_of(labels, asked, option="--positive")
    return affirmative_label(labels) if affirmative_label(labels) is not None else labels[-1]


def affirmative_label(labels: Sequence[object]) -> object:
    """Return the label that says yes, in one of several languages; None if none does, or more than one.

    >>> affirmative_label(["ja", "nein"]), affirmative_label(["o", "x"])
    ('ja', None)
    """
    named = {str(label).strip().lower(): label for label in labels}
    if "o" in named and not {"n", "non"} & set(named):
        del named["o"]
    return next((named[word] for word in AFFIRMATIVE if word in named), None)


def label_of(labels: Sequence[object], text: str, *, option: str) -> object:
    """Return the label that a text stands for.

    >>> label_of([False, True], "true", option="--to"), label_of([0, 1], "1.0", option="--to")
    (True, 1)
    """
    for label in labels:
        if str(label) == text or (isinstance(label, bool) and str(label).lower() == text.lower()):
            return label
    for label in labels:
        if not isinstance(label, (str, bool)) and is_number(text) and float(text) == label:
            return label
    folded = [label for label in labels if str(label).casefold() == text.casefold()]
    if len(folded) == 1:
        return folded[0]
    rule, remedy = f"be one of {', '.join(map(str, labels))}", did_you_mean(text, labels).strip()
    raise InvalidArgument(option, rule, text, remedy)


@dataclass(frozen=True)
class Labels:
    """The labels of the rows that have one.

    Parameters
    ----------
    known : bool array
        Which rows of the table have a label.
    values : array
        Their labels.
    remarks : tuple of str
        What was decided about them.
    """

    known: NDArray[np.bool_]
    values: NDArray[np.generic]
    remarks: tuple[str, ...] = ()


def read_labels(
    table: pl.DataFrame,
    target: str,
    asked: str | None,
    missing: Collection[str],
    *,
    merge: bool = False,
    decimal: Decimal | None = None,
) -> Labels:
    """Return the labels of a column: as they are, or a positive label or a limit that is asked for against the rest.

    Numbers are read with the decimal mark given, or with the one that the columns of the table show.

    >>> import polars as pl
    >>> read_labels(pl.DataFrame({"churn": ["Yes", "no", "yes ", "", "No"]}), "churn", None, [""]).values.tolist()
    ['Yes', 'No', 'Yes', 'No']
    """
    import polars as pl

    series, reading = table[target], None
    given = series.fill_nan(None) if series.dtype.is_float() else series
    remarks = []
    if given.dtype == pl.String:
        stripped = [
            None if text is None or text.strip(BLANKS) in missing else text.strip(BLANKS) for text in given.to_list()
        ]
        known = np.array([text is not None for text in stripped], dtype=bool)
        mark = ColumnReader(missing=tuple(missing), decimal=decimal).shown_decimal(
            {name: nw.from_native(table[name], series_only=True) for name in table.columns}
        )
        values, reading, joined = _spellings([text for text in stripped if text is not None], mark, merge=merge)
        remarks += [f"{series.name}: {remark}" for remark in joined]
    else:
        known = given.is_not_null().to_numpy().astype(bool)
        values = given.filter(given.is_not_null()).to_numpy()
        values = values.astype(str) if values.dtype == object else values
    lost = int((~known).sum())
    if lost:
        remarks.insert(0, f"{series.name}: {lost:,} of {len(known):,} rows {without_label(lost)}")
    labels = _one_against_rest(values, asked, series.name, reading)
    if labels.dtype.kind in "iuf" and len(different := np.unique(labels)) > _MANY_NUMBERS:
        middle = label_words(different[len(different) // 2].item())
        limit = f"--positive '> {middle}' sets those above a limit against the rest"
        remarks.append(f"{series.name}: each of {len(different)} numbers is a label of its own ({limit})")
    return Labels(known, labels, tuple(remarks))


def labels_again(table: pl.DataFrame, target: str, classes: Sequence[object]) -> NDArray[np.generic]:
    """Return the labels of rows as a model has them, also where it learned a limit or one label against the rest.

    >>> import polars as pl
    >>> labels_again(pl.DataFrame({"price": ["15", "7,5"]}), "price", ["<= 10", "> 10"]).tolist()
    ['> 10', '<= 10']
    >>> labels_again(pl.DataFrame({"colour": ["red", "blue"]}), "colour", ["not red", "red"]).tolist()
    ['red', 'not red']
    """
    limit = next((str(label) for label in classes if _LIMIT.fullmatch(str(label))), None)
    if limit is not None and len(classes) == 2:
        return read_labels(table, target, limit, ()).values
    texts = [str(value).strip(BLANKS) for value in table[target].to_list()]
    one = next((label for label in classes if f"not {label}" in classes), None)
    if one is not None and len(classes) == 2:
        return np.array([one if text == one else f"not {one}" for text in texts])
    option = f"every label in {target}"
    meant = {text: label_of(classes, text, option=option) for text in dict.fromkeys(texts)}
    return np.array([meant[text] for text in texts])


def without_label(count: int) -> str:
    """Return what became of some rows without a label, after their number.

    >>> without_label(1)
    'has no label and was left out'
    """
    return "has no label and was left out" if count == 1 else "have no label and were left out"


def _spellings(
    texts: Sequence[str], decimal: Decimal | None, *, merge: bool
) -> tuple[NDArray[np.generic], TextReading | None, list[str]]:
    """Return texts as numbers, truth values or text; spellings that differ in case only are joined, or all alike."""
    different = Counter(texts)
    remarks = []
    truths = merge and {text.casefold() for text in different} <= set(SPOKEN_TRUTH)
    meant = merged_spellings(different, truths=truths)
    if len(meant) < len(different) and (merge or len(different) > 2 >= len(meant)):
        one_of = {spelling: text for text, spellings in meant.items() for spelling in spellings}
        others = sorted(set(different) - set(meant))
        how = "labels that mean the same" if truths else "labels that differ in case only"
        remarks.append(f"{how} are taken as one: {', '.join(others)}")
        texts = [one_of[text] for text in texts]
        different = Counter(texts)
    lowered = {text.lower() for text in different}
    if lowered <= set(TRUTH):
        return np.array([TRUTH[text.lower()] for text in texts], dtype=bool), None, remarks
    reading = number_reading(list(different), decimal)
    if reading is None:
        return np.array(texts, dtype=object if any(text.endswith("\0") for text in different) else str), None, remarks
    if reading.decimal == "," and any("." in text for text in different):
        remarks.append("numbers with . between thousands (--read decimal=. if it is a decimal mark)")
    value_of = {text: reading.value(text) for text in different}
    numbers = np.array([value_of[text] for text in texts], dtype=np.float64)
    whole = not any(reading.decimal in text for text in different) and bool((np.abs(numbers) < 2**53).all())
    return (numbers.astype(np.int64) if whole and (numbers % 1 == 0).all() else numbers), reading, remarks


def _one_against_rest(
    values: NDArray[np.generic], asked: str | None, target: str, reading: TextReading | None = None
) -> NDArray[np.generic]:
    """Return the labels as they are given; or what is asked for against the rest, if there are more than two."""
    labels, counts = np.unique(values, return_counts=True)
    limit = None if asked is None else _LIMIT.fullmatch(asked)
    numeric = values.dtype.kind in "iuf"
    if limit is not None and numeric:
        return _against(values, limit[1], limit[2], reading or TextReading("number"))
    if len(labels) < 2:
        shown = f"only {labels.tolist()[0]}" if len(labels) else "none"
        raise InvalidArgument("--target", "be a column of two or more labels", f"{shown} in {target}")
    if asked is not None and 2 < len(labels) <= _MOST_ASKED:
        wanted = label_of(labels.tolist(), asked, option="--positive")
        return np.where(values == wanted, str(wanted), f"not {wanted}")
    if len(labels) > MOST_CLASSES or (numeric and (labels % 1 != 0).any() and len(labels) > _MANY_NUMBERS):
        raise _too_many(labels.tolist(), counts.tolist(), target, numeric=numeric)
    return values


def _against(values: NDArray[np.generic], sign: str, number: str, reading: TextReading) -> NDArray[np.generic]:
    """Return the values on the side of a limit that is asked for, against the rest; it is written as they are."""
    try:
        limit = float(reading.value(number) or 0)
    except ValueError:
        raise InvalidArgument("--positive", "compare with a number, such as '> 50'", f"{sign} {number}") from None
    return np.where(_COMPARE[sign](values, limit), f"{sign} {number}", f"{_OPPOSITE[sign]} {number}")


def _too_many(labels: Sequence[object], counts: Sequence[int], target: str, *, numeric: bool) -> InvalidArgument:
    """Return the refusal of a target with too many labels, with what to do instead."""
    heaviest = sorted(zip(labels, counts, strict=True), key=lambda item: -item[1])
    shown = ", ".join(f"{label_words(label)} ({rows})" for label, rows in heaviest[:_SHOWN])
    order = "" if len(labels) <= _SHOWN else ", most often"
    got = f"{target} with {len(labels):,}{order} {shown}"
    if numeric:
        middle = sorted(float(str(label)) for label in labels)[len(labels) // 2]
        remedy = f"For values above a limit against the rest: --positive '> {middle:g}'"
    else:
        remedy = f"For one label against the rest: --positive {shell_word(str(heaviest[0][0]))}"
    return InvalidArgument("--target", f"be a column of at most {MOST_CLASSES} labels", got, remedy)


def listed_columns(given: Sequence[str], names: Sequence[str], option: str) -> list[str]:
    """Return columns named one by one or separated by commas; a name may hold a comma itself."""
    found: list[str] = []
    for text in given:
        found += [text] if text in names else [part.strip() for part in text.split(",")]
    for name in found:
        refuse_unknown_column(names, name, option)
    return found


def refuse_unknown_column(names: Sequence[str], name: str | None, option: str) -> None:
    """Refuse the name of a column that is not there, or none; name the nearest one."""
    if name is None or name not in names:
        got, remedy = ("none", "") if name is None else (name, did_you_mean(name, names).strip())
        raise InvalidArgument(option, f"name a column ({', '.join(names)})", got, remedy)


def asked_immutable(arguments: argparse.Namespace, names: Sequence[str]) -> list[str] | Literal["all"] | EllipsisType:
    """Return the columns that cannot change, "all" of them or none; Ellipsis if nothing was said."""
    if not arguments.immutable:
        return ...
    if arguments.immutable == ["all"] and "all" not in names:
        return "all"
    if arguments.immutable == ["none"] and "none" not in names:
        return []
    return listed_columns(arguments.immutable, names, "--immutable")


def favourable_of(arguments: argparse.Namespace, labels: Sequence[object]) -> object:
    """Return the label that people want, if the user says which it is."""
    if arguments.favourable is None:
        return None
    return label_of(labels, arguments.favourable, option="--favourable")


Limited = TypeVar("Limited", bound=AnyClassifier)


def limited(classifier: Limited, arguments: argparse.Namespace) -> Limited:
    """Return a model that keeps to what the user says about changes, beside what the model file says."""
    names = [column.name for column in classifier.fitted_.columns] + classifier.binariser_.input_names
    asked = asked_immutable(arguments, names)
    if asked is ...:
        return classifier
    kept = asked if asked == "all" or not asked else [*classifier.fitted_.immutable, *asked]
    return classifier.with_settings(immutable=kept)
