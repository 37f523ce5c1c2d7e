"""
Reasons by columns
==================

One picture for every kind of model: a row for each reason, a column for each column of the table. Squares show the
values that a reason allows over how often they occur, by class; a case is marked, and the reasons that hold are lit.
"""

from idnf import DNFClassifier, datasets

X, y = datasets.load("loans")
clf = DNFClassifier(k=3).fit(X, y).with_settings(target="loan")
clf.plot(X, y, case=X[:1])

# %%
# Three classes, a tree:

X, y = datasets.load("iris-three")
DNFClassifier(k=2, family="tree").fit(X, y).plot(X, y)
