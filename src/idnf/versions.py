"""What is installed here, for reports of problems."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from idnf.learning.local.kernels import kernels

# What idnf needs, then what it uses if it is installed.
_NEEDED = ("idnf", "numpy", "scikit-learn", "narwhals")
_USED = (
    *("pandas", "polars", "pyarrow", "duckdb", "pyspark", "ibis-framework"),
    *("python-sat", "array-api-compat", "torch", "onnx"),
)


def versions() -> dict[str, str]:
    """Return the versions of Python, of idnf and of what it uses, and which kernels search runs on.

    >>> versions()["kernels of search"] in ("compiled", "numpy")
    True
    """
    return {
        "python": sys.version.split()[0],
        "system": platform.platform(),
        "kernels of search": kernels().name,
        **{name: _version(name) for name in (*_NEEDED, *_USED)},
    }


def show_versions() -> None:
    """Print what :func:`versions` returns.

    >>> show_versions()
    python             ...
    """
    for name, found in versions().items():
        print(f"{name:<18} {found}")  # noqa: T201 - what users of pandas and scikit-learn expect of this name


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
