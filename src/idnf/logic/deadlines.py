"""Bounds on work: a deadline, passed down from the caller who sets it, and a budget of steps and seconds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from time import monotonic


def _now() -> float:
    return monotonic()


@dataclass(frozen=True)
class Deadline:
    """The time at which work must end, by default never; stopping one part of the work stops all parts.

    Parameters
    ----------
    end : float
        The time, by the clock.
    clock : callable
        Returns the time in seconds.
    stops : list
        Empty until the work is stopped; shared by the parts of one deadline.

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
        """Return the deadline some seconds from this moment; None is never."""
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
        """Return whether the time is up."""
        return bool(self.stops) or self.is_set and self.clock() > self.end

    def part(self, share: float) -> Deadline:
        """Return the deadline after a share of the seconds left."""
        return replace(self, end=self.clock() + share * self.left) if self.is_set else self

    def within(self, seconds: float) -> Deadline:
        """Return the deadline some seconds from this moment, or this one if it is earlier."""
        return replace(self, end=min(self.end, self.clock() + seconds)) if seconds < inf else self

    def at_least(self, seconds: float) -> Deadline:
        """Return this deadline, or the one some seconds from this moment if it is later or the work is stopped.

        >>> Deadline(10.0, clock=lambda: 4.0).at_least(2.0).left, Deadline(5.0, clock=lambda: 4.0).at_least(2.0).left
        (6.0, 2.0)
        """
        soon = self.clock() + seconds
        return Deadline(soon if self.stops else max(self.end, soon), self.clock)

    def endless(self) -> Deadline:
        """Return a deadline without a time limit, which still ends when the work is stopped."""
        return replace(self, end=inf)

    def budget(self) -> Budget:
        """Return a budget of any number of steps until this deadline."""
        return Budget(until=self.end, clock=self.clock)

    def stop(self) -> None:
        """End all work under this deadline, as when the user interrupts it."""
        self.stops.append(True)


class TooManySteps(ValueError):
    """The work allowed was not enough for an answer, which may well exist."""


@dataclass
class Budget:
    """A limit on the work for one question; a step is about a microsecond.

    Parameters
    ----------
    steps : float
        The most steps; by default any number.
    until : float
        The time, by the clock, at which it ends; by default never.
    clock : callable
        Returns the time in seconds.

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
        """Use up some steps; raise an error if too few are left or the time is up."""
        self.spent += steps
        if self.spent > self.steps:
            raise TooManySteps(f"the answer must be found within {self.steps:g} steps.")
        if self.until < inf and self.clock() > self.until:
            raise TooManySteps("the answer must be found within the time limit.")
