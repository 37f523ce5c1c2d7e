"""Markdown tables and numbers in words, and what this runs on."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Sequence
from pathlib import Path


def markdown(header: Sequence[str], rows: Iterable[Sequence[str]], *, words: int = 1) -> str:
    """Return a table; all columns but the first ones are numbers."""
    lines = [header, [*["---"] * words, *["---:"] * (len(header) - words)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def number(value: float | None, digits: int = 1) -> str:
    """Return a number with so many digits, nothing for None."""
    return "" if value is None else f"{value:.{digits}f}"


def significant(value: float) -> str:
    """Three digits, the rest zeros; never an exponent.

    >>> significant(1314.7), significant(0.98765), significant(20.0)
    ('1,310', '0.988', '20')
    """
    return f"{float(f'{value:.3g}'):,.10g}"


def p_value(value: float) -> str:
    """Return a p-value as papers print it.

    >>> p_value(0.0421), p_value(0.00003)
    ('0.042', '< 0.001')
    """
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def p_equals(value: float) -> str:
    """Return a p-value as prose has it.

    >>> p_equals(0.0421), p_equals(0.00003)
    ('p = 0.042', 'p < 0.001')
    """
    return f"p {p_value(value)}" if value < 0.001 else f"p = {p_value(value)}"


def machine() -> str:
    """Say what this runs on."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    models = [line.split(":")[1].strip() for line in lines if line.startswith("model name")]
    return f"{models[0] if models else platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
