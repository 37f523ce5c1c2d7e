"""Verdicts: what is decided and why, worded once for all examples that a model does not tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from idnf.columns.column import conjunction_words
from idnf.explaining.widening import contrast
from idnf.logic.boxes import Box, Point

if TYPE_CHECKING:
    from idnf.explaining.explainer import Explainer


@dataclass(frozen=True)
class Condition:
    """A condition on one column.

    Attributes
    ----------
    column : str
    words : str
        The condition alone: ``income <= 35000``.
    said : str
        The condition beside the example's own value (``income is 31000 (at most 35000)``) or, in a CXp, as something to
        have instead (``income over 35000``).
    mask : int
        The cells that meet it.
    """

    column: str
    words: str
    said: str
    mask: int

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, eq=False)
class Verdict:
    """The class of a pattern of merged cells, its smallest AXp and its smallest CXp.

    Parameters
    ----------
    explainer : Explainer
    pattern : tuple of int
        The cells of the frame.
    side : int
        The class, 0 or 1.
    inner : Box
        The conditions of the smallest AXp, in the frame.
    inner_changed : tuple of int
        The columns of the smallest CXp, in the frame; none when the other class is empty.
    """

    explainer: Explainer
    pattern: Point
    side: int
    inner: Box
    inner_changed: tuple[int, ...]

    @property
    def label(self) -> object:
        """The class."""
        return self.explainer.classes[self.side]

    @property
    def other(self) -> object:
        """The other class."""
        return self.explainer.classes[1 - self.side]

    @cached_property
    def box(self) -> Box:
        """The conditions of the AXp."""
        return self.explainer.sides.frame.expanded(self.inner)

    @cached_property
    def changed(self) -> tuple[int, ...]:
        """The columns of the CXp."""
        return self.explainer.sides.frame.outer(self.inner_changed)

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The columns of the AXp."""
        return self.explainer.space.constrained(self.box)

    @cached_property
    def axp(self) -> tuple[Condition, ...]:
        """The conditions of the AXp, said without the name of the column and without an example's own value."""
        named = ((self.explainer.wordings[j], self.box[j]) for j in self.columns)
        return tuple(Condition(w.name, w.condition(mask), w.said(mask), mask) for w, mask in named)

    @cached_property
    def changes(self) -> Box:
        """The cells that would do on the columns of the CXp, the others being the same; of these it says nothing."""
        sides = self.explainer.sides
        own, other = sides.regions[self.side], sides.regions[1 - self.side]
        inner = contrast(sides.frame.inner, own, other, self.pattern, self.inner_changed)
        return sides.frame.expanded(inner)

    @cached_property
    def cxp(self) -> tuple[Condition, ...]:
        """The conditions of the CXp."""
        named = ((self.explainer.wordings[j], self.changes[j]) for j in self.changed)
        return tuple(Condition(w.name, w.condition(mask), w.change(mask), mask) for w, mask in named)

    @cached_property
    def reason(self) -> str | None:
        """The identifier of the reason in the catalogue; None where the class has too many reasons to be listed."""
        return self.explainer.reason_id(self.side, self.box)

    @cached_property
    def given_text(self) -> str | None:
        """The user's own wording of the reason."""
        # The catalogue may take a while to list, so it is asked only where there are texts to find.
        return self.explainer.texts.get(self.reason or "") if self.explainer.texts else None

    @cached_property
    def change_text(self) -> str:
        """The second sentence: what would change the class."""
        other = self.other if isinstance(self.other, str) else f"class {self.other}"
        changes = conjunction_words([condition.said for condition in self.cxp])
        return f"Otherwise the same, it would be {other} with {changes}."
