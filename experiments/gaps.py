"""Where search stays behind the proved optimum: training accuracy at k = 2 and 3, literals without a price.

    python experiments/gaps.py            writes experiments/search/gaps.csv

Splits are those of the scoreboard: ``train_test_split(test_size=0.2, random_state=s)``, s = 0..4, monks as given. The
optimum is over all functions at k = 2, over depth-1 trees of 2-AXp-interpretable leaves at k = 3; search looks at every
3-AXp-interpretable function, so there its gap may be negative.
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


def accuracies(learner, k, parts):
    models = (DNFClassifier(k, learner=learner, price=0.0).fit(X, y) for X, y in parts)
    return [100 * model.score(X, y) for model, (X, y) in zip(models, parts)]


def main():
    TARGET.parent.mkdir(exist_ok=True)
    gaps = {2: [], 3: []}
    with TARGET.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["data", "k", "exact", "search", "gap"])
        for name in datasets.PAPER:
            parts = trainings(name)
            for k in (2, 3):
                best, found = (sum(a) / len(a) for a in (accuracies(l, k, parts) for l in ("exact", "search")))
                gaps[k].append(best - found)
                writer.writerow([name, k, f"{best:.3f}", f"{found:.3f}", f"{best - found:.3f}"])
                print(f"{name:18} k = {k}  exact {best:7.3f}  search {found:7.3f}  gap {best - found:6.3f}", flush=True)
    for k, found in gaps.items():
        print(f"k = {k}: mean gap {sum(found) / len(found):.3f}, largest {max(found):.3f}")


if __name__ == "__main__":
    main()
