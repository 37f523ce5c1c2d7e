"""What a model states about its training table, recounted on that table."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from idnf.columns.column import TableColumn
from idnf.columns.phrases import brief
from idnf.columns.raw import RawTable
from idnf.logic.boxes import Box
from idnf.logic.verification import VerificationError

ROUNDING = 1e-6
"""Sums and shares that differ by less are equal: they may have been added in another order."""

Reason = TypeVar("Reason", bound=tuple[int, Box])


def is_equal(one: float, other: float) -> bool:
    """Return whether two sums are the same but for rounding.

    >>> is_equal(0.1 + 0.2, 0.3), is_equal(0.3, 0.31)
    (True, False)
    """
    return math.isclose(one, other, rel_tol=ROUNDING, abs_tol=ROUNDING)


def refuse_other_examples(
    stated: Mapping[Reason, NDArray[np.float64]], found: Mapping[Reason, NDArray[np.float64]], labels: Sequence[object]
) -> None:
    """Raise an error if the examples given each reason are not as many, of each class, as a file says.

    Parameters
    ----------
    stated, found : mapping of reason to float array
        The weight of each class among the examples given a reason, which is a class and a box.
    labels : sequence of label
    """
    other = "Either it is not the training table, or the file is wrong."
    weights = [sum(float(total.sum()) for total in totals.values()) for totals in (stated, found)]
    if not is_equal(*weights):
        raise VerificationError(
            f"the table must hold training examples of total weight {weights[0]:,.10g}, as the file says; "
            f"got {weights[1]:,.10g}. {other}"
        )
    for reason in {**stated, **found}:
        if reason not in stated or reason not in found or not np.allclose(stated[reason], found[reason], rtol=ROUNDING):
            counts = [
                ", ".join(f"{weight:.10g}" for weight in totals.get(reason, ())) or "none" for totals in (stated, found)
            ]
            raise VerificationError(
                f"the examples given a reason for {brief(labels[reason[0]])} must be {counts[0]}, class by class; "
                f"got {counts[1]}. {other}"
            )


def refuse_unseen(column: TableColumn, proposed: Collection[float], table: RawTable) -> None:
    """Raise an error for a position on a column that recourse may propose and no row of the table has."""
    positions = column.positions(*table.of(column.sources))
    if positions is None:
        return
    unseen = set(proposed) - set(positions[0][~positions[1]].tolist())
    if unseen:
        raise VerificationError(
            f"column {column.name!r} of the table must hold {column.position_words(min(unseen))}, "
            "which the file says was seen in training; it does not."
        )


def cost_share(given: NDArray[np.integer], costs: NDArray[np.float64], weights: NDArray[np.float64] | None) -> float:
    """Return what answers cost beyond the cheapest ones, as a share of what the costliest ones would.

    Parameters
    ----------
    given : int array of shape (rows,)
        The number of the class given.
    costs : float array of shape (rows, classes)
        What each answer costs.
    weights : float array of shape (rows,), optional

    Examples
    --------
    >>> cost_share(np.array([0, 1]), np.array([[0.0, 1], [0, 1]]), np.array([1.0, 3.0]))
    0.75
    """
    weighed = np.ones(len(given)) if weights is None else weights
    least, most = costs.min(axis=1), costs.max(axis=1)
    paid = costs[np.arange(len(given)), given]
    return float((weighed * (paid - least)).sum() / (weighed * (most - least)).sum())


def refuse_other_objective(stated: float, found: float) -> None:
    """Raise an error for a training objective that is not the one recounted."""
    if not is_equal(found, stated):
        raise VerificationError(f"the training objective must be {found:.6g}; the file says {stated:.6g}.")
