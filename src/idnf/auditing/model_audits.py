"""What auditors ask of a fitted classifier: relevance, attribution, principal reasons, differences, rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Protocol, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.auditing.differences import Difference, difference_of
from idnf.auditing.invariance import CanDecide
from idnf.auditing.reason_sets import Relevances
from idnf.auditing.reason_shares import Attributions, PrincipalReasons
from idnf.auditing.reason_texts import GivenTexts, ReasonTexts
from idnf.auditing.rule_readers import read_rule_set
from idnf.auditing.rules import RuleAnswer, check_rules_of
from idnf.auditing.table_models import TableModel
from idnf.explaining.explainer import Explainer


class AuditedState(Protocol):
    """What audits read of the fitted state of a classifier."""

    def cells_of(self, X: object) -> NDArray[np.integer]:
        """Return the cells of a table in memory; refuse one with values that have none, and a lazy one."""

    @property
    def explainer(self) -> Explainer:
        """The model over the columns, and how to describe them."""

    @property
    def table_model(self) -> TableModel:
        """The boxes of each class."""

    @property
    def reason_texts(self) -> ReasonTexts | None:
        """Codes and texts by column, None if there are none."""

    @property
    def favourable(self) -> object:
        """The label that people want, None if it is not known."""

    def with_settings(self, *, notice_codes: GivenTexts) -> Self:
        """Return the same state with other codes and texts."""


class Audited(Protocol):
    """A fitted classifier, as audits see it."""

    @property
    def fitted_(self) -> AuditedState:
        """The fitted state."""


def relevance(clf: Audited, X: object) -> Relevances:
    """Return for each row the columns in every reason, in some reason and in none.

    Parameters
    ----------
    clf : DNFClassifier
    X : table or array of shape (n_samples, n_features)

    Returns
    -------
    Relevances
        A sequence with ``.necessary``, ``.relevant`` and ``.irrelevant`` columns for each row.

    Examples
    --------
    >>> from idnf import DNFClassifier
    >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
    >>> relevance(policy, [[1, 1, 0]])[0].necessary, relevance(policy, [[1, 1, 1]])[0].relevant
    (('late',), ('late', 'owner', 'member'))
    """
    model = clf.fitted_.table_model
    return Relevances(model.sides, clf.fitted_.cells_of(X), model.classes)


def attribution(clf: Audited, X: object) -> Attributions:
    """Return for each row and column the share of the row's reasons, of at most k columns, that the column is in.

    Parameters
    ----------
    clf : DNFClassifier
    X : table or array of shape (n_samples, n_features)

    Returns
    -------
    Attributions
        A sequence with a mapping from columns to shares for each row; ``.mean`` is that of the table.

    Examples
    --------
    >>> from idnf import DNFClassifier
    >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
    >>> dict(attribution(policy, [[1, 1, 1]])[0])
    {'late': 0.5, 'owner': 0.5, 'member': 0.5}
    """
    return Attributions(clf.fitted_.table_model.sides, clf.fitted_.cells_of(X))


def principal_reasons(clf: Audited, X: object, *, count: int = 4, texts: GivenTexts | None = None) -> PrincipalReasons:
    """Return for each row its principal reasons, as adverse-action notices name them: ranked, at most ``count``.

    Parameters
    ----------
    clf : DNFClassifier
    X : table or array of shape (n_samples, n_features)
    count : int, default=4
        The most reasons for a row.
    texts : mapping, path of a CSV file or ReasonTexts, optional
        Reason codes and texts by column, for this answer; by default those of the model, which
        `with_settings(notice_codes=...)` gives it.

    Returns
    -------
    PrincipalReasons
        A sequence with a tuple of reasons for each row, the weightiest first; none for rows of another outcome than the
        texts are about or, if they name none, for rows of the favourable outcome.

    Examples
    --------
    >>> from idnf import DNFClassifier
    >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
    >>> [str(reason) for reason in principal_reasons(policy, [[0, 0, 1]])[0]]
    ['late is false', 'owner is false']
    >>> given = principal_reasons(policy, [[0, 0, 1]], texts={"late": ("R1", "No late payments")})[0]
    >>> given[0].code, given[0].text
    ('R1', 'No late payments')
    """
    fitted = clf.fitted_ if texts is None else clf.fitted_.with_settings(notice_codes=texts)
    return PrincipalReasons(
        fitted.table_model.sides,
        clf.fitted_.cells_of(X),
        lambda column, mask: fitted.explainer.wordings[column].phrase(mask).condition,
        count=count,
        texts=fitted.reason_texts,
        only=noticed_labels(fitted),
    )


def noticed_labels(fitted: AuditedState) -> tuple[int, ...]:
    """Return the labels that principal reasons are for, by number: that of the texts, or all but the favourable one.

    >>> from idnf import DNFClassifier
    >>> policy = DNFClassifier.from_dnf("late", classes=("yes", "no"))
    >>> noticed_labels(policy.fitted_), noticed_labels(policy.with_settings(favourable="yes").fitted_)
    ((0, 1), (1,))
    """
    labels = fitted.table_model.classes
    named = None if fitted.reason_texts is None else fitted.reason_texts.side(labels)
    if named is not None:
        return (named,)
    return tuple(i for i, label in enumerate(labels) if fitted.favourable is None or label != fitted.favourable)


def can_decide(clf: Audited, columns: str | Iterable[str], X: object = None) -> CanDecide:
    """Return whether some columns alone can change a decision, over all values; and for how many rows of a table.

    Parameters
    ----------
    clf : DNFClassifier
    columns : str or iterable of str
        Protected columns, say.
    X : table or array of shape (n_samples, n_features), optional

    Returns
    -------
    CanDecide
        ``.answer``, with two rows as ``.witness`` if it is True; False is a proof, and ``.check()`` makes it
        again by other means.

    Examples
    --------
    >>> from idnf import DNFClassifier
    >>> policy = DNFClassifier.from_dnf("late | owner & member", classes=("no", "yes"))
    >>> print(can_decide(policy, "owner"))
    owner alone can decide.
      no: late = false, owner = false, member = true
      yes: late = false, owner = true, member = true
    """
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    return CanDecide.of(clf.fitted_.table_model, names, X)


def difference(old: Audited | str, new: Audited | str, X: object = None, y: ArrayLike | None = None) -> Difference:
    """Return the exact regions in which two models disagree, or a proof that they are equal.

    Parameters
    ----------
    old, new : DNFClassifier or str
        Their columns are matched by name and may be cut at different places. A policy is given as text:
        ``if income > 35000 and arrears is false then approved`` and so on, and last ``otherwise declined``.
    X : table or array, optional
        Rows to count in each region.
    y : array-like, optional
        Their true labels: each region then has the share of its rows that each model gets right.

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
    return difference_of(sides[0], sides[1], X, y)


def check_rules(clf: Audited, rules: str | Sequence[str], X: object = None) -> list[RuleAnswer]:
    """Prove or refute rules that must hold for a model, over all values.

    Parameters
    ----------
    clf : DNFClassifier
    rules : str or sequence of str
        One rule per line: ``if income > 50000 and arrears is false then approved``, ``no row with ... is declined``,
        ``approved never falls as income rises``, ``region alone never decides``.
    X : table or array, optional
        Rows to count those that break a rule.

    Returns
    -------
    list of RuleAnswer
        ``.holds``, with a row, or two, as ``.witness`` if it is False; ``.check()`` proves it again by other means.

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


def _policy_model(text: str, beside: TableModel | None) -> TableModel:
    """Return a policy as a model, its columns and classes those of the model beside it if it has the same."""
    found = read_rule_set(text, beside.columns if beside else ())
    if found.fault is not None:
        raise ValueError(f"a policy must {found.fault}.")
    assert found.function is not None, "rules without a fault are a function"
    known = {str(label).casefold(): label for label in (beside.classes if beside else ())}
    labels = tuple(known.get(str(label).casefold(), label) for label in found.function.classes)
    return replace(found.function, classes=labels)
