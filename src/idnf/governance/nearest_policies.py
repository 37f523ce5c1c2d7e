"""The nearest policy of short reasons: other people's rules as a model of at most k columns, and what that changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf import DNFClassifier, InvalidArgument, TableBinariser, difference
from idnf.auditing import Difference

# What a literal costs, in rows: enough to prefer the shorter of two policies that decide all rows alike.
_PRICE_IN_ROWS = 0.1


@dataclass(frozen=True)
class PolicyWithin:
    """A policy whose every decision has a reason of at most k columns, beside the one it takes the place of.

    Attributes
    ----------
    model : DNFClassifier
    changes : Difference
        Where it decides differently, proved, with the rows of the table.
    changed : float
        The share of the rows that it decides differently.
    before, after : float or None
        The accuracy of both policies; None without labels.
    """

    model: DNFClassifier
    changes: Difference
    changed: float
    before: float | None
    after: float | None

    def to_text(self) -> str:
        """Return what was found in words."""
        lines = [
            f"A policy of at most {self.model.k} columns a decision decides {self.changed:.1%} of the rows differently."
        ]
        if self.before is not None:
            lines.append(f"Accuracy {self.before:.1%} before, {self.after:.1%} after.")
        return "\n".join([*lines, self.changes.to_text()])

    __str__ = to_text


def nearest_policy(
    policy: DNFClassifier, k: int, X: object, y: ArrayLike | None = None, learner: Literal["search", "exact"] = "search"
) -> PolicyWithin:
    """Return the policy of at most k columns a decision that differs on the fewest rows, or errs least on true labels.

    Parameters
    ----------
    policy : DNFClassifier
        The rules as a model.
    k : int
    X : table of shape (n_samples, n_features)
        Of pandas or polars, with the columns of the policy.
    y : array-like of shape (n_samples,), optional
        True labels; without them, what the policy decides.
    learner : {"search", "exact"}
    """
    if k < 1:
        raise InvalidArgument("k", "be at least 1", k)
    columns = policy.fitted_.columns
    names = [name for column in columns for name in column.sources]
    table = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(table, nw.DataFrame):
        raise TypeError(f"X must be a pandas or polars table with the columns {', '.join(names)}.")
    rows = table.select(names).to_native()
    given = policy.predict(rows)
    wanted = given if y is None else np.asarray(y)
    model = policy if y is None and policy.fitted_.k <= k else _learn(policy, k, rows, wanted, learner)
    new = model.predict(rows)
    before, after = (None, None) if y is None else (float(np.mean(given == wanted)), float(np.mean(new == wanted)))
    return PolicyWithin(model, difference(policy, model, rows, y), float(np.mean(given != new)), before, after)


def _learn(
    policy: DNFClassifier, k: int, rows: object, labels: NDArray[np.generic], learner: Literal["search", "exact"]
) -> DNFClassifier:
    """Return the model of short reasons, over the cells of the policy, that is right on the most rows."""
    if len(set(labels.tolist())) < 2:
        raise InvalidArgument("X", "hold rows of at least two outcomes", f"only {labels.tolist()[0]!r}")
    columns = {column.name: column for column in policy.fitted_.columns}
    price = _PRICE_IN_ROWS / len(labels) if learner == "search" else None
    return DNFClassifier(k=k, learner=learner, price=price, binariser=TableBinariser(cut_points=columns)).fit(
        rows, labels
    )
