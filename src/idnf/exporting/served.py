"""Decisions as services give them: the label with its reason and what would change it, as plain data."""

from __future__ import annotations

from typing import TypedDict

from idnf.classifier.estimator import DNFClassifier
from idnf.explaining.explanation import condition_text


class Decision(TypedDict):
    """One decision: the label, its reason in words, the reason's number and conditions, and the nearest change."""

    label: object
    reason: str
    reason_id: str | None
    conditions: list[str]
    change: list[str]
    text: str


def decisions(clf: DNFClassifier, X: object) -> list[Decision]:
    """Return the decision for each row of a table.

    >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
    >>> import pandas as pd
    >>> decisions(policy, pd.DataFrame({"late": [False], "owner": [True], "member": [False]}))[0]["reason"]
    'late is false and member is false'
    """
    return [
        Decision(
            label=one.label,
            reason=condition_text(one.axp) or "always",
            reason_id=one.reason,
            conditions=[condition.words for condition in one.axp],
            change=[condition.words for condition in one.cxp],
            text=one.to_text(),
        )
        for one in clf.explain(X)
    ]
