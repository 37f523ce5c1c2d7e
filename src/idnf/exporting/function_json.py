"""The function of a model file: a nested DNF, a nested tree, or the terms of each class, as literal codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from idnf.exporting.documents import DocumentError, Place
from idnf.exporting.proving import MOST_STEPS, Unproved, prove, refuse_large
from idnf.logic.class_dnfs import ClassDNFs, DoubleDNF
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.dnf import DNF
from idnf.logic.literals import codes_of, is_consistent, mask_of
from idnf.logic.model import Model
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import AnyLeaf, Leaf, NestedTree, Node, Split, fold
from idnf.logic.verification import VerificationError

MOST_TERMS = 50_000
MOST_NODES = 50_000
MOST_CELLS = 50_000_000
MOST_TRUTHS = 250_000_000
"""The most terms times literals; a term has a bit for each of them and for its negation."""


def model_to_plain(model: Model) -> dict[str, object]:
    """Return a model as plain data.

    >>> model_to_plain(DNF.parse("a & ~b").double())
    {'kind': 'double', 'k': 2, 'positive': [[0, 3]], 'negative': [[1], [2]]}
    """
    return {"kind": model.kind, "k": model.k, **_FORMS[model.kind](model)}


def _nested_to_plain(nested: NestedDNF) -> dict[str, object]:
    return {"matrix": [list(row) for row in nested.matrix], "prefixes": [list(r) for r in nested.prefixes]}


def _tree_to_plain(tree: NestedTree) -> dict[str, object]:
    def leaf(leaf: AnyLeaf) -> dict[str, object]:
        assert isinstance(leaf, Leaf), "a tree of two classes has nested DNFs at its leaves"
        return {"complemented": leaf.label == 0, "k": leaf.nested.k, **_nested_to_plain(leaf.nested)}

    def split(feature: int, low: object, high: object) -> dict[str, object]:
        return {"feature": feature, "if_false": low, "if_true": high}

    return {"root": fold(tree.root, leaf, split)}


def _double_to_plain(double: DoubleDNF) -> dict[str, object]:
    return {"positive": _terms_to_plain(double.positive.masks), "negative": _terms_to_plain(double.negative.masks)}


def _classes_to_plain(dnfs: ClassDNFs) -> dict[str, object]:
    return {"dnfs": [_terms_to_plain(dnf.masks) for dnf in dnfs.dnfs]}


_FORMS: dict[str, Callable[[Any], dict[str, object]]] = {
    "nested": _nested_to_plain,
    "tree": _tree_to_plain,
    "double": _double_to_plain,
    "classes": _classes_to_plain,
}


def _terms_to_plain(masks: Sequence[int]) -> list[list[int]]:
    return [list(codes_of(mask)) for mask in masks if is_consistent(mask)]


@dataclass(frozen=True)
class Expected:
    """What the model in a document must be: over these features, of at most k conditions, for so many classes."""

    names: tuple[str, ...]
    k: int
    columns: int
    n_classes: int


def read_model(place: Place, expected: Expected, *, verify: bool) -> Model:
    """Return the model in a document.

    A nested DNF or tree keeps its promise by its shape; the terms of two or more classes are proved to keep it.
    """
    names, k, columns = expected.names, expected.k, expected.columns
    kinds = ["nested", "tree", "double"] if expected.n_classes == 2 else ["classes"]
    kind = place.key("kind").one_of(kinds)
    own_k = place.key("k").integer(0, k)
    try:
        if kind in ("double", "classes"):
            return _read_sides(place, expected, own_k, verify=verify)
        nested = _read_nested(place, names, ["kind"]) if kind == "nested" else _read_tree(place, names, own_k)
    except DocumentError:
        raise
    except ValueError as error:
        raise DocumentError(f"{place.path}: {error}") from error
    refuse_large(nested, columns)
    return nested


def _read_sides(place: Place, expected: Expected, k: int, *, verify: bool) -> DoubleDNF | ClassDNFs:
    """Return the terms of two classes, which have names, or of more, which are a list."""
    if expected.n_classes == 2:
        place.object(["kind", "k", "positive", "negative"])
        sides = {"1": place.key("positive"), "0": place.key("negative")}
    else:
        place.object(["kind", "k", "dnfs"])
        listed = place.key("dnfs").items(expected.n_classes, least=expected.n_classes)
        sides = {str(label): side for label, side in enumerate(listed)}
    _refuse_many(place, list(sides.values()), expected.names, expected.columns)
    terms = {name: _read_terms(side, expected.names, k) for name, side in sides.items()}
    dnfs = {name: DNF.from_masks(expected.names, masks) for name, masks in terms.items()}
    model = DoubleDNF(dnfs["1"], dnfs["0"], k) if expected.n_classes == 2 else ClassDNFs(tuple(dnfs.values()), k)
    if verify:
        _prove(model)
    return model


def _prove(model: ClassDNFs) -> None:
    try:
        prove(model, budget=Budget(MOST_STEPS))
    except TooManySteps as error:
        raise Unproved("model must be provable within bounds; the proof takes too long.") from error
    except VerificationError as error:
        raise DocumentError(f"model must keep its promise: {error}") from error


def _refuse_many(place: Place, sides: Sequence[Place], names: tuple[str, ...], columns: int) -> None:
    """Raise an error where the terms would take too much room over so many columns and literals, before any is read."""
    terms = sum(len(side.items(MOST_TERMS)) for side in sides)
    if terms * columns > MOST_CELLS:
        raise DocumentError(f"{place.path} must have fewer terms over {columns} columns; got {terms}.")
    if terms * len(names) > MOST_TRUTHS:
        raise DocumentError(f"{place.path} must have fewer terms over {len(names)} literals; got {terms}.")


def _read_terms(place: Place, names: tuple[str, ...], k: int) -> list[int]:
    masks = []
    for item in place.items(MOST_TERMS):
        mask = mask_of(_read_codes(item, names, k))
        if not is_consistent(mask):
            raise item.error("a term without a literal and its negation")
        masks.append(mask)
    return masks


def _read_codes(place: Place, names: tuple[str, ...], most: int) -> tuple[int, ...]:
    return tuple(code.integer(0, 2 * len(names) - 1) for code in place.items(most))


def _read_nested(place: Place, names: tuple[str, ...], more: list[str]) -> NestedDNF:
    place.object([*more, "k", "matrix", "prefixes"])
    k = place.key("k").integer(0, 1000)
    matrix = tuple(_read_codes(row, names, k) for row in place.key("matrix").items(k))
    prefixes = tuple(
        tuple(length.integer(0, k) for length in r.items(len(matrix))) for r in place.key("prefixes").items(MOST_TERMS)
    )
    return NestedDNF(names, matrix, prefixes, k)


def _read_tree(place: Place, names: tuple[str, ...], k: int) -> NestedTree:
    place.object(["kind", "k", "root"])
    left = [MOST_NODES]

    def read(node: Place, depth: int) -> Node:
        left[0] -= 1
        if left[0] < 0:
            raise DocumentError(f"{place.path} must have at most {MOST_NODES} nodes; got more.")
        if depth > k:
            raise DocumentError(f"{place.path} must have at most k = {k} splits above each leaf; got more.")
        if isinstance(node.value, dict) and "feature" in node.value:
            node.object(["feature", "if_false", "if_true"])
            feature = node.key("feature").integer(0, len(names) - 1)
            return Split(feature, read(node.key("if_false"), depth + 1), read(node.key("if_true"), depth + 1))
        nested = _read_nested(node, names, ["complemented"])
        return Leaf.of(nested, complemented=node.key("complemented").boolean())

    return NestedTree(names, read(place.key("root"), 0), k)
