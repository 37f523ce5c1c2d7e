"""The families of which a bound or an optimum may be proved: ``optimal_`` and ``bound_family_``.

If no two features are of one column, "any" and "any-literals" are the same and are called "any", and trees of depth k
are those whose paths ask of k columns, called "tree".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from idnf.learning.choices import FamilyName
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.errors import InvalidArgument
from idnf.logic.model import Model
from idnf.logic.trees import NestedTree
from idnf.logic.verification import VerificationError


@dataclass(frozen=True)
class ProvedFamily:
    """A family that exact learning can bound.

    Parameters
    ----------
    name : str
    contents : str
        Which models it contains, in words.
    learned_as : str
        The family that the exact learner is asked for to prove a bound on this one.
    includes : callable
        Whether a model, written as it is, is surely of the family; given the polarity asked for too.
    counts : str
        What k bounds in a reason: "columns" or "literals".
    only_up_to_two : bool
        Whether nothing is proved beyond k = 2.
    proves_several : bool
        Whether bounds are proved for more than two classes too, if literals are free.
    """

    name: str
    contents: str
    learned_as: FamilyName
    includes: Callable[[Model, str], bool]
    counts: str = "literals"
    only_up_to_two: bool = False
    proves_several: bool = False

    @property
    def words(self) -> str:
        """Its models in words, with what is counted if that is literals."""
        return self.contents if "reasons of at most k" in self.contents else f"{self.contents}; literals are counted"


def _is_any(_model: Model, _polarity: str) -> bool:
    return True


def keeps_to_literals(model: Model, _polarity: str = "auto") -> bool:
    """Return whether the terms of a model have at most k literals and share out all Boolean points."""
    if model.space is None:
        return True
    try:
        ClassDNFs([model.side(label) for label in range(model.n_classes)], model.k).verify()
    except VerificationError:
        return False
    return True


def _tree_of_literals(model: Model) -> NestedTree | None:
    """Return a model as a nested tree whose reasons count literals; None if it is not written as one."""
    form = model.nested_form
    tree = None if form is None else NestedTree.of(form)
    return tree if tree is not None and tree.keeps_to_literals else None


def _is_tree(model: Model, _polarity: str) -> bool:
    tree = _tree_of_literals(model)
    return tree is not None and tree.is_plain


def _is_pair_tree(model: Model, _polarity: str) -> bool:
    if model.k <= 2 and model.n_classes == 2:
        return keeps_to_literals(model)
    tree = _tree_of_literals(model)
    return tree is not None and all(leaf.k <= 2 for _, leaf in tree.leaves())


def _is_nested(model: Model, polarity: str) -> bool:
    tree = _tree_of_literals(model)
    leaf = None if tree is None else tree.leaf()
    if tree is None or leaf is None or tree.n_classes > 2:
        return False
    return polarity == "auto" or leaf.only_label is not None or (leaf.label == 1) == (polarity == "positive")


PROVED = {
    family.name: family
    for family in (
        ProvedFamily(
            "any",
            "every function with reasons of at most k columns, over the rows that can exist",
            "any",
            _is_any,
            counts="columns",
            only_up_to_two=True,
        ),
        ProvedFamily(
            "any-literals",
            "every function with reasons of at most k literals, over all Boolean points, impossible ones too",
            "any",
            keeps_to_literals,
            only_up_to_two=True,
        ),
        ProvedFamily(
            "pair-tree",
            "trees of depth k-2 above functions with reasons of at most 2 literals",
            "any",
            _is_pair_tree,
            proves_several=True,
        ),
        ProvedFamily("tree", "decision trees of depth k", "tree", _is_tree, proves_several=True),
        ProvedFamily("nested", "nested k-DNFs", "nested", _is_nested),
    )
}
"""The families by their names, from wide to narrow."""


def proved_family(name: str) -> ProvedFamily:
    """Return the family of a name."""
    if name not in PROVED:
        raise InvalidArgument("family", f"be one of {', '.join(PROVED)}", f"{name!r}", "Nothing is proved of others.")
    return PROVED[name]


def is_of(family: str, model: Model, polarity: str = "auto") -> bool:
    """Return whether a model is surely of a family, by what that family counts and as the model is written.

    Parameters
    ----------
    family : str
        A name in :data:`PROVED`.
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
    return proved_family(family).includes(model, polarity)
