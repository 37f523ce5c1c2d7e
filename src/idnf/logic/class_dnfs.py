"""DNFs by class: one DNF for each of C classes, at most k wide, every point in exactly one of them.

A function into C classes is k-interpretable when every point has a reason of at most k columns for its class. That
holds iff each function "is it class c" is, as a reason for another class is a reason for "not c". A double DNF is the
case of two classes, the pair everything downstream works on.

The space defines the columns and the points that exist. The default is the paper's: every feature is a column of its
own, so sizes count literals, and every Boolean point exists.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain
from operator import or_
from typing import ClassVar, Self

from idnf.logic.boxes import Box, Space, intersection
from idnf.logic.cubes import Layout
from idnf.logic.deadlines import Budget
from idnf.logic.dnf import DNF
from idnf.logic.errors import InvalidArgument
from idnf.logic.literals import codes_of, feature_of, literal, mask_of, point_mask
from idnf.logic.model import LiteralSets, Model, Tally
from idnf.logic.parsing import term_text
from idnf.logic.primes import least_covering_size, maximal_runs_avoiding, prime_implicants
from idnf.logic.verification import COLUMNS, Certificate, Partition, VerificationError, Words


class ClassDNFs:
    """The terms of each class: together they cover every point, and none is in two classes.

    Parameters
    ----------
    dnfs : sequence of DNF
        The DNF of class 0, of class 1 and so on, over the same names.
    k : int
        The bound on the size of every term.
    space : Space, optional
        The columns that sizes count and whose cells make the points, with a literal for each name; by default every
        feature is a column of its own.

    Examples
    --------
    >>> three = ClassDNFs.from_truth_table(("a", "b"), [0, 1, 2, 1])
    >>> print(*three.dnfs, sep=" / ")
    ~a & ~b / a / ~a & b
    >>> three.k, three.evaluate({"a": 0, "b": 1})
    (2, 2)
    >>> print(three.verify())
    Proved over all Boolean points: class 0 (1 term), class 1 (1 term) and class 2 (1 term) exclude each other
    in all 3 pairs, every point meets one of them, and none has more than 2 literals.
    """

    kind: ClassVar[str] = "classes"
    only_label: ClassVar[None] = None

    def __init__(self, dnfs: Sequence[DNF], k: int, space: Space | None = None) -> None:
        if not dnfs:
            raise InvalidArgument("dnfs", "hold a DNF for each class", "none")
        names = dnfs[0].names
        for dnf in dnfs:
            if dnf.names != names:
                raise InvalidArgument("dnfs", f"have the same names {names}", dnf.names)
        self._set_up(names, k, len(dnfs), space)
        self._sides.update(enumerate(dnfs))

    def _set_up(
        self, names: tuple[str, ...], k: int, n_classes: int, space: Space | None, source: Model | None = None
    ) -> None:
        if k < 0:
            raise InvalidArgument("k", "be 0 or more", k)
        if space is not None and len(space.literals) != len(names):
            raise InvalidArgument("space", f"have {len(names)} literals, one for each name", len(space.literals))
        self.names, self.k, self.n_classes, self.space = names, k, n_classes, space
        self._source = source
        self._sides: dict[int, DNF] = {}

    @classmethod
    def of(cls, model: Model, space: Space | None = None) -> Self:
        """Return the DNFs of a model, over its own space by default.

        Each DNF is generated on first use, since one may be very large.
        """
        space = model.space if space is None else space
        if isinstance(model, cls) and model.space == space:
            return model
        instance = cls.__new__(cls)
        instance._set_up(model.names, model.k, model.n_classes, space, model)
        return instance

    @classmethod
    def _of_dnfs(cls, dnfs: Sequence[DNF], k: int, space: Space | None) -> Self:
        """Return DNFs as one model, without the checks of a constructor."""
        instance = cls.__new__(cls)
        instance._set_up(dnfs[0].names, k, len(dnfs), space)
        instance._sides.update(enumerate(dnfs))
        return instance

    @classmethod
    def from_boxes(
        cls,
        names: Sequence[str],
        sides: Sequence[Sequence[Box]],
        space: Space,
        *,
        limit: int = 20_000,
        budget: Budget | None = None,
    ) -> Self:
        """Return the standard expression of a function over a space: for each class its maximal boxes of least size k.

        Parameters
        ----------
        names : sequence of str
            The features, in the order of the literals of the space.
        sides : sequence of sequences of Box
            For each class boxes that hold its points and no others.
        space : Space
        limit : int
            The most boxes that are held at a time.
        budget : Budget, optional
            The most work for comparing them.

        Raises
        ------
        TooManyBoxes
            If there are more.
        TooManySteps
            If the budget is not enough.

        Examples
        --------
        >>> from idnf.logic.boxes import Column
        >>> age = Column("age", ("at most 30", "31 to 45", "over 45"), ordered=True)
        >>> space = Space((age,), ((0, 0b001), (0, 0b011)))
        >>> middle = DoubleDNF.from_boxes(("age <= 30", "age <= 45"), [[(0b101,)], [(0b010,)]], space)
        >>> print(middle.k, middle.positive, middle.negative, sep="; ")
        1; ~'age <= 30' & 'age <= 45'; 'age <= 30' | ~'age <= 45'
        """
        layout = Layout.of(space)
        others = ([*sides[:label], *sides[label + 1 :]] for label in range(len(sides)))
        maximal = [
            maximal_runs_avoiding(chain.from_iterable(opposite), space, limit=limit, budget=budget)
            for opposite in others
        ]
        k = least_covering_size([layout.mask(box) for boxes in maximal for box in boxes], layout)
        dnfs = []
        for boxes in maximal:
            terms = {term for box in boxes if len(space.constrained(box)) <= k for term in space.terms(box)}
            dnfs.append(DNF.from_masks(names, sorted(terms, key=lambda term: (term.bit_count(), term))))
        return cls._of_dnfs(dnfs, k, space)

    @staticmethod
    def from_truth_table(names: Sequence[str], values: Sequence[int]) -> ClassDNFs:
        """Return the standard expression of a function: for each class its prime implicants of the least size k.

        Parameters
        ----------
        names : sequence of str
            The features.
        values : sequence of int
            The class, from 0, at each of the 2**n points; point p gives feature j the value of bit j of p.
        """
        n, values = len(names), list(values)
        if len(values) != 1 << n:
            raise InvalidArgument("values", f"have 2**{n} = {1 << n} entries, one per point", len(values))
        if min(values) < 0:
            raise InvalidArgument("values", "be classes from 0 on", min(values))
        points = [mask_of(literal(j, negated=not p >> j & 1) for j in range(n)) for p in range(1 << n)]
        members: list[list[int]] = [[] for _ in range(max(values) + 1)]
        for point, label in zip(points, values, strict=True):
            members[label].append(point)
        sides = [prime_implicants(masks) for masks in members]
        k = least_covering_size([mask for side in sides for mask in side])
        dnfs = [DNF.from_masks(names, (mask for mask in side if mask.bit_count() <= k)) for side in sides]
        return ClassDNFs(dnfs, k)

    @property
    def dnfs(self) -> tuple[DNF, ...]:
        """The DNF of class 0, of class 1 and so on."""
        return tuple(map(self.side, range(self.n_classes)))

    def side(self, label: int) -> DNF:
        """Return the DNF of one class."""
        if label not in self._sides:
            assert self._source is not None, "a side that is not in memory has a source"
            self._sides[label] = self._source.side(label)
        return self._sides[label]

    def masks(self, label: int) -> Sequence[int]:
        """Return the terms of one class."""
        return self.side(label).masks

    def terms(self, label: int) -> Iterator[int]:
        """Yield the terms of one class."""
        yield from self.side(label).masks

    def most_terms(self, label: int) -> int:
        """Return the number of terms of one class."""
        return self.side(label).size

    @property
    def labels(self) -> set[int]:
        """The classes."""
        return set(range(self.n_classes))

    @property
    def default(self) -> int:
        """The class with the most terms, predicted if no term of another class holds."""
        return max(self.labels, key=lambda label: self.side(label).size)

    @property
    def literal_count(self) -> int:
        """The number of literals in the written model: those of all classes but the longest.

        >>> ClassDNFs([DNF.parse(text, "ab") for text in ("a", "~a & b", "~a & ~b")], 2).literal_count
        3
        """
        lengths = [dnf.length for dnf in self.dnfs]
        return sum(lengths) - max(lengths)

    def own_terms(self) -> tuple[list[int], int]:
        """Return the terms of the shorter of two classes, and that class.

        >>> DNF.parse("a & b | a & c").double().own_terms()
        ([2, 40], 0)
        """
        negative, positive = self.dnfs
        label = int(positive.length <= negative.length)
        return list(self.side(label).masks), label

    def literals(self) -> set[int]:
        """Return the literals that occur."""
        return {code for dnf in self.dnfs for code in dnf.literals()}

    def features(self) -> set[int]:
        """Return the features that occur.

        >>> sorted(DNF.parse("a & ~c", names=("a", "b", "c")).double().features())
        [0, 2]
        """
        return set(map(feature_of, self.literals()))

    def renumber(self, names: tuple[str, ...], place: Mapping[int, int]) -> Self:
        """Return the terms with feature ``f`` renumbered ``place[f]``, each feature a column of its own.

        >>> print(DNF.parse("a & b | c").double().renumber(("a", "c"), {0: 0, 1: 0, 2: 1}).positive)
        a | c
        """
        return self._of_dnfs([dnf.renumber(names, place) for dnf in self.dnfs], self.k, None)

    def relabel(self, labels: Sequence[int], n_classes: int) -> ClassDNFs:
        """Return the terms with class ``c`` relabelled ``labels[c]``, one of ``n_classes``."""
        dnfs = [DNF.from_masks(self.names, ())] * n_classes
        for label, dnf in zip(labels, self.dnfs, strict=True):
            dnfs[label] = dnf
        return ClassDNFs(dnfs, self.k)

    def node(self) -> Self:
        """Return the terms themselves, which are a leaf."""
        return self

    def leaf(self) -> None:
        """Return None: terms are not a nested DNF."""

    @property
    def tally(self) -> Tally | None:
        """None: terms are not a checklist."""
        return None

    @property
    def nested_form(self) -> None:
        """None: terms are not written as a nested DNF or tree."""
        return None

    def within(self, k: int) -> Self:
        """Return the same terms with another bound."""
        return self._of_dnfs(self.dnfs, k, self.space)

    def members(self, examples: LiteralSets, label: int) -> int:
        """Return the examples of one class; the terms of the class with the most terms are not evaluated."""
        if label != self.default:
            return examples.any_of(self.side(label).masks)
        others = (mask for other, dnf in enumerate(self.dnfs) if other != label for mask in dnf.masks)
        return examples.any_of(others) ^ examples.everything

    def evaluate(self, point: Mapping[str, int]) -> int:
        """Return the class at one point, the first of several if classes overlap."""
        true = point_mask(self.names, point)
        for label, dnf in enumerate(self.dnfs):
            if any(mask & true == mask for mask in dnf.masks):
                return label
        raise InvalidArgument("every point", "satisfy a term", f"none at {dict(point)}")

    def least_k(self) -> int:
        """Return the least bound that this function can keep; there can be exponentially many prime implicants.

        >>> ClassDNFs((DNF.parse("a & b | a & ~b"), DNF.parse("~a", ["a", "b"])), 2).least_k()
        1
        """
        space = Space.boolean(self.names) if self.space is None else self.space
        return ClassDNFs.from_boxes(self.names, list(map(space.boxes, self.dnfs)), space).k

    def in_literals(self) -> ClassDNFs:
        """Return a function over all Boolean points that is this one over those that exist; its k counts literals.

        At points that do not exist, terms of different classes may overlap or leave gaps. There a class with fewer
        terms takes precedence, and the class with the most terms takes the rest.

        >>> from idnf.logic.boxes import Column
        >>> age = Space((Column("age", ("at most 30", "31 to 45", "over 45"), ordered=True),), ((0, 0b001), (0, 0b011)))
        >>> middle = ClassDNFs.from_boxes(("age <= 30", "age <= 45"), [[(0b101,)], [(0b010,)]], age)
        >>> middle.k, middle.in_literals().k
        (1, 2)
        """
        plain = ClassDNFs._of_dnfs(self.dnfs, self.k, None)
        try:
            plain.verify()
        except VerificationError:
            space = Space.boolean(self.names)
            boxes, taken = list(map(space.boxes, self.dnfs)), list[Box]()
            *first, last = sorted(range(self.n_classes), key=lambda label: len(boxes[label]))
            for label in first:
                gaps = maximal_runs_avoiding(taken, space)
                taken += boxes[label]
                boxes[label] = [part for box in boxes[label] for gap in gaps if (part := intersection(box, gap))]
            boxes[last] = maximal_runs_avoiding(taken, space)
            standard = ClassDNFs.from_boxes(self.names, boxes, space)
            return ClassDNFs._of_dnfs(standard.dnfs, max(self.k, standard.k), None)
        return plain

    def verify(self, classes: Sequence[object] | None = None, *, budget: Budget | None = None) -> Certificate:
        """Prove widths, conflicts and that no point is left out, from the terms alone.

        Widths count columns of the space, and points are those that exist in it. Of two classes class 1 comes first,
        of more class 0.

        Parameters
        ----------
        classes : sequence, optional
            The names of the classes; their numbers by default.
        budget : Budget, optional
            The most work; :class:`idnf.logic.deadlines.TooManySteps` is raised if it is not enough.

        Raises
        ------
        VerificationError
            Names the term that is too wide, the pair of terms that overlaps or the point that is left out.
        """
        names = range(self.n_classes) if classes is None else classes
        return self._partition(list(map(str, names))).prove(budget=budget)

    def _partition(self, class_names: Sequence[str]) -> Partition:
        """Return the claim to be proved, its terms as masks of the cells that they exclude."""
        space, words = (Space.boolean(self.names), Words()) if self.space is None else (self.space, COLUMNS)
        layout, order = Layout.of(space), slice(None, None, -1 if self.n_classes == 2 else 1)
        excluded = layout.exclusions(space)
        sides = [
            {reduce(or_, [excluded[code] for code in codes_of(mask)], 0): mask for mask in dnf.masks}
            for dnf in self.dnfs
        ][order]

        def text(mask: int) -> str:
            term = next((terms[mask] for terms in sides if mask in terms), None)
            if term is None:
                term = next(space.terms(space.expressible(layout.box(mask))))
            return term_text(term, self.names)

        return Partition(tuple(class_names[order]), list(map(list, sides)), self.k, layout, text, words)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ClassDNFs):
            return NotImplemented
        return (self.k, self.dnfs, self.space) == (other.k, other.dnfs, other.space)

    def __hash__(self) -> int:
        return hash((self.k, self.dnfs[-1]))

    def __repr__(self) -> str:
        return f"ClassDNFs(k={self.k}, {', '.join(repr(str(dnf)) for dnf in self.dnfs)})"


class DoubleDNF(ClassDNFs):
    """Two complementary DNFs whose terms restrict at most k columns, or literals if every feature is a column.

    Parameters
    ----------
    positive, negative : DNF
        The terms of class 1 and of class 0, over the same names.
    k : int
        The bound on the size of every term.
    space : Space, optional
        As for :class:`ClassDNFs`.

    Examples
    --------
    >>> d = DNF.parse("a & b | c").double()
    >>> print(d.positive, "/", d.negative, "/", d.k)
    c | a & b / ~a & ~c | ~b & ~c / 2
    >>> d.verify().conflicts
    4
    """

    kind: ClassVar[str] = "double"

    def __init__(self, positive: DNF, negative: DNF, k: int, space: Space | None = None) -> None:
        if positive.names != negative.names:
            raise InvalidArgument("negative", "have the names of positive", negative.names)
        super().__init__((negative, positive), k, space)

    @property
    def positive(self) -> DNF:
        """The DNF of class 1."""
        return self.side(1)

    @property
    def negative(self) -> DNF:
        """The DNF of class 0."""
        return self.side(0)

    def __repr__(self) -> str:
        return f"DoubleDNF(k={self.k}, positive={str(self.positive)!r})"
