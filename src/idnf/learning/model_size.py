"""The size of a model: what a reader has to read."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from idnf.logic.double import DoubleDNF
from idnf.logic.learned_models import Model
from idnf.logic.nested import NestedDNF

_MOST_TERMS = 2048


def term_count(model: Model) -> int:
    """Return the number of terms of both classes as the model writes them; of each class, counted up to 2048.

    >>> from idnf.logic.dnf import DNF
    >>> term_count(DNF.parse("a & b | c & d").double())
    6
    """
    return sum(sum(1 for _ in islice(_terms(model, value), _MOST_TERMS)) for value in (False, True))


def _terms(model: Model, value: bool) -> Iterator[int]:
    if isinstance(model, DoubleDNF):
        yield from model.side(value).masks
    elif isinstance(model, NestedDNF):
        yield from model.masks() if value else model.complement_masks()
    else:
        for _, leaf in model.leaves():
            yield from _terms(leaf.nested, value != leaf.complemented)
