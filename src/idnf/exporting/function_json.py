"""The function of a model file: a nested DNF, a nested tree, or the terms of each class, as literal codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from idnf.exporting.codecs import Codec, Fields, integer, record, row, sized, tagged
from idnf.exporting.documents import DocumentError, Place
from idnf.exporting.proving import prove, refuse_large
from idnf.logic.class_dnfs import ClassDNFs, DoubleDNF
from idnf.logic.dnf import DNF
from idnf.logic.literals import codes_of, is_consistent, mask_of
from idnf.logic.model import Model
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import AnyLeaf, Leaf, NestedTree, Node, Split, fold

T = TypeVar("T")

MOST_TERMS = 50_000
MOST_NODES = 50_000
MOST_CELLS = 50_000_000
MOST_TRUTHS = 250_000_000
"""The most terms times literals; a term has a bit for each of them and for its negation."""


@dataclass(frozen=True)
class Expected:
    """What the model in a document must be: over these features, of at most k conditions, for so many classes."""

    names: tuple[str, ...]
    k: int
    n_classes: int
    columns: int = 0

    @classmethod
    def of(cls, model: Model) -> Expected:
        """Return what a model itself is."""
        return cls(model.names, model.k, model.n_classes)

    @property
    def code(self) -> Codec[int]:
        """The codec of literal codes."""
        return integer(0, 2 * len(self.names) - 1)


def model_to_plain(model: Model) -> object:
    """Return a model as plain data.

    >>> model_to_plain(DNF.parse("a & ~b").double())
    {'kind': 'double', 'k': 2, 'positive': [[0, 3]], 'negative': [[1], [2]]}
    """
    return function(Expected.of(model)).write(model)


def function(expected: Expected, *, verify: bool = False) -> Codec[Model]:
    """Return the codec of models.

    A nested DNF or tree keeps its promise by its shape; the terms of two or more classes are proved to keep it.
    """

    def of(fields: Callable[[Expected], Codec[Any]]) -> Codec[Any]:
        return sized("k", integer(0, expected.k), lambda k: fields(replace(expected, k=k)))

    def refuse_wrong(_: Place, model: ClassDNFs) -> None:
        if verify:
            labels = (1, 0) if model.n_classes == 2 else range(model.n_classes)
            prove({str(label): model.side(label) for label in labels}, model.k)

    def refuse_long(_: Place, model: Model) -> None:
        refuse_large(model, expected.columns)

    if expected.n_classes > 2:
        return tagged({"classes": of(_classes).checked(refuse_wrong)})
    nested = {"nested": of(_nested), "tree": of(_tree)}
    small = {
        kind: form.checked(lambda _, model: refuse_large(model, expected.columns)) for kind, form in nested.items()
    }
    return tagged({**small, "double": of(_double).checked(refuse_wrong)})


def _nested(expected: Expected, beside: str = "kind") -> Codec[NestedDNF]:
    k = expected.k
    matrix, prefixes = expected.code.many(k).many(k), integer(0, k).many(k).many(MOST_TERMS)
    fields: Fields = {"k": integer(0, k), "matrix": matrix, "prefixes": prefixes}
    return record(partial(NestedDNF, expected.names), fields, beside=[beside])


def _double(expected: Expected) -> Codec[DoubleDNF]:
    side = _terms(expected)
    fields: Fields = {"k": integer(0, expected.k), "positive": side, "negative": side}
    return _of_room(expected, record(DoubleDNF, fields, beside=["kind"]), ("positive", "negative"))


def _classes(expected: Expected) -> Codec[ClassDNFs]:
    dnfs = _of_room(expected, row(*[_terms(expected)] * expected.n_classes))
    return record(ClassDNFs, {"k": integer(0, expected.k), "dnfs": dnfs}, beside=["kind"])


def _terms(expected: Expected) -> Codec[DNF]:
    codes = expected.code.many(expected.k)
    term = codes.made(lambda found: mask_of(found), lambda mask: tuple(codes_of(mask))).where(
        is_consistent, "a term without a literal and its negation"
    )
    return term.many(MOST_TERMS).made(
        lambda masks: DNF.from_masks(expected.names, masks), lambda dnf: tuple(filter(is_consistent, dnf.masks))
    )


def _of_room(expected: Expected, codec: Codec[T], keys: Sequence[str] = ()) -> Codec[T]:
    """Return the codec that refuses terms that would take too much room over so many columns and literals unread."""

    def read(place: Place) -> T:
        sides = [place.key(key) for key in keys] or place.items(expected.n_classes)
        terms = sum(len(side.items(MOST_TERMS)) for side in sides)
        for most, count, what in (
            (MOST_CELLS, expected.columns, "columns"),
            (MOST_TRUTHS, len(expected.names), "literals"),
        ):
            if terms * count > most:
                raise DocumentError(f"model must have fewer terms over {count} {what}; got {terms}.")
        return codec.read(place)

    return replace(codec, read=read)


def _tree(expected: Expected) -> Codec[NestedTree]:
    fields: Fields = {"k": integer(0, expected.k), "root": _root(expected)}
    return record(partial(NestedTree, expected.names), fields, beside=["kind"])


def _root(expected: Expected) -> Codec[Node]:
    """Return the codec of trees, each of which is counted and measured while it is read."""
    leaf = _leaf(expected)

    def read(place: Place) -> Node:
        left = [MOST_NODES]

        def node(here: Place, depth: int) -> Node:
            left[0] -= 1
            if left[0] < 0:
                raise DocumentError(f"model must have at most {MOST_NODES} nodes; got more.")
            if depth > expected.k:
                raise DocumentError(f"model must have at most k = {expected.k} splits above each leaf; got more.")
            if not here.has("feature"):
                return leaf.read(here)
            here.object(["feature", "if_false", "if_true"])
            feature = here.key("feature").integer(0, len(expected.names) - 1)
            return Split(feature, node(here.key("if_false"), depth + 1), node(here.key("if_true"), depth + 1))

        return node(place, 0)

    def split(feature: int, low: object, high: object) -> object:
        return {"feature": feature, "if_false": low, "if_true": high}

    return Codec(read, lambda root: fold(root, leaf.write, split))


def _leaf(expected: Expected) -> Codec[AnyLeaf]:
    nested = sized("k", integer(0, 1000), lambda k: _nested(replace(expected, k=k), "complemented"))

    def write(leaf: AnyLeaf) -> dict[str, object]:
        assert isinstance(leaf, Leaf), "a tree of two classes has nested DNFs at its leaves"
        return {"complemented": leaf.label == 0, **nested.write(leaf.nested)}

    return Codec(lambda place: Leaf.of(nested.read(place), complemented=place.key("complemented").boolean()), write)
