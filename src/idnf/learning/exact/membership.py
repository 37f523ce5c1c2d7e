"""Which models are surely of a family that something can be proved of."""

from __future__ import annotations

from idnf.learning.choices import PROVED
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.errors import InvalidArgument
from idnf.logic.model import Model
from idnf.logic.trees import NestedTree
from idnf.logic.verification import VerificationError


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
    refuse_unproved_family(family)
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


def refuse_unproved_family(family: str) -> None:
    """Raise an error for a family of which nothing is proved."""
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
