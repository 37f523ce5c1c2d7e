"""How a bound on a family of models is proved."""

from __future__ import annotations

from dataclasses import dataclass

from idnf.learning.choices import FamilyName
from idnf.learning.proved_families import proved_family


@dataclass(frozen=True)
class Proof:
    """How a bound on a family is proved.

    Parameters
    ----------
    family : str
        What the exact learner is asked for.
    name : str
        What the learner must then call the family of its bound.
    in_columns : bool
        Whether k counts the columns of a table; if not, literals.
    """

    family: FamilyName
    name: str
    in_columns: bool = False


def proof_of(family: str, k: int, n_classes: int, price: float = 0.0) -> Proof | None:
    """Return how a bound on the models of a family is proved, if literals have a price; None if it cannot be.

    >>> proof_of("any", 2, 2)
    Proof(family='any', name='any', in_columns=True)
    >>> proof_of("any", 3, 2), proof_of("nested", 2, 3)
    (None, None)
    """
    wanted = proved_family(family)
    if n_classes > 2:
        return Proof(wanted.learned_as, wanted.name) if wanted.proves_several and not price else None
    if k > 2:
        return None if wanted.only_up_to_two else Proof(wanted.learned_as, wanted.name)
    # Pair trees and all functions with reasons of two literals are the same, and are called as what was asked for.
    return Proof(wanted.learned_as, wanted.learned_as, wanted.counts == "columns")
