"""What every learner returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from idnf.logic.model import Model

if TYPE_CHECKING:
    from idnf.learning.path import LearningPath


@dataclass(frozen=True)
class Learned:
    """A learned model of two or more classes and what is known about it.

    Parameters
    ----------
    model : Model
    objective : float
        Weighted share of training errors, plus whatever the learner charges for the size of the model.
    optimal : str or None
        The family in which the objective is proved optimal; the model is one of it.
    bound : float or None
        What no model of the family `bound_family` can beat.
    bound_family : str or None
        The family for which the bound is proved; the model need not be one of it.
    price : float
        What the learner charged for a literal, as a share of all weight.
    path : LearningPath or None
        What cross-validation said of the settings it chose among.
    claimed : bool
        Whether objective, optimum and bound are what a model file says, which nobody can check without the examples.
    """

    model: Model
    objective: float
    optimal: str | None = None
    bound: float | None = None
    bound_family: str | None = None
    price: float = 0.0
    path: LearningPath | None = None
    claimed: bool = False
