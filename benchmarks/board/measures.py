"""From what a worker writes to the figures of a cell: the same computation for every method."""

from __future__ import annotations

import base64
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import balanced_accuracy_score, log_loss, roc_auc_score

from .data import Arrays
from .reasons import Rules, reason_sizes

Measures = dict[str, float | int | str | None]
PLAIN = ("status", "message", "accuracy", "train_accuracy", "to_spare")
TIMES = ("fit_seconds", "explain_seconds", "cart_seconds", "cell_seconds")
BINS = 10


def measured(answer: dict, division: Arrays, *, seconds: int) -> Measures:
    """Return the figures of a worker's answer; its rules must decide as its author says it does."""
    found: Measures = {name: answer.get(name) for name in (*PLAIN, *TIMES)}
    if "labels" not in answer:
        return found
    test_y, count = division["test_y"], len(answer["labels"])
    given = np.array(answer["labels"][-len(test_y) :])
    found["balanced_accuracy"] = 100 * float(balanced_accuracy_score(test_y, given))
    if "probabilities" in answer:
        shares = np.frombuffer(base64.b64decode(answer["probabilities"]), dtype=np.float32)
        found.update(_of_shares(shares.reshape(len(test_y), -1).astype(float), given, test_y))
    model = answer.get("model")
    if model is None:
        return found
    rules = Rules.of(model["rules"], model["columns"])
    bits = np.frombuffer(base64.b64decode(model["rows"]), dtype=np.uint8)
    X = np.unpackbits(bits, count=count * model["conditions"]).reshape(count, model["conditions"])
    holds = _holds(rules, X)
    first = holds.argmax(axis=1)
    labels = np.array([label for label, _ in rules.items])[first]
    if not holds.any(axis=1).all() or labels.tolist() != answer["labels"]:
        differing = int((labels != np.array(answer["labels"])).sum())
        return {**found, "status": "failed", "message": f"its rules decide {differing} rows otherwise than it does"}
    if "probabilities" not in answer:
        found.update(_of_shares(_shares(first, rules, division), given, test_y))
    found.update(_written(rules, model["written"]))
    found.update(_overlaps(rules, holds))
    return {**found, **_reasons(rules, X, seconds)}


def _holds(rules: Rules, X: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return for every row which rules hold."""
    distinct, place = np.unique(X, axis=0, return_inverse=True)
    found = [[box & row == row for _, box in rules.items] for row in rules.rows(distinct)]
    return np.array(found, dtype=bool).reshape(len(distinct), -1)[place.reshape(-1)]


def _shares(first: NDArray[np.int64], rules: Rules, division: Arrays) -> NDArray[np.float64]:
    """Shares of the classes among the training rows of the same rule, each class counted once more, for test rows."""
    y, test_y = division["train_y"], division["test_y"]
    counts = np.ones((len(rules.items), int(max(y.max(), test_y.max())) + 1))
    np.add.at(counts, (first[: len(y)], y), 1)
    return (counts / counts.sum(axis=1, keepdims=True))[first[len(y) :]]


def _of_shares(shares: NDArray[np.float64], given: NDArray[np.int64], test_y: NDArray[np.int64]) -> Measures:
    """What there is to say of probabilities."""
    shares = np.clip(shares, 1e-6, 1)
    shares /= shares.sum(axis=1, keepdims=True)
    came = np.eye(shares.shape[1])[test_y]
    ranked = range(1, 2) if shares.shape[1] == 2 else np.flatnonzero(came.any(axis=0))
    return {
        "log_loss": float(log_loss(test_y, shares, labels=np.arange(shares.shape[1]))),
        "auc": float(np.mean([roc_auc_score(came[:, label], shares[:, label]) for label in ranked])),
        "brier": float(((shares - came) ** 2).sum(axis=1).mean() / 2),
        "calibration": _calibration(shares[np.arange(len(given)), given], given == test_y),
    }


def _calibration(stated: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Return the mean distance of stated probabilities from shares of right ones, over parts of about as many rows.

    Rows with the same probability stay together, so that their order does not count.
    """
    ranks = np.searchsorted(np.sort(stated), stated, side="left")
    part = ranks * BINS // len(stated)
    gaps = [abs(stated[part == i].mean() - right[part == i].mean()) * (part == i).mean() for i in np.unique(part)]
    return float(np.sum(gaps))


def _written(rules: Rules, written: list[int] | None) -> Measures:
    """Reasons and conditions it takes to write the model, "otherwise" being one class that has most."""
    if written is not None:
        return {"reasons": written[0], "conditions": written[1]}
    sizes: dict[int, list[int]] = {}
    for label, size in zip((label for label, _ in rules.items), rules.sizes):
        sizes.setdefault(label, []).extend([size] if size else [])
    longest = (
        max(sizes, key=lambda label: (sum(sizes[label]), len(sizes[label]))) if rules.sizes[-1] else rules.items[-1][0]
    )
    kept = [size for label, found in sizes.items() if label != longest for size in found]
    return {"reasons": len(kept), "conditions": sum(kept)}


def _overlaps(rules: Rules, holds: NDArray[np.bool_]) -> Measures:
    """Shares of rows on which several rules hold, rules of several classes, or none but "otherwise"."""
    stated = holds[:, [bool(size) for size in rules.sizes]]
    labels = [label for (label, _), size in zip(rules.items, rules.sizes) if size]
    if not labels:
        return {"overlap": 0.0, "conflict": 0.0, "gap": 100.0}
    by_class = np.column_stack([stated[:, np.array(labels) == label].any(axis=1) for label in sorted(set(labels))])
    return {
        "overlap": 100 * float((stated.sum(axis=1) > 1).mean()),
        "conflict": 100 * float((by_class.sum(axis=1) > 1).mean()),
        "gap": 100 * float((~stated.any(axis=1)).mean()),
    }


def _reasons(rules: Rules, X: NDArray[np.uint8], seconds: int) -> Measures:
    start = time.process_time()
    try:
        with _at_most(seconds):
            _, sizes = reason_sizes(rules, X)
    except TimeoutError:
        return {"message": f"reasons not measured in {seconds} processor seconds"}
    taken = (time.process_time() - start) / len(X)
    return {"largest_reason": int(sizes.max()), "mean_reason": float(sizes.mean()), "ruler_seconds": taken}


@contextmanager
def _at_most(seconds: int) -> Iterator[None]:
    """Raise TimeoutError after that many processor seconds."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
