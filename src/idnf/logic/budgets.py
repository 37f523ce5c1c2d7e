"""Bounds on work that may be exponential: so many steps, so many seconds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import monotonic


class TooManySteps(ValueError):
    """A question that may well have an answer, but not within the work allowed."""


@dataclass
class Budget:
    """What is left of the work that a question may take; a step is about a microsecond.

    Parameters
    ----------
    steps : float
        The most steps; without it, any number.
    until : float
        The moment, by the clock, at which it is over; without it, never.
    clock : callable
        What tells the time.

    Examples
    --------
    >>> budget = Budget(10)
    >>> budget.spend(8)
    >>> budget.spend(8)
    Traceback (most recent call last):
    ...
    idnf.logic.budgets.TooManySteps: the answer must be found within 10 steps.
    """

    steps: float = inf
    until: float = inf
    clock: Callable[[], float] = monotonic
    spent: float = 0

    def spend(self, steps: float) -> None:
        """Take some steps; raise an error where there are not so many left, or no time."""
        self.spent += steps
        if self.spent > self.steps:
            raise TooManySteps(f"the answer must be found within {self.steps:g} steps.")
        if self.until < inf and self.clock() > self.until:
            raise TooManySteps("the answer must be found within the time limit.")
