"""The value of a model on many examples at once, and how many terms it is written with."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from idnf.logic.literals import codes_of, feature_of, is_negated
from idnf.logic.model import Model

# Examples handled at a time: the columns in use stay in cache.
_BLOCK = 1 << 15
# Terms of a class that are counted at most.
_MOST_TERMS = 2048


def holds(model: Model, features: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return whether each example, a row of Boolean features, is of class 1.

    >>> from idnf.logic.dnf import DNF
    >>> holds(DNF.parse("a & ~b").double(), np.array([[1, 0], [1, 1]], dtype=bool)).tolist()
    [True, False]
    """
    return Asked(features).holds(model)


def labels_of(model: Model, features: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Return the number of the class of each example, a row of Boolean features.

    >>> from idnf.logic.class_dnfs import ClassDNFs
    >>> three = ClassDNFs.from_truth_table("ab", [0, 1, 2, 1])
    >>> labels_of(three, np.array([[1, 0], [0, 0], [0, 1]], dtype=bool)).tolist()
    [1, 0, 2]
    """
    return Asked(features).labels(model)


class Asked:
    """Examples of which many models are asked: each column in use is packed once.

    Parameters
    ----------
    features : ndarray of shape (n_examples, n_features), dtype=bool

    Examples
    --------
    >>> from idnf.logic.dnf import DNF
    >>> asked = Asked(np.array([[1, 0], [1, 1]], dtype=bool))
    >>> [asked.holds(DNF.parse(text, names="ab").double()).tolist() for text in ("a & b", "~b")]
    [[False, True], [True, False]]
    """

    def __init__(self, features: NDArray[np.bool_]) -> None:
        self.count = len(features)
        self._blocks = [_Literals(features[start : start + _BLOCK]) for start in range(0, self.count, _BLOCK)]

    def holds(self, model: Model, label: int = 1) -> NDArray[np.bool_]:
        """Return whether each example is of one class."""
        if len(self._blocks) == 1:
            return self._blocks[0].unpacked(model.members(self._blocks[0], label))
        values = np.empty(self.count, dtype=bool)
        for number, block in enumerate(self._blocks):
            values[number * _BLOCK : (number + 1) * _BLOCK] = block.unpacked(model.members(block, label))
        return values

    def labels(self, model: Model) -> NDArray[np.intp]:
        """Return the number of the class of each example."""
        given = np.zeros(self.count, dtype=np.intp)
        for label in range(1, model.n_classes):
            given[self.holds(model, label)] = label
        return given


class _Literals:
    """The columns of a block of examples as literals: integers with a bit for each example, each made once."""

    def __init__(self, block: NDArray[np.bool_]) -> None:
        self.block = block
        self.everything = (1 << len(block)) - 1
        self.known: dict[int, int] = {}

    def __getitem__(self, code: int) -> int:
        found = self.known.get(code)
        if found is None:
            column = np.ascontiguousarray(self.block[:, feature_of(code)])
            packed = np.packbits(column, bitorder="little")
            found = int.from_bytes(packed.tobytes(), "little")
            found = self.known[code] = found ^ self.everything if is_negated(code) else found
        return found

    def any_of(self, masks: Iterable[int]) -> int:
        """Return where some term holds."""
        some = 0
        for mask in masks:
            every = self.everything
            for code in codes_of(mask):
                every &= self[code]
            some |= every
        return some

    def unpacked(self, examples: int) -> NDArray[np.bool_]:
        """Return a set of examples as an array."""
        count = len(self.block)
        line = np.frombuffer(examples.to_bytes((count + 7) // 8, "little"), dtype=np.uint8)
        return np.unpackbits(line, count=count, bitorder="little").view(np.bool_)


def term_count(model: Model) -> int:
    """Return the number of terms of all classes as the model writes them; of each class, counted up to 2048.

    >>> from idnf.logic.dnf import DNF
    >>> term_count(DNF.parse("a & b | c & d").double())
    6
    """
    return sum(sum(1 for _ in islice(model.terms(label), _MOST_TERMS)) for label in range(model.n_classes))
