"""
More than two classes
=====================

Every decision, for whichever class, has a reason of at most k conditions.
"""

from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

from idnf import DNFClassifier

data = load_wine(as_frame=True)
grower = data.target.map({0: "Aldo", 1: "Bea", 2: "Carla"}).rename("grower")
X, X_new, y, y_new = train_test_split(data.data, grower, random_state=0, stratify=grower)
clf = DNFClassifier(k=2).fit(X, y)
print(clf.to_text())
print(f"right for {clf.score(X_new, y_new):.0%} of {len(y_new)} wines held out")

# %%

clf.plot()

# %%

clf.explain(X_new[:5])

# %%
# From one grower to another:

print(clf.recourse(X_new[:1], to="Bea"))
