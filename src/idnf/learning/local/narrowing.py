"""Tables narrowed to the features that tell the classes apart best.

What search looks at grows with the number of features. Above some hundreds, features are ranked on all examples by how
much a split by each one alone purifies the classes, and the best are kept; a model over these is one over all. A
feature that is the same in all examples says nothing, and a reason that names it says a word too many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows
from idnf.learning.local.search_options import SearchOptions
from idnf.logic.boxes import Space
from idnf.logic.model import Model
from idnf.logic.trees import over

MOST_FEATURES = 400
"""Features that search looks at; of more, those that split the examples best."""

# Examples looked at in one step of the ranking.
_BLOCK = 1 << 14


@dataclass(frozen=True)
class Narrowed:
    """A table with fewer features, and how to search it.

    Parameters
    ----------
    rows : DistinctRows
        The examples; some may be alike.
    names : tuple of str
        The features that are kept.
    options : SearchOptions
        The options, literals by their places among the features kept.
    kept : tuple of int
        The places of these features among all.
    all_names : tuple of str
        All features.
    space : Space, optional
        What they say of columns.
    """

    rows: DistinctRows
    names: tuple[str, ...]
    options: SearchOptions
    kept: tuple[int, ...]
    all_names: tuple[str, ...]
    space: Space | None

    def widened(self, model: Model) -> Model:
        """Return a model over the features kept as one over all features."""
        widened = model.renumbered(self.all_names, dict(enumerate(self.kept)))
        return widened if model.space is None or self.space is None else over(widened, self.space)


def narrowed(
    rows: DistinctRows, names: Sequence[str], options: SearchOptions, *, only_varying: bool = False
) -> Narrowed | None:
    """Return a table with the features that split the examples best, or None if all stay.

    With `only_varying`, features that are the same in all examples go too, unless all are. Those that given models are
    written with stay.
    """
    places = np.arange(len(names))
    if only_varying and len(rows.features):
        varying = places[(rows.features != rows.features[0]).any(axis=0)]
        places = varying if len(varying) else places
    if len(places) > MOST_FEATURES:
        places = np.sort(places[np.argsort(-split_gains(rows)[places], kind="stable")[:MOST_FEATURES]])
    used = {feature for model in options.neighbours for feature in model.features()}
    places = np.union1d(places, np.array(sorted(used), dtype=np.intp))
    if len(places) == len(names):
        return None
    kept, allowed, accepts = tuple(places.tolist()), options.allowed, options.accepts
    if allowed is not None:
        allowed = frozenset(2 * n + sign for n, j in enumerate(kept) for sign in (0, 1) if 2 * j + sign in allowed)
    features = np.ascontiguousarray(rows.features[:, places])
    fewer = DistinctRows(features, rows.weights, rows.complete)
    few = tuple(names[j] for j in kept)
    narrow = Narrowed(
        fewer, few, replace(options.renumbered(few, kept), allowed=allowed), kept, tuple(names), options.space
    )
    if accepts is None:
        return narrow
    return replace(narrow, options=replace(narrow.options, accepts=lambda model: accepts(narrow.widened(model))))


def split_gains(rows: DistinctRows) -> NDArray[np.float64]:
    """Return by how much a split by each feature alone purifies the classes, in weight (Gini).

    >>> rows = DistinctRows.of_two(np.eye(2, 3, dtype=bool), np.array([1.0, 0.0]), np.array([0.0, 1.0]), True)
    >>> split_gains(rows).tolist()
    [1.0, 1.0, 0.0]
    """
    weights = rows.weights.T[::-1]
    held = np.zeros((len(weights), rows.features.shape[1]))
    for start in range(0, len(rows.features), _BLOCK):
        part = slice(start, start + _BLOCK)
        held += weights[:, part] @ rows.features[part].astype(np.float64)
    totals = weights.sum(axis=1, keepdims=True)
    return _purity(held) + _purity(totals - held) - _purity(totals)


def _purity(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    total = weights.sum(axis=0)
    purity: NDArray[np.float64] = np.divide((weights**2).sum(axis=0), total, out=np.zeros(len(total)), where=total > 0)
    return purity
