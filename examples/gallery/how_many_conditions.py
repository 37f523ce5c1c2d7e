"""
How many conditions a reason needs
==================================

`choose_k` measures models of several k on rows held out, beside a decision tree of the same depth, a forest and a
constant. The smallest k that does as well as any is marked.
"""

from idnf import DNFClassifier, choose_k, datasets

X, y = datasets.load("loans")
found = choose_k(X, y, ks=[1, 2, 3], cv=3)
found.to_frame()

# %%

found.plot()

# %%

print(found.best)
print(DNFClassifier(k=found.best).fit(X, y).to_text())
