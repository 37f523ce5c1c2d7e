"""A generated loan table of mixed types, with missing values, dates and categories beyond ASCII.

The hidden policy approves a loan when ``income > 2400 and debt is false`` or when
``income > 2400 and employed > 2 years`` or when ``guarantor is true and region is not Zürich``; a missing income counts
as no income. One answer in twenty is flipped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas
    import polars

REGIONS = ("Zürich", "Île-de-France", "São Paulo", "Łódź", "東京")
EDUCATION = ("none", "school", "apprenticeship", "university")
NOISE = 0.05


@dataclass(frozen=True)
class LoanTable:
    """The columns of the table and whether each loan was approved.

    Parameters
    ----------
    income, amount : ndarray of float
        Euros a month, and euros; some incomes are missing (NaN).
    region : ndarray of str
        Unordered categories; some are missing (None).
    education : ndarray of str
        Ordered as in `EDUCATION`; some are missing (None).
    employed : ndarray of timedelta64
        Time with the present employer; some are missing (NaT).
    opened : ndarray of datetime64
        The day on which the account was opened.
    debt, guarantor : ndarray of bool
    approved : ndarray of bool
        The answer.
    """

    income: NDArray[np.float64]
    amount: NDArray[np.int64]
    region: NDArray[np.object_]
    education: NDArray[np.object_]
    employed: NDArray[np.timedelta64]
    opened: NDArray[np.datetime64]
    debt: NDArray[np.bool_]
    guarantor: NDArray[np.bool_]
    approved: NDArray[np.bool_]

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table, without the answer, as a pandas frame."""
        import pandas

        frame = pandas.DataFrame({name: getattr(self, name) for name in COLUMNS})
        frame["education"] = pandas.Categorical(self.education, categories=EDUCATION, ordered=True)
        return frame

    def to_polars(self) -> polars.DataFrame:
        """Return the table, without the answer, as a polars frame."""
        import polars

        columns = {name: polars.Series(name, getattr(self, name).tolist()) for name in ("region", "debt", "guarantor")}
        columns["income"] = polars.Series(self.income).fill_nan(None)
        columns["amount"] = polars.Series(self.amount)
        columns["education"] = polars.Series(self.education.tolist(), dtype=polars.Enum(EDUCATION))
        columns["employed"] = polars.Series(self.employed.astype("m8[us]"))
        columns["opened"] = polars.Series(self.opened.astype("M8[us]")).cast(polars.Date)
        return polars.DataFrame({name: columns[name] for name in COLUMNS})


COLUMNS = ("income", "amount", "region", "education", "employed", "opened", "debt", "guarantor")


def loan_table(n_rows: int = 1000, *, random_state: int = 0) -> LoanTable:
    """Return a loan table of `n_rows` applications.

    >>> table = loan_table(4)
    >>> print(table.to_polars().columns)
    ['income', 'amount', 'region', 'education', 'employed', 'opened', 'debt', 'guarantor']
    """
    generator = np.random.default_rng(random_state)
    income: NDArray[np.float64] = np.round(generator.lognormal(7.8, 0.5, n_rows), 2)
    employed = np.round(generator.exponential(1500, n_rows)).astype(np.int64).astype("m8[D]")
    region = np.array(REGIONS, dtype=object)[generator.choice(len(REGIONS), n_rows, p=[0.3, 0.3, 0.2, 0.15, 0.05])]
    debt, guarantor = generator.random(n_rows) < 0.4, generator.random(n_rows) < 0.25
    income[generator.random(n_rows) < 0.1] = np.nan
    long_employed = employed > np.timedelta64(730, "D")
    policy = (income > 2400) & (~debt | long_employed) | guarantor & (region != "Zürich")
    education = np.array(EDUCATION, dtype=object)[generator.integers(0, len(EDUCATION), n_rows)]
    region[generator.random(n_rows) < 0.05] = None
    education[generator.random(n_rows) < 0.05] = None
    employed[generator.random(n_rows) < 0.05] = np.timedelta64("NaT")
    return LoanTable(
        income=income,
        amount=generator.integers(1, 400, n_rows) * 250,
        region=region,
        education=education,
        employed=employed.astype("m8[us]"),
        opened=np.datetime64("2005-01-01", "D") + generator.integers(0, 7000, n_rows),
        debt=debt,
        guarantor=guarantor,
        approved=policy ^ (generator.random(n_rows) < NOISE),
    )
