"""Where commands speak: results to standard output, everything else to standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TextIO

_BAR = 30


@dataclass
class Console:
    """The two streams of a command, and its progress bar.

    Parameters
    ----------
    out, err : text streams
    quiet : bool
        Leave out remarks and progress.
    """

    out: TextIO = field(default_factory=lambda: sys.stdout)
    err: TextIO = field(default_factory=lambda: sys.stderr)
    quiet: bool = False

    def show(self, text: str) -> None:
        """Write a result."""
        self.out.write(text if text.endswith("\n") else text + "\n")

    def remark(self, text: str) -> None:
        """Write something beside the result."""
        if not self.quiet:
            self.err.write(text + "\n")

    def progress(self, label: str) -> Callable[[float], None]:
        """Return a function that draws a bar for a share between 0 and 1; on a terminal only, once a second."""
        if self.quiet or not self.err.isatty():
            return lambda _share: None
        started = drawn = time.monotonic()

        def draw(share: float) -> None:
            nonlocal drawn
            now = time.monotonic()
            if share < 1 and now - drawn < 1:
                return
            drawn = now
            filled = round(_BAR * min(share, 1))
            bar = "#" * filled + "." * (_BAR - filled)
            self.err.write(f"\r{label} [{bar}] {share:4.0%} {now - started:5.0f} s" + ("\n" if share >= 1 else ""))
            self.err.flush()

        return draw
