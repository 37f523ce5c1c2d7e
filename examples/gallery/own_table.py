"""
A table as people keep it
=========================

Semicolons, decimal commas, percent signs, dates as text, a running number: what is made of each column is said, and can
be had otherwise.
"""

from io import StringIO

import numpy as np
import pandas as pd

from idnf import DNFClassifier

rng = np.random.default_rng(0)
commas = str.maketrans(",.", ".,")
rows = ["Nr;Opened;Turnover;Rate;Size;Paid"]
for i in range(400):
    turnover, rate = rng.lognormal(10, 1), rng.uniform(0, 20)
    size = rng.choice(["small", "medium", "large"])
    paid = (turnover > 15_000 and rate < 12) != (rng.random() < 0.05)
    opened = f"{rng.integers(1, 29):02}.{rng.integers(1, 13):02}.{rng.integers(2015, 2025)}"
    money, percent = f"{turnover:,.2f}".translate(commas), f"{rate:.1f} %".translate(commas)
    rows.append(f"{i};{opened};{money};{percent};{size};{'yes' if paid else 'no'}")
table = pd.read_csv(StringIO("\n".join(rows)), sep=";")
table.head()

# %%
# pandas reads four of these columns as text. `fit` warns of what it decides on its own, and keeps it as a table.

X, y = table.drop(columns="Paid"), table["Paid"]
clf = DNFClassifier(k=2).fit(X[:300], y[:300])
clf.columns_report_

# %%
# The model in the words of the table, and as a picture.

print(clf.to_text())

# %%

clf.plot()

# %%
# Every row has its reason, and what would change the answer.

clf.explain(X[300:305])

# %%

print(clf.explain(X[300:])[0])
print(f"right for {clf.score(X[300:], y[300:]):.0%} of the rows held out")
