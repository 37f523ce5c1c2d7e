"""What the user said about the file of a training table, kept with a model so that no later command asks again."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TrainingFile:
    """How the file of a training table was read, and which of its rows were held out.

    Parameters
    ----------
    separator, encoding, sheet, skip : optional
        As the user gave them; None means that they were detected.
    header : bool
        Whether the file names its columns.
    test_size : float, optional
        The share of rows held out.
    test_after : pair of str, optional
        The column and the value after which rows were held out.
    test_group : str, optional
        The column whose groups were held out whole.
    """

    separator: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    skip: int | None = None
    header: bool = True
    test_size: float | None = None
    test_after: tuple[str, str] | None = None
    test_group: str | None = None
