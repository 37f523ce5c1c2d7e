"""Numbers cut just below a value, as "less than" asks for, and said so."""

from __future__ import annotations

import math
from dataclasses import dataclass

from idnf.columns.intervals import NumberColumn
from idnf.columns.phrases import name_words, number_words


@dataclass(frozen=True)
class StrictNumberColumn(NumberColumn):
    """A column of numbers some of whose cuts are the last number below a shorter one.

    Examples
    --------
    >>> age = StrictNumberColumn("age", "refused", cuts=(just_below(18.0), 65.0))
    >>> age.words(0b001), age.words(0b010), age.words(0b110)
    ('age < 18', '18 <= age <= 65', 'age >= 18')
    """

    def interval_words(self, low: int, high: int) -> str:
        """Return the cells from `low` to `high` as one comparison."""
        name = name_words(self.name)
        above = None if low == 0 else _bound(self.cuts[low - 1])
        below = None if high == len(self.cuts) else _bound(self.cuts[high])
        if above is None:
            assert below is not None, "a condition has an end"
            return f"{name} {'<' if below[1] else '<='} {below[0]}"
        if below is None:
            return f"{name} {'>=' if above[1] else '>'} {above[0]}"
        return f"{above[0]} {'<=' if above[1] else '<'} {name} {'<' if below[1] else '<='} {below[0]}"


def just_below(value: float) -> float:
    """Return the last number below a value.

    >>> just_below(18.0)
    17.999999999999996
    """
    return math.nextafter(value, -math.inf)


def _bound(cut: float) -> tuple[str, bool]:
    """Return a cut as it is written, and whether it lies just below what is written."""
    above, own = number_words(math.nextafter(cut, math.inf)), number_words(cut)
    return (above, True) if len(above) < len(own) - 4 else (own, False)
