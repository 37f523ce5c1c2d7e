"""What ``idnf explain`` adds for auditors: relevant columns, attribution, principal reasons."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING

from idnf.classifier.estimator import DNFClassifier

if TYPE_CHECKING:
    import polars as pl


def add_audit_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that ask for columns of this kind."""
    parser.add_argument("--relevance", action="store_true", help="add the columns in every reason and in some reason")
    parser.add_argument("--attribution", action="store_true", help="add the share of the reasons each column is in")
    parser.add_argument("--principal", action="store_true", help="add the principal reasons, as notices name them")
    parser.add_argument("--count", type=int, default=4, metavar="N", help="most principal reasons (default 4)")
    parser.add_argument("--texts", metavar="FILE", help="CSV of column,code,text for principal reasons")


def is_audit_asked(arguments: argparse.Namespace) -> bool:
    """Tell whether one of these options was given."""
    return bool(arguments.relevance or arguments.attribution or arguments.principal or arguments.texts)


def audit_answers(
    classifier: DNFClassifier, batch: pl.DataFrame, arguments: argparse.Namespace
) -> Iterator[dict[str, object]]:
    """Yield for each row what was asked for, as plain data."""
    labels = classifier.predict(batch).tolist()
    relevance = classifier.relevance(batch) if arguments.relevance else None
    shares = classifier.attribution(batch) if arguments.attribution else None
    asked = arguments.principal or arguments.texts
    principal = classifier.principal_reasons(batch, count=arguments.count, texts=arguments.texts) if asked else None
    for row, label in enumerate(labels):
        answer: dict[str, object] = {"predicted": label}
        if relevance is not None:
            answer |= {"necessary": list(relevance[row].necessary), "relevant": list(relevance[row].relevant)}
        if shares is not None:
            answer["attribution"] = dict(shares[row])
        if principal is not None:
            answer["principal reasons"] = [reason.to_dict() for reason in principal[row]]
        yield answer


def audit_series(classifier: DNFClassifier, batch: pl.DataFrame, arguments: argparse.Namespace) -> dict[str, pl.Series]:
    """Return what was asked for as columns of text, worked out once for rows that are alike."""
    import polars as pl

    if batch.is_empty():
        return {name: pl.Series([], dtype=pl.String) for name in _names(arguments)}
    added: dict[str, pl.Series] = {"predicted": pl.Series(classifier.predict(batch))}
    if arguments.relevance:
        relevance = classifier.relevance(batch)
        added["necessary"] = pl.Series([", ".join(one.necessary) for one in relevance], dtype=pl.String)
        added["relevant"] = pl.Series([", ".join(one.relevant) for one in relevance], dtype=pl.String)
    if arguments.attribution:
        shares = classifier.attribution(batch)
        said = [", ".join(f"{name} {share:.3g}" for name, share in one.items()) for one in shares]
        added["attribution"] = pl.Series(said, dtype=pl.String)
    if arguments.principal or arguments.texts:
        reasons = classifier.principal_reasons(batch, count=arguments.count, texts=arguments.texts)
        for place in range(arguments.count):
            chosen = [one[place] if place < len(one) else None for one in reasons]
            codes = [None if reason is None else reason.code for reason in chosen]
            texts = [None if reason is None else reason.text for reason in chosen]
            if arguments.texts:
                added[f"reason code {place + 1}"] = pl.Series(codes, dtype=pl.String)
            added[f"principal reason {place + 1}"] = pl.Series(texts, dtype=pl.String)
    return added


def _names(arguments: argparse.Namespace) -> list[str]:
    """Return the names of the columns that are added, in their order."""
    names = ["predicted", *(["necessary", "relevant"] if arguments.relevance else [])]
    names += ["attribution"] if arguments.attribution else []
    if arguments.principal or arguments.texts:
        for place in range(1, arguments.count + 1):
            names += [f"reason code {place}"] if arguments.texts else []
            names.append(f"principal reason {place}")
    return names
