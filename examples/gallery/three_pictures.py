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

proved = DNFClassifier(k=2, learner="exact").fit(X, y)
proved.plot()

# %%

print(f"right for {tree.score(X, y):.1%}, {nested.score(X, y):.1%} and {proved.score(X, y):.1%} of these rows")
