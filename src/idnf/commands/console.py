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
            self.out.flush()
            self.err.write(text + "\n")

    def progress(self, label: str) -> Callable[[float], None]:
        """Return a function that draws a bar for a share between 0 and 1; on a terminal only, once a second."""
        draw = self._line(label)

        def bar(share: float) -> None:
            filled = round(_BAR * min(share, 1))
            draw(f"[{'#' * filled}{'.' * (_BAR - filled)}] {share:4.0%}", share >= 1)

        return bar

    def counter(self, label: str) -> Callable[[int | None], None]:
        """Return a function that shows how many rows are done, and with None ends the line; on a terminal only."""
        draw = self._line(label)
        last = 0

        def count(rows: int | None) -> None:
            nonlocal last
            last = last if rows is None else rows
            draw(f"{last:>12,} rows", rows is None)

        return count

    def _line(self, label: str) -> Callable[[str, bool], None]:
        """Return a function that draws over one line, at most once a second until the last time."""
        if self.quiet or not self.err.isatty():
            return lambda _text, _last: None
        started = drawn = time.monotonic()
        width = 0

        def draw(text: str, last: bool) -> None:
            nonlocal drawn, width
            now = time.monotonic()
            # Work that ends within the first second shows no line at all.
            if (not last and now - drawn < 1) or (last and not width):
                return
            drawn = now
            line = f"{label} {text} {now - started:5.0f} s"
            self.err.write("\r" + line.ljust(width) + ("\n" if last else ""))
            self.err.flush()
            width = 0 if last else len(line)

        return draw
