"""That a model is the nearest one that obeys rules, or that none of short reasons can: claims with checks of their own.

The checks go by other means than the answers: by truth table or SAT, and through all sets of columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from idnf.auditing.proofs import Claim, Masks, refuted
from idnf.explaining.checking import CheckError


@dataclass(frozen=True)
class Nearest:
    """That a new model of two classes differs from an old one only where rules want a class that the old one breaks.

    Every model that obeys differs from the old one there, so none is nearer.

    Parameters
    ----------
    sizes : sequence of int
        The number of cells of each column.
    old, new : sequences of lists of boxes
        For each class the boxes that give it.
    wanted : sequence of lists of boxes
        For each class the rows that rules want to have it.

    Examples
    --------
    >>> Nearest((2,), ([(3,)], []), ([(1,)], [(2,)]), ([], [(2,)])).check()
    'proved by truth table'
    """

    sizes: Sequence[int]
    old: Sequence[Sequence[Masks]]
    new: Sequence[Sequence[Masks]]
    wanted: Sequence[Sequence[Masks]]

    def check(self) -> str:
        """Prove again that the models differ nowhere else, and that the new one gives what is wanted."""
        claims = [
            claim
            for label in (0, 1)
            for claim in (
                Claim(self.sizes, self.old[1 - label], self.new[label], outside=self.wanted[label]),
                Claim(self.sizes, self.wanted[label], self.new[1 - label]),
            )
        ]
        found = [refuted(claim) for claim in claims]
        if any(is_refuted for is_refuted, _ in found):
            raise CheckError("the models must differ only where rules want it; they do not.")
        return f"proved by {found[0][1]}"


@dataclass(frozen=True)
class OutOfReach:
    """That no reason of at most k columns gives a point the class that is wanted there.

    A reason of a point holds for all points that agree with it on its columns. So none is possible where on every k
    columns some point agrees that is wanted to have the other class.

    Parameters
    ----------
    point : sequence of int
        The cells.
    own, other : sequences of boxes
        The rows that rules want to have the class wanted at the point, and those of the other class.
    k : int

    Examples
    --------
    >>> OutOfReach((0, 0), [(1, 1)], [(2, 1), (1, 2)], 1).check()
    'proved by all 2 sets of 1 column'
    """

    point: Sequence[int]
    own: Sequence[Masks]
    other: Sequence[Masks]
    k: int

    def check(self) -> str:
        """Prove again that every set of k columns leaves a point of the other class."""
        if not any(self._agrees(box, range(len(self.point))) for box in self.own):
            raise CheckError("the point must be one that a rule speaks of; it is not.")
        size = min(self.k, len(self.point))
        count = 0
        for columns in combinations(range(len(self.point)), size):
            count += 1
            if not any(self._agrees(box, columns) for box in self.other):
                raise CheckError(f"every set of {size} columns must leave a point of the other class; one does not.")
        return f"proved by all {count} sets of {size} column{'s' * (size != 1)}"

    def _agrees(self, box: Masks, columns: Sequence[int]) -> bool:
        return all(box) and all(box[j] >> self.point[j] & 1 for j in columns)
