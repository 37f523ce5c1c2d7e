"""Bounds on work: a moment after which it is to end, handed down from the one who sets it; steps and seconds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from time import monotonic


def _now() -> float:
    return monotonic()


@dataclass(frozen=True)
class Deadline:
    """A moment after which work is to end; without one, never. Whoever is interrupted ends all parts of the work.

    Parameters
    ----------
    end : float
        By the clock.
    clock : callable
        What tells the time in seconds.
    stops : list
        Empty until the work is stopped; the parts of one deadline share it.

    Examples
    --------
    >>> deadline = Deadline(10.0, clock=lambda: 4.0)
    >>> deadline.left, deadline.part(0.5).left, deadline.is_over(), Deadline().left
    (6.0, 3.0, False, inf)
    >>> deadline.part(0.5).stop()
    >>> deadline.is_over(), deadline.left
    (True, 0.0)
    """

    end: float = inf
    clock: Callable[[], float] = _now
    stops: list[bool] = field(default_factory=list, compare=False, repr=False)

    @classmethod
    def after(cls, seconds: float | None) -> Deadline:
        """Return the moment some seconds from here; None is never."""
        return cls() if seconds is None else cls(_now() + seconds)

    @property
    def is_set(self) -> bool:
        """Whether there is a limit."""
        return self.end < inf

    @property
    def left(self) -> float:
        """The seconds left."""
        if self.stops:
            return 0.0
        return max(self.end - self.clock(), 0.0) if self.is_set else inf

    def is_over(self) -> bool:
        """Return whether the moment has come."""
        return bool(self.stops) or self.is_set and self.clock() > self.end

    def part(self, share: float) -> Deadline:
        """Return the moment when a share of the seconds left is over."""
        return replace(self, end=self.clock() + share * self.left) if self.is_set else self

    def within(self, seconds: float) -> Deadline:
        """Return the moment some seconds from here, or this one if that is earlier."""
        return replace(self, end=min(self.end, self.clock() + seconds)) if seconds < inf else self

    def at_least(self, seconds: float) -> Deadline:
        """Return this moment, or the one some seconds from here if that is later or the work is stopped.

        >>> Deadline(10.0, clock=lambda: 4.0).at_least(2.0).left, Deadline(5.0, clock=lambda: 4.0).at_least(2.0).left
        (6.0, 2.0)
        """
        soon = self.clock() + seconds
        return Deadline(soon if self.stops else max(self.end, soon), self.clock)

    def endless(self) -> Deadline:
        """Return no moment at all, but the end of the work if it is stopped."""
        return replace(self, end=inf)

    def budget(self) -> Budget:
        """Return any number of steps until this moment."""
        return Budget(until=self.end, clock=self.clock)

    def stop(self) -> None:
        """End all work under this deadline: the user has interrupted it."""
        self.stops.append(True)


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
    idnf.logic.deadlines.TooManySteps: the answer must be found within 10 steps.
    """

    steps: float = inf
    until: float = inf
    clock: Callable[[], float] = monotonic
    spent: float = 0

    def spend(self, steps: float) -> None:
        """Take some steps; raise an error if there are not that many left, or no time."""
        self.spent += steps
        if self.spent > self.steps:
            raise TooManySteps(f"the answer must be found within {self.steps:g} steps.")
        if self.until < inf and self.clock() > self.until:
            raise TooManySteps("the answer must be found within the time limit.")
