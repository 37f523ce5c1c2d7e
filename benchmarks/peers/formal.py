"""PyXAI and SHAP on a tree of depth 4 over 0/1 features.

    python formal.py FOLDER

FOLDER holds given.npz with arrays X, y (the tree is fitted to them), rows (asked of PyXAI) and many (asked of SHAP);
answer.json is written there. Seconds are processor seconds, those of child processes included: PyXAI calls solvers.
"""

import json
import resource
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import shap
from pyxai import Explaining, Learning
from sklearn.tree import DecisionTreeClassifier


def processor_seconds():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def timed(answer, rows):
    start = processor_seconds()
    found = answer(rows)
    return found, (processor_seconds() - start) / len(rows)


def formal_explainer(tree, X, y):
    frame = pd.DataFrame(np.column_stack([X, y]), columns=[*(f"x{j}" for j in range(X.shape[1])), "label"])
    _, model = Learning.ModelIO.import_models(tree, frame, instances_type="tabular")
    return Explaining.initialize(model)


def sizes(formal, question, rows):
    found = []
    for row in rows:
        formal.set_instance(list(row))
        found.append(len(question()))
    return found


def main(folder):
    with np.load(folder / "given.npz") as given:
        X, y, rows, many = (given[name] for name in ("X", "y", "rows", "many"))
    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)
    attributions = shap.TreeExplainer(tree)
    attributions.shap_values(rows[:10])
    _, shap_seconds = timed(attributions.shap_values, many)
    values = np.asarray(attributions.shap_values(rows))[..., 1]
    formal = formal_explainer(tree, X, y)
    axps, axp_seconds = timed(lambda rows: sizes(formal, formal.minimal_sufficient_reason, rows), rows)
    cxps, cxp_seconds = timed(lambda rows: sizes(formal, lambda: formal.contrastive_reason(n=1), rows), rows)
    answer = {
        "labels": tree.predict(rows).tolist(),
        "seconds": {"shap": shap_seconds, "axp": axp_seconds, "cxp": cxp_seconds},
        "axps": axps,
        "cxps": cxps,
        "ranking": np.argsort(-np.abs(values), axis=1, kind="stable").tolist(),
    }
    (folder / "answer.json").write_text(json.dumps(answer))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
