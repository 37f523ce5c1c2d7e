"""DNFClassifier: the scikit-learn front of the library."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.classifier.fit_defaults import with_defaults
from idnf.classifier.fitted import Fitted, FittedAttributes
from idnf.classifier.plots import notebook_html
from idnf.classifier.progress_line import progress_callback
from idnf.classifier.questions import ExplainerMixin
from idnf.classifier.table_input import examined, training_of
from idnf.classifier.training import Training
from idnf.classifier.training_request import request_of
from idnf.columns.column import TableColumn
from idnf.columns.groups import Declared, declared_columns
from idnf.learning.choices import Device, FamilyName, LearnerName
from idnf.learning.families import family_of
from idnf.learning.objective import Learned
from idnf.logic.boxes import Box
from idnf.logic.class_dnfs import ClassDNFs, DoubleDNF
from idnf.logic.deadlines import Deadline
from idnf.logic.dnf import DNF
from idnf.logic.errors import InvalidArgument
from idnf.logic.primes import maximal_runs_avoiding
from idnf.tables.binariser import declared_binariser
from idnf.tables.column_check import TableWarning
from idnf.tables.estimator_bases import checks_parameters
from idnf.tables.outcomes import favourable_number
from idnf.tables.targets import name_of, two_labels

if TYPE_CHECKING:
    from sklearn.utils import Tags

    from idnf.auditing.rule_sets import RuleSet


@dataclass(eq=False, repr=False, kw_only=True)
class DNFClassifier(ExplainerMixin, FittedAttributes):
    """A classifier whose every decision, for any number of classes, has a reason of at most k conditions.

    Parameters
    ----------
    k : int, default=3
        The bound: no reason has more conditions.
    family : {"any", "column-tree", "tree", "nested", "checklist"}, default="any"
        The models to choose from: every k-AXp-interpretable function, decision trees whose paths ask about k columns,
        decision trees of depth k, nested k-DNFs, checklists ("at least m of these"). Trees of a depth and nested DNFs
        count literals, as the paper does.
    learner : {"search", "exact", "greedy"}, default="search"
        Local search; a proved optimum if one can be found; the paper's heuristic (CART for trees).
    binariser : TableBinariser, default=None
        How columns become Boolean features; a default one if not given.
    conditions : {"cuts", "intervals", "sets", "all", "auto"}, default="cuts"
        What one condition may be: a comparison with one cut or one category; also an interval between two cuts; also a
        set of categories; both; or whatever cross-validation prefers. k counts columns, so an interval counts once.
    monotonic_cst : dict or sequence of int, default=None
        For each column 1, 0 or -1: class 1 never becomes less likely as the column grows (1) or shrinks (-1).
    class_weight : dict or "balanced", default=None
        Weights of the classes, as in scikit-learn.
    costs : dict, default=None
        What mistakes cost, by the true label and the label given: ``{("bad", "good"): 5}``; those not named cost 1.
    price : float, default=None
        What a literal costs, as a share of the training weight; by default it follows the noise in the data
        (:mod:`idnf.learning.objective`), and ``learner="exact"`` charges nothing.
    tune : bool, default=True
        Whether ``learner="search"`` chooses by cross-validation how much of k to use and what to minimise
        (:mod:`idnf.learning.path`); not if `price` is given. It takes two to three times as long.
    max_terms : int, default=None
        The most lines that the class of fewer lines may have.
    max_reasons : int, default=None
        The most reasons that both classes may have together.
    effort : float, default=1.0
        How much search is done before it stops; more takes longer and, on the whole, fits better.
    time_limit : float, default=None
        Seconds after which the best model so far is kept, from the call of `fit` on. If that is short for the table,
        cuts are chosen from fewer rows, and the learner looks at a sample of the rows (`training_data_` says so).
        Nothing is then proved.
    n_jobs : int, default=None
        Threads for ``learner="search"`` and for reading large tables; the result does not depend on it.
    device : {"cpu", "cuda"}, default="cpu"
        Where ``learner="exact"`` multiplies matrices; "cuda" needs a GPU, array-api-compat, and torch or cupy.
    random_state : int, RandomState or None, default=0
        Seed of the search, and of samples of tables too large to search whole. The folds of cross-validation and the
        guesses of other models are the same for every seed.
    progress : callable or bool, default=None
        Called with the share of the work done, from 0 to 1; True draws a line on standard error.
    favourable : label, default=None
        The outcome that people want: changes are proposed only to those who do not get it, and letters are for them.
        By default a label whose name says so, such as "approved", which ``columns_report_`` then remarks.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The labels, sorted; class 1 of the paper is ``classes_[1]``.
    dnfs_ : dict
        The model: the DNF of each class by its label, over the features of ``binariser_``.
    double_dnf_ : DoubleDNF
        The model: a DNF for each class, over the features of ``binariser_``.
    nested_ : NestedDNF, NestedTree or None
        The model as a nested DNF or tree, if it is one.
    optimal_ : str or None
        The family in which the training objective is proved optimal; the model belongs to it. For a model file it is
        what the file claims (``fitted_.learned.claimed``): the proof needs the training table.
    bound_ : float or None
        What no model of the family ``bound_family_`` can beat; for a model file, again what the file claims.
    bound_family_ : str or None
        The family for which ``bound_`` is proved; a model of a larger family may be below it, and then ``optimal_`` is
        None.
    objective_ : float
        The training objective: the weighted share of errors plus the price of the literals. If the cautious
        objective is used, a row counts partly for its label and partly for what trees that never saw it say.
    binariser_ : TableBinariser
        The columns and their literals.
    path_ : PathTable or None
        What cross-validation found for each size, price and objective, and which was chosen.
    size_ : ModelSize
        Terms and conditions of the class that needs fewer, reasons of both classes.
    training_data_ : str
        What the learner looked at: all rows, the distinct rows with their weights, or a sample of them. For a formula
        given by hand it says that there were none, for a model file that they are not known.
    columns_report_ : ColumnsReport
        What was decided about the columns of the table and its labels, one line for each decision; the serious ones are
        also warnings of the class ``idnf.TableWarning``.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[a, b, c, d] for a in (0, 1) for b in (0, 1) for c in (0, 1) for d in (0, 1)])
    >>> y = X[:, 0] & X[:, 1] | X[:, 2] & X[:, 3]
    >>> clf = DNFClassifier(k=2, family="nested", learner="greedy").fit(X, y)
    >>> print(clf.double_dnf_.positive)
    x0 & x1 | x2 & x3
    """

    family: FamilyName = "any"
    learner: LearnerName = "search"
    costs: Mapping[tuple[object, object], float] | None = None
    device: Device = "cpu"

    @property
    def _parameter_constraints(self) -> dict[str, Any]:
        from idnf.classifier.parameter_constraints import OF_CLASSIFIER

        return OF_CLASSIFIER

    @classmethod
    def from_dnf(  # noqa: PLR0913 - as many words as a policy has
        cls,
        dnf: str | DNF,
        *,
        columns: Declared | Sequence[TableColumn] | None = None,
        classes: tuple[object, object] = (0, 1),
        k: int | None = None,
        target: str | None = None,
        favourable: object = None,
    ) -> Self:
        """Return a classifier for a policy written by hand, or for an edited model.

        Parameters
        ----------
        dnf : str or DNF
            When the second class is given, over the literals of the columns; see :meth:`idnf.DNF.parse`.
        columns : dict or sequence of TableColumn, optional
            For each column its cut points, its categories, or ``bool``; without it every name is a Boolean column.
        classes : tuple of two labels, default=(0, 1)
            What is given if the formula fails, and if it holds.
        k : int, optional
            The bound to keep; by default the least one, the columns that the reasons of the formula need.
        target : str, optional
            What sentences call the target.
        favourable : label, optional
            The outcome that people want, as for the class; it is not guessed here.

        Examples
        --------
        >>> policy = DNFClassifier.from_dnf("'income > 35' & ~late | guarantor",
        ...     columns={"income": [35], "late": bool, "guarantor": bool}, classes=("declined", "approved"))
        Traceback (most recent call last):
            ...
        idnf.logic.parsing.FormulaError: name must be one of 'income <= 35', late, guarantor; got 'income > 35'.
          'income > 35' & ~late | guarantor
          ^
        >>> policy = DNFClassifier.from_dnf("~'income <= 35' & ~late | guarantor",
        ...     columns={"income": [35], "late": bool, "guarantor": bool}, classes=("declined", "approved"))
        >>> print(policy.to_text())
        Every decision has a reason of at most 2 conditions.
        <BLANKLINE>
        approved if
             guarantor is true  [b1]
          or income > 35 and late is false  [b2]
        <BLANKLINE>
        declined otherwise. There are 2 ways to get this answer, each failing at least one condition in every
        line above (both=True lists them).
        """
        if columns is None:
            names = DNF.parse(dnf).names if isinstance(dnf, str) else dnf.names
            columns = dict.fromkeys(names, bool)
        table = declared_columns(columns) if isinstance(columns, Mapping) else tuple(columns)
        binariser = declared_binariser(table)
        formula = DNF.parse(dnf, binariser.literals_) if isinstance(dnf, str) else dnf.over(binariser.literals_)
        holding = binariser.space_.boxes(formula)
        sides = [maximal_runs_avoiding(holding, binariser.space_), holding]
        written = cls._from_boxes(table, sides, two_labels(classes), k, "none: the formula was given")
        return written.with_settings(target=target, favourable=favourable)

    @classmethod
    def from_rules(cls, rules: RuleSet, *, k: int | None = None) -> Self:
        r"""Return the function of other people's rules as a verified model whose every reason has at most k conditions.

        Parameters
        ----------
        rules : RuleSet
            As :meth:`idnf.auditing.RuleSet.read` reads them from text, SQL, a tree or a small forest.
        k : int, optional
            The bound to keep; by default the least one.

        Raises
        ------
        ValueError
            If there is no such model: some rows get no class or two, all get the same, or k is too small; or a column
            is made of others, which is a column of its own in no table.

        Examples
        --------
        >>> from idnf.auditing import RuleSet
        >>> policy = DNFClassifier.from_rules(RuleSet.read("if age < 18 then no\notherwise yes"))
        >>> policy.predict([[15.0], [40.0]]).tolist()
        ['no', 'yes']
        """
        if rules.fault is not None:
            raise ValueError(f"rules must {rules.fault}.")
        assert rules.function is not None, "rules without a fault are a function"
        if len(rules.function.classes) < 2:
            raise InvalidArgument("rules", "have two classes to be a model", len(rules.function.classes))
        columns = [column.with_all_literals() for column in rules.function.columns]
        labels = np.array(list(rules.function.classes))
        made = cls._from_boxes(columns, rules.function.boxes, labels, k, "none: rules were given")
        made.verify()
        return made

    @classmethod
    def _from_boxes(
        cls,
        columns: Sequence[TableColumn],
        sides: Sequence[Sequence[Box]],
        classes: NDArray[np.generic],
        k: int | None,
        training_data: str,
    ) -> Self:
        """Return a classifier for a function given by the boxes of each class; k is the least one if not given."""
        binariser = declared_binariser(columns)
        kind = DoubleDNF if len(sides) == 2 else ClassDNFs
        model = kind.from_boxes(binariser.literals_, sides, binariser.space_)
        bound = max(model.k, 1) if k is None else k
        if bound < model.k:
            raise InvalidArgument("k", f"be at least {model.k}, the number of columns that some reason needs", k)
        classifier = cls(bound)
        learned = Learned(model.within(bound), float("nan"))
        classifier.fitted_ = Fitted.untrained(binariser, classes, learned, training_data)
        return classifier

    def fit(
        self, X: object, y: ArrayLike, sample_weight: ArrayLike | None = None, costs: ArrayLike | None = None
    ) -> Self:
        """Learn from a table and its labels.

        Parameters
        ----------
        X : table or array of shape (n_samples, n_features)
            A pandas or polars table, or an array of numbers; or a lazy table: a polars LazyFrame, a DuckDB relation, a
            PySpark DataFrame or an ibis table. Learning then asks its engine for counts.
        y : array-like of shape (n_samples,)
            Two or more labels of one type; for a lazy table the name of the column that holds them.
        sample_weight : array-like of shape (n_samples,), default=None
            The weight of each example; an integer weight counts as that many equal examples, and one below a millionth
            of the largest as none. For a lazy table the name of a column.
        costs : array-like of shape (n_samples, n_classes), default=None
            What it costs to give each row each label, in the order of ``classes_``; for a lazy table a list with the
            name of a column for each label. The model then costs least, whatever `y` says; `y` is what shares are of.
            ``objective_`` counts what an answer costs beyond the cheapest one for its row.

        Returns
        -------
        DNFClassifier
            Itself, fitted.
        """
        from idnf.classifier.capped_learning import learned_by

        def learn(training: Training, deadline: Deadline) -> Fitted:
            return Fitted.trained(training, learned_by(self, training, deadline))

        return self.fit_by(learn, X, y, sample_weight, costs)

    @checks_parameters
    def fit_by(
        self,
        learn: Callable[[Training, Deadline], Fitted],
        X: object,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        costs: ArrayLike | None = None,
    ) -> Self:
        """Fit by another way of learning: what :mod:`idnf.choosing` trains above one fit.

        Parameters
        ----------
        learn : callable
            Makes the fitted state from the training examples, before a deadline.
        X, y, sample_weight, costs
            As for :meth:`fit`.
        """
        deadline = Deadline.after(self.time_limit)
        with progress_callback(self.progress) as progress:
            training = training_of(X, y, sample_weight, request_of(self, progress, deadline, costs))
            if self.favourable is not None:
                favourable_number(self.favourable, training.classes.tolist())
            self.fitted_ = with_defaults(learn(training, deadline), name_of(y), self.favourable)
            training.finish()
        # Between the caller's line and this one are `fit`, or what fits in its place, and scikit-learn's wrapper.
        self.columns_report_.warn(stacklevel=5)
        _warn_of_constant(
            self.fitted_, weighed=any(each is not None for each in (self.class_weight, self.costs, costs))
        )
        return self

    def predict(self, X: object) -> NDArray[np.generic]:
        """Return the label of each row; a lazy table comes back with a column `predicted`."""
        return examined(self.fitted_, X).predicted()

    def predict_proba(self, X: object) -> NDArray[np.float64]:
        """Return the training share of each class among the examples for which the same reasons hold.

        Of two classes it is the share among the examples that meet the same set of reasons, drawn towards the share of
        those that were given the same reason: how far, the log loss of every example under the shares of the others
        says. A set that no example met has the share of the reason given; under monotone constraints sets lie between
        their neighbours, so that shares grow as predictions do. Of more classes it is the share among the examples
        given the same reason. One example of each class is added to the share of every reason. Without class weights
        the class predicted is kept the likeliest; with them another may have the greater share.

        It says how sure a decision is, and it ranks rows. A cut of it elsewhere than at `predict` has no reason of at
        most k conditions: cutoffs, points and cases for a person are of :class:`DNFBands`. A lazy table comes back with
        a column `probability`, the share of ``classes_[1]``, if there are two classes, and with a column for each class
        if there are more.
        """
        return examined(self.fitted_, X).probabilities()

    def score(self, X: object, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Return the share of rows whose label is right; for a lazy table y is the name of a column."""
        return examined(self.fitted_, X).score(y, sample_weight)

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn what this classifier takes."""
        tags = super().__sklearn_tags__()
        several = family_of(self.family).has_several_classes
        tags.classifier_tags.multi_class = several and self.monotonic_cst is None
        return tags

    def _repr_html_inner(self) -> str:
        return str(super()._repr_html_inner()) + self._notebook_html()

    def _repr_mimebundle_(self, **options: object) -> dict[str, str]:
        """Return what a notebook shows: scikit-learn's box of parameters and, once fitted, a picture and the terms."""
        bundle: dict[str, str] = super()._repr_mimebundle_(**options)
        if "text/html" in bundle:
            bundle["text/html"] += self._notebook_html()
        return bundle

    def _notebook_html(self) -> str:
        return notebook_html(self.fitted_) if self.__sklearn_is_fitted__() else ""


def _warn_of_constant(fitted: Fitted, *, weighed: bool) -> None:
    """Warn of a model that gives every row the same label."""
    given = [label for label, terms in zip(fitted.classes.tolist(), fitted.sides.terms) if terms is None or terms]
    if len(given) == 1:
        advice = "a larger k or price=0" if weighed else "class_weight='balanced', a larger k or price=0"
        text = f"the model gives every row the label {given[0]!r}; try {advice}"
        warnings.warn(text, TableWarning, stacklevel=5)
