"""Other people's rules (a rule list, SQL-like text, a scikit-learn tree or forest) as boxes over columns.

For each class the number of columns its reasons need (its true k), rules that overlap, rows that no rule is about,
rules that never decide, conditions that can be dropped, and the same function as a model.

Rules are read as boxes in an order: the first that a row meets gives its class. The leaves of a tree and the joint
leaves of a forest exclude each other, so their order says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from pathlib import Path
from typing import Literal

import numpy as np

from idnf.auditing.derived_columns import Derivation, parts_of, possible_point
from idnf.auditing.differences import meeting
from idnf.auditing.example_rows import row_words
from idnf.auditing.patching import OutOfReach, TooManyPieces, columns_needed_by, uncovered_pieces
from idnf.auditing.policy_rows import policy_row
from idnf.auditing.policy_tables import HitPolicy
from idnf.auditing.table_models import TableModel
from idnf.columns.column import TableColumn, box_text
from idnf.columns.groups import Declared, declared_columns
from idnf.columns.predicates import Value
from idnf.explaining.wording import label_words
from idnf.logic.boxes import Box, Point, in_conflict, intersection
from idnf.logic.errors import InvalidArgument
from idnf.logic.primes import TooManyBoxes
from idnf.proving.independent_check import check_classes


@dataclass(frozen=True)
class GivenRule:
    """A rule: its boxes over the columns of the rule set, its class, and how it is written."""

    boxes: tuple[Box, ...]
    label: object
    text: str


@dataclass(frozen=True)
class RuleSet:
    """Rules over columns, in order, and what they amount to over all values.

    Attributes
    ----------
    columns : tuple of TableColumn
    rules : tuple of GivenRule
        Each with its ``label`` and its ``text``.
    otherwise : object
        The class of rows that meet no rule; None if nothing is said about them.
    hit : {"first", "unique", "any", "disjoint"}
        Whether the first rule that holds decides, no row may meet two, rules that a row meets must agree, or no row is
        known to meet two.
    domain : Box, optional
        The cells of each column whose values are allowed, all by default; rules do not tell others from these.
    """

    columns: tuple[TableColumn, ...]
    rules: tuple[GivenRule, ...]
    otherwise: object = None
    hit: HitPolicy | Literal["disjoint"] = "first"
    domain: Box | None = None

    @classmethod
    def read(
        cls,
        tree_or_rules: object,
        *,
        names: Sequence[str] | None = None,
        columns: Declared | Sequence[TableColumn] | None = None,
        table: str | None = None,
    ) -> RuleSet:
        r"""Read rules, or the leaves of a fitted scikit-learn tree or forest, as boxes.

        Parameters
        ----------
        tree_or_rules : str, path, sequence, DecisionTreeClassifier or RandomForestClassifier
            A file of decision tables (``.dmn``, ``.xlsx``, ``.csv``); text of ``if ... then ...`` lines or SQL's
            ``CASE WHEN``; pairs of a condition and a class, and last the class of all other rows; or a fitted
            scikit-learn tree, or a forest of few trees.
        names : sequence of str, optional
            The columns of a tree that was fitted without names.
        columns : dict or sequence of TableColumn, optional
            What the columns of rules hold, as in :meth:`DNFClassifier.from_dnf`; read off the conditions if not given.
        table : str, optional
            The decision or the sheet of a file that has several.

        Examples
        --------
        >>> rules = RuleSet.read("if age < 18 then no\notherwise yes")
        >>> [rule.text for rule in rules.rules], rules.otherwise, rules.sizes
        (['age < 18 then no'], 'yes', {'no': 1, 'yes': 1})
        """
        from idnf.auditing.policy_rules import is_policy_file, read_policy
        from idnf.auditing.rule_readers import read_rule_set, read_tree

        if isinstance(tree_or_rules, (str, Path)) and is_policy_file(tree_or_rules):
            return read_policy(tree_or_rules, table)
        if isinstance(tree_or_rules, (str, Sequence)):
            declared = declared_columns(columns) if isinstance(columns, Mapping) else tuple(columns or ())
            return read_rule_set(tree_or_rules, declared)
        from sklearn.base import ClassifierMixin
        from sklearn.utils.validation import check_is_fitted

        if isinstance(tree_or_rules, ClassifierMixin):
            check_is_fitted(tree_or_rules)
            given = names if names is not None else getattr(tree_or_rules, "feature_names_in_", None)
            count = tree_or_rules.n_features_in_
            known = [f"x{j}" for j in range(count)] if given is None else [str(name) for name in given]
            if len(known) != count:
                raise InvalidArgument("names", f"have {count} entries, one per column", len(known))
            return read_tree(tree_or_rules, known)
        kind = type(tree_or_rules).__name__
        raise TypeError(f"tree_or_rules must be text, pairs, or a fitted tree or forest; got {kind}.")

    @cached_property
    def regions(self) -> list[list[Box]]:
        """For each rule the rows that it decides; if the first decides, without those of earlier ones and disjoint."""
        if self.hit != "first":
            return [list(rule.boxes) for rule in self.rules]
        regions = []
        earlier: list[Box] = []
        for rule in self.rules:
            disjoint = _disjoint(rule.boxes)
            regions.append(uncovered_pieces(disjoint, earlier))
            earlier += rule.boxes
        return regions

    @cached_property
    def unspoken(self) -> list[Box]:
        """The rows that no rule is about, as disjoint boxes."""
        full = tuple(column.full for column in self.columns)
        return uncovered_pieces([full], [box for rule in self.rules for box in rule.boxes])

    @cached_property
    def _gaps(self) -> list[tuple[Box, Point]]:
        """The boxes without a class that some row can lie in, each with a point that shows it."""
        if self.otherwise is not None:
            return []
        found = ((box, self._possible(box)) for box in self.unspoken)
        return [(box, point) for box, point in found if point is not None]

    @property
    def gaps(self) -> list[str]:
        """The rows that get no class, in words; none if a rule covers all other rows."""
        return [box_text(self.columns, box) for box, _ in self._gaps]

    @property
    def gap_rows(self) -> list[dict[str, Value]]:
        """For each of the gaps a row in it."""
        return [self._row(point) for _, point in self._gaps]

    @cached_property
    def meetings(self) -> list[tuple[int, int, dict[str, Value]]]:
        """The pairs of rules that some row meets both of, by their places, with that row; in a tree there are none."""
        if self.hit == "disjoint":
            return []
        owner = [place for place, rule in enumerate(self.rules) for _ in rule.boxes]
        boxes = [box for rule in self.rules for box in rule.boxes]
        found: dict[tuple[int, int], Point] = {}
        for i, j in zip(*np.nonzero(np.triu(meeting(boxes, boxes), 1))):
            pair = owner[i], owner[j]
            if pair[0] != pair[1] and pair not in found:
                shared = intersection(boxes[i], boxes[j])
                assert shared is not None, "boxes that meet share a point"
                point = self._possible(shared)
                if point is not None:
                    found[pair] = point
        return [(*pair, self._row(point)) for pair, point in sorted(found.items())]

    @property
    def contradictions(self) -> list[tuple[int, int, dict[str, Value]]]:
        """The pairs of rules of different classes that some row meets both of; none if the first one decides."""
        if self.hit == "first":
            return []
        return [one for one in self.meetings if self.rules[one[0]].label != self.rules[one[1]].label]

    def decides(self, place: int) -> bool:
        """Return whether a rule decides any row, or earlier ones take all of its rows."""
        return any(self._possible(box) is not None for box in self.regions[place])

    @property
    def _domain(self) -> Box:
        return self.domain or tuple(column.full for column in self.columns)

    @cached_property
    def is_derived(self) -> bool:
        """Whether some column is made of two others, so that the columns needed are counted from above."""
        return any(Derivation.of(column.name) is not None for column in self.columns)

    def _possible(self, box: Box) -> Point | None:
        """Return a point of a box that a row can lie on; None if derived columns bar them all."""
        if self.is_derived:
            return possible_point(self.columns, self._domain, box)
        inside = (mask & allowed or mask for mask, allowed in zip(box, self._domain, strict=True))
        return tuple((mask & -mask).bit_length() - 1 for mask in inside)

    def _row(self, point: Point) -> dict[str, Value]:
        return policy_row(self.columns, self._domain, point)

    def spare(self, place: int) -> list[tuple[str, str]]:
        """Return what can be dropped from a rule, one at a time, without changing a decision: the rule, a condition."""
        rule, found = self.rules[place], []
        for box in rule.boxes:
            words = f"{box_text(self.columns, box)} then {label_words(rule.label)}"
            for j, column in enumerate(self.columns):
                found += [
                    (words, column.words(dropped))
                    for wider, dropped in _weaker(column, box[j])
                    if not self._matters(place, (*box[:j], wider, *box[j + 1 :]))
                ]
        return found

    def _matters(self, place: int, wider: Box) -> bool:
        """Return whether a rule with a wider condition would change a decision: it takes rows from later rules only."""
        label = self.rules[place].label
        others = enumerate(zip(self.rules, self.regions, strict=True))
        taken = [
            box
            for i, (rule, region) in others
            if rule.label != label and (i > place or self.hit != "first")
            for box in region
        ]
        if self.otherwise != label:
            taken += self.unspoken
        return not all(in_conflict(wider, box) for box in taken)

    @property
    def fault(self) -> str | None:
        """What rules must do to be a model, and how they fail to; None if they are one."""
        if self.is_derived:
            made = next(column.name for column in self.columns if Derivation.of(column.name) is not None)
            return f"look at columns of the table alone to be a model; {made!r} is made of two"
        if self.contradictions:
            i, j, row = self.contradictions[0]
            pair = f"{self.rules[i].text!r} and {self.rules[j].text!r}"
            return f"not contradict each other; {pair} do for {row_words(row)}"
        return f"give every row a class; none is given if {self.gaps[0]}" if self.gaps else None

    @cached_property
    def function(self) -> TableModel | None:
        """The rules as a model: the boxes of each class; None if some rows get no class, or two."""
        return None if self.contradictions or (self.unspoken and self.otherwise is None) else self._outcomes

    @cached_property
    def _outcomes(self) -> TableModel:
        """The boxes of each class and, last, those of rows that get no class or several, if there are any."""
        boxes: dict[object, list[Box]] = {}
        for rule, region in zip(self.rules, self.regions, strict=True):
            boxes.setdefault(rule.label, []).extend(region)
        if self.unspoken and self.otherwise is not None:
            boxes.setdefault(self.otherwise, []).extend(self.unspoken)
        torn = [
            both
            for ones, others in (combinations(boxes.values(), 2) if self.hit in ("unique", "any") else ())
            for a, b in product(ones, others)
            if (both := intersection(a, b)) is not None
        ]
        if torn:
            boxes = {label: uncovered_pieces(_disjoint(tuple(own)), torn) for label, own in boxes.items()}
        labels = sorted((label for label in boxes if boxes[label]), key=str)
        nothing = [*torn, *(self.unspoken if self.otherwise is None else [])]
        kept = [*(tuple(boxes[label]) for label in labels), *([tuple(nothing)] if nothing else [])]
        return TableModel(self.columns, (*labels, *([None] if nothing else [])), tuple(kept), len(self.columns))

    @cached_property
    def _needs(self) -> dict[object, tuple[int, Point | None]]:
        """For each class the number of columns that its reasons need, and a point that needs that many."""
        parts = [frozenset(parts_of(column.name)) for column in self.columns] if self.is_derived else None
        labels = enumerate(self._outcomes.classes)
        sides = self._outcomes.sides
        return {label: columns_needed_by(sides, c, parts) for c, label in labels if label is not None}

    @property
    def unsettled(self) -> str | None:
        """Why it is not known how many columns the reasons of each class need; None if it is."""
        try:
            return None if self._needs else "no row gets a class"
        except (TooManyBoxes, TooManyPieces) as error:
            return str(error)

    @property
    def sizes(self) -> dict[object, int]:
        """For each class the number of columns that its reasons need: the true k."""
        return {} if self.unsettled else {label: size for label, (size, _) in self._needs.items()}

    @property
    def k(self) -> int | None:
        """The number of columns that the reasons of all classes need; None if some rows get no class, or two."""
        return max(self.sizes.values()) if self.sizes and self.function is not None else None

    def hardest(self) -> dict[object, dict[str, Value]]:
        """Return for each class a row whose reason needs as many columns as any."""
        needs = {} if self.unsettled else self._needs
        return {label: self._row(point) for label, (_, point) in needs.items() if point is not None}

    def check(self) -> str:
        """Prove again, from the boxes alone, that the classes exclude each other, leave no gap and need their columns.

        Raises
        ------
        CheckError
            Names what does not hold.
        """
        sizes = [len(column.labels) for column in self.columns]
        if self.function is None:
            return "some rows get no class, or two"
        method = check_classes(sizes, self.function.boxes).method
        for c, (size, point) in enumerate(self._needs.values()):
            if size and point is not None and not self.is_derived:
                OutOfReach(point, self.function.boxes[c], self.function.sides.opposite(c), size - 1).check()
        return f"every row has exactly one class, proved by {method}"


def _weaker(column: TableColumn, mask: int) -> Iterator[tuple[int, int]]:
    """Yield weaker conditions on a column, and what is dropped for each: all, or one end of an interval."""
    if mask == column.full:
        return
    yield column.full, mask
    known, missing = mask & column.known_mask, mask & column.missing_mask
    if column.ordered and known:
        below, above = (known & -known) - 1, column.known_mask & ~((1 << known.bit_length()) - 1)
        if below and above:
            yield mask | above, column.known_mask & ~above | missing
            yield mask | below, column.known_mask & ~below | missing


def _disjoint(boxes: tuple[Box, ...]) -> list[Box]:
    pieces: list[Box] = []
    for box in boxes:
        pieces += uncovered_pieces([box], pieces)
    return pieces
