"""An audit of other people's rules: how far they are from a model whose every decision has a short reason.

For each class the number of columns its reasons need (its true k), rules that overlap, rows that no rule is about,
rules that never decide, conditions that can be dropped, and the same function as a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from numpy.typing import ArrayLike

from idnf import DNFClassifier
from idnf.auditing import RuleSet, row_words
from idnf.governance.nearest_policies import PolicyWithin, nearest_policy
from idnf.reporting import label_words

_SHOWN = 20
"""Findings of a kind that are listed in words."""


@dataclass(frozen=True)
class Overlap:
    """Two rules that some row meets both of.

    Attributes
    ----------
    first, second : str
    conflict : bool
        Whether they give different classes.
    row : mapping of str to value
        A row that meets both.
    decided : bool
        Whether the first rule that holds decides, so that a conflict is no contradiction.
    """

    first: str
    second: str
    conflict: bool
    row: Mapping[str, object]
    decided: bool = True

    def __str__(self) -> str:
        both = f"{self.first} / {self.second}"
        if self.decided:
            return both + (" (different classes: the first one decides)" if self.conflict else "")
        return f"{both}, for example {row_words(self.row)}"


@dataclass(frozen=True)
class Spare:
    """A condition that can be dropped from a rule without changing any decision."""

    rule: str
    condition: str

    def __str__(self) -> str:
        return f"{self.condition} in {self.rule}"


@dataclass(frozen=True)
class RulesAudit:
    """What rules amount to; :meth:`to_classifier` gives the same function as a model.

    Attributes
    ----------
    rules : RuleSet
    """

    rules: RuleSet

    @property
    def gaps(self) -> list[str]:
        """The rows that get no class, in words; none if a rule covers all other rows."""
        return self.rules.gaps

    @property
    def gap_rows(self) -> list[Mapping[str, object]]:
        """For each of the gaps a row in it."""
        return list(self.rules.gap_rows)

    @cached_property
    def overlaps(self) -> list[Overlap]:
        """The pairs of rules that some row meets both of; in a tree there are none."""
        rules, decided = self.rules.rules, self.rules.hit == "first"
        return [
            Overlap(rules[i].text, rules[j].text, rules[i].label != rules[j].label, row, decided)
            for i, j, row in self.rules.meetings
        ]

    @property
    def contradictions(self) -> list[Overlap]:
        """The pairs of rules of different classes that some row meets both of; none if the first one decides."""
        return [one for one in self.overlaps if one.conflict and not one.decided]

    @property
    def idle(self) -> list[str]:
        """The rules that never decide: earlier ones take all their rows."""
        return [rule.text for place, rule in enumerate(self.rules.rules) if not self.rules.decides(place)]

    @cached_property
    def spare(self) -> list[Spare]:
        """The conditions that can be dropped, one at a time, without changing any decision."""
        return [Spare(*pair) for place in range(len(self.rules.rules)) for pair in self.rules.spare(place)]

    @property
    def sizes(self) -> Mapping[object, int]:
        """For each class the number of columns that its reasons need: the true k."""
        return self.rules.sizes

    @property
    def k(self) -> int | None:
        """The number of columns that the reasons of all classes need; None if some rows get no class."""
        return self.rules.k

    def hardest(self) -> Mapping[object, Mapping[str, object]]:
        """Return for each class a row whose reason needs as many columns as any."""
        return self.rules.hardest()

    def check(self) -> str:
        """Prove again, from the boxes alone, that the classes exclude each other, leave no gap and need their columns.

        Raises
        ------
        CheckError
            Names what does not hold.
        """
        return self.rules.check()

    def to_classifier(self, k: int | None = None) -> DNFClassifier:
        """Return the same function as a verified model: :meth:`idnf.DNFClassifier.from_rules`."""
        return DNFClassifier.from_rules(self.rules, k=k)

    def within(
        self, k: int, X: object, y: ArrayLike | None = None, learner: Literal["search", "exact"] = "search"
    ) -> PolicyWithin:
        r"""Return the policy of at most k columns a decision that differs on the fewest rows of a table.

        Parameters
        ----------
        k : int
        X : table of shape (n_samples, n_features)
            Of pandas or polars, with the columns of the rules.
        y : array-like of shape (n_samples,), optional
            True labels: the policy that errs least on them is then sought.
        learner : {"search", "exact"}
            "exact" proves how few rows can differ if the bound is reached (``.model.optimal_``).

        Returns
        -------
        PolicyWithin
            ``.model``, for exports, records and pages as any other; ``.changes``, a proved difference; ``.changed``.

        Examples
        --------
        >>> import pandas as pd
        >>> rules = audit("if debt > 9 and income < 20 and late then no\notherwise yes")
        >>> X = pd.DataFrame({"debt": [4, 11, 12, 13], "income": [30, 10, 15, 30], "late": [False, True, True, False]})
        >>> found = rules.within(1, X)
        >>> found.model.fitted_.k, found.changed
        (1, 0.0)
        """
        return nearest_policy(self.to_classifier(), k, X, y, learner)

    def to_text(self) -> str:
        """Return the audit in words: contradictions and gaps first, then what outcomes need, then the rest."""
        named = self.rules.hit in ("unique", "any")
        hit = f", hit policy {self.rules.hit.upper()}" if named else ""
        lines = [f"{len(self.rules.rules)} rules over {len(self.rules.columns)} columns{hit}."]
        if named:
            lines += _listed("Contradictions between outcomes", self.contradictions)
        gaps = zip(self.gaps, self.gap_rows, strict=True)
        lines += _listed("Rows that get no class", [f"{gap}, for example {row_words(row)}" for gap, row in gaps])
        lines += _listed("Rules that never decide", self.idle)
        lines += self._need_lines()
        title = "Overlaps of one outcome, though only one rule may hold" if self.rules.hit == "unique" else "Overlaps"
        lines += _listed(title, [one for one in self.overlaps if one.decided or not one.conflict])
        return "\n".join([*lines, *_listed("Conditions that can be dropped", self.spare)])

    __str__ = to_text

    def _need_lines(self) -> list[str]:
        """Return for each class how many columns its reasons need, and a row that needs as many."""
        if self.rules.unsettled is not None:
            return [f"How many columns each outcome needs is not settled: {self.rules.unsettled}."]
        lines, hardest = [], self.hardest()
        for label, size in self.sizes.items():
            most = "1 column" if size == 1 else f"{size} columns"
            whole = "both" if size == 2 else f"all {size}"
            row = f", as for {row_words(hardest[label])}" if label in hardest else ""
            needs = f"; some need {whole}{row}" if size > 1 and not self.rules.is_derived else ""
            lines.append(f"Every {label_words(label)} can be explained by at most {most}{needs}.")
        return lines

    def to_dict(self) -> dict[str, object]:
        """Return the audit as plain data."""
        return {
            "rules": len(self.rules.rules),
            "hit": self.rules.hit,
            "contradictions": [_plain_overlap(one) for one in self.contradictions],
            "gaps": self.gaps,
            "gap_rows": [_plain_row(row) for row in self.gap_rows],
            "idle": self.idle,
            "k": self.k,
            "sizes": {str(label): size for label, size in self.sizes.items()},
            "overlaps": [_plain_overlap(one) for one in self.overlaps],
            "spare": [{"rule": spare.rule, "condition": spare.condition} for spare in self.spare],
        }


def _plain_overlap(one: Overlap) -> dict[str, object]:
    return {"first": one.first, "second": one.second, "conflict": one.conflict, "row": _plain_row(one.row)}


def _plain_row(row: Mapping[str, object]) -> dict[str, object]:
    """Return a row as JSON can hold it: dates as they are written."""
    return {name: v if v is None or isinstance(v, (str, int, float)) else str(v) for name, v in row.items()}


def _listed(title: str, found: Sequence[object]) -> list[str]:
    return [f"{title}: {len(found) or 'none'}.", *(f"- {item}" for item in found[:_SHOWN])]


def audit(
    tree_or_rules: object,
    *,
    names: Sequence[str] | None = None,
    columns: Mapping[str, Any] | Sequence[Any] | None = None,
    table: str | None = None,
) -> RulesAudit:
    r"""Report what other people's rules amount to.

    Parameters
    ----------
    tree_or_rules : str, path, sequence, DecisionTreeClassifier or RandomForestClassifier
        A file of decision tables: DMN (``.dmn``), an Excel workbook (``.xlsx``) or separated text (``.csv``). Or text
        of ``if ... then ...`` lines or SQL's ``CASE WHEN``; pairs of a condition and a class, and last the class of all
        other rows; or a fitted scikit-learn tree, or a forest of few trees.
    names : sequence of str, optional
        The columns of a tree that was fitted without names.
    columns : dict or sequence of TableColumn, optional
        What the columns of rules hold, as in :meth:`DNFClassifier.from_dnf`; read off the conditions if not given.
    table : str, optional
        The decision or the sheet of a file that has several.

    Returns
    -------
    RulesAudit
        ``.contradictions``, ``.gaps``, ``.idle``, ``.sizes`` and ``.k``, ``.overlaps``, ``.spare``, and
        ``.to_classifier()``.

    Examples
    --------
    >>> print(audit("if age < 18 then no\nif age < 12 and member then no\notherwise yes"))
    2 rules over 2 columns.
    Rows that get no class: none.
    Rules that never decide: 1.
    - age < 12 and member then no
    Every no can be explained by at most 1 column.
    Every yes can be explained by at most 1 column.
    Overlaps: 1.
    - age < 18 then no / age < 12 and member then no
    Conditions that can be dropped: 1.
    - member is true in age < 12 and member is true then no
    """
    return RulesAudit(RuleSet.read(tree_or_rules, names=names, columns=columns, table=table))
