"""Models of every form over columns of every kind, with rows, for pages and pictures."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

import numpy as np
import polars as pl
from tests.exporting.cases import HOSTILE, all_columns, frame_of, generated_rows, large_case, several_case

from idnf import DNFClassifier, TableBinariser
from idnf.classifier.fitted import Fitted
from idnf.columns.groups import OneHotGroup
from idnf.learning.objective import Learned
from idnf.logic.nested import NestedDNF
from idnf.logic.trees import Leaf, NestedTree, Split


@dataclass(frozen=True)
class Shown:
    """A classifier, rows and their true labels."""

    classifier: DNFClassifier
    X: pl.DataFrame
    y: np.ndarray


FORMS = ("nested", "nested-complemented", "tree", "nested-tree", "any", "large", "hostile", "declared", "several")


@cache
def shown(form: str) -> Shown:
    """Return a model of a form, learned from a table of every kind of column or written by hand."""
    if form == "large":
        case = large_case(300)
        return Shown(case.clf, case.frame, np.array(case.labels))
    if form == "several":
        case = several_case(1, 300)
        return Shown(case.clf, case.frame, np.array(case.labels))
    if form == "nested-tree":
        return _nested_tree()
    if form == "hostile":
        return _hostile()
    if form == "declared":
        return _declared()
    columns = all_columns()
    rows = generated_rows(columns, 400, 7)
    rng = random.Random(7)
    X = frame_of(columns, rows)
    bits = zip(rows["income"], rows["married"], rows["opened"], rows["wait"], rows["f"], rows["size\n\u202e"])
    truth = [
        ((a > 0) != (b is True) or (c is None and e)) if d is None or d.days < 1 else (e == 1 or f == "large")
        for a, b, c, d, e, f in bits
    ]
    complemented = form == "nested-complemented"
    y = np.array([("no", "yes")[bool(t) != (rng.random() < 0.05) != complemented] for t in truth])
    binariser = TableBinariser(groups={c.name: list(c.members) for c in columns if isinstance(c, OneHotGroup)})
    family, learner = {"nested-complemented": ("nested", "greedy"), "tree": ("tree", "greedy")}.get(
        form, (form, "search")
    )
    classifier = DNFClassifier(3, family=family, learner=learner, binariser=binariser, effort=0.2, random_state=0)
    return Shown(classifier.fit(X, y), X, y)


def _nested_tree() -> Shown:
    """Return a tree with a nested DNF in one leaf and the complement of one in another."""
    columns = [c for c in all_columns() if c.name in ("income", "married", "sex", "grade", "wait", "opened")]
    classifier = DNFClassifier.from_dnf("0", columns=columns, classes=("no", "yes"))
    names = classifier.binariser_.literals_
    code = {name: 2 * i for i, name in enumerate(names)}
    first = NestedDNF(names, ((code["grade is a"], code["f"]), (code["wait <= 1 day"],)), ((2, 0), (0, 1)), 2)
    second = NestedDNF(names, ((code["opened is missing"],), (code["grade <= b"],)), ((1, 0), (0, 1)), 2)
    split = Split(code["married"] // 2, Leaf(first), Leaf(second, 0, 1))
    classifier.k = 3
    learned = Learned(NestedTree(names, split, 3), 0.0)
    classifier.fitted_ = Fitted.untrained(classifier.binariser_, classifier.classes_, learned, "none: made by hand")
    X = frame_of(columns, generated_rows(columns, 300, 5))
    return Shown(classifier, X, classifier.predict(X))


def _hostile() -> Shown:
    rng = np.random.default_rng(0)
    dish, name = '<img src=x onerror="alert(1)">', "</script>\u202e\n'; DROP"
    chosen, count = rng.integers(0, len(HOSTILE), 300), rng.integers(0, 9, 300)
    X = pl.DataFrame({dish: [HOSTILE[i] for i in chosen], name: count})
    labels = np.array(["</td><b>no", 'yes & \U0001f600 "sure"'])
    y = labels[((chosen % 2 == 0) & (count > 3)).astype(int)]
    return Shown(DNFClassifier(2, learner="greedy").fit(X, y), X, y)


def _declared() -> Shown:
    """Return a policy that uses a column of each kind: dates, durations, ordered and other categories, groups."""
    columns = [c for c in all_columns() if c.name in ("opened", "wait", "grade", "colour", "sex", "called")]
    terms = (
        "'opened > 2019-12-31' & 'wait <= 90 minutes' | 'grade <= b' & ~'colour is blue'"
        " | f & 'called <= 2020-06-30 12:30:15.000250'"
    )
    classifier = DNFClassifier.from_dnf(terms, columns=columns, classes=("refused", "granted"))
    X = frame_of(columns, generated_rows(columns, 300, 3))
    return Shown(classifier, X, classifier.predict(X))
