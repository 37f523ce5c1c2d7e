"""A stated bound on a family of models, proved again by exact learning from the training table."""

from __future__ import annotations

from dataclasses import replace

from idnf.counting.contract import Counts
from idnf.learning.objective import Learned
from idnf.learning.proved_families import is_of
from idnf.learning.task import LearningTask
from idnf.logic.verification import VerificationError
from idnf.proving.family_proofs import Proof
from idnf.proving.recounting import ROUNDING


def bound_proved_again(stated: Learned, proof: Proof, counts: Counts, task: LearningTask) -> float | None:
    """Return the bound that exact learning proves within the deadline of a task; None if it proves none.

    Parameters
    ----------
    stated : Learned
        A model with a bound, and the family that it is about.
    proof : Proof
        How a bound on that family is proved.
    counts : Counts
        The training examples.
    task : LearningTask
        The task that the model came from, for the family of the proof.

    Raises
    ------
    VerificationError
        A model of the family is better than the bound.
    """
    from idnf.learning.dispatch import learn_model

    family, bound = stated.bound_family, stated.bound
    assert family is not None, "there is a claim"
    assert bound is not None, "there is a claim"
    again = replace(task, learner="exact", space=task.space if proof.in_columns else None)
    found = learn_model(counts, again).learned.beyond(task.unavoidable)
    if task.deadline.stops:
        raise KeyboardInterrupt
    if found.objective < bound - ROUNDING and is_of(family, found.model):
        raise VerificationError(
            f"no model of the family {family} must have an objective below {bound:.6g}, says the file; "
            f"one has {found.objective:.6g}."
        )
    return found.bound if found.bound_family == proof.name else None
