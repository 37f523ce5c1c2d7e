"""From what a worker writes to the figures of a cell: the same computation for every method."""

from __future__ import annotations

import base64
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import log_loss

from .data import Arrays
from .reasons import Rules, reason_sizes

Measures = dict[str, float | int | str | None]
PLAIN = ("status", "message", "accuracy", "balanced_accuracy", "log_loss", "train_accuracy", "to_spare")
TIMES = ("fit_seconds", "explain_seconds", "cart_seconds")


def measured(answer: dict, division: Arrays, *, seconds: int) -> Measures:
    """Return the figures of a worker's answer; its rules must decide as its author says it does."""
    found: Measures = {name: answer.get(name) for name in (*PLAIN, *TIMES)}
    model = answer.get("model")
    if model is None:
        return found
    rules = Rules.of(model["rules"])
    count = len(answer["labels"])
    bits = np.frombuffer(base64.b64decode(model["rows"]), dtype=np.uint8)
    X = np.unpackbits(bits, count=count * model["conditions"]).reshape(count, model["conditions"])
    holds = _holds(rules, X)
    first = holds.argmax(axis=1)
    labels = np.array([label for label, _ in rules.items])[first]
    if not holds.any(axis=1).all() or labels.tolist() != answer["labels"]:
        differing = int((labels != np.array(answer["labels"])).sum())
        return {**found, "status": "failed", "message": f"its rules decide {differing} rows otherwise than it does"}
    if found["log_loss"] is None:
        found["log_loss"] = _log_loss(first, rules, division)
    found.update(_written(rules, model["written"]))
    found.update(_overlaps(rules, holds))
    return {**found, **_reasons(rules, X, seconds)}


def _holds(rules: Rules, X: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return for every row which rules hold."""
    both = np.stack([X, 1 - X], axis=2).reshape(len(X), -1).astype(bool)
    parts = [
        both[:, [code for code in range(both.shape[1]) if term >> code & 1]].all(axis=1) for _, term in rules.items
    ]
    return np.column_stack(parts)


def _log_loss(first: NDArray[np.int64], rules: Rules, division: Arrays) -> float:
    """Shares of the classes among the training rows of the same rule, each class counted once more."""
    y, test_y = division["train_y"], division["test_y"]
    classes = int(max(y.max(), test_y.max())) + 1
    counts = np.ones((len(rules.items), classes))
    np.add.at(counts, (first[: len(y)], y), 1)
    shares = counts / counts.sum(axis=1, keepdims=True)
    return float(log_loss(test_y, shares[first[len(y) :]], labels=np.arange(classes)))


def _written(rules: Rules, written: list[int] | None) -> Measures:
    """Reasons and conditions it takes to write the model, "otherwise" being one class that has most."""
    if written is not None:
        return {"reasons": written[0], "conditions": written[1]}
    sizes: dict[int, list[int]] = {}
    for label, term in rules.items:
        sizes.setdefault(label, []).extend([term.bit_count()] if term else [])
    longest = (
        max(sizes, key=lambda label: (sum(sizes[label]), len(sizes[label])))
        if rules.items[-1][1]
        else rules.items[-1][0]
    )
    kept = [size for label, found in sizes.items() if label != longest for size in found]
    return {"reasons": len(kept), "conditions": sum(kept)}


def _overlaps(rules: Rules, holds: NDArray[np.bool_]) -> Measures:
    """Shares of rows on which several rules hold, rules of several classes, or none but "otherwise"."""
    stated = holds[:, [bool(term) for _, term in rules.items]]
    labels = [label for label, term in rules.items if term]
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
    """Raise TimeoutError after so many processor seconds."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
