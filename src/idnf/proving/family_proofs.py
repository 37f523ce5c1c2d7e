"""How a bound on a family of models is proved."""

from __future__ import annotations

from dataclasses import dataclass

from idnf.learning.choices import Family
from idnf.learning.exact.membership import refuse_unproved_family


@dataclass(frozen=True)
class Proof:
    """How a bound on a family is proved.

    Parameters
    ----------
    family : str
        What the exact learner is asked for.
    names : tuple of str
        What the learner may then call the family of its bound.
    in_columns : bool
        Whether k counts the columns of a table; if not, literals.
    """

    family: Family
    names: tuple[str, ...]
    in_columns: bool = False


def proof_of(family: str, k: int, n_classes: int, price: float = 0.0) -> Proof | None:
    """Return how a bound on the models of a family is proved, if literals have a price; None if it cannot be.

    >>> proof_of("any", 2, 2)
    Proof(family='any', names=('any',), in_columns=True)
    >>> proof_of("any", 3, 2), proof_of("nested", 2, 3)
    (None, None)
    """
    refuse_unproved_family(family)
    if n_classes > 2:
        several = {"tree": Proof("tree", ("tree",)), "pair-tree": Proof("any", ("pair-tree",))}
        return None if price else several.get(family)
    if family == "tree":
        return Proof("tree", ("tree",))
    if family == "nested":
        return Proof("nested", ("nested",))
    if k <= 2:
        # Pair trees and all functions with reasons of two literals are the same.
        return Proof("any", ("any",), in_columns=family == "any")
    return Proof("any", ("pair-tree",)) if family == "pair-tree" else None
