"""How far a fit is, drawn over one line of a terminal or a notebook."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

_WIDTH = 30
# Seconds between two drawings.
_PAUSE = 0.1


class ProgressLine:
    """Draws over one line of a stream; it is called with the share of the work that is done.

    Parameters
    ----------
    stream : text stream, optional
        Standard error by default, which notebooks show.

    Examples
    --------
    >>> from io import StringIO
    >>> stream = StringIO()
    >>> line = ProgressLine(stream)
    >>> line(1.0)
    >>> stream.getvalue().strip()[:45]
    'fit 100% [##############################]   0'
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._began = time.monotonic()
        self._drawn = -_PAUSE
        self._share = 0.0

    def __call__(self, share: float) -> None:
        """Draw the share done, 1 at the end; earlier ones not too often, and never a smaller one."""
        now = time.monotonic()
        self._share = min(1.0, max(self._share, share))
        if self._share < 1 and now - self._drawn < _PAUSE:
            return
        self._drawn = now
        filled = round(_WIDTH * self._share)
        bar = "#" * filled + "." * (_WIDTH - filled)
        self._stream.write(f"\rfit {self._share:4.0%} [{bar}] {now - self._began:5.1f} s")
        self._stream.flush()

    def finish(self) -> None:
        """Draw the end of the line."""
        self(1.0)
        self._stream.write("\n")
        self._stream.flush()


@contextmanager
def progress_callback(progress: Callable[[float], None] | bool | None) -> Iterator[Callable[[float], None] | None]:
    """Give the callback for the share of the work done: the user's own, a line that ends with the work, or none."""
    if callable(progress):
        yield progress
    elif progress:
        line = ProgressLine()
        yield line
        line.finish()
    else:
        yield None
