"""Our own learners, as a user calls them: on the table as it comes, and on the 0/1 features of the scoreboard."""

import sys
from functools import partial
from pathlib import Path

import pandas as pd
from worker import Fitted, work

from idnf import DNFBands, DNFClassifier, TableBinariser

sys.path.insert(1, str(Path(__file__).parents[1]))
from readable import spare  # noqa: E402 - it lies in the folder above


def rules_of(dnfs):
    """The terms of every class; the longest list last, as "otherwise" would have it."""
    found = sorted(dnfs, key=lambda pair: pair[1].length)
    return [(int(label), term.codes) for label, dnf in found for term in dnf.terms]


def named(X):
    """A table with names for its columns, those that are printed where it has none."""
    return X if isinstance(X, pd.DataFrame) else pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])


def space_of(model):
    """For each literal its column and the cells in which it holds, and the number of cells of each column."""
    space = model.binariser_.space_
    return list(space.literals), [column.size for column in space.columns]


def length_of(size):
    """Lines and conditions of a model in its shortest printed form; a constant has none."""
    return size.terms, size.printed or size.conditions


def on_features(table, k, **parameters):
    train = table.train.astype(bool)
    model = DNFClassifier(k, random_state=table.seed, **parameters).fit(train, table.y)
    return Fitted(
        lambda X: model.predict(X.astype(bool)),
        lambda: rules_of(model.dnfs_.items()),
        probabilities=lambda X: model.predict_proba(X.astype(bool)),
        explain=lambda X: model.explain(X.astype(bool)),
        written=length_of(model.size_),
        spare=lambda: spare(model.to_text(form="lines"), named(train), table.y, model.predict(train)),
    )


def on_table(table, k, **parameters):
    binariser = TableBinariser(missing="allow")
    model = DNFClassifier(k, binariser=binariser, random_state=table.seed, **parameters).fit(table.train, table.y)
    return Fitted(
        model.predict,
        lambda: rules_of(model.dnfs_.items()),
        conditions=lambda X: model.binariser_.transform(X),
        space=space_of(model),
        probabilities=model.predict_proba,
        explain=model.explain,
        written=length_of(model.size_),
        spare=lambda: spare(model.to_text(form="lines"), named(table.train), table.y, model.predict(table.train)),
    )


def bands(table, k):
    """Bands; the decision is that of the boundary above which the higher class is the likelier."""
    model = DNFBands(k, binariser=TableBinariser(missing="allow"), random_state=table.seed).fit(table.train, table.y)
    given = model.fitted_.given.tolist()
    flips = [place for place in range(1, len(given)) if given[place] != given[place - 1]]
    dnfs = [enumerate(model.models_[place - 1].dnfs_.values()) for place in flips]
    lengths = [length_of(each.size_) for each in model.models_]
    return Fitted(
        model.predict,
        lambda: rules_of(dnfs[0]) if dnfs else [(given[0], ())],
        conditions=lambda X: model.binariser_.transform(X),
        space=space_of(model),
        probabilities=model.predict_proba,
        explain=model.explain,
        written=tuple(map(sum, zip(*lengths))),
    )


if __name__ == "__main__":
    work(
        {
            "idnf": on_table,
            "idnf-boolean": on_features,
            "idnf-bands": bands,
            "idnf-checklist": partial(on_table, family="checklist"),
            "idnf-nested": partial(on_features, family="nested"),
            "idnf-greedy": partial(on_features, family="nested", learner="greedy"),
        }
    )
