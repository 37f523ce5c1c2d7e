"""A model file held to all that it claims: what is proved, what is checked, what only the training table could tell.

With the training table what the file says about it is recounted, and where the file claims an optimum or a bound, exact
learning proves it again if there is time.

The work is bounded: a file of at most 20 MB, at most 500 million pairs of opposite terms, at most 5 million terms held
at a time while cases are split (well below a gigabyte), and a time limit. Nothing is proved by halves: where a bound is
met, :class:`idnf.proving.guarantee.Unproved` says so.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from time import monotonic

import numpy as np
from numpy.typing import ArrayLike, NDArray

from idnf.classifier.estimator import DNFClassifier
from idnf.classifier.learning_task import task_of
from idnf.classifier.memory_source import MemoryTraining, training_again
from idnf.classifier.misclassification_costs import MisclassificationCosts
from idnf.explaining.printed_lines import lines_of
from idnf.explaining.training_facts import Confidence
from idnf.exporting.model_json import from_json
from idnf.exporting.result_json import refuse_unknown_reasons
from idnf.learning.proved_families import PROVED
from idnf.logic.deadlines import Budget, Deadline, TooManySteps
from idnf.logic.errors import InvalidArgument
from idnf.logic.verification import Certificate, VerificationError
from idnf.proving.bounds import bound_proved_again
from idnf.proving.family_proofs import proof_of
from idnf.proving.guarantee import Unproved, prove
from idnf.proving.monotonicity import NotMonotone, prove_monotone
from idnf.proving.recounting import (
    ROUNDING,
    cost_share,
    refuse_other_examples,
    refuse_other_objective,
    refuse_unseen,
)

_WITHOUT_IDNF = "without idnf: idnf export --checker optimum"


@dataclass(frozen=True)
class FileCheck:
    """What is known of a model file after it was checked.

    Attributes
    ----------
    classifier : DNFClassifier
        The model.
    certificate : Certificate
        What is proved of its Boolean terms.
    lines : Certificate or None
        What is proved of its lines as they are printed; None if they are too many.
    checked : tuple of str
        What else holds, a sentence each.
    claims : tuple of str
        What the file says and only the training table, or a person, could tell.
    recounted : tuple of str
        What of it the training table, where it was given, confirms.
    proved_again : tuple of str
        What exact learning on that table proves again.
    """

    classifier: DNFClassifier
    certificate: Certificate
    lines: Certificate | None
    checked: tuple[str, ...]
    claims: tuple[str, ...]
    recounted: tuple[str, ...] = ()
    proved_again: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [f"{self.lines or self.certificate}{self._more}"]
        lines = {
            "Checked": self.checked,
            "Recounted on the training table": self.recounted,
            f"Proved again on it ({_WITHOUT_IDNF})": self.proved_again,
            "Stated in the file but not checked": self.claims,
        }
        return "\n".join([*parts, *(f"{name}: {'; '.join(said)}." for name, said in lines.items() if said)])

    @property
    def _more(self) -> str:
        """How many reasons the lines imply, so that the number of all is the one that is printed."""
        every = self.classifier.fitted_.explainer.reading.size.reasons if self.lines else None
        more = every - sum(self.lines.terms) if self.lines and every else 0
        return f" The lines imply {more} more reason{'s' * (more > 1)}, {every} in all." if more else ""

    def to_dict(self) -> dict[str, object]:
        """Return the check as plain data."""
        about = {"holds": True, "k": self.certificate.k, "terms": self.certificate.terms}
        said = {"checked": self.checked, "recounted": self.recounted, "proved_again": self.proved_again}
        return {**about, **{name: list(one) for name, one in said.items()}, "claims": list(self.claims)}


def check_file(  # noqa: PLR0913 - what fit was given, and how long to take
    path: str | os.PathLike[str],
    X: object = None,
    y: ArrayLike | None = None,
    *,
    sample_weight: ArrayLike | None = None,
    costs: ArrayLike | None = None,
    time_limit: float = 60.0,
    clock: Callable[[], float] = monotonic,
) -> FileCheck:
    """Prove all that can be proved of a model file: from its terms and columns alone, and from its training table.

    Parameters
    ----------
    path : path
    X, y, sample_weight, costs : table and arrays, optional
        What the model was fitted on.
    time_limit : float
        The most seconds that the proofs may take.
    clock : callable
        What tells the time.

    Raises
    ------
    DocumentError
        The file is not a model file, or contradicts itself.
    VerificationError
        Its model does not keep the promise, or what the file says about its training is not so on the table.
    Unproved
        The proof would take longer than it may.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from idnf.exporting import to_json
    >>> with TemporaryDirectory() as folder:
    ...     to_json(DNFClassifier.from_dnf("a & b | c", classes=("no", "yes")), f"{folder}/model.json")
    ...     print(check_file(f"{folder}/model.json"))
    Proved over all rows: yes (2 reasons) and no (2 reasons) exclude each other in all 4 pairs, every row meets one of them, and none has more than 2 conditions.
    Checked: names of literals, ranges and shares of values agree with the columns.
    """  # noqa: E501 - a doctest cannot break a line
    if not time_limit > 0:
        raise InvalidArgument("time_limit", "be positive", f"{time_limit:g}")
    classifier = from_json(path, verify=False)
    end = clock() + time_limit
    try:
        found = _check_boxes(classifier, Budget(until=end, clock=clock))
    except TooManySteps as error:
        rule = f"{os.fspath(path)} must be provable within {time_limit:g} s; the proof takes longer, or too much memory"
        raise Unproved(f"{rule}. Nothing is known about it.") from error
    if y is None:
        return replace(found, claims=(*_of_training(classifier), *found.claims))
    training = training_again(classifier, X, y, sample_weight, costs)
    return _on_table(found, training, _costs(classifier, training, costs), Deadline(end, clock))


def _check_boxes(classifier: DNFClassifier, budget: Budget) -> FileCheck:
    fitted, explainer = classifier.fitted_, classifier.fitted_.explainer
    certificate = prove(fitted.class_dnfs, classifier.classes_.tolist(), budget=budget)
    checked = ["names of literals, ranges and shares of values agree with the columns"]
    constraints = classifier.monotonic_cst
    if constraints:
        assert isinstance(constraints, dict), "model files name the columns"
        try:
            prove_monotone(fitted.sides, fitted.columns, constraints, budget)
        except NotMonotone as error:
            raise VerificationError(str(error)) from error
        checked.append(f"the model is monotone in {', '.join(constraints)}")
    if fitted.texts:
        refuse_unknown_reasons(explainer, fitted.texts, budget)
        checked.append("every text is about a reason of the model")
    return FileCheck(classifier, certificate, lines_of(explainer, budget), tuple(checked), tuple(_claims(classifier)))


def _of_training(classifier: DNFClassifier) -> list[str]:
    """Return what a file says about its training and the training table could tell."""
    fitted = classifier.fitted_
    claims = _of_objective(classifier)
    if fitted.training.weights.sum():
        claims.append(_examples(classifier))
    if any(known is not None and any(known.seen) for known in fitted.explainer.values):
        claims.append("that the values recourse goes by were seen in training (they lie in their intervals)")
    return claims


def _of_objective(classifier: DNFClassifier) -> list[str]:
    learned = classifier.fitted_.learned
    if learned.optimal is not None:
        least = f"that its training objective {learned.objective:.6g} is least in the family {learned.optimal}"
        return [f"{least} ({PROVED[learned.optimal].words})"]
    if learned.bound is None or learned.bound_family is None:
        return []
    bound = f"that no model of the family {learned.bound_family} has an objective below {learned.bound:.6g}"
    return [f"{bound} ({PROVED[learned.bound_family].words})"]


def _examples(classifier: DNFClassifier) -> str:
    weight = float(classifier.fitted_.training.weights.sum())
    return f"the training examples that probabilities come from, of total weight {weight:,.10g}"


def _claims(classifier: DNFClassifier) -> list[str]:
    """Return what a file says and no table could tell."""
    fitted = classifier.fitted_
    claims = []
    if fitted.training.weights.sum() or len(fitted.binariser.report_):
        claims.append("how it was learned and what was decided about its columns")
    if fitted.texts or fitted.reason_texts is not None:
        claims.append("the wording of reasons")
    if fitted.fairness is not None:
        claims.append("the errors and gaps of the alternatives considered, and the bounds on them")
    return claims


def _costs(classifier: DNFClassifier, training: MemoryTraining, costs: ArrayLike | None) -> NDArray[np.float64] | None:
    """Return what each answer costs for each row, as a part of the costliest one; None if that is not known."""
    by_row = classifier.fitted_.training.costs is None
    if costs is None:
        pairs = MisclassificationCosts.of(classifier.costs, classifier.classes_.tolist())
        return None if by_row else pairs.relative[training.labels]
    if not by_row:
        raise InvalidArgument("costs", "be None for a model that was not fitted with costs of rows", "an array")
    table = np.asarray(costs, dtype=np.float64)
    least, most = table.min(axis=1, keepdims=True), table.max(axis=1, keepdims=True)
    relative: NDArray[np.float64] = np.divide(table - least, most - least, out=np.zeros_like(table), where=most > least)
    return relative


def _on_table(
    found: FileCheck, training: MemoryTraining, costs: NDArray[np.float64] | None, deadline: Deadline
) -> FileCheck:
    """Return a check with what the training table confirms and leaves open; raise an error for what it refutes."""
    classifier, learned = found.classifier, found.classifier.fitted_.learned
    _refuse_other_examples(classifier, training)
    _refuse_unseen(classifier, training)
    recounted = [_examples(classifier), "the values recourse goes by"]
    if costs is None:
        said = f"its training objective {learned.objective:.6g}, which the costs of each row would show"
        left = [said, *_of_objective(classifier), *found.claims]
        return replace(found, recounted=tuple(recounted), claims=tuple(left))
    errors, price = _errors(classifier, training, costs), _price(classifier)
    recounted.append(f"its training error, {errors:.6g}")
    if price is None or math.isnan(learned.objective):
        said = f"the score that search optimised ({learned.objective:.3g})"
        left = [said, *_of_objective(classifier), *found.claims]
        return replace(found, recounted=tuple(recounted), claims=tuple(left))
    objective = errors + price * learned.model.literal_count
    refuse_other_objective(learned.objective, objective)
    recounted.append(f"its training objective, {objective:.6g}")
    left = [] if learned.bound is None else _proved_again(classifier, training, price, deadline)
    proved = [] if left else _of_objective(classifier)
    return replace(found, recounted=tuple(recounted), proved_again=tuple(proved), claims=(*left, *found.claims))


def _refuse_other_examples(classifier: DNFClassifier, training: MemoryTraining) -> None:
    """Raise an error if the examples given each reason are not as many, of each class, as the file says."""
    fitted = classifier.fitted_
    stated = fitted.confidence.totals
    if not stated:
        raise ValueError(
            "model must come from a training table to be checked against one; its file has no training examples."
        )
    found = Confidence(fitted.sides, training.patterns(fitted.explainer)).totals
    refuse_other_examples(stated, found, classifier.classes_.tolist())


def _refuse_unseen(classifier: DNFClassifier, training: MemoryTraining) -> None:
    """Raise an error for a value that recourse may propose and no row of the table has."""
    fitted = classifier.fitted_
    for column, values in zip(fitted.columns, fitted.explainer.values, strict=True):
        if values is not None:
            proposed = {*values.quantiles, *(end for pair in values.seen if pair is not None for end in pair)}
            refuse_unseen(column, proposed, training.table)


def _errors(classifier: DNFClassifier, training: MemoryTraining, costs: NDArray[np.float64]) -> float:
    """Return the weighted share of the training examples that the model gets wrong, each by what its mistake costs."""
    fitted = classifier.fitted_
    given = fitted.explainer.predict(training.binariser.cells_of(training.table, fitted.used))
    return cost_share(given, costs, training.weights)


def _price(classifier: DNFClassifier) -> float | None:
    """Return what a literal cost in the training objective; None if the file does not say."""
    capped = classifier.max_terms is not None or classifier.max_reasons is not None
    if classifier.fitted_.fairness is not None or classifier.learner == "greedy":
        return 0.0
    if classifier.learner == "exact":
        return classifier.price or 0.0
    return None if capped and len(classifier.classes_) > 2 else classifier.price


def _proved_again(classifier: DNFClassifier, training: MemoryTraining, price: float, deadline: Deadline) -> list[str]:
    """Prove what the file says about a family, by what that family counts; return what is left open of its claim."""
    learned = classifier.fitted_.learned
    family, bound = learned.bound_family, learned.bound
    assert family is not None, "there is a claim"
    assert bound is not None, "there is a claim"
    proof, left = proof_of(family, classifier.k, len(classifier.classes_), price), _of_objective(classifier)[0]
    if proof is None:
        return [f"{left} (which cannot be proved at this price)"]
    free = {"price": price, "max_terms": None, "max_reasons": None, "progress": None}
    from sklearn.base import clone

    task = task_of(clone(classifier).set_params(family=proof.family, device="cpu", **free), training, deadline)
    proved = bound_proved_again(learned, proof, training.counts, task)
    if proved is not None and proved >= bound - ROUNDING:
        return []
    reached = "nothing" if proved is None else f"none below {proved:.6g}"
    return [f"{left} (proved within the time: {reached})"]
