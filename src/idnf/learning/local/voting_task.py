"""What random trees vote on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class VotingTask:
    """What to vote on.

    Parameters
    ----------
    features : ndarray of shape (n_examples, n_features), dtype=bool
    weights : ndarray of shape (n_labels, n_examples), dtype=int64
        The weight of each label; no example weighs nothing.
    trees : int
        How many trees vote.
    shown : int
        How many draws each of them is shown.
    tried : int
        How many features a split is chosen from.
    """

    features: NDArray[np.bool_]
    weights: NDArray[np.int64]
    trees: int
    shown: int
    tried: int
