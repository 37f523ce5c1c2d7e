"""``idnf verify`` on a file of bands."""

from __future__ import annotations

import argparse
import json
from time import monotonic

from idnf import exporting
from idnf.classifier.bands import DNFBands
from idnf.commands.output import Console
from idnf.exporting.band_files import check_bands
from idnf.exporting.documents import read_document
from idnf.logic.deadlines import Budget, TooManySteps
from idnf.logic.errors import InvalidArgument
from idnf.logic.verification import VerificationError
from idnf.proving.guarantee import Unproved


def is_bands(path: str) -> bool:
    """Return whether a model file holds bands."""
    return read_document(path, lambda document: document.has("kind"))


def verify_bands(arguments: argparse.Namespace, console: Console) -> int:
    """Prove each boundary of a file of bands, and that each lies within the one before; exit code 1 where not."""
    if arguments.alone or arguments.table:
        raise InvalidArgument("--alone and a table", "be left out for bands", remedy="They are about one classifier.")
    bands = exporting.from_json(arguments.model, verify=False)
    assert isinstance(bands, DNFBands), "the file said so"
    try:
        found = check_bands(bands, Budget(until=monotonic() + arguments.time_limit))
    except VerificationError as error:
        console.show(json.dumps({"holds": False, "error": str(error)}) if arguments.json else f"Refuted: {error}")
        return 1
    except TooManySteps as error:
        raise Unproved(f"{arguments.model} must be provable within {arguments.time_limit:g} s; {error}") from error
    if arguments.json:
        console.show(json.dumps({"holds": True, "k": found.k, "bands": list(found.names), "pairs": list(found.pairs)}))
    else:
        claims = "the shares of labels in each band, which are estimates"
        console.show(f"{found}\nStated in the file but not checked: {claims}.")
    return 0
