"""The fitted state of a chain: a two-class model for each boundary over one binariser, and what is counted of bands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from idnf.classifier.fitted import Fitted, table_explainer
from idnf.classifier.fitted_model import FittedModel, Tally
from idnf.classifier.memory_source import ExaminedTable, ReadTable
from idnf.classifier.training import Training
from idnf.columns.predicates import Plain
from idnf.columns.value_groups import group_texts
from idnf.engines.lazy_frames import Lazy
from idnf.explaining.band_explanations import (
    AT_LEAST,
    BELOW,
    BandExplanations,
    Bands,
    bands_text,
    boundary_labels,
    lazily_banded,
)
from idnf.explaining.batch import Patterns, predicted
from idnf.explaining.lazy_reasons import LazyExplainer
from idnf.explaining.recourse import names_given
from idnf.learning.isotonic import band_shares, shares_on_their_side
from idnf.learning.objective import Learned
from idnf.logic.boxes import Point
from idnf.logic.deadlines import Budget
from idnf.logic.verification import ChainCertificate, VerificationError, common_point
from idnf.result_frames import Tabular
from idnf.tables.binariser import TableBinariser
from idnf.tables.outcomes import favourable_end
from idnf.tables.targets import checked_target, two_labels
from idnf.tables.training_file import TrainingFile

if TYPE_CHECKING:
    from idnf.learning.chain_path import ChainPath
    from idnf.learning.chains import LearnedChain


class BandsTable(Tabular):
    """The bands as a table: number, name, share of the highest label, share of the rows, rows, and what it takes.

    What it takes to be in a band or above is proved; the shares are estimates.
    """

    def __init__(self, columns: Mapping[str, Sequence[object]]) -> None:
        self._columns = columns

    def columns(self) -> Mapping[str, Sequence[object]]:
        """Return the bands by the names of their columns."""
        return self._columns


@dataclass(frozen=True, eq=False, repr=False)
class FittedBands(FittedModel):
    """All that fitted bands are, and all that exports and reports read of them: ``bands.fitted_``.

    Parameters
    ----------
    classes : ndarray
        The labels, sorted.
    order : tuple of int
        The numbers of the labels, ascending.
    names : tuple of str
        What the bands are called.
    boundaries : tuple of float
        The probability at each boundary.
    models : tuple of Fitted
        The state of the model of each boundary, over the same binariser.
    counts : float array of shape (bands, classes)
        The weight of each label, in ascending order, in each band in training.
    held_out : float array of shape (bands, classes) or None
        The same among examples held out in cross-validation, by bands of functions learned without them.
    costs : tuple of float
        What an error on each label, by its number, counts for `predict`; none if they are all alike.
    path : ChainPath, optional
        What cross-validation said.
    decisive : int, optional
        The boundary, by its place, whose function is that of the classifier with the same parameters: `predict` gives
        the higher label above it.
    classifier : Fitted, optional
        The state of that classifier, if no boundary is its own: `predict` is its answer.
    target : str, optional
        What the column of labels is called.
    file : TrainingFile, optional
        How the file of the training table was read, if it was read from one.
    """

    classes: NDArray[np.generic]
    order: tuple[int, ...]
    names: tuple[str, ...]
    boundaries: tuple[float, ...]
    models: tuple[Fitted, ...]
    counts: NDArray[np.float64]
    held_out: NDArray[np.float64] | None = None
    costs: tuple[float, ...] = ()
    path: ChainPath | None = None
    decisive: int | None = None
    classifier: Fitted | None = None
    target: str | None = None
    file: TrainingFile | None = None

    @property
    def binariser(self) -> TableBinariser:
        """The columns of the table and their literals."""
        return self.models[0].binariser

    @cached_property
    def bands(self) -> Bands:
        """What bands are called and how likely each label is in them."""
        labels = self.classes.tolist()
        shares = band_shares(self.counts if self.held_out is None else self.counts + self.held_out)
        if self.decisive is not None:
            low, high = (self.costs[number] for number in self.order) if self.costs else (1.0, 1.0)
            shares = shares_on_their_side(shares, self.decisive, low / (low + high))
        return Bands(self.names, tuple(labels[number] for number in self.order), shares)

    @cached_property
    def probabilities(self) -> NDArray[np.float64]:
        """The share of each label, by its number, in each band."""
        shares = np.empty_like(self.bands.shares)
        shares[:, list(self.order)] = self.bands.shares
        return shares

    @cached_property
    def given(self) -> NDArray[np.intp]:
        """The number of the label that `predict` gives each band.

        The levels of an ordered target are its bands; of two labels the likelier is given, likelihoods times costs,
        which is the higher one above the decisive boundary if there is one.
        """
        if self.bands.is_ordered:
            return np.array(self.order)
        return np.asarray((self.probabilities * (self.costs or 1.0)).argmax(axis=1), dtype=np.intp)

    def predicted(self, X: object) -> NDArray[np.intp]:
        """Return the number of the label that each row of a table in memory is given."""
        if self.classifier is not None:
            return self.classifier.read(X.X if isinstance(X, ExaminedBands) else X).labels
        return np.asarray(self.given[self.read(X).labels], dtype=np.intp)

    def with_estimates(
        self, held_out: NDArray[np.float64] | None, costs: tuple[float, ...], path: ChainPath | None
    ) -> FittedBands:
        """Return the same state with what was held out, the costs of `predict` and what cross-validation said."""
        return replace(self, held_out=held_out, costs=costs, path=path)

    def with_settings(
        self,
        *,
        target: str | None | EllipsisType = ...,
        favourable: object = ...,
        immutable: Iterable[str] | Literal["all"] | EllipsisType = ...,
    ) -> FittedBands:
        """Return the same state with other settings of what it says and proposes: :meth:`DNFBands.with_settings`."""
        ours, models = self if target is ... else replace(self, target=checked_target(target)), self.models
        if immutable is not ...:
            given = immutable if isinstance(immutable, str) else names_given("immutable", immutable)
            models = tuple(fitted.with_settings(immutable=given) for fitted in models)
        if favourable is not ...:
            labels = self.classes.tolist()
            above = (
                None if favourable is None else favourable_end(favourable, [labels[number] for number in self.order])
            )
            models = tuple(replace(one, explainer=replace(one.explainer, favourable=above)) for one in models)
        return replace(ours, models=models)

    def with_labels(self, labels: Sequence[object]) -> FittedBands:
        """Return the same state with other labels, in the order of its own: what a page calls them."""
        return replace(self, classes=np.array(labels, dtype=object))

    def without_rows(self) -> FittedBands:
        """Return the same state without values of training rows, as :meth:`DNFClassifier.without_rows` describes it."""
        models = tuple(fitted.without_rows() for fitted in self.models)
        # All boundaries share one binariser.
        return replace(self, models=tuple(replace(one, binariser=models[0].binariser) for one in models))

    @property
    def favourable(self) -> object:
        """The label at the end of the bands that people want, if that is known."""
        above = self.models[0].explainer.favourable
        return None if above is None else self.classes.tolist()[self.order[-above]]

    @property
    def favourable_outcome(self) -> object:
        """The band at the end that people want, if that is known."""
        above = self.models[0].explainer.favourable
        return None if above is None else self.names[-above]

    def read(self, X: object) -> ExaminedBands:
        """Return a table in memory as the bands see it, read once for all that is asked about it."""
        return ExaminedBands.of(self, X)

    def read_plain(self, columns: Mapping[str, Sequence[Plain]]) -> ExaminedBands:
        """Return rows given as JSON holds them, by the names of the fields that some boundary looks at."""
        return ExaminedBands.of_plain(self, columns)

    @property
    def outcomes(self) -> tuple[object, ...]:
        """What the bands are called."""
        return self.names

    @property
    def codes(self) -> tuple[object, ...]:
        """The numbers of the bands."""
        return tuple(range(len(self.names)))

    @property
    def decision(self) -> str:
        """What programs call the band of a row."""
        return "band"

    def claimed_labels(self) -> Mapping[str, Sequence[tuple[int, Sequence[int]]]]:
        """Return the claims of a band: at least this one, by the highest boundary passed, and below the next one."""
        numbers = range(len(self.models))
        passed = [(number, (1,)) for number in reversed(numbers)]
        return {AT_LEAST: passed, BELOW: [(number, (0,)) for number in numbers]}

    def decide_lazily(
        self,
        frame: Lazy,
        *,
        shares: bool = True,  # noqa: ARG002 (a band always comes with its share)
        reasons: bool = False,
    ) -> Lazy:
        """Return a lazy table with the band of each row, its name, its share and, if asked for, its two reasons."""
        models = [LazyExplainer(model.explainer, model.columns) for model in self.models]
        return lazily_banded(frame, self.bands, models, reasons=reasons)

    def to_text(self) -> str:
        """Return the bands, highest first, with what it takes to be in each."""
        text = bands_text(self.bands, [model.explainer for model in self.models])
        return "\n\n".join([text, *group_texts([self.columns[j] for j in self.used])])

    def claimants(self, outcomes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return whose claims "at least" and "below" are: those of the boundaries below and above each row's band."""
        above = np.where(outcomes < len(self.models), outcomes, -1)
        return np.stack([outcomes - 1, above], axis=1)

    def tally(self) -> Tally:
        """Return the bands, each with its share."""
        words = {name: self.bands.said(band) for band, name in enumerate(self.names)}
        return Tally("band", "name", "which means", words, self.counts.sum(axis=1))

    def table(self) -> BandsTable:
        """Return the bands as a table."""
        rows = self.counts.sum(axis=1)
        takes = [self._takes(fitted) for fitted in self.models]
        count = len(self.names)
        return BandsTable({
            "band": list(range(count)),
            "name": list(self.names),
            "probability": [self.bands.probability(band) for band in range(count)],
            "share of rows": (rows / rows.sum()).tolist() if rows.sum() else [None] * count,
            "rows": rows.tolist(),
            "reasons": ["otherwise", *takes],
        })  # fmt: skip

    def _takes(self, fitted: Fitted) -> str:
        """Return what it takes to be above a boundary."""
        lines = fitted.explainer.reading.lines[1]
        texts = [str(line).rpartition("  [")[0] or str(line) for line in lines]
        return " or ".join(f"({text})" if " and " in text or " or " in text else text for text in texts) or "never"

    def verify(self) -> ChainCertificate:
        """Prove each boundary, and that each lies within the one before over all rows that the columns allow.

        Raises
        ------
        VerificationError
            Names a term that is too wide, two that overlap, a point left out, or a row on which the chain breaks.
        """
        certificates = tuple(fitted.class_dnfs.verify(fitted.classes.tolist()) for fitted in self.models)
        return ChainCertificate(certificates, self.names, self.prove_nested())

    def prove_nested(self, budget: Budget | None = None) -> tuple[int, ...]:
        """Prove that each boundary lies within the one before; return the pairs of boxes that are disjoint for it."""
        pairs = []
        for place, (wide, narrow) in enumerate(pairwise(self.models)):
            inside, outside = narrow.sides.boxes_of(1), wide.sides.boxes_of(0)
            if budget is not None:
                budget.spend(len(inside) * len(outside))
            point = common_point(inside, outside)
            if point is not None:
                low, high = self.names[place + 1], self.names[place + 2]
                row = self._row_words(point)
                rule = "each boundary must lie within the one before"
                raise VerificationError(f"{rule}; got a row at least {high} and below {low}: {row}.", point=row)
            pairs.append(len(inside) * len(outside))
        return tuple(pairs)

    def _row_words(self, point: Point) -> str:
        return ", ".join(self.columns[j].phrase(1 << point[j]).condition for j in self.used)


class ExaminedBands(ReadTable[FittedBands]):
    """A table in memory as bands see it: read once for all boundaries."""

    @cached_property
    def parts(self) -> tuple[ExaminedTable, ...]:
        """The table as each boundary sees it."""
        return tuple(self.shared(ExaminedTable(fitted, self.X)) for fitted in self.fitted.models)

    @cached_property
    def labels(self) -> NDArray[np.intp]:
        """The band of each row, by its number."""
        return np.asarray(np.sum([part.labels for part in self.parts], axis=0, dtype=np.intp))

    def answers(self, *, shares: bool = True) -> dict[str, NDArray[Any]]:  # noqa: ARG002 (they always come with it)
        """Return the band of each row, its name and its share."""
        said = self.fitted.bands
        likely = np.array([said.probability(band) for band in range(len(said.names))])
        return {"band": self.labels, "name": np.array(said.names)[self.labels], "probability": likely[self.labels]}

    @cached_property
    def reasons(self) -> BandExplanations:
        """The band of each row with its reasons."""
        return BandExplanations(self.fitted.bands, [part.reasons for part in self.parts])


def fitted_bands(
    chain: LearnedChain, training: Training, names: Sequence[str], order: Sequence[int], training_data: str
) -> FittedBands:
    """Return the state of a chain; every boundary is counted on all examples."""
    explainers = [
        table_explainer(model, training.binariser, boundary_labels(name))
        for model, name in zip(chain.models, names[1:], strict=True)
    ]
    used = sorted({j for explainer in explainers for j in explainer.sides.frame.columns})
    values = training.values(used)
    models, above, total = [], [], np.zeros(len(order))
    for place, explainer in enumerate(explainers):
        patterns = training.patterns(explainer)
        holds = predicted(explainer.sides, Patterns(patterns.cells, np.arange(len(patterns.cells)))) == 1
        weights = patterns.weights[:, list(order)]
        above.append(weights[holds].sum(axis=0))
        total = weights.sum(axis=0)
        boundary = chain.boundaries[place]
        two = np.stack([weights[:, : boundary.level].sum(axis=1), weights[:, boundary.level :].sum(axis=1)]).T
        learned = Learned(chain.models[place], chain.objectives[place], price=chain.prices[place])
        models.append(
            Fitted(
                training.binariser,
                two_labels(boundary_labels(names[place + 1])),
                learned,
                replace(explainer, values=values),
                replace(patterns, weights=two, costs=(boundary.at, 1 - boundary.at)),
                training_data,
            )
        )
    # How much is in a band is what is above one boundary and not above the next: they are nested.
    edges = np.array([total, *above, np.zeros(len(order))])
    return FittedBands(
        training.classes,
        tuple(order),
        tuple(names),
        tuple(boundary.at for boundary in chain.boundaries),
        tuple(models),
        np.maximum(edges[:-1] - edges[1:], 0.0),
    )
