"""
Rare cases, and what missing one costs
======================================

Where one label is rare, a model that never finds a case is right nearly always. `operating_points` fits a model for
each of several costs of a missed case; each has reasons of its own.
"""

import numpy as np
import pandas as pd

from idnf.choosing import operating_points

rng = np.random.default_rng(2)
X = pd.DataFrame(
    {
        "amount": rng.lognormal(4, 1, 3000).round(2),
        "hour": rng.integers(0, 24, 3000),
        "country": rng.choice(["home", "near", "far"], 3000, p=[0.8, 0.15, 0.05]),
        "card age": rng.integers(0, 120, 3000),
    }
)
risk = 0.005 + 0.4 * ((X["amount"] > 120) & (X["hour"] < 6)) + 0.3 * (X["country"] == "far")
y = pd.Series(np.where(rng.random(3000) < risk, "yes", "no"), name="fraud")
y.value_counts()

# %%

found = operating_points(X, y, k=2, costs=[2, 4, 8, 16, 32], positive="yes")
found.to_frame()

# %%

found.plot()

# %%
# The most precise model that finds at least half of the cases:

chosen = found.at(recall=0.5).model
print(chosen.to_text(first="yes"))

# %%

fraud = X[chosen.predict(X) == "yes"]
print(chosen.explain(fraud)[0])
