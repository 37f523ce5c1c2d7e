"""Rules as people write them, read into rule sets: if-then lines, SQL's CASE WHEN, pairs, trees and small forests."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from idnf.auditing.conditions import Condition, ConditionError, Reader, columns_needed, condition_boxes, parse_condition
from idnf.auditing.rule_sets import GivenRule, RuleSet
from idnf.columns.column import TableColumn
from idnf.columns.intervals import NumberColumn
from idnf.columns.refinement import common_ground
from idnf.logic.boxes import Box, cut, intersection
from idnf.logic.errors import InvalidArgument

if TYPE_CHECKING:
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.tree import DecisionTreeClassifier
    from sklearn.tree._tree import Tree

MOST = 20_000
"""Joint leaves of a forest that are held."""


def read_rule_set(given: str | Iterable[object], columns: Sequence[TableColumn] = ()) -> RuleSet:
    r"""Read rules from text, or from pairs of a condition and a class with a last class for all other rows.

    >>> rules = read_rule_set("if income <= 20 then declined\nif late then declined\notherwise approved")
    >>> [rule.label for rule in rules.rules], rules.otherwise, [column.name for column in rules.columns]
    (['declined', 'declined'], 'approved', ['income', 'late'])
    >>> read_rule_set("SELECT CASE WHEN age < 18 OR age > 90 THEN 'no' ELSE 'yes' END FROM people").otherwise
    'yes'
    """
    read, otherwise = _from_text(given) if isinstance(given, str) else _from_pairs(given)
    if not read:
        raise ConditionError("rules must hold at least one rule; got none.")
    known = {column.name: column for column in columns}
    needed = columns_needed([condition for condition, _, _ in read], known)
    ground, _ = common_ground([columns, needed])
    rules = [GivenRule(tuple(condition_boxes(c, ground)), label, text) for c, label, text in read]
    for rule in rules:
        if not rule.boxes:
            raise ConditionError(f"{rule.text!r} contradicts itself: no row can meet its conditions.")
    return RuleSet(ground, tuple(rules), otherwise)


Read = list[tuple[Condition, object, str]]


def _from_pairs(given: Iterable[object]) -> tuple[Read, object]:
    read: Read = []
    otherwise = None
    for item in given:
        if otherwise is not None:
            raise ConditionError("the class of all other rows must come last; got more rules after it.")
        if isinstance(item, tuple) and len(item) == 2:
            read.append((parse_condition(str(item[0])), item[1], f"{item[0]} then {item[1]}"))
        else:
            otherwise = item
    return read, otherwise


def _from_text(text: str) -> tuple[Read, object]:
    lines = [line for line in text.splitlines() if not line.strip().startswith(("#", "--"))]
    joined = _case_of("\n".join(lines))
    reader = Reader(joined)
    is_sql = reader.take("case")
    read: Read = []
    while reader.take("if", "when") or (reader.key() == "else" and reader.key(1) == "if" and reader.take("else")):
        if reader.key() == "if":
            reader.take("if")
        start = reader.tokens[reader.place].start if not reader.at_end else len(joined)
        condition = reader.condition()
        reader.expect("then")
        label = reader.word("a class")
        end = reader.tokens[reader.place].start if not reader.at_end else len(joined)
        read.append((condition, label, re.sub(r"\s+", " ", joined[start:end]).strip(" ;,")))
        reader.take(";", ",")
    otherwise = reader.word("a class") if reader.take("else", "otherwise") else None
    reader.take(";")
    if is_sql:
        reader.expect("end")
    reader.expect_end()
    return read, otherwise


def _case_of(text: str) -> str:
    """Return the CASE of a query, or the text as it is if it is not a query.

    >>> _case_of("SELECT id, CASE WHEN age < 18 THEN 'no' ELSE 'yes' END AS decision FROM people;")
    "CASE WHEN age < 18 THEN 'no' ELSE 'yes' END"
    """
    if re.match(r"\s*(?:select|with|create)\b", text, re.IGNORECASE) is None:
        return text
    starts = [found.start() for found in re.finditer(r"\bcase\b", text, re.IGNORECASE)]
    ends = [found.end() for found in re.finditer(r"\bend\b", text, re.IGNORECASE)]
    if len(starts) != 1 or not ends:
        raise ConditionError(f"a query must hold one CASE ... END; got {len(starts)}.")
    return text[starts[0] : ends[-1]]


def read_tree(tree: DecisionTreeClassifier | RandomForestClassifier, names: Sequence[str]) -> RuleSet:
    """Return the leaves of a fitted tree, or the joint leaves of a forest of few trees, as rules.

    A forest gives the class with the largest sum of the shares in its leaves, as scikit-learn does.
    """
    trees = list(getattr(tree, "estimators_", [tree]))
    cuts: dict[int, set[float]] = {}
    for one in trees:
        inner = one.tree_
        for feature, threshold in zip(inner.feature.tolist(), inner.threshold.tolist(), strict=True):
            if feature >= 0:
                cuts.setdefault(feature, set()).add(threshold)
    used = sorted(cuts)
    columns = tuple(NumberColumn(names[j], "refused", cuts=tuple(sorted(cuts[j]))) for j in used)
    full = tuple(column.full for column in columns)
    place = {feature: i for i, feature in enumerate(used)}
    joint: list[tuple[Box, NDArray[np.float64]]] = [(full, np.zeros(len(tree.classes_)))]

    def below(inner: Tree, node: int, box: Box) -> Iterator[tuple[Box, NDArray[np.float64]]]:
        """Yield the leaves below a node as boxes, with the share of each class."""
        if inner.children_left[node] < 0:
            counts = inner.value[node][0]
            yield box, counts / counts.sum()
            return
        j = place[int(inner.feature[node])]
        low = (2 << columns[j].cuts.index(float(inner.threshold[node]))) - 1
        for child, mask in ((inner.children_left[node], low), (inner.children_right[node], ~low)):
            if box[j] & mask:
                yield from below(inner, int(child), cut(box, j, mask))

    for one in trees:
        leaves = list(below(one.tree_, 0, full))
        met = ((intersection(box, leaf), votes, share) for box, votes in joint for leaf, share in leaves)
        joint = [(box, votes + share) for box, votes, share in met if box is not None]
        if len(joint) > MOST:
            raise InvalidArgument("a forest", f"have at most {MOST} joint leaves", f"more from {len(trees)} trees")
    labels = tree.classes_.tolist()
    rules = tuple(
        GivenRule((box,), labels[int(votes.argmax())], f"leaf {i + 1}") for i, (box, votes) in enumerate(joint)
    )
    return RuleSet(columns, rules, hit="disjoint")
