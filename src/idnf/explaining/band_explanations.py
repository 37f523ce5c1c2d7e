"""Why an example is in its band: a reason at the boundary below it, and one at the boundary above."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from idnf.columns.phrases import one_line
from idnf.engines.lazy_frames import Lazy
from idnf.explaining.explainer import Explainer
from idnf.explaining.explanation import Explanation, Explanations, condition_text
from idnf.explaining.lazy_reasons import CONDITIONS, LABEL, LazyExplainer, float_literal
from idnf.explaining.printing import model_text, rounded_up
from idnf.explaining.wording import label_words
from idnf.logic.errors import InvalidArgument
from idnf.result_frames import RowSequence, Tabular

AT_LEAST, BELOW = "at least", "below"
"""The words for the two sides of a boundary, and the columns of their reasons."""

# Columns of a query in between; a name that begins like those of other queries would be refused by the next boundary.
_OWN = "idnf boundary "


def boundary_labels(name: str) -> tuple[str, str]:
    """Return what the two sides of a boundary are called, by the band that begins there.

    >>> boundary_labels("refer")
    ('below refer', 'at least refer')
    """
    return f"{BELOW} {name}", f"{AT_LEAST} {name}"


@dataclass(frozen=True)
class Bands:
    """What bands are called and how likely each class is in them.

    Parameters
    ----------
    names : tuple of str
        Ascending.
    levels : tuple
        The labels of the target, ascending.
    shares : float array of shape (bands, levels)
        Estimates; nothing about them is proved.
    """

    names: tuple[str, ...]
    levels: tuple[object, ...]
    shares: NDArray[np.float64]

    @property
    def is_ordered(self) -> bool:
        """Whether the bands are the levels of the target."""
        return len(self.levels) > 2

    def probability(self, band: int) -> float:
        """Return the share of the highest label in a band; of an ordered target that of the band's own."""
        return float(self.shares[band, band if self.is_ordered else 1])

    def said(self, band: int) -> str:
        """Return a band in words, with its share.

        >>> Bands(("approve", "decline"), ("good", "bad"), np.array([[0.9, 0.1], [0.5, 0.5]])).said(0)
        'approve (about 10% of such cases are bad)'
        """
        level = self.levels[band if self.is_ordered else 1]
        share = f"about {_percent(self.probability(band))} of such cases are {label_words(level)}"
        return f"{one_line(self.names[band])} ({share})"


def _percent(share: float) -> str:
    """Return a share in percent, with more digits if few cases are of one kind.

    >>> [_percent(share) for share in (0.0004, 0.0021, 0.17, 0.997)]
    ['0.04%', '0.2%', '17%', '99.7%']
    """
    return f"{100 * share:.1g}%" if share < 0.01 else f"{share:.0%}" if share < 0.99 else f"{share:.1%}"


@dataclass(frozen=True, repr=False)
class BandExplanation:
    """Why one example is in its band.

    Attributes
    ----------
    bands : Bands
    band : int
        From 0 on.
    at_least : Explanation or None
        Why it is in no lower band; None in the lowest one.
    below : Explanation or None
        Why it is in no higher band; None in the highest one.
    """

    bands: Bands
    band: int
    at_least: Explanation | None
    below: Explanation | None

    @property
    def name(self) -> str:
        """What the band is called."""
        return self.bands.names[self.band]

    @property
    def probability(self) -> float:
        """The estimated share of the highest label in the band; of an ordered target that of the band's own."""
        return self.bands.probability(self.band)

    @property
    def claims(self) -> tuple[Explanation, ...]:
        """What is claimed of the example: a label of the boundary below, of that above, or of both."""
        return tuple(one for one in (self.at_least, self.below) if one is not None)

    def to_text(self) -> str:
        """Return the band and its reasons as a sentence."""
        sides = {"above": (self.at_least, self.band - 1), "below": (self.below, self.band + 1)}
        clauses = (
            f"{side} {self.bands.names[other]} {'always' if not one.axp else f'because {one.because}'}"
            for side, (one, other) in sides.items()
            if one is not None
        )
        return f"{self.bands.said(self.band)}: {'; '.join(clauses)}."

    __str__ = to_text

    def to_dict(self) -> dict[str, object]:
        """Return the explanation as plain data."""
        return {
            "band": self.band,
            "name": self.name,
            "probability": self.probability,
            "at_least": None if self.at_least is None else self.at_least.to_dict(),
            "below": None if self.below is None else self.below.to_dict(),
            "text": self.to_text(),
        }

    def __repr__(self) -> str:
        return f"<BandExplanation: {self.to_text()}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(self.to_text())}</p>"


class BandExplanations(Tabular, RowSequence[BandExplanation]):
    """Explanations of many examples.

    Parameters
    ----------
    bands : Bands
    parts : sequence of Explanations
        Those of each boundary.
    """

    def __init__(self, bands: Bands, parts: Sequence[Explanations]) -> None:
        self._bands = bands
        self._parts = parts
        self.numbers: NDArray[np.intp] = np.sum([part.sides for part in parts], axis=0, dtype=np.intp)
        self.library = parts[0].library

    def __len__(self) -> int:
        return len(self.numbers)

    def _at(self, row: int) -> BandExplanation:
        return self._explanation(row, [part[row] for part in self._parts])

    def __iter__(self) -> Iterator[BandExplanation]:
        for row, explained in enumerate(zip(*self._parts, strict=True)):
            yield self._explanation(row, explained)

    def _explanation(self, row: int, explained: Sequence[Explanation]) -> BandExplanation:
        band = int(self.numbers[row])
        at_least = explained[band - 1] if band else None
        return BandExplanation(self._bands, band, at_least, explained[band] if band < len(explained) else None)

    def columns(self) -> dict[str, list[object]]:
        """Return the band of each row, its name and share, and its two reasons."""
        written = []
        for part in self._parts:
            verdicts, index = part.verdicts()
            texts = [condition_text(one.axp) or "always" for one in verdicts]
            written.append([texts[place] for place in index.tolist()])
        numbers = self.numbers.tolist()
        return {
            "band": numbers,
            "name": [self._bands.names[band] for band in numbers],
            "probability": [self._bands.probability(band) for band in numbers],
            AT_LEAST: [written[band - 1][row] if band else None for row, band in enumerate(numbers)],
            BELOW: [written[band][row] if band < len(written) else None for row, band in enumerate(numbers)],
        }


def bands_text(bands: Bands, explainers: Sequence[Explainer]) -> str:
    """Return bands in words, the highest first, with what it takes to be in each if it is in none before it.

    >>> from idnf.logic.boxes import Space
    >>> from idnf.logic.dnf import DNF
    >>> names, shares = ("approve", "refer", "decline"), np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    >>> models = (Explainer.of(DNF.parse(one).double(), Space.boolean("abc")) for one in ("a & b", "a & b & c"))
    >>> print(bands_text(Bands(names, ("good", "bad"), shares), [*models]))
    Every row is above or below each boundary for a reason of at most 3 conditions.
    <BLANKLINE>
    decline (about 80% of such cases are bad) if
         a and b and c  [b1]
    <BLANKLINE>
    refer (about 40% of such cases are bad) otherwise, if
         a and b  [b1]
    <BLANKLINE>
    approve (about 10% of such cases are bad) otherwise.
    """
    parts, after = [], ""
    for band in range(len(explainers), 0, -1):
        one = replace(explainers[band - 1], classes=("no", "yes"))
        text = model_text(one, first=1, place="")
        if not text.split("\n\n", 1)[1].startswith(("yes ", "no ")):
            # A tree of questions says yes and no at its ends; lines have their band at the head.
            text = model_text(one, first=1, place="", form="lines")
        head, answer, lines = f"{bands.said(band)}{after}", *text.split("\n\n", 1)[1].split(" ", 1)
        whole = lines.rpartition("\n\n")[0] or lines
        never = "never" if whole == "always" else f"unless{whole.removeprefix('if')}"
        said = {"yes": f"{head} {whole}", "no": f"{head} {never}"}
        parts.append(said[answer])
        after = " otherwise,"
    k = max(explainer.sides.k for explainer in explainers)
    proved = f"Every row is above or below each boundary for a reason of at most {k} condition{'s' * (k != 1)}."
    head = f"{proved}\n{rounded_up(explainers)}".rstrip()
    return "\n\n".join([head, *parts, f"{bands.said(0)} otherwise."])


def lazily_banded(frame: Lazy, bands: Bands, models: Sequence[LazyExplainer], *, reasons: bool = False) -> Lazy:
    """Return a lazy table with the band of each row, its name and share and, if asked for, its two reasons.

    All are null if a value has no cell.
    """
    kept = list(frame.collect_schema())
    taken = [name for name in ("band", "name", "probability", AT_LEAST, BELOW) if name in kept]
    if taken:
        raise InvalidArgument(
            "X", f"have no column named {taken[0]!r}, which the answer adds", remedy="Rename it first."
        )
    holding, texts = [], []
    for place, model in enumerate(models):
        names = list(frame.collect_schema())
        asked = model.explained(frame) if reasons else model.predicted(frame)
        holding.append(f"{_OWN}label {place}")
        texts.append(f"{_OWN}text {place}")
        added = [nw.col(LABEL).alias(holding[-1]), *[nw.col(CONDITIONS).alias(texts[-1])] * reasons]
        frame = asked.select(*map(nw.col, names), *added)
    labels = [boundary_labels(name)[1] for name in bands.names[1:]]
    steps = [nw.when(nw.col(name) == nw.lit(label)).then(1).otherwise(0) for name, label in zip(holding, labels)]
    band = sum(steps[1:], steps[0])
    frame = frame.select(*map(nw.col, [*kept, *holding, *texts * reasons]), band.alias(f"{_OWN}band"))
    number = nw.col(f"{_OWN}band")
    known = nw.lit(True)
    for name in holding:
        known = known & ~nw.col(name).is_null()

    def by_band(values: Sequence[nw.Expr | None]) -> nw.Expr:
        chosen = nw.lit(None)
        for place, value in enumerate(values):
            if value is not None:
                chosen = nw.when(known & (number == place)).then(value).otherwise(chosen)
        return chosen

    count = len(bands.names)
    added = [
        nw.when(known).then(number).alias("band"),
        by_band([nw.lit(name) for name in bands.names]).alias("name"),
        by_band([float_literal(bands.probability(place)) for place in range(count)]).alias("probability"),
    ]
    if reasons:
        columns = [nw.col(name) for name in texts]
        added += [by_band([None, *columns]).alias(AT_LEAST), by_band([*columns, None]).alias(BELOW)]
    return frame.select(*map(nw.col, kept), *added)
