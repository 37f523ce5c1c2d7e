"""An audit of other people's rules: how far they are from a model whose every decision has a short reason.

For each class the number of columns its reasons need (its true k), rules that overlap, rows that no rule is about,
rules that never decide, conditions that can be dropped, and the same function as a model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from idnf import DNFClassifier
from idnf.auditing import RuleSet
from idnf.reporting import label_words


@dataclass(frozen=True)
class Overlap:
    """Two rules that some row meets both of."""

    first: str
    second: str
    conflict: bool
    row: Mapping[str, object]

    def __str__(self) -> str:
        return f"{self.first} / {self.second}" + (
            " (different classes: the first one decides)" if self.conflict else ""
        )


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

    @cached_property
    def overlaps(self) -> list[Overlap]:
        """The pairs of rules that some row meets both of; in a tree there are none."""
        found = []
        for (i, one), (j, other) in combinations(enumerate(self.rules.rules), 2):
            row = self.rules.shared_row(i, j)
            if row is not None:
                found.append(Overlap(one.text, other.text, one.label != other.label, row))
        return found

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

    def to_text(self) -> str:
        """Return the audit in words."""
        lines = [f"{len(self.rules.rules)} rules over {len(self.rules.columns)} columns."]
        for label, size in self.sizes.items():
            whole = "both" if size == 2 else f"all {size}"
            most = "1 column" if size == 1 else f"{size} columns; some need {whole}"
            lines.append(f"Every {label_words(label)} can be explained by at most {most}.")
        findings: dict[str, Sequence[object]] = {
            "Rows that get no class": self.gaps,
            "Overlaps": self.overlaps,
            "Rules that never decide": self.idle,
            "Conditions that can be dropped": self.spare,
        }
        for title, found in findings.items():
            lines += [f"{title}: {len(found) or 'none'}.", *(f"- {item}" for item in found[:20])]
        return "\n".join(lines)

    __str__ = to_text

    def to_dict(self) -> dict[str, object]:
        """Return the audit as plain data."""
        return {
            "rules": len(self.rules.rules),
            "k": self.k,
            "sizes": {str(label): size for label, size in self.sizes.items()},
            "gaps": self.gaps,
            "overlaps": [{"first": o.first, "second": o.second, "conflict": o.conflict} for o in self.overlaps],
            "idle": self.idle,
            "spare": [{"rule": spare.rule, "condition": spare.condition} for spare in self.spare],
        }


def audit(
    tree_or_rules: object,
    *,
    names: Sequence[str] | None = None,
    columns: Mapping[str, Any] | Sequence[Any] | None = None,
) -> RulesAudit:
    r"""Report what other people's rules amount to.

    Parameters
    ----------
    tree_or_rules : str, sequence, DecisionTreeClassifier or RandomForestClassifier
        Text of ``if ... then ...`` lines or SQL's ``CASE WHEN``; pairs of a condition and a class, and last the class
        of all other rows; or a fitted scikit-learn tree, or a forest of few trees.
    names : sequence of str, optional
        The columns of a tree that was fitted without names.
    columns : dict or sequence of TableColumn, optional
        What the columns of rules hold, as in :meth:`DNFClassifier.from_dnf`; read off the conditions if not given.

    Returns
    -------
    RulesAudit
        ``.sizes`` and ``.k``, ``.gaps``, ``.overlaps``, ``.idle``, ``.spare``, and ``.to_classifier()``.

    Examples
    --------
    >>> print(audit("if age < 18 then no\nif age < 12 and member then no\notherwise yes"))
    2 rules over 2 columns.
    Every no can be explained by at most 1 column.
    Every yes can be explained by at most 1 column.
    Rows that get no class: none.
    Overlaps: 1.
    - age < 18 then no / age < 12 and member then no
    Rules that never decide: 1.
    - age < 12 and member then no
    Conditions that can be dropped: 1.
    - member is true in age < 12 and member is true then no
    """
    return RulesAudit(RuleSet.read(tree_or_rules, names=names, columns=columns))
