"""What the exact learners are asked, what they see of the data, and what their searches hand back.

Their heavy products run in numpy, or in a CUDA array library if there is one: the kernels are written against the
Python array API standard and see an array namespace, never a library.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib import import_module
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from idnf.counting.contract import DistinctRows, UniqueLines
from idnf.learning.choices import POLARITIES
from idnf.learning.families import Family, family_of
from idnf.learning.objective import Learned
from idnf.logic.deadlines import Deadline
from idnf.logic.dnf import DNF
from idnf.logic.errors import InvalidArgument
from idnf.logic.literals import feature_of, is_negated
from idnf.logic.model import Model
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import NestedTree

# An array of whichever namespace is in use; numpy's type stands for all of them.
Array = NDArray[np.float64]
Integers = NDArray[np.int64]

# Integers below this are exact in single precision, and so are sums of them that stay below.
_EXACT_IN_SINGLE = 2**24


@dataclass(frozen=True)
class Backend:
    """An array namespace, the device its arrays live on, and how large a temporary array may be.

    Parameters
    ----------
    xp : module
        A namespace of the array API standard.
    device : str
        "cpu" or "cuda".
    single : bool
        Whether products are taken in single precision.
    elements : int
        About how many numbers one temporary array holds; it decides how many leaves are solved together.
    block : int
        How many pairs of literals are treated together: on a CPU as many as its cache holds.
    """

    xp: ModuleType
    device: str
    single: bool
    elements: int = 1 << 20
    block: int = 512

    @classmethod
    def for_weights(cls, device: str, weights: NDArray[np.float64], *, plain: bool = True) -> Backend:
        """Choose the namespace for a device and the precision in which these weights are counted exactly.

        Single precision is for counts alone: where they are not `plain`, prices or penalties are added to them.

        >>> Backend.for_weights("cpu", np.array([1.0, -2.0])).single
        True
        >>> Backend.for_weights("cpu", np.array([0.5])).single
        False
        """
        single = plain and is_integral(weights) and float(np.abs(weights).sum()) < _EXACT_IN_SINGLE
        if device == "cpu":
            return cls(np, device, single)
        if device == "cuda":
            return cls(_cuda_namespace(), device, single, elements=1 << 28, block=1 << 13)
        raise InvalidArgument("device", "be 'cpu' or 'cuda'", f"{device!r}")

    def put(self, values: NDArray[np.generic]) -> Array:
        """Move a numpy array of numbers to the device."""
        dtype = self.xp.float32 if self.single else self.xp.float64
        array: Array = self.xp.asarray(values, dtype=dtype, **self._place())
        return array

    def put_integers(self, values: NDArray[np.generic]) -> Integers:
        """Move a numpy array of indices to the device."""
        array: Integers = self.xp.asarray(values, dtype=self.xp.int64, **self._place())
        return array

    def fetch(self, array: NDArray[np.generic]) -> NDArray[np.float64]:
        """Bring an array back as numpy float64."""
        here = array if self.device == "cpu" else _to_host(array)
        return np.asarray(here, dtype=np.float64)

    def _place(self) -> dict[str, str]:
        # Only torch takes a device by this name; numpy has one and CuPy works on the current GPU.
        return {"device": self.device} if self.xp.__name__.endswith("torch") else {}


def is_integral(weights: NDArray[np.float64]) -> bool:
    """Return whether all weights are integers.

    >>> is_integral(np.array([1.0, 3.0])), is_integral(np.array([1.5]))
    (True, False)
    """
    return bool((weights == np.round(weights)).all())


def _cuda_namespace() -> ModuleType:
    for library in ("torch", "cupy"):
        try:
            _refuse_rounding(import_module(library))
            return import_module(f"array_api_compat.{library}")
        except ModuleNotFoundError:
            continue
    raise ModuleNotFoundError("device='cuda' needs array-api-compat and torch or cupy: pip install 'idnf[cuda]'")


def _refuse_rounding(library: ModuleType) -> None:
    """Refuse to count where torch may round factors to ten bits (TF32): a bound could then be wrong."""
    precision = getattr(library, "get_float32_matmul_precision", lambda: "highest")()
    if precision != "highest":
        raise InvalidArgument(
            "torch.get_float32_matmul_precision()",
            "be 'highest' to count exactly",
            f"{precision!r}",
            "Call torch.set_float32_matmul_precision('highest') first.",
        )


def _to_host(array: NDArray[np.generic]) -> NDArray[np.generic]:
    compat = import_module("array_api_compat")
    host: NDArray[np.generic] = compat.to_device(array, "cpu")
    return host


@dataclass(frozen=True)
class ExactOptions:
    """How the exact learner works.

    Parameters
    ----------
    family : str
        "nested", "tree" or "any"; at k >= 3 the last is solved as "pair-tree".
    polarity : str
        For "nested": "positive" (the nested DNF is of class 1), "negative" (of class 0) or "auto" (the better).
    price : float
        What a literal costs, as a share of all weight.
    allowed : frozenset of int, optional
        The literal codes that may occur in terms of class 1, their negations in terms of class 0; all by default.
    start : Learned, optional
        A model to begin with; it prunes the search and is returned if nothing better is found.
    deadline : Deadline
        When the best model found is to be returned with a bound.
    device : str
        "cpu", or "cuda" where array-api-compat and torch or cupy are installed.
    progress : callable, optional
        Called from time to time with the objective of the best model and the bound on every model.
    """

    family: Family = field(default_factory=lambda: family_of("any"))
    polarity: str = "auto"
    price: float = 0.0
    allowed: frozenset[int] | None = None
    start: Learned | None = None
    deadline: Deadline = field(default_factory=Deadline)
    device: str = "cpu"
    progress: Callable[[float, float], None] | None = None

    def __post_init__(self) -> None:
        if self.polarity not in POLARITIES:
            raise InvalidArgument("polarity", f"be one of {', '.join(POLARITIES)}", f"{self.polarity!r}")
        if not self.price >= 0:
            raise InvalidArgument("price", "be 0 or more", self.price)


@dataclass(frozen=True)
class Watch:
    """Decides when to stop, and reports progress.

    Costs are weights beyond what every model gets wrong; `share` turns them into the objective.
    """

    options: ExactOptions
    share: Callable[[float], float]

    @property
    def deadline(self) -> Deadline:
        """When the time limit has passed, or the user has interrupted."""
        return self.options.deadline

    def report(self, error: float, bound: float) -> None:
        """Tell the caller the best error and the bound so far."""
        if self.options.progress is not None:
            self.options.progress(self.share(error), self.share(bound))

    def part(self, fraction: float) -> Watch:
        """Return a watch for a fraction of the time that is left."""
        return replace(self, options=replace(self.options, deadline=self.deadline.part(fraction)))


@dataclass(frozen=True)
class BoundedModel:
    """The best model of a search and a bound on the cost of every model of its family."""

    model: NestedDNF | NestedTree
    bound: float


@dataclass(frozen=True)
class Problem:
    """Distinct examples reduced to what decides the training error.

    An example seen in both classes costs the lighter class whatever the model says: that weight goes into `base` and
    the difference stays. Features that are constant, or equal or opposite to an earlier one of which the same literals
    may be used, are left out.

    Parameters
    ----------
    literals : ndarray of shape (2 n_features, n_rows), dtype=bool
    weights : ndarray of shape (n_rows,)
        Positive minus negative weight, never 0.
    features : ndarray of shape (n_features,)
        The features kept, as numbered in the table.
    base : float
        The weight every model gets wrong.
    total : float
        The weight of all examples.
    price : float
        What a literal written in the model costs, in units of weight.
    allowed : ndarray of shape (2 n_features,), dtype=bool
        The literals that may occur in terms of class 1; their negations may in terms of class 0.
    """

    literals: NDArray[np.bool_]
    weights: NDArray[np.float64]
    features: NDArray[np.int64]
    base: float
    total: float
    price: float
    allowed: NDArray[np.bool_]

    @classmethod
    def from_rows(cls, rows: DistinctRows, *, price: float = 0.0, allowed: frozenset[int] | None = None) -> Problem:
        """Reduce a table; the price is a share of all weight, the literals allowed are codes, all of them by default.

        >>> features = np.array([[0, 1, 1], [1, 0, 1]], dtype=bool)
        >>> problem = Problem.from_rows(DistinctRows.of_two(features, np.array([3.0, 0.0]), np.array([1.0, 2.0]), True))
        >>> problem.weights.tolist(), problem.features.tolist(), problem.base, problem.total
        ([2.0, -2.0], [0], 1.0, 6.0)
        """
        net = rows.positive - rows.negative
        kept = rows.features[net != 0]
        codes = np.arange(2 * rows.features.shape[1]).reshape(-1, 2)
        permitted = np.isin(codes, codes if allowed is None else sorted(allowed))
        features = _distinct_columns(kept, permitted)
        literals = np.empty((2 * len(features), len(kept)), dtype=np.bool_)
        literals[0::2] = kept[:, features].T
        literals[1::2] = ~literals[0::2]
        base = float(np.minimum(rows.positive, rows.negative).sum())
        total = float((rows.positive + rows.negative).sum())
        return cls(literals, net[net != 0], features, base, total, price * total, permitted[features].ravel())

    @property
    def n_features(self) -> int:
        """Number of features kept."""
        return len(self.features)

    @property
    def free(self) -> NDArray[np.bool_]:
        """Which features may stand at a split: both of their literals are allowed."""
        return self.allowed[0::2] & self.allowed[1::2]

    @property
    def tolerance(self) -> float:
        """Costs that differ by no more than this are equal: half a unit for integers, else rounding."""
        return 0.5 if is_integral(self.weights) and not self.price else 1e-9 * self.total

    def with_classes_exchanged(self) -> Problem:
        """Return the problem of covering class 0.

        >>> rows = DistinctRows.of_two(np.eye(2, dtype=bool), np.array([1.0, 0.0]), np.array([0.0, 1.0]), True)
        >>> problem = Problem.from_rows(rows, allowed=frozenset({0})).with_classes_exchanged()
        >>> problem.weights.tolist(), problem.allowed.tolist()
        ([-1.0, 1.0], [False, True])
        """
        opposite = self.allowed.reshape(-1, 2)[:, ::-1].ravel()
        return replace(self, weights=-self.weights, allowed=opposite)

    def cost(self, rows: DistinctRows, model: Model) -> float:
        """Return what a model costs beyond `base`: the weight it gets wrong and the price of its literals."""
        return training_error(rows, model.side(True)) - self.base + self.price * model.literal_count

    def codes(self, codes: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return literals as numbered in the table."""
        return np.asarray(2 * self.features[codes >> 1] + (codes & 1), dtype=np.int64)

    def share(self, error: float) -> float:
        """Return the objective, a share of the whole weight, given what a model costs beyond `base`."""
        return (self.base + error) / self.total if self.total else 0.0


def training_error(rows: DistinctRows, dnf: DNF) -> float:
    """Return the weight a DNF of class 1 gets wrong.

    >>> features = np.array([[0], [1]], dtype=bool)
    >>> rows = DistinctRows.of_two(features, np.array([0.0, 3.0]), np.array([2.0, 1.0]), True)
    >>> training_error(rows, DNF.parse("a"))
    1.0
    """
    held = np.zeros(len(rows.features), dtype=np.bool_)
    for term in dnf.terms:
        holds = np.ones(len(rows.features), dtype=np.bool_)
        for code in term.codes:
            holds &= rows.features[:, feature_of(code)] != is_negated(code)
        held |= holds
    return float(np.where(held, rows.negative, rows.positive).sum())


def _distinct_columns(features: NDArray[np.bool_], permitted: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the features to keep: the first of those that differ in their values or in the literals permitted."""
    if not len(features):
        return np.zeros(0, dtype=np.int64)
    turned = features[0]
    oriented = np.where(turned[:, None], permitted[:, ::-1], permitted)
    patterns = np.concatenate([features ^ turned, oriented.T])
    first = UniqueLines.of(patterns.T).first.tolist()
    varied = (features ^ turned).any(axis=0) & permitted.any(axis=1)
    return np.array(sorted(j for j in first if varied[j]), dtype=np.int64)
