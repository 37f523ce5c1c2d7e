"""What can be proved of a family of models, how, and which models are of it."""

from __future__ import annotations

from dataclasses import dataclass

from idnf.learning.choices import PROVED, Family
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.errors import InvalidArgument
from idnf.logic.model import Model
from idnf.logic.trees import NestedTree
from idnf.logic.verification import VerificationError


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
    _refuse_unknown(family)
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


def is_of(family: str, model: Model, polarity: str = "auto") -> bool:
    """Return whether a model is surely of a family, by what that family counts and as the model is written.

    Parameters
    ----------
    family : str
        A name in :data:`idnf.learning.choices.PROVED`.
    model : Model
    polarity : str
        For "nested": the class that a nested DNF must be of; "auto" for either.

    Examples
    --------
    >>> from idnf.logic.dnf import DNF
    >>> either = DNF.parse("a & b | c & d").double()
    >>> [is_of(family, either) for family in ("any", "pair-tree", "tree")]
    [True, True, False]
    """
    _refuse_unknown(family)
    if family == "any":
        return True
    if family == "any-literals" or (family == "pair-tree" and model.k <= 2 and model.n_classes == 2):
        return _keeps_to_literals(model)
    form = model.nested_form
    if form is None:
        return False
    tree = NestedTree.of(form)
    if not tree.keeps_to_literals:
        return False
    if family == "tree":
        return tree.is_plain
    if family == "pair-tree":
        return all(leaf.k <= 2 for _, leaf in tree.leaves())
    return _is_nested(tree, polarity)


def _refuse_unknown(family: str) -> None:
    if family not in PROVED:
        raise InvalidArgument("family", f"be one of {', '.join(PROVED)}", f"{family!r}", "Nothing is proved of others.")


def _keeps_to_literals(model: Model) -> bool:
    """Return whether the terms of a model have at most k literals and share out all Boolean points."""
    if model.space is None:
        return True
    try:
        ClassDNFs([model.side(label) for label in range(model.n_classes)], model.k).verify()
    except VerificationError:
        return False
    return True


def _is_nested(tree: NestedTree, polarity: str) -> bool:
    leaf = tree.leaf()
    if leaf is None or tree.n_classes > 2:
        return False
    return polarity == "auto" or leaf.only_label is not None or (leaf.label == 1) == (polarity == "positive")
