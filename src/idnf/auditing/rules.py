"""Rules that must hold for a model: read from text, proved or refuted over all values.

``if income > 50000 and arrears is false then approved``, ``no applicant with income > 50000 is declined``, ``approved
never falls as income rises``, ``region alone never decides``, ``region and sex alone never decide``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from idnf.auditing.conditions import Condition, ConditionError, Reader, columns_needed, condition_boxes, parse_condition
from idnf.auditing.example_rows import plain_rows, row_lines, row_values, row_words
from idnf.auditing.invariance import first_refutation, invariance_claims, refutation, rows_refuting
from idnf.auditing.table_models import TableModel
from idnf.columns.phrases import brief
from idnf.columns.predicates import Value
from idnf.columns.refinement import common_ground
from idnf.logic.boxes import Box, Point, contains
from idnf.proving.independent_check import CheckError, Claim, refuted
from idnf.tables.binariser import declared_binariser

_FORMS = (
    '"if ... then LABEL", "no row with ... is LABEL", "LABEL never falls as COLUMN rises" '
    'or "COLUMN alone never decides"'
)


@dataclass(frozen=True)
class Rule:
    """A rule as it is written."""

    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class RegionRule(Rule):
    """Rows that meet a condition get, or do not get, a class.

    Parameters
    ----------
    condition : Condition
    label : str
        The class as it is written.
    wanted : bool
        Whether the class must be given, rather than must not.
    """

    condition: Condition
    label: str
    wanted: bool


@dataclass(frozen=True)
class MonotoneRule(Rule):
    """A class never falls, or never rises, as a column rises, all else equal."""

    label: str
    column: str
    rising: bool


@dataclass(frozen=True)
class InvarianceRule(Rule):
    """Some columns alone never decide."""

    columns: tuple[str, ...]


def read_rules(given: str | Iterable[str]) -> list[Rule]:
    r"""Read rules, one per line; lines that begin with # are remarks.

    >>> [type(rule).__name__ for rule in read_rules("if age < 18 then declined\n# law\nsex alone never decides")]
    ['RegionRule', 'InvarianceRule']
    """
    lines = given.splitlines() if isinstance(given, str) else [str(line) for line in given]
    texts = [line.strip().rstrip(".;") for line in lines]
    rules = [read_rule(text) for text in texts if text and not text.startswith("#")]
    if not rules:
        raise ConditionError("rules must hold at least one rule; got none.")
    return rules


def read_rule(text: str) -> Rule:
    """Read one rule.

    >>> read_rule("approved never falls as income rises")
    MonotoneRule(text='approved never falls as income rises', label='approved', column='income', rising=True)
    """
    reader = Reader(text)
    tokens = reader.tokens
    keys = [token.key for token in tokens]
    if reader.take("if"):
        condition = reader.condition()
        reader.expect("then")
        negated = reader.take("not", "never")
        label = reader.word("a class")
        reader.expect_end()
        return RegionRule(text, condition, label, not negated)
    if keys[:1] == ["no"] and "with" in keys[:-3] and keys[-2] == "is":
        first, last = tokens[keys.index("with") + 1], tokens[-2]
        return RegionRule(text, parse_condition(text[first.start : last.start]), tokens[-1].text, wanted=False)
    if len(tokens) == 6 and (keys[1], keys[3]) == ("never", "as") and {keys[2], keys[5]} <= {"falls", "rises"}:
        return MonotoneRule(text, tokens[0].text, tokens[4].text, rising=keys[2] != keys[5])
    if keys[-3:-1] == ["alone", "never"] and keys[-1] in ("decides", "decide"):
        names = tuple(token.text for token in tokens[:-3] if token.key not in ("and", ","))
        if names:
            return InvarianceRule(text, names)
    raise ConditionError(f"a rule must read {_FORMS}; got {brief(text, 200)}.")


@dataclass(frozen=True)
class RuleAnswer:
    """Whether a rule holds for a model.

    Attributes
    ----------
    rule : Rule
    holds : bool
        True is a proof over all values, which `check` makes again by other means.
    witness : tuple of dict
        Where the rule fails: one row, or two that differ in the columns the rule is about.
    labels : tuple of object
        The classes the model gives to the witness.
    rows : int or None
        How many rows of the table break the rule; for a rule about two rows, how many have such a partner.
    columns : tuple of str
        The columns of the witness that matter: whatever the others are, the rule fails.
    """

    rule: Rule
    holds: bool
    witness: tuple[dict[str, Value], ...]
    labels: tuple[object, ...]
    rows: int | None
    claims: tuple[Claim, ...]
    columns: tuple[str, ...] = ()

    def check(self) -> str:
        """Prove again, from the boxes alone, that the rule holds or fails.

        Raises
        ------
        CheckError
            When the answer is wrong.
        """
        found, method = refuted(*self.claims)
        if found == self.holds:
            raise CheckError(f"the rule {self.rule.text!r} must {'hold' if self.holds else 'fail'}; it does not.")
        return f"{'proved' if self.holds else 'refuted'} by {method}"

    def __str__(self) -> str:
        count = "" if self.rows is None else f" Rows of the table that break it: {self.rows}."
        if self.holds:
            return f"Proved: {self.rule}."
        shown = [{name: value for name, value in row.items() if name in self.columns} for row in self.witness]
        more = len(self.witness[0]) - len(shown[0])
        others = f"the other {more} columns hold" if more > 1 else "the other column holds"
        rest = [f"  (whatever {others})"] if more else []
        return "\n".join([f"Refuted: {self.rule}.{count}", *row_lines(self.labels, shown), *rest])

    def to_dict(self) -> dict[str, object]:
        """Return the answer as plain data; dates as they are written."""
        rows = plain_rows(self.labels, self.witness)
        return {"rule": self.rule.text, "holds": self.holds, "witness": rows, "rows": self.rows}


def check_rules_of(model: TableModel, given: str | Iterable[str], X: object = None) -> list[RuleAnswer]:
    """Prove or refute each rule of a model, over all values."""
    rules = read_rules(given)
    known = {column.name: column for column in model.columns}
    conditions = [rule.condition for rule in rules if isinstance(rule, RegionRule)]
    ground, _ = common_ground([model.columns, columns_needed(conditions, known)])
    over = model.over(ground)
    refuse_contradictions(rules, over)
    cells = None if X is None else declared_binariser(ground).cells(X)
    return [_answer(rule, over, cells) for rule in rules]


def _answer(rule: Rule, model: TableModel, cells: NDArray[np.integer] | None) -> RuleAnswer:
    claims = rule_claims(rule, model)
    pair = first_refutation(claims)
    points = () if pair is None else pair[:1] if isinstance(rule, RegionRule) else pair
    return RuleAnswer(
        rule,
        pair is None,
        *model.shown_at(points),
        rows=None if cells is None else int(rows_refuting(claims, cells).sum()),
        claims=tuple(claims),
        columns=() if pair is None else _columns_that_matter(model, claims, pair),
    )


def _columns_that_matter(model: TableModel, claims: Iterable[Claim], pair: tuple[Point, Point]) -> tuple[str, ...]:
    """Return the columns by which two points refute a claim: those that a box around each of them restricts."""
    held = (
        set(claim.free) | restricted
        for claim in claims
        for one in claim.firsts
        if contains(one, pair[0])
        for other in claim.seconds
        if contains(other, pair[1])
        for restricted in [{*model.sides.space.constrained(one), *model.sides.space.constrained(other)}]
    )
    few = min(held, key=lambda columns: (len(columns), sorted(columns)))
    return tuple(name for j in sorted(few) for name in model.columns[j].sources)


def rule_claims(rule: Rule, model: TableModel) -> list[Claim]:
    """Return the claims that together say that a rule holds for a model."""
    sizes = [len(column.labels) for column in model.columns]
    if isinstance(rule, RegionRule):
        return [Claim(sizes, region_of(rule, model), _boxes(model, rule, wanted=not rule.wanted))]
    if isinstance(rule, MonotoneRule):
        place = _place(model, rule, rule.column)
        if not model.columns[place].ordered:
            raise ConditionError(f"{rule.text!r} must name a column with an order; got {rule.column!r}.")
        lower, higher = (_boxes(model, rule, wanted=wanted) for wanted in (rule.rising, not rule.rising))
        return [Claim(sizes, lower, higher, {place}, (place, len(model.columns[place].known_labels)))]
    assert isinstance(rule, InvarianceRule), "there are no other kinds of rules"
    return invariance_claims(model.sides, {_place(model, rule, name) for name in rule.columns})


def region_of(rule: RegionRule, model: TableModel) -> list[Box]:
    """Return the rows that a rule is about, as boxes; refuse a rule that is about none."""
    region = condition_boxes(rule.condition, model.columns)
    if not region:
        raise ConditionError(f"{rule.text!r} contradicts itself: no row can meet its conditions.")
    return region


def _boxes(model: TableModel, rule: RegionRule | MonotoneRule, *, wanted: bool) -> list[Box]:
    """Return the boxes of the class that a rule names, or those of all others."""
    label = label_index(model, rule.label)
    return [box for c, boxes in enumerate(model.boxes) if (c == label) == wanted for box in boxes]


def label_index(model: TableModel, text: str) -> int:
    """Return the class that is written so."""
    for c, label in enumerate(model.classes):
        if str(label).casefold() == text.casefold():
            return c
    raise ConditionError(f"a rule must name a class ({', '.join(map(str, model.classes))}); got {brief(text, 200)}.")


def _place(model: TableModel, rule: Rule, name: str) -> int:
    names = [column.name for column in model.columns]
    if name not in names:
        raise ConditionError(f"{rule.text!r} must name columns of the model ({', '.join(names)}); got {name!r}.")
    return names.index(name)


def refuse_contradictions(rules: Sequence[Rule], model: TableModel) -> None:
    """Refuse two rules that want different things of one row."""
    regions = [(rule, region_of(rule, model)) for rule in rules if isinstance(rule, RegionRule)]
    sizes = [len(column.labels) for column in model.columns]
    for (first, one), (second, other) in combinations(regions, 2):
        if not _permits(first, model) & _permits(second, model):
            shared = refutation(Claim(sizes, one, other))
            if shared is not None:
                row = row_words(row_values(model.columns, shared[0]))
                raise ConditionError(f"{first.text!r} and {second.text!r} contradict each other at {row}.")


def _permits(rule: RegionRule, model: TableModel) -> set[int]:
    label = label_index(model, rule.label)
    return {label} if rule.wanted else set(range(len(model.classes))) - {label}
