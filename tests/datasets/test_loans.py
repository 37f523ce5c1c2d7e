"""The generated loan table."""

from __future__ import annotations

import numpy as np

from idnf.datasets.loans import NOISE, loan_table


def test_the_answer_follows_the_documented_policy_but_for_the_noise():
    table = loan_table(4000)
    years = table.employed > np.timedelta64(730, "D")
    policy = (table.income > 2400) & (~table.debt | years) | table.guarantor & (table.region != "Zürich")
    known = ~np.isnat(table.employed) & np.array([region is not None for region in table.region])
    assert abs((policy != table.approved)[known].mean() - NOISE) < 0.01


def test_the_same_seed_gives_the_same_table():
    assert loan_table(50, random_state=3).to_pandas().equals(loan_table(50, random_state=3).to_pandas())
    assert not loan_table(50, random_state=3).to_pandas().equals(loan_table(50, random_state=4).to_pandas())
