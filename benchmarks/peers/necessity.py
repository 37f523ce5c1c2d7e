"""PyXAI's necessary and relevant literals on a tree of depth 4 over 0/1 features.

    python necessity.py FOLDER

FOLDER holds given.npz with arrays X, y (the tree is fitted to them) and rows; answer.json is written there. Seconds are
processor seconds, those of child processes included.
"""

import json
import sys
from pathlib import Path

import numpy as np
from formal import formal_explainer, sizes, timed
from sklearn.tree import DecisionTreeClassifier


def main(folder):
    with np.load(folder / "given.npz") as given:
        X, y, rows = (given[name] for name in ("X", "y", "rows"))
    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)
    formal = formal_explainer(tree, X, y)
    necessary, necessary_seconds = timed(lambda rows: sizes(formal, formal.necessary_literals, rows), rows)
    relevant, relevant_seconds = timed(lambda rows: sizes(formal, formal.relevant_literals, rows), rows)
    answer = {
        "labels": tree.predict(rows).tolist(),
        "necessary": necessary,
        "relevant": relevant,
        "seconds": {"necessary": necessary_seconds, "relevant": relevant_seconds},
    }
    (folder / "answer.json").write_text(json.dumps(answer))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
