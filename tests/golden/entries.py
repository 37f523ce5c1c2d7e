"""The seeded models of the record: every family, learner, kind of column, way in and limit, by name."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
import numpy as np
import polars as pl
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from tests.golden.answers import Made
from tests.golden.tables import GROUPS, PRIORS, Table, table

from idnf import DNFBands, DNFClassifier, TableBinariser, choose_k, datasets, exporting
from idnf.choosing import Fairness, fit_fairly, rectify
from idnf.columns.groups import Ordered
from idnf.governance import audit

Entry = Callable[[], Made]
Named = Iterator[tuple[str, Entry]]

FAMILIES = ("any", "tree", "nested")
LEARNERS = ("greedy", "search", "exact")
QUICK = 0.3
"""The effort of searches that are not about effort."""

PAPER = "paper"
"""Entries of this name need the paper's data; of them numbers and hashes alone are kept."""


Model = DNFClassifier | DNFBands


def fitted(
    given: Table, *, weights: np.ndarray | None = None, kind: type[Model] = DNFClassifier, **settings: object
) -> Made:
    """Learn from a table in memory."""
    said = {name: settings.pop(name) for name in ("target", "immutable") if name in settings}
    clf = quietly(kind(**{"effort": QUICK, **settings}).fit, given.X, given.y, weights)
    return Made(clf.with_settings(**said) if said else clf, given.later, given.X, given.y, weights)


def quietly(fit: Callable[..., Model], *given: object) -> Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fit(*given)


def learn(name: str, *, classes: int = 2, noise: float = 0.1, **settings: object) -> Made:
    return fitted(table(name, classes=classes, noise=noise), **settings)


def grid() -> Named:
    """Every family, learner and k, of two classes and of several, over truths and over columns."""
    for name, classes, learner, family, k in product(("ones", "ring"), (2, 3), LEARNERS, FAMILIES, (1, 2, 3, 4)):
        if classes == 3 and family == "nested" and k > 1:
            continue  # refused, whatever k is
        if learner == "exact" and k > 4 - (name == "ring") - (family == "nested"):
            continue  # proofs that take too long here
        label = f"grid/{name}-{classes}-{learner}-{family}-{k}"
        binariser = TableBinariser(max_literals_per_column=4) if name == "ring" else None
        settings = {"k": k, "family": family, "learner": learner, "tune": False, "binariser": binariser}
        yield label, partial(learn, name, classes=classes, **settings)


def forms() -> Named:
    """Families beside those of the grid, and conditions that say more than one cut."""
    for family, learner in (("column-tree", "search"), ("column-tree", "greedy"), ("checklist", "search")):
        settings = {"k": 2, "family": family, "learner": learner, "tune": False}
        yield f"forms/{family}-{learner}", partial(learn, "mixed", **settings)
    for kind, classes, tune in product(("intervals", "sets", "all"), (2, 3), (False, True)):
        name = f"forms/{kind}-{classes}-{'tuned' if tune else 'plain'}"
        yield name, partial(learn, "mixed", classes=classes, k=2, conditions=kind, tune=tune)


def tuned() -> Named:
    """Settings chosen by cross-validation, other seeds, other efforts."""
    for name, classes, k in product(("ones", "mixed", "ring"), (2, 3), (2, 3)):
        yield f"tuned/{name}-{classes}-{k}", partial(learn, name, classes=classes, k=k)
    for family in FAMILIES[1:]:
        yield f"tuned/family-{family}", partial(learn, "mixed", k=3, family=family)
    for seed, classes in product((1, 2, 3), (2, 4)):
        settings = {"k": 3, "random_state": seed, "tune": False}
        yield f"seeds/{classes}-{seed}", partial(learn, "mixed", classes=classes, **settings)
    yield "tuned/effort", partial(learn, "mixed", k=3, effort=1.0)
    yield "tuned/loud-noise", partial(learn, "ring", k=3, noise=0.6)


CODED = TableBinariser(groups={**GROUPS, "priors": Ordered(PRIORS)})

COLUMNS: Mapping[str, Mapping[str, object]] = {
    "mixed": {},
    "times": {},
    "grades": {},
    "coded": {"binariser": CODED},
    "texts": {},
    "hostile": {"target": "it's <b>"},
}


def columns() -> Named:
    """Every kind of column, by every learner, of two classes and of four."""
    for (name, settings), classes, learner in product(COLUMNS.items(), (2, 4), LEARNERS):
        chosen = {"k": 3 if learner != "exact" else 2, "learner": learner, "tune": False, **settings}
        yield f"columns/{name}-{classes}-{learner}", partial(learn, name, classes=classes, **chosen)
    codes = {"k": 2, "learner": "greedy"}
    yield "columns/coded-apart", partial(learn, "coded", **codes)
    for cuts in ("tree", "quantile"):
        binariser = TableBinariser(cuts=cuts, missing="allow", max_literals_per_column=5)
        yield f"columns/cuts-{cuts}", partial(learn, "mixed", k=2, tune=False, binariser=binariser)
    given = TableBinariser(cut_points={"income": [30, 45.5], "age": [40]}, kinds={"late": "category"})
    yield "columns/given", partial(learn, "mixed", k=2, tune=False, binariser=given)
    yield "columns/pandas", in_pandas
    yield "columns/labels", other_labels


def in_pandas() -> Made:
    given = table("mixed")
    frame = given.X.to_pandas()
    clf = quietly(DNFClassifier(3, tune=False, effort=QUICK).fit, frame, given.y)
    return Made(clf, given.later, frame, given.y)


def other_labels() -> Made:
    given = table("ring")
    return fitted(Table(given.X, given.y == "yes", given.later), k=2, tune=False)


WEIGHTS = {2: {"yes": 3.0, "no": 1.0}, 3: {"gold": 2.5, "silver": 1.0, "bronze": 0.5}}


def limits() -> Named:
    """Polarity, caps, prices, weights, constraints, columns that stay as they are."""
    for learner in LEARNERS:
        settings = {"family": "nested", "k": 2, "learner": learner, "tune": False}
        yield f"limits/nested-{learner}", partial(learn, "mixed", **settings)
    for classes, (cap, most), tune in product((2, 3), (("max_terms", 2), ("max_reasons", 6)), (False, True)):
        name = f"limits/{cap}-{classes}-{'tuned' if tune else 'plain'}"
        yield name, partial(learn, "mixed", classes=classes, k=3, tune=tune, **{cap: most})
    for classes, price, learner in product((2, 3), (0.0, 0.02), ("search", "exact")):
        settings = {"k": 2, "price": price, "learner": learner}
        yield f"limits/price-{classes}-{price}-{learner}", partial(learn, "mixed", classes=classes, **settings)
    for learner, family in (("greedy", "nested"), ("search", "any"), ("search", "tree"), ("exact", "nested")):
        settings = {"k": 2, "learner": learner, "family": family, "monotonic_cst": {"income": 1, "late": -1}}
        yield f"limits/monotone-{learner}-{family}", partial(learn, "mixed", **settings)
    ways = {"monotonic_cst": {"size": 1, "mark": 1}, "k": 3, "tune": False}
    yield "limits/monotone-grades", partial(learn, "grades", **ways)
    yield "limits/monotone-3", partial(learn, "mixed", classes=3, monotonic_cst={"income": 1})
    for classes, learner in product((2, 3), LEARNERS):
        for kind, weight in (("balanced", "balanced"), ("given", WEIGHTS[classes])):
            settings = {"classes": classes, "k": 2, "learner": learner, "class_weight": weight, "tune": False}
            yield f"limits/class-weight-{kind}-{classes}-{learner}", partial(learn, "mixed", **settings)
        yield f"limits/weights-{classes}-{learner}", partial(weighed, classes, learner)
    yield "limits/weights-tuned", partial(weighed, 2, "search", tune=True)
    yield "limits/immutable", partial(learn, "mixed", k=2, tune=False, immutable=["age", "income"], target="loan")
    yield "limits/immutable-all", partial(learn, "mixed", classes=3, k=2, tune=False, immutable="all")
    yield "limits/constant", partial(learn, "mixed", k=2, price=0.9)
    yield "limits/constant-3", partial(learn, "mixed", classes=3, k=2, price=0.9)


def weighed(classes: int, learner: str, *, tune: bool = False) -> Made:
    given = table("mixed", classes=classes)
    weights = np.random.default_rng(5).integers(0, 4, len(given.y)).astype(float)
    return fitted(given, weights=weights, k=2, learner=learner, tune=tune)


def lazily(
    classes: int,
    engine: str,
    name: str = "mixed",
    *,
    weighed: bool = False,
    kind: type[Model] = DNFClassifier,
    **settings: object,
) -> Made:
    """Learn from a table that an engine holds, and ask it about rows that it holds."""
    given = table(name, classes=classes)
    if engine == "duckdb":  # whose intervals have no fixed length
        given = replace(given, X=given.X.drop("wait", strict=False), later=given.later.drop("wait", strict=False))
    frame = given.X.with_columns(label=pl.Series(given.y))
    if weighed:
        frame = frame.with_columns(weight=pl.Series(np.arange(len(given.y)) % 3 + 1.0))
    later = given.later.with_row_index("row")
    with duckdb.connect() as base:
        lazy = frame.lazy() if engine == "polars" else base.from_arrow(frame.to_arrow())
        asked = later.lazy() if engine == "polars" else base.from_arrow(later.to_arrow())
        clf = quietly(kind(**{"effort": QUICK, **settings}).fit, lazy, "label", "weight" if weighed else None)
        answers = [clf.predict(asked) if kind is DNFClassifier else clf.band(asked), clf.explain(asked)]
        frames = [one.collect() if engine == "polars" else one.pl() for one in answers]
    return Made(clf, given.later, given.X, given.y, lazy=frames)


def lazy() -> Named:
    """Tables of engines."""
    for engine, classes, learner in product(("polars", "duckdb"), (2, 3), LEARNERS):
        settings = {"k": 2, "learner": learner, "tune": False}
        yield f"lazy/{engine}-{classes}-{learner}", partial(lazily, classes, engine, **settings)
    for engine, classes in product(("polars", "duckdb"), (2, 3)):
        yield f"lazy/{engine}-{classes}-tuned", partial(lazily, classes, engine, k=3)
        yield f"lazy/{engine}-{classes}-weights", partial(lazily, classes, engine, weighed=True, k=3, tune=False)
    for engine, name in product(("polars", "duckdb"), ("times", "ring")):
        yield f"lazy/{engine}-{name}", partial(lazily, 2, engine, name, k=3, tune=False)
    yield "lazy/polars-grades", partial(lazily, 2, "polars", "grades", k=3, tune=False)


RISING = ("iron", "bronze", "silver", "gold")
CREDIT = {"boundaries": [0.3, 0.6], "names": ["decline", "refer", "approve"], "k": 2}

BANDS: Mapping[str, Mapping[str, object]] = {
    "bands/two": {"name": "mixed"},
    "bands/given": {"name": "mixed", **CREDIT},
    "bands/k-1": {"name": "mixed", "k": 1},
    "bands/plain": {"name": "mixed", "tune": False},
    "bands/most-two": {"name": "ring", "boundaries": 2},
    "bands/intervals": {"name": "ring", "conditions": "intervals"},
    "bands/times": {"name": "times"},
    "bands/grades": {"name": "grades", "k": 2},
    "bands/coded": {"name": "coded", "binariser": CODED},
    "bands/texts": {"name": "texts"},
    "bands/hostile": {"name": "hostile", "target": "it's <b>"},
    "bands/monotone": {"name": "mixed", "monotonic_cst": {"income": 1, "late": -1}},
    "bands/balanced": {"name": "mixed", "class_weight": "balanced"},
    "bands/caps": {"name": "mixed", "max_terms": 2, "price": 0.01},
    "bands/immutable": {"name": "mixed", "immutable": ["age", "income"], "target": "loan"},
    "bands/falling": {"name": "mixed", "order": ["yes", "no"]},
    "bands/names-refused": {"name": "mixed", "boundaries": [0.5], "names": ["one"]},
    "bands/ordered-3": {"name": "mixed", "classes": 3, "order": RISING[1:], "k": 2},
    "bands/ordered-4": {"name": "mixed", "classes": 4, "order": RISING, "k": 2},
    "bands/ordered-4-ring": {"name": "ring", "classes": 4, "order": RISING},
    "bands/ordered-4-names": {"name": "mixed", "classes": 4, "order": RISING, "names": list("abcd")},
}


def read_again() -> Made:
    """Return bands as a model file has them."""
    made = learn("mixed", kind=DNFBands, **CREDIT)
    with TemporaryDirectory() as folder:
        exporting.to_json(made.clf, Path(folder) / "bands.json")
        return replace(made, clf=exporting.from_json(Path(folder) / "bands.json"))


def bands() -> Named:
    """Scores in bands: of two classes, of ordered labels, from tables of engines and from a file."""
    yield from ((name, partial(learn, kind=DNFBands, **settings)) for name, settings in BANDS.items())
    yield "bands/read", read_again
    for engine, (classes, order) in product(("polars", "duckdb"), ((2, None), (3, RISING[1:]))):
        settings = {"kind": DNFBands, "k": 2, "order": order}
        yield f"bands/{engine}-{classes}", partial(lazily, classes, engine, **settings)
        yield f"bands/{engine}-{classes}-weights", partial(lazily, classes, engine, weighed=True, **settings)


POLICIES = {
    "plain": ("late | owner & member", None),
    "numbers": (
        "~'income <= 35' & ~late | owner & 'age <= 60'",
        {"income": [35], "age": [60], "late": bool, "owner": bool},
    ),
    "interval": ("~'x <= 1' & 'x <= 2' | y", {"x": [1, 2], "y": bool}),
    "words": ("'job is clerk' & ~old | 'job is smith'", {"job": ["clerk", "smith", "baker"], "old": bool}),
    "parity": ("a & ~b | ~a & b", None),
    "majority": ("a & b | a & c | b & c", None),
    "never": ("0", {"a": bool}),
}


def policy(name: str) -> Made:
    formula, declared = POLICIES[name]
    clf = DNFClassifier.from_dnf(formula, columns=declared, classes=("declined", "approved"), target="loan")
    rng = np.random.default_rng(3)
    values = {
        column.name: rng.choice(column.values, 40) if hasattr(column, "values") else rng.random(40) < 0.5
        for column in clf.binariser_.columns_
    }
    numbers = {"income": rng.integers(10, 60, 40), "age": rng.integers(20, 80, 40), "x": rng.integers(0, 4, 40)}
    return Made(clf, pl.DataFrame({name: numbers.get(name, column) for name, column in values.items()}))


def audited(kind: str) -> Made:
    """Other people's models as models of ours."""
    given = table("ring")
    names, numbers = given.X.columns, given.X.to_numpy()
    if kind == "rules":
        rules = "if a > 1 and b <= 0 then yes\nif c > 0.5 and a <= 0 then yes\notherwise no"
        found = audit(rules)
    else:
        makers = {
            "tree": DecisionTreeClassifier(max_depth=3, random_state=0),
            "forest": RandomForestClassifier(3, max_depth=2, random_state=0),
        }
        found = audit(makers[kind].fit(numbers, given.y), names=names)
    return Made(found.to_classifier(), given.later, given.X, given.y)


def rectified(rule: str, **settings: object) -> Made:
    given = table("mixed")
    found = rectify(fitted(given, tune=False, **settings).clf, rule, given.X, given.y)
    return Made(found.classifier, given.later, given.X, given.y)


def chosen() -> Made:
    """A model whose k was chosen, with texts and codes of the user."""
    given = table("mixed")
    base = DNFClassifier(learner="greedy")
    found = choose_k(given.X, given.y, ks=[1, 2, 3], cv=3, estimator=base)
    made = fitted(given, k=found.best, learner="greedy")
    clf = made.clf.with_settings(notice_codes={"income": ("R1", "Income"), "late": ("R2", "Late payments")})
    return replace(made, clf=clf.with_settings(texts={"b1": "they earn enough"}))


def fair(learner: str, metric: str, family: str) -> Made:
    given, asked = table("groups"), Fairness("group", metric=metric, limit=0.1)
    plain = DNFClassifier(k=2, learner=learner, family=family, tune=False, effort=QUICK)
    clf = quietly(partial(fit_fairly, plain, fairness=asked), given.X, given.y)
    return Made(clf, given.later, given.X, given.y)


def others() -> Named:
    """Policies, audits, rectified models, fairness, a chosen k."""
    yield from ((f"policies/{name}", partial(policy, name)) for name in POLICIES)
    yield from ((f"audits/{kind}", partial(audited, kind)) for kind in ("rules", "tree", "forest"))
    yield "rectified/search", partial(rectified, "if late > 3 then no", k=3)
    yield "rectified/narrow", partial(rectified, "if age > 70 and member is true then no", k=2, learner="greedy")
    yield "chosen/texts", chosen
    for learner, metric, family in (
        ("search", "demographic_parity", "any"),
        ("search", "equal_opportunity", "tree"),
        ("greedy", "demographic_parity", "nested"),
        ("exact", "demographic_parity", "any"),
    ):
        yield f"fair/{learner}-{metric}", partial(fair, learner, metric, family)


def loaded(name: str, **settings: object) -> Made:
    X, y = datasets.load(name)
    X = np.asarray(X) if name in datasets.PAPER else X
    clf = quietly(DNFClassifier(**{"effort": QUICK, **settings}).fit, X, y)
    return Made(clf, X[:40] if isinstance(X, np.ndarray) else pl.from_pandas(X[:40]), X, y)


def built_in() -> Named:
    """Data that comes with the package or with scikit-learn."""
    for learner in LEARNERS:
        yield f"data/loans-{learner}", partial(loaded, "loans", k=2, learner=learner, tune=False)
    for name in ("iris-three", "wine-three", "wine"):
        yield f"data/{name}", partial(loaded, name, k=3)
    yield "data/balance-scale", partial(loaded, "balance-scale", k=3, learner="greedy", family="nested")
    yield "data/tic-tac-toe", partial(loaded, "tic-tac-toe", k=3, tune=False)
    yield "data/balance-scale-three", partial(loaded, "balance-scale-three", k=3, tune=False)


def paper() -> Named:
    """The paper's data, where they are at hand."""
    for name, learner in product(("lymph", "iris", "monks-1", "monks-3"), LEARNERS):
        settings = {"k": 3 if learner != "exact" else 2, "learner": learner, "tune": name == "monks-1"}
        yield f"{PAPER}/{name}-{learner}", partial(loaded, name, **settings)


def entries() -> dict[str, Entry]:
    """Return all entries by name; those of the paper's data where `IDNF_DATA` says where these are."""
    ways = [
        grid,
        forms,
        tuned,
        columns,
        limits,
        lazy,
        bands,
        others,
        built_in,
        *([paper] if os.environ.get("IDNF_DATA") else []),
    ]
    return dict(entry for way in ways for entry in way())
