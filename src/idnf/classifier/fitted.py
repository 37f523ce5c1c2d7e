"""The fitted state of a classifier, one frozen object made and taken whole, and what the classifier shows of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Generic, Literal, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from idnf.auditing.reason_texts import GivenTexts, ReasonTexts
from idnf.auditing.table_models import TableModel
from idnf.classifier.edit_history import AdoptedEdits
from idnf.classifier.fitted_model import FittedModel, Tally
from idnf.classifier.parameters import ClassWeight
from idnf.columns.eager_frames import refuse_unknown
from idnf.columns.predicates import Plain
from idnf.columns.raw import Category
from idnf.columns.value_groups import group_texts, groups_of
from idnf.engines.lazy_frames import Lazy
from idnf.explaining.explainer import Explainer
from idnf.explaining.lazy_reasons import REASON, LazyExplainer
from idnf.explaining.printing import model_text, printed_form
from idnf.explaining.reading import ModelSize
from idnf.explaining.recourse import Cost, Recourses, names_given
from idnf.explaining.score_table import ScoreTable
from idnf.explaining.training_facts import Confidence, TrainingPatterns
from idnf.explaining.wording import FeatureWording, TableWording
from idnf.learning.choices import Conditions
from idnf.learning.objective import Learned
from idnf.logic.boxes import Space
from idnf.logic.class_dnfs import ClassDNFs, DoubleDNF
from idnf.logic.dnf import DNF
from idnf.logic.forms import FormName
from idnf.logic.model import Model
from idnf.logic.nested import NestedDNF
from idnf.logic.sides import ClassBoxes
from idnf.logic.trees import NestedTree
from idnf.tables.binariser import TableBinariser
from idnf.tables.column_check import ColumnsReport
from idnf.tables.estimator_bases import BaseEstimator, ClassifierMixin
from idnf.tables.outcomes import favourable_number
from idnf.tables.targets import checked_target
from idnf.tables.training_file import TrainingFile

if TYPE_CHECKING:
    from sklearn.utils import Tags

    from idnf.classifier.estimator import DNFClassifier
    from idnf.classifier.fairness_report import FairnessReport
    from idnf.classifier.k_choices import KChoices
    from idnf.classifier.memory_source import ExaminedTable
    from idnf.classifier.path_table import PathTable
    from idnf.classifier.training import Training
    from idnf.learning.dispatch import LearningResult


@dataclass(frozen=True, eq=False, repr=False)
class Fitted(FittedModel):
    """All that a fitted classifier is, and all that exports and reports read of it: ``clf.fitted_``.

    Parameters
    ----------
    binariser : TableBinariser
        The columns of the table and their literals.
    classes : ndarray
        The labels, sorted.
    learned : Learned
        The model over the literals, its objective, and what is proved of it.
    explainer : Explainer
        The model over the columns: the boxes of each class, how to describe them, the user's own texts, the ranges of
        values in training.
    training : TrainingPatterns
        The weight of each class among the training examples that the model does not distinguish.
    training_data : str
        What the learner looked at.
    reason_texts : ReasonTexts, optional
        The user's reason codes and texts by column, for notices.
    fairness : FairnessReport, optional
        The models considered under a limit on the gap between groups.
    alternatives : tuple of Learned
        These models, in the same order.
    choices : KChoices, optional
        What cross-validation said about each k, if k was chosen by it.
    file : TrainingFile, optional
        How the file of the training table was read, if it was read from one.
    edits : tuple of AdoptedEdits
        What people changed by hand, in order.

    Examples
    --------
    >>> from idnf import DNFClassifier
    >>> fitted = DNFClassifier.from_dnf("a & b | c", classes=("no", "yes")).fitted_
    >>> fitted.sides.k, [fitted.columns[j].name for j in fitted.used], len(fitted.sides.terms[1])
    (2, ['a', 'b', 'c'], 2)
    """

    binariser: TableBinariser
    classes: NDArray[np.generic]
    learned: Learned
    explainer: Explainer
    training: TrainingPatterns
    training_data: str
    reason_texts: ReasonTexts | None = None
    fairness: FairnessReport | None = None
    alternatives: tuple[Learned, ...] = ()
    choices: KChoices | None = None
    file: TrainingFile | None = None
    edits: tuple[AdoptedEdits, ...] = ()

    @classmethod
    def untrained(
        cls, binariser: TableBinariser, classes: NDArray[np.generic], learned: Learned, training_data: str
    ) -> Fitted:
        """Return the state of a model that no training example is known of."""
        explainer = table_explainer(learned.model, binariser, classes.tolist())
        nothing = TrainingPatterns.nothing(explainer.sides.frame, n_classes=len(classes))
        return cls(binariser, classes, learned, explainer, nothing, training_data)

    @classmethod
    def trained(cls, training: Training, found: LearningResult) -> Fitted:
        """Return the whole state; nothing is set before the last question to the examples has been answered."""
        explainer = table_explainer(found.learned.model, training.binariser, training.classes.tolist())
        patterns, learned = training.patterns(explainer), found.learned
        if training.rows_for_time is not None:
            errors = Confidence(explainer.sides, patterns).errors
            learned = replace(learned, objective=errors + learned.price * learned.model.literal_count)
        return cls(
            training.binariser,
            training.classes,
            learned,
            training=patterns,
            explainer=replace(explainer, values=training.values(explainer.sides.frame.columns)),
            training_data=found.training_data,
        )

    def with_model(self, learned: Learned, training_data: str) -> Fitted:
        """Return the state of another model over the same columns, of which no training example is known."""
        other = Fitted.untrained(self.binariser, self.classes, learned, training_data)
        return other.with_settings(target=self.target, favourable=self.favourable, immutable=self.immutable)

    def with_settings(  # noqa: PLR0913 - each setting is a word of its own
        self,
        *,
        target: str | None | EllipsisType = ...,
        favourable: object = ...,
        immutable: Iterable[str] | Literal["all"] | EllipsisType = ...,
        texts: Mapping[str, str] | EllipsisType = ...,
        notice_codes: GivenTexts | EllipsisType = ...,
    ) -> Fitted:
        """Return the same state with other settings, as :meth:`DNFClassifier.with_settings` describes them."""
        explainer, codes = self.explainer, self.reason_texts
        names = [column.name for column in self.columns]
        if target is not ...:
            explainer = replace(explainer, target=checked_target(target))
        if favourable is not ...:
            explainer = replace(
                explainer,
                favourable=None if favourable is None else favourable_number(favourable, self.classes.tolist()),
            )
        if immutable is not ...:
            explainer = replace(explainer, immutable=self._checked_immutable(immutable, names))
        if texts is not ...:
            explainer = explainer.with_texts(texts)
        if notice_codes is not ...:
            codes = ReasonTexts.of_given(notice_codes).checked(names, self.classes.tolist())
        return replace(self, explainer=explainer, reason_texts=codes)

    def with_labels(self, labels: Sequence[object]) -> Fitted:
        """Return the same state with other labels, in the order of its own: what a page calls them."""
        return replace(
            self, classes=np.array(labels, dtype=object), explainer=replace(self.explainer, classes=tuple(labels))
        )

    def without_rows(self) -> Fitted:
        """Return the same state without values of training rows, as :meth:`DNFClassifier.without_rows` describes it."""
        values = tuple(known and known.without_rows() for known in self.explainer.values)
        explainer = replace(self.explainer, values=values)
        return replace(self, explainer=explainer, binariser=self.binariser.without_rows())

    def _checked_immutable(self, given: Iterable[str] | Literal["all"], names: Sequence[str]) -> tuple[str, ...]:
        if isinstance(given, str) and given == "all":
            return tuple(names)
        wanted = names_given("immutable", given)
        rule = f'be "all" or name columns of the table ({", ".join(names)})'
        refuse_unknown("immutable", rule, wanted, [*names, *self.binariser.input_names])
        return tuple(name for name in names if name in wanted)

    @property
    def favourable(self) -> object:
        """The label that people want, if that is known."""
        number = self.explainer.favourable
        return None if number is None else self.classes.tolist()[number]

    @property
    def favourable_outcome(self) -> object:
        """The same: labels are what a row is given."""
        return self.favourable

    @property
    def models(self) -> tuple[Fitted, ...]:
        """The model itself, whose labels are what is claimed."""
        return (self,)

    @property
    def outcomes(self) -> tuple[object, ...]:
        """The labels."""
        return tuple(self.classes.tolist())

    @property
    def codes(self) -> tuple[object, ...]:
        """The labels."""
        return self.outcomes

    @property
    def decision(self) -> str:
        """What programs call the label of a row."""
        return "prediction"

    @property
    def target(self) -> str | None:
        """What the column of labels is called, if that is known."""
        return self.explainer.target

    @property
    def model(self) -> Model:
        """The model as it was learned: a nested DNF, a nested tree, or a DNF for each class."""
        return self.learned.model

    @cached_property
    def double(self) -> DoubleDNF | None:
        """The model of two classes as a DNF for each of them; None if there are more."""
        return DoubleDNF.of(self.model, self.binariser.space_) if self.model.n_classes == 2 else None

    @cached_property
    def class_dnfs(self) -> ClassDNFs:
        """The model as a DNF for each class, however many there are."""
        return self.double or ClassDNFs.of(self.model, self.binariser.space_)

    def to_text(
        self,
        *,
        first: object = None,
        both: bool = False,
        form: FormName = "auto",
        place: str = "",
        always: bool = False,
    ) -> str:
        """Return the model in words, as :meth:`DNFClassifier.to_text` does.

        Parameters
        ----------
        first, both, form
            As there.
        place : str
            Where the reasons that are left out are listed, as the text says it.
        always : bool
            Whether lines begin with that class even if another one needs fewer.
        """
        labels = self.classes.tolist()
        label = None if first is None or first not in labels else labels.index(first)
        text = model_text(self.explainer, first=label, both=both, form=form, place=place, always=always)
        return "\n\n".join([text, *group_texts([self.columns[j] for j in self.used])])

    def cells_of(self, X: object) -> NDArray[np.integer]:
        """Return the cells of a table in memory, in the columns that the model looks at."""
        return self.read(X).cells

    def read(self, X: object) -> ExaminedTable:
        """Return a table in memory as this model sees it, read once for all that is asked about it.

        Examples
        --------
        >>> from idnf import DNFClassifier
        >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
        >>> rows = policy.fitted_.read([[True, True, True], [False, True, False]])
        >>> rows.decisions, rows.values(rows.fields[0]), rows.reasons[1].axp_columns
        (['yes', 'no'], [True, False], ('late', 'member'))
        """
        from idnf.classifier.memory_source import ExaminedTable

        return ExaminedTable.of(self, X)

    def read_plain(self, columns: Mapping[str, Sequence[Plain]]) -> ExaminedTable:
        """Return rows given as JSON holds them, by the names of the fields that the model looks at.

        Values are taken for what ``Field.to_plain`` made of them: no text becomes a number or a missing value.

        Examples
        --------
        >>> from idnf import DNFClassifier
        >>> DNFClassifier.from_dnf("late", classes=("yes", "no")).fitted_.read_plain({"late": [True, False]}).decisions
        ['no', 'yes']
        """
        from idnf.classifier.memory_source import ExaminedTable

        return ExaminedTable.of_plain(self, columns)

    def numbers_of(self, labels: NDArray[np.generic]) -> NDArray[np.intp]:
        """Return the numbers of the classes that labels name, -1 for a label that is none of them."""
        numbers = np.full(len(labels), -1, dtype=np.intp)
        for number, label in enumerate(self.classes):
            numbers[labels == label] = number
        return numbers

    def decide_lazily(self, frame: Lazy, *, shares: bool = False) -> Lazy:
        """Return a lazy table with the label of each row and, if asked for, the training share of every label."""
        return LazyExplainer(self.explainer, self.columns).decided(frame, self.confidence, shares=shares)

    @property
    def sides(self) -> ClassBoxes:
        """The boxes of each class over the columns of the table."""
        return self.explainer.sides

    @property
    def is_written(self) -> bool:
        """Whether all classes are written down as reasons: those of a class may be too many."""
        return None not in self.sides.terms

    @property
    def texts(self) -> Mapping[str, str]:
        """The user's own wording of reasons, by their identifier."""
        return self.explainer.texts

    @cached_property
    def size(self) -> ModelSize:
        """How much there is to read."""
        size = self.explainer.reading.size
        if not size.terms:
            return size
        form = printed_form(self.explainer)
        return replace(size, form=form.name, printed=form.conditions, lines=form.lines)

    @cached_property
    def table_model(self) -> TableModel:
        """The boxes of each class over the columns of the table, all written down: what audits read."""
        boxes = tuple(self.sides.boxes_of(label) for label in self.sides.labels)
        return TableModel(self.columns, tuple(self.classes.tolist()), boxes, self.sides.k)

    @cached_property
    def confidence(self) -> Confidence:
        """The training share of each class among the examples given the same reason."""
        return Confidence(self.sides, self.training)

    @property
    def scores(self) -> ScoreTable | None:
        """The share of the second of two labels by the reasons that hold; None if reasons cannot be listed."""
        return self.confidence.table

    def claimed_labels(self) -> Mapping[str, Sequence[tuple[int, Sequence[int]]]]:
        """Return the one claim of a decision, its reason, which any label may have."""
        return {"reason": [(0, self.sides.labels)]}

    def claimants(self, outcomes: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return which model makes the one claim of each row: the first and only one."""
        return np.zeros((len(outcomes), 1), dtype=np.intp)

    def tally(self) -> Tally:
        """Return the reasons of the catalogue, each with its conditions."""
        words = {reason.id: str(reason) for reason in self.explainer.reasons()}
        weights = dict.fromkeys(words, 0.0)
        for (label, box), total in self.confidence.totals.items():
            reason = self.explainer.reason_id(label, self.sides.frame.expand(box))
            assert reason is not None, "all reasons were listed"
            weights[reason] += float(total.sum())
        return Tally("reason", REASON, "if", words, np.array(list(weights.values())))

    @cached_property
    def feature_explainer(self) -> Explainer:
        """The model over the Boolean features, as if each could change alone."""
        names = self.binariser.literals_
        literals = ((column, literal) for column in self.columns for literal in column.literals)
        wordings = [
            FeatureWording(name, fails=column.phrase(column.full & ~literal.mask))
            for name, (column, literal) in zip(names, literals)
        ]
        model = self.model if self.model.space is None else ClassDNFs.of(self.model).in_literals()
        plain = Explainer.of(model, Space.boolean(names), classes=self.explainer.classes, wordings=wordings)
        owners = [column.name for column in self.columns for _ in column.literals]
        fixed = tuple(name for name, owner in zip(names, owners, strict=True) if owner in self.immutable)
        return replace(plain, target=self.target, immutable=fixed, favourable=self.explainer.favourable)


def table_explainer(model: Model, binariser: TableBinariser, classes: Sequence[object]) -> Explainer:
    """Return the explainer of a model over the columns of a table."""
    wordings = [TableWording(column) for column in binariser.columns_]
    return Explainer.of(model, binariser.space_, classes=classes, wordings=wordings)


StateHeld = TypeVar("StateHeld", bound=FittedModel, covariant=True)
"""The state that an estimator holds: its labels, the columns of the table, and which of them are looked at."""


@dataclass(eq=False, repr=False)
class TableClassifier(ClassifierMixin, BaseEstimator, ABC, Generic[StateHeld]):
    """What estimators of tables share: parameters, one fitted state, its labels and columns, scikit-learn's questions.

    Parameters are fields of a dataclass, which writes the `__init__` that scikit-learn reads them from.
    """

    k: int = 3
    _: KW_ONLY
    binariser: TableBinariser | None = None
    conditions: Conditions = "cuts"
    monotonic_cst: Mapping[str, int] | Sequence[int] | None = None
    class_weight: ClassWeight = None
    price: float | None = None
    tune: bool = True
    max_terms: int | None = None
    max_reasons: int | None = None
    effort: float = 1.0
    time_limit: float | None = None
    n_jobs: int | None = None
    random_state: int | np.random.RandomState | None = 0
    progress: Callable[[float], None] | bool | None = None
    favourable: object = None

    @property
    def fitted_(self) -> StateHeld:
        """All that was learned and what explanations need, as one frozen object: what exports and reports read.

        Asking for it is what refuses an estimator that was not fitted.
        """
        if not hasattr(self, "_state"):
            from sklearn.utils.validation import check_is_fitted

            check_is_fitted(self)
        state: StateHeld = self._state
        return state

    @fitted_.setter
    def fitted_(self, fitted: FittedModel) -> None:
        self._state: Any = fitted

    @property
    def classes_(self) -> NDArray[np.generic]:
        """The labels, sorted."""
        return self.fitted_.classes

    @property
    def binariser_(self) -> TableBinariser:
        """The columns and their literals."""
        return self.fitted_.binariser

    @property
    def columns_report_(self) -> ColumnsReport:
        """What was decided about the columns and the labels of the training table."""
        return self.fitted_.binariser.report_

    @property
    def groups_(self) -> dict[str, dict[str, tuple[Category, ...]]]:
        """The groups of values of the columns that have such, by the names of column and group."""
        return groups_of(self.fitted_.binariser.columns_)

    @property
    def n_features_in_(self) -> int:
        """The number of columns of the table."""
        return self.fitted_.binariser.n_features_in_

    @property
    def feature_names_in_(self) -> NDArray[np.object_]:
        """The names of the columns of the table, if it has names."""
        return self.fitted_.binariser.feature_names_in_

    @property
    @abstractmethod
    def models_(self) -> tuple[DNFClassifier, ...]:
        """The classifiers whose labels are claimed: this one, or that of each boundary."""

    @abstractmethod
    def explain(self, X: object) -> Any:
        """Return for each row what it is given and why, with one or two claims."""

    @abstractmethod
    def recourse(  # noqa: PLR0913 - each constraint is a word of its own
        self,
        x: object,
        *,
        to: Any = None,
        immutable: Iterable[str] = (),
        increase_only: Iterable[str] = (),
        decrease_only: Iterable[str] = (),
        costs: Mapping[str, Cost] | None = None,
        count: int = 1,
    ) -> Recourses | list[Recourses]:
        """Return the cheapest changes that give a row another outcome, cheapest first."""

    @abstractmethod
    def with_settings(
        self,
        *,
        target: str | None | EllipsisType = ...,
        favourable: object = ...,
        immutable: Iterable[str] | Literal["all"] | EllipsisType = ...,
    ) -> Self:
        """Return the same model with other settings of what it says and proposes."""

    def __sklearn_is_fitted__(self) -> bool:
        """Return whether a model is there."""
        return hasattr(self, "_state")

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn what tables are taken."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


AnyClassifier = TableClassifier[FittedModel]
"""A classifier or bands: all that is read of a fitted model through its claims takes either."""


class FittedAttributes(TableClassifier[Fitted]):
    """The attributes of a classifier that end in an underscore; each is read from its fitted state."""

    @property
    def double_dnf_(self) -> DoubleDNF:
        """The model of two classes as a DNF for each of them."""
        double = self.fitted_.double
        if double is None:
            raise AttributeError(f"double_dnf_ is for two classes; this model has {len(self.classes_)}. Use dnfs_.")
        return double

    @property
    def dnfs_(self) -> dict[object, DNF]:
        """The DNF of each class by its label, for any number of classes."""
        return dict(zip(self.classes_.tolist(), self.fitted_.class_dnfs.dnfs, strict=True))

    @property
    def nested_(self) -> NestedDNF | NestedTree | None:
        """The model as a nested DNF or tree, if it is one."""
        return self.fitted_.model.nested_form

    @property
    def optimal_(self) -> str | None:
        """The family in which the training objective is proved optimal."""
        return self.fitted_.learned.optimal

    @property
    def bound_(self) -> float | None:
        """What no model of the family ``bound_family_`` can beat."""
        return self.fitted_.learned.bound

    @property
    def bound_family_(self) -> str | None:
        """The family for which the bound is proved."""
        return self.fitted_.learned.bound_family

    @property
    def objective_(self) -> float:
        """The training objective."""
        return self.fitted_.learned.objective

    @property
    def path_(self) -> PathTable | None:
        """What cross-validation said about each size, price and objective."""
        from idnf.classifier.path_table import PathTable

        path = self.fitted_.learned.path
        return None if path is None else PathTable(path.points, path.folds, path.objective, path.by_columns)

    @property
    def training_data_(self) -> str:
        """What the learner looked at."""
        return self.fitted_.training_data

    @property
    def fairness_(self) -> FairnessReport:
        """The models considered under a limit on the gap between groups, the one taken, and what is proved."""
        if self.fitted_.fairness is None:
            raise AttributeError(
                "fairness_ exists only after idnf.choosing.fit_fairly; this model was fitted without a limit."
            )
        return self.fitted_.fairness
