"""
All reasons of a model, and how far each carries
================================================

The reasons are fixed with the model. Here is how many patients meet each, and how often it is right for them.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from idnf import DNFClassifier

data = load_breast_cancer(as_frame=True)
diagnosis = data.target.map({0: "malignant", 1: "benign"}).rename("diagnosis")
X, X_new, y, y_new = train_test_split(data.data, diagnosis, random_state=0, stratify=diagnosis)
# A biopsy is what it is: no change of it is proposed.
clf = DNFClassifier(k=2).fit(X, y).with_settings(immutable="all")
print(clf.to_text(first="malignant"))

# %%

clf.reasons(X_new, y_new)

# %%

clf.plot(X_new, y_new)

# %%
# A reason comes with a certificate: each line of the other class, and the condition that contradicts it.

one = clf.explain(X_new)[0]
print(one)

# %%

one.certificate()
