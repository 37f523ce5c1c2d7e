"""Counterfactuals by DiCE for a tree of depth 4 over a table of numbers and categories.

    python dice.py FOLDER

FOLDER holds table.csv, the table with a last column `label` of 0 and 1, rows.csv, the rows to be explained, and
task.json: numbers, categories (their values by column), free (the columns that may change) and methods. The tree is
fitted to the table here, as a user would; answer.json gets its labels of the rows, and by method the counterfactuals of
each row, or the error it ended with, and processor seconds.

DiCE makes four counterfactuals a row, by its defaults except the binary search for sparse ones: the linear one, its
default, takes a step of the smallest decimal at a time.
"""

import json
import sys
import time
import warnings
from pathlib import Path

import dice_ml
import pandas as pd
from raiutils.exceptions import UserConfigValidationException
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

COUNT = 4
REFUSALS = (UserConfigValidationException, ValueError, TypeError, IndexError, KeyError)


def fitted(table, labels, task):
    values = [task["categories"][name] for name in task["categories"]]
    encoder = ColumnTransformer(
        [
            ("numbers", "passthrough", task["numbers"]),
            ("categories", OneHotEncoder(categories=values, sparse_output=False), list(task["categories"])),
        ]
    )
    return make_pipeline(encoder, DecisionTreeClassifier(max_depth=4, random_state=0)).fit(table, labels)


def counterfactuals(explainer, row, free, seeded):
    """Counterfactuals of one row as dictionaries, or the name of the error it ended with."""
    try:
        found = explainer.generate_counterfactuals(
            row, total_CFs=COUNT, desired_class="opposite", features_to_vary=free, verbose=False,
            posthoc_sparsity_algorithm="binary", **({"random_seed": 0} if seeded else {}),
        )  # fmt: skip
    except REFUSALS as error:
        return type(error).__name__
    sparse = found.cf_examples_list[0].final_cfs_df_sparse
    every = found.cf_examples_list[0].final_cfs_df if sparse is None else sparse
    return [] if every is None else json.loads(every.drop(columns="label").to_json(orient="records"))


def main(folder):
    warnings.simplefilter("ignore")
    task = json.loads((folder / "task.json").read_text("utf-8"))
    types = dict.fromkeys(task["categories"], str)
    table, rows = (pd.read_csv(folder / name, dtype=types, keep_default_na=False) for name in ("table.csv", "rows.csv"))
    model = fitted(table.drop(columns="label"), table["label"], task)
    data = dice_ml.Data(dataframe=table, continuous_features=task["numbers"], outcome_name="label")
    answer = {"labels": model.predict(rows).tolist(), "found": {}, "seconds": {}}
    for method in task["methods"]:
        explainer = dice_ml.Dice(data, dice_ml.Model(model=model, backend="sklearn"), method=method)
        start = time.process_time()
        answer["found"][method] = [
            counterfactuals(explainer, rows[i : i + 1], task["free"], method == "random") for i in range(len(rows))
        ]
        answer["seconds"][method] = (time.process_time() - start) / len(rows)
    (folder / "answer.json").write_text(json.dumps(answer))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
