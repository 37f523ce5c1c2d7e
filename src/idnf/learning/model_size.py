"""What a model is written with: terms of the class it is for, and terms of both classes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from idnf.logic.double import DoubleDNF
from idnf.logic.learned_models import Model
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf

_MOST_TERMS = 2048


def term_count(model: Model) -> int:
    """Return the number of terms of both classes as the model writes them; of each class, counted up to 2048.

    >>> from idnf.logic.dnf import DNF
    >>> term_count(DNF.parse("a & b | c & d").double())
    6
    """
    return sum(sum(1 for _ in islice(_terms(model, value), _MOST_TERMS)) for value in (False, True))


def own_terms(model: Model) -> tuple[list[int], bool]:
    """Return the terms of the class a model is written for, and whether that is class 0.

    >>> from idnf.logic.dnf import DNF
    >>> own_terms(DNF.parse("a & b | a & c").double())
    ([2, 40], True)
    """
    if isinstance(model, NestedDNF):
        return model.masks(), False
    if isinstance(model, DoubleDNF):
        complemented = model.negative.length < model.positive.length
        return list(model.side(not complemented).masks), complemented
    if isinstance(model.root, Leaf) and model.root.complemented:
        return model.root.nested.masks(), True
    return model.masks(True), False


def _terms(model: Model, value: bool) -> Iterator[int]:
    if isinstance(model, DoubleDNF):
        yield from model.side(value).masks
    elif isinstance(model, NestedDNF):
        yield from model.masks() if value else model.complement_masks()
    else:
        for _, leaf in model.leaves():
            yield from _terms(leaf.nested, value != leaf.complemented)
