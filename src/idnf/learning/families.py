"""The families of models to choose from: what they contain, who learns them, what they allow, and what is proved.

A family is asked for by its name. Whoever needs to know more about it asks the object, never the name.
"""

from __future__ import annotations

from dataclasses import dataclass

from idnf.learning.choices import FamilyName, LearnerName
from idnf.logic.errors import InvalidArgument


@dataclass(frozen=True)
class Family:
    """A family of models.

    Parameters
    ----------
    name : str
    contents : str
        Which models it contains, in words.
    learners : tuple of str
        The learners that can be asked for it.
    counts : str
        What k bounds in a reason: "columns" or "literals".
    has_every_function : bool
        Whether it contains every function with reasons of at most k columns, so that Berge steps stay in it.
    has_trees : bool
        Whether it contains the decision trees of depth k.
    has_nested : bool
        Whether it contains the nested k-DNFs and their complements.
    has_several_classes : bool
        Whether it has models of more than two classes.
    is_tuned : bool
        Whether cross-validation chooses the size and the objective of its models.
    proved_up_to_two, proved_beyond : str or None
        The family of which exact learning proves a bound, for k up to 2 and beyond; see
        :mod:`idnf.learning.proved_families`.

    Examples
    --------
    >>> family_of("tree").has_nested, family_of("any").proved_beyond
    (False, 'pair-tree')
    >>> family_of("forest")
    Traceback (most recent call last):
        ...
    idnf.logic.errors.InvalidArgument: family must be one of any, column-tree, tree, nested, checklist; got 'forest'.
    """

    name: FamilyName
    contents: str
    learners: tuple[LearnerName, ...]
    counts: str
    has_every_function: bool = False
    has_trees: bool = False
    has_nested: bool = False
    has_several_classes: bool = True
    is_tuned: bool = True
    proved_up_to_two: str | None = None
    proved_beyond: str | None = None

    def proved_at(self, k: int) -> str | None:
        """Return the family of which exact learning proves a bound at some k; None if it cannot be asked."""
        return self.proved_up_to_two if k <= 2 else self.proved_beyond

    @property
    def is_of_columns(self) -> bool:
        """Whether its models are grown as trees over columns, by a learner of their own."""
        return self.has_trees and self.counts == "columns" and not self.has_every_function

    @property
    def is_of_lists(self) -> bool:
        """Whether its models are lists of conditions to be counted."""
        return not self.has_trees and not self.has_nested

    def refuse_learner(self, learner: LearnerName) -> None:
        """Raise an error if a learner cannot be asked for this family."""
        if learner not in self.learners:
            known = " or ".join(f'"{one}"' for one in self.learners)
            raise InvalidArgument("learner", f'be {known} for family "{self.name}"', f"{learner!r}")


FAMILIES = (
    Family(
        "any",
        "every function with reasons of at most k columns",
        ("search", "exact", "greedy"),
        "columns",
        has_every_function=True,
        has_trees=True,
        has_nested=True,
        proved_up_to_two="any",
        proved_beyond="pair-tree",
    ),
    Family(
        "column-tree",
        "decision trees whose paths ask about at most k columns",
        ("search", "greedy"),
        "columns",
        has_trees=True,
    ),
    Family(
        "tree",
        "decision trees of depth k",
        ("search", "exact", "greedy"),
        "literals",
        has_trees=True,
        proved_up_to_two="tree",
        proved_beyond="tree",
    ),
    Family(
        "nested",
        "nested k-DNFs and their complements",
        ("search", "exact", "greedy"),
        "literals",
        has_nested=True,
        has_several_classes=False,
        proved_up_to_two="nested",
        proved_beyond="nested",
    ),
    Family(
        "checklist",
        'lists of conditions of which at least some number must hold ("at least m of these")',
        ("search",),
        "literals",
        has_several_classes=False,
        is_tuned=False,
    ),
)
"""All families, from the widest to the narrowest; then those that have two classes alone."""

_BY_NAME = {family.name: family for family in FAMILIES}


def family_of(name: str) -> Family:
    """Return the family of a name."""
    for known, family in _BY_NAME.items():
        if known == name:
            return family
    raise InvalidArgument("family", f"be one of {', '.join(_BY_NAME)}", f"{name!r}")
