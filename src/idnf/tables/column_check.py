"""What is decided about the columns of a table before anything is learned from it, one line for each decision."""

from __future__ import annotations

import json
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from idnf.columns.column import TableColumn
from idnf.columns.phrases import BLANKS
from idnf.columns.raw import RawColumn
from idnf.result_frames import html_table
from idnf.tables.date_texts import DAY
from idnf.tables.ordered_words import shown_order

Topic = Literal[
    "plain text",
    "text",
    "identifier",
    "constant",
    "empty",
    "duplicate",
    "gives the label away",
    "missing code",
    "units",
    "codes",
    "categories",
    "order",
    "protected",
    "labels",
    "model",
]

TOPICS: tuple[Topic, ...] = get_args(Topic)

FEWEST_ROWS = 30
"""In smaller tables values may well be all different, or go with the label, by chance."""

RARE_PART = 0.1
"""A label with less than this part of the rows that it would have if all labels had as many is called rare."""

FEW_LABELS = 20
"""A label with fewer rows than this leaves little to learn from, whatever its share."""

_ASKED_FIRST = 1_000
_MOST_RUNS = 3
# Numbers of a column that is called an identifier name the rows if more than this part of them differ.
_MOSTLY = 0.8
# Categories in an order have no more steps than there are grades.
_MOST_STEPS = 26
_CODES = (-1.0, -9.0, -99.0, -999.0, -9999.0, 99.0, 999.0, 9999.0, 99999.0, 999999.0)
_ID_NAME = re.compile(
    r"(?:.*[\s_.-])?(?:id|ids|uuid|guid|key|index|idx|nr|no|number|rownum|row|column 1|unnamed: 0)"
    r"|(?:.*[\s_.-])?id[\s_.-]?(?:nr|no|num|number)|.*(?:[a-z]I[dD]|ID|Nr)",
)


_CODE_NAME = re.compile(
    r"(?:^|[\s_.-])(?:code|codes|zip|plz|postcode|precinct|district|region|branch|ward|sector|flight|route|typ\w{0,3})$"
)
_PROTECTED = re.compile(
    r"(?:^|[\s_.-])(?:race|ethnicity|ethnic|sex|gender|geschlecht|marital|married|religion|nationality|disability|age|alter)"
    r"(?:$|[\s_.-])"
)
_WITH_UNIT = re.compile(r"[+-]?\d[\d.,]*\s*([^\W\d_]{1,12})\.?")
_CLOCK = re.compile(r"\d{1,2}:\d\d(?::\d\d)?")
# Seconds from 1990 to 2050.
_UNIX = (631_152_000.0, 2_524_608_000.0)
_TIME_NAME = re.compile(r"(?:^|[\s_.-])(?:time|timestamp|date|created|updated|ts|at)(?:$|[\s_.-])")
# A leak tells this share of what can be gained over the most frequent label.
_LEAK = 0.98
_IF_LATE = "leave out if known only afterwards"
_MOST_PAIRED = 8
_LEAK_ROWS = 2_000


# What differs between remarks of one kind: numbers, and values in quotes.
_VARYING = re.compile(r"'[^']*'(?:, '[^']*')*|\d[\d,.]*")


class TableWarning(UserWarning):
    """Something was decided about a table that its owner should know: a column left out, text read as numbers."""


class UnreadValuesWarning(TableWarning):
    """Values of a table cannot be read as in training and count as missing."""


@contextmanager
def quiet() -> Iterator[None]:
    """Leave out warnings about a table."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TableWarning)
        yield


@dataclass(frozen=True)
class ColumnDecision:
    """What was found in a column, what was done about it, and how to override it.

    Parameters
    ----------
    column : str or None
        None if it is about the labels or the table.
    topic : str
        The kind of finding.
    text : str
        What was found and done, as the rest of a sentence that begins with the column.
    otherwise : str
        The kind to declare for the column to override it: "category", "number", "date", "keep" or "ignore"; or
        nothing.
    parameter : str
        The parameter that overrides it as well, such as "decimal"; or nothing.
    value : str or bool
        What to give that parameter.
    grave : bool
        Whether it may change what the model is worth, so that Python warns of it.
    """

    column: str | None
    topic: Topic
    text: str
    otherwise: str = ""
    parameter: str = ""
    value: str | bool = ""
    grave: bool = False

    def words(self, columns: int) -> str:
        """Return what was found and done about one column, or about several at once.

        >>> ColumnDecision("paid", "gives the label away", "alone gives every label: a leak?").words(2)
        'each alone gives every label: a leak?'
        """
        return f"each {self.text}" if columns > 1 and self.text.startswith("alone ") else self.text

    def to_text(self) -> str:
        """Return the decision as a line, with the remedy as it is written in Python.

        >>> ColumnDecision("id", "identifier", "a running number, left out", "keep").to_text()
        "id: a running number, left out (otherwise: TableBinariser(kinds={'id': 'keep'}))"
        """
        return decision_line([self])


def decision_line(alike: Sequence[ColumnDecision]) -> str:
    """Return decisions that say the same about several columns as one line, with the remedy for all of them.

    >>> print(decision_line([ColumnDecision(name, "protected", "used", "ignore") for name in ("age", "sex")]))
    age, sex: used (otherwise: TableBinariser(kinds={'age': 'ignore', 'sex': 'ignore'}))
    """
    first, names = alike[0], [one.column for one in alike if one.column is not None]
    line = f"{', '.join(names)}: {first.words(len(names))}" if names else first.text
    remedies = [f"{first.parameter}={first.value!r}"] if first.parameter else []
    if first.otherwise and names:
        remedies.append(f"TableBinariser(kinds={dict.fromkeys(names, first.otherwise)})")
    return f"{line} (otherwise: {' or '.join(remedies)})" if remedies else line


class ColumnsReport(tuple[ColumnDecision, ...]):
    """The decisions taken about a table; prints as lines and shows as a table in notebooks.

    >>> print(ColumnsReport([ColumnDecision("id", "identifier", "a running number, left out")]))
    id: a running number, left out
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<ColumnsReport of {len(self)} decisions>"

    def grouped(self) -> list[list[ColumnDecision]]:
        """Return the decisions, those that say the same of several columns together."""
        alike: dict[tuple[object, ...], list[ColumnDecision]] = {}
        for one in self:
            alike.setdefault((one.column is None, one.text, one.otherwise, one.parameter, one.value), []).append(one)
        return list(alike.values())

    def kinds(self) -> list[list[ColumnDecision]]:
        """Return the decisions, those of one kind together: they differ in numbers and in what they quote alone."""
        alike: dict[tuple[object, ...], list[ColumnDecision]] = {}
        for one in self:
            kind = _VARYING.sub("", one.text)
            alike.setdefault((one.column is None, one.topic, kind, one.otherwise, one.parameter), []).append(one)
        return list(alike.values())

    def to_text(self) -> str:
        """Return one line for each decision, or for several columns that share it."""
        lines = [decision_line(alike) for alike in self.grouped()]
        return "\n".join(lines) if lines else "nothing to remark"

    __str__ = to_text

    def warn(self, *, stacklevel: int = 2) -> None:
        """Warn of the serious decisions, each with a `TableWarning` at the line of a caller that many calls away."""
        for alike in self.grouped():
            if alike[0].grave:
                warnings.warn(decision_line(alike), TableWarning, stacklevel=stacklevel)

    def _repr_html_(self) -> str:
        names, texts = zip(*self.by_columns(), strict=True) if self else ((), ())
        return html_table({"column": names, "what was found and done": texts})

    def by_columns(self) -> list[tuple[str, str]]:
        """Return what is said, and of which columns."""
        return [(", ".join(one.column or "labels" for one in alike), alike[0].text) for alike in self.grouped()]


@dataclass(frozen=True)
class CheckedColumns:
    """Which columns of a table are learned from, and what was decided about them."""

    kept: dict[str, RawColumn]
    decisions: tuple[ColumnDecision, ...]


def check_columns(
    raws: Mapping[str, RawColumn],
    classes: NDArray[np.intp] | None,
    declared: Mapping[str, str],
    *,
    merged: bool = False,
    drop_leaks: bool = False,
) -> CheckedColumns:
    """Find identifiers, constants, duplicates and columns that give the label away; leave out what is of no use.

    Parameters
    ----------
    raws : dict of str to RawColumn
    classes : array of int, optional
        The class of each row.
    declared : mapping of str to str
        Columns for which the user has said what they are; these are kept as they are unless declared "ignore".
    merged : bool
        Whether spellings that differ in capitals only are taken as one.
    drop_leaks : bool
        Whether columns that give the label away are left out.
    """
    kept: dict[str, RawColumn] = {}
    decisions = []
    for name, raw in raws.items():
        if declared.get(name) == "ignore":
            continue
        found = None if name in declared else _left_out(raw)
        if found is not None:
            decisions += [found, *_units(raw)] if found.topic == "identifier" else [found]
        # A remedy that leaves a column out is advice about one that was kept.
        if found is None or found.otherwise == "ignore":
            kept[name] = raw
    open_to_doubt = {name: raw for name, raw in kept.items() if name not in declared}
    for name, raw in open_to_doubt.items():
        if len(raw) >= FEWEST_ROWS:
            decisions += _constants(raw) or _missing_codes(raw) or ([] if merged else _spellings(raw))
            decisions += (
                [] if any(one.column == name for one in decisions) else _units(raw) or _codes(raw) or _orders(raw)
            )
    if classes is not None and len(classes) >= FEWEST_ROWS:
        leaks = _leaks(open_to_doubt, classes)
        if drop_leaks:
            leaks = [replace(one, text=one.text.replace(_IF_LATE, "left out"), otherwise="keep") for one in leaks]
            kept = {name: raw for name, raw in kept.items() if name not in {one.column for one in leaks}}
        decisions += leaks
    decisions += _duplicates({name: raw for name, raw in open_to_doubt.items() if name in kept})
    return CheckedColumns(kept, tuple(decisions))


def protected_decisions(names: Sequence[str]) -> list[ColumnDecision]:
    """Return which columns that a model looks at may be protected by law.

    >>> [one.column for one in protected_decisions(["income", "marital_status", "age", "Gender", "wage"])]
    ['marital_status', 'age', 'Gender']
    """
    words = "used by the model; many laws restrict that"
    found = [name for name in names if _PROTECTED.search(name.lower())]
    return [ColumnDecision(name, "protected", words, "ignore") for name in found]


def category_decisions(columns: Sequence[TableColumn], different: Mapping[str, int]) -> list[ColumnDecision]:
    """Return what became of categories without a cell of their own, given how many values each column of them has."""
    remarks = {column.name: column.remark(different.get(column.name, 0)) for column in columns}
    return [ColumnDecision(name, "categories", text) for name, text in remarks.items() if text]


def label_decisions(labels: Sequence[object], rows: Sequence[int], *, weighed: bool = False) -> list[ColumnDecision]:
    """Return what there is to say about the numbers of rows with each label; whoever weighs them needs no advice.

    >>> print(label_decisions(["no", "yes"], [990, 10])[0].text)
    label 'yes' is rare: 10 of 1,000 rows (1.0%); accuracy says little unless both weigh the same
    """
    total = sum(rows)
    counted = list(zip(labels, rows, strict=True))
    least = RARE_PART * total / max(1, len(counted))
    rare = [(label, count) for label, count in counted if count < least]
    found = []
    if rare:
        shown = [f"{label!r} is rare: {n:,} of {total:,} rows ({n / total:.1%})" for label, n in rare[:1]]
        if len(rare) > 1:
            shown = [", ".join(f"{label!r} ({n:,} rows)" for label, n in rare) + f" are rare among {total:,} rows"]
        alike = "both weigh" if len(counted) == 2 else "all labels weigh"
        words = f"label{'s' * (len(rare) > 1)} {shown[0]}; accuracy says little"
        if weighed:
            found.append(ColumnDecision(None, "labels", words))
        else:
            weights: dict[str, str] = {"parameter": "class_weight", "value": "balanced"}
            words, grave = f"{words} unless {alike} the same", total >= FEWEST_ROWS
            found.append(ColumnDecision(None, "labels", words, **weights, grave=grave))
    for label, count in counted:
        if least <= count < FEW_LABELS <= total:
            words = f"label {label!r} has only {count:,} of {total:,} rows: what is learned about it may be chance"
            found.append(ColumnDecision(None, "labels", words))
    return found


def shell_word(text: str) -> str:
    """Return a text as one word of a command line.

    >>> print(shell_word("income"), shell_word("net income"))
    income "net income"
    """
    plain = re.fullmatch(r"[\w.,=:/@%+-]+", text)
    return text if plain else json.dumps(text, ensure_ascii=False)


def _left_out(raw: RawColumn) -> ColumnDecision | None:
    """Return why nothing can be learned from a column, or None."""
    name, rows = raw.name, len(raw)
    if raw.kind == "empty":
        return ColumnDecision(name, "empty", f"no value in any of {rows:,} rows, left out")
    if raw.kind == "category" and isinstance(raw.known[0], str):
        return _name_of_rows(raw)
    return _number_of_rows(raw) if raw.kind == "number" and rows >= FEWEST_ROWS else None


def _name_of_rows(raw: RawColumn) -> ColumnDecision | None:
    """Return that the texts are names or remarks, each nearly only once."""
    known = raw.known.tolist()
    if len(known) < FEWEST_ROWS or len(set(known[:_ASKED_FIRST])) <= 0.5 * len(known[:_ASKED_FIRST]):
        return None
    return texts_decision(raw.name, len(set(known)), len(known))


def texts_decision(name: str, different: int, rows: int) -> ColumnDecision | None:
    """Return the decision to leave out texts that are probably names or comments; None if they recur.

    >>> texts_decision("who", 40, 40).text, texts_decision("job", 3, 40)
    ('left out: 40 different values in 40 rows, probably names or comments', None)
    """
    if rows < FEWEST_ROWS or different <= 0.5 * rows:
        return None
    taken = "an identifier" if _is_called_identifier(name) else "names or comments"
    words = f"left out: {different:,} different values in {rows:,} rows, probably {taken}"
    return ColumnDecision(name, "identifier", words, "" if different == rows else "keep", grave=True)


def _number_of_rows(raw: RawColumn) -> ColumnDecision | None:
    """Return that the numbers count or name the rows: whole, all different, and dense or so called."""
    known = raw.known.astype(np.float64, copy=False)
    if len(known) < len(raw):
        return None
    if (known[:_ASKED_FIRST] != np.floor(known[:_ASKED_FIRST])).any() or (known != np.floor(known)).any():
        return None
    if len(set(known[:_ASKED_FIRST].tolist())) < len(known[:_ASKED_FIRST]) or len(np.unique(known)) < len(known):
        return _numbers_of_groups(raw.name, known)
    low, high = float(known.min()), float(known.max())
    running = high - low + 1 == len(known)
    called = _is_called_identifier(raw.name)
    dense = len(known) >= 0.5 * (high - low + 1) and len(known) >= 100
    if not running and not called and not dense:
        if len(known) < 200:
            return None
        words = "whole numbers, all different: if they only name the rows, leave them out"
        return ColumnDecision(raw.name, "identifier", words, "ignore")
    words = "a running number" if running or dense else "a number of its own in every row"
    return ColumnDecision(raw.name, "identifier", f"{words}, left out", "keep", grave=True)


def _is_called_identifier(name: str) -> bool:
    return any(_ID_NAME.fullmatch(written) for written in (name, name.lower()))


def _numbers_of_groups(name: str, known: NDArray[np.float64]) -> ColumnDecision | None:
    """Return that numbers restart in every group, or name the groups."""
    steps = np.diff(known)
    anew = known[1:] == known.min()
    if len(known) >= 100 and anew.any() and bool((anew | (steps == 1)).all()) and anew.mean() < 0.2:
        words = "a running number that restarts: leave out if it only counts the rows of a group"
        return ColumnDecision(name, "identifier", words, "ignore")
    if not _is_called_identifier(name):
        return None
    blocks, different = 1 + int((steps != 0).sum()), len(np.unique(known))
    if different == blocks > 10:
        words = "numbers that name groups of rows: leave them out, and hold out whole groups"
        return ColumnDecision(name, "identifier", words, "ignore")
    if different > _MOSTLY * len(known) and len(known) >= 100:
        words = f"left out: {different:,} different numbers in {len(known):,} rows, probably identifiers"
        return ColumnDecision(name, "identifier", words, "keep", grave=True)
    return None


def _constants(raw: RawColumn) -> list[ColumnDecision]:
    """Return that a column holds one value only, of which no condition can be made."""
    first = raw.known[0]
    if raw.missing.any() or not (raw.values[:_ASKED_FIRST] == first).all() or not (raw.values == first).all():
        return []
    return [
        ColumnDecision(raw.name, "constant", f"the same value, {_show(first)}, in every row: nothing to learn from")
    ]


def _spellings(raw: RawColumn) -> list[ColumnDecision]:
    """Return that categories differ in capitals only, and are taken as different."""
    if raw.kind != "category" or not isinstance(raw.known[0], str):
        return []
    texts = list(set(raw.known.tolist()))
    folded = list(map(str.casefold, texts))
    if len(set(folded)) == len(texts):
        return []
    first = min(one for one, count in Counter(folded).items() if count > 1)
    words = sorted(text for text, one in zip(texts, folded, strict=True) if one == first)
    text = f"{', '.join(map(repr, words))} differ in capitals only and count as different"
    return [ColumnDecision(raw.name, "text", text, parameter="merge_spellings", value=True)]


def _units(raw: RawColumn) -> list[ColumnDecision]:
    """Return that texts are amounts in several units, times of day or dates written in several ways; or Unix times."""
    if raw.kind == "number":
        if not _TIME_NAME.search(raw.name.lower()) or not ((raw.known >= _UNIX[0]) & (raw.known < _UNIX[1])).all():
            return []
        return [ColumnDecision(raw.name, "units", "probably seconds since 1970: convert them to dates")]
    if raw.kind != "category" or not isinstance(raw.known[0], str):
        return []
    texts = [str(text) for text in set(raw.known.tolist())]
    units = {match[1] for match in map(_WITH_UNIT.fullmatch, texts) if match is not None}
    amounts = sum(_WITH_UNIT.fullmatch(text) is not None for text in texts)
    if len(units) > 1 and amounts >= 0.9 * len(texts) and len(texts) > 2 * len(units):
        words = f"amounts in several units ({', '.join(sorted(units)[:5])}): write them in one unit"
    elif all(map(_CLOCK.fullmatch, texts)):
        words = "times of day: convert them to hours or minutes"
    elif sum(DAY.fullmatch(text) is not None for text in texts) >= 0.9 * len(texts):
        words = "dates written in several ways: write them alike, such as 2020-12-31"
    else:
        return []
    return [ColumnDecision(raw.name, "units", words, grave=True)]


def _codes(raw: RawColumn) -> list[ColumnDecision]:
    """Return that whole numbers with the name of a code are compared as quantities."""
    if raw.kind != "number" or not _CODE_NAME.search(raw.name.lower()):
        return []
    different = np.unique(raw.known)
    if len(different) > 0.5 * len(raw.known) or (different != np.floor(different)).any() or len(different) < 3:
        return []
    words = (
        f"{len(different)} whole numbers that look like codes, compared as quantities: more or less may mean nothing"
    )
    return [ColumnDecision(raw.name, "codes", words, "category")]


def _orders(raw: RawColumn) -> list[ColumnDecision]:
    """Return that the words of categories show an order."""
    if raw.kind != "category" or not isinstance(raw.known[0], str):
        return []
    texts = set(raw.known[:_ASKED_FIRST].tolist())
    if len(texts) > _MOST_STEPS:
        return []
    order = shown_order({text.strip(BLANKS) for text in set(raw.known.tolist())})
    return [ColumnDecision(raw.name, "order", f"{', '.join(order.split('<'))}: in order?", order)] if order else []


def _missing_codes(raw: RawColumn) -> list[ColumnDecision]:
    """Return that a number far from the others looks like a code for a missing value."""
    if raw.kind != "number":
        return []
    known = raw.known.astype(np.float64, copy=False)
    for code in (float(known.min()), float(known.max())):
        if code not in _CODES:
            continue
        at = known == code
        count, others = int(at.sum()), known[~at]
        if count < 2 or len(others) < FEWEST_ROWS:
            continue
        low, high = float(others.min()), float(others.max())
        gap = low - code if code < low else code - high
        negative = code < 0 <= low
        if gap > max(high - low, 1.0) or (negative and len(np.unique(others[:_ASKED_FIRST])) > 10):
            words = f"{code:g} in {count:,} rows, far from the others: if it stands for a missing value, say so"
            return [ColumnDecision(raw.name, "missing code", words, parameter="missing_values", value=f"{code:g}")]
    return []


def _leaks(raws: Mapping[str, RawColumn], classes: NDArray[np.intp]) -> list[ColumnDecision]:
    """Return which columns, alone or two together, tell the label of nearly every row."""
    rows = len(classes)
    pure = [name for name, raw in raws.items() if _gives_away(raw, classes)]
    words = f"alone gives every label: a leak? {_IF_LATE}"
    found = [ColumnDecision(name, "gives the label away", words, "ignore", grave=True) for name in pure]
    some = np.random.default_rng(0).permutation(rows)[:_LEAK_ROWS]
    counts = np.bincount(classes[some])
    labels = int((counts > 0).sum())
    least = 1 - (1 - _LEAK) * (1 - counts.max() / len(some))
    if rows < 10 * FEWEST_ROWS or labels < 2:
        return found
    numbers = {name: _as_numbers(raw.at(some)) for name, raw in raws.items() if name not in pure}
    alone = {name: _share_told([values], classes[some], leaves=labels + 1) for name, values in numbers.items()}
    leaking = [name for name, share in alone.items() if share >= least]
    found += [_leak(name, "", alone[name]) for name in leaking]
    likely = [name for name in sorted(alone, key=lambda name: -alone[name]) if name not in leaking][:_MOST_PAIRED]
    for one, other in combinations(likely, 2):
        share = _share_told([numbers[one], numbers[other]], classes[some], leaves=2 * labels)
        if share >= least:
            found.append(_leak(one, other, share))
    return found


def _leak(name: str, beside: str, share: float) -> ColumnDecision:
    who = f"together with {beside}" if beside else "alone"
    words = f"{who} gives {share:.1%} of the labels: a leak? {_IF_LATE}"
    return ColumnDecision(name, "gives the label away", words, "ignore", grave=not beside)


def _as_numbers(raw: RawColumn) -> NDArray[np.float64]:
    """Return values as numbers that a small tree can split: of categories, each by how common it is."""
    if raw.kind not in ("category", "ordered"):
        ranks = np.unique(np.where(raw.missing, 0, raw.values), return_inverse=True)[1]
        return np.where(raw.missing, -1.0, ranks)
    values = raw.values.tolist()
    place = {value: float(i) for i, (value, _) in enumerate(Counter(values).most_common())}
    return np.array([place[value] for value in values])


def _share_told(columns: Sequence[NDArray[np.float64]], classes: NDArray[np.intp], *, leaves: int) -> float:
    """Return the share of rows whose label a tree of a few leaves tells."""
    from sklearn.tree import DecisionTreeClassifier

    X = np.stack(columns, axis=1).astype(np.float32)
    tree = DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0).fit(X, classes, check_input=False).tree_
    shares = tree.value[:, 0] / tree.value[:, 0].sum(axis=1, keepdims=True)
    right = (shares.max(axis=1) * tree.weighted_n_node_samples)[tree.children_left < 0].sum()
    return round(float(right)) / len(classes)


def _gives_away(raw: RawColumn, classes: NDArray[np.intp]) -> bool:
    """Return whether a column alone tells the class of every row, by a few values or by a few runs of values."""
    step = max(1, len(raw) // _ASKED_FIRST)
    some = slice(None, None, step)
    return _is_pure(raw.at(some), classes[some]) and (step == 1 or _is_pure(raw, classes))


def _is_pure(raw: RawColumn, classes: NDArray[np.intp]) -> bool:
    missing = raw.missing
    if missing.any() and len(np.unique(classes[missing])) > 1:
        return False
    values, own = raw.values[~missing], classes[~missing]
    if raw.kind in ("category", "ordered"):
        seen: dict[object, int] = {}
        pairs = zip(values.tolist(), own.tolist(), strict=True)
        return all(seen.setdefault(value, one) == one for value, one in pairs) and len(seen) <= max(2, len(raw) // 20)
    order = np.argsort(values, kind="stable")
    ordered, labels = values[order], own[order]
    changes = labels[1:] != labels[:-1]
    within = ordered[1:] == ordered[:-1]
    return not bool((changes & within).any()) and int(changes.sum()) < _MOST_RUNS


def _duplicates(raws: Mapping[str, RawColumn]) -> list[ColumnDecision]:
    """Return which columns hold the same values as an earlier one."""
    found = []
    alike: dict[tuple[object, ...], list[RawColumn]] = {}
    for name, raw in raws.items():
        some = slice(0, 100)
        key = (raw.kind, raw.missing[some].tobytes(), tuple(np.where(raw.missing[some], 0, raw.values[some]).tolist()))
        for earlier in alike.setdefault(key, []):
            if _equal(raw, earlier):
                words = f"the same values as {earlier.name}: one of them is enough"
                found.append(ColumnDecision(name, "duplicate", words, "ignore"))
                break
        else:
            alike[key].append(raw)
    return found


def _equal(one: RawColumn, other: RawColumn) -> bool:
    known = ~one.missing
    return bool(np.array_equal(one.missing, other.missing)) and bool((one.values[known] == other.values[known]).all())


def _show(value: object) -> str:
    if isinstance(value, (float, np.floating)):
        return f"{value:g}"
    return repr(value) if isinstance(value, str) else str(value)
