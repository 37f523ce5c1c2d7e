"""Where the heavy products of the exact learner run: numpy here, a CUDA array library if there is one.

The kernels are written against the Python array API standard and see an array namespace, never a library.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

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
        raise ValueError(f"device must be 'cpu' or 'cuda'; got {device!r}.")

    def put(self, values: NDArray[np.generic]) -> Array:
        """Move a numpy array of numbers to the device."""
        dtype = self.xp.float32 if self.single else self.xp.float64
        array: Array = self.xp.asarray(values, dtype=dtype, **self._placed())
        return array

    def put_integers(self, values: NDArray[np.generic]) -> Integers:
        """Move a numpy array of indices to the device."""
        array: Integers = self.xp.asarray(values, dtype=self.xp.int64, **self._placed())
        return array

    def fetch(self, array: NDArray[np.generic]) -> NDArray[np.float64]:
        """Bring an array back as numpy float64."""
        here = array if self.device == "cpu" else _to_host(array)
        return np.asarray(here, dtype=np.float64)

    def _placed(self) -> dict[str, str]:
        # Only torch takes a device by this name; numpy has one and CuPy works on the current GPU.
        return {"device": self.device} if self.xp.__name__.endswith("torch") else {}


def is_integral(weights: NDArray[np.float64]) -> bool:
    """Tell whether all weights are integers.

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
        raise ValueError(
            f"torch.get_float32_matmul_precision() must be 'highest' to count exactly; got {precision!r}. "
            "Call torch.set_float32_matmul_precision('highest') first."
        )


def _to_host(array: NDArray[np.generic]) -> NDArray[np.generic]:
    compat = import_module("array_api_compat")
    host: NDArray[np.generic] = compat.to_device(array, "cpu")
    return host
