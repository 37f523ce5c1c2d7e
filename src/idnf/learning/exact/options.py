"""How the exact learner is asked to work, and what its searches hand back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from idnf.learning.result import Learned
from idnf.logic.deadlines import Deadline
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
    deadline : Deadline
        When the best model found is to be returned with a bound.
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
    deadline: Deadline = field(default_factory=Deadline)
    device: str = "cpu"
    progress: Callable[[float, float], None] | None = None

    def __post_init__(self) -> None:
        if self.family not in FAMILIES:
            raise ValueError(f"family must be one of {', '.join(FAMILIES)}; got {self.family!r}.")
        if self.polarity not in POLARITIES:
            raise ValueError(f"polarity must be one of {', '.join(POLARITIES)}; got {self.polarity!r}.")
        if not self.price >= 0:
            raise ValueError(f"price must be 0 or more; got {self.price}.")


class Watch:
    """Tells when to stop and reports how far the search is.

    Costs are weights beyond what every model gets wrong; `share` turns them into the objective.
    """

    def __init__(self, options: ExactOptions, share: Callable[[float], float]) -> None:
        self._options, self._share, self._deadline = options, share, options.deadline

    @property
    def is_limited(self) -> bool:
        """Whether there is a time limit."""
        return self._deadline.is_set

    @property
    def is_over(self) -> bool:
        """Whether the time limit has passed, or the user has interrupted."""
        return self._deadline.is_over()

    @property
    def left(self) -> float:
        """The seconds left."""
        return self._deadline.left

    def stop(self) -> None:
        """Say that time is over, for the user has interrupted."""
        self._deadline.stop()

    def report(self, error: float, bound: float) -> None:
        """Tell the caller the best error and the bound so far."""
        if self._options.progress is not None:
            self._options.progress(self._share(error), self._share(bound))

    def part(self, fraction: float) -> Watch:
        """Return a watch for a fraction of the time that is left."""
        return Watch(replace(self._options, deadline=self._deadline.part(fraction)), self._share)


@dataclass(frozen=True)
class Found:
    """The best model of a search and a bound on the cost of every model of its family."""

    model: NestedDNF | NestedTree
    bound: float
