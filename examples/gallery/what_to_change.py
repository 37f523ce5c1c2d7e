"""
What would have to change
=========================

The cheapest change into another class is exact. Columns that cannot change are kept with the model; costs and
directions may be given with a question.
"""

from idnf import DNFClassifier, datasets

X, y = datasets.load("loans")
clf = DNFClassifier(k=2).fit(X, y).with_settings(immutable=["region"])
declined = X[clf.predict(X) == "declined"]
print(clf.explain(declined)[0])

# %%

clf.recourse(declined[:1], count=3)

# %%
# Where an income can only grow, and a guarantor is hard to find:

clf.recourse(declined[:1], increase_only=["income"], costs={"guarantor": 5})

# %%
# An empty answer is a proof that there is no way, and says what stands in it.

print(clf.recourse(declined[:1], immutable=["income", "guarantor"]))

# %%
# With "all", nothing is proposed anywhere: not in sentences, tables, pages or exported programs.

print(clf.with_settings(immutable="all").explain(declined)[0])
