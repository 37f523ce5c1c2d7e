"""What is claimed of a decision: one label, or of a band that it is at least the one and below the next.

Each claim is an :class:`Explanation`: a label of one model, its reason of at most k conditions, and what would change
it. Whoever writes about decisions reads their claims, and need not know how many there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from idnf.explaining.explanation import Explanation


class Explained(Protocol):
    """The decision about one example, with its claims."""

    @property
    def claims(self) -> tuple[Explanation, ...]:
        """The one or two claims."""

    def to_text(self) -> str:
        """Return the decision and its reasons in words."""

    def to_dict(self) -> dict[str, object]:
        """Return the explanation as plain data."""


class ExplainedRows(Protocol):
    """The decisions about the rows of a table."""

    def __iter__(self) -> Iterator[Explained]:
        """Yield the decision about each row."""

    def columns(self) -> Mapping[str, Sequence[object]]:
        """Return the decisions as columns of a table."""
