"""What part each column plays in the decisions on some rows: what a report says to auditors."""

from __future__ import annotations

from dataclasses import dataclass

from idnf.classifier.estimator import DNFClassifier


@dataclass(frozen=True)
class ColumnRole:
    """The part of one column.

    Attributes
    ----------
    column : str
    necessary, relevant : float
        The share of rows with the column in every reason, and in some reason.
    share : float
        The mean share of a row's reasons that the column is in.
    decides : bool
        Whether the column alone can change a decision, over all values; False is a proof that it cannot.
    """

    column: str
    necessary: float
    relevant: float
    share: float
    decides: bool


def column_roles(classifier: DNFClassifier, X: object) -> list[ColumnRole]:
    """Return the part of each column that the model looks at, the largest share first.

    >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
    >>> [(role.column, role.necessary) for role in column_roles(policy, [[1, 0, 0], [0, 1, 1]])]
    [('late', 0.5), ('owner', 0.5), ('member', 0.5)]
    """
    parts = classifier.relevance(X).shares()
    means = classifier.attribution(X).mean
    columns = classifier.fitted_.columns
    names = [columns[j].name for j in classifier.fitted_.used]
    roles = [ColumnRole(name, *parts[name], means[name], classifier.can_decide(name).answer) for name in names]
    return sorted(roles, key=lambda role: -role.share)
