"""PyXAI's necessary and relevant literals on a tree of depth 4 over 0/1 features.

    python necessity.py FOLDER

FOLDER holds given.npz with arrays X, y (the tree is fitted to them) and rows; answer.json is written there, with as
many answers to each question as were given in two minutes. Seconds are processor seconds a row, with those of child
processes. PyXAI's relevant literals are those that are in some reason and not in all.
"""

import json
import sys
from pathlib import Path

import numpy as np
from formal import formal_explainer, processor_seconds, sizes
from sklearn.tree import DecisionTreeClassifier

MOST_SECONDS = 120


def answered(formal, question, rows):
    found, start = [], processor_seconds()
    for row in rows:
        found += sizes(formal, question, [row])
        if processor_seconds() - start > MOST_SECONDS:
            break
    return {"sizes": found, "seconds": (processor_seconds() - start) / len(found)}


def main(folder):
    with np.load(folder / "given.npz") as given:
        X, y, rows = (given[name] for name in ("X", "y", "rows"))
    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)
    formal = formal_explainer(tree, X, y)
    answer = {
        "labels": tree.predict(rows).tolist(),
        "necessary": answered(formal, formal.necessary_literals, rows),
        "relevant": answered(formal, formal.relevant_literals, rows),
    }
    (folder / "answer.json").write_text(json.dumps(answer))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
