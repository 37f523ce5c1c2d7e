"""Rules and models: other people's rules audited and made a classifier, and the nearest model that obeys rules.

The nearest model is a patch where short reasons allow it, else found by a search under the rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from idnf.auditing.rule_audits import Audit, read_rule_set, read_tree
from idnf.classifier.estimator import DNFClassifier
from idnf.columns.column import TableColumn
from idnf.columns.groups import Declared, declared_columns


class RulesAudit(Audit):
    """What rules amount to; :meth:`to_classifier` gives the same function as a model."""

    def to_classifier(self, k: int | None = None) -> DNFClassifier:
        """Return the same function as a verified model whose every reason has at most k conditions.

        Parameters
        ----------
        k : int, optional
            The bound to keep; by default the least one.

        Raises
        ------
        ValueError
            If there is no such model: some rows get no class, all get the same, or k is too small.
        """
        if self.function is None:
            raise ValueError(f"rules must give every row a class; they give none if {self.gaps[0]}.")
        if len(self.function.classes) < 2:
            raise ValueError(f"rules must have two classes to be a model; got {len(self.function.classes)}.")
        columns = [column.with_all_literals() for column in self.function.columns]
        labels = np.array(list(self.function.classes))
        made = DNFClassifier._from_boxes(columns, self.function.boxes, labels, k, "none: rules were given")
        made.verify()
        return made


def audit(
    tree_or_rules: object,
    *,
    names: Sequence[str] | None = None,
    columns: Declared | Sequence[TableColumn] | None = None,
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
    if isinstance(tree_or_rules, ClassifierMixin):
        check_is_fitted(tree_or_rules)
        given = names if names is not None else getattr(tree_or_rules, "feature_names_in_", None)
        count = tree_or_rules.n_features_in_
        known = [f"x{j}" for j in range(count)] if given is None else [str(name) for name in given]
        if len(known) != count:
            raise ValueError(f"names must have {count} entries, one per column; got {len(known)}.")
        return RulesAudit(read_tree(tree_or_rules, known))
    if not isinstance(tree_or_rules, (str, Sequence)):
        got = type(tree_or_rules).__name__
        raise TypeError(f"tree_or_rules must be text, pairs, or a fitted tree or forest; got {got}.")
    table = declared_columns(columns) if isinstance(columns, Mapping) else tuple(columns or ())
    return RulesAudit(read_rule_set(tree_or_rules, table))
