"""One thread for the libraries that multiply matrices.

The products of a search take microseconds. Threads that a library starts for them wait for each other in a loop: beside
busy neighbours that costs many times the processor time of the work itself, so there is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController


@contextmanager
def single_threaded() -> Iterator[None]:
    """Let the libraries that multiply matrices use one thread; afterwards as many as before.

    >>> from threadpoolctl import threadpool_info
    >>> with single_threaded():
    ...     print({each["num_threads"] for each in threadpool_info() if each["user_api"] == "blas"})
    {1}
    """
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    """Return what knows the libraries in use; looking for them takes milliseconds."""
    return ThreadpoolController()
