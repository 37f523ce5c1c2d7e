"""The function of a model file: a nested DNF, a nested tree, or the terms of each class, as literal codes.

What is read keeps its promise: that is proved, within a bound on the work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from idnf.exporting.documents import Codec, DocumentError, Fields, Place, integer, record, row, sized, tagged
from idnf.logic.boxes import Space
from idnf.logic.checklists import MOST_ITEMS, MOST_POINTS, Checklist
from idnf.logic.class_dnfs import ClassDNFs, DoubleDNF
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.dnf import DNF
from idnf.logic.literals import codes_of, is_consistent, mask_of
from idnf.logic.model import Model
from idnf.logic.nested import NestedDNF
from idnf.logic.sides import LARGE
from idnf.logic.trees import AnyLeaf, Leaf, NestedTree, Node, Split, fold
from idnf.logic.verification import VerificationError
from idnf.proving.guarantee import MOST_STEPS, Unproved, prove

MOST_CHOICES = 1 << 21
"""The most ways to refute a nested DNF row by row that are gone through to write down its complement."""


MOST_MASKS = 20_000_000
"""The most cells of columns, term by term, that a side may take when both sides are large."""


def refuse_large(model: Model, columns: int) -> None:
    """Raise an error for a nested model whose sides would take too long to write down over that many columns."""
    sizes = [
        sum(leaf.most_terms(label) for _, leaf in NestedTree.of(model).leaves()) for label in range(model.n_classes)
    ]
    several = model.n_classes > 2 or min(sizes) > LARGE
    if max(sizes) > MOST_CHOICES or (several and max(sizes) * columns > MOST_MASKS):
        raise DocumentError(f"model must have sides that can be written down; got about {max(sizes)} terms.")


T = TypeVar("T")

MOST_TERMS = 50_000
MOST_NODES = 50_000
MOST_DEPTH = 200
"""The most splits above a leaf of a tree whose paths may ask of a column more than once."""
MOST_CELLS = 50_000_000
MOST_TRUTHS = 250_000_000
"""The most terms times literals; a term has a bit for each of them and for its negation."""


@dataclass(frozen=True)
class Expected:
    """What the model in a document must be: over these features, in this space, of this bound and number of classes."""

    names: tuple[str, ...]
    k: int
    n_classes: int
    columns: int = 0
    space: Space | None = None

    @classmethod
    def of(cls, model: Model) -> Expected:
        """Return what a model itself is."""
        return cls(model.names, model.k, model.n_classes, space=model.space)

    @property
    def code(self) -> Codec[int]:
        """The codec of literal codes."""
        return integer(0, 2 * len(self.names) - 1)

    def refuse_many(self, terms: int) -> None:
        """Raise an error for terms that would take too much room over that many columns and literals."""
        bounds = ((MOST_CELLS, self.columns, "columns"), (MOST_TRUTHS, len(self.names), "literals"))
        for most, count, what in bounds:
            if terms * count > most:
                raise DocumentError(f"model must have fewer terms over {count} {what}; got {terms}.")


def model_to_plain(model: Model) -> object:
    """Return a model as plain data.

    >>> model_to_plain(DNF.parse("a & ~b").double())
    {'kind': 'double', 'k': 2, 'positive': [[0, 3]], 'negative': [[1], [2]]}
    """
    return function(Expected.of(model)).write(model)


def _prove(model: ClassDNFs) -> None:
    try:
        prove(model, budget=Budget(MOST_STEPS))
    except TooManySteps as error:
        raise DocumentError("model must be provable within bounds; the proof takes too long.") from error
    except Unproved as error:
        raise DocumentError(str(error)) from error
    except VerificationError as error:
        raise DocumentError(f"model must keep its promise: {error}") from error


def function(expected: Expected, *, verify: bool = False) -> Codec[Model]:
    """Return the codec of models.

    A nested DNF or a tree of two classes keeps its promise by its shape; terms, and trees that may have terms at their
    leaves, are proved to keep it.
    """

    def of(fields: Callable[[Expected], Codec[Any]]) -> Codec[Any]:
        return sized("k", integer(0, expected.k), lambda k: fields(replace(expected, k=k)))

    def refuse_wrong(_: Place, model: Model) -> None:
        if verify:
            _prove(ClassDNFs.of(model))

    def refuse_long(_: Place, model: Model) -> None:
        refuse_large(model, expected.columns)

    if expected.n_classes > 2:
        tree = of(_tree).checked(refuse_long).checked(refuse_wrong)
        return tagged({"tree": tree, "classes": of(_classes).checked(refuse_wrong)})
    return tagged(
        {
            "nested": of(_nested).checked(refuse_long),
            "tree": of(_tree).checked(refuse_long),
            "double": of(_double).checked(refuse_wrong),
            "checklist": of(_checklist).checked(refuse_wrong),
        }
    )


def _nested(expected: Expected, beside: Sequence[str] = ("kind",)) -> Codec[NestedDNF]:
    k = expected.k
    matrix, prefixes = expected.code.many(k).many(k), integer(0, k).many(k).many(MOST_TERMS)
    fields: Fields = {"k": integer(0, k), "matrix": matrix, "prefixes": prefixes}
    return record(partial(NestedDNF, expected.names), fields, beside=beside)


def _double(expected: Expected) -> Codec[DoubleDNF]:
    side = _terms(expected)
    fields: Fields = {"k": integer(0, expected.k), "positive": side, "negative": side}
    make = partial(DoubleDNF, space=expected.space)
    return _of_room(expected, record(make, fields, beside=["kind"]), ("positive", "negative"))


def _checklist(expected: Expected) -> Codec[Checklist]:
    fields: Fields = {
        "k": integer(0, expected.k),
        "codes": expected.code.many(MOST_ITEMS),
        "least": integer(0, MOST_POINTS * MOST_ITEMS + 1),
        "points": integer(1, MOST_POINTS).many(MOST_ITEMS),
    }
    return record(partial(Checklist, expected.names, space=expected.space), fields, beside=["kind"])


def _classes(expected: Expected, beside: Sequence[str] = ("kind",)) -> Codec[ClassDNFs]:
    dnfs = _of_room(expected, row(*[_terms(expected)] * expected.n_classes))
    make = partial(ClassDNFs, space=expected.space)
    return record(make, {"k": integer(0, expected.k), "dnfs": dnfs}, beside=beside)


def _terms(expected: Expected) -> Codec[DNF]:
    # Several literals of a column are one condition.
    codes = expected.code.many(len(expected.names))
    term = codes.made(lambda found: mask_of(found), lambda mask: tuple(codes_of(mask))).where(
        is_consistent, "a term without a literal and its negation"
    )
    return term.many(MOST_TERMS).made(
        lambda masks: DNF.from_masks(expected.names, masks), lambda dnf: tuple(filter(is_consistent, dnf.masks))
    )


def _of_room(expected: Expected, codec: Codec[T], keys: Sequence[str] = ()) -> Codec[T]:
    """Return the codec that leaves terms unread which would take too much room."""

    def read(place: Place) -> T:
        sides = [place.key(key) for key in keys] or place.items(expected.n_classes)
        expected.refuse_many(sum(len(side.items(MOST_TERMS)) for side in sides))
        return codec.read(place)

    return replace(codec, read=read)


def _tree(expected: Expected) -> Codec[NestedTree]:
    fields: Fields = {"k": integer(0, expected.k), "root": _root(expected)}
    make = partial(NestedTree, expected.names, n_classes=expected.n_classes, space=expected.space)
    return record(make, fields, beside=["kind"])


def _root(expected: Expected) -> Codec[Node]:
    """Return the codec of trees, whose nodes and terms are counted while they are read."""
    leaf = _leaf(expected)

    def read(place: Place) -> Node:
        nodes = terms = 0

        def node(here: Place, depth: int) -> Node:
            nonlocal nodes, terms
            nodes += 1
            if nodes > MOST_NODES:
                raise DocumentError(f"model must have at most {MOST_NODES} nodes; got more.")
            if depth > MOST_DEPTH:
                raise DocumentError(f"model must have at most {MOST_DEPTH} splits above each leaf; got more.")
            if here.has("feature"):
                here.object(["feature", "if_false", "if_true"])
                feature = here.key("feature").integer(0, len(expected.names) - 1)
                return Split(feature, node(here.key("if_false"), depth + 1), node(here.key("if_true"), depth + 1))
            if here.has("dnfs"):
                terms += sum(len(side.items(MOST_TERMS)) for side in here.key("dnfs").items(expected.n_classes))
                expected.refuse_many(terms)
            return leaf.read(here)

        return node(place, 0)

    def split(feature: int, low: object, high: object) -> object:
        return {"feature": feature, "if_false": low, "if_true": high}

    return Codec(read, lambda root: fold(root, leaf.write, split))


def _leaf(expected: Expected) -> Codec[AnyLeaf]:
    """Return the codec of leaves: terms by class, or a nested DNF beside the label if it holds and the other one."""
    label = integer(0, expected.n_classes - 1)
    between = {"label": label, "otherwise": label}
    terms = sized("k", integer(0, expected.k), lambda k: _classes(replace(expected, k=k), ()))

    def nested(beside: Sequence[str]) -> Codec[NestedDNF]:
        return sized("k", integer(0, 1000), lambda k: _nested(replace(expected, k=k), beside))

    def read(place: Place) -> AnyLeaf:
        if expected.n_classes > 2 and place.has("dnfs"):
            return terms.read(place)
        labels = {key: codec.read(place.key(key)) for key, codec in between.items()}
        return Leaf(nested(list(between)).read(place), **labels)

    def write(leaf: AnyLeaf) -> object:
        if isinstance(leaf, ClassDNFs):
            return terms.write(leaf)
        return {"label": leaf.label, "otherwise": leaf.otherwise, **nested([]).write(leaf.nested)}

    return Codec(read, write)
