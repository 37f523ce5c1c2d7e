"""What a model is written with: terms of the class it is for, and terms of both classes."""

from __future__ import annotations

from itertools import islice

from idnf.logic.model import Model

_MOST_TERMS = 2048


def term_count(model: Model) -> int:
    """Return the number of terms of all classes as the model writes them; of each class, counted up to 2048.

    >>> from idnf.logic.dnf import DNF
    >>> term_count(DNF.parse("a & b | c & d").double())
    6
    """
    return sum(sum(1 for _ in islice(model.terms(label), _MOST_TERMS)) for label in range(model.n_classes))
