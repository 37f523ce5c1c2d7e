"""How the exact learner is asked to work, and what its searches hand back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from time import monotonic

from idnf.learning.result import Learned
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree

FAMILIES = ("nested", "tree", "pair-tree", "nested-tree", "any")
POLARITIES = ("positive", "negative", "auto")


@dataclass(frozen=True)
class ExactOptions:
    """How the exact learner works.

    Parameters
    ----------
    family : str
        "nested", "tree", "pair-tree", "nested-tree" or "any"; at k >= 3 the last two are solved as "pair-tree".
    polarity : str
        For "nested": "positive" (the nested DNF is of class 1), "negative" (of class 0) or "auto" (the better).
    price : float
        What a literal costs, as a share of all weight.
    allowed : frozenset of int, optional
        The literal codes that may occur in terms of class 1, their negations in terms of class 0; all by default.
    start : Learned, optional
        A model to begin with; it prunes the search and is returned if nothing better is found.
    time_limit : float, optional
        Seconds after which the best model found is returned with a bound.
    device : str
        "cpu", or "cuda" where array-api-compat and torch or cupy are installed.
    progress : callable, optional
        Called from time to time with the objective of the best model and the bound on every model.
    """

    family: str = "any"
    polarity: str = "auto"
    price: float = 0.0
    allowed: frozenset[int] | None = None
    start: Learned | None = None
    time_limit: float | None = None
    device: str = "cpu"
    progress: Callable[[float, float], None] | None = None

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise ValueError(f"family must be one of {', '.join(FAMILIES)}; got {self.family!r}.")
        if self.polarity not in POLARITIES:
            raise ValueError(f"polarity must be one of {', '.join(POLARITIES)}; got {self.polarity!r}.")
        if not self.price >= 0:
            raise ValueError(f"price must be 0 or more; got {self.price}.")
        if self.time_limit is not None and not self.time_limit > 0:
            raise ValueError(f"time_limit must be positive; got {self.time_limit}.")


class Watch:
    """Tells when to stop and reports how far the search is.

    Costs are weights beyond what every model gets wrong; `share` turns them into the objective.
    """

    def __init__(self, options: ExactOptions, share: Callable[[float], float], whole: Watch | None = None) -> None:
        self._end = inf if options.time_limit is None else monotonic() + options.time_limit
        self._options, self._share, self._whole = options, share, whole

    @property
    def is_limited(self) -> bool:
        """Whether there is a time limit."""
        return self._end < inf

    @property
    def is_over(self) -> bool:
        """Whether the time limit has passed."""
        return monotonic() > self._end

    @property
    def left(self) -> float:
        """The seconds left."""
        return self._end - monotonic()

    def stop(self) -> None:
        """Say that time is over, for the user has interrupted."""
        self._end = -inf
        if self._whole is not None:
            self._whole.stop()

    def report(self, error: float, bound: float) -> None:
        """Tell the caller the best error and the bound so far."""
        if self._options.progress is not None:
            self._options.progress(self._share(error), self._share(bound))

    def part(self, fraction: float) -> Watch:
        """Return a watch for a fraction of the time that is left."""
        if not self.is_limited:
            return self
        left = max(fraction * (self._end - monotonic()), 1e-3)
        return Watch(replace(self._options, time_limit=left), self._share, self)


@dataclass(frozen=True)
class Found:
    """The best model of a search and a bound on the cost of every model of its family."""

    model: NestedDNF | NestedTree
    bound: float
