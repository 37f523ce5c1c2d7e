"""A kind of column that the library does not have: the hour of the day, whose last cell runs over midnight.

All of it is here. Nothing in the library knows of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from idnf.columns.column import Refusal, TableColumn, TableLiteral
from idnf.columns.phrases import MISSING, Phrase, name_words, said
from idnf.columns.predicates import Compare, Field, Predicate, any_of


@dataclass(frozen=True)
class ClockColumn(TableColumn):
    """Hours from 0 to 24, cut into arcs; the last arc goes on from midnight to the first cut."""

    kind = "clock"

    hours: tuple[float, ...] = ()

    @property
    def fields(self) -> tuple[Field, ...]:
        return (Field(self.name, "number"),)

    @property
    def known_labels(self) -> tuple[str, ...]:
        return tuple(self._arc(cell, cell) for cell in range(len(self.hours)))

    @property
    def literals(self) -> tuple[TableLiteral, ...]:
        arcs = [TableLiteral(self.words(1 << cell), 1 << cell) for cell in range(len(self.hours))]
        return (*arcs, *self.missing_literals())

    @property
    def refusals(self) -> tuple[Refusal, ...]:
        field = self.fields[0]
        outside = any_of([Compare(field, upto=-0.01), Compare(field, over=24.0)])
        return (*super().refusals, Refusal(outside, "must be hours from 0 to 24"))

    def known_test(self, mask: int) -> Predicate:
        arcs = ((start, self.hours[(cell + 1) % len(self.hours)]) for cell, start in enumerate(self.hours))
        return any_of(self._within(*arc) for cell, arc in enumerate(arcs) if mask >> cell & 1)

    def _within(self, start: float, end: float) -> Predicate:
        field = self.fields[0]
        if start < end:
            return Compare(field, start, end)
        return any_of([Compare(field, over=start), Compare(field, upto=end)])

    def known_phrase(self, mask: int) -> Phrase:
        n = len(self.hours)
        held = [bool(mask >> cell & 1) for cell in range(n)]
        starts = [cell for cell in range(n) if held[cell] and not held[cell - 1]]
        arcs = []
        for start in starts:
            end = start
            while held[(end + 1) % n]:
                end += 1
            arcs.append(self._arc(start, end % n))
        parts = [*arcs, MISSING] if mask & self.missing_mask else arcs
        return said(name_words(self.name), " or ".join(parts), alternatives=len(parts) > 1)

    def _arc(self, first: int, last: int) -> str:
        return f"after {self.hours[first]:g} up to {self.hours[(last + 1) % len(self.hours)]:g}"

    def portable(self) -> dict[str, object]:
        return {"own": None}

    def written(self, *values: object) -> list[str]:
        (raw,) = self.read(*values).values()
        return [MISSING if missing else f"{hour:g}" for hour, missing in zip(raw.values.tolist(), raw.missing.tolist())]
