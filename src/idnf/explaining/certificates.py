"""Certificates of sufficiency: for each term of the other class, the condition of a reason that contradicts it.

A reader can check each line alone; together the lines prove that no example meeting the conditions is in the other
class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from idnf.columns.phrases import together
from idnf.explaining.sides import Sides
from idnf.explaining.wording import Wording
from idnf.logic.boxes import Box
from idnf.tables.result_frames import html_table


@dataclass(frozen=True)
class Contradiction:
    """A term of the other class, and the condition of the reason that no example of it meets."""

    term: tuple[str, ...]
    words: str
    condition: str

    def __str__(self) -> str:
        return f"{self.words}: contradicted by {self.condition}"


@dataclass(frozen=True)
class ReasonCertificate:
    """The proof that a reason suffices: every term of the other class is contradicted."""

    conditions: tuple[str, ...]
    contradictions: tuple[Contradiction, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, self.contradictions)) or "the other class has no terms"

    def _repr_html_(self) -> str:
        lines = [(line.words, line.condition) for line in self.contradictions]
        return html_table({"of another class": [words for words, _ in lines], "contradicted by": [c for _, c in lines]})

    def to_dict(self) -> dict[str, object]:
        """Return the certificate as plain data."""
        lines = [{"term": list(line.term), "condition": line.condition} for line in self.contradictions]
        return {"conditions": list(self.conditions), "contradictions": lines}


def reason_certificate(sides: Sides, wordings: Sequence[Wording], label: int, box: Box) -> ReasonCertificate:
    """Return the certificate of a reason for a class; the other classes are written down for it if they are not yet."""
    columns = sides.space.constrained(box)
    said = {j: wordings[j].phrase(box[j]).condition for j in columns}
    contradictions = []
    for term in sides.opposite(label):
        against = next((j for j in columns if not box[j] & term[j]), None)
        if against is None:
            raise ValueError(f"box must lie inside class {label}; got {box}, which meets the term {term}.")
        phrases = [wordings[j].phrase(term[j]) for j in sides.space.constrained(term)]
        conditions = tuple(phrase.condition for phrase in phrases)
        contradictions.append(Contradiction(conditions, together(phrases), said[against]))
    return ReasonCertificate(tuple(said.values()), tuple(contradictions))
