"""Where search stays behind the proved optimum: training accuracy at k = 2 and 3, literals without a price.

    python experiments/gaps.py            writes experiments/search/gaps.csv

Splits are those of the scoreboard: ``train_test_split(test_size=0.2, random_state=s)``, s = 0..4, monks as given. The
optimum is over all functions at k = 2, over pair trees at k = 3. Beside it: what search finds in the same family, and
among all k-AXp-interpretable functions, a larger family at k = 3. A model of the family proved that is better than the
optimum is an error.
"""

from __future__ import annotations

import csv
from pathlib import Path

from sklearn.model_selection import train_test_split

from idnf import DNFClassifier, datasets

TARGET = Path(__file__).parent / "search" / "gaps.csv"


def trainings(name):
    if name.startswith("monks"):
        return [datasets.load_paper(name, part="train")]
    X, y = datasets.load_paper(name)
    splits = (train_test_split(X, y, test_size=0.2, random_state=s) for s in range(5))
    return [(train_X, train_y) for train_X, _, train_y, _ in splits]


def fitted(learner, family, k, parts):
    return [DNFClassifier(k, family=family, learner=learner, price=0.0).fit(X, y) for X, y in parts]


def accuracy(models, parts):
    return sum(100 * model.score(X, y) for model, (X, y) in zip(models, parts)) / len(parts)


def row(name, k, parts):
    family = "any" if k == 2 else "pair-tree"
    best, same = (fitted(learner, family, k, parts) for learner in ("exact", "search"))
    whole = same if k == 2 else fitted("search", "any", k, parts)
    for proved, found in zip(best, same):
        assert proved.optimal_ == family, f"{name}, k = {k}: no proof"
        assert found.objective_ >= proved.bound_ - 1e-9, f"{name}, k = {k}: a model below the bound"
    optimum, *others = (accuracy(models, parts) for models in (best, same, whole))
    return [name, k, family, *(f"{figure:.3f}" for figure in (optimum, *others, optimum - others[0]))]


def main():
    TARGET.parent.mkdir(exist_ok=True)
    gaps = {2: [], 3: []}
    with TARGET.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["data", "k", "family", "optimum", "search, same family", "search, any", "gap, same family"])
        for name in datasets.PAPER:
            parts = trainings(name)
            for k in (2, 3):
                found = row(name, k, parts)
                gaps[k].append(float(found[-1]))
                writer.writerow(found)
                print(*found, flush=True)
    for k, found in gaps.items():
        print(f"k = {k}: mean gap {sum(found) / len(found):.3f}, largest {max(found):.3f}")


if __name__ == "__main__":
    main()
