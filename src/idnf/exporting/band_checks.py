"""What is proved of a model file of either kind; of bands each boundary, and that each lies within the one before."""

from __future__ import annotations

import os
from dataclasses import dataclass
from time import monotonic

from numpy.typing import ArrayLike

from idnf.classifier.bands import DNFBands
from idnf.explaining.printed_lines import lines_of
from idnf.exporting.band_files import from_json
from idnf.exporting.documents import read_document
from idnf.exporting.file_checks import FileCheck, check_file
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.errors import InvalidArgument
from idnf.logic.verification import ChainCertificate
from idnf.proving.guarantee import Unproved, prove
from idnf.proving.monotonicity import prove_monotone

_SHARES = "the shares of labels in each band, which are estimates"


@dataclass(frozen=True)
class BandsCheck:
    """What is known of a file of bands after it was checked.

    Attributes
    ----------
    certificate : ChainCertificate
        What is proved.
    claims : tuple of str
        What the training table could tell: nothing, since none is taken.
    """

    certificate: ChainCertificate
    claims: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.certificate}\nStated in the file but not checked: {_SHARES}."

    def to_dict(self) -> dict[str, object]:
        """Return the check as plain data."""
        proved = self.certificate
        return {"holds": True, "k": proved.k, "bands": list(proved.names), "pairs": list(proved.pairs)}


def check_model_file(
    path: str | os.PathLike[str], X: object = None, y: ArrayLike | None = None, *, time_limit: float = 60.0
) -> FileCheck | BandsCheck:
    """Prove all that can be proved of a model file of either kind, as `check_file` does of a classifier's."""
    if not read_document(path, lambda document: document.has("kind")):
        return check_file(path, X, y, time_limit=time_limit)
    if y is not None:
        raise InvalidArgument("y", "be left out for bands", remedy="It is about one classifier.")
    bands = from_json(path, verify=False)
    assert isinstance(bands, DNFBands), "the file says so"
    try:
        return BandsCheck(check_bands(bands, Budget(until=monotonic() + time_limit)))
    except TooManySteps as error:
        raise Unproved(f"{os.fspath(path)} must be provable within {time_limit:g} s; {error}") from error


def check_bands(bands: DNFBands, budget: Budget) -> ChainCertificate:
    """Prove each boundary and that each lies within the one before, within a budget.

    Raises
    ------
    VerificationError
        The bands do not keep their promise.
    TooManySteps
        The budget is not enough.
    """
    fitted = bands.fitted_
    proofs = []
    for model in fitted.models:
        terms = prove(model.class_dnfs, model.classes.tolist(), budget=budget)
        proofs.append(lines_of(model.explainer, budget) or terms)
    if bands.monotonic_cst:
        assert isinstance(bands.monotonic_cst, dict), "model files name the columns"
        for model in fitted.models:
            prove_monotone(model.sides, model.columns, bands.monotonic_cst, budget)
    return ChainCertificate(tuple(proofs), fitted.names, fitted.prove_nested(budget))
