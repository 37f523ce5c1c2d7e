"""Parameters that classifiers and bands share are checked alike; every refusal names the parameter and the value."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from idnf import DNFBands, DNFClassifier
from idnf.classifier.parameter_constraints import CONSTRAINTS

X = pd.DataFrame({"a": [0, 1, 2, 3] * 6, "b": ["red", "blue", "lime"] * 8})
Y = pd.Series([0, 0, 1, 1] * 5 + [1, 0, 0, 1])

NUMBERS = (-1, 0, 0.5, 1, 2.5, -0.0, -1e-9, math.nan, math.inf, -math.inf, -(10**6), 10**400, Fraction(-1, 3))
OTHERS = (
    *(True, False, None, "", "a", "balanced", "all", "auto", "\ud800", b"a", 1j, Decimal(1), Decimal("sNaN"), object()),
    *(np.float64("nan"), np.int64(-3), np.bool_(True), np.array(1), np.array([1.5]), np.zeros((2, 2)), pd.NA, pd.NaT),
    *([], (), {}, set(), [1], ["a"], ["c"], [["a"]], [None], [1, 2, 3], [2, 0], ["a", "a"], {"a"}, {"c": 1}, {"a": 7}),
    *({"a": "up"}, {0: -1}, {0: 0}, {0: 0, 1: 0}, {0: math.nan, 1: 1}, {0: "1", 1: 1}, {"0": 1}, {7: 1}),
    *({0: True, 1: 1}, {0: 1e300}, {0: None}, {None: 1}, {"a": None}, {"g": ["a", "b"]}, {"a": {"b": 1}}, print, len, ),
    *(DNFClassifier, np.array(["a", "b"]), int, "1", "cuts ", range(3), slice(2), np.random.default_rng(0), Ellipsis),
)  # fmt: skip
# What one of them takes and means otherwise: bands are not learned by a search that could choose conditions.
OWN = [("conditions", "auto"), ("progress", len)]
# No value of these is of a wrong size, but some are enough for hours.
LARGE = ("k", "max_terms", "max_reasons")
SHARED = sorted(CONSTRAINTS)


def refusal(kind: type, name: str, value: object, **settings: object) -> str | None:
    """What a fit says about a value, without the name of the class; None if it takes it."""
    try:
        kind(**{"k": 1, "effort": 0.01, **settings, name: value}).fit(X, Y)
    except (ValueError, TypeError) as error:
        return re.sub(r"of DNF\w+", "of DNF", str(error))
    return None


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.filterwarnings("ignore")
def test_shared_parameters_are_refused_in_the_same_words(name: str) -> None:
    refused = 0
    for value in (*NUMBERS, *OTHERS):
        if any(name == one and value is other for one, other in OWN) or name in LARGE and value is NUMBERS[-2]:
            continue
        said = refusal(DNFClassifier, name, value)
        assert said == refusal(DNFBands, name, value), (name, value)
        if said is not None:
            assert name in said, (value, said)
            assert re.search(r" must .*[Gg]ot ", said, re.DOTALL), (value, said)
            refused += 1
    assert refused > 20


@pytest.mark.parametrize("kind", [DNFClassifier, DNFBands])
@pytest.mark.parametrize(
    ("parameters", "match"),
    [
        ({"class_weight": {0: 1, 7: 2}}, r"class_weight must name labels of y \(0, 1\); got 7\."),
        ({"class_weight": {0: -1}}, r"class_weight must be numbers above 0, at most 1e\+100; got -1 for label 0\."),
        ({"class_weight": {0: 0, 1: 0}}, r"class_weight must be numbers above 0, at most 1e\+100; got 0 for label 0\."),
        ({"n_jobs": 10**6}, r"'n_jobs' parameter .* in the range \[1, 1000\], .* Got 1000000 instead"),
        ({"n_jobs": 0}, "'n_jobs' parameter .* Got 0 instead"),
        ({"k": True}, "'k' parameter .* Got True instead"),
        ({"monotonic_cst": [1.7, 0]}, r"monotonic_cst\['a'\] must be 1, 0 or -1; got 1\.7\."),
    ],
)
def test_a_refusal_names_parameter_rule_and_value(kind: type, parameters: dict[str, object], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        kind(**{"k": 1, **parameters}).fit(X, Y)


def test_a_class_without_weight_is_named() -> None:
    with pytest.raises(ValueError, match="sample_weight must leave some weight to each class; got 0 for all rows of 1"):
        DNFClassifier(k=1).fit(X, Y, sample_weight=1 - Y)


@pytest.mark.parametrize(
    ("parameters", "match"),
    [
        ({"order": ["0", "1"]}, r"order must list the labels of y \(0, 1\) once each, lowest first; got \['0', '1'\]"),
        ({"order": [0, 0]}, r"order must list .*; got \[0, 0\]"),
        ({"order": [[0], [1]]}, r"order must list .*; got \[\[0\], \[1\]\]"),
        ({"order": [pd.NA, 1]}, r"order must list .*; got \[<NA>, 1\]"),
        ({"boundaries": True}, "'boundaries' parameter .* Got True instead"),
        ({"boundaries": ["0.5"]}, r"boundaries must be ascending probabilities between 0 and 1; got \['0.5'\]"),
        ({"boundaries": [[0.5]]}, "boundaries must be ascending probabilities"),
        ({"names": ["x", "x"]}, r"names must be texts of one line that differ; got \['x', 'x'\]"),
        ({"names": ["x", None]}, r"names must be texts of one line that differ; got \['x', None\]"),
        ({"names": ["x", "y\n"]}, "names must be texts of one line that differ"),
        ({"names": ["x", "y\ud800"]}, "names must be texts of one line that differ"),
        ({"names": ["x"]}, r"names must be at least two; got \['x'\]"),
        ({"names": []}, r"names must be at least two; got \[\]"),
    ],
)
def test_what_bands_alone_refuse(parameters: dict[str, object], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        DNFBands(**{"k": 1, **parameters}).fit(X, Y)


def test_names_are_printed_as_they_are_given() -> None:
    bands = DNFBands(k=1, boundaries=[0.5], names=["x", "X"]).fit(X, Y)
    assert [str(one).split(" ")[0] for one in bands.explain(X.iloc[[0, 2]])] == ["x", "X"]
    assert [line.split(" ")[0] for line in bands.to_text().splitlines() if " (about" in line] == ["X", "x"]
    clf = DNFClassifier(k=1).fit(X, np.where(Y, "yes", "Yes"))
    assert [str(one).split(" ")[0] for one in clf.explain(X.iloc[[0, 2]])] == ["Yes", "yes"]


def test_recourse_of_bands_is_of_one_row() -> None:
    bands = DNFBands(k=1, boundaries=[0.5]).fit(X, Y)
    with pytest.raises(ValueError, match=r"x must be one row; got 2\."):
        bands.recourse(X.iloc[:2], to=0)
    assert bands.recourse(X.iloc[:1], to=1) == bands.recourse({"a": 0, "b": "red"}, to=1)


HALF = "x\ud800"


def written(name: str = "b", value: str = "red") -> pd.DataFrame:
    """The table with another name or value, as texts of Python, which may be halves of pairs."""
    values = pd.Series([value if one == "red" else one for one in X["b"].tolist()], dtype=object)
    return X[["a"]].assign(b=values).set_axis(pd.Index(["a", name], dtype=object), axis=1)


@pytest.mark.parametrize("kind", [DNFClassifier, DNFBands])
@pytest.mark.parametrize(
    ("table", "labels", "what"),
    [
        (written(name=HALF), Y, "the name of a column"),
        (written(value=HALF), Y, "column 'b'"),
        (X, Y.map({0: "no", 1: "yes"}).astype(object).replace("yes", HALF), "a label of y"),
        (X, Y.rename(HALF), "the name of y"),
    ],
)
def test_half_a_surrogate_pair_is_refused_by_its_place(kind: type, table, labels, what: str) -> None:
    with pytest.raises(
        ValueError, match=rf"^{what} must be Unicode text; got 'x\\ud800', which has half .* Replace it"
    ):
        kind(k=1).fit(table, labels)


@pytest.mark.parametrize(
    ("formula", "given", "what"),
    [
        (f"'{HALF}'", {}, "the name of a column"),
        ("1", {"columns": {"b": ["red", HALF]}}, "column 'b'"),
        ("a", {"classes": ("no", HALF)}, "a label of classes"),
        ("a", {"target": HALF}, "target"),
    ],
)
def test_half_a_surrogate_pair_is_refused_in_a_policy(formula: str, given: dict[str, object], what: str) -> None:
    with pytest.raises(ValueError, match=f"^{what} must be Unicode text"):
        DNFClassifier.from_dnf(formula, **given)


def test_half_a_surrogate_pair_in_a_row_can_be_printed() -> None:
    clf = DNFClassifier.from_dnf("'b is red'", columns={"b": ["blue", "red"]})
    for said in (clf.explain({"b": HALF})[0], clf.recourse({"b": HALF})):
        assert r'"x\ud800"' in str(said).encode().decode()


@pytest.mark.parametrize("weights", [["a"] * 24, [1, 2], [math.nan] * 24, [-1] * 24, np.ones((24, 2)), [None] * 24])
def test_weights_of_rows_are_refused_by_name(weights: object) -> None:
    with pytest.raises(
        ValueError, match="^sample_weight must be a finite number of at least 0 for each of 24 rows; got"
    ):
        DNFClassifier(k=1).fit(X, Y, sample_weight=weights)


def test_signalling_nans_are_missing_values() -> None:
    column = pd.Series([Decimal(number) for number in range(23)] + [Decimal("sNaN")], dtype=object)
    quiet = column.map(lambda value: Decimal("NaN") if value.is_snan() else value)
    signalling, plain = (DNFClassifier(k=1).fit(X.assign(a=values), Y) for values in (column, quiet))
    assert signalling.to_text() == plain.to_text()
