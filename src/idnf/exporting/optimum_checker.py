"""The program that finds a proved optimum again: templates/check_optimum.py."""

from __future__ import annotations

from importlib.resources import files


def optimum_checker() -> str:
    """Return a program that checks the optimum of a model file against its training table: one file of Python.

    It needs numpy and shares no code with this library.

    >>> print(optimum_checker()[3:55])
    Check a proved optimum against the training table: p
    """
    return (files("idnf.exporting") / "templates" / "check_optimum.py").read_text("utf-8")
