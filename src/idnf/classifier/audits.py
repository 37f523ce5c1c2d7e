"""What auditors ask of a fitted classifier: relevance, attribution, principal reasons, differences, rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, Self

from numpy.typing import ArrayLike
from sklearn.base import ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from idnf.auditing.covering import class_formula
from idnf.auditing.differences import Difference, difference_of
from idnf.auditing.invariance import CanDecide
from idnf.auditing.principal_reasons import Attributions, PrincipalReasons
from idnf.auditing.reason_texts import GivenTexts, ReasonTexts
from idnf.auditing.relevance import Relevances
from idnf.auditing.rule_audits import Audit
from idnf.auditing.rule_sets import read_rule_set, read_tree
from idnf.auditing.rules import RuleAnswer, check_rules_of
from idnf.auditing.table_models import TableModel
from idnf.classifier.fitted import Fitted
from idnf.classifier.way_in import examined_rows
from idnf.columns.column import TableColumn
from idnf.tables.declared import Declared, declared_columns

if TYPE_CHECKING:
    from idnf.classifier.estimator import DNFClassifier
    from idnf.classifier.rectifying import Rectified


class AuditMixin:
    """Questions of auditors, answered from the boxes of each class; mixed into :class:`DNFClassifier`."""

    fitted_: Fitted
    immutable: Sequence[str] | Literal["all"] | None

    def relevance(self, X: object) -> Relevances:
        """Return for each row the columns in every reason, in some reason and in none.

        Parameters
        ----------
        X : table or array of shape (n_samples, n_features)

        Returns
        -------
        Relevances
            A sequence with ``.necessary``, ``.relevant`` and ``.irrelevant`` columns for each row.

        Examples
        --------
        >>> from idnf import DNFClassifier
        >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
        >>> policy.relevance([[1, 1, 0]])[0].necessary, policy.relevance([[1, 1, 1]])[0].relevant
        (('late',), ('late', 'owner', 'member'))
        """
        model = self.fitted_.table_model
        return Relevances(model.sides, examined_rows(self.fitted_, X).cells, model.classes)

    def attribution(self, X: object) -> Attributions:
        """Return for each row and column the share of the row's reasons, of at most k columns, that the column is in.

        Parameters
        ----------
        X : table or array of shape (n_samples, n_features)

        Returns
        -------
        Attributions
            A sequence with a mapping from columns to shares for each row; ``.mean`` is that of the table.

        Examples
        --------
        >>> from idnf import DNFClassifier
        >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
        >>> dict(policy.attribution([[1, 1, 1]])[0])
        {'late': 0.5, 'owner': 0.5, 'member': 0.5}
        """
        return Attributions(self.fitted_.table_model.sides, examined_rows(self.fitted_, X).cells)

    def principal_reasons(self, X: object, *, count: int = 4, texts: GivenTexts | None = None) -> PrincipalReasons:
        """Return for each row its principal reasons, as adverse-action notices name them: ranked, at most ``count``.

        Parameters
        ----------
        X : table or array of shape (n_samples, n_features)
        count : int, default=4
            The most reasons for a row.
        texts : mapping, path of a CSV file or ReasonTexts, optional
            Reason codes and texts by column; later notices, exports and the model file have them too.

        Returns
        -------
        PrincipalReasons
            A sequence with a tuple of reasons for each row, the weightiest first.

        Examples
        --------
        >>> from idnf import DNFClassifier
        >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
        >>> [str(reason) for reason in policy.principal_reasons([[0, 0, 1]])[0]]
        ['late is false', 'owner is false']
        >>> given = policy.principal_reasons([[0, 0, 1]], texts={"late": ("R1", "No late payments")})[0]
        >>> given[0].code, given[0].text
        ('R1', 'No late payments')
        """
        if texts is not None:
            known = ReasonTexts.of_given(texts).checked([column.name for column in self.fitted_.columns])
            self.fitted_ = replace(self.fitted_, reason_texts=known)
        fitted = self.fitted_
        return PrincipalReasons(
            fitted.table_model.sides,
            examined_rows(self.fitted_, X).cells,
            lambda column, mask: fitted.explainer.wordings[column].phrase(mask).condition,
            count=count,
            texts=fitted.reason_texts,
        )

    def can_decide(self, columns: str | Iterable[str], X: object = None) -> CanDecide:
        """Tell whether some columns alone can change a decision, over all values; and for how many rows of a table.

        Parameters
        ----------
        columns : str or iterable of str
            Protected columns, say.
        X : table or array of shape (n_samples, n_features), optional

        Returns
        -------
        CanDecide
            ``.answer``, with two rows as ``.witness`` where it is True; False is a proof, and ``.check()`` makes it
            again by other means.

        Examples
        --------
        >>> from idnf import DNFClassifier
        >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
        >>> print(policy.can_decide("owner"))
        owner alone can decide.
          no: late = false, owner = false, member = true
          yes: late = false, owner = true, member = true
        """
        names = (columns,) if isinstance(columns, str) else tuple(columns)
        return CanDecide.of(self.fitted_.table_model, names, X)

    def rectified(self, rule: str | Sequence[str], X: object, y: ArrayLike) -> Rectified:
        """Return the nearest model, with reasons of at most k conditions, that obeys rules.

        Where the model with the wanted class on the regions of the rules, and unchanged elsewhere, has reasons this
        short, it is the answer, and no model that obeys is nearer. Otherwise the learner is run under the rules, on the
        rows of a table with the classes this model gives them.

        Parameters
        ----------
        rule : str or sequence of str
            As in :func:`idnf.check_rules`.
        X : table of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            The true labels, for accuracy and probabilities.

        Returns
        -------
        Rectified
            ``.classifier``, which is proved to obey; or a proof that there is none; or neither.

        Examples
        --------
        >>> import pandas as pd
        >>> from idnf import DNFClassifier
        >>> policy = DNFClassifier.from_dnf("~'age <= 30'", columns={"age": [30], "late": bool},
        ...                                 classes=("no", "yes"), k=2)
        >>> X = pd.DataFrame({"age": [20, 40, 50], "late": [False, False, True]})
        >>> print(policy.rectified("if late then no", X, ["no", "yes", "no"]))
        A model that obeys was found: it decides 1 of 3 rows differently, accuracy 66.7% before and 100.0% after. No
        model that obeys is nearer: proved.
        """
        from idnf.classifier.estimator import DNFClassifier
        from idnf.classifier.rectifying import rectify

        assert isinstance(self, DNFClassifier), "these questions are mixed into no other class"
        return rectify(self, rule, X, y)

    def fair_alternative(self, place: int) -> Self:
        """Return one of the models considered under ``fairness``, by its place in ``fairness_.alternatives``.

        It says nothing of probabilities: the training rows are not kept.
        """
        models = self.fitted_.alternatives
        if not 0 <= place < len(models):
            raise ValueError(f"place must be below {len(models)}, the number of alternatives; got {place}.")
        other: Self = clone(self)
        binariser, classes = self.fitted_.binariser, self.fitted_.classes
        fitted = Fitted.untrained(binariser, classes, models[place], "not kept: an alternative")
        other.fitted_ = fitted.with_target(self.fitted_.target).with_immutable(self.immutable or ())
        return other


def difference(old: DNFClassifier | str, new: DNFClassifier | str, X: object = None) -> Difference:
    """Return the exact regions in which two models disagree, or a proof that they are equal.

    Parameters
    ----------
    old, new : DNFClassifier or str
        Their columns are matched by name and may be cut at different places. A policy is given as text:
        ``if income > 35000 and arrears is false then approved`` and so on, and last ``otherwise declined``.
    X : table or array, optional
        Rows to count in each region.

    Returns
    -------
    Difference
        ``.equal``, ``.regions``, ``.rows``; ``.check()`` proves it again by other means.

    Examples
    --------
    >>> from idnf import DNFClassifier
    >>> old = DNFClassifier.from_dnf("~'age <= 30'", columns={"age": [30]}, classes=("no", "yes"))
    >>> new = DNFClassifier.from_dnf("~'age <= 45'", columns={"age": [45]}, classes=("no", "yes"))
    >>> print(difference(old, new))
    The models disagree in 1 region.
    - yes becomes no if 30 < age <= 45
    """
    known = next((side.fitted_.table_model for side in (old, new) if not isinstance(side, str)), None)
    sides = [_policy_model(side, known) if isinstance(side, str) else side.fitted_.table_model for side in (old, new)]
    return difference_of(sides[0], sides[1], X)


def _policy_model(text: str, beside: TableModel | None) -> TableModel:
    """Return a policy as a model, its columns and classes those of the model beside it where it has the same."""
    found = Audit(read_rule_set(text, beside.columns if beside else ()))
    if found.function is None:
        raise ValueError(f"a policy must give every row a class; it gives none if {found.gaps[0]}.")
    known = {str(label).casefold(): label for label in (beside.classes if beside else ())}
    labels = tuple(known.get(str(label).casefold(), label) for label in found.function.classes)
    return replace(found.function, classes=labels)


class RulesAudit(Audit):
    """What rules really say; :meth:`to_classifier` gives the same function as a model."""

    def to_classifier(self, k: int | None = None) -> DNFClassifier:
        """Return the same function as a verified model whose every reason has at most k conditions.

        Parameters
        ----------
        k : int, optional
            The bound to keep; by default the least one.

        Raises
        ------
        ValueError
            Where there is no such model: some rows get no class, there are more than two classes, or k is too small.
        """
        from idnf.classifier.estimator import DNFClassifier

        if self.function is None:
            raise ValueError(f"rules must give every row a class; they give none if {self.gaps[0]}.")
        if len(self.function.classes) != 2:
            raise ValueError(f"rules must have two classes to be a model; got {len(self.function.classes)}.")
        columns = tuple(column.with_all_literals() for column in self.function.columns)
        negative, positive = self.function.classes
        model = replace(self.function, columns=columns)
        # Over Boolean points that no row can be, the two ways differ.
        formulas = [class_formula(model, 1), class_formula(model, 0).complement()]
        formula = min(formulas, key=lambda one: one.double().k)
        made = DNFClassifier.from_dnf(formula, columns=columns, classes=(negative, positive), k=k)
        made.double_dnf_.verify()
        return made


def audit(
    tree_or_rules: object,
    *,
    names: Sequence[str] | None = None,
    columns: Declared | Sequence[TableColumn] | None = None,
) -> RulesAudit:
    r"""Say what other people's rules really say.

    Parameters
    ----------
    tree_or_rules : str, sequence, DecisionTreeClassifier or RandomForestClassifier
        Text of ``if ... then ...`` lines or SQL's ``CASE WHEN``; pairs of a condition and a class, and last the class
        of all other rows; or a fitted scikit-learn tree, or a forest of few trees.
    names : sequence of str, optional
        The columns of a tree that was fitted without names.
    columns : dict or sequence of TableColumn, optional
        What the columns of rules hold, as in :meth:`DNFClassifier.from_dnf`; read off the conditions if not given.

    Returns
    -------
    RulesAudit
        ``.sizes`` and ``.k``, ``.gaps``, ``.overlaps``, ``.idle``, ``.spare``, and ``.to_classifier()``.

    Examples
    --------
    >>> print(audit("if age < 18 then no\nif age < 12 and member then no\notherwise yes"))
    2 rules over 2 columns.
    Every no has a reason of at most 1 column, and one needs them.
    Every yes has a reason of at most 1 column, and one needs them.
    Rows that get no class: none.
    Overlaps: 1.
    - age < 18 then no / age < 12 and member then no
    Rules that never decide: 1.
    - age < 12 and member then no
    Conditions that can be dropped: 1.
    - member is true in age < 12 and member is true then no
    """
    if isinstance(tree_or_rules, ClassifierMixin):
        check_is_fitted(tree_or_rules)
        given = names if names is not None else getattr(tree_or_rules, "feature_names_in_", None)
        count = tree_or_rules.n_features_in_
        known = [f"x{j}" for j in range(count)] if given is None else [str(name) for name in given]
        if len(known) != count:
            raise ValueError(f"names must have {count} entries, one a column; got {len(known)}.")
        return RulesAudit(read_tree(tree_or_rules, known))
    if not isinstance(tree_or_rules, (str, Sequence)):
        got = type(tree_or_rules).__name__
        raise TypeError(f"tree_or_rules must be text, pairs, or a fitted tree or forest; got {got}.")
    table = declared_columns(columns) if isinstance(columns, Mapping) else tuple(columns or ())
    return RulesAudit(read_rule_set(tree_or_rules, table))


def check_rules(clf: DNFClassifier, rules: str | Sequence[str], X: object = None) -> list[RuleAnswer]:
    """Prove or refute rules that must hold of a model, over all values.

    Parameters
    ----------
    clf : DNFClassifier
    rules : str or sequence of str
        One rule a line: ``if income > 50000 and arrears is false then approved``, ``no row with ... is declined``,
        ``approved never falls as income rises``, ``region alone never decides``.
    X : table or array, optional
        Rows to count those that break a rule.

    Returns
    -------
    list of RuleAnswer
        ``.holds``, with a row, or two, as ``.witness`` where it is False; ``.check()`` proves it again by other means.

    Examples
    --------
    >>> from idnf import DNFClassifier
    >>> policy = DNFClassifier.from_dnf("~'age <= 30' & ~late", columns={"age": [30], "late": bool},
    ...                                 classes=("no", "yes"))
    >>> for answer in check_rules(policy, ["if age > 40 and late is false then yes", "late alone never decides"]):
    ...     print(answer)
    Proved: if age > 40 and late is false then yes.
    Refuted: late alone never decides.
      no: age = 40, late = true
      yes: age = 40, late = false
    """
    return check_rules_of(clf.fitted_.table_model, rules, X)
