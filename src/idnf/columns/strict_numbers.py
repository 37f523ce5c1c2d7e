"""Numbers cut just below a value, as "less than" asks for, and said so."""

from __future__ import annotations

import math
from dataclasses import dataclass

from idnf.columns.intervals import NumberColumn
from idnf.columns.phrases import Phrase, name_words, number_words


@dataclass(frozen=True)
class StrictNumberColumn(NumberColumn):
    """A column of numbers some of whose cuts are the last number below a shorter one.

    Examples
    --------
    >>> age = StrictNumberColumn("age", "refused", cuts=(just_below(18.0), 65.0))
    >>> age.words(0b001), age.words(0b010), age.words(0b110)
    ('age < 18', '18 <= age <= 65', 'age >= 18')
    """

    def with_all_literals(self) -> NumberColumn:
        """Return a column of the same cuts whose literals are named by them."""
        return NumberColumn(self.name, "seen" if self.has_missing_cell else self.missing, cuts=self.cuts)

    def comparison(self, low: int, high: int) -> Phrase:
        """Return the cells from `low` to `high` as one comparison."""
        above = None if low == 0 else _bound(self.cuts[low - 1])
        below = None if high == len(self.cuts) else _bound(self.cuts[high])
        name = name_words(self.name)
        signs, words = [name], []
        if above is not None:
            signs = [f"{above[0]} {'<=' if above[1] else '<'}", name]
            words = [f"{'at least' if above[1] else 'over'} {above[0]}"]
        if below is not None:
            signs.append(f"{'<' if below[1] else '<='} {below[0]}")
            words.append(f"{'under' if below[1] else 'at most'} {below[0]}")
        elif above is not None:
            signs = [name, f"{'>=' if above[1] else '>'} {above[0]}"]
        return Phrase(" ".join(signs), " and ".join(words), " and ".join(words))


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
