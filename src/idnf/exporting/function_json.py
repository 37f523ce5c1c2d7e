"""The function of a model file: a nested DNF, a nested tree, or the terms of each class, as literal codes.

The guarantee of a model from a file, proved again within a bound on the work, and that of its printed lines.

A model is kept as Boolean terms, which know nothing of columns: `age <= 30` and `age <= 40` are two features there, and
terms that differ over features may be one over columns. What people read are boxes over columns. They are proved by
themselves, cell by cell: lines of different classes exclude each other, no row is left out, no line has more than k
conditions, and no line holds a row to which the model's own terms give another class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, TypeVar

from idnf.columns.column import TableColumn
from idnf.explaining.explainer import Explainer
from idnf.explaining.reading import line_words
from idnf.explaining.wording import label_words
from idnf.exporting.documents import Codec, DocumentError, Fields, Place, integer, record, row, sized, tagged
from idnf.logic.boxes import Space
from idnf.logic.checklists import MOST_ITEMS, MOST_POINTS, Checklist
from idnf.logic.class_dnfs import ClassDNFs, DoubleDNF
from idnf.logic.cubes import Layout, Meeting, first_overlap, is_covered
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.dnf import DNF
from idnf.logic.literals import codes_of, is_consistent, mask_of
from idnf.logic.model import Model
from idnf.logic.nested import NestedDNF
from idnf.logic.sides import LARGE, Boxes, ClassBoxes
from idnf.logic.trees import AnyLeaf, Leaf, NestedTree, Node, Split, fold
from idnf.logic.verification import Certificate, Partition, VerificationError, Words

MOST_PAIRS = 500_000_000
"""The most pairs of opposite terms that are compared."""

MOST_STEPS = 5_000_000
"""The most terms that are looked at, counted once for each case, to prove that no point escapes."""

MOST_CHOICES = 1 << 21
"""The most ways to refute a nested DNF row by row that are gone through to write down its complement."""


MOST_MASKS = 20_000_000
"""The most cells of columns, term by term, that a side may take when both sides are large."""


class Unproved(DocumentError):
    """A model that may well keep its promise, but is too large for the proof."""


def refuse_large(model: Model, columns: int) -> None:
    """Raise an error for a nested model whose sides would take too long to write down over that many columns."""
    sizes = [
        sum(leaf.most_terms(label) for _, leaf in NestedTree.of(model).leaves()) for label in range(model.n_classes)
    ]
    several = model.n_classes > 2 or min(sizes) > LARGE
    if max(sizes) > MOST_CHOICES or (several and max(sizes) * columns > MOST_MASKS):
        raise DocumentError(f"model must have sides that can be written down; got about {max(sizes)} terms.")


def prove(model: ClassDNFs, classes: Sequence[object] | None = None, *, budget: Budget | None = None) -> Certificate:
    """Prove that the terms of classes keep their promise, within a budget and a bound on the pairs of opposite terms.

    >>> from idnf.logic.dnf import DNF
    >>> prove(DNF.parse("a & b").double()).terms
    (1, 2)
    """
    if sum(one.size * other.size for one, other in combinations(model.dnfs, 2)) > MOST_PAIRS:
        raise Unproved(f"model must have at most {MOST_PAIRS} pairs of opposite terms to be proved.")
    return model.verify(classes, budget=budget)


class NotMonotone(DocumentError):
    """A constraint that a model file claims and its model breaks."""


def prove_monotone(
    sides: ClassBoxes, columns: Sequence[TableColumn], constraints: Mapping[str, int], budget: Budget | None = None
) -> None:
    """Raise an error for a model of two classes that breaks a monotone constraint.

    A class rises with a column iff each of its terms, stretched upwards on that column, stays inside the class: then no
    term of the other class meets it.
    """
    label = 0 if sides.terms[1] is None else 1
    own, opposite = sides.terms[label] or (), sides.terms[1 - label]
    ways = {j: constraints.get(column.name, 0) * (1 if label else -1) for j, column in enumerate(columns)}
    stretched = [
        (j, box, mask)
        for j, way in ways.items()
        if way
        for box in own
        if (mask := _longer(box[j], columns[j], way)) != box[j]
    ]
    if not stretched:
        return
    if opposite is None or len(stretched) * len(opposite) > MOST_PAIRS:
        where = f"settings.monotonic_cst[{columns[stretched[0][0]].name!r}]"
        raise Unproved(f"{where} must hold for the model; a side of it is too large for the proof.")
    used = sides.frame.columns
    layout = Layout(tuple(sides.space.columns[j].size for j in used))
    others = Meeting([layout.mask(tuple(box[i] for i in used)) for box in opposite], layout)
    for j, box, mask in stretched:
        longer = layout.mask(tuple(mask if i == j else box[i] for i in used))
        if any(others.pairs([longer], budget=budget)):
            raise NotMonotone(f"settings.monotonic_cst[{columns[j].name!r}] must hold for the model; it does not.")


def _longer(mask: int, column: TableColumn, way: int) -> int:
    known = mask & column.known_mask
    if not known:
        return mask
    upwards = column.known_mask & -(known & -known)
    downwards = (1 << known.bit_length()) - 1
    return mask | (upwards if way == 1 else downwards)


LINES = Words("rows", "row", "line", "reason", "condition", "{}")

# More pairs of lines of different classes than this are not compared.
_MOST_PAIRS = 1_000_000


def prove_lines(explainer: Explainer, *, first: int | None = None, budget: Budget | None = None) -> Certificate | None:
    """Prove the lines of a model as they are printed; None if its reasons are too many to list.

    The order is that of the text; see :meth:`idnf.explaining.reading.Reading.order` for ``first``. Raises
    :class:`idnf.logic.verification.VerificationError` where the lines are not the model, and
    :class:`idnf.logic.deadlines.TooManySteps` where the budget is not enough.

    >>> from idnf.logic.boxes import Space
    >>> from idnf.logic.dnf import DNF
    >>> explainer = Explainer.of(DNF.parse("a & b | c").double(), Space.boolean("abc"), classes=("no", "yes"))
    >>> prove_lines(explainer).terms
    (2, 2)
    """
    if budget is not None:
        explainer = replace(explainer, sides=replace(explainer.sides, budget=budget))
    sides = explainer.sides
    printed = printed_boxes(explainer, first=first)
    if printed is None:
        return None
    layout = Layout.of(sides.frame.inner)
    names = tuple(label_words(explainer.classes[label]) for label in printed)
    masks = [list(map(layout.mask, boxes)) for boxes in printed.values()]
    partition = Partition(names, masks, sides.k, layout, lambda mask: line_words(explainer, layout.box(mask)), LINES)
    if partition.pairs > _MOST_PAIRS:
        return None
    certificate = partition.prove(budget=budget)
    for label, lines in zip(printed, masks, strict=True):
        wrong = _outside_model(sides, label, lines, layout, budget)
        if wrong is not None:
            raise VerificationError(f"every line must lie in its class; got {partition.text(wrong)}, which does not.")
    return certificate


def lines_of(explainer: Explainer, budget: Budget) -> Certificate | None:
    """Return the proof of the lines, or nothing if they take longer to list than there is time."""
    try:
        return prove_lines(explainer, budget=budget)
    except TooManySteps:
        return None


def printed_boxes(explainer: Explainer, *, first: int | None = None) -> dict[int, Boxes] | None:
    """Return the lines of the classes that are listed, then all reasons of the last one, as boxes of the frame."""
    if None in explainer.sides.reasons:
        return None
    reading = explainer.reading
    *listed, last = reading.order(first)
    return {label: reading.boxes[label] for label in listed} | {last: explainer.sides.reasons[last] or ()}


def _outside_model(
    sides: ClassBoxes, label: int, lines: list[int], layout: Layout, budget: Budget | None
) -> int | None:
    """Return a line that meets a term of another class, or, where those are not written down, leaves its own terms."""
    opposite: list[Boxes | None] = [sides.inner[other] for other in sides.others(label)]
    if None not in opposite:
        others = [layout.mask(box) for side in opposite for box in side or ()]
        pair = first_overlap(lines, others, layout=layout, budget=budget)
        return None if pair is None else pair[0]
    own = list(map(layout.mask, sides.inner[label] or ()))
    return next((line for line in lines if not is_covered(line, own, layout, budget=budget)), None)


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
        raise Unproved("model must be provable within bounds; the proof takes too long.") from error
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
