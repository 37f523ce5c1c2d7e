"""A kind of model that the library does not have: if this term then this label, else if that one, and so on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

from idnf.logic.boxes import Space
from idnf.logic.class_dnfs import ClassDNFs
from idnf.logic.dnf import DNF
from idnf.logic.literals import is_consistent, renumber
from idnf.logic.transversals import complement_terms


class DecisionList(ClassDNFs):
    """Terms with labels, in order, and the label of what meets none; k is the bound on reasons."""

    kind: ClassVar[str] = "list"

    def __init__(
        self,
        names: Sequence[str],
        rules: Sequence[tuple[int, int]],
        otherwise: int,
        n_classes: int,
        k: int | None = None,
        space: Space | None = None,
    ) -> None:
        self.rules, self.otherwise = tuple(rules), otherwise
        masks: list[list[int]] = [[] for _ in range(n_classes)]
        for i, (term, label) in enumerate([*self.rules, (0, otherwise)]):
            apart = complement_terms([earlier for earlier, _ in self.rules[:i]])
            masks[label] += [term | left for left in apart if is_consistent(term | left)]
        dnfs = [DNF.from_masks(names, side) for side in masks]
        super().__init__(dnfs, max(map(int.bit_count, sum(masks, []))) if k is None else k, space)

    @property
    def literal_count(self) -> int:
        """The number of literals written."""
        return sum(term.bit_count() for term, _ in self.rules)

    def renumber(self, names: tuple[str, ...], place: Mapping[int, int]) -> Self:
        """Return the list over other names."""
        rules = [(renumber(term, place), label) for term, label in self.rules]
        return type(self)(names, rules, self.otherwise, self.n_classes, self.k)

    def within(self, k: int) -> Self:
        """Return the list as a model of another bound."""
        return type(self)(self.names, self.rules, self.otherwise, self.n_classes, k, self.space)
