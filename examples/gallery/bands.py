"""
Approve, refer or decline
=========================

`DNFBands` scores loans in bands. Every loan is above or below each boundary for a reason of at most k conditions, and
the boundaries are proved to be nested; how many loans of a band go bad is an estimate, drawn here beside what was seen
later.
"""

import numpy as np
import pandas as pd

from idnf import DNFBands

rng = np.random.default_rng(3)
X = pd.DataFrame(
    {
        "income": rng.normal(3000, 900, 4000).round(-1),
        "late payments": rng.poisson(0.7, 4000),
        "years employed": rng.integers(0, 25, 4000),
        "guarantor": rng.random(4000) < 0.3,
    }
)
odds = -2.4 + 0.9 * X["late payments"] - (X["income"] - 3000) / 900 - 0.05 * X["years employed"] - X["guarantor"]
y = pd.Series(np.where(rng.random(4000) < 1 / (1 + np.exp(-odds)), "bad", "good"), name="loan")

# %%
# Approve up to a risk of one in ten, decline from four in ten, and leave what is between to a person.

bands = DNFBands(k=3, boundaries=[0.1, 0.4], names=["approve", "refer", "decline"], order=["good", "bad"])
bands.fit(X[:2500], y[:2500])
bands.bands_

# %%
# A case in the middle has two reasons: why it is not approved, and why it is not declined.

later = bands.explain(X[2500:])
print(next(case for case in later if case.name == "refer"))

# %%
# What was estimated, and what was seen among the 1,500 loans that came later:

bands.plot_reliability(X[2500:], y[2500:])

# %%
# Without boundaries, as many bands as the data support:

score = DNFBands(k=3, order=["good", "bad"]).fit(X[:2500], y[:2500])
score.plot_reliability(X[2500:], y[2500:])
