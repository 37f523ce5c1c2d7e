"""What every fitted model answers: a chain of models of labels, one for a classifier, one per boundary for bands.

The outcome of a row is the sum of the labels that the models give it, by number. With one model that is the label; of
bands, whose models have the labels "below" and "at least", it is how many boundaries the row has passed. What is
claimed of a row are the labels given by the models next to its outcome: one claim of a label, and of a band that it is
at least the one and below the next, as far as there is a boundary.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from idnf.columns.column import TableColumn
from idnf.columns.column_inputs import ColumnInput
from idnf.columns.predicates import Plain
from idnf.engines.lazy_frames import Lazy
from idnf.explaining.printing import rounded_up
from idnf.explaining.score_table import ScoreTable
from idnf.explaining.training_facts import ColumnValues
from idnf.tables.binariser import TableBinariser
from idnf.tables.training_file import TrainingFile

State = TypeVar("State", bound="FittedModel")
"""The state of a fitted model, of whichever kind it is."""

if TYPE_CHECKING:
    from idnf.classifier.fitted import Fitted
    from idnf.classifier.memory_source import ReadTable

_DATES = ("date", "datetime", "datetime-utc")


@dataclass(frozen=True)
class Tally:
    """What is counted when decisions are: the reasons of a classifier, or bands.

    Attributes
    ----------
    named : str
        "reason" or "band".
    column : str
        Where the answers for a table have its name.
    means : str
        How its words are introduced.
    words : mapping of str to str
        What each is, by its name.
    weights : float array
        The weight of the training rows of each, 0 for all if nothing is known of them.
    """

    named: str
    column: str
    means: str
    words: Mapping[str, str]
    weights: NDArray[np.float64]


class FittedModel(ABC):
    """The state of a fitted model as its readers see it, however many boundaries it has."""

    classes: NDArray[np.generic]
    file: TrainingFile | None

    if TYPE_CHECKING:
        # Properties here would be taken by dataclasses below for the defaults of fields of these names.
        @property
        def models(self) -> tuple[Fitted, ...]:
            """The models whose labels are claimed, over the same columns."""

        @property
        def binariser(self) -> TableBinariser:
            """The columns of the table and their literals."""

    @property
    @abstractmethod
    def target(self) -> str | None:
        """What the column of labels is called, if that is known."""

    @property
    @abstractmethod
    def outcomes(self) -> tuple[object, ...]:
        """What a row may be given, in order: the labels, or the names of the bands."""

    @property
    @abstractmethod
    def codes(self) -> tuple[object, ...]:
        """What programs give for each outcome: the label itself, or the number of the band."""

    @property
    @abstractmethod
    def decision(self) -> str:
        """What programs call the outcome: "prediction" or "band"."""

    @property
    @abstractmethod
    def favourable(self) -> object:
        """The label that people want, if that is known."""

    @property
    @abstractmethod
    def favourable_outcome(self) -> object:
        """The outcome that people want: the favourable label, or the band at its end; None if that is not known."""

    @abstractmethod
    def with_settings(
        self,
        *,
        target: str | None | EllipsisType = ...,
        favourable: object = ...,
        immutable: Iterable[str] | Literal["all"] | EllipsisType = ...,
    ) -> Self:
        """Return the same state with other settings, as :meth:`DNFClassifier.with_settings` describes them."""

    @abstractmethod
    def with_labels(self, labels: Sequence[object]) -> Self:
        """Return the same state with other labels, in the order of its own: what a page calls them."""

    @abstractmethod
    def without_rows(self) -> Self:
        """Return the same state without values of training rows, as :meth:`DNFClassifier.without_rows` describes it."""

    @abstractmethod
    def claimed_labels(self) -> Mapping[str, Sequence[tuple[int, Sequence[int]]]]:
        """Return for each claim, by what it is called, whose reasons it has: models and labels of each, by number.

        They are in such an order that the first reason that holds for a row is the one given to it.
        """

    @property
    def claims(self) -> tuple[str, ...]:
        """What the claims of a decision are called."""
        return tuple(self.claimed_labels())

    @abstractmethod
    def claimants(self, outcomes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return which model makes each claim of rows with some outcomes, by number; -1 if there is no such claim."""

    @abstractmethod
    def read(self, X: object) -> ReadTable[Any]:
        """Return a table in memory as this model sees it, read once for all that is asked about it."""

    @abstractmethod
    def read_plain(self, columns: Mapping[str, Sequence[Plain]]) -> ReadTable[Any]:
        """Return rows given as JSON holds them, by the names of the fields that the model looks at."""

    @abstractmethod
    def decide_lazily(self, frame: Lazy, *, shares: bool = False) -> Lazy:
        """Return a lazy table with the columns of :meth:`ReadTable.answers`."""

    @abstractmethod
    def to_text(self) -> str:
        """Return the model in words."""

    @abstractmethod
    def tally(self) -> Tally:
        """Return what is counted when decisions are."""

    @property
    def scores(self) -> ScoreTable | None:
        """The share of the second of two labels by the reasons that hold; None of bands, whose shares are theirs."""
        return None

    @property
    def columns(self) -> tuple[TableColumn, ...]:
        """The columns of the table."""
        return self.binariser.columns_

    @cached_property
    def used(self) -> tuple[int, ...]:
        """The columns that the model looks at, by their place in ``columns``."""
        return tuple(sorted({j for model in self.models for j in model.sides.frame.columns}))

    @property
    def inputs(self) -> tuple[ColumnInput, ...]:
        """What the columns in use read of the user's table."""
        return tuple(ColumnInput.of(self.columns[j]) for j in self.used)

    @property
    def k(self) -> int:
        """The most columns that a reason has."""
        return max(model.sides.k for model in self.models)

    @property
    def rounded(self) -> str:
        """The columns whose values are rounded up before they are compared, in words; empty if there are none."""
        return rounded_up([model.explainer for model in self.models]).strip()

    @property
    def values(self) -> Sequence[ColumnValues | None]:
        """What is known of the values in training, by column; nothing of a model that no example is known of."""
        return self.models[0].explainer.values or (None,) * len(self.columns)

    @property
    def immutable(self) -> tuple[str, ...]:
        """The columns that no proposed change touches."""
        return self.models[0].explainer.immutable

    @property
    def dates(self) -> tuple[str, ...]:
        """The columns of dates, which no proposed change touches by default."""
        return tuple(c.name for c in self.columns if any(field.kind in _DATES for field in c.fields))
