"""
Three forms, three pictures
===========================

A tree is drawn as a tree, a nested DNF as its matrix, any other model as its lines over the columns they use.
"""

from idnf import DNFClassifier, datasets

X, y = datasets.load("loans")
tree = DNFClassifier(k=2, family="tree").fit(X, y)
tree.plot()

# %%

nested = DNFClassifier(k=2, family="nested").fit(X, y)
nested.plot()

# %%

best = DNFClassifier(k=2).fit(X, y)
best.plot()

# %%

print(f"{tree.score(X, y):.3f} {nested.score(X, y):.3f} {best.score(X, y):.3f}")
