"""A model file held to all that it claims: what is proved, what is checked, what only the training table could tell.

The work is bounded: a file of at most 20 MB, at most 500 million pairs of opposite terms, at most 5 million terms held
at a time while cases are split (well below a gigabyte), and a time limit. Nothing is proved by halves: where a bound is
met, :class:`idnf.exporting.proving.Unproved` says so.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from idnf.classifier.estimator import DNFClassifier
from idnf.explaining.line_proofs import prove_lines
from idnf.exporting.model_json import from_json
from idnf.exporting.proving import NotMonotone, Unproved, prove, prove_monotone
from idnf.exporting.result_json import refuse_unknown_reasons
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.verification import Certificate, VerificationError


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
        What is proved of its lines as they are printed; None where they are too many.
    checked : tuple of str
        What else holds, a sentence each.
    claims : tuple of str
        What the file says and only the training table, or a person, could tell.
    """

    classifier: DNFClassifier
    certificate: Certificate
    lines: Certificate | None
    checked: tuple[str, ...]
    claims: tuple[str, ...]

    def __str__(self) -> str:
        parts = [str(self.lines or self.certificate)]
        parts += ["Checked: " + "; ".join(self.checked) + "."]
        parts += ["Said in the file and not checked: " + "; ".join(self.claims) + "."] if self.claims else []
        return "\n".join(parts)

    def to_dict(self) -> dict[str, object]:
        """Return the check as plain data."""
        about = {"holds": True, "k": self.certificate.k, "terms": self.certificate.terms}
        return {**about, "checked": list(self.checked), "claims": list(self.claims)}


def check_file(
    path: str | os.PathLike[str], *, time_limit: float = 60.0, clock: Callable[[], float] = monotonic
) -> FileCheck:
    """Prove all that can be proved of a model file from its terms and columns alone.

    Parameters
    ----------
    path : path
    time_limit : float
        The most seconds that the proofs may take.
    clock : callable
        What tells the time.

    Raises
    ------
    DocumentError
        The file is no model file, or contradicts itself.
    VerificationError
        Its model does not keep the promise.
    Unproved
        The proof would take longer than it may.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from idnf.exporting.model_json import to_json
    >>> with TemporaryDirectory() as folder:
    ...     to_json(DNFClassifier.from_dnf("a & b | c", classes=("no", "yes")), f"{folder}/model.json")
    ...     print(check_file(f"{folder}/model.json"))
    Proved over all rows: yes (2 lines) and no (2 reasons) exclude each other in all 4 pairs, every row meets one of them, and none has more than 2 conditions.
    Checked: names of literals, ranges and shares of values agree with the columns.
    """  # noqa: E501 - a doctest cannot break a line
    if not time_limit > 0:
        raise ValueError(f"time_limit must be positive; got {time_limit:g}.")
    classifier = from_json(path, verify=False)
    budget = Budget(until=clock() + time_limit, clock=clock)
    try:
        return _checked(classifier, budget)
    except TooManySteps as error:
        rule = f"{os.fspath(path)} must be provable within {time_limit:g} s; the proof takes longer, or too much memory"
        raise Unproved(f"{rule}. Nothing is known of it.") from error


def _checked(classifier: DNFClassifier, budget: Budget) -> FileCheck:
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
    return FileCheck(classifier, certificate, _lines(classifier, budget), tuple(checked), tuple(_claims(classifier)))


def _lines(classifier: DNFClassifier, budget: Budget) -> Certificate | None:
    """Return the proof of the lines, or nothing where they take longer to list than there is time."""
    try:
        return prove_lines(classifier.fitted_.explainer, budget=budget)
    except TooManySteps:
        return None


def _claims(classifier: DNFClassifier) -> list[str]:
    fitted = classifier.fitted_
    learned, weight = fitted.learned, float(fitted.training.weights.sum())
    claims = []
    if learned.optimal is not None:
        least = f"that its training objective {learned.objective:.6g} is least in the family {learned.optimal}"
        claims.append(f"{least}, k counted in literals")
    elif learned.bound is not None:
        bound = f"that no model of the family {learned.bound_family} has an objective below {learned.bound:.6g}"
        claims.append(f"{bound}, k counted in literals")
    if weight:
        claims.append(f"the {weight:.10g} training examples by weight that probabilities come from")
    if fitted.explainer.values:
        claims.append("that the values recourse proposes were seen in training (they lie in their intervals)")
    if weight or len(fitted.binariser.report_):
        claims.append("how it was learned and what was decided about its columns")
    if fitted.texts or fitted.reason_texts is not None:
        claims.append("the wording of reasons")
    if fitted.fairness is not None:
        claims.append("the errors and gaps of the alternatives considered, and the bounds on them")
    return claims
